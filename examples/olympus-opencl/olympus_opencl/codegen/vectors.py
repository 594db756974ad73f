"""Consecutive iterations of a work-item as OpenCL's vectors: chains of elements with four bytes, without loops."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from olympus_core import dtypes
from olympus_core.toolkit import loops
from olympus_core.toolkit.c_text import Level, Nest, PerThreadPlan, Writer, affine_text, is_aligned, neutral

from ..devices import Target
from .functions import VECTOR_FUNCTIONS
from .language import OpenClLanguage

_WORDS = frozenset({dtypes.float32, dtypes.int32, dtypes.uint32})
_REGISTERS = _WORDS | {dtypes.bool_}
_STREAMED = 1 << 20  # elements of a result that goes past the cache
_SUM = 16  # elements of a vector that is added up
_KINDS = {dtypes.float32: "float", dtypes.int32: "int", dtypes.uint32: "uint", dtypes.bool_: "int"}


class VectorLanguage(OpenClLanguage):
    """OpenCL C with vectors for elements; truth values are masks of all bits or none.

    Args:
        width: Elements of a vector.
    """

    def __init__(self, width: int) -> None:
        self.width = width

    def register_type(self, dtype: np.dtype) -> str:  # type: ignore[override]
        """The vector of a type."""
        return f"{_KINDS[dtype]}{self.width}"

    def literal(self, value: object, dtype: np.dtype) -> str:
        """A constant in all elements."""
        text = ("-1" if value else "0") if dtypes.is_bool(dtype) else OpenClLanguage.literal(self, value, dtype)
        return f"({self.register_type(dtype)})({text})"

    def function_of(self, operation: str, dtype: np.dtype, result: object = None) -> str:  # type: ignore[override]
        """The function on vectors."""
        return f"olympus_{operation}_{dtype.name}x{self.width}"

    def converted(self, value: str, source: np.dtype, result: np.dtype) -> str:
        """By the instruction."""
        return _converted(value, source, result, self.width)


class VectorWriter(Writer):
    """Writes consecutive iterations at once.

    Args:
        width: Number of iterations.
        last: Their loop.
        writer: Writes what is around them.
        target: The device: processors' vectors need no alignment.
    """

    def __init__(self, width: int, last: Level, writer: Writer, target: Target) -> None:
        super().__init__(VectorLanguage(width), writer.parameters, "int")
        self.indices, self.depth = dict(writer.indices), writer.depth + 1
        self._width, self._last, self._target, self._around = width, last.index, target, writer
        self._nest = Nest((last,), ())

    def scalar(self, scalar: loops.Scalar) -> str:
        """The name of a vector, or a scalar from around in all elements."""
        if scalar not in self.scalars:
            around, kind = self._around.scalars.get(scalar), self.language.register_type(scalar.dtype)
            self.scalars[scalar] = f"v{len(self.scalars)}" if around is None else (
                f"({kind})({'-' if scalar.dtype == dtypes.bool_ else ''}{around})")
        return self.scalars[scalar]

    def load(self, load: loops.Load) -> None:
        """A vector, or one element for all."""
        kind = self.language.register_type(load.result.dtype)
        if not load.at.stride(self._last):
            value = f"({kind})({self.element(load)})"
        elif self._target.is_cpu:
            value = f"*(global const {kind}u*)&{self.element(load)}"
        else:
            value = f"vload{self._width}(0, &{self.element(load)})"
        self.declare(load.result, value)

    def store(self, store: loops.Store, only: str = "") -> None:
        """A vector; truth values as bytes."""
        value, kind = self.scalar(store.value), self.language.register_type(store.parameter.dtype)
        if store.parameter.dtype == dtypes.bool_:
            value, kind = f"convert_uchar{self._width}({value} & 1)", f"uchar{self._width}"
        if not self._target.is_cpu:
            self.line(f"vstore{self._width}({value}, 0, &{self.element(store)});")
        elif self._target.is_pocl and store.parameter.size >= _STREAMED and is_aligned(store, self._nest, self._width):
            self.line(f"__builtin_nontemporal_store({value}, (global {kind}*)&{self.element(store)});")
        else:
            self.line(f"*(global {kind}u*)&{self.element(store)} = {value};")

    def number(self, affine: loops.Affine, dtype: np.dtype) -> str:
        """An affine expression in each iteration."""
        value = self._each(affine)
        if dtype == dtypes.int32:
            return value
        return f"{'as_uint' if dtype == dtypes.uint32 else 'convert_float'}{self._width}({value})"

    def inside(self, statement: loops.Inside) -> str:
        """A mask."""
        value = self._each(statement.of)
        return f"({value} >= {statement.low}) & ({value} < {statement.high})"

    def _each(self, affine: loops.Affine) -> str:
        first, stride = f"(int{self._width})({affine_text(affine, self.index)})", affine.stride(self._last)
        steps = ", ".join(str(i * stride) for i in range(self._width))
        return f"({first} + (int{self._width})({steps}))" if stride else first


def vector_width(levels: Sequence[Level], body: Sequence[loops.Statement], widths: Sequence[int], is_wide: bool) -> int:
    """How many consecutive iterations a work-item computes as a vector: one of `widths`, or one where none fits."""
    if is_wide or not levels or levels[-1].until is not None or not body:
        return 1
    last, whole = levels[-1], len(levels) == 1
    found = [n for n in widths if last.extent % n == 0 or whole and last.extent >= 4 * n]
    return found[0] if found and all(_fits(statement, last) for statement in body) else 1


def _fits(statement: loops.Statement, last: Level) -> bool:
    match statement:
        case loops.Constant(result=result):
            return result.dtype in _REGISTERS
        case loops.IndexValue(result=result):
            return result.dtype in _WORDS
        case loops.Inside():
            return True
        case loops.Load(result=result, at=at, dynamic=dynamic, when=when):
            return result.dtype in _WORDS and at.stride(last.index) in (0, 1) and not dynamic and when is None
        case loops.Store(parameter=parameter, at=at, dynamic=dynamic, when=when, combine=combine):
            plain = at.stride(last.index) == 1 and not dynamic and when is None and combine is None
            return plain and parameter.dtype in _REGISTERS
        case loops.Compute(results=results, operands=operands, record=record):
            if len(results) != 1 or any(s.dtype not in _REGISTERS for s in (*results, *operands)):
                return False
            types = [s.dtype for s in operands]
            if record.name == "select":
                return True
            if record.name == "convert":
                return _converted("x", types[0], results[0].dtype, 8) != ""
            return record.name in VECTOR_FUNCTIONS[types[0].kind]
    return False


def _converted(value: str, source: np.dtype, result: np.dtype, width: int) -> str:
    """A conversion that is one instruction; empty for others."""
    if source == result:
        return value
    if result == dtypes.bool_:
        return f"({value} != 0)"
    if source == dtypes.bool_:
        return f"-{value}" if result == dtypes.int32 else f"convert_{_KINDS[result]}{width}(-{value})"
    if result == dtypes.float32:
        return f"convert_float{width}({value})"
    return "" if source == dtypes.float32 else f"as_{_KINDS[result]}{width}({value})"


def emit_vectors(writer: Writer, plan: PerThreadPlan, target: Target) -> None:
    """Writes the iterations of one work-item: a vector, and elements where the last vector is not whole.

    Args:
        writer: Where the text goes.
        plan: The plan.
        target: The device: processors' vectors need no alignment.
    """
    last, width = plan.levels[-1], plan.width
    first = writer.index(last.index)
    vectors = VectorWriter(width, last, writer, target)
    vectors.statements(plan.body)
    is_whole = last.extent % width == 0
    with writer.block("" if is_whole else f"if ({first} + {width} <= {last.extent})"):
        writer.lines += vectors.lines
    if not is_whole:
        rest = f"{first}_"
        with writer.block(f"else for (int {rest} = {first}; {rest} < {last.extent}; ++{rest})"):
            writer.indices[last.index] = rest
            writer.statements(plan.body)
            writer.indices[last.index] = first


def is_vector_sum(loop: loops.Loop) -> bool:
    """Whether vectors of a loop's iterations can be reduced, and then the elements of one."""
    last = Level(loop.index, loop.extent, loop.until)
    if not loop.reductions or loop.recurrences or loop.until is not None or loop.extent < 2 * _SUM:
        return False
    totals = [(r.result.dtype, r.operation) for r in loop.reductions]
    known = all(dtype in _WORDS and operation in VECTOR_FUNCTIONS[dtype.kind] for dtype, operation in totals)
    return known and all(_fits(statement, last) and not isinstance(statement, loops.Store) for statement in loop.body)


def emit_vector_sum(writer: Writer, target: Target, loop: loops.Loop) -> None:
    """Writes a loop with reductions by vectors."""
    vectors = VectorWriter(_SUM, Level(loop.index, loop.extent, None), writer, target)
    language, whole, index = vectors.language, loop.extent // _SUM * _SUM, writer.index(loop.index)
    vectors.indices[loop.index] = index
    totals = [(r, r.result.dtype, f"{writer.scalar(r.result)}v") for r in loop.reductions]
    for r, dtype, total in totals:
        start = language.literal(neutral(r.operation, dtype), dtype)
        writer.line(f"{language.register_type(dtype)} {total} = {start};")
    with writer.block(f"for (int {index} = 0; {index} < {whole}; {index} += {_SUM})"):
        vectors.statements(loop.body)
        writer.lines += vectors.lines
        for r, dtype, total in totals:
            value = language.combined(r.operation, dtype, total, vectors.scalar(r.contribution))
            writer.line(f"{total} = {value};")
    for r, dtype, total in totals:
        writer.declare(r.result, writer.scalar(r.initial), const=False)
        name = writer.scalar(r.result)
        for i in range(_SUM):
            writer.line(f"{name} = {writer.language.combined(r.operation, dtype, name, f'{total}.s{i:x}')};")
    if whole < loop.extent:
        with writer.block(f"for (int {index} = {whole}; {index} < {loop.extent}; ++{index})"):
            writer.iteration(loop)
