# SPDX-License-Identifier: Apache-2.0
"""Instructions of LLVM IR on scalars and vectors: arithmetic, bits, comparisons, casts and calls."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from olympus_core.errors.base import OlympusInternalError

from .body import Body
from .emulated_fma import DECLARATION, emulated
from .ir import Ir, constant, scalar_text, suffix, type_text
from .target import ELEMENT_BITS


class Instructions(Body):
    """Adds instructions to the function that `Body` holds; `FunctionBuilder` adds conversions and memory.

    Operands of one instruction have equal types. Integers carry no sign: instructions do, by name.
    """

    # Constants and lanes

    def constant(self, value: float | int | bool, element: str, lanes: int = 1) -> Ir:
        """A constant, equal in all lanes."""
        return constant(value, element, lanes)

    def constant_lanes(self, values: Iterable[float], element: str) -> Ir:
        """A constant vector."""
        texts = [f"{type_text(element, 1)} {scalar_text(value, element)}" for value in values]
        return Ir(f"<{', '.join(texts)}>", element, len(texts)) if len(texts) > 1 else Ir(texts[0], element)

    def like(self, value: float | int | bool, other: Ir) -> Ir:
        """A constant of the type of another value."""
        return constant(value, other.element, other.lanes)

    def splat(self, value: Ir, lanes: int) -> Ir:
        """A scalar in all lanes."""
        if lanes == value.lanes:
            return value
        if value.is_constant:
            return Ir(f"splat ({value.typed})", value.element, lanes)
        kind = type_text(value.element, lanes)
        first = self.pure(f"insertelement {kind} poison, {value.typed}, i64 0", value.element, lanes)
        return self.pure(
            f"shufflevector {first.typed}, {kind} poison, <{lanes} x i32> zeroinitializer", value.element, lanes
        )

    def extract(self, vector: Ir, lane: int | Ir) -> Ir:
        """One lane as a scalar."""
        if vector.lanes == 1:
            return vector
        at = lane.typed if isinstance(lane, Ir) else f"i64 {lane}"
        return self.pure(f"extractelement {vector.typed}, {at}", vector.element, 1)

    def insert(self, vector: Ir, value: Ir, lane: int | Ir) -> Ir:
        """The vector with one lane replaced."""
        if vector.lanes == 1:
            return value
        at = lane.typed if isinstance(lane, Ir) else f"i64 {lane}"
        return self.pure(f"insertelement {vector.typed}, {value.typed}, {at}", vector.element, vector.lanes)

    def from_lanes(self, values: Sequence[Ir]) -> Ir:
        """A vector of scalars."""
        if len(values) == 1:
            return values[0]
        result = Ir("poison", values[0].element, len(values))
        for lane, value in enumerate(values):
            result = self.insert(result, value, lane)
        return result

    def shuffle(self, first: Ir, lanes: Sequence[int], second: Ir | None = None) -> Ir:
        """A permutation of the lanes of one vector, or of the concatenation of two."""
        if len(lanes) == 1:
            at = lanes[0]
            return self.extract(first, at) if at < first.lanes or second is None else self.extract(
                second, at - first.lanes)
        if first.lanes == 1:
            raise OlympusInternalError("shuffle takes vectors")
        other = second.name if second is not None else "poison"
        mask = f"<{len(lanes)} x i32> <{', '.join(f'i32 {lane}' for lane in lanes)}>"
        return self.pure(f"shufflevector {first.typed}, {first.type} {other}, {mask}", first.element, len(lanes))

    def freeze(self, x: Ir) -> Ir:
        """The same value behind LLVM's `freeze`, which keeps LLVM from folding loads into its uses."""
        return x if x.is_constant else self.pure(f"freeze {x.typed}", x.element, x.lanes)

    def reverse(self, vector: Ir) -> Ir:
        """The lanes in reverse order."""
        return self.shuffle(vector, range(vector.lanes - 1, -1, -1)) if vector.lanes > 1 else vector

    def any(self, mask: Ir) -> Ir:
        """Whether any lane of a mask is true."""
        if mask.lanes == 1:
            return mask
        bits = self.pure(f"bitcast {mask.typed} to i{mask.lanes}", f"i{mask.lanes}", 1)
        return self.pure(f"icmp ne i{mask.lanes} {bits.name}, 0", "i1", 1)

    # Arithmetic

    def binary(self, opcode: str, x: Ir, y: Ir) -> Ir:
        """A binary instruction: operands and result have one type."""
        return self.pure(f"{opcode} {type_text(x.element, x.lanes)} {x.name}, {y.name}", x.element, x.lanes)

    def add(self, x: Ir, y: Ir) -> Ir:
        """The sum; integers wrap."""
        return self.binary("fadd" if x.is_float else "add", x, y)

    def sub(self, x: Ir, y: Ir) -> Ir:
        """The difference; integers wrap."""
        return self.binary("fsub" if x.is_float else "sub", x, y)

    def mul(self, x: Ir, y: Ir) -> Ir:
        """The product; integers wrap."""
        return self.binary("fmul" if x.is_float else "mul", x, y)

    def div(self, x: Ir, y: Ir, signed: bool = True) -> Ir:
        """The quotient as the operation set defines it: integers truncate, by zero it is -1, overflow wraps."""
        if x.is_float:
            quotient = self.binary("fdiv", x, y)
            return quotient if x.lanes == 1 else self._fenced(quotient)
        by_zero, divisor = self._divisor(x, y, signed)
        quotient = self.binary("sdiv" if signed else "udiv", x, divisor)
        return self.select(by_zero, self.like(-1, x), quotient)

    def _fenced(self, x: Ir) -> Ir:
        """The same value behind `llvm.arithmetic.fence`: works around a miscompilation of LLVM 22.

        It drops a select of zero by a constant mask whose other operand is a quotient with zero operands in the masked
        lanes, so that the result is 0 / 0 (x86-64, all levels of code generation).
        """
        name, kind = f"llvm.arithmetic.fence.{suffix(x.element, x.lanes)}", type_text(x.element, x.lanes)
        self.declarations[name] = f"declare {kind} @{name}({kind})"
        return self.pure(f"call {kind} @{name}({x.typed})", x.element, x.lanes)

    def rem(self, x: Ir, y: Ir, signed: bool = True) -> Ir:
        """The remainder of integers with the sign of x; by zero it is x."""
        if x.is_float:
            raise OlympusInternalError("rem of floats would call a library")
        by_zero, divisor = self._divisor(x, y, signed)
        return self.select(by_zero, x, self.binary("srem" if signed else "urem", x, divisor))

    def _divisor(self, x: Ir, y: Ir, signed: bool) -> tuple[Ir, Ir]:
        """Whether y is zero, and y with 1 in place of divisors for which the machine instruction traps."""
        by_zero = forbidden = self.icmp("eq", y, self.like(0, y))
        if signed:
            least = self.icmp("eq", x, self.like(-1 << (x.bits - 1), x))
            forbidden = self.or_(by_zero, self.and_(least, self.icmp("eq", y, self.like(-1, y))))
        return by_zero, self.select(forbidden, self.like(1, y), y)

    def sdiv(self, x: Ir, y: Ir) -> Ir:
        """The machine's signed quotient; y must not be zero, and the quotient must not overflow."""
        return self.binary("sdiv", x, y)

    def udiv(self, x: Ir, y: Ir) -> Ir:
        """The machine's unsigned quotient; y must not be zero."""
        return self.binary("udiv", x, y)

    def fma(self, x: Ir, y: Ir, z: Ir) -> Ir:
        """X * y + z: rounded once where the target has FMA or emulates it, else twice."""
        if self.target.emulates_fma:
            name, text = emulated(x.element, x.lanes)
            self.definitions[name] = text
            if x.element == "double":
                self.declarations["fma"] = DECLARATION
            return self.pure(f"call {x.type} @{name}({x.typed}, {y.typed}, {z.typed})", x.element, x.lanes)
        if self.target.has_fma:
            return self.intrinsic("llvm.fma", x, y, z)
        return self.add(self.mul(x, y), z)

    def neg(self, x: Ir) -> Ir:
        """The negation; of floats the sign bit is flipped, of NaN too."""
        if x.is_float:
            return self.pure(f"fneg {x.typed}", x.element, x.lanes)
        return self.sub(self.like(0, x), x)

    def abs(self, x: Ir) -> Ir:
        """The absolute value; the least integer stays as it is."""
        if x.is_float:
            return self.intrinsic("llvm.fabs", x)
        return self.select(self.icmp("slt", x, self.like(0, x)), self.neg(x), x)

    def sqrt(self, x: Ir) -> Ir:
        """The square root, rounded once."""
        return self.intrinsic("llvm.sqrt", x)

    def copysign(self, x: Ir, sign: Ir) -> Ir:
        """The magnitude of x with the sign of another value."""
        return self.intrinsic("llvm.copysign", x, sign)

    def rint(self, x: Ir) -> Ir:
        """The nearest integer, ties to even; zeros keep their sign."""
        if self.target.has_rounding:
            return self.intrinsic("llvm.rint", x)
        # Floats at or above 2^mantissa are integers. Adding 2^mantissa to smaller ones rounds them to an integer.
        unit = self.like(2.0**23 if x.element == "float" else 2.0**52, x)
        magic = self.copysign(unit, x)
        rounded = self.copysign(self.sub(self.add(x, magic), magic), x)
        return self.select(self.fcmp("olt", self.abs(x), unit), rounded, x)

    def floor(self, x: Ir) -> Ir:
        """The greatest integer that is not above x."""
        if self.target.has_rounding:
            return self.intrinsic("llvm.floor", x)
        near = self.rint(x)
        lower = self.select(self.fcmp("ogt", near, x), self.like(1.0, x), self.like(0.0, x))
        return self.copysign(self.sub(near, lower), x)

    def ceil(self, x: Ir) -> Ir:
        """The least integer that is not below x."""
        if self.target.has_rounding:
            return self.intrinsic("llvm.ceil", x)
        return self.neg(self.floor(self.neg(x)))

    def trunc(self, x: Ir) -> Ir:
        """The float rounded towards zero."""
        if self.target.has_rounding:
            return self.intrinsic("llvm.trunc", x)
        return self.copysign(self.floor(self.abs(x)), x)

    def maximum(self, x: Ir, y: Ir, signed: bool = True) -> Ir:
        """The greater; NaN where either is NaN; y of two zeros."""
        return self._extreme("ogt", "sgt" if signed else "ugt", x, y)

    def minimum(self, x: Ir, y: Ir, signed: bool = True) -> Ir:
        """The lesser; NaN where either is NaN; y of two zeros."""
        return self._extreme("olt", "slt" if signed else "ult", x, y)

    def _extreme(self, of_floats: str, of_integers: str, x: Ir, y: Ir) -> Ir:
        if not x.is_float:
            return self.select(self.icmp(of_integers, x, y), x, y)
        # LLVM selects maxps or minps for this pattern: it gives y where either is NaN.
        taken = self._select(self.fcmp(of_floats, x, y), x, y)
        return self._select(self.fcmp("uno", x, x), x, taken)

    # Bits

    def and_(self, x: Ir, y: Ir) -> Ir:
        """Bitwise and."""
        return self.binary("and", x, y)

    def or_(self, x: Ir, y: Ir) -> Ir:
        """Bitwise or."""
        return self.binary("or", x, y)

    def xor(self, x: Ir, y: Ir) -> Ir:
        """Bitwise exclusive or."""
        return self.binary("xor", x, y)

    def not_(self, x: Ir) -> Ir:
        """All bits inverted."""
        return self.binary("xor", x, self.like(-1, x))

    def shl(self, x: Ir, by: Ir | int) -> Ir:
        """Shift to the left, by less than the width."""
        return self.binary("shl", x, by if isinstance(by, Ir) else self.like(by, x))

    def lshr(self, x: Ir, by: Ir | int) -> Ir:
        """Logical shift to the right (fills with zeros), by less than the width."""
        return self.binary("lshr", x, by if isinstance(by, Ir) else self.like(by, x))

    def ashr(self, x: Ir, by: Ir | int) -> Ir:
        """Arithmetic shift to the right (fills with the sign), by less than the width."""
        return self.binary("ashr", x, by if isinstance(by, Ir) else self.like(by, x))

    def count_leading_zeros(self, x: Ir) -> Ir:
        """The number of leading zero bits; the width for zero."""
        return self.intrinsic("llvm.ctlz", x, Ir("false", "i1"))

    # Comparison and selection

    def icmp(self, predicate: str, x: Ir, y: Ir) -> Ir:
        """Comparison of integers: ``eq ne slt sle sgt sge ult ule ugt uge``."""
        return self.pure(f"icmp {predicate} {type_text(x.element, x.lanes)} {x.name}, {y.name}", "i1", x.lanes)

    def fcmp(self, predicate: str, x: Ir, y: Ir) -> Ir:
        """Comparison of floats: ``oeq one olt ole ogt oge uno ord``; ``u...``: true for NaN, too."""
        return self.pure(f"fcmp {predicate} {type_text(x.element, x.lanes)} {x.name}, {y.name}", "i1", x.lanes)

    def select(self, condition: Ir, on_true: Ir, on_false: Ir) -> Ir:
        """One of two values, lane by lane; a scalar condition selects the whole vector."""
        if on_true.name == on_false.name:
            return on_true
        if on_true.is_float and on_true.lanes == 1 and self.target.is_x86:
            # Without optimisation LLVM 22 folds a scalar load into this and reads 16 bytes.
            on_true, on_false = self.freeze(on_true), self.freeze(on_false)
        return self._select(condition, on_true, on_false)

    def _select(self, condition: Ir, on_true: Ir, on_false: Ir) -> Ir:
        return self.pure(
            f"select {condition.typed}, {on_true.typed}, {on_false.typed}", on_true.element, on_true.lanes
        )

    # Types

    def bitcast(self, x: Ir, element: str) -> Ir:
        """The bits as another element of the same width."""
        if ELEMENT_BITS[element] != x.bits:
            raise OlympusInternalError(f"bitcast from {x.element} to {element}")
        if type_text(element, 1) == type_text(x.element, 1):
            return x if element == x.element else Ir(x.name, element, x.lanes)
        return self.pure(f"bitcast {x.typed} to {type_text(element, x.lanes)}", element, x.lanes)

    def cast(self, opcode: str, x: Ir, element: str) -> Ir:
        """A conversion instruction."""
        if x.element == element:
            return x
        return self.pure(f"{opcode} {x.typed} to {type_text(element, x.lanes)}", element, x.lanes)

    def zext(self, x: Ir, element: str) -> Ir:
        """A wider integer, zero-extended."""
        return self.cast("zext", x, element)

    def sext(self, x: Ir, element: str) -> Ir:
        """A wider integer, sign-extended."""
        return self.cast("sext", x, element)

    def trunc_int(self, x: Ir, element: str) -> Ir:
        """The lower bits as a narrower integer."""
        return self.cast("trunc", x, element)

    def sitofp(self, x: Ir, element: str) -> Ir:
        """A signed integer as "float" or "double"."""
        return self.cast("sitofp", x, element)

    def uitofp(self, x: Ir, element: str) -> Ir:
        """An unsigned integer as "float" or "double"."""
        return self.cast("uitofp", x, element)

    def fptosi(self, x: Ir, element: str) -> Ir:
        """A float truncated to a signed integer; it must fit."""
        return self.cast("fptosi", x, element)

    def fptoui(self, x: Ir, element: str) -> Ir:
        """A float truncated to an unsigned integer; it must fit."""
        return self.cast("fptoui", x, element)

    # Calls

    def call(self, name: str, element: str | None, lanes: int, *arguments: Ir) -> Ir:
        """The result of a function without effects; it is declared unless the module defines it."""
        result = type_text(element, lanes) if element else "void"
        if name not in self.declarations:
            types = ", ".join(argument.type for argument in arguments)
            self.declarations[name] = f"declare {result} @{name}({types})"
        text = f"call {result} @{name}({', '.join(argument.typed for argument in arguments)})"
        if element is None:
            self.emit(text)
            return Ir("poison", "i1")
        return self.pure(text, element, lanes)

    def times_power_of_two(self, x: Ir, n: Ir) -> Ir | None:
        """X times 2^n, for floats n that are integers, rounded once; None where there is no instruction for it."""
        lanes, wide = 512 // ELEMENT_BITS[x.element], self.target.has_avx512 and self.target.vector_bits == 512
        if not wide or x.lanes % lanes or x.lanes & (x.lanes - 1):
            return None
        name = f"llvm.x86.avx512.mask.scalef.{'ps' if x.element == 'float' else 'pd'}.512"
        kind, mask = type_text(x.element, lanes), f"i{lanes}"
        self.declarations[name] = f"declare {kind} @{name}({kind}, {kind}, {kind}, {mask}, i32)"
        parts = []
        for first in range(0, x.lanes, lanes):
            a, k = (self.shuffle(v, range(first, first + lanes)) if x.lanes > lanes else v for v in (x, n))
            arguments = f"{a.typed}, {k.typed}, {kind} zeroinitializer, {mask} -1, i32 4"
            parts.append(self.pure(f"call {kind} @{name}({arguments})", x.element, lanes))
        while len(parts) > 1:
            parts = [self.shuffle(a, range(2 * a.lanes), c) for a, c in zip(parts[::2], parts[1::2], strict=True)]
        return parts[0]

    def intrinsic(self, name: str, *arguments: Ir) -> Ir:
        """An overloaded intrinsic: its name's suffix and its result type are those of the first argument."""
        first = arguments[0]
        return self.call(f"{name}.{suffix(first.element, first.lanes)}", first.element, first.lanes, *arguments)
