# SPDX-License-Identifier: Apache-2.0
"""Forward mode: jvp and linearize; and linear functions transposed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, Literal, TypeVar, overload

import numpy as np

from olympus_core.config import config
from olympus_core.dtypes import is_integer
from olympus_core.errors import ForwardModeError, LoopReverseError, TangentError, described

from ...tracing import Aval, Tracer, aval_of, current_trace, use_trace
from ...tracing.aval import has_tangent
from ...tracing.tracebacks import entrance
from ...trees import inside as tree
from ..arguments import function_given
from ..traces.arithmetic import as_weak_as, convert, filled
from ..traces.explicit_cotangents import zero_cotangent, zero_tangent
from ..traces.jitted_calls import jvp_trace_in
from ..traces.jvp_trace import JvpTrace, float0
from ..traces.linear_trace import LinearTrace, Tape, refuse_transposed_only
from .recorded import Recorded
from .reverse import Origin, entered, no_reduce_axes, pair, placed_like
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
    function_given("jvp", fun)
    if not isinstance(primals, (tuple, list)) or not isinstance(tangents, (tuple, list)):
        raise TangentError("jvp", f"{type(primals).__name__} and {type(tangents).__name__}",
                           "a tuple of arguments and a tuple of tangents")
    if config.check_tracer_leaks:
        from ...tracing.leaks import without_leaks

        return without_leaks(getattr(fun, "__name__", "jvp"), lambda: _moved(fun, primals, tangents, has_aux))
    return _moved(fun, primals, tangents, has_aux)[0]


def _moved(
    fun: Callable[..., Any], primals: Sequence[Any], tangents: Sequence[Any], has_aux: bool
) -> tuple[Any, JvpTrace]:
    """The same, and the trace."""
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
    moved = tree.unflatten(out_tree, [
        as_weak_as(no_change(x) if t is None else entered(t), aval_of(x)) for x, t in pairs])
    return ((values, moved, aux) if has_aux else (values, moved)), trace


def no_change(x: Any) -> Any:
    """The tangent of a value that does not depend on anything."""
    aval = aval_of(x)
    return entered(zero_tangent(aval)) if has_tangent(aval) else np.zeros(aval.shape, float0)


def _matching(
    function: str, tangents: Any, structure: Any, leaves: Sequence[Any], has_integers: bool = False
) -> list[Any]:
    """Flat tangents of the arguments' types; None for those of integers, where these are not among them themselves."""
    flat, found = tree.flatten(tangents)
    if found != structure:
        raise TangentError(function, str(found), str(structure))
    paths = [tree.keystr(path) for path, _ in tree.flatten_with_path(tangents)[0]]
    out: list[Any] = []
    for tangent, leaf, path in zip(flat, leaves, paths, strict=True):
        aval = aval_of(leaf)
        is_own = not has_tangent(aval)
        if is_own and not has_integers:
            if getattr(tangent, "dtype", None) != float0:
                raise TangentError(function, repr(aval_of(tangent)), f"float0{list(aval.shape)}", path)
            out.append(None)
            continue
        own = aval_of(tangent)
        fits = own.dtype == aval.dtype or own.weak and not (is_own and has_tangent(own))
        if own.shape != aval.shape or not fits:
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
) -> tuple[R, Pushforward[R]]: ...
@overload
def linearize(
    fun: Callable[..., tuple[R, S]], *primals: Any, has_aux: Literal[True]
) -> tuple[R, Pushforward[R], S]: ...
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
    function_given("linearize", fun)
    leaves, structure = tree.flatten(tuple(primals))
    leaves = [entered(x) for x in leaves]

    def run(forward: bool) -> Any:
        if config.check_tracer_leaks:
            from ...tracing.leaks import without_leaks

            name = getattr(fun, "__name__", "linearize")
            return without_leaks(name, lambda: _linearized(fun, leaves, structure, has_aux, forward))
        return _linearized(fun, leaves, structure, has_aux, forward)[0]

    try:
        return run(True)
    except ForwardModeError as found:  # in a loop, for example: the linear function may yet be transposed
        try:
            return run(False)
        except LoopReverseError:
            raise found from None


def _linearized(
    fun: Callable[..., Any], leaves: Sequence[Any], structure: Any, has_aux: bool, forward: bool
) -> tuple[Any, JvpTrace]:
    """What `linearize` gives, and the trace; `forward`: what is recorded is to be run, not to be transposed."""
    linear = LinearTrace(current_trace(), forward)
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

    change: Pushforward[Any] = Pushforward(
        tape, seeds, [t for _, t in pairs], avals, structure, [aval_of(x) for x in values],
        out_tree)
    result = tree.unflatten(out_tree, values)
    return ((result, change, aux) if has_aux else (result, change)), trace


class Pushforward(Recorded, Generic[R]):
    """What `linearize` gives: from changes of a function's arguments to changes of its results.

    Args:
        tape: The recorded operations on tangents.
        inputs: The arguments' tangents; None for those that have none.
        outputs: The results' tangents; None for those that are zero.
        arguments: What is known of the arguments, flat.
        structure: Their structure.
        results: What is known of the results.
        out_tree: The results' structure.

    It is a tree, whose leaves are the residuals.
    """

    def __init__(
        self, tape: Tape, inputs: Sequence[Any], outputs: Sequence[Any], arguments: Sequence[Aval], structure: Any,
        results: Sequence[Aval], out_tree: Any,
    ) -> None:
        super().__init__(tape, outputs)
        self._known = inputs, arguments, structure, results, out_tree

    @entrance
    def __call__(self, *tangents: Any) -> R:
        """Changes of the results, in their structure.

        Args:
            *tangents: Changes of the arguments.

        Raises:
            ForwardModeError: When a function has a rule for reverse differentiation only; the transpose is known.
            TangentError: When one does not fit its argument.
        """
        inputs, arguments, structure, results, out_tree = self._known
        flat = _matching("linearize", tangents, structure, [_Typed(aval) for aval in arguments])
        given = [t for t, seed in zip(flat, inputs, strict=True) if seed is not None]
        refuse_transposed_only(self._tape.needed(self._outputs))
        found = self._tape.replayed([s for s in inputs if s is not None], given, self._outputs)
        return tree.unflatten(out_tree, [
            as_weak_as(no_change(_Typed(x)) if t is None else entered(t), x)
            for x, t in zip(results, found, strict=True)])


tree.register_pytree_node(Pushforward, Pushforward.split, Pushforward.joined)


@entrance
def linear_transpose(
    fun: Callable[..., Any], *primals: Any, reduce_axes: Sequence[str] = ()
) -> Callable[[Any], tuple[Any, ...]]:
    """Transposes a linear function: from cotangents of its result to those of its arguments.

    Args:
        fun: A linear function of arrays and nested containers of them.
        *primals: Arguments of the types that it takes, or what stands for them (`ShapeDtypeStruct`).
        reduce_axes: Must be empty.

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
    no_reduce_axes("linear_transpose", reduce_axes)
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
    of_integers = all(is_integer(aval.dtype) for aval in [*avals, *results])
    shared, origins = sharing(leaves), [Origin(x) for x in leaves]
    shared_results = sharing_results(fun, primals, len(outs))

    @entrance
    def back(cotangents: Any) -> Any:
        """Cotangents of the result to cotangents of the arguments."""
        flat = _matching("linear_transpose", cotangents, out_tree, list(map(_Typed, results)), of_integers)
        flat = [share_given(c, group) for c, group in zip(flat, shared_results, strict=True)]
        found = [total(c, group) for c, group in zip(tape.transposed(seeds, outputs, flat), shared, strict=True)]
        return tree.unflatten(structure, [
            as_weak_as(placed_like(zero_cotangent(x.aval) if c is None else c, x), x.aval)
            for c, x in zip(found, origins, strict=True)])

    return back


class _Typed:
    """Stands for a value of a type."""

    def __init__(self, aval: Aval) -> None:
        self.aval = aval
