# SPDX-License-Identifier: Apache-2.0
"""The structs of the PJRT C API as ctypes classes, generated from `c_api.txt`, which documents its format."""

from __future__ import annotations

import ctypes
from typing import Any

from .functions import ROWS

# Zeroed bytes after every struct: a newer plugin may access fields that are not known here.
SLACK = 256

_TYPES: dict[str, Any] = {
    "p": ctypes.c_void_p, "z": ctypes.c_size_t, "i": ctypes.c_int, "q": ctypes.c_int64, "b": ctypes.c_bool,
}

# The size of a tiled layout, which is a member of the layout's union.
TILED_BYTES = 56


def _layout(name: str, row: str) -> tuple[type[ctypes.Structure], int]:
    fields: list[tuple[str, Any]] = [("struct_size", ctypes.c_size_t), ("extension_start", ctypes.c_void_p)]
    for field in row.split():
        letter, _, field_name = field.partition(":")
        if letter == "s":
            fields += [(field_name, ctypes.c_void_p), (f"{field_name}_size", ctypes.c_size_t)]
        else:
            fields.append((field_name, _TYPES[letter]))
    plain = type(name, (ctypes.Structure,), {"_fields_": fields})
    last = getattr(plain, fields[-1][0])
    slack = [("slack_", ctypes.c_char * SLACK)]
    # Arrays of named values have a stride of their struct size, so these have no slack.
    kind = type(name, (ctypes.Structure,), {"_fields_": fields + ([] if name == "NamedValue" else slack)})
    return kind, last.offset + last.size


STRUCTS: dict[str, type[ctypes.Structure]] = {}
# The size field of a struct: up to the end of its last field, without padding.
SIZES: dict[str, int] = {}
for _name, _row in ROWS.items():
    STRUCTS[_name], SIZES[_name] = _layout(_name, _row)


def fields_of(name: str) -> list[str]:
    """The names of a struct's fields, in order."""
    listed: Any = STRUCTS[name]._fields_
    return [field[0] for field in listed if field[0] != "slack_"]
