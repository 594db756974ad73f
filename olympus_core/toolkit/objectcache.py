# SPDX-License-Identifier: Apache-2.0
"""Compiled code on disk, shared by all processes of a user."""

from __future__ import annotations

import contextlib
import hashlib
import os
import threading
import warnings
import weakref
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from olympus_core.errors.platform import CompilationCacheWarning, UntrustedPathError
from olympus_core.monitoring import DISK_HIT, DISK_MISS, record_event

from .ownership import Folder, read_own, write_own
from .signing import Signer, user_key

LIMIT = 256 << 20

_NAME = b"olympus"
_MAGIC = _NAME + b"\x02"
_HEADER = len(_MAGIC) + Signer.size
_SUFFIX = ".object"
_TEMPORARY = ".part"


@lru_cache(maxsize=8)
def state_of_sources(package: Path, folders: tuple[str, ...], suffixes: tuple[str, ...] = (".py",)) -> str:
    """The state of the source files that write code: part of the key of a text that was not written.

    Their sizes and dates, by which Python judges its own compiled files: reading them takes a quarter of a first call.

    Args:
        package: The folder of a plugin.
        folders: Those in it whose files write code.
        suffixes: How the names of these files end.
    """
    found = []
    for folder in folders:
        # Where the files cannot be seen, as in an archive, the version has to say enough.
        with contextlib.suppress(OSError), os.scandir(package / folder) as entries:
            for entry in entries:
                if entry.name.endswith(suffixes):
                    status = entry.stat()
                    found.append(f"{folder}/{entry.name} {status.st_size} {status.st_mtime_ns}")
    return hashlib.sha256("\n".join(sorted(found)).encode()).hexdigest()


class ObjectCache:
    """A folder of files, each signed with the user's key, written whole or not at all.

    Nothing that happens to the folder disturbs the caller: what cannot be read, or was not signed by this user under
    this name, is made anew and replaced; what cannot be written is not kept; and one warning of each kind says so. A
    folder that others could change is not used at all, see `olympus_core.toolkit.ownership.Folder`.

    Args:
        folder: Where the files lie; made when the first is stored.
        key_file: The file with the user's key, outside of the folder; made when it is first needed.
        limit: Bytes that the folder may hold; the files that were not used for longest go first.
        least_bytes: What is smaller is not kept.
        least_seconds: What was compiled in less time is not kept.
    """

    def __init__(
        self, folder: str | os.PathLike[str], key_file: str | os.PathLike[str] | None, limit: int = LIMIT,
        least_bytes: int = 0, least_seconds: float = 0.0,
    ) -> None:
        self.limit, self._least_bytes, self._least_seconds = limit, least_bytes, least_seconds
        self._key_file = None if key_file is None else os.fspath(key_file)
        self._lock = threading.Lock()
        self.move(folder)
        _every.add(self)

    def move(self, folder: str | os.PathLike[str]) -> None:
        """Reads and writes another folder from now on, or the same one as if it had not been seen before.

        Args:
            folder: Where the files lie.
        """
        self.folder = Path(folder)
        self._warned: set[str] = set()
        self._is_refused = False  # others could change it, or there is no key: neither read nor written
        self._is_full = False  # it cannot be written to, or not any more
        self._root: Folder | None = None
        self._signer: Signer | None = None
        self._unswept = 0  # bytes stored since the folder was last measured

    def path_of(self, key: str) -> Path:
        """The file of a key."""
        return self.folder / (key + _SUFFIX)

    def has(self, key: str) -> bool:
        """Whether there is a file for a key; it may turn out to be damaged."""
        return not self._is_refused and self.path_of(key).is_file()

    def load(self, key: str) -> bytes | None:
        """What is stored under a key, or None; a file that this user did not sign counts as none."""
        found = self._load(key)
        record_event(DISK_MISS if found is None else DISK_HIT)
        return found

    def _load(self, key: str) -> bytes | None:
        path = self.path_of(key)
        try:
            with self._opened(create=False) as folder:
                if folder is None:
                    return None
                content = memoryview(read_own(folder, path.name, self.limit))
                signer = self._signing()
                if signer is None:
                    return None
                payload = content[_HEADER:]
                if content[: len(_MAGIC)] != _MAGIC:
                    # One of another release is no damage: it is replaced without a word.
                    if content[: len(_NAME)] != _NAME or len(content) < _HEADER:
                        self._warn("damaged", f"{path} is damaged")
                    return None
                if not payload or not signer.is_right(content[len(_MAGIC):_HEADER], _signed(key), payload):
                    self._warn("damaged", f"{path} is damaged, or was not signed with this user's key")
                    return None
                # A sign of use for the sweep; who may only read leaves none.
                with contextlib.suppress(OSError):
                    os.utime(path.name, dir_fd=folder, follow_symlinks=False)
                return bytes(payload)
        except FileNotFoundError:
            return None
        except UntrustedPathError as error:
            self._warn("strange", f"{path} {error.reason}")
        except OSError as error:
            self._warn("read", f"{path} cannot be read ({error.strerror})")
        return None

    def store(self, key: str, payload: bytes, seconds: float | None = None) -> None:
        """Keeps bytes under a key.

        Args:
            key: The key.
            payload: The bytes.
            seconds: How long it took to make them, where that is known.
        """
        if self._is_full or len(payload) < self._least_bytes or (
                seconds is not None and seconds < self._least_seconds):
            return
        try:
            with self._opened(create=True) as folder:
                signer = self._signing() if folder is not None else None
                if folder is None or signer is None:
                    return
                content = b"".join((_MAGIC, signer.sign(_signed(key), payload), payload))
                # A name of its own, then one rename: nobody ever reads half a file.
                write_own(folder, key + _SUFFIX, content, suffix=_TEMPORARY)
        except OSError as error:
            self._is_full = True
            self._warn("write", f"{self.folder} cannot be written to ({error.strerror})")
            return
        with self._lock:
            first, self._unswept = self._unswept == 0, self._unswept + len(payload)
            # One process in sixteen measures at its first file, so that many short ones do not fill the disk.
            due = self._unswept > self.limit // 16 or (first and key[:1] == "0")
            if due:
                self._unswept = 1
        if due:
            self.sweep()

    def sweep(self) -> None:
        """Removes the files that were not used for longest until three quarters of the limit are left."""
        with contextlib.suppress(OSError), self._opened(create=False) as folder:
            if folder is not None:
                self._sweep(folder)

    def _sweep(self, folder: int) -> None:
        found: list[tuple[float, int, str]] = []
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.name.endswith((_SUFFIX, _TEMPORARY)):
                    with contextlib.suppress(OSError):
                        status = entry.stat(follow_symlinks=False)
                        found.append((status.st_mtime, status.st_size, entry.name))
        total = sum(size for _, size, _ in found)
        if total <= self.limit:
            return
        for _, size, name in sorted(found):
            if total <= self.limit * 3 // 4:
                break
            # Another process may sweep at the same time.
            with contextlib.suppress(OSError):
                os.unlink(name, dir_fd=folder)
            total -= size

    @contextlib.contextmanager
    def _opened(self, create: bool) -> Iterator[int | None]:
        """A descriptor of the folder; None where it is not to be used."""
        handle = None if self._is_refused else self._open(create)
        try:
            yield handle
        finally:
            if handle is not None:
                os.close(handle)

    def _open(self, create: bool) -> int | None:
        try:
            if self._root is not None:
                # It may be gone meanwhile, or be another one: then it is looked for, and checked, anew.
                with contextlib.suppress(OSError):
                    return self._root.open()
            self._root = Folder(os.fspath(self.folder), create)
            return self._root.open()
        except UntrustedPathError as error:
            self._refuse(f"{self.folder} is neither read nor written, since {error.path} {error.reason}")
            return None

    def _signing(self) -> Signer | None:
        """What signs; None where there is no key."""
        if self._signer is None and not self._is_refused:
            if self._key_file is None:
                self._refuse("there is no home folder for the key that signs it; OLYMPUS_CACHE_KEY_FILE names a file")
                return None
            try:
                key, where = user_key(self._key_file)
            except OSError as error:
                reason = f"{error.path} {error.reason}" if isinstance(error, UntrustedPathError) else error.strerror
                self._refuse(
                    f"the key {self._key_file} that signs it cannot be used ({reason}); OLYMPUS_CACHE_KEY_FILE names "
                    "another file")
                return None
            inside = self._root is not None and os.path.commonpath((where, self._root.path)) == self._root.path
            if inside:
                self._refuse(f"the key {self._key_file} lies in the folder that it signs; OLYMPUS_CACHE_KEY_FILE names "
                             "another file")
                return None
            self._signer = Signer(key)
        return self._signer

    def _refuse(self, problem: str) -> None:
        self._is_refused = True
        self._warn("refused", problem)

    def _warn(self, kind: str, problem: str) -> None:
        with self._lock:
            if kind in self._warned:
                return
            self._warned.add(kind)
        warnings.warn(CompilationCacheWarning(problem), stacklevel=2)


_every: weakref.WeakSet[ObjectCache] = weakref.WeakSet()


def move_caches(folder: str | None = None) -> None:
    """Has every cache of this process use another folder, or look at its own anew.

    Args:
        folder: Where the files lie; None for where each has them now.
    """
    for cache in tuple(_every):
        cache.move(cache.folder if folder is None else folder)


def _signed(key: str) -> bytes:
    """What is signed with the content: the format, and the name, so that no file stands for another."""
    return _MAGIC + key.encode()
