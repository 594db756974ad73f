# SPDX-License-Identifier: Apache-2.0
"""Element types of arrays in Zarr 3: its own, bfloat16, and the bits of those that it does not have."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np

# Zarr 3's own, and bfloat16, an extension of it that is widely read.
_NATIVE = (
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64",
    "complex64", "complex128", "bfloat16",
)
# The narrow types of ml_dtypes have a byte for each element in memory, and so on disk.
_BITS = {1: "uint8", 2: "uint16"}


def dtype_of(name: str) -> np.dtype:
    """The element type of a name; raises ValueError where there is none."""
    if name in _NATIVE and name != "bfloat16":
        return np.dtype(name)
    found = getattr(ml_dtypes, name, None)
    if not isinstance(found, type) or not issubclass(found, np.generic):
        raise ValueError(f"there is no element type {name!r}")
    return np.dtype(found)


def stored_as(dtype: np.dtype) -> str | None:
    """The data type of Zarr in which elements of a type are stored; None where they cannot be.

    Args:
        dtype: The element type of an array.

    Example:
        >>> import ml_dtypes
        >>> stored_as(np.dtype("float32")), stored_as(np.dtype(ml_dtypes.float8_e4m3fn)), stored_as(np.dtype("O"))
        ('float32', 'uint8', None)
    """
    name = dtype.name
    if name in _NATIVE:
        return name
    if getattr(ml_dtypes, name, None) is dtype.type:
        return _BITS.get(dtype.itemsize)
    return None


def as_stored(array: np.ndarray, stored: str) -> np.ndarray:
    """An array's elements in the data type that they are stored in; the same memory."""
    return array if array.dtype.name == stored else array.view(dtype_of(stored))


def array_metadata(
    shape: tuple[int, ...], chunk: tuple[int, ...], stored: str, attributes: dict[str, Any] | None = None
) -> dict[str, Any]:
    """The content of an array's ``zarr.json``: regular chunks of plain bytes with a checksum, nothing compressed.

    Args:
        shape: The array's shape.
        chunk: Shape of its chunks.
        stored: The data type.
        attributes: What else is to be told of the array.
    """
    kind = dtype_of(stored).kind
    fill: Any = False if kind == "b" else 0 if kind in "iu" else [0.0, 0.0] if kind == "c" else 0.0
    return {
        "zarr_format": 3, "node_type": "array", "shape": list(shape), "data_type": stored,
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": list(chunk)}},
        # Chunks are files of one folder, ``c.0.1``: to make a folder last costs more than to write a small file.
        "chunk_key_encoding": {"name": "default", "configuration": {"separator": "."}},
        "fill_value": fill,
        "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}, {"name": "crc32c"}],
        "attributes": attributes or {},
    }


GROUP_METADATA: dict[str, Any] = {"zarr_format": 3, "node_type": "group", "attributes": {}}
