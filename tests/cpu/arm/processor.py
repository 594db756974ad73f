# SPDX-License-Identifier: Apache-2.0
"""`Processor`: an ARM processor of 64 bits, emulated, that works on this process's memory.

The emulator is Unicorn, which is QEMU's. Its memory is this process's at the same addresses, so that code finds the
arrays that tables point to. Code lies in an area of its own; where it calls anything else, such as the C library or
LAPACK, this process's function is called.
"""

from __future__ import annotations

import ctypes
import mmap
import threading

import unicorn
from unicorn import arm64_const as arm

_AREA = 1 << 26  # bytes of memory that are mapped together
_CODE = 1 << 28  # bytes for code
_STACK = 1 << 20
_FLOATS_ON, _SVE_ON, _EVERY_EXCEPTION_LEVEL = 0x30_0000, 0x3_0000, 0x100
_ARGUMENTS, _ON_STACK = 8, 16  # words that a function of this process is given
_RESULT, _LINK = arm.UC_ARM64_REG_X0, arm.UC_ARM64_REG_LR
_LEAVES = (unicorn.UC_ERR_FETCH_UNMAPPED, unicorn.UC_ERR_FETCH_PROT)

_FUNCTION = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * (_ARGUMENTS + _ON_STACK))


class Processor:
    """One processor.

    Args:
        vector_bits: The length of SVE's vectors.

    Attributes:
        entries: The addresses of functions, by those under which this process calls them.
    """

    def __init__(self, vector_bits: int) -> None:
        self._lock = threading.RLock()
        self._emulator = unicorn.Uc(unicorn.UC_ARCH_ARM64, unicorn.UC_MODE_ARM)
        self._emulator.ctl_set_cpu_model(arm.UC_CPU_ARM64_MAX)
        # System registers, as (CRn, CRm, op0, op1, op2, value): CPTR_EL3, CPACR_EL1, and ZCR of EL3, EL2 and EL1.
        length = vector_bits // 128 - 1
        for register in ((1, 1, 3, 6, 2, _EVERY_EXCEPTION_LEVEL), (1, 0, 3, 0, 2, _FLOATS_ON | _SVE_ON),
                         (1, 2, 3, 6, 0, length), (1, 2, 3, 4, 0, length), (1, 2, 3, 0, 0, length)):
            self._emulator.reg_write(arm.UC_ARM64_REG_CP_REG, register)
        self._pages: list[mmap.mmap] = []
        self._code = self._memory(_CODE + _AREA)
        self._code = -(-self._code // _AREA) * _AREA
        self._emulator.mem_map_ptr(self._code, _CODE, unicorn.UC_PROT_ALL, self._code)
        self._used = 16  # the first word is where functions return to
        self._stack = self._memory(_STACK) + _STACK
        self._emulator.hook_add(unicorn.UC_HOOK_MEM_READ_UNMAPPED | unicorn.UC_HOOK_MEM_WRITE_UNMAPPED, self._map)
        self.entries: dict[int, int] = {}

    def _memory(self, size: int) -> int:
        pages = mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        self._pages.append(pages)
        return ctypes.addressof(ctypes.c_char.from_buffer(pages))

    def place(self, size: int) -> tuple[memoryview, int]:
        """Memory for code, with its address."""
        with self._lock:
            begin, self._used = self._used, self._used + -(-size // mmap.PAGESIZE) * mmap.PAGESIZE
            if self._used > _CODE:
                raise MemoryError("the area of code is full")
        address = self._code + begin
        return memoryview((ctypes.c_char * size).from_address(address)).cast("B"), address

    def _map(self, emulator: unicorn.Uc, kind: int, address: int, size: int, value: int, data: object) -> bool:
        for area in {address // _AREA, (address + size - 1) // _AREA}:
            emulator.mem_map_ptr(area * _AREA, _AREA, unicorn.UC_PROT_READ | unicorn.UC_PROT_WRITE, area * _AREA)
        return True

    def call(self, address: int, *arguments: int) -> int:
        """Calls a function of integers.

        Args:
            address: Where its code is.
            *arguments: At most 8.
        """
        with self._lock:
            emulator, end = self._emulator, self._code
            emulator.reg_write(arm.UC_ARM64_REG_SP, self._stack)
            emulator.reg_write(_LINK, end)
            for place, argument in enumerate(arguments):
                emulator.reg_write(_RESULT + place, argument)
            while True:
                try:
                    emulator.emu_start(address, end)
                    return int(emulator.reg_read(_RESULT))
                except unicorn.UcError as error:
                    address = emulator.reg_read(arm.UC_ARM64_REG_PC)
                    if error.errno not in _LEAVES:
                        raise RuntimeError(f"{error} at code + {address - self._code:#x}") from error
                    address = self._outside(address)

    def _outside(self, address: int) -> int:
        """Does what is called and is not code of the emulated processor; returns where it goes on."""
        if address in self.entries:
            return self.entries[address]
        emulator = self._emulator
        words = [ctypes.c_int64(emulator.reg_read(_RESULT + place)).value for place in range(_ARGUMENTS)]
        top = emulator.reg_read(arm.UC_ARM64_REG_SP)
        kept = emulator.context_save()
        words += list((ctypes.c_int64 * min(_ON_STACK, (self._stack - top) // 8)).from_address(top))
        words += [0] * (_ARGUMENTS + _ON_STACK - len(words))
        result = _FUNCTION(address)(*words)
        emulator.context_restore(kept)
        emulator.reg_write(_RESULT, result)
        return int(emulator.reg_read(_LINK))
