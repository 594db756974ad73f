"""Shared 64-bit words that processes count in, and sleep on until they change.

Every word has one writer. A writer stores its data, then its word; a reader loads the word, then the data. That order
is kept by x86 processors by themselves (aligned stores become visible in program order, loads are made in program
order); others would need fences, which Python has not, so `is_ordered` is asked before any of this is used.
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
    """Whether stores of this machine are seen in their order, and its system can sleep on a word."""
    return sys.platform == "linux" and platform.machine() == "x86_64" and sys.maxsize > 1 << 32


class Words:
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
        """Sleeps until the word is woken; not at all if it no longer has the value that was seen."""
        time = _Time(int(seconds), int(seconds % 1 * 1e9))
        # The kernel compares 32 bits: the lower half, on a little-endian machine.
        self._call(_FUTEX, self._address + index * 8, _WAIT, seen & 0xFFFFFFFF, ctypes.byref(time), None, 0)

    def wake(self, index: int) -> None:
        """Wakes whoever sleeps on the word."""
        self._call(_FUTEX, self._address + index * 8, _WAKE, _ALL, None, None, 0)
