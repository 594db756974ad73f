# SPDX-License-Identifier: Apache-2.0
"""Products and decompositions of matrices that are split over a mesh in both dimensions, against NumPy."""

from __future__ import annotations

import functools

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus.errors import ArgumentError, SplitDimensionError
from olympus.experimental import linalg
from olympus.experimental.linalg.grids import _rounds
from olympus.sharding import AxisType, NamedSharding
from olympus.sharding import PartitionSpec as P
from olympus.test_util import check_grads
from tests.support.processes import free_port, run_processes

pytestmark = pytest.mark.slow
TYPES = ("float32", "float64", "complex64", "complex128")
BOUNDS = {"float32": 2e-5, "complex64": 2e-5, "float64": 1e-12, "complex128": 1e-12}


@functools.cache
def mesh(rows: int = 4, columns: int = 2, explicit: bool = False) -> olympus.Mesh:
    kind = AxisType.Explicit if explicit else AxisType.Auto
    return olympus.make_mesh((rows, columns), ("x", "y"), axis_types=(kind, kind),
                             devices=olympus.devices()[:rows * columns])


def matrix(m: int, n: int, dtype: str, seed: int = 0) -> np.ndarray:
    random = np.random.default_rng(seed)
    value = random.normal(size=(m, n)) + 1j * random.normal(size=(m, n))
    return (value if dtype.startswith("c") else value.real).astype(dtype)


def positive(n: int, dtype: str) -> np.ndarray:
    a = matrix(n, n, dtype)
    return (a @ a.conj().T + n * np.eye(n)).astype(dtype)


def close(found: object, expected: np.ndarray, factor: float = 1.0) -> None:
    assert found.dtype == expected.dtype and found.shape == expected.shape
    bound = factor * BOUNDS[expected.dtype.name] * max(np.abs(expected).max(initial=0), 1)
    np.testing.assert_allclose(np.asarray(found), expected, rtol=0, atol=bound)


def check_qr(a: np.ndarray, q: object, r: object) -> None:
    q, r, n = np.asarray(q), np.asarray(r), a.shape[1]
    assert q.dtype == r.dtype == a.dtype
    bound = 5 * BOUNDS[a.dtype.name] * max(np.abs(a).max(initial=0), 1)
    np.testing.assert_allclose(q @ r, a, rtol=0, atol=bound)
    np.testing.assert_allclose(q.conj().T @ q, np.eye(n), rtol=0, atol=bound)
    assert not np.tril(r, -1).any() and (np.diag(r).real >= 0).all() and not np.diag(r).imag.any()


@pytest.fixture(autouse=True)
def x64() -> object:
    with olympus.enable_x64(True):
        yield


@pytest.mark.parametrize("dtype", [*TYPES, "bfloat16", "int32"])
def test_products(dtype: str) -> None:
    whole = dtype in ("bfloat16", "int32")
    for m, k, n in ((8, 8, 8), (5, 7, 3), (1, 20, 2)):
        a, b = (np.round(3 * matrix(*shape, "float32" if whole else dtype)).astype(dtype) if whole
                else matrix(*shape, dtype) for shape in ((m, k), (k, n)))
        found = linalg.matmul(a, b, mesh=mesh())
        if whole:  # small whole numbers are exact in both
            expected = a.astype("float32") @ b.astype("float32")
            assert found.dtype.name == dtype and (np.asarray(found).astype("float32") == expected.astype(
                dtype).astype("float32")).all()
        else:
            close(found, a @ b)


def test_products_of_other_grids_panels_and_types() -> None:
    a, b = matrix(12, 24, "float64"), matrix(24, 10, "float64")
    for rows, columns in ((2, 4), (8, 1), (1, 8), (2, 3)):
        close(linalg.matmul(a, b, mesh=mesh(rows, columns)), a @ b)
    close(linalg.matmul(a, b, mesh=mesh(), axes=("y", "x"), block_size=2), a @ b)
    close(linalg.matmul(a, b, mesh=mesh(), axes=(("x", "y"), ())), a @ b)
    close(linalg.matmul(a.astype("float32"), b, mesh=mesh()), a.astype("float32") @ b)
    close(olympus.vmap(lambda v: linalg.matmul(v, b, mesh=mesh()))(np.stack([a, 2 * a])), np.stack([a, 2 * a]) @ b)
    with olympus.set_mesh(mesh()):
        close(linalg.matmul(a, b), a @ b)


def test_no_device_gets_more_than_panels() -> None:
    a, b = (olympus.device_put(matrix(64, 64, "float32", i), NamedSharding(mesh(), P("x", "y"))) for i in range(2))
    compiled = olympus.jit(lambda a, b: linalg.matmul(a, b, mesh=mesh())).lower(a, b).compile()
    text = compiled.collectives_text()
    assert "broadcast" in text and "all_gather" not in text and "all_reduce" not in text
    assert linalg.matmul(a, b).sharding == a.sharding


def test_derivatives_of_products() -> None:
    a, b = matrix(5, 6, "float64"), matrix(6, 3, "float64")
    check_grads(lambda a, b: jnp.sin(linalg.matmul(a, b, mesh=mesh())), (a, b), order=2, atol=1e-6, rtol=1e-6)
    c, d = matrix(4, 8, "complex128"), matrix(8, 2, "complex128")
    check_grads(lambda a, b: linalg.matmul(a, b, mesh=mesh()), (c, d), order=1, atol=1e-6, rtol=1e-6)


@pytest.mark.parametrize("dtype", TYPES)
def test_cholesky(dtype: str) -> None:
    for n, block in ((1, None), (13, 2)):
        a = positive(n, dtype)
        close(linalg.cholesky(a, mesh=mesh(), block_size=block), np.linalg.cholesky(a))
    lower = np.tril(a) + np.triu(np.full_like(a, 99), 1)
    close(linalg.cholesky(lower, mesh=mesh(2, 2), symmetrize_input=False), np.linalg.cholesky(a))


@pytest.mark.parametrize("dtype", TYPES)
def test_solve(dtype: str) -> None:
    a, b = matrix(9, 9, dtype), matrix(9, 3, dtype, 1)
    close(linalg.solve(a, b, mesh=mesh()), np.linalg.solve(a, b), 30)
    a = positive(9, dtype)
    close(linalg.solve(a, b[:, 0], mesh=mesh(), assume_a="pos"), np.linalg.solve(a, b[:, 0]))


def test_solve_in_other_grids_and_sizes() -> None:
    for n, k, block, grid in ((1, 1, None, (4, 2)), (13, 3, 2, (2, 2)), (6, 1, None, (2, 3))):
        a, b = matrix(n, n, "float64"), matrix(n, k, "float64", 1)
        close(linalg.solve(a, b, mesh=mesh(*grid), block_size=block), np.linalg.solve(a, b), 1e3)
        a = positive(n, "float64")
        close(linalg.solve(a, b, mesh=mesh(*grid), block_size=block, assume_a="pos"), np.linalg.solve(a, b))


def test_rows_are_exchanged_across_devices() -> None:
    n = 16
    order = np.random.default_rng(3).permutation(n)
    a = np.eye(n)[order] * np.arange(1.0, n + 1)
    b = matrix(n, 2, "float64")
    close(linalg.solve(a, b, mesh=mesh()), np.linalg.solve(a, b))
    growing = np.tril(-np.ones((n, n)), -1) + np.eye(n) * 1e-8
    growing[:, -1] = 1
    close(linalg.solve(growing, b, mesh=mesh(2, 2), block_size=2), np.linalg.solve(growing, b), 1e3)


@pytest.mark.parametrize("dtype", TYPES)
def test_qr(dtype: str) -> None:
    for m, n in ((1, 1), (16, 2), (21, 5), (8, 8), (9, 0)):
        a = matrix(m, n, dtype)
        check_qr(a, *linalg.qr(a, mesh=mesh()))
    lacking = np.outer(np.arange(20), [0, 1, 2]).astype(dtype)
    check_qr(lacking, *linalg.qr(lacking, mesh=mesh(), axes="x"))
    check_qr(np.zeros((11, 3), dtype), *linalg.qr(np.zeros((11, 3), dtype), mesh=mesh()))


def test_qr_is_the_same_on_any_number_of_devices() -> None:
    a = matrix(24, 4, "float64")
    q, r = linalg.qr(a, mesh=mesh(1, 1))
    for rows, columns in ((2, 1), (4, 2), (2, 3)):
        for found, expected in zip(linalg.qr(a, mesh=mesh(rows, columns)), (q, r), strict=True):
            close(found, np.asarray(expected), 10)


def test_matrices_without_result_give_nan_as_whole_ones_do() -> None:
    a = positive(9, "float64")
    a[6, 6] = -1
    assert np.isnan(jnp.linalg.cholesky(a)).all() and np.isnan(linalg.cholesky(a, mesh=mesh())).all()
    assert np.isnan(linalg.solve(a, a, mesh=mesh(), assume_a="pos")).all()
    broken = positive(9, "float32")
    broken[2, 7] = broken[7, 2] = np.nan
    assert np.isnan(linalg.cholesky(broken, mesh=mesh())).all()
    assert np.isnan(np.asarray(linalg.solve(broken, broken, mesh=mesh()))).any()
    assert np.isnan(linalg.qr(broken, mesh=mesh()).R).any()
    singular = np.ones((9, 9))
    assert not np.isfinite(linalg.solve(singular, np.arange(9.0), mesh=mesh())).all()
    assert np.isnan(linalg.cholesky(singular - 1, mesh=mesh())).all() == np.isnan(
        jnp.linalg.cholesky(singular - 1)).all()


def test_derivatives_of_decompositions() -> None:
    a, b = positive(6, "float64"), matrix(6, 2, "float64")
    functions = [
        lambda a: linalg.cholesky(a, mesh=mesh(2, 2)),
        lambda a: linalg.solve(a, b, mesh=mesh(2, 2)),
        lambda a: linalg.solve(a, b, mesh=mesh(2, 2), assume_a="pos"),
        lambda a: linalg.qr(a[:, :2], mesh=mesh(2, 2)),
    ]
    for f in functions:
        check_grads(f, (a,), order=1, atol=1e-5, rtol=1e-5)
    c = matrix(7, 3, "complex128")
    check_grads(lambda c: linalg.qr(c, mesh=mesh()), (c,), order=2, atol=1e-5, rtol=1e-5)


def test_explicit_axes() -> None:
    a, b = positive(8, "float32"), matrix(8, 4, "float32")
    there = NamedSharding(mesh(explicit=True), P("x", "y"))
    x, y = olympus.device_put(a, there), olympus.device_put(b, there)
    for f, expected in ((linalg.matmul, a @ b), (linalg.solve, np.linalg.solve(a, b))):
        for found in (f(x, y), olympus.jit(f)(x, y)):
            close(found, expected, 5)
            assert found.sharding.is_equivalent_to(there, 2)
    factor = linalg.cholesky(x)
    assert str(olympus.typeof(factor)) == "float32[8@x,8@y]"
    close(factor, np.linalg.cholesky(a))
    q, r = linalg.qr(y, axes="x")
    assert str(olympus.typeof(q)) == "float32[8@x,4]" and str(olympus.typeof(r)) == "float32[4,4]"
    check_qr(b, q, r)
    for refused in (jnp.linalg.cholesky, jnp.linalg.qr, jnp.linalg.eigh, lambda v: jnp.linalg.solve(v, v)):
        with pytest.raises(SplitDimensionError, match="olympus.experimental.linalg"):
            refused(x)


def test_blocks_are_dealt_in_as_many_rounds_as_each_device_has() -> None:
    for devices in range(2, 9):
        for each in range(2, 7):
            parts = [[device * each + i for i in range(each)] for device in range(devices)]
            for deal in (True, False):
                made: list[list[int]] = [[-1] * each for _ in range(devices)]
                for sends, gets, pairs in _rounds(devices, each, deal):
                    assert sorted(s for s, _ in pairs) == sorted(t for _, t in pairs) == list(range(devices))
                    for source, target in pairs:
                        made[target][gets[target]] = parts[source][sends[source]]
                if deal:
                    assert made == [list(range(device, devices * each, devices)) for device in range(devices)]
                parts = made
            assert parts == [[device * each + i for i in range(each)] for device in range(devices)]


def test_what_does_not_fit_is_told() -> None:
    a = np.eye(4)
    wrong = [
        (lambda: linalg.matmul(a, a), "mesh"), (lambda: linalg.matmul(a, a[:3], mesh=mesh()), "fit together"),
        (lambda: linalg.matmul(a, a[0], mesh=mesh()), "no matrix"),
        (lambda: linalg.cholesky(a[:3], mesh=mesh()), "square"),
        (lambda: linalg.solve(a, a[:3], mesh=mesh()), "right-hand"),
        (lambda: linalg.solve(a, a, mesh=mesh(), assume_a="sym"), "assume_a"),
        (lambda: linalg.qr(a[:3], mesh=mesh()), "wide"), (lambda: linalg.qr(a, mesh=mesh(), axes="z"), "axes"),
        (lambda: linalg.matmul(a, a, mesh=mesh(), axes=("x", "x")), "different axes"),
        (lambda: linalg.matmul(a, a, mesh=mesh(), axes="x"), "pair"),
        (lambda: linalg.cholesky(a, mesh=mesh(), block_size=0), "block_size"),
    ]
    for call, text in wrong:
        with pytest.raises(ArgumentError, match=text):
            call()


PROGRAM = """
import sys
import numpy as np
import olympus
from olympus.experimental import linalg
from olympus.sharding import NamedSharding, PartitionSpec as P

index, count, port = map(int, sys.argv[1:])
olympus.distributed.initialize(f"localhost:{port}", count, index, initialization_timeout=20)
mesh = olympus.make_mesh((4, 2), ("x", "y"))
random = np.random.default_rng(0)
a = random.normal(size=(16, 16)).astype(np.float32)
a = a @ a.T + 16 * np.eye(16, dtype=np.float32)
b = random.normal(size=(16, 4)).astype(np.float32)
x, y = (olympus.device_put(v, NamedSharding(mesh, P("x", "y"))) for v in (a, b))
cases = {
    "matmul": (linalg.matmul(x, y), a @ b),
    "cholesky": (linalg.cholesky(x), np.linalg.cholesky(a)),
    "solve": (linalg.solve(x, y), np.linalg.solve(a, b)),
    "solve by factor": (linalg.solve(x, y, assume_a="pos"), np.linalg.solve(a, b)),
    "q r": (linalg.matmul(*linalg.qr(y), mesh=mesh), b),
}
for name, (found, expected) in cases.items():
    assert len(found.sharding.device_set) == 8, name
    for shard in found.addressable_shards:
        np.testing.assert_allclose(shard.data, expected[shard.index], rtol=1e-4, atol=1e-4, err_msg=name)
print("compared", len(cases))
"""


@pytest.mark.processes
def test_in_four_processes() -> None:
    finished = run_processes(
        PROGRAM, 4, lambda i: i, 4, free_port(), deadline=120.0, env={"OLYMPUS_NUM_CPU_DEVICES": "2"})
    for index, end in enumerate(finished):
        assert end.returncode == 0 and "compared 5" in end.stdout, f"process {index}:\n{end.stdout}{end.stderr}"
