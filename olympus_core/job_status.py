# SPDX-License-Identifier: Apache-2.0
"""Where every process of a job stands, as a user sees it: what `olympus.distributed.status()` gives."""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass

__all__ = ["JobStatus", "ProcessStatus", "alone"]

_UNITS = ("B", "KiB", "MiB", "GiB", "TiB", "PiB")


@dataclass(frozen=True, slots=True)
class ProcessStatus:
    """One process.

    Args:
        index: Its index.
        host: Its machine's name; empty where it has not joined.
        pid: Its process identifier there.
        state: ``running``, ``waiting`` for others, ``slow: `` and at what, ``unresponsive`` (its machine answers, it
            does not), ``stopped`` by a signal, ``shutdown`` (waits at its end), ``left``, ``lost`` or ``not joined``.
        position: Number of its last launch among those of the same processes; 0 before the first.
        launch: That launch in words.
        seconds: How long ago it came there, as far as is known.
        waiting: What it waits for; empty where it waits for nobody.
        waiting_seconds: For how long.
        line: Its line, ``file:line``: of the wait, or of its stack where that was asked for.
        moved: Bytes that its transports have moved.
        heard: Seconds since it was last heard.
        stack: Its Python stack, innermost frame first, where that was asked for and it has answered.
    """

    index: int
    host: str = ""
    pid: int = 0
    state: str = "not joined"
    position: int = 0
    launch: str = ""
    seconds: float = 0.0
    waiting: str = ""
    waiting_seconds: float = 0.0
    line: str = ""
    moved: int = 0
    heard: float = 0.0
    stack: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class JobStatus:
    """A job; its text is a table.

    Args:
        job: Its name, which is unique for each run; empty before all have joined, and for a process alone.
        processes: All of them, by index.
        failure: Why it has failed; empty while it has not.
    """

    job: str
    processes: tuple[ProcessStatus, ...]
    failure: str = ""

    @property
    def needs_attention(self) -> bool:
        """Whether the job has failed, or a process of it is stopped, lost or does not answer."""
        return bool(self.failure) or any(one.state in ("stopped", "lost", "unresponsive") for one in self.processes)

    def __str__(self) -> str:
        """The table: one line for each process, below it its stack where there is one."""
        rows = [("process", "host", "state", "since", "heard", "moved", "where")]
        for one in self.processes:
            rows.append((
                str(one.index), f"{one.host}:{one.pid}" if one.host else "", one.state,
                _seconds(one.waiting_seconds if one.waiting else one.seconds), _seconds(one.heard), _bytes(one.moved),
                _where(one),
            ))
        widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]) - 1)]
        lines = [f"job {self.job}: {len(self.processes)} processes"] if self.job else []
        lines += [f"failed: {self.failure}"] if self.failure else []
        for row, process in zip(rows, (None, *self.processes), strict=True):
            cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
            lines.append("  ".join([*cells, row[-1]]).rstrip())
            lines += [f"    {frame}" for frame in (process.stack if process is not None else ())]
        return "\n".join(lines)


def _where(one: ProcessStatus) -> str:
    place = one.waiting or one.launch or ("before its first launch" if one.host else "")
    if not one.line or one.line in place:
        return place
    return f"{place} at {one.line}" if one.waiting else f"{place}, now at {one.line}"


def _seconds(value: float) -> str:
    return f"{value:.1f} s" if value < 100 else f"{value:.0f} s"


def _bytes(count: float) -> str:
    for unit in _UNITS:
        if count < 1024 or unit == _UNITS[-1]:
            break
        count /= 1024
    return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"


def alone() -> JobStatus:
    """The status of a process that has joined no others."""
    return JobStatus("", (ProcessStatus(0, platform.node(), os.getpid(), "running"),))
