# SPDX-License-Identifier: Apache-2.0
"""The rounds of a job that `olympus launch` runs: it is started anew when a process dies, if that was asked for."""

from __future__ import annotations

import argparse
import signal
import sys
import time
from collections.abc import Sequence
from types import FrameType
from typing import NamedTuple

from olympus_core.config import config

from .launch_job import POLL_PERIOD, Job, RoundEnd
from .launch_writer import Printer

_LONGEST_WAIT = 60.0
_TIMED_OUT = 124
# Seconds in which the last lines of a job that has lasted too long are written.
_LAST_WORDS_TIME = 5.0


class Elastic(NamedTuple):
    """How many processes a job may have.

    Args:
        least: With fewer it does not go on.
        most: It starts with so many.
    """

    least: int
    most: int

    @classmethod
    def parse(cls, text: str) -> Elastic:
        """From ``MIN:MAX``."""
        least, _, most = text.partition(":")
        try:
            found = cls(int(least), int(most))
        except ValueError:
            found = cls(0, 0)
        if not 1 <= found.least <= found.most:
            raise argparse.ArgumentTypeError(f"must be MIN:MAX with 1 <= MIN <= MAX, such as 2:4, and is {text!r}")
        return found

    def __str__(self) -> str:
        return f"{self.least}:{self.most}"


class Next(NamedTuple):
    """The round that follows a failure.

    Args:
        places: Where its processes run.
        wait: Seconds until it starts.
        text: What it is, in words.
    """

    places: Sequence[int]
    wait: float
    text: str


class Plan:
    """Decides whether a job that has failed is started anew, with which processes, and when.

    Args:
        count: Processes of the first round, and of each restart.
        least: A job of so many processes goes on with those that are left.
        restarts: How many times all processes are started anew.
        wait: Seconds before the first start; doubled for each further one.
        window: A round that lasted so many seconds gives all restarts, and the first wait, back.
    """

    def __init__(self, count: int, least: int, restarts: int, wait: float, window: float) -> None:
        self.places: Sequence[int] = range(count)
        self._count, self._least, self._restarts = count, least, restarts
        self._first_wait, self._window = wait, window
        self._used = self._short_rounds = 0

    def after(self, end: RoundEnd) -> Next | None:
        """What follows a round that has failed; None where nothing does."""
        if end.seconds >= self._window:
            self._used = self._short_rounds = 0
        left = [place for index, place in enumerate(self.places) if index not in end.lost]
        if self._least <= len(left) < len(self.places):
            self.places = left
            text = f"going on with {len(left)} of {self._count} processes"
        elif self._used < self._restarts:
            self.places, self._used = range(self._count), self._used + 1
            text = f"restart {self._used} of {self._restarts} with {self._count} processes"
        else:
            return None
        wait = min(self._first_wait * 2.0**self._short_rounds, _LONGEST_WAIT)
        self._short_rounds = min(self._short_rounds + 1, 64)
        return Next(self.places, wait, text)


class Rounds:
    """A job: its first round and those that follow.

    Args:
        args: The command line.
    """

    def __init__(self, args: argparse.Namespace) -> None:
        self._args = args
        least, count = args.elastic or (args.processes, args.processes)
        self._plan = Plan(count, least, args.restarts, args.backoff, args.restart_window)
        self._printer = Printer(sys.stdout, sys.stderr, config.launch_output_bytes)
        self._started = time.monotonic()
        self._deadline = None if args.timeout is None else self._started + args.timeout
        self._signals: list[int] = []
        self._job: Job | None = None

    def run(self) -> int:
        """Runs all rounds; the result is the exit code."""
        previous = {number: signal.signal(number, self._on_signal) for number in (signal.SIGINT, signal.SIGTERM)}
        previous[signal.SIGUSR1] = signal.signal(signal.SIGUSR1, self._on_question)
        try:
            code = self._run()
            self._finish()
            return code
        finally:
            for number, handler in previous.items():
                signal.signal(number, handler)

    def _run(self) -> int:
        restart = 0
        while True:
            self._job = Job(self._args, self._plan.places, restart, self._printer, self._signals, self._deadline)
            end = self._job.run()
            following = None if end.was_stopped or end.code == 0 else self._plan.after(end)
            if following is None:
                self._sum_up(restart, end)
                return end.code
            self._printer.say(f"{end.first}; {following.text} in {following.wait:g} s.")
            stopped = self._wait(following.wait)
            if stopped is not None:
                return stopped
            restart += 1

    def _sum_up(self, restart: int, end: RoundEnd) -> None:
        if restart or (end.code and not end.was_stopped and self._args.restarts):
            starts = f"{restart + 1} starts" if restart else "1 start"
            how = "has ended well" if end.code == 0 else f"ends with exit code {end.code}"
            self._printer.say(f"the job {how} after {starts} and {time.monotonic() - self._started:.1f} s.")

    def _wait(self, seconds: float) -> int | None:
        """Waits for the next round; the exit code where there will be none."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            if self._signals:
                self._printer.say(f"{signal.Signals(self._signals[0]).name} received: there is no other start.")
                return 128 + self._signals[0]
            if self._deadline is not None and time.monotonic() > self._deadline:
                self._printer.say(f"not ended after {self._args.timeout:g} s.")
                return _TIMED_OUT
            time.sleep(min(left, POLL_PERIOD))
        return None

    def _finish(self) -> None:
        """Waits for who reads the output, as long as they are there, the job may last and nobody interrupts."""
        heard = len(self._signals)
        # When the job's time is over the output still has a moment: its last line says so.
        until = None if self._deadline is None else max(self._deadline, time.monotonic() + _LAST_WORDS_TIME)
        while not self._printer.finish(POLL_PERIOD) and len(self._signals) == heard:
            if until is not None and time.monotonic() > until:
                break

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        """Remembers a signal; the round forwards it."""
        self._signals.append(number)

    def _on_question(self, number: int, frame: FrameType | None) -> None:
        """Hands on a signal that asks the processes for their flight records."""
        if self._job is not None:
            self._job.ask(number)
