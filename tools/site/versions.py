# SPDX-License-Identifier: Apache-2.0
"""The list of versions beside them, as a script: pages that are opened as files can read no other."""

from __future__ import annotations

import json
import re
from pathlib import Path


def write_versions(folder: Path) -> None:
    """Writes the list, and the page that leads to the newest version.

    Args:
        folder: The folder of all versions.
    """
    names = sorted((path.parent.name for path in folder.glob("*/index.html")), key=_order, reverse=True)
    (folder / "versions.js").write_text(f"window.OLYMPUS_VERSIONS = {json.dumps(names)};\n", encoding="utf-8")
    (folder / "index.html").write_text(
        f'<!doctype html><meta charset="utf-8"><title>olympus</title>'
        f'<meta http-equiv="refresh" content="0; url={names[0]}/index.html">'
        f'<a href="{names[0]}/index.html">olympus {names[0]}</a>\n', encoding="utf-8")


def _order(name: str) -> list[tuple[bool, int, str]]:
    """Numbers by size, words before them."""
    return [(part.isdigit(), int(part) if part.isdigit() else 0, part) for part in re.findall(r"\d+|[^\d.]+", name)]
