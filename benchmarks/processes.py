# SPDX-License-Identifier: Apache-2.0
"""Running measured programs: in a clean environment, with a deadline, and killed with their children."""

from __future__ import annotations

import atexit
import contextlib
import functools
import os
import random
import signal
import socket
import statistics
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO

HERE = Path(__file__).resolve().parent
PROGRAMS = HERE / "programs"

# Variables of the user's shell or a launcher must not affect measurements.
_FOREIGN_PREFIXES = ("OLYMPUS_", "JAX_", "XLA_", "SLURM_", "OMPI_", "PMI", "HYDI_", "MPI", "OMP_", "PYTHON")


class ProgramError(Exception):
    """A measured program failed or did not come to its end in time."""


class RefusedError(ProgramError):
    """A program that stays could not do what it was asked; it is still there."""


def environment(extra: Mapping[str, str]) -> dict[str, str]:
    """This process's environment without what would change the measured programs, and with `extra`."""
    kept = {
        name: value for name, value in os.environ.items()
        if name == "PYTHONPATH" or not name.startswith(_FOREIGN_PREFIXES)  # packages may lie where only that tells
    }
    return {**kept, "PYTHONUNBUFFERED": "1", "XDG_CACHE_HOME": scratch(), **extra}


@functools.cache
def scratch() -> str:
    """A folder for what programs keep between runs: empty at first, gone at the end."""
    folder = tempfile.TemporaryDirectory(prefix="benchmarks-")
    atexit.register(folder.cleanup)
    return folder.name


def free_port() -> int:
    """A port of this machine that nobody listens at, outside of the range that connections take their own from."""
    for port in random.sample(range(20000, 32000), 100):
        with contextlib.suppress(OSError), socket.socket() as probe:
            probe.bind(("0.0.0.0", port))
            return port
    raise ProgramError("no free port between 20000 and 32000")


class Process:
    """One running program, in a session of its own; output and errors go to files, so that it never blocks.

    Args:
        command: Its command line.
        env: Variables beside the clean environment.
        talks: Whether it is spoken to through pipes.
    """

    def __init__(self, command: Sequence[str], env: Mapping[str, str], talks: bool = False) -> None:
        self.command = list(command)
        self._errors: IO[bytes] = tempfile.TemporaryFile()
        self._output: IO[bytes] = tempfile.TemporaryFile()
        self.popen = subprocess.Popen(
            self.command, env=environment(env), start_new_session=True, cwd=PROGRAMS, text=True,
            stdin=subprocess.PIPE if talks else subprocess.DEVNULL,
            stdout=subprocess.PIPE if talks else self._output, stderr=self._errors,
        )

    @property
    def output(self) -> str:
        """What it has printed so far."""
        return _content(self._output)

    @property
    def errors(self) -> str:
        """What it has written to its error output so far."""
        return _content(self._errors)

    def kill(self) -> None:
        """Ends it and its children."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.popen.pid, signal.SIGKILL)

    def close(self) -> None:
        """Ends it and gives its files back."""
        self.kill()
        self.popen.wait()
        for file in (self.popen.stdin, self.popen.stdout, self._output, self._errors):
            if file is not None:
                with contextlib.suppress(BrokenPipeError):
                    file.close()

    def failure(self, what: str) -> ProgramError:
        """The error for a program that did not do what it should."""
        tail = "\n".join(self.errors.strip().splitlines()[-12:])
        return ProgramError(f"{what}\n{' '.join(self.command)}\n{tail}".strip())


def _content(file: IO[bytes]) -> str:
    # Not through the file object: seeking would move the offset at which the process writes.
    return os.pread(file.fileno(), 1 << 22, 0).decode(errors="replace")


@contextlib.contextmanager
def deadline(processes: Sequence[Process], seconds: float) -> Iterator[threading.Event]:
    """Ends the processes when the time is over; the event tells. Waits need no polling, which would blur the end."""
    expired = threading.Event()

    def expire() -> None:
        expired.set()
        for process in processes:
            process.kill()

    timer = threading.Timer(seconds, expire)
    timer.start()
    try:
        yield expired
    finally:
        timer.cancel()
        timer.join()


def run_to_end(
    commands: Sequence[Sequence[str]], env: Mapping[str, str], seconds: float = 60.0
) -> tuple[float, list[str]]:
    """Runs programs at once.

    Args:
        commands: Their command lines.
        env: Variables for all.
        seconds: The time that they have.

    Returns:
        Seconds from the start of the first to the exit of the last, and what each has printed.

    Raises:
        ProgramError: When one fails or the time is over.
    """
    processes: list[Process] = []
    failed: list[tuple[Process, int]] = []

    def wait(process: Process) -> None:
        code = process.popen.wait()
        if code:
            # The others would wait for it; the first failure is the one to show.
            failed.append((process, code))
            for other in processes:
                other.kill()

    try:
        started = time.perf_counter()
        processes.extend(Process(command, env) for command in commands)
        with deadline(processes, seconds) as expired, ThreadPoolExecutor(len(processes)) as pool:
            list(pool.map(wait, processes))
            elapsed = time.perf_counter() - started
        if failed:
            process, code = failed[0]
            raise process.failure(f"no end in {seconds:.0f} s" if expired.is_set() else f"exit status {code}")
        return elapsed, [process.output for process in processes]
    finally:
        for process in processes:
            process.close()


class Conversation:
    """Programs that stay: each reads a line and answers with ``=NUMBER``, or ``!TEXT`` when it cannot.

    A context manager.

    Args:
        commands: Their command lines.
        env: Variables for all.
        seconds: The time that they have for each answer.
    """

    def __init__(self, commands: Sequence[Sequence[str]], env: Mapping[str, str], seconds: float = 60.0) -> None:
        self._commands, self._env, self._seconds = commands, env, seconds
        self._processes: list[Process] = []

    def ask(self, line: str) -> float:
        """Sends the same line to all at once; returns the mean of their answers.

        Raises:
            RefusedError: A program could not do it. Of several programs the others may still be at it.
            ProgramError: A program ended, or the time was over.
        """
        with deadline(self._processes, self._seconds) as expired:
            for process in self._processes:
                with contextlib.suppress(BrokenPipeError):
                    process.popen.stdin.write(line + "\n")
                    process.popen.stdin.flush()
            answers = [self._answer(process, expired) for process in self._processes]
        return statistics.mean(answers)

    def _answer(self, process: Process, expired: threading.Event) -> float:
        # Libraries may print; an answer is marked.
        for text in process.popen.stdout:
            if text.startswith("="):
                return float(text[1:])
            if text.startswith("!"):
                raise RefusedError(text[1:].strip())
        process.popen.wait()
        raise process.failure(f"no answer in {self._seconds:.0f} s" if expired.is_set() else "ended without an answer")

    def __enter__(self) -> Conversation:
        for command in self._commands:
            self._processes.append(Process(command, self._env, talks=True))
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._processes:
            process.close()
