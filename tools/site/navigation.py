# SPDX-License-Identifier: Apache-2.0
"""MkDocs' settings: those of `mkdocs.yml`, the folders, and the pages that are not named there one by one."""

from __future__ import annotations

from pathlib import Path

SETTINGS = Path(__file__).with_name("mkdocs.yml")


def configuration(pages: Path, built: Path) -> str:
    """The text of the settings.

    Args:
        pages: The folder of the pages.
        built: The folder for the site.
    """
    reference = ["      - reference/README.md", *_listed(pages, "reference"), ""]
    decisions = ["      - Decisions:", *_listed(pages, "decisions", "          - "), ""]
    text = SETTINGS.read_text(encoding="utf-8")
    before, after = text.split("      - config.md\n")
    return "\n".join([f"docs_dir: {pages}", f"site_dir: {built}",
                      before + "\n".join(reference) + "      - config.md\n" + after.rstrip(), *decisions])


def _listed(pages: Path, folder: str, head: str = "      - ") -> list[str]:
    names = sorted((path.name for path in (pages / folder).glob("*.md")), key=lambda name: name.removesuffix(".md"))
    if folder == "reference":
        return [f"{head}{name.removesuffix('.md')}: {folder}/{name}" for name in names if name != "README.md"]
    return [f"{head}{folder}/{name}" for name in sorted(names, key=lambda name: (name != "README.md", name))]
