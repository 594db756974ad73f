# SPDX-License-Identifier: Apache-2.0
"""`olympus doctor --cluster` with real processes, on one machine and over networks that lose what is sent."""

from __future__ import annotations

import sys

import pytest

from tests.support import networks
from tests.support.processes import Finished, Processes, free_port

pytestmark = [pytest.mark.slow, pytest.mark.processes]


def _command(index: int, count: int, address: str, *more: object) -> list[str]:
    options = ["--coordinator", address, "--num-processes", count, "--process-id", index, *more]
    return [sys.executable, "-m", "olympus", "doctor", "--cluster", *map(str, options)]


def _check(count: int, *more: object, absent: int = 0, secrets: tuple[str, ...] = ()) -> list[Finished]:
    address = f"localhost:{free_port()}"
    with Processes(40) as processes:
        for index in range(count - absent):
            env = {"OLYMPUS_SECRET": secrets[index]} if secrets else {}
            processes.start(_command(index, count, address, *more), env=env)
        return processes.wait()


def test_all_pairs_are_tried() -> None:
    ends = _check(3, "--wait", 30)
    assert [end.returncode for end in ends] == [0, 0, 0], ends
    for own in range(3):
        for other in range(3):
            row = f"  {own:>3} -> {other:<3} 127.0.0.1:"
            assert (row in ends[0].stdout) is (own != other)
            assert (row in ends[2].stdout) is (own == 2 and other != 2)
    assert "No problem is seen by process 0" in ends[0].stdout and "MB/s" in ends[0].stdout


def test_who_does_not_come_is_named() -> None:
    ends = _check(3, "--wait", 4, absent=1)
    assert [end.returncode for end in ends] == [1, 0], ends
    assert "Processes [2] did not come in 4 s: not started, or they cannot reach localhost:" in ends[0].stdout


def test_different_secrets_are_told() -> None:
    ends = _check(2, "--wait", 4, secrets=("a" * 40, "b" * 40))
    assert [end.returncode for end in ends] == [1, 1]
    for end in ends:
        assert "the secrets of both differ (OLYMPUS_SECRET_FILE" in end.stdout, end.stdout


def test_a_coordinator_that_is_not_there_is_told_with_its_port() -> None:
    port = free_port()
    with Processes(40) as processes:
        processes.start(_command(1, 2, f"localhost:{port}", "--wait", 1))
        (end,) = processes.wait()
    assert end.returncode == 1 and f"127.0.0.1:{port}: Connection refused" in end.stdout


def test_what_is_missing_is_told() -> None:
    with Processes(40) as processes:
        processes.start([sys.executable, "-m", "olympus", "doctor", "--cluster", "--process-id", "1"])
        (end,) = processes.wait()
    assert end.returncode == 1 and "coordinator_address, num_processes not known" in end.stderr


@pytest.mark.skipif(not networks.are_allowed(), reason="networks cannot be made here")
def test_filtered_ports_and_narrow_paths_are_named() -> None:
    with networks.Networks(3, 2) as hosts, Processes(60) as processes:
        hosts.drop(2, 8500, network=0)  # a firewall before one host's port, in one of two networks
        hosts.narrow(1, 1000, network=0)  # a tunnel that loses large packets
        hosts.narrow(1, 1000, network=1)
        for index in range(3):
            command = _command(index, 3, f"{hosts.address(0)}:8476", "--wait", 20)
            processes.start([*hosts.command(index), *command], env={"OLYMPUS_PORTS": "8500"})
        ends = processes.wait()
    assert [end.returncode for end in ends] == [1, 1, 1], ends
    told = ends[0].stdout
    assert "Process 0 reaches process 2 at 10.77.6.3:8500 and not at 10.77.5.3:8500 (nothing answers" in told
    assert "set OLYMPUS_NETWORK to the network of 10.77.6.3" in told
    assert "Process 2 does not reach process 1" in told
    assert "one of 64 KiB does not: packets of full size are lost" in told
    assert max(end.seconds for end in ends) < 40


@pytest.mark.skipif(not networks.are_allowed(), reason="networks cannot be made here")
def test_a_filtered_coordinator_is_named() -> None:
    with networks.Networks() as hosts, Processes(60) as processes:
        hosts.drop(0, 8476)
        for index in range(2):
            command = _command(index, 2, f"{hosts.address(0)}:8476", "--wait", 1.5)
            processes.start([*hosts.command(index), *command])
        ends = processes.wait()
    assert [end.returncode for end in ends] == [1, 1], ends
    assert "The coordinator at 10.77.5.1:8476 was not reached in 1.5 s" in ends[1].stdout
    assert "a firewall drops what is sent to port 8476" in ends[1].stdout
    assert "Processes [1] did not come" in ends[0].stdout
