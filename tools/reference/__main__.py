# SPDX-License-Identifier: Apache-2.0
"""Writes the pages: `python -m tools.reference`."""

from __future__ import annotations

from pathlib import Path

from .array_stub import STUB, stub
from .pages import pages

DOCS = Path(__file__).resolve().parents[2] / "docs"


def main() -> None:
    """Writes all pages, removes those of modules that are gone, and writes the stub of arrays' methods."""
    made = pages()
    (DOCS / "reference").mkdir(exist_ok=True)
    for old in (DOCS / "reference").glob("*.md"):
        if f"reference/{old.name}" not in made:
            old.unlink()
    for path, text in made.items():
        (DOCS / path).write_text(text, encoding="utf-8")
    STUB.write_text(stub(), encoding="utf-8")


if __name__ == "__main__":
    main()
