# SPDX-License-Identifier: Apache-2.0
"""MLIR's bytecode, as portable artefacts of StableHLO are: sections, attributes, operations in blocks in regions.

The format is MLIR's (mlir.llvm.org/docs/BytecodeFormat), versions 0 to 6. What is made are plain objects; nothing here
knows what an operation means. Each list is bounded by the bytes that it was read from.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from olympus_core.errors import ArtefactError

MAGIC = b"ML\xefR"
_NEWEST = 6
STRINGS, DIALECTS, ATTRIBUTES, OFFSETS, OPERATIONS, PROPERTIES = 0, 1, 2, 3, 4, 8
_USE_LISTS, _NO_LOCATIONS, _NATIVE_PROPERTIES = 3, 4, 5  # versions that brought these
_LAZY, _VERSIONED = 2, 1
HAS_ATTRIBUTES, HAS_RESULTS, HAS_OPERANDS, HAS_SUCCESSORS, HAS_REGIONS, HAS_ORDERS, HAS_PROPERTIES = (
    1 << i for i in range(7))
_MOST_NESTED = 64
_MOST_ALIGNMENT = 1 << 16


class Reader:
    """Reads numbers off bytes.

    Args:
        data: The bytes.

    Raises:
        ArtefactError: By all methods, where the bytes end.
    """

    __slots__ = ("_at", "_data")

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0

    @property
    def left(self) -> int:
        """The number of bytes that are left."""
        return len(self._data) - self._at

    def byte(self) -> int:
        """A byte."""
        return self.take(1)[0]

    def take(self, size: int) -> bytes:
        """So many bytes."""
        if size > self.left:
            raise ArtefactError("its module ends before it should")
        self._at += size
        return self._data[self._at - size:self._at]

    def number(self) -> int:
        """A varint: the zeros at the end of its first byte tell how many bytes follow."""
        first = self.byte()
        if first & 1:
            return first >> 1
        if first == 0:
            return int.from_bytes(self.take(8), "little")
        more = (first & -first).bit_length() - 1
        return (first | int.from_bytes(self.take(more), "little") << 8) >> (more + 1)

    def signed(self) -> int:
        """A signed varint."""
        found = self.number()
        return (found >> 1) ^ -(found & 1)

    def flagged(self) -> tuple[int, bool]:
        """A varint whose lowest bit is a flag."""
        found = self.number()
        return found >> 1, bool(found & 1)

    def several(self, read: Callable[[], Any]) -> list[Any]:
        """A list of what takes a byte or more each."""
        return [read() for _ in range(self.bounded())]

    def bounded(self) -> int:
        """A number of things that take a byte or more each."""
        found = self.number()
        if found > self.left:
            raise ArtefactError("a list of its module is longer than the module")
        return found

    def text(self) -> bytes:
        """Bytes that end with a zero."""
        end = self._data.find(b"\x00", self._at)
        if end < 0:
            raise ArtefactError("its module ends before it should")
        found = self._data[self._at:end]
        self._at = end + 1
        return found

    def section(self) -> tuple[int, bytes]:
        """A section's number and content."""
        kind, size = self.byte(), self.number()
        if kind & 0x80:
            alignment = self.number()
            if not 0 < alignment <= _MOST_ALIGNMENT:
                raise ArtefactError("a section of its module has an alignment that is none")
            self.take(-self._at % alignment)
        return kind & 0x7F, self.take(size)


@dataclass(slots=True, eq=False)
class Block:
    """Operations in a row.

    Attributes:
        arguments: The types of its arguments, by their numbers.
        first: The number of the value that its first argument is.
        operations: The operations.
    """

    arguments: list[int]
    first: int
    operations: list[Instruction] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Instruction:
    """An operation.

    Attributes:
        name: With its dialect: ``vhlo.add_v1``.
        attributes: The number of the dictionary of its attributes; None for none.
        properties: Its properties as bytes.
        results: The types of its results, by their numbers.
        first: The number of the value that its first result is.
        operands: The numbers of its operands' values.
        regions: Its regions: lists of blocks.
    """

    name: str
    attributes: int | None
    properties: bytes
    results: list[int]
    first: int
    operands: list[int]
    regions: list[list[Block]] = field(default_factory=list)


class Bytecode:
    """A module of MLIR's bytecode.

    Args:
        data: The bytes.

    Attributes:
        producer: Who wrote it: ``StableHLO_v1.15.0``.
        block: The top-level block.

    Raises:
        ArtefactError: For bytes that are none.
    """

    def __init__(self, data: bytes) -> None:
        if data[:4] != MAGIC:
            raise ArtefactError("its module is no bytecode", repr(data[:8]))
        reader = Reader(data[4:])
        self.version = reader.number()
        if self.version > _NEWEST:
            raise ArtefactError(f"its module is bytecode of version {self.version}, and {_NEWEST} is the newest known")
        self.producer = reader.text().decode("ascii", "replace")
        sections: dict[int, bytes] = {}
        while reader.left:
            kind, content = reader.section()
            sections[kind] = content
        if not {STRINGS, DIALECTS, ATTRIBUTES, OFFSETS, OPERATIONS} <= set(sections):
            raise ArtefactError("its module lacks a section")
        self.strings = _strings(sections[STRINGS])
        self._names = self._read_dialects(Reader(sections[DIALECTS]))
        self._entries = self._read_entries(Reader(sections[OFFSETS]), sections[ATTRIBUTES])
        properties = Reader(sections.get(PROPERTIES, b"\x01"))
        self._properties = properties.several(lambda: properties.take(properties.number()))
        self.block = _Regions(self, self._properties, self._names).top(Reader(sections[OPERATIONS]))

    @property
    def has_properties(self) -> bool:
        """Whether operations have properties apart from their attributes."""
        return self.version >= _NATIVE_PROPERTIES

    def string(self, number: int) -> str:
        """A string by its number."""
        if number >= len(self.strings):
            raise ArtefactError("its module names a string that it lacks")
        return self.strings[number]

    def entry(self, is_type: bool, number: int) -> tuple[str, bytes]:
        """An attribute or a type, as its dialect and bytes.

        Args:
            is_type: Whether it is a type.
            number: Its number.
        """
        entries = self._entries[is_type]
        if number >= len(entries):
            raise ArtefactError("its module names an attribute or type that it lacks")
        dialect, content, is_coded = entries[number]
        if not is_coded:
            raise ArtefactError("an attribute or type of its module is text, which is not read", repr(content)[:80])
        return dialect, content

    def _read_dialects(self, reader: Reader) -> list[str]:
        self._dialects: list[str] = []
        for _ in range(reader.bounded()):
            if self.version < _VERSIONED:
                self._dialects.append(self.string(reader.number()))
                continue
            number, has_version = reader.flagged()
            if has_version:
                reader.section()
            self._dialects.append(self.string(number))
        if self.version >= _NO_LOCATIONS:
            reader.number()  # of names in all
        names = []
        while reader.left:
            dialect = self._dialect(reader.number())
            for _ in range(reader.bounded()):
                number = reader.flagged()[0] if self.version >= _NATIVE_PROPERTIES else reader.number()
                names.append(f"{dialect}.{self.string(number)}")
        return names

    def _dialect(self, number: int) -> str:
        if number >= len(self._dialects):
            raise ArtefactError("its module names a dialect that it lacks")
        return self._dialects[number]

    def _read_entries(self, reader: Reader, content: bytes) -> tuple[list[tuple[str, bytes, bool]], ...]:
        counts = reader.number(), reader.number()
        data = Reader(content)
        found: list[list[tuple[str, bytes, bool]]] = []
        for count in counts:
            entries: list[tuple[str, bytes, bool]] = []
            while len(entries) < count:
                dialect = self._dialect(reader.number())
                for _ in range(min(reader.bounded(), count)):
                    size, is_coded = reader.flagged()
                    entries.append((dialect, data.take(size), is_coded))
            found.append(entries)
        return tuple(found)


def _strings(content: bytes) -> list[str]:
    reader = Reader(content)
    sizes = reader.several(reader.number)[::-1]
    try:
        return [reader.take(size)[:-1].decode() for size in sizes]
    except UnicodeDecodeError as error:
        raise ArtefactError("a string of its module is none") from error


def _skip_orders(reader: Reader, values: int) -> None:
    """Passes the orders in which values are used, which mean nothing."""
    for _ in range(1 if values == 1 else reader.bounded()):
        if values != 1:
            reader.number()  # which value
        for _ in range(min(reader.flagged()[0], reader.left + 1)):
            reader.number()


class _Regions:
    """Reads operations; values are numbered anew in each region that sees none from outside."""

    def __init__(self, module: Bytecode, properties: Sequence[bytes], names: Sequence[str]) -> None:
        self._version, self._properties, self._names = module.version, properties, names
        # For each open region the number of its next value, and the end of those that are reserved for it.
        self._values: list[list[int]] = []
        self._depth = 0

    def top(self, reader: Reader) -> Block:
        """The top-level block."""
        self._values.append([0, 0])
        return self._block(reader)

    def _block(self, reader: Reader) -> Block:
        count, has_arguments = reader.flagged()
        if count > reader.left:
            raise ArtefactError("a block of its module is longer than the module")
        arguments = []
        first = self._values[-1][0]
        if has_arguments:
            for _ in range(reader.bounded()):
                kind, has_location = reader.flagged() if self._version >= _NO_LOCATIONS else (reader.number(), True)
                arguments.append(kind)
                if has_location:
                    reader.number()
            if self._version >= _USE_LISTS and reader.byte():
                _skip_orders(reader, len(arguments))
        self._values[-1][0] += len(arguments)
        block = Block(arguments, first)
        for _ in range(count):
            block.operations.append(self._instruction(reader))
        return block

    def _instruction(self, reader: Reader) -> Instruction:
        name = reader.number()
        if name >= len(self._names):
            raise ArtefactError("its module has an operation without a name")
        mask = reader.byte()
        reader.number()  # the location
        attributes = reader.number() if mask & HAS_ATTRIBUTES else None
        properties = b""
        if mask & HAS_PROPERTIES and self._version >= _NATIVE_PROPERTIES:
            number = reader.number()
            if number >= len(self._properties):
                raise ArtefactError("its module names properties that it lacks")
            properties = self._properties[number]
        results = reader.several(reader.number) if mask & HAS_RESULTS else []
        operands = reader.several(reader.number) if mask & HAS_OPERANDS else []
        if mask & HAS_SUCCESSORS:
            raise ArtefactError("its module has branches between blocks, which are not read")
        if mask & HAS_ORDERS and self._version >= _USE_LISTS:
            _skip_orders(reader, len(results))
        made = Instruction(self._names[name], attributes, properties, results, self._values[-1][0], operands)
        self._values[-1][0] += len(results)
        if mask & HAS_REGIONS:
            count, is_isolated = reader.flagged()
            if is_isolated and self._version >= _LAZY:
                kind, content = reader.section()
                if kind != OPERATIONS:
                    raise ArtefactError("a region of its module is none")
                reader = Reader(content)
            if count > reader.left or self._depth >= _MOST_NESTED:
                raise ArtefactError("its module has too many regions, or regions that are nested too deep")
            self._depth += 1
            made.regions += [self._region(reader, is_isolated) for _ in range(count)]
            self._depth -= 1
        return made

    def _region(self, reader: Reader, is_isolated: bool) -> list[Block]:
        count = reader.bounded()
        if not count:
            return []
        start = 0 if is_isolated else self._values[-1][1]  # numbers end with the region, and are used again
        self._values.append([start, start + reader.number()])
        blocks = [self._block(reader) for _ in range(count)]
        self._values.pop()
        return blocks


__all__ = ["MAGIC", "Block", "Bytecode", "Instruction", "Reader"]
