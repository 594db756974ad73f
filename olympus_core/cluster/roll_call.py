# SPDX-License-Identifier: Apache-2.0
"""The roll-call: admits the job's processes, refuses others, finds contradictions."""

from __future__ import annotations

from typing import NamedTuple

from .failure import Failure, failure
from .member import Member


class Answer(NamedTuple):
    """What the coordinator says to a process that wants to join.

    Args:
        refusal: The failure that it is told; None if it belongs to the job now.
        is_fatal: Whether all others are told the same.
    """

    refusal: Failure | None = None
    is_fatal: bool = False


class RollCall:
    """The list of the processes that have joined.

    Args:
        count: How many there will be.
        job: The name that the launcher gave the job; None without a launcher.
    """

    def __init__(self, count: int, job: str | None) -> None:
        self.count, self.job = count, job
        self.members: dict[int, Member] = {}

    @property
    def is_complete(self) -> bool:
        """Whether all have joined."""
        return len(self.members) == self.count

    @property
    def missing(self) -> list[int]:
        """Indices of the processes that have not joined."""
        return [process for process in range(self.count) if process not in self.members]

    def hear(self, member: Member, address: str) -> Answer:
        """Decides on a process that asks to join."""
        if member.job != self.job:
            return self._stranger(member, address, _names_differ(self.job, member.job))
        # With a launcher's name the contradiction is certainly this job's own; without one, and once all are
        # here, it may be another job's mistake, which must not end this one.
        is_ours = self.job is not None or not self.is_complete
        if member.count != self.count or not 0 <= member.process < self.count:
            return Answer(self._size(member), is_ours)
        known = self.members.get(member.process)
        if known is not None:
            if not is_ours and known.machine == member.machine and known.pid == member.pid:
                return self._stranger(member, address, "it has joined already")
            claims = [known.describe(), member.describe()]
            return Answer(failure("duplicate", process=member.process, claims=claims), is_ours)
        self.members[member.process] = member
        return Answer()

    def _size(self, member: Member) -> Failure:
        claims = {
            str(known.process): f"{known.count} processes ({known.describe()})" for known in self.members.values()
        }
        claims.setdefault("0", f"{self.count} processes")
        said = f"{member.count} processes ({member.describe()})"
        if str(member.process) in claims:
            claims[str(member.process)] += f" and {said}"
        else:
            claims[str(member.process)] = said
        if member.count != self.count:
            reason = f"{self.count} in process 0, {member.count} in process {member.process}"
        else:
            reason = f"there is no process {member.process} among {self.count}"
        return failure("size", claims=claims, reason=reason)

    def _stranger(self, member: Member, address: str, reason: str) -> Answer:
        return Answer(failure("stranger", address=address, process=member.process, reason=reason))


def _names_differ(ours: str | None, theirs: str | None) -> str:
    def say(job: str | None) -> str:
        return "a job without a launcher's name" if job is None else f"job {job!r}"

    return f"it serves {say(ours)}, and this process belongs to {say(theirs)}"
