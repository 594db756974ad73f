# SPDX-License-Identifier: Apache-2.0
"""LLVM IR of a GEMM: register tiles, packed panels and cache blocks.

The algorithm is Goto and van de Geijn's ("Anatomy of high-performance matrix multiplication", 2008) in the form of BLIS
(Van Zee, van de Geijn 2015): a block of MC rows by KC contracted elements is packed for the second-level cache,
panels of NR columns are packed, and a micro-kernel accumulates an MR x NR tile of the result in registers. Sizes and
strides are read at run time from a descriptor of 64-bit words (`gemm_layout.py`), so that a process needs one module
for each variant. `packing.py` packs the panels of columns, beforehand or within the task that reads them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache

from ..codegen.builder import FunctionBuilder, Ir, Target, module_text
from ..codegen.target import square_of
from .gemm_layout import GEMM_WORDS
from .gemm_variant import (
    AHEAD,
    KC,
    NC_PANELS,
    TABLE,
    GemmVariant,
    bytes_of,
    lines_of_panel,
    most_tiles,
    packed_element,
    tile_shape,
)
from .groups import (
    Words,
    begin,
    dot,
    exact_dot,
    first_summary,
    flipped,
    has_no_subnormals,
    least_magnitude,
    least_magnitudes,
    of_memory,
    row_padding,
)
from .ir_helpers import address, least, number, opaque, total, transposed, widened, word, words
from .packing import Columns, PanelWriter


@lru_cache(maxsize=64)
def gemm_module(variant: GemmVariant, target: Target) -> str:
    """The text of a module with the function ``product``."""
    return module_text([GemmEmitter(variant, target).function()])


class GemmEmitter:
    """Writes the macro-kernel: blocks of rows times packed, or directly read, panels of columns."""

    is_short = False  # whether rows and columns are loops instead of unrolled code
    most_words = KC  # contracted elements that are packed together, or words of them

    def __init__(self, variant: GemmVariant, target: Target) -> None:
        self.variant = variant
        self.b = FunctionBuilder(target, "product", TABLE)
        self.rows, self.columns = tile_shape(target, variant)
        self.lanes = target.lanes(variant.compute)
        self.vectors = range(variant.tile_vectors)
        self.square = square_of(self.lanes, self.is_short)
        self.element = packed_element(variant)
        self.source_size, self.result_size = bytes_of(variant.source), bytes_of(variant.result)

    def function(self) -> FunctionBuilder:
        """The function: a loop over tasks."""
        b = self.b
        table = self.table = b.parameter("table")
        d = self.d = words(b, b.load(table, "ptr"), GEMM_WORDS)
        self.out = b.load(b.gep(table, d["out_slot"], "ptr"), "ptr")
        self.x_rows, self.y_columns, self.out_rows, self.batches, self.passes, self.segments = (
            address(b, d[name]) for name in ("x_rows", "y_columns", "out_rows", "batches", "passes", "segments")
        )
        self.y_stride = d["y_stride"]
        if self.variant.packs_rows:
            self.packs = b.icmp("eq", d["reads_across"], number(0))
            packed_step = number(self.rows * bytes_of(self.element))
            self.row_step = b.select(self.packs, packed_step, d["x_stride"])
            self.packed = b.alloca(
                self.variant.compute, most_tiles(self.variant) * self.rows * self.most_words + self.lanes)
        if self.variant.copies_columns:
            self.panels = b.alloca(self.variant.compute, NC_PANELS * self.columns * KC)
            self.panel_writer = PanelWriter(b, self.variant, self.is_short)
        self.edge = b.alloca(self.variant.compute, self.rows * self.columns)
        self._tasks()
        b.ret()
        return b

    def _tasks(self) -> None:
        """The loop over tasks."""
        b = self.b
        with b.for_loop(b.parameter("low"), b.parameter("high")) as iteration:
            self._task(iteration.index)

    def _task(self, index: Ir) -> None:
        """One task: a block of rows times a block of panels, over all of its contracted elements."""
        b, d = self.b, self.d
        rest, column_block = b.udiv(index, d["column_blocks"]), b.binary("urem", index, d["column_blocks"])
        rest, row_block = b.udiv(rest, d["row_blocks"]), b.binary("urem", rest, d["row_blocks"])
        batch, split = b.udiv(rest, d["splits"]), b.binary("urem", rest, d["splits"])
        triple = b.mul(batch, number(3))
        self.batch_x, self.batch_y, self.batch_out = (
            word(b, self.batches, b.add(triple, number(i))) for i in range(3)
        )
        self.batch_out = b.add(self.batch_out, b.mul(split, d["split_stride"]))
        first_pass, end_pass = (
            b.udiv(b.mul(b.add(split, number(i)), d["pass_count"]), d["splits"]) for i in (0, 1)
        )
        self.first_row, end_row = self._row_of_block(row_block), self._row_of_block(b.add(row_block, number(1)))
        self.end_row = least(b, end_row, d["rows"])
        below = b.sub(self.end_row, self.first_row)
        self.tiles = b.udiv(b.add(below, number(self.rows - 1)), number(self.rows))
        # Each tile prefetches a share of the next panel while it uses this one.
        self.ahead = b.udiv(b.sub(b.add(d["ahead"], self.tiles), number(1)), self.tiles)
        first_panel = self.first_panel = b.mul(column_block, d["block_panels"])
        end_panel = least(b, b.add(first_panel, d["block_panels"]), d["panels"])
        with b.for_loop(first_pass, end_pass) as iteration:
            at = b.mul(iteration.index, number(4))
            self.first_segment, self.segment_count, self.length, self.is_end = (
                word(b, self.passes, b.add(at, number(i))) for i in range(4)
            )
            self.is_first = b.icmp("eq", iteration.index, first_pass)
            if self.variant.group > 1:
                self._pack_rows_of_words()
            elif self.variant.packs_rows:
                with b.when(self.packs):
                    self._pack_rows()
            if self.variant.copies_columns:
                self._pack_columns(first_panel, end_panel)
            with b.for_loop(first_panel, end_panel) as panel, b.for_loop(number(0), self.tiles) as tile:
                self._tile(panel.index, tile.index)

    def _row_of_block(self, block: Ir) -> Ir:
        """The first row of a block: of tiles that are divided evenly, or of as many rows as a chain's tasks have."""
        b, d = self.b, self.d
        even = b.mul(b.udiv(b.mul(block, d["tiles"]), d["row_blocks"]), number(self.rows))
        return b.select(b.icmp("ne", d["block_rows"], number(0)), b.mul(block, d["block_rows"]), even)

    def _row_offsets(self, tile: Ir, table: Ir) -> list[Ir]:
        """The byte offsets of a tile's rows; rows beyond the block's end repeat its last row."""
        return [self._row_offset(tile, number(i), table) for i in range(self.rows)]

    def _row_offset(self, tile: Ir, row: Ir, table: Ir) -> Ir:
        b, last = self.b, self.b.sub(self.end_row, number(1))
        first = b.add(self.first_row, b.mul(tile, number(self.rows)))
        return word(b, table, least(b, b.add(first, row), last))

    def _segment(self, index: Ir) -> tuple[Ir, Ir]:
        """The addresses of a segment of contracted elements in both operands, without row and column offsets."""
        b = self.b
        at = b.mul(b.add(self.first_segment, index), number(4))
        words = [word(b, self.segments, b.add(at, number(i))) for i in range(4)]
        x, y = (b.load(b.gep(self.table, words[i], "ptr"), "ptr") for i in (0, 2))
        return (
            b.gep(x, b.add(words[1], self.batch_x), "i8"),
            b.gep(y, b.add(words[3], self.batch_y), "i8"),
        )

    def _pack_rows(self) -> None:
        """Packs a block of rows, tile by tile: for each contracted element the tile's rows are contiguous."""
        b = self.b
        with self._segments_of_tiles() as (_, contiguous, _, rows, start):
            along = b.icmp("eq", self.d["x_stride"], number(self.source_size))
            left = b.binary("urem", self.length, number(self.square))
            done = b.select(along, b.sub(self.length, left), number(0))
            with b.for_loop(number(0), done, self.square) as iteration:
                self._pack_square(rows, iteration.index, b.add(start, iteration.index))
            with b.for_loop(done, b.select(contiguous, self.length, done)) as iteration:
                line = b.gep(rows[0], b.mul(iteration.index, self.d["x_stride"]), "i8")
                value = b.load(line, self.variant.source, self.rows)
                b.store(self._packed_at(b.add(start, iteration.index)), widened(b, value, self.variant))
            with b.for_loop(b.select(contiguous, self.length, done), self.length) as iteration:
                offset = b.mul(iteration.index, self.d["x_stride"])
                to = self._packed_at(b.add(start, iteration.index))
                for i, row in enumerate(rows):
                    value = b.load(b.gep(row, offset, "i8"), self.variant.source)
                    b.store(b.gep(to, i, self.variant.compute), widened(b, value, self.variant))

    @contextmanager
    def _segments_of_tiles(self) -> Iterator[tuple[Ir, Ir, Ir, list[Ir], Ir]]:
        """Loops over a block's tiles of rows and the segments of their contracted elements.

        Gives the tile, whether its rows are contiguous, the segment's address without them, that of each row, and where
        it is packed.
        """
        b = self.b
        whole = b.mul(self.segment_count, self.length)
        with b.for_loop(number(0), self.tiles) as tile:
            offsets = self._row_offsets(tile.index, self.x_rows)
            # Rows that are contiguous, as in a transposed operand, are copied as vectors.
            end = b.add(self.first_row, b.mul(b.add(tile.index, number(1)), number(self.rows)))
            apart = b.and_(b.icmp("ne", self.d["are_rows_apart"], number(0)), b.icmp("sle", end, self.end_row))
            # Rows of which none is before or over another are contiguous where the first and the last are that near.
            reach = number((self.rows - 1) * self.source_size)
            contiguous = b.and_(apart, b.icmp("eq", b.sub(offsets[-1], offsets[0]), reach))
            with b.for_loop(number(0), self.segment_count) as segment:
                x, _ = self._segment(segment.index)
                rows = [opaque(b, b.gep(x, offset, "i8")) for offset in offsets]
                start = b.add(b.mul(tile.index, whole), b.mul(segment.index, self.length))
                yield tile.index, contiguous, x, rows, start

    def _pack_rows_of_words(self) -> None:
        """Packs a block of rows by words, which are groups of contracted elements."""
        b, size, stride = self.b, number(self.source_size), self.d["x_stride"]
        words = self._words_of_segment()
        along = b.icmp("eq", stride, size)
        squares = b.sub(words.whole, b.binary("urem", words.whole, number(self.square)))
        squares = b.select(along, squares, number(0))
        with self._segments_of_tiles() as (tile, contiguous, x, rows, start):
            with b.for_loop(number(0), squares, self.square) as iteration:
                self._pack_square(rows, iteration.index, b.add(start, iteration.index))
            together = b.select(contiguous, self.length, squares)
            with b.for_loop(squares, together) as iteration:
                k = iteration.index
                lines = [b.gep(rows[0], b.mul(at, stride), "i8") for at in words.elements(k)]
                parts = [b.load(line, self.variant.source, self.rows) for line in lines]
                joined = words.joined(k, parts, row_padding(self.variant))
                b.store(self._packed_at(b.add(start, k)), flipped(b, self.variant, joined))
            with b.for_loop(together, self.length) as iteration:
                k = iteration.index
                lines = [opaque(b, b.gep(x, b.mul(at, stride), "i8")) for at in words.elements(k)]
                to = self._packed_at(b.add(start, k))
                with b.for_loop(number(0), number(self.rows)) as row:
                    offset = self._row_offset(tile, row.index, self.x_rows)
                    parts = [b.load(b.gep(line, offset, "i8"), self.variant.source) for line in lines]
                    joined = flipped(b, self.variant, words.joined(k, parts, row_padding(self.variant)))
                    b.store(b.gep(to, row.index, self.variant.compute), joined)
        if self.variant.group == 2:
            each = b.mul(self.segment_count, self.length)
            self.least_of_rows = self._least_of_rows(b.mul(b.mul(self.tiles, each), number(self.rows)))

    def _words_of_segment(self) -> Words:
        """The words of this pass's segments; their ends are padded where the operands' segments end."""
        b = self.b
        padding = b.select(b.icmp("ne", self.is_end, number(0)), self.d["padding"], number(0))
        return Words(b, self.variant, self.length, padding)

    def _least_of_rows(self, count: Ir) -> Ir:
        """The least magnitude of all words of the packed rows."""
        b = self.b
        done, found = number(0), b.constant(-1, "i32")
        for lanes in (self.lanes, 1):
            end = b.sub(count, b.binary("urem", b.sub(count, done), number(lanes)))
            with b.for_loop(done, end, lanes, [first_summary(b, self.variant, lanes)]) as at:
                loaded = b.load(b.gep(self.packed, at.index, self.element), self.element, lanes)
                at.next([least_magnitudes(b, loaded, at.carried[0])])
            done = end
            found = b.minimum(found, least_magnitude(b, at.results), signed=False)
        return found

    def _pack_columns(self, first_panel: Ir, end_panel: Ir) -> None:
        """Packs the task's panels, one after the other."""
        d = self.d
        self.panel_writer.write(
            Columns(d["columns"], self.y_columns, d["y_source_stride"], d["is_contiguous"]),
            first_panel, end_panel, self.segment_count, self.length,
            lambda segment: self._segment(segment)[1],
            self._panel_at,
        )

    def _panel_at(self, panel: Ir, segment: Ir) -> Ir:
        """The address of a segment of a panel that the task has packed."""
        b = self.b
        before = b.mul(b.sub(panel, self.first_panel), self.segment_count)
        at = b.mul(b.mul(b.add(before, segment), self.length), number(self.columns))
        return b.gep(self.panels, at, self.variant.compute)

    def _packed_at(self, position: Ir) -> Ir:
        """The address of a contracted element in the packed rows."""
        b = self.b
        return opaque(b, b.gep(self.packed, b.mul(position, number(self.rows)), self.variant.compute))

    def _pack_square(self, rows: list[Ir], k: Ir, position: Ir) -> None:
        """Packs a vector of contiguous contracted elements, or words, of each of a tile's rows, transposed."""
        b, variant, lanes = self.b, self.variant, self.square
        to = self._packed_at(position)
        if variant.group > 1:
            values = [b.load(b.gep(row, k, self.element), self.element, lanes, self.source_size) for row in rows]
            values = [flipped(b, variant, of_memory(b, variant, value)) for value in values]
        else:
            source = variant.source
            values = [widened(b, b.load(b.gep(row, k, source), source, lanes), variant) for row in rows]
        squares = [transposed(b, values[i:i + lanes]) for i in range(0, self.rows, lanes)]
        # A vector may be longer than the tile has rows: the elements behind them are overwritten later.
        for j in range(lanes):
            for i, square in enumerate(squares):
                b.store(b.gep(to, j * self.rows + i * lanes, variant.compute), square[j])

    def _tile(self, panel: Ir, tile: Ir) -> None:
        """The micro-kernel over one register tile, and the update of the result."""
        b, d = self.b, self.d
        panel_offset = b.mul(panel, d["panel_stride"])
        out = b.gep(self.out, total(b, self.batch_out, b.mul(panel, number(self.columns * self.result_size))), "i8")
        outs = [b.gep(out, offset, "i8") for offset in self._row_offsets(tile, self.out_rows)]
        for pointer in outs:
            b.prefetch(pointer, near=True)
        offsets = [] if self.variant.packs_rows else self._row_offsets(tile, self.x_rows)
        count, length = self._runs()
        fast = self._fast_length(panel, length)
        with b.for_loop(number(0), count, 1, self._first_sums(panel) * self.rows) as segment:
            x, y = self._segment(segment.index)
            y = self._panel_at(panel, segment.index) if self.variant.copies_columns else b.gep(y, panel_offset, "i8")
            y = opaque(b, y)
            if self.variant.packs_rows:
                rows = [self._line_of_rows(tile, segment.index, x)]
            else:
                rows = [b.gep(x, offset, "i8") for offset in offsets]
            rows = [opaque(b, row) for row in rows]
            ahead = total(b, d["panel_stride"], b.mul(b.mul(tile, length), self.ahead))
            ahead = opaque(b, b.gep(y, ahead, "i8"))
            segment.next(self._multiplied(rows, [y, *segment.carried], ahead, self.ahead, length, fast)[1:])
        self._update_result(panel, tile, outs, segment.results)

    def _line_of_rows(self, tile: Ir, run: Ir, x: Ir) -> Ir:
        """The address of a tile's rows at a run's first contracted element: packed, or where they lie."""
        b, (count, length) = self.b, self._runs()
        done = b.mul(b.add(b.mul(tile, count), run), b.mul(length, number(self.rows)))
        as_they_lie = b.gep(x, self._row_offset(tile, number(0), self.x_rows), "i8")
        return b.select(self.packs, b.gep(self.packed, done, self.variant.compute), as_they_lie)

    def _runs(self) -> tuple[Ir, Ir]:
        """How many runs of contracted elements the micro-kernel sums, and their length; packed segments are one run."""
        b, count, length = self.b, self.segment_count, self.length
        if not self.variant.packs_rows:
            return count, length
        together = b.icmp("ne", self.d["are_segments_together"], number(0))
        return b.select(together, number(1), count), b.select(together, b.mul(count, length), length)

    def _first_sums(self, panel: Ir) -> list[Ir]:
        """What the sums of each row begin with: zeros, or what stands in front of a panel of words."""
        b, compute = self.b, self.variant.compute
        zero = b.constant(0, compute, self.lanes)
        if self.variant.group == 1:
            return [zero for _ in self.vectors]
        return [b.select(self.is_first, begin(b, self.variant, columns), zero) for columns in self._summary(panel)]

    def _summary(self, panel: Ir) -> list[Ir]:
        """What packing has written in front of a panel of words."""
        b = self.b
        y = b.load(b.gep(self.table, 2, "ptr"), "ptr")
        head = b.gep(y, b.add(self.batch_y, b.mul(panel, self.d["panel_stride"])), "i8")
        return [b.load(b.gep(head, j * self.lanes, self.element), self.element, self.lanes) for j in self.vectors]

    def _fast_length(self, panel: Ir, length: Ir) -> Ir:
        """How many words of a run the instruction multiplies: all, or none where numbers may be subnormal."""
        b = self.b
        if self.variant.group != 2:
            return length
        return b.select(self._has_no_subnormals(panel), length, number(0))

    def _has_no_subnormals(self, panel: Ir) -> Ir:
        """Whether neither the block of rows nor the panel has bfloat16 of which products or sums may be subnormal."""
        return has_no_subnormals(self.b, self.least_of_rows, least_magnitude(self.b, self._summary(panel)))

    def _multiplied(
        self, rows: list[Ir], carried: list[Ir], ahead: Ir, step: Ir, length: Ir, fast: Ir
    ) -> Sequence[Ir]:
        """The loop over a segment's contracted elements, or words."""
        b = self.b
        parts = [(number(0), length, False)]
        if self.variant.group == 2:
            parts = [(number(0), fast, False), (fast, length, True)]
        for start, end, is_exact in parts:
            with b.for_loop(start, end, 1, carried) as iteration:
                if self.variant.prefetches:
                    b.prefetch(b.gep(ahead, b.mul(iteration.index, step), "i8"), near=False)
                iteration.next(self._step(rows, iteration.index, *iteration.carried, is_exact=is_exact))
            carried = list(iteration.results)
        return carried

    def _step(self, rows: list[Ir], k: Ir, y: Ir, *before: Ir, is_exact: bool = False) -> list[Ir]:
        """The rank-1 update of one contracted element: the tile's column times the panel's row, added to the sums."""
        b, compute = self.b, self.element
        y_row = [b.load(b.gep(y, j * self.lanes, compute), compute, self.lanes) for j in self.vectors]
        ahead = b.gep(y, b.mul(self.y_stride, number(AHEAD)), "i8")
        for offset in lines_of_panel(self.columns * bytes_of(compute)):
            b.prefetch(b.gep(ahead, offset, "i8"), near=True)
        line = b.gep(rows[0], b.mul(k, self.row_step), "i8") if self.variant.packs_rows else None
        sums = []
        for i in range(self.rows):
            pointer = b.gep(rows[i], k, compute) if line is None else b.gep(line, i, compute)
            value = b.splat(b.load(pointer, compute), self.lanes)
            for j in self.vectors:
                sums.append(self._added_product(value, y_row[j], before[len(y_row) * i + j], is_exact))
        return [b.gep(y, self.y_stride, "i8"), *sums]

    def _added_product(self, x: Ir, y: Ir, before: Ir, is_exact: bool) -> Ir:
        b = self.b
        if is_exact:
            return exact_dot(b, x, y, before)
        if self.variant.group > 1:
            return dot(b, self.variant, x, y, before)
        return b.fma(x, y, before) if x.is_float else b.add(before, b.mul(x, y))

    def _update_result(self, panel: Ir, tile: Ir, outs: list[Ir], sums: Sequence[Ir]) -> None:
        """Stores a tile, or adds it to the result of earlier passes."""
        b = self.b
        rest = b.sub(self.d["columns"], b.mul(panel, number(self.columns)))
        whole = b.icmp("sge", rest, number(self.columns))
        with b.when(whole):
            result = self.variant.result
            pointers = [b.gep(out, j * self.lanes, result) for out in outs for j in self.vectors]
            with b.when(self.is_first):
                for pointer, value in zip(pointers, sums, strict=True):
                    b.store(pointer, b.convert(value, result))
            with b.when(b.not_(self.is_first)):
                # All are read before any is written, because rows beyond the last one alias it.
                values = []
                for pointer, value in zip(pointers, sums, strict=True):
                    before = b.convert(b.load(pointer, result, self.lanes), self.variant.compute)
                    values.append(b.convert(b.add(value, before), result))
                for pointer, value in zip(pointers, values, strict=True):
                    b.store(pointer, value)
        with b.when(b.not_(whole)):
            for i, value in enumerate(sums):
                b.store(b.gep(self.edge, i * self.lanes, self.variant.compute), value)
            self._update_edge(panel, tile, rest)

    def _update_edge(self, panel: Ir, tile: Ir, rest: Ir) -> None:
        """The last panel, in a loop over rows with masked vectors; its sums are in memory."""
        b, compute, result = self.b, self.variant.compute, self.variant.result
        limit = b.splat(b.trunc_int(rest, "i32"), self.columns)
        mask = b.icmp("slt", b.constant_lanes(range(self.columns), "i32"), limit)
        first = b.add(self.first_row, b.mul(tile, number(self.rows)))
        out = b.gep(self.out, total(b, self.batch_out, b.mul(panel, number(self.columns * self.result_size))), "i8")
        with b.for_loop(number(0), least(b, number(self.rows), b.sub(self.end_row, first))) as row:
            pointer = b.gep(out, word(b, self.out_rows, b.add(first, row.index)), "i8")
            value = b.load(
                b.gep(self.edge, b.mul(row.index, number(self.columns)), compute), compute, self.columns)
            value = self._added(b.load_masked(pointer, result, mask), value)
            b.store_masked(pointer, b.convert(value, result), mask)

    def _added(self, before: Ir, value: Ir) -> Ir:
        """The sum with the result of earlier passes; in the first pass the memory is undefined and not added."""
        b = self.b
        # Nor is a zero: it would take a negative zero's sign, in those columns alone that are the last panel's.
        return b.select(self.is_first, value, b.add(value, b.convert(before, self.variant.compute)))
