"""A buffer over any array that lives in this process."""

from __future__ import annotations

from contextlib import suppress
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
