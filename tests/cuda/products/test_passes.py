# SPDX-License-Identifier: Apache-2.0
"""The passes of the CUDA platform: their order, and what becomes of `top_k`."""

from __future__ import annotations

import numpy as np
import pytest

from olympus_core import dtypes, ops
from olympus_core.program import ArrayType, Operation, Value
from olympus_core.toolkit import Flat
from olympus_cuda.products.selection import PASSES
from olympus_cuda.products.sorts import TOP_K


def test_the_order_of_passes() -> None:
    """Scatters' sorts and products are made of operations that lowering knows."""
    assert PASSES.names == ("top-k-by-sort", "scatter-by-sort", "small-products", "epilogues", "tf32", "lower")


@pytest.mark.parametrize("dimension", [0, 1])
def test_top_k_is_the_end_of_a_sort(dimension: int) -> None:
    x = np.array([[3, 1, 3, 2], [0, 5, 5, 5], [2, 2, 2, 9]], np.float32)
    attributes = {"k": 2, "dimension": dimension, "dtype": dtypes.int32}
    operand = Value(ArrayType(x.shape, dtypes.float32))
    results = tuple(map(Value, ops.top_k.type_rule([operand.type], attributes, ())))
    flat = TOP_K(Flat((operand,), (Operation(ops.top_k, (operand,), attributes, (), results),), results))
    names = [operation.name for operation in flat.operations]
    assert "top_k" not in names and names.count("sort") == 1 and TOP_K(flat) is flat
    values: dict[Value, np.ndarray] = {operand: x}
    for operation in flat.operations:
        assert operation.record.reference is not None
        given = [values[v] for v in operation.operands]
        values.update(zip(operation.results, operation.record.reference(given, operation.attributes), strict=True))
    assert ops.top_k.reference is not None
    for found, wanted in zip(flat.outputs, ops.top_k.reference([x], attributes), strict=True):
        np.testing.assert_array_equal(values[found], wanted)
        assert found.type.dtype == wanted.dtype
