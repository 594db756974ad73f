# SPDX-License-Identifier: Apache-2.0
"""What `olympus launch --hosts` runs on each host: it starts the processes there, and ends them with its own input.

The source of this file is sent to Python's standard input, so it uses nothing but the standard library before the
order has come, which is the second line: with it come the variables, the secret among them, which no command line has.
Further lines are an index, a signal's number, and ``all`` for the process with what it has started or ``ask`` for it
alone, and only if it has a handler. What the processes say goes to the standard output, in frames.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import json
import os
import selectors
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from typing import Any

# A kind, a process's index, a length.
HEADER = struct.Struct("!cII")
_PIECE = 1 << 16
# Bytes that a pipe may hold, however large it was made.
_DRAINED = 1 << 20
_POLL_PERIOD = 0.02
# Between SIGTERM and SIGKILL, when the launcher has gone.
_END_TIME = 5.0
_PR_SET_PDEATHSIG = 1
# An index in a line of the input that stands for all processes.
_ALL = -1


class _Agent:
    """The processes of one host."""

    def __init__(self, order: dict[str, Any], out: int) -> None:
        self._order, self._out = order, out
        self._sending = threading.Lock()
        self._processes: dict[int, subprocess.Popen[bytes]] = {}
        self._ended: set[int] = set()
        self._is_alone = threading.Event()  # whether the launcher has gone

    def run(self) -> None:
        """Starts all, and serves them until the input ends."""
        os.chdir(self._order["folder"])
        listener = self._listener()
        for process in self._order["processes"]:
            self._start(process, listener if process["index"] == 0 else None)
        if listener is not None:
            listener.close()
        threading.Thread(target=self._hear, daemon=True).start()
        self._serve()

    def _listener(self) -> socket.socket | None:
        """Process 0's socket: bound here, so that the others hear of a port that no other program can take."""
        wanted = self._order.get("listen")
        if wanted is None:
            return None
        os.environ.update(self._order["env"])
        sys.path[:0] = [p for p in os.environ.get("PYTHONPATH", "").split(os.pathsep) if os.path.isabs(p)]
        from olympus_core.cluster.addresses import Address, listen
        from olympus_core.network import bind_port, own_address
        from olympus_core.network.interfaces import addresses_of, is_reachable

        if wanted["is_alone"]:
            host = "127.0.0.1"
        else:
            others = [name for name in wanted["others"] if any(map(is_reachable, addresses_of(name)))]
            # Where no other host's name means anything here: the address at which ssh has reached this one.
            reached = os.environ.get("SSH_CONNECTION", "").split()[2:3]
            host = own_address(others[0] if others else reached[0] if reached else None)
        listener = bind_port(host) if wanted["port"] is None else listen(Address(host, wanted["port"]), None)
        address = str(Address(host, listener.getsockname()[1]))
        self._order["env"]["OLYMPUS_COORDINATOR_ADDRESS"] = address
        self._send(b"a", 0, address.encode())
        return listener

    def _start(self, process: dict[str, Any], listener: socket.socket | None) -> None:
        env = {**os.environ, **self._order["env"], **process["env"]}
        passed: tuple[int, ...] = ()
        if listener is not None:
            passed = (listener.fileno(),)
            env["OLYMPUS_COORDINATOR_FD"] = str(listener.fileno())
        self._processes[process["index"]] = subprocess.Popen(
            process["command"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env,
            pass_fds=passed, start_new_session=True, preexec_fn=_die_with_parent(),
        )
        self._send(b"s", process["index"], b"")

    def _hear(self) -> None:
        """Reads signals to send; the end of the input is the launcher's, or the connection's."""
        with contextlib.suppress(OSError, ValueError):
            for line in sys.stdin.buffer:
                index, number, how = line.split()
                for chosen in self._processes if int(index) == _ALL else (int(index),):
                    self._signal(chosen, int(number), how == b"ask")
        self._is_alone.set()
        for number in (signal.SIGTERM, signal.SIGKILL):
            deadline = time.monotonic() + _END_TIME
            for index in self._processes:
                self._signal(index, number)
            while len(self._ended) < len(self._processes) and time.monotonic() < deadline:
                time.sleep(_POLL_PERIOD)
        os._exit(0)

    def _signal(self, index: int, number: int, is_question: bool = False) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if is_question:
                if handles(self._processes[index].pid, number):
                    os.kill(self._processes[index].pid, number)
                return
            os.killpg(self._processes[index].pid, number)
            # A stopped process meets the signal only when it goes on.
            os.killpg(self._processes[index].pid, signal.SIGCONT)

    def _serve(self) -> None:
        selector = selectors.DefaultSelector()
        for index, process in self._processes.items():
            for kind, file in ((b"o", process.stdout), (b"e", process.stderr)):
                os.set_blocking(file.fileno(), False)  # type: ignore[union-attr]
                selector.register(file, selectors.EVENT_READ, (kind, index))  # type: ignore[arg-type]
        while True:
            for key, _ in selector.select(_POLL_PERIOD):
                if not self._pass_on(key.fd, *key.data):
                    selector.unregister(key.fileobj)
            for index, process in self._processes.items():
                if index not in self._ended and self._has_ended(index, process):
                    for key in [k for k in selector.get_map().values() if k.data[1] == index]:
                        selector.unregister(key.fileobj)

    def _has_ended(self, index: int, process: subprocess.Popen[bytes]) -> bool:
        # It is not reaped: its number, and its group's, stay its own.
        result = os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        if result is None:
            return False
        for kind, file in ((b"o", process.stdout), (b"e", process.stderr)):
            for _ in range(_DRAINED // _PIECE):  # something else that has the pipe may write for ever
                if not self._pass_on(file.fileno(), kind, index, is_last=True):  # type: ignore[union-attr]
                    break
        code = result.si_status if result.si_code == os.CLD_EXITED else -result.si_status
        self._ended.add(index)
        self._send(b"x", index, str(code).encode())
        return True

    def _pass_on(self, number: int, kind: bytes, index: int, is_last: bool = False) -> bool:
        """Sends what is there; False at the end, and for a process's last words where there are no more."""
        try:
            data = os.read(number, _PIECE)
        except BlockingIOError:
            return not is_last
        if data:
            self._send(kind, index, data)
        return bool(data)

    def _send(self, kind: bytes, index: int, data: bytes) -> None:
        with self._sending:
            if self._is_alone.is_set():
                return
            rest = memoryview(HEADER.pack(kind, index, len(data)) + data)
            try:
                while rest:
                    rest = rest[os.write(self._out, rest):]
            except OSError as error:
                if error.errno != errno.EPIPE:
                    raise
                self._is_alone.set()  # the input ends, too, and with it the processes

    def fail(self, text: str) -> None:
        """Tells why nothing can be started."""
        self._send(b"f", 0, text.encode(errors="replace"))


def handles(pid: int, number: int) -> bool:
    """Whether a process has a handler for a signal; False where the system does not tell."""
    with contextlib.suppress(OSError, ValueError), open(f"/proc/{pid}/status", "rb") as file:
        masks = dict(line.split(b":", 1) for line in file if line.startswith(b"SigCgt"))
        return bool(int(masks.get(b"SigCgt", b"0"), 16) >> (number - 1) & 1)
    return False


def _die_with_parent() -> Any:
    """What a process runs first, so that it does not outlive this one; None where that is unknown."""
    with contextlib.suppress(OSError, AttributeError):
        prctl = ctypes.CDLL(None).prctl
        return lambda: prctl(_PR_SET_PDEATHSIG, int(signal.SIGTERM), 0, 0, 0) and None
    return None


def _main() -> None:
    # What the host's shell, or a module, prints must not come between the frames.
    out = os.dup(1)
    os.dup2(2, 1)
    order = json.loads(sys.stdin.buffer.readline())
    os.write(out, b"\n" + order["token"].encode() + b"\n")
    agent = _Agent(order, out)
    try:
        agent.run()
    except Exception as error:  # noqa: BLE001  (told to the launcher, whatever it is)
        agent.fail(f"{type(error).__name__}: {error}")
        for process in agent._processes.values():
            process.kill()
        raise SystemExit(1) from None


if __name__ == "__main__":
    _main()
