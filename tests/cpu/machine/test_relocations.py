# SPDX-License-Identifier: Apache-2.0
"""Code for ARM, laid out without such a processor: what its instructions address, decoded from their words."""

from __future__ import annotations

import struct

import pytest

from olympus_core.errors.platform import NativeCodeError
from olympus_core.toolkit.stored_data import UnfitData
from olympus_cpu.codegen.target import Target
from olympus_cpu.machine.image import rounded
from olympus_cpu.machine.loading import Layout
from olympus_cpu.machine.object_files import ObjectFile
from olympus_cpu.machine.relocations import RULES

from .objects import EXPORTS, object_code

START, FAR, THERE = 0x7F12_3456_7000, 0x7E00_0000_1230, 0x5555_0000_0048
ARM = Target.named("neoverse")


def _signed(value: int, bits: int) -> int:
    return value - (1 << bits) if value >> bits - 1 else value


class Decoded:
    """Follows pairs of instructions that address memory, and calls (Arm Architecture Reference Manual, C6.2)."""

    def __init__(self, memory: bytes, begin: int, end: int) -> None:
        self.addressed: list[int] = []  # by adrp and an add, or by adrp and a load from there
        self.called: list[int] = []
        pages: dict[int, int] = {}
        for at in range(begin, end, 4):
            (word,) = struct.unpack_from("<I", memory, at)
            target, source = word & 31, word >> 5 & 31
            if word & 0x9F00_0000 == 0x9000_0000:
                distance = _signed((word >> 5 & 0x7_FFFF) << 2 | word >> 29 & 3, 21)
                pages[target] = (START + at & ~0xFFF) + (distance << 12)
            elif word & 0xFFC0_0000 == 0x9100_0000 and source in pages:
                self.addressed.append(pages[source] + (word >> 10 & 0xFFF))
            elif word & 0xFFC0_0000 in (0xF940_0000, 0xF900_0000) and source in pages:
                self.addressed.append(pages[source] + 8 * (word >> 10 & 0xFFF))
            elif word & 0x7C00_0000 == 0x1400_0000:
                self.called.append(START + at + 4 * _signed(word & 0x3FF_FFFF, 26))


@pytest.mark.parametrize("level", [0, 2])
def test_instructions_address_what_they_name(level: int) -> None:
    file = ObjectFile(object_code(target=ARM, level=level))
    layout = Layout(file)
    memory = bytearray(layout.size)
    found = layout.write(memory, START, EXPORTS, {"far": FAR, "there": THERE})
    own = found["own"] - START
    decoded = Decoded(bytes(memory), 0, layout.code - layout.code % 16)
    # The variable from elsewhere is read by its address, which stands among the constants.
    tables = [a for a in decoded.addressed if memory[a - START:a - START + 8] == THERE.to_bytes(8, "little")]
    assert len(tables) >= 2 and len(set(tables)) == 1
    constants = [a for a in decoded.addressed if memory[a - START:a - START + 32] == struct.pack("<4q", 5, 6, 7, 8)]
    assert len(set(constants)) == 1
    variables = [struct.unpack_from("<q", memory, a - START)[0] for a in decoded.addressed
                 if a - START >= rounded(layout.code) + layout.constants]
    assert set(variables) == {0, 3}  # count and start
    # The function from elsewhere is out of reach: its stub loads the address that follows it.
    outside = [a for a in decoded.called if a - START >= layout.code - 16]
    assert len(outside) == 1
    load, jump, address = struct.unpack_from("<IIQ", memory, outside[0] - START)
    assert load & 0xFF00_0000 == 0x5800_0000 and outside[0] + 4 * (load >> 5 & 0x7_FFFF) == outside[0] + 8
    assert load & 31 == 16 and jump == 0xD61F_0000 | 16 << 5 and address == FAR
    assert START + own in decoded.called
    assert all(START <= a < START + layout.size for a in decoded.addressed)


def test_calls_within_reach_need_no_stub() -> None:
    layout = Layout(ObjectFile(object_code(target=ARM)))
    memory = bytearray(layout.size)
    near = START - (100 << 20)
    layout.write(memory, START, EXPORTS, {"far": near, "there": THERE})
    assert near in Decoded(bytes(memory), 0, layout.code).called


@pytest.mark.parametrize("machine", sorted(RULES))
def test_what_is_too_far_or_not_aligned_is_told(machine: int) -> None:
    for rule in RULES[machine].kinds.values():
        if rule.reach < 1 << 63:
            for away in (rule.reach + (1 << 13), -rule.reach - (1 << 13)):
                with pytest.raises(UnfitData, match="too far"):
                    rule.write(bytearray(8), 0, 1 << 40, (1 << 40) + away)
            for within in (rule.reach - (1 << 13), -rule.reach + (1 << 13)):
                rule.write(bytearray(8), 0, 1 << 40, (1 << 40) + within)
    if machine == 183:
        for kind, value in ((286, 4), (299, 8), (283, 2)):
            with pytest.raises(NativeCodeError, match="not aligned"):
                RULES[machine].kinds[kind].write(bytearray(8), 0, 1 << 20, (1 << 20) + value)
        with pytest.raises(NativeCodeError, match="not aligned"):
            RULES[machine].kinds[275].write(bytearray(8), 2, 1 << 20, 1 << 20)
