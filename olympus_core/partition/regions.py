"""Lowering of operations with regions, and of the collectives that users write in manual regions."""

from __future__ import annotations

from collections.abc import Sequence

from olympus_core.errors import OlympusInternalError
from olympus_core.placement import Dims
from olympus_core.program import AxisGroup, DeviceGroups, Operation, Program, Value

from .lower import Lowering
from .meshes import dims_on
from .placed import Placed, parts
from .propagate import propagate


def lower_control(lowering: Lowering, operation: Operation) -> None:
    """Lowers a loop, a choice or a manual region."""
    _LOWER[operation.name](lowering, operation)


def _needed(lowering: Lowering, operation: Operation, dims: Sequence[Dims]) -> list[Value]:
    return [
        lowering.need(value, Placed(lowering.normal(wanted)), operation.name)
        for value, wanted in zip(operation.operands, dims, strict=True)
    ]


def _region(
    lowering: Lowering, region: Program, inputs: Sequence[Dims], outputs: Sequence[Dims], times: int | None
) -> Program:
    """A region for one device; inputs come and outputs go in the given dims."""
    emitter = lowering.emitter.region(region.name, times)
    inner = Lowering(lowering.mesh, emitter, lowering.dims, region, lowering.manual)
    placed = [Placed(lowering.normal(dims)) for dims in inputs]
    local = [
        emitter.builder.input(value.type.with_shape(
            n // parts(lowering.mesh_shape, axes) for n, axes in zip(value.type.shape, at.dims, strict=True)
        ))
        for value, at in zip(region.inputs, placed, strict=True)
    ]
    return emitter.builder.finish(inner.run(local, placed, outputs))


def _finish(
    lowering: Lowering, operation: Operation, operands: Sequence[Value], regions: Sequence[Program],
    dims: Sequence[Dims],
) -> None:
    results = lowering.emitter.emit(operation.record, operands, operation.attributes, regions)
    for i, (local, at) in enumerate(zip(results, dims, strict=True)):
        lowering.hold(operation, i, local, Placed(lowering.normal(at)))


def _lower_cond(lowering: Lowering, operation: Operation) -> None:
    arguments = [lowering.dims[v] for v in operation.regions[0].inputs]
    results = [lowering.dims[v] for v in operation.results]
    operands = _needed(lowering, operation, [(), *arguments])
    regions = [_region(lowering, region, arguments, results, 1) for region in operation.regions]
    _finish(lowering, operation, operands, regions, results)


def _lower_while(lowering: Lowering, operation: Operation) -> None:
    condition, body = operation.regions
    dims = [lowering.dims[v] for v in body.inputs]
    carry = dims[operation.attributes["constants"]:]
    operands = _needed(lowering, operation, dims)
    regions = [_region(lowering, condition, dims, [()], None), _region(lowering, body, dims, carry, None)]
    _finish(lowering, operation, operands, regions, carry)


def _lower_scan(lowering: Lowering, operation: Operation) -> None:
    (body,) = operation.regions
    constants, carried = operation.attributes["constants"], operation.attributes["carry"]
    inside = [lowering.dims[v] for v in body.inputs]
    first = constants + carried
    carry = inside[constants:first]
    stacked = [lowering.dims[v] for v in body.outputs[carried:]]
    operands = _needed(lowering, operation, [*inside[:first], *(((), *dims) for dims in inside[first:])])
    region = _region(lowering, body, inside, [*carry, *stacked], operation.attributes["length"])
    _finish(lowering, operation, operands, [region], [*carry, *(((), *dims) for dims in stacked)])


def _lower_manual(lowering: Lowering, operation: Operation) -> None:
    """Writes the body in place: it is one device's program along its axes, and repeated along all others."""
    attributes = operation.attributes
    mesh = attributes["mesh"]
    in_dims = [dims_on(lowering.mesh, mesh, dims) for dims in attributes["in_dims"]]
    out_dims = [lowering.normal(dims_on(lowering.mesh, mesh, dims)) for dims in attributes["out_dims"]]
    operands = _needed(lowering, operation, in_dims)
    (body,) = operation.regions
    whole = [Placed(((),) * v.type.ndim) for v in body.inputs]
    outputs = [((),) * v.type.ndim for v in body.outputs]
    inside = propagate(body, lowering.mesh, [placed.dims for placed in whole], outputs)
    axes = {inner for group in dims_on(lowering.mesh, mesh, (attributes["axes"],)) for inner in group}
    inner = Lowering(lowering.mesh, lowering.emitter, inside.dims, body, lowering.manual | axes)
    results = inner.run(operands, whole, outputs)
    lowering.emitter.location = operation.location
    for i, (local, dims) in enumerate(zip(results, out_dims, strict=True)):
        lowering.hold(operation, i, local, Placed(dims))


_LOWER = {"cond": _lower_cond, "while": _lower_while, "scan": _lower_scan, "manual": _lower_manual}


def lower_collective(lowering: Lowering, operation: Operation) -> None:
    """Lowers a collective of a manual region: its axes become groups of positions."""
    group = operation.attributes["group"]
    if not isinstance(group, AxisGroup):
        raise OlympusInternalError(f"{operation.name} of a global program names positions: {group}")
    attributes = {**operation.attributes, "group": DeviceGroups(group.groups)}
    operands = _needed(lowering, operation, [((),) * v.type.ndim for v in operation.operands])
    emitter = lowering.emitter
    if operands:
        size = operation.operands[0].type.nbytes
        received = _RECEIVED[operation.name](size, group.size)
        why = "written by the program"
        local = emitter.collective(operation.record, operands[0], attributes, group.axes, received, why)
    else:
        (local,) = emitter.emit(operation.record, operands, attributes)
    lowering.hold(operation, 0, local, Placed(((),) * operation.results[0].type.ndim))


_RECEIVED = {
    "all_reduce": lambda size, count: -(-2 * size * (count - 1) // count),
    "all_gather": lambda size, count: size * (count - 1),
    "reduce_scatter": lambda size, count: size // count * (count - 1),
    "all_to_all": lambda size, count: size // count * (count - 1),
    "permute": lambda size, count: size,
    "broadcast": lambda size, count: size,
}
