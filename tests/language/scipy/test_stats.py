# SPDX-License-Identifier: Apache-2.0
"""olympus.scipy.stats against SciPy: all functions of all distributions, ends of their support, derivatives."""

from __future__ import annotations

import importlib
import math
from typing import Any

import numpy as np
import pytest
import scipy.stats

import olympus
import olympus.numpy as jnp
from olympus.errors import ArgumentError
from olympus.scipy import stats
from olympus.test_util import check_grads

# Where functions are taken, and the distributions' shapes.
SHAPES: dict[str, list[tuple[float, ...]]] = {
    "norm": [()], "uniform": [()], "expon": [()], "laplace": [()], "logistic": [()], "cauchy": [()],
    "gumbel_r": [()], "gumbel_l": [()], "pareto": [(0.5,), (3.0,)], "gamma": [(0.3,), (1.0,), (7.5,)],
    "chi2": [(1.0,), (6.0,)], "beta": [(0.5, 0.7), (1.0, 1.0), (6.0, 3.0)], "t": [(0.7,), (30.0,), (1e5,)],
    "gennorm": [(0.6,), (3.0,)], "truncnorm": [(-1.0, 2.0), (3.0, 5.0), (-9.0, -4.0), (-np.inf, 1.0)],
    "vonmises": [(0.0,), (0.5,), (40.0,)], "wrapcauchy": [(0.2,), (0.9,)],
    "poisson": [(0.4,), (30.0,)], "geom": [(0.1,), (0.8,)], "binom": [(9.0, 0.3), (40.0, 0.9)],
    "nbinom": [(3.0, 0.4), (0.5, 0.9)], "betabinom": [(9.0, 1.5, 2.0)], "bernoulli": [(0.3,)],
}
UNMOVED = ("gennorm", "vonmises", "wrapcauchy")
REAL = np.concatenate([np.linspace(-6, 8, 57) + 1e-3, [0.0, 1.0, 2.0, -40.0, 90.0, np.nan]])
COUNTS = np.append(np.arange(-2.0, 45.0), np.nan)
SHARES = np.array([1e-12, 1e-5, 0.01, 0.2, 0.5, 0.7, 0.99, 1 - 1e-7, 0.0, 1.0, np.nan])
CASES = [(name, function) for name in SHAPES for function in importlib.import_module(
    f"olympus.scipy.stats.{name}").__all__]


@pytest.mark.parametrize(("name", "function"), CASES, ids=[f"{name}.{function}" for name, function in CASES])
def test_all_functions_of_all_distributions(name: str, function: str) -> None:
    ours, theirs = getattr(getattr(stats, name), function), getattr(getattr(scipy.stats, name), function)
    discrete = hasattr(getattr(stats, name), "pmf")
    # All shapes in one call, a row for each.
    shape = tuple(np.array(column)[:, None] for column in zip(*SHAPES[name], strict=True))
    x = SHARES if function in ("ppf", "isf") else COUNTS if discrete else REAL
    if (name, function) == ("bernoulli", "ppf"):
        x = x[~(x <= 0)]  # SciPy gives -1 for 0, JAX 0
    if name == "vonmises":
        x = x[~(np.abs(x) >= 3)]
    moved: tuple[float, ...] = () if name in UNMOVED or (
        name == "bernoulli" and function in ("cdf", "ppf")) else (1.0,) if discrete else (0.5, 1.5)
    operands = (*shape, *moved) if function == "entropy" else (x, *shape, *moved)
    with olympus.enable_x64(True), np.errstate(all="ignore"):
        found, wanted = np.asarray(ours(*operands)), theirs(*operands)
    bound = {"truncnorm": 1e-11}.get(name, 1e-11 if function != "entropy" else 1e-9)
    np.testing.assert_allclose(found, wanted, rtol=bound, atol=1e-300 if "log" not in function else 1e-13)
    with np.errstate(all="ignore"):
        narrow = np.asarray(ours(*(np.asarray(v, np.float32) for v in operands)))
        rounded = theirs(*(np.asarray(v, np.float32).astype(np.float64) for v in operands))
    assert narrow.dtype == np.float32
    tiny = np.abs(rounded) < 1e-35
    np.testing.assert_allclose(np.where(tiny, 0, narrow), np.where(tiny, 0, rounded), rtol=3e-4, atol=2e-5)
    if function != "entropy":  # no number gives none
        assert np.isnan(found[..., -1]).all() and np.isnan(narrow[..., -1]).all()


def test_no_numbers() -> None:
    assert np.isnan(stats.norm.logpdf(0.0, 0.0, -1.0))
    assert np.isnan(stats.norm.ppf(1.5)) and np.isnan(stats.expon.ppf(-0.1)) and np.isnan(stats.cauchy.ppf(2.0))


@pytest.mark.parametrize(("name", "function", "operands"), [
    ("norm", "logpdf", (0.3, 0.1, 1.2)), ("norm", "logcdf", (-8.0, 0.1, 1.2)), ("norm", "ppf", (0.3, 0.1, 1.2)),
    ("gamma", "cdf", (1.3, 2.0)), ("gamma", "logpdf", (1.3, 2.0)), ("t", "logpdf", (0.7, 3.0)),
    ("truncnorm", "logpdf", (0.5, -1.0, 2.0)), ("truncnorm", "logcdf", (0.5, -1.0, 2.0)),
    ("cauchy", "logcdf", (0.5,)), ("gennorm", "logpdf", (0.5, 1.7)),
])
def test_derivatives(name: str, function: str, operands: tuple[float, ...]) -> None:
    # logcdf of truncnorm is what its logpdf divides by, three times: seconds for each derivative of the second order.
    order = 1 if (name, function) in (("gamma", "cdf"), ("truncnorm", "logcdf")) else 2
    with olympus.enable_x64(True):
        check_grads(getattr(getattr(stats, name), function), tuple(np.float64(v) for v in operands), order=order,
                    modes=("fwd", "rev"), atol=1e-4, rtol=1e-4)


def test_slopes_outside_of_the_support_are_zero() -> None:
    for name, x, shape in (("gamma", -1.0, (2.0,)), ("beta", 1.5, (2.0, 2.0)), ("expon", -1.0, ()),
                           ("pareto", 0.5, (2.0,)), ("uniform", 2.0, ())):
        assert float(olympus.grad(getattr(stats, name).logpdf)(x, *shape)) == 0


def test_vectors_of_shares_and_counts() -> None:
    alpha, x = np.array([0.5, 2.0, 3.0]), np.array([[0.2, 0.1], [0.3, 0.4], [0.5, 0.5]])
    with olympus.enable_x64(True):
        wanted = scipy.stats.dirichlet.logpdf(x, alpha)
        np.testing.assert_allclose(stats.dirichlet.logpdf(x, alpha), wanted, rtol=1e-12)
        np.testing.assert_allclose(stats.dirichlet.pdf(x[:2], alpha), np.exp(wanted), rtol=1e-12)
        assert stats.dirichlet.logpdf(x * 2, alpha).tolist() == [-np.inf, -np.inf]
        counts, p = np.array([[1, 2, 0], [0, 0, 3], [1, 1, 0]]), np.array([0.2, 0.3, 0.5])
        np.testing.assert_allclose(stats.multinomial.logpmf(counts, 3, p),
                                   scipy.stats.multinomial.logpmf(counts, 3, p), rtol=1e-12)
        np.testing.assert_allclose(stats.multinomial.pmf(counts[0], 3, p), 3 * 0.2 * 0.09, rtol=1e-12)
    with pytest.raises(ArgumentError, match="shares"):
        stats.dirichlet.logpdf(x[:1], alpha)


def test_vectors_of_normal_numbers() -> None:
    random = np.random.default_rng(3)
    x, mean, root = random.normal(size=(5, 1, 3)), random.normal(size=(4, 3)), random.normal(size=(4, 3, 3))
    cov = root @ root.swapaxes(1, 2) + 0.1 * np.eye(3)
    normal = stats.multivariate_normal
    with olympus.enable_x64(True):
        found = np.asarray(normal.logpdf(x, mean, cov))
        exact = scipy.stats.multivariate_normal
        wanted = np.stack([exact.logpdf(x[:, 0], mean[i], cov[i]) for i in range(4)], axis=1)
        np.testing.assert_allclose(found, wanted, rtol=1e-10)
        np.testing.assert_allclose(normal.pdf(x, mean, cov), np.exp(wanted), rtol=1e-9)
        np.testing.assert_allclose(normal.logpdf(x[:, 0], mean[0], cov[0]), wanted[:, 0], rtol=1e-10)
        np.testing.assert_allclose(normal.logpdf(x[:, 0], mean[0], 2.5), exact.logpdf(x[:, 0], mean[0], 2.5))
        np.testing.assert_allclose(normal.logpdf(x, 0.5, 2.5), exact.logpdf(x.ravel(), 0.5, 2.5).reshape(x.shape))
        # The same vector for all dimensions, the same vector for several covariances, no vectors at all.
        np.testing.assert_allclose(normal.logpdf(1.0, mean[0], cov[0]), exact.logpdf(np.ones(3), mean[0], cov[0]))
        assert normal.logpdf(x[0, 0], mean[0], cov).shape == (4,)
        assert normal.logpdf(x[:0, 0], mean[0], cov[0]).shape == (0,)
        assert np.isnan(float(normal.logpdf(np.ones(3), np.zeros(3), -np.eye(3))))
        check_grads(lambda x, m, r: normal.logpdf(x, m, r @ r.T), (x[0, 0], mean[0], root[0]), 2)
        mapped = olympus.jit(olympus.vmap(normal.logpdf, (None, 0, 0), 1))(x[:, 0], mean, cov)
        np.testing.assert_allclose(mapped, wanted, rtol=1e-10)
    narrow = normal.logpdf(x.astype(np.float32), mean.astype(np.float32), cov.astype(np.float32))
    assert narrow.dtype == np.float32
    np.testing.assert_allclose(narrow, wanted, rtol=1e-3)
    with pytest.raises(ArgumentError, match="do not go with"):
        normal.logpdf(np.ones(3), np.zeros(3), np.ones(3))
    with pytest.raises(ArgumentError, match="do not go with"):
        normal.logpdf(np.ones(3), 0.0, np.eye(3))
    with pytest.raises(ArgumentError, match="complex"):
        normal.pdf(1j, 0.0, 1.0)


@pytest.mark.parametrize("method", ["average", "min", "max", "dense", "ordinal"])
@pytest.mark.parametrize("axis", [None, 0, 1])
def test_ranks(method: str, axis: int | None) -> None:
    a = np.random.default_rng(0).integers(0, 5, (4, 7)).astype(np.float32)
    np.testing.assert_array_equal(stats.rankdata(a, method, axis=axis),
                                  scipy.stats.rankdata(a, method, axis=axis).reshape(28 if axis is None else (4, 7)))


def test_frequent_values_and_errors_of_means() -> None:
    a = np.random.default_rng(1).integers(0, 4, (5, 6))
    for axis in (None, 0, 1):
        for keepdims in (False, True):
            wanted = scipy.stats.mode(a, axis=axis, keepdims=keepdims)
            found = stats.mode(a, axis=axis, keepdims=keepdims)
            np.testing.assert_array_equal(found.mode, wanted.mode)
            np.testing.assert_array_equal(found.count, wanted.count)
            np.testing.assert_allclose(stats.sem(a.astype("f4"), axis=axis, keepdims=keepdims), scipy.stats.sem(
                a.astype("f8"), axis=axis, keepdims=keepdims), rtol=1e-5)
    holed = np.where(a == 0, np.nan, a).astype(np.float32)
    np.testing.assert_allclose(stats.sem(holed, nan_policy="omit"), scipy.stats.sem(
        holed.astype("f8"), nan_policy="omit"), rtol=1e-4)
    assert np.isnan(stats.rankdata(np.array([1.0, np.nan]))).all()
    assert float(stats.mode(np.array([np.nan, 2.0, 2.0])).mode) == 2
    for wrong in (lambda: stats.mode(a, nan_policy="omit"), lambda: stats.rankdata(a, "best"),
                  lambda: stats.sem(a, nan_policy="raise")):
        with pytest.raises(ArgumentError):
            wrong()


@pytest.mark.parametrize(("shape", "axis", "expected"), [
    ((0,), 0, ()), ((0, 2), 0, (2,)), ((2, 0), 1, (2,)), ((2, 0), 0, (0,)), ((0, 2), None, ())])
def test_the_most_frequent_of_nothing_is_nan(shape: tuple[int, ...], axis: int | None, expected: Any) -> None:
    found = stats.mode(np.zeros(shape, np.float32), axis=axis)
    np.testing.assert_array_equal(found.mode, np.full(expected, np.nan))
    np.testing.assert_array_equal(found.count, np.zeros(expected))
    assert stats.mode(np.zeros(shape), axis=axis, keepdims=True).mode.ndim == len(shape)


def test_mapped_and_split() -> None:
    x = np.linspace(-2, 2, 16, dtype=np.float32)
    whole = np.asarray(stats.norm.logcdf(x, 0.5, 2.0))
    np.testing.assert_allclose(olympus.vmap(lambda v: stats.norm.logcdf(v, 0.5, 2.0))(x), whole, rtol=1e-6)
    mesh = olympus.make_mesh((8,), ("i",))
    split = olympus.device_put(x, olympus.NamedSharding(mesh, olympus.P("i")))
    found: Any = olympus.jit(stats.norm.logcdf)(split, jnp.float32(0.5), 2.0)
    np.testing.assert_allclose(found, whole, rtol=1e-6)
    assert found.sharding.spec == olympus.P("i")
    assert math.isclose(float(stats.poisson.entropy(1e4)), scipy.stats.norm.entropy(0, 100), rel_tol=1e-4)


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_narrow_shares_are_shares_as_far_as_their_type_holds_them(dtype: str) -> None:
    x, alpha = jnp.array([0.2, 0.3, 0.5], dtype), jnp.array([1, 2, 3], dtype)
    wanted, rtol = scipy.stats.dirichlet.logpdf([0.2, 0.3, 0.5], [1, 2, 3]), float(jnp.finfo(dtype).eps)
    for shares in (x, x[:2]):
        found = stats.dirichlet.logpdf(shares, alpha)
        assert found.dtype == dtype
        np.testing.assert_allclose(np.asarray(found, float), wanted, rtol=2 * rtol)
    assert stats.dirichlet.logpdf(x * 1.1, alpha) == -np.inf


@pytest.mark.parametrize("dtype", ["bfloat16", "float32", "float64", "int32", "complex64"])
def test_types_of_errors_of_means_and_of_counts(dtype: str) -> None:
    with olympus.enable_x64(True):
        x = jnp.arange(6).astype(dtype)
        omitting = stats.sem(x, nan_policy="omit")
        assert omitting.dtype == stats.sem(x).dtype
        np.testing.assert_allclose(float(omitting), 0.7637626158, rtol=1e-2 if dtype == "bfloat16" else 1e-6)
        assert stats.mode(x).count.dtype == np.int64


def test_ranks_beside_complex_nan_are_nan() -> None:
    assert np.isnan(stats.rankdata(jnp.array([complex(np.nan, 1), 1j, 2]))).all()
