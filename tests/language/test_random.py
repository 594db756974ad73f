# SPDX-License-Identifier: Apache-2.0
"""Random numbers: the bits of known generators, distributions, keys of both kinds, independence of sharding."""

from __future__ import annotations

import math

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import random
from olympus_core.errors import ArgumentError

KEY, RAW = random.key(0), random.PRNGKey(42)
LOGITS = np.arange(12.0, dtype=np.float32).reshape(3, 4) / 5
SHARES = np.array([0.1, 0.2, 0.3, 0.4], np.float32)

# Made with the reference implementation of the same generator; all must be exact.
EXACT = [
    ("bits", lambda: random.bits(KEY, (5,)), [4070199207, 4202968722, 1427181096, 2012915765, 2447653815]),
    ("bits of 8", lambda: random.bits(KEY, (5,), "uint8"), [167, 146, 40, 53, 183]),
    ("bits of 16", lambda: random.bits(KEY, (5,), "uint16"), [20391, 13970, 3624, 43061, 15287]),
    ("bits, two dimensions", lambda: random.bits(RAW, (2, 3)),
     [[2098992034, 2919706841, 2646866425], [2409546199, 1935504149, 2516274904]]),
    ("split", lambda: random.key_data(random.split(KEY, 3)),
     [[1797259609, 2579123966], [928981903, 3453687069], [4146024105, 2718843009]]),
    ("split to a shape", lambda: random.split(RAW, (2, 2)),
     [[[1832780943, 270669613], [64467757, 2916123636]], [[2465931498, 255383827], [3134548294, 894150801]]]),
    ("fold_in", lambda: random.fold_in(RAW, 7), [2547012911, 1371500959]),
    ("fold_in of -1", lambda: random.fold_in(RAW, -1), [2398536845, 3890976714]),
    ("fold_in of the greatest", lambda: random.fold_in(RAW, 2**32 - 1), [2398536845, 3890976714]),
    ("uniform", lambda: random.uniform(KEY, (5,)),
     [0.9476670026779175, 0.9785798788070679, 0.33229148387908936, 0.46866846084594727, 0.569888710975647]),
    ("uniform in a range", lambda: random.uniform(RAW, (2, 3), minval=-1.0, maxval=3.0),
     [[0.9548382759094238, 1.7191886901855469, 1.4650859832763672],
      [1.2440643310546875, 0.8025784492492676, 1.34346342086792]]),
    ("uniform halves", lambda: random.uniform(KEY, (4,), "float16"), [0.310546875, 0.212890625, 0.0546875, 0.65625]),
    ("uniform bfloat16", lambda: random.uniform(KEY, (4,), "bfloat16"), [0.6484375, 0.5703125, 0.15625, 0.203125]),
    ("randint", lambda: random.randint(KEY, (8,), 0, 10), [9, 0, 2, 3, 1, 7, 2, 3]),
    ("randint with bounds of its own", lambda: random.randint(RAW, (4,), -5, jnp.array([1, 10, 100, 2**31 - 1])),
     [-5, 4, 76, 1127988412]),
    ("randint uint8", lambda: random.randint(KEY, (8,), 0, 256, "uint8"), [101, 80, 200, 61, 3, 211, 144, 31]),
    ("randint int8", lambda: random.randint(KEY, (8,), -128, 127, "int8"), [11, -23, -66, -40, -72, 79, -26, -120]),
    ("bernoulli", lambda: random.bernoulli(KEY, 0.3, (8,)), [0, 0, 0, 0, 0, 1, 0, 0]),
    ("rademacher", lambda: random.rademacher(KEY, (8,)), [-1, -1, 1, 1, -1, 1, 1, -1]),
    ("permutation", lambda: random.permutation(KEY, 10), [0, 1, 8, 5, 6, 4, 3, 2, 7, 9]),
    ("permutation of an axis", lambda: random.permutation(RAW, jnp.arange(12).reshape(3, 4), axis=1),
     [[2, 3, 0, 1], [6, 7, 4, 5], [10, 11, 8, 9]]),
    ("independent permutations", lambda: random.permutation(RAW, jnp.arange(12).reshape(3, 4), 1, independent=True),
     [[2, 3, 0, 1], [7, 4, 5, 6], [10, 11, 8, 9]]),
    ("choice", lambda: random.choice(KEY, 10, (5,)), [9, 0, 2, 3, 1]),
    ("choice without replacement", lambda: random.choice(KEY, 10, (5,), replace=False), [0, 1, 8, 5, 6]),
    ("choice by shares", lambda: random.choice(KEY, 4, (6,), p=SHARES), [0, 0, 3, 2, 2, 3]),
    ("choice by shares without replacement", lambda: random.choice(KEY, 4, (2,), replace=False, p=SHARES), [1, 0]),
    ("categorical", lambda: random.categorical(KEY, jnp.log(jnp.array([0.1, 0.2, 0.7])), shape=(8,)),
     [1, 2, 2, 1, 2, 2, 2, 2]),
    ("categorical of an axis", lambda: random.categorical(KEY, LOGITS, axis=0), [0, 0, 2, 1]),
    ("categorical without replacement", lambda: random.categorical(KEY, LOGITS, 1, (2, 3), replace=False),
     [[1, 3, 2], [0, 0, 0]]),
]
# The same, but for the last digits of logarithms and of the inverse error function.
CLOSE = [
    ("normal", lambda: random.normal(KEY, (5,)),
     [1.622642159461975, 2.0252647399902344, -0.4335944354534149, -0.07861734926700592, 0.17609089612960815]),
    ("normal, complex", lambda: random.normal(RAW, (2,), "complex64"),
     [0.05368746072053909 + 0.4283398389816284j, -0.34389618039131165 + 0.5650094747543335j]),
    ("gumbel", lambda: random.gumbel(KEY, (3,)), [2.923372507095337, 3.83261775970459, -0.09689324349164963]),
    ("exponential", lambda: random.exponential(KEY, (3,)),
     [2.9501280784606934, 3.8434245586395264, 0.4039035439491272]),
    ("laplace", lambda: random.laplace(KEY, (3,)), [-2.256981611251831, -3.1502788066864014, 0.4085954427719116]),
    ("logistic", lambda: random.logistic(KEY, (3,)), [2.896375894546509, 3.8217716217041016, -0.6978392004966736]),
    ("cauchy", lambda: random.cauchy(KEY, (3,)), [6.027494430541992, 14.837895393371582, -0.5817222595214844]),
    ("truncated normal", lambda: random.truncated_normal(KEY, -2, 2, (4,)),
     [1.4559592008590698, 1.714748740196228, -0.4126753509044647, -0.07503343373537064]),
]


@pytest.mark.parametrize("use, expected", [case[1:] for case in EXACT], ids=[case[0] for case in EXACT])
def test_known_numbers(use: object, expected: list) -> None:
    np.testing.assert_array_equal(np.asarray(use()).astype(float), expected)
    np.testing.assert_array_equal(np.asarray(olympus.jit(use)()).astype(float), expected)


@pytest.mark.parametrize("use, expected", [case[1:] for case in CLOSE], ids=[case[0] for case in CLOSE])
def test_nearly_known_numbers(use: object, expected: list) -> None:
    np.testing.assert_allclose(np.asarray(use()), expected, rtol=3e-6)


@pytest.mark.parametrize("seed, words", [
    (0, [0, 0]), (42, [0, 42]), (-1, [0, 2**32 - 1]), (2**31, [0, 2**31]), (2**32 - 1, [0, 2**32 - 1]), (2**32, [1, 0]),
    (2**40 + 5, [256, 5]), (np.int64(7), [0, 7]), (np.uint32(9), [0, 9]), (True, [0, 1]),
])
def test_seeds(seed: int, words: list[int]) -> None:
    assert random.PRNGKey(seed).tolist() == words
    assert random.key_data(random.key(seed)).tolist() == words


def test_traced_seeds_and_steps() -> None:
    assert olympus.jit(random.PRNGKey)(7).tolist() == [0, 7]
    assert olympus.jit(lambda s: random.key_data(random.key(s)))(jnp.int32(-3)).tolist() == [0, 2**32 - 3]
    fold = olympus.jit(lambda key, step: random.fold_in(key, step))
    assert fold(RAW, 7).tolist() == random.fold_in(RAW, 7).tolist()
    assert fold(RAW, jnp.int32(-1)).tolist() == random.fold_in(RAW, -1).tolist()


def test_keys_of_both_kinds_give_the_same() -> None:
    raw, typed = random.PRNGKey(5), random.key(5)
    assert random.normal(raw, (3,)).tolist() == random.normal(typed, (3,)).tolist()
    assert random.key_data(random.split(typed)).tolist() == random.split(raw).tolist()
    assert random.key_data(random.wrap_key_data(raw)).tolist() == raw.tolist()


def test_arrays_of_keys() -> None:
    keys = random.split(KEY, 6)
    assert (keys.shape, keys.ndim, keys.size, len(keys), str(keys.dtype)) == ((6,), 1, 6, 6, "key<fry>")
    assert repr(KEY) == "Array((), dtype=key<fry>) overlaying:\n[0 0]"
    table = keys.reshape(2, 3)
    assert table.shape == (2, 3) and table[1].shape == (3,) and table[1, 2].shape == () and table[..., 0].shape == (2,)
    assert [random.key_data(k).tolist() for k in keys] == random.key_data(keys).tolist()
    assert random.key_data(table.ravel()).tolist() == random.key_data(keys).tolist()
    a, b = random.split(KEY)
    assert random.key_data(a).tolist() != random.key_data(b).tolist()
    with pytest.raises(ArgumentError, match="no dimensions has no parts"):
        iter(KEY)


def test_keys_cross_jit_and_loops() -> None:
    @olympus.jit
    def step(key: olympus.Array) -> tuple:
        key, sub = random.split(key)
        return key, random.normal(sub, (2,))

    key, first = step(KEY)
    assert isinstance(key, olympus.Array) and key.dtype == KEY.dtype
    expected_key, sub = random.split(KEY)
    assert first.tolist() == random.normal(sub, (2,)).tolist()
    from olympus import lax

    last = lax.fori_loop(0, 3, lambda i, k: random.split(k)[0], KEY)
    wanted = KEY
    for _ in range(3):
        wanted = random.split(wanted)[0]
    assert random.key_data(last).tolist() == random.key_data(wanted).tolist()


def test_the_same_numbers_on_every_sharding() -> None:
    mesh = olympus.make_mesh((4, 2), ("x", "y"))
    whole = random.normal(KEY, (16, 6))
    for spec in (olympus.P("x", "y"), olympus.P("y"), olympus.P(("x", "y")), olympus.P(None, "y"), olympus.P()):
        draw = olympus.jit(lambda: random.normal(KEY, (16, 6)), out_shardings=olympus.NamedSharding(mesh, spec))
        assert (np.asarray(draw()) == np.asarray(whole)).all()


def test_a_part_of_a_larger_draw_is_not_a_smaller_draw_by_accident() -> None:
    assert random.uniform(KEY, (4,)).tolist() == random.uniform(KEY, (2, 2)).ravel().tolist()
    assert random.uniform(KEY, (4,)).tolist() != random.uniform(random.key(1), (4,)).tolist()


def moments(x: object) -> tuple[float, float]:
    x = np.asarray(x, np.float64)
    return float(x.mean()), float(x.std())


@pytest.mark.parametrize("name, mean, deviation", [
    ("uniform", 0.5, math.sqrt(1 / 12)), ("normal", 0, 1), ("exponential", 1, 1), ("laplace", 0, math.sqrt(2)),
    ("logistic", 0, math.pi / math.sqrt(3)), ("gumbel", 0.5772156649, math.pi / math.sqrt(6)), ("rademacher", 0, 1),
])
def test_moments(name: str, mean: float, deviation: float) -> None:
    n = 20_000
    found = moments(getattr(random, name)(random.key(7), (n,)))
    assert abs(found[0] - mean) < 5 * deviation / math.sqrt(n)
    assert abs(found[1] / deviation - 1) < 0.05


def test_bounds() -> None:
    x = np.asarray(random.uniform(KEY, (10_000,), minval=2.0, maxval=3.0))
    assert x.min() >= 2 and x.max() < 3
    x = np.asarray(random.truncated_normal(KEY, -0.5, 1.0, (10_000,)))
    assert x.min() > -0.5 and x.max() < 1
    x = np.asarray(random.randint(KEY, (10_000,), -3, 4))
    assert set(x.tolist()) == set(range(-3, 4))
    assert random.randint(KEY, (3,), 5, 5).tolist() == [5, 5, 5]
    assert np.isfinite(np.asarray(random.normal(KEY, (50_000,)))).all()


def test_shares() -> None:
    drawn = np.asarray(random.choice(KEY, 4, (20_000,), p=SHARES))
    np.testing.assert_allclose(np.bincount(drawn) / 20_000, SHARES, atol=0.02)
    drawn = np.asarray(random.categorical(KEY, jnp.log(SHARES), shape=(20_000,)))
    np.testing.assert_allclose(np.bincount(drawn) / 20_000, SHARES, atol=0.02)
    assert abs(float(random.bernoulli(KEY, 0.2, (20_000,)).mean()) - 0.2) < 0.02
    many = np.asarray(random.permutation(KEY, 1000))
    assert sorted(many.tolist()) == list(range(1000))


def test_element_types_and_shapes() -> None:
    for dtype in ("float16", "bfloat16", "float32"):
        assert random.normal(KEY, (2,), dtype).dtype.name == dtype
    assert random.uniform(KEY).shape == () and random.uniform(KEY, [2, 3]).shape == (2, 3)
    assert random.uniform(KEY, (0, 3)).shape == (0, 3)
    assert random.bernoulli(KEY, jnp.array([0.1, 0.9])).shape == (2,)
    assert random.choice(KEY, jnp.arange(12).reshape(4, 3), (2, 2)).shape == (2, 2, 3)
    assert random.choice(KEY, jnp.arange(12).reshape(4, 3), (2,), axis=1).shape == (4, 2)
    with olympus.enable_x64(True):
        assert random.normal(KEY, (2,)).dtype == jnp.float64
        assert random.bits(KEY, (2,), "uint64").tolist()[0] >> 32 != 0


@pytest.mark.parametrize("use, message", [
    (lambda: random.normal(0, (2,)), "not a key"), (lambda: random.normal(jnp.zeros(2), (2,)), "not a key"),
    (lambda: random.normal(random.split(KEY), (2,)), "several keys"),
    (lambda: random.key(1.5), "seed is not an integer"),
    (lambda: random.key(2**70), "more than 64 bits"), (lambda: random.key(0, impl="philox"), "generator is not known"),
    (lambda: random.uniform(KEY, (2,), int), "not one of floats"),
    (lambda: random.bits(KEY, (2,), "int32"), "not unsigned"),
    (lambda: random.randint(KEY, (2,), 0, 5, float), "not one of integers"),
    (lambda: random.randint(KEY, (2,), 0, 1.5j), "a bound is not an integer"),
    (lambda: random.randint(KEY, (2,), 0, float("inf")), "a bound is not an integer"),
    (lambda: random.uniform(KEY, (2,), minval=jnp.zeros(3)), "do not broadcast|Incompatible shapes"),
    (lambda: random.choice(KEY, 3, (5,), replace=False), "more elements are drawn"),
    (lambda: random.choice(KEY, 3, (1,), p=SHARES), "probabilities do not fit"),
    (lambda: random.choice(KEY, 0, (1,)), "nothing to draw from"),
    (lambda: random.fold_in(KEY, 1.5), "not one integer"),
    (lambda: random.categorical(KEY, LOGITS, shape=(5,)), "do not broadcast|does not fit|Incompatible shapes"),
])
def test_mistakes_teach(use: object, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        use()


def test_bounds_of_integers_that_are_floats_count_as_their_whole_parts() -> None:
    wanted = random.randint(KEY, (20,), -2, 10)
    for low, high in ((-2.7, 10.9), (jnp.float32(-2.5), 10), (-2.0, jnp.full(20, 10.5))):
        found = random.randint(KEY, (20,), low, high)
        assert found.dtype == wanted.dtype and found.tolist() == wanted.tolist()


def test_words_in_one_sequence() -> None:
    """The numbers that JAX 0.10 gives for the key of seed 7 with jax_threefry_partitionable off."""
    random = olympus.random
    with olympus.threefry_partitionable(False):
        for key in (random.PRNGKey(7), random.key(7)):
            words = random.key_data(random.split(key, 3))
            assert words.tolist() == [[276534068, 861967409], [1905761346, 1641862660], [2900896126, 1402713516]]
            assert random.key_data(random.split(key)).tolist() == [[966301609, 989289821], [1948237315, 1058547403]]
            assert random.bits(key, (5,)).tolist() == [276534068, 861967409, 2793701230, 1641862660, 2900896126]
            assert int(random.bits(key)) == 3625411723 and random.bits(key, (0, 3)).shape == (0, 3)
            assert random.bits(key, (5,), "uint16").tolist() == [38825, 14744, 55624, 27928, 48643]
            assert random.bits(key, (5,), "uint8").tolist() == [191, 40, 160, 11, 191]
            assert random.permutation(key, 11).tolist() == [0, 3, 7, 9, 1, 5, 10, 6, 4, 2, 8]
            assert random.poisson(key, 3.0, (6,)).tolist() == [2, 3, 4, 2, 2, 1]
        normal = olympus.vmap(lambda key: random.normal(key, (3,)))(random.split(random.key(7), 4))
        np.testing.assert_allclose(normal[3], [0.3916769, 0.9721417, -0.039518952], rtol=2e-6)
        gamma = random.gamma(random.key(7), np.array([0.3, 1.0, 2.0, 5.0], np.float32), (6, 4))
        np.testing.assert_allclose(gamma[0], [0.08507463, 1.1313981, 2.128737, 5.3326292], rtol=2e-6)
        words = random.key_data(random.split(random.key(3, impl="rbg"), 3))
        assert words[2].tolist() == [2823528474, 3529024829] * 2
        with olympus.enable_x64(True):
            wide = random.bits(random.key(7), (5,), "uint64")
            assert wide.tolist()[:2] == [15389220101028177230, 4551668408390860801]
        inner = olympus.jit(lambda key: random.bits(key, (5,)))
        assert inner(random.key(7)).tolist()[0] == 276534068
    assert random.bits(random.key(7), (5,)).tolist()[0] != 276534068
    assert inner(random.key(7)).tolist()[0] != 276534068


def test_offset_of_seeds() -> None:
    random = olympus.random
    plain = [random.PRNGKey(seed) for seed in (8, 3, 4)]
    olympus.config.update("olympus_random_seed_offset", 5)
    try:
        for seed, wanted in ((3, plain[0]), (np.int32(-2), plain[1]), (-1, plain[2]), (np.uint32(2**32 - 1), plain[2])):
            np.testing.assert_array_equal(random.PRNGKey(seed), wanted)
            np.testing.assert_array_equal(random.key_data(random.key(seed)), wanted)
        assert random.PRNGKey(2**31 - 1).tolist() == [0, 2**31 + 4] and random.PRNGKey(2**32 - 2).tolist() == [0, 3]
        assert olympus.jit(random.PRNGKey)(3).tolist() == [0, 8]
        with olympus.enable_x64(True):
            assert random.PRNGKey(2**32 - 2).tolist() == [1, 3] and random.PRNGKey(2**40).tolist() == [256, 5]
    finally:
        olympus.config.update("olympus_random_seed_offset", 0)
    assert random.PRNGKey(3).tolist() == [0, 3] and olympus.jit(random.PRNGKey)(3).tolist() == [0, 3]


def test_gumbel_numbers_of_high_range_by_an_option() -> None:
    random, key = olympus.random, olympus.random.key(0)
    high = random.gumbel(key, (4,), mode="high")
    drawn = random.categorical(key, np.zeros((30, 5)), mode="high")
    low = olympus.jit(lambda key: random.gumbel(key, (4,)))
    assert low(key).tolist() != high.tolist()
    olympus.config.update("olympus_high_dynamic_range_gumbel", True)
    try:
        assert random.gumbel(key, (4,)).tolist() == low(key).tolist() == high.tolist()
        assert random.categorical(key, np.zeros((30, 5))).tolist() == drawn.tolist()
        assert random.gumbel(key, (4,), mode="low").tolist() != high.tolist()
    finally:
        olympus.config.update("olympus_high_dynamic_range_gumbel", False)
