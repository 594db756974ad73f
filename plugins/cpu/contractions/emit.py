"""LLVM IR of products of matrices: tiles of the result stay in registers while they are summed.

All sizes and strides come at run time in a descriptor of 64-bit words, so a process needs few such modules. `forms.py`
says what the words mean; `packing.py` copies the panels of columns that are read here, beforehand or, where nobody else
needs them, in the same piece of work.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from ..codegen.builder import FunctionBuilder, Ir, Target, module_text
from .forms import PRODUCT
from .kinds import (
    TABLE,
    ProductKind,
    address,
    bytes_of,
    least,
    number,
    opaque,
    tile_shape,
    total,
    transposed,
    widened,
    word,
    words,
)
from .packing import Columns, PanelWriter

PASS = 512  # contracted elements between two visits of the result
BLOCK = 12  # tiles of packed rows in one piece of work: they fit the second cache
PANELS = 4  # panels that a piece of work copies, of so long passes: they fit beside the rows


@lru_cache(maxsize=64)
def product_module(kind: ProductKind, target: Target) -> str:
    """The text of a module with the function ``product``."""
    return module_text([Multiplying(kind, target).function()])


class Multiplying:
    """Writes the product of row blocks with packed, or directly read, panels of columns."""

    is_short = False  # whether loops stand for what is else written for each row or column

    def __init__(self, kind: ProductKind, target: Target) -> None:
        self.kind = kind
        self.b = FunctionBuilder(target, "product", TABLE)
        self.rows, self.columns = tile_shape(target, kind.compute)
        self.lanes = target.lanes(kind.compute)
        self.source_size, self.result_size = bytes_of(kind.source), bytes_of(kind.result)

    def function(self) -> FunctionBuilder:
        """The function: a loop over pieces of work."""
        b = self.b
        table = self.table = b.parameter("table")
        d = self.d = words(b, b.load(table, "ptr"), PRODUCT)
        self.out = b.load(b.gep(table, d["out_slot"], "ptr"), "ptr")
        self.x_rows, self.y_columns, self.out_rows, self.batches, self.passes, self.segments = (
            address(b, d[name]) for name in ("x_rows", "y_columns", "out_rows", "batches", "passes", "segments")
        )
        self.y_stride = d["y_stride"]
        if self.kind.packs_rows:
            self.packed = b.alloca(self.kind.compute, BLOCK * self.rows * PASS + self.lanes)
        if self.kind.copies_columns:
            self.panels = b.alloca(self.kind.compute, PANELS * self.columns * PASS)
            self.panel_writer = PanelWriter(b, self.kind, self.is_short)
        self.edge = b.alloca(self.kind.compute, self.rows * self.columns)
        with b.for_loop(b.parameter("low"), b.parameter("high")) as iteration:
            self._piece(iteration.index)
        b.ret()
        return b

    def _piece(self, index: Ir) -> None:
        b, d = self.b, self.d
        rest, column_block = b.udiv(index, d["column_blocks"]), b.binary("urem", index, d["column_blocks"])
        rest, row_block = b.udiv(rest, d["row_blocks"]), b.binary("urem", rest, d["row_blocks"])
        batch, part = b.udiv(rest, d["parts"]), b.binary("urem", rest, d["parts"])
        triple = b.mul(batch, number(3))
        self.batch_x, self.batch_y, self.batch_out = (
            word(b, self.batches, b.add(triple, number(i))) for i in range(3)
        )
        self.batch_out = b.add(self.batch_out, b.mul(part, d["part_stride"]))
        first_pass, end_pass = (
            b.udiv(b.mul(b.add(part, number(i)), d["pass_count"]), d["parts"]) for i in (0, 1)
        )
        self.first_row = b.mul(row_block, d["block_rows"])
        below = least(b, d["block_rows"], b.sub(d["rows"], self.first_row))
        self.end_row = b.add(self.first_row, below)
        self.tiles = b.udiv(b.add(below, number(self.rows - 1)), number(self.rows))
        # While its tiles use a panel, each brings a share of the next one nearer: the first tile would wait for it.
        self.ahead = b.udiv(b.sub(b.add(d["ahead"], self.tiles), number(1)), self.tiles)
        first_panel = self.first_panel = b.mul(column_block, d["block_panels"])
        end_panel = least(b, b.add(first_panel, d["block_panels"]), d["panels"])
        with b.for_loop(first_pass, end_pass) as iteration:
            at = b.mul(iteration.index, number(3))
            self.first_segment, self.segment_count, self.length = (
                word(b, self.passes, b.add(at, number(i))) for i in range(3)
            )
            self.is_first = b.icmp("eq", iteration.index, first_pass)
            if self.kind.packs_rows:
                self._pack_rows()
            if self.kind.copies_columns:
                self._pack_columns(first_panel, end_panel)
            with b.for_loop(first_panel, end_panel) as panel, b.for_loop(number(0), self.tiles) as tile:
                self._tile(panel.index, tile.index)

    def _row_offsets(self, tile: Ir, table: Ir) -> list[Ir]:
        """Of a tile's rows; rows beyond the block's last one do once more what that one does."""
        b, last = self.b, self.b.sub(self.end_row, number(1))
        first = b.add(self.first_row, b.mul(tile, number(self.rows)))
        return [word(b, table, least(b, b.add(first, number(i)), last)) for i in range(self.rows)]

    def _segment(self, index: Ir) -> tuple[Ir, Ir]:
        """Where a segment of the contracted elements begins in both operands, without rows and columns."""
        b = self.b
        at = b.mul(b.add(self.first_segment, index), number(4))
        words = [word(b, self.segments, b.add(at, number(i))) for i in range(4)]
        x, y = (b.load(b.gep(self.table, words[i], "ptr"), "ptr") for i in (0, 2))
        return (
            b.gep(x, b.add(words[1], self.batch_x), "i8"),
            b.gep(y, b.add(words[3], self.batch_y), "i8"),
        )

    def _pack_rows(self) -> None:
        """A block of rows, tile by tile, so that a tile's rows lie side by side."""
        b = self.b
        whole = b.mul(self.segment_count, self.length)
        with b.for_loop(number(0), self.tiles) as tile:
            offsets = self._row_offsets(tile.index, self.x_rows)
            # Rows that lie side by side, as those of a transposed operand do, are copied as they are.
            end = b.add(self.first_row, b.mul(b.add(tile.index, number(1)), number(self.rows)))
            together = b.and_(b.icmp("ne", self.d["are_rows_together"], number(0)), b.icmp("sle", end, self.end_row))
            with b.for_loop(number(0), self.segment_count) as segment:
                x, _ = self._segment(segment.index)
                rows = [opaque(b, b.gep(x, offset, "i8")) for offset in offsets]
                start = b.add(b.mul(tile.index, whole), b.mul(segment.index, self.length))
                side_by_side = b.icmp("eq", self.d["x_stride"], number(self.source_size))
                left = b.binary("urem", self.length, number(self.lanes))
                done = b.select(side_by_side, b.sub(self.length, left), number(0))
                with b.for_loop(number(0), done, self.lanes) as iteration:
                    self._pack_square(rows, iteration.index, b.add(start, iteration.index))
                with b.for_loop(done, b.select(together, self.length, done)) as iteration:
                    line = b.gep(rows[0], b.mul(iteration.index, self.d["x_stride"]), "i8")
                    value = b.load(line, self.kind.source, self.rows)
                    b.store(self._packed_at(b.add(start, iteration.index)), widened(b, value, self.kind))
                with b.for_loop(b.select(together, self.length, done), self.length) as iteration:
                    away = b.mul(iteration.index, self.d["x_stride"])
                    to = self._packed_at(b.add(start, iteration.index))
                    for i, row in enumerate(rows):
                        value = b.load(b.gep(row, away, "i8"), self.kind.source)
                        b.store(b.gep(to, i, self.kind.compute), widened(b, value, self.kind))

    def _pack_columns(self, first_panel: Ir, end_panel: Ir) -> None:
        """The piece's panels, one behind the other."""
        d = self.d
        self.panel_writer.write(
            Columns(d["columns"], self.y_columns, d["y_source_stride"], d["is_contiguous"]),
            first_panel, end_panel, self.segment_count, self.length,
            lambda segment: self._segment(segment)[1],
            self._panel_at,
        )

    def _panel_at(self, panel: Ir, segment: Ir) -> Ir:
        """A segment of a panel that the piece has copied."""
        b = self.b
        before = b.mul(b.sub(panel, self.first_panel), self.segment_count)
        at = b.mul(b.mul(b.add(before, segment), self.length), number(self.columns))
        return b.gep(self.panels, at, self.kind.compute)

    def _packed_at(self, position: Ir) -> Ir:
        b = self.b
        return opaque(b, b.gep(self.packed, b.mul(position, number(self.rows)), self.kind.compute))

    def _pack_square(self, rows: list[Ir], k: Ir, position: Ir) -> None:
        """As many contracted elements as a vector has, of a tile's rows, which lie side by side."""
        b, kind = self.b, self.kind
        to = self._packed_at(position)
        values = [widened(b, b.load(b.gep(row, k, kind.source), kind.source, self.lanes), kind) for row in rows]
        parts = [transposed(b, values[i:i + self.lanes]) for i in range(0, self.rows, self.lanes)]
        # A vector may be longer than its rows: what follows is written later.
        for j in range(self.lanes):
            for i, part in enumerate(parts):
                b.store(b.gep(to, j * self.rows + i * self.lanes, kind.compute), part[j])

    def _tile(self, panel: Ir, tile: Ir) -> None:
        b, d, compute = self.b, self.d, self.kind.compute
        place = b.mul(panel, d["panel_stride"])
        out = b.gep(self.out, total(b, self.batch_out, b.mul(panel, number(self.columns * self.result_size))), "i8")
        outs = [b.gep(out, offset, "i8") for offset in self._row_offsets(tile, self.out_rows)]
        for pointer in outs:
            b.prefetch(pointer, near=True)
        offsets = [] if self.kind.packs_rows else self._row_offsets(tile, self.x_rows)
        zeros = [b.constant(0, compute, self.lanes)] * (2 * self.rows)
        with b.for_loop(number(0), self.segment_count, 1, zeros) as segment:
            x, y = self._segment(segment.index)
            y = self._panel_at(panel, segment.index) if self.kind.copies_columns else b.gep(y, place, "i8")
            y = opaque(b, y)
            if self.kind.packs_rows:
                done = total(b, b.mul(tile, self.segment_count), segment.index)
                rows = [b.gep(self.packed, b.mul(b.mul(done, self.length), number(self.rows)), compute)]
            else:
                rows = [b.gep(x, offset, "i8") for offset in offsets]
            rows = [opaque(b, row) for row in rows]
            ahead = total(b, d["panel_stride"], b.mul(b.mul(tile, self.length), self.ahead))
            ahead = opaque(b, b.gep(y, ahead, "i8"))
            with b.for_loop(number(0), self.length, 1, [y, *segment.carried]) as iteration:
                b.prefetch(b.gep(ahead, b.mul(iteration.index, self.ahead), "i8"), near=False)
                iteration.next(self._step(rows, iteration.index, *iteration.carried))
            segment.next(iteration.results[1:])
        self._leave(panel, tile, outs, segment.results)

    def _step(self, rows: list[Ir], k: Ir, y: Ir, *before: Ir) -> list[Ir]:
        """One contracted element: a column of the tile's rows times a row of the panel, added to the sums."""
        b, compute = self.b, self.kind.compute
        pair = [b.load(b.gep(y, j * self.lanes, compute), compute, self.lanes) for j in (0, 1)]
        line = b.gep(rows[0], b.mul(k, number(self.rows)), compute) if self.kind.packs_rows else None
        sums = []
        for i in range(self.rows):
            place = b.gep(rows[i], k, compute) if line is None else b.gep(line, i, compute)
            value = b.splat(b.load(place, compute), self.lanes)
            for j in (0, 1):
                earlier = before[2 * i + j]
                sums.append(b.fma(value, pair[j], earlier) if value.is_float else
                            b.add(earlier, b.mul(value, pair[j])))
        return [b.gep(y, self.y_stride, "i8"), *sums]

    def _leave(self, panel: Ir, tile: Ir, outs: list[Ir], sums: Sequence[Ir]) -> None:
        """Stores a tile, or adds it to what earlier passes have left."""
        b = self.b
        rest = b.sub(self.d["columns"], b.mul(panel, number(self.columns)))
        whole = b.icmp("sge", rest, number(self.columns))
        with b.when(whole):
            result = self.kind.result
            places = [b.gep(out, j * self.lanes, result) for out in outs for j in (0, 1)]
            with b.when(self.is_first):
                for place, value in zip(places, sums, strict=True):
                    b.store(place, b.convert(value, result))
            with b.when(b.not_(self.is_first)):
                # All are read before any is written: rows beyond the last one repeat it.
                values = [b.convert(b.add(value, b.convert(b.load(p, result, self.lanes), self.kind.compute)), result)
                          for p, value in zip(places, sums, strict=True)]
                for place, value in zip(places, values, strict=True):
                    b.store(place, value)
        with b.when(b.not_(whole)):
            for i, value in enumerate(sums):
                b.store(b.gep(self.edge, i * self.lanes, self.kind.compute), value)
            self._leave_edge(panel, tile, rest)

    def _leave_edge(self, panel: Ir, tile: Ir, rest: Ir) -> None:
        """The last panel, by rows, so that the code stays small; its sums are in memory."""
        b, compute, result = self.b, self.kind.compute, self.kind.result
        limit = b.splat(b.trunc_int(rest, "i32"), self.columns)
        mask = b.icmp("slt", b.constant_lanes(range(self.columns), "i32"), limit)
        first = b.add(self.first_row, b.mul(tile, number(self.rows)))
        out = b.gep(self.out, total(b, self.batch_out, b.mul(panel, number(self.columns * self.result_size))), "i8")
        with b.for_loop(number(0), least(b, number(self.rows), b.sub(self.end_row, first))) as row:
            place = b.gep(out, word(b, self.out_rows, b.add(first, row.index)), "i8")
            value = b.load(
                b.gep(self.edge, b.mul(row.index, number(self.columns)), compute), compute, self.columns)
            value = self._added(b.load_masked(place, result, mask), value)
            b.store_masked(place, b.convert(value, result), mask)

    def _added(self, before: Ir, value: Ir) -> Ir:
        """With what earlier passes have left; in the first pass that is whatever was in memory."""
        b = self.b
        before = b.convert(before, self.kind.compute)
        return b.add(value, b.select(self.is_first, b.like(0, before), before))
