"""Waits for a GPU: they look again and again, say what for, and end."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING

from .errors import GpuTimeoutError

if TYPE_CHECKING:
    from .gpu import Event
    from .memory import Completion, StreamContext

PATIENCE = 300.0  # seconds, where nobody says: what the option for processes that compute has
_SPIN = 50e-6  # seconds without any pause: small programs are done by then
_EAGER = 10e-3  # seconds in which other threads may come in between; no sleep of the system's is so short
_SHARE, _LONGEST = 0.01, 1e-3  # a pause is so much of the time waited so far, and no longer
_LOOK = 0.5  # seconds after which a wait that lasts is judged; much less where there is less patience
_EVERY = 16  # works between two marks that are kept to see whether the GPU goes on
_MOST_MARKS = 64
_SHOWN = 6


class ProgressMonitor:
    """The last work of a stream: a long wait reads from it whether the GPU makes progress, and what it is doing.

    Marks of some works are kept until they have come, the fewer of each the longer the GPU's queue is.
    """

    __slots__ = ("_every", "_marks", "given", "next", "passed")

    def __init__(self) -> None:
        self._marks: deque[Completion] = deque()
        self._every = _EVERY
        self.next = _EVERY  # the tick from which on a mark is to be kept
        self.passed = 0  # marks that have come
        self.given: deque[str] = deque(("what it was given",), _SHOWN)  # the last programs and transfers

    def keep(self, ready: Completion) -> None:
        """Keeps a mark."""
        self.look()
        marks = self._marks
        marks.append(ready)
        if len(marks) > _MOST_MARKS:
            with suppress(IndexError):  # of several threads one thins them out
                for i in range(_MOST_MARKS, 0, -2):
                    del marks[i - 1]
            self._every *= 2
        self.next = ready.tick + self._every

    def look(self) -> int:
        """How many of the marks have come by now."""
        marks = self._marks
        with suppress(IndexError):  # another thread was quicker
            while marks[0].has_come():
                marks.popleft()
                self.passed += 1
            return self.passed
        self._every = _EVERY
        return self.passed

    def clear(self) -> None:
        """Forgets everything."""
        self._marks.clear()

    def told(self) -> list[str]:
        """The last programs and transfers, each once, the latest first."""
        return list(dict.fromkeys(reversed(self.given)))


def until_done(event: Event, what: str, context: StreamContext) -> None:
    """Waits for an event; an error of the GPU shows here.

    Args:
        event: The event.
        what: What it is waited for, for people.
        context: The context that was given what the event marks.

    Raises:
        GpuTimeoutError: If none of this process's GPUs has gone on for as long as the context's patience.
        GpuLostError: If a kernel or a copy has failed.
        NcclError: If communication with other GPUs has failed.
    """
    if not event.is_done():
        try:
            _look_until(event.is_done, what, context)
        except BaseException:
            context.is_stuck = True
            raise
    context.is_stuck = False
    event.check()
    if context.watch is not None:
        context.watch()


def _look_until(is_done: Callable[[], bool], what: str, context: StreamContext) -> None:
    """Looks again and again, which leaves the interpreter to others and the signals their way."""
    now, sleep = time.perf_counter, time.sleep
    start = now()
    spun, eager = start + _SPIN, start + _EAGER
    while not is_done():
        time_now = now()
        if time_now < spun:
            continue
        if time_now >= eager:
            break
        sleep(0)
    else:
        return
    look = min(_LOOK, context.patience / 4)
    moved, judged, passed = start, start, -1
    while not is_done():
        time_now = now()
        if time_now - judged >= look:
            judged, seen = time_now, _passed(context)
            if context.watch is not None:
                context.watch()
            if seen != passed:
                moved, passed = time_now if passed >= 0 else start, seen
            elif time_now - moved >= context.patience:
                raise GpuTimeoutError(context.name, what, time_now - start, context.patience, context.monitor.told())
        sleep(min(_SHARE * (time_now - start), _LONGEST))


def _passed(context: StreamContext) -> int:
    """How many marks have come on the context and on all others of the process, for which it may wait."""
    contexts: Iterable[StreamContext] = {context, *context.siblings}
    return sum(one.monitor.look() for one in contexts)
