# SPDX-License-Identifier: Apache-2.0
"""The guide to writing a platform, as the package brings it."""

from __future__ import annotations

from pathlib import Path

_FILE = "writing-a-platform.md"


def text() -> str:
    """The guide, in Markdown: from an empty folder to profile full. Its links are to the project's other documents.

    Returns:
        What `olympus-conformance guide` prints: the installed copy, or a checkout's own.

    Example:
        >>> text().splitlines()[0]
        '# Writing a platform'
    """
    package = Path(__file__).resolve().parent
    installed = package / "documents" / _FILE
    return (installed if installed.is_file() else package.parent / "docs" / _FILE).read_text("utf-8")
