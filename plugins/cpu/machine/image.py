# SPDX-License-Identifier: Apache-2.0
"""`Image`: memory of this process that is first written and then run, never both at a time."""

from __future__ import annotations

import ctypes
import mmap
import os
import sys
from collections.abc import Callable, Sequence
from functools import lru_cache

from olympus_core.toolkit.stored_data import UnfitData

PAGE = mmap.PAGESIZE


class Image:
    r"""Pages that can be written, until they are sealed; the system has them back with the last reference.

    Args:
        size: Their bytes.

    Raises:
        UnfitData: This system has no such pages.

    Attributes:
        address: Where they begin.

    Example:
        >>> image = Image(100)
        >>> image.memory()[:3] = b"\x01\x02\x03"
        >>> image.seal([(100, False)])
        >>> ctypes.string_at(image.address, 4)
        b'\x01\x02\x03\x00'
    """

    __slots__ = ("_pages", "address")

    def __init__(self, size: int) -> None:
        if sys.platform != "linux":
            raise UnfitData(f"memory for code is not known on {sys.platform}")
        try:
            self._pages = mmap.mmap(-1, rounded(size), mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS,
                                    mmap.PROT_READ | mmap.PROT_WRITE)
        except OSError as error:
            raise UnfitData(f"the system maps no {size} bytes: {error}") from error
        self.address = ctypes.addressof(ctypes.c_char.from_buffer(self._pages))

    def memory(self) -> memoryview:
        """Its memory, to write to until it is sealed."""
        return memoryview(self._pages)

    def seal(self, parts: Sequence[tuple[int, bool]]) -> None:
        """Makes parts, one after the other from its beginning, read-only; what is left stays writable.

        Args:
            parts: For each its bytes, and whether it is code.

        Raises:
            UnfitData: The system does not allow it.
        """
        start = self.address
        for size, is_code in parts:
            if size:
                protection = mmap.PROT_READ | (mmap.PROT_EXEC if is_code else 0)
                if is_code:
                    _synchronizer()(start, start + size)
                if _protect()(start, rounded(size), protection):
                    raise UnfitData(f"the system does not allow it: {os.strerror(ctypes.get_errno())}")
            start += rounded(size)


def rounded(size: int) -> int:
    """A size rounded up to whole pages."""
    return -(-size // PAGE) * PAGE


@lru_cache(maxsize=1)
def _protect() -> Callable[..., int]:
    prototype = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, use_errno=True)
    return prototype(("mprotect", ctypes.CDLL(None)))


@lru_cache(maxsize=1)
def _synchronizer() -> Callable[[int, int], object]:
    """What makes written instructions visible to the processor: x86 does so itself, ARM has a function for it."""
    if os.uname().machine == "x86_64":
        return lambda start, end: None
    try:
        return ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(
            ("__clear_cache", ctypes.CDLL("libgcc_s.so.1")))
    except (OSError, AttributeError) as error:
        raise UnfitData("no function is there that synchronizes caches of instructions") from error
