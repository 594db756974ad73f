"""The connected processes of a job, or of a subset of them."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from typing import ClassVar

from olympus_core.errors.platform import TransportUnavailableError
from olympus_core.plugin import Group, Rendezvous
from olympus_core.toolkit import MoverCommunicator, Steps, start_thread

from ...buffer import CpuBuffer
from ..communicator_ids import CommunicatorIds
from .engine import Engine, TcpRequest
from .mesh import connect_all

_START_TIME = 60.0


class TcpWorld:
    """Processes of a job, connected pairwise.

    Args:
        rendezvous: Exchanges addresses between the processes.
        processes: Their indices, ascending, this one's among them.
    """

    _current: ClassVar[dict[tuple[int, ...], TcpWorld]] = {}  # by their processes; of one job

    def __init__(self, rendezvous: Rendezvous, processes: Sequence[int]) -> None:
        self.rendezvous, self._processes = rendezvous, processes
        self._ids = CommunicatorIds("tcp", rendezvous)
        self._engine: Engine | None = None
        self._error: BaseException | None = None
        self._is_up = threading.Event()
        self._thread = start_thread(self._bring_up, "olympus-tcp-start", "connecting the processes")

    @classmethod
    def begin(cls, rendezvous: Rendezvous, processes: Sequence[int] | None = None) -> TcpWorld:
        """The world of some processes (all by default); begins to connect at the first call, which each makes."""
        members = tuple(range(rendezvous.process_count) if processes is None else processes)
        world = cls._current.get(members)
        if world is None or world.rendezvous is not rendezvous:
            world = cls._current[members] = cls(rendezvous, members)
        return world

    @classmethod
    def end(cls) -> None:
        """Closes the connections if there are any."""
        while cls._current:
            cls._current.popitem()[1]._close()

    def communicator(self, group: Group) -> MoverCommunicator:
        """A communicator of devices; called by all processes that own one, in the same order."""
        engine = self._wait_until_up()
        number = self._ids.agree(group, 1 << 32)
        return MoverCommunicator(group, _GroupMover(engine, number << 32), CpuBuffer)

    def _wait_until_up(self) -> Engine:
        deadline = time.monotonic() + _START_TIME
        while not self._is_up.wait(0.01):
            self.rendezvous.check()
            if time.monotonic() > deadline:
                break
        if self._error is not None:
            raise self._error
        if self._engine is None:
            raise TransportUnavailableError(
                "tcp", f"the processes were not connected in {_START_TIME:.0f} s",
                "Check whether a firewall blocks connections between the machines.")
        return self._engine

    def _bring_up(self) -> None:
        try:
            self._engine = Engine(connect_all(self.rendezvous, self._processes, _START_TIME), self.rendezvous)
        except BaseException as error:  # noqa: BLE001  (raised by whoever needs the world)
            self._error = error
        finally:
            self._is_up.set()

    def _close(self) -> None:
        try:
            self._wait_until_up().close()
        except Exception:  # noqa: BLE001  (it never connected: nothing to close)
            pass


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
