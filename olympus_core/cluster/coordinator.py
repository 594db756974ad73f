# SPDX-License-Identifier: Apache-2.0
"""The coordinator: one thread in process 0 that admits the processes, introduces them and monitors them."""

from __future__ import annotations

import secrets
import selectors
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from olympus_core.errors.cluster import spell
from olympus_core.logs import Log

from . import job_file
from .channels import TlsProblem
from .connections import Connections
from .disconnections import Disconnections
from .failure import WITH_STANDINGS, Failure, compress, error_of, failure
from .groups import ProcessGroups
from .liveness import SilenceWatch
from .meetings import Meetings, describe_meeting
from .member import Member
from .peer import Peer
from .preemption import PreemptionVote
from .resumption import taken_up
from .roll_call import RollCall
from .schema import MalformedFrame, Message
from .secret import Security
from .session import MOST_KEPT, UNNUMBERED, Session
from .settings import ClusterSettings
from .status import rows
from .stragglers import Stragglers
from .values import pack
from .wait_limits import WaitLimits
from .wire import MOST_PAYLOAD, Body, BrokenStream, Frame, body, encode, most_text

# What is heard before all have joined.
_WHILE_JOINING = frozenset({"report", "fail", "words", "leave", "ack", "seen"})
_log = Log(__name__)

_STRANGER_TIME = 10.0  # to prove itself, and to say who it is
_DISMISSAL_TIME = 1.0  # to read why it is turned away
_CENSUS_TIME = 0.25  # to answer a question about itself
_NEWS_COST = 1e-4  # seconds without news of departures after each, for each process: they cost a tenth of it
_PAUSE = 2.0  # of this thread: process 0 was stopped, or starved
_CALL_PERIOD = 10.0  # between two warnings that processes are missing
_MOST_MEETINGS = 1024  # that one process waits in
_MOST_ASKERS = 1 << 16  # that wait for one census
_ODDITIES = 1000  # reports between two warnings that they cannot be read


class _Census:
    """A question to all processes, and what to do when all have answered or the time is over."""

    __slots__ = ("deadline", "then", "token", "waiting")

    def __init__(self, token: int, waiting: set[int], deadline: float) -> None:
        self.token, self.waiting, self.deadline = token, waiting, deadline
        self.then: list[Callable[[dict[Any, Any]], None]] = []  # each gets what those before it have found out


class Coordinator:
    """Serves one job; process 0 makes it, and reaches it like the others do.

    Args:
        listener: The socket that listens; the coordinator owns it.
        own: Process 0 itself.
        address: The advertised address, for messages.
        timeout: Seconds in which all have to join.
        settings: How patient to be afterwards.
        security: What is asked of those that connect.

    Attributes:
        job_file: The file by which `olympus status` finds the job; removed at the end.
    """

    def __init__(
        self,
        listener: socket.socket,
        own: Member,
        address: str,
        timeout: float,
        settings: ClusterSettings,
        security: Security,
    ) -> None:
        self._own, self._address = own, address
        self._timeout, self._settings = timeout, settings
        self._salt = secrets.token_hex(32)
        self._roll = RollCall(own.count, own.job)
        self._groups = ProcessGroups(own.count)
        self._meetings = Meetings()
        # An own part in each run's name: names of files and segments of an earlier run never meet this one's.
        self._job = secrets.token_hex(4) if own.job is None else f"{own.job}-{secrets.token_hex(3)}"
        self._peers: dict[int, Peer] = {}
        self._wait_limits = WaitLimits(self._peers, self._meetings, settings)
        self._stragglers = Stragglers(self._peers, self._wait_limits, settings, self._send, self._declare)
        self._failure: Failure | None = None
        self._is_announced = False
        self._is_running = False
        self._is_over = False
        self._departed: set[int] = set()
        self._departed_news: dict[int, dict[str, int]] = {}
        self._next_news = 0.0
        self._disconnections = Disconnections(self._peers, settings, self._send)
        self._awaits_return = False
        self._security = security
        self._judges_from = 0.0
        self.job_file: str | None = None
        self._census: _Census | None = None
        self._asked = 0
        self._preemption: PreemptionVote | None = None
        self._waiting_for_announcement: list[tuple[Peer, int]] = []
        self._started = time.monotonic()
        self._next_beat = self._started
        self._next_call = self._started + _CALL_PERIOD
        self._connections = Connections(listener, security, self._look_around)
        self._connections.expect(own.count)
        self._wake, self._woken = socket.socketpair()
        self._stopping = False
        self._alone = threading.Event()
        self._refused = 0
        self._all_told = threading.Event()
        self._thread = threading.Thread(target=self._run, name="olympus-coordinator", daemon=True)

    def start(self) -> socket.socket:
        """Starts the thread; returns process 0's own connection to it."""
        self._connections.begin(self._woken)
        inside, outside = socket.socketpair()
        self._connections.add(inside, self._started)
        self._thread.start()
        return outside

    def wait_until_alone(self, timeout: float) -> bool:
        """Waits until no other process is connected."""
        return self._alone.wait(timeout)

    @property
    def awaits_return(self) -> bool:
        """Whether a process that the network has cut off is owed an answer or the news of the job's end."""
        return self._awaits_return

    def wait_until_all_told(self, timeout: float) -> bool:
        """After a failed roll-call: waits until the expected number of processes has been told."""
        return self._all_told.wait(timeout)

    def stop(self) -> None:
        """Ends the service; every connection is closed."""
        self._stopping = True
        try:
            self._wake.send(b"x")
        except OSError:
            return
        self._thread.join(2.0)

    def forget_in_child(self) -> None:
        """In a forked child: closes the copies of the sockets, so that the parent's death is seen by all."""
        self._wake.close()
        self._connections.forget_in_child()
        self._disconnections.close()

    def _run(self) -> None:
        try:
            before = time.monotonic()
            while not self._stopping:
                planned = self._time_to_wait(before)
                events = self._connections.select(planned)
                now = time.monotonic()
                if now - before > planned + _PAUSE:
                    # What is known of the others is as old: it is renewed before their waits are judged.
                    self._judges_from = now + 2 * self._settings.heartbeat_period
                if now - before > planned + self._settings.heartbeat_timeout / 3:
                    # This process was stopped or starved: what it did not hear meanwhile is nobody's fault.
                    for peer in self._peers.values():
                        if peer.watch is not None:
                            peer.watch.forgive(now - before)
                for key, mask in events:
                    if key.data is self._connections:
                        self._guarded(None, self._connections.accept, now)
                    elif key.data is not None:
                        self._guarded(key.data, self._serve, key.data, mask, now)
                self._guarded(None, self._tick, now)
                before = now
            self._say_goodbye()
        except Exception:  # noqa: BLE001  (it is logged)
            _log.exception("the coordinator broke")
        finally:
            job_file.remove(self.job_file)
            self._wake.close()
            self._connections.close()
            self._disconnections.close()
            self._alone.set()

    def _say_goodbye(self) -> None:
        others = any(peer.is_present and peer.process != 0 for peer in self._peers.values())
        if others and self._is_running and not self._is_over and self._failure is None:
            detail = "it waited for the others' end in vain, and took the coordinator with it"
            self._failure = failure("lost", process=0, reason="left", detail=detail)
            self._announce(self._failure)

    def _time_to_wait(self, now: float) -> float:
        times = [self._next_beat, self._connections.accepts_again, self._stragglers.deadline]
        times.append(self._disconnections.next_look)
        if self._census is not None:
            times.append(self._census.deadline)
        if self._departed_news:
            times.append(self._next_news)
        if not self._is_running and self._failure is None:
            times.append(self._started + self._timeout)
        return max(0.0, min(times) - now)

    def _guarded(self, peer: Peer | None, work: Callable[..., None], *arguments: Any) -> None:
        """Does one piece of work; an error in it ends only the connection that it was for."""
        try:
            work(*arguments)
        except Exception:  # noqa: BLE001  (it is logged)
            _log.exception("the coordinator met a fault of its own%s", f" with {peer.address}" if peer else "")
            if peer is not None:
                with suppress(Exception):
                    self._cannot_hear(peer, "serving it failed, see the coordinator's log in process 0")

    def _tick(self, now: float) -> None:
        self._connections.accept_again(now)
        for peer, reason, detail in self._disconnections.judge(now):
            self._lose(peer, reason, detail)
        census = self._census
        if census is not None and (not census.waiting or now >= census.deadline):
            self._census = None
            shared: dict[Any, Any] = {}
            for then in census.then:
                self._guarded(None, then, shared)
        self._stragglers.tick(now)
        if not self._is_running and self._failure is None and now >= self._started + self._timeout:
            self._declare(self._join_timeout(now))
        if self._preemption is not None and (fact := self._preemption.overdue(now)) is not None:
            self._declare(fact)
        if self._departed_news and now >= self._next_news:
            self._next_news = now + _NEWS_COST * self._roll.count
            self._tell_departed()
        if now >= self._next_beat:
            self._next_beat = now + self._settings.heartbeat_period
            self._beat(now)

    def _beat(self, now: float) -> None:
        if self._is_running and self._failure is None and not self._is_over and now >= self._judges_from:
            self._stragglers.look(now)
        message: Message = {"t": "beat"}
        own = self._peers.get(0)
        if own is not None:
            message["own"] = own.standing(now, None)
        if not self._is_running:
            away = self._connections.turned_away
            message.update(joined=len(self._roll.members), missing=spell(self._roll.missing), away=away)
            if now >= self._next_call and self._failure is None:
                self._next_call = now + _CALL_PERIOD
                facts = len(self._roll.members), self._roll.count, now - self._started, spell(self._roll.missing)
                _log.warning("%d/%d processes joined after %.0f s; missing %s", *facts)
        said = body(message)
        for peer in list(self._peers.values()):
            is_heard = peer.is_present and peer.is_open and not peer.out
            if is_heard and (peer.watch is None or peer.watch.is_beat_due(now)):
                self._say(peer, "beat", said)
        if self._is_over or self._failure is not None:
            self._awaits_return = any(peer.is_cut_off for peer in self._peers.values())
        for peer in list(self._connections.open):
            age = now - peer.opened
            if peer.stage in ("stranger", "proven") and age > _STRANGER_TIME:
                reason = f"said nothing that olympus understands for {age:.0f} s"
                self._connections.turn_away(peer, reason, b"", now)
            elif peer.stage == "dismissed" and age > _DISMISSAL_TIME:
                self._connections.drop(peer)
            elif peer.watch is None or peer.process == 0 or self._is_over or self._failure is not None:
                continue
            elif peer.is_present:
                # While joining, the join timeout alone counts: what is said of a silent process is that it is missing.
                verdict = peer.verdict(now) if self._is_running else None
                if verdict is not None:
                    self._declare(failure("lost", process=peer.process, reason=verdict[0], detail=verdict[1]))

    def _tell_departed(self) -> None:
        places: dict[str, tuple[dict[str, int], list[int]]] = {}
        for process, entered in self._departed_news.items():
            places.setdefault(repr(entered), (entered, []))[1].append(process)
        self._departed_news.clear()
        said = body({"t": "departed", "of": [[spell(group), entered] for entered, group in places.values()]})
        for peer in list(self._peers.values()):
            if peer.stage == "joined":
                self._say(peer, "departed", said)

    def _join_timeout(self, now: float) -> Failure:
        return failure(
            "join-timeout",
            joined=len(self._roll.members),
            expected=self._roll.count,
            missing=self._roll.missing,
            seconds=now - self._started,
            address=self._address,
            turned_away=self._connections.turned_away,
        )

    def _look_around(self) -> None:
        lost = self._failure.get("process") if self._failure is not None and self._failure["kind"] == "lost" else None
        known = (other for other in self._connections.open if other.member is not None)
        if not self._disconnections and all(other.process in (0, lost) for other in known):
            self._alone.set()

    def _serve(self, peer: Peer, mask: int, now: float) -> None:
        if not peer.is_open:
            return
        if mask & selectors.EVENT_WRITE:
            self._connections.flush(peer)
        if not mask & selectors.EVENT_READ or not peer.is_open:
            return
        try:
            data = self._connections.receive(peer)
            if data == b"":
                self._ended(peer, now)
            elif peer.stage == "stranger" and data:
                data = self._connections.challenge(peer, data, now)
        except TlsProblem as error:
            self._cannot_hear(peer, f"TLS does not come about ({error})")
            return
        if not data or peer.stage == "dismissed":
            return
        if peer.watch is not None:
            peer.watch.hear(now)
        peer.reader.feed(data)
        while self._serve_frame(peer, now):
            pass

    def _serve_frame(self, peer: Peer, now: float) -> bool:
        """Serves the next received frame; gives whether there may be another."""
        try:
            frame = peer.reader.frame()
            if frame is None:
                return False
            if peer.stage == "proven":
                self._hear_newcomer(peer, frame.message, now)
            elif peer.session is not None:
                if peer.session.accept(frame) and peer.is_present:
                    self._hear(peer, frame, now)
                if peer.session.owes_word:
                    self._send(peer, {"t": "ack"})
        except MalformedFrame as error:
            if error.kind == "report" and peer.is_present:
                # It lives, and the next one may be right.
                peer.oddities += 1
                if peer.oddities == 1 or peer.oddities % _ODDITIES == 0:
                    facts = peer.process, peer.oddities, error
                    _log.warning("process %d has sent %d reports that cannot be read: %s", *facts)
            else:
                self._cannot_hear(peer, f"it sent what is no message ({error})")
        return peer.is_open and peer.stage != "dismissed"

    def _cannot_hear(self, peer: Peer, reason: str) -> None:
        """Ends a connection that sent malformed data; a member that did counts as lost."""
        if peer.stage == "dismissed" or not peer.is_open:
            return
        if peer.member is None:
            self._connections.turn_away(peer, reason, b"", time.monotonic())
            return
        # Once all have come to their end, as in `_ended`, what the last connections do is nobody's loss.
        if peer.is_present and not self._is_over:
            _log.warning("process %d cannot be heard any more: %s", peer.process, reason)
        self._lose(peer, "malformed", reason)

    def _lose(self, peer: Peer, reason: str, detail: str) -> None:
        """Gives a member up; it is nobody's loss if it had left, or the job is over."""
        is_loss = peer.is_present and not self._is_over and self._failure is None
        if peer.is_present:
            peer.stage = "lost"
        self._disconnections.forget(peer.process)
        self._connections.drop(peer)
        self._look_around()
        if is_loss:
            self._declare(failure("lost", process=peer.process, reason=reason, detail=detail))

    def _send(self, peer: Peer, message: Message, payload: bytes = b"") -> None:
        self._say(peer, message["t"], body(message, payload))

    def _say(self, peer: Peer, kind: str, said: Body) -> None:
        if peer.session is None or kind in UNNUMBERED:
            if peer.is_open:
                self._connections.send(peer, peer.session.tell(said) if peer.session is not None else said.pieces())
        elif peer.session.kept + said.size > MOST_KEPT:
            self._cannot_hear(peer, f"it has not taken {peer.session.kept} bytes that are for it")
        else:
            self._connections.send(peer, peer.session.send(said))

    def _broadcast(self, message: Message, payload: bytes = b"") -> None:
        said = body(message, payload)
        for peer in list(self._peers.values()):
            if peer.is_present:
                self._say(peer, message["t"], said)

    def _hear_newcomer(self, peer: Peer, message: Message, now: float) -> None:
        if message["t"] == "resume":
            self._resume(peer, message, now)
            return
        if message["t"] == "status":
            self._on_status(peer, message, b"", now)  # of somebody who looks, and is no member
            return
        if message["t"] != "hello":
            raise BrokenStream(f"{message['t']!r} before it said who it is")
        member = Member.from_message(message["member"])
        if self._failure is not None and member.job == self._own.job:
            # Those that come late learn what has happened to their job.
            self._refuse(peer, self._failure, False)
            return
        self._forget_if_again(member)
        answer = self._roll.hear(member, self._address)
        if answer.refusal is not None:
            self._refuse(peer, answer.refusal, answer.is_fatal)
            if answer.is_fatal:
                self._declare(answer.refusal)
            return
        peer.member, peer.stage = member, "joined"
        peer.watch = SilenceWatch(member, self._settings, now)
        peer.reader.most_text, peer.reader.most_payload = most_text(self._roll.count), MOST_PAYLOAD
        self._peers[member.process] = peer
        self._connections.expect(self._roll.count - len(self._roll.members))
        self._alone.clear()
        session = Session(self._security.secret.value, Session.new_identity())
        self._send(peer, {"t": "welcome", "coordinator": self._own.to_message(), "session": session.identity})
        peer.session = session
        if self._roll.is_complete:
            self._is_running = True
            machines = pack([self._roll.members[p].machine.encode() for p in range(self._roll.count)])
            self._broadcast({"t": "go", "job": self._job, "salt": self._salt}, machines)
            _log.info("all %d processes joined after %.2f s", self._roll.count, now - self._started)

    def _forget_if_again(self, member: Member) -> None:
        """A process whose connection broke before it had its welcome says hello again."""
        known = self._peers.get(member.process)
        if known is None or self._is_running or known.session is None or known.session.received:
            return
        if known.member == member and member.process:
            del self._peers[member.process], self._roll.members[member.process]
            known.stage = "left"
            self._disconnections.forget(member.process)
            self._connections.drop(known)

    def _resume(self, newcomer: Peer, message: Message, now: float) -> None:
        """A member goes on with its session; whatever else says so, the session does not notice."""
        process = message["process"]
        peer = self._peers.get(process)
        answer = taken_up(peer, newcomer, message)
        if peer is None or answer is None:
            reason = f"it has no session of process {process} that this connection could go on with"
            fact = self._failure or failure("stranger", address=self._address, process=process, reason=reason)
            reply = encode({"t": "refused", "failure": fact, "final": True})
            self._connections.turn_away(newcomer, "may not go on with a session", reply, now)
            return
        self._disconnections.forget(process)
        self._connections.take_over(peer, newcomer)
        if peer.watch is not None:
            peer.watch.hear(now)
        self._connections.send(peer, answer)
        _log.info("process %d has made its connection anew", process)
        while self._serve_frame(peer, now):
            pass

    def _refuse(self, peer: Peer, fact: Failure, is_fatal: bool) -> None:
        final = is_fatal or self._failure is not None
        if final:
            self._refused += 1
            self._count_told()
        reply = encode({"t": "refused", "failure": fact, "final": final})
        self._connections.turn_away(peer, f"was refused: {fact.get('reason', fact['kind'])}", reply, time.monotonic())

    def _hear(self, peer: Peer, frame: Frame, now: float) -> None:
        kind = frame.message["t"]
        if kind in ("hello", "resume") or (kind not in _WHILE_JOINING and not self._is_running):
            raise BrokenStream(f"{kind!r} out of place")
        getattr(self, f"_on_{kind}")(peer, frame.message, frame.payload, now)

    def _on_report(self, peer: Peer, message: Message, payload: bytes, now: float) -> None:
        peer.report(now, message)
        if self._census is not None and message.get("census") == self._census.token:
            self._census.waiting.discard(peer.process)

    def _on_status(self, peer: Peer, message: Message, payload: bytes, now: float) -> None:
        token = message["token"]

        def answer(stacks: dict[int, list[str]], then: float) -> None:
            problem = str(error_of(self._failure)).partition("\n")[0] if self._failure is not None else ""
            found = rows(self._peers, self._roll.count, then, stacks)
            job = self._job if self._is_running else ""
            self._send(peer, {"t": "table", "token": token, "job": job, "failure": problem, "processes": found,
                              "clock": time.time_ns() // 1000})

        def ask(_: dict[Any, Any]) -> None:
            present = [p.process for p in self._peers.values() if p.is_present] if message["stacks"] else []
            self._stragglers.ask(present, time.monotonic(), answer)

        self._take_census(ask)

    def _on_stack(self, peer: Peer, message: Message, payload: bytes, now: float) -> None:
        self._stragglers.answer(peer.process, message["token"], message["frames"])

    def _on_exchange(self, peer: Peer, message: Message, payload: bytes, now: float) -> None:
        label, group = message["label"], self._groups.named(message["of"])
        if group is None or peer.process not in group.as_set:
            raise BrokenStream(f"a meeting of processes {message['of'][:200]} that it is not one of")
        if self._meetings.count(peer.process) >= _MOST_MEETINGS:
            raise BrokenStream(f"it waits in {_MOST_MEETINGS} meetings")
        conflict = self._meetings.conflict(peer.process, label, group)
        if conflict is not None:
            claims = {str(p): conflict.describe() for p in conflict.tokens if p != peer.process}
            said = describe_meeting(label, group)
            claims[str(peer.process)] = f"{said}, a second time" if peer.process in conflict.tokens else said
            self._declare(failure("divergence", claims=claims, place=f"meeting {label!r}"))
            return
        meeting = self._meetings.enter(peer.process, message["token"], label, group, payload)
        if meeting.is_complete:
            values = pack([meeting.values[p] for p in group.members])
            for process, token in meeting.tokens.items():
                self._send(self._peers[process], {"t": "values", "token": token}, values)
        elif len(meeting.tokens) == 1:
            # Whoever leaves later is compared with the meetings then.
            gone = next((p for p in self._departed if meeting.waits_for(p)), None)
            if gone is not None:
                self._left(gone, [peer.process], meeting.describe())

    def _on_who(self, peer: Peer, message: Message, payload: bytes, now: float) -> None:
        token, label, group, position = message["token"], message["label"], message["of"], message["position"]

        def answer(shared: dict[Any, Any]) -> None:
            found = self._wait_limits.look(peer.process, label, group, position, time.monotonic(), shared)
            self._send(peer, {"t": "found", "token": token, **found})

        self._take_census(answer)

    def _on_fail(self, peer: Peer, message: Message, payload: bytes, now: float) -> None:
        self._declare(dict(message["failure"]))

    def _on_words(self, peer: Peer, message: Message, payload: bytes, now: float) -> None:
        token = message["token"]
        if self._is_announced:
            self._send(peer, {"t": "answer", "token": token})
            return
        self._waiting_for_announcement.append((peer, token))
        detail = message["words"]
        self._declare(failure("lost", process=peer.process, reason="raised", detail=detail))

    def _on_preempted(self, peer: Peer, message: Message, payload: bytes, now: float) -> None:
        if self._preemption is None:
            present = [p.process for p in self._peers.values() if p.is_present]
            self._preemption = PreemptionVote(present, peer.process, now, self._settings.late_timeout)
            self._broadcast({"t": "hold"})

    def _on_held(self, peer: Peer, message: Message, payload: bytes, now: float) -> None:
        if self._preemption is None:
            raise BrokenStream("an answer to nothing")
        self._preempt(self._preemption.hear(peer.process, message["last"]))

    def _preempt(self, step: int | None) -> None:
        if step is not None:
            self._broadcast({"t": "preempt", "step": step})

    def _on_closing(self, peer: Peer, message: Message, payload: bytes, now: float) -> None:
        peer.stage, peer.closing_token = "closing", message["token"]
        peer.report(now, message)
        self._depart(peer)

    def _on_leave(self, peer: Peer, message: Message, payload: bytes, now: float) -> None:
        peer.stage = "left"
        peer.report(now, message)
        self._depart(peer)
        self._send(peer, {"t": "answer", "token": message["token"]})

    def _depart(self, peer: Peer) -> None:
        self._departed.add(peer.process)
        if self._preemption is not None and peer.stage == "left":
            self._preempt(self._preemption.forget(peer.process))
        self._departed_news[peer.process] = peer.entered
        meeting = self._meetings.waiting_for(peer.process) if self._failure is None else None
        if meeting is not None:
            self._left(peer.process, sorted(meeting.tokens), meeting.describe())
        is_last = len(self._departed) == self._roll.count
        if is_last and self._is_running and not self._is_over and self._failure is None:
            self._is_over = True
            for other in self._peers.values():
                if other.stage == "closing":
                    self._send(other, {"t": "answer", "token": other.closing_token})

    def _left(self, process: int, waiting: list[int], what: str) -> None:
        detail = f"its program ended, or called shutdown(), before {what}"
        self._declare(failure("lost", process=process, reason="left", detail=detail, waiting=waiting))

    def _ended(self, peer: Peer, now: float) -> None:
        is_awaited = peer.is_present and not self._is_over and self._failure is None
        if peer.session is not None and peer.stage != "lost" and (is_awaited or peer.session.kept):
            self._disconnections.begin(peer, now)
        if peer.watch is not None:
            peer.watch.hear(now)  # its silence counts from here
        self._connections.drop(peer)
        if peer.process == 0 and is_awaited:
            self._lose(peer, "connection lost", "its connection to itself has ended")

    def _on_ack(self, peer: Peer, message: Message, payload: bytes, now: float) -> None:
        """What it acknowledges has been forgotten already."""

    def _on_seen(self, peer: Peer, message: Message, payload: bytes, now: float) -> None:
        self._disconnections.seen(message["token"], message["there"])

    def _declare(self, fact: Failure) -> None:
        """Declares the job failed: asks all processes for their progress, then tells all. The first failure counts."""
        if self._failure is not None:
            return
        self._failure = fact
        if self._is_running and fact["kind"] in WITH_STANDINGS and not fact.get("standings"):
            self._take_census(lambda _: self._announce(fact))
        else:
            self._announce(fact)

    def _announce(self, fact: Failure) -> None:
        if self._is_running and fact["kind"] in WITH_STANDINGS and not fact.get("standings"):
            fact["standings"] = compress(self._wait_limits.standings(time.monotonic()))
        self._broadcast({"t": "failed", "failure": fact})
        self._is_announced = True
        self._count_told()
        self._look_around()
        for peer, token in self._waiting_for_announcement:
            self._send(peer, {"t": "answer", "token": token})
        self._waiting_for_announcement.clear()

    def _count_told(self) -> None:
        if self._refused + len(self._roll.members) >= self._roll.count:
            self._all_told.set()

    def _take_census(self, then: Callable[[dict[Any, Any]], None]) -> None:
        """Calls a function when all have said where they are; one question at a time serves all who want to know."""
        census = self._census
        if census is None:
            self._asked += 1
            asked = {peer.process for peer in self._peers.values() if peer.is_present and peer.is_open}
            census = self._census = _Census(self._asked, asked, time.monotonic() + _CENSUS_TIME)
            self._broadcast({"t": "ask", "census": census.token})
        if len(census.then) < _MOST_ASKERS:
            census.then.append(then)
        else:
            then({})
