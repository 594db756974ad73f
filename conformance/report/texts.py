# SPDX-License-Identifier: Apache-2.0
"""Texts from a platform, escaped for all formats of a report."""

from __future__ import annotations

import re

_NOT_WRITABLE = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def writable(text: str) -> str:
    r"""A text with the characters escaped that XML or UTF-8 cannot represent.

    Example:
        >>> writable("red \x1b[31m")
        'red \\x1b[31m'
    """
    return _NOT_WRITABLE.sub(lambda found: ascii(found[0])[1:-1], text)
