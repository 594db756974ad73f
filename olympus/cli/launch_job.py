# SPDX-License-Identifier: Apache-2.0
"""One round of a job that `olympus launch` runs: its processes from their start until all have ended."""

from __future__ import annotations

import argparse
import selectors
import signal
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from olympus_core.cluster.open_files import allow_open_files

from .launch_output import Child, FailureReport, Started, exit_code
from .launch_remote import start_remote
from .launch_start import start_processes
from .launch_writer import Printer

# For the others to print their own errors once one has failed; and to end after a request that is not SIGTERM's.
_FAILURE_TIME, _END_TIME = 3.0, 2.0
POLL_PERIOD = 0.02
_TIMED_OUT = 124
# With which a process ends that was asked to end, and did so by itself.
_ASKED_TO_END = 128 + signal.SIGTERM


@dataclass(frozen=True)
class RoundEnd:
    """How a round has ended.

    Attributes:
        code: The exit code: the first failure's, or what the launcher was told to end by.
        first: The process that failed first, and how, in words; None where none has failed.
        lost: The processes that have died: those that a signal ended, and the first that failed; in its place the one
            that it calls lost, and nobody where it was asked to end.
        was_stopped: Whether the launcher was interrupted, or the job has reached its time limit.
        seconds: How long it lasted.
    """

    code: int
    first: str | None
    lost: tuple[int, ...]
    was_stopped: bool
    seconds: float


class Job:
    """The processes of one round.

    Args:
        args: The command line.
        places: Where each process runs: its index in the first round.
        restart: How often the job was started before.
        printer: Where the output goes.
        signals: Those that the launcher has received; the caller adds to it.
        deadline: When the job has to be over, by the monotonic clock; None for never.
    """

    def __init__(
        self, args: argparse.Namespace, places: Sequence[int], restart: int, printer: Printer, signals: list[int],
        deadline: float | None,
    ) -> None:
        self._args, self._places, self._restart = args, places, restart
        self._printer, self._signals, self._deadline = printer, signals, deadline
        self._suffix = f"#{restart}" if restart else ""
        self._children: list[Child] = []
        self._selector = selectors.DefaultSelector()
        self._started = time.monotonic()
        self._failed_at: float | None = None
        self._failure_time = _FAILURE_TIME
        self._asked: float | None = None
        self._end_time = _END_TIME
        self._result: int | None = None

    def run(self) -> RoundEnd:
        """Starts all processes and streams their output until all have ended."""
        try:
            # Of a process of another machine both ends of its pipes are here, and three of the connection's.
            each = 2 if self._args.places is None else 7
            allow_open_files(each * len(self._places), f"the output and errors of {len(self._places)} processes")
            for index, process in enumerate(self._start()):
                child = Child(index, process, self._printer, self._suffix)
                self._children.append(child)
                for stream in child.streams:
                    self._selector.register(stream.file, selectors.EVENT_READ, stream)
            return self._watch()
        finally:
            for child in self._children:
                child.destroy()
            self._selector.close()

    def ask(self, number: int) -> None:
        """Sends a signal to those processes that have a handler for it; the others it would end."""
        for child in self._children:
            child.ask(number)
    def _start(self) -> Iterator[Started]:
        if self._args.places is None:
            return start_processes(self._args, self._places, self._restart)
        places = [self._args.places[place] for place in self._places]
        return start_remote(self._args, places, self._restart, self._printer.say)

    def _watch(self) -> RoundEnd:
        while not all(child.has_ended for child in self._children):
            ready = self._selector.select(POLL_PERIOD)
            for key, _ in ready:
                if not key.data.read():
                    self._selector.unregister(key.fileobj)
            if ready and not any(key.data.room() for key, _ in ready):
                time.sleep(POLL_PERIOD)  # they are ready, but the reader of all this is not
            now = time.monotonic()
            for child in self._children:
                child.release_held(now)
                if child.poll(now) and child.code != 0 and self._failed_at is None:
                    self._failed_at = now
                    # Who was asked to end has saved: so may the others.
                    self._failure_time = self._args.grace if child.code == _ASKED_TO_END else _FAILURE_TIME
            self._end_if_due(now)
        for child in self._children:
            child.drain()
        return self._ended()

    def _end_if_due(self, now: float) -> None:
        if self._signals and self._asked is None:
            number = self._signals[0]
            self._end_time = self._args.grace if number == signal.SIGTERM else _END_TIME
            name, count = signal.Signals(number).name, len(self._children)
            self._printer.say(f"{name} received: ending {count} processes, in {self._end_time:g} s at the latest.")
            self._result = 128 + number
            self._ask_to_end(now, number)
        elif self._asked is None and self._failed_at is not None and now - self._failed_at > self._failure_time:
            self._ask_to_end(now, signal.SIGTERM)
        elif self._asked is None and self._deadline is not None and now > self._deadline:
            running = [child.index for child in self._children if not child.has_ended]
            self._printer.say(f"not ended after {self._args.timeout:g} s: processes {running}; ending them.")
            self._result = _TIMED_OUT
            self._ask_to_end(now, signal.SIGTERM)
        # A scheduler may send SIGTERM several times; only somebody at a keyboard means a second signal as haste.
        elif self._asked is not None and (now - self._asked > self._end_time or signal.SIGINT in self._signals[1:]):
            for child in self._children:
                child.send(signal.SIGKILL)

    def _ask_to_end(self, now: float, number: int) -> None:
        self._asked = now
        for child in self._children:
            child.send(number)

    def _ended(self) -> RoundEnd:
        report = FailureReport(self._children, self._printer, self._started, self._suffix)
        first = report.show(was_interrupted=self._result is not None)
        code = exit_code(first.code) if first is not None else 0
        words = None if first is None else report.describe(first)
        if words is not None and report.blamed is not None:
            words += f", which lost process {report.blamed}"
        return RoundEnd(
            code=code if self._result is None else self._result,
            first=words,
            lost=self._lost(first, report.blamed),
            was_stopped=self._result is not None,
            seconds=time.monotonic() - self._started,
        )

    def _lost(self, first: Child | None, blamed: int | None) -> tuple[int, ...]:
        lost = {child.index for child in self._children if child.was_killed and not child.was_asked}
        if blamed is not None:
            lost.add(blamed)  # the launcher had to end it: it was silent, or stopped, for the others
        elif first is not None and first.code != _ASKED_TO_END:
            lost.add(first.index)
        return tuple(index for index in sorted(lost) if index < len(self._children))
