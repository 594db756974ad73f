# SPDX-License-Identifier: Apache-2.0
"""Starts the jobs of the catalogue, each once for all tests, and gives what each program printed in each process."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.support.folders import once
from tests.support.processes import Processes, free_port

from .catalogue import JOBS, PROGRAMS, Job, Program

FOLDER = Path(__file__).parent / "programs"
DEADLINE = 60.0
_RECORDER = "tests.documents.recorder"
HEADING = re.compile(r"^=================== process (\d+) output ===================\n", re.M)


@dataclass(frozen=True)
class Outcome:
    """What one program did in one process.

    Attributes:
        output: What it printed; after an error, its last line as Python prints it.
        raised: The traceback, when it raised.
        refuted: The traceback of its check, when that raised.
    """

    output: str
    raised: str
    refuted: str


def file_of(program: Program, suffix: str = ".py") -> Path:
    """A program's text, or what stands beside it."""
    return FOLDER / program.document / (program.name + suffix)


def expected(program: Program, job: Job) -> list[str]:
    """What a program prints in each process of a job, as the documents print it.

    `<name>.<processes>x<devices>.out` stands before `<name>.out`; without either a program prints nothing. A file
    without headings is what each process prints.
    """
    path = file_of(program, f".{job.shape}.out")
    path = path if path.exists() else file_of(program, ".out")
    text = path.read_text() if path.exists() else ""
    parts = HEADING.split(text)
    if len(parts) == 1:
        return [text] * job.processes
    by_process = dict(zip(map(int, parts[1::2]), parts[2::2], strict=True))
    return [by_process.get(index, "") for index in range(job.processes)]


def folder_of(job: Job) -> Path:
    """Where a job has left what its programs printed, and the device programs that they had compiled."""
    return once(f"documents-{JOBS.index(job)}", lambda folder: _run(job, folder))


@cache
def outcomes(job: Job) -> dict[str, list[Outcome]]:
    """For each program of a job what it did in each process."""
    folder = folder_of(job)
    said = (folder / "said").read_text()
    files = [folder / f"{index}.jsonl" for index in range(job.processes)]
    lines = [[json.loads(line) for line in f.read_text().splitlines()] if f.exists() else [] for f in files]
    results: dict[str, list[Outcome]] = {}
    for position, program in enumerate(job.programs):
        missing = Outcome("(it did not come so far)\n", said, "")
        keys = ("output", "raised", "refuted")
        results[program] = [
            Outcome(*(ran[position][key] for key in keys)) if position < len(ran) else missing for ran in lines
        ]
    return results


def _step(program: Program) -> dict[str, object]:
    check = file_of(program, ".check.py")
    return {
        "name": program.name, "path": str(file_of(program)), "check": str(check) if check.exists() else "",
        "arguments": program.arguments, "notebook": program.notebook,
    }


def _run(job: Job, folder: Path) -> None:
    """Starts the processes and waits; ``said`` is what they wrote besides the programs' output."""
    (folder / "job.json").write_text(json.dumps({
        "address": f"localhost:{free_port()}", "processes": job.processes,
        "steps": [_step(PROGRAMS[job.document, program]) for program in job.programs],
    }))
    env = dict(job.environment)
    if job.devices:
        env["OLYMPUS_NUM_CPU_DEVICES"] = str(job.devices)
    command = [sys.executable, "-m", _RECORDER, str(folder)]
    with Processes(DEADLINE) as processes:
        if job.start == "plain":
            for index in range(job.processes):
                processes.start([*command, str(index)], env=env)
        elif job.start == "mpiexec":
            mpiexec = str(Path(sys.executable).parent / "mpiexec")
            processes.start([mpiexec, "-n", str(job.processes), *command], env=env)
        else:
            launch = [sys.executable, "-m", "olympus", "launch", "-n", str(job.processes), "-d", str(job.devices)]
            processes.start([*launch, "-m", _RECORDER, str(folder), "{i}"], env=env)
        said = "\n".join(f"{end.stdout}{end.stderr}(ended with {end.returncode})" for end in processes.wait())
    (folder / "said").write_text(said)
