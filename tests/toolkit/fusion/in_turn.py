# SPDX-License-Identifier: Apache-2.0
"""Kernels one iteration after the other, as a machine without vectors and threads would run them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from olympus_core.ops import OPERATIONS
from olympus_core.toolkit.loops import (
    Affine,
    Compute,
    Constant,
    Index,
    IndexValue,
    Inside,
    Kernel,
    Load,
    Loop,
    Scalar,
    Statement,
    Store,
)


def run_in_turn(
    kernel: Kernel, inputs: Sequence[np.ndarray], reusable: Sequence[tuple[int, int]] = (),
    begun: Sequence[np.ndarray] | None = None,
) -> list[np.ndarray]:
    """Runs a kernel with outputs in the buffers of inputs for the given pairs; others begin as `begun`, or garbage."""
    run = _Run()
    arguments = kernel.arguments
    for parameter, array in zip(arguments, inputs, strict=False):
        run.memory[parameter] = array
    outputs = [np.frombuffer(b"\x5a" * p.dtype.itemsize * p.size, p.dtype).copy() for p in arguments[len(inputs):]]
    outputs = outputs if begun is None else list(begun)
    for i, o in reusable:
        outputs[o] = inputs[i].view(outputs[o].dtype)
    run.memory.update(zip(arguments[len(inputs):], outputs, strict=True))
    run.memory.update((p, np.zeros(p.size, p.dtype)) for p in kernel.parameters if p.role == "local")
    run.loop(kernel.loop)
    return outputs


class _Run:
    def __init__(self) -> None:
        self.memory: dict[Any, np.ndarray] = {}
        self.values: dict[Scalar, Any] = {}
        self.indices: dict[Index, int] = {}

    def affine(self, affine: Affine) -> int:
        return affine.constant + sum(stride * self.indices[index] for index, stride in affine.terms)

    def loop(self, loop: Loop) -> None:
        sums = [self.values[r.initial] for r in loop.reductions]
        carried = [self.values[r.initial] for r in loop.recurrences]
        for i in range(loop.extent):
            self.indices[loop.index] = i
            if loop.until is not None and self.affine(loop.until[0]) >= loop.until[1]:
                break
            self.values.update((r.inside, c) for r, c in zip(loop.recurrences, carried, strict=True))
            for statement in loop.body:
                self.statement(statement)
            carried = [self.values[r.following] for r in loop.recurrences]
            sums = [combined(r.operation, s, self.values[r.contribution])
                    for r, s in zip(loop.reductions, sums, strict=True)]
        self.values.update((r.result, s) for r, s in zip(loop.reductions, sums, strict=True))
        self.values.update((r.result, c) for r, c in zip(loop.recurrences, carried, strict=True))

    def place(self, access: Load | Store) -> int:
        return self.affine(access.at) + sum(int(self.values[s]) * stride for s, stride in access.dynamic)

    def statement(self, statement: Statement) -> None:
        if isinstance(statement, Loop):
            self.loop(statement)
        elif isinstance(statement, Constant):
            self.values[statement.result] = np.asarray(statement.value)
        elif isinstance(statement, IndexValue):
            self.values[statement.result] = np.asarray(self.affine(statement.of)).astype(statement.result.dtype)
        elif isinstance(statement, Inside):
            self.values[statement.result] = np.asarray(statement.low <= self.affine(statement.of) < statement.high)
        elif isinstance(statement, Compute):
            assert statement.record.reference is not None
            made = statement.record.reference([self.values[s] for s in statement.operands], statement.attributes)
            self.values.update(zip(statement.results, made, strict=True))
        elif isinstance(statement, Load):
            loads = statement.when is None or self.values[statement.when]
            memory = self.memory[statement.parameter]
            self.values[statement.result] = np.asarray(memory[self.place(statement)] if loads else memory.dtype.type(0))
        elif statement.when is None or self.values[statement.when]:
            memory, place, value = self.memory[statement.parameter], self.place(statement), self.values[statement.value]
            memory[place] = value if statement.combine is None else combined(statement.combine, memory[place], value)


def combined(operation: str, x: Any, y: Any) -> np.ndarray:
    """Two elements combined as reductions do."""
    reference = OPERATIONS[operation].reference
    assert reference is not None
    return np.asarray(reference([np.asarray(x), np.asarray(y)], {})[0])
