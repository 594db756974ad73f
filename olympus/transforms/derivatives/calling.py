# SPDX-License-Identifier: Apache-2.0
"""Calling functions that have rules of their own: what their arguments are, and how they reach the traces."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from copy import copy
from typing import Any

from olympus_core.errors import ArgumentError, CustomRuleError
from olympus_core.ops import call
from olympus_core.program import Program

from ...tracing import (
    Aval,
    Reference,
    Tracer,
    aval_of,
    bind_all,
    current_trace,
    is_evaluating,
    stage,
    use_trace,
)
from ...trees import inside as tree
from ..arguments import value_of
from ..context import argument_axes
from ..traces.annotations import Annotation, annotated
from ..traces.arithmetic import weakened
from ..traces.jvp_trace import JvpTrace
from ..traces.linear_trace import LinearTrace, only_forward


def named(function: Callable[..., Any]) -> str:
    """The function's name, for errors."""
    return getattr(function, "__name__", type(function).__name__)


def positional(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
    """A call's arguments by position, defaults included: rules take them so.

    Raises:
        ArgumentError: For arguments that can be given by name only.
    """
    try:
        # What a partial holds by name is none of the call's arguments.
        signature = None if isinstance(function, functools.partial) else inspect.signature(function)
    except (TypeError, ValueError):
        signature = None
    if signature is None:
        if kwargs:
            raise ArgumentError(named(function), "arguments of a function with rules are taken by position",
                                sorted(kwargs))
        return args
    bound = signature.bind(*args, **kwargs)
    bound.apply_defaults()
    if bound.kwargs:
        raise ArgumentError(named(function), "a function with rules takes no keyword-only arguments",
                            sorted(bound.kwargs), "arguments that can be given by position")
    return bound.args


def static_positions(
    function: Callable[..., Any], numbers: int | Sequence[int], names: str | Sequence[str]
) -> tuple[int, ...]:
    """The positions of the arguments that are Python values, in order.

    Raises:
        ArgumentError: For a name that no parameter has.
    """
    found = {numbers} if isinstance(numbers, int) else set(numbers)
    names = (names,) if isinstance(names, str) else tuple(names)
    parameters = list(inspect.signature(function).parameters) if names else []
    for name in names:
        if name not in parameters:
            raise ArgumentError(named(function), "nondiff_argnames names no parameter", name, parameters)
    return tuple(sorted({*found, *map(parameters.index, names)}))


class _Described:
    """Stands for an argument of which only the type is known."""

    __slots__ = ("aval",)

    def __init__(self, aval: Aval) -> None:
        self.aval = aval


class FlatArguments:
    """The arguments of a call as flat arrays, those that are not differentiated set apart.

    Args:
        args: The arguments, by position.
        static: Positions of the arguments that are Python values.
    """

    def __init__(self, args: Sequence[Any], static: Sequence[int]) -> None:
        self.static = {n: args[n] for n in static if n < len(args)}
        self.count = len(args)
        self.dynamic = tuple(x for n, x in enumerate(args) if n not in self.static)
        self.leaves, self.structure = tree.flatten(self.dynamic)

    def described(self) -> FlatArguments:
        """The same without values: what programs keep, which may live for long, holds no arrays and traced values."""
        found = copy(self)
        found.leaves = [_Described(aval_of(x)) for x in self.leaves]
        found.dynamic = tree.unflatten(self.structure, found.leaves)
        return found

    def dynamic_of(self, leaves: Sequence[Any]) -> tuple[Any, ...]:
        """The other arguments, of these leaves."""
        return tree.unflatten(self.structure, leaves)

    def all_of(self, leaves: Sequence[Any]) -> list[Any]:
        """All arguments, of these leaves."""
        dynamic = iter(self.dynamic_of(leaves))
        return [self.static[n] if n in self.static else next(dynamic) for n in range(self.count)]


class FlatFunction:
    """A function of flat arrays; its results' structure, and what is known of them, are known after the call."""

    def __init__(self, function: Callable[..., Any], arguments: FlatArguments) -> None:
        self._function, self._arguments = function, arguments
        self.out_tree: Any = None
        self.avals: list[Any] = []

    def __call__(self, *leaves: Any) -> list[Any]:
        """Calls it."""
        outs, self.out_tree = tree.flatten(self._function(*self._arguments.all_of(leaves)))
        self.avals = [aval_of(out) for out in outs]
        return outs


def call_annotated(
    function: Callable[..., Any], arguments: FlatArguments, rule: Callable[[FlatFunction], Annotation], name: str
) -> Any:
    """Calls a function as an annotated region of a program.

    Args:
        function: The function.
        arguments: Its arguments.
        rule: Makes the annotation.
        name: The program's name.
    """
    trace = current_trace()
    if is_evaluating() or isinstance(trace, LinearTrace):
        return function(*arguments.all_of(list(map(value_of, arguments.leaves))))
    flat = FlatFunction(function, arguments.described())
    avals = [aval_of(x) for x in arguments.leaves]
    references: list[Reference] = []
    program, _, captured = stage(flat, avals, name, argument_axes(arguments.leaves), references)
    weak = [aval.weak for aval in flat.avals]
    annotation = rule(flat).carrying(references) if references else rule(flat)
    operands = [*arguments.leaves, *captured, *(r.read() for r in references)]
    is_weak = all(weak) and not references
    results = bind_all(call, operands, {}, (annotated(program, annotation),), is_weak)
    for reference, content in zip(references, results[len(weak):], strict=True):
        reference.write(content)
    if any(weak) and not is_weak:
        results = [weakened(x, is_weak) for x, is_weak in zip(results, weak, strict=False)]
    return tree.unflatten(flat.out_tree, results[:len(weak)])


def differentiate_call(
    plain: Callable[[], Any], arguments: FlatArguments,
    differentiate: Callable[[list[Any], list[Any], bool], tuple[list[Any], Any]],
) -> Any:
    """Differentiates a call at once if the current trace is one of forward mode: the rule is given values, no program.

    Args:
        plain: Calls the function in the trace around, where no argument has a tangent.
        arguments: The arguments.
        differentiate: Flat values and tangents, and whether tangents only go forward, to flat results with tangents
            (pairs), and their structure.

    Returns:
        The result; NotImplemented where the current trace is another one.
    """
    trace = current_trace()
    if isinstance(trace, LinearTrace) and not any(map(trace.owns, arguments.leaves)):
        with use_trace(trace.parent):  # which may differentiate the call once more
            leaves, structure = tree.flatten(plain())
        return tree.unflatten(structure, leaves)  # containers know the trace that they are made in
    if not isinstance(trace, JvpTrace):
        return NotImplemented
    with use_trace(trace.parent):
        pairs = [trace.split(x) if isinstance(x, Tracer) else (value_of(x), None) for x in arguments.leaves]
        if all(t is None for _, t in pairs):
            leaves, structure = tree.flatten(plain())
            found = [(x, None) for x in leaves]
        else:
            tangents = [t for _, t in pairs]
            found, structure = differentiate([x for x, _ in pairs], tangents, only_forward(trace.parent, tangents))
    return tree.unflatten(structure, [trace.wrap(x, t) for x, t in found])


def same_results(
    name: str, rule: str, results: Sequence[Any], structure: Any, flat: FlatFunction, region: Program
) -> None:
    """Checks that a rule gives results as the function does, of which a program was made with these.

    Args:
        name: The function.
        rule: What gave the results.
        results: Those, flat.
        structure: Their structure.
        flat: The function, after its call.
        region: The program.

    Raises:
        CustomRuleError: They have another structure, or others types.
    """
    if structure != flat.out_tree:
        raise CustomRuleError(name, f"{rule} gives a result of another structure than the function", structure,
                              flat.out_tree, "Give the function's result first, and then what belongs to the rule.")
    for x, type in zip(results, region.output_types, strict=False):
        own = aval_of(x)
        if own.shape != type.shape or own.dtype != type.dtype:
            raise CustomRuleError(name, f"{rule} gives a result of another type than the function", repr(own),
                                  repr(Aval(type)), "Give the function's result first.")


def own_tangent(tangent: Any, given: Sequence[Any]) -> Any:
    """A tangent that a user's rule gave; None where it depends on none of the recorded tangents.

    What is linear in recorded tangents alone and is not recorded can but be zero; only where tangents go forward alone
    it counts as it is, as it does outside of programs. A `jvp` inside of a rule that is recorded itself has tangents
    that are plain values: what the rule gives for these counts.

    Args:
        tangent: The tangent of a result.
        given: The tangents that the rule was given; None for zero.
    """
    trace = current_trace()
    if not isinstance(trace, LinearTrace) or trace.owns(tangent):
        return tangent
    if not all(t is None or trace.owns(t) for t in given):
        return tangent
    return trace.constant(tangent) if trace.forward else None


def no_captured(name: str, primals: Sequence[Any], tangents: Sequence[Any], count: int) -> None:
    """Refuses a function with rules that closes over a value that is differentiated.

    Raises:
        CustomRuleError: If one of the values after the first `count` has a tangent.
    """
    for primal, tangent in zip(primals[count:], tangents[count:], strict=True):
        if tangent is not None:
            raise CustomRuleError(
                name, "a function with rules of its own uses a differentiated value from outside",
                repr(aval_of(primal)), "functions of their arguments alone", "Pass the value as an argument.")
