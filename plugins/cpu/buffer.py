"""Buffers of the CPU platform: memory of this process that nobody writes to any more."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from olympus_core.errors import OlympusInternalError
from olympus_core.plugin import Device
from olympus_core.program import ArrayType

ALIGNMENT = 64  # a cache line, and what exchanges by DLPack ask for
_lock: Any = np.ndarray.setflags  # costs a fraction of `array.flags.writeable = False`
_new: Any = object.__new__
_SMALL = 1024  # below, NumPy's own alignment does


class CpuBuffer:
    """An array's memory on a CPU device.

    It is a NumPy array, or a block that generated code made; of a block the array is made when it is asked for.
    Generated code takes the `cell`: the block, or the address of the array's first element.

    Args:
        array: The content, row-major; nobody writes to it any more.
        device: Where it counts as living.
    """

    __slots__ = ("_array", "_type", "cell", "device")
    cell: Any
    device: Device

    def __init__(self, array: np.ndarray, device: Device) -> None:
        self._array: np.ndarray | None = array
        self._type: ArrayType | None = None
        self.cell = cell_of(array)
        self.device = device

    @classmethod
    def of_block(cls, block: Any, type: ArrayType, device: Device) -> CpuBuffer:
        """A buffer of a block of memory that generated code has filled."""
        self: CpuBuffer = _new(cls)
        self._array = None
        self._type = type
        self.cell = block
        self.device = device
        return self

    @property
    def array(self) -> np.ndarray:
        """The content; it must not be written to."""
        array = self._array
        if array is None:
            if self._type is None:
                raise OlympusInternalError("a deleted buffer was read")
            array = self._array = np.ndarray(self._type.shape, self._type.dtype, self.cell)
        return array

    @property
    def shape(self) -> tuple[int, ...]:
        """Sizes of the dimensions."""
        return self._type.shape if self._type is not None else self.array.shape

    @property
    def dtype(self) -> np.dtype:
        """Type of the elements."""
        dtype: np.dtype = self._type.dtype if self._type is not None else self.array.dtype
        return dtype

    def to_host(self) -> np.ndarray:
        """The content, locked: arrays are locked when they are handed out, most never are."""
        array = self.array
        _lock(array, False)
        return array

    def copy_to(self, device: Device) -> CpuBuffer:
        """The same memory on another device: it never changes, so it can be shared."""
        copy: CpuBuffer = _new(CpuBuffer)
        copy._array, copy._type, copy.cell, copy.device = self._array, self._type, self.cell, device
        return copy

    def is_ready(self) -> bool:
        """Always: what is still to come is a pending buffer."""
        return True

    def block_until_ready(self) -> None:
        """Nothing to wait for."""

    def delete(self) -> None:
        """Lets go of the memory."""
        self._array = self._type = self.cell = None

    def __dlpack__(self, *, max_version: tuple[int, int] | None = None, **options: Any) -> Any:
        """A DLPack capsule: the memory itself for consumers that know read-only memory, else a copy."""
        array = self.to_host()
        if max_version is not None and max_version >= (1, 0):
            return array.__dlpack__(max_version=max_version, **options)
        options.pop("copy", None)
        return aligned_copy(array).__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        """The kind of memory: the host's."""
        return self.to_host().__dlpack_device__()

    def __repr__(self) -> str:
        return f"CpuBuffer({self.array!r}, {self.device})"


def cell_of(array: np.ndarray) -> Any:
    """What generated code takes for a row-major array: the block that it is the whole of, or its address."""
    base = array.base
    if base is not None and type(base).__name__ == "Block" and base.size == array.nbytes:
        return base
    return array.__array_interface__["data"][0]


def can_share(value: np.ndarray) -> bool:
    """Whether a host array's memory may be a buffer's: row-major, aligned, and read-only for everybody.

    An array that owns its memory could be made writable again; who locks an array, or a view of one, promises not to.
    """
    if not isinstance(value, np.ndarray):
        return False
    flags = value.flags
    if flags.writeable or not flags.c_contiguous or not flags.aligned:
        return False
    array: Any = value.base
    while True:
        if isinstance(array, np.ndarray) and not array.flags.writeable:
            array = array.base
        elif isinstance(array, memoryview) and array.readonly:
            array = array.obj
        else:
            break
    return array is None or isinstance(array, bytes)  # of other memory a locked view does not say who writes there


def aligned_copy(value: np.ndarray) -> np.ndarray:
    """A copy in row-major order whose memory begins at a cache line."""
    value = np.asarray(value)
    if value.nbytes < _SMALL:
        return np.array(value, order="C")
    copy = aligned_empty(value.shape, value.dtype)
    copy[...] = value
    return copy


def aligned_empty(shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    """An array without content whose memory begins at a cache line."""
    raw = np.empty(math.prod(shape) * dtype.itemsize + ALIGNMENT, np.uint8)
    return np.ndarray(shape, dtype, raw, -raw.__array_interface__["data"][0] % ALIGNMENT)
