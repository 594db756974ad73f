# SPDX-License-Identifier: Apache-2.0
"""The verdict on a job under a fault, from the endings of its surviving processes."""

from __future__ import annotations

import re
import signal
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

# The bar: every surviving process reports the fault within this time.
CLEAN_SECONDS = 10.0
_ERROR = re.compile(r"^(?:[\w.]+\.)?(\w*(?:Error|Exception|Interrupt|Timeout))\b", re.MULTILINE)
# "process 1", "processes 0, 1", "processes 0 and 1", "process_id 1"; the peer says "task 1", "task:1", "task_id: 1".
_PROCESS = r"\b(?:process(?:es)?|task)(?:[ _]?(?:id|index))?[ :=/]+(?:\d+(?:,? and |, ?))*{0}\b"


@dataclass(frozen=True)
class Ending:
    """How one process ended.

    Attributes:
        index: The process.
        code: Its exit status, negative for a signal; None when it still ran at the limit.
        seconds: From the beginning of the fault to its end.
        output: What it printed.
        errors: What it wrote to its error output.
    """

    index: int
    code: int | None
    seconds: float
    output: str
    errors: str

    @property
    def wrong(self) -> bool:
        """Whether it printed a result that is not NumPy's."""
        return any(line.startswith("wrong ") for line in self.output.splitlines())

    def describe(self, names: Sequence[int | str]) -> str:
        """How it ended, in a few words."""
        if self.code is None:
            return "still running (hangs)" + (", after a wrong result" if self.wrong else "")
        if self.code < 0:
            return f"dies of {signal.Signals(-self.code).name}"
        if self.code == 0:
            return "goes on with a wrong result" if self.wrong else "ends with the right result"
        kinds = _ERROR.findall(self.errors)
        kind = kinds[0] if kinds else f"exit status {self.code}"
        return f"{kind} " + ("that names it" if self.tells(names) else "that does not name it")

    def tells(self, names: Sequence[int | str]) -> bool:
        """Whether its error names what is at fault."""
        first = _ERROR.search(self.errors)
        # Not the traceback above: its source lines name much.
        text = self.errors[first.start():] if first else self.errors
        return all(
            name in text if isinstance(name, str) else re.search(_PROCESS.format(name), text, re.IGNORECASE)
            for name in names
        )


@dataclass(frozen=True)
class Verdict:
    """The behaviour of one library under one fault.

    Attributes:
        clean: Whether every process that could tell did so in time, with an error that names what is at fault; or,
            where the fault should do no harm, ended with the right result.
        text: What they did, in words.
        seconds: From the beginning of the fault to the last one's end.
        endings: How each ended.
    """

    clean: bool
    text: str
    seconds: float
    endings: tuple[Ending, ...]

    def line(self, side: str) -> str:
        """The table's line."""
        return f"  {side:<8} {'clean' if self.clean else 'NOT CLEAN':<10} {self.text}"

    def as_data(self) -> dict[str, Any]:
        """For JSON; long outputs are cut."""
        endings = [{**asdict(e), "output": e.output[-2000:], "errors": e.errors[-6000:]} for e in self.endings]
        return {"clean": self.clean, "text": self.text, "seconds": self.seconds, "endings": endings}


def judge(endings: Sequence[Ending], names: Sequence[int | str], limit: float) -> Verdict:
    """Judges a job.

    Args:
        endings: How the processes ended that the fault itself did not take.
        names: What an error has to name; nothing when the job should go on as if nothing had happened.
        limit: Seconds after which they were ended.
    """
    groups: dict[str, list[Ending]] = {}
    for ending in endings:
        groups.setdefault(ending.describe(names), []).append(ending)
    texts = []
    for text, members in groups.items():
        who = "process" + ("es " if len(members) > 1 else " ") + ", ".join(str(e.index) for e in members)
        when = f"at {limit:.0f} s" if members[0].code is None else f"after {max(e.seconds for e in members):.1f} s"
        texts.append(f"{who}: {text} {when}")
    seconds = max(e.seconds for e in endings)
    if names:
        clean = seconds <= CLEAN_SECONDS and all((e.code or 0) > 0 and e.tells(names) for e in endings)
    else:
        clean = all(e.code == 0 and not e.wrong for e in endings)
    return Verdict(clean, "; ".join(texts), seconds, tuple(endings))
