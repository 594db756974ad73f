# SPDX-License-Identifier: Apache-2.0
"""Decompositions inside native loops: the bits that they have outside, and what NumPy and SciPy say."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.linalg

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.scipy import linalg
from olympus.sharding import NamedSharding
from olympus.sharding import PartitionSpec as P
from olympus_core import ops
from olympus_core.program import ArrayType, Operation, ProgramBuilder
from olympus_cpu.compiled.stored_calls import Memory, restored_call, stored_call
from olympus_cpu.linear_algebra import routine_of
from olympus_cpu.native.entry import INLINE, Slots, Step
from olympus_cpu.native.linker import BASELINE, OPTIMISED
from olympus_cpu.native.routines import Routine
from olympus_cpu.sorting import routine_of as sorting_routine_of

DTYPES = ("float32", "float64", "complex64", "complex128")
each_type = pytest.mark.parametrize("dtype", DTYPES)


def random(*shape: int, dtype: Any = "float32", seed: int = 0) -> np.ndarray:
    source = np.random.default_rng((seed, *shape))
    x = source.standard_normal(shape)
    return (x + 1j * source.standard_normal(shape) if np.dtype(dtype).kind == "c" else x).astype(dtype)


def definite(*shape: int, dtype: Any = "float32") -> np.ndarray:
    x = random(*shape, dtype=dtype)
    return np.asarray(x @ np.swapaxes(x, -1, -2).conj() + shape[-1] * np.eye(shape[-1]), dtype)


def sweep(f: Callable[[Any], Any]) -> tuple[Any, Any]:
    """A function over the rows of an array: by a scan, and by itself for each."""
    scanned = olympus.jit(lambda rows: lax.scan(lambda c, x: (c, f(x)), 0, rows)[1])
    alone = olympus.jit(f)
    return scanned, lambda rows: olympus.tree.map(lambda *x: np.stack(x), *[alone(x) for x in rows])


FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "cholesky": jnp.linalg.cholesky,
    "lu": lax.linalg.lu,
    "qr": jnp.linalg.qr,
    "eigh": jnp.linalg.eigh,
    "eigvalsh": jnp.linalg.eigvalsh,
    "svd": jnp.linalg.svd,
    "solve": lambda x: jnp.linalg.solve(x, x[:, :1] + 1),
    "triangular": lambda x: linalg.solve_triangular(x, x[:, :2], lower=True),
    "inverse": jnp.linalg.inv,
    "determinant": jnp.linalg.slogdet,
    "schur": linalg.schur,
    "eig": jnp.linalg.eig,
    "hessenberg": linalg.hessenberg,
    "tridiagonal": lambda x: lax.linalg.tridiagonal_solve(x[0], x[1] + 4, x[2], x[:, :2]),
}


@each_type
@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_bits_are_those_outside_of_the_loop(name: str, dtype: str, found: list[Any]) -> None:
    f = FUNCTIONS[name]
    with olympus.enable_x64(True):
        for shape in ((3, 4, 4), (3, 2, 3, 5, 5), (2, 40, 40)):
            if name == "tridiagonal" and len(shape) > 3:
                continue
            scanned, alone = sweep(f if len(shape) == 3 else olympus.vmap(olympus.vmap(f)))
            rows = definite(*shape, dtype=dtype)
            olympus.tree.map(np.testing.assert_array_equal, scanned(rows), alone(rows))
            assert found and all(found), "the loop was left to Python"
            found.clear()


@each_type
def test_solutions_in_a_loop_are_scipys(dtype: str, found: list[Any]) -> None:
    with olympus.enable_x64(True):
        a, b = definite(6, 6, dtype=dtype), random(6, dtype=dtype)

        def step(i: Any, c: Any) -> Any:
            factor = jnp.linalg.cholesky(a + (i + 1) * jnp.eye(6, dtype=dtype))
            x = linalg.cho_solve((factor, True), b + c)
            q, r = jnp.linalg.qr(a[:, :4] * (i + 1))
            y = linalg.solve_triangular(r, q.conj().T @ x)
            return c * 0.5 + x + jnp.pad(y, (0, 2)) + jnp.linalg.solve(a.T + i, b)

        got = olympus.jit(lambda c: lax.fori_loop(0, 7, step, c))(b)
    assert found and all(found)
    wide = "complex128" if np.dtype(dtype).kind == "c" else "float64"
    a, b, c = a.astype(wide), b.astype(wide), b.astype(wide)
    for i in range(7):
        x = scipy.linalg.solve(a + (i + 1) * np.eye(6), b + c)
        y = np.linalg.lstsq(a[:, :4] * (i + 1), x, rcond=None)[0]
        c = c * 0.5 + x + np.pad(y, (0, 2)) + np.linalg.solve(a.T + i, b)
    np.testing.assert_allclose(got, c, rtol=1e-4 if np.finfo(dtype).bits == 32 else 1e-12)


@each_type
def test_what_fails_is_nan_in_its_turn_alone(dtype: str) -> None:
    with olympus.enable_x64(True):
        rows = np.broadcast_to(np.eye(5, dtype=dtype), (4, 5, 5)).copy()
        rows[1, 2, 2], rows[2, 1, 1] = -1, np.nan
        (factors, values, singular, inverses), _ = sweep(lambda x: (
            jnp.linalg.cholesky(x), jnp.linalg.eigvalsh(x), jnp.linalg.svd(x, compute_uv=False), jnp.linalg.inv(x)))[0](
                rows), None
    assert [bool(np.isnan(x).all()) for x in np.tril(factors)[:, :1, 0]] == [False, True, True, False]
    assert [bool(np.isnan(x).any()) for x in values] == [False, False, True, False]
    assert [bool(np.isnan(x).any()) for x in singular] == [False, False, True, False]
    assert [bool(np.isnan(x).any()) for x in inverses] == [False, False, True, False]
    with olympus.enable_x64(True):
        singular_rows = np.stack([np.zeros((3, 3), dtype), np.eye(3, dtype=dtype), np.ones((3, 3), dtype)])
        scanned, alone = sweep(lambda x: (jnp.linalg.solve(x, x[0] + 1), lax.linalg.lu(x)))
        olympus.tree.map(np.testing.assert_array_equal, scanned(singular_rows), alone(singular_rows))
    assert not np.isfinite(scanned(singular_rows)[0][0]).all()


def test_derivatives_and_batches_stay_native(found: list[Any]) -> None:
    def loss(a: Any) -> Any:
        def step(c: Any, x: Any) -> Any:
            factor = jnp.linalg.cholesky(a + x * jnp.eye(3))
            c = linalg.cho_solve((factor, True), c + 1)
            return c, c.sum()
        return lax.scan(step, jnp.ones(3), jnp.arange(1.0, 5.0))[1].sum()

    a = definite(3, 3)
    with olympus.enable_x64(True):
        wide = a.astype("float64")
        slope = olympus.jit(olympus.grad(loss))(wide)
        direction = (random(3, 3) + random(3, 3).T).astype("float64")
        step = 1e-6
        expected = (loss(wide + step * direction) - loss(wide - step * direction)) / (2 * step)
        np.testing.assert_allclose((slope * direction).sum(), expected, rtol=1e-6)
        batch = definite(5, 3, 3, dtype="float64")
        found.clear()
        many = olympus.jit(olympus.vmap(olympus.grad(loss)))(batch)
        assert found and all(found)
        np.testing.assert_allclose(many, np.stack([olympus.grad(loss)(x) for x in batch]), rtol=1e-9)


@pytest.mark.parametrize("devices", [2, 8])
def test_a_batch_over_devices(devices: int, found: list[Any]) -> None:
    mesh = olympus.make_mesh((devices,), ("i",))
    batch, sides = definite(16, 4, 4), random(16, 4)

    def f(a: Any, b: Any) -> Any:
        def step(i: Any, c: Any) -> Any:
            return jnp.linalg.solve(a + i * jnp.eye(4), c[..., None])[..., 0] + b
        return lax.fori_loop(0, 6, step, b)

    expected = olympus.jit(f)(batch, sides)
    found.clear()
    placed = [olympus.device_put(x, NamedSharding(mesh, P("i"))) for x in (batch, sides)]
    got = olympus.jit(f)(*placed)
    assert found and all(found)
    np.testing.assert_allclose(got, expected, rtol=1e-5)


def test_inner_loops_and_branches(found: list[Any]) -> None:
    a = definite(4, 4)

    def newton(b: Any) -> Any:
        def step(state: Any) -> Any:
            i, x = state
            solved = lax.cond(
                i % 2 == 0, lambda x: jnp.linalg.solve(a, x),
                lambda x: linalg.cho_solve((jnp.linalg.cholesky(a), True), x), x + b)
            return i + 1, lax.fori_loop(0, 3, lambda _, y: jnp.linalg.solve(a, y) + y, solved)
        return lax.while_loop(lambda s: s[0] < 5, step, (0, b))[1]

    got = olympus.jit(newton)(np.ones(4, np.float32))
    assert len(found) >= 3 and all(found)
    x, wide = np.ones(4), a.astype(np.float64)
    for _ in range(5):
        x = np.linalg.solve(wide, x + 1)
        for _ in range(3):
            x = np.linalg.solve(wide, x) + x
    np.testing.assert_allclose(got, x, rtol=1e-4)


def test_a_carry_that_a_decomposition_reads_is_not_written_before(found: list[Any]) -> None:
    def step(i: Any, c: Any) -> Any:
        grown = c * 1.25 + 1  # could be written over the carry, which the factor still needs
        factor = jnp.linalg.cholesky(c)
        return grown + factor @ factor.T * 0.5

    a = definite(5, 5)
    got = olympus.jit(lambda c: lax.fori_loop(0, 4, step, c))(a)
    c = a.astype(np.float64)
    for _ in range(4):
        c = c * 1.25 + 1 + c * 0.5
    assert all(found)
    np.testing.assert_allclose(got, c, rtol=1e-5)


def operation_of(name: str, *operands: np.ndarray, **attributes: Any) -> Operation:
    builder = ProgramBuilder("one")
    given = [builder.input(ArrayType(x.shape, x.dtype)) for x in operands]
    return builder.finish(builder.emit(ops.OPERATIONS[name], given, attributes)).operations[0]


def routine(name: str, x: np.ndarray, **attributes: Any) -> Routine:
    found = routine_of(operation_of(name, x, **attributes))
    assert found is not None
    return found


def _sorted(name: str, x: np.ndarray, **attributes: Any) -> tuple[Operation, Routine | None]:
    operation = operation_of(name, x, dimension=1, **attributes)
    return operation, sorting_routine_of(operation, is_in_loop=True)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_code_of_both_levels_gives_the_same_bits(dtype: str) -> None:
    square, columns = definite(6, 5, 5, dtype=dtype), random(6, 5, 3, dtype=dtype)
    lines = random(9, 700, dtype=dtype).round(1)
    lines[0, 3::7] = np.nan
    solve = {"left_side": True, "lower": True, "transpose": False, "conjugate": False, "unit_diagonal": False}
    operations = [
        operation_of("cholesky", square), operation_of("lu", square),
        operation_of("eigh", square, lower=True, vectors=True),
        operation_of("triangular_solve", np.tril(square), columns, **solve)]
    cases = [(operation, routine_of(operation)) for operation in operations]
    cases += [_sorted("sort", lines, keys=1), _sorted("top_k", lines, k=7, dtype=np.dtype("int32"))]
    for operation, own in cases:
        assert own is not None
        given = {"cholesky": [square], "lu": [square], "eigh": [square],
                 "triangular_solve": [np.tril(square), columns]}.get(operation.name, [lines])
        found = []
        for level in (BASELINE, OPTIMISED):
            results = [np.zeros(v.type.shape, v.type.dtype) for v in operation.results]
            own.run(given, results, level)
            assert any(x.any() for x in results)
            found.append([x.tobytes() for x in results])
        assert found[0] == found[1], operation.name


@pytest.mark.parametrize("level", [BASELINE, OPTIMISED])
@pytest.mark.parametrize("batch", [(), (6,)])
def test_calls_are_kept_without_addresses(batch: tuple[int, ...], level: int) -> None:
    x = definite(*batch, 4, 4, dtype="float64")
    own = routine("cholesky", x)
    memory = Memory(True)
    memory.add_routine(own, level)
    slots = Slots(1, (x.nbytes,), (max(own.workspace, 1),), (int(own.bound.ctypes.data),))
    step = Step(own.kernel(level), own.total, own.chunk, ((3, 0, 1, 2),))
    data = stored_call([step], slots, INLINE, memory)
    assert data is not None and own.kernel(level).to_bytes(8, "little") not in data
    entry, is_optimised = restored_call(data, None, {})
    factor = np.frombuffer(entry(x), np.float64).reshape(x.shape)
    assert is_optimised
    np.testing.assert_allclose(factor, np.linalg.cholesky(x), rtol=1e-12)
