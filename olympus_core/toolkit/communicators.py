# SPDX-License-Identifier: Apache-2.0
"""Communicators from something that moves bytes between processes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np

from olympus_core.errors import OlympusInternalError
from olympus_core.plugin import Buffer, Device, Group, Pending, Reduction, Transfer

from . import collectives
from .arrays import ArrayBuffer
from .phases import Members, Phase, Steps

WrapBuffer = Callable[[Any, Device], Any]
ContractExchange = Callable[[Sequence[Transfer], Sequence[Transfer]], Pending]


class Request(Protocol):
    """A communication that somebody drives through its phases."""

    def is_done(self) -> bool:
        """Whether `wait` would return at once."""

    def wait(self, deadline: float) -> list[np.ndarray]:
        """The arrays that the steps give at their end; raises `TimeoutError` at the deadline, may be called again."""


class Mover(Protocol):
    """Drives communications of one group."""

    def begin(self, steps: Steps, what: str) -> Request:
        """Starts the first phase; the others follow without being asked."""

    def abort(self, reason: str) -> None:
        """Ends what is under way with an error."""

    def close(self) -> None:
        """Gives back what the mover holds."""


class MovedPending:
    """The `Pending` of a request."""

    def __init__(self, request: Request, devices: Sequence[Device], wrap: WrapBuffer) -> None:
        self._request, self._devices, self._wrap = request, devices, wrap

    def is_done(self) -> bool:
        """Whether `result` would return at once."""
        return self._request.is_done()

    def result(self, deadline: float) -> list[Any]:
        """One buffer for each device, waited for until the deadline."""
        return [self._wrap(a, d) for a, d in zip(self._request.wait(deadline), self._devices, strict=True)]


class MoverCommunicator:
    """All collectives of a group over a mover.

    Args:
        group: The devices; this process owns at least one.
        mover: Moves the bytes.
        wrap: Makes a buffer of a result and its device.
    """

    def __init__(self, group: Group, mover: Mover, wrap: WrapBuffer = ArrayBuffer) -> None:
        self.group, self._mover, self._wrap = group, mover, wrap
        self._members = Members.of(group)
        self._devices = [group.devices[p] for p in group.local_positions]

    def all_reduce(self, inputs: Sequence[Buffer], reduction: Reduction) -> Pending:
        """See `Communicator.all_reduce`."""
        return self._begin(collectives.all_reduce(self._members, _arrays(inputs), reduction), "all_reduce")

    def all_gather(self, inputs: Sequence[Buffer], dimension: int) -> Pending:
        """See `Communicator.all_gather`."""
        return self._begin(collectives.all_gather(self._members, _arrays(inputs), dimension), "all_gather")

    def reduce_scatter(self, inputs: Sequence[Buffer], dimension: int, reduction: Reduction) -> Pending:
        """See `Communicator.reduce_scatter`."""
        steps = collectives.reduce_scatter(self._members, _arrays(inputs), dimension, reduction)
        return self._begin(steps, "reduce_scatter")

    def all_to_all(self, inputs: Sequence[Buffer], split_dimension: int, concat_dimension: int) -> Pending:
        """See `Communicator.all_to_all`."""
        steps = collectives.all_to_all(self._members, _arrays(inputs), split_dimension, concat_dimension)
        return self._begin(steps, "all_to_all")

    def permute(self, inputs: Sequence[Buffer], pairs: Sequence[tuple[int, int]]) -> Pending:
        """See `Communicator.permute`."""
        return self._begin(collectives.permute(self._members, _arrays(inputs), pairs), "permute")

    def broadcast(self, inputs: Sequence[Buffer], source: int) -> Pending:
        """See `Communicator.broadcast`."""
        return self._begin(collectives.broadcast(self._members, _arrays(inputs), source), "broadcast")

    def exchange(self, sends: Sequence[Transfer], receives: Sequence[Transfer]) -> Pending:
        """See `Communicator.exchange`."""
        steps = collectives.exchange(self._members, sends, receives)
        targets = [self.group.devices[r.target] for r in receives]
        return MovedPending(self._mover.begin(steps, "exchange"), targets, self._wrap)

    def barrier(self) -> Pending:
        """See `Communicator.barrier`."""
        return MovedPending(self._mover.begin(collectives.barrier(self._members), "barrier"), (), self._wrap)

    def abort(self, reason: str) -> None:
        """See `Communicator.abort`."""
        self._mover.abort(reason)

    def close(self) -> None:
        """See `Communicator.close`."""
        self._mover.close()

    def _begin(self, steps: Steps, what: str) -> Pending:
        return MovedPending(self._mover.begin(steps, what), self._devices, self._wrap)


def communicator_from_exchange(
    group: Group, exchange: ContractExchange, wrap: WrapBuffer = ArrayBuffer,
    abort: Callable[[str], None] | None = None, close: Callable[[], None] | None = None,
) -> MoverCommunicator:
    """A whole communicator from its `exchange` alone, for a platform that has nothing better.

    The collectives go on only while somebody waits for them or asks whether they are done.

    Args:
        group: The devices.
        exchange: The platform's own `Communicator.exchange` for this group.
        wrap: Makes the platform's buffer of a NumPy array.
        abort: Ends exchanges under way with an error, see `Communicator.abort`; None where the platform's own end.
        close: Gives back what the exchange holds, see `Communicator.close`.
    """
    return MoverCommunicator(group, _ExchangeMover(group, exchange, wrap, abort, close), wrap)


class _ExchangeMover:
    """Phases as exchanges between the first members of the processes."""

    def __init__(
        self, group: Group, exchange: ContractExchange, wrap: WrapBuffer, abort: Callable[[str], None] | None,
        close: Callable[[], None] | None,
    ) -> None:
        self._exchange, self._wrap, self._group, self._abort, self._close = exchange, wrap, group, abort, close
        members = Members.of(group)
        self._first = {p: positions[0] for p, positions in zip(members.processes, members.positions, strict=True)}
        self._here = members.mine[0]

    def begin(self, steps: Steps, what: str) -> Request:
        return _LazyRequest(self, steps)

    def start(self, phase: Phase) -> Pending:
        device = self._group.devices[self._here]
        return self._exchange(
            [Transfer(self._here, self._first[p], self._wrap(b, device), b.shape, b.dtype) for p, b in phase.sends],
            [Transfer(self._first[p], self._here, None, b.shape, b.dtype) for p, b in phase.receives],
        )

    def abort(self, reason: str) -> None:
        if self._abort is not None:
            self._abort(reason)

    def close(self) -> None:
        if self._close is not None:
            self._close()


class _LazyRequest:
    """A communication that goes on when somebody looks at it."""

    def __init__(self, mover: _ExchangeMover, steps: Steps) -> None:
        self._mover, self._steps = mover, steps
        self._pending: Pending | None = None
        self._results: list[np.ndarray] | None = None
        self._next()

    def is_done(self) -> bool:
        while self._pending is not None and self._pending.is_done():
            self._take(self._pending, 0.0)
        return self._results is not None

    def wait(self, deadline: float) -> list[np.ndarray]:
        while self._pending is not None:
            self._take(self._pending, deadline)
        if self._results is None:
            raise OlympusInternalError("a collective ended without results")
        return self._results

    def _take(self, pending: Pending, deadline: float) -> None:
        for (_, block), buffer in zip(self._phase.receives, pending.result(deadline), strict=True):
            block[...] = buffer.to_host()
        self._next()

    def _next(self) -> None:
        """Begins the next phase that has anything to wait for."""
        self._pending = None
        try:
            self._phase = next(self._steps)
            while self._phase.is_empty:
                self._phase = next(self._steps)
        except StopIteration as end:
            self._results = end.value
        else:
            self._pending = self._mover.start(self._phase)


def _arrays(inputs: Sequence[Buffer]) -> list[np.ndarray]:
    return [buffer.to_host() for buffer in inputs]
