# SPDX-License-Identifier: Apache-2.0
"""For each operation the library's functions, and what stands around them for matrices in row-major order.

To the library a matrix in row-major order is its transpose. Where that is as good (a triangle is the other one,
singular vectors change sides, conjugates are taken back at the end) nothing is transposed; elsewhere matrices are
transposed before and after. Functions for a batch are taken for small matrices: of large ones each keeps the GPU busy.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from olympus_core import dtypes
from olympus_core.program import Operation

from ..products.work_steps import BufferSlice
from . import kernels, reflections
from . import library as lib
from .plan import LinearAlgebraWork, Plan, each_of, one_of

_INT = np.dtype(np.int32)
# Rows up to which a function for a batch is taken whatever the batch, and how many matrices it takes above that.
_SMALL, _MANY = 512, 16
_SMALL_LU = 128
_JACOBI = 32  # rows up to which cuSOLVER has Jacobi's method for a batch
_LARGE_JACOBI = 1024  # rows up to which singular values are found by Jacobi's method
_MOST_ELEMENTS = (1 << 31) - 1  # of a matrix: the library's sizes have 32 bits


def _in_batch(plan: Plan, rows: int) -> bool:
    return plan.batch > 1 and (rows <= _SMALL or plan.batch > _MANY)


def _cholesky(operation: Operation) -> LinearAlgebraWork:
    """In a batch the transpose's upper factor, for which A^T = U^H U: in row-major order that is A's lower one.

    Of a large matrix the library finds a lower factor many times faster than an upper one, which pays for transposes.
    """
    x, plan = operation.operands[0].type, Plan(operation)
    n, dtype, name = x.shape[-1], x.dtype, lib.letter(x.dtype) + "potrf"
    (a,), (out,), failed = plan.operands, plan.results, plan.status()
    if _in_batch(plan, n):
        plan.copy(dtype, n * n, a, out)
        each = plan.addresses(n * n * dtype.itemsize, out)
        plan.call(lib.SOLVER, name + "Batched", lib.UPPER, n, each, n, failed, plan.batch, each=False)
    else:
        work = plan.room(n * n, dtype)
        plan.to_columns(dtype, (n, n), a, work)
        plan.call(lib.SOLVER, name, lib.LOWER, n, each_of(work, n * n, dtype), n, lib.WORK, lib.LENGTH,
                  each_of(failed, 1, _INT), query=(name + "_bufferSize", (lib.LOWER, n, 0, n)),
                  itemsize=dtype.itemsize)
        plan.columns(dtype, (n, n), work, out)
    plan.kernel(kernels.lower_part(dtype, plan.batch * n * n), [out], plan.batch * n * n, n)
    plan.check(dtype, n, out, failed, n * n, step=n + 1, joined=True)
    plan.fill(dtype, n * n, out, failed)
    return plan.work()


def _triangular_solve(operation: Operation) -> LinearAlgebraWork:
    """The transposed equation, whose matrix stands on the other side, by the other triangle."""
    x, b = [v.type for v in operation.operands]
    plan, dtype, attributes = Plan(operation), x.dtype, operation.attributes
    n, (rows, columns) = x.shape[-1], b.shape[-2:]
    (matrix, sides), (out,) = plan.operands, plan.results
    is_transposed, is_conjugated = attributes["transpose"], attributes["conjugate"] and dtypes.is_complex(dtype)
    if is_conjugated and not is_transposed:  # a choice that BLAS does not have
        copied = plan.room(n * n, dtype)
        plan.rows(dtype, (n, n), matrix, copied, conjugated=True)
        matrix = copied
    plan.copy(dtype, rows * columns, sides, out)
    name = lib.letter(dtype) + "trsm"
    head = (
        lib.RIGHT if attributes["left_side"] else lib.LEFT, lib.UPPER if attributes["lower"] else lib.LOWER,
        lib.AS_IS if not is_transposed else lib.ADJOINT if is_conjugated else lib.TRANSPOSED,
        lib.UNIT_DIAGONAL if attributes["unit_diagonal"] else lib.ANY_DIAGONAL, columns, rows, one_of(dtype))
    if _in_batch(plan, max(n, rows, columns)):
        matrices = plan.addresses(n * n * dtype.itemsize, matrix)
        results = plan.addresses(rows * columns * dtype.itemsize, out)
        plan.call(lib.BLAS, name + "Batched", *head, matrices, n, results, columns, plan.batch, each=False)
    else:
        plan.call(lib.BLAS, name, *head, each_of(matrix, n * n, dtype), n, each_of(out, rows * columns, dtype), columns)
    return plan.work()


def _lu(operation: Operation) -> LinearAlgebraWork:
    x, plan = operation.operands[0].type, Plan(operation)
    (m, n), dtype = x.shape[-2:], x.dtype
    (a,), (out, pivots, order), name = plan.operands, plan.results, lib.letter(x.dtype) + "getrf"
    work, status = plan.room(m * n, dtype), plan.status()  # a matrix without an inverse has factors
    failed = plan.status()
    plan.to_columns(dtype, (m, n), a, work)
    if m == n <= _SMALL_LU and plan.batch > 1:
        each = plan.addresses(n * n * dtype.itemsize, work)
        plan.call(lib.BLAS, name + "Batched", n, each, n, pivots, status, plan.batch, each=False)
    else:
        plan.call(lib.SOLVER, name, m, n, each_of(work, m * n, dtype), m, lib.WORK, each_of(pivots, min(m, n), _INT),
                  each_of(status, 1, _INT), query=(name + "_bufferSize", (m, n, 0, m)), itemsize=dtype.itemsize)
    plan.columns(dtype, (m, n), work, out)
    plan.kernel(kernels.counted_pivots(plan.batch, m), [pivots, order], m, min(m, n))
    # The library may take a NaN for a pivot of zero, and numbers come out.
    plan.check(dtype, m * n, a, failed, m * n, nan_alone=True)
    plan.fill(dtype, m * n, out, failed)
    return plan.work()


def _geqrf(operation: Operation) -> LinearAlgebraWork:
    x, plan = operation.operands[0].type, Plan(operation)
    (m, n), dtype, name = x.shape[-2:], x.dtype, lib.letter(x.dtype) + "geqrf"
    (a,), (out, taus) = plan.operands, plan.results
    if plan.batch > 1 and reflections.fits(dtype, m, n):
        plan.kernel(reflections.decomposed(dtype, plan.batch, m, n), [a, out, taus], m, n)
        return plan.work()
    work, status = plan.room(m * n, dtype), plan.status()
    plan.to_columns(dtype, (m, n), a, work)
    plan.call(lib.SOLVER, name, m, n, each_of(work, m * n, dtype), m, each_of(taus, min(m, n), dtype), lib.WORK,
              lib.LENGTH, each_of(status, 1, _INT), query=(name + "_bufferSize", (m, n, 0, m)),
              itemsize=dtype.itemsize)
    plan.columns(dtype, (m, n), work, out)
    return plan.work()


def _householder_product(operation: Operation) -> LinearAlgebraWork:
    x, plan = operation.operands[0].type, Plan(operation)
    (m, n), k, dtype = x.shape[-2:], operation.operands[1].type.shape[-1], x.dtype
    name = lib.letter(dtype) + ("ungqr" if dtypes.is_complex(dtype) else "orgqr")
    (a, taus), (out,) = plan.operands, plan.results
    if plan.batch > 1 and reflections.fits(dtype, m, n):
        plan.kernel(reflections.multiplied(dtype, plan.batch, m, n), [a, taus, out], m, n, k)
        return plan.work()
    work, status = plan.room(m * n, dtype), plan.status()
    plan.to_columns(dtype, (m, n), a, work)
    plan.call(lib.SOLVER, name, m, n, k, each_of(work, m * n, dtype), m, each_of(taus, k, dtype), lib.WORK, lib.LENGTH,
              each_of(status, 1, _INT), query=(name + "_bufferSize", (m, n, k, 0, m, 0)), itemsize=dtype.itemsize)
    plan.columns(dtype, (m, n), work, out)
    return plan.work()


def _ormqr(operation: Operation) -> LinearAlgebraWork:
    x, c = operation.operands[0].type, operation.operands[2].type
    plan, dtype, k = Plan(operation), x.dtype, operation.operands[1].type.shape[-1]
    (m, n), (rows, columns), is_complex = x.shape[-2:], c.shape[-2:], dtypes.is_complex(x.dtype)
    name = lib.letter(dtype) + ("unmqr" if is_complex else "ormqr")
    side = lib.LEFT if operation.attributes["left"] else lib.RIGHT
    choice = lib.AS_IS if not operation.attributes["transpose"] else lib.ADJOINT if is_complex else lib.TRANSPOSED
    (a, taus, given), (out,), status = plan.operands, plan.results, plan.status()
    reflected, work = plan.room(m * n, dtype), plan.room(rows * columns, dtype)
    plan.to_columns(dtype, (m, n), a, reflected)
    plan.to_columns(dtype, (rows, columns), given, work)
    plan.call(lib.SOLVER, name, side, choice, rows, columns, k, each_of(reflected, m * n, dtype), m,
              each_of(taus, k, dtype), each_of(work, rows * columns, dtype), rows, lib.WORK, lib.LENGTH,
              each_of(status, 1, _INT),
              query=(name + "_bufferSize", (side, choice, rows, columns, k, 0, m, 0, 0, rows)),
              itemsize=dtype.itemsize)
    plan.columns(dtype, (rows, columns), work, out)
    return plan.work()


def _eigh(operation: Operation) -> LinearAlgebraWork:
    """Of the transpose, which is the conjugate: the same values, and conjugate vectors."""
    x, plan = operation.operands[0].type, Plan(operation)
    n, dtype, real = x.shape[-1], x.dtype, dtypes.real_part(x.dtype)
    job = lib.VECTORS if operation.attributes["vectors"] else lib.NO_VECTORS
    triangle = lib.UPPER if operation.attributes["lower"] else lib.LOWER
    (a,), (values, *vectors), work = plan.operands, plan.results, plan.room(n * n, dtype)
    failed, status = plan.status(), plan.status()
    plan.check(dtype, n * n, a, failed, n * n)
    plan.copy(dtype, n * n, a, work)
    plan.clear(dtype, n * n, work, failed)
    if n <= _JACOBI:
        name = lib.letter(dtype) + ("heevj" if dtypes.is_complex(dtype) else "syevj") + "Batched"
        plan.call(lib.SOLVER, name, job, triangle, n, work, n, values, lib.WORK, lib.LENGTH, status, lib.SYEVJ,
                  plan.batch, each=False, itemsize=dtype.itemsize,
                  query=(name + "_bufferSize", (job, triangle, n, 0, n, 0, lib.SYEVJ, plan.batch)))
    else:
        types = lib.DATA_TYPE[dtype], lib.DATA_TYPE[real]
        plan.call(lib.SOLVER, "xsyevd", lib.PARAMS, job, triangle, n, types[0], each_of(work, n * n, dtype), n,
                  types[1], each_of(values, n, real), types[0], lib.WORK, lib.LENGTH, lib.HOST_WORK, lib.HOST_LENGTH,
                  each_of(status, 1, _INT),
                  query=("xsyevd_bufferSize", (lib.PARAMS, job, triangle, n, types[0], 0, n, types[1], 0, types[0])))
    plan.join(failed, status)
    plan.fill(real, n, values, failed)
    for out in vectors:
        plan.columns(dtype, (n, n), work, out, conjugated=True)
        plan.fill(dtype, n * n, out, failed)
    return plan.work()


def _svd(operation: Operation) -> LinearAlgebraWork:
    """Of the transpose, whose left vectors are the right ones."""
    x, plan = operation.operands[0].type, Plan(operation)
    (m, n), dtype, real = x.shape[-2:], x.dtype, dtypes.real_part(x.dtype)
    values, failed, status = plan.results[0], plan.status(), plan.status()
    plan.check(dtype, m * n, plan.operands[0], failed, m * n)
    how = _svd_in_batch if max(m, n) <= _JACOBI else _svd_by_jacobi if max(m, n) <= _LARGE_JACOBI else _svd_by_qr
    how(operation, plan, failed, status)
    plan.fill(real, min(m, n), values, failed)
    for result, out in zip(operation.results[1:], plan.results[1:], strict=True):
        rows, columns = result.type.shape[-2:]
        plan.fill(dtype, rows * columns, out, failed)
    return plan.work()


def _svd_in_batch(operation: Operation, plan: Plan, failed: BufferSlice, status: BufferSlice) -> None:
    """By Jacobi's method, which gives all vectors."""
    (m, n), dtype = operation.operands[0].type.shape[-2:], operation.operands[0].type.dtype
    values, *vectors = plan.results
    job = lib.VECTORS if vectors else lib.NO_VECTORS
    work, left, right = plan.room(m * n, dtype), plan.room(m * m, dtype), plan.room(n * n, dtype)
    name = lib.letter(dtype) + "gesvdjBatched"
    plan.copy(dtype, m * n, plan.operands[0], work)
    plan.clear(dtype, m * n, work, failed)
    plan.call(lib.SOLVER, name, job, n, m, work, n, values, right, n, left, m, lib.WORK, lib.LENGTH, status,
              lib.GESVDJ, plan.batch, each=False, itemsize=dtype.itemsize,
              query=(name + "_bufferSize", (job, n, m, 0, n, 0, 0, n, 0, m, lib.GESVDJ, plan.batch)))
    plan.join(failed, status)
    if vectors:
        kept_left, kept_right = operation.results[1].type.shape[-1], operation.results[2].type.shape[-2]
        plan.columns(dtype, (m, kept_left), left, vectors[0], (m * m, m), conjugated=True)
        plan.rows(dtype, (kept_right, n), right, vectors[1], (n * n, n))


def _svd_by_jacobi(operation: Operation, plan: Plan, failed: BufferSlice, status: BufferSlice) -> None:
    (m, n), dtype = operation.operands[0].type.shape[-2:], operation.operands[0].type.dtype
    values, *vectors = plan.results
    job, k, real = lib.VECTORS if vectors else lib.NO_VECTORS, min(m, n), dtypes.real_part(dtype)
    is_thin = int(not operation.attributes["full_matrices"])
    kept_left, kept_right = (k, k) if is_thin or not vectors else (m, n)
    work, name = plan.room(m * n, dtype), lib.letter(dtype) + "gesvdj"
    left = plan.room(m * kept_left, dtype)
    right = vectors[1] if vectors else plan.room(n * kept_right, dtype)
    plan.copy(dtype, m * n, plan.operands[0], work)
    plan.clear(dtype, m * n, work, failed)
    plan.call(lib.SOLVER, name, job, is_thin, n, m, each_of(work, m * n, dtype), n, each_of(values, k, real),
              each_of(right, n * kept_right, dtype), n, each_of(left, m * kept_left, dtype), m, lib.WORK, lib.LENGTH,
              each_of(status, 1, _INT), lib.GESVDJ, itemsize=dtype.itemsize,
              query=(name + "_bufferSize", (job, is_thin, n, m, 0, n, 0, 0, n, 0, m, lib.GESVDJ)))
    plan.join(failed, status)
    if vectors:
        plan.columns(dtype, (m, kept_left), left, vectors[0], conjugated=True)


def _svd_by_qr(operation: Operation, plan: Plan, failed: BufferSlice, status: BufferSlice) -> None:
    """The library takes only matrices with at least as many rows as columns: that is the transpose, or the matrix."""
    (m, n), dtype = operation.operands[0].type.shape[-2:], operation.operands[0].type.dtype
    values, *vectors = plan.results
    job = "N" if not vectors else "A" if operation.attributes["full_matrices"] else "S"
    k, real, is_tall = min(m, n), dtypes.real_part(dtype), m > n
    kept_left, kept_right = (m, n) if job == "A" else (k, k)
    (rows, columns), (kept_rows, kept_columns) = ((m, n), (kept_left, kept_right)) if is_tall else (
        (n, m), (kept_right, kept_left))
    work, name = plan.room(m * n, dtype), lib.letter(dtype) + "gesvd"
    if is_tall:
        plan.to_columns(dtype, (m, n), plan.operands[0], work)
    else:
        plan.copy(dtype, m * n, plan.operands[0], work)
    plan.clear(dtype, m * n, work, failed)
    if not vectors:
        first = second = plan.room(1, dtype)
    elif is_tall:
        first, second = plan.room(m * kept_left, dtype), plan.room(n * kept_right, dtype)
    else:
        second, first = vectors
    rest = plan.room(k, real)  # what has not converged
    moves = bool(vectors)
    plan.call(lib.SOLVER, name, ord(job), ord(job), rows, columns, each_of(work, m * n, dtype), rows,
              each_of(values, k, real), each_of(first, rows * kept_rows * moves, dtype), rows,
              each_of(second, columns * kept_columns * moves, dtype), kept_columns if vectors else columns, lib.WORK,
              lib.LENGTH, each_of(rest, k, real), each_of(status, 1, _INT), itemsize=dtype.itemsize,
              query=(name + "_bufferSize", (rows, columns)))
    plan.join(failed, status)
    if vectors and is_tall:
        plan.columns(dtype, (m, kept_left), first, vectors[0])
        plan.columns(dtype, (kept_right, n), second, vectors[1])


def _eig(operation: Operation) -> LinearAlgebraWork | None:
    """Right vectors alone: the library has no left ones."""
    if operation.attributes["left"]:
        return None
    x, plan = operation.operands[0].type, Plan(operation)
    n, dtype, is_complex = x.shape[-1], x.dtype, dtypes.is_complex(x.dtype)
    kind = operation.results[0].type.dtype
    (a,), (values, *vectors), work = plan.operands, plan.results, plan.room(n * n, dtype)
    failed, status = plan.status(), plan.status()
    columns = plan.room(n * n if vectors else 1, dtype)
    job = lib.VECTORS if vectors else lib.NO_VECTORS
    own, pair = lib.DATA_TYPE[dtype], lib.DATA_TYPE[kind]
    plan.check(dtype, n * n, a, failed, n * n)
    plan.to_columns(dtype, (n, n), a, work)
    plan.clear(dtype, n * n, work, failed)
    place = each_of(columns, n * n if vectors else 0, dtype)
    plan.call(lib.SOLVER, "xgeev", lib.PARAMS, lib.NO_VECTORS, job, n, own, each_of(work, n * n, dtype), n, pair,
              each_of(values, n, kind), own, place, n, own, place, n, own, lib.WORK, lib.LENGTH, lib.HOST_WORK,
              lib.HOST_LENGTH, each_of(status, 1, _INT),
              query=("xgeev_bufferSize", (lib.PARAMS, lib.NO_VECTORS, job, n, own, 0, n, pair, 0, own, 0, n, own, 0, n,
                                          own)))
    plan.join(failed, status)
    plan.fill(kind, n, values, failed)
    for out in vectors:
        if is_complex:
            plan.columns(dtype, (n, n), columns, out)
        else:
            plan.kernel(kernels.complex_vectors(dtype, plan.batch * n * n), [values, columns, out],
                        plan.batch * n * n, n)
        plan.fill(kind, n * n, out, failed)
    return plan.work()


_WORKS: dict[str, Callable[[Operation], LinearAlgebraWork | None]] = {
    "cholesky": _cholesky, "triangular_solve": _triangular_solve, "lu": _lu, "geqrf": _geqrf,
    "householder_product": _householder_product, "ormqr": _ormqr, "eigh": _eigh, "svd": _svd, "eig": _eig,
}


def linear_algebra_work(operation: Operation, has_geev: bool) -> LinearAlgebraWork | None:
    """The work of a decomposition or an equation; None for what is left to its reference, as empty operands are.

    Args:
        operation: The operation.
        has_geev: Whether cuSOLVER has eigenvalues of general matrices.
    """
    if operation.name not in _WORKS or (operation.name == "eig" and not has_geev):
        return None
    if not all(v.type.size for v in operation.operands):
        return None
    if any(m * n > _MOST_ELEMENTS for m, n in (v.type.shape[-2:] for v in operation.operands if v.type.ndim > 1)):
        return None
    return _WORKS[operation.name](operation)
