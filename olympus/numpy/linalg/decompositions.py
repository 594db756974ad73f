# SPDX-License-Identifier: Apache-2.0
"""Factorizations of matrices, and their eigenvalues and singular values."""

from __future__ import annotations

from typing import Any, NamedTuple

from olympus_core import ops
from olympus_core.deferred import listed
from olympus_core.errors import ArgumentError, described

from ... import lax
from ...operands import cast, dtype_of, shape_of
from ...tracing import bind_all
from ...transforms.jit import api
from ...typing import Array, ArrayLike
from .. import dtypes as _dtypes
from ..elementwise import absolute, conjugate, sign
from ..indexing import take_along_axis
from ..reductions import max as numpy_max
from ..reductions import sum as numpy_sum
from ..shapes import expand_dims, matrix_transpose
from ..sorting import argsort, sort
from ..ufuncs import as_inexact

__all__ = ["cholesky", "eig", "eigh", "eigvals", "eigvalsh", "matrix_rank", "qr", "svd", "svdvals"]
__dir__ = listed(__all__)


class EigResult(NamedTuple):
    """What `eig` gives.

    Args:
        eigenvalues: The eigenvalues.
        eigenvectors: The eigenvectors, in columns.
    """

    eigenvalues: Any
    eigenvectors: Any


class EighResult(NamedTuple):
    """What `eigh` gives.

    Args:
        eigenvalues: The eigenvalues, ascending.
        eigenvectors: The eigenvectors, in columns.
    """

    eigenvalues: Any
    eigenvectors: Any


class QRResult(NamedTuple):
    """What `qr` gives.

    Args:
        Q: Matrices with orthonormal columns.
        R: Upper triangular matrices.
    """

    Q: Any
    R: Any


class SVDResult(NamedTuple):
    """What `svd` gives.

    Args:
        U: The left singular vectors, in columns.
        S: The singular values, descending.
        Vh: The right singular vectors, conjugated, in rows.
    """

    U: Any
    S: Any
    Vh: Any


def matrices(function: str, x: Any, square: bool = False) -> Any:
    """An array of matrices of floats or complex numbers, weak where the argument is."""
    shape = shape_of(x)
    if len(shape) < 2 or (square and shape[-1] != shape[-2]):
        raise ArgumentError(function, "the array holds no square matrices" if square else "the array holds no matrices",
                            shape, "a shape (..., n, n)" if square else "a shape (..., m, n)")
    return as_inexact(function, x)


@api(static=("upper", "symmetrize_input"), call="cholesky")
def cholesky(a: ArrayLike, *, upper: bool = False, symmetrize_input: bool = True) -> Array:
    """The Cholesky factor of Hermitian positive definite matrices: A = L L^H.

    Args:
        a: Matrices of shape ``(..., n, n)``.
        upper: Whether the upper factor U = L^H is given.
        symmetrize_input: Whether (A + A^H) / 2 is factorized; otherwise the lower triangle alone is read.

    Returns:
        The triangular factors, to a few units of the element type times the norm of A; NaN where A is not positive
        definite.

    Raises:
        ArgumentError: If the matrices are not square.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.linalg.cholesky(jnp.array([[4.0, 2.0], [2.0, 5.0]])).tolist()
        [[2.0, 0.0], [1.0, 2.0]]
    """
    x = matrices("cholesky", a, square=True)
    if upper and not symmetrize_input:
        x = conjugate(matrix_transpose(x))
    factor = lax.linalg.cholesky(x, symmetrize_input=symmetrize_input)
    return conjugate(matrix_transpose(factor)) if upper else factor


@api(static=("mode",), call="qr")
def qr(a: ArrayLike, mode: str = "reduced") -> Any:
    """The QR factorization: A = Q R, where the columns of Q are orthonormal and R is upper triangular.

    Args:
        a: Matrices of shape ``(..., m, n)``.
        mode: ``"reduced"`` (or ``"full"``, its old name) for min(m, n) columns of Q, ``"complete"`` for m, ``"r"`` for
            R alone, ``"raw"`` for the reflections as LAPACK holds them, transposed, and their factors.

    Returns:
        Q and R, or what the mode says. The raw mode has no derivative; see `olympus.lax.linalg.qr` for that of the
        complete one.

    Raises:
        ArgumentError: If there are no matrices, or the mode is not known.

    Example:
        >>> import olympus.numpy as jnp
        >>> q, r = jnp.linalg.qr(jnp.array([[3.0, 0.0], [4.0, 5.0]]))
        >>> abs(r).round(3).tolist()
        [[5.0, 4.0], [0.0, 3.0]]
    """
    x = matrices("qr", a)
    if mode == "raw":
        packed, taus = bind_all(ops.geqrf, [x], {}, (), None)
        return QRResult(matrix_transpose(packed), taus)
    if mode not in ("reduced", "r", "complete", "full"):
        raise ArgumentError("qr", "the mode is not known", described(mode), "'reduced', 'complete', 'r' or 'raw'")
    q, r = lax.linalg.qr(x, full_matrices=mode == "complete")
    return r if mode == "r" else QRResult(q, r)


@api
def eig(a: ArrayLike) -> EigResult:
    """The eigenvalues and right eigenvectors of general matrices.

    Args:
        a: Matrices of shape ``(..., n, n)``.

    Returns:
        The eigenvalues, in no order, and the eigenvectors in columns, of length one; always complex. See
        `olympus.lax.linalg.eig` for their derivatives.

    Raises:
        ArgumentError: If the matrices are not square.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.linalg.eig(jnp.array([[0.0, 1.0], [-1.0, 0.0]])).eigenvalues.imag.tolist()
        [1.0, -1.0]
    """
    x = matrices("eig", a, square=True)
    values, vectors = lax.linalg.eig(x, compute_left_eigenvectors=False)
    return EigResult(values, vectors)


@api(call="eigvals")
def eigvals(a: ArrayLike) -> Array:
    """The eigenvalues of general matrices.

    Args:
        a: Matrices of shape ``(..., n, n)``.

    Returns:
        The eigenvalues, in no order; always complex.

    Raises:
        ArgumentError: If the matrices are not square.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.linalg.eigvals(jnp.array([[2.0, 1.0], [0.0, 2.0]])).real.tolist()
        [2.0, 2.0]
    """
    x = matrices("eigvals", a, square=True)
    return lax.linalg.eig(x, compute_left_eigenvectors=False, compute_right_eigenvectors=False)[0]


def _is_lower(function: str, side: Any) -> bool:
    if side is not None and (not isinstance(side, str) or side.upper() not in ("L", "U")):
        raise ArgumentError(function, "the triangle is not known", described(side), "'L' or 'U'")
    return side is None or side.upper() == "L"


@api(static=("UPLO", "symmetrize_input"), call="eigh")
def eigh(a: ArrayLike, UPLO: str | None = None, symmetrize_input: bool = True) -> EighResult:  # the documents' name
    """The eigenvalues and eigenvectors of Hermitian matrices.

    Args:
        a: Matrices of shape ``(..., n, n)``.
        UPLO: Which triangle is read: ``"L"`` (the default) or ``"U"``.
        symmetrize_input: Whether those of (A + A^H) / 2 are computed, from both triangles.

    Returns:
        The eigenvalues, ascending and real, and the eigenvectors in columns. Where eigenvalues are equal, the
        derivative of the vectors is infinite or NaN; that of `eigvalsh` is finite.

    Raises:
        ArgumentError: If the matrices are not square or the triangle is not known.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.linalg.eigh(jnp.array([[3.0, 0.0], [0.0, 2.0]])).eigenvalues.tolist()
        [2.0, 3.0]
    """
    x = matrices("eigh", a, square=True)
    vectors, values = lax.linalg.eigh(x, lower=_is_lower("eigh", UPLO), symmetrize_input=symmetrize_input)
    return EighResult(values, vectors)


@api(static=("UPLO", "symmetrize_input"), call="eigvalsh")
def eigvalsh(a: ArrayLike, UPLO: str | None = "L", *, symmetrize_input: bool = True) -> Array:  # likewise
    """The eigenvalues of Hermitian matrices.

    Args:
        a: Matrices of shape ``(..., n, n)``.
        UPLO: Which triangle is read: ``"L"`` or ``"U"``.
        symmetrize_input: Whether those of (A + A^H) / 2 are computed, from both triangles.

    Returns:
        The eigenvalues, ascending and real.

    Raises:
        ArgumentError: If the matrices are not square or the triangle is not known.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.linalg.eigvalsh(jnp.array([[3.0, 0.0], [0.0, 2.0]])).tolist()
        [2.0, 3.0]
    """
    x = matrices("eigvalsh", a, square=True)
    return lax.linalg.eigenvalues_of_hermitian(x, _is_lower("eigvalsh", UPLO), symmetrize_input)


@api(static=("full_matrices", "compute_uv", "hermitian", "subset_by_index"), call="svd")
def svd(
    a: ArrayLike, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False,
    subset_by_index: tuple[int, int] | None = None,
) -> Any:
    """The singular value decomposition: A = U diag(S) Vh.

    Args:
        a: Matrices of shape ``(..., m, n)``.
        full_matrices: Whether U and Vh are square; otherwise they have min(m, n) columns and rows.
        compute_uv: Whether U and Vh are given.
        hermitian: Whether the matrices are Hermitian, so that eigenvalues serve.
        subset_by_index: The first singular value, and the one after the last; all when left out.

    Returns:
        U, the singular values in descending order, and Vh; or the singular values alone. Where singular values are
        equal or zero, the derivative of the vectors is infinite or NaN; that of `svdvals` is finite.

    Raises:
        ArgumentError: If there are no matrices, or the subset does not fit.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.linalg.svd(jnp.array([[3.0, 0.0], [0.0, 4.0]])).S.tolist()
        [4.0, 3.0]
    """
    x = matrices("svd", a, square=hermitian)
    if not hermitian:
        found = lax.linalg.svd(x, full_matrices=full_matrices, compute_uv=compute_uv, subset_by_index=subset_by_index)
        return SVDResult(*found) if compute_uv else found
    if subset_by_index is not None:
        raise ArgumentError("svd", "a subset is taken of a Hermitian matrix", subset_by_index, "hermitian=False")
    if not compute_uv:
        return sort(absolute(eigvalsh(x)), descending=True)
    values, vectors = eigh(x)
    order = argsort(absolute(values), descending=True)
    values = take_along_axis(values, order, -1)
    vectors = take_along_axis(vectors, expand_dims(order, -2), -1)
    signs = sign(values) + (values == 0)
    return SVDResult(vectors, absolute(values),
                     conjugate(matrix_transpose(vectors * cast(expand_dims(signs, -2), dtype_of(vectors)))))


def svdvals(x: ArrayLike, /) -> Array:
    """The singular values of matrices.

    Args:
        x: Matrices of shape ``(..., m, n)``.

    Returns:
        The singular values, descending.

    Raises:
        ArgumentError: If there are no matrices.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.linalg.svdvals(jnp.array([[3.0, 0.0], [0.0, 4.0]])).tolist()
        [4.0, 3.0]
    """
    return svd(x, compute_uv=False)


def cutoff(function: str, x: Any, relative: Any) -> Any:
    """The size relative to the greatest one below which singular values count as zero."""
    if relative is None:
        return max(shape_of(x)[-2:], default=0) * float(_dtypes.finfo(dtype_of(x)).eps)
    return relative


@api(static=("hermitian",), call="matrix_rank")
def matrix_rank(
    M: ArrayLike, rtol: ArrayLike | None = None, *, hermitian: bool = False, tol: ArrayLike | None = None,
) -> Array:  # the documents' name
    """The number of singular values that are not about zero.

    Args:
        M: Matrices of shape ``(..., m, n)``; a vector has rank one unless it is zero.
        rtol: Relative to the greatest one, what counts as zero, for all matrices or for each; max(m, n) units of the
            element type when left out.
        hermitian: Whether the matrices are Hermitian.
        tol: What counts as zero in the matrices' own unit, not relative to anything.

    Returns:
        The ranks.

    Raises:
        ArgumentError: If both tolerances are given.

    Example:
        >>> import olympus.numpy as jnp
        >>> int(jnp.linalg.matrix_rank(jnp.ones((3, 3))))
        1
    """
    if rtol is not None and tol is not None:
        raise ArgumentError("matrix_rank", "there are two tolerances", f"rtol={rtol!r}, tol={tol!r}", "one of them")
    x = as_inexact("matrix_rank", M)
    if len(shape_of(x)) < 2:
        return numpy_sum(numpy_max(absolute(x), initial=0) > 0)
    values = svd(x, compute_uv=False, hermitian=hermitian)
    if tol is not None:
        return numpy_sum(values > expand_dims(cast(tol, dtype_of(values)), -1), axis=-1)
    limit = numpy_max(values, axis=-1, keepdims=True, initial=0)
    relative = cutoff("matrix_rank", x, rtol)
    relative = relative if isinstance(relative, float) else expand_dims(relative, -1)
    return numpy_sum(values > cast(relative, dtype_of(values)) * limit, axis=-1)
