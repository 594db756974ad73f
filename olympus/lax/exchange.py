# SPDX-License-Identifier: Apache-2.0
"""Exchanges between devices, for functions written for one: pairs of send and receive, ragged arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.errors import ArgumentError, described

from ..dimension_numbers import GatherDimensionNumbers
from ..operands import cast, shape_of
from ..tracing import aval_of, bind
from ..transforms.axis_groups import group_of
from ..trees import inside as tree
from ..typing import Array, ArrayLike
from . import structure
from .elementwise import add, bitwise_and, ge, lt, select, sub
from .indexing import gather
from .parallel import AxisName, all_to_all, axis_size, ppermute
from .reductions import argmax, reduce_or, reduce_sum
from .staging import Token

T = TypeVar("T")

__all__ = ["precv", "psend", "pswapaxes", "ragged_all_to_all"]


def pswapaxes(x: T, axis_name: AxisName, axis: int, *, axis_index_groups: Any = None) -> T:
    """Exchanges a dimension with the devices along mesh axes: device i gets all devices' parts at index i.

    Args:
        x: An array or a nested container of arrays; the dimension has one index for each device.
        axis_name: One axis name or several.
        axis: The dimension.
        axis_index_groups: As in `psum`.

    Returns:
        The exchanged value, of the same shape.

    Example:
        >>> import numpy as np, olympus
        >>> from olympus import lax
        >>> olympus.pmap(lambda x: lax.pswapaxes(x, "i", 0), axis_name="i")(np.arange(4).reshape(2, 2))
        Array([[0, 2],
               [1, 3]], dtype=int32)
    """
    return all_to_all(x, axis_name, axis, axis, axis_index_groups=axis_index_groups)


def _pairs(perm: Any) -> tuple[tuple[int, int], ...]:
    try:
        return tuple(sorted((int(source), int(target)) for source, target in perm))
    except (TypeError, ValueError):
        raise ArgumentError("psend", "perm does not hold pairs of indices", described(perm),
                            "[(source, target), ...]") from None


def psend(x: Any, axis_name: AxisName, perm: Sequence[tuple[int, int]]) -> Any:
    """Sends values to other devices, which get them with `precv`.

    Args:
        x: An array or a nested container of arrays.
        axis_name: One axis name or several.
        perm: Pairs (source, target) of indices along the axes; none twice on either side.

    Returns:
        A token for `precv`.

    Example:
        >>> import numpy as np, olympus
        >>> from olympus import lax
        >>> def f(x):
        ...     return lax.precv(lax.psend(x, "i", [(0, 1)]), olympus.ShapeDtypeStruct((), "int32"), "i", [(0, 1)])
        >>> olympus.pmap(f, axis_name="i")(np.array([5, 6]))
        Array([0, 5], dtype=int32)
    """
    pairs = _pairs(perm)
    return Token((ppermute(x, axis_name, pairs),), (pairs,))


def precv(token: Any, out_shape: Any, axis_name: AxisName, perm: Sequence[tuple[int, int]]) -> Any:
    """What other devices sent with `psend`; zeros where nobody did.

    Args:
        token: The token that `psend` gave, or one that `after_all` made of it.
        out_shape: A `ShapeDtypeStruct`, or a tree of them: what is received.
        axis_name: The axes that were given to `psend`.
        perm: The pairs that were given to it.

    Returns:
        The arrays.

    Raises:
        ArgumentError: If the token comes from no `psend` with these pairs, or what was sent has another type.

    Example:
        >>> import numpy as np, olympus
        >>> from olympus import lax
        >>> def f(x):
        ...     return lax.precv(lax.psend(x, "i", [(0, 1)]), olympus.ShapeDtypeStruct((), "int32"), "i", [(0, 1)])
        >>> olympus.pmap(f, axis_name="i")(np.array([5, 6]))
        Array([0, 5], dtype=int32)
    """
    axis_size(axis_name)
    pairs = _pairs(perm)
    if not isinstance(token, Token):
        raise ArgumentError("precv", "it is no token", described(token), "what psend gave")
    wanted = [(tuple(s.shape), np.dtype(s.dtype)) for s in tree.leaves(out_shape)]
    for sent, own in zip(token.sent, token.pairs, strict=True):
        leaves = tree.leaves(sent)
        if own == pairs and [(shape_of(x), aval_of(x).dtype) for x in leaves] == wanted:
            return tree.unflatten(tree.structure(out_shape), leaves)
    raise ArgumentError("precv", "nothing of this kind was sent", f"{wanted} by {list(pairs)}",
                        f"the token of a psend with these pairs and types; this one holds {list(token.pairs)}")


def ragged_all_to_all(
    operand: ArrayLike, output: ArrayLike, input_offsets: ArrayLike, send_sizes: ArrayLike, output_offsets: ArrayLike,
    recv_sizes: ArrayLike, *, axis_name: AxisName, axis_index_groups: Any = None,
) -> Array:
    """Sends pieces of rows, of sizes known only when the program runs, to the devices along mesh axes.

    With K pieces and n devices, pieces i * K / n to (i + 1) * K / n - 1 go to device i. Where received pieces overlap,
    one of them is taken.

    Args:
        operand: The rows that pieces are taken of.
        output: What the result holds where nothing is received.
        input_offsets: Where each piece begins in `operand`; K integers.
        send_sizes: How many rows each piece has.
        output_offsets: Where each piece is put in the receiver's result.
        recv_sizes: How many rows each received piece has; olympus has the senders tell.
        axis_name: One axis name or several.
        axis_index_groups: As in `psum`.

    Returns:
        `output` with the received pieces. Each device receives as many rows from each as its result has.

    Raises:
        ArgumentError: If the shapes do not fit.

    Example:
        >>> import numpy as np, olympus
        >>> from olympus import lax
        >>> def f(x, offsets, sizes, targets):
        ...     return lax.ragged_all_to_all(x, 0 * x, offsets, sizes, targets, sizes, axis_name="i")
        >>> one = np.ones((2, 2), int)
        >>> olympus.pmap(f, axis_name="i")(np.arange(4).reshape(2, 2), [[0, 1]] * one, one, [[0], [1]] * one)
        Array([[0, 2],
               [1, 3]], dtype=int32)
    """
    name = "ragged_all_to_all"
    devices = group_of(name, axis_name, axis_index_groups).size
    rows, kept = shape_of(operand), shape_of(output)
    pieces = {shape_of(x) for x in (input_offsets, send_sizes, output_offsets, recv_sizes)}
    if not rows or len(kept) != len(rows) or rows[1:] != kept[1:] or aval_of(operand).dtype != aval_of(output).dtype:
        raise ArgumentError(name, "operand and output do not fit", f"{aval_of(operand)!r} and {aval_of(output)!r}",
                            "one element type, and equal dimensions but for the first")
    if len(pieces) != 1 or len(shape := next(iter(pieces))) != 1 or shape[0] % devices:
        raise ArgumentError(name, "offsets and sizes do not fit", sorted(pieces),
                            f"rows of one length, a multiple of {devices}")
    per_device, places = shape[0] // devices, kept[0]
    table = (devices, per_device, places)

    def spread(x: Any) -> Any:
        return structure.broadcast_in_dim(structure.reshape(cast(x, dtypes.int32), table[:2]), table, (0, 1))

    # For each receiver and each place of its result: whether one of the pieces covers it, and with which row.
    begin, size, source = spread(output_offsets), spread(send_sizes), spread(input_offsets)
    place = structure.broadcasted_iota(dtypes.int32, table, 2)
    covers = bitwise_and(ge(place, begin), lt(place, add(begin, size)))
    first = structure.broadcast_in_dim(argmax(covers, 1, dtypes.int32), table, (0, 2))
    chosen = bind(ops.eq, first, structure.broadcasted_iota(dtypes.int32, table, 1), weak=False)
    row = add(source, sub(place, begin))
    row = reduce_sum(select(chosen, row, structure.full_like(row, 0)), (1,))
    covered = reduce_or(covers, (1,))
    sent = _rows(operand, row)
    received = all_to_all(sent, axis_name, 0, 0, axis_index_groups=axis_index_groups, tiled=True)
    there = all_to_all(covered, axis_name, 0, 0, axis_index_groups=axis_index_groups, tiled=True)
    # Of the senders the one that covers a place.
    sender = argmax(there, 0, dtypes.int32)
    starts = structure.concatenate([structure.reshape(x, (places, 1)) for x in (
        sender, structure.broadcasted_iota(dtypes.int32, (places,), 0))], 1)
    numbers = GatherDimensionNumbers(tuple(range(1, len(kept))), (0, 1), (0, 1))
    found = gather(received, starts, numbers, (1, 1, *kept[1:]), mode="clip")
    some = structure.broadcast_in_dim(reduce_or(there, (0,)), kept, (0,))
    return select(some, found, output)


def _rows(x: Any, indices: Any) -> Any:
    """The rows of an array at indices of two dimensions; at those outside, some row."""
    rest = shape_of(x)[1:]
    if not shape_of(x)[0]:
        return structure.full((*shape_of(indices), *rest), 0, aval_of(x).dtype)
    numbers = GatherDimensionNumbers(tuple(range(2, 2 + len(rest))), (0,), (0,))
    return gather(x, structure.reshape(indices, (*shape_of(indices), 1)), numbers, (1, *rest), mode="clip")
