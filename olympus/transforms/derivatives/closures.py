# SPDX-License-Identifier: Apache-2.0
"""Functions that use values from outside: as functions of these, or with their gradient beside the result."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from olympus_core.errors import ArgumentError, CustomRuleError
from olympus_core.program import Program

from ...operands import convert, dtype_of
from ...tracing import Tracer, aval_of, stage
from ...tracing.aval import has_tangent
from ...tracing.tracebacks import entrance
from ...tracing.wrapping import wraps
from ...trees import inside as tree
from ..arguments import function_given
from ..context import argument_axes
from ..traces.linearization import run
from .calling import named, positional
from .custom_reverse import custom_vjp

P = ParamSpec("P")
R = TypeVar("R")


@entrance
def closure_convert(fun: Callable[..., R], *example_args: Any) -> tuple[Callable[..., R], list[Any]]:
    """A function that takes what it is differentiated in as arguments, not from outside.

    A function with rules of its own, such as a solver, takes a function as an argument that is not differentiated.
    What that uses from outside has to be passed beside it, so that the rules can give its derivative.

    Args:
        fun: The function.
        *example_args: Arguments like those that it will be called with: they say shapes and types.

    Returns:
        A function of the same arguments and then the values from outside, and the list of these values.

    Example:
        >>> import olympus
        >>> def outer(z):
        ...     inner, values = olympus.closure_convert(lambda x: x * z, 1.0)
        ...     return inner(2.0, *values)
        >>> float(olympus.grad(outer)(3.0))
        2.0
    """
    function_given("closure_convert", fun)
    program, structure, out_tree, captured, weak = _traced(fun, example_args)
    is_outside = [isinstance(x, Tracer) and has_tangent(aval_of(x)) for x in captured]
    outside = [x for x, is_one in zip(captured, is_outside, strict=True) if is_one]
    name, count = named(fun), len(example_args)

    def converted(*args: Any) -> R:
        own, given = args[:count], iter(args[count:])
        leaves, given_as = tree.flatten(own)
        if given_as != structure or len(args) != count + len(outside):
            raise ArgumentError(name, "a converted function takes arguments like its examples, then the values from "
                                "outside", f"{given_as} and {len(args) - len(own)} values",
                                f"{structure} and {len(outside)} values")
        values = [next(given) if is_one else x for x, is_one in zip(captured, is_outside, strict=True)]
        found = run(program, [*leaves, *values])
        result: R = tree.unflatten(out_tree, [
            convert(x, dtype_of(x), True) if is_weak else x for x, is_weak in zip(found, weak, strict=True)])
        return result

    return converted, outside


def custom_gradient(fun: Callable[P, tuple[R, Callable[[Any], Any]]]) -> Callable[P, R]:
    """A function that gives its result, and the function that gives its gradient.

    Args:
        fun: A function that gives a pair: its result, and a function from the result's cotangent to the cotangents of
            the arguments, in a tuple, which may use values of the way to the result. Of one argument the cotangent
            itself may be given.

    Returns:
        A function of the same arguments that gives the result and has that derivative, in reverse mode.

    Raises:
        CustomRuleError: When `fun` gives something else, or cotangents that do not fit.

    Example:
        >>> import olympus
        >>> square = olympus.custom_gradient(lambda x: (x ** 2, lambda c: (c * x,)))
        >>> float(square(3.0)), float(olympus.grad(square)(3.0))
        (9.0, 3.0)
    """
    function_given("custom_gradient", fun)

    def both(*args: Any) -> tuple[Any, Any]:
        pair = fun(*args)  # type: ignore[call-arg]
        if not isinstance(pair, tuple) or len(pair) != 2 or not callable(pair[1]):
            raise CustomRuleError(named(fun), "a function under custom_gradient gives a pair", type(pair).__name__,
                                  "(result, function of its cotangent)")
        return pair

    def forward(*args: Any) -> tuple[Any, Any]:
        result, rule = both(*args)
        program, _, out_tree, captured, _ = _traced(rule, (result,))
        return result, (_Rule(program, out_tree), captured)

    def backward(kept: tuple[_Rule, list[Any]], cotangent: Any) -> Any:
        rule, captured = kept
        found = tree.unflatten(rule.out_tree, run(rule.program, [*tree.leaves(cotangent), *captured]))
        return tuple(found) if isinstance(found, (tuple, list)) else (found,)

    def plain(*args: Any) -> Any:
        return both(*args)[0]

    plain.__name__ = named(fun)
    function = custom_vjp(plain)
    function.defvjp(forward, backward)

    @wraps(fun)
    def with_gradient(*args: P.args, **kwargs: P.kwargs) -> R:
        result: R = function(*positional(fun, args, kwargs))
        return result

    return with_gradient


class _Rule:
    """A traced function that gives cotangents: a leaf among the residuals that is no array."""

    def __init__(self, program: Program, out_tree: Any) -> None:
        self.program, self.out_tree = program, out_tree


def _traced(
    fun: Callable[..., Any], examples: tuple[Any, ...]
) -> tuple[Program, Any, Any, list[Any], list[bool]]:
    """A function's program, the structures of its arguments and results, the values that it uses from outside, and
    which results are weakly typed.
    """
    leaves, structure = tree.flatten(examples)
    out_tree: Any = None

    def flat(*given: Any) -> list[Any]:
        nonlocal out_tree
        results, out_tree = tree.flatten(fun(*tree.unflatten(structure, given)))
        return results

    program, avals, captured = stage(flat, [aval_of(x) for x in leaves], named(fun), argument_axes(leaves))
    return program, structure, out_tree, captured, [aval.weak for aval in avals]
