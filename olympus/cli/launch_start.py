"""How `olympus launch` starts the processes of one round on this machine."""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import os
import secrets
import signal
import socket
import subprocess
import sys
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

from .launch_devices import variables

_PR_SET_PDEATHSIG = 1


def start_processes(
    args: argparse.Namespace, places: Sequence[int], restart: int
) -> Iterator[subprocess.Popen[bytes]]:
    """Starts all processes of a round, by their indices.

    Args:
        args: The command line.
        places: Where each process runs: its index in the first round, which decides about its GPUs.
        restart: How often the job was started before.
    """
    # Bound here and inherited by process 0: no other program can take the port in between.
    with socket.create_server(("127.0.0.1", 0), backlog=1024) as listener:
        # Only this user can read a process's environment; each round has a name and a secret of its own.
        job, secret = secrets.token_hex(4), secrets.token_hex(32)
        for index, place in enumerate(places):
            env = dict(os.environ)
            env.update(
                OLYMPUS_PROCESS_ID=str(index),
                OLYMPUS_NUM_PROCESSES=str(len(places)),
                OLYMPUS_LOCAL_INDEX=str(index),
                OLYMPUS_COORDINATOR_ADDRESS=f"localhost:{listener.getsockname()[1]}",
                OLYMPUS_JOB_ID=job,
                OLYMPUS_SECRET=secret,
                OLYMPUS_RESTART=str(restart),
            )
            env.pop("OLYMPUS_COORDINATOR_FD", None)
            env.setdefault("PYTHONUNBUFFERED", "1")
            env.update(variables(args.devices_per_process, args.gpus_per_process, place))
            passed: tuple[int, ...] = ()
            if index == 0:
                passed = (listener.fileno(),)
                env["OLYMPUS_COORDINATOR_FD"] = str(listener.fileno())
            yield _start(_command(args, index, len(places)), env, passed)


def _command(args: argparse.Namespace, index: int, count: int) -> list[str]:
    arguments = [a.replace("{i}", str(index)).replace("{n}", str(count)) for a in args.arguments]
    return [sys.executable, *(["-m"] if args.module else []), args.program, *arguments]


def _start(command: Sequence[str], env: dict[str, str], passed: tuple[int, ...]) -> subprocess.Popen[bytes]:
    with warnings.catch_warnings():
        # Python warns of a function between fork and exec where threads are, as the output's is after a restart.
        # This one calls the system only, and needs nothing that another thread may have held.
        warnings.filterwarnings("ignore", "This process .* is multi-threaded", DeprecationWarning)
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
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
