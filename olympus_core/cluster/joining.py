# SPDX-License-Identifier: Apache-2.0
"""Joining: dial until the coordinator is up, authenticate, introduce this process, wait for the others."""

from __future__ import annotations

import itertools
import socket
import time
from collections.abc import Sequence
from typing import NamedTuple, NoReturn

from olympus_core.errors.authentication import NOT_OF_THIS_JOB, NotACoordinatorError, TlsError
from olympus_core.errors.cluster import ClusterError
from olympus_core.errors.joining import JoinTimeoutError
from olympus_core.logs import Log

from .addresses import Address, dial
from .channels import Channel, TlsFiles, TlsProblem
from .dial_warnings import DialWarnings, explain
from .failure import error_of, failure
from .groups import unspell
from .handshake import Handshake, SecretRefused
from .member import Member
from .progress import ProcessProgress
from .reconnection import Reconnector
from .schema import FROM_COORDINATOR, MalformedFrame
from .secret import Secrets
from .session import Session
from .session_link import SessionLink, SessionLost, SessionRefused
from .settings import ClusterSettings
from .values import texts, unpack
from .wire import BrokenStream, Frame, FrameReader, Link, LinkClosed, encode, most_text

_log = Log(__name__, per_minute=20)
_DIAL_TIME = 5.0
_ANSWER_TIME = 5.0  # where the coordinator is looked for at several ports
_PIECE = 1 << 16
_FIRST_PAUSE, _LONGEST_PAUSE = 0.01, 0.1
# An earlier run may take this long to give the port back.
_STALE_JOB_GRACE = 2.0


class Joined(NamedTuple):
    """What a process knows once all have joined; keys are made of `secret` and `salt`."""

    link: SessionLink
    coordinator: Member
    job: str
    machines: list[str]
    secret: bytes
    salt: bytes
    early: list[Frame]
    address: Address


class _TryAgain(Exception):
    """An attempt failed for a reason that may pass."""


class Joiner:
    """One process that joins a job.

    Args:
        addresses: Where the coordinator may be: it is at the first of these that was free. What listens at the others
            belongs to other jobs and programs, and is passed by.
        member: What this process says of itself.
        timeout: Seconds for everything.
        settings: Gives the period of the heartbeat.
        secrets: Finds the job's secret.
        tls: What TLS needs, if it is wanted.

    """

    def __init__(
        self,
        addresses: Sequence[Address],
        member: Member,
        timeout: float,
        settings: ClusterSettings,
        secrets: Secrets,
        tls: TlsFiles | None,
    ) -> None:
        self._addresses, self._member = addresses, member
        self._address, self._searches = addresses[0], len(addresses) > 1
        self._reached: Address | None = None
        self._timeout, self._settings = timeout, settings
        self._secrets = secrets
        self._context = tls.context(is_server=False) if tls is not None else None
        self._started = time.monotonic()
        self._deadline = self._started + timeout
        self._view, self._meaning = "not dialled", ""
        self._warnings = DialWarnings(addresses[0], member.process, timeout)
        self._patience = self._deadline
        self._passed_by: dict[Address, str] = {}
        self._first_refusal: float | None = None

    def join(self, own: socket.socket | None = None) -> Joined:
        """Joins; `own` is process 0's way in, the others dial."""
        pause = _FIRST_PAUSE
        addresses = itertools.cycle(self._addresses)
        while True:
            self._address = address = next(addresses)
            self._patience = time.monotonic() + _ANSWER_TIME if self._searches else self._deadline
            sock = own if own is not None else self._dial()
            if sock is not None:
                channel = Channel(sock)
                if self._context is not None and own is None:
                    channel = channel.secured(self._context, is_server=False)
                link = Link(channel)
                try:
                    return self._shake_hands(link, own is not None)
                except _TryAgain as reason:
                    link.close()
                    self._view += f"; {reason}"
                except (LinkClosed, TimeoutError) as error:
                    link.close()
                    if isinstance(error, JoinTimeoutError):
                        raise
                    self._view += "; it closed the connection without an answer"
                except MalformedFrame as error:
                    link.close()
                    self._pass_by(NotACoordinatorError(str(address), str(error).encode()))
                except TlsProblem as error:
                    link.close()
                    self._pass_by(TlsError(str(address), str(error)))
                except NOT_OF_THIS_JOB as error:
                    link.close()
                    self._pass_by(error)
                except BaseException:
                    link.close()
                    raise
            if own is not None or time.monotonic() + pause > self._deadline:
                raise self._not_reached()
            if address == self._addresses[-1]:
                time.sleep(pause)
                pause = min(_LONGEST_PAUSE, pause * 1.5)

    def _pass_by(self, error: ClusterError) -> None:
        """Who listens there is not this job's coordinator: an error, unless that is looked for at other ports, too."""
        if not self._searches:
            raise error from None
        reason = str(error).splitlines()[0]
        if self._passed_by.get(self._address) != reason:
            self._passed_by[self._address] = reason
            _log.info("process %d goes on to the next port: %s", self._member.process, reason)

    def _dial(self) -> socket.socket | None:
        left = self._deadline - time.monotonic()
        result = dial(self._address, min(_DIAL_TIME, left))
        self._view = f"{result.names}; {result.outcome}"
        if result.sock is None and self._address == self._addresses[0]:
            self._warnings.failed(result, time.monotonic() - self._started)
            self._meaning = explain(self._address, result)
        if result.sock is not None:
            self._reached = Address(*result.sock.getpeername()[:2])
        return result.sock

    def _not_reached(self) -> JoinTimeoutError:
        return JoinTimeoutError(
            joined=None,
            expected=self._member.count,
            missing=(),
            seconds=time.monotonic() - self._started,
            address=self._shown,
            view="; ".join([self._view, *self._passed_by.values()]),
            meaning=self._meaning,
        )

    @property
    def _shown(self) -> str:
        """The address, or where the coordinator was looked for."""
        others = [str(address.port) for address in self._addresses[1:]]
        return f"{self._addresses[0]}{' or port ' if others else ''}{', '.join(others)}"

    def _shake_hands(self, link: Link, is_own: bool) -> Joined:
        try:
            proven = Handshake(link, str(self._address), self._member.process, self._secrets, self._left).run()
        except SecretRefused as error:
            self._refused(error.error, False)
        link.send(encode({"t": "hello", "member": self._member.to_message()}), _DIAL_TIME)
        reader = FrameReader(FROM_COORDINATOR, most_text(self._member.count))
        reader.feed(proven.rest)
        while (frame := reader.frame()) is None:
            reader.feed(link.receive(_PIECE, self._left()))
        message = frame.message
        if message["t"] == "refused":
            self._refused(error_of(message["failure"]), message["final"])
        if message["t"] != "welcome":
            raise BrokenStream(f"{message['t']!r} before a welcome")
        coordinator = Member.from_message(message["coordinator"])
        session = Session(proven.secret, message["session"])
        reconnector, endpoint = None, link.channel.endpoint
        if not is_own and endpoint is not None:
            count = self._member.count
            reconnector = Reconnector(endpoint, self._member.process, count, self._secrets, self._context)
        joined = SessionLink(link.channel, reader, session, coordinator, self._settings, reconnector)
        try:
            return self._wait_for_others(joined, coordinator, proven.secret)
        except (SessionLost, SessionRefused) as error:
            joined.close()
            if isinstance(error, SessionRefused):
                raise error_of(error.fact) from None
            detail = f"it ended while the processes were still joining: {error.detail}"
            raise error_of(failure("lost", process=0, reason="connection lost", detail=detail)) from None
        except BaseException:
            joined.close()
            raise

    def _wait_for_others(self, link: SessionLink, coordinator: Member, secret: bytes) -> Joined:
        roll: Frame | None = None
        next_beat = time.monotonic() + self._settings.heartbeat_period
        while True:
            now = time.monotonic()
            if now >= self._deadline:
                raise self._others_missing(link, roll)
            if now >= next_beat:
                next_beat = now + self._settings.heartbeat_period
                link.send({"t": "report", **ProcessProgress().report()})
            frames = link.receive(min(next_beat, self._deadline) - now)
            for index, frame in enumerate(frames):
                message = frame.message
                if message["t"] == "beat" and "joined" in message:
                    roll = frame
                elif message["t"] == "failed":
                    raise error_of(message["failure"])
                elif message["t"] == "go":
                    salt = bytes.fromhex(message["salt"])
                    early = frames[index + 1 :]
                    machines = texts(unpack(frame.payload, self._member.count))
                    address = self._reached or self._address
                    return Joined(link, coordinator, message["job"], machines, secret, salt, early, address)

    def _left(self) -> float:
        left = min(self._deadline, self._patience) - time.monotonic()
        if left <= 0 and self._searches:
            raise _TryAgain("it answered nothing")
        if left <= 0:
            self._view += "; it answered nothing"
            raise self._not_reached()
        return left

    def _refused(self, error: ClusterError, is_final: bool) -> NoReturn:
        if self._searches and isinstance(error, NOT_OF_THIS_JOB):
            raise error
        now = time.monotonic()
        if self._first_refusal is None:
            self._first_refusal = now
        # Later there might be no time for another attempt, and the reason would be lost.
        if is_final or now > min(self._first_refusal + _STALE_JOB_GRACE, self._deadline - _LONGEST_PAUSE):
            raise error
        raise _TryAgain(str(error).splitlines()[0])

    def _others_missing(self, link: SessionLink, roll: Frame | None) -> JoinTimeoutError:
        facts = roll.message if roll is not None else {"joined": None, "missing": "", "away": []}
        fact = failure(
            "join-timeout",
            joined=facts["joined"],
            expected=self._member.count,
            missing=unspell(facts["missing"]),
            seconds=time.monotonic() - self._started,
            address=str(self._address),
            turned_away=facts["away"],
        )
        link.send({"t": "fail", "failure": fact})
        link.flush(1.0)
        error = error_of({**fact, "view": self._view})
        if not isinstance(error, JoinTimeoutError):
            raise error
        return error
