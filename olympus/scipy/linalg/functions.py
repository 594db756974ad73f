# SPDX-License-Identifier: Apache-2.0
"""Functions of matrices: the exponential, the square root, and any function by its values at the eigenvalues."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.deferred import listed
from olympus_core.errors import ArgumentError

from ... import lax
from ... import numpy as jnp
from ...operands import cast, convert, dtype_of, integer, shape_of
from ...transforms.derivatives import custom_jvp, jvp
from ...transforms.jit import api
from ...typing import Array, ArrayLike
from .decompositions import adjoint, matrices, promote_inexact_types, schur
from .equations import solve_sylvester, solve_triangular

__all__ = ["expm", "expm_frechet", "funm", "sqrtm"]
__dir__ = listed(__all__)

# For each degree of the Pade approximant the norm up to which it is exact in the type; the last one is scaled to.
_DEGREES = {
    4: ((3, 4.258730016922831e-1), (5, 1.880152677804762), (7, 3.925724783138660)),
    8: ((3, 1.495585217958292e-2), (5, 2.539398330063230e-1), (7, 9.504178996162932e-1), (9, 2.097847961257068),
        (13, 5.371920351148152)),
}


def _coefficients(degree: int) -> list[float]:
    """Those of the numerator of the diagonal Pade approximant of the exponential, scaled to integers."""
    found = [math.factorial(2 * degree - j) * math.factorial(degree) // (
        math.factorial(degree - j) * math.factorial(j)) for j in range(degree + 1)]
    common = found[-1]
    return [float(c // common) for c in found]


def _pade(a: Any, degree: int) -> tuple[Any, Any]:
    """The odd and the even part of the numerator; the denominator is their difference."""
    b = _coefficients(degree)
    identity = jnp.eye(shape_of(a)[-1], dtype=dtype_of(a))
    square = a @ a
    power, odd, even = identity, b[1] * identity, b[0] * identity
    for k in range(2, degree, 2):
        power = square if k == 2 else power @ square
        odd, even = odd + b[k + 1] * power, even + b[k] * power
    return a @ odd, even


@api(static=("upper_triangular", "max_squarings"), call="expm")
def expm(A: ArrayLike, *, upper_triangular: bool = False, max_squarings: int = 16) -> Array:  # the documents' name
    """The exponential of matrices, by scaling, a Pade approximant and squaring.

    Args:
        A: Matrices of shape ``(..., n, n)``.
        upper_triangular: Whether they are upper triangular.
        max_squarings: How often the approximant may be squared; more would be needed for NaN.

    Returns:
        The exponentials, to a few units of the element type times their condition number.

    Raises:
        ArgumentError: If the matrices are not square.

    Example:
        >>> import numpy as np
        >>> from olympus.scipy.linalg import expm
        >>> expm(np.array([[0.0, 1.0], [0.0, 0.0]])).tolist()
        [[1.0, 1.0], [0.0, 1.0]]

    References:
        N. J. Higham, The scaling and squaring method for the matrix exponential revisited, 2005.
    """
    x = matrices("expm", A, square=True, is_factorized=True)
    most = integer("expm", max_squarings, "max_squarings", 0)
    n = shape_of(x)[-1]
    if n == 0:
        return x
    real = dtypes.real_part(dtype_of(x))
    degrees = _DEGREES[real.itemsize]
    norm = lax.stop_gradient(jnp.max(jnp.sum(jnp.abs(x), axis=-2), axis=-1))

    def squarings_for(norm: Any) -> Any:
        return jnp.where(norm > 0, jnp.maximum(jnp.ceil(jnp.log2(norm / degrees[-1][1])), 0), 0)

    squarings = squarings_for(norm)
    count = jnp.minimum(squarings, most)
    x = x * cast(jnp.exp2(-count), dtype_of(x))[..., None, None]
    # What the matrix of the greatest norm needs serves for all: the one number that parts of a split batch exchange.
    largest = jnp.max(jnp.where(norm > 0, norm, 0), initial=0)
    bounds = np.array([bound for _, bound in degrees[:-1]], real)
    needed, rounds = jnp.sum(largest > bounds), squarings_for(largest)

    def quotient(degree: int) -> Callable[[Any], Any]:
        def function(x: Any) -> Any:
            odd, even = _pade(x, degree)
            if upper_triangular:
                return solve_triangular(even - odd, even + odd)
            return jnp.linalg.solve(even - odd, even + odd)
        return function

    found = lax.switch(needed, [quotient(degree) for degree, _ in degrees], x)

    def squared(value: Any, k: Any) -> tuple[Any, None]:
        def once(value: Any) -> Any:
            return jnp.where((k < count)[..., None, None], value @ value, value)

        return lax.cond(k < rounds, once, lambda value: value, value), None

    found = lax.scan(squared, found, np.arange(most, dtype=real))[0]
    return jnp.where((squarings > most)[..., None, None], cast(jnp.nan, dtype_of(x)), found)


@api(static=("method", "compute_expm"), call="expm_frechet")
def expm_frechet(
    A: ArrayLike, E: ArrayLike, *, method: str | None = None, compute_expm: bool = True,
) -> Any:  # the documents' names
    """The derivative of the exponential of matrices in a direction.

    Args:
        A: Matrices of shape ``(..., n, n)``.
        E: The directions, of the same shape.
        method: Accepted.
        compute_expm: Whether the exponential is given as well.

    Returns:
        The exponential, and its derivative; or the derivative alone.

    Raises:
        ArgumentError: If the shapes do not fit.

    Example:
        >>> import numpy as np
        >>> from olympus.scipy.linalg import expm_frechet
        >>> expm_frechet(np.zeros((2, 2)), np.eye(2), compute_expm=False).tolist()
        [[1.0, 0.0], [0.0, 1.0]]
    """
    (a, e), _ = promote_inexact_types("expm_frechet", A, E)
    matrices("expm_frechet", a, square=True, is_factorized=True)
    if shape_of(a) != shape_of(e):
        raise ArgumentError("expm_frechet", "the shapes differ", f"{shape_of(a)} and {shape_of(e)}", "one shape")
    value, change = jvp(expm, (a,), (e,))
    return (value, change) if compute_expm else change


@api(static=("func", "disp"))
def funm(A: ArrayLike, func: Callable[[Array], Array], disp: bool = True) -> Any:  # the documents' name
    """A function of a matrix, given as a function of its eigenvalues.

    Args:
        A: A matrix of shape (n, n).
        func: A function of complex numbers, applied to an array of them.
        disp: Whether the result is given alone.

    Returns:
        The function of the matrix, complex; without `disp` an estimate of its relative error as well. It is not
        precise where eigenvalues are nearly equal. It has no derivative.

    Raises:
        ArgumentError: If there is no square matrix.

    Example:
        >>> import numpy as np
        >>> import olympus.numpy as jnp
        >>> from olympus.scipy.linalg import funm
        >>> funm(np.array([[4.0, 5.0], [0.0, 9.0]]), jnp.sqrt).real.round(3).tolist()
        [[2.0, 1.0], [0.0, 3.0]]

    References:
        G. H. Golub and C. F. Van Loan, Matrix Computations, 4th edition, algorithm 9.1.1 (Parlett's recurrence).
    """
    x = matrices("funm", A, square=True, is_factorized=True)
    if len(shape_of(x)) != 2:
        raise ArgumentError("funm", "there is no matrix", shape_of(x), "a shape (n, n)")
    t, z = schur(x, "complex")
    n = shape_of(t)[0]
    values = jnp.diagonal(t)
    gaps = values[None, :] - values[:, None]
    smallest = jnp.finfo(dtype_of(t)).tiny
    safe = jnp.where(gaps == 0, cast(smallest, dtype_of(t)), gaps)
    distance = np.arange(n)[None, :] - np.arange(n)[:, None]

    def superdiagonal(p: Any, f: Any) -> Any:
        return jnp.where(distance == p, (t @ f - f @ t) / safe, f)

    made = jnp.diag(cast(func(values), dtype_of(t)))
    made = lax.fori_loop(1, n, superdiagonal, made)
    found = z @ made @ adjoint(z)
    if disp:
        return found
    precision = float(jnp.finfo(dtype_of(t)).eps)
    least = jnp.min(jnp.where(distance > 0, jnp.abs(gaps), jnp.inf), initial=jnp.inf)
    least = jnp.where(least == 0, precision, jnp.minimum(least, 1))
    error = jnp.clip(precision / least * jnp.linalg.norm(jnp.triu(t, 1), 1), precision, 1)
    return found, jnp.where(jnp.all(jnp.isfinite(found)), error, jnp.inf)


@custom_jvp
def _root(x: Any) -> Any:
    t, z = schur(x, "complex")
    n = shape_of(t)[0]
    values = jnp.sqrt(jnp.diagonal(t))
    sums = values[:, None] + values[None, :]
    safe = jnp.where(sums == 0, 1, sums)
    distance = np.arange(n)[None, :] - np.arange(n)[:, None]

    def superdiagonal(p: Any, root: Any) -> Any:
        return jnp.where(distance == p, (t - root @ root) / safe, root)

    root = lax.fori_loop(1, n, superdiagonal, jnp.diag(values))
    return z @ root @ adjoint(z)


@_root.defjvp
def _root_jvp(primals: Any, tangents: Any) -> Any:
    """The change solves X dX + dX X = dA."""
    root = _root(*primals)
    return root, solve_sylvester(root, root, cast(tangents[0], dtype_of(root)), tol=0.0)


@api(static=("blocksize",), call="_sqrtm")
def sqrtm(A: ArrayLike, blocksize: int = 1) -> Array:  # the documents' name
    """The principal square root of a matrix.

    Args:
        A: A matrix of shape (n, n).
        blocksize: Must be 1.

    Returns:
        The matrix whose square is A, with eigenvalues in the right half plane; complex.

    Raises:
        ArgumentError: If there is no square matrix, or the blocks are larger.

    Example:
        >>> import numpy as np
        >>> from olympus.scipy.linalg import sqrtm
        >>> sqrtm(np.array([[4.0, 0.0], [0.0, 9.0]])).real.round(3).tolist()
        [[2.0, 0.0], [0.0, 3.0]]

    References:
        A. Bjorck and S. Hammarling, A Schur method for the square root of a matrix, 1983.
    """
    if blocksize != 1:
        raise ArgumentError("sqrtm", "the blocks are larger than one", blocksize, "blocksize=1")
    x = matrices("sqrtm", A, square=True, is_factorized=True)
    if len(shape_of(x)) != 2:
        raise ArgumentError("sqrtm", "there is no matrix", shape_of(x), "a shape (n, n)")
    return _root(convert(x, jnp.result_type(dtype_of(x), np.complex64)))
