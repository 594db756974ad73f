# SPDX-License-Identifier: Apache-2.0
"""All collectives between GPUs and virtual devices, of one process and of several, against NumPy."""

from __future__ import annotations

import json

import pytest

from ..standin.environment import missing
from .job import CHECKS
from .jobs import run

pytestmark = [
    pytest.mark.processes,
    pytest.mark.skipif(missing() is not None, reason=str(missing())),
]
_DEADLINE = 100.0
# GPUs that each process sees, and the devices that each makes of them.
JOBS = {
    "one process, two GPUs": (2, [2]),
    "one process, four devices on one GPU": (1, [4]),
    "two processes": (1, [1, 1]),
    "four processes": (1, [1, 1, 1, 1]),
    "two processes, two devices on one GPU each": (1, [2, 2]),
    "two processes, uneven": (2, [3, 1]),
}


@pytest.fixture(scope="module", params=JOBS)
def job(request: pytest.FixtureRequest) -> list[list[dict[str, str]]]:
    """What each process of a job has found."""
    gpus, devices = JOBS[request.param]
    ends = run("job", gpus, list(devices), _DEADLINE)
    for end in ends:
        assert end.returncode == 0, end.stdout[-3000:] + end.stderr[-3000:]
        assert not end.stderr, end.stderr  # such as what the stand-in found when memory was given back
    return [[json.loads(line) for line in end.stdout.splitlines()] for end in ends]


@pytest.mark.parametrize("check", CHECKS)
def test_results(job: list[list[dict[str, str]]], check: str) -> None:
    found = [line for lines in job for line in lines if line.get("check") == check]
    assert found
    for line in found:
        assert not line["problem"], f"group {line['group']}: {line['problem']}"


def test_nothing_goes_through_the_host(job: list[list[dict[str, str]]]) -> None:
    for lines in job:
        assert lines[-1]["warnings"] == []
        assert {line["kind"] for line in lines[:-1]} == {"CudaCommunicator"}
