# SPDX-License-Identifier: Apache-2.0
"""Many members of one job in one process: connections without threads, which say what real members say.

Each line of its input is a command, answered with ``=`` and a JSON object when all clients here have done it.
"""

from __future__ import annotations

import hashlib
import json
import os
import selectors
import socket
import struct
import sys
import time
from collections import deque
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from olympus_core.cluster.authentication import NONCE, NONCE_SIZE, PROOF_SIZE, PROVEN, SIZE, is_proof, proof
from olympus_core.cluster.schema import FROM_COORDINATOR, read
from olympus_core.cluster.session import UNNUMBERED, Session
from olympus_core.cluster.settings import ClusterSettings
from olympus_core.cluster.values import unpack
from olympus_core.cluster.wire import PREAMBLE, Body, Frame, body, encode

_HEAD = struct.Struct(">IIQQ")  # of a frame
_WINDOW = 256  # handshakes under way: processes of a job do not start in the same millisecond
_RETRY = 0.05


@lru_cache(64)
def _read(head: bytes) -> dict[str, Any]:
    return read(head, FROM_COORDINATOR)  # most of what comes is the same for all


class Client:
    """One member: its connection, and what it has received of the request under way."""

    def __init__(self, process: int, clients: Clients) -> None:
        self.process, self.clients = process, clients
        self.stage, self.since = "away", 0.0
        self.answer: dict[str, Any] | None = None
        self.failure: dict[str, Any] | None = None
        self.heard, self.longest_silence = 0.0, 0.0
        self.session: Session | None = None
        self._data, self._out = bytearray(), bytearray()
        self._nonce = b""

    def dial(self) -> None:
        """Begins to connect."""
        self.sock = socket.socket()
        self.sock.setblocking(False)
        self.sock.connect_ex(self.clients.address)
        self.stage, self._nonce = "greeting", os.urandom(NONCE_SIZE)
        self._data, self._out = bytearray(), bytearray(PREAMBLE + self._nonce)
        self.clients.selector.register(self.sock, selectors.EVENT_READ | selectors.EVENT_WRITE, self)

    def send(self, data: bytes) -> None:
        """Sends now, or when the coordinator takes more."""
        self._out += data
        self._flush()

    def say(self, kind: str, said: Body) -> None:
        """Sends a message of its session."""
        assert self.session is not None
        self.send(b"".join(self.session.tell(said) if kind in UNNUMBERED else self.session.send(said)))

    def _flush(self) -> None:
        try:
            while self._out:
                del self._out[: self.sock.send(self._out)]
        except BlockingIOError:
            pass
        mask = selectors.EVENT_READ | (selectors.EVENT_WRITE if self._out else 0)
        if self.clients.selector.get_key(self.sock).events != mask:
            self.clients.selector.modify(self.sock, mask, self)

    def serve(self, mask: int) -> None:
        """Sends and receives what it can."""
        try:
            if mask & selectors.EVENT_WRITE:
                self._flush()
            if not mask & selectors.EVENT_READ:
                return
            data = self.sock.recv(1 << 20)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._ended()
            return
        self._data += data
        while self._step():
            pass

    def _ended(self) -> None:
        self.clients.selector.unregister(self.sock)
        self.sock.close()
        if self.stage in ("greeting", "proving"):  # refused or evicted: real members dial again, too
            self.stage, self.since = "away", time.monotonic()
            self.clients.handshakes -= 1
            self.clients.away.append(self)
        else:
            self.stage = "ended"

    def _step(self) -> bool:
        if self.stage == "greeting":
            start = len(PREAMBLE) + 1 + NONCE_SIZE
            if len(self._data) < start + SIZE.size:
                return False
            (size,) = SIZE.unpack_from(self._data, start)
            if len(self._data) < start + SIZE.size + size:
                return False
            if self._data[len(PREAMBLE) : len(PREAMBLE) + 1] != NONCE:
                raise SystemExit(f"the coordinator greets with {bytes(self._data[:48])!r}")
            self._theirs = bytes(self._data[len(PREAMBLE) + 1 : start])
            del self._data[: start + SIZE.size + size]
            self.stage = "proving"
            self.send(proof(self.clients.secret, "member", self._nonce, self._theirs))
            return True
        if self.stage == "proving":
            if len(self._data) < 1 + PROOF_SIZE:
                return False
            given = bytes(self._data[1 : 1 + PROOF_SIZE])
            if self._data[:1] != PROVEN or not is_proof(
                given, self.clients.secret, "coordinator", self._nonce, self._theirs
            ):
                raise SystemExit("the coordinator does not know the secret")
            del self._data[: 1 + PROOF_SIZE]
            self.stage = "joining"
            self.clients.handshakes -= 1
            self.send(self.clients.hello(self.process))
            return True
        return self.stage != "ended" and self._frame()

    def _frame(self) -> bool:
        data = self._data
        if len(data) < _HEAD.size:
            return False
        text, payload, number, acknowledged = _HEAD.unpack_from(data)
        start, end = _HEAD.size + text, _HEAD.size + text + payload
        if len(data) < end:
            return False
        message = _read(bytes(data[_HEAD.size : start]))
        frame = Frame(message, bytes(data[start:end]), number, acknowledged)
        del data[:end]
        if self.session is None or self.session.accept(frame):
            self._hear(message, frame.payload)
        return True

    def _hear(self, message: dict[str, Any], payload: bytes) -> None:
        kind, now = message["t"], time.monotonic()
        if self.heard:
            self.longest_silence = max(self.longest_silence, now - self.heard)
        self.heard = now
        if kind in ("values", "found", "answer"):
            self.answer = message
            if kind == "values":
                self.clients.check(payload)
            self.clients.done(self)
            if kind == "answer":  # the job is over
                self.say("ack", body({"t": "ack"}))
                self.stage = "ended"
                self.clients.selector.unregister(self.sock)
                self.sock.close()
        elif kind == "late":
            self.answer = message
            self.clients.done(self)
        elif kind == "welcome":
            self.session = Session(self.clients.secret, message["session"])
        elif kind == "go":
            self.stage = "joined"
            self.clients.done(self)
        elif kind == "failed":
            self.failure = message["failure"]
            self.clients.done(self)
        elif kind == "refused":
            raise SystemExit(f"process {self.process} is refused: {message['failure']}")
        elif kind == "ask":
            self.say("report", self.clients.report(message["census"]))


class Clients:
    """The clients of this process, served by one loop.

    Args:
        address: Where the coordinator listens.
        secret: The job's.
        first: The first index of a process here.
        last: The index after the last.
        count: Processes of the job.
    """

    def __init__(self, address: tuple[str, int], secret: bytes, first: int, last: int, count: int) -> None:
        self.address, self.secret, self.count = address, secret, count
        self.selector = selectors.DefaultSelector()
        self.all = [Client(process, self) for process in range(first, last)]
        self.away: deque[Client] = deque()
        self.handshakes = 0
        self._is_dialling = False
        self._waiting: set[int] = set()
        self._finished: Callable[[], None] = lambda: None
        self._times: list[float] = []
        self._checked: dict[bytes, bool] = {}
        self._expected = ""
        self._token = 0
        self._period = ClusterSettings().of_job(count).heartbeat_period
        self._waits_in, self._waited_since = "", 0.0
        self._turn = 0
        self._beaten = time.monotonic()
        self._lines = b""
        os.set_blocking(sys.stdin.fileno(), False)
        self.selector.register(sys.stdin, selectors.EVENT_READ, None)

    def hello(self, process: int) -> bytes:
        """What a member says of itself."""
        member = {"process": process, "count": self.count, "job": None, "pid": os.getpid(), "machine": "light",
                  "space": "", "name": "light"}
        return encode({"t": "hello", "member": member})

    def report(self, census: int = 0) -> Body:
        """A heartbeat."""
        return body({"t": "report", "census": census, **self._progress()})

    def _progress(self) -> dict[str, Any]:
        waits = []
        if self._waited_since:
            seconds = time.monotonic() - self._waited_since
            waits.append([self._waits_in, True, self._group, 0, seconds, "train.py:34"])
        return {
            "position": 7, "text": "#7 all_reduce at train.py:33", "group": self._group, "entered": {self._group: 7},
            "slow": None, "moved": 0, "seconds": 1.5, "waits": waits, "blocked": waits[0][4] if waits else None,
        }

    @property
    def _group(self) -> str:
        return f"0-{self.count - 1}"

    def run(self) -> None:
        """Serves until the input ends."""
        while True:
            self._dial()
            self._beat()
            for key, mask in self.selector.select(0.01):
                if key.data is None:
                    if not self._command():
                        return
                elif key.data.stage not in ("away", "ended"):
                    key.data.serve(mask)

    def _dial(self) -> None:
        if self._is_dialling:
            now = time.monotonic()
            while self.away and self.handshakes < _WINDOW and now - self.away[0].since > _RETRY:
                self.handshakes += 1
                self.away.popleft().dial()

    def _beat(self) -> None:
        # Each client's heartbeat in its turn: the turns of all take a period.
        now = time.monotonic()
        due = int((now - self._beaten) / self._period * len(self.all))
        if due <= 0:
            return
        self._beaten = now
        said = self.report()
        for _ in range(min(due, len(self.all))):
            client = self.all[self._turn]
            self._turn = (self._turn + 1) % len(self.all)
            if client.stage == "joined":
                client.say("report", said)

    def _command(self) -> bool:
        data = os.read(sys.stdin.fileno(), 1 << 16)
        self._lines += data
        while b"\n" in self._lines:
            line, self._lines = self._lines.split(b"\n", 1)
            name, *arguments = line.decode().split()
            getattr(self, f"_do_{name}")(*arguments)
        return bool(data)

    def _begin(self, clients: list[Client], finished: Callable[[], None] | None = None) -> None:
        self._waiting = {client.process for client in clients}
        self._started = time.monotonic()
        self._times = []
        self._finished = finished or self._answer
        for client in clients:
            client.answer = None
            client.longest_silence = 0.0
        if not clients:
            self._finished()

    def done(self, client: Client) -> None:
        """Notes that a client has what it waits for."""
        if client.process in self._waiting:
            self._waiting.discard(client.process)
            self._times.append(time.monotonic() - self._started)
            if not self._waiting:
                self._finished()

    def _answer(self, **more: Any) -> None:
        silence = max((client.longest_silence for client in self.all), default=0.0)
        facts = {"seconds": max(self._times, default=0.0), "silence": silence, "cpu": time.process_time()}
        print("=" + json.dumps({**facts, **more}), flush=True)

    def check(self, payload: bytes) -> None:
        """Checks the values that a client has received; equal bytes are looked at once."""
        key = hashlib.sha256(payload).digest()
        if key not in self._checked:
            if unpack(payload, self.count) != [value_of(process, self._expected) for process in range(self.count)]:
                raise SystemExit("wrong values")
            self._checked[key] = True

    def _do_warm(self) -> None:
        self._answer()

    def _do_join(self) -> None:
        self._begin(self.all)
        self.away.extend(self.all)
        self._is_dialling = True

    def _enter(self, clients: list[Client], label: str, kind: str) -> None:
        self._token += 1
        self._expected = kind
        self._checked.clear()
        text = body({"t": "exchange", "token": self._token, "label": label, "of": self._group}).text
        for client in clients:
            client.say("exchange", Body(text, value_of(client.process, kind)))

    def _do_meet(self, label: str, kind: str) -> None:
        self._begin(self.all)
        self._enter(self.all, label, kind)

    def _do_wait(self, label: str) -> None:
        # Process 0 does not come; all others wait for it.
        self._enter(self.all, label, "barrier")
        self._waits_in, self._waited_since = label, time.monotonic()
        self._begin([])

    def _do_ask(self, label: str) -> None:
        def answered() -> None:
            self._answer(named=all(client.answer["missing"].startswith("0") for client in self.all))

        self._begin(self.all, answered)
        self._token += 1
        question = body({"t": "who", "token": self._token, "label": label, "of": self._group, "position": 0})
        for client in self.all:
            client.say("who", question)

    def _do_warned(self) -> None:
        # The wait has lasted for so long that all who wait are told who is late.
        def answered() -> None:
            self._answer(named=all(client.answer["missing"] == "0" for client in self.all))

        self._waited_since -= 10.0
        self._begin(self.all, answered)
        for client in self.all:
            client.say("report", self.report())

    def _do_comes(self, label: str, kind: str) -> None:
        # The values of the meeting that all wait in; process 0 may have come before this command.
        self._waited_since = 0.0
        self._begin([client for client in self.all if (client.answer or {"t": ""})["t"] != "values"])

    def _do_fail(self) -> None:
        # Another program's client may have failed the job before this command.
        self._begin([client for client in self.all if client.failure is None])
        if self.all[-1].process == self.count - 1:
            fact = {"kind": "aborted", "process": self.count - 1, "reason": "a test"}
            self.all[-1].say("fail", body({"t": "fail", "failure": fact}))

    def _do_end(self) -> None:
        self._begin(self.all)
        self._token += 1
        said = body({"t": "closing", "token": self._token, **self._progress()})
        for client in self.all:
            client.say("closing", said)


def value_of(process: int, kind: str) -> bytes:
    """What a process brings to a meeting: nothing, what all bring, or an address of its own."""
    if kind == "barrier":
        return b""
    if kind == "equal":
        return hashlib.sha256(b"the program").digest()
    return f"10.{process >> 16}.{process >> 8 & 255}.{process & 255}:{40000 + process % 20011}".encode()


if __name__ == "__main__":
    address, secret, first, last, count = sys.argv[1:]
    host, _, port = address.partition(":")
    Clients((host, int(port)), secret.encode(), int(first), int(last), int(count)).run()
