# SPDX-License-Identifier: Apache-2.0
"""The communicator of devices whose processes share a machine."""

from __future__ import annotations

from collections.abc import Sequence

from olympus_core.plugin import Buffer, Group, Pending, Reduction, Transfer
from olympus_core.toolkit import Members, MoverCommunicator, Steps, collectives

from ...buffer import CpuBuffer
from . import slot_collectives
from .engine import CollectiveCoroutine, CollectiveQueue, Engine, SharedRequest
from .piece_counters import PieceCounters
from .region import Layout, Region
from .ring_buffers import RingBuffers
from .slot_collectives import SlotCollectives


class SharedCommunicator:
    """Collectives that all processes read, and large ones, use slots and segments; small messages use ring buffers.

    Args:
        group: The devices.
        region: The shared file of their processes.
        engine: This process's engine.
    """

    def __init__(self, group: Group, region: Region, engine: Engine) -> None:
        self.group = group
        members = self._members = Members.of(group)
        counters = PieceCounters(region, members.index)
        self._region = region
        self._queue = CollectiveQueue(engine, region.words, region.layout.counters_of(members.index) + Layout.ASLEEP)
        self._collectives = SlotCollectives(counters, members)
        self._ring_buffers = RingBuffers(counters, members)
        self._messages = MoverCommunicator(group, _RingMover(self._queue, self._ring_buffers), CpuBuffer)
        self._devices = [group.devices[p] for p in group.local_positions]

    def all_reduce(self, inputs: Sequence[Buffer], reduction: Reduction) -> Pending:
        """See `Communicator.all_reduce`."""
        return self._begin(self._collectives.all_reduce([b.to_host() for b in inputs], reduction), "all_reduce")

    def all_gather(self, inputs: Sequence[Buffer], dimension: int) -> Pending:
        """See `Communicator.all_gather`."""
        return self._begin(self._collectives.all_gather([b.to_host() for b in inputs], dimension), "all_gather")

    def reduce_scatter(self, inputs: Sequence[Buffer], dimension: int, reduction: Reduction) -> Pending:
        """See `Communicator.reduce_scatter`."""
        if not self._collectives.can_scatter:
            return self._messages.reduce_scatter(inputs, dimension, reduction)
        arrays = [b.to_host() for b in inputs]
        return self._begin(self._collectives.reduce_scatter(arrays, dimension, reduction), "reduce_scatter")

    def broadcast(self, inputs: Sequence[Buffer], source: int) -> Pending:
        """See `Communicator.broadcast`."""
        return self._begin(self._collectives.broadcast([b.to_host() for b in inputs], source), "broadcast")

    def all_to_all(self, inputs: Sequence[Buffer], split_dimension: int, concat_dimension: int) -> Pending:
        """See `Communicator.all_to_all`."""
        arrays = [b.to_host() for b in inputs]
        if self._members.size * arrays[0].nbytes < slot_collectives.SPREAD_BYTES:
            return self._messages.all_to_all(inputs, split_dimension, concat_dimension)

        def by_messages() -> CollectiveCoroutine:
            return self._ring_buffers.run(
                collectives.all_to_all(self._members, arrays, split_dimension, concat_dimension))

        collective = self._collectives.all_to_all(arrays, split_dimension, concat_dimension, by_messages)
        return self._begin(collective, "all_to_all")

    def permute(self, inputs: Sequence[Buffer], pairs: Sequence[tuple[int, int]]) -> Pending:
        """See `Communicator.permute`."""
        arrays = [b.to_host() for b in inputs]
        if len(pairs) * arrays[0].nbytes < slot_collectives.SPREAD_BYTES:
            return self._messages.permute(inputs, pairs)

        def by_messages() -> CollectiveCoroutine:
            return self._ring_buffers.run(collectives.permute(self._members, arrays, pairs))

        return self._begin(self._collectives.permute(arrays, pairs, by_messages), "permute")

    def exchange(self, sends: Sequence[Transfer], receives: Sequence[Transfer]) -> Pending:
        """See `Communicator.exchange`."""
        return self._messages.exchange(sends, receives)

    def barrier(self) -> Pending:
        """See `Communicator.barrier`."""
        return self._queue.begin(self._collectives.barrier(), "barrier", ())

    def abort(self, reason: str) -> None:
        """See `Communicator.abort`."""
        self._queue.abort(reason)

    def close(self) -> None:
        """See `Communicator.close`."""
        self._region.close()

    def _begin(self, collective: CollectiveCoroutine, what: str) -> Pending:
        return self._queue.begin(collective, what, self._devices)


class _RingMover:
    """The ring buffers as the toolkit's mover of messages."""

    def __init__(self, queue: CollectiveQueue, ring_buffers: RingBuffers) -> None:
        self._queue, self._ring_buffers = queue, ring_buffers

    def begin(self, steps: Steps, what: str) -> SharedRequest:
        return self._queue.begin(self._ring_buffers.run(steps), what, ())

    def abort(self, reason: str) -> None:
        self._queue.abort(reason)

    def close(self) -> None:
        """Nothing to close: the file belongs to the communicator."""
