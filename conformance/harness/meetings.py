"""The meetings of a job, as the controller keeps them."""

from __future__ import annotations

from .messages import Answer, Meet, Withdraw


class Meetings:
    """Brings together what processes bring to meetings of one label."""

    def __init__(self) -> None:
        self._open: dict[tuple[str, tuple[int, ...]], dict[int, Meet]] = {}

    def come(self, process: int, meet: Meet) -> list[tuple[int, Answer]]:
        """A process comes; gives the answers that are due, each with its process."""
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
        """A process gives up waiting; nothing is due if the answer is on its way to it."""
        for (_, members), present in self._open.items():
            if process in present and present[process].number == withdraw.number:
                missing = tuple(p for p in members if p not in present)
                del present[process]
                return [(process, Answer(withdraw.number, None, missing))]
        return []
