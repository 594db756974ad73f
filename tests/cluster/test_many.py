# SPDX-License-Identifier: Apache-2.0
"""Two dozen real processes; thousands are played by `benchmarks/coordinator`."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from olympus_core.cluster.authentication import Challenge
from olympus_core.cluster.channels import Channel
from olympus_core.cluster.disconnections import Disconnections
from olympus_core.cluster.member import Member
from olympus_core.cluster.peer import Peer
from olympus_core.cluster.settings import ClusterSettings
from olympus_core.cluster.unauthenticated import UnauthenticatedPeers
from tests.support.launching import launch

_COUNT = 24

_PROGRAM = """
from olympus_core.cluster import connect

connection = connect()
index, count = connection.process_index, connection.process_count
assert connection.exchange("barrier", b"") == [b""] * count
assert connection.exchange("own", b"%d" % index) == [b"%d" % i for i in range(count)]
assert len(set(connection.exchange("key", connection.key("a test")))) == 1
even = [i for i in range(count) if i % 2 == index % 2]
assert connection.exchange("half", b"%d" % index, even) == [b"%d" % i for i in even]
large = connection.exchange("large", bytes([index]) * 100_000)
assert [(value[0], len(value)) for value in large] == [(i, 100_000) for i in range(count)]
assert len(set(connection.hosts)) == 1 and len(connection.hosts) == count
connection.shutdown()
print("well")
"""


def test_those_that_have_lost_their_connection_are_looked_for_together(monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[int] = []
    where = "olympus_core.cluster.disconnections.verdict_at_end"
    monkeypatch.setattr(where, lambda member: looks.append(member.process))
    here, there = socket.socketpair()
    disconnections = Disconnections({}, ClusterSettings(), lambda peer, message: None)
    assert disconnections.next_look == float("inf") and disconnections.judge(0.0) == []
    for process in range(200):
        peer = Peer(Channel(here), 0.0, Challenge(b"s" * 40, b""))
        peer.member = Member(process, 300)
        disconnections.begin(peer, 0.0)
    for step in range(1000):  # of the coordinator's loop, in a second
        assert disconnections.judge(step / 1000) == []
    # The first at once; all of them some eight times: each look makes the next one wait for as long as it may cost.
    assert looks[0] == 0 and 200 * 4 <= len(looks) <= 200 * 10
    for process in range(200):
        disconnections.forget(process)
    assert disconnections.next_look == float("inf")
    here.close()
    there.close()


@pytest.mark.slow
@pytest.mark.processes
def test_two_dozen_processes_meet_and_leave(tmp_path: Path) -> None:
    finished = launch(tmp_path, _PROGRAM, "-n", _COUNT, deadline=120.0)
    assert finished.returncode == 0, finished.stdout + finished.stderr
    assert finished.stdout.count("well") == _COUNT


def test_heartbeats_of_many_processes_come_less_often() -> None:
    settings = ClusterSettings()
    assert settings.of_job(4) == settings.of_job(1000) == settings
    periods = [settings.of_job(count).heartbeat_period for count in (2000, 10_000, 1 << 16)]
    assert periods == [1.0, 5.0, 32.768] and periods[-1] < settings.heartbeat_timeout


def test_as_many_may_be_unproven_as_have_not_joined() -> None:
    pairs = [socket.socketpair() for _ in range(6)]
    peers = [Peer(Channel(here), 0.0, Challenge(b"s" * 40, b"")) for here, _ in pairs]
    waiting = UnauthenticatedPeers(2)
    waiting.expected = 2
    assert [waiting.add(peer) for peer in peers[:4]] == [None] * 4
    assert waiting.add(peers[4]) is peers[0]
    waiting.remove(peers[0])
    waiting.expected = 0  # all have joined: later strangers have the room that there always was
    assert waiting.add(peers[5]) is peers[1]
    for pair in pairs:
        for end in pair:
            end.close()
