# SPDX-License-Identifier: Apache-2.0
"""Linear equations solved by iteration: conjugate gradients, BiCGSTAB and GMRES.

Vectors are nested containers of arrays of any shapes; the matrix is a function of them. Derivatives solve the same
equations for another right-hand side (`olympus.lax.custom_linear_solve`).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial, reduce
from operator import add
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.deferred import listed
from olympus_core.errors import ArgumentError, described

from ... import lax, tree
from ... import numpy as jnp
from ...numpy.promotion import inexact_dtype
from ...operands import cast, convert, dtype_of, integer, shape_of
from ...tracing.tracebacks import entrance
from ...typing import Array

__all__ = ["bicgstab", "cg", "gmres"]
__dir__ = listed(__all__)

Operator = Callable[[Any], Any]


def _dot(x: Any, y: Any) -> Any:
    """The inner product of two vectors, of the first one's conjugate."""
    return reduce(add, [jnp.vdot(a, b) for a, b in zip(tree.leaves(x), tree.leaves(y), strict=True)])


def _square(x: Any) -> Any:
    """The squared length of a vector, real."""
    return jnp.real(_dot(x, x))


def _length(x: Any) -> Any:
    return jnp.sqrt(_square(x))


def _plus(x: Any, scale: Any, y: Any) -> Any:
    """The sum x + scale * y."""
    return tree.map(lambda a, b: a + convert(scale, dtype_of(a)) * b, x, y)


def _minus(x: Any, y: Any) -> Any:
    return tree.map(lambda a, b: a - b, x, y)


def _ratio(x: Any, y: Any) -> Any:
    """The quotient x / y, zero where y is zero: a method that has broken down, or is done, goes on without moving."""
    zero = y == 0
    return jnp.where(zero, 0, x / jnp.where(zero, 1, y))


def _operator(name: str, what: str, given: Any) -> Operator:
    """A function of vectors, from a function or from whatever multiplies with ``@``."""
    if callable(given):
        return given
    if not hasattr(given, "shape") or len(given.shape) != 2 or given.shape[0] != given.shape[1]:
        raise ArgumentError(name, f"{what} is neither a function nor a square matrix",
                            described(getattr(given, "shape", given)),
                            "a function of vectors, or a matrix of shape (n, n)")
    return lambda x: given @ x


def _same(x: Any) -> Any:
    return x


def _cg(matrix: Operator, b: Any, x0: Any, limit: Any, maxiter: int, precondition: Operator) -> Any:
    """Hestenes and Stiefel's method, preconditioned."""
    residual = _minus(b, matrix(x0))
    direction = preconditioned = precondition(residual)
    gamma = _dot(residual, preconditioned)

    def unfinished(state: Any) -> Any:
        _, r, _, _, k = state
        return (_square(r) > limit) & (k < maxiter)

    def step(state: Any) -> Any:
        x, r, p, gamma, k = state
        image = matrix(p)
        alpha = _ratio(gamma, _dot(p, image))
        x, r = _plus(x, alpha, p), _plus(r, -alpha, image)
        z = precondition(r)
        following = _dot(r, z)
        return x, r, _plus(z, _ratio(following, gamma), p), following, k + 1

    return lax.while_loop(unfinished, step, (x0, residual, direction, gamma, 0))[:2]


def _bicgstab(matrix: Operator, b: Any, x0: Any, limit: Any, maxiter: int, precondition: Operator) -> Any:
    """Van der Vorst's method, preconditioned. It ends where it breaks down: k is then negative."""
    residual = _minus(b, matrix(x0))
    one = convert(1, dtype_of(tree.leaves(b)[0]))
    zeros = tree.map(jnp.zeros_like, b)

    def unfinished(state: Any) -> Any:
        return (_square(state[1]) > limit) & (state[-1] < maxiter) & (state[-1] >= 0)

    def step(state: Any) -> Any:
        x, r, p, v, rho, alpha, omega, k = state
        following = _dot(residual, r)
        beta = _ratio(following, rho) * _ratio(alpha, omega)
        p = _plus(r, beta, _plus(p, -omega, v))
        p_hat = precondition(p)
        v = matrix(p_hat)
        alpha = _ratio(following, _dot(residual, v))
        s = _plus(r, -alpha, v)
        early = _square(s) < limit
        s_hat = precondition(s)
        t = matrix(s_hat)
        omega = jnp.where(early, 0, _ratio(_dot(t, s), _dot(t, t)))
        x = _plus(_plus(x, alpha, p_hat), omega, s_hat)
        stuck = ~early & ((omega == 0) | (alpha == 0))
        return x, _plus(s, -omega, t), p, v, following, alpha, omega, jnp.where(stuck, -11, k + 1)

    start = (x0, residual, zeros, zeros, one, one, one, 0)
    return lax.while_loop(unfinished, step, start)[:2]


def _rotation(a: Any, b: Any) -> tuple[Any, Any]:
    """The cosine (real) and sine of the rotation that takes (a, b), b real, to (r, 0)."""
    length = jnp.sqrt(jnp.square(jnp.abs(a)) + jnp.square(b))
    size = jnp.abs(a)
    phase = jnp.where(size == 0, 1, _ratio(a, convert(size, dtype_of(a))))
    none = length == 0
    return jnp.where(none, 1, _ratio(size, length)), jnp.where(none, 0, phase * _ratio(b, length))


def _krylov(
    matrix: Operator, residual: Any, precondition: Operator, restart: int, stops: Callable[[Any], Any] | None,
) -> Any:
    """The change of x that makes the preconditioned residual least in a Krylov space (Saad and Schultz).

    Args:
        matrix: The matrix.
        residual: The residual, preconditioned.
        precondition: The preconditioner.
        restart: The greatest dimension of the space.
        stops: Given an estimate of the residual's length, whether it is small enough; None to go on to the end.
    """
    dtype = dtype_of(tree.leaves(residual)[0])
    real = dtypes.real_part(dtype)
    precision = float(np.finfo(real).eps)
    length = _length(residual)
    scale = _ratio(convert(1, real), length)

    def with_columns(x: Any) -> Any:
        first = (x * convert(scale, dtype))[..., None]
        return jnp.concatenate([first, jnp.zeros((*x.shape, restart), dtype)], -1)

    basis = tree.map(with_columns, residual)
    triangle = jnp.eye(restart, dtype=dtype)
    right = jnp.zeros(restart + 1, dtype).at[0].set(convert(length, dtype))
    rotations = jnp.zeros((restart, 2), dtype).at[:, 0].set(1)

    def step(state: Any) -> Any:
        k, basis, triangle, right, rotations, _ = state
        image = precondition(matrix(tree.map(lambda v: v[..., k], basis)))
        size = _length(image)
        column = jnp.zeros(restart + 1, dtype)
        for _ in range(2):  # twice is enough: Gram-Schmidt, and once more for what rounding left
            parts = reduce(add, [jnp.tensordot(jnp.conj(v), w, [list(range(w.ndim))] * 2)
                                 for v, w in zip(tree.leaves(basis), tree.leaves(image), strict=True)])
            image = tree.map(lambda w, v, parts=parts: w - v @ parts, image, basis)
            column = column + parts
        last = _length(image)
        last = jnp.where(last <= precision * size, 0, last)
        inverse = convert(_ratio(convert(1, real), last), dtype)
        basis = tree.map(lambda v, w: v.at[..., k + 1].set(w * inverse), basis, image)

        def rotate(i: Any, column: Any) -> Any:
            c, s = rotations[i, 0], rotations[i, 1]
            a, b = column[i], column[i + 1]
            changed = column.at[i].set(c * a + s * b).at[i + 1].set(c * b - jnp.conj(s) * a)
            return jnp.where(i < k, changed, column)

        column = lax.fori_loop(0, restart, rotate, column)
        c, s = _rotation(column[k], last)
        c = convert(c, dtype)
        diagonal = c * column[k] + s * convert(last, dtype)
        column = jnp.where(jnp.arange(restart + 1) < k, column, 0).at[k].set(diagonal)
        moved = right[k]
        right = right.at[k].set(c * moved).at[k + 1].set(-jnp.conj(s) * moved)
        return (k + 1, basis, triangle.at[:, k].set(column[:restart]), right,
                rotations.at[k].set(jnp.stack([c, s])), jnp.abs(right[k + 1]))

    state = (0, basis, triangle, right, rotations, length)
    if stops is None:
        state = lax.fori_loop(0, restart, lambda _, s: step(s), state)
    else:
        state = lax.while_loop(lambda s: (s[0] < restart) & ~stops(s[-1]), step, state)
    count, basis, triangle, right, _, _ = state
    right = jnp.where(jnp.arange(restart) < count, right[:restart], 0)

    def substitute(i: Any, y: Any) -> Any:
        row = restart - 1 - i
        return y.at[row].set(_ratio(right[row] - triangle[row] @ y, triangle[row, row]))

    y = lax.fori_loop(0, restart, substitute, jnp.zeros(restart, dtype))
    return tree.map(lambda v: v[..., :restart] @ y, basis)


def _gmres(
    restart: int, incremental: bool, matrix: Operator, b: Any, x0: Any, limit: Any, maxiter: int,
    precondition: Operator,
) -> Any:
    """Restarted GMRES, preconditioned from the left."""
    wanted = jnp.sqrt(limit)
    least = _length(precondition(b)) * jnp.minimum(1, _ratio(wanted, _length(b)))

    def unfinished(state: Any) -> Any:
        return (_length(state[1]) > wanted) & (state[2] < maxiter)

    def step(state: Any) -> Any:
        x, residual, k = state
        change = _krylov(matrix, precondition(residual), precondition, restart,
                         (lambda found: found <= least) if incremental else None)
        x = tree.map(add, x, change)
        return x, _minus(b, matrix(x)), k + 1

    return lax.while_loop(unfinished, step, (x0, _minus(b, matrix(x0)), 0))[:2]


def _solve(
    name: str, method: Callable[..., Any], A: Any, b: Any, x0: Any, tol: Any, atol: Any, maxiter: int | None, M: Any,
    symmetric: bool = False,
) -> tuple[Any, None]:
    matrix = _operator(name, "A", A)
    precondition = _same if M is None else _operator(name, "M", M)
    b = tree.map(lambda x: cast(x, inexact_dtype(dtype_of(x)), name), b)
    x0 = tree.map(jnp.zeros_like, b) if x0 is None else x0
    if tree.structure(x0) != tree.structure(b):
        raise ArgumentError(name, "the first guess has another structure than b", tree.structure(x0),
                            tree.structure(b))
    shapes = [tree.map(shape_of, x) for x in (x0, b)]
    if shapes[0] != shapes[1]:
        raise ArgumentError(name, "the first guess has other shapes than b", shapes[0], shapes[1])
    x0 = tree.map(lambda x, y: cast(x, dtype_of(y), name), x0, b)
    size = sum(math.prod(shape_of(x)) for x in tree.leaves(b))
    steps = 10 * size if maxiter is None else integer(name, maxiter, "maxiter", 0)

    def solve(multiply: Operator, right: Any) -> Any:
        limit = jnp.maximum(jnp.square(tol) * _square(right), jnp.square(atol))
        found, residual = method(multiply, right, x0, limit, steps, precondition)
        # Such a residual is not above the limit either, so that the guess would come back as if it were the solution.
        is_known = jnp.isfinite(_square(residual))
        return tree.map(lambda x: jnp.where(is_known, x, jnp.nan), found)

    is_real = not any(dtypes.is_complex(dtype_of(x)) for x in tree.leaves(b))
    return lax.custom_linear_solve(matrix, b, solve, solve, symmetric=symmetric and is_real), None


@entrance
def cg(
    A: Any, b: Any, x0: Any = None, *, tol: float = 1e-5, atol: float = 0.0, maxiter: int | None = None,
    M: Any = None,
) -> tuple[Any, None]:
    """Solves A x = b by conjugate gradients, for a Hermitian positive definite matrix.

    Args:
        A: A function of vectors, or a matrix.
        b: The right-hand side: an array of any shape, or a nested container of arrays.
        x0: Where to begin; zero when left out.
        tol: It ends when the residual is no longer than `tol` times `b`, or than `atol`.
        atol: The absolute tolerance.
        maxiter: The greatest number of steps; ten times the size of `b` when left out.
        M: A preconditioner: about the inverse of A, in the same form.

    Returns:
        The solution, NaN where the square of its residual is none or overflows; and None where SciPy says how it ended.

    Raises:
        ArgumentError: If A is neither a function nor a square matrix, or `x0` does not fit `b`.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus.scipy.sparse.linalg import cg
        >>> cg(jnp.array([[2.0, 0.0], [0.0, 4.0]]), jnp.array([2.0, 2.0]))[0].tolist()
        [1.0, 0.5]

    References:
        M. R. Hestenes and E. Stiefel, Methods of conjugate gradients for solving linear systems, 1952.
    """
    return _solve("cg", _cg, A, b, x0, tol, atol, maxiter, M, symmetric=True)


@entrance
def bicgstab(
    A: Any, b: Any, x0: Any = None, *, tol: float = 1e-5, atol: float = 0.0, maxiter: int | None = None,
    M: Any = None,
) -> tuple[Any, None]:
    """Solves A x = b by stabilized biconjugate gradients, for any matrix.

    Args:
        A: A function of vectors, or a matrix.
        b: The right-hand side: an array of any shape, or a nested container of arrays.
        x0: Where to begin; zero when left out.
        tol: It ends when the residual is no longer than `tol` times `b`, or than `atol`.
        atol: The absolute tolerance.
        maxiter: The greatest number of steps; ten times the size of `b` when left out.
        M: A preconditioner: about the inverse of A, in the same form.

    Returns:
        The solution, NaN where the square of its residual is none or overflows; and None where SciPy says how it ended.

    Raises:
        ArgumentError: If A is neither a function nor a square matrix, or `x0` does not fit `b`.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus.scipy.sparse.linalg import bicgstab
        >>> bicgstab(jnp.array([[2.0, 0.0], [0.0, 2.0]]), jnp.array([2.0, 4.0]))[0].tolist()
        [1.0, 2.0]

    References:
        H. A. van der Vorst, Bi-CGSTAB: a fast and smoothly converging variant of Bi-CG, 1992.
    """
    return _solve("bicgstab", _bicgstab, A, b, x0, tol, atol, maxiter, M)


@entrance
def gmres(
    A: Any, b: Any, x0: Any = None, *, tol: float = 1e-5, atol: float = 0.0, restart: int = 20,
    maxiter: int | None = None, M: Any = None, solve_method: str = "batched",
) -> tuple[Any, Array]:
    """Solves A x = b by minimal residuals in Krylov spaces (GMRES), for any matrix.

    Args:
        A: A function of vectors, or a matrix.
        b: The right-hand side: an array of any shape, or a nested container of arrays.
        x0: Where to begin; zero when left out.
        tol: It ends when the residual is no longer than `tol` times `b`, or than `atol`.
        atol: The absolute tolerance.
        restart: The greatest dimension of a Krylov space, after which it begins anew.
        maxiter: The greatest number of such spaces; ten times the size of `b` when left out.
        M: A preconditioner: about the inverse of A, in the same form.
        solve_method: ``"incremental"`` looks at the residual after each step and stops within a space;
            ``"batched"`` makes each space whole.

    Returns:
        The solution, NaN where the square of its residual is none or overflows; and an integer that says how it ended:
        -1 where the solution holds NaN, 0 otherwise.

    Raises:
        ArgumentError: If A is neither a function nor a square matrix, `x0` does not fit `b`, or the method is not
            known.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus.scipy.sparse.linalg import gmres
        >>> x, _ = gmres(jnp.array([[0.0, 1.0], [1.0, 0.0]]), jnp.array([2.0, 4.0]))
        >>> [round(float(v), 4) for v in x]
        [4.0, 2.0]

    References:
        Y. Saad and M. H. Schultz, GMRES: a generalized minimal residual algorithm, 1986.
    """
    if solve_method not in ("batched", "incremental"):
        raise ArgumentError("gmres", "the method is not known", described(solve_method), "'batched' or 'incremental'")
    size = sum(math.prod(shape_of(x)) for x in tree.leaves(b))
    count = min(integer("gmres", restart, "restart", 1), max(size, 1))
    method = partial(_gmres, count, solve_method == "incremental")
    found, _ = _solve("gmres", method, A, b, x0, tol, atol, maxiter, M)
    failed = [jnp.any(jnp.isnan(x)) for x in tree.leaves(found)]
    return found, jnp.where(jnp.any(jnp.stack(failed)) if failed else False, -1, 0)
