# SPDX-License-Identifier: Apache-2.0
"""Random programs: as a jaxpr and traced again, with their regions as they were and with regions made anew."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import olympus
from olympus.extend.core import ClosedJaxpr, Jaxpr, Primitive, check_jaxpr, jaxpr_as_fun
from olympus.interpreters import mlir
from olympus.tracing import Aval, stage
from olympus.transforms.jaxpr import closed_jaxpr
from olympus_conformance.random_programs.generate import random_case
from olympus_core.program import Program, operations_of, run, verify

ELSEWHERE = {"collective"}  # what needs several devices; `test_jaxpr.py` has these


def made_anew(value: Any) -> Any:
    """A jaxpr of new parts, about which no program is known; in tuples, too."""
    if isinstance(value, Jaxpr):
        return value.replace(eqns=[eqn.replace(params={k: made_anew(v) for k, v in eqn.params.items()})
                                   for eqn in value.eqns])
    if isinstance(value, ClosedJaxpr):
        return value.map_jaxpr(made_anew)
    return tuple(map(made_anew, value)) if type(value) is tuple else value


def traced(closed: ClosedJaxpr) -> Program:
    avals = [Aval(aval.type) for aval in closed.in_avals]
    return stage(jaxpr_as_fun(closed) if avals else lambda: jaxpr_as_fun(closed), avals, "f")[0]


def program_and_values(seed: int) -> tuple[Any, list[Any]]:
    program: Any = random_case(seed).program
    program = getattr(program, "program", program)
    random = np.random.default_rng(seed)
    return program, [random.integers(0, 2, t.shape).astype(bool) if t.dtype.kind == "b" else
                     (2 * random.normal(size=t.shape)).astype(t.dtype) for t in program.input_types]


def is_elsewhere(program: Any) -> bool:
    return any(operation.record.category in ELSEWHERE for operation in operations_of(program))


@pytest.mark.parametrize("start", range(0, 60, 15))
def test_there_and_back(start: int) -> None:
    tried = 0
    for seed in range(start, start + 15):
        program, values = program_and_values(seed)
        if is_elsewhere(program):
            continue
        with olympus.enable_x64(True):
            closed = closed_jaxpr(program)
            check_jaxpr(closed)
            assert len(str(closed)) > len(closed.eqns)
            found = [traced(closed), traced(made_anew(closed))]
        expected = [x.tobytes() for x in run(program, values)]
        for again in found:
            verify(again)
            assert again.output_types == program.output_types, seed
            assert [x.tobytes() for x in run(again, values)] == expected, seed
        tried += 1
    assert tried > 5


@pytest.mark.parametrize("start", range(100, 124, 8))
def test_as_operations_from_outside(start: int) -> None:
    """A random program as what a primitive is made of: compiled with others around it, it is the same."""
    tried = 0
    for seed in range(start, start + 8):
        program, values = program_and_values(seed)
        if is_elsewhere(program) or not values or not program.outputs:
            continue
        with olympus.enable_x64(True):
            closed = closed_jaxpr(program)
            function = jaxpr_as_fun(closed)
            prim = Primitive(f"random {seed}")
            prim.multiple_results = True
            prim.def_abstract_eval(lambda *avals, closed=closed: [Aval(a.type) for a in closed.out_avals])
            mlir.register_lowering(prim, mlir.lower_fun(function, multiple_results=True))

            def around(do: Any, *args: Any) -> Any:
                results = do(*[x | False if x.dtype == bool else x * 1 for x in args])
                return [y[None] for y in results], results

            outside, plain = olympus.jit(lambda *a: around(prim.bind, *a)), olympus.jit(lambda *a: around(function, *a))
            assert prim.name in str(olympus.make_jaxpr(outside)(*values))
            for one, other in zip(olympus.tree.leaves(outside(*values)), olympus.tree.leaves(plain(*values)),
                                  strict=True):
                assert np.asarray(one).tobytes() == np.asarray(other).tobytes(), seed
        tried += 1
    assert tried > 2
