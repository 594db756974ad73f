# SPDX-License-Identifier: Apache-2.0
"""The decompositions that StableHLO has: Cholesky's, and the solution of triangular equations."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from olympus_core import dtypes
from olympus_core.program import Operation

from .table import emits
from .writer import Name, Writer

Names = Sequence[Name]


@emits("cholesky")
def _cholesky(w: Writer, operation: Operation, xs: Names) -> Names:
    """What StableHLO leaves in the other triangle, and of a matrix that has no factor, is open: 0 and NaN here."""
    (x,), result = xs, operation.results[0].type
    if not result.size:
        return [w.splat(0, result)]
    ndim = result.ndim
    found = w.op("cholesky", [x], result, "lower = true")
    rows, columns = (w.iota(result.shape, np.dtype(np.int32), d) for d in (ndim - 2, ndim - 1))
    # Without a factor some number on the diagonal is NaN, infinite or zero: (d - d) / d is NaN there, and 0 elsewhere.
    diagonal = w.select(w.compare("EQ", rows, columns), found, w.splat(1, result))
    doubt = w.same("divide", w.same("subtract", diagonal, diagonal), diagonal)
    total = w.reduce(doubt, w.scalar(0, result.dtype), [ndim - 2, ndim - 1], "add")
    spread = w.broadcast(total, result.shape, range(ndim - 2))
    return [w.same("add", w.select(w.compare("GE", rows, columns), found, w.splat(0, result)), spread)]


@emits("triangular_solve")
def _triangular_solve(w: Writer, operation: Operation, xs: Names) -> Names:
    (a, b), result, attributes = xs, operation.results[0].type, operation.attributes
    if not a.type.size or not result.size:
        return [w.splat(0, result)]
    transposed, conjugated = attributes["transpose"], attributes["conjugate"] and dtypes.is_complex(a.dtype)
    if conjugated and not transposed:
        part = a.type.with_dtype(dtypes.real_part(a.dtype))
        a = w.op("complex", [w.op("real", [a], part), w.op("negate", [w.op("imag", [a], part)], part)], a.type)
    choice = "NO_TRANSPOSE" if not transposed else "ADJOINT" if conjugated else "TRANSPOSE"
    flags = ", ".join(f"{name} = {str(attributes[name]).lower()}" for name in ("left_side", "lower", "unit_diagonal"))
    return [w.op("triangular_solve", [a, b], result,
                 f"{flags}, transpose_a = #stablehlo<transpose {choice}>")]
