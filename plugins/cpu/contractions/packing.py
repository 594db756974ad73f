# SPDX-License-Identifier: Apache-2.0
"""LLVM IR that packs the second operand into panels: for each contracted element a panel's columns are contiguous.

Narrow elements are converted to the element type of the computation on the way.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from ..codegen.builder import FunctionBuilder, Ir, Target, module_text
from ..codegen.target import ELEMENT_BITS, square_of
from .gemm_layout import PACK_WORDS
from .gemm_variant import PANEL_GROUP, TABLE, GemmVariant, bytes_of, packed_element, summary_rows, tile_shape
from .groups import Words, first_summary, of_memory, summarised
from .ir_helpers import address, least, number, opaque, transposed, widened, word, words

_MASKED_BITS = 32  # least width of elements whose masked loads are one instruction


@lru_cache(maxsize=64)
def pack_module(variant: GemmVariant, target: Target) -> str:
    """The text of a module with the function ``pack``."""
    return module_text([PackingEmitter(variant, target).function()])


class Columns(NamedTuple):
    """The columns of the second operand, as values of the code.

    Args:
        number: How many there are.
        offsets: Address of a table of their byte offsets.
        stride: Bytes from one contracted element to the next.
        are_contiguous: Whether neighbouring columns are contiguous.
    """

    number: Ir
    offsets: Ir
    stride: Ir
    are_contiguous: Ir


class PanelWriter:
    """Writes the loops that pack columns into panels.

    Args:
        b: Where they are written.
        variant: The GEMM's variant.
        is_short: Whether columns are a loop instead of unrolled code, which halves the time that LLVM takes.
    """

    def __init__(self, b: FunctionBuilder, variant: GemmVariant, is_short: bool) -> None:
        self.b, self.variant, self.is_short = b, variant, is_short
        (_, self.width), self.lanes = tile_shape(b.target, variant), b.target.lanes(variant.compute)
        self.offsets, self.source_size = b.alloca("i64", self.width), bytes_of(variant.source)

    def write(
        self, columns: Columns, first_panel: Ir, end_panel: Ir, segments: Ir, length: Ir,
        source: Callable[[Ir], Ir], here: Callable[[Ir, Ir], Ir], padding: Ir | None = None,
    ) -> None:
        """Packs panels one by one: of columns at any offsets, and the last, partial panel.

        Args:
            columns: The columns.
            first_panel: The first panel.
            end_panel: The end of the panels.
            segments: Number of segments of contracted elements.
            length: Contracted elements in each, or words of them.
            source: The address of a segment in the operand.
            here: The address that a segment of a panel is packed to.
            padding: Elements that are missing in a segment's last words.
        """
        b, width = self.b, self.width
        last_column = b.sub(columns.number, number(1))
        with b.for_loop(first_panel, end_panel) as panel:
            first = b.mul(panel.index, number(width))
            with b.for_loop(number(0), number(width)) as column:
                # Columns beyond the last one repeat it.
                offset = word(b, columns.offsets, least(b, b.add(first, column.index), last_column))
                b.store(b.gep(self.offsets, column.index, "i64"), offset)
            limit = b.splat(b.trunc_int(b.sub(columns.number, first), "i32"), width)
            mask = b.icmp("slt", b.constant_lanes(range(width), "i32"), limit)
            with b.for_loop(number(0), segments) as segment:
                start, to = source(segment.index), here(panel.index, segment.index)
                if padding is None:
                    self._elements(start, to, columns, mask, length)
                else:
                    whole = b.icmp("sle", b.add(first, number(width)), columns.number)
                    together = b.and_(whole, b.icmp("ne", columns.are_contiguous, number(0)))
                    self._words(Words(b, self.variant, length, padding), start, to, columns, together, length)

    def _elements(self, start: Ir, to: Ir, columns: Columns, mask: Ir, length: Ir) -> None:
        """Packs a segment of a panel by elements."""
        b, variant, width = self.b, self.variant, self.width
        done = self._squares(start, to, columns, length) if variant.packs_along else number(0)
        if not variant.packs_along and not self.is_short and ELEMENT_BITS[variant.source] >= _MASKED_BITS:
            done = b.select(b.icmp("ne", columns.are_contiguous, number(0)), length, number(0))
            line = b.gep(start, word(b, self.offsets, number(0)), "i8")
            with b.for_loop(number(0), done) as k:
                row = b.gep(line, b.mul(k.index, columns.stride), "i8")
                value = b.load_masked(row, variant.source, mask)
                b.store(b.gep(to, b.mul(k.index, number(width)), variant.compute), widened(b, value, variant))
        with b.for_loop(done, length) as k:
            row = opaque(b, b.gep(start, b.mul(k.index, columns.stride), "i8"))
            line = opaque(b, b.gep(to, b.mul(k.index, number(width)), variant.compute))
            if self.is_short:
                with b.for_loop(number(0), number(width)) as column:
                    self._element(row, line, column.index)
            else:
                for j in range(width):
                    self._element(row, line, number(j))

    def _words(self, words: Words, start: Ir, to: Ir, columns: Columns, together: Ir, length: Ir) -> None:
        """Packs a segment of a panel by words: of contiguous elements, of contiguous columns, or of any."""
        b, variant, width = self.b, self.variant, self.width
        done = number(0)
        if variant.packs_along:
            done = self._squares(start, to, columns, words.whole)
        else:
            done = b.select(together, length, done)
            line = b.gep(start, word(b, self.offsets, number(0)), "i8")
            with b.for_loop(number(0), done) as k:
                to_line = b.gep(to, b.mul(k.index, number(width)), variant.compute)
                b.store(to_line, self.word_of_columns(words, line, k.index, columns.stride))
        with b.for_loop(done, length) as k:
            rows = [opaque(b, b.gep(start, b.mul(at, columns.stride), "i8")) for at in words.elements(k.index)]
            to_line = opaque(b, b.gep(to, b.mul(k.index, number(width)), variant.compute))
            with b.for_loop(number(0), number(width)) as column:
                offset = word(b, self.offsets, column.index)
                parts = [b.load(b.gep(row, offset, "i8"), variant.source) for row in rows]
                b.store(b.gep(to_line, column.index, variant.compute), words.joined(k.index, parts))

    def word_of_columns(self, words: Words, start: Ir, k: Ir, stride: Ir) -> Ir:
        """One word of each of a panel's contiguous columns.

        Args:
            words: The segment's words.
            start: The address of the first column.
            k: Which word.
            stride: Bytes from one contracted element to the next.
        """
        b = self.b
        lines = [b.gep(start, b.mul(at, stride), "i8") for at in words.elements(k)]
        return words.joined(k, [b.load(line, self.variant.source, self.width) for line in lines])

    def _element(self, row: Ir, line: Ir, column: Ir) -> None:
        b, variant = self.b, self.variant
        value = b.load(b.gep(row, word(b, self.offsets, column), "i8"), variant.source)
        b.store(b.gep(line, column, variant.compute), widened(b, value, variant))

    def _squares(self, source: Ir, here: Ir, columns: Columns, length: Ir) -> Ir:
        """Packs whole vectors of contiguous contracted elements, or words, by transposes; gives how many are packed."""
        b, variant, lanes = self.b, self.variant, square_of(self.lanes, self.is_short)
        done = b.sub(length, b.binary("urem", length, number(lanes)))
        with b.for_loop(number(0), number(self.width), lanes) as part:
            starts = [opaque(b, b.gep(source, word(b, self.offsets, b.add(part.index, number(j))), "i8"))
                      for j in range(lanes)]
            with b.for_loop(number(0), done, lanes) as k:
                at = b.add(b.mul(k.index, number(self.width)), part.index)
                line = opaque(b, b.gep(here, at, variant.compute))
                element = "i32" if variant.group > 1 else variant.source
                values = [b.load(b.gep(start, k.index, element), element, lanes, self.source_size) for start in starts]
                values = [of_memory(b, variant, v) if variant.group > 1 else widened(b, v, variant) for v in values]
                for j, value in enumerate(transposed(b, values)):
                    b.store(b.gep(line, j * self.width, variant.compute), value)
        return done


class PackingEmitter:
    """Writes the function that packs columns into panels, a group of adjacent panels in each iteration.

    Args:
        variant: The GEMM's variant.
        target: The processor.
        is_short: Whether columns are a loop instead of unrolled code, which halves the time that LLVM takes.
    """

    def __init__(self, variant: GemmVariant, target: Target, is_short: bool = False) -> None:
        self.variant = variant
        self.b = FunctionBuilder(target, "pack", TABLE)
        self.writer = PanelWriter(self.b, variant, is_short)
        self.width = self.writer.width

    def function(self) -> FunctionBuilder:
        """The function: a loop over groups of panels."""
        b, width = self.b, self.width
        table = b.parameter("table")
        d = self.d = words(b, b.load(table, "ptr"), PACK_WORDS)
        y, to = (b.load(b.gep(table, i, "ptr"), "ptr") for i in (1, 2))
        self.offsets, self.segments, batches = (address(b, d[name]) for name in ("y_columns", "segments", "batches"))
        # In front of a panel of words is a summary of its columns.
        self.head = width * summary_rows(self.variant)
        self.depth = b.add(b.mul(b.mul(d["segment_count"], d["length"]), number(width)), number(self.head))
        with b.for_loop(b.parameter("low"), b.parameter("high")) as iteration:
            batch, group = b.udiv(iteration.index, d["groups"]), b.binary("urem", iteration.index, d["groups"])
            self.begin = b.gep(y, word(b, batches, batch), "i8")
            self.out = b.gep(to, b.mul(b.mul(batch, d["panels"]), self.depth), self.variant.compute)
            first_panel = b.mul(group, number(PANEL_GROUP))
            end_panel = least(b, b.add(first_panel, number(PANEL_GROUP)), d["panels"])
            if self.variant.packs_along:
                self._panels(first_panel, end_panel)
            else:
                self._group_or_panels(first_panel, end_panel)
            if self.head:
                with b.for_loop(first_panel, end_panel) as panel:
                    self._summarise(b.gep(self.out, b.mul(panel.index, self.depth), self.variant.compute))
        b.ret()
        return b

    def _here(self, panel: Ir, segment: Ir) -> Ir:
        """The address that a segment of a panel is packed to."""
        b = self.b
        done = b.add(b.mul(b.mul(segment, self.d["length"]), number(self.width)), number(self.head))
        return b.gep(self.out, b.add(b.mul(panel, self.depth), done), self.variant.compute)

    def _summarise(self, panel: Ir) -> None:
        """Writes in front of a packed panel what the macro-kernel has to know of its columns."""
        b, width, lanes, element = self.b, self.width, self.writer.lanes, packed_element(self.variant)
        starts = [first_summary(b, self.variant, lanes)] * self.variant.tile_vectors
        with b.for_loop(number(width), self.depth, width, starts) as at:
            line = b.gep(panel, at.index, element)
            loaded = [b.load(b.gep(line, j * lanes, element), element, lanes) for j in range(width // lanes)]
            at.next([summarised(b, self.variant, y, before) for y, before in zip(loaded, at.carried, strict=True)])
        for j, value in enumerate(at.results):
            b.store(b.gep(panel, j * lanes, element), value)

    def _group_or_panels(self, first_panel: Ir, end_panel: Ir) -> None:
        """Packs a group together where it is whole and contiguous, else panel by panel."""
        b = self.b
        first_column = b.mul(first_panel, number(self.width))
        whole = b.icmp("sle", b.add(first_column, number(PANEL_GROUP * self.width)), self.d["columns"])
        contiguous = b.and_(whole, b.icmp("ne", self.d["is_contiguous"], number(0)))
        with b.when(contiguous):
            self._group(first_panel, first_column)
        with b.when(b.not_(contiguous)):
            self._panels(first_panel, end_panel)

    def _group(self, first_panel: Ir, first_column: Ir) -> None:
        """Packs a group of whole panels of contiguous columns together: fewer TLB misses than panel by panel."""
        b, d = self.b, self.d
        with b.for_loop(number(0), d["segment_count"]) as segment:
            start = b.add(word(b, self.segments, segment.index), word(b, self.offsets, first_column))
            source, here = b.gep(self.begin, start, "i8"), self._here(first_panel, segment.index)
            if self.variant.group > 1:
                self._group_of_words(source, here)
            else:
                self._group_of_elements(source, here)

    def _group_of_elements(self, source: Ir, here: Ir) -> None:
        """Packs a segment of a group by elements."""
        b, d, variant, width = self.b, self.d, self.variant, self.width
        with b.for_loop(number(0), d["length"]) as k:
            row = opaque(b, b.gep(source, b.mul(k.index, d["y_stride"]), "i8"))
            line = opaque(b, b.gep(here, b.mul(k.index, number(width)), variant.compute))
            values = [b.load(b.gep(row, i * width, variant.source), variant.source, width)
                      for i in range(PANEL_GROUP)]
            for i, value in enumerate(values):
                b.store(b.gep(line, b.mul(self.depth, number(i)), variant.compute), widened(b, value, variant))

    def _group_of_words(self, source: Ir, here: Ir) -> None:
        """Packs a segment of a group by words."""
        b, d, variant, width = self.b, self.d, self.variant, self.width
        words = Words(b, variant, d["length"], d["padding"])
        with b.for_loop(number(0), d["length"]) as k:
            line = opaque(b, b.gep(here, b.mul(k.index, number(width)), variant.compute))
            for i in range(PANEL_GROUP):
                start = b.gep(source, i * width, variant.source)
                value = self.writer.word_of_columns(words, start, k.index, d["y_stride"])
                b.store(b.gep(line, b.mul(self.depth, number(i)), variant.compute), value)

    def _panels(self, first_panel: Ir, end_panel: Ir) -> None:
        b, d = self.b, self.d
        self.writer.write(
            Columns(d["columns"], self.offsets, d["y_stride"], d["is_contiguous"]), first_panel, end_panel,
            d["segment_count"], d["length"],
            lambda segment: b.gep(self.begin, word(b, self.segments, segment), "i8"), self._here,
            d["padding"] if self.variant.group > 1 else None,
        )
