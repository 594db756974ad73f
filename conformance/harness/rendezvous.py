# SPDX-License-Identifier: Apache-2.0
"""The rendezvous of a job on a worker's side: meetings and failures, through the controller."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import sys
import threading
import time
import traceback
from collections.abc import Sequence
from multiprocessing.connection import Connection  # noqa: TID251  (for its challenge: messages go as bytes)

from olympus_core.errors import CollectiveTimeoutError, JobAbortedError, OlympusError, ProcessLostError
from olympus_core.plugin import DeviceDescription

from .errors import MeetingError
from .messages import Abort, Answer, Dump, Failure, Meet, Stacks, Withdraw
from .wire import MessageError, receive, send

_SLICE = 0.5  # seconds of a wait, after which signal handlers, such as that of Ctrl-C, can run
_LAST_WORD = 2.0  # seconds for the controller to name the missing processes


class _Meeting:
    """A meeting for which this process waits."""

    __slots__ = ("answer", "is_over")

    def __init__(self) -> None:
        self.is_over = threading.Event()
        self.answer: Answer | None = None


class JobRendezvous:
    """A plugin's `Rendezvous` over a connection to the controller, which a thread of its own reads.

    Attributes:
        process_index: This process's index.
        process_count: Number of processes.
        job: Unique for each job; letters and digits.
        hosts: For each process the name of its machine.

    Args:
        link: The connection; when it ends, this process ends, since nobody else would end it.
        process_index: This process's index.
        job: The job's name.
        hosts: For each process the name of its machine.
        secret: The job's shared secret, from which keys are derived.
        seconds: The default timeout of a meeting.
    """

    def __init__(
        self, link: Connection, process_index: int, job: str, hosts: Sequence[str], secret: bytes, seconds: float
    ) -> None:
        self.process_index, self.process_count = process_index, len(hosts)
        self.job, self.hosts = job, tuple(hosts)
        self._link, self._secret, self._seconds = link, secret, seconds
        self._lock = threading.Lock()
        self._meetings: dict[int, _Meeting] = {}
        self._count = 0
        self._failure: Failure | None = None
        threading.Thread(target=self._read, name="conformance-rendezvous", daemon=True).start()

    @property
    def has_failed(self) -> bool:
        """Whether `check` raises."""
        return self._failure is not None

    def exchange(
        self, label: str, value: bytes, processes: Sequence[int] | None = None, timeout: float | None = None
    ) -> list[bytes]:
        """Gathers a value of every process; see `olympus_core.plugin.Rendezvous`.

        Raises:
            ProcessLostError: A process of the job is gone.
            JobAbortedError: A process aborted the job.
            CollectiveTimeoutError: Not all processes arrived in time.
            MeetingError: The label is in use.
        """
        members = tuple(range(self.process_count)) if processes is None else tuple(processes)
        limit = self._seconds if timeout is None else timeout
        end = time.monotonic() + limit
        self.check()
        meeting = _Meeting()
        with self._lock:
            self._count += 1
            number = self._count
            self._meetings[number] = meeting
            send(self._link, Meet(number, label, members, bytes(value)))
        _wait(meeting.is_over, end)
        if not meeting.is_over.is_set():
            with self._lock:
                send(self._link, Withdraw(number))
            _wait(meeting.is_over, time.monotonic() + _LAST_WORD)
        self._meetings.pop(number)
        answer = meeting.answer
        if answer is None or answer.missing:
            self.check()
            raise CollectiveTimeoutError(label, self.process_index, limit, answer.missing if answer else ())
        if answer.values is None:
            raise MeetingError(label)
        return [answer.values[p] for p in members]

    def key(self, purpose: str) -> bytes:
        """See `olympus_core.plugin.Rendezvous`; the job's name is part of the key."""
        return hmac.digest(self._secret, f"olympus conformance {self.job} {purpose}".encode(), hashlib.sha256)

    def check(self) -> None:
        """Raises the job's error once a process has failed."""
        if self._failure is not None:
            raise _error_of(self._failure)

    def moved(self, count: int) -> None:
        """See `olympus_core.plugin.Rendezvous`; checks have time limits of their own."""

    def abort(self, reason: str) -> None:
        """Tells every process that the job has failed."""
        with self._lock:
            if self._failure is None:
                send(self._link, Abort(reason))
        self._fail(Failure("aborted", self.process_index, reason))

    def gather(self, own: list[DeviceDescription]) -> list[list[DeviceDescription]]:
        """The device descriptions of all processes."""
        plain = [description.to_plain() for description in own]
        answers = self.exchange("devices", json.dumps(plain).encode())
        return [[DeviceDescription.from_plain(facts) for facts in json.loads(answer)] for answer in answers]

    def _read(self) -> None:
        while True:
            try:
                message = receive(self._link)
            except (EOFError, OSError, MessageError):
                os._exit(1)  # the controller is gone
            if isinstance(message, Answer):
                meeting = self._meetings.get(message.number)
                if meeting is not None:
                    meeting.answer = message
                    meeting.is_over.set()
            elif isinstance(message, Failure):
                self._fail(message)
            elif isinstance(message, Dump):
                text = stacks()
                with self._lock:
                    send(self._link, Stacks(text))

    def _fail(self, failure: Failure) -> None:
        if self._failure is None:
            self._failure = failure
        for meeting in list(self._meetings.values()):
            meeting.is_over.set()


def _wait(event: threading.Event, end: float) -> None:
    while time.monotonic() < end and not event.wait(max(0.0, min(_SLICE, end - time.monotonic()))):
        pass


def stacks() -> str:
    """The stacks of all threads of this process except the current one; the main thread first."""
    names = {thread.ident: thread.name for thread in threading.enumerate()}
    main, here = threading.main_thread().ident, threading.get_ident()
    frames = sorted(sys._current_frames().items(), key=lambda item: item[0] != main)
    return "\n".join(
        f"thread {names.get(ident, ident)}:\n{''.join(traceback.format_stack(frame))}"
        for ident, frame in frames if ident != here
    )


def _error_of(failure: Failure) -> OlympusError:
    if failure.kind == "aborted":
        return JobAbortedError(failure.process, failure.detail)
    return ProcessLostError(failure.process, "killed", failure.detail)
