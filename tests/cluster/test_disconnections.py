# SPDX-License-Identifier: Apache-2.0
"""What becomes of a process whose connection has ended: judged with a clock of the test's."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from olympus_core.cluster.disconnections import Disconnections
from olympus_core.cluster.machine import is_there, process_space
from olympus_core.cluster.machine_probe import MachineProbe
from olympus_core.cluster.member import Member
from olympus_core.cluster.settings import ClusterSettings

_SETTINGS = ClusterSettings(reconnect_timeout=40.0)


class _Job:
    """Processes of which each says which machine it is on, and what they are asked."""

    def __init__(self, *spaces: str, pid: int = 4711) -> None:
        self.asked: list[tuple[int, dict[str, Any]]] = []
        self.peers = {
            process: SimpleNamespace(
                process=process, member=Member(process, len(spaces), pid=pid, space=space), is_present=True,
                is_open=True, was_reset=False, endpoint=None,
            )
            for process, space in enumerate(spaces)
        }
        send: Any = lambda peer, message: self.asked.append((peer.process, message))
        peers: Any = self.peers
        self.disconnections = Disconnections(peers, _SETTINGS, send)

    def end(self, process: int, reset: bool = False) -> None:
        peer: Any = self.peers[process]
        peer.is_open, peer.was_reset = False, reset
        self.disconnections.begin(peer, 0.0)

    def judge(self, now: float) -> list[tuple[int, str]]:
        return [(peer.process, f"{reason}: {detail}") for peer, reason, detail in self.disconnections.judge(now)]


def test_an_end_in_order_where_nobody_can_be_asked_is_a_death() -> None:
    job = _Job("a", "b", "c")
    job.end(1)
    assert job.judge(0.9) == [] and not job.asked
    ((process, words),) = job.judge(1.1)
    assert process == 1 and words.startswith("connection lost: it was killed, it crashed")
    job.disconnections.forget(1)
    assert job.judge(2.0) == [] and not job.disconnections and job.disconnections.next_look == float("inf")


def test_a_reset_leaves_time_to_come_back() -> None:
    job = _Job("a", "b")
    job.end(1, reset=True)
    assert job.judge(39.0) == []
    ((_, words),) = job.judge(41.0)
    assert "broke, and was not made anew in 41.0 s; the limit is OLYMPUS_RECONNECT_TIMEOUT=40" in words


def test_neighbours_are_asked_a_few_of_each_machine_and_again() -> None:
    job = _Job("a", *["b"] * 6, "c")
    job.end(1)
    job.end(2, reset=True)
    assert job.judge(0.01) == []
    assert [to for to, _ in job.asked] == [3, 3, 4, 4, 5, 5]
    assert {message["token"] for _, message in job.asked} == {1, 2} and job.asked[0][1]["pid"] == 4711
    job.judge(0.05)
    assert len(job.asked) == 6
    job.disconnections.seen(1, True)
    job.disconnections.seen(2, False)
    job.disconnections.seen(7, False)  # nobody asked about it
    ((process, words),) = job.judge(0.2)
    assert len(job.asked) == 12
    assert process == 2 and words.startswith("killed: its connection ended, and a process of its machine")
    job.disconnections.forget(2)
    assert job.judge(39.0) == []
    ((process, words),) = job.judge(41.0)
    assert process == 1 and "its connection ended, its process is still there" in words


def test_the_own_machine_is_looked_at() -> None:
    job = _Job("a", process_space(), pid=os.getpid())
    job.end(1)
    assert job.judge(30.0) == [] and not job.asked
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    gone = _Job("a", process_space(), pid=child.pid)
    gone.end(1, reset=True)
    ((_, words),) = gone.judge(0.0)
    assert words.startswith("killed: ") and not is_there(child.pid) and is_there(os.getpid())


def test_a_machine_that_answers_and_a_process_that_does_not_come_back() -> None:
    with socket.socket() as bound:  # a port of which the kernel says that nobody listens
        bound.bind(("127.0.0.1", 0))
        job = _Job("a", "b")
        peer: Any = job.peers[1]
        peer.endpoint = (socket.AF_INET, bound.getsockname())
        job.end(1, reset=True)
        for now in (0.0, 0.1, 1.0, 2.0, 4.9):
            assert job.judge(now) == []
        found = job.judge(5.5)
        job.disconnections.close()
    assert len(found) == 1 and "its machine answers, and it has not come back" in found[0][1]


@pytest.mark.parametrize("listens", [True, False])
def test_a_machine_answers_whoever_listens(listens: bool) -> None:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        if listens:
            sock.listen()
        probe = MachineProbe((socket.AF_INET, sock.getsockname()))
        seen = [probe.look(now) for now in (0.0, 0.1, 0.2, 1.0, 1.1, 2.0, 2.1)]
        probe.close()
    assert seen == sorted(seen) and seen[-1] > 1.5


def test_a_machine_that_cannot_be_reached_does_not_answer() -> None:
    # Whose queue is full, the kernel leaves without an answer, too; an address of nobody may be a proxy's.
    with contextlib.ExitStack() as sockets:
        full = sockets.enter_context(socket.socket())
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        for _ in range(8):
            waiting = sockets.enter_context(socket.socket())
            waiting.setblocking(False)
            waiting.connect_ex(full.getsockname())
        probe = MachineProbe((socket.AF_INET, full.getsockname()))
        assert [probe.look(now) for now in (0.0, 1.0, 2.5, 9.0)] == [0.0] * 4
        probe.close()


def test_many_that_end_at_once_are_looked_for_more_rarely() -> None:
    job = _Job("a", *["b"] * 1000)
    for process in range(1, 998):
        job.end(process)
    assert job.disconnections.next_look == 0.0
    job.judge(0.0)
    assert 0.3 < job.disconnections.next_look <= 0.5
    assert len(job.asked) == 3 * 997
