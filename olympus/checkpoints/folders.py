# SPDX-License-Identifier: Apache-2.0
"""The folders of checkpoints: names, what is under way, what was left behind, and writing that lasts."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import queue
import re
import secrets
import shutil
import threading
import time
from pathlib import Path
from typing import Any

from olympus_core.errors import described
from olympus_core.errors.checkpoints import CheckpointFolderError, CheckpointNotFoundError
from olympus_core.errors.tracing import ArgumentError

from .manifest import NAME

_STEP = re.compile(r"step-(\d{8,})")
_UNFINISHED = re.compile(r"\.(saving|removing)-(\d{8,})-[0-9a-f]{16}")
_LOCK = "lock"
_SYNCING = 8  # threads: files that are synced at the same time share what the file system writes
_LOOK = 1.0
_MOMENT = 60.0  # seconds, in which a folder without a lock may be in use
TOKEN = "token"
PARTS = "parts"  # files in which the processes say what they have written


def folder_argument(function: str, folder: Any) -> Path:
    """An argument that names a folder of a file system."""
    if not isinstance(folder, (str, os.PathLike)) or not isinstance(os.fspath(folder), str) or not os.fspath(folder):
        raise ArgumentError(f"checkpoints.{function}", "the folder is no path", described(folder),
                            "the path of a folder, such as 'checkpoints'")
    text = os.fspath(folder)
    if "://" in text:
        raise CheckpointFolderError(text, "only folders of file systems can be used, no addresses of object stores",
                                    "Name a folder of a file system that all processes share, or mount the store.")
    return Path(os.path.abspath(text))


def step_argument(function: str, step: Any) -> int:
    """An argument that is a step."""
    if type(step) is bool or not hasattr(type(step), "__index__") or int(step) < 0:
        raise ArgumentError(f"checkpoints.{function}", "the step is no number of a step", described(step),
                            "an integer, zero or more")
    return int(step)


def step_folder(folder: Path, step: int) -> Path:
    """Where a step's checkpoint is, or would be."""
    return folder / f"step-{step:08d}"


def steps_in(folder: Path) -> list[int]:
    """The steps whose checkpoints are complete, ascending. What is under way or half removed is none of them."""
    return sorted(int(found[1]) for name in _names_in(folder) if (found := _STEP.fullmatch(name))
                  and name == step_folder(folder, int(found[1])).name and (folder / name / NAME).is_file())


def found_step(folder: Path, step: int | None) -> int:
    """A step that is there, the latest when None.

    Raises:
        CheckpointNotFoundError: When it is not.
    """
    steps = steps_in(folder)
    if not steps or (step is not None and step not in steps):
        raise CheckpointNotFoundError(str(folder), step, steps, None if folder.is_dir() else "there is no such folder")
    return steps[-1] if step is None else step


def _names_in(folder: Path) -> list[str]:
    try:
        return os.listdir(folder)
    except (FileNotFoundError, NotADirectoryError):
        return []


class Lock:
    """Says that a process writes into a folder; the system takes it back when the process ends, however it ends.

    Args:
        folder: The folder; it must have the lock's file.
    """

    def __init__(self, folder: Path) -> None:
        self._file = os.open(folder / _LOCK, os.O_RDWR)
        with contextlib.suppress(OSError):  # a file system without locks: what is left behind there is never removed
            fcntl.flock(self._file, fcntl.LOCK_SH)

    def release(self) -> None:
        """The process writes no more."""
        os.close(self._file)


def new_temporary(folder: Path, step: int) -> tuple[Path, Lock, str]:
    """Begins a checkpoint: a folder for what is written, this process's lock on it, and a token in it.

    Args:
        folder: Where the checkpoints are; made where it is not there.
        step: The step.

    Returns:
        The new folder, the lock, and the token, by which other processes see whether they have the same folder.
    """
    folder.mkdir(parents=True, exist_ok=True)
    remove_leftovers(folder)
    token = secrets.token_hex(16)
    temporary = folder / f".saving-{step:08d}-{token[:16]}"
    temporary.mkdir()
    (temporary / _LOCK).touch()
    lock = Lock(temporary)
    write_file(temporary / TOKEN, token.encode())
    return temporary, lock, token


def unfinished_in(folder: Path) -> list[tuple[Path, bool]]:
    """What was begun and is no checkpoint; each with whether a process still writes it."""
    found = []
    for name in sorted(_names_in(folder)):
        if _UNFINISHED.fullmatch(name):
            found.append((folder / name, _is_locked(folder / name)))
    return found


def _is_locked(folder: Path) -> bool:
    try:
        file = os.open(folder / _LOCK, os.O_RDWR)
    except OSError:
        # A save that just begins has no lock yet, one that just ends none any more.
        with contextlib.suppress(OSError):
            return time.time() - folder.stat().st_mtime < _MOMENT
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return True  # a file system without locks: what cannot be known to be dead stays
    finally:
        os.close(file)
    return False


def remove_leftovers(folder: Path) -> None:
    """Removes what ended processes have left behind; what a process still writes stays."""
    for path, is_locked in unfinished_in(folder):
        if not is_locked:
            shutil.rmtree(path, ignore_errors=True)


def remove_step(folder: Path, step: int) -> None:
    """Removes a checkpoint: it is none any more at once, whatever happens while its files go."""
    gone = folder / f".removing-{step:08d}-{secrets.token_hex(8)}"
    with contextlib.suppress(FileNotFoundError):
        os.rename(step_folder(folder, step), gone)
        sync_folder(folder)
    shutil.rmtree(gone, ignore_errors=True)


def finish(temporary: Path, folder: Path, step: int, manifest: bytes) -> None:
    """Makes a checkpoint of what was written: from one moment to the next it is there, whole.

    Args:
        temporary: What was written, by all processes, and lasts.
        folder: Where the checkpoints are.
        step: The step.
        manifest: The manifest's content.

    Raises:
        FileExistsError: When the step is there already.
    """
    write_file(temporary / NAME, manifest)
    for name in (_LOCK, TOKEN):
        (temporary / name).unlink()
    shutil.rmtree(temporary / PARTS, ignore_errors=True)
    sync_folder(temporary)
    target = step_folder(folder, step)
    if target.exists():
        raise FileExistsError(str(target))
    os.rename(temporary, target)
    sync_folder(folder)


def write_json(path: Path, content: Any) -> None:
    """Writes a file of JSON, and its folder; neither lasts before it is synced."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(json.dumps(content).encode())


def write_file(path: Path, content: bytes) -> None:
    """Writes a file whose content lasts when this returns; that it is there lasts when its folder was synced."""
    with open(path, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def sync_folder(path: Path) -> None:
    """Makes what is in a folder last: files that were made in it, renamed or removed."""
    file = os.open(path, os.O_RDONLY)
    try:
        os.fsync(file)
    except OSError:  # some network file systems refuse it for folders; they write them at once
        pass
    finally:
        os.close(file)


class Syncing:
    """Makes files last, several at a time, while others are still written; and then the folders that they are in.

    Args:
        root: The folder that all of it is in.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._paths: queue.SimpleQueue[Path | None] = queue.SimpleQueue()
        self._folders = {root}
        self._error: OSError | None = None
        self._threads: list[threading.Thread] = []

    def add(self, path: Path) -> None:
        """Begins to sync a file."""
        parent = path.parent
        while parent not in self._folders:
            self._folders.add(parent)
            parent = parent.parent
        self._paths.put(path)
        # Few threads for few large files, which only disturb each other; more for many small ones.
        if len(self._threads) < min(_SYNCING, 1 + self._paths.qsize() // 4):
            thread = threading.Thread(target=self._run, name="olympus-sync")
            with contextlib.suppress(RuntimeError):  # at the program's end Python 3.12 starts none: `close` does it all
                thread.start()
                self._threads.append(thread)

    def finish(self) -> None:
        """Waits until all files last, and that they are there.

        Raises:
            OSError: When one could not be written.
        """
        self._wait()
        for folder in self._folders - {self._root}:
            self.add(folder)
        self._wait()
        sync_folder(self._root)

    def close(self) -> None:
        """Syncs what is left, in this thread, too, and ends the others."""
        for _ in range(len(self._threads) + 1):
            self._paths.put(None)
        self._run()
        for thread in self._threads:
            while thread.is_alive():
                thread.join(_LOOK)
        self._threads.clear()

    def _wait(self) -> None:
        self.close()
        if self._error is not None:
            raise self._error

    def _run(self) -> None:
        while (path := self._paths.get()) is not None:
            try:
                if path.is_dir():
                    sync_folder(path)
                else:
                    _sync_file(path)
            except OSError as error:
                self._error = error


def _sync_file(path: Path) -> None:
    file = os.open(path, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)
