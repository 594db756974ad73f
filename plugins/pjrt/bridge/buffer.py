# SPDX-License-Identifier: Apache-2.0
"""Buffers: arrays in a device's memory."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

import ml_dtypes
import numpy as np

from ..errors import PjrtArgumentError, PjrtClosedError
from .client_handle import ClientHandle
from .events import Event
from .structs import TILED_BYTES
from .values import integers_at

# NumPy's types by their number in the C API.
_NAMES = (
    "", "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32",
    "float64", "bfloat16", "complex64", "complex128", "float8_e5m2", "float8_e4m3fn",
)
NUMBERS: dict[np.dtype, int] = {
    np.dtype(getattr(ml_dtypes, name, None) or name): number for number, name in enumerate(_NAMES) if name
}
DTYPES = {number: dtype for dtype, number in NUMBERS.items()}

# PJRT_HostBufferSemantics: the host's memory must not change during the call, or until the transfer is done.
DURING_CALL, UNTIL_DONE = 0, 1


def number_of(dtype: np.dtype) -> int:
    """The C API's number of an element type."""
    number = NUMBERS.get(dtype)
    if number is None:
        raise PjrtArgumentError("Buffer_Type", 3, f"the C API has no element type {dtype.name}")
    return number


class DeviceBuffer:
    """A buffer of a library, destroyed with this object or by `delete`.

    Args:
        owner: Keeps the client alive.
        pointer: The buffer.
    """

    __slots__ = ("__weakref__", "_owner", "is_shared", "pointer")

    def __init__(self, owner: ClientHandle, pointer: int | None) -> None:
        self._owner, self.pointer = owner, pointer
        owner.adopt(self)
        self.is_shared = False  # shared by several buffers: must not be donated

    def _valid(self) -> int:
        if self.pointer is None:
            raise PjrtClosedError("buffer")
        return self.pointer

    @property
    def shape(self) -> tuple[int, ...]:
        """Sizes of the dimensions."""
        struct = self._owner.library.call("Buffer_Dimensions", buffer=self._valid())
        return integers_at(struct.dims, struct.num_dims)

    @property
    def dtype(self) -> np.dtype:
        """Type of the elements."""
        return DTYPES[self._owner.library.call("Buffer_ElementType", buffer=self._valid()).type]

    @property
    def device_bytes(self) -> int:
        """Its size in the device's memory."""
        struct = self._owner.library.call("Buffer_OnDeviceSizeInBytes", buffer=self._valid())
        return int(struct.on_device_size_in_bytes)

    @property
    def device_pointer(self) -> int:
        """The library's device that holds it."""
        return int(self._owner.library.call("Buffer_Device", buffer=self._valid()).device)

    @property
    def minor_to_major(self) -> tuple[int, ...]:
        """The order of its dimensions in the device's memory, the fastest first."""
        struct = self._owner.library.call("Buffer_GetMemoryLayout", buffer=self._valid())
        if struct.layout_type:  # byte strides, in the first field
            strides = integers_at(struct.minor_to_major, struct.minor_to_major_size)
            return tuple(sorted(range(len(strides)), key=lambda d: (abs(strides[d]), -d)))
        return integers_at(struct.minor_to_major, struct.minor_to_major_size)

    def ready_event(self) -> Event:
        """The event of its definition: its content is computed."""
        library = self._owner.library
        return Event(library, library.ask("Buffer_ReadyEvent", self._valid())[3])

    def is_ready(self) -> bool:
        """Whether the content is computed, or has failed; never waits."""
        event = self.ready_event()
        try:
            return event.is_ready()
        finally:
            event.close()

    def block_until_ready(self) -> None:
        """Waits for the content; raises the error of its computation."""
        library = self._owner.library
        library.block_until_ready(library.ask("Buffer_ReadyEvent", self._valid())[3])

    def to_host(self, shape: tuple[int, ...] | None = None, dtype: np.dtype | None = None) -> np.ndarray:
        """The content as a row-major array of the host; waits for it.

        Args:
            shape: Its shape, where known already.
            dtype: Its element type, where known already.

        Raises:
            PjrtError: The computation of the content failed.
        """
        array = np.empty(self.shape if shape is None else shape, self.dtype if dtype is None else dtype)
        self._read(array, range(array.ndim - 1, -1, -1))
        return array

    def raw(self, minor_to_major: Sequence[int]) -> bytes:
        """The elements in another order of dimensions, the fastest first; some libraries ignore it."""
        array = np.empty(self.shape, self.dtype)
        self._read(array, minor_to_major)
        return array.tobytes()

    def _read(self, array: np.ndarray, minor_to_major: Sequence[int]) -> None:
        library, rank = self._owner.library, array.ndim
        # Without a layout the device's own is used, which need not be row-major.
        layout = library.new(
            "Buffer_MemoryLayout", tiled_size=TILED_BYTES,
            minor_to_major=(ctypes.c_int64 * max(rank, 1))(*minor_to_major), minor_to_major_size=rank,
        )
        struct = library.call(
            "Buffer_ToHostBuffer", src=self._valid(), host_layout=layout, dst=array.ctypes.data, dst_size=array.nbytes
        )
        library.block_until_ready(struct.event)

    def copy_to(self, device: int) -> DeviceBuffer:
        """A copy on another device, ready or not.

        Args:
            device: The client's device.
        """
        library = self._owner.library
        struct = library.call("Buffer_CopyToDevice", buffer=self._valid(), dst_device=device)
        copy = DeviceBuffer(self._owner, struct.dst_buffer)
        self._owner.under_way([library.ask("Buffer_ReadyEvent", struct.dst_buffer)[3]])
        return copy

    def delete(self) -> None:
        """Frees the memory, once the executions in flight that use it are done."""
        pointer, self.pointer = self.pointer, None
        if pointer is not None:
            self._owner.release(self, "Buffer_Destroy", pointer)

    def __del__(self) -> None:
        self.delete()


def put(owner: ClientHandle, client: int, value: np.ndarray, device: int) -> tuple[DeviceBuffer, Event]:
    """Starts the transfer of a host array to a device.

    Returns:
        The buffer, and the event after which the array may be changed.
    """
    library = owner.library
    rank = value.ndim
    fields: dict[str, Any] = {}
    if not value.flags.c_contiguous:
        fields.update(byte_strides=(ctypes.c_int64 * rank)(*value.strides), num_byte_strides=rank)
    struct = library.call(
        "Client_BufferFromHostBuffer", client=client, data=value.ctypes.data, type=number_of(value.dtype),
        dims=(ctypes.c_int64 * max(rank, 1))(*value.shape), num_dims=rank, host_buffer_semantics=UNTIL_DONE,
        device=device, **fields,
    )
    return DeviceBuffer(owner, struct.buffer), Event(library, struct.done_with_host_buffer)
