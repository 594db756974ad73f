# SPDX-License-Identifier: Apache-2.0
"""The values of all processes in one piece of bytes: the same for every receiver, each different value once."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence

import numpy as np

from .schema import MalformedFrame

# Numbers of values and of different ones, whether the rest is compressed, its size without compression.
_HEAD = struct.Struct(">II?Q")
_LEAST_COMPRESSED = 256
_MOST_COMPRESSED = 1 << 22  # more would keep the coordinator from its other work
_MOST_SIZE = 1 << 30
_INDEX, _SIZE = np.dtype("<i4"), np.dtype("<u4")


def pack(values: Sequence[bytes]) -> bytes:
    """Packs one value of each process.

    Args:
        values: The values, in the order of the processes.

    Example:
        >>> unpack(pack([b"a", b"b", b"a"]), 3)
        [b'a', b'b', b'a']
    """
    places: dict[bytes, int] = {}
    which = np.fromiter((places.setdefault(value, len(places)) for value in values), _INDEX, len(values))
    sizes = np.fromiter(map(len, places), _SIZE, len(places))
    # Differences of the indices are mostly equal: 0 where all bring the same, 1 where each brings its own.
    steps = np.diff(which, prepend=_INDEX.type(0))
    body = b"".join([steps.tobytes(), sizes.tobytes(), *places])
    size = len(body)
    if _LEAST_COMPRESSED <= size <= _MOST_COMPRESSED:
        small = zlib.compress(body, 1)
        if len(small) < size:
            return _HEAD.pack(len(values), len(places), True, size) + small
    return _HEAD.pack(len(values), len(places), False, size) + body


def texts(values: Sequence[bytes]) -> list[str]:
    """Values that are texts; raises MalformedFrame for others."""
    try:
        return [value.decode() for value in values]
    except UnicodeDecodeError:
        raise MalformedFrame("packed values that are no texts") from None


def unpack(data: bytes, count: int) -> list[bytes]:
    """The values that were packed.

    Args:
        data: What `pack` gave.
        count: How many values there have to be.

    Raises:
        MalformedFrame: If these are not so many values.
    """
    if len(data) < _HEAD.size:
        raise MalformedFrame("packed values without a head")
    packed, different, is_small, size = _HEAD.unpack_from(data)
    body = data[_HEAD.size :]
    if is_small and size <= _MOST_COMPRESSED:
        inflater = zlib.decompressobj()
        try:
            body = inflater.decompress(body, size + 1)
        except zlib.error as error:
            raise MalformedFrame(f"packed values that cannot be unpacked ({error})") from None
    start = count * _INDEX.itemsize + different * _SIZE.itemsize
    if packed != count or different > count or size > _MOST_SIZE or len(body) != size or size < start:
        raise MalformedFrame(f"packed values that are not {count}")
    which = np.cumsum(np.frombuffer(body, _INDEX, count), dtype=np.int64)
    sizes = np.frombuffer(body, _SIZE, different, count * _INDEX.itemsize)
    ends = start + np.cumsum(sizes, dtype=np.int64)
    if count and (which.min() < 0 or which.max() >= different or ends[-1] != size):
        raise MalformedFrame(f"packed values of which {count} cannot be made")
    found = [body[end - length : end] for end, length in zip(ends.tolist(), sizes.tolist(), strict=True)]
    return [found[index] for index in which.tolist()]
