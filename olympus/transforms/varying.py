# SPDX-License-Identifier: Apache-2.0
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


def output_axes(program: Program, inputs: Sequence[Axes], manual: Axes, by_type: bool = False) -> list[Axes]:
    """For each output of a region the axes over which it varies.

    Args:
        program: The region.
        inputs: The axes of the inputs.
        manual: All axes of the region.
        by_type: Whether what is gathered or sent to all counts as varying, as in the values' types, though it is equal.
    """
    known = dict(zip(program.inputs, inputs, strict=True))
    _Analysis(manual, by_type).add(known, program.operations)
    return [known[v] for v in program.outputs]


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
    known, operations = trace.result_axes, trace.builder.operations
    unknown = everything if trace.is_in_region else frozenset[str]()
    for v in trace.builder.inputs:
        if v not in known:
            known[v] = trace.input_axes.get(v, unknown)
    for outside, tracer in trace._captured.values():
        known[tracer._value] = _outside(outside)
    _Analysis(everything, by_type=True).add(known, operations[trace.operations_with_axes:])
    trace.operations_with_axes = len(operations)
    return known.get(inner, unknown)


def _outside(value: Any) -> Axes:
    return axes_while_tracing(value) if isinstance(value, Tracer) else frozenset()


_analysis.append(axes_while_tracing)


class _Analysis:
    """Over which axes values vary.

    Args:
        manual: All axes of the region.
        by_type: As in `output_axes`.
    """

    def __init__(self, manual: Axes, by_type: bool) -> None:
        self._manual, self._by_type = manual, by_type

    def add(self, known: dict[Value, Axes], operations: Iterable[Operation]) -> None:
        """Adds the axes of the operations' results to those that are known."""
        for operation in operations:
            results = self._results(operation, [known[v] for v in operation.operands])
            known.update(zip(operation.results, results, strict=True))

    def _outputs(self, program: Program, inputs: Sequence[Axes]) -> list[Axes]:
        return output_axes(program, inputs, self._manual, self._by_type)

    def _results(self, operation: Operation, operands: Sequence[Axes]) -> Sequence[Axes]:
        record, count = operation.record, len(operation.results)
        if record in _OF_REGIONS:
            return _OF_REGIONS[record](self, operation, operands)
        everything = frozenset().union(*operands)
        if record.category == "collective":
            group = frozenset(operation.attributes["group"].axes)
            is_same = record is ops.all_reduce if self._by_type else record.is_uniform
            return [everything - group if is_same else everything | group] * count
        if record.expansion is not None:
            made = record.expansion([v.type for v in operation.operands], operation.attributes, None)
            return self._outputs(made, operands)
        inside = (o for region in operation.regions for o in operations_of(region))
        if any(o.record.category == "host" for o in (operation, *inside)):
            return [self._manual] * count  # each device for itself, and who is asked twice may answer differently
        return [everything] * count

    def of_call(self, operation: Operation, operands: Sequence[Axes]) -> Sequence[Axes]:
        return self._outputs(operation.regions[0], operands)

    def of_cond(self, operation: Operation, operands: Sequence[Axes]) -> Sequence[Axes]:
        branches = [self._outputs(region, operands[1:]) for region in operation.regions]
        return [operands[0].union(*results) for results in zip(*branches, strict=True)]

    def of_while(self, operation: Operation, operands: Sequence[Axes]) -> Sequence[Axes]:
        condition, body = operation.regions
        return self._loop(body, operands, operation.attributes["constants"], 0, condition)

    def of_scan(self, operation: Operation, operands: Sequence[Axes]) -> Sequence[Axes]:
        attributes = operation.attributes
        return self._loop(operation.regions[0], operands, attributes["constants"], attributes["carry"])

    def of_manual(self, operation: Operation, operands: Sequence[Axes]) -> Sequence[Axes]:
        """A region within the region: outside of it its own axes do not count."""
        attributes = operation.attributes
        own = frozenset(attributes["axes"])
        inside = [
            axes | {axis for group in dims for axis in group} for axes, dims in zip(
                operands, attributes["in_dims"], strict=True)]
        found = output_axes(operation.regions[0], inside, self._manual | own, self._by_type)
        return [axes - own for axes in found]

    def _loop(
        self, body: Program, operands: Sequence[Axes], constants: int, carry: int, condition: Program | None = None,
    ) -> Sequence[Axes]:
        """The carried values' axes only grow: iterated to the fixed point."""
        state = list(operands)
        carried = len(body.outputs) if condition is not None else carry
        while True:
            results = self._outputs(body, state)
            decides = self._outputs(condition, state)[0] if condition is not None else frozenset()
            grown = [state[constants + i] | results[i] | decides for i in range(carried)]
            if grown == state[constants:constants + carried]:
                return [*grown, *results[carried:]]
            state[constants:constants + carried] = grown


_OF_REGIONS = {ops.call: _Analysis.of_call, ops.cond: _Analysis.of_cond, ops.while_: _Analysis.of_while,
               ops.scan: _Analysis.of_scan, ops.manual: _Analysis.of_manual}
