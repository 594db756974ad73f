# SPDX-License-Identifier: Apache-2.0
"""Compile options, encoded as the message `CompileOptionsProto` without a protobuf library."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence

Override = str | int | bool | float


def _varint(number: int) -> bytes:
    number &= (1 << 64) - 1
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def _field(number: int, value: bytes | str | int | bool) -> bytes:
    if isinstance(value, (bytes, str)):
        raw = value.encode() if isinstance(value, str) else value
        return _varint(number << 3 | 2) + _varint(len(raw)) + raw
    return _varint(number << 3) + _varint(int(value))


def compile_options(device_ids: Sequence[Sequence[int]], overrides: Mapping[str, Override] | None = None) -> bytes:
    """The options for a program that runs on some devices.

    Args:
        device_ids: For each replica the ids of its partitions' devices. Without sharding annotations a program of
            many devices is one of many replicas: its replica groups then hold positions in this list.
        overrides: Flags of the compiler by name.

    Returns:
        The message's bytes.
    """
    replicas, partitions = len(device_ids), len(device_ids[0])
    assignment = _field(1, replicas) + _field(2, partitions)
    for partition in range(partitions):
        assignment += _field(3, _field(1, b"".join(_varint(row[partition]) for row in device_ids)))
    message = _field(3, _field(1, -1) + _field(4, replicas) + _field(5, partitions) + _field(9, assignment))
    for name, value in (overrides or {}).items():
        message += _field(7, _field(1, name) + _field(2, _override(value)))
    return message


def _override(value: Override) -> bytes:
    if isinstance(value, float):
        return _varint(4 << 3 | 1) + struct.pack("<d", value)
    return _field({bool: 2, int: 3}.get(type(value), 1), value)
