# SPDX-License-Identifier: Apache-2.0
"""The key with which this user signs what is kept to be run later."""

from __future__ import annotations

import hashlib
import hmac
import os
import stat

from olympus_core.errors.platform import UntrustedPathError

from .ownership import Folder, read_own, write_once, write_own

_SIZE = 32


class Signer:
    """Signs bytes, and tells whether a signature is right.

    Args:
        key: The secret.

    Attributes:
        size: Bytes of a signature.

    Example:
        >>> signer = Signer(b"k" * 32)
        >>> signer.is_right(signer.sign(b"name", b"content"), b"name", b"content")
        True
        >>> signer.is_right(signer.sign(b"name", b"content"), b"other", b"content")
        False
    """

    size = hashlib.sha256().digest_size

    def __init__(self, key: bytes) -> None:
        self._begun = hmac.new(key, digestmod="sha256")

    def sign(self, name: bytes, content: bytes | memoryview) -> bytes:
        """The signature of content under a name: HMAC-SHA256."""
        one = self._begun.copy()
        one.update(len(name).to_bytes(8, "big"))
        one.update(name)
        one.update(content)
        return one.digest()

    def is_right(self, signature: bytes | memoryview, name: bytes, content: bytes | memoryview) -> bool:
        """Whether a signature is that of content under a name; takes as long for any wrong one."""
        return hmac.compare_digest(signature, self.sign(name, content))


def user_key(path: str) -> tuple[bytes, str]:
    """A user's key, made where there is none or where others could read it.

    Args:
        path: The file, of which nobody else may read, and no one write to its folder.

    Returns:
        The key, and the file's folder without links.

    Raises:
        UntrustedPathError: The folder, or the file, may be another user's.
        OSError: It can be neither read nor made.
    """
    parent = Folder(os.path.dirname(path) or os.curdir, create=True)
    name = os.path.basename(path)
    folder = parent.open()
    try:
        for _ in range(2):
            key = _read(folder, name)
            if key is not None:
                return key, parent.path
            write_once(folder, name, os.urandom(_SIZE))
        raise UntrustedPathError(path, f"is no key of {_SIZE} bytes, and cannot be replaced")
    finally:
        os.close(folder)


def _read(folder: int, name: str) -> bytes | None:
    """The key; None where there is none that is secret."""
    try:
        # A second name while another process makes it: see `write_once`.
        content = read_own(folder, name, 1 << 10, names=2)
        mode = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
    except FileNotFoundError:
        return None
    if len(content) != _SIZE or stat.S_IMODE(mode) & 0o077:
        # Half a key, or one that others may know: nobody can rely on what it signed.
        write_own(folder, name, os.urandom(_SIZE))
        return None
    return content
