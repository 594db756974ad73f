"""`olympus launch`: starts the processes of a job on this machine, and ends them together."""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import os
import secrets
import selectors
import signal
import socket
import subprocess
import sys
import time
from types import FrameType
from typing import Any

from olympus_core.config import config

from .launch_devices import variables
from .launch_output import Child, FailureReport
from .launch_writer import Printer

# For the others to print their own errors once one has failed; and to end after a request.
_GRACE, _END_GRACE = 3.0, 2.0
_POLL_PERIOD = 0.02
_TIMED_OUT, _USAGE = 124, 2
_PR_SET_PDEATHSIG = 1


def add_parser(subparsers: Any) -> argparse.ArgumentParser:
    """Adds the command's own options."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "launch",
        help="run a program in several processes on this machine",
        description="Runs a Python program in N processes that form one job. In the program's arguments {i} becomes "
        "the process's index and {n} the number of processes; initialize() needs no arguments.",
        epilog="example: olympus launch -n 4 --devices-per-process 2 toy.py {i} {n}   "
        "A reader of the output who goes away ends the output and not the job, whose exit code stays the launcher's.",
    )
    parser.add_argument("-n", "--processes", type=_positive, required=True, metavar="N", help="number of processes")
    parser.add_argument(
        "-d", "--devices-per-process", type=_positive, metavar="D",
        help="devices of each process: CPU devices, or devices on its GPUs, of which several may share one",
    )
    parser.add_argument(
        "-g", "--gpus-per-process", type=_positive, metavar="G", help="GPUs of each process, no two of which share one"
    )
    parser.add_argument("--timeout", type=float, metavar="S", help="end the job after this many seconds")
    parser.add_argument("-m", "--module", action="store_true", help="the program is a module, as in python -m")
    parser.add_argument("program", help="the Python program")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="its arguments")
    parser.set_defaults(run=run)
    return parser


def run(args: argparse.Namespace) -> int:
    """Runs the job; the result is the exit code of the process that failed first, or 0."""
    if not args.module and not os.path.exists(args.program):
        print(f"olympus launch: there is no program {args.program!r}.", file=sys.stderr)
        return _USAGE
    variables(args.devices_per_process, args.gpus_per_process, 0)  # what makes no sense is told before anything starts
    job = _Job(args)
    previous = {number: signal.signal(number, job.on_signal) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        job.start()
        return job.watch()
    finally:
        job.clean_up()
        for number, handler in previous.items():
            signal.signal(number, handler)


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return value


class _Job:
    """The processes of one run."""

    def __init__(self, args: argparse.Namespace) -> None:
        self._args = args
        self._count: int = args.processes
        self._children: list[Child] = []
        self._selector = selectors.DefaultSelector()
        self._printer = Printer(sys.stdout, sys.stderr, config.launch_output_bytes)
        self._started = time.monotonic()
        self._first_failure: float | None = None
        self._asked: float | None = None
        self._signals: list[int] = []
        self._result: int | None = None

    def start(self) -> None:
        """Starts all processes."""
        # Bound here and inherited by process 0: no other program can take the port in between.
        with socket.create_server(("127.0.0.1", 0), backlog=1024) as listener:
            # Only this user can read a process's environment; each run has a secret of its own.
            job, secret = secrets.token_hex(4), secrets.token_hex(32)
            for index in range(self._count):
                env = dict(os.environ)
                env.update(
                    OLYMPUS_PROCESS_ID=str(index),
                    OLYMPUS_NUM_PROCESSES=str(self._count),
                    OLYMPUS_LOCAL_INDEX=str(index),
                    OLYMPUS_COORDINATOR_ADDRESS=f"localhost:{listener.getsockname()[1]}",
                    OLYMPUS_JOB_ID=job,
                    OLYMPUS_SECRET=secret,
                )
                env.pop("OLYMPUS_COORDINATOR_FD", None)
                env.setdefault("PYTHONUNBUFFERED", "1")
                env.update(variables(self._args.devices_per_process, self._args.gpus_per_process, index))
                passed: tuple[int, ...] = ()
                if index == 0:
                    passed = (listener.fileno(),)
                    env["OLYMPUS_COORDINATOR_FD"] = str(listener.fileno())
                self._children.append(self._start_one(index, env, passed))

    def _start_one(self, index: int, env: dict[str, str], passed: tuple[int, ...]) -> Child:
        arguments = [a.replace("{i}", str(index)).replace("{n}", str(self._count)) for a in self._args.arguments]
        module = ["-m"] if self._args.module else []
        process = subprocess.Popen(
            [sys.executable, *module, self._args.program, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=env,
            pass_fds=passed,
            # A session of its own: what it starts itself can be ended with it.
            start_new_session=True,
            preexec_fn=_die_with_parent(),  # the launcher has no threads yet: its first line comes later
        )
        child = Child(index, process, self._printer)
        for stream in child.streams:
            self._selector.register(stream.file, selectors.EVENT_READ, stream)
        return child

    def watch(self) -> int:
        """Streams the output until all have ended; returns the exit code."""
        while not all(child.has_ended for child in self._children):
            ready = self._selector.select(_POLL_PERIOD)
            for key, _ in ready:
                if not key.data.read():
                    self._selector.unregister(key.fileobj)
            if ready and not any(key.data.room() for key, _ in ready):
                time.sleep(_POLL_PERIOD)  # they are ready, but the reader of all this is not
            now = time.monotonic()
            for child in self._children:
                child.release_held(now)
                if child.poll(now) and child.code != 0 and self._first_failure is None:
                    self._first_failure = now
            self._end_if_due(now)
        for child in self._children:
            child.drain()
        result = self._report()
        self._finish()
        return result

    def _finish(self) -> None:
        """Waits for who reads the output, as long as they are there, the job may last and nobody interrupts."""
        heard = len(self._signals)
        while not self._printer.finish(_POLL_PERIOD) and len(self._signals) == heard:
            if self._args.timeout is not None and time.monotonic() - self._started > self._args.timeout:
                break

    def _end_if_due(self, now: float) -> None:
        if self._signals and self._asked is None:
            number = self._signals[0]
            self._printer.say(f"{signal.Signals(number).name} received: ending {self._count} processes.")
            self._result = 128 + number
            self._ask_to_end(now, number)
        elif self._asked is None and self._first_failure is not None and now - self._first_failure > _GRACE:
            self._ask_to_end(now, signal.SIGTERM)
        elif self._asked is None and self._args.timeout is not None and now - self._started > self._args.timeout:
            running = [child.index for child in self._children if not child.has_ended]
            self._printer.say(f"not ended after {self._args.timeout:g} s: processes {running}; ending them.")
            self._result = _TIMED_OUT
            self._ask_to_end(now, signal.SIGTERM)
        elif self._asked is not None and (now - self._asked > _END_GRACE or len(self._signals) > 1):
            for child in self._children:
                child.send(signal.SIGKILL)

    def _ask_to_end(self, now: float, number: int) -> None:
        self._asked = now
        for child in self._children:
            child.send(number)

    def _report(self) -> int:
        report = FailureReport(self._children, self._printer, self._started)
        code = report.show(was_interrupted=self._result is not None)
        return code if self._result is None else self._result

    def on_signal(self, number: int, frame: FrameType | None) -> None:
        """Remembers a signal; the loop forwards it."""
        self._signals.append(number)

    def clean_up(self) -> None:
        """Ends whatever the processes have left."""
        for child in self._children:
            child.destroy()
        self._selector.close()


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
