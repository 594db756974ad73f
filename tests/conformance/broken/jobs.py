# SPDX-License-Identifier: Apache-2.0
"""Tests on a platform: in this thread, or as a job whose processes are threads.

A check knows of other processes only what its context gives it. So threads that have a client, devices and a
rendezvous each are a job, which begins in a millisecond. That checks fail in the same way between real processes is
shown for a few by the harness itself.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import pickle
import threading
import time
from collections.abc import Callable
from typing import Any

from olympus_conformance import Context, Outcome, Session, Status, Test, run_test
from olympus_core.errors import CollectiveTimeoutError, JobAbortedError, ProcessLostError
from olympus_core.plugin import Platform, PlatformSettings

from .form import RELEASED
from .transport import Board, BoardTransport

ALONE, TOGETHER = 3, 2  # devices of the process, where there is one and where there are several
BAD = (Status.FAIL, Status.ERROR, Status.TIMEOUT, Status.WARNING)
# For the other processes to say something better, for communications, and for processes to meet.
_GRACE, _WAIT, _MEETING = 1.0, 8.0, 16.0


class _Died(BaseException):
    """A process's end, where a process is a thread."""


class Hub:
    """Where the processes of a job meet; tells all of them when one has failed."""

    def __init__(self, count: int) -> None:
        self.count, self.secret = count, os.urandom(32)
        self.changed = threading.Condition()
        self.board = Board(self.changed)
        self.failure: Exception | None = None
        self._meetings: dict[Any, dict[int, bytes]] = {}

    def fail(self, error: Exception) -> None:
        """Makes every `check` raise."""
        with self.changed:
            self.failure = self.failure or error
            self.changed.notify_all()

    def meet(self, key: Any, process: int, value: bytes, members: tuple[int, ...], timeout: float) -> list[bytes]:
        """See `Rendezvous.exchange`; a label's meetings are told apart by their number."""
        with self.changed:
            come = self._meetings.setdefault(key, {})
            come[process] = value
            self.changed.notify_all()
            self.changed.wait_for(lambda: len(come) == len(members) or self.failure is not None, timeout)
            if len(come) < len(members):
                if self.failure is not None:
                    raise self.failure
                raise CollectiveTimeoutError(str(key[0]), process, timeout, tuple(set(members) - set(come)))
            return [come[p] for p in members]


class ThreadRendezvous:
    """A plugin's `Rendezvous` between threads."""

    def __init__(self, hub: Hub, index: int) -> None:
        self.hub, self.process_index, self.process_count = hub, index, hub.count
        self.job, self.hosts = "threads", ("here",) * hub.count
        self._numbers: dict[Any, int] = {}

    def exchange(
        self, label: str, value: bytes, processes: Any = None, timeout: float | None = None
    ) -> list[bytes]:
        """See `Rendezvous.exchange`."""
        members = tuple(range(self.process_count)) if processes is None else tuple(processes)
        self.check()
        number = self._numbers[label, members] = self._numbers.get((label, members), 0) + 1
        return self.hub.meet((label, tuple(sorted(members)), number), self.process_index, value, members,
                             _MEETING if timeout is None else timeout)

    def key(self, purpose: str) -> bytes:
        """See `Rendezvous.key`."""
        return hmac.digest(self.hub.secret, purpose.encode(), hashlib.sha256)

    def check(self) -> None:
        """See `Rendezvous.check`."""
        if self.hub.failure is not None:
            raise self.hub.failure

    def abort(self, reason: str) -> None:
        """See `Rendezvous.abort`."""
        self.hub.fail(JobAbortedError(self.process_index, reason))


class _ThreadContext(Context):
    def die(self) -> None:
        rendezvous: Any = self.rendezvous
        rendezvous.hub.fail(ProcessLostError(self.process_index, "killed", "it was to die"))
        raise _Died


def run(test: Test, make: Callable[[], Platform], seconds: float = 20.0) -> Outcome:
    """What becomes of a test on a platform, in as many processes as its case has."""
    return _run_alone(test, make) if test.case.processes == 1 else _run_together(test, make, seconds)


def _run_alone(test: Test, make: Callable[[], Platform]) -> Outcome:
    try:
        session = Session(make(), PlatformSettings(device_count=ALONE), seconds=_WAIT)
    except Exception as error:  # noqa: BLE001  (it is the outcome)
        return Outcome(test.id, Status.ERROR, reason=f"{type(error).__name__}: {error}")
    try:
        return run_test(test, Context(session, test.id))
    finally:
        session.close()


def _run_together(test: Test, make: Callable[[], Platform], seconds: float) -> Outcome:
    hub = Hub(test.case.processes)
    found: dict[int, Outcome] = {}
    threads = [threading.Thread(target=_serve, args=(test, make, hub, i, found), daemon=True)
               for i in range(hub.count)]
    for thread in threads:
        thread.start()
    end = time.monotonic() + seconds
    while any(t.is_alive() for t in threads) and time.monotonic() < end:
        threads_alive = [t for t in threads if t.is_alive()]
        threads_alive[0].join(0.02)
        if any(o.status in BAD for o in list(found.values())):
            end = min(end, time.monotonic() + _GRACE)  # the others may have something better to say
    bad = [o for o in found.values() if o.status in BAD]
    hung = [t for t in threads if t.is_alive()]
    if hung:
        hub.fail(JobAbortedError(0, "a test has failed or hangs"))
        RELEASED.set()
        for thread in hung:
            thread.join(5.0)
        RELEASED.clear()
    bad.sort(key=lambda o: BAD.index(o.status))
    if bad:
        return bad[0]
    if hung:
        return Outcome(test.id, Status.TIMEOUT, seconds, f"{len(hung)} of {hub.count} processes hang")
    passed = [o for o in found.values() if o.status is not Status.PASS]
    return (passed or list(found.values()))[0]


def _serve(test: Test, make: Callable[[], Platform], hub: Hub, index: int, found: dict[int, Outcome]) -> None:
    rendezvous = ThreadRendezvous(hub, index)
    settings = PlatformSettings(
        process_index=index, process_count=hub.count, device_count=TOGETHER, rendezvous=rendezvous,
        transports={"board": BoardTransport()}, neighbours=hub.count)
    try:
        session = Session(
            make(), settings,
            lambda own: [pickle.loads(data) for data in rendezvous.exchange("devices", pickle.dumps(own))], _WAIT)
        found[index] = outcome = run_test(test, _ThreadContext(session, test.id))
        if outcome.status not in BAD:
            session.close()
    except _Died:
        pass
    except Exception as error:  # noqa: BLE001  (it is the outcome)
        reason = f"{type(error).__name__}: {error}"
        if index not in found or found[index].status not in BAD:
            found[index] = Outcome(test.id, Status.ERROR, reason=reason)
