# SPDX-License-Identifier: Apache-2.0
"""Hypergeometric functions against mpmath: parameters of all signs, whole ones, ends, slopes."""

from __future__ import annotations

import math
from typing import Any

import mpmath
import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import errors
from olympus.errors import ArgumentError
from olympus.scipy import special

mp = mpmath.mp.clone()
mp.dps = 40
INF, NAN = math.inf, math.nan
pytestmark = pytest.mark.slow
EXACT = {"hyp1f1": mp.hyp1f1, "hyp2f1": mp.hyp2f1}
RANDOM = np.random.default_rng(7)
COUNT = 20


def _any(power: float) -> np.ndarray:
    return RANDOM.choice([-1, 1], COUNT) * 10 ** RANDOM.uniform(-2, power, COUNT)


def _positive(power: float) -> np.ndarray:
    return np.abs(_any(power))


def _degrees() -> np.ndarray:
    return np.floor(RANDOM.uniform(0, 50, COUNT))


DEGREES = _degrees()
OPERANDS: dict[str, list[list[np.ndarray]]] = {
    "hyp1f1": [
        [_any(1), _any(1), _any(2)], [_positive(1.3), _positive(2), _any(1.8)],
        [_any(0.7), _positive(1), -_positive(6)],
        [-DEGREES, _positive(1) + 0.5, _positive(2)],
        [np.round(RANDOM.uniform(low, high, COUNT)) for low, high in ((-8, 8), (1, 8), (-20, 20))],
    ],
    "hyp2f1": [
        [_any(0.7), _any(0.7), _any(0.7), RANDOM.uniform(-3, 1, COUNT)],
        [_positive(1), _positive(1), _positive(1) + 1, RANDOM.uniform(-2, 1, COUNT)],
        [_any(0.5), _any(0.5), _positive(1), 1 - 10 ** RANDOM.uniform(-6, 0, COUNT)],
        [_any(0.5), _any(0.5), _positive(1), -(10 ** RANDOM.uniform(0, 9, COUNT))],
        [np.round(RANDOM.uniform(-5, 5, COUNT)), np.round(RANDOM.uniform(-5, 5, COUNT)),
         np.round(RANDOM.uniform(1, 8, COUNT)), np.round(RANDOM.uniform(-4, 1, COUNT) * 8) / 8],
        [-DEGREES, DEGREES + 1, np.ones(COUNT), RANDOM.uniform(0, 1, COUNT)],
    ],
}


def _like_random_ones(name: str, rows: list[tuple[float, ...]], dtype: Any) -> np.ndarray:
    """Rows, repeated until they are as many as the random ones: the function is compiled already."""
    return np.resize(np.array(rows, dtype), (COUNT * len(OPERANDS[name]), len(rows[0])))


def _exact(name: str, operands: tuple[float, ...]) -> float:
    return float(mp.re(EXACT[name](*map(mp.mpf, operands))))


@pytest.mark.parametrize("wide", [False, True], ids=["float32", "float64"])
@pytest.mark.parametrize("name", EXACT)
def test_values_are_those_of_mpmath(name: str, wide: bool) -> None:
    dtype = np.float64 if wide else np.float32
    operands = [np.concatenate(column).astype(dtype) for column in zip(*OPERANDS[name], strict=True)]
    with olympus.enable_x64(wide):
        found = np.asarray(getattr(special, name)(*operands))
    assert found.dtype == dtype
    unknown = 0
    for row, value in zip(np.stack(operands, 1), found, strict=True):
        expected = _exact(name, tuple(map(float, row)))
        if np.isnan(value):
            unknown += 1
        elif abs(expected) > np.finfo(dtype).max:
            assert value == np.sign(expected) * np.inf, row
        else:
            least = 1e-12 if wide else 1.5e-7
            assert abs(float(value) - expected) <= least * abs(expected) + np.finfo(dtype).tiny, (row, value, expected)
    assert unknown <= 0.02 * len(found)


@pytest.mark.parametrize("wide", [False, True], ids=["float32", "float64"])
def test_ends_and_poles(wide: bool) -> None:
    dtype = np.float64 if wide else np.float32
    rows = _like_random_ones("hyp1f1", [
        (0, 2, 3, 1), (2, 0, 1, INF), (1, -2, 1, INF), (-2, -1, 2, INF), (-1, -1, 2, 3), (-1, -2, 2, 2),
        (2, 3, 0, 1), (1.5, 2, INF, INF), (1.5, 2.5, -INF, 0), (0, 2, INF, 1), (-1, 2, INF, -INF),
        (-1.5, 2, INF, INF), (NAN, 1, 1, NAN), (1, NAN, 1, NAN), (1, 1, NAN, NAN), (1, 2, 1e4, INF), (2, 2, -1e4, 0),
    ], dtype)
    with olympus.enable_x64(wide):
        np.testing.assert_array_equal(special.hyp1f1(*rows[:, :-1].T), rows[:, -1])
    rows = _like_random_ones("hyp2f1", [
        (1, 2, 3, 0, 1), (1, 1, 2, 1.5, INF), (1, 2, 0, 0.5, INF), (0, 2, 0, 0.5, 1), (-2, 2, -3, 0.5, 23 / 12),
        (-2, 2, -1, 0.5, INF), (-2, 2, 1, 1.5, 1.75), (2, 2, 1, 1, INF), (0.5, 0.5, 1, 1, INF), (-3, 2, 1, 1, 0),
        (-2, 2, -2, 0.5, 2.75), (NAN, 1, 1, 0.5, NAN), (1, 1, 1, NAN, NAN),
    ], dtype)
    with olympus.enable_x64(wide):
        np.testing.assert_allclose(special.hyp2f1(*rows[:, :-1].T), rows[:, -1], rtol=1e-6, atol=1e-7)


def test_narrow_types_whole_numbers_shapes_and_refusals() -> None:
    assert special.hyp1f1(jnp.float16(1), jnp.float16(2), jnp.float16(1)).dtype == jnp.float16
    half = jnp.bfloat16(0.5)
    assert special.hyp2f1(half, half, half, half) == jnp.bfloat16(1.4142)
    assert special.hyp1f1(np.arange(1, 3), 2, np.zeros((3, 1))).shape == (3, 2)
    assert special.hyp2f1(1, 2, 3, np.zeros((0, 4))).shape == (0, 4)
    for function, count in ((special.hyp1f1, 3), (special.hyp2f1, 4)):
        with pytest.raises(ArgumentError, match="complex"):
            function(*[1j] * count)


def test_where_digits_are_lost_the_result_is_nan() -> None:
    assert np.isnan(special.hyp1f1(-28.4, 0.0248, 53.14)) and np.isnan(special.hyp2f1(80.3, 90.7, 0.1, -1.5))
    # A neighbour that has too little left does not spoil the others.
    columns = np.array([-28.4, 1.0]), np.array([0.0248, 2.0]), np.array([53.14, 1.0])
    np.testing.assert_allclose(special.hyp1f1(*columns)[1], math.e - 1, rtol=1e-6)


def test_where_the_line_takes_a_parameter_away_it_is_a_power() -> None:
    """Also where the sum's terms are so much greater that nothing of it would be left."""
    with olympus.enable_x64(True):
        for power, same in ((-9.5, 7.7), (-9.5, -9.5), (4.0, 0.3), (-2.3, -0.5), (0.3, 0.3)):
            x = np.array([-50.0, -1.0, 0.3, 0.9, 0.999, 1 - 1e-6, 1.0])
            with np.errstate(divide="ignore"):
                wanted = (1 - x) ** -power
            np.testing.assert_allclose(special.hyp2f1(power, same, same, x), wanted, rtol=1e-12)
            np.testing.assert_allclose(special.hyp2f1(same, power, same, x), wanted, rtol=1e-12)
        slope = olympus.grad(special.hyp2f1, 3)(-9.5, 7.7, 7.7, 0.9)
        np.testing.assert_allclose(slope, -9.5 * 0.1 ** 8.5, rtol=1e-12)


def test_polynomials_whose_line_has_a_pole_later_near_one() -> None:
    x = np.array([0.9, 0.999, 1 - 1e-9, 1.0, 1.5, -1e10])
    with olympus.enable_x64(True):
        for degree, b, c in ((3, 2.0, -5.0), (3, 2.0, -3.0), (0, 1.0, -2.0), (1, 0.5, -1.0)):
            terms = [mp.rf(-degree, k) * mp.rf(b, k) / mp.rf(c, k) / mp.factorial(k) for k in range(degree + 1)]
            expected = [float(sum(term * mp.mpf(v) ** k for k, term in enumerate(terms))) for v in x]
            np.testing.assert_allclose(special.hyp2f1(-degree, b, c, x), expected, rtol=1e-12)
            np.testing.assert_allclose(special.hyp2f1(b, -degree, c, x), expected, rtol=1e-12)


# The first slope of each function's first one is taken alone, too.
POINTS = {
    "hyp1f1": [(1.3, 2.2, 0.7), (-2.0, 1.5, 4.0), (2.0, 0.5, -3.0), (0.0, 2.0, 1.0)],
    "hyp2f1": [(1.3, 2.2, 0.7, 0.3), (1.3, 2.2, 4.5, 0.95), (-2.0, 2.5, 3.0, 0.4), (1.0, 1.0, 2.0, -5.0)],
}


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("name", POINTS)
def test_slopes(name: str, order: int) -> None:
    points = np.array(POINTS[name], np.float32)
    last = points.shape[1] - 1
    exact = [float(mp.diff(EXACT[name], tuple(map(float, point)), (0,) * last + (order,))) for point in points]
    reverse = forward = getattr(special, name)
    for _ in range(order):
        reverse, forward = olympus.grad(reverse, last), olympus.jacfwd(forward, last)
    for slope in (reverse, forward):
        np.testing.assert_allclose(olympus.jit(olympus.vmap(slope))(*points.T), exact, rtol=1e-5)
        if order == 1:
            np.testing.assert_allclose(slope(*points[0]), exact[0], rtol=1e-5)
    only = olympus.jit(olympus.vmap(reverse, (None,) * last + (0,)))
    np.testing.assert_allclose(only(*points[0, :-1], points[:1, -1]), exact[:1], rtol=1e-5)


BY_PARAMETERS = {
    "hyp1f1": [(1.3, 2.2, 0.7), (-2.0, 1.5, 4.0), (2.0, 0.5, -30.0), (0.0, 2.0, 1.0), (0.5, -1.5, 3.0), (3.0, 2.0, 60)],
    "hyp2f1": [(1.3, 2.2, 0.7, 0.3), (1.3, 2.2, 4.5, 0.95), (-2.0, 2.5, 3.0, 0.4), (1.0, 1.0, 2.0, -5.0),
               (0.0, 1.5, -0.5, 0.2), (0.5, -3.0, 2.0, -0.9)],
}


@pytest.mark.parametrize("name", BY_PARAMETERS)
def test_slopes_by_parameters(name: str) -> None:
    points = np.array(BY_PARAMETERS[name])
    count = points.shape[1] - 1
    exact = [[float(mp.diff(EXACT[name], tuple(map(float, point)), np.eye(count + 1, dtype=int)[i].tolist()))
              for point in points] for i in range(count)]
    function = getattr(special, name)
    with olympus.enable_x64(True):
        found = olympus.vmap(olympus.grad(function, tuple(range(count))))(*points.T)
        forward = olympus.jacfwd(function, 0)(*points[0])
    np.testing.assert_allclose(found, exact, rtol=1e-8)
    np.testing.assert_allclose(forward, exact[0][0], rtol=1e-8)
    narrow = olympus.grad(function, 1)(*points[1].astype(np.float32))
    np.testing.assert_allclose(narrow, exact[1][1], rtol=1e-5)


def test_slopes_by_parameters_that_are_not_known_are_nan_and_second_ones_refused() -> None:
    by_all = olympus.grad(special.hyp1f1, (0, 1))
    assert np.isnan(by_all(-28.4, 0.0248, 53.14)).all() and np.isnan(by_all(1.0, -2.0, 0.5)).all()
    assert np.isnan(olympus.grad(special.hyp2f1, (0, 1, 2))(1.3, 2.2, 4.5, 0.9999)).all()
    for f, point in ((special.hyp1f1, (1.3, 2.2, 0.7)), (special.hyp2f1, (1.3, 2.2, 4.5, 0.95))):
        with pytest.raises(errors.NotSupportedError, match="second derivative"):
            olympus.grad(olympus.grad(f), len(point) - 1)(*point)
