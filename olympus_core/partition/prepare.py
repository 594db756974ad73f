# SPDX-License-Identifier: Apache-2.0
"""What is done to a program before it is partitioned: called programs are written in place, regions are copied.

A region may be shared by several operations; afterwards every value of every region stands at one position only, so
that a placement can be kept for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from olympus_core.ops import call, manual
from olympus_core.placement import Dims, Mesh
from olympus_core.program import Operation, Program, ProgramBuilder, Value, operations_of


def prepared(program: Program) -> Program:
    """A copy of the program with values of its own and without calls, nor what nobody needs of them."""
    builder = ProgramBuilder(program.name)
    inputs = [builder.input(v.type) for v in program.inputs]
    values = dict(zip(program.inputs, inputs, strict=True))
    _copy(program, values, builder.operations)
    return builder.finish([values[v] for v in program.outputs])


def expanded(program: Program, platform: str | None, whole: bool = True, asked: bool = True,
             manual: bool = False) -> Program:
    """The program with calls of what they are made of in place of operations that are registered from outside.

    Args:
        program: The program.
        platform: What runs it; None where that is not known.
        whole: Whether those go as well that say how they are split.
        asked: Whether those go as well whose authors are asked about it.
        manual: Whether it is a manual region: there authors are told where operands are, and not asked for results.
    """
    if all(operation.record.expansion is None for operation in operations_of(program)):
        return program
    operations = []
    for operation in program.operations:
        inside = manual or operation.name == "manual"
        regions = tuple(expanded(region, platform, whole, asked, inside) for region in operation.regions)
        record, attributes = operation.record, operation.attributes
        stays = not whole if record.authors_split is None else not asked and not (manual and operation.results)
        if record.expansion is not None and not (stays and _is_split(operation)):
            made = record.expansion([v.type for v in operation.operands], attributes, platform)
            record, attributes, regions = call, {}, (expanded(made, platform, whole, asked, manual),)
        operations.append(
            Operation(record, operation.operands, attributes, regions, operation.results, operation.location))
    return Program(program.name, program.inputs, tuple(operations), program.outputs)


def _is_split(operation: Operation) -> bool:
    """Whether devices do their parts of it: it says how, and its values reach platforms as they are."""
    return operation.record.factor_rule is not None and all(
        v.type.carried() is v.type for v in (*operation.operands, *operation.results))


def asks_authors(program: Program) -> bool:
    """Whether there is an operation whose author says how it is split."""
    return any(operation.record.authors_split is not None for operation in operations_of(program))


def split_by_authors(program: Program, mesh: Mesh, dims: Mapping[Value, Dims]) -> tuple[Program, Mapping[Value, Dims]]:
    """The program with manual regions in place of operations whose authors say what a device does.

    Inside of regions that are manual already, operations with results are what they are made of (`expanded`).

    Args:
        program: A prepared program.
        mesh: The devices.
        dims: Where all of its values are to be.

    Returns:
        The program, and the dims of its values.
    """
    if not asks_authors(program):
        return program, dims
    known = dict(dims)
    return _split_by_authors(program, mesh, known), known


def _split_by_authors(program: Program, mesh: Mesh, known: dict[Value, Dims]) -> Program:
    operations = []
    for operation in program.operations:
        record, attributes, regions = operation.record, operation.attributes, operation.regions
        ask = record.authors_split
        if ask is not None:
            found = ask(mesh, operation, [known[v] for v in operation.operands], [known[v] for v in operation.results])
            if found is not None:
                in_dims, out_dims, region = found
                body = prepared(region)
                for value in values_of(body):
                    known[value] = ((),) * value.type.ndim  # all axes are manual there
                record, regions = manual, (body,)
                attributes = {"mesh": mesh, "axes": mesh.axis_names, "in_dims": in_dims, "out_dims": out_dims}
        else:
            regions = tuple(_split_by_authors(region, mesh, known) for region in regions)
        operations.append(
            Operation(record, operation.operands, attributes, regions, operation.results, operation.location))
    return Program(program.name, program.inputs, tuple(operations), program.outputs)


def values_of(program: Program) -> Iterator[Value]:
    """All values, those of regions included."""
    yield from program.inputs
    for operation in program.operations:
        yield from operation.results
        for region in operation.regions:
            yield from values_of(region)


def without_calls(program: Program) -> Program:
    """The program, or its prepared copy where it calls others."""
    calls = any(operation.name == "call" for operation in operations_of(program))
    return prepared(program) if calls else program


def _copy(program: Program, values: dict[Value, Value], operations: list[Operation]) -> None:
    for operation in program.operations:
        operands = tuple(values[v] for v in operation.operands)
        if operation.name == "call":
            (region,) = operation.regions
            inner = dict(zip(region.inputs, operands, strict=True))
            _copy(region, inner, operations)
            values.update(_outputs(operation, region, inner))
            continue
        results = tuple(Value(v.type) for v in operation.results)
        regions = tuple(prepared(region) for region in operation.regions)
        operations.append(
            Operation(operation.record, operands, operation.attributes, regions, results, operation.location)
        )
        values.update(zip(operation.results, results, strict=True))


def _outputs(operation: Operation, region: Program, inner: Mapping[Value, Value]) -> dict[Value, Value]:
    return {result: inner[value] for result, value in zip(operation.results, region.outputs, strict=True)}
