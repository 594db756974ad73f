# SPDX-License-Identifier: Apache-2.0
"""Programs as data that can be stored: JSON and arrays. Reading makes nothing but a program, and checks all of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.errors import ArtefactError, NotExportableError, OlympusError, SymbolicShapeError
from olympus_core.placement import AbstractMesh, AxisType, Mesh
from olympus_core.program import ArrayType, AxisGroup, Operation, Program, SymbolicSize, Value, verify

_DTYPES = {dtypes.name_of(dtype): dtype for dtype in (*dtypes.KNOWN_IN_ORDER, *dtypes.KEYS)}
_AXIS_TYPES = {kind.name: kind for kind in AxisType}
MOST_NESTED = 64  # regions in regions, or tuples in tuples
MeshShape = tuple[tuple[str, int], ...]


class Encoder:
    """Writes programs.

    Attributes:
        arrays: The constants, in the order of their numbers.
        meshes: The meshes that the programs name.
    """

    def __init__(self, function: str) -> None:
        self._function = function
        self.arrays: list[np.ndarray] = []
        self.meshes: list[Mesh | AbstractMesh] = []
        self._numbers: dict[tuple[Any, ...], int] = {}

    def program(self, program: Program) -> dict[str, Any]:
        """A program and its regions."""
        numbers: dict[Value, int] = {}
        for value in program.inputs:
            numbers[value] = len(numbers)
        operations = []
        for operation in program.operations:
            operations.append(self._operation(operation, numbers))
            for value in operation.results:
                numbers[value] = len(numbers)
        return {"name": program.name, "inputs": [self.type(v.type) for v in program.inputs], "operations": operations,
                "outputs": [numbers[v] for v in program.outputs]}

    def type(self, type: ArrayType) -> list[Any]:
        """An array's type."""
        return [dtypes.name_of(type.dtype), *map(self.value, type.shape)]

    def _operation(self, operation: Operation, numbers: Mapping[Value, int]) -> dict[str, Any]:
        if operation.record.category == "host":
            raise NotExportableError(
                self._function, "it calls a function of the host, which the artefact cannot hold",
                f"{operation.attributes['callback'].name} at {operation.location}",
                "Take the callback (pure_callback, io_callback, debug.print) out of what is exported.")
        if ops.OPERATIONS.get(operation.name) is not operation.record:
            raise NotExportableError(
                self._function, f"operation {operation.name} is none of olympus's own", operation.location)
        found: dict[str, Any] = {"op": operation.name, "in": [numbers[v] for v in operation.operands]}
        if operation.attributes:
            found["at"] = {name: self.value(x) for name, x in operation.attributes.items()}
        if operation.regions:
            found["re"] = [self.program(region) for region in operation.regions]
        return found

    def value(self, x: Any) -> Any:
        """An attribute's value."""
        if x is None or isinstance(x, (bool, str)) or type(x) is int:
            return x
        if isinstance(x, SymbolicSize):
            return {"dim": str(x)}
        if isinstance(x, tuple):
            return {"t": [self.value(one) for one in x]}
        if isinstance(x, list):
            return {"l": [self.value(one) for one in x]}
        if isinstance(x, dict):
            return {"m": [[self.value(key), self.value(one)] for key, one in x.items()]}
        if isinstance(x, float):
            return {"f": x.hex()}
        if isinstance(x, complex):
            return {"c": [x.real.hex(), x.imag.hex()]}
        if isinstance(x, np.dtype):
            return {"d": dtypes.name_of(x)}
        if isinstance(x, (np.ndarray, np.generic)):
            return {"a" if isinstance(x, np.ndarray) else "n": self._array(np.asarray(x))}
        if isinstance(x, ArrayType):
            return {"type": self.type(x)}
        if isinstance(x, AxisGroup):
            return {"axes": [self.value(x.mesh_shape), self.value(x.axes), self.value(x.parts)]}
        if isinstance(x, (Mesh, AbstractMesh)):
            return {"mesh": self.mesh(x)}
        raise NotExportableError(
            self._function, f"an attribute is a {type(x).__name__}, which has no stored form", repr(x))

    def mesh(self, mesh: Mesh | AbstractMesh) -> list[Any]:
        """A mesh's axes."""
        if mesh not in self.meshes:
            self.meshes.append(mesh)
        return [[name, size, kind.name] for (name, size), kind in zip(mesh.shape_tuple, mesh.axis_types, strict=True)]

    def _array(self, array: np.ndarray) -> int:
        key = (array.dtype, array.shape, array.tobytes())
        if key not in self._numbers:
            self._numbers[key] = len(self.arrays)
            self.arrays.append(np.asarray(array, order="C"))
        return self._numbers[key]


class Decoder:
    """Reads programs.

    Args:
        arrays: The constants.
        mesh: Gives the mesh for stored axes.
        size: Gives the size for a symbolic one's text; None where there are none.

    Raises:
        ArtefactError: By all methods, for data that no encoder has written.
    """

    def __init__(
        self, arrays: Sequence[np.ndarray], mesh: Callable[[AbstractMesh], Mesh | AbstractMesh],
        size: Callable[[str], Any] | None = None,
    ) -> None:
        self._arrays, self._mesh, self._size = arrays, mesh, size
        self._sizes: dict[str, Any] = {}

    def program(self, data: Any) -> Program:
        """A program, verified."""
        try:
            found = self._program(data, 0)
            verify(found)
        except ArtefactError:
            raise
        except (OlympusError, ArithmeticError, AttributeError, LookupError, MemoryError, TypeError,
                ValueError) as error:
            # Type rules are written for programs that tracing makes; what they stumble over is no program.
            raise ArtefactError(f"a program in it is not well-formed ({type(error).__name__}: {error})") from error
        return found

    def type(self, data: Any) -> ArrayType:
        """An array's type."""
        name, *shape = entries(data, "a type")
        sizes = tuple(number(n, "a size") if not isinstance(n, dict) else self.value(n) for n in shape)
        if not all(isinstance(n, (int, SymbolicSize)) for n in sizes):
            raise ArtefactError("a type has a size that is none", repr(shape)[:80])
        try:
            return ArrayType(sizes, self._dtype(name))
        except OlympusError as error:
            raise ArtefactError("a type is none that arrays have", f"{name}{list(sizes)}") from error

    def _program(self, data: Any, depth: int) -> Program:
        if depth > MOST_NESTED:
            raise ArtefactError("its regions are nested too deep")
        fields = record(data, "a program", ("name", "inputs", "operations", "outputs"))
        inputs = [Value(self.type(t)) for t in entries(fields["inputs"], "inputs")]
        values, operations = list(inputs), []
        for one in entries(fields["operations"], "operations"):
            operation = self._operation(one, values, depth)
            operations.append(operation)
            values += operation.results
        outputs = [_numbered(values, n) for n in entries(fields["outputs"], "outputs")]
        return Program(text(fields["name"], "a name"), tuple(inputs), tuple(operations), tuple(outputs))

    def _operation(self, data: Any, values: Sequence[Value], depth: int) -> Operation:
        fields = record(data, "an operation", ("op", "in"), ("at", "re"))
        name = text(fields["op"], "an operation's name")
        known = ops.OPERATIONS.get(name)
        if known is None or known.category == "host":
            raise ArtefactError("it has an operation that this version does not know, or does not run", repr(name)[:80])
        operands = tuple(_numbered(values, n) for n in entries(fields["in"], "operands"))
        attributes = {text(key, "an attribute"): self.value(x) for key, x in mapping(fields.get("at", {})).items()}
        regions = tuple(self._program(r, depth + 1) for r in entries(fields.get("re", []), "regions"))
        types = known.type_rule([v.type for v in operands], attributes, regions)
        return Operation(known, operands, attributes, regions, tuple(Value(t) for t in types))

    def value(self, data: Any, depth: int = 0) -> Any:
        """An attribute's value."""
        if depth > MOST_NESTED:
            raise ArtefactError("an attribute is nested too deep")
        if data is None or isinstance(data, (bool, str)):
            return data
        if isinstance(data, int):
            return number(data, "a number", -(1 << 64))
        fields = mapping(data)
        if len(fields) != 1:
            raise ArtefactError("an attribute's value has no known form", repr(data)[:80])
        (kind, content), = fields.items()
        read = self._kinds.get(kind)
        if read is None:
            raise ArtefactError("an attribute's value has no known form", repr(kind)[:80])
        return read(self, content, depth + 1)

    def _tuple(self, data: Any, depth: int) -> tuple[Any, ...]:
        return tuple(self.value(one, depth) for one in entries(data, "a tuple"))

    def _map(self, data: Any, depth: int) -> dict[Any, Any]:
        pairs = [entries(pair, "a pair", 2) for pair in entries(data, "a mapping")]
        return {self.value(key, depth): self.value(one, depth) for key, one in pairs}

    def _complex(self, data: Any, depth: int) -> complex:
        return complex(*(_float(part) for part in entries(data, "a complex number", 2)))

    def _dimension(self, data: Any, depth: int) -> Any:
        written = text(data, "a symbolic size")
        if self._size is None:
            raise ArtefactError("it has a symbolic size, and says nothing of its dimensions", repr(written)[:80])
        if written not in self._sizes:
            try:
                self._sizes[written] = self._size(written)
            except (SymbolicShapeError, ArithmeticError, LookupError) as error:
                raise ArtefactError(f"a symbolic size cannot be had ({error})", repr(written)[:80]) from error
        return self._sizes[written]

    def _dtype(self, name: Any) -> np.dtype:
        found = _DTYPES.get(name) if isinstance(name, str) else None
        if found is None:
            raise ArtefactError("there is no such element type", repr(name)[:80])
        return found

    def _array(self, data: Any) -> np.ndarray:
        return self._arrays[number(data, "an array's number", 0, len(self._arrays))]

    def _group(self, data: Any, depth: int) -> AxisGroup:
        shape, axes, parts = (self.value(one, depth) for one in entries(data, "a group", 3))
        return AxisGroup(shape, axes, parts)

    def axes(self, data: Any) -> AbstractMesh:
        """A mesh's axes."""
        rows = [entries(row, "an axis", 3) for row in entries(data, "a mesh")]
        names = tuple(text(name, "an axis's name") for name, _, _ in rows)
        sizes = tuple(number(size, "an axis's size", 1) for _, size, _ in rows)
        if any(kind not in _AXIS_TYPES for _, _, kind in rows) or math.prod(sizes) > 1 << 24:
            raise ArtefactError("a mesh has axes of no known kind, or too many devices", repr(rows)[:80])
        try:
            return AbstractMesh(sizes, names, tuple(_AXIS_TYPES[kind] for _, _, kind in rows))
        except OlympusError as error:
            raise ArtefactError(f"a mesh is none ({error})") from error

    _kinds: Mapping[str, Callable[[Decoder, Any, int], Any]] = {
        "t": _tuple,
        "l": lambda self, data, depth: list(self._tuple(data, depth)),
        "m": _map,
        "f": lambda self, data, depth: _float(data),
        "c": _complex,
        "d": lambda self, data, depth: self._dtype(data),
        "a": lambda self, data, depth: self._array(data),
        "n": lambda self, data, depth: self._array(data)[()],
        "type": lambda self, data, depth: self.type(data),
        "axes": _group,
        "dim": _dimension,
        "mesh": lambda self, data, depth: self._mesh(self.axes(data)),
    }


def entries(data: Any, what: str, count: int | None = None) -> list[Any]:
    """A list, of so many entries."""
    if not isinstance(data, list) or count is not None and len(data) != count:
        raise ArtefactError(f"{what} is no list" + ("" if count is None else f" of {count}"), repr(data)[:80])
    return data


def mapping(data: Any) -> dict[str, Any]:
    """An object of JSON."""
    if not isinstance(data, dict):
        raise ArtefactError("an object is missing", repr(data)[:80])
    return data


def record(data: Any, what: str, needed: Sequence[str], further: Sequence[str] = ()) -> dict[str, Any]:
    """An object with these fields and no others."""
    found = mapping(data)
    if not set(needed) <= set(found) <= {*needed, *further}:
        raise ArtefactError(f"{what} has other fields than it should", repr(sorted(found))[:120])
    return found


def text(data: Any, what: str) -> str:
    """A string of bounded length."""
    if not isinstance(data, str) or len(data) > 4096:
        raise ArtefactError(f"{what} is no string, or too long", repr(data)[:80])
    return data


def number(data: Any, what: str, least: int = 0, end: int = 1 << 64) -> int:
    """An integer in a range."""
    if type(data) is not int or not least <= data < end:
        raise ArtefactError(f"{what} is no integer from {least} to {end - 1}", repr(data)[:80])
    return data


def _float(data: Any) -> float:
    try:
        return float.fromhex(data)
    except (TypeError, ValueError, OverflowError):
        raise ArtefactError("a number is no float", repr(data)[:80]) from None


def _numbered(values: Sequence[Value], data: Any) -> Value:
    return values[number(data, "a value's number", 0, len(values))]


__all__ = ["Decoder", "Encoder", "entries", "mapping", "number", "record", "text"]
