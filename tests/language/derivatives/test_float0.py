# SPDX-License-Identifier: Apache-2.0
"""Tangents of integers, float0, in and out of jitted functions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import errors, lax
from olympus.dtypes import float0

NONE = np.zeros((3,), float0)


def is_none(x: Any, shape: tuple[int, ...]) -> bool:
    return type(x) is np.ndarray and x.dtype == float0 and x.shape == shape


def test_gradients_by_integers_come_out_of_jitted_functions() -> None:
    @olympus.jit
    def slopes(x: Any, n: Any) -> Any:
        return olympus.grad(lambda v, k: (v * k).sum(), argnums=(0, 1), allow_int=True)(x, n)

    for _ in range(2):  # compiled, and known
        by_x, by_n = slopes(jnp.array([2.0, 3.0]), jnp.array([4, 5]))
        assert by_x.tolist() == [4, 5] and is_none(by_n, (2,))
    again = olympus.grad(lambda v, k: (v * k).sum(), argnums=(0, 1), allow_int=True)
    assert is_none(again(jnp.ones(2), jnp.arange(2))[1], (2,))
    (_, count), (_, moved) = olympus.jit(lambda x: olympus.jvp(lambda v: (v * 2, 3), (x,), (1.0,)))(1.0)
    assert int(count) == 3 and is_none(moved, ())
    assert is_none(olympus.eval_shape(slopes, jnp.ones(2), jnp.arange(2))[1], (2,))


@pytest.mark.parametrize("call", [
    lambda f: f(NONE, 1.0), lambda f: f(NONE, b=jnp.ones(2)),
    lambda f: f(b=np.ones(2), a={"one": NONE, "two": [NONE, 2]}),
])
def test_they_go_into_jitted_functions_and_out_again(call: Any) -> None:
    f = olympus.jit(lambda a, b: (a, b + 1))
    for _ in range(2):
        a, b = call(f)
        assert float(b.sum()) == 2 * b.size
        leaves = olympus.tree.leaves(a)
        assert is_none(leaves[0], (3,)) and len(leaves) in (1, 3)


def test_a_structured_array_is_no_argument() -> None:
    with pytest.raises(TypeError, match="is not an array"):
        olympus.jit(lambda x: x)(np.zeros(2, [("a", np.float32), ("b", np.int32)]))


def test_types_tell_their_tangents() -> None:
    assert olympus.typeof(jnp.arange(2)).to_tangent_aval().dtype == olympus.dtypes.float0
    assert olympus.typeof(jnp.arange(2)).to_tangent_aval().shape == (2,)
    of_floats = olympus.typeof(jnp.ones((2, 3), "bfloat16"))
    assert of_floats.to_tangent_aval() == of_floats and olympus.typeof(1.0).to_tangent_aval().weak_type


def _described(found: Any) -> Any:
    return olympus.tree.map(lambda x: (np.dtype(x.dtype), x.shape), found)


_NONE = np.zeros((), float0)
_THREE = np.zeros(3, float0)
_X, _N = np.arange(1.0, 4.0, dtype=np.float32), np.arange(3, dtype=np.int32)


def test_vmap_of_tangents_of_integers() -> None:
    assert _described(olympus.vmap(lambda t: t)(_THREE)) == (float0, (3,))
    moved = olympus.vmap(lambda t: t, in_axes=1, out_axes=1)(np.zeros((2, 3), float0))
    assert _described(moved) == (float0, (2, 3))
    doubled, tangents = olympus.vmap(lambda x, t: (2 * x, t), in_axes=(0, None))(_X, _THREE)
    np.testing.assert_array_equal(doubled, 2 * _X)
    assert _described(tangents) == (float0, (3, 3))
    assert _described(olympus.vmap(lambda x: np.zeros(2, float0))(_X)) == (float0, (3, 2))
    assert _described(olympus.vmap(lambda t: t, out_axes=None, axis_size=3, in_axes=None)(_THREE)) == (float0, (3,))
    with pytest.raises(errors.MappedSizesError):
        olympus.vmap(lambda x, t: t)(np.ones(2), _THREE)
    with pytest.raises(errors.ArgumentError, match="dimension 1"):
        olympus.vmap(lambda t: t, in_axes=1)(_THREE)


def test_derivatives_by_integers_under_vmap() -> None:
    for tangent in (lambda t: t, lambda t: _NONE):
        values, moved = olympus.vmap(lambda x, n, t, tangent=tangent: olympus.jvp(
            lambda x, n: (x * n, n), (x, n), (1.0, tangent(t))))(_X, _N, _THREE)
        np.testing.assert_array_equal(values[0], _X * _N)
        np.testing.assert_array_equal(moved[0], _N)
        assert _described(moved[1]) == (float0, (3,))
    assert _described(olympus.vmap(olympus.grad(lambda n: n * 2.0, allow_int=True))(_N)) == (float0, (3,))
    slope, none = olympus.vmap(lambda x, n: olympus.vjp(lambda x, n: x * n, x, n)[1](1.0))(_X, _N)
    np.testing.assert_array_equal(slope, _N)
    assert _described(none) == (float0, (3,))
    nested = olympus.jit(olympus.vmap(olympus.vmap(lambda t: t)))(np.zeros((2, 3), float0))
    assert _described(nested) == (float0, (2, 3))


@pytest.mark.parametrize("wrap", [lambda f: f, olympus.jit], ids=["eager", "jit"])
def test_loops_and_branches_carry_tangents_of_integers(wrap: Any) -> None:
    carry, rows = wrap(lambda t, xs: lax.scan(lambda c, x: (c, x), t, xs))(_NONE, _X)
    assert _described(carry) == (float0, ())
    np.testing.assert_array_equal(rows, _X)
    assert _described(wrap(lambda xs: lax.scan(lambda c, x: (c, (x, _NONE)), 0.0, xs)[1])(_X)) == (
        (np.dtype("float32"), (3,)), (float0, (3,)))
    assert _described(wrap(lambda t: lax.scan(lambda c, x: (c, x), 0.0, t)[1])(np.zeros((3, 2), float0))) == (
        float0, (3, 2))
    assert _described(wrap(lambda t: lax.cond(t.shape == (3,), lambda t: t, lambda t: t, t))(_THREE)) == (float0, (3,))
    looped = wrap(lambda t: lax.while_loop(lambda c: c[0] < 3, lambda c: (c[0] + 1, c[1]), (0, t)))
    assert _described(looped(_THREE)) == ((np.dtype("int32"), ()), (float0, (3,)))
    assert _described(wrap(lambda t: lax.fori_loop(0, 3, lambda i, c: c, t))(_THREE)) == (float0, (3,))
    assert _described(wrap(lambda t: lax.map(lambda one: one, t))(_THREE)) == (float0, (3,))

    def step(carry: Any, _: Any) -> Any:
        (x, n), (dx, dn) = carry
        return olympus.jvp(lambda x, n: (x * n, n), (x, n), (dx, dn)), None

    (values, moved), _ = wrap(lambda x: lax.scan(step, ((x, 2), (x, _NONE)), None, length=2))(1.0)
    assert float(values[0]) == 4.0 and float(moved[0]) == 4.0 and _described(moved[1]) == (float0, ())


def test_loops_refuse_tangents_that_change() -> None:
    with pytest.raises(errors.ArgumentError, match="structure"):
        lax.scan(lambda c, x: (np.zeros(2, float0), x), _NONE, _X)
    with pytest.raises(errors.ArgumentError, match="leading dimensions"):
        lax.scan(lambda c, x: (c, None), 0.0, (np.ones(2), _THREE))
    with pytest.raises(errors.ArgumentError, match="leading dimensions"):
        lax.scan(lambda c, x: (c, None), 0.0, _NONE)


def test_without_jit_and_zeros_like() -> None:
    with olympus.disable_jit():
        _, rows = lax.scan(lambda c, x: (c, (x, _NONE)), _NONE, _X)
    np.testing.assert_array_equal(rows[0], _X)
    assert _described(rows[1]) == (float0, (3,))
    assert _described(jnp.zeros_like(_THREE)) == (float0, (3,))


def test_arrays_of_tangents_of_integers_are_made() -> None:
    for made in (jnp.zeros(3, float0), jnp.ones(3, float0), jnp.full(3, 0, float0), jnp.empty(3, float0)):
        assert _described(made) == (float0, (3,))


@pytest.mark.parametrize("function", [olympus.lax.stop_gradient, olympus.lax.optimization_barrier])
def test_what_has_no_tangent_passes_through_what_gives_arrays(function: Any) -> None:
    nothing = np.zeros((3,), float0)
    found = function({"of integers": nothing, "of floats": np.ones(2, np.float32)})
    assert found["of integers"] is nothing and isinstance(found["of floats"], olympus.Array)
