# SPDX-License-Identifier: Apache-2.0
"""Where a thread of this process is: its Python stack as another process is told."""

from __future__ import annotations

import sys
from types import FrameType

from olympus_core.location import OWN_PACKAGES

MOST_FRAMES = 12


def stack_of(thread: int | None) -> list[str]:
    """The frames of a thread in words, innermost first; those of olympus itself only where there are no others.

    Args:
        thread: The thread's identifier.

    Example:
        >>> import threading
        >>> stack_of(threading.get_ident())[-1].startswith("<")
        False
    """
    frame: FrameType | None = sys._current_frames().get(thread or 0)
    own: list[str] = []
    others: list[str] = []
    while frame is not None and len(others) < MOST_FRAMES:
        words = f"{frame.f_code.co_filename}:{frame.f_lineno} in {frame.f_code.co_name}"
        is_own = frame.f_globals.get("__name__", "").partition(".")[0] in OWN_PACKAGES
        (own if is_own else others).append(words)
        frame = frame.f_back
    return others or own[:MOST_FRAMES]
