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

PASS = 256  # contracted elements between two visits of the result: a panel of so many rows fits the first cache
BLOCK = 20  # tiles of packed rows in one piece of work: they fit the second cache

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
            four = b.and_(self.length, _number(-4))
            with b.for_loop(_number(0), four, 4, [y, *segment.carried]) as turn:
                at, sums = turn.carried[0], list(turn.carried[1:])
                for i in range(4):
                    at, sums = self._step(rows, turn.index, i, at, sums)
                turn.next([at, *sums])
            with b.for_loop(four, self.length, 1, turn.results) as one:
                at, sums = self._step(rows, one.index, 0, one.carried[0], list(one.carried[1:]))
                one.next([at, *sums])
            segment.next(one.results[1:])
        self._leave(panel, outs, segment.results)

    def _step(self, rows: list[Ir], k: Ir, more: int, y: Ir, sums: list[Ir]) -> tuple[Ir, list[Ir]]:
        """One contracted element: a column of the tile's rows times a row of the panel."""
        b, compute = self.b, self.kind.compute
        pair = [b.load(b.gep(y, j * self.lanes, compute), compute, self.lanes) for j in (0, 1)]
        for i in range(self.rows):
            if self.kind.packs_rows:
                line = _opaque(b, b.gep(rows[0], b.mul(k, _number(self.rows)), compute))
                value = b.load(b.gep(line, more * self.rows + i, compute), compute)
            else:
                value = b.load(b.gep(b.gep(rows[i], k, compute), more, compute), compute)
            value = b.splat(value, self.lanes)
            for j in (0, 1):
                at = 2 * i + j
                sums[at] = b.fma(value, pair[j], sums[at]) if value.is_float else b.add(
                    sums[at], b.mul(value, pair[j]))
        return _opaque(b, b.gep(y, self.d["y_stride"], "i8")), sums

    def _leave(self, panel: Ir, outs: list[Ir], sums: Sequence[Ir]) -> None:
        """Stores a tile, or adds it to what earlier passes have left."""
        b = self.b
        rest = b.sub(self.d["columns"], b.mul(panel, _number(self.columns)))
        whole = b.icmp("sge", rest, _number(self.columns))
        narrow = b.trunc_int(_least(b, rest, _number(self.columns)), "i32")
        limit = b.splat(narrow, self.lanes)
        masks = [
            b.icmp("slt", b.constant_lanes(range(j * self.lanes, (j + 1) * self.lanes), "i32"), limit)
            for j in (0, 1)
        ]
        for condition, mask in ((whole, None), (b.not_(whole), masks)):
            for earlier, adds in ((self.is_first, False), (b.not_(self.is_first), True)):
                with b.when(b.and_(condition, earlier)):
                    self._store(outs, sums, mask, adds)

    def _store(self, outs: list[Ir], sums: Sequence[Ir], masks: list[Ir] | None, adds: bool) -> None:
        b, result = self.b, self.kind.result
        places = [b.gep(out, j * self.lanes, result) for out in outs for j in (0, 1)]
        values = list(sums)
        if adds:  # all are read before any is written: rows beyond the last one repeat it
            for i, place in enumerate(places):
                mask = None if masks is None else masks[i % 2]
                before = (b.load(place, result, self.lanes) if mask is None else
                          b.load_masked(place, result, mask))
                values[i] = b.add(values[i], b.convert(before, self.kind.compute))
        for i, (place, value) in enumerate(zip(places, values, strict=True)):
            value = b.convert(value, result)
            if masks is None:
                b.store(place, value)
            else:
                b.store_masked(place, value, masks[i % 2])


def _prefetch(b: FunctionBuilder, pointer: Ir) -> None:
    b.declarations["llvm.prefetch.p0"] = "declare void @llvm.prefetch.p0(ptr, i32, i32, i32)"
    b.emit(f"call void @llvm.prefetch.p0(ptr {pointer.name}, i32 0, i32 3, i32 1)")


def _widened(b: FunctionBuilder, value: Ir, kind: ProductKind) -> Ir:
    return b.convert(value, kind.compute, kind.is_signed, kind.is_signed)


def _pack(kind: ProductKind, target: Target) -> FunctionBuilder:
    """Writes the function that copies columns into panels, one panel a turn."""
    b = FunctionBuilder(target, "pack", _TABLE)
    _, width = tile_shape(target, kind.compute)
    table = b.parameter("table")
    d = _Words(b, b.load(table, "ptr"), PACK)
    y, to = (b.load(b.gep(table, i, "ptr"), "ptr") for i in (1, 2))
    columns, segments, batches = (_pointer(b, d[name]) for name in ("y_columns", "segments", "batches"))
    last = b.sub(d["columns"], _number(1))
    size = ELEMENT_BITS[kind.compute] // 8
    offsets = b.alloca("i64", width)
    with b.for_loop(b.parameter("low"), b.parameter("high")) as turn:
        batch, panel = b.udiv(turn.index, d["panels"]), b.binary("urem", turn.index, d["panels"])
        first = b.mul(panel, _number(width))
        for j in range(width):
            b.store(b.gep(offsets, j, "i64"), _word(b, columns, _least(b, b.add(first, _number(j)), last)))
        here = b.gep(to, b.mul(turn.index, b.mul(b.mul(d["segment_count"], d["length"]), _number(width))), kind.compute)
        whole = b.icmp("sle", b.add(first, _number(width)), d["columns"])
        side_by_side = b.and_(whole, b.icmp("ne", d["is_contiguous"], _number(0)))
        begin = b.gep(y, _word(b, batches, batch), "i8")
        with b.for_loop(_number(0), d["segment_count"]) as segment:
            source = b.gep(begin, _word(b, segments, segment.index), "i8")
            panel_row = b.mul(segment.index, d["length"])
            with b.when(side_by_side):
                start = b.gep(source, b.load(offsets, "i64"), "i8")
                with b.for_loop(_number(0), d["length"]) as k:
                    value = b.load(b.gep(start, b.mul(k.index, d["y_stride"]), "i8"), kind.source, width)
                    line = _opaque(b, b.gep(here, b.mul(b.add(panel_row, k.index), _number(width)), kind.compute))
                    b.store(line, _widened(b, value, kind), size)
            with b.when(b.not_(side_by_side)), b.for_loop(_number(0), d["length"]) as k:
                row = _opaque(b, b.gep(source, b.mul(k.index, d["y_stride"]), "i8"))
                line = _opaque(b, b.gep(here, b.mul(b.add(panel_row, k.index), _number(width)), kind.compute))
                for j in range(width):
                    value = b.load(b.gep(row, b.load(b.gep(offsets, j, "i64"), "i64"), "i8"), kind.source)
                    b.store(b.gep(line, j, kind.compute), _widened(b, value, kind))
    b.ret()
    return b
