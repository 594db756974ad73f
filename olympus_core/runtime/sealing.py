# SPDX-License-Identifier: Apache-2.0
"""Memory that is handed out read-only: NumPy can neither write to it nor make it writeable."""

from __future__ import annotations

from typing import Any

import numpy as np

from olympus_core.plugin import Buffer


def sealed(array: np.ndarray) -> np.ndarray:
    """The same memory as an array that cannot be made writeable.

    A locked array can be unlocked by whoever holds it, and a view of one through its base. What this one stands on is a
    memory view that is read-only for good, which NumPy asks.

    Args:
        array: An array whose content never changes; one that is not row-major is copied.

    Example:
        >>> x = sealed(np.arange(3))
        >>> x.flags.writeable = True
        Traceback (most recent call last):
        ValueError: cannot set WRITEABLE flag to True of this array
    """
    if not array.size:
        array = array.view()
        array.flags.writeable = False
        return array
    if not array.flags.c_contiguous:
        array = np.ascontiguousarray(array)
    # Some element types have no letter in Python's memory views, or one that means another type: those as bytes.
    has_letter = array.dtype.char in _LETTERS and array.dtype.isbuiltin == 1
    shown: Any = array if has_letter else array.reshape(-1).view(np.uint8)
    found = np.frombuffer(memoryview(shown).toreadonly(), array.dtype)
    return found if array.ndim == 1 else found.reshape(array.shape)


_LETTERS = frozenset("?bBhHiIlLqQefdFD")


def is_sealed(array: np.ndarray) -> bool:
    """Whether `sealed` made it."""
    base: Any = array.base
    if type(base) is np.ndarray:
        base = base.base
    return type(base) is memoryview


def is_copied_when_read(buffer: Buffer) -> bool | None:
    """Whether what the host reads of a buffer is a copy: its memory is not the host's. None where it does not say."""
    where = getattr(buffer, "__dlpack_device__", None)
    return None if where is None else bool(where()[0] != 1)  # kDLCPU of DLPack
