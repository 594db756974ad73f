# SPDX-License-Identifier: Apache-2.0
"""The relocations that LLVM writes in position-independent code: what they put where, and the stubs that calls need.

Sources: System V ABI, AMD64 Architecture Processor Supplement, section 4.4 (https://gitlab.com/x86-psABIs/x86-64-ABI)
and appendix B.2 for the loads that become additions; ELF for the Arm 64-bit Architecture, section 5.7
(https://github.com/ARM-software/abi-aa).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from struct import Struct, error
from typing import NamedTuple

from olympus_core.errors.platform import NativeCodeError
from olympus_core.toolkit.stored_data import UnfitData

from .object_files import AARCH64, X86_64

# What a relocation is about: a symbol's address; code, by way of a stub if it is far; an address that stands in the
# table of addresses; the same, to be loaded by an instruction that can also add up what is near.
VALUE, CALL, TABLE, LOAD = range(4)

Memory = memoryview | bytearray


class Rule(NamedTuple):
    """What one kind of relocation is.

    Args:
        about: `VALUE`, `CALL`, `TABLE` or `LOAD`.
        width: The bytes that it changes.
        reach: How far its target may be.
        write: Writes: the memory, the offset there, its address, and the value.
    """

    about: int
    width: int
    reach: int
    write: Callable[[Memory, int, int, int], None]


class Rules(NamedTuple):
    """The relocations of one kind of processor.

    Args:
        kinds: By their numbers.
        stub: The instructions of a jump to the address that follows them.
    """

    kinds: Mapping[int, Rule]
    stub: bytes


STUB_BYTES = 16  # of each, with the address

_I32, _U32, _U64 = Struct("<i"), Struct("<I"), Struct("<Q")
_WORD = (1 << 64) - 1
_NEAR, _PAGES, _BRANCH, _ANYWHERE = 1 << 31, 1 << 32, 1 << 27, 1 << 63
_PAGE_BITS = 12  # of the pages that ARM's instructions count in, however large those of the system are
_MOV, _LEA = 0x8B, 0x8D


def adds_up(memory: Memory, at: int) -> bool:
    """Makes a load of an address its computation: ``mov name@GOTPCREL(%rip), register`` a ``lea name(%rip), register``.

    Args:
        memory: The memory.
        at: Where the operand is.

    Returns:
        Whether there is such a load.
    """
    if at < 2 or memory[at - 2] != _MOV:
        return False
    memory[at - 2] = _LEA
    return True


def _whole(memory: Memory, at: int, place: int, value: int) -> None:
    _U64.pack_into(memory, at, value & _WORD)


def _relative64(memory: Memory, at: int, place: int, value: int) -> None:
    _U64.pack_into(memory, at, value - place & _WORD)


def _relative32(memory: Memory, at: int, place: int, value: int) -> None:
    try:
        _I32.pack_into(memory, at, value - place)
    except error:
        raise UnfitData("a target is too far from the code") from None


def _pages(memory: Memory, at: int, place: int, value: int) -> None:
    pages = (value >> _PAGE_BITS) - (place >> _PAGE_BITS)
    _check(pages, 1 << 20, at & 3)
    _change(memory, at, 0x60FF_FFE0, (pages & 3) << 29 | (pages >> 2 & 0x7_FFFF) << 5)


def _branch(memory: Memory, at: int, place: int, value: int) -> None:
    distance = value - place
    _check(distance >> 2, 1 << 25, (at | distance) & 3)
    _change(memory, at, 0x3FF_FFFF, distance >> 2 & 0x3FF_FFFF)


def _low(shift: int, memory: Memory, at: int, place: int, value: int) -> None:
    low = value & (1 << _PAGE_BITS) - 1
    _check(0, 1, at & 3 | low & (1 << shift) - 1)
    _change(memory, at, 0x3F_FC00, low >> shift << 10)


def _check(distance: int, reach: int, unaligned: int) -> None:
    if unaligned:
        raise NativeCodeError("the object code is damaged: an instruction or its operand is not aligned", "")
    if not -reach <= distance < reach:
        raise UnfitData("a target is too far from the code")


def _change(memory: Memory, at: int, mask: int, bits: int) -> None:
    _U32.pack_into(memory, at, _U32.unpack_from(memory, at)[0] & ~mask | bits)


RULES = {
    X86_64: Rules({
        1: Rule(VALUE, 8, _ANYWHERE, _whole),  # R_X86_64_64
        24: Rule(VALUE, 8, _ANYWHERE, _relative64),  # PC64
        2: Rule(VALUE, 4, _NEAR, _relative32),  # PC32
        4: Rule(CALL, 4, _NEAR, _relative32),  # PLT32
        9: Rule(TABLE, 4, _NEAR, _relative32),  # GOTPCREL
        41: Rule(LOAD, 4, _NEAR, _relative32),  # GOTPCRELX
        42: Rule(LOAD, 4, _NEAR, _relative32),  # REX_GOTPCRELX
    }, bytes.fromhex("ff2500000000")),  # jmp *0(%rip)
    AARCH64: Rules({
        257: Rule(VALUE, 8, _ANYWHERE, _whole),  # R_AARCH64_ABS64
        260: Rule(VALUE, 8, _ANYWHERE, _relative64),  # PREL64
        261: Rule(VALUE, 4, _NEAR, _relative32),  # PREL32
        275: Rule(VALUE, 4, _PAGES, _pages),  # ADR_PREL_PG_HI21
        277: Rule(VALUE, 4, _ANYWHERE, partial(_low, 0)),  # ADD_ABS_LO12_NC
        278: Rule(VALUE, 4, _ANYWHERE, partial(_low, 0)),  # LDST8_ABS_LO12_NC, and those for wider operands
        284: Rule(VALUE, 4, _ANYWHERE, partial(_low, 1)),
        285: Rule(VALUE, 4, _ANYWHERE, partial(_low, 2)),
        286: Rule(VALUE, 4, _ANYWHERE, partial(_low, 3)),
        299: Rule(VALUE, 4, _ANYWHERE, partial(_low, 4)),
        282: Rule(CALL, 4, _BRANCH, _branch),  # JUMP26
        283: Rule(CALL, 4, _BRANCH, _branch),  # CALL26
        311: Rule(TABLE, 4, _PAGES, _pages),  # ADR_GOT_PAGE
        312: Rule(TABLE, 4, _ANYWHERE, partial(_low, 3)),  # LD64_GOT_LO12_NC
    }, bytes.fromhex("5000005800021fd6")),  # ldr x16, .+8; br x16
}
