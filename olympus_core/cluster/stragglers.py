# SPDX-License-Identifier: Apache-2.0
"""Who is late, and who is told: warnings to those that wait, with the stack of the one that they wait for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from olympus_core.errors.cluster import spell
from olympus_core.logs import Log

from .failure import Failure
from .peer import Peer
from .schema import Message
from .settings import ClusterSettings
from .wait_limits import WaitLimits, WaitState

_log = Log(__name__)

_ANSWER_TIME = 1.0  # for a process to say where it is
_MOST_ASKED = 4  # of those that one warning is about
_MOST_STACKS = 1  # that travel to each of those that wait


class _Question(NamedTuple):
    """A question to processes where they are, and what to do with the answers."""

    token: int
    waiting: set[int]
    deadline: float
    then: Callable[[dict[int, list[str]], float], None]
    answers: dict[int, list[str]]


class Stragglers:
    """Asks late processes where they are, one question at a time, and warns.

    Args:
        peers: The processes by index; the coordinator's own dictionary.
        limits: Judges the waits.
        settings: When to warn.
        send: Sends a message to a process.
        declare: Declares the job failed.
    """

    def __init__(
        self, peers: Mapping[int, Peer], limits: WaitLimits, settings: ClusterSettings,
        send: Callable[[Peer, Message], None], declare: Callable[[Failure], None],
    ) -> None:
        self._peers, self._limits, self._settings = peers, limits, settings
        self._send, self._declare = send, declare
        self._questions: list[_Question] = []
        self._next = 1

    @property
    def deadline(self) -> float:
        """When the question under way has waited long enough; infinite without one."""
        return min((question.deadline for question in self._questions), default=float("inf"))

    def look(self, now: float) -> None:
        """Judges all waits: to be called with every heartbeat of a job that has not failed."""
        judged = self._limits.judge(now)
        if judged:
            failed = self._limits.deadlock(judged)
            if failed is not None:
                self._declare(failed)
                return
        self._warn_of_stopped(now)
        if not self._questions:
            self._judge_late(judged, now)

    def _judge_late(self, judged: list[WaitState], now: float) -> None:
        overdue = self._limits.overdue(judged, now)
        if overdue is not None:
            causes = self._limits.causes(judged, [overdue])
            self.ask(causes[:_MOST_ASKED], now, lambda found, _: self._give_up(overdue, found))
            return
        due = self._due(judged, now)
        if due:
            causes = [p for p in self._limits.causes(judged, due) if p in self._peers and self._peers[p].slow is None]
            # Who has declared to be slow is no surprise; who waits with all others for bytes to move is told how many.
            told = [one for one in due if not one.missing or causes]
            if told:
                self.ask(causes[:_MOST_ASKED], now, lambda found, then: self._warn(told, causes, found, then))

    def _due(self, judged: Iterable[WaitState], now: float) -> list[WaitState]:
        """The oldest wait of each process that has to be warned now."""
        oldest: dict[int, WaitState] = {}
        lasted: dict[int, float] = {}
        for one in judged:
            if one.peer.watch is not None and one.peer.watch.is_quiet(now):
                continue  # who does not run waits for nobody, and its report is old
            # Where all have come, bytes that move are what is waited for.
            seconds = one.seconds if one.missing else min(one.seconds, now - one.peer.moved_at)
            if seconds > lasted.get(one.peer.process, -1.0):
                oldest[one.peer.process], lasted[one.peer.process] = one, seconds
        due = []
        for process, peer in self._peers.items():
            of = oldest.get(process)
            level = sum(lasted.get(process, 0.0) >= time for time in self._settings.warning_times)
            if of is not None and level > peer.warned:
                due.append(of)
            peer.warned = level
        return due

    def ask(
        self, processes: Iterable[int], now: float, then: Callable[[dict[int, list[str]], float], None]
    ) -> None:
        """Asks processes for their stacks; `then` gets those that have answered in time, and the time."""
        asked = {p for p in processes if p in self._peers and self._peers[p].is_present}
        token, self._next = self._next, self._next + 1
        self._questions.append(_Question(token, asked, now + _ANSWER_TIME if asked else now, then, {}))
        for process in asked:
            self._send(self._peers[process], {"t": "probe", "token": token})

    def answer(self, process: int, token: int, frames: list[str]) -> None:
        """Takes a process's stack."""
        for question in self._questions:
            if question.token == token and process in question.waiting:
                question.waiting.discard(process)
                question.answers[process] = frames

    def tick(self, now: float) -> None:
        """Ends the questions that are answered, or have waited long enough."""
        over = [question for question in self._questions if not question.waiting or now >= question.deadline]
        self._questions = [question for question in self._questions if question not in over]
        for question in over:
            question.then(question.answers, now)

    def _give_up(self, one: WaitState, found: dict[int, list[str]]) -> None:
        self._declare(self._limits.late(one, ((p, found[p]) for p in sorted(found) if found[p])))

    def _warn(self, due: list[WaitState], causes: list[int], found: dict[int, list[str]], now: float) -> None:
        stragglers: list[list[Any]] = []
        for process in causes[:_MOST_ASKED]:
            (standing,) = self._limits.standings(now, [process])
            frames = found.get(process, [])
            stragglers.append([
                process, standing.state, standing.text, standing.seconds,
                frames if len(stragglers) < _MOST_STACKS else frames[:1],
            ])
        for one in due:
            self._send(one.peer, {
                "t": "late", "label": one.wait.words, "seconds": one.seconds, "missing": spell(one.missing),
                "moved": one.peer.moved, "stragglers": stragglers if one.missing else [],
            })
        first = max(due, key=lambda one: one.seconds)
        waiting = spell(one.peer.process for one in due if one.missing)
        level = sum(first.seconds >= time for time in self._settings.warning_times)
        for process in causes if waiting else ():
            peer = self._peers[process]
            if peer.told != (peer.position, level):  # those that wait began at different times
                peer.told = peer.position, level
                self._send(peer, {
                    "t": "awaited", "label": first.wait.words, "seconds": first.seconds, "by": waiting,
                    "position": peer.position,
                })

    def _warn_of_stopped(self, now: float) -> None:
        for peer in self._peers.values():
            if peer.is_present and peer.watch is not None and peer.watch.is_quiet(now):
                words = peer.watch.warning(now)
                if words is not None:
                    _log.warning("process %d %s", peer.process, words)
