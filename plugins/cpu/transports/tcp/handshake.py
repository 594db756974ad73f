"""Mutual authentication of two processes of a job: a challenge-response handshake with a shared key.

The listener sends a nonce. The dialler answers with its index, a nonce of its own and a message authentication code
(HMAC-SHA-256, RFC 2104) under the job's key; then the listener answers with its code. A code covers both indices, the
sender's role and both nonces, so that it cannot be replayed, reflected, or used with another process.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import struct
from enum import Enum

MAGIC = b"olympus-tcp-2\n"
_NONCE, _CODE = 32, 32
_CHALLENGE = struct.Struct(f"<{len(MAGIC)}s{_NONCE}s")
_CLAIM = struct.Struct(f"<I{_NONCE}s{_CODE}s")
_NAMES = struct.Struct("<II")


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

    Args:
        key: The job's key.
        own: The listener's index.
        members: Indices of processes that may dial.
    """

    def __init__(self, key: bytes, own: int, members: frozenset[int]) -> None:
        self._key, self._own, self._members = key, own, members
        self._nonce = os.urandom(_NONCE)
        self.lacks, self.process = _CLAIM.size, -1

    def first(self) -> bytes:
        """The message that is sent first."""
        return _CHALLENGE.pack(MAGIC, self._nonce)

    def take(self, message: bytes) -> tuple[Verdict, bytes]:
        """The verdict on a message, and the answer."""
        self.lacks = 0
        process, nonce, code = _CLAIM.unpack(message)
        expected = code_of(self._key, b"dials", process, self._own, self._nonce, nonce)
        # Constant time, whichever check fails.
        if not hmac.compare_digest(code, expected) or process not in self._members:
            return Verdict.REJECTED, b""
        self.process = process
        return Verdict.AUTHENTICATED, code_of(self._key, b"listens", process, self._own, self._nonce, nonce)


class DiallerHandshake:
    """The dialler's side of one connection.

    Attributes:
        lacks: Bytes to receive before the next step; no more are to be read.
        process: The listener's index.

    Args:
        key: The job's key.
        own: The dialler's index.
        process: The listener's index.
    """

    def __init__(self, key: bytes, own: int, process: int) -> None:
        self._key, self._own, self.process = key, own, process
        self._expected: bytes | None = None
        self.lacks = _CHALLENGE.size

    def first(self) -> bytes:
        """The message that is sent first: none, the listener begins."""
        return b""

    def take(self, message: bytes) -> tuple[Verdict, bytes]:
        """The verdict on a message, and the answer."""
        if self._expected is not None:
            self.lacks = 0
            return Verdict.AUTHENTICATED if hmac.compare_digest(message, self._expected) else Verdict.REJECTED, b""
        magic, theirs = _CHALLENGE.unpack(message)
        if magic != MAGIC:
            self.lacks = 0
            return Verdict.REJECTED, b""
        nonce = os.urandom(_NONCE)
        self._expected = code_of(self._key, b"listens", self._own, self.process, theirs, nonce)
        self.lacks = _CODE
        return Verdict.CONTINUES, _CLAIM.pack(
            self._own, nonce, code_of(self._key, b"dials", self._own, self.process, theirs, nonce))


def code_of(key: bytes, role: bytes, dialler: int, listener: int, theirs: bytes, nonce: bytes) -> bytes:
    """The message authentication code of one side.

    Args:
        key: The job's key.
        role: The role of the side that computes it.
        dialler: Index of the process that dials.
        listener: Index of the process that listens.
        theirs: The listener's nonce.
        nonce: The dialler's nonce.
    """
    text = MAGIC + role + b"\n" + _NAMES.pack(dialler, listener) + theirs + nonce
    return hmac.digest(key, text, hashlib.sha256)
