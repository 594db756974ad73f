# SPDX-License-Identifier: Apache-2.0
"""Reduction of huge arguments by pi, lane by lane: x / pi from those digits of 1 / pi that affect the result.

Payne, Hanek: "Radian reduction for trigonometric functions", 1983.
"""

from __future__ import annotations

from functools import lru_cache

from ..builder import FunctionBuilder, Ir
from ..ir import scalar_text
from ..target import Target
from .constants import PI, inverse_pi_words, split_constant
from .math_builder import MathBuilder

# From this argument on Cody-Waite reduction loses digits.
FAR = 2.0**25

# Words of 1 / pi, after a word of zeros so that the window may begin before the point.
_WORDS = 21

# By kind of function: by how many doublings and halves x / pi is scaled and shifted to give the number of periods.
_KINDS = {"sin": (0, 0), "cos": (0, 1), "quarter": (1, 0)}

# The helpers are cold, so they are compiled without optimisation, which saves two thirds of a sine's compile time.
_COLD = "noinline optnone"

_NEEDS = {
    name: f"declare i64 @{name}(i64, i64{more})"
    for name, more in (("llvm.fshl.i64", ", i64"), ("llvm.smax.i64", ""), ("llvm.smin.i64", ""))
}


def reduce_lanes(m: MathBuilder, x: Ir, far: Ir, near: tuple[Ir, Ir, Ir], kind: str) -> tuple[Ir, Ir, Ir]:
    """The reduced argument in two floats and the parity of its periods: `near`, with the lanes under `far` replaced."""
    b = m.b
    name = f"olympus.reduce.{kind}.{m.lanes}"
    if name not in b.definitions:
        b.definitions.update({"olympus.reduce": _scalar_text(), name: _lanes_text(b.target, name, m.lanes, kind)})
        b.declarations.update(_NEEDS)
    buffers = [b.scratch(value.element, m.lanes, number) for number, value in enumerate(near)]
    # The argument is passed in registers: through memory it would be stored before the branch.
    b.emit(f"call void @{name}({', '.join(value.typed for value in (x, *buffers))})")
    found = [b.load(buffer, value.element, m.lanes) for buffer, value in zip(buffers, near, strict=True)]
    first, second, third = (b.select(far, f, n) for f, n in zip(found, near, strict=True))
    return first, second, third


@lru_cache(None)
def _lanes_text(target: Target, name: str, lanes: int, kind: str) -> str:
    """A function that calls the scalar one for each lane and stores its results in three arrays."""
    values = Ir("%x", "double", lanes)
    b = FunctionBuilder(
        target, name, [values, *((p, "ptr") for p in ("high", "low", "periods"))], attributes=_COLD, internal=True
    )
    _, *results = b.parameters
    pair, number = b.alloca("double", 2), b.alloca("i64", 1)
    arguments = [*(b.constant(part, "i64") for part in _KINDS[kind]), pair, number]
    with b.for_loop(b.constant(0, "i64"), b.constant(lanes, "i64")) as iteration:
        value = b.extract(values, iteration.index)
        b.emit(f"call void @olympus.reduce({', '.join(v.typed for v in (value, *arguments))})")
        found = b.load(pair, "double"), b.load(b.gep(pair, 1, "double"), "double"), b.load(number, "i64")
        for buffer, part in zip(results, found, strict=True):
            b.store(b.gep(buffer, iteration.index, part.element), part)
        iteration.next([])
    b.ret()
    return b.function_text()


@lru_cache(None)
def _scalar_text() -> str:
    """The scalar function: a double modulo pi / 2**doublings, shifted by halves, and the parity of the periods.

    With x = M 2^e: 192 digits of 2^e / pi, times M, give x / pi modulo 2 with 127 digits after the point.
    """
    words = ", ".join(f"i64 {word - (word >> 63 << 64)}" for word in (0, *inverse_pi_words(_WORDS)))
    pi = [_text(part) for part in split_constant(PI, "double", 3, 26)]
    high, low = (_text(part) for part in split_constant(PI, "double", 2))
    return f"""
@olympus.inverse_pi = internal constant [{_WORDS + 1} x i64] [{words}]
define internal void @olympus.reduce(double %x, i64 %doublings, i64 %halves, ptr %out, ptr %number)
    {_COLD} #0 {{
entry:
  %bits = bitcast double %x to i64
  %shifted = lshr i64 %bits, 52
  %field = and i64 %shifted, 2047
  %fraction = and i64 %bits, 4503599627370495
  %m = or i64 %fraction, 4503599627370496
  ; the first digit of the window has the weight 2^-e, and 64 zeros come before the point
  %e.plain = sub i64 %field, 1075
  %e = add i64 %e.plain, %doublings
  %first.low = add i64 %e, 63
  %first.bounded = call i64 @llvm.smax.i64(i64 %first.low, i64 0)
  %first = call i64 @llvm.smin.i64(i64 %first.bounded, i64 {64 * (_WORDS + 1) - 257})
  %word = lshr i64 %first, 6
  %offset = and i64 %first, 63
  %p0 = getelementptr i64, ptr @olympus.inverse_pi, i64 %word
  %p1 = getelementptr i64, ptr %p0, i64 1
  %p2 = getelementptr i64, ptr %p0, i64 2
  %p3 = getelementptr i64, ptr %p0, i64 3
  %t0 = load i64, ptr %p0
  %t1 = load i64, ptr %p1
  %t2 = load i64, ptr %p2
  %t3 = load i64, ptr %p3
  %w0 = call i64 @llvm.fshl.i64(i64 %t0, i64 %t1, i64 %offset)
  %w1 = call i64 @llvm.fshl.i64(i64 %t1, i64 %t2, i64 %offset)
  %w2 = call i64 @llvm.fshl.i64(i64 %t2, i64 %t3, i64 %offset)
  %mw = zext i64 %m to i128
  %w0w = zext i64 %w0 to i128
  %w1w = zext i64 %w1 to i128
  %w2w = zext i64 %w2 to i128
  %q0 = mul i128 %mw, %w0w
  %q1 = mul i128 %mw, %w1w
  %q2 = mul i128 %mw, %w2w
  %q0s = shl i128 %q0, 64
  %q2s = lshr i128 %q2, 64
  %q01 = add i128 %q0s, %q1
  %q = add i128 %q01, %q2s
  %halves128 = zext i64 %halves to i128
  %moved = shl i128 %halves128, 126
  %periods = sub i128 %q, %moved
  ; one digit before the point: the parity of the nearest integer; and the signed rest
  %half = shl i128 1, 126
  %near = add i128 %periods, %half
  %digit = lshr i128 %near, 127
  %periods.now = trunc i128 %digit to i64
  %whole = shl i128 %digit, 127
  %rest.wide = sub i128 %periods, %whole
  ; the rest lies between -1/2 and 1/2 in units of 2^127, and so fits; three parts of at most 43 digits are exact
  %r0 = ashr i128 %rest.wide, 86
  %r0t = trunc i128 %r0 to i64
  %r1 = lshr i128 %rest.wide, 43
  %r1t = trunc i128 %r1 to i64
  %r1m = and i64 %r1t, 8796093022207
  %r2t = trunc i128 %rest.wide to i64
  %r2m = and i64 %r2t, 8796093022207
  %f0 = sitofp i64 %r0t to double
  %f1 = sitofp i64 %r1m to double
  %f2 = sitofp i64 %r2m to double
  %g0 = fmul double %f0, {_text(2.0**-41)}
  %g1 = fmul double %f1, {_text(2.0**-84)}
  %g2 = fmul double %f2, {_text(2.0**-127)}
  %s0 = fadd double %g0, %g1
  %s0d = fsub double %s0, %g0
  %s0e = fsub double %g1, %s0d
  %s1 = fadd double %s0e, %g2
  %hi = fadd double %s0, %s1
  %hid = fsub double %hi, %s0
  %lo = fsub double %s1, %hid
  ; times pi: digits of the greater parts are halved so that products are exact without fused multiplication
  %hi.bits = bitcast double %hi to i64
  %hi.cut = and i64 %hi.bits, -134217728
  %hi.a = bitcast i64 %hi.cut to double
  %hi.b = fsub double %hi, %hi.a
  %a0 = fmul double %hi.a, {pi[0]}
  %a1 = fmul double %hi.a, {pi[1]}
  %a2 = fmul double %hi.a, {pi[2]}
  %b0 = fmul double %hi.b, {high}
  %c0 = fmul double %lo, {high}
  %tail0 = fadd double %a2, %c0
  %b1 = fmul double %hi.b, {low}
  %tail1 = fadd double %tail0, %b1
  %u0 = fadd double %a0, %a1
  %u0d = fsub double %u0, %a0
  %u0e = fsub double %a1, %u0d
  %v0 = fadd double %u0, %b0
  %v0d = fsub double %v0, %u0
  %v0e = fsub double %b0, %v0d
  %tail2 = fadd double %u0e, %v0e
  %tail3 = fadd double %tail1, %tail2
  %y = fadd double %v0, %tail3
  %yd = fsub double %y, %v0
  %ye = fsub double %tail3, %yd
  ; with doublings the unit is half of pi
  %unit.field = sub i64 1023, %doublings
  %unit.bits = shl i64 %unit.field, 52
  %unit = bitcast i64 %unit.bits to double
  %y.scaled = fmul double %y, %unit
  %ye.scaled = fmul double %ye, %unit
  ; infinite and NaN
  %special = icmp eq i64 %field, 2047
  %y.number = select i1 %special, double 0x7FF8000000000000, double %y.scaled
  ; a negative argument's rest is the negative, but cos does not ask for the sign
  %below = icmp slt i64 %bits, 0
  %plain = icmp eq i64 %halves, 0
  %turned = and i1 %below, %plain
  %y.negative = fneg double %y.number
  %ye.negative = fneg double %ye.scaled
  %y.final = select i1 %turned, double %y.negative, double %y.number
  %ye.final = select i1 %turned, double %ye.negative, double %ye.scaled
  store double %y.final, ptr %out
  %out1 = getelementptr double, ptr %out, i64 1
  store double %ye.final, ptr %out1
  store i64 %periods.now, ptr %number
  ret void
}}
"""


def _text(value: float) -> str:
    return scalar_text(value, "double")
