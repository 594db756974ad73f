# SPDX-License-Identifier: Apache-2.0
"""Memory between guards: what a kernel writes beside its buffers shows."""

from __future__ import annotations

import numpy as np

GUARD = 256
_PATTERN = 0xA5
_ALIGNMENT = 256


class Guarded:
    """A buffer with a guard of `GUARD` bytes before and behind it, aligned as device memory is.

    Args:
        contents: What stands in it at first, or the number of its bytes, which then are poisoned.
    """

    __slots__ = ("_all", "address", "nbytes")

    def __init__(self, contents: np.ndarray | int) -> None:
        self.nbytes = contents if isinstance(contents, int) else contents.nbytes
        self._all = np.full(self.nbytes + 2 * GUARD + _ALIGNMENT, _PATTERN, np.uint8)
        start = self._all.ctypes.data + GUARD
        self.address = start + -start % _ALIGNMENT
        if isinstance(contents, int):
            self.bytes[:] = 0xCD
        else:
            self.bytes[:] = np.ascontiguousarray(contents).reshape(-1).view(np.uint8)

    @property
    def bytes(self) -> np.ndarray:
        """What stands in it, as bytes that can be written."""
        first = self.address - self._all.ctypes.data
        return self._all[first : first + self.nbytes]

    @property
    def bound(self) -> tuple[int, int]:
        """Its address and its size, as `launch` takes them."""
        return (self.address, self.nbytes)

    def read(self, dtype: np.dtype, shape: tuple[int, ...] = (-1,)) -> np.ndarray:
        """A copy of what stands in it."""
        return self.bytes.copy().view(dtype).reshape(shape)


def damage(address: int, nbytes: int) -> str | None:
    """What was written into the guards of a buffer, in words."""
    for name, first, count in (("before", address - GUARD, GUARD), ("behind", address + nbytes, GUARD)):
        found = np.flatnonzero(_at(first, count) != _PATTERN)
        if found.size:
            offset = int(found[0]) - GUARD if name == "before" else nbytes + int(found[0])
            return f"{found.size} bytes {name} the buffer, the first at offset {offset}"
    return None


def _at(address: int, count: int) -> np.ndarray:
    import ctypes

    return np.frombuffer((ctypes.c_uint8 * count).from_address(address), np.uint8)
