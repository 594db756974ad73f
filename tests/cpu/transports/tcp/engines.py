# SPDX-License-Identifier: Apache-2.0
"""Engines of several processes in one."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable

import numpy as np

from olympus_core.toolkit import Members, Steps
from olympus_cpu.transports.tcp.connector import Limits
from olympus_cpu.transports.tcp.engine import Engine
from olympus_cpu.transports.tcp.request import TcpRequest

from ..test_pmi import Meeting, Rendezvous


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
