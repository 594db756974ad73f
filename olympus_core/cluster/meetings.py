"""Meetings (all-gathers of small values): every member gives a value and gets all members' values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass(slots=True)
class Meeting:
    """One exchange under way.

    Args:
        label: Its name.
        members: Who takes part, ascending.
        values: What each member brought, by process.
        tokens: Under which number each member waits for the answer.
    """

    label: str
    members: tuple[int, ...]
    values: dict[int, bytes] = field(default_factory=dict)
    tokens: dict[int, int] = field(default_factory=dict)

    @property
    def missing(self) -> list[int]:
        """Members that have not arrived."""
        return [process for process in self.members if process not in self.tokens]

    def describe(self) -> str:
        """The meeting in words, for errors."""
        return f"meeting {self.label!r} of {len(self.members)} processes {list(self.members)}"


class Meetings:
    """All exchanges under way."""

    def __init__(self) -> None:
        self._open: dict[tuple[str, tuple[int, ...]], Meeting] = {}

    def __iter__(self) -> Iterator[Meeting]:
        return iter(self._open.values())

    def enter(self, process: int, token: int, label: str, members: tuple[int, ...], value: bytes) -> Meeting:
        """Adds a member's value; the meeting is removed once nobody is missing."""
        key = (label, members)
        meeting = self._open.get(key)
        if meeting is None:
            meeting = self._open[key] = Meeting(label, members)
        meeting.values[process] = value
        meeting.tokens[process] = token
        if len(meeting.tokens) == len(members):
            del self._open[key]
        return meeting

    def conflict(self, process: int, label: str, members: tuple[int, ...]) -> Meeting | None:
        """A meeting of the same name with other members that this process is in, or is waited for in."""
        for meeting in self._open.values():
            clashes = meeting.members != members or process in meeting.tokens
            if clashes and meeting.label == label and process in meeting.members:
                return meeting
        return None

    def of(self, process: int) -> Meeting | None:
        """A meeting in which the process waits."""
        return next((meeting for meeting in self._open.values() if process in meeting.tokens), None)

    def by_label(self, process: int, label: str) -> Meeting | None:
        """The meeting of this name in which the process waits."""
        return next((m for m in self._open.values() if m.label == label and process in m.tokens), None)

    def count(self, process: int) -> int:
        """In how many meetings the process waits."""
        return sum(process in meeting.tokens for meeting in self._open.values())

    def waiting_for(self, process: int) -> list[int]:
        """Processes that wait in a meeting for this one."""
        return sorted({w for m in self._open.values() if process in m.missing for w in m.tokens})
