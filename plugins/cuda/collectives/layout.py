"""Which participants of a group stand on which GPU: one rank of NCCL for each GPU of each process."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True, slots=True)
class GpuLocation:
    """Where a participant of a group is.

    Args:
        process: Its process.
        ordinal: Its GPU, as its process counts them.
        card: The GPU's identity, which no other GPU of any machine has.
    """

    process: int
    ordinal: int
    card: str


@dataclass(frozen=True)
class Layout:
    """The ranks of a group: its GPUs, in the order of their first participants.

    Args:
        locations: The participants' ranks, in the group's order.

    Example:
        >>> a, b = GpuLocation(0, 0, "a"), GpuLocation(1, 0, "b")
        >>> Layout((b, a, b)).participants
        ((0, 2), (1,))
    """

    locations: tuple[GpuLocation, ...]

    @cached_property
    def ranks(self) -> tuple[GpuLocation, ...]:
        """Each rank's rank."""
        return tuple(dict.fromkeys(self.locations))

    @cached_property
    def participants(self) -> tuple[tuple[int, ...], ...]:
        """Each rank's participants, by their positions in the group."""
        return tuple(tuple(i for i, s in enumerate(self.locations) if s == rank) for rank in self.ranks)

    @cached_property
    def rank_of(self) -> tuple[int, ...]:
        """Each participant's rank."""
        return tuple(self.ranks.index(location) for location in self.locations)

    @cached_property
    def slots(self) -> tuple[int, ...]:
        """Each participant's rank when all ranks' participants stand one after the other."""
        order = [position for positions in self.participants for position in positions]
        return tuple(order.index(i) for i in range(len(self.locations)))

    @property
    def size(self) -> int:
        """Number of participants."""
        return len(self.locations)

    @property
    def even(self) -> int | None:
        """How many participants every rank has; None where that differs."""
        sizes = {len(positions) for positions in self.participants}
        return sizes.pop() if len(sizes) == 1 else None

    def offset(self, rank: int) -> int:
        """How many participants stand before a rank's own when all stand one after the other."""
        return sum(len(positions) for positions in self.participants[:rank])

    @property
    def shared_card(self) -> tuple[int, ...]:
        """Processes that use one GPU together, which NCCL refuses."""
        by_card: dict[str, list[int]] = {}
        for rank in self.ranks:
            by_card.setdefault(rank.card, []).append(rank.process)
        return next((tuple(sorted(p)) for p in by_card.values() if len(p) > 1), ())

