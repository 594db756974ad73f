"""A worker: joins a job, opens the platform, and runs the tests it is told to; ``python -m`` starts one."""

from __future__ import annotations

import faulthandler
import hashlib
import os
import platform
import socket
import sys
import traceback
from collections.abc import Callable
from multiprocessing.connection import (  # noqa: TID251  (for its challenge: messages go as bytes)
    Connection,
    answer_challenge,
    deliver_challenge,
)
from typing import IO

import numpy as np

from olympus_core.errors import OlympusError
from olympus_core.plugin import Capabilities, PlatformSettings
from olympus_core.runtime.registry import registry

from ..context import Context, Session
from ..outcome import Outcome, Status, run_test
from ..requirement import find
from .messages import ADDRESS, JOB, KEY, Close, Closed, Done, Exit, Hello, Opened, Ready, Refused, Run, Welcome
from .rendezvous import JobRendezvous
from .wire import receive, send

_DIAL_SECONDS = 30.0
_MEETING_SECONDS = 20.0
_GRACE = 0.5  # after a test's time, before the stacks are written without Python's help


def main() -> int:
    """Serves the controller until it says that it is enough."""
    faulthandler.enable()  # a crash in native code leaves the Python stacks in what the worker has written
    address, key, job = os.environ[ADDRESS], bytes.fromhex(os.environ[KEY]), os.environ[JOB]
    hello = Hello(job, os.getpid(), _machine())
    commands = _dial(address, key)
    send(commands, hello)
    welcome = receive(commands)
    if not isinstance(welcome, Welcome):
        return 1
    news = _dial(address, key)
    send(news, Hello(job, hello.pid, hello.machine, welcome.index))
    rendezvous = JobRendezvous(
        news, welcome.index, welcome.job, welcome.machines, key, _MEETING_SECONDS * welcome.timeout_factor)
    with open(welcome.stacks, "w", encoding="utf-8") as file:
        return _Worker(commands, rendezvous, welcome, file).serve()


class _Worker:
    """One process of a job, once it has joined."""

    def __init__(self, commands: Connection, rendezvous: JobRendezvous, welcome: Welcome, stacks: IO[str]) -> None:
        self._commands, self._rendezvous, self._welcome, self._stacks = commands, rendezvous, welcome, stacks

    def serve(self) -> int:
        """Opens the platform and does what it is told."""
        try:
            session = self._open()
        except BaseException as error:  # noqa: BLE001  (a stranger's code raised it: the controller tells it)
            reason = f"{type(error).__name__}: {error}"
            # A user's mistake, such as a name that nobody has, says all; where it was noticed would bury it.
            trace = "" if isinstance(error, OlympusError) and error.__cause__ is None else traceback.format_exc()
            send(self._commands, Refused(reason, trace, self._rendezvous.has_failed))
            receive(self._commands)
            return 1
        while True:
            command = receive(self._commands)
            if isinstance(command, Run):
                self._run(session, command)
            elif isinstance(command, Close):
                send(self._commands, Closed(_problem_of(session.close)))
            elif isinstance(command, Exit):
                return 0

    def _open(self) -> Session:
        welcome = self._welcome
        (selection, *_) = registry.select([welcome.platform], "--platform")
        several = welcome.count > 1
        settings = PlatformSettings(
            process_index=welcome.index, process_count=welcome.count, device_count=welcome.devices,
            rendezvous=self._rendezvous if several else None, transports=registry.transports(),
            neighbours=welcome.machines.count(welcome.machines[welcome.index]),
        )
        session = Session(
            selection.platform, settings, self._rendezvous.gather if several else None,
            _MEETING_SECONDS * welcome.timeout_factor,
        )
        name = selection.platform.name
        # Of several that offer the name, the one that is used.
        plugin = selection.plugin
        distribution, _, version = plugin.distribution.partition(" ") if plugin is not None else ("", "", "")
        major, minor = selection.platform.api_version
        send(self._commands, Opened(
            name, distribution, version, (int(major), int(minor)), tuple(str(d) for d in session.devices),
            tuple(dict.fromkeys(d.device_kind for d in session.devices)), _plain(session.client.capabilities),
        ))
        return session

    def _run(self, session: Session, command: Run) -> None:
        self._stacks.seek(0)
        self._stacks.truncate()
        # Writes from a thread that needs nothing of Python's: for a platform that hangs and keeps others from running.
        faulthandler.dump_traceback_later(command.seconds + _GRACE, file=self._stacks)
        try:
            context = Context(session, command.id)
            outcome = run_test(find(command.id, command.module), context)
        except BaseException as error:  # noqa: BLE001  (SystemExit, too: it must not look like a process that died)
            reason = f"{type(error).__name__}: {error}"
            outcome = Outcome(command.id, Status.ERROR, reason=reason, trace=traceback.format_exc())
        finally:
            faulthandler.cancel_dump_traceback_later()
        bad = outcome.status in (Status.FAIL, Status.ERROR, Status.TIMEOUT)
        send(self._commands, Done(outcome, bad and self._rendezvous.has_failed))
        send(self._commands, Ready(not bad or _is_healthy(session)))


def _plain(declared: Capabilities) -> Capabilities:
    """What is declared, of a type that the controller knows."""
    operations = declared.operations
    return Capabilities(
        frozenset(declared.dtypes), None if operations is None else frozenset(operations), bool(declared.donation),
        bool(declared.asynchronous), bool(declared.multi_process), bool(declared.dlpack))


def _is_healthy(session: Session) -> bool:
    """Whether the platform still does the simplest thing, after something has gone wrong."""
    value = np.arange(7, dtype=np.float32)
    try:
        session.client.synchronize()
        return all(
            np.array_equal(session.client.buffer_from_host(value, d).to_host(), value) for d in session.devices)
    except BaseException:  # noqa: BLE001  (whatever it is, the platform does not do it)
        return False


def _problem_of(call: Callable[[], None]) -> str:
    try:
        call()
    except BaseException as error:  # noqa: BLE001  (the answer is what it raised)
        return f"{type(error).__name__}: {error}"
    return ""


def _machine() -> str:
    """Equal in two processes if they share memory: same boot, same mount of it, same name."""
    try:
        with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
            boot = file.read().strip()
        shared = os.stat("/dev/shm")
        text = f"{boot} {shared.st_dev} {shared.st_ino} {platform.node()}"
    except OSError:
        text = platform.node()
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _dial(address: str, key: bytes) -> Connection:
    """A connection to the controller, where both have shown that they know the key."""
    host, _, port = address.rpartition(":")
    link = socket.create_connection((host.strip("[]"), int(port)), _DIAL_SECONDS)
    link.settimeout(None)
    link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    connection = Connection(link.detach())
    answer_challenge(connection, key)
    deliver_challenge(connection, key)
    return connection


if __name__ == "__main__":
    sys.exit(main())
