# SPDX-License-Identifier: Apache-2.0
"""Random programs, compiled and by the reference; `python -m tools.fuzz` looks for longer."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import ml_dtypes
import numpy as np
import pytest

from olympus_conformance.random_programs.generate import BESIDE as DEFAULT
from olympus_conformance.random_programs.generate import random_case
from olympus_conformance.random_programs.generator import elementwise_for
from olympus_conformance.random_programs.oracle import Expected, difference
from olympus_conformance.random_programs.shrink import shrunk
from olympus_core import dtypes, ops
from olympus_core.program import ArrayType, ProgramBuilder, operations_of
from olympus_cpu.codegen.emit import floats
from tools.fuzz.execute import Case, outputs_of, problem_of

PROGRAMS, BESIDE, TOGETHER = 300, 200, 20


def check(first: int, beside: float) -> None:
    for seed in range(first, first + TOGETHER):
        case = random_case(seed, beside)
        problem = problem_of(case)
        if problem is not None:
            smaller = shrunk(case, lambda c: problem_of(c) is not None, 60)
            again = f"python -m tools.fuzz --seed {seed} --count 1 --beside {beside:g}"
            pytest.fail(f"{problem}\n{smaller.program}\nagain: {again}")


@pytest.mark.parametrize("first", range(0, PROGRAMS, TOGETHER))
def test_random_programs(first: int) -> None:
    check(first, DEFAULT)


@pytest.mark.parametrize("first", range(0, BESIDE, TOGETHER))
def test_donation_beside_what_is_not_compiled(first: int) -> None:
    """One in fifty of these is wrong where a donated input's memory is taken for what an operation of NumPy gave."""
    check(first, 1.0)


def test_programs_are_of_all_kinds() -> None:
    """The draws reach the whole operation set, all element types, regions, donation, several devices."""
    cases = [random_case(seed) for seed in range(800)]
    operations = [o for case in cases for o in operations_of(case.program)]
    names = Counter(o.name for o in operations)
    # Of operations element by element some are drawn later only: they are many.
    drawn = set(names) | {record.name for dtype in dtypes.ALL for record, _ in elementwise_for(dtype)}
    assert set(ops.OPERATIONS) - drawn == {"manual", "sharding_constraint"}
    assert len(names) > 95
    assert {v.type.dtype for o in operations for v in o.results} >= set(dtypes.ALL)
    assert any(case.count > 1 for case in cases)
    assert any(case.donated for case in cases)
    assert any(v.type.size > 1 << 16 for o in operations for v in o.results)
    assert any(v.type.size == 0 for o in operations for v in o.results)


def case_of(x: np.ndarray) -> Case:
    builder = ProgramBuilder("planted")
    value = builder.input(ArrayType(x.shape, x.dtype))
    (y,) = builder.emit(ops.mul, [value, value])
    (y,) = builder.emit(ops.neg, [y])
    (y,) = builder.emit(ops.add, [y, value])
    return Case(builder.finish([y, value]), [[x]])


def test_a_fault_is_found_and_made_small(monkeypatch: pytest.MonkeyPatch) -> None:
    case = case_of(np.arange(5, dtype="f4"))
    assert problem_of(case) is None
    monkeypatch.setitem(floats.FLOATS, "neg", lambda b, s, x: b.abs(x))
    assert "4 of 5 elements are wrong" in str(problem_of(case))
    smaller = shrunk(case, lambda c: problem_of(c) is not None)
    assert [o.name for o in smaller.program.operations] == ["neg"]
    assert len(smaller.program.inputs) == len(smaller.program.outputs) == 1


class TestTheOracle:
    def test_arithmetic_has_to_be_met_bit_for_bit(self) -> None:
        case = case_of(np.linspace(1, 2, 7, dtype="f4"))
        expected = Expected(case.program, case.inputs, 1)
        found = outputs_of(case)[0]
        assert expected.problem(found) is None
        found[0][0][3] = np.nextafter(found[0][0][3], np.float32(9))
        assert expected.problem(found) is not None

    def test_functions_may_err_by_some_digits_and_no_more(self) -> None:
        builder = ProgramBuilder("sine")
        x = builder.input(ArrayType((100,), "float32"))
        program = builder.finish(builder.emit(ops.sin, [x]))
        expected = Expected(program, [[np.linspace(0.5, 1.5, 100, dtype="f4")]], 1)
        right = expected.reference[0][0]
        for digits, is_wrong in ((2, False), (100, True)):
            assert (expected.problem([[right + digits * np.spacing(right)]]) is not None) == is_wrong

    def test_factors_may_err_by_a_share_of_the_largest_and_no_more(self) -> None:
        builder = ProgramBuilder("factor")
        x = builder.input(ArrayType((2, 3, 3), "float32"))
        program = builder.finish(builder.emit(ops.cholesky, [x], {}))
        expected = Expected(program, [[np.eye(3, dtype="f4") * np.float32([[[4]], [[400]]])]], 1)
        right = expected.reference[0][0]
        off = np.zeros_like(right)
        off[0, 2, 0] = 1
        for error, is_wrong in ((1e-5, False), (1e-3, True)):
            assert (expected.problem([[right + np.float32(error) * off]]) is not None) == is_wrong

    def test_what_an_error_may_flip_is_left_open(self) -> None:
        builder = ProgramBuilder("flip")
        x = builder.input(ArrayType((2,), "float32"))
        (y,) = builder.emit(ops.exp, [x])
        program = builder.finish(builder.emit(ops.floor, [y]))
        x = np.float32([0.0, 0.5])  # the least error of exp(0) falls over an edge
        expected = Expected(program, [[x]], 1)
        assert expected.problem([[np.float32([0, 1])]]) is None
        assert expected.problem([[np.float32([1, 2])]]) is not None

    @pytest.mark.parametrize("dtype", [np.float32, np.float64, ml_dtypes.bfloat16])
    def test_signs_of_zeros_and_what_is_no_number(self, dtype: type) -> None:
        wanted = np.array([0.0, np.nan, np.inf, 1], dtype)
        assert difference(wanted, wanted) is None
        for i, value in enumerate((-0.0, 1.0, -np.inf, 1.25)):
            wrong = wanted.copy()
            wrong[i] = value
            assert difference(wrong, wanted) is not None
        other = wanted.copy()
        other[0] = -0.0
        assert difference(other, wanted, [other]) is None


def test_inputs_that_change_are_noticed() -> None:
    case = case_of(np.arange(5, dtype="f4"))
    assert problem_of(replace(case, donated=(0,))) is None
