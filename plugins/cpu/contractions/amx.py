# SPDX-License-Identifier: Apache-2.0
"""Products of bytes and bfloat16 by AMX, whose registers are tiles of 16 rows of 16 words of 32 bits.

One instruction adds to a tile of sums the products of a tile of rows, 16 words of contracted elements each, and a tile
of columns, 16 rows of a packed panel. Rows are packed tile by tile. A register tile of the result is up to 2 x 2 tiles,
which stay where they are over all contracted elements of a pass; the next pass goes on with what is in the result.

Products of bytes are exact. Those of bfloat16 are summed in the instruction's order: of 16 words at a time (a *chunk*),
the products of their first elements and those of their second ones by fused multiply-adds, each beginning with zero;
both sums are added, and that to the sum so far. The instruction takes subnormal numbers for zero. Where there may be
some (`groups.has_no_subnormals`) plain code sums in the same order: bits depend on no other row or column. Once a
block's rows had such numbers its later passes stay with plain code, since sums so far may be subnormal.
"""

from __future__ import annotations

from functools import lru_cache

from ..codegen.builder import Ir, Target, module_text
from ..codegen.target import square_of
from .gemm_kernel import GemmEmitter
from .gemm_variant import AMX_ROWS, AMX_WORDS, GemmVariant
from .groups import Words, halves_as_floats
from .ir_helpers import least, number, opaque, total, transposed, word

_TILE = AMX_ROWS * AMX_ROWS  # words
_ROW_BYTES = 4 * AMX_ROWS
# The configuration of the tile registers: palette 1, 64 bytes in each row of the eight tiles, 16 rows in each.
_CONFIGURATION = (1, 0, *[_ROW_BYTES * 0x0001_0001_0001_0001] * 2, 0, 0, AMX_ROWS * 0x0101_0101_0101_0101, 0)
_ROW_TILES, _COLUMN_TILES = 4, 6  # the first registers of rows and columns, behind those of sums
_EXACT_ROWS = 4  # that plain code sums at a time, in vectors of 512 bits


@lru_cache(maxsize=64)
def amx_module(variant: GemmVariant, target: Target) -> str:
    """The text of a module with the function ``product``."""
    return module_text([AmxEmitter(variant, target).function()])


@lru_cache(maxsize=64)
def baseline_amx_module(variant: GemmVariant, target: Target) -> str:
    """The same, of code that need not be optimised: registers that are tiles are not LLVM's to allocate."""
    return module_text([BaselineAmxEmitter(variant, target).function()])


class AmxEmitter(GemmEmitter):
    """Writes the macro-kernel with register tiles of AMX; on targets without it plain code in the same order."""

    most_words = AMX_WORDS

    def __init__(self, variant: GemmVariant, target: Target) -> None:
        super().__init__(variant, target)
        self.is_exact = variant.group == 2
        self.has_instruction = target.has_amx_bfloats if self.is_exact else target.has_amx_bytes
        self.down, self.across = self.rows // AMX_ROWS, self.columns // AMX_ROWS

    def _tasks(self) -> None:
        b = self.b
        self.offsets = b.alloca("i64", AMX_ROWS)
        self.least_so_far = b.alloca("i32", 1)
        if self.has_instruction:
            configuration = b.alloca("i64", len(_CONFIGURATION))
            for i, value in enumerate(_CONFIGURATION):
                b.store(b.gep(configuration, i, "i64"), number(value))
            b.call("llvm.x86.ldtilecfg", None, 1, configuration)
        super()._tasks()
        if self.has_instruction:
            b.call("llvm.x86.tilerelease", None, 1)

    def _task(self, index: Ir) -> None:
        self.b.store(self.least_so_far, self.b.constant(-1, "i32"))
        super()._task(index)

    # Rows

    def _pack_rows_of_words(self) -> None:
        """Packs a block of rows: tile by tile, of each tile chunk by chunk, of each chunk row by row."""
        b, d = self.b, self.d
        words = self._words_of_segment()
        self.depth = b.mul(self.segment_count, self.length)
        along = b.icmp("eq", d["x_stride"], number(self.source_size))
        last, count = b.sub(self.end_row, number(1)), b.mul(self.tiles, number(self.down))
        with b.for_loop(number(0), count) as tile:
            first = b.add(self.first_row, b.mul(tile.index, number(AMX_ROWS)))
            with b.for_loop(number(0), number(AMX_ROWS)) as row:
                offset = word(b, self.x_rows, least(b, b.add(first, row.index), last))
                b.store(b.gep(self.offsets, row.index, "i64"), offset)
            reach = b.sub(word(b, self.offsets, number(AMX_ROWS - 1)), word(b, self.offsets, number(0)))
            are_near = b.icmp("eq", reach, number((AMX_ROWS - 1) * self.source_size))
            whole = b.icmp("sle", b.add(first, number(AMX_ROWS)), self.end_row)
            contiguous = b.and_(b.icmp("ne", d["are_rows_apart"], number(0)), b.and_(whole, are_near))
            with b.for_loop(number(0), self.segment_count) as segment:
                x, _ = self._segment(segment.index)
                at = b.add(b.mul(tile.index, self.depth), b.mul(segment.index, self.length))
                to = b.gep(self.packed, b.mul(at, number(AMX_ROWS)), self.element)
                with b.when(along):
                    self._copy_rows(words, x, to)
                with b.when(b.not_(along)):
                    with b.when(contiguous):
                        self._transpose_rows(words, x, to)
                    with b.when(b.not_(contiguous)):
                        self._collect_rows(words, x, to)
        if self.is_exact:
            found = self._least_of_rows(b.mul(count, b.mul(self.depth, number(AMX_ROWS))))
            self.least_of_rows = b.minimum(found, b.load(self.least_so_far, "i32"), signed=False)
            b.store(self.least_so_far, self.least_of_rows)

    def _copy_rows(self, words: Words, x: Ir, to: Ir) -> None:
        """Packs a segment of a tile where the elements of each row are contiguous."""
        b, source = self.b, self.variant.source
        each = AMX_ROWS * self.variant.group  # elements of a row of a tile
        whole, chunks = b.udiv(words.count, number(each)), b.udiv(self.length, number(AMX_ROWS))
        lanes = b.constant_lanes(range(each), "i32")
        with b.for_loop(number(0), number(AMX_ROWS)) as row:
            line = opaque(b, b.gep(x, word(b, self.offsets, row.index), "i8"))
            to_line = opaque(b, b.gep(to, b.mul(row.index, number(AMX_ROWS)), self.element))
            with b.for_loop(number(0), whole) as chunk:
                value = b.load(b.gep(line, b.mul(chunk.index, number(_ROW_BYTES)), "i8"), self.element, AMX_ROWS,
                               self.source_size)
                b.store(b.gep(to_line, b.mul(chunk.index, number(_TILE)), self.element), value, _ROW_BYTES)
            with b.for_loop(whole, chunks) as chunk:  # the last one, where it is partial
                done = b.mul(chunk.index, number(each))
                limit = b.splat(b.trunc_int(b.sub(words.count, done), "i32"), each)
                value = b.load_masked(b.gep(line, done, source), source, b.icmp("slt", lanes, limit))
                b.store(b.gep(to_line, b.mul(chunk.index, number(_TILE)), self.element), value, _ROW_BYTES)

    def _transpose_rows(self, words: Words, x: Ir, to: Ir) -> None:
        """Packs a segment of a tile whose rows are contiguous."""
        b, variant, square = self.b, self.variant, square_of(AMX_ROWS, self.is_short)
        first = b.gep(x, word(b, self.offsets, number(0)), "i8")
        with b.for_loop(number(0), self.length, square) as k, b.for_loop(number(0), number(AMX_ROWS), square) as row:
            start = opaque(b, b.gep(first, row.index, variant.source))
            columns = []
            for j in range(square):
                at = b.add(k.index, number(j))
                lines = [b.gep(start, b.mul(element, self.d["x_stride"]), "i8") for element in words.elements(at)]
                columns.append(words.joined(at, [b.load(line, variant.source, square) for line in lines]))
            for i, value in enumerate(transposed(b, columns)):
                b.store(self._word_of_tile(to, b.add(row.index, number(i)), k.index), value)

    def _collect_rows(self, words: Words, x: Ir, to: Ir) -> None:
        """Packs a segment of a tile element by element."""
        b = self.b
        with b.for_loop(number(0), self.length) as k:
            lines = [opaque(b, b.gep(x, b.mul(at, self.d["x_stride"]), "i8")) for at in words.elements(k.index)]
            with b.for_loop(number(0), number(AMX_ROWS)) as row:
                offset = word(b, self.offsets, row.index)
                parts = [b.load(b.gep(line, offset, "i8"), self.variant.source) for line in lines]
                b.store(self._word_of_tile(to, row.index, k.index), words.joined(k.index, parts))

    def _word_of_tile(self, to: Ir, row: Ir, k: Ir) -> Ir:
        """The address of a row's word in its packed tile."""
        b, rows = self.b, number(AMX_ROWS)
        chunk, rest = b.udiv(k, rows), b.binary("urem", k, rows)
        at = total(b, b.mul(chunk, number(_TILE)), b.mul(row, rows), rest)
        return b.gep(to, at, self.element)

    # Products

    def _tile(self, panel: Ir, tile: Ir) -> None:
        """A register tile: sums are in the result, or in memory beside it where that has no room for whole tiles."""
        b, d = self.b, self.d
        first = b.add(self.first_row, b.mul(tile, number(self.rows)))
        below, beside = b.sub(self.end_row, first), b.sub(d["columns"], b.mul(panel, number(self.columns)))
        out = b.gep(self.out, total(b, self.batch_out, b.mul(panel, number(self.columns * self.result_size))), "i8")
        to, stride, is_apart = self.edge, number(4 * self.columns), Ir("true", "i1")
        if self.variant.result == self.variant.compute:
            fits = b.and_(b.icmp("sge", below, number(self.rows)), b.icmp("sge", beside, number(self.columns)))
            fits = b.and_(fits, b.icmp("ne", d["out_stride"], number(0)))
            to = b.select(fits, b.gep(out, word(b, self.out_rows, first), "i8"), to)
            stride, is_apart = b.select(fits, d["out_stride"], stride), b.not_(fits)
        rows, columns = least(b, below, number(self.rows)), least(b, beside, number(self.columns))
        is_later = b.not_(self.is_first)
        with b.when(b.and_(is_apart, is_later)):
            self._move(out, first, rows, columns, to_result=False)
        _, y = self._segment(number(0))
        y = opaque(b, b.gep(y, b.mul(panel, d["panel_stride"]), "i8"))
        x = b.mul(b.mul(tile, self.depth), number(self.rows))
        x = opaque(b, b.gep(self.packed, x, self.element))
        is_fast = self._has_no_subnormals(panel) if self.is_exact else Ir("true", "i1")
        if self.has_instruction:
            with b.when(is_fast):
                ahead = total(b, d["panel_stride"], b.mul(b.mul(tile, self.depth), self.ahead))
                self._multiply_tiles(x, y, to, stride, opaque(b, b.gep(y, ahead, "i8")))
        if self.is_exact:
            with b.when(b.not_(is_fast) if self.has_instruction else None):
                self._multiply_exactly(x, y, to, stride)
        with b.when(is_apart):
            self._move(out, first, rows, columns, to_result=True)

    def _multiply_tiles(self, x: Ir, y: Ir, to: Ir, stride: Ir, ahead: Ir) -> None:
        """Adds all products of a pass to the sums at an address, or begins them there; prefetches the next panel."""
        b = self.b
        sums = [(i, j, b.gep(b.gep(to, b.mul(stride, number(AMX_ROWS * i)), "i8"), AMX_ROWS * j, "i32"))
                for i in range(self.down) for j in range(self.across)]
        with b.when(self.is_first):
            for i, j, _ in sums:
                b.call("llvm.x86.tilezero", None, 1, _register(2 * i + j))
        with b.when(b.not_(self.is_first)):
            for i, j, at in sums:
                b.call("llvm.x86.tileloadd64", None, 1, _register(2 * i + j), at, stride)
        row_step, chunks = b.mul(self.depth, number(AMX_ROWS)), b.udiv(self.depth, number(AMX_ROWS))
        starts = [b.gep(x, b.mul(row_step, number(i)), self.element) for i in range(self.down)]
        instruction = "llvm.x86." + self._instruction()
        share = b.mul(self.ahead, number(AMX_ROWS))
        with b.for_loop(number(0), chunks) as chunk:
            if self.variant.prefetches:
                start = b.gep(ahead, b.mul(chunk.index, share), "i8")
                with b.for_loop(number(0), share, _ROW_BYTES) as part:
                    b.prefetch(b.gep(start, part.index, "i8"), near=False)
            done = b.mul(chunk.index, number(_TILE))
            line = b.gep(y, b.mul(chunk.index, number(4 * AMX_ROWS * self.columns)), "i8")
            for j in range(self.across):
                columns = _register(_COLUMN_TILES + j)
                b.call("llvm.x86.tileloadd64", None, 1, columns, b.gep(line, AMX_ROWS * j, "i32"),
                       number(4 * self.columns))
                for i in range(self.down):
                    rows = _register(_ROW_TILES + i)
                    if j == 0:
                        b.call("llvm.x86.tileloadd64", None, 1, rows, b.gep(starts[i], done, "i32"),
                               number(_ROW_BYTES))
                    b.call(instruction, None, 1, _register(2 * i + j), rows, columns)
        for i, j, at in sums:
            b.call("llvm.x86.tilestored64", None, 1, _register(2 * i + j), at, stride)

    def _instruction(self) -> str:
        """The name of the instruction that multiplies."""
        if self.is_exact:
            return "tdpbf16ps"
        signs = self.variant.is_signed, self.variant.is_signed is not self.variant.is_mixed
        return "tdpb" + "".join("s" if is_signed else "u" for is_signed in signs) + "d"

    def _multiply_exactly(self, x: Ir, y: Ir, to: Ir, stride: Ir) -> None:
        """The same without the instruction, in its order, in which subnormal numbers count."""
        b, lanes = self.b, self.lanes
        each = _EXACT_ROWS if lanes == AMX_ROWS and not self.is_short else 1
        chunks, zero = b.udiv(self.depth, number(AMX_ROWS)), b.constant(0, "float", lanes)
        parts = [(i, j) for i in range(each) for j in self.vectors]
        with b.for_loop(number(0), number(self.rows), each) as row:
            above, inside = b.udiv(row.index, number(AMX_ROWS)), b.binary("urem", row.index, number(AMX_ROWS))
            at = b.mul(b.add(b.mul(above, self.depth), inside), number(AMX_ROWS))
            start = opaque(b, b.gep(x, at, self.element))
            lines = [b.gep(to, b.mul(b.add(row.index, number(i)), stride), "i8") for i in range(each)]
            places = [b.gep(lines[i], lanes * j, "float") for i, j in parts]
            before = [b.select(self.is_first, zero, b.load(place, "float", lanes)) for place in places]
            with b.for_loop(number(0), chunks, 1, before) as chunk:
                line = b.gep(start, b.mul(chunk.index, number(_TILE)), self.element)
                panel = b.gep(y, b.mul(chunk.index, number(AMX_ROWS * self.columns)), self.element)
                with b.for_loop(number(0), number(AMX_ROWS), 1, [zero] * (2 * len(parts))) as k:
                    y_row = b.gep(panel, b.mul(k.index, number(self.columns)), self.element)
                    factors = [halves_as_floats(b, b.load(b.gep(y_row, lanes * j, "i32"), "i32", lanes))
                               for j in self.vectors]
                    rows = [halves_as_floats(b, b.splat(b.load(b.gep(
                        b.gep(line, AMX_ROWS * i, "i32"), k.index, "i32"), "i32"), lanes)) for i in range(each)]
                    pairs = [(rows[i][half], factors[j][half]) for half in (0, 1) for i, j in parts]
                    k.next([b.fma(*pair, sum_) for pair, sum_ in zip(pairs, k.carried, strict=True)])
                halves = k.results[:len(parts)], k.results[len(parts):]
                chunk.next([b.add(sum_, b.add(low, high)) for sum_, low, high in zip(
                    chunk.carried, *halves, strict=True)])
            for place, value in zip(places, chunk.results, strict=True):
                b.store(place, value)

    def _move(self, out: Ir, first: Ir, rows: Ir, columns: Ir, *, to_result: bool) -> None:
        """Copies a tile's sums to the result from the memory beside it, or back."""
        b, compute, result = self.b, self.variant.compute, self.variant.result
        mask = b.icmp("slt", b.constant_lanes(range(self.columns), "i32"),
                      b.splat(b.trunc_int(columns, "i32"), self.columns))
        with b.for_loop(number(0), rows) as row:
            line = b.gep(out, word(b, self.out_rows, b.add(first, row.index)), "i8")
            sums = b.gep(self.edge, b.mul(row.index, number(self.columns)), compute)
            if to_result and self.is_short:  # masked vectors would take LLVM longer
                with b.for_loop(number(0), columns) as column:
                    value = b.load(b.gep(sums, column.index, compute), compute)
                    b.store(b.gep(line, column.index, result), b.convert(value, result))
            elif to_result:
                b.store_masked(line, b.convert(b.load(sums, compute, self.columns), result), mask)
            elif self.is_short:
                with b.for_loop(number(0), columns) as column:
                    value = b.load(b.gep(line, column.index, result), result)
                    b.store(b.gep(sums, column.index, compute), b.convert(value, compute))
            else:
                b.store(sums, b.convert(b.load_masked(line, result, mask), compute))


class BaselineAmxEmitter(AmxEmitter):
    """Writes it with loops in place of unrolled code, which compile faster."""

    is_short = True


def _register(index: int) -> Ir:
    return Ir(str(index), "i8")
