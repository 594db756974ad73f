# SPDX-License-Identifier: Apache-2.0
"""The waits for other processes in which the threads of this process are blocked."""

from __future__ import annotations

import sys
import threading
import time
from typing import Any, NamedTuple

from olympus_core.errors.cluster import spell
from olympus_core.location import user_location

_MOST_SENT = 16  # waits in a report, the oldest


class Wait(NamedTuple):
    """A wait of one thread.

    Args:
        label: What is waited for; the meeting's name where it is one.
        is_meeting: Whether it is a meeting, which the coordinator knows, and not a launch.
        group: Who takes part.
        position: Number of the launch among those of the group.
        since: When it began.
        line: The user's line.
    """

    label: str
    is_meeting: bool
    group: tuple[int, ...]
    position: int
    since: float
    line: str


class WaitReport(NamedTuple):
    """A wait as it is reported; see `Wait`.

    Args:
        label: What is waited for.
        is_meeting: Whether it is a meeting.
        group: Who takes part, as people write it.
        position: Number of the launch.
        seconds: How long it has lasted.
        line: The user's line.
    """

    label: str
    is_meeting: bool
    group: str
    position: int
    seconds: float
    line: str

    @property
    def words(self) -> str:
        """What is waited for, for people."""
        return f"meeting {self.label!r}" if self.is_meeting else self.label


class Waits:
    """Which threads launch, and which of them are blocked in a wait.

    Attributes:
        thread: The thread that launched last.
        moved: Bytes that transports have moved.
    """

    def __init__(self) -> None:
        self.thread = 0
        self.moved = 0
        self._threads: set[int] = set()
        self._blocked: dict[int, Wait] = {}
        self._moved_before, self._moved_at = 0, time.monotonic()

    def launch_in(self, thread: int) -> None:
        """Notes that a thread launches."""
        self._threads.add(thread)
        self.thread = thread

    def begin(self, label: str, is_meeting: bool, group: tuple[int, ...], position: int, waited: float) -> None:
        """Notes that this thread is blocked; again for the same wait does nothing."""
        thread = threading.get_ident()
        if thread not in self._blocked:
            self._threads.add(thread)
            since = time.monotonic() - waited
            self._blocked[thread] = Wait(label, is_meeting, group, position, since, user_location(2))

    def end(self) -> None:
        """Notes that this thread is blocked no more."""
        self._blocked.pop(threading.get_ident(), None)

    @property
    def are_under_way(self) -> bool:
        """Whether a thread is blocked."""
        return bool(self._blocked)

    def free_thread(self) -> int | None:
        """A thread that launches and is not blocked; the main thread where there is none."""
        blocked = self._blocked
        free = [t for t in (self.thread, *list(self._threads)) if t in sys._current_frames() and t not in blocked]
        return free[0] if free else threading.main_thread().ident

    def report(self, now: float) -> dict[str, Any]:
        """What is sent: the waits, and for how long all that launch have been blocked while nothing moved."""
        if self.moved != self._moved_before:
            self._moved_before, self._moved_at = self.moved, now
        blocked = dict(self._blocked)
        if not blocked:
            return {"waits": [], "blocked": None}
        # A thread that is elsewhere may launch what another one waits for.
        living = sys._current_frames().keys()
        is_blocked = all(thread in blocked for thread in list(self._threads) if thread in living)
        oldest = sorted(blocked.values(), key=lambda wait: wait.since)[:_MOST_SENT]
        sent = [WaitReport(*w[:2], spell(w.group), w.position, max(0.0, now - w.since), w.line) for w in oldest]
        quiet = now - max(self._moved_at, oldest[-1].since)
        return {"waits": sent, "blocked": max(0.0, quiet) if is_blocked and len(blocked) == len(oldest) else None}
