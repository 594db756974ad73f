# SPDX-License-Identifier: Apache-2.0
"""Instances of operations of linear algebra, well conditioned; vectors are compared up to their phase."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.program import OperationRecord

from .instance import Draw, Instance

Forms = Iterator[Instance]
TYPES: tuple[np.dtype, ...] = (dtypes.float32, dtypes.float64, dtypes.complex64, dtypes.complex128)
_BATCHES: tuple[tuple[int, ...], ...] = ((), (3,), (2, 0), (2, 2))


def _matrix(draw: Draw, shape: Sequence[int], dtype: np.dtype) -> np.ndarray:
    """Numbers of about one size, complex ones with both parts."""
    x = draw.uniform(shape, dtypes.float64, -1, 1)
    if dtypes.is_complex(dtype):
        x = x + 1j * draw.uniform(shape, dtypes.float64, -1, 1)
    return np.asarray(x).astype(dtype)


def _graded(draw: Draw, batch: Sequence[int], m: int, n: int, dtype: np.dtype) -> np.ndarray:
    """Matrices whose singular values and eigenvalues are well apart, and whose diagonal dominates."""
    spread = np.zeros((m, n), dtype)
    k = min(m, n)
    spread[np.arange(k), np.arange(k)] = 2.0 * np.arange(1, k + 1)
    return np.asarray(spread + _matrix(draw, (*batch, m, n), dtype) * 0.3).astype(dtype)


def _definite(draw: Draw, batch: Sequence[int], n: int, dtype: np.dtype) -> np.ndarray:
    x = _graded(draw, batch, n, n, dtype)
    return np.asarray((x + x.conj().swapaxes(-1, -2)) / 2).astype(dtype)


def _shaped(record: OperationRecord, *flags: str, tall: bool = False, hermitian: bool = False) -> Callable[
        [Draw, np.dtype], Forms]:
    """Forms of an operation of one matrix, with every choice of its flags."""
    def forms(draw: Draw, dtype: np.dtype) -> Forms:
        sizes = ((4, 4), (1, 1), (9, 9), (6, 3), (3, 6)) if tall else ((4, 4), (1, 1), (9, 9))
        for number in range(2 ** len(flags)):
            attributes = {flag: bool(number >> i & 1) for i, flag in enumerate(flags)}
            for m, n in sizes:
                for batch in _BATCHES if (m, n) == (4, 4) else ((2,),):
                    x = _definite(draw, batch, n, dtype) if hermitian else _graded(draw, batch, m, n, dtype)
                    yield Instance(record, [x], attributes)
    return forms


def triangular_solve(draw: Draw, dtype: np.dtype) -> Forms:
    """Every choice of the flags, of one matrix and of several."""
    for number in range(32):
        keys = ("left_side", "lower", "transpose", "conjugate", "unit_diagonal")
        attributes = {key: bool(number >> i & 1) for i, key in enumerate(keys)}
        for batch in ((), (2, 3)):
            shape = (4, 3) if attributes["left_side"] else (3, 4)
            yield Instance(ops.triangular_solve, [
                _graded(draw, batch, 4, 4, dtype), _matrix(draw, (*batch, *shape), dtype)], attributes)


def geqp3(draw: Draw, dtype: np.dtype) -> Forms:
    """Columns in an order of their lengths; some that stay in front."""
    for batch in ((), (3,)):
        for m, n in ((4, 4), (5, 3), (3, 5)):
            x = _graded(draw, batch, m, n, dtype)
            marks = np.zeros((*batch, n), np.int32)
            yield Instance(ops.geqp3, [x, marks], {})
            fixed = marks.copy()
            fixed[..., -1] = 1
            yield Instance(ops.geqp3, [x, fixed], {})


def _reflections(draw: Draw, batch: Sequence[int], m: int, n: int, dtype: np.dtype) -> tuple[np.ndarray, np.ndarray]:
    """Vectors and factors of unitary reflections."""
    vectors = _matrix(draw, (*batch, m, n), dtype)
    below = np.tril(np.ones((m, n)), -1)
    length = 1 + (np.abs(vectors) ** 2 * below).sum(-2)
    return vectors, (2 / length[..., :min(m, n)]).astype(dtype)


def householder_product(draw: Draw, dtype: np.dtype) -> Forms:
    """As many reflections as columns."""
    for batch in _BATCHES:
        for m, n in ((4, 4), (6, 3)):
            yield Instance(ops.householder_product, [*_reflections(draw, batch, m, n, dtype)], {})


def ormqr(draw: Draw, dtype: np.dtype) -> Forms:
    """From both sides, the product and its adjoint."""
    for left in (True, False):
        for transpose in (True, False):
            for batch in ((), (3,)):
                c = _matrix(draw, (*batch, 5, 2) if left else (*batch, 2, 5), dtype)
                yield Instance(ops.ormqr, [*_reflections(draw, batch, 5, 3, dtype), c],
                               {"left": left, "transpose": transpose})


def tridiagonal_solve(draw: Draw, dtype: np.dtype) -> Forms:
    """Diagonals that dominate."""
    for batch in _BATCHES:
        for n in (5, 1, 12):
            below, above = (_matrix(draw, (*batch, n), dtype) for _ in range(2))
            middle = (_matrix(draw, (*batch, n), dtype) + 4).astype(dtype)
            yield Instance(ops.tridiagonal_solve, [below, middle, above, _matrix(draw, (*batch, n, 3), dtype)], {})


FORMS: Mapping[OperationRecord, Callable[[Draw, np.dtype], Forms]] = {
    ops.cholesky: _shaped(ops.cholesky, hermitian=True),
    ops.triangular_solve: triangular_solve,
    ops.lu: _shaped(ops.lu, tall=True),
    ops.geqrf: _shaped(ops.geqrf, tall=True),
    ops.geqp3: geqp3,
    ops.householder_product: householder_product,
    ops.ormqr: ormqr,
    ops.eigh: _shaped(ops.eigh, "lower", "vectors", hermitian=True),
    ops.eig: _shaped(ops.eig, "left", "right"),
    ops.svd: _shaped(ops.svd, "vectors", "full_matrices", tall=True),
    ops.schur: _shaped(ops.schur, "vectors"),
    ops.hessenberg: _shaped(ops.hessenberg),
    ops.tridiagonal: _shaped(ops.tridiagonal, "lower", hermitian=True),
    ops.tridiagonal_solve: tridiagonal_solve,
}


def _phases(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """For each column the number of size one by which x is y times it."""
    product = (y.conj() * x).sum(-2)
    return np.where(product == 0, 1, product / np.where(product == 0, 1, np.abs(product)))


def _in_order(found: Sequence[np.ndarray], wanted: np.ndarray) -> list[np.ndarray]:
    """Eigenvalues in the order of the reference's, with their vectors: libraries find them in orders of their own."""
    values = np.array(found[0])
    vectors = [np.array(x) for x in found[1:]]
    for place in np.ndindex(wanted.shape[:-1]):
        left, order = list(range(wanted.shape[-1])), []
        for value in wanted[place]:
            order.append(left.pop(int(np.argmin(np.abs(values[place][left] - value)))))
        values[place] = values[place][order]
        for x in vectors:
            x[place] = x[place][:, order]
    return [values, *vectors]


def _turned(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Orthonormal columns of a space that has no others, as those of y where both span the same space."""
    if not x.shape[-1]:
        return x
    left, _, right = np.linalg.svd(x.conj().swapaxes(-1, -2) @ y)
    return (x @ (left @ right)).astype(x.dtype)


def aligned(instance: Instance, observed: Sequence[np.ndarray], wanted: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Results as the reference's in what a decomposition leaves open.

    That is the vectors' phases, of which what belongs to a vector gets its own as well, the order of eigenvalues of
    general matrices, and the vectors of a full basis that belong to no singular value.

    Args:
        instance: What was run.
        observed: What the platform gave.
        wanted: What the reference gives.
    """
    record, found = instance.record, list(observed)
    if any(x.shape != y.shape for x, y in zip(observed, wanted, strict=True)):
        return found
    is_finite = all(np.isfinite(x).all() for x in (*observed, *wanted))
    if record is ops.eig and is_finite:
        found = _in_order(found, wanted[0])
    if record in (ops.eigh, ops.eig):
        for i in range(1, len(found)):
            found[i] = (found[i] * _phases(found[i], wanted[i]).conj()[..., None, :]).astype(found[i].dtype)
    elif record is ops.svd and len(found) == 3:
        k = found[0].shape[-1]
        phases = _phases(found[1][..., :k], wanted[1][..., :k])
        belonging = found[1][..., :k] * phases.conj()[..., None, :], found[2][..., :k, :] * phases[..., :, None]
        left, right = found[1][..., k:], found[2][..., k:, :].swapaxes(-1, -2)
        if is_finite:
            left, right = _turned(left, wanted[1][..., k:]), _turned(right, wanted[2][..., k:, :].swapaxes(-1, -2))
        found[1] = np.concatenate([belonging[0], left], -1).astype(found[1].dtype)
        found[2] = np.concatenate([belonging[1], right.swapaxes(-1, -2)], -2).astype(found[2].dtype)
    elif record is ops.schur:
        if len(found) == 2:
            phases = _phases(found[1], wanted[1])
            found[1] = (found[1] * phases.conj()[..., None, :]).astype(found[1].dtype)
            found[0] = (phases[..., :, None] * found[0] * phases.conj()[..., None, :]).astype(found[0].dtype)
        else:
            found[0] = np.abs(found[0]).astype(found[0].dtype) * np.sign(wanted[0])
    return found
