# SPDX-License-Identifier: Apache-2.0
"""How the runtime tells a platform that memory of the host may be used as it is."""

from __future__ import annotations

from typing import Any

import numpy as np


class PromisedMemory:
    """An array's memory of which a user has promised that nobody will write to it.

    A locked NumPy array says nothing of that by itself: whoever made it may write to the memory through another one. An
    array that stands on this one is locked for good, and a platform may keep its memory in place of a copy.

    Args:
        array: A row-major array.

    Example:
        >>> x = promised(np.arange(3))
        >>> x.flags.writeable = True
        Traceback (most recent call last):
        ValueError: cannot set WRITEABLE flag to True of this array
    """

    __slots__ = ("__array_interface__", "array")

    def __init__(self, array: np.ndarray) -> None:
        self.array = array
        interface: dict[str, Any] = array.__array_interface__
        self.__array_interface__ = {**interface, "data": (interface["data"][0], True)}


def promised(array: np.ndarray) -> np.ndarray:
    """An array over the same memory that stands on `PromisedMemory`.

    Args:
        array: A row-major array; nobody writes to its memory while the result, or what was made of it, is in use.
    """
    # As bytes: the interface has no letters for some element types.
    found = np.asarray(PromisedMemory(array.reshape(-1).view(np.uint8)))
    return found.view(array.dtype).reshape(array.shape)
