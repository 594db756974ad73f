# SPDX-License-Identifier: Apache-2.0
"""The entry points of the partitioner: a whole program, and one value from sharding to sharding."""

from __future__ import annotations

from collections.abc import Sequence

from olympus_core.dataclass import dataclass
from olympus_core.placement import Dims, Layout, Mesh
from olympus_core.program import ArrayType, DeviceProgram, Program, ProgramBuilder, Value, operations_of

from .carried import carried, refuse_sums
from .emit import DeviceEmitter
from .explain import CollectiveUse
from .prepare import asks_authors, expanded, prepared, split_by_authors, without_calls
from .propagate import propagate
from .regions import ProgramLowering
from .value_sharding import local_shape


@dataclass(frozen=True, slots=True)
class Partitioned:
    """A program split over the devices of a mesh.

    Args:
        device_program: What each device runs.
        in_dims: The dims of the inputs, as they were given.
        out_dims: The dims of the outputs, all decided.
        collectives: Every collective, in order, for `format_collectives`.
        decisions: For people: what propagation had to settle.
        in_terms: For each input the axes over which it comes as terms of a sum.
        out_terms: For each output the axes over which it leaves so.
    """

    device_program: DeviceProgram
    in_dims: tuple[Dims, ...]
    out_dims: tuple[Dims, ...]
    collectives: tuple[CollectiveUse, ...] = ()
    decisions: tuple[str, ...] = ()
    in_terms: tuple[tuple[str, ...], ...] = ()
    out_terms: tuple[tuple[str, ...], ...] = ()


def partition(
    program: Program,
    mesh: Mesh,
    in_dims: Sequence[Dims],
    out_dims: Sequence[Dims | None],
    *,
    donated: Sequence[int] = (),
    in_terms: Sequence[tuple[str, ...]] = (),
    out_terms: Sequence[tuple[str, ...]] = (),
) -> Partitioned:
    """Splits a global program over the devices of a mesh.

    Args:
        program: The program; its shapes are those of whole arrays.
        mesh: The devices; every device runs the result on its part.
        in_dims: For each input the dims in which it comes.
        out_dims: For each output the dims in which it must leave; None where the partitioner decides.
        donated: Indices of the inputs whose buffers the execution may reuse.
        in_terms: For each input the axes along which each device has one term of a sum that is its value; nothing for
            none.
        out_terms: The same for the outputs.

    Returns:
        The program of one device with explicit collectives, and what is to be known about it.

    Raises:
        IndivisibleError: If a dimension of an input or output does not divide among its axes.
        NotSupportedError: If a constraint or manual region is over a mesh that does not fit this one, or if what is a
            sum of terms has elements that platforms get as carriers.
    """
    given = tuple(in_dims)
    sums_in = tuple(in_terms) or ((),) * len(program.inputs)
    sums_out = tuple(out_terms) or ((),) * len(program.outputs)
    refuse_sums(program, sums_in, sums_out)
    platform = mesh.flat_devices[0].platform
    program = carried(expanded(program, platform, whole=mesh.size == 1, asked=False))
    for value, dims in [*zip(program.inputs, given, strict=True), *zip(program.outputs, out_dims, strict=True)]:
        if dims is not None:
            Layout(mesh, dims).shard_shape(value.type.shape)
    runs_as_it_is = mesh.size == 1 and not _needs_lowering(program)
    if runs_as_it_is and not any(any(dims or ()) for dims in (*given, *out_dims)):  # there is nothing to decide
        nowhere = tuple(((),) * v.type.ndim for v in program.outputs)
        return Partitioned(DeviceProgram(without_calls(program), mesh.flat_devices, tuple(donated)), given, nowhere,
                           in_terms=sums_in, out_terms=sums_out)
    whole = prepared(program)
    propagated = propagate(whole, mesh, given, out_dims)
    whole, dims_of_values = split_by_authors(whole, mesh, propagated.dims)
    decided = tuple(
        dims if dims is not None else propagated.dims[v] for v, dims in zip(whole.outputs, out_dims, strict=True)
    )
    if runs_as_it_is:
        device_program = DeviceProgram(without_calls(program), mesh.flat_devices, tuple(donated))
        return Partitioned(device_program, given, decided, (), propagated.decisions, sums_in, sums_out)
    uses: list[tuple[Value, CollectiveUse]] = []
    emitter = DeviceEmitter(mesh.shape_tuple, program.name, uses)
    lowering = ProgramLowering(mesh, emitter, dims_of_values, whole)
    shardings = [lowering.summed(dims, axes) for dims, axes in zip(given, sums_in, strict=True)]
    inputs = [
        emitter.builder.input(v.type.with_shape(local_shape(mesh.shape_tuple, v.type.shape, at.dims)))
        for v, at in zip(whole.inputs, shardings, strict=True)
    ]
    outputs = lowering.run(inputs, shardings, decided, sums_out)
    local = emitter.builder.finish(outputs)
    said = {id(value): use for value, use in uses}
    results = [id(value) for operation in operations_of(local) for value in operation.results]
    local = expanded(local, platform)
    return Partitioned(
        DeviceProgram(without_calls(local), mesh.flat_devices, tuple(donated)), given, decided,
        tuple(said[value] for value in results if value in said), propagated.decisions, sums_in, sums_out,
    )


def reshard_program(type: ArrayType, source: Layout, target: Layout) -> Partitioned:
    """The program that takes one value from one sharding to another of the same mesh.

    Args:
        type: The value's type, whole.
        source: How it lies.
        target: How it shall lie, on the same mesh.

    Returns:
        The identity, partitioned: only the steps of the reshard plan.

    Raises:
        IndivisibleError: If a dimension does not divide among its axes.
    """
    builder = ProgramBuilder("reshard")
    value = builder.input(type)
    return partition(builder.finish([value]), source.mesh, [source.dims], [target.dims],
                     in_terms=[source.unreduced], out_terms=[target.unreduced])


def _needs_lowering(program: Program) -> bool:
    """Whether there is something in it, apart from calls, that no device can run as it stands."""
    return asks_authors(program) or any(
        operation.name in ("manual", "sharding_constraint") or operation.record.category == "collective"
        for operation in operations_of(program)
    )

