# SPDX-License-Identifier: Apache-2.0
"""`processor`: all that tells one processor's instructions from another's, read without LLVM."""

from __future__ import annotations

import ctypes
import os
import sys

from olympus_core.toolkit.stored_data import UnfitData

from .image import Image

__all__ = ["processor", "scalable_vector_bits"]

# void ask(u32 leaf, u32 part, u32 answer[4]):
#   push rbx; mov eax, edi; mov ecx, esi; mov r8, rdx; cpuid
#   mov [r8], eax; mov [r8 + 4], ebx; mov [r8 + 8], ecx; mov [r8 + 12], edx; pop rbx; ret
CPUID = bytes.fromhex("53 89f8 89f1 4989d0 0fa2 418900 41895804 41894808 4189500c 5b c3")
# u64 enabled(): xor ecx, ecx; xgetbv; shl rdx, 32; or rax, rdx; ret
XGETBV = bytes.fromhex("31c9 0f01d0 48c1e220 4809d0 c3")
_SECOND = 64  # where the second function begins

# Parts of cpuid's answers that say what instructions there are: all four registers, without the words of the number of
# this core, of sizes, and of how many cores there are. Source: Intel's manual, volume 2A, CPUID.
_LEAVES = (0, 0), (1, 0), (7, 0), (7, 1), (7, 2), (13, 1), (0x14, 0), (0x19, 0), (0x1E, 1), (0x24, 0), (0x29, 0)
_EXTENDED = 0x8000_0000
_MORE_LEAVES = (_EXTENDED + 1, 0), (_EXTENDED + 7, 0), (_EXTENDED + 8, 0), (_EXTENDED + 0x21, 0)
_VOLATILE = {1: (1,), 13: (1,), _EXTENDED + 8: (0, 2, 3)}
_XSAVE = 1 << 27  # in the third word of leaf 1: xgetbv may be asked

# Linux's request for the length of SVE's vectors, and the bits of its answer that are the length in bytes.
# Source: "Scalable Vector Extension support for AArch64 Linux", section 5.
_GET_LENGTH, _LENGTH_BYTES = 51, 0xFFFF

# The lines of /proc/cpuinfo that tell ARM's processors apart, each once.
_LINES = ("CPU implementer", "CPU architecture", "CPU variant", "CPU part", "CPU revision", "Features", "Hardware")


def processor() -> str:
    """The processor's kind and features, as the processor or the system tells them.

    Raises:
        UnfitData: They are not told.
    """
    machine = os.uname().machine if sys.platform == "linux" else ""
    if machine == "x86_64":
        return f"x86_64 {_from_processor()}"
    if machine == "aarch64":
        return f"aarch64 {_from_system()}; {scalable_vector_bits()}"
    raise UnfitData(f"the processor of {sys.platform} {machine} is not known without LLVM")


def scalable_vector_bits() -> int:
    """The length of SVE's vectors, which the system may have set below the processor's; 0 without SVE."""
    if sys.platform != "linux" or os.uname().machine != "aarch64":
        return 0
    return 8 * (max(0, ctypes.CDLL(None).prctl(_GET_LENGTH, 0, 0, 0, 0)) & _LENGTH_BYTES)


def _from_processor() -> str:
    image = Image(_SECOND + len(XGETBV))
    with image.memory() as code:
        code[:len(CPUID)] = CPUID
        code[_SECOND:_SECOND + len(XGETBV)] = XGETBV
    image.seal([(_SECOND + len(XGETBV), True)])
    ask = ctypes.CFUNCTYPE(None, ctypes.c_uint32, ctypes.c_uint32, ctypes.c_void_p)(image.address)
    answer = (ctypes.c_uint32 * 4)()

    def words(leaf: int, part: int) -> list[int]:
        ask(leaf, part, ctypes.addressof(answer))
        return list(answer)

    most, most_extended = words(0, 0)[0], words(_EXTENDED, 0)[0]
    found = []
    for leaf, part in (*_LEAVES, *_MORE_LEAVES):
        if leaf <= (most_extended if leaf >= _EXTENDED else most):
            told = words(leaf, part)
            for word in _VOLATILE.get(leaf, ()):
                told[word] = 0
            found.append(f"{leaf:x}.{part}:" + ".".join(f"{word:x}" for word in told))
    if words(1, 0)[2] & _XSAVE:
        found.append(f"xcr0:{ctypes.CFUNCTYPE(ctypes.c_uint64)(image.address + _SECOND)():x}")
    return " ".join(found)


def _from_system() -> str:
    try:
        with open("/proc/cpuinfo") as file:
            lines = [line.strip() for line in file if line.startswith(_LINES)]
    except OSError as error:
        raise UnfitData("/proc/cpuinfo cannot be read") from error
    if not lines:
        raise UnfitData("/proc/cpuinfo says nothing of the processor")
    return "; ".join(dict.fromkeys(lines))
