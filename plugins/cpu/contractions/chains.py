# SPDX-License-Identifier: Apache-2.0
"""Chains: a GEMM fused with the steps that work on its rows, such as bias, activation, softmax or another GEMM.

Each task of a step needs of the steps before it only what the same task computed. A thread therefore runs a task
through all steps of the chain while its rows are in the caches, without a barrier between steps (back-to-back GEMM
fusion).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from olympus_core.program import Value
from olympus_core.toolkit.fusion import KernelStep, ViewStep
from olympus_core.toolkit.loops import Kernel, Load, Loop, Parameter, Store

from ..native.schedule import GRANULE
from .gemm_layout import GemmLayout
from .gemm_steps import GemmStep

ChainStep = KernelStep | GemmStep

_FEWEST_TASKS = 8  # fewer leave threads without work
_LEAST_WORK = 1 << 21  # multiplications: less takes no longer than waking another thread
_MOST_PACKED = 1 << 25  # bytes of packed columns, all of which a chain holds at the same time


class Chain:
    """Steps that run task by task: each task runs its share of all steps, one after the other.

    Args:
        head: The first step.
        reused: Outputs that overwrite an input.
        root: Values that are views, with the values that they view.
    """

    def __init__(self, head: GemmStep, reused: Mapping[Value, Value], root: Mapping[Value, Value]) -> None:
        self.steps: list[ChainStep] = [head]
        self._head = head
        self._reused, self._root = reused, root
        self._rows = head.gemm.rows_of_tasks()
        layout = head.gemm.layout
        self.tasks = len(layout.x_batches) * -(-len(layout.x_rows) // self._rows)
        self.chunks: list[int] = [1]
        # For each value that the chain computes, the bytes that one task computes.
        self._computed = {head.outputs[0]: self._rows * _row_bytes(head)}
        self._read = {self._root_of(v) for v in head.inputs}

    def accepts(self, step: ChainStep) -> bool:
        """Appends a step if it can join; whether it could."""
        if self.tasks < _FEWEST_TASKS or not self._head.gemm.can_have_tasks_of(self._rows) or not any(
                self._root_of(v) in self._computed for v in step.inputs):
            return False
        if not (self._accepts_gemm(step) if isinstance(step, GemmStep) else self._accepts_kernel(step)):
            return False
        self._head.gemm.cut_rows(self._rows)
        self.steps.append(step)
        self._read.update(self._root_of(v) for v in step.inputs)
        return True

    def _root_of(self, value: Value) -> Value:
        return self._root.get(value, value)

    def _accepts_gemm(self, step: GemmStep) -> bool:
        """Whether each task of this GEMM needs only those rows of its first operand that the same task computes."""
        x, y = (self._root_of(v) for v in step.inputs[:2])
        packed = sum(s.gemm.packed_bytes for s in (*self.steps, step) if isinstance(s, GemmStep))
        if not can_begin(step) or x not in self._computed or y in self._computed or packed > _MOST_PACKED:
            return False
        row = _read_row_bytes(step)
        rows, rest = divmod(self._computed[x], row) if row else (0, 1)
        layout = step.gemm.layout
        if rest or rows < 1 or len(layout.x_batches) * -(-len(layout.x_rows) // rows) != self.tasks or (
                not step.gemm.can_have_tasks_of(rows)):
            return False
        step.gemm.cut_rows(rows)
        self._computed[step.outputs[0]] = rows * _row_bytes(step)
        self.chunks.append(1)
        return True

    def _accepts_kernel(self, step: KernelStep) -> bool:
        """Whether each chunk of the kernel's range reads and writes only what the same task of the chain computes."""
        loop = step.kernel.loop
        pairs = list(zip((*step.inputs, *step.outputs), step.kernel.arguments, strict=True))
        reach = {self._root_of(v): reached(step.kernel, p) for v, p in pairs}
        if len(reach) != len(pairs) or loop.kind == "serial":
            return False
        own = [root for v in (*step.inputs, *step.outputs)
               if (root := self._root_of(v)) in self._computed or v in step.outputs]
        each = {v: size for v in own if (size := reach[v]) is not None}
        chunks = {divmod(self._computed[v], size) for v, size in each.items() if v in self._computed}
        if len(each) != len(own) or len(chunks) != 1:
            return False
        ((chunk, rest),) = chunks
        if rest or chunk < 1 or -(-loop.extent // chunk) != self.tasks or (loop.kind == "lanes" and chunk % GRANULE):
            return False
        for v in step.outputs:
            source = v
            while source in self._reused:  # what overwrote a value may be overwritten, too
                source = self._root_of(self._reused[source])
                # A task must not write what another one still reads.
                if source in self._read or reach.get(source, reach[v]) != reach[v]:
                    return False
        self._computed.update({v: chunk * each[v] for v in step.outputs})
        self.chunks.append(chunk)
        return True


def chains(steps: Sequence[Any], reused: Mapping[Value, Value]) -> list[Chain]:
    """The chains of a group, each of consecutive steps.

    Args:
        steps: The group's steps, in order; those of other kinds end a chain.
        reused: Outputs that overwrite an input.
    """
    root: dict[Value, Value] = {}
    found: list[Chain] = []
    current: Chain | None = None
    for step in steps:
        if isinstance(step, ViewStep):
            root[step.result] = root.get(step.source, step.source)
            continue
        if current is not None and isinstance(step, KernelStep | GemmStep) and current.accepts(step):
            continue
        current = None
        if isinstance(step, GemmStep) and step.gemm.layout.multiplications >= _LEAST_WORK and can_begin(step):
            current = Chain(step, reused, root)
            found.append(current)
    return [chain for chain in found if len(chain.steps) > 1]


def can_begin(step: GemmStep) -> bool:
    """Whether a GEMM's tasks can be contiguous rows of the result."""
    gemm, layout = step.gemm, step.gemm.layout
    return gemm.members == gemm.splits == 1 and _are_contiguous(
        layout, layout.out_batches, layout.out_rows, _row_bytes(step))


def reached(kernel: Kernel, parameter: Parameter) -> int | None:
    """Bytes of a buffer that one iteration of the outermost loop accesses, if these are disjoint and in order."""
    strides: set[int] = set()
    least = most = 0

    def visit(loop: Loop, extents: dict[object, int]) -> bool:
        nonlocal least, most
        extents = {**extents, loop.index: loop.extent}
        for statement in loop.body:
            if isinstance(statement, Loop):
                if not visit(statement, extents):
                    return False
            elif isinstance(statement, Load | Store) and statement.parameter is parameter:
                if statement.dynamic:
                    return False
                strides.add(statement.at.stride(kernel.loop.index))
                spans = [s * (extents[i] - 1) for i, s in statement.at.terms if i is not kernel.loop.index]
                least = min(least, statement.at.constant + sum(n for n in spans if n < 0))
                most = max(most, statement.at.constant + sum(n for n in spans if n > 0))
        return True

    if not visit(kernel.loop, {}) or len(strides) != 1:
        return None
    (stride,) = strides
    return stride * parameter.dtype.itemsize if stride > 0 and least >= 0 and most < stride else None


def _row_bytes(step: GemmStep) -> int:
    return len(step.gemm.layout.y_columns) * step.outputs[0].type.dtype.itemsize


def _read_row_bytes(step: GemmStep) -> int | None:
    """Bytes of a row of the first operand, if its rows are contiguous."""
    layout, type_ = step.gemm.layout, step.inputs[0].type
    row = type_.nbytes // (len(layout.x_batches) * len(layout.x_rows))
    ends = layout.segments[:, 0] + (layout.length - 1) * layout.x_stride
    inside = min(layout.segments[:, 0].min(), ends.min()) >= 0 and (
        max(layout.segments[:, 0].max(), ends.max()) + type_.dtype.itemsize <= row)
    return row if inside and _are_contiguous(layout, layout.x_batches, layout.x_rows, row) else None


def _are_contiguous(layout: GemmLayout, batches: np.ndarray, rows: np.ndarray, size: int) -> bool:
    offsets = (batches[:, None] + rows[None, :]).reshape(-1)
    return bool(np.array_equal(offsets, np.arange(len(offsets), dtype=np.int64) * size))
