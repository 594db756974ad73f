"""Programs as the CPU would rather have them: contractions of narrow floats in float32, where BLAS is."""

from __future__ import annotations

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.program import ArrayType, Operation, Value
from olympus_core.toolkit import Flat

_NARROW = frozenset({dtypes.float16, dtypes.bfloat16})


def rewritten(flat: Flat) -> Flat:
    """The same program; products of narrow floats are computed in float32 and rounded once, as their reference does."""
    if not any(_is_narrow(operation) for operation in flat.operations):
        return flat
    operations: list[Operation] = []
    for operation in flat.operations:
        operations += _widened(operation) if _is_narrow(operation) else [operation]
    return Flat(flat.inputs, tuple(operations), flat.outputs)


def _is_narrow(operation: Operation) -> bool:
    if operation.name not in ("dot_general", "convolution"):
        return False
    return operation.operands[0].type.dtype in _NARROW and operation.results[0].type.dtype in _NARROW | {dtypes.float32}


def _widened(operation: Operation) -> list[Operation]:
    wide = dtypes.float32
    converts = [_convert(v, wide) for v in operation.operands]
    result = operation.results[0]
    attributes = {k: v for k, v in operation.attributes.items() if k != "dtype"}
    product = Value(ArrayType(result.type.shape, wide)) if result.type.dtype != wide else result
    operands = tuple(c.results[0] for c in converts)
    product_operation = Operation(operation.record, operands, attributes, (), (product,), operation.location)
    if product is result:
        return [*converts, product_operation]
    back = Operation(ops.convert, (product,), {"dtype": result.type.dtype}, (), (result,), operation.location)
    return [*converts, product_operation, back]


def _convert(value: Value, dtype: np.dtype) -> Operation:
    return Operation(ops.convert, (value,), {"dtype": dtype}, (), (Value(ArrayType(value.type.shape, dtype)),))
