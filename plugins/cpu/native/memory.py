# SPDX-License-Identifier: Apache-2.0
"""The allocator of arrays: blocks aligned to cache lines, in size classes, recycled."""

from __future__ import annotations

import ctypes
import os
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple, Protocol

import numpy as np

from olympus_core.errors.platform import OutOfMemoryError

from .python_api import ONE_ARGUMENT, PythonFunctionBuilder, keep_for_ever, make_type
from .runtime import function, runtime

# Bounds of freed memory that is kept for reuse. Arrays of a program recur in the same sizes, and fresh pages cost about
# 0.1 ms per MiB; more than an eighth of the machine's memory would be taken from other processes.
KEPT_SHARE, KEPT_MOST, KEPT_SMALL_MOST = 8, 1 << 30, 64 << 20


class Block(Protocol):
    """Memory of one array; given back when the last reference dies. It can be read and written through `memoryview`."""

    @property
    def address(self) -> int:
        """Its first byte; a multiple of 64."""

    @property
    def size(self) -> int:
        """Bytes that were asked for."""


class MemoryFigures(NamedTuple):
    """Statistics of the allocator, in bytes.

    Args:
        in_use: In blocks that are referenced.
        peak: The maximum that was in use.
        kept: In freed blocks that are kept for reuse.
        blocks: Number of blocks in use.
        from_system: Number of allocations from the system.
    """

    in_use: int
    peak: int
    kept: int
    blocks: int
    from_system: int


class Allocator:
    """The allocator's interface to Python."""

    __slots__ = ("block_type", "state", "take", "trim")

    def __init__(self) -> None:
        library = runtime()
        self.block_type = make_type(
            "olympus_cpu.native.memory.Block", (Block.__doc__ or "").split("\n")[0], 3,
            (("address", 0, "Its first byte; a multiple of 64."), ("size", 1, "Bytes that were asked for.")),
            library["block_dealloc"], library["block_getbuffer"],
        )
        self.state = (ctypes.c_int64 * 8).from_address(library["memory_state"])
        memory = _system_memory()
        kept = min(memory // KEPT_SHARE, KEPT_MOST)
        self.state[4], self.state[5] = kept, min(kept // 4, KEPT_SMALL_MOST)
        keep_for_ever(self.block_type, _fail)
        ctypes.c_void_p.from_address(library["block_type"]).value = id(self.block_type)
        ctypes.c_void_p.from_address(library["array_type"]).value = id(np.ndarray)
        ctypes.c_void_p.from_address(library["block_failure"]).value = id(_fail)
        self.take: Callable[[int], Block] = PythonFunctionBuilder("take", library["block_take"], ONE_ARGUMENT)(None)
        self.trim = function("memory_trim")


_lock = threading.Lock()
_allocator: Allocator | None = None


def allocator() -> Allocator:
    """The allocator of this process, made at the first call."""
    global _allocator
    if _allocator is None:
        with _lock:
            if _allocator is None:
                _allocator = Allocator()
    return _allocator


def take(size: int) -> Block:
    """An uninitialised block; hot code calls `allocator().take` directly.

    Args:
        size: Its bytes.

    Raises:
        OutOfMemoryError: The system has no more memory.
    """
    return allocator().take(size)


def block_array(block: Block, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    """A NumPy array over a block, which lives as long as the array does."""
    return np.ndarray(shape, dtype, block)  # type: ignore[arg-type]  # its code in C offers its memory


def limit_kept(size: int) -> None:
    """Sets how many bytes of freed memory are kept, and returns what is kept now to the system."""
    trim()
    state = allocator().state
    state[4], state[5] = size, min(size // 4, KEPT_SMALL_MOST)


def trim() -> None:
    """Returns all kept memory to the system, and what the C library keeps if it can."""
    if _allocator is not None:
        _allocator.trim()
    with suppress(AttributeError):  # only glibc has it
        ctypes.pythonapi.malloc_trim(0)


def figures() -> MemoryFigures:
    """The current statistics."""
    if _allocator is None:
        return MemoryFigures(0, 0, 0, 0, 0)
    in_use, peak, large, small, _, _, blocks, asked = _allocator.state
    return MemoryFigures(in_use, peak, large + small, blocks, asked)


def _fail(size: int) -> Any:
    raise OutOfMemoryError(size, figures().in_use, _free_memory())


def _system_memory() -> int:
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def _free_memory() -> int | None:
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError):  # a name that this system does not have
        return None
