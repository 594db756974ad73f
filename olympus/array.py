# SPDX-License-Identifier: Apache-2.0
"""The array that users hold: the runtime's, with NumPy's operators."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from olympus_core import runtime
from olympus_core.dtypes import is_bool, is_integer, is_key, name_of
from olympus_core.errors import (
    ArgumentError,
    IndexConversionError,
    IndexOutOfBoundsError,
    IndexTypeError,
    KeyConversionError,
    LengthError,
    NotSupportedError,
    TooManyIndicesError,
    described,
)
from olympus_core.partition import explicit_layout
from olympus_core.placement import NamedSharding, SingleDeviceSharding

from .tracing import ArrayOperators, Aval, shown_dtype

_HOST_MEMORY = 1  # DLPack's number for it


class ArrayMeta(type(runtime.Array)):  # type: ignore[misc]
    """Lets ``isinstance(x, olympus.Array)`` hold for traced values too, as users of such libraries expect."""

    def __instancecheck__(cls, instance: Any) -> bool:
        return type.__instancecheck__(cls, instance) or (cls is Array and isinstance(instance, ArrayOperators))


class Array(ArrayOperators, runtime.Array, metaclass=ArrayMeta):
    """An immutable array on the devices of one or more processes.

    Made by the functions of olympus; see `olympus.device_put` and `olympus.numpy.array`.

    Example:
        >>> import olympus.numpy as jnp
        >>> x = jnp.arange(3.0)
        >>> x + 1
        Array([1., 2., 3.], dtype=float32)
    """

    __slots__ = ()

    @property
    def dtype(self) -> np.dtype:
        """Type of the elements."""
        return shown_dtype(self._signature.type.dtype)

    @property
    def aval(self) -> Aval:
        """What tracing knows of it."""
        signature = self._signature
        layout = None
        if isinstance(signature.sharding, NamedSharding) and signature.sharding.mesh.has_explicit_axes:
            layout = explicit_layout(signature.sharding.layout(len(signature.type.shape)))
        return Aval(signature.type, signature.weak, layout)

    @property
    def format(self) -> Any:
        """The order of its elements in memory, and its sharding: an `olympus.experimental.layout.Format`."""
        from .formats import format_of  # most programs never ask

        return format_of(self.ndim, self.sharding)

    def unsafe_buffer_pointer(self) -> int:
        """The address of its elements in the host's memory. They must not be written, nor read once it is deleted.

        Returns:
            The address.

        Raises:
            ArgumentError: When it does not lie on one device alone.
            NotSupportedError: When that device has a memory of its own.

        Example:
            >>> import ctypes, olympus.numpy as jnp
            >>> x = jnp.arange(3.0)
            >>> list((ctypes.c_float * 3).from_address(x.unsafe_buffer_pointer()))
            [0.0, 1.0, 2.0]
        """
        self._check_alive()
        if len(self._buffers) != 1 or len(self.sharding.devices) != 1:
            raise ArgumentError("unsafe_buffer_pointer", "the array is split or copied over devices",
                                f"{len(self.sharding.devices)} devices", "one",
                                "Ask the data of one of its addressable_shards.")
        if self.__dlpack_device__()[0] != _HOST_MEMORY:
            device = self.sharding.devices[0]
            raise NotSupportedError(f"The address of an array on {device}", "it is not in the host's memory",
                                    "Hand the array over with DLPack.")
        return int(self._share()[0].to_host().ctypes.data)

    def _check_numbers(self, what: str) -> None:
        if self._signature.type.dtype.kind == "V" and is_key(self._signature.type.dtype):
            raise KeyConversionError(what, str(self._signature.type))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        self._check_numbers("a NumPy array")
        return runtime.Array.__array__(self, dtype, copy)

    def _scalar(self) -> Any:
        self._check_numbers("a number")
        return runtime.Array._scalar(self)

    def tolist(self) -> Any:
        """The elements as nested lists of Python numbers."""
        self._check_numbers("lists of numbers")
        return runtime.Array.tolist(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self._fetch(), self.weak_type)

    def item(self, *args: Any) -> Any:
        """An element as a Python number: the only one, or the one at an index, of the array or of the flat array."""
        self._check_numbers("a number")
        if not args:
            if self.size != 1:
                self._fetch()  # says first where parts lie on other processes
            return self._scalar()
        indices = args[0] if len(args) == 1 and isinstance(args[0], tuple) else args
        host = self._fetch()
        host = host.reshape(-1) if len(indices) == 1 else host
        if len(indices) != host.ndim:
            raise TooManyIndicesError(len(indices), host.ndim)
        found = []
        for axis, (index, size) in enumerate(zip(indices, host.shape, strict=True)):
            try:
                found.append(operator.index(index))
            except TypeError:
                raise IndexTypeError(described(index)) from None
            if not -size <= found[-1] < size:
                raise IndexOutOfBoundsError(found[-1], axis, size)
        return host[tuple(found)].item()

    def __len__(self) -> int:
        if not self.shape:
            raise LengthError(str(self._signature.type))
        return self.shape[0]

    def __index__(self) -> int:
        if self.ndim or not (is_bool(self.dtype) or is_integer(self.dtype)):
            raise IndexConversionError(str(self._signature.type))
        return int(self._fetch().item())

    def __str__(self) -> str:
        return repr(self) if is_key(self._signature.type.dtype) and self._buffers else runtime.Array.__str__(self)

    def __repr__(self) -> str:
        own = self._signature.type.dtype
        if not is_key(own) or self.is_deleted() or not self._is_at_hand():
            return runtime.Array.__repr__(self)
        return f"Array({self.shape}, dtype={self.dtype.name}) overlaying:\n{self._fetch()[name_of(own)]}"

    def _repr_html_(self) -> str | None:
        """What notebooks show: of what lies on several devices, who holds what."""
        if self.is_deleted() or not self._buffers:
            return None
        from .displays import array_html  # for notebooks only

        return array_html(repr(self), self.shape, self.sharding)

    __hash__ = None  # type: ignore[assignment]


def _restored(value: np.ndarray, weak: bool) -> Array:
    """An array that was pickled: the value, on the default device of the process that reads it."""
    sharding = SingleDeviceSharding.of(runtime.get_world().default_device())
    return runtime.put_host(Array, value, sharding, False, weak)


def host_content(value: Any) -> np.ndarray:
    """The elements of an array on the host, those of keys included; of other values as NumPy takes them."""
    return value._fetch() if is_concrete(value) else np.asarray(value)


def is_concrete(value: Any) -> bool:
    """Whether the value is an array with content; traced values, which are instances of `Array` too, are not."""
    return isinstance(value, runtime.Array)
