# SPDX-License-Identifier: Apache-2.0
"""Python's switch interval, shortened while a thread compiles."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_SHORT = 5e-5  # seconds; within the default of 5 ms LLVM compiles a whole kernel
_HALF_MICROSECOND = 5e-7  # Python truncates to microseconds

_lock = threading.Lock()
_inside = 0
_before = 0.0


@contextmanager
def short_switch_interval() -> Iterator[None]:
    """Lets a thread that mostly runs LLVM get Python's lock soon when it requests it; the setting is process-wide."""
    global _inside, _before
    with _lock:
        _inside += 1
        if _inside == 1:
            _before = sys.getswitchinterval()
            if _before > _SHORT:
                sys.setswitchinterval(_SHORT + _HALF_MICROSECOND)
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            if not _inside:
                _restore()


def _restore() -> None:
    # A value that was set meanwhile stays.
    if _before > _SHORT and abs(sys.getswitchinterval() - _SHORT) < 2 * _HALF_MICROSECOND:
        sys.setswitchinterval(_before + _HALF_MICROSECOND)


def _after_fork() -> None:
    """Resets the state in a child of fork, which lacks the threads that were inside and may have held the lock."""
    global _lock, _inside
    _lock = threading.Lock()
    if _inside:
        _inside = 0
        _restore()


os.register_at_fork(after_in_child=_after_fork)
