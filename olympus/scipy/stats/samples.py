# SPDX-License-Identifier: Apache-2.0
"""What samples say: the most frequent value, ranks, the error of a mean."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from olympus_core import dtypes
from olympus_core.deferred import listed
from olympus_core.errors import ArgumentError, described

from ... import lax
from ... import numpy as jnp
from ...operands import axis_of, dtype_of, shape_of
from ...transforms.jit import api
from ...typing import Array, ArrayLike

__all__ = ["mode", "rankdata", "sem"]
__dir__ = listed(__all__)

_METHODS = ("average", "min", "max", "dense", "ordinal")


class ModeResult(NamedTuple):
    """What `mode` found.

    Args:
        mode: The most frequent values.
        count: How often each occurs.
    """

    mode: Any
    count: Any


def _check(function: str, nan_policy: str) -> None:
    if nan_policy != "propagate":
        raise ArgumentError(function, "NaN can only be propagated", described(nan_policy), "nan_policy='propagate'",
                            "Take NaN out of the samples first, such as with x[~olympus.numpy.isnan(x)].")


def _line(function: str, a: Any, axis: int | None) -> tuple[Any, int]:
    """The array with one dimension in question; flattened for None."""
    a = jnp.atleast_1d(a)
    return (jnp.ravel(a), 0) if axis is None else (a, axis_of(function, axis, len(shape_of(a))))


def _runs(values: Any, d: int) -> tuple[Any, Any, Any]:
    """Of sorted values: whether each is the first of its kind, and where its kind begins and ends."""
    n = shape_of(values)[d]
    rest = lax.slice_in_dim(values, 1, n, axis=d) != lax.slice_in_dim(values, 0, n - 1, axis=d)
    edge = jnp.ones_like(lax.slice_in_dim(values, 0, 1, axis=d), dtype=bool)
    first, last = jnp.concatenate([edge, rest], axis=d), jnp.concatenate([rest, edge], axis=d)
    place = lax.broadcasted_iota(np.dtype(np.int32), shape_of(values), d)
    start = lax.cummax(jnp.where(first, place, 0), axis=d)
    end = lax.cummin(jnp.where(last, place, n - 1), axis=d, reverse=True)
    return first, start, end


@api(static=("axis", "keepdims"))
def _mode(a: Any, axis: int | None, keepdims: bool) -> tuple[Any, Any]:
    flat, d = _line("mode", a, axis)

    def shaped(found: Any) -> Any:
        if not keepdims:
            return jnp.squeeze(found, axis=d)
        return jnp.reshape(found, (1,) * len(shape_of(a))) if axis is None else found

    if not shape_of(flat)[d]:
        row = tuple(1 if i == d else n for i, n in enumerate(shape_of(flat)))
        return shaped(jnp.full(row, jnp.nan)), shaped(jnp.zeros(row))
    values = jnp.sort(flat, axis=d)
    _, start, end = _runs(values, d)
    count = (end - start + 1).astype(int)
    best = jnp.argmax(count, axis=d, keepdims=True)
    return tuple(shaped(jnp.take_along_axis(x, best, axis=d)) for x in (values, count))


def mode(a: ArrayLike, axis: int | None = 0, nan_policy: str = "propagate", keepdims: bool = False) -> ModeResult:
    """The most frequent value along a dimension; the least of several.

    Args:
        a: An array; of no elements the most frequent is NaN, and occurs 0 times.
        axis: The dimension; the whole array for None.
        nan_policy: ``"propagate"``: each NaN counts as a value of its own, greater than all numbers.
        keepdims: Whether the dimension stays, with size one.

    Returns:
        The values and how often each occurs.

    Raises:
        ArgumentError: For another policy.

    Example:
        >>> import olympus.numpy
        >>> from olympus.scipy import stats
        >>> found = stats.mode(olympus.numpy.array([2, 4, 4, 1]))
        >>> int(found.mode), int(found.count)
        (4, 2)
    """
    _check("mode", nan_policy)
    return ModeResult(*_mode(a, axis=axis, keepdims=bool(keepdims)))


@api(static=("method", "axis"))
def _rankdata(a: Any, method: str, axis: int | None) -> Any:
    values, d = _line("rankdata", a, axis)
    order = jnp.argsort(values, axis=d, stable=True)
    back = jnp.argsort(order, axis=d)
    sorted_values = jnp.take_along_axis(values, order, axis=d)
    kind = jnp.zeros((), float).dtype
    if method == "ordinal":
        ranks = (back + 1).astype(kind)
    elif not shape_of(values)[d]:
        ranks = jnp.zeros(shape_of(values), kind)
    else:
        first, start, end = _runs(sorted_values, d)
        found = (start + 1 if method == "min" else end + 1 if method == "max" else jnp.cumsum(first, axis=d)
                 if method == "dense" else (start + end + 2) / 2)
        ranks = jnp.take_along_axis(found.astype(kind), back, axis=d)
    if dtypes.is_float(dtype_of(values)) or dtypes.is_complex(dtype_of(values)):
        ranks = jnp.where(jnp.any(jnp.isnan(values), axis=d, keepdims=True), jnp.nan, ranks)
    return ranks


def rankdata(
    a: ArrayLike, method: str = "average", *, axis: int | None = None, nan_policy: str = "propagate"
) -> Array:
    """The rank of each number among all, from 1 on.

    Args:
        a: An array.
        method: What equal numbers get: ``"average"``, ``"min"`` or ``"max"`` of their places; ``"dense"``: the next
            rank after the next lesser number's; ``"ordinal"``: places in the order in which they stand.
        axis: The dimension along which to rank; all numbers of the array for None.
        nan_policy: ``"propagate"``: with a NaN among them all ranks are NaN.

    Returns:
        The ranks, as floats; a vector where `axis` is None.

    Raises:
        ArgumentError: For another method or policy.

    Example:
        >>> import olympus.numpy
        >>> from olympus.scipy import stats
        >>> stats.rankdata(olympus.numpy.array([0.0, 2.0, 3.0, 2.0])).tolist()
        [1.0, 2.5, 4.0, 2.5]
    """
    _check("rankdata", nan_policy)
    if method not in _METHODS:
        raise ArgumentError("rankdata", "the method is not known", described(method), " ".join(_METHODS))
    return _rankdata(a, method=method, axis=axis)


def sem(
    a: ArrayLike, axis: int | None = 0, ddof: int = 1, nan_policy: str = "propagate", *, keepdims: bool = False
) -> Array:
    """The standard error of the mean: the deviation over the square root of the number of samples.

    Args:
        a: An array.
        axis: The dimension; all for None.
        ddof: What is taken from the number of samples in the deviation.
        nan_policy: ``"propagate"``, or ``"omit"``: NaN counts as no sample.
        keepdims: Whether the dimension stays, with size one.

    Returns:
        The errors.

    Raises:
        ArgumentError: For another policy.

    Example:
        >>> import olympus.numpy
        >>> from olympus.scipy import stats
        >>> round(float(stats.sem(olympus.numpy.array([1.0, 2.0, 3.0]))), 4)
        0.5774
    """
    if nan_policy == "omit":
        count = jnp.sum(~jnp.isnan(a), axis=axis, keepdims=keepdims)
        deviation = jnp.nanstd(a, axis=axis, ddof=ddof, keepdims=keepdims)
        return (deviation / jnp.sqrt(count)).astype(dtype_of(deviation))
    _check("sem", nan_policy)
    size = math.prod(shape_of(a)) if axis is None else shape_of(a)[axis]
    return jnp.std(a, axis=axis, ddof=ddof, keepdims=keepdims) / math.sqrt(size)
