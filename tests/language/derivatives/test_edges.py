"""Derivatives where a function has a corner, a pole or nothing to count: the conventions that programs rely on."""

from __future__ import annotations

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax, nn


@pytest.mark.parametrize("function, at, slope", [
    (jnp.abs, 0.0, 1.0), (lambda x: jnp.abs(-x), 0.0, -1.0), (nn.relu6, 0.0, 0.0), (nn.relu6, 6.0, 0.0),
    (nn.hard_sigmoid, -3.0, 0.0), (nn.hard_silu, 3.0, 1.0), (jnp.cbrt, 0.0, np.inf), (jnp.cbrt, 8.0, 1 / 12),
    (lambda x: jnp.fmax(x, 0.0), 0.0, 0.0), (lambda x: jnp.fmin(0.0, x), 0.0, 1.0), (nn.log1mexp, 0.0, np.inf),
    (nn.log1mexp, 1.0, 1 / np.expm1(1.0)), (nn.softplus, 0.0, 0.5), (lambda x: jnp.logaddexp(x, -jnp.inf), 0.0, 1.0),
    (lambda x: jnp.logaddexp(x, x), -np.inf, 1.0), (lambda x: jnp.copysign(x, 1.0), 0.0, 1.0),
    (lambda x: jnp.maximum(x, 0), 0.0, 0.5), (lambda x: jnp.hypot(x, x), 0.0, 1.0),
])
def test_slopes_at_edges(function: object, at: float, slope: float) -> None:
    np.testing.assert_allclose(olympus.grad(function)(at), slope, rtol=1e-6)
    np.testing.assert_allclose(olympus.jvp(function, (at,), (1.0,))[1], slope, rtol=1e-6)


def test_softmax_of_rows_that_count_nothing() -> None:
    x = np.array([[1.0, 2.0, -np.inf], [3.0, 4.0, 5.0]], np.float32)
    where = np.array([[True, True, False], [False, False, False]])
    found, back = olympus.vjp(lambda x: nn.softmax(x, where=where), x)
    shares = np.exp([1.0, 2.0]) / np.exp([1.0, 2.0]).sum()
    np.testing.assert_allclose(found, [[*shares, 0], [0, 0, 0]], rtol=1e-6)
    slopes = back(np.array([[1, 0, 0], [1, 2, 3]], np.float32))[0]
    product = shares[0] * shares[1]
    np.testing.assert_allclose(slopes, [[product, -product, 0], [0, 0, 0]], rtol=1e-5)


def test_a_bool_times_a_number_is_the_number_or_zero() -> None:
    mask = jnp.array([True, False])
    assert olympus.jit(lambda m: m * float("-inf"))(mask).tolist() == [-np.inf, 0]
    assert (mask * jnp.array([[2, 3], [4, 5]])).tolist() == [[2, 0], [4, 0]]
    product = mask * jnp.float32(jnp.nan)
    assert np.isnan(product[0]) and product[1] == 0
    assert (mask * 2).dtype == jnp.int32 and (mask * 2).weak_type and (mask * True).dtype == bool
    assert olympus.grad(lambda y: (mask * y).sum())(jnp.array([5.0, 7.0])).tolist() == [1, 0]
    assert lax.mul(mask.astype(jnp.float32), jnp.array([2.0, 3.0])).tolist() == [2, 0]
