# SPDX-License-Identifier: Apache-2.0
"""Fused multiply-adds for processors without them, rounded once as the instruction rounds.

Of float32 in float64, where the product is exact: the sum is rounded to odd, after which rounding to float32 gives what
one rounding would (Boldo and Melquiond: "Emulation of a FMA and correctly rounded sums: proved algorithms using
rounding to odd", 2008). Of float64 by the C library's function, which the C standard has rounded once as well.
"""

from __future__ import annotations

from functools import lru_cache

from .ir import suffix, type_text

DECLARATION = "declare double @fma(double, double, double)"


@lru_cache(maxsize=64)
def emulated(element: str, lanes: int) -> tuple[str, str]:
    """The name and the text of a function that multiplies and adds.

    Args:
        element: "float" or "double".
        lanes: The lanes of its operands.
    """
    name, kind = f"olympus.fma.{suffix(element, lanes)}", type_text(element, lanes)
    lines = _in_double(lanes) if element == "float" else _one_by_one(lanes)
    body = "\n".join(f"  {line}" for line in lines)
    return name, f"define internal {kind} @{name}({kind} %x, {kind} %y, {kind} %z) noinline #0 {{\n{body}\n}}"


def _in_double(lanes: int) -> list[str]:
    narrow, wide, word, bit = (type_text(element, lanes) for element in ("float", "double", "i64", "i1"))
    return [
        *(f"%{name}.wide = fpext {narrow} %{name} to {wide}" for name in "xyz"),
        f"%product = fmul {wide} %x.wide, %y.wide",
        # The sum and its rounding error (Knuth's two-sum).
        f"%sum = fadd {wide} %product, %z.wide",
        f"%part = fsub {wide} %sum, %product",
        f"%rest = fsub {wide} %sum, %part",
        f"%lost.product = fsub {wide} %product, %rest",
        f"%lost.z = fsub {wide} %z.wide, %part",
        f"%lost = fadd {wide} %lost.product, %lost.z",
        # To odd: an inexact sum with an even last digit goes to its neighbour on the side of the error.
        f"%bits = bitcast {wide} %sum to {word}",
        f"%inexact = fcmp one {wide} %lost, {_all('double 0.0', lanes)}",
        f"%last = trunc {word} %bits to {bit}",
        f"%last.even = xor {bit} %last, {_all('i1 true', lanes)}",
        f"%moves = and {bit} %inexact, %last.even",
        f"%lost.bits = bitcast {wide} %lost to {word}",
        f"%signs = xor {word} %bits, %lost.bits",
        f"%apart = icmp slt {word} %signs, {_all('i64 0', lanes)}",
        f"%by = select {bit} %apart, {word} {_all('i64 -1', lanes)}, {word} {_all('i64 1', lanes)}",
        f"%moved = add {word} %bits, %by",
        f"%odd = select {bit} %moves, {word} %moved, {word} %bits",
        f"%whole = bitcast {word} %odd to {wide}",
        f"%result = fptrunc {wide} %whole to {narrow}",
        f"ret {narrow} %result",
    ]


def _all(scalar: str, lanes: int) -> str:
    """A constant in all lanes, without its type."""
    return scalar.partition(" ")[2] if lanes == 1 else f"<{', '.join([scalar] * lanes)}>"


def _one_by_one(lanes: int) -> list[str]:
    if lanes == 1:
        return ["%result = call double @fma(double %x, double %y, double %z)", "ret double %result"]
    kind, lines, before = type_text("double", lanes), [], "poison"
    for i in range(lanes):
        lines += [f"%{name}{i} = extractelement {kind} %{name}, i32 {i}" for name in "xyz"]
        lines += [f"%r{i} = call double @fma(double %x{i}, double %y{i}, double %z{i})",
                  f"%all{i} = insertelement {kind} {before}, double %r{i}, i32 {i}"]
        before = f"%all{i}"
    return [*lines, f"ret {kind} {before}"]
