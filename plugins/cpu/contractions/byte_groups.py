# SPDX-License-Identifier: Apache-2.0
"""Products of bytes, four at a time: x86's VNNI adds four products of bytes to a 32-bit sum in one instruction.

Four contracted elements are packed in one 32-bit word, and the rest of a GEMM works with words. The instruction
(`vpdpbusd`, the form that wraps) multiplies unsigned bytes by signed ones. Where both operands are signed, or neither
is, the sign bit of the first one's bytes is flipped: read the other way, they are greater or less by 128. That adds 128
times the sum of the column, equally for all rows: packing writes the columns' sums in front of each panel, and sums
begin with the opposite. They wrap at 32 bits, so results have the bits of any other order. Where one operand is signed
nothing is flipped.
"""

from __future__ import annotations

from ..codegen.builder import FunctionBuilder, Ir, Target
from .gemm_variant import GemmVariant
from .ir_helpers import least, number

GROUP = 4
_OFFSET = 128
_SIGN_BITS, _ONES = 0x80808080, 0x01010101


def group_of(source: str, compute: str, length: int, target: Target) -> int:
    """How many contracted elements are multiplied at a time.

    Args:
        source: Element type of the operands.
        compute: Element type of the sums.
        length: Contracted elements in a segment; a word of a shorter one would be padding for the most part.
        target: The processor.
    """
    return GROUP if (source, compute) == ("i8", "i32") and target.has_byte_dots and length >= GROUP else 1


def dot(b: FunctionBuilder, variant: GemmVariant, x: Ir, y: Ir, before: Ir) -> Ir:
    """Sums with the products of words: `x` of the first operand, `y` of the second."""
    # Flipped bytes of a signed operand are unsigned, and the other way round.
    unsigned, signed = (x, y) if variant.is_signed is not variant.is_mixed else (y, x)
    return b.call(f"llvm.x86.avx512.vpdpbusd.{before.lanes * 32}", "i32", before.lanes, before, unsigned, signed)


def begin(b: FunctionBuilder, variant: GemmVariant, columns: Ir) -> Ir:
    """What sums begin with, of the sums of their columns."""
    offset = 0 if variant.is_mixed else -_OFFSET if variant.is_signed else _OFFSET
    return b.mul(columns, b.like(offset, columns))


def flipped(b: FunctionBuilder, variant: GemmVariant, word: Ir) -> Ir:
    """Words of the first operand as they are packed."""
    return word if variant.is_mixed else b.xor(word, b.like(_SIGN_BITS, word))


def added_to_columns(b: FunctionBuilder, variant: GemmVariant, y: Ir, before: Ir) -> Ir:
    """Sums of columns with words of the second operand."""
    return dot(b, variant, b.like(_ONES, y), y, before)


class Words:
    """The words of a segment of contracted elements, in code that reads them element by element.

    Args:
        b: Where code is written.
        length: Number of words.
        last: Elements in the last word; the others are whole.
    """

    def __init__(self, b: FunctionBuilder, length: Ir, last: Ir) -> None:
        self.b = b
        self.end = b.sub(length, number(1))
        self.whole = b.select(b.icmp("eq", last, number(GROUP)), length, self.end)
        self.last_element = b.sub(b.add(b.mul(self.end, number(GROUP)), last), number(1))
        missing = b.sub(number(GROUP), last)
        self.last_mask = b.lshr(b.constant(-1, "i32"), b.trunc_int(b.mul(missing, number(8)), "i32"))

    def elements(self, k: Ir) -> list[Ir]:
        """The positions of a word's elements; those behind the segment's end repeat its last one."""
        b, first = self.b, self.b.mul(k, number(GROUP))
        return [least(b, b.add(first, number(j)), self.last_element) for j in range(GROUP)]

    def joined(self, k: Ir, parts: list[Ir]) -> Ir:
        """Words of their elements, in which those behind the segment's end are zero."""
        b = self.b
        wide = [b.zext(part, "i32") for part in parts]
        word = wide[0]
        for j, part in enumerate(wide[1:], 1):
            word = b.or_(word, b.shl(part, 8 * j))
        mask = b.select(b.icmp("eq", k, self.end), self.last_mask, b.constant(-1, "i32"))
        return b.and_(word, b.splat(mask, word.lanes))
