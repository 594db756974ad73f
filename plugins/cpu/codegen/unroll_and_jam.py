# SPDX-License-Identifier: Apache-2.0
"""Unroll-and-jam: kernels that sum long rows process four rows in one loop.

One sequential stream does not saturate memory bandwidth, because the hardware prefetcher of one stream has a limited
depth; prefetchers track several streams at the same time. The outermost loop is unrolled by four and the copies of its
inner loops are fused (Callahan, Cocke, Kennedy: "Estimating interlock and improving balance for pipelined
architectures", 1988).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

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
    Recurrence,
    Reduction,
    Scalar,
    Statement,
    Store,
    results_of,
)

from .emit.hoist import loops_in
from .emit.vectorization import weight_of

_ROWS = 4  # the unroll factor
_LARGE = 1 << 23  # least bytes of an input that is read from memory and not from a cache
_PAGE = 1 << 12  # least bytes of a row; shorter rows are one stream for the prefetcher
_CHEAPEST = 2  # greatest weight of a body that is limited by memory bandwidth
_FEWEST = 64  # iterations that must remain for the threads


def unroll_and_jam(kernel: Kernel) -> Kernel:
    """The kernel with four rows in each iteration of its outermost loop, if it only sums long rows; else unchanged.

    The computation of each row, and so its result, stays the same.
    """
    top = kernel.loop
    if top.kind != "parallel" or top.until is not None or top.extent % _ROWS or top.extent < _ROWS * _FEWEST:
        return kernel
    if any(p.role == "local" for p in kernel.parameters) or not _reads_rows(top):
        return kernel
    index = Index(top.index.name)
    copies = [_Copy(top.index, Affine(row, ((index, _ROWS),))) for row in range(_ROWS)]
    return replace(kernel, loop=replace(
        top, index=index, extent=top.extent // _ROWS, body=tuple(_fused(top.body, copies))))


def _reads_rows(top: Loop) -> bool:
    """Whether the loop only reduces the rows of one large input."""
    _, *loops = loops_in(top)
    lanes = [loop for loop in loops if loop.kind == "lanes"]
    if len(lanes) != 1 or len(lanes[0].reductions) != 1 or weight_of(lanes[0]) > _CHEAPEST:
        return False
    for loop in loops:
        if loop.until is not None and loop.until[0].stride(top.index):
            return False
        if any(isinstance(s, Store) for s in loop.body):
            return False
    loads = [s for s in lanes[0].body if isinstance(s, Load)]
    if len(loads) != 1 or loads[0].dynamic or loads[0].when is not None:
        return False
    (load,) = loads
    size = load.parameter.dtype.itemsize
    return (
        load.parameter.role == "input" and load.parameter.size * size >= _LARGE
        and load.at.stride(lanes[0].index) == 1 and load.at.stride(top.index) * size >= _PAGE
    )


class _Copy:
    """The statements of one of the rows, with its own index of the outermost loop and its own elements."""

    def __init__(self, index: Index, by: Affine) -> None:
        self._index, self._by = index, by
        self._own: dict[int, Scalar] = {}

    def affine(self, affine: Affine) -> Affine:
        return affine.replaced(self._index, self._by)

    def __call__(self, scalar: Scalar) -> Scalar:
        return self._own.get(id(scalar), scalar)

    def define(self, scalars: Sequence[Scalar]) -> None:
        """Renames elements that are defined in the row."""
        self._own.update((id(scalar), Scalar(scalar.dtype)) for scalar in scalars)

    def statement(self, statement: Constant | IndexValue | Inside | Load | Store | Compute) -> Statement:
        """A statement of the row."""
        self.define(results_of(statement))
        if isinstance(statement, Constant):
            return replace(statement, result=self(statement.result))
        if isinstance(statement, (IndexValue, Inside)):
            return replace(statement, result=self(statement.result), of=self.affine(statement.of))
        if isinstance(statement, Compute):
            return replace(statement, results=tuple(map(self, statement.results)),
                           operands=tuple(map(self, statement.operands)))
        dynamic = tuple((self(scalar), stride) for scalar, stride in statement.dynamic)
        when = None if statement.when is None else self(statement.when)
        at = self.affine(statement.at)
        if isinstance(statement, Load):
            return replace(statement, result=self(statement.result), at=at, dynamic=dynamic, when=when)
        return replace(statement, value=self(statement.value), at=at, dynamic=dynamic, when=when)

    def reduction(self, r: Reduction) -> Reduction:
        return Reduction(self(r.result), r.operation, self(r.initial), self(r.contribution))

    def recurrence(self, r: Recurrence) -> Recurrence:
        return Recurrence(self(r.result), self(r.initial), self(r.inside), self(r.following))


def _fused(body: Sequence[Statement], copies: Sequence[_Copy]) -> Iterator[Statement]:
    """The statements of all rows, with their inner loops fused."""
    for statement in body:
        if not isinstance(statement, Loop):
            yield from (copy.statement(statement) for copy in copies)
            continue
        for copy in copies:
            copy.define([*results_of(statement), *(r.inside for r in statement.recurrences)])
        inner = tuple(_fused(statement.body, copies))
        yield replace(
            statement, body=inner,
            reductions=tuple(copy.reduction(r) for r in statement.reductions for copy in copies),
            recurrences=tuple(copy.recurrence(r) for r in statement.recurrences for copy in copies),
        )
