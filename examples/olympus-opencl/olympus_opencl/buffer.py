"""Buffers of the platform, and the arrays of its operation table."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyopencl as cl

from olympus_core import toolkit
from olympus_core.errors import DeletedError
from olympus_core.plugin import Device
from olympus_core.program import ArrayType

from .memory import Lane, Memory

_COMPLETE = cl.command_execution_status.COMPLETE
Allocation = Memory | np.ndarray  # arrays of the host are copied to each device that uses them


class DeviceArray(toolkit.DeviceArray):
    """A value as the functions of the operation table take and give it, in memory of a device or the host."""

    __slots__ = ()

    @classmethod
    def of_host(cls, array: Any) -> DeviceArray:
        """A value in the host's memory."""
        array = np.asarray(array, order="C")
        return cls(array.reshape(-1), ArrayType(array.shape, array.dtype))

    def to_host(self) -> np.ndarray:
        """The content, waited for."""
        allocation, type = self.allocation, self.type
        if isinstance(allocation, Memory):
            return allocation.lane.download(allocation, type.shape, type.dtype)
        return allocation.view(type.dtype).reshape(type.shape)

    def __getitem__(self, index: Any) -> DeviceArray:
        """A copy of the part at an index of the first dimension."""
        i, _ = index
        part, allocation = ArrayType(self.type.shape[1:], self.type.dtype), self.allocation
        if not isinstance(allocation, Memory):
            return DeviceArray.of_host(self.to_host()[i].copy())
        target = allocation.lane.allocate(part.nbytes)
        _copied(target, allocation, part.nbytes, source=i * part.nbytes)
        return DeviceArray(target, part)


class Stack:
    """An array that is filled part by part along its first dimension, where the first part is.

    Args:
        type: The type of the whole array.
    """

    def __init__(self, type: ArrayType) -> None:
        self._type = type
        self._made: Memory | np.ndarray | None = None

    def put(self, i: int, part: DeviceArray) -> None:
        """Copies a part to its index."""
        allocation, nbytes = part.allocation, part.type.nbytes
        if self._made is None:
            self._made = allocation.lane.allocate(self._type.nbytes) if isinstance(allocation, Memory) else np.empty(
                self._type.shape, self._type.dtype)
        made = self._made
        if not isinstance(made, Memory):
            made[i, ...] = part.to_host()
            return
        source = allocation.on(made.lane) if isinstance(allocation, Memory) else made.lane.uploaded(allocation)
        _copied(made, source, nbytes, target=i * nbytes)

    def array(self) -> DeviceArray:
        """The array, when all parts are there."""
        if isinstance(self._made, Memory):
            return DeviceArray(self._made, self._type)
        return DeviceArray.of_host(np.empty(self._type.shape, self._type.dtype) if self._made is None else self._made)


def _copied(to: Memory, of: Memory, nbytes: int, target: int = 0, source: int = 0) -> None:
    if nbytes:
        with to.lane.lock:
            to.event = cl.enqueue_copy(
                to.lane.queue, to.buffer, of.buffer, byte_count=nbytes, src_offset=source, dst_offset=target)
            to.lane.queue.flush()


class OpenClBuffer:
    """A value on a device.

    Args:
        allocation: Its memory; copied where it is not on the device.
        type: Shape and element type.
        device: The device.
        lane: The device's queue.
    """

    __slots__ = ("_event", "_memory", "device", "dtype", "is_spoiled", "lane", "shape", "type")

    def __init__(self, allocation: Allocation, type: ArrayType, device: Device, lane: Lane) -> None:
        memory = allocation.on(lane) if isinstance(allocation, Memory) else lane.uploaded(allocation)
        self._memory: Memory | None = memory
        self._event, self.is_spoiled = memory.event, False  # whether an execution may have written over its memory
        self.type, self.shape, self.dtype, self.device, self.lane = type, type.shape, type.dtype, device, lane

    @property
    def allocation(self) -> Memory:
        """The memory; raises `DeletedError` where the buffer was deleted or given away."""
        if self._memory is None or self.is_spoiled:
            raise DeletedError(f"{self.type} on {self.device}", "its buffer was deleted or donated")
        return self._memory

    @property
    def array(self) -> DeviceArray:
        """The content as the operation table takes it."""
        return DeviceArray(self.allocation, self.type)

    def to_host(self) -> np.ndarray:
        """The content as a NumPy array that must not be written to, waited for."""
        array = self.lane.download(self.allocation, self.type.shape, self.type.dtype, self._event)
        array.flags.writeable = False
        return array

    def copy_to(self, device: Device) -> OpenClBuffer:
        """A copy on another device; on its own the same memory."""
        return OpenClBuffer(self.allocation, self.type, device, self.lane.siblings[device.local_index])

    def is_ready(self) -> bool:
        """Whether the content is there, or will never be."""
        return self._event is None or self._event.command_execution_status <= _COMPLETE

    def block_until_ready(self) -> None:
        """Waits for the content; raises the device's error."""
        event = self.allocation and self._event
        if event is not None:
            self.lane.wait(event)

    def give(self) -> None:
        """Keeps the memory for the execution that it was donated to; nobody can read it here any more."""
        self.is_spoiled = True

    def delete(self) -> None:
        """Frees the memory, which is used again in the order of the device's queue."""
        self._memory = self._event = None
