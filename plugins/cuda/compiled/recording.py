# SPDX-License-Identifier: Apache-2.0
"""`KernelRecorder`: what kernels and library calls take on GPUs, by events between them while a profile is made."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import get_ident
from time import perf_counter_ns
from typing import TYPE_CHECKING

import numpy as np

from olympus_core.plugin import KernelDescription, KernelTimes

from ..waiting import until_done

if TYPE_CHECKING:
    from ..gpu import Stream, TimedEvent
    from ..memory import StreamContext

_MOST = 4_000_000  # rows that are kept; of later ones the sums remain
_MOST_PENDING = 8192  # events that the GPU has not reached yet when those that it has reached are read
_LOOKS = 5


@dataclass(slots=True)
class _Call:
    """One execution of a group: an event before its first step and one after each."""

    events: list[TimedEvent]
    steps: Sequence[KernelDescription]
    thread: int
    called: int


class StreamRecorder:
    """The recording of one stream; callers hold the stream's lock.

    Args:
        context: The stream.
        numbers: The numbers of the kernels in the recording, which all streams share.
    """

    def __init__(self, context: StreamContext, numbers: dict[KernelDescription, int]) -> None:
        self._context, self._numbers = context, numbers
        self._free: list[TimedEvent] = []
        self._pending: deque[_Call] = deque()
        self._pending_events = 0
        self.rows: list[tuple[int, int, int, int, int]] = []  # kernel, thread, called, begin and end by the GPU's clock
        self.sums: dict[int, list[int]] = {}
        self.lost = 0
        self._first, self._last = self._marked(), 0.0  # the event of `_last` nanoseconds by the GPU's clock
        self._latest, self._began = self._first[0], self._first[1]

    def run(self, enqueuing: Sequence[Callable[[Stream], None]], steps: Sequence[KernelDescription | None]) -> None:
        """Enqueues a group with an event after each of its steps.

        Args:
            enqueuing: Its launches.
            steps: For each launch the step that it begins; None where it belongs to the one before.
        """
        stream = self._context.stream
        events, called = [self._event()], perf_counter_ns()
        events[0].record(stream)
        for i, (enqueue, step) in enumerate(zip(enqueuing, steps, strict=True)):
            if i and step is not None:
                events.append(self._event())
                events[-1].record(stream)
            enqueue(stream)
        events.append(self._event())
        events[-1].record(stream)
        self._pending.append(_Call(events, [step for step in steps if step is not None], get_ident(), called))
        self._pending_events += len(events)
        if self._pending_events > _MOST_PENDING:
            self._settle()

    def stop(self) -> np.ndarray:
        """Reads what is left, once the stream has been waited for.

        Returns:
            The rows, with begin and end by `time.perf_counter_ns`.
        """
        self._settle()
        self.lost += sum(len(call.steps) for call in self._pending)  # a GPU that is lost or stuck
        rows, scale = np.array(self.rows, np.int64).reshape(-1, 5), 1.0
        if not self._pending and not self._context.is_stuck:
            end, ended = self._marked()
            there = self._last + self._latest.nanoseconds_to(end)
            scale = (ended - self._began) / there if there > 0 else 1.0  # the clocks do not run alike
            self._free.append(end)
        rows[:, 3:] = self._began + np.rint(rows[:, 3:] * scale).astype(np.int64)
        for event in {*self._free, self._latest, *(e for call in self._pending for e in call.events)}:
            event.destroy()
        self._pending.clear()
        return rows

    def _settle(self) -> None:
        """Reads the events of calls that the GPU has done."""
        while self._pending and self._pending[0].events[-1].is_done():
            call = self._pending.popleft()
            self._pending_events -= len(call.events)
            times, before = [], self._latest
            for event in call.events:
                self._last += before.nanoseconds_to(event)
                times.append(round(self._last))
                before = event
            self._free += [self._latest, *call.events[:-1]]
            self._latest = before
            for step, begin, end in zip(call.steps, times, times[1:], strict=False):
                number = self._numbers.setdefault(step, len(self._numbers))
                if len(self.rows) < _MOST:
                    self.rows.append((number, call.thread, call.called, begin, end))
                    continue
                found = self.sums.setdefault(number, [0, 0])
                found[0] += 1
                found[1] += end - begin

    def _event(self) -> TimedEvent:
        return self._free.pop() if self._free else self._context.gpu.timed_event(self._context.ordinal)

    def _marked(self) -> tuple[TimedEvent, int]:
        """An event that has come, and the time of the host when it came, as nearly as a host can tell."""
        looks = []
        for _ in range(_LOOKS):
            event = self._context.gpu.timed_event(self._context.ordinal)
            before = perf_counter_ns()
            event.record(self._context.stream)
            until_done(event, "the time of a GPU's clock", self._context)
            after = perf_counter_ns()
            looks.append((after - before, after, event))
        looks.sort(key=lambda look: look[0])
        for _, _, event in looks[1:]:
            event.destroy()
        took, after, event = looks[0]
        return event, after - took // 2


class KernelRecorder:
    """Records what all streams of a client run from now on; one at a time.

    While it does, groups are enqueued launch by launch, not as graphs: events inside of a graph cannot be told apart.

    Args:
        contexts: The streams.
    """

    def __init__(self, contexts: Sequence[StreamContext]) -> None:
        self._numbers: dict[KernelDescription, int] = {}
        self._recorders: dict[StreamContext, StreamRecorder] = {}
        for context in contexts:
            if context.is_stuck:  # nobody waits for it again
                continue
            context.drain("what was enqueued before a recording")
            with context.gpu.translated(context.ordinal), context.gpu.using(context.ordinal), context.lock:
                context.recorder = self._recorders[context] = StreamRecorder(context, self._numbers)

    def stop(self) -> KernelTimes:
        """Ends the recording.

        Returns:
            What was recorded; of each row its stream and when the host enqueued it, too.
        """
        all_rows, later, lost = [], dict[int, tuple[int, int]](), 0
        for context, recorder in self._recorders.items():
            with context.lock:
                context.recorder = None
            if not context.is_stuck:
                context.drain("the end of a recording")
            with context.gpu.translated(context.ordinal), context.gpu.using(context.ordinal), context.lock:
                all_rows.append(recorder.stop())
            lost += recorder.lost
            for number, (count, total) in recorder.sums.items():
                before = later.get(number, (0, 0))
                later[number] = before[0] + count, before[1] + total
        joined = np.concatenate(all_rows) if all_rows else np.zeros((0, 5), np.int64)
        queues = np.repeat(np.arange(len(all_rows)), [len(rows) for rows in all_rows])
        return KernelTimes(
            tuple(self._numbers), joined[:, [0, 1, 3, 4]], later, lost,
            tuple(context.name for context in self._recorders), np.stack([queues, joined[:, 2]], axis=1))
