# SPDX-License-Identifier: Apache-2.0
"""Short forms for writing the IR of GEMMs: 64-bit words, descriptors, transposes."""

from __future__ import annotations

from collections.abc import Sequence

from ..codegen.builder import FunctionBuilder, Ir
from .gemm_variant import GemmVariant


def words(b: FunctionBuilder, pointer: Ir, names: Sequence[str]) -> dict[str, Ir]:
    """The words of a descriptor, by name."""
    return {name: b.load(b.gep(pointer, i, "i64"), "i64") for i, name in enumerate(names)}


def word(b: FunctionBuilder, table: Ir, index: Ir) -> Ir:
    """The 64-bit word at an index of a table."""
    return b.load(b.gep(table, index, "i64"), "i64")


def address(b: FunctionBuilder, value: Ir) -> Ir:
    """A 64-bit word as a pointer."""
    return b.pure(f"inttoptr {value.typed} to ptr", "ptr", 1)


def opaque(b: FunctionBuilder, pointer: Ir) -> Ir:
    """The same pointer behind a `freeze`, which keeps LLVM from its most expensive step, address mode optimisation."""
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
    """The columns of a square matrix given as row vectors, by log2 n steps of shuffles; missing rows are undefined."""
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


def widened(b: FunctionBuilder, value: Ir, variant: GemmVariant) -> Ir:
    """Elements of an operand converted to the element type of the computation."""
    return b.convert(value, variant.compute, variant.is_signed, variant.is_signed)
