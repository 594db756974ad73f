"""A process's connection to its job: meetings, liveness, and the end."""

from __future__ import annotations

import os
import threading
import time
import weakref
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from olympus_core.errors.authentication import MessageSizeError
from olympus_core.errors.base import OlympusInternalError
from olympus_core.errors.cluster import ClusterError, ShutdownError, Standing, spell
from olympus_core.logs import Log

from .channels import TlsProblem
from .coordinator import Coordinator
from .failure import Failure, error_of, failure
from .keys import derived_key
from .liveness import SilenceWatch, verdict_at_end
from .member import Member
from .progress import ProcessProgress
from .requests import Request, Requests
from .schema import MOST_LABEL, MalformedFrame, Message
from .settings import ClusterSettings
from .wire import MOST_PAYLOAD, Frame, Link, LinkClosed, encode

_log = Log(__name__)

_SEND_TIME = 5.0  # for the coordinator to take bytes
_QUIET_LINGER = 10.0  # after its program's end, before process 0 says that it still serves
_ANSWER_TIME = 2.0  # for the coordinator to answer what it knows
_LOOK_PERIOD = 0.5  # between two looks at those that a wait is for
_LINGER_AFTER_FAILURE = 1.0  # for the others to fetch the reason


class Connection:
    """What a process has of its job; made by `connect`, and a plugin's `Rendezvous`.

    Attributes:
        process_index: This process's index.
        process_count: Number of processes.
        job: Unique for each run of the job; letters, digits, ``-`` and ``_`` only.
        hosts: For each process an identity of its machine.
        coordinator_address: Where the coordinator was reached.
        departed: Processes that have left or are about to: the last launch of each, by group.
        settings: How patient this process is.
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
        self._failed = threading.Event()
        self._progress = ProcessProgress()
        self._own: Standing | None = None
        self._requests = Requests()
        self._is_closing = False
        self._is_closed = False
        self._ended_well = False
        self._pid = os.getpid()
        _connections.add(self)
        # What came early is answered by the thread, too: there the coordinator's end has a name.
        self._thread = threading.Thread(target=self._run, args=(early,), name="olympus-liveness", daemon=True)
        self._thread.start()

    def set_position(self, number: int, text: object = "", group: tuple[int, ...] = ()) -> None:
        """Says where this process is: a test and a store, so that it may stand in front of each launch.

        Args:
            number: Number of the launch that it enters now, among those of the group.
            text: The launch in words; anything with a `str`, which is only asked for when it is sent.
            group: The processes that the launch spans, ascending. Numbers are compared within a group only.
        """
        progress = self._progress
        if group is not progress.current[2]:
            progress.change_group()
        progress.current = (number, text, group)

    def check(self) -> None:
        """Raises the job's error once there is one; a plain test otherwise."""
        if self._failure is not None:
            raise error_of(self._failure)

    @property
    def failed(self) -> bool:
        """Whether the job has failed."""
        return self._failure is not None

    @property
    def ended_well(self) -> bool:
        """Whether the connection was closed and the job had not failed."""
        return self._ended_well

    def check_group(self, processes: Sequence[int], position: int) -> None:
        """Like `check`, and raises as well if one of the processes has left before this launch."""
        if self._failure is not None:
            raise error_of(self._failure)
        if self.departed:
            key = spell(processes)
            for process in processes:
                if process in self.departed and self.departed[process].get(key, 0) < position:
                    raise self._left(process, position)

    def exchange(
        self, label: str, value: bytes, processes: Sequence[int] | None = None, timeout: float | None = None
    ) -> list[bytes]:
        """Every process gives a value and gets everybody's, in the order of `processes`.

        Args:
            label: The meeting's name, the same in all its members.
            value: What this process gives.
            processes: The members, this one included; all when None.
            timeout: Seconds to wait. None waits as `wait_limit` says: shortly for processes that do nothing, long
                for those that work.

        Returns:
            One value for each member.

        Raises:
            ProcessLostError: If a process of the job is lost, or a member has left.
            CollectiveTimeoutError: If members did not come; the job has then failed in every process.
            DivergenceError: If another member names other members for the same label.
        """
        self.check()
        of = range(self.process_count) if processes is None else processes
        members = sorted(of)
        if self.process_index not in members or len(set(members)) != len(members):
            raise OlympusInternalError(f"process {self.process_index} exchanges {label!r} among {members}")
        if len(members) == 1:
            return [bytes(value)]
        size = len(value) * len(members)
        if size > MOST_PAYLOAD or len(label) > MOST_LABEL:
            raise MessageSizeError(label, max(size, len(label)), MOST_PAYLOAD if size > MOST_PAYLOAD else MOST_LABEL)
        started = time.monotonic()
        request = self._requests.open("values", len(members))
        self._send({"t": "exchange", "token": request.token, "label": label, "of": members}, bytes(value))
        step = self.settings.collective_timeout if timeout is None else timeout
        while not request.wait(step):
            waited = time.monotonic() - started
            error = self._overdue(f"meeting {label!r}", label, members, 0, waited, timeout)
            if error is not None:
                raise error
            step = _LOOK_PERIOD
        frame = self._collect(request)
        values, start = {}, 0
        for process, size in zip(members, frame.message["sizes"], strict=True):
            values[process] = frame.payload[start : start + size]
            start += size
        return [values[process] for process in of]

    def key(self, purpose: str) -> bytes:
        """32 bytes that are equal in all processes of this run of the job, and that nobody else can know.

        Args:
            purpose: What the key is for; another purpose, or another run, has another key.
        """
        return derived_key(self._secret, self.job, purpose, self._salt)

    def abort(self, reason: str) -> None:
        """Tells every process that the job has failed; their next `check` raises."""
        if self._failure is None and not self._is_closed:
            self._fail(failure("aborted", process=self.process_index, reason=reason))

    @contextmanager
    def slow(self, what: str) -> Iterator[None]:
        """Declares that this process may make the others wait for long.

        Args:
            what: What it does, for the errors of those that wait.
        """
        self._progress.slow.append(what)
        self._tell_quietly()
        try:
            yield
        finally:
            self._progress.slow.pop()
            self._tell_quietly()

    def wait_limit(self, processes: Sequence[int], position: int) -> float:
        """Seconds that a wait for this launch may last in all, by what those that it waits for do now."""
        return float(self._ask(None, processes, position)["patience"])

    def overdue(
        self, label: str, processes: Sequence[int], position: int, waited: float, timeout: float | None = None
    ) -> ClusterError | None:
        """Judges a wait that has lasted long; to be asked again every half second or so.

        Args:
            label: What is waited for, as in `set_position`.
            processes: Who takes part.
            position: Number of the launch.
            waited: Seconds waited so far.
            timeout: Seconds allowed; None for `wait_limit`.

        Returns:
            None to go on waiting; else the error to raise, which every other process raises as well.
        """
        return self._overdue(label, None, processes, position, waited, timeout)

    def diverged(self, claims: Mapping[int, str], place: str, difference: str | None = None) -> ClusterError:
        """Reports that processes have launched different things in the same place.

        Args:
            claims: What each process launched, in words.
            place: Where in the order of launches.
            difference: The first difference, where known.

        Returns:
            The error to raise, a `DivergenceError` unless the job had failed already; every other process raises
            it as well.
        """
        said = {str(process): text for process, text in claims.items()}
        return self._fail(failure("divergence", claims=said, place=place, difference=difference))

    def report_exit(self, words: str) -> None:
        """Tells the others why this process ends; called for an uncaught exception."""
        if self._failure is not None or self._is_closed:
            return
        request = self._requests.open()
        try:
            self._send({"t": "words", "token": request.token, "words": words[:2000]})
        except ClusterError:
            return
        request.wait(_ANSWER_TIME)

    def shutdown(self, timeout: float | None = None) -> None:
        """Ends the connection in order: waits until all processes have come to their end.

        Args:
            timeout: Seconds to wait; the settings' when None.

        Raises:
            ShutdownError: If they have not come in time; the connection is closed all the same.
            ProcessLostError: If a process is lost, or waits in vain for one that is here already.
        """
        if self._is_closed:
            return
        self.check()
        allowed = self.settings.shutdown_timeout if timeout is None else timeout
        started = time.monotonic()
        request = self._requests.open()
        self._is_closing = True
        try:
            self._send({"t": "closing", "token": request.token, **self._progress.report()})
            if not request.wait(allowed):
                standings = [Standing(*entry) for entry in self._ask(None, [], 0)["standings"]]
                late = [s.process for s in standings if s.text != "shutdown" and s.state != "left"]
                waited = time.monotonic() - started
                raise ShutdownError(f"not all processes came to their end in {waited:.1f} s", late, standings)
            self._collect(request)
        except BaseException:
            self._leave(0.0)
            raise
        if self._coordinator is not None:
            self._coordinator.wait_until_alone(_ANSWER_TIME)
        self._close()

    def leave(self) -> None:
        """Ends the connection without waiting for anybody; nobody minds unless somebody waits for this process.

        Process 0 stays, as the coordinator, until the others have left.
        """
        self._leave(self.settings.linger_timeout)

    def _leave(self, linger: float) -> None:
        if self._is_closed or os.getpid() != self._pid:
            return
        self._is_closing = True
        if not self._link_is_lost():
            request = self._requests.open()
            try:
                self._transmit({"t": "leave", "token": request.token, **self._progress.report()})
                request.wait(_ANSWER_TIME)
            except ClusterError:
                pass
        if self._coordinator is not None:
            started = time.monotonic()
            is_told = False
            while not self._coordinator.wait_until_alone(_LOOK_PERIOD):
                lingered = time.monotonic() - started
                if lingered > _QUIET_LINGER and not is_told:
                    is_told = True
                    _log.warning("process 0 has ended its program and serves the others, which still work")
                if lingered >= (linger if self._failure is None else _LINGER_AFTER_FAILURE):
                    break
        self._close()

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
            self._thread.join(_ANSWER_TIME)
        self._link.close()

    def _link_is_lost(self) -> bool:
        return not self._thread.is_alive()

    def _left(self, process: int, position: int) -> ClusterError:
        text = self._progress.text or f"launch #{position}"
        detail = f"its program ended, or called shutdown(), before {text}"
        waiting = [self.process_index]
        return self._fail(failure("lost", process=process, reason="left", detail=detail, waiting=waiting))

    def _overdue(
        self,
        label: str,
        meeting: str | None,
        processes: Sequence[int],
        position: int,
        waited: float,
        timeout: float | None,
    ) -> ClusterError | None:
        if self._failure is not None:
            return error_of(self._failure)
        try:
            found = self._ask(meeting, processes, position)
        except ClusterError as error:
            return error
        missing = [Standing(*entry) for entry in found["missing"]]
        gone = next((s for s in missing if s.state == "left" or s.text == "shutdown"), None)
        if gone is not None and meeting is None:
            return self._left(gone.process, position)
        if waited < (float(found["patience"]) if timeout is None else timeout):
            return None
        names = [standing.process for standing in missing]
        if meeting is not None and not names:
            return None  # all have come meanwhile: the answer is on its way
        return self._fail(
            failure(
                "timeout",
                label=label,
                process=self.process_index,
                seconds=waited,
                missing=names,
                standings=found["standings"],
            )
        )

    def _fail(self, fact: Failure) -> ClusterError:
        """Reports a failure; the first one that the coordinator knows of is everybody's, and this one's too."""
        try:
            self._transmit({"t": "fail", "failure": fact})
            self._failed.wait(_ANSWER_TIME)
        except ClusterError:
            pass
        if self._failure is None:
            self._settle(fact)
        return error_of(self._failure or fact)

    def _ask(self, meeting: str | None, processes: Sequence[int], position: int) -> Message:
        request = self._requests.open("found")
        self._send({"t": "who", "token": request.token, "label": meeting, "of": list(processes), "position": position})
        if not request.wait(_ANSWER_TIME):
            # The coordinator itself does not answer; its silence is being watched, so there is time.
            self._requests.close(request)
            return {"missing": [], "standings": [], "patience": self.settings.busy_timeout}
        return self._collect(request).message

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
            self._link.send(encode(message, payload), _SEND_TIME)
        except (LinkClosed, TimeoutError):
            # The thread that reads meets the end too and finds its reason.
            self._thread.join(_ANSWER_TIME)
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
        if self._failure is None:
            self._failure = fact
        self._failed.set()
        self._requests.end()

    def _coordinator_lost(self, reason: str, detail: str) -> Failure:
        number, text, _ = self._progress.current
        standings = [Standing(self.process_index, number, str(text), "this process")]
        if self._own is not None:
            standings.insert(0, self._own._replace(state="last heard of"))
        return failure("lost", process=0, reason=reason, detail=detail, standings=standings)

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
        self._link.send(encode({"t": "report", **self._progress.report()}), self.settings.heartbeat_timeout)
        if self._coordinator is None and self._failure is None:
            verdict = self._watch.verdict(now, self._own is not None and self._own.state.startswith("slow"))
            if verdict is not None:
                self._settle(self._coordinator_lost(*verdict))

    def _end_of_coordinator(self) -> Failure:
        verdict = None
        deadline = time.monotonic() + _LOOK_PERIOD
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
            self._link.send(encode(report), _SEND_TIME)
        elif kind == "beat":
            own = message.get("own")
            self._own = Standing(*own) if own else self._own
        elif kind == "departed":
            self.departed = {**self.departed, **dict(message["of"])}
        elif kind == "failed":
            self._settle(dict(message["failure"]))


# A fork copies the sockets; the copies must not keep a dead parent's connections alive.
_connections: weakref.WeakSet[Connection] = weakref.WeakSet()


def _after_fork_in_child() -> None:
    for connection in list(_connections):
        connection.forget_in_child()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork_in_child)
