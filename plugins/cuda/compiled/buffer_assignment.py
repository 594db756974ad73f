# SPDX-License-Identifier: Apache-2.0
"""Buffer assignment: the memory of the inputs, outputs and intermediate values of a group of works."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from olympus_core.program import Value
from olympus_core.toolkit.aliasing import StepAliasing
from olympus_core.toolkit.fusion import ViewStep

from ..memory import rounded

GroupStep = Any  # KernelStep | Work | ViewStep


class BufferAssignment:
    """A slot for each input, each output and each piece of the arena of a group of works.

    The arena is one block of memory for the values inside the group, which is freed as soon as everything is enqueued.
    Values with disjoint live ranges share a piece.

    Args:
        updated: Works and views, in order, and which values share memory.
        inputs: The input values.
        outputs: The output values.
        reused: Outputs that overwrite an input's memory.
        scratches: For each work the bytes of scratch that it needs.
    """

    def __init__(
        self, updated: StepAliasing, inputs: Sequence[Value], outputs: Sequence[Value],
        reused: Mapping[Value, Value], scratches: Sequence[int],
    ) -> None:
        self.inputs = len(inputs)
        made = [v for v in outputs if v not in reused]
        self.made = tuple(v.type.nbytes for v in made)
        self._slot: dict[Value, int] = {v: i for i, v in enumerate(inputs)}
        self.written = tuple(sorted({self._slot[source] for source in reused.values()}))
        self._slot.update({v: self.inputs + i for i, v in enumerate(made)})
        self._slot.update({v: self._slot[source] for v, source in reused.items()})
        self._start = self.inputs + len(made)
        self.pieces: list[int] = []  # sizes
        self._free: list[int] = []
        # For each work the slots of its arguments, and the slot of its scratch.
        self.slots_of_work: list[tuple[tuple[int, ...], int | None]] = []
        self._assign(updated, scratches)
        self.offsets: list[int] = []
        self.arena = 0
        for size in self.pieces:
            self.offsets.append(self.arena)
            self.arena += rounded(size)

    @property
    def slots(self) -> int:
        """Number of slots: inputs, then outputs, then pieces."""
        return self._start + len(self.pieces)

    def slot(self, value: Value) -> int:
        """The slot of an input or an output."""
        return self._slot[value]

    def _assign(self, updated: StepAliasing, scratches: Sequence[int]) -> None:
        steps, last = updated.steps, updated.last_uses()
        held: dict[Value, int] = {}
        work = 0
        for i, step in enumerate(steps):
            if isinstance(step, ViewStep):
                self._slot[step.result] = self._slot[step.source]
                continue
            for v in step.outputs:
                end = updated.end(v)
                if end not in self._slot:
                    held[end] = self._taken(v.type.nbytes)
                    self._slot[end] = self._start + held[end]
                self._slot[v] = self._slot[end]
            scratch = self._taken(scratches[work]) if scratches[work] else None
            self.slots_of_work.append((tuple(self._slot[v] for v in (*step.inputs, *step.outputs)),
                                None if scratch is None else self._start + scratch))
            work += 1
            if scratch is not None:
                self._free.append(scratch)
            for v in [v for v in held if last.get(v, i) <= i]:
                self._free.append(held.pop(v))

    def _taken(self, nbytes: int) -> int:
        """A free piece of sufficient size: the smallest, or else the largest, which is enlarged."""
        fitting = [p for p in self._free if self.pieces[p] >= nbytes]
        if fitting:
            piece = min(fitting, key=lambda p: self.pieces[p])
        elif self._free:
            piece = max(self._free, key=lambda p: self.pieces[p])
            self.pieces[piece] = nbytes
        else:
            self.pieces.append(nbytes)
            return len(self.pieces) - 1
        self._free.remove(piece)
        return piece
