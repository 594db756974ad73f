"""The connected processes of a job, or of a part of it."""

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
from .engine import Engine, Job
from .mesh import connect_all

_START_TIME = 60.0


class TcpWorld:
    """Processes of a job, each connected with each.

    Args:
        rendezvous: How the processes find each other.
        processes: Their indices, ascending, this one's among them.
    """

    _current: ClassVar[dict[tuple[int, ...], TcpWorld]] = {}  # by processes; of one job

    def __init__(self, rendezvous: Rendezvous, processes: Sequence[int]) -> None:
        self.rendezvous, self._processes = rendezvous, processes
        self._numbering = CommunicatorIds("tcp", rendezvous)
        self._engine: Engine | None = None
        self._error: BaseException | None = None
        self._is_up = threading.Event()
        self._thread = start_thread(self._bring_up, "olympus-tcp-start", "connecting the processes")

    @classmethod
    def begin(cls, rendezvous: Rendezvous, processes: Sequence[int] | None = None) -> TcpWorld:
        """The world of some processes, of all by default; begins to connect at the first call, which each makes."""
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
        number = self._numbering.agree(group, 1 << 32)
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
                "See whether a firewall stands between the machines.")
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
        except Exception:  # noqa: BLE001  (it never came up: nothing to close)
            pass


class _GroupMover:
    """The engine, for one group: its tags."""

    def __init__(self, engine: Engine, first_tag: int) -> None:
        self._engine, self._next_tag = engine, first_tag
        self._jobs: list[Job] = []

    def begin(self, steps: Steps, what: str) -> Job:
        self._next_tag += 1
        job = self._engine.begin(steps, what, self._next_tag)
        if not job.is_done():
            self._jobs = [other for other in self._jobs if not other.is_done()]
            self._jobs.append(job)
        return job

    def abort(self, reason: str) -> None:
        self._engine.abandon(self._jobs, reason)

    def close(self) -> None:
        """What is under way stays under way: others may still need its messages."""
