# SPDX-License-Identifier: Apache-2.0
"""From a jaxpr to values: its equations are bound again, one by one; and back to a program."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from olympus_core.errors import ArgumentError, described
from olympus_core.ops import constant
from olympus_core.program import Program

from ...array import Array
from ...tracing import Aval, Tracer, aval_of, bind, canonical_dtype, stage
from ...tracing.scopes import origins, within_scope
from ..traces.arithmetic import weakened
from .terms import ClosedJaxpr, Jaxpr, Literal, Var, jaxpr_of


def eval_jaxpr(jaxpr: Jaxpr, consts: Sequence[Any], *args: Any, propagate_source_info: bool = True) -> list[Any]:
    """Binds the equations of a jaxpr again: computes where values are there, traces where they are traced.

    Args:
        jaxpr: The jaxpr.
        consts: A value for each of its `constvars`.
        *args: A value for each of its `invars`.
        propagate_source_info: Whether operations have the lines of the equations; else those of who evaluates them.

    Returns:
        The results, flat.

    Raises:
        ArgumentError: For another number of arguments.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> closed = olympus.make_jaxpr(lambda x: jnp.sin(x) * 2)(1.0)
        >>> olympus.core.eval_jaxpr(closed.jaxpr, closed.consts, 0.0)
        [Array(0., dtype=float32, weak_type=True)]
    """
    if isinstance(jaxpr, ClosedJaxpr) and not consts:
        consts = jaxpr.consts
    jaxpr = jaxpr_of(jaxpr, "eval_jaxpr")
    if len(consts) != len(jaxpr.constvars) or len(args) != len(jaxpr.invars):
        raise ArgumentError("eval_jaxpr", "values and variables differ in number",
                            f"{len(consts)} constants and {len(args)} arguments",
                            f"{len(jaxpr.constvars)} constants and {len(jaxpr.invars)} arguments",
                            "Give flat values: olympus.tree.leaves of the arguments.")
    wide = [_constant(value, v.aval.dtype) for value, v in zip(consts, jaxpr.constvars, strict=True)]
    values: dict[Var, Any] = dict(zip([*jaxpr.constvars, *jaxpr.invars], [*wide, *args], strict=True))

    def read(atom: Any) -> Any:
        if isinstance(atom, Literal):
            return _constant(atom.val, atom.aval.dtype)
        try:
            return values[atom]
        except KeyError:
            raise ArgumentError("eval_jaxpr", "an equation reads a variable that none before it has made", repr(atom),
                                "constants, arguments, and results of earlier equations",
                                "Look at the order of the equations, and at what was left out of them.") from None

    with origins() as enter:
        for eqn in jaxpr.eqns:
            enter(within_scope(eqn.source_info) if propagate_source_info else None)
            found = eqn.primitive.bind(*map(read, eqn.invars), **eqn.primitive.get_bind_params(eqn.params))
            results = found if eqn.primitive.multiple_results else [found]
            values.update(zip(eqn.outvars, results, strict=True))
    results = [read(atom) for atom in jaxpr.outvars]
    if not any(v.aval.weak for v in jaxpr.outvars) or any(
            v.aval.weak and not aval_of(x).weak for v, x in zip(jaxpr.invars, args, strict=True)):
        return results
    return [_weakly(x) if v.aval.weak else x for v, x in zip(jaxpr.outvars, results, strict=True)]


def _weakly(x: Any) -> Any:
    """A result as it was traced, weakly typed: equations do not say that of what is between them."""
    if type(x) is Tracer:
        return x.of_aval(Aval(x.aval.type, True, x.aval.layout))
    is_elsewhere = type(x) is Array and x.sharding.memory_kind == "pinned_host"  # where no operation leaves it
    return x if is_elsewhere else weakened(x, True)


def _constant(value: Any, dtype: np.dtype) -> Any:
    """A constant in its own type, also where host values of 64 bits become narrow."""
    if isinstance(value, (np.ndarray, np.generic)) and value.dtype == dtype and canonical_dtype(dtype) != dtype:
        return bind(constant, value=np.asarray(value))
    return value


def jaxpr_as_fun(closed_jaxpr: ClosedJaxpr, *args: Any) -> Callable[..., list[Any]]:
    """The function that a closed jaxpr says: of flat arguments, to a list of results.

    Args:
        closed_jaxpr: The jaxpr.
        *args: Its first arguments; the function is one of those that follow.

    Returns:
        The function.

    Raises:
        ArgumentError: For what is no closed jaxpr; when it is called, for other arguments than it takes.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> closed = olympus.make_jaxpr(lambda x: jnp.sin(x) * 2)(1.0)
        >>> f = olympus.extend.core.jaxpr_as_fun(closed)
        >>> [float(y) for y in olympus.jit(f)(0.0)]
        [0.0]
    """
    if not isinstance(closed_jaxpr, ClosedJaxpr):
        raise ArgumentError("jaxpr_as_fun", "a closed jaxpr is needed", described(closed_jaxpr), "a ClosedJaxpr",
                            "Make one with olympus.make_jaxpr.")
    return partial(eval_jaxpr, closed_jaxpr.jaxpr, closed_jaxpr.consts, *args)


def region_of(
    given: Any, name: str, around: Callable[[Callable[..., list[Any]]], Callable[..., list[Any]]] | None = None
) -> tuple[Program, list[Any]]:
    """The program that a jaxpr says: its arguments, then what it has from outside, which is given as well.

    Args:
        given: The jaxpr, open or closed.
        name: The primitive that it is a parameter of.
        around: What surrounds the evaluation of its equations.
    """
    jaxpr = jaxpr_of(given, f"{name}_p.bind")
    program = jaxpr._program()
    if program is not None:
        return program, []
    consts = given.consts if isinstance(given, ClosedJaxpr) else []

    def flat(*args: Any) -> list[Any]:
        return eval_jaxpr(jaxpr, consts, *args)

    staged, _, captured = stage(flat if around is None else around(flat), jaxpr.in_avals,
                                jaxpr.debug_info.func_name if jaxpr.debug_info is not None else name)
    return staged, captured
