"""LLVM IR of products of matrices: panels are packed, and tiles of the result stay in registers while they are summed.

All sizes and strides come at run time in a descriptor of 64-bit words, so a process needs few such modules. `forms.py`
says what the words mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from ..codegen.builder import FunctionBuilder, Ir, Target, module_text
from ..codegen.target import ELEMENT_BITS
from .forms import PACK, PRODUCT

PASS = 384  # contracted elements between two visits of the result: so many rows of a panel fit the first cache
BLOCK = 16  # tiles of packed rows in one piece of work: they fit the second cache
GROUP = 4  # neighbouring panels that are packed together

_TABLE = [("table", "ptr"), ("low", "i64"), ("high", "i64"), ("chunk", "i64")]


@dataclass(frozen=True, slots=True)
class ProductKind:
    """What a product's code depends on.

    Args:
        source: Element of the operands.
        compute: Element that is multiplied and summed.
        result: Element of the result.
        is_signed: Whether integers of the operands are.
        packs_rows: Whether the first operand's rows are copied, so that any layout and element will do.
    """

    source: str
    compute: str
    result: str
    is_signed: bool
    packs_rows: bool


def tile_shape(target: Target, compute: str) -> tuple[int, int]:
    """Rows and columns of a tile: two vectors wide, and as many rows as the registers hold."""
    return (12 if target.has_avx512 else 6), 2 * target.lanes(compute)


@lru_cache(maxsize=64)
def product_module(kind: ProductKind, target: Target) -> str:
    """The text of a module with the function ``product``."""
    return module_text([_Product(kind, target).function()])


@lru_cache(maxsize=64)
def pack_module(kind: ProductKind, target: Target) -> str:
    """The text of a module with the function ``pack``."""
    return module_text([_pack(kind, target)])


class _Words:
    """The words of a descriptor, each read where it is first asked for."""

    def __init__(self, b: FunctionBuilder, pointer: Ir, names: Sequence[str]) -> None:
        self._values = {name: b.load(b.gep(pointer, i, "i64"), "i64") for i, name in enumerate(names)}

    def __getitem__(self, name: str) -> Ir:
        return self._values[name]


def _word(b: FunctionBuilder, address: Ir, index: Ir, element: str = "i64") -> Ir:
    return b.load(b.gep(address, index, "i64"), element)


def _pointer(b: FunctionBuilder, value: Ir) -> Ir:
    return b.pure(f"inttoptr {value.typed} to ptr", "ptr", 1)


def _opaque(b: FunctionBuilder, pointer: Ir) -> Ir:
    """The same pointer; LLVM does not look behind it for better addresses, which takes it longer than all else."""
    return b.pure(f"freeze {pointer.typed}", "ptr", 1)


def _least(b: FunctionBuilder, x: Ir, y: Ir) -> Ir:
    return b.select(b.icmp("slt", x, y), x, y)


def _number(value: int) -> Ir:
    return Ir(str(value), "i64")


def _sum(b: FunctionBuilder, first: Ir, *others: Ir) -> Ir:
    for other in others:
        first = b.add(first, other)
    return first


class _Product:
    """Writes the product of row blocks with packed, or directly read, panels of columns."""

    def __init__(self, kind: ProductKind, target: Target) -> None:
        self.kind = kind
        self.b = FunctionBuilder(target, "product", _TABLE)
        self.rows, self.columns = tile_shape(target, kind.compute)
        self.lanes = target.lanes(kind.compute)
        self.size = ELEMENT_BITS[kind.compute] // 8
        self.source_size = ELEMENT_BITS[kind.source] // 8
        self.result_size = ELEMENT_BITS[kind.result] // 8

    def function(self) -> FunctionBuilder:
        """The function: a loop over pieces of work."""
        b = self.b
        table = self.table = b.parameter("table")
        d = self.d = _Words(b, b.load(table, "ptr"), PRODUCT)
        self.out = b.load(b.gep(table, d["out_slot"], "ptr"), "ptr")
        self.x_rows, self.out_rows, self.batches, self.passes, self.segments = (
            _pointer(b, d[name]) for name in ("x_rows", "out_rows", "batches", "passes", "segments")
        )
        if self.kind.packs_rows:
            self.packed = b.alloca(self.kind.compute, BLOCK * self.rows * PASS)
        self.edge = b.alloca(self.kind.compute, self.rows * self.columns)
        with b.for_loop(b.parameter("low"), b.parameter("high")) as turn:
            self._piece(turn.index)
        b.ret()
        return b

    def _piece(self, index: Ir) -> None:
        b, d = self.b, self.d
        rest, column_block = b.udiv(index, d["column_blocks"]), b.binary("urem", index, d["column_blocks"])
        batch, row_block = b.udiv(rest, d["row_blocks"]), b.binary("urem", rest, d["row_blocks"])
        triple = b.mul(batch, _number(3))
        self.batch_x, self.batch_y, self.batch_out = (
            _word(b, self.batches, b.add(triple, _number(i))) for i in range(3)
        )
        self.first_row = b.mul(row_block, d["block_rows"])
        below = _least(b, d["block_rows"], b.sub(d["rows"], self.first_row))
        self.tiles = b.udiv(b.add(below, _number(self.rows - 1)), _number(self.rows))
        first_panel = b.mul(column_block, d["block_panels"])
        end_panel = _least(b, b.add(first_panel, d["block_panels"]), d["panels"])
        with b.for_loop(_number(0), d["pass_count"]) as turn:
            at = b.mul(turn.index, _number(3))
            self.first_segment, self.segment_count, self.length = (
                _word(b, self.passes, b.add(at, _number(i))) for i in range(3)
            )
            self.is_first = b.icmp("eq", turn.index, _number(0))
            if self.kind.packs_rows:
                self._pack_rows()
            with b.for_loop(first_panel, end_panel) as panel, b.for_loop(_number(0), self.tiles) as tile:
                self._tile(panel.index, tile.index)

    def _row_offsets(self, tile: Ir, address: Ir) -> list[Ir]:
        """Of a tile's rows; rows beyond the last one do once more what the last one does."""
        b, last = self.b, self.b.sub(self.d["rows"], _number(1))
        first = b.add(self.first_row, b.mul(tile, _number(self.rows)))
        return [_word(b, address, _least(b, b.add(first, _number(i)), last)) for i in range(self.rows)]

    def _segment(self, index: Ir) -> tuple[Ir, Ir]:
        """Where a segment of the contracted elements begins in both operands, without rows and columns."""
        b = self.b
        at = b.mul(b.add(self.first_segment, index), _number(4))
        words = [_word(b, self.segments, b.add(at, _number(i))) for i in range(4)]
        x, y = (b.load(b.gep(self.table, words[i], "ptr"), "ptr") for i in (0, 2))
        return (
            b.gep(x, b.add(words[1], self.batch_x), "i8"),
            b.gep(y, b.add(words[3], self.batch_y), "i8"),
        )

    def _pack_rows(self) -> None:
        """A block of rows, tile by tile, so that a tile's rows lie side by side."""
        b = self.b
        whole = b.mul(self.segment_count, self.length)
        with b.for_loop(_number(0), self.tiles) as tile:
            offsets = self._row_offsets(tile.index, self.x_rows)
            with b.for_loop(_number(0), self.segment_count) as segment:
                x, _ = self._segment(segment.index)
                rows = [_opaque(b, b.gep(x, offset, "i8")) for offset in offsets]
                start = b.add(b.mul(tile.index, whole), b.mul(segment.index, self.length))
                with b.for_loop(_number(0), self.length) as turn:
                    away = b.mul(turn.index, self.d["x_stride"])
                    to = _opaque(b, b.gep(
                        self.packed, b.mul(b.add(start, turn.index), _number(self.rows)), self.kind.compute
                    ))
                    for i, row in enumerate(rows):
                        value = b.load(b.gep(row, away, "i8"), self.kind.source)
                        b.store(b.gep(to, i, self.kind.compute), _widened(b, value, self.kind))

    def _tile(self, panel: Ir, tile: Ir) -> None:
        b, d, compute = self.b, self.d, self.kind.compute
        place = b.mul(panel, d["panel_stride"])
        out = b.gep(self.out, _sum(b, self.batch_out, b.mul(panel, _number(self.columns * self.result_size))), "i8")
        outs = [b.gep(out, offset, "i8") for offset in self._row_offsets(tile, self.out_rows)]
        for pointer in outs:
            _prefetch(b, pointer)
        offsets = [] if self.kind.packs_rows else self._row_offsets(tile, self.x_rows)
        zeros = [b.constant(0, compute, self.lanes)] * (2 * self.rows)
        with b.for_loop(_number(0), self.segment_count, 1, zeros) as segment:
            x, y = self._segment(segment.index)
            y = _opaque(b, b.gep(y, place, "i8"))
            if self.kind.packs_rows:
                done = _sum(b, b.mul(tile, self.segment_count), segment.index)
                rows = [b.gep(self.packed, b.mul(b.mul(done, self.length), _number(self.rows)), compute)]
            else:
                rows = [b.gep(x, offset, "i8") for offset in offsets]
            rows = [_opaque(b, row) for row in rows]
            with b.for_loop(_number(0), self.length, 1, [y, *segment.carried]) as turn:
                turn.next(self._step(rows, turn.index, *turn.carried))
            segment.next(turn.results[1:])
        self._leave(panel, tile, outs, segment.results)

    def _step(self, rows: list[Ir], k: Ir, y: Ir, *before: Ir) -> list[Ir]:
        """One contracted element: a column of the tile's rows times a row of the panel, added to the sums."""
        b, compute = self.b, self.kind.compute
        pair = [b.load(b.gep(y, j * self.lanes, compute), compute, self.lanes) for j in (0, 1)]
        line = b.gep(rows[0], b.mul(k, _number(self.rows)), compute) if self.kind.packs_rows else None
        sums = []
        for i in range(self.rows):
            place = b.gep(rows[i], k, compute) if line is None else b.gep(line, i, compute)
            value = b.splat(b.load(place, compute), self.lanes)
            for j in (0, 1):
                earlier = before[2 * i + j]
                sums.append(b.fma(value, pair[j], earlier) if value.is_float else
                            b.add(earlier, b.mul(value, pair[j])))
        return [b.gep(y, self.d["y_stride"], "i8"), *sums]

    def _leave(self, panel: Ir, tile: Ir, outs: list[Ir], sums: Sequence[Ir]) -> None:
        """Stores a tile, or adds it to what earlier passes have left."""
        b = self.b
        rest = b.sub(self.d["columns"], b.mul(panel, _number(self.columns)))
        whole = b.icmp("sge", rest, _number(self.columns))
        with b.when(whole):
            result = self.kind.result
            places = [b.gep(out, j * self.lanes, result) for out in outs for j in (0, 1)]
            # All are read before any is written: rows beyond the last one repeat it.
            values = [b.convert(self._added(b.load(p, result, self.lanes), v), result)
                      for p, v in zip(places, sums, strict=True)]
            for place, value in zip(places, values, strict=True):
                b.store(place, value)
        with b.when(b.not_(whole)):
            self._leave_edge(panel, tile, rest, sums)

    def _leave_edge(self, panel: Ir, tile: Ir, rest: Ir, sums: Sequence[Ir]) -> None:
        """The last panel, by rows, so that the code stays small."""
        b, compute, result = self.b, self.kind.compute, self.kind.result
        for i, value in enumerate(sums):
            b.store(b.gep(self.edge, i * self.lanes, compute), value)
        limit = b.splat(b.trunc_int(rest, "i32"), self.columns)
        mask = b.icmp("slt", b.constant_lanes(range(self.columns), "i32"), limit)
        first = b.add(self.first_row, b.mul(tile, _number(self.rows)))
        out = b.gep(self.out, _sum(b, self.batch_out, b.mul(panel, _number(self.columns * self.result_size))), "i8")
        with b.for_loop(_number(0), _least(b, _number(self.rows), b.sub(self.d["rows"], first))) as row:
            place = b.gep(out, _word(b, self.out_rows, b.add(first, row.index)), "i8")
            value = b.load(
                b.gep(self.edge, b.mul(row.index, _number(self.columns)), compute), compute, self.columns)
            value = self._added(b.load_masked(place, result, mask), value)
            b.store_masked(place, b.convert(value, result), mask)

    def _added(self, before: Ir, value: Ir) -> Ir:
        """With what earlier passes have left; in the first pass that is whatever was in memory."""
        b = self.b
        before = b.convert(before, self.kind.compute)
        return b.add(value, b.select(self.is_first, b.like(0, before), before))


def _prefetch(b: FunctionBuilder, pointer: Ir) -> None:
    b.declarations["llvm.prefetch.p0"] = "declare void @llvm.prefetch.p0(ptr, i32, i32, i32)"
    b.emit(f"call void @llvm.prefetch.p0(ptr {pointer.name}, i32 0, i32 3, i32 1)")


def _widened(b: FunctionBuilder, value: Ir, kind: ProductKind) -> Ir:
    return b.convert(value, kind.compute, kind.is_signed, kind.is_signed)


def _pack(kind: ProductKind, target: Target) -> FunctionBuilder:
    """Writes the function that copies columns into panels, some neighbouring ones a turn."""
    b = FunctionBuilder(target, "pack", _TABLE)
    _, width = tile_shape(target, kind.compute)
    table = b.parameter("table")
    d = _Words(b, b.load(table, "ptr"), PACK)
    y, to = (b.load(b.gep(table, i, "ptr"), "ptr") for i in (1, 2))
    columns, segments, batches = (_pointer(b, d[name]) for name in ("y_columns", "segments", "batches"))
    last = b.sub(d["columns"], _number(1))
    depth = b.mul(b.mul(d["segment_count"], d["length"]), _number(width))
    offsets = b.alloca("i64", width)
    with b.for_loop(b.parameter("low"), b.parameter("high")) as turn:
        batch, group = b.udiv(turn.index, d["groups"]), b.binary("urem", turn.index, d["groups"])
        begin = b.gep(y, _word(b, batches, batch), "i8")
        first_panel = b.mul(group, _number(GROUP))
        end_panel = _least(b, b.add(first_panel, _number(GROUP)), d["panels"])
        first_column = b.mul(first_panel, _number(width))
        out = b.gep(to, b.mul(b.mul(batch, d["panels"]), depth), kind.compute)
        whole = b.icmp("sle", b.add(first_column, _number(GROUP * width)), d["columns"])
        side_by_side = b.and_(whole, b.icmp("ne", d["is_contiguous"], _number(0)))
        with b.when(side_by_side), b.for_loop(_number(0), d["segment_count"]) as segment:
            source = b.gep(begin, b.add(_word(b, segments, segment.index), _word(b, columns, first_column)), "i8")
            here = b.gep(out, b.add(b.mul(first_panel, depth), b.mul(
                b.mul(segment.index, d["length"]), _number(width))), kind.compute)
            # Rows of several panels at once: their pages are visited less often.
            with b.for_loop(_number(0), d["length"]) as k:
                row = _opaque(b, b.gep(source, b.mul(k.index, d["y_stride"]), "i8"))
                line = _opaque(b, b.gep(here, b.mul(k.index, _number(width)), kind.compute))
                values = [b.load(b.gep(row, i * width, kind.source), kind.source, width) for i in range(GROUP)]
                for i, value in enumerate(values):
                    b.store(b.gep(line, b.mul(depth, _number(i)), kind.compute), _widened(b, value, kind))
        with b.when(b.not_(side_by_side)), b.for_loop(first_panel, end_panel) as panel:
            first = b.mul(panel.index, _number(width))
            for j in range(width):
                b.store(b.gep(offsets, j, "i64"), _word(b, columns, _least(b, b.add(first, _number(j)), last)))
            with b.for_loop(_number(0), d["segment_count"]) as segment:
                source = b.gep(begin, _word(b, segments, segment.index), "i8")
                here = b.gep(out, b.add(b.mul(panel.index, depth), b.mul(
                    b.mul(segment.index, d["length"]), _number(width))), kind.compute)
                with b.for_loop(_number(0), d["length"]) as k:
                    row = _opaque(b, b.gep(source, b.mul(k.index, d["y_stride"]), "i8"))
                    line = _opaque(b, b.gep(here, b.mul(k.index, _number(width)), kind.compute))
                    for j in range(width):
                        value = b.load(b.gep(row, b.load(b.gep(offsets, j, "i64"), "i64"), "i8"), kind.source)
                        b.store(b.gep(line, j, kind.compute), _widened(b, value, kind))
    b.ret()
    return b
