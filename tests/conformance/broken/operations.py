# SPDX-License-Identifier: Apache-2.0
"""Operations that are wrong in one way: the references, but for one function."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.toolkit import table_from_references, table_platform
from olympus_core.toolkit.platform import TablePlatform

from .base import off_by_one
from .form import broken

Function = Callable[[Sequence[np.ndarray], Mapping[str, Any]], Sequence[np.ndarray]]
_TABLE = table_from_references()
_RIGHT = _TABLE.functions


def platform_with(name: str, function: Function) -> TablePlatform:
    """The references with another function for one operation."""
    return table_platform("references", _TABLE.with_entries({name: function}), dtypes=dtypes.ALL)


def after(name: str, change: Callable[[np.ndarray], np.ndarray]) -> TablePlatform:
    """An operation whose first result is changed."""

    def function(operands: Sequence[np.ndarray], attributes: Mapping[str, Any]) -> Sequence[np.ndarray]:
        first, *rest = _RIGHT[name](operands, attributes)
        with np.errstate(all="ignore"):
            return [np.asarray(change(np.array(first))).astype(first.dtype), *rest]

    return platform_with(name, function)


def with_attributes(name: str, **fixed: Any) -> TablePlatform:
    """An operation that ignores an attribute."""
    return platform_with(name, lambda operands, attributes: _RIGHT[name](operands, {**attributes, **fixed}))


def _without_nan(x: np.ndarray) -> np.ndarray:
    return np.where(np.isnan(x), x.dtype.type(0), x)


def _flushed(x: np.ndarray) -> np.ndarray:
    return np.where(np.abs(x) < np.finfo(x.dtype).tiny, np.copysign(x.dtype.type(0), x), x)


def _off_by_ulps(x: np.ndarray) -> np.ndarray:
    return np.where(np.isfinite(x), x * (1 + 20 * 2.0**-23), x) if x.dtype == np.float32 else x


broken("no_nan_in_max", fails=["operations/special[max,float32]", "operations/special[max,bfloat16]"],
       says="max drops a NaN")(lambda: after("max", _without_nan))
broken("no_nan_in_reduce_max", fails=["operations/special[reduce_max,float32]"], says="reduce_max drops a NaN")(
    lambda: after("reduce_max", _without_nan))
broken("exp_off_by_20_ulp", fails=["operations/result[exp,float32]", "operations/special[exp,float32]"],
       says="exp is off by 20 units in the last place")(lambda: after("exp", _off_by_ulps))
broken("nan_sorted_first", fails=["operations/special[sort,float32]"], says="sort puts NaN before all numbers")(
    lambda: after("sort", lambda x: np.roll(x, 1) if x.ndim == 1 and x.dtype.kind == "f" and np.isnan(x).any() else x))
broken("zero_loses_its_sign", fails=["operations/special[neg,float32]"], says="neg gives no negative zero")(
    lambda: after("neg", lambda x: np.where(x == 0, x.dtype.type(0), x)))
broken("flushes_denormals", fails=["operations/denormals[add,float32]"], says="add takes denormal numbers for zeros")(
    lambda: after("add", _flushed))
broken("large_arrays_end_wrong", fails=["operations/large[add,float32]"],
       says="the last element of a large array is wrong")(
    lambda: after("add", lambda x: off_by_one(x) if x.size > 10_000 else x))


@broken("rounds_twice", fails=["operations/special[convert,float64]", "operations/special[convert,int64]"],
        says="conversions to narrow floats go by way of float32, and are rounded twice")
def rounds_twice() -> TablePlatform:
    """As ml_dtypes and most compilers do."""

    def convert(operands: Sequence[np.ndarray], attributes: Mapping[str, Any]) -> Sequence[np.ndarray]:
        x, dtype = operands[0], attributes["dtype"]
        if dtype in (dtypes.bfloat16, dtypes.float16) and not dtypes.is_complex(x.dtype):
            with np.errstate(all="ignore"):
                return [x.astype(np.float32).astype(dtype)]
        return _RIGHT["convert"](operands, attributes)

    return platform_with("convert", convert)


@broken("bf16_cut", fails=["operations/result[convert,float32]", "operations/special[convert,float32]"],
        says="conversion to bfloat16 cuts instead of rounding")
def bf16_cut() -> TablePlatform:
    """The upper half of the bits."""

    def convert(operands: Sequence[np.ndarray], attributes: Mapping[str, Any]) -> Sequence[np.ndarray]:
        x, dtype = operands[0], attributes["dtype"]
        if dtype == dtypes.bfloat16 and x.dtype == np.float32:
            return [(np.ascontiguousarray(x).view(np.uint32) >> 16).astype(np.uint16).view(dtype).reshape(x.shape)]
        return _RIGHT["convert"](operands, attributes)

    return platform_with("convert", convert)


@broken("division_rounds_down", fails=["operations/result[div,int32]"], says="integers are divided rounding down")
def division_rounds_down() -> TablePlatform:
    """Where the quotient is negative and not whole."""

    def div(operands: Sequence[np.ndarray], attributes: Mapping[str, Any]) -> Sequence[np.ndarray]:
        (right,) = _RIGHT["div"](operands, attributes)
        x, y = operands
        if x.dtype.kind != "i":
            return [right]
        with np.errstate(all="ignore"):
            rounded = (x != right * y) & ((x < 0) != (y < 0)) & (y != 0)
        return [np.asarray(right - rounded.astype(x.dtype), x.dtype)]

    return platform_with("div", div)


@broken("last_of_ties", fails=["operations/result[argmax,int32]"], says="argmax takes the last of equal elements")
def last_of_ties() -> TablePlatform:
    """Counted from the other end."""

    def argmax(operands: Sequence[np.ndarray], attributes: Mapping[str, Any]) -> Sequence[np.ndarray]:
        (right,) = _RIGHT["argmax"](operands, attributes)
        axis = attributes["dimension"]
        backwards = np.flip(operands[0], axis)
        if backwards.dtype.kind in "fcV":
            return [right]
        last = operands[0].shape[axis] - 1 - np.argmax(backwards, axis)
        return [np.asarray(last).astype(right.dtype)]

    return platform_with("argmax", argmax)


@broken("maximum_from_within", fails=["operations/result[reduce_max,int32]"],
        says="a maximum begins with the least element but one")
def maximum_from_within() -> TablePlatform:
    """Nothing less is found."""

    def reduce_max(operands: Sequence[np.ndarray], attributes: Mapping[str, Any]) -> Sequence[np.ndarray]:
        (right,) = _RIGHT["reduce_max"](operands, attributes)
        if right.dtype.kind != "i" or not operands[0].size:
            return [right]
        return [np.maximum(right, np.iinfo(right.dtype).min + 1).astype(right.dtype)]

    return platform_with("reduce_max", reduce_max)


@broken("sort_unstable", fails=["operations/result[sort,int32]"], says="equal keys change places in sort")
def sort_unstable() -> TablePlatform:
    """Each run of equal keys is turned round in the other operands."""

    def sort(operands: Sequence[np.ndarray], attributes: Mapping[str, Any]) -> Sequence[np.ndarray]:
        axis = attributes["dimension"]
        return _RIGHT["sort"]([np.flip(x, axis) for x in operands], attributes)

    return platform_with("sort", sort)


broken("gather_clamps", fails=["operations/result[gather,float32]"],
       says="gather takes the nearest element where it should fill")(lambda: with_attributes("gather", mode="clip"))
broken("scan_forwards_only", fails=["operations/result[cumsum,float32]"], says="cumsum knows one direction only")(
    lambda: with_attributes("cumsum", reverse=False))
