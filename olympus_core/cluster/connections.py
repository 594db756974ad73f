# SPDX-License-Identifier: Apache-2.0
"""The coordinator's connections: admission, authentication, and bytes in both directions."""

from __future__ import annotations

import selectors
import socket
from collections.abc import Callable
from contextlib import suppress

from olympus_core.logs import Log

from .authentication import Challenge
from .channels import Channel, TlsProblem
from .peer import Peer
from .schema import FROM_MEMBERS
from .secret import Security
from .unauthenticated import TLS_HELLO, UnauthenticatedPeers, refusal_of_bytes
from .wire import PREAMBLE, FrameReader

_log = Log(__name__, per_minute=10)

_ACCEPT_PAUSE = 0.1  # when no connection can be taken
_MOST_ACCEPTED = 32  # at once: then those that are here are served
_PIECE, _STRANGERS_PIECE = 1 << 16, 4096
_MOST_REMEMBERED = 8  # of those turned away


class Connections:
    """The open connections; used in the coordinator's thread only.

    Args:
        listener: The socket that listens; closed in the end.
        security: What is asked of those that connect.
        on_end: Called when one has ended.

    Attributes:
        open: The connections.
        turned_away: The first that were, in words.
        accepts_again: When a pause without new connections is over; infinite without one.
    """

    def __init__(self, listener: socket.socket, security: Security, on_end: Callable[[], None]) -> None:
        self.open: set[Peer] = set()
        self.turned_away: list[str] = []
        self.accepts_again = float("inf")
        self._listener, self._security, self._on_end = listener, security, on_end
        self._unauthenticated = UnauthenticatedPeers()
        self._selector = selectors.DefaultSelector()

    def expect(self, count: int) -> None:
        """Says how many processes of the job have not joined."""
        self._unauthenticated.expected = count

    def begin(self, woken: socket.socket) -> None:
        """Listens; a byte in `woken`, which is closed at the end, wakes a wait."""
        for sock, data in ((self._listener, self), (woken, None)):
            sock.setblocking(False)
            self._selector.register(sock, selectors.EVENT_READ, data)
        self._woken = woken

    def select(self, timeout: float) -> list[tuple[selectors.SelectorKey, int]]:
        """What can be served: a key's data is a `Peer`, or these connections where a new one has arrived."""
        return self._selector.select(timeout)

    def close(self) -> None:
        """Closes all."""
        for peer in list(self.open):
            self.drop(peer)
        self._listener.close()
        self._woken.close()
        self._selector.close()

    def forget_in_child(self) -> None:
        """In a forked child: closes the copies of the sockets; what they are registered with is the parent's, too."""
        for peer in self.open:
            peer.channel.close()
        self._listener.close()
        self._woken.close()
        self._selector.close()

    def accept(self, now: float) -> None:
        """Accepts new connections, but few enough at a time that the others do not have to wait."""
        for _ in range(_MOST_ACCEPTED):
            try:
                sock, _ = self._listener.accept()
            except BlockingIOError:
                return
            except OSError as error:
                # No file descriptor left, or the connection has gone again: those that are here go on.
                _log.warning("a connection could not be accepted: %s", error)
                self._selector.unregister(self._listener)
                self.accepts_again = now + _ACCEPT_PAUSE
                return
            self.add(sock, now)

    def accept_again(self, now: float) -> None:
        """Ends the pause after a failure, when it is time."""
        if now >= self.accepts_again:
            self.accepts_again = float("inf")
            self._selector.register(self._listener, selectors.EVENT_READ, self)

    def add(self, sock: socket.socket, now: float) -> None:
        """Adds a connection, not authenticated yet; another one of these may be evicted for it."""
        secret = self._security.secret
        peer = Peer(Channel(sock), now, Challenge(secret.value, secret.sealed))
        self.open.add(peer)
        self._selector.register(peer.channel, selectors.EVENT_READ, peer)
        evicted = self._unauthenticated.add(peer)
        if evicted is not None:
            _log.info("turned away %s: too many have not said who they are", evicted.address)
            self.drop(evicted)

    def drop(self, peer: Peer) -> None:
        """Closes one."""
        if peer.is_open:
            self._close(peer)
            self._on_end()

    def _close(self, peer: Peer) -> None:
        peer.is_open = False
        peer.out.clear()
        self.open.discard(peer)
        self._unauthenticated.remove(peer)
        with suppress(KeyError, ValueError):
            self._selector.unregister(peer.channel)
        peer.channel.close()

    def take_over(self, peer: Peer, other: Peer) -> None:
        """Goes on serving a process by a connection that was another's; the one that it had is closed."""
        if peer.is_open:
            self._close(peer)
        self.open.discard(other)
        self._selector.unregister(other.channel)
        other.is_open, peer.is_open, peer.is_blocked, peer.was_reset = False, True, False, False
        peer.channel, peer.address, peer.origin = other.channel, other.address, other.origin
        peer.endpoint = other.endpoint
        peer.reader = FrameReader(FROM_MEMBERS, peer.reader.most_text, peer.reader.most_payload)
        peer.reader.feed(other.reader.take())
        self.open.add(peer)
        self._selector.register(peer.channel, selectors.EVENT_READ, peer)

    def turn_away(self, peer: Peer, reason: str, reply: bytes, now: float) -> None:
        """Sends the reason; the connection is closed when it has been read, or soon after."""
        _log.info("turned away %s: it %s", peer.address, reason)
        if len(self.turned_away) < _MOST_REMEMBERED:
            self.turned_away.append(f"{peer.address} {reason}")
        peer.stage, peer.opened = "dismissed", now
        self.send(peer, [reply])

    def receive(self, peer: Peer) -> bytes | None:
        """Received bytes: empty at the end, also at a reset; None where nothing has come; raises TlsProblem."""
        try:
            data = peer.channel.receive(_PIECE if peer.member is not None else _STRANGERS_PIECE)
        except BlockingIOError:
            self.flush(peer)
            return None
        except OSError:
            peer.was_reset = True
            return b""
        except TlsProblem:
            if peer.stage == "dismissed":
                return None
            raise
        return None if data and peer.stage == "dismissed" else data

    def send(self, peer: Peer, pieces: list[bytes]) -> None:
        """Sends now, or as soon as the other side takes more."""
        if peer.is_open:
            for data in pieces:
                peer.out.append(data)
            self.flush(peer)

    def flush(self, peer: Peer) -> None:
        """Sends as much of the waiting bytes as is taken now."""
        is_done = True
        try:
            is_done = peer.flush()
            if is_done and peer.stage == "dismissed":
                peer.channel.end_sending()
        except (OSError, TlsProblem):
            # The end of the connection is met, and judged, when it is read.
            peer.out.clear()
        if peer.is_blocked is is_done:
            peer.is_blocked = not is_done
            mask = selectors.EVENT_READ | (0 if is_done else selectors.EVENT_WRITE)
            self._selector.modify(peer.channel, mask, peer)

    def challenge(self, peer: Peer, data: bytes, now: float) -> bytes:
        """Reads from a connection that has not authenticated; gives what it sent after it did.

        Raises:
            TlsProblem: If its secure connection does not come about.
        """
        context = self._security.context
        if not peer.first:
            peer.first = data[:1]
            if context is not None and peer.origin and peer.first == TLS_HELLO:
                # What has come belongs to the secure connection; what that holds is heard when it is agreed.
                peer.channel = peer.channel.secured(context, True, data)
                data = self.receive(peer) or b""
                return self.challenge(peer, data, now) if data else b""
        challenge = peer.challenge
        answer, rest = challenge.feed(data)
        needs_tls = context is not None and peer.origin and peer.first != TLS_HELLO
        if not challenge.is_ours or (needs_tls and len(challenge.greeting) >= len(PREAMBLE)):
            self.turn_away(peer, *refusal_of_bytes(challenge.greeting, context is not None), now)
        elif challenge.is_over and not challenge.is_proven:
            self.turn_away(peer, "does not know the job's secret", answer, now)
        else:
            if challenge.is_proven:
                peer.stage, peer.opened = "proven", now
                self._unauthenticated.remove(peer)
            self.send(peer, [answer])
        return rest
