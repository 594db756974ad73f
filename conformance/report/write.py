# SPDX-License-Identifier: Apache-2.0
"""Writes a report in every form."""

from __future__ import annotations

from pathlib import Path

from .badge import badge_json, badge_svg
from .html import page
from .junit import junit
from .markdown import markdown
from .schema import Report
from .suite import Suite, installed


def write(report: Report, folder: Path, suite: Suite | None = None) -> list[Path]:
    """Writes report.json, junit.xml, report.md, report.html, badge.json and badge.svg.

    Args:
        report: The report.
        folder: Where to; made when it is not there.
        suite: Where the statements come from; the installed suite when None.

    Returns:
        The files.
    """
    suite = suite or installed()
    folder.mkdir(parents=True, exist_ok=True)
    texts = {
        "report.json": report.text(), "report.html": page(report, suite), "report.md": markdown(report, suite),
        "junit.xml": junit(report), "badge.json": badge_json(report), "badge.svg": badge_svg(report),
    }
    paths = []
    for name, text in texts.items():
        path = folder / name
        path.write_text(text, "utf-8")
        paths.append(path)
    return paths
