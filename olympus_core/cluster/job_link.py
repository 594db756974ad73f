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
from .liveness import SilenceWatch, verdict_at_end
from .member import Member
from .preemption import PreemptionPoint
from .progress import ProcessProgress
from .requests import Request, Requests
from .schema import MalformedFrame, Message
from .settings import ClusterSettings
from .wire import Frame, Link, LinkClosed, encode

_log = Log(__name__)

SEND_TIME = 5.0  # for the coordinator to take bytes
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
        preemption: This process's steps, and the one at which the job is asked to end.
        settings: How long this process waits.
        on_failure: Called once when the job has failed, in whichever thread learns of it; waits have ended then.
    """

    def __init__(
        self,
        link: Link,
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
        self._watch = SilenceWatch(coordinator_member, settings, time.monotonic())
        self._failure: Failure | None = None
        self._is_told = False
        self._failed = threading.Event()
        self.on_failure: Callable[[Failure], None] | None = None
        self._progress = ProcessProgress()
        self.preemption = PreemptionPoint(lambda: self._send({"t": "preempted"}), self.check)
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

    def _error(self, fact: Failure) -> ClusterError:
        """The job's error, to be raised: from then on the program knows of the failure."""
        self._is_told = True
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
            self._failed.wait(ANSWER_TIME)
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
        try:
            self._link.send(encode(message, payload), SEND_TIME)
        except (LinkClosed, TimeoutError):
            # The thread that reads meets the end too and finds its reason.
            self._thread.join(ANSWER_TIME)
            if self._failure is None:
                self._settle(self._coordinator_lost("connection lost", "it takes no message any more"))
            self.check()

    def _tell(self, census: int = 0) -> None:
        self._transmit({"t": "report", "census": census, **self._progress.report()})

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
                    self._watch.hear(time.monotonic())
                now = time.monotonic()
                if now - before > timeout + self.settings.heartbeat_timeout / 3:
                    self._watch.forgive(now - before)
                before = now
                if now >= next_beat and not self._is_closed:
                    next_beat = now + self.settings.heartbeat_period
                    self._beat(now)
        except (LinkClosed, TimeoutError):
            if not self._is_closed and self._failure is None:
                self._settle(self._end_of_coordinator())
        except (MalformedFrame, TlsProblem) as error:
            self._settle(self._coordinator_lost("malformed", f"it sent what is no message ({error})"))
        except Exception as error:  # noqa: BLE001  (it is logged)
            # Whatever it is, those that wait must not wait for ever.
            _log.exception("the connection to the job broke")
            self._settle(self._coordinator_lost("malformed", f"reading its messages failed ({type(error).__name__})"))
        finally:
            self._requests.end()

    def _beat(self, now: float) -> None:
        if self._watch.is_beat_due(now):
            self._link.send(encode({"t": "report", **self._progress.report()}), self.settings.heartbeat_timeout)
        if self._coordinator is None and self._failure is None:
            self._late_warnings.watch_coordinator(self._watch, self._own, now)
            verdict = self._watch.verdict(now, self._link.tcp_info())
            if verdict is not None:
                self._settle(self._coordinator_lost(*verdict))

    def _end_of_coordinator(self) -> Failure:
        verdict = None
        deadline = time.monotonic() + LOOK_PERIOD
        while verdict is None and time.monotonic() < deadline:
            verdict = verdict_at_end(self._coordinator_member)
            if verdict is None:
                time.sleep(0.01)
        if verdict is None:
            verdict = "connection lost", "the connection ended; its process is still there"
        return self._coordinator_lost(*verdict)

    def _handle(self, frame: Frame) -> None:
        message = frame.message
        kind = message["t"]
        if kind in ("answer", "values", "found"):
            self._requests.answer(frame)
        elif kind == "ask":
            report = {"t": "report", "census": message["census"], **self._progress.report()}
            self._link.send(encode(report), SEND_TIME)
        elif kind == "beat":
            own = message.get("own")
            self._own = Standing(*own) if own else self._own
        elif kind == "hold":
            self._link.send(encode({"t": "held", "last": self.preemption.hold()}), SEND_TIME)
        elif kind == "preempt":
            self.preemption.decide(message["step"])
        elif kind in WARNING_KINDS:
            answer = self._late_warnings.hear(message)
            if answer is not None:
                self._link.send(encode(answer), SEND_TIME)
        elif kind == "departed":
            news = {process: entered for group, entered in message["of"] for process in unspell(group)}
            self.departed = {**self.departed, **news}
        elif kind == "failed":
            self._settle(dict(message["failure"]))

    def forget_in_child(self) -> None:
        """In a forked child: gives up the copies of the parent's sockets."""
        self._failure = failure("forked", parent=self._pid)
        self._is_closing = self._is_closed = True
        self._link.close()
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
            self._link.stop_receiving()  # else the thread would sleep until its next heartbeat
            self._thread.join(ANSWER_TIME)
        self._link.close()


# A fork copies the sockets; the copies must not keep a dead parent's connections alive.
_links: weakref.WeakSet[JobLink] = weakref.WeakSet()


def _after_fork_in_child() -> None:
    for link in list(_links):
        link.forget_in_child()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork_in_child)
