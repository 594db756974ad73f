"""Judges processes whose connection to the coordinator has ended: gone for good, or about to come back."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from .liveness import verdict_at_end
from .member import Member
from .peer import Peer
from .schema import Message
from .settings import ClusterSettings

_GONE_TIME = 1.0  # after an end in order, where nobody can be asked
_LOOK_PERIOD = 0.02  # between two looks at this machine's process table
_ASK_PERIOD = 0.1  # between two questions to the neighbours
_MOST_ASKED = 3  # neighbours, at a time


class _Disconnection:
    """A process without a connection."""

    def __init__(self, peer: Peer, member: Member, now: float) -> None:
        self.peer, self.member, self.since = peer, member, now
        self.was_reset = peer.was_reset
        self.asked = 0.0
        self.is_there: bool | None = None  # as a neighbour says


class Disconnections:
    """The processes that are without a connection; used in the coordinator's thread only.

    Args:
        peers: The processes by index.
        settings: How long a connection may take to be made anew.
        send: Sends a message to a process.
    """

    def __init__(
        self, peers: Mapping[int, Peer], settings: ClusterSettings, send: Callable[[Peer, Message], None]
    ) -> None:
        self._peers, self._settings, self._send = peers, settings, send
        self._disconnections: dict[int, _Disconnection] = {}

    def __bool__(self) -> bool:
        return bool(self._disconnections)

    def __contains__(self, process: int) -> bool:
        return process in self._disconnections

    def begin(self, peer: Peer, now: float) -> None:
        """A process's connection has ended."""
        if peer.member is not None:
            self._disconnections[peer.process] = _Disconnection(peer, peer.member, now)

    def forget(self, process: int) -> None:
        """The process has made its connection anew, or is given up."""
        self._disconnections.pop(process, None)

    def next_look(self, now: float) -> float:
        """When to judge again."""
        return now + _LOOK_PERIOD if self._disconnections else float("inf")

    def seen(self, token: int, is_there: bool) -> None:
        """A neighbour has looked for a process; the token is its index."""
        end = self._disconnections.get(token)
        if end is not None:
            end.is_there = is_there

    def judge(self, now: float) -> list[tuple[Peer, str, str]]:
        """The processes that are given up now, each with a reason and a detail."""
        found = []
        for end in list(self._disconnections.values()):
            verdict = self._verdict(end, now)
            if verdict is not None:
                found.append((end.peer, *verdict))
        return found

    def _verdict(self, end: _Disconnection, now: float) -> tuple[str, str] | None:
        member = end.member
        is_known = member.is_visible_here()
        if is_known:
            verdict = verdict_at_end(member)
            if verdict is not None:
                return verdict
        elif end.is_there is False:
            told = f"its connection ended, and a process of its machine does not find it ({member.describe()})"
            return "killed", told
        elif now - end.asked > _ASK_PERIOD:
            end.asked = now
            self._ask(member)
        limit = self._settings.reconnect_timeout
        waited = now - end.since
        if not is_known and end.is_there is None and not end.was_reset:
            if waited > min(_GONE_TIME, limit):
                told = f"it was killed, it crashed, or its machine or network failed ({member.describe()})"
                return "connection lost", told
        elif waited > limit:
            there = ", its process is still there" if is_known or end.is_there else ""
            what = "broke" if end.was_reset else "ended"
            told = f"its connection {what}{there}, and was not made anew in {waited:.1f} s"
            return "connection lost", f"{told}; the limit is OLYMPUS_RECONNECT_TIMEOUT={limit:g} ({member.describe()})"
        return None

    def _ask(self, member: Member) -> None:
        asked = 0
        for peer in self._peers.values():
            other = peer.member
            if other is None or not member.space or other.space != member.space or other.process == member.process:
                continue
            if peer.is_present and peer.is_open and peer.process not in self._disconnections:
                self._send(peer, {"t": "look", "token": member.process, "pid": member.pid})
                asked += 1
                if asked == _MOST_ASKED:
                    return
