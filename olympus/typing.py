# SPDX-License-Identifier: Apache-2.0
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

from typing import Any, Protocol, TypeAlias

import numpy as np

from olympus_core.deferred import listed
from olympus_core.placement import Device, PartitionSpec, Sharding

from .array import Array

__all__ = ["Array", "ArrayLike", "DTypeLike", "DeviceLike", "ShardingLike", "SupportsDType", "SupportsSharding"]
__dir__ = listed(__all__)


class SupportsDType(Protocol):
    """What has an element type, and stands for it: `olympus.numpy.float32`, an array."""

    @property
    def dtype(self) -> np.dtype:
        """The element type."""


class SupportsSharding(Protocol):
    """What says where an array is to be: `olympus.experimental.layout.Format`, `olympus.memory.Space`."""

    def sharding_of(self, function: str, value: Any) -> Sharding:
        """The sharding of an array.

        Args:
            function: Who asks, for errors.
            value: The array.
        """


ArrayLike: TypeAlias = Array | np.ndarray | np.generic | bool | int | float | complex
DTypeLike: TypeAlias = str | type[Any] | np.dtype | SupportsDType
ShardingLike: TypeAlias = Sharding | PartitionSpec | SupportsSharding
DeviceLike: TypeAlias = Device | Sharding | PartitionSpec | SupportsSharding
