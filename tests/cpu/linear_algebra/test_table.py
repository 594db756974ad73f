# SPDX-License-Identifier: Apache-2.0
"""LAPACK in the CPU's table, and the kernels of small matrices: against the references, and against what they mean."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from olympus_core import dtypes, ops
from olympus_core.program import ArrayType, Operation, Value
from olympus_cpu.linear_algebra import LINEAR_ALGEBRA

DTYPES = [np.dtype(d) for d in (np.float32, np.float64, np.complex64, np.complex128)]
# One matrix; a batch of small ones, not a multiple of a vector's lanes; larger ones in chunks; large ones one by one.
BATCHES = [((), 5), ((2, 11), 7), ((5,), 1), ((9,), 16), ((6,), 32), ((7,), 40), ((2,), 150)]


def both(name: str, *values: np.ndarray, **attributes: Any) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """The results of the table's entry, and of the record's reference."""
    record = ops.OPERATIONS[name]
    types = [ArrayType(v.shape, v.dtype) for v in values]
    results = record.type_rule(types, attributes, ())
    operation = Operation(
        record, tuple(Value(t) for t in types), attributes, (), tuple(Value(t) for t in results))
    kernel = LINEAR_ALGEBRA[name](operation)
    assert kernel is not None and kernel.is_tuple and record.reference is not None
    before = [v.copy() for v in values]
    found = list(kernel.function(*values))
    for value, kept in zip(values, before, strict=True):
        np.testing.assert_array_equal(value, kept)
    for value, type in zip(found, results, strict=True):
        assert value.shape == type.shape and value.dtype == type.dtype
    return found, list(record.reference(values, attributes))


def matrices(shape: tuple[int, ...], dtype: np.dtype, seed: int = 0) -> np.ndarray:
    random = np.random.default_rng(seed)
    x = random.normal(size=shape)
    return (x + 1j * random.normal(size=shape) if dtypes.is_complex(dtype) else x).astype(dtype)


def close(found: np.ndarray, expected: np.ndarray, factor: float = 1.0) -> None:
    """Equal up to rounding errors that grow with the size of the matrices, relative to the greatest element."""
    eps = np.finfo(found.dtype).eps * factor * 20 * max(found.shape[-2:], default=1)
    np.testing.assert_allclose(found, expected, rtol=0, atol=eps * max(1.0, float(np.abs(expected).max(initial=0))))


def adjoint(x: np.ndarray) -> np.ndarray:
    return np.swapaxes(x, -1, -2).conj()


def tolerance(dtype: np.dtype, n: int) -> float:
    return float(np.finfo(dtype).eps) * 100 * n


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize(("batch", "n"), BATCHES)
def test_cholesky_and_eigh(batch: tuple[int, ...], n: int, dtype: np.dtype) -> None:
    x = matrices((*batch, n, n), dtype)
    definite = (x @ adjoint(x) + n * np.eye(n)).astype(dtype)
    other_triangle = np.tril(definite) + np.triu(np.full((n, n), np.nan), 1).astype(dtype)
    (factor,), (expected,) = both("cholesky", other_triangle)
    close(factor, expected)
    assert not np.triu(factor, 1).any()
    np.testing.assert_allclose(factor @ adjoint(factor), definite, rtol=0, atol=tolerance(dtype, n) * n)
    for lower in (True, False):
        hermitian = definite - 2 * n * np.eye(n, dtype=dtype)
        (values,), (expected,) = both("eigh", hermitian, lower=lower, vectors=False)
        close(values, expected, 5)
        (values, vectors), (expected, _) = both("eigh", hermitian, lower=lower, vectors=True)
        close(values, expected, 5)
        np.testing.assert_allclose(
            hermitian @ vectors, vectors * values[..., None, :], rtol=0, atol=tolerance(dtype, n) * n)
        np.testing.assert_allclose(adjoint(vectors) @ vectors + 0 * vectors, np.broadcast_to(np.eye(n), x.shape),
                                   rtol=0, atol=tolerance(dtype, n))


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize(("batch", "n"), BATCHES[:-1])
def test_triangular_solve_in_every_form(batch: tuple[int, ...], n: int, dtype: np.dtype) -> None:
    a = matrices((*batch, n, n), dtype) / n + 2 * np.eye(n, dtype=dtype)
    for form in range(32):
        left, lower, transpose, conjugate, unit = (bool(form >> i & 1) for i in range(5))
        if conjugate and not transpose and dtypes.is_complex(dtype):
            continue
        b = matrices((*batch, n, 3) if left else (*batch, 3, n), dtype, form)
        triangle = (np.tril if lower else np.triu)(a)
        if unit:
            triangle = triangle - triangle * np.eye(n) + np.eye(n)
        matrix = np.swapaxes(triangle, -1, -2) if transpose else triangle
        matrix = matrix.conj() if conjugate else matrix
        (x,), (expected,) = both("triangular_solve", a, b, left_side=left, lower=lower, transpose=transpose,
                                 conjugate=conjugate, unit_diagonal=unit)
        close(x, expected)
        np.testing.assert_allclose(matrix @ x if left else x @ matrix, b, rtol=0, atol=tolerance(dtype, n))


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize(
    ("batch", "m", "n"), [((), 5, 3), ((9,), 4, 6), ((3, 3), 32, 32), ((2,), 50, 33), ((), 140, 150)])
def test_lu_qr_and_svd(batch: tuple[int, ...], m: int, n: int, dtype: np.dtype) -> None:
    x, k = matrices((*batch, m, n), dtype), min(m, n)
    (factors, pivots, order), (expected, expected_pivots, expected_order) = both("lu", x)
    np.testing.assert_array_equal(pivots, expected_pivots)
    np.testing.assert_array_equal(order, expected_order)
    close(factors, expected, 10)
    (packed, taus), (expected, expected_taus) = both("geqrf", x)
    close(packed, expected, 5)
    close(taus[..., None], expected_taus[..., None], 5)
    if m >= n:
        (q,), (expected,) = both("householder_product", packed, taus)
        close(q, expected)
        np.testing.assert_allclose(q @ np.triu(packed[..., :n, :]), x, rtol=0, atol=tolerance(dtype, m))
    for left in (True, False):
        c = matrices((*batch, m, 4) if left else (*batch, 4, m), dtype, 3)
        for transpose in (True, False):
            (product,), (expected,) = both("ormqr", packed, taus, c, left=left, transpose=transpose)
            close(product, expected, 5)
    (values,), (expected,) = both("svd", x, full_matrices=False, vectors=False)
    close(values, expected)
    for full in (True, False):
        (values, u, vh), (expected, _, _) = both("svd", x, full_matrices=full, vectors=True)
        close(values, expected)
        np.testing.assert_allclose(
            u[..., :k] * values[..., None, :] @ vh[..., :k, :], x, rtol=0, atol=tolerance(dtype, m))
        np.testing.assert_allclose(adjoint(u) @ u, np.broadcast_to(np.eye(u.shape[-1]), (*batch, *u.shape[-1:] * 2)),
                                   rtol=0, atol=tolerance(dtype, m))


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize(("batch", "n"), BATCHES[:-1])
def test_eigenvalues_and_schur_forms_of_any_matrix(batch: tuple[int, ...], n: int, dtype: np.dtype) -> None:
    x = matrices((*batch, n, n), dtype, 4)
    within = {"rtol": 0, "atol": tolerance(dtype, n) * n}
    for left, right in [(False, False), (False, True), (True, False), (True, True)]:
        (values, *vectors), (expected, *others) = both("eig", x, left=left, right=right)
        close(*(np.take_along_axis(v, np.argsort(v.real + 1e-2 * v.imag), -1) for v in (values, expected)), 20)
        assert len(vectors) == len(others) == left + right
        for part, is_left in zip(vectors, [True, False] if left else [False], strict=False):
            matrix, factors = (adjoint(x), values.conj()) if is_left else (x, values)
            np.testing.assert_allclose(matrix @ part, part * factors[..., None, :], **within)
            np.testing.assert_allclose(np.linalg.norm(part, axis=-2), 1, rtol=0, atol=tolerance(dtype, n))
        if not dtypes.is_complex(dtype):
            np.testing.assert_array_equal(np.sort(values.imag), -np.sort(values.imag)[..., ::-1])
    (form, z), _ = both("schur", x, vectors=True)
    (alone,), _ = both("schur", x, vectors=False)
    np.testing.assert_allclose(z @ form @ adjoint(z), x, **within)
    np.testing.assert_allclose(adjoint(z) @ z, np.broadcast_to(np.eye(n), x.shape), rtol=0, atol=tolerance(dtype, n))
    assert not np.tril(form, -1 if dtypes.is_complex(dtype) else -2).any()
    assert not np.tril(alone, -1 if dtypes.is_complex(dtype) else -2).any()


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize(("batch", "n"), BATCHES)
def test_reductions_and_tridiagonal_equations(batch: tuple[int, ...], n: int, dtype: np.dtype) -> None:
    x = matrices((*batch, n, n), dtype, 5)
    for found, expected in zip(*both("hessenberg", x), strict=True):
        close(found, expected, 5)
    hermitian = x + adjoint(x)
    for lower in (True, False):
        given = (np.tril if lower else np.triu)(hermitian)
        (form, middle, beside, taus), expected = both("tridiagonal", given, lower=lower)
        for found, other in zip((form, middle, beside, taus), expected, strict=True):
            close(found, other, 20)
        triangle = np.zeros((*batch, n, n))
        index = np.arange(n)
        triangle[..., index, index] = middle
        triangle[..., index[1:], index[:-1]] = triangle[..., index[:-1], index[1:]] = beside
        close(np.linalg.eigvalsh(triangle).astype(middle.dtype), np.linalg.eigvalsh(hermitian), 5)
    below, middle, above = (matrices((*batch, n), dtype, seed) for seed in (6, 7, 8))
    middle += 4
    below[..., 0] = above[..., -1] = np.nan
    sides = matrices((*batch, n, 3), dtype, 9)
    (found,), (expected,) = both("tridiagonal_solve", below, middle, above, sides)
    close(found, expected)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize(
    ("batch", "m", "n"), [((), 5, 3), ((9,), 4, 6), ((3, 3), 1, 1), ((2,), 50, 33), ((), 130, 140)])
def test_qr_with_exchanged_columns(batch: tuple[int, ...], m: int, n: int, dtype: np.dtype) -> None:
    x, k = matrices((*batch, m, n), dtype, 10), min(m, n)
    # Columns of lengths that no rounding exchanges.
    x *= np.random.default_rng(0).permutation(1.3 ** np.arange(min(n, 40)).repeat(-(-n // 40))[:n]).astype(dtype)
    for fixed in (0, min(2, n), n):
        marks = np.zeros((*batch, n), np.int32)
        marks[..., n - fixed:] = 1
        (packed, order, taus), _ = both("geqp3", x, marks)
        np.testing.assert_array_equal(np.sort(order), np.broadcast_to(np.arange(1, n + 1), order.shape))
        assert (np.sort(order[..., :fixed]) == np.arange(n - fixed + 1, n + 1)).all()
        if m >= n:
            (q,), _ = both("householder_product", packed, taus)
            exchanged = np.take_along_axis(x, order[..., None, :].astype(np.int64) - 1, -1)
            np.testing.assert_allclose(q @ np.triu(packed[..., :n, :]), exchanged, rtol=0,
                                       atol=tolerance(dtype, m) * np.abs(x).max())
        if not fixed:
            lengths = np.abs(np.diagonal(packed, axis1=-2, axis2=-1))[..., :k]
            assert (np.diff(lengths, axis=-1) <= tolerance(dtype, m) * np.abs(x).max()).all()


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_marked_columns_are_exchanged_with_those_in_front(dtype: np.dtype) -> None:
    """Where more columns than rows remain, the order of the last ones tells by which exchanges they got there."""
    x = matrices((3, 5), dtype, 10)
    x *= np.array([1, 7, 3, 0.5, 2], dtype)
    for marks in itertools.product((0, 1), repeat=5):
        (packed, order, taus), (wanted, places, factors) = both("geqp3", x, np.array(marks, np.int32))
        np.testing.assert_array_equal(order, places)
        np.testing.assert_allclose(packed, wanted, rtol=0, atol=tolerance(dtype, 3) * 7)
        np.testing.assert_allclose(taus, factors, rtol=0, atol=tolerance(dtype, 3))


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("n", [4, 40])
def test_a_matrix_that_fails_is_nan_and_its_neighbours_are_not(n: int, dtype: np.dtype) -> None:
    x = np.broadcast_to(np.eye(n, dtype=dtype), (11, n, n)).copy()
    x[2, n - 1, n - 1], x[5, 1, 0], x[7, 0, 0] = -1, np.nan, np.inf
    bad = [2, 5, 7]
    good = [i for i in range(11) if i not in bad]
    (factor,), (expected,) = both("cholesky", x)
    np.testing.assert_array_equal(factor, expected)
    assert np.isnan(factor[bad]).all() and (factor[good] == np.eye(n)).all()
    (values, vectors), (expected, _) = both("eigh", x, lower=True, vectors=True)
    assert np.isnan(values[[5, 7]]).all() and np.isnan(vectors[[5, 7]]).all() and (values[good] == 1).all()
    (values, u, vh), _ = both("svd", x, full_matrices=True, vectors=True)
    assert all(np.isnan(part[[5, 7]]).all() and np.isfinite(part[good]).all() for part in (values, u, vh))
    (values,), _ = both("svd", x, full_matrices=True, vectors=False)
    assert np.isnan(values[[5, 7]]).all() and (values[good] == 1).all()
    for name, attributes in (("eig", {"left": True, "right": True}), ("schur", {"vectors": True})):
        found, _ = both(name, x, **attributes)
        assert all(np.isnan(part[[5, 7]]).all() and np.isfinite(part[good]).all() for part in found)
    middle = np.ones((11, n), dtype)
    middle[3] = 0
    (found,), (expected,) = both("tridiagonal_solve", middle * 0, middle, middle * 0, x)
    assert np.isnan(found[3]).all() and np.isnan(expected[3]).all() and (found[good[:2]] == np.eye(n)).all()


@pytest.mark.parametrize("n", [5, 40])
def test_singular_matrices_are_factored(n: int) -> None:
    x = np.zeros((6, n, n), np.float32)
    x[1:] = np.arange(n * n).reshape(n, n) % 7
    x[1:, :, 2] = 0
    found, expected = both("lu", x)
    np.testing.assert_array_equal(found[1][0], np.arange(n))
    close(found[0][:1], expected[0][:1])
    assert np.isfinite(found[0]).all()
    lower = np.tril(found[0], -1) + np.eye(n)
    product = lower @ np.triu(found[0])
    np.testing.assert_allclose(product, np.take_along_axis(x, found[2][..., None], 1), atol=1e-3)


def test_operands_in_other_orders_than_row_major() -> None:
    x = np.asfortranarray(matrices((6, 6), DTYPES[1]))
    found, expected = both("lu", x)
    close(found[0], expected[0])
    wide = matrices((5, 6, 12), DTYPES[1])[..., ::2]
    found, expected = both("geqrf", wide)
    close(found[0], expected[0])


def test_what_is_empty_or_unknown_to_blas_is_the_references() -> None:
    x = ArrayType((0, 3, 3), DTYPES[0])
    operation = Operation(ops.cholesky, (Value(x),), {}, (), (Value(x),))
    assert LINEAR_ALGEBRA["cholesky"](operation) is None
    z = ArrayType((3, 3), DTYPES[2])
    flags = {"left_side": True, "lower": True, "transpose": False, "conjugate": True, "unit_diagonal": False}
    operation = Operation(ops.triangular_solve, (Value(z), Value(z)), flags, (), (Value(z),))
    assert LINEAR_ALGEBRA["triangular_solve"](operation) is None


@pytest.mark.parametrize("dtype", DTYPES[:2], ids=str)
def test_eigenvalues_of_small_matrices_of_any_scale_and_kind(dtype: np.dtype) -> None:
    n, limits, random = 6, np.finfo(dtype), np.random.default_rng(3)
    plain = random.normal(size=(n, n))
    plain += plain.T
    kinds = {
        "great": plain * (float(limits.max) / 100), "small": plain * (float(limits.tiny) * 100), "zero": 0 * plain,
        "identity": np.eye(n), "diagonal": np.diag([3.0, -1, 3, 0, 2, -7]), "ones": np.ones((n, n)),
        "graded": plain * np.outer(scales := 10.0 ** -np.arange(n), scales), "plain": plain,
        "tiny beside": np.eye(n) + 1e-30 * plain, "two blocks": np.kron(np.eye(2), plain[:3, :3]),
    }
    batch = np.stack(list(kinds.values())).astype(dtype)
    for vectors in (True, False):
        found, _ = both("eigh", batch, lower=True, vectors=vectors)
        for k, name in enumerate(kinds):
            # In the vector of others and in one of its own a matrix has the same result, to the bit.
            alone, _ = both("eigh", np.repeat(batch[k:k + 1], 4, axis=0), lower=True, vectors=vectors)
            for mixed, single in zip(found, alone, strict=True):
                np.testing.assert_array_equal(single, np.broadcast_to(mixed[k], single.shape), err_msg=name)
            exact = np.linalg.eigvalsh(batch[k].astype(np.longdouble if dtype.itemsize > 8 else np.float64))
            size = np.abs(exact).max()
            np.testing.assert_allclose(found[0][k], exact, rtol=0, atol=20 * limits.eps * size, err_msg=name)
            if vectors:
                np.testing.assert_allclose(found[1][k].T @ found[1][k], np.eye(n), atol=50 * limits.eps, err_msg=name)
    broken = np.repeat(plain[None], 9, axis=0).astype(dtype)
    broken[2, 0, 5], broken[7, 3, 3] = np.nan, np.inf
    (values, vectors_), _ = both("eigh", broken, lower=True, vectors=True)
    whole = np.setdiff1d(np.arange(9), [2, 7])
    assert np.isnan(values[[2, 7]]).all() and np.isnan(vectors_[[2, 7]]).all()
    assert np.isfinite(values[whole]).all() and np.isfinite(vectors_[whole]).all()
