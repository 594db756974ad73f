# SPDX-License-Identifier: Apache-2.0
"""The ranks of a group: NCCL has one rank for each GPU of each process, and devices of one GPU share its rank."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True, slots=True)
class GpuLocation:
    """The GPU of a device of a group.

    Args:
        process: Its process.
        ordinal: Its ordinal in that process.
        bus_id: A name of the GPU that is unique among all machines.
    """

    process: int
    ordinal: int
    bus_id: str


@dataclass(frozen=True)
class Layout:
    """The ranks of a group: its GPUs, in the order of their first devices.

    Args:
        locations: The GPU of each participant, in the order of the group. A participant is a device of the group.

    Example:
        >>> a, b = GpuLocation(0, 0, "a"), GpuLocation(1, 0, "b")
        >>> Layout((b, a, b)).participants
        ((0, 2), (1,))
    """

    locations: tuple[GpuLocation, ...]

    @cached_property
    def ranks(self) -> tuple[GpuLocation, ...]:
        """The GPU of each rank."""
        return tuple(dict.fromkeys(self.locations))

    @cached_property
    def participants(self) -> tuple[tuple[int, ...], ...]:
        """The participants of each rank, by their positions in the group."""
        return tuple(tuple(i for i, s in enumerate(self.locations) if s == rank) for rank in self.ranks)

    @cached_property
    def rank_of(self) -> tuple[int, ...]:
        """The rank of each participant."""
        return tuple(self.ranks.index(location) for location in self.locations)

    @cached_property
    def slots(self) -> tuple[int, ...]:
        """The index of each participant when the participants are ordered by rank."""
        order = [position for positions in self.participants for position in positions]
        return tuple(order.index(i) for i in range(len(self.locations)))

    @property
    def size(self) -> int:
        """Number of participants."""
        return len(self.locations)

    @property
    def even(self) -> int | None:
        """The number of participants of every rank; None where it differs."""
        sizes = {len(positions) for positions in self.participants}
        return sizes.pop() if len(sizes) == 1 else None

    def offset(self, rank: int) -> int:
        """The index of a rank's first participant when the participants are ordered by rank."""
        return sum(len(positions) for positions in self.participants[:rank])

    @property
    def shared_gpu(self) -> tuple[int, ...]:
        """Processes that share one GPU, which NCCL does not support."""
        by_gpu: dict[str, list[int]] = {}
        for rank in self.ranks:
            by_gpu.setdefault(rank.bus_id, []).append(rank.process)
        return next((tuple(sorted(p)) for p in by_gpu.values() if len(p) > 1), ())

