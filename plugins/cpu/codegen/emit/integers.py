# SPDX-License-Identifier: Apache-2.0
"""Operations on integers and bools, with the operation set's results where the machine instruction has none."""

from __future__ import annotations

from collections.abc import Callable

from ..builder import FunctionBuilder, Ir
from .storage import Storage

Builder = FunctionBuilder


def width_of(x: Ir) -> int:
    """Bits of an integer."""
    return int(x.element[1:])


def _zero_or_one(b: Builder, condition: Ir, x: Ir) -> Ir:
    """One where the condition is true, else zero, in the type of x."""
    return b.zext(condition, x.element)


def _abs(b: Builder, s: Storage, x: Ir) -> Ir:
    if s.kind == "unsigned":
        return x
    return b.select(b.icmp("slt", x, b.like(0, x)), b.sub(b.like(0, x), x), x)


def _sign(b: Builder, s: Storage, x: Ir) -> Ir:
    positive = _zero_or_one(b, b.icmp("ne", x, b.like(0, x)), x)
    return positive if s.kind == "unsigned" else b.or_(b.ashr(x, b.like(width_of(x) - 1, x)), positive)


def _quotient(b: Builder, s: Storage, x: Ir, y: Ir) -> Ir:
    """The truncated quotient; the caller excludes zero divisors and overflow."""
    signed, bits = s.kind == "signed", width_of(x)
    if x.lanes == 1 or bits == 64:
        return b.sdiv(x, y) if signed else b.udiv(x, y)
    # No machine divides vectors of integers. A quotient of floats with more than twice the digits truncates correctly,
    # because it differs from the next integer by more than its rounding error.
    wide, element = ("i32", "float") if bits <= 16 else ("i32" if signed else "i64", "double")
    dividend, divisor = (b.sitofp(_widened(b, v, wide, signed), element) for v in (x, y))
    quotient = b.fptosi(b.div(dividend, divisor), wide)
    return quotient if wide == x.element else b.trunc_int(quotient, x.element)


def _widened(b: Builder, x: Ir, element: str, signed: bool) -> Ir:
    if x.element == element:
        return x
    return b.sext(x, element) if signed else b.zext(x, element)


def _div(b: Builder, s: Storage, x: Ir, y: Ir) -> Ir:
    zero, one, ones = b.like(0, x), b.like(1, x), b.like(-1, x)
    if y.is_constant:
        return _divided_by_constant(b, s, x, y)
    by_zero = b.icmp("eq", y, zero)
    if s.kind == "unsigned":
        return b.select(by_zero, ones, _quotient(b, s, x, b.select(by_zero, one, y)))
    by_ones = b.icmp("eq", y, ones)  # the least integer divided by -1 wraps
    quotient = _quotient(b, s, x, b.select(b.or_(by_zero, by_ones), one, y))
    return b.select(by_zero, ones, b.select(by_ones, b.sub(zero, x), quotient))


def _divided_by_constant(b: Builder, s: Storage, x: Ir, y: Ir) -> Ir:
    """The quotient by a constant, which LLVM turns into a multiplication (Granlund, Montgomery 1994)."""
    zero, ones = b.like(0, x), b.like(-1, x)
    if y.name == zero.name:
        return ones
    if s.kind == "unsigned":
        return b.udiv(x, y)
    return b.sub(zero, x) if y.name == ones.name else b.sdiv(x, y)


def _rem(b: Builder, s: Storage, x: Ir, y: Ir) -> Ir:
    return b.sub(x, b.mul(_div(b, s, x, y), y))


def _pow(b: Builder, s: Storage, x: Ir, y: Ir) -> Ir:
    zero, one = b.like(0, x), b.like(1, x)
    exponent = y if s.kind == "unsigned" else b.select(b.icmp("slt", y, zero), zero, y)
    with b.while_loop([one, x, exponent]) as loop:
        power, base, rest = loop.carried
        loop.proceed_if(b.any(b.icmp("ne", rest, zero)))
        odd = b.icmp("ne", b.and_(rest, one), zero)
        loop.next([b.select(odd, b.mul(power, base), power), b.mul(base, base), b.lshr(rest, one)])
    power = loop.results[0]
    if s.kind == "unsigned":
        return power
    odd = b.icmp("ne", b.and_(y, one), zero)
    ones = b.like(-1, x)
    is_minus, is_one = b.icmp("eq", x, ones), b.icmp("eq", x, one)
    inverse = b.select(is_one, one, b.select(is_minus, b.select(odd, ones, one), zero))
    return b.select(b.icmp("slt", y, zero), inverse, power)


def _extreme(signed: str, unsigned: str) -> Callable[..., Ir]:
    def emit(b: Builder, s: Storage, x: Ir, y: Ir) -> Ir:
        return b.select(b.icmp(signed if s.kind == "signed" else unsigned, x, y), x, y)

    return emit


def _shift(name: str) -> Callable[..., Ir]:
    def emit(b: Builder, s: Storage, x: Ir, y: Ir) -> Ir:
        bits = width_of(x)
        amount = b.and_(y, b.like(bits - 1, x))
        fits = b.icmp("ult", y, b.like(bits, x))
        if name == "ashr":
            return b.ashr(x, b.select(fits, amount, b.like(bits - 1, x)))
        return b.select(fits, getattr(b, name)(x, amount), b.like(0, x))

    return emit


def _compare(signed: str, unsigned: str) -> Callable[..., Ir]:
    def emit(b: Builder, s: Storage, x: Ir, y: Ir) -> Ir:
        return b.icmp(signed if s.kind == "signed" else unsigned, x, y)

    return emit


def _clamp(b: Builder, s: Storage, low: Ir, x: Ir, high: Ir) -> Ir:
    return INTEGERS["min"](b, s, INTEGERS["max"](b, s, x, low), high)


def _clamp_bool(b: Builder, s: Storage, low: Ir, x: Ir, high: Ir) -> Ir:
    return b.and_(b.or_(x, low), high)


def _not(b: Builder, s: Storage, x: Ir) -> Ir:
    return b.xor(x, b.like(1 if x.element == "i1" else -1, x))


def _plain(method: str) -> Callable[..., Ir]:
    def emit(b: Builder, s: Storage, *operands: Ir) -> Ir:
        result: Ir = getattr(b, method)(*operands)
        return result

    return emit


INTEGERS: dict[str, Callable[..., Ir]] = {
    "neg": lambda b, s, x: b.sub(b.like(0, x), x),
    "abs": _abs,
    "sign": _sign,
    "not": _not,
    "population_count": lambda b, s, x: b.intrinsic("llvm.ctpop", x),
    "count_leading_zeros": lambda b, s, x: b.count_leading_zeros(x),
    "add": _plain("add"),
    "sub": _plain("sub"),
    "mul": _plain("mul"),
    "div": _div,
    "rem": _rem,
    "pow": _pow,
    "max": _extreme("sgt", "ugt"),
    "min": _extreme("slt", "ult"),
    "and": _plain("and_"),
    "or": _plain("or_"),
    "xor": _plain("xor"),
    "shift_left": _shift("shl"),
    "shift_right_logical": _shift("lshr"),
    "shift_right_arithmetic": _shift("ashr"),
    "eq": _compare("eq", "eq"),
    "ne": _compare("ne", "ne"),
    "lt": _compare("slt", "ult"),
    "le": _compare("sle", "ule"),
    "gt": _compare("sgt", "ugt"),
    "ge": _compare("sge", "uge"),
    "clamp": _clamp,
}

BOOLS: dict[str, Callable[..., Ir]] = {
    "not": _not,
    "max": _plain("or_"),
    "min": _plain("and_"),
    "and": _plain("and_"),
    "or": _plain("or_"),
    "xor": _plain("xor"),
    "eq": lambda b, s, x, y: _not(b, s, b.xor(x, y)),
    "ne": _plain("xor"),
    "lt": lambda b, s, x, y: b.and_(_not(b, s, x), y),
    "le": lambda b, s, x, y: b.or_(_not(b, s, x), y),
    "gt": lambda b, s, x, y: b.and_(x, _not(b, s, y)),
    "ge": lambda b, s, x, y: b.or_(x, _not(b, s, y)),
    "clamp": _clamp_bool,
}

_ROTATIONS = ((13, 15, 26, 6), (17, 29, 16, 24))
_PARITY = 0x1BD11BDA


def threefry(b: Builder, k0: Ir, k1: Ir, x0: Ir, x1: Ir) -> tuple[Ir, Ir]:
    """Twenty rounds of Threefry-2x32, as `olympus_core.ops.random` describes it."""
    keys = (k0, k1, b.xor(b.xor(k0, k1), b.like(_PARITY, k0)))
    x0, x1 = b.add(x0, keys[0]), b.add(x1, keys[1])
    for block in range(5):
        for distance in _ROTATIONS[block % 2]:
            x0 = b.add(x0, x1)
            rotated = b.or_(b.shl(x1, b.like(distance, x1)), b.lshr(x1, b.like(32 - distance, x1)))
            x1 = b.xor(x0, rotated)
        x0 = b.add(x0, keys[(block + 1) % 3])
        x1 = b.add(x1, b.add(keys[(block + 2) % 3], b.like(block + 1, x1)))
    return x0, x1
