# SPDX-License-Identifier: Apache-2.0
"""Shared memory between real processes: the programs that the other transports pass, too."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cpu.transports.test_transports import OWNERS, run
from tests.support.processes import Finished, free_port, run_processes
from tests.support.shared_memory import nothing_abandoned

pytestmark = pytest.mark.processes


@pytest.fixture(autouse=True)
def nothing_is_left_in_shared_memory():
    with nothing_abandoned("olympus"):
        yield


@pytest.mark.parametrize("owners", [[0, 0, 1, 1], [0, 1, 1, 2, 2, 2]], ids=["2x2", "uneven"])
def test_collectives_give_the_same_bits_as_in_memory(owners: list[int]) -> None:
    for finished in run("collectives.py", "shared", owners):
        assert finished.returncode == 0, finished.stderr
        assert "all well" in finished.stdout


@pytest.mark.parametrize("how", ["killed", "raised"])
def test_the_others_hear_of_a_lost_process_and_end_by_themselves(how: str) -> None:
    *survivors, lost = run("failure.py", "shared", OWNERS, how, deadline=30)
    assert lost.returncode == (-9 if how == "killed" else 1)
    for finished in survivors:
        assert finished.returncode == 0, finished.stderr
        found = re.search(r"raised ProcessLostError 2 ([\d.]+)", finished.stdout)
        assert found, finished.stdout + finished.stderr
        assert float(found[1]) < 5
        assert finished.seconds < lost.seconds + 8


def test_a_wait_that_times_out_may_be_taken_up_again() -> None:
    *patient, late = run("failure.py", "shared", OWNERS, "late", deadline=30)
    assert (late.returncode, late.stdout.strip()) == (0, "came late"), late.stderr
    for finished in patient:
        assert finished.returncode == 0, finished.stderr
        waits = re.fullmatch(r"waited (\d+)", finished.stdout.strip())
        assert waits, finished.stdout
        assert int(waits[1]) > 5


def test_a_process_that_dies_before_the_memory_is_shared_is_named() -> None:
    *survivors, lost = run("starting.py", "shared", OWNERS, "absent", deadline=30)
    assert lost.returncode == 9
    for finished in survivors:
        assert finished.returncode == 0, finished.stderr
        assert "raised ProcessLostError 2" in finished.stdout


def test_a_program_may_end_without_closing_anything() -> None:
    for finished in run("starting.py", "shared", OWNERS, "unclosed", deadline=30):
        assert finished.returncode == 0, finished.stderr
        assert finished.stdout.startswith("result [6.0")
        assert finished.stderr == ""


def test_processes_of_one_machine_share_memory_and_need_no_mpi() -> None:
    for finished in _choosing(["a", "a", "a"]):
        assert finished.returncode == 0, finished.stderr
        lines = finished.stdout.splitlines()
        assert set(lines[:-1]) == {"shared SharedCommunicator"}, lines
        assert lines[-1] == "began MPI False"


def test_only_groups_of_one_machine_share_memory() -> None:
    ends = _choosing(["a", "a", "b"])
    assert [end.returncode for end in ends] == [0, 0, 0], ends
    lines = [[line.split() for line in end.stdout.splitlines()] for end in ends]
    assert all(process[0][1] == "MoverCommunicator" for process in lines), lines
    assert all(process[1][1] == "SharedCommunicator" for process in lines[:2]), lines
    assert lines[0][0][0] in ("mpi", "tcp")


def test_shared_memory_is_refused_between_machines() -> None:
    for finished in _choosing(["a", "b"], "shared"):
        assert "TransportUnavailableError: The transport 'shared' cannot be used" in finished.stderr


def _choosing(machines: list[str], *transport: str) -> list[Finished]:
    address = f"127.0.0.1:{free_port()}"
    return run_processes(Path(__file__).with_name("choosing.py"), len(machines), lambda index: index, address,
                         json.dumps(machines), *transport, deadline=40)
