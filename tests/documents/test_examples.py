# SPDX-License-Identifier: Apache-2.0
"""The examples are the programs of the documents, and run as their first lines say."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.support.processes import Processes

from .catalogue import PROGRAMS
from .jobs import file_of

FOLDER = Path(__file__).resolve().parents[2] / "examples"


@pytest.mark.parametrize("name", ["toy", "gpu_example"])
def test_examples_are_the_document_s_programs(name: str) -> None:
    assert (FOLDER / f"{name}.py").read_text() == file_of(PROGRAMS["000", name]).read_text()


@pytest.mark.processes
def test_data_parallel() -> None:
    program = FOLDER / "data_parallel.py"
    assert program.read_text().endswith(file_of(PROGRAMS["000", "sgd"]).read_text())
    with Processes(60.0) as processes:
        processes.start([sys.executable, "-m", "olympus", "launch", "-n", "4", "-d", "2", str(program)])
        (end,) = processes.wait()
    assert end.returncode == 0, end.stderr
    printed = file_of(PROGRAMS["000", "sgd"], ".out").read_text().splitlines()
    assert sorted(end.stdout.splitlines()) == sorted(f"[{i}] {line}" for i in range(4) for line in printed)
