# SPDX-License-Identifier: Apache-2.0
"""Judges the waits that processes report: who is missing, who is late, who can never come."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from olympus_core.errors.cluster import Standing, spell

from .failure import Failure, compress, failure
from .groups import unspell
from .meetings import Meetings
from .peer import Peer
from .settings import ClusterSettings
from .waits import WaitReport

LATE, DEADLOCK = "olympus_late_timeout", "olympus_deadlock_timeout"

_members = lru_cache(maxsize=64)(unspell)  # groups are few, and asked about again and again


class WaitState(NamedTuple):
    """A wait of a process, and who is missing in it.

    Args:
        peer: Who waits.
        wait: The wait.
        seconds: How long it lasts now.
        missing: Who has not come, ascending.
        needed: Who has to move for it to end: the missing, and those that are in the same launch.
    """

    peer: Peer
    wait: WaitReport
    seconds: float
    missing: tuple[int, ...]
    needed: frozenset[int]


class WaitLimits:
    """Decides about waits from the coordinator's view of the processes.

    One pass over the processes judges all of their waits, and what processes share is found out once.

    Args:
        peers: The processes by index; the coordinator's own dictionary.
        meetings: The exchanges under way; likewise.
        settings: The times.
    """

    def __init__(self, peers: Mapping[int, Peer], meetings: Meetings, settings: ClusterSettings) -> None:
        self._peers, self._meetings, self._settings = peers, meetings, settings

    def standings(self, now: float, processes: Iterable[int] | None = None) -> list[Standing]:
        """Where the processes stand, all when None."""
        found = []
        for process in sorted(self._peers if processes is None else processes):
            peer = self._peers.get(process)
            if peer is not None:
                meeting = None if peer.waits else self._meetings.of(process)
                found.append(peer.standing(now, meeting.describe() if meeting else None))
        return found

    def look(
        self, asker: int, label: str | None, group: str, position: int, now: float, shared: dict[Any, dict[str, Any]]
    ) -> dict[str, Any]:
        """Who is missing in the asker's wait, and where they stand.

        Args:
            asker: Who waits.
            label: Name of the meeting that it waits in; None for a launch.
            group: Who takes part; nobody for a look at all processes.
            position: Number of the launch.
            now: The time.
            shared: What others were told who asked at the same time: who waits for the same is told the same.
        """
        meeting = self._meetings.by_label(asker, label) if label is not None else None
        key = (group, position) if label is None else id(meeting)
        if key not in shared:
            missing: Iterable[int] = meeting.missing if meeting else ()
            if label is None:
                missing = self._missing(group, position)[0]
            standings = self.standings(now, missing if group else None)
            shared[key] = {"missing": spell(missing), "standings": compress(standings)}
        return shared[key]

    def judge(self, now: float) -> list[WaitState]:
        """All waits that processes have reported and that have not ended."""
        found: list[WaitState] = []
        shared: dict[Any, tuple[tuple[int, ...], frozenset[int]]] = {}
        for process, peer in self._peers.items():
            for wait in peer.waits if peer.is_present else ():
                key: Any = wait.group, wait.position
                if wait.is_meeting:
                    meeting = self._meetings.by_label(process, wait.label)
                    if meeting is None:
                        continue  # the answer is on its way
                    key = id(meeting)
                    if key not in shared:
                        missing = tuple(meeting.missing)
                        shared[key] = missing, frozenset(missing)
                elif key not in shared:
                    shared[key] = self._missing(wait.group, wait.position)
                found.append(WaitState(peer, wait, wait.seconds + now - peer.reported, *shared[key]))
        return found

    def _missing(self, group: str, position: int) -> tuple[tuple[int, ...], frozenset[int]]:
        """Who has not entered a launch, and who has not gone beyond it."""
        missing, needed = [], []
        for process in _members(group):
            peer = self._peers.get(process)
            entered = peer.entered.get(group, 0) if peer is not None else position
            if entered < position:
                missing.append(process)
            if entered <= position:
                needed.append(process)
        return tuple(missing), frozenset(needed)

    def deadlocked(self, judged: Iterable[WaitState]) -> list[WaitState]:
        """The waits of processes that wait for each other, so that none of them can ever end; mostly none.

        In such a set every process says that all its threads which launch have been blocked for long, and nobody
        outside of the set could end one of the waits. What processes said at different times fits together: who is
        blocked cannot have moved since unless somebody else had.
        """
        limit = self._settings.deadlock_timeout
        waits: dict[int, list[WaitState]] = {}
        for one in judged:
            waits.setdefault(one.peer.process, []).append(one)
        stuck = {
            process: of for process, of in waits.items()
            if of[0].peer.blocked is not None and of[0].peer.blocked >= limit
            and len(of) == len(of[0].peer.waits) and all(one.missing for one in of)
        }
        before = -1
        while stuck and len(stuck) != before:
            before = len(stuck)
            can_end: dict[frozenset[int], bool] = {}
            for of in stuck.values():
                for one in of:
                    if one.needed not in can_end:
                        can_end[one.needed] = any(p not in stuck for p in one.needed)
            stuck = {p: of for p, of in stuck.items() if not any(can_end[one.needed] for one in of)}
        return [one for of in stuck.values() for one in of]

    def deadlock(self, judged: Iterable[WaitState]) -> Failure | None:
        """The failure of processes that wait for each other."""
        waits = self.deadlocked(judged)
        if not waits:
            return None
        first = min(waits, key=lambda one: one.peer.process)
        return self._timeout(first, DEADLOCK, deadlocked=spell(one.peer.process for one in waits))

    def overdue(self, judged: Iterable[WaitState], now: float) -> WaitState | None:
        """A wait that has lasted for too long; where all have come, one in which nothing has moved for so long."""
        limit = self._settings.late_timeout
        for one in judged:
            if one.seconds > limit and (one.missing or now - one.peer.moved_at > limit):
                return one
        return None

    def late(self, one: WaitState, stacks: Iterable[tuple[int, list[str]]]) -> Failure:
        """The failure of a wait that has lasted for too long."""
        return self._timeout(one, LATE, stacks=list(stacks))

    def _timeout(self, one: WaitState, limit: str, **facts: Any) -> Failure:
        return failure(
            "timeout", label=one.wait.words, process=one.peer.process, seconds=one.seconds, missing=spell(one.missing),
            limit=limit, moved=one.peer.moved, **facts,
        )

    def causes(self, judged: list[WaitState], of: Iterable[WaitState]) -> list[int]:
        """Those that some waits are for in the end: who waits for another one itself is not the one to name."""
        missing: dict[int, set[int]] = {}
        for one in judged:
            missing.setdefault(one.peer.process, set()).update(one.missing)
        seen: set[int] = set()
        waiting = [process for one in of for process in one.missing]
        found = []
        while waiting:
            process = waiting.pop()
            if process in seen:
                continue
            seen.add(process)
            if missing.get(process):
                waiting.extend(missing[process])
            else:
                found.append(process)
        return sorted(found)
