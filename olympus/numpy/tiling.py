# SPDX-License-Identifier: Apache-2.0
"""Elements repeated, rolled, inserted and deleted."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.errors import ArgumentError, ConcretizationError, described
from olympus_core.program.types import SymbolicSize

from .. import lax
from ..operands import (
    as_array,
    axis_of,
    broadcast,
    cast,
    check_broadcast,
    check_numbers,
    convert,
    dtype_of,
    integer,
    integers,
    known,
    known_integers,
    shape_argument,
    shape_of,
)
from ..tracing import aval_of
from ..transforms.explicit import with_out_sharding
from ..transforms.jit import api
from ..typing import Array, ArrayLike, ShardingLike
from .arithmetic import clip, remainder, subtract
from .creation import array
from .indexing import take
from .joining import concatenate
from .shapes import moveaxis, ravel
from .sorting import argsort, searchsorted, sort

__all__ = ["delete", "insert", "repeat", "resize", "roll", "tile"]


def tile(A: ArrayLike, reps: int | Sequence[int]) -> Array:
    """Repeats an array along dimensions.

    Args:
        A: An array.
        reps: How often along each of the last dimensions, or more of them than the array has.

    Returns:
        The repeated array.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.tile(jnp.arange(2), 2)
        Array([0, 1, 0, 1], dtype=int32)
    """
    counts = integers("tile", reps, "a number of repetitions", least=0)
    own = shape_of(A)
    ndim = max(len(own), len(counts))
    return _tiled(A, counts=(1,) * (ndim - len(counts)) + counts)


@api(static=("counts",))
def _tiled(x: ArrayLike, counts: tuple[int, ...]) -> Any:
    own = (1,) * (len(counts) - len(shape_of(x))) + shape_of(x)
    pairs = tuple(n for pair in zip((1,) * len(own), own, strict=True) for n in pair)
    wide = tuple(n for pair in zip(counts, own, strict=True) for n in pair)
    spread = broadcast(lax.reshape(x, pairs), wide)
    return lax.reshape(spread, tuple(c * n for c, n in zip(counts, own, strict=True)))


@api(static=("count", "axis"))
def _repeated(x: ArrayLike, count: Any, axis: int) -> Any:
    shape = shape_of(x)
    spread = lax.broadcast_in_dim(
        x, (*shape[:axis + 1], count, *shape[axis + 1:]), [d + (d > axis) for d in range(len(shape))])
    return lax.reshape(spread, (*shape[:axis], shape[axis] * count, *shape[axis + 1:]))


def repeat(
    a: ArrayLike, repeats: Any, axis: int | None = None, *, total_repeat_length: int | None = None,
    out_sharding: ShardingLike | None = None,
) -> Array:
    """Repeats each element along a dimension.

    Args:
        a: An array.
        repeats: How often: one number, or one for each element, which must be known unless the total is given.
        axis: The dimension; None for the flat array.
        total_repeat_length: The size of the result along the dimension; the last element fills what is missing.
        out_sharding: How the result is to be sharded.

    Returns:
        The repeated array.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.repeat(jnp.arange(2), 2)
        Array([0, 0, 1, 1], dtype=int32)
    """
    if out_sharding is not None:
        return with_out_sharding(out_sharding, lambda x: repeat(
            x, repeats, axis, total_repeat_length=total_repeat_length), a)
    if axis is None:
        a, axis = ravel(a), 0
    d = axis_of("repeat", axis, len(shape_of(a)))
    n = shape_of(a)[d]
    if total_repeat_length is None:
        if isinstance(repeats, SymbolicSize):
            return _repeated(a, count=repeats, axis=d)
        counts = known_integers("repeat", repeats, "the number of repetitions")
        if counts.size and counts.min() < 0:
            raise ArgumentError("repeat", "a number of repetitions is negative", int(counts.min()), "zero or more")
        if counts.size == 1:
            return _repeated(a, count=int(counts.reshape(())), axis=d)
        if counts.shape != (n,):
            raise ArgumentError("repeat", "the numbers of repetitions do not fit", f"shape {counts.shape}",
                                f"one, or {n} of them")
        return take(a, np.repeat(np.arange(n, dtype=dtypes.index_dtype(n)), counts.astype(np.int64)), axis=d,
                    mode="clip")
    total = integer("repeat", total_repeat_length, "the total length", 0)
    repeats = as_array(repeats) if hasattr(repeats, "aval") else known_integers(
        "repeat", repeats, "the number of repetitions")
    if not dtypes.is_integer(dtype_of(repeats)):
        raise ArgumentError("repeat", "the numbers of repetitions are not integers", repr(aval_of(repeats)), "integers")
    check_broadcast("repeat", shape_of(repeats), (n,))
    ends = lax.cumsum(broadcast(cast(repeats, np.dtype(np.int32)), (n,)))
    positions = searchsorted(ends, lax.iota(int, total), side="right")
    return take(a, lax.min(positions, subtract(n, 1)), axis=d, mode="clip")


def insert(arr: ArrayLike, obj: Any, values: ArrayLike, axis: int | None = None) -> Array:
    """Puts values in front of an index.

    Args:
        arr: An array.
        obj: The index, indices or slice. Traced indices beyond an end count as the end.
        values: What to put.
        axis: The dimension; None for the flat array.

    Returns:
        The longer array.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.insert(jnp.arange(3), 1, 9)
        Array([0, 9, 1, 2], dtype=int32)
    """
    if axis is None:
        arr, axis = ravel(arr), 0
    d = axis_of("insert", axis, len(shape_of(arr)))
    n = shape_of(arr)[d]
    if isinstance(obj, slice):
        obj = np.arange(*obj.indices(n))
    positions, is_known = _positions("insert", obj)
    if positions.ndim > 1 or (is_known and positions.size and not -n <= positions.min() <= positions.max() <= n):
        raise ArgumentError("insert", "the indices do not fit the array", described(obj),
                            f"one index or a row of them, from {-n} to {n}")
    check_numbers("insert", arr, values)
    values = array(values, ndmin=len(shape_of(arr)))
    if positions.ndim == 0:  # one index takes as many values as there are, their first dimension along the axis
        values = moveaxis(values, 0, d)
        positions = _times(positions, shape_of(values)[d])
    elif len(positions) == 1:  # a row of one index takes several too, along the axis where they have one
        along = d - len(shape_of(arr)) + len(shape_of(values))
        positions = _times(positions, shape_of(values)[along])
    positions = positions + (positions < 0) * n
    shape = list(shape_of(arr))
    shape[d] = len(positions)
    check_broadcast("insert", shape_of(values), tuple(shape))
    new = broadcast(convert(values, aval_of(arr).dtype), tuple(shape))
    # A stable sort leaves what is put in front of an element before it, in its own order.
    places: Any = np.arange(n, dtype=dtypes.index_dtype(n + 1))
    order: Any = (np.argsort(np.concatenate([positions, places]), kind="stable").astype(places.dtype) if is_known
                  else argsort(concatenate([positions, places])))
    return take(concatenate([new, arr], d), order, axis=d, mode="clip")


def _positions(function: str, obj: Any) -> tuple[Any, bool]:
    """The integers of an index, of NumPy where they are known; and whether they are."""
    try:
        return known_integers(function, obj, "the index").astype(np.int64), True  # room to add the size
    except ConcretizationError:
        found = array(obj)
        if not dtypes.is_integer(dtype_of(found)):
            raise
        return cast(found, np.dtype(np.int32)), False


def _times(positions: Any, count: int) -> Any:
    """One position, so many times."""
    return np.repeat(positions, count) if isinstance(positions, np.ndarray) else repeat(positions, count)


def delete(arr: ArrayLike, obj: Any, axis: int | None = None, *, assume_unique_indices: bool = False) -> Array:
    """Leaves out the elements at indices.

    Args:
        arr: An array.
        obj: The index, indices or slice, which must be known, or `assume_unique_indices`.
        axis: The dimension; None for the flat array.
        assume_unique_indices: A promise that no two indices are equal: then they may be traced, and those outside
            leave out the elements at the ends.

    Returns:
        The shorter array.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.delete(jnp.arange(4), 1)
        Array([0, 2, 3], dtype=int32)
    """
    if axis is None:
        arr, axis = ravel(arr), 0
    d = axis_of("delete", axis, len(shape_of(arr)))
    n = shape_of(arr)[d]
    gone: Any = obj
    if assume_unique_indices and not isinstance(obj, slice) and dtypes.is_integer(aval_of(array(obj)).dtype):
        gone, is_known = _positions("delete", obj)
        if not is_known:
            # How many of those before the i-th that stays are gone.
            gone = sort(clip(ravel(gone + (gone < 0) * n), 0, n)) - np.arange(math.prod(shape_of(gone)), dtype=np.int32)
            stays = lax.iota(np.int32, n - len(gone))
            return take(arr, stays + (stays[None] >= gone[:, None]).sum(0), axis=d, mode="clip")
    if not isinstance(obj, slice):
        gone = known("delete", obj, "the index")
        if gone.dtype != np.bool_:
            gone = known_integers("delete", obj, "the index")
        fits = gone.shape == (n,) if gone.dtype == np.bool_ else not gone.size or -n <= gone.min() <= gone.max() < n
        if not fits:
            raise ArgumentError("delete", "the indices do not fit the array", described(obj),
                                f"indices from {-n} to {n - 1}, a slice, or a mask of shape ({n},)")
    kept = np.delete(np.arange(n, dtype=dtypes.index_dtype(n)), gone)
    return take(arr, kept, axis=d, mode="clip")


@api(static=("shifts", "axes"), call="_roll_static")
def _rolled(a: ArrayLike, shifts: tuple[int, ...], axes: tuple[int, ...]) -> Any:
    for shift, axis in zip(shifts, axes, strict=True):
        n = shape_of(a)[axis]
        shift = shift % n if n else 0
        if isinstance(shift, SymbolicSize):
            a = _rolled_along(a, shift, axis)
        elif shift:
            parts = [lax.slice_in_dim(a, n - shift, n, axis=axis), lax.slice_in_dim(a, 0, n - shift, axis=axis)]
            a = lax.concatenate(parts, axis)
    return as_array(a)


@api(static=("axes",))
def _rolled_by(a: ArrayLike, shifts: ArrayLike, axes: tuple[int, ...]) -> Any:
    for i, axis in enumerate(axes):
        shift = lax.index_in_dim(shifts, min(i, shape_of(shifts)[0] - 1), keepdims=False)
        if shape_of(a)[axis]:
            a = _rolled_along(a, shift, axis)
    return as_array(a)


def _rolled_along(a: ArrayLike, shift: Any, axis: int) -> Any:
    n = shape_of(a)[axis]
    return take(a, remainder(subtract(lax.iota(int, n), shift), n), axis=axis, mode="clip")


def roll(a: ArrayLike, shift: Any, axis: int | Sequence[int] | None = None) -> Array:
    """Moves elements along dimensions; what leaves at the end comes in at the beginning.

    Args:
        a: An array.
        shift: How far, for each dimension; may be a traced value.
        axis: Which dimensions; None to roll the flat array.

    Returns:
        The rolled array.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.roll(jnp.arange(4), 1)
        Array([3, 0, 1, 2], dtype=int32)
    """
    shape = shape_of(a)
    if axis is None:
        return lax.reshape(roll(ravel(a), shift, 0), shape)
    axes = tuple(axis_of("roll", d, len(shape)) for d in integers("roll", axis, "an axis"))
    if hasattr(shift, "aval") and not isinstance(shift, (tuple, list)):
        return _rolled_by(a, lax.reshape(shift, (-1,)), axes=axes)
    shifts = integers("roll", shift, "the shift")
    if not shifts or not axes:  # as NumPy broadcasts the one with the other
        return as_array(a)
    count = max(len(shifts), len(axes))
    if {len(shifts), len(axes)} - {1, count}:
        raise ArgumentError("roll", "shifts and axes differ in number", (shift, axis), "as many, or one of either")
    return _rolled(a, shifts=shifts * (count // len(shifts)), axes=axes * (count // len(axes)))


def resize(a: ArrayLike, new_shape: Sequence[int] | int) -> Array:
    """An array of a shape, with the elements repeated or cut as needed.

    Args:
        a: An array.
        new_shape: The shape.

    Returns:
        The array.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.resize(jnp.arange(3), (2, 2)).tolist()
        [[0, 1], [2, 0]]
    """
    shape = shape_argument("resize", new_shape)
    size = 1
    for n in shape:
        size *= n
    flat = ravel(a)
    own = shape_of(flat)[0]
    if not own:
        return lax.full(shape, 0, aval_of(a).dtype)
    return lax.reshape(lax.slice_in_dim(tile(flat, -(-size // own)), 0, size), shape)
