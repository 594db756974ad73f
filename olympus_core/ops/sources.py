# SPDX-License-Identifier: Apache-2.0
"""Values out of nothing: iota and constants."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from olympus_core import dtypes
from olympus_core.program import (
    ArrayType,
    Attributes,
    FactorRule,
    LocalEmitter,
    Operation,
    OperationRecord,
    Program,
    Value,
)

from .binary import add
from .rules import NUMBER, check, check_dimension, check_dtype, check_integers, elementwise_factors, quiet, refuse
from .select import convert
from .structure import broadcast_in_dim

Types = Sequence[ArrayType]


def _iota_type(types: Types, attributes: Attributes, regions: Sequence[Program]) -> Types:
    check("iota", types, attributes, regions, 0, ["shape", "dtype", "dimension"])
    shape = check_integers("iota", attributes, "shape")
    dtype = check_dtype("iota", attributes, "dtype", NUMBER)
    check_dimension("iota", attributes, "dimension", len(shape))
    return (ArrayType(shape, dtype),)


def _iota(values: Sequence[np.ndarray], attributes: Attributes) -> Sequence[np.ndarray]:
    shape, dimension = attributes["shape"], attributes["dimension"]
    if 0 in shape:  # the dimension itself may be longer than memory
        return (np.zeros(shape, attributes["dtype"]),)
    along = np.arange(shape[dimension]).astype(attributes["dtype"])
    return (np.broadcast_to(along.reshape([-1 if d == dimension else 1 for d in range(len(shape))]), shape).copy(),)


def _iota_localize(emitter: LocalEmitter, operation: Operation, operands: Sequence[Value]) -> Sequence[Value]:
    attributes = {**operation.attributes, "shape": emitter.local_shape(0)}
    if not emitter.is_split(0, attributes["dimension"]):
        return emitter.emit(operation.record, (), attributes)
    # The sum is one of indices and converted once: a narrow type may hold the whole's numbers only wrapped or rounded.
    offset = emitter.offset(0, attributes["dimension"])
    (local,) = emitter.emit(operation.record, (), {**attributes, "dtype": offset.type.dtype})
    (offsets,) = emitter.emit(broadcast_in_dim, [offset], {"shape": attributes["shape"], "dimensions": ()})
    (total,) = emitter.emit(add, [local, offsets], {})
    if attributes["dtype"] == total.type.dtype:
        return (total,)
    return emitter.emit(convert, [total], {"dtype": attributes["dtype"]})


def _constant_type(types: Types, attributes: Attributes, regions: Sequence[Program]) -> Types:
    check("constant", types, attributes, regions, 0, ["value"])
    value = attributes["value"]
    if not isinstance(value, np.ndarray) or not (value.dtype in dtypes.KNOWN or dtypes.is_key(value.dtype)):
        refuse("constant", f"value of type {type(value).__name__} does not fit", types, "an array of a known dtype")
    return (ArrayType(value.shape, value.dtype),)


def is_splat(value: np.ndarray) -> bool:
    """Whether all elements have the same bits."""
    if value.size == 0 or all(n == 1 or step == 0 for n, step in zip(value.shape, value.strides, strict=True)):
        return True
    words = np.ascontiguousarray(value).reshape(-1).view(np.uint8).reshape(-1, value.dtype.itemsize)
    return bool((words[0] == words[-1]).all() and (words == words[0]).all())


def _constant_factors(operands: Types, results: Types, attributes: Attributes) -> FactorRule:
    if is_splat(attributes["value"]):
        return FactorRule.elementwise(results[0].shape, 0)
    return FactorRule.unsplittable([], [results[0].shape])


def _constant_localize(emitter: LocalEmitter, operation: Operation, operands: Sequence[Value]) -> Sequence[Value]:
    value, shape = operation.attributes["value"], emitter.local_shape(0)
    if value.shape != shape:  # only a splat is ever split
        value = np.full(shape, value.reshape(-1)[0]) if value.size else np.zeros(shape, value.dtype)
    return emitter.emit(operation.record, (), {"value": value})


iota = OperationRecord(
    "iota", "structure", _iota_type, elementwise_factors, quiet(_iota), localize=_iota_localize, cost=0)
constant = OperationRecord(
    "constant", "structure", _constant_type, _constant_factors,
    quiet(lambda values, attributes: (attributes["value"],)), localize=_constant_localize,
    cost=0,
)
