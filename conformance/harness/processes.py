# SPDX-License-Identifier: Apache-2.0
"""The operating system's processes of a job: starting, output, exit status, killing."""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from .errors import UsageError

WORKER = "olympus_conformance.harness.worker"
_TERMINATION = 3.0  # for a launcher to end its processes on other machines
_REAPING = 10.0  # for killed processes to be reaped
_LINES = 60  # after a crash the stacks of all threads follow the output


class Processes:
    """The processes of a job, started directly or by a launcher.

    Args:
        count: Number of workers.
        launcher: A command line with ``{n}`` in it; None to start them directly.
        environment: Variables for them, in addition to this process's.
        output: The path of their output files, without the ending.
    """

    def __init__(self, count: int, launcher: str | None, environment: Mapping[str, str], output: Path) -> None:
        command = [sys.executable, "-m", WORKER]
        self.is_launched = launcher is not None
        if launcher is not None:
            command = [*launcher_command(launcher, count), *command]
        self._files = [output.with_name(f"{output.name}-{i}.txt") for i in range(1 if self.is_launched else count)]
        self._started: list[subprocess.Popen[bytes]] = []
        for file in self._files:
            with open(file, "wb") as writer:
                self._started.append(_start(command, {**os.environ, **environment}, writer.fileno()))

    def slot_of(self, pid: int) -> int | None:
        """The index of the started process with this id; None behind a launcher."""
        if self.is_launched:
            return None
        return next((i for i, process in enumerate(self._started) if process.pid == pid), None)

    def ended(self, slot: int | None, seconds: float = 0.0) -> str | None:
        """How a process ended, in words; None while it runs. Without a slot: how the launcher ended."""
        process = self._started[slot or 0]
        try:
            status = process.wait(seconds) if seconds else process.poll()
        except subprocess.TimeoutExpired:
            return None
        return None if status is None else _words(status)

    def status(self, slot: int | None) -> int | None:
        """The exit status as `subprocess` has it; None while it runs, or behind a launcher."""
        return self._started[slot].poll() if slot is not None else None

    def last_lines(self, slot: int | None) -> str:
        """The last lines of a process's output."""
        with contextlib.suppress(OSError):
            lines = self._files[slot or 0].read_text(errors="replace").splitlines()
            return "\n".join(lines[-_LINES:])
        return ""

    def wait(self, seconds: float) -> bool:
        """Whether all processes end within a time."""
        end = time.monotonic() + seconds
        for process in self._started:
            try:
                process.wait(max(0.0, end - time.monotonic()))
            except subprocess.TimeoutExpired:
                return False
        return True

    def kill(self) -> None:
        """Kills all processes and their children; a launcher gets time to end processes on other machines."""
        if self.is_launched and self._started[0].poll() is None:
            self._signal(signal.SIGTERM)
            self.wait(_TERMINATION)
        self._signal(signal.SIGKILL)
        self.wait(_REAPING)
        for file in self._files:
            with contextlib.suppress(OSError):
                if not file.stat().st_size:
                    file.unlink()

    def _signal(self, number: int) -> None:
        for process in self._started:
            # The process group may outlive its leader.
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, number)


def launcher_command(launcher: str, count: int) -> list[str]:
    """The arguments of a launcher's command line.

    Raises:
        UsageError: It has no placeholder for the number of processes.
    """
    if "{n}" not in launcher:
        raise UsageError(
            "The launcher does not say where the number of processes goes.", given=launcher,
            expected="{n} in it, such as --launcher 'srun -n {n}'")
    return [word.replace("{n}", str(count)) for word in shlex.split(launcher)]


def _start(command: list[str], environment: Mapping[str, str], output: int) -> subprocess.Popen[bytes]:
    try:
        # A session of its own: Ctrl-C reaches only the controller, and killing the group kills grandchildren, too.
        return subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, env=dict(environment),
            start_new_session=True)
    except OSError as error:
        raise UsageError(f"The command {shlex.join(command)} cannot be run: {error}.") from error


def _words(status: int) -> str:
    if status >= 0:
        return f"ended with status {status}"
    try:
        return f"was killed by {signal.Signals(-status).name}"
    except ValueError:
        return f"was killed by signal {-status}"
