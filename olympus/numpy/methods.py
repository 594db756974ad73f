# SPDX-License-Identifier: Apache-2.0
"""The operators and methods of arrays and traced values, filled into their common base."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from olympus_core.errors import ArgumentError, ImmutableError, NotSupportedError, described

from ..operands import element_type
from ..tracing import ArrayOperators, is_array_like
from ..transforms.device_put import device_put
from ..typing import Array, ArrayLike, DeviceLike, DTypeLike, ShardingLike
from . import (
    arithmetic,
    comparison,
    creation,
    elementwise,
    indexing,
    joining,
    linear,
    reductions,
    searching,
    shapes,
    sorting,
    tiling,
)
from .diagonals import diagonal, trace
from .updates import IndexUpdate

if TYPE_CHECKING:
    from .inspection import NamespaceInfo

_NUMBERS = (bool, int, float, complex, np.ndarray, np.generic)


def _is_operand(other: Any) -> bool:
    return isinstance(other, (ArrayOperators, *_NUMBERS)) or is_array_like(other)


def _operator(name: str, function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def method(self: Any, other: ArrayLike) -> Array:
        return function(self, other) if _is_operand(other) else NotImplemented

    method.__name__ = name
    method.__doc__ = f"See `olympus.numpy.{getattr(function, '__name__', name)}`."
    return method


def _comparison(name: str, function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def method(self: Any, other: ArrayLike) -> Array:
        if _is_operand(other):
            return function(self, other)
        if isinstance(other, (list, tuple)):  # else Python compares identities, and says that they differ
            raise ArgumentError(function.__name__, "an array does not compare with a list", described(other),
                                "an array", "Convert the list with olympus.numpy.asarray.")
        return NotImplemented

    method.__name__ = name
    method.__doc__ = f"See `olympus.numpy.{getattr(function, '__name__', name)}`."
    return method


def _reflected(name: str, function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def method(self: Any, other: ArrayLike) -> Array:
        return function(other, self) if _is_operand(other) else NotImplemented

    method.__name__ = name
    method.__doc__ = f"See `olympus.numpy.{getattr(function, '__name__', name)}`."
    return method


_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "add": arithmetic.add, "sub": arithmetic.subtract, "mul": arithmetic.multiply, "truediv": arithmetic.divide,
    "floordiv": arithmetic.floor_divide, "mod": arithmetic.remainder, "divmod": arithmetic.divmod,
    "pow": arithmetic.power, "matmul": linear.matmul, "and": arithmetic.bitwise_and, "or": arithmetic.bitwise_or,
    "xor": arithmetic.bitwise_xor, "lshift": arithmetic.left_shift, "rshift": arithmetic.right_shift,
}
_COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "eq": comparison.equal, "ne": comparison.not_equal, "lt": comparison.less, "le": comparison.less_equal,
    "gt": comparison.greater, "ge": comparison.greater_equal,
}


def _power(self: Any, other: ArrayLike, modulus: Any = None) -> Array:
    if modulus is not None or not _is_operand(other):
        return NotImplemented
    return arithmetic.power(self, other)


def _setitem(self: Any, index: Any, value: Any) -> None:
    raise ImmutableError()


def _iterate(self: Any) -> Iterator[Array]:
    if not self.shape:
        raise ArgumentError("iteration", "an array of no dimensions has no parts", f"shape {self.shape}",
                            "an array with dimensions")
    return iter(joining.unstack(self))


def _contains(self: Any, value: Any) -> bool:
    return bool(reductions.any(comparison.equal(self, value)))


def _sizes(shape: tuple[Any, ...]) -> Any:
    return shape[0] if len(shape) == 1 else shape


def _reshape(
    self: Any, *shape: Any, order: str = "C", copy: bool | None = None, out_sharding: ShardingLike | None = None
) -> Array:
    """The same elements in another shape; see `olympus.numpy.reshape`."""
    return shapes.reshape(self, _sizes(shape), order, out_sharding=out_sharding)


def _transpose(self: Any, *axes: Any) -> Array:
    """The dimensions in another order; see `olympus.numpy.transpose`."""
    if not axes or (len(axes) == 1 and axes[0] is None):
        return shapes.transpose(self)
    several = len(axes) == 1 and hasattr(axes[0], "__iter__") and getattr(axes[0], "ndim", 1) != 0
    return shapes.transpose(self, axes[0] if several else axes)


def _flatten(self: Any, order: str = "C", *, out_sharding: ShardingLike | None = None) -> Array:
    """All elements in one dimension; see `olympus.numpy.ravel`, of which it is a copy."""
    found = shapes.ravel(self, order, out_sharding=out_sharding)
    return creation.array(found) if found is self else found


def _astype(self: Any, dtype: DTypeLike, copy: bool = False, device: DeviceLike | None = None) -> Array:
    """The elements in another type; see `olympus.numpy.astype`."""
    return creation.astype(self, dtype, copy=copy, device=device)


def _view(self: Any, dtype: DTypeLike | None = None, type: None = None) -> Array:
    """The same bits as another element type, of which the last dimension holds as many as bits are there."""
    if type is not None:
        raise NotSupportedError("view(type=...)", "arrays have no subclasses", "Leave type out.")
    if dtype is None:
        return self
    from ..lax.reinterpret import viewed

    return viewed("view", self, element_type("view", dtype))


def _clip(self: Any, min: ArrayLike | None = None, max: ArrayLike | None = None) -> Array:
    """Elements moved into an interval; see `olympus.numpy.clip`."""
    return arithmetic.clip(self, min, max)


def _round(self: Any, decimals: int = 0, out: None = None) -> Array:
    """Elements rounded; see `olympus.numpy.round`."""
    return elementwise.round(self, decimals, out)


def _rounded(self: Any, ndigits: int | None = None) -> Array:
    found = elementwise.round(self, 0 if ndigits is None else ndigits)
    return creation.astype(found, int) if ndigits is None else found  # as Python's numbers round to integers


def _dot(self: Any, b: ArrayLike, **kwargs: Any) -> Array:
    """The dot product; see `olympus.numpy.dot`."""
    return linear.dot(self, b, **kwargs)


def _copied(self: Any, memo: Any = None) -> Array:
    return creation.copy(self)


def _swapped(self: Any) -> Array:
    """The last two dimensions swapped."""
    return shapes.matrix_transpose(self)


def _transposed(self: Any) -> Array:
    """The dimensions reversed."""
    return shapes.transpose(self)


def _at(self: Any) -> IndexUpdate:
    """Elements to be replaced: ``x.at[index].set(values)``."""
    return IndexUpdate(self)


def _real(self: Any) -> Array:
    """The real part."""
    return elementwise.real(self)


def _imag(self: Any) -> Array:
    """The imaginary part."""
    return elementwise.imag(self)


def _flat(self: Any) -> Iterator[Array]:
    """An iterator over the elements."""
    return _iterate(shapes.ravel(self))


def _array_namespace(self: Any, *, api_version: str | None = None) -> Any:
    namespace = sys.modules[__package__]
    if api_version is not None and api_version not in _API_VERSIONS:
        raise ArgumentError("__array_namespace__", "the version of the array API standard is not known",
                            described(api_version), f"one of {', '.join(_API_VERSIONS)}")
    return namespace


def __array_namespace_info__() -> NamespaceInfo:
    """What programs of the array API standard ask for: devices, element types, capabilities.

    Returns:
        An object with the methods `capabilities`, `default_device`, `default_dtypes`, `devices` and `dtypes`.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.__array_namespace_info__().default_dtypes()["integral"]
        dtype('int32')
    """
    from .inspection import NamespaceInfo  # few programs ask

    return NamespaceInfo()


_API_VERSIONS = ("2021.12", "2022.12", "2023.12", "2024.12", "2025.12")


def _to_device(self: Any, device: DeviceLike, *, stream: Any = None) -> Array:
    """The array on another device; see `olympus.device_put`."""
    if stream is not None:
        raise ArgumentError("to_device", "arrays are not put on streams", described(stream), "None",
                            "Leave stream out: the runtime orders its own work.")
    return device_put(self, device)


def _as_method(function: Callable[..., Any]) -> Callable[..., Any]:
    """A method that calls a function of the namespace with the array as its first argument."""

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        return function(self, *args, **kwargs)

    method.__name__ = method.__qualname__ = getattr(function, "__name__", "method")
    method.__doc__ = f"See `olympus.numpy.{method.__name__}`."
    method.__wrapped__ = function  # type: ignore[attr-defined]  # where inspect looks for the signature
    method.__annotations__ = function.__annotations__
    return method


_METHODS: dict[str, Callable[..., Any]] = {
    "all": reductions.all, "any": reductions.any, "argmax": reductions.argmax, "argmin": reductions.argmin,
    "argpartition": sorting.argpartition, "argsort": sorting.argsort, "choose": searching.choose,
    "conj": elementwise.conjugate, "conjugate": elementwise.conjugate, "copy": creation.copy,
    "cumprod": reductions.cumprod, "cumsum": reductions.cumsum, "diagonal": diagonal, "max": reductions.max,
    "mean": reductions.mean, "min": reductions.min, "nonzero": searching.nonzero, "partition": sorting.partition,
    "prod": reductions.prod, "ptp": reductions.ptp, "ravel": shapes.ravel, "repeat": tiling.repeat,
    "searchsorted": sorting.searchsorted, "sort": sorting.sort, "squeeze": shapes.squeeze, "std": reductions.std,
    "sum": reductions.sum, "swapaxes": shapes.swapaxes, "take": indexing.take, "trace": trace, "var": reductions.var,
}


def _compress(
    self: Any, condition: ArrayLike, axis: int | None = None, *, out: None = None, size: int | None = None,
    fill_value: ArrayLike = 0,
) -> Array:
    """The elements where a condition is true; see `olympus.numpy.compress`."""
    return searching.compress(condition, self, axis, size=size, fill_value=fill_value, out=out)


def _byteswap(self: Any) -> Array:
    """The elements with their bytes in the other order; of complex numbers the parts'."""
    from ..lax.reinterpret import swapped_bytes  # rarely used

    return swapped_bytes(self)


def fill(cls: type) -> None:
    """Gives a class the operators and methods of arrays."""
    for word, function in _OPERATORS.items():
        setattr(cls, f"__{word}__", _operator(f"__{word}__", function))
        setattr(cls, f"__r{word}__", _reflected(f"__r{word}__", function))
    for word, function in _COMPARISONS.items():
        setattr(cls, f"__{word}__", _comparison(f"__{word}__", function))
    special: dict[str, Any] = {
        "__pow__": _power, "__neg__": _as_method(elementwise.negative), "__pos__": _as_method(elementwise.positive),
        "__abs__": _as_method(elementwise.absolute), "__invert__": _as_method(elementwise.bitwise_not),
        "__getitem__": indexing.getitem, "__setitem__": _setitem, "__iter__": _iterate, "__contains__": _contains,
        "__round__": _rounded, "__copy__": _copied,
        "__deepcopy__": _copied, "__array_namespace__": _array_namespace,
        "reshape": _reshape, "transpose": _transpose, "flatten": _flatten, "astype": _astype, "view": _view,
        "clip": _clip, "round": _round, "to_device": _to_device, "dot": _dot, "compress": _compress,
        "byteswap": _byteswap,
        "T": property(_transposed),
        "mT": property(_swapped),
        "at": property(_at), "real": property(_real), "imag": property(_imag), "flat": property(_flat),
    }
    for name, member in special.items():
        setattr(cls, name, member)
    for name, function in _METHODS.items():
        setattr(cls, name, _as_method(function))


fill(ArrayOperators)
