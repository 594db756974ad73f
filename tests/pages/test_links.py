# SPDX-License-Identifier: Apache-2.0
"""Links of the pages lead to files and headings that are there; every page is on the site."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tools.pages.checking import DOCS

ROOT = DOCS.parent
PAGES = [*sorted(DOCS.glob("*.md")), *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md"))]


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub and MkDocs make them."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    return {re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-")
            for heading in re.findall(r"^#+ (.*)$", text, re.MULTILINE)}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"^```.*?^```$|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    wrong = []
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if target.startswith(("https://", "http://")):
            continue
        name, _, anchor = target.partition("#")
        there = (page.parent / name).resolve() if name else page
        if not there.exists() or (anchor and there.suffix == ".md" and anchor not in anchors(there)):
            wrong.append(target)
    assert not wrong
