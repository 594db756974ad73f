# SPDX-License-Identifier: Apache-2.0
"""The texts that specify olympus are cited by their titles, where readers are: a number means nothing to them."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_no_document_is_cited_by_its_number() -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").rglob("*.md")]
    sources = [path for folder in ("olympus", "olympus_core", "plugins", "conformance")
               for path in (ROOT / folder).rglob("*.py")]
    number = re.compile(r"\b(?i:documents?) 00[0-4]\b|\b00[0-4]'s\b|\bby 00[0-4]\b")
    # Decisions are dated, and are not written anew; what is wrong in the reference is so in a docstring.
    told = [path for path in pages + sources if not {"decisions", "reference"} & set(path.parts)]
    assert not [str(path.relative_to(ROOT)) for path in told if number.search(path.read_text(encoding="utf-8"))]
