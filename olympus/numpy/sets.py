# SPDX-License-Identifier: Apache-2.0
"""Sets: different elements, membership, unions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.errors import ArgumentError, ConcretizationError

from .. import lax
from ..operands import (
    axis_of,
    broadcast,
    cast,
    check_numbers,
    convert,
    counting,
    dtype_of,
    integer,
    is_number,
    known_primal,
    shape_of,
)
from ..tracing import Tracer, bind, scalar_dtype
from ..tracing.staging import unwatched
from ..transforms.jit import api
from ..typing import Array, ArrayLike
from .creation import asarray
from .indexing import take
from .joining import concatenate
from .promotion import promote_types_of
from .reductions import any as numpy_any
from .searching import where
from .shapes import ravel
from .sorting import argsort
from .ufuncs import isnan_of

__all__ = [
    "isin", "unique", "unique_all", "unique_counts",
    "unique_inverse", "unique_values",
]


def unique(
    ar: ArrayLike, return_index: bool = False, return_inverse: bool = False, return_counts: bool = False,
    axis: int | None = None, *, equal_nan: bool = True, size: int | None = None, fill_value: Any = None,
    sorted: bool = True,
) -> Any:
    """The different elements, sorted.

    Args:
        ar: An array whose values are known.
        return_index: Whether to give the first index of each.
        return_inverse: Whether to give, for each element of `ar`, the index of its value in the result.
        return_counts: Whether to give how often each occurs.
        axis: The dimension along which parts are compared; None for the flat array.
        equal_nan: Whether NaN equals NaN.
        size: How many elements there are to be: surplus ones are left out, missing ones filled.
        fill_value: What stands for missing ones; the least element for None.
        sorted: Not used: the elements are always sorted.

    Returns:
        The elements; a tuple where more is asked for.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.unique(jnp.array([3, 1, 3]))
        Array([1, 3], dtype=int32)
    """
    if size is not None:
        size = integer("unique", size, "the size", 0)
    if axis is not None:
        axis = axis_of("unique", axis, len(shape_of(ar)))
    if fill_value is not None:
        check_numbers("unique", ar, fill_value)
    if size is not None and axis is None and not _is_known(ar):
        wanted = (True, return_index, return_inverse, return_counts)
        parts = _unique_of_size(ar, fill_value, size=size, equal_nan=bool(equal_nan))
        chosen = tuple(part for part, want in zip(parts, wanted, strict=True) if want)
        return chosen[0] if len(chosen) == 1 else chosen
    host = known_primal("unique", ar, "the array")
    found = np.unique(comparable(host), True, True, True, axis, equal_nan=equal_nan)
    values, first, inverse, counts = found[0].astype(host.dtype), *found[1:]
    if isinstance(ar, Tracer) and size is None:  # the elements themselves, which carry derivatives
        values = take(ar, first.astype(np.int32), axis, mode="clip")
    d = 0 if axis is None else axis
    if size is not None:
        n = values.shape[d]
        if not n:  # an element that is nowhere taken
            _check_filled(shape_of(ar), size, fill_value)
            shape = (*values.shape[:d], 1, *values.shape[d + 1:])
            values, first, counts = np.zeros(shape, values.dtype), np.zeros(1, first.dtype), np.zeros(1, counts.dtype)
        order = np.minimum(np.arange(size), max(n - 1, 0))
        fill = values.take([0], d) if fill_value is None else fill_value
        inside = (np.arange(size) < n).reshape([-1 if i == d % values.ndim else 1 for i in range(values.ndim)])
        values = np.where(inside, values.take(order, d), fill).astype(values.dtype)
        first = np.where(np.arange(size) < n, first[order], first[0])
        counts = np.where(np.arange(size) < n, counts[order], 0)
    asked = [part for want, part in (
        (return_index, first), (return_inverse, inverse), (return_counts, counts)) if want]
    with counting((inverse.size,)):
        firsts = [asarray(part.astype(scalar_dtype(int))) for part in asked]
    arrays = (asarray(values), *firsts)
    return arrays[0] if len(arrays) == 1 else arrays


def comparable(host: np.ndarray) -> np.ndarray:
    """The elements in a type in which NumPy sorts NaN to the end; of narrow floats that is float32, which has all."""
    return host.astype(np.float32) if dtypes.is_float(host.dtype) and host.dtype.itemsize < 4 else host


def _check_filled(shape: Sequence[int], size: int, fill_value: Any) -> None:
    """Of an array without elements there is nothing to fill a result with, but what is said."""
    if size and fill_value is None:
        raise ArgumentError("unique", "there are no elements to fill the result with", tuple(shape),
                            "one element or more, or a fill_value")


def _is_known(a: Any) -> bool:
    try:
        np.asarray(a)
    except ConcretizationError:
        return False
    return True


@api(static=("size", "equal_nan"))
def _unique_of_size(ar: ArrayLike, fill_value: Any, size: int, equal_nan: bool) -> tuple[Any, Any, Any, Any]:
    """The different elements, their first indices, each element's number, and how often each occurs."""
    flat = ravel(ar)
    n = shape_of(flat)[0]
    if not n:
        _check_filled(shape_of(ar), size, fill_value)
        none = lax.full((size,), 0, scalar_dtype(int))
        inverse = lax.full(shape_of(ar), 0, scalar_dtype(int))
        return lax.full((size,), 0 if fill_value is None else fill_value, dtype_of(flat)), none, inverse, none
    order = argsort(flat)
    ordered = take(flat, order, mode="clip")
    later, earlier = lax.slice_in_dim(ordered, 1, n), lax.slice_in_dim(ordered, 0, n - 1)
    differs = bind(ops.ne, later, earlier, weak=False)
    if equal_nan:
        both_nan = bind(ops.and_, isnan_of(later), isnan_of(earlier))
        differs = bind(ops.and_, differs, bind(ops.not_, both_nan))
    begins = concatenate([np.ones(1, bool), differs])
    number = lax.sub(lax.cumsum(convert(begins, scalar_dtype(int))), 1)
    total = lax.add(lax.index_in_dim(number, n - 1, keepdims=False), 1)
    there = lax.lt(lax.iota(scalar_dtype(int), size), total)
    dims = lax.ScatterDimensionNumbers((), (0,), (0,))
    # Numbers beyond the size are dropped; elements that do not begin a run go there.
    goal = lax.expand_dims(where(begins, number, size), 1)
    with unwatched():
        firsts = lax.scatter(lax.full((size,), 0, scalar_dtype(int)), goal, lax.iota(scalar_dtype(int), n), dims)
    fill = lax.index_in_dim(ordered, 0, keepdims=False) if fill_value is None else fill_value
    values = where(there, take(ordered, firsts, mode="clip"), cast(fill, dtype_of(flat)))
    first = take(order, where(there, firsts, 0), mode="clip")
    inverse = lax.scatter(lax.full_like(number, 0), lax.expand_dims(order, 1), number, dims)
    with unwatched():
        counts = lax.scatter_add(lax.full((size,), 0, scalar_dtype(int)), lax.expand_dims(number, 1),
                                 lax.full_like(number, 1), dims)
    return values, first, lax.reshape(inverse, shape_of(ar)), counts


class UniqueAll(NamedTuple):
    """What `unique_all` gives."""

    values: Array
    indices: Array
    inverse_indices: Array
    counts: Array


class UniqueCounts(NamedTuple):
    """What `unique_counts` gives."""

    values: Array
    counts: Array


class UniqueInverse(NamedTuple):
    """What `unique_inverse` gives."""

    values: Array
    inverse_indices: Array


def unique_all(x: ArrayLike, /, *, size: int | None = None, fill_value: Any = None) -> UniqueAll:
    """The different elements, sorted, with first indices, inverse and counts; NaN differs from NaN.

    Args:
        x: An array whose values are known.
        size: How many elements there are to be, as for `unique`.
        fill_value: What stands for missing ones.

    Returns:
        The elements, the first index of each, each element's number among them in the shape of `x`, and counts.

    Example:
        >>> import olympus.numpy as jnp
        >>> [part.tolist() for part in jnp.unique_all(jnp.array([3, 1, 3]))]
        [[1, 3], [1, 0], [1, 0, 1], [1, 2]]
    """
    values, first, inverse, counts = unique(x, True, True, True, equal_nan=False, size=size, fill_value=fill_value)
    return UniqueAll(values, first, lax.reshape(inverse, shape_of(x)), counts)


def unique_counts(x: ArrayLike, /, *, size: int | None = None, fill_value: Any = None) -> UniqueCounts:
    """The different elements, sorted, and how often each occurs; NaN differs from NaN.

    Args:
        x: An array whose values are known.
        size: How many elements there are to be, as for `unique`.
        fill_value: What stands for missing ones.

    Returns:
        The elements and their counts.

    Example:
        >>> import olympus.numpy as jnp
        >>> [part.tolist() for part in jnp.unique_counts(jnp.array([3, 1, 3]))]
        [[1, 3], [1, 2]]
    """
    return UniqueCounts(*unique(x, return_counts=True, equal_nan=False, size=size, fill_value=fill_value))


def unique_inverse(x: ArrayLike, /, *, size: int | None = None, fill_value: Any = None) -> UniqueInverse:
    """The different elements, sorted, and for each element of the array its number among them.

    Args:
        x: An array whose values are known.
        size: How many elements there are to be, as for `unique`.
        fill_value: What stands for missing ones.

    Returns:
        The elements, and the numbers in the shape of `x`.

    Example:
        >>> import olympus.numpy as jnp
        >>> [part.tolist() for part in jnp.unique_inverse(jnp.array([3, 1, 3]))]
        [[1, 3], [1, 0, 1]]
    """
    values, inverse = unique(x, return_inverse=True, equal_nan=False, size=size, fill_value=fill_value)
    return UniqueInverse(values, lax.reshape(inverse, shape_of(x)))


def unique_values(x: ArrayLike, /, *, size: int | None = None, fill_value: Any = None) -> Array:
    """The different elements, sorted; NaN differs from NaN.

    Args:
        x: An array whose values are known.
        size: How many elements there are to be, as for `unique`.
        fill_value: What stands for missing ones.

    Returns:
        The elements.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.unique_values(jnp.array([3, 1, 3]))
        Array([1, 3], dtype=int32)
    """
    return unique(x, equal_nan=False, size=size, fill_value=fill_value)


@api(static=("invert",), call="_in1d")
def _contained(element: ArrayLike, tests: ArrayLike, invert: bool) -> Any:
    (element, tests), _ = promote_types_of("isin", element, ravel(tests))
    shape = shape_of(element)
    wide = (*shape, shape_of(tests)[0])
    same = bind(ops.eq, lax.broadcast_in_dim(element, wide, range(len(shape))), broadcast(tests, wide), weak=False)
    found = numpy_any(same, axis=-1)
    return bind(ops.not_, found) if invert else found


def isin(
    element: ArrayLike, test_elements: ArrayLike, assume_unique: bool = False, invert: bool = False, *,
    method: str = "auto",
) -> Array:
    """Whether elements are among others.

    Args:
        element: The elements.
        test_elements: The others.
        assume_unique: Not used.
        invert: Whether to say where they are not.
        method: Not used.

    Returns:
        Bools.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.isin(jnp.arange(3), jnp.array([0, 2]))
        Array([ True, False,  True], dtype=bool)
    """
    for number, array in ((element, test_elements), (test_elements, element)):
        if type(number) is int and not is_number(array) and dtypes.is_integer(dtype_of(array)):
            limits = dtypes.limits(dtype_of(array))
            if not limits.min <= number <= limits.max:  # it is itself, which no element is
                return lax.full(shape_of(element), bool(invert))
    return _contained(asarray(element), asarray(test_elements), invert=bool(invert))


