# SPDX-License-Identifier: Apache-2.0
"""Linear equations under SciPy's names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from olympus_core.deferred import listed
from olympus_core.errors import ArgumentError, described

from ... import lax
from ... import numpy as jnp
from ...numpy.linalg.equations import lu_solved, solved_by
from ...operands import broadcast, broadcast_shape, cast, dtype_of, shape_of, weakly
from ...transforms.jit import api
from ...transforms.traces.annotations import constants
from ...typing import Array, ArrayLike
from .decompositions import adjoint, cholesky, matrices, promote_inexact_types, schur

__all__ = ["cho_solve", "det", "inv", "lu_solve", "solve", "solve_sylvester", "solve_triangular"]
__dir__ = listed(__all__)


@api(static=("overwrite_a", "check_finite"), call="det")
def det(a: ArrayLike, overwrite_a: bool = False, check_finite: bool = True) -> Array:
    """The determinant of matrices.

    Args:
        a: Matrices of shape ``(..., n, n)``.
        overwrite_a: Accepted.
        check_finite: Accepted.

    Returns:
        The determinants.

    Example:
        >>> import numpy as np
        >>> from olympus.scipy.linalg import det
        >>> float(det(2 * np.eye(2)))
        4.0
    """
    return jnp.linalg.det(jnp.asarray(a))


@api(static=("overwrite_a", "check_finite"), call="inv")
def inv(a: ArrayLike, overwrite_a: bool = False, check_finite: bool = True) -> Array:
    """The inverse of matrices.

    Args:
        a: Matrices of shape ``(..., n, n)``.
        overwrite_a: Accepted.
        check_finite: Accepted.

    Returns:
        The inverses; inf or NaN for a singular matrix.

    Example:
        >>> import numpy as np
        >>> from olympus.scipy.linalg import inv
        >>> inv(2 * np.eye(2)).tolist()
        [[0.5, 0.0], [0.0, 0.5]]
    """
    return jnp.linalg.inv(jnp.asarray(a))


def _solved_sides(function: str, a: Any, b: Any, solved: Callable[[Any, Any], Any]) -> Any:
    """The solution for matrices and right-hand sides, of one element type and with the same dimensions in front.

    The element type is the arguments' own, half precision too: what is solved has 32 bits or more.
    """
    (a, b), weak = promote_inexact_types(function, a, b)
    matrices(function, a, square=True)
    own, right = shape_of(a), shape_of(b)
    single = len(right) == 1
    if not right or right[-1 if single else -2] != own[-1]:
        raise ArgumentError(function, "the sizes of the matrix and the right-hand side differ", f"{own} and {right}",
                            "(..., n, n) and (n,) or (..., n, k)")
    b = b[:, None] if single else b
    batch = broadcast_shape(function, [own[:-2], shape_of(b)[:-2]])
    own_type = dtype_of(a)
    a, b = (cast(x, jnp.result_type(own_type, np.float32)) if own_type.itemsize < 4 else x for x in (a, b))
    x = solved(broadcast(a, (*batch, *own[-2:])), broadcast(b, (*batch, *shape_of(b)[-2:])))
    return weakly(cast(x[..., 0] if single else x, own_type), weak)


@api(static=("trans", "lower", "unit_diagonal", "overwrite_b", "debug", "check_finite"), call="_solve_triangular")
def solve_triangular(
    a: ArrayLike, b: ArrayLike, trans: int | str = 0, lower: bool = False, unit_diagonal: bool = False,
    overwrite_b: bool = False, debug: Any = None, check_finite: bool = True,
) -> Array:
    """The solution of A X = B for a triangular matrix A.

    Args:
        a: Matrices of shape ``(..., n, n)``; the other triangle is not read.
        b: A vector of shape ``(n,)``, or right-hand sides of shape ``(..., n, k)``.
        trans: 0 or ``"N"`` for A, 1 or ``"T"`` for its transpose, 2 or ``"C"`` for its adjoint.
        lower: Which triangle is A.
        unit_diagonal: Whether its diagonal counts as ones.
        overwrite_b: Accepted.
        debug: Accepted.
        check_finite: Accepted.

    Returns:
        The solutions; inf or NaN for a singular matrix.

    Raises:
        ArgumentError: If the shapes do not fit, or `trans` is not known.

    Example:
        >>> import numpy as np
        >>> from olympus.scipy.linalg import solve_triangular
        >>> solve_triangular(np.array([[2.0, 0.0], [1.0, 1.0]]), np.array([2.0, 3.0]), lower=True).tolist()
        [1.0, 2.0]
    """
    kinds = {0: 0, 1: 1, 2: 2, "N": 0, "T": 1, "C": 2}
    if trans not in kinds:
        raise ArgumentError("solve_triangular", "trans is not known", described(trans), "0, 1, 2, 'N', 'T' or 'C'")
    return _solved_sides("solve_triangular", a, b, lambda a, b: lax.linalg.triangular_solve(
        a, b, left_side=True, lower=lower, transpose_a=kinds[trans] > 0, conjugate_a=kinds[trans] == 2,
        unit_diagonal=unit_diagonal))


def cho_solve(
    c_and_lower: tuple[ArrayLike, bool], b: ArrayLike, overwrite_b: bool = False, check_finite: bool = True,
) -> Array:
    """The solution of A X = B, given the Cholesky factor of A.

    Args:
        c_and_lower: What `cho_factor` gave: the factor, and whether it is the lower one.
        b: A vector of shape ``(n,)``, or right-hand sides of shape ``(..., n, k)``.
        overwrite_b: Accepted.
        check_finite: Accepted.

    Returns:
        The solutions.

    Raises:
        ArgumentError: If the shapes do not fit.

    Example:
        >>> import numpy as np
        >>> from olympus.scipy.linalg import cho_factor, cho_solve
        >>> cho_solve(cho_factor(4 * np.eye(2)), np.ones(2)).tolist()
        [0.25, 0.25]
    """
    c, lower = c_and_lower
    return _cho_solve(c, b, lower=bool(lower))


@api(static=("lower",))
def _cho_solve(c: Any, b: Any, lower: bool) -> Any:
    return _solved_sides("cho_solve", c, b, lambda c, b: _by_cholesky(c, b, lower))


def _by_cholesky(c: Any, b: Any, lower: bool) -> Any:
    x = lax.linalg.triangular_solve(c, b, left_side=True, lower=lower, transpose_a=not lower, conjugate_a=not lower)
    return lax.linalg.triangular_solve(c, x, left_side=True, lower=lower, transpose_a=lower, conjugate_a=lower)


@api(static=("trans", "overwrite_b", "check_finite"))
def lu_solve(
    lu_and_piv: tuple[Array, ArrayLike], b: ArrayLike, trans: int = 0, overwrite_b: bool = False,
    check_finite: bool = True,
) -> Array:
    """The solution of A X = B, given the LU factorization of A.

    Args:
        lu_and_piv: What `lu_factor` gave.
        b: A vector of shape ``(n,)``, or right-hand sides of shape ``(..., n, k)``.
        trans: 0 for A, 1 for its transpose, 2 for its adjoint.
        overwrite_b: Accepted.
        check_finite: Accepted.

    Returns:
        The solutions.

    Raises:
        ArgumentError: If the shapes do not fit, or `trans` is not known.

    Example:
        >>> import numpy as np
        >>> from olympus.scipy.linalg import lu_factor, lu_solve
        >>> lu_solve(lu_factor(4 * np.eye(2)), np.ones(2)).tolist()
        [0.25, 0.25]
    """
    if trans not in (0, 1, 2):
        raise ArgumentError("lu_solve", "trans is not known", described(trans), "0, 1 or 2")
    factors, pivots = lu_and_piv

    def solved(factors: Any, b: Any) -> Any:
        order = lax.linalg.lu_pivots_to_permutation(jnp.asarray(pivots), shape_of(factors)[-1])
        return lu_solved(factors, broadcast(order, shape_of(factors)[:-1]), b, trans)

    return _solved_sides("lu_solve", factors, b, solved)


@api(static=("lower", "overwrite_a", "overwrite_b", "debug", "check_finite", "assume_a"), call="_solve")
def solve(
    a: ArrayLike, b: ArrayLike, lower: bool = False, overwrite_a: bool = False, overwrite_b: bool = False,
    debug: bool = False, check_finite: bool = True, assume_a: str = "gen",
) -> Array:
    """The solution of A X = B.

    Args:
        a: Matrices of shape ``(..., n, n)``.
        b: A vector of shape ``(n,)``, or right-hand sides of shape ``(..., n, k)``.
        lower: Which triangle is read of a matrix that is symmetric, Hermitian or positive definite.
        overwrite_a: Accepted.
        overwrite_b: Accepted.
        debug: Accepted.
        check_finite: Accepted.
        assume_a: ``"gen"``, ``"sym"``, ``"her"`` or ``"pos"``: a matrix of any kind, a symmetric, a Hermitian, a
            positive definite one.

    Returns:
        The solutions; inf or NaN for a singular matrix.

    Raises:
        ArgumentError: If the shapes do not fit, or the kind is not known.

    Example:
        >>> import numpy as np
        >>> from olympus.scipy.linalg import solve
        >>> solve(4 * np.eye(2), np.ones(2), assume_a="pos").tolist()
        [0.25, 0.25]
    """
    if assume_a not in ("gen", "sym", "her", "pos"):
        raise ArgumentError("solve", "the kind of matrix is not known", described(assume_a),
                            "'gen', 'sym', 'her' or 'pos'")
    if assume_a == "gen":
        return jnp.linalg.solve(jnp.asarray(a), jnp.asarray(b))
    (x, y), weak = promote_inexact_types("solve", a, b)
    matrices("solve", x, square=True)
    half = jnp.tril(x, -1) if lower else jnp.triu(x, 1)
    other = jnp.matrix_transpose(half) if assume_a == "sym" else adjoint(half)
    middle = jnp.where(jnp.eye(shape_of(x)[-1], dtype=bool), x, cast(0, dtype_of(x)))
    middle = middle if assume_a == "sym" else cast(jnp.real(middle), dtype_of(x))
    whole = half + other + middle
    if assume_a != "pos":
        return weakly(jnp.linalg.solve(whole, y), weak)
    factor = cholesky(constants(whole), lower=True)

    def by_factor(c: Any, b: Any, transposed: int) -> Any:
        return _by_cholesky(jnp.conj(c) if transposed else c, b, True)

    return weakly(solved_by("solve", whole, y, [factor], by_factor), weak)


@api(static=("method", "tol"))
def solve_sylvester(
    A: ArrayLike, B: ArrayLike, C: ArrayLike, *, method: str = "schur", tol: float = 1e-8,
) -> Array:  # the documents' names
    """The solution of Sylvester's equation A X + X B = C.

    Args:
        A: Matrices of shape ``(..., m, m)``.
        B: Matrices of shape ``(..., n, n)``.
        C: Matrices of shape ``(..., m, n)``.
        method: ``"schur"`` or ``"eigen"``: the decomposition of A and B that is used.
        tol: Where an eigenvalue of A and one of -B are nearer than this, the solution is NaN.

    Returns:
        The solutions, of shape ``(..., m, n)``.

    Raises:
        ArgumentError: If the shapes do not fit or the method is not known.

    Example:
        >>> import numpy as np
        >>> from olympus.scipy.linalg import solve_sylvester
        >>> solve_sylvester(np.eye(2), np.eye(2), np.ones((2, 2))).round(3).tolist()
        [[0.5, 0.5], [0.5, 0.5]]

    References:
        R. H. Bartels and G. W. Stewart, Solution of the matrix equation AX + XB = C, 1972.
    """
    name = "solve_sylvester"
    if method not in ("schur", "eigen"):
        raise ArgumentError(name, "the method is not known", described(method), "'schur' or 'eigen'")
    (a, b), _ = promote_inexact_types(name, A, B)
    (a, c), _ = promote_inexact_types(name, a, C)
    a = matrices(name, a, square=True, is_factorized=True)
    b = matrices(name, cast(b, dtype_of(a)), square=True)
    matrices(name, c)
    m, n = shape_of(a)[-1], shape_of(b)[-1]
    if shape_of(c)[-2:] != (m, n):
        raise ArgumentError(name, "the shapes do not fit", f"{shape_of(a)}, {shape_of(b)} and {shape_of(c)}",
                            "(..., m, m), (..., n, n) and (..., m, n)")
    batch = broadcast_shape(name, [shape_of(x)[:-2] for x in (a, b, c)])
    a, b, c = (broadcast(x, (*batch, *shape_of(x)[-2:])) for x in (a, b, c))
    held_a, held_b = constants(a), constants(b)
    by = _sylvester_schur if method == "schur" else _sylvester_eigen
    return lax.custom_linear_solve(
        lambda x: a @ x + x @ b, c, lambda _, c: by(held_a, held_b, c, tol),
        lambda _, c: by(jnp.matrix_transpose(held_a), jnp.matrix_transpose(held_b), c, tol))


def _as(x: Any, like: Any) -> Any:
    return x if dtype_of(like).kind == "c" else jnp.real(x)


def _refused(x: Any, left: Any, right: Any, tol: float) -> Any:
    """NaN where eigenvalues of both matrices cancel."""
    least = jnp.min(jnp.abs(left[..., :, None] + right[..., None, :]), axis=(-2, -1), initial=jnp.inf)
    return jnp.where((least < tol)[..., None, None], cast(jnp.nan, dtype_of(x)), x)


def _sylvester_schur(a: Any, b: Any, c: Any, tol: float) -> Any:
    """Column by column of the triangular equation."""
    t, u = schur(a, "complex")
    s, v = schur(b, "complex")
    f = adjoint(u) @ cast(c, dtype_of(t)) @ v
    n = shape_of(s)[-1]
    diagonal = jnp.diagonal(s, axis1=-2, axis2=-1)
    identity = jnp.eye(shape_of(t)[-1], dtype=dtype_of(t))

    def column(j: Any, y: Any) -> Any:
        right = lax.dynamic_slice_in_dim(f, j, 1, -1) - y @ lax.dynamic_slice_in_dim(s, j, 1, -1)
        shift = lax.dynamic_slice_in_dim(diagonal, j, 1, -1)[..., None]
        found = lax.linalg.triangular_solve(t + shift * identity, right, left_side=True)
        return lax.dynamic_update_slice_in_dim(y, found, j, -1)

    y = lax.fori_loop(0, n, column, jnp.zeros_like(f))
    return _refused(_as(u @ y @ adjoint(v), a), jnp.diagonal(t, axis1=-2, axis2=-1), diagonal, tol)


def _sylvester_eigen(a: Any, b: Any, c: Any, tol: float) -> Any:
    left, p = jnp.linalg.eig(a)
    right, q = jnp.linalg.eig(b)
    f = jnp.linalg.solve(p, cast(c, dtype_of(p)) @ q)
    y = p @ (f / (left[..., :, None] + right[..., None, :]))
    x = jnp.matrix_transpose(jnp.linalg.solve(jnp.matrix_transpose(q), jnp.matrix_transpose(y)))
    return _refused(_as(x, a), left, right, tol)
