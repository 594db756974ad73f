# SPDX-License-Identifier: Apache-2.0
"""Sorts and greatest elements by native code: the references' bits; in loops also against NumPy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.sharding import NamedSharding
from olympus.sharding import PartitionSpec as P
from olympus_core import dtypes, ops
from olympus_core.program import ArrayType, OperationRecord, ProgramBuilder
from olympus_core.toolkit import quietly
from olympus_cpu.sorting import routine_of

# Below and above a vector, a run, two runs and the number of elements that are held in order.
SHAPES = [(1,), (7,), (8,), (9,), (31,), (33,), (64,), (65,), (300,), (3, 40), (5, 1), (4, 7, 12), (2, 40, 20)]


def values(shape: Sequence[int], dtype: np.dtype, kind: str, seed: int = 0) -> np.ndarray:
    """Elements that all differ, that are few with special numbers among them, or that are all alike."""
    random = np.random.default_rng(seed)
    if kind == "alike":
        return np.zeros(shape, dtype)
    if dtypes.is_bool(dtype):
        return random.integers(0, 2, shape).astype(dtype)
    if dtypes.is_integer(dtype):
        limits = np.iinfo(dtype)
        if kind == "few":
            return random.choice(np.array([limits.min, limits.max, 0, 1, 2, 7], dtype), shape)
        return random.integers(limits.min, limits.max, shape, dtype, endpoint=True)
    some = [0.0, -0.0, 1, 2, -3, np.inf, -np.inf, 0.5, np.nan, -np.nan]
    with np.errstate(all="ignore"):
        if kind == "distinct":
            x = np.asarray(random.standard_normal(shape))
            return (x + 1j * random.standard_normal(shape) if dtypes.is_complex(dtype) else x).astype(dtype)
        x = random.choice(some, shape)
        if dtypes.is_complex(dtype):
            parts = np.stack([x, random.choice(some, shape)], -1).astype(dtypes.real_part(dtype))
            return np.ascontiguousarray(parts).view(dtype)[..., 0]
        return x.astype(dtype)


def check(record: OperationRecord, operands: Sequence[np.ndarray], **attributes: Any) -> list[np.ndarray]:
    """Compares the routine with the reference, bit for bit, and gives what it found."""
    builder = ProgramBuilder("one")
    inputs = [builder.input(ArrayType(x.shape, x.dtype)) for x in operands]
    operation = builder.finish(builder.emit(record, inputs, attributes)).operations[0]
    routine = routine_of(operation, True)
    assert routine is not None and record.reference is not None
    found = [np.empty(v.type.shape, v.type.dtype) for v in operation.results]
    before = [x.tobytes() for x in operands]
    routine.run(operands, found)
    assert [x.tobytes() for x in operands] == before
    for got, wanted in zip(found, quietly(record.reference, operands, attributes), strict=True):
        assert got.tobytes() == np.ascontiguousarray(wanted).tobytes()
    return found


@pytest.mark.parametrize("kind", ["distinct", "few", "alike"])
@pytest.mark.parametrize("dtype", dtypes.ALL, ids=str)
def test_what_the_references_give(dtype: np.dtype, kind: str) -> None:
    for shape in SHAPES:
        x = values(shape, dtype, kind)
        along = np.arange(x.size).reshape(shape).astype(np.int16)
        other = values(shape, dtypes.float32, "few", 1)
        for dimension, n in enumerate(shape):
            check(ops.sort, [x], dimension=dimension, keys=1)
            check(ops.sort, [x, along, x], dimension=dimension, keys=1)
            check(ops.sort, [x, other, along], dimension=dimension, keys=2)
            check(ops.sort, [other, along, x], dimension=dimension, keys=3)
            for k in sorted({min(1, n), min(5, n), n // 3 or 1, n}):
                for index in (dtypes.int32, dtypes.int64, dtypes.int16):
                    check(ops.top_k, [x], dimension=dimension, k=k, dtype=index)


def test_many_lines_in_chunks() -> None:
    for dtype in (dtypes.float32, dtypes.complex128):
        x = values((400, 40), dtype, "distinct")
        (found,) = check(ops.sort, [x], dimension=1, keys=1)
        np.testing.assert_array_equal(found, np.sort(x, 1))
        check(ops.sort, [x], dimension=0, keys=1)
        check(ops.top_k, [x], dimension=0, k=3, dtype=dtypes.int32)


def test_the_first_of_equal_elements_however_they_come() -> None:
    rows = np.stack([np.zeros(100), np.arange(100), -np.arange(100), np.arange(100) % 3]).astype(np.float32)
    _, places = check(ops.top_k, [rows], dimension=1, k=3, dtype=dtypes.int32)
    assert places.tolist() == [[0, 1, 2], [99, 98, 97], [0, 1, 2], [2, 5, 8]]


@pytest.mark.parametrize("dtype", [t for t in dtypes.ALL if not dtypes.is_complex(t)], ids=str)
def test_greatest_of_long_lines(dtype: np.dtype) -> None:
    """Where most elements are passed over many at a time: rising, falling, few values, NaN and zeros of both signs."""
    lines = [values((1000,), dtype, kind, seed) for kind in ("distinct", "few") for seed in range(3)]
    up = np.sort(lines[0])
    lines += [up, up[::-1], np.roll(up, 500), values((1000,), dtype, "alike")]
    for k in (1, 3, 16):
        check(ops.top_k, [np.stack(lines)], dimension=1, k=k, dtype=dtypes.int32)
    for length in (256, 271, 287, 288):  # what is left over after whole blocks
        check(ops.top_k, [np.stack([line[-length:] for line in lines])], dimension=1, k=10, dtype=dtypes.int32)


def test_what_is_left_to_numpy() -> None:
    def taken(record: OperationRecord, shape: tuple[int, ...], count: int, in_loop: bool, **attributes: Any) -> bool:
        builder = ProgramBuilder("one")
        inputs = [builder.input(ArrayType(shape, "float32")) for _ in range(count)]
        return routine_of(builder.finish(builder.emit(record, inputs, attributes)).operations[0], in_loop) is not None

    for in_loop in (False, True):
        assert taken(ops.sort, (200,), 1, in_loop, dimension=0, keys=1)
        assert taken(ops.sort, (2000,), 1, in_loop, dimension=0, keys=1) == in_loop
        assert taken(ops.sort, (10, 200), 2, in_loop, dimension=0, keys=1)
        assert not taken(ops.sort, (200, 200), 2, in_loop, dimension=0, keys=1)
        assert not taken(ops.sort, (0,), 1, in_loop, dimension=0, keys=1)
        assert taken(ops.top_k, (200, 200), 1, in_loop, dimension=0, k=3, dtype=dtypes.int32)
        assert taken(ops.top_k, (200, 2000), 1, in_loop, dimension=1, k=16, dtype=dtypes.int32)
        assert not taken(ops.top_k, (200, 2000), 1, in_loop, dimension=1, k=17, dtype=dtypes.int32)
        assert not taken(ops.top_k, (2000, 200), 1, in_loop, dimension=0, k=3, dtype=dtypes.int32)
        assert not taken(ops.top_k, (20_000, 20), 1, in_loop, dimension=1, k=3, dtype=dtypes.int32)
        assert not taken(ops.top_k, (200, 200), 1, in_loop, dimension=0, k=100, dtype=dtypes.int32)
        assert not taken(ops.top_k, (200,), 1, in_loop, dimension=0, k=0, dtype=dtypes.int32)


def sorting(c: Any, x: Any) -> Any:
    greatest, places = lax.top_k(x * c, 3)
    order = jnp.argsort(x + c)
    return jnp.tanh(greatest[0]), (jnp.sort(x - c), greatest, places, order, jnp.median(x), x[order])


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_sorts_in_loops(dtype: str, found: list[Any]) -> None:
    with olympus.enable_x64(True):
        x = values((9, 37), np.dtype(dtype), "distinct")
        x[4, 5] = np.nan
        one = np.asarray(1, dtype)
        got = olympus.jit(lambda x: lax.scan(sorting, one, x)[1])(x)
        assert found and all(found)
        c = one
        for i, row in enumerate(x):
            c, expected = olympus.jit(sorting)(c, row)
            for each, wanted in zip(got, expected, strict=True):
                np.testing.assert_array_equal(each[i], wanted)
        np.testing.assert_array_equal(got[0][0], np.sort(x[0] - one))
        assert np.isfinite(got[0][3]).all() and np.isnan(got[0][5]).all()


def test_batches_derivatives_and_devices(found: list[Any]) -> None:
    x = values((8, 6, 20), np.dtype("float32"), "distinct")

    def f(rows: Any) -> Any:
        return lax.scan(lambda c, row: (jnp.sort(row * c)[-1] * 0.1 + 1, (jnp.sort(row) * jnp.arange(20.0)).sum()), 1.0,
                        rows)[1].sum()

    alone = np.stack([olympus.jit(olympus.grad(f))(rows) for rows in x])
    np.testing.assert_array_equal(np.sort(alone[0, 0]), np.arange(20))
    np.testing.assert_allclose(olympus.jit(olympus.vmap(olympus.grad(f)))(x), alone, rtol=1e-5)
    mesh = olympus.make_mesh((8,), ("i",))
    placed = olympus.device_put(x, NamedSharding(mesh, P("i")))
    np.testing.assert_allclose(olympus.jit(olympus.vmap(f))(placed), [f(rows) for rows in x], rtol=1e-5)
    assert found and all(found)
