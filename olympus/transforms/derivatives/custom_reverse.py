# SPDX-License-Identifier: Apache-2.0
"""custom_vjp: functions whose derivative the user says, going backwards."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, overload

from olympus_core.dataclass import dataclass, replace
from olympus_core.errors import ArgumentError, CustomRuleError, ForwardModeError, TreeError
from olympus_core.ops import call
from olympus_core.program import Program

from ...operands import set_apart
from ...tracing import Aval, Reference, aval_of, bind_all, stage
from ...tracing.aval import has_tangent
from ...tracing.scopes import without_origin
from ...tracing.tracebacks import entrance
from ...tracing.values import is_array_like, number_as
from ...trees import inside as tree
from ..arguments import function_given
from ..context import current_manual_axes, varying_axes
from ..traces.annotations import annotated
from ..traces.arithmetic import array, convert, zeros
from ..traces.linear_trace import LinearTracer
from ..traces.linearization import run
from ..traces.programs import staged
from ..traces.table import TransposeCall
from .batched_rules import UserRule
from .calling import (
    FlatArguments,
    FlatFunction,
    call_annotated,
    differentiate_call,
    named,
    no_captured,
    positional,
    same_results,
    static_positions,
)
from .kept_rules import KeptRule
from .shared_values import RuleAxes, rule_axes
from .symbolic_zeros import CustomVJPPrimal, SymbolicZero, is_zero, zero_array

P = ParamSpec("P")
Q = ParamSpec("Q")
R = TypeVar("R")
S = TypeVar("S")
Rule = Callable[..., Any]
# What a rule may keep beside arrays for the next one who differentiates the call: it has nothing of the values.
_PLAIN = frozenset({bool, int, float, complex, str, type(None)})
# Functions whose rules' forward parts are being traced. These may call the function, whose rule is not asked for then.
_being_traced: ContextVar[tuple[Any, ...]] = ContextVar("olympus_rules_being_traced", default=())


def _is_none(x: Any) -> bool:
    return x is None


class custom_vjp(Generic[P, R]):  # the documents' name
    """A function with a rule for its derivative in reverse: from its result's cotangent to those of its arguments.

    Args:
        fun: The function.
        nondiff_argnums: Positions of the arguments that are Python values; `bwd` is given them first.
        nondiff_argnames: Names of such arguments.

    Raises:
        CustomRuleError: When it is differentiated and has no rule, or one that gives what does not fit.
        ForwardModeError: When it is differentiated forward, by `jvp`.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> @olympus.custom_vjp
        ... def clipped(x):
        ...     return x
        >>> clipped.defvjp(lambda x: (x, None), lambda kept, c: (jnp.clip(c, -1, 1),))
        >>> float(olympus.grad(lambda x: 5 * clipped(x))(2.0))
        1.0
    """

    def __init__(
        self, fun: Callable[P, R], nondiff_argnums: int | Sequence[int] = (),
        nondiff_argnames: str | Sequence[str] = (),
    ) -> None:
        function_given("custom_vjp", fun)
        functools.update_wrapper(self, fun, updated=())  # attributes of a jitted function are not its own
        self.fun = fun
        self.nondiff_argnums = static_positions(fun, nondiff_argnums, nondiff_argnames)
        self.symbolic_zeros = False
        self.fwd: Rule | None = None
        self.bwd: Rule | None = None

    def defvjp(self, fwd: Rule, bwd: Rule, symbolic_zeros: bool = False, optimize_remat: bool = False) -> None:
        """Gives the function its rule.

        Args:
            fwd: A function of the same arguments that gives the result and what `bwd` needs of the way there.
            bwd: A function ``(kept, cotangent) -> cotangents`` that gives a tuple with an entry for each argument,
                None for zero; arguments that are not differentiated come first.
            symbolic_zeros: Whether `fwd` is given each array as a `CustomVJPPrimal`, which says whether it has a
                tangent, and `bwd` cotangents that are known to be zero as `SymbolicZero`, not as arrays.
            optimize_remat: Accepted for compatibility: a checkpointed function computes the result by the function
                itself, and by `fwd` only where `bwd` needs what it keeps, in any case. Not with `symbolic_zeros`.

        Raises:
            CustomRuleError: For both `symbolic_zeros` and `optimize_remat`.

        Example:
            >>> import olympus
            >>> twice = olympus.custom_vjp(lambda x: 2 * x)
            >>> twice.defvjp(lambda x: (2 * x, None), lambda kept, c: (2 * c,))
            >>> float(olympus.grad(twice)(1.0))
            2.0
        """
        if optimize_remat and symbolic_zeros:
            raise CustomRuleError(named(self.fun), "optimize_remat and symbolic_zeros are not taken together",
                                  "both", "one of them", "Leave optimize_remat out: it is so in any case.")
        for rule in (fwd, bwd):
            function_given("defvjp", rule)
        self.fwd, self.bwd, self.symbolic_zeros = fwd, bwd, symbolic_zeros

    @entrance
    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Calls the function."""
        again: Callable[..., R] = self
        given = positional(self.fun, args, kwargs)
        if (apart := set_apart(given)) is not None:
            return self._with_references(given, *apart)
        arguments = FlatArguments(given, self.nondiff_argnums)

        def differentiate(primals: list[Any], tangents: list[Any], forward: bool) -> tuple[list[Any], Any]:
            results, out_tangents, structure = self._rule(
                arguments, tangents, forward, lambda: self._way(arguments, primals, [t is not None for t in tangents]))
            return list(zip(results, out_tangents, strict=True)), structure

        found = differentiate_call(lambda: again(*arguments.all_of(arguments.leaves)), arguments, differentiate)
        if found is not NotImplemented:
            return found
        return call_annotated(self.fun, arguments, lambda flat: _Reverse(self, arguments, flat), named(self.fun))

    @overload
    def __get__(self, instance: None, owner: type | None = None) -> custom_vjp[P, R]: ...
    @overload
    def __get__(self: custom_vjp[Concatenate[S, Q], R], instance: S, owner: type | None = None) -> Callable[Q, R]: ...
    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else functools.partial(self, instance)

    def _with_references(
        self, args: tuple[Any, ...], others: list[Any], together: Callable[[Sequence[Any]], tuple[Any, ...]]
    ) -> Any:
        """A call with references among its arguments, as one of the other leaves."""
        function: Callable[..., Any] = self.fun
        if self.fwd is None or self.bwd is None:
            return function(*args)
        fwd, bwd, arguments = self.fwd, self.bwd, FlatArguments(args, self.nondiff_argnums)
        fixed = [i for i, x in enumerate(others) if not is_array_like(x)]

        def backward(*given: Any) -> list[Any]:
            found = bwd(*arguments.static.values(), *given[-2:])
            if not isinstance(found, (tuple, list)) or len(found) != len(arguments.dynamic):
                raise CustomRuleError(
                    named(self.fun), "bwd must give a tuple with a cotangent for each argument",
                    tree.structure(found), f"a tuple of {len(arguments.dynamic)}", "Give None for a reference.")
            flat: list[Any] = []
            for argument, cotangent in zip(arguments.dynamic, found, strict=True):
                leaves = tree.leaves(argument)
                own = [None] * len(leaves) if cotangent is None else tree.leaves(cotangent, is_leaf=_is_none)
                if len(own) != len(leaves):
                    raise CustomRuleError(
                        named(self.fun), "bwd gives a cotangent of another structure than its argument",
                        tree.structure(cotangent), tree.structure(argument))
                flat += [c for x, c in zip(leaves, own, strict=True) if not isinstance(x, Reference)]
            return flat

        inner = custom_vjp(lambda *leaves: function(*together(leaves)), fixed)
        functools.update_wrapper(inner, self.fun, updated=())
        inner.defvjp(lambda *leaves: fwd(*together(leaves)), backward, self.symbolic_zeros)
        return inner(*others)

    def _rule(
        self, arguments: FlatArguments, tangents: Sequence[Any], forward: bool, way: Callable[[], _Way]
    ) -> tuple[list[Any], list[Any], Any]:
        """Flat results, their tangents (None: zero), and the results' structure.

        Args:
            arguments: What the function is called with.
            tangents: The flat arguments' tangents.
            forward: Whether tangents only go forward.
            way: What the rule's forward part gives.
        """
        name = named(self.fun)
        if forward and not any(isinstance(t, LinearTracer) for t in tangents):  # a tape may be transposed yet
            raise ForwardModeError(name)
        given = way()
        avals = [aval_of(x) for x in given.results]
        seeds = [t for t in tangents if t is not None]
        varies = [t is not None for t in tangents]
        linear = _LinearPart(self, arguments, given, varies, avals)
        float_outs = [aval for aval in avals if has_tangent(aval)]
        arrays = given.arrays_kept
        region = staged(lambda *_: [zeros(Aval(aval.type)) for aval in float_outs],
                        [aval_of(x) for x in (*arrays, *seeds)], f"{name}_bwd")
        found = bind_all(call, [*arrays, *seeds], {}, (annotated(region, linear),), False)
        for tangent, aval in zip(found, float_outs, strict=True):
            tangent.aval = Aval(aval.type, False, aval.layout)
        of_floats = iter(found)
        return given.results, [next(of_floats) if has_tangent(aval) else None for aval in avals], given.structure

    def _way(self, arguments: FlatArguments, primals: Sequence[Any], varies: Sequence[bool]) -> _Way:
        """What the rule's forward part gives, of the flat arguments and which of them have tangents."""
        name = named(self.fun)
        if self.fwd is None or self.bwd is None:
            raise CustomRuleError(name, "it is differentiated and has no rule", fix="Give it one with defvjp.")
        given = list(primals)
        if self.symbolic_zeros:
            given = [CustomVJPPrimal(x, v) for x, v in zip(primals, varies, strict=True)]
        with without_origin():
            pair = self.fwd(*arguments.all_of(given))
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise CustomRuleError(name, "fwd must give a pair (result, what bwd needs)", type(pair).__name__,
                                  "a tuple of two")
        outs, structure = tree.flatten(pair[0])
        kept, kept_tree = tree.flatten(pair[1])
        # What is no array stays a Python value.
        plain = (bool, int, float, complex, Reference)
        arrays = [i for i, x in enumerate(kept) if is_array_like(x) and not isinstance(x, plain)]
        return _Way(outs, structure, kept, kept_tree, arrays, rule_axes(primals, outs, [kept[i] for i in arrays]))


@dataclass(frozen=True)
class _Way:
    """What a rule's forward part gives.

    Args:
        results: The flat results.
        structure: Their structure.
        kept: What the backward part needs, flat.
        kept_tree: Its structure.
        arrays: Which of that are arrays.
        axes: In a manual region, the axes over which all these vary.
    """

    results: list[Any]
    structure: Any
    kept: list[Any]
    kept_tree: Any
    arrays: list[int]
    axes: RuleAxes | None

    @property
    def arrays_kept(self) -> list[Any]:
        """The arrays among what is kept."""
        return [self.kept[i] for i in self.arrays]

    def emptied(self) -> _Way:
        """The same without the arrays."""
        return replace(self, results=[None] * len(self.results),
                       kept=[None if i in self.arrays else x for i, x in enumerate(self.kept)])

    def again(self, values: Sequence[Any]) -> _Way:
        """The same with other values: the results, and the arrays that are kept."""
        kept = list(self.kept)
        for i, x in zip(self.arrays, values[len(self.results):], strict=True):
            kept[i] = x
        return replace(self, results=list(values[:len(self.results)]), kept=kept)


class _TracedWay:
    """A rule's forward part as a program: traced in the manual region where the function is called.

    Its collectives' names are known only there, and so is over which axes values vary.
    """

    def __init__(self, function: custom_vjp[..., Any], arguments: FlatArguments) -> None:
        ways: list[_Way] = []

        def traced(*primals: Any) -> list[Any]:
            # Which arguments will have tangents is not known here.
            ways.append(function._way(arguments, primals, [has_tangent(aval_of(x)) for x in primals]))
            return [*ways[0].results, *ways[0].arrays_kept]

        avals = [aval_of(x) for x in arguments.leaves]
        axes = [varying_axes(x) for x in arguments.leaves]
        self.references: list[Reference] = []
        self.program, _, self.captured = stage(traced, avals, f"{named(function.fun)}_fwd", axes, self.references)
        self.way = ways[0]

    def __call__(self, primals: Sequence[Any]) -> _Way:
        found = run(self.program, [*primals, *self.captured, *(r.read() for r in self.references)])
        count = len(found) - len(self.references)
        for reference, content in zip(self.references, found[count:], strict=True):
            reference.write(content)
        return self.way.again(found[:count])


class _Reverse(UserRule):
    """The annotation of a call of such a function in a program."""

    primitive = "custom_vjp_call"

    def __init__(self, function: custom_vjp[..., Any], arguments: FlatArguments, flat: FlatFunction) -> None:
        self.function, self.arguments, self.flat = function, arguments.described(), flat
        self.traced: _TracedWay | None = None
        self.kept = KeptRule()
        if current_manual_axes() is not None and function.fwd is not None and function not in _being_traced.get():
            token = _being_traced.set((*_being_traced.get(), function))
            try:
                self.traced = _TracedWay(function, arguments)
            finally:
                _being_traced.reset(token)

    def differentiate(self, region: Program, primals: Sequence[Any], tangents: Sequence[Any], forward: bool) -> Any:
        """By the user's rule."""
        count = len(self.arguments.leaves)
        no_captured(named(self.function.fun), primals, tangents, count)
        values = primals[:count]

        def way() -> _Way:
            if self.traced is not None:
                return self.traced(values)
            varies, function = tuple([t is not None for t in tangents[:count]]), self.function

            def rule(values: Sequence[Any]) -> tuple[list[Any], _Way]:
                given = function._way(self.arguments, values, varies)
                return [*given.results, *given.arrays_kept], given.emptied()

            key = (varies if function.symbolic_zeros else None, function.fwd)
            values_found, about = self.kept(named(function.fun), rule, values, key,
                                            lambda given: all(type(x) in _PLAIN for x in given.kept))
            return about.again(values_found)

        results, moved, structure = self.function._rule(self.arguments, tangents[:count], forward, way)
        same_results(named(self.function.fun), "fwd", results, structure, self.flat, region)
        return results, moved


class _LinearPart(UserRule):
    """The annotation of the linear part, of which only the transpose is known."""

    primitive = "custom_vjp_call"

    def __init__(
        self, function: custom_vjp[..., Any], arguments: FlatArguments, way: _Way, varies: Sequence[bool],
        results: Sequence[Aval],
    ) -> None:
        self.function, self.arguments = function, arguments.described()
        self.kept_tree, self.arrays = way.kept_tree, way.arrays
        self.kept = [None if i in way.arrays else x for i, x in enumerate(way.kept)]
        self.varies, self.results, self.out_tree, self.axes = varies, results, way.structure, way.axes
        self.transposed_only = named(function.fun)

    def differentiate(self, region: Program, primals: Sequence[Any], tangents: Sequence[Any], forward: bool) -> Any:
        """Refused: the linear part is run only in forward mode."""
        raise ForwardModeError(named(self.function.fun))

    def transpose(self, t: TransposeCall) -> Sequence[Any]:
        """By the user's rule."""
        of_results = iter(t.cotangents)
        given = [next(of_results) if has_tangent(aval) else None for aval in self.results]
        if not self.function.symbolic_zeros or self.axes is not None:
            given = [zero_array(aval) if c is None else c for c, aval in zip(given, self.results, strict=True)]
        kept = t.operands[:len(self.arrays)]
        if self.axes is None:
            flat = self._backward(kept, given)
        else:
            flat = self.axes.shares(self._backward, kept, self.axes.totals(given))
        return [*[None] * len(self.arrays), *(c for c, v in zip(flat, self.varies, strict=True) if v)]

    def _backward(self, arrays: Sequence[Any], cotangents: Sequence[Any]) -> list[Any]:
        """The arguments' flat cotangents, of what is kept and the results' cotangents; None for zero."""
        kept = list(self.kept)
        for i, x in zip(self.arrays, arrays, strict=True):
            kept[i] = x
        cotangents = [SymbolicZero(aval) if c is None else array(c)
                      for c, aval in zip(cotangents, self.results, strict=True)]
        given = tree.unflatten(self.kept_tree, kept), tree.unflatten(self.out_tree, cotangents)
        with without_origin():
            found = self.function.bwd(*self.arguments.static.values(), *given)  # type: ignore[misc]
        return self._flat(found)

    def _flat(self, found: Any) -> list[Any]:
        """The cotangents that a rule gave, for each leaf of the arguments; None for zero."""
        name = named(self.function.fun)
        if not isinstance(found, (tuple, list)) or len(found) != len(self.arguments.dynamic):
            raise CustomRuleError(
                name, "bwd must give a tuple with a cotangent for each argument", tree.structure(found),
                f"a tuple of {len(self.arguments.dynamic)}", "Give None for an argument that has no effect.")
        flat: list[Any] = []
        for argument, cotangent in zip(self.arguments.dynamic, found, strict=True):
            avals = [aval_of(x) for x in tree.leaves(argument)]
            if cotangent is None:
                flat += [None] * len(avals)
                continue
            own, structure = tree.flatten(argument, is_leaf=_is_none)
            leaves, given = tree.flatten(cotangent, is_leaf=_is_none)
            if structure != given:  # it may be a prefix: one cotangent for all that the argument has there
                try:
                    leaves = tree.leaves(tree.broadcast(cotangent, argument, is_leaf=_is_none), is_leaf=_is_none)
                except TreeError:
                    raise CustomRuleError(name, "bwd gives a cotangent of another structure than its argument", given,
                                          structure) from None
            pairs = [(aval_of(x), c) for x, c in zip(own, leaves, strict=True) if x is not None]
            flat += [_fitting(name, aval, c) for aval, c in pairs]
        return flat


def _fitting(name: str, aval: Aval, cotangent: Any) -> Any:
    if cotangent is None or not has_tangent(aval) or is_zero(cotangent):
        return None
    try:
        own = aval_of(cotangent)
    except ArgumentError:
        raise CustomRuleError(name, "bwd gives a cotangent that is no array", repr(cotangent), repr(aval)) from None
    if own.shape != aval.shape:
        raise CustomRuleError(name, "bwd gives a cotangent that does not fit its argument", repr(own), repr(aval),
                              "Give a cotangent of the argument's shape and element type.")
    if isinstance(cotangent, (int, float, complex)):
        return number_as(cotangent, aval.dtype)
    return convert(cotangent, aval.dtype)
