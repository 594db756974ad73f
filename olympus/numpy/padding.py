# SPDX-License-Identifier: Apache-2.0
"""Arrays with elements put around them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.errors import ArgumentError, described

from .. import lax
from ..config import enable_x64
from ..operands import as_array, axis_of, cast, dtype_of, integers, is_sequence, known_integers, shape_of
from ..tracing import aval_of
from ..transforms.jit import api
from ..typing import Array, ArrayLike
from .arithmetic import divmod
from .creation import asarray
from .elementwise import rint
from .functional import apply_along_axis
from .indexing import take
from .joining import concatenate
from .ranges import linspace
from .reductions import max as numpy_max
from .reductions import mean
from .reductions import min as numpy_min
from .shapes import broadcast_to
from .statistics import median

__all__ = ["pad"]

Widths = tuple[tuple[int, int], ...]
_KEYWORDS: dict[str, tuple[str, ...]] = {
    "constant": ("constant_values",), "empty": (), "edge": (), "wrap": (), "reflect": ("reflect_type",),
    "symmetric": ("reflect_type",), "linear_ramp": ("end_values",), "maximum": ("stat_length",),
    "mean": ("stat_length",), "median": ("stat_length",), "minimum": ("stat_length",),
}
_STATISTICS: dict[str, Callable[..., Any]] = {
    "maximum": numpy_max, "mean": mean, "median": median,
    "minimum": numpy_min,
}


def pad(array: ArrayLike, pad_width: Any, mode: str | Callable[..., Any] = "constant", **kwargs: Any) -> Array:
    """Puts elements around an array, along one dimension after the other.

    Args:
        array: An array.
        pad_width: How many: one number, a pair (before, after), such a pair for each dimension, or a dictionary of
            dimensions and numbers or pairs.
        mode: ``"constant"``: ``constant_values``, zero when left out. ``"empty"``: zeros. ``"edge"``: the first and
            last element. ``"reflect"`` and ``"symmetric"``: the elements reversed, without or with those at the edge;
            with ``reflect_type="odd"`` what the reversed ones lack to twice those at the edge. ``"wrap"``: the elements
            from the other end. ``"linear_ramp"``: numbers at equal distances from those at the edge to ``end_values``,
            zero when left out. ``"maximum"``, ``"minimum"``, ``"mean"``, ``"median"``: these of the ``stat_length``
            elements next to the edge, of all when left out. Or a function of a row with zeros at its ends, its pair of
            widths, the dimension and a dictionary of the keyword arguments, which gives the row; traced once.
        **kwargs: ``constant_values``, ``end_values``, ``stat_length`` and ``reflect_type``, for the modes that take
            them; one value, a pair, or a pair for each dimension.

    Returns:
        The padded array, of the same element type; means and medians of integers are rounded to the nearest, others
        towards what the conversion gives.

    Raises:
        ArgumentError: If the widths or values do not fit the array, the mode or a keyword is not known, or a dimension
            is empty and the mode takes elements from it.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.pad(jnp.arange(1, 4), 2, "reflect")
        Array([3, 2, 1, 2, 3, 2, 1], dtype=int32)
    """
    shape = shape_of(array)
    widths = _pairs("pad", pad_width, len(shape))
    if callable(mode):
        found = _padded(array, 0, widths=widths)
        for d, pair in enumerate(widths):
            found = asarray(apply_along_axis(mode, d, found, pair, d, kwargs))
        return found
    taken = _KEYWORDS.get(mode) if isinstance(mode, str) else None
    if taken is None:
        raise ArgumentError("pad", "the mode is not known", described(mode), f"a function or one of {(*_KEYWORDS,)}")
    if set(kwargs) - set(taken):
        raise ArgumentError("pad", f"mode {mode!r} takes no such keyword", ", ".join(sorted(set(kwargs) - set(taken))),
                            ", ".join(taken) or "none")
    if mode in ("constant", "empty"):
        values = kwargs.get("constant_values", 0)
        if is_sequence(values):
            return _padded_each(array, _values("constants", values, len(shape)), widths=widths)
        return _padded(array, values, widths=widths)
    for d, pair in enumerate(widths):
        if any(pair) and not shape[d]:
            raise ArgumentError("pad", f"axis {d} is empty and has nothing to repeat", shape, "mode='constant'")
    if mode == "linear_ramp":
        return _ramped(array, _values("end values", kwargs.get("end_values", 0), len(shape)), widths=widths)
    if mode in _STATISTICS:
        length = kwargs.get("stat_length")
        lengths = None if length is None else _pairs("pad", length, len(shape), "statistics' length", 1)
        return _with_statistics(array, mode=mode, widths=widths, lengths=lengths)
    kind = kwargs.get("reflect_type", "even")
    if kind not in ("even", "odd"):
        raise ArgumentError("pad", "the kind of reflection is not known", described(kind), "'even' or 'odd'")
    return _repeating(array, mode=mode, odd=kind == "odd", widths=widths)


def _sides(widths: Widths) -> Iterator[tuple[int, int, bool]]:
    """Each dimension, how many elements are put there, and whether at the end."""
    for d, pair in enumerate(widths):
        for end, width in enumerate(pair):
            if width:
                yield d, width, bool(end)


def _joined(x: Any, more: Any, d: int, end: bool) -> Any:
    return concatenate([x, more] if end else [more, x], d)


@api(static=("mode", "odd", "widths"))
def _repeating(x: ArrayLike, mode: str, odd: bool, widths: Widths) -> Any:
    """Padding by elements that are there, or by their odd reflections."""
    x = as_array(x)
    for d, (low, high) in enumerate(widths):
        n = shape_of(x)[d]
        if odd and not (mode == "reflect" and n == 1):
            most = n - (mode == "reflect")  # each reflection is that of as many elements at most
            for end, width in enumerate((low, high)):
                while width:
                    step = min(width, most)
                    x, width = _joined(x, _reflected(x, d, step, mode, bool(end)), d, bool(end)), width - step
        elif mode == "edge" and (low or high):
            shape = shape_of(x)
            ends = [broadcast_to(lax.slice_in_dim(x, at, at + 1, axis=d), (*shape[:d], width, *shape[d + 1:]))
                    for at, width in ((0, low), (n - 1, high)) if width]
            x = concatenate([*ends[:bool(low)], x, *ends[bool(low):]], d)
        elif low or high:
            around = [np.arange(-low, 0), np.arange(n, n + high)]
            ends = [take(x, _inside(mode, positions, n), axis=d, mode="clip") for positions in around if len(positions)]
            x = concatenate([*ends[:bool(low)], x, *ends[bool(low):]], d)
    return x


def _reflected(x: Any, d: int, step: int, mode: str, end: bool) -> Any:
    """Twice the element at an edge less those next to it, in reversed order."""
    n, skipped = shape_of(x)[d], int(mode == "reflect")
    first = n - skipped - step if end else skipped
    rows = lax.rev(lax.slice_in_dim(x, first, first + step, axis=d), (d,))
    at = n - 1 if end else 0
    edge = lax.slice_in_dim(x, at, at + 1, axis=d)
    return edge + edge - rows


@api(static=("mode", "widths", "lengths"))
def _with_statistics(x: ArrayLike, mode: str, widths: Widths, lengths: Widths | None) -> Any:
    x = as_array(x)
    kind = dtype_of(x)
    for d, pair in enumerate(widths):
        if not any(pair):
            continue
        n, more = shape_of(x)[d], []
        for end, width in enumerate(pair):  # of what was there, also at the second end
            length = n if lengths is None else min(lengths[d][end], n)
            rows = lax.slice_in_dim(x, n - length, n, axis=d) if end else lax.slice_in_dim(x, 0, length, axis=d)
            found = _STATISTICS[mode](rows, axis=d, keepdims=True)
            found = cast(rint(found) if dtypes.is_integer(kind) and mode in ("mean", "median") else found, kind)
            more.append(lax.broadcast_in_dim(found, [width if i == d else m for i, m in enumerate(shape_of(found))],
                                             range(len(shape_of(found)))))
        x = concatenate([more[0], x, more[1]], d)
    return x


@api(static=("widths",))
def _ramped(x: ArrayLike, values: Any, widths: Widths) -> Any:
    x = as_array(x)
    kind = dtype_of(x)
    for d, width, end in _sides(widths):
        at = shape_of(x)[d] - 1 if end else 0
        edge = lax.index_in_dim(x, at, d, keepdims=False)
        start = cast(values[d][end], kind, "pad")
        if dtypes.is_integer(kind):
            ramp = cast(_integer_ramp(start, edge, width, d), kind)
        else:
            ramp = linspace(start, edge, width, endpoint=False, dtype=kind, axis=d)
        x = _joined(x, lax.rev(ramp, (d,)) if end else ramp, d, end)
    return x


def _integer_ramp(start: Any, edge: Any, width: int, d: int) -> Any:
    """Rounded down, from exact numbers: floats would lose the last digits of great ones."""
    shape = (*shape_of(edge)[:d], width, *shape_of(edge)[d:])
    with enable_x64(True):
        steps = lax.full(shape, width, dtypes.int64)
        first = lax.broadcast(cast(start, dtypes.int64), shape)
        last = broadcast_to(lax.expand_dims(cast(edge, dtypes.int64), (d,)), shape)
        place = lax.broadcasted_iota(dtypes.int64, shape, d)
        whole, rest = divmod(lax.sub(last, first), steps)
        return lax.add(first, lax.add(lax.mul(whole, place), lax.div(lax.mul(rest, place), steps)))


def _inside(mode: str, positions: np.ndarray, n: int) -> np.ndarray:
    """The indices in a row of n elements that stand for indices outside."""
    if mode == "wrap":
        return positions % n
    period = 2 * n if mode == "symmetric" else max(2 * n - 2, 1)
    found = positions % period
    return np.where(found < n, found, period - found - (mode == "symmetric"))


def _pairs(function: str, widths: Any, ndim: int, what: str = "width", least: int = 0) -> Widths:
    """A pair of integers for each dimension."""
    if isinstance(widths, dict):
        given: list[tuple[int, ...]] = [(0, 0)] * ndim
        for axis, pair in widths.items():
            position, amounts = axis_of(function, axis, ndim), integers(function, pair, "a width")
            given[position] = amounts * 2 if len(amounts) == 1 else amounts
        widths = given
    try:
        found = np.broadcast_to(known_integers(function, widths, f"the {what}"), (ndim, 2)) if ndim else np.zeros(
            (0, 2), int)
    except ValueError:
        found = None
    if found is None or (found < least).any():
        raise ArgumentError(function, f"the {what}s do not fit the array", described(widths),
                            f"a number, a pair, or {ndim} pairs of numbers of {least} or more")
    return tuple((int(low), int(high)) for low, high in found)


def _values(what: str, values: Any, ndim: int) -> list[tuple[Any, Any]]:
    """A pair of numbers for each dimension."""
    if not is_sequence(values):
        return [(values, values)] * ndim
    rows = [tuple(row) if is_sequence(row) else (row,) for row in values]
    flat = not any(is_sequence(row) for row in values)
    pairs = [tuple(part for row in rows for part in row)] if flat else rows
    if len(pairs) not in (1, ndim) or any(len(pair) not in (1, 2) or any(map(is_sequence, pair)) for pair in pairs):
        raise ArgumentError("pad", f"the {what} do not fit the array", described(values),
                            f"a number, a pair, or {ndim} pairs of numbers")
    return [(pair[0], pair[-1]) for pair in (pairs * ndim if len(pairs) == 1 else pairs)]


@api(static=("widths",))
def _padded(x: ArrayLike, value: ArrayLike, widths: Widths) -> Any:
    return lax.pad(x, cast(value, aval_of(x).dtype, "pad"), [(low, high, 0) for low, high in widths])


@api(static=("widths",))
def _padded_each(x: ArrayLike, values: Any, widths: Widths) -> Any:
    for d, ((low, high), (before, after)) in enumerate(zip(widths, values, strict=True)):
        for amounts, value in (((low, 0, 0), before), ((0, high, 0), after)):
            if any(amounts):
                x = lax.pad(x, cast(value, aval_of(x).dtype, "pad"),
                            [amounts if i == d else (0, 0, 0) for i in range(len(widths))])
    return as_array(x)
