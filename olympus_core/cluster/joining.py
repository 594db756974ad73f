"""Joining: dial until the coordinator is up, authenticate, introduce this process, wait for the others."""

from __future__ import annotations

import os
import socket
import time
from typing import NamedTuple, NoReturn

from olympus_core.errors.authentication import AuthenticationError, NotACoordinatorError, StrangerError, TlsError
from olympus_core.errors.cluster import ClusterError
from olympus_core.errors.joining import JoinTimeoutError

from .addresses import Address, dial
from .authentication import NONCE, NONCE_SIZE, PROOF_SIZE, PROVEN, SIZE, is_proof, proof
from .channels import Channel, TlsChannel, TlsFiles, TlsProblem
from .dial_warnings import DialWarnings, explain
from .failure import error_of, failure
from .member import Member
from .progress import ProcessProgress
from .schema import MalformedFrame
from .secret import Secrets
from .settings import ClusterSettings
from .values import texts, unpack
from .wire import MAGIC, PREAMBLE, PROTOCOL_VERSION, Frame, Link, LinkClosed, encode

_DIAL_TIME = 5.0
_FIRST_PAUSE, _LONGEST_PAUSE = 0.01, 0.1
# An earlier run may take this long to give the port back.
_STALE_JOB_GRACE = 2.0


class Joined(NamedTuple):
    """What a process knows once all have joined; keys are made of `secret` and `salt`."""

    link: Link
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
        self._data = b""

    def join(self, own: socket.socket | None = None) -> Joined:
        """Joins; `own` is process 0's way in, the others dial."""
        pause = _FIRST_PAUSE
        while True:
            sock = own if own is not None else self._dial()
            if sock is not None:
                channel = Channel(sock)
                if self._context is not None and own is None:
                    channel = channel.secured(self._context, is_server=False)
                link = Link(channel, self._member.count)
                try:
                    return self._shake_hands(link, channel)
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

    def _shake_hands(self, link: Link, channel: Channel) -> Joined:
        self._data = b""
        while isinstance(channel, TlsChannel) and not channel.is_agreed:
            self._data += self._receive(link)
        secret = self._authenticate(link)
        link.send(encode({"t": "hello", "member": self._member.to_message()}), _DIAL_TIME)
        frames = link.feed(self._data)
        coordinator: Member | None = None
        roll: Frame | None = None
        next_beat = time.monotonic() + self._settings.heartbeat_period
        while True:
            for index, frame in enumerate(frames):
                kind = frame.message["t"]
                if kind == "refused":
                    self._refused(error_of(frame.message["failure"]), frame.message["final"])
                elif kind == "welcome":
                    coordinator = Member.from_message(frame.message["coordinator"])
                elif kind == "beat" and "joined" in frame.message:
                    roll = frame
                elif kind == "failed":
                    raise error_of(frame.message["failure"])
                elif kind == "go" and coordinator is not None:
                    message = frame.message
                    early = frames[index + 1 :]
                    salt = bytes.fromhex(message["salt"])
                    machines = texts(unpack(frame.payload, self._member.count))
                    return Joined(link, coordinator, message["job"], machines, secret, salt, early)
            now = time.monotonic()
            if now >= self._deadline:
                raise self._others_missing(link, roll)
            if now >= next_beat:
                next_beat = now + self._settings.heartbeat_period
                link.send(encode({"t": "report", **ProcessProgress().report()}), _DIAL_TIME)
            try:
                frames = link.receive(min(next_beat, self._deadline) - now)
            except LinkClosed:
                if coordinator is None:
                    raise
                detail = f"it ended while the processes were still joining ({coordinator.describe()})"
                raise error_of(failure("lost", process=0, reason="connection lost", detail=detail)) from None

    def _authenticate(self, link: Link) -> bytes:
        """Proves that this process knows the secret, and checks that the coordinator does; returns the secret."""
        nonce = os.urandom(NONCE_SIZE)
        link.send(PREAMBLE + nonce, _DIAL_TIME)
        self._read_preamble(link)
        if self._take(link, 1) != NONCE:
            raise TlsError(str(self._address), "the coordinator wants it, and this process has no certificate")
        theirs = self._take(link, NONCE_SIZE)
        (size,) = SIZE.unpack(self._take(link, SIZE.size))
        secret = self._secrets.of_member(self._take(link, size)).value
        link.send(proof(secret, "member", nonce, theirs), _DIAL_TIME)
        if self._take(link, 1) != PROVEN:
            self._refused(self._not_authentic("the coordinator does not accept this process's"), False)
        if not is_proof(self._take(link, PROOF_SIZE), secret, "coordinator", nonce, theirs):
            raise self._not_authentic("what answers there does not know this process's")
        return secret

    def _not_authentic(self, reason: str) -> AuthenticationError:
        return AuthenticationError(str(self._address), self._member.process, self._secrets.source, reason)

    def _receive(self, link: Link) -> bytes:
        left = self._deadline - time.monotonic()
        if left <= 0:
            self._view += "; it answered nothing"
            raise self._not_reached()
        return link.receive_bytes(4096, left)

    def _take(self, link: Link, size: int) -> bytes:
        """The next bytes."""
        while len(self._data) < size:
            self._data += self._receive(link)
        taken, self._data = self._data[:size], self._data[size:]
        return taken

    def _read_preamble(self, link: Link) -> None:
        """Reads the coordinator's preamble."""
        while len(self._data) < len(PREAMBLE):
            self._data += self._receive(link)
            if not MAGIC.startswith(self._data[: len(MAGIC)]):
                raise NotACoordinatorError(str(self._address), self._data[:48])
        theirs = self._take(link, len(PREAMBLE))[len(MAGIC)]
        if theirs != PROTOCOL_VERSION:
            reason = f"it speaks version {theirs} of the protocol, this process version {PROTOCOL_VERSION}"
            raise StrangerError(str(self._address), self._member.process, reason)

    def _refused(self, error: ClusterError, is_final: bool) -> NoReturn:
        now = time.monotonic()
        if self._first_refusal is None:
            self._first_refusal = now
        # Later there might be no time for another attempt, and the reason would be lost.
        if is_final or now > min(self._first_refusal + _STALE_JOB_GRACE, self._deadline - _LONGEST_PAUSE):
            raise error
        raise _TryAgain(str(error).splitlines()[0])

    def _others_missing(self, link: Link, roll: Frame | None) -> JoinTimeoutError:
        facts = roll.message if roll is not None else {"joined": None, "missing": [], "away": []}
        fact = failure(
            "join-timeout",
            joined=facts["joined"],
            expected=self._member.count,
            missing=facts["missing"],
            seconds=time.monotonic() - self._started,
            address=str(self._address),
            turned_away=facts["away"],
        )
        try:
            link.send(encode({"t": "fail", "failure": fact}), 1.0)
        except (LinkClosed, TimeoutError):
            pass
        error = error_of({**fact, "view": self._view})
        if not isinstance(error, JoinTimeoutError):
            raise error
        return error
