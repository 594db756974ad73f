# SPDX-License-Identifier: Apache-2.0
"""Distributions with parameters: known numbers, shares of large samples, edges of parameters, batches, shardings."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

import olympus
import olympus.numpy as jnp
from olympus import random
from olympus_core.errors import ArgumentError

KEY = random.key(7)
A = np.array([0.3, 2.5, 40.0], np.float32)
NAN = np.nan

# Made with the reference implementation of the same generator; but for the last digits of logarithms and powers.
KNOWN = [
    ("gamma", lambda: random.gamma(KEY, A), [5.715880888601532e-07, 1.2272989749908447, 35.556209564208984]),
    ("loggamma", lambda: random.loggamma(KEY, A * np.float32(0.01)),
     [-1462.456298828125, -12.395512580871582, -7.233204364776611]),
    ("beta", lambda: random.beta(KEY, A, A[::-1].copy()), [2.3761167540214956e-05, 0.45648398995399475, 0.9999992847]),
    ("dirichlet", lambda: random.dirichlet(KEY, A), [1.5539233899630744e-08, 0.033365461975336075, 0.9666345119476318]),
    ("chisquare", lambda: random.chisquare(KEY, A), [4.406246689129395e-13, 0.7269256114959717, 33.63243103027344]),
    ("f", lambda: random.f(KEY, 2.0, 3.0), 0.3502313494682312),
    ("t", lambda: random.t(KEY, A), [1.1398917436599731, 0.1531084030866623, -0.504698634147644]),
    ("generalized normal", lambda: random.generalized_normal(KEY, 1.5, (3,)),
     [-0.11314882338047028, -0.786064863204956, 0.05867381393909454]),
    ("ball", lambda: random.ball(KEY, 3, 1.5), [-0.34850558638572693, 0.3618726134300232, 0.10656939446926117]),
    ("poisson", lambda: random.poisson(KEY, np.array([0.5, 3, 9.9, 10, 50, 1e4, -1], np.float32)),
     [2, 1, 9, 16, 49, 10006, -1]),
    ("binomial", lambda: random.binomial(
        KEY, np.array([5, 100, 1000, 7, 10], np.float32), np.array([0.3, 0.9, 0.5, 1, 1.5], np.float32)),
     [2, 87, 505, 7, NAN]),
    ("multinomial", lambda: random.multinomial(KEY, 1000.0, np.array([0.2, 0.3, 0.5], np.float32)), [215, 283, 502]),
    ("geometric", lambda: random.geometric(KEY, np.array([1, 0.3, 0.01], np.float32)), [1, 1, 119]),
    ("pareto", lambda: random.pareto(KEY, A), [41.97660827636719, 4.346923351287842, 1.0090594291687012]),
    ("rayleigh", lambda: random.rayleigh(KEY, A), [0.2664404809474945, 0.566908597946167, 61.826568603515625]),
    ("weibull", lambda: random.weibull_min(KEY, 2.0, 1.5, (3,)),
     [2.1584150791168213, 4.761716365814209, 1.0135159492492676]),
    ("maxwell", lambda: random.maxwell(KEY, (3,)), [2.070286750793457, 0.7144703269004822, 1.4999796152114868]),
    ("double sided maxwell", lambda: random.double_sided_maxwell(KEY, 1.0, 2.0, (3,)),
     [-1.4771909713745117, -4.170105457305908, 3.7603445053100586]),
    ("lognormal", lambda: random.lognormal(KEY, A), [1.1449609994888306, 132.1090087890625, 1.0764705793420148e-09]),
    ("wald", lambda: random.wald(KEY, np.array([0.3, 2.5], np.float32)), [0.5472363829612732, 3.126030921936035]),
    ("triangular", lambda: random.triangular(KEY, -1.0, 0.5, 2.0, (3,)),
     [0.7889692783355713, 1.662029504776001, 0.16738855838775635]),
    ("bernoulli of high range", lambda: random.bernoulli(KEY, 0.5, (6,), mode="high"), [0, 0, 1, 1, 0, 0]),
    ("gumbel of high range", lambda: random.gumbel(KEY, (3,), mode="high"),
     [-0.11434049904346466, -1.3011914491653442, 1.0195822715759277]),
    ("categorical of high range", lambda: random.categorical(KEY, np.ones(3, np.float32), shape=(6,), mode="high"),
     [2, 0, 2, 0, 1, 1]),
]


@pytest.mark.parametrize("use, expected", [case[1:] for case in KNOWN], ids=[case[0] for case in KNOWN])
def test_known_numbers(use: object, expected: object) -> None:
    np.testing.assert_allclose(np.asarray(use()), expected, rtol=2e-5)


COVARIANCE = np.array([[2, 0.5, 0.1], [0.5, 1, 0.2], [0.1, 0.2, 0.5]], np.float32)


@pytest.mark.parametrize("method, expected", [
    ("cholesky", [[0.6381428241729736, 2.9868216514587402, 2.0472335815429688],
                  [-0.19931967556476593, 1.5259145498275757, 2.3319272994995117]]), ("eigh", None), ("svd", None),
])
def test_correlated_normal_numbers(method: str, expected: list | None) -> None:
    mean = np.arange(3, dtype=np.float32)
    drawn = random.multivariate_normal(KEY, mean, COVARIANCE, (2,), method=method)
    if expected is not None:  # elsewhere the vectors' signs are the library's
        np.testing.assert_allclose(drawn, expected, rtol=2e-5)
    sample = np.asarray(random.multivariate_normal(KEY, mean, COVARIANCE, (20_000,), method=method))
    np.testing.assert_allclose(sample.mean(0), mean, atol=0.05)
    np.testing.assert_allclose(np.cov(sample.T), COVARIANCE, atol=0.06)
    if method != "cholesky":
        line = np.asarray(random.multivariate_normal(KEY, np.zeros(2), np.ones((2, 2)), (50,), method=method))
        np.testing.assert_allclose(line[:, 0], line[:, 1], atol=1e-3)
    if method != "svd":
        assert np.isnan(random.multivariate_normal(KEY, np.zeros(2), np.array([[1.0, 2], [2, 1]]), method=method)).all()


def test_orthogonal_matrices() -> None:
    np.testing.assert_allclose(random.orthogonal(KEY, 3), [
        [0.9206920862197876, 0.34078067541122437, -0.19024860858917236],
        [-0.28757205605506897, 0.9218922853469849, 0.2596481144428253],
        [-0.2638717591762543, 0.1843457818031311, -0.946777880191803]], rtol=2e-5)
    wide = np.asarray(random.orthogonal(KEY, 2, m=3))
    np.testing.assert_allclose(wide, np.asarray(random.orthogonal(KEY, 3, m=2)).T, rtol=1e-6)
    np.testing.assert_allclose(wide @ wide.T, np.eye(2), atol=1e-6)
    unitary = np.asarray(random.orthogonal(KEY, 4, (2,), "complex64"))
    products = unitary @ unitary.conj().swapaxes(1, 2)
    np.testing.assert_allclose(products, np.broadcast_to(np.eye(4), (2, 4, 4)), atol=2e-6)
    assert [random.orthogonal(KEY, n, m=m).shape for n, m in ((0, None), (3, 0))] == [(0, 0), (3, 0)]
    traces = np.asarray(random.orthogonal(KEY, 3, (4000,))).trace(axis1=1, axis2=2)
    assert abs(traces.mean()) < 0.1 and abs((traces**2).mean() - 1) < 0.1  # as of Haar's measure


# By the test of Kolmogorov and Smirnov: a fixed sample passes or does not; these are far from failing.
CONTINUOUS = [
    ("gamma", lambda n: random.gamma(KEY, 0.6, n), scipy.stats.gamma(0.6)),
    ("gamma of 30", lambda n: random.gamma(KEY, 30.0, n), scipy.stats.gamma(30)),
    ("loggamma", lambda n: random.loggamma(KEY, 0.2, n), scipy.stats.loggamma(0.2)),
    ("beta", lambda n: random.beta(KEY, 0.5, 2.0, n), scipy.stats.beta(0.5, 2)),
    ("dirichlet", lambda n: random.dirichlet(KEY, np.array([0.5, 1.0, 2.0], np.float32), n)[:, 1],
     scipy.stats.beta(1, 2.5)),
    ("chisquare", lambda n: random.chisquare(KEY, 3.5, n), scipy.stats.chi2(3.5)),
    ("f", lambda n: random.f(KEY, 3.0, 7.0, n), scipy.stats.f(3, 7)),
    ("t", lambda n: random.t(KEY, 2.5, n), scipy.stats.t(2.5)),
    ("generalized normal", lambda n: random.generalized_normal(KEY, 1.5, n), scipy.stats.gennorm(1.5)),
    ("ball", lambda n: (random.ball(KEY, 3, 2, n) ** 2).sum(-1) ** 1.5, scipy.stats.uniform()),
    ("pareto", lambda n: random.pareto(KEY, 2.0, n), scipy.stats.pareto(2)),
    ("rayleigh", lambda n: random.rayleigh(KEY, 2.0, n), scipy.stats.rayleigh(scale=2)),
    ("weibull", lambda n: random.weibull_min(KEY, 2.0, 1.5, n), scipy.stats.weibull_min(1.5, scale=2)),
    ("maxwell", lambda n: random.maxwell(KEY, n), scipy.stats.maxwell()),
    ("double sided maxwell", lambda n: abs(random.double_sided_maxwell(KEY, 1.0, 2.0, n) - 1),
     scipy.stats.maxwell(scale=2)),
    ("lognormal", lambda n: random.lognormal(KEY, 0.7, n), scipy.stats.lognorm(0.7)),
    ("wald", lambda n: random.wald(KEY, 3.0, n), scipy.stats.invgauss(3)),
    ("triangular", lambda n: random.triangular(KEY, -1.0, 0.0, 3.0, n), scipy.stats.triang(0.25, -1, 4)),
    ("gumbel of high range", lambda n: random.gumbel(KEY, n, mode="high"), scipy.stats.gumbel_r()),
]


@pytest.mark.parametrize("draw, truth", [case[1:] for case in CONTINUOUS], ids=[case[0] for case in CONTINUOUS])
def test_samples_have_their_distribution(draw: object, truth: object) -> None:
    sample = np.asarray(draw((20_000,)), np.float64)
    assert scipy.stats.kstest(sample, truth.cdf).pvalue > 1e-3


COUNTS = [
    ("poisson of few", lambda n: random.poisson(KEY, 3.2, n), scipy.stats.poisson(3.2)),
    ("poisson of many", lambda n: random.poisson(KEY, 25.0, n), scipy.stats.poisson(25)),
    ("binomial of few", lambda n: random.binomial(KEY, 20, 0.15, n), scipy.stats.binom(20, 0.15)),
    ("binomial of many", lambda n: random.binomial(KEY, 60, 0.7, n), scipy.stats.binom(60, 0.7)),
    ("multinomial", lambda n: random.multinomial(
        KEY, 12, np.array([0.1, 0.5, 0.4], np.float32), shape=(*n, 3))[:, 1], scipy.stats.binom(12, 0.5)),
    ("geometric", lambda n: random.geometric(KEY, 0.2, n), scipy.stats.geom(0.2)),
]


@pytest.mark.parametrize("draw, truth", [case[1:] for case in COUNTS], ids=[case[0] for case in COUNTS])
def test_counts_have_their_distribution(draw: object, truth: object) -> None:
    size = 20_000
    sample = np.asarray(draw((size,)), np.int64)
    expected = truth.pmf(np.arange(sample.max() + 1)) * size
    kept = expected > 10
    found = np.bincount(sample)[kept]
    found, expected = np.append(found, size - found.sum()), np.append(expected[kept], size - expected[kept].sum())
    assert scipy.stats.chisquare(found, expected).pvalue > 1e-3


def test_parameters_at_the_edges() -> None:
    edges = np.array([-1, -0.5, 0, NAN, np.inf, 1e-10, 1e30], np.float32)
    np.testing.assert_allclose(random.gamma(KEY, edges), [NAN, NAN, 0, NAN, np.inf, 0, 1e30], rtol=1e-6)
    logarithms = np.asarray(random.loggamma(KEY, edges))
    np.testing.assert_array_equal(logarithms[:5], [NAN, NAN, -np.inf, NAN, np.inf])
    assert logarithms[5] < -1e6 and np.isclose(logarithms[6], np.log(1e30))
    means = np.array([-1, 0, NAN, 1e20, np.inf], np.float32)
    assert random.poisson(KEY, means).tolist() == [-1, 0, -1, 2147483647, 2147483647]
    assert random.poisson(KEY, means, dtype="uint8").tolist() == [255, 0, 255, 255, 255]
    counts = np.array([-1, 0, NAN, np.inf, 3.9], np.float32)
    np.testing.assert_array_equal(random.binomial(KEY, counts, 1.0), [NAN, 0, NAN, np.inf, 3])
    chances = np.array([-0.1, 0, 1, 1.1, NAN], np.float32)
    np.testing.assert_array_equal(random.binomial(KEY, 10, chances), [NAN, 0, 10, NAN, NAN])
    assert random.geometric(KEY, np.array([0, 1], np.float32)).tolist() == [2147483647, 1]
    for dtype in ("int8", "uint8", "uint32"):
        assert random.geometric(KEY, np.float32(0), dtype=dtype).tolist() == np.iinfo(dtype).max
    assert bool((random.wald(KEY, 1e6, (1000,)) > 0).all())
    assert all(draw(KEY, 2.0, (0, 3)).shape == (0, 3) for draw in (random.gamma, random.poisson, random.t))
    ratios = np.asarray(random.f(KEY, 0.01, 0.01, (500,)), np.float64)
    assert not np.isnan(ratios).any() and abs((ratios > 1).mean() - 0.5) < 0.1
    small = random.beta(KEY, 1e-5, 1e-5, (50,))
    assert set(small.tolist()) <= {0.0, 1.0} and 0 < float(small.sum()) < 50


# Made with the reference implementation, whose roundings between the steps are others.
NARROW = [
    ("gamma", lambda a, **kw: random.gamma(KEY, a, **kw), [0.52246094, 2.5625, 38.5], [2.339e-06, 3.359375, 36]),
    ("loggamma", lambda a, **kw: random.loggamma(KEY, a, **kw), [-0.64892578, 0.94042969, 3.65039062],
     [-13, 1.2109375, 3.59375]),
    ("beta", lambda a, **kw: random.beta(KEY, a, a[::-1], **kw), [0.03717041, 0.08404541, 0.99511719],
     [0.00915527, 0.38867188, 1]),
    ("dirichlet", lambda a, **kw: random.dirichlet(KEY, a, **kw), [0.01255035, 0.06152344, 0.92578125],
     [5.495e-08, 0.08496094, 0.9140625]),
    ("chisquare", lambda a, **kw: random.chisquare(KEY, a, **kw), [0.796875, 2.3671875, 37.75],
     [1.313e-11, 3.5625, 34.25]),
    ("f", lambda a, **kw: random.f(KEY, a, a[::-1], **kw), [1.04394531, 88.9375, 3.21484375],
     [0.02844238, 1.9609375, 7.3125]),
    ("t", lambda a, **kw: random.t(KEY, a, **kw), [2.375, 0.25024414, -1.015625], [-6.15625, 0.7421875, -0.86328125]),
    ("generalized normal", lambda a, **kw: random.generalized_normal(KEY, 1.5, (3,), **kw),
     [-1.82910156, -0.08526611, 1.22753906], [-0.99609375, -0.16992188, 1.1328125]),
    ("ball", lambda a, **kw: random.ball(KEY, 3, 1.5, **kw), [-0.35058594, 0.11181641, 0.39550781],
     [-0.6796875, 0.36328125, 0.25976562]),
]


@pytest.mark.parametrize("draw, half, brain", [case[1:] for case in NARROW], ids=[case[0] for case in NARROW])
def test_narrow_floats_are_made_of_numbers_of_their_own_type(draw: object, half: list, brain: list) -> None:
    for dtype, expected, error in (("float16", half, 5e-3), ("bfloat16", brain, 2e-2)):
        found = draw(A.astype(jnp.dtype(dtype)), dtype=dtype)
        assert found.dtype == dtype
        large = np.abs(expected) > 1e-3  # a small one is a high power of a uniform number: all roundings are multiplied
        np.testing.assert_allclose(found.astype("float32")[large], np.asarray(expected)[large], rtol=error)
        np.testing.assert_allclose(found.astype("float32")[~large], np.asarray(expected)[~large], rtol=0.15)


def test_narrow_floats_have_their_distribution_but_for_their_grain() -> None:
    for dtype, off in (("float16", 0.01), ("bfloat16", 0.03)):
        for draw, truth in ((random.gamma(KEY, 2.5, (20_000,), dtype), scipy.stats.gamma(2.5)),
                            (random.t(KEY, 4.0, (20_000,), dtype), scipy.stats.t(4)),
                            (random.wald(KEY, 2.0, (20_000,), dtype), scipy.stats.invgauss(2))):
            assert scipy.stats.kstest(np.asarray(draw, np.float64), truth.cdf).statistic < off


def test_counts_are_drawn_in_the_type_of_the_parameters() -> None:
    for dtype, waited, successes, shares in (
            ("float16", [3, 7, 1], [3, 1, 91], [11, 6, 33]), ("bfloat16", [5, 1, 1], [4, 4, 90], [15, 4, 31])):
        p = jnp.array([0.5, 0.1, 0.9], dtype)
        assert random.geometric(KEY, p).tolist() == waited
        assert random.binomial(KEY, jnp.array([10, 30, 100], dtype), p).tolist() == successes
        assert random.multinomial(KEY, jnp.array(50, dtype), p).tolist() == shares


def test_poisson_numbers_are_the_same_with_64_bits() -> None:
    with olympus.enable_x64():
        wide = [random.poisson(KEY, mean, (6,)) for mean in (3.0, 40.0, 1000.0)]
    assert [x.dtype for x in wide] == [np.int64] * 3
    assert [x.tolist() for x in wide] == [
        [4, 1, 1, 3, 2, 7], [43, 47, 38, 39, 34, 40], [1016, 1034, 990, 993, 971, 1002]]
    assert [random.poisson(KEY, mean, (6,)).tolist() for mean in (3.0, 40.0, 1000.0)] == [x.tolist() for x in wide]


@pytest.mark.parametrize("mean", [1.1e5, 1e6, 1e9])
def test_poisson_numbers_of_great_means(mean: float) -> None:
    """In float32 the logarithms of probabilities have no digits left, and they are taken in another way."""
    drawn = (np.asarray(random.poisson(KEY, mean, (20_000,)), np.float64) - mean) / np.sqrt(mean)
    assert scipy.stats.kstest(drawn, scipy.stats.norm().cdf).pvalue > 1e-3  # the grain is small beside the deviation
    with olympus.enable_x64():
        far = (np.asarray(random.poisson(KEY, 1e14, (20_000,)), np.float64) - 1e14) / 1e7
    assert scipy.stats.kstest(far, scipy.stats.norm().cdf).pvalue > 1e-3


def test_wald_numbers_of_great_means() -> None:
    """The limit is Levy's distribution, whose numbers are the inverse squares of normal ones."""
    near = np.asarray(random.wald(KEY, 1e6, (20_000,)))
    for mean in (1e9, 1e30, 3e38, np.inf):
        drawn = np.asarray(random.wald(KEY, mean, (20_000,)))
        assert np.isfinite(drawn).all() and (drawn > 0).all()
        usual = near < 100
        np.testing.assert_allclose(drawn[usual], near[usual], rtol=1e-2)
        assert scipy.stats.kstest(drawn, scipy.stats.levy().cdf).pvalue > 1e-3
    half = np.asarray(random.wald(KEY, 1000.0, (20_000,), "float16"), np.float64)
    assert scipy.stats.kstest(half, scipy.stats.invgauss(1000).cdf).statistic < 0.01
    slope = olympus.grad(lambda mean: random.wald(KEY, mean, (100,)).sum())
    assert np.isfinite(slope(3e38)) and np.isfinite(slope(2.0))
    assert random.wald(KEY, 0.0).tolist() == 0


def test_signs_have_the_type_that_is_asked_for() -> None:
    for dtype in (np.int8, np.uint8, np.bool_, np.float16, np.complex64):
        drawn = random.rademacher(KEY, (50,), dtype)
        assert drawn.dtype == dtype
        assert set(drawn.tolist()) == set(np.array([-1, 1]).astype(dtype).tolist())


def test_derivatives_by_the_shape_are_implicit() -> None:
    """The quantile of the same share moves with the parameter: dx/da = -(dP/da) / p, of SciPy's functions."""
    a = np.array([0.05, 0.4, 1.0, 3.0, 50.0], np.float32)
    draws = olympus.jit(lambda a: olympus.jvp(lambda a: random.gamma(KEY, a, (40, 5)), (a,), (jnp.ones(5),)))
    x, slope = (np.asarray(v, np.float64) for v in draws(jnp.asarray(a)))
    step = 1e-5 * a.astype(np.float64)
    moved = scipy.stats.gamma.cdf(x, a + step) - scipy.stats.gamma.cdf(x, a - step)
    kept = x > 1e-20
    expected = -moved / (2 * step) / np.where(kept, scipy.stats.gamma.pdf(x, a.astype(np.float64)), 1)
    assert kept.mean() > 0.9
    np.testing.assert_allclose(slope[kept], expected[kept], rtol=2e-3, atol=1e-6)
    logs = olympus.jit(lambda a: olympus.jvp(lambda a: random.loggamma(KEY, a, (40, 5)), (a,), (jnp.ones(5),)))
    log_x, log_slope = (np.asarray(v, np.float64) for v in logs(jnp.asarray(a)))
    np.testing.assert_allclose(log_slope[kept], (expected / np.where(kept, x, 1))[kept], rtol=3e-3, atol=1e-6)
    assert np.isfinite(log_slope).all() and log_x.min() < -100
    # Reverse mode, and the distributions that are made of it: a mean's derivative is that of the means.
    mean = olympus.jit(olympus.grad(lambda a: random.gamma(KEY, a, (4000,)).mean()))(2.5)
    assert abs(float(mean) - 1) < 0.05
    share = olympus.jit(olympus.grad(lambda a: random.beta(KEY, a, 2.0, (4000,)).mean()))(2.0)
    assert abs(float(share) - 2 / 16) < 0.02
    first = olympus.jit(olympus.grad(lambda a: random.dirichlet(KEY, a, (4000,))[:, 0].mean()))(jnp.array([1.0, 3.0]))
    np.testing.assert_allclose(first, [3 / 16, -1 / 16], atol=0.02)


def test_batches_of_keys_draw_what_each_alone_draws() -> None:
    keys = random.split(KEY, 3)

    def draws(key: object, a: object) -> tuple:
        return random.gamma(key, a, (2,)), random.poisson(key, a * 10, (2,)), random.binomial(key, 30, 0.4, (2,))

    together = olympus.jit(olympus.vmap(draws))(keys, jnp.asarray(A))
    for i in range(3):
        for whole, one in zip(together, draws(keys[i], A[i]), strict=True):
            np.testing.assert_allclose(whole[i], one, rtol=1e-5)


def test_the_same_numbers_on_every_sharding() -> None:
    mesh = olympus.make_mesh((4, 2), ("x", "y"))
    a = np.linspace(0.2, 30, 16 * 6).reshape(16, 6).astype(np.float32)
    expected = [np.asarray(draw(KEY, a)) for draw in (random.gamma, random.poisson)]
    sharded = olympus.device_put(a, olympus.NamedSharding(mesh, olympus.P("x", "y")))
    for draw, whole in zip((random.gamma, random.poisson), expected, strict=True):
        np.testing.assert_array_equal(olympus.jit(draw)(KEY, sharded), whole)


def test_mistakes_are_told() -> None:
    with pytest.raises(ArgumentError, match="do not broadcast to the shape"):
        random.gamma(KEY, np.ones((2, 3)), (3,))
    with pytest.raises(ArgumentError, match="not one of floats"):
        random.gamma(KEY, 2.0, dtype="int32")
    with pytest.raises(ArgumentError, match="not one of integers"):
        random.poisson(KEY, 2.0, dtype="float32")
    with pytest.raises(ArgumentError, match="a scalar"):
        random.dirichlet(KEY, 1.0)
    with pytest.raises(ArgumentError, match="a scalar"):
        random.multinomial(KEY, 3, 1.0)
    with pytest.raises(ArgumentError, match="do not fit each other"):
        random.multivariate_normal(KEY, np.zeros(2), np.eye(3))
    with pytest.raises(ArgumentError, match="method is not known"):
        random.multivariate_normal(KEY, np.zeros(2), np.eye(2), method="lu")
    with pytest.raises(ArgumentError, match="number of categories"):
        random.multinomial(KEY, 3, np.ones(2), shape=(3,))
    for draw in (random.gumbel, random.bernoulli):
        with pytest.raises(ArgumentError, match="mode is not known"):
            draw(KEY, mode="medium")
