"""Consecutive iterations of a work-item as OpenCL's vectors: chains of elements with four bytes, without loops."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from olympus_core import dtypes
from olympus_core.toolkit.c_text import Level, Nest, PerThreadPlan, Writer, affine_text, is_aligned
from olympus_core.toolkit.loops import Affine, Compute, Constant, IndexValue, Inside, Load, Parameter, Statement, Store

from .functions import VECTOR_FUNCTIONS, VECTOR_OPERATORS
from .language import OpenClLanguage

_WORDS = frozenset({dtypes.float32, dtypes.int32, dtypes.uint32})
_REGISTERS = _WORDS | {dtypes.bool_}
_STREAMED = 1 << 20  # elements
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

    def expression(
        self, name: str, operands: Sequence[str], types: Sequence[np.dtype], result: np.dtype, rounded: bool = True
    ) -> str:
        """An elementwise operation on vectors."""
        if name == "select":
            return "({} ? {} : {})".format(*operands)
        if name == "convert":
            return operands[0] if types[0] == result else _converted(operands[0], types[0], result, self.width)
        operator = VECTOR_OPERATORS.get((name, _KINDS[types[0]] if types[0] != dtypes.bool_ else "bool"))
        if operator is not None:
            return operator.format(*operands, w=self.width)
        return f"olympus_{name}_{types[0].name}x{self.width}({', '.join(operands)})"


class VectorWriter(Writer):
    """Writes consecutive iterations at once.

    Args:
        width: Number of iterations.
        plan: The plan of the loops.
        parameters: The names of the pointer parameters.
        is_cpu: Whether pointers need no alignment, and large results should go past the cache.
    """

    def __init__(self, width: int, plan: PerThreadPlan, parameters: dict[Parameter, str], is_cpu: bool) -> None:
        super().__init__(VectorLanguage(width), parameters, "int")
        self._width, self._last, self._is_cpu = width, plan.levels[-1].index, is_cpu
        self._nest = Nest(plan.levels[-1:], plan.body)

    def load(self, load: Load) -> None:
        """A vector, or one element for all."""
        kind = self.language.register_type(load.result.dtype)
        if not load.at.stride(self._last):
            value = f"({kind})({self.element(load)})"
        elif self._is_cpu:
            value = f"*(global const {kind}u*)&{self.element(load)}"
        else:
            value = f"vload{self._width}(0, &{self.element(load)})"
        self.declare(load.result, value)

    def store(self, store: Store, only: str = "") -> None:
        """A vector; truth values as bytes."""
        value, kind = self.scalar(store.value), self.language.register_type(store.parameter.dtype)
        if store.parameter.dtype == dtypes.bool_:
            value, kind = f"convert_uchar{self._width}({value} & 1)", f"uchar{self._width}"
        if not self._is_cpu:
            self.line(f"vstore{self._width}({value}, 0, &{self.element(store)});")
        elif store.parameter.size >= _STREAMED and is_aligned(store, self._nest, self._width):
            self.line(f"STREAM((global {kind}*)&{self.element(store)}, {value});")
        else:
            self.line(f"*(global {kind}u*)&{self.element(store)} = {value};")

    def number(self, affine: Affine, dtype: np.dtype) -> str:
        """An affine expression in each iteration."""
        value = self._each(affine)
        if dtype == dtypes.int32:
            return value
        return f"{'as_uint' if dtype == dtypes.uint32 else 'convert_float'}{self._width}({value})"

    def inside(self, statement: Inside) -> str:
        """A mask."""
        value = self._each(statement.of)
        return f"({value} >= {statement.low}) & ({value} < {statement.high})"

    def _each(self, affine: Affine) -> str:
        first, stride = f"(int{self._width})({affine_text(affine, self.index)})", affine.stride(self._last)
        steps = ", ".join(str(i * stride) for i in range(self._width))
        return f"({first} + (int{self._width})({steps}))" if stride else first


def vector_width(levels: Sequence[Level], body: Sequence[Statement], widths: Sequence[int], is_wide: bool) -> int:
    """How many consecutive iterations a work-item computes as a vector: one of `widths`, or one where none fits."""
    if is_wide or not levels or levels[-1].until is not None or not body:
        return 1
    last, whole = levels[-1], len(levels) == 1
    found = [n for n in widths if last.extent % n == 0 or whole and last.extent >= 4 * n]
    return found[0] if found and all(_fits(statement, last) for statement in body) else 1


def _fits(statement: Statement, last: Level) -> bool:
    match statement:
        case Constant(result=result):
            return result.dtype in _REGISTERS
        case IndexValue(result=result):
            return result.dtype in _WORDS
        case Inside():
            return True
        case Load(result=result, at=at, dynamic=dynamic, when=when):
            return result.dtype in _WORDS and at.stride(last.index) in (0, 1) and not dynamic and when is None
        case Store(parameter=parameter, at=at, dynamic=dynamic, when=when, combine=combine):
            plain = at.stride(last.index) == 1 and not dynamic and when is None and combine is None
            return plain and parameter.dtype in _REGISTERS
        case Compute(results=results, operands=operands, record=record):
            if len(results) != 1 or any(s.dtype not in _REGISTERS for s in (*results, *operands)):
                return False
            types = [s.dtype for s in operands]
            if record.name == "select":
                return True
            if record.name == "convert":
                return _converted("x", types[0], results[0].dtype, 8) != ""
            kind = "bool" if types[0] == dtypes.bool_ else _KINDS[types[0]]
            return (record.name, kind) in VECTOR_OPERATORS or kind == "float" and record.name in VECTOR_FUNCTIONS
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


def emit_vectors(writer: Writer, plan: PerThreadPlan, is_cpu: bool) -> None:
    """Writes the iterations of one work-item: a vector, and elements where the last vector is not whole.

    Args:
        writer: Where the text goes.
        plan: The plan.
        is_cpu: Whether pointers need no alignment, and large results should go past the cache.
    """
    last, width = plan.levels[-1], plan.width
    first = writer.index(last.index)
    vectors = VectorWriter(width, plan, dict(writer.parameters), is_cpu)
    vectors.indices, vectors.scalars, vectors.depth = dict(writer.indices), {}, writer.depth + 1
    for level in plan.levels:
        vectors.statements(level.held)
    vectors.statements(plan.body)
    if last.extent % width == 0:
        with writer.block():
            writer.lines += vectors.lines
        return
    with writer.block(f"if ({first} + {width} <= {last.extent})"):
        writer.lines += vectors.lines
    with writer.block("else"):
        rest = f"{first}_"
        with writer.block(f"for (int {rest} = {first}; {rest} < {last.extent}; ++{rest})"):
            writer.indices[last.index] = rest
            writer.statements(plan.body)
            writer.indices[last.index] = first
