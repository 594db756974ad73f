# SPDX-License-Identifier: Apache-2.0
"""Connections that break, in real processes: taken up again, or the error of a process that is gone."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.cluster.programs import PRELUDE, assert_within
from tests.cluster.test_tls import tls_env
from tests.support import networks
from tests.support.processes import Finished, Processes, free_port
from tests.support.proxy import Proxy

pytestmark = [pytest.mark.slow, pytest.mark.processes]
_SECRET = {"OLYMPUS_SECRET": "s" * 40}

# The settings of these tests; a process of index 1 and more says that it is on another machine where `apart` is set.
_START = PRELUDE + """
import dataclasses, logging
logging.basicConfig(level=logging.INFO)
settings = dataclasses.replace(settings, heartbeat_timeout=20.0, redial_timeout=0.3, deadlock_timeout=20.0)
readlink = os.readlink

def apart(machines):
    text = f"machine {machines[index]}"
    os.readlink = lambda path, **more: text if path == "/proc/self/ns/pid" else readlink(path, **more)

def talk(connection, rounds, size=2000):
    import random
    choice = random.Random(index)
    for number in range(rounds):
        value = b"%d %d " % (index, number) + choice.randbytes(choice.randrange(size))
        got = connection.exchange(f"round {number}", value)
        assert got[index] == value and all(v.startswith(b"%d %d " % (i, number)) for i, v in enumerate(got))
"""


def _fine(finished: list[Finished]) -> None:
    assert [end.returncode for end in finished] == [0] * len(finished), [end.stdout + end.stderr for end in finished]
    assert all("fine" in end.stdout for end in finished)


def _run(program: str, count: int = 3, deadline: float = 60.0) -> list[Finished]:
    port = free_port()
    with Processes(deadline) as processes:
        for index in range(count):
            processes.start(_START + program, index, count, port)
        return processes.wait()


@pytest.mark.parametrize("tls", [False, True], ids=["plain", "tls"])
def test_a_job_over_connections_that_are_reset_all_the_time(tls: bool) -> None:
    """Everything arrives once and in order, the end of the job, too; each process reports nothing of it."""
    program = _START + """
connection = join()
talk(connection, 60)
connection.shutdown()
print("fine")
"""
    port = free_port()
    with Proxy(port, 7, 60_000) as proxy, Processes(60.0) as processes:
        for index in range(3):
            processes.start(program, index, 3, proxy.port if index else port, env=tls_env() if tls else None)
        finished = processes.wait()
        _fine(finished)
        assert proxy.resets > 5


def test_process_0_serves_those_that_reconnect_after_its_program_has_ended() -> None:
    program = _START + """
connection = join()
talk(connection, 3)
for number in range(150 if index else 0):
    with connection.slow("talking"):  # each is two reports
        connection.check()
    time.sleep(0.005)
print("fine")
"""
    port = free_port()
    with Proxy(port, 3, 20_000) as proxy, Processes(60.0) as processes:
        for index in range(2):
            processes.start(program, index, 2, proxy.port if index else port)
        finished = processes.wait()
        _fine(finished)
        assert proxy.resets > 3


def test_a_descriptor_that_is_closed_under_the_process() -> None:
    program = """
connection = join()
talk(connection, 3)
if index:
    os.close(connection._link._channel.fileno())
talk(connection, 20)
connection.shutdown()
print("fine")
"""
    finished = _run(program)
    _fine(finished)
    assert all("made anew after 0." in end.stderr for end in finished[1:])


def test_what_a_process_says_last_arrives_over_a_connection_that_breaks() -> None:
    program = """
connection = join()
talk(connection, 3)
if index == 1:
    os.close(connection._link._channel.fileno())
    raise ValueError("loss is NaN")
expect(errors.ProcessLostError, connection.exchange, "next", b"")
"""
    finished = _run(program)
    for index in (0, 2):
        assert "Process 1 raised ValueError: loss is NaN" in finished[index].stdout


@pytest.mark.parametrize(("machines", "who", "words"), [
    ("011", 2, "a process of its machine does not find it"),
    ("012", 2, "crashed"),
    ("012", 0, "nothing listens at"),
    ("111", 0, "so has its process"),
], ids=["its neighbour is asked", "nobody can be asked", "process 0, on another machine", "process 0, on this one"])
def test_a_process_that_dies_is_lost_soon_wherever_it_is(machines: str, who: int, words: str) -> None:
    program = f"""
apart("{machines}")
connection = join()

def work():
    talk(connection, 3)
    if index == {who}:
        os.kill(os.getpid(), signal.SIGKILL)
    connection.exchange("next", b"")

expect(errors.ProcessLostError, work)
"""
    finished = _run(program)
    assert_within(finished, 40.0)
    for index in {0, 1, 2} - {who}:
        assert f"Process {who} " in finished[index].stdout and words in finished[index].stdout


def test_a_process_that_is_there_and_does_not_come_back_is_lost_after_the_limit() -> None:
    """Its thread that would make the connection anew is ended: its process lives."""
    program = """
settings = dataclasses.replace(settings, reconnect_timeout=0.7)
connection = join()
talk(connection, 3)
if index == 1:
    connection._is_closed = True
    connection._link.wake()
    connection._thread.join()
    connection._link._channel.abort()
    time.sleep(20)
error = expect(errors.ProcessLostError, connection.exchange, "next", b"")
"""
    port = free_port()
    with Processes(60.0) as processes:
        for index in range(3):
            processes.start(_START + program, index, 3, port)
        for index in (0, 2):
            processes.wait_for_output(index, "ProcessLostError after")
            output = processes.output(index)
            assert "its process is still there, and was not made anew" in output
            assert "OLYMPUS_RECONNECT_TIMEOUT=0.7" in output


_TWO_NETWORKS = pytest.mark.skipif(not networks.are_allowed(), reason="networks cannot be made here")


class _Cut:
    """A job of three processes, of which the last two are in another network."""

    def __init__(self, two: networks.Networks, processes: Processes, program: str) -> None:
        self.two, self.processes = two, processes
        start = _START.replace('f"localhost:{port}"', f'"{networks.ADDRESSES[0]}:9000"')
        for index in range(3):
            command = [*two.command(min(index, 1)), sys.executable, "-c", start + program]
            processes.start([*command, str(index), "3", "9000"], env=_SECRET)

    def wait_for(self, text: str, *indices: int) -> None:
        for index in indices:
            self.processes.wait_for_output(index, text)


_UNTIL_MADE_ANEW = """
apart("011")
connection = join()
talk(connection, 3)
print("begun", flush=True)
is_anew = index == 0
while connection.exchange("again", b"%d" % is_anew) != [b"1"] * 3:
    is_anew = index == 0 or connection._link._session.attempt > 0
talk(connection, 20)
connection.shutdown()
print("fine")
"""


@_TWO_NETWORKS
def test_a_cut_that_heals_is_not_noticed() -> None:
    with networks.Networks() as two, Processes(60.0) as processes:
        job = _Cut(two, processes, _UNTIL_MADE_ANEW)
        job.wait_for("begun", 0, 1, 2)
        two.cut()
        job.wait_for("is given up", 1, 2)
        two.heal()
        finished = processes.wait()
    _fine(finished)
    assert all("made anew after" in end.stderr and "nothing was heard" in end.stderr for end in finished[1:])


@_TWO_NETWORKS
def test_a_process_that_leaves_during_a_cut_has_left() -> None:
    program = """
apart("011")
connection = join()
talk(connection, 3)
print("begun", flush=True)
if index == 1:
    while connection._link.is_reachable:
        time.sleep(0.05)
    print("leaving", flush=True)
    sys.exit(0)
while 1 not in connection.departed:
    connection.check()
    time.sleep(0.01)
print(connection.exchange("the others", b"", (0, 2)), "fine")
"""
    with networks.Networks() as two, Processes(60.0) as processes:
        job = _Cut(two, processes, program)
        job.wait_for("begun", 0, 1, 2)
        two.cut()
        job.wait_for("leaving", 1)
        job.wait_for("is given up", 1, 2)
        two.heal()
        finished = processes.wait()
    assert [end.returncode for end in finished] == [0] * 3, [end.stdout + end.stderr for end in finished]


@_TWO_NETWORKS
def test_a_cut_that_lasts_is_the_error_of_a_silent_process() -> None:
    program = """
apart("011")
settings = dataclasses.replace(settings, heartbeat_timeout=2.0)
connection = join()
talk(connection, 3)
print("begun", flush=True)
expect(errors.ProcessLostError, lambda: [connection.exchange("again", b"") for _ in range(10**9)])
"""
    with networks.Networks() as two, Processes(60.0) as processes:
        job = _Cut(two, processes, program)
        job.wait_for("begun", 0, 1, 2)
        two.cut()
        finished = processes.wait()
    assert_within(finished, 40.0)
    for end in finished:
        assert "has gone silent" in end.stdout and "OLYMPUS_HEARTBEAT_TIMEOUT" in end.stdout, end.stdout + end.stderr


@_TWO_NETWORKS
@pytest.mark.parametrize("side", [0, 1])
def test_connections_that_the_kernel_resets_are_taken_up(side: int) -> None:
    with networks.Networks() as two, Processes(60.0) as processes:
        job = _Cut(two, processes, _UNTIL_MADE_ANEW)
        job.wait_for("begun", 0, 1, 2)
        kill = [*two.command(side), "ss", "--no-header", "-K", "state", "established", "sport = 9000 or dport = 9000"]
        killed = subprocess.run(kill, capture_output=True, text=True, check=False)
        if not killed.stdout.strip():
            pytest.skip(f"this system does not close sockets for ss: {killed.stderr}")
        finished = processes.wait()
    _fine(finished)
    assert all("made anew after 0." in end.stderr for end in finished[1:])
