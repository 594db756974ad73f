# SPDX-License-Identifier: Apache-2.0
"""Updates of some of an array, as users write them: NumPy's results, whether memory is given away or kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import olympus
import olympus.numpy as jnp
from olympus import lax

RNG = np.random.default_rng(5)
LONG = (300, 1000)  # threads fill it


def check(function: Callable[..., Any], expected: Callable[..., Any], *arrays: np.ndarray) -> None:
    """Calls a function with its first argument kept and given away, often enough for better code to be there."""
    wanted = expected(*(a.copy() for a in arrays))
    kept = [jnp.asarray(a) for a in arrays]
    plain, giving = olympus.jit(function), olympus.jit(function, donate_argnums=0)
    for _ in range(5):
        np.testing.assert_allclose(np.asarray(plain(*kept)), wanted, rtol=1e-6)
        np.testing.assert_array_equal(np.asarray(kept[0]), arrays[0])
        np.testing.assert_allclose(np.asarray(giving(jnp.asarray(arrays[0]) + 0, *kept[1:])), wanted, rtol=1e-6)


def numpy_window(x: np.ndarray, update: np.ndarray, *starts: int) -> np.ndarray:
    """`dynamic_update_slice`: the window is moved to lie inside; negative starts count from the end."""
    sides = zip(starts, x.shape, update.shape, strict=True)
    first = [min(max(int(s) + n * bool(s < 0), 0), n - m) for s, n, m in sides]
    x[tuple(slice(s, s + m) for s, m in zip(first, update.shape, strict=True))] = update
    return x


@pytest.mark.parametrize(("shape", "window", "starts"), [
    ((40, 30), (1, 30), (7, 0)), ((40, 30), (1, 30), (99, -5)), ((40, 30), (3, 4), (2, 29)), ((400,), (1,), (-1,)),
    ((6, 7, 50), (1, 7, 5), (3, 1, 20)), (LONG, (1, 1000), (299, 0)), (LONG, (70, 1000), (100, 0)),
    (LONG, (300, 3), (0, 500)), ((40, 30), (40, 30), (1, 1)),
])
@pytest.mark.parametrize("dtype", [np.float32, np.int8, np.complex64])
def test_windows(shape, window, starts, dtype):
    x, update = (RNG.integers(0, 100, s).astype(dtype) for s in (shape, window))
    places = [np.int32(s) for s in starts]
    check(lambda x, u, *s: lax.dynamic_update_slice(x, u, s), numpy_window, x, update, *map(np.asarray, places))
    check(lambda x, u: lax.dynamic_update_slice(x, u, starts), lambda x, u: numpy_window(x, u, *starts), x, update)


@settings(max_examples=15)
@given(st.sampled_from([(40,), (40, 8)]), st.lists(st.integers(-50, 50), min_size=1, max_size=6),
       st.sampled_from(["set", "add", "multiply", "min", "max"]), st.sampled_from(["drop", "clip"]))
def test_rows(shape, places, combine, mode):
    """Several rows, some twice, some outside."""
    x = RNG.integers(0, 9, shape).astype(np.float32)
    rows = RNG.integers(0, 9, (len(places), *shape[1:])).astype(np.float32)
    if combine == "set":  # which of two stays is nobody's to say
        places = list({p % 40 if -40 <= p < 40 else p: p for p in places}.values())
        rows = rows[: len(places)]
        if mode == "clip":
            places = [p for p in places if 0 < p < 39] or [7]
            rows = rows[: len(places)]

    def expected(x: np.ndarray, at: np.ndarray, rows: np.ndarray) -> np.ndarray:
        for place, row in zip(at, rows, strict=True):
            place = place + 40 if -40 <= place < 0 else place
            place = min(max(place, 0), 39) if mode == "clip" else place
            if 0 <= place < 40:
                old = x[place].copy()
                x[place] = {"set": row, "add": old + row, "multiply": old * row, "min": np.minimum(old, row),
                            "max": np.maximum(old, row)}[combine]
        return x

    check(lambda x, at, rows: getattr(x.at[at], combine)(rows, mode=mode), expected, x,
          np.asarray(places, np.int32), rows)


def halved(x: Any, i: Any) -> Any:
    return x.at[i].set(x[i] * 0.5)


def halved_of_before(x: Any, i: Any) -> Any:
    return x.at[i].set(x[i - 1] * 0.5 + 1)


@pytest.mark.parametrize("shape", [(100,), (100, 20), LONG])
@pytest.mark.parametrize("update", [halved, halved_of_before])
@pytest.mark.parametrize("places", [np.int32(17), np.array([3, 5, 4, 90], np.int32)], ids=["one", "several"])
def test_updates_made_of_the_operand(shape, update, places):
    """All is read before anything is written: row 4 is made of the row 3 that was given, too."""

    def expected(x: np.ndarray, i: np.ndarray) -> np.ndarray:
        x[i] = x[i] * np.float32(0.5) if update is halved else x[i - 1] * np.float32(0.5) + 1
        return x

    check(update, expected, RNG.random(shape).astype(np.float32), np.asarray(places))


def test_windows_that_overlap_what_they_are_made_of():
    x = RNG.random(5000).astype(np.float32)

    def moved(x: Any, i: Any) -> Any:
        return lax.dynamic_update_slice(x, lax.dynamic_slice(x, (i - 3,), (1000,)), (i,))

    def expected(x: np.ndarray, i: np.ndarray) -> np.ndarray:
        x[int(i): int(i) + 1000] = x[int(i) - 3: int(i) + 997].copy()
        return x

    check(moved, expected, x, np.asarray(np.int32(100)))


def test_updates_after_each_other():
    def function(x: Any, row: Any, i: Any) -> Any:
        x = x.at[i].set(row).at[0].set(row + 1)
        return lax.dynamic_update_slice(x, row[None, 3:7], (i + 1, 2)).at[i + 1, 3].add(5.0)

    def expected(x: np.ndarray, row: np.ndarray, i: np.ndarray) -> np.ndarray:
        x[i], x[0] = row, row + 1
        x[i + 1, 2:6] = row[3:7]
        x[i + 1, 3] += 5
        return x

    x, row = RNG.random((50, 20)).astype(np.float32), RNG.random(20).astype(np.float32)
    check(function, expected, x, row, np.asarray(np.int32(9)))


def test_both_are_kept():
    """The array before and after the update."""
    x, row = RNG.random(LONG).astype(np.float32), RNG.random(1000).astype(np.float32)

    def function(x: Any, row: Any, i: Any) -> Any:
        return jnp.stack([x[5], x.at[i].set(row)[5], x[5] + 1])

    check(function, lambda x, row, i: np.stack([x[5], row, x[5] + 1]), x, row, np.asarray(np.int32(5)))
    before, after = olympus.jit(lambda x, i: (x, x.at[i].set(0.0)), donate_argnums=0)(jnp.asarray(x) + 0, np.int32(5))
    np.testing.assert_array_equal(np.asarray(before), x)
    x[5] = 0
    np.testing.assert_array_equal(np.asarray(after), x)


def test_a_reader_of_the_array_before():
    """The result of a product with what is written over then."""
    x, row = RNG.random((300, 300)).astype(np.float32), RNG.random(300).astype(np.float32)

    def function(x: Any, row: Any, i: Any) -> Any:
        return (x @ row) + jnp.sum(x.at[i].set(row), axis=1)

    def expected(x: np.ndarray, row: np.ndarray, i: np.ndarray) -> np.ndarray:
        product = x @ row
        x[i] = row
        return product + x.sum(axis=1)

    for _ in range(3):
        given = jnp.asarray(x) + 0, jnp.asarray(row), jnp.asarray(np.int32(5))
        got = olympus.jit(function, donate_argnums=0)(*given)
        np.testing.assert_allclose(np.asarray(got), expected(x.copy(), row, np.asarray(5)), rtol=1e-4)


def test_zeros_with_a_row():
    row = RNG.random(1000).astype(np.float32)

    def expected(row: np.ndarray, i: np.ndarray) -> np.ndarray:
        x = np.zeros(LONG, np.float32)
        x[i] = row
        return x

    check(lambda row, i: jnp.zeros(LONG, jnp.float32).at[i].set(row), expected, row, np.asarray(np.int32(3)))


def test_loops_that_fill_an_array():
    def function(x: Any, row: Any) -> Any:
        return lax.fori_loop(0, 50, lambda i, x: x.at[2 * i].set(row * i).at[i].add(1.0), x)

    def expected(x: np.ndarray, row: np.ndarray) -> np.ndarray:
        for i in range(50):
            x[2 * i] = row * i
            x[i] += 1
        return x

    check(function, expected, RNG.random((100, 20)).astype(np.float32), RNG.random(20).astype(np.float32))


def test_several_devices():
    x, row = RNG.random((8, 40, 50)).astype(np.float32), RNG.random((8, 50)).astype(np.float32)
    function = olympus.pmap(lambda x, row, i: lax.dynamic_update_slice(x, row[None], (i, 0)), in_axes=(0, 0, None))
    count = min(olympus.local_device_count(), 8)
    got = function(x[:count], row[:count], np.int32(7))
    x[:, 7] = row
    np.testing.assert_array_equal(np.asarray(got), x[:count])


@pytest.mark.parametrize("operation", ["sort", "argsort", "top_k"])
@pytest.mark.parametrize("is_held", [False, True])
def test_donation_beside_an_operation_of_numpy(operation: str, is_held: bool) -> None:
    """Its result is written over in any case, the donated array only where nobody else holds it."""
    made = {"sort": jnp.sort, "argsort": jnp.argsort, "top_k": lambda x: olympus.lax.top_k(x, 1000)[0]}[operation]
    right = {"sort": np.sort, "argsort": np.argsort, "top_k": lambda x: np.sort(x)[::-1]}[operation]
    f = olympus.jit(lambda x: (made(x) * 3, x * 2), donate_argnums=0)
    for i in range(3):
        value = np.random.default_rng(i).permutation(1000).astype(np.float32)
        x = jnp.asarray(value) + 0
        held = np.asarray(x) if is_held else None
        of_made, of_x = f(x)
        assert held is None or np.array_equal(held, value)
        assert np.array_equal(of_made, 3 * right(value)) and np.array_equal(of_x, 2 * value)
