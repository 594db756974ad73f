# SPDX-License-Identifier: Apache-2.0
"""Derivatives by what is multiplied into elements of an array, also several times, and by zero."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.test_util import check_grads

RANDOM = np.random.default_rng(0)


def test_each_factor_of_an_element_has_the_product_of_the_others() -> None:
    x, u = np.array([2.0, 3.0, 0.0, 5.0]), np.array([1.5, 2.0, 0.0, 3.0, -1.0, 7.0])
    where = np.array([0, 2, 0, 1, 0, 9])

    def product(x: Any, u: Any) -> Any:
        return jnp.asarray(x).at[where].multiply(u)

    dx, du = olympus.jacobian(product, (0, 1))(x, u)
    for e, j in itertools.product(range(4), range(6)):
        others = [u[k] for k in range(6) if where[k] == e and k != j]
        assert float(du[e, j]) == (x[e] * np.prod(others) if where[j] == e else 0)
    np.testing.assert_array_equal(dx, np.diag([0, 3, 2, 1]))
    (second,) = olympus.hessian(lambda u: (product(x, u)[0],))(u)
    wanted = np.zeros((6, 6))
    for i, j, k in itertools.permutations((0, 2, 4)):
        wanted[i, j] = x[0] * u[k]
    np.testing.assert_array_equal(second, wanted)


@pytest.mark.parametrize("mode", ["drop", "clip"])
def test_windows_that_overlap_and_lie_outside(mode: str) -> None:
    numbers = lax.ScatterDimensionNumbers((1,), (0,), (0, 1))
    where = np.array([[0, 0], [0, 1], [1, 2], [5, 0], [0, 1]], np.int32)
    x, u = RANDOM.normal(size=(2, 4)), RANDOM.normal(size=(5, 2))
    u[1, 0] = 0

    def product(x: Any, u: Any) -> Any:
        return lax.scatter_mul(x, where, u, numbers, mode=mode)

    with olympus.enable_x64():
        check_grads(product, (x, u), order=2)
        one_by_one = [olympus.grad(lambda u: product(x, u).sum())(u * f) for f in (1.0, 2.0)]
        mapped = olympus.vmap(olympus.grad(lambda u: product(x, u).sum()))(np.stack([u, 2 * u]))
        np.testing.assert_allclose(mapped, np.stack(one_by_one), rtol=1e-12)
        np.testing.assert_array_equal(np.asarray(one_by_one[0])[3] == 0, [mode == "drop"] * 2)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "complex64"])
def test_other_types_and_few_updates(dtype: str) -> None:
    x = jnp.array([1, 2, 3], dtype)
    for where in ([], [1], [2, 2]):
        u = jnp.full((len(where),), 4, dtype)
        slope = olympus.grad(lambda u, where=where: jnp.real(
            x.at[np.array(where, int)].multiply(u).sum()).astype("float32"))(u)
        assert slope.dtype == dtype
        np.testing.assert_array_equal(np.asarray(slope), {0: [], 1: [2], 2: [12, 12]}[len(where)])


def test_powers_and_quotients_beside_elements_without_slopes() -> None:
    # Elements that no index names take no part: a negative one has no slope by its exponent, an infinite one by its
    # divisor.
    x, p = jnp.array([-2.0, 3.0, np.inf]), jnp.array([2.5, 1.5])
    mixed = olympus.jacfwd(olympus.grad(lambda x, p: x.at[jnp.array([1, 1])].power(p)[1]), 1)(x, p)
    q = float(p.prod())
    slope = 3.0 ** (q - 1) * (1 + q * np.log(3.0))
    np.testing.assert_allclose(mixed, [[0, 0], slope * np.asarray(p)[::-1], [0, 0]], rtol=1e-5)
    second = olympus.hessian(lambda d: x.at[1].divide(d)[:2].sum())(2.0)
    np.testing.assert_allclose(second, 2 * 3 / 8, rtol=1e-6)
    assert jnp.arange(3).at[1].power(0.5).dtype == np.float32 and jnp.arange(3).at[1].power(2).dtype == np.int32
