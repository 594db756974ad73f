"""What the code of products depends on, and words that its writers share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..codegen.builder import FunctionBuilder, Ir, Target
from ..codegen.target import ELEMENT_BITS

TABLE = [("table", "ptr"), ("low", "i64"), ("high", "i64"), ("chunk", "i64")]


class ProductKind(NamedTuple):
    """What a product's code depends on.

    Args:
        source: Element of the operands.
        compute: Element that is multiplied and summed.
        result: Element of the result.
        is_signed: Whether integers of the operands are.
        packs_rows: Whether the first operand's rows are copied, so that any layout and element will do.
        packs_along: Contracted elements lie side by side in the second operand, columns do not: for what packs them.
        copies_columns: The second operand's columns are copied by each piece of work, too.
    """

    source: str
    compute: str
    result: str
    is_signed: bool
    packs_rows: bool
    packs_along: bool = False
    copies_columns: bool = False


def tile_shape(target: Target, compute: str) -> tuple[int, int]:
    """Rows and columns of a tile: two vectors wide, and as many rows as the registers hold."""
    return (12 if target.has_avx512 else 6), 2 * target.lanes(compute)


def bytes_of(element: str) -> int:
    """How much memory an element takes."""
    return ELEMENT_BITS[element] // 8


def words(b: FunctionBuilder, pointer: Ir, names: Sequence[str]) -> dict[str, Ir]:
    """The words of a descriptor."""
    return {name: b.load(b.gep(pointer, i, "i64"), "i64") for i, name in enumerate(names)}


def word(b: FunctionBuilder, table: Ir, index: Ir) -> Ir:
    """A 64-bit word of a table."""
    return b.load(b.gep(table, index, "i64"), "i64")


def address(b: FunctionBuilder, value: Ir) -> Ir:
    """A word as a pointer."""
    return b.pure(f"inttoptr {value.typed} to ptr", "ptr", 1)


def opaque(b: FunctionBuilder, pointer: Ir) -> Ir:
    """The same pointer; LLVM does not look behind it for better addresses, which takes it longer than all else."""
    return b.pure(f"freeze {pointer.typed}", "ptr", 1)


def least(b: FunctionBuilder, x: Ir, y: Ir) -> Ir:
    """The lesser of two words."""
    return b.select(b.icmp("slt", x, y), x, y)


def number(value: int) -> Ir:
    """A constant word."""
    return Ir(str(value), "i64")


def total(b: FunctionBuilder, first: Ir, *others: Ir) -> Ir:
    """The sum of some words."""
    for other in others:
        first = b.add(first, other)
    return first


def transposed(b: FunctionBuilder, rows: Sequence[Ir]) -> list[Ir]:
    """The columns of a square whose rows are vectors; missing rows may be anything."""
    first = rows[0]
    lanes = first.lanes
    square = [*rows, *[Ir("poison", first.element, lanes)] * (lanes - len(rows))]
    bit = 1
    while bit < lanes:
        before = list(square)
        low = [j - bit + lanes if j & bit else j for j in range(lanes)]
        high = [j + lanes if j & bit else j + bit for j in range(lanes)]
        for i in range(lanes):
            if not i & bit:
                square[i] = b.shuffle(before[i], low, before[i | bit])
                square[i | bit] = b.shuffle(before[i], high, before[i | bit])
        bit *= 2
    return square


def widened(b: FunctionBuilder, value: Ir, kind: ProductKind) -> Ir:
    """Elements of an operand as what is multiplied."""
    return b.convert(value, kind.compute, kind.is_signed, kind.is_signed)
