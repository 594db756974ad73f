# SPDX-License-Identifier: Apache-2.0
"""The flight recorder: the last launches of this process, written to a file when the job fails or when asked.

`olympus report` reads the files of all processes and says who is behind whom (`docs/decisions/0044`).
"""

from __future__ import annotations

import atexit
import json
import os
import shutil
import signal
import sys
import threading
import time
import traceback
import weakref
from collections import deque
from collections.abc import Callable, Mapping
from types import FrameType
from typing import Any

from olympus_core.cluster.connection import Connection
from olympus_core.cluster.failure import Failure, error_of
from olympus_core.errors.cluster import spell
from olympus_core.location import line_of
from olympus_core.logs import Log

FORMAT = 1
_LAUNCHES = 1000  # that are kept
_JOBS_KEPT = 20  # of the default folder
_MOST_FRAMES = 40
_EXIT_TIME = 2.0  # for a file that is being written at the program's end
_SIGNAL = signal.SIGUSR1
_OWN_ENDS = ("closed", "forked")  # failures of a connection that are no failures of the job
_log = Log(__name__)

# One launch: when it began and ended on the monotonic clock (0.0 while it has not), its number, text and processes.
Launch = list[Any]


class FlightRecorder:
    """Keeps the last launches of this process.

    Attributes:
        launches: The last launches, the newest last; spans append to it.

    Args:
        connection: The connection to the other processes; its failure has the file written.
        folder: Where the files of the user's jobs lie, each job in a folder of its own; None to write none.
        is_default: Whether the user has not named the folder: then those of old jobs are removed.
        latest: Gives the number of the last launch of each group of processes.
    """

    def __init__(
        self, connection: Connection, folder: str | None, is_default: bool,
        latest: Callable[[], Mapping[tuple[int, ...], int]],
    ) -> None:
        self._process, self._count, self._job = connection.process_index, connection.process_count, connection.job
        first_here = connection.hosts.index(connection.hosts[connection.process_index])
        self._speaks = first_here == connection.process_index
        self._base, self._is_default = folder, is_default
        self.launches: deque[Launch] = deque(maxlen=_LAUNCHES)
        self._latest = latest
        self._lock = threading.Lock()
        self._fact: Failure | None = None
        self._is_written = False
        self._pid = os.getpid()
        connection.on_failure = self._failed
        atexit.register(self._finish)

    def write(self, error: str | None = None) -> str | None:
        """Writes what is known now.

        Args:
            error: The job's failure in a line; None where nothing failed.

        Returns:
            The file; None where it could not be written.
        """
        if self._base is None or os.getpid() != self._pid or not self._lock.acquire(timeout=_EXIT_TIME):
            return None
        try:
            folder = os.path.join(self._base, self._job)
            os.makedirs(folder, mode=0o700, exist_ok=True)
            path = os.path.join(folder, f"process-{self._process}.json")
            unfinished = f"{path}.{self._pid}"
            with open(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
                json.dump(self._record(error), file)
            os.replace(unfinished, path)
            if self._is_default and self._speaks:
                _prune(self._base, self._job)
            return path
        except OSError as problem:
            _log.warning("the flight record was not written: %s", problem)
            return None
        finally:
            self._lock.release()

    def write_on_signal(self) -> None:
        """Has SIGUSR1 write the file from now on; only where it has its default action, which would end the program."""
        global _current
        _current = weakref.ref(self)
        if threading.current_thread() is threading.main_thread() and signal.getsignal(_SIGNAL) is signal.SIG_DFL:
            signal.signal(_SIGNAL, _on_signal)

    def close(self) -> None:
        """Ends the recording; what is to be written is written before."""
        global _current
        self._finish()
        atexit.unregister(self._finish)
        _current = None
        if threading.current_thread() is threading.main_thread() and signal.getsignal(_SIGNAL) is _on_signal:
            signal.signal(_SIGNAL, signal.SIG_DFL)

    def _failed(self, fact: Failure) -> None:
        if fact["kind"] not in _OWN_ENDS:
            self._fact = fact
            self._write_failure(fact)

    def _write_failure(self, fact: Failure) -> None:
        path = self.write(str(error_of(fact)).partition("\n")[0])
        self._is_written = True
        if path is not None and self._speaks:
            _log.warning("the last launches are in %s: olympus report says who is behind", os.path.dirname(path))

    def _finish(self) -> None:
        # The thread that met the failure may not have come to its writing, or be in the middle of it.
        if self._fact is not None and not self._is_written:
            if self._lock.acquire(timeout=_EXIT_TIME):
                self._lock.release()
            if not self._is_written:
                self._write_failure(self._fact)

    def _record(self, error: str | None) -> dict[str, Any]:
        offset = time.time() - time.monotonic()
        launches = [
            {"group": spell(processes), "number": number, "text": text, "began": began + offset,
             "ended": ended + offset if ended else None}
            for began, ended, number, text, processes in list(self.launches)
        ]
        return {
            "format": FORMAT, "job": self._job, "process": self._process, "processes": self._count, "pid": self._pid,
            "host": os.uname().nodename, "written": time.time(), "error": error, "launches": launches,
            "latest": {spell(processes): number for processes, number in self._latest().items()}, "threads": _stacks(),
            "line": line_of(sys._current_frames().get(threading.main_thread().ident or 0)),
        }


def _stacks() -> dict[str, list[str]]:
    """Where each thread of the program is, the innermost frame first."""
    names = {thread.ident: thread.name for thread in threading.enumerate()}
    found = {}
    for identity, frame in sys._current_frames().items():
        name = names.get(identity, f"thread {identity}")
        if name == "MainThread" or not (name.startswith("olympus-") or identity == threading.get_ident()):
            found[name] = _lines(frame)
    return found


def _lines(frame: FrameType) -> list[str]:
    frames = traceback.StackSummary.extract(traceback.walk_stack(frame), limit=_MOST_FRAMES, lookup_lines=False)
    return [f"{f.filename}:{f.lineno} in {f.name}" for f in frames]


def _prune(base: str, current: str) -> None:
    """Removes the records of the oldest jobs."""
    with os.scandir(base) as entries:
        jobs = sorted((e.stat().st_mtime, e.path) for e in entries if e.is_dir(follow_symlinks=False))
    for _, path in jobs[:-_JOBS_KEPT]:
        if os.path.basename(path) != current:
            shutil.rmtree(path, ignore_errors=True)


_current: weakref.ref[FlightRecorder] | None = None


def _on_signal(number: int, frame: FrameType | None) -> None:
    recorder = _current() if _current is not None else None
    if recorder is None:
        return
    # In a thread: the signal may have come while this one held a lock that writing needs. The end waits for it.
    threading.Thread(target=_write_asked, args=(recorder,), name="olympus-flight-recorder").start()


def _write_asked(recorder: FlightRecorder) -> None:
    path = recorder.write()
    if path is not None:
        _log.warning("SIGUSR1: the last launches are in %s", path)
