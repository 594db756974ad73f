"""LLVM IR that copies columns into panels: for one contracted element after the other a panel's columns, side by side.

Narrow elements become what is multiplied on the way.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from ..codegen.builder import FunctionBuilder, Ir, Target, module_text
from ..codegen.target import ELEMENT_BITS
from .forms import PACK
from .kinds import TABLE, ProductKind, address, least, number, opaque, tile_shape, transposed, widened, word, words

GROUP = 4  # neighbouring panels that are packed together
_MASKED_BITS = 32  # elements of which LLVM reads vectors with masks by one instruction


@lru_cache(maxsize=64)
def pack_module(kind: ProductKind, target: Target) -> str:
    """The text of a module with the function ``pack``."""
    return module_text([Packing(kind, target).function()])


class Columns(NamedTuple):
    """Where columns are, as code has it.

    Args:
        number: How many there are.
        offsets: A table of where each begins.
        stride: From one contracted element to the next, in bytes.
        are_contiguous: Whether they lie side by side.
    """

    number: Ir
    offsets: Ir
    stride: Ir
    are_contiguous: Ir


class PanelWriter:
    """Writes the loops that copy columns into panels.

    Args:
        b: Where they are written.
        kind: What they depend on.
        is_short: Whether a loop stands for what else is written for each column: LLVM has half as much to do.
    """

    def __init__(self, b: FunctionBuilder, kind: ProductKind, is_short: bool) -> None:
        self.b, self.kind, self.is_short = b, kind, is_short
        (_, self.width), self.lanes = tile_shape(b.target, kind.compute), b.target.lanes(kind.compute)
        self.offsets = b.alloca("i64", self.width)

    def write(
        self, columns: Columns, first_panel: Ir, end_panel: Ir, segments: Ir, length: Ir,
        source: Callable[[Ir], Ir], here: Callable[[Ir, Ir], Ir],
    ) -> None:
        """Panels of columns that lie anywhere, and the last ones.

        Args:
            columns: The columns.
            first_panel: The first panel.
            end_panel: The panel behind the last one.
            segments: Number of segments of contracted elements.
            length: Contracted elements in each.
            source: Where a segment begins in the operand.
            here: Where a segment of a panel goes.
        """
        b, kind, width = self.b, self.kind, self.width
        last = b.sub(columns.number, number(1))
        with b.for_loop(first_panel, end_panel) as panel:
            first = b.mul(panel.index, number(width))
            with b.for_loop(number(0), number(width)) as column:
                # Columns beyond the last one repeat it.
                place = word(b, columns.offsets, least(b, b.add(first, column.index), last))
                b.store(b.gep(self.offsets, column.index, "i64"), place)
            limit = b.splat(b.trunc_int(b.sub(columns.number, first), "i32"), width)
            mask = b.icmp("slt", b.constant_lanes(range(width), "i32"), limit)
            with b.for_loop(number(0), segments) as segment:
                start, to = source(segment.index), here(panel.index, segment.index)
                done = self._squares(start, to, columns, length) if kind.packs_along else number(0)
                if not kind.packs_along and not self.is_short and ELEMENT_BITS[kind.source] >= _MASKED_BITS:
                    done = b.select(b.icmp("ne", columns.are_contiguous, number(0)), length, number(0))
                    line = b.gep(start, word(b, self.offsets, number(0)), "i8")
                    with b.for_loop(number(0), done) as k:
                        row = b.gep(line, b.mul(k.index, columns.stride), "i8")
                        value = b.load_masked(row, kind.source, mask)
                        b.store(b.gep(to, b.mul(k.index, number(width)), kind.compute), widened(b, value, kind))
                with b.for_loop(done, length) as k:
                    row = opaque(b, b.gep(start, b.mul(k.index, columns.stride), "i8"))
                    line = opaque(b, b.gep(to, b.mul(k.index, number(width)), kind.compute))
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

    def _squares(self, source: Ir, here: Ir, columns: Columns, length: Ir) -> Ir:
        """What fills vectors of contracted elements that lie side by side; how many elements that were."""
        b, kind, lanes = self.b, self.kind, self.lanes
        done = b.sub(length, b.binary("urem", length, number(lanes)))
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


class Packing:
    """Writes the function that copies columns into panels, some neighbouring ones a iteration.

    Args:
        kind: What it depends on.
        target: The processor.
        is_short: Whether a loop stands for what else is written for each column: LLVM has half as much to do.
    """

    def __init__(self, kind: ProductKind, target: Target, is_short: bool = False) -> None:
        self.kind = kind
        self.b = FunctionBuilder(target, "pack", TABLE)
        self.writer = PanelWriter(self.b, kind, is_short)
        self.width = self.writer.width

    def function(self) -> FunctionBuilder:
        """The function: a loop over groups of panels."""
        b, width = self.b, self.width
        table = b.parameter("table")
        d = self.d = words(b, b.load(table, "ptr"), PACK)
        y, to = (b.load(b.gep(table, i, "ptr"), "ptr") for i in (1, 2))
        self.offsets, self.segments, batches = (address(b, d[name]) for name in ("y_columns", "segments", "batches"))
        self.depth = b.mul(b.mul(d["segment_count"], d["length"]), number(width))
        with b.for_loop(b.parameter("low"), b.parameter("high")) as iteration:
            batch, group = b.udiv(iteration.index, d["groups"]), b.binary("urem", iteration.index, d["groups"])
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
            place = b.add(word(b, self.segments, segment.index), word(b, self.offsets, first_column))
            source, here = b.gep(self.begin, place, "i8"), self._here(first_panel, segment.index)
            with b.for_loop(number(0), d["length"]) as k:
                row = opaque(b, b.gep(source, b.mul(k.index, d["y_stride"]), "i8"))
                line = opaque(b, b.gep(here, b.mul(k.index, number(width)), kind.compute))
                values = [b.load(b.gep(row, i * width, kind.source), kind.source, width) for i in range(GROUP)]
                for i, value in enumerate(values):
                    b.store(b.gep(line, b.mul(self.depth, number(i)), kind.compute), widened(b, value, kind))

    def _panels(self, first_panel: Ir, end_panel: Ir) -> None:
        b, d = self.b, self.d
        self.writer.write(
            Columns(d["columns"], self.offsets, d["y_stride"], d["is_contiguous"]), first_panel, end_panel,
            d["segment_count"], d["length"],
            lambda segment: b.gep(self.begin, word(b, self.segments, segment), "i8"), self._here,
        )
