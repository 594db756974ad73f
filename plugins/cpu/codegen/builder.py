# SPDX-License-Identifier: Apache-2.0
"""`FunctionBuilder`: writes a function in LLVM IR with explicit vectors, correct on every target."""

from __future__ import annotations

from olympus_core.errors.base import OlympusInternalError

from .body import Iteration, module_text
from .instructions import Instructions
from .ir import FLOATS, NARROW_FLOATS, Ir, constant, suffix, type_text
from .narrow_floats import narrowed, widened
from .target import ELEMENT_BITS, Target

__all__ = ["FunctionBuilder", "Ir", "Iteration", "Target", "module_text"]


class FunctionBuilder(Instructions):
    """Writes one function: instructions and control flow of its bases, conversions between types, and memory.

    No optimiser needs to run on the text: vectors are explicit, and a pure instruction is written once in the blocks
    that it dominates (local common subexpression elimination).
    """

    # Conversions

    def convert(self, x: Ir, element: str, signed: bool = True, source_signed: bool = True) -> Ir:
        """The value in another type: floats round to nearest even, integers wrap, floats to integers saturate.

        NaN becomes 0 in integers; "i1" is whether the value differs from zero.

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
            wide = widened(self, x)
            return self._convert_float(wide, element) if element != "float" else wide
        if element in NARROW_FLOATS:
            return narrowed(self, x, element)
        if x.element == element:
            return x
        return self.cast("fpext" if element == "double" else "fptrunc", x, element)

    def _integer_to_float(self, x: Ir, element: str, signed: bool) -> Ir:
        wide = x
        if x.bits < 32:  # machines convert 32-bit words, signed ones fastest
            wide, signed = (self.sext if signed else self.zext)(x, "i32"), True
        # No "half" is as large as integers that a "float" does not hold, but a "bfloat" is.
        is_double = element == "double" or (element == "bfloat" and x.bits >= 32)
        if element == "bfloat" and x.bits == 64:
            wide = self._fit_for_double(wide, signed)
        machine = "double" if is_double else "float"
        value = self.sitofp(wide, machine) if signed else self.uitofp(wide, machine)
        return self._convert_float(value, element)

    def _fit_for_double(self, x: Ir, signed: bool) -> Ir:
        """A 64-bit integer, rounded to odd in 12 bits where a double may not hold it."""
        top = (self.ashr if signed else self.lshr)(x, 53)
        is_large = self.icmp("ne", top, self.like(0, top))
        if signed:
            is_large = self.and_(is_large, self.icmp("ne", top, self.like(-1, top)))
        is_inexact = self.icmp("ne", self.and_(x, self.like(0x7FF, x)), self.like(0, x))
        odd = self.or_(self.shl(self.lshr(x, 12), 12), self.like(0x800, x))
        return self.select(self.and_(is_large, is_inexact), odd, x)

    def _saturated(self, x: Ir, element: str, signed: bool) -> Ir:
        name = "llvm.fptosi.sat" if signed else "llvm.fptoui.sat"
        name = f"{name}.{suffix(element, x.lanes)}.{suffix(x.element, x.lanes)}"
        return self.call(name, element, x.lanes, x)

    # Memory

    def gep(self, pointer: Ir, index: Ir | int, element: str) -> Ir:
        """The address of the element at an index (LLVM's `getelementptr`)."""
        at = index.typed if isinstance(index, Ir) else f"i64 {index}"
        return self.pure(f"getelementptr {type_text(element, 1)}, ptr {pointer.name}, {at}", "ptr", 1)

    def load(self, pointer: Ir, element: str, lanes: int = 1, alignment: int | None = None) -> Ir:
        """Contiguous elements; the alignment in bytes is that of one element unless a greater one is given."""
        at = alignment or _bytes(element)
        return self.effect(f"load {type_text(element, lanes)}, ptr {pointer.name}, align {at}", element, lanes)

    def prefetch(self, pointer: Ir, *, near: bool) -> None:
        """A software prefetch of a cache line into the first-level cache (`near`) or the second-level one."""
        self.declarations["llvm.prefetch.p0"] = "declare void @llvm.prefetch.p0(ptr, i32, i32, i32)"
        self.emit(f"call void @llvm.prefetch.p0(ptr {pointer.name}, i32 0, i32 {3 if near else 2}, i32 1)")

    def store(self, pointer: Ir, value: Ir, alignment: int | None = None, streaming: bool = False) -> None:
        """Writes contiguous elements; `streaming` is a non-temporal store, for addresses aligned to the vector."""
        at = alignment or _bytes(value.element)
        hint = ""
        if streaming:
            hint = ", !nontemporal !2"
            self.definitions["!streaming"] = "!2 = !{i32 1}"
        self.emit(f"store {value.typed}, ptr {pointer.name}, align {at}{hint}")

    def order_streams(self) -> None:
        """A store fence: non-temporal stores become visible before later stores."""
        if self.target.is_x86:  # elsewhere non-temporal stores are ordered like others
            self.call("llvm.x86.sse.sfence", None, 1)

    def load_masked(
        self, pointer: Ir, element: str, mask: Ir, otherwise: Ir | None = None, alignment: int | None = None
    ) -> Ir:
        """Contiguous elements where the mask is true; others are zero or `otherwise`, without touching memory."""
        lanes = mask.lanes
        rest = otherwise if otherwise is not None else constant(0, element, lanes)
        if lanes == 1:
            before, inside, after = self.block, self.label("when"), self.label("after")
            scope = self._scope
            self.cond_branch(mask, inside, after)
            self.start_block(inside)
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
        """Writes the elements whose mask is true; memory of the others is not touched."""
        if value.lanes == 1:
            with self.when(mask):
                self.store(pointer, value, alignment)
            return
        name = f"llvm.masked.store.{suffix(value.element, value.lanes)}.p0"
        self.declarations[name] = f"declare void @{name}({value.type}, ptr, i32, {mask.type})"
        at = alignment or _bytes(value.element)
        self.emit(f"call void @{name}({value.typed}, ptr {pointer.name}, i32 {at}, {mask.typed})")

    def gather(self, pointer: Ir, indices: Ir, element: str, mask: Ir | None = None) -> Ir:
        """The elements at indices, lane by lane; zero, without touching memory, where the mask is false."""
        values = []
        for lane in range(indices.lanes):
            at = self.gep(pointer, self.extract(indices, lane), element)
            if mask is None:
                values.append(self.load(at, element))
            else:
                values.append(self.load_masked(at, element, self.extract(mask, lane)))
        return self.from_lanes(values)

    def scatter(self, pointer: Ir, indices: Ir, value: Ir, mask: Ir | None = None) -> None:
        """Writes the lanes whose mask is true at indices, from the first lane to the last."""
        for lane in range(indices.lanes):
            at = self.gep(pointer, self.extract(indices, lane), value.element)
            with self.when(None if mask is None else self.extract(mask, lane)):
                self.store(at, self.extract(value, lane))


def _bytes(element: str) -> int:
    if element == "i1":
        raise OlympusInternalError("bools are stored in memory as i8")
    return ELEMENT_BITS[element] // 8
