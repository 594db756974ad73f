# SPDX-License-Identifier: Apache-2.0
"""Contractions of any dimensions and element types, each way that they are computed, against their reference."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from olympus_core import dtypes, ops
from olympus_core.program import ArrayType, Operation, Value
from olympus_cuda.errors import CublasLtUnsupportedError
from olympus_cuda.products import work_steps
from olympus_cuda.products.dots import dot_work, kinds_of
from olympus_cuda.products.matrices import planned, roles_of
from olympus_cuda.products.work_steps import KernelLaunchStep, MatmulStep

from .emulated_gpu import EmulatedGpu, alone, assert_near, expected, made_step, operation_of, run, some

NUMBERS = [dtype for dtype in dtypes.ALL if not dtypes.is_bool(dtype)]


def numbers(
    lhs: tuple[int, ...], rhs: tuple[int, ...], lhs_batch: tuple[int, ...] = (), rhs_batch: tuple[int, ...] = (),
    **more: Any,
) -> dict[str, Any]:
    """Dimension numbers as attributes."""
    return {"lhs_contracting": lhs, "rhs_contracting": rhs, "lhs_batch": lhs_batch, "rhs_batch": rhs_batch, **more}


def dot(x: tuple[int, ...], y: tuple[int, ...], dtype: np.dtype, attributes: dict[str, Any],
        ) -> tuple[Operation, list[np.ndarray]]:
    """An operation and its operands."""
    arrays = [some(x, dtype), some(y, dtype, 1)]
    return operation_of(ops.dot_general, arrays, **attributes), arrays


@pytest.mark.parametrize("dtype", NUMBERS, ids=lambda d: d.name)
def test_every_element_type_in_every_way(dtype: np.dtype) -> None:
    operation, arrays = dot((16, 32), (32, 48), dtype, numbers((1,), (0,)))
    work = made_step(operation)
    assert work is not None
    for one in alone(work):
        assert_near(run(one, arrays)[0], expected(operation, arrays)[0])


@pytest.mark.parametrize(("source", "result"), [
    (dtypes.bfloat16, dtypes.float32), (dtypes.bfloat16, dtypes.float16), (dtypes.float16, dtypes.float64),
    (dtypes.float32, dtypes.bfloat16), (dtypes.float8_e4m3fn, dtypes.float32), (dtypes.float8_e5m2, dtypes.bfloat16),
    (dtypes.int8, dtypes.int32), (dtypes.int8, dtypes.int64), (dtypes.int16, dtypes.uint8),
    (dtypes.uint8, dtypes.int32), (dtypes.complex64, dtypes.complex128),
], ids=lambda d: d.name)
def test_results_of_other_types(source: np.dtype, result: np.dtype) -> None:
    operation, arrays = dot((16, 32), (32, 16), source, numbers((1,), (0,), dtype=result))
    work = made_step(operation)
    assert work is not None
    for one in alone(work):
        assert_near(run(one, arrays)[0], expected(operation, arrays)[0])


@st.composite
def contractions(draw: st.DrawFn) -> tuple[tuple[int, ...], tuple[int, ...], dict[str, Any]]:
    """Shapes and dimension numbers; each role has up to two dimensions, in any order."""
    batch, inner, rows, columns = (draw(st.lists(st.integers(1, 4), max_size=2)) for _ in range(4))

    def placed(free: list[int]) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
        sizes = [*batch, *inner, *free]
        order = draw(st.permutations(range(len(sizes))))
        place = {role: i for i, role in enumerate(order)}
        shape = tuple(sizes[role] for role in order)
        return (shape, tuple(place[i] for i in range(len(batch))),
                tuple(place[len(batch) + i] for i in range(len(inner))))

    (x, lhs_batch, lhs), (y, rhs_batch, rhs) = placed(rows), placed(columns)
    return x, y, numbers(lhs, rhs, lhs_batch, rhs_batch)


@settings(max_examples=40, deadline=None)
@given(contractions(), st.sampled_from([dtypes.float32, dtypes.int32, dtypes.bfloat16]))
def test_any_dimension_numbers(case: tuple[tuple[int, ...], tuple[int, ...], dict[str, Any]], dtype: np.dtype) -> None:
    x, y, attributes = case
    operation, arrays = dot(x, y, dtype, attributes)
    work = dot_work(operation)
    assert work is not None
    assert_near(run(work, arrays)[0], expected(operation, arrays)[0])


@pytest.mark.parametrize(("x", "y", "attributes", "copies", "calls"), [
    ((5, 7), (7, 8), numbers((1,), (0,)), 0, 1),
    ((7, 5), (8, 7), numbers((0,), (1,)), 0, 1),
    ((2, 3, 5, 7), (7, 4, 6), numbers((3,), (0,)), 0, 1),
    ((3, 2, 5, 4), (3, 2, 6, 4), numbers((3,), (3,), (0, 1), (0, 1)), 0, 1),
    ((2, 5, 3, 4), (2, 6, 3, 4), numbers((3,), (3,), (0, 2), (0, 2)), 0, 2),  # attention's own layout
    ((9, 5, 13, 4), (9, 6, 13, 4), numbers((3,), (3,), (0, 2), (0, 2)), 2, 1),  # too many loops
    ((9, 13, 5, 4), (9, 6, 13, 4), numbers((3,), (3,), (0, 1), (0, 2)), 1, 1),  # one of them is a stack already
    ((5, 2, 7), (2, 7, 3), numbers((1, 2), (0, 1)), 0, 1),
    ((5, 2, 7), (7, 2, 3), numbers((1, 2), (1, 0)), 1, 1),  # contracted dimensions in two orders
    ((5, 7, 4), (7, 3), numbers((1,), (0,)), 1, 1),  # free dimensions on both sides of the contracted
])
def test_operands_are_copied_only_where_no_matrix_is_seen(
    x: tuple[int, ...], y: tuple[int, ...], attributes: dict[str, Any], copies: int, calls: int
) -> None:
    operation, arrays = dot(x, y, dtypes.float32, attributes)
    work = dot_work(operation)
    assert work is not None
    enqueued = work.variants[0].steps
    (matmul,) = [part for part in enqueued if isinstance(part, MatmulStep)]
    assert sum(isinstance(part, KernelLaunchStep) for part in enqueued) == copies and len(matmul.slices) == calls
    assert_near(run(work, arrays)[0], expected(operation, arrays)[0])


@pytest.mark.parametrize(("architecture", "kernels"), [("sm_80", 3), ("sm_89", 1), ("sm_100a", 1)])
def test_float8_is_multiplied_as_it_is_where_the_chip_can(architecture: str, kernels: int) -> None:
    operation, arrays = dot((16, 32), (48, 32), dtypes.float8_e4m3fn, numbers((1,), (1,)))
    work, gpu = dot_work(operation), EmulatedGpu(architecture)
    assert work is not None
    assert_near(run(work, arrays, gpu)[0], expected(operation, arrays)[0])
    assert gpu.launches == kernels  # the result's conversion, and before Ada both operands'


def test_bytes_are_multiplied_by_the_library_where_sizes_suit_it() -> None:
    for columns, kernels in ((48, 0), (47, 1)):
        operation, arrays = dot((16, 32), (columns, 32), dtypes.int8, numbers((1,), (1,), dtype=dtypes.int32))
        work, gpu = dot_work(operation), EmulatedGpu()
        assert work is not None
        assert_near(run(work, arrays, gpu)[0], expected(operation, arrays)[0])
        assert gpu.launches == kernels


def test_sums_of_whole_numbers_wrap_around() -> None:
    arrays = [np.full((2, 3), 100, np.int8), np.full((3, 2), 100, np.int8)]
    operation = operation_of(ops.dot_general, arrays, **numbers((1,), (0,)))
    work = dot_work(operation)
    assert work is not None
    np.testing.assert_array_equal(run(work, arrays)[0], np.full((2, 2), 48, np.int8))


@pytest.mark.parametrize("dtype", [dtypes.int32, dtypes.float32, dtypes.complex64], ids=lambda d: d.name)
def test_few_long_sums_are_shared_by_a_block(dtype: np.dtype) -> None:
    operation, arrays = dot((3, 2500), (2500, 2), dtype, numbers((1,), (0,)))
    work = dot_work(operation)
    assert work is not None
    own = alone(work)[-1]
    (kernel,) = own.variants[0].steps
    assert isinstance(kernel, KernelLaunchStep) and kernel.module.launches["multiplied"][0].grid == 6
    first, again = (run(own, arrays)[0] for _ in range(2))
    np.testing.assert_allclose(first, expected(operation, arrays)[0], rtol=1e-4, atol=1e-3)
    assert first.tobytes() == again.tobytes()


@pytest.mark.parametrize("shift", [4, 16, 64])
def test_operands_that_begin_anywhere(shift: int) -> None:
    operation, arrays = dot((5, 8), (8, 8), dtypes.float32, numbers((1,), (0,)))
    work = dot_work(operation)
    assert work is not None
    assert_near(run(work, arrays, shift=shift)[0], expected(operation, arrays)[0])


def test_what_the_library_refuses_is_computed_by_own_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: Any) -> None:
        raise CublasLtUnsupportedError("cublasLtMatmulAlgoGetHeuristic", "CUBLAS_STATUS_NOT_SUPPORTED")

    monkeypatch.setattr(work_steps, "PreparedMatmul", refuse)
    operation, arrays = dot((5, 7), (7, 8), dtypes.float32, numbers((1,), (0,)))
    work, gpu = dot_work(operation), EmulatedGpu()
    assert work is not None
    assert_near(run(work, arrays, gpu)[0], expected(operation, arrays)[0])
    assert gpu.launches == 1


def test_e5m2_is_multiplied_as_bfloat16_which_holds_it_exactly() -> None:
    assert [kind.operand for kind in kinds_of(dtypes.float8_e5m2, dtypes.float32)] == [dtypes.bfloat16]


@pytest.mark.parametrize(("x", "y"), [((0, 3), (3, 4)), ((2, 0), (0, 4)), ((0, 0), (0, 0))])
def test_products_of_nothing(x: tuple[int, ...], y: tuple[int, ...]) -> None:
    operation, arrays = dot(x, y, dtypes.float32, numbers((1,), (0,)))
    work = dot_work(operation)
    assert work is not None
    np.testing.assert_array_equal(run(work, arrays)[0], expected(operation, arrays)[0])


def test_negative_sums_wrap_in_a_wider_type_without_sign() -> None:
    operation, _ = dot((2, 3), (3, 2), dtypes.int8, numbers((1,), (0,), dtype=dtypes.uint64))
    work = made_step(operation)
    assert work is not None
    found = run(work, [np.full((2, 3), -100, np.int8), np.full((3, 2), 100, np.int8)])[0]
    np.testing.assert_array_equal(found, np.full((2, 2), 2**64 - 30_000, np.uint64))


def test_large_products_get_a_large_workspace() -> None:
    operation, _ = dot((256, 256), (256, 256), dtypes.float32, numbers((1,), (0,)))
    small, _ = dot((16, 16), (16, 16), dtypes.float32, numbers((1,), (0,)))
    works = dot_work(operation), dot_work(small)
    assert works[0] is not None and works[1] is not None
    assert works[0].scratch >= 32 << 20 > works[1].scratch


def test_many_calls_are_better_than_copies_where_each_is_long() -> None:
    for time, loops in ((16, 0), (2048, 16)):
        shape = ArrayType((32, time, 16, 128), dtypes.bfloat16)
        operands = Value(shape), Value(shape)
        attributes = numbers((3,), (3,), (0, 2), (0, 2), dtype=None)
        types = ops.dot_general.type_rule([v.type for v in operands], attributes, ())
        operation = Operation(ops.dot_general, operands, attributes, (), tuple(map(Value, types)), None)
        assert len(planned(roles_of(operation), inner_last=False).loops) == (1 if loops else 0)


def test_a_plan_says_where_each_matrix_of_a_stack_begins() -> None:
    operation, _ = dot((2, 5, 3, 4), (2, 6, 3, 4), dtypes.float32, numbers((3,), (3,), (0, 2), (0, 2)))
    plan = planned(roles_of(operation), inner_last=False)
    assert (plan.batch, plan.rows, plan.columns, plan.inner, plan.loops) == (3, 5, 6, 4, (2,))
    assert plan.order == (3 * 5 * 6, 5 * 6) and plan.x.loops == (60,) and plan.x.stride == 4 and plan.x.leading == 12
