# SPDX-License-Identifier: Apache-2.0
"""The entries of the operation table: LAPACK's functions for matrices in row-major order.

To LAPACK a matrix in row-major order is its transpose. Where that is as good (a triangle is the other one, singular
vectors change sides) nothing is moved; elsewhere matrices are transposed before and after.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from olympus_core import dtypes
from olympus_core.program import Operation
from olympus_core.toolkit import Kernel, KernelFactory

from ..native.routines import Routine
from . import small
from .library import call, letter
from .plan import Plan, kernel_of

_INT = np.dtype(np.int32)


def _cholesky(operation: Operation) -> Routine:
    """The transpose's upper factor, for which A^T = U^H U: in row-major order that is the conjugate's, so A's, L."""
    x = operation.operands[0].type
    if small.is_small(operation):
        return small.cholesky(operation)
    n, plan = x.shape[-1], Plan(operation, [2])
    (a,), (out,), status = plan.operands, plan.results, plan.work(4)
    plan.copy(n * n * x.dtype.itemsize, a, out)
    plan.call(letter(x.dtype) + "potrf", plan.letter("U"), plan.size(n), out, plan.size(n), status, status=status)
    plan.clear_above(x.dtype.itemsize, n, out)
    plan.check(x.dtype, n, out, step=n + 1)
    plan.fill(x.dtype, n * n, out)
    return plan.routine(n, n ** 3 / 3)


def _triangular_solve(operation: Operation) -> Routine | None:
    a, b = [v.type for v in operation.operands]
    attributes = operation.attributes
    transposed, is_complex = attributes["transpose"], dtypes.is_complex(a.dtype)
    if attributes["conjugate"] and not transposed and is_complex:
        return None  # a choice that BLAS does not have
    if small.is_small(operation):
        return small.triangular_solve(operation)
    n, (rows, columns), plan = a.shape[-1], b.shape[-2:], Plan(operation, [2, 2])
    (matrix, sides), (out,), itemsize = plan.operands, plan.results, a.dtype.itemsize
    plan.copy(rows * columns * itemsize, sides, out)
    choice = "N" if not transposed else "C" if attributes["conjugate"] and is_complex else "T"
    plan.call(
        letter(a.dtype) + "trsm", plan.letter("R" if attributes["left_side"] else "L"),
        plan.letter("U" if attributes["lower"] else "L"), plan.letter(choice),
        plan.letter("U" if attributes["unit_diagonal"] else "N"), plan.size(columns), plan.size(rows),
        plan.constant(np.ones((), a.dtype)), matrix, plan.size(n), out, plan.size(columns))
    return plan.routine(max(n, rows, columns), n * rows * columns)


def _lu(operation: Operation) -> Routine:
    if small.is_small(operation):
        return small.lu(operation)
    x, plan = operation.operands[0].type, Plan(operation, [2])
    (m, n), itemsize = x.shape[-2:], x.dtype.itemsize
    (a,), (out, pivots, order), work = plan.operands, plan.results, plan.work(m * n * itemsize)
    plan.transpose(itemsize, m, n, a, work)
    plan.call(letter(x.dtype) + "getrf", plan.size(m), plan.size(n), work, plan.size(m), pivots, plan.work(4))
    plan.transpose(itemsize, n, m, work, out)
    plan.count_pivots(pivots, order, min(m, n), m)
    return plan.routine(max(m, n), m * n * min(m, n))


def _geqrf(operation: Operation) -> Routine:
    x, plan = operation.operands[0].type, Plan(operation, [2])
    (m, n), itemsize, name = x.shape[-2:], x.dtype.itemsize, letter(x.dtype) + "geqrf"
    (a,), (out, taus), work = plan.operands, plan.results, plan.work(m * n * itemsize)
    length = _length(x.dtype, lambda space, size: call(
        name, _size(m), _size(n), space, _size(m), space, space, size, _size(0)))
    plan.transpose(itemsize, m, n, a, work)
    plan.call(name, plan.size(m), plan.size(n), work, plan.size(m), taus, plan.work(length * itemsize),
              plan.size(length), plan.work(4))
    plan.transpose(itemsize, n, m, work, out)
    return plan.routine(max(m, n), 2 * m * n * min(m, n))


def _householder_product(operation: Operation) -> Routine:
    x, plan = operation.operands[0].type, Plan(operation, [2, 1])
    (m, n), k, itemsize = x.shape[-2:], operation.operands[1].type.shape[-1], x.dtype.itemsize
    name = letter(x.dtype) + ("ungqr" if dtypes.is_complex(x.dtype) else "orgqr")
    (a, taus), (out,), work = plan.operands, plan.results, plan.work(m * n * itemsize)
    length = _length(x.dtype, lambda space, size: call(
        name, _size(m), _size(n), _size(k), space, _size(m), space, space, size, _size(0)))
    plan.transpose(itemsize, m, n, a, work)
    plan.call(name, plan.size(m), plan.size(n), plan.size(k), work, plan.size(m), taus, plan.work(length * itemsize),
              plan.size(length), plan.work(4))
    plan.transpose(itemsize, n, m, work, out)
    return plan.routine(max(m, n), 2 * m * n * n)


def _ormqr(operation: Operation) -> Routine:
    x, c = operation.operands[0].type, operation.operands[2].type
    plan, itemsize, k = Plan(operation, [2, 1, 2]), x.dtype.itemsize, operation.operands[1].type.shape[-1]
    (m, n), (rows, columns) = x.shape[-2:], c.shape[-2:]
    is_complex = dtypes.is_complex(x.dtype)
    name = letter(x.dtype) + ("unmqr" if is_complex else "ormqr")
    side = "L" if operation.attributes["left"] else "R"
    choice = "N" if not operation.attributes["transpose"] else "C" if is_complex else "T"
    (a, taus, given), (out,) = plan.operands, plan.results
    reflections, work = plan.work(m * n * itemsize), plan.work(rows * columns * itemsize)
    length = _length(x.dtype, lambda space, size: call(
        name, _letter(side), _letter(choice), _size(rows), _size(columns), _size(k), space, _size(m), space, space,
        _size(rows), space, size, _size(0)))
    plan.transpose(itemsize, m, n, a, reflections)
    plan.transpose(itemsize, rows, columns, given, work)
    plan.call(name, plan.letter(side), plan.letter(choice), plan.size(rows), plan.size(columns), plan.size(k),
              reflections, plan.size(m), taus, work, plan.size(rows), plan.work(length * itemsize),
              plan.size(length), plan.work(4))
    plan.transpose(itemsize, columns, rows, work, out)
    return plan.routine(max(m, rows, columns), 4 * rows * columns * k)


def _eigh(operation: Operation) -> Routine:
    """By divide and conquer."""
    if small.has_small_vectors(operation):
        return small.eigh(operation)
    x, plan = operation.operands[0].type, Plan(operation, [2])
    n, itemsize, is_complex = x.shape[-1], x.dtype.itemsize, dtypes.is_complex(x.dtype)
    has_vectors, real = operation.attributes["vectors"], dtypes.real_part(x.dtype)
    name = letter(x.dtype) + ("heevd" if is_complex else "syevd")
    job, triangle = "V" if has_vectors else "N", "L" if operation.attributes["lower"] else "U"
    (a,), (values, *vectors), work = plan.operands, plan.results, plan.work(n * n * itemsize)
    sizes = [np.zeros(2, t) for t in (x.dtype, *([real] if is_complex else []), _INT)]
    minus = _size(-1)
    call(name, _letter(job), _letter(triangle), _size(n), sizes[0], _size(n), sizes[0],
         *(part for size in sizes for part in (size, minus)), _size(0))
    lengths = [max(1, int(size[0].real)) for size in sizes]
    spaces = [part for size, length in zip(sizes, lengths, strict=True)
              for part in (plan.work(length * size.itemsize), plan.size(length))]
    status = plan.work(4)
    plan.check(x.dtype, n * n, a)
    plan.transpose(itemsize, n, n, a, work)
    plan.call(name, plan.letter(job), plan.letter(triangle), plan.size(n), work, plan.size(n), values, *spaces, status,
              status=status)
    plan.fill(real, n, values)
    for out in vectors:
        plan.transpose(itemsize, n, n, work, out)
        plan.fill(x.dtype, n * n, out)
    return plan.routine(n, 10 * n ** 3)


def _svd(operation: Operation) -> Routine:
    """Of the transpose, whose left vectors are the right ones, by divide and conquer."""
    x, plan = operation.operands[0].type, Plan(operation, [2])
    (m, n), itemsize, is_complex = x.shape[-2:], x.dtype.itemsize, dtypes.is_complex(x.dtype)
    real, k, name = dtypes.real_part(x.dtype), min(x.shape[-2:]), letter(x.dtype) + "gesdd"
    job = "N" if not operation.attributes["vectors"] else "A" if operation.attributes["full_matrices"] else "S"
    kept = m if job == "A" else k
    (a,), (values, *vectors), work = plan.operands, plan.results, plan.work(m * n * itemsize)
    # 'N' needs 7 min, 'S' and 'A' the rest: the bounds of LAPACK's documentation.
    reals = max(7 * k, 5 * k * k + 5 * k, 2 * max(m, n) * k + 2 * k * k + k) * real.itemsize
    length = _length(x.dtype, lambda space, size: call(
        name, _letter(job), _size(n), _size(m), space, _size(n), space, space, _size(n), space, _size(kept), space,
        size, *([space] if is_complex else []), space, _size(0)))
    left, right = vectors if vectors else (plan.work(1), plan.work(1))
    status = plan.work(4)
    plan.check(x.dtype, m * n, a)
    plan.copy(m * n * itemsize, a, work)
    plan.call(name, plan.letter(job), plan.size(n), plan.size(m), work, plan.size(n), values, right, plan.size(n),
              left, plan.size(kept), plan.work(length * itemsize), plan.size(length),
              *([plan.work(reals)] if is_complex else []), plan.work(8 * k * 4), status, status=status)
    plan.fill(real, k, values)
    for result, out in zip(operation.results[1:], vectors, strict=True):
        rows, columns = result.type.shape[-2:]
        plan.fill(x.dtype, rows * columns, out)
    return plan.routine(max(m, n), 20 * m * n * k)


def _geqp3(operation: Operation) -> Routine:
    """Columns whose mark is not zero are exchanged to the front before the others are chosen by their length."""
    x, plan = operation.operands[0].type, Plan(operation, [2, 1])
    (m, n), itemsize, is_complex = x.shape[-2:], x.dtype.itemsize, dtypes.is_complex(x.dtype)
    name = letter(x.dtype) + "geqp3"
    (a, marks), (out, order, taus), work = plan.operands, plan.results, plan.work(m * n * itemsize)
    length = _length(x.dtype, lambda space, size: call(
        name, _size(m), _size(n), space, _size(m), space, space, space, size, *([space] if is_complex else []),
        _size(0)))
    plan.transpose(itemsize, m, n, a, work)
    plan.copy(n * 4, marks, order)
    plan.call(name, plan.size(m), plan.size(n), work, plan.size(m), order, taus, plan.work(length * itemsize),
              plan.size(length), *([plan.work(2 * n * itemsize)] if is_complex else []), plan.work(4))
    plan.transpose(itemsize, n, m, work, out)
    return plan.routine(max(m, n), 2 * m * n * min(m, n))


def _eig(operation: Operation) -> Routine:
    """A real matrix' values come as two arrays, and the vectors of conjugate values as two real columns."""
    x, plan = operation.operands[0].type, Plan(operation, [2])
    n, itemsize, is_complex = x.shape[-1], x.dtype.itemsize, dtypes.is_complex(x.dtype)
    real, name = dtypes.real_part(x.dtype), letter(x.dtype) + "geev"
    wanted = (operation.attributes["left"], operation.attributes["right"])
    jobs = ["V" if each else "N" for each in wanted]
    (a,), (values, *vectors), work = plan.operands, plan.results, plan.work(n * n * itemsize)
    count = 1 if is_complex else 2  # arrays of values
    length = _length(x.dtype, lambda space, size: call(
        name, *map(_letter, jobs), _size(n), space, _size(n), *[space] * count, space, _size(n), space,
        _size(n), space, size, *([space] if is_complex else []), _size(0)))
    parts = [values] if is_complex else [plan.work(n * itemsize) for _ in range(count)]
    columns = [plan.work(n * n * itemsize if each else 1) for each in wanted]
    status = plan.work(4)
    plan.check(x.dtype, n * n, a)
    plan.transpose(itemsize, n, n, a, work)
    plan.call(name, *map(plan.letter, jobs), plan.size(n), work, plan.size(n), *parts, columns[0], plan.size(n),
              columns[1], plan.size(n), plan.work(length * itemsize), plan.size(length),
              *([plan.work(2 * n * real.itemsize)] if is_complex else []), status, status=status)
    if not is_complex:
        plan.complex_values(real, n, parts, values)
    kind = operation.results[0].type.dtype
    plan.fill(kind, n, values)
    given = [column for column, each in zip(columns, wanted, strict=True) if each]
    for column, out in zip(given, vectors, strict=True):
        if is_complex:
            plan.transpose(itemsize, n, n, column, out)
        else:
            plan.complex_vectors(real, n, parts[1], column, out)
        plan.fill(kind, n * n, out)
    return plan.routine(n, 25 * n ** 3)


def _schur(operation: Operation) -> Routine:
    x, plan = operation.operands[0].type, Plan(operation, [2])
    n, itemsize, is_complex = x.shape[-1], x.dtype.itemsize, dtypes.is_complex(x.dtype)
    name, job = letter(x.dtype) + "gees", "V" if operation.attributes["vectors"] else "N"
    (a,), (form, *vectors), work = plan.operands, plan.results, plan.work(n * n * itemsize)
    count, none = 1 if is_complex else 2, _size(0)  # nothing is sorted: no function that selects
    length = _length(x.dtype, lambda space, size: call(
        name, _letter(job), _letter("N"), none, _size(n), space, _size(n), _size(0), *[space] * count, space, _size(n),
        space, size, *([space] if is_complex else []), none, _size(0)))
    columns, status = plan.work(n * n * itemsize if vectors else 1), plan.work(4)
    plan.check(x.dtype, n * n, a)
    plan.transpose(itemsize, n, n, a, work)
    plan.call(name, plan.letter(job), plan.letter("N"), -1, plan.size(n), work, plan.size(n), plan.work(4),
              *[plan.work(n * itemsize) for _ in range(count)], columns, plan.size(n), plan.work(length * itemsize),
              plan.size(length), *([plan.work(n * itemsize)] if is_complex else []), plan.work(4 * n), status,
              status=status)
    for source, out in zip([work, columns], [form, *vectors], strict=False):
        plan.transpose(itemsize, n, n, source, out)
        plan.fill(x.dtype, n * n, out)
    return plan.routine(n, 25 * n ** 3)


def _hessenberg(operation: Operation) -> Routine:
    x, plan = operation.operands[0].type, Plan(operation, [2])
    n, itemsize, name = x.shape[-1], x.dtype.itemsize, letter(x.dtype) + "gehrd"
    (a,), (out, taus), work = plan.operands, plan.results, plan.work(n * n * itemsize)
    length = _length(x.dtype, lambda space, size: call(
        name, _size(n), _size(1), _size(n), space, _size(n), space, space, size, _size(0)))
    plan.transpose(itemsize, n, n, a, work)
    plan.call(name, plan.size(n), plan.size(1), plan.size(n), work, plan.size(n), taus, plan.work(length * itemsize),
              plan.size(length), plan.work(4))
    plan.transpose(itemsize, n, n, work, out)
    return plan.routine(n, 10 / 3 * n ** 3)


def _tridiagonal(operation: Operation) -> Routine:
    x, plan = operation.operands[0].type, Plan(operation, [2])
    n, itemsize = x.shape[-1], x.dtype.itemsize
    name = letter(x.dtype) + ("hetrd" if dtypes.is_complex(x.dtype) else "sytrd")
    triangle = "L" if operation.attributes["lower"] else "U"
    (a,), (out, middle, beside, taus), work = plan.operands, plan.results, plan.work(n * n * itemsize)
    length = _length(x.dtype, lambda space, size: call(
        name, _letter(triangle), _size(n), space, _size(n), space, space, space, space, size, _size(0)))
    plan.transpose(itemsize, n, n, a, work)
    plan.call(name, plan.letter(triangle), plan.size(n), work, plan.size(n), middle, beside, taus,
              plan.work(length * itemsize), plan.size(length), plan.work(4))
    plan.transpose(itemsize, n, n, work, out)
    return plan.routine(n, 4 / 3 * n ** 3)


def _tridiagonal_solve(operation: Operation) -> Routine:
    """The diagonals are copied, since LAPACK factors them in place; the lower one begins with its second number."""
    x = operation.operands[3].type
    (n, columns), itemsize, plan = x.shape[-2:], x.dtype.itemsize, Plan(operation, [1, 1, 1, 2])
    *diagonals, sides = plan.operands
    (out,), work, status = plan.results, plan.work(n * columns * itemsize), plan.work(4)
    below, middle, above = copies = [plan.work(n * itemsize) for _ in diagonals]
    for source, target in zip(diagonals, copies, strict=True):
        plan.copy(n * itemsize, source, target)
    plan.transpose(itemsize, n, columns, sides, work)
    plan.call(letter(x.dtype) + "gtsv", plan.size(n), plan.size(columns), plan.after(below, itemsize), middle, above,
              work, plan.size(n), status, status=status)
    plan.transpose(itemsize, columns, n, work, out)
    plan.fill(x.dtype, n * columns, out)
    return plan.routine(n, 10 * n * (columns + 1))


def _size(value: int) -> np.ndarray:
    return np.array(value, np.int32)


def _letter(value: str) -> np.ndarray:
    return np.array([ord(value)], np.uint8)


def _length(dtype: np.dtype, ask: Callable[[np.ndarray, np.ndarray], None]) -> int:
    """The length of the workspace that LAPACK says it wants when it is given a length of -1."""
    space = np.zeros(8, dtype)
    ask(space, _size(-1))
    return max(1, int(space[0].real))


_ROUTINES: dict[str, Callable[[Operation], Routine | None]] = {
    "cholesky": _cholesky, "triangular_solve": _triangular_solve, "lu": _lu, "geqrf": _geqrf,
    "householder_product": _householder_product, "ormqr": _ormqr, "eigh": _eigh, "svd": _svd, "geqp3": _geqp3,
    "eig": _eig, "schur": _schur, "hessenberg": _hessenberg, "tridiagonal": _tridiagonal,
    "tridiagonal_solve": _tridiagonal_solve,
}


def routine_of(operation: Operation) -> Routine | None:
    """The routine of a decomposition or solver; None for what is left to its reference, as empty operands are."""
    if operation.name not in _ROUTINES or not all(v.type.size for v in operation.operands):
        return None
    return _ROUTINES[operation.name](operation)


def _kernel(operation: Operation) -> Kernel | None:
    routine = routine_of(operation)
    return None if routine is None else kernel_of(operation, routine)


LINEAR_ALGEBRA: dict[str, KernelFactory] = dict.fromkeys(_ROUTINES, _kernel)
