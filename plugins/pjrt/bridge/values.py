# SPDX-License-Identifier: Apache-2.0
"""Named values: options of a plugin, and attributes that it returns."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Mapping, Sequence
from typing import Any

from .structs import SIZES, STRUCTS

NamedValue = str | int | float | bool | tuple[int, ...]

_STRING, _INT64, _INT64_LIST, _FLOAT, _BOOL = range(5)
_Row: Any = STRUCTS["NamedValue"]


def text_at(address: int | None, size: int) -> str:
    """A string of the plugin."""
    return ctypes.string_at(address, size).decode("utf-8", "replace") if address else ""


def pointers_at(address: int | None, count: int) -> list[int]:
    """An array of pointers of the plugin."""
    return list((ctypes.c_void_p * count).from_address(address)) if address and count else []


def integers_at(address: int | None, count: int, kind: Any = ctypes.c_int64) -> tuple[int, ...]:
    """An array of integers of the plugin."""
    return tuple((kind * count).from_address(address)) if address and count else ()


def read_values(address: int | None, count: int) -> dict[str, NamedValue]:
    """An array of named values of the plugin, as Python values."""
    found: dict[str, NamedValue] = {}
    offset = address or 0
    for _ in range(count):
        row = _Row.from_address(offset)
        found[text_at(row.name, row.name_size)] = _read(row)
        offset += row.struct_size  # the plugin's size, which is larger in newer versions
    return found


def _read(row: Any) -> NamedValue:
    if row.type == _STRING:
        return text_at(row.value, row.value_size)
    if row.type == _INT64_LIST:
        return integers_at(row.value, row.value_size)
    if row.type == _FLOAT:
        return float(struct.unpack("<f", struct.pack("<q", row.value)[:4])[0])
    return bool(row.value & 1) if row.type == _BOOL else int(row.value)


def write_values(values: Mapping[str, str | int | float | bool | Sequence[int]]) -> Any:
    """An array of named values for the plugin; keeps the memory alive to which it points."""
    array = (_Row * max(len(values), 1))()
    kept: list[Any] = []
    for row, (name, value) in zip(array, values.items(), strict=False):
        raw_name = name.encode()
        row.struct_size, row.value_size = SIZES["NamedValue"], 1
        row.name, row.name_size = _kept(ctypes.create_string_buffer(raw_name), kept), len(raw_name)
        if isinstance(value, str):
            raw = value.encode()
            row.type, row.value, row.value_size = _STRING, _kept(ctypes.create_string_buffer(raw), kept), len(raw)
        elif isinstance(value, bool):
            row.type, row.value = _BOOL, int(value)
        elif isinstance(value, int):
            row.type, row.value = _INT64, value
        elif isinstance(value, float):
            row.type, row.value = _FLOAT, struct.unpack("<i", struct.pack("<f", value))[0]
        else:
            numbers = (ctypes.c_int64 * len(value))(*value)
            row.type, row.value, row.value_size = _INT64_LIST, _kept(numbers, kept), len(value)
    array.kept = kept
    return array


def _kept(thing: Any, kept: list[Any]) -> int:
    kept.append(thing)
    return ctypes.addressof(thing)
