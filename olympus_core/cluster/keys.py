# SPDX-License-Identifier: Apache-2.0
"""Keys made of the job's secret: for one run of the job, for one purpose."""

from __future__ import annotations

import hashlib
import hmac

_SALT = b"olympus job key 1"


def derived_key(secret: bytes, run: str, purpose: str, salt: bytes = b"") -> bytes:
    """32 bytes that tell nothing about the secret, nor about the key of another run or purpose.

    HKDF (RFC 5869) with SHA-256, and one block of output.

    Args:
        secret: The job's secret.
        run: The name of the run.
        purpose: What the key is for, in words.
        salt: What only those know who have joined the run.

    Example:
        >>> derived_key(b"s" * 32, "a", "x") == derived_key(b"s" * 32, "b", "x")
        False
    """
    name = run.encode()
    # The length keeps a run and a purpose apart, wherever the border between them is.
    info = len(name).to_bytes(4, "big") + name + purpose.encode()
    return hmac.digest(hmac.digest(_SALT + salt, secret, hashlib.sha256), info + b"\x01", hashlib.sha256)
