"""The programs of the documents print what the documents print."""

from __future__ import annotations

import pytest

from .catalogue import JOBS, PROGRAMS, Job, Program
from .jobs import FOLDER, expected, file_of, outcomes

RUNS = [(PROGRAMS[job.document, name], job) for job in JOBS for name in job.programs]

pytestmark = pytest.mark.processes


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
        assert outcome.output == wanted[index], f"process {index}\n{outcome.raised}"
        assert not outcome.refuted, f"process {index}\n{outcome.refuted}"


def test_every_program_runs() -> None:
    ran = {(program.document, program.name) for program, _ in RUNS}
    assert ran == set(PROGRAMS)


def test_every_file_belongs_to_a_program() -> None:
    shapes = {(program.document, program.name, job.shape) for program, job in RUNS}
    for path in FOLDER.rglob("*.*"):
        name, _, kind = path.name.partition(".")
        program = PROGRAMS[path.parent.name, name]
        assert kind in ("py", "out", "check.py") or (program.document, name, kind.removesuffix(".out")) in shapes, path
    for program in PROGRAMS.values():
        assert file_of(program).exists()
