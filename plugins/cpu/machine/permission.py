# SPDX-License-Identifier: Apache-2.0
"""Permission to use AMX: Linux saves its large registers only for processes that have asked for them."""

from __future__ import annotations

import ctypes
import os
import sys

# Linux's arch_prctl on x86-64, its request for a part of a thread's state, and AMX's tiles among those parts.
# Source: "Using XSTATE features in user space applications" in Linux's documentation for x86.
_ARCH_PRCTL, _REQUEST_PERMISSION, _TILE_DATA = 158, 0x1023, 18
_FEATURE = "+amx-tile"


def permitted(features: str) -> str:
    """The features without those of AMX where the system refuses them; this process's threads have them from here on.

    A child of fork has the permission, too.

    Args:
        features: What the processor has, in LLVM's words.
    """
    parts = features.split(",")
    if _FEATURE not in parts or _asked():
        return features
    return ",".join("-" + part[1:] if part.startswith("+amx") else part for part in parts)


def _asked() -> bool:
    """Asks the system; whether it allows AMX."""
    if sys.platform != "linux" or os.uname().machine != "x86_64":
        return False
    long = ctypes.c_long
    return ctypes.CDLL(None).syscall(long(_ARCH_PRCTL), long(_REQUEST_PERMISSION), long(_TILE_DATA)) == 0
