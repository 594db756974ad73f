# SPDX-License-Identifier: Apache-2.0
"""Programs: typed values, operations in order, regions for control flow; and their text.

In a program's text values are numbered in order of appearance. A region is printed as a program of its own, with its
own numbers: it is closed, so its text says all of it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Final

from olympus_core.dataclass import dataclass
from olympus_core.placement import Device

from .record import OperationRecord
from .text import LOCATION, attribute_text
from .types import ArrayType


class Value:
    """One value of a program; compared by identity.

    Args:
        type: Its shape and element type.
    """

    __slots__ = ("type",)

    def __init__(self, type: ArrayType) -> None:
        self.type = type

    def __repr__(self) -> str:
        return f"<value {self.type}>"


@dataclass(slots=True, eq=False)  # not frozen, which would make the making of one four times slower
class Operation:
    """One step of a program; immutable.

    Args:
        record: What it does.
        operands: The values it takes.
        attributes: Its constants, such as the dimensions of a reduction. Never changed.
        regions: Programs of its own, for control flow. They are closed: whatever they use is an operand.
        results: The values it makes.
        location: The user's line, ``file:line``; not part of the program's text or fingerprint.
    """

    record: Final[OperationRecord]
    operands: Final[tuple[Value, ...]]
    attributes: Final[Mapping[str, Any]]
    regions: Final[tuple[Program, ...]]
    results: Final[tuple[Value, ...]]
    location: Final[str | None] = None

    @property
    def name(self) -> str:
        """The record's name."""
        return self.record.name

    @property
    def has_effects(self) -> bool:
        """Whether it must run even if nobody uses its results: it, or an operation in its regions.

        Of an operation whose record has effects, one with the attribute ``ordered`` false has none.
        """
        if self.record.has_effects and self.attributes.get("ordered", True):
            return True
        return bool(self.regions) and any(o.has_effects for region in self.regions for o in region.operations)


@dataclass(frozen=True, eq=False)
class Program:
    """A function of arrays; immutable, compared by identity (compare fingerprints for content).

    Args:
        name: For people; not part of the fingerprint.
        inputs: The values given by the caller.
        operations: The steps, in order.
        outputs: The values handed back; an input or a value may stand here several times.
    """

    name: str
    inputs: tuple[Value, ...]
    operations: tuple[Operation, ...]
    outputs: tuple[Value, ...]

    @property
    def input_types(self) -> tuple[ArrayType, ...]:
        """Types of the inputs."""
        return tuple([v.type for v in self.inputs])

    @property
    def output_types(self) -> tuple[ArrayType, ...]:
        """Types of the outputs."""
        return tuple([v.type for v in self.outputs])

    @cached_property
    def text(self) -> str:
        """The program as text: the same for the same program in every process and every run."""
        return program_text(self)

    @cached_property
    def fingerprint(self) -> str:
        """A digest of the text, 32 hexadecimal digits."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:32]

    @cached_property
    def identity(self) -> tuple[Any, ...]:
        """The fingerprint, with the meshes and groups of devices that the program names: text shortens them."""
        named = (o.attributes.get(key) for o in operations_of(self) for key in ("mesh", "group"))
        return (self.fingerprint, *(value for value in named if value is not None))

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, eq=False)
class DeviceProgram:
    """What a plugin compiles: the program that every device of a list runs on its own part.

    Shapes are local; what devices tell each other is explicit, as collectives whose `groups` attribute holds
    positions in `devices`. Every device runs the same operations in the same order.

    Args:
        program: The program of one device.
        devices: All devices that run it, of all processes; `axis_index` over one group of all positions gives
            a device's position here.
        donated: Indices of the inputs whose buffers the execution may reuse.
    """

    program: Program
    devices: tuple[Device, ...]
    donated: tuple[int, ...] = ()

    @cached_property
    def local_positions(self) -> tuple[int, ...]:
        """Positions of this process's devices."""
        return tuple(i for i, d in enumerate(self.devices) if d.is_addressable)

    @cached_property
    def local_devices(self) -> tuple[Device, ...]:
        """This process's devices, in the order in which `Executable.execute` takes buffers."""
        return tuple(self.devices[i] for i in self.local_positions)

    @cached_property
    def spans_processes(self) -> bool:
        """Whether devices of several processes take part."""
        return len({d.process_index for d in self.devices}) > 1


def operations_of(program: Program) -> Sequence[Operation]:
    """All operations, those of regions included, outermost first."""
    found: list[Operation] = []
    for operation in program.operations:
        found.append(operation)
        for region in operation.regions:
            found.extend(operations_of(region))
    return found


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
        lines[0] += LOCATION + operation.location
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
