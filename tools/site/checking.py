# SPDX-License-Identifier: Apache-2.0
"""What is wrong with a site that was built: links that lead nowhere, and what a page would fetch from elsewhere."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

# Elements whose address a browser fetches by itself.
_FETCHED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "link": "href"}


class _Page(HTMLParser):
    """The links, fetched addresses and anchors of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.fetched: list[str] = []
        self.anchors: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.anchors.update(given[name] for name in ("id", "name") if name in given)
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if tag in _FETCHED and _FETCHED[tag] in given and given.get("rel") not in ("canonical", "prev", "next"):
            self.fetched.append(given[_FETCHED[tag]])


def problems(folder: Path) -> list[str]:
    """What is wrong, a line each.

    Args:
        folder: The folder of a version.
    """
    pages: dict[Path, _Page] = {}
    for path in sorted(folder.rglob("*.html")):
        pages[path] = _Page()
        pages[path].feed(path.read_text(encoding="utf-8"))
    found = []
    for path, page in pages.items():
        name = path.relative_to(folder)
        for address in page.links + page.fetched:
            parts = urlsplit(address)
            if parts.scheme or parts.netloc:
                if address in page.fetched and parts.scheme != "data":
                    found.append(f"{name}: fetched from elsewhere: {address}")
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if name.name == "404.html" and parts.path.startswith("/"):
                continue  # it is shown wherever a server finds nothing
            if not target.is_file():
                found.append(f"{name}: leads nowhere: {address}")
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors:
                found.append(f"{name}: no such heading: {address}")
    styles = [path for path in folder.rglob("*.css") if "url(http" in path.read_text(encoding="utf-8")]
    return found + [f"{path.relative_to(folder)}: fetches from elsewhere" for path in styles]
