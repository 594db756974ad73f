# SPDX-License-Identifier: Apache-2.0
"""What random programs are compared with: what may be anything is left open, everything else is not."""

from __future__ import annotations

import numpy as np
import pytest

from olympus_conformance.random_programs.oracle import Expected
from olympus_core import ops
from olympus_core.program import ArrayType, Program, ProgramBuilder

HUGE = np.float32(3e38)


def sorted_sums(inner: int) -> Program:
    """Sums of rows, in order."""
    builder = ProgramBuilder("sorted_sums")
    x = builder.input(ArrayType((4, inner), "float32"))
    (sums,) = builder.emit(ops.reduce_sum, [x], {"dimensions": (1,)})
    return builder.finish(builder.emit(ops.sort, [sums], {"dimension": 0, "keys": 1}))


def problem(program: Program, x: np.ndarray, found: np.ndarray) -> str | None:
    told = Expected(program, [[x]], 1, runs=20).problem([[found]])
    return None if told is None else told[1]


@pytest.mark.parametrize("first", [-np.inf, -HUGE, 1.0, np.inf, np.nan])
def test_a_sum_that_passes_the_range_may_come_to_any_place_of_an_order(first: float) -> None:
    x = np.array([[HUGE, HUGE, -HUGE, -HUGE], [1, 1, 1, 1], [2, 2, 2, 2], [3, 3, 3, 3]], np.float32)
    found = np.sort(np.array([first, 4, 8, 12], np.float32))
    assert problem(sorted_sums(4), x, found) is None


def test_an_order_of_sums_that_are_sure_is_compared() -> None:
    x = np.array([[0], [1], [np.nan], [3]], np.float32)
    assert problem(sorted_sums(1), x, np.array([0, 1, 3, np.nan], np.float32)) is None
    assert problem(sorted_sums(1), x, np.array([0, 1, np.nan, 3], np.float32)) is not None
    assert problem(sorted_sums(1), x, np.array([0, 1.5, 3, np.nan], np.float32)) is not None


def test_zeros_of_functions_are_zeros_for_what_asks() -> None:
    builder = ProgramBuilder("branches")
    x = builder.input(ArrayType((2,), "float32"))
    (y,) = builder.emit(ops.asin, [x])
    (is_any,) = builder.emit(ops.convert, [y], {"dtype": np.dtype(bool)})
    program = builder.finish(builder.emit(ops.select, [is_any, x, y]))
    assert problem(program, np.zeros(2, np.float32), np.zeros(2, np.float32)) is None
    assert problem(program, np.ones(2, np.float32), np.zeros(2, np.float32)) is not None


@pytest.mark.parametrize(("off", "fits"), [(300, True), (20_000, False)])
def test_the_exponent_of_a_complex_power_multiplies_the_logarithms_error(off: int, fits: bool) -> None:
    builder = ProgramBuilder("powers")
    x = builder.input(ArrayType((1,), "complex64"))
    program = builder.finish(builder.emit(ops.pow, [x, x]))
    base = np.array([21.3 + 7.9j], np.complex64)
    right = np.power(base.astype(np.complex128), base.astype(np.complex128))  # about 4e27, of an exponent of 64
    found = (right * (1 + off * np.finfo(np.float32).eps)).astype(np.complex64)
    assert (problem(program, base, found) is None) == fits


@pytest.mark.parametrize(("at", "found", "fits"), [(5e-324, np.inf, True), (5e-324, 1.0, True), (1.0, np.inf, False)])
def test_the_neighbour_of_the_least_number_is_zero_whatever_the_bound(at: float, found: float, fits: bool) -> None:
    builder = ProgramBuilder("quotient")
    x = builder.input(ArrayType((1,), "float64"))
    (y,) = builder.emit(ops.bessel_i1e, [x])
    program = builder.finish(builder.emit(ops.div, [x, y]))
    assert (problem(program, np.array([at]), np.array([found])) is None) == fits
