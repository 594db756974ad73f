# SPDX-License-Identifier: Apache-2.0
"""Waiting for a GPU: polling with growing pauses, a timeout on progress, and a description of what is waited for."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Protocol

from .errors import GpuTimeoutError

if TYPE_CHECKING:
    from .gpu import Event

WAIT_TIMEOUT = 1800.0  # seconds; the default of olympus_late_timeout
_SPIN = 50e-6  # seconds of polling without a pause: small programs end within them
_EAGER = 10e-3  # seconds in which a poll only yields to other threads: the shortest sleep takes 50 µs or more
_SHARE, _LONGEST = 0.01, 1e-3  # afterwards a pause is this share of the time waited so far, and at most this long
_give_way: Callable[[], None] = getattr(os, "sched_yield", partial(time.sleep, 0))  # a `sleep(0)` is a sleep
_LOOK = 0.5  # seconds between two checks for progress; shorter where the time-out is
_EVERY = 16  # enqueued works between two marks that are kept to measure progress
_MOST_MARKS = 64
_SHOWN = 6  # programs and transfers that an error names


class StreamEvent(Protocol):
    """A point in a stream's order."""

    @property
    def tick(self) -> int:
        """The number of works that were enqueued before it."""

    def has_come(self) -> bool:
        """Whether the GPU has reached it."""


class ProgressMonitor:
    """What a stream was given lately, and marks that show whether its GPU makes progress.

    A mark is kept every few works until the GPU has reached it. The longer the queue, the fewer works get one.
    """

    __slots__ = ("_every", "_marks", "given", "next", "passed")

    def __init__(self) -> None:
        self._marks: deque[StreamEvent] = deque()
        self._every = _EVERY
        self.next = _EVERY  # the tick from which on a mark is to be kept
        self.passed = 0  # marks that the GPU has reached
        self.given: deque[str] = deque(("what it was given",), _SHOWN)  # the last programs and transfers

    def keep(self, mark: StreamEvent) -> None:
        """Keeps a mark."""
        self.look()
        marks = self._marks
        marks.append(mark)
        if len(marks) > _MOST_MARKS:
            with suppress(IndexError):  # of several threads one removes every second mark
                for i in range(_MOST_MARKS, 0, -2):
                    del marks[i - 1]
            self._every *= 2
        self.next = mark.tick + self._every

    def look(self) -> int:
        """Drops the marks that the GPU has reached, and returns how many it has reached so far."""
        marks = self._marks
        with suppress(IndexError):  # another thread was quicker
            while marks[0].has_come():
                marks.popleft()
                self.passed += 1
            return self.passed
        self._every = _EVERY
        return self.passed

    def clear(self) -> None:
        """Drops all marks."""
        self._marks.clear()

    def told(self) -> list[str]:
        """The last programs and transfers, each once, the latest first."""
        return list(dict.fromkeys(reversed(self.given)))


class Waiter(Protocol):
    """What a wait needs to know of the stream that it waits for; `memory.StreamContext` is one.

    Attributes:
        name: The device, for errors.
        wait_timeout: Seconds without progress after which a wait fails.
        monitor: Its progress.
        watch: Raises an error from outside the stream's own work, such as a failed communication; may be None.
        is_stuck: Set to whether the last wait was given up.
    """

    name: str
    wait_timeout: float
    monitor: ProgressMonitor
    watch: Callable[[], None] | None
    is_stuck: bool

    @property
    def siblings(self) -> Sequence[Waiter]:
        """The streams of all devices of the client: the stream may wait for work of theirs."""


def until_done(event: Event, what: str, waiter: Waiter) -> None:
    """Waits for an event; an error of the GPU is raised here.

    Args:
        event: The event.
        what: What is waited for, as error messages call it.
        waiter: The stream whose work the event marks.

    Raises:
        GpuTimeoutError: If none of this process's GPUs has made progress for the stream's `wait_timeout`.
        GpuLostError: If a kernel or a copy has failed.
        NcclError: If communication with other GPUs has failed.
    """
    if not event.is_done():
        try:
            _poll(event.is_done, what, waiter)
        except BaseException:
            waiter.is_stuck = True
            raise
    waiter.is_stuck = False
    event.check()
    if waiter.watch is not None:
        waiter.watch()


def _poll(is_done: Callable[[], bool], what: str, waiter: Waiter) -> None:
    """Polls until done. Pauses let other threads run, and let the interpreter handle signals."""
    now, sleep = time.perf_counter, time.sleep
    start = now()
    spun, eager = start + _SPIN, start + _EAGER
    while not is_done():
        time_now = now()
        if time_now < spun:
            continue
        if time_now >= eager:
            break
        _give_way()
    else:
        return
    look = min(_LOOK, waiter.wait_timeout / 4)
    moved, judged, passed = start, start, -1
    while not is_done():
        time_now = now()
        if time_now - judged >= look:
            judged, seen = time_now, _passed(waiter)
            if waiter.watch is not None:
                waiter.watch()
            if seen != passed:
                moved, passed = time_now if passed >= 0 else start, seen
            elif time_now - moved >= waiter.wait_timeout:
                raise GpuTimeoutError(waiter.name, what, time_now - start, waiter.wait_timeout, waiter.monitor.told())
        sleep(min(_SHARE * (time_now - start), _LONGEST))


def _passed(waiter: Waiter) -> int:
    """How many marks the GPUs have reached in this stream and in all others that it may wait for."""
    waiters: Iterable[Waiter] = {waiter, *waiter.siblings}
    return sum(one.monitor.look() for one in waiters)
