# SPDX-License-Identifier: Apache-2.0
"""Choosing and converting, index by index."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from olympus_core import dtypes
from olympus_core.program import ArrayType, Attributes, OperationRecord, Program
from olympus_core.program.exactness import ROUNDED, Exactness

from .rules import ANY, ORDERED, check, check_domain, check_dtype, elementwise, elementwise_factors, quiet, refuse

Types = Sequence[ArrayType]
Regions = Sequence[Program]


def _select_type(types: Types, attributes: Attributes, regions: Regions) -> Types:
    check("select", types, attributes, regions, 3)
    predicate, on_true, on_false = types
    if on_true is not on_false or predicate.shape != on_true.shape or not dtypes.is_bool(predicate.dtype):
        refuse("select", "operands do not fit each other", types, "a bool predicate and two operands of its shape")
    return (on_true,)


def _select(values: Sequence[np.ndarray], attributes: Attributes) -> Sequence[np.ndarray]:
    return (np.where(*values),)


def _convert_type(types: Types, attributes: Attributes, regions: Regions) -> Types:
    check("convert", types, attributes, regions, 1, ["dtype"])
    if dtypes.is_key(types[0].dtype) and types[0].dtype == attributes["dtype"]:
        return (types[0],)
    check_domain("convert", types[0], ANY, types)
    return (types[0].with_dtype(check_dtype("convert", attributes, "dtype")),)


def converted(x: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """The elements in another type: to bool is "not zero"; floats to integers truncate, saturate, and take NaN as 0."""
    if x.dtype == dtype:
        return x
    if dtypes.is_bool(dtype):
        return x != np.zeros((), x.dtype)
    if dtypes.is_complex(x.dtype) and not dtypes.is_complex(dtype):
        x = x.real
    if dtypes.is_float(x.dtype) and dtypes.is_integer(dtype):
        return _saturated(x, dtype)
    return dtypes.cast(x, dtype)


def _saturated(x: np.ndarray, dtype: np.dtype) -> np.ndarray:
    limits = dtypes.limits(dtype)
    wide = np.trunc(x.astype(dtypes.float64))
    # The least integer too great is a power of two, so that the comparison is exact for 64-bit integers as well.
    above = wide >= 2.0 ** (limits.bits - (limits.min < 0))
    below = wide < limits.min
    inside = np.where(above | below | np.isnan(wide), 0.0, wide).astype(dtype)
    return np.where(above, dtype.type(limits.max), np.where(below, dtype.type(limits.min), inside))


def _convert(values: Sequence[np.ndarray], attributes: Attributes) -> Sequence[np.ndarray]:
    return (converted(values[0], attributes["dtype"]),)


def _bitcast_type(types: Types, attributes: Attributes, regions: Regions) -> Types:
    check("bitcast_convert", types, attributes, regions, 1, ["dtype"])
    own, dtype = types[0].dtype, attributes["dtype"]
    if isinstance(dtype, np.dtype) and (dtypes.is_key(own) or dtypes.is_key(dtype)):
        if dtypes.carrier(own) != dtypes.carrier(dtype):
            refuse("bitcast_convert", f"{dtypes.name_of(dtype)} has another form", types,
                   dtypes.carrier(own if dtypes.is_key(own) else dtype).name)
        return (types[0].with_dtype(dtype),)
    check_domain("bitcast_convert", types[0], ("integer", "float"), types)
    dtype = check_dtype("bitcast_convert", attributes, "dtype", ("integer", "float"))
    if dtypes.bits_of(dtype) != dtypes.bits_of(types[0].dtype):
        refuse("bitcast_convert", f"{dtype.name} has another width", types, "an element type of equal width")
    return (types[0].with_dtype(dtype),)


def _bitcast(values: Sequence[np.ndarray], attributes: Attributes) -> Sequence[np.ndarray]:
    return (values[0].view(attributes["dtype"]),)


def _clamp(low: np.ndarray, x: np.ndarray, high: np.ndarray) -> np.ndarray:
    return np.minimum(np.maximum(x, low), high)


select = OperationRecord(
    "select", "elementwise", _select_type, elementwise_factors, quiet(_select), additive=(frozenset({1, 2}),)
)
clamp = elementwise("clamp", 3, ORDERED, _clamp, Exactness("exact", signed_zero=False))
convert = OperationRecord(
    "convert", "elementwise", _convert_type, elementwise_factors, quiet(_convert), exactness=ROUNDED)
bitcast_convert = OperationRecord(
    "bitcast_convert", "elementwise", _bitcast_type, elementwise_factors, quiet(_bitcast)
)
