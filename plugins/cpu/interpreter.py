# SPDX-License-Identifier: Apache-2.0
"""Settings of Python's interpreter while a thread compiles: its switch interval is short, its collector waits."""

from __future__ import annotations

import gc
import os
import sys
import threading
from collections.abc import Callable

_SHORT = 5e-5  # seconds; within the default of 5 ms LLVM compiles a whole kernel
_HALF_MICROSECOND = 5e-7  # Python truncates to microseconds


class ProcessSetting:
    """A block in which a setting of the whole process is another one; as it was when no thread is inside any more.

    Args:
        change: Changes the setting, and gives what sets it back; None where it is as wished already.
    """

    def __init__(self, change: Callable[[], Callable[[], None] | None]) -> None:
        self._change = change
        self._restore: Callable[[], None] | None = None
        self._inside = 0
        self._lock = threading.Lock()
        os.register_at_fork(after_in_child=self._after_fork)

    def __enter__(self) -> None:
        with self._lock:
            self._inside += 1
            if self._inside == 1:
                self._restore = self._change()

    def __exit__(self, *error: object) -> None:
        with self._lock:
            self._inside -= 1
            if not self._inside and self._restore is not None:
                self._restore()

    def _after_fork(self) -> None:
        """Resets the state in a child of fork, which lacks the threads that were inside and may have held the lock."""
        self._lock = threading.Lock()
        if self._inside and self._restore is not None:
            self._restore()
        self._inside = 0


def _shorten() -> Callable[[], None] | None:
    before = sys.getswitchinterval()
    if before <= _SHORT:
        return None
    sys.setswitchinterval(_SHORT + _HALF_MICROSECOND)

    def restore() -> None:
        if abs(sys.getswitchinterval() - _SHORT) < 2 * _HALF_MICROSECOND:  # a value that was set meanwhile stays
            sys.setswitchinterval(before + _HALF_MICROSECOND)

    return restore


def _stop_collecting() -> Callable[[], None] | None:
    if not gc.isenabled():
        return None
    gc.disable()
    return gc.enable


#: Lets a thread that mostly runs LLVM get Python's lock soon when it requests it.
short_switch_interval = ProcessSetting(_shorten)
#: Spares compiling Python's search for cycles: what it makes is kept, or freed with its last reference.
collector_paused = ProcessSetting(_stop_collecting)
