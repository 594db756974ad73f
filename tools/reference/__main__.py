"""Writes the pages: `python -m tools.reference`."""

from __future__ import annotations

from pathlib import Path

from .pages import pages

DOCS = Path(__file__).resolve().parents[2] / "docs"


def main() -> None:
    """Writes all pages, and removes those of modules that are gone."""
    made = pages()
    (DOCS / "reference").mkdir(exist_ok=True)
    for old in (DOCS / "reference").glob("*.md"):
        if f"reference/{old.name}" not in made:
            old.unlink()
    for path, text in made.items():
        (DOCS / path).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
