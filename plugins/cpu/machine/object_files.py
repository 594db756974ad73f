# SPDX-License-Identifier: Apache-2.0
"""`ObjectFile`: the parts of relocatable object code in the ELF64 format, each checked to lie within it.

Source: System V Application Binary Interface, chapters 4 and 5 (https://www.sco.com/developers/gabi/latest/). Plain
Python: most objects have a few dozen symbols and relocations, and arrays' functions cost more than these.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import NamedTuple

from olympus_core.errors.platform import NativeCodeError
from olympus_core.toolkit.stored_data import UnfitData

from .image import PAGE

X86_64, AARCH64 = 62, 183  # e_machine
UNDEFINED = 0  # the section of a symbol that another library has

_MOST_BYTES = 64 << 20  # of what is loaded, so that all parts of an image are near to each other
_HEADER = Struct("<4sBBB9xHHIQQQIHHHHHH")
_SECTION = Struct("<IIQQQQIIQQ")
_SYMBOL = Struct("<IBBHQQ")
_RELOCATION = Struct("<QIIq")

_RELOCATABLE = 1  # e_type
_PROGBITS, _SYMTAB, _RELA, _NOTE, _NOBITS, _REL, _UNWIND = 1, 2, 4, 7, 8, 9, 0x7000_0001  # sh_type
_WRITE, _ALLOC, _EXECUTE = 1, 2, 4  # sh_flags
_KNOWN_FLAGS = _WRITE | _ALLOC | _EXECUTE | 0x10 | 0x20 | 0x40  # and MERGE, STRINGS, INFO_LINK
_MOST_SECTIONS = 0xFEFF  # numbers above have a meaning of their own
_LOCAL, _GLOBAL = 0, 1  # bindings
_LAST_KNOWN = 3  # of the types of symbols: nothing, data, function, section


class _Header(NamedTuple):
    """Of a section, in the format's order."""

    name: int
    type: int
    flags: int
    address: int
    offset: int
    size: int
    link: int
    info: int
    alignment: int
    entry: int


# A place in a section that depends on an address: its offset, what is put there, the number of a symbol, what is added.
Relocation = tuple[int, int, int, int]


class Section(NamedTuple):
    """A part of the memory of what is loaded: its first bytes, the rest is zeros."""

    content: bytes
    size: int
    alignment: int
    is_code: bool
    is_written: bool
    relocations: Sequence[Relocation]


class ObjectFile:
    """The parts of object code that are loaded.

    Args:
        code: The bytes.

    Raises:
        NativeCodeError: They contradict themselves.
        UnfitData: They have parts that this reader does not know.

    Attributes:
        machine: The number of the processor's kind.
        sections: The sections that are loaded, by their numbers.
        symbols: The section and the value of each symbol; a section that is not loaded is -1.
        names: The numbers of the symbols that others see, or that others have, by their names.
    """

    def __init__(self, code: bytes) -> None:
        self._code = code
        self.machine = 0
        self._headers = self._section_headers()
        tables = [n for n, header in enumerate(self._headers) if header.type == _SYMTAB]
        if len(tables) != 1:
            raise UnfitData(f"{len(tables)} tables of symbols")
        rows = list(_SYMBOL.iter_unpack(self._rows(tables[0], _SYMBOL)))
        relocations = self._relocations(tables[0], len(rows))
        self.sections = {
            n: self._section(n, header, relocations.get(n, ())) for n, header in enumerate(self._headers)
            if header.flags & _ALLOC and header.type not in (_NOTE, _UNWIND)
        }
        if sum(section.size for section in self.sections.values()) > _MOST_BYTES:
            raise UnfitData("it needs too much memory")
        self.symbols: list[tuple[int, int]] = []
        self.names: dict[str, int] = {}
        self._read_symbols(rows, self._headers[tables[0]].link)

    def _section_headers(self) -> list[_Header]:
        code = self._code
        if len(code) < _HEADER.size or code[:4] != b"\x7fELF":
            raise UnfitData("it is not in the ELF format")
        _, bits, order, version, kind, self.machine, _, _, _, start, _, _, _, _, size, count, _ = (
            _HEADER.unpack_from(code))
        if (bits, order, version, kind) != (2, 1, 1, _RELOCATABLE):
            raise UnfitData("it is no relocatable code of 64 bits, the least byte first")
        if not 0 < count <= _MOST_SECTIONS or size != _SECTION.size:
            raise UnfitData(f"{count} sections with headers of {size} bytes")
        if start + count * size > len(code):
            raise _broken("the headers of its sections reach beyond its end")
        return [_Header(*words) for words in _SECTION.iter_unpack(code[start:start + count * size])]

    def _content(self, number: int) -> bytes:
        header = self._headers[number]
        if header.offset + header.size > len(self._code):
            raise _broken(f"section {number} reaches beyond its end")
        return self._code[header.offset:header.offset + header.size]

    def _rows(self, number: int, kind: Struct) -> bytes:
        content = self._content(number)
        if self._headers[number].entry != kind.size or len(content) % kind.size:
            raise _broken(f"section {number} has rows of another size")
        return content

    def _relocations(self, table: int, symbols: int) -> dict[int, Sequence[Relocation]]:
        found: dict[int, Sequence[Relocation]] = {}
        for number, header in enumerate(self._headers):
            if header.type not in (_RELA, _REL):
                continue
            target = header.info
            if not 0 < target < len(self._headers) or header.link != table:
                raise _broken(f"section {number} relocates what is not there")
            if not self._headers[target].flags & _ALLOC:
                continue
            if header.type == _REL or target in found:
                raise UnfitData(f"relocations of type {header.type}, or several tables of them")
            rows = list(_RELOCATION.iter_unpack(self._rows(number, _RELOCATION)))
            if any(symbol >= symbols for _, _, symbol, _ in rows):
                raise _broken(f"section {number} names symbols beyond their table")
            found[target] = rows
        return found

    def _section(self, number: int, header: _Header, relocations: Sequence[Relocation]) -> Section:
        flags, alignment = header.flags, max(1, header.alignment)
        is_code, is_written = bool(flags & _EXECUTE), bool(flags & _WRITE)
        if header.type not in (_PROGBITS, _NOBITS) or flags & ~_KNOWN_FLAGS or (is_code and is_written):
            raise UnfitData(f"a section of type {header.type:#x} with flags {flags:#x}")
        if alignment & (alignment - 1):
            raise _broken(f"section {number} is aligned to {alignment} bytes")
        if alignment > PAGE:
            raise UnfitData(f"a section aligned to {alignment} bytes")
        content = self._content(number) if header.type == _PROGBITS else b""
        if relocations and not content:
            raise _broken(f"section {number} has no bytes and is relocated")
        return Section(content, header.size, alignment, is_code, is_written, relocations)

    def _read_symbols(self, rows: Sequence[tuple[int, ...]], strings: int) -> None:
        if not 0 < strings < len(self._headers):
            raise _broken("the table of symbols has no names")
        names = self._content(strings)
        used = {symbol for s in self.sections.values() for _, _, symbol, _ in s.relocations}
        for number, (start, info, _, section, value, _) in enumerate(rows):
            is_local = info >> 4 == _LOCAL
            if is_local and number not in used:
                self.symbols.append((-1, 0))
                continue
            if info & 15 > _LAST_KNOWN or info >> 4 not in (_LOCAL, _GLOBAL):
                raise UnfitData(f"a symbol of type and binding {info:#x}")
            if section != UNDEFINED:
                if section not in self.sections:
                    raise UnfitData("a symbol of a section that is not loaded")
                if value > self.sections[section].size:
                    raise _broken(f"symbol {number} lies beyond its section")
            elif is_local:
                raise _broken(f"symbol {number} is local and defined nowhere")
            self.symbols.append((section, value))
            if not is_local:
                end = names.find(b"\0", start)
                if not 0 < start < end:
                    raise _broken(f"symbol {number} has a name outside of its table")
                self.names[names[start:end].decode(errors="replace")] = number


def _broken(reason: str) -> NativeCodeError:
    return NativeCodeError(f"the object code is damaged: {reason}", "")
