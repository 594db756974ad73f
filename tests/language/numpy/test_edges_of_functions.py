"""Values, element types and derivatives at the edges of domains, where formulas cancel or have two branches."""

from __future__ import annotations

import math

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus.scipy import special


@pytest.mark.parametrize("order", [1, 2, 3])
def test_derivatives_of_sinc_near_zero(order: int) -> None:
    # The Taylor series of sin(pi x) / (pi x), differentiated term by term.
    x = np.array([0.0, -0.0, 1e-20, -1e-4, 1e-3, 0.02, 0.1, 0.2, 0.31, 0.33, 0.5])
    terms = [(2 * k, (-1) ** k * math.pi ** (2 * k) / math.factorial(2 * k + 1)) for k in range(16)]
    want = sum(c * math.perm(n, order) * x ** (n - order) for n, c in terms if n >= order)
    f = jnp.sinc
    for _ in range(order):
        f = olympus.grad(f)
    np.testing.assert_allclose(olympus.vmap(f)(x.astype("float32")), want, rtol=2e-4, atol=1e-6)
    assert not f(0.0) or order == 2


def test_sinc_of_complex_numbers() -> None:
    z = np.array([0, 0.1 + 0.1j, 1e-10j, 3 - 2j, 0.3j], "complex64")
    np.testing.assert_allclose(jnp.sinc(z), np.sinc(z.astype("complex128")), rtol=1e-6)


@pytest.mark.parametrize(("f", "slopes", "curvatures"), [
    (jnp.i0, [0, 0, 0.2578943], [0.5, 0.5, 0.5476948]),
    (special.i0, [0, 0, 0.2578943], [0.5, 0.5, 0.5476948]),
    (special.i1, [0.5, 0.5, 0.5476948], [0, 0, 0.1940819]),
])
def test_bessel_functions_have_the_slopes_of_smooth_functions_at_zero(
    f: object, slopes: list[float], curvatures: list[float]
) -> None:
    x = np.array([0.0, -0.0, 0.5], "float32")
    np.testing.assert_allclose(olympus.vmap(olympus.grad(f))(x), slopes, rtol=1e-5)
    np.testing.assert_allclose(olympus.vmap(olympus.grad(olympus.grad(f)))(x), curvatures, rtol=1e-5)


def test_functions_of_bools() -> None:
    x = np.array([True, False])
    assert jnp.isreal(x).tolist() == [True, True] and jnp.iscomplex(x).tolist() == [False, False]
    assert jnp.bitwise_count(x).tolist() == [1, 0] and jnp.bitwise_count(x).dtype == jnp.uint8
    assert jnp.square(x).tolist() == [1, 0] and jnp.square(x).dtype == jnp.int32


def test_rint_of_complex_numbers_rounds_both_parts() -> None:
    z = np.array([1.5 - 2.5j, -0.4 + 3.6j], "complex64")
    np.testing.assert_array_equal(jnp.rint(z), np.rint(z))
