# SPDX-License-Identifier: Apache-2.0
"""The pages as the site has them: those of `docs/`, and under `project/` what they link to in the repository."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
_LINK = re.compile(r"(\]\()([^)\s#]+)((?:#[^)\s]*)?\))")
# Fences that name a file: `python olympus_acme/x.py` or a remark, which MkDocs wants as a title.
_FENCE = re.compile(r"^```(\w+) (?!title=)([^\n]+)$", re.MULTILINE)
_CODE = re.compile(r"(^```.*?^```$|`[^`\n]+`)", re.MULTILINE | re.DOTALL)


def stage(folder: Path) -> None:
    """Writes all pages, and the files that they show, into a folder.

    Args:
        folder: An empty folder.
    """
    waiting = [path for path in DOCS.rglob("*") if path.is_file() and path.suffix in (".md", ".svg", ".json")]
    seen: set[Path] = set()
    while waiting:
        source = waiting.pop()
        if source in seen:
            continue
        seen.add(source)
        target = folder / place(source)
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.suffix == ".md":
            text, linked = staged(source)
            target.write_text(text, encoding="utf-8")
            waiting += linked
        else:
            shutil.copy(source, target)
    shutil.copytree(Path(__file__).parent / "assets", folder / "assets")


def place(source: Path) -> Path:
    """Where a file of the repository stands among the pages.

    Args:
        source: Its path.
    """
    inside = source.relative_to(DOCS) if source.is_relative_to(DOCS) else Path("project") / source.relative_to(ROOT)
    # A file without a suffix would be downloaded; a README elsewhere than in the reference is a page like others.
    return inside if inside.suffix else inside.with_name(f"{inside.name}.txt")


def staged(source: Path) -> tuple[str, list[Path]]:
    """A page's text with its links as the site has them, and the files that they lead to.

    Args:
        source: The page.
    """
    linked: list[Path] = []

    def moved(match: re.Match[str]) -> str:
        if "://" in match[2] or match[2].startswith("mailto:"):
            return match[0]
        target = (source.parent / match[2]).resolve()
        if target.is_dir():
            target = next((path for path in (target / "README.md",) if path.exists()), target)
        if not target.is_file() or not target.is_relative_to(ROOT):
            return f"{match[1]}{match[2]}{match[3]}"
        linked.append(target)
        return f"{match[1]}{os.path.relpath(place(target), place(source).parent)}{match[3]}"

    parts = [part if code else _LINK.sub(moved, part) for part, code in _parts(source.read_text(encoding="utf-8"))]
    return _FENCE.sub(lambda m: f'```{m[1]} title="{m[2]}"', "".join(parts)), linked


def _parts(text: str) -> Iterator[tuple[str, bool]]:
    """The text in turn outside and inside of code."""
    for number, part in enumerate(_CODE.split(text)):
        yield part, bool(number % 2)
