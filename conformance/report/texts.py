"""Texts that come from a platform, made fit for every form of a report."""

from __future__ import annotations

import re

_NOT_WRITABLE = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def writable(text: str) -> str:
    r"""A text in which characters that XML cannot hold, nor UTF-8, are spelled out.

    Example:
        >>> writable("red \x1b[31m")
        'red \\x1b[31m'
    """
    return _NOT_WRITABLE.sub(lambda found: ascii(found[0])[1:-1], text)
