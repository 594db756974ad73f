"""The user's line: the innermost frame outside of olympus."""

from __future__ import annotations

import sys
from types import FrameType

OWN_PACKAGES = frozenset({"olympus", "olympus_core", "olympus_cpu", "olympus_cuda", "olympus_pjrt", "olympus_tpu"})
_OWN = OWN_PACKAGES | {"functools", "contextlib"}


def user_location(depth: int = 1) -> str:
    """``file:line`` of the innermost caller that is not olympus itself; ``""`` when there is none.

    Args:
        depth: How many frames to skip first.
    """
    frame: FrameType | None = sys._getframe(depth)
    while frame is not None:
        if frame.f_globals.get("__name__", "").partition(".")[0] not in _OWN:
            return f"{frame.f_code.co_filename}:{frame.f_lineno}"
        frame = frame.f_back
    return ""


def line_of(frame: FrameType | None) -> str:
    """``file:line`` of the innermost frame, from this one outwards, that is not olympus itself; ``""`` without one."""
    while frame is not None:
        if frame.f_globals.get("__name__", "").partition(".")[0] not in _OWN:
            return f"{frame.f_code.co_filename}:{frame.f_lineno}"
        frame = frame.f_back
    return ""
