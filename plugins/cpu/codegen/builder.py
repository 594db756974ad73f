"""Writes functions in LLVM IR: instructions on scalars and vectors of any width, right on every target."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from olympus_core.errors.base import OlympusInternalError

from . import narrow
from .body import Body, Turn, module_text
from .ir import FLOATS, NARROW_FLOATS, Ir, constant, scalar_text, suffix, type_text
from .target import ELEMENT_BITS, Target

__all__ = ["FunctionBuilder", "Ir", "Target", "Turn", "module_text"]


class FunctionBuilder(Body):
    """Writes one function; see `Body` for its arguments, blocks and loops.

    No optimiser needs to run on the text: vectors are explicit and pure instructions are written once. Operands of one
    instruction have equal types. Integers carry no sign: instructions do, by name.
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
        """Lanes picked out of one vector, or of two as if they were joined."""
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
        """The same, behind which LLVM does not look for loads."""
        return x if x.is_constant else self.pure(f"freeze {x.typed}", x.element, x.lanes)

    def reverse(self, vector: Ir) -> Ir:
        """The lanes from the last to the first."""
        return self.shuffle(vector, range(vector.lanes - 1, -1, -1)) if vector.lanes > 1 else vector

    def any(self, mask: Ir) -> Ir:
        """Whether one of the lanes holds."""
        if mask.lanes == 1:
            return mask
        bits = self.pure(f"bitcast {mask.typed} to i{mask.lanes}", f"i{mask.lanes}", 1)
        return self.pure(f"icmp ne i{mask.lanes} {bits.name}, 0", "i1", 1)

    # Arithmetic

    def binary(self, opcode: str, x: Ir, y: Ir) -> Ir:
        """An instruction on two operands of one type, with a result of the same."""
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
        """The quotient, truncated for integers, as the operation set defines it: by zero it is -1, overflow wraps."""
        if x.is_float:
            quotient = self.binary("fdiv", x, y)
            return quotient if x.lanes == 1 else self._fenced(quotient)
        by_zero, divisor = self._divisor(x, y, signed)
        quotient = self.binary("sdiv" if signed else "udiv", x, divisor)
        return self.select(by_zero, self.like(-1, x), quotient)

    def _fenced(self, x: Ir) -> Ir:
        """The same, behind which LLVM does not look.

        LLVM 22 drops a select of zero by a constant mask where its other operand is a quotient whose operands are zero
        in those lanes, and 0 / 0 is what comes of it (x86-64, all levels of code generation).
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
        """Whether y is zero, and y with 1 in place of what the machine would stop at."""
        by_zero = forbidden = self.icmp("eq", y, self.like(0, y))
        if signed:
            least = self.icmp("eq", x, self.like(-1 << (x.bits - 1), x))
            forbidden = self.or_(by_zero, self.and_(least, self.icmp("eq", y, self.like(-1, y))))
        return by_zero, self.select(forbidden, self.like(1, y), y)

    def sdiv(self, x: Ir, y: Ir) -> Ir:
        """The machine's signed quotient; y must not be zero, and the quotient must exist."""
        return self.binary("sdiv", x, y)

    def udiv(self, x: Ir, y: Ir) -> Ir:
        """The machine's unsigned quotient; y must not be zero."""
        return self.binary("udiv", x, y)

    def fma(self, x: Ir, y: Ir, z: Ir) -> Ir:
        """The sum of a product, x * y + z: with one rounding where the target can, else with two."""
        if self.target.has_fma:
            return self.intrinsic("llvm.fma", x, y, z)
        return self.add(self.mul(x, y), z)

    def neg(self, x: Ir) -> Ir:
        """The negative; of floats the sign is turned, of NaN too."""
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
        """The size of x with the sign of another."""
        return self.intrinsic("llvm.copysign", x, sign)

    def rint(self, x: Ir) -> Ir:
        """The nearest whole number, half to even; zeros keep their sign."""
        if self.target.has_rounding:
            return self.intrinsic("llvm.rint", x)
        # Beyond the power of two whose unit is 1 every float is whole; below, adding it leaves whole numbers only.
        unit = self.like(2.0**23 if x.element == "float" else 2.0**52, x)
        magic = self.copysign(unit, x)
        whole = self.copysign(self.sub(self.add(x, magic), magic), x)
        return self.select(self.fcmp("olt", self.abs(x), unit), whole, x)

    def floor(self, x: Ir) -> Ir:
        """The greatest whole number that is not above x."""
        if self.target.has_rounding:
            return self.intrinsic("llvm.floor", x)
        near = self.rint(x)
        lower = self.select(self.fcmp("ogt", near, x), self.like(1.0, x), self.like(0.0, x))
        return self.copysign(self.sub(near, lower), x)

    def ceil(self, x: Ir) -> Ir:
        """The least whole number that is not below x."""
        if self.target.has_rounding:
            return self.intrinsic("llvm.ceil", x)
        return self.neg(self.floor(self.neg(x)))

    def trunc(self, x: Ir) -> Ir:
        """The whole part of a float."""
        if self.target.has_rounding:
            return self.intrinsic("llvm.trunc", x)
        return self.copysign(self.floor(self.abs(x)), x)

    def maximum(self, x: Ir, y: Ir, signed: bool = True) -> Ir:
        """The greater; NaN where either is. Of two zeros it is y."""
        return self._extreme("ogt", "sgt" if signed else "ugt", x, y)

    def minimum(self, x: Ir, y: Ir, signed: bool = True) -> Ir:
        """The less; NaN where either is. Of two zeros it is y."""
        return self._extreme("olt", "slt" if signed else "ult", x, y)

    def _extreme(self, ordered: str, whole: str, x: Ir, y: Ir) -> Ir:
        if not x.is_float:
            return self.select(self.icmp(whole, x, y), x, y)
        # This comparison is the machine's own maximum: it takes y where either is NaN.
        taken = self._select(self.fcmp(ordered, x, y), x, y)
        return self._select(self.fcmp("uno", x, x), x, taken)

    # Bits

    def and_(self, x: Ir, y: Ir) -> Ir:
        """Bits that both have."""
        return self.binary("and", x, y)

    def or_(self, x: Ir, y: Ir) -> Ir:
        """Bits that one has."""
        return self.binary("or", x, y)

    def xor(self, x: Ir, y: Ir) -> Ir:
        """Bits that exactly one has."""
        return self.binary("xor", x, y)

    def not_(self, x: Ir) -> Ir:
        """All bits turned."""
        return self.binary("xor", x, self.like(-1, x))

    def shl(self, x: Ir, by: Ir | int) -> Ir:
        """Bits shifted to the left, by less than the width."""
        return self.binary("shl", x, by if isinstance(by, Ir) else self.like(by, x))

    def lshr(self, x: Ir, by: Ir | int) -> Ir:
        """Bits shifted to the right, zeros behind, by less than the width."""
        return self.binary("lshr", x, by if isinstance(by, Ir) else self.like(by, x))

    def ashr(self, x: Ir, by: Ir | int) -> Ir:
        """Bits shifted to the right, signs behind, by less than the width."""
        return self.binary("ashr", x, by if isinstance(by, Ir) else self.like(by, x))

    def count_leading_zeros(self, x: Ir) -> Ir:
        """Zeros before the first bit; the width of zero."""
        return self.intrinsic("llvm.ctlz", x, Ir("false", "i1"))

    # Comparison and choice

    def icmp(self, predicate: str, x: Ir, y: Ir) -> Ir:
        """Integers compared: ``eq ne slt sle sgt sge ult ule ugt uge``."""
        return self.pure(f"icmp {predicate} {type_text(x.element, x.lanes)} {x.name}, {y.name}", "i1", x.lanes)

    def fcmp(self, predicate: str, x: Ir, y: Ir) -> Ir:
        """Floats compared: ``oeq one olt ole ogt oge uno ord``, and with ``u`` those that hold for NaN too."""
        return self.pure(f"fcmp {predicate} {type_text(x.element, x.lanes)} {x.name}, {y.name}", "i1", x.lanes)

    def select(self, condition: Ir, on_true: Ir, on_false: Ir) -> Ir:
        """One of two values, lane by lane or, by a scalar, all together."""
        if on_true.name == on_false.name:
            return on_true
        if on_true.is_float and on_true.lanes == 1 and self.target.is_x86:
            # LLVM 22 folds a load into this without optimisation, and then 16 bytes are read.
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
        """A wider integer, zeros before."""
        return self.cast("zext", x, element)

    def sext(self, x: Ir, element: str) -> Ir:
        """A wider integer, signs before."""
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

    def convert(self, x: Ir, element: str, signed: bool = True, source_signed: bool = True) -> Ir:
        """The value in another type: floats rounded half to even, integers wrapped, floats to integers saturated.

        NaN becomes zero in integers, "i1" is whether it differs from zero. A double goes to "half" with one rounding,
        to "bfloat" by way of "float".

        Args:
            x: The value.
            element: What it becomes.
            signed: Whether an integer result is signed.
            source_signed: Whether an integer operand is.
        """
        if x.element == element:
            return x
        if x.element in FLOATS:
            if element in FLOATS:
                return self._convert_float(x, element)
            wide = x if x.is_float else self._convert_float(x, "float")
            if element == "i1":
                return self.fcmp("une", wide, self.like(0.0, wide))
            return self._saturated(wide, element, signed)
        if element in FLOATS:
            return self._integer_to_float(x, element, source_signed and x.element != "i1")
        if element == "i1":
            return self.icmp("ne", x, self.like(0, x))
        if ELEMENT_BITS[element] < x.bits:
            return self.trunc_int(x, element)
        return self.sext(x, element) if source_signed and x.element != "i1" else self.zext(x, element)

    def _convert_float(self, x: Ir, element: str) -> Ir:
        if x.element in NARROW_FLOATS:
            wide = narrow.widened(self, x)
            return self._convert_float(wide, element) if element != "float" else wide
        if element in NARROW_FLOATS:
            return narrow.narrowed(self, x, element)
        if x.element == element:
            return x
        return self.cast("fpext" if element == "double" else "fptrunc", x, element)

    def _integer_to_float(self, x: Ir, element: str, signed: bool) -> Ir:
        wide = x
        if x.bits < 32:  # machines convert words, signed ones best
            wide, signed = (self.sext if signed else self.zext)(x, "i32"), True
        machine = "double" if element == "double" else "float"
        value = self.sitofp(wide, machine) if signed else self.uitofp(wide, machine)
        return self._convert_float(value, element)

    def _saturated(self, x: Ir, element: str, signed: bool) -> Ir:
        name = "llvm.fptosi.sat" if signed else "llvm.fptoui.sat"
        name = f"{name}.{suffix(element, x.lanes)}.{suffix(x.element, x.lanes)}"
        return self.call(name, element, x.lanes, x)

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

    def intrinsic(self, name: str, *arguments: Ir) -> Ir:
        """An intrinsic whose result and name go by its first argument's type."""
        first = arguments[0]
        return self.call(f"{name}.{suffix(first.element, first.lanes)}", first.element, first.lanes, *arguments)

    # Memory

    def gep(self, pointer: Ir, index: Ir | int, element: str) -> Ir:
        """The address of an element, counted from a pointer."""
        at = index.typed if isinstance(index, Ir) else f"i64 {index}"
        return self.pure(f"getelementptr {type_text(element, 1)}, ptr {pointer.name}, {at}", "ptr", 1)

    def load(self, pointer: Ir, element: str, lanes: int = 1, alignment: int | None = None) -> Ir:
        """Elements side by side in memory; aligned like one of them unless more is promised, in bytes."""
        at = alignment or _bytes(element)
        return self.effect(f"load {type_text(element, lanes)}, ptr {pointer.name}, align {at}", element, lanes)

    def prefetch(self, pointer: Ir, *, near: bool) -> None:
        """Asks for a cache line, which need not be there: into the first cache, or as far as the second."""
        self.declarations["llvm.prefetch.p0"] = "declare void @llvm.prefetch.p0(ptr, i32, i32, i32)"
        self.emit(f"call void @llvm.prefetch.p0(ptr {pointer.name}, i32 0, i32 {3 if near else 2}, i32 1)")

    def store(self, pointer: Ir, value: Ir, alignment: int | None = None, streaming: bool = False) -> None:
        """Writes elements side by side; `streaming` goes past the caches where the address is aligned for it."""
        at = alignment or _bytes(value.element)
        hint = ""
        if streaming:
            hint = ", !nontemporal !2"
            self.definitions["!streaming"] = "!2 = !{i32 1}"
        self.emit(f"store {value.typed}, ptr {pointer.name}, align {at}{hint}")

    def order_streams(self) -> None:
        """Makes what was stored past the caches visible before whatever is stored later."""
        if self.target.is_x86:  # elsewhere such stores are ordered like all
            self.call("llvm.x86.sse.sfence", None, 1)

    def load_masked(
        self, pointer: Ir, element: str, mask: Ir, otherwise: Ir | None = None, alignment: int | None = None
    ) -> Ir:
        """Elements side by side where the mask holds; memory of the others is not touched, they are zero."""
        lanes = mask.lanes
        rest = otherwise if otherwise is not None else constant(0, element, lanes)
        if lanes == 1:
            before, inside, after = self.block, self.label("when"), self.label("after")
            scope = self._scope
            self.cond_branch(mask, inside, after)
            self.place(inside)
            value = self.load(pointer, element, 1, alignment)
            self._continue(after, scope)
            return self.phi([(rest, before), (value, inside)])
        name = f"llvm.masked.load.{suffix(element, lanes)}.p0"
        kind, masks = type_text(element, lanes), mask.type
        self.declarations[name] = f"declare {kind} @{name}(ptr, i32, {masks}, {kind})"
        at = alignment or _bytes(element)
        text = f"call {kind} @{name}(ptr {pointer.name}, i32 {at}, {mask.typed}, {kind} {rest.name})"
        return self.effect(text, element, lanes)

    def store_masked(self, pointer: Ir, value: Ir, mask: Ir, alignment: int | None = None) -> None:
        """Writes the elements for which the mask holds; memory of the others is not touched."""
        if value.lanes == 1:
            with self.when(mask):
                self.store(pointer, value, alignment)
            return
        name = f"llvm.masked.store.{suffix(value.element, value.lanes)}.p0"
        self.declarations[name] = f"declare void @{name}({value.type}, ptr, i32, {mask.type})"
        at = alignment or _bytes(value.element)
        self.emit(f"call void @{name}({value.typed}, ptr {pointer.name}, i32 {at}, {mask.typed})")

    def gather(self, pointer: Ir, indices: Ir, element: str, mask: Ir | None = None) -> Ir:
        """The elements at indices, lane by lane; zero where the mask does not hold, without touching memory."""
        values = []
        for lane in range(indices.lanes):
            at = self.gep(pointer, self.extract(indices, lane), element)
            if mask is None:
                values.append(self.load(at, element))
            else:
                values.append(self.load_masked(at, element, self.extract(mask, lane)))
        return self.from_lanes(values)

    def scatter(self, pointer: Ir, indices: Ir, value: Ir, mask: Ir | None = None) -> None:
        """Writes lanes at indices from the first to the last, where the mask holds."""
        for lane in range(indices.lanes):
            at = self.gep(pointer, self.extract(indices, lane), value.element)
            with self.when(None if mask is None else self.extract(mask, lane)):
                self.store(at, self.extract(value, lane))


def _bytes(element: str) -> int:
    if element == "i1":
        raise OlympusInternalError("truth values lie in memory as i8")
    return ELEMENT_BITS[element] // 8
