# SPDX-License-Identifier: Apache-2.0
"""Peers that are killed or never come, and NCCL that is missing: errors and other ways, no hangs."""

from __future__ import annotations

import re

import pytest

from ..standin.environment import missing
from .jobs import run

pytestmark = [
    pytest.mark.processes,
    pytest.mark.skipif(missing() is not None, reason=str(missing())),
]
_LIMIT = 10.0  # seconds that a survivor may take, from the fault to its error
_DEADLINE = 60.0


@pytest.mark.parametrize(("count", "culprit"), [(2, 0), (2, 1), (4, 2)])
def test_survivors_name_a_killed_process(count: int, culprit: int) -> None:
    ends = run("lossy", 1, [1] * count, _DEADLINE, culprit)
    for index, end in enumerate(ends):
        assert not end.timed_out, end.stdout + end.stderr
        if index == culprit:
            assert end.stdout == "killed\n", end.stderr
            continue
        found = re.search(r"RAISED (\w+) after ([\d.]+) s: (.*)", end.stdout)
        assert found, end.stdout + end.stderr
        assert found[1] == "ProcessLostError", end.stdout
        assert float(found[2]) < _LIMIT
        assert f"rocess {culprit} " in found[3], end.stdout
        assert "ABORTED TransportError" in end.stdout
        closed = re.search(r"CLOSED after ([\d.]+) s", end.stdout)
        assert closed and float(closed[1]) < _LIMIT, end.stdout


def test_abort_ends_what_is_under_way_and_what_waits_for_its_turn() -> None:
    first, second = run("aborting", 1, [1, 1], _DEADLINE)
    assert first.returncode == second.returncode == 0, first.stderr + second.stderr
    assert first.stdout == "SHUT DOWN\n"
    lines = second.stdout.splitlines()
    assert lines[0] == "TIMED OUT" and lines[3:] == ["REFUSED TransportError", "SHUT DOWN"], second.stdout
    for line in lines[1:3]:
        found = re.fullmatch(r"ENDED after ([\d.]+) s", line)
        assert found and float(found[1]) < 2.0, line


def test_processes_that_launch_different_programs_are_told() -> None:
    for end in run("diverging", 1, [1, 1], _DEADLINE):
        assert end.stdout.startswith("SUM [4.0, 4.0]\nRAISED DivergenceError"), end.stdout + end.stderr


@pytest.mark.parametrize(
    ("devices", "variables", "reason"),
    [
        ([1, 1], {"OLYMPUS_NCCL_LIBRARY": "/nowhere/libnccl.so.2"}, "NCCL is not installed in every process"),
        ([2], {"OLYMPUS_NCCL_LIBRARY": "/nowhere/libnccl.so.2"}, "NCCL is not installed in every process"),
        ([1, 1], {"OLYMPUS_STANDIN_BUS": "one"}, r"processes \[0, 1\] share a GPU"),
    ],
)
def test_without_nccl_the_host_carries_and_one_warning_says_so(
    devices: list[int | None], variables: dict[str, str], reason: str
) -> None:
    gpus = 2 if len(devices) == 1 else 1
    for end in run("carried", gpus, devices, _DEADLINE, **variables):
        assert end.returncode == 0, end.stderr
        *sums, warning = end.stdout.splitlines()
        assert sums == ["SUM [1, 1, 1]"] * 2
        assert re.match(rf"WARNED CarriedByHostWarning .*{reason}", warning), warning
