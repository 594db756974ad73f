"""Buffers of the CPU platform: NumPy arrays that nobody writes to."""

from __future__ import annotations

from typing import Any

import numpy as np

from olympus_core.errors import OlympusInternalError
from olympus_core.plugin import Device
from olympus_core.toolkit import ArrayBuffer

ALIGNMENT = 64  # a cache line, and what exchanges by DLPack ask for
_lock: Any = np.ndarray.setflags  # costs a fraction of `array.flags.writeable = False`
_SMALL = 1024  # below, NumPy's own alignment does


class CpuBuffer(ArrayBuffer):
    """A NumPy array on a CPU device.

    Args:
        array: The content; becomes read-only.
        device: Where it counts as living.
    """

    __slots__ = ()

    def __init__(self, array: np.ndarray, device: Device) -> None:
        _lock(array, False)
        self.array = array
        self.device = device

    @property
    def dtype(self) -> np.dtype:
        """Type of the elements."""
        dtype: np.dtype = self.array.dtype
        return dtype

    def to_host(self) -> np.ndarray:
        """The array itself, read-only."""
        array: np.ndarray = self.array
        if array is None:
            raise OlympusInternalError("a deleted buffer was read")
        return array

    def __dlpack__(self, *, max_version: tuple[int, int] | None = None, **options: Any) -> Any:
        """A DLPack capsule: the array itself for consumers that know read-only memory, else a copy."""
        array = self.to_host()
        if max_version is not None and max_version >= (1, 0):
            return array.__dlpack__(max_version=max_version, **options)
        options.pop("copy", None)
        return aligned_copy(array).__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        """The kind of memory: the host's."""
        return self.to_host().__dlpack_device__()


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
    size = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
    raw = np.empty(size + ALIGNMENT, np.uint8)
    start = -raw.ctypes.data % ALIGNMENT
    return raw[start : start + size].view(dtype).reshape(shape)
