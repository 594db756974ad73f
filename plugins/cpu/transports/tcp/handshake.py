# SPDX-License-Identifier: Apache-2.0
"""Mutual authentication of two processes of a job: a challenge-response handshake with a shared key.

The listener sends a nonce. The dialler answers with its index, a nonce of its own, how many bytes of the link's stream
it has received, and a message authentication code (HMAC-SHA-256, RFC 2104) under the job's key; then the listener
answers with what it has received and its code. A code covers both indices, the sender's role, both nonces and the
sender's offset, so that it cannot be replayed, reflected, or used with another process.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import struct
from collections.abc import Callable
from enum import Enum

MAGIC = b"olympus-tcp-3\n"
_NONCE, _CODE = 32, 32
_CHALLENGE = struct.Struct(f"<{len(MAGIC)}s{_NONCE}s")
_CLAIM = struct.Struct(f"<I{_NONCE}sQ{_CODE}s")
_ANSWER = struct.Struct(f"<Q{_CODE}s")
_FACTS = struct.Struct("<IIQ")


class Verdict(Enum):
    """The state of a handshake."""

    CONTINUES = "continues"
    AUTHENTICATED = "authenticated"
    REJECTED = "rejected"


class ListenerHandshake:
    """The listener's side of one connection.

    Attributes:
        lacks: Bytes to receive before the next step; no more are to be read.
        process: The dialler's index, once it is authenticated.
        offset: How many bytes of this process's stream the dialler has received, once it is authenticated.

    Args:
        key: The job's key.
        own: The listener's index.
        members: Indices of processes that may dial.
        received: How many bytes have been received of a process; called once it is authenticated.
    """

    def __init__(self, key: bytes, own: int, members: frozenset[int], received: Callable[[int], int]) -> None:
        self._key, self._own, self._members, self._received = key, own, members, received
        self._nonce = os.urandom(_NONCE)
        self.lacks, self.process, self.offset = _CLAIM.size, -1, 0

    def first(self) -> bytes:
        """The message that is sent first."""
        return _CHALLENGE.pack(MAGIC, self._nonce)

    def take(self, message: bytes) -> tuple[Verdict, bytes]:
        """The verdict on a message, and the answer."""
        self.lacks = 0
        process, nonce, offset, code = _CLAIM.unpack(message)
        expected = code_of(self._key, b"dials", process, self._own, self._nonce, nonce, offset)
        # Constant time, whichever check fails.
        if not hmac.compare_digest(code, expected) or process not in self._members:
            return Verdict.REJECTED, b""
        self.process, self.offset = process, offset
        own = self._received(process)
        return Verdict.AUTHENTICATED, _ANSWER.pack(
            own, code_of(self._key, b"listens", process, self._own, self._nonce, nonce, own))


class DiallerHandshake:
    """The dialler's side of one connection.

    Attributes:
        lacks: Bytes to receive before the next step; no more are to be read.
        process: The listener's index.
        offset: How many bytes of this process's stream the listener has received, once it is authenticated.

    Args:
        key: The job's key.
        own: The dialler's index.
        process: The listener's index.
        received: How many bytes have been received of a process; called once the listener has sent its nonce.
    """

    def __init__(self, key: bytes, own: int, process: int, received: Callable[[int], int]) -> None:
        self._key, self._own, self.process, self._received = key, own, process, received
        self._nonces: tuple[bytes, bytes] | None = None
        self.lacks, self.offset = _CHALLENGE.size, 0

    def first(self) -> bytes:
        """The message that is sent first: none, the listener begins."""
        return b""

    def take(self, message: bytes) -> tuple[Verdict, bytes]:
        """The verdict on a message, and the answer."""
        if self._nonces is not None:
            self.lacks = 0
            offset, code = _ANSWER.unpack(message)
            expected = code_of(self._key, b"listens", self._own, self.process, *self._nonces, offset)
            if not hmac.compare_digest(code, expected):
                return Verdict.REJECTED, b""
            self.offset = offset
            return Verdict.AUTHENTICATED, b""
        magic, theirs = _CHALLENGE.unpack(message)
        if magic != MAGIC:
            self.lacks = 0
            return Verdict.REJECTED, b""
        nonce = os.urandom(_NONCE)
        self._nonces = theirs, nonce
        self.lacks = _ANSWER.size
        own = self._received(self.process)
        return Verdict.CONTINUES, _CLAIM.pack(
            self._own, nonce, own, code_of(self._key, b"dials", self._own, self.process, theirs, nonce, own))


def code_of(key: bytes, role: bytes, dialler: int, listener: int, theirs: bytes, nonce: bytes, offset: int) -> bytes:
    """The message authentication code of one side.

    Args:
        key: The job's key.
        role: The role of the side that computes it.
        dialler: Index of the process that dials.
        listener: Index of the process that listens.
        theirs: The listener's nonce.
        nonce: The dialler's nonce.
        offset: How many bytes that side has received.
    """
    text = MAGIC + role + b"\n" + _FACTS.pack(dialler, listener, offset) + theirs + nonce
    return hmac.digest(key, text, hashlib.sha256)
