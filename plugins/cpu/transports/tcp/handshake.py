"""How two processes of a job show each other that they are: whoever dials proves it first.

The listener sends a nonce. The dialler answers with its index, a nonce of its own and a code (HMAC-SHA-256) with a key
that only the job's processes have; then the listener answers with its code. A code tells who made it, for whom, in
which role, and both nonces: none is of use a second time, in the other direction or at another process.
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
    """Where a handshake stands."""

    GOES_ON = "goes on"
    KNOWN = "known"
    STRANGER = "stranger"


class Welcoming:
    """The listener's side of one connection.

    Attributes:
        lacks: Bytes that must come before anything can be said; no more are to be read.
        process: The dialler's index, once it is known.

    Args:
        key: The job's key.
        own: The listener's index.
        members: Indices that may dial it.
    """

    def __init__(self, key: bytes, own: int, members: frozenset[int]) -> None:
        self._key, self._own, self._members = key, own, members
        self._nonce = os.urandom(_NONCE)
        self.lacks, self.process = _CLAIM.size, -1

    def first(self) -> bytes:
        """What is sent at once."""
        return _CHALLENGE.pack(MAGIC, self._nonce)

    def take(self, message: bytes) -> tuple[Verdict, bytes]:
        """What the message shows, and the answer."""
        self.lacks = 0
        process, nonce, code = _CLAIM.unpack(message)
        expected = code_of(self._key, b"dials", process, self._own, self._nonce, nonce)
        # Both are looked at, so that the time tells nothing.
        if not hmac.compare_digest(code, expected) or process not in self._members:
            return Verdict.STRANGER, b""
        self.process = process
        return Verdict.KNOWN, code_of(self._key, b"listens", process, self._own, self._nonce, nonce)


class Dialling:
    """The dialler's side of one connection.

    Attributes:
        lacks: Bytes that must come before anything can be said; no more are to be read.
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
        """What is sent at once: nothing, the listener begins."""
        return b""

    def take(self, message: bytes) -> tuple[Verdict, bytes]:
        """What the message shows, and the answer."""
        if self._expected is not None:
            self.lacks = 0
            return Verdict.KNOWN if hmac.compare_digest(message, self._expected) else Verdict.STRANGER, b""
        magic, theirs = _CHALLENGE.unpack(message)
        if magic != MAGIC:
            self.lacks = 0
            return Verdict.STRANGER, b""
        nonce = os.urandom(_NONCE)
        self._expected = code_of(self._key, b"listens", self._own, self.process, theirs, nonce)
        self.lacks = _CODE
        return Verdict.GOES_ON, _CLAIM.pack(
            self._own, nonce, code_of(self._key, b"dials", self._own, self.process, theirs, nonce))


def code_of(key: bytes, role: bytes, dialler: int, listener: int, theirs: bytes, nonce: bytes) -> bytes:
    """The code by which one side shows that it knows the key.

    Args:
        key: The job's key.
        role: What the side that makes it does.
        dialler: Index of the process that dials.
        listener: Index of the process that listens.
        theirs: The listener's nonce.
        nonce: The dialler's.
    """
    text = MAGIC + role + b"\n" + _NAMES.pack(dialler, listener) + theirs + nonce
    return hmac.digest(key, text, hashlib.sha256)
