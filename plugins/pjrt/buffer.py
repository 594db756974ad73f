# SPDX-License-Identifier: Apache-2.0
"""Buffers of the platform: a library's buffers with their shape, element type and device."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from olympus_core.errors import DeletedError
from olympus_core.plugin import Device

from .bridge import DeviceBuffer

PointerOf = Callable[[Device], int]


class PjrtBuffer:
    """An array in a device's memory.

    Args:
        content: The library's buffer.
        shape: Sizes of the dimensions.
        dtype: Type of the elements.
        device: Its device.
        pointer_of: Maps a device of the runtime to the library's.
    """

    __slots__ = ("_pointer_of", "content", "device", "dtype", "shape")

    def __init__(
        self, content: DeviceBuffer, shape: tuple[int, ...], dtype: np.dtype, device: Device, pointer_of: PointerOf
    ) -> None:
        self.content: DeviceBuffer | None = content
        self.shape, self.dtype, self.device, self._pointer_of = shape, dtype, device, pointer_of

    def held(self) -> DeviceBuffer:
        """The library's buffer."""
        content = self.content
        if content is None:
            raise DeletedError(f"{self.dtype.name}{list(self.shape)} on {self.device}", "its buffer was deleted")
        return content

    def to_host(self) -> np.ndarray:
        """A read-only copy in the host's memory; waits for the content."""
        array = self.held().to_host(self.shape, self.dtype)
        array.flags.writeable = False
        return array

    def copy_to(self, device: Device) -> PjrtBuffer:
        """A copy on another device; on its own device the same content, which then cannot be donated."""
        content = self.held()
        if device is self.device:
            content.is_shared = True
        else:
            content = content.copy_to(self._pointer_of(device))
        return PjrtBuffer(content, self.shape, self.dtype, device, self._pointer_of)

    def is_ready(self) -> bool:
        """Whether the content is computed, or has failed."""
        return self.held().is_ready()

    def block_until_ready(self) -> None:
        """Waits for the content; raises the error of the execution that computes it."""
        self.held().block_until_ready()

    def delete(self) -> None:
        """Drops the library's buffer, which is destroyed when no copy and no call in flight uses it."""
        self.content = None

    def __repr__(self) -> str:
        return f"PjrtBuffer({self.dtype.name}{list(self.shape)}, {self.device})"
