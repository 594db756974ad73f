# SPDX-License-Identifier: Apache-2.0
"""Waits: each ends, with an error that says what was waited for."""

from __future__ import annotations

from typing import Any

import pytest

from olympus_core.config import config
from olympus_core.errors import CollectiveTimeoutError, OlympusInternalError, ProcessLostError
from olympus_core.errors.platform import TransportError
from olympus_core.runtime import links as links_room
from olympus_core.runtime.links import LabelledPending, Links


class Pending:
    """Gives its answers one after the other; an exception is raised."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)

    def is_done(self) -> bool:
        return len(self.answers) == 1

    def result(self, deadline: float) -> list[Any]:
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, BaseException):
            raise answer
        return answer


class FakeSpan:
    """Counts the looks; judges and fails as told."""

    def __init__(self, verdict: Exception | None = None, failure: Exception | None = None) -> None:
        self.looks, self.verdict, self.failure, self.judged = 0, verdict, failure, []
        self.launch = [0.0] * 5
        self.waits_ended = 0

    def check(self) -> None:
        self.looks += 1
        if self.failure is not None and self.looks > 1:
            raise self.failure

    def overdue(self, label: str, waited: float) -> Exception | None:
        self.judged.append(label)
        return self.verdict

    def end_wait(self) -> None:
        self.waits_ended += 1


@pytest.fixture
def links(monkeypatch: pytest.MonkeyPatch) -> Links:
    monkeypatch.setattr(links_room, "_SLICE", 0.001)
    monkeypatch.setattr(links_room, "_LOOK", 0.0)
    monkeypatch.setattr(links_room, "_FAILURE_GRACE", 0.01)
    return Links(None, None, None)


def test_what_comes_late_comes(links: Links) -> None:
    span = FakeSpan()
    pending = LabelledPending(Pending(TimeoutError(), TimeoutError(), ["buffer"]), span, "all_reduce")
    assert links.wait(pending, "") == ["buffer"]
    assert span.looks == 2 and span.judged == ["all_reduce"] * 2 and span.waits_ended == 1


def test_a_wait_that_lasts_is_judged(links: Links) -> None:
    verdict = CollectiveTimeoutError("all_gather at a.py:3", 0, 5.0, [1])
    with pytest.raises(CollectiveTimeoutError, match="process 1 has not come") as caught:
        links.wait(LabelledPending(Pending(TimeoutError()), FakeSpan(verdict), "x"), "all_gather at a.py:3")
    assert caught.value.__context__ is None


def test_the_job_s_failure_ends_a_wait(links: Links) -> None:
    lost = ProcessLostError(1, "killed", "signal 9")
    with pytest.raises(ProcessLostError) as caught:
        links.wait(LabelledPending(Pending(TimeoutError()), FakeSpan(failure=lost), "x"), "x")
    assert caught.value.__context__ is None  # a traceback shows no slices that were over


def test_the_cause_is_better_than_the_transport_s_words(links: Links) -> None:
    lost = ProcessLostError(1, "killed", "signal 9")
    with pytest.raises(ProcessLostError):
        links.wait(LabelledPending(Pending(ConnectionResetError("peer")), FakeSpan(failure=lost), "x"), "x")
    with pytest.raises(ConnectionResetError, match="peer"):  # nobody knows of a failure: its own words
        links.wait(LabelledPending(Pending(ConnectionResetError("peer")), FakeSpan(), "x"), "x")


def test_the_cause_is_awaited_for_longer_than_a_slice(links: Links) -> None:
    lost, noticed = ProcessLostError(1, "killed", "signal 9"), TransportError("tcp", "all_gather", "it has ended")
    with pytest.raises(ProcessLostError):
        links.wait(LabelledPending(Pending(noticed), FakeSpan(failure=lost), "x"), "x")
    with pytest.raises(TransportError, match="it has ended"):
        links.wait(LabelledPending(Pending(noticed), FakeSpan(), "x"), "x")


def test_an_error_of_olympus_that_is_a_timeout_is_no_slice(links: Links) -> None:
    error = CollectiveTimeoutError("x", 0, 1.0, [])
    with pytest.raises(CollectiveTimeoutError):
        links.wait(LabelledPending(Pending(error), FakeSpan(), "x"), "x")


def test_within_one_process_a_wait_ends_too(links: Links, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(config.__dict__, "late_timeout", 0.02)
    with pytest.raises(CollectiveTimeoutError, match="in all_to_all at b.py:9: all have come, and nothing moves"):
        links.wait(LabelledPending(Pending(TimeoutError()), None, "x"), "all_to_all at b.py:9")


def test_only_what_these_links_began_is_waited_for(links: Links) -> None:
    with pytest.raises(OlympusInternalError):
        links.wait(Pending([]), "x")
