# SPDX-License-Identifier: Apache-2.0
"""Communicators over somebody else's transport: what a platform without one of its own uses between processes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from olympus_core.errors import NotSupportedError
from olympus_core.plugin import (
    Buffer,
    Communicator,
    Device,
    Group,
    Pending,
    PlatformSettings,
    Reduction,
    Rendezvous,
    Transfer,
    TransportFactory,
)

WrapArray = Callable[[np.ndarray, Device], Any]
_PREFERRED = "tcp"  # works between any processes, and as often in a process as it is asked for


class Carrier:
    """A transport that another plugin offers, for a client whose buffers can be read on the host.

    Args:
        settings: What the client was opened with; `transport` None leaves the choice to the carrier.
        wrap: Makes the client's buffer of a NumPy array and its device.

    Example:
        >>> Carrier(PlatformSettings(), lambda array, device: array).is_usable
        False
    """

    def __init__(self, settings: PlatformSettings, wrap: WrapArray) -> None:
        offered = settings.transports
        name = settings.transport or (_PREFERRED if _PREFERRED in offered else next(iter(offered), ""))
        self._name, self._wrap = name, wrap
        self._factory: TransportFactory | None = offered.get(name)
        self._is_open = False
        # Groups are opened by their own processes alone: what needs the others is done while all of them open.
        prepare = getattr(self._factory, "prepare", None)
        if prepare is not None and settings.rendezvous is not None and settings.process_count > 1:
            self._is_open = True
            prepare(settings.rendezvous)

    @property
    def is_usable(self) -> bool:
        """Whether there is a transport: what a client declares as `multi_process`."""
        return self._factory is not None

    def open(self, group: Group, rendezvous: Rendezvous | None) -> Communicator:
        """The communicator of a group of several processes.

        Raises:
            NotSupportedError: There is no such transport, or no way to meet the other processes.
        """
        if self._factory is None or rendezvous is None:
            raise NotSupportedError(
                f"communication with processes {list(group.processes)} on platform {group.devices[0].platform}",
                "this client was opened for one process" if rendezvous is None
                else f"no plugin offers the transport {self._name!r}",
                "Use a mesh of one process's devices, or install a plugin that offers a transport.",
            )
        self._is_open = True
        return CarriedCommunicator(self._factory(group, rendezvous), self._wrap)

    def close(self) -> None:
        """Ends the transport if it was used."""
        close = getattr(self._factory, "close", None)
        if self._is_open and close is not None:
            close()
        self._is_open = False


class CarriedCommunicator:
    """A communicator of host memory, seen as one of a platform's own.

    Args:
        inner: The transport's communicator; it reads buffers by `to_host`.
        wrap: Makes the platform's buffer of a NumPy array and its device.
    """

    def __init__(self, inner: Communicator, wrap: WrapArray) -> None:
        self.group, self._inner, self._wrap = inner.group, inner, wrap
        self._devices = [inner.group.devices[p] for p in inner.group.local_positions]

    def all_reduce(self, inputs: Sequence[Buffer], reduction: Reduction) -> Pending:
        """See `Communicator.all_reduce`."""
        return self._carried(self._inner.all_reduce(inputs, reduction))

    def all_gather(self, inputs: Sequence[Buffer], dimension: int) -> Pending:
        """See `Communicator.all_gather`."""
        return self._carried(self._inner.all_gather(inputs, dimension))

    def reduce_scatter(self, inputs: Sequence[Buffer], dimension: int, reduction: Reduction) -> Pending:
        """See `Communicator.reduce_scatter`."""
        return self._carried(self._inner.reduce_scatter(inputs, dimension, reduction))

    def all_to_all(self, inputs: Sequence[Buffer], split_dimension: int, concat_dimension: int) -> Pending:
        """See `Communicator.all_to_all`."""
        return self._carried(self._inner.all_to_all(inputs, split_dimension, concat_dimension))

    def permute(self, inputs: Sequence[Buffer], pairs: Sequence[tuple[int, int]]) -> Pending:
        """See `Communicator.permute`."""
        return self._carried(self._inner.permute(inputs, pairs))

    def broadcast(self, inputs: Sequence[Buffer], source: int) -> Pending:
        """See `Communicator.broadcast`."""
        return self._carried(self._inner.broadcast(inputs, source))

    def exchange(self, sends: Sequence[Transfer], receives: Sequence[Transfer]) -> Pending:
        """See `Communicator.exchange`."""
        targets = [self.group.devices[r.target] for r in receives]
        return CarriedPending(self._inner.exchange(sends, receives), targets, self._wrap)

    def barrier(self) -> Pending:
        """See `Communicator.barrier`."""
        return self._inner.barrier()

    def abort(self, reason: str) -> None:
        """See `Communicator.abort`."""
        self._inner.abort(reason)

    def close(self) -> None:
        """See `Communicator.close`."""
        self._inner.close()

    def _carried(self, pending: Pending) -> Pending:
        return CarriedPending(pending, self._devices, self._wrap)


class CarriedPending:
    """A transport's communication under way, whose results become the platform's buffers.

    Args:
        inner: The transport's.
        devices: For each result its device.
        wrap: Makes a buffer of a NumPy array and its device.
    """

    def __init__(self, inner: Pending, devices: Sequence[Device], wrap: WrapArray) -> None:
        self._inner, self._devices, self._wrap = inner, devices, wrap

    def is_done(self) -> bool:
        """Whether `result` would return at once."""
        return self._inner.is_done()

    def result(self, deadline: float) -> list[Any]:
        """The results, waited for until the deadline, as the platform's buffers."""
        buffers = self._inner.result(deadline)
        return [self._wrap(b.to_host(), d) for b, d in zip(buffers, self._devices, strict=True)]
