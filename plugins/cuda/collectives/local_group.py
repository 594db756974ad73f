"""This process's part in a group: its ranks, and NCCL between all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .layout import Layout
from .local_rank import LocalRank, Participant
from .nccl_communicators import NcclCommunicators


class LocalGroup:
    """The ranks of one communicator.

    Args:
        layout: All participants' ranks.
        ranks: This process's, in the order of their ranks.
        nccl: NCCL's communicators of them; None where the whole group stands on one GPU of this process.
    """

    def __init__(self, layout: Layout, ranks: Sequence[LocalRank], nccl: NcclCommunicators | None) -> None:
        self.layout, self.ranks, self.nccl = layout, tuple(ranks), nccl
        self._at = {participant.position: (rank, participant) for rank in ranks for participant in rank.participants}

    def at(self, position: int) -> tuple[LocalRank, Participant]:
        """Where one of this process's participants is."""
        return self._at[position]

    def call(self, function: str, rank: LocalRank, *arguments: Any) -> None:
        """Calls NCCL for a rank, in its stream."""
        if self.nccl is not None:
            rank.context.gpu.use(rank.context.ordinal)
            self.nccl.library.call(function, *arguments, self.nccl.handle(rank.index), rank.context.stream.ptr)
            rank.context.ticks += 1
