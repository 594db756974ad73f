# SPDX-License-Identifier: Apache-2.0
"""What arrays hold, in the format of pprof: a gzipped protocol buffer, written field by field.

The format: `profile.proto` of github.com/google/pprof, and "Protocol Buffers: Encoding", Google.
"""

from __future__ import annotations

import gzip
import time
from collections.abc import Iterable, Sequence

from olympus_core.runtime.memory_needs import Holder

# Numbers of fields in profile.proto.
_SAMPLE_TYPE, _SAMPLE, _LOCATION, _FUNCTION, _STRINGS, _TIME, _DEFAULT_TYPE = 1, 2, 4, 5, 6, 9, 14


def memory_profile(holders: Sequence[Holder]) -> bytes:
    """A profile with a sample for each line and type, in arrays and in bytes.

    Args:
        holders: What holds memory.
    """
    strings = {"": 0}

    def text(value: str) -> int:
        return strings.setdefault(value, len(strings))

    parts = [_message(_SAMPLE_TYPE, _number(1, text(kind)) + _number(2, text(unit)))
             for kind, unit in (("allocations", "count"), ("space", "bytes"))]
    places: dict[str, int] = {}
    for one in holders:
        place = places.setdefault(one.line, len(places) + 1)
        label = _number(1, text("type")) + _number(2, text(one.kind))
        parts.append(_message(
            _SAMPLE, _packed(1, [place]) + _packed(2, [one.arrays, one.size]) + _message(3, label)))
    for line, place in places.items():
        file, _, number = line.rpartition(":")
        at = int(number) if number.isdigit() else 0
        parts.append(_message(_LOCATION, _number(1, place) + _message(4, _number(1, place) + _number(2, at))))
        parts.append(_message(_FUNCTION, _number(1, place) + _number(2, text(line or "(no line)")) + _number(
            4, text(file)) + _number(5, at)))
    parts.append(_number(_TIME, time.time_ns()) + _number(_DEFAULT_TYPE, text("space")))
    parts += (_bytes(_STRINGS, value.encode()) for value in strings)
    return gzip.compress(b"".join(parts), mtime=0)


def _varint(value: int) -> bytes:
    found = bytearray()
    while value > 127:
        found.append(value & 127 | 128)
        value >>= 7
    found.append(value)
    return bytes(found)


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _bytes(field: int, content: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(content)) + content


_message = _bytes


def _packed(field: int, values: Iterable[int]) -> bytes:
    return _bytes(field, b"".join(map(_varint, values)))
