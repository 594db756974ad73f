# SPDX-License-Identifier: Apache-2.0
"""From transforms along dimensions to passes: which slots they read and write, and how long lines are cut in two."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from . import plan
from .plan import LANES, MORE_SCRATCH, OPERAND, RESULT, SCRATCH, Pass, radices, stages_length

# Of complex elements. Longer lines are cut: a buffer of as many of them as lanes would leave the second-level cache.
_MOST_AT_ONCE = 1 << 12
# Longer lines that cannot be cut are left to the library.
_MOST_WHOLE, _MOST_OF_FEW = 1 << 16, 1 << 10
# A few lines are cut from this length on: the parts of one fill the lanes.
_LEAST_CUT = 256
_REAL = {("rfft", 0): plan.PAIRS_TO_HALF, ("irfft", 0): plan.HALF_TO_PAIRS,
         ("rfft", 1): plan.ODD_TO_HALF, ("irfft", 1): plan.HALF_TO_ODD}


class Step(NamedTuple):
    """A transform along one dimension, as the operation `fft` has it.

    Args:
        kind: ``"fft"``, ``"ifft"``, ``"rfft"`` or ``"irfft"``.
        dimension: The dimension.
        length: Of the real side.
    """

    kind: str
    dimension: int
    length: int

    @property
    def is_real(self) -> bool:
        """Whether one side is real."""
        return self.kind in ("rfft", "irfft")

    @property
    def complex_length(self) -> int:
        """The length of the transform of complex numbers: of a real line of even length pairs of elements are taken."""
        return self.length // 2 if self.is_real and self.length % 2 == 0 else self.length

    def after(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        """The result's shape."""
        size = self.length // 2 + 1 if self.kind == "rfft" else self.length
        return (*shape[:self.dimension], size, *shape[self.dimension + 1:])


def cut(length: int, dtype: np.dtype) -> tuple[int, int] | None:
    """Two factors of a length, as near to each other as they can be; None where they are far apart."""
    lanes = LANES[dtype.itemsize]
    if radices(length) is None:
        return None
    for first in range(math.isqrt(length), 0, -1):
        second = length // first
        if first * second == length and second % lanes == 0:
            return (first, second) if 64 * first >= second and second <= _MOST_WHOLE else None
    return None


def cuts(shape: tuple[int, ...], steps: Sequence[Step], dtype: np.dtype) -> tuple[bool, ...]:
    """For each step whether its lines go through two passes: long ones, or few, which would leave lanes empty."""
    found = []
    for step in steps:
        length, before = step.complex_length, math.prod(shape[:step.dimension])
        least = _LEAST_CUT if before < LANES[dtype.itemsize] else _MOST_AT_ONCE + 1
        is_row = math.prod(shape[step.dimension + 1:]) == 1
        has_pairs = not (step.is_real and step.length % 2)
        found.append(is_row and has_pairs and length >= least and cut(length, dtype) is not None)
        shape = step.after(shape)
    return tuple(found)


def fits(shape: tuple[int, ...], steps: Sequence[Step], dtype: np.dtype) -> bool:
    """Whether there is code for these steps that is faster than the library's."""
    for step, is_cut in zip(steps, cuts(shape, steps, dtype), strict=True):
        # Few lines that cannot be cut leave most lanes empty.
        few = math.prod(shape) < shape[step.dimension] * max(3, LANES[dtype.itemsize] // 2)
        length = stages_length(step.complex_length) if math.prod(shape) else 0
        if not length or not is_cut and length > (_MOST_OF_FEW if few else _MOST_WHOLE):
            return False
        shape = step.after(shape)
    return True


class Passes:
    """The passes of several steps over an item, and the numbers of scratch memory that they need.

    Args:
        shape: The item's shape before.
        steps: The steps; one that makes real numbers complex is the first, one back the last.
        are_cut: Which of them are transformed in two passes.
        dtype: The type of the numbers.
    """

    def __init__(
        self, shape: tuple[int, ...], steps: Sequence[Step], are_cut: Sequence[bool], dtype: np.dtype
    ) -> None:
        self.found: list[Pass] = []
        self.scratch = self.more_scratch = 0
        self._dtype = dtype
        source = OPERAND
        for i, step in enumerate(steps):
            target = RESULT
            if i + 1 < len(steps) and steps[-1].kind == "irfft":
                target, size = SCRATCH, 2 * math.prod(step.after(shape))
                self.scratch = max(self.scratch, size)
            begin = len(self.found)
            if are_cut[i]:
                self._cut(shape, step, source, target)
            else:
                self._whole(shape, step, source, target)
            scale = 1 / step.length if step.kind in ("ifft", "irfft") else 1.0
            last = [p for p in self.found[begin:] if p.kind == plan.LINES][-1]
            last.scale = scale
            # Real lines of odd length are made of imaginary parts already.
            last.swap_out = step.kind in ("ifft", "irfft") and last.real != plan.HALF_TO_ODD
            self.found[begin].swap_in = step.kind == "ifft"
            shape, source = step.after(shape), target
        for one in self.found:
            one.complete()

    def place_items(self, before: int, after: int) -> None:
        """Says how many numbers an item of the operand and of the result has."""
        distance = {OPERAND: before, RESULT: after}
        for one in self.found:
            one.from_item, one.to_item = distance.get(one.source, 0), distance.get(one.target, 0)

    def _whole(self, shape: tuple[int, ...], step: Step, source: int, target: int) -> None:
        inner, length = math.prod(shape[step.dimension + 1:]), step.complex_length
        one = Pass(self._dtype, source, target, length, lines=math.prod(shape) // shape[step.dimension], inner=inner)
        one.from_step = one.to_step = 2 * inner
        one.real = _REAL.get((step.kind, step.length % 2), plan.COMPLEX)
        size = step.after(shape)[step.dimension]
        one.from_outer, one.to_outer = 2 * shape[step.dimension] * inner, 2 * size * inner
        one.from_line = one.to_line = 2
        if step.kind == "rfft":
            one.from_outer, one.from_line, one.from_imaginary = step.length * inner, 1, inner
        if step.kind == "irfft":
            one.to_outer, one.to_line, one.to_imaginary = step.length * inner, 1, inner
        self.found.append(one)

    def _cut(self, shape: tuple[int, ...], step: Step, source: int, target: int) -> None:
        """A line as a matrix: its columns, twiddles, its rows, written as columns (Bailey 1990)."""
        length, lines = step.complex_length, math.prod(shape[:step.dimension])
        rows, columns = cut(length, self._dtype) or (1, length)
        before = step.length if step.kind == "rfft" else 2 * shape[step.dimension]
        size = step.after(shape)[step.dimension]
        after = step.length if step.kind == "irfft" else 2 * size
        self.more_scratch = max(self.more_scratch, 2 * length * lines)
        if step.kind == "irfft":
            self.found.append(Pass(
                self._dtype, source, MORE_SCRATCH, length, lines, kind=plan.FROM_HALF, from_sheet=before,
                to_sheet=2 * length))
            source, before = MORE_SCRATCH, 2 * length
        self.found.append(Pass(
            self._dtype, source, MORE_SCRATCH, rows, lines, columns, columns, from_sheet=before, from_line=2,
            from_step=2 * columns, to_sheet=2 * length, to_line=2, to_step=2 * columns, between=columns))
        self.found.append(Pass(
            self._dtype, MORE_SCRATCH, target, columns, lines, rows, rows, from_sheet=2 * length, from_line=2 * columns,
            from_step=2, to_sheet=after, to_line=2, to_step=2 * rows))
        if step.kind == "rfft":
            self.found.append(Pass(
                self._dtype, target, target, length, lines, kind=plan.TO_HALF, from_sheet=after, to_sheet=after))
