# SPDX-License-Identifier: Apache-2.0
"""The special functions against Python's math module, known values and identities."""

from __future__ import annotations

import math

import ml_dtypes
import numpy as np
import pytest

from olympus_core.ops import special

GAMMA = 0.57721566490153286060651209
GRID = np.concatenate([np.linspace(-6, 6, 2401), np.geomspace(1e-300, 1e300, 601), -np.geomspace(1e-30, 25, 301)])


def ulps(result: np.ndarray, expected: np.ndarray) -> float:
    """The greatest distance in units of the last place of the expected numbers."""
    same = (result == expected) | (np.isnan(result) & np.isnan(expected))
    with np.errstate(all="ignore"):
        distance = np.abs(result.astype(np.float64) - expected.astype(np.float64)) / np.spacing(np.abs(expected))
    return float(np.where(same, 0.0, distance).max())


@pytest.mark.parametrize("name", ["erf", "erfc"])
def test_error_functions_agree_with_math_to_the_last_places(name):
    function, oracle = getattr(special, name), np.vectorize(getattr(math, name))
    assert ulps(function(GRID), oracle(GRID)) <= 4
    single = GRID[np.abs(GRID) < 1e30].astype(np.float32)
    assert ulps(function(single), oracle(single.astype(np.float64)).astype(np.float32)) <= 1


def test_erfc_keeps_its_tail():
    x = np.array([5.0, 10.0, 20.0, 26.0])
    np.testing.assert_allclose(special.erfc(x), [math.erfc(v) for v in x], rtol=1e-14)
    assert special.erfc(np.array([40.0, np.inf, -np.inf])).tolist() == [0.0, 0.0, 2.0]


def test_erf_inv_undoes_erf():
    y = np.concatenate([np.linspace(-0.999, 0.999, 1999), 1 - np.geomspace(1e-15, 1e-3, 100), [1e-300, -1e-20]])
    x = special.erf_inv(y)
    forward = np.vectorize(math.erf)(x)
    near = np.abs(y) < 0.5
    np.testing.assert_allclose(forward[near], y[near], rtol=1e-14)
    np.testing.assert_allclose(np.vectorize(math.erfc)(x)[y >= 0.5], 1 - y[y >= 0.5], rtol=2e-14)


def test_erf_inv_is_exact_to_single_precision():
    y = np.concatenate([np.linspace(-1, 1, 4001), 1 - np.geomspace(6e-8, 1e-2, 50)]).astype(np.float32)
    x = special.erf_inv(y)
    # The true value lies between the neighbours of the result in single precision.
    inside = np.isfinite(x)
    below = np.nextafter(x[inside], np.float32(-np.inf)).astype(np.float64)
    above = np.nextafter(x[inside], np.float32(np.inf)).astype(np.float64)
    erf, erfc = np.vectorize(math.erf), np.vectorize(math.erfc)
    wide = y[inside].astype(np.float64)
    assert np.all((erf(below) <= wide) | (erfc(below) >= 1 - wide))
    assert np.all((erf(above) >= wide) | (erfc(above) <= 1 - wide))
    assert special.erf_inv(np.array([1.0, -1.0])).tolist() == [np.inf, -np.inf]
    assert np.isnan(special.erf_inv(np.array([1.5, -2.0, np.nan]))).all()
    assert math.copysign(1, special.erf_inv(np.array([-0.0]))[0]) == -1


def test_lgamma_agrees_with_math():
    x = np.concatenate([
        np.linspace(0.01, 30, 3000), np.geomspace(1e-300, 1e300, 601), -np.linspace(0.013, 40, 999) - 1e-4,
        -np.geomspace(1e-30, 1e-3, 20),
    ])
    x = x[x != np.floor(x)]
    expected = np.array([math.lgamma(v) for v in x])  # itself right to about 1e-15, absolutely where it is small
    np.testing.assert_allclose(special.lgamma(x), expected, rtol=1e-14, atol=1e-14)


def test_lgamma_keeps_its_digits_near_its_zeros():
    z = np.geomspace(1e-9, 1e-5, 20)
    z = np.concatenate([z, -z])
    one, two = (1 + z) - 1, (2 + z) - 2  # what is left of z
    series = [-GAMMA * v + math.pi**2 / 12 * v * v - 1.2020569 / 3 * v**3 for v in (one, two)]
    np.testing.assert_allclose(special.lgamma(1 + z), series[0], rtol=1e-14)
    np.testing.assert_allclose(special.lgamma(2 + z), np.log1p(two) + series[1], rtol=1e-14)
    joint = np.array([0.75, 1.25, 1.75, 2.25])  # where the ways to compute it meet
    below, above = special.lgamma(np.nextafter(joint, 0)), special.lgamma(np.nextafter(joint, 9))
    np.testing.assert_allclose(below, above, rtol=4e-14)


def test_lgamma_at_its_poles_zeros_and_ends():
    assert special.lgamma(np.array([0.0, -1.0, -2.0, -1e20, np.inf, -np.inf])).tolist() == [np.inf] * 6
    assert special.lgamma(np.array([1.0, 2.0])).tolist() == [0.0, 0.0]
    assert np.isnan(special.lgamma(np.array([np.nan])))


# Gauss' theorem gives digamma at rational numbers in terms of gamma, pi and logarithms.
KNOWN_DIGAMMA = {
    1.0: -GAMMA,
    2.0: 1 - GAMMA,
    10.0: sum(1 / k for k in range(1, 10)) - GAMMA,
    0.5: -GAMMA - 2 * math.log(2),
    0.25: -GAMMA - math.pi / 2 - 3 * math.log(2),
    0.75: -GAMMA + math.pi / 2 - 3 * math.log(2),
    1 / 3: -GAMMA - math.pi / (2 * math.sqrt(3)) - 1.5 * math.log(3),
    -0.5: -GAMMA - 2 * math.log(2) + 2,
    -1.5: -GAMMA - 2 * math.log(2) + 2 + 2 / 3,
    -0.25: -GAMMA + math.pi / 2 - 3 * math.log(2) + 4,
    30.5: -GAMMA - 2 * math.log(2) + 2 * sum(1 / (2 * k - 1) for k in range(1, 31)),
}


def test_digamma_at_known_places():
    x = np.array(list(KNOWN_DIGAMMA))
    np.testing.assert_allclose(special.digamma(x), list(KNOWN_DIGAMMA.values()), rtol=1e-14)


def test_digamma_is_the_slope_of_lgamma():
    x = np.concatenate([np.linspace(0.1, 50, 500), -np.linspace(0.1, 20, 500)])
    x = x[np.abs(x - np.rint(x)) > 0.05]
    step = 1e-5
    slope = np.array([(math.lgamma(v + step) - math.lgamma(v - step)) / (2 * step) for v in x])
    np.testing.assert_allclose(special.digamma(x), slope, rtol=1e-5, atol=1e-5)


def test_digamma_at_its_poles_and_ends():
    assert np.isnan(special.digamma(np.array([0.0, -1.0, -7.0, np.nan, -np.inf]))).all()
    assert special.digamma(np.array([np.inf])) == np.inf
    np.testing.assert_allclose(special.digamma(np.array([1e-8, 1e8])), [-1e8, math.log(1e8)], rtol=1e-7)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, ml_dtypes.bfloat16])
def test_the_operand_keeps_its_type(dtype):
    for function in (special.erf, special.erfc, special.erf_inv, special.lgamma, special.digamma):
        result = function(np.array([[0.5]], dtype))
        assert result.dtype == dtype and result.shape == (1, 1)
        assert function(np.zeros((0, 2), dtype)).shape == (0, 2)
