# SPDX-License-Identifier: Apache-2.0
"""Operations on floats in register types; the caller rounds narrow floats after each operation."""

from __future__ import annotations

import math
from collections.abc import Callable

from ..builder import FunctionBuilder, Ir
from .storage import Storage

Builder = FunctionBuilder


def _extreme(name: str) -> Callable[..., Ir]:
    def emit(b: Builder, s: Storage, x: Ir, y: Ir) -> Ir:
        # A constant first: the NaN check of the first operand is then folded.
        first, second = (y, x) if y.is_constant else (x, y)
        if first.is_constant and first.name == b.like(0.0 if name == "max" else -0.0, first).name:
            # Of two zeros the constant, as IEEE 754 orders them.
            return b.select(b.fcmp("oge" if name == "max" else "ole", first, second), first, second)
        return b.maximum(first, second) if name == "max" else b.minimum(first, second)

    return emit


def _clamp(b: Builder, s: Storage, low: Ir, x: Ir, high: Ir) -> Ir:
    return b.minimum(high, b.maximum(low, x))


def _sign(b: Builder, s: Storage, x: Ir) -> Ir:
    return b.select(b.fcmp("one", x, b.like(0.0, x)), b.copysign(b.like(1.0, x), x), x)


def _is_finite(b: Builder, s: Storage, x: Ir) -> Ir:
    return b.fcmp("olt", b.abs(x), b.like(math.inf, x))


def _rem(b: Builder, s: Storage, x: Ir, y: Ir) -> Ir:
    """The exact remainder with the sign of x, by repeated reduction in exact steps, as in the x87 FPREM instruction."""
    wide = [b.convert(v, "double") for v in (x, y)] if s.register == "float" else [x, y]
    size, by = (b.abs(v) for v in wide)
    zero, one, infinity = (b.like(v, size) for v in (0.0, 1.0, math.inf))
    regular = b.and_(b.fcmp("olt", size, infinity), b.fcmp("ogt", by, zero))
    by = b.select(regular, by, one)
    left = b.select(b.and_(regular, b.fcmp("olt", by, infinity)), size, zero)
    with b.while_loop([left]) as loop:
        (rest,) = loop.carried
        loop.proceed_if(b.any(b.fcmp("oge", rest, by)))
        loop.next([_reduced(b, rest, by, s.register == "float")])
    result = b.select(b.fcmp("oeq", by, infinity), b.select(regular, size, zero), loop.results[0])
    result = b.copysign(result, wide[0])
    result = b.select(b.or_(b.not_(regular), b.fcmp("uno", *wide)), b.like(math.nan, result), result)
    return b.convert(result, s.register)


def _reduced(b: Builder, rest: Ir, by: Ir, short: bool) -> Ir:
    """The remainder less a multiple of the divisor: exact and not negative; unchanged where it is below the divisor."""
    # The product of the divisor and a quotient of so many digits is exact: in float64 for float32, by FMA for float64.
    digits = 28 if short else 50 if b.target.has_fma else 1
    apart = b.sub(_exponent(b, rest), _exponent(b, by))
    apart = b.sub(apart, b.like(digits, apart))
    times = b.select(b.icmp("sgt", apart, b.like(0, apart)), apart, b.like(0, apart))
    # Two factors reach 2^2046; beyond, the quotient has two digits more, which is still exact.
    times = b.select(b.icmp("slt", times, b.like(2046, times)), times, b.like(2046, times))
    half = b.lshr(times, b.like(1, times))
    near = b.mul(b.mul(by, _power_of_two(b, half)), _power_of_two(b, b.sub(times, half)))
    quotient = b.floor(b.div(rest, near))
    if digits == 1:
        two = b.like(2.0, rest)
        quotient = b.select(b.fcmp("ogt", quotient, two), two, quotient)
    if digits == 50:
        less = b.fma(b.neg(quotient), near, rest)
    else:
        less = b.sub(rest, b.mul(quotient, near))
    return b.select(b.fcmp("olt", less, b.like(0.0, rest)), b.add(less, near), less)


def _exponent(b: Builder, x: Ir) -> Ir:
    """The biased exponent of a non-negative double; at most zero for subnormals."""
    tiny = b.fcmp("olt", x, b.like(2.0**-1000, x))
    field = b.lshr(b.bitcast(b.select(tiny, b.mul(x, b.like(2.0**54, x)), x), "i64"), b.constant(52, "i64", x.lanes))
    return b.select(tiny, b.sub(field, b.like(54, field)), field)


def _power_of_two(b: Builder, exponent: Ir) -> Ir:
    return b.bitcast(b.shl(b.add(exponent, b.like(1023, exponent)), b.like(52, exponent)), "double")


def _next_after(b: Builder, s: Storage, x: Ir, y: Ir) -> Ir:
    narrow_x, narrow_y = (b.convert(v, s.memory) if s.is_narrow else v for v in (x, y))
    integer = f"i{8 * s.part_bytes}"
    bits = b.bitcast(narrow_x, integer)
    one, zero = b.like(1, bits), b.like(0.0, x)
    up = b.xor(b.fcmp("olt", x, y), b.fcmp("olt", x, zero))
    moved = b.select(up, b.add(bits, one), b.sub(bits, one))
    sign = b.and_(b.bitcast(narrow_y, integer), b.like(-1 << (8 * s.part_bytes - 1), bits))
    moved = b.select(b.fcmp("oeq", x, zero), b.or_(sign, one), moved)
    moved = b.select(b.fcmp("oeq", x, y), b.bitcast(narrow_y, integer), moved)
    result = b.bitcast(moved, s.memory)
    result = b.convert(result, s.register) if s.is_narrow else result
    return b.select(b.fcmp("uno", x, y), b.add(x, y), result)


def _compare(predicate: str) -> Callable[..., Ir]:
    return lambda b, s, x, y: b.fcmp(predicate, x, y)


def _plain(method: str) -> Callable[..., Ir]:
    def emit(b: Builder, s: Storage, *operands: Ir) -> Ir:
        result: Ir = getattr(b, method)(*operands)
        return result

    return emit


FLOATS: dict[str, Callable[..., Ir]] = {
    "neg": _plain("neg"),
    "abs": _plain("abs"),
    "sign": _sign,
    "floor": _plain("floor"),
    "ceil": _plain("ceil"),
    "round": _plain("rint"),
    "sqrt": _plain("sqrt"),
    "is_finite": _is_finite,
    "add": _plain("add"),
    "sub": _plain("sub"),
    "mul": _plain("mul"),
    "div": _plain("div"),
    "rem": _rem,
    "max": _extreme("max"),
    "min": _extreme("min"),
    "clamp": _clamp,
    "next_after": _next_after,
    "eq": _compare("oeq"),
    "ne": _compare("une"),
    "lt": _compare("olt"),
    "le": _compare("ole"),
    "gt": _compare("ogt"),
    "ge": _compare("oge"),
}
