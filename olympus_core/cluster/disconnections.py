# SPDX-License-Identifier: Apache-2.0
"""Judges processes whose connection to the coordinator has ended: gone for good, or about to come back."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from .liveness import verdict_at_end
from .machine_probe import MachineProbe
from .member import Member
from .peer import Peer
from .schema import Message
from .settings import ClusterSettings

_GONE_TIME = 1.0  # after an end in order, where nobody can be asked
_BACK_TIME = 5.0  # after a reset, for a process whose machine answers
_LOOK_PERIOD = 0.02  # between two looks at this machine's process table
_LOOK_COST, _LONGEST_PERIOD = 5e-4, 0.5  # the same where many processes are looked for
_ASK_PERIOD = 0.1  # between two questions to the neighbours
_MOST_ASKED = 3  # neighbours, at a time


class _Disconnection:
    """A process without a connection."""

    def __init__(self, peer: Peer, member: Member, now: float) -> None:
        self.peer, self.member, self.since = peer, member, now
        self.was_reset = peer.was_reset
        self.is_there: bool | None = None  # as a neighbour says
        self.probe = MachineProbe(peer.endpoint) if peer.endpoint is not None else None


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
        self._next_question = 0.0
        self._next_look = float("inf")

    def __bool__(self) -> bool:
        return bool(self._disconnections)

    def begin(self, peer: Peer, now: float) -> None:
        """A process's connection has ended."""
        if peer.member is not None:
            if not self._disconnections:
                self._next_look = now
            self._disconnections[peer.process] = _Disconnection(peer, peer.member, now)

    def forget(self, process: int) -> None:
        """The process has made its connection anew, or is given up."""
        end = self._disconnections.pop(process, None)
        if end is not None and end.probe is not None:
            end.probe.close()

    def close(self) -> None:
        """Forgets all."""
        for process in list(self._disconnections):
            self.forget(process)

    @property
    def next_look(self) -> float:
        """When to judge again; of many that ended at once, more rarely."""
        return self._next_look if self._disconnections else float("inf")

    def seen(self, token: int, is_there: bool) -> None:
        """A neighbour has looked for a process; the token is its index."""
        end = self._disconnections.get(token)
        if end is not None:
            end.is_there = is_there

    def judge(self, now: float) -> list[tuple[Peer, str, str]]:
        """The processes that are given up now, each with a reason and a detail; nobody before it is time to look."""
        if now < self.next_look:
            return []
        self._next_look = now + min(_LOOK_PERIOD + len(self._disconnections) * _LOOK_COST, _LONGEST_PERIOD)
        if self._disconnections and now >= self._next_question:
            self._next_question = now + _ASK_PERIOD
            self._ask()
        found = []
        for end in list(self._disconnections.values()):
            verdict = self._verdict(end, now)
            if verdict is not None:
                found.append((end.peer, *verdict))
        return found

    def _verdict(self, end: _Disconnection, now: float) -> tuple[str, str] | None:
        who, limit, waited = end.member.describe(), self._settings.reconnect_timeout, now - end.since
        is_known = end.member.is_visible_here()
        if is_known:
            verdict = verdict_at_end(end.member)
            if verdict is not None:
                return verdict
        elif end.is_there is False:
            return "killed", f"its connection ended, and a process of its machine does not find it ({who})"
        elif end.is_there is None and not end.was_reset:
            if waited > min(_GONE_TIME, limit):
                return "connection lost", f"it was killed, it crashed, or its machine or network failed ({who})"
        elif end.is_there is None and end.probe is not None and end.probe.look(now) > min(_BACK_TIME, limit):
            return "connection lost", f"its machine answers, and it has not come back: it was killed or crashed ({who})"
        if waited > limit:
            there = ", its process is still there" if is_known or end.is_there else ""
            what = "broke" if end.was_reset else "ended"
            told = f"its connection {what}{there}, and was not made anew in {waited:.1f} s"
            return "connection lost", f"{told}; the limit is OLYMPUS_RECONNECT_TIMEOUT={limit:g} ({who})"
        return None

    def _ask(self) -> None:
        """Asks a few connected processes of each other machine about those of it that are not."""
        wanted: dict[str, list[Member]] = {}
        for end in self._disconnections.values():
            if end.member.space and not end.member.is_visible_here():
                wanted.setdefault(end.member.space, []).append(end.member)
        asked = dict.fromkeys(wanted, 0)
        for peer in self._peers.values() if wanted else ():
            space = peer.member.space if peer.member is not None else ""
            if asked.get(space, _MOST_ASKED) < _MOST_ASKED and peer.is_present and peer.is_open:
                asked[space] += 1
                for member in wanted[space]:
                    self._send(peer, {"t": "look", "token": member.process, "pid": member.pid})
