"""Putting arrays together and taking them apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.errors import ArgumentError, described

from .. import lax
from ..lax.operands import (
    ArrayLike,
    axis_of,
    broadcast,
    cast,
    convert,
    dtype_of,
    element_type,
    integer,
    integers,
    is_sequence,
    known,
    known_integers,
    shape_of,
)
from ..tracing import aval_of, is_array_like
from ..transforms.jit import api
from .parts import as_array
from .promotion import promote_types_of
from .shapes import atleast_1d, atleast_2d, atleast_3d, check_broadcast, moveaxis, ravel


@api(static=("axis", "dtype"))
def _concatenated(*arrays: ArrayLike, axis: int, dtype: np.dtype | None) -> Any:
    parts, weak = promote_types_of("concatenate", *arrays)
    found = as_array(parts[0]) if len(parts) == 1 else lax.concatenate(parts, axis)
    kind = aval_of(found).dtype if dtype is None else dtype
    return convert(found, kind, weak and dtype is None)


def concatenate(arrays: Sequence[ArrayLike], axis: int | None = 0, dtype: Any = None) -> Any:
    """Puts arrays one after the other along a dimension.

    Args:
        arrays: Arrays of shapes that are equal but for the dimension.
        axis: The dimension; None to join the flat arrays.
        dtype: The element type of the result.

    Returns:
        The joined array.

    Raises:
        ArgumentError: If the shapes do not fit.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.concatenate([jnp.arange(2), jnp.ones(1)])
        Array([0., 1., 1.], dtype=float32)
    """
    parts = _sequence("concatenate", arrays)
    if axis is None:
        parts, axis = [ravel(x) for x in parts], 0
    shapes = [shape_of(x) for x in parts]
    if not shapes[0]:
        raise ArgumentError("concatenate", "arrays of no dimensions cannot be joined", shapes,
                            "arrays with dimensions", "Use stack.")
    d = axis_of("concatenate", axis, len(shapes[0]))
    rest = {(*shape[:d], 0, *shape[d + 1:]) if len(shape) > d else shape for shape in shapes}
    if len(rest) > 1 or len({len(shape) for shape in shapes}) > 1:
        raise ArgumentError("concatenate", "the shapes do not fit", ", ".join(map(str, shapes)),
                            f"shapes that are equal but for axis {d}")
    return _concatenated(*parts, axis=d, dtype=None if dtype is None else element_type("concatenate", dtype))


def _sequence(function: str, arrays: Any) -> list[Any]:
    if not isinstance(arrays, (list, tuple)):
        if not is_array_like(arrays) or not shape_of(arrays):
            raise ArgumentError(function, "a sequence of arrays is needed", described(arrays),
                                "a list, a tuple or an array")
        arrays = [lax.index_in_dim(arrays, i, keepdims=False) for i in range(shape_of(arrays)[0])]
    if not arrays:
        raise ArgumentError(function, "there are no arrays", "none", "one array or more")
    from .creation import asarray

    return [asarray(x) if isinstance(x, (list, tuple)) else x for x in arrays]


concat = concatenate


@api(static=("axis", "dtype"))
def _stacked(*arrays: ArrayLike, axis: int, dtype: np.dtype | None) -> Any:
    parts, weak = promote_types_of("stack", *arrays)
    found = lax.concatenate([lax.expand_dims(x, axis) for x in parts], axis)
    return convert(found, aval_of(found).dtype if dtype is None else dtype, weak and dtype is None)


def stack(arrays: Sequence[ArrayLike], axis: int = 0, out: None = None, dtype: Any = None) -> Any:
    """Puts arrays of one shape along a new dimension.

    Args:
        arrays: The arrays.
        axis: The new dimension's place.
        out: Not used: arrays never change.
        dtype: The element type of the result.

    Returns:
        The stacked array.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.stack([jnp.arange(2), jnp.arange(2)]).shape
        (2, 2)
    """
    parts = _sequence("stack", arrays)
    shapes = {shape_of(x) for x in parts}
    if len(shapes) > 1:
        raise ArgumentError("stack", "the shapes differ", ", ".join(map(str, sorted(shapes))), "equal shapes")
    d = axis_of("stack", axis, len(shapes.pop()) + 1)
    return _stacked(*parts, axis=d, dtype=None if dtype is None else element_type("stack", dtype))


def unstack(x: ArrayLike, /, *, axis: int = 0) -> tuple[Any, ...]:
    """The parts of an array along a dimension.

    Args:
        x: An array.
        axis: The dimension.

    Returns:
        An array for each index.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.unstack(jnp.arange(2))
        (Array(0, dtype=int32), Array(1, dtype=int32))
    """
    return _unstacked(x, axis=axis_of("unstack", axis, len(shape_of(x))))


@api(static=("axis",))
def _unstacked(x: ArrayLike, axis: int) -> tuple[Any, ...]:
    return tuple(lax.index_in_dim(x, i, axis, keepdims=False) for i in range(shape_of(x)[axis]))


def _joiner(name: str, summary: str, prepare: Any, axis: Any, example: str) -> Any:
    def function(tup: Sequence[ArrayLike], dtype: Any = None) -> Any:
        parts = [prepare(x) for x in _sequence(name, tup)]
        return concatenate(parts, axis(parts), dtype)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        f"{summary}\n\nArgs:\n    tup: Arrays.\n    dtype: The element type of the result.\n\nReturns:\n"
        f"    The joined array.\n\nExample:\n    >>> import olympus.numpy as jnp\n"
        f"    >>> jnp.{name}([jnp.ones(3), jnp.zeros(3)]).shape\n    {example}\n"
    )
    return function


def _as_column(x: Any) -> Any:
    return lax.reshape(x, (-1, 1)) if len(shape_of(x)) < 2 else x


vstack = _joiner("vstack", "Puts arrays below each other.", atleast_2d, lambda parts: 0, "(2, 3)")
hstack = _joiner("hstack", "Puts arrays beside each other.", atleast_1d,
                 lambda parts: 0 if len(shape_of(parts[0])) == 1 else 1, "(6,)")
dstack = _joiner("dstack", "Puts arrays behind each other.", atleast_3d, lambda parts: 2, "(1, 3, 2)")
column_stack = _joiner("column_stack", "Puts arrays of one dimension beside each other as columns.", _as_column,
                       lambda parts: 1, "(3, 2)")


def append(arr: ArrayLike, values: ArrayLike, axis: int | None = None) -> Any:
    """Puts values after an array.

    Args:
        arr: An array.
        values: What to put.
        axis: The dimension; None to join the flat arrays.

    Returns:
        The joined array.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.append(jnp.arange(2), 5)
        Array([0, 1, 5], dtype=int32)
    """
    return concatenate([arr, values], axis)


def block(arrays: Any) -> Any:
    """Puts blocks together: the innermost lists along the last dimension, the next ones along the one before.

    Args:
        arrays: An array, or nested lists of arrays.

    Returns:
        The joined array.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.block([[jnp.ones((2, 2)), jnp.zeros((2, 1))]]).shape
        (2, 3)
    """

    def depth(value: Any) -> int:
        if isinstance(value, (list, tuple)) and not value:
            raise ArgumentError("block", "a list of blocks is empty", described(arrays), "one block or more in each")
        return 1 + max(map(depth, value)) if isinstance(value, (list, tuple)) else 0

    levels = depth(arrays)

    def join(value: Any, level: int) -> Any:
        if not isinstance(value, (list, tuple)):
            return value
        parts = [join(item, level - 1) for item in value]
        ndim = max(levels, *(len(shape_of(p)) for p in parts))
        return concatenate([lax.broadcast_to_rank(as_array(p), ndim) for p in parts], ndim - level)

    return join(arrays, levels) if levels else as_array(arrays)


@api(static=("bounds", "axis"))
def _parts(ary: ArrayLike, bounds: tuple[int, ...], axis: int) -> list[Any]:
    ends = [0, *bounds, shape_of(ary)[axis]]
    return [lax.slice_in_dim(ary, a, b, axis=axis) for a, b in zip(ends, ends[1:], strict=False)]


_MOST_PARTS = 1_000_000  # each is an array of its own: more would fill the memory before the first is there


def _split(function: str, ary: ArrayLike, indices_or_sections: Any, axis: int, even: bool) -> list[Any]:
    d = axis_of(function, axis, len(shape_of(ary)))
    n = shape_of(ary)[d]
    if is_sequence(indices_or_sections):
        bounds = [n + i if i < 0 else i for i in integers(function, indices_or_sections, "an index")]
        return _parts(ary, bounds=tuple(min(max(i, 0), n) for i in bounds), axis=d)
    count = integer(function, indices_or_sections, "the number of parts")
    if count < 1 or (even and n % count):
        raise ArgumentError(function, f"an axis of size {n} does not divide into {count} equal parts", count,
                            f"a divisor of {n}", None if count < 1 else "Use array_split for parts of unequal size.")
    if count > _MOST_PARTS:
        raise ArgumentError(function, "the parts are too many", count, f"at most {_MOST_PARTS:,} parts",
                            "Reshape the array instead, with a dimension for the parts.")
    sizes = [n // count + (i < n % count) for i in range(count)]
    return _parts(ary, bounds=tuple(int(b) for b in np.cumsum(sizes)[:-1]), axis=d)


def split(ary: ArrayLike, indices_or_sections: int | Sequence[int], axis: int = 0) -> list[Any]:
    """Takes an array apart along a dimension.

    Args:
        ary: An array.
        indices_or_sections: The number of equal parts, or the indices at which parts begin.
        axis: The dimension.

    Returns:
        The parts.

    Raises:
        ArgumentError: If equal parts are not possible.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.split(jnp.arange(4), 2)
        [Array([0, 1], dtype=int32), Array([2, 3], dtype=int32)]
    """
    return _split("split", ary, indices_or_sections, axis, even=True)


def array_split(ary: ArrayLike, indices_or_sections: int | Sequence[int], axis: int = 0) -> list[Any]:
    """As `split`; the first parts may be larger by one.

    Args:
        ary: An array.
        indices_or_sections: The number of parts, or the indices at which parts begin.
        axis: The dimension.

    Returns:
        The parts.

    Example:
        >>> import olympus.numpy as jnp
        >>> [x.shape for x in jnp.array_split(jnp.arange(5), 2)]
        [(3,), (2,)]
    """
    return _split("array_split", ary, indices_or_sections, axis, even=False)


def _splitter(name: str, axis: int) -> Any:
    def function(ary: ArrayLike, indices_or_sections: int | Sequence[int]) -> list[Any]:
        d = 0 if name == "hsplit" and len(shape_of(ary)) == 1 else axis
        return _split(name, ary, indices_or_sections, d, even=True)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        f"As `split`, along dimension {axis}.\n\nArgs:\n    ary: An array.\n    indices_or_sections: The number of"
        " equal parts, or the indices at which parts begin.\n\nReturns:\n    The parts.\n\nExample:\n"
        f"    >>> import olympus.numpy as jnp\n    >>> len(jnp.{name}(jnp.ones((2, 2, 2)), 2))\n    2\n"
    )
    return function


vsplit, hsplit, dsplit = _splitter("vsplit", 0), _splitter("hsplit", 1), _splitter("dsplit", 2)


def tile(A: ArrayLike, reps: int | Sequence[int]) -> Any:
    """Repeats an array as a whole along dimensions.

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


def repeat(a: ArrayLike, repeats: Any, axis: int | None = None, *, total_repeat_length: int | None = None) -> Any:
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
    from .indexing import take

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
    from .arithmetic import subtract
    from .sorting import searchsorted

    total = integer("repeat", total_repeat_length, "the total length", 0)
    repeats = as_array(repeats) if hasattr(repeats, "aval") else known_integers(
        "repeat", repeats, "the number of repetitions")
    if not dtypes.is_integer(dtype_of(repeats)):
        raise ArgumentError("repeat", "the numbers of repetitions are not integers", repr(aval_of(repeats)), "integers")
    check_broadcast("repeat", shape_of(repeats), (n,))
    ends = lax.cumsum(broadcast(cast(repeats, np.dtype(np.int32)), (n,)))
    places = searchsorted(ends, lax.iota(int, total), side="right")
    return take(a, lax.min(places, subtract(n, 1)), axis=d, mode="clip")


_INDEX_MODES = ("edge", "reflect", "symmetric", "wrap")


def pad(array: ArrayLike, pad_width: Any, mode: str = "constant", *, constant_values: Any = 0) -> Any:
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
    from .indexing import take

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
            ends = [take(found, _inside(mode, places, n), axis=d, mode="clip") for places in around if len(places)]
            found = concatenate([*ends[:bool(low)], found, *ends[bool(low):]], d)
    return found


def _inside(mode: str, places: np.ndarray, n: int) -> np.ndarray:
    """The places of a row of n elements that stand for places around it."""
    if mode == "edge":
        return places.clip(0, n - 1)
    if mode == "wrap":
        return places % n
    period = 2 * n if mode == "symmetric" else max(2 * n - 2, 1)
    found = places % period
    return np.where(found < n, found, period - found - (mode == "symmetric"))


def _pairs(function: str, widths: Any, ndim: int) -> tuple[tuple[int, int], ...]:
    if isinstance(widths, dict):
        given: list[tuple[int, ...]] = [(0, 0)] * ndim
        for axis, pair in widths.items():
            place, amounts = axis_of(function, axis, ndim), integers(function, pair, "a width")
            given[place] = amounts * 2 if len(amounts) == 1 else amounts
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


def insert(arr: ArrayLike, obj: Any, values: ArrayLike, axis: int | None = None) -> Any:
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
    from .creation import array
    from .indexing import take

    if axis is None:
        arr, axis = ravel(arr), 0
    d = axis_of("insert", axis, len(shape_of(arr)))
    n = shape_of(arr)[d]
    places = known_integers("insert", obj, "the index")
    if places.ndim > 1 or (places.size and not -n <= places.min() <= places.max() <= n):
        raise ArgumentError("insert", "the indices do not fit the array", described(obj),
                            f"one index or a row of them, from {-n} to {n}")
    values = array(values, ndmin=len(shape_of(arr)))
    if places.ndim == 0:  # one place takes as many as there are, their first dimension along the axis
        values = moveaxis(values, 0, d)
        places = np.repeat(places, shape_of(values)[d])
    places = np.where(places < 0, places + n, places)
    shape = list(shape_of(arr))
    shape[d] = len(places)
    check_broadcast("insert", shape_of(values), tuple(shape))
    new = broadcast(convert(values, aval_of(arr).dtype), tuple(shape))
    order = np.argsort(np.concatenate([np.arange(n) * 2 + 1, places * 2]), kind="stable").astype(np.int32)
    return take(concatenate([arr, new], d), order, axis=d, mode="clip")


def delete(arr: ArrayLike, obj: Any, axis: int | None = None) -> Any:
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
    from .indexing import take

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
