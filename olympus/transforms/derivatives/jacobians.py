# SPDX-License-Identifier: Apache-2.0
"""jacfwd, jacrev, hessian: all derivatives of all results, by mapping over the directions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, ParamSpec

import numpy as np

from olympus_core import dtypes
from olympus_core.errors import GradientTypeError

from ...tracing import Aval, aval_of
from ...tracing.aval import has_tangent
from ...tracing.tracebacks import entrance
from ...tracing.wrapping import wraps
from ...trees import inside as tree
from ..arguments import call_positions, chosen_positions, function_given
from ..batching import vmap
from ..traces.arithmetic import reshape, weakened, zeros
from .forward import jvp
from .reverse import pair, pullback

P = ParamSpec("P")
Argnums = int | Sequence[int]


def jacfwd(
    fun: Callable[P, Any], argnums: Argnums = 0, has_aux: bool = False, holomorphic: bool = False
) -> Callable[P, Any]:
    """A function that gives all derivatives of another one's results, in forward mode: for few arguments.

    Args:
        fun: The function.
        argnums: The position, or positions, of the arguments with respect to which.
        has_aux: Whether it gives a pair, the second part of which is not differentiated.
        holomorphic: Whether it is a holomorphic function of complex numbers.

    Returns:
        A function of the same arguments: for each result, for each argument, an array whose shape is the result's
        followed by the argument's.

    Raises:
        GradientTypeError: When an argument has no derivative in its element type.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> print(olympus.jacfwd(lambda x: x ** 2)(jnp.arange(3.0)))
        [[0. 0. 0.]
         [0. 2. 0.]
         [0. 0. 4.]]
    """
    return _jacobian(fun, argnums, has_aux, holomorphic, "jacfwd", _forward, partial(_plain, holomorphic))


def jacrev(
    fun: Callable[P, Any], argnums: Argnums = 0, has_aux: bool = False, holomorphic: bool = False,
    allow_int: bool = False,
) -> Callable[P, Any]:
    """A function that gives all derivatives of another one's results, in reverse mode: for few results.

    Args:
        fun: The function. Of complex arguments it gives real results, unless it is holomorphic; the derivatives are
            those that `grad` gives.
        argnums: The position, or positions, of the arguments with respect to which.
        has_aux: Whether it gives a pair, the second part of which is not differentiated.
        holomorphic: Whether it is a holomorphic function of complex numbers.
        allow_int: Whether arguments may be integers or bools, whose derivatives are zeros of their own type.

    Returns:
        A function of the same arguments: for each result, for each argument, an array whose shape is the result's
        followed by the argument's.

    Raises:
        GradientTypeError: When an argument or a result has no derivative in its element type.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> print(olympus.jacrev(lambda x: x.sum())(jnp.arange(3.0)))
        [1. 1. 1.]
    """
    def fits(aval: Aval) -> bool:
        return dtypes.is_complex(aval.dtype) if holomorphic else has_tangent(aval) or allow_int

    return _jacobian(fun, argnums, has_aux, holomorphic, "jacrev", _reverse, fits)


def hessian(
    fun: Callable[P, Any], argnums: Argnums = 0, has_aux: bool = False, holomorphic: bool = False
) -> Callable[P, Any]:
    """A function that gives all second derivatives of another one.

    Args:
        fun: The function.
        argnums: The position, or positions, of the arguments with respect to which.
        has_aux: Whether it gives a pair, the second part of which is not differentiated.
        holomorphic: Whether it is a holomorphic function of complex numbers.

    Returns:
        A function of the same arguments.

    Raises:
        GradientTypeError: When an argument or a result has no derivative in its element type.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> print(olympus.hessian(lambda x: (x ** 3).sum())(jnp.arange(2.0)))
        [[0. 0.]
         [0. 6.]]
    """
    return jacfwd(jacrev(fun, argnums, has_aux, holomorphic), argnums, has_aux, holomorphic)


def _jacobian(
    fun: Callable[..., Any], argnums: Argnums, has_aux: bool, holomorphic: bool, name: str, method: Callable[..., Any],
    fits: Callable[[Aval], bool],
) -> Callable[..., Any]:
    function_given(name, fun)
    numbers, is_one = chosen_positions(name, argnums)

    @wraps(fun)
    @entrance
    def jacobian(*args: Any, **kwargs: Any) -> Any:
        positions = call_positions(name, numbers, "argnums", len(args))
        chosen = args[positions[0]] if is_one else tuple(args[n] for n in positions)
        leaves, structure = tree.flatten(chosen)
        for leaf in leaves:
            _check(name, "an argument", aval_of(leaf), fits, holomorphic)
        further: list[Any] = []

        def flat(*values: Any) -> Any:
            given = list(args)
            found = tree.unflatten(structure, values)
            for n, x in zip(positions, (found,) if is_one else found, strict=True):
                given[n] = x
            result = fun(*given, **kwargs)
            return pair(result, name) if has_aux else (result, None)

        rows, out_tree = method(name, flat, leaves, further, holomorphic)
        found = tree.unflatten(out_tree, [tree.unflatten(structure, row) for row in rows])
        return (found, further[0]) if has_aux else found

    return jacobian


def _plain(holomorphic: bool, aval: Aval) -> bool:
    return has_tangent(aval) and dtypes.is_complex(aval.dtype) == holomorphic


def _check(name: str, what: str, aval: Aval, fits: Callable[[Aval], bool], holomorphic: bool) -> None:
    """Refuses integers, and complex numbers unless the function is said to be holomorphic, where these do not fit."""
    if not fits(aval):
        kind = "complex numbers" if holomorphic else "real numbers"
        raise GradientTypeError(name, what, dtypes.name_of(aval.dtype), kind,
                                "Convert it to a float type, leave it out, or pass holomorphic=True for holomorphic "
                                "functions of complex numbers.")


def _basis(avals: Sequence[Aval]) -> list[np.ndarray]:
    """For each array the directions along all elements of all arrays, in front."""
    total = sum(aval.type.size for aval in avals)
    found, start = [], 0
    for aval in avals:
        part = np.zeros((total, aval.type.size), aval.dtype)
        part[start:start + aval.type.size] = np.eye(aval.type.size, dtype=aval.dtype)
        found.append(part.reshape(total, *aval.shape))
        start += aval.type.size
    return found


def _forward(
    name: str, flat: Callable[..., Any], leaves: Sequence[Any], further: list[Any], holomorphic: bool
) -> tuple[Any, Any]:
    out_tree: list[Any] = []
    weak: list[bool] = []

    def along(*directions: Any) -> Any:
        result, change, aux = jvp(flat, tuple(leaves), directions, has_aux=True)
        out_tree[:] = [tree.structure(result)]
        weak[:] = [aval_of(x).weak for x in tree.leaves(result)]
        return tree.leaves(change), aux

    avals = [aval_of(x) for x in leaves]
    changes, aux = vmap(along, out_axes=(-1, None))(*_basis(avals))
    further.append(aux)
    rows = []
    for change, is_weak in zip(changes, weak, strict=True):
        shape, start, row = aval_of(change).shape[:-1], 0, []
        for aval in avals:
            part = change[..., start:start + aval.type.size]
            row.append(weakened(reshape(part, (*shape, *aval.shape)), is_weak))
            start += aval.type.size
        rows.append(row)
    return rows, out_tree[0]


def _reverse(
    name: str, flat: Callable[..., Any], leaves: Sequence[Any], further: list[Any], holomorphic: bool
) -> tuple[Any, Any]:
    result, back, aux = pullback(flat, leaves, True, name)
    further.append(aux)
    outs, out_tree = tree.flatten(result)
    avals = [aval_of(x) for x in outs]
    for aval in avals:
        _check(name, "a result", aval, partial(_plain, holomorphic), holomorphic)
    smooth = [has_tangent(aval_of(leaf)) for leaf in leaves]

    def of_smooth(*cotangents: Any) -> list[Any]:
        return [c for c, is_smooth in zip(back(tree.unflatten(out_tree, cotangents)), smooth, strict=True) if is_smooth]

    found = vmap(of_smooth)(*_basis(avals)) if any(smooth) else []
    rows, start = [], 0
    for aval in avals:
        stop, remaining, row = start + aval.type.size, iter(found), []
        for leaf, is_smooth in zip(map(aval_of, leaves), smooth, strict=True):
            if is_smooth:
                row.append(weakened(reshape(next(remaining)[start:stop], (*aval.shape, *leaf.shape)), leaf.weak))
            else:
                row.append(zeros(Aval(leaf.type.with_shape((*aval.shape, *leaf.shape)))))
        rows.append(row)
        start = stop
    return rows, out_tree
