# SPDX-License-Identifier: Apache-2.0
"""Lowering of operations with regions, and of the collectives that users write in manual regions."""

from __future__ import annotations

from collections.abc import Sequence

from olympus_core.errors import OlympusInternalError
from olympus_core.placement import Dims
from olympus_core.program import AxisGroup, DeviceGroups, Operation, Program, Value

from .lower import Lowering
from .meshes import dims_on
from .value_sharding import ValueSharding, parts


class ProgramLowering(Lowering):
    """Lowers any operation of a program or region."""

    def lower(self, operation: Operation) -> None:
        """Lowers one operation, by its kind."""
        if operation.record.category == "control":
            _LOWER[operation.name](self, operation)
        elif operation.record.category == "collective":
            _lower_collective(self, operation)
        else:
            super().lower(operation)


def _needed(lowering: Lowering, operation: Operation, dims: Sequence[Dims]) -> list[Value]:
    return [
        lowering.need(value, ValueSharding(lowering.normal(wanted)), operation.name)
        for value, wanted in zip(operation.operands, dims, strict=True)
    ]


def _region(
    lowering: Lowering, region: Program, inputs: Sequence[Dims], outputs: Sequence[Dims], times: int | None
) -> tuple[Program, Lowering]:
    """A region for one device, and how it was lowered; inputs come and outputs go in the given dims."""
    emitter = lowering.emitter.region(region.name, times)
    inner = lowering.nested(emitter, region)
    shardings = [ValueSharding(lowering.normal(dims)) for dims in inputs]
    local = [
        emitter.builder.input(value.type.with_shape(
            n // parts(lowering.mesh_shape, axes) for n, axes in zip(value.type.shape, at.dims, strict=True)
        ))
        for value, at in zip(region.inputs, shardings, strict=True)
    ]
    return emitter.builder.finish(inner.run(local, shardings, outputs)), inner


def _loop_body(
    lowering: Lowering, body: Program, inputs: list[Dims], outputs: Sequence[Dims], constants: int, times: int | None
) -> tuple[Program, list[Dims]]:
    """The body of a loop for one device, and the dims in which its inputs come.

    A constant that every iteration would bring to one other placement comes in that placement: it is moved once,
    before the loop, if the iterations then communicate less.
    """
    uses = lowering.emitter.uses
    start = len(uses)
    program, inner = _region(lowering, body, inputs, outputs, times)
    moved = list(inputs)
    for i, value in enumerate(body.inputs[:constants]):
        asked = [sharding for sharding in inner.values[value].states if sharding.dims != lowering.normal(inputs[i])]
        if len(asked) == 1:
            moved[i] = asked[0].dims
    if moved == inputs:
        return program, inputs
    said, start = sum(use.bytes_per_device for _, use in uses[start:]), len(uses)
    other, _ = _region(lowering, body, moved, outputs, times)
    if sum(use.bytes_per_device for _, use in uses[start:]) <= said:
        return other, moved
    return program, inputs


def _finish(
    lowering: Lowering, operation: Operation, operands: Sequence[Value], regions: Sequence[Program],
    dims: Sequence[Dims],
) -> None:
    results = lowering.emitter.emit(operation.record, operands, operation.attributes, regions)
    for i, (local, at) in enumerate(zip(results, dims, strict=True)):
        lowering.hold(operation, i, local, ValueSharding(lowering.normal(at)))


def _lower_cond(lowering: Lowering, operation: Operation) -> None:
    arguments = [lowering.dims[v] for v in operation.regions[0].inputs]
    results = [lowering.dims[v] for v in operation.results]
    operands = _needed(lowering, operation, [(), *arguments])
    regions = [_region(lowering, region, arguments, results, 1)[0] for region in operation.regions]
    _finish(lowering, operation, operands, regions, results)


def _lower_while(lowering: Lowering, operation: Operation) -> None:
    condition, body = operation.regions
    constants = operation.attributes["constants"]
    dims = [lowering.dims[v] for v in body.inputs]
    carry = dims[constants:]
    iteration, dims = _loop_body(lowering, body, dims, carry, constants, None)
    goes_on, _ = _region(lowering, condition, dims, [()], None)
    _finish(lowering, operation, _needed(lowering, operation, dims), [goes_on, iteration], carry)


def _lower_scan(lowering: Lowering, operation: Operation) -> None:
    (body,) = operation.regions
    constants, carried = operation.attributes["constants"], operation.attributes["carry"]
    inside = [lowering.dims[v] for v in body.inputs]
    first = constants + carried
    carry = inside[constants:first]
    stacked = [lowering.dims[v] for v in body.outputs[carried:]]
    outputs = [*carry, *stacked]
    iteration, inside = _loop_body(lowering, body, inside, outputs, constants, operation.attributes["length"])
    operands = _needed(lowering, operation, [*inside[:first], *(((), *dims) for dims in inside[first:])])
    _finish(lowering, operation, operands, [iteration], [*carry, *(((), *dims) for dims in stacked)])


def _lower_manual(lowering: Lowering, operation: Operation) -> None:
    """Writes the body in place: it is one device's program along its axes, and partitioned along all others."""
    attributes, (body,) = operation.attributes, operation.regions
    mesh = attributes["mesh"]
    inside = [lowering.wanted(v) for v in body.inputs]
    outputs = [lowering.wanted(v) for v in body.outputs]
    in_dims = [
        _joined(dims_on(lowering.mesh, mesh, dims), inner)
        for dims, inner in zip(attributes["in_dims"], inside, strict=True)
    ]
    operands = _needed(lowering, operation, in_dims)
    (axes,) = dims_on(lowering.mesh, mesh, (attributes["axes"],))
    nested = lowering.nested(lowering.emitter, body, lowering.manual | set(axes))
    results = nested.run(operands, [ValueSharding(dims) for dims in inside], outputs)
    lowering.emitter.location = operation.location
    for i, (local, dims, inner) in enumerate(zip(results, attributes["out_dims"], outputs, strict=True)):
        joined = _joined(dims_on(lowering.mesh, mesh, dims), inner)
        lowering.hold(operation, i, local, ValueSharding(lowering.normal(joined)))


def _joined(border: Dims, inner: Dims) -> Dims:
    """The dims outside of a value that is split at the border and then inside."""
    return tuple((*major, *minor) for major, minor in zip(border, inner, strict=True))


_LOWER = {"cond": _lower_cond, "while": _lower_while, "scan": _lower_scan, "manual": _lower_manual}


def _lower_collective(lowering: Lowering, operation: Operation) -> None:
    """Lowers a collective of a manual region: its axes become groups of positions."""
    group = operation.attributes["group"]
    if not isinstance(group, AxisGroup):
        raise OlympusInternalError(f"{operation.name} of a global program names positions: {group}")
    attributes = {**operation.attributes, "group": DeviceGroups(group.groups)}
    (result,) = operation.results
    emitter = lowering.emitter
    if not operation.operands:
        (local,) = emitter.emit(operation.record, [], attributes)
        lowering.hold(operation, 0, local, ValueSharding(()))
        return
    # What the collective gathers, scatters or splits is whole; along other dimensions each device sends its part.
    touched = {attributes.get(key) for key in ("dimension", "split_dimension", "concat_dimension")}
    dims = tuple(() if d in touched else axes for d, axes in enumerate(lowering.wanted(result)))
    (operand,) = _needed(lowering, operation, [dims])
    received = _RECEIVED[operation.name](operand.type.nbytes, group.size)
    why = "written by the program"
    local = emitter.collective(operation.record, operand, attributes, group.axes, received, why)
    lowering.hold(operation, 0, local, ValueSharding(dims))


_RECEIVED = {
    "all_reduce": lambda size, count: -(-2 * size * (count - 1) // count),
    "all_gather": lambda size, count: size * (count - 1),
    "reduce_scatter": lambda size, count: size // count * (count - 1),
    "all_to_all": lambda size, count: size // count * (count - 1),
    "permute": lambda size, count: size,
    "broadcast": lambda size, count: size,
}
