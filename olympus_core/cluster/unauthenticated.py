# SPDX-License-Identifier: Apache-2.0
"""Connections that have not authenticated: how many there may be, and what foreign protocols are answered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .authentication import TLS_WANTED
from .wire import MAGIC, PREAMBLE, PROTOCOL_VERSION

if TYPE_CHECKING:
    from .peer import Peer

_HTTP = (b"GET ", b"POST ", b"PUT ", b"HEAD ", b"OPTIONS ", b"DELETE ", b"CONNECT ", b"PATCH ")
TLS_HELLO = b"\x16"
_MOST = 256


class UnauthenticatedPeers:
    """The connections that have not authenticated, by address, the oldest first.

    Attributes:
        expected: Processes of the job that have not joined: they may all come at once.
    """

    def __init__(self, most: int = _MOST) -> None:
        self._most, self.expected = most, 0
        self._count = 0
        self._by_origin: dict[str, dict[Peer, None]] = {}

    def __len__(self) -> int:
        return self._count

    def add(self, peer: Peer) -> Peer | None:
        """Adds a connection; the one to evict for it, if any: the oldest of the address that has most."""
        self._by_origin.setdefault(peer.origin, {})[peer] = None
        self._count += 1
        if self._count <= self._most + self.expected:
            return None
        most = max(self._by_origin, key=lambda origin: len(self._by_origin[origin]))
        return next(iter(self._by_origin[most]))

    def remove(self, peer: Peer) -> None:
        """Removes a connection that was closed or has authenticated."""
        there = self._by_origin.get(peer.origin, {})
        if peer in there:
            del there[peer]
            self._count -= 1
            if not there:
                del self._by_origin[peer.origin]


def refusal_of_bytes(data: bytes, wants_tls: bool = False) -> tuple[str, bytes]:
    """Why first bytes are not ours, and what to answer in a language that the sender may understand."""
    sentence = "This port is the coordinator of an olympus job and speaks no other protocol."
    if data.startswith(MAGIC) and len(data) >= len(PREAMBLE):
        theirs = data[len(MAGIC)]
        if theirs == PROTOCOL_VERSION and wants_tls:
            return "does not use TLS", PREAMBLE + TLS_WANTED
        return f"speaks version {theirs} of the protocol, not {PROTOCOL_VERSION}", PREAMBLE
    if data.startswith(_HTTP):
        head = f"HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\nContent-Length: {len(sentence) + 1}"
        return "spoke HTTP", f"{head}\r\nConnection: close\r\n\r\n{sentence}\n".encode()
    if data.startswith(TLS_HELLO):
        return "spoke TLS, which this job does not use", f"{sentence}\n".encode()
    return f"does not speak olympus (it sent {data[:24]!r})", f"{sentence}\n".encode()
