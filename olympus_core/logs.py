# SPDX-License-Identifier: Apache-2.0
"""Log lines of threads that must not wait: a bounded queue, and a thread that writes.

A handler of `logging` may block for as long as nobody reads a pipe. What keeps a job alive calls this module instead.
"""

from __future__ import annotations

import atexit
import contextlib
import logging
import os
import queue
import select
import sys
import threading
import time

_MOST_WAITING = 256
_EXIT_TIME = 0.5  # at the program's end, for what is waiting to be written
_LOOK = 0.25
_MINUTE = 60.0


class Log:
    """A logger that never blocks its caller.

    Args:
        name: The logger's name.
        per_minute: How many lines a minute may have; more are counted, and the next minute's first line tells how many.
    """

    def __init__(self, name: str, per_minute: int = 60) -> None:
        self._logger = logging.getLogger(name)
        self._per_minute = per_minute
        self._lock = threading.Lock()
        self._minute, self._lines, self._left_out = float("-inf"), 0, 0

    def info(self, text: str, *values: object) -> None:
        """Says something that a user may want to know."""
        self._say(logging.INFO, text, values)

    def warning(self, text: str, *values: object) -> None:
        """Says something that a user should know."""
        self._say(logging.WARNING, text, values)

    def exception(self, text: str, *values: object) -> None:
        """Says that something broke, with the stack of the exception at hand."""
        self._say(logging.ERROR, text, values, with_stack=True)

    def _say(self, level: int, text: str, values: tuple[object, ...], with_stack: bool = False) -> None:
        if not self._logger.isEnabledFor(level):
            return
        with self._lock:
            now = time.monotonic()
            if now - self._minute >= _MINUTE:
                self._minute, self._lines = now, 0
            self._lines += 1
            left_out, self._left_out = self._left_out, self._left_out + 1
            if self._lines > self._per_minute:
                return
            self._left_out = 0
        if left_out:
            text, values = f"{text} (and %d lines that were left out)", (*values, left_out)
        trace = sys.exc_info() if with_stack else None
        # The caller's values are made text here: they may have changed by the time the line is written.
        line = text % values if values else text
        record = self._logger.makeRecord(self._logger.name, level, __file__, 0, line, (), trace)
        if not _writer.put(self._logger, record):
            with self._lock:
                self._left_out += 1 + left_out


class _Writer:
    """The queue and its thread, which starts with the first line."""

    def __init__(self) -> None:
        self._queue: queue.Queue[tuple[logging.Logger, logging.LogRecord]] = queue.Queue(_MOST_WAITING)
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def put(self, logger: logging.Logger, record: logging.LogRecord) -> bool:
        """Takes a line; False if too many wait."""
        try:
            self._queue.put_nowait((logger, record))
        except queue.Full:
            return False
        if self._thread is None:
            with self._lock:
                if self._thread is None:
                    thread = threading.Thread(target=self._run, name="olympus-log", daemon=True)
                    with contextlib.suppress(RuntimeError):  # no thread can be started: the lines stay where they are
                        thread.start()
                        self._thread = thread
                        atexit.register(self.drain, _EXIT_TIME)
        return True

    def drain(self, timeout: float) -> None:
        """Waits until all is written, but not for long."""
        deadline = time.monotonic() + timeout
        while self._queue.unfinished_tasks and time.monotonic() < deadline:
            time.sleep(0.002)

    def forget_in_child(self) -> None:
        """In a forked child: there is no thread, and the lines are the parent's."""
        self.__init__()  # type: ignore[misc]

    def _run(self) -> None:
        while True:
            logger, record = self._queue.get()
            # A write that blocks would hold the stream's lock, and keep the program from ending.
            while not _takes_output(logger):
                time.sleep(_LOOK)
            with contextlib.suppress(Exception):  # a handler of the user's may raise anything; it is not our business
                logger.handle(record)
            self._queue.task_done()


def _takes_output(logger: logging.Logger) -> bool:
    """Whether the pipes and terminals that a line of this logger goes to take one."""
    poll = select.poll()
    for number in _descriptors(logger):
        poll.register(number, select.POLLOUT)
        # An error, such as that nobody has the pipe open any more, does not block either.
        if not poll.poll(0):
            return False
        poll.unregister(number)
    return True


def _descriptors(logger: logging.Logger) -> set[int]:
    found: set[int] = set()
    current: logging.Logger | None = logger
    handlers: list[logging.Handler] = []
    while current is not None:
        handlers += current.handlers
        current = current.parent if current.propagate else None
    for handler in handlers or ([logging.lastResort] if logging.lastResort is not None else []):
        with contextlib.suppress(Exception):  # any object may be a stream, and most have no descriptor
            found.add(handler.stream.fileno())  # type: ignore[attr-defined]
    return found


def drain(timeout: float) -> None:
    """Waits until all that was said is written, but no longer than so many seconds."""
    _writer.drain(timeout)


_writer = _Writer()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_writer.forget_in_child)
