# SPDX-License-Identifier: Apache-2.0
"""Treats elements that a kernel only moves as integers of their size, which saves conversions.

In registers bools are single bits, narrow floats are wider, and complex numbers are two vectors. An element that is
only loaded, selected and stored needs none of these forms.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.toolkit.loops import (
    Compute,
    Constant,
    Kernel,
    Load,
    Loop,
    Parameter,
    Scalar,
    Statement,
    Store,
    addressed_by,
    operands_of,
    results_of,
)

from .hoist import loops_in

_BITS = {
    dtypes.bool_: dtypes.uint8, dtypes.float16: dtypes.uint16, dtypes.bfloat16: dtypes.uint16,
    dtypes.complex64: dtypes.uint64,
}


def with_bitwise_moves(kernel: Kernel) -> Kernel:
    """The kernel with integers instead of elements of other types that it does not compute with."""
    if not any(p.dtype in _BITS for p in kernel.parameters):
        return kernel
    moved = _MovedElements(kernel)
    if not any(moved.is_only_moved(p) for p in kernel.parameters if p.dtype in _BITS):
        return kernel
    return replace(kernel, parameters=tuple(map(moved.parameter, kernel.parameters)), loop=moved.loop(kernel.loop))


class _MovedElements:
    """Classes of elements and buffers of equal content (union-find), and the classes that are computed with."""

    def __init__(self, kernel: Kernel) -> None:
        self.parents: dict[Hashable, Hashable] = {}
        self.computed: set[Hashable] = set()
        self.scalars: dict[Scalar, Scalar] = {}
        self.parameters: dict[Parameter, Parameter] = {}
        for loop in loops_in(kernel.loop):
            for statement in (*loop.body, loop):
                self._note(statement)
        self.computed = {self._root(x) for x in self.computed}

    def _note(self, statement: Statement) -> None:
        if isinstance(statement, (Load, Store)):
            value = statement.result if isinstance(statement, Load) else statement.value
            self._same(value, statement.parameter)
            self.computed.update(addressed_by(statement))
            if isinstance(statement, Store) and statement.combine is not None:
                self.computed.add(value)
        elif isinstance(statement, Compute) and statement.record is ops.select:
            condition, *choices = statement.operands
            self.computed.add(condition)
            for choice in choices:
                self._same(choice, statement.results[0])
        elif not isinstance(statement, Constant):
            self.computed.update((*operands_of(statement), *results_of(statement)))
            if isinstance(statement, Loop):
                self.computed.update(r.inside for r in statement.recurrences)

    def _root(self, x: Hashable) -> Hashable:
        while (parent := self.parents.get(x, x)) is not x:
            x = parent
        return x

    def _same(self, x: Hashable, y: Hashable) -> None:
        first, second = self._root(x), self._root(y)
        if first is not second:
            self.parents[second] = first

    def is_only_moved(self, x: Scalar | Parameter) -> bool:
        """Whether the kernel only moves its bits."""
        return x.dtype in _BITS and self._root(x) not in self.computed

    def scalar(self, x: Scalar) -> Scalar:
        """The element, or the integer that replaces it."""
        return self.scalars.setdefault(x, Scalar(_BITS[x.dtype])) if self.is_only_moved(x) else x

    def parameter(self, x: Parameter) -> Parameter:
        """The buffer, or one of integers in the same memory."""
        return self.parameters.setdefault(x, replace(x, dtype=_BITS[x.dtype])) if self.is_only_moved(x) else x

    def loop(self, loop: Loop) -> Loop:
        """The loop on the replaced elements."""
        return replace(loop, body=tuple(self._statements(loop.body)))

    def _statements(self, body: Sequence[Statement]) -> Iterator[Statement]:
        for s in body:
            if isinstance(s, Loop):
                yield self.loop(s)
            elif isinstance(s, Constant):
                yield self._constant(s)
            elif isinstance(s, Load):
                yield replace(s, result=self.scalar(s.result), parameter=self.parameter(s.parameter))
            elif isinstance(s, Store):
                yield replace(s, value=self.scalar(s.value), parameter=self.parameter(s.parameter))
            elif isinstance(s, Compute):
                yield replace(s, results=tuple(map(self.scalar, s.results)),
                              operands=tuple(map(self.scalar, s.operands)))
            else:
                yield s

    def _constant(self, constant: Constant) -> Constant:
        result = self.scalar(constant.result)
        if result is constant.result:
            return constant
        return Constant(result, np.asarray(constant.value).view(result.dtype)[()])
