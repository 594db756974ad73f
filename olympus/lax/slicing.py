# SPDX-License-Identifier: Apache-2.0
"""Parts of arrays: slices at fixed and at computed offsets."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.errors import ArgumentError, described
from olympus_core.program.types import SymbolicSize

from ..config import enable_x64
from ..operands import (
    as_constant_if_wide,
    axis_of,
    cast,
    convert,
    counting,
    filled,
    integer,
    integers,
    is_number,
    sequence,
    shape_argument,
    shape_of,
)
from ..tracing import aval_of, bind
from ..transforms.jit import api
from ..typing import Array, ArrayLike
from .structure import expand_dims, squeeze

__all__ = [
    "dynamic_index_in_dim", "dynamic_slice", "dynamic_slice_in_dim", "dynamic_update_index_in_dim",
    "dynamic_update_slice", "dynamic_update_slice_in_dim", "index_in_dim", "slice", "slice_in_dim",
]


def slice(
    operand: ArrayLike, start_indices: Sequence[int], limit_indices: Sequence[int], strides: Sequence[int] | None = None
) -> Array:
    """A part of an array.

    Args:
        operand: An array.
        start_indices: For each dimension the first index.
        limit_indices: For each dimension the index after the last.
        strides: For each dimension the step; 1 for None.

    Returns:
        The part.

    Example:
        >>> from olympus import lax
        >>> lax.slice(lax.iota("int32", 6), (1,), (5,), (2,))
        Array([1, 3], dtype=int32)
    """
    ndim = len(shape_of(operand))
    starts = integers("slice", start_indices, "a start", ndim, 0)
    steps = (1,) * ndim if strides is None else integers("slice", strides, "a stride", ndim, 1)
    return bind(ops.slice, operand, starts=starts, limits=integers("slice", limit_indices, "a limit", ndim, 0),
                strides=steps)


def slice_in_dim(
    operand: ArrayLike, start_index: int | None, limit_index: int | None, stride: int = 1, axis: int = 0
) -> Array:
    """A part of an array along one dimension.

    Args:
        operand: An array.
        start_index: The first index; negative ones count from the end.
        limit_index: The index after the last; None for the end.
        stride: The step.
        axis: The dimension.

    Returns:
        The part.

    Example:
        >>> from olympus import lax
        >>> lax.slice_in_dim(lax.iota("int32", 5), 1, -1)
        Array([1, 2, 3], dtype=int32)
    """
    shape = shape_of(operand)
    dimension = axis_of("slice_in_dim", axis, len(shape))
    bounds = [None if i is None else integer("slice_in_dim", i, "an index") for i in (start_index, limit_index)]
    sizes: list[Any] = [shape[dimension], *bounds]
    sized = next((n for n in sizes if isinstance(n, SymbolicSize)), None)
    if sized is None:
        first, limit, _ = builtins.slice(*bounds).indices(shape[dimension])
    else:
        first, _, count = sized.sliced(builtins.slice(*bounds), shape[dimension])
        limit = first + count
    stride = integer("slice_in_dim", stride, "the stride", 1)
    starts, limits, strides = [0] * len(shape), list(shape), [1] * len(shape)
    starts[dimension], strides[dimension] = first, stride
    limits[dimension] = builtins.max(first, limit) if sized is None else limit
    return slice(operand, starts, limits, strides)


def index_in_dim(operand: ArrayLike, index: int, axis: int = 0, keepdims: bool = True) -> Array:
    """The elements at one index of a dimension.

    Args:
        operand: An array.
        index: The index; negative ones count from the end.
        axis: The dimension.
        keepdims: Whether the dimension stays, with size one.

    Returns:
        The elements.

    Example:
        >>> from olympus import lax
        >>> int(lax.index_in_dim(lax.iota("int32", 5), -1, keepdims=False))
        4
    """
    shape = shape_of(operand)
    dimension = axis_of("index_in_dim", axis, len(shape))
    position = axis_of("index_in_dim", index, shape[dimension])
    part = slice_in_dim(operand, position, position + 1, axis=dimension)
    return part if keepdims else squeeze(part, dimension)


def start_operands(starts: Any, count: int) -> list[Any]:
    """Integer scalars for the starts of a dynamic slice in `count` dimensions."""
    if hasattr(starts, "aval"):
        if len(shape_of(starts)) != 1:
            raise ArgumentError("dynamic_slice", "the starts do not fit", repr(aval_of(starts)), "one dimension")
        starts = [index_in_dim(starts, i, keepdims=False) for i in range(shape_of(starts)[0])]
    if len(starts) != count:
        raise ArgumentError("dynamic_slice", "the starts do not fit the array", f"{len(starts)} starts",
                            f"{count}, one for each dimension")
    found = []
    for start in starts:
        aval = aval_of(start)
        if aval.shape or not dtypes.is_integer(aval.dtype):
            raise ArgumentError("dynamic_slice", "a start is not an integer", repr(aval), "an integer scalar")
        found.append(convert(start, aval.dtype) if is_number(start) else start)
    return found


@api(static=("slice_sizes",))
def _dynamic_slice(operand: ArrayLike, starts: Any, slice_sizes: tuple[int, ...]) -> Any:
    sizes = shape_of(operand)
    positions = [from_end(start, n) for start, n in zip(start_operands(starts, len(sizes)), sizes, strict=True)]
    return bind(ops.dynamic_slice, operand, *positions, sizes=slice_sizes, weak=aval_of(operand).weak)


def from_end(index: Any, size: int) -> Any:
    """An index that counts from the front, of one that counts from the end where it is negative."""
    aval = aval_of(index)
    wide = dtypes.index_dtype(size)
    narrow = aval.dtype.itemsize < wide.itemsize and size > dtypes.limits(aval.dtype).max  # it cannot hold the size
    if is_number(index) or isinstance(index, (np.ndarray, np.generic)):
        host = np.asarray(index).astype(wide if narrow else aval.dtype)
        if dtypes.is_signed(host.dtype):
            host = np.where(host < 0, host + size, host).astype(host.dtype)
        return as_constant_if_wide(host) if wide == dtypes.int64 else host
    if narrow:
        index = bind(ops.convert, index, dtype=wide)
        aval = aval_of(index)
    if dtypes.is_unsigned(aval.dtype):
        return index
    with enable_x64(True) if aval.dtype.itemsize > 4 else nullcontext():  # constants as wide as the index
        moved = bind(ops.add, index, filled(size, aval.shape, aval.dtype))
        return bind(ops.select, bind(ops.lt, index, filled(0, aval.shape, aval.dtype)), moved, index)


def dynamic_slice(
    operand: ArrayLike, start_indices: Sequence[ArrayLike], slice_sizes: Sequence[int], *,
    allow_negative_indices: bool | Sequence[bool] = True,
) -> Array:
    """A part of an array at offsets that may be computed; it is moved where it would exceed the end.

    Args:
        operand: An array.
        start_indices: For each dimension the first index; negative ones count from the end.
        slice_sizes: The part's shape.
        allow_negative_indices: Whether negative offsets count from the end, as a whole or for each dimension; otherwise
            they stand for zero.

    Returns:
        The part.

    Example:
        >>> from olympus import lax
        >>> lax.dynamic_slice(lax.iota("int32", 5), (3,), (3,))
        Array([2, 3, 4], dtype=int32)
    """
    sizes = shape_argument("dynamic_slice", slice_sizes)
    with counting(shape_of(operand)):
        return _dynamic_slice(operand, _offsets(start_indices, allow_negative_indices), slice_sizes=sizes)


def _offsets(starts: Any, negative: Any) -> Any:
    """The offsets of a part; where negative ones do not count from the end, zero in their place."""
    given: Any = starts if hasattr(starts, "aval") else sequence("dynamic_slice", starts, "the start", "integers")
    if negative is True:
        return given
    if hasattr(given, "aval"):
        return _not_negative(given) if not isinstance(negative, (tuple, list)) and not negative else _offsets(
            [given[i] for i in range(shape_of(given)[0])], negative)
    each = tuple(negative) if isinstance(negative, (tuple, list)) else (bool(negative),) * len(given)
    if len(each) != len(given):
        raise ArgumentError("dynamic_slice", "allow_negative_indices does not fit", described(negative),
                            f"one bool, or {len(given)} of them")
    return tuple(start if may else _not_negative(start) for start, may in zip(given, each, strict=True))


def _not_negative(start: Any) -> Any:
    if is_number(start):
        return max(start, 0)
    aval = aval_of(start)
    return start if dtypes.is_unsigned(aval.dtype) else bind(ops.max, start, filled(0, aval.shape, aval.dtype))


def dynamic_slice_in_dim(
    operand: ArrayLike, start_index: ArrayLike, slice_size: int, axis: int = 0, *,
    allow_negative_indices: bool = True,
) -> Array:
    """A part of an array along one dimension, at offsets that may be computed.

    Args:
        operand: An array.
        start_index: The first index.
        slice_size: How many.
        axis: The dimension.
        allow_negative_indices: Whether negative ones count from the end; otherwise they stand for zero.

    Returns:
        The part.

    Example:
        >>> from olympus import lax
        >>> lax.dynamic_slice_in_dim(lax.iota("int32", 5), 1, 2)
        Array([1, 2], dtype=int32)
    """
    shape = shape_of(operand)
    dimension = axis_of("dynamic_slice_in_dim", axis, len(shape))
    starts: list[Any] = [0] * len(shape)
    sizes = list(shape)
    starts[dimension], sizes[dimension] = start_index, slice_size
    return dynamic_slice(operand, starts, sizes, allow_negative_indices=allow_negative_indices)


def dynamic_index_in_dim(
    operand: ArrayLike, index: ArrayLike, axis: int = 0, keepdims: bool = True, *,
    allow_negative_indices: bool = True,
) -> Array:
    """The elements at one index of a dimension, which may be computed.

    Args:
        operand: An array.
        index: The index.
        axis: The dimension.
        keepdims: Whether the dimension stays, with size one.
        allow_negative_indices: Whether negative ones count from the end; otherwise they stand for zero.

    Returns:
        The elements.

    Example:
        >>> from olympus import lax
        >>> int(lax.dynamic_index_in_dim(lax.iota("int32", 5), 2, keepdims=False))
        2
    """
    part = dynamic_slice_in_dim(operand, index, 1, axis, allow_negative_indices=allow_negative_indices)
    return part if keepdims else squeeze(part, axis_of("dynamic_index_in_dim", axis, len(shape_of(operand))))


@api
def _dynamic_update_slice(operand: ArrayLike, update: ArrayLike, starts: Any) -> Any:
    aval = aval_of(operand)
    found = start_operands(starts, len(aval.shape))
    positions = [from_end(start, n) for start, n in zip(found, aval.shape, strict=True)]
    if aval_of(update).weak:
        update = cast(update, aval.dtype, "dynamic_update_slice")
    return bind(ops.dynamic_update_slice, operand, update, *positions, weak=aval.weak)


def dynamic_update_slice(
    operand: ArrayLike, update: ArrayLike, start_indices: Sequence[ArrayLike], *,
    allow_negative_indices: bool | Sequence[bool] = True,
) -> Array:
    """The array with a part replaced, at offsets that may be computed; it is moved where it would exceed the end.

    Args:
        operand: An array.
        update: The new part.
        start_indices: For each dimension the first index.
        allow_negative_indices: Whether negative offsets count from the end, as a whole or for each dimension; otherwise
            they stand for zero.

    Returns:
        A new array.

    Example:
        >>> from olympus import lax
        >>> lax.dynamic_update_slice(lax.iota("int32", 4), lax.full((2,), 9, "int32"), (1,))
        Array([0, 9, 9, 3], dtype=int32)
    """
    starts = _offsets(start_indices, allow_negative_indices)
    with counting(shape_of(operand)):
        return _dynamic_update_slice(operand, update, starts)


def dynamic_update_slice_in_dim(
    operand: ArrayLike, update: ArrayLike, start_index: ArrayLike, axis: int, *,
    allow_negative_indices: bool = True,
) -> Array:
    """The array with a part along one dimension replaced.

    Args:
        operand: An array.
        update: The new part; one number fills one index.
        start_index: The first index.
        axis: The dimension.
        allow_negative_indices: Whether negative ones count from the end; otherwise they stand for zero.

    Returns:
        A new array.

    Example:
        >>> from olympus import lax
        >>> lax.dynamic_update_slice_in_dim(lax.iota("int32", 4), lax.full((2,), 9, "int32"), 2, 0)
        Array([0, 1, 9, 9], dtype=int32)
    """
    ndim = len(shape_of(operand))
    starts: list[Any] = [0] * ndim
    starts[axis_of("dynamic_update_slice_in_dim", axis, ndim)] = start_index
    return dynamic_update_slice(operand, update, starts, allow_negative_indices=allow_negative_indices)


def dynamic_update_index_in_dim(
    operand: ArrayLike, update: ArrayLike, index: ArrayLike, axis: int, *,
    allow_negative_indices: bool = True,
) -> Array:
    """The array with the elements at one index of a dimension replaced.

    Args:
        operand: An array.
        update: The new elements, with or without the dimension.
        index: The index.
        axis: The dimension.
        allow_negative_indices: Whether negative ones count from the end; otherwise they stand for zero.

    Returns:
        A new array.

    Example:
        >>> from olympus import lax
        >>> lax.dynamic_update_index_in_dim(lax.iota("int32", 4), lax.full((), 9, "int32"), 2, 0)
        Array([0, 1, 9, 3], dtype=int32)
    """
    ndim = len(shape_of(operand))
    dimension = axis_of("dynamic_update_index_in_dim", axis, ndim)
    if len(shape_of(update)) < ndim:
        update = expand_dims(update, dimension)
    return dynamic_update_slice_in_dim(
        operand, update, index, dimension, allow_negative_indices=allow_negative_indices)
