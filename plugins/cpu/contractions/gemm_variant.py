# SPDX-License-Identifier: Apache-2.0
"""`GemmVariant`: what the machine code of a GEMM depends on, and the size of its register tile."""

from __future__ import annotations

from typing import NamedTuple

from ..codegen.builder import Target
from ..codegen.target import ELEMENT_BITS

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


def tile_shape(target: Target, compute: str) -> tuple[int, int]:
    """Rows and columns of the register tile (BLIS: MR x NR): two vectors wide, and as many rows as registers hold."""
    return (12 if target.has_avx512 else 6), 2 * target.lanes(compute)


def packed_element(variant: GemmVariant) -> str:
    """The element type of what is packed: that of the computation, or a word."""
    return "i32" if variant.group > 1 else variant.compute


def bytes_of(element: str) -> int:
    """Bytes of an element."""
    return ELEMENT_BITS[element] // 8
