"""One connection as the coordinator sees it."""

from __future__ import annotations

from typing import Any

from olympus_core.errors.cluster import Standing

from .authentication import Challenge
from .channels import Channel
from .liveness import BUSY_SHARE, SilenceWatch
from .member import Member
from .schema import FROM_MEMBERS
from .wire import HELLO_LIMIT, FrameReader

# Shorter intervals say nothing about processor use.
_SHORTEST_INTERVAL = 0.25
# How long a process counts as busy after it last was.
_BUSY_MEMORY = 1.0


class Peer:
    """A connection: not authenticated at first, then perhaps a process of the job.

    Stages: ``stranger``, ``proven`` (knows the secret), ``joined``, ``closing`` (waits in shutdown), ``left``,
    ``dismissed`` (being told why).
    """

    def __init__(self, channel: Channel, now: float, challenge: Challenge) -> None:
        self.channel, self.challenge = channel, challenge
        self.address, self.origin = channel.describe_peer(), channel.origin
        self.reader = FrameReader(FROM_MEMBERS, HELLO_LIMIT, 0)
        self.first = b""
        self.oddities = 0
        self.out = bytearray()
        self.opened = now
        self.is_open = True
        self.stage = "stranger"
        self.member: Member | None = None
        self.watch: SilenceWatch | None = None
        self.closing_token = 0
        self.position = 0
        self.text = ""
        self.slow: str | None = None
        self.group = ""
        self.entered: dict[str, int] = {}
        self.last_busy = now
        self._cpu: tuple[float, float] | None = None

    @property
    def process(self) -> int:
        """Its index; -1 before it has joined."""
        return -1 if self.member is None else self.member.process

    @property
    def is_present(self) -> bool:
        """Whether it is a process of the job that has not left."""
        return self.is_open and self.stage in ("joined", "closing")

    def flush(self) -> bool:
        """Sends what the connection takes now; gives whether that was all. Raises OSError or TlsProblem."""
        while self.out:
            try:
                del self.out[: self.channel.send(self.out)]
            except BlockingIOError:
                return False
        return self.channel.flush()

    def report(self, now: float, message: dict[str, Any]) -> None:
        """Stores a report of the process."""
        self.position, self.text, self.slow = message["position"], message["text"], message["slow"]
        self.group, self.entered = message["group"], message["entered"]
        self._account(now, message["cpu"])

    def observe(self, now: float) -> None:
        """Looks up a silent process's state in the operating system, where it is on this machine."""
        state = self.watch.look() if self.watch is not None else None
        if state is not None:
            self._account(now, state.seconds)

    def _account(self, now: float, cpu: float) -> None:
        if self._cpu is None:
            self._cpu = (now, cpu)
        elif now - self._cpu[0] >= _SHORTEST_INTERVAL:
            if cpu - self._cpu[1] > BUSY_SHARE * (now - self._cpu[0]):
                self.last_busy = now
            self._cpu = (now, cpu)

    def standing(self, now: float, silence: float, meeting: str | None) -> Standing:
        """The process's progress and state."""
        if self.stage == "left":
            state = "left"
        elif not self.is_open:
            state = "lost"
        elif self.watch is not None and self.watch.silence(now) > silence:
            found = self.watch.look()
            works = now - self.last_busy < _BUSY_MEMORY
            state = "stopped" if found is not None and found.stopped else "busy, silent" if works else "silent"
        elif self.slow is not None:
            state = f"slow: {self.slow}"
        else:
            state = "busy" if now - self.last_busy < _BUSY_MEMORY else "idle"
        text = self.text
        if self.stage == "closing":
            text = "shutdown"
        elif meeting is not None:
            text = meeting
        return Standing(self.process, self.position, text, state, round(now - self.last_busy, 1))
