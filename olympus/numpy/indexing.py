# SPDX-License-Identifier: Apache-2.0
"""Taking elements out of arrays: ``x[...]``, `take`, `where`. `updates.py` has ``x.at[...]``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.errors import ArgumentError, described
from olympus_core.program.types import SymbolicSize, known_sizes

from .. import lax
from ..lax.indexing import fill_number
from ..lax.slicing import from_end
from ..operands import (
    as_array,
    as_constant_if_wide,
    axis_of,
    broadcast,
    broadcast_shape,
    cast,
    counting,
    dtype_of,
    is_number,
    known_integers,
    shape_of,
)
from ..tracing import aval_of, bind
from ..transforms.jit import api
from ..typing import Array, ArrayLike
from .arithmetic import remainder
from .creation import asarray, holds_arrays
from .indexing_plan import Integer, Many, New, Plan, Slice, parse, plan_of, spread_bools
from .shapes import ravel

__all__ = ["take", "take_along_axis"]


def index_array(index: ArrayLike, size: int, dtype: np.dtype | None = None, counts_from_end: bool = True) -> Any:
    """Indices in one type that count from the front, cut to its range first: what is outside stays so. Host's at once.

    Without a type they are int32, unless the dimension is longer. Negative ones can be outside instead of counting
    from the end.
    """
    wanted = dtypes.index_dtype(size) if dtype is None else dtype
    ends = dtypes.limits(wanted)
    if is_number(index) or isinstance(index, (np.ndarray, np.generic)):
        host = np.asarray(index)
        if host.dtype == dtypes.uint64:  # int64 would wrap the greatest to negative ones
            host = np.minimum(host, np.uint64(ends.max))
        host = host.astype(np.int64)
        host = np.where(host < 0, host + size, host) if counts_from_end else host
        return as_constant_if_wide(host.clip(ends.min, ends.max).astype(wanted))
    index = from_end(index, size) if counts_from_end else index
    own = dtype_of(index)
    if own.itemsize >= wanted.itemsize and own != wanted:
        index = lax.clamp(0 if dtypes.is_unsigned(own) else ends.min, index, ends.max)
    return cast(index, wanted)


def getitem(x: ArrayLike, index: Any) -> Array:
    """``x[index]``, for whatever NumPy takes as an index; masks must have known values."""
    index, shape = spread_bools(index, shape_of(x))
    if shape != shape_of(x):
        x = lax.reshape(x, shape)
    plan, operands = parse(index, shape)
    if max(known_sizes(shape), default=0) < 1 << 31:
        return _indexed(x, *operands, plan=plan, fill=False, fill_value=None)
    with counting(shape):
        return _indexed(x, *operands, plan=plan, fill=False, fill_value=None)


@api(static=("plan", "fill", "fill_value"))
def _indexed(x: ArrayLike, *operands: ArrayLike, plan: Plan, fill: bool, fill_value: Any) -> Any:
    if plan.has_arrays:
        return _gathered(x, operands, plan, fill, fill_value)
    if fill and any(isinstance(e, Integer) and not e.inside for e in plan.entries):
        many = plan_of(tuple(Many() if isinstance(e, Integer) else e for e in plan.entries))
        return _gathered(x, operands, many, fill, fill_value)
    x = _sliced(x, [e for e in plan.entries if not isinstance(e, New)], operands)
    shape, sizes = [], iter(shape_of(x))
    for entry in plan.entries:
        if isinstance(entry, New):
            shape.append(1)
        elif isinstance(entry, Slice):
            shape.append(next(sizes))
        else:
            next(sizes)
    return as_array(lax.reshape(x, tuple(shape)))


def _sliced(x: Any, entries: Sequence[Any], operands: Sequence[Any]) -> Any:
    """The slices of an array, and single indices as slices of size one."""
    shape = shape_of(x)
    starts, limits, strides = [0] * len(shape), list(shape), [1] * len(shape)
    reversed_, computed = [], {}
    remaining = iter(operands)
    for d, entry in enumerate(entries):
        if isinstance(entry, Integer):
            start = next(remaining)
            if is_number(start):
                starts[d], limits[d] = int(start), int(start) + 1
            else:
                computed[d] = (cast(start, dtypes.index_dtype(shape[d])) if entry.inside
                               else index_array(start, shape[d]))
        elif isinstance(entry, Slice):
            if entry.step == 1 and isinstance(entry.count, SymbolicSize):
                starts[d], limits[d] = entry.start, entry.start + entry.count
                continue
            last = entry.start + (entry.count - 1) * entry.step
            first, final = (entry.start, last) if entry.step > 0 else (last, entry.start)
            starts[d], limits[d] = (first, final + 1) if entry.count else (0, 0)
            strides[d] = abs(entry.step)
            if entry.step < 0 and (isinstance(entry.count, SymbolicSize) or entry.count > 1):
                reversed_.append(d)
    if starts != [0] * len(shape) or limits != list(shape) or strides != [1] * len(shape):
        x = lax.slice(x, starts, limits, strides)
    if computed:
        sizes = tuple(1 if d in computed else n for d, n in enumerate(shape_of(x)))
        zero = np.zeros((), np.int32)
        x = bind(ops.dynamic_slice, x, *(computed.get(d, zero) for d in range(len(shape))), sizes=sizes,
                 weak=aval_of(x).weak)
    return lax.rev(x, reversed_) if reversed_ else x


def _gathered(x: Any, operands: Sequence[Any], plan: Plan, fill: bool, fill_value: Any) -> Any:
    """First the slices, then the arrays of indices all at once."""
    entries = [e for e in plan.entries if not isinstance(e, New)]
    whole = [Slice(0, 1, n) for n in shape_of(x)]
    x = _sliced(x, [w if isinstance(e, Many) else e for e, w in zip(entries, whole, strict=True)], ())
    axes = tuple(d for d, e in enumerate(entries) if isinstance(e, Many))
    found = gather_along(x, operands, axes, 0 if plan.front else axes[0], fill, fill_value)
    batch = len(broadcast_shape("indexing", [shape_of(i) for i in operands]))
    sizes = list(shape_of(found))
    shape, position, done = [], batch if plan.front else 0, plan.front
    if plan.front:
        shape += sizes[:batch]
    for entry in plan.entries:
        if isinstance(entry, New):
            shape.append(1)
        elif isinstance(entry, Slice):
            shape.append(sizes[position])
            position += 1
        elif not done:
            shape += sizes[position:position + batch]
            position, done = position + batch, True
    return lax.reshape(found, tuple(shape))


def index_vectors(indices: Sequence[ArrayLike], sizes: Sequence[int]) -> Any:
    """Arrays of indices, broadcast together, as index vectors in a last dimension."""
    dtype = dtypes.index_dtype(max(sizes, default=0))
    moved = [index_array(i, n, dtype) for i, n in zip(indices, sizes, strict=True)]
    shape = broadcast_shape("indexing", [shape_of(i) for i in moved])
    if all(isinstance(i, np.ndarray) for i in moved):
        return np.stack([np.broadcast_to(i, shape) for i in moved], -1)
    columns = [lax.expand_dims(broadcast(i, shape), len(shape)) for i in moved]
    return columns[0] if len(columns) == 1 else lax.concatenate(columns, len(shape))


def gather_along(
    x: Any, indices: Sequence[ArrayLike], axes: tuple[int, ...], position: int, fill: bool, fill_value: Any
) -> Any:
    """The elements at arrays of indices of some axes; the arrays' dimensions stand at `position` of the result."""
    shape = shape_of(x)
    vectors = index_vectors(indices, [shape[d] for d in axes])
    batch, rest = len(shape_of(vectors)) - 1, len(shape) - len(axes)
    attributes: dict[str, Any] = {} if fill_value is None else {"fill_value": fill_value}
    return bind(
        ops.gather, x, vectors, offset_dims=tuple(d if d < position else d + batch for d in range(rest)),
        collapsed_slice_dims=axes, start_index_map=axes, operand_batching_dims=(), indices_batching_dims=(),
        slice_sizes=tuple(min(1, n) if d in axes else n for d, n in enumerate(shape)), mode="fill" if fill else "clip",
        weak=aval_of(x).weak, **attributes,
    )


_TAKE_MODES = ("fill", "clip", "wrap", "promise_in_bounds")


def _wrapped(index: Any, size: int) -> Any:
    wide = dtypes.index_dtype(size)
    if dtype_of(index).itemsize < wide.itemsize:  # narrow types may not hold the size
        index = cast(index, wide)
    return remainder(index, size) if size else index


def take_mode(function: str, mode: Any) -> str:
    """The word for what happens to indices outside; ``"fill"`` for None."""
    word = "fill" if mode is None else getattr(mode, "name", mode)
    word = word.lower() if isinstance(word, str) else None
    if word in ("fill_or_drop", "drop", "one_hot"):
        word = "fill"
    if word is None or word not in _TAKE_MODES:
        raise ArgumentError(function, "the mode is not known", described(mode), f"one of {', '.join(_TAKE_MODES)}")
    return word


@api(static=("axis", "mode", "fill_value"), call="_take")
def _taken(a: ArrayLike, indices: ArrayLike, axis: int, mode: str, fill_value: Any) -> Any:
    if mode == "wrap":
        indices = _wrapped(indices, shape_of(a)[axis])
    elif mode == "clip" and not dtypes.is_unsigned(dtype_of(indices)):
        indices = lax.max(indices, np.zeros((), dtype_of(indices)))  # NumPy's clip knows no indices from the end
    return gather_along(a, [indices], (axis,), axis, mode == "fill", fill_value)


def take(
    a: ArrayLike, indices: ArrayLike, axis: int | None = None, out: None = None, mode: str | None = None,
    unique_indices: bool = False, indices_are_sorted: bool = False, fill_value: Any = None,
) -> Array:
    """The elements at indices along a dimension.

    Args:
        a: An array.
        indices: Integers; negative ones count from the end, but for ``mode="clip"``.
        axis: The dimension; None for the flat array.
        out: Not used: arrays never change.
        mode: What to do with indices outside: ``"fill"`` (the default), ``"clip"``, which takes the first element for
            all negative ones, or ``"wrap"``.
        unique_indices: A promise that no index comes twice.
        indices_are_sorted: A promise that the indices ascend.
        fill_value: The element for ``"fill"``; NaN, or the least or greatest integer, for None.

    Returns:
        The elements, with the dimensions of `indices` instead of the dimension.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.take(jnp.arange(10, 15), jnp.array([3, 0, -1]))
        Array([13, 10, 14], dtype=int32)
    """
    if axis is None:
        a, axis = ravel(a), 0
    if isinstance(indices, (list, tuple)):
        indices = asarray(indices) if holds_arrays(indices) else known_integers("take", indices, "the index")
    if not dtypes.is_integer(dtype_of(indices)):
        raise ArgumentError("take", "the indices are not integers", dtype_of(indices).name, "integers")
    with counting(shape_of(a)):
        return _taken(a, indices, axis=axis_of("take", axis, len(shape_of(a))), mode=take_mode("take", mode),
                      fill_value=host_fill(a, fill_value))


def host_fill(a: Any, fill_value: Any) -> Any:
    """A Python number of the array's element type, for an operation's attribute."""
    if fill_value is None:
        return None
    return fill_number("take", fill_value, dtype_of(a))


@api(static=("axis", "mode", "fill_value", "counts_from_end"))
def _along(
    a: ArrayLike, indices: ArrayLike, axis: int, mode: str, fill_value: Any, counts_from_end: bool = True
) -> Any:
    shape, own = shape_of(a), shape_of(indices)
    others_only = [(*sizes[:axis], 1, *sizes[axis + 1:]) for sizes in (shape, own)]
    wanted = broadcast_shape("take_along_axis", others_only)
    a = broadcast(a, (*wanted[:axis], shape[axis], *wanted[axis + 1:]))
    indices = _wrapped(indices, shape[axis]) if mode == "wrap" else index_array(
        indices, shape[axis], counts_from_end=counts_from_end)
    indices = broadcast(indices, (*wanted[:axis], own[axis], *wanted[axis + 1:]))
    others = tuple(d for d in range(len(shape)) if d != axis)
    attributes: dict[str, Any] = {} if fill_value is None else {"fill_value": fill_value}
    return bind(
        ops.gather, a, lax.expand_dims(indices, len(shape)), offset_dims=(), collapsed_slice_dims=(axis,),
        start_index_map=(axis,), operand_batching_dims=others, indices_batching_dims=others,
        slice_sizes=tuple(int(bool(n)) for n in shape_of(a)), mode="fill" if mode == "fill" else "clip",
        weak=aval_of(a).weak, **attributes,
    )


def take_along_axis(
    arr: ArrayLike, indices: ArrayLike, axis: int | None = -1, mode: str | None = None, fill_value: Any = None, *,
    wrap_negative_indices: bool | None = None,
) -> Array:
    """The elements at indices along a dimension, with indices of their own for each index in the others.

    Args:
        arr: An array.
        indices: Integers, with as many dimensions.
        axis: The dimension; None for the flat array.
        mode: What to do with indices outside: ``"fill"`` (the default), ``"clip"`` or ``"wrap"``.
        fill_value: The element for ``"fill"``.
        wrap_negative_indices: Whether negative indices count from the end, as they do for None; else they are outside.

    Returns:
        An array of the shape of `indices`, broadcast with the array but for the dimension.

    Example:
        >>> import olympus.numpy as jnp
        >>> x = jnp.array([[10, 30, 20]])
        >>> jnp.take_along_axis(x, jnp.argsort(x), axis=1)
        Array([[10, 20, 30]], dtype=int32)
    """
    if axis is None:
        arr, axis = ravel(arr), 0
        if len(shape_of(indices)) != 1:
            raise ArgumentError("take_along_axis", "the indices for axis=None have several dimensions",
                                shape_of(indices), "one dimension")
    if len(shape_of(arr)) != len(shape_of(indices)):
        raise ArgumentError("take_along_axis", "array and indices differ in their number of dimensions",
                            f"{shape_of(arr)} and {shape_of(indices)}", "equal numbers")
    if not dtypes.is_integer(dtype_of(indices)):
        raise ArgumentError("take_along_axis", "the indices are not integers", dtype_of(indices).name, "integers")
    with counting(shape_of(arr)):
        return _along(arr, indices, axis=axis_of("take_along_axis", axis, len(shape_of(arr))),
                      mode=take_mode("take_along_axis", mode), fill_value=host_fill(arr, fill_value),
                      counts_from_end=wrap_negative_indices is not False)
