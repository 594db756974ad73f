"""Judges whether a silent process is dead, stopped, lost, or only busy."""

from __future__ import annotations

from .machine import ProcessState, process_state
from .member import Member
from .settings import ClusterSettings

# A process that used this share of a processor is at work; one that polls in a wait uses less.
BUSY_SHARE = 0.1


class SilenceWatch:
    """Watches one process by its heartbeats."""

    __slots__ = ("_cpu_at_suspicion", "_member", "_settings", "_suspected", "_visible", "heard")

    def __init__(self, member: Member, settings: ClusterSettings, now: float) -> None:
        self._member, self._settings = member, settings
        self._visible = member.is_visible_here()
        self._suspected: float | None = None
        self._cpu_at_suspicion = 0.0
        self.heard = now

    def hear(self, now: float) -> None:
        """Notes that something was received from the process."""
        self.heard = now
        self._suspected = None

    def forgive(self, seconds: float) -> None:
        """Notes that the watching process itself was stopped: the other's silence then does not count."""
        self.heard += seconds
        self._suspected = None

    def silence(self, now: float) -> float:
        """Seconds since anything was received."""
        return now - self.heard

    def look(self) -> ProcessState | None:
        """The process's state in this machine's process table; None where it is not known."""
        return process_state(self._member.pid) if self._visible else None

    def verdict(self, now: float, slow: bool) -> tuple[str, str] | None:
        """A reason and a detail once the process is to be given up."""
        silence, limit = now - self.heard, self._settings.heartbeat_timeout
        if silence <= limit / 2:
            return None
        state = self.look()
        if self._suspected is None:
            self._suspected = now
            self._cpu_at_suspicion = state.seconds if state else 0.0
        if silence <= limit:
            return None
        heard = f"no heartbeat for {silence:.1f} s"
        if self._visible:
            if state is None or state.ended:
                return "killed", f"{heard}, and its process ({self._member.describe()}) has ended"
            if state.stopped:
                return "stopped", f"{heard}, and its process ({self._member.describe()}) is stopped by a signal"
            works = state.seconds - self._cpu_at_suspicion > BUSY_SHARE * (now - self._suspected)
            if (works or slow) and silence <= self._settings.busy_silence_timeout:
                return None
        return "silent", f"{heard} ({self._member.describe()})"


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
