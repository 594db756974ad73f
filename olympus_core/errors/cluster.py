# SPDX-License-Identifier: Apache-2.0
"""Errors of a job: losing a process, waiting in vain, differing programs; and how processes are described."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from .base import OlympusError

__all__ = [
    "BacklogError",
    "ClusterError",
    "CollectiveTimeoutError",
    "DivergenceError",
    "FlightRecordError",
    "ForkedProcessError",
    "JobAbortedError",
    "JobUnreachableError",
    "ProcessFailureError", "ProcessLostError",
    "ReceivedError",
    "ShutdownError",
    "Standing",
    "ValuesDifferError",
]


class Standing(NamedTuple):
    """Where one process stood when somebody asked.

    Args:
        process: Its index.
        position: Number of its last process-spanning launch, 0 before the first.
        text: The launch in words, such as ``#21 all_reduce at train.py:33``.
        state: ``running``, ``waiting``, ``slow: `` and at what, ``unresponsive`` (its machine answers, it does not),
            ``stopped``, ``disconnected`` (its connection is being made anew), ``left`` or ``lost``.
        seconds: How long it has been there, as far as is known.
    """

    process: int
    position: int
    text: str
    state: str
    seconds: float = 0.0


def spell(processes: Iterable[int]) -> str:
    """Process indices as people write them: ``0-3, 7``."""
    ordered = sorted(set(processes))
    runs: list[list[int]] = []
    for process in ordered:
        if runs and process == runs[-1][1] + 1:
            runs[-1][1] = process
        else:
            runs.append([process, process])
    parts = []
    for first, last in runs:
        if last - first >= 2:
            parts.append(f"{first}-{last}")
        else:
            parts.extend(str(p) for p in range(first, last + 1))
    return ", ".join(parts)


_NOT_HEARD = ("lost", "stopped", "unresponsive", "disconnected")


def describe_standings(standings: Iterable[Sequence[Any]]) -> str | None:
    """Where each process stood, those at the same place together."""
    places: dict[str, list[int]] = {}
    for entry in standings:
        standing = Standing(*entry)
        place = standing.text or ("before its first launch" if not standing.position else f"#{standing.position}")
        # What is known of a process that does not answer is as old as its last heartbeat.
        when = ", as of its last heartbeat" if standing.state in _NOT_HEARD else ""
        places.setdefault(f"{place} ({standing.state}{when})", []).append(standing.process)
    if not places:
        return None
    return "; ".join(
        f"process{'es' if len(members) > 1 else ''} {spell(members)}: {place}" for place, members in places.items()
    )


class ClusterError(OlympusError):
    """Base of the errors between processes."""


class ProcessLostError(ClusterError, RuntimeError):
    """A process of the job is gone, and the job with it.

    Args:
        process: Its index.
        reason: ``killed``, ``raised``, ``stopped``, ``silent``, ``connection lost``, ``malformed`` or ``left``.
        detail: What was observed.
        standings: Where each process stood.
        waiting: Processes that waited for it, where that is the cause.
    """

    _WORDS: ClassVar[dict[str, str]] = {
        "killed": "was killed or crashed",
        "raised": "raised",
        "stopped": "is stopped",
        "silent": "has gone silent",
        "connection lost": "lost its connection",
        "malformed": "cannot be heard any more",
        "left": "left",
    }

    def __init__(
        self,
        process: int,
        reason: str,
        detail: str,
        standings: Sequence[Sequence[Any]] = (),
        waiting: Sequence[int] = (),
    ) -> None:
        self.process, self.reason, self.detail = process, reason, detail
        self.standings = tuple(Standing(*entry) for entry in standings)
        self.waiting = tuple(waiting)
        what = f"Process {process} {self._WORDS.get(reason, reason)}"
        what += f" {detail}" if reason == "raised" else f": {detail}"
        if reason == "left" and waiting:
            what += f"; still waiting for it: {spell(waiting)}"
        if reason == "raised" or reason == "left":
            fix = f"See the output of process {process}: the others only ended because of it."
        elif reason == "stopped":
            fix = f"Let process {process} run (kill -CONT), or end it, and start the job again; "
            fix += "OLYMPUS_STOPPED_TIMEOUT says how long a process may be stopped."
        elif reason == "silent":
            fix = f"Look at the machine and the network of process {process}; OLYMPUS_HEARTBEAT_TIMEOUT says how long "
            fix += "they may give no sign of life."
        elif reason == "malformed":
            fix = f"Look whether process {process} runs another version of olympus, or something else in its place."
        else:
            fix = f"See the output of process {process} and its machine's log (out of memory?); start the job again."
        super().__init__(f"{what}.", given=describe_standings(self.standings), fix=fix)


class ProcessFailureError(ClusterError, RuntimeError):
    """A process whose devices a block needed was lost while the block ran.

    Args:
        failed_devices: The devices of the lost process.
        process: Its index.
    """

    def __init__(self, failed_devices: Sequence[object], process: int) -> None:
        self.failed_devices, self.process = set(failed_devices), process
        super().__init__(f"Process {process} was lost, and its devices with it.",
                         given=", ".join(map(str, failed_devices)) or "none of the devices",
                         fix="Start the job again from its last checkpoint.")


class JobAbortedError(ClusterError, RuntimeError):
    """A process gave the job up.

    Args:
        process: Its index.
        reason: Why.
        standings: Where each process stood.
    """

    def __init__(self, process: int, reason: str, standings: Sequence[Sequence[Any]] = ()) -> None:
        self.process, self.reason = process, reason
        self.standings = tuple(Standing(*entry) for entry in standings)
        super().__init__(
            f"Process {process} ended the job: {reason}.",
            given=describe_standings(self.standings),
            fix=f"See the output of process {process}.",
        )


class CollectiveTimeoutError(ClusterError, TimeoutError):
    """A wait for other processes expired.

    Args:
        label: What was waited for.
        process: The process whose wait expired first.
        seconds: How long it waited.
        missing: Indices of the processes that have not come.
        standings: Where each process stood.
        limit: The option that says how long the wait might last; empty where the caller said it.
        deadlocked: Processes that wait for each other, where that is the cause.
        moved: Bytes that the process's transports had moved.
        stacks: The Python stacks of late processes, innermost line first, by process.
    """

    def __init__(
        self,
        label: str,
        process: int,
        seconds: float,
        missing: Sequence[int],
        standings: Sequence[Sequence[Any]] = (),
        limit: str = "",
        deadlocked: Sequence[int] = (),
        moved: int = 0,
        stacks: Iterable[tuple[int, Sequence[str]]] = (),
    ) -> None:
        self.label, self.process, self.seconds, self.missing = label, process, seconds, tuple(missing)
        self.standings = tuple(Standing(*entry) for entry in standings)
        self.limit, self.deadlocked, self.moved = limit, tuple(deadlocked), moved
        self.stacks = {late: tuple(lines) for late, lines in stacks}
        who = f"all have come, and nothing moves ({moved} bytes have been moved)"
        if missing:
            several = len(set(missing)) > 1
            who = f"process{'es' if several else ''} {spell(missing)} {'have' if several else 'has'} not come"
        if deadlocked:
            who += f"; processes {spell(deadlocked)} wait for each other"
        given = [describe_standings(self.standings) or ""]
        given += [f"process {late} is at {', called from '.join(lines)}" for late, lines in self.stacks.items()]
        fix = (
            "Look for a launch that only some processes reach (under `if process_index() == 0`, say)"
            if missing else "Look at the network between the processes"
        )
        if limit:
            fix += f"; {limit.upper()} says how long a wait like this may last"
        super().__init__(
            f"Process {process} waited {seconds:.1f} s in {label}: {who}.",
            given="; ".join(filter(None, given)) or None,
            expected="every process launches the same operations in the same order",
            fix=f"{fix}.",
        )


class DivergenceError(ClusterError, RuntimeError):
    """Processes launched different things in the same place.

    Args:
        claims: What each process launched, in words with its source line: text by process index.
        place: Where in the order of launches.
        difference: The first difference, where known.
    """

    def __init__(self, claims: Mapping[Any, str], place: str, difference: str | None = None) -> None:
        self.claims = {int(process): text for process, text in claims.items()}
        self.place, self.difference = place, difference
        groups: dict[str, list[int]] = {}
        for process, text in self.claims.items():
            groups.setdefault(text, []).append(process)
        lines = [f"process{'es' if len(who) > 1 else ''} {spell(who)}: {text}" for text, who in groups.items()]
        if difference:
            lines.append(f"first difference: {difference}")
        super().__init__(
            f"The processes launched different things at {place}.",
            given="\n    ".join(["", *lines]),
            expected="the same program in every process",
            fix="Make the lines above the same in all processes: same operations, order, shapes and constants.",
        )


class ForkedProcessError(ClusterError, RuntimeError):
    """A forked child used its parent's connection.

    Args:
        parent: Process identifier of the parent.
    """

    def __init__(self, parent: int) -> None:
        self.parent = parent
        super().__init__(
            f"This is a forked child of process {parent}: the connection to the job belongs to the parent.",
            fix="Start helpers before initialize(), or with the 'spawn' method instead of fork.",
        )


class ShutdownError(ClusterError, RuntimeError):
    """The connection is closed, or could not be closed in order.

    Args:
        reason: What went wrong.
        missing: Processes that did not come to the end.
        standings: Where each process stood.
    """

    def __init__(self, reason: str, missing: Sequence[int] = (), standings: Sequence[Sequence[Any]] = ()) -> None:
        self.reason, self.missing = reason, tuple(missing)
        self.standings = tuple(Standing(*entry) for entry in standings)
        super().__init__(
            f"Shutdown: {reason}.",
            given=describe_standings(self.standings),
            fix="Call shutdown() once, last, in every process; OLYMPUS_SHUTDOWN_TIMEOUT is how long it waits for them.",
        )


class BacklogError(ClusterError, BufferError):
    """Too much waits for the coordinator to receive it.

    Args:
        size: Bytes that would wait.
        most: Bytes that may.
    """

    def __init__(self, size: int, most: int) -> None:
        self.size, self.most = size, most
        super().__init__(
            "Messages are not sent: too much waits for the coordinator to receive it.",
            given=f"{size} bytes", expected=f"up to {most} bytes",
            fix="Exchange less at a time: large values travel as arrays. If the network is down, the limit of an "
            "outage is olympus_heartbeat_timeout (OLYMPUS_HEARTBEAT_TIMEOUT).",
        )


class JobUnreachableError(ClusterError, ConnectionError):
    """A job was asked for its status, and does not answer.

    Args:
        address: Where its process 0 was to be.
        reason: What happened.
    """

    def __init__(self, address: str, reason: str) -> None:
        self.address, self.reason = address, reason
        super().__init__(
            f"No job answers at {address}: {reason}.",
            expected="the address of process 0 of a running job",
            fix="Run `olympus status` without an address on process 0's machine: it lists this user's jobs there.",
        )


class ReceivedError(ClusterError, ValueError):
    """Another process sent what cannot be a message of this olympus.

    Args:
        what: What was awaited.
        process: Who sent it.
        problem: What is wrong with it, a clause.
        expected: What would be right.
    """

    def __init__(self, what: str, process: int, problem: str, expected: str) -> None:
        self.what, self.process, self.problem, self.expected = what, process, problem, expected
        super().__init__(
            f"What process {process} sent as {what} is not used: {problem}.", expected=expected,
            fix="Install the same release of olympus for all processes of the job.",
        )


class ValuesDifferError(ClusterError, AssertionError):
    """Values that were to be equal in all processes are not.

    Args:
        message: The caller's words.
        processes: The processes whose values differ from process 0's.
    """

    def __init__(self, message: str, processes: Sequence[int]) -> None:
        self.message, self.processes = message, tuple(processes)
        super().__init__(
            message or "Values differ between processes.", given=f"processes {spell(processes)} differ from process 0",
            expected="the same values in all processes",
            fix="Make them from the same seed or file, or send one process's with broadcast_one_to_all.",
        )


class FlightRecordError(ClusterError, ValueError):
    """A folder that holds no flight records, or a file that is none.

    Args:
        where: The folder or file.
        problem: What is wrong with it.
    """

    def __init__(self, where: object, problem: str) -> None:
        self.where, self.problem = where, problem
        super().__init__(
            f"{where} cannot be reported on: {problem}.",
            expected="a folder with the files process-0.json, process-1.json, ... of one job",
            fix="Pass the folder that the job's warning names; bring the files of all its machines together there.",
        )
