# SPDX-License-Identifier: Apache-2.0
"""Calls into the host's Python."""

from __future__ import annotations

import numpy as np
import pytest

from olympus_core import ops
from olympus_core.errors import OperandError
from olympus_core.program import ArrayType, ProgramBuilder, run

F = ArrayType((2,), "float32")


def program_of(function, result_types, ordered=True):
    builder = ProgramBuilder()
    x = builder.input(F)
    attributes = {"callback": ops.HostFunction("f", function), "result_types": result_types, "ordered": ordered}
    return builder.finish(builder.emit(ops.host_callback, [x], attributes) or [x])


def test_results_come_back():
    program = program_of(lambda x: [x * 2, np.int32(len(x))], (F, ArrayType((), "int32")))
    doubled, length = run(program, [np.float32([1, 2])])
    np.testing.assert_array_equal(doubled, [2, 4])
    assert length == 2


def test_a_call_without_results_still_happens_when_ordered():
    seen = []
    run(program_of(seen.append, ()), [np.float32([1, 2])])
    np.testing.assert_array_equal(seen, [[1, 2]])
    run(program_of(seen.append, (), ordered=False), [np.float32([3, 4])])
    assert len(seen) == 1


@pytest.mark.parametrize(
    "function", [lambda x: None, lambda x: [x, x], lambda x: [x.astype(np.float64)], lambda x: [x[0]]])
def test_other_results_than_declared_are_refused(function):
    with pytest.raises(OperandError, match="f gave other results"):
        run(program_of(function, (F,)), [np.float32([1, 2])])


def test_what_does_not_fit_is_refused():
    good = {"callback": ops.HostFunction("f", print), "result_types": (F,), "ordered": False}
    assert tuple(ops.host_callback.type_rule([F], good, ())) == (F,)
    for changes, match in [({"callback": print}, "HostFunction"), ({"result_types": ("float32",)}, "types only")]:
        with pytest.raises(OperandError, match=match):
            ops.host_callback.type_rule([F], {**good, **changes}, ())
    with pytest.raises(OperandError, match="missing"):
        ops.host_callback.type_rule([F], {}, ())


def test_it_sees_all_of_everything():
    rule = ops.host_callback.factor_rule([F, F], [F], {})
    assert [f.kind for f in rule.factors] == ["whole"] * 3


def test_names_stand_for_functions():
    assert repr(ops.HostFunction("log_loss", print)) == "log_loss()"
    assert ops.HostFunction("f", print) == ops.HostFunction("f", print) != ops.HostFunction("f", len)
