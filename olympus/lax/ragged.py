# SPDX-License-Identifier: Apache-2.0
"""Products of arrays in groups of any size, and of arrays with scales for blocks of their elements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.errors import ArgumentError, described

from ..operands import broadcast, broadcast_shape, cast, element_type, integers, shape_of
from ..tracing import aval_of
from ..transforms.jit import api
from ..typing import Array, ArrayLike, DTypeLike, ShardingLike
from . import structure
from .contract import DotDimensionNumbers, dot_general
from .elementwise import bitwise_and, ge, lt, mul, select, sub
from .reductions import cumsum

__all__ = ["RaggedDotDimensionNumbers", "ragged_dot", "ragged_dot_general", "scaled_dot"]


@dataclass(frozen=True, slots=True)
class RaggedDotDimensionNumbers:
    """What the dimensions of `ragged_dot_general`'s operands are.

    Attributes:
        dot_dimension_numbers: Those that are summed over and those that are paired, as in `dot_general`.
        lhs_ragged_dimensions: The left operand's dimension that is divided into groups.
        rhs_group_dimensions: The right operand's dimension with an index for each group, if it has one.
    """

    dot_dimension_numbers: Any
    lhs_ragged_dimensions: Sequence[int]
    rhs_group_dimensions: Sequence[int]

    def __post_init__(self) -> None:
        for name in ("lhs_ragged_dimensions", "rhs_group_dimensions"):
            object.__setattr__(self, name, integers("RaggedDotDimensionNumbers", getattr(self, name), "a dimension"))
        pairs = tuple(tuple(integers("RaggedDotDimensionNumbers", d, "a dimension") for d in pair)
                      for pair in self.dot_dimension_numbers)
        object.__setattr__(self, "dot_dimension_numbers", pairs)


def ragged_dot(
    lhs: ArrayLike, rhs: ArrayLike, group_sizes: ArrayLike, precision: Any = None,
    preferred_element_type: DTypeLike | None = None, group_offset: Any = None,
    out_sharding: ShardingLike | None = None,
) -> Array:
    """The product of groups of rows, each with a matrix of its own.

    Args:
        lhs: A matrix, whose rows are in groups that follow each other.
        rhs: A matrix for each group.
        group_sizes: How many rows each group has; rows beyond their sum give zeros.
        precision: As in `dot_general`.
        preferred_element_type: The element type in which to sum and that the result has.
        group_offset: An array of one integer: the number of the group that the first matrix is for; rows of groups
            that have no matrix give zeros.
        out_sharding: How the result is to be sharded.

    Returns:
        A matrix with as many rows as `lhs`.

    Raises:
        ArgumentError: If the shapes do not fit.

    Example:
        >>> import numpy as np
        >>> from olympus import lax
        >>> x, weights = np.ones((3, 2), "float32"), np.array([[[1.], [1.]], [[2.], [2.]]], "float32")
        >>> lax.ragged_dot(x, weights, np.array([1, 2])).tolist()
        [[2.0], [4.0], [4.0]]
    """
    given = [shape_of(x) for x in (lhs, rhs, group_sizes)]
    fits = [len(shape) for shape in given] == [2, 3, 1] and given[0][1] == given[1][1]
    if not fits or (given[1][0] != given[2][0] and group_offset is None):
        raise ArgumentError("ragged_dot", "the shapes do not fit", ", ".join(map(str, given)),
                            "rows (m, k), matrices (g, k, n) and group sizes (g,)")
    numbers = RaggedDotDimensionNumbers((((1,), (1,)), ((), ())), (0,), (0,))
    return ragged_dot_general(lhs, rhs, group_sizes, numbers, precision, preferred_element_type, group_offset,
                              out_sharding)


def ragged_dot_general(
    lhs: ArrayLike, rhs: ArrayLike, group_sizes: ArrayLike, ragged_dot_dimension_numbers: RaggedDotDimensionNumbers,
    precision: Any = None, preferred_element_type: DTypeLike | None = None, group_offset: Any = None,
    out_sharding: ShardingLike | None = None,
) -> Array:
    """The general dot product of groups along one dimension of the left operand, which follow each other.

    Where that dimension is free, each group has a part of the right operand of its own; where it is summed over, each
    group has a sum of its own, along a new leading dimension of the result; a batch dimension changes nothing.

    Args:
        lhs: An array.
        rhs: An array of the same element type.
        group_sizes: The groups' sizes: a row, or for each index of the dimensions of the left operand that stand before
            the ragged one (batch dimensions, then those of its own kind) another row.
        ragged_dot_dimension_numbers: What the dimensions are.
        precision: As in `dot_general`.
        preferred_element_type: The element type in which to sum and that the result has.
        group_offset: An array of one integer: the number of the first group that counts, others give zeros.
        out_sharding: How the result is to be sharded.

    Returns:
        An array: the groups, where they have sums of their own, then the dimensions as in `dot_general`.

    Raises:
        ArgumentError: If the shapes do not fit.

    Example:
        >>> import numpy as np
        >>> from olympus import lax
        >>> numbers = lax.RaggedDotDimensionNumbers((((0,), (0,)), ((), ())), (0,), ())
        >>> x = np.arange(3, dtype="float32").reshape(3, 1)
        >>> lax.ragged_dot_general(x, x, np.array([1, 2]), numbers).tolist()
        [[[0.0]], [[5.0]]]
    """
    name, numbers = "ragged_dot_general", ragged_dot_dimension_numbers
    if not isinstance(numbers, RaggedDotDimensionNumbers):
        raise ArgumentError(name, "the dimension numbers do not fit", described(numbers),
                            "olympus.lax.RaggedDotDimensionNumbers(...)")
    if len(numbers.lhs_ragged_dimensions) != 1 or len(numbers.rhs_group_dimensions) > 1:
        raise ArgumentError(name, "there is one ragged dimension, and at most one of groups", described(numbers),
                            "lhs_ragged_dimensions=(d,), rhs_group_dimensions=() or (d,)")
    if not dtypes.is_integer(aval_of(group_sizes).dtype) or not shape_of(group_sizes):
        raise ArgumentError(name, "the groups' sizes are not integers", repr(aval_of(group_sizes)), "a row of integers")
    dtype = None if preferred_element_type is None else element_type(name, preferred_element_type)
    (lhs_summed, _), (lhs_batch, rhs_batch) = numbers.dot_dimension_numbers
    ragged = numbers.lhs_ragged_dimensions[0]
    free = ragged not in lhs_summed and ragged not in lhs_batch
    if free != bool(numbers.rhs_group_dimensions):
        raise ArgumentError(name, "the right operand's groups do not fit", described(numbers),
                            "a dimension of groups where the ragged dimension is free, and none otherwise")
    if ragged in lhs_batch:
        return dot_general(lhs, rhs, numbers.dot_dimension_numbers, precision, dtype, out_sharding=out_sharding)
    offset = np.zeros(1, np.int32) if group_offset is None else group_offset
    return _ragged(lhs, rhs, group_sizes, offset, numbers=numbers, precision=precision, dtype=dtype,
                   out_sharding=out_sharding, offset_given=group_offset is not None)


@api(static=("numbers", "precision", "dtype", "out_sharding", "offset_given"))
def _ragged(
    lhs: Any, rhs: Any, group_sizes: Any, offset: Any, numbers: RaggedDotDimensionNumbers, precision: Any, dtype: Any,
    out_sharding: Any, offset_given: bool,
) -> Any:
    (lhs_summed, rhs_summed), (lhs_batch, rhs_batch) = numbers.dot_dimension_numbers
    (ragged,), shape = numbers.lhs_ragged_dimensions, shape_of(lhs)
    summed = ragged in lhs_summed
    own = lhs_summed if summed else [d for d in range(len(shape)) if d not in (*lhs_summed, *lhs_batch)]
    before = (*lhs_batch, *own[:list(own).index(ragged)])
    sizes = cast(group_sizes, dtypes.int32)
    count = shape_of(sizes)[-1]
    wanted = (*(shape[d] for d in before), count)
    if shape_of(sizes) != wanted:
        if len(shape_of(sizes)) > 1 or broadcast_shape("ragged_dot_general", [shape_of(sizes), wanted]) != wanted:
            raise ArgumentError("ragged_dot_general", "the groups' sizes do not fit", shape_of(sizes),
                                f"{wanted} or ({count},)")
        sizes = broadcast(sizes, wanted)
    ends = cumsum(sizes, len(before))
    groups = count
    if not summed:
        (group,) = numbers.rhs_group_dimensions
        groups = shape_of(rhs)[group]
    # For each group the operand with zeros in place of what belongs to others.
    full = (groups, *shape)
    member = _members(
        ends, sub(ends, sizes), offset if offset_given else None, full, [d + 1 for d in before], ragged + 1)
    spread = structure.broadcast_in_dim(lhs, full, range(1, len(full)))
    chosen = select(member, spread, structure.full_like(spread, 0))

    def moved(ds: Sequence[int]) -> tuple[int, ...]:
        return tuple(d + 1 for d in ds)

    if summed:
        both = structure.broadcast_in_dim(rhs, (groups, *shape_of(rhs)), range(1, len(shape_of(rhs)) + 1))
        dims = (moved(lhs_summed), moved(rhs_summed)), ((0, *moved(lhs_batch)), (0, *moved(rhs_batch)))
        return dot_general(chosen, both, dims, precision, dtype, out_sharding=out_sharding)
    dims = ((0, *moved(lhs_summed)), (group, *rhs_summed)), (moved(lhs_batch), rhs_batch)
    return dot_general(chosen, rhs, dims, precision, dtype, out_sharding=out_sharding)


def _members(ends: Any, starts: Any, offset: Any, full: tuple[int, ...], before: list[int], ragged: int) -> Any:
    """Whether an element belongs to a group, for each group and element."""
    count, groups = shape_of(ends)[-1], full[0]

    def of_groups(x: Any) -> Any:
        if offset is not None:
            # The sizes of the groups from the offset on; none where there are no more.
            place = structure.broadcasted_iota(dtypes.int32, (groups, count), 1)
            number = structure.broadcasted_iota(dtypes.int32, (groups, count), 0)
            first = structure.broadcast_in_dim(structure.reshape(cast(offset, dtypes.int32), ()), (groups, count), ())
            picked = cast(bitwise_and(ge(sub(place, first), number), ge(number, sub(place, first))), dtypes.int32)
            last = len(shape_of(x)) - 1
            x = dot_general(x, picked, (((last,), (1,)), ((), ())))
        return structure.broadcast_in_dim(x, full, (*before, 0)) if not before else structure.broadcast_in_dim(
            structure.transpose(x, (len(before), *range(len(before)))), full, (0, *before))

    row = structure.broadcasted_iota(dtypes.int32, full, ragged)
    return bitwise_and(ge(row, of_groups(starts)), lt(row, of_groups(ends)))


def scaled_dot(
    lhs: ArrayLike, rhs: ArrayLike, *, lhs_scale: ArrayLike | None = None, rhs_scale: ArrayLike | None = None,
    dimension_numbers: DotDimensionNumbers | None = None, preferred_element_type: DTypeLike | None = None,
) -> Array:
    """The dot product of arrays whose elements are scaled block by block along the dimension that is summed over.

    Args:
        lhs: An array, often of a narrow element type.
        rhs: Another one.
        lhs_scale: The scales of the left operand: of its shape, but with fewer elements, one for each block, where
            dimensions are summed over; None for none.
        rhs_scale: Those of the right operand.
        dimension_numbers: As in `dot_general`; None for the products of matrices, or of as many in a batch.
        preferred_element_type: The element type in which to sum and that the result has; bfloat16 for None.

    Returns:
        The product.

    Raises:
        ArgumentError: If scales and operands do not fit.

    Example:
        >>> import numpy as np
        >>> from olympus import lax
        >>> x = np.ones((1, 4), "float32")
        >>> lax.scaled_dot(x, x.T, lhs_scale=np.float32([[1, 2]]), preferred_element_type="float32").tolist()
        [[6.0]]
    """
    name, ndim = "scaled_dot", len(shape_of(lhs))
    if dimension_numbers is None:
        if ndim not in (2, 3) or len(shape_of(rhs)) != ndim:
            raise ArgumentError(name, "there are no usual dimension numbers", f"{shape_of(lhs)} and {shape_of(rhs)}",
                                "two matrices, or two batches of them, or dimension_numbers")
        dimension_numbers = (((1,), (0,)), ((), ())) if ndim == 2 else (((2,), (1,)), ((0,), (0,)))
    out = dtypes.bfloat16 if preferred_element_type is None else element_type(name, preferred_element_type)
    wide = out if out in (dtypes.float32, dtypes.float64) else dtypes.float32
    return cast(dot_general(_scaled(lhs, lhs_scale, wide), _scaled(rhs, rhs_scale, wide), dimension_numbers), out)


def _scaled(x: Any, scale: Any, dtype: np.dtype) -> Any:
    x = cast(x, dtype)
    if scale is None:
        return x
    shape, blocks = shape_of(x), shape_of(scale)
    if len(shape) != len(blocks) or any(not k or n % k for n, k in zip(shape, blocks, strict=True)):
        raise ArgumentError("scaled_dot", "a scale does not fit its operand", f"{blocks} for {shape}",
                            "in each dimension a size that divides the operand's")
    split = [n for k, size in zip(blocks, shape, strict=True) for n in (k, size // k)]
    spread = structure.broadcast_in_dim(cast(scale, dtype), split, range(0, len(split), 2))
    return mul(x, structure.reshape(spread, shape))
