"""The text of a program: the same for the same program in every process and every run.

Values are numbered in order of appearance. A region is printed as a program of its own, with its own numbers: it
is closed, so its text says all of it. Nothing in a text depends on identities, addresses or hash order.
"""

from __future__ import annotations

import enum
import hashlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from olympus_core.errors import OlympusInternalError

from .program import Operation, Program, Value

LONGEST_WRITTEN_ARRAY = 8
_LOCATION = "  # "
_END = "(the program ends here)"


def program_text(program: Program, locations: bool = False) -> str:
    """The program as text.

    Args:
        program: Any program, well-formed or not.
        locations: Whether each operation's line ends with the user's ``file:line``.

    Returns:
        Lines without a final line break.
    """
    return "\n".join(_lines("program", program, locations))


def operation_text(program: Program, operation: Operation) -> str:
    """The first line of one operation, as it stands in the program's text, with its location."""
    numbers = _numbers(program)
    return _operation_lines(operation, numbers, True)[0]


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
    """An attribute's value as text; equal text means equal content, up to a callback's function."""
    if isinstance(value, (np.ndarray, np.generic)):
        return _array_text(np.asarray(value))
    if isinstance(value, np.dtype):
        return value.name
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


def _lines(head: str, program: Program, locations: bool) -> list[str]:
    numbers = _numbers(program)
    inputs = ", ".join(f"%{numbers[v]}: {v.type}" for v in program.inputs)
    lines = [f"{head}({inputs}) {{"]
    for operation in program.operations:
        lines.extend("  " + line for line in _operation_lines(operation, numbers, locations))
    lines.append(("  return " + ", ".join(_name(v, numbers) for v in program.outputs)).rstrip())
    lines.append("}")
    return lines


def _operation_lines(operation: Operation, numbers: Mapping[Value, int], locations: bool) -> list[str]:
    results = ", ".join(f"{_name(v, numbers)}: {v.type}" for v in operation.results)
    parts = [f"{results} = {operation.name}" if results else operation.name]
    if operation.operands:
        parts.append(", ".join(_name(v, numbers) for v in operation.operands))
    if operation.attributes:
        inside = ", ".join(f"{key}={attribute_text(operation.attributes[key])}" for key in sorted(operation.attributes))
        parts.append("{" + inside + "}")
    lines = [" ".join(parts)]
    for region in operation.regions:
        inner = _lines("", region, locations)
        lines[-1] += f"{',' if len(lines) > 1 else ''} {inner[0]}"
        lines.extend(inner[1:])
    if locations and operation.location:
        lines[0] += _LOCATION + operation.location
    return lines


def _numbers(program: Program) -> dict[Value, int]:
    numbers: dict[Value, int] = {}
    for value in program.inputs:
        numbers.setdefault(value, len(numbers))
    for operation in program.operations:
        for value in operation.results:
            numbers.setdefault(value, len(numbers))
    return numbers


def _name(value: Value, numbers: Mapping[Value, int]) -> str:
    return f"%{numbers[value]}" if value in numbers else "%?"


def _array_text(array: np.ndarray) -> str:
    kind = f"{array.dtype.name}[{','.join(map(str, array.shape))}]"
    # What is not finite is written as a digest too: a NaN's bits matter and have no decimal form.
    if array.size <= LONGEST_WRITTEN_ARRAY and (array.dtype.kind in "biu" or _is_finite(array)):
        return f"{kind}({_elements_text(array)})"
    little = array.astype(array.dtype.newbyteorder("<")) if array.dtype.kind in "biufc" else array
    return f"{kind}(sha256:{hashlib.sha256(np.ascontiguousarray(little).tobytes()).hexdigest()[:32]})"


def _elements_text(array: np.ndarray) -> str:
    if array.ndim:
        return "[" + ", ".join(_elements_text(row) for row in np.asarray(array)) + "]"
    # NumPy's own floats print their shortest exact form; the narrow ones are exact as Python floats.
    return str(array[()]) if array.dtype.kind in "biufc" else repr(float(array[()]))


def _is_finite(array: np.ndarray) -> bool:
    wide = array if array.dtype.kind == "c" else array.astype(np.float64)
    return bool(np.isfinite(wide).all())


def _without_location(line: str) -> str:
    return line.rpartition(_LOCATION)[0] if _LOCATION in line else line
