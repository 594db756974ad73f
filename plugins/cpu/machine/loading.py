# SPDX-License-Identifier: Apache-2.0
"""`load_object`: object code into the memory of this process."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping

from olympus_core.errors.platform import NativeCodeError
from olympus_core.toolkit.stored_data import UnfitData

from .image import Image, rounded
from .object_files import AARCH64, UNDEFINED, X86_64, ObjectFile, Section
from .relocations import CALL, LOAD, RULES, STUB_BYTES, VALUE, Memory, adds_up

__all__ = ["Image", "Layout", "load_object"]

_MACHINES = {"x86_64": X86_64, "aarch64": AARCH64}
_POINTER = 8


def load_object(code: bytes, exports: Iterable[str], imports: Mapping[str, int]) -> tuple[Image, dict[str, int]]:
    """Loads object code whose maker is trusted: it is checked for damage, and not for what it does.

    Args:
        code: Relocatable code for this processor.
        exports: The functions and variables whose addresses are needed.
        imports: Addresses of what the code only declares.

    Returns:
        The memory, which lasts as long as the object does, and the addresses of the exports.

    Raises:
        NativeCodeError: The code is damaged, or a symbol is missing.
        UnfitData: It has what this loader does not know.
    """
    file = ObjectFile(code)
    if file.machine != _MACHINES.get(os.uname().machine):
        raise UnfitData(f"code for another kind of processor: {file.machine}")
    layout = Layout(file)
    image = Image(layout.size)
    with image.memory() as memory:
        addresses = layout.write(memory, image.address, exports, imports)
    image.seal([(layout.code, True), (layout.constants, False)])
    return image, addresses


class Layout:
    """Where the parts of object code lie: code with stubs, constants with the table of addresses, variables.

    Args:
        file: The object code.

    Raises:
        NativeCodeError: It is damaged.
        UnfitData: It has relocations that are not known.

    Attributes:
        code: Bytes of the code.
        constants: Bytes of what is only read.
        size: Bytes of all.
    """

    def __init__(self, file: ObjectFile) -> None:
        self._file, self._rules = file, RULES[file.machine]
        self._stubs: dict[int, int] = {}  # offsets, by the numbers of symbols
        self._table: dict[int, int] = {}
        self._find_indirect()
        self._offsets: dict[int, int] = {}  # by the numbers of sections
        end = self._lay(0, lambda s: s.is_code)
        self.code = _number(self._stubs, end, STUB_BYTES)
        begin = rounded(self.code)
        end = _number(self._table, self._lay(begin, lambda s: not s.is_code and not s.is_written), _POINTER)
        self.constants = end - begin
        self.size = max(1, self._lay(rounded(end), lambda s: s.is_written))

    def _find_indirect(self) -> None:
        """Which symbols need a stub, or an address in the table."""
        for section in self._file.sections.values():
            for offset, kind, symbol, _ in section.relocations:
                rule = self._rules.kinds.get(kind)
                if rule is None or symbol == 0:
                    raise UnfitData(f"a relocation of type {kind}" + " without a symbol" * (symbol == 0))
                if offset + rule.width > section.size:
                    raise NativeCodeError("the object code is damaged: a relocation reaches beyond its section", "")
                if rule.about == CALL:
                    if self._file.symbols[symbol][0] == UNDEFINED:
                        self._stubs[symbol] = 0
                elif rule.about != VALUE:
                    self._table[symbol] = 0

    def _lay(self, begin: int, chosen: Callable[[Section], bool]) -> int:
        for number, section in self._file.sections.items():
            if chosen(section):
                begin = -(-begin // section.alignment) * section.alignment
                self._offsets[number] = begin
                begin += section.size
        return begin

    def write(
        self, memory: Memory, start: int, exports: Iterable[str], imports: Mapping[str, int]
    ) -> dict[str, int]:
        """Writes the code as it runs at an address; the addresses of its exports.

        Args:
            memory: As many zeros as it has bytes.
            start: The address.
            exports: The functions and variables whose addresses are needed.
            imports: Addresses of what the code only declares.

        Raises:
            NativeCodeError: A symbol is missing, or the code is damaged.
            UnfitData: A target is too far.
        """
        addresses = [start + self._offsets[section] + value if section > UNDEFINED else 0
                     for section, value in self._file.symbols]
        names = self._file.names
        for name, number in names.items():
            if self._file.symbols[number][0] == UNDEFINED:
                addresses[number] = imports.get(name, 0)
        found = {name: addresses[names[name]] if name in names else 0 for name in exports}
        missing = [name for name, number in names.items() if not addresses[number]]
        missing += [name for name, address in found.items() if not address]
        if missing:
            raise NativeCodeError(f"symbols are missing: {', '.join(missing)}", "")
        for symbol, offset in self._stubs.items():
            stub = self._rules.stub + addresses[symbol].to_bytes(_POINTER, "little")
            memory[offset:offset + len(stub)] = stub
        for symbol, offset in self._table.items():
            memory[offset:offset + _POINTER] = addresses[symbol].to_bytes(_POINTER, "little")
        for number, section in self._file.sections.items():
            offset = self._offsets[number]
            memory[offset:offset + len(section.content)] = section.content
            if section.relocations:
                self._relocate(memory, start, offset, section, addresses)
        return found

    def _relocate(
        self, memory: Memory, start: int, begin: int, section: Section, addresses: list[int]
    ) -> None:
        kinds, stubs, table = self._rules.kinds, self._stubs, self._table
        for offset, kind, symbol, addend in section.relocations:
            about, _, reach, write = kinds[kind]
            at, target = begin + offset, addresses[symbol]
            place = start + at
            if about != VALUE:
                is_near = -reach <= target + addend - place < reach
                if about == CALL:
                    if not is_near and symbol in stubs:
                        target = start + stubs[symbol]
                elif about != LOAD or not is_near or not adds_up(memory, at):
                    target = start + table[symbol]
            write(memory, at, place, target + addend)


def _number(offsets: dict[int, int], begin: int, size: int) -> int:
    """Lays parts of one size one after the other; returns where they end."""
    if not offsets:
        return begin
    begin = -(-begin // size) * size
    for place, symbol in enumerate(offsets):
        offsets[symbol] = begin + size * place
    return begin + size * len(offsets)
