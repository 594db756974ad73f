# SPDX-License-Identifier: Apache-2.0
"""Collectives of compiled programs among the GPUs and virtual devices of one process, against NumPy."""

from __future__ import annotations

import json
import re

import pytest

from ..standin.environment import missing
from .jobs import PROGRAM_CHECKS, run

pytestmark = [
    pytest.mark.processes,
    pytest.mark.skipif(missing() is not None, reason=str(missing())),
]
_DEADLINE = 150.0
# GPUs, and the devices that the process makes of them.
JOBS = {"two GPUs": (2, 2), "eight devices on two GPUs": (2, 8), "four devices on one GPU": (1, 4)}
_NO_NCCL = {"OLYMPUS_NCCL_LIBRARY": "/nowhere/libnccl.so.2"}


def lines_of(gpus: int, devices: int, *checks: str, **more: str) -> list[dict[str, str]]:
    """What a process has found."""
    (end,) = run("program_job", gpus, [devices], _DEADLINE, *checks, **more)
    assert end.returncode == 0, end.stdout[-3000:] + end.stderr[-3000:]
    assert not end.stderr, end.stderr  # such as what the stand-in found when memory was given back
    return [json.loads(line) for line in end.stdout.splitlines()]


@pytest.fixture(scope="module", params=JOBS)
def job(request: pytest.FixtureRequest) -> list[dict[str, str]]:
    """What the process of a job has found."""
    return lines_of(*JOBS[request.param])


@pytest.mark.parametrize("check", PROGRAM_CHECKS)
def test_results(job: list[dict[str, str]], check: str) -> None:
    (found,) = [line for line in job if line.get("check") == check]
    assert not found["problem"], found["problem"]


def test_nobody_is_warned(job: list[dict[str, str]]) -> None:
    assert job[-1]["warnings"] == []


def test_without_nccl_copies_carry_and_one_warning_says_so() -> None:
    *lines, last = lines_of(2, 4, "scattered", "exchanged", "moved", "special_values", "layers", "in_loops", **_NO_NCCL)
    assert len(lines) == 6
    for line in lines:
        assert not line["problem"], line["problem"]
    (warning,) = last["warnings"]
    assert re.match("CarriedByCopiesWarning: .*NCCL is not installed", warning), warning


@pytest.mark.parametrize(("breaks", "rank"), [("2", "call"), ("2 late", "wait")])
def test_a_failure_of_nccl_is_an_error_at_the_call_or_at_the_wait(breaks: str, rank: str) -> None:
    (end,) = run("breaking", 2, [4], _DEADLINE, OLYMPUS_FAKE_NCCL_BREAKS=breaks)
    assert end.returncode == 0 and not end.stderr, end.stdout[-3000:] + end.stderr[-3000:]
    first, *failed, ended = end.stdout.splitlines()
    assert first == "SUM [4.0, 4.0]"
    ranks = [rank, "call", "call", "wait"]
    works = ("the same", "again", "a new program", "no communication")
    for line, what, where in zip(failed, works, ranks, strict=True):
        assert re.match(f"{what}: NcclError at the {where}: .*a link ", line), line
    assert float(ended.removeprefix("SHUT DOWN after ").removesuffix(" s")) < 20.0, ended
