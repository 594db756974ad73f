# SPDX-License-Identifier: Apache-2.0
"""Buffers of the CUDA platform, and the arrays of its operation table."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from olympus_core import toolkit
from olympus_core.errors import DeletedError, OlympusInternalError
from olympus_core.plugin import Device
from olympus_core.program import ArrayType

from . import dlpack
from .memory import Allocation, Completion, StreamContext
from .transfer import AnyAllocation, HostAllocation, downloaded

_new: Any = object.__new__


class DeviceArray(toolkit.DeviceArray):
    """A value as the functions of the operation table take and return it.

    Its memory is an `Allocation` or a `HostAllocation`.
    """

    __slots__ = ()

    @classmethod
    def of_host(cls, array: np.ndarray) -> DeviceArray:
        """A value in the host's memory, copied to each device that uses it."""
        array = np.asarray(array)
        if not array.flags.c_contiguous:
            array = array.copy("C")
        return cls(HostAllocation(array), ArrayType(array.shape, array.dtype))

    def to_host(self) -> np.ndarray:
        """The content as a host array; waits for it."""
        return downloaded(self.allocation, self.type.shape, self.type.dtype)

    def __getitem__(self, index: tuple[Any, ...]) -> DeviceArray:
        """A copy of the part at an index of the first dimension: kernels rely on the alignment of allocations."""
        i, rest = index
        if rest is not ... or not isinstance(i, int):
            raise OlympusInternalError(f"an array of the device was indexed by {index!r}")
        part = ArrayType(self.type.shape[1:], self.type.dtype)
        allocation = self.allocation
        if type(allocation) is HostAllocation:
            return DeviceArray.of_host(allocation.array.reshape(self.type.shape)[i, ...].copy())
        context: StreamContext = allocation.context
        target = context.allocate(part.nbytes)
        copy_part(context, target.ptr, allocation.ptr + i * part.nbytes, part.nbytes)
        return DeviceArray(target, part)

    def seen_as(self, type: ArrayType) -> DeviceArray:
        """The same memory as another type."""
        allocation = self.allocation
        if not isinstance(allocation, HostAllocation):
            return DeviceArray(allocation, type)
        flat = allocation.array.reshape(-1)
        seen = flat if flat.dtype == type.dtype else flat.view(type.dtype)
        return DeviceArray(HostAllocation(seen.reshape(type.shape)), type)


class Stack:
    """An array that is filled part by part along its first dimension.

    Args:
        type: The type of the whole array.
    """

    __slots__ = ("_allocation", "_host", "_type")

    def __init__(self, type: ArrayType) -> None:
        self._type = type
        self._allocation: Allocation | None = None
        self._host: np.ndarray | None = None

    def put(self, i: int, part: DeviceArray) -> None:
        """Copies a part to its index; the array is allocated where the first part is."""
        allocation = part.allocation
        if self._allocation is None and self._host is None:
            if type(allocation) is HostAllocation:
                self._host = np.empty(self._type.shape, self._type.dtype)
            else:
                self._allocation = allocation.context.allocate(self._type.nbytes)
        if self._host is not None and type(allocation) is not HostAllocation:  # only the parts so far were on the host
            context = allocation.context
            self._allocation = HostAllocation(self._host).allocation_on(context).copied_to(context)
            self._host = None
        if self._host is not None:
            self._host[i, ...] = allocation.array.reshape(part.type.shape)
        elif self._allocation is not None:
            context, size = self._allocation.context, part.type.nbytes
            source = allocation.on(context)
            copy_part(context, self._allocation.ptr + i * size, source, size)

    def array(self) -> DeviceArray:
        """The array, when all parts are there."""
        if self._allocation is not None:
            return DeviceArray(self._allocation, self._type)
        empty = np.empty(self._type.shape, self._type.dtype)
        return DeviceArray.of_host(self._host if self._host is not None else empty)


def copy_part(context: StreamContext, target: int, source: int, nbytes: int) -> None:
    """Enqueues a copy within a GPU in one of its streams."""
    if not nbytes:
        return
    with context.gpu.using(context.ordinal), context.lock:
        context.gpu.copy(target, source, nbytes, context.stream)
        context.ticks += 1


class CudaBuffer:
    """A value on a device, made by `of_allocation`; when deleted it becomes a `GoneBuffer`."""

    __slots__ = ("_ready", "allocation", "device", "context", "type")
    allocation: Any
    device: Device
    context: StreamContext
    type: ArrayType
    _ready: Completion | None
    is_spoiled = False  # donated to an execution that overwrote it and then failed

    @classmethod
    def of_allocation(
        cls, allocation: AnyAllocation, type: ArrayType, device: Device, context: StreamContext
    ) -> CudaBuffer:
        """A buffer of memory whose content has been enqueued.

        Args:
            allocation: The memory; copied if it is on another GPU or on the host.
            type: Shape and element type.
            device: The device.
            context: The device's stream.
        """
        mine = allocation.context
        if mine is not context and (mine is None or mine.ordinal != context.ordinal):
            allocation = allocation.copied_to(context) if mine is not None else own_allocation(allocation, context)
        self: CudaBuffer = _new(cls)
        self.allocation, self.type, self.device, self.context = allocation, type, device, context
        self._ready = allocation.context.mark()
        return self

    @property
    def array(self) -> DeviceArray:
        """The content as the operation table takes it."""
        return DeviceArray(self.allocation, self.type)

    @property
    def shape(self) -> tuple[int, ...]:
        """Sizes of the dimensions."""
        return self.type.shape

    @property
    def dtype(self) -> np.dtype:
        """Type of the elements."""
        return self.type.dtype

    def to_host(self) -> np.ndarray:
        """The content as a read-only NumPy array; waits for it."""
        type_, ready = self.type, self._ready
        array = downloaded(self.allocation, type_.shape, type_.dtype, ready)
        array.flags.writeable = False
        return array

    def copy_to(self, device: Device) -> CudaBuffer:
        """A copy on another device; on its own device the same memory, which is never written to."""
        if device is self.device:
            same: CudaBuffer = _new(CudaBuffer)
            same.allocation, same.type, same.device, same.context, same._ready = (
                self.allocation, self.type, device, self.context, self._ready)
            return same
        context = context_of(device, self.context)
        with context.gpu.translated(context.ordinal):
            return CudaBuffer.of_allocation(self.allocation.copied_to(context), self.type, device, context)

    def is_ready(self) -> bool:
        """Whether the content has been computed."""
        ready = self._ready
        return ready is None or ready.is_done()

    def block_until_ready(self) -> None:
        """Waits for the content; raises the GPU's error if it could not be computed."""
        ready = self._ready
        if ready is not None:
            ready.until_done()

    def give(self) -> None:
        """Keeps the memory for the execution that it was donated to; reading it here raises an error from now on."""
        self.__class__ = GoneBuffer

    def recover(self, writes: int) -> None:
        """After a failed execution that it was donated to: makes it readable again unless it was overwritten."""
        if _allocation.__get__(self).writes == writes:
            self.__class__ = CudaBuffer

    def delete(self) -> None:
        """Frees the memory, which is reused in the order of the device's stream."""
        self.allocation = self._ready = None
        self.__class__ = GoneBuffer

    def __dlpack__(
        self, *, stream: int | None = None, max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None, copy: bool | None = None,
    ) -> Any:
        """A DLPack capsule; the consumer's stream waits for the content."""
        if dl_device is not None and tuple(map(int, dl_device)) == (dlpack.HOST, 0):
            host: np.ndarray = self.to_host()
            return host.copy().__dlpack__()
        if dl_device is not None and tuple(map(int, dl_device)) != self.__dlpack_device__():
            raise BufferError(f"the buffer is on DLPack's device {self.__dlpack_device__()}, not {dl_device}")
        # A consumer of an older version knows nothing of read-only memory and might write to it.
        versioned = max_version is not None and max_version >= (1, 0)
        allocation = self.allocation.copied_to(self.context) if copy or not versioned else self.allocation
        context, reader = allocation.context, dlpack.stream_to_order(stream)
        event = context.mark().event if reader is not None else None
        if reader is not None and event is not None:
            context.gpu.wait_in(reader, event, context.ordinal)
        ended = partial(context.wait_for_stream, reader) if reader is not None else None
        return dlpack.capsule(
            allocation, allocation.ptr, context.ordinal, self.type, versioned, bool(copy) or not versioned, ended)

    def __dlpack_device__(self) -> tuple[int, int]:
        """The device as DLPack numbers it."""
        return (dlpack.CUDA, self.context.ordinal)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        """The CUDA array interface: read-only memory, and the stream in whose order it may be read."""
        type_ = self.type
        if type_.dtype.kind not in "biufc":
            raise AttributeError(f"arrays of {type_.dtype.name} have no __cuda_array_interface__")
        address = self.allocation.ptr if type_.size else 0
        return {"shape": type_.shape, "typestr": type_.dtype.str, "data": (address, True),
                "version": 3, "strides": None, "stream": self.allocation.context.stream.ptr}

    def __repr__(self) -> str:
        return f"CudaBuffer({self.type!r}, {self.device})"


_allocation: Any = CudaBuffer.__dict__["allocation"]  # the slot itself, which a subclass's property hides


class GoneBuffer(CudaBuffer):
    """A buffer that was deleted or donated: reading it raises DeletedError."""

    __slots__ = ()
    is_spoiled = True

    def _refuse(self) -> Any:
        raise DeletedError(f"{self.type} on {self.device}", "its buffer was deleted or donated")

    allocation = property(_refuse)

    def block_until_ready(self) -> None:
        """Raises DeletedError."""
        self._refuse()

    def give(self) -> None:
        """Does nothing: a buffer that is donated twice at once is held by two executions, which both see that."""

    def delete(self) -> None:
        """Frees the memory where it was kept for an execution."""
        self._ready = None
        _allocation.__set__(self, None)

    def __repr__(self) -> str:
        return f"CudaBuffer({self.type!r}, deleted, {self.device})"


def own_allocation(allocation: AnyAllocation, context: StreamContext) -> Allocation:
    """An allocation of a stream with the content of a `HostAllocation`."""
    found: Allocation = allocation.allocation_on(context)
    return found if found.context is context else found.copied_to(context)


def context_of(device: Device, beside: StreamContext) -> StreamContext:
    """The stream of a device of the client that another stream belongs to."""
    return beside.siblings[device.local_index]


def address_on(allocation: AnyAllocation, context: StreamContext) -> int:
    """The address of an allocation for a stream's next work."""
    address: int = allocation.ptr if allocation.context is context else allocation.on(context)
    return address
