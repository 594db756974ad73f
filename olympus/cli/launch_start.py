# SPDX-License-Identifier: Apache-2.0
"""How `olympus launch` starts the processes of one round on this machine, and what all its processes are told."""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import os
import secrets
import signal
import subprocess
import sys
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

from olympus_core.cluster.addresses import Address, listen
from olympus_core.errors.base import OlympusInternalError
from olympus_core.network import bind_port

from .launch_agent import handles
from .launch_devices import variables

_LOOPBACK = "127.0.0.1"
# A process that was killed is gone at once, unless the kernel holds it.
_KILL_TIMEOUT = 5.0
_PR_SET_PDEATHSIG = 1


class LocalProcess:
    """One process of this machine.

    Args:
        process: The process, in a session of its own.

    Attributes:
        stdout: Its output.
        stderr: Its errors.
        reason: Why it has no exit code of its own; it always has one.
    """

    reason: str | None = None

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        if process.stdout is None or process.stderr is None:
            raise OlympusInternalError("a process of the launcher has no pipe")
        self._process = process
        self.stdout, self.stderr = process.stdout, process.stderr

    def poll(self) -> int | None:
        """Its exit code, negative for a signal; None while it runs."""
        # It is not reaped before `destroy`: until then its number, and its group's, stay its own.
        with contextlib.suppress(ChildProcessError):
            result = os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            if result is not None:
                return result.si_status if result.si_code == os.CLD_EXITED else -result.si_status
        return None

    def send(self, number: int) -> None:
        """Sends a signal to it and to what it has started."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)
            # A stopped process meets the signal only when it goes on.
            os.killpg(self._process.pid, signal.SIGCONT)

    def ask(self, number: int) -> None:
        """Sends a signal to it alone if it has a handler for it; called in a signal's handler."""
        if handles(self._process.pid, number):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(self._process.pid, number)

    def destroy(self) -> None:
        """Ends it and what it has started, and forgets it."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_KILL_TIMEOUT)
        self.stdout.close()
        self.stderr.close()


def start_processes(args: argparse.Namespace, places: Sequence[int], restart: int) -> Iterator[LocalProcess]:
    """Starts all processes of a round on this machine, by their indices.

    Args:
        args: The command line.
        places: Where each process runs: its index in the first round, which decides about its GPUs.
        restart: How often the job was started before.
    """
    # Bound here and inherited by process 0: no other program can take the port in between.
    with bind_port(_LOOPBACK) if args.port is None else listen(Address(_LOOPBACK, args.port), None) as listener:
        common = {**job_variables(len(places), restart)}
        common["OLYMPUS_COORDINATOR_ADDRESS"] = f"localhost:{listener.getsockname()[1]}"
        for index, place in enumerate(places):
            env = {**os.environ, **args.env, **common, **process_variables(index, index)}
            env.pop("OLYMPUS_COORDINATOR_FD", None)
            env.update(variables(args.devices_per_process, args.gpus_per_process, place))
            passed: tuple[int, ...] = ()
            if index == 0:
                passed = (listener.fileno(),)
                env["OLYMPUS_COORDINATOR_FD"] = str(listener.fileno())
            yield LocalProcess(spawn(command(args, index, len(places), sys.executable), env, passed))


def job_variables(count: int, restart: int) -> dict[str, str]:
    """What all processes of a round are told."""
    # Only this user can read a process's environment; each round has a name and a secret of its own.
    return {
        "OLYMPUS_NUM_PROCESSES": str(count), "OLYMPUS_JOB_ID": secrets.token_hex(4),
        "OLYMPUS_SECRET": secrets.token_hex(32), "OLYMPUS_RESTART": str(restart),
        "PYTHONUNBUFFERED": os.environ.get("PYTHONUNBUFFERED", "1"),
    }


def process_variables(index: int, local: int) -> dict[str, str]:
    """What one process is told: its index, and that among those of its machine."""
    return {"OLYMPUS_PROCESS_ID": str(index), "OLYMPUS_LOCAL_INDEX": str(local)}


def command(args: argparse.Namespace, index: int, count: int, python: str) -> list[str]:
    """What one process runs."""
    arguments = [a.replace("{i}", str(index)).replace("{n}", str(count)) for a in args.arguments]
    door = ["-m", "olympus.as_jax"] if args.as_jax else []
    return [python, *door, *(["-m"] if args.module else []), args.program, *arguments]


def spawn(
    command: Sequence[str], env: dict[str, str] | None, passed: tuple[int, ...], stdin: int = subprocess.DEVNULL
) -> subprocess.Popen[bytes]:
    """Starts a program that does not outlive the launcher.

    Args:
        command: The program and its arguments.
        env: Its environment; None for the launcher's.
        passed: File descriptors that it inherits.
        stdin: Its input, as for `subprocess`.
    """
    with warnings.catch_warnings():
        # Python warns of a function between fork and exec where threads are, as the output's is after a restart.
        # This one calls the system only, and needs nothing that another thread may have held.
        warnings.filterwarnings("ignore", "This process .* is multi-threaded", DeprecationWarning)
        return subprocess.Popen(
            command,
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=env,
            pass_fds=passed,
            # A session of its own: what it starts itself can be ended with it.
            start_new_session=True,
            preexec_fn=_die_with_parent(),
        )


def _die_with_parent() -> Any:
    """What a child runs first, so that it does not outlive a launcher that is killed; None where that is unknown."""
    if not sys.platform.startswith("linux"):
        return None
    with contextlib.suppress(OSError, AttributeError):
        prctl = ctypes.CDLL(None).prctl
        parent = os.getpid()

        def prepare() -> None:
            prctl(_PR_SET_PDEATHSIG, int(signal.SIGTERM), 0, 0, 0)
            if os.getppid() != parent:
                os._exit(1)

        return prepare
    return None
