# SPDX-License-Identifier: Apache-2.0
"""Sets of two arrays: union, intersection, differences, of a size that is known or found from the values."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import lax
from ..operands import cast, check_numbers, counting, dtype_of, integer, known_primal, shape_of
from ..tracing import Tracer, scalar_dtype
from ..transforms.jit import api
from ..typing import Array, ArrayLike
from .creation import asarray
from .indexing import take
from .joining import concatenate
from .promotion import promote_types_of
from .searching import where
from .sets import comparable, isin, unique
from .shapes import ravel
from .sorting import argsort
from .ufuncs import isnan_of

__all__ = ["intersect1d", "setdiff1d", "setxor1d", "union1d"]


def _pair(name: str, ar1: ArrayLike, ar2: ArrayLike) -> tuple[Any, Any]:
    (a, b), _ = promote_types_of(name, ravel(asarray(ar1)), ravel(asarray(ar2)))
    return a, b


def _on_host(name: str, a: Any, b: Any) -> tuple[np.ndarray, np.ndarray]:
    return (comparable(known_primal(name, a, "the first array")),
            comparable(known_primal(name, b, "the second array")))


def _found_in(values: np.ndarray, *arrays: Any) -> Array:
    """Values found on the host; where the arrays carry derivatives, the elements of the arrays that are equal."""
    if not any(isinstance(a, Tracer) for a in arrays):
        return asarray(values.astype(dtype_of(arrays[0])))
    host = comparable(np.concatenate([known_primal("take", a, "an array") for a in arrays]))
    order = np.argsort(host, kind="stable")
    places = order[np.searchsorted(host[order], values)]
    return take(concatenate(arrays), places.astype(np.int32), mode="clip")


def _chosen(keep: Any, size: int) -> tuple[Any, Any]:
    """The places where `keep` holds, in order, cut or lengthened to `size`, and which of them are real."""
    number = scalar_dtype(int)
    counted = lax.cumsum(lax.convert_element_type(keep, number))
    total = lax.index_in_dim(counted, shape_of(keep)[0] - 1, keepdims=False)
    order = argsort(lax.bitwise_not(keep))
    return take(order, lax.iota(number, size), mode="clip"), lax.lt(lax.iota(number, size), total)


def _filled(values: Any, real: Any, fill: Any) -> Any:
    """The values where they are real, elsewhere `fill`; for None the first value, which is the least."""
    if not shape_of(values)[0]:
        return values
    if fill is None:
        first = lax.index_in_dim(values, 0, keepdims=False)
        fill = where(lax.index_in_dim(real, 0, keepdims=False), first, lax.full_like(first, 0))
    return where(real, values, cast(fill, dtype_of(values)))


@api(static=("size", "either"))
def _in_both_or_one(a: Any, b: Any, fill_value: Any, size: int, either: bool) -> tuple[Any, Any, Any]:
    """The elements of both arrays, or of just one of them, and where each is in the one and in the other.

    A NaN equals no other, as NumPy has it: it is in no intersection, and one from each array is in the difference.
    """
    n, m = shape_of(a)[0], shape_of(b)[0]
    number = scalar_dtype(int)
    if not n + m:
        nothing = lax.full((size,), 0 if fill_value is None else fill_value, dtype_of(a))
        none = lax.full((size,), 0, number)
        return nothing, none, none
    total = n + m
    values, _, inverse, _ = unique(concatenate([a, b]), True, True, True, size=total)
    dims = lax.ScatterDimensionNumbers((), (0,), (0,))
    far = lax.full((total,), total, number)

    def firsts(group: Any, count: int) -> Any:
        return lax.scatter_min(far, lax.expand_dims(group, 1), lax.iota(number, count), dims)

    in_a = firsts(lax.slice_in_dim(inverse, 0, n), n)
    in_b = firsts(lax.slice_in_dim(inverse, n, total), m)
    has_a, has_b, nan = lax.lt(in_a, total), lax.lt(in_b, total), isnan_of(values)
    both = lax.bitwise_and(has_a, has_b)
    if either:
        # Sorted NaNs are last, so that the second array's own NaN is behind all others.
        keep = lax.bitwise_or(lax.bitwise_xor(has_a, has_b), lax.bitwise_and(both, nan))
        second = lax.reduce_or(lax.bitwise_and(both, nan), (0,))
        keep = concatenate([keep, lax.expand_dims(second, 0)])
        last = lax.slice_in_dim(values, total - 1, total)
        apart = lax.full_like(last, np.nan) if dtype_of(values).kind not in "biu" else last
        values, in_a, in_b = (concatenate([x, y]) for x, y in (
            (values, apart), (in_a, lax.full((1,), n, number)), (in_b, lax.full((1,), m, number))))
    else:
        keep = lax.bitwise_and(both, lax.bitwise_not(nan))
    places, real = _chosen(keep, size)
    found = _filled(take(values, places, mode="clip"), real, fill_value)
    return found, *(where(real, take(x, places, mode="clip"), count) for x, count in ((in_a, n), (in_b, m)))


@api(static=("size", "assume_unique"))
def _difference(a: Any, b: Any, fill_value: Any, size: int, assume_unique: bool) -> Any:
    fill = 0 if fill_value is None else fill_value
    n = shape_of(a)[0]
    if not n:
        return lax.full((size,), fill, dtype_of(a))
    keep = lax.full((n,), True, "bool")
    if not assume_unique:
        a, counts = unique(a, return_counts=True, size=n)
        keep = lax.gt(counts, 0)
    if shape_of(b)[0]:
        keep = lax.bitwise_and(keep, isin(a, b, invert=True))
    places, real = _chosen(keep, size)
    return _filled(take(a, places, mode="clip"), real, fill)


def union1d(
    ar1: ArrayLike, ar2: ArrayLike, *,
    size: int | None = None, fill_value: ArrayLike | None = None,
) -> Array:
    """The elements of either array, sorted, each once.

    Args:
        ar1: An array whose values are known; with `size` any array.
        ar2: Another one.
        size: How many elements there are to be: surplus ones are left out, missing ones filled.
        fill_value: What stands for missing ones; the least element for None.

    Returns:
        The elements.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.union1d(jnp.array([1, 2, 2]), jnp.array([2, 3]))
        Array([1, 2, 3], dtype=int32)
    """
    check_numbers("union1d", ar1, ar2)
    a, b = _pair("union1d", ar1, ar2)
    if size is None:
        hosts = _on_host("union1d", a, b)
        return _found_in(np.union1d(*hosts), a, b)
    size = integer("union1d", size, "the size", 0)
    if not shape_of(a)[0] + shape_of(b)[0]:
        return lax.full((size,), 0 if fill_value is None else fill_value, dtype_of(a))
    return unique(concatenate([a, b]), size=size, fill_value=fill_value)


def intersect1d(
    ar1: ArrayLike, ar2: ArrayLike, assume_unique: bool = False, return_indices: bool = False, *,
    size: int | None = None, fill_value: ArrayLike | None = None,
) -> Any:
    """The elements of both arrays, sorted, each once.

    Args:
        ar1: An array whose values are known; with `size` any array.
        ar2: Another one.
        assume_unique: Whether no element of either array occurs twice in it.
        return_indices: Whether to give also the first index of each element in either array.
        size: How many elements there are to be: surplus ones are left out, missing ones filled.
        fill_value: What stands for missing ones; the least element of the result for None.

    Returns:
        The elements; with `return_indices` a tuple with the indices, which are the length where one is missing.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.intersect1d(jnp.array([1, 2, 2]), jnp.array([2, 3]))
        Array([2], dtype=int32)
    """
    a, b = _pair("intersect1d", ar1, ar2)
    if size is not None:
        size = integer("intersect1d", size, "the size", 0)
        found = _in_both_or_one(a, b, fill_value, size=size, either=False)
        return found if return_indices else found[0]
    hosts = _on_host("intersect1d", a, b)
    host: Any = np.intersect1d(*hosts, bool(assume_unique), return_indices=True)
    values = _found_in(host[0], a, b)
    if not return_indices:
        return values
    with counting((a.size + b.size,)):
        return values, *(asarray(places.astype(scalar_dtype(int))) for places in host[1:])


def setdiff1d(
    ar1: ArrayLike, ar2: ArrayLike, assume_unique: bool = False, *,
    size: int | None = None, fill_value: ArrayLike | None = None,
) -> Array:
    """The elements of one array and not of the other, sorted, each once.

    Args:
        ar1: An array whose values are known; with `size` any array.
        ar2: Another one.
        assume_unique: Whether no element of either array occurs twice in it; the order is then that of `ar1`.
        size: How many elements there are to be: surplus ones are left out, missing ones filled.
        fill_value: What stands for missing ones; 0 for None.

    Returns:
        The elements.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.setdiff1d(jnp.array([1, 2, 2]), jnp.array([2, 3]))
        Array([1], dtype=int32)
    """
    a, b = _pair("setdiff1d", ar1, ar2)
    own = ravel(asarray(ar1))  # the type in which elements are compared may not hold them
    if size is None:
        values = comparable(known_primal("setdiff1d", own, "the first array"))
        if not assume_unique:
            values = np.unique(values)
        second = comparable(known_primal("setdiff1d", b, "the second array"))
        values = values[np.isin(comparable(values.astype(dtype_of(a))), second, bool(assume_unique), invert=True)]
        return _found_in(values, own)
    size = integer("setdiff1d", size, "the size", 0)
    return _difference(own, b, fill_value, size=size, assume_unique=bool(assume_unique))


def setxor1d(
    ar1: ArrayLike, ar2: ArrayLike, assume_unique: bool = False, *,
    size: int | None = None, fill_value: ArrayLike | None = None,
) -> Array:
    """The elements of just one array, sorted, each once.

    Args:
        ar1: An array whose values are known; with `size` any array.
        ar2: Another one.
        assume_unique: Whether no element of either array occurs twice in it.
        size: How many elements there are to be: surplus ones are left out, missing ones filled.
        fill_value: What stands for missing ones; the least element of the result for None.

    Returns:
        The elements.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.setxor1d(jnp.array([1, 2, 2]), jnp.array([2, 3]))
        Array([1, 3], dtype=int32)
    """
    a, b = _pair("setxor1d", ar1, ar2)
    if size is None:
        hosts = _on_host("setxor1d", a, b)
        return _found_in(np.setxor1d(*hosts, bool(assume_unique)), a, b)
    size = integer("setxor1d", size, "the size", 0)
    return _in_both_or_one(a, b, fill_value, size=size, either=True)[0]
