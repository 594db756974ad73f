# SPDX-License-Identifier: Apache-2.0
"""Control flow on traced values."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.sharding import NamedSharding
from olympus.sharding import PartitionSpec as P


@pytest.mark.parametrize("wrap", [lambda f: f, olympus.jit], ids=["evaluated", "jitted"])
class TestBoth:
    def test_cond(self, wrap: Any) -> None:
        f = wrap(lambda p, x: lax.cond(p, lambda v: v + 1, lambda v: v - 1, x))
        assert f(True, 5) == 6 and f(False, 5) == 4 and f(jnp.array(3), 5) == 6

    def test_cond_captures(self, wrap: Any) -> None:
        a, b = jnp.arange(3.0), jnp.ones(3)
        f = wrap(lambda p, x: lax.cond(p, lambda: a * x, lambda: b - x))
        np.testing.assert_array_equal(np.asarray(f(True, 2.0)), [0, 2, 4])
        np.testing.assert_array_equal(np.asarray(f(False, 2.0)), [-1, -1, -1])

    def test_switch_clamps(self, wrap: Any) -> None:
        f = wrap(lambda i: lax.switch(i, [lambda: 0, lambda: 10, lambda: 20]))
        assert [int(f(i)) for i in (-5, 0, 1, 2, 7)] == [0, 0, 10, 20, 20]

    def test_while_loop(self, wrap: Any) -> None:
        limit = jnp.array(100)
        f = wrap(lambda n: lax.while_loop(lambda s: s["n"] < limit, lambda s: {"n": s["n"] * 2, "k": s["k"] + 1},
                                          {"n": n, "k": 0}))
        assert {k: int(v) for k, v in f(3).items()} == {"n": 192, "k": 6}

    def test_fori_loop_changes_a_weak_start(self, wrap: Any) -> None:
        f = wrap(lambda x: lax.fori_loop(0, 4, lambda i, total: total + x * i, 0.0))
        np.testing.assert_array_equal(np.asarray(f(jnp.float32(2))), 12)

    def test_scan(self, wrap: Any) -> None:
        w = jnp.arange(3.0)
        f = wrap(lambda xs: lax.scan(lambda c, x: (c + x["a"], (c * w, x["b"])), jnp.float32(1), xs))
        a, b = np.arange(4, dtype=np.float32), np.arange(8).reshape(4, 2)
        carry, (ys, bs) = f({"a": a, "b": b})
        sums = 1 + np.concatenate([[0], np.cumsum(a)[:-1]])
        assert carry == 7
        np.testing.assert_array_equal(np.asarray(ys), sums[:, None] * np.arange(3.0))
        np.testing.assert_array_equal(np.asarray(bs), b)

    def test_scan_backwards_and_by_length(self, wrap: Any) -> None:
        f = wrap(lambda xs: lax.scan(lambda c, x: (c + x, c), 0, xs, reverse=True))
        carry, ys = f(np.arange(4))
        assert carry == 6 and np.asarray(ys).tolist() == [6, 5, 3, 0]
        assert wrap(lambda: lax.scan(lambda c, _: (c + 2, None), 0, None, length=5))()[0] == 10

    def test_map(self, wrap: Any) -> None:
        np.testing.assert_array_equal(np.asarray(wrap(lambda x: lax.map(lambda v: v @ v, x))(np.eye(3))), np.ones(3))


def test_sharded_values_go_through_loops() -> None:
    mesh = olympus.make_mesh((8,), ("x",))
    x = olympus.device_put(np.arange(16.0, dtype=np.float32), NamedSharding(mesh, P("x")))
    y = olympus.jit(lambda x: lax.fori_loop(0, 3, lambda i, v: v * 2 + v.sum(), x))(x)
    expected = np.arange(16.0)
    for _ in range(3):
        expected = expected * 2 + expected.sum()
    np.testing.assert_allclose(np.asarray(y), expected, rtol=1e-5)


def test_a_function_that_is_several_branches_is_traced_once() -> None:
    def counted() -> tuple[list[None], Any]:
        calls: list[None] = []
        return calls, lambda x: calls.append(None) or x ** 2

    for place in (lambda f: f, olympus.jit):
        (first, f), (second, g) = counted(), counted()
        assert int(place(lambda i, f=f, g=g: lax.switch(i, [f, g, f, g], 3))(2)) == 9
        assert len(first) == len(second) == 1
        calls, f = counted()
        assert int(place(lambda i, f=f: lax.cond(i > 0, f, f, 3))(2)) == 9 and len(calls) == 1


def test_misfits_are_explained() -> None:
    with pytest.raises(TypeError, match="different types"):
        lax.cond(True, lambda: 1, lambda: 1.0)
    with pytest.raises(TypeError, match="different structures"):
        lax.cond(True, lambda: 1, lambda: (1,))
    with pytest.raises(TypeError, match="must be a scalar"):
        lax.cond(jnp.ones(2), lambda: 1, lambda: 2)
    with pytest.raises(TypeError, match=r"float32\[3\] becomes float32\[1,3\]"):
        lax.fori_loop(0, 2, lambda i, v: v[None], jnp.ones(3))
    with pytest.raises(TypeError, match="one boolean scalar"):
        lax.while_loop(lambda v: v, lambda v: v, 1)
    with pytest.raises(TypeError, match="pair"):
        lax.scan(lambda c, x: c, 0, np.arange(3))
    with pytest.raises(TypeError, match="leading dimensions"):
        lax.scan(lambda c, x: (c, x), 0, (np.arange(3), np.arange(4)))


@pytest.mark.parametrize(("lower", "upper", "known", "counted"), [(0.0, 2.5, 1.0, 3.0), (0.75, 3.25, 3.0, 5.25)])
def test_fori_loop_counts_floating_point_numbers(lower, upper, known, counted):
    def total(start, stop):
        return lax.fori_loop(start, stop, lambda i, value: value + i, 0.0)

    assert float(total(lower, upper)) == known  # 0 + 1, and 0 + 1 + 2: known bounds lose their fractions
    assert float(olympus.jit(total)(lower, upper)) == counted  # the index is lower, lower + 1, ... below upper
    with pytest.raises(olympus.errors.ArgumentError, match="a bound is not an integer"):
        total(0, upper)
    for bounds in ((lower, float("inf")), (float("-inf"), upper), (lower, float("nan")), (lower, np.float32("inf"))):
        with pytest.raises(olympus.errors.ArgumentError, match="a bound is not finite"):
            total(*map(np.float32, bounds))


def test_branches_are_traced_with_the_one_for_true_first():
    order = []

    def branch(name):
        return lambda x: (order.append(name), x)[1]

    lax.cond(True, branch("true"), branch("false"), 1.0)
    olympus.jit(lambda p: lax.cond(p, branch("true"), branch("false"), 1.0))(False)
    lax.switch(1, [branch("0"), branch("1")], 1.0)
    assert order == ["true", "false"] * 2 + ["0", "1"]


def test_a_step_of_a_scan_may_give_a_list():
    last, stacked = lax.scan(lambda c, x: [c + x, 2 * x], 0, np.arange(4))
    assert int(last) == 6 and stacked.tolist() == [0, 2, 4, 6]
    with olympus.disable_jit():
        assert int(lax.scan(lambda c, x: [c + x, 2 * x], 0, np.arange(4))[0]) == 6


def test_counts_of_unrolled_steps():
    for unroll in (-1, "a", 1.5):
        for call in (lambda u: lax.scan(lambda c, x: (c + x, None), 0, np.arange(3), unroll=u),
                     lambda u: lax.fori_loop(0, 3, lambda i, c: c + i, 0, unroll=u)):
            with pytest.raises(olympus.errors.ArgumentError, match="unroll"):
                call(unroll)
    assert int(lax.fori_loop(0, 3, lambda i, c: c + i, 0, unroll=True)) == 3
