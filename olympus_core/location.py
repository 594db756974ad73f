"""The user's line: the innermost frame outside of olympus."""

from __future__ import annotations

import sys
import warnings
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


def warn_user(warning: Warning) -> None:
    """Gives a warning at the user's line; Python shows it once for each line unless its filters say otherwise.

    Args:
        warning: What is told.
    """
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] in _OWN:
        frame = frame.f_back
    if frame is None:
        warnings.warn(warning, stacklevel=2)
        return
    known = frame.f_globals.setdefault("__warningregistry__", {})
    warnings.warn_explicit(warning, None, frame.f_code.co_filename, frame.f_lineno,
                           frame.f_globals.get("__name__"), known)
