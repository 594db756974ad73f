# SPDX-License-Identifier: Apache-2.0
"""custom_jvp: functions whose derivative the user says, going forward; it serves both ways."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, overload

from olympus_core.errors import CustomRuleError
from olympus_core.program import Program

from ...tracing import Aval, Tracer, aval_of
from ...tracing.aval import has_tangent
from ...tracing.scopes import without_origin
from ...tracing.tracebacks import entrance
from ...trees import inside as tree
from ..arguments import function_given
from ..context import current_manual_axes, use_manual_axes_again
from ..traces.arithmetic import convert, filled, plus, zeros
from .batched_rules import UserRule
from .calling import (
    FlatArguments,
    FlatFunction,
    call_annotated,
    differentiate_call,
    named,
    no_captured,
    own_tangent,
    positional,
    same_results,
    static_positions,
)
from .kept_rules import KeptRule
from .symbolic_zeros import is_zero, zero_from_primal

P = ParamSpec("P")
Q = ParamSpec("Q")
R = TypeVar("R")
S = TypeVar("S")
Rule = Callable[..., Any]
RuleT = TypeVar("RuleT", bound=Rule)


class custom_jvp(Generic[P, R]):  # the documents' name
    """A function with a rule for its derivative: how a change of its arguments changes its result.

    The rule is linear in the changes, so that it serves for `grad` and `vjp` as well.

    Args:
        fun: The function.
        nondiff_argnums: Positions of the arguments that are Python values; the rule is given them first.
        nondiff_argnames: Names of such arguments.

    Raises:
        CustomRuleError: When it is differentiated and has no rule, or one that gives what does not fit.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> @olympus.custom_jvp
        ... def log1pexp(x):
        ...     return jnp.log(1 + jnp.exp(x))
        >>> @log1pexp.defjvp
        ... def rule(primals, tangents):
        ...     (x,), (t,) = primals, tangents
        ...     return log1pexp(x), (1 - 1 / (1 + jnp.exp(x))) * t
        >>> float(olympus.grad(log1pexp)(100.0))
        1.0
    """

    def __init__(
        self, fun: Callable[P, R], nondiff_argnums: int | Sequence[int] = (),
        nondiff_argnames: str | Sequence[str] = (),
    ) -> None:
        function_given("custom_jvp", fun)
        functools.update_wrapper(self, fun, updated=())  # attributes of a jitted function are not its own
        self.fun = fun
        self.nondiff_argnums = static_positions(fun, nondiff_argnums, nondiff_argnames)
        self.jvp: Rule | None = None
        self.symbolic_zeros = False

    def defjvp(self, jvp: RuleT, symbolic_zeros: bool = False) -> RuleT:
        """Gives the function its rule.

        Args:
            jvp: A function ``(primals, tangents) -> (result, tangent of the result)``; arguments that are not
                differentiated come before these.
            symbolic_zeros: Whether tangents that are known to be zero are given as `SymbolicZero`, not as arrays.

        Returns:
            The rule, so that this serves as a decorator.

        Example:
            >>> import olympus
            >>> twice = olympus.custom_jvp(lambda x: 2 * x)
            >>> rule = twice.defjvp(lambda primals, tangents: (twice(primals[0]), 2 * tangents[0]))
            >>> float(olympus.grad(twice)(1.0))
            2.0
        """
        function_given("defjvp", jvp)
        self.jvp, self.symbolic_zeros = jvp, symbolic_zeros
        return jvp

    def defjvps(self, *jvps: Rule | None) -> None:
        """Gives the function a rule for each argument: their sum is the tangent of the result.

        Args:
            *jvps: For each argument a function ``(tangent, result, *arguments) -> tangent of the result``; None for
                an argument that has no effect.

        Example:
            >>> import olympus
            >>> product = olympus.custom_jvp(lambda x, y: x * y)
            >>> product.defjvps(lambda t, result, x, y: t * y, lambda t, result, x, y: x * t)
            >>> float(olympus.grad(product)(2.0, 3.0))
            3.0
        """
        if self.nondiff_argnums:
            raise CustomRuleError(named(self.fun), "defjvps serves functions without nondiff_argnums",
                                  self.nondiff_argnums, fix="Use defjvp.")
        for each in jvps:
            if each is not None:
                function_given("defjvps", each)

        function: Callable[..., R] = self

        def jvp(primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[Any, Any]:
            result = function(*primals)
            total: Any = None
            for rule, tangent in zip(jvps, tangents, strict=True):
                if rule is not None:
                    part = rule(tangent, result, *primals)
                    total = part if total is None else tree.map(plus, total, part)
            if total is None:
                total = tree.map(lambda x: zeros(Aval(aval_of(x).type)), result)
            return result, total

        self.jvp, self.symbolic_zeros = jvp, False

    @entrance
    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Calls the function."""
        again: Callable[..., R] = self
        arguments = FlatArguments(positional(self.fun, args, kwargs), self.nondiff_argnums)

        def differentiate(primals: list[Any], tangents: list[Any], forward: bool) -> tuple[list[Any], Any]:
            results, out_tangents, structure = self._rule(arguments, primals, tangents)
            return list(zip(results, out_tangents, strict=True)), structure

        found = differentiate_call(lambda: again(*arguments.all_of(arguments.leaves)), arguments, differentiate)
        if found is not NotImplemented:
            return found
        return call_annotated(self.fun, arguments, lambda flat: _Forward(self, arguments, flat), named(self.fun))

    @overload
    def __get__(self, instance: None, owner: type | None = None) -> custom_jvp[P, R]: ...
    @overload
    def __get__(self: custom_jvp[Concatenate[S, Q], R], instance: S, owner: type | None = None) -> Callable[Q, R]: ...
    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else functools.partial(self, instance)

    def _rule(
        self, arguments: FlatArguments, primals: Sequence[Any], tangents: Sequence[Any]
    ) -> tuple[list[Any], list[Any], Any]:
        """Flat results, their tangents (None: zero), and the results' structure."""
        name = named(self.fun)
        if self.jvp is None:
            raise CustomRuleError(name, "it is differentiated and has no rule", fix="Give it one with defjvp.")
        given = arguments.dynamic_of(primals)
        changes = arguments.dynamic_of([
            zero_from_primal(x, self.symbolic_zeros) if t is None else t
            for x, t in zip(primals, tangents, strict=True)])
        with without_origin():
            pair = self.jvp(*arguments.static.values(), given, changes)
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise CustomRuleError(name, "its rule must give a pair (result, tangent)", type(pair).__name__,
                                  "a tuple of two")
        outs, structure = tree.flatten(pair[0])
        moved, found = tree.flatten(pair[1])
        if found != structure:
            raise CustomRuleError(name, "its rule gives a tangent of another structure than the result", found,
                                  structure)
        return outs, [_fitting(name, x, t, tangents) for x, t in zip(outs, moved, strict=True)], structure


def _fitting(name: str, result: Any, tangent: Any, given: Sequence[Any]) -> Any:
    aval = aval_of(result)
    if not has_tangent(aval) or is_zero(tangent):
        return None
    own = aval_of(tangent)
    if own.shape != aval.shape or not has_tangent(own) and not own.weak:
        raise CustomRuleError(name, "its rule gives a tangent that does not fit the result", repr(own), repr(aval),
                              "Give a tangent of the result's shape and element type.")
    if not isinstance(tangent, Tracer) and isinstance(tangent, (int, float, complex)):
        tangent = filled(Aval(aval.type), tangent)
    return own_tangent(convert(tangent, aval.dtype), given)


class _Forward(UserRule):
    """The annotation of a call of such a function in a program."""

    def __init__(self, function: custom_jvp[..., Any], arguments: FlatArguments, flat: FlatFunction) -> None:
        self.function, self.arguments, self.flat = function, arguments.described(), flat
        self.manual = current_manual_axes()
        self.kept = KeptRule()

    def differentiate(self, region: Program, primals: Sequence[Any], tangents: Sequence[Any], forward: bool) -> Any:
        """By the user's rule."""
        count = len(self.arguments.leaves)
        no_captured(named(self.function.fun), primals, tangents, count)
        function, given = self.function, tangents[:count]
        varies = tuple([t is not None for t in given])

        def rule(values: Sequence[Any]) -> tuple[list[Any], tuple[list[bool], Any]]:
            changes = iter(values[count:])
            results, moved, structure = function._rule(
                self.arguments, values[:count], [next(changes) if v else None for v in varies])
            return [*results, *(t for t in moved if t is not None)], ([t is not None for t in moved], structure)

        values = [*primals[:count], *(t for t in given if t is not None)]
        with use_manual_axes_again(self.manual):
            found, (moves, structure) = self.kept(
                named(function.fun), rule, values, (varies, function.jvp, function.symbolic_zeros), lambda _: True)
        results, changes = found[:len(moves)], iter(found[len(moves):])
        same_results(named(function.fun), "its rule", results, structure, self.flat, region)
        return results, [own_tangent(next(changes), given) if has else None for has in moves]
