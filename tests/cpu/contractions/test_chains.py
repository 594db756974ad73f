# SPDX-License-Identifier: Apache-2.0
"""Products and what works on their rows, piece by piece, against the same operations one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import olympus
import olympus.numpy as jnp
from olympus.sharding import NamedSharding
from olympus.sharding import PartitionSpec as P
from olympus_cpu.compiled import group
from olympus_cpu.contractions.chains import Chain, chains
from olympus_cpu.native.pool import pool

Found = list[list[str]]


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> Iterator[Found]:
    """The chains of what a test compiles, by the names of their steps."""
    names: Found = []

    def noting(steps: Any, reused: Any) -> list[Chain]:
        result = chains(steps, reused)
        names.extend([getattr(getattr(s, "kernel", None), "name", "product") for s in c.steps] for c in result)
        return result

    monkeypatch.setattr(group, "chains", noting)
    yield names


def random(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng((seed, *shape)).standard_normal(shape, np.float32)


def softmax(x: Any, axis: int = -1) -> Any:
    e = jnp.exp(x - jnp.max(x, axis=axis, keepdims=True))
    return e / jnp.sum(e, axis=axis, keepdims=True)


def alone(f: Callable[..., Any], *arguments: Any) -> np.ndarray:
    """A function's value, each of its operations by itself."""
    return np.asarray(f(*[jnp.asarray(a) for a in arguments]))


def same(f: Callable[..., Any], *arguments: np.ndarray, within: float = 2e-5) -> None:
    expected = alone(f, *arguments)
    got = np.asarray(olympus.jit(f)(*arguments))
    np.testing.assert_allclose(got, expected, rtol=within, atol=within * float(np.abs(expected).max()))


def perceptron(x: Any, *parameters: Any) -> Any:
    for w, b in zip(parameters[::2], parameters[1::2], strict=True):
        x = jnp.maximum(x @ w + b, 0)
    return x


def weights(*sizes: int) -> list[np.ndarray]:
    return [a for m, n in zip(sizes, sizes[1:], strict=False) for a in (random(m, n) / 16, random(n))]


def attention(q: Any, k: Any, v: Any) -> Any:
    return softmax(q @ jnp.transpose(k, (0, 2, 1)) / 8) @ v


class TestWhatIsFound:
    def test_a_perceptron_is_one_chain(self, found: Found) -> None:
        same(perceptron, random(250, 200), *weights(200, 300, 256, 10))
        assert [len(chain) for chain in found] == [6]

    def test_attention_is_one_chain(self, found: Found) -> None:
        same(attention, random(4, 256, 64), random(4, 256, 64, seed=1), random(4, 256, 64, seed=2))
        assert [(chain[0], chain[-1], len(chain)) for chain in found] == [("product", "product", 3)]

    @pytest.mark.parametrize("f", [
        lambda x, y: softmax(x @ y, 0) * 2,
        lambda x, y: jnp.cumsum(x @ y, axis=0),
        lambda x, y: jnp.flip(x @ y, 0) + 1,
        lambda x, y: jnp.concatenate([(x @ y)[1:], (x @ y)[:1]]) + x,
        lambda x, y: y @ (x @ y),
        lambda x, y: jnp.sum(x @ y, axis=0),
    ])
    def test_other_rows_are_waited_for(self, f: Callable[..., Any], found: Found) -> None:
        same(f, random(320, 320), random(320, 320, seed=1), within=1e-4)
        assert not any("product" in chain[1:] for chain in found)

    def test_small_products_are_no_chain(self, found: Found) -> None:
        same(perceptron, random(8, 8), *weights(8, 8, 8))
        same(attention, random(64, 12, 8), random(64, 12, 8, seed=1), random(64, 12, 8, seed=2))
        assert found == []


class TestResults:
    @settings(deadline=None, max_examples=25)
    @given(st.sampled_from([1, 3, 8]), st.integers(100, 400), st.integers(40, 300), st.integers(3, 130))
    def test_attention_of_any_size(self, heads: int, rows: int, columns: int, width: int) -> None:
        same(attention, random(heads, rows, width), random(heads, columns, width), random(heads, columns, 20),
             within=2e-4)

    @settings(deadline=None, max_examples=25)
    @given(st.integers(60, 500), st.lists(st.integers(5, 300), min_size=3, max_size=4))
    def test_perceptrons_of_any_size(self, rows: int, sizes: list[int]) -> None:
        same(perceptron, random(rows, sizes[0]), *weights(*sizes), within=1e-4)

    def test_wide_rows(self) -> None:
        same(perceptron, random(150, 600), *weights(600, 1100, 1500), within=1e-4)

    def test_residuals_and_norms(self) -> None:
        def block(x: Any, w: Any, v: Any) -> Any:
            y = x + jnp.tanh(x @ w) @ v
            y = y - jnp.mean(y, axis=-1, keepdims=True)
            return y / jnp.sqrt(jnp.mean(y * y, axis=-1, keepdims=True) + 1e-5)

        same(block, random(300, 256), random(256, 512) / 16, random(512, 256) / 16, within=1e-4)

    def test_sixteen_bits(self) -> None:
        x, *parameters = [jnp.asarray(a).astype(jnp.bfloat16) for a in (random(200, 256), *weights(256, 256, 64))]
        got = np.asarray(olympus.jit(perceptron)(x, *parameters)).astype(np.float32)
        np.testing.assert_allclose(got, alone(perceptron, x, *parameters).astype(np.float32), rtol=0.02, atol=0.1)

    def test_convolutions_with_a_bias(self, found: Found) -> None:
        def f(x: Any, k: Any, b: Any) -> Any:
            y = olympus.lax.conv_general_dilated(x, k, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
            return jnp.maximum(y + b, 0)

        same(f, random(4, 20, 20, 32), random(3, 3, 32, 48), random(48), within=1e-4)
        assert [len(chain) for chain in found] == [2]

    def test_donated_operands(self) -> None:
        def f(x: Any, w: Any) -> Any:
            return jnp.maximum(x @ w + x, 0)

        x, w = random(512, 512), random(512, 512, seed=1) / 16
        donating = olympus.jit(f, donate_argnums=(0,))
        for _ in range(8):
            np.testing.assert_array_equal(np.asarray(donating(jnp.asarray(x) * 1, w)), np.asarray(olympus.jit(f)(x, w)))

    def test_several_devices(self) -> None:
        count = len(olympus.devices())
        mesh = olympus.make_mesh((count,), ("i",))
        x, parameters = random(128 * count, 200), weights(200, 300, 64)
        split = olympus.device_put(jnp.asarray(x), NamedSharding(mesh, P("i")))
        got = np.asarray(olympus.jit(perceptron)(split, *parameters))
        np.testing.assert_allclose(got, alone(perceptron, x, *parameters), rtol=1e-4, atol=1e-4)

    def test_the_same_bits_with_any_number_of_threads(self) -> None:
        f = olympus.jit(attention)
        q, k, v = (random(6, 320, 64, seed=s) for s in range(3))
        before = pool().threads
        try:
            results = []
            for threads in (1, 2, 5):
                pool().resize(threads)
                results += [np.asarray(f(q, k, v)) for _ in range(6)]
        finally:
            pool().resize(before)
        for result in results[1:]:
            np.testing.assert_array_equal(result, results[0])

    def test_the_same_bits_as_without_a_chain(self, monkeypatch: pytest.MonkeyPatch) -> None:
        x, parameters = random(300, 700), weights(700, 600, 256, 10)
        chained = np.asarray(olympus.jit(lambda *a: perceptron(*a))(x, *parameters))
        monkeypatch.setattr(group, "chains", lambda steps, reused: [])
        np.testing.assert_array_equal(np.asarray(olympus.jit(lambda *a: perceptron(*a))(x, *parameters)), chained)

