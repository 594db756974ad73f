# SPDX-License-Identifier: Apache-2.0
"""The communicator of a group of GPUs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from olympus_core.errors.platform import TransportError
from olympus_core.plugin import Group, Pending, Reduction, Transfer

from . import schedules
from .local_group import LocalGroup
from .progress import Progress, Queue


class CudaCommunicator:
    """Collectives over NCCL between GPUs, and by kernels and copies between the devices of one GPU.

    Args:
        group: The devices.
        local_group: This process's ranks.
        progress: The progress engine of the process.
        check: Raises once a process of the job has failed.
    """

    def __init__(self, group: Group, local_group: LocalGroup, progress: Progress, check: Callable[[], None]) -> None:
        self.group, self._local_group = group, local_group
        self._queue = Queue(local_group, progress, check, group.devices)

    def all_reduce(self, inputs: Sequence[Any], reduction: Reduction) -> Pending:
        """See `Communicator.all_reduce`."""
        return self._begin(partial(schedules.all_reduce, self._local_group, tuple(inputs), reduction), "all_reduce")

    def all_gather(self, inputs: Sequence[Any], dimension: int) -> Pending:
        """See `Communicator.all_gather`."""
        return self._begin(partial(schedules.all_gather, self._local_group, tuple(inputs), dimension), "all_gather")

    def reduce_scatter(self, inputs: Sequence[Any], dimension: int, reduction: Reduction) -> Pending:
        """See `Communicator.reduce_scatter`."""
        plan = partial(schedules.reduce_scatter, self._local_group, tuple(inputs), dimension, reduction)
        return self._begin(plan, "reduce_scatter")

    def all_to_all(self, inputs: Sequence[Any], split_dimension: int, concat_dimension: int) -> Pending:
        """See `Communicator.all_to_all`."""
        plan = partial(schedules.all_to_all, self._local_group, tuple(inputs), split_dimension, concat_dimension)
        return self._begin(plan, "all_to_all")

    def permute(self, inputs: Sequence[Any], pairs: Sequence[tuple[int, int]]) -> Pending:
        """See `Communicator.permute`."""
        return self._begin(partial(schedules.permute, self._local_group, tuple(inputs), tuple(pairs)), "permute")

    def broadcast(self, inputs: Sequence[Any], source: int) -> Pending:
        """See `Communicator.broadcast`."""
        return self._begin(partial(schedules.broadcast, self._local_group, tuple(inputs), source), "broadcast")

    def exchange(self, sends: Sequence[Transfer], receives: Sequence[Transfer]) -> Pending:
        """See `Communicator.exchange`."""
        return self._begin(partial(schedules.exchange, self._local_group, tuple(sends), tuple(receives)), "exchange")

    def barrier(self) -> Pending:
        """See `Communicator.barrier`."""
        return self._begin(partial(schedules.barrier, self._local_group), "barrier")

    def abort(self, reason: str) -> None:
        """See `Communicator.abort`."""
        self._queue.fail(TransportError("nccl", "communication", reason))

    def close(self) -> None:
        """See `Communicator.close`."""
        if self._local_group.nccl is not None:
            self._local_group.nccl.close(self._queue.check)

    def _begin(self, plan: Callable[[], schedules.Schedule], what: str) -> Pending:
        return self._queue.begin(plan, what)
