# SPDX-License-Identifier: Apache-2.0
"""References of the operations of linear algebra: LAPACK by way of NumPy and SciPy, one matrix after another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from olympus_core.program import ArrayType, Attributes

OneMatrix = Callable[[Sequence[np.ndarray], Attributes], Sequence[np.ndarray]]


def batched(
    one: OneMatrix, tails: Sequence[int], types_of: Callable[[Sequence[ArrayType], Attributes], Sequence[ArrayType]],
) -> Callable[[Sequence[np.ndarray], Attributes], Sequence[np.ndarray]]:
    """A reference of all matrices from one of one.

    Args:
        one: The results of one matrix, whose operands have no empty dimension.
        tails: For each operand, how many of its dimensions are no batch dimensions.
        types_of: The operands' types, with the attributes, to the results' types.
    """
    def reference(values: Sequence[np.ndarray], attributes: Attributes) -> Sequence[np.ndarray]:
        types = types_of([ArrayType(v.shape, v.dtype) for v in values], attributes)
        batch = values[0].shape[:values[0].ndim - tails[0]]
        results = [np.zeros(t.shape, t.dtype) for t in types]
        for index in np.ndindex(*batch):
            operands = [v[index] for v in values]
            found = one(operands, attributes) if _is_whole(operands) else _of_nothing(types, len(batch))
            for result, value in zip(results, found, strict=True):
                result[index] = value
        return results

    return reference


def _is_whole(operands: Sequence[np.ndarray]) -> bool:
    return all(x.size for x in operands)


def _of_nothing(types: Sequence[ArrayType], batch: int) -> list[np.ndarray]:
    """What empty matrices give: identities, numbers in their order, zeros."""
    found = []
    for t in types:
        shape = t.shape[batch:]
        if len(shape) == 2:
            found.append(np.eye(*shape, dtype=t.dtype))
        else:
            found.append(np.arange(*shape).astype(t.dtype) if t.dtype.kind == "i" else np.zeros(shape, t.dtype))
    return found


def _lapack(name: str, x: np.ndarray) -> Any:
    from scipy.linalg import get_lapack_funcs
    return get_lapack_funcs((name,), (x,))[0]


def cholesky(values: Sequence[np.ndarray], attributes: Attributes) -> Sequence[np.ndarray]:
    """The lower factor, from the lower triangle."""
    (x,) = values
    factor, info = _lapack("potrf", x)(x, lower=1, clean=1)
    if info or not np.isfinite(np.diagonal(factor)).all():
        return [np.full_like(x, np.nan)]
    return [factor]


def triangular_solve(values: Sequence[np.ndarray], attributes: Attributes) -> Sequence[np.ndarray]:
    """By BLAS."""
    from scipy.linalg import get_blas_funcs
    a, b = values
    trsm = get_blas_funcs(("trsm",), (a, b))[0]
    transposed, conjugated = attributes["transpose"], attributes["conjugate"]
    if conjugated and not transposed:
        a, conjugated = a.conj(), False
    return [trsm(1.0, a, b, side=0 if attributes["left_side"] else 1, lower=int(attributes["lower"]),
                 trans_a=(2 if conjugated else 1) if transposed else 0, diag=int(attributes["unit_diagonal"]))]


def lu(values: Sequence[np.ndarray], attributes: Attributes) -> Sequence[np.ndarray]:
    """The factors, the exchanges, and the order of the rows after them."""
    (x,) = values
    factors, pivots, _ = _lapack("getrf", x)(x)
    order = np.arange(len(x))
    for i, other in enumerate(pivots):
        order[[i, other]] = order[[other, i]]
    return [factors, pivots, order]


def geqrf(values: Sequence[np.ndarray], attributes: Attributes) -> Sequence[np.ndarray]:
    """The reflections and R in one matrix, and the reflections' factors."""
    return _lapack("geqrf", values[0])(values[0])[:2]


def geqp3(values: Sequence[np.ndarray], attributes: Attributes) -> Sequence[np.ndarray]:
    """Columns whose mark is not zero come first and stay; the others follow, the longest remaining one first.

    As LAPACK has it, each of them is exchanged with the column in its place: where there are more columns than rows,
    the order of the last ones depends on it.
    """
    x, marks = values
    fixed, order = np.flatnonzero(marks), np.arange(x.shape[1])
    for i, column in enumerate(map(int, fixed)):
        order[[i, column]] = order[[column, i]]
    packed, count = x[:, order], min(len(fixed), len(x))
    taus = np.zeros(min(x.shape), x.dtype)
    if count:
        packed[:, :len(fixed)], own = geqrf([packed[:, :len(fixed)]], {})
        taus[:count] = own
        held = {"left": True, "transpose": True}
        packed[:, len(fixed):] = ormqr([packed[:, :len(fixed)], own, packed[:, len(fixed):]], held)[0]
    if packed[count:, len(fixed):].size:
        rest, places, own, *_ = _lapack("geqp3", x)(packed[count:, len(fixed):])
        packed[:count, len(fixed):] = packed[:count, len(fixed):][:, places - 1]
        packed[count:, len(fixed):] = rest
        order[len(fixed):] = order[len(fixed):][places - 1]
        taus[count:] = own
    return [packed, order + 1, taus]


def householder_product(values: Sequence[np.ndarray], attributes: Attributes) -> Sequence[np.ndarray]:
    """The first columns of the product of the reflections."""
    a, taus = values
    name = "ungqr" if a.dtype.kind == "c" else "orgqr"
    return [_lapack(name, a)(a, taus)[0]]


def ormqr(values: Sequence[np.ndarray], attributes: Attributes) -> Sequence[np.ndarray]:
    """One reflection after another."""
    a, taus, c = values
    c = c if attributes["left"] else c.conj().T
    # Q c is what the last reflection begins; Q^H c, and the adjoint of c Q, what the first begins.
    backwards = attributes["transpose"] == attributes["left"]
    c = c.copy()
    numbers = range(len(taus)) if backwards else range(len(taus) - 1, -1, -1)
    for i in numbers:
        vector = np.concatenate([np.zeros(i, a.dtype), np.ones(1, a.dtype), a[i + 1:, i]])
        tau = taus[i].conj() if backwards else taus[i]
        c = c - tau * np.outer(vector, vector.conj() @ c)
    return [c if attributes["left"] else c.conj().T]


def eigh(values: Sequence[np.ndarray], attributes: Attributes) -> Sequence[np.ndarray]:
    """The eigenvalues, ascending, and the vectors."""
    (x,) = values
    real = np.zeros((), x.dtype).real.dtype
    nothing = [np.full(len(x), np.nan, real), np.full_like(x, np.nan)][:1 + attributes["vectors"]]
    if not np.isfinite(x).all():
        return nothing
    try:
        if attributes["vectors"]:
            return np.linalg.eigh(x, "L" if attributes["lower"] else "U")
        return [np.linalg.eigvalsh(x, "L" if attributes["lower"] else "U")]
    except np.linalg.LinAlgError:
        return nothing


def eig(values: Sequence[np.ndarray], attributes: Attributes) -> Sequence[np.ndarray]:
    """The eigenvalues, the left and the right vectors."""
    from scipy.linalg import eig
    (x,), left, right = values, attributes["left"], attributes["right"]
    try:
        if np.isfinite(x).all():
            found = eig(x, left=left, right=right, check_finite=False)
            return found if left or right else [found]
    except np.linalg.LinAlgError:
        pass
    return [np.full(len(x), np.nan), *([np.full(x.shape, np.nan)] * (left + right))]


def svd(values: Sequence[np.ndarray], attributes: Attributes) -> Sequence[np.ndarray]:
    """The singular values, and the vectors."""
    (x,) = values
    k, full = min(x.shape), attributes["full_matrices"]
    try:
        if np.isfinite(x).all():
            if not attributes["vectors"]:
                return [np.linalg.svd(x, compute_uv=False)]
            u, s, vh = np.linalg.svd(x, full_matrices=full)
            return [s, u, vh]
    except np.linalg.LinAlgError:
        pass
    shapes = [(k,), (len(x), len(x) if full else k), (x.shape[1] if full else k, x.shape[1])]
    return [np.full(shape, np.nan) for shape in shapes[:3 if attributes["vectors"] else 1]]


def schur(values: Sequence[np.ndarray], attributes: Attributes) -> Sequence[np.ndarray]:
    """The triangular form, and the vectors."""
    from scipy.linalg import schur
    (x,) = values
    try:
        if np.isfinite(x).all():
            return schur(x, check_finite=False)[:1 + attributes["vectors"]]
    except np.linalg.LinAlgError:
        pass
    return [np.full_like(x, np.nan)] * (1 + attributes["vectors"])


def hessenberg(values: Sequence[np.ndarray], attributes: Attributes) -> Sequence[np.ndarray]:
    """The form with the reflections below it, and the reflections' factors."""
    (x,) = values
    if len(x) == 1:
        return [x, np.zeros(0, x.dtype)]
    return _lapack("gehrd", x)(x)[:2]


def tridiagonal(values: Sequence[np.ndarray], attributes: Attributes) -> Sequence[np.ndarray]:
    """The form with the reflections beside it, its diagonals, and the reflections' factors."""
    (x,) = values
    if len(x) == 1:
        return [x, x[0].real, np.zeros(0), np.zeros(0)]
    name = "hetrd" if x.dtype.kind == "c" else "sytrd"
    return _lapack(name, x)(x, lower=int(attributes["lower"]))[:4]


def tridiagonal_solve(values: Sequence[np.ndarray], attributes: Attributes) -> Sequence[np.ndarray]:
    """By elimination with exchanges of rows."""
    below, middle, above, b = values
    if len(middle) == 1:
        return [b / middle[:, None] if middle[0] else np.full_like(b, np.nan)]
    *_, x, info = _lapack("gtsv", b)(below[1:], middle, above[:-1], b)
    return [np.full_like(b, np.nan)] if info else [x]
