# SPDX-License-Identifier: Apache-2.0
"""One outcome out of several processes' ones."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from olympus_conformance.harness.meetings import Meetings
from olympus_conformance.harness.messages import Answer, Meet, Withdraw
from olympus_conformance.harness.verdicts import ORDER, ProcessResult, combine
from olympus_conformance.outcome import Outcome, Status

from .probes import PROBES

TEST = PROBES["together"]
STATUSES = [s for s in Status if s not in (Status.WAIVED,)]


def part(status: Status, **rest) -> ProcessResult:
    fields = {name: rest.pop(name) for name in ("reason", "observed") if name in rest}
    return ProcessResult(Outcome(TEST.id, status, 0.5, **fields), **rest)


@given(st.lists(st.sampled_from(STATUSES), min_size=1, max_size=4))
def test_the_worst_counts(statuses: list[Status]) -> None:
    found = combine(TEST, [part(status) for status in statuses], 1.0)
    # Who hangs while another one fails, hangs because of it.
    others = [s for s in statuses if s is not Status.TIMEOUT]
    bad = [s for s in others if s in (Status.FAIL, Status.ERROR)]
    assert found.status is max(bad or statuses, key=ORDER.index)


def test_reasons_say_which_process() -> None:
    parts = [part(Status.PASS), part(Status.ERROR, reason="it broke"), part(Status.ERROR, reason="it broke")]
    assert combine(TEST, parts, 1.0).reason == "processes 1, 2 of 3: it broke"
    assert combine(TEST, parts[1:], 1.0).reason == "all 2 processes: it broke"
    assert combine(TEST, parts[1:2], 1.0).reason == "it broke"


def test_what_follows_from_another_failure_is_not_the_cause() -> None:
    parts = [part(Status.ERROR, reason="process 1 is lost", is_consequence=True), part(Status.FAIL, observed="1")]
    found = combine(TEST, parts, 1.0)
    assert (found.status, found.observed, found.reason) == (Status.FAIL, "1", "in process 1 of 2")


def test_a_death_is_an_error_and_the_cause() -> None:
    parts = [
        part(Status.ERROR, is_consequence=True),
        ProcessResult(death="was killed by SIGSEGV", last_lines="segmentation fault"),
    ]
    found = combine(TEST, parts, 1.0)
    assert found.status is Status.ERROR
    assert found.reason == "process 1 of 2: the process was killed by SIGSEGV"
    assert "segmentation fault" in found.trace


def test_casualties() -> None:
    test = PROBES["casualty"]
    died = ProcessResult(death="was killed by SIGKILL", was_killed=True)
    assert combine(test, [part(Status.PASS), died], 1.0).status is Status.PASS
    assert combine(test, [part(Status.FAIL, is_consequence=True), died], 1.0).status is Status.FAIL
    assert combine(test, [died, part(Status.PASS)], 1.0).status is Status.ERROR  # the wrong one
    assert combine(test, [part(Status.PASS), replace(died, was_killed=False)], 1.0).status is Status.ERROR
    assert combine(test, [part(Status.PASS), part(Status.PASS)], 1.0).status is Status.ERROR
    skipped = [part(Status.NOT_SUPPORTED, reason="multi_process is not declared")] * 2
    assert combine(test, skipped, 1.0).status is Status.NOT_SUPPORTED


def test_a_hang_shows_all_stacks() -> None:
    ended = ProcessResult(Outcome(TEST.id, Status.PASS), stacks="there")
    found = combine(TEST, [ProcessResult(stacks="here"), ended], 2.0)
    assert found.status is Status.TIMEOUT
    assert found.trace == "process 0:\nhere\nprocess 1:\nthere"


def test_meetings() -> None:
    meetings = Meetings()
    assert meetings.come(0, Meet(1, "x", (0, 1), b"a")) == []
    assert meetings.come(1, Meet(1, "x", (1, 2), b"b")) == []  # the same label for others is another meeting
    assert meetings.come(0, Meet(2, "x", (1, 0), b"c")) == [(0, Answer(2, None))]  # in use
    assert meetings.come(2, Meet(5, "y", (0, 1), b"d")) == [(2, Answer(5, None))]  # is not meant
    done = meetings.come(1, Meet(2, "x", (1, 0), b"e"))
    assert done == [(0, Answer(1, {0: b"a", 1: b"e"})), (1, Answer(2, {0: b"a", 1: b"e"}))]
    assert meetings.leave(0, Withdraw(1)) == []  # its answer is on its way
    assert meetings.leave(1, Withdraw(1)) == [(1, Answer(1, None, (2,)))]
    assert meetings.come(2, Meet(6, "x", (1, 2), b"f")) == []  # who has left is waited for again
