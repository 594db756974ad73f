# SPDX-License-Identifier: Apache-2.0
"""The launcher's output: written by a thread of its own, so that a reader who does not come holds up nobody.

What waits is limited. A reader who takes something now and then is waited for, as by any pipe; where nothing was taken
for a second and there is no more room, the oldest lines go, and a line tells how many. A reader who has gone ends the
output and not the job; neither does a disk that is full.
"""

from __future__ import annotations

import contextlib
import errno
import os
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import TextIO

# A reader who took nothing for so long is not waited for where there is no room.
_PATIENCE = 1.0
# What is written at once: a reader's pipe has as much room.
_PIECE = 1 << 16
# Less is not read at once: each time costs a call of the system's.
_LEAST = 512
_BLOCKED_PERIOD = 0.01
_GONE = frozenset({errno.EPIPE, errno.ECONNRESET, errno.EBADF})


class Writer:
    """One file, and the lines that wait for it.

    Args:
        file: Where lines go; None for nowhere.
        most: Bytes that may wait.
        tell: Told, once, why lines cannot be written; None where there is nobody to tell.
    """

    def __init__(self, file: TextIO | None, most: int, tell: Callable[[str], None] | None = None) -> None:
        self._file, self._most, self._tell = file, max(most, _PIECE), tell
        self._lines: deque[bytes] = deque()
        self._waiting = 0  # bytes in lines, with what is being written
        self._dropped, self._why = 0, ""
        self._is_gone, self._is_ending, self._is_cut = file is None, False, False
        self._last_taken = time.monotonic()
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    def line(self, text: str) -> None:
        """Adds a line; never waits."""
        data = text.encode(errors="backslashreplace") + b"\n"
        with self._changed:
            if self._is_gone:
                return
            if not self._waiting:
                self._last_taken = time.monotonic()  # nobody had to wait until now
            self._lines.append(data)
            self._waiting += len(data)
            while self._waiting > self._most and len(self._lines) > 1:
                self._waiting -= len(self._lines.popleft())
                self._dropped, self._why = self._dropped + 1, "the reader was too slow"
            if self._thread is None:
                # Not to be waited for at the end of the process: what it writes to may never be read.
                self._thread = threading.Thread(target=self._serve, name="olympus-output", daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def room(self) -> int:
        """How many bytes of lines may come and none is dropped; all there can be where the reader does not come."""
        with self._changed:
            if self._is_gone or (self._waiting and time.monotonic() - self._last_taken > _PATIENCE):
                return self._most
            return max(0, self._most - self._waiting)

    def finish(self, seconds: float) -> bool:
        """Waits until everything is written, or for so long; whether it is."""
        with self._changed:
            self._is_ending = True
            self._changed.notify_all()
            return self._changed.wait_for(lambda: not self._waiting or self._is_gone, seconds)

    def _serve(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._lines or self._is_ending)
                if not self._lines:
                    self._thread = None  # a line that comes still, such as a connection's last words, starts another
                    return
                lost, size = self._mark() if self._dropped else (0, 0)
                data = self._next()
            rest, problem = self._written(data)
            if problem is not None and problem.errno not in _GONE and self._tell is not None:
                self._tell(f"output cannot be written ({problem.strerror or problem}); the job goes on without it.")
                self._tell = None
            with self._changed:
                self._waiting -= len(data)
                self._last_taken = time.monotonic()
                if problem is not None and problem.errno in _GONE:
                    self._is_gone, self._waiting = True, 0
                    self._lines.clear()
                elif problem is not None:
                    is_told = len(data) - len(rest) >= size  # of those that had been lost before
                    self._dropped += rest.count(b"\n") + (0 if is_told else lost - 1)
                    self._why = f"they could not be written ({problem.strerror or problem})"
                    self._is_cut = len(rest) < len(data) and not data.endswith(b"\n", 0, len(data) - len(rest))
                self._changed.notify_all()

    def _mark(self) -> tuple[int, int]:
        """Puts a line that tells of those that were dropped where they were; how many, and its size. With the lock."""
        lost, self._dropped = self._dropped, 0
        noted = f"olympus launch: ... {lost:,} lines dropped, {self._why}\n".encode()
        self._lines.appendleft(noted)
        self._waiting += len(noted)
        return lost, len(noted) + self._is_cut

    def _next(self) -> bytes:
        """What is written next; it still counts as waiting. With the lock."""
        pieces = [self._lines.popleft()]
        if self._is_cut:
            self._is_cut = False
            self._waiting += 1
            pieces[0] = b"\n" + pieces[0]
        size = len(pieces[0])
        while self._lines and size + len(self._lines[0]) <= _PIECE:
            pieces.append(self._lines.popleft())
            size += len(pieces[-1])
        return b"".join(pieces)

    def _written(self, data: bytes) -> tuple[bytes, OSError | None]:
        """Writes all of it, however long that takes; what is left where it cannot, and why."""
        try:
            number = self._file.fileno()  # type: ignore[union-attr]  # where there is none, nothing comes here
        except (AttributeError, OSError, ValueError):  # no file of the system's
            with contextlib.suppress(ValueError):  # closed
                self._file.write(data.decode(errors="replace"))  # type: ignore[union-attr]
                self._file.flush()  # type: ignore[union-attr]
            return b"", None
        rest = memoryview(data)
        while rest:
            try:
                rest = rest[os.write(number, rest):]
            except BlockingIOError:  # somebody has made it so; there is no other way to wait for any kind of file
                time.sleep(_BLOCKED_PERIOD)
                continue
            except OSError as error:
                return bytes(rest), error
            with self._changed:
                self._last_taken = time.monotonic()
        return b"", None


class Printer:
    """Writes whole lines with a prefix to output and errors; one writer where both are the same file.

    Args:
        out: The output.
        err: The errors.
        most: Bytes that may wait for each.
    """

    def __init__(self, out: TextIO | None, err: TextIO | None, most: int) -> None:
        for file in (out, err):
            with contextlib.suppress(AttributeError, OSError, ValueError):
                file.flush()  # type: ignore[union-attr]  # what is written from here on goes past the file's own buffer
        self._err = Writer(err, most)
        self._out = self._err if _are_same(out, err) else Writer(out, most, self.say)

    def line(self, prefix: str, text: str, is_error: bool) -> None:
        """One line of a process."""
        (self._err if is_error else self._out).line(f"[{prefix}] {text}")

    def say(self, text: str) -> None:
        """One line of the launcher itself."""
        self._err.line(f"olympus launch: {text}")

    def room(self, prefix: str, is_error: bool) -> int:
        """How many bytes of a process's output, or of its errors, may be read now, however short its lines are."""
        most = (self._err if is_error else self._out).room()
        room = min(_PIECE, most // len(f"[{prefix}] \n"))
        return room if room >= _LEAST else 0

    def finish(self, seconds: float) -> bool:
        """Waits until everything is written, or for so long; whether it is."""
        deadline = time.monotonic() + seconds
        return all([w.finish(max(0.0, deadline - time.monotonic())) for w in (self._out, self._err)])


def _are_same(one: TextIO | None, other: TextIO | None) -> bool:
    try:
        a, b = os.fstat(one.fileno()), os.fstat(other.fileno())  # type: ignore[union-attr]
    except (AttributeError, OSError, ValueError):
        return one is other
    return (a.st_dev, a.st_ino, a.st_rdev) == (b.st_dev, b.st_ino, b.st_rdev)
