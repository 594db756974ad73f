# SPDX-License-Identifier: Apache-2.0
"""Folders and files that nobody but this user can have written: what is run, and what signs it, lies nowhere else."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress

from olympus_core.errors.platform import UntrustedPathError

_LINKS = 40  # as many as Linux follows
_NO_LINKS = (errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK, errno.EACCES)
_OTHERS = stat.S_IWGRP | stat.S_IWOTH
_FOLDER = os.O_RDONLY | os.O_CLOEXEC | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0)
# Opening a pipe would wait for its other end, and a link may lead anywhere.
_FILE = os.O_RDONLY | os.O_CLOEXEC | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


class Folder:
    """A folder, resolved and checked; it is opened anew for each use, so that nothing is kept open.

    From the root on every folder on the way to it, and every link, belongs to this user or the superuser, and nobody
    else may write to any, but for those where only its owner can remove a file (such as `/tmp`). So who is not this
    user can neither have made what is found there, nor put something else in its place later.

    Args:
        path: The folder; made, for this user alone, where it is missing and `create` is set.
        create: Whether to make it.
        is_private: Whether it must be this user's and no one else's to write to. If not, only the links on the way
            are checked: for what is written for people to read, and never read again.

    Raises:
        UntrustedPathError: The folder, or one on the way to it, could be changed by others.
        OSError: It cannot be reached, or made.
    """

    __slots__ = ("_is_private", "_known", "path")

    def __init__(self, path: str, create: bool = False, is_private: bool = True) -> None:
        self._is_private = is_private
        self.path, found = _resolved(path, create, is_private)
        self._known = found.st_dev, found.st_ino

    def open(self) -> int:
        """A descriptor of the folder, which the caller closes.

        Raises:
            UntrustedPathError: It is not as it was when it was checked.
            OSError: It cannot be opened.
        """
        handle = os.open(self.path, _FOLDER)
        try:
            found = os.fstat(handle)
            if (found.st_dev, found.st_ino) != self._known:
                raise UntrustedPathError(self.path, "is another folder than before")
            if self._is_private:
                _check_folder(self.path, found, is_last=True)
        except BaseException:
            os.close(handle)
            raise
        return handle


def read_own(folder: int, name: str, limit: int, names: int = 1) -> bytes:
    """The content of a file of this user in an open folder; links are not followed.

    Args:
        folder: A descriptor of the folder.
        name: The file's.
        limit: Bytes that it may have.
        names: How many names it may have.

    Raises:
        FileNotFoundError: There is none.
        UntrustedPathError: It is no file of this user's, has more names, may be written to by others or is too large.
        OSError: It cannot be read.
    """
    try:
        handle = os.open(name, _FILE, dir_fd=folder)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise UntrustedPathError(name, "is a link") from None
        raise
    try:
        found = os.fstat(handle)
        _check_file(name, found, limit, names)
        parts, left = [], found.st_size + 1
        while left > 0 and (part := os.read(handle, left)):
            parts.append(part)
            left -= len(part)
        return parts[0] if len(parts) == 1 else b"".join(parts)
    finally:
        os.close(handle)


def write_own(folder: int, name: str, content: bytes, mode: int = 0o600, suffix: str = ".part") -> None:
    """Puts a file into an open folder: whole or not at all, in the place of whatever has its name.

    Args:
        folder: A descriptor of the folder.
        name: The file's.
        content: What is written.
        mode: Who may do what with it.
        suffix: How the name ends that it has while it is written.

    Raises:
        OSError: It cannot be written.
    """
    partial = write_partial(folder, name, content, mode, suffix)
    try:
        os.replace(partial, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        os.unlink(partial, dir_fd=folder)
        raise


def write_once(folder: int, name: str, content: bytes) -> None:
    """Puts a file of mode 600 into an open folder, unless there is one of that name; of several processes one does.

    Args:
        folder: A descriptor of the folder.
        name: The file's.
        content: What is written; whole from the start where the file system has links.

    Raises:
        OSError: It cannot be written.
    """
    partial = write_partial(folder, name, content, 0o600, is_synced=True)
    try:
        # A rename would replace the file of who was first; a link cannot.
        os.link(partial, name, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
    except FileExistsError:
        pass
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        with suppress(FileExistsError):
            _write_new(folder, name, content, 0o600, is_synced=True)
    finally:
        os.unlink(partial, dir_fd=folder)
    with suppress(OSError):  # not every file system lets folders be synchronised
        os.fsync(folder)


def write_partial(
    folder: int, name: str, content: bytes, mode: int, suffix: str = ".part", is_synced: bool = False
) -> str:
    """Writes a new file under a name of its own, and gives that name; see `write_own`."""
    partial = f"{name[:16]}-{os.urandom(8).hex()}{suffix}"
    _write_new(folder, partial, content, mode, is_synced)
    return partial


def _write_new(folder: int, name: str, content: bytes, mode: int, is_synced: bool) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | getattr(os, "O_NOFOLLOW", 0)
    handle = os.open(name, flags, mode, dir_fd=folder)
    try:
        try:
            view = memoryview(content)
            while view:
                view = view[os.write(handle, view):]
            if is_synced:
                os.fsync(handle)
        finally:
            os.close(handle)
    except BaseException:
        os.unlink(name, dir_fd=folder)
        raise


def _resolved(path: str, create: bool, is_private: bool) -> tuple[str, os.stat_result]:
    """The path without links, each folder checked before what is in it is looked at, so that nobody can swap it."""
    pending = (path if os.path.isabs(path) else os.path.join(os.getcwd(), path)).split(os.sep)[::-1]
    folder, links = os.sep, 0
    found = os.lstat(folder)
    while pending:
        part = pending.pop()
        if part in ("", os.curdir):
            continue
        if part == os.pardir:
            folder = os.path.dirname(folder)
            found = os.lstat(folder)
            continue
        if is_private:
            _check_folder(folder, found, is_last=False)
        here = os.path.join(folder, part)
        try:
            found = os.lstat(here)
        except FileNotFoundError:
            if not create:
                raise
            try:
                os.mkdir(here, 0o700 if is_private else 0o777)
            except FileExistsError:  # another process was first
                pass
            found = os.lstat(here)
        if stat.S_ISLNK(found.st_mode):
            links += 1
            if links > _LINKS:
                raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), path)
            if not _is_trusted(found.st_uid):
                raise UntrustedPathError(here, f"is a link of user {found.st_uid}")
            target = os.readlink(here)
            folder = os.sep if os.path.isabs(target) else folder
            found = os.lstat(folder)
            pending += target.split(os.sep)[::-1]
        elif stat.S_ISDIR(found.st_mode):
            folder = here
        else:
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), here)
    if is_private:
        _check_folder(folder, found, is_last=True)
    return folder, found


def _check_folder(path: str, found: os.stat_result, is_last: bool) -> None:
    mode = stat.S_IMODE(found.st_mode)
    if not (found.st_uid == _user() if is_last else _is_trusted(found.st_uid)):
        raise UntrustedPathError(path, f"belongs to user {found.st_uid}")
    if mode & _OTHERS and (is_last or not mode & stat.S_ISVTX):
        raise UntrustedPathError(path, f"can be written to by others (its mode is {mode:04o})")


def _check_file(name: str, found: os.stat_result, limit: int, names: int) -> None:
    mode = stat.S_IMODE(found.st_mode)
    problem = (
        "is no file" if not stat.S_ISREG(found.st_mode)
        else f"belongs to user {found.st_uid}" if found.st_uid != _user()
        else f"has {found.st_nlink} names" if found.st_nlink > names
        else f"can be written to by others (its mode is {mode:04o})" if mode & _OTHERS
        else f"has {found.st_size:,} bytes" if found.st_size > limit
        else None
    )
    if problem:
        raise UntrustedPathError(name, problem)


def _user() -> int:
    return os.geteuid()


def _is_trusted(owner: int) -> bool:
    return owner in (0, _user()) or (owner == _overflow() and not _knows_all_users())


def _overflow() -> int:
    """Whom files of users belong to that a container's namespace does not know, such as the system's superuser."""
    return int(_first_line("/proc/sys/kernel/overflowuid") or -1)


def _knows_all_users() -> bool:
    """Whether this is no namespace where root's own folders seem to be somebody else's."""
    return (_first_line("/proc/self/uid_map") or "0 0 4294967295").split() == ["0", "0", "4294967295"]


def _first_line(path: str) -> str | None:
    try:
        with open(path, encoding="ascii") as file:
            return file.readline()
    except OSError:
        return None
