# SPDX-License-Identifier: Apache-2.0
"""Programs from programs: linearized, transposed, or extended by tangents; and programs run in the current trace."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from olympus_core.dataclass import dataclass
from olympus_core.ops import convert
from olympus_core.program import Operation, Program, Value

from ...tracing import Aval, StagingTrace, Tracer, aval_of, current_trace, stage, use_trace
from ...tracing.scopes import origins
from .explicit_cotangents import bind_again, zero_cotangent, zero_tangent
from .jvp_trace import JvpTrace
from .linear_trace import LinearTrace
from .programs import staged


def run(
    program: Program, inputs: Sequence[Any], instead: Callable[[Value, Any], Any] | None = None,
    place: Callable[[str | None], str | None] = lambda location: location,
) -> list[Any]:
    """Binds a program's operations in the current trace.

    Args:
        program: The program.
        inputs: What it is given.
        instead: What is used for an operation's result, given the value that it is and the result.
        place: The place of the operation here, given that in the program.
    """
    values: dict[int, Any] = {id(v): x for v, x in zip(program.inputs, inputs, strict=True)}
    with origins() as enter:
        for operation in program.operations:
            operands = [values[id(v)] for v in operation.operands]
            enter(place(operation.location))
            results = bind_again(operation.record, operands, operation.attributes, operation.regions, False)
            for value, result in zip(operation.results, results, strict=True):
                values[id(value)] = result if instead is None else instead(value, result)
    return [values[id(v)] for v in program.outputs]


@dataclass(slots=True)
class Linearized:
    """A linearized program: one that computes values and residuals, and one that is linear in tangents.

    Args:
        forward: From the program's inputs and `captured` to its outputs and the computed residuals.
        linear: From residuals, and the tangents of the inputs that have any, to tangents of outputs.
        captured: What rules of users take from outside of the program.
        sources: For each residual the input of `forward` that it is; None where `forward` computes it: these follow
            the outputs, in order.
        has_tangent: Which outputs have tangents, given by `linear`.
        residuals: What is known of the residuals.
    """

    forward: Program
    linear: Program
    captured: list[Any]
    sources: list[int | None]
    has_tangent: list[bool]
    residuals: list[Aval]


def linearized(
    program: Program, avals: Sequence[Aval], varies: Sequence[bool], forward: bool, needed: Sequence[bool] = (),
    keeps: Callable[[int], bool] = lambda i: True,
) -> Linearized:
    """Linearizes a program.

    Args:
        program: The program.
        avals: What is known of its inputs.
        varies: Which inputs have tangents.
        forward: Whether the linear part will only be run, never transposed.
        needed: Which outputs are given tangents even where these are zero.
        keeps: Whether the linear program is given an input as it is: others are residuals that `forward` gives.
    """
    staging = StagingTrace(program.name)
    arguments = [staging.input(aval) for aval in avals]
    linear = LinearTrace(staging, forward)
    trace = JvpTrace(linear)
    seeds = [linear.input(aval) if v else None for aval, v in zip(avals, varies, strict=True)]
    with use_trace(trace):
        results = run(program, [trace.wrap(x, seed) for x, seed in zip(arguments, seeds, strict=True)])
    pairs = [trace.split(result) for result in results]
    tangents = [t for _, t in pairs]
    outputs = [staging.lift(x) for x, _ in pairs]
    tape = linear.close()
    used = tape.residuals(tangents)
    lifted = [staging.lift(r) for r in used]
    residuals = _Residuals([*arguments, *staging.captured], staging.builder.operations,
                           lambda i: i >= len(arguments) or keeps(i))
    recomputations = {id(r): residuals.recomputation(t) for r, t in zip(used, lifted, strict=True)}
    sources = [residuals.position(r) for r in residuals.values]
    computed = [r for r, source in zip(residuals.values, sources, strict=True) if source is None]
    values, captured = staging.finish([*outputs, *computed], len(arguments))
    trace.close()
    has_tangent = [t is not None or bool(n) for t, n in zip(tangents, needed or [False] * len(tangents), strict=True)]
    inputs = [seed for seed in seeds if seed is not None]

    def part(*values: Any) -> list[Any]:
        given, tangents_in = values[:len(residuals.values)], values[len(residuals.values):]
        instead = {key: make(given) for key, make in recomputations.items()}
        found = tape.replayed(inputs, tangents_in, tangents, instead)
        return [zero_tangent(x.aval) if t is None else t
                for t, x, has in zip(found, outputs, has_tangent, strict=True) if has]

    avals_of_residuals = [r.aval for r in residuals.values]
    tangent_program = staged(part, [*avals_of_residuals, *(s.aval for s in inputs)], f"{program.name}_linear")
    return Linearized(values, tangent_program, captured, sources, has_tangent, avals_of_residuals)


def _is_cheap(operation: Operation) -> bool:
    """Whether recomputing results costs less than keeping them as residuals, and keeps nothing larger instead."""
    size = sum(v.type.size for v in operation.results)
    costs_nothing = operation.record.cost == 0 or operation.record is convert
    return costs_nothing and all(v.type.size <= size for v in operation.operands)


class _Residuals:
    """The residuals of a program; what is cheap is recomputed from others.

    Args:
        inputs: The program's inputs.
        operations: Its operations.
        keeps: Whether the linear program is given an input as it is.
    """

    def __init__(
        self, inputs: Sequence[Tracer], operations: Sequence[Operation], keeps: Callable[[int], bool]
    ) -> None:
        self._inputs, self._keeps = inputs, keeps
        self._positions = {id(t._value): i for i, t in enumerate(inputs)}
        self._made_by = {id(v): operation for operation in operations for v in operation.results}
        self._numbers: dict[int, int] = {}
        self.values: list[Tracer] = []

    def recomputation(self, tracer: Tracer) -> Callable[[Sequence[Any]], Any]:
        """A function from the residuals to a value."""
        value = tracer._value
        if not self._is_free(value):
            number = self._number(tracer)
            return lambda residuals: residuals[number]
        leaves: list[Value] = []
        chain: list[Operation] = []
        self._collect(value, leaves, chain)
        numbers = [self._number(self._inputs[self._positions[id(v)]]) for v in leaves]
        again = Program("residual", tuple(leaves), tuple(chain), (value,))
        return lambda residuals: run(again, [residuals[n] for n in numbers])[0]

    def position(self, tracer: Tracer) -> int | None:
        """Which input a residual is; None where the program has to give it."""
        position = self._positions.get(id(tracer._value))
        return position if position is not None and self._keeps(position) else None

    def _number(self, tracer: Tracer) -> int:
        key = id(tracer._value)
        if key not in self._numbers:
            self._numbers[key] = len(self.values)
            self.values.append(tracer)
        return self._numbers[key]

    def _is_free(self, value: Value) -> bool:
        """Whether a value is cheaply recomputed from inputs that the linear program is given."""
        position = self._positions.get(id(value))
        if position is not None:
            return self._keeps(position)
        operation = self._made_by[id(value)]
        return _is_cheap(operation) and all(self._is_free(v) for v in operation.operands)

    def _collect(self, value: Value, leaves: list[Value], chain: list[Operation]) -> None:
        if id(value) in self._positions:
            if not any(value is leaf for leaf in leaves):
                leaves.append(value)
            return
        operation = self._made_by[id(value)]
        for operand in operation.operands:
            self._collect(operand, leaves, chain)
        if operation not in chain:
            chain.append(operation)


def transposed(
    program: Program, avals: Sequence[Aval], linear: Sequence[bool], given: Sequence[bool]
) -> tuple[Program, list[Any]]:
    """The transpose of a program that is linear in some inputs.

    Args:
        program: The program.
        avals: What is known of its inputs.
        linear: Which inputs it is linear in.
        given: Which outputs have cotangents.

    Returns:
        A program from the other inputs, and the cotangents, to cotangents of the linear inputs; and what rules of
        users captured, which are further inputs.
    """
    rest = [aval for aval, is_linear in zip(avals, linear, strict=True) if not is_linear]
    results = [Aval(t) for t, has in zip(program.output_types, given, strict=True) if has]

    def back(*values: Any) -> list[Any]:
        residuals, cotangents = iter(values[:len(rest)]), iter(values[len(rest):])
        trace = LinearTrace(current_trace())
        inputs = [trace.input(aval) if is_linear else next(residuals)
                  for aval, is_linear in zip(avals, linear, strict=True)]
        with use_trace(trace):
            outputs = [x if trace.owns(x) else None for x in run(program, inputs)]
        seeds = [x for x, is_linear in zip(inputs, linear, strict=True) if is_linear]
        found = trace.close().transposed(seeds, outputs, [next(cotangents) if has else None for has in given])
        return [zero_cotangent(seed.aval) if c is None else c for c, seed in zip(found, seeds, strict=True)]

    made, _, captured = stage(back, [*rest, *results], f"{program.name}_transposed")
    return made, captured


def with_tangents(
    program: Program, avals: Sequence[Aval], varies: Sequence[bool], needed: Sequence[bool] = (),
) -> tuple[Program, list[bool], list[Any]]:
    """A program from its inputs, and the tangents of those that have any, to its outputs and their tangents.

    Args:
        program: The program.
        avals: What is known of its inputs.
        varies: Which inputs have tangents.
        needed: Which outputs are given tangents even where these are zero.

    Returns:
        The program, which outputs have tangents, and what rules of users captured, which are further inputs.
    """
    has_tangent: list[bool] = []

    def both(*values: Any) -> list[Any]:
        given = iter(values[len(avals):])
        trace = JvpTrace(current_trace())
        with use_trace(trace):
            results = run(program, [
                trace.wrap(x, next(given) if v else None) for x, v in zip(values[:len(avals)], varies, strict=True)])
        pairs = [trace.split(result) for result in results]
        trace.close()
        has_tangent[:] = [t is not None or bool(n) for (_, t), n in zip(
            pairs, needed or [False] * len(pairs), strict=True)]
        tangents = [t if t is not None or not has else zero_tangent(aval_of(x))
                    for (x, t), has in zip(pairs, has_tangent, strict=True)]
        return [*(x for x, _ in pairs), *(t for t in tangents if t is not None)]

    tangent_avals = [Aval(a.type, False, a.layout) for a, v in zip(avals, varies, strict=True) if v]
    made, _, captured = stage(both, [*avals, *tangent_avals], f"{program.name}_forward")
    return made, has_tangent, captured
