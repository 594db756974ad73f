# SPDX-License-Identifier: Apache-2.0
"""Conversions between 16-bit floats and float32 or float64, by integer arithmetic where there is no instruction."""

from __future__ import annotations

from .instructions import Instructions
from .ir import Ir, type_text


def widened(b: Instructions, x: Ir) -> Ir:
    """A 16-bit float as "float", exactly."""
    if x.element == "half" and b.target.has_half:
        kind = "half" if x.lanes == 1 else f"<{x.lanes} x half>"
        raw = b.pure(f"bitcast {x.typed} to {kind}", "half", x.lanes)
        return b.pure(f"fpext {kind} {raw.name} to {type_text('float', x.lanes)}", "float", x.lanes)
    bits = b.zext(b.bitcast(x, "i16"), "i32")
    if x.element == "bfloat":
        return b.bitcast(b.shl(bits, 16), "float")
    size = b.and_(bits, b.like(0x7FFF, bits))
    shifted = b.shl(size, 13)
    # Read as a float32 this is too small by the difference of the exponent biases; the product is exact, also for
    # subnormals.
    value = b.bitcast(b.mul(b.bitcast(shifted, "float"), b.constant(2.0**112, "float", x.lanes)), "i32")
    special = b.or_(shifted, b.like(0x7F800000, bits))
    value = b.select(b.icmp("sge", size, b.like(0x7C00, bits)), special, value)
    return b.bitcast(b.or_(value, b.shl(b.and_(bits, b.like(0x8000, bits)), 16)), "float")


def narrowed(b: Instructions, x: Ir, element: str) -> Ir:
    """A "float" or "double" rounded half to even to a 16-bit float."""
    if x.element == "double":
        x = _rounded_to_odd(b, x)
    if element == "half" and b.target.has_half:
        kind = "half" if x.lanes == 1 else f"<{x.lanes} x half>"
        short = b.pure(f"fptrunc {x.typed} to {kind}", "half", x.lanes)
        return b.pure(f"bitcast {kind} {short.name} to {type_text('i16', x.lanes)}", "half", x.lanes)
    bits = b.bitcast(x, "i32")
    if element == "bfloat":
        # Integer arithmetic even where there is an instruction: those of x86 flush subnormals to zero.
        odd = b.and_(b.lshr(bits, 16), b.like(1, bits))
        rounded = b.lshr(b.add(bits, b.add(odd, b.like(0x7FFF, bits))), 16)
        quiet = b.or_(b.lshr(bits, 16), b.like(0x40, bits))
        result = b.select(b.fcmp("uno", x, x), quiet, rounded)
    else:
        result = _half_bits(b, bits)
    return b.bitcast(b.trunc_int(result, "i16"), element)


def _half_bits(b: Instructions, bits: Ir) -> Ir:
    """The bits of a float16, in 32-bit integers, from the bits of a float32."""
    size = b.and_(bits, b.like(0x7FFFFFFF, bits))
    sign = b.and_(b.lshr(bits, 16), b.like(0x8000, bits))
    odd = b.and_(b.lshr(size, 13), b.like(1, bits))
    normal = b.lshr(b.add(size, b.add(odd, b.like(0xFFF - 0x38000000, bits))), 13)
    # 0.5 has the last digit of float16's subnormals: adding it rounds to that digit.
    half = b.constant(0.5, "float", bits.lanes)
    small = b.sub(b.bitcast(b.add(b.bitcast(size, "float"), half), "i32"), b.like(0x3F000000, bits))
    special = b.select(b.icmp("sgt", size, b.like(0x7F800000, bits)), b.like(0x7E00, bits), b.like(0x7C00, bits))
    result = b.select(b.icmp("slt", size, b.like(0x38800000, bits)), small, normal)
    result = b.select(b.icmp("sge", size, b.like(0x47800000, bits)), special, result)
    return b.or_(result, sign)


def _rounded_to_odd(b: Instructions, x: Ir) -> Ir:
    """A double rounded to odd as a float: rounding that again rounds correctly (Boldo, Melquiond 2008)."""
    near = b.cast("fptrunc", x, "float")
    back = b.cast("fpext", near, "double")
    bits = b.bitcast(near, "i32")
    beyond = b.zext(b.fcmp("ogt", b.abs(back), b.abs(x)), "i32")
    inexact = b.zext(b.fcmp("one", back, x), "i32")
    return b.bitcast(b.or_(b.sub(bits, beyond), inexact), "float")
