# SPDX-License-Identifier: Apache-2.0
"""Linear systems of sparse matrices, and the greatest eigenvalues of matrices that are known by their products."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.deferred import listed
from olympus_core.errors import ArgumentError

from ... import lax
from ... import numpy as jnp
from ...callbacks import pure_callback
from ...numpy.promotion import inexact_dtype
from ...operands import dtype_of, integer, shape_of
from ...shape_dtype import ShapeDtypeStruct
from ...typing import Array, ArrayLike

__all__ = ["lobpcg_standard", "spsolve"]
__dir__ = listed(__all__)


def spsolve(
    data: ArrayLike, indices: ArrayLike, indptr: ArrayLike, b: ArrayLike, tol: float = 1e-6, reorder: int = 1
) -> Array:
    """Solves a system whose matrix is stored by rows, on the host, by SciPy's direct solver.

    Args:
        data: The elements of a square matrix, row by row.
        indices: The column of each.
        indptr: Where each row begins in `data`, and the end.
        b: The right side, a vector.
        tol: Accepted for compatibility: the solver has no tolerance.
        reorder: Accepted for compatibility: the solver chooses an order that fills little.

    Returns:
        The solution, which can be differentiated by `data` and `b`.

    Raises:
        ArgumentError: The shapes do not fit each other.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus.experimental.sparse.linalg import spsolve
        >>> spsolve(jnp.array([2.0, 1.0, 4.0]), jnp.array([0, 0, 1]), jnp.array([0, 1, 3]), jnp.array([2.0, 9.0]))
        Array([1., 2.], dtype=float32)
    """
    data, indices, indptr, b = map(jnp.asarray, (data, indices, indptr, b))
    if b.ndim != 1 or data.ndim != 1 or indices.shape != data.shape or indptr.shape != (b.shape[0] + 1,):
        raise ArgumentError("spsolve", "the parts are not those of a system",
                            f"data {data.shape}, indices {indices.shape}, indptr {indptr.shape}, b {b.shape}",
                            "data and indices of one shape, b a vector, indptr with one element more")
    dtype = jnp.promote_types(inexact_dtype(jnp.result_type(data, b)), jnp.float32)
    data, b = data.astype(dtype), b.astype(dtype)
    rows = jnp.searchsorted(indptr, jnp.arange(data.shape[0]), side="right") - 1

    def solve(transposed: bool, _: Callable[[Any], Any], y: Any) -> Any:
        return pure_callback(partial(_solved, transposed), ShapeDtypeStruct(y.shape, y.dtype), data, indices, indptr, y,
                             vmap_method="sequential")

    def product(x: Any) -> Any:
        return jnp.zeros_like(b).at[rows].add(data * x[indices])

    return lax.custom_linear_solve(product, b, partial(solve, False), partial(solve, True))


def _solved(transposed: bool, data: Any, indices: Any, indptr: Any, y: Any) -> Any:
    from scipy.sparse import csr_matrix
    from scipy.sparse.linalg import spsolve as solve

    n = len(y)
    matrix = csr_matrix(tuple(map(np.asarray, (data, indices, indptr))), shape=(n, n))
    return solve(matrix.T if transposed else matrix, np.asarray(y)).astype(y.dtype)


def lobpcg_standard(
    A: ArrayLike | Callable[[Any], Any], X: ArrayLike, m: int = 100, tol: float | ArrayLike | None = None
) -> tuple[Array, Array, Array]:
    """The greatest eigenvalues of a Hermitian matrix and their vectors, by products with blocks of vectors.

    Each step takes the best vectors from the space of the present ones, of the last change and of what the present
    ones lack to be eigenvectors.

    Args:
        A: The matrix of shape ``(n, n)``, or a function that multiplies it with an array of shape ``(n, k)``.
        X: Independent vectors to begin with, of shape ``(n, k)`` with ``5 * k < n``: as many are sought.
        m: The greatest number of steps.
        tol: A pair has converged where the norm of ``A u - theta u`` is below ``10 n tol (theta + |A u|)``; for None
            the precision of the element type.

    Returns:
        The eigenvalues in falling order, the vectors as columns, and the number of steps.

    Raises:
        ArgumentError: `X` has too many columns, or the shapes or element types do not fit.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus.experimental.sparse.linalg import lobpcg_standard
        >>> values, vectors, steps = lobpcg_standard(jnp.diag(jnp.arange(1.0, 21.0)), jnp.eye(20, 2) + 0.1)
        >>> print(jnp.round(values, 3))
        [20. 19.]

    References:
        Knyazev, "Toward the optimal preconditioned eigensolver" (2001), https://doi.org/10.1137/S1064827500366124.
    """
    shape, dtype = shape_of(X), dtype_of(X)
    if len(shape) != 2 or not 0 < 5 * shape[1] < shape[0] or not (dtypes.is_float(dtype) or dtypes.is_complex(dtype)):
        raise ArgumentError("lobpcg_standard", "the vectors do not fit", f"{dtype}{list(shape)}",
                            "floats of shape (n, k) with 0 < 5 k < n")
    n, k = shape
    if not callable(A) and (shape_of(A) != (n, n) or dtype_of(A) != dtype):
        raise ArgumentError("lobpcg_standard", "the matrix does not fit the vectors",
                            f"{dtype_of(A)}{list(shape_of(A))}", f"{dtype}[{n}, {n}]")
    most = integer("lobpcg_standard", m, "the number of steps", 0)
    smallest: Any = jnp.finfo(dtype).eps if tol is None else tol
    bound = 10 * n * smallest
    times: Any = partial(jnp.matmul, precision="highest")
    product: Any = A if callable(A) else partial(times, A)

    def best(basis: Any) -> tuple[Any, Any, Any]:
        """The greatest eigenvalues within a space, the vectors, and how these are made of the basis."""
        values, parts = jnp.linalg.eigh(times(basis.conj().T, product(basis)))
        parts = parts[:, ::-1][:, :k]
        return values[::-1][:k], times(basis, parts), parts

    def lacking(values: Any, vectors: Any) -> tuple[Any, Any]:
        moved = product(vectors)
        rest = moved - vectors * values
        norms = jnp.linalg.norm(rest, axis=0)
        return rest, jnp.all(norms < bound * (values + jnp.linalg.norm(moved, axis=0)))

    def unit(columns: Any) -> Any:
        norms = jnp.linalg.norm(columns, axis=0)
        return columns / jnp.where(norms == 0, 1, norms)

    def step(state: Any) -> Any:
        _, vectors, change, rest, _, count = state
        basis = jnp.linalg.qr(jnp.concatenate([vectors, unit(rest), unit(change)], axis=1))[0]
        values, vectors, parts = best(basis)
        change = times(basis[:, k:], parts[k:])
        return (values, vectors, change, *lacking(values, vectors), count + 1)

    values, vectors, _ = best(jnp.linalg.qr(jnp.asarray(X))[0])
    start = (values, vectors, jnp.zeros_like(vectors), *lacking(values, vectors), jnp.int32(0))
    found = lax.while_loop(lambda state: ~state[4] & (state[5] < most), step, start)
    return found[0], found[1], found[5]
