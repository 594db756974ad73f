# SPDX-License-Identifier: Apache-2.0
"""The TCP transport of this process: one listening port, links on demand."""

from __future__ import annotations

import atexit
import hashlib
import json
import threading
from collections.abc import Sequence
from typing import ClassVar

from olympus_core.errors.platform import TransportError
from olympus_core.network import bind_port
from olympus_core.plugin import Group, Rendezvous
from olympus_core.toolkit import MoverCommunicator, Steps, start_thread

from ...buffer import CpuBuffer
from ..addresses import address_towards
from ..communicator_ids import CommunicatorIds
from .connector import Limits
from .engine import Engine
from .link import ASK
from .request import TcpRequest

_BACKLOG = 128  # connections that the system keeps until they are accepted
_MOST_ADDRESS = 256  # bytes of a process's address
_EXIT_TIME = 2.0  # seconds, at the program's end, for the others to take in what was sent to them


class TcpWorld:
    """The links of this process to others of a job.

    Args:
        rendezvous: Exchanges addresses between the processes.
        limits: How long connections may take.
    """

    _current: ClassVar[TcpWorld | None] = None

    def __init__(self, rendezvous: Rendezvous, limits: Limits) -> None:
        self.rendezvous = rendezvous
        self._ids = CommunicatorIds("tcp", rendezvous)
        self._lock = threading.Lock()
        self._met: dict[tuple[int, ...], BaseException | None] = {}  # groups that have exchanged addresses; or why not
        own = rendezvous.process_index
        # The smaller index dials, so nobody dials process 0. The others use this address only.
        listener = None if own == 0 else bind_port(address_towards(rendezvous), _BACKLOG)
        self._address = json.dumps(None if listener is None else listener.getsockname()[:2]).encode()
        try:
            self._engine = Engine(rendezvous, listener, limits)
        except BaseException:
            if listener is not None:
                listener.close()
            raise
        atexit.register(self._engine.settle, ASK, _EXIT_TIME)

    @classmethod
    def begin(cls, rendezvous: Rendezvous, limits: Limits) -> TcpWorld:
        """The world of a job, made at the first call."""
        world = cls._current
        if world is None or world.rendezvous is not rendezvous:
            cls.end()
            world = cls._current = cls(rendezvous, limits)
        return world

    @classmethod
    def end(cls) -> None:
        """Closes the links if there are any."""
        world, cls._current = cls._current, None
        if world is not None:
            atexit.unregister(world._engine.settle)
            world._engine.close()

    def prepare(self) -> None:
        """Exchanges the addresses of all processes in the background; called by all."""
        start_thread(self._meet, "olympus-tcp-start", "exchanging addresses", self._all())

    def communicator(self, group: Group, processes: Sequence[int] | None = None) -> MoverCommunicator:
        """A communicator of devices; called by all processes that own one, in the same order.

        Args:
            group: The devices.
            processes: Who takes part in this call, ascending; all processes of the job have called `prepare` when None.
        """
        error = self._meet(self._all() if processes is None else tuple(processes))
        if error is not None:
            raise error
        number = self._ids.agree(group, 1 << 32)
        return MoverCommunicator(group, _GroupMover(self._engine, number << 32), CpuBuffer)

    def _all(self) -> tuple[int, ...]:
        return tuple(range(self.rendezvous.process_count))

    def _meet(self, processes: tuple[int, ...]) -> BaseException | None:
        """Exchanges addresses, once for a group; returns why that failed."""
        with self._lock:
            if processes not in self._met:
                try:
                    digest = hashlib.sha256(repr(list(processes)).encode()).hexdigest()[:16]
                    label = f"tcp addresses of {len(processes)} processes {digest}"
                    answers = self.rendezvous.exchange(label, self._address, processes)
                    own = self.rendezvous.process_index
                    self._engine.know({p: address_of(p, answer) for p, answer in zip(processes, answers, strict=True)
                                       if p > own})
                    self._met[processes] = None
                except BaseException as error:  # noqa: BLE001  (raised by whoever needs a communicator)
                    self._met[processes] = error
            return self._met[processes]


class _GroupMover:
    """The engine for one group: its tags."""

    def __init__(self, engine: Engine, first_tag: int) -> None:
        self._engine, self._next_tag = engine, first_tag
        self._requests: list[TcpRequest] = []

    def begin(self, steps: Steps, what: str) -> TcpRequest:
        self._next_tag += 1
        request = self._engine.begin(steps, what, self._next_tag)
        if not request.is_done():
            self._requests = [other for other in self._requests if not other.is_done()]
            self._requests.append(request)
        return request

    def abort(self, reason: str) -> None:
        self._engine.abandon(self._requests, reason)

    def close(self) -> None:
        """Leaves communications under way, because other processes may still need their messages."""


def address_of(process: int, text: bytes) -> tuple[str, int]:
    """Where a process listens, as it has told.

    Raises:
        TransportError: It tells no address.
    """
    try:
        host, port = json.loads(text) if len(text) <= _MOST_ADDRESS else (None, None)
        if isinstance(host, str) and type(port) is int and 0 < port < 1 << 16:
            return host, port
    except (ValueError, TypeError, RecursionError):
        pass
    raise TransportError("tcp", f"connecting to process {process}", "it tells no address")
