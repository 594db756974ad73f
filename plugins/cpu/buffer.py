# SPDX-License-Identifier: Apache-2.0
"""Buffers of the CPU platform: immutable memory of this process."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from olympus_core.errors import DeletedError
from olympus_core.plugin import Device, PromisedMemory
from olympus_core.program import ArrayType

ALIGNMENT = 64  # a cache line, and what exchanges by DLPack ask for
_lock: Any = np.ndarray.setflags  # much faster than `array.flags.writeable = False`
_new: Any = object.__new__
_SMALL = 1024  # bytes below which NumPy's own alignment suffices


class CpuBuffer:
    """An array's memory on a CPU device.

    It is a NumPy array, or a block that generated code allocated, whose array is made at its first use. Generated code
    takes the `allocation`: the block, or the array. A reference to the allocation keeps the memory alive, so that a
    reader is not affected by a `delete` in another thread; a deleted buffer becomes a `GoneBuffer`, which has none.

    Args:
        array: The content, row-major and immutable.
        device: The device that it belongs to.
    """

    __slots__ = ("_array", "_type", "allocation", "device")
    allocation: Any
    device: Device

    def __init__(self, array: np.ndarray, device: Device) -> None:
        self._array: np.ndarray | None = array
        self._type: ArrayType | None = None
        self.allocation = allocation_of(array)
        self.device = device

    @classmethod
    def of_block(cls, block: Any, type: ArrayType, device: Device) -> CpuBuffer:
        """A buffer of a block of memory that generated code has filled."""
        self: CpuBuffer = _new(cls)
        self._array = None
        self._type = type
        self.allocation = block
        self.device = device
        return self

    @property
    def array(self) -> np.ndarray:
        """The content; it must not be written to."""
        array = self._array
        if array is None:
            array = self._array = array_of(self.allocation, self._type)
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
        """The content as a read-only array; the flag is set here because most arrays are never passed out."""
        array = self.array
        _lock(array, False)
        return array

    def copy_to(self, device: Device) -> CpuBuffer:
        """The same memory on another device: it never changes, so it can be shared."""
        copy: CpuBuffer = _new(CpuBuffer)
        copy._array, copy._type, copy.allocation, copy.device = self._array, self._type, self.allocation, device
        return copy

    def is_ready(self) -> bool:
        """Always true: unfinished results are pending buffers."""
        return True

    def block_until_ready(self) -> None:
        """Returns at once."""

    def moved(self) -> CpuBuffer:
        """A new buffer of the same memory, for the execution that this one is donated to; this one is deleted."""
        moved = self.copy_to(self.device)
        self.delete()
        return moved

    def give(self) -> None:
        """Donates the memory to an execution; this buffer can no longer be read."""
        self._array = None
        self.__class__ = GoneBuffer

    def delete(self) -> None:
        """Releases the memory, which is freed when its last reader ends."""
        _held = self._array, self.allocation  # destructors find a deleted buffer
        self.__class__ = GoneBuffer  # first: another thread must not find a live buffer without memory
        self._array = None
        _allocation.__set__(self, None)

    def __dlpack__(self, *, max_version: tuple[int, int] | None = None, **options: Any) -> Any:
        """A DLPack capsule: of the memory itself for consumers that support read-only memory, else of a copy."""
        array = self.to_host()
        if max_version is not None and max_version >= (1, 0) and _EXPORTS_READ_ONLY:
            return array.__dlpack__(max_version=max_version, **options)
        if options.pop("copy", None) is False:
            raise BufferError("Read-only memory is shared by DLPack 1.0 alone, which the consumer or NumPy has not: "
                              "allow a copy, or ask for max_version=(1, 0) with NumPy 2.1 or newer.")
        if options.pop("dl_device", None) not in (None, array.__dlpack_device__()):
            raise BufferError("The array is in the host's memory: move it with device_put, or ask for the host's.")
        return aligned_copy(array).__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        """The kind of memory: the host's."""
        return self.to_host().__dlpack_device__()

    def __repr__(self) -> str:
        return f"CpuBuffer({self.array!r}, {self.device})"


_EXPORTS_READ_ONLY = np.lib.NumpyVersion(np.__version__) >= "2.1.0"
_allocation: Any = CpuBuffer.__dict__["allocation"]  # the slot's descriptor, which `GoneBuffer` overrides


class GoneBuffer(CpuBuffer):
    """A deleted or donated buffer: reading it raises DeletedError."""

    __slots__ = ()

    def _refuse(self) -> Any:
        raise DeletedError(f"on {self.device}", "its buffer was deleted or donated")

    allocation = property(_refuse)
    array = property(_refuse)
    shape = property(_refuse)
    dtype = property(_refuse)

    def copy_to(self, device: Device) -> CpuBuffer:
        """Raises DeletedError."""
        buffer: CpuBuffer = self._refuse()
        return buffer

    def is_ready(self) -> bool:
        """Always true."""
        return True

    def block_until_ready(self) -> None:
        """Raises DeletedError."""
        self._refuse()

    def give(self) -> None:
        """Nothing to do: an earlier reader that donates it too is counted as a holder."""

    def delete(self) -> None:
        """Releases the memory, where it was kept for an execution."""
        _allocation.__set__(self, None)

    def __repr__(self) -> str:
        return f"CpuBuffer(deleted, {self.device})"


def allocation_of(array: np.ndarray) -> Any:
    """The allocation of a row-major array: the block that it covers, or the array itself."""
    base = array.base
    if base is not None and type(base).__name__ == "Block" and base.size == array.nbytes:
        return base
    return array if type(array) is np.ndarray else np.asarray(array)  # generated code does not accept subclasses


def array_of(allocation: Any, type_: Any) -> np.ndarray:
    """An allocation's memory as a NumPy array of a type."""
    if type(allocation) is not np.ndarray:
        return np.ndarray(type_.shape, type_.dtype, allocation)
    typed = allocation if allocation.dtype == type_.dtype else allocation.reshape(-1).view(type_.dtype)
    return typed.reshape(type_.shape)


def can_share(value: np.ndarray) -> bool:
    """Whether a buffer may share a host array's memory: row-major, aligned, and read-only.

    An array that owns its memory could be made writable again; marking it, or a view of it, read-only is a promise not
    to.
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
    # A read-only view of other memory does not guarantee that nobody writes to it.
    return array is None or isinstance(array, bytes | PromisedMemory)


def aligned_copy(value: np.ndarray) -> np.ndarray:
    """A row-major copy aligned to a cache line."""
    value = np.asarray(value)
    if value.nbytes < _SMALL:
        return np.array(value, order="C")
    copy = aligned_empty(value.shape, value.dtype)
    copy[...] = value
    return copy


def aligned_empty(shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    """An uninitialised array aligned to a cache line."""
    raw = np.empty(math.prod(shape) * dtype.itemsize + ALIGNMENT, np.uint8)
    return np.ndarray(shape, dtype, raw, -raw.__array_interface__["data"][0] % ALIGNMENT)
