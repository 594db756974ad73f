# SPDX-License-Identifier: Apache-2.0
"""Derivatives of eigenvalues, singular values and their vectors.

Vectors that belong to equal values have no derivative: theirs is infinite or NaN. That of the values alone needs no
vectors and stays finite.

References:
    M. B. Giles, An extended collection of matrix derivative results, 2008, sections 3.1 and 3.2.
    J. Townsend, Differentiating the singular value decomposition, 2016.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.errors import NotSupportedError

from ...operands import broadcast
from ...tracing import aval_of, bind_all
from ..traces.arithmetic import add, apply, convert, div, filled, like, mul, neg, select, sub
from ..traces.matrices import (
    adjoint,
    constant,
    diagonal,
    hermitian_from,
    imaginary,
    masked,
    matmul,
    over_columns,
    over_rows,
    real,
    rows_taken,
)
from ..traces.table import Jvp, JvpCall, jvp_rule
from .linear_algebra import solved


def _of_type(x: Any, like_this: Any) -> Any:
    return convert(x, aval_of(like_this).dtype)


def _gaps(values: Any, matrix: Any) -> Any:
    """The numbers 1 / (w_j - w_i) at (i, j), zero on the diagonal, infinite where values are equal."""
    gaps = sub(over_rows(values, matrix), over_columns(values, matrix))
    ones = _identity(gaps)
    return sub(div(like(gaps, 1), add(gaps, ones)), ones)


def _identity(like_this: Any) -> Any:
    """The identity for each matrix of an array."""
    aval = aval_of(like_this)
    return broadcast(constant(np.eye(aval.shape[-1], dtype=aval.dtype)), aval.shape, weak=False)


@jvp_rule(ops.eigh)
def _eigh_jvp(call: JvpCall) -> Jvp:
    """With C = V^H dA V: dw = diag(C), and dV = V (C / (w_j - w_i))."""
    (x,), (t,) = call.primals, call.tangents
    values, vectors = bind_all(ops.eigh, [x], {**call.attributes, "vectors": True}, (), call.weak)
    change = hermitian_from(t, lower=call.attributes["lower"])
    inner = matmul(matmul(adjoint(vectors), change), vectors)
    moved = real(diagonal(inner))
    if not call.attributes["vectors"]:
        return [values], [moved]
    rotation = mul(_of_type(_gaps(values, inner), inner), inner)
    return [values, vectors], [moved, matmul(vectors, rotation)]


@jvp_rule(ops.eig)
def _eig_jvp(call: JvpCall) -> Jvp:
    """With C = V^-1 dA V: dw = diag(C); each vector stays of length one, its greatest element real, as LAPACK's are."""
    (x,), (t,) = call.primals, call.tangents
    left, right = call.attributes["left"], call.attributes["right"]
    found = bind_all(ops.eig, [x], {**call.attributes, "right": True}, (), call.weak)
    values, vectors = found[0], found[-1]
    change = _of_type(t, values)
    inner = _solve(vectors, matmul(change, vectors))
    tangents = [diagonal(inner)]
    if left:
        own = found[1]
        other = _solve(own, matmul(adjoint(change), own))
        tangents.append(_vectors_moved(apply(ops.conj, values), own, other))
    if right:
        tangents.append(_vectors_moved(values, vectors, inner))
    results = [values, *([found[1]] if left else []), *([vectors] if right else [])]
    return results, tangents


def _vectors_moved(values: Any, vectors: Any, inner: Any) -> Any:
    moved = matmul(vectors, mul(_gaps(values, inner), inner))
    if not aval_of(vectors).type.size:
        return moved
    rows = aval_of(vectors).ndim - 2
    # What is added along each vector keeps its length, and the element that is real by convention real.
    along = neg(real(_row_sum(mul(apply(ops.conj, vectors), moved))))
    size = apply(ops.abs, vectors)
    aval = aval_of(size)
    places = apply(ops.argmax, size, dimension=rows, dtype=np.dtype(np.int32))
    numbers = apply(ops.iota, shape=aval.shape, dtype=np.dtype(np.int32), dimension=rows)
    greatest = apply(ops.eq, numbers, over_rows(places, vectors))
    nothing = filled(aval, 0)
    turned = _row_sum(select(greatest, imaginary(moved), nothing))
    turned = neg(div(turned, _row_sum(select(greatest, real(vectors), nothing))))
    return add(moved, mul(vectors, over_rows(apply(ops.complex, along, turned), vectors)))


def _row_sum(x: Any) -> Any:
    return apply(ops.reduce_sum, x, dimensions=(aval_of(x).ndim - 2,))


def _solve(a: Any, b: Any) -> Any:
    """The solution of a X = b, by LU."""
    factors, _, permutation = bind_all(ops.lu, [a], {}, (), False)
    b = solved(factors, rows_taken(b, permutation), unit_diagonal=True)
    return solved(factors, b, lower=False)


@jvp_rule(ops.svd)
def _svd_jvp(call: JvpCall) -> Jvp:
    """With C = U^H dA V: ds = diag(C); dU and dV from C s + (C s)^H and s C + (s C)^H over s_j^2 - s_i^2."""
    (x,), (t,) = call.primals, call.tangents
    *_, m, n = aval_of(x).shape
    vectors, full = call.attributes["vectors"], call.attributes["full_matrices"]
    if vectors and full and m != n:
        raise NotSupportedError(
            "the derivative of svd(full_matrices=True) of matrices that are not square",
            "vectors of the space that the matrix does not reach are arbitrary", "Use full_matrices=False.")
    s, u, vh = bind_all(ops.svd, [x], {**call.attributes, "vectors": True, "full_matrices": False}, (), call.weak)
    v = adjoint(vh)
    inner = matmul(matmul(adjoint(u), t), v)
    moved = real(diagonal(inner))
    if not vectors:
        return [s], [moved]
    gaps = _of_type(mul(_gaps(s, inner), _over_sums(s, inner)), inner)
    columns = mul(inner, _of_type(over_rows(s, inner), inner))
    rows = mul(_of_type(over_columns(s, inner), inner), inner)
    turn = mul(gaps, add(columns, adjoint(columns)))
    if dtypes.is_complex(aval_of(inner).dtype):
        # The phase of each pair of vectors: half of what is imaginary on the diagonal goes to either; here all to U.
        phase = div(sub(inner, adjoint(inner)), _of_type(over_rows(add(s, s), inner), inner))
        turn = add(turn, masked(phase, np.eye(aval_of(inner).shape[-1], dtype=bool)))
    du = matmul(u, turn)
    dv = matmul(v, mul(gaps, add(rows, adjoint(rows))))
    if m > n:
        outside = sub(matmul(t, v), matmul(u, inner))
        du = add(du, div(outside, _of_type(over_rows(s, outside), outside)))
    if n > m:
        outside = sub(matmul(adjoint(t), u), matmul(v, adjoint(inner)))
        dv = add(dv, div(outside, _of_type(over_rows(s, outside), outside)))
    return [s, u, vh], [moved, du, adjoint(dv)]


def _over_sums(s: Any, matrix: Any) -> Any:
    """The numbers 1 / (s_i + s_j) off the diagonal, and others on it."""
    sums = add(over_rows(s, matrix), over_columns(s, matrix))
    return div(like(sums, 1), add(sums, _identity(sums)))
