"""Loops and branches as kernels of an entry: all turns in one native call.

`loop.c` runs them. A loop has a plan of its own; the memory that its turns need is a temporary of the entry.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass

from .entry import PARALLEL, Step, check_steps, rounded, signed, stages_of

IN_PLACE, RESULT_FIRST, TEMPORARY_FIRST = 0, 1, 2  # how a carry's turns alternate


@dataclass(frozen=True, slots=True)
class Carry:
    """What a turn leaves for the next one.

    Args:
        read: The slot that a turn reads.
        written: The slot that it writes: a result of the loop.
        temporary: The slot of a temporary of as many bytes; any where it is in place.
        size: Bytes.
        kind: `IN_PLACE` where a turn writes over what it has read; else where the first turn writes.
    """

    read: int
    written: int
    temporary: int
    size: int
    kind: int


@dataclass(frozen=True, slots=True)
class SlicedSlot:
    """An operand or result of which each turn has a part.

    Args:
        slot: Its slot.
        first: Bytes from its begin to the first turn's part.
        stride: From one turn's part to the next one's.
    """

    slot: int
    first: int
    stride: int


@dataclass(frozen=True, slots=True)
class LoopPlan:
    """A loop as words.

    Its slots are, in this order: operands and results, temporaries, constants, the status.

    Args:
        turns: How many; None: as long as the condition holds.
        state: Number of operands and results.
        temporaries: Bytes of each.
        constants: Addresses.
        body: The steps of a turn.
        carries: What a turn leaves for the next.
        sequences: What a turn has a part of.
        mode: How the steps run: `PARALLEL`, or one after the other.
        condition: The steps that say whether there is another turn.
        flag: The slot of what they say, a byte.
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

    @property
    def slots(self) -> int:
        """Number of slots."""
        return self.state + len(self.temporaries) + len(self.constants) + 1

    def _places(self) -> tuple[list[int], int]:
        """Where temporaries lie in the scratch memory, and its size."""
        entries = sum(len(table) for step in (*self.condition, *self.body) for table in step.tables)
        end, places = rounded(8 * (self.slots + entries)), []
        for size in self.temporaries:
            places.append(end)
            end = rounded(end + max(size, 1))
        return places, end

    @property
    def scratch(self) -> int:
        """Bytes of memory that a run needs."""
        return self._places()[1]

    def words(self) -> array[int]:
        """The plan, which the caller keeps alive."""
        check_steps(self.condition, self.slots)
        check_steps(self.body, self.slots)
        entries: list[int] = []
        asked, done = stages_of(self.condition, entries), stages_of(self.body, entries)
        carries = sorted(self.carries, key=lambda c: c.kind == IN_PLACE)
        alternating = [c for c in carries if c.kind != IN_PLACE]
        changing = {s.slot for s in self.sequences} | {slot for c in alternating for slot in (c.read, c.written)}
        calls = [None if self.mode == PARALLEL else _calls(stages) for stages in (asked, done)]
        parts = [
            self._places()[0], [signed(c) for c in self.constants], entries,
            [word for stage in asked for word in stage], [word for stage in done for word in stage],
            [word for c in carries for word in (c.read, c.written, c.temporary, c.size, c.kind)],
            [word for s in self.sequences for word in (s.slot, s.first, s.stride)],
            *(quick or [] for quick in calls),
            [word for place, slot in enumerate(entries) if slot in changing for word in (place, slot)],
        ]
        head = [
            -1 if self.trip_count is None else self.trip_count, self.state, len(self.temporaries), len(self.constants),
            len(entries), len(asked), len(done), int(self.mode == PARALLEL), self.flag, len(self.carries),
            len(self.sequences), self.slots, *(-1 if quick is None else len(quick) // 3 for quick in calls),
            len(alternating), len(parts[-1]) // 2,
        ]
        places, at = [], len(head) + len(parts)
        for part in parts:
            places.append(at)
            at += len(part)
        return array("q", [*head, *places, *(word for part in parts for word in part)])


def _calls(stages: Sequence[Sequence[int]]) -> list[int] | None:
    """Stages whose kernels are each called once, as kernel, total and the table's place."""
    calls: list[int] = []
    for steps, tables, pieces, *words in stages:
        each = [words[at:at + 6] for at in range(0, 6 * steps, 6)]
        if tables != 1 or pieces != 1 or any(chunks != 1 for _, _, _, chunks, _, _ in each):
            return None
        calls += [word for kernel, total, _, _, place, _ in each for word in (kernel, total, place)]
    return calls


def branch_words(regions: Sequence[array[int]]) -> array[int]:
    """The plan of a branch between regions, which are loops of one turn; the caller keeps theirs alive, too."""
    return array("q", [len(regions), *(signed(region.buffer_info()[0]) for region in regions)])
