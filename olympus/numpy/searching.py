# SPDX-License-Identifier: Apache-2.0
"""Indices of elements that meet a condition, and choice by conditions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, overload

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.errors import ArgumentError, ConcretizationError, NotSupportedError, described
from olympus_core.program.types import known_sizes

from .. import lax
from ..lax.slicing import from_end
from ..operands import (
    arrays_of,
    as_array,
    axis_of,
    broadcast,
    broadcast_shape,
    cast,
    check_numbers,
    convert,
    counting,
    dtype_of,
    element_type,
    integer,
    integers,
    known_integers,
    known_primal,
    sequence,
    shape_of,
    strong,
    weakly,
)
from ..tracing import aval_of, bind, scalar_dtype
from ..tracing.staging import unwatched
from ..transforms.jit import api
from ..typing import Array, ArrayLike, DTypeLike
from .arithmetic import add, clip, floor_divide, multiply, remainder
from .comparison import equal, less
from .creation import asarray
from .indexing import take
from .joining import stack
from .promotion import promote_types_of
from .shapes import ravel
from .ufuncs import as_bool

__all__ = [
    "argwhere", "choose", "compress", "extract", "flatnonzero", "nonzero", "ravel_multi_index", "select",
    "unravel_index", "where",
]


def nonzero(a: ArrayLike, *, size: int | None = None, fill_value: Any = None) -> tuple[Array, ...]:
    """The indices of the elements that are not zero.

    Args:
        a: An array; without `size` its values must be known.
        size: How many indices there are to be: surplus ones are left out, missing ones filled.
        fill_value: What stands for missing indices, or a tuple with one for each dimension; 0 for None.

    Returns:
        For each dimension an array of indices.

    Raises:
        ConcretizationError: For a traced array without `size`.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.nonzero(jnp.array([0, 5, 6]))
        (Array([1, 2], dtype=int32),)
    """
    if not shape_of(a):
        raise ArgumentError("nonzero", "an array of no dimensions has no indices", described(a),
                            "an array with dimensions", "Use atleast_1d.")
    if size is None:
        try:
            host = known_primal("nonzero", a, "the array")
        except ConcretizationError:
            raise ConcretizationError("nonzero without size=", repr(aval_of(a))) from None
        with counting(host.shape):
            return tuple(asarray(position.astype(scalar_dtype(int))) for position in np.nonzero(host))
    fill = 0 if fill_value is None else fill_value
    fills = fill if isinstance(fill, tuple) else (fill,) * len(shape_of(a))
    if len(fills) != len(shape_of(a)):
        raise ArgumentError("nonzero", "the fill values do not fit the dimensions", described(fill_value),
                            f"one, or {len(shape_of(a))} of them")
    return _indices_of(a, fills, size=integer("nonzero", size, "the size", 0))


@api(static=("size",))
def _indices_of(a: ArrayLike, fills: Any, size: int) -> tuple[Any, ...]:
    with counting((math.prod(shape_of(a)), size)):
        return _indices_found(a, fills, size)


def _indices_found(a: Any, fills: Any, size: int) -> tuple[Any, ...]:
    shape = shape_of(a)
    mask = ravel(as_bool(a))
    count = shape_of(mask)[0]
    dtype = dtypes.index_dtype(max(known_sizes((count, size)), default=0))
    running = lax.cumsum(convert(mask, dtype)) if count else lax.full((0,), 0, dtype)
    # The k-th true element goes to position k; what is false or surplus goes outside and is dropped.
    position = lax.select(mask, lax.sub(running, 1), lax.full((count,), size, dtype))
    numbers = lax.ScatterDimensionNumbers((), (0,), (0,))
    with unwatched():
        flat = lax.scatter(lax.full((size,), 0, dtype), lax.expand_dims(position, 1), lax.iota(dtype, count), numbers)
    total = lax.index_in_dim(running, count - 1, keepdims=False) if count else np.zeros((), dtype)
    there = less(lax.iota(dtype, size), total)
    kind = scalar_dtype(int)
    return tuple(
        convert(where(there, index, cast(fill, dtype)), kind)
        for index, fill in zip(unravel_index(flat, shape), fills, strict=True))


def flatnonzero(a: ArrayLike, *, size: int | None = None, fill_value: Any = None) -> Array:
    """The indices of the elements of the flat array that are not zero.

    Args:
        a: An array; without `size` its values must be known.
        size: How many indices there are to be.
        fill_value: What stands for missing indices; 0 for None.

    Returns:
        An array of indices.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.flatnonzero(jnp.array([0, 5, 6]))
        Array([1, 2], dtype=int32)
    """
    return nonzero(ravel(a), size=size, fill_value=fill_value)[0]


def argwhere(a: ArrayLike, *, size: int | None = None, fill_value: Any = None) -> Array:
    """The indices of the elements that are not zero, one below the other.

    Args:
        a: An array; without `size` its values must be known.
        size: How many indices there are to be.
        fill_value: What stands for missing indices; 0 for None.

    Returns:
        An array with a row for each element.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.argwhere(jnp.eye(2)).tolist()
        [[0, 0], [1, 1]]
    """
    if not shape_of(a):  # of one number: a row without indices, if it is not zero
        return argwhere(ravel(a), size=size, fill_value=fill_value)[:, :0]
    return stack(nonzero(a, size=size, fill_value=fill_value), axis=1)


@api(static=("shape",))
def _unraveled(indices: ArrayLike, shape: tuple[int, ...]) -> tuple[Any, ...]:
    if not dtypes.is_integer(dtype_of(indices)):
        raise ArgumentError("unravel_index", "the indices are not integers", dtype_of(indices).name, "integers")
    total = math.prod(shape)
    with counting((total,)):
        rest = from_end(indices, total)
        rest = lax.clamp(0, rest, max(total - 1, 0))
        found = []
        for n in reversed(shape):
            found.append(remainder(rest, max(n, 1)))
            rest = floor_divide(rest, max(n, 1))
        return tuple(reversed(found))


def unravel_index(indices: ArrayLike, shape: Sequence[int] | int) -> tuple[Array, ...]:
    """The indices in a shape, of indices in the flat array.

    Args:
        indices: Integers.
        shape: The shape.

    Returns:
        For each dimension an array of indices.

    Example:
        >>> import olympus.numpy as jnp
        >>> [i.tolist() for i in jnp.unravel_index(jnp.array([5, 2]), (2, 3))]
        [[1, 0], [2, 2]]
    """
    return _unraveled(indices, shape=integers("unravel_index", shape, "the shape"))


def ravel_multi_index(
    multi_index: Sequence[ArrayLike], dims: Sequence[int], mode: str = "raise", order: str = "C", *,
    dtype: DTypeLike | None = None,
) -> Array:
    """The indices in the flat array, of indices in a shape.

    Args:
        multi_index: For each dimension an array of indices.
        dims: The shape.
        mode: What to do with indices outside: ``"raise"``, for which the indices must be known, ``"clip"`` or
            ``"wrap"``.
        order: ``"C"`` or ``"F"``.
        dtype: The element type of the result, integers that hold all indices; None for one that does.

    Returns:
        The indices.

    Raises:
        ArgumentError: For indices outside, with ``mode="raise"``; for an element type that does not hold all.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.ravel_multi_index((jnp.array([1, 0]), jnp.array([2, 2])), (2, 3)).tolist()
        [5, 2]
    """
    pairs = list(zip(multi_index, integers("ravel_multi_index", dims, "the shape"), strict=True))
    size = math.prod(n for _, n in pairs)
    wanted = None if dtype is None else element_type("ravel_multi_index", dtype)
    if wanted is not None and (not dtypes.is_integer(wanted) or size - 1 > np.iinfo(wanted).max):
        raise ArgumentError("ravel_multi_index", "the element type does not hold all indices", wanted.name,
                            f"integers up to {size - 1}")
    with counting((size,)):
        total: Any = np.zeros((), dtypes.index_dtype(size))
        for index, n in pairs if order == "C" else reversed(pairs):
            index = _brought_inside("ravel_multi_index", index, n, mode)
            total = add(multiply(total, n), index)
        return total if wanted is None else convert(total, wanted)


def _brought_inside(function: str, index: Any, size: int, mode: Any) -> Any:
    """Indices as a mode of NumPy's puts them from 0 to below a size; outside of it with ``"raise"`` is an error."""
    if mode == "raise":
        host = known_integers(f"{function} with mode='raise'", index, "the indices")
        outside = host[(host < 0) | (host >= size)]
        if outside.size:
            raise ArgumentError(function, "an index is outside", outside.flat[0], f"integers from 0 to {size - 1}",
                                "Pass mode='clip' or mode='wrap' to bring such indices inside.")
        return index
    if not isinstance(mode, str) or mode not in ("clip", "wrap"):
        raise ArgumentError(function, "the mode is not known", described(mode), "'raise', 'clip' or 'wrap'")
    return clip(index, 0, size - 1) if mode == "clip" else remainder(index, size)


def select(condlist: Sequence[ArrayLike], choicelist: Sequence[ArrayLike], default: ArrayLike = 0) -> Array:
    """Takes each element from the array of the first condition that is true.

    Args:
        condlist: Bools.
        choicelist: An array for each condition.
        default: The elements where no condition is true.

    Returns:
        The chosen elements.

    Example:
        >>> import olympus.numpy as jnp
        >>> x = jnp.arange(4)
        >>> jnp.select([x < 1, x < 3], [x, 10 * x], 0)
        Array([ 0, 10, 20,  0], dtype=int32)
    """
    conditions = sequence("select", condlist, "the first argument", "conditions")
    choices = sequence("select", choicelist, "the second argument", "arrays")
    if len(conditions) != len(choices) or not choices:
        raise ArgumentError("select", "conditions and choices do not fit each other",
                            f"{len(conditions)} conditions and {len(choices)} choices", "as many, and one or more")
    return _selected(list(conditions), list(choices), default)


@api
def _selected(conditions: list[Any], choices: list[Any], default: ArrayLike) -> Any:
    (*choices, found), weak = promote_types_of("select", *choices, default)
    for condition, choice in zip(reversed(conditions), reversed(choices), strict=True):
        found = where(condition, choice, found)
    return weakly(as_array(found), weak)


def choose(a: ArrayLike, choices: Sequence[ArrayLike], out: None = None, mode: str = "raise") -> Array:
    """Takes each element from the array of which a number is given.

    Args:
        a: For each element the number of an array.
        choices: The arrays.
        out: Not used: arrays never change.
        mode: What to do with numbers outside: ``"raise"``, for which the numbers must be known, ``"clip"`` or
            ``"wrap"``.

    Returns:
        The chosen elements.

    Raises:
        ArgumentError: For numbers outside, with ``mode="raise"``.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.choose(jnp.array([0, 1]), [jnp.array([1, 2]), jnp.array([3, 4])])
        Array([1, 4], dtype=int32)
    """
    choices = arrays_of("choose", choices, "the argument for the choices")
    count = len(choices)
    which = _brought_inside("choose", a, count, mode)
    return strong(select([equal(which, i) for i in range(count)], list(choices), False))


def compress(
    condition: ArrayLike, a: ArrayLike, axis: int | None = None, *, size: int | None = None, fill_value: ArrayLike = 0,
    out: None = None,
) -> Array:
    """The elements along a dimension where a condition is true.

    Args:
        condition: Bools in one dimension; without `size` they must be known.
        a: An array.
        axis: The dimension; None for the flat array.
        size: How many elements there are to be: surplus ones are left out, missing ones filled.
        fill_value: What stands for missing elements.
        out: Not used: arrays never change.

    Returns:
        The elements.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.compress(jnp.array([True, False, True]), jnp.arange(3))
        Array([0, 2], dtype=int32)
    """
    if out is not None:
        raise NotSupportedError("compress(out=...)", "arrays never change", "Use the function's result.")
    if axis is None:
        a, axis = ravel(a), 0
    if size is None:
        found = np.flatnonzero(known_primal("compress", condition, "the condition"))
        return take(a, found.astype(dtypes.index_dtype(np.size(condition))), axis=axis, mode="clip")
    d = axis_of("compress", axis, len(shape_of(a)))
    beyond = shape_of(a)[d]  # the index of what is missing
    positions = flatnonzero(condition, size=size, fill_value=max(beyond, *shape_of(condition)))
    with unwatched():
        return take(a, positions, axis=d, mode="fill", fill_value=fill_value)


def extract(
    condition: ArrayLike, arr: ArrayLike, *, size: int | None = None, fill_value: ArrayLike = 0
) -> Array:
    """The elements where a condition is true.

    Args:
        condition: Bools; without `size` they must be known.
        arr: An array of as many elements.
        size: How many elements there are to be: surplus ones are left out, missing ones filled.
        fill_value: What stands for missing elements.

    Returns:
        The elements.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.extract(jnp.array([True, False, True]), jnp.arange(3))
        Array([0, 2], dtype=int32)
    """
    return compress(ravel(condition), ravel(arr), 0, size=size, fill_value=fill_value)


@api(call="_where")
def _chosen(condition: ArrayLike, x: ArrayLike, y: ArrayLike) -> Any:
    condition = as_bool(condition)
    (x, y), weak = promote_types_of("where", x, y)
    shape = broadcast_shape("where", [shape_of(condition), shape_of(x), shape_of(y)])
    return bind(ops.select, broadcast(condition, shape), broadcast(x, shape), broadcast(y, shape), weak=weak)


@overload
def where(
    condition: ArrayLike, x: None = None, y: None = None, /, *, size: int | None = None, fill_value: Any = None
) -> tuple[Array, ...]: ...
@overload
def where(condition: ArrayLike, x: ArrayLike, y: ArrayLike, /) -> Array: ...
def where(
    condition: ArrayLike, x: ArrayLike | None = None, y: ArrayLike | None = None, /, *, size: int | None = None,
    fill_value: Any = None,
) -> Any:
    """Takes each element from one of two arrays; with one argument, the indices of what is true.

    Args:
        condition: Bools.
        x: The elements where the condition is true.
        y: The others.
        size: With one argument: how many indices there are to be, as in `nonzero`.
        fill_value: With one argument: what stands for missing indices.

    Returns:
        The chosen elements; with one argument a tuple of arrays of indices.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.where(jnp.arange(4) < 2, 0, jnp.arange(4))
        Array([0, 0, 2, 3], dtype=int32)
    """
    if x is None and y is None:
        return nonzero(condition, size=size, fill_value=fill_value)
    if x is None or y is None:
        raise ArgumentError("where", "only one of x and y is given", "the other is None", expected="both, or neither")
    if type(x) is int or type(y) is int:
        check_numbers("where", x, y)
    return _chosen(condition, x, y)
