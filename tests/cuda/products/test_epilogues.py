# SPDX-License-Identifier: Apache-2.0
"""Products take on a bias, a limit at zero, or GELU where nothing else needs what is between."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from olympus_core import dtypes, ops
from olympus_core.program import ArrayType, Operation, OperationRecord, Value
from olympus_core.toolkit import Flat
from olympus_core.toolkit.fusion import OperationStep, plan
from olympus_cuda.products.epilogues import EPILOGUES, NAME
from olympus_cuda.products.work_steps import MatmulStep, ProductWork

from .emulated_gpu import alone, made_step, run, some

PLAIN = {"lhs_contracting": (1,), "rhs_contracting": (0,), "lhs_batch": (), "rhs_batch": ()}


class Writing:
    """A program being written."""

    def __init__(self, *shapes: tuple[int, ...], dtype: np.dtype = dtypes.float32) -> None:
        self.inputs = [Value(ArrayType(shape, dtype)) for shape in shapes]
        self.operations: list[Operation] = []

    def apply(self, record: OperationRecord, *operands: Value, **attributes: Any) -> Value:
        """The result of a new operation."""
        (type_,) = record.type_rule([v.type for v in operands], attributes, ())
        result = Value(type_)
        self.operations.append(Operation(record, operands, attributes, (), (result,), None))
        return result

    def dot(self, x: Value, y: Value, **attributes: Any) -> Value:
        """A product."""
        return self.apply(ops.dot_general, x, y, **{**PLAIN, **attributes})

    def spread(self, x: Value, shape: tuple[int, ...], *dimensions: int) -> Value:
        """A broadcast."""
        return self.apply(ops.broadcast_in_dim, x, shape=shape, dimensions=dimensions)

    def zeros(self, like: Value, number: float = 0.0) -> Value:
        """A number everywhere."""
        return self.spread(self.apply(ops.constant, value=np.array(number, like.type.dtype)), like.type.shape)

    def flat(self, *outputs: Value) -> Flat:
        """The program."""
        return Flat(tuple(self.inputs), tuple(self.operations), outputs)


def needed(flat: Flat) -> list[Operation]:
    """The contractions that are left once what nobody needs is left out."""
    found = plan(EPILOGUES(flat), lambda record, types: True)
    return [step.operation for step in found.steps if isinstance(step, OperationStep)]


def layer(dtype: np.dtype, limit: bool = True) -> Flat:
    """max(x @ w + b, 0)."""
    p = Writing((8, 16), (16, 32), (32,), dtype=dtype)
    x, w, b = p.inputs
    product = p.dot(x, w)
    total = p.apply(ops.add, product, p.spread(b, (8, 32), 1))
    return p.flat(p.apply(ops.max, total, p.zeros(total)) if limit else total)


def results(operation: Operation, arrays: list[np.ndarray], fused: bool = True) -> list[np.ndarray]:
    """What each way of computing an operation gives; the first is the library's own."""
    work = made_step(operation)
    assert isinstance(work, ProductWork)
    (matmul,) = [part for part in work.variants[0].steps if isinstance(part, MatmulStep)]
    assert (matmul.matmul.bias or matmul.matmul.relu or matmul.matmul.gelu) == fused
    return [run(one, arrays)[0] for one in alone(work)]


@pytest.mark.parametrize("dtype", [dtypes.float32, dtypes.bfloat16, dtypes.float16], ids=lambda d: d.name)
@pytest.mark.parametrize("limit", [False, True])
def test_bias_and_limit_become_one_operation_with_the_product(dtype: np.dtype, limit: bool) -> None:
    (operation,) = needed(layer(dtype, limit))
    assert operation.name == NAME
    x, w, b = arrays = [some((8, 16), dtype), some((16, 32), dtype, 1), some((32,), dtype, 2)]
    wanted = x.astype(np.float64) @ w.astype(np.float64) + b.astype(np.float64)
    wanted = np.maximum(wanted, 0) if limit else wanted
    tolerance = 1e-5 if dtype == dtypes.float32 else 3e-2
    for given in results(operation, arrays):
        np.testing.assert_allclose(given.astype(np.float64), wanted, rtol=tolerance, atol=tolerance)


def test_a_limit_without_a_bias() -> None:
    p = Writing((8, 16), (16, 32))
    product = p.dot(*p.inputs)
    (operation,) = needed(p.flat(p.apply(ops.max, p.zeros(product), product)))
    arrays = [some((8, 16), dtypes.float32), some((16, 32), dtypes.float32, 1)]
    for given in results(operation, arrays):
        np.testing.assert_allclose(given, np.maximum(arrays[0] @ arrays[1], 0), rtol=1e-5, atol=1e-5)


def gelu(
    p: Writing, x: Value, order: int = 0, root: float = math.sqrt(2 / math.pi), cube: float = 0.044715
) -> tuple[Value, Value]:
    """0.5 x (1 + tanh(root (x + cube x^3))), in one of several orders, and its tanh."""
    half, one, factor, scale = (p.zeros(x, number) for number in (0.5, 1.0, cube, root))

    def mul(*values: Value) -> Value:
        first, *rest = values
        for value in rest:
            first = p.apply(ops.mul, first, value)
        return first

    third = (lambda: mul(factor, mul(x, mul(x, x))), lambda: mul(factor, x, x, x),
             lambda: mul(mul(x, x), mul(x, factor)))[order]()
    total = p.apply(ops.add, *((third, x) if order == 1 else (x, third)))
    tanh = p.apply(ops.tanh, mul(scale, total) if order < 2 else mul(total, scale))
    more = p.apply(ops.add, *((tanh, one) if order == 2 else (one, tanh)))
    whole = (lambda: mul(x, mul(half, more)), lambda: mul(mul(half, x), more), lambda: mul(more, x, half))[order]()
    return whole, tanh


@pytest.mark.parametrize("dtype", [dtypes.bfloat16, dtypes.float16], ids=lambda d: d.name)
@pytest.mark.parametrize("order", range(3))
@pytest.mark.parametrize("bias", [False, True])
def test_gelu_becomes_one_operation_with_the_product(dtype: np.dtype, order: int, bias: bool) -> None:
    p = Writing((8, 16), (16, 32), (32,), dtype=dtype)
    x, w, b = p.inputs
    product = p.dot(x, w)
    product = p.apply(ops.add, product, p.spread(b, (8, 32), 1)) if bias else product
    (operation,) = needed(p.flat(gelu(p, product, order)[0]))
    assert operation.name == NAME and operation.attributes["gelu"] and operation.attributes["bias"] == bias
    arrays = [some((8, 16), dtype), some((16, 32), dtype, 1), some((32,), dtype, 2)][: 2 + bias]
    x64 = arrays[0].astype(np.float64) @ arrays[1].astype(np.float64) + (arrays[2].astype(np.float64) if bias else 0)
    wanted = 0.5 * x64 * (1 + np.tanh(math.sqrt(2 / math.pi) * (x64 + 0.044715 * x64**3)))
    for given in results(operation, arrays):
        np.testing.assert_allclose(given.astype(np.float64), wanted, rtol=2e-2, atol=2e-2)


def test_the_gelu_of_the_language_is_found() -> None:
    import olympus
    from olympus_core.toolkit.flatten import flatten

    types = [olympus.ShapeDtypeStruct(shape, dtypes.bfloat16) for shape in ((8, 16), (16, 32), (32,))]
    traced = olympus.jit(lambda x, w, b: olympus.nn.gelu(x @ w + b)).trace(*types)
    (operation,) = needed(flatten(traced.program))
    assert operation.name == NAME and operation.attributes["gelu"] and operation.attributes["bias"]


def _gelu_of(
    dtype: np.dtype = dtypes.bfloat16, tanh_too: bool = False, product_too: bool = False, **changed: Any
) -> Flat:
    p = Writing((8, 16), (16, 32), dtype=dtype)
    product = p.dot(*p.inputs)
    result, tanh = gelu(p, product, **changed)
    return p.flat(result, *([tanh] if tanh_too else []), *([product] if product_too else []))


@pytest.mark.parametrize("changed", [
    {"dtype": dtypes.float32}, {"tanh_too": True}, {"product_too": True}, {"root": 0.9}, {"cube": 0.05},
], ids=str)
def test_what_is_no_gelu_that_the_library_has(changed: dict[str, Any]) -> None:
    """Nor one whose tanh has to be as exact as float32 is, which the library does not promise."""
    assert NAME in [operation.name for operation in EPILOGUES(_gelu_of()).operations]
    assert NAME not in [operation.name for operation in EPILOGUES(_gelu_of(**changed)).operations]


def test_own_kernels_keep_nan() -> None:
    (operation,) = needed(layer(dtypes.float32))
    arrays = [some((8, 16), dtypes.float32), some((16, 32), dtypes.float32, 1), np.full(32, np.nan, np.float32)]
    for given in results(operation, arrays)[1:]:
        assert np.isnan(given).all()


def test_a_bias_for_several_dimensions_of_columns_and_rows_of_two() -> None:
    p = Writing((2, 3, 8), (8, 4, 5), (4, 5))
    x, w, b = p.inputs
    product = p.dot(x, w, lhs_contracting=(2,))
    total = p.apply(ops.add, p.spread(b, product.type.shape, 2, 3), product)
    (operation,) = needed(p.flat(total))
    arrays = [some(v.type.shape, dtypes.float32, i) for i, v in enumerate(p.inputs)]
    wanted = np.tensordot(arrays[0], arrays[1], 1) + arrays[2]
    for given in results(operation, arrays):
        np.testing.assert_allclose(given, wanted, rtol=1e-5, atol=1e-5)


def test_transposed_operands_are_read_where_they_lie() -> None:
    p = Writing((16, 8), (32, 16), (1, 32))
    x, w, b = p.inputs
    x, w = (p.apply(ops.transpose, v, permutation=(1, 0)) for v in (x, w))
    total = p.apply(ops.add, p.dot(x, w), p.spread(b, (8, 32), 0, 1))
    (operation,) = needed(p.flat(total))
    assert operation.operands[:2] == tuple(p.inputs[:2])
    arrays = [some(v.type.shape, dtypes.float32, i) for i, v in enumerate(p.inputs)]
    for given in results(operation, arrays):
        np.testing.assert_allclose(given, arrays[0].T @ arrays[1].T + arrays[2], rtol=1e-5, atol=1e-5)


def _used_twice() -> Flat:
    p = Writing((8, 16), (16, 32), (32,))
    x, w, b = p.inputs
    product = p.dot(x, w)
    return p.flat(p.apply(ops.add, product, p.spread(b, (8, 32), 1)), product)


def _bias_for_rows() -> Flat:
    p = Writing((8, 16), (16, 32), (8,))
    x, w, b = p.inputs
    return p.flat(p.apply(ops.add, p.dot(x, w), p.spread(b, (8, 32), 0)))


def _batched() -> Flat:
    p = Writing((4, 8, 16), (4, 16, 32), (32,))
    x, w, b = p.inputs
    product = p.dot(x, w, lhs_contracting=(2,), rhs_contracting=(1,), lhs_batch=(0,), rhs_batch=(0,))
    return p.flat(p.apply(ops.add, product, p.spread(b, (4, 8, 32), 2)))


def _limit_at_one() -> Flat:
    p = Writing((8, 16), (16, 32))
    product = p.dot(*p.inputs)
    return p.flat(p.apply(ops.max, product, p.zeros(product, 1.0)))


def _whole_numbers() -> Flat:
    return layer(dtypes.int32)


@pytest.mark.parametrize("made", [_used_twice, _bias_for_rows, _batched, _limit_at_one, _whole_numbers])
def test_what_stays_two_operations(made: Callable[[], Flat]) -> None:
    assert NAME not in [operation.name for operation in EPILOGUES(made()).operations]


def test_what_depends_on_constants_alone_is_left_to_be_computed_once() -> None:
    p = Writing((32,))
    x, w = (p.apply(ops.constant, value=np.ones(shape, np.float32)) for shape in ((8, 16), (16, 32)))
    total = p.apply(ops.add, p.dot(x, w), p.spread(p.inputs[0], (8, 32), 1))
    assert NAME not in [operation.name for operation in EPILOGUES(p.flat(total)).operations]
