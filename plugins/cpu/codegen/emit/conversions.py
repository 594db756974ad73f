# SPDX-License-Identifier: Apache-2.0
"""Elements in another type: `convert` and `bitcast_convert`, as the operation set's references define them."""

from __future__ import annotations

import math

from ..builder import FunctionBuilder, Ir
from .integers import width_of
from .storage import Storage

Builder = FunctionBuilder
Parts = tuple[Ir, ...]


def rounded(b: Builder, s: Storage, x: Ir) -> Ir:
    """A register's float rounded to the element type in memory."""
    return b.convert(b.convert(x, s.memory), s.register) if s.is_narrow else x


def to_memory(b: Builder, s: Storage, x: Ir) -> Ir:
    """One part in its memory representation."""
    if s.kind == "bool":
        return b.zext(x, "i8")
    return b.convert(x, s.memory) if s.is_narrow else x


def from_memory(b: Builder, s: Storage, x: Ir) -> Ir:
    """One part in its register representation."""
    if s.kind == "bool":
        return b.icmp("ne", x, b.like(0, x))
    return b.convert(x, s.register) if s.is_narrow else x


def convert(b: Builder, x: Parts, source: Storage, target: Storage) -> Parts:
    """The element in another type."""
    if source.dtype == target.dtype:
        return x
    if target.kind == "bool":
        bools = [_is_nonzero(b, source, part) for part in x]
        return (bools[0] if len(bools) == 1 else b.or_(*bools),)
    if source.kind == "complex" and target.kind == "complex":
        return (b.convert(x[0], target.register), b.convert(x[1], target.register))
    if target.kind == "complex":
        real = _to_float(b, x[0], source, target)
        return (real, b.like(0.0, real))
    if target.kind == "float":
        return (_to_float(b, x[0], source, target),)
    return (_to_integer(b, x[0], source, target),)


def _is_nonzero(b: Builder, s: Storage, x: Ir) -> Ir:
    if s.kind in ("float", "complex"):
        return b.fcmp("une", x, b.like(0.0, x))
    return b.icmp("ne", x, b.like(0, x))


def _to_float(b: Builder, x: Ir, source: Storage, target: Storage) -> Ir:
    if source.kind == "bool":
        one, zero = (b.constant(v, target.register, x.lanes) for v in (1.0, 0.0))
        return b.select(x, one, zero)
    if source.kind in ("signed", "unsigned"):
        short = b.convert(x, target.memory, source_signed=source.kind == "signed")
    else:
        short = b.convert(x, target.memory)
    return b.convert(short, target.register)  # straight to this type, narrow floats would be rounded twice


def _to_integer(b: Builder, x: Ir, source: Storage, target: Storage) -> Ir:
    element, bits = target.register, target.bits
    if source.kind == "bool":
        return b.zext(x, element)
    if source.kind in ("signed", "unsigned"):
        if bits == width_of(x):
            return x
        if bits < width_of(x):
            return b.trunc_int(x, element)
        return b.sext(x, element) if source.kind == "signed" else b.zext(x, element)
    return _saturated(b, x, target)


def _saturated(b: Builder, x: Ir, target: Storage) -> Ir:
    """A float truncated to an integer, saturated at the type's bounds; zero for NaN."""
    signed, bits = target.kind == "signed", target.bits
    least, greatest = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)
    above = b.fcmp("oge", x, b.like(math.ldexp(1.0, bits - 1 if signed else bits), x))
    below = b.fcmp("olt", x, b.like(float(least), x))
    zero = b.like(0.0, x)
    inside = b.select(b.or_(b.or_(above, below), b.fcmp("uno", x, x)), zero, x)
    if bits < 32:
        whole = b.trunc_int(b.fptosi(inside, "i32"), target.register)
    else:
        whole = b.fptosi(inside, target.register) if signed else b.fptoui(inside, target.register)
    whole = b.select(below, b.like(least, whole), whole)
    return b.select(above, b.like(greatest, whole), whole)


def bitcast(b: Builder, x: Parts, source: Storage, target: Storage) -> Parts:
    """The element's bits as another type of the same width."""
    raw = to_memory(b, source, x[0])
    return (from_memory(b, target, raw if source.memory == target.memory else b.bitcast(raw, target.memory)),)
