# SPDX-License-Identifier: Apache-2.0
"""Memory that processes of one machine share: a file whose name is gone as soon as all of them have it open.

Its name is made of the run's key, so nobody else can foresee it; it is made exclusively, or checked for whose it is.
Its memory is taken before anybody touches it: a page that cannot be had later would end the process (SIGBUS). Whoever
has it open holds a lock on it: a name without one was left behind by processes that were killed just then.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import mmap
import os
import stat
import time
from collections.abc import Sequence
from contextlib import suppress

from olympus_core.errors.platform import SharedMemoryError
from olympus_core.plugin import Rendezvous

FOLDER = "/dev/shm" if os.path.isdir("/dev/shm") else "/tmp"
_PREFIX = "olympus-"
_NAME_BYTES = 16  # of the key that a name is made of
_LOCK_TIME = 2.0  # seconds for somebody else's look at a file to end
_LOCK_LOOK = 1e-3
_CHUNK = 1 << 20
_KEEP_SIZE, _PUNCH_HOLE = 1, 2  # of fallocate


class SharedFile:
    """Memory shared with other processes, open in this one.

    Args:
        path: The file's name, the same in all of them; whoever comes first makes the file.
        size: Bytes at its beginning that are there at once.

    Raises:
        OSError: If it cannot be made, is somebody else's, or there is no memory for it.
    """

    def __init__(self, path: str, size: int) -> None:
        self._path = path
        self._file = _open(path)
        try:
            _take(self._file, 0, size)
        except BaseException:
            self.close()
            raise

    def map(self, start: int, size: int, writable: bool = True) -> mmap.mmap:
        """A part of the file as memory of this process; stays when the file is closed."""
        protection = mmap.PROT_READ | (mmap.PROT_WRITE if writable else 0)
        try:
            return mmap.mmap(self._file, size, flags=mmap.MAP_SHARED, prot=protection, offset=start)
        except OSError as error:
            raise SharedMemoryError(os.path.dirname(self._path), size, str(error)) from None

    def add(self, size: int) -> int | None:
        """More memory at the file's end, by one process only: where it begins, or None if there is no more."""
        start = self.size()
        try:
            _take(self._file, start, size)
        except OSError:
            with suppress(OSError):
                os.ftruncate(self._file, start)
            return None
        return start

    def remove(self, start: int, size: int) -> None:
        """Gives memory back to the system; whoever still has it mapped reads zeros."""
        with suppress(OSError, AttributeError):
            call = ctypes.CDLL(None, use_errno=True).fallocate
            call.argtypes = (ctypes.c_int, ctypes.c_int, ctypes.c_long, ctypes.c_long)
            call(self._file, _KEEP_SIZE | _PUNCH_HOLE, start, size)

    def size(self) -> int:
        """Bytes in the file."""
        return os.fstat(self._file).st_size

    def free_bytes(self) -> int:
        """How much memory the file system of the file still has."""
        found = os.fstatvfs(self._file)
        return found.f_bavail * found.f_frsize

    def close(self) -> None:
        """Gives the file back; what is mapped stays until nobody uses it."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def open_shared(rendezvous: Rendezvous, label: str, size: int, processes: Sequence[int]) -> SharedFile:
    """Memory that some processes of one machine share. Called by all of them.

    Args:
        rendezvous: How to reach the other processes.
        label: What the memory is for: the same in all of them, and of no other memory of the run.
        size: Bytes.
        processes: Their indices, ascending.

    Returns:
        The file; it has no name any more, so nothing can be left behind, however the job ends.

    Raises:
        SharedMemoryError: In all of them, if one cannot have the memory.
    """
    key = rendezvous.key(f"name of shared memory {label}")
    path = os.path.join(FOLDER, _PREFIX + key[:_NAME_BYTES].hex())
    file, problem = None, ""
    try:
        file = SharedFile(path, size)
    except OSError as error:
        problem = error.strerror or str(error)
    try:
        answers = rendezvous.exchange(label, problem.encode(), processes)
    except BaseException:
        if file is not None:
            file.close()
        raise
    finally:  # everybody has it open, or the job has failed
        with suppress(OSError):
            os.unlink(path)
    problems = [answer.decode(errors="replace") for answer in answers if answer]
    if file is None or problems:
        if file is not None:
            file.close()
        raise SharedMemoryError(FOLDER, size, problems[0] if problems else problem)
    return file


def remove_leftovers(folder: str = FOLDER) -> int:
    """Takes away the names that killed processes of this user have left; how many there were."""
    count = 0
    for name in os.listdir(folder):
        if name.startswith(_PREFIX):
            with suppress(OSError):
                count += _remove_if_left(os.path.join(folder, name))
    return count


def _remove_if_left(path: str) -> bool:
    file = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # raises where somebody has it open
        found = os.fstat(file)
        if not _is_ours(found) or found.st_ino != os.lstat(path).st_ino:
            return False
        os.unlink(path)
        return True
    finally:
        os.close(file)


def _open(path: str) -> int:
    """Opens or makes the file, and holds a lock on it for as long as it is open."""
    deadline = time.monotonic() + _LOCK_TIME
    flags = os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC
    while True:
        try:
            file = os.open(path, flags | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            try:
                file = os.open(path, flags | os.O_NONBLOCK)
            except FileNotFoundError:  # taken away between the two
                continue
        try:
            if not _is_ours(os.fstat(file)):
                raise PermissionError(errno.EPERM, "the file belongs to somebody else, or others can open it", path)
            _lock(file, deadline)
            if os.fstat(file).st_nlink == 1:
                return file
            is_late = time.monotonic() > deadline  # taken for left behind before it was locked: again
        except BaseException:
            os.close(file)
            raise
        os.close(file)
        if is_late:
            raise OSError(errno.EBUSY, "the file is taken away again and again", path)


def _lock(file: int, deadline: float) -> None:
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            return
        except BlockingIOError:  # somebody looks whether it was left behind
            if time.monotonic() > deadline:
                raise
            time.sleep(_LOCK_LOOK)


def _is_ours(found: os.stat_result) -> bool:
    """Whether a file is this user's own, for nobody else, and has no other name."""
    is_private = stat.S_ISREG(found.st_mode) and not found.st_mode & (stat.S_IRWXG | stat.S_IRWXO)
    return is_private and found.st_uid == os.geteuid() and found.st_nlink <= 1


def _take(file: int, start: int, size: int) -> None:
    """Has the system give the memory now."""
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(file, start, size)
        return
    for at in range(max(start, os.fstat(file).st_size), start + size, _CHUNK):
        os.pwrite(file, bytes(min(_CHUNK, start + size - at)), at)
