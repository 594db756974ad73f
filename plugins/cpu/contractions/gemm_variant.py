# SPDX-License-Identifier: Apache-2.0
"""`GemmVariant`: what the machine code of a GEMM depends on, and the size of its register tile."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from ..codegen.target import ELEMENT_BITS, Target

_NARROW_BITS = 256  # of vectors for few columns, of which all with AVX-512 multiply two at once, and some one of 512
_PADDING = 1.06  # what large tiles may pad more where they multiply faster
_LINE = 64  # bytes of a cache line
_FEW_TILES = 16  # up to so many the last one's padding counts, where tiles of fewer rows are slower
KC = 512  # contracted elements that are accumulated before the result is updated (BLIS: kc)
MC_TILES = 12  # register tiles of packed rows in one task: they fit the second-level cache (BLIS: mc / MR)
NC_PANELS = 4  # panels that a task packs, if it does: they fit the cache together with the rows (BLIS: nc / NR)
AHEAD = 8  # contracted elements by which columns are prefetched: x86 addresses hold eight strides
PANEL_GROUP = 2  # adjacent panels that are packed together
# AMX: rows of a tile, words of 32 bits in each, and how many words of contracted elements one instruction multiplies.
AMX_ROWS = 16
AMX_WORDS, _AMX_TILES = 512, 8  # words of contracted elements, and register tiles of packed rows, in one task
# The parameters of every kernel function.
TABLE = [("table", "ptr"), ("low", "i64"), ("high", "i64"), ("chunk", "i64")]


class GemmVariant(NamedTuple):
    """What a GEMM's code depends on; sizes and strides are read from a descriptor at run time.

    Args:
        source: Element type of the operands.
        compute: Element type of products and sums.
        result: Element type of the result.
        is_signed: Whether integers of the operands are signed; where they differ in that, those of the first.
        packs_rows: Whether blocks of the first operand are packed, which allows any layout and element type.
        packs_along: For packing: contracted elements are contiguous in the second operand, and columns are not.
        copies_columns: Whether each task packs the panels of the second operand that it reads.
        prefetches: Whether the next panel is prefetched while one is multiplied.
        group: Contracted elements that one instruction multiplies and adds (`groups.py`); they are packed in one
            32-bit word.
        is_mixed: Whether integers of one operand only are signed; in groups.
        uses_amx: Whether groups are multiplied tile by tile (`amx.py`), or in the order that such tiles have.
        tile_rows: Rows of the register tile; 0 for as many as registers hold.
        tile_vectors: Vectors of columns in the register tile.
        vector_bits: Width of the vectors; 0 for the target's.
    """

    source: str
    compute: str
    result: str
    is_signed: bool
    packs_rows: bool
    packs_along: bool = False
    copies_columns: bool = False
    prefetches: bool = False
    group: int = 1
    is_mixed: bool = False
    uses_amx: bool = False
    tile_rows: int = 0
    tile_vectors: int = 2
    vector_bits: int = 0


def group_of(source: str, compute: str, length: int, target: Target) -> int:
    """How many contracted elements are multiplied at a time.

    Args:
        source: Element type of the operands.
        compute: Element type of the sums.
        length: Contracted elements in a segment; words of a shorter one would be padding for the most part.
        target: The processor.
    """
    if (source, compute) == ("i8", "i32") and target.has_byte_dots and length >= 4:
        return 4
    return 2 if (source, compute) == ("bfloat", "float") and target.has_bfloat_dots and length >= 2 else 1


def uses_amx(source: str, compute: str, length: int, target: Target) -> bool:
    """Whether groups of contracted elements are multiplied by AMX, a shape's every product or none.

    Args:
        source: Element type of the operands.
        compute: Element type of the sums.
        length: Contracted elements in a segment, of which a quarter of a tile or less does not pay.
        target: The processor.
    """
    group = group_of(source, compute, length, target)
    if 4 * -(-length // group) <= AMX_ROWS:
        return False
    return group == 4 and target.has_amx_bytes or group == 2 and target.has_amx_bfloats


def tile_shape(target: Target, variant: GemmVariant) -> tuple[int, int]:
    """Rows and columns of the register tile (BLIS: MR x NR): one or two vectors wide, with the variant's rows."""
    rows = variant.tile_rows or _most_rows(target, variant.tile_vectors)
    return rows, variant.tile_vectors * target.lanes(variant.compute)


def target_of(variant: GemmVariant, target: Target) -> Target:
    """The target with the variant's width of vectors."""
    return replace(target, vector_bits=variant.vector_bits) if variant.vector_bits else target


def with_tile(variant: GemmVariant, target: Target, rows: int, columns: int) -> GemmVariant:
    """The variant with the register tile that pads least, for a result of so many rows and columns.

    128 rows are 16 tiles of 8, which divide among threads, and 11 of 12, the last of them a third padding.
    """
    if variant.uses_amx:
        down, across = (1 if count <= AMX_ROWS else 2 for count in (rows, columns))
        return variant._replace(
            tile_rows=down * AMX_ROWS, tile_vectors=across * AMX_ROWS // target.lanes(variant.compute))
    if variant.group == 1 and target.has_avx512 and target.vector_bits > _NARROW_BITS:
        narrow = variant._replace(vector_bits=_NARROW_BITS)
        if columns <= target_of(narrow, target).lanes(variant.compute):
            variant, target = narrow, target_of(narrow, target)
    vectors = 1 if columns <= target.lanes(variant.compute) else 2
    most = _most_rows(target, vectors)
    # Eight sums are as many as multiply-adds take to follow one another.
    fewer = 4 if rows <= 4 else 2 * most // 3
    padded, padded_less = -(-rows // most) * most, -(-rows // fewer) * fewer
    if target.has_avx512 and vectors > 1:
        # Where a core multiplies two vectors of 512 bits at once, tiles of more rows read fewer columns for each.
        pads_less = _PADDING * padded_less < padded if target.has_two_wide_fmas else padded_less <= padded
    else:
        pads_less = rows <= _FEW_TILES * most and padded_less < padded
    return variant._replace(tile_rows=fewer if pads_less else 0, tile_vectors=vectors)


def _most_rows(target: Target, vectors: int) -> int:
    """Rows of which registers hold the sums, beside a row of columns and their factors."""
    return 12 if target.has_avx512 or vectors == 1 else 6


def lines_of_panel(size: int) -> range:
    """The byte offsets of the cache lines in a panel's row of so many bytes."""
    return range(0, size, _LINE)


def most_tiles(variant: GemmVariant) -> int:
    """How many register tiles of packed rows a task has at most."""
    return _AMX_TILES if variant.uses_amx else MC_TILES


def packed_element(variant: GemmVariant) -> str:
    """The element type of what is packed: that of the computation, or a word."""
    return "i32" if variant.group > 1 else variant.compute


def summary_rows(variant: GemmVariant) -> int:
    """How many rows of words stand in front of a packed panel: what the macro-kernel has to know of its columns."""
    return int(variant.group == 2 or (variant.group == 4 and not variant.uses_amx))


def speed_of(variant: GemmVariant) -> int:
    """How many words of contracted elements are multiplied in the time of one, without AMX."""
    return 8 if variant.uses_amx else 1


def bytes_of(element: str) -> int:
    """Bytes of an element."""
    return ELEMENT_BITS[element] // 8
