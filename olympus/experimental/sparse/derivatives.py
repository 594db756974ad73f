# SPDX-License-Identifier: Apache-2.0
"""Derivatives with respect to sparse arrays: with respect to their stored elements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from olympus_core.errors import ArgumentError, described

from ... import numpy as jnp
from ... import tree
from ...operands import integers
from ...tracing.wrapping import wraps
from ...transforms import derivatives
from .base import JAXSparse
from .bcoo import BCOO

__all__ = ["grad", "jacfwd", "jacobian", "jacrev", "value_and_grad"]


def _is_sparse(x: Any) -> bool:
    return isinstance(x, JAXSparse)


def _transformed(
    transform: Callable[..., Any], fun: Callable[..., Any], argnums: int | Sequence[int], has_aux: bool,
    rebuild: Callable[[Any, Any], Any], value_first: bool, kwargs: dict[str, Any],
) -> Callable[..., Any]:
    """A derivative of a function of stored elements, each part of the result made sparse again."""
    if not callable(fun):
        raise ArgumentError("sparse derivatives", "it is not a function", described(fun), "a function of arrays")
    is_single = isinstance(argnums, int)
    positions = integers("sparse derivatives", argnums, "a position")

    @wraps(fun)
    def derivative(*args: Any, **named: Any) -> Any:
        chosen = [args[p] for p in positions]
        leaves, structure = tree.flatten(chosen, is_leaf=_is_sparse)

        def of_data(data: list[Any]) -> Any:
            parts = [with_data(x, d) for x, d in zip(leaves, data, strict=True)]
            given = list(args)
            for p, value in zip(positions, tree.unflatten(structure, parts), strict=True):
                given[p] = value
            return fun(*given, **named)

        found = transform(of_data, has_aux=has_aux, **kwargs)([data_of(x) for x in leaves])

        def again(parts: Any) -> Any:
            whole = tree.unflatten(structure, [rebuild(x, d) for x, d in zip(leaves, parts, strict=True)])
            return whole[0] if is_single else tuple(whole)

        if value_first:
            return found[0], again(found[1])
        return (again(found[0]), found[1]) if has_aux else again(found)

    return derivative


def data_of(x: Any) -> Any:
    """The stored elements of a sparse array; anything else as it is."""
    return x.data if isinstance(x, JAXSparse) else x


def with_data(x: Any, data: Any) -> Any:
    """A sparse array with other stored elements; for anything else these."""
    if not isinstance(x, JAXSparse):
        return data
    (_, *places), structure = tree.flatten(x)
    return tree.unflatten(structure, [data, *places])


def value_and_grad(
    fun: Callable[..., Any], argnums: int | Sequence[int] = 0, has_aux: bool = False, **kwargs: Any
) -> Callable[..., tuple[Any, Any]]:
    """As `olympus.value_and_grad`, for functions of sparse arrays: gradients have their places.

    Args:
        fun: A function of sparse and dense arrays that gives one number.
        argnums: Positions of the arguments that are differentiated.
        has_aux: Whether the function gives a pair, whose second part is not differentiated.
        **kwargs: Further arguments of `olympus.value_and_grad`.

    Returns:
        A function that gives the value and the gradient.

    Example:
        >>> import olympus.numpy as jnp
        >>> x = BCOO.fromdense(jnp.array([0.0, 2.0]))
        >>> value, slope = value_and_grad(lambda x: (x * x).sum())(x)
        >>> value, slope.todense()
        (Array(4., dtype=float32), Array([0., 4.], dtype=float32))
    """
    return _transformed(derivatives.value_and_grad, fun, argnums, has_aux, with_data, True, kwargs)


def grad(
    fun: Callable[..., Any], argnums: int | Sequence[int] = 0, has_aux: bool = False, **kwargs: Any
) -> Callable[..., Any]:
    """As `olympus.grad`, for functions of sparse arrays: gradients have their places.

    Args:
        fun: A function of sparse and dense arrays that gives one number.
        argnums: Positions of the arguments that are differentiated.
        has_aux: Whether the function gives a pair, whose second part is not differentiated.
        **kwargs: Further arguments of `olympus.grad`.

    Returns:
        The function's gradient.

    Example:
        >>> import olympus.numpy as jnp
        >>> x = BCOO.fromdense(jnp.array([0.0, 2.0]))
        >>> grad(lambda x: (x * x).sum())(x)
        BCOO(float32[2], nse=1)
    """
    return _transformed(derivatives.grad, fun, argnums, has_aux, with_data, False, kwargs)


def _jacobian(
    transform: Callable[..., Any], fun: Callable[..., Any], argnums: int | Sequence[int], has_aux: bool,
    kwargs: dict[str, Any],
) -> Callable[..., Any]:
    # The results are a tree of arrays, and below each stand the argument's parts.
    is_single = isinstance(argnums, int)
    positions = integers("sparse derivatives", argnums, "a position")

    @wraps(fun)
    def derivative(*args: Any, **named: Any) -> Any:
        leaves, structure = tree.flatten([args[p] for p in positions], is_leaf=_is_sparse)

        def of_data(data: list[Any]) -> Any:
            given = list(args)
            parts = [with_data(x, d) for x, d in zip(leaves, data, strict=True)]
            for p, value in zip(positions, tree.unflatten(structure, parts), strict=True):
                given[p] = value
            return fun(*given, **named)

        found = transform(of_data, has_aux=has_aux, **kwargs)([data_of(x) for x in leaves])
        slopes, aux = found if has_aux else (found, None)

        def again(parts: Any) -> Any:
            whole = tree.unflatten(structure, [_of_result(x, d) for x, d in zip(leaves, parts, strict=True)])
            return whole[0] if is_single else tuple(whole)

        inner = tree.structure([0] * len(leaves))
        is_inner = lambda x: isinstance(x, list) and tree.structure(x) == inner  # noqa: E731
        rebuilt = tree.map(again, slopes, is_leaf=is_inner)
        return (rebuilt, aux) if has_aux else rebuilt

    return derivative


def _of_result(x: Any, slope: Any) -> Any:
    """The derivative of an array's elements with respect to a sparse one's, whose batch dimensions these become."""
    if not isinstance(x, JAXSparse):
        return slope
    if not isinstance(x, BCOO):
        x = x.to_bcoo()  # type: ignore[attr-defined]
    before = slope.ndim - x.data.ndim
    indices = jnp.reshape(x.indices, (1,) * before + x.indices.shape)
    return BCOO((slope, indices), shape=(*slope.shape[:before], *x.shape), indices_sorted=x.indices_sorted,
                unique_indices=x.unique_indices)


def jacfwd(
    fun: Callable[..., Any], argnums: int | Sequence[int] = 0, has_aux: bool = False, **kwargs: Any
) -> Callable[..., Any]:
    """As `olympus.jacfwd`, for functions of sparse arrays: derivatives have their places.

    Args:
        fun: A function of sparse and dense arrays that gives dense ones.
        argnums: Positions of the arguments that are differentiated.
        has_aux: Whether the function gives a pair, whose second part is not differentiated.
        **kwargs: Further arguments of `olympus.jacfwd`.

    Returns:
        A function that gives the Jacobian, a BCOO array whose batch dimensions are the result's dimensions.

    Example:
        >>> import olympus.numpy as jnp
        >>> jacfwd(lambda x: x @ jnp.ones(2))(BCOO.fromdense(jnp.array([[0.0, 2.0]])))
        BCOO(float32[1, 1, 2], nse=1, n_batch=1)
    """
    return _jacobian(derivatives.jacfwd, fun, argnums, has_aux, kwargs)


def jacrev(
    fun: Callable[..., Any], argnums: int | Sequence[int] = 0, has_aux: bool = False, **kwargs: Any
) -> Callable[..., Any]:
    """As `olympus.jacrev`, for functions of sparse arrays: derivatives have their places.

    Args:
        fun: A function of sparse and dense arrays that gives dense ones.
        argnums: Positions of the arguments that are differentiated.
        has_aux: Whether the function gives a pair, whose second part is not differentiated.
        **kwargs: Further arguments of `olympus.jacrev`.

    Returns:
        A function that gives the Jacobian, a BCOO array whose batch dimensions are the result's dimensions.

    Example:
        >>> import olympus.numpy as jnp
        >>> jacrev(lambda x: x @ jnp.ones(2))(BCOO.fromdense(jnp.array([[0.0, 2.0]])))
        BCOO(float32[1, 1, 2], nse=1, n_batch=1)
    """
    return _jacobian(derivatives.jacrev, fun, argnums, has_aux, kwargs)


jacobian = jacrev
