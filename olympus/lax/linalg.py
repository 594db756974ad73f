# SPDX-License-Identifier: Apache-2.0
"""The operations of linear algebra nearly as they are: matrices stand in the last two dimensions.

They take float32, float64, complex64 and complex128. What an operation cannot do (a factorization of a matrix that is
not positive definite, an iteration that does not converge) gives NaN.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.deferred import listed
from olympus_core.errors import ArgumentError, NotSupportedError, described

from ..operands import broadcast, check_unsplit, convert, dtype_of, integer, shape_of, weakly
from ..tracing import aval_of, bind, bind_all, scalar_dtype
from ..transforms.jit import api
from ..transforms.traces.arithmetic import add, apply, array, div, mul, reshape, scaled, select, sub
from ..transforms.traces.matrices import (
    adjoint,
    columns_taken,
    constant,
    matmul,
    part,
    swapped,
    triangle,
)
from ..typing import Array, ArrayLike
from .control import scan
from .halley import polar
from .perturbed import perturbed_solution
from .reflections import column_order, full_qr, reduced_qr

__all__ = [
    "EigImplementation", "EighImplementation", "SvdAlgorithm", "cholesky", "cholesky_update", "eig", "eigh",
    "hessenberg", "householder_product", "lu", "lu_pivots_to_permutation", "ormqr", "qdwh", "qr", "schur", "svd",
    "symmetric_product", "triangular_solve", "tridiagonal", "tridiagonal_solve",
]
__dir__ = listed(__all__)


def __getattr__(name: str) -> Any:
    """The primitives, for libraries that look into programs."""
    if name.endswith("_p") and name[0] != "_" and (
            found := import_module("olympus.lax.primitives").BY_NAME.get(name)) is not None:
        return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)


class EigImplementation(enum.Enum):
    """What computes general eigenvalues. Accepted: each platform has one way."""

    CUSOLVER = "cusolver"
    MAGMA = "magma"
    LAPACK = "lapack"


class EighImplementation(enum.Enum):
    """What computes Hermitian eigenvalues. Accepted: each platform has one way."""

    QR = "qr"
    JACOBI = "jacobi"
    QDWH = "qdwh"


class SvdAlgorithm(enum.Enum):
    """What computes singular values. Accepted: each platform has one way."""

    DEFAULT = "default"
    QR = "QR"
    JACOBI = "Jacobi"
    POLAR = "polar"
    DIVIDE_AND_CONQUER = "divide_and_conquer"


def _matrices(function: str, x: Any, square: bool = False) -> tuple[int, ...]:
    """The shape of an array of matrices."""
    shape = shape_of(x)
    if len(shape) < 2 or (square and shape[-1] != shape[-2]):
        raise ArgumentError(function, "the array holds no square matrices" if square else "the array holds no matrices",
                            shape, "a shape (..., n, n)" if square else "a shape (..., m, n)")
    return shape


def _symmetrized(function: str, x: Any) -> Any:
    check_unsplit(function, x, (-2, -1), is_matrix=True)  # the sum with the transpose would be refused otherwise
    if not (dtypes.is_float(dtype_of(x)) or dtypes.is_complex(dtype_of(x))):
        x = convert(x, scalar_dtype(float))  # halves of integers are floats
    return scaled(add(x, adjoint(x)), 0.5)


def _subset(function: str, subset: Any, count: int) -> tuple[int, int]:
    """The first index, and the one after the last."""
    if subset is None:
        return 0, count
    if not isinstance(subset, (tuple, list)) or len(subset) != 2:
        raise ArgumentError(function, "the subset is no pair", described(subset), "(start, end)")
    start, end = (integer(function, n, "an index of the subset", 0) for n in subset)
    if not start <= end <= count:
        raise ArgumentError(function, "the subset does not fit", (start, end), f"0 <= start <= end <= {count}")
    return start, end


@api(static=("symmetrize_input",))
def cholesky(x: ArrayLike, *, symmetrize_input: bool = True) -> Array:
    """The lower triangular factor L of a Hermitian positive definite matrix: A = L L^H.

    Args:
        x: Matrices of shape ``(..., n, n)``.
        symmetrize_input: Whether (x + x^H) / 2 is factorized, of integers too; otherwise only the lower triangle is
            read.

    Returns:
        The factors; NaN for a matrix that is not positive definite.

    Raises:
        ArgumentError: If the matrices are not square.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus.lax import linalg
        >>> linalg.cholesky(jnp.array([[4.0, 2.0], [2.0, 5.0]])).tolist()
        [[2.0, 0.0], [1.0, 2.0]]
    """
    _matrices("cholesky", x, square=True)
    whole = _symmetrized("cholesky", x) if symmetrize_input else x
    return bind(ops.cholesky, whole, weak=aval_of(x).weak)


@api
def cholesky_update(r_matrix: ArrayLike, w_vector: ArrayLike) -> Array:
    """The Cholesky factor after a change of rank one: of R^T R + w w^T, given R, in time proportional to n^2.

    Args:
        r_matrix: An upper triangular real matrix of shape (n, n).
        w_vector: A vector of shape (n,).

    Returns:
        The new upper triangular factor.

    Raises:
        ArgumentError: If the shapes do not fit, or the numbers are complex.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus.lax import linalg
        >>> linalg.cholesky_update(3 * jnp.eye(2), jnp.array([4.0, 0.0])).tolist()
        [[5.0, 0.0], [0.0, 3.0]]

    References:
        P. E. Gill, G. H. Golub, W. Murray and M. A. Saunders, Methods for modifying matrix factorizations, 1974.
    """
    shape, dtype = shape_of(r_matrix), dtype_of(r_matrix)
    if len(shape) != 2 or shape[0] != shape[1] or shape_of(w_vector) != shape[:1]:
        raise ArgumentError("cholesky_update", "the shapes do not fit", f"{shape} and {shape_of(w_vector)}",
                            "(n, n) and (n,)")
    if dtypes.is_complex(dtype) or dtype_of(w_vector) != dtype:
        raise ArgumentError("cholesky_update", "the element types do not fit", f"{dtype} and {dtype_of(w_vector)}",
                            "one real type")

    def rotate(w: Any, row: Any) -> Any:
        r, one, rest = row  # what is rotated away is zero exactly
        head, first = (apply(ops.reduce_sum, mul(x, one), dimensions=(0,)) for x in (r, w))
        length = apply(ops.sqrt, add(mul(head, head), mul(first, first)))
        still = apply(ops.eq, length, constant(np.zeros((), dtype)))  # nothing to turn: the rotation is the identity
        length, head = (select(still, constant(np.ones((), dtype)), x) for x in (length, head))
        c, s = (broadcast(div(x, length), shape[:1], weak=False) for x in (head, first))
        return mul(sub(mul(c, w), mul(s, r)), rest), add(mul(c, r), mul(s, w))

    ones = np.eye(shape[0], dtype=dtype)
    return scan(rotate, w_vector, (r_matrix, constant(ones), constant(1 - ones)))[1]


@api(static=("compute_left_eigenvectors", "compute_right_eigenvectors", "enable_eigvec_derivs", "implementation",
             "use_magma"))
def eig(
    x: ArrayLike, *, compute_left_eigenvectors: bool = True, compute_right_eigenvectors: bool = True,
    enable_eigvec_derivs: bool = False, implementation: EigImplementation | None = None,
    use_magma: bool | None = None,
) -> list[Array]:
    """The eigenvalues and eigenvectors of a general matrix.

    Eigenvectors have length one and a real greatest element, and are differentiated as such, which is right where
    eigenvalues differ and one element of each vector is greater than the others. Where eigenvalues meet, vectors have
    no derivative: theirs is infinite or NaN.

    Args:
        x: Matrices of shape ``(..., n, n)``.
        compute_left_eigenvectors: Whether left eigenvectors are computed.
        compute_right_eigenvectors: Whether right ones are.
        enable_eigvec_derivs: Accepted: eigenvectors always have derivatives.
        implementation: Accepted.
        use_magma: Accepted.

    Returns:
        The eigenvalues, then the left and the right eigenvectors where they are computed, in columns; all complex.

    Raises:
        ArgumentError: If the matrices are not square.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus.lax import linalg
        >>> w, left, right = linalg.eig(jnp.array([[2.0, 0.0], [0.0, 3.0]]))
        >>> w.tolist()
        [(2+0j), (3+0j)]
    """
    _matrices("eig", x, square=True)
    return bind_all(ops.eig, [x], {"left": bool(compute_left_eigenvectors), "right": bool(compute_right_eigenvectors)},
                    (), None)


@api(static=("lower", "symmetrize_input", "sort_eigenvalues", "subset_by_index", "implementation"))
def eigh(
    x: ArrayLike, *, lower: bool = True, symmetrize_input: bool = True, sort_eigenvalues: bool = True,
    subset_by_index: tuple[int, int] | None = None, implementation: EighImplementation | None = None,
) -> tuple[Array, Array]:
    """The eigenvectors and eigenvalues of a Hermitian matrix.

    Args:
        x: Matrices of shape ``(..., n, n)``.
        lower: Which triangle is read, where the matrix is not symmetrized.
        symmetrize_input: Whether those of (x + x^H) / 2 are computed.
        sort_eigenvalues: Accepted: eigenvalues always ascend.
        subset_by_index: The first eigenvalue, and the one after the last; all when left out.
        implementation: Accepted.

    Returns:
        The eigenvectors, in columns, and then the eigenvalues, which are real.

    Raises:
        ArgumentError: If the matrices are not square or the subset does not fit.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus.lax import linalg
        >>> linalg.eigh(jnp.array([[3.0, 0.0], [0.0, 2.0]]))[1].tolist()
        [2.0, 3.0]
    """
    n = _matrices("eigh", x, square=True)[-1]
    values, vectors = bind_all(ops.eigh, [_symmetrized("eigh", x) if symmetrize_input else x],
                               {"lower": bool(lower), "vectors": True}, (), None)
    start, end = _subset("eigh", subset_by_index, n)
    return weakly((part(vectors, start, end, -1), part(values, start, end, -1)), aval_of(x).weak)


def eigenvalues_of_hermitian(x: Any, lower: bool, symmetrize_input: bool) -> Any:
    """The eigenvalues of Hermitian matrices, without their vectors."""
    whole = _symmetrized("eigh", x) if symmetrize_input else x
    return bind(ops.eigh, whole, weak=aval_of(x).weak, lower=lower, vectors=False)


@api
def hessenberg(a: ArrayLike) -> list[Array]:
    """A general matrix reduced to Hessenberg form by reflections.

    Args:
        a: Matrices of shape ``(..., n, n)``.

    Returns:
        Matrices whose upper triangle and first subdiagonal are the Hessenberg form, with the vectors of the
        reflections below; and the factors of these, of shape ``(..., n - 1)``. They have no derivative.

    Raises:
        ArgumentError: If the matrices are not square.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus.lax import linalg
        >>> linalg.hessenberg(jnp.eye(3))[1].tolist()
        [0.0, 0.0]
    """
    _matrices("hessenberg", a, square=True)
    return list(bind_all(ops.hessenberg, [a], {}, (), None))


@api
def householder_product(a: ArrayLike, taus: ArrayLike) -> Array:
    """The first columns of a product of elementary reflections.

    Args:
        a: Matrices of shape ``(..., m, n)``, m of n or more, with the vectors of the reflections below the diagonal.
        taus: The factors of the reflections, of shape ``(..., k)``, k of n or less.

    Returns:
        The first n columns of the product, which are orthonormal.

    Raises:
        OperandError: If the shapes do not fit.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus.lax import linalg
        >>> abs(linalg.householder_product(jnp.zeros((2, 2)), jnp.zeros(2))).tolist()
        [[1.0, 0.0], [0.0, 1.0]]
    """
    return bind(ops.householder_product, a, taus)


@api
def lu(x: ArrayLike) -> list[Array]:
    """The LU factorization with exchanges of rows: P A = L U.

    Args:
        x: Matrices of shape ``(..., m, n)``.

    Returns:
        L (without its diagonal of ones) and U in one matrix; for each of the first rows the row that it was exchanged
        with; the rows' order after all exchanges.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus.lax import linalg
        >>> linalg.lu(jnp.array([[1.0, 2.0], [2.0, 2.0]]))[2].tolist()
        [1, 0]
    """
    _matrices("lu", x)
    return list(bind_all(ops.lu, [x], {}, (), None))


@api(static=("permutation_size",))
def lu_pivots_to_permutation(pivots: ArrayLike, permutation_size: int) -> Array:
    """The order of rows after exchanges.

    Args:
        pivots: For each of the first rows the row that it is exchanged with, one after the other: int32, of shape
            ``(..., k)``.
        permutation_size: The number of rows, k or more.

    Returns:
        The order, of shape ``(..., permutation_size)``.

    Raises:
        ArgumentError: If there are fewer rows than exchanges.

    Example:
        >>> import numpy as np
        >>> from olympus.lax import linalg
        >>> linalg.lu_pivots_to_permutation(np.array([2, 2, 2], np.int32), 3).tolist()
        [2, 0, 1]
    """
    name = "lu_pivots_to_permutation"
    shape, dtype, size = shape_of(pivots), dtype_of(pivots), integer(name, permutation_size, "permutation_size", 0)
    if not shape or not dtypes.is_integer(dtype):
        raise ArgumentError(name, "the pivots are no integers of a shape (..., k)", repr(aval_of(pivots)))
    *batch, count = shape
    if size < count:
        raise ArgumentError(name, "there are fewer rows than exchanges", size, f"{count} or more")
    ndim = len(shape)
    places = broadcast(constant(np.arange(size, dtype=dtype)), (*batch, size), weak=False)
    # Split as the exchanges are, which a loop's carried value cannot become later.
    none = apply(ops.reduce_sum, sub(pivots, pivots), dimensions=(ndim - 1,))
    order = add(places, apply(ops.broadcast_in_dim, none, shape=(*batch, size), dimensions=tuple(range(ndim - 1))))
    turned = apply(ops.transpose, pivots, permutation=(ndim - 1, *range(ndim - 1)))

    def exchange(order: Any, step: Any) -> Any:
        i, other = step
        other = apply(ops.broadcast_in_dim, other, shape=(*batch, size), dimensions=tuple(range(ndim - 1)))
        at_i = apply(ops.eq, places, broadcast(i, (*batch, size), weak=False))
        at_other = apply(ops.eq, places, other)

        def value(where: Any) -> Any:
            zero = broadcast(constant(np.zeros((), dtype)), (*batch, size), weak=False)
            total = apply(ops.reduce_sum, select(where, order, zero), dimensions=(ndim - 1,))
            return apply(ops.broadcast_in_dim, total, shape=(*batch, size), dimensions=tuple(range(ndim - 1)))

        first, second = value(at_i), value(at_other)
        return select(at_i, second, select(at_other, first, order)), None

    return scan(exchange, order, (constant(np.arange(count, dtype=dtype)), turned))[0]


@api(static=("left", "transpose"))
def ormqr(a: ArrayLike, taus: ArrayLike, c: ArrayLike, *, left: bool = True, transpose: bool = False) -> Array:
    """A matrix multiplied by the Q of a QR factorization, which is not formed.

    Args:
        a: The reflections' vectors, of shape ``(..., m, n)``.
        taus: Their factors, of shape ``(..., k)``.
        c: The matrices that are multiplied.
        left: Whether Q stands on the left.
        transpose: Whether Q^H is taken instead.

    Returns:
        The products, of the shape of `c`. They have a derivative with respect to `c`.

    Raises:
        OperandError: If the shapes do not fit.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus.lax import linalg
        >>> linalg.ormqr(jnp.zeros((2, 2)), jnp.zeros(2), jnp.ones((2, 1))).tolist()
        [[1.0], [1.0]]
    """
    return bind(ops.ormqr, a, taus, c, left=bool(left), transpose=bool(transpose))


@api(static=("pivoting", "full_matrices", "use_magma"))
def qr(
    x: ArrayLike, *, pivoting: bool = False, full_matrices: bool = True, use_magma: bool | None = None,
) -> Any:
    """The QR factorization: A = Q R, where the columns of Q are orthonormal and R is upper triangular.

    Args:
        x: Matrices of shape ``(..., m, n)``.
        pivoting: Whether columns are exchanged so that the diagonal of R descends in size: A[:, p] = Q R.
        full_matrices: Whether Q is square; otherwise it has min(m, n) columns.
        use_magma: Accepted.

    Returns:
        Q and R; with pivoting the columns' order as well. The derivative of the columns of Q behind the first n, which
        are no function of the matrix alone, is that of the reflections of which Q is made.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus.lax import linalg
        >>> q, r = linalg.qr(jnp.array([[3.0, 0.0], [4.0, 5.0]]))
        >>> abs(r).round(3).tolist()
        [[5.0, 4.0], [0.0, 3.0]]

    References:
        R. Schreiber and C. Van Loan, A storage-efficient WY representation for products of Householder transformations,
        1989.
    """
    *_, m, n = _matrices("qr", x)
    factorize = full_qr if full_matrices and m > n else reduced_qr
    if not pivoting:
        return weakly(factorize(x), aval_of(x).weak)
    order = column_order(x)
    return (*weakly(factorize(columns_taken(x, order)), aval_of(x).weak), order)


@api(static=("compute_schur_vectors", "sort_eig_vals", "select_callable"))
def schur(
    x: ArrayLike, *, compute_schur_vectors: bool = True, sort_eig_vals: bool = False,
    select_callable: Callable[..., Any] | None = None,
) -> Any:
    """The Schur form: A = Q T Q^H, where Q is unitary.

    Args:
        x: Matrices of shape ``(..., n, n)``.
        compute_schur_vectors: Whether Q is given.
        sort_eig_vals: Must be False.
        select_callable: Not used, since nothing is sorted.

    Returns:
        T, upper triangular (of real matrices with blocks of two on the diagonal for pairs of complex eigenvalues), and
        Q where it is asked for. They have no derivative.

    Raises:
        ArgumentError: If the matrices are not square.
        NotSupportedError: If eigenvalues are to be sorted.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus.lax import linalg
        >>> linalg.schur(jnp.eye(2))[0].tolist()
        [[1.0, 0.0], [0.0, 1.0]]
    """
    _matrices("schur", x, square=True)
    if sort_eig_vals:
        raise NotSupportedError("lax.linalg.schur with sorted eigenvalues", "they come in the order of the algorithm",
                                "Leave sort_eig_vals out.")
    return list(bind_all(ops.schur, [x], {"vectors": bool(compute_schur_vectors)}, (), None))


@api(static=("full_matrices", "compute_uv", "subset_by_index", "algorithm"))
def svd(
    x: ArrayLike, *, full_matrices: bool = True, compute_uv: bool = True,
    subset_by_index: tuple[int, int] | None = None, algorithm: SvdAlgorithm | None = None,
) -> Any:
    """The singular value decomposition: A = U diag(s) V^H.

    Args:
        x: Matrices of shape ``(..., m, n)``.
        full_matrices: Whether U and V are square; otherwise they have min(m, n) columns.
        compute_uv: Whether U and V^H are given.
        subset_by_index: The first singular value, and the one after the last; all when left out.
        algorithm: Accepted.

    Returns:
        U, the singular values in descending order, and V^H; or the singular values alone. Where singular values are
        equal or zero, the derivative of the vectors is infinite or NaN.

    Raises:
        ArgumentError: If the subset does not fit.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus.lax import linalg
        >>> linalg.svd(jnp.array([[3.0, 0.0], [0.0, 4.0]]), compute_uv=False).tolist()
        [4.0, 3.0]
    """
    *_, m, n = _matrices("svd", x)
    whole = subset_by_index is None
    start, end = _subset("svd", subset_by_index, min(m, n))
    if not whole and full_matrices and compute_uv and (start, end) != (0, min(m, n)):
        raise ArgumentError("svd", "a subset has no full matrices", subset_by_index, "full_matrices=False")
    found = bind_all(ops.svd, [x], {"full_matrices": bool(full_matrices and compute_uv), "vectors": bool(compute_uv)},
                     (), None)
    values = part(found[0], start, end, -1)
    if not compute_uv:
        return values
    if whole:
        return found[1], values, found[2]
    return weakly((part(found[1], start, end, -1), values, part(found[2], start, end, -2)), aval_of(x).weak)


@api(static=("alpha", "beta", "symmetrize_output"))
def symmetric_product(
    a_matrix: ArrayLike, c_matrix: ArrayLike, *, alpha: float = 1.0, beta: float = 0.0,
    symmetrize_output: bool = False,
) -> Array:
    """A matrix times its transpose, and another matrix added: alpha A A^T + beta C.

    Args:
        a_matrix: Matrices of shape ``(..., m, n)``.
        c_matrix: Symmetric matrices of shape ``(..., m, m)``.
        alpha: The first factor.
        beta: The second factor.
        symmetrize_output: Whether the upper triangle is that of the lower; it is nearly so in any case.

    Returns:
        The symmetric matrices.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus.lax import linalg
        >>> linalg.symmetric_product(jnp.ones((1, 2)), jnp.ones((1, 1)), beta=3.0).tolist()
        [[5.0]]
    """
    *batch, m, _ = _matrices("symmetric_product", a_matrix)
    if shape_of(c_matrix) != (*batch, m, m):
        raise ArgumentError("symmetric_product", "the shapes do not fit",
                            f"{shape_of(a_matrix)} and {shape_of(c_matrix)}", "(..., m, n) and (..., m, m)")
    found = add(scaled(matmul(a_matrix, swapped(a_matrix)), alpha), scaled(c_matrix, beta))
    if symmetrize_output:
        lower = triangle(found, lower=True)
        found = add(lower, swapped(triangle(found, lower=True, offset=-1)))
    return weakly(found, aval_of(a_matrix).weak and aval_of(c_matrix).weak)


@api(static=("left_side", "lower", "transpose_a", "conjugate_a", "unit_diagonal"))
def triangular_solve(
    a: ArrayLike, b: ArrayLike, *, left_side: bool = False, lower: bool = False, transpose_a: bool = False,
    conjugate_a: bool = False, unit_diagonal: bool = False,
) -> Array:
    """The solution of op(A) X = B, or of X op(A) = B, for a triangular matrix A.

    Args:
        a: Matrices of shape ``(..., n, n)``; the other triangle is not read.
        b: Right-hand sides of shape ``(..., n, k)``, or ``(..., k, n)``; of one dimension less for a single one.
        left_side: Whether A stands on the left.
        lower: Which triangle is A.
        transpose_a: Whether A is transposed.
        conjugate_a: Whether it is conjugated.
        unit_diagonal: Whether its diagonal counts as ones.

    Returns:
        The solutions, of the shape of `b`; those of float16 and bfloat16 are computed in float32 and rounded.

    Raises:
        ArgumentError: If the matrices are not square.
        OperandError: If shapes or element types do not fit.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus.lax import linalg
        >>> linalg.triangular_solve(jnp.array([[2.0, 0.0], [1.0, 1.0]]), jnp.array([2.0, 3.0]), left_side=True,
        ...                         lower=True).tolist()
        [1.0, 2.0]
    """
    shape, own = _matrices("triangular_solve", a, square=True), shape_of(b)
    single = len(own) == len(shape) - 1
    if single:
        b = reshape(b, (*own, 1) if left_side else (*own[:-1], 1, *own[-1:]))
    kind = dtype_of(a)
    is_half = dtype_of(b) == kind and kind in (dtypes.float16, dtypes.bfloat16)
    if is_half:
        a, b = (convert(x, dtypes.float32) for x in (a, b))
    found = bind(ops.triangular_solve, a, b, left_side=bool(left_side), lower=bool(lower), transpose=bool(transpose_a),
                 conjugate=bool(conjugate_a) and dtypes.is_complex(kind), unit_diagonal=bool(unit_diagonal))
    found = convert(found, kind) if is_half else found
    return weakly(reshape(found, own), aval_of(found).weak) if single else found


@api(static=("lower",))
def tridiagonal(a: ArrayLike, *, lower: bool = True) -> list[Array]:
    """A Hermitian matrix reduced to tridiagonal form by reflections.

    Args:
        a: Matrices of shape ``(..., n, n)``.
        lower: Which triangle is read.

    Returns:
        Matrices with the reflections' vectors, the diagonal, the diagonal beside it, and the reflections' factors.
        They have no derivative.

    Raises:
        ArgumentError: If the matrices are not square.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus.lax import linalg
        >>> linalg.tridiagonal(jnp.eye(3))[1].tolist()
        [1.0, 1.0, 1.0]
    """
    _matrices("tridiagonal", a, square=True)
    return list(bind_all(ops.tridiagonal, [a], {"lower": bool(lower)}, (), None))


@api(static=("perturb_singular",))
def tridiagonal_solve(
    dl: ArrayLike, d: ArrayLike, du: ArrayLike, b: ArrayLike, *, perturb_singular: bool = False,
) -> Array:
    """The solution of A X = B for a tridiagonal matrix A.

    Args:
        dl: The diagonal below the middle, of shape ``(..., n)``; its first element is not used.
        d: The middle diagonal.
        du: The diagonal above it; its last element is not used.
        b: Right-hand sides of shape ``(..., n, k)``.
        perturb_singular: Whether pivots so small that a quotient would overflow are moved away from zero, by the unit
            of the element type times the greatest element of U: the equations of singular matrices then have solutions,
            which are as large as that unit lets them be. Otherwise they are inf or NaN.

    Returns:
        The solutions.

    Raises:
        OperandError: If shapes or element types do not fit.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus.lax import linalg
        >>> ones = jnp.ones(2)
        >>> linalg.tridiagonal_solve(ones, 2 * ones, ones, jnp.array([[4.0], [5.0]])).tolist()
        [[1.0], [2.0]]
    """
    found = bind(ops.tridiagonal_solve, dl, d, du, b)  # its rule checks shapes and types
    return perturbed_solution(*(array(x) for x in (dl, d, du, b))) if perturb_singular else found


def qdwh(
    x: ArrayLike, *, is_hermitian: bool = False, max_iterations: int | None = None, eps: float | None = None,
    dynamic_shape: tuple[int, int] | None = None,
) -> tuple[Array, Array, Array, Array]:
    """The polar decomposition A = U H by dynamically weighted Halley iteration with QR.

    Args:
        x: A matrix of shape (m, n), m of n or more, of full rank.
        is_hermitian: Accepted.
        max_iterations: The greatest number of steps; 10 when left out.
        eps: The precision that decides when it ends; that of the element type when left out.
        dynamic_shape: The size of the part of `x` that counts; the rest counts as zero.

    Returns:
        U, with orthonormal columns; H, Hermitian and positive semidefinite; the number of steps; whether the last one
        was small enough.

    Raises:
        ArgumentError: If `x` is no matrix, or has more columns than rows.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus.lax import linalg
        >>> linalg.qdwh(jnp.array([[2.0, 0.0], [0.0, 3.0]]))[1].round(3).tolist()
        [[2.0, 0.0], [0.0, 3.0]]

    References:
        Y. Nakatsukasa, Z. Bai and F. Gygi, Optimizing Halley's iteration for computing the matrix polar decomposition,
        2010.
    """
    shape = _matrices("qdwh", x)
    if len(shape) != 2 or shape[0] < shape[1]:
        raise ArgumentError("qdwh", "the shape does not fit", shape, "(m, n) with m of n or more")

    def reduced(x: Any) -> Any:
        return qr(x, full_matrices=False)[0]

    if dtypes.real_part(dtype_of(x)).itemsize < 4:
        raise ArgumentError("qdwh", f"does not take {dtype_of(x).name}", repr(aval_of(x)),
                            "float32, float64, complex64 or complex128", "Convert the array first with x.astype(...).")
    return polar(x, reduced, max_iterations, eps, dynamic_shape)
