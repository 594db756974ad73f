# SPDX-License-Identifier: Apache-2.0
"""Judges whether a process that says nothing is dead, stopped, silent, or only late."""

from __future__ import annotations

from .machine import ProcessState, process_state
from .member import Member
from .settings import ClusterSettings
from .tcp_info import TcpInfo

_QUIET_SHARE = 8  # of a process's silence: how long nothing is sent to it
_QUIET_BEATS = 4  # heartbeats that may be missing before the machine is asked


class SilenceWatch:
    """Watches one process: what is received from it, what its kernel acknowledges, what this machine shows of it."""

    __slots__ = (
        "_beaten", "_is_warned", "_looked", "_member", "_settings", "_stopped", "_unanswered", "_visible", "heard",
    )

    def __init__(self, member: Member, settings: ClusterSettings, now: float) -> None:
        self._member, self._settings = member, settings
        self._visible = member.is_visible_here()
        self._looked = now
        self._unanswered: float | None = None
        self._stopped: float | None = None
        self._is_warned = False
        self._beaten = float("-inf")
        self.heard = now

    def hear(self, now: float) -> None:
        """Notes that something was received from the process."""
        self.heard = now
        self._unanswered = self._stopped = None

    def forgive(self, seconds: float) -> None:
        """Notes that the watching process itself was stopped: the other's silence then does not count."""
        self.heard += seconds
        self._unanswered = self._stopped = None

    def is_quiet(self, now: float) -> bool:
        """Whether heartbeats are missing: its process does not run Python, or cannot be reached."""
        return now - self.heard > _QUIET_BEATS * self._settings.heartbeat_period

    def silence(self, now: float, tcp: TcpInfo | None) -> float:
        """Seconds without a sign of life of its machine; to be asked each few seconds at least.

        Args:
            now: The time.
            tcp: What the kernel knows of its connection; None where only received bytes count.
        """
        heard = now - self.heard
        if tcp is None:
            return heard
        # An acknowledgement that has just come due says nothing: it counts from the look that found it missing.
        if not tcp.unanswered or tcp.age < now - self._looked:
            self._unanswered = None
        elif self._unanswered is None:
            self._unanswered = now
        self._looked = now
        return min(heard, tcp.age, now - self._unanswered) if self._unanswered is not None else 0.0

    def look(self) -> ProcessState | None:
        """The process's state in this machine's process table; None where it is not known."""
        return process_state(self._member.pid) if self._visible else None

    def stopped(self, now: float) -> float:
        """For how many seconds the process has been seen stopped by a signal; 0 where it is not, or not known."""
        state = self.look()
        if state is None or not state.stopped:
            self._stopped, self._is_warned = None, False
            return 0.0
        if self._stopped is None:
            self._stopped = now
        return now - self._stopped

    def warning(self, now: float) -> str | None:
        """What to say of a process that is stopped: once each time, after the first of the settings' times."""
        stopped = self.stopped(now)
        if self._is_warned or stopped < self._settings.warning_times[0]:
            return None
        self._is_warned = True
        return f"was stopped by a signal {stopped:.0f} s ago ({self._member.describe()}): kill -CONT lets it run; " \
               f"OLYMPUS_STOPPED_TIMEOUT is {self._settings.stopped_timeout:g} s"

    def is_beat_due(self, now: float) -> bool:
        """Whether to send a heartbeat now; each one that is due counts as sent.

        To a process that says nothing they are sent ever more rarely: what it does not read must not fill its buffer.
        """
        if now - self._beaten < (now - self.heard) / _QUIET_SHARE:
            return False
        self._beaten = now
        return True

    def verdict(self, now: float, tcp: TcpInfo | None) -> tuple[str, str] | None:
        """A reason and a detail once the process is to be given up; to be asked with every heartbeat."""
        if not self.is_quiet(now):
            return None
        if self._visible:
            state = self.look()
            if state is None or state.ended:
                return "killed", f"its process ({self._member.describe()}) has ended"
            stopped = self.stopped(now)
            if stopped > self._settings.stopped_timeout:
                return "stopped", f"a signal stopped it {stopped:.0f} s ago ({self._member.describe()})"
        silence = self.silence(now, tcp)
        if silence <= self._settings.heartbeat_timeout:
            return None
        signs = "nothing has come from it" if tcp is None else "not even its kernel has answered"
        return "silent", f"{signs} for {silence:.1f} s ({self._member.describe()})"


def verdict_at_end(member: Member) -> tuple[str, str] | None:
    """What an ended connection means; None while the machine still shows the process alive."""
    if not member.is_visible_here():
        return (
            "connection lost",
            f"it was killed, it crashed, or its machine or network failed ({member.describe()})",
        )
    state = process_state(member.pid)
    if state is None or state.ended:
        return "killed", f"its connection ended without a word, and so has its process ({member.describe()})"
    return None
