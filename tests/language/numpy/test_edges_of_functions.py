# SPDX-License-Identifier: Apache-2.0
"""Values, element types and derivatives at the edges of domains, where formulas cancel or have two branches."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.errors import ConcretizationError
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


@pytest.mark.parametrize("f", [
    lambda x: jnp.logaddexp(x, 0.0), lambda x: jnp.logaddexp(0.0, x), olympus.nn.softplus,
    lambda x: -olympus.nn.log_sigmoid(-x), lambda x: olympus.lax.cumlogsumexp(jnp.stack([x, 0.0 * x]))[1],
])
def test_second_derivatives_of_sums_of_exponentials_at_a_tie(f: object) -> None:
    x = np.array([0.0, -0.0, 1.0, -2.0], "float32")
    share = 1 / (1 + np.exp(-x))
    got = olympus.vmap(olympus.grad(olympus.grad(f)))(x)
    np.testing.assert_allclose(got, share * (1 - share), rtol=1e-5)


def test_slopes_of_equal_infinities_in_sums_of_exponentials() -> None:
    for x in (np.inf, -np.inf):
        assert olympus.grad(jnp.logaddexp, argnums=(0, 1))(x, x) == (0.5, 0.5)


@pytest.mark.parametrize("f", [olympus.nn.softmax, olympus.nn.log_softmax, olympus.nn.logsumexp, olympus.nn.logmeanexp])
def test_what_does_not_count_has_no_derivative(f: object) -> None:
    x = np.array([[1.0, np.nan, 2.0], [np.inf, 0.5, -np.inf]], "float32")
    counts = np.isfinite(x)

    def total(x: object) -> object:
        return jnp.sum(jnp.where(counts, f(x, axis=1, where=counts, **keep), 0) * np.array([1.0, 2.0, 3.0], "float32"))

    keep = {"keepdims": True} if "exp" in f.__name__ else {}
    got = np.asarray(olympus.grad(total)(x))
    assert np.isfinite(got).all() and not got[~counts].any()


def test_logmeanexp_keeps_narrow_floats() -> None:
    assert olympus.nn.logmeanexp(jnp.ones(3, "bfloat16")).dtype == jnp.bfloat16
    assert olympus.nn.logmeanexp(jnp.ones(3, "float16"), where=jnp.array([True, False, True])).dtype == jnp.float16


def test_hard_tanh_at_its_ends_and_leaky_relu_of_bools() -> None:
    x = np.array([-1.0, 1.0, 1.5, -1.5, 0.0], "float32")
    assert olympus.vmap(olympus.grad(olympus.nn.hard_tanh))(x).tolist() == [1, 1, 0, 0, 1]
    assert olympus.nn.leaky_relu(np.array([True, False])).tolist() == [1, 0]


def test_incomplete_gamma_function_differentiated_by_both_arguments() -> None:
    # d2 P(a, x) / dx da = density * (log x - digamma(a)); at a = 1 the power of x is x ** 0.
    x = 0.7
    got = olympus.grad(olympus.grad(special.gammainc, 1), 0)(1.0, x)
    np.testing.assert_allclose(got, math.exp(-x) * (math.log(x) + np.euler_gamma), rtol=1e-5)


@pytest.mark.parametrize("distribution", ["uniform", "truncated_normal"])
def test_initial_values_that_are_complex(distribution: str) -> None:
    init = olympus.nn.initializers.variance_scaling(3.0, "fan_in", distribution, dtype=jnp.complex64)
    drawn = np.asarray(init(olympus.random.key(0), (200, 300))) * math.sqrt(200 / 3)
    np.testing.assert_allclose(np.mean(np.abs(drawn) ** 2), 1, rtol=0.02)
    np.testing.assert_allclose(drawn.mean(), 0, atol=0.02)
    # The radii of the disks: that of a uniform one of variance 1, and 2 standard deviations before it is scaled.
    inside = 1 - 4 * math.exp(-4) / (1 - math.exp(-4))
    limit = math.sqrt(2) if distribution == "uniform" else 2 / math.sqrt(inside)
    assert 0.95 * limit < np.abs(drawn).max() <= limit * (1 + 1e-6)


def test_quantiles_have_derivatives_at_ties() -> None:
    x = np.array([1.0, 1.0, 2.0, 5.0], "float32")
    got = olympus.jacobian(lambda x: jnp.quantile(x, jnp.array([0.0, 0.2, 0.5])))(x)
    np.testing.assert_allclose(got, [[1, 0, 0, 0], [0.4, 0.6, 0, 0], [0, 0.5, 0.5, 0]], atol=1e-6)
    x = np.array([-np.inf, -np.inf, 1.0, np.inf, np.inf], "float32")
    assert jnp.quantile(x, jnp.array([0.1, 0.5, 0.9])).tolist() == [-np.inf, 1, np.inf]


@pytest.mark.parametrize("name", ["nanstd", "nanvar", "nanmean"])
def test_derivatives_without_nan(name: str) -> None:
    x = np.array([[1.0, np.nan, 2.0, 4.0], [2.0, 0.0, np.nan, 7.0]], "float32")
    got = np.asarray(olympus.grad(lambda x: jnp.sum(getattr(jnp, name)(x, axis=1)))(x))
    assert not got[np.isnan(x)].any()
    rows = [olympus.grad(getattr(jnp, name[3:]))(row[~np.isnan(row)]) for row in x]
    np.testing.assert_allclose(got[~np.isnan(x)], np.concatenate(rows), rtol=1e-5)


def test_moments_about_means_that_are_known_and_of_too_few_elements() -> None:
    x = np.arange(6, dtype="float32").reshape(2, 3) ** 2
    middle = np.ones((2, 1), "float32")
    for name in ("var", "std"):
        want = ((x - middle) ** 2).mean(1) ** (0.5 if name == "std" else 1)
        np.testing.assert_allclose(getattr(jnp, name)(x, axis=1, mean=middle), want, rtol=1e-6)
        np.testing.assert_allclose(getattr(jnp, "nan" + name)(x, axis=1, mean=middle), want, rtol=1e-6)
    assert jnp.var(x, ddof=6) == np.inf and jnp.var(x, ddof=20) == np.inf


def test_sums_and_products_as_bools() -> None:
    x = np.array([[256, 0, -1], [0, 0, 0]])
    for name in ("sum", "prod", "cumsum", "cumprod"):
        got, want = (getattr(m, name)(x, axis=1, dtype=bool) for m in (jnp, np))
        assert got.dtype == jnp.bool_
        np.testing.assert_array_equal(got, want)
    assert jnp.sum(np.array([100, 100], "int8"), promote_integers=False).tolist() == -56


def test_indices_of_a_chosen_type_and_of_one_number() -> None:
    assert jnp.argsort(np.array([3, 1, 2]), dtype="int8").dtype == jnp.int8
    assert jnp.argwhere(2).shape == np.argwhere(2).shape and jnp.argwhere(0).shape == np.argwhere(0).shape


@pytest.mark.parametrize(("first", "last", "more"), [
    (1 + 0j, -1 + 0j, {}), (2j, 8, {}), (-1.0, -1000.0, {"endpoint": False}), (1, 256, {}),
    (np.array([1.0, -2.0, 3.0]), np.array([10.0, -20.0, 3.0]), {"axis": 1}), (1.0, np.array([10.0, 2.0]), {"axis": -1}),
])
def test_geomspace(first: object, last: object, more: dict[str, object]) -> None:
    np.testing.assert_allclose(jnp.geomspace(first, last, 5, **more), np.geomspace(first, last, 5, **more),
                               rtol=1e-5, atol=1e-6)


def test_geomspace_through_zero_is_no_number() -> None:
    assert np.isnan(jnp.geomspace(-1.0, 1.0, 3)).tolist() == [False, True, False]  # the ends are what was given


def test_round_of_numbers_that_have_no_decimals_left() -> None:
    for x, decimals in ((np.float16([1e4, -6e4, 1.26, np.inf]), 1), (np.float32([3e38, 1.239, -np.inf, np.nan]), 2)):
        want = np.round(x.astype("float64"), decimals).astype(x.dtype)
        np.testing.assert_array_equal(jnp.round(x, decimals), want)


def test_gradient_with_coordinates() -> None:
    rng = np.random.default_rng(0)
    f = rng.standard_normal((4, 6)).astype("float32")
    x, y = np.array([0, 1, 3, 4.0]), np.array([0, 1, 3, 4, 8, 9.0])
    np.testing.assert_allclose(jnp.gradient(f[0], y), np.gradient(f[0], y), rtol=1e-5, atol=1e-6)
    for got, want in zip(jnp.gradient(f, x, y), np.gradient(f, x, y), strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-6)
    for got, want in zip(jnp.gradient(f, 0.5, y), np.gradient(f, 0.5, y), strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-6)
    with pytest.raises(ValueError, match="coordinates"):
        jnp.gradient(f, x, x)


@pytest.mark.parametrize(("where", "values", "axis"), [
    (slice(0, 3), 7, None), (np.array([2]), np.array([1, 2, 3]), None), ([1, 3], [8, 9], None), (-1, [4, 5], None),
    (slice(None, None, -2), 9, None),
])
def test_insert(where: object, values: object, axis: int | None) -> None:
    x = np.arange(5)
    np.testing.assert_array_equal(jnp.insert(x, where, values, axis), np.insert(x, where, values, axis))


def test_insert_of_a_row_of_one_index_along_a_dimension() -> None:
    x, values = np.arange(12).reshape(3, 4), np.arange(6).reshape(3, 2)
    np.testing.assert_array_equal(jnp.insert(x, [1], values, 1), np.insert(x, [1], values, 1))


@pytest.mark.parametrize(("where", "values", "axis"), [
    (np.array([2]), np.array([1, 2, 3]), None), (np.array([3, 1, 3]), [7, 8, 9], None), (-1, [4, 5], None),
    (5, 7, None), (np.array([1, 0], np.int8), 9, 0)])
def test_insert_at_traced_indices(where: object, values: object, axis: int | None) -> None:
    x = np.arange(5)
    got = olympus.jit(lambda at: jnp.insert(x, at, values, axis))(where)
    np.testing.assert_array_equal(got, np.insert(x, where, values, axis))


@pytest.mark.parametrize("where", [1, -1, np.array([4, 0]), np.array([[2], [-1]]), np.array([1, 3], np.uint8)])
@pytest.mark.parametrize("axis", [None, 0, 1])
def test_delete_at_traced_indices_that_are_unique(where: object, axis: int | None) -> None:
    x = np.arange(30).reshape(5, 6)
    got = olympus.jit(lambda at: jnp.delete(x, at, axis, assume_unique_indices=True))(where)
    np.testing.assert_array_equal(got, np.delete(x, where, axis))
    np.testing.assert_array_equal(jnp.delete(x, where, axis, assume_unique_indices=True), got)


def test_traced_indices_beyond_an_end_count_as_the_end() -> None:
    x = np.arange(5)
    assert olympus.jit(lambda at: jnp.insert(x, at, 7))(np.array([9, -9])).tolist() == [7, 0, 1, 2, 3, 4, 7]
    assert olympus.jit(lambda at: jnp.delete(x, at, assume_unique_indices=True))(-9).tolist() == [1, 2, 3, 4]
    with pytest.raises(ConcretizationError, match="delete"):
        olympus.jit(lambda at: jnp.delete(x, at))(1)
    with pytest.raises(ConcretizationError, match="delete"):
        olympus.jit(lambda at: jnp.delete(x, at, assume_unique_indices=True))(x > 2)


def test_compress_and_extract_of_a_chosen_size() -> None:
    x = np.arange(12.0).reshape(3, 4)
    condition = np.array([True, False, True])
    np.testing.assert_array_equal(jnp.compress(condition, x, axis=1, size=3, fill_value=9),
                                  [[0, 2, 9], [4, 6, 9], [8, 10, 9]])
    chosen = olympus.jit(lambda x: jnp.extract(x > 8, x, size=5, fill_value=-1))(x)
    np.testing.assert_array_equal(chosen, [9, 10, 11, -1, -1])
    np.testing.assert_array_equal(jnp.extract(x > 2, x, size=2), [3, 4])
    longer = np.array([True] * 3 + [False] * 4)
    np.testing.assert_array_equal(jnp.compress(longer, np.arange(3), size=4, fill_value=7), [0, 1, 2, 7])


def test_interp_beyond_the_points() -> None:
    x, xp, fp = np.array([-3.0, 0.5, 4.0]), np.array([-1.0, 0.0, 1.0]), np.array([5.0, 7.0, 6.0])
    np.testing.assert_allclose(jnp.interp(x, xp, fp, left="extrapolate", right="extrapolate"), [1, 6.5, 3])
    np.testing.assert_allclose(jnp.interp(x, xp, fp, left="extrapolate", right=0.0), [1, 6.5, 0])
    with pytest.raises(ValueError, match="extrapolate"):
        jnp.interp(x, xp, fp, left="nearest")


def test_tails_of_distributions_with_powers_as_tails() -> None:
    import scipy.stats  # here: most tests need it not

    from olympus.scipy.stats import cauchy, t

    x = np.array([1e3, 1e6, 1e20, -1e20, 0.5, -0.9, 1, np.inf, -np.inf], "float32")
    for name in ("logcdf", "logsf"):
        want = getattr(scipy.stats.cauchy, name)(x.astype("float64"))
        np.testing.assert_allclose(getattr(cauchy, name)(x), want, rtol=1e-5, atol=1e-19)
    assert cauchy.ppf(-0.0) == -np.inf and cauchy.isf(-0.0) == np.inf
    np.testing.assert_allclose(t.logpdf(x, 3.0), scipy.stats.t.logpdf(x.astype("float64"), 3.0), rtol=1e-5)


def test_second_derivatives_where_two_arguments_are_equal() -> None:
    curvature = olympus.grad(olympus.grad(jnp.hypot))
    np.testing.assert_allclose([curvature(2.0, 2.0), curvature(0.0, 2.0)], [4 / 8**1.5, 0.5], rtol=1e-5)
    # Polygamma functions of order 1: psi1(a) - psi1(a + b), and twice -2 psi1(2) for 2 over k at k = 1.
    psi = [math.pi**2 / 6 - sum(1 / i**2 for i in range(1, n)) for n in (2, 4)]
    np.testing.assert_allclose(olympus.grad(olympus.grad(special.betaln))(2.0, 2.0), psi[0] - psi[1], rtol=1e-4)
    np.testing.assert_allclose(olympus.grad(olympus.grad(lambda k: special.comb(2.0, k)))(1.0), -4 * psi[0], rtol=1e-4)


def test_pochhammer_symbols_have_derivatives_where_their_exponent_is_zero() -> None:
    f = lambda m: special.poch(2.0, m)
    digamma, trigamma = 1 - np.euler_gamma, math.pi**2 / 6 - 1
    np.testing.assert_allclose(olympus.grad(f)(0.0), digamma, rtol=1e-5)
    np.testing.assert_allclose(olympus.grad(olympus.grad(f))(0.0), digamma**2 + trigamma, rtol=1e-4)
    assert [special.poch(z, 0.0).tolist() for z in (0.0, -3.0, -2.5, np.inf, 5.0)] == [1, 1, 1, 1, 1]


def test_logarithms_of_shares_have_no_slope_where_there_is_no_share() -> None:
    from olympus.scipy.stats import beta, gamma

    for f, x in ((lambda x: beta.logcdf(x, 2.0, 3.0), -1.0), (lambda x: beta.logsf(x, 2.0, 3.0), 2.0),
                 (lambda x: gamma.logcdf(x, 2.5), -1.0)):
        assert f(x) == -np.inf and olympus.grad(f)(x) == 0


def test_complex_numbers_have_no_sign_to_copy() -> None:
    for x, y in ((1j, 2.0), (2.0, 1j), (np.ones(2, np.complex64), np.ones(2, np.float32))):
        with pytest.raises(TypeError, match="no sign"):
            jnp.copysign(x, y)
    np.testing.assert_array_equal(jnp.copysign(np.float32([1, -2, np.inf]), -0.0), [-1, -2, -np.inf])


def test_choices_have_the_type_of_what_is_chosen_from() -> None:
    bools, where = np.array([True, False]), np.array([0, 1])
    for found, dtype, weak in (
        (jnp.choose(where, [bools, bools]), "bool", False), (jnp.choose(1, [1.0, 2]), "float32", False),
        (jnp.choose(where, [np.ones(2, np.int8), 2]), "int8", False), (jnp.select([True], [1], 2.0), "float32", True),
        (jnp.dot(1.0, 2), "float32", True), (jnp.dot(2, np.ones(2, np.float32)), "float32", False),
        (jnp.polyval(bools, bools), "bool", False), (jnp.polyval(np.ones(2, np.int8), 2.0), "float32", False),
    ):
        assert (found.dtype, found.weak_type) == (np.dtype(dtype), weak)
    np.testing.assert_array_equal(jnp.polyval(bools, bools), np.polyval(bools, bools))


def test_powers_of_two_of_infinite_complex_numbers() -> None:
    parts = (np.inf, -np.inf, 1.0, 3.0)
    z = np.array([complex(a, b) for a in parts for b in (0.0, -0.0, 1.0)], np.complex64)
    np.testing.assert_allclose(jnp.exp2(z), np.exp2(z), rtol=1e-5)
    np.testing.assert_allclose(lax.exp2(z), np.exp2(z), rtol=1e-5)


@pytest.mark.parametrize("dtype", [jnp.bfloat16, jnp.float16])
def test_ends_of_intervals_of_narrow_floats_are_rounded_once(dtype: Any) -> None:
    x = jnp.array([-1.984375, 0.5, 2.6875], dtype)
    wide = np.asarray(x).astype(np.float64)
    for count in (3, 5, 300):
        expected = np.histogram_bin_edges(wide, count).astype(dtype).astype(float)
        np.testing.assert_allclose(jnp.histogram_bin_edges(x, count).astype(float), expected, rtol=0, atol=0.01)
        np.testing.assert_allclose(jnp.histogram_bin_edges(x, count).astype(float)[:3], expected[:3], rtol=0)


@pytest.mark.parametrize("dtype", [jnp.bfloat16, jnp.float16, jnp.float32])
def test_powers_by_integers_that_the_floats_do_not_hold(dtype: Any) -> None:
    exponents = np.array([257, 2049, 16777217, 2147483647, 258, -257, 3], np.int32)
    base = np.array([-1, -1, -1, -1, -1, -1, -2], dtype)
    table = jnp.power(base[:, None], exponents[None])
    for found in (jnp.power(base, exponents), jnp.asarray(base) ** exponents, table.diagonal()):
        assert found.dtype == dtype and not found.weak_type
        np.testing.assert_array_equal(found.astype("float32"), [-1, -1, -1, -1, 1, -1, -8])
    assert jnp.power(2.0, exponents[-1:]).weak_type is False and jnp.power(jnp.asarray(2.0), 300).weak_type
    assert jnp.ldexp(jnp.ones(2), jnp.array([1, -2], jnp.int4)).tolist() == [2, 0.25]
