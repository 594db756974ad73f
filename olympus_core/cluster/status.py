# SPDX-License-Identifier: Apache-2.0
"""Where every process of a job stands: made from what the coordinator knows, as it travels, and back."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from olympus_core.job_status import JobStatus, ProcessStatus

from .machine import process_state
from .peer import Peer


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
