"""Order: sorting, searching, counting, sets."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.errors import ArgumentError, ConcretizationError

from .. import lax
from ..lax.operands import ArrayLike, axis_of, broadcast, cast, convert, dtype_of, shape_of
from ..tracing import aval_of, bind, bind_all, scalar_dtype
from ..transforms.jit import api
from .parts import as_array
from .promotion import promote_types_of
from .shapes import ravel


def _axis(function: str, a: Any, axis: int | None) -> tuple[Any, int]:
    if axis is None:
        return ravel(a), 0
    return a, axis_of(function, axis, len(shape_of(a)))


@api(static=("axis", "kind", "order", "stable", "descending"))
def sort(
    a: ArrayLike, axis: int | None = -1, *, kind: None = None, order: None = None, stable: bool = True,
    descending: bool = False,
) -> Any:
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


@api(static=("axis", "kind", "order", "stable", "descending"))
def argsort(
    a: ArrayLike, axis: int | None = -1, *, kind: None = None, order: None = None, stable: bool = True,
    descending: bool = False,
) -> Any:
    """The places of the elements in their sorted order.

    Args:
        a: An array.
        axis: The dimension; None for the flat array.
        kind: Not used.
        order: Not used.
        stable: Whether equal elements keep their order; they always do.
        descending: Whether the greatest come first.

    Returns:
        The places.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.argsort(jnp.array([3, 1, 2]))
        Array([1, 2, 0], dtype=int32)
    """
    a, d = _axis("argsort", a, axis)
    places = lax.broadcasted_iota(scalar_dtype(int), shape_of(a), d)
    if descending:  # of the array turned around, so that equal elements keep their order
        a, places = lax.rev(a, (d,)), lax.rev(places, (d,))
    found = bind_all(ops.sort, [a, places], {"dimension": d, "keys": 1}, weak=False)[1]
    return lax.rev(found, (d,)) if descending else found


@api(static=("axis",))
def _lexsorted(*keys: ArrayLike, axis: int) -> Any:
    places = lax.broadcasted_iota(scalar_dtype(int), shape_of(keys[0]), axis)
    order = [*reversed(keys), places]
    return bind_all(ops.sort, order, {"dimension": axis, "keys": len(keys)}, weak=False)[-1]


def lexsort(keys: Sequence[ArrayLike], axis: int = -1) -> Any:
    """The places of elements sorted by several keys, the last of which counts most.

    Args:
        keys: Arrays of one shape.
        axis: The dimension.

    Returns:
        The places.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.lexsort((jnp.array([1, 0, 2]), jnp.array([1, 1, 0])))
        Array([2, 1, 0], dtype=int32)
    """
    arrays = list(keys) if isinstance(keys, (list, tuple)) else [
        lax.index_in_dim(keys, i, keepdims=False) for i in range(shape_of(keys)[0])]
    if not arrays or len({shape_of(k) for k in arrays}) != 1:
        raise ArgumentError("lexsort", "the keys differ in shape", [shape_of(k) for k in arrays], "equal shapes")
    return _lexsorted(*arrays, axis=axis_of("lexsort", axis, len(shape_of(arrays[0]))))


def _partitioned(function: str, a: ArrayLike, kth: int, axis: int | None, sorter: Any) -> Any:
    shape = shape_of(a)
    size = math.prod(shape) if axis is None else shape[axis_of(function, axis, len(shape))]
    axis_of(function, kth, size)
    return sorter(a, axis=axis)


def partition(a: ArrayLike, kth: int, axis: int | None = -1) -> Any:
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


def argpartition(a: ArrayLike, kth: int, axis: int | None = -1) -> Any:
    """The places of the elements in the order of `partition`.

    Args:
        a: An array.
        kth: Which element.
        axis: The dimension; None for the flat array.

    Returns:
        The places.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.argpartition(jnp.array([3, 1, 2]), 1)
        Array([1, 2, 0], dtype=int32)
    """
    return _partitioned("argpartition", a, kth, axis, argsort)


def _precedes(x: Any, y: Any, or_equal: bool) -> Any:
    """Whether x comes before y in sorted order, NaN last."""
    found = bind(ops.le if or_equal else ops.lt, x, y, weak=False)
    if not dtypes.is_float(dtype_of(x)):
        return found
    last = bind(ops.ne, y, y, weak=False)
    if not or_equal:
        last = bind(ops.and_, last, bind(ops.eq, x, x, weak=False))
    return bind(ops.or_, found, last)


@api(static=("side", "method"))
def searchsorted(
    a: ArrayLike, v: ArrayLike, side: str = "left", sorter: ArrayLike | None = None, *, method: str = "scan"
) -> Any:
    """Where elements would have to be put into a sorted array so that it stays sorted.

    Args:
        a: A sorted array of one dimension.
        v: The elements.
        side: ``"left"`` for the place in front of equal elements, ``"right"`` for the one behind.
        sorter: The places of `a`'s elements in sorted order, if it is not sorted.
        method: Not used.

    Returns:
        The places.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.searchsorted(jnp.array([1, 3, 5]), jnp.array([3, 4]))
        Array([1, 2], dtype=int32)
    """
    from .indexing import take

    if side not in ("left", "right"):
        raise ArgumentError("searchsorted", "the side is not known", repr(side), "'left' or 'right'")
    if len(shape_of(a)) != 1:
        raise ArgumentError("searchsorted", "the sorted array has not one dimension", shape_of(a), "one dimension")
    if sorter is not None:
        a = take(a, sorter, mode="clip")
    (a, v), _ = promote_types_of("searchsorted", a, v)
    n, shape = shape_of(a)[0], shape_of(v)
    kind = scalar_dtype(int)
    low = broadcast(convert(0, kind), shape, weak=False)
    if not n:
        return as_array(low)
    high = broadcast(convert(n, kind), shape, weak=False)
    for _ in range(n.bit_length()):  # halves the places that are left
        middle = bind(ops.shift_right_logical, bind(ops.add, low, high), broadcast(convert(1, kind), shape))
        element = take(a, middle, mode="clip")
        goes_on = _precedes(element, v, or_equal=False) if side == "left" else _precedes(element, v, or_equal=True)
        goes_on = bind(ops.and_, goes_on, bind(ops.lt, low, high))
        low = bind(ops.select, goes_on, bind(ops.add, middle, broadcast(convert(1, kind), shape)), low)
        high = bind(ops.select, goes_on, high, bind(ops.min, middle, high))
    return low


def digitize(x: ArrayLike, bins: ArrayLike, right: bool = False) -> Any:
    """The numbers of the intervals in which elements lie.

    Args:
        x: The elements.
        bins: The ends of the intervals, ascending or descending.
        right: Whether an interval holds its right end, not its left one.

    Returns:
        The numbers.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.digitize(jnp.array([0.5, 1.5, 5.0]), jnp.array([0.0, 1.0, 2.0]))
        Array([1, 2, 3], dtype=int32)
    """
    return _digitized(x, bins, right=bool(right))


@api(static=("right",))
def _digitized(x: ArrayLike, bins: ArrayLike, right: bool) -> Any:
    from .indexing import where

    n = shape_of(bins)[0]
    rising = searchsorted(bins, x, side="left" if right else "right")
    if n < 2:
        return rising
    falling = lax.sub(n, searchsorted(lax.rev(bins, (0,)), x, side="left" if right else "right"))
    ascends = lax.ge(lax.index_in_dim(bins, n - 1, keepdims=False), lax.index_in_dim(bins, 0, keepdims=False))
    return where(ascends, rising, falling)


@api(static=("length",))
def _counted(x: ArrayLike, weights: ArrayLike | None, length: int) -> Any:
    flat = lax.max(cast(ravel(x), np.dtype(np.int32)), 0)
    kind = scalar_dtype(int) if weights is None else dtype_of(weights)
    count = shape_of(flat)[0]
    added = broadcast(convert(1, kind), (count,), weak=False) if weights is None else ravel(weights)
    numbers = lax.ScatterDimensionNumbers((), (0,), (0,))
    return lax.scatter_add(lax.full((length,), 0, kind), lax.expand_dims(flat, 1), added, numbers)


def bincount(
    x: ArrayLike, weights: ArrayLike | None = None, minlength: int = 0, *, length: int | None = None
) -> Any:
    """How often each number from zero on occurs.

    Args:
        x: Integers of zero or more, in one dimension.
        weights: What each counts; 1 for None.
        minlength: How many numbers to count at least.
        length: How many numbers to count; where it is None the greatest one must be known.

    Returns:
        The counts.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.bincount(jnp.array([1, 2, 2]))
        Array([0, 1, 2], dtype=int32)
    """
    if length is None:
        try:
            host = np.asarray(x)
        except ConcretizationError:
            raise ConcretizationError("bincount without length=", repr(aval_of(x))) from None
        length = max(int(host.max(initial=-1)) + 1, minlength)
    return _counted(x, weights, length=int(length))


@api(static=("bins", "range"))
def histogram_bin_edges(
    a: ArrayLike, bins: int | ArrayLike = 10, range: Any = None, weights: None = None
) -> Any:
    """The ends of the intervals of a histogram.

    Args:
        a: An array.
        bins: How many intervals.
        range: The lowest and highest end; the least and greatest element for None.
        weights: Not used.

    Returns:
        The ends, one more than there are intervals.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.histogram_bin_edges(jnp.array([0.0, 4.0]), 4)
        Array([0., 1., 2., 3., 4.], dtype=float32)
    """
    from .creation import asarray
    from .indexing import where
    from .promotion import inexact_dtype
    from .reductions import max as numpy_max
    from .reductions import min as numpy_min

    kind = inexact_dtype(dtype_of(a))
    count = int(bins)
    if range is not None or not math.prod(shape_of(a)):
        ends = (0.0, 1.0) if range is None else tuple(float(v) for v in range)
        ends = (ends[0] - 0.5, ends[1] + 0.5) if ends[0] == ends[1] else ends
        return asarray(np.linspace(*ends, count + 1).astype(kind))
    low, high = (cast(f(a), kind) for f in (numpy_min, numpy_max))
    same = lax.eq(low, high)
    low, high = where(same, lax.sub(low, 0.5), low), where(same, lax.add(high, 0.5), high)
    # A whole number of steps from the lower end: steps without rounding give ends without rounding.
    places = lax.iota(kind, count + 1)
    step = lax.div(lax.sub(high, low), convert(count, kind))
    ends = lax.add(lax.mul(places, broadcast(step, (count + 1,))), broadcast(low, (count + 1,)))
    return where(lax.eq(places, float(count)), high, ends)


def histogram(
    a: ArrayLike, bins: int | ArrayLike = 10, range: tuple[float, float] | None = None,
    weights: ArrayLike | None = None, density: bool = False,
) -> tuple[Any, Any]:
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
    from .creation import asarray

    if isinstance(bins, (list, tuple)) or (hasattr(bins, "shape") and np.ndim(bins) == 1):
        edges = asarray(bins)
    else:
        limits = None if range is None else tuple(float(v) for v in range)
        edges = histogram_bin_edges(a, int(bins), limits)
    return _histogram(a, edges, weights, density=bool(density)), edges


@api(static=("density",))
def _histogram(a: ArrayLike, edges: ArrayLike, weights: ArrayLike | None, density: bool) -> Any:
    from .arithmetic import divide, multiply, subtract
    from .comparison import logical_and
    from .indexing import where
    from .promotion import inexact_dtype
    from .reductions import sum as numpy_sum

    (a, edges), _ = promote_types_of("histogram", ravel(a), edges)
    count = shape_of(edges)[0] - 1
    last = lax.index_in_dim(edges, count, keepdims=False)
    place = lax.sub(searchsorted(edges, a, side="right"), 1)
    place = where(lax.eq(a, last), count - 1, place)  # the last interval holds its end
    inside = logical_and(lax.ge(place, 0), lax.lt(place, count))
    inside = logical_and(inside, lax.le(a, last))
    kind = inexact_dtype(dtype_of(a) if weights is None else dtype_of(weights))
    added = cast(1 if weights is None else ravel(weights), kind)
    added = broadcast(added, shape_of(a)) if weights is None else added
    counts = _counted(where(inside, place, 0), where(inside, added, convert(0, kind)), count)
    if not density:
        return counts
    widths = subtract(lax.slice_in_dim(edges, 1, None), lax.slice_in_dim(edges, 0, count))
    return divide(counts, multiply(widths, numpy_sum(counts)))


def _known(function: str, a: Any) -> np.ndarray:
    try:
        return np.asarray(a)
    except ConcretizationError:
        what = f"{function}, the size of whose result depends on the values,"
        raise ConcretizationError(what, repr(aval_of(a))) from None


def unique(
    ar: ArrayLike, return_index: bool = False, return_inverse: bool = False, return_counts: bool = False,
    axis: int | None = None, *, equal_nan: bool = True, size: int | None = None, fill_value: Any = None,
) -> Any:
    """The different elements, sorted.

    Args:
        ar: An array whose values are known.
        return_index: Whether to give the first place of each.
        return_inverse: Whether to give, for each element of `ar`, the place of its like.
        return_counts: Whether to give how often each occurs.
        axis: The dimension along which parts are compared; None for the flat array.
        equal_nan: Whether NaN equals NaN.
        size: How many elements there are to be: surplus ones are left out, missing ones filled.
        fill_value: What stands for missing ones; the least element for None.

    Returns:
        The elements; a tuple where more is asked for.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.unique(jnp.array([3, 1, 3]))
        Array([1, 3], dtype=int32)
    """
    from .creation import asarray

    if size is not None and axis is None and not _is_known(ar):
        wanted = (True, return_index, return_inverse, return_counts)
        parts = _unique_of_size(ar, fill_value, size=int(size), equal_nan=bool(equal_nan))
        chosen = tuple(part for part, want in zip(parts, wanted, strict=True) if want)
        return chosen[0] if len(chosen) == 1 else chosen
    found = np.unique(_known("unique", ar), True, True, True, axis, equal_nan=equal_nan)
    values, first, inverse, counts = found
    d = 0 if axis is None else axis
    if size is not None:
        n = values.shape[d]
        order = np.minimum(np.arange(size), max(n - 1, 0))
        fill = values.take([0], d) if fill_value is None else fill_value
        inside = (np.arange(size) < n).reshape([-1 if i == d % values.ndim else 1 for i in range(values.ndim)])
        values = np.where(inside, values.take(order, d), fill).astype(values.dtype)
        first = np.where(np.arange(size) < n, first[order], first[0])
        counts = np.where(np.arange(size) < n, counts[order], 0)
    results = [values]
    for wanted, part in ((return_index, first), (return_inverse, inverse), (return_counts, counts)):
        if wanted:
            results.append(part.astype(scalar_dtype(int)))
    arrays = tuple(asarray(part) for part in results)
    return arrays[0] if len(arrays) == 1 else arrays


def _is_known(a: Any) -> bool:
    try:
        np.asarray(a)
    except ConcretizationError:
        return False
    return True


@api(static=("size", "equal_nan"))
def _unique_of_size(ar: ArrayLike, fill_value: Any, size: int, equal_nan: bool) -> tuple[Any, Any, Any, Any]:
    """The different elements, their first places, each element's number, and how often each occurs."""
    from .indexing import take, where
    from .joining import concatenate
    from .parts import isnan_of

    flat = ravel(ar)
    n = shape_of(flat)[0]
    if not n:
        raise ArgumentError("unique", "there are no elements to fill the result with", shape_of(ar),
                            "one element or more")
    order = argsort(flat)
    ordered = take(flat, order, mode="clip")
    later, earlier = lax.slice_in_dim(ordered, 1, n), lax.slice_in_dim(ordered, 0, n - 1)
    differs = bind(ops.ne, later, earlier, weak=False)
    if equal_nan:
        both_nan = bind(ops.and_, isnan_of(later), isnan_of(earlier))
        differs = bind(ops.and_, differs, bind(ops.not_, both_nan))
    begins = concatenate([np.ones(1, bool), differs])
    number = lax.sub(lax.cumsum(convert(begins, scalar_dtype(int))), 1)
    total = lax.add(lax.index_in_dim(number, n - 1, keepdims=False), 1)
    there = lax.lt(lax.iota(scalar_dtype(int), size), total)
    dims = lax.ScatterDimensionNumbers((), (0,), (0,))
    # Numbers beyond the size are dropped; elements that do not begin a run go there.
    goal = lax.expand_dims(where(begins, number, size), 1)
    places = lax.scatter(lax.full((size,), 0, scalar_dtype(int)), goal, lax.iota(scalar_dtype(int), n), dims)
    fill = lax.index_in_dim(ordered, 0, keepdims=False) if fill_value is None else fill_value
    values = where(there, take(ordered, places, mode="clip"), cast(fill, dtype_of(flat)))
    first = take(order, where(there, places, 0), mode="clip")
    inverse = lax.scatter(lax.full_like(number, 0), lax.expand_dims(order, 1), number, dims)
    counts = lax.scatter_add(lax.full((size,), 0, scalar_dtype(int)), lax.expand_dims(number, 1),
                             lax.full_like(number, 1), dims)
    return values, first, lax.reshape(inverse, shape_of(ar)), counts


def unique_values(x: ArrayLike, /) -> Any:
    """The different elements, sorted.

    Args:
        x: An array whose values are known.

    Returns:
        The elements.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.unique_values(jnp.array([3, 1, 3]))
        Array([1, 3], dtype=int32)
    """
    return unique(x, equal_nan=False)


@api(static=("invert",))
def _contained(element: ArrayLike, tests: ArrayLike, invert: bool) -> Any:
    from .reductions import any as numpy_any

    (element, tests), _ = promote_types_of("isin", element, ravel(tests))
    shape = shape_of(element)
    wide = (*shape, shape_of(tests)[0])
    same = bind(ops.eq, lax.broadcast_in_dim(element, wide, range(len(shape))), broadcast(tests, wide), weak=False)
    found = numpy_any(same, axis=-1)
    return bind(ops.not_, found) if invert else found


def isin(
    element: ArrayLike, test_elements: ArrayLike, assume_unique: bool = False, invert: bool = False, *,
    method: str = "auto",
) -> Any:
    """Whether elements are among others.

    Args:
        element: The elements.
        test_elements: The others.
        assume_unique: Not used.
        invert: Whether to say where they are not.
        method: Not used.

    Returns:
        Truth values.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.isin(jnp.arange(3), jnp.array([0, 2]))
        Array([ True, False,  True], dtype=bool)
    """
    from .creation import asarray

    return _contained(asarray(element), asarray(test_elements), invert=bool(invert))


def _of_sets(name: str, host: Any, summary: str, result: str) -> Any:
    def function(ar1: ArrayLike, ar2: ArrayLike) -> Any:
        from .creation import asarray

        a, b = (asarray(x) for x in (ar1, ar2))
        (a, b), _ = promote_types_of(name, a, b)
        return asarray(host(_known(name, a), _known(name, b)))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        f"{summary}\n\nArgs:\n    ar1: An array whose values are known.\n    ar2: Another one.\n\nReturns:\n"
        f"    The elements, sorted, each once.\n\nExample:\n    >>> import olympus.numpy as jnp\n"
        f"    >>> jnp.{name}(jnp.array([1, 2, 2]), jnp.array([2, 3]))\n    Array({result}, dtype=int32)\n"
    )
    return function


union1d = _of_sets("union1d", np.union1d, "The elements of either array.", "[1, 2, 3]")
intersect1d = _of_sets("intersect1d", np.intersect1d, "The elements of both arrays.", "[2]")
setdiff1d = _of_sets("setdiff1d", np.setdiff1d, "The elements of one array and not of the other.", "[1]")
setxor1d = _of_sets("setxor1d", np.setxor1d, "The elements of just one array.", "[1, 3]")
