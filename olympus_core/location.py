# SPDX-License-Identifier: Apache-2.0
"""The user's line: the innermost frame outside of olympus."""

from __future__ import annotations

import sys
import warnings
from types import FrameType

OWN_PACKAGES = frozenset({"olympus", "olympus_core", "olympus_cpu", "olympus_cuda", "olympus_pjrt", "olympus_tpu"})
_OWN = OWN_PACKAGES | {"functools", "contextlib", "numpy"}  # NumPy's functions ask arrays for their values
# Files of libraries that asked not to be taken for the user's.
EXCLUDED_FILES: set[str] = set()
# By a module's name, whether it is olympus's: under nested transforms each operation asks for hundreds of frames.
own_modules: dict[str, bool] = {}


def user_location(depth: int = 1) -> str:
    """``file:line`` of the innermost caller that is not olympus itself; ``""`` when there is none.

    Args:
        depth: How many frames to skip first.
    """
    return line_of(sys._getframe(depth))


def line_of(frame: FrameType | None) -> str:
    """``file:line`` of the innermost frame, from this one outwards, that is not olympus itself; ``""`` without one."""
    found = users_frame(frame)
    return "" if found is None else f"{found.f_code.co_filename}:{found.f_lineno}"


def warn_user(warning: Warning) -> None:
    """Gives a warning at the user's line; Python shows it once for each line unless its filters say otherwise.

    Args:
        warning: What is told.
    """
    frame = users_frame(sys._getframe(1))
    if frame is None:
        warnings.warn(warning, stacklevel=2)
        return
    known = frame.f_globals.setdefault("__warningregistry__", {})
    warnings.warn_explicit(warning, None, frame.f_code.co_filename, frame.f_lineno,
                           frame.f_globals.get("__name__"), known)


def is_users(frame: FrameType) -> bool:
    """Whether a frame is neither olympus's own nor in a file that asked not to be taken for the user's."""
    return users_frame(frame) is frame


def users_frame(frame: FrameType | None) -> FrameType | None:
    """The innermost frame, from this one outwards, that is the user's."""
    known, excluded = own_modules, EXCLUDED_FILES
    while frame is not None:
        name = frame.f_globals.get("__name__", "")
        own = known.get(name)
        if own is None:
            own = known[name] = name.partition(".")[0] in _OWN
        if not own and not (excluded and frame.f_code.co_filename in excluded):
            return frame
        frame = frame.f_back
    return None
