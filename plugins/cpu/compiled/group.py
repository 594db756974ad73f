# SPDX-License-Identifier: Apache-2.0
"""`KernelGroup`: steps of one native call, and the slots of their memory."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from olympus_core.program import Value
from olympus_core.toolkit.aliasing import StepAliasing, step_aliasing
from olympus_core.toolkit.fusion import KernelStep, ViewStep

from ..codegen.unroll_and_jam import unroll_and_jam
from ..contractions.chains import Chain, chains
from ..contractions.gemm_steps import GemmStep
from ..native.entry import Slots

GroupStep = Any  # KernelStep | GemmStep | LoopStep | RoutineStep | ViewStep; a loop's regions are groups themselves


class KernelGroup:
    """Steps that run one after the other in one native call, and its slots.

    There is a slot for each argument, output and temporary of each device. Temporaries that are not live at the same
    time share memory.

    Args:
        steps: Kernels and views, in order.
        inputs: The values that are passed in.
        outputs: The values that are returned.
        reused: Outputs that overwrite an input.
        count: Number of devices.
        fixed: Inputs that are the same in each execution of a loop's iterations.

    Attributes:
        packed_once: GEMMs whose packed columns serve all iterations.
    """

    def __init__(
        self, steps: Sequence[GroupStep], inputs: Sequence[Value], outputs: Sequence[Value],
        reused: Mapping[Value, Value], count: int, fixed: Collection[Value] = (),
    ) -> None:
        self.count = count
        updated = step_aliasing(steps, outputs, reused)
        steps = updated.steps
        self.chains = {chain.steps[0]: chain for chain in chains(steps, updated.written)}
        chained = {step for chain in self.chains.values() for step in chain.steps}
        self.steps = [
            replace(step, kernel=unroll_and_jam(step.kernel))
            if isinstance(step, KernelStep) and step not in chained else step
            for step in steps if not isinstance(step, ViewStep)
        ]
        self._scratch: dict[GroupStep, int] = {}
        made = [v for v in outputs if v not in reused]
        self._first: dict[Value, int] = {v: i * count for i, v in enumerate(inputs)}
        start = len(inputs) * count
        self._first.update({v: start + i * count for i, v in enumerate(made)})
        self._first.update({v: self._first[source] for v, source in reused.items()})
        self._start = start + len(made) * count
        self.packed_once: set[GemmStep] = set()
        sizes = self._temporaries(updated, {self._first[v] for v in fixed})
        constants: list[int] = []
        self._constants: dict[GroupStep, int] = {}
        for step in self.steps:
            self._constants[step] = len(constants)
            constants += _addresses(step)
        self.slots = Slots(
            len(inputs) * count, tuple(v.type.nbytes for v in made for _ in range(count)),
            tuple(size for size in sizes for _ in range(count)), tuple(constants),
        )

    def slot(self, value: Value) -> int:
        """The slot of a value on the first device."""
        return self._first[value]

    def constant(self, step: GroupStep) -> int:
        """The index of a step's first constant among the slots' constants."""
        return self._constants[step]

    def loop_table(self, step: GroupStep, device: int) -> tuple[int, ...]:
        """The table of a loop: the slots of its plan, its memory, the status, operands and results."""
        plan = self.slots.status - len(self.slots.constants) + self.constant(step)
        return (plan, self._scratch[step] + device, self.slots.status, *self.table(step, device))

    def routine_table(self, step: GroupStep, device: int) -> tuple[int, ...]:
        """The table of a routine: the slots of its words, operands, results and workspace."""
        words = self.slots.status - len(self.slots.constants) + self.constant(step)
        workspace = (self._scratch[step] + device,) if step in self._scratch else ()
        return (words, *self.table(step, device), *workspace)

    def gemm_tables(self, step: GemmStep, device: int) -> tuple[list[tuple[int, ...]], tuple[int, ...]]:
        """The tables of a GEMM's kernels: for packing, one for each member, and for multiplying."""
        constants, at = self.slots.status - len(self.slots.constants), self.constant(step)
        inputs = [self._first[v] + device for v in step.inputs]
        members = step.gemm.members
        rows, columns = inputs[:members], inputs[members:]
        packing: list[tuple[int, ...]] = []
        if step in self._scratch:
            panels = [self._scratch[step] + m * self.count + device for m in range(members)]
            packing = [(constants + at + 1, y, p) for y, p in zip(columns, panels, strict=True)]
            columns = panels
        return packing, (constants + at, *rows, *columns, self._first[step.outputs[0]] + device)

    def table(self, step: GroupStep, device: int) -> tuple[int, ...]:
        """The slots of a step's inputs and outputs."""
        return tuple(self._first[v] + device for v in (*step.inputs, *step.outputs))

    def _temporaries(self, updated: StepAliasing, fixed: Collection[int]) -> list[int]:
        """Allocates the values that stay inside to temporaries by their live ranges (linear scan).

        Args:
            updated: The steps, and which values share memory.
            fixed: Slots of inputs that are the same in each execution.

        Returns:
            The sizes of the temporaries.
        """
        steps, last = updated.steps, updated.last_uses()
        sizes: list[int] = []
        free: list[int] = []
        held: dict[Value, int] = {}
        chain: Chain | None = None  # its steps run concurrently: nothing is freed before all are done
        for i, step in enumerate(steps):
            if isinstance(step, ViewStep):
                self._first[step.result] = self._first[step.source]
                continue
            if step in self.chains:
                chain = self.chains[step]
            if chain is None or step is chain.steps[0]:
                for one in chain.steps if chain is not None else [step]:
                    if _memory(one):  # not used later
                        self._scratch[one] = self._start + len(sizes) * self.count
                        sizes += _memory(one)
                        if isinstance(one, GemmStep) and all(self._first.get(v) in fixed for v in one.columns):
                            self.packed_once.add(one)
            for v in step.outputs:
                end = updated.end(v)
                if end in self._first:
                    self._first[v] = self._first[end]
                    continue
                piece = next((p for p in free if sizes[p] >= v.type.nbytes), None)
                if piece is None:
                    piece = len(sizes)
                    sizes.append(v.type.nbytes)
                else:
                    free.remove(piece)
                held[end] = piece
                self._first[v] = self._first[end] = self._start + piece * self.count
            if chain is not None and step is not chain.steps[-1]:
                continue
            for one in chain.steps if chain is not None else [step]:
                if one in self._scratch and one not in self.packed_once:
                    first = (self._scratch[one] - self._start) // self.count
                    free += range(first, first + len(_memory(one)))
            chain = None
            for v in [v for v in held if last.get(v, i) <= i]:
                free.append(held.pop(v))
        return sizes


def _addresses(step: GroupStep) -> tuple[int, ...]:
    return () if isinstance(step, KernelStep) else step.addresses


def _memory(step: GroupStep) -> tuple[int, ...]:
    return () if isinstance(step, KernelStep) else step.memory
