# SPDX-License-Identifier: Apache-2.0
"""The reference interpreter: any program, in NumPy, by the references of its operations.

All devices of a program go through it in step: a value is held as one array for each device that is there
(a *member*). A global program is the case of one member; a manual region makes one for each device of its mesh.
It is the oracle that the partitioner and the platforms are compared with, so it is made to be read, not to be fast.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from olympus_core.dataclass import dataclass
from olympus_core.errors import DisagreeingMembersError, OlympusInternalError, OperandError

from .groups import AxisGroup, DeviceGroups
from .program import Operation, Program, Value
from .types import ArrayType

Members = list[np.ndarray]  # one value: an array for each member


def run(program: Program, inputs: Sequence[Any]) -> list[np.ndarray]:
    """Runs a global program.

    Args:
        program: The program; its shapes are those of whole arrays.
        inputs: One array for each input.

    Returns:
        One array for each output.

    Raises:
        OperandError: If the inputs are not of the program's input types.
        DisagreeingMembersError: If devices of a manual region part ways before a collective.
    """
    arrays = [np.asarray(x) for x in inputs]
    _check_inputs(program, arrays)
    outputs = _MeshInterpreter((0,), in_mesh=False).run(program, [[x] for x in arrays])
    return [members[0] for members in outputs]


def run_members(
    program: Program, member_inputs: Sequence[Sequence[Any]], positions: Sequence[int]
) -> list[list[np.ndarray]]:
    """Runs a device program: all devices, in step.

    Args:
        program: The program of one device; its shapes are local.
        member_inputs: For each input, for each member, the array.
        positions: The members' positions in the program's devices, as its collectives' groups name them.

    Returns:
        For each output, for each member, the array.

    Raises:
        OperandError: If the inputs are not of the program's input types.
        DisagreeingMembersError: If members part ways before a collective.
    """
    values = [[np.asarray(x) for x in members] for members in member_inputs]
    for i in range(len(positions)):
        _check_inputs(program, [members[i] for members in values])
    return _MeshInterpreter(tuple(positions), in_mesh=True).run(program, values)


@dataclass(frozen=True, slots=True)
class _MeshInterpreter:
    """Interprets programs for some devices of a mesh together.

    Args:
        positions: Their positions among all devices.
        in_mesh: Whether they are the devices of a mesh; otherwise there is one, which stands for all.
    """

    positions: tuple[int, ...]
    in_mesh: bool

    def run(self, program: Program, inputs: Sequence[Members]) -> list[Members]:
        """Runs a program or a region."""
        values: dict[Value, Members] = dict(zip(program.inputs, inputs, strict=True))
        for operation in program.operations:
            results = self._operation(operation, [values[v] for v in operation.operands])
            for value, members in zip(operation.results, results, strict=True):
                _check_result(operation, value.type, members)
                values[value] = members
        return [values[v] for v in program.outputs]

    def _operation(self, operation: Operation, operands: list[Members]) -> list[Members]:
        record = operation.record
        if record.name == "manual":
            return self._manual(operation, operands)
        if record.group_reference is not None:
            group = self._present(operation, operation.attributes["group"].groups)
            attributes = {**operation.attributes, "group": group}
            return [list(record.group_reference(operands[0] if operands else (), attributes))]
        if record.control_steps is not None:
            return self._control(operation, operands)
        if record.reference is None:
            raise OlympusInternalError(f"operation {record.name} has no reference")
        rows = [record.reference(row, operation.attributes) for row in self._rows(operands)]
        return _columns(rows, len(operation.results))

    def _control(self, operation: Operation, operands: list[Members]) -> list[Members]:
        """Every member goes through the steps by itself; those that ask for the same region run it together."""
        control_steps = operation.record.control_steps
        if control_steps is None:
            raise OlympusInternalError(f"operation {operation.name} has no steps")
        steps_of = [control_steps(row, operation.attributes, operation.regions) for row in self._rows(operands)]
        asked: dict[int, tuple[Program, Sequence[np.ndarray]]] = {}
        results: dict[int, Sequence[np.ndarray]] = {}

        def advance(member: int, outputs: Sequence[np.ndarray] | None) -> None:
            try:
                asked[member] = steps_of[member].send(outputs)  # type: ignore[arg-type]  # None starts a generator
            except StopIteration as end:
                results[member] = end.value

        for member in range(len(steps_of)):
            advance(member, None)
        while asked:
            requests, asked = asked, {}
            for region in dict.fromkeys(operation.regions):
                members = [m for m, (wanted, _) in requests.items() if wanted is region]
                if members:
                    part = _MeshInterpreter(tuple(self.positions[m] for m in members), self.in_mesh)
                    inputs = _columns([requests[m][1] for m in members], len(region.inputs))
                    for member, row in zip(members, part._rows(part.run(region, inputs)), strict=True):
                        advance(member, row)
        return _columns([results[m] for m in range(len(steps_of))], len(operation.results))

    def _manual(self, operation: Operation, operands: list[Members]) -> list[Members]:
        """Each member cuts its part out of what it holds, runs the region, and gets the results put together."""
        mesh_shape = operation.attributes["mesh"].shape_tuple
        group = AxisGroup(mesh_shape, operation.attributes["axes"])
        if not self.in_mesh:
            everybody = _MeshInterpreter(tuple(range(sum(map(len, group.groups)))), in_mesh=True)
            spread = [members * len(everybody.positions) for members in operands]
            return [members[:1] for members in everybody._manual(operation, spread)]
        coordinates = [_coordinates(mesh_shape, position) for position in self.positions]
        inputs = [
            [value[_box(value.shape, dims, mesh_shape, at)] for value, at in zip(members, coordinates, strict=True)]
            for members, dims in zip(operands, operation.attributes["in_dims"], strict=True)
        ]
        (region,) = operation.regions
        outputs = self.run(region, inputs)
        groups = self._present(operation, group.groups).groups
        joined: list[Members] = []
        for members, dims, value in zip(outputs, operation.attributes["out_dims"], operation.results, strict=True):
            whole: dict[int, np.ndarray] = {}
            for group_members in groups:
                array = np.empty(value.type.shape, value.type.dtype)
                for m in reversed(group_members):  # where several hold the same part, the first one's counts
                    array[_box(array.shape, dims, mesh_shape, coordinates[m])] = members[m]
                whole.update(dict.fromkeys(group_members, array))
            joined.append([whole[m] for m in range(len(self.positions))])
        return joined

    def _present(self, operation: Operation, groups: Sequence[Sequence[int]]) -> DeviceGroups:
        """The groups of the members that are there, by their indices; all of a group must be there."""
        index_of = {position: i for i, position in enumerate(self.positions)}
        found: list[tuple[int, ...]] = []
        for group in groups:
            there = [index_of[p] for p in group if p in index_of]
            if len(there) == len(group):
                found.append(tuple(there))
            elif there:
                raise DisagreeingMembersError(operation.name, group, self.positions, operation.location)
        if sum(map(len, found)) != len(self.positions):
            raise OlympusInternalError(f"the groups of {operation.name} do not hold all of {self.positions}")
        return DeviceGroups(tuple(found))

    def _rows(self, columns: Sequence[Members]) -> Iterator[list[np.ndarray]]:
        return ([members[i] for members in columns] for i in range(len(self.positions)))


def _columns(rows: Sequence[Sequence[np.ndarray]], count: int) -> list[Members]:
    return [[row[i] for row in rows] for i in range(count)]


def _coordinates(mesh_shape: Sequence[tuple[str, int]], position: int) -> dict[str, int]:
    coordinates: dict[str, int] = {}
    for name, size in reversed(mesh_shape):
        position, coordinates[name] = divmod(position, size)
    return coordinates


def _box(
    shape: Sequence[int], dims: Sequence[Sequence[str]], mesh_shape: Sequence[tuple[str, int]],
    coordinates: Mapping[str, int],
) -> tuple[slice, ...]:
    """The part of a whole array that the device at these coordinates of the mesh holds."""
    sizes = dict(mesh_shape)
    box: list[slice] = []
    for size, axes in zip(shape, dims, strict=True):
        index, parts = 0, 1
        for axis in axes:
            index, parts = index * sizes[axis] + coordinates[axis], parts * sizes[axis]
        box.append(slice(index * (size // parts), (index + 1) * (size // parts)))
    return tuple(box)


def _check_inputs(program: Program, inputs: Sequence[np.ndarray]) -> None:
    given = tuple(ArrayType(x.shape, x.dtype) for x in inputs)
    if given != program.input_types:
        raise OperandError(program.name, "the inputs are not of the program's types", given, program.input_types)


def _check_result(operation: Operation, type: ArrayType, members: Members) -> None:
    for array in members:
        if array.shape != type.shape or array.dtype != type.dtype:
            raise OlympusInternalError(
                f"the reference of {operation.name} gave {array.dtype.name}{list(array.shape)} for {type}"
            )
