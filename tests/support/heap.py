# SPDX-License-Identifier: Apache-2.0
"""How much of the C library's memory is in use: exact, where resident memory is a matter of what the system took."""

from __future__ import annotations

import ctypes
import gc

import pytest

_FIELDS = ("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost")


class _Figures(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in _FIELDS]


def bytes_in_use() -> int:
    """Bytes of the blocks that somebody has, after a collection of garbage."""
    library = ctypes.CDLL(None)
    if not hasattr(library, "mallinfo2"):
        pytest.skip("this C library does not tell what it has given away")
    library.mallinfo2.restype = _Figures
    gc.collect()
    figures = library.mallinfo2()
    return int(figures.uordblks + figures.hblkhd)
