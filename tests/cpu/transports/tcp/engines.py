"""Engines of several processes in one, and proxies between them that lose connections."""

from __future__ import annotations

import random
import socket
import struct
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

import numpy as np

from olympus_core.toolkit import Members, Steps
from olympus_cpu.transports.tcp.connector import Limits
from olympus_cpu.transports.tcp.engine import Engine
from olympus_cpu.transports.tcp.request import TcpRequest

from ..test_pmi import Meeting, Rendezvous

_RESET = struct.pack("ii", 1, 0)  # SO_LINGER: the connection is reset when it is closed


class Proxy:
    """Passes connections on to an address, and resets each after a number of bytes; a context manager.

    Args:
        target: Where a process listens.
        budget: Bytes until the next reset; called for each connection.
    """

    def __init__(self, target: tuple[str, int], budget: Callable[[], float]) -> None:
        self._target, self._budget = target, budget
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address: tuple[str, int] = self._listener.getsockname()
        self.resets = 0
        self._open: set[socket.socket] = set()
        self._threads = [threading.Thread(target=self._accept, daemon=True)]
        self._threads[0].start()

    def __enter__(self) -> Proxy:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for one in list(self._open):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(10)
            assert not thread.is_alive()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            try:
                far = socket.create_connection(self._target, 5)
            except OSError:
                near.close()
                continue
            self._open |= {near, far}
            left = [self._budget()]
            for pair in ((near, far), (far, near)):
                thread = threading.Thread(target=self._pass, args=(*pair, left), daemon=True)
                self._threads.append(thread)
                thread.start()

    def _pass(self, source: socket.socket, target: socket.socket, left: list[float]) -> None:
        with suppress(OSError):
            while data := source.recv(1 << 16):
                left[0] -= len(data)
                if left[0] < 0:
                    self.resets += 1
                    break
                target.sendall(data)
        for one in (source, target):
            with suppress(OSError):
                one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
                one.shutdown(socket.SHUT_RDWR)
            one.close()
            self._open.discard(one)


class Engines:
    """One engine for each process of a job; a context manager that closes them.

    Args:
        count: Number of processes.
        limits: How long connections may take.
        through: What each dialled address is replaced with.
        **attributes: Of each rendezvous.
    """

    def __init__(
        self, count: int, limits: Limits = Limits(),
        through: Callable[[tuple[str, int]], tuple[str, int]] = lambda address: address, **attributes: object,
    ) -> None:
        meeting = Meeting(count)
        self._departed: set[int] = set()
        self.rendezvous = [Rendezvous(p, meeting, ["a"] * count) for p in range(count)]
        for rendezvous in self.rendezvous:
            vars(rendezvous).update(attributes, departed=self._departed)
        listeners = [None if p == 0 else socket.create_server(("127.0.0.1", 0)) for p in range(count)]
        self.addresses = {p: found.getsockname() for p, found in enumerate(listeners) if found is not None}
        self.engines = [Engine(r, found, limits) for r, found in zip(self.rendezvous, listeners, strict=True)]
        for engine in self.engines:
            engine.know({p: through(address) for p, address in self.addresses.items()})
        self._tag = 0

    def __enter__(self) -> Engines:
        return self

    def __exit__(self, *_: object) -> None:
        threads = [threading.Thread(target=self._close, args=(p,)) for p in range(len(self.engines))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(20)
            assert not thread.is_alive()

    def _close(self, process: int) -> None:
        self.engines[process].close()
        self._departed.add(process)

    def begin(self, make: Callable[[Members, int], Steps], what: str = "a test") -> list[TcpRequest]:
        """Starts one communication in all processes.

        Args:
            make: The steps of a process: of its members (one device for each process), and its index.
            what: Its name.
        """
        self._tag += 1
        count = len(self.engines)
        return [engine.begin(make(Members(p, range(count)), p), what, self._tag)
                for p, engine in enumerate(self.engines)]

    def run(self, make: Callable[[Members, int], Steps], timeout: float = 30.0) -> list[list[np.ndarray]]:
        """Runs one communication in all processes, and returns what each has."""
        deadline = time.monotonic() + timeout
        return [request.wait(deadline) for request in self.begin(make)]


def budgets(seed: int, most: int) -> Callable[[], float]:
    """Random numbers of bytes, of all orders of magnitude."""
    random_ = random.Random(seed)
    return lambda: most ** random_.random() * 300


def blocks(seed: int, count: int, sizes: Sequence[int]) -> list[list[np.ndarray]]:
    """For each size everybody's values."""
    random_ = np.random.default_rng(seed)
    return [[random_.integers(0, 1 << 20, size).astype(np.float32) for _ in range(count)] for size in sizes]
