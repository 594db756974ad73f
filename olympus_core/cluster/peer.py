# SPDX-License-Identifier: Apache-2.0
"""One connection as the coordinator sees it."""

from __future__ import annotations

from typing import Any

from olympus_core.errors.cluster import Standing

from .authentication import Challenge
from .channels import Channel
from .liveness import SilenceWatch
from .member import Member
from .schema import FROM_MEMBERS
from .send_queue import SendQueue
from .session import Session
from .waits import WaitReport
from .wire import HELLO_LIMIT, FrameReader


class Peer:
    """A connection: not authenticated at first, then perhaps a process of the job, over one connection after the other.

    Stages: ``stranger``, ``proven`` (knows the secret), ``joined``, ``closing`` (waits in shutdown), ``left``,
    ``lost`` (of the processes, the one that ended the job), ``dismissed`` (being told why).
    """

    def __init__(self, channel: Channel, now: float, challenge: Challenge) -> None:
        self.channel, self.challenge = channel, challenge
        self.address, self.origin, self.endpoint = channel.describe_peer(), channel.origin, channel.endpoint
        self.reader = FrameReader(FROM_MEMBERS, HELLO_LIMIT, 0)
        self.first = b""
        self.oddities = 0
        self.out = SendQueue()
        self.session: Session | None = None
        self.was_reset = False
        self.opened = now
        self.is_open = True
        self.is_blocked = False  # whether bytes wait until the other side takes more
        self.stage = "stranger"
        self.member: Member | None = None
        self.watch: SilenceWatch | None = None
        self.closing_token = 0
        self.position = 0
        self.text = ""
        self.slow: str | None = None
        self.group = ""
        self.entered: dict[str, int] = {}
        self.moved, self.moved_at = 0, now
        self.waits: tuple[WaitReport, ...] = ()
        self.blocked: float | None = None
        self.warned = 0  # how many warnings about its wait
        self.told = (-1, 0)  # where it was when it was told that others wait, and how many warnings they had had
        self.seconds = 0.0
        self.reported = now

    @property
    def process(self) -> int:
        """Its index; -1 before it has joined."""
        return -1 if self.member is None else self.member.process

    @property
    def is_present(self) -> bool:
        """Whether it is a process of the job that has not left; it may be without a connection for a while."""
        return self.stage in ("joined", "closing")

    @property
    def is_cut_off(self) -> bool:
        """Whether it has not received what it was sent, since the network does not let it."""
        if self.session is None or not self.session.kept or self.stage == "lost":
            return False
        tcp = self.channel.tcp_info() if self.is_open else None
        return not self.is_open or (tcp is not None and tcp.unanswered)

    def flush(self) -> bool:
        """Sends what the connection takes now; gives whether that was all. Raises OSError or TlsProblem."""
        try:
            self.out.send(self.channel.send)
        except BlockingIOError:
            return False
        return self.channel.flush()

    def report(self, now: float, message: dict[str, Any]) -> None:
        """Stores a report of the process."""
        self.position, self.text, self.slow = message["position"], message["text"], message["slow"]
        self.group, self.entered = message["group"], message["entered"]
        if message["moved"] != self.moved:
            self.moved, self.moved_at = message["moved"], now
        self.seconds, self.reported = message["seconds"], now
        self.waits, self.blocked = tuple(WaitReport(*wait) for wait in message["waits"]), message["blocked"]

    def silence(self, now: float) -> float:
        """Seconds without a sign of life of its machine."""
        return self.watch.silence(now, self.channel.tcp_info()) if self.watch is not None else 0.0

    def verdict(self, now: float) -> tuple[str, str] | None:
        """A reason and a detail once the process is to be given up."""
        return self.watch.verdict(now, self.channel.tcp_info()) if self.watch is not None else None

    def standing(self, now: float, meeting: str | None) -> Standing:
        """The process's progress and state."""
        if self.stage == "left":
            state = "left"
        elif self.stage == "lost":
            state = "lost"
        elif not self.is_open:
            state = "disconnected"
        elif self.watch is not None and self.watch.is_quiet(now):
            found = self.watch.look()
            state = "stopped" if found is not None and found.stopped else "unresponsive"
        elif self.slow is not None:
            state = f"slow: {self.slow}"
        else:
            state = "waiting" if self.waits else "running"
        text = self.text
        if self.stage == "closing":
            text = "shutdown"
        elif self.waits and self.stage == "joined":
            wait = self.waits[0]
            text = f"{wait.words} at {wait.line}" if wait.is_meeting else wait.words
        elif meeting is not None:
            text = meeting
        return Standing(self.process, self.position, text, state, round(self.seconds + now - self.reported, 1))
