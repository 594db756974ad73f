# SPDX-License-Identifier: Apache-2.0
"""The guides to writing a platform, as the package brings them."""

from __future__ import annotations

from pathlib import Path

GUIDES = ("platform", "generator")


def text(which: str = "platform") -> str:
    """A guide, in Markdown. Its links are to the project's other documents.

    Args:
        which: ``"platform"``: from an empty folder to profile full. ``"generator"``: from a table of operations to a
            generator of kernels.

    Returns:
        What `olympus-conformance guide` prints: the installed copy, or a checkout's own.

    Example:
        >>> [text(which).splitlines()[0] for which in GUIDES]
        ['# Writing a platform', '# Writing a generator of kernels']
    """
    package, file = Path(__file__).resolve().parent, f"writing-a-{which}.md"
    installed = package / "documents" / file
    return (installed if installed.is_file() else package.parent / "docs" / file).read_text("utf-8")
