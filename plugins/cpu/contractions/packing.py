"""LLVM IR that copies columns into panels: for one contracted element after the other a panel's columns, side by side.

Narrow elements become what is multiplied on the way.
"""

from __future__ import annotations

from functools import lru_cache

from ..codegen.builder import FunctionBuilder, Ir, Target, module_text
from .forms import PACK
from .kinds import TABLE, ProductKind, address, least, number, opaque, tile_shape, transposed, widened, word, words

GROUP = 4  # neighbouring panels that are packed together


@lru_cache(maxsize=64)
def pack_module(kind: ProductKind, target: Target) -> str:
    """The text of a module with the function ``pack``."""
    return module_text([Packing(kind, target).function()])


class Packing:
    """Writes the function that copies columns into panels, some neighbouring ones a turn.

    Args:
        kind: What it depends on.
        target: The processor.
        is_short: Whether a loop stands for what else is written for each column: LLVM has half as much to do.
    """

    def __init__(self, kind: ProductKind, target: Target, is_short: bool = False) -> None:
        self.kind, self.is_short = kind, is_short
        self.b = FunctionBuilder(target, "pack", TABLE)
        (_, self.width), self.lanes = tile_shape(target, kind.compute), target.lanes(kind.compute)

    def function(self) -> FunctionBuilder:
        """The function: a loop over groups of panels."""
        b, width = self.b, self.width
        table = b.parameter("table")
        d = self.d = words(b, b.load(table, "ptr"), PACK)
        y, to = (b.load(b.gep(table, i, "ptr"), "ptr") for i in (1, 2))
        self.columns, self.segments, batches = (address(b, d[name]) for name in ("y_columns", "segments", "batches"))
        self.depth = b.mul(b.mul(d["segment_count"], d["length"]), number(width))
        self.offsets = b.alloca("i64", width)
        with b.for_loop(b.parameter("low"), b.parameter("high")) as turn:
            batch, group = b.udiv(turn.index, d["groups"]), b.binary("urem", turn.index, d["groups"])
            self.begin = b.gep(y, word(b, batches, batch), "i8")
            self.out = b.gep(to, b.mul(b.mul(batch, d["panels"]), self.depth), self.kind.compute)
            first_panel = b.mul(group, number(GROUP))
            end_panel = least(b, b.add(first_panel, number(GROUP)), d["panels"])
            if self.kind.packs_along:
                self._panels(first_panel, end_panel)
            else:
                self._group_or_panels(first_panel, end_panel)
        b.ret()
        return b

    def _here(self, panel: Ir, segment: Ir) -> Ir:
        """Where a segment of a panel goes."""
        b = self.b
        done = b.mul(b.mul(segment, self.d["length"]), number(self.width))
        return b.gep(self.out, b.add(b.mul(panel, self.depth), done), self.kind.compute)

    def _group_or_panels(self, first_panel: Ir, end_panel: Ir) -> None:
        b = self.b
        first_column = b.mul(first_panel, number(self.width))
        whole = b.icmp("sle", b.add(first_column, number(GROUP * self.width)), self.d["columns"])
        side_by_side = b.and_(whole, b.icmp("ne", self.d["is_contiguous"], number(0)))
        with b.when(side_by_side):
            self._group(first_panel, first_column)
        with b.when(b.not_(side_by_side)):
            self._panels(first_panel, end_panel)

    def _group(self, first_panel: Ir, first_column: Ir) -> None:
        """Whole panels of columns that lie side by side, all at once: their pages are visited less often."""
        b, d, kind, width = self.b, self.d, self.kind, self.width
        with b.for_loop(number(0), d["segment_count"]) as segment:
            place = b.add(word(b, self.segments, segment.index), word(b, self.columns, first_column))
            source, here = b.gep(self.begin, place, "i8"), self._here(first_panel, segment.index)
            with b.for_loop(number(0), d["length"]) as k:
                row = opaque(b, b.gep(source, b.mul(k.index, d["y_stride"]), "i8"))
                line = opaque(b, b.gep(here, b.mul(k.index, number(width)), kind.compute))
                values = [b.load(b.gep(row, i * width, kind.source), kind.source, width) for i in range(GROUP)]
                for i, value in enumerate(values):
                    b.store(b.gep(line, b.mul(self.depth, number(i)), kind.compute), widened(b, value, kind))

    def _panels(self, first_panel: Ir, end_panel: Ir) -> None:
        """Panels of columns that lie anywhere, and the last ones; columns beyond the last one repeat it."""
        b, d, kind, width = self.b, self.d, self.kind, self.width
        last = b.sub(d["columns"], number(1))
        with b.for_loop(first_panel, end_panel) as panel:
            first = b.mul(panel.index, number(width))
            with b.for_loop(number(0), number(width)) as column:
                place = word(b, self.columns, least(b, b.add(first, column.index), last))
                b.store(b.gep(self.offsets, column.index, "i64"), place)
            with b.for_loop(number(0), d["segment_count"]) as segment:
                source = b.gep(self.begin, word(b, self.segments, segment.index), "i8")
                here = self._here(panel.index, segment.index)
                done = self._squares(source, here) if kind.packs_along else number(0)
                with b.for_loop(done, d["length"]) as k:
                    row = opaque(b, b.gep(source, b.mul(k.index, d["y_stride"]), "i8"))
                    line = opaque(b, b.gep(here, b.mul(k.index, number(width)), kind.compute))
                    if self.is_short:
                        with b.for_loop(number(0), number(width)) as column:
                            self._element(row, line, column.index)
                    else:
                        for j in range(width):
                            self._element(row, line, number(j))

    def _element(self, row: Ir, line: Ir, column: Ir) -> None:
        b, kind = self.b, self.kind
        value = b.load(b.gep(row, word(b, self.offsets, column), "i8"), kind.source)
        b.store(b.gep(line, column, kind.compute), widened(b, value, kind))

    def _squares(self, source: Ir, here: Ir) -> Ir:
        """What fills vectors of contracted elements that lie side by side; how many elements that were."""
        b, kind, lanes = self.b, self.kind, self.lanes
        done = b.sub(self.d["length"], b.binary("urem", self.d["length"], number(lanes)))
        with b.for_loop(number(0), number(self.width), lanes) as part:
            starts = [opaque(b, b.gep(source, word(b, self.offsets, b.add(part.index, number(j))), "i8"))
                      for j in range(lanes)]
            with b.for_loop(number(0), done, lanes) as k:
                place = b.add(b.mul(k.index, number(self.width)), part.index)
                line = opaque(b, b.gep(here, place, kind.compute))
                values = [b.load(b.gep(start, k.index, kind.source), kind.source, lanes) for start in starts]
                for j, value in enumerate(transposed(b, [widened(b, v, kind) for v in values])):
                    b.store(b.gep(line, j * self.width, kind.compute), value)
        return done
