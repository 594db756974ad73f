"""Memory of arrays: blocks that begin at a cache line and are used again."""

from __future__ import annotations

import ctypes
import os
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple, Protocol

import numpy as np

from olympus_core.errors.platform import OutOfMemoryError

from .python_api import ONE_ARGUMENT, PythonFunctionBuilder, make_type
from .runtime import function, runtime

# What is kept for later use. A program's arrays come in the same sizes again and again, and fresh pages cost about
# 0.1 ms for each MiB; what is beyond an eighth of the machine is missed by others more than by us.
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
    """What the allocator holds, in bytes.

    Args:
        in_use: In blocks that somebody refers to.
        peak: The most that was ever in use.
        kept: In blocks that wait for their next use.
        blocks: Number of blocks in use.
        from_system: How often the system was asked for a block.
    """

    in_use: int
    peak: int
    kept: int
    blocks: int
    from_system: int


class Allocator:
    """The allocator, as Python sees it."""

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
    """A block without content; who takes many holds on to `allocator().take`, which is this without a detour.

    Args:
        size: Its bytes.

    Raises:
        OutOfMemoryError: The system gives no more.
    """
    return allocator().take(size)


def block_array(block: Block, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    """A NumPy array over a block, which lives as long as the array does."""
    return np.ndarray(shape, dtype, block)  # type: ignore[arg-type]  # its code in C offers its memory


def limit_kept(size: int) -> None:
    """Sets how many bytes are kept for later use; what is kept now is given back."""
    trim()
    state = allocator().state
    state[4], state[5] = size, min(size // 4, KEPT_SMALL_MOST)


def trim() -> None:
    """Gives all kept memory back to the system, and what the C library keeps where it can."""
    if _allocator is not None:
        _allocator.trim()
    with suppress(AttributeError):  # only GNU's has it
        ctypes.pythonapi.malloc_trim(0)


def figures() -> MemoryFigures:
    """What the allocator holds now."""
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
