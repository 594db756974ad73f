# SPDX-License-Identifier: Apache-2.0
"""How `olympus launch --hosts` starts the processes of one round on other machines: over ssh, one connection each."""

from __future__ import annotations

import argparse
import contextlib
import inspect
import json
import os
import secrets
import shlex
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import IO, Any

from . import launch_agent
from .launch_devices import variables
from .launch_hosts import HostSlot
from .launch_start import command, job_variables, process_variables, spawn

# Nobody is asked for a password; what does not answer is told within ten seconds; a connection that has gone silent
# ends within two minutes. What the user gives in --ssh comes before, and ssh takes the first of two.
_SSH_OPTIONS = (
    "-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=10", "-o", "ServerAliveInterval=15",
    "-o", "ServerAliveCountMax=8",
)
# The source is the first line of the input, so that no file of olympus has to be known before.
_BOOTSTRAP = "import sys;exec(eval(sys.stdin.buffer.readline()))"
_CLOSE_TIME = 8.0
# Hosts whose names process 0's machine looks up, two seconds each at most, to find the network that leads to them.
_MOST_ASKED = 3
_ALL = -1
# Of this process only, or of this machine.
_OWN = frozenset({"OLYMPUS_COORDINATOR_FD"})


class RemoteProcess:
    """One process of another machine.

    Args:
        index: Its index.
        machine: Where it runs.

    Attributes:
        stdout: Its output.
        stderr: Its errors.
        reason: Why it has no exit code of its own, in words; None where it has one.
    """

    def __init__(self, index: int, machine: Machine) -> None:
        self._index, self._machine = index, machine
        self.reason: str | None = None
        self._code: int | None = None
        self._ends: dict[bytes, int] = {}
        files: list[IO[bytes]] = []
        for kind in (b"o", b"e"):
            reader, self._ends[kind] = os.pipe()
            files.append(os.fdopen(reader, "rb"))
        self.stdout, self.stderr = files

    def poll(self) -> int | None:
        """Its exit code, negative for a signal; None while it runs."""
        return self._code

    def send(self, number: int) -> None:
        """Sends a signal to it and to what it has started."""
        self._machine.send(self._index, number)

    def ask(self, number: int) -> None:
        """Sends a signal to it alone if it has a handler for it; called in a signal's handler."""
        # Not here: the handler may have interrupted somebody who holds the lock.
        arguments = (self._index, number, "ask")
        threading.Thread(target=self._machine.send, args=arguments, name="olympus-ask", daemon=True).start()

    def destroy(self) -> None:
        """Ends it and what it has started, with all others of the round."""
        self._machine.fleet.close()
        self.stdout.close()
        self.stderr.close()

    def write(self, kind: bytes, data: bytes) -> None:
        """Takes in what it has written."""
        rest = memoryview(data)
        with contextlib.suppress(OSError):  # nobody reads it any more
            while rest and kind in self._ends:
                rest = rest[os.write(self._ends[kind], rest):]

    def end(self, code: int, reason: str | None = None) -> None:
        """It has ended."""
        if self._code is None:
            self.reason, self._code = reason, code
            for number in self._ends.values():
                os.close(number)
            self._ends = {}


class Fleet:
    """The machines of one round, and the address of process 0, which the first of them tells.

    Args:
        say: Prints a line of the launcher's own.
    """

    def __init__(self, say: Callable[[str], None]) -> None:
        self.say = say
        self.machines: list[Machine] = []
        self._address: str | None = None
        self._changed = threading.Condition()
        self._is_closed = False

    def tell(self, address: str) -> None:
        """Takes process 0's address."""
        with self._changed:
            self._address = address
            self._changed.notify_all()

    def wait_for_address(self) -> str | None:
        """Process 0's address; None when nothing is to be started any more."""
        with self._changed:
            self._changed.wait_for(lambda: self._address is not None or self._is_closed)
            return None if self._is_closed else self._address

    def cancel(self) -> None:
        """Nothing more is started."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()

    def close(self) -> None:
        """Ends all processes and connections."""
        self.cancel()
        for machine in self.machines:
            machine.end()
        for machine in self.machines:
            machine.await_end()


class Machine:
    """One host, the connection to it, and the processes there.

    Args:
        name: What ssh is given.
        client: The ssh client's command.
        python: The interpreter there.
        fleet: All machines of the round.
    """

    def __init__(self, name: str, client: Sequence[str], python: str, fleet: Fleet) -> None:
        self.name, self.fleet = name, fleet
        self.processes: dict[int, RemoteProcess] = {}
        self._token = secrets.token_hex(16)
        self._writing = threading.Lock()
        self._is_ordered = self._has_started = self._is_cancelled = False
        self._told: str | None = None
        self._client = spawn(
            [*client, *_SSH_OPTIONS, name, shlex.join([python, "-c", _BOOTSTRAP])], None, (), subprocess.PIPE
        )
        fleet.machines.append(self)

    def start(self, order: Callable[[], dict[str, Any] | None]) -> None:
        """Begins to serve the connection.

        Args:
            order: Gives what is to be started, as soon as that is known; None when nothing is any more.
        """
        for target in (lambda: self._serve(order), self._read_errors):
            threading.Thread(target=target, name=f"olympus-{self.name}", daemon=True).start()

    def send(self, index: int, number: int, how: str = "all") -> None:
        """Sends a signal to a process; one that has not been started will not be.

        Args:
            index: The process.
            number: The signal.
            how: To ``all`` that it has started, too, or to ``ask`` it alone, if it has a handler.
        """
        with self._writing:
            if self._is_ordered:
                self._write(f"{index} {number} {how}\n".encode())
                return
            self._is_cancelled = self._is_cancelled or how == "all"
        if how == "all":
            self.fleet.cancel()

    def end(self) -> None:
        """Begins to end all processes here, and the connection."""
        with self._writing:
            self._is_cancelled = True
            if not self._is_ordered:
                self._client.kill()
            if self._client.stdin is not None and not self._client.stdin.closed:
                self._write(f"{_ALL} {int(signal.SIGKILL)} all\n".encode())
                with contextlib.suppress(OSError):
                    self._client.stdin.close()

    def await_end(self) -> None:
        """Waits until the connection has ended; ends it where it does not."""
        try:
            self._client.wait(_CLOSE_TIME)
        except subprocess.TimeoutExpired:
            self._client.kill()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._client.wait(_CLOSE_TIME)

    def _write(self, data: bytes) -> None:
        with contextlib.suppress(OSError, ValueError):  # the connection has ended, which is met when it is read
            if self._client.stdin is not None:
                self._client.stdin.write(data)
                self._client.stdin.flush()

    def _serve(self, order: Callable[[], dict[str, Any] | None]) -> None:
        try:
            wanted = order()
            with self._writing:
                if wanted is not None and not self._is_cancelled:
                    text = json.dumps({**wanted, "token": self._token})
                    self._write(repr(inspect.getsource(launch_agent)).encode() + b"\n" + text.encode() + b"\n")
                    self._is_ordered = True
            if self._is_ordered and self._client.stdout is not None:
                self._read(self._client.stdout)
        finally:
            self._give_up()

    def _read(self, source: IO[bytes]) -> None:
        # What the host's shell says before is none of ours.
        for line in source:
            if line.strip() == self._token.encode():
                break
        header = launch_agent.HEADER
        while len(head := source.read(header.size)) == header.size:
            kind, index, size = header.unpack(head)
            data = source.read(size)
            process = self.processes.get(index)
            if kind == b"a":
                self.fleet.tell(data.decode())
            elif kind == b"f":
                self._told = data.decode(errors="replace")
                return
            elif process is not None and len(data) == size:
                self._has_started = True
                if kind == b"x":
                    process.end(int(data))
                else:
                    process.write(kind, data)

    def _read_errors(self) -> None:
        for line in self._client.stderr or ():
            self.fleet.say(f"{self.name}: {line.decode(errors='replace').rstrip()}")

    def _give_up(self) -> None:
        """Nothing more comes from here: what has not ended is lost."""
        left = [process for process in self.processes.values() if process.poll() is None]
        if not self._is_ordered:
            self._client.kill()
            for process in left:
                process.end(-int(signal.SIGTERM))
            return
        if self._told is not None:
            for line in self._told.splitlines():
                self.fleet.say(f"{self.name}: {line}")
            reason = f"could not be started on {self.name}"
        else:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._client.wait(_CLOSE_TIME)
            how = f"ssh has ended with exit code {self._client.poll()}"
            reason = f"was lost with the connection to {self.name} ({how})"
            if not self._has_started:
                reason = f"could not be started: {self.name} was not reached, or has no such Python ({how})"
        for process in left:
            process.end(255, reason)


def start_remote(
    args: argparse.Namespace, places: Sequence[HostSlot], restart: int, say: Callable[[str], None]
) -> Iterator[RemoteProcess]:
    """Starts all processes of a round on their machines, by their indices.

    Args:
        args: The command line.
        places: Where each process runs.
        restart: How often the job was started before.
        say: Prints a line of the launcher's own.
    """
    fleet = Fleet(say)
    names = list(dict.fromkeys(place.host.name for place in places))
    machines = {name: Machine(name, shlex.split(args.ssh), args.python, fleet) for name in names}
    common = {
        **{name: text for name, text in os.environ.items() if name.startswith("OLYMPUS_") and name not in _OWN},
        **args.env, **job_variables(len(places), restart),
    }
    orders: dict[str, list[dict[str, Any]]] = {name: [] for name in names}
    for index, place in enumerate(places):
        own = process_variables(index, len(orders[place.host.name]))
        own.update(variables(args.devices_per_process, args.gpus_per_process, place.local))
        text = command(args, index, len(places), args.python)
        orders[place.host.name].append({"index": index, "env": own, "command": text})
    folder = os.getcwd()
    first = names[0]
    others = [place.host.address for place in places if place.host.name != first]
    listen = {"port": args.port, "is_alone": not others, "others": list(dict.fromkeys(others))[:_MOST_ASKED]}

    def order_of(name: str) -> Callable[[], dict[str, Any] | None]:
        def order() -> dict[str, Any] | None:
            wanted = {"folder": folder, "processes": orders[name], "env": common}
            if name == first:
                return {**wanted, "listen": listen}
            address = fleet.wait_for_address()
            return None if address is None else {**wanted, "env": {**common, "OLYMPUS_COORDINATOR_ADDRESS": address}}

        return order

    found: list[RemoteProcess] = []
    for index, place in enumerate(places):
        machine = machines[place.host.name]
        process = machine.processes[index] = RemoteProcess(index, machine)
        found.append(process)
    for name, machine in machines.items():
        machine.start(order_of(name))
    yield from found
