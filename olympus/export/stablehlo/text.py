# SPDX-License-Identifier: Apache-2.0
"""StableHLO's text as platforms write it, as objects: functions of operations in MLIR's generic form.

Read is what `olympus_pjrt.stablehlo` writes, not all of MLIR's syntax; every other form is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

import numpy as np

from olympus_core import dtypes
from olympus_core.errors import NotSupportedError
from olympus_core.program import ArrayType

from .vhlo import Constant

T = TypeVar("T")
_DTYPES: Mapping[str, np.dtype] = {
    "i1": dtypes.bool_, "f16": dtypes.float16, "bf16": dtypes.bfloat16, "f32": dtypes.float32, "f64": dtypes.float64,
    "f8E4M3FN": dtypes.float8_e4m3fn, "f8E5M2": dtypes.float8_e5m2,
    "complex<f32>": dtypes.complex64, "complex<f64>": dtypes.complex128,
    **{f"i{8 * d.itemsize}": d for d in dtypes.SIGNED}, **{f"ui{8 * d.itemsize}": d for d in dtypes.UNSIGNED},
}
_INT64 = np.dtype("int64")


@dataclass(frozen=True, slots=True)
class Integer:
    """An attribute that is a number.

    Args:
        value: The number.
        dtype: Its type.
    """

    value: int
    dtype: np.dtype


@dataclass(frozen=True, slots=True)
class Choice:
    """An attribute that is an entry of an enumeration, such as ``#stablehlo<precision HIGH>``.

    Args:
        kind: The enumeration.
        word: The entry.
    """

    kind: str
    word: str


@dataclass(frozen=True, slots=True)
class Record:
    """An attribute of several fields, such as ``#stablehlo.dot<...>``.

    Args:
        kind: Its kind.
        content: What stands between the angle brackets.
    """

    kind: str
    content: str


@dataclass(frozen=True, slots=True)
class Layout:
    """An attribute that is the order of an array's dimensions: numbers of MLIR's type ``index``.

    Args:
        order: The dimensions, the fastest one first.
    """

    order: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Value:
    """A value.

    Args:
        type: Its type.
    """

    type: ArrayType


@dataclass(frozen=True, slots=True, eq=False)
class Region:
    """A region of one block.

    Args:
        arguments: The block's arguments.
        operations: What it does.
    """

    arguments: list[Value]
    operations: list[Statement]


@dataclass(frozen=True, slots=True, eq=False)
class Statement:
    """An operation.

    Args:
        name: With its dialect: ``stablehlo.add``.
        operands: What it works on.
        results: What it gives.
        attributes: Its attributes by name: bools, strings that name functions, lists, `Constant`, and the above.
        regions: Its regions.
    """

    name: str
    operands: list[Value]
    results: list[Value]
    attributes: Mapping[str, Any]
    regions: list[Region]


@dataclass(frozen=True, slots=True, eq=False)
class FunctionText:
    """A function.

    Args:
        name: Its name.
        visibility: ``public`` or ``private``.
        attributes: Those of each argument.
        outputs: Its results' types.
        body: What it does.
    """

    name: str
    visibility: str
    attributes: list[Mapping[str, Any]]
    outputs: list[ArrayType]
    body: Region


@dataclass(frozen=True, slots=True, eq=False)
class ModuleText:
    """A module.

    Args:
        name: Its name.
        attributes: Its attributes.
        functions: Its functions.
    """

    name: str
    attributes: Mapping[str, Any]
    functions: list[FunctionText]


def parse(text: str) -> ModuleText:
    """The module that a text says.

    Args:
        text: The text.

    Raises:
        NotSupportedError: For forms that are not read.
    """
    return _Parser(text).module()


def unwritten(what: str, why: str) -> NotSupportedError:
    """The error for what is not written.

    Args:
        what: What it is.
        why: Why it is not.
    """
    return NotSupportedError(f"{what} in MLIR's bytecode"[:200], why,
                             "Give the text of exported.mlir_module() to the compiler, or keep exported.serialize().")


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(r"\s*" + pattern)


class _Parser:
    """Reads a text from its beginning to its end."""

    def __init__(self, text: str) -> None:
        self._text, self._at = text, 0

    def _found(self, pattern: str) -> re.Match[str] | None:
        found = _compiled(pattern).match(self._text, self._at)
        if found is not None:
            self._at = found.end()
        return found

    def _take(self, pattern: str) -> re.Match[str]:
        found = self._found(pattern)
        if found is None:
            near = " ".join(self._text[self._at:self._at + 60].split())
            raise unwritten(f"StableHLO's text {near!r}", "this form of it is not read")
        return found

    def _listed(self, end: str, read: Callable[[], T]) -> list[T]:
        """What stands between commas until an end."""
        found: list[T] = []
        while not self._found(end):
            if found:
                self._take(",")
            found.append(read())
        return found

    def module(self) -> ModuleText:
        name = self._take(r"module @(\w+) attributes")[1]
        attributes = self._dictionary()
        functions = []
        self._take(r"\{")
        while not self._found(r"\}"):
            functions.append(self._function())
        self._take(r"\Z")
        return ModuleText(name, attributes, functions)

    def _function(self) -> FunctionText:
        found = self._take(r"func\.func (public|private) @(\w+)\(")
        names: dict[str, Value] = {}
        taken = self._listed(r"\)", lambda: (self._argument(names), self._dictionary()))
        self._take("->")
        outputs = self._types()
        body = Region([value for value, _ in taken], self._operations(names))
        return FunctionText(found[2], found[1], [attributes for _, attributes in taken], outputs, body)

    def _argument(self, names: dict[str, Value]) -> Value:
        name = self._take(r"(%\w+):")[1]
        names[name] = value = Value(self._type())
        return value

    def _operations(self, names: dict[str, Value]) -> list[Statement]:
        """Until the bracket closes."""
        self._found(r"\{")
        found = []
        while not self._found(r"\}"):
            found.append(self._statement(names))
        return found

    def _region(self, names: dict[str, Value]) -> Region:
        """A region; MLIR forbids that its names hide those from outside, so a function has one table."""
        self._take(r"\{")
        arguments: list[Value] = []
        if self._found(r"\^bb0\("):
            arguments = self._listed(r"\):", lambda: self._argument(names))
        return Region(arguments, self._operations(names))

    def _statement(self, names: dict[str, Value]) -> Statement:
        made = self._found(r"(%\w+)(?::(\d+))? =")
        name = self._take(r'"([\w.]+)"\(')[1]
        operands = self._listed(r"\)", lambda: self._operand(names))
        regions = self._listed(r"\)", lambda: self._region(names)) if self._found(r"\((?=\{)") else []
        attributes = self._dictionary()
        self._take(r":")
        self._types()
        self._take("->")
        results = [Value(t) for t in self._types()]
        if made is not None and made[2] is None:
            names[made[1]] = results[0]
        elif made is not None:
            names.update({f"{made[1]}#{i}": value for i, value in enumerate(results)})
        return Statement(name, operands, results, attributes, regions)

    def _operand(self, names: Mapping[str, Value]) -> Value:
        name = self._take(r"(%[\w#]+)")[1]
        if name not in names:
            raise unwritten(f"StableHLO's text of the value {name}", "this form of it is not read")
        return names[name]

    def _types(self) -> list[ArrayType]:
        return self._listed(r"\)", self._type) if self._found(r"\(") else [self._type()]

    def _type(self) -> ArrayType:
        return _array_type(self._take(r"(tensor<(?:\d+x)*(?:complex<\w+>|\w+)>)")[1])

    def _dictionary(self) -> dict[str, Any]:
        """Attributes in brackets; empty where there are none."""
        return dict(self._listed(r"\}", self._pair)) if self._found(r"\{") else {}

    def _pair(self) -> tuple[str, Any]:
        name = self._take(r"([\w.]+) =")[1]
        return name, self._attribute()

    def _attribute(self) -> Any:
        if found := self._found(r"(true|false)\b"):
            return found[1] == "true"
        if found := self._found(r"(-?\d+) : (\w+)"):
            return Integer(int(found[1]), _dtype(found[2]))
        if found := self._found(r"array<i64(?:: ([-\d, ]+))?>"):
            return integers([int(word) for word in (found[1] or "").split(",") if word])
        if found := self._found(r"#stablehlo<(\w+) (\w+)>"):
            return Choice(found[1], found[2])
        if found := self._found(r"#stablehlo\.(\w+)<((?:->|[^>])*)>"):
            return Record(found[1], found[2])
        if self._found(r"dense<"):
            content = self._take(r'("[^"]*"|[^>"]*)>')[1]
            self._take(":")
            if self._found(r"tensor<\d+xindex>"):
                return Layout(tuple(map(int, re.findall(r"\d+", content))))
            return _constant(content, self._type())
        if found := self._found(r'"([^"\\]*)"'):
            return found[1]
        if self._found(r"\{"):
            return dict(self._listed(r"\}", self._pair))
        if self._found(r"\["):
            return self._listed(r"\]", self._attribute)
        return self._take(r"@(\w+)")[1]


@cache
def _array_type(text: str) -> ArrayType:
    *sizes, element = text[len("tensor<"):-1].split("x") if "complex" not in text else (
        *text[len("tensor<"):text.index("complex")].split("x")[:-1], text[text.index("complex"):-1])
    return ArrayType([int(size) for size in sizes], _dtype(element))


def _dtype(name: str) -> np.dtype:
    if name not in _DTYPES:
        raise unwritten(f"The element type {name}", "it is not written")
    return _DTYPES[name]


def integers(values: Sequence[int], shape: Sequence[int] | None = None) -> Constant:
    """An attribute that is a list of integers, or an array of them.

    Args:
        values: The integers.
        shape: The array's shape; None for a list.
    """
    array = np.array(values, _INT64).reshape([len(values)] if shape is None else shape)
    return from_array(array)


def from_array(array: np.ndarray) -> Constant:
    """An array as a constant of a module: equal elements are written once.

    Args:
        array: The array.
    """
    type_ = ArrayType(array.shape, array.dtype)
    flat = array.reshape(-1)
    content, size = flat.tobytes(), array.dtype.itemsize
    is_splat = array.size > 1 and content == content[:size] * array.size
    return _packed(type_, flat[:1] if is_splat else flat, is_splat)


def _constant(content: str, type: ArrayType) -> Constant:
    """A dense literal: bytes, or numbers, of all elements or of one that all are."""
    dtype = type.dtype
    if content.startswith('"0x'):
        flat = np.frombuffer(bytes.fromhex(content[3:-1]), np.uint8).view(dtype)
    elif dtype == dtypes.bool_:
        flat = np.array([word == "true" for word in re.findall(r"\w+", content)], bool)
    else:
        read = int if dtypes.is_integer(dtype) else float
        words = [word for word in content.replace("[", "").replace("]", "").split(",") if word.strip()]
        flat = dtypes.cast(np.array([read(word) for word in words], dtype if read is int else np.float64), dtype)
    is_splat = len(flat) == 1 and type.size != 1
    if not is_splat and len(flat) != type.size:
        raise unwritten(f"A constant of {len(flat)} elements for the type {type}", "their numbers differ")
    return _packed(type, flat, is_splat) if is_splat or type.size < 2 or dtype == dtypes.bool_ else from_array(
        flat.reshape(type.shape))


def _packed(type: ArrayType, flat: np.ndarray, is_splat: bool) -> Constant:
    """The bytes of elements: eight bools make a byte, whose bits are all those of the one that all are."""
    if type.dtype != dtypes.bool_:
        return Constant(type, flat.tobytes(), is_splat)
    if is_splat:
        return Constant(type, b"\xff" if flat[0] else b"\x00", True)
    return Constant(type, np.packbits(flat, bitorder="little").tobytes(), False)


__all__ = [
    "Choice", "FunctionText", "Integer", "Layout", "ModuleText", "Record", "Region", "Statement", "Value",
    "from_array", "integers", "parse", "unwritten",
]
