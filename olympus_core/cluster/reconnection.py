# SPDX-License-Identifier: Apache-2.0
"""Makes a member's connection anew: dials, authenticates, and takes its session up again."""

from __future__ import annotations

import errno
import socket
import time
from typing import TYPE_CHECKING, NamedTuple

from olympus_core.errors.base import OlympusError

from .addresses import Address
from .channels import Channel, TlsProblem
from .failure import Failure
from .handshake import Handshake, SecretRefused
from .schema import FROM_COORDINATOR, MalformedFrame
from .secret import Secrets
from .session import Session
from .wire import BrokenStream, FrameReader, Link, LinkClosed, body, most_text

if TYPE_CHECKING:
    import ssl

_DIAL_TIME = 2.0  # an answer that is lost is asked for again by a new attempt
_HANDSHAKE_TIME = 5.0


class NotListening(Exception):
    """Nothing of this job listens there: the machine says so, or what answers is something else."""


class Unreachable(Exception):
    """There is no answer, or the connection ended before it was made."""


class SessionRefused(Exception):
    """The coordinator does not go on with this session.

    Attributes:
        fact: Why.
    """

    def __init__(self, fact: Failure) -> None:
        super().__init__(str(fact.get("kind")))
        self.fact = fact


class Resumption(NamedTuple):
    """A connection with which the session goes on, and the number of the last frame that the coordinator received."""

    channel: Channel
    reader: FrameReader
    received: int


class Reconnector:
    """Knows how a member reaches its coordinator.

    Args:
        endpoint: The address that the connection had, in numbers: no name service is asked while the network is down.
        process: Index of this process.
        count: Number of processes.
        secrets: Finds the job's secret.
        context: For TLS, if it is wanted.
    """

    def __init__(
        self, endpoint: tuple[int, tuple[object, ...]], process: int, count: int, secrets: Secrets,
        context: ssl.SSLContext | None,
    ) -> None:
        self._family, self._endpoint = endpoint
        self._process, self._count = process, count
        self._secrets, self._context = secrets, context
        self._deadline = 0.0

    @property
    def address(self) -> str:
        """The address in words."""
        return str(Address(str(self._endpoint[0]), int(str(self._endpoint[1]))))

    def resume(self, session: Session) -> Resumption:
        """One attempt, of a few seconds at most; raises NotListening, Unreachable or SessionRefused."""
        channel = Channel(self._connect())
        if self._context is not None:
            channel = channel.secured(self._context, is_server=False)
        self._deadline = time.monotonic() + _HANDSHAKE_TIME
        is_taken = False
        try:
            resumed = self._take_up(session, Link(channel))
            is_taken = True
            return resumed
        except (LinkClosed, TimeoutError, TlsProblem) as error:
            raise Unreachable(str(error)) from None
        except (SecretRefused, OlympusError, MalformedFrame) as error:
            raise NotListening(str(error)) from None
        finally:
            if not is_taken:
                channel.abort()

    def _connect(self) -> socket.socket:
        sock = socket.socket(self._family, socket.SOCK_STREAM)
        try:
            sock.settimeout(_DIAL_TIME)
            sock.connect(self._endpoint)
            # Linux connects a port of the ephemeral range to itself when nobody listens there.
            if sock.getsockname() == sock.getpeername():
                raise ConnectionRefusedError(errno.ECONNREFUSED, "Connection refused")
        except ConnectionRefusedError:
            sock.close()
            raise NotListening(f"nothing listens at {self.address} any more") from None
        except OSError as error:
            sock.close()
            raise Unreachable(str(error)) from None
        return sock

    def _wait(self) -> float:
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError("no answer in time")
        return left

    def _take_up(self, session: Session, link: Link) -> Resumption:
        proven = Handshake(link, self.address, self._process, self._secrets, self._wait).run()
        session.attempt += 1
        facts = proven.nonces, self._process, session.received, session.attempt
        message = {"t": "resume", "process": self._process, "attempt": session.attempt, "received": session.received}
        said = body({**message, "proof": session.proof("member", *facts)})
        link.send(b"".join(said.pieces()), _HANDSHAKE_TIME)
        reader = FrameReader(FROM_COORDINATOR, most_text(self._count))
        reader.feed(proven.rest)
        while (frame := reader.frame()) is None:
            reader.feed(link.receive(1 << 16, self._wait()))
        answer = frame.message
        if answer["t"] == "refused":
            raise SessionRefused(answer["failure"])
        if answer["t"] != "resumed":
            raise BrokenStream(f"{answer['t']!r} instead of an answer")
        received = answer["received"]
        facts = proven.nonces, self._process, received, session.attempt
        if not session.is_proof(answer["proof"], "coordinator", *facts) or not session.can_resume_at(received):
            raise NotListening("what answers there does not know this session")
        return Resumption(link.channel, reader, received)
