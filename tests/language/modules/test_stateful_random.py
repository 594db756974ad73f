# SPDX-License-Identifier: Apache-2.0
"""A generator of random numbers with a state."""

from __future__ import annotations

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax, random
from olympus.errors import ArgumentError
from olympus.experimental.random import stateful_rng


def test_its_numbers_are_those_of_keys_that_are_folded_in() -> None:
    rng, base = stateful_rng(42), random.key(42)
    keys = [random.fold_in(base, i) for i in range(8)]
    assert rng.key() == keys[0]
    assert (rng.key(3) == random.split(keys[1], 3)).all()
    np.testing.assert_array_equal(rng.random(2), random.uniform(keys[2], (2,)))
    low, high = 1.0, 2 * jnp.ones(3)
    np.testing.assert_array_equal(rng.uniform(low, high), random.uniform(keys[3], (3,), minval=low, maxval=high))
    np.testing.assert_array_equal(rng.normal(), random.normal(keys[4]))
    np.testing.assert_array_equal(rng.integers(5), random.randint(keys[5], (), 0, 5))
    np.testing.assert_array_equal(rng.integers(2, 10, (2, 2)), random.randint(keys[6], (2, 2), 2, 10))
    np.testing.assert_allclose(rng.normal(3, 2, (4,)), 3 + 2 * random.normal(keys[7], (4,)), rtol=1e-6)
    assert rng.normal(dtype=jnp.bfloat16).dtype == jnp.bfloat16
    assert rng.integers(3, dtype="int8").dtype == jnp.int8


def test_jitted_functions_and_loops_change_the_state() -> None:
    rng, again = stateful_rng(0), stateful_rng(0)
    drawn = olympus.jit(rng.uniform)
    expected = [again.uniform() for _ in range(5)]
    np.testing.assert_array_equal([drawn(), drawn()], expected[:2])
    given = olympus.jit(lambda rng, x: x + rng.uniform())
    np.testing.assert_array_equal(given(rng, 1.0), 1.0 + expected[2])
    total = lax.fori_loop(0, 2, lambda i, total: total + rng.uniform(), 0.0)
    np.testing.assert_allclose(total, expected[3] + expected[4], rtol=1e-6)


def test_generators_of_a_generator() -> None:
    rng, again = stateful_rng(123), stateful_rng(123)
    found = olympus.vmap(lambda rng, x: x + rng.uniform())(rng.split(3), jnp.zeros(3))
    wanted = [random.uniform(random.fold_in(key, 0)) for key in again.key(3)]
    np.testing.assert_array_equal(found, wanted)
    children, keys = rng.spawn(2), again.key(2)
    assert [child.key() == random.fold_in(key, 0) for child, key in zip(children, keys, strict=True)] == [True, True]
    with pytest.raises(ArgumentError, match="was split"):
        rng.split(2).key()


def test_seeds() -> None:
    assert stateful_rng().uniform() != stateful_rng().uniform()
    assert random.key_impl(stateful_rng(1, impl="rbg").key()) == "rbg"
    with pytest.raises(ArgumentError, match="a seed is needed"):
        olympus.jit(lambda: stateful_rng().uniform())()
