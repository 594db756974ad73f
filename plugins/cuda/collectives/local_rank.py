# SPDX-License-Identifier: Apache-2.0
"""One rank of this process: a GPU, and what a communicator enqueues there in its own stream."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from olympus_core.plugin import Device, Reduction
from olympus_core.program import ArrayType

from ..buffer import CudaBuffer, DeviceArray
from ..memory import Allocation, StreamContext
from . import kernels
from .kernels import THREADS, Kernels

if TYPE_CHECKING:
    from ..gpu import Event

KEPT_BYTES = 16 << 20  # of scratch memory that is kept between two communications
_WORDS = (16, 8, 4, 2, 1)


@dataclass(frozen=True, slots=True)
class Participant:
    """A device of the group that belongs to this process.

    Args:
        position: Its position in the group.
        index: Its index among this process's participants.
        context: The device's stream.
    """

    position: int
    index: int
    context: StreamContext


@dataclass
class LocalRank:
    """A GPU of this process, with the participants on it.

    Its stream is not that of a device: communication overlaps with computation. The stream waits for the work that
    computes the inputs, and users of the results wait for it.

    Args:
        number: The rank's number.
        index: Its index among this process's ranks.
        context: The stream on this GPU that is used for communication alone.
        participants: The participants, in the order of the group.
        kernels: This process's kernels.
    """

    number: int
    index: int
    context: StreamContext
    participants: tuple[Participant, ...]
    kernels: Kernels
    held: list[Allocation] = field(default_factory=list)

    def scratch(self, nbytes: int) -> int:
        """The address of memory that is kept until the communication is done."""
        allocation = self.context.allocate(nbytes)
        self.held.append(allocation)
        return allocation.ptr

    def address(self, value: CudaBuffer | DeviceArray) -> int:
        """The address of a value; the stream waits for its content."""
        allocation = value.allocation
        self.held.append(allocation)
        address: int = allocation.on(self.context)
        return address

    def output(self, participant: Participant, shape: Sequence[int], dtype: np.dtype) -> Output:
        """Memory for a result."""
        type_ = ArrayType(tuple(shape), dtype)
        with participant.context.lock:
            allocation = participant.context.allocate(type_.nbytes)
            participant.context.ticks += 1
        self.context.wait_for(participant.context)  # the memory may still be used by earlier work
        allocation.read_by(self.context)  # it is not reused before the work enqueued here is done
        self.held.append(allocation)
        return Output(allocation, type_, participant, self)

    def copy(self, target: int, source: int, nbytes: int) -> None:
        """Enqueues a copy within the GPU."""
        if nbytes and target != source:
            gpu = self._gpu()
            gpu.copy(target, source, nbytes, self.context.stream)

    def zero(self, target: int, nbytes: int) -> None:
        """Enqueues filling memory with zeros."""
        if nbytes:
            self._gpu().zero(target, nbytes, self.context.stream)

    def copy_rows(self, target: int, source: int, rows: int, width: int, target_pitch: int, source_pitch: int) -> None:
        """Enqueues a copy of rows of `width` bytes, with different pitches in the target and the source."""
        if rows <= 1 or width == target_pitch == source_pitch:
            self.copy(target, source, rows * width)
            return
        everything = math.gcd(target, source, width, target_pitch, source_pitch)
        word = next(w for w in _WORDS if everything % w == 0)
        count = rows * width // word
        self._launch(kernels.rows_module, (word,), count,
                     [source, target, count, *(n // word for n in (width, source_pitch, target_pitch))])

    def convert(self, target: int, source: int, to: np.dtype, dtype: np.dtype, count: int) -> None:
        """Enqueues a conversion of elements."""
        self._launch(kernels.converted_module, (dtype, to), count, [source, target, count])

    def order(self, target: int, source: int, dtype: np.dtype, reduction: str, count: int, back: bool = False) -> None:
        """Enqueues a conversion of floats to integers of the same order, or back."""
        self._launch(kernels.ordered_module, (dtype, reduction, back), count, [source, target, count])

    def reduce(
        self, target: int, source: int, dtype: np.dtype, reduction: Reduction, participants: int, count: int
    ) -> None:
        """Enqueues a reduction of consecutive arrays."""
        if participants == 1:
            self.copy(target, source, count * dtype.itemsize)
        else:
            self._launch(kernels.reduced_module, (dtype, reduction, participants), count, [source, target, count])

    def mark(self) -> Event:
        """An event after all work that is enqueued so far."""
        self._gpu()
        return self.context.marked()

    def let_go(self, held: Sequence[Allocation]) -> None:
        """Releases memory of a finished communication: its reuse waits for nothing that is enqueued here."""
        for allocation in held:
            if allocation.readers is not None:
                allocation.readers.discard(self.context)

    def taken(self) -> list[Allocation]:
        """Takes over the memory that the current communication holds."""
        held, self.held = self.held, []
        return held

    def _launch(self, make: Any, facts: tuple[Any, ...], count: int, arguments: Sequence[int]) -> None:
        if count:
            handle = self.kernels.handle(self.context.ordinal, make, *facts)
            self._gpu().launch(handle, -(-count // THREADS), THREADS, 0, self.context.stream.ptr, arguments)

    def _gpu(self) -> Any:
        context = self.context
        context.gpu.use(context.ordinal)
        context.ticks += 1
        return context.gpu


@dataclass(frozen=True, slots=True)
class Output:
    """Memory for the result of a participant.

    Args:
        allocation: The memory.
        type: The result's shape and element type.
        participant: The participant.
        rank: The rank that computes it.
    """

    allocation: Allocation
    type: ArrayType
    participant: Participant
    rank: LocalRank

    @property
    def address(self) -> int:
        """The address of the memory."""
        return self.allocation.ptr

    def buffer(self, device: Device) -> CudaBuffer:
        """The result as a buffer of the participant's device."""
        return CudaBuffer.of_allocation(self.allocation, self.type, device, self.participant.context)
