# SPDX-License-Identifier: Apache-2.0
"""The member's side of the challenge, and of TLS before it: what every connection to the coordinator begins with."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import NamedTuple

from olympus_core.errors.authentication import AuthenticationError, NotACoordinatorError, StrangerError, TlsError

from .authentication import NONCE, NONCE_SIZE, PROOF_SIZE, PROVEN, SIZE, is_proof, proof
from .channels import TlsChannel
from .secret import Secrets
from .wire import MAGIC, PREAMBLE, PROTOCOL_VERSION, Link

_SEND_TIME = 5.0
_PIECE = 4096


class SecretRefused(Exception):
    """The coordinator does not accept this process's secret; `error` is what the user is told."""

    def __init__(self, error: AuthenticationError) -> None:
        super().__init__(str(error))
        self.error = error


class Authentication(NamedTuple):
    """Both sides have proven themselves: the secret, both nonces, and bytes that came after that."""

    secret: bytes
    nonces: bytes
    rest: bytes


class Handshake:
    """One connection that begins.

    Args:
        link: The connection.
        address: Where it leads, for errors.
        process: Index of this process.
        secrets: Finds the job's secret.
        wait: Seconds that are left; raises when none are.
    """

    def __init__(self, link: Link, address: str, process: int, secrets: Secrets, wait: Callable[[], float]) -> None:
        self._link, self._address, self._process = link, address, process
        self._secrets, self._wait = secrets, wait
        self._data = b""

    def run(self) -> Authentication:
        """Proves that this process knows the secret, and checks that the coordinator does.

        Raises:
            SecretRefused: If the coordinator does not accept the proof.
            AuthenticationError: If the coordinator's own is wrong.
            NotACoordinatorError: If something else answers.
            StrangerError: If it speaks another version.
            TlsError: If it wants TLS, and this process has none.
            LinkClosed: If the connection ends, or breaks.
        """
        channel = self._link.channel
        while isinstance(channel, TlsChannel) and not channel.is_agreed:
            self._receive()
        nonce = os.urandom(NONCE_SIZE)
        self._link.send(PREAMBLE + nonce, _SEND_TIME)
        self._read_preamble()
        if self._take(1) != NONCE:
            raise TlsError(self._address, "the coordinator wants it, and this process has no certificate")
        theirs = self._take(NONCE_SIZE)
        (size,) = SIZE.unpack(self._take(SIZE.size))
        secret = self._secrets.of_member(self._take(size)).value
        self._link.send(proof(secret, "member", nonce, theirs), _SEND_TIME)
        if self._take(1) != PROVEN:
            raise SecretRefused(self._not_authentic("the coordinator does not accept this process's"))
        if not is_proof(self._take(PROOF_SIZE), secret, "coordinator", nonce, theirs):
            raise self._not_authentic("what answers there does not know this process's")
        return Authentication(secret, nonce + theirs, self._data)

    def _not_authentic(self, reason: str) -> AuthenticationError:
        return AuthenticationError(self._address, self._process, self._secrets.source, reason)

    def _receive(self) -> None:
        self._data += self._link.receive(_PIECE, self._wait())

    def _take(self, size: int) -> bytes:
        while len(self._data) < size:
            self._receive()
        taken, self._data = self._data[:size], self._data[size:]
        return taken

    def _read_preamble(self) -> None:
        while len(self._data) < len(PREAMBLE):
            self._receive()
            if not MAGIC.startswith(self._data[: len(MAGIC)]):
                raise NotACoordinatorError(self._address, self._data[:48])
        theirs = self._take(len(PREAMBLE))[len(MAGIC)]
        if theirs != PROTOCOL_VERSION:
            reason = f"it speaks version {theirs} of the protocol, this process version {PROTOCOL_VERSION}"
            raise StrangerError(self._address, self._process, reason)
