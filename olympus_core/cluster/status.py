"""Where every process of a job stands: what `olympus.distributed.status()` and `olympus status` show."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .machine import process_state
from .peer import Peer

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


def rows(peers: Mapping[int, Peer], count: int, now: float, stacks: Mapping[int, Sequence[str]]) -> list[list[Any]]:
    """The processes as they travel, the values of `ProcessStatus` in their order.

    Args:
        peers: Those that have joined.
        count: How many the job has.
        now: The time.
        stacks: The stacks of those that were asked and have answered.
    """
    found: list[list[Any]] = []
    for process in range(count):
        peer = peers.get(process)
        if peer is None or peer.member is None:
            found.append(list(_values(ProcessStatus(process))))
            continue
        standing = peer.standing(now, None)
        wait = peer.waits[0] if peer.waits and peer.is_present else None
        stack = tuple(stacks.get(process, ()))
        found.append(list(_values(ProcessStatus(
            process, peer.member.name, peer.member.pid,
            "shutdown" if peer.stage == "closing" and peer.is_present else standing.state,
            peer.position, peer.text, standing.seconds,
            wait.words if wait is not None else "",
            wait.seconds + now - peer.reported if wait is not None else 0.0,
            stack[0].partition(" in ")[0] if stack else wait.line if wait is not None else "",
            peer.moved, max(0.0, now - peer.watch.heard) if peer.watch is not None else 0.0, stack,
        ))))
    return found


def _values(status: ProcessStatus) -> Iterable[Any]:
    return (getattr(status, name) for name in ProcessStatus.__slots__)


def of_message(message: Mapping[str, Any]) -> JobStatus:
    """The status that a coordinator has answered with."""
    processes = []
    for row in message["processes"]:
        values = dict(zip(ProcessStatus.__slots__, row, strict=True))
        processes.append(ProcessStatus(**{**values, "stack": tuple(values["stack"])}))
    return JobStatus(message["job"], tuple(processes), message["failure"])


def without_answer(process: int, count: int, pid: int, last: Any, heard: float) -> JobStatus:
    """What a process knows by itself while process 0 does not answer.

    Args:
        process: This process.
        count: How many there are.
        pid: Process 0's identifier, 0 where it is on another machine.
        last: Process 0's last known standing; None for none.
        heard: Seconds since anything was heard from it.
    """
    state = process_state(pid) if pid else None
    word = "stopped" if state is not None and state.stopped else "unresponsive"
    found = [ProcessStatus(index, state="unknown") for index in range(count)]
    position, text = (last.position, last.text) if last is not None else (0, "")
    found[0] = ProcessStatus(0, state=word, position=position, launch=text, heard=heard)
    found[process] = ProcessStatus(process, platform.node(), os.getpid(), "running")
    return JobStatus("", tuple(found))
