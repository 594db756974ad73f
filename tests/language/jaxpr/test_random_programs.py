"""Random programs: as a jaxpr and traced again, with their regions as they were and with regions made anew."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import olympus
from olympus.extend.core import ClosedJaxpr, Jaxpr, check_jaxpr, jaxpr_as_fun
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


@pytest.mark.parametrize("start", range(0, 60, 15))
def test_there_and_back(start: int) -> None:
    tried = 0
    for seed in range(start, start + 15):
        program: Any = random_case(seed).program
        program = getattr(program, "program", program)
        if any(operation.record.category in ELSEWHERE for operation in operations_of(program)):
            continue
        random = np.random.default_rng(seed)
        values = [random.integers(0, 2, t.shape).astype(bool) if t.dtype.kind == "b" else
                  (2 * random.normal(size=t.shape)).astype(t.dtype) for t in program.input_types]
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
