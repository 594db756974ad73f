# SPDX-License-Identifier: Apache-2.0
"""The text of attributes, and how the texts of two programs differ.

A text is the same in every process and every run: nothing in it depends on identities, addresses or hash order.
"""

from __future__ import annotations

import enum
import hashlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from olympus_core.dtypes import name_of
from olympus_core.errors import OlympusInternalError

LONGEST_WRITTEN_ARRAY = 8
LOCATION = "  # "
_END = "(the program ends here)"


def first_difference(a: str, b: str) -> tuple[str, str] | None:
    """The first lines in which two texts differ, apart from locations.

    Args:
        a: A program's text, with or without locations.
        b: Another's.

    Returns:
        The line of each, locations included; None where the programs are the same.
    """
    lines_a, lines_b = a.splitlines(), b.splitlines()
    for i in range(max(len(lines_a), len(lines_b))):
        line_a = lines_a[i] if i < len(lines_a) else _END
        line_b = lines_b[i] if i < len(lines_b) else _END
        if _without_location(line_a) != _without_location(line_b):
            return line_a.strip(), line_b.strip()
    return None


def attribute_text(value: Any) -> str:
    """An attribute's value as text; equal text, equal content: but for callbacks' functions and meshes' devices."""
    if isinstance(value, (np.ndarray, np.generic)):
        return _array_text(np.asarray(value))
    if isinstance(value, np.dtype):
        return name_of(value)
    if isinstance(value, enum.Enum):
        return value.name
    if isinstance(value, (tuple, list)):
        inside = ", ".join(map(attribute_text, value))
        return f"({inside},)" if len(value) == 1 else f"({inside})"
    if isinstance(value, Mapping):
        return "{" + ", ".join(sorted(f"{attribute_text(k)}: {attribute_text(v)}" for k, v in value.items())) + "}"
    if isinstance(value, (set, frozenset)):
        return "{" + ", ".join(sorted(map(attribute_text, value))) + "}"
    text = repr(value)
    if isinstance(value, str):
        return text
    if " at 0x" in text:
        raise OlympusInternalError(f"an attribute of type {type(value).__name__} has no text of its own: {text}")
    return text.replace("\n", " ")


def _array_text(array: np.ndarray) -> str:
    kind = f"{name_of(array.dtype)}[{','.join(map(str, array.shape))}]"
    # What is not finite is written as a digest too: a NaN's bits matter and have no decimal form.
    is_short = array.dtype.names is None and array.size <= LONGEST_WRITTEN_ARRAY  # and no array of keys
    if is_short and (array.dtype.kind in "biu" or _is_finite(array)):
        return f"{kind}({_elements_text(array)})"
    little = array.astype(array.dtype.newbyteorder("<")) if array.dtype.kind in "biufc" else array
    return f"{kind}(sha256:{hashlib.sha256(np.ascontiguousarray(little).tobytes()).hexdigest()[:32]})"


def _elements_text(array: np.ndarray) -> str:
    if array.ndim:
        return "[" + ", ".join(_elements_text(row) for row in np.asarray(array)) + "]"
    # NumPy's own floats print their shortest exact form; the narrow ones are exact as Python floats.
    return str(array[()]) if array.dtype.kind in "biufc" else repr(float(array[()]))


def _is_finite(array: np.ndarray) -> bool:
    with np.errstate(invalid="ignore"):  # a NaN that signals
        wide = array if array.dtype.kind == "c" else array.astype(np.float64)
    return bool(np.isfinite(wide).all())


def _without_location(line: str) -> str:
    return line.rpartition(LOCATION)[0] if LOCATION in line else line
