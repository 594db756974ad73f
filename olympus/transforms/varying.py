"""Over which mesh axes the values of a manual region vary from device to device."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from olympus_core import ops
from olympus_core.errors import ArgumentError
from olympus_core.program import Operation, Program, Value, operations_of

from ..tracing import StagingTrace, Tracer
from .context import _analysis, current_manual_axes

Axes = frozenset[str]


def check_outputs(
    name: str, region: Program, in_dims: Sequence[Sequence[Sequence[str]]], out_dims: Sequence[Sequence[Sequence[str]]],
    axes: Sequence[str], logical: Mapping[str, Sequence[str]] | None = None,
) -> None:
    """Refuses a result that varies over an axis which its spec leaves out.

    Args:
        name: The mapped function.
        region: Its program.
        in_dims: For each input the axes that cut it.
        out_dims: For each output the axes that it is made up by.
        axes: The manual axes.
        logical: The names by which the function knows them, each with the mesh axes that it stands for.

    Raises:
        ArgumentError: With the collective that is missing.
    """
    found = output_axes(region, [frozenset(a for entry in dims for a in entry) for dims in in_dims], frozenset(axes))
    for i, (varies, dims) in enumerate(zip(found, out_dims, strict=True)):
        missing = sorted(varies & set(axes) - {a for entry in dims for a in entry})
        if missing and logical is not None:
            missing = [name for name, behind in logical.items() if set(behind) & set(missing)]
            raise ArgumentError(
                name, f"result {i} differs along axis {', '.join(map(repr, missing))}, which its out_axes leaves out",
                fix=f"Name the axis in out_axes, or make the result the same everywhere, such as with "
                    f"olympus.lax.psum(x, {_one_or_all(missing)!r}).",
            )
        if missing:
            raise ArgumentError(
                f"shard_map({name})",
                f"result {i} differs from device to device along mesh axis {', '.join(map(repr, missing))}, "
                "which its out_spec leaves out",
                fix=f"Name the axis in out_specs, or make the result the same everywhere, such as with "
                    f"olympus.lax.psum(x, {_one_or_all(missing)!r}); check_vma=False takes one device's value "
                    "unchecked.",
            )


def _one_or_all(names: Sequence[str]) -> str | tuple[str, ...]:
    return names[0] if len(names) == 1 else tuple(names)


def output_axes(program: Program, inputs: Sequence[Axes], manual: Axes) -> list[Axes]:
    """For each output the axes over which it varies, given those of the inputs, and all axes of the region."""
    known = _known(dict(zip(program.inputs, inputs, strict=True)), program.operations, manual)
    return [known[v] for v in program.outputs]


def _known(known: dict[Value, Axes], operations: Iterable[Operation], manual: Axes) -> dict[Value, Axes]:
    """The axes of all values, given those of the inputs."""
    for operation in operations:
        results = _results(operation, [known[v] for v in operation.operands], manual)
        known.update(zip(operation.results, results, strict=True))
    return known


def note_inputs(tracers: Sequence[Tracer], dims: Sequence[Sequence[Sequence[str]]]) -> None:
    """Notes for `axes_while_tracing` which axes cut the arguments of a body that is being traced."""
    for tracer, one in zip(tracers, dims, strict=True):
        tracer._trace.input_axes[tracer._value] = frozenset(a for entry in one for a in entry)


def axes_while_tracing(value: Any) -> Axes:
    """The manual axes over which a value varies in the function that is being traced, as far as it has come.

    What a loop carries within the function counts as varying over all of them, since its end is not known yet.
    """
    manual = current_manual_axes()
    if not isinstance(value, Tracer) or manual is None:
        return frozenset()
    trace, inner = value._trace, value._value
    if not isinstance(trace, StagingTrace):  # a value that is differentiated or batched
        return axes_while_tracing(inner)
    everything = frozenset(manual.axes)
    unknown = everything if trace.is_in_region else frozenset[str]()
    known = {v: trace.input_axes.get(v, unknown) for v in trace.builder.inputs}
    known.update((tracer._value, _outside(outside)) for outside, tracer in trace._captured.values())
    return _known(known, trace.builder.operations, everything).get(inner, unknown)


def _outside(value: Any) -> Axes:
    return axes_while_tracing(value) if isinstance(value, Tracer) else frozenset()


_analysis.append(axes_while_tracing)


def _results(operation: Operation, operands: Sequence[Axes], manual: Axes) -> Sequence[Axes]:
    record, count = operation.record, len(operation.results)
    if record in _OF_REGIONS:
        return _OF_REGIONS[record](operation, operands, manual)
    everything = frozenset().union(*operands)
    if record.category == "collective":
        group = frozenset(operation.attributes["group"].axes)
        return [everything - group if record.is_uniform else everything | group] * count
    inside = (o for region in operation.regions for o in operations_of(region))
    if any(o.record.category == "host" for o in (operation, *inside)):
        return [manual] * count  # each device for itself, and who is asked twice may answer differently
    return [everything] * count


def _of_call(operation: Operation, operands: Sequence[Axes], manual: Axes) -> Sequence[Axes]:
    return output_axes(operation.regions[0], operands, manual)


def _of_cond(operation: Operation, operands: Sequence[Axes], manual: Axes) -> Sequence[Axes]:
    branches = [output_axes(region, operands[1:], manual) for region in operation.regions]
    return [operands[0].union(*results) for results in zip(*branches, strict=True)]


def _of_while(operation: Operation, operands: Sequence[Axes], manual: Axes) -> Sequence[Axes]:
    condition, body = operation.regions
    return _loop(body, operands, manual, operation.attributes["constants"], 0, condition)


def _of_scan(operation: Operation, operands: Sequence[Axes], manual: Axes) -> Sequence[Axes]:
    attributes = operation.attributes
    return _loop(operation.regions[0], operands, manual, attributes["constants"], attributes["carry"])


def _of_manual(operation: Operation, operands: Sequence[Axes], manual: Axes) -> Sequence[Axes]:
    """A region within the region: outside of it its own axes do not count."""
    attributes = operation.attributes
    own = frozenset(attributes["axes"])
    inside = [
        axes | {axis for group in dims for axis in group} for axes, dims in zip(
            operands, attributes["in_dims"], strict=True)]
    return [axes - own for axes in output_axes(operation.regions[0], inside, manual | own)]


def _loop(
    body: Program, operands: Sequence[Axes], manual: Axes, constants: int, carry: int,
    condition: Program | None = None,
) -> Sequence[Axes]:
    """The carried values' axes only grow: iterated to the fixed point."""
    state = list(operands)
    carried = len(body.outputs) if condition is not None else carry
    while True:
        results = output_axes(body, state, manual)
        decides = output_axes(condition, state, manual)[0] if condition is not None else frozenset()
        grown = [state[constants + i] | results[i] | decides for i in range(carried)]
        if grown == state[constants:constants + carried]:
            return [*grown, *results[carried:]]
        state[constants:constants + carried] = grown


_OF_REGIONS = {ops.call: _of_call, ops.cond: _of_cond, ops.while_: _of_while, ops.scan: _of_scan,
               ops.manual: _of_manual}
