# SPDX-License-Identifier: Apache-2.0
"""A process's link to its job's coordinator: the thread that reads it, requests under way, the job's failure."""

from __future__ import annotations

import os
import threading
import time
import weakref
from collections.abc import Callable, Sequence

from olympus_core.errors.base import OlympusInternalError
from olympus_core.errors.cluster import ClusterError, Standing
from olympus_core.logs import Log

from .channels import TlsProblem
from .coordinator import Coordinator
from .failure import Failure, compress, error_of, failure
from .groups import unspell
from .late_warnings import KINDS as WARNING_KINDS
from .late_warnings import LateWarnings
from .machine import is_there
from .member import Member
from .preemption import PreemptionPoint
from .progress import ProcessProgress
from .requests import Request, Requests
from .schema import MalformedFrame, Message
from .session_link import SessionLink, SessionLost, SessionRefused
from .settings import ClusterSettings
from .wire import Frame

_log = Log(__name__)

ANSWER_TIME = 2.0  # for the coordinator to answer what it knows
LOOK_PERIOD = 0.5  # between two looks at those that a wait is for


class JobLink:
    """What `Connection` is built on: messages to the coordinator and from it.

    Attributes:
        process_index: This process's index.
        process_count: Number of processes.
        job: Unique for each run of the job; letters, digits, ``-`` and ``_`` only.
        hosts: For each process an identity of its machine.
        coordinator_address: Where the coordinator was reached.
        departed: Processes that have left or are about to: the last launch of each, by group.
        is_failure_told: Whether a call of this process has raised the job's failure.
        preemption: This process's steps, and the one at which the job is asked to end.
        settings: How long this process waits.
        on_failure: Called once when the job has failed, in whichever thread learns of it; waits have ended then.
    """

    def __init__(
        self,
        link: SessionLink,
        member: Member,
        coordinator_member: Member,
        job: str,
        machines: Sequence[str],
        address: str,
        settings: ClusterSettings,
        coordinator: Coordinator | None,
        secret: bytes,
        salt: bytes,
        early: Sequence[Frame] = (),
    ) -> None:
        self.process_index, self.process_count = member.process, member.count
        self.job, self.hosts = job, tuple(machines)
        self.coordinator_address, self.settings = address, settings
        self.departed: dict[int, dict[str, int]] = {}
        self._link, self._coordinator, self._secret = link, coordinator, secret
        self._salt = salt
        self._coordinator_member = coordinator_member
        self._failure: Failure | None = None
        self.is_failure_told = False
        self._failed = threading.Event()
        self.on_failure: Callable[[Failure], None] | None = None
        self._progress = ProcessProgress()
        self.preemption = PreemptionPoint(lambda: self._send({"t": "preempted"}), self._check_hold)
        self._late_warnings = LateWarnings(self.process_index, self._progress, settings)
        self._own: Standing | None = None
        self._requests = Requests()
        self._is_closing = False
        self._is_closed = False
        self._ended_well = False
        self._pid = os.getpid()
        _links.add(self)
        # Frames that were received early are handled by the thread, too, which words the coordinator's end.
        self._thread = threading.Thread(target=self._run, args=(early,), name="olympus-liveness", daemon=True)
        self._thread.start()

    def check(self) -> None:
        """Raises the job's error once there is one; a plain test otherwise."""
        if self._failure is not None:
            raise self._error(self._failure)

    def _check_hold(self, waited: float) -> None:
        """Raises the error of a wait for the step at which the job ends."""
        self.check()

    def _error(self, fact: Failure) -> ClusterError:
        """The job's error, to be raised: from then on the program knows of the failure."""
        self.is_failure_told = True
        return error_of(fact)

    @property
    def failed(self) -> bool:
        """Whether the job has failed."""
        return self._failure is not None

    def _link_is_lost(self) -> bool:
        return not self._thread.is_alive()

    def _fail(self, fact: Failure) -> ClusterError:
        """Reports a failure; the first one that the coordinator knows of is everybody's, and this one's too."""
        try:
            self._transmit({"t": "fail", "failure": fact})
            self._wait_for(self._failed.wait)
        except ClusterError:
            pass
        if self._failure is None:
            self._settle(fact)
        return self._error(self._failure or fact)

    def _collect(self, request: Request) -> Frame:
        self._requests.close(request)
        if request.frame is None:
            self.check()
            raise OlympusInternalError(f"no answer to request {request.token}")
        return request.frame

    def _send(self, message: Message, payload: bytes = b"") -> None:
        self.check()
        self._transmit(message, payload)

    def _transmit(self, message: Message, payload: bytes = b"") -> None:
        if self._link_is_lost():
            if self._failure is None:
                self._settle(self._coordinator_lost("connection lost", "it takes no message any more"))
            self.check()
        self._link.send(message, payload)

    def _wait_for(self, wait: Callable[[float], bool]) -> bool:
        """Waits for an answer of the coordinator's: shortly, but as long as an outage of the network may last."""
        started = time.monotonic()
        while not wait(LOOK_PERIOD):
            waited = time.monotonic() - started
            own = self._coordinator
            is_cut_off = own.awaits_return if own is not None else not self._link.is_reachable
            limit = self.settings.heartbeat_timeout if is_cut_off else ANSWER_TIME
            if waited > limit or self._link_is_lost():
                return False
        return True

    def _tell(self, census: int = 0) -> None:
        self._link.send({"t": "report", "census": census, **self._progress.report()})

    def _tell_quietly(self) -> None:
        if self._failure is None and not self._is_closed:
            self._tell()

    def _settle(self, fact: Failure) -> None:
        """The job has failed, as far as this process is concerned: every wait ends."""
        is_first = self._failure is None
        if self._failure is None:
            self._failure = fact
        self._failed.set()
        self._requests.end()
        self.preemption.wake()
        if is_first and self.on_failure is not None:
            self.on_failure(fact)

    def _coordinator_lost(self, reason: str, detail: str) -> Failure:
        number, text, _ = self._progress.current
        standings = [Standing(self.process_index, number, str(text), "this process")]
        if self._own is not None:
            standings.insert(0, self._own._replace(state="lost"))
        return failure("lost", process=0, reason=reason, detail=detail, standings=compress(standings))

    def _run(self, early: Sequence[Frame]) -> None:
        before = next_beat = time.monotonic()
        try:
            for frame in early:
                self._handle(frame)
            while not self._is_closed:
                timeout = max(0.0, next_beat - time.monotonic())
                for frame in self._link.receive(timeout):
                    self._handle(frame)
                now = time.monotonic()
                if now - before > timeout + self.settings.heartbeat_timeout / 3:
                    self._link.forgive(now - before)
                before = now
                if now >= next_beat and not self._is_closed:
                    next_beat = now + self.settings.heartbeat_period
                    self._beat(now)
        except SessionLost as lost:
            if not self._is_closed:
                self._settle(self._coordinator_lost(lost.reason, lost.detail))
        except SessionRefused as over:
            if not self._is_closed:
                self._settle(self._coordinator_gone_on(over.fact))
        except (MalformedFrame, TlsProblem) as error:
            self._settle(self._coordinator_lost("malformed", f"it sent what is no message ({error})"))
        except Exception as error:  # noqa: BLE001  (it is logged)
            # Whatever it is, those that wait must not wait for ever.
            _log.exception("the connection to the job broke")
            self._settle(self._coordinator_lost("malformed", f"reading its messages failed ({type(error).__name__})"))
        finally:
            self._requests.end()

    def _beat(self, now: float) -> None:
        watch = self._link.watch
        if watch.is_beat_due(now):
            self._link.send({"t": "report", **self._progress.report()})
        if self._coordinator is None and self._failure is None:
            self._late_warnings.watch_coordinator(watch, self._own, now)
            verdict = self._link.verdict(now)
            if verdict is not None:
                self._settle(self._coordinator_lost(*verdict))

    def _coordinator_gone_on(self, fact: Failure) -> Failure:
        """What it means that the coordinator knows this session no more."""
        if fact["kind"] != "stranger":
            return fact  # what has happened to the job meanwhile
        detail = f"it was killed or it crashed: another job listens there ({self._coordinator_member.describe()})"
        return self._coordinator_lost("connection lost", detail)

    def _handle(self, frame: Frame) -> None:
        message = frame.message
        kind = message["t"]
        if kind in ("answer", "values", "found", "table"):
            self._requests.answer(frame)
        elif kind == "ask":
            self._tell(message["census"])
        elif kind == "look":
            self._link.send({"t": "seen", "token": message["token"], "there": is_there(message["pid"])})
        elif kind == "beat":
            own = message.get("own")
            self._own = Standing(*own) if own else self._own
        elif kind == "hold":
            self._link.send({"t": "held", "last": self.preemption.hold()})
        elif kind == "preempt":
            self.preemption.decide(message["step"])
        elif kind in WARNING_KINDS:
            answer = self._late_warnings.hear(message)
            if answer is not None:
                self._link.send(answer)
        elif kind == "departed":
            news = {process: entered for group, entered in message["of"] for process in unspell(group)}
            self.departed = {**self.departed, **news}
        elif kind == "failed":
            self._settle(dict(message["failure"]))

    def forget_in_child(self) -> None:
        """In a forked child: gives up the copies of the parent's sockets."""
        self._failure = failure("forked", parent=self._pid)
        self._is_closing = self._is_closed = True
        self._link.forget()
        if self._coordinator is not None:
            self._coordinator.forget_in_child()

    def _close(self) -> None:
        self._is_closed = True
        if self._failure is None:
            self._ended_well = True
            self._failure = failure("closed", reason="the connection to the job is closed")
        if self._coordinator is not None:
            self._coordinator.stop()
        if threading.current_thread() is not self._thread:
            self._link.wake()  # else the thread would sleep until its next heartbeat
            self._thread.join(ANSWER_TIME)
        self._link.close()


# A fork copies the sockets; the copies must not keep a dead parent's connections alive.
_links: weakref.WeakSet[JobLink] = weakref.WeakSet()


def _after_fork_in_child() -> None:
    for link in list(_links):
        link.forget_in_child()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork_in_child)
