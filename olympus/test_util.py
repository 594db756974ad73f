# SPDX-License-Identifier: Apache-2.0
"""Checks of derivatives against differences, for tests of users' functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.deferred import listed
from olympus_core.errors import ArgumentError, GradientCheckError, described

from .tracing import aval_of
from .transforms.derivatives import jvp, vjp
from .transforms.traces.jvp_trace import float0
from .trees.functions import flatten, map, structure

__all__ = ["check_grads", "check_jvp", "check_vjp"]
__dir__ = listed(__all__)

# What a central difference with a step of about the cube root of the type's precision still shows, and that step.
_TOLERANCES = {
    dtypes.float16: 1e-1, dtypes.bfloat16: 3e-1, dtypes.float32: 2e-3, dtypes.float64: 1e-5,
    dtypes.complex64: 2e-3, dtypes.complex128: 1e-5,
}
_STEPS = {
    dtypes.float16: 1e-1, dtypes.bfloat16: 2e-1, dtypes.float32: 4e-3, dtypes.float64: 1e-5,
    dtypes.complex64: 4e-3, dtypes.complex128: 1e-5,
}


def check_grads(
    f: Callable[..., Any], args: Sequence[Any], order: int, modes: str | Iterable[str] = ("fwd", "rev"),
    atol: float | None = None, rtol: float | None = None, eps: float | None = None,
) -> None:
    """Checks a function's derivatives up to an order against central differences in one random direction.

    Args:
        f: A function of trees of arrays that gives a tree of arrays.
        args: Its arguments, at which it must be smooth. Those of integers and booleans are held.
        order: Up to which derivative, at least 1.
        modes: ``"fwd"`` for forward mode, ``"rev"`` for reverse mode, or both; higher derivatives mix them.
        atol: The absolute tolerance; by default it follows the element types (2e-3 for float32, 1e-5 for float64).
        rtol: The relative tolerance, likewise.
        eps: The step of the differences; by default about the cube root of the element type's precision.

    Raises:
        GradientCheckError: If a derivative is another than the difference; an `AssertionError`, too.
        ArgumentError: If a mode is not known or the order is less than 1.

    Example:
        >>> import olympus.numpy as jnp
        >>> check_grads(jnp.sin, (0.5,), order=2)
    """
    chosen = (modes,) if isinstance(modes, str) else tuple(modes)
    if not chosen or not set(chosen) <= {"fwd", "rev"}:
        raise ArgumentError("check_grads", "a mode is not known", chosen, "'fwd', 'rev' or both")
    if not isinstance(order, int) or order < 1:
        raise ArgumentError("check_grads", "the order is not a positive integer", order, "1 or more")
    _check(f, tuple(args), order, chosen, (atol, rtol, eps), "")


def _check(
    f: Callable[..., Any], args: tuple[Any, ...], order: int, modes: tuple[str, ...],
    limits: tuple[float | None, float | None, float | None], what: str,
) -> None:
    atol, rtol, eps = limits
    random = np.random.RandomState(0)
    if "fwd" in modes:
        name = f"{what}jvp of "
        check_jvp(f, lambda p, t: jvp(f, p, t), args, atol, rtol, eps, name)
        if order > 1:
            tangents = map(lambda x: _direction(x, random), args)
            _check(lambda *p: _smooth_part(jvp(f, p, tangents)[1]), args, order - 1, modes, limits, name)
    if "rev" in modes:
        name = f"{what}vjp of "
        check_vjp(f, lambda *p: vjp(f, *p), args, atol, rtol, eps, name)
        if order > 1:
            cotangents = map(lambda y: _direction(y, random), f(*args))
            _check(lambda *p: _smooth_part(vjp(f, *p)[1](cotangents)), args, order - 1, modes, limits, name)


def check_jvp(
    f: Callable[..., Any], f_jvp: Callable[..., Any], args: Sequence[Any], atol: float | None = None,
    rtol: float | None = None, eps: float | None = None, err_msg: str = "",
) -> None:
    """Checks a forward derivative against a central difference in one random direction.

    Args:
        f: A function of trees of arrays that gives a tree of arrays.
        f_jvp: Takes a tuple of arguments and one of tangents; gives the results and their tangents.
        args: The arguments, at which f must be smooth.
        atol: The absolute tolerance; by default it follows the element types.
        rtol: The relative tolerance, likewise.
        eps: The step of the difference, likewise.
        err_msg: What the error begins with.

    Raises:
        GradientCheckError: If results or tangents differ; an `AssertionError`, too.

    Example:
        >>> import olympus
        >>> import olympus.numpy as jnp
        >>> check_jvp(jnp.sin, lambda p, t: olympus.jvp(jnp.sin, p, t), (0.5,))
    """
    args = tuple(args)
    tangents = map(lambda x: _direction(x, np.random.RandomState(1)), args)
    results, found = f_jvp(args, tangents)
    expected_results = f(*args)
    _compare(f"{err_msg}jvp: the results", results, expected_results, atol, rtol)
    _compare_at_steps(f"{err_msg}jvp: the tangents", found, lambda step: _difference(f, args, tangents, step),
                      _steps(args, eps), atol, rtol, expected_results)


def check_vjp(
    f: Callable[..., Any], f_vjp: Callable[..., Any], args: Sequence[Any], atol: float | None = None,
    rtol: float | None = None, eps: float | None = None, err_msg: str = "",
) -> None:
    """Checks a reverse derivative against a central difference, by an inner product with random cotangents.

    Args:
        f: A function of trees of arrays that gives a tree of arrays.
        f_vjp: Takes the arguments; gives the results and the function from cotangents to a tuple of the
            arguments' cotangents.
        args: The arguments, at which f must be smooth.
        atol: The absolute tolerance; by default it follows the element types.
        rtol: The relative tolerance, likewise.
        eps: The step of the difference, likewise.
        err_msg: What the error begins with.

    Raises:
        GradientCheckError: If results or inner products differ; an `AssertionError`, too.

    Example:
        >>> import olympus
        >>> import olympus.numpy as jnp
        >>> check_vjp(jnp.sin, lambda *p: olympus.vjp(jnp.sin, *p), (0.5,))
    """
    args = tuple(args)
    random = np.random.RandomState(2)
    results, back = f_vjp(*args)
    expected_results = f(*args)
    _compare(f"{err_msg}vjp: the results", results, expected_results, atol, rtol)
    tangents = map(lambda x: _direction(x, random), args)
    cotangents = map(lambda y: _direction(y, random), expected_results)
    found = _product(back(cotangents), tangents)
    _compare_at_steps(f"{err_msg}vjp: the inner product of cotangents and tangents", found,
                      lambda step: _product(cotangents, _difference(f, args, tangents, step)),
                      _steps(args, eps), atol, rtol, (args, expected_results))


def _is_smooth(x: Any) -> bool:
    kind = np.asarray(x).dtype if not hasattr(x, "dtype") else x.dtype
    return dtypes.is_float(kind) or dtypes.is_complex(kind)


def _smooth_part(tree: Any) -> Any:
    """A tree of tangents without those of integers."""
    return map(lambda x: None if getattr(x, "dtype", None) == float0 else x, tree)


def _direction(x: Any, random: np.random.RandomState) -> Any:
    """Random numbers of an array's type, none so small that a mistake hides behind it; float0 for integers."""
    shape = np.shape(x)
    if not _is_smooth(x):
        return np.zeros(shape, float0)
    kind = aval_of(x).dtype
    parts = [random.uniform(0.5, 1.5, shape) * random.choice([-1.0, 1.0], shape) for _ in range(2)]
    return np.asarray(parts[0] + 1j * parts[1] if dtypes.is_complex(kind) else parts[0]).astype(kind)


def _kinds(tree: Any) -> list[np.dtype]:
    leaves = flatten(tree)[0]
    return [aval_of(x).dtype for x in leaves if _is_smooth(x)]


def _steps(args: Any, eps: float | None) -> tuple[float, ...]:
    """The steps of differences: the usual one, and smaller ones for functions whose higher derivatives are large."""
    if eps is not None:
        return (eps,)
    usual = max((_STEPS.get(kind, 1e-1) for kind in _kinds(args)), default=1e-3)
    return usual, usual / 8, usual / 40


def _wide(x: Any) -> np.ndarray:
    array = np.asarray(x)
    if array.dtype == float0:
        return np.zeros(array.shape)
    return array.astype(np.complex128 if dtypes.is_complex(array.dtype) else np.float64)


def _difference(f: Callable[..., Any], args: Any, tangents: Any, step: float) -> Any:
    def moved(sign: int) -> Any:
        def move(x: Any, t: Any) -> Any:
            kind = np.asarray(t).dtype
            return x if kind == float0 else (_wide(x) + sign * step * _wide(t)).astype(kind)

        return f(*map(move, args, tangents))

    return map(lambda high, low: (_wide(high) - _wide(low)) / (2 * step) if _is_smooth(high) else
               np.zeros(np.shape(high)), moved(1), moved(-1))


def _compare_at_steps(
    what: str, found: Any, difference: Callable[[float], Any], steps: tuple[float, ...], atol: float | None,
    rtol: float | None, like: Any,
) -> None:
    """Compares with the difference of the first step, and with those of smaller ones where it is another."""
    failures = []
    for step in steps:
        try:
            _compare(what, found, difference(step), atol, rtol, like)
        except GradientCheckError as error:
            failures.append(error)
        else:
            return
    raise failures[0]


def _product(x: Any, y: Any) -> float:
    """The sum of products of all elements; of complex ones its real part."""
    pairs = zip(flatten(x)[0], flatten(y)[0], strict=True)
    return float(sum(np.sum((_wide(a) * _wide(b)).real) for a, b in pairs))


def _compare(what: str, found: Any, expected: Any, atol: float | None, rtol: float | None, like: Any = None) -> None:
    if structure(found) != structure(expected):
        raise GradientCheckError(what, "the trees differ", structure(found), structure(expected))
    tolerance = max((_TOLERANCES.get(kind, 5e-1) for kind in _kinds(found if like is None else like)), default=1e-5)
    atol, rtol = tolerance if atol is None else atol, tolerance if rtol is None else rtol
    for a, b in zip(flatten(found)[0], flatten(expected)[0], strict=True):
        if np.shape(a) != np.shape(b):
            raise GradientCheckError(what, "the shapes differ", np.shape(a), np.shape(b))
        one, other = _wide(a), _wide(b)
        if not np.allclose(one, other, rtol, atol, equal_nan=True):
            worst = np.unravel_index(int(np.argmax(np.nan_to_num(abs(one - other), nan=np.inf))), one.shape)
            raise GradientCheckError(
                what, f"not what is expected at index {tuple(int(i) for i in worst)}",
                described(one[worst].item()), f"{other[worst].item()} (rtol {rtol}, atol {atol})")
