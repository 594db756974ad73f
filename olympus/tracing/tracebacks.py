# SPDX-License-Identifier: Apache-2.0
"""Tracebacks of what goes wrong below a transformation: the user's frames, without those of olympus between them.

The filter stands in the except clauses of the functions through which users come in: where nothing is raised it costs
nothing. See docs/decisions/0029.
"""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from types import FrameType, TracebackType
from typing import Any, TypeVar, cast

from olympus_core.config import config
from olympus_core.errors import OlympusInternalError, VerificationError
from olympus_core.location import EXCLUDED_FILES, OWN_PACKAGES

F = TypeVar("F", bound=Callable[..., Any])
NOTE = ("(The traceback leaves out frames of olympus itself; OLYMPUS_TRACEBACK_FILTERING=off in the environment, or "
        "olympus.config.update('olympus_traceback_filtering', False), shows them.)")
# What olympus calls, beside the standard library: such frames belong to whoever called them.
_LIBRARIES = frozenset({"llvmlite", "ml_dtypes", "mpi4py", "numpy", "pluggy", "pydantic", "rich"})
_DEFECTS = (OlympusInternalError, VerificationError)
_STANDARD_LIBRARY = os.path.dirname(os.__file__)


def keep_user_frames(error: BaseException) -> None:
    """Takes the frames of olympus out of an exception's traceback, and out of those of its causes.

    For except clauses, followed by a plain ``raise``. What follows from a defect of olympus stays as it is.

    Args:
        error: The exception that was caught.
    """
    if not config.traceback_filtering:
        return
    # The user's error must arrive, also where its class raises when attributes are read or notes are added.
    with suppress(Exception):
        _filter(error)


def _filter(error: BaseException) -> None:
    chain: dict[int, BaseException] = {}
    waiting: list[BaseException | None] = [error]
    while waiting:
        one = waiting.pop()
        if one is not None and id(one) not in chain:
            chain[id(one)] = one
            waiting += [one.__cause__, one.__context__]
    if any(isinstance(one, _DEFECTS) for one in chain.values()):
        return
    for one in chain.values():
        if one.__traceback__ is not None:
            one.__traceback__ = _kept(one.__traceback__)
    # Python 3.10 shows no notes.
    if hasattr(error, "add_note") and NOTE not in getattr(error, "__notes__", ()):
        error.add_note(NOTE)


def _kept(traceback: TracebackType) -> TracebackType | None:
    """The entries that are not olympus's own, linked to each other."""
    first: TracebackType | None = None
    last: TracebackType | None = None
    is_own = False
    entry: TracebackType | None = traceback
    while entry is not None:
        following = entry.tb_next
        is_own = _is_own(entry.tb_frame, is_own)
        if not is_own:
            first = first or entry
            if last is not None:
                last.tb_next = entry
            last = entry
        entry = following
    if last is not None:
        last.tb_next = None
    if sys.version_info < (3, 11):
        # There the plain raise that follows goes back to the first entry, whatever is assigned: one frame stays.
        traceback.tb_next = first if first is not traceback else traceback.tb_next
    return first


def _is_own(frame: FrameType, is_callers: bool) -> bool:
    """Whether a frame is olympus's own; those of libraries are if their caller's is."""
    package = str(frame.f_globals.get("__name__", "")).partition(".")[0]
    file = frame.f_code.co_filename
    if package in OWN_PACKAGES or file in EXCLUDED_FILES or file.startswith("<olympus "):  # code that olympus wrote
        return True
    is_library = package in _LIBRARIES or (
        package in sys.stdlib_module_names and frame.f_code.co_filename.startswith((_STANDARD_LIBRARY, "<frozen ")))
    return is_callers and is_library


def entrance(function: F) -> F:
    """Marks a function through which users come in: what it raises shows their frames."""

    @functools.wraps(function)
    def entered(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except Exception as error:
            keep_user_frames(error)
            raise

    return cast(F, entered)
