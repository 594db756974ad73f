# SPDX-License-Identifier: Apache-2.0
"""A job: the worker processes that run tests together, with their failures and time limits."""

from __future__ import annotations

import contextlib
import queue
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait  # noqa: TID251  (for its challenge: messages go as bytes)
from pathlib import Path
from typing import cast

from ..outcome import Outcome
from ..requirement import Test
from .listener import Arrival, WorkerListener
from .meetings import Meetings
from .messages import (
    ADDRESS,
    JOB,
    KEY,
    Abort,
    Close,
    Closed,
    Done,
    Dump,
    Exit,
    Failure,
    Meet,
    Opened,
    Ready,
    Refused,
    Run,
    Stacks,
    Welcome,
    Withdraw,
)
from .processes import Processes
from .verdicts import BAD, ProcessResult, combine
from .wire import MessageError, receive, send

_LOOK = 0.1  # seconds between checks whether processes still run; messages are handled at once
_START = 60.0  # for all workers to join
_OPENING = 60.0  # for all to open the platform
_GRACE = 2.0  # for the other processes to end by themselves after a failure; and again after they are told
_STACKS = 1.5  # for a process to report its stacks; afterwards its watchdog thread writes them
_HEALTH = 5.0  # for a process to report whether it can go on
_CLOSING = 15.0  # for all to close the platform
_DEATH = 5.0  # for a process that was killed to be gone: the driver of a GPU gives its memory back before
_EXIT = 15.0  # for all to end: the driver of a GPU that many share takes its time


@dataclass(frozen=True, slots=True)
class JobSettings:
    """The settings of all jobs of a run.

    Args:
        platform: The platform's name, or an alias.
        devices: Devices of each process; None for the suite's default.
        launcher: The command that starts processes; None to start them directly.
        timeout_factor: The factor by which time limits are multiplied.
        folder: The folder for the workers' output.
    """

    platform: str
    devices: int | None
    launcher: str | None
    timeout_factor: float
    folder: Path

    def devices_of(self, count: int) -> int:
        """Devices of each process in a job of `count`."""
        return self.devices or (4 if count == 1 else 2)


class NotStarted(Exception):
    """A job could not be started. Only the controller sees this; users see an outcome or an error."""

    def __init__(self, reason: str, trace: str = "") -> None:
        super().__init__(reason)
        self.reason, self.trace = reason, trace


@dataclass(slots=True, eq=False)
class _Member:
    """The controller's record of one process of the job."""

    index: int
    slot: int | None
    commands: Connection
    news: Connection | None = None
    death: str | None = None
    was_killed: bool = False
    opened: Opened | Refused | None = None
    done: Done | None = None
    ready: Ready | None = None
    closed: Closed | None = None
    stacks: str = ""


class Job:
    """Workers that have joined and opened the platform.

    Attributes:
        count: Number of workers.
        opened: The first worker's description of the platform.
        is_usable: Whether the next test may use the job.

    Args:
        number: The job's number in the run.
        count: Number of processes.
        settings: The settings of all jobs.
        listener: Accepts the workers' connections.

    Raises:
        NotStarted: The job could not be started.
    """

    opened: Opened

    def __init__(self, number: int, count: int, settings: JobSettings, listener: WorkerListener) -> None:
        self.count, self.is_usable = count, True
        self._settings, self._listener = settings, listener
        self._name = f"conformance{number}x{secrets.token_hex(6)}"
        self._path = settings.folder / f"job-{number:03d}"
        self._meetings = Meetings()
        self._failure: Failure | None = None
        self._members: list[_Member] = []
        self._last = ""
        arrivals = listener.expect(self._name)
        environment = {ADDRESS: listener.address, KEY: listener.key, JOB: self._name}
        self._processes = Processes(count, settings.launcher, environment, self._path)
        try:
            self._join(arrivals)
            self._open()
        except BaseException:
            self.kill()
            raise

    def run(self, test: Test) -> Outcome:
        """Runs a test in all processes; returns when it has ended, timed out or failed."""
        started = time.monotonic()
        limit = test.requirement.seconds * self._factor
        for member in self._members:
            member.done = member.ready = None
            member.stacks = ""
            self._send(member, member.commands, Run(test.id, test.requirement.check.__module__, limit))
        casualties = test.requirement.casualties
        end, is_told = started + limit, False
        while self._running():
            self._serve(end)
            bad = next((m for m in self._members if _is_bad(m, casualties)), None)
            if bad is not None and not is_told:
                self._serve_until(lambda: not self._running(), _GRACE * self._factor)
                if self._running():
                    self._fail(Failure("aborted", bad.index, "its part of the test failed"))
                    self._serve_until(lambda: not self._running(), _GRACE * self._factor)
                is_told = True
            if is_told or time.monotonic() >= end:
                break
        seconds = time.monotonic() - started
        if self._running():
            self._collect_stacks(self._stacks_of)
        self._serve_until(lambda: all(m.ready or m.done is None for m in self._alive()), _HEALTH * self._factor)
        outcome = combine(test, [self._part(m) for m in self._members], round(seconds, 3))
        healthy = all(m.death is None and m.ready is not None and m.ready.is_healthy for m in self._members)
        self.is_usable = healthy and self._failure is None and (self.count == 1 or outcome.status not in BAD)
        self._last = test.id
        return outcome

    def find_dead(self) -> str:
        """Handles pending messages; names a process that has ended since the last test, or returns an empty text."""
        self._serve(time.monotonic())
        return "; ".join(
            f"process {m.index} {m.death} after {self._last or 'it had opened the platform'}"
            for m in self._members if m.death)

    def close(self) -> str:
        """Closes the platform in all processes and ends them; returns the problem, or an empty text."""
        for member in self._members:
            self._send(member, member.commands, Close())
        self._serve_until(lambda: all(m.closed for m in self._alive()), _CLOSING * self._factor)
        problems = [
            f"process {m.index} {m.death}" if m.death
            else f"process {m.index} had not closed after {_CLOSING * self._factor:g} s" if m.closed is None
            else f"process {m.index}: {m.closed.problem}"
            for m in self._members if m.death or m.closed is None or m.closed.problem
        ]
        for member in self._alive():
            self._send(member, member.commands, Exit())
        is_over = self._processes.wait(_EXIT * self._factor)
        if not problems:
            problems = [
                f"process {m.index} {self._processes.ended(m.slot)}, though it was closed"
                for m in self._members if self._processes.status(m.slot)]
            if not is_over:
                problems.append(f"the processes had not ended {_EXIT * self._factor:g} s after they were closed")
        self.kill()
        return "; ".join(problems)

    def kill(self) -> None:
        """Kills all processes."""
        self.is_usable = False
        self._listener.forget(self._name)
        self._processes.kill()
        for member in self._members:
            for link in (member.commands, member.news):
                if link is not None:
                    link.close()
            with contextlib.suppress(OSError):
                self._stacks_file(member.index).unlink()

    @property
    def _factor(self) -> float:
        return self._settings.timeout_factor

    def _join(self, arrivals: queue.SimpleQueue[Arrival]) -> None:
        come = self._gather(arrivals)
        # Processes of one machine get consecutive indices; on one machine the order is that of their start.
        come.sort(key=lambda a: (a[0].machine, self._processes.slot_of(a[0].pid) or 0, a[0].pid))
        machines = tuple(hello.machine for hello, _ in come)
        for index, (hello, link) in enumerate(come):
            self._members.append(_Member(index, self._processes.slot_of(hello.pid), link))
            send(link, Welcome(
                index, self.count, self._name, machines, self._settings.platform,
                self._settings.devices_of(self.count), self._factor, str(self._stacks_file(index)),
            ))
        for hello, link in self._gather(arrivals):
            if hello.index is not None:
                self._members[hello.index].news = link

    def _gather(self, arrivals: queue.SimpleQueue[Arrival]) -> list[Arrival]:
        """The next connection of each process."""
        come: list[Arrival] = []
        end = time.monotonic() + _START * self._factor
        while len(come) < self.count:
            try:
                come.append(arrivals.get(timeout=_LOOK))
            except queue.Empty:
                for slot in range(1 if self._processes.is_launched else self.count):
                    ended = self._processes.ended(slot)
                    if ended is not None:
                        raise NotStarted(
                            f"a process {ended} before it had joined", self._processes.last_lines(slot)) from None
                if time.monotonic() > end:
                    raise NotStarted(
                        f"{len(come)} of {self.count} processes had joined after {_START * self._factor:g} s",
                        self._processes.last_lines(0)) from None
        return come

    def _open(self) -> None:
        seconds = _OPENING * self._factor
        self._serve_until(lambda: all(m.opened for m in self._alive()) or any(
            m.death or isinstance(m.opened, Refused) for m in self._members), seconds)
        for member in self._members:
            if isinstance(member.opened, Refused) and not self._failure:
                self._fail(Failure("lost", member.index, "it cannot open the platform"))
        self._serve_until(lambda: all(m.opened for m in self._alive()), _GRACE * self._factor)
        several = self.count > 1
        refused = [m for m in self._members if isinstance(m.opened, Refused)]
        # Processes that fail only because of another process come last.
        refused.sort(key=lambda m: isinstance(m.opened, Refused) and m.opened.is_consequence)
        for member in (m for m in self._members if m.death):
            raise NotStarted(
                f"process {member.index} {member.death} while it opened the platform",
                self._processes.last_lines(member.slot))
        for member in refused:
            if isinstance(member.opened, Refused):
                who = f"process {member.index} of {self.count}: " if several else ""
                raise NotStarted(f"{who}{member.opened.reason}", member.opened.trace)
        slow = [m for m in self._members if m.opened is None]
        if slow:
            self._collect_stacks(lambda m: self._processes.last_lines(m.slot))
            raise NotStarted(
                f"process {slow[0].index} had not opened the platform after {seconds:g} s", slow[0].stacks)
        if isinstance(self._members[0].opened, Opened):
            self.opened = self._members[0].opened

    def _alive(self) -> list[_Member]:
        return [m for m in self._members if m.death is None]

    def _running(self) -> list[_Member]:
        return [m for m in self._alive() if m.done is None]

    def _part(self, member: _Member) -> ProcessResult:
        done = member.done
        return ProcessResult(
            outcome=done.outcome if done else None, is_consequence=bool(done and done.is_consequence),
            death=member.death, was_killed=member.was_killed, stacks=member.stacks,
            last_lines=self._processes.last_lines(member.slot) if member.death else "",
        )

    def _serve_until(self, is_enough: Callable[[], bool], seconds: float) -> None:
        end = time.monotonic() + seconds
        while not is_enough() and time.monotonic() < end:
            self._serve(end)

    def _serve(self, end: float) -> None:
        """Handles messages that have arrived, or waits for the first; detects processes that have ended."""
        links = {link: m for m in self._alive() for link in (m.commands, m.news) if link is not None}
        ready = cast("list[Connection]", wait(links, max(0.0, min(_LOOK, end - time.monotonic()))))
        for link in ready:
            member = links[link]
            if member.death is not None:
                continue
            try:
                message = receive(link)
            except (EOFError, OSError, MessageError):
                self._lost(member)
            else:
                self._handle(member, message)
        if not ready:
            for member in self._alive():
                # A grandchild may keep its connections open.
                if self._processes.status(member.slot) is not None:
                    self._lost(member)

    def _handle(self, member: _Member, message: object) -> None:
        if isinstance(message, Meet):
            self._answer(self._meetings.come(member.index, message))
        elif isinstance(message, Withdraw):
            self._answer(self._meetings.leave(member.index, message))
        elif isinstance(message, Done):
            member.done = message
        elif isinstance(message, Ready):
            member.ready = message
        elif isinstance(message, Abort):
            self._fail(Failure("aborted", member.index, message.reason))
        elif isinstance(message, Stacks):
            member.stacks = message.text
        elif isinstance(message, (Opened, Refused)):
            member.opened = message
        elif isinstance(message, Closed):
            member.closed = message

    def _answer(self, answers: Sequence[tuple[int, object]]) -> None:
        for index, answer in answers:
            self._send(self._members[index], self._members[index].news, answer)

    def _lost(self, member: _Member) -> None:
        words = self._processes.ended(member.slot, _DEATH * self._factor) if member.slot is not None else None
        member.death = words or "lost its connection"
        status = self._processes.status(member.slot)
        member.was_killed = status == -9 if member.slot is not None else True
        self._fail(Failure("lost", member.index, f"it {member.death}"))

    def _fail(self, failure: Failure) -> None:
        """Tells all processes that the job has failed."""
        if self._failure is None:
            self._failure = failure
            for member in self._alive():
                self._send(member, member.news, failure)

    def _send(self, member: _Member, link: Connection | None, message: object) -> None:
        if member.death is None and link is not None:
            # Its end is detected when its connection is read.
            with contextlib.suppress(OSError, ValueError):
                send(link, message)

    def _collect_stacks(self, otherwise: Callable[[_Member], str]) -> None:
        """Collects the stacks of all threads of all processes."""
        asked = self._alive()
        for member in asked:
            self._send(member, member.news, Dump())
        self._serve_until(lambda: all(m.stacks for m in asked if m.death is None), _STACKS)
        for member in asked:
            member.stacks = member.stacks or otherwise(member) or "no answer, and nothing written"

    def _stacks_of(self, member: _Member) -> str:
        """The stacks that the process's watchdog thread has written, where Python does not run any more."""
        with contextlib.suppress(OSError):
            return self._stacks_file(member.index).read_text(encoding="utf-8", errors="replace")
        return ""

    def _stacks_file(self, index: int) -> Path:
        return self._path.with_name(f"{self._path.name}-{index}.stacks")


def _is_bad(member: _Member, casualties: tuple[int, ...]) -> bool:
    """Whether a process has failed by itself, and not because of another one."""
    if member.death is not None:
        return not (member.index in casualties and member.was_killed)
    return member.done is not None and member.done.outcome.status in BAD and not member.done.is_consequence
