# SPDX-License-Identifier: Apache-2.0
"""The progress of this process: what it reports to the coordinator with every heartbeat."""

from __future__ import annotations

import time
from typing import Any

from olympus_core.errors.cluster import spell

from .waits import Waits

Launch = tuple[int, object, tuple[int, ...]]

_MOST_GROUPS = 32  # kept by identity


class ProcessProgress:
    """The last launch, the last launch of each group, and whether the process has declared to be slow.

    Attributes:
        current: Number, words and group of the last launch.
        latest: The same for each other group, by the identity of its tuple: hashing a long tuple would cost more
            than all the rest of a launch. The value keeps the tuple alive.
        slow: What the process is slow at, the innermost last.
        thread: The thread that launched last.
        waits: What its threads wait for, and the bytes that transports have moved.
    """

    __slots__ = ("_entered", "_seen", "_seen_at", "current", "latest", "slow", "thread", "waits")

    def __init__(self) -> None:
        self.current: Launch = (0, "", ())
        self.latest: dict[int, Launch] = {}
        self.slow: list[str] = []
        self.thread = 0
        self.waits = Waits()
        self._seen: Launch = self.current
        self._seen_at = time.monotonic()
        self._entered: dict[str, int] = {}

    def change_group(self) -> None:
        """Keeps the last launch, since the next one is another group's."""
        self.latest[id(self.current[2])] = self.current

    def change_thread(self, thread: int) -> None:
        """Notes that the next launch is another thread's."""
        self.thread = thread
        self.waits.launch_in(thread)

    @property
    def text(self) -> str:
        """The last launch in words."""
        return str(self.current[1])

    def report(self) -> dict[str, Any]:
        """What is sent."""
        current, now = self.current, time.monotonic()
        if current is not self._seen:
            self._seen, self._seen_at = current, now
        number, text, group = current
        # Groups that are equal but not identical are merged here.
        launches = [(id(group), current), *list(self.latest.items())]
        for identity, (entered, _, members) in launches:
            key = spell(members)
            # The newest come last: there is a limit to how many are sent.
            self._entered[key] = max(entered, self._entered.pop(key, 0))
            if len(launches) > _MOST_GROUPS:
                self.latest.pop(identity, None)
        return {
            "position": number,
            "text": str(text),
            "group": spell(group),
            "entered": dict(self._entered),
            "slow": self.slow[-1] if self.slow else None,
            "moved": self.waits.moved,
            "seconds": round(now - self._seen_at, 1),
            **self.waits.report(now),
        }
