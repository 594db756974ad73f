# SPDX-License-Identifier: Apache-2.0
"""Numbers, names and memory as bytes: how what is kept between processes is written, and read with checks."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.program import ArrayType

_DTYPES = {dtypes.name_of(dtype): dtype for dtype in dtypes.KNOWN_IN_ORDER}


class UnfitData(Exception):
    """Stored bytes are none that this version writes; whoever reads them makes what they stand for anew."""


def packed(header: Any, blobs: Sequence[bytes]) -> bytes:
    """What JSON can hold, and memory, as bytes.

    Args:
        header: Lists, dicts, strings, integers.
        blobs: The memory.

    Example:
        >>> unpacked(packed({"a": 1}, [b"xy", b""]))
        ({'a': 1}, [b'xy', b''])
    """
    text = json.dumps([header, [len(blob) for blob in blobs]], separators=(",", ":")).encode()
    return b"".join([len(text).to_bytes(8, "little"), text, *blobs])


def unpacked(data: bytes) -> tuple[Any, list[bytes]]:
    """The header and the memory of `packed`.

    Args:
        data: The bytes.

    Raises:
        UnfitData: When they are none of these.
    """
    end = 8 + int.from_bytes(data[:8], "little")
    if end > len(data):
        raise UnfitData("it is too short")
    try:
        header, sizes = json.loads(data[8:end])
        blobs = []
        for size in sizes:
            blobs.append(data[end:end + size])
            end += size
    except (ValueError, TypeError, RecursionError) as error:
        raise UnfitData(type(error).__name__) from error
    if end != len(data) or any(len(blob) != size for blob, size in zip(blobs, sizes, strict=True)):
        raise UnfitData("it has another length than it says")
    return header, blobs


def type_data(type: ArrayType) -> list[Any]:
    """An array's type as data."""
    return [dtypes.name_of(type.dtype), *type.shape]


def type_of(data: Any) -> ArrayType:
    """The type that such data stand for.

    Raises:
        UnfitData: When they stand for none.
    """
    name, *shape = data
    if name not in _DTYPES or not all(type(n) is int and n >= 0 for n in shape):
        raise UnfitData("a type is none")
    return ArrayType(tuple(shape), _DTYPES[name])


def array_of(type: ArrayType, content: bytes) -> np.ndarray:
    """An array of its own, read-only, with the content.

    Raises:
        UnfitData: When the content has another size.
    """
    if len(content) != type.nbytes:
        raise UnfitData("an array has another size than its type")
    array = np.frombuffer(content, np.uint8).copy().view(type.dtype).reshape(type.shape)
    array.flags.writeable = False
    return array


__all__ = ["UnfitData", "array_of", "packed", "type_data", "type_of", "unpacked"]
