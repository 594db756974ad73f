# SPDX-License-Identifier: Apache-2.0
"""The launcher's view of its processes: their output with a prefix, and which of them failed first."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import time
from collections.abc import Sequence
from typing import IO, Protocol

from .launch_writer import Printer

_TRACEBACK = "Traceback (most recent call last):"
# A traceback may be the process's last: it is held back this long, so that the first failure is shown first.
_HOLD_TIME = 2.0
# A line, or a traceback, that is longer is printed in pieces.
_LONGEST = 1 << 20
# Bytes that a pipe may hold, however large it was made: 1 MiB, without a privilege.
_DRAINED = 1 << 20
# How often it is looked whether the reader has made room.
_ROOM_PERIOD = 0.01
_OWN_ERRORS = "olympus_core.errors."
_LOST = re.compile(r"^(?:[\w.]+\.)?(?:ProcessLostError|JobAbortedError): Process (\d+) ")


class Stream:
    """Output or errors of one process."""

    def __init__(self, prefix: str, file: IO[bytes], printer: Printer, is_error: bool) -> None:
        self.file = file
        self._prefix, self._printer, self._is_error = prefix, printer, is_error
        self._rest = b""
        self._held: list[str] = []
        self._held_bytes = 0
        self._held_since: float | None = None
        os.set_blocking(file.fileno(), False)

    def read(self) -> bool:
        """Takes in what is there and can be printed; False at the end."""
        room = self.room()
        if not room:
            return True
        try:
            data = os.read(self.file.fileno(), room)
        except BlockingIOError:
            return True
        except OSError:
            return False
        self._take_in(data)
        if not data or len(self._rest) > _LONGEST:
            self._take_rest()
        return bool(data)

    def room(self) -> int:
        """How many bytes can be read and none be dropped; where there are none the process waits, as at any pipe."""
        return self._printer.room(self._prefix, self._is_error)

    def drain(self) -> None:
        """Reads what is left, without waiting for a grandchild that keeps the pipe open."""
        with contextlib.suppress(OSError):
            left = _DRAINED  # a grandchild may write for ever
            while left > 0:
                room = self.room()
                if not room:
                    time.sleep(_ROOM_PERIOD)
                    continue
                data = os.read(self.file.fileno(), room)
                if not data:
                    break
                left -= len(data)
                self._take_in(data)
        self._take_rest()

    def release(self, now: float | None = None) -> None:
        """Prints what was held back: because it is old, or at once when no time is given."""
        if self._held_since is not None and (now is None or now - self._held_since > _HOLD_TIME):
            for line in self.take_held():
                self._printer.line(self._prefix, line, self._is_error)

    def take_held(self) -> list[str]:
        """What was held back; it is not printed here any more."""
        held, self._held, self._held_since, self._held_bytes = self._held, [], None, 0
        return held

    def _take_in(self, data: bytes) -> None:
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            self._take(line.decode(errors="replace"))

    def _take_rest(self) -> None:
        """A line without an end, or too long to wait for it."""
        rest, self._rest = self._rest, b""
        if rest:
            self._take(rest.decode(errors="replace"))

    def _take(self, line: str) -> None:
        line = line.rstrip("\r")
        if self._is_error and self._held_since is None and line.startswith(_TRACEBACK):
            self._held_since = time.monotonic()
        if self._held_since is not None:
            self._held.append(line)
            self._held_bytes += len(line)
            if self._held_bytes > _LONGEST:  # no traceback
                self.release()
        else:
            self._printer.line(self._prefix, line, self._is_error)


class Started(Protocol):
    """A process that the launcher has started, of this machine or of another.

    Attributes:
        stdout: Its output.
        stderr: Its errors.
        reason: Why it has no exit code of its own, in words; None where it has one.
    """

    stdout: IO[bytes]
    stderr: IO[bytes]
    reason: str | None

    def poll(self) -> int | None:
        """Its exit code, negative for a signal; None while it runs."""

    def send(self, number: int) -> None:
        """Sends a signal to it and to what it has started."""

    def ask(self, number: int) -> None:
        """Sends a signal to it alone if it has a handler for it; called in a signal's handler."""

    def destroy(self) -> None:
        """Ends it and what it has started, and forgets it."""


class Child:
    """One process of the job.

    Args:
        index: Its index.
        process: The process.
        printer: Where its output goes.
        suffix: What follows its index before each line.
    """

    def __init__(self, index: int, process: Started, printer: Printer, suffix: str) -> None:
        self.index, self._process = index, process
        prefix = f"{index}{suffix}"
        self._errors = Stream(prefix, process.stderr, printer, True)
        self.streams = (Stream(prefix, process.stdout, printer, False), self._errors)
        self.code: int | None = None
        self.ended_at = 0.0
        self.was_asked = False

    @property
    def has_ended(self) -> bool:
        """Whether its exit code is known."""
        return self.code is not None

    @property
    def was_killed(self) -> bool:
        """Whether a signal has ended it, or it was lost with its machine."""
        return self.code is not None and (self.code < 0 or self.reason is not None)

    @property
    def reason(self) -> str | None:
        """Why it has no exit code of its own, in words; None where it has one."""
        return self._process.reason

    def poll(self, now: float) -> bool:
        """Whether it has ended, just now or before."""
        if self.code is None:
            self.code = self._process.poll()
            self.ended_at = now
        return self.code is not None

    def send(self, number: int) -> None:
        """Sends a signal to it and to what it has started, if it still runs."""
        if self.code is None:
            self.was_asked = True
            self._process.send(number)

    def ask(self, number: int) -> None:
        """Sends a signal to it alone, if it still runs and has a handler for it."""
        if self.code is None:
            self._process.ask(number)

    def release_held(self, now: float) -> None:
        """Prints a traceback that was not the process's last."""
        if self.code is None:
            self._errors.release(now)

    def drain(self) -> None:
        """Reads what is left."""
        for stream in self.streams:
            stream.drain()

    def take_held(self) -> list[str]:
        """The traceback with which it ended, if it did."""
        return self._errors.take_held()

    def destroy(self) -> None:
        """Ends it and what it has started, and forgets it."""
        self._process.destroy()


class FailureReport:
    """Tells which process failed first, then what the others said, the same only once.

    Args:
        children: The processes, all of which have ended.
        printer: Where it is told.
        started: When they were started.
        suffix: What follows the indices before each line.

    Attributes:
        blamed: The process that the first failure says was lost; None where it says nothing of the kind.
    """

    def __init__(self, children: Sequence[Child], printer: Printer, started: float, suffix: str) -> None:
        self._children, self._printer, self._started, self._suffix = children, printer, started, suffix
        self.blamed: int | None = None

    def show(self, was_interrupted: bool) -> Child | None:
        """Prints everything held back; returns the process that failed first."""
        blocks = {child.index: child.take_held() for child in self._children}
        # A process that the launcher ended is no failure of its own.
        failed = [c for c in self._children if c.code != 0 and not (c.was_asked and c.was_killed)]
        # Who only reports that another is lost has not failed first, even if it was quicker to end.
        blamed = {child.index: _blamed_by(child.index, blocks[child.index]) for child in failed}
        failed.sort(key=lambda child: (blamed[child.index] is not None, child.ended_at))
        self.blamed = blamed[failed[0].index] if failed else None
        order = [*failed, *(child for child in self._children if child not in failed)]
        groups: dict[tuple[str, ...], list[int]] = {}
        for child in order:
            if blocks[child.index]:
                groups.setdefault(_sameness(blocks[child.index]), []).append(child.index)
        is_first = True
        for indices in groups.values():
            prefix = ",".join(str(index) for index in sorted(indices)) + self._suffix
            shown = blocks[indices[0]]
            for line in shown:
                self._printer.line(prefix, line, True)
            for index in indices[1:]:
                for line in _message(blocks[index]):
                    if line not in shown:
                        self._printer.line(f"{index}{self._suffix}", line, True)
            if is_first and failed and failed[0].index in indices:
                self._name(failed[0], was_interrupted)
                is_first = False
        if failed and is_first:
            self._name(failed[0], was_interrupted)
        return failed[0] if failed else None

    def describe(self, child: Child) -> str:
        """How a process has failed, and when."""
        code = child.code or 0
        how = f"was ended by {signal_name(-code)}" if code < 0 else f"failed with exit code {code}"
        how = child.reason or how
        return f"process {child.index} {how} after {child.ended_at - self._started:.1f} s"

    def _name(self, child: Child, was_interrupted: bool) -> None:
        if not was_interrupted:
            self._printer.say(f"{self.describe(child)}, the first to fail.")


def _message(block: Sequence[str]) -> Sequence[str]:
    """The lines from the last error's name on, if olympus raised it; otherwise nothing."""
    starts = [number for number, line in enumerate(block) if line.startswith(_OWN_ERRORS)]
    return block[starts[-1] :] if starts else ()


def _sameness(block: Sequence[str]) -> tuple[str, ...]:
    """What is equal in two reports of the same failure: all of it, or the first line of an error of olympus.

    Such an error meets each process where it happens to wait.
    """
    return tuple(_message(block)[:1]) or tuple(block)


def _blamed_by(index: int, block: Sequence[str]) -> int | None:
    """Another process, of which this one's last error says that it was lost."""
    found = [int(match.group(1)) for line in block if (match := _LOST.match(line))]
    return found[-1] if found and found[-1] != index else None


def signal_name(number: int) -> str:
    """A signal's name; its number where it has none."""
    try:
        return signal.Signals(number).name
    except ValueError:  # one of the real-time signals
        return f"signal {number}"


def exit_code(code: int | None) -> int:
    """A process's exit code, as a shell shows it where a signal has ended it."""
    return 128 - code if code is not None and code < 0 else code or 0
