# SPDX-License-Identifier: Apache-2.0
"""checkpoint: functions that keep fewer residuals for the backward pass, and recompute the others."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, ParamSpec, TypeVar, overload

from olympus_core.config import config
from olympus_core.errors import ArgumentError
from olympus_core.ops import call
from olympus_core.program import Operation, Program, Value

from ...tracing import Aval, aval_of, bind_all, current_trace, is_evaluating, stage, use_trace
from ...tracing.tracebacks import entrance
from ...tracing.wrapping import wraps
from ...trees import inside as tree
from ..arguments import call_positions, function_given, names_of, positions, with_values
from ..device_put import in_memory
from ..traces.annotations import Annotation, Identity, annotated, annotation_of, passed
from ..traces.jvp_trace import JvpTrace
from ..traces.linear_trace import LinearTrace
from ..traces.linearization import run
from .calling import FlatArguments, call_annotated, named
from .policies import Offloadable, Policy, nothing_saveable

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")


@overload
def checkpoint(
    fun: Callable[P, R], *, prevent_cse: bool = True, policy: Policy | None = None,
    static_argnums: int | Sequence[int] = (), static_argnames: str | Sequence[str] = (), concrete: bool = False,
) -> Callable[P, R]: ...
@overload
def checkpoint(
    fun: None = None, *, prevent_cse: bool = True, policy: Policy | None = None,
    static_argnums: int | Sequence[int] = (), static_argnames: str | Sequence[str] = (), concrete: bool = False,
) -> Callable[[Callable[P, R]], Callable[P, R]]: ...
def checkpoint(
    fun: Callable[..., Any] | None = None, *, prevent_cse: bool = True, policy: Policy | None = None,
    static_argnums: int | Sequence[int] = (), static_argnames: str | Sequence[str] = (), concrete: bool = False,
) -> Any:
    """A function that keeps only its arguments for the backward pass, and recomputes the rest: less memory, more work.

    Args:
        fun: The function.
        prevent_cse: Accepted for compatibility.
        policy: Which values are kept all the same, see `olympus.checkpoint_policies`; none when left out.
        static_argnums: Positions of the arguments that are Python values.
        static_argnames: Names of keyword arguments that are Python values.
        concrete: Must be False: while it is differentiated, the function is traced.

    Returns:
        The function. Works as a decorator through `functools.partial`, too.

    Raises:
        ArgumentError: When `policy` is no function, or `concrete` is asked for.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> layer = olympus.checkpoint(lambda w, x: jnp.tanh(x @ w))
        >>> slope = olympus.grad(lambda w: layer(w, jnp.ones((2, 3))).sum())(jnp.zeros((3, 4)))
        >>> slope.shape
        (3, 4)
    """
    if fun is None:
        return functools.partial(checkpoint, prevent_cse=prevent_cse, policy=policy, static_argnums=static_argnums,
                                 static_argnames=static_argnames, concrete=concrete)
    if concrete:
        raise ArgumentError("checkpoint", "concrete=True is not taken", "concrete=True", "False",
                            "Mark Python values with static_argnums.")
    if policy is not None and not callable(policy):
        raise ArgumentError("checkpoint", "a policy is a function", repr(policy),
                            fix="Take one of olympus.checkpoint_policies.")
    function_given("checkpoint", fun)
    static = positions("checkpoint", static_argnums, "static_argnums")
    names = names_of("static_argnames", static_argnames)

    compiled: dict[tuple[int, ...], Any] = {}

    @wraps(fun)
    @entrance
    def checkpointed(*args: Any, **kwargs: Any) -> Any:
        positions = tuple(call_positions("checkpoint", static, "static_argnums", len(args)))
        if is_evaluating():  # the function is traced wherever it is called
            if positions not in compiled:
                from ..jit import jit  # which is made of this package

                compiled[positions] = jit(fun, static_argnums=positions, static_argnames=tuple(names))
            if config.disable_jit:  # it has values even then
                args, kwargs = with_values(args, kwargs, *compiled[positions].statics)
            return compiled[positions](*args, **kwargs)
        fixed = {name: value for name, value in kwargs.items() if name in names}
        traced = {name: value for name, value in kwargs.items() if name not in names}
        arguments = FlatArguments((*args, traced), positions)
        return call_annotated(lambda *xs: fun(*xs[:-1], **xs[-1], **fixed), arguments,
                           lambda flat: Checkpoint(policy or nothing_saveable), named(fun))

    return checkpointed


def checkpoint_name(x: T, name: str) -> T:
    """Gives values a name, by which a policy of `checkpoint` may keep them; the values stay what they are.

    Args:
        x: An array or a nested container of arrays.
        name: The name.

    Returns:
        The same.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> def f(x):
        ...     y = olympus.ad_checkpoint.checkpoint_name(jnp.sin(x), "sine")
        ...     return y * y
        >>> policy = olympus.checkpoint_policies.save_only_these_names("sine")
        >>> round(float(olympus.grad(olympus.checkpoint(f, policy=policy))(1.0)), 4)
        0.9093
    """
    return tree.map(lambda value: passed([value], Identity(name))[0], x)


class _Name:
    """What a policy is asked about for a named value."""

    name = "name"
    category = "structure"


class Checkpoint(Annotation):
    """The annotation of a checkpointed function in a program.

    Args:
        policy: Which values are kept.
    """

    primitive = "remat2"

    def __init__(self, policy: Policy) -> None:
        self.policy = policy

    def differentiate(self, region: Program, primals: Sequence[Any], tangents: Sequence[Any], forward: bool) -> Any:
        """The values first; the tangents by a program that begins with the arguments and what is kept."""
        avals = [aval_of(x) for x in primals]
        varies = [t is not None for t in tangents]
        decided = [(v, keeps) for operation in region.operations if (keeps := self._keeps(operation))
                   for v in operation.results]
        kept = [v for v, _ in decided]
        count = len(region.outputs)
        values = list(primals)
        if kept:
            # Marked as before, so that a second derivative keeps as little.
            extended = annotated(Program(region.name, region.inputs, region.operations, (*region.outputs, *kept)), self)
            found = bind_all(call, primals, {}, (extended,), False)
        else:
            found = bind_all(call, primals, {}, (region,), False)
        values += [in_memory(x, keeps.dst) if isinstance(keeps, Offloadable) else x
                   for x, (_, keeps) in zip(found[count:], decided, strict=True)]
        kept_avals = [aval_of(x) for x in found[count:]]
        program, has_tangent, captured = self._tangents(region, avals, varies, kept, kept_avals, forward)
        moved = bind_all(call, [*values, *(t for t in tangents if t is not None), *captured], {}, (program,), False)
        given = iter(moved)
        return found[:count], [next(given) if has else None for has in has_tangent]

    def _keeps(self, operation: Operation) -> Any:
        """Whether the results of an operation are kept: a bool, or an `Offloadable`."""
        avals = [Aval(v.type) for v in operation.operands]
        annotation = annotation_of(operation.regions[0]) if operation.regions else None
        if isinstance(annotation, Identity):
            return annotation.name is not None and self.policy(_Name, *avals, name=annotation.name)
        return self.policy(operation.record, *avals, **operation.attributes)

    @staticmethod
    def _tangents(
        region: Program, avals: Sequence[Aval], varies: Sequence[bool], kept: Sequence[Value],
        kept_avals: Sequence[Aval], forward: bool,
    ) -> tuple[Program, list[bool], list[Any]]:
        if config.debug_key_reuse:
            from ..key_uses import without_uses

            region = without_uses(region)
        has_tangent: list[bool] = []
        first = len(avals) + len(kept)

        def moved(*values: Any) -> list[Any]:
            linear = LinearTrace(current_trace(), forward)
            trace = JvpTrace(linear)
            seeds = [linear.input(aval) if v else None for aval, v in zip(avals, varies, strict=True)]
            at_hand = {id(v): x for v, x in zip(kept, values[len(avals):first], strict=True)}

            def instead(value: Value, result: Any) -> Any:
                return trace.wrap(at_hand[id(value)], trace.split(result)[1]) if id(value) in at_hand else result

            with use_trace(trace):
                results = run(region, [
                    trace.wrap(x, seed) for x, seed in zip(values[:len(avals)], seeds, strict=True)], instead)
            tangents = [trace.split(result)[1] for result in results]
            trace.close()
            found = linear.close().replayed([seed for seed in seeds if seed is not None], values[first:], tangents)
            has_tangent[:] = [t is not None for t in found]
            return [t for t in found if t is not None]

        seeds = [Aval(a.type, False, a.layout) for a, v in zip(avals, varies, strict=True) if v]
        program, _, captured = stage(moved, [*avals, *kept_avals, *seeds], f"{region.name}_again")
        return program, has_tangent, captured
