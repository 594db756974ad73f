# SPDX-License-Identifier: Apache-2.0
"""Anchors of headings as GitHub makes them, so that links work in both places."""

from __future__ import annotations

import re


def slug(text: str, separator: str) -> str:
    """The anchor of a heading.

    Args:
        text: The heading.
        separator: What stands for blanks.

    Example:
        >>> slug("What `jit` does", "-")
        'what-jit-does'
    """
    return re.sub(r"[^\w -]", "", text).strip().lower().replace(" ", separator)
