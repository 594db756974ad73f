# SPDX-License-Identifier: Apache-2.0
"""Reductions of an array's parts, each to the segment that an integer names."""

from __future__ import annotations

import math
from typing import Any, Protocol

from olympus_core import dtypes
from olympus_core import ops as core
from olympus_core.deferred import listed
from olympus_core.errors import ArgumentError
from olympus_core.program import OperationRecord

from . import lax
from .lax.structure import constrained
from .numpy.padding import pad
from .numpy.shapes import broadcast_to, reshape
from .operands import dtype_of, filled, integer, known_integers, shape_of
from .transforms.jit import api
from .typing import Array, ArrayLike, ShardingLike

__all__ = ["segment_max", "segment_min", "segment_prod", "segment_sum"]
__dir__ = listed(__all__)

_ROWS = lax.ScatterDimensionNumbers
_SCATTERS = {"add": lax.scatter_add, "mul": lax.scatter_mul, "max": lax.scatter_max, "min": lax.scatter_min}
_REDUCTIONS: dict[str, OperationRecord] = {
    "add": core.reduce_sum, "mul": core.reduce_prod, "max": core.reduce_max, "min": core.reduce_min,
}


class _Segments(Protocol):
    def __call__(
        self, data: ArrayLike, segment_ids: ArrayLike, num_segments: int | None = None,
        indices_are_sorted: bool = False, unique_indices: bool = False, bucket_size: int | None = None,
        mode: Any = None, out_sharding: ShardingLike | None = None,
    ) -> Array: ...


@api(static=("combine", "num_segments", "buckets", "mode"))
def _reduced(data: ArrayLike, ids: ArrayLike, combine: str, num_segments: int, buckets: int, mode: Any) -> Any:
    dtype, (count, *rest) = dtype_of(data), shape_of(data)
    reduction = _REDUCTIONS[combine]
    start = reduction.nothing(dtype)
    if not buckets:
        numbers = _ROWS(tuple(range(1, 1 + len(rest))), (0,), (0,))
        place = reshape(ids, (count, 1))
        return _SCATTERS[combine](filled(start, (num_segments, *rest), dtype), place, data, numbers, mode=mode)
    # Each bucket has segments of its own, which are then combined: fewer roundings follow each other.
    size = -(-count // buckets)
    missing = buckets * size - count
    rows = reshape(pad(data, [(0, missing)] + [(0, 0)] * len(rest)), (buckets, size, *rest))
    place = reshape(pad(ids, [(0, missing)], constant_values=num_segments), (buckets, size, 1))
    numbers = _ROWS(tuple(range(2, 2 + len(rest))), (1,), (1,), (0,), (0,))
    parts = _SCATTERS[combine](
        filled(start, (buckets, num_segments, *rest), dtype), place, rows, numbers, mode=None if missing else mode)
    return lax.reduce(parts, start, {"add": lax.add, "mul": lax.mul, "max": lax.max, "min": lax.min}[combine], (0,))


_DOCUMENT = """{summary}

Args:
    data: An array whose first dimension is divided. It is broadcast to ``(*segment_ids.shape, *data.shape[1:])``: a
        number counts for each id.
    segment_ids: For each index of that dimension its segment, integers of shape ``data.shape[:1]``. What is negative
        or not less than `num_segments` belongs to no segment.
    num_segments: How many segments there are; for None one more than the greatest of `segment_ids`, which must
        then be known while tracing.
    indices_are_sorted: A promise that `segment_ids` never decrease.
    unique_indices: A promise that no segment has two indices.
    bucket_size: How many consecutive indices are reduced together before these results are; all for None.
        Shorter sums round less.
    mode: ``"clip"`` for ids outside to count as the nearest segment, ``"promise_in_bounds"`` as a promise that
        there are none; for None or ``"drop"`` they are left out.
    out_sharding: How the result is to be sharded.

Returns:
    An array of shape ``(num_segments, *data.shape[1:])``; {empty} for a segment without indices.

Raises:
    ArgumentError: If the ids are not integers, or not as many as there are indices.
    ConcretizationError: If `num_segments` is None and `segment_ids` are traced.

Example:
    >>> import olympus
    >>> import olympus.numpy as jnp
    >>> olympus.ops.{name}(jnp.array([5, 2, 3, 4]), jnp.array([0, 0, 1, 3]), num_segments=4)
    Array({result}, dtype=int32)
"""


def _segments(name: str, combine: str, summary: str, empty: str, result: str) -> _Segments:
    def function(
        data: ArrayLike, segment_ids: ArrayLike, num_segments: int | None = None, indices_are_sorted: bool = False,
        unique_indices: bool = False, bucket_size: int | None = None, mode: Any = None,
        out_sharding: ShardingLike | None = None,
    ) -> Array:
        shape, dtype, ids = shape_of(data), dtype_of(data), shape_of(segment_ids)
        if not dtypes.is_integer(dtype_of(segment_ids)) or not _fits(shape, (*ids, *shape[1:])):
            raise ArgumentError(name, "the segment ids do not fit the data", f"{dtype_of(segment_ids)}{list(ids)}",
                                f"integers of shape {shape[:1]}")
        if dtypes.is_bool(dtype) and combine in ("add", "mul"):
            raise ArgumentError(name, f"elements of type {dtype} cannot be combined", dtype, "another element type",
                                "Convert the data first, with data.astype(...).")
        word = None if mode is None else lax.GatherScatterMode.from_any(mode)
        buckets = 0
        if bucket_size is not None:
            buckets = -(-math.prod(ids) // integer(name, bucket_size, "the size of a bucket", 1))
        count = _count(name, segment_ids, num_segments)
        if len(ids) != 1 or shape[:1] != ids:
            data = reshape(broadcast_to(data, (*ids, *shape[1:])), (math.prod(ids), *shape[1:]))
            segment_ids = reshape(segment_ids, (math.prod(ids),))
        found = _reduced(data, segment_ids, combine=combine, num_segments=count,
                         buckets=buckets if buckets > 1 else 0, mode=word)
        return constrained(found, out_sharding)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = _DOCUMENT.format(summary=summary, empty=empty, name=name, result=result)
    return function


def _fits(shape: tuple[int, ...], wanted: tuple[int, ...]) -> bool:
    """Whether an array of the first shape can be broadcast to the second."""
    return len(shape) <= len(wanted) and all(
        n in (1, m) for n, m in zip(reversed(shape), reversed(wanted), strict=False))


def _count(name: str, ids: ArrayLike, given: int | None) -> int:
    if given is not None:
        return integer(name, given, "the number of segments", 0)
    host = known_integers(name, ids, "segment_ids (num_segments is None)")
    return max(0, int(host.max()) + 1) if host.size else 0


segment_sum = _segments("segment_sum", "add", "The sum of each segment of an array.", "0", "[7, 3, 0, 4]")
segment_prod = _segments("segment_prod", "mul", "The product of each segment of an array.", "1", "[10,  3,  1,  4]")
segment_max = _segments(
    "segment_max", "max", "The greatest element of each segment of an array.", "the least number of its type",
    "[          5,           3, -2147483648,           4]")
segment_min = _segments(
    "segment_min", "min", "The least element of each segment of an array.", "the greatest number of its type",
    "[         2,          3, 2147483647,          4]")
