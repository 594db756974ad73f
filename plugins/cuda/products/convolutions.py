# SPDX-License-Identifier: Apache-2.0
"""Convolutions as matrix products of the windows' elements (im2col) with the kernel.

Small ones, and element types that cuBLASLt lacks, are one kernel that reads the windows in place (implicit GEMM). For
large ones the windows are written to memory, a row for each, and multiplied by cuBLASLt.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial

import numpy as np

from olympus_core import dtypes
from olympus_core.program import Operation
from olympus_core.toolkit.c_text import split_index, strides_of

from ..codegen import functions
from ..codegen.module import Module
from .copies import copy_module
from .dots import Building, Kind, empty_work, kinds_of, matmul_of, moved_by
from .matrices import Plan, Side
from .tiled import Reading, sum_type, tiled_module
from .work_steps import BufferSlice, KernelLaunchStep, MatmulStep, ProductWork, Variant, module_of

_LARGE = 1 << 24  # multiplications from which on im2col is used
_MOST_BYTES = 512 << 20  # of windows that are in memory at once
_THREADS = 256


@dataclass(frozen=True, slots=True)
class Spatial:
    """One spatial dimension.

    Args:
        size: Its size in the operand.
        out: Its size in the result.
        window: Its size in the kernel.
        stride: Distance between windows.
        low: Padding before the operand.
        spread: Dilation of the operand.
        hole: Dilation of the window.
        x: Its stride in the operand.
        y: Its stride in the kernel.
        o: Its stride in the result.
    """

    size: int
    out: int
    window: int
    stride: int
    low: int
    spread: int
    hole: int
    x: int
    y: int
    o: int


class Windows:
    """The dimensions of a convolution by their roles.

    Args:
        operation: The convolution.
    """

    def __init__(self, operation: Operation) -> None:
        attributes, (x, kernel, out) = operation.attributes, [
            v.type for v in (*operation.operands, *operation.results)]
        left, right, after = (attributes[key] for key in ("lhs_layout", "rhs_layout", "out_layout"))
        sx, sy, so = (dict(zip(layout, strides_of(t.shape), strict=True))
                      for layout, t in ((left, x), (right, kernel), (after, out)))
        nx, ny, no = (dict(zip(layout, t.shape, strict=True))
                      for layout, t in ((left, x), (right, kernel), (after, out)))
        self.features, self.batches = attributes["feature_groups"], attributes["batch_groups"]
        self.groups = self.features * self.batches
        letters = [c for c in right if c not in "OI"]
        self.spatial = tuple(
            Spatial(nx[c], no[c], ny[c], attributes["window_strides"][i], attributes["padding"][i][0],
                    attributes["lhs_dilation"][i], attributes["rhs_dilation"][i], sx[c], sy[c], so[c])
            for i, c in enumerate(letters))
        self.batch, self.inputs, self.outputs = no["N"], ny["I"], ny["O"] // self.groups
        self.x_batch, self.x_feature, self.y_out, self.y_in = sx["N"], sx["C"], sy["O"], sy["I"]
        self.o_batch, self.o_feature = so["N"], so["C"]
        # The feature dimension is contracted last where it is contiguous in the operand.
        self.features_last = sx["C"] == 1
        self.positions = math.prod(s.out for s in self.spatial)
        self.windows = math.prod(s.window for s in self.spatial)
        self.rows, self.inner = self.batch * self.positions, self.inputs * self.windows
        # Signed, since windows may begin before the operand.
        reach = max((abs(s.low) + s.out * s.stride + s.window * s.hole for s in self.spatial), default=0)
        sizes = x.size, kernel.size, out.size, reach, self.rows * self.inner * self.groups
        self.index = "int" if max(sizes) < 1 << 30 else "long long"

    def inner_parts(self, feature: int, strides: list[int]) -> list[tuple[int, int]]:
        """The sizes of the contracted dimensions in order, with given strides of the feature and the window."""
        window = [(s.window, stride) for s, stride in zip(self.spatial, strides, strict=True)]
        return [*window, (self.inputs, feature)] if self.features_last else [(self.inputs, feature), *window]

    def first(self) -> str:
        """Lines that compute the index of an element of the operand, as `tiled.Reading` takes them."""
        index = self.index
        # Groups divide the batch or the features; the other number is 1.
        batch = f"row / {self.positions} + group * {self.batch}" if self.batches > 1 else f"row / {self.positions}"
        feature = f"({split_index('k', self.inner_parts(1, [0] * len(self.spatial)))})"
        feature += f" + group * {self.inputs}" if self.features > 1 else ""
        lines = [f"at = ({batch}) * {self.x_batch} + ({feature}) * {self.x_feature};"]
        for i, s in enumerate(self.spatial):
            only = [1 if j == i else 0 for j in range(len(self.spatial))]
            position = split_index("row", [(self.batch, 0), *((t.out, only[j]) for j, t in enumerate(self.spatial))])
            within = split_index("k", self.inner_parts(0, only))
            lines.append(f"{index} p{i} = ({position}) * {s.stride} + ({within}) * {s.hole} - ({s.low});")
            lines.append(f"if (p{i} < 0" + (f" || p{i} % {s.spread}" if s.spread > 1 else "") + ") return false;")
            if s.spread > 1:
                lines.append(f"p{i} /= {s.spread};")
            lines.append(f"if (p{i} >= {s.size}) return false;")
            lines.append(f"at += p{i} * {s.x};")
        return "\n    ".join(lines)

    def second_parts(self) -> list[tuple[int, int]]:
        """The sizes of the contracted dimensions, with their strides in the kernel."""
        return self.inner_parts(self.y_in, [s.y for s in self.spatial])

    def reading(self) -> Reading:
        """How the implicit GEMM reads its operands and writes its result."""
        inner = split_index("k", self.second_parts())
        row = split_index("row", [(self.batch, self.o_batch), *((s.out, s.o) for s in self.spatial)])
        return Reading(
            self.groups, self.rows, self.outputs, self.inner, self.first(),
            f"(group * {self.outputs} + column) * {self.y_out} + {inner}",
            f"{row} + (group * {self.outputs} + column) * {self.o_feature}", self.index,
            self.features_last, self.y_out != 1, self.o_feature == 1,
        )

    @property
    def is_operand(self) -> bool:
        """Whether im2col would copy the operand unchanged."""
        plain = all((s.window, s.stride, s.low, s.spread, s.size) == (1, 1, 0, 1, s.out) for s in self.spatial)
        sizes = [self.batch, *(s.size for s in self.spatial), self.inputs]
        given = [self.x_batch, *(s.x for s in self.spatial), self.x_feature]
        wanted = zip(sizes, given, strides_of(sizes), strict=True)
        return plain and self.groups == 1 and all(n == 1 or stride == step for n, stride, step in wanted)

    def together(self, size: int) -> int:
        """How many examples of the batch im2col takes at once within the memory limit; 0 for none."""
        each = self.groups * self.positions * self.inner * size
        if self.batches > 1:  # groups divide the batch: all or none
            return self.batch if each * self.batch <= _MOST_BYTES else 0
        return next((n for n in range(self.batch, 0, -1) if self.batch % n == 0 and n * each <= _MOST_BYTES), 0)

    def written_out(self, dtype: np.dtype, batch: int) -> Module:
        """The im2col kernel: a row of contracted elements for each window, group after group.

        Args:
            dtype: The element type.
            batch: Number of examples, from the first on.
        """
        stored, rows = functions.storage_type(dtype), batch * self.positions
        index, total = self.index, self.groups * batch * self.positions * self.inner
        body = f"""__device__ __forceinline__ bool first({index} group, {index} row, {index} k, {index}& at) {{
    {self.first()}
    return true;
}}

extern "C" __global__ void __launch_bounds__({_THREADS}) windows(const {stored}* x, {stored}* y) {{
    {index} i = ({index})blockIdx.x * {_THREADS} + threadIdx.x, at;
    if (i >= {total}) return;
    {index} row = i / {self.inner};
    {stored} value = {{}};
    if (first(row / {rows}, row % {rows}, i % {self.inner}, at)) value = x[at];
    y[i] = value;
}}
"""
        return module_of("windows", body, -(-total // _THREADS), _THREADS)


def convolution_work(operation: Operation) -> ProductWork | None:
    """The work of a convolution, or None where there is none."""
    source, result = operation.operands[0].type.dtype, operation.results[0].type.dtype
    if sum_type(source, result) is None:
        return None
    if any(v.type.size == 0 for v in (*operation.operands, *operation.results)):
        return empty_work(operation)
    windows = Windows(operation)
    own = partial(tiled_module, source, result, windows.reading())
    last = Variant((KernelLaunchStep(own, tuple(BufferSlice(i) for i in range(3))),))
    variants = [last]
    large = windows.groups * windows.rows * windows.outputs * windows.inner >= _LARGE
    if large and not dtypes.is_integer(source) and max(windows.rows, windows.inner) < 1 << 31:
        kind = kinds_of(source, result)[-1]
        together = windows.together(kind.operand.itemsize)
        if together or windows.is_operand:
            variants.insert(0, _by_library(operation, windows, kind, together))
    return ProductWork(operation.operands, operation.results, tuple(variants))


def _by_library(operation: Operation, windows: Windows, kind: Kind, together: int) -> Variant:
    """A convolution by im2col, a copy of the kernel in matrix order, and batched products."""
    w, building = windows, Building()
    source, result = operation.operands[0].type, operation.results[0].type
    x, y, out = (BufferSlice(i) for i in range(3))
    if source.dtype != kind.operand:
        x = building.copied(x, source.dtype, kind.operand, [(source.size, 1)])
    together = w.batch if w.is_operand else together
    rows, size = together * w.positions, kind.operand.itemsize
    written = x if w.is_operand else building.room(w.groups * rows * w.inner * size)
    columns = building.copied(
        y, source.dtype, kind.operand,
        [(w.groups, w.outputs * w.y_out), (w.outputs, w.y_out), *w.second_parts()])
    # The dimensions of the product in the order of the result, with their strides in the product.
    steps = strides_of([s.out for s in w.spatial])
    dimensions = [
        (w.o_batch, [(w.batch, w.positions * w.outputs)]),
        (w.o_feature, [(w.groups, w.rows * w.outputs), (w.outputs, 1)]),
        *((s.o, [(s.out, step * w.outputs)]) for s, step in zip(w.spatial, steps, strict=True)),
    ]
    # Dimensions of size 1 have their neighbours' strides; their position does not matter.
    dimensions.sort(key=lambda dimension: -dimension[0])
    moved = [part for _, parts in dimensions for part in parts if part[0] > 1]
    direct = kind.result == result.dtype and all(
        step == math.prod(size for size, _ in moved[i + 1:]) for i, (_, step) in enumerate(moved))
    target = out if direct else building.room(result.size * kind.result.itemsize)
    plan = Plan(w.groups, rows, w.outputs, w.inner, (), (w.rows * w.outputs,),
                Side(None, True, w.inner, rows * w.inner), Side(None, True, w.inner, w.outputs * w.inner))
    matmul = matmul_of(plan, kind)
    workspace = building.room(matmul.workspace)
    for n in range(0, w.batch, together):
        if written is not x:
            building.kernel(partial(w.written_out, kind.operand, together), moved_by(x, n * w.x_batch * size), written)
        made = moved_by(target, n * w.positions * w.outputs * kind.result.itemsize)
        building.steps.append(MatmulStep(matmul, ((columns, written, made),), None, workspace))
    if not direct:
        building.kernel(partial(copy_module, kind.result, result.dtype, moved or [(1, 1)]), target, out)
    return building.variant()
