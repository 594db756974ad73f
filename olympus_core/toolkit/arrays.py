# SPDX-License-Identifier: Apache-2.0
"""A buffer over any array that lives in this process, and what may be done with such when they are donated."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any

import numpy as np

from olympus_core.errors import DeletedError
from olympus_core.plugin import Device


class ArrayBuffer:
    """A buffer whose content is a Python array object: NumPy's or that of any array-API namespace.

    It is ready from the start. Subclasses replace `to_host` where NumPy cannot read the array by itself.

    Args:
        array: The content; nobody writes to it any more.
        device: Where it counts as living.
    """

    __slots__ = ("array", "device")

    def __init__(self, array: Any, device: Device) -> None:
        self.array = array
        self.device = device

    @property
    def shape(self) -> tuple[int, ...]:
        """Sizes of the dimensions."""
        return tuple(self.array.shape)

    @property
    def dtype(self) -> np.dtype:
        """Type of the elements."""
        return self.to_host().dtype

    def to_host(self) -> np.ndarray:
        """The content as a NumPy array that must not be written to."""
        host = np.asarray(self.array)
        if host.flags.writeable:
            host = host.view()
            host.flags.writeable = False
        return host

    def copy_to(self, device: Device) -> ArrayBuffer:
        """The same content on another device: arrays never change, so they can be shared."""
        return type(self)(self.array, device)

    def is_ready(self) -> bool:
        """Always: the functions of a table return when they are done."""
        return True

    def block_until_ready(self) -> None:
        """Nothing to wait for."""

    def delete(self) -> None:
        """Lets go of the array, which goes when nobody reads it any more."""
        with suppress(AttributeError):  # deleted already
            del self.array

    def __getattr__(self, name: str) -> Any:
        """Called for what is not there: the array, when it was deleted."""
        if name == "array":
            raise DeletedError(f"on {self.device}", "its buffer was deleted")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __repr__(self) -> str:
        try:
            held = repr(self.array)
        except DeletedError:
            held = "deleted"
        return f"{type(self).__name__}({held}, {self.device})"


def own_arrays(inputs: Sequence[Sequence[Any]], donated: Sequence[int]) -> list[list[np.ndarray]]:
    """The NumPy arrays of an execution's inputs, donated ones as memory that the execution may write over.

    Donated buffers are deleted. Where somebody else holds their memory (another input, what `to_host` gave, an
    execution in another thread) the execution gets a copy.

    Args:
        inputs: For each input one buffer for each device, such as `ArrayBuffer`.
        donated: Indices of those that are given away.

    Returns:
        The arrays, in the same order.

    Example:
        >>> buffer = ArrayBuffer(np.ones(2), device=None)
        >>> seen = buffer.to_host()
        >>> ((mine,),) = own_arrays([[buffer]], donated=[0])
        >>> mine[:] = 5
        >>> seen.tolist()
        [1.0, 1.0]
    """
    columns = [[buffer.array for buffer in column] for column in inputs]
    for i in donated:
        for index, buffer in enumerate(inputs[i]):
            buffer.delete()  # from now on nobody comes by it
            array = columns[i][index]
            if array.base is not None or sys.getrefcount(array) > _listed():
                columns[i][index] = np.array(array)
    return columns


@lru_cache(maxsize=1)
def _listed() -> int:
    """How many references an array has that stands in a list, and under a name."""
    columns = [[np.empty(0)]]
    for index, _ in enumerate(["buffer"]):
        array = columns[0][index]
        return sys.getrefcount(array)
    return 0
