# SPDX-License-Identifier: Apache-2.0
"""A region of a control operation on one GPU: its code, its constants, and what it enqueues."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from olympus_core.toolkit.aliasing import step_aliasing
from olympus_core.toolkit.dumps import Dump
from olympus_core.toolkit.fusion import KernelStep, ViewStep
from olympus_core.toolkit.regions import RegionPlan

from ..compiled.buffer_assignment import BufferAssignment
from ..compiled.group_code import GroupCode
from ..compiled.launch_sequence import AddressTable, Enqueuing
from ..transfer import HostAllocation

if TYPE_CHECKING:
    from ..compiled.code import CodeStore
    from ..gpu import Gpu, Stream
    from ..memory import StreamContext

_LAUNCHES = 2  # of a work, at most but for few


@dataclass(frozen=True, slots=True)
class Compiling:
    """What compiles regions.

    Args:
        store: The client's machine code.
        contexts: The streams of the program's local devices.
        dump: Receives texts.
    """

    store: CodeStore
    contexts: Sequence[StreamContext]
    dump: Dump

    def on(self, ordinal: int) -> StreamContext:
        """A stream of a GPU."""
        return next(context for context in self.contexts if context.ordinal == ordinal)


def can_be_captured(region: RegionPlan) -> bool:
    """Whether what a region enqueues may be captured into a graph."""
    return all(getattr(step, "capturable", True) for step in region.steps)


def launches_of(region: RegionPlan) -> int:
    """About how many launches a region enqueues."""
    works = [step for step in region.steps if not isinstance(step, ViewStep)]
    return len(region.copied) + sum(getattr(step, "launches", _LAUNCHES) for step in works)


class RegionCode:
    """A region, compiled for a GPU.

    Args:
        region: The region.
        compiling: What compiles it.
        gpu: The driver interface.
        ordinal: The GPU.

    Attributes:
        arena: Bytes of scratch for its intermediate values.
        relies_on_vectors: Whether all of it is kernels, which rely on no other alignment than that of vectors.
    """

    def __init__(self, region: RegionPlan, compiling: Compiling, gpu: Gpu, ordinal: int) -> None:
        self._region, self._gpu = region, gpu
        updated = step_aliasing(region.steps, tuple(region.direct), region.reused)
        self._code = GroupCode(updated, compiling.store, gpu, ordinal, "region", compiling.dump)
        self.relies_on_vectors = all(isinstance(work, KernelStep) for work in self._code.works)
        self._assignment = BufferAssignment(
            updated, (*region.inputs, *region.constants), tuple(region.direct), region.reused, self._code.scratches)
        self.arena = self._assignment.arena
        context = compiling.on(ordinal)
        self._constants = [HostAllocation(x).allocation_on(context) for x in region.constants.values()]
        if self._constants:
            context.drain("the constants of a region")

    def launches(self) -> RegionLaunches:
        """What it enqueues, with addresses of its own."""
        slots = AddressTable(self._assignment.slots)
        launches = [launch for each in self._code.launches(slots, self._assignment) for launch in each]
        left = [i for v, i in self._region.direct.items() if v not in self._region.reused]
        copied = [(i, self._assignment.slot(v), v.type.nbytes) for i, v in self._region.copied]
        return RegionLaunches(
            self._gpu, slots, launches, [x.ptr for x in self._constants], left, self._assignment.offsets, copied)


class RegionLaunches:
    """What a region enqueues; nobody else may use it at the same time.

    Args:
        gpu: The driver interface.
        slots: The addresses that its launches read.
        launches: Its launches.
        constants: The addresses of its constants.
        left: The results that launches write, in the order of their slots.
        offsets: Where its intermediate values lie in the arena.
        copied: Results that are copied when all else is done, by index, with the slot and the size of what they are.
    """

    def __init__(
        self, gpu: Gpu, slots: AddressTable, launches: Sequence[Enqueuing], constants: Sequence[int],
        left: Sequence[int], offsets: Sequence[int], copied: Sequence[tuple[int, int, int]],
    ) -> None:
        self._gpu, self._slots, self._launches, self._constants = gpu, slots, launches, constants
        self._left, self._offsets, self._copied = left, offsets, copied

    def enqueue(self, stream: Stream, inputs: Sequence[int], results: Sequence[int], arena: int) -> None:
        """Enqueues the region once.

        Args:
            stream: The stream.
            inputs: The addresses of its inputs.
            results: Those of its results; what it updates in place lies at the input's.
            arena: That of its intermediate values.
        """
        self._slots.values[:] = [
            *inputs, *self._constants, *(results[i] for i in self._left),
            *(arena + offset for offset in self._offsets)] or [0]
        for launch in self._launches:
            launch(stream)
        for i, slot, nbytes in self._copied:
            copied(self._gpu, results[i], self._slots.values[slot], nbytes, stream)


def copied(gpu: Gpu, target: int, source: int, nbytes: int, stream: Stream) -> None:
    """Enqueues a copy, where there is something to copy."""
    if nbytes and target != source:
        gpu.copy(target, source, nbytes, stream)
