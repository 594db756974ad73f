# SPDX-License-Identifier: Apache-2.0
"""A file of mode 600 with this user's secret: made once, by whoever comes first; refused when others could have."""

from __future__ import annotations

import errno
import os
import secrets
import stat
import tempfile
import time
from collections.abc import Mapping

from olympus_core.errors.authentication import SecretError

# 128 bits as hexadecimal digits.
LEAST_CHARACTERS = 32
_MOST_BYTES = 4096
_SIZE = 32
_PATIENCE = 1.0  # for another process to have written what it has begun


def user_file(environ: Mapping[str, str]) -> str:
    """Where this user's secret is kept: in the configuration, or for a user without a home beside what is temporary.

    Args:
        environ: The environment variables.
    """
    tried: list[str] = []
    for folder in _folders(environ):
        try:
            _make_folders(folder)
            link, state = os.lstat(folder), os.stat(folder)
        except OSError as error:
            tried.append(f"{folder} ({error.strerror})")
            continue
        path = os.path.join(folder, "secret")
        # A link of somebody else's, beside what is temporary, could lead to any folder of this user's.
        if {link.st_uid, state.st_uid} != {os.geteuid()} or state.st_mode & 0o002:
            tried.append(f"{folder} (it is another user's, or everybody may write into it)")
        elif os.path.lexists(path) or os.access(folder, os.W_OK | os.X_OK):
            return path
        else:
            tried.append(f"{folder} (not writable)")
    raise SecretError(", ".join(tried), "there is no folder for it")


def _make_folders(path: str) -> None:
    """Makes what is missing of a path, for this user alone: `os.makedirs` leaves all but the last to the umask."""
    if os.path.isdir(path):
        return
    if os.path.dirname(path) != path:
        _make_folders(os.path.dirname(path))
    try:
        os.mkdir(path, 0o700)
    except FileExistsError:
        if not os.path.isdir(path):  # else another process was faster
            raise


def _folders(environ: Mapping[str, str]) -> list[str]:
    home = environ.get("XDG_CONFIG_HOME") or os.path.expanduser(os.path.join("~", ".config"))
    bases = [home, environ.get("XDG_RUNTIME_DIR") or ""]
    # Who has no home has no configuration either, and what is relative would be another folder in each.
    found = [os.path.join(base, "olympus") for base in bases if os.path.isabs(base)]
    return [*found, os.path.join(tempfile.gettempdir(), f"olympus-{os.geteuid()}")]


def read_or_make(path: str) -> bytes:
    """This user's secret; the first process that asks makes it.

    Args:
        path: Where it is kept.

    Raises:
        SecretError: If the file is another's or others may read it, or it cannot be made.
    """
    deadline = time.monotonic() + _PATIENCE
    while True:
        try:
            return read_own(path)
        except FileNotFoundError:
            pass
        except SecretError as error:
            # Where files cannot be linked, another process may just be writing it.
            if not error.is_short or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
            continue
        try:
            _make(path)
        except OSError as error:
            raise SecretError(path, f"it cannot be made: {error.strerror}") from None


def read_own(path: str, *, by_root: bool = False) -> bytes:
    """What is in a file that only this user can have written, and only this user reads.

    Args:
        path: The file.
        by_root: Whether root may own it instead, as what is mounted into a container; then others may read it.

    Raises:
        SecretError: If it is another's, or open to others, or holds too little.
        FileNotFoundError: If there is none.
    """
    try:
        number = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | (0 if by_root else os.O_NOFOLLOW))
    except FileNotFoundError:
        raise
    except OSError as error:
        reason = "it is a link" if error.errno == errno.ELOOP else error.strerror
        raise SecretError(path, f"it cannot be read: {reason}") from None
    try:
        state = os.fstat(number)
        mounted = by_root and state.st_uid == 0
        if not stat.S_ISREG(state.st_mode):
            raise SecretError(path, "it is no file")
        if state.st_uid != os.geteuid() and not mounted:
            raise SecretError(path, f"it belongs to user {state.st_uid}, this process to user {os.geteuid()}")
        if state.st_mode & (0o022 if mounted else 0o077):
            raise SecretError(path, f"its mode is {stat.S_IMODE(state.st_mode):o}, so others may use it")
        text = os.read(number, _MOST_BYTES).strip()
    finally:
        os.close(number)
    if len(text) < LEAST_CHARACTERS:
        reason = f"it holds {len(text)} characters, and a secret has {LEAST_CHARACTERS} or more"
        raise SecretError(path, reason, is_short=True)
    return text


def _make(path: str) -> None:
    """Writes a new secret and gives it its name, unless somebody else was faster."""
    from olympus_core.toolkit.ownership import write_once  # not before it is needed: a home is new once

    folder = os.open(os.path.dirname(path), os.O_RDONLY | os.O_CLOEXEC | os.O_DIRECTORY)
    try:
        write_once(folder, os.path.basename(path), secrets.token_hex(_SIZE).encode() + b"\n")
    finally:
        os.close(folder)
