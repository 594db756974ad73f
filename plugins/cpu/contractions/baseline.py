# SPDX-License-Identifier: Apache-2.0
"""The baseline tier of GEMMs: an optimised micro-kernel with quickly compiled code around it.

The first calls do not wait for LLVM to optimise the whole module (tiered compilation). Only the micro-kernel must keep
its sums in registers: alone it is generated in a quarter of the time of the whole module, or assembled in a tenth. The
macro-kernel around it and packing are compiled without optimisation. Both tiers give the same bits.
"""

from __future__ import annotations

from functools import lru_cache

from ..codegen.builder import FunctionBuilder, Ir, Target, module_text
from .gemm_kernel import GemmEmitter
from .gemm_variant import GemmVariant
from .ir_helpers import least, number, opaque, total, word
from .microkernel_assembly import has_assembly, microkernel_assembly
from .packing import PackingEmitter

_PARAMETERS = [
    ("rows", "ptr"), ("y", "ptr"), ("ahead", "ptr"), ("step", "i64"), ("length", "i64"), ("y_stride", "i64"),
    ("sums", "ptr"), ("fast", "i64"), ("row_step", "i64"),
]


@lru_cache(maxsize=64)
def microkernel_module(variant: GemmVariant, target: Target) -> str:
    """The text of a module with the micro-kernel ``sums``, which adds a segment's products to sums in memory."""
    return module_text([_MicroKernel(variant, target).function()])


@lru_cache(maxsize=64)
def baseline_module(variant: GemmVariant, target: Target) -> str:
    """The text of a module with the function ``product``; without assembly, ``sums`` comes from another module."""
    text = module_text([_MacroKernel(variant, target).function()])
    return text + (microkernel_assembly(variant, target) if has_assembly(variant, target) else "")


@lru_cache(maxsize=64)
def baseline_packing_module(packing: GemmVariant, target: Target) -> str:
    """The text of a module with the function ``pack``, which packs the columns of several variants."""
    return module_text([PackingEmitter(packing, target, is_short=True).function()])


class _MicroKernel(GemmEmitter):
    """Writes the micro-kernel: the loop over contracted elements."""

    def function(self) -> FunctionBuilder:
        """The function; `rows` is the address of a tile's contiguous rows, or else a table of the rows' addresses."""
        b = self.b = FunctionBuilder(self.b.target, "sums", _PARAMETERS)
        rows, y, ahead, step, length, self.y_stride, sums, fast, self.row_step = b.parameters
        starts = [rows] if self.variant.packs_rows else [b.load(b.gep(rows, i, "ptr"), "ptr") for i in range(self.rows)]
        starts = [opaque(b, start) for start in starts]
        pointers = [b.gep(sums, i * self.lanes, self.variant.compute) for i in range(len(self.vectors) * self.rows)]
        before = [b.load(pointer, self.variant.compute, self.lanes) for pointer in pointers]
        after = self._multiplied(starts, [y, *before], ahead, step, length, fast)
        for pointer, value in zip(pointers, after[1:], strict=True):
            b.store(pointer, value)
        b.ret()
        return b


class _MacroKernel(GemmEmitter):
    """Writes the macro-kernel, with loops over rows in place of unrolled code, which compile faster."""

    is_short = True

    def function(self) -> FunctionBuilder:
        """The function: a loop over tasks."""
        self.starts = self.b.alloca("ptr", self.rows)
        return super().function()

    def _tile(self, panel: Ir, tile: Ir) -> None:
        b, d, compute = self.b, self.d, self.variant.compute
        first = b.add(self.first_row, b.mul(tile, number(self.rows)))
        out = b.gep(self.out, total(b, self.batch_out, b.mul(panel, number(self.columns * self.result_size))), "i8")
        for i, value in enumerate(self._first_sums(panel) * self.rows):
            b.store(b.gep(self.edge, i * self.lanes, compute), value)
        count, length = self._runs()
        fast = self._fast_length(panel, length)
        with b.for_loop(number(0), count) as segment:
            x, y = self._segment(segment.index)
            if self.variant.copies_columns:
                y = self._panel_at(panel, segment.index)
            else:
                y = b.gep(y, b.mul(panel, d["panel_stride"]), "i8")
            if self.variant.packs_rows:
                rows, row_step = self._line_of_rows(tile, segment.index, x), self.row_step
            else:
                rows, last, row_step = self.starts, b.sub(self.end_row, number(1)), number(0)
                with b.for_loop(number(0), number(self.rows)) as row:
                    start = b.gep(x, word(b, self.x_rows, least(b, b.add(first, row.index), last)), "i8")
                    b.store(b.gep(rows, row.index, "ptr"), start)
            ahead = total(b, d["panel_stride"], b.mul(b.mul(tile, length), self.ahead))
            b.call("sums", None, 1, rows, y, b.gep(y, ahead, "i8"), self.ahead, length, d["y_stride"], self.edge,
                   fast, row_step)
        rest = b.sub(d["columns"], b.mul(panel, number(self.columns)))
        whole = b.icmp("sge", rest, number(self.columns))
        with b.when(whole), b.for_loop(number(0), least(b, number(self.rows), b.sub(self.end_row, first))) as row:
            line = b.gep(out, word(b, self.out_rows, b.add(first, row.index)), "i8")
            at = b.gep(self.edge, b.mul(row.index, number(self.columns)), compute)
            for j in self.vectors:
                self._update_vector(
                    b.gep(line, j * self.lanes, self.variant.result),
                    b.load(b.gep(at, j * self.lanes, compute), compute, self.lanes),
                )
        with b.when(b.not_(whole)):
            self._update_edge(panel, tile, rest)

    def _update_vector(self, pointer: Ir, value: Ir) -> None:
        """Stores a vector of the first pass, which keeps the sign of zeros; adds those of later passes."""
        b, result = self.b, self.variant.result
        with b.when(self.is_first):
            b.store(pointer, b.convert(value, result))
        with b.when(b.not_(self.is_first)):
            before = b.convert(b.load(pointer, result, self.lanes), self.variant.compute)
            b.store(pointer, b.convert(b.add(value, before), result))

    def _update_edge(self, panel: Ir, tile: Ir, rest: Ir) -> None:
        """The last panel, element by element: masked vectors would double the time that LLVM takes."""
        b, result = self.b, self.variant.result
        first = b.add(self.first_row, b.mul(tile, number(self.rows)))
        out = b.gep(self.out, total(b, self.batch_out, b.mul(panel, number(self.columns * self.result_size))), "i8")
        with b.for_loop(number(0), least(b, number(self.rows), b.sub(self.end_row, first))) as row:
            line = b.gep(out, word(b, self.out_rows, b.add(first, row.index)), "i8")
            with b.for_loop(number(0), rest) as column:
                pointer = b.gep(line, column.index, result)
                at = b.add(b.mul(row.index, number(self.columns)), column.index)
                value = b.load(b.gep(self.edge, at, self.variant.compute), self.variant.compute)
                b.store(pointer, b.convert(self._added(b.load(pointer, result), value), result))
