# SPDX-License-Identifier: Apache-2.0
"""The answers that MPICH gets instead of a process manager's."""

from __future__ import annotations

import hashlib
import hmac
import os
import socket
import threading
from collections.abc import Sequence

import pytest

from olympus_cpu.transports.mpi.pmi import PmiServer, process_mapping, split_line


class Meeting:
    """A rendezvous of threads."""

    def __init__(self, count: int) -> None:
        self.count, self.secret = count, os.urandom(32)
        self.values: dict[str, dict[int, bytes]] = {}
        self.changed = threading.Condition()

    def exchange(self, label: str, process: int, value: bytes, processes: Sequence[int]) -> list[bytes]:
        with self.changed:
            self.values.setdefault(label, {})[process] = value
            self.changed.notify_all()
            assert self.changed.wait_for(lambda: set(self.values[label]) >= set(processes), 10)
            return [self.values[label][p] for p in processes]


class Rendezvous:
    def __init__(self, process: int, meeting: Meeting, hosts: Sequence[str]) -> None:
        self.process_index, self.process_count, self.job, self.hosts = process, meeting.count, "job", hosts
        self.meeting = meeting
        self.reasons: list[str] = []

    def exchange(self, label, value, processes=None, timeout=None):
        members = range(self.process_count) if processes is None else processes
        return self.meeting.exchange(label, self.process_index, value, members)

    def key(self, purpose: str) -> bytes:
        return hmac.digest(self.meeting.secret, purpose.encode(), hashlib.sha256)

    def check(self) -> None:
        pass

    def moved(self, count: int) -> None:
        pass

    def abort(self, reason: str) -> None:
        self.reasons.append(reason)


class Client:
    """Plays MPICH."""

    def __init__(self, process: int, meeting: Meeting, hosts: Sequence[str]) -> None:
        self.socket, theirs = socket.socketpair()
        self.socket.settimeout(10)
        self.lines = self.socket.makefile("r")
        self.rendezvous = Rendezvous(process, meeting, hosts)
        self.server = PmiServer(theirs, self.rendezvous)
        self.server.start()

    def say(self, line: str) -> None:
        self.socket.sendall(line.encode() + b"\n")

    def ask(self, line: str) -> str:
        self.say(line)
        return self.lines.readline().rstrip("\n")

    def close(self) -> None:
        self.lines.close()
        self.socket.close()
        self.server.join(10)
        assert not self.server.is_alive()


@pytest.fixture
def clients():
    meeting = Meeting(3)
    made = [Client(i, meeting, ["a", "a", "b"]) for i in range(3)]
    yield made
    for client in made:
        client.close()


def together(clients: Sequence[Client], line: str) -> list[str]:
    for client in clients:
        client.say(line)
    return [client.lines.readline().rstrip("\n") for client in clients]


def test_what_the_protocol_says_of_the_beginning(clients: list[Client]) -> None:
    first = clients[0]
    assert first.ask("cmd=init pmi_version=1 pmi_subversion=1") == (
        "cmd=response_to_init rc=0 pmi_version=1 pmi_subversion=2")
    assert first.ask("cmd=get_maxes") == "cmd=maxes rc=0 kvsname_max=256 keylen_max=64 vallen_max=1024"
    assert first.ask("cmd=get_appnum") == "cmd=appnum rc=0 appnum=0"
    assert first.ask("cmd=get_universe_size") == "cmd=universe_size rc=0 size=3"
    assert first.ask("cmd=get_my_kvsname") == "cmd=my_kvsname rc=0 kvsname=olympus_job"
    assert first.ask("cmd=get kvsname=x key=PMI_process_mapping") == (
        "cmd=get_result rc=0 value=(vector,(0,1,2),(1,1,1))")
    assert first.ask("cmd=get kvsname=x key=nothing thrid=7") == "cmd=get_result rc=1 thrid=7"
    assert first.ask("cmd=strange") == "cmd=strange rc=-1"
    assert first.ask("cmd=finalize") == "cmd=finalize_ack rc=0"


def test_what_one_puts_all_get_after_a_barrier(clients: list[Client]) -> None:
    value = r"a\ b=c#\\d"
    for i, client in enumerate(clients):
        assert client.ask(f"cmd=put kvsname=x key=k{i} value={value}{i}") == "cmd=put_result rc=0"
    assert clients[1].ask("cmd=get kvsname=x key=k0") == "cmd=get_result rc=1"
    for _ in range(2):
        assert together(clients, "cmd=barrier_in") == ["cmd=barrier_out rc=0 tag=0"] * 3
    for client in clients:
        for i in range(3):
            assert client.ask(f"cmd=get kvsname=x key=k{i}") == f"cmd=get_result rc=0 value={value}{i}"


def test_barriers_of_groups_concern_their_members_only(clients: list[Client]) -> None:
    clients[0].ask("cmd=put kvsname=x key=k value=1")
    assert together(clients[:2], "cmd=barrier_in group=NODE:5") == ["cmd=barrier_out rc=0 tag=5"] * 2
    assert together(clients[2:], "cmd=barrier_in group=NODE:5") == ["cmd=barrier_out rc=0 tag=5"]
    assert together([clients[0], clients[2]], "cmd=barrier_in group=0,2:9") == ["cmd=barrier_out rc=0 tag=9"] * 2
    assert clients[1].ask("cmd=get kvsname=x key=k").endswith("value=1")
    assert clients[2].ask("cmd=get kvsname=x key=k").endswith("value=1")


def test_an_abort_reaches_the_job(clients: list[Client]) -> None:
    clients[1].say("cmd=abort exitcode=3")
    assert clients[1].ask("cmd=get_appnum") == "cmd=appnum rc=0 appnum=0"
    assert "process 1" in clients[1].rendezvous.reasons[0]


def test_a_failure_of_the_job_is_kept_and_mpi_left_waiting() -> None:
    client = Client(0, Meeting(2), ["a", "a"])
    client.rendezvous.exchange = lambda *arguments: (_ for _ in ()).throw(ConnectionError("lost"))
    client.say("cmd=barrier_in")
    client.server.join(10)
    assert isinstance(client.server.error, ConnectionError)
    client.socket.settimeout(0.05)
    with pytest.raises(TimeoutError):  # neither an answer nor an end: MPICH would end the process
        client.socket.recv(1)
    client.server._connection.close()
    client.close()


def test_mappings_and_lines() -> None:
    assert process_mapping(["x"] * 4) == "(vector,(0,1,4))"
    assert process_mapping(["x", "y", "x"]) == "(vector,(0,1,1),(1,1,1),(0,1,1))"
    assert split_line("mcmd=spawn a=") == ("spawn", {"a": ""})


def test_a_barrier_carries_what_is_new_and_small(clients: list[Client]) -> None:
    meeting = clients[0].rendezvous.meeting

    def barrier(group: str) -> dict[str, list[int]]:
        before = set(meeting.values)
        for client in clients[: 3 if group == "WORLD" else 2]:
            client.say(f"cmd=barrier_in group={group}:7" if group != "WORLD" else "cmd=barrier_in")
        for client in clients[: 3 if group == "WORLD" else 2]:
            assert client.lines.readline().startswith("cmd=barrier_out rc=0")
        (label,) = set(meeting.values) - before
        return {label: [len(value) for _, value in sorted(meeting.values[label].items())]}

    for index, client in enumerate(clients):
        assert client.ask(f"cmd=put kvsname=x key=card{index} value={'0123456789abcdef' * 60}{index}") \
            == "cmd=put_result rc=0"
    (first,) = barrier("WORLD").values()
    assert all(0 < size < 200 for size in first)
    assert clients[2].ask("cmd=get kvsname=x key=card0").endswith("abcdef0")
    assert list(barrier("WORLD").values()) == [[0, 0, 0]]  # everybody knows all
    (other,) = barrier("NODE").values()
    assert all(0 < size < 200 for size in other)  # another group was not told by this one
    clients[1].ask("cmd=put kvsname=x key=card1 value=new")
    (again,) = barrier("WORLD").values()
    assert [size > 0 for size in again] == [False, True, False]
    assert clients[0].ask("cmd=get kvsname=x key=card1") == "cmd=get_result rc=0 value=new"
