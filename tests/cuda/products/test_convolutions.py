# SPDX-License-Identifier: Apache-2.0
"""Convolutions of any attributes, as one kernel and by the library, against their reference."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from olympus_core import dtypes, ops
from olympus_core.errors import OperandError
from olympus_core.program import Operation
from olympus_cuda.products import convolutions, tiled
from olympus_cuda.products.work_steps import KernelLaunchStep, MatmulStep, ProductWork

from .emulated_gpu import alone, assert_near, expected, made_step, operation_of, run, some


@pytest.fixture(autouse=True)
def _small_ones_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows are written out whatever their number."""
    monkeypatch.setattr(convolutions, "_LARGE", 0)


def attributes_of(layouts: str, **given: Any) -> dict[str, Any]:
    """Attributes; those that are not given do nothing."""
    left, right, out = layouts.split()
    count = len(left) - 2
    plain = {"window_strides": (1,) * count, "padding": ((0, 0),) * count, "lhs_dilation": (1,) * count,
             "rhs_dilation": (1,) * count, "feature_groups": 1, "batch_groups": 1}
    return {**plain, **given, "lhs_layout": left, "rhs_layout": right, "out_layout": out}


def made(x: tuple[int, ...], kernel: tuple[int, ...], dtype: np.dtype, attributes: dict[str, Any],
         ) -> tuple[Operation, list[np.ndarray], ProductWork]:
    """An operation, its operands and its work."""
    arrays = [some(x, dtype), some(kernel, dtype, 1)]
    operation = operation_of(ops.convolution, arrays, **attributes)
    work = made_step(operation)
    assert isinstance(work, ProductWork)
    return operation, arrays, work


CASES = {
    "features last": ((2, 8, 9, 3), (3, 3, 3, 5), attributes_of("NHWC HWIO NHWC", padding=((1, 1), (1, 1)))),
    "all of it": ((2, 3, 8, 9), (5, 3, 3, 3), attributes_of(
        "NCHW OIHW NCHW", window_strides=(2, 1), padding=((1, -1), (0, 2)), lhs_dilation=(1, 2), rhs_dilation=(2, 1))),
    "feature groups": ((2, 6, 8, 9), (4, 3, 3, 3), attributes_of(
        "NCHW OIHW CHNW", window_strides=(2, 1), padding=((1, -1), (0, 2)), lhs_dilation=(1, 2), feature_groups=2)),
    "batch groups": ((4, 6, 8), (4, 6, 3), attributes_of(
        "NCH OIH HCN", padding=((-1, 2),), lhs_dilation=(3,), rhs_dilation=(2,), batch_groups=2)),
    "depthwise": ((2, 7, 7, 4), (3, 3, 1, 4), attributes_of("NHWC HWIO NHWC", feature_groups=4)),
    "no window": ((4, 6), (5, 6), attributes_of("NC OI NC")),
    "three dimensions": ((1, 2, 4, 5, 3), (3, 2, 2, 2, 2), attributes_of("NCDHW OIDHW NDHWC")),
    "many features": ((3, 70, 9), (70, 70, 3), attributes_of("NCH OIH NCH", padding=((1, 1),))),
}


@pytest.mark.parametrize("fewest", [0, 16])
@pytest.mark.parametrize("name", CASES)
def test_attributes_in_every_way(name: str, fewest: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiled, "_FEWEST_COLUMNS", fewest)
    x, kernel, attributes = CASES[name]
    operation, arrays, work = made(x, kernel, dtypes.float32, attributes)
    assert len(work.variants) == 2
    for one in alone(work):
        assert_near(run(one, arrays)[0], expected(operation, arrays)[0])


@pytest.mark.parametrize("dtype", [d for d in dtypes.ALL if not dtypes.is_bool(d)], ids=lambda d: d.name)
def test_every_element_type(dtype: np.dtype) -> None:
    x, kernel, attributes = CASES["feature groups"]
    operation, arrays, work = made(x, kernel, dtype, attributes)
    for one in alone(work):
        assert_near(run(one, arrays)[0], expected(operation, arrays)[0])


@st.composite
def convolution_cases(draw: st.DrawFn) -> tuple[tuple[int, ...], tuple[int, ...], dict[str, Any]]:
    """Shapes and attributes, layouts in any order."""
    count = draw(st.integers(1, 2))
    spatial = "HW"[:count]
    features, batches = draw(st.sampled_from([(1, 1), (2, 1), (1, 2)]))
    sizes = {"N": 2 * draw(st.integers(1, 2)), "C": features * draw(st.integers(1, 3)),
             "O": features * batches * draw(st.integers(1, 3))}
    sizes["I"] = sizes["C"] // features
    window = {c: draw(st.integers(1, 3)) for c in spatial}
    operand = {c: draw(st.integers(2, 6)) for c in spatial}
    left, right, out = ("".join(draw(st.permutations(letters + spatial))) for letters in ("NC", "OI", "NC"))
    # The order of spatial dimensions is the kernel's layout's; the others follow it by name.
    attributes = attributes_of(
        f"{left} {right} {out}", feature_groups=features, batch_groups=batches,
        window_strides=tuple(draw(st.integers(1, 2)) for _ in spatial),
        padding=tuple((draw(st.integers(-1, 2)), draw(st.integers(-1, 2))) for _ in spatial),
        lhs_dilation=tuple(draw(st.integers(1, 2)) for _ in spatial),
        rhs_dilation=tuple(draw(st.integers(1, 2)) for _ in spatial))
    return (tuple({**sizes, **operand}[c] for c in left), tuple({**sizes, **window}[c] for c in right), attributes)


@settings(max_examples=8, deadline=None)
@given(convolution_cases())
def test_any_attributes(case: tuple[tuple[int, ...], tuple[int, ...], dict[str, Any]]) -> None:
    x, kernel, attributes = case
    arrays = [some(x, dtypes.float32), some(kernel, dtypes.float32, 1)]
    try:
        operation = operation_of(ops.convolution, arrays, **attributes)
    except OperandError:
        assume(False)
    assume(operation.results[0].type.size > 0)
    work = made_step(operation)
    assert isinstance(work, ProductWork)
    for one in alone(work):
        assert_near(run(one, arrays)[0], expected(operation, arrays)[0])


@pytest.mark.parametrize(("x", "kernel"), [((2, 0, 5), (3, 0, 2)), ((0, 2, 5), (3, 2, 2)), ((2, 2, 0), (3, 2, 1))])
def test_convolutions_of_nothing(x: tuple[int, ...], kernel: tuple[int, ...]) -> None:
    operation, arrays, work = made(x, kernel, dtypes.float32, attributes_of("NCH OIH NCH", padding=((1, 1),)))
    np.testing.assert_array_equal(run(work, arrays)[0], expected(operation, arrays)[0])


def test_results_in_the_products_order_need_no_copy() -> None:
    _, _, last = made(*CASES["features last"][:2], dtypes.float32, CASES["features last"][2])
    _, _, first = made(*CASES["all of it"][:2], dtypes.float32, CASES["all of it"][2])
    assert (len(last.variants[0].steps), len(first.variants[0].steps)) == (3, 4)


def test_small_ones_are_one_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    _, _, work = made(*CASES["features last"][:2], dtypes.float32, CASES["features last"][2])
    assert len(work.variants) == 1 and work.scratch == 0


def test_windows_that_take_too_much_memory_are_written_out_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    one = 4 * 72 * 27  # bytes of the windows of one member of the batch
    for limit, calls in ((2 * one, 1), (2 * one - 1, 2), (one - 1, 0)):
        monkeypatch.setattr(convolutions, "_MOST_BYTES", limit)
        operation, arrays, work = made(*CASES["features last"][:2], dtypes.float32, CASES["features last"][2])
        found = [part for variant in work.variants for part in variant.steps if isinstance(part, MatmulStep)]
        assert len(found) == calls
        assert_near(run(work, arrays)[0], expected(operation, arrays)[0])


@pytest.mark.parametrize("name", ["feature groups", "all of it"])
def test_pieces_of_the_batch_with_groups_and_other_layouts(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    x, kernel, attributes = CASES[name]
    monkeypatch.setattr(convolutions.Windows, "together", lambda self, size: 1)
    operation, arrays, work = made(x, kernel, dtypes.bfloat16, attributes)
    assert sum(isinstance(part, MatmulStep) for part in work.variants[0].steps) == x[0]
    assert_near(run(alone(work)[0], arrays)[0], expected(operation, arrays)[0])


@pytest.mark.parametrize(("x", "kernel", "layouts", "kernels"), [
    ((2, 8, 9, 24), (1, 1, 24, 20), "NHWC HWIO NHWC", 1), ((2, 8, 24), (20, 24, 1), "NHC OIH NHC", 1),
    ((2, 24, 8), (20, 24, 1), "NCH OIH NCH", 3),
])
def test_windows_of_one_element_are_the_operand_itself(
    x: tuple[int, ...], kernel: tuple[int, ...], layouts: str, kernels: int
) -> None:
    operation, arrays, work = made(x, kernel, dtypes.float32, attributes_of(layouts))
    assert sum(isinstance(part, KernelLaunchStep) for part in work.variants[0].steps) == kernels
    assert_near(run(alone(work)[0], arrays)[0], expected(operation, arrays)[0])
