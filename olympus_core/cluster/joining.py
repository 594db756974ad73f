"""Joining: dial until the coordinator is up, authenticate, introduce this process, wait for the others."""

from __future__ import annotations

import socket
import time
from typing import NamedTuple, NoReturn

from olympus_core.errors.authentication import NotACoordinatorError, TlsError
from olympus_core.errors.cluster import ClusterError
from olympus_core.errors.joining import JoinTimeoutError

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

_DIAL_TIME = 5.0
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


class _TryAgain(Exception):
    """An attempt failed for a reason that may pass."""


class Joiner:
    """One process that joins a job.

    Args:
        address: Where the coordinator is.
        member: What this process says of itself.
        timeout: Seconds for everything.
        settings: Gives the period of the heartbeat.
        secrets: Finds the job's secret.
        tls: What TLS needs, if it is wanted.
    """

    def __init__(
        self,
        address: Address,
        member: Member,
        timeout: float,
        settings: ClusterSettings,
        secrets: Secrets,
        tls: TlsFiles | None,
    ) -> None:
        self._address, self._member = address, member
        self._timeout, self._settings = timeout, settings
        self._secrets = secrets
        self._context = tls.context(is_server=False) if tls is not None else None
        self._started = time.monotonic()
        self._deadline = self._started + timeout
        self._view, self._meaning = "not dialled", ""
        self._warnings = DialWarnings(address, member.process, timeout)
        self._first_refusal: float | None = None

    def join(self, own: socket.socket | None = None) -> Joined:
        """Joins; `own` is process 0's way in, the others dial."""
        pause = _FIRST_PAUSE
        while True:
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
                    raise NotACoordinatorError(str(self._address), str(error).encode()) from None
                except TlsProblem as error:
                    link.close()
                    raise TlsError(str(self._address), str(error)) from None
                except BaseException:
                    link.close()
                    raise
            if own is not None or time.monotonic() + pause > self._deadline:
                raise self._not_reached()
            time.sleep(pause)
            pause = min(_LONGEST_PAUSE, pause * 1.5)

    def _dial(self) -> socket.socket | None:
        left = self._deadline - time.monotonic()
        result = dial(self._address, min(_DIAL_TIME, left))
        self._view = f"{result.names}; {result.outcome}"
        if result.sock is None:
            self._warnings.failed(result, time.monotonic() - self._started)
            self._meaning = explain(self._address, result)
        return result.sock

    def _not_reached(self) -> JoinTimeoutError:
        return JoinTimeoutError(
            joined=None,
            expected=self._member.count,
            missing=(),
            seconds=time.monotonic() - self._started,
            address=str(self._address),
            view=self._view,
            meaning=self._meaning,
        )

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
                    return Joined(link, coordinator, message["job"], machines, secret, salt, early)

    def _left(self) -> float:
        left = self._deadline - time.monotonic()
        if left <= 0:
            self._view += "; it answered nothing"
            raise self._not_reached()
        return left

    def _refused(self, error: ClusterError, is_final: bool) -> NoReturn:
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
