# SPDX-License-Identifier: Apache-2.0
"""Starts Python programs as real processes, gives them a deadline, and always leaves nothing behind."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from .folders import cache_key, compilation_cache, configuration, flights

ROOT = Path(__file__).resolve().parents[2]

# What a surrounding launcher or an earlier test may have left must not reach the programs.
_LAUNCHER_PREFIXES = ("OLYMPUS_", "SLURM_", "OMPI_", "PMI_", "PMIX_", "PMI2_", "MPI_LOCAL", "HYDI_", "TPU_", "JOB_")


@dataclass(frozen=True)
class Finished:
    """How one process ended.

    Attributes:
        returncode: As `subprocess` has it: negative for a signal.
        stdout: Its output.
        stderr: Its errors.
        seconds: From the start of the processes to its end.
        timed_out: Whether it was killed because the deadline had come.
    """

    returncode: int
    stdout: str
    stderr: str
    seconds: float
    timed_out: bool = False


class Processes:
    """Running programs; a context manager that kills what is left.

    Args:
        deadline: Seconds after which all that still run are killed.
    """

    def __init__(self, deadline: float = 30.0) -> None:
        self.started = time.monotonic()
        self._deadline = self.started + deadline
        self._running: list[subprocess.Popen[str]] = []
        self._files: list[tuple[IO[str], IO[str]]] = []

    def start(
        self,
        program: str | Path | Sequence[str],
        *arguments: object,
        env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
    ) -> subprocess.Popen[str]:
        """Starts one process.

        Args:
            program: Source text of a Python program, the path of a file, or a whole command.
            arguments: What follows on its command line.
            env: Variables in addition to the clean environment.
            cwd: Its working directory.
        """
        if isinstance(program, str):
            command = [sys.executable, "-c", textwrap.dedent(program)]
        elif isinstance(program, Path):
            command = [sys.executable, str(program)]
        else:
            command = list(program)
        # Files, not pipes: nothing blocks when nobody reads.
        out = tempfile.TemporaryFile("w+")
        err = tempfile.TemporaryFile("w+")
        process = subprocess.Popen(
            [*command, *(str(argument) for argument in arguments)],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            text=True,
            env=clean_environment(env),
            cwd=cwd or ROOT,
            start_new_session=True,
        )
        self._running.append(process)
        self._files.append((out, err))
        return process

    def output(self, index: int) -> str:
        """What the process has written so far, output and errors."""
        texts = []
        for file in self._files[index]:
            # Through a second view: seeking would move the place where the process writes.
            texts.append(os.pread(file.fileno(), 1 << 22, 0).decode(errors="replace"))
        return "".join(texts)

    def wait_for_output(self, index: int, text: str) -> None:
        """Waits until the process has written the text; fails when it has ended without."""
        process = self._running[index]

        def is_there() -> bool:
            has_ended = process.poll() is not None  # asked first: what it wrote last counts
            if text in self.output(index):
                return True
            assert not has_ended, f"process {index} ended without {text!r}: {self.output(index)}"
            return False

        wait_until(is_there, f"{text!r} from process {index}", self._left())

    def open_gate(self, folder: Path) -> None:
        """Lets all go on at the same time, once each has made a file in the folder; their time starts anew.

        Args:
            folder: Each process makes a file in it when it is ready, and waits there for one named "open".
        """
        def all_are_there() -> bool:
            here = {int(name) for name in os.listdir(folder)}
            return all(process.pid in here or process.poll() is not None for process in self._running)

        wait_until(all_are_there, "all processes are ready", self._left())
        allowed, self.started = self._deadline - self.started, time.monotonic()
        self._deadline = self.started + allowed
        (folder / "open").touch()

    def wait(self) -> list[Finished]:
        """Waits for all, in the order of their start; kills those that do not end in time."""
        ends: dict[int, tuple[float, bool]] = {}
        while len(ends) < len(self._running):
            for index, process in enumerate(self._running):
                if index not in ends and process.poll() is not None:
                    ends[index] = (time.monotonic() - self.started, False)
            if self._left() <= 0:
                for index, process in enumerate(self._running):
                    if index not in ends:
                        self._kill(process)
                        ends[index] = (time.monotonic() - self.started, True)
            time.sleep(0.005)
        finished = []
        for index, process in enumerate(self._running):
            texts = [os.pread(f.fileno(), 1 << 24, 0).decode(errors="replace") for f in self._files[index]]
            finished.append(Finished(process.wait(), texts[0], texts[1], *ends[index]))
        return finished

    def __enter__(self) -> Processes:
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._running:
            self._kill(process)
        for out, err in self._files:
            out.close()
            err.close()

    def _left(self) -> float:
        return self._deadline - time.monotonic()

    @staticmethod
    def _kill(process: subprocess.Popen[str]) -> None:
        # Its session: grandchildren go too, also when it has ended before them.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def run_processes(
    program: str | Path | Sequence[str],
    count: int,
    *arguments: object,
    deadline: float = 30.0,
    env: Mapping[str, str] | None = None,
) -> list[Finished]:
    """Runs a program `count` times at once.

    Args:
        program: As for `Processes.start`.
        count: How many.
        arguments: For all of them; a callable gets the process's index.
        deadline: Seconds for all together.
        env: Variables for all.

    Returns:
        How each ended, by index.
    """
    with Processes(deadline) as processes:
        for index in range(count):
            processes.start(program, *(a(index) if callable(a) else a for a in arguments), env=env)
        return processes.wait()


def clean_environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """This process's environment without any launcher's variables, with the tests' folder for compiled code."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(_LAUNCHER_PREFIXES)}
    env["PYTHONPATH"] = os.pathsep.join([str(ROOT), *filter(None, [env.get("PYTHONPATH")])])
    env["PYTHONUNBUFFERED"] = "1"
    env["OLYMPUS_COMPILATION_CACHE_DIR"] = compilation_cache()
    env["XDG_CONFIG_HOME"] = env["XDG_RUNTIME_DIR"] = configuration()
    env["OLYMPUS_CACHE_KEY_FILE"] = cache_key()
    env["OLYMPUS_FLIGHT_RECORDER_DIR"] = flights()
    env.update(extra or {})
    return env


def free_port() -> int:
    """A port of this machine that nobody listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until(condition: Callable[[], bool], what: str, timeout: float = 10.0) -> None:
    """Waits for a condition; fails with what it was."""
    deadline = time.monotonic() + timeout
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"not in {timeout:.1f} s: {what}")
        time.sleep(0.005)


def is_alive(pid: int) -> bool:
    """Whether a process exists and is no zombie."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            return file.read().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False
