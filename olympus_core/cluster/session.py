# SPDX-License-Identifier: Apache-2.0
"""A session: what makes a member and the coordinator one conversation over several connections.

Each side numbers the frames that matter and keeps them until the other has received them. `docs/decisions/0037`.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import struct
from collections import deque

from olympus_core.errors.cluster import BacklogError

from .keys import derived_key
from .wire import MOST_PAYLOAD, Body, BrokenStream, Frame

# What is lost with its connection: it is said again anyhow, or belongs to the connection alone.
UNNUMBERED = frozenset({
    "hello", "welcome", "refused", "resume", "resumed", "ack", "report", "beat", "ask", "who", "found", "look", "seen",
    "probe", "stack",
})
MOST_KEPT = 2 * MOST_PAYLOAD  # bytes that the other side has not received
_MOST_SILENT_FRAMES, _MOST_SILENT_BYTES = 256, 1 << 20  # received without telling the other side so
_NUMBERS = struct.Struct(">IQQ")


class Session:
    """One side's account of a session; who uses it in several threads has a lock for it.

    Attributes:
        identity: What only this member and the coordinator know.
        sent: Number of the last frame of this side.
        received: Number of the last frame of the other.
        kept: Bytes of this side's frames that the other is not known to have received.
        attempt: How often a resumption was tried.
    """

    def __init__(self, secret: bytes, identity: str) -> None:
        self.identity = identity
        self.sent = self.received = self.kept = self.attempt = 0
        self._key = derived_key(secret, identity, "session")
        self._acknowledged = 0  # of this side's frames
        self._told = self._silent_bytes = 0  # the last number told to the other side, bytes received since
        self._frames: deque[Body] = deque()

    @staticmethod
    def new_identity() -> str:
        """An identity that nobody can guess."""
        return secrets.token_hex(32)

    def send(self, body: Body) -> list[bytes]:
        """Numbers and keeps a message; gives the pieces of its frame. Raises BacklogError for too much."""
        if self.kept + body.size > MOST_KEPT:
            raise BacklogError(self.kept + body.size, MOST_KEPT)
        self.sent += 1
        self.kept += body.size
        self._frames.append(body)
        return body.pieces(self.sent, self._tell())

    def tell(self, body: Body) -> list[bytes]:
        """The pieces of a frame without a number, which is lost with its connection."""
        return body.pieces(0, self._tell())

    @property
    def owes_word(self) -> bool:
        """Whether so much was received without telling the other side that it should be told now."""
        return self.received - self._told > _MOST_SILENT_FRAMES or self._silent_bytes > _MOST_SILENT_BYTES

    def accept(self, frame: Frame) -> bool:
        """Whether a received frame is new, and the next one.

        Raises:
            BrokenStream: If it cannot be: there is a gap before it, or what was never sent is acknowledged.
        """
        self._forget(frame.acknowledged)
        if (frame.number == 0) != (frame.message["t"] in UNNUMBERED):
            raise BrokenStream(f"{frame.message['t']!r} with the number {frame.number}")
        if frame.number == 0:
            return True
        if frame.number <= self.received:
            return False
        if frame.number != self.received + 1:
            raise BrokenStream(f"frame {frame.number} after frame {self.received}")
        self.received = frame.number
        self._silent_bytes += len(frame.payload)
        return True

    def can_resume_at(self, received: int) -> bool:
        """Whether the other side can have received so much."""
        return self._acknowledged <= received <= self.sent

    def resume(self, received: int) -> list[bytes]:
        """What the other side has not received, as the pieces of frames."""
        self._forget(received)
        told = self._tell()
        first = self._acknowledged + 1
        return [piece for number, body in enumerate(self._frames, first) for piece in body.pieces(number, told)]

    def proof(self, side: str, nonces: bytes, process: int, received: int, attempt: int) -> str:
        """What shows that a side takes part in this session, on the connection of these nonces."""
        said = side.encode() + nonces + _NUMBERS.pack(process, received, attempt)
        return hmac.digest(self._key, said, hashlib.sha256).hex()

    def is_proof(self, given: str, side: str, nonces: bytes, process: int, received: int, attempt: int) -> bool:
        """Whether a side's proof is right."""
        return hmac.compare_digest(given, self.proof(side, nonces, process, received, attempt))

    def _tell(self) -> int:
        self._told, self._silent_bytes = self.received, 0
        return self.received

    def _forget(self, acknowledged: int) -> None:
        """Forgets what the other side has received; older news than the last are nothing new."""
        if acknowledged > self.sent:
            raise BrokenStream(f"frame {acknowledged} is acknowledged, {self.sent} were sent")
        while self._acknowledged < acknowledged:
            self._acknowledged += 1
            self.kept -= self._frames.popleft().size
