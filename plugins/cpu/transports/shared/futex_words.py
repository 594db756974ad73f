# SPDX-License-Identifier: Apache-2.0
"""Shared 64-bit words: single-writer counters on which processes sleep until they change (futex, Drepper 2011).

A writer stores its data, then its word; a reader loads the word, then the data. x86's total store order (TSO) keeps
that order without fences: aligned stores become visible in program order, and loads are performed in program order.
Other processors need fences, which Python lacks; `is_ordered` tells them apart.
"""

from __future__ import annotations

import ctypes
import mmap
import platform
import sys
from typing import Any

import numpy as np

_FUTEX = 202  # the system call's number on x86-64
_WAIT, _WAKE = 0, 1
_ALL = 0x7FFFFFFF


class _Time(ctypes.Structure):
    _fields_ = [("seconds", ctypes.c_long), ("nanoseconds", ctypes.c_long)]


def is_ordered() -> bool:
    """Whether this machine has total store order and its system futexes."""
    return sys.platform == "linux" and platform.machine() == "x86_64" and sys.maxsize > 1 << 32


class FutexWords:
    """The words at the beginning of a shared mapping.

    Attributes:
        values: The words, by index; read and written directly.

    Args:
        mapping: The mapping.
        count: Number of words.
    """

    __slots__ = ("_address", "_call", "values")

    def __init__(self, mapping: mmap.mmap, count: int) -> None:
        self.values = memoryview(mapping)[: count * 8].cast("q")
        self._address = int(np.frombuffer(mapping, np.uint8).ctypes.data)
        self._call: Any = ctypes.CDLL(None).syscall
        self._call.argtypes = (
            ctypes.c_long, ctypes.c_void_p, ctypes.c_int, ctypes.c_uint32, ctypes.c_void_p, ctypes.c_void_p,
            ctypes.c_uint32,
        )

    def sleep(self, index: int, seen: int, seconds: float) -> None:
        """Sleeps until the word is woken or the time is over; not at all if it no longer has the value `seen`."""
        time = _Time(int(seconds), int(seconds % 1 * 1e9))
        # The kernel compares 32 bits: the lower half, on a little-endian machine.
        self._call(_FUTEX, self._address + index * 8, _WAIT, seen & 0xFFFFFFFF, ctypes.byref(time), None, 0)

    def wake(self, index: int) -> None:
        """Wakes all processes that sleep on the word."""
        self._call(_FUTEX, self._address + index * 8, _WAKE, _ALL, None, None, 0)
