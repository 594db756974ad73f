# SPDX-License-Identifier: Apache-2.0
"""A right transport between threads: everybody lays down what he has, and takes what he needs when all have."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from olympus_core.errors import JobAbortedError
from olympus_core.plugin import Buffer, Group, Pending, Rendezvous, Transfer
from olympus_core.toolkit import ArrayBuffer
from olympus_core.toolkit.local import LOCAL_COLLECTIVES

Read = Callable[[dict[int, Any]], list[Any]]


class Board:
    """What processes have laid down, for each communication."""

    def __init__(self, changed: threading.Condition) -> None:
        self.changed = changed
        self.laid: dict[Any, dict[int, Any]] = {}
        self.taken: dict[Any, int] = {}
        self.opened: dict[Any, int] = {}


class BoardTransport:
    """Makes communicators over a job's board; one for each client."""

    def __call__(self, group: Group, rendezvous: Rendezvous) -> BoardCommunicator:
        board: Board = rendezvous.hub.board
        name = (tuple(d.id for d in group.devices), group.processes)
        with board.changed:
            key = (rendezvous.process_index, name)
            board.opened[key] = board.opened.get(key, 0) + 1
            return BoardCommunicator(group, board, (name, board.opened[key]), rendezvous.process_index)


class BoardCommunicator:
    """All collectives over a board."""

    def __init__(self, group: Group, board: Board, name: Any, process: int) -> None:
        self.group, self.board, self._name, self.process = group, board, name, process
        self._count = 0
        self.aborted = ""

    def _begin(self, mine: Any, read: Read) -> Pending:
        key = (self._name, self._count)
        self._count += 1
        with self.board.changed:
            self.board.laid.setdefault(key, {})[self.process] = mine
            self.board.changed.notify_all()
        return _BoardPending(self, key, read)

    def _collective(self, name: str, inputs: Sequence[Buffer], **attributes: Any) -> Pending:
        positions = self.group.local_positions

        def read(laid: dict[int, Any]) -> list[Any]:
            members = dict(x for pairs in laid.values() for x in pairs)
            results = LOCAL_COLLECTIVES[name]([members[i] for i in range(len(members))], attributes)
            return [ArrayBuffer(results[i], self.group.devices[i]) for i in positions]

        return self._begin([(i, b.to_host()) for i, b in zip(positions, inputs, strict=True)], read)

    def all_reduce(self, inputs: Sequence[Buffer], reduction: Any) -> Pending:
        return self._collective("all_reduce", inputs, reduction=reduction)

    def all_gather(self, inputs: Sequence[Buffer], dimension: int) -> Pending:
        return self._collective("all_gather", inputs, dimension=dimension)

    def reduce_scatter(self, inputs: Sequence[Buffer], dimension: int, reduction: Any) -> Pending:
        return self._collective("reduce_scatter", inputs, dimension=dimension, reduction=reduction)

    def all_to_all(self, inputs: Sequence[Buffer], split_dimension: int, concat_dimension: int) -> Pending:
        return self._collective(
            "all_to_all", inputs, split_dimension=split_dimension, concat_dimension=concat_dimension)

    def permute(self, inputs: Sequence[Buffer], pairs: Sequence[tuple[int, int]]) -> Pending:
        return self._collective("permute", inputs, pairs=pairs)

    def broadcast(self, inputs: Sequence[Buffer], source: int) -> Pending:
        return self._collective("broadcast", inputs, source=source)

    def exchange(self, sends: Sequence[Transfer], receives: Sequence[Transfer]) -> Pending:
        def read(laid: dict[int, Any]) -> list[Any]:
            waiting: dict[tuple[int, int], list[np.ndarray]] = {}
            for parcels in laid.values():
                for ends, array in parcels:
                    waiting.setdefault(ends, []).append(array)
            return [ArrayBuffer(waiting[r.source, r.target].pop(0), self.group.devices[r.target]) for r in receives]

        return self._begin([((s.source, s.target), s.buffer.to_host()) for s in sends if s.buffer is not None], read)

    def barrier(self) -> Pending:
        return self._begin((), lambda laid: [])

    def abort(self, reason: str) -> None:
        with self.board.changed:
            self.aborted = reason
            self.board.changed.notify_all()

    def close(self) -> None:
        pass  # the board goes with its job


class _BoardPending:
    def __init__(self, communicator: BoardCommunicator, key: Any, read: Read) -> None:
        self._communicator, self._key, self._read = communicator, key, read
        self._results: list[Any] | None = None

    def is_done(self) -> bool:
        laid = self._communicator.board.laid.get(self._key, {})
        return self._results is not None or len(laid) == len(self._communicator.group.processes)

    def result(self, deadline: float) -> list[Any]:
        communicator, board = self._communicator, self._communicator.board
        with board.changed:
            board.changed.wait_for(
                lambda: self.is_done() or bool(communicator.aborted), max(0.0, deadline - time.monotonic()))
        if not self.is_done():
            if communicator.aborted:
                raise JobAbortedError(communicator.process, communicator.aborted)
            raise TimeoutError("not all have come")
        if self._results is None:
            self._results = self._read(board.laid[self._key])
            with board.changed:
                board.taken[self._key] = board.taken.get(self._key, 0) + 1
                if board.taken[self._key] == len(communicator.group.processes):
                    del board.laid[self._key], board.taken[self._key]
        return self._results
