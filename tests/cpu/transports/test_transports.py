# SPDX-License-Identifier: Apache-2.0
"""Both transports between real processes."""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path

import pytest

from tests.support import networks
from tests.support.processes import Finished, Processes, free_port, run_processes
from tests.support.shared_memory import nothing_abandoned

PROGRAMS = Path(__file__).parent / "programs"
TRANSPORTS = ("mpi", "tcp")
OWNERS = [0, 1, 1, 2]

pytestmark = [pytest.mark.slow, pytest.mark.processes]


def run(name: str, transport: str, owners: list[int], *arguments: object, deadline: float = 60.0) -> list[Finished]:
    """Runs one of the programs as a job."""
    address = f"127.0.0.1:{free_port()}"
    return run_processes(PROGRAMS / name, max(owners) + 1, lambda index: index, address, transport,
                         json.dumps(owners), *arguments, deadline=deadline)


@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.parametrize("owners", [[0, 0, 1, 1], [0, 1, 1, 2, 2, 2]], ids=["2x2", "uneven"])
def test_collectives_give_the_same_bits_as_in_memory(transport: str, owners: list[int]) -> None:
    for finished in run("collectives.py", transport, owners):
        assert finished.returncode == 0, finished.stderr
        assert "all well" in finished.stdout


@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.parametrize("how", ["killed", "raised"])
def test_the_others_hear_of_a_lost_process_and_end_by_themselves(transport: str, how: str) -> None:
    *survivors, lost = run("failure.py", transport, OWNERS, how, deadline=30)
    assert lost.returncode == (-9 if how == "killed" else 1)
    for finished in survivors:
        assert finished.returncode == 0, finished.stderr
        found = re.search(r"raised ProcessLostError 2 ([\d.]+)", finished.stdout)
        assert found, finished.stdout + finished.stderr
        assert float(found[1]) < 5
        assert finished.seconds < lost.seconds + 8


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_wait_that_times_out_may_be_taken_up_again(transport: str) -> None:
    *patient, late = run("failure.py", transport, OWNERS, "late", deadline=30)
    assert (late.returncode, late.stdout.strip()) == (0, "came late"), late.stderr
    for finished in patient:
        assert finished.returncode == 0, finished.stderr
        waits = re.fullmatch(r"waited (\d+)", finished.stdout.strip())
        assert waits, finished.stdout
        assert int(waits[1]) > 5


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_process_that_dies_while_the_transport_starts_is_named(transport: str) -> None:
    *survivors, lost = run("starting.py", transport, OWNERS, "absent", deadline=30)
    assert lost.returncode == 9
    for finished in survivors:
        assert finished.returncode == 0, finished.stderr
        assert "raised ProcessLostError 2" in finished.stdout


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_program_may_end_without_closing_anything(transport: str) -> None:
    for finished in run("starting.py", transport, OWNERS, "unclosed", deadline=30):
        assert finished.returncode == 0, finished.stderr
        assert finished.stdout.startswith("result [6.0")


def test_mpi_serves_one_job_of_a_process_and_sockets_the_next() -> None:
    ports = [f"127.0.0.1:{free_port()}" for _ in range(2)]
    for finished in run("starting.py", "mpi", OWNERS, "again", *ports, deadline=30):
        assert finished.returncode == 0, finished.stderr
        assert finished.stdout.split("\n")[1:4] == ["closed", "again", "refused TransportUnavailableError"]


def test_under_mpis_own_launcher_its_world_is_used() -> None:
    launcher = Path(sys.executable).with_name("mpiexec")
    if not launcher.exists():
        pytest.skip("there is no mpiexec beside this Python")
    with Processes(40) as processes:
        processes.start([str(launcher), "-n", "3", sys.executable, str(PROGRAMS / "launched.py")])
        (finished,) = processes.wait()
    assert finished.returncode == 0, finished.stderr
    assert finished.stdout.count("mpi [6, 6, 6]") == 3, finished.stdout


_SOCKETS_ONLY = {"UCX_TLS": "tcp,self"}  # as between machines; within one, UCX takes shared memory


def test_a_send_to_a_process_that_has_gone_is_an_error() -> None:
    first, lost = run_processes(PROGRAMS / "broken.py", 2, lambda index: index, f"127.0.0.1:{free_port()}", "told",
                                deadline=40, env=_SOCKETS_ONLY)
    assert lost.returncode == -9
    assert first.returncode == 0, first.stdout + first.stderr
    assert re.fullmatch(r"(refused .* over mpi failed: another process, or the network to it, has gone.\n){2}",
                        first.stdout), first.stdout


def test_a_send_that_meets_a_reset_ends_the_process_with_an_error_and_no_crash() -> None:
    first, _ = run_processes(PROGRAMS / "broken.py", 2, lambda index: index, f"127.0.0.1:{free_port()}", "inside",
                             deadline=40, env=_SOCKETS_ONLY)
    assert (first.returncode, first.stdout) == (1, ""), first.stdout + first.stderr
    assert "ProcessLostError: Process 1 was killed or crashed" in first.stderr


@pytest.mark.skipif(not networks.are_allowed(), reason="networks cannot be made here")
@pytest.mark.parametrize(("transport", "seconds", "timeout"), [("tcp", 4.0, 60), ("mpi", 4.0, 60), ("mpi", 1.7, 2)])
def test_a_cut_that_heals_ends_in_right_numbers_or_an_error(transport: str, seconds: float, timeout: int) -> None:
    """Under MPI, too, no process crashes; with the shorter timeout the job has given up when the network heals."""
    env = {**_SOCKETS_ONLY, "OLYMPUS_HEARTBEAT_TIMEOUT": str(timeout)}
    address = f"{networks.ADDRESSES[0]}:{free_port()}"
    with networks.Networks() as two, Processes(60) as processes:
        for index in range(2):
            program = [*two.command(index), sys.executable, str(PROGRAMS / "cut.py")]
            processes.start(program, index, address, transport, seconds, env=env)
        for index in range(2):
            processes.wait_for_output(index, "begun")
        two.cut()
        for index in range(2):
            processes.wait_for_output(index, "quiet")
        two.heal()
        ends = processes.wait()
    for end in ends:
        assert end.returncode in (0, 1), (end.returncode, end.stderr)
        is_right = end.stdout.endswith("right\n")
        is_told = transport == "mpi" and re.search(r"(ProcessLost|Transport)Error: ", end.stderr)
        assert is_right or is_told, (end.stdout, end.stderr)


@pytest.mark.skipif(not networks.are_allowed() or shutil.which("tc") is None, reason="networks cannot be made here")
@pytest.mark.parametrize("transport", TRANSPORTS)
def test_data_that_move_slowly_are_no_failure(transport: str) -> None:
    """4 MiB in each direction at 4 Mbit/s, while nothing may stand still for longer than a part of that time."""
    env = {**_SOCKETS_ONLY, "OLYMPUS_CPU_TRANSPORT": transport, "OLYMPUS_LATE_TIMEOUT": "7",
           "OLYMPUS_DEADLOCK_TIMEOUT": "3.5"}
    address = f"{networks.ADDRESSES[0]}:{free_port()}"
    with networks.Networks() as two, Processes(60) as processes:
        two.limit("4mbit")
        for index in range(2):
            program = [*two.command(index), sys.executable, str(PROGRAMS / "slow_link.py")]
            processes.start(program, index, address, env=env)
        for end in processes.wait():
            assert end.returncode == 0, end.stderr
            assert end.stdout.endswith("right\n") and float(end.stdout.split()[1]) > 7


@pytest.fixture(autouse=True)
def nothing_is_left_in_shared_memory():
    with nothing_abandoned("mpich_shm"):
        yield
