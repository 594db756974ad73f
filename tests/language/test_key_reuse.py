# SPDX-License-Identifier: Apache-2.0
"""Keys that are used twice: in eager calls, programs, loops, branches, mapped and differentiated functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import NamedSharding, P, lax, random
from olympus.errors import KeyReuseError
from olympus.experimental.key_reuse import check_key_reuse


def _key() -> Any:
    return random.key(0)


def _twice(key: Any) -> Any:
    return random.normal(key, (2,)) + random.uniform(key, (2,))


def _split(key: Any, x: Any) -> Any:
    one, other = random.split(key)
    return one, random.normal(other)


def _of(function: Callable[[Any], Any], make: Callable[[], Any] = _key) -> Callable[[], Any]:
    return lambda: function(make())


def _several() -> Any:
    return random.split(random.key(0), 4)


def _rotating(carry: Any, x: Any) -> Any:
    a, b = carry
    return (b, a), random.normal(a)


_TWICE: dict[str, Callable[[], Any]] = {
    "eager": _of(lambda k: (random.normal(k), random.normal(k))),
    "jit": _of(olympus.jit(_twice)),
    "split, then use": _of(lambda k: (random.split(k), random.normal(k))),
    "in and outside of jit": _of(lambda k: (olympus.jit(random.normal)(k), random.normal(k))),
    "closures": _of(lambda k: (olympus.jit(lambda: random.normal(k))(), olympus.jit(lambda: random.bits(k))())),
    "scan of a constant": _of(lambda k: lax.scan(lambda c, x: (c + random.normal(k), x), 0.0, jnp.ones(3))),
    "scan of a carry": _of(lambda k: lax.scan(lambda k, x: (k, random.normal(k)), k, jnp.ones(3))),
    "carries that change places": _of(lambda ks: lax.scan(_rotating, (ks[0], ks[1]), jnp.ones(3)), _several),
    "each twice": _of(lambda ks: lax.scan(lambda c, k: (c, _twice(k)), 0.0, ks), _several),
    "scanned, then used": _of(lambda ks: (lax.scan(lambda c, k: (c, random.normal(k)), 0.0, ks), random.normal(ks[2])),
                              _several),
    "what scan gives": _of(lambda k: _twice(lax.scan(lambda k, x: (k, random.fold_in(k, 1)), k, jnp.ones(2))[1][0])),
    "while": _of(lambda k: lax.while_loop(lambda c: c[0] < 3, lambda c: (c[0] + random.uniform(c[1]), c[1]), (0.0, k))),
    "fori_loop": _of(lambda k: lax.fori_loop(0, 3, lambda i, c: c + random.normal(k), 0.0)),
    "any of the keys": _of(lambda ks: lax.fori_loop(0, 3, lambda i, c: c + random.normal(ks[i]), 0.0), _several),
    "after a branch": _of(lambda k: olympus.jit(lambda p, k: (
        lax.cond(p, random.normal, lambda k: 0.0, k), random.normal(k)))(True, k)),
    "a branch's result": _of(lambda ks: olympus.jit(lambda p, a, b: (
        random.normal(lax.cond(p, lambda a, b: a, lambda a, b: b, a, b)), random.normal(a)))(True, ks[0], ks[1]),
        _several),
    "vmap": _of(olympus.vmap(_twice), _several),
    "vmap, then one": _of(lambda ks: (olympus.vmap(random.normal)(ks), random.normal(ks[1])), _several),
    "vmap with shared keys": _of(lambda k: (olympus.vmap(lambda x: x + random.normal(k))(jnp.ones(3)), random.bits(k))),
    "the same index": _of(lambda ks: (random.normal(ks[1]), random.normal(ks[1])), _several),
    "moved keys": _of(lambda ks: (random.normal(ks.reshape(2, 2).T[1, 0]), random.normal(ks[1])), _several),
    "joined keys": _of(lambda ks: (random.normal(jnp.concatenate([ks, ks])[5]), random.normal(ks[1])), _several),
    "where": _of(lambda ks: olympus.jit(lambda x, a, b: (
        random.normal(jnp.where(x.sum() > 0, a, b)), random.normal(b)))(jnp.ones(100), ks[0], ks[1]), _several),
    "grad": _of(lambda k: olympus.grad(lambda x: x * random.normal(k) * random.normal(k))(1.0)),
    "jit of grad": _of(lambda k: olympus.jit(olympus.grad(lambda x, k: x * _twice(k).sum()))(1.0, k)),
    "checkpoint": _of(lambda k: olympus.grad(olympus.checkpoint(lambda x: x * _twice(k).sum()))(1.0)),
    "custom_jvp": _of(olympus.custom_jvp(_twice)),
    "shard_map": _of(lambda k: olympus.shard_map(
        lambda k, x: x + _twice(k)[0], mesh=olympus.make_mesh((8,), ("i",)), in_specs=(P(), P("i")),
        out_specs=P("i"))(k, jnp.ones(8))),
    "nested jit": _of(olympus.jit(lambda k: (olympus.jit(random.normal)(k), olympus.jit(random.uniform)(k)))),
}
_ONCE: dict[str, Callable[[], Any]] = {
    "split": _of(lambda k: [random.normal(one) for one in random.split(k)]),
    "jit": _of(olympus.jit(lambda k: [random.normal(one) for one in random.split(k)])),
    "scan of a carry": _of(lambda k: lax.scan(_split, k, jnp.ones(3))),
    "scan of keys": _of(lambda ks: lax.scan(lambda c, k: (c, random.normal(k)), 0.0, ks, reverse=True), _several),
    "long scans": _of(lambda k: lax.scan(_split, k, jnp.ones(1000))),
    "what scan gives": _of(lambda ks: [random.normal(k) for k in lax.scan(
        lambda c, k: (c, random.fold_in(k, 1)), 0.0, ks)[1]], _several),
    "while": _of(lambda k: lax.while_loop(lambda c: c[0] < 3, lambda c: (c[0] + 1, random.split(c[1])[0]), (0, k))),
    "fold_in": _of(lambda k: lax.fori_loop(0, 3, lambda i, c: c + random.normal(random.fold_in(k, i)), 0.0)),
    "branches": _of(lambda k: olympus.jit(lambda p, k: lax.cond(p, random.normal, random.uniform, k))(True, k)),
    "a known branch": _of(lambda k: (lax.cond(True, lambda k: 0.0, random.normal, k), random.normal(k))),
    "vmap": _of(olympus.vmap(random.normal), _several),
    "indices": _of(lambda ks: [random.normal(ks[i]) for i in range(4)], _several),
    "negative indices": _of(lambda ks: [random.normal(ks[0]), random.normal(ks[-1])], _several),
    "slices": _of(lambda ks: [olympus.vmap(random.normal)(ks[:2]), olympus.vmap(random.normal)(ks[2:])], _several),
    "indices under jit": _of(olympus.jit(lambda ks: [random.normal(ks[i]) for i in range(4)]), _several),
    "clone": _of(lambda k: (random.normal(random.clone(k)), random.normal(k))),
    "words": _of(lambda k: (random.key_data(k), random.normal(k), k == k)),
    "raw": lambda: _twice(random.PRNGKey(0)),
    "grad": _of(lambda k: olympus.grad(lambda x: x * random.normal(k))(1.0)),
    "checkpoint": _of(lambda k: olympus.grad(olympus.checkpoint(lambda x: jnp.sin(x * random.normal(k))))(1.0)),
    "checkpoint under jit": _of(lambda k: olympus.jit(olympus.grad(olympus.checkpoint(
        lambda x, k: jnp.sin(x * random.normal(k)))))(1.0, k)),
    "grad of scan": _of(lambda ks: olympus.grad(lambda x: lax.scan(
        lambda c, k: (c * random.normal(k), None), x, ks)[0])(1.0), _several),
    "shard_map": _of(lambda ks: olympus.shard_map(
        lambda k: olympus.vmap(random.normal)(k), mesh=olympus.make_mesh((4,), ("i",), devices=olympus.devices()[:4]),
        in_specs=P("i"), out_specs=P("i"))(ks), _several),
    "sharded": _of(lambda ks: olympus.jit(olympus.vmap(random.normal))(olympus.device_put(ks, NamedSharding(
        olympus.make_mesh((4,), ("i",), devices=olympus.devices()[:4]), P("i")))), _several),
}
_ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "ball": (3,), "bernoulli": (), "beta": (1.0, 2.0), "binomial": (5.0, 0.3), "bits": (), "categorical":
    (np.zeros(3),), "cauchy": (), "chisquare": (2.0,), "choice": (5, (2,)), "dirichlet": (np.ones(3),),
    "double_sided_maxwell": (0.0, 1.0), "exponential": (), "f": (2.0, 3.0), "gamma": (2.0,), "generalized_normal":
    (1.5,), "geometric": (0.3,), "gumbel": (), "laplace": (), "loggamma": (2.0,), "logistic": (), "lognormal": (),
    "maxwell": (), "multinomial": (5, np.ones(3) / 3), "multivariate_normal": (np.zeros(2), np.eye(2)), "normal":
    (), "orthogonal": (3,), "pareto": (1.0,), "permutation": (5,), "poisson": (3.0,), "rademacher": (), "randint":
    ((), 0, 5), "rayleigh": (1.0,), "split": (), "t": (2.0,), "triangular": (0.0, 0.5, 1.0), "truncated_normal":
    (-1.0, 1.0), "uniform": (), "wald": (1.0,), "weibull_min": (1.0, 1.0),
}
_NO_USE = {"PRNGKey", "clone", "fold_in", "key", "key_data", "key_dtype", "key_impl", "wrap_key_data"}


@pytest.mark.parametrize("name", _TWICE)
def test_keys_that_are_used_twice(name: str) -> None:
    with olympus.debug_key_reuse(True), pytest.raises(KeyReuseError, match="used twice"):
        _TWICE[name]()
    _TWICE[name]()  # nobody looks


@pytest.mark.parametrize("name", _ONCE)
def test_keys_that_are_used_once(name: str) -> None:
    with olympus.debug_key_reuse(True):
        _ONCE[name]()


@pytest.mark.parametrize("name", _ARGUMENTS)
def test_each_function_uses_its_key_once(name: str) -> None:
    draw = getattr(random, name)
    with olympus.debug_key_reuse(True):
        key = _key()
        first = draw(key, *_ARGUMENTS[name])
        with pytest.raises(KeyReuseError):
            draw(key, *_ARGUMENTS[name])
    again = draw(_key(), *_ARGUMENTS[name])  # the numbers are those that nobody looks at
    if name != "split":
        np.testing.assert_array_equal(np.asarray(first), np.asarray(again))


def test_no_function_is_left_out() -> None:
    public = {name for name in random.__all__ if callable(getattr(random, name))}
    assert public - _NO_USE - _ARGUMENTS.keys() <= {"random_gamma_p", "rbg_key", "threefry2x32_key"}


def test_both_lines_are_named() -> None:
    def uses(key: Any) -> Any:
        return random.normal(key) + \
            random.uniform(key)

    line = uses.__code__.co_firstlineno
    with olympus.debug_key_reuse(True):
        for function in (uses, olympus.jit(uses)):
            with pytest.raises(KeyReuseError) as caught:
                function(_key())
            assert f"test_key_reuse.py:{line + 1} and is used again at" in str(caught.value)
            assert str(caught.value.second).endswith(f"test_key_reuse.py:{line + 2}")
        # A second call of a known program has lines of its own.
        key, draw = _key(), random.normal
        draw(_key())
        draw(key)
        with pytest.raises(KeyReuseError) as caught:
            draw(key)
        assert caught.value.first != caught.value.second
        fresh = _key()
        with pytest.raises(KeyReuseError, match="in every turn of a loop"):
            lax.fori_loop(0, 2, lambda i, c: c + random.normal(fresh), 0.0)


def test_a_function_is_looked_at_without_running_it() -> None:
    with pytest.raises(KeyReuseError):
        check_key_reuse(_twice, _key())
    check_key_reuse(random.normal, olympus.eval_shape(lambda: random.key(0)))
    check_key_reuse(_split, _key(), 1.0)


def test_failed_checks_do_not_use_keys() -> None:
    with olympus.debug_key_reuse(True):
        key = _key()
        random.normal(key)
        for _ in range(2):
            with pytest.raises(KeyReuseError):
                random.normal(key)
        random.normal(_key())
