# SPDX-License-Identifier: Apache-2.0
"""Groups of processes by their text: parsed once, whoever names them."""

from __future__ import annotations

from typing import NamedTuple

from olympus_core.errors.cluster import spell

_MOST_KEPT = 1 << 17  # members of all groups that are kept


class ProcessGroup(NamedTuple):
    """Some processes of the job.

    Args:
        text: As people write them: ``0-3, 7``.
        members: The same, ascending.
        as_set: The same, to ask whether a process is one of them.
    """

    text: str
    members: tuple[int, ...]
    as_set: frozenset[int]


class ProcessGroups:
    """The groups that processes have named last.

    Args:
        count: How many processes the job has.
    """

    def __init__(self, count: int) -> None:
        self._count = count
        self._groups: dict[str, ProcessGroup] = {}
        self._kept = 0

    def named(self, text: str) -> ProcessGroup | None:
        """The group of this text; None for one that is empty, is not spelled as `spell` does, or has strangers.

        Example:
            >>> ProcessGroups(4).named("0-2").members
            (0, 1, 2)
        """
        found = self._groups.get(text)
        if found is None:
            if text and int(text.rpartition(", ")[2].rpartition("-")[2]) >= self._count:
                return None
            members = tuple(unspell(text))
            if not members or spell(members) != text:
                return None
            if self._kept + len(members) > _MOST_KEPT:
                self._groups.clear()
                self._kept = 0
            self._kept += len(members)
            found = self._groups[text] = ProcessGroup(text, members, frozenset(members))
        return found


def unspell(text: str) -> list[int]:
    """The processes of a group as they are written.

    Example:
        >>> unspell("0-2, 7")
        [0, 1, 2, 7]
    """
    processes: list[int] = []
    for part in text.split(", ") if text else ():
        first, _, last = part.partition("-")
        processes.extend(range(int(first), int(last or first) + 1))
    return processes
