# SPDX-License-Identifier: Apache-2.0
"""Linear equations: solutions, inverses, determinants, least squares."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from olympus_core import dtypes
from olympus_core.deferred import listed
from olympus_core.errors import ArgumentError, described

from ... import lax
from ...operands import (
    axis_of,
    broadcast,
    broadcast_shape,
    cast,
    dtype_of,
    integer,
    integers,
    shape_of,
    strong,
    weakly,
)
from ...tracing import aval_of
from ...transforms.derivatives import custom_jvp, jvp
from ...transforms.jit import api
from ...transforms.traces.annotations import constants
from ...transforms.traces.matrices import diagonal, rows_taken
from ...typing import Array, ArrayLike
from ..elementwise import absolute, conjugate, log
from ..promotion import promote_inexact, promote_types_of
from ..ranges import eye
from ..reductions import any as numpy_any
from ..reductions import prod as numpy_prod
from ..reductions import sum as numpy_sum
from ..searching import where
from ..shapes import expand_dims, matrix_transpose, moveaxis, reshape
from ..ufuncs import squared_size_of
from .decompositions import cutoff, matrices, svd

__all__ = ["det", "inv", "lstsq", "pinv", "slogdet", "solve", "tensorinv", "tensorsolve"]
__dir__ = listed(__all__)


class SlogdetResult(NamedTuple):
    """What `slogdet` gives.

    Args:
        sign: The determinant over its size; zero for a singular matrix.
        logabsdet: The logarithm of its size.
    """

    sign: Any
    logabsdet: Any


def lu_solved(factors: Any, permutation: Any, b: Any, trans: int = 0) -> Any:
    """The solution of A X = B, of A^T X = B (1) or of A^H X = B (2), given P A = L U."""
    if trans == 0:
        x = lax.linalg.triangular_solve(factors, rows_taken(b, permutation), left_side=True, lower=True,
                                        unit_diagonal=True)
        return lax.linalg.triangular_solve(factors, x, left_side=True)
    x = lax.linalg.triangular_solve(factors, b, left_side=True, transpose_a=True, conjugate_a=trans == 2)
    x = lax.linalg.triangular_solve(factors, x, left_side=True, lower=True, transpose_a=True, conjugate_a=trans == 2,
                                    unit_diagonal=True)
    return rows_taken(x, lax.sort_key_val(permutation, _positions(permutation))[1])


def _positions(permutation: Any) -> Any:
    shape = shape_of(permutation)
    return lax.broadcasted_iota(dtype_of(permutation), shape, len(shape) - 1)


def solved_by(function: str, a: Any, b: Any, factors: Any, trans: Any) -> Any:
    """The solution of A X = B by factors of A, with derivatives from the equations.

    Args:
        function: The user's function, for errors.
        a: Matrices of shape ``(..., n, n)``.
        b: A vector of shape ``(n,)``, or right-hand sides of shape ``(..., n, k)``.
        factors: The factors of A, arrays with A's batch dimensions; they have no derivative of their own.
        trans: A function from factors, b and 0 or 1 (the transpose) to the solution.
    """
    own, right = shape_of(a), shape_of(b)
    single = len(right) == 1
    size = right[-1 if single else -2] if right else 0
    if not right or size != own[-1]:
        raise ArgumentError(function, "the sizes of the matrix and the right-hand side differ", f"{own} and {right}",
                            "(..., n, n) and (n,) or (..., n, k)",
                            "Give several vectors b of several matrices as b[..., None].")
    b = expand_dims(b, -1) if single else b
    batch = broadcast_shape(function, [own[:-2], shape_of(b)[:-2]])
    b = broadcast(b, (*batch, *shape_of(b)[-2:]))
    a = broadcast(a, (*batch, *own[-2:]))
    factors = [broadcast(f, (*batch, *shape_of(f)[len(own) - 2:])) for f in constants(factors)]
    x = lax.custom_linear_solve(
        lambda x: a @ x, b, lambda _, b: trans(*factors, b, 0), lambda _, b: trans(*factors, b, 1))
    return x[..., 0] if single else x


@api(call="solve")
def solve(a: ArrayLike, b: ArrayLike) -> Array:
    """The solution of A X = B.

    Args:
        a: Matrices of shape ``(..., n, n)``.
        b: A vector of shape ``(n,)``, or right-hand sides of shape ``(..., n, k)``.

    Returns:
        The solutions, by LU with exchanges of rows; inf or NaN for a singular matrix.

    Raises:
        ArgumentError: If the matrices are not square or the sizes differ.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.linalg.solve(jnp.array([[2.0, 0.0], [0.0, 4.0]]), jnp.array([2.0, 2.0])).tolist()
        [1.0, 0.5]
    """
    (a, b), weak = promote_types_of("solve", a, b)
    a, b = matrices("solve", a, square=True), promote_inexact("solve", b)[0][0]
    factors, _, permutation = lax.linalg.lu(constants(a))
    return weakly(solved_by("solve", a, b, [factors, permutation], lu_solved), weak)


@api(call="inv")
def inv(a: ArrayLike) -> Array:
    """The inverse of matrices.

    Args:
        a: Matrices of shape ``(..., n, n)``.

    Returns:
        The inverses; inf or NaN for a singular matrix.

    Raises:
        ArgumentError: If the matrices are not square.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.linalg.inv(jnp.array([[2.0, 0.0], [0.0, 4.0]])).tolist()
        [[0.5, 0.0], [0.0, 0.25]]
    """
    x = matrices("inv", a, square=True)
    return solve(x, broadcast(eye(shape_of(x)[-1], dtype=dtype_of(x)), shape_of(x)))


def _diagonal_of_lu(x: Any) -> tuple[Any, Any]:
    """The diagonal of U, and the sign that the exchanges of rows give the determinant."""
    factors, pivots, _ = lax.linalg.lu(x)
    exchanges = numpy_sum(pivots != _positions(pivots), axis=-1)
    sign = cast(1 - 2 * (exchanges % 2), dtype_of(x))
    return diagonal(factors), sign


def _product_of_lu(x: Any) -> Any:
    along, sign = _diagonal_of_lu(x)
    return numpy_prod(along, axis=-1) * sign


@custom_jvp
def _determinant(x: Any) -> Any:
    return _product_of_lu(x)


@_determinant.defjvp
def _determinant_jvp(primals: Any, tangents: Any) -> Any:
    """The inner product of the cofactors and the change."""
    (x,), (t,) = primals, tangents
    found = _determinant(x)
    return found, numpy_sum(_cofactors(x, found) * t, axis=(-2, -1))


def _cofactors(x: Any, found: Any) -> Any:
    """The determinant times the transposed inverse; of singular matrices from the singular values."""
    n = shape_of(x)[-1]
    singular = found == 0

    def regular(x: Any) -> Any:
        safe = where(singular[..., None, None], eye(n, dtype=dtype_of(x)), x)
        return matrix_transpose(inv(safe)) * _determinant(safe)[..., None, None]

    def general(x: Any) -> Any:
        u, s, vh = svd(x)
        # For each singular value the product of all others.
        others = numpy_prod(where(np.eye(n, dtype=bool), cast(1, dtype_of(s)), expand_dims(s, -2)), axis=-1)
        signs = _product_of_lu(u @ vh)
        return conjugate(u * cast(others, dtype_of(u))[..., None, :] @ vh) * signs[..., None, None]

    def both(x: Any) -> Any:
        return where(singular[..., None, None], general(x), regular(x))

    return lax.cond(numpy_any(singular), both, regular, x)


def _at_least_single(x: Any) -> Any:
    """Half precision in float32, in which it can be factorized."""
    return x if dtype_of(x).itemsize >= 4 else cast(x, np.dtype(np.float32))


@api(call="det")
def det(a: ArrayLike) -> Array:
    """The determinant of matrices.

    Args:
        a: Matrices of shape ``(..., n, n)``.

    Returns:
        The determinants. The derivative of a singular matrix's is right as well, whatever its rank.

    Raises:
        ArgumentError: If the matrices are not square.

    Example:
        >>> import olympus.numpy as jnp
        >>> float(jnp.linalg.det(jnp.array([[2.0, 1.0], [0.0, 4.0]])))
        8.0
    """
    x = matrices("det", a, square=True)
    n = shape_of(x)[-1]
    if n == 2:
        return x[..., 0, 0] * x[..., 1, 1] - x[..., 0, 1] * x[..., 1, 0]
    found = _determinant(_at_least_single(x))
    return weakly(strong(cast(found, dtype_of(x))), n == 3 and aval_of(x).weak)


@api(static=("method",), call="slogdet")
def slogdet(a: ArrayLike, *, method: str | None = None) -> SlogdetResult:
    """The sign of the determinant of matrices, and the logarithm of its size.

    Args:
        a: Matrices of shape ``(..., n, n)``.
        method: ``"lu"`` (the default) or ``"qr"``: the factorization that is used.

    Returns:
        The sign, of size one or zero, and the logarithm, -inf for a singular matrix.

    Raises:
        ArgumentError: If the matrices are not square or the method is not known.

    Example:
        >>> import olympus.numpy as jnp
        >>> sign, logarithm = jnp.linalg.slogdet(jnp.array([[1.0, 0.0], [0.0, -1.0]]))
        >>> float(sign), float(logarithm)
        (-1.0, 0.0)
    """
    given = matrices("slogdet", a, square=True)
    x = _at_least_single(given)
    if method not in (None, "lu", "qr"):
        raise ArgumentError("slogdet", "the method is not known", described(method), "'lu' or 'qr'")
    if method == "qr":
        q, r = lax.linalg.qr(x, full_matrices=False)
        along, sign = diagonal(r), _product_of_lu(q)
        sign = sign / cast(absolute(sign), dtype_of(sign))
    else:
        along, sign = _diagonal_of_lu(x)
    size = absolute(along)
    zero = cast(size == 0, dtype_of(x))
    phase = along / (cast(size, dtype_of(x)) + zero)
    own = dtype_of(given)
    found = SlogdetResult(cast(sign * numpy_prod(phase, axis=-1), own),
                          cast(numpy_sum(log(size), axis=-1), dtypes.real_part(own)))
    return weakly(found, aval_of(given).weak)


@custom_jvp
def _pseudoinverse(x: Any, relative: Any) -> tuple[Any, Any]:
    """The pseudo-inverse and the singular values."""
    u, s, vh = svd(x, full_matrices=False)
    limit = relative[..., None] * s[..., :1]
    kept = s > limit
    inverse = where(kept, 1 / where(kept, s, 1), 0)
    scaled = conjugate(matrix_transpose(vh)) * cast(inverse, dtype_of(x))[..., None, :]
    return scaled @ conjugate(matrix_transpose(u)), s


@_pseudoinverse.defjvp
def _pseudoinverse_jvp(primals: Any, tangents: Any) -> Any:
    """Golub and Pereyra's formula, of constant rank."""
    x, t = primals[0], tangents[0]
    p, s = _pseudoinverse(*primals)
    t_adjoint, p_adjoint = conjugate(matrix_transpose(t)), conjugate(matrix_transpose(p))
    m, n = shape_of(x)[-2:]
    change = -p @ t @ p
    change = change + p @ p_adjoint @ t_adjoint @ (eye(m, dtype=dtype_of(x)) - x @ p)
    change = change + (eye(n, dtype=dtype_of(x)) - p @ x) @ t_adjoint @ p_adjoint @ p
    _, moved = jvp(lambda x: svd(x, compute_uv=False), (x,), (t,))
    return (p, s), (change, moved)


def _relative(function: str, x: Any, given: Any, scale: float) -> Any:
    """Cutoffs of singular values, for each matrix."""
    real_type = dtypes.real_part(dtype_of(x))
    if given is None:
        given = scale * cutoff(function, x, None)
    return broadcast(cast(given, real_type), shape_of(x)[:-2])


@api(static=("hermitian",))
def pinv(
    a: ArrayLike, rtol: ArrayLike | None = None, hermitian: bool = False, *, rcond: ArrayLike | None = None,
) -> Array:
    """The Moore-Penrose pseudo-inverse of matrices.

    Args:
        a: Matrices of shape ``(..., m, n)``.
        rtol: Relative to the greatest one, which singular values count as zero, for all matrices or for each;
            10 max(m, n) units of the element type when left out.
        hermitian: Accepted.
        rcond: Another name of `rtol`.

    Returns:
        The pseudo-inverses, of shape ``(..., n, m)``. The derivative is that of matrices of the same rank.

    Raises:
        ArgumentError: If there are no matrices, or both cutoffs are given.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.linalg.pinv(jnp.array([[2.0], [0.0]])).tolist()
        [[0.5, 0.0]]

    References:
        G. H. Golub and V. Pereyra, The differentiation of pseudo-inverses and nonlinear least squares problems, 1973.
    """
    if rtol is not None and rcond is not None:
        raise ArgumentError("pinv", "there are two cutoffs", f"rtol={rtol!r}, rcond={rcond!r}", "one of them")
    x = matrices("pinv", a)
    shape = shape_of(x)
    if 0 in shape[-2:]:
        return broadcast(np.zeros((), dtype_of(x)), (*shape[:-2], shape[-1], shape[-2]))
    relative = _relative("pinv", x, rtol if rcond is None else rcond, 10.0)
    return strong(_pseudoinverse(x, relative)[0])


def lstsq(
    a: ArrayLike, b: ArrayLike, rcond: float | None = None, *, numpy_resid: bool = False,
) -> tuple[Array, Array, Array, Array]:
    """Least squares: the x for which |A x - b| is least, and of these the shortest.

    Args:
        a: A matrix of shape (m, n).
        b: A vector of shape (m,), or several in a shape (m, k).
        rcond: Relative to the greatest one, which singular values count as zero; max(m, n) units of the element type
            when left out.
        numpy_resid: Whether residuals are empty where NumPy's are: unless the rank is n and m is greater.

    Returns:
        The solution, the sums of the squared residuals, the rank and the singular values.

    Raises:
        ArgumentError: If the shapes do not fit.

    Example:
        >>> import olympus.numpy as jnp
        >>> x, *_ = jnp.linalg.lstsq(jnp.array([[1.0], [1.0]]), jnp.array([1.0, 3.0]))
        >>> [round(float(v), 4) for v in x]
        [2.0]
    """
    x, residuals, rank, s = _lstsq(a, b, rcond=rcond)
    m, n = shape_of(a)
    if numpy_resid and (m <= n or int(rank) < n):
        residuals = residuals[:0]
    return x, residuals, rank, s


@api(static=("rcond",), call="_lstsq")
def _lstsq(a: Any, b: Any, rcond: float | None) -> tuple[Any, Any, Any, Any]:
    (a, b), weak = promote_types_of("lstsq", a, b)
    a, b = (promote_inexact("lstsq", x)[0][0] for x in (a, b))
    shape, right = shape_of(a), shape_of(b)
    if len(shape) != 2 or len(right) not in (1, 2) or right[0] != shape[0]:
        raise ArgumentError("lstsq", "the shapes do not fit", f"{shape} and {right}", "(m, n) and (m,) or (m, k)")
    m, n = shape
    single = len(right) == 1
    b = expand_dims(b, -1) if single else b
    if 0 in shape:
        x = broadcast(np.zeros((), dtype_of(a)), (n, shape_of(b)[1]))
        s = broadcast(np.zeros((), dtypes.real_part(dtype_of(a))), (0,))
        rank = numpy_sum(s > 0)
    else:
        relative = _relative("lstsq", a, None if rcond is None or rcond < 0 else rcond, 1.0)
        inverse, s = _pseudoinverse(a, relative)
        x = inverse @ b
        rank = numpy_sum(s > relative * s[0])
    residuals = numpy_sum(squared_size_of(b - a @ x), axis=0)
    return strong(x[:, 0] if single else x), residuals, rank, weakly(strong(s), weak)


@api(static=("ind",))
def tensorinv(a: ArrayLike, ind: int = 2) -> Array:
    """The tensor that undoes a tensor product: ``tensordot(tensorinv(a), a, ind)`` is the identity.

    Args:
        a: An array whose first `ind` dimensions have as many elements as the rest.
        ind: How many dimensions are those of the result of the product.

    Returns:
        The inverse, of shape ``a.shape[ind:] + a.shape[:ind]``.

    Raises:
        ArgumentError: If the sizes differ.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.linalg.tensorinv(jnp.eye(6).reshape(2, 3, 6), 2).shape
        (6, 2, 3)
    """
    ind, shape = integer("tensorinv", ind, "ind", 1), shape_of(a)
    first, rest = shape[:ind], shape[ind:]
    if math.prod(first) != math.prod(rest):
        raise ArgumentError("tensorinv", "the two parts differ in size", f"{first} and {rest}", "equal products")
    return reshape(inv(reshape(a, (math.prod(first), math.prod(rest)))), (*rest, *first))


@api(static=("axes",), call="solve")
def tensorsolve(a: ArrayLike, b: ArrayLike, axes: tuple[int, ...] | None = None) -> Array:
    """The x for which ``tensordot(a, x, x.ndim)`` is b.

    Args:
        a: An array of shape ``b.shape + x.shape``.
        b: The right-hand side.
        axes: Dimensions of `a` that are moved to its end first.

    Returns:
        The solution.

    Raises:
        ArgumentError: If the sizes do not fit.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.linalg.tensorsolve(jnp.eye(6).reshape(2, 3, 6), jnp.ones((2, 3))).shape
        (6,)
    """
    if axes is not None:
        moved = tuple(axis_of("tensorsolve", d, len(shape_of(a))) for d in integers("tensorsolve", axes, "an axis"))
        a = moveaxis(a, moved, tuple(range(-len(moved), 0)))
    shape, size = shape_of(a)[len(shape_of(b)):], math.prod(shape_of(b))
    if math.prod(shape) != size or shape_of(a)[:len(shape_of(b))] != shape_of(b):
        raise ArgumentError("tensorsolve", "the sizes do not fit", f"{shape_of(a)} and {shape_of(b)}",
                            "a of shape b.shape + x.shape, with as many elements in x as in b")
    return reshape(solve(reshape(a, (size, size)), reshape(b, (size,))), shape)
