"""Products whose first calls do not wait for LLVM: optimised code for the sums alone, quick code around it.

Only the innermost loop has to keep its sums in registers. By itself it is generated in a quarter of the time that the
whole takes, or assembled in a tenth of that; what is around it becomes quick code. Both give the bits that the whole
module gives.
"""

from __future__ import annotations

from functools import lru_cache

from ..codegen.builder import FunctionBuilder, Ir, Target, module_text
from .assembly import has_assembly, sums_assembly
from .emit import Multiplying
from .kinds import ProductKind, least, number, opaque, total, word
from .packing import Packing

_PARAMETERS = [
    ("rows", "ptr"), ("y", "ptr"), ("ahead", "ptr"), ("step", "i64"), ("length", "i64"), ("y_stride", "i64"),
    ("sums", "ptr"),
]


@lru_cache(maxsize=64)
def sums_module(kind: ProductKind, target: Target) -> str:
    """The text of a module with the function ``sums``, which adds a segment's products to a tile's sums in memory."""
    return module_text([_Sums(kind, target).function()])


@lru_cache(maxsize=64)
def quick_module(kind: ProductKind, packing: ProductKind | None, target: Target) -> str:
    """The text of a module with the functions ``product`` and ``pack``.

    Args:
        kind: What the product is of.
        packing: What the packing of its columns is of; None where there is none, and no ``pack``.
        target: The processor; where `has_assembly` says no, ``sums`` comes from another module.
    """
    functions = [_Around(kind, target).function()]
    if packing is not None:
        functions.append(Packing(packing, target, is_short=True).function())
    return module_text(functions) + (sums_assembly(kind, target) if has_assembly(kind, target) else "")


class _Sums(Multiplying):
    """Writes the innermost loop."""

    def function(self) -> FunctionBuilder:
        """The function: of packed rows it gets the first element's address, else a table of the rows' addresses."""
        b = self.b = FunctionBuilder(self.b.target, "sums", _PARAMETERS)
        rows, y, ahead, step, length, self.y_stride, sums = b.parameters
        starts = [rows] if self.kind.packs_rows else [b.load(b.gep(rows, i, "ptr"), "ptr") for i in range(self.rows)]
        starts = [opaque(b, start) for start in starts]
        places = [b.gep(sums, i * self.lanes, self.kind.compute) for i in range(2 * self.rows)]
        before = [b.load(place, self.kind.compute, self.lanes) for place in places]
        with b.for_loop(number(0), length, 1, [y, *before]) as iteration:
            b.prefetch(b.gep(ahead, b.mul(iteration.index, step), "i8"), near=False)
            iteration.next(self._step(starts, iteration.index, *iteration.carried))
        for place, value in zip(places, iteration.results[1:], strict=True):
            b.store(place, value)
        b.ret()
        return b


class _Around(Multiplying):
    """Writes what is around the sums, with loops over rows in place of one instruction for each: it is read once."""

    is_short = True

    def function(self) -> FunctionBuilder:
        """The function: a loop over pieces of work."""
        self.starts = self.b.alloca("ptr", self.rows)
        return super().function()

    def _tile(self, panel: Ir, tile: Ir) -> None:
        b, d, compute = self.b, self.d, self.kind.compute
        first = b.add(self.first_row, b.mul(tile, number(self.rows)))
        out = b.gep(self.out, total(b, self.batch_out, b.mul(panel, number(self.columns * self.result_size))), "i8")
        for i in range(2 * self.rows):
            b.store(b.gep(self.edge, i * self.lanes, compute), b.constant(0, compute, self.lanes))
        with b.for_loop(number(0), self.segment_count) as segment:
            x, y = self._segment(segment.index)
            if self.kind.copies_columns:
                y = self._panel_at(panel, segment.index)
            else:
                y = b.gep(y, b.mul(panel, d["panel_stride"]), "i8")
            if self.kind.packs_rows:
                done = total(b, b.mul(tile, self.segment_count), segment.index)
                rows = b.gep(self.packed, b.mul(b.mul(done, self.length), number(self.rows)), compute)
            else:
                rows, last = self.starts, b.sub(self.end_row, number(1))
                with b.for_loop(number(0), number(self.rows)) as row:
                    start = b.gep(x, word(b, self.x_rows, least(b, b.add(first, row.index), last)), "i8")
                    b.store(b.gep(rows, row.index, "ptr"), start)
            ahead = total(b, d["panel_stride"], b.mul(b.mul(tile, self.length), self.ahead))
            b.call("sums", None, 1, rows, y, b.gep(y, ahead, "i8"), self.ahead, self.length, d["y_stride"], self.edge)
        rest = b.sub(d["columns"], b.mul(panel, number(self.columns)))
        whole = b.icmp("sge", rest, number(self.columns))
        with b.when(whole), b.for_loop(number(0), least(b, number(self.rows), b.sub(self.end_row, first))) as row:
            place = b.gep(out, word(b, self.out_rows, b.add(first, row.index)), "i8")
            at = b.gep(self.edge, b.mul(row.index, number(self.columns)), compute)
            for j in (0, 1):
                self._leave_vector(
                    b.gep(place, j * self.lanes, self.kind.result),
                    b.load(b.gep(at, j * self.lanes, compute), compute, self.lanes),
                )
        with b.when(b.not_(whole)):
            self._leave_edge(panel, tile, rest)

    def _leave_vector(self, place: Ir, value: Ir) -> None:
        """Stores a vector of the first pass as it is, sign of zero and all; adds those of later ones."""
        b, result = self.b, self.kind.result
        with b.when(self.is_first):
            b.store(place, b.convert(value, result))
        with b.when(b.not_(self.is_first)):
            before = b.convert(b.load(place, result, self.lanes), self.kind.compute)
            b.store(place, b.convert(b.add(value, before), result))

    def _leave_edge(self, panel: Ir, tile: Ir, rest: Ir) -> None:
        """The last panel element by element: vectors with masks take LLVM as long as all the rest."""
        b, result = self.b, self.kind.result
        first = b.add(self.first_row, b.mul(tile, number(self.rows)))
        out = b.gep(self.out, total(b, self.batch_out, b.mul(panel, number(self.columns * self.result_size))), "i8")
        with b.for_loop(number(0), least(b, number(self.rows), b.sub(self.end_row, first))) as row:
            line = b.gep(out, word(b, self.out_rows, b.add(first, row.index)), "i8")
            with b.for_loop(number(0), rest) as column:
                place = b.gep(line, column.index, result)
                at = b.add(b.mul(row.index, number(self.columns)), column.index)
                value = b.load(b.gep(self.edge, at, self.kind.compute), self.kind.compute)
                b.store(place, b.convert(self._added(b.load(place, result), value), result))
