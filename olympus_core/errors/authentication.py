# SPDX-License-Identifier: Apache-2.0
"""Errors of authentication: secrets, TLS, and peers that do not belong to the job."""

from __future__ import annotations

from .cluster import ClusterError

__all__ = [
    "AuthenticationError",
    "MessageSizeError",
    "NotACoordinatorError",
    "SecretError",
    "StrangerError",
    "TlsError",
    "TlsFileError",
]


class NotACoordinatorError(ClusterError, ConnectionError):
    """Something else than an olympus coordinator answers at the address.

    Args:
        address: The address dialled.
        answer: The first bytes it sent.
    """

    def __init__(self, address: str, answer: bytes) -> None:
        self.address, self.answer = address, answer
        super().__init__(
            f"What listens at {address} does not speak olympus.",
            given=f"it answered {answer!r}",
            expected="the coordinator in process 0 of this job",
            fix="Give all processes another port: this one belongs to another program.",
        )


class StrangerError(ClusterError, ConnectionError):
    """The coordinator at the address belongs to another job, or this process does.

    Args:
        address: The address dialled.
        process: This process's index.
        reason: What the coordinator said.
    """

    def __init__(self, address: str, process: int, reason: str) -> None:
        self.address, self.process, self.reason = address, process, reason
        super().__init__(
            f"The coordinator at {address} turned process {process} away: {reason}.",
            expected="the coordinator of the same run of the same job",
            fix="Choose another port for this job, or end the earlier one.",
        )


class AuthenticationError(ClusterError, ConnectionError):
    """This process and the coordinator do not know the same secret.

    Args:
        address: The address dialled.
        process: This process's index.
        source: Where this process has its secret from.
        reason: Which side does not accept the other.
    """

    def __init__(self, address: str, process: int, source: str, reason: str) -> None:
        self.address, self.process, self.source, self.reason = address, process, source, reason
        super().__init__(
            f"Process {process} and the coordinator at {address} do not know the same secret: {reason}.",
            given=f"this process has it from {source}",
            expected="the same secret in all processes of the job, and another job's coordinator not at this port",
            fix="Where machines do not share a home, copy that file to all of them, or name one in OLYMPUS_SECRET_FILE "
            "everywhere; if another job holds the port, choose another one.",
        )


class SecretError(ClusterError, PermissionError):
    """The job's secret cannot be had, or others could have it, too.

    Args:
        source: The file or the variable it should come from.
        reason: What is wrong.
        is_short: Whether it is there and too short.
    """

    def __init__(self, source: str, reason: str, *, is_short: bool = False) -> None:
        self.source, self.reason, self.is_short = source, reason, is_short
        super().__init__(
            f"The secret of the job's members cannot be used: {reason}.",
            given=source,
            expected="at least 32 random characters that only this user can read (mode 600), the same everywhere",
            fix="Look at who made it; then remove it (a new one is made), or chown and chmod 600 it, "
            "or name another file in OLYMPUS_SECRET_FILE in all processes.",
        )


class TlsError(ClusterError, ConnectionError):
    """The processes do not agree on a secure connection.

    Args:
        address: The address dialled; None before.
        reason: What is wrong.
    """

    def __init__(self, address: str | None, reason: str) -> None:
        self.address, self.reason = address, reason
        where = "TLS" if address is None else f"TLS with the coordinator at {address}"
        super().__init__(
            f"{where} does not come about: {reason}.",
            expected="OLYMPUS_TLS_CERT, OLYMPUS_TLS_KEY and OLYMPUS_TLS_CA in all processes or in none, "
            "and certificates that the same authority has signed",
            fix="Set all three in every process, and look at the certificates with `openssl verify -CAfile`.",
        )


class TlsFileError(ClusterError, OSError):
    """A file of TLS cannot be used.

    Args:
        path: The file.
        reason: What is wrong with it.
    """

    def __init__(self, path: str, reason: str) -> None:
        self.path, self.reason = path, reason
        super().__init__(
            f"{path} cannot be used for TLS: {reason}.",
            expected="PEM files: a certificate, its private key without a password, an authority's certificate",
            fix="Correct OLYMPUS_TLS_CERT, OLYMPUS_TLS_KEY and OLYMPUS_TLS_CA, or the files that they name.",
        )


class MessageSizeError(ClusterError, ValueError):
    """What processes are to tell each other is too much for a message.

    Args:
        label: The meeting.
        size: Bytes or characters of all members together.
        limit: How many there may be.
    """

    def __init__(self, label: str, size: int, limit: int) -> None:
        self.label, self.size, self.limit = label, size, limit
        super().__init__(
            f"Meeting {label[:80]!r} has {size} bytes, which is too much for messages.",
            expected=f"up to {limit} from all members together",
            fix="Send large values as arrays.",
        )


# What a process gets from what is not its own job's coordinator.
NOT_OF_THIS_JOB = (NotACoordinatorError, StrangerError, AuthenticationError, SecretError, TlsError)
