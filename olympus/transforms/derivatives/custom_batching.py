# SPDX-License-Identifier: Apache-2.0
"""custom_vmap: functions whose batching the user says."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Generic, ParamSpec, TypeVar

import numpy as np

from olympus_core.errors import CustomRuleError, NotSupportedError
from olympus_core.ops import call
from olympus_core.program import Program

from ...tracing import Aval, Reference, aval_of, bind_all
from ...tracing.aval import has_tangent
from ...tracing.tracebacks import entrance
from ...tracing.wrapping import wraps
from ...trees import inside as tree
from ..arguments import function_given
from ..traces.annotations import Annotation, annotated
from ..traces.batched_regions import one_after_another, replayed
from ..traces.dimensions import repeated
from ..traces.programs import staged
from ..traces.table import Batched, BatchingCall
from .batched_rules import Carrying
from .calling import FlatArguments, FlatFunction, call_annotated, named, positional
from .forward import jvp

P = ParamSpec("P")
R = TypeVar("R")
Rule = Callable[..., Any]
RuleT = TypeVar("RuleT", bound=Rule)


class custom_vmap(Generic[P, R]):  # the documents' name
    """A function with a rule of its own for `vmap`.

    Forward derivatives follow the rule. For reverse derivatives give the function a `custom_vjp` around this.

    Args:
        fun: The function.

    Raises:
        CustomRuleError: When it is mapped and has no rule, or one that gives what does not fit.
        NotSupportedError: When its reverse derivative is taken.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> @olympus.custom_batching.custom_vmap
        ... def f(x, y):
        ...     return x + y
        >>> @f.def_vmap
        ... def rule(axis_size, in_batched, xs, ys):
        ...     return xs * ys, True
        >>> olympus.vmap(f)(jnp.arange(3), jnp.arange(1, 4))
        Array([0, 2, 6], dtype=int32)
    """

    def __init__(self, fun: Callable[P, R]) -> None:
        function_given("custom_vmap", fun)
        functools.update_wrapper(self, fun, updated=())
        self.fun = fun
        self.vmap_rule: Rule | None = None

    def def_vmap(self, vmap_rule: RuleT) -> RuleT:
        """Gives the function its rule.

        Args:
            vmap_rule: A function ``(axis_size, in_batched, *args) -> (results, out_batched)``: of the size of the
                mapped dimension, for each argument a tree that says which of its arrays have that dimension, in
                front, and the arguments. `out_batched` says the same of the results, or is one bool for all.

        Returns:
            The rule, so that this serves as a decorator.

        Example:
            >>> import olympus
            >>> f = olympus.custom_batching.custom_vmap(lambda x: x)
            >>> rule = f.def_vmap(lambda axis_size, in_batched, xs: (xs[::-1], True))
            >>> olympus.vmap(f)(olympus.numpy.arange(3))
            Array([2, 1, 0], dtype=int32)
        """
        function_given("def_vmap", vmap_rule)
        self.vmap_rule = vmap_rule
        return vmap_rule

    @entrance
    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Calls the function."""
        arguments = FlatArguments(positional(self.fun, args, kwargs), ())
        found: R = call_annotated(
            self.fun, arguments, lambda flat: _UserBatching(self, arguments, flat), named(self.fun))
        return found


class _OwnBatching(Annotation):
    """The annotation of a region that is batched by a rule of its own. Forward derivatives have a rule made of it."""

    primitive = "custom_vmap_call"
    changes_derivative = True

    def __init__(self, name: str) -> None:
        self.name = name

    def carrying(self, references: Sequence[Reference]) -> Annotation:
        """The rule of the call that has the contents of references as well."""
        return Carrying(self, references)

    def differentiate(self, region: Program, primals: Sequence[Any], tangents: Sequence[Any], forward: bool) -> Any:
        """Forward: as a region from values and tangents to values and tangents."""
        if not forward:
            raise NotSupportedError(f"The reverse derivative of {self.name}, a custom_vmap function,",
                                    "its vmap rule does not tell it", "Wrap it in a custom_vjp that has a rule.")
        varies = [t is not None for t in tangents]
        given = [*primals, *(t for t in tangents if t is not None)]

        def both(*values: Any) -> list[Any]:
            return _with_tangents(lambda *xs: replayed(region, xs), values, varies)

        program = staged(both, [aval_of(x) for x in given], f"{self.name}_jvp")
        found = bind_all(call, given, {}, (annotated(program, _Derivative(self, region, varies)),), False)
        count = len(region.outputs)
        moved = iter(found[count:])
        return found[:count], [next(moved) if has_tangent(aval_of(x)) else None for x in found[:count]]


class _Derivative(_OwnBatching):
    """The annotation of the forward derivative of such a region.

    Args:
        rule: The region's annotation.
        region: The region.
        varies: Which of its operands have tangents; these follow the operands.
    """

    def __init__(self, rule: _OwnBatching, region: Program, varies: Sequence[bool]) -> None:
        super().__init__(rule.name)
        self.rule, self.region, self.varies = rule, region, varies

    def batch(self, call: BatchingCall) -> Batched:
        """By the derivative of the rule."""
        count, flags = len(self.varies), list(call.batched)
        tangent_of = {i: count + n for n, i in enumerate(i for i, varies in enumerate(self.varies) if varies)}
        values = list(call.values)
        for i, t in tangent_of.items():
            for has, lacks in ((i, t), (t, i)):
                if flags[has] and not flags[lacks]:
                    values[lacks], flags[lacks] = repeated(values[lacks], call.trace.size), True
        out_flags: list[bool] = []

        def mapped(*primals: Any) -> list[Any]:
            found = self.rule.batch(replace(call, values=primals, batched=flags[:count], regions=(self.region,)))
            out_flags[:] = [is_batched for _, is_batched in found or ()]
            return [value for value, _ in found or ()]

        found = _with_tangents(mapped, values, self.varies)
        moving = [f for f, value in zip(out_flags, self.region.outputs, strict=True) if has_tangent(Aval(value.type))]
        return list(zip(found, [*out_flags, *moving], strict=True))


def _with_tangents(function: Callable[..., list[Any]], given: Sequence[Any], varies: Sequence[bool]) -> list[Any]:
    """The results of a function of flat arrays, and after them the tangents of those that can have one.

    Args:
        function: The function.
        given: Its arguments, and after them tangents.
        varies: Which arguments have tangents.
    """
    count = len(varies)
    moving = [i for i, v in enumerate(varies) if v]

    def of_moving(*moved: Any) -> list[Any]:
        values = list(given[:count])
        for i, x in zip(moving, moved, strict=True):
            values[i] = x
        return function(*values)

    results, changes = jvp(of_moving, [given[i] for i in moving], list(given[count:]))
    return [*results, *(t for x, t in zip(results, changes, strict=True) if has_tangent(aval_of(x)))]


class _UserBatching(_OwnBatching):
    """The annotation of a call of a function with a user's rule."""

    def __init__(self, function: custom_vmap[..., Any], arguments: FlatArguments, flat: FlatFunction) -> None:
        super().__init__(named(function.fun))
        self.function, self.structure, self.flat = function, arguments.structure, flat
        self.count = len(arguments.leaves)

    def batch(self, call: BatchingCall) -> Batched:
        """By the user's rule, in the trace around."""
        if self.function.vmap_rule is None:
            raise CustomRuleError(self.name, "it is mapped by vmap and has no rule", fix="Give it one with def_vmap.")
        if any(call.batched[self.count:]):
            raise CustomRuleError(self.name, "a function with a vmap rule uses a mapped value from outside",
                                  expected="a function of its arguments alone", fix="Pass the value as an argument.")
        flags, values = list(call.batched[:self.count]), call.values[:self.count]
        return self._flat(self.function.vmap_rule(
            call.trace.size, list(tree.unflatten(self.structure, flags)), *tree.unflatten(self.structure, values),
        ), call.trace.size)

    def _flat(self, found: Any, size: int) -> list[tuple[Any, bool]]:
        if not isinstance(found, (tuple, list)) or len(found) != 2:
            raise CustomRuleError(self.name, "its vmap rule must give a pair (results, out_batched)",
                                  type(found).__name__, "a tuple of two")
        results, structure = tree.flatten(found[0])
        if structure != self.flat.out_tree:
            raise CustomRuleError(self.name, "its vmap rule gives results of another structure than the function",
                                  structure, self.flat.out_tree)
        flags, marked = ([found[1]] * len(results), structure) if isinstance(found[1], bool) else tree.flatten(found[1])
        if marked != structure or not all(isinstance(flag, (bool, np.bool_)) for flag in flags):
            raise CustomRuleError(self.name, "out_batched does not say for each result whether it is mapped", found[1],
                                  f"bools in the structure {structure}")
        pairs = list(zip(results, map(bool, flags), self.flat.avals, strict=True))
        for value, is_batched, aval in pairs:
            shape, expected = aval_of(value).shape, (size, *aval.shape) if is_batched else aval.shape
            if shape != expected or aval_of(value).dtype != aval.dtype:
                raise CustomRuleError(self.name, "its vmap rule gives a result that does not fit", repr(aval_of(value)),
                                      f"{aval.dtype}{list(expected)}")
        return [(value, is_batched) for value, is_batched, _ in pairs]


class _OneByOne(_OwnBatching):
    """The annotation of a region that is run for one index after another."""

    def batch(self, call: BatchingCall) -> Batched:
        """A loop over the indices."""
        (region,) = call.regions
        return [(value, True) for value in one_after_another(call, lambda operands: replayed(region, operands))]


def sequential_vmap(f: Callable[P, R]) -> Callable[P, R]:
    """A function that `vmap` calls for one index after another, in a loop.

    Args:
        f: The function.

    Returns:
        The function with that rule for `vmap`; like one of `custom_vmap` otherwise.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> f = olympus.custom_batching.sequential_vmap(lambda x: x + 1)
        >>> olympus.vmap(f)(jnp.arange(3))
        Array([1, 2, 3], dtype=int32)
    """

    @wraps(f)
    @entrance
    def sequential(*args: P.args, **kwargs: P.kwargs) -> R:
        arguments = FlatArguments(positional(f, args, kwargs), ())
        found: R = call_annotated(f, arguments, lambda flat: _OneByOne(named(f)), named(f))
        return found

    return sequential
