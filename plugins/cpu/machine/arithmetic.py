# SPDX-License-Identifier: Apache-2.0
"""What the bits of results depend on: `arithmetic` says it of this process, for others of its job to compare."""

from __future__ import annotations

from olympus_core.errors.platform import NativeCodeError
from olympus_core.plugin import PlatformSettings

from .description import Description, description


def fuses(triple: str, features: str) -> bool:
    """Whether there are fused multiply-adds.

    Args:
        triple: LLVM's name of the architecture and the system.
        features: What the processor has, in LLVM's words.
    """
    return triple.startswith(("aarch64", "arm64")) or "+fma" in features.split(",")


def multiplies_tiles_of_bfloats(features: str) -> bool:
    """Whether an instruction multiplies tiles of bfloat16 (x86: AMX-BF16).

    Args:
        features: What the processor has, in LLVM's words.
    """
    return {"+amx-tile", "+amx-bf16"} <= set(features.split(","))


def arithmetic(settings: PlatformSettings) -> str:
    """How this process computes: where it is the same in two, results have the same bits, decompositions aside.

    Args:
        settings: The runtime's settings of the platform.
    """
    if settings.reproducible:
        return "that of every processor (OLYMPUS_REPRODUCIBLE)"
    try:
        return _of(description())
    except NativeCodeError:  # there is no LLVM for this machine
        return "NumPy's"


def _of(found: Description) -> str:
    fused = "fused multiply-adds" if fuses(found.triple, found.features) else "no fused multiply-adds"
    return f"{fused}, products of bfloat16 by AMX" if multiplies_tiles_of_bfloats(found.features) else fused
