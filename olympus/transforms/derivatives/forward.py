"""Forward mode: jvp and linearize; and linear functions transposed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeVar, overload

import numpy as np

from olympus_core.errors import TangentError, described

from ... import tree
from ...tracing import Aval, Tracer, aval_of, current_trace, use_trace
from ...tracing.aval import has_tangent
from ...tracing.tracebacks import entrance
from ..traces.arithmetic import convert, filled, zeros
from ..traces.jitted_calls import jvp_trace_in
from ..traces.jvp_trace import float0
from ..traces.linear_trace import LinearTrace
from .reverse import entered, pair, placed_like
from .shared_values import share_given, sharing, sharing_results, total

R = TypeVar("R")
S = TypeVar("S")


@overload
def jvp(
    fun: Callable[..., R], primals: Sequence[Any], tangents: Sequence[Any], has_aux: Literal[False] = False
) -> tuple[R, R]: ...
@overload
def jvp(
    fun: Callable[..., tuple[R, S]], primals: Sequence[Any], tangents: Sequence[Any], has_aux: Literal[True]
) -> tuple[R, R, S]: ...
@entrance
def jvp(fun: Callable[..., Any], primals: Sequence[Any], tangents: Sequence[Any], has_aux: bool = False) -> Any:
    """The result of a function and the change that changes of its arguments make to it.

    Args:
        fun: A function of arrays and nested containers of them.
        primals: Its arguments, a tuple or list.
        tangents: The changes, in the same structure.
        has_aux: Whether the function gives a pair, the second part of which is not differentiated.

    Returns:
        The result and its tangent; with `has_aux`, the second part as well.

    Raises:
        TangentError: When a tangent does not fit its argument.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> y, change = olympus.jvp(jnp.sin, (0.0,), (2.0,))
        >>> float(y), float(change)
        (0.0, 2.0)
    """
    if not isinstance(primals, (tuple, list)) or not isinstance(tangents, (tuple, list)):
        raise TangentError("jvp", f"{type(primals).__name__} and {type(tangents).__name__}",
                           "a tuple of arguments and a tuple of tangents")
    leaves, structure = tree.flatten(tuple(primals))
    changes = _matching("jvp", tuple(tangents), structure, leaves)
    leaves = [entered(x) for x in leaves]
    trace = jvp_trace_in(current_trace())
    with use_trace(trace):
        result = fun(*tree.unflatten(structure, [trace.wrap(x, t) for x, t in zip(leaves, changes, strict=True)]))
    aux = None
    if has_aux:
        result, aux = pair(result, "jvp")
        aux = tree.map(lambda x: entered(trace.split(x)[0]) if isinstance(x, Tracer) else x, aux)
    outs, out_tree = tree.flatten(result)
    pairs = [trace.split(out) for out in outs]
    trace.close()
    values = tree.unflatten(out_tree, [entered(x) for x, _ in pairs])
    moved = tree.unflatten(out_tree, [no_change(x) if t is None else entered(t) for x, t in pairs])
    return (values, moved, aux) if has_aux else (values, moved)


def no_change(x: Any) -> Any:
    """The tangent of a value that does not depend on anything."""
    aval = aval_of(x)
    return entered(zeros(Aval(aval.type))) if has_tangent(aval) else np.zeros(aval.shape, float0)


def _matching(function: str, tangents: Any, structure: Any, leaves: Sequence[Any]) -> list[Any]:
    """Flat tangents of the arguments' types; None for those of integers."""
    flat, found = tree.flatten(tangents)
    if found != structure:
        raise TangentError(function, str(found), str(structure))
    paths = [tree.keystr(path) for path, _ in tree.flatten_with_path(tangents)[0]]
    out: list[Any] = []
    for tangent, leaf, path in zip(flat, leaves, paths, strict=True):
        aval = aval_of(leaf)
        if not has_tangent(aval):
            if getattr(tangent, "dtype", None) != float0:
                raise TangentError(function, repr(aval_of(tangent)), f"float0{list(aval.shape)}", path)
            out.append(None)
            continue
        own = aval_of(tangent)
        if own.shape != aval.shape or (own.dtype != aval.dtype and not own.weak):
            raise TangentError(function, repr(own), repr(aval), path)
        if not own.shape and isinstance(tangent, (int, float, complex)):
            try:
                tangent = filled(Aval(aval.type), tangent)
            except (TypeError, OverflowError):  # complex, or an integer beyond all floats
                raise TangentError(function, described(tangent), repr(aval), path) from None
        out.append(entered(tangent) if own.dtype == aval.dtype else convert(entered(tangent), aval.dtype))
    return out


@overload
def linearize(
    fun: Callable[..., R], *primals: Any, has_aux: Literal[False] = False
) -> tuple[R, Callable[..., R]]: ...
@overload
def linearize(
    fun: Callable[..., tuple[R, S]], *primals: Any, has_aux: Literal[True]
) -> tuple[R, Callable[..., R], S]: ...
@entrance
def linearize(fun: Callable[..., Any], *primals: Any, has_aux: bool = False) -> Any:
    """The result of a function, and the linear function from changes of its arguments to changes of its result.

    Args:
        fun: A function of arrays and nested containers of them.
        *primals: Its arguments.
        has_aux: Whether the function gives a pair, the second part of which is not differentiated.

    Returns:
        The result and the linear function; with `has_aux`, the second part as well.

    Raises:
        TangentError: By the linear function, when a tangent does not fit its argument.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> y, change = olympus.linearize(jnp.sin, 0.0)
        >>> float(change(1.0)), float(change(3.0))
        (1.0, 3.0)
    """
    leaves, structure = tree.flatten(tuple(primals))
    leaves = [entered(x) for x in leaves]
    linear = LinearTrace(current_trace(), forward=True)
    trace = jvp_trace_in(linear)
    avals = [aval_of(x) for x in leaves]
    seeds = [linear.input(aval) if has_tangent(aval) else None for aval in avals]
    with use_trace(trace):
        result = fun(*tree.unflatten(structure, [trace.wrap(x, t) for x, t in zip(leaves, seeds, strict=True)]))
    aux = None
    if has_aux:
        result, aux = pair(result, "linearize")
        aux = tree.map(lambda x: entered(trace.split(x)[0]) if isinstance(x, Tracer) else x, aux)
    outs, out_tree = tree.flatten(result)
    pairs = [trace.split(out) for out in outs]
    trace.close()
    tape = linear.close()
    values = [entered(x) for x, _ in pairs]

    @entrance
    def change(*tangents: Any) -> Any:
        """Changes of the arguments to changes of the result."""
        flat = _matching("linearize", tangents, structure, leaves)
        given = [t for t, seed in zip(flat, seeds, strict=True) if seed is not None]
        found = tape.replayed([s for s in seeds if s is not None], given, [t for _, t in pairs])
        return tree.unflatten(out_tree, [
            no_change(x) if t is None else entered(t) for x, t in zip(values, found, strict=True)])

    result = tree.unflatten(out_tree, values)
    return (result, change, aux) if has_aux else (result, change)


@entrance
def linear_transpose(fun: Callable[..., Any], *primals: Any) -> Callable[[Any], tuple[Any, ...]]:
    """Transposes a linear function: from cotangents of its result to those of its arguments.

    Args:
        fun: A linear function of arrays and nested containers of them.
        *primals: Arguments of the types that it takes, or what stands for them (`ShapeDtypeStruct`).

    Returns:
        A function of cotangents that gives a tuple with one entry for each argument.

    Raises:
        NotLinearError: When the function is not linear.

    Example:
        >>> import olympus
        >>> back = olympus.linear_transpose(lambda x: 3 * x, 1.0)
        >>> float(back(2.0)[0])
        6.0
    """
    leaves, structure = tree.flatten(tuple(primals))
    avals = [aval_of(x) for x in leaves]
    linear = LinearTrace(current_trace())
    seeds = [linear.input(aval) for aval in avals]
    with use_trace(linear):
        result = fun(*tree.unflatten(structure, seeds))
    outs, out_tree = tree.flatten(result)
    outputs = [out if linear.owns(out) else None for out in outs]
    tape = linear.close()
    results = [aval_of(out) for out in outs]
    shared = sharing(leaves)
    shared_results = sharing_results(fun, primals, len(outs))

    @entrance
    def back(cotangents: Any) -> Any:
        """Cotangents of the result to cotangents of the arguments."""
        flat = _matching("linear_transpose", cotangents, out_tree, [_Typed(aval) for aval in results])
        flat = [share_given(c, group) for c, group in zip(flat, shared_results, strict=True)]
        found = [total(c, group) for c, group in zip(tape.transposed(seeds, outputs, flat), shared, strict=True)]
        return tree.unflatten(structure, [
            placed_like(zeros(a) if c is None else c, x) for c, a, x in zip(found, avals, leaves, strict=True)])

    return back


class _Typed:
    """Stands for a value of a type."""

    def __init__(self, aval: Aval) -> None:
        self.aval = aval
