# SPDX-License-Identifier: Apache-2.0
"""Slurm's own authentication: a secret sealed so that only this user's processes on the cluster open it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess

from olympus_core.errors.authentication import SecretError

_SECONDS = 5.0
_LONGEST_LIFE = 3600
# Sealed earlier, or opened before by another process of this machine: what is in it is right all the same.
_OPENED = {0, 15, 16, 17}


def is_installed() -> bool:
    """Whether both commands are here."""
    return shutil.which("munge") is not None and shutil.which("unmunge") is not None


def seal(secret: bytes) -> bytes:
    """A text that only this user can open."""
    command = ["munge", f"--restrict-uid={os.geteuid()}", f"--ttl={_LONGEST_LIFE}"]
    code, out, words = _run(command, secret.hex().encode())
    if code:
        raise SecretError("munge", words or f"it ended with code {code}")
    return out.strip()


def unseal(sealed: bytes) -> bytes:
    """The secret; raises SecretError if it is another user's, or no such text."""
    code, out, words = _run(["unmunge"], sealed)
    head, _, text = out.partition(b"\n\n")
    owner = re.search(rb"^UID:\s+(?:.*\()?(\d+)\)?\s*$", head, re.MULTILINE)
    if code not in _OPENED or owner is None:
        raise SecretError("unmunge", words or f"it ended with code {code}")
    if int(owner[1]) != os.geteuid():
        raise SecretError("unmunge", f"user {int(owner[1])} sealed it, this process belongs to user {os.geteuid()}")
    if not re.fullmatch(rb"[0-9a-f]{64}", text.strip()):
        raise SecretError("unmunge", "what was sealed is no secret")
    return bytes.fromhex(text.strip().decode())


def _run(command: list[str], given: bytes) -> tuple[int, bytes, str]:
    try:
        end = subprocess.run(command, input=given, capture_output=True, timeout=_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        # Its words may hold what was given.
        raise SecretError(command[0], f"it cannot be run ({type(error).__name__})") from None
    lines = end.stderr.decode(errors="replace").strip().splitlines()
    return end.returncode, end.stdout, lines[0][:200] if lines else ""
