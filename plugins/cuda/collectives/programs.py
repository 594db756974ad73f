# SPDX-License-Identifier: Apache-2.0
"""Collectives of compiled programs among the devices of this process: enqueued without waiting for a GPU."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any

from olympus_core.program import ArrayType, Operation
from olympus_core.toolkit.fused_collectives import local_program

from ..buffer import DeviceArray
from ..errors import CarriedByCopiesWarning, NcclError
from ..memory import StreamContext
from . import schedules
from .kernels import Kernels
from .layout import GpuLocation, Layout
from .local_group import LocalGroup
from .local_rank import KEPT_BYTES, LocalRank, Participant
from .nccl_communicators import NcclCommunicators, is_settled_within
from .nccl_library import Library

Plan = Callable[[LocalGroup, Sequence[DeviceArray]], schedules.Schedule]
_SCHEDULES: Mapping[str, Callable[..., schedules.Schedule]] = {
    "all_reduce": schedules.all_reduce,
    "all_gather": schedules.all_gather,
    "reduce_scatter": schedules.reduce_scatter,
    "all_to_all": schedules.all_to_all,
    "permute": schedules.permute,
    "broadcast": schedules.broadcast,
}


class ProgramCollectives:
    """The collectives of all programs of one client.

    All collectives of a GPU are enqueued in one stream, which nothing else uses: it waits for the earlier work of the
    participants' streams, and these wait for it afterwards. Work that other threads enqueue meanwhile can therefore
    never come between the parts of a collective that depend on each other.

    Args:
        contexts: The streams of this process's devices.
        kernels: This process's kernels.
        find: Finds NCCL; returns it, or None and the reason.
        lock: A re-entrant lock, held while work is enqueued: NCCL requires the same order on all GPUs.
        check: Raises once a process of the job has failed.
    """

    def __init__(
        self, contexts: Sequence[StreamContext], kernels: Kernels, find: Callable[[], tuple[Library | None, str]],
        lock: Any, check: Callable[[], None],
    ) -> None:
        self.lock, self._check = lock, check
        self._devices, self._gpu = contexts, contexts[0].gpu
        self._kernels, self._find = kernels, find
        self._contexts: dict[int, StreamContext] = {}
        self._communicators: dict[tuple[int, ...], NcclCommunicators] = {}
        self._failure: BaseException | None = None
        self._lost: list[Any] = []  # memory that a GPU may still access after a failure
        self._warned = False

    def made(self, operation: Operation, groups: Sequence[Sequence[StreamContext]]) -> ProgramCollective | None:
        """A collective, ready to run; None where the toolkit's fused kernels do it.

        Args:
            operation: The operation.
            groups: The participants' streams, group by group.

        Raises:
            NcclOpeningError: If NCCL does not connect the GPUs in time.
            NcclError: If NCCL fails.
        """
        type_ = operation.operands[0].type
        layouts = [Layout(tuple(GpuLocation(0, one.ordinal, str(one.ordinal)) for one in group)) for group in groups]
        spans = any(len(layout.ranks) > 1 for layout in layouts)
        library = self._library() if spans else None
        if library is None:
            if local_program(operation, len(groups[0])) is not None:
                return None  # fused kernels on the first participant's GPU
            layouts = [Layout((layout.locations[0],) * layout.size) for layout in layouts]
        attributes = {k: v for k, v in operation.attributes.items() if k != "group"}
        plan = partial(_planned, _SCHEDULES[operation.name], attributes)
        with self.lock:
            local_groups = [self._local_group(layout, group, library)
                            for layout, group in zip(layouts, groups, strict=True)]
        return ProgramCollective(self, plan, type_, local_groups, [context for group in groups for context in group])

    def begin(self, communicators: Sequence[NcclCommunicators], calls: Sequence[Callable[[], None]]) -> None:
        """Makes NCCL calls as one group and waits until NCCL has enqueued them; the caller holds the lock.

        Raises:
            NcclError: If NCCL fails.
        """
        def all_calls() -> None:
            for call in calls:
                call()

        try:
            communicators[0].begin(all_calls)
            self._settle(communicators)
        except BaseException as error:
            self.fail(error if isinstance(error, Exception) else NcclError("ncclGroupEnd", "interrupted"))
            raise

    def require(self, communicators: Sequence[NcclCommunicators]) -> None:
        """Raises the error of NCCL, if it has failed.

        Raises:
            NcclError: Of this client's collectives, now or before.
        """
        if communicators:
            self._tell()
        try:
            self._settle(communicators)
        except Exception as error:
            self.fail(error)
            raise

    def fail(self, error: BaseException) -> None:
        """Records a failure and aborts all communicators."""
        if self._failure is None:
            self._failure = error
            for nccl in self._communicators.values():
                nccl.abort()

    def watch(self) -> None:
        """Raises the error of NCCL in a thread that waits for a GPU.

        Raises:
            NcclError: If NCCL has failed: enqueued work may then never end, or end without a result.
        """
        if self._failure is None and self.lock.acquire(blocking=False):  # otherwise another thread checks
            try:
                for nccl in self._communicators.values():
                    nccl.is_settled()
            except Exception as error:  # noqa: BLE001  (it is raised below)
                self.fail(error)
            finally:
                self.lock.release()
        self._tell()

    def keep_after_failure(self, things: Sequence[Any]) -> None:
        """After a failure keeps memory that a GPU may still access; without one, stream order protects it."""
        if self._failure is not None:
            self._lost.extend(things)

    def close(self) -> None:
        """Closes the communicators and their streams."""
        with self.lock:
            for context in self._devices:
                context.watch = None
            for nccl in self._communicators.values():
                nccl.close(self._check)
            self._communicators.clear()
            for context in self._contexts.values() if self._failure is None else ():
                context.close()
            self._contexts.clear()

    def _tell(self) -> None:
        """Raises the recorded failure, without the traceback of earlier calls."""
        if self._failure is not None:
            raise self._failure.with_traceback(None)

    def _settle(self, communicators: Sequence[NcclCommunicators]) -> None:
        seconds = self._devices[0].wait_timeout  # the first call connects the GPUs
        if not is_settled_within(communicators, self._check, seconds):
            raise NcclError("ncclGroupEnd", f"nothing was enqueued within {seconds:g} s")

    def _library(self) -> Library | None:
        library, reason = self._find()
        if library is None and not self._warned:
            self._warned = True
            warnings.warn(CarriedByCopiesWarning(reason), stacklevel=5)
        return library

    def _local_group(self, layout: Layout, contexts: Sequence[StreamContext], library: Library | None) -> LocalGroup:
        ranks = []
        for number, positions in enumerate(layout.participants):
            ordinal = layout.ranks[number].ordinal
            own = {context.ordinal: context for context in reversed(contexts)}[ordinal]
            participants = tuple(
                Participant(p, p, contexts[p] if contexts[p].ordinal == ordinal else own) for p in positions)
            ranks.append(LocalRank(number, number, self._context(ordinal), participants, self._kernels))
        nccl = self._nccl(tuple(rank.context.ordinal for rank in ranks), library)
        return LocalGroup(layout, ranks, nccl)

    def _context(self, ordinal: int) -> StreamContext:
        found = self._contexts.get(ordinal)
        if found is None:
            wait_timeout = self._devices[0].wait_timeout
            found = StreamContext(self._gpu, ordinal, f"collectives on GPU {ordinal}", KEPT_BYTES, wait_timeout)
            found.siblings = self._devices
            self._contexts[ordinal] = found
        return found

    def _nccl(self, ordinals: tuple[int, ...], library: Library | None) -> NcclCommunicators | None:
        if len(ordinals) < 2 or library is None:
            return None
        self._tell()
        found = self._communicators.get(ordinals)
        if found is None:
            with self._gpu.using(ordinals[0]):
                found = NcclCommunicators(
                    library, self._gpu, library.unique_id(), len(ordinals), tuple(enumerate(ordinals)))
                found.open(self._check, [f"GPU {ordinal}" for ordinal in ordinals], self._devices[0].wait_timeout)
            self._communicators[ordinals] = found
            for context in self._devices:
                context.watch = self.watch
        return found


class ProgramCollective:
    """One collective of a program, for all its groups.

    Args:
        home: The collectives of the client.
        plan: Enqueues its first part for one group.
        type: The type of each participant's operand.
        local_groups: The groups.
        contexts: The participants' streams, group by group.
    """

    def __init__(
        self, home: ProgramCollectives, plan: Plan, type: ArrayType, local_groups: Sequence[LocalGroup],
        contexts: Sequence[StreamContext],
    ) -> None:
        self._home, self._plan, self._type = home, plan, type
        self._local_groups, self._contexts = tuple(local_groups), tuple(contexts)
        self._communicators = tuple(dict.fromkeys(group.nccl for group in local_groups if group.nccl is not None))
        self._ranks = [rank for local_group in local_groups for rank in local_group.ranks]
        self._following = {m.context: rank.context for rank in self._ranks for m in rank.participants}

    def __call__(self, allocations: Sequence[Any]) -> list[Any]:
        """Enqueues it.

        Args:
            allocations: The participants' operands, group by group.

        Returns:
            Their results, each in memory of its own on its device's GPU.

        Raises:
            NcclError: If NCCL fails, or has failed before.
        """
        home = self._home
        with home.lock:
            home.require(self._communicators)
            try:
                begun = self._enqueued(iter([DeviceArray(allocation, self._type) for allocation in allocations]))
            except BaseException:
                home.keep_after_failure([*allocations, *(rank.taken() for rank in self._ranks)])
                raise
            finally:
                for rank in self._ranks:
                    rank.context.ticks += 1
                    rank.taken()  # freed in the order of the stream
            for context, after in self._following.items():
                context.wait_for(after)
                with context.lock:
                    context.ticks += 1  # a completion from now on includes the collective
                if context.ticks >= context.monitor.next:
                    context.mark()
            allocations = [output.allocation for schedule in begun for output in schedule.outputs]
            return [allocation if allocation.context.ordinal == context.ordinal else allocation.copied_to(context)
                    for allocation, context in zip(allocations, self._contexts, strict=True)]

    def _enqueued(self, inputs: Iterator[DeviceArray]) -> list[schedules.Schedule]:
        begun = [self._plan(group, list(islice(inputs, group.layout.size))) for group in self._local_groups]
        calls = [schedule.call for schedule in begun if schedule.call is not None]
        if calls:
            self._home.begin(self._communicators, calls)
        for schedule in begun:
            if schedule.after is not None:
                schedule.after()
        return begun


def _planned(
    schedule: Callable[..., schedules.Schedule], attributes: Mapping[str, Any], group: LocalGroup,
    inputs: Sequence[DeviceArray],
) -> schedules.Schedule:
    return schedule(group, inputs, **attributes)
