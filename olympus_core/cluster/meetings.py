# SPDX-License-Identifier: Apache-2.0
"""Meetings (all-gathers of small values): every member gives a value and gets all members' values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from .groups import ProcessGroup


@dataclass(slots=True, eq=False)
class Meeting:
    """One exchange under way.

    Args:
        label: Its name.
        group: Who takes part.
        values: What each member brought, by process.
        tokens: Under which number each member waits for the answer.
    """

    label: str
    group: ProcessGroup
    values: dict[int, bytes] = field(default_factory=dict)
    tokens: dict[int, int] = field(default_factory=dict)

    @property
    def is_complete(self) -> bool:
        """Whether all have arrived."""
        return len(self.tokens) == len(self.group.members)

    @property
    def missing(self) -> list[int]:
        """Members that have not arrived: as long to find as there are members."""
        return [process for process in self.group.members if process not in self.tokens]

    def waits_for(self, process: int) -> bool:
        """Whether this member has not arrived."""
        return process in self.group.as_set and process not in self.tokens

    def describe(self) -> str:
        """The meeting in words, for errors."""
        return describe_meeting(self.label, self.group)


def describe_meeting(label: str, group: ProcessGroup) -> str:
    """A meeting in words, for errors."""
    return f"meeting {label!r} of {len(group.members)} processes [{group.text}]"


class Meetings:
    """All exchanges under way; nothing that one message needs takes longer with more processes or meetings."""

    def __init__(self) -> None:
        self._open: dict[tuple[str, str], Meeting] = {}
        self._by_label: dict[str, dict[Meeting, None]] = {}
        self._by_process: dict[int, dict[Meeting, None]] = {}

    def __iter__(self) -> Iterator[Meeting]:
        return iter(self._open.values())

    def enter(self, process: int, token: int, label: str, group: ProcessGroup, value: bytes) -> Meeting:
        """Adds a member's value; the meeting is removed once nobody is missing."""
        key = (label, group.text)
        meeting = self._open.get(key)
        if meeting is None:
            meeting = self._open[key] = Meeting(label, group)
            self._by_label.setdefault(label, {})[meeting] = None
        meeting.values[process] = value
        meeting.tokens[process] = token
        self._by_process.setdefault(process, {})[meeting] = None
        if meeting.is_complete:
            self._remove(meeting, key)
        return meeting

    def _remove(self, meeting: Meeting, key: tuple[str, str]) -> None:
        del self._open[key]
        same = self._by_label[meeting.label]
        del same[meeting]
        if not same:
            del self._by_label[meeting.label]
        for process in meeting.tokens:
            del self._by_process[process][meeting]

    def conflict(self, process: int, label: str, group: ProcessGroup) -> Meeting | None:
        """A meeting of the same name with other members that this process is in, or is waited for in."""
        for meeting in self._by_label.get(label, ()):
            clashes = meeting.group.text != group.text or process in meeting.tokens
            if clashes and process in meeting.group.as_set:
                return meeting
        return None

    def of(self, process: int) -> Meeting | None:
        """A meeting in which the process waits."""
        return next(iter(self._by_process.get(process, ())), None)

    def all_of(self, process: int) -> Iterator[Meeting]:
        """The meetings in which the process waits."""
        return iter(self._by_process.get(process, ()))

    def by_label(self, process: int, label: str) -> Meeting | None:
        """The meeting of this name in which the process waits."""
        return next((m for m in self._by_label.get(label, ()) if process in m.tokens), None)

    def count(self, process: int) -> int:
        """In how many meetings the process waits."""
        return len(self._by_process.get(process, ()))

    def waiting_for(self, process: int) -> Meeting | None:
        """A meeting that waits for this process."""
        return next((meeting for meeting in self._open.values() if meeting.waits_for(process)), None)
