# SPDX-License-Identifier: Apache-2.0
"""The job's secret: where this process has it from."""

from __future__ import annotations

import hashlib
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from olympus_core.config import config
from olympus_core.errors.authentication import SecretError, TlsError
from olympus_core.logs import Log

from . import munge
from .addresses import Address
from .channels import TlsFiles
from .detect import Detection
from .secret_file import LEAST_CHARACTERS, read_or_make, read_own, user_file

if TYPE_CHECKING:
    import ssl

SECRET_VARIABLE = "OLYMPUS_SECRET"
_FILE_VARIABLE = "OLYMPUS_SECRET_FILE"
_log = Log(__name__)


@dataclass(frozen=True, slots=True)
class Secret:
    """What the processes of a job know and nobody else does.

    Args:
        value: The secret itself, which no message may show.
        source: Where it is from, in words.
        sealed: The same for processes that have it from process 0; empty where they have it otherwise.
    """

    value: bytes = field(repr=False)
    source: str
    sealed: bytes = field(default=b"", repr=False)


@dataclass(frozen=True, slots=True)
class Security:
    """What the coordinator asks of those that connect.

    Args:
        secret: The job's secret.
        context: What secure connections are made with; None without TLS.
    """

    secret: Secret
    context: ssl.SSLContext | None = None


class Secrets:
    """Finds the secret; a process that has it from process 0 only when that has answered.

    Args:
        environ: The environment variables.
        found: The launcher.
        address: The coordinator's.
        from_mpi: What MPI has told; None where it was not asked.
        path: The file that is named; None for none.
    """

    def __init__(
        self,
        environ: Mapping[str, str],
        found: Detection | None,
        address: Address,
        from_mpi: bytes | None = None,
        path: str | None = None,
    ) -> None:
        self._environ, self._found, self._address, self._path = environ, found, address, path
        self._is_public = False
        self._known = self._given(from_mpi)
        if not self._is_slurm:  # where process 0 may have it; elsewhere what is wrong with it is told at once
            self.of_member(b"")

    def of_coordinator(self) -> Secret:
        """Process 0's."""
        if self._known is None and self._is_slurm and munge.is_installed():
            value = secrets.token_bytes(32)
            self._known = Secret(value, "munge", munge.seal(value))
        if self._is_public:
            _log.warning(
                "The members of this job are not authenticated: whoever reaches port %d can join or end it. Mount a "
                "Secret of %d or more random characters into every pod and name its file in %s.",
                self._address.port, LEAST_CHARACTERS, _FILE_VARIABLE,
            )
        return self.of_member(b"")

    def of_member(self, sealed: bytes) -> Secret:
        """Another process's.

        Args:
            sealed: What the coordinator has answered.
        """
        if self._known is None or (sealed and self._known.sealed and sealed != self._known.sealed):
            if sealed and self._is_slurm:
                if not munge.is_installed():
                    raise SecretError("munge", "process 0 uses it, and this machine does not have it")
                # Kept with what it was sealed in: another port may be another job's, which has another one.
                self._known = Secret(munge.unseal(sealed), "munge", sealed)
            elif self._is_among_strangers:
                name = self._found.name if self._found is not None else "kubernetes"
                value = hashlib.sha256(f"olympus public {name}".encode()).digest()
                self._known = Secret(value, "what everybody knows of the job")
                self._is_public = True
            else:
                path = user_file(self._environ)
                self._known = Secret(read_or_make(path), path)
        return self._known

    @property
    def source(self) -> str:
        """Where this process's secret is from, in words."""
        return "not known yet" if self._known is None else self._known.source

    @property
    def _is_slurm(self) -> bool:
        return self._found is not None and self._found.name == "slurm"

    @property
    def _is_among_strangers(self) -> bool:
        """Whether each process has a file system of its own, so that files made there would all differ."""
        if self._address.is_loopback:
            return False
        name = self._found.name if self._found is not None else ""
        return name in ("kubernetes", "tpu") or "KUBERNETES_SERVICE_HOST" in self._environ

    def _given(self, from_mpi: bytes | None) -> Secret | None:
        text = self._environ.get(SECRET_VARIABLE, "").strip()
        if text:
            if len(text) < LEAST_CHARACTERS:
                reason = f"it has {len(text)} characters, and a secret has {LEAST_CHARACTERS} or more"
                raise SecretError(SECRET_VARIABLE, reason)
            return Secret(text.encode(errors="surrogateescape"), f"variable {SECRET_VARIABLE}")
        if self._path is not None:
            try:
                return Secret(read_own(self._path, by_root=True), os.path.abspath(self._path))
            except FileNotFoundError:
                raise SecretError(self._path, "there is no such file") from None
        return None if from_mpi is None else Secret(from_mpi, "MPI")


def tls_files() -> TlsFiles | None:
    """What TLS needs, if it is wanted; raises TlsError if only a part of it is named."""
    named = {
        "OLYMPUS_TLS_CERT": config.tls_cert, "OLYMPUS_TLS_KEY": config.tls_key, "OLYMPUS_TLS_CA": config.tls_ca,
    }
    absent = [name for name, path in named.items() if path is None]
    if len(absent) == len(named):
        return None
    if absent:
        raise TlsError(None, f"{' and '.join(absent)} {'is' if len(absent) == 1 else 'are'} not set")
    return TlsFiles(*named.values())
