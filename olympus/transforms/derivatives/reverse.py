# SPDX-License-Identifier: Apache-2.0
"""Reverse mode: vjp, and with it grad and value_and_grad."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, ParamSpec, TypeVar, overload

import numpy as np

from olympus_core import dtypes
from olympus_core.config import config
from olympus_core.errors import (
    ArgumentError,
    CotangentError,
    GradientTypeError,
    NonScalarLossError,
    NotSupportedError,
    described,
)
from olympus_core.placement import NamedSharding

from ...array import is_concrete
from ...tracing import Aval, Tracer, aval_of, current_trace, is_evaluating, use_trace
from ...tracing.aval import has_tangent
from ...tracing.tracebacks import entrance
from ...tracing.values import number_as
from ...tracing.wrapping import wraps
from ...trees import inside as tree
from ..arguments import call_positions, chosen_positions, function_given
from ..calls import place
from ..device_put import device_put
from ..jit import Jitted
from ..traces.arithmetic import as_weak_as, convert, zeros
from ..traces.explicit_cotangents import zero_cotangent
from ..traces.jitted_calls import jvp_trace_in
from ..traces.jvp_trace import JvpTrace, float0
from ..traces.linear_trace import LinearTrace, Tape
from .recorded import Recorded
from .shared_values import Groups, share_given, sharing, total

P = ParamSpec("P")
R = TypeVar("R")
S = TypeVar("S")


class Pullback(Recorded):
    """What `vjp` gives: from cotangents of a function's results to cotangents of its arguments.

    Args:
        tape: The recorded operations on tangents.
        inputs: The arguments' tangents; None for those that have none.
        outputs: The results' tangents; None for those that are zero.
        primals: What is known of the arguments, flat.
        structure: The arguments' structure.
        results: What is known of the results.
        out_tree: The results' structure.
        shared: For each argument, and for each result, the devices that share it.

    It is a tree, whose leaves are the residuals: a function that is transformed may give it, or be given it.
    """

    def __init__(
        self, tape: Tape, inputs: Sequence[Any], outputs: Sequence[Any], primals: Sequence[Origin], structure: Any,
        results: Sequence[Aval], out_tree: Any, shared: tuple[Groups, Groups],
    ) -> None:
        super().__init__(tape, outputs)
        self._inputs = inputs
        self._primals, self._structure, self._results, self.out_tree = primals, structure, results, out_tree
        self._shared_arguments, self._shared_results = shared

    @entrance
    def __call__(self, *cotangents: Any) -> tuple[Any, ...]:
        """Cotangents of the arguments, in a tuple with an entry for each argument.

        Args:
            *cotangents: One argument, those of the results in the results' structure.

        Raises:
            CotangentError: When structure, shape or element type do not fit the results'.
        """
        if len(cotangents) != 1:
            raise CotangentError(f"{len(cotangents)} arguments", f"one, of structure {self.out_tree}")
        (given,) = cotangents
        leaves, structure = tree.flatten(given)
        if structure != self.out_tree:
            raise CotangentError(str(structure), str(self.out_tree))
        flat = [
            _fitting(c, aval, lambda i=i: tree.keystr(tree.flatten_with_path(given)[0][i][0]))  # type: ignore[misc]
            if has_tangent(aval) else None for i, (c, aval) in enumerate(zip(leaves, self._results, strict=True))]
        found = self.flat(flat)
        placed = [_zero(x) if c is None else placed_like(c, x) for c, x in zip(found, self._primals, strict=True)]
        return tree.unflatten(self._structure, [
            as_weak_as(c, x.aval) for c, x in zip(placed, self._primals, strict=True)])

    def flat(self, cotangents: Sequence[Any]) -> list[Any]:
        """Flat cotangents to flat cotangents; None for zero."""
        seeds = [x for x in self._inputs if x is not None]
        cotangents = [share_given(c, group) for c, group in zip(cotangents, self._shared_results, strict=True)]
        found = iter(self._run(seeds, cotangents))
        return [None if x is None else total(next(found), group)
                for x, group in zip(self._inputs, self._shared_arguments, strict=True)]

    def _run(self, seeds: Sequence[Any], cotangents: Sequence[Any]) -> list[Any]:
        if not is_evaluating() or all(aval.layout is None for aval in self._results):
            return self._tape.transposed(seeds, self._outputs, cotangents)
        # Explicit axes are part of types only while tracing: the backward pass is one program.
        return list(Jitted(lambda *given: tuple(
            zero_cotangent(seed.aval) if c is None else c
            for c, seed in zip(self._tape.transposed(seeds, self._outputs, given), seeds, strict=True)
        ))(*(zeros(a) if c is None else c for c, a in zip(cotangents, self._results, strict=True))))


tree.register_pytree_node(Pullback, Pullback.split, Pullback.joined)


def _fitting(cotangent: Any, aval: Aval, path: Callable[[], str]) -> Any:
    if getattr(cotangent, "dtype", None) == float0:
        return None
    own = aval_of(cotangent)
    if own.shape != aval.shape or (own.dtype != aval.dtype and not own.weak):
        raise CotangentError(repr(own), repr(aval), path())
    if isinstance(cotangent, (int, float, complex)):
        try:
            return number_as(cotangent, aval.dtype)
        except (TypeError, OverflowError):  # complex, or an integer beyond all floats
            raise CotangentError(described(cotangent), repr(aval), path()) from None
    return convert(cotangent, aval.dtype)


class Origin:
    """What is known of an argument after the call: its cotangent is placed as it was.

    Args:
        x: The argument.
    """

    __slots__ = ("aval", "sharding")

    def __init__(self, x: Any) -> None:
        self.aval = aval_of(x)
        self.sharding = x.sharding if is_concrete(x) else None


def _zero(x: Origin) -> Any:
    """The cotangent of an argument without effect."""
    if not has_tangent(x.aval):
        return np.zeros(x.aval.shape, float0)
    if is_evaluating() and x.sharding is not None:
        return device_put(np.zeros(x.aval.shape, x.aval.dtype), x.sharding)
    return placed_like(zero_cotangent(x.aval), x)


def placed_like(cotangent: Any, x: Origin) -> Any:
    """A cotangent in the sharding of the value that it belongs to, where both are concrete."""
    if not is_evaluating():
        return cotangent
    if not is_concrete(cotangent):
        cotangent = device_put(cotangent)
    if isinstance(x.sharding, NamedSharding):
        spec = x.sharding.spec
        wanted = x.sharding.with_spec(spec.to_ct_spec()) if spec.unreduced or spec.reduced else x.sharding
        if not cotangent.sharding.is_equivalent_to(wanted, x.aval.ndim):
            return place(cotangent, wanted)
    return cotangent


def entered(x: Any) -> Any:
    """An argument as a value of the trace around: host values are brought to the device once."""
    return device_put(x) if is_evaluating() and not is_concrete(x) and not isinstance(x, Tracer) else x


def pullback(function: Callable[..., Any], primals: Sequence[Any], has_aux: bool, name: str) -> tuple[Any, ...]:
    """Calls a function, and records the operations on tangents.

    Args:
        function: The function.
        primals: Its arguments.
        has_aux: Whether it gives a pair, the second part of which is not differentiated.
        name: The transformation, for errors.

    Returns:
        The result, its pullback, and the second part (None without).
    """
    if config.check_tracer_leaks:
        from ...tracing.leaks import without_leaks

        return without_leaks(getattr(function, "__name__", name), lambda: _recorded(function, primals, has_aux, name))
    return _recorded(function, primals, has_aux, name)[0]


def _recorded(
    function: Callable[..., Any], primals: Sequence[Any], has_aux: bool, name: str
) -> tuple[tuple[Any, ...], JvpTrace]:
    """The same, and the trace."""
    leaves, structure = tree.flatten(tuple(primals))
    leaves = [entered(x) for x in leaves]
    linear = LinearTrace(current_trace())
    trace = jvp_trace_in(linear)
    avals = [aval_of(x) for x in leaves]
    seeds = [linear.input(aval) if has_tangent(aval) else None for aval in avals]
    with use_trace(trace):
        result = function(*tree.unflatten(structure, [trace.wrap(x, t) for x, t in zip(leaves, seeds, strict=True)]))
    aux = None
    if has_aux:
        result, aux = pair(result, name)
        aux = tree.map(lambda x: entered(trace.split(x)[0]) if isinstance(x, Tracer) else x, aux)
    outs, out_tree = tree.flatten(result)
    pairs = [trace.split(out) for out in outs]
    values = [entered(value) for value, _ in pairs]
    trace.close()
    tape = linear.close()
    back = Pullback(tape, seeds, [t for _, t in pairs], [Origin(x) for x in leaves], structure,
                    [aval_of(v) for v in values], out_tree, (sharing(leaves), sharing(values)))
    return (tree.unflatten(out_tree, values), back, aux), trace


def pair(result: Any, name: str) -> tuple[Any, Any]:
    """A function's result and what it gives beside."""
    if not isinstance(result, tuple) or len(result) != 2:
        raise ArgumentError(name, "with has_aux=True the function must give a pair (result, further)",
                            type(result).__name__, "a tuple of two")
    return result


def no_reduce_axes(name: str, axes: Sequence[str]) -> None:
    """Refuses an argument that has no effect any more.

    Raises:
        NotSupportedError: If axes are named.
    """
    if axes:
        raise NotSupportedError(f"reduce_axes={axes!r} of {name}", "cotangents are summed over named axes by types",
                                "Leave it out; inside of shard_map shared values have the sum of the cotangents.")


@overload
def vjp(
    fun: Callable[..., R], *primals: Any, has_aux: Literal[False] = False, reduce_axes: Sequence[str] = ()
) -> tuple[R, Pullback]: ...
@overload
def vjp(
    fun: Callable[..., tuple[R, S]], *primals: Any, has_aux: Literal[True], reduce_axes: Sequence[str] = ()
) -> tuple[R, Pullback, S]: ...
@entrance
def vjp(fun: Callable[..., Any], *primals: Any, has_aux: bool = False, reduce_axes: Sequence[str] = ()) -> Any:
    """Calls a function, and gives with its result the pullback: from cotangents of results to those of arguments.

    Args:
        fun: A function of arrays and nested containers of them.
        *primals: Its arguments.
        has_aux: Whether the function gives a pair, the second part of which is not differentiated.
        reduce_axes: Must be empty.

    Returns:
        The result and a function of cotangents that gives a tuple with one entry for each argument; with `has_aux`,
        the second part as well.

    Raises:
        CotangentError: By the function that is given back, when a cotangent does not fit.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> y, back = olympus.vjp(jnp.sin, 0.0)
        >>> float(y), float(back(2.0)[0])
        (0.0, 2.0)
    """
    no_reduce_axes("vjp", reduce_axes)
    function_given("vjp", fun)
    result, back, aux = pullback(fun, primals, has_aux, "vjp")
    return (result, back, aux) if has_aux else (result, back)


def value_and_grad(
    fun: Callable[P, R], argnums: int | Sequence[int] = 0, has_aux: bool = False, holomorphic: bool = False,
    allow_int: bool = False, reduce_axes: Sequence[str] = (),
) -> Callable[P, tuple[R, Any]]:
    """A function that gives the result of another one, a single number, and its gradient.

    Args:
        fun: The function.
        argnums: The position, or positions, of the arguments with respect to which.
        has_aux: Whether it gives a pair, the second part of which is not differentiated.
        holomorphic: Whether it is a holomorphic function of complex numbers.
        allow_int: Whether arguments may be integers, whose gradients are of the empty type `float0`.
        reduce_axes: Must be empty.

    Returns:
        A function of the same arguments that gives ``(value, gradient)``, or ``((value, further), gradient)``.

    Raises:
        NonScalarLossError: When the function does not give one number.
        GradientTypeError: When an argument, or the result, has no derivative in its element type.

    Example:
        >>> import olympus
        >>> value, slope = olympus.value_and_grad(lambda x: x ** 2)(3.0)
        >>> float(value), float(slope)
        (9.0, 6.0)
    """
    no_reduce_axes("value_and_grad", reduce_axes)
    return _gradient(fun, argnums, has_aux, holomorphic, allow_int, "value_and_grad")


@overload
def grad(
    fun: Callable[P, tuple[Any, S]], argnums: int | Sequence[int] = 0, *, has_aux: Literal[True],
    holomorphic: bool = False, allow_int: bool = False, reduce_axes: Sequence[str] = (),
) -> Callable[P, tuple[Any, S]]: ...
@overload
def grad(
    fun: Callable[P, Any], argnums: int | Sequence[int] = 0, has_aux: bool = False, holomorphic: bool = False,
    allow_int: bool = False, reduce_axes: Sequence[str] = (),
) -> Callable[P, Any]: ...
def grad(
    fun: Callable[..., Any], argnums: int | Sequence[int] = 0, has_aux: bool = False, holomorphic: bool = False,
    allow_int: bool = False, reduce_axes: Sequence[str] = (),
) -> Callable[..., Any]:
    """A function that gives the gradient of another one, whose result is a single number.

    Args:
        fun: The function. Ordinary ``if`` and ``while`` on values are followed as they are taken.
        argnums: The position, or positions, of the arguments with respect to which.
        has_aux: Whether it gives a pair, the second part of which is not differentiated.
        holomorphic: Whether it is a holomorphic function of complex numbers.
        allow_int: Whether arguments may be integers, whose gradients are of the empty type `float0`.
        reduce_axes: Must be empty.

    Returns:
        A function of the same arguments that gives the gradient, or with `has_aux` ``(gradient, further)``.

    Raises:
        NonScalarLossError: When the function does not give one number.
        GradientTypeError: When an argument, or the result, has no derivative in its element type.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> print(olympus.grad(lambda x: jnp.sum(x ** 2))(jnp.arange(3.0)))
        [0. 2. 4.]
    """
    no_reduce_axes("grad", reduce_axes)
    both = _gradient(fun, argnums, has_aux, holomorphic, allow_int, "grad")

    @wraps(fun)
    @entrance
    def gradient(*args: Any, **kwargs: Any) -> Any:
        value, found = both(*args, **kwargs)
        return (found, value[1]) if has_aux else found

    return gradient


def _gradient(
    fun: Callable[..., Any], argnums: int | Sequence[int], has_aux: bool, holomorphic: bool, allow_int: bool, name: str
) -> Callable[..., Any]:
    function_given(name, fun)
    numbers, is_one = chosen_positions(name, argnums)

    @wraps(fun)
    @entrance
    def gradient(*args: Any, **kwargs: Any) -> Any:
        positions = call_positions(name, numbers, "argnums", len(args))
        for n in positions:
            _check_argument(name, args[n], n, holomorphic, allow_int)

        def of_chosen(*chosen: Any) -> Any:
            given = list(args)
            for n, x in zip(positions, chosen, strict=True):
                given[n] = x
            return fun(*given, **kwargs)

        value, back, aux = pullback(of_chosen, [args[n] for n in positions], has_aux, name)
        found = back(_seed(name, value, holomorphic))
        found = found[0] if is_one else found
        return ((value, aux) if has_aux else value), found

    return gradient


def _check_argument(name: str, argument: Any, number: int, holomorphic: bool, allow_int: bool) -> None:
    for n, leaf in enumerate(tree.leaves(argument)):
        aval = leaf_aval(name, leaf, number)
        fits = dtypes.is_complex(aval.dtype) if holomorphic else has_tangent(aval) or allow_int
        if fits:
            continue
        what = f"argument {number}{tree.keystr(tree.flatten_with_path(argument)[0][n][0])}"
        if holomorphic:
            raise GradientTypeError(name, what, dtypes.name_of(aval.dtype), "complex numbers, with holomorphic=True",
                                    "Convert it to a complex element type.")
        raise GradientTypeError(
            name, what, dtypes.name_of(aval.dtype), "real numbers",
            "Convert it with .astype(float), leave it out of argnums, or pass allow_int=True.")


def leaf_aval(name: str, leaf: Any, number: int) -> Aval:
    """What is known of a part of an argument.

    Raises:
        ArgumentError: When it is no array.
    """
    try:
        return aval_of(leaf)
    except ArgumentError:
        raise ArgumentError(
            name, f"argument {number} holds something that is not an array", f"{leaf!r} of type {type(leaf).__name__}",
            "arrays, numbers, or containers of them", "Leave it out of the differentiated arguments.") from None


def _seed(name: str, value: Any, holomorphic: bool) -> Any:
    try:
        aval = aval_of(value)
    except ArgumentError:
        raise NonScalarLossError(name, f"a {type(value).__name__}: {tree.structure(value)}") from None
    if aval.shape:
        raise NonScalarLossError(name, repr(aval))
    if dtypes.is_complex(aval.dtype) != holomorphic or not has_tangent(aval):
        raise GradientTypeError(name, "the result", dtypes.name_of(aval.dtype), "a complex number" if holomorphic else
                                "a real number", "Take the real part or the size of a complex result, convert an "
                                "integer one, or pass holomorphic=True for holomorphic functions.")
    return np.ones((), aval.dtype)
