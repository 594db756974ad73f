# SPDX-License-Identifier: Apache-2.0
"""Waits as they are reported and judged: who is missing, who is late, who waits for each other for ever."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from olympus_core.cluster.failure import compress, error_of, expand
from olympus_core.cluster.groups import ProcessGroups, unspell
from olympus_core.cluster.late_warnings import words_of_late
from olympus_core.cluster.meetings import Meetings
from olympus_core.cluster.progress import ProcessProgress
from olympus_core.cluster.schema import FROM_COORDINATOR, FROM_MEMBERS, compose, read
from olympus_core.cluster.settings import ClusterSettings
from olympus_core.cluster.stacks import stack_of
from olympus_core.cluster.stragglers import Stragglers
from olympus_core.cluster.wait_limits import WaitLimits
from olympus_core.cluster.waits import WaitReport
from olympus_core.errors import CollectiveTimeoutError
from olympus_core.errors.cluster import Standing, spell

SETTINGS = ClusterSettings(deadlock_timeout=7.0, late_timeout=1000.0)


class FakePeer:
    """A process as the coordinator knows it."""

    def __init__(self, process: int, waits: list[WaitReport], blocked: float | None, entered: dict[str, int]) -> None:
        self.process, self.waits, self.blocked, self.entered = process, tuple(waits), blocked, entered
        self.is_present, self.stage, self.slow, self.watch = True, "joined", None, None
        self.reported = self.moved_at = 0.0
        self.moved = self.warned = self.position = 0
        self.told = (-1, 0)

    def standing(self, now: float, meeting: str | None) -> Standing:
        return Standing(self.process, 1, "text", "running", now)


class Job:
    """Processes that wait; everything happens at time 0."""

    def __init__(self, count: int) -> None:
        self.peers: dict[int, Any] = {p: FakePeer(p, [], None, {}) for p in range(count)}
        self.meetings, self.groups = Meetings(), ProcessGroups(count)
        self.limits = WaitLimits(self.peers, self.meetings, SETTINGS)

    def meet(self, process: int, label: str, group: str, seconds: float = 10.0, blocked: bool = True) -> None:
        """A process waits in a meeting."""
        group = spell(unspell(group))
        named = self.groups.named(group)
        assert named is not None
        self.meetings.enter(process, process, label, named, b"")
        self._wait(process, WaitReport(label, True, group, 0, seconds, "a.py:1"), blocked)

    def launch(self, process: int, position: int, group: str, seconds: float = 10.0, waits: bool = True) -> None:
        """A process has entered a launch, and perhaps waits in it."""
        group = spell(unspell(group))
        self.peers[process].entered[group] = position
        if waits:
            self._wait(process, WaitReport(f"#{position}", False, group, position, seconds, "a.py:1"), True)

    def _wait(self, process: int, wait: WaitReport, blocked: bool) -> None:
        peer = self.peers[process]
        peer.waits = (*peer.waits, wait)
        peer.blocked = wait.seconds if blocked else None

    def stuck(self) -> list[int]:
        return sorted({one.peer.process for one in self.limits.deadlocked(self.limits.judge(0.0))})


def test_processes_that_wait_for_each_other_are_deadlocked() -> None:
    job = Job(3)
    job.launch(0, 5, "0-1")
    job.meet(1, "next", "0-2")
    job.meet(2, "next", "0-2")
    assert job.stuck() == [0, 1, 2]
    fact = job.limits.deadlock(job.limits.judge(0.0))
    assert fact is not None and read(compose({"t": "failed", "failure": fact}), FROM_COORDINATOR)
    error = error_of(fact)
    assert isinstance(error, CollectiveTimeoutError) and error.deadlocked == (0, 1, 2) and error.missing == (1,)
    assert "OLYMPUS_DEADLOCK_TIMEOUT" in str(error) and "processes 0-2 wait for each other" in str(error)


@pytest.mark.parametrize("why", ["computes", "another thread", "too early", "left behind"])
def test_whoever_may_still_come_is_no_deadlock(why: str) -> None:
    job = Job(3)
    job.launch(0, 5, "0-1", seconds=3.0 if why == "too early" else 10.0)
    job.meet(1, "next", "0-2", blocked=why != "another thread")
    if why != "computes":
        job.meet(2, "next", "0-2")
    if why == "left behind":
        job.launch(1, 5, "0-1", waits=False)  # it has entered the launch as well: the transport is slow
    assert job.stuck() == []


def test_who_shares_a_launch_and_still_works_in_it_may_end_the_wait() -> None:
    # 0 waits in a launch for what 2 sends after it has computed; 1, which waits for 0 in a meeting, need not come.
    job = Job(3)
    job.launch(0, 5, "0-2")
    job.launch(2, 5, "0-2", waits=False)
    job.meet(1, "next", "0-1")
    assert job.stuck() == []
    job.launch(2, 5, "0-2")
    assert job.stuck() == [0, 1, 2]


def test_a_chain_that_ends_in_one_who_works_is_no_deadlock() -> None:
    job = Job(200)
    for process in range(199):
        job.meet(process, f"m{process}", spell([process, process + 1]))
    judged = job.limits.judge(0.0)
    assert job.stuck() == [] and job.limits.causes(judged, judged[:1]) == [199]
    job.launch(199, 1, "0, 199")  # it waits for the first one now, and that one for it
    assert job.stuck() == [*range(200)]


def test_a_late_wait_names_its_option_and_the_stack() -> None:
    job = Job(2)
    job.meet(0, "next", "0-1", seconds=1001.0)
    sent: list[tuple[int, Any]] = []
    failed: list[Any] = []
    stragglers = Stragglers(job.peers, job.limits, SETTINGS, lambda p, m: sent.append((p.process, m)), failed.append)
    stragglers.look(0.0)
    assert sent == [(1, {"t": "probe", "token": 1})] and not failed
    stragglers.answer(1, 1, ["load.py:3 in load", "train.py:9 in main"])
    stragglers.tick(0.1)
    error = str(error_of(failed[0]))
    assert "OLYMPUS_LATE_TIMEOUT" in error and "process 1 is at load.py:3 in load, called from train.py:9" in error


def test_bytes_that_move_are_not_late() -> None:
    job = Job(2)
    job.launch(0, 5, "0-1", seconds=5000.0)
    job.launch(1, 5, "0-1", seconds=5000.0)
    judged = job.limits.judge(0.0)
    job.peers[0].moved_at, job.peers[1].moved_at = -900.0, -800.0
    assert job.limits.overdue(judged, 0.0) is None
    job.peers[1].moved_at = -1001.0
    late = job.limits.overdue(judged, 0.0)
    assert late is not None and late.peer.process == 1
    assert "all have come, and nothing moves" in str(error_of(job.limits.late(late, [])))


def test_warnings_come_at_their_times_once_and_to_both_sides() -> None:
    job = Job(3)
    sent: list[tuple[int, Any]] = []
    stragglers = Stragglers(job.peers, job.limits, SETTINGS, lambda p, m: sent.append((p.process, m)), lambda _: None)

    def warned(seconds: float) -> list[tuple[int, str]]:
        sent.clear()
        for process in (0, 1):
            job.peers[process].waits = (job.peers[process].waits[0]._replace(seconds=seconds),)
        stragglers.look(0.0)
        stragglers.answer(2, stragglers._next - 1, ["load.py:3 in load"])
        stragglers.tick(0.1)
        return [(process, message["t"]) for process, message in sent]

    for process in (0, 1):
        job.meet(process, "next", "0-2")
    assert warned(9.0) == []
    assert warned(10.0) == [(2, "probe"), (0, "late"), (1, "late"), (2, "awaited")]
    assert all(read(compose(message), FROM_COORDINATOR) for _, message in sent)
    words = words_of_late(0, sent[1][1])
    assert "process 0 has waited 10 s in meeting 'next' for process 2" in words and "is at load.py:3 in load" in words
    assert warned(59.0) == []
    job.peers[2].slow = "saving"
    assert warned(60.0) == []  # it has said so
    job.peers[2].slow = None
    assert len(warned(301.0)) == 4


def test_who_waits_for_bytes_that_move_is_not_warned() -> None:
    job = Job(2)
    sent: list[tuple[int, Any]] = []
    stragglers = Stragglers(job.peers, job.limits, SETTINGS, lambda p, m: sent.append((p.process, m)), lambda _: None)
    for process in (0, 1):
        job.launch(process, 5, "0-1", seconds=50.0)
    job.peers[0].moved_at, job.peers[1].moved_at = -1.0, -11.0
    stragglers.look(0.0)
    stragglers.tick(0.0)
    assert [(process, message["t"], message["missing"]) for process, message in sent] == [(1, "late", "")]
    assert "all have come, and 0 bytes have been moved" in words_of_late(1, sent[0][1])


def test_one_pass_over_many_processes_is_enough() -> None:
    job = Job(3000)
    for process in range(2999):
        job.meet(process, "next", "0-2999")
    judged = job.limits.judge(0.0)
    assert len({id(one.missing) for one in judged}) == 1 and judged[0].missing == (2999,)
    assert job.stuck() == []


def test_a_process_reports_what_its_threads_wait_for() -> None:
    progress, waits = ProcessProgress(), ProcessProgress().waits
    waits = progress.waits
    waits.launch_in(threading.get_ident())
    assert progress.report()["waits"] == [] and progress.report()["blocked"] is None
    waits.begin("psum of #3", False, (0, 1), 3, 2.0)
    waits.begin("psum of #3", False, (0, 1), 3, 9.0)  # the same wait, later
    report = read(compose({"t": "report", **progress.report()}), FROM_MEMBERS)
    (wait,) = (WaitReport(*w) for w in report["waits"])
    assert wait[:4] == ("psum of #3", False, "0, 1", 3) and 2.0 <= wait.seconds < 9.0 and "test_waits.py:" in wait.line
    assert report["blocked"] is not None
    entered, done = threading.Event(), threading.Event()

    def launch() -> None:
        waits.launch_in(threading.get_ident())
        entered.set()
        done.wait()

    other = threading.Thread(target=launch)
    other.start()
    entered.wait()
    assert progress.report()["blocked"] is None  # that thread may launch what this one waits for
    assert waits.free_thread() == other.ident
    done.set()
    other.join()
    assert progress.report()["blocked"] is not None
    waits.moved += 10
    assert progress.report()["blocked"] == 0.0
    waits.end()
    assert progress.report()["waits"] == []


def test_a_stack_shows_the_users_frames() -> None:
    frames = stack_of(threading.get_ident())
    assert "test_waits.py" in frames[0] and frames[0].endswith("in test_a_stack_shows_the_users_frames")
    assert len(frames) <= 12 and stack_of(None) == []


def test_standings_travel_together() -> None:
    standings = [Standing(p, 3, "#3", "running", p / 10) for p in range(1000)] + [Standing(1000, 2, "#2", "lost", 5.0)]
    groups = compress(standings)
    assert groups == [("0-999", 3, "#3", "running", 99.9), ("1000", 2, "#2", "lost", 5.0)]
    assert [s[:4] for s in expand(groups)] == [s[:4] for s in standings]
    assert len(expand([("0-65535", 1, "", "running", 0.0)] * 50)) == 65536
