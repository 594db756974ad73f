# SPDX-License-Identifier: Apache-2.0
"""Derivatives of factorizations, and of triangular and tridiagonal equations.

References:
    S. P. Smith, Differentiation of the Cholesky algorithm, 1995.
    M. B. Giles, An extended collection of matrix derivative results, 2008.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.errors import MissingDerivativeError

from ...tracing import aval_of, bind, bind_all
from ..traces.arithmetic import add, apply, mul, neg, plus, scaled, sub
from ..traces.matrices import (
    conjugate,
    hermitian_from,
    masked,
    matmul,
    over_columns,
    rows_taken,
    shifted,
    square_with_ones,
    swapped,
    triangle,
)
from ..traces.table import (
    Batched,
    BatchingCall,
    Jvp,
    JvpCall,
    TransposeCall,
    all_batched,
    batching_rule,
    jvp_rule,
    transpose_rule,
)


@batching_rule(
    ops.cholesky, ops.triangular_solve, ops.lu, ops.geqrf, ops.geqp3, ops.householder_product, ops.ormqr, ops.eigh,
    ops.eig, ops.svd, ops.schur, ops.hessenberg, ops.tridiagonal, ops.tridiagonal_solve)
def _batching(call: BatchingCall) -> Batched:
    """The mapped dimension becomes the first batch dimension."""
    values = [call.front(i) for i in range(len(call.values))]
    return all_batched(*bind_all(call.record, values, call.attributes, (), call.weak))


def solved(a: Any, b: Any, **attributes: Any) -> Any:
    """The solution of a X = b for a lower triangular matrix, or as the attributes say."""
    return apply(ops.triangular_solve, a, b, **{
        "left_side": True, "lower": True, "transpose": False, "conjugate": False, "unit_diagonal": False,
        **attributes})


@jvp_rule(ops.cholesky)
def _cholesky_jvp(call: JvpCall) -> Jvp:
    """Forward: dL = L phi(L^-1 dA L^-H), where phi takes the lower triangle and half of the diagonal."""
    (x,), (t,) = call.primals, call.tangents
    factor = bind(ops.cholesky, x, weak=call.weak, **call.attributes)
    inner = solved(factor, hermitian_from(t, lower=True))
    inner = solved(factor, inner, left_side=False, transpose=True, conjugate=dtypes.is_complex(aval_of(x).dtype))
    half = scaled(masked(inner, np.eye(aval_of(x).shape[-1], dtype=bool)), 0.5)
    return [factor], [matmul(factor, add(triangle(inner, lower=True, offset=-1), half))]


@jvp_rule(ops.triangular_solve)
def _triangular_solve_jvp(call: JvpCall) -> Jvp:
    """op(A) dX = dB - op(dA) X, or from the right."""
    (a, b), (ta, right) = call.primals, call.tangents
    solution = bind(ops.triangular_solve, a, b, weak=call.weak, **call.attributes)
    if ta is not None:
        lower, unit = call.attributes["lower"], call.attributes["unit_diagonal"]
        change = triangle(ta, lower=lower, offset=(-1 if lower else 1) if unit else 0)
        change = swapped(change) if call.attributes["transpose"] else change
        change = conjugate(change) if call.attributes["conjugate"] else change
        product = matmul(change, solution) if call.attributes["left_side"] else matmul(solution, change)
        right = neg(product) if right is None else sub(right, product)
    return [solution], [apply(ops.triangular_solve, a, right, **call.attributes)]


@transpose_rule(ops.triangular_solve)
def _triangular_solve_transpose(t: TransposeCall) -> Sequence[Any]:
    """The cotangent of B solves the transposed equations."""
    attributes = {**t.attributes, "transpose": not t.attributes["transpose"]}
    return [None, apply(ops.triangular_solve, t.operands[0], t.cotangent, **attributes)]


@jvp_rule(ops.lu)
def _lu_jvp(call: JvpCall) -> Jvp:
    """With F = L^-1 P dA U^-1: dL = L tril(F, -1) and dU = triu(F) U; L and U are made square by the identity."""
    (x,), (t,) = call.primals, call.tangents
    results = bind_all(ops.lu, [x], call.attributes, (), call.weak)
    factors, _, permutation = results
    *_, m, n = aval_of(x).shape
    lower = square_with_ones(triangle(factors, lower=True, offset=-1), m, unit=True)
    upper = square_with_ones(triangle(factors, lower=False), n, unit=False)
    inner = solved(lower, rows_taken(t, permutation), unit_diagonal=True)
    inner = solved(upper, inner, left_side=False, lower=False)
    tangent = add(matmul(lower, triangle(inner, lower=True, offset=-1)), matmul(triangle(inner, lower=False), upper))
    return results, [tangent, None, None]


@jvp_rule(ops.tridiagonal_solve)
def _tridiagonal_solve_jvp(call: JvpCall) -> Jvp:
    """A dX = dB - dA X."""
    below, middle, above, b = call.primals
    solution = bind(ops.tridiagonal_solve, below, middle, above, b, weak=call.weak, **call.attributes)
    right = call.tangents[3]
    for tangent, step in zip(call.tangents[:3], (1, 0, -1), strict=True):
        if tangent is not None:
            rows = shifted(solution, step, -2) if step else solution
            right = plus(right, neg(mul(over_columns(tangent, solution), rows)))
    return [solution], [apply(ops.tridiagonal_solve, below, middle, above, right, **call.attributes)]


@transpose_rule(ops.tridiagonal_solve)
def _tridiagonal_solve_transpose(t: TransposeCall) -> Sequence[Any]:
    """The cotangent of B solves the transposed equations, whose outer diagonals have changed places."""
    below, middle, above, _ = t.operands
    solution = apply(ops.tridiagonal_solve, shifted(above, 1, -1), middle, shifted(below, -1, -1), t.cotangent,
                     **t.attributes)
    return [None, None, None, solution]


@jvp_rule(ops.ormqr)
def _ormqr_jvp(call: JvpCall) -> Jvp:
    """Linear in the matrix that is multiplied; the reflectors are held."""
    a, taus, c = call.primals
    if call.tangents[0] is not None or call.tangents[1] is not None:
        _no_derivative(call)
    return ([bind(ops.ormqr, a, taus, c, weak=call.weak, **call.attributes)],
            [apply(ops.ormqr, a, taus, call.tangents[2], **call.attributes)])


@transpose_rule(ops.ormqr)
def _ormqr_transpose(t: TransposeCall) -> Sequence[Any]:
    """The transpose of Q is the conjugate of its adjoint."""
    attributes = {**t.attributes, "transpose": not t.attributes["transpose"]}
    return [None, None, conjugate(apply(ops.ormqr, t.operands[0], t.operands[1], conjugate(t.cotangent), **attributes))]


def _no_derivative(call: JvpCall) -> Jvp:
    raise MissingDerivativeError(call.record.name, "its packed factors" if call.record is ops.ormqr else "the matrix")


jvp_rule(ops.geqrf, ops.geqp3, ops.householder_product, ops.hessenberg, ops.tridiagonal, ops.schur)(_no_derivative)
