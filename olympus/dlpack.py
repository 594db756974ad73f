# SPDX-License-Identifier: Apache-2.0
"""Arrays of other libraries, through the DLPack protocol."""

from __future__ import annotations

from typing import Any

import numpy as np

from olympus_core import dtypes as _core
from olympus_core.deferred import listed

from .numpy.creation import from_dlpack as _from_dlpack
from .typing import Array, DeviceLike

__all__ = ["from_dlpack", "is_supported_dtype"]
__dir__ = listed(__all__)

_SUPPORTED = frozenset({_core.bool_, *_core.SIGNED, *_core.UNSIGNED, _core.float16, _core.float32, _core.float64,
                        *_core.COMPLEXES})


def from_dlpack(external_array: Any, device: DeviceLike | None = None, copy: bool | None = None) -> Array:
    """An array of another library's, through the DLPack protocol.

    Args:
        external_array: An array with `__dlpack__`, in host memory, or in that of a GPU which a platform that is open
            drives.
        device: A device or sharding for the array.
        copy: False uses the memory as it is, which nobody may write to any more; True copies the elements. None copies
            what is in host memory, and what a GPU cannot use as it lies; its other memory is used as it is.

    Returns:
        The array.

    Raises:
        ArgumentError: The memory cannot be used as it is.

    Example:
        >>> import numpy as np, olympus.dlpack
        >>> olympus.dlpack.from_dlpack(np.arange(3, dtype="int32"))
        Array([0, 1, 2], dtype=int32)

    References:
        DLPack, Python specification.
    """
    return _from_dlpack(external_array, device=device, copy=copy)


def is_supported_dtype(dtype: Any) -> bool:
    """Whether arrays of an element type are exchanged with other libraries.

    Args:
        dtype: An element type.

    Returns:
        Whether they are.

    Example:
        >>> import numpy as np, olympus.dlpack
        >>> olympus.dlpack.is_supported_dtype(np.float32)
        True
    """
    return np.dtype(dtype) in _SUPPORTED
