# SPDX-License-Identifier: Apache-2.0
"""Point-to-point messages between the participants of a group."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .local_group import LocalGroup
from .nccl_types import BYTES


@dataclass(frozen=True, slots=True)
class Message:
    """One message, as seen by its sender or by its receiver.

    Args:
        origin: Position of the sender.
        destination: Position of the receiver.
        nbytes: Its size.
        source: The address of its content; None on the receiving side.
        target: The address of the receive buffer; None on the sending side.
    """

    origin: int
    destination: int
    nbytes: int
    source: int | None = None
    target: int | None = None


def enqueue(group: LocalGroup, messages: Sequence[Message]) -> Callable[[], None] | None:
    """Enqueues the messages that stay on their GPU; returns the NCCL calls for the others, or None without any.

    NCCL matches the messages between two ranks in the order of the calls: both sides order them by sender, then by
    receiver, then as they were given.
    """
    rank_of = group.layout.rank_of
    here: dict[tuple[int, int], deque[int]] = {}
    away: list[Message] = []
    for message in messages:
        if rank_of[message.origin] != rank_of[message.destination]:
            away.append(message)
        elif message.source is not None:
            here.setdefault((message.origin, message.destination), deque()).append(message.source)
    for message in messages:
        if message.target is not None and rank_of[message.origin] == rank_of[message.destination]:
            rank, _ = group.at(message.destination)
            rank.copy(message.target, here[message.origin, message.destination].popleft(), message.nbytes)
    away = sorted((m for m in away if m.nbytes), key=lambda m: (m.origin, m.destination))
    if not away:
        return None

    def call() -> None:
        for message in away:
            if message.source is not None:
                rank, _ = group.at(message.origin)
                group.call("ncclSend", rank, message.source, message.nbytes, BYTES, rank_of[message.destination])
            if message.target is not None:
                rank, _ = group.at(message.destination)
                group.call("ncclRecv", rank, message.target, message.nbytes, BYTES, rank_of[message.origin])

    return call
