# SPDX-License-Identifier: Apache-2.0
"""Sorting, searching in sorted arrays, counting, histograms."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.errors import ArgumentError, ConcretizationError, described

from .. import lax
from ..operands import (
    as_array,
    axis_of,
    broadcast,
    cast,
    convert,
    counting,
    dtype_of,
    element_type,
    integer,
    known,
    known_integers,
    shape_of,
    size_of_row,
)
from ..tracing import aval_of, bind, bind_all, scalar_dtype
from ..tracing.staging import unwatched
from ..transforms.complex_order import bind_ordered
from ..transforms.jit import api
from ..typing import Array, ArrayLike, DTypeLike, ShardingLike
from .arithmetic import divide, multiply, subtract
from .comparison import logical_and
from .creation import asarray
from .indexing import take
from .promotion import inexact_dtype, promote_types_of
from .reductions import max as numpy_max
from .reductions import min as numpy_min
from .reductions import sum as numpy_sum
from .searching import where
from .shapes import ravel

__all__ = [
    "argpartition", "argsort", "bincount", "digitize", "histogram", "histogram_bin_edges", "lexsort", "partition",
    "searchsorted", "sort",
]


def _axis(function: str, a: Any, axis: int | None) -> tuple[Any, int]:
    if axis is None:
        return ravel(a), 0
    return a, axis_of(function, axis, len(shape_of(a)))


@api(static=("axis", "kind", "order", "stable", "descending"), call="sort")
def sort(
    a: ArrayLike, axis: int | None = -1, *, kind: None = None, order: None = None, stable: bool = True,
    descending: bool = False,
) -> Array:
    """Sorts along a dimension, NaN last.

    Args:
        a: An array.
        axis: The dimension; None for the flat array.
        kind: Not used.
        order: Not used.
        stable: Whether equal elements keep their order; they always do.
        descending: Whether the greatest come first.

    Returns:
        The sorted array.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.sort(jnp.array([3, 1, 2]))
        Array([1, 2, 3], dtype=int32)
    """
    a, d = _axis("sort", a, axis)
    found = bind(ops.sort, a, dimension=d, keys=1, weak=aval_of(a).weak)
    return lax.rev(found, (d,)) if descending else found


@api(static=("axis", "kind", "order", "stable", "descending", "dtype"), call="argsort")
def argsort(
    a: ArrayLike, axis: int | None = -1, *, kind: None = None, order: None = None, stable: bool = True,
    descending: bool = False, dtype: DTypeLike | None = None,
) -> Array:
    """The indices of the elements in their sorted order.

    Args:
        a: An array.
        axis: The dimension; None for the flat array.
        kind: Not used.
        order: Not used.
        stable: Whether equal elements keep their order; they always do.
        descending: Whether the greatest come first.
        dtype: The element type of the indices; the default integers for None.

    Returns:
        The indices.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.argsort(jnp.array([3, 1, 2]))
        Array([1, 2, 0], dtype=int32)
    """
    a, d = _axis("argsort", a, axis)
    with counting(shape_of(a)):
        positions = lax.broadcasted_iota(scalar_dtype(int), shape_of(a), d)
    if descending:  # of the reversed array, so that equal elements keep their order
        a, positions = lax.rev(a, (d,)), lax.rev(positions, (d,))
    found = bind_all(ops.sort, [a, positions], {"dimension": d, "keys": 1}, weak=False)[1]
    found = lax.rev(found, (d,)) if descending else found
    return found if dtype is None else convert(found, element_type("argsort", dtype))


@api(static=("axis",))
def _lexsorted(*keys: ArrayLike, axis: int) -> Any:
    with counting(shape_of(keys[0])):
        positions = lax.broadcasted_iota(scalar_dtype(int), shape_of(keys[0]), axis)
    order = [*reversed(keys), positions]
    return bind_all(ops.sort, order, {"dimension": axis, "keys": len(keys)}, weak=False)[-1]


def lexsort(keys: Any, axis: int = -1) -> Array:
    """The indices of elements sorted by several keys, the last of which counts most.

    Args:
        keys: Arrays of one shape, or one array, whose rows are keys.
        axis: The dimension; of keys that are numbers there is none, and the result is 0.

    Returns:
        The indices.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.lexsort((jnp.array([1, 0, 2]), jnp.array([1, 1, 0])))
        Array([2, 1, 0], dtype=int32)
    """
    if not isinstance(keys, (list, tuple)) and not shape_of(keys):
        raise ArgumentError("lexsort", "the keys are no sequence", described(keys), "a list, tuple or array of keys")
    arrays = list(keys) if isinstance(keys, (list, tuple)) else [
        lax.index_in_dim(keys, i, keepdims=False) for i in range(shape_of(keys)[0])]
    if not arrays or len({shape_of(k) for k in arrays}) != 1:
        raise ArgumentError("lexsort", "the keys differ in shape", [shape_of(k) for k in arrays], "equal shapes")
    if not shape_of(arrays[0]):  # of single numbers there is one order
        return asarray(np.zeros((), scalar_dtype(int)))
    return _lexsorted(*arrays, axis=axis_of("lexsort", axis, len(shape_of(arrays[0]))))


def _partitioned(function: str, a: ArrayLike, kth: int, axis: int | None, sorter: Any) -> Any:
    shape = shape_of(a)
    size = math.prod(shape) if axis is None else shape[axis_of(function, axis, len(shape))]
    axis_of(function, kth, size)
    return sorter(a, axis=axis)


def partition(a: ArrayLike, kth: int, axis: int | None = -1) -> Array:
    """An array whose k-th element is the k-th of the sorted one, lesser ones before it; here wholly sorted.

    Args:
        a: An array.
        kth: Which element.
        axis: The dimension; None for the flat array.

    Returns:
        The rearranged array.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.partition(jnp.array([3, 1, 2]), 1)
        Array([1, 2, 3], dtype=int32)
    """
    return _partitioned("partition", a, kth, axis, sort)


def argpartition(a: ArrayLike, kth: int, axis: int | None = -1) -> Array:
    """The indices of the elements in the order of `partition`.

    Args:
        a: An array.
        kth: Which element.
        axis: The dimension; None for the flat array.

    Returns:
        The indices.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.argpartition(jnp.array([3, 1, 2]), 1)
        Array([1, 2, 0], dtype=int32)
    """
    return _partitioned("argpartition", a, kth, axis, argsort)


def _precedes(x: Any, y: Any, or_equal: bool) -> Any:
    """Whether x comes before y in sorted order, NaN last."""
    found = bind_ordered(ops.le if or_equal else ops.lt, x, y, weak=False)
    if not dtypes.is_float(dtype_of(x)) and not dtypes.is_complex(dtype_of(x)):
        return found
    last = bind(ops.ne, y, y, weak=False)
    if not or_equal:
        last = bind(ops.and_, last, bind(ops.eq, x, x, weak=False))
    return bind(ops.or_, found, last)


@api(static=("side", "method"), call="searchsorted")
def searchsorted(
    a: ArrayLike, v: ArrayLike, side: str = "left", sorter: ArrayLike | None = None, *, method: str = "scan"
) -> Array:
    """Where elements would have to be put into a sorted array so that it stays sorted.

    Args:
        a: A sorted array of one dimension.
        v: The elements.
        side: ``"left"`` for the index before equal elements, ``"right"`` for the one after.
        sorter: The indices of `a`'s elements in sorted order, if it is not sorted.
        method: Not used.

    Returns:
        The indices.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.searchsorted(jnp.array([1, 3, 5]), jnp.array([3, 4]))
        Array([1, 2], dtype=int32)
    """
    if side not in ("left", "right"):
        raise ArgumentError("searchsorted", "the side is not known", repr(side), "'left' or 'right'")
    if len(shape_of(a)) != 1:
        raise ArgumentError("searchsorted", "the sorted array has not one dimension", shape_of(a), "one dimension")
    if sorter is not None:
        size_of_row("searchsorted", sorter, "the sorter")
        a = take(a, sorter, mode="clip")
    (a, v), _ = promote_types_of("searchsorted", a, v)
    with counting(shape_of(a)):
        return _indices_in(a, v, side)


def _indices_in(a: Any, v: Any, side: str) -> Any:
    n, shape = shape_of(a)[0], shape_of(v)
    kind = scalar_dtype(int)
    low = broadcast(convert(0, kind), shape, weak=False)
    if not n:
        return as_array(low)
    high = broadcast(convert(n, kind), shape, weak=False)
    for _ in range(int(n).bit_length()):  # halves the interval that is left
        middle = bind(ops.shift_right_logical, bind(ops.add, low, high), broadcast(convert(1, kind), shape))
        element = take(a, middle, mode="clip")
        goes_on = _precedes(element, v, or_equal=False) if side == "left" else _precedes(element, v, or_equal=True)
        goes_on = bind(ops.and_, goes_on, bind(ops.lt, low, high))
        low = bind(ops.select, goes_on, bind(ops.add, middle, broadcast(convert(1, kind), shape)), low)
        high = bind(ops.select, goes_on, high, bind(ops.min, middle, high))
    return low


def digitize(x: ArrayLike, bins: ArrayLike, right: bool = False, *, method: str | None = None) -> Array:
    """The numbers of the intervals in which elements lie.

    Args:
        x: The elements.
        bins: The ends of the intervals, ascending or descending.
        right: Whether an interval holds its right end, not its left one.
        method: Not used.

    Returns:
        The numbers.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.digitize(jnp.array([0.5, 1.5, 5.0]), jnp.array([0.0, 1.0, 2.0]))
        Array([1, 2, 3], dtype=int32)
    """
    size_of_row("digitize", bins, "the row of ends")
    return _digitized(x, bins, right=bool(right))


@api(static=("right",), call="digitize")
def _digitized(x: ArrayLike, bins: ArrayLike, right: bool) -> Any:
    n = shape_of(bins)[0]
    rising = searchsorted(bins, x, side="left" if right else "right")
    if n < 2:
        return rising
    falling = lax.sub(n, searchsorted(lax.rev(bins, (0,)), x, side="left" if right else "right"))
    ascends = lax.ge(lax.index_in_dim(bins, n - 1, keepdims=False), lax.index_in_dim(bins, 0, keepdims=False))
    return where(ascends, rising, falling)


@api(static=("length", "out_sharding"))
def _counted(
    x: ArrayLike, weights: ArrayLike | None, length: int, out_sharding: ShardingLike | None = None
) -> Any:
    return lax.structure.scoped(out_sharding, lambda u, v: _scattered(u, v, length), x, weights)


def _scattered(x: Any, weights: Any, length: int) -> Any:
    own = dtype_of(x)
    # Wide integers stay: cut to 32 bits, great numbers could be small ones.
    wide = own if own in (dtypes.int64, dtypes.uint64, dtypes.uint32) else dtypes.int32
    flat = lax.max(cast(ravel(x), wide), 0)
    kind = scalar_dtype(int) if weights is None else dtype_of(weights)
    count = shape_of(flat)[0]
    added = broadcast(convert(1, kind), (count,), weak=False) if weights is None else ravel(weights)
    numbers = lax.ScatterDimensionNumbers((), (0,), (0,))
    with unwatched():
        return lax.scatter_add(lax.full((length,), 0, kind), lax.expand_dims(flat, 1), added, numbers)


def bincount(
    x: ArrayLike, weights: ArrayLike | None = None, minlength: int = 0, *, length: int | None = None,
    out_sharding: ShardingLike | None = None,
) -> Array:
    """How often each number from zero on occurs.

    Args:
        x: Integers of zero or more, in one dimension.
        weights: What each counts; 1 for None.
        minlength: How many numbers to count at least.
        length: How many numbers to count; where it is None the greatest one must be known.
        out_sharding: How the result is to be sharded.

    Returns:
        The counts.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.bincount(jnp.array([1, 2, 2]))
        Array([0, 1, 2], dtype=int32)
    """
    if length is None:
        try:
            host = known("bincount", x, "the array")
            host = host if dtypes.is_bool(host.dtype) else known_integers("bincount", x, "the array")
        except ConcretizationError:
            raise ConcretizationError("bincount without length=", repr(aval_of(x))) from None
        length = max(int(host.max()) + 1 if host.size else 0, integer("bincount", minlength, "minlength", 0))
    if isinstance(x, (list, tuple)):
        x = known_integers("bincount", x, "the array")
    if weights is not None and shape_of(weights) != shape_of(x):
        raise ArgumentError("bincount", "the weights do not fit", f"shape {shape_of(weights)}", f"shape {shape_of(x)}")
    return _counted(x, weights, length=integer("bincount", length, "the length", 0), out_sharding=out_sharding)


def histogram_bin_edges(
    a: ArrayLike, bins: int | ArrayLike = 10, range: Any = None, weights: None = None
) -> Array:
    """The ends of the intervals of a histogram.

    Args:
        a: An array.
        bins: How many intervals, or their ends.
        range: The lowest and highest end; the least and greatest element for None.
        weights: Not used.

    Returns:
        The ends, one more than there are intervals.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.histogram_bin_edges(jnp.array([0.0, 4.0]), 4)
        Array([0., 1., 2., 3., 4.], dtype=float32)
    """
    if isinstance(bins, (list, tuple)) or (hasattr(bins, "shape") and np.ndim(bins)):
        edges = asarray(bins)
        size_of_row("histogram_bin_edges", edges, "the row of ends")
        return convert(edges, inexact_dtype(dtype_of(a)))
    limits = None if range is None else _limits("histogram_bin_edges", range)
    return _equal_bins(a, integer("histogram_bin_edges", bins, "the number of intervals", 1), limits)


@api(static=("count", "ends"))
def _equal_bins(a: ArrayLike, count: int, ends: tuple[float, float] | None) -> Array:
    kind = inexact_dtype(dtype_of(a))
    if ends is not None or not math.prod(shape_of(a)):
        ends = (0.0, 1.0) if ends is None else ends
        ends = (ends[0] - 0.5, ends[1] + 0.5) if ends[0] == ends[1] else ends
        return asarray(np.linspace(*ends, count + 1).astype(kind))
    wide = kind if kind.itemsize >= 4 else dtypes.float32  # narrow ones have neither the positions nor the steps
    low, high = (cast(f(a), wide) for f in (numpy_min, numpy_max))
    same = lax.eq(low, high)
    low, high = where(same, lax.sub(low, 0.5), low), where(same, lax.add(high, 0.5), high)
    # An integer number of steps from the lower end: steps without rounding give ends without rounding.
    positions = lax.iota(wide, count + 1)
    step = lax.div(lax.sub(high, low), convert(count, wide))
    edges = lax.add(lax.mul(positions, broadcast(step, (count + 1,))), broadcast(low, (count + 1,)))
    return cast(where(lax.eq(positions, float(count)), high, edges), kind)


def _limits(function: str, given: Any) -> tuple[float, float]:
    limits = known(function, given, "the range")
    if limits.shape != (2,) or dtypes.is_complex(limits.dtype) or not np.isfinite(limits).all() or (
        limits[0] > limits[1]
    ):
        raise ArgumentError(function, "the range is none", described(given), "a pair (lowest, highest) of numbers")
    return float(limits[0]), float(limits[1])


def histogram(
    a: ArrayLike, bins: int | ArrayLike = 10, range: tuple[float, float] | None = None,
    weights: ArrayLike | None = None, density: bool | None = None,
) -> tuple[Array, Array]:
    """How many elements lie in each of a row of intervals.

    Args:
        a: An array.
        bins: How many intervals, or their ends.
        range: The lowest and highest end; the least and greatest element for None.
        weights: What each element counts; 1 for None.
        density: Whether to scale the counts so that their integral is one.

    Returns:
        The counts, and the ends of the intervals.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.histogram(jnp.array([1.0, 2.0, 1.5, 4.0]), bins=3)[0]
        Array([2., 1., 1.], dtype=float32)
    """
    if isinstance(bins, (list, tuple)) or (hasattr(bins, "shape") and np.ndim(bins) == 1):
        edges = asarray(bins)
        if size_of_row("histogram", edges, "the row of ends") < 2:
            raise ArgumentError("histogram", "there are too few ends of intervals", f"shape {shape_of(edges)}",
                                "two ends or more")
    else:
        limits = None if range is None else _limits("histogram", range)
        edges = histogram_bin_edges(a, integer("histogram", bins, "the number of intervals", 1), limits)
        if not dtypes.is_float(dtype_of(a)) and not dtypes.is_complex(dtype_of(a)):
            # The ends, which the caller did not give, are floats.
            a = cast(a, dtype_of(edges))
    return _histogram(a, edges, weights, density=bool(density)), edges


@api(static=("density",))
def _histogram(a: ArrayLike, edges: ArrayLike, weights: ArrayLike | None, density: bool) -> Any:
    (a, edges), _ = promote_types_of("histogram", ravel(a), edges)
    count = shape_of(edges)[0] - 1
    last = lax.index_in_dim(edges, count, keepdims=False)
    position = lax.sub(searchsorted(edges, a, side="right"), 1)
    position = where(lax.eq(a, last), count - 1, position)  # the last interval is closed
    inside = logical_and(lax.ge(position, 0), lax.lt(position, count))
    inside = logical_and(inside, lax.le(a, last))
    kind = inexact_dtype(dtype_of(a) if weights is None else dtype_of(weights))
    added = cast(1 if weights is None else ravel(weights), kind)
    added = broadcast(added, shape_of(a)) if weights is None else added
    counts = _counted(where(inside, position, 0), where(inside, added, convert(0, kind)), count)
    if not density:
        return counts
    widths = subtract(lax.slice_in_dim(edges, 1, None), lax.slice_in_dim(edges, 0, count))
    return divide(counts, multiply(widths, numpy_sum(counts)))
