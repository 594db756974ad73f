# SPDX-License-Identifier: Apache-2.0
"""Shapes: operations that move elements and compute nothing."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.errors import ArgumentError
from olympus_core.placement import Sharding, sharding_of
from olympus_core.program import OperationRecord
from olympus_core.runtime import BoundedCache

from ..operands import (
    Shape,
    arrays_of,
    axes_of,
    axis_of,
    broadcast_shape,
    check_broadcast,
    convert,
    element_type,
    filled,
    integer,
    integers,
    is_number,
    rank_argument,
    sequence,
    shape_argument,
    shape_of,
    weakly,
)
from ..operands import broadcast as broadcast_operand
from ..tracing import Aval, Tracer, aval_of, bind, is_evaluating
from ..tracing.explicit import visible
from ..tracing.values import constant_of
from ..transforms import explicit
from ..transforms.caches import kept
from ..transforms.call_shardings import sharding_given
from ..transforms.device_put import device_put, target
from ..transforms.jit import Jitted, api
from ..typing import Array, ArrayLike, DeviceLike, DTypeLike, ShardingLike

__all__ = [
    "broadcast", "broadcast_in_dim", "broadcast_shapes", "broadcast_to_rank", "broadcasted_iota", "collapse",
    "concatenate", "empty", "expand_dims", "full", "full_like", "iota", "pad", "reshape", "rev", "squeeze", "transpose",
    "zeros_like_array",
]

_slice = builtins.slice


def reshape(
    operand: ArrayLike, new_sizes: Sequence[int] | int, dimensions: Sequence[int] | None = None, *,
    out_sharding: ShardingLike | None = None,
) -> Array:
    """The same elements in another shape.

    Args:
        operand: An array.
        new_sizes: The shape; one size may be -1.
        dimensions: The order in which to read the operand's dimensions.
        out_sharding: How the result is to be sharded.

    Returns:
        The reshaped array.

    Raises:
        ArgumentError: If the shape has another number of elements.

    Example:
        >>> from olympus import lax
        >>> lax.reshape(lax.iota("int32", 4), (2, 2)).shape
        (2, 2)
    """
    aval = aval_of(operand)
    if dimensions is not None:
        operand = transpose(operand, dimensions)
    shape = inferred_shape("reshape", integers("reshape", new_sizes, "the shape"), aval.size, aval.shape)
    if shape == aval_of(operand).shape and hasattr(operand, "aval"):
        return constrained(operand, out_sharding)
    return bind_in(out_sharding, ops.reshape, operand, shape=shape)


def inferred_shape(function: str, shape: Shape, size: int, given: Shape) -> Shape:
    """The shape with the size that -1 stands for."""
    known = 1
    for n in shape:
        known *= n if n != -1 else 1
    unknown = shape.count(-1)
    fits = known == size if not unknown else known > 0 and size % known == 0
    if unknown > 1 or any(n < -1 for n in shape) or not fits:
        raise ArgumentError(function, f"an array of shape {given} does not reshape to {shape}", f"{size} elements",
                            "a shape of as many elements, with at most one -1")
    return tuple(size // known if n == -1 else n for n in shape)


def transpose(operand: ArrayLike, permutation: Sequence[int]) -> Array:
    """The dimensions in another order.

    Args:
        operand: An array.
        permutation: The operand's dimensions in the order that they are to have.

    Returns:
        The transposed array.

    Example:
        >>> from olympus import lax
        >>> lax.transpose(lax.full((2, 3), 1.0), (1, 0)).shape
        (3, 2)
    """
    order = tuple(axis_of("transpose", p, len(shape_of(operand))) for p in integers(
        "transpose", permutation, "a dimension"))
    if order == tuple(range(len(order))) == tuple(range(len(shape_of(operand)))) and hasattr(operand, "aval"):
        same: Any = operand
        return same
    return bind(ops.transpose, operand, permutation=order)


def broadcast(
    operand: ArrayLike, sizes: Sequence[int], *, out_sharding: ShardingLike | None = None
) -> Array:
    """Repeats an array along new leading dimensions.

    Args:
        operand: An array.
        sizes: Sizes of the new dimensions.
        out_sharding: How the result is to be sharded.

    Returns:
        The repeated array.

    Example:
        >>> from olympus import lax
        >>> lax.broadcast(1.0, (2, 3)).shape
        (2, 3)
    """
    own = shape_of(operand)
    shape = (*shape_argument("broadcast", sizes), *own)
    dimensions = range(len(shape) - len(own), len(shape))
    return broadcast_in_dim(operand, shape, dimensions, out_sharding=out_sharding)


def broadcast_in_dim(
    operand: ArrayLike, shape: Sequence[int], broadcast_dimensions: Sequence[int], *,
    out_sharding: ShardingLike | None = None,
) -> Array:
    """Repeats an array along new dimensions and along those of size one.

    Args:
        operand: An array.
        shape: The result's shape.
        broadcast_dimensions: For each of the operand's dimensions its position in the result.
        out_sharding: How the result is to be sharded.

    Returns:
        The repeated array.

    Example:
        >>> from olympus import lax
        >>> lax.broadcast_in_dim(lax.iota("int32", 3), (2, 3), (1,)).shape
        (2, 3)
    """
    result = bind(ops.broadcast_in_dim, operand, shape=shape_argument("broadcast_in_dim", shape),
                  dimensions=integers("broadcast_in_dim", broadcast_dimensions, "a dimension"))
    return constrained(result, out_sharding)


def constrained(x: Any, sharding: Any) -> Any:
    """An array resharded; as it is for None."""
    if sharding is None:
        return x
    return explicit.brought_to(x, sharding, "out_sharding")


def scoped(out_sharding: ShardingLike | None, function: Callable[..., Any], *operands: Any) -> Any:
    """A function of arrays, its result in a sharding that need not follow from them; plainly for None.

    For functions under `api` with `out_sharding` static, which keep what was compiled.
    """
    if out_sharding is None:
        return function(*operands)
    return explicit.with_out_sharding(out_sharding, function, *operands)


def bind_in(out_sharding: ShardingLike | None, record: OperationRecord, *operands: Any, **attributes: Any) -> Any:
    """`bind`, for a result in a sharding that need not follow from the operands; plainly for None."""
    if out_sharding is None:
        return bind(record, *operands, **attributes)
    return explicit.bind_in(out_sharding, record, *operands, **attributes)


def broadcast_to_rank(x: ArrayLike, rank: int) -> Array:
    """Adds leading dimensions of size one.

    Args:
        x: An array.
        rank: How many dimensions the result has.

    Returns:
        The array with that many dimensions.

    Example:
        >>> from olympus import lax
        >>> lax.broadcast_to_rank(lax.iota("int32", 3), 3).shape
        (1, 1, 3)
    """
    own = shape_of(x)
    wanted = rank_argument("broadcast_to_rank", rank, "the number of dimensions", len(own))
    return reshape(x, (1,) * (wanted - len(own)) + own)


def broadcast_shapes(*shapes: Sequence[int]) -> Shape:
    """The shape that arrays of these shapes have together.

    Args:
        *shapes: Shapes.

    Returns:
        The shape.

    Example:
        >>> from olympus import lax
        >>> lax.broadcast_shapes((2, 1), (3,))
        (2, 3)
    """
    sizes = [shape_argument("broadcast_shapes", shape) for shape in shapes]
    return broadcast_shape("broadcast_shapes", sizes) if sizes else ()


def expand_dims(array: ArrayLike, dimensions: Sequence[int] | int) -> Array:
    """Inserts dimensions of size one.

    Args:
        array: An array.
        dimensions: Their positions in the result.

    Returns:
        The array with more dimensions.

    Example:
        >>> from olympus import lax
        >>> lax.expand_dims(lax.iota("int32", 3), (0, 2)).shape
        (1, 3, 1)
    """
    own = shape_of(array)
    positions = integers("expand_dims", dimensions, "a dimension")
    ndim = len(own) + len(positions)
    new = axes_of("expand_dims", positions, ndim)
    rest = iter(own)
    return reshape(array, tuple(1 if d in new else next(rest) for d in range(ndim)))


def squeeze(array: ArrayLike, dimensions: Sequence[int] | int | None = None) -> Array:
    """Removes dimensions of size one.

    Args:
        array: An array.
        dimensions: Which ones; all of size one for None.

    Returns:
        The array with fewer dimensions.

    Raises:
        ArgumentError: If one is not of size one.

    Example:
        >>> from olympus import lax
        >>> lax.squeeze(lax.full((1, 3, 1), 0.0), (0,)).shape
        (3, 1)
    """
    shape = shape_of(array)
    gone = axes_of("squeeze", dimensions, len(shape)) if dimensions is not None else tuple(
        d for d, n in enumerate(shape) if n == 1)
    if any(shape[d] != 1 for d in gone):
        raise ArgumentError("squeeze", "a dimension that is to be removed is not of size 1",
                            f"dimensions {gone} of shape {shape}", "dimensions of size 1")
    return reshape(array, tuple(n for d, n in enumerate(shape) if d not in gone))


def collapse(operand: ArrayLike, start_dimension: int, stop_dimension: int | None = None) -> Array:
    """Makes one dimension of several that follow each other.

    Args:
        operand: An array.
        start_dimension: The first one.
        stop_dimension: The one after the last; None for all that follow.

    Returns:
        The array with fewer dimensions.

    Example:
        >>> from olympus import lax
        >>> lax.collapse(lax.full((2, 3, 4), 0.0), 0, 2).shape
        (6, 4)
    """
    shape = shape_of(operand)
    bounds = (None if d is None else integer("collapse", d, "a dimension") for d in (start_dimension, stop_dimension))
    first, last, _ = _slice(*bounds).indices(len(shape))
    size = 1
    for n in shape[first:last]:
        size *= n
    return reshape(operand, (*shape[:first], size, *shape[last:]))


def rev(operand: ArrayLike, dimensions: Sequence[int]) -> Array:
    """Turns the order along dimensions around.

    Args:
        operand: An array.
        dimensions: Which ones.

    Returns:
        The reversed array.

    Example:
        >>> from olympus import lax
        >>> lax.rev(lax.iota("int32", 3), (0,))
        Array([2, 1, 0], dtype=int32)
    """
    axes = axes_of("rev", integers("rev", dimensions, "a dimension"), len(shape_of(operand)))
    return bind(ops.reverse, operand, dimensions=axes)


def pad(operand: ArrayLike, padding_value: ArrayLike, padding_config: Sequence[tuple[int, int, int]]) -> Array:
    """Puts elements around an array and between its own; negative amounts take away.

    Args:
        operand: An array.
        padding_value: The element to put.
        padding_config: For each dimension how many to put before, after, and between neighbours.

    Returns:
        The padded array.

    Example:
        >>> from olympus import lax
        >>> lax.pad(lax.full((2,), 1, "float32"), 0.0, [(1, 2, 0)])
        Array([0., 1., 1., 0., 0.], dtype=float32)
    """
    aval = aval_of(operand)
    amounts = [integers("pad", amount, "an amount") for amount in sequence(
        "pad", padding_config, "the amounts", "triples (low, high, interior)")]
    if len(amounts) != len(aval.shape) or any(len(amount) != 3 for amount in amounts):
        raise ArgumentError("pad", "the amounts do not fit the array", padding_config,
                            f"{len(aval.shape)} triples (low, high, interior)")
    if is_number(padding_value) or aval_of(padding_value).weak:
        padding_value = convert(padding_value, aval.dtype, function="pad")
    low, high, interior = (tuple(column) for column in zip(*amounts, strict=True)) if amounts else ((), (), ())
    return bind(ops.pad, operand, padding_value, low=low, high=high, interior=interior, weak=aval.weak)


def concatenate(operands: Sequence[ArrayLike], dimension: int) -> Array:
    """Puts arrays one after the other along a dimension.

    Args:
        operands: Arrays of one element type, equal in shape but for the dimension.
        dimension: The dimension.

    Returns:
        The joined array.

    Example:
        >>> from olympus import lax
        >>> lax.concatenate([lax.iota("int32", 2), lax.iota("int32", 1)], 0)
        Array([0, 1, 0], dtype=int32)
    """
    arrays = arrays_of("concatenate", operands)
    ndim = len(shape_of(arrays[0]))
    return bind(ops.concatenate, *arrays, dimension=axis_of("concatenate", dimension, ndim))


def iota(dtype: DTypeLike, size: int) -> Array:
    """The numbers from zero on.

    Args:
        dtype: Their element type.
        size: How many.

    Returns:
        An array of one dimension.

    Example:
        >>> from olympus import lax
        >>> lax.iota("int32", 3)
        Array([0, 1, 2], dtype=int32)
    """
    return broadcasted_iota(dtype, (size,), 0)


def broadcasted_iota(
    dtype: DTypeLike, shape: Sequence[int], dimension: int, *, out_sharding: ShardingLike | None = None
) -> Array:
    """Each element's index along a dimension.

    Args:
        dtype: The element type.
        shape: The result's shape.
        dimension: The dimension.
        out_sharding: How the result is to be sharded.

    Returns:
        The indices.

    Example:
        >>> from olympus import lax
        >>> lax.broadcasted_iota("int32", (2, 2), 1).tolist()
        [[0, 1], [0, 1]]
    """
    sizes = shape_argument("broadcasted_iota", shape)
    result = bind(ops.iota, shape=sizes, dtype=element_type("broadcasted_iota", dtype),
                  dimension=axis_of("broadcasted_iota", dimension, len(sizes)))
    return constrained(result, out_sharding)


@api
def from_host(x: ArrayLike) -> Any:
    """A host value as an array; called by itself, its argument has become one already."""
    if hasattr(x, "aval"):
        return x
    aval = aval_of(x)
    return bind(ops.constant, value=constant_of(x, aval.dtype), weak=aval.weak)


def put_on(x: Any, device: DeviceLike | None) -> Any:
    """An array put on a device or sharding; as it is for None, and for that of a type of which no axes are known."""
    if device is None or explicit.says_nothing(device):
        return x
    return device_put(x, device)


def _fill(fill_value: ArrayLike, shape: tuple[int, ...], dtype: np.dtype | None) -> Any:
    weak = dtype is None and aval_of(fill_value).weak
    value = fill_value if dtype is None else convert(fill_value, dtype, function="full")
    found = broadcast_operand(value, shape, weak=weak)
    return found if hasattr(found, "aval") else from_host(found)


_full = api(_fill, static=("shape", "dtype"))


def full(
    shape: Sequence[int] | int, fill_value: ArrayLike, dtype: DTypeLike | None = None, *, sharding: Any = None
) -> Array:
    """An array of equal elements.

    Args:
        shape: Its shape.
        fill_value: The element.
        dtype: The element type; None for that of the element.
        sharding: Where the array is to be.

    Returns:
        The array.

    Example:
        >>> from olympus import lax
        >>> lax.full((2,), 7.0)
        Array([7., 7.], dtype=float32, weak_type=True)
    """
    wanted = None if dtype is None else element_type("full", dtype)
    # At once, so that nothing is rounded twice; a float that becomes an integer is an array's element, and saturates.
    if wanted is not None and (type(fill_value) is int or type(fill_value) is float and not dtypes.is_integer(wanted)):
        fill_value = convert(fill_value, wanted, function="full")
    sizes = shape_argument("full", shape)
    check_broadcast("full", shape_of(fill_value), sizes)
    if explicit.says_nothing(sharding):
        sharding = None
    if sharding is not None and is_evaluating() and not getattr(fill_value, "committed", False):
        where = target(sharding)
        if not where.is_on_host:
            return _full_in(where)(fill_value, shape=sizes, dtype=wanted)
    return put_on(_full(fill_value, shape=sizes, dtype=wanted), sharding)


_filling: BoundedCache[Sharding, Jitted[..., Any]] = kept(BoundedCache(64))


def _full_in(sharding: Sharding) -> Jitted[..., Any]:
    """What fills an array where it is to be, so that no device ever holds more than its part."""
    found = _filling.get(sharding)
    if found is None:
        made = Jitted(_fill, static_argnames=("shape", "dtype"), out_shardings=sharding)
        found = _filling.remember(sharding, made)
    return found


def place_of(x: Any) -> Sharding | None:
    """Where an array lies, as far as it was chosen or is a part of its type: where an array made like it shall lie."""
    if not isinstance(x, Tracer):
        return None if isinstance(x, Aval) else sharding_given(x)
    layout = visible(x.aval.layout)
    return None if layout is None else sharding_of(layout)


def full_like(
    x: ArrayLike, fill_value: ArrayLike, dtype: DTypeLike | None = None, shape: Sequence[int] | None = None,
    sharding: ShardingLike | None = None,
) -> Array:
    """An array of equal elements with the shape, element type and sharding of another one.

    Args:
        x: The other array.
        fill_value: The element.
        dtype: Another element type.
        shape: Another shape; the array is not sharded as the other one then.
        sharding: Another sharding.

    Returns:
        The array.

    Example:
        >>> from olympus import lax
        >>> lax.full_like(lax.iota("int32", 2), 5)
        Array([5, 5], dtype=int32)
    """
    aval = aval_of(x)
    sizes = aval.shape if shape is None else shape_argument("full_like", shape)
    if sharding is None and sizes == aval.shape:
        sharding = place_of(x)
    wanted = aval.dtype if dtype is None else element_type("full_like", dtype)
    found = filled(fill_value, sizes, wanted) if sharding is None else full(
        sizes, fill_value, wanted, sharding=sharding)
    return weakly(found, aval.weak and dtype is None)


def zeros_like_array(x: ArrayLike) -> Array:
    """Zeros with the shape and element type of an array.

    Args:
        x: The array.

    Returns:
        The zeros.

    Example:
        >>> from olympus import lax
        >>> lax.zeros_like_array(lax.iota("int32", 2))
        Array([0, 0], dtype=int32)
    """
    return full_like(x, 0)


def empty(shape: Sequence[int] | int, dtype: DTypeLike, *, out_sharding: ShardingLike | None = None) -> Array:
    """An array whose elements have no meaning yet; zeros, as it is.

    Args:
        shape: Its shape.
        dtype: Its element type.
        out_sharding: Where the array is to be.

    Returns:
        The array.

    Example:
        >>> from olympus import lax
        >>> lax.empty((2, 3), "float32").shape
        (2, 3)
    """
    return full(shape, 0, dtype, sharding=out_sharding)
