# SPDX-License-Identifier: Apache-2.0
"""This process's part of a group: its ranks, and their NCCL communicators."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .layout import Layout
from .local_rank import LocalRank, Participant
from .nccl_communicators import NcclCommunicators


class LocalGroup:
    """The ranks of this process in one communicator.

    Args:
        layout: The ranks of all participants.
        ranks: This process's ranks, in ascending order.
        nccl: Their NCCL communicators; None where the whole group is on one GPU of this process.
    """

    def __init__(self, layout: Layout, ranks: Sequence[LocalRank], nccl: NcclCommunicators | None) -> None:
        self.layout, self.ranks, self.nccl = layout, tuple(ranks), nccl
        self._at = {participant.position: (rank, participant) for rank in ranks for participant in rank.participants}

    def at(self, position: int) -> tuple[LocalRank, Participant]:
        """The rank and the entry of one of this process's participants."""
        return self._at[position]

    def call(self, function: str, rank: LocalRank, *arguments: Any) -> None:
        """Calls NCCL for a rank, in its stream."""
        if self.nccl is not None:
            rank.context.gpu.use(rank.context.ordinal)
            self.nccl.library.call(function, *arguments, self.nccl.handle(rank.index), rank.context.stream.ptr)
            rank.context.ticks += 1
