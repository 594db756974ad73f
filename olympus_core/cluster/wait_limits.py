"""Limits of waits: how long a process may wait, judged by what the processes waited for are doing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from olympus_core.errors.cluster import Standing, spell

from .meetings import Meetings
from .peer import Peer
from .settings import ClusterSettings


class WaitLimits:
    """Decides about waits from the coordinator's view of the processes.

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
                meeting = self._meetings.of(process)
                found.append(peer.standing(now, meeting.describe() if meeting else None))
        return found

    def look(self, asker: Peer, label: str | None, of: list[int], position: int, now: float) -> dict[str, Any]:
        """Who is missing in the asker's wait, and how long it may last in all.

        Args:
            asker: Who waits.
            label: Name of the meeting that it waits in; None for a launch.
            of: Who takes part.
            position: Number of the launch.
            now: The time.
        """
        if label is not None:
            meeting = self._meetings.by_label(asker.process, label)
            missing = meeting.missing if meeting else []
        else:
            key = spell(of)
            missing = [p for p in of if p != asker.process and self._peers[p].entered.get(key, 0) < position]
        allowed = self._settings.late_timeout
        if any(not self._peers[p].is_present or self._peers[p].stage == "closing" for p in missing):
            allowed = 0.0
        return {
            "missing": self.standings(now, missing),
            "standings": self.standings(now),
            "wait_timeout": allowed,
        }
