# SPDX-License-Identifier: Apache-2.0
"""Arrays cut, joined and repeated, and questions about shapes and element types."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from olympus_core.errors import ArgumentError, described

from ..dimension_numbers import GatherDimensionNumbers
from ..operands import (
    arrays_of,
    axis_of,
    broadcast,
    broadcast_shape,
    element_type,
    integers,
    sequence,
    shape_argument,
    shape_of,
)
from ..tracing import aval_of, canonical_dtype
from ..transforms.jit import api
from ..typing import Array, ArrayLike
from . import structure
from .indexing import gather
from .slicing import slice_in_dim
from .structure import from_host

__all__ = [
    "broadcast_like", "dtype", "index_take", "shape_as_value", "split", "stack", "tile", "unstack",
]


def split(operand: ArrayLike, sizes: Sequence[int], axis: int = 0) -> list[Array]:
    """Cuts an array into parts along a dimension.

    Args:
        operand: An array.
        sizes: The parts' sizes, which together are the dimension's.
        axis: The dimension.

    Returns:
        The parts, in their order.

    Raises:
        ArgumentError: If the sizes do not add up.

    Example:
        >>> from olympus import lax
        >>> [x.tolist() for x in lax.split(lax.iota("int32", 3), (1, 2))]
        [[0], [1, 2]]
    """
    shape = shape_of(operand)
    d = axis_of("split", axis, len(shape))
    parts = integers("split", sizes, "a size", None, 0)
    if sum(parts) != shape[d]:
        raise ArgumentError("split", "the sizes do not add up to that of the dimension", parts,
                            f"numbers whose sum is {shape[d]}")
    return list(_split(operand, sizes=parts, axis=d))


@api(static=("sizes", "axis"))
def _split(operand: Any, sizes: tuple[int, ...], axis: int) -> tuple[Any, ...]:
    found, start = [], 0
    for size in sizes:
        found.append(slice_in_dim(operand, start, start + size, 1, axis))
        start += size
    return tuple(found)


def stack(operands: Sequence[ArrayLike], axis: int = 0) -> Array:
    """Puts arrays side by side along a new dimension.

    Args:
        operands: Arrays of one shape and element type.
        axis: Where the new dimension stands.

    Returns:
        The joined array.

    Raises:
        ArgumentError: If the arrays differ in shape.

    Example:
        >>> from olympus import lax
        >>> lax.stack([lax.iota("int32", 2), lax.iota("int32", 2)], 1).tolist()
        [[0, 0], [1, 1]]
    """
    arrays = arrays_of("stack", operands)
    shapes = {shape_of(x) for x in arrays}
    if len(shapes) > 1:
        raise ArgumentError("stack", "the arrays differ in shape", sorted(shapes), "arrays of one shape")
    return _stack(*arrays, axis=axis_of("stack", axis, len(shape_of(arrays[0])) + 1))


@api(static=("axis",))
def _stack(*arrays: Any, axis: int) -> Any:
    return structure.concatenate([structure.expand_dims(x, axis) for x in arrays], axis)


def unstack(x: ArrayLike, axis: int = 0) -> tuple[Array, ...]:
    """The parts of an array at each index of a dimension.

    Args:
        x: An array.
        axis: The dimension, which the parts lack.

    Returns:
        The parts, in their order.

    Example:
        >>> from olympus import lax
        >>> [int(part) for part in lax.unstack(lax.iota("int32", 3))]
        [0, 1, 2]
    """
    return _unstack(x, axis=axis_of("unstack", axis, len(shape_of(x))))


@api(static=("axis",))
def _unstack(x: Any, axis: int) -> tuple[Any, ...]:
    return tuple(structure.squeeze(slice_in_dim(x, i, i + 1, 1, axis), (axis,)) for i in range(shape_of(x)[axis]))


def tile(operand: ArrayLike, reps: Sequence[int]) -> Array:
    """Repeats an array along its dimensions.

    Args:
        operand: An array.
        reps: How often, for each dimension.

    Returns:
        The repeated array.

    Example:
        >>> from olympus import lax
        >>> lax.tile(lax.iota("int32", 2), (2,)).tolist()
        [0, 1, 0, 1]
    """
    return _tile(operand, reps=integers("tile", reps, "a number of repeats", len(shape_of(operand)), 0))


@api(static=("reps",))
def _tile(operand: Any, reps: tuple[int, ...]) -> Any:
    shape = shape_of(operand)
    spread = [n for pair in zip(reps, shape, strict=True) for n in pair]
    found = structure.broadcast_in_dim(operand, spread, range(1, len(spread), 2))
    return structure.reshape(found, tuple(n * count for n, count in zip(shape, reps, strict=True)))


def broadcast_like(arr: ArrayLike, like_arr: ArrayLike) -> Array:
    """Repeats an array to the shape and sharding of another one.

    Args:
        arr: An array.
        like_arr: The other one.

    Returns:
        The repeated array.

    Raises:
        ArgumentError: If the shapes do not fit.

    Example:
        >>> from olympus import lax
        >>> lax.broadcast_like(lax.iota("int32", 2), lax.full((2, 2), 0.0)).tolist()
        [[0, 1], [0, 1]]
    """
    own, shape = shape_of(arr), shape_of(like_arr)
    if broadcast_shape("broadcast_like", [own, shape]) != shape:
        raise ArgumentError("broadcast_like", "the array does not broadcast to the other's shape", own, shape)
    layout = aval_of(like_arr).layout
    found = from_host(arr) if own == shape else broadcast(arr, shape)
    return found if layout is None else structure.constrained(found, aval_of(like_arr).sharding)


def dtype(x: Any) -> np.dtype:
    """The element type of an array or number, or the one that a type stands for.

    Args:
        x: An array, a number, or an element type.

    Returns:
        The element type.

    Example:
        >>> from olympus import lax
        >>> lax.dtype(1.0), lax.dtype("int8")
        (dtype('float32'), dtype('int8'))
    """
    if x is None:
        raise ArgumentError("dtype", "None has no element type", "None", "an array, a number or an element type")
    if isinstance(x, (str, type, np.dtype)) or (hasattr(x, "dtype") and not hasattr(x, "shape")):
        return element_type("dtype", x, is_told=False)
    return canonical_dtype(aval_of(x).dtype)


def shape_as_value(shape: Sequence[int]) -> Array:
    """The sizes of a shape as an array.

    Args:
        shape: The shape.

    Returns:
        An array of integers.

    Example:
        >>> from olympus import lax
        >>> lax.shape_as_value((2, 3))
        Array([2, 3], dtype=int32)
    """
    return from_host(np.array(shape_argument("shape_as_value", shape), aval_of(0).dtype))


def index_take(src: ArrayLike, idxs: Sequence[ArrayLike], axes: Sequence[int]) -> Array:
    """The parts of an array at indices along some of its dimensions, taken together.

    Args:
        src: An array.
        idxs: For each of the dimensions a row of indices, all of one length; those outside are clamped.
        axes: The dimensions.

    Returns:
        The parts along a new leading dimension, which have the dimensions that are left.

    Raises:
        ArgumentError: If indices and dimensions do not fit.

    Example:
        >>> import numpy as np
        >>> from olympus import lax
        >>> lax.index_take(np.arange(6).reshape(2, 3), (np.array([0, 1]), np.array([2, 0])), (0, 1)).tolist()
        [2, 3]
    """
    name, shape = "index_take", shape_of(src)
    rows = sequence(name, idxs, "idxs", "indices")
    dims = [axis_of(name, axis, len(shape)) for axis in integers(name, axes, "a dimension", len(rows))]
    if not rows or any(len(shape_of(row)) != 1 for row in rows) or len({shape_of(row) for row in rows}) > 1:
        raise ArgumentError(name, "the indices are no rows of one length", described(idxs),
                            "an array of one dimension for each axis")
    if len(set(dims)) != len(dims):
        raise ArgumentError(name, "a dimension is named twice", axes, "different ones")
    kept = len(shape) - len(dims)
    numbers = GatherDimensionNumbers(tuple(range(1, kept + 1)), tuple(sorted(dims)), tuple(dims))
    sizes = tuple(1 if d in dims else n for d, n in enumerate(shape))
    return gather(src, stack(rows, 1), numbers, sizes, mode="clip")
