"""The communicator of devices whose processes share a machine."""

from __future__ import annotations

from collections.abc import Sequence

from olympus_core.plugin import Buffer, Group, Pending, Reduction, Transfer
from olympus_core.toolkit import Members, MoverCommunicator, Steps, collectives

from ...buffer import CpuBuffer
from . import streams
from .engine import Engine, Job, Line, Moves
from .region import Layout, Region
from .rings import Rings
from .streams import Streams
from .window import Counting


class SharedCommunicator:
    """What all read, and what is large, goes through slots and segments; small messages go through rings.

    Args:
        group: The devices.
        region: The file of their processes.
        engine: This process's engine.
    """

    def __init__(self, group: Group, region: Region, engine: Engine) -> None:
        self.group = group
        members = self._members = Members.of(group)
        counting = Counting(region, members.index)
        self._region = region
        self._line = Line(engine, region.words, region.layout.line(members.index) + Layout.ASLEEP)
        self._streams = Streams(counting, members)
        self._rings = Rings(counting, members)
        self._messages = MoverCommunicator(group, _RingMover(self._line, self._rings), CpuBuffer)
        self._devices = [group.devices[p] for p in group.local_positions]

    def all_reduce(self, inputs: Sequence[Buffer], reduction: Reduction) -> Pending:
        """See `Communicator.all_reduce`."""
        return self._begin(self._streams.all_reduce([b.to_host() for b in inputs], reduction), "all_reduce")

    def all_gather(self, inputs: Sequence[Buffer], dimension: int) -> Pending:
        """See `Communicator.all_gather`."""
        return self._begin(self._streams.all_gather([b.to_host() for b in inputs], dimension), "all_gather")

    def reduce_scatter(self, inputs: Sequence[Buffer], dimension: int, reduction: Reduction) -> Pending:
        """See `Communicator.reduce_scatter`."""
        if not self._streams.can_scatter:
            return self._messages.reduce_scatter(inputs, dimension, reduction)
        arrays = [b.to_host() for b in inputs]
        return self._begin(self._streams.reduce_scatter(arrays, dimension, reduction), "reduce_scatter")

    def broadcast(self, inputs: Sequence[Buffer], source: int) -> Pending:
        """See `Communicator.broadcast`."""
        return self._begin(self._streams.broadcast([b.to_host() for b in inputs], source), "broadcast")

    def all_to_all(self, inputs: Sequence[Buffer], split_dimension: int, concat_dimension: int) -> Pending:
        """See `Communicator.all_to_all`."""
        arrays = [b.to_host() for b in inputs]
        if self._members.size * arrays[0].nbytes < streams.SPREAD_BYTES:
            return self._messages.all_to_all(inputs, split_dimension, concat_dimension)

        def by_messages() -> Moves:
            return self._rings.move(
                collectives.all_to_all(self._members, arrays, split_dimension, concat_dimension))

        moves = self._streams.all_to_all(arrays, split_dimension, concat_dimension, by_messages)
        return self._begin(moves, "all_to_all")

    def permute(self, inputs: Sequence[Buffer], pairs: Sequence[tuple[int, int]]) -> Pending:
        """See `Communicator.permute`."""
        arrays = [b.to_host() for b in inputs]
        if len(pairs) * arrays[0].nbytes < streams.SPREAD_BYTES:
            return self._messages.permute(inputs, pairs)

        def by_messages() -> Moves:
            return self._rings.move(collectives.permute(self._members, arrays, pairs))

        return self._begin(self._streams.permute(arrays, pairs, by_messages), "permute")

    def exchange(self, sends: Sequence[Transfer], receives: Sequence[Transfer]) -> Pending:
        """See `Communicator.exchange`."""
        return self._messages.exchange(sends, receives)

    def barrier(self) -> Pending:
        """See `Communicator.barrier`."""
        return self._line.begin(self._streams.barrier(), "barrier", ())

    def abort(self, reason: str) -> None:
        """See `Communicator.abort`."""
        self._line.abort(reason)

    def close(self) -> None:
        """See `Communicator.close`."""
        self._region.close()

    def _begin(self, moves: Moves, what: str) -> Pending:
        return self._line.begin(moves, what, self._devices)


class _RingMover:
    """The rings as the toolkit's mover."""

    def __init__(self, line: Line, rings: Rings) -> None:
        self._line, self._rings = line, rings

    def begin(self, steps: Steps, what: str) -> Job:
        return self._line.begin(self._rings.move(steps), what, ())

    def abort(self, reason: str) -> None:
        self._line.abort(reason)

    def close(self) -> None:
        """The group's file is the communicator's."""
