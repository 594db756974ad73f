# SPDX-License-Identifier: Apache-2.0
"""The QR factorization by reflections, and its derivatives."""

from __future__ import annotations

from typing import Any

import numpy as np

from olympus_core import dtypes, ops

from ..operands import broadcast, dtype_of, shape_of
from ..tracing import bind, bind_all
from ..transforms.derivatives.custom_forward import custom_jvp
from ..transforms.rules.linear_algebra import solved
from ..transforms.traces.annotations import constants
from ..transforms.traces.arithmetic import add, apply, sub
from ..transforms.traces.matrices import (
    adjoint,
    constant,
    imaginary,
    masked,
    matmul,
    part,
    rows_taken,
    triangle,
)


def _packed_qr(x: Any, full: bool) -> tuple[Any, Any]:
    """Q and R by reflections."""
    *batch, m, n = shape_of(x)
    packed, taus = bind_all(ops.geqrf, [x], {}, (), None)
    return _unpacked(packed, taus, m if full else min(m, n))


def _unpacked(packed: Any, taus: Any, count: int) -> tuple[Any, Any]:
    *batch, m, n = shape_of(packed)
    upper = part(triangle(packed, lower=False), 0, count, -2)
    if count <= n:
        vectors = part(packed, 0, count, -1)
    else:
        none = (0,) * len(shape_of(packed))
        vectors = apply(ops.pad, packed, constant(np.zeros((), dtype_of(packed))), low=none,
                        high=(*none[:-1], count - n), interior=none)
    return bind(ops.householder_product, vectors, taus), upper


def _qr_tangents(q: Any, r: Any, t: Any) -> tuple[Any, Any]:
    """With M = Q^H dA R^-1 of the first columns and W its skew part: dQ = dA R^-1 - Q (M - W), dR = Q^H dA - W R."""
    k, n = shape_of(r)[-2:]
    square = part(r, 0, k, -1)
    quotient = bind(ops.triangular_solve, square, part(t, 0, k, -1), left_side=False, lower=False, transpose=False,
                    conjugate=False, unit_diagonal=False, weak=False)
    inner = matmul(adjoint(q), quotient)
    below = triangle(inner, lower=True, offset=-1)
    skew = sub(below, adjoint(below))
    if dtypes.is_complex(dtype_of(inner)):
        middle = imaginary(masked(inner, np.eye(k, dtype=bool)))
        skew = add(skew, apply(ops.complex, sub(middle, middle), middle))
    upper = triangle(sub(inner, skew), lower=False)
    moved = matmul(upper, square) if k == n else sub(matmul(adjoint(q), t), matmul(skew, r))
    return sub(quotient, matmul(q, upper)), triangle(moved, lower=False)


@custom_jvp
def reduced_qr(x: Any) -> tuple[Any, Any]:
    """Q with as many columns as the smaller size of the matrix, and R."""
    return _packed_qr(x, full=False)


@reduced_qr.defjvp
def _reduced_tangents(primals: Any, tangents: Any) -> Any:
    q, r = reduced_qr(*primals)
    return (q, r), _qr_tangents(q, r, tangents[0])


@custom_jvp
def full_qr(x: Any) -> tuple[Any, Any]:
    """Square Q, and R of the matrix's shape; the matrix has more rows than columns."""
    return _packed_qr(x, full=True)


@full_qr.defjvp
def _full_tangents(primals: Any, tangents: Any) -> Any:
    """Q = I - Y T Y^H (Schreiber and Van Loan), so that with I and Q cut behind the first columns, [I1 I2] and [Q1 Q2]:
    Q2 = I2 + (Q1 - I1) Z^H, where Z is the lower part of Q1 - I1 times the inverse of the upper one.
    """
    q, r = full_qr(*primals)
    m, n = shape_of(primals[0])[-2:]
    first = part(q, 0, n, -1)
    change, upper = _qr_tangents(first, part(r, 0, n, -2), tangents[0])
    moved = sub(first, broadcast(constant(np.eye(m, n, dtype=dtype_of(q))), shape_of(first), weak=False))
    # Its factors are found once, for Z and for the change of Z.
    factors, _, order = bind_all(ops.lu, [adjoint(part(moved, 0, n, -2))], {}, (), None)

    def divided(x: Any) -> Any:
        return solved(factors, solved(factors, rows_taken(adjoint(x), order), unit_diagonal=True), lower=False)

    turned = divided(part(moved, n, m, -2))
    change_of_turned = divided(sub(part(change, n, m, -2), matmul(adjoint(turned), part(change, 0, n, -2))))
    rest = add(matmul(change, turned), matmul(moved, change_of_turned))
    none = (0,) * len(shape_of(q))
    zero = constant(np.zeros((), dtype_of(q)))
    return (q, r), (
        apply(ops.concatenate, change, rest, dimension=len(none) - 1),
        apply(ops.pad, upper, zero, low=none, high=(*none[:-2], m - n, 0), interior=none))


def column_order(x: Any) -> Any:
    """The order of the columns, from zero, after QR with exchanges; it has no derivative."""
    *batch, _, n = shape_of(x)
    free = broadcast(constant(np.zeros((), np.int32)), (*batch, n), weak=False)
    pivots = bind_all(ops.geqp3, [constants(x), free], {}, (), None)[1]
    return sub(pivots, broadcast(constant(np.ones((), np.int32)), (*batch, n), weak=False))
