# SPDX-License-Identifier: Apache-2.0
"""Portable artefacts of StableHLO, written: the text of a module as MLIR's bytecode of VHLO.

The format is that which `bytecode` and `vhlo` read (mlir.llvm.org/docs/BytecodeFormat, openxla.org/stablehlo/vhlo).
Operations are written in their oldest form, so that older compilers take them, too.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from olympus_core.program import ArrayType

from . import bytecode, vhlo
from .text import Choice, FunctionText, Integer, Layout, ModuleText, Region, Statement, Value, parse, unwritten
from .versions import OLDEST, translated
from .vhlo import Constant, FunctionType

_VERSION = 6
_BUILTIN, _VHLO = "builtin", "vhlo"
# Numbers of MLIR's own attributes and types.
_DICTIONARY, _STRING, _INTEGER, _UNKNOWN_LOCATION = 1, 2, 8, 15
_INTEGER_TYPE = 0
_CODES = {dtype: code for code, dtype in vhlo.ELEMENTS.items() if code != vhlo.INDEX}
_PARTS: Mapping[np.dtype, np.dtype] = {whole: part for part, whole in vhlo.OF_PARTS.items()}
_WORDS: Mapping[str, tuple[int, str]] = {
    "comparison_direction": (3, "EQ NE GE GT LE LT"), "comparison_type": (4, "NOTYPE FLOAT TOTALORDER SIGNED UNSIGNED"),
    "custom_call_api_version": (5, "0 1 2 3 4"),
    "fft_type": (7, "FFT IFFT RFFT IRFFT"), "precision": (11, "DEFAULT HIGH HIGHEST"),
    "transpose": (16, "TRANSPOSE_INVALID NO_TRANSPOSE TRANSPOSE ADJOINT"),
}


def portable_artefact(text: str) -> bytes:
    """A module's text as a portable artefact.

    Args:
        text: The text, as `olympus_pjrt.stablehlo.emit` writes it.

    Returns:
        The bytes, equal for equal texts.

    Raises:
        NotSupportedError: For operations and forms that are not written.
    """
    return _Artefact(parse(text)).data()


def varint(value: int) -> bytes:
    """A number as `bytecode.Reader.number` reads it.

    Args:
        value: The number, from 0 to 2**64 - 1.
    """
    size = max(1, -(-value.bit_length() // 7))
    if size > 8:
        return b"\x00" + value.to_bytes(8, "little")
    return ((value << 1 | 1) << (size - 1)).to_bytes(size, "little")


def _signed(value: int) -> bytes:
    return varint(value << 1 if value >= 0 else (-value << 1) - 1)


def _flagged(value: int, flag: bool) -> bytes:
    return varint(value << 1 | flag)


def _several(parts: Sequence[bytes]) -> bytes:
    return varint(len(parts)) + b"".join(parts)


def _numbers(values: Iterable[int]) -> bytes:
    return _several([varint(n) for n in values])


def _section(kind: int, content: bytes) -> bytes:
    return bytes([kind]) + varint(len(content)) + content


class _Table(dict[Any, int]):
    """Numbers things as they are asked for."""

    def __missing__(self, key: Any) -> int:
        self[key] = number = len(self)
        return number


class _Artefact:
    """The sections of a module."""

    def __init__(self, module: ModuleText) -> None:
        self._strings = _Table()
        self._dialects = [self._strings[_BUILTIN], self._strings[_VHLO]]
        # Attributes and types are a dialect and bytes: those of MLIR's own come first.
        self._attributes, self._types, self._names, self._properties = _Table(), _Table(), _Table(), _Table()
        self._version = OLDEST
        self._location = self._own(_UNKNOWN_LOCATION)
        kind = {name: self._own_integer(value) for name, value in module.attributes.items()}
        pairs = [varint(self._own_text(name)) + varint(value) for name, value in kind.items()]
        attributes = self._own(_DICTIONARY, _several(pairs))
        properties = self._properties[_flagged(self._own_text(module.name), True) + varint(0)]
        self._module = self._names[_BUILTIN, "module"]
        functions = [self._function(function) for function in module.functions]
        region = varint(1) + varint(0) + _flagged(len(functions), False) + b"".join(functions)
        self._block = _flagged(1, False) + self._instruction(
            self._module, attributes=attributes, properties=properties, regions=[region], is_isolated=True)

    def data(self) -> bytes:
        """The artefact."""
        dialects = [_flagged(n, False) for n in self._dialects]
        names = b"".join(
            varint(self._dialect(dialect)) + _several([_flagged(self._strings[name], True) for _, name in group])
            for dialect, group in self._grouped(self._names))
        entries = self._attributes, self._types
        offsets = b"".join(varint(len(table)) for table in entries) + b"".join(
            varint(self._dialect(dialect)) + _several([_flagged(len(content), True) for _, content in group])
            for table in entries for dialect, group in self._grouped(table))
        content = b"".join(part for table in entries for _, part in table)
        properties = _several([varint(len(part)) + part for part in self._properties])
        texts = [text.encode() + b"\x00" for text in self._strings]
        strings = _numbers([len(text) for text in reversed(texts)]) + b"".join(texts)
        producer = "StableHLO_v" + ".".join(map(str, self._version))
        return b"".join([
            bytecode.MAGIC, varint(_VERSION), producer.encode(), b"\x00",
            _section(bytecode.DIALECTS, _several(dialects) + varint(len(self._names)) + names),
            _section(bytecode.OFFSETS, offsets), _section(bytecode.ATTRIBUTES, content),
            _section(bytecode.OPERATIONS, self._block), _section(bytecode.STRINGS, strings),
            _section(bytecode.PROPERTIES, properties),
        ])

    @staticmethod
    def _dialect(name: str) -> int:
        return (_BUILTIN, _VHLO).index(name)

    @staticmethod
    def _grouped(table: _Table) -> list[tuple[str, list[tuple[str, Any]]]]:
        return [(dialect, list(group)) for dialect, group in itertools.groupby(table, lambda entry: entry[0])]

    # MLIR's own attributes

    def _own(self, code: int, content: bytes = b"") -> int:
        return self._attributes[_BUILTIN, varint(code) + content]

    def _own_text(self, text: str) -> int:
        return self._own(_STRING, varint(self._strings[text]))

    def _own_integer(self, value: Any) -> int:
        if not isinstance(value, Integer) or value.dtype.itemsize < 2:
            raise unwritten(f"A module's attribute {value!r}", "it is no integer of 16 bits or more")
        number = self._types[_BUILTIN, varint(_INTEGER_TYPE) + varint(8 * value.dtype.itemsize << 2)]
        return self._own(_INTEGER, varint(number) + _signed(value.value))

    # VHLO's types and attributes

    def _type(self, type: ArrayType | FunctionType | np.dtype) -> int:
        if isinstance(type, FunctionType):
            content = varint(vhlo.FUNCTION) + _numbers(map(self._type, type.inputs)) + _numbers(
                map(self._type, type.outputs))
        elif isinstance(type, ArrayType):
            content = varint(vhlo.TENSOR) + _several([_signed(n) for n in type.shape]) + varint(self._type(type.dtype))
        elif type in _PARTS:
            content = varint(vhlo.COMPLEX) + varint(self._type(_PARTS[type]))
        else:
            content = varint(_CODES[type])
        return self._types[_VHLO, content]

    def _attribute(self, value: Any) -> int:
        return self._attributes[_VHLO, self._content(value)]

    def _content(self, value: Any) -> bytes:
        match value:
            case bool():
                return varint(vhlo.BOOLEAN) + varint(value)
            case str():
                return varint(vhlo.STRING) + varint(self._strings[value])
            case list():
                return varint(vhlo.ARRAY) + _numbers([self._attribute(each) for each in value])
            case dict():
                return varint(vhlo.DICTIONARY) + _several([
                    varint(self._attribute(key)) + varint(self._attribute(each)) for key, each in value.items()])
            case Integer():
                number = _signed(value.value) if value.dtype.itemsize > 1 else bytes([value.value & 255])
                return varint(vhlo.INTEGER) + varint(self._type(value.dtype)) + number
            case Choice() if value.kind in _WORDS and value.word in _WORDS[value.kind][1].split():
                code, words = _WORDS[value.kind]
                return varint(code) + varint(words.split().index(value.word))
            case Constant():
                return varint(vhlo.CONSTANT) + varint(self._type(value.type)) + varint(
                    len(value.content)) + value.content
            case Layout():
                kind = self._types[_VHLO, varint(vhlo.TENSOR) + _several([_signed(len(value.order))]) + varint(
                    self._types[_VHLO, varint(vhlo.INDEX)])]
                content = b"".join(n.to_bytes(8, "little") for n in value.order)
                return varint(vhlo.CONSTANT) + varint(kind) + varint(len(content)) + content
            case FunctionType():
                return varint(vhlo.TYPE) + varint(self._type(value))
        raise unwritten(f"An attribute {value!r}", "its form is not written")

    # Operations

    def _function(self, function: FunctionText) -> bytes:
        kind = FunctionType(tuple(v.type for v in function.body.arguments), tuple(function.outputs))
        of_arguments = [dict(each) for each in function.attributes] if any(function.attributes) else []
        properties = b"".join(varint(self._attribute(each)) for each in (
            of_arguments, kind, [], function.name, function.visibility))
        return self._instruction(
            self._names[_VHLO, "func_v1"], properties=self._properties[properties],
            regions=[self._region(function.body, {}, 0)], is_isolated=True)

    def _region(self, region: Region, numbers: dict[Value, int], start: int) -> bytes:
        """A region; its values' numbers begin at `start`, and those of regions in it after its own."""
        own = [*region.arguments, *(v for operation in region.operations for v in operation.results)]
        numbers.update((value, start + i) for i, value in enumerate(own))
        end = start + len(own)
        block = [varint(1), varint(len(own)), _flagged(len(region.operations), bool(region.arguments))]
        if region.arguments:
            block.append(_several([_flagged(self._type(v.type), False) for v in region.arguments]) + b"\x00")
        block += [self._statement(operation, numbers, end) for operation in region.operations]
        return b"".join(block)

    def _statement(self, operation: Statement, numbers: dict[Value, int], end: int) -> bytes:
        name, properties, since = translated(operation)
        self._version = max(self._version, since)
        content = b"".join(varint(self._attribute(value)) for value in properties.values())
        further = [varint(self._own_text(key)) + varint(self._attribute(value))
                   for key, value in operation.attributes.items() if "." in key]
        return self._instruction(
            self._names[_VHLO, name], attributes=self._own(_DICTIONARY, _several(further)) if further else None,
            properties=self._properties[content] if properties else None,
            results=[self._type(v.type) for v in operation.results], operands=[numbers[v] for v in operation.operands],
            regions=[self._region(region, numbers, end) for region in operation.regions])

    def _instruction(
        self, name: int, *, attributes: int | None = None, properties: int | None = None, results: Sequence[int] = (),
        operands: Sequence[int] = (), regions: Sequence[bytes] = (), is_isolated: bool = False,
    ) -> bytes:
        mask = (
            bytecode.HAS_ATTRIBUTES * (attributes is not None) | bytecode.HAS_PROPERTIES * (properties is not None)
            | bytecode.HAS_RESULTS * bool(results) | bytecode.HAS_OPERANDS * bool(operands)
            | bytecode.HAS_REGIONS * bool(regions))
        parts = [varint(name), bytes([mask]), varint(self._location)]
        parts += [varint(n) for n in (attributes, properties) if n is not None]
        parts += [_numbers(part) for part in (results, operands) if part]
        if regions:
            inside = b"".join(regions)
            parts += [_flagged(len(regions), is_isolated),
                      _section(bytecode.OPERATIONS, inside) if is_isolated else inside]
        return b"".join(parts)


__all__ = ["portable_artefact", "varint"]
