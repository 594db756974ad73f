# SPDX-License-Identifier: Apache-2.0
"""The PJRT C API from `c_api.txt`: functions by their index in a library's table, and the fields of structs."""

from __future__ import annotations

import re
from pathlib import Path

# The newest minor version whose layouts are known here.
KNOWN_VERSION = (0, 116)

# What stands before the first function: the table's size, its extensions, and the version (a struct of its own).
HEAD_BYTES = 40

_text = re.sub(r"^#.*\n", "", Path(__file__).with_name("c_api.txt").read_text(), flags=re.M)
_functions, _structs = _text.partition("[functions]")[2].split("[structs]")

FUNCTIONS: tuple[str, ...] = tuple(_functions.split())

# A struct's fields, as letters and names.
ROWS: dict[str, str] = {
    name: " ".join(fields.split()) for name, fields in re.findall(r"^(\w+):((?: .*)?(?:\n .*)*)", _structs, re.M)
}
