# SPDX-License-Identifier: Apache-2.0
"""`Profile`: what one process has recorded, with the clock that it was measured by."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from olympus_core.plugin import KernelDescription, KernelTimes
from olympus_core.runtime.memory_needs import Holder

if TYPE_CHECKING:
    from olympus_core.cluster.connection import Connection

_LOOKS = 9  # at two clocks, of which the closest counts


class Span(NamedTuple):
    """What a thread did.

    Args:
        kind: Of what kind it was: see `recording.Recorder.span`; also ``trace``, ``partition``, ``compile``, ``call``,
            ``execution``, ``device`` (an execution of a platform that tells nothing of its kernels), ``annotation``.
        name: What it was.
        location: The user's line; empty where it is not known.
        thread: `threading.get_ident` of the thread.
        start: When it began, in nanoseconds of `time.perf_counter_ns`.
        end: When it ended.
        about: What else is known.
    """

    kind: str
    name: str
    location: str
    thread: int
    start: int
    end: int
    about: dict[str, Any]


@dataclass
class Profile:
    """What one process has recorded.

    Attributes:
        process: Its index.
        processes: How many there are.
        host: Its machine.
        pid: Its identifier there.
        job: The job's name, which is unique for each run; empty for a process alone.
        number: How many profiles the process recorded before.
        offset: Nanoseconds from `time.perf_counter_ns` to the time of day of process 0.
        start: When the recording began, by `time.perf_counter_ns`.
        end: When it ended.
        main: The thread that began it.
        threads: The threads' names.
        spans: What was done.
        kernels: The kernels that ran.
        rows: Their executions: kernel, thread, start, end.
        later: For kernels of which too many executions came: how many more, and their nanoseconds.
        dropped: What is not in it.
        peak: What held memory when arrays held the most, as far as was looked.
        is_complete: Whether all executions had ended.
        unseen: Platforms where programs ran and that tell nothing of their kernels.
    """

    process: int
    processes: int
    host: str
    pid: int
    job: str
    number: int
    offset: int
    start: int
    end: int
    main: int
    threads: dict[int, str]
    spans: list[Span]
    kernels: tuple[KernelDescription, ...]
    rows: np.ndarray
    dropped: int
    peak: list[Holder]
    is_complete: bool
    unseen: list[str]
    later: dict[int, tuple[int, int]] = field(default_factory=dict)

    @property
    def seconds(self) -> float:
        """How long was recorded."""
        return (self.end - self.start) / 1e9

    def add_kernels(self, found: KernelTimes) -> None:
        """Takes what a platform has recorded."""
        first = len(self.kernels)
        rows = found.rows.copy()
        rows[:, 0] += first
        self.kernels += found.kernels
        self.later.update({first + i: told for i, told in found.later.items()})
        called = rows[:, 2:]
        if found.enqueued is not None:
            called = found.enqueued[:, [1, 1]]
        self._take_lines(rows, called)
        if found.enqueued is not None:  # queues stand among the threads, with numbers that no thread has
            queues = len([thread for thread in self.threads if thread < 0])
            rows[:, 1] = -1 - queues - found.enqueued[:, 0]
            self.threads.update({-1 - queues - i: name for i, name in enumerate(found.queues)})
        self.rows = np.concatenate([self.rows, rows])

    def _take_lines(self, rows: np.ndarray, called: np.ndarray) -> None:
        """Kernels of programs that many lines share get the line of the call that ran them.

        Args:
            rows: The rows of executions, whose kernels are changed.
            called: When each was called and when that call was over.
        """
        owners: dict[int, list[Span]] = {}
        for span in self.spans:
            if span.kind in ("execution", "call"):
                owners.setdefault(span.thread, []).append(span)
        made: dict[tuple[int, str], int] = {}
        kernels = list(self.kernels)
        for thread, spans in owners.items():
            spans = sorted((s for s in spans if s.kind == "execution"), key=lambda s: s.start)
            if not spans:
                continue
            chosen = np.flatnonzero(rows[:, 1] == thread)
            starts, ends = (np.array([s[i] for s in spans]) for i in (4, 5))
            at = np.searchsorted(starts, called[chosen, 0], "right") - 1
            inside = (at >= 0) & (called[chosen, 1] <= ends[np.maximum(at, 0)])
            for row, number in zip(chosen[inside].tolist(), at[inside].tolist(), strict=True):
                span = spans[number]
                kernel = int(rows[row, 0])
                if not span.about.get("by_line") or not span.location or kernels[kernel].location == span.location:
                    continue
                key = kernel, span.location
                if key not in made:
                    made[key] = len(kernels)
                    kernels.append(kernels[kernel]._replace(location=span.location))
                rows[row, 0] = made[key]
        self.kernels = tuple(kernels)


def clock_offset(connection: Connection | None) -> int:
    """Nanoseconds from this process's `time.perf_counter_ns` to the time of day of process 0.

    Processes of one machine have one clock. Those of other machines ask the coordinator for its time.

    Args:
        connection: The connection to the other processes; None where there are none.
    """
    looks = []
    for _ in range(_LOOKS):
        before, there, after = time.perf_counter_ns(), time.time_ns(), time.perf_counter_ns()
        looks.append((after - before, there - (before + after) // 2))
    own = min(looks)[1]
    if connection is None or connection.hosts[connection.process_index] == connection.hosts[0]:
        return own
    return own + connection.clock_difference()


def threads_of(profile: Profile) -> dict[int, int]:
    """A small number for each thread, the main thread's first."""
    seen: Sequence[int] = [profile.main, *(s.thread for s in profile.spans), *np.unique(profile.rows[:, 1]).tolist()]
    return {thread: i + 1 for i, thread in enumerate(dict.fromkeys(seen))}
