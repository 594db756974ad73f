# SPDX-License-Identifier: Apache-2.0
"""Loops and branches as kernels of an entry: all iterations in one native call.

`loop.c` runs them. A loop has a plan of its own; the memory of its iterations is a temporary of the entry.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from olympus_core.dataclass import dataclass

from .entry import PARALLEL, Step, check_steps, rounded, signed, stages_of

IN_PLACE, RESULT_FIRST, TEMPORARY_FIRST, FOLLOWING = 0, 1, 2, 3  # how a carry is buffered
_ALTERNATING = (RESULT_FIRST, TEMPORARY_FIRST)


@dataclass(frozen=True, slots=True)
class Carry:
    """A loop-carried value.

    Args:
        read: The slot that an iteration reads.
        written: The slot that it writes: a result of the loop.
        temporary: The slot of a temporary of the same size; any if it is updated in place. Of one that follows a
            sequence, the sequence's slot.
        size: Bytes.
        kind: `IN_PLACE` if an iteration overwrites what it has read, `FOLLOWING` if it reads the slice of a sequence
            that the one before it has written; else which buffer the first iteration writes.
    """

    read: int
    written: int
    temporary: int
    size: int
    kind: int


@dataclass(frozen=True, slots=True)
class SlicedSlot:
    """An operand or result of which each iteration accesses a slice.

    Args:
        slot: Its slot.
        first: Byte offset of the first iteration's slice.
        stride: Bytes from one iteration's slice to the next.
    """

    slot: int
    first: int
    stride: int


@dataclass(frozen=True, slots=True)
class LoopPlan:
    """The plan of a loop.

    Its slots are, in this order: operands and results, temporaries, constants, the status.

    Args:
        trip_count: The number of iterations; None: while the condition is true.
        state: Number of operands and results.
        temporaries: Bytes of each.
        constants: Addresses.
        body: The steps of an iteration.
        carries: The loop-carried values.
        sequences: The operands and results that are accessed by slices.
        mode: The mode of the steps: `PARALLEL`, or in order.
        condition: The steps that compute the condition.
        flag: The slot of the condition, a byte.
        first: Steps before those of the first iteration.
    """

    trip_count: int | None
    state: int
    temporaries: tuple[int, ...]
    constants: tuple[int, ...]
    body: Sequence[Step]
    carries: Sequence[Carry] = ()
    sequences: Sequence[SlicedSlot] = ()
    mode: int = 0
    condition: Sequence[Step] = ()
    flag: int = 0
    first: Sequence[Step] = ()

    @property
    def slots(self) -> int:
        """Number of slots."""
        return self.state + len(self.temporaries) + len(self.constants) + 1

    def _offsets(self) -> tuple[list[int], int]:
        """The offsets of temporaries in the scratch memory, and its size."""
        entries = sum(len(table) for step in (*self.condition, *self.body, *self.first) for table in step.tables)
        entries *= 2 if any(c.kind in _ALTERNATING for c in self.carries) else 1
        end, offsets = rounded(8 * (self.slots + entries)), []
        for size in self.temporaries:
            offsets.append(end)
            end = rounded(end + max(size, 1))
        return offsets, end

    @property
    def scratch(self) -> int:
        """Bytes of scratch memory."""
        return self._offsets()[1]

    def words(self) -> array[int]:
        """The words of the plan, which the caller keeps alive."""
        check_steps(self.condition, self.slots)
        check_steps(self.body, self.slots)
        check_steps(self.first, self.slots)
        entries: list[int] = []
        conditions, done, first = (stages_of(steps, entries) for steps in (self.condition, self.body, self.first))
        carries = sorted(self.carries, key=lambda c: (c.kind == IN_PLACE, c.kind == FOLLOWING))
        moving = [c for c in carries if c.kind != IN_PLACE]
        alternating = [c for c in moving if c.kind in _ALTERNATING]
        strides = {s.slot: s.stride for s in self.sequences}
        strides |= {c.read: strides[c.temporary] for c in moving if c.kind == FOLLOWING}
        turning = {slot for c in alternating for slot in (c.read, c.written)} - strides.keys()
        uses = 2 if alternating else 1  # a table's iterations lie so far apart
        changes = [[(place, slot, uses * strides.get(slot, 0)) for place, slot in enumerate(entries) if slot in slots]
                   for slots in (strides, turning)]
        calls = [None if self.mode == PARALLEL else _calls(stages) for stages in (conditions, done)]
        parts = [
            self._offsets()[0], [signed(c) for c in self.constants], entries,
            [word for stage in conditions for word in stage], [word for stage in done for word in stage],
            [word for c in carries for word in (c.read, c.written, c.temporary, c.size, c.kind)],
            [word for s in self.sequences for word in (s.slot, s.first, s.stride)],
            *(direct or [] for direct in calls),
            [word for changing in changes for change in changing for word in change],
            [word for stage in first for word in stage],
        ]
        head = [
            -1 if self.trip_count is None else self.trip_count, self.state, len(self.temporaries), len(self.constants),
            len(entries), len(conditions), len(done), int(self.mode == PARALLEL), self.flag, len(self.carries),
            len(self.sequences), self.slots, *(-1 if direct is None else len(direct) // 3 for direct in calls),
            len(alternating), len(moving), *map(len, changes), len(first),
        ]
        offsets, at = [], len(head) + len(parts)
        for part in parts:
            offsets.append(at)
            at += len(part)
        return array("q", [*head, *offsets, *(word for part in parts for word in part)])


def _calls(stages: Sequence[Sequence[int]]) -> list[int] | None:
    """Stages whose kernels are each called once, as kernel, total and position of the table; None for others."""
    calls: list[int] = []
    for steps, tables, pieces, *words in stages:
        each = [words[at:at + 6] for at in range(0, 6 * steps, 6)]
        if tables != 1 or pieces != 1 or any(chunks != 1 for _, _, _, chunks, _, _ in each):
            return None
        calls += [word for kernel, total, _, _, position, _ in each for word in (kernel, total, position)]
    return calls


def branch_words(regions: Sequence[array[int]]) -> array[int]:
    """The plan of a branch between regions, which are loops of one iteration; the caller keeps theirs alive, too."""
    return array("q", [len(regions), *(signed(region.buffer_info()[0]) for region in regions)])
