# SPDX-License-Identifier: Apache-2.0
"""`Target`: the processor that code is generated for, its features, and the width of its vectors."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from olympus_core.dataclass import dataclass

from ..machine.arithmetic import fuses, multiplies_tiles_of_bfloats
from ..machine.description import Description, description

ELEMENT_BITS = {
    "i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64, "half": 16, "bfloat": 16, "float": 32, "double": 64, "ptr": 64,
}

_SHORT_SQUARE = 4

_LAYOUTS = {
    "x86_64": "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128",
    "aarch64": "e-m:e-p270:32:32-p271:32:32-p272:64:64-i8:8:32-i16:16:32-i64:64-i128:128-n32:64-S128-Fn32",
}

# Processors that tests generate code for: architecture, LLVM's name, features, width of vectors. ARM's: NEON, and SVE
# with vectors of 256 and of 512 bits.
_NAMED = {
    "x86-64": ("x86_64", "x86-64", "+sse2", 128),
    "haswell": ("x86_64", "haswell", "+sse2,+sse4.1,+avx,+avx2,+fma,+f16c", 256),
    "skylake-avx512": (
        "x86_64", "skylake-avx512",
        "+sse2,+sse4.1,+avx,+avx2,+fma,+f16c,+avx512f,+avx512dq,+avx512bw,+avx512vl,+avx512cd", 512,
    ),
    "icelake-server": (
        "x86_64", "icelake-server",
        "+sse2,+sse4.1,+avx,+avx2,+fma,+f16c,+avx512f,+avx512dq,+avx512bw,+avx512vl,+avx512cd,+avx512vnni", 512,
    ),
    "znver4": (
        "x86_64", "znver4",
        "+sse2,+sse4.1,+avx,+avx2,+fma,+f16c,+avx512f,+avx512dq,+avx512bw,+avx512vl,+avx512cd,+avx512vnni,+avx512bf16",
        512,
    ),
    "alderlake": ("x86_64", "alderlake", "+sse2,+sse4.1,+avx,+avx2,+fma,+f16c,+avxvnni", 256),
    "neoverse": ("aarch64", "neoverse-n1", "+neon,+fp-armv8,+fullfp16", 128),
    "neoverse-v1": ("aarch64", "neoverse-v1", "+neon,+fp-armv8,+fullfp16,+sve", 256),
    "a64fx": ("aarch64", "a64fx", "+neon,+fp-armv8,+fullfp16,+sve", 512),
}


def square_of(lanes: int, is_short: bool) -> int:
    """Rows and columns of what is transposed in registers: small in quick code, of which it is most."""
    return min(lanes, _SHORT_SQUARE) if is_short else lanes


@dataclass(frozen=True, slots=True)
class Target:
    """A processor to generate code for.

    Args:
        triple: LLVM's name of the architecture and the system.
        data_layout: LLVM's description of sizes and alignments.
        cpu: LLVM's name of the processor.
        features: Features in addition to those of the name, as ``"+avx2,-sse4a"``.
        vector_bits: Width of the vectors that generated code works with.
        has_fma: Whether multiply-adds are fused: the processor has instructions for it, or they are emulated.
        has_half: Whether there are instructions to convert between float16 and float32.
        has_avx512: Whether 512-bit instructions with masks are there.
        has_rounding: Whether there are instructions for floor, ceil, trunc and rint.
        scalable_bits: The length of the processor's scalable vectors (ARM: SVE); 0 where there are none.
        emulates_fma: Whether fused multiply-adds are written out, since the processor has none.
        is_reproducible: Whether code gives the same bits on every target.
    """

    triple: str
    data_layout: str
    cpu: str
    features: str
    vector_bits: int
    has_fma: bool
    has_half: bool
    has_avx512: bool
    has_rounding: bool
    scalable_bits: int = 0
    emulates_fma: bool = False
    is_reproducible: bool = False

    @property
    def is_x86(self) -> bool:
        """Whether it is of the x86-64 family."""
        return self.triple.startswith("x86_64")

    @property
    def has_byte_dots(self) -> bool:
        """Whether an instruction adds four products of bytes to each 32-bit element of a vector (x86: VNNI)."""
        has = self.features.split(",")
        if self.vector_bits == 512:
            return "+avx512vnni" in has
        return "+avxvnni" in has or {"+avx512vnni", "+avx512vl"} <= set(has)

    @property
    def has_bfloat_dots(self) -> bool:
        """Whether two products of bfloat16 are added to each float32 of a vector by an instruction (AVX512-BF16).

        Not where bits are the same on every target: that every maker's instruction rounds like this is not promised.
        """
        has = set(self.features.split(","))
        is_there = "+avx512bf16" in has and (self.vector_bits == 512 or "+avx512vl" in has)
        return is_there and not self.is_reproducible

    @property
    def has_two_wide_fmas(self) -> bool:
        """Whether a core multiplies and adds two vectors of 512 bits at once: Intel's, and AMD's from Zen 5 on."""
        return self.has_avx512 and self.vector_bits == 512 and self.cpu != "znver4"

    @property
    def has_amx_bytes(self) -> bool:
        """Whether an instruction multiplies tiles of bytes (x86: AMX-INT8)."""
        return {"+amx-tile", "+amx-int8"} <= set(self.features.split(","))

    @property
    def has_amx_bfloats(self) -> bool:
        """Whether tiles of bfloat16 are multiplied by an instruction (AMX-BF16): as `has_bfloat_dots`."""
        return multiplies_tiles_of_bfloats(self.features) and not self.is_reproducible

    def lanes(self, element: str) -> int:
        """Elements of this type in one vector."""
        return max(1, self.vector_bits // max(8, ELEMENT_BITS[element]))

    def attributes(self) -> str:
        """The attributes that every generated function carries."""
        width = self.vector_bits
        # Without these LLVM splits 512-bit vectors in two on processors whose clock slows down with them.
        wide = f' "min-legal-vector-width"="{width}" "prefer-vector-width"="{width}"' if self.is_x86 else ""
        # With the exact length LLVM takes SVE for vectors of fixed width, which else become several of NEON's.
        parts = self.scalable_bits // 128 if self.scalable_bits >= width > 128 else 0
        exact = f" vscale_range({parts},{parts})" if parts else ""
        return f'nounwind{exact} "no-trapping-math"="true"{wide}'

    def machine(self, level: int = 2) -> Any:
        """LLVM's code generator for this target, position-independent."""
        import llvmlite.binding as llvm

        if self.triple == llvm.get_process_triple():
            llvm.initialize_native_target()
            llvm.initialize_native_asmprinter()
            llvm.initialize_native_asmparser()
        else:
            llvm.initialize_all_targets()
            llvm.initialize_all_asmprinters()
        return llvm.Target.from_triple(self.triple).create_target_machine(
            cpu=self.cpu, features=self.features, opt=level, reloc="pic", codemodel="small", jit=True
        )

    @staticmethod
    def host(vector_bits: int | None = None) -> Target:
        """This machine's processor.

        Args:
            vector_bits: Width of vectors; None for the one that was chosen, or the widest that the processor has.
        """
        return _of(description(), vector_bits)

    @staticmethod
    def named(name: str, is_reproducible: bool = False) -> Target:
        """A processor that need not be this machine's: one of ``x86-64 haswell skylake-avx512 icelake-server
        znver4 alderlake neoverse neoverse-v1 a64fx``.

        Args:
            name: Its name.
            is_reproducible: Whether code gives the same bits on every target.
        """
        architecture, cpu, features, width = _NAMED[name]
        triple = f"{architecture}-unknown-linux-gnu"
        scalable = width if "+sve" in features else 0
        return _target(triple, _LAYOUTS[architecture], cpu, features, scalable, width, is_reproducible)


@lru_cache(maxsize=16)
def _of(found: Description, width: int | None) -> Target:
    width = found.vector_bits if width is None else width
    return _target(found.triple, found.layout, found.cpu, found.features, found.scalable_bits, width,
                   found.is_reproducible)


def _target(
    triple: str, layout: str, cpu: str, features: str, scalable: int, width: int | None, is_reproducible: bool
) -> Target:
    has = frozenset(part[1:] for part in features.split(",") if part.startswith("+"))
    arm = triple.startswith(("aarch64", "arm64"))
    if width is None:
        # SVE of 256 bits does no more in a cycle than NEON on the processors that have it: see docs/decisions/0101.
        width = 512 if "avx512f" in has or scalable >= 512 else 256 if "avx2" in has else 128
    fused = fuses(triple, features)
    return Target(
        triple, layout, cpu, features, width, fused or is_reproducible, arm or "f16c" in has, "avx512f" in has,
        arm or "sse4.1" in has, scalable, is_reproducible and not fused, is_reproducible,
    )
