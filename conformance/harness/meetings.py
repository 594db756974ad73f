# SPDX-License-Identifier: Apache-2.0
"""The meetings of a job on the controller's side: an all-gather of values by label."""

from __future__ import annotations

from .messages import Answer, Meet, Withdraw


class Meetings:
    """Collects the values that processes bring to meetings of the same label."""

    def __init__(self) -> None:
        self._open: dict[tuple[str, tuple[int, ...]], dict[int, Meet]] = {}

    def come(self, process: int, meet: Meet) -> list[tuple[int, Answer]]:
        """A process arrives; returns the answers that are complete, each with its process."""
        key = (meet.label, tuple(sorted(meet.processes)))
        present = self._open.setdefault(key, {})
        if process in present or process not in meet.processes:
            return [(process, Answer(meet.number, None))]
        present[process] = meet
        if len(present) < len(key[1]):
            return []
        del self._open[key]
        values = {member: brought.value for member, brought in present.items()}
        return [(member, Answer(brought.number, values)) for member, brought in present.items()]

    def leave(self, process: int, withdraw: Withdraw) -> list[tuple[int, Answer]]:
        """A process stops waiting; returns its answer, unless one is already on its way."""
        for (_, members), present in self._open.items():
            if process in present and present[process].number == withdraw.number:
                missing = tuple(p for p in members if p not in present)
                del present[process]
                return [(process, Answer(withdraw.number, None, missing))]
        return []
