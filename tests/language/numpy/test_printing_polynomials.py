# SPDX-License-Identifier: Apache-2.0
"""Polynomials and arrays as text, beside NumPy's."""

import numpy as np
import pytest

import olympus.numpy as jnp
from olympus.errors import ArgumentError


def test_polynomials() -> None:
    a, b = np.array([1.0, -2, 0, 3], "f"), np.array([2.0, 5], "f")
    for name in ("polyadd", "polysub", "polymul"):
        for p, q in ((a, b), (b, a), (a, a)):
            np.testing.assert_allclose(getattr(jnp, name)(p, q), getattr(np, name)(p, q), rtol=1e-6)
    for order in (0, 1, 2, 4, 6):
        np.testing.assert_allclose(jnp.polyder(a, order), np.polyder(a, order), rtol=1e-6)
        np.testing.assert_allclose(jnp.polyint(a, order), np.polyint(a, order), rtol=1e-6)
    np.testing.assert_allclose(jnp.polyint(a, 2, [3, 4]), np.polyint(a, 2, [3, 4]), rtol=1e-6)
    np.testing.assert_allclose(jnp.polyint(a, 2, 3), np.polyint(a, 2, 3), rtol=1e-6)
    assert jnp.polymul(np.array([0, 1]), np.array([0, 2, 3]), trim_leading_zeros=True).tolist() == [2, 3]
    with pytest.raises(ArgumentError, match="constants"):
        jnp.polyint(a, 2, [1, 2, 3])


def test_text() -> None:
    x = jnp.array([1.23456, 1e-9])
    assert jnp.array_str(x, precision=2, suppress_small=True) == np.array_str(np.asarray(x), None, 2, True)
    assert jnp.array_repr(x) == repr(np.asarray(x))
    with jnp.printoptions(precision=3):
        assert jnp.get_printoptions()["precision"] == 3
        assert "1.235" in str(x)
