# SPDX-License-Identifier: Apache-2.0
"""The programs of the documents print what the documents print."""

from __future__ import annotations

import math
import re

import pytest

from .catalogue import JOBS, PROGRAMS, Job, Program
from .jobs import FOLDER, expected, file_of, outcomes

_FLOAT = re.compile(r"-?\d+\.\d*")

RUNS = [(PROGRAMS[job.document, name], job) for job in JOBS for name in job.programs]

pytestmark = [pytest.mark.slow, pytest.mark.processes]


@pytest.mark.parametrize(
    ("program", "job"),
    [
        pytest.param(program, job, id=f"{program.document}-{program.name}-{job.shape}",
                     marks=[pytest.mark.xfail(reason=program.pending)] if program.pending else [])
        for program, job in RUNS
    ],
)
def test_program(program: Program, job: Job) -> None:
    wanted = expected(program, job)
    for index, outcome in enumerate(outcomes(job)[program.name]):
        if not (program.rounded and rounded_alike(outcome.output, wanted[index], program.error)):
            assert outcome.output == wanted[index], f"process {index}\n{outcome.raised}"
        assert not outcome.refuted, f"process {index}\n{outcome.refuted}"


def rounded_alike(output: str, wanted: str, error: float) -> bool:
    """Whether two texts differ only in the last of a float32's digits, and in where lines are broken for them."""
    words, wanted_words = ("".join(_FLOAT.sub("#", text).split()) for text in (output, wanted))
    numbers, wanted_numbers = _FLOAT.findall(output), _FLOAT.findall(wanted)
    return words == wanted_words and all(
        math.isclose(float(a), float(b), rel_tol=5e-7, abs_tol=error)
        for a, b in zip(numbers, wanted_numbers, strict=True)
    )


def test_rounding_compares_digits() -> None:
    assert rounded_alike("[0.1234567 , 2.]", "[0.12345675, 2.]\n", 2e-7)
    assert not rounded_alike("x 0.123456", "x 0.123466", 2e-7)
    assert not rounded_alike("0.5 x", "0.5 y", 2e-7)


def test_every_program_runs() -> None:
    ran = {(program.document, program.name) for program, _ in RUNS}
    assert ran == set(PROGRAMS)


def test_every_file_belongs_to_a_program() -> None:
    shapes = {(program.document, program.name, job.shape) for program, job in RUNS}
    paths = [path for path in FOLDER.rglob("*.*") if path.is_file()]
    assert len(paths) > len(PROGRAMS)
    for path in paths:
        name, _, kind = path.name.partition(".")
        program = PROGRAMS[path.parent.name, name]
        assert kind in ("py", "out", "check.py") or (program.document, name, kind.removesuffix(".out")) in shapes, path
    for program in PROGRAMS.values():
        assert file_of(program).exists()
