# SPDX-License-Identifier: Apache-2.0
"""How executables and transfers reach other devices: communicators, and waits that end."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from olympus_core import recording
from olympus_core.config import config
from olympus_core.errors import CollectiveTimeoutError, OlympusError, OlympusInternalError
from olympus_core.errors.platform import TransportError
from olympus_core.plugin import Buffer, Client, Communicator, Device, Group, Pending, Transfer

from .launches import Launches, Span

if TYPE_CHECKING:
    from olympus_core.cluster.connection import Connection

_SLICE = 0.05  # how often a wait looks whether the job still lives
_LOOK = 0.5  # how often a wait that lasts is judged
_FAILURE_GRACE = 3.0  # a transport may notice a death before the coordinator has named it


class LabelledPending:
    """A communication under way, and what it is.

    Args:
        pending: The platform's own.
        span: The launches of its processes; None within one process.
        name: What it does, for people.
    """

    __slots__ = ("_pending", "name", "span")

    def __init__(self, pending: Pending, span: Span | None, name: str) -> None:
        self._pending, self.span, self.name = pending, span, name

    def is_done(self) -> bool:
        """Whether `result` would return at once."""
        return self._pending.is_done()

    def result(self, deadline: float) -> list[Buffer]:
        """One buffer for each local member, waited for until `deadline`."""
        return self._pending.result(deadline)


class LinkedCommunicator:
    """A platform's communicator; every communication is labelled with its launch."""

    def __init__(self, inner: Communicator, span: Span | None) -> None:
        self._inner, self._span = inner, span
        self.group = inner.group

    def all_reduce(self, inputs: Sequence[Buffer], reduction: Any) -> Pending:
        """See `Communicator.all_reduce`."""
        return LabelledPending(self._inner.all_reduce(inputs, reduction), self._span, f"all_reduce {reduction}")

    def all_gather(self, inputs: Sequence[Buffer], dimension: int) -> Pending:
        """See `Communicator.all_gather`."""
        return LabelledPending(self._inner.all_gather(inputs, dimension), self._span, "all_gather")

    def reduce_scatter(self, inputs: Sequence[Buffer], dimension: int, reduction: Any) -> Pending:
        """See `Communicator.reduce_scatter`."""
        return LabelledPending(self._inner.reduce_scatter(inputs, dimension, reduction), self._span, "reduce_scatter")

    def all_to_all(self, inputs: Sequence[Buffer], split_dimension: int, concat_dimension: int) -> Pending:
        """See `Communicator.all_to_all`."""
        return LabelledPending(
            self._inner.all_to_all(inputs, split_dimension, concat_dimension), self._span, "all_to_all"
        )

    def permute(self, inputs: Sequence[Buffer], pairs: Sequence[tuple[int, int]]) -> Pending:
        """See `Communicator.permute`."""
        return LabelledPending(self._inner.permute(inputs, pairs), self._span, "permute")

    def broadcast(self, inputs: Sequence[Buffer], source: int) -> Pending:
        """See `Communicator.broadcast`."""
        return LabelledPending(self._inner.broadcast(inputs, source), self._span, "broadcast")

    def exchange(self, sends: Sequence[Transfer], receives: Sequence[Transfer]) -> Pending:
        """See `Communicator.exchange`."""
        return LabelledPending(self._inner.exchange(sends, receives), self._span, "exchange")

    def barrier(self) -> Pending:
        """See `Communicator.barrier`."""
        return LabelledPending(self._inner.barrier(), self._span, "barrier")

    def abort(self, reason: str) -> None:
        """See `Communicator.abort`."""
        self._inner.abort(reason)

    def close(self) -> None:
        """See `Communicator.close`; the platform's own is gone then, also where programs still hold this one."""
        closed: Any = _Closed()
        inner, self._inner = self._inner, closed
        inner.close()


def _failure_of(error: Exception) -> Exception | None:
    """The error, unless it only says that the time of a slice was over."""
    return None if isinstance(error, TimeoutError) and not isinstance(error, OlympusError) else error


class _Closed:
    """Replaces a closed communicator."""

    def __getattr__(self, name: str) -> Any:
        raise TransportError("closed devices", name, "shutdown() has closed them")


class Links:
    """The communicators of one client, opened once for each group of devices.

    Args:
        client: The platform's client.
        connection: The connection to the other processes; None when there are none.
        launches: The launches of this process; None when there are no other processes.
    """

    def __init__(self, client: Client, connection: Connection | None, launches: Launches | None) -> None:
        self._client, self._connection, self._launches = client, connection, launches
        self._communicators: dict[tuple[Device, ...], LinkedCommunicator] = {}
        self._process_index = connection.process_index if connection is not None else 0

    def span(self, devices: Sequence[Device]) -> Span | None:
        """The launches over the processes of these devices; None when they are all of this process."""
        processes = sorted({d.process_index for d in devices})
        if len(processes) < 2 or self._launches is None:
            return None
        members = {d.process_index: d for d in reversed(devices)}
        standing = tuple(members[p] for p in processes)
        return self._launches.span(processes, lambda entry: self._gather(standing, entry))

    def _gather(self, members: tuple[Device, ...], entry: np.ndarray) -> list[np.ndarray]:
        """Every process's entry, by way of one device of each."""
        own = next(d for d in members if d.is_addressable)
        buffer = self._client.buffer_from_host(entry[None], own)
        (whole,) = self.wait(self.communicator(members).all_gather([buffer], 0), "comparison of launches")
        return list(whole.to_host())

    def communicator(self, devices: tuple[Device, ...]) -> Communicator:
        """The communicator of these devices."""
        found = self._communicators.get(devices)
        if found is None:
            inner = self._client.open_communicator(Group(devices), self._connection)
            found = self._communicators[devices] = LinkedCommunicator(inner, self.span(devices))
        return found

    def wait(self, pending: Pending, label: str) -> list[Buffer]:
        """Waits for a communication; raises an error that names who is missing once that takes too long."""
        if not isinstance(pending, LabelledPending):
            raise OlympusInternalError(f"{label} waits for what no communicator of these links began")
        to = recording.recorder
        if to is None:
            return self._wait(pending, label)
        span = pending.span
        return recording.timed(
            to, "waiting", label or pending.name, None, self._wait, pending, label,
            launch=span.sequence if span is not None else 0, processes=span.processes if span is not None else ())

    def _wait(self, pending: LabelledPending, label: str) -> list[Buffer]:
        span, started = pending.span, time.monotonic()
        lasts, failure = False, None
        try:
            found = pending.result(started + _SLICE)
        except Exception as error:  # noqa: BLE001  (it is raised unless it only says that more time is needed)
            lasts, failure = True, _failure_of(error)
        if lasts:  # outside of the handler: what is raised has nothing to do with the time that was over
            found = self._wait_longer(pending, label or pending.name, started, failure)
        if span is not None:
            span.launch[1] = time.monotonic()
        return found

    def _wait_longer(
        self, pending: LabelledPending, label: str, started: float, failure: Exception | None
    ) -> list[Buffer]:
        """Goes on with a wait that has not ended in its first slice; `failure` is what has ended it all the same."""
        span, judged = pending.span, started
        try:
            while failure is None:
                now = time.monotonic()
                if span is None:  # within one process all members have come
                    if now - started > config.late_timeout:
                        limit = "olympus_late_timeout"
                        raise CollectiveTimeoutError(label, self._process_index, now - started, [], limit=limit)
                else:
                    span.check()
                    if now - judged > _LOOK:
                        judged = now
                        overdue = span.overdue(label, now - started)
                        if overdue is not None:
                            raise overdue
                try:
                    return pending.result(time.monotonic() + _SLICE)
                except Exception as error:  # noqa: BLE001  (as above)
                    failure = _failure_of(error)
            # A transport waits for the cause itself, but no longer than a slice.
            if isinstance(failure, TransportError) or not isinstance(failure, OlympusError):
                self._await_cause(span)
            raise failure
        finally:
            if span is not None:
                span.end_wait()

    def _await_cause(self, span: Span | None) -> None:
        """After a failure of the transport: waits for the coordinator's reason, which is the better error."""
        deadline = time.monotonic() + _FAILURE_GRACE
        while span is not None:
            is_last = time.monotonic() >= deadline  # one look after it, however late this thread is woken
            span.check()
            if is_last:
                return
            time.sleep(_SLICE)

    def close(self) -> None:
        """Closes the communicators, in the order in which they were opened."""
        for communicator in self._communicators.values():
            communicator.close()
        self._communicators.clear()
