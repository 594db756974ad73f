# SPDX-License-Identifier: Apache-2.0
"""Incomplete gamma and beta functions, and slopes of the former, as loops of StableHLO in float64.

Below the mean of at most 200 degrees the power series of the gamma function, elsewhere the integral of the density over
the side of x, by Gauss and Legendre's rule; for the beta function the continued fraction, by Lentz's method. Against
their definition the errors are below 1e-12 of the value, and 1e-10 for parameters of a million. What has not converged
after the most steps is NaN, not a wrong number.

Sources: Abramowitz and Stegun, 6.1.33, 6.1.40, 6.5.4 and 6.5.29; Press et al., "Numerical Recipes", 6.4;
DiDonato and Morris, "Algorithm 708" (1992), for the factor before the fraction where the parameters are large.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from .arithmetic import Number
from .loops import beside, entry, in_double, loop
from .real_functions import BERNOULLI, digamma, lgamma, log1p
from .writer import Emission

_MOST_TERMS, _MOST_FRACTIONS = 2000, 20000
_PANELS, _POINTS = 12, 20
# The logarithm of the gamma function beside 1: Euler's constant, then the zeta function of 2, 3, ...
_EULER = 0.5772156649015329
_MANY = 200
_BESIDE_ONE = [(-1.0) ** k / k * (
    1.0 + sum(n ** -float(k) for n in range(2, _MANY)) + _MANY ** (1.0 - k) * (1 / (k - 1) + 0.5 / _MANY)
    + k * _MANY ** (-k - 1.0) / 12 - k * (k + 1) * (k + 2) * _MANY ** (-k - 3.0) / 720) for k in range(40, 1, -1)]

INCOMPLETE: dict[str, Emission] = {}
_emits = in_double(INCOMPLETE)


def _log1p_less_x(x: Number) -> Number:
    """What log(1 + x) is beyond x, by the series of the logarithm in x / (2 + x) near zero."""
    near = abs(x) < 0.5
    small = near.choose(x, 0.0)
    ratio = small / (small + 2.0)
    square = ratio * ratio
    series = square * square.polynomial([1 / (2 * k + 1) for k in range(20, 0, -1)])
    far = near.choose(0.0, x.apply("maximum", -1.0))
    return near.choose(2.0 * ratio * series - small * ratio, log1p(far) - x)


def stirling_rest(a: Number) -> Number:
    """What Stirling's formula lacks of the logarithm of the gamma function, from 10 on."""
    inverse = 1.0 / a
    return inverse * (inverse * inverse).polynomial([float(b / (2 * k * (2 * k - 1))) for k, b in reversed(
        list(enumerate(BERNOULLI, 1)))])


def _log_less_digamma(a: Number) -> Number:
    large = a >= 10.0
    wide = large.choose(a, 10.0)
    square = 1.0 / (wide * wide)
    series = square * square.polynomial([float(b / (2 * k)) for k, b in reversed(list(enumerate(BERNOULLI, 1)))])
    return large.choose(0.5 / wide + series, a.log() - digamma(a))


def _density(a: Number, x: Number) -> Number:
    """The gamma distribution's density, times x."""
    large = a >= 10.0
    wide, narrow = large.choose(a, 10.0), large.choose(1.0, a)
    away = (x - wide) / wide
    near = abs(away) < 0.5
    exponent = near.choose(wide * _log1p_less_x(near.choose(away, 0.0)), wide * (x / wide).log() + (wide - x))
    stirling = (exponent - stirling_rest(wide)).exp() * (wide * (1 / (2 * math.pi))).sqrt()
    return large.choose(stirling, (narrow * x.log() - x - lgamma(narrow)).exp())


class _Gamma:
    """What functions of the gamma distribution need of its shape and a quantile.

    Args:
        a: The shape.
        x: The quantile.
    """

    def __init__(self, a: Number, x: Number) -> None:
        self.inside = (a > 0.0) & (x > 0.0) & (a < math.inf) & (x < math.inf)
        self.given = a, x
        self.a, self.x = self.inside.choose(a, 1.0), self.inside.choose(x, 1.0)
        self.below = ~(self.x > self.a.apply("maximum", 1.0))
        self.by_series = self.below & ~(self.a > 200.0)
        self.density = _density(self.a, self.x)

    def series(self, slopes: bool) -> tuple[Number, Number]:
        """The sum of the terms x^n / ((a + 1) ... (a + n)), and that of their derivatives by a, where it is wanted."""
        a, x = self.by_series.choose(self.a, 1.0), self.by_series.choose(self.x, 0.5)
        w = a.writer
        def step(count: Number, state: Sequence[Number]) -> Sequence[Number]:
            b, y, term, slope, total, sum_ = state
            place = b + beside(count, b) + 1.0
            slope = (slope - term / place) * (y / place) if slopes else slope
            term = term * (y / place)
            return [b, y, term, slope, total + term, sum_ + slope]

        def unfinished(state: Sequence[Number]) -> Number:
            _, _, term, slope, total, sum_ = state
            still = term > total * 1e-18
            return still | (-slope > -sum_ * 1e-18) if slopes else still

        one, zero = Number(w, w.like(1, a.name)), Number(w, w.like(0, a.name))
        *_, total, sum_ = loop([a, x, one, zero, one, zero], _MOST_TERMS, step, unfinished)
        return total, sum_

    def integral(self, weighted: bool) -> Number:
        """The integral of the density by that at x, over the side of x; times ln t - digamma(a) where it is wanted."""
        a, x, below = self.by_series.choose(1.0, self.a), self.by_series.choose(2.0, self.x), self.below
        slope = abs(a - 1.0 - x) / x
        slope = below.choose(slope, slope.apply("minimum", 1.0))
        length = (45.0 / slope.apply("maximum", 1e-300)).apply("minimum", a.apply("maximum", x).sqrt() * 13.0 + 45.0)
        length = below.choose(length.apply("minimum", x), length)
        # The sign is that of the side: down to zero, or up.
        w = a.writer
        along = below.choose(-length, length)
        level = _log_less_digamma(a) if weighted else a
        points, weights = np.polynomial.legendre.leggauss(_POINTS)
        points = (np.arange(_PANELS)[:, None] + (points + 1) / 2).ravel() / _PANELS
        table = np.stack([points, np.tile(weights / 2 / _PANELS, _PANELS)])

        def step(count: Number, state: Sequence[Number]) -> Sequence[Number]:
            b, y, far, known, total = state
            inner = b.writer
            point, weight = (entry(inner, row, count, b) for row in table)
            t = far * point
            relative = t / y
            # Not b - 1 - y at once: above 2^53 that is b - y.
            exponent = (b - y) * relative - relative + (b - 1.0) * _log1p_less_x(relative)
            value = exponent.exp() * weight
            if weighted:
                offset = (y - b + t) / b
                near = offset > -0.5
                away = near.choose(log1p(near.choose(offset, 0.0)), near.choose(1.0, (y + t) / b).log())
                value = value * (away + known)
            return [b, y, far, known, total + value]

        zero = Number(w, w.like(0, a.name))
        return loop([a, x, along, level, zero], table.shape[1], step)[-1] * abs(along)

    def parts(self) -> tuple[Number, Number]:
        """The lower and the upper function, of what is inside."""
        a, x, density = self.a, self.x, self.density
        # The lower one where x is below the mean, else the upper one.
        found = self.by_series.choose(density / a * self.series(False)[0], density / x * self.integral(False))
        upper = self.below.choose(1.0 - found, found)
        tiny = (a < 0.25) & self.below
        return self.below.choose(found, 1.0 - found), tiny.choose(self._upper_of_tiny(), upper)

    def _upper_of_tiny(self) -> Number:
        """The upper function of the least a: one less what is nearly one."""
        a = (self.a < 0.25).choose(self.a, 0.1)
        x = self.x.apply("minimum", 1.0)
        beside = a * ((a * a.polynomial(_BESIDE_ONE)) - _EULER)
        power = a * x.log() - beside
        total = a.like(0.0)
        for n in range(25, 0, -1):
            total = total + _whole_power(-x, n) * (1 / math.factorial(n)) / (a + float(n))
        return -power.apply("exponential_minus_one") - a * total * power.exp()


def _whole_power(x: Number, n: int) -> Number:
    """A small power, by multiplications."""
    half = x if n == 1 else _whole_power(x, n // 2)
    return x if n == 1 else half * half if n % 2 == 0 else half * half * x


def _at_edges(gamma: _Gamma, lower: float, value: Number) -> Number:
    """The value, and what one of the two functions is where an argument is zero or infinite."""
    a, x = gamma.given
    known = ~(a < 0.0) & ~(x < 0.0) & ~a.is_nan() & ~x.is_nan()
    unknown = a.equals(0.0) & x.equals(0.0) | a.equals(math.inf) & x.equals(math.inf)
    is_least = x.equals(0.0) | a.equals(math.inf)
    edge = (known & ~unknown).choose(is_least.choose(a.like(lower), 1.0 - lower), math.nan)
    return gamma.inside.choose(value, edge)


@_emits("igamma")
def _igamma(a: Number, x: Number) -> Number:
    gamma = _Gamma(a, x)
    return _at_edges(gamma, 0.0, gamma.parts()[0])


@_emits("igammac")
def _igammac(a: Number, x: Number) -> Number:
    gamma = _Gamma(a, x)
    return _at_edges(gamma, 1.0, gamma.parts()[1])


@_emits("random_gamma_grad")
def _random_gamma_grad(a: Number, x: Number) -> Number:
    gamma = _Gamma(a, x)
    return gamma.inside.choose(_slope(gamma), ((a > 0.0) & x.equals(0.0)).choose(a.like(0.0), math.nan))


def _slope(gamma: _Gamma) -> Number:
    """How a quantile changes with the shape."""
    total, slopes = gamma.series(True)
    a, x = gamma.a, gamma.x
    near = -x / a * ((x.log() - digamma(a + 1.0)) * total + slopes)
    far = gamma.integral(True)
    return gamma.by_series.choose(near, gamma.below.choose(-far, far))


@_emits("igamma_grad_a")
def _igamma_grad_a(a: Number, x: Number) -> Number:
    gamma = _Gamma(a, x)
    density = gamma.density / gamma.x
    value = density.equals(0.0).choose(0.0, 0.0 - density * _slope(gamma))
    return gamma.inside.choose(value, ((a > 0.0) & (x.equals(0.0) | x.equals(math.inf) & (a < math.inf))).choose(
        a.like(0.0), math.nan))


@_emits("betainc")
def _betainc(a: Number, b: Number, x: Number) -> Number:
    inside = (a > 0.0) & (b > 0.0) & (a < math.inf) & (b < math.inf) & (x > 0.0) & (x < 1.0)
    p, q, y = (inside.choose(v, 0.5) for v in (a, b, x))
    factor = _beta_factor(p, q, y)
    turned = y * (p + q + 2.0) > p + 1.0
    first, second, place = turned.choose(q, p), turned.choose(p, q), turned.choose(1.0 - y, y)
    found = factor * _fraction(first, second, place) / first
    # Where nearly nothing is left of one, by the fraction that converges more slowly, if it does.
    rest = turned & (found > 0.75)
    direct = factor * _fraction(*(rest.choose(v, 0.25) for v in (p, q, y))) / p
    value = turned.choose((rest & ~direct.is_nan()).choose(direct, 1.0 - found), found)
    known = ~(a < 0.0) & ~(b < 0.0) & ~(x < 0.0) & ~(x > 1.0) & ~a.is_nan() & ~b.is_nan() & ~x.is_nan()
    unknown = a.equals(0.0) & b.equals(0.0) | a.equals(math.inf) & b.equals(math.inf)
    is_one = ~x.equals(0.0) & (x.equals(1.0) | a.equals(0.0) | b.equals(math.inf))
    edge = (known & ~unknown).choose(is_one.choose(a.like(1.0), 0.0), math.nan)
    return inside.choose(value, edge)


def _beta_factor(p: Number, q: Number, x: Number) -> Number:
    """x^p (1 - x)^q by the beta function of p and q, without differences of what is large."""
    log_x, log_y = x.log(), log1p(-x)
    both, neither = (p >= 10.0) & (q >= 10.0), (p < 10.0) & (q < 10.0)
    # Two large ones: by how far x is from the mean.
    a, b = both.choose(p, 10.0), both.choose(q, 10.0)
    away = (a > b).choose((a + b) * (1.0 - x) - b, a - (a + b) * x)
    rates = [(-away) / a, away / b]
    exponent = a * _near_or_far(rates[0], log_x - (a / (a + b)).log()) + b * _near_or_far(
        rates[1], log_y - (b / (a + b)).log())
    rest = stirling_rest(a + b) - stirling_rest(a) - stirling_rest(b)
    large = (exponent + rest).exp() * (a / (a + b) * b * (1 / (2 * math.pi))).sqrt()
    # A small and a large one.
    is_first = q > p
    small = (both | neither).choose(1.0, is_first.choose(p, q))
    great = (both | neither).choose(10.0, is_first.choose(q, p))
    of_small, of_great = is_first.choose(log_x, log_y), is_first.choose(log_y, log_x)
    slow = (small + great - 0.5) * log1p(small / great) - small
    rest = stirling_rest(small + great) - stirling_rest(great) - lgamma(small)
    mixed = (small * (of_small + great.log()) + (great * of_great + slow) + rest).exp()
    c, d = neither.choose(p, 1.0), neither.choose(q, 1.0)
    plain = (c * log_x + d * log_y + (lgamma(c + d) - lgamma(c) - lgamma(d))).exp()
    return both.choose(large, neither.choose(plain, mixed))


def _near_or_far(rate: Number, logarithm: Number) -> Number:
    """log(1 + rate) - rate, the logarithm being known where the rate is not small."""
    near = abs(rate) < 0.5
    return near.choose(_log1p_less_x(near.choose(rate, 0.0)), logarithm - rate)


def _fraction(p: Number, q: Number, x: Number) -> Number:
    """The continued fraction of the incomplete beta function; NaN where it has not converged."""
    def bounded(value: Number) -> Number:
        return (abs(value) < 1e-300).choose(1e-300, value)

    w = p.writer
    one = Number(w, w.like(1, p.name))
    start = 1.0 / bounded(1.0 - (p + q) * x / (p + 1.0))

    def step(count: Number, state: Sequence[Number]) -> Sequence[Number]:
        a, b, y, c, d, value, change = state
        m = beside(count, a) + 1.0
        for term in (m * (b - m) * y / ((a + 2.0 * m - 1.0) * (a + 2.0 * m)),
                     -(a + m) * (a + b + m) * y / ((a + 2.0 * m) * (a + 2.0 * m + 1.0))):
            d = 1.0 / bounded(1.0 + term * d)
            c = bounded(1.0 + term / c)
            change = c * d
            value = value * change
        return [a, b, y, c, d, value, change]

    def unfinished(state: Sequence[Number]) -> Number:
        return abs(state[-1] - 1.0) > 1e-15

    *_, value, change = loop([p, q, x, one, start, start, one * 2.0], _MOST_FRACTIONS, step, unfinished)
    return (abs(change - 1.0) < 1e-12).choose(value, math.nan)


__all__ = ["INCOMPLETE", "stirling_rest"]
