# SPDX-License-Identifier: Apache-2.0
"""Keys of random numbers as arrays: their element type, what moves them, transforms, shardings, generators."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import NamedSharding, P, dtypes, lax, random
from olympus.random.keys import LegacyKeyWarning
from olympus_core import dtypes as core
from olympus_core import ops
from olympus_core.errors import ArgumentError, KeyConversionError, OperandError, OptionValueError, TypePromotionError
from olympus_core.program import ArrayType

KEY = random.key(0)
KEYS = random.split(KEY, 8)
WORDS = np.asarray(random.key_data(KEYS))


def words(keys: Any) -> np.ndarray:
    return np.asarray(random.key_data(keys))


def test_a_key_is_an_array_and_a_leaf() -> None:
    assert isinstance(KEY, olympus.Array) and (KEYS.shape, KEYS.ndim, KEYS.size, KEYS.nbytes) == ((8,), 1, 8, 64)
    assert olympus.tree.leaves({"key": KEYS}) == [KEYS] and olympus.tree.map(lambda x: x.shape, KEYS) == (8,)
    assert repr(olympus.eval_shape(random.split, KEY)) == "ShapeDtypeStruct(shape=(2,), dtype=key<fry>)"
    assert (str(olympus.typeof(KEYS)), str(KEY.dtype), KEY.dtype.name, KEY.dtype.itemsize) == (
        "key<fry>[8]", "key<fry>", "key<fry>", 8)
    assert random.key_dtype() == KEY.dtype == random.key_dtype("fry") != random.key_dtype("rbg")
    assert KEY.dtype != jnp.float32 and hash(KEY.dtype) == hash(KEYS.dtype)


def test_kinds_of_element_types() -> None:
    assert dtypes.issubdtype(KEY.dtype, dtypes.prng_key) and dtypes.issubdtype(KEY.dtype, dtypes.extended)
    assert jnp.issubdtype(KEY.dtype, np.generic) and jnp.issubdtype(dtypes.prng_key, dtypes.extended)
    assert not jnp.issubdtype(KEY.dtype, jnp.number) and not jnp.issubdtype(jnp.uint32, dtypes.prng_key)


@pytest.mark.parametrize("keys, expected", [
    (lambda k: jnp.stack([k, k]), lambda w: np.stack([w, w])),
    (lambda k: jnp.array([k[0], k[3]]), lambda w: w[[0, 3]]),
    (lambda k: jnp.concatenate([k[:2], k[5:]]), lambda w: np.concatenate([w[:2], w[5:]])),
    (lambda k: jnp.where(jnp.arange(8) > 3, k, k[0]), lambda w: np.where((np.arange(8) > 3)[:, None], w, w[0])),
    (lambda k: k[jnp.array([1, -1])], lambda w: w[[1, -1]]),
    (lambda k: k.at[2].set(k[7]), lambda w: np.concatenate([w[:2], w[7:], w[3:]])),
    (lambda k: k.reshape(2, 4).T, lambda w: w.reshape(2, 4, 2).swapaxes(0, 1)),
    (lambda k: jnp.roll(jnp.flip(k), 1), lambda w: np.roll(w[::-1], 1, 0)),
    (lambda k: jnp.broadcast_to(k[0], (3, 2)), lambda w: np.broadcast_to(w[0], (3, 2, 2))),
    (lambda k: jnp.expand_dims(k, 1).squeeze(), lambda w: w), (lambda k: jnp.tile(k, 2), lambda w: np.tile(w, (2, 1))),
    (lambda k: jnp.zeros_like(k), np.zeros_like), (lambda k: jnp.ones_like(k), np.ones_like),
    (lambda k: jnp.copy(k), lambda w: w), (lambda k: lax.dynamic_slice(k, (jnp.int32(2),), (3,)), lambda w: w[2:5]),
    (lambda k: lax.dynamic_update_slice(k, k[:2], (jnp.int32(1),)), lambda w: np.concatenate([w[:1], w[:2], w[3:]])),
    (lambda k: lax.cond(True, lambda a: a, lambda a: a[::-1], k), lambda w: w),
    (lambda k: lax.scan(lambda c, x: (x, c), k[0], k)[1], lambda w: np.concatenate([w[:1], w[:-1]])),
    (lambda k: olympus.vmap(lambda i: k[i])(jnp.arange(3)), lambda w: w[:3]),
    (lambda k: olympus.vmap(lambda a, b: jnp.where(b, a, k[1]))(k, jnp.arange(8) > 2),
     lambda w: np.where((np.arange(8) > 2)[:, None], w, w[1])),
])
def test_what_moves_elements_moves_keys(keys: Any, expected: Any) -> None:
    for kind in ("threefry2x32", "rbg"):
        made = random.split(random.key(3, impl=kind), 8)
        wanted = expected(words(made)) if kind == "threefry2x32" else None
        found = olympus.jit(keys)(made)
        assert found.dtype == made.dtype
        if wanted is not None:
            np.testing.assert_array_equal(words(found), wanted)
            np.testing.assert_array_equal(words(keys(made)), wanted)
        else:  # every half of the words goes the same way
            halves = words(made).reshape(8, 2, 2)
            np.testing.assert_array_equal(words(found)[..., :2], expected(np.ascontiguousarray(halves[:, 0])))
            np.testing.assert_array_equal(words(found)[..., 2:], expected(np.ascontiguousarray(halves[:, 1])))


def test_keys_are_equal_or_not() -> None:
    assert bool(KEY == random.key(0)) and bool(KEY != random.key(1)) and bool(jnp.array_equal(KEYS, KEYS))
    for same in (jnp.array_equal, olympus.jit(jnp.array_equal, static_argnames="equal_nan")):
        assert bool(same(KEYS, KEYS, equal_nan=True)) and not bool(same(KEYS, KEYS[::-1], equal_nan=True))
    assert not jnp.isnan(KEYS).any()
    np.testing.assert_array_equal(KEYS == KEYS[2], np.arange(8) == 2)
    nan = random.wrap_key_data(np.full((2, 4), 2**32 - 1, np.uint32), impl="rbg")  # no number equals itself as this
    assert (nan == nan).tolist() == [True, True] and (nan != random.key(0, impl="rbg")).tolist() == [True, True]
    with pytest.raises(TypePromotionError, match="key<fry>, key<rbg>"):
        bool(KEY == random.key(0, impl="rbg"))


@pytest.mark.parametrize("use", [
    lambda k: -k, lambda k: k + k, lambda k: k < k, lambda k: k.sum(), lambda k: jnp.sort(k), lambda k: k.max(),
    lambda k: k.astype("float32"), lambda k: jnp.ones(2).astype(k.dtype), lambda k: k.at[0].add(k[1]), jnp.sin,
    lambda k: k @ k, jnp.cumsum, lambda k: jnp.argmax(k), lambda k: k & k, jnp.abs,
])
def test_keys_are_no_numbers(use: Any) -> None:
    with pytest.raises((OperandError, ArgumentError, TypePromotionError), match="key<fry>"):
        use(KEYS)


def test_only_what_moves_takes_keys() -> None:
    """No operation of the set computes with keys: of one operand, of two and of three, of each rank."""
    takes = set()
    attributes: list[dict[str, Any]] = [
        {}, {"dimensions": (0,)}, {"dimension": 0, "reverse": False}, {"dtype": core.uint32},
        {"dimension": 0, "keys": 1}, {"dimension": 0, "dtype": core.int32},
        {"dimension": 0, "k": 1, "dtype": core.int32},
    ]
    for name, record in ops.OPERATIONS.items():
        for count in (1, 2, 3):
            for shape in ((), (4,), (4, 4)):
                for given in attributes:
                    try:
                        record.type_rule([ArrayType(shape, core.key_fry)] * count, given, ())
                    except Exception:  # noqa: BLE001  # whatever a rule meets in what it was not made for
                        continue
                    takes.add(name)
    assert takes == {"dynamic_update_slice", "reverse"}


def test_content_stays_keys() -> None:
    for convert in (np.asarray, bool, float, lambda k: k.item(), lambda k: k.tolist()):
        with pytest.raises(KeyConversionError, match="key_data"):
            convert(KEY)
    np.testing.assert_array_equal(words(pickle.loads(pickle.dumps(KEYS))), WORDS)
    assert olympus.device_get([KEY])[0] is KEY
    told = olympus.ShapeDtypeStruct((8, 2), "uint32")
    np.testing.assert_array_equal(olympus.jit(lambda k: olympus.pure_callback(np.flip, told, k))(KEYS), np.flip(WORDS))


def test_derivatives_pass_keys_by() -> None:
    def loss(x: Any, key: Any) -> tuple[Any, Any]:
        (value, key), _ = lax.scan(
            lambda c, _: ((c[0] * x + random.normal(c[1]), random.split(c[1])[0]), None), (0.0, key), None, length=3)
        return value, key

    slope, key = olympus.jit(olympus.grad(loss, has_aux=True))(2.0, KEY)
    draws, own = [], KEY
    for _ in range(3):
        draws.append(float(random.normal(own)))
        own = random.split(own)[0]
    assert np.isclose(slope, 4 * draws[0] + draws[1], rtol=1e-5)
    np.testing.assert_array_equal(words(key), words(own))
    assert olympus.grad(lambda k: random.normal(k), allow_int=True)(KEY).dtype == dtypes.float0
    value, tangent = olympus.jvp(lambda x: x * random.normal(KEY), (2.0,), (1.0,))
    assert float(value) == 2 * float(tangent)


def test_sharded_keys() -> None:
    mesh = olympus.make_mesh((4, 2), ("x", "y"))
    sharded = olympus.device_put(KEYS, NamedSharding(mesh, P("x")))
    assert sharded.addressable_shards[2].data.shape == (2,) and sharded.sharding.spec == P("x")
    np.testing.assert_array_equal(words(sharded), WORDS)
    np.testing.assert_array_equal(words(sharded.addressable_shards[2].data), WORDS[2:4])
    draw = olympus.jit(olympus.vmap(lambda key: random.normal(key, (2,))))
    assert draw(sharded).sharding.is_equivalent_to(NamedSharding(mesh, P("x")), 2)
    np.testing.assert_array_equal(draw(sharded), draw(KEYS))
    for target in (NamedSharding(mesh, P(("x", "y"))), NamedSharding(mesh, P()), olympus.devices()[3]):
        np.testing.assert_array_equal(words(olympus.device_put(sharded, target)), WORDS)
    mapped = olympus.shard_map(
        lambda k: lax.all_gather(k, "x", tiled=True), mesh=mesh, in_specs=P("x"), out_specs=P(), check_vma=False)
    np.testing.assert_array_equal(words(mapped(sharded)), WORDS)
    np.testing.assert_array_equal(olympus.pmap(lambda k: random.bits(k))(KEYS), olympus.vmap(random.bits)(KEYS))
    np.testing.assert_array_equal(words(olympus.pmap(lambda k: random.split(k)[0])(KEYS)),
                                  words(olympus.vmap(lambda k: random.split(k)[0])(KEYS)))
    made = olympus.make_array_from_callback((8,), NamedSharding(mesh, P("x")), lambda index: KEYS[index])
    np.testing.assert_array_equal(words(made), WORDS)
    explicit = olympus.make_mesh((8,), ("x",), axis_types=(olympus.sharding.AxisType.Explicit,))
    there = olympus.device_put(KEYS, NamedSharding(explicit, P("x")))
    assert str(olympus.typeof(there)) == "key<fry>[8@x]"


# Made with the reference implementation.
@pytest.mark.parametrize("impl, given, split, folded, bits", [
    ("rbg", [0, 42, 0, 42], [64467757, 2916123636, 64467757, 2916123636],
     [2547012911, 1371500959, 2547012911, 1371500959], [2620864722, 2991908441, 282133475, 2589630650, 1779689962]),
    ("rbg", [1, 2, 3, 4], [629003988, 1317161160, 1441834994, 695621559],
     [3427225942, 3095793599, 3360624042, 2998217454], [512747620, 1298009047, 1267190206, 761827841, 1383286907]),
    ("unsafe_rbg", [0, 42, 0, 42], [4105776319, 298289174, 864345282, 274752888],
     [2104303640, 250182049, 1106406590, 1983638428], [2620864722, 2991908441, 282133475, 2589630650, 1779689962]),
    ("unsafe_rbg", [1, 2, 3, 4], [2117349439, 2738932741, 2107557141, 1903717071],
     [2104303641, 250182025, 1106406589, 1983638450], [512747620, 1298009047, 1267190206, 761827841, 1383286907]),
])
def test_other_generators(impl: str, given: list[int], split: list[int], folded: list[int], bits: list[int]) -> None:
    key = random.wrap_key_data(np.array(given, np.uint32), impl=impl)
    assert random.key_impl(key) == impl and key.dtype == random.key_dtype(impl)
    assert words(random.split(key, 3))[1].tolist() == split
    assert words(random.fold_in(key, 7)).tolist() == folded
    assert random.bits(key, (5,)).tolist() == bits
    assert random.bits(key, (5,), "uint8").tolist() == [b & 255 for b in bits]
    assert words(random.key(42, impl=impl)).tolist() == [0, 42, 0, 42] == random.PRNGKey(42, impl=impl).tolist()
    signalling = np.array([[1, 0x7FF00000, 5, 0xFFF00001], [7, 0x80000000, 0, 0xFFF80000]], np.uint32)  # as floats
    moved = olympus.jit(lambda k: jnp.where(jnp.arange(2) > 0, k[::-1], k))(random.wrap_key_data(signalling, impl=impl))
    np.testing.assert_array_equal(words(moved), signalling[[0, 0]])
    together = olympus.vmap(lambda k: random.uniform(k, (3,)))(random.split(key, 4))
    for k, row in zip(random.split(key, 4), together, strict=True):
        np.testing.assert_array_equal(random.uniform(k, (3,)), row)
    sample = np.asarray(random.gamma(key, 3.0, (2000,)))
    assert abs(sample.mean() - 3) < 0.2 and random.poisson(key, 3.0, (5,)).shape == (5,)


def test_bits_from_a_state() -> None:
    state, bits = lax.rng_bit_generator(np.array([1, 2, 3, 4], np.uint32), (9,))
    assert state.tolist() == [1, 2, 6, 4] and bits.tolist()[4:] == [
        1383286907, 1639995030, 2756207988, 2154813423, 2586587831]
    state, bits = lax.rng_bit_generator(
        np.array([5, 6, 7, 8], np.uint32), (9,), algorithm=lax.RandomAlgorithm.RNG_THREE_FRY)
    assert state.tolist() == [5, 6, 12, 8] and bits.tolist() == [
        3491445528, 127327539, 2447815779, 2410123196, 1131411615, 1125441557, 2894003025, 507972694, 457130594]
    state, bits = lax.rng_bit_generator(np.array([0, 0, 2**32 - 1, 2**32 - 1], np.uint32), (8,))
    assert state.tolist() == [0, 0, 1, 0] and bits.tolist()[4:] == [2219120097, 4035800746, 253345875, 2214098416]
    assert lax.rng_bit_generator(np.zeros(4, np.uint32), (3, 2), "uint16")[1].tolist() == [
        [59605, 50573], [44108, 56280], [52388, 219]]
    with pytest.raises(ArgumentError, match="state does not fit"):
        lax.rng_bit_generator(np.zeros(3, np.uint32), (2,))
    for bounds in ((0.0, 1.0), (np.int32(-3), np.int32(5)), (np.float16(2), np.float16(3))):
        drawn = np.asarray(lax.rng_uniform(*bounds, (500,)))
        assert drawn.dtype == np.asarray(bounds[0]).astype(drawn.dtype).dtype and len(set(drawn.tolist())) > 5
        assert (drawn >= bounds[0]).all() and (drawn < bounds[1]).all()


@pytest.mark.parametrize("shape, split", [
    ((4, 3), 0), ((3, 4), 1), ((3, 5), 1), ((5, 5, 3), 0), ((2, 0), 0), ((1, 1), 0)])
def test_threefry_pairs_words_along_one_dimension(shape: tuple[int, ...], split: int) -> None:
    """As XLA does, whose numbers these are; the generator itself is known from arrays of one dimension."""
    state, algorithm = np.array([1, 2, 3, 4], np.uint32), lax.RandomAlgorithm.RNG_THREE_FRY
    counters = [-(-n // 2) if d == split else n for d, n in enumerate(shape)]
    count = int(np.prod(counters))
    flat = np.asarray(lax.rng_bit_generator(state, (2 * count,), algorithm=algorithm)[1])
    expected = np.zeros([2 * n if d == split else n for d, n in enumerate(counters)], np.uint32)
    for word in range(2):
        at = [slice(None)] * len(shape)
        at[split] = slice(word, None, 2)
        expected[tuple(at)] = flat[word::2].reshape(counters)
    for kind in ("uint32", "uint16", "uint8"):
        following, bits = lax.rng_bit_generator(state, shape, kind, algorithm)
        np.testing.assert_array_equal(bits, expected[tuple(map(slice, shape))].astype(kind))
        assert following.tolist() == [1, 2, 3 + count, 4]
    assert lax.rng_bit_generator(state, (5, 7), algorithm=algorithm)[1][-1, -3:].tolist() == [
        2614669633, 1125873927, 191942340]


def test_seeds_of_64_bits() -> None:
    with olympus.enable_x64():
        for seed, expected in (
            (-5, [2**32 - 1, 2**32 - 5]), (2**40 + 5, [256, 5]), (jnp.int32(-5), [0, 2**32 - 5]),
            (jnp.int64(-5), [2**32 - 1, 2**32 - 5]), (np.uint32(2**32 - 1), [0, 2**32 - 1]),
            (2**63 - 1, [2**31 - 1, 2**32 - 1]),
        ):
            assert words(random.key(seed)).tolist() == expected
        assert random.bits(KEY).dtype == "uint64"


def test_the_generator_of_keys_that_name_none() -> None:
    from olympus_core.config import config

    for impl, row in (("rbg", [64467757, 2916123636]), ("unsafe_rbg", [4105776319, 298289174])):
        with config.override("olympus_default_prng_impl", impl):
            key, raw = random.key(42), random.PRNGKey(42)
            assert random.key_impl(key) == impl == random.key_impl(raw) and key.dtype == random.key_dtype()
            assert words(random.split(key))[1, :2].tolist() == row == random.split(raw)[1, :2].tolist()
            assert random.wrap_key_data(raw).dtype == key.dtype
    assert random.key_impl(random.key(42)) == "threefry2x32"
    with pytest.raises(olympus.errors.OptionValueError, match="generator"):
        config.override("olympus_default_prng_impl", "philox")


def test_mistakes_with_keys_are_told() -> None:
    for use, message in (
        (lambda: random.key(0, impl="philox"), "generator is not known"),
        (lambda: random.key(0, impl="rbg", dtype=KEY.dtype), "both impl and dtype"),
        (lambda: random.wrap_key_data(np.zeros(4, np.uint32)), "words of keys of threefry2x32"),
        (lambda: random.normal(KEYS, (2,)), "several keys"), (lambda: random.key_impl(np.zeros(3)), "not a key"),
    ):
        with pytest.raises(ArgumentError, match=message):
            use()


def test_keys_that_are_words_are_told_where_that_is_asked_for() -> None:
    words, key = random.PRNGKey(0), random.key(0)
    uses: list[Any] = [random.normal, random.bits, random.split, lambda k: random.fold_in(k, 1), random.key_data,
                       random.key_impl, lambda k: olympus.vmap(random.normal)(k[None])]
    for use in uses:
        use(words)
        with olympus.legacy_prng_key("warn"):
            use(key)
            with pytest.warns(LegacyKeyWarning, match="legacy uint32 key array"):
                use(words)
        with olympus.legacy_prng_key("error"):
            use(key)
            with pytest.raises(ArgumentError, match="legacy uint32 key array"):
                use(words)
    with olympus.legacy_prng_key("error"):  # nothing is drawn
        random.PRNGKey(0), random.clone(words), random.wrap_key_data(words)
    with pytest.raises(OptionValueError):
        olympus.config.update("olympus_legacy_prng_key", "sometimes")
