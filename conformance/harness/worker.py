# SPDX-License-Identifier: Apache-2.0
"""A worker process: joins a job, opens the platform, and runs tests; ``python -m`` starts one."""

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
_GRACE = 0.5  # seconds after a test's time limit, before the watchdog thread writes the stacks


def main() -> int:
    """Serves the controller until it ends the job."""
    faulthandler.enable()  # writes the Python stacks to the output after a crash in native code
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


def open_here(platform: str, devices: int) -> tuple[Session, str]:
    """Opens a platform for this process alone, found as users find it.

    Args:
        platform: The platform's name, or an alias.
        devices: How many devices it is asked for.

    Returns:
        The opened platform, and the distribution that brings it, with its version.
    """
    (selection, *_) = registry.select([platform], "--platform")
    settings = PlatformSettings(device_count=devices, transports=registry.transports())
    plugin = selection.plugin
    return Session(selection.platform, settings), plugin.distribution if plugin is not None else ""


class _Worker:
    """One process of a job, once it has joined."""

    def __init__(self, commands: Connection, rendezvous: JobRendezvous, welcome: Welcome, stacks: IO[str]) -> None:
        self._commands, self._rendezvous, self._welcome, self._stacks = commands, rendezvous, welcome, stacks

    def serve(self) -> int:
        """Opens the platform and executes the controller's commands."""
        try:
            session = self._open()
        except BaseException as error:  # noqa: BLE001  (raised by foreign code, reported to the controller)
            reason = f"{type(error).__name__}: {error}"
            # The message of a user's mistake, such as an unknown name, is sufficient without a traceback.
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
        # Of several distributions with the name, the one that is used.
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
        # A watchdog thread that does not need Python writes the stacks of a platform that blocks the interpreter.
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
    """The declared capabilities as a type that the controller knows."""
    operations = declared.operations
    return Capabilities(
        frozenset(declared.dtypes), None if operations is None else frozenset(operations), bool(declared.donation),
        bool(declared.asynchronous), bool(declared.multi_process), bool(declared.dlpack))


def _is_healthy(session: Session) -> bool:
    """Whether the platform still runs a trivial program after a failure."""
    value = np.arange(7, dtype=np.float32)
    try:
        session.client.synchronize()
        return all(
            np.array_equal(session.client.buffer_from_host(value, d).to_host(), value) for d in session.devices)
    except BaseException:  # noqa: BLE001  (any error means that it does not)
        return False


def _problem_of(call: Callable[[], None]) -> str:
    try:
        call()
    except BaseException as error:  # noqa: BLE001  (the error is the answer)
        return f"{type(error).__name__}: {error}"
    return ""


def _machine() -> str:
    """A name that is equal in two processes if they share memory: same boot, same mount, same name."""
    try:
        with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
            boot = file.read().strip()
        shared = os.stat("/dev/shm")
        text = f"{boot} {shared.st_dev} {shared.st_ino} {platform.node()}"
    except OSError:
        text = platform.node()
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _dial(address: str, key: bytes) -> Connection:
    """A connection to the controller, after both sides have authenticated."""
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
