# SPDX-License-Identifier: Apache-2.0
"""Launches: every execution that spans processes is numbered, and compared with those of the others."""

from __future__ import annotations

import hashlib
import threading
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from time import monotonic
from typing import TYPE_CHECKING

import numpy as np

from olympus_core.config import config
from olympus_core.errors import OlympusInternalError, ThreadGuardError
from olympus_core.errors.platform import SharedMemoryError, SharedMemoryWarning
from olympus_core.location import user_location

from .launch_log import GroupLog, LaunchLog

if TYPE_CHECKING:
    from olympus_core.cluster.connection import Connection

    from .flight_recorder import FlightRecorder, Launch


_TEXT_BYTES = 256
_MOMENT = 2.0  # seconds that a process which has seen another launch waits for what the rest launch
_PAUSE = 0.005
Gather = Callable[[np.ndarray], Sequence[np.ndarray]]


owners: list[int] = []  # the thread that alone may launch, if there is one


def check_thread(what: str) -> None:
    """Refuses a launch over several processes by another thread than the one that set the guard.

    Args:
        what: What is launched.

    Raises:
        ThreadGuardError: When another thread set the guard.
    """
    if owners and owners[0] != threading.get_ident():
        names = {thread.ident: thread.name for thread in threading.enumerate()}
        raise ThreadGuardError(what, threading.current_thread().name, names.get(owners[0], "a thread that has ended"))


def digest_of(facts: str, content: bytes | memoryview = b"") -> int:
    """64 bits that stand for what is launched, the same in every process.

    Args:
        facts: What it is, in words.
        content: Bytes that must be the same, too.
    """
    digest = hashlib.blake2b(facts.encode(), digest_size=8)
    digest.update(content)
    return int.from_bytes(digest.digest(), "little")


class Launches:
    """This process's launches, by the set of processes that each spans.

    Args:
        connection: The connection to the other processes.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._shared_log = self._open_shared_log()
        self._spans: dict[tuple[int, ...], Span] = {}
        from .flight_recorder import FlightRecorder  # of jobs of several processes only

        folder, is_default = config.flight_record_folder()
        self._recorder = FlightRecorder(connection, folder, is_default, self._numbers)
        self._recorder.write_on_signal()

    def _numbers(self) -> dict[tuple[int, ...], int]:
        """The number of the last launch of each set of processes."""
        return {processes: span.sequence for processes, span in list(self._spans.items())}

    def _open_shared_log(self) -> LaunchLog | None:
        """The machine's launch log; None where processes have to compare by messages."""
        # Imported where there are several processes: programs of one need none of it.
        from olympus_core.toolkit.sharedfile import open_shared, remove_leftovers

        remove_leftovers()
        connection = self._connection
        neighbours = [p for p, h in enumerate(connection.hosts) if h == connection.hosts[connection.process_index]]
        if len(neighbours) < 2:
            return None
        size = LaunchLog.size_of(len(neighbours))
        try:
            file = open_shared(connection, f"launch log of {connection.job} at {neighbours[0]}", size, neighbours)
        except SharedMemoryError as error:  # in all of them
            warnings.warn(SharedMemoryWarning("Launches are compared", error), stacklevel=2)
            return None
        try:
            return LaunchLog(file.map(0, size), connection.process_index, neighbours)
        finally:
            file.close()

    def span(self, processes: Sequence[int], gather: Gather) -> Span:
        """The launches over these processes.

        Args:
            processes: Their indices, ascending.
            gather: Brings everybody's entry, where they are not all on this machine.
        """
        key = tuple(processes)
        found = self._spans.get(key)
        if found is None:
            found = self._spans[key] = Span(self._connection, self._shared_log, self._recorder, key, gather)
        return found

    def close(self) -> None:
        """Drops the spans; memory that processes share is freed by the last of them."""
        self._recorder.close()
        for span in self._spans.values():
            span.close()
        self._spans.clear()
        self._shared_log = None


class Span:
    """The launches that span one set of processes.

    Attributes:
        processes: The processes, this one among them.
        same_machine: Whether all are on this machine and share a launch log.
        label: The launch under way, for people.
        launch: The flight record of the launch under way; whoever sees its end writes the time there.
    """

    __slots__ = (
        "_connection", "_gather", "_keep", "_log", "label", "launch", "processes", "same_machine", "sequence",
    )

    def __init__(
        self, connection: Connection, log: LaunchLog | None, recorder: FlightRecorder, processes: tuple[int, ...],
        gather: Gather,
    ) -> None:
        self._connection, self.processes, self._gather = connection, processes, gather
        self._keep = recorder.launches.append
        self.launch: Launch = [0.0, 0.0, 0, "", processes]
        own = connection.hosts[connection.process_index]
        are_here = all(connection.hosts[p] == own for p in processes)
        self._log = GroupLog(log, processes) if log is not None and are_here else None
        self.same_machine = self._log is not None
        self.sequence = 0
        self.label = ""

    def enter(self, name: str, digest: int) -> None:
        """Begins a launch.

        Args:
            name: What is launched, for people.
            digest: 64 bits that stand for it.

        Raises:
            DivergenceError: If another process has launched something else at this point.
            ClusterError: If the job has failed already.
            ThreadGuardError: If another thread alone may launch.
        """
        if owners:
            check_thread(name)
        sequence = self.sequence = self.sequence + 1
        self.label = label = f"#{sequence} {name} at {user_location(2)}"
        connection = self._connection
        connection.set_position(sequence, label, self.processes)
        # Written out: a call would cost as much as the rest of the record.
        launch = self.launch = [monotonic(), 0.0, sequence, label, self.processes]
        self._keep(launch)
        if config.check_divergence:
            if self._log is None:
                self._compare_by_message(digest)
            elif self._log.launch(digest, label.encode()) is not None:
                raise self.divergence(self._everybody(self._log))
        connection.check_group(self.processes, sequence)

    def settle(self) -> None:
        """Ends a launch whose collectives are done: every process's entry must have been written and be the same.

        Raises:
            DivergenceError: If another process has launched something else at this point.
        """
        if self._log is not None and config.check_divergence and self._log.settle() is not None:
            raise self.divergence(self._everybody(self._log))

    def check(self) -> None:
        """Raises once the job has failed or the processes have diverged; called again and again while waiting."""
        self.settle()
        self._connection.check_group(self.processes, self.sequence)

    def overdue(self, label: str, waited: float) -> Exception | None:
        """Decides about a long wait: None to go on, else the error."""
        return self._connection.overdue(f"{label} of {self.label}", self.processes, self.sequence, waited)

    def end_wait(self) -> None:
        """Says that a wait has ended that `overdue` was asked about."""
        self._connection.end_wait()

    def divergence(self, claims: Mapping[int, str]) -> Exception:
        """The error that names what each process launched; every other process raises it too."""
        return self._connection.diverged(claims, f"launch #{self.sequence}")

    def close(self) -> None:
        """Drops the log, also where programs that still hold this span wait for the garbage collector."""
        self._log, self._gather = None, self._refuse

    def _refuse(self, entry: np.ndarray) -> Sequence[np.ndarray]:
        self._connection.check()
        raise OlympusInternalError(f"launch {self.label} comes after its devices were closed")

    def _everybody(self, log: GroupLog) -> dict[int, str]:
        """What all processes say of this launch; those that have not reached it yet are given a moment."""
        deadline = monotonic() + _MOMENT
        texts = log.texts()
        while len(texts) < len(self.processes) and monotonic() < deadline and not self._connection.failed:
            time.sleep(_PAUSE)
            texts = log.texts()
        return texts

    def _compare_by_message(self, digest: int) -> None:
        """Compares without a common log: the digest is sent to the other machines, the text only if they differ."""
        digests = self._gather(np.frombuffer(digest.to_bytes(8, "little"), np.uint8).copy())
        # All have the same digests, so all come to the same end: they agree, or all tell what they launch.
        if any(bytes(other) != bytes(digests[0]) for other in digests):
            text = np.zeros(_TEXT_BYTES, np.uint8)
            label = self.label.encode()[:_TEXT_BYTES]
            text[: len(label)] = np.frombuffer(label, np.uint8)
            texts = [bytes(other).rstrip(b"\0").decode(errors="replace") for other in self._gather(text)]
            raise self.divergence(dict(zip(self.processes, texts, strict=True)))
