# SPDX-License-Identifier: Apache-2.0
"""Operations of linear algebra: decompositions of matrices, and equations with them.

Matrices stand in the last two dimensions; the dimensions in front are batch dimensions, along which everything may be
split. A dimension of a matrix is never split, but for columns of right-hand sides. What has no result (a matrix that
is not positive definite, an iteration that does not converge) is NaN.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from olympus_core import dtypes
from olympus_core.errors import OperandError
from olympus_core.program import ArrayType, Attributes, FactorRule, OperationRecord, Program
from olympus_core.program.exactness import Exactness
from olympus_core.program.record import FactorRuleOf

from . import linear_algebra_references as references
from .rules import FactorTable, check, quiet, refuse

Types = Sequence[ArrayType]
Shape = tuple[int, ...]
_INT32 = np.dtype(np.int32)
_TYPES = (dtypes.float32, dtypes.float64, dtypes.complex64, dtypes.complex128)

_FACTORS = Exactness("matrix", 200, 200, signed_zero=False)


def _check_types(name: str, types: Types) -> None:
    """Refuses element types that LAPACK does not have, and operands of several."""
    if types[0].dtype not in _TYPES:
        refuse(name, f"does not take {types[0].dtype.name}", types, "float32, float64, complex64 or complex128",
               "Convert the array first with x.astype(...).")
    if any(t.dtype != types[0].dtype for t in types):
        refuse(name, "operands differ in element type", types, "one element type", "Convert with x.astype(...).")


def _matrix(name: str, types: Types, operand: int = 0, square: bool = False) -> tuple[Shape, int, int]:
    """The batch dimensions, rows and columns of an operand."""
    shape = types[operand].shape
    if len(shape) < 2 or (square and shape[-1] != shape[-2]):
        refuse(name, f"operand {operand} holds no {'square ' if square else ''}matrices", types,
               "a shape (..., n, n)" if square else "a shape (..., m, n)")
    return shape[:-2], shape[-2], shape[-1]


def _check_flags(name: str, attributes: Attributes, *keys: str) -> None:
    for key in keys:
        if not isinstance(attributes[key], bool):
            raise OperandError(name, f"{key} does not fit", attributes[key], "True or False")


def _check_shape(name: str, types: Types, operand: int, shape: Shape) -> None:
    if types[operand].shape != shape:
        refuse(name, f"operand {operand} has a shape that does not fit", types, f"the shape {shape}")


def _complex_of(dtype: np.dtype) -> np.dtype:
    return np.result_type(dtype, dtypes.complex64)


def _batch_factors(tails: Sequence[int], free: Callable[[Attributes], dict[int, int]] | None = None) -> FactorRuleOf:
    """Splits batch dimensions alone, and the dimensions that are free columns or rows of right-hand sides.

    Args:
        tails: For each operand, how many dimensions are no batch dimensions.
        free: Attributes to the operand that has a free dimension, with its place from the end; results have it at
            the same place.
    """
    def rule(operands: Types, results: Types, attributes: Attributes) -> FactorRule:
        table = FactorTable()
        batch = operands[0].shape[:operands[0].ndim - tails[0]]
        front = [table.new(n) for n in batch]
        places = free(attributes) if free else {}
        split = {place: table.new(operands[i].shape[place]) for i, place in places.items()}

        def terms(type: ArrayType, place: int | None) -> list[int]:
            rest = range(len(batch) - type.ndim, 0)
            return [*front, *(split[d] if d == place else table.whole(type.shape[d]) for d in rest)]

        given = [terms(t, places.get(i)) for i, t in enumerate(operands)]
        return table.rule(given, [terms(t, next(iter(places.values()), None)) for t in results])

    return rule


def _record(
    name: str, type_rule: Callable[[Types, Attributes], Types], keys: Sequence[str], count: int,
    reference: references.OneMatrix, tails: Sequence[int],
    free: Callable[[Attributes], dict[int, int]] | None = None, cost: float = 100.0,
) -> OperationRecord:
    def checked(types: Types, attributes: Attributes, regions: Sequence[Program]) -> Types:
        check(name, types, attributes, regions, count, keys)
        _check_flags(name, attributes, *keys)
        return type_rule(types, attributes)

    return OperationRecord(
        name, "linear_algebra", checked, _batch_factors(tails, free),
        quiet(references.batched(reference, tails, type_rule)), exactness=_FACTORS, cost=cost)


def _square_type(name: str) -> Callable[[Types, Attributes], Types]:
    def rule(types: Types, attributes: Attributes) -> Types:
        _matrix(name, types, square=True)
        _check_types(name, types)
        return (types[0],)
    return rule


def _triangular_solve_type(types: Types, attributes: Attributes) -> Types:
    batch, n, _ = _matrix("triangular_solve", types, square=True)
    other, rows, columns = _matrix("triangular_solve", types, 1)
    _check_types("triangular_solve", types)
    if other != batch or (rows if attributes["left_side"] else columns) != n:
        refuse("triangular_solve", "the right-hand sides do not fit the matrices", types,
               "(..., n, n) and (..., n, k), or (..., k, n) where the matrix is on the right")
    return (types[1],)


def _lu_type(types: Types, attributes: Attributes) -> Types:
    batch, m, n = _matrix("lu", types)
    _check_types("lu", types)
    return (types[0], ArrayType((*batch, min(m, n)), _INT32), ArrayType((*batch, m), _INT32))


def _geqrf_type(types: Types, attributes: Attributes) -> Types:
    batch, m, n = _matrix("geqrf", types)
    _check_types("geqrf", types)
    return (types[0], types[0].with_shape((*batch, min(m, n))))


def _geqp3_type(types: Types, attributes: Attributes) -> Types:
    batch, m, n = _matrix("geqp3", types)
    _check_types("geqp3", types[:1])
    if types[1].dtype != _INT32:
        refuse("geqp3", "the columns' marks are no int32", types, "int32")
    _check_shape("geqp3", types, 1, (*batch, n))
    return (types[0], types[1], types[0].with_shape((*batch, min(m, n))))


def _householder_type(types: Types, attributes: Attributes) -> Types:
    batch, m, n = _matrix("householder_product", types)
    _check_types("householder_product", types)
    taus = types[1].shape
    if m < n or taus[:-1] != batch or not taus or taus[-1] > n:
        refuse("householder_product", "the shapes do not fit", types,
               "(..., m, n) with m >= n, and (..., k) with k <= n")
    return (types[0],)


def _ormqr_type(types: Types, attributes: Attributes) -> Types:
    batch, m, n = _matrix("ormqr", types)
    other, rows, columns = _matrix("ormqr", types, 2)
    _check_types("ormqr", types)
    taus = types[1].shape
    if taus[:-1] != batch or not taus or taus[-1] > min(m, n) or other != batch or (
            rows if attributes["left"] else columns) != m:
        refuse("ormqr", "the shapes do not fit", types, "(..., m, n), (..., k) with k <= min(m, n), and (..., m, l), "
               "or (..., l, m) from the right")
    return (types[2],)


def _eigh_type(types: Types, attributes: Attributes) -> Types:
    batch, n, _ = _matrix("eigh", types, square=True)
    _check_types("eigh", types)
    values = ArrayType((*batch, n), dtypes.real_part(types[0].dtype))
    return (values, types[0]) if attributes["vectors"] else (values,)


def _eig_type(types: Types, attributes: Attributes) -> Types:
    batch, n, _ = _matrix("eig", types, square=True)
    _check_types("eig", types)
    kind = _complex_of(types[0].dtype)
    vectors = ArrayType(types[0].shape, kind)
    return (ArrayType((*batch, n), kind), *([vectors] * (attributes["left"] + attributes["right"])))


def _svd_type(types: Types, attributes: Attributes) -> Types:
    batch, m, n = _matrix("svd", types)
    _check_types("svd", types)
    k, full = min(m, n), attributes["full_matrices"]
    values = ArrayType((*batch, k), dtypes.real_part(types[0].dtype))
    if not attributes["vectors"]:
        return (values,)
    left, right = (m, n) if full else (k, k)
    return (values, types[0].with_shape((*batch, m, left)), types[0].with_shape((*batch, right, n)))


def _schur_type(types: Types, attributes: Attributes) -> Types:
    _matrix("schur", types, square=True)
    _check_types("schur", types)
    return (types[0],) * (1 + attributes["vectors"])


def _hessenberg_type(types: Types, attributes: Attributes) -> Types:
    batch, n, _ = _matrix("hessenberg", types, square=True)
    _check_types("hessenberg", types)
    return (types[0], types[0].with_shape((*batch, max(n - 1, 0))))


def _tridiagonal_type(types: Types, attributes: Attributes) -> Types:
    batch, n, _ = _matrix("tridiagonal", types, square=True)
    _check_types("tridiagonal", types)
    real = dtypes.real_part(types[0].dtype)
    return (types[0], ArrayType((*batch, n), real), ArrayType((*batch, max(n - 1, 0)), real),
            types[0].with_shape((*batch, max(n - 1, 0))))


def _tridiagonal_solve_type(types: Types, attributes: Attributes) -> Types:
    batch, n, _ = _matrix("tridiagonal_solve", types, 3)
    _check_types("tridiagonal_solve", types)
    for operand in range(3):
        _check_shape("tridiagonal_solve", types, operand, (*batch, n))
    return (types[3],)


cholesky = _record("cholesky", _square_type("cholesky"), [], 1, references.cholesky, [2])
triangular_solve = _record(
    "triangular_solve", _triangular_solve_type, ["left_side", "lower", "transpose", "conjugate", "unit_diagonal"], 2,
    references.triangular_solve, [2, 2], lambda a: {1: -1 if a["left_side"] else -2})
lu = _record("lu", _lu_type, [], 1, references.lu, [2])
geqrf = _record("geqrf", _geqrf_type, [], 1, references.geqrf, [2])
geqp3 = _record("geqp3", _geqp3_type, [], 2, references.geqp3, [2, 1])
householder_product = _record(
    "householder_product", _householder_type, [], 2, references.householder_product, [2, 1])
ormqr = _record("ormqr", _ormqr_type, ["left", "transpose"], 3, references.ormqr, [2, 1, 2],
                lambda a: {2: -1 if a["left"] else -2})
eigh = _record("eigh", _eigh_type, ["lower", "vectors"], 1, references.eigh, [2])
eig = _record("eig", _eig_type, ["left", "right"], 1, references.eig, [2])
svd = _record("svd", _svd_type, ["full_matrices", "vectors"], 1, references.svd, [2])
schur = _record("schur", _schur_type, ["vectors"], 1, references.schur, [2])
hessenberg = _record("hessenberg", _hessenberg_type, [], 1, references.hessenberg, [2])
tridiagonal = _record("tridiagonal", _tridiagonal_type, ["lower"], 1, references.tridiagonal, [2])
tridiagonal_solve = _record(
    "tridiagonal_solve", _tridiagonal_solve_type, [], 4, references.tridiagonal_solve, [1, 1, 1, 2],
    lambda a: {3: -1}, cost=10.0)
