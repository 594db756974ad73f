# SPDX-License-Identifier: Apache-2.0
"""The challenge: both sides show that they know the job's secret before either says anything about itself.

======================  ==========================================================
member to coordinator   preamble, nonce
coordinator to member   preamble, ``N``, nonce, size of the sealed secret, sealed secret
member to coordinator   proof
coordinator to member   ``Y``, proof
======================  ==========================================================

Instead of ``N`` there may be ``T`` (TLS is wanted), instead of ``Y`` an ``R`` (refused). A proof is an HMAC-SHA256 over
the side, the version and both nonces, with a key made of the secret.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import struct

from .keys import derived_key
from .wire import MAGIC, PREAMBLE, PROTOCOL_VERSION

NONCE_SIZE, PROOF_SIZE = 32, 32
NONCE, TLS_WANTED, PROVEN, REFUSED = b"N", b"T", b"Y", b"R"
SIZE = struct.Struct(">H")


def proof(secret: bytes, side: str, member_nonce: bytes, coordinator_nonce: bytes) -> bytes:
    """What shows that a side knows the secret.

    Args:
        secret: The job's secret.
        side: ``member`` or ``coordinator``; the proof of one is none of the other.
        member_nonce: What the member chose for this connection.
        coordinator_nonce: What the coordinator did.
    """
    key = derived_key(secret, "", "joining")
    said = MAGIC + bytes([PROTOCOL_VERSION]) + member_nonce + coordinator_nonce + side.encode()
    return hmac.digest(key, said, hashlib.sha256)


def is_proof(given: bytes, secret: bytes, side: str, member_nonce: bytes, coordinator_nonce: bytes) -> bool:
    """Whether a side's proof is right; takes as long whatever is wrong with it."""
    return hmac.compare_digest(given, proof(secret, side, member_nonce, coordinator_nonce))


class Challenge:
    """The coordinator's side, for one connection.

    Args:
        secret: The job's secret.
        sealed: The secret as only this user's processes can open it; empty if they know it otherwise.

    Attributes:
        greeting: What the connection has sent of its preamble.
        is_over: Whether the other side has proven itself, or been found out.
        is_proven: Whether it knows the secret.
        nonces: The member's and this side's, once it is over.
    """

    def __init__(self, secret: bytes, sealed: bytes) -> None:
        self._secret, self._sealed = secret, sealed
        self._nonce = os.urandom(NONCE_SIZE)
        self._data = b""
        self._is_asked = False
        self.is_over = self.is_proven = False
        self.nonces = b""

    @property
    def greeting(self) -> bytes:
        """The first bytes that came."""
        return self._data

    @property
    def is_ours(self) -> bool:
        """Whether the first bytes are a member's, as far as they have come."""
        return PREAMBLE.startswith(self._data[: len(PREAMBLE)])

    def feed(self, data: bytes) -> tuple[bytes, bytes]:
        """Takes bytes of a preamble that is ours; what to answer, and bytes that are left once it is over."""
        self._data += data
        answer = b""
        start = len(PREAMBLE) + NONCE_SIZE
        if not self._is_asked and self.is_ours and len(self._data) >= start:
            self._is_asked = True
            answer = PREAMBLE + NONCE + self._nonce + SIZE.pack(len(self._sealed)) + self._sealed
        if len(self._data) < start + PROOF_SIZE:
            return answer, b""
        theirs, given = self._data[len(PREAMBLE) : start], self._data[start : start + PROOF_SIZE]
        self.is_over, self.nonces = True, theirs + self._nonce
        self.is_proven = is_proof(given, self._secret, "member", theirs, self._nonce)
        if not self.is_proven:
            return answer + REFUSED, b""
        answer += PROVEN + proof(self._secret, "coordinator", theirs, self._nonce)
        return answer, self._data[start + PROOF_SIZE :]
