"""One GPU's part in a group: what is enqueued there, in the order of the communicator's own stream."""

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

KEPT_BYTES = 16 << 20  # of a GPU's scratch memory between two communications
_WORDS = (16, 8, 4, 2, 1)


@dataclass(frozen=True, slots=True)
class Participant:
    """A participant of the group that this process owns.

    Args:
        position: Its position in the group.
        index: Its rank among this process's participants.
        context: The device's context.
    """

    position: int
    index: int
    context: StreamContext


@dataclass
class LocalRank:
    """A GPU of this process, with the participants that stand on it.

    Its stream is none of the devices': communications go on beside computations. It waits for what brings the inputs,
    and whoever takes the results waits until they are there.

    Args:
        number: Its number in the communicator.
        index: Its rank among this process's ranks.
        context: The context on this GPU that communicates, and does nothing else.
        participants: The participants, in the group's order.
        kernels: This process's kernels.
    """

    number: int
    index: int
    context: StreamContext
    participants: tuple[Participant, ...]
    kernels: Kernels
    held: list[Allocation] = field(default_factory=list)

    def scratch(self, nbytes: int) -> int:
        """The address of memory that is needed until the communication is done."""
        cell = self.context.allocate(nbytes)
        self.held.append(cell)
        return cell.ptr

    def address(self, value: CudaBuffer | DeviceArray) -> int:
        """The address of a value's content, for which the stream waits."""
        cell = value.cell
        self.held.append(cell)
        address: int = cell.on(self.context)
        return address

    def output(self, participant: Participant, shape: Sequence[int], dtype: np.dtype) -> Output:
        """Memory for a result."""
        type_ = ArrayType(tuple(shape), dtype)
        with participant.context.lock:
            cell = participant.context.allocate(type_.nbytes)
            participant.context.ticks += 1
        self.context.wait_for(participant.context)  # until then the memory is what it was before
        cell.read_by(self.context)  # dropped, it waits for what is enqueued here
        self.held.append(cell)
        return Output(cell, type_, participant, self)

    def copy(self, target: int, source: int, nbytes: int) -> None:
        """Copies within the GPU."""
        if nbytes and target != source:
            gpu = self._gpu()
            gpu.copy(target, source, nbytes, self.context.stream)

    def zero(self, target: int, nbytes: int) -> None:
        """Fills memory with zeros."""
        if nbytes:
            self._gpu().zero(target, nbytes, self.context.stream)

    def copy_rows(self, target: int, source: int, rows: int, width: int, target_pitch: int, source_pitch: int) -> None:
        """Copies rows of some bytes, which lie so far apart in the target and in the source."""
        if rows <= 1 or width == target_pitch == source_pitch:
            self.copy(target, source, rows * width)
            return
        everything = math.gcd(target, source, width, target_pitch, source_pitch)
        word = next(w for w in _WORDS if everything % w == 0)
        count = rows * width // word
        self._launch(kernels.rows_module, (word,), count,
                     [source, target, count, *(n // word for n in (width, source_pitch, target_pitch))])

    def convert(self, target: int, source: int, to: np.dtype, dtype: np.dtype, count: int) -> None:
        """Converts elements."""
        self._launch(kernels.converted_module, (dtype, to), count, [source, target, count])

    def order(self, target: int, source: int, dtype: np.dtype, reduction: str, count: int, back: bool = False) -> None:
        """Makes whole numbers of floats, or the other way."""
        self._launch(kernels.ordered_module, (dtype, reduction, back), count, [source, target, count])

    def reduce(
        self, target: int, source: int, dtype: np.dtype, reduction: Reduction, participants: int, count: int
    ) -> None:
        """Reduces arrays that lie one after the other."""
        if participants == 1:
            self.copy(target, source, count * dtype.itemsize)
        else:
            self._launch(kernels.reduced_module, (dtype, reduction, participants), count, [source, target, count])

    def mark(self) -> Event:
        """An event after all that was enqueued."""
        self._gpu()
        return self.context.marked()

    def let_go(self, held: Sequence[Allocation]) -> None:
        """Memory is not needed any more: whoever drops it waits for nothing that is enqueued here."""
        for cell in held:
            if cell.readers is not None:
                cell.readers.discard(self.context)

    def taken(self) -> list[Allocation]:
        """What the communication holds, which the rank forgets."""
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
    """Memory for a result of a participant.

    Args:
        cell: The memory.
        type: The result's shape and element type.
        participant: Whose it is.
        rank: Where it is made.
    """

    cell: Allocation
    type: ArrayType
    participant: Participant
    rank: LocalRank

    @property
    def address(self) -> int:
        """Where it is."""
        return self.cell.ptr

    def buffer(self, device: Device) -> CudaBuffer:
        """The result as a buffer of the participant's device, once it is there."""
        return CudaBuffer.of_allocation(self.cell, self.type, device, self.participant.context)
