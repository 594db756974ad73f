# SPDX-License-Identifier: Apache-2.0
"""What a kernel means, in NumPy: parallel loops and lanes become array dimensions, serial loops stay loops.

A value inside loops is an array with one dimension for each loop around that is not serial; a loop's index is an
`arange` along its own dimension. That is right because iterations of parallel loops know nothing of each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from olympus_core.errors import OlympusInternalError
from olympus_core.ops.reduce import COMBINING, UFUNCS

from ..quiet import quietly
from .form import (
    Affine,
    Compute,
    Constant,
    Dynamic,
    Index,
    IndexValue,
    Inside,
    Kernel,
    Load,
    Loop,
    Parameter,
    Scalar,
    Statement,
    Store,
)

_UFUNCS: dict[str, Any] = {combine.name: UFUNCS[reduction] for reduction, combine in COMBINING.items()}


def run_kernel(kernel: Kernel, inputs: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Runs a kernel.

    Args:
        kernel: The kernel.
        inputs: One flat array for each input.

    Returns:
        One flat array for each output. What the kernel does not write is zero.
    """
    run = _Run(kernel, inputs)
    quietly(run.loop, kernel.loop, np.True_)
    return [run.memory[id(p)] for p in kernel.parameters if p.role == "output"]


class _Run:
    def __init__(self, kernel: Kernel, inputs: Sequence[np.ndarray]) -> None:
        given = iter(inputs)
        self.memory: dict[int, np.ndarray] = {}
        self.local_offsets: dict[int, int] = {}
        top = kernel.loop
        self.top = top.index
        for parameter in kernel.parameters:
            if parameter.role == "input":
                self.memory[id(parameter)] = np.asarray(next(given)).reshape(-1)
            else:
                copies = top.extent if parameter.role == "local" else 1
                self.memory[id(parameter)] = np.zeros(parameter.size * copies, parameter.dtype)
                if parameter.role == "local":
                    self.local_offsets[id(parameter)] = parameter.size
        self.values: dict[int, Any] = {}
        self.indices: dict[Index, Any] = {}
        self.depth = 0  # number of array dimensions, the first loop's last

    def loop(self, loop: Loop, active: Any) -> None:
        """Runs a loop where the iterations around are active."""
        if loop.kind == "serial":
            self._serial(loop, active)
        else:
            self._spread(loop, active)

    def _serial(self, loop: Loop, active: Any) -> None:
        for recurrence in loop.recurrences:
            self.values[id(recurrence.result)] = self.values[id(recurrence.initial)]
        for reduction in loop.reductions:
            self.values[id(reduction.result)] = self.values[id(reduction.initial)]
        for step in range(loop.extent):
            self.indices[loop.index] = np.int64(step)
            here = self._within(loop, active)
            for recurrence in loop.recurrences:
                self.values[id(recurrence.inside)] = self.values[id(recurrence.result)]
            for statement in loop.body:
                self.statement(statement, here)
            for recurrence in loop.recurrences:
                old, new = self.values[id(recurrence.inside)], self.values[id(recurrence.following)]
                self.values[id(recurrence.result)] = np.where(here, new, old)
            for reduction in loop.reductions:
                old = self.values[id(reduction.result)]
                new = _UFUNCS[reduction.operation](old, self.values[id(reduction.contribution)])
                self.values[id(reduction.result)] = np.where(here, new, old).astype(reduction.result.dtype)

    def _spread(self, loop: Loop, active: Any) -> None:
        """All iterations at once, along a new first dimension."""
        self.depth += 1
        self.indices[loop.index] = np.arange(loop.extent).reshape((loop.extent,) + (1,) * (self.depth - 1))
        here = self._within(loop, active)
        for statement in loop.body:
            self.statement(statement, here)
        self.depth -= 1
        for reduction in loop.reductions:
            self._reduce(loop, reduction.operation, reduction.contribution, reduction.initial, reduction.result, here)

    def _reduce(
        self, loop: Loop, operation: str, contribution: Scalar, initial: Scalar, result: Scalar, active: Any
    ) -> None:
        ufunc, dtype, start = _UFUNCS[operation], result.dtype, np.asarray(self.values[id(initial)])
        terms = np.asarray(self.values[id(contribution)])
        shape = np.broadcast_shapes(terms.shape, np.shape(active), (loop.extent,) + (1,) * self.depth)
        terms, active = np.broadcast_to(terms, shape), np.broadcast_to(active, shape)
        start = np.broadcast_to(start, np.broadcast_shapes(start.shape, shape[1:])).astype(dtype)
        if active.all():
            self.values[id(result)] = ufunc(start, ufunc.reduce(terms, axis=0, dtype=dtype)).astype(dtype)
            return
        for row, where in zip(terms, active, strict=True):
            start = np.where(where, ufunc(start, row), start).astype(dtype)
        self.values[id(result)] = start

    def _within(self, loop: Loop, active: Any) -> Any:
        if loop.until is None:
            return active
        affine, limit = loop.until
        return active & (self._affine(affine) < limit)

    def statement(self, statement: Statement, active: Any) -> None:
        """Runs one statement for all active iterations."""
        if isinstance(statement, Loop):
            self.loop(statement, active)
        elif isinstance(statement, Constant):
            self.values[id(statement.result)] = np.asarray(statement.value)
        elif isinstance(statement, IndexValue):
            self.values[id(statement.result)] = np.asarray(self._affine(statement.of)).astype(statement.result.dtype)
        elif isinstance(statement, Inside):
            of = self._affine(statement.of)
            self.values[id(statement.result)] = np.asarray((of >= statement.low) & (of < statement.high))
        elif isinstance(statement, Compute):
            self._compute(statement)
        elif isinstance(statement, Load):
            self._load(statement, active)
        else:
            self._store(statement, active)

    def _compute(self, statement: Compute) -> None:
        operands = [np.asarray(self.values[id(s)]) for s in statement.operands]
        operands = [np.array(x) for x in np.broadcast_arrays(*operands)]
        reference = statement.record.reference
        if reference is None:
            raise OlympusInternalError(f"operation {statement.record.name} has no reference")
        results = reference(operands, statement.attributes)
        for scalar, result in zip(statement.results, results, strict=True):
            self.values[id(scalar)] = np.asarray(result)

    def _load(self, load: Load, active: Any) -> None:
        where = active if load.when is None else active & self.values[id(load.when)]
        position = self._position(load.parameter, load.at, load.dynamic)
        position, where = np.broadcast_arrays(position, where)
        memory = self.memory[id(load.parameter)]
        loaded = memory[np.where(where, position, 0)]
        self.values[id(load.result)] = np.where(where, loaded, np.zeros((), memory.dtype)).astype(memory.dtype)

    def _store(self, store: Store, active: Any) -> None:
        where = active if store.when is None else active & self.values[id(store.when)]
        position = self._position(store.parameter, store.at, store.dynamic)
        position, where, value = np.broadcast_arrays(position, where, self.values[id(store.value)])
        memory = self.memory[id(store.parameter)]
        if store.combine is None:
            memory[position[where]] = value[where]
            return
        ufunc = _UFUNCS[store.combine]
        for at, one in zip(position[where].tolist(), value[where], strict=True):
            memory[at] = ufunc(memory[at], one)

    def _position(self, parameter: Parameter, at: Affine, dynamic: Dynamic) -> Any:
        position = self._affine(at)
        for scalar, stride in dynamic:
            position = position + self.values[id(scalar)].astype(np.int64) * stride
        if id(parameter) in self.local_offsets:
            position = position + self.indices[self.top] * self.local_offsets[id(parameter)]
        return np.asarray(position)

    def _affine(self, affine: Affine) -> Any:
        total: Any = np.int64(affine.constant)
        for index, stride in affine.terms:
            total = total + self.indices[index] * stride
        return total
