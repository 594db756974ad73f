# SPDX-License-Identifier: Apache-2.0
"""Groups: contracted elements that one instruction multiplies and adds are packed in one 32-bit word.

*Four bytes* (x86: VNNI's `vpdpbusd`, the form that wraps). The instruction multiplies unsigned bytes by signed ones.
Where both operands are signed, or neither is, the sign bit of the first one's bytes is flipped: read the other way,
they are greater or less by 128. That adds 128 times the sum of the column, equally for all rows: packing writes the
columns' sums in front of each panel, and sums begin with the opposite. They wrap at 32 bits, so results have the bits
of any other order. Where one operand is signed nothing is flipped.

*Two bfloat16* (x86: `vdpbf16ps`). The instruction adds the product of the upper halves of its words, then that of the
lower ones, each rounded once: two fused multiply-adds, since such products are exact. With the first element of each
pair in the upper half these are the sums of plain code, bit for bit, but that subnormal numbers count as zero. So
packing finds the least magnitude of each panel's and each block of rows' elements. Where no product has a digit below
2^-126 no sum has, and none is subnormal; other tiles are multiplied by plain code, from the same words.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial, reduce

from ..codegen.builder import FunctionBuilder, Ir
from .gemm_variant import GemmVariant
from .ir_helpers import least, number

_OFFSET = 128
_SIGN_BITS, _ONES = 0x80808080, 0x01010101
_UPPER, _MAGNITUDE = 0xFFFF0000, 0x7FFF
_MANTISSA = 7  # bits of a bfloat16's
# A product of numbers with biased exponents e and f is a multiple of 2^(e + f - 2 * 127 - 2 * 7).
_LEAST_EXPONENTS = 2 * 127 + 2 * _MANTISSA - 126


def dot(b: FunctionBuilder, variant: GemmVariant, x: Ir, y: Ir, before: Ir) -> Ir:
    """Sums with the products of words: `x` of the first operand, `y` of the second."""
    lanes = before.lanes
    if variant.group == 2:
        kind = f"<{2 * lanes} x bfloat>"
        first, second = (b.pure(f"bitcast {v.typed} to {kind}", "bfloat", 2 * lanes).name for v in (x, y))
        name = f"llvm.x86.avx512bf16.dpbf16ps.{lanes * 32}"
        b.declarations[name] = f"declare {before.type} @{name}({before.type}, {kind}, {kind})"
        return b.pure(f"call {before.type} @{name}({before.typed}, {kind} {first}, {kind} {second})", "float", lanes)
    # Flipped bytes of a signed operand are unsigned, and the other way round.
    unsigned, signed = (x, y) if variant.is_signed is not variant.is_mixed else (y, x)
    return b.call(f"llvm.x86.avx512.vpdpbusd.{lanes * 32}", "i32", lanes, before, unsigned, signed)


def exact_dot(b: FunctionBuilder, x: Ir, y: Ir, before: Ir) -> Ir:
    """Sums with the products of pairs of bfloat16, in which subnormal numbers count."""
    lower, upper = zip(halves_as_floats(b, x), halves_as_floats(b, y), strict=True)
    return b.fma(*lower, b.fma(*upper, before))


def halves_as_floats(b: FunctionBuilder, word: Ir) -> tuple[Ir, Ir]:
    """The lower and the upper bfloat16 of words, as float32."""
    return b.bitcast(b.shl(word, 16), "float"), b.bitcast(b.and_(word, b.like(_UPPER, word)), "float")


def begin(b: FunctionBuilder, variant: GemmVariant, columns: Ir) -> Ir:
    """What sums begin with, of what stands in front of a panel."""
    if variant.group == 2:
        return b.constant(0, "float", columns.lanes)
    offset = 0 if variant.is_mixed else -_OFFSET if variant.is_signed else _OFFSET
    return b.mul(columns, b.like(offset, columns))


def first_summary(b: FunctionBuilder, variant: GemmVariant, lanes: int) -> Ir:
    """What stands in front of a panel without elements."""
    return b.constant(-1, "i16", 2 * lanes) if variant.group == 2 else b.constant(0, "i32", lanes)


def summarised(b: FunctionBuilder, variant: GemmVariant, y: Ir, before: Ir) -> Ir:
    """What stands in front of a panel, with words of one more row: sums of columns, or the least magnitudes."""
    if variant.group == 4:
        return dot(b, variant, b.like(_ONES, y), y, before)
    return least_magnitudes(b, y, before)


def least_magnitudes(b: FunctionBuilder, word: Ir, before: Ir) -> Ir:
    """The least bits, without the sign and less one, of bfloat16 that are not zero: of zero they are a great number."""
    halves = _halves(b, word)
    magnitude = b.sub(b.and_(halves, b.like(_MAGNITUDE, halves)), b.like(1, halves))
    return b.minimum(magnitude, before, signed=False)


def least_magnitude(b: FunctionBuilder, vectors: Sequence[Ir]) -> Ir:
    """The least of some vectors of magnitudes, which may be read as words."""
    vectors = [_halves(b, vector) for vector in vectors]
    found = reduce(partial(b.minimum, signed=False), vectors)
    return b.zext(b.call(f"llvm.vector.reduce.umin.v{found.lanes}i16", "i16", 1, found), "i32")


def _halves(b: FunctionBuilder, word: Ir) -> Ir:
    """The halves of words, as they are in memory."""
    if word.element == "i16":
        return word
    return b.pure(f"bitcast {word.typed} to <{2 * word.lanes} x i16>", "i16", 2 * word.lanes)


def has_no_subnormals(b: FunctionBuilder, x: Ir, y: Ir) -> Ir:
    """Whether no element, product or sum can be subnormal, by the least magnitudes of both operands."""
    first, second = (b.lshr(v, _MANTISSA) for v in (x, y))
    normal = b.and_(*(b.icmp("ugt", v, b.constant(0, "i32")) for v in (first, second)))
    return b.and_(normal, b.icmp("uge", b.add(first, second), b.constant(_LEAST_EXPONENTS, "i32")))


def is_reversed(variant: GemmVariant) -> bool:
    """Whether the first element of a word is in its upper half."""
    return variant.group == 2 and not variant.uses_amx


def of_memory(b: FunctionBuilder, variant: GemmVariant, word: Ir) -> Ir:
    """Words of elements that are contiguous in memory."""
    return b.or_(b.shl(word, 16), b.lshr(word, 16)) if is_reversed(variant) else word


def flipped(b: FunctionBuilder, variant: GemmVariant, word: Ir) -> Ir:
    """Words of the first operand as they are packed."""
    return word if variant.is_mixed or variant.group == 2 or variant.uses_amx else b.xor(word, b.like(_SIGN_BITS, word))


class Words:
    """The words of a segment of contracted elements, in code that reads them element by element.

    Args:
        b: Where code is written.
        variant: The GEMM's variant.
        length: Number of words.
        padding: Elements that are missing in the last words.
    """

    def __init__(self, b: FunctionBuilder, variant: GemmVariant, length: Ir, padding: Ir) -> None:
        self.b, self.group, self.bits = b, variant.group, 32 // variant.group
        # The first of a pair of bfloat16 is in the upper half, but for AMX, which takes words as they are in memory.
        self.is_reversed = is_reversed(variant)
        self.count = b.sub(b.mul(length, number(self.group)), padding)
        self.whole = b.udiv(self.count, number(self.group))
        self.last_element = b.sub(self.count, number(1))
        there = b.binary("urem", self.count, number(self.group))
        none = b.trunc_int(b.mul(there, number(self.bits)), "i32")  # bits of the elements that are there
        all_bits = b.constant(-1, "i32")
        self.part_mask = b.not_((b.lshr if self.is_reversed else b.shl)(all_bits, none))

    def elements(self, k: Ir) -> list[Ir]:
        """The positions of a word's elements; those behind the segment's end repeat its last one."""
        b, first = self.b, self.b.mul(k, number(self.group))
        return [least(b, b.add(first, number(j)), self.last_element) for j in range(self.group)]

    def joined(self, k: Ir, parts: list[Ir], padding: int = 0) -> Ir:
        """Words of their elements.

        Args:
            k: Which word of the segment.
            parts: Its elements, in order.
            padding: The bits of a word whose elements behind the segment's end are padding.
        """
        b = self.b
        parts = [b.bitcast(part, part.integer) for part in parts]
        wide = [b.zext(part, "i32") for part in (parts[::-1] if self.is_reversed else parts)]
        word = wide[0]
        for j, part in enumerate(wide[1:], 1):
            word = b.or_(word, b.shl(part, self.bits * j))
        behind = b.select(b.icmp("eq", k, self.whole), self.part_mask, b.constant(0, "i32"))
        mask = b.select(b.icmp("slt", k, self.whole), b.constant(-1, "i32"), behind)
        word = b.and_(word, b.splat(mask, word.lanes))
        if padding:
            rest = b.and_(b.not_(mask), b.constant(padding, "i32"))
            word = b.or_(word, b.splat(rest, word.lanes))
        return word


def row_padding(variant: GemmVariant) -> int:
    """The bits of words of the first operand behind a segment's end.

    The second operand has zeros there. Of bfloat16 a negative zero adds nothing, not even to a zero's sign.
    """
    return 0x8000 if is_reversed(variant) else 0
