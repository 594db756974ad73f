"""Types for annotations.

Example:
    >>> from olympus.typing import ArrayLike
    >>> def double(x: ArrayLike):
    ...     return olympus.numpy.asarray(x) * 2
    >>> import olympus
    >>> print(double(2))
    4
"""

from __future__ import annotations

from typing import Any

import numpy as np

from olympus_core.deferred import listed

from .array import Array

__all__ = ["Array", "ArrayLike", "DTypeLike"]
__dir__ = listed(__all__)

ArrayLike = Array | np.ndarray | np.generic | bool | int | float | complex
DTypeLike = str | type[Any] | np.dtype
