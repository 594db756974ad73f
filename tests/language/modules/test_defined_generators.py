# SPDX-License-Identifier: Apache-2.0
"""Generators of random numbers that a library defines."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import NamedSharding, P, lax, random
from olympus.errors import ArgumentError, CheckpointLeafError, NotSupportedError
from olympus.extend import random as extended


def mixed(x: Any) -> Any:
    x = (x ^ (x >> 16)) * jnp.uint32(0x45D9F3B)
    return x ^ (x >> 15)


def generator(shape: tuple[int, ...]) -> Any:
    size = math.prod(shape)

    def seed(number: Any) -> Any:
        return mixed(jnp.arange(size, dtype="uint32") + jnp.asarray(number).astype("uint32")).reshape(shape)

    def split(key: Any, of: tuple[int, ...]) -> Any:
        numbers = jnp.arange(math.prod(of), dtype="uint32").reshape(-1, *[1] * len(shape))
        return mixed(key[None] + numbers).reshape(*of, *shape)

    def random_bits(key: Any, width: int, of: tuple[int, ...]) -> Any:
        counters = jnp.arange(math.prod(of), dtype="uint32").reshape(of) * jnp.uint32(2654435761)
        return (mixed(counters + key.sum(dtype="uint32")) >> (32 - width)).astype(f"uint{width}")

    return extended.define_prng_impl(
        key_shape=shape, seed=seed, split=split, random_bits=random_bits, name="mine", tag="m",
        fold_in=lambda key, number: mixed(key + number * jnp.uint32(7)))


# What JAX gives for the same functions.
WANTED = {
    (2,): ([3073277212, 3883314122, 3474798836], [183, 231, 207], [72, 24, 13], [4, 0, 1, 2, 3]),
    (4,): ([2237959085, 2712735417, 332408657], [133, 161, 19], [40, 63, 32], [0, 4, 1, 2, 3]),
    (1,): ([3053790273, 3913447334, 784572411], [182, 233, 46], [0, 62, 77], [1, 4, 0, 3, 2]),
    (2, 2): ([2237959085, 2712735417, 332408657], [133, 161, 19], [40, 63, 32], [0, 4, 1, 2, 3]),
    (3,): ([190235232, 540312860, 5729838], [11, 32, 0], [18, 12, 97], [1, 4, 2, 3, 0]),
}


@pytest.mark.parametrize("shape", WANTED)
def test_numbers_of_all_functions(shape: tuple[int, ...]) -> None:
    impl = generator(shape)
    key = random.key(42, impl=impl)
    bits, narrow, integers, order = WANTED[shape]
    assert key.shape == () and random.key_impl(key) is impl and random.key_data(key).shape == shape
    np.testing.assert_array_equal(random.bits(key, (3,)), np.uint32(bits))
    np.testing.assert_array_equal(random.bits(key, (3,), "uint8"), np.uint8(narrow))
    np.testing.assert_array_equal(random.randint(key, (3,), 0, 100), integers)
    np.testing.assert_array_equal(random.permutation(key, 5), order)
    np.testing.assert_array_equal(olympus.jit(lambda s: random.bits(random.key(s, impl=impl), (3,)))(42), bits)
    again = random.wrap_key_data(random.key_data(random.split(key, (2, 3))), impl=impl)
    assert again.shape == (2, 3) and bool((again == random.split(key, (2, 3))).all())


def test_transformations_and_shardings() -> None:
    impl = generator((3,))
    keys = extended.random_seed(jnp.arange(8), impl)
    alone = np.array([random.bits(random.fold_in(key, i), (2,)) for i, key in enumerate(keys)])
    numbers = jnp.arange(8)

    def drawn(keys: Any, numbers: Any) -> Any:
        return olympus.vmap(lambda key, i: random.bits(random.fold_in(key, i), (2,)))(keys, numbers)

    np.testing.assert_array_equal(drawn(keys, numbers), alone)
    placed = olympus.device_put(keys, NamedSharding(olympus.make_mesh((4,), ("i",)), P("i")))
    np.testing.assert_array_equal(olympus.jit(drawn)(placed, numbers), alone)
    turned = lax.scan(lambda key, _: (random.split(key)[0], random.bits(key)), keys[0], None, length=2)[1]
    np.testing.assert_array_equal(turned, [random.bits(keys[0]), random.bits(random.split(keys[0])[0])])
    chosen = jnp.where(numbers[:, None] % 2 == 0, keys[:, None], keys[::-1, None])
    assert chosen.dtype == keys.dtype and jnp.concatenate([keys, keys]).shape == (16,)


def test_generators_are_apart() -> None:
    one, other = (random.key(0, impl=generator((2,))) for _ in range(2))
    assert one.dtype != other.dtype and one.dtype.name.startswith("key<m")
    assert extended.seed_with_impl(extended.threefry_prng_impl, 3) == random.key(3)
    np.testing.assert_array_equal(
        extended.threefry_2x32(np.uint32([0, 0]), np.arange(3, dtype=np.uint32)).shape, (3,))
    split = random.key_data(random.split(random.key(5)))  # one block of counters
    np.testing.assert_array_equal(
        extended.threefry_2x32(np.uint32([0, 5]), np.uint32([0, 0, 0, 1])).reshape(2, 2).T, split)


def test_refusals(tmp_path: Path) -> None:
    def zeros(*arguments: Any) -> Any:
        return jnp.zeros(3, "uint32")

    functions = {"seed": zeros, "split": zeros, "random_bits": zeros, "fold_in": zeros}
    with pytest.raises(NotSupportedError, match="13 words"):
        extended.define_prng_impl(key_shape=(13,), **functions)
    with pytest.raises(ArgumentError, match="seed"):
        random.key(0, impl=extended.define_prng_impl(key_shape=(2,), **functions))
    with pytest.raises(CheckpointLeafError, match="key<m"):
        olympus.checkpoints.save(tmp_path / "saved", {"key": random.key(0, impl=generator((2,)))})
    with pytest.raises(ArgumentError, match="type of their own"):
        random.PRNGKey(0, impl=generator((2,)))
    with pytest.raises(ArgumentError, match="words of keys"):
        random.wrap_key_data(jnp.zeros((4, 2), "uint32"), impl=generator((2, 2)))
