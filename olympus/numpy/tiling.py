"""Elements repeated, rolled, padded, inserted and deleted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.errors import ArgumentError, described

from .. import lax
from ..operands import (
    axis_of,
    broadcast,
    cast,
    check_broadcast,
    convert,
    dtype_of,
    integer,
    integers,
    is_sequence,
    known,
    known_integers,
    shape_argument,
    shape_of,
)
from ..tracing import aval_of
from ..transforms.jit import api
from ..typing import Array, ArrayLike
from .arithmetic import remainder, subtract
from .creation import array
from .indexing import take
from .joining import concatenate
from .shapes import moveaxis, ravel
from .sorting import searchsorted
from .ufuncs import as_array

__all__ = ["delete", "insert", "pad", "repeat", "resize", "roll", "tile"]


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
def _repeated(x: ArrayLike, count: int, axis: int) -> Any:
    shape = shape_of(x)
    spread = lax.broadcast_in_dim(
        x, (*shape[:axis + 1], count, *shape[axis + 1:]), [d + (d > axis) for d in range(len(shape))])
    return lax.reshape(spread, (*shape[:axis], shape[axis] * count, *shape[axis + 1:]))


def repeat(a: ArrayLike, repeats: Any, axis: int | None = None, *, total_repeat_length: int | None = None) -> Array:
    """Repeats each element along a dimension.

    Args:
        a: An array.
        repeats: How often: one number, or one for each element, which must be known unless the total is given.
        axis: The dimension; None for the flat array.
        total_repeat_length: The size of the result along the dimension; the last element fills what is missing.

    Returns:
        The repeated array.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.repeat(jnp.arange(2), 2)
        Array([0, 0, 1, 1], dtype=int32)
    """
    if axis is None:
        a, axis = ravel(a), 0
    d = axis_of("repeat", axis, len(shape_of(a)))
    n = shape_of(a)[d]
    if total_repeat_length is None:
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


_INDEX_MODES = ("edge", "reflect", "symmetric", "wrap")


def pad(array: ArrayLike, pad_width: Any, mode: str = "constant", *, constant_values: Any = 0) -> Array:
    """Puts elements around an array.

    Args:
        array: An array.
        pad_width: How many: one number, a pair (before, after), or such a pair for each dimension.
        mode: ``"constant"``, ``"edge"``, ``"reflect"``, ``"symmetric"`` or ``"wrap"``.
        constant_values: The element for ``"constant"``; or a pair, or a pair for each dimension.

    Returns:
        The padded array.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.pad(jnp.arange(1, 4), 2, "reflect")
        Array([3, 2, 1, 2, 3, 2, 1], dtype=int32)
    """
    shape = shape_of(array)
    widths = _pairs("pad", pad_width, len(shape))
    if mode == "constant":
        if is_sequence(constant_values):
            return _padded_each(array, _constants(constant_values, len(shape)), widths=widths)
        return _padded(array, constant_values, widths=widths)
    if mode == "empty":
        return _padded(array, 0, widths=widths)
    if mode not in _INDEX_MODES:
        raise ArgumentError("pad", "the mode is not known", repr(mode), f"'constant' or one of {_INDEX_MODES}")
    found = as_array(array)
    for d, (low, high) in enumerate(widths):
        if low or high:
            if not shape[d]:
                raise ArgumentError("pad", f"axis {d} is empty and has nothing to repeat", shape, "mode='constant'")
            n = shape[d]
            around = [np.arange(-low, 0), np.arange(n, n + high)]
            ends = [take(found, _inside(mode, positions, n), axis=d, mode="clip") for positions in around
                    if len(positions)]
            found = concatenate([*ends[:bool(low)], found, *ends[bool(low):]], d)
    return found


def _inside(mode: str, positions: np.ndarray, n: int) -> np.ndarray:
    """The indices in a row of n elements that stand for indices outside."""
    if mode == "edge":
        return positions.clip(0, n - 1)
    if mode == "wrap":
        return positions % n
    period = 2 * n if mode == "symmetric" else max(2 * n - 2, 1)
    found = positions % period
    return np.where(found < n, found, period - found - (mode == "symmetric"))


def _pairs(function: str, widths: Any, ndim: int) -> tuple[tuple[int, int], ...]:
    if isinstance(widths, dict):
        given: list[tuple[int, ...]] = [(0, 0)] * ndim
        for axis, pair in widths.items():
            position, amounts = axis_of(function, axis, ndim), integers(function, pair, "a width")
            given[position] = amounts * 2 if len(amounts) == 1 else amounts
        widths = given
    try:
        found = np.broadcast_to(known_integers(function, widths, "the width"), (ndim, 2)) if ndim else np.zeros(
            (0, 2), int)
    except ValueError:
        found = None
    if found is None or (found < 0).any():
        raise ArgumentError(function, "the widths do not fit the array", described(widths),
                            f"a number, a pair, or {ndim} pairs of numbers of zero or more")
    return tuple((int(low), int(high)) for low, high in found)


def _constants(values: Any, ndim: int) -> list[tuple[Any, Any]]:
    """A pair for each dimension."""
    rows = [tuple(row) if is_sequence(row) else (row,) for row in values]
    flat = not any(is_sequence(row) for row in values)
    pairs = [tuple(part for row in rows for part in row)] if flat else rows
    if len(pairs) not in (1, ndim) or any(len(pair) not in (1, 2) or any(map(is_sequence, pair)) for pair in pairs):
        raise ArgumentError("pad", "the constants do not fit the array", described(values),
                            f"a number, a pair, or {ndim} pairs of numbers")
    return [(pair[0], pair[-1]) for pair in (pairs * ndim if len(pairs) == 1 else pairs)]


@api(static=("widths",))
def _padded(x: ArrayLike, value: ArrayLike, widths: tuple[tuple[int, int], ...]) -> Any:
    return lax.pad(x, cast(value, aval_of(x).dtype, "pad"), [(low, high, 0) for low, high in widths])


@api(static=("widths",))
def _padded_each(x: ArrayLike, values: Any, widths: tuple[tuple[int, int], ...]) -> Any:
    for d, ((low, high), (before, after)) in enumerate(zip(widths, values, strict=True)):
        for amounts, value in (((low, 0, 0), before), ((0, high, 0), after)):
            if any(amounts):
                x = lax.pad(x, cast(value, aval_of(x).dtype, "pad"),
                            [amounts if i == d else (0, 0, 0) for i in range(len(widths))])
    return as_array(x)


def insert(arr: ArrayLike, obj: Any, values: ArrayLike, axis: int | None = None) -> Array:
    """Puts values in front of an index.

    Args:
        arr: An array.
        obj: The index, or indices, which must be known.
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
    positions = known_integers("insert", obj, "the index")
    if positions.ndim > 1 or (positions.size and not -n <= positions.min() <= positions.max() <= n):
        raise ArgumentError("insert", "the indices do not fit the array", described(obj),
                            f"one index or a row of them, from {-n} to {n}")
    values = array(values, ndmin=len(shape_of(arr)))
    if positions.ndim == 0:  # one index takes as many values as there are, their first dimension along the axis
        values = moveaxis(values, 0, d)
        positions = np.repeat(positions, shape_of(values)[d])
    positions = np.where(positions < 0, positions + n, positions)
    shape = list(shape_of(arr))
    shape[d] = len(positions)
    check_broadcast("insert", shape_of(values), tuple(shape))
    new = broadcast(convert(values, aval_of(arr).dtype), tuple(shape))
    order = np.argsort(np.concatenate([np.arange(n) * 2 + 1, positions * 2]), kind="stable").astype(np.int32)
    return take(concatenate([arr, new], d), order, axis=d, mode="clip")


def delete(arr: ArrayLike, obj: Any, axis: int | None = None) -> Array:
    """Leaves out the elements at indices.

    Args:
        arr: An array.
        obj: The index, indices or slice, which must be known.
        axis: The dimension; None for the flat array.

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


@api(static=("shifts", "axes"))
def _rolled(a: ArrayLike, shifts: tuple[int, ...], axes: tuple[int, ...]) -> Any:
    for shift, axis in zip(shifts, axes, strict=True):
        n = shape_of(a)[axis]
        shift = shift % n if n else 0
        if shift:
            parts = [lax.slice_in_dim(a, n - shift, n, axis=axis), lax.slice_in_dim(a, 0, n - shift, axis=axis)]
            a = lax.concatenate(parts, axis)
    return as_array(a)


@api(static=("axes",))
def _rolled_by(a: ArrayLike, shifts: ArrayLike, axes: tuple[int, ...]) -> Any:
    for i, axis in enumerate(axes):
        shift = lax.index_in_dim(shifts, min(i, shape_of(shifts)[0] - 1), keepdims=False)
        n = shape_of(a)[axis]
        if n:
            a = take(a, remainder(subtract(lax.iota(int, n), shift), n), axis=axis, mode="clip")
    return as_array(a)


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
