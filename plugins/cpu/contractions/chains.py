"""Steps that run piece by piece: each piece of a step needs of the steps before it only what the same piece made.

A chain begins with a product. What works on the product's rows, such as a bias, an activation, a softmax or another
product, joins it: a thread that has made some rows goes on with them while they are in its caches, and waits for none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from olympus_core.program import Value
from olympus_core.toolkit.fusion import KernelStep, ViewStep
from olympus_core.toolkit.loops import Kernel, Load, Loop, Parameter, Store

from ..native.schedule import GRANULE
from .forms import Form
from .steps import ProductStep

ChainStep = KernelStep | ProductStep

_FEWEST_PIECES = 8  # fewer leave threads without work
_LEAST_WORK = 1 << 21  # multiplications: less is done before another thread is awake
_MOST_PACKED = 1 << 25  # bytes of packed columns: a chain's are all held at once


class Chain:
    """Steps that run piece by piece, one behind the other.

    Args:
        head: The first.
        reused: Outputs that are written over an input's memory.
        root: Values that are views, and what they are views of.
    """

    def __init__(self, head: ProductStep, reused: Mapping[Value, Value], root: Mapping[Value, Value]) -> None:
        self.steps: list[ChainStep] = [head]
        self._head = head
        self._reused, self._root = reused, root
        self._rows = head.product.rows_of_pieces()
        form = head.product.form
        self.pieces = len(form.x_batches) * -(-len(form.x_rows) // self._rows)
        self.chunks: list[int] = [1]
        # Bytes of a piece of each value that the chain has made.
        self._made = {head.outputs[0]: self._rows * _row_bytes(head)}
        self._read = {self._of(v) for v in head.inputs}

    def takes(self, step: ChainStep) -> bool:
        """Appends a step, where that is possible."""
        if self.pieces < _FEWEST_PIECES or not self._head.product.has_pieces_of(self._rows) or not any(
                self._of(v) in self._made for v in step.inputs):
            return False
        if not (self._takes_product(step) if isinstance(step, ProductStep) else self._takes_kernel(step)):
            return False
        self._head.product.cut_rows(self._rows)
        self.steps.append(step)
        self._read.update(self._of(v) for v in step.inputs)
        return True

    def _of(self, value: Value) -> Value:
        return self._root.get(value, value)

    def _takes_product(self, step: ProductStep) -> bool:
        """Whether a piece of this product needs no more of its first operand than the same piece of that."""
        x, y = (self._of(v) for v in step.inputs[:2])
        packed = sum(s.product.packed_bytes for s in (*self.steps, step) if isinstance(s, ProductStep))
        if not can_begin(step) or x not in self._made or y in self._made or packed > _MOST_PACKED:
            return False
        row = _read_row_bytes(step)
        rows, rest = divmod(self._made[x], row) if row else (0, 1)
        form = step.product.form
        if rest or rows < 1 or len(form.x_batches) * -(-len(form.x_rows) // rows) != self.pieces or (
                not step.product.has_pieces_of(rows)):
            return False
        step.product.cut_rows(rows)
        self._made[step.outputs[0]] = rows * _row_bytes(step)
        self.chunks.append(1)
        return True

    def _takes_kernel(self, step: KernelStep) -> bool:
        """Whether a piece of the kernel's range needs and makes the same piece of all that the chain makes."""
        loop = step.kernel.loop
        pairs = list(zip((*step.inputs, *step.outputs), step.kernel.arguments, strict=True))
        reach = {self._of(v): reached(step.kernel, p) for v, p in pairs}
        if len(reach) != len(pairs) or loop.kind == "serial":
            return False
        own = [self._of(v) for v in (*step.inputs, *step.outputs) if self._of(v) in self._made or v in step.outputs]
        each = {v: size for v in own if (size := reach[v]) is not None}
        chunks = {divmod(self._made[v], size) for v, size in each.items() if v in self._made}
        if len(each) != len(own) or len(chunks) != 1:
            return False
        ((chunk, rest),) = chunks
        if rest or chunk < 1 or -(-loop.extent // chunk) != self.pieces or (loop.kind == "lanes" and chunk % GRANULE):
            return False
        for v in step.outputs:
            source = v
            while source in self._reused:  # what was written over something may be written over, too
                source = self._of(self._reused[source])
                # A piece must not write where another one still reads.
                if source in self._read or reach.get(source, reach[v]) != reach[v]:
                    return False
        self._made.update({v: chunk * each[v] for v in step.outputs})
        self.chunks.append(chunk)
        return True


def chains(steps: Sequence[Any], reused: Mapping[Value, Value]) -> list[Chain]:
    """The chains of a group, each of neighbouring steps.

    Args:
        steps: The group's steps, in order; those of other kinds end a chain.
        reused: Outputs that are written over an input's memory.
    """
    root: dict[Value, Value] = {}
    found: list[Chain] = []
    current: Chain | None = None
    for step in steps:
        if isinstance(step, ViewStep):
            root[step.result] = root.get(step.source, step.source)
            continue
        if current is not None and isinstance(step, KernelStep | ProductStep) and current.takes(step):
            continue
        current = None
        if isinstance(step, ProductStep) and step.product.form.multiplications >= _LEAST_WORK and can_begin(step):
            current = Chain(step, reused, root)
            found.append(current)
    return [chain for chain in found if len(chain.steps) > 1]


def can_begin(step: ProductStep) -> bool:
    """Whether a product's pieces can be rows of the result, one behind the other."""
    product, form = step.product, step.product.form
    return product.members == product.parts == 1 and _are_neighbours(
        form, form.out_batches, form.out_rows, _row_bytes(step))


def reached(kernel: Kernel, parameter: Parameter) -> int | None:
    """Bytes of a buffer that one turn of the outermost loop touches, if each turn has its own, in order."""
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


def _row_bytes(step: ProductStep) -> int:
    return len(step.product.form.y_columns) * step.outputs[0].type.dtype.itemsize


def _read_row_bytes(step: ProductStep) -> int | None:
    """Bytes of a row of the first operand, if rows lie one behind the other."""
    form, type_ = step.product.form, step.inputs[0].type
    row = type_.nbytes // (len(form.x_batches) * len(form.x_rows))
    ends = form.segments[:, 0] + (form.length - 1) * form.x_stride
    inside = min(form.segments[:, 0].min(), ends.min()) >= 0 and (
        max(form.segments[:, 0].max(), ends.max()) + type_.dtype.itemsize <= row)
    return row if inside and _are_neighbours(form, form.x_batches, form.x_rows, row) else None


def _are_neighbours(form: Form, batches: np.ndarray, rows: np.ndarray, size: int) -> bool:
    places = (batches[:, None] + rows[None, :]).reshape(-1)
    return bool(np.array_equal(places, np.arange(len(places), dtype=np.int64) * size))
