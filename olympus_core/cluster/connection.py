# SPDX-License-Identifier: Apache-2.0
"""A process's connection to its job: meetings, liveness, and the end."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from threading import get_ident

from olympus_core.errors.authentication import MessageSizeError
from olympus_core.errors.base import OlympusInternalError
from olympus_core.errors.cluster import ClusterError, ShutdownError, spell
from olympus_core.job_status import JobStatus
from olympus_core.logs import Log

from .failure import expand, failure
from .job_link import ANSWER_TIME, LOOK_PERIOD, JobLink
from .keys import derived_key
from .preemption import HOLDING
from .schema import MOST_LABEL, Message
from .status import of_message, without_answer
from .wait_limits import LATE
from .wire import MOST_PAYLOAD

_log = Log(__name__)

_QUIET_LINGER = 10.0  # after its program's end, before process 0 says that it still serves
_CLOCK_LOOKS = 7
_STATUS_TIME = 5.0  # for process 0 to say where all are, which it asks them
_LINGER_AFTER_FAILURE = 1.0  # for the others to fetch the reason
_LINGER_UNTOLD = 5.0  # the same where the network has cut some of them off


class Connection(JobLink):
    """What a process has of its job; made by `connect`, and a plugin's `Rendezvous`. Takes what `JobLink` takes."""

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
        if get_ident() != progress.thread:
            progress.change_thread(get_ident())
        progress.current = (number, text, group)

    @property
    def ended_well(self) -> bool:
        """Whether the connection was closed and the job had not failed."""
        return self._ended_well

    def check_group(self, processes: Sequence[int], position: int) -> None:
        """Like `check`, and raises as well if one of the processes has left before this launch."""
        if self._failure is not None:
            raise self._error(self._failure)
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
            timeout: Seconds to wait; None waits for as long as the others live and may still come.

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
        self._send({"t": "exchange", "token": request.token, "label": label, "of": spell(members)}, bytes(value))
        group = tuple(members)
        step = LOOK_PERIOD if timeout is None else min(timeout, LOOK_PERIOD)
        try:
            while not request.wait(step):
                waited = time.monotonic() - started
                error = self._overdue(label, True, group, 0, waited, timeout)
                if error is not None:
                    raise error
                step = LOOK_PERIOD if timeout is None else min(max(0.01, timeout - waited), LOOK_PERIOD)
        finally:
            self.end_wait()
        self._collect(request)
        values = dict(zip(members, request.values, strict=True))
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

    def moved(self, count: int) -> None:
        """Says that a transport has moved so many bytes: an addition, so that it may stand beside each piece."""
        self._progress.waits.moved += count

    def overdue(
        self, label: str, processes: Sequence[int], position: int, waited: float, timeout: float | None = None
    ) -> ClusterError | None:
        """Judges a wait that has lasted long; to be asked again every half second or so, and ended with `end_wait`.

        Nobody is asked: the coordinator judges the waits that processes report.

        Args:
            label: What is waited for, as in `set_position`.
            processes: Who takes part.
            position: Number of the launch.
            waited: Seconds waited so far.
            timeout: Seconds allowed; None for as long as the others live and may still come.

        Returns:
            None to go on waiting; else the error to raise, which every other process raises as well.
        """
        return self._overdue(label, False, tuple(processes), position, waited, timeout)

    def end_wait(self) -> None:
        """Says that this thread's wait has ended; does nothing where it had none."""
        self._progress.waits.end()

    def status(self, stacks: bool = False) -> JobStatus:
        """Where every process stands; what this one knows by itself where process 0 does not answer.

        Args:
            stacks: Whether each process is asked for its Python stack.
        """
        self.check()
        request = self._requests.open("table")
        self._send({"t": "status", "token": request.token, "stacks": stacks})
        if request.wait(_STATUS_TIME):
            return of_message(self._collect(request).message)
        self._requests.close(request)
        heard = time.monotonic() - self._link.watch.heard
        pid = self._coordinator_member.pid if self._coordinator_member.is_visible_here() else 0
        return without_answer(self.process_index, self.process_count, pid, self._own, heard)

    def clock_difference(self) -> int:
        """Nanoseconds by which process 0's time of day is ahead of this process's; 0 where it does not answer.

        The estimate is late by the way of the answer that came fastest, of several: the time is read when it is sent.
        """
        looks = []
        for _ in range(_CLOCK_LOOKS):
            request = self._requests.open("table")
            self._send({"t": "status", "token": request.token, "stacks": False})
            if not request.wait(_STATUS_TIME):
                self._requests.close(request)
                break
            now = time.time_ns()
            looks.append(1000 * int(self._collect(request).message["clock"]) - now)
        return max(looks, default=0)

    def diverged(self, claims: Mapping[int, str], place: str, difference: str | None = None) -> ClusterError:
        """Reports that processes have launched different things at the same point.

        Args:
            claims: What each process launched, in words.
            place: The point in the order of launches.
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
        self._wait_for(request.wait)

    def shutdown(self, timeout: float | None = None, is_failure_told: bool | None = None) -> None:
        """Ends the connection in order: waits until all processes have come to their end.

        In a job that has failed nobody is waited for, and the failure is not raised again where it was raised before.

        Args:
            timeout: Seconds to wait; the settings' when None.
            is_failure_told: Whether the program knows of a failure; None for whether a call has raised it.

        Raises:
            ShutdownError: If they have not come in time; the connection is closed all the same.
            ProcessLostError: If a process is lost, or waits in vain for one that is here already.
        """
        if self._is_closed:
            return
        if self._failure is not None:
            is_told = self.is_failure_told if is_failure_told is None else is_failure_told
            self._leave(0.0)
            if not is_told:
                self.check()
            return
        allowed = self.settings.shutdown_timeout if timeout is None else timeout
        started = time.monotonic()
        request = self._requests.open()
        self._is_closing = True
        try:
            self._send({"t": "closing", "token": request.token, **self._progress.report()})
            if not request.wait(allowed):
                standings = expand(self._ask(None, [], 0)["standings"])
                late = [s.process for s in standings if s.text != "shutdown" and s.state != "left"]
                waited = time.monotonic() - started
                raise ShutdownError(f"not all processes came to their end in {waited:.1f} s", late, standings)
            self._collect(request)
        except BaseException:
            self._leave(0.0)
            raise
        if self._coordinator is not None:
            self._wait_for(self._coordinator.wait_until_alone)
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
                self._wait_for(request.wait)
            except ClusterError:
                pass
        if self._coordinator is not None:
            started = time.monotonic()
            is_told = False
            while not self._coordinator.wait_until_alone(LOOK_PERIOD):
                lingered = time.monotonic() - started
                if lingered > _QUIET_LINGER and not is_told:
                    is_told = True
                    _log.warning("process 0 has ended its program and serves the others, which still work")
                if self._failure is not None:
                    linger = min(linger, _LINGER_UNTOLD if self._coordinator.awaits_return else _LINGER_AFTER_FAILURE)
                if lingered >= linger:
                    break
        self._close()

    def _left(self, process: int, position: int) -> ClusterError:
        text = self._progress.text or f"launch #{position}"
        detail = f"its program ended, or called shutdown(), before {text}"
        waiting = [self.process_index]
        return self._fail(failure("lost", process=process, reason="left", detail=detail, waiting=waiting))

    def _overdue(
        self, label: str, is_meeting: bool, processes: tuple[int, ...], position: int, waited: float,
        timeout: float | None,
    ) -> ClusterError | None:
        if self._failure is not None:
            return self._error(self._failure)
        self._progress.waits.begin(label, is_meeting, processes, position, waited)
        if self.departed and not is_meeting:  # who leaves a meeting's members waiting is the coordinator's business
            key = spell(processes)
            for process in processes:
                if process in self.departed and self.departed[process].get(key, 0) < position:
                    return self._left(process, position)
        if timeout is not None and waited >= timeout:
            return self._timed_out(label, is_meeting, processes, position, waited)
        return self._late_coordinator(label, waited)

    def _timed_out(
        self, label: str, is_meeting: bool, processes: tuple[int, ...], position: int, waited: float
    ) -> ClusterError | None:
        """The error of a wait that has reached the caller's own limit."""
        try:
            found = self._ask(label if is_meeting else None, processes, position)
        except ClusterError as error:
            return error
        missing = found["missing"]
        if is_meeting and not missing:
            return None  # all have come meanwhile: the answer is on its way
        what = f"meeting {label!r}" if is_meeting else label
        return self._fail(
            failure("timeout", label=what, process=self.process_index, seconds=waited, missing=missing, limit="")
        )

    def _late_coordinator(self, label: str, waited: float) -> ClusterError | None:
        """The error of a wait that nobody judges, since process 0 itself has said nothing for too long."""
        limit, now = self.settings.late_timeout, time.monotonic()
        if self._coordinator is not None or waited < limit or now - self._link.watch.heard < limit:
            return None
        fact = failure("timeout", label=label, process=self.process_index, seconds=waited, missing="0", limit=LATE)
        self._settle(fact)
        return self._error(fact)

    def _check_hold(self, waited: float) -> None:
        super()._check_hold(waited)
        error = self._late_coordinator(HOLDING, waited)
        if error is not None:
            raise error

    def _ask(self, meeting: str | None, processes: Sequence[int], position: int) -> Message:
        request = self._requests.open("found")
        self._send({"t": "who", "token": request.token, "label": meeting, "of": spell(processes), "position": position})
        if not request.wait(ANSWER_TIME):
            # The coordinator does not answer: it is late, and the one that is known to be missing.
            self._requests.close(request)
            return {"missing": "0", "standings": []}
        return self._collect(request).message
