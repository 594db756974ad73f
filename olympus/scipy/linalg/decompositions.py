# SPDX-License-Identifier: Apache-2.0
"""Decompositions under SciPy's names."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.deferred import listed
from olympus_core.errors import ArgumentError, NotSupportedError, described

from ... import lax
from ... import numpy as jnp
from ...numpy.linalg.decompositions import matrices as _arrays_of_matrices
from ...numpy.promotion import inexact_dtype, promote_inexact, promote_types_of
from ...operands import broadcast, broadcast_shape, cast, check_unsplit, dtype_of, integer, shape_of
from ...tracing import aval_of
from ...transforms.jit import api
from ...typing import Array, ArrayLike

__all__ = [
    "cho_factor", "cholesky", "eigh", "eigh_tridiagonal", "hessenberg", "lu", "lu_factor", "polar", "qr",
    "qr_multiply", "rsf2csf", "schur", "svd",
]
__dir__ = listed(__all__)


def adjoint(x: Any) -> Any:
    """The conjugate transpose."""
    return jnp.conj(jnp.matrix_transpose(x))


def matrices(function: str, x: Any, square: bool = False, is_factorized: bool = False) -> Any:
    """An array of matrices of floats or complex numbers; of lists, too.

    Args:
        function: The user's function, for errors.
        x: What was given.
        square: Whether the matrices must be square.
        is_factorized: Whether element types that no factorization takes are refused; otherwise operations refuse them.
    """
    x = _arrays_of_matrices(function, jnp.asarray(x), square)
    check_unsplit(function, x, (-2, -1), is_matrix=True)
    if is_factorized and dtypes.real_part(dtype_of(x)).itemsize < 4:
        raise ArgumentError(function, f"does not take {dtype_of(x).name}", repr(aval_of(x)),
                            "float32, float64, complex64 or complex128", "Convert the array first with x.astype(...).")
    return x


@api(static=("lower", "overwrite_a", "check_finite"), call="_cholesky")
def cholesky(a: ArrayLike, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> Array:
    """The Cholesky factor of Hermitian positive definite matrices: A = U^H U = L L^H.

    Args:
        a: Matrices of shape ``(..., n, n)``, of which the triangle that is asked for is read.
        lower: Whether L is given, and not U.
        overwrite_a: Accepted.
        check_finite: Accepted.

    Returns:
        The triangular factors; NaN where A is not positive definite.

    Raises:
        ArgumentError: If the matrices are not square.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus.scipy.linalg import cholesky
        >>> cholesky(jnp.array([[4.0, 2.0], [2.0, 5.0]])).tolist()
        [[2.0, 1.0], [0.0, 2.0]]
    """
    x = matrices("cholesky", a, square=True)
    if lower:
        return lax.linalg.cholesky(x, symmetrize_input=False)
    return adjoint(lax.linalg.cholesky(adjoint(x), symmetrize_input=False))


def cho_factor(
    a: ArrayLike, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True,
) -> tuple[Array, bool]:
    """The Cholesky factor of Hermitian positive definite matrices, as `cho_solve` takes it.

    Args:
        a: Matrices of shape ``(..., n, n)``.
        lower: Whether L is given, and not U.
        overwrite_a: Accepted.
        check_finite: Accepted.

    Returns:
        The factors, and `lower`.

    Raises:
        ArgumentError: If the matrices are not square.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus.scipy.linalg import cho_factor
        >>> cho_factor(jnp.array([[4.0]]))[1]
        False
    """
    return cholesky(a, lower=lower), lower


@api(static=("lower", "eigvals_only", "overwrite_a", "overwrite_b", "turbo", "eigvals", "type", "check_finite"),
     call="_eigh")
def eigh(
    a: ArrayLike, b: ArrayLike | None = None, lower: bool = True, eigvals_only: bool = False,
    overwrite_a: bool = False, overwrite_b: bool = False, turbo: bool = True, eigvals: None = None, type: int = 1,
    check_finite: bool = True,
) -> Any:
    """The eigenvalues and eigenvectors of Hermitian matrices, or of pairs of them.

    The pair's problem is made one of a single matrix by the Cholesky factor of b: the error of small eigenvalues grows
    with the condition number of b.

    Args:
        a: Matrices of shape ``(..., n, n)``.
        b: Positive definite matrices of shape ``(..., n, n)``, or None.
        lower: Which triangle of both is read.
        eigvals_only: Whether the eigenvalues alone are given.
        overwrite_a: Accepted.
        overwrite_b: Accepted.
        turbo: Accepted.
        eigvals: Must be None.
        type: The pair's problem: a v = w b v (1), a b v = w v (2) or b a v = w v (3). Without b it means nothing.
        check_finite: Accepted.

    Returns:
        The eigenvalues, ascending, and the eigenvectors in columns: of a pair those for which v^H b v = 1, for type 3
        v^H b^-1 v = 1. They are NaN where b is not positive definite.

    Raises:
        NotSupportedError: For some eigenvalues only.
        ArgumentError: If the matrices are not square or not of one size, or the type is not known.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus.scipy.linalg import eigh
        >>> eigh(jnp.array([[3.0, 0.0], [0.0, 2.0]]), eigvals_only=True).tolist()
        [2.0, 3.0]

    References:
        Golub and Van Loan, Matrix Computations, 4th edition, section 8.7.2.
    """
    if eigvals is not None:
        raise NotSupportedError("scipy.linalg.eigh(eigvals=...)", "all eigenvalues are computed", "Take a slice.")
    if type not in (1, 2, 3):
        raise ArgumentError("eigh", "the type of the problem is not known", described(type), "1, 2 or 3")
    x, side = matrices("eigh", a, square=True), "L" if lower else "U"
    if b is not None:
        x, factor = _without_second(x, matrices("eigh", b, square=True), lower, type)
    if eigvals_only:
        return jnp.linalg.eigvalsh(x, side, symmetrize_input=False)
    values, vectors = jnp.linalg.eigh(x, side, symmetrize_input=False)
    if b is None:
        return values, vectors
    if type == 3:
        return values, factor @ vectors
    return values, lax.linalg.triangular_solve(
        factor, vectors, left_side=True, lower=True, transpose_a=True, conjugate_a=True)


def _without_second(a: Any, b: Any, lower: bool, type: int) -> tuple[Any, Any]:
    """The Hermitian matrix whose eigenvalues are the pair's, and the factor L of b = L L^H."""
    (a, b), _ = promote_inexact_types("eigh", a, b)
    if shape_of(a)[-1] != shape_of(b)[-1]:
        raise ArgumentError("eigh", "the matrices of the pair differ in size", f"{shape_of(a)} and {shape_of(b)}",
                            "two of shape (..., n, n)")
    batch = broadcast_shape("eigh", [shape_of(a)[:-2], shape_of(b)[:-2]])
    a, b = (broadcast(x, (*batch, *shape_of(x)[-2:])) for x in (a, b))
    if not lower:
        a, b = adjoint(a), adjoint(b)
    factor = lax.linalg.cholesky(b, symmetrize_input=False)
    # The other triangle may hold anything; the imaginary parts of the diagonal are not read.
    below, n = jnp.tril(a, -1), shape_of(a)[-1]
    whole = below + adjoint(below) + jnp.where(jnp.eye(n, dtype=bool), jnp.real(a), 0).astype(dtype_of(a))
    if type == 1:
        half = lax.linalg.triangular_solve(factor, whole, left_side=True, lower=True)
        x = lax.linalg.triangular_solve(factor, half, lower=True, transpose_a=True, conjugate_a=True)
    else:
        x = adjoint(factor) @ whole @ factor
    return (x + adjoint(x)) / 2, factor


@api(static=("eigvals_only", "select", "select_range", "tol"))
def eigh_tridiagonal(
    d: ArrayLike, e: ArrayLike, *, eigvals_only: bool = False, select: str = "a",
    select_range: tuple[float, float] | None = None, tol: float | None = None, key: Array | None = None,
) -> Any:
    """The eigenvalues and eigenvectors of a real symmetric tridiagonal matrix.

    Args:
        d: The diagonal, of shape (n,).
        e: The diagonal beside it, of shape (n - 1,).
        eigvals_only: Whether the eigenvalues alone are given.
        select: ``"a"`` for all of them, ``"i"`` for those of some indices.
        select_range: The first and the last index.
        tol: Accepted: they are computed to the precision of the element type.
        key: Accepted.

    Returns:
        The eigenvalues, ascending, and the eigenvectors in columns.

    Raises:
        ArgumentError: If the shapes do not fit or the numbers are complex.
        NotSupportedError: For eigenvalues chosen by their size, whose number is not known before.

    Example:
        >>> import numpy as np
        >>> from olympus.scipy.linalg import eigh_tridiagonal
        >>> [round(float(v), 4) for v in eigh_tridiagonal(np.zeros(2), np.ones(1), eigvals_only=True)]
        [-1.0, 1.0]
    """
    name = "eigh_tridiagonal"
    d, e = jnp.asarray(d), jnp.asarray(e)
    if len(shape_of(d)) != 1 or shape_of(e) != (shape_of(d)[0] - 1,):
        raise ArgumentError(name, "the shapes do not fit", f"{shape_of(d)} and {shape_of(e)}", "(n,) and (n - 1,)")
    if select not in ("a", "i"):
        if select == "v":
            raise NotSupportedError(f"{name}(select='v')", "how many there are is not known before it runs",
                                    "Take them from all eigenvalues, with a mask.")
        raise ArgumentError(name, "the selection is not known", described(select), "'a' or 'i'")
    kind = inexact_dtype(jnp.result_type(d, e))
    if dtypes.is_complex(kind):
        raise ArgumentError(name, "the diagonals are complex", kind, "real numbers")
    n = shape_of(d)[0]
    d, e = cast(d, kind), cast(e, kind)
    matrix = jnp.zeros((n, n), kind).at[np.arange(n), np.arange(n)].set(d)
    matrix = matrix.at[np.arange(1, n), np.arange(n - 1)].set(e)
    start, stop = 0, n
    if select == "i":
        if select_range is None:
            raise ArgumentError(name, "the range of indices is missing", None, "select_range=(first, last)")
        start, last = (integer(name, i, "an index", 0) for i in select_range)
        stop = last + 1
    if eigvals_only:
        return jnp.linalg.eigvalsh(matrix, symmetrize_input=False)[start:stop]
    values, vectors = jnp.linalg.eigh(matrix, symmetrize_input=False)
    return values[start:stop], vectors[:, start:stop]


@api(static=("calc_q", "overwrite_a", "check_finite"), call="hessenberg")
def hessenberg(
    a: ArrayLike, *, calc_q: bool = False, overwrite_a: bool = False, check_finite: bool = True,
) -> Any:
    """The Hessenberg form of matrices: A = Q H Q^H, where H is zero below its first subdiagonal.

    Args:
        a: Matrices of shape ``(..., n, n)``.
        calc_q: Whether Q is given.
        overwrite_a: Accepted.
        check_finite: Accepted.

    Returns:
        H, and Q where it is asked for. They have no derivative.

    Raises:
        ArgumentError: If the matrices are not square.

    Example:
        >>> import numpy as np
        >>> from olympus.scipy.linalg import hessenberg
        >>> hessenberg(np.eye(2)).tolist()
        [[1.0, 0.0], [0.0, 1.0]]
    """
    x = matrices("hessenberg", a, square=True, is_factorized=True)
    *batch, n, _ = shape_of(x)
    identity = broadcast(jnp.eye(n, dtype=dtype_of(x)), shape_of(x))
    if n < 3:
        return (x, identity) if calc_q else x
    packed, taus = lax.linalg.hessenberg(x)
    form = jnp.triu(packed, -1)
    if not calc_q:
        return form
    inner = lax.linalg.householder_product(packed[..., 1:, :-1], taus)
    return form, identity.at[..., 1:, 1:].set(inner)


@api(static=("permute_l", "overwrite_a", "check_finite"), call="lu")
def lu(
    a: ArrayLike, permute_l: bool = False, overwrite_a: bool = False, check_finite: bool = True,
) -> Any:
    """The LU factorization of matrices: A = P L U.

    Args:
        a: Matrices of shape ``(..., m, n)``.
        permute_l: Whether P L and U are given.
        overwrite_a: Accepted.
        check_finite: Accepted.

    Returns:
        The permutation matrix P, L with ones on its diagonal, and U; or P L and U.

    Raises:
        ArgumentError: If there are no matrices.

    Example:
        >>> import numpy as np
        >>> from olympus.scipy.linalg import lu
        >>> lu(np.array([[0.0, 1.0], [2.0, 3.0]]))[0].tolist()
        [[0.0, 1.0], [1.0, 0.0]]
    """
    x = matrices("lu", a)
    m, n = shape_of(x)[-2:]
    k = min(m, n)
    factors, _, order = lax.linalg.lu(x)
    lower = jnp.tril(factors[..., :, :k], -1) + jnp.eye(m, k, dtype=dtype_of(x))
    upper = jnp.triu(factors[..., :k, :])
    # Row i of P A is row order[i] of A.
    permutation = cast(order[..., None, :] == np.arange(m)[:, None], dtypes.real_part(dtype_of(x)))
    return (cast(permutation, dtype_of(x)) @ lower, upper) if permute_l else (permutation, lower, upper)


@api(static=("overwrite_a", "check_finite"), call="lu_factor")
def lu_factor(a: ArrayLike, overwrite_a: bool = False, check_finite: bool = True) -> tuple[Array, Array]:
    """The LU factorization of matrices, as `lu_solve` takes it.

    Args:
        a: Matrices of shape ``(..., n, n)``.
        overwrite_a: Accepted.
        check_finite: Accepted.

    Returns:
        L (without its diagonal of ones) and U in one matrix, and for each row the row that it was exchanged with.

    Raises:
        ArgumentError: If there are no matrices.

    Example:
        >>> import numpy as np
        >>> from olympus.scipy.linalg import lu_factor
        >>> lu_factor(np.array([[0.0, 1.0], [2.0, 3.0]]))[1].tolist()
        [1, 1]
    """
    factors, pivots, _ = lax.linalg.lu(matrices("lu_factor", a))
    return factors, pivots


@api(static=("side", "method", "eps", "max_iterations"), call="polar")
def polar(
    a: ArrayLike, side: str = "right", *, method: str = "qdwh", eps: float | None = None,
    max_iterations: int | None = None,
) -> tuple[Array, Array]:
    """The polar decomposition: A = U P, or A = P U.

    Args:
        a: Matrices of shape ``(..., m, n)``.
        side: ``"right"`` for A = U P, ``"left"`` for A = P U.
        method: ``"qdwh"``, an iteration, which takes m of n or more on the right and n of m or more on the left; or
            ``"svd"``, which can be differentiated in reverse.
        eps: The precision that ends the iteration.
        max_iterations: Its greatest number of steps.

    Returns:
        U, whose columns or rows are orthonormal, and P, Hermitian and positive semidefinite.

    Raises:
        ArgumentError: If the side, the method or the shape does not fit.

    Example:
        >>> import numpy as np
        >>> from olympus.scipy.linalg import polar
        >>> abs(polar(np.array([[0.0, 2.0], [-3.0, 0.0]]), method="svd")[0]).round(3).tolist()
        [[0.0, 1.0], [1.0, 0.0]]
    """
    if side not in ("right", "left"):
        raise ArgumentError("polar", "the side is not known", described(side), "'right' or 'left'")
    if method not in ("qdwh", "svd"):
        raise ArgumentError("polar", "the method is not known", described(method), "'qdwh' or 'svd'")
    x = matrices("polar", a, is_factorized=True)
    if side == "left":
        x = adjoint(x)
    if method == "svd":
        u, s, vh = lax.linalg.svd(x, full_matrices=False)
        unitary = u @ vh
        positive = adjoint(vh) @ (cast(s, dtype_of(x))[..., :, None] * vh)
    else:
        *batch, m, n = shape_of(x)
        if m < n:
            raise ArgumentError("polar", "the shape does not fit the iteration", shape_of(x),
                                "as many rows as columns or more on the right, fewer or as many on the left",
                                "Use method='svd'.")

        def one(x: Any) -> Any:
            return lax.linalg.qdwh(x, eps=eps, max_iterations=max_iterations)[:2]

        if batch:
            from ...transforms.batching import vmap
            unitary, positive = vmap(one)(x.reshape((math.prod(batch), m, n)))
            unitary, positive = unitary.reshape((*batch, m, n)), positive.reshape((*batch, n, n))
        else:
            unitary, positive = one(x)
    return (adjoint(unitary), positive) if side == "left" else (unitary, positive)


@api(static=("overwrite_a", "lwork", "mode", "pivoting", "check_finite"), call="_qr")
def qr(
    a: ArrayLike, overwrite_a: bool = False, lwork: Any = None, mode: str = "full", pivoting: bool = False,
    check_finite: bool = True,
) -> Any:
    """The QR factorization: A = Q R, where the columns of Q are orthonormal and R is upper triangular.

    Args:
        a: Matrices of shape ``(..., m, n)``.
        overwrite_a: Accepted.
        lwork: Accepted.
        mode: ``"full"`` for m columns of Q, ``"economic"`` for min(m, n), ``"r"`` for R alone.
        pivoting: Whether columns are exchanged so that the diagonal of R descends in size: A[:, p] = Q R.
        check_finite: Accepted.

    Returns:
        A tuple of Q (not for ``"r"``), R, and with pivoting the columns' order.

    Raises:
        ArgumentError: If the mode is not known.

    Example:
        >>> import numpy as np
        >>> from olympus.scipy.linalg import qr
        >>> qr(np.eye(2), mode="economic", pivoting=True)[2].tolist()
        [0, 1]
    """
    if mode not in ("full", "economic", "r"):
        raise ArgumentError("qr", "the mode is not known", described(mode), "'full', 'economic' or 'r'")
    found = lax.linalg.qr(matrices("qr", a), pivoting=pivoting, full_matrices=mode != "economic")
    return found[1:] if mode == "r" else found


@api(static=("mode", "pivoting", "conjugate", "overwrite_a", "overwrite_c"))
def qr_multiply(
    a: ArrayLike, c: ArrayLike, mode: str = "right", pivoting: bool = False, conjugate: bool = False,
    overwrite_a: bool = False, overwrite_c: bool = False,
) -> Any:
    """The QR factorization, and Q times a matrix.

    Args:
        a: Matrices of shape ``(..., m, n)``.
        c: What Q, with min(m, n) columns, is multiplied with: of shape ``(..., min(m, n), k)`` on the left, of shape
            ``(..., k, m)`` on the right; a vector for one column or row.
        mode: ``"left"`` for Q c, ``"right"`` for c Q.
        pivoting: Whether columns are exchanged, as in `qr`.
        conjugate: Whether Q is conjugated.
        overwrite_a: Accepted.
        overwrite_c: Accepted.

    Returns:
        The product, R, and with pivoting the columns' order.

    Raises:
        ArgumentError: If the mode is not known or the shapes do not fit.

    Example:
        >>> import numpy as np
        >>> from olympus.scipy.linalg import qr_multiply
        >>> qr_multiply(np.eye(2), np.ones(2))[0].shape
        (2,)
    """
    if mode not in ("left", "right"):
        raise ArgumentError("qr_multiply", "the mode is not known", described(mode), "'left' or 'right'")
    (x, y), _ = promote_inexact_types("qr_multiply", a, c)
    single, given = len(shape_of(y)) == 1, f"{shape_of(x)} and {shape_of(y)}"
    matrices("qr_multiply", x)
    if single:
        y = y[:, None] if mode == "left" else y[None, :]
    q, *rest = lax.linalg.qr(x, pivoting=pivoting, full_matrices=False)
    q = jnp.conj(q) if conjugate else q
    left, right = (q, y) if mode == "left" else (y, q)
    if shape_of(left)[-1] != shape_of(right)[-2]:
        raise ArgumentError("qr_multiply", "the shapes do not fit", given,
                            "c of shape (..., min(m, n), k) on the left, (..., k, m) on the right")
    product = left @ right
    return (product.reshape(-1) if single else product, *rest)


def promote_inexact_types(function: str, x: Any, y: Any) -> Any:
    """Operands of one element type of floats or complex numbers, in the shapes that they have; whether it is weak."""
    (x, y), weak = promote_types_of(function, jnp.asarray(x), jnp.asarray(y))
    return [promote_inexact(function, operand)[0][0] for operand in (x, y)], weak


@api(static=("check_finite",), call="rsf2csf")
def rsf2csf(T: ArrayLike, Z: ArrayLike, check_finite: bool = True) -> tuple[Array, Array]:  # the documents' names
    """The complex Schur form from the real one.

    Args:
        T: Matrices of shape ``(..., n, n)``, upper triangular but for blocks of two on the diagonal.
        Z: The vectors that belong to it.
        check_finite: Accepted.

    Returns:
        An upper triangular matrix, and its vectors; both complex.

    Raises:
        ArgumentError: If the matrices are not square or their shapes differ.

    Example:
        >>> import numpy as np
        >>> from olympus.scipy.linalg import rsf2csf
        >>> t, z = rsf2csf(np.array([[0.0, 1.0], [-1.0, 0.0]]), np.eye(2))
        >>> sorted(t.diagonal().imag.round(3).tolist())
        [-1.0, 1.0]

    References:
        G. H. Golub and C. F. Van Loan, Matrix Computations, 4th edition, section 7.4.
    """
    (t, z), _ = promote_inexact_types("rsf2csf", T, Z)
    t, z = (matrices("rsf2csf", x, square=True) for x in (t, z))
    n = shape_of(t)[-1]
    if shape_of(z)[-1] != n:
        raise ArgumentError("rsf2csf", "the sizes differ", f"{shape_of(t)} and {shape_of(z)}", "one shape")
    batch = broadcast_shape("rsf2csf", [shape_of(t)[:-2], shape_of(z)[:-2]])
    kind = jnp.result_type(dtype_of(t), np.complex64)
    t, z = (broadcast(cast(x, kind), (*batch, n, n)) for x in (t, z))
    places = np.arange(n)

    def step(i: Any, state: Any) -> Any:
        """Makes the element below the diagonal at (m, m - 1) zero by a rotation."""
        t, z = state
        m = n - 1 - i
        pair = lax.dynamic_slice_in_dim(t, m - 1, 2, -2)
        block = lax.dynamic_slice_in_dim(pair, m - 1, 2, -1)
        a, b, c, d = block[..., 0, 0], block[..., 0, 1], block[..., 1, 0], block[..., 1, 1]
        half = (a - d) / 2
        root = jnp.sqrt(half * half + b * c)
        shift = half + root  # an eigenvalue of the block less d
        length = jnp.sqrt(jnp.square(jnp.abs(shift)) + jnp.square(jnp.abs(c)))
        none = length == 0
        safe = cast(jnp.where(none, 1, length), kind)
        cosine = jnp.where(none, cast(1, kind), shift / safe)
        sine = jnp.where(none, cast(0, kind), c / safe)
        top = [jnp.conj(cosine), jnp.conj(sine)]  # an earlier step may have made the row complex
        rotation = jnp.stack([jnp.stack(top, -1), jnp.stack([-sine, cosine], -1)], -2)
        back = adjoint(rotation)
        t = lax.dynamic_update_slice_in_dim(t, rotation @ pair, m - 1, -2)
        t = lax.dynamic_update_slice_in_dim(t, lax.dynamic_slice_in_dim(t, m - 1, 2, -1) @ back, m - 1, -1)
        z = lax.dynamic_update_slice_in_dim(z, lax.dynamic_slice_in_dim(z, m - 1, 2, -1) @ back, m - 1, -1)
        below = (places[:, None] == m) & (places[None, :] == m - 1)
        return jnp.where(below, cast(0, kind), t), z

    return lax.fori_loop(0, max(n - 1, 0), step, (t, z))


@api(static=("output",), call="_schur")
def schur(a: ArrayLike, output: str = "real") -> tuple[Array, Array]:
    """The Schur form of matrices: A = Z T Z^H, where Z is unitary.

    Args:
        a: Matrices of shape ``(..., n, n)``.
        output: ``"real"``: of real matrices a real T, with blocks of two on the diagonal for pairs of complex
            eigenvalues; ``"complex"``: an upper triangular T in any case.

    Returns:
        T and Z. They have no derivative.

    Raises:
        ArgumentError: If the matrices are not square or the output is not known.

    Example:
        >>> import numpy as np
        >>> from olympus.scipy.linalg import schur
        >>> schur(np.eye(2))[0].tolist()
        [[1.0, 0.0], [0.0, 1.0]]
    """
    if output not in ("real", "complex"):
        raise ArgumentError("schur", "the output is not known", described(output), "'real' or 'complex'")
    x = matrices("schur", a, square=True)
    if output == "complex":
        x = cast(x, jnp.result_type(dtype_of(x), np.complex64))
    t, z = lax.linalg.schur(x)
    return t, z


@api(static=("full_matrices", "compute_uv", "overwrite_a", "check_finite", "lapack_driver"), call="_svd")
def svd(
    a: ArrayLike, full_matrices: bool = True, compute_uv: bool = True, overwrite_a: bool = False,
    check_finite: bool = True, lapack_driver: str = "gesdd",
) -> Any:
    """The singular value decomposition: A = U diag(s) V^H.

    Args:
        a: Matrices of shape ``(..., m, n)``.
        full_matrices: Whether U and V are square; otherwise they have min(m, n) columns.
        compute_uv: Whether U and V^H are given.
        overwrite_a: Accepted.
        check_finite: Accepted.
        lapack_driver: Accepted.

    Returns:
        U, the singular values in descending order, and V^H; or the singular values alone.

    Example:
        >>> import numpy as np
        >>> from olympus.scipy.linalg import svd
        >>> svd(np.diag([3.0, 4.0]), compute_uv=False).tolist()
        [4.0, 3.0]
    """
    found = jnp.linalg.svd(jnp.asarray(a), full_matrices, compute_uv)
    return tuple(found) if compute_uv else found
