# SPDX-License-Identifier: Apache-2.0
"""Collectives among devices of one process: arrays in, arrays out, in memory."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from olympus_core.plugin import Buffer, Device, Group, Pending, Reduction, Transfer

from .arrays import ArrayBuffer
from .reduce import reduce_members

Members = Sequence[np.ndarray]


def all_reduce(members: Members, attributes: Mapping[str, Any]) -> list[np.ndarray]:
    """Every member gets the same array: nobody may write to it."""
    return [reduce_members(members, attributes["reduction"])] * len(members)


def all_gather(members: Members, attributes: Mapping[str, Any]) -> list[np.ndarray]:
    """Every member gets all members' arrays, concatenated."""
    return [np.concatenate(members, attributes["dimension"])] * len(members)


def reduce_scatter(members: Members, attributes: Mapping[str, Any]) -> list[np.ndarray]:
    """Member i gets part i of the reduction."""
    whole = reduce_members(members, attributes["reduction"])
    return [part.copy() for part in np.split(whole, len(members), attributes["dimension"])]


def all_to_all(members: Members, attributes: Mapping[str, Any]) -> list[np.ndarray]:
    """Member i gets part i of every member's array, concatenated."""
    pieces = [np.split(m, len(members), attributes["split_dimension"]) for m in members]
    return [np.concatenate([p[i] for p in pieces], attributes["concat_dimension"]) for i in range(len(members))]


def permute(members: Members, attributes: Mapping[str, Any]) -> list[np.ndarray]:
    """Targets get their source's array, the others zeros."""
    sources = {target: source for source, target in attributes["pairs"]}
    zeros: np.ndarray | None = None
    results = []
    for i, member in enumerate(members):
        if i in sources:
            results.append(members[sources[i]])
        else:
            zeros = np.zeros_like(member) if zeros is None else zeros
            results.append(zeros)
    return results


def broadcast(members: Members, attributes: Mapping[str, Any]) -> list[np.ndarray]:
    """Every member gets the source's array."""
    return [members[attributes["source"]]] * len(members)


LOCAL_COLLECTIVES: dict[str, Callable[[Members, Mapping[str, Any]], list[np.ndarray]]] = {
    "all_reduce": all_reduce, "all_gather": all_gather, "reduce_scatter": reduce_scatter,
    "all_to_all": all_to_all, "permute": permute, "broadcast": broadcast,
}


class Finished:
    """A communication that was done when it was started.

    Args:
        buffers: Its results.
    """

    def __init__(self, buffers: list[Any]) -> None:
        self._buffers = buffers

    def is_done(self) -> bool:
        """Always."""
        return True

    def result(self, deadline: float) -> list[Any]:
        """The buffers, at once."""
        return self._buffers


class LocalCommunicator:
    """The communicator of a group whose devices all belong to this process.

    Args:
        group: The devices.
        wrap: Makes a buffer of an array and its device.
    """

    def __init__(self, group: Group, wrap: Callable[[Any, Device], Any] = ArrayBuffer) -> None:
        self.group, self._wrap = group, wrap

    def all_reduce(self, inputs: Sequence[Buffer], reduction: Reduction) -> Pending:
        """See `Communicator.all_reduce`."""
        return self._run("all_reduce", inputs, reduction=reduction)

    def all_gather(self, inputs: Sequence[Buffer], dimension: int) -> Pending:
        """See `Communicator.all_gather`."""
        return self._run("all_gather", inputs, dimension=dimension)

    def reduce_scatter(self, inputs: Sequence[Buffer], dimension: int, reduction: Reduction) -> Pending:
        """See `Communicator.reduce_scatter`."""
        return self._run("reduce_scatter", inputs, dimension=dimension, reduction=reduction)

    def all_to_all(self, inputs: Sequence[Buffer], split_dimension: int, concat_dimension: int) -> Pending:
        """See `Communicator.all_to_all`."""
        return self._run("all_to_all", inputs, split_dimension=split_dimension, concat_dimension=concat_dimension)

    def permute(self, inputs: Sequence[Buffer], pairs: Sequence[tuple[int, int]]) -> Pending:
        """See `Communicator.permute`."""
        return self._run("permute", inputs, pairs=pairs)

    def broadcast(self, inputs: Sequence[Buffer], source: int) -> Pending:
        """See `Communicator.broadcast`."""
        return self._run("broadcast", inputs, source=source)

    def exchange(self, sends: Sequence[Transfer], receives: Sequence[Transfer]) -> Pending:
        """See `Communicator.exchange`."""
        waiting: dict[tuple[int, int], deque[Buffer]] = {}
        for send in sends:
            if send.buffer is not None:
                waiting.setdefault((send.source, send.target), deque()).append(send.buffer)
        return Finished([
            self._wrap(waiting[r.source, r.target].popleft().to_host(), self.group.devices[r.target]) for r in receives
        ])

    def barrier(self) -> Pending:
        """See `Communicator.barrier`."""
        return Finished([])

    def abort(self, reason: str) -> None:
        """Nothing is ever under way."""

    def close(self) -> None:
        """Holds nothing."""

    def _run(self, name: str, inputs: Sequence[Buffer], **attributes: Any) -> Pending:
        arrays = LOCAL_COLLECTIVES[name]([b.to_host() for b in inputs], attributes)
        return Finished([self._wrap(a, d) for a, d in zip(arrays, self.group.devices, strict=True)])
