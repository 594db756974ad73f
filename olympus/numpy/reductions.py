# SPDX-License-Identifier: Apache-2.0
"""Reductions: sums, extremes, means, and their running forms."""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.errors import ArgumentError
from olympus_core.program import OperationRecord

from .. import lax
from ..operands import (
    axes_of,
    axis_of,
    broadcast,
    broadcast_shape,
    cast,
    convert,
    counting,
    element_type,
    integers,
    shape_of,
)
from ..tracing import aval_of, bind, scalar_dtype
from ..transforms.complex_order import bind_ordered
from ..transforms.jit import api
from ..typing import Array, ArrayLike, DTypeLike
from .arithmetic import divide, maximum, multiply, subtract
from .elementwise import sqrt
from .joining import concatenate
from .promotion import inexact_dtype, promote_inexact
from .shapes import ravel
from .ufuncs import as_bool, isnan_of, like, refuse_out, squared_size_of

if TYPE_CHECKING:
    from ..signatures import ArgExtremum, Cumulative, Extremum, FoldWithoutNan, Moment, Sum, Test

__all__ = [
    "all", "amax", "amin", "any", "argmax", "argmin", "average", "count_nonzero", "cumprod", "cumsum",
    "cumulative_prod", "cumulative_sum", "max", "mean", "min", "nanargmax", "nanargmin", "nancumprod", "nancumsum",
    "nanmax", "nanmean", "nanmin", "nanprod", "nanstd", "nansum", "nanvar", "prod", "ptp", "std", "sum", "var",
]

Axis = int | str | Sequence[int | str] | None
_STATIC = ("axis", "dtype", "keepdims")


def folded(function: str, axis: Axis, ndim: int) -> tuple[tuple[int, ...], Any]:
    """The dimensions that a reduction folds, and the group of the mapped axes that are named among them."""
    if axis is None or type(axis) is int:
        return axes_of(function, axis, ndim), None
    from ..transforms.axis_groups import folded_axes  # few programs fold several, or name them

    return folded_axes(function, axis, ndim)


def _documented(name: str, summary: str, example: str, result: str, further: str = "") -> str:
    return (
        f"{summary}\n\nArgs:\n    a: An array.\n    axis: The dimensions that are folded; all for None. "
        "Names are of axes that are\n"
        f"        mapped here, as in `olympus.lax.psum`.\n{further}"
        "    out: Not used: arrays never change.\n"
        "    keepdims: Whether the folded dimensions stay, with size one.\n"
        "    initial: A further element.\n    where: Bools; elements where they are false do not count.\n\n"
        f"Returns:\n    The result.\n\nExample:\n    >>> import olympus.numpy as jnp\n"
        f"    >>> jnp.{name}({example})\n    {result}\n"
    )


_DTYPE = "    dtype: The element type in which to compute; None for that of the array, small integers made int32.\n"


_PROMOTE_INTEGERS = "    promote_integers: Whether small integers are made int32 where `dtype` is None."


_MEAN = "    mean: The means where they are known, their folded dimensions with size one.\n"


_CUMULATIVE_DTYPE = "    dtype: The element type in which to compute; None for that of the array, bools as int32.\n"


def sum_dtype(dtype: np.dtype) -> np.dtype:
    """The element type of a sum: integers narrower than the default one become that."""
    if dtypes.is_bool(dtype):
        return scalar_dtype(int)
    default = scalar_dtype(int)
    if dtypes.is_integer(dtype) and dtype.itemsize < default.itemsize:
        return default if dtypes.is_signed(dtype) else np.dtype(f"u{default.itemsize}")
    return dtype


def keep(x: Any, shape: tuple[int, ...], axes: tuple[int, ...], keepdims: bool) -> Any:
    """A folded array, its folded dimensions back with size one if they are to stay."""
    return lax.reshape(x, tuple(1 if d in axes else n for d, n in enumerate(shape))) if keepdims else x


def masked(function: str, a: Any, where: Any, value: Any) -> Any:
    """The array with a value where elements do not count."""
    shape = broadcast_shape(function, [shape_of(a), shape_of(where)])
    if shape != shape_of(a):
        a = broadcast(a, shape)
    return bind(ops.select, broadcast(as_bool(where), shape), a, broadcast(convert(value, aval_of(a).dtype), shape))


def _fold(
    name: str, record: OperationRecord, a: Any, axis: Axis, keepdims: bool, initial: Any, where: Any,
    combine: OperationRecord,
) -> Any:
    if where is not None:
        if record in (ops.reduce_max, ops.reduce_min) and initial is None:
            raise ArgumentError(name, "a maximum or minimum over some elements needs something to begin with", "where=",
                                "initial=... as well")
        a = masked(name, a, where, record.nothing(aval_of(a).dtype))
    shape = shape_of(a)
    axes, group = folded(name, axis, len(shape))
    if record in (ops.reduce_max, ops.reduce_min) and initial is None and builtins.any(shape[d] == 0 for d in axes):
        raise ArgumentError(name, "there are no elements to choose from", f"shape {shape}, axis {axis}",
                            "one element or more, or initial=...")
    own = aval_of(a).dtype
    if initial is not None and combine in (ops.add, ops.mul) and dtypes.is_float(own) and own.itemsize < 4:
        a = convert(a, dtypes.float32)  # with what it begins with, a sum is rounded once
    found = a
    if axes or group is None:
        found = bind_ordered(record, a, dimensions=axes, weak=False)
    if group is not None:
        found = bind_ordered(ops.all_reduce, found, reduction=record.name.removeprefix("reduce_"), group=group)
    if initial is not None:
        begin = cast(cast(initial, own, name), aval_of(found).dtype, name)
        found = convert(bind_ordered(combine, found, broadcast(begin, shape_of(found)), weak=False), own)
    return keep(found, shape, axes, keepdims)


def _summing(name: str, record: OperationRecord, combine: OperationRecord, summary: str, result: str) -> Sum:
    def function(
        a: ArrayLike, axis: Axis = None, dtype: DTypeLike | None = None, out: None = None, keepdims: bool = False,
        initial: ArrayLike | None = None, where: ArrayLike | None = None, promote_integers: bool = True,
    ) -> Array:
        refuse_out(name, out)
        own = aval_of(a).dtype
        if dtype is None:
            kind = sum_dtype(own) if promote_integers else own
        else:
            kind = element_type(name, dtype)
        if not dtypes.is_bool(kind):
            return _fold(name, record, cast(a, kind), axis, keepdims, initial, where, combine)
        # The sum of bools is whether any is true, their product whether all are.
        a = convert(as_bool(a), dtypes.int32)
        initial = None if initial is None else convert(as_bool(initial), dtypes.int32)
        return as_bool(_fold(name, record, a, axis, keepdims, initial, where, combine))

    function.__name__ = function.__qualname__ = name
    function.__module__ = __name__
    function.__doc__ = _documented(name, summary, "jnp.arange(1, 4)", result, _DTYPE).replace(
        "\n\nReturns", f"\n{_PROMOTE_INTEGERS}\n\nReturns")
    return api(function, static=(*_STATIC, "promote_integers"))


sum = _summing("sum", ops.reduce_sum, ops.add, "The sum over dimensions.", "Array(6, dtype=int32)")
prod = _summing("prod", ops.reduce_prod, ops.mul, "The product over dimensions.", "Array(6, dtype=int32)")


def _choosing(name: str, record: OperationRecord, combine: OperationRecord, summary: str, result: str) -> Extremum:
    def function(
        a: ArrayLike, axis: Axis = None, out: None = None, keepdims: bool = False, initial: ArrayLike | None = None,
        where: ArrayLike | None = None,
    ) -> Array:
        refuse_out(name, out)
        return _fold(name, record, a, axis, keepdims, initial, where, combine)

    function.__name__ = function.__qualname__ = name
    function.__module__ = __name__
    function.__doc__ = _documented(name, summary, "jnp.arange(1, 4)", result)
    return api(function, static=("axis", "keepdims"))


max = amax = _choosing("max", ops.reduce_max, ops.max, "The maximum over dimensions.", "Array(3, dtype=int32)")
min = amin = _choosing("min", ops.reduce_min, ops.min, "The minimum over dimensions.", "Array(1, dtype=int32)")


def _testing(name: str, record: OperationRecord, summary: str, result: str) -> Test:
    def function(
        a: ArrayLike, axis: Axis = None, out: None = None, keepdims: bool = False, *, where: ArrayLike | None = None
    ) -> Array:
        refuse_out(name, out)
        return _fold(name, record, as_bool(a), axis, keepdims, None, where, record)

    function.__name__ = function.__qualname__ = name
    function.__module__ = __name__
    function.__doc__ = _documented(name, summary, "jnp.array([True, False])", result).replace(
        "    initial: A further element.\n", "")
    return api(function, static=("axis", "keepdims"))


all = _testing("all", ops.reduce_and, "Whether all elements are true.", "Array(False, dtype=bool)")
any = _testing("any", ops.reduce_or, "Whether any element is true.", "Array(True, dtype=bool)")


@api(static=("axis", "keepdims"), call="count_nonzero")
def count_nonzero(a: ArrayLike, axis: Axis = None, keepdims: bool = False) -> Array:
    """How many elements are not zero.

    Args:
        a: An array.
        axis: The dimensions that are folded; all for None. Names as in `sum`.
        keepdims: Whether the folded dimensions stay, with size one.

    Returns:
        The numbers.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.count_nonzero(jnp.arange(3))
        Array(2, dtype=int32)
    """
    return sum(as_bool(a), axis=axis, keepdims=keepdims)


@api(static=("axis", "keepdims"), call="_ptp")
def ptp(a: ArrayLike, axis: Axis = None, out: None = None, keepdims: bool = False) -> Array:
    """The distance between maximum and minimum.

    Args:
        a: An array.
        axis: The dimensions that are folded; all for None. Names as in `sum`.
        out: Not used: arrays never change.
        keepdims: Whether the folded dimensions stay, with size one.

    Returns:
        The distances.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.ptp(jnp.array([3, 1, 7]))
        Array(6, dtype=int32)
    """
    refuse_out("ptp", out)
    return subtract(max(a, axis=axis, keepdims=keepdims), min(a, axis=axis, keepdims=keepdims))


def _wide(dtype: np.dtype) -> np.dtype:
    """The element type in which to average: halves in float32."""
    return dtypes.float32 if dtypes.is_float(dtype) and dtype.itemsize < 4 else dtype


def _count(function: str, a: Any, axis: Axis, where: Any, dtype: np.dtype, keepdims: bool) -> Any:
    """How many elements are averaged."""
    shape = shape_of(a)
    if where is None:
        axes, group = folded(function, axis, len(shape))
        size = 1 if group is None else group.size
        for d in axes:
            size *= shape[d]
        return size
    return sum(broadcast(as_bool(where), shape), axis=axis, dtype=dtype, keepdims=keepdims)


@api(static=_STATIC)
def mean(
    a: ArrayLike, axis: Axis = None, dtype: DTypeLike | None = None, out: None = None, keepdims: bool = False, *,
    where: ArrayLike | None = None,
) -> Array:
    """The mean over dimensions.

    Args:
        a: An array.
        axis: The dimensions that are folded; all for None. Names as in `sum`.
        dtype: The element type in which to compute, and of the result; None for that of the array, integers made
            floats, and a real result.
        out: Not used: arrays never change.
        keepdims: Whether the folded dimensions stay, with size one.
        where: Bools; elements where they are false do not count.

    Returns:
        The means.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.mean(jnp.arange(4))
        Array(1.5, dtype=float32)
    """
    refuse_out("mean", out)
    kind = inexact_dtype(aval_of(a).dtype) if dtype is None else element_type("mean", dtype)
    wide = _wide(kind)
    if where is not None:
        a = broadcast(a, broadcast_shape("mean", [shape_of(a), shape_of(where)]))
    total = sum(cast(a, wide), axis=axis, keepdims=keepdims, where=where)
    count = _count("mean", a, axis, where, wide, keepdims)
    return convert(divide(total, convert(count, aval_of(total).dtype) if where is None else count), kind)


def _variance(
    name: str, a: Any, axis: Axis, dtype: Any, ddof: Any, keepdims: bool, where: Any, middle: Any
) -> tuple[Any, np.dtype]:
    own = inexact_dtype(aval_of(a).dtype)
    kind = own if dtype is None else inexact_dtype(element_type(name, dtype))
    wide = _wide(own if dtypes.is_complex(own) else kind)
    a = cast(a, wide)
    if where is not None:
        a = broadcast(a, broadcast_shape(name, [shape_of(a), shape_of(where)]))
    middle = mean(a, axis=axis, keepdims=True, where=where) if middle is None else cast(middle, wide)
    centered = subtract(a, middle)
    if where is not None:  # what does not count may be NaN, and would make the derivatives NaN
        centered = masked(name, centered, where, 0)
    total = sum(squared_size_of(centered), axis=axis, keepdims=keepdims, where=where)
    part = dtypes.real_part(wide)
    count = _count(name, a, axis, where, part, keepdims)
    number = subtract(convert(count, part) if where is None else count, ddof)
    number = maximum(number, 0)  # of fewer elements than `ddof` nothing is known: infinite, or NaN
    return divide(total, number), kind if dtype is not None else dtypes.real_part(kind)


@api(static=_STATIC, call="_var")
def var(
    a: ArrayLike, axis: Axis = None, dtype: DTypeLike | None = None, out: None = None, ddof: ArrayLike = 0,
    keepdims: bool = False, *, where: ArrayLike | None = None, mean: ArrayLike | None = None,
    correction: ArrayLike | None = None,
) -> Array:
    """The variance over dimensions: the mean squared distance from the mean.

    Args:
        a: An array.
        axis: The dimensions that are folded; all for None. Names as in `sum`.
        dtype: The element type in which to compute, and of the result; None for that of the array, integers made
            floats, and a real result.
        out: Not used: arrays never change.
        ddof: What is taken from the number of elements before the division.
        keepdims: Whether the folded dimensions stay, with size one.
        where: Bools; elements where they are false do not count.
        mean: The means where they are known, their folded dimensions with size one.
        correction: Another name of `ddof`.

    Returns:
        The variances.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.var(jnp.arange(4))
        Array(1.25, dtype=float32)
    """
    refuse_out("var", out)
    found, kind = _variance(
        "var", a, axis, dtype, ddof if correction is None else correction, keepdims, where, mean)
    return convert(found, kind)


@api(static=_STATIC, call="_std")
def std(
    a: ArrayLike, axis: Axis = None, dtype: DTypeLike | None = None, out: None = None, ddof: ArrayLike = 0,
    keepdims: bool = False, *, where: ArrayLike | None = None, mean: ArrayLike | None = None,
    correction: ArrayLike | None = None,
) -> Array:
    """The standard deviation over dimensions: the square root of the variance.

    Args:
        a: An array.
        axis: The dimensions that are folded; all for None. Names as in `sum`.
        dtype: The element type in which to compute, and of the result; None for that of the array, integers made
            floats, and a real result.
        out: Not used: arrays never change.
        ddof: What is taken from the number of elements before the division.
        keepdims: Whether the folded dimensions stay, with size one.
        where: Bools; elements where they are false do not count.
        mean: The means where they are known, their folded dimensions with size one.
        correction: Another name of `ddof`.

    Returns:
        The standard deviations.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.std(jnp.array([1.0, 3.0]))
        Array(1., dtype=float32)
    """
    refuse_out("std", out)
    found, kind = _variance(
        "std", a, axis, dtype, ddof if correction is None else correction, keepdims, where, mean)
    return convert(sqrt(found), kind)


def average(
    a: ArrayLike, axis: Axis = None, weights: ArrayLike | None = None, returned: bool = False, keepdims: bool = False
) -> Any:
    """The mean with weights.

    Args:
        a: An array.
        axis: The dimensions that are folded; all for None. Names as in `sum`.
        weights: The weights: of the array's shape, or of that of the given axes, in their order.
        returned: Whether to give the sum of the weights too.
        keepdims: Whether the folded dimensions stay, with size one.

    Returns:
        The mean; and the sum of the weights, if it is asked for.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.average(jnp.arange(3), weights=jnp.array([0, 1, 1]))
        Array(1.5, dtype=float32)
    """
    found = _average(a, weights, axis=axis, keepdims=keepdims)
    return found if returned else found[0]


@api(static=("axis", "keepdims"))
def _average(a: ArrayLike, weights: ArrayLike | None, axis: Axis, keepdims: bool) -> tuple[Any, Any]:
    shape = shape_of(a)
    if weights is None:
        found = mean(a, axis=axis, keepdims=keepdims)
        count = _count("average", a, axis, None, aval_of(found).dtype, keepdims)
        return found, like(found, count)
    if shape_of(weights) != shape:
        given = () if axis is None else integers("average", axis, "the axis")
        axes = tuple(axis_of("average", d, len(shape)) for d in given)
        if not axes or len(set(axes)) != len(axes) or shape_of(weights) != tuple(shape[d] for d in axes):
            raise ArgumentError("average", "the weights do not fit the array", f"{shape_of(weights)} for {shape}",
                                "the array's shape, or that of the axes that are given, in their order")
        weights = bind(ops.broadcast_in_dim, lax.transpose(weights, tuple(np.argsort(axes))), shape=shape,
                       dimensions=tuple(sorted(axes)))
    (a, weights), _ = promote_inexact("average", a, weights)
    total = sum(weights, axis=axis, keepdims=keepdims)
    return divide(sum(multiply(a, weights), axis=axis, keepdims=keepdims), total), total


def _arg_extremum(name: str, record: OperationRecord, word: str, result: int) -> ArgExtremum:
    def function(a: ArrayLike, axis: int | None = None, out: None = None, keepdims: bool | None = None) -> Array:
        refuse_out(name, out)
        shape = shape_of(a)
        if axis is None:
            position = _index_of_extremum(name, record, ravel(a), 0)
            return lax.reshape(position, (1,) * len(shape)) if keepdims else position
        d = axis_of(name, axis, len(shape))
        return keep(_index_of_extremum(name, record, a, d), shape, (d,), bool(keepdims))

    function.__name__ = function.__qualname__ = name
    function.__module__ = __name__
    function.__doc__ = (
        f"The index of the {word}: of the first one, or of the first NaN.\n\nArgs:\n    a: An array.\n"
        "    axis: The dimension; None for the flat array.\n    out: Not used: arrays never change.\n"
        "    keepdims: Whether the dimension stays, with size one.\n\nReturns:\n    The indices.\n\nExample:\n"
        f"    >>> import olympus.numpy as jnp\n    >>> jnp.{name}(jnp.array([3, 1, 2]))\n"
        f"    Array({result}, dtype=int32)\n"
    )
    return api(function, static=("axis", "keepdims"))


def _index_of_extremum(name: str, record: OperationRecord, a: Any, d: int) -> Any:
    if not shape_of(a)[d]:
        raise ArgumentError(name, "there are no elements to choose from", f"shape {shape_of(a)}", "one element or more")
    with counting(shape_of(a)):
        return bind_ordered(record, a, dimension=d, dtype=scalar_dtype(int), weak=False)


argmax = _arg_extremum("argmax", ops.argmax, "maximum", 0)
argmin = _arg_extremum("argmin", ops.argmin, "minimum", 1)


def _cumulative(name: str, record: OperationRecord, summary: str, result: str) -> Cumulative:
    def function(a: ArrayLike, axis: int | None = None, dtype: DTypeLike | None = None, out: None = None) -> Array:
        refuse_out(name, out)
        if axis is None or not shape_of(a):
            a, axis = ravel(a), 0 if axis is None else axis
        own = aval_of(a).dtype
        if dtype is None:
            kind = scalar_dtype(int) if dtypes.is_bool(own) else own
        else:
            kind = element_type(name, dtype)
        d = axis_of(name, axis, len(shape_of(a)))
        if dtypes.is_bool(kind):  # as for sums and products: whether any or all up to here are true
            a, kind = as_bool(a), dtypes.int32
            return as_bool(bind(record, convert(a, kind), dimension=d, reverse=False, weak=False))
        return bind(record, cast(a, kind), dimension=d, reverse=False, weak=False)

    function.__name__ = function.__qualname__ = name
    function.__module__ = __name__
    function.__doc__ = (
        f"{summary}\n\nArgs:\n    a: An array.\n    axis: The dimension; None for the flat array.\n{_CUMULATIVE_DTYPE}"
        "    out: Not used: arrays never change.\n\nReturns:\n    The folds up to each element.\n\nExample:\n"
        f"    >>> import olympus.numpy as jnp\n    >>> jnp.{name}(jnp.arange(1, 4))\n    Array({result}, dtype=int32)\n"
    )
    return api(function, static=("axis", "dtype"), call=name)


cumsum = _cumulative("cumsum", ops.cumsum, "The running sum.", "[1, 3, 6]")
cumprod = _cumulative("cumprod", ops.cumprod, "The running product.", "[1, 2, 6]")


def _beginning(
    name: str, fold: Callable[..., Any], first: int, x: Any, axis: int | None, dtype: Any, initial: bool
) -> Array:
    """The running fold along one dimension, which may begin with what folds to nothing."""
    ndim = len(shape_of(x))
    if ndim == 0 or (axis is None and ndim != 1):
        raise ArgumentError(name, "the axis is not named", f"{ndim} dimensions", "axis=..., and a dimension")
    d = axis_of(name, 0 if axis is None else axis, ndim)
    found = fold(x, axis=d, dtype=sum_dtype(aval_of(x).dtype) if dtype is None else dtype)
    if not initial:
        return found
    shape = tuple(1 if i == d else n for i, n in enumerate(shape_of(x)))
    return concatenate([lax.full(shape, first, aval_of(found).dtype), found], d)


def cumulative_sum(
    x: ArrayLike, /, *, axis: int | None = None, dtype: DTypeLike | None = None, include_initial: bool = False
) -> Array:
    """The running sum along a dimension.

    Args:
        x: An array.
        axis: The dimension; needed where there are several.
        dtype: The element type in which to compute; as in `sum` for None.
        include_initial: Whether to begin with a zero.

    Returns:
        The sums up to each element.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.cumulative_sum(jnp.arange(1, 3), include_initial=True)
        Array([0, 1, 3], dtype=int32)
    """
    return _beginning("cumulative_sum", cumsum, 0, x, axis, dtype, include_initial)


def cumulative_prod(
    x: ArrayLike, /, *, axis: int | None = None, dtype: DTypeLike | None = None, include_initial: bool = False
) -> Array:
    """The running product along a dimension.

    Args:
        x: An array.
        axis: The dimension; needed where there are several.
        dtype: The element type in which to compute; as in `prod` for None.
        include_initial: Whether to begin with a one.

    Returns:
        The products up to each element.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.cumulative_prod(jnp.arange(2, 4), include_initial=True)
        Array([1, 2, 6], dtype=int32)
    """
    return _beginning("cumulative_prod", cumprod, 1, x, axis, dtype, include_initial)


def _ignoring_nan(name: str, plain: Callable[..., Any], filler: int) -> Callable[..., Any]:
    summary = f"The running {'sum' if filler == 0 else 'product'} that takes NaN as {filler}."

    def function(a: ArrayLike, axis: int | None = None, dtype: DTypeLike | None = None, out: None = None) -> Array:
        refuse_out(name, out)
        inexact = dtypes.is_float(aval_of(a).dtype) or dtypes.is_complex(aval_of(a).dtype)
        return plain(bind(ops.select, isnan_of(a), like(a, filler), a) if inexact else a, axis=axis, dtype=dtype)

    function.__name__ = function.__qualname__ = name
    function.__module__ = __name__
    function.__doc__ = (
        f"{summary}\n\nArgs:\n    a: An array.\n    axis: The dimension; None for the flat array.\n{_CUMULATIVE_DTYPE}"
        "    out: Not used: arrays never change.\n\nReturns:\n    The folds up to each element.\n\nExample:\n"
        f"    >>> import olympus.numpy as jnp\n    >>> jnp.{name}(jnp.array([1.0, jnp.nan, 3.0])).tolist()\n"
        f"    {'[1.0, 1.0, 4.0]' if filler == 0 else '[1.0, 1.0, 3.0]'}\n"
    )
    return api(function, static=("axis", "dtype"), call=name)


nancumsum = _ignoring_nan("nancumsum", cumsum, 0)
nancumprod = _ignoring_nan("nancumprod", cumprod, 1)


def _without_nan(
    name: str, plain: Callable[..., Any], record: OperationRecord, summary: str, result: str
) -> FoldWithoutNan:
    """The reduction that ignores NaN: the identity of the reduction stands for it."""

    def function(
        a: ArrayLike, axis: Axis = None, dtype: DTypeLike | None = None, out: None = None, keepdims: bool = False,
        initial: ArrayLike | None = None, where: ArrayLike | None = None,
    ) -> Array:
        refuse_out(name, out)
        further = {} if dtype is None else {"dtype": dtype}
        if not dtypes.is_float(aval_of(a).dtype) and not dtypes.is_complex(aval_of(a).dtype):
            return plain(a, axis=axis, keepdims=keepdims, initial=initial, where=where, **further)
        hole = isnan_of(a)
        filler = like(a, record.nothing(aval_of(a).dtype))
        found = plain(bind(ops.select, hole, filler, a), axis=axis, keepdims=keepdims, initial=initial, where=where,
                      **further)
        if record in (ops.reduce_sum, ops.reduce_prod):
            return found
        gone = all(hole, axis=axis, keepdims=keepdims)  # nothing but NaN stays NaN
        return bind(ops.select, gone, like(found, np.nan), found) if initial is None else found

    function.__name__ = function.__qualname__ = name
    function.__module__ = __name__
    function.__doc__ = _documented(name, summary, "jnp.array([1.0, jnp.nan, 3.0])", result, _DTYPE)
    return api(function, static=_STATIC, call=name)


nansum = _without_nan("nansum", sum, ops.reduce_sum, "The sum without NaN.", "Array(4., dtype=float32)")
nanprod = _without_nan("nanprod", prod, ops.reduce_prod, "The product without NaN.", "Array(3., dtype=float32)")


def _extremum_without_nan(
    name: str, plain: Callable[..., Any], record: OperationRecord, summary: str, result: str
) -> Extremum:
    every = _without_nan(name, plain, record, summary, result)

    def function(
        a: ArrayLike, axis: Axis = None, out: None = None, keepdims: bool = False,
        initial: ArrayLike | None = None, where: ArrayLike | None = None,
    ) -> Array:
        return every(a, axis, None, out, keepdims, initial, where)

    function.__name__ = function.__qualname__ = name
    function.__module__ = __name__
    function.__doc__ = _documented(name, summary, "jnp.array([1.0, jnp.nan, 3.0])", result)
    return function


nanmax = _extremum_without_nan("nanmax", max, ops.reduce_max, "The maximum without NaN.", "Array(3., dtype=float32)")
nanmin = _extremum_without_nan("nanmin", min, ops.reduce_min, "The minimum without NaN.", "Array(1., dtype=float32)")


def _averaging(name: str, plain: Callable[..., Any], summary: str, result: str) -> Moment:
    def function(
        a: ArrayLike, axis: Axis = None, dtype: DTypeLike | None = None, out: None = None, ddof: ArrayLike = 0,
        keepdims: bool = False, where: ArrayLike | None = None, mean: ArrayLike | None = None,
    ) -> Array:
        refuse_out(name, out)
        counted = _counted_without_nan(name, a, where)
        found = plain(a, axis=axis, dtype=dtype, keepdims=keepdims, where=counted, ddof=ddof, mean=mean)
        if counted is None:
            return found
        left = subtract(_count(name, a, axis, counted, dtypes.float32, keepdims), ddof)
        return lax.select(lax.gt(left, like(left, 0)), found, like(found, np.nan))

    function.__name__ = function.__qualname__ = name
    function.__module__ = __name__
    function.__doc__ = _documented(
        name, summary, "jnp.array([1.0, jnp.nan, 3.0])", result,
        _DTYPE + "    ddof: What is taken from the number of elements before the division.\n",
    ).replace("    initial: A further element.\n", _MEAN)
    return api(function, static=_STATIC, call=name)


def _counted_without_nan(name: str, a: ArrayLike, where: ArrayLike | None) -> Any:
    """Where elements count that are no NaN; what is given, for elements that cannot be NaN."""
    if not dtypes.is_float(aval_of(a).dtype) and not dtypes.is_complex(aval_of(a).dtype):
        return where
    there = bind(ops.not_, isnan_of(a))
    if where is None:
        return there
    shape = broadcast_shape(name, [shape_of(a), shape_of(where)])
    return bind(ops.and_, broadcast(there, shape), broadcast(as_bool(where), shape))


@api(static=_STATIC, call="nanmean")
def nanmean(
    a: ArrayLike, axis: Axis = None, dtype: DTypeLike | None = None, out: None = None, keepdims: bool = False,
    where: ArrayLike | None = None,
) -> Array:
    """The mean without NaN.

    Args:
        a: An array.
        axis: The dimensions that are folded; all for None. Names as in `sum`.
        dtype: The element type in which to compute, and of the result.
        out: Not used: arrays never change.
        keepdims: Whether the folded dimensions stay, with size one.
        where: Bools; elements where they are false do not count.

    Returns:
        The means; NaN where nothing counts.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.nanmean(jnp.array([1.0, jnp.nan, 3.0]))
        Array(2., dtype=float32)
    """
    refuse_out("nanmean", out)
    return mean(a, axis=axis, dtype=dtype, keepdims=keepdims, where=_counted_without_nan("nanmean", a, where))


nanvar = _averaging("nanvar", var, "The variance without NaN.", "Array(1., dtype=float32)")
nanstd = _averaging("nanstd", std, "The standard deviation without NaN.", "Array(1., dtype=float32)")


def _arg_extremum_without_nan(
    name: str, plain: Callable[..., Any], extreme: OperationRecord, word: str, result: int
) -> ArgExtremum:
    def function(a: ArrayLike, axis: int | None = None, out: None = None, keepdims: bool | None = None) -> Array:
        refuse_out(name, out)
        if not dtypes.is_float(aval_of(a).dtype) and not dtypes.is_complex(aval_of(a).dtype):
            return plain(a, axis=axis, keepdims=keepdims)
        hole = isnan_of(a)
        filler = like(a, extreme.nothing(aval_of(a).dtype))
        found = plain(bind(ops.select, hole, filler, a), axis=axis, keepdims=keepdims)
        gone = all(hole, axis=axis, keepdims=bool(keepdims))
        with counting(shape_of(a) if axis is not None else (math.prod(shape_of(a)),)):
            return bind(ops.select, gone, like(found, -1), found)

    function.__name__ = function.__qualname__ = name
    function.__module__ = __name__
    function.__doc__ = (
        f"The index of the {word}, NaN left out; -1 where there is nothing else.\n\nArgs:\n    a: An array.\n"
        "    axis: The dimension; None for the flat array.\n    out: Not used: arrays never change.\n"
        "    keepdims: Whether the dimension stays, with size one.\n\nReturns:\n    The indices.\n\nExample:\n"
        f"    >>> import olympus.numpy as jnp\n    >>> jnp.{name}(jnp.array([jnp.nan, 1.0, 2.0]))\n"
        f"    Array({result}, dtype=int32)\n"
    )
    return api(function, static=("axis", "keepdims"), call=f"_{name}")


nanargmax = _arg_extremum_without_nan("nanargmax", argmax, ops.reduce_max, "maximum", 2)
nanargmin = _arg_extremum_without_nan("nanargmin", argmin, ops.reduce_min, "minimum", 1)
