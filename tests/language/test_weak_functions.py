# SPDX-License-Identifier: Apache-2.0
"""Which functions of weakly typed arrays give weak results."""

from __future__ import annotations

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
import olympus.scipy as scipy
from olympus import lax, tree
from olympus.lax import linalg


def _weak(value, *shape):
    return jnp.broadcast_to(jnp.asarray(value), shape)


def _flags(found):
    return [bool(leaf.weak_type) for leaf in tree.leaves(found)]


SQUARE = jnp.where(jnp.asarray(np.eye(3, dtype=bool)), jnp.asarray(2.0), jnp.asarray(0.0))


@pytest.mark.parametrize("function, flags", [
    (jnp.linalg.cholesky, [True]), (jnp.linalg.eigh, [True, True]), (jnp.linalg.eigvalsh, [True]),
    (jnp.linalg.qr, [True, True]), (jnp.linalg.svd, [True] * 3), (jnp.linalg.svdvals, [True]),
    (jnp.linalg.eig, [True, True]), (jnp.linalg.eigvals, [True]), (jnp.linalg.slogdet, [True, True]),
    (jnp.linalg.det, [True]), (jnp.linalg.inv, [False]), (jnp.linalg.pinv, [False]),
    (linalg.cholesky, [True]), (linalg.eigh, [True, True]), (linalg.qr, [True, True]),
    (scipy.linalg.cholesky, [True]), (scipy.linalg.lu_factor, [True, True]), (scipy.linalg.sqrtm, [False]),
    (jnp.diagonal, [False]), (jnp.diag, [False]), (jnp.trace, [False]), (jnp.fft.fft, [False]),
    (lambda x: jnp.linalg.solve(x, x[0]), [True]), (lambda x: jnp.linalg.tensorsolve(x, x[0]), [True]),
    (lambda x: jnp.linalg.solve(x, np.ones(3, np.float32)), [False]),
    (lambda x: scipy.linalg.solve(x, x[0], assume_a="pos"), [True]),
    (lambda x: scipy.linalg.solve_triangular(x, x[0]), [True]),
    (lambda x: scipy.linalg.cho_solve((x, True), x[0]), [True]),
    (lambda x: jnp.linalg.lstsq(x, x[0])[3], [True]), (lambda x: jnp.linalg.lstsq(x, x[0])[0], [False]),
    (lambda x: jnp.linalg.lstsq(x, np.ones(3, np.float32))[3], [False]),
    (lambda x: jnp.cross(x, x), [False]), (lambda x: jnp.diagflat(x[0]), [False]),
])
def test_weakness_of_matrices(function, flags):
    assert SQUARE.weak_type
    assert _flags(function(SQUARE)) == flags
    assert not any(_flags(function(SQUARE.astype(np.float32))))


@pytest.mark.parametrize("distribution, operands", [
    ("beta", (0.5, 2.0, 3.0)), ("chi2", (0.5, 3.0)), ("gamma", (0.5, 2.0)), ("betabinom", (1.0, 3.0, 2.0, 3.0)),
    ("binom", (1.0, 3.0, 0.5)), ("nbinom", (1.0, 3.0, 0.5)), ("poisson", (1.0, 2.0)), ("norm", (0.5,)),
    ("t", (0.5, 3.0)), ("uniform", (0.5,)), ("bernoulli", (1.0, 0.5)),
])
def test_weakness_of_densities_and_shares(distribution, operands):
    functions = getattr(scipy.stats, distribution)
    for name in ("logpdf", "pdf", "logpmf", "pmf", "logcdf", "logsf", "cdf"):
        if (function := getattr(functions, name, None)) is None:
            continue
        weak = distribution not in ("norm", "uniform") or name not in ("logcdf", "logsf", "cdf")  # all as in JAX
        assert _flags(function(*operands)) == [weak], name
        for i, x in enumerate(operands):
            mixed = (*operands[:i], np.float32(x), *operands[i + 1:])
            assert _flags(function(*mixed)) == [False], (name, i)


@pytest.mark.parametrize("name, flag", [
    ("beta", False), ("poch", False), ("owens_t", False), ("xlogy", True), ("xlog1py", True), ("rel_entr", True),
    ("kl_div", True), ("betaln", True),
])
def test_weakness_of_special_functions(name, flag):
    function = getattr(scipy.special, name)
    assert _flags(function(0.5, 0.25)) == [flag]
    assert _flags(function(0.5, np.float32(0.25))) == [False]


@pytest.mark.parametrize("function, of_float, of_integer", [
    (jnp.log10, [False], [False]), (jnp.log2, [False], [False]), (jnp.nan_to_num, [False], [True]),
    (jnp.rint, [True], [False]), (jnp.imag, [True], [True]), (jnp.sign, [True], [True]), (jnp.i0, [True], [True]),
    (jnp.reciprocal, [True], [True]),
    (jnp.modf, [True, True], [True, True]), (jnp.log, [True], [True]), (jnp.floor, [True], [True]),
])
def test_weakness_of_elementwise_functions(function, of_float, of_integer):
    assert _flags(function(2.5)) == _flags(olympus.jit(function)(2.5)) == of_float
    assert _flags(function(2)) == of_integer
    for strong in (np.float32(2.5), np.float16(2.5), np.int32(2)):
        assert not any(_flags(function(strong)))
    assert _flags(jnp.log10(2.5) + np.ones(2, np.float16)) == [False]
    assert (jnp.log10(2.5) + np.ones(2, np.float16)).dtype == np.float32
    assert (jnp.modf(2.5)[0] + np.ones(2, np.float16)).dtype == np.float16


def test_weakness_of_divisors():
    assert _flags((jnp.gcd(4, 6), jnp.lcm(4, 6), jnp.lcm(np.int8(4), 6))) == [True, True, False]
    assert jnp.lcm(np.int8(4), 6).dtype == np.int8


@pytest.mark.parametrize("first, second, flag", [(1.0, np.float32(2), True), (np.float32(2), 1.0, False)])
def test_the_first_branch_says_what_is_weak(first, second, flag):
    found = lax.switch(0, [lambda: jnp.asarray(first), lambda: jnp.asarray(second)])
    assert _flags(found) == [flag]
    found = lax.switch(1, [lambda: (jnp.asarray(first), np.int32(1)), lambda: (jnp.asarray(second), np.int32(1))])
    assert _flags(found) == [flag, False]
    found = olympus.jit(lambda p: lax.cond(p, lambda: jnp.asarray(second), lambda: jnp.asarray(first)))(True)
    assert _flags(found) == [flag]


@pytest.mark.parametrize("solved", [
    lambda a, b: scipy.linalg.solve_triangular(a, b),
    lambda a, b: scipy.linalg.cho_solve((a, False), b),
])
@pytest.mark.parametrize("dtype", [np.float16, jnp.bfloat16])
def test_half_precision_is_solved_in_its_own_type(solved, dtype):
    a, b = jnp.asarray([[2.0, 1.0], [0.0, 4.0]], dtype), jnp.asarray([4.0, 8.0], dtype)
    found = solved(a, b)
    assert found.dtype == dtype
    expected = solved(a.astype(np.float32), b.astype(np.float32))
    np.testing.assert_allclose(np.asarray(found, np.float32), np.asarray(expected), rtol=1e-2)
    assert solved(np.eye(2, dtype=np.int32), b).dtype == dtype


@pytest.mark.parametrize("size", [1, 2, 3, 5])
@pytest.mark.parametrize("dtype", [np.float16, jnp.bfloat16])
def test_determinants_of_half_precision(size, dtype):
    x = np.random.default_rng(size).normal(size=(size, size)).astype(dtype)
    found = jnp.linalg.det(x)
    assert found.dtype == dtype
    np.testing.assert_allclose(float(found), np.linalg.det(x.astype(np.float64)), rtol=2e-2, atol=2e-2)


def test_weakness_of_gradients():
    whole, half = jnp.arange(4), jnp.arange(4.0)
    assert _flags([jnp.gradient(whole), jnp.gradient(whole, 2), jnp.gradient(whole, 2.0), jnp.gradient(half, 2.0),
                   jnp.gradient(whole, half)]) == [False, False, True, False, False]
