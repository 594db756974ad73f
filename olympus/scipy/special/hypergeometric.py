# SPDX-License-Identifier: Apache-2.0
"""Kummer's and Gauss's hypergeometric functions, 1F1 and 2F1, of real numbers.

Series are summed with about twice the digits of the result: numbers of float64 as pairs, those of narrower types in
float64. How much of the sum's digits cancelled is known from the sum of the terms' sizes; where too few are left for
the result it is NaN, so that no wrong number is given.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from olympus_core.deferred import listed

from ... import lax
from ... import numpy as jnp
from ...config import enable_x64
from ...operands import dtype_of
from ...transforms.derivatives import custom_jvp
from ...transforms.derivatives.symbolic_zeros import SymbolicZero
from ...typing import Array, ArrayLike
from ..documentation import floats
from .gamma import gammaln, gammasgn
from .hypergeometric_slopes import parameter_slopes
from .pairs import Pair, two_sum
from .parameters import function

__all__ = ["hyp1f1", "hyp2f1"]
__dir__ = listed(__all__)

_LIMIT = 12000  # terms of a series
_BEYOND = 5000.0  # from this size of x on 1F1 is its asymptotic series
_NEAR_ONE = 0.995  # from there on the series of 2F1 has no sum in so few terms
_LOG2_HIGH, _LOG2_LOW = 0.693147180369123816490, 1.90821492927058770002e-10  # the first has 32 bits
_UNIT = 2.0**600  # sums are rescaled by it before they overflow


class _Digits(NamedTuple):
    """What series are summed in: how a number becomes a summand and back, the sums' and the results' precision."""

    lift: Callable[[Any], Any]
    number: Callable[[Any], Any]
    eps: float
    least: float


class _Sum(NamedTuple):
    """The sum of terms and that of terms times their index, the same of sizes, and times which power of `_UNIT`."""

    total: Any
    slope: Any
    size: Any
    slope_size: Any
    units: Any
    is_known: Any


_PAIRS = _Digits(lambda x: Pair(x, 0 * x), lambda x: x.high + x.low, 2.0**-104, 1e-9)
_PLAIN = _Digits(lambda x: x, lambda x: x, 2.0**-53, 1e-4)


def _where(condition: Any, x: Any, y: Any) -> Any:
    if isinstance(x, Pair):
        return Pair(jnp.where(condition, x.high, y.high), jnp.where(condition, x.low, y.low))
    return jnp.where(condition, x, y)


def _ends(x: Any) -> Any:
    """Whether x is a whole number that is not positive: then a series with x above the line has an end."""
    return (x <= 0) & (x == jnp.floor(x))


def _sizes(digits: _Digits, x: Any) -> Any:
    return jnp.abs(digits.number(x))


def _series(digits: _Digits, tops: Sequence[Any], bottoms: Sequence[Any], z: Any) -> _Sum:
    """The hypergeometric series of z; of an infinite one the terms grow no more once it is left."""
    values = [digits.number(v) for v in tops]
    lows = [digits.number(v) for v in bottoms]
    size_z = _sizes(digits, z)
    # A polynomial's end is the sum's where the series has none, or too late; else derivatives by a parameter go on.
    least = _NEAR_ONE if len(tops) == 2 else _BEYOND
    end = functools.reduce(jnp.logical_or, [_ends(v) for v in values]) & (size_z >= least)
    # No factor's sign changes from there on.
    start = functools.reduce(jnp.maximum, [0 - v for v in (*values, *lows)]) + 1
    one = digits.lift(jnp.ones_like(size_z))

    def active(state: Any) -> Any:
        k, term, major, ratio, found = state
        # What is left out is little beside what the terms are off by, or beside the result.
        enough = jnp.maximum(digits.eps * found.size, 2.0**-62 * _sizes(digits, found.total))
        small = (16 * major <= enough * (1 - ratio)) & (ratio < 1) & (k > start)
        return ~(small | (end & (digits.number(term) == 0))) & jnp.isfinite(major)

    def more(state: Any) -> Any:
        return jnp.any(active(state)) & (state[0] < _LIMIT)

    def step(state: Any) -> Any:
        k, term, major, _, found = state
        top, ratio = z, size_z
        for v, number in zip(tops, values, strict=True):
            top = top * (v + k)
            # Not zero, where derivatives by a parameter go on after the series' end.
            ratio = ratio * jnp.maximum(jnp.abs(number + k), 0.5)
        bottom = digits.lift(jnp.ones_like(size_z)) * (k + 1)
        for v, number in zip(bottoms, lows, strict=True):
            below = number + k == 0
            bottom = bottom * _where(below, one, v + k)
            ratio = ratio / jnp.where(below, 1, jnp.abs(number + k))
        ratio = ratio / (k + 1)
        term, major = term * top / bottom, major * ratio
        size = _sizes(digits, term)
        total, slope = found.total + term, found.slope + term * (k + 1)
        sizes, slopes = found.size + size, found.slope_size + size * (k + 1)
        scale = jnp.where((slopes > _UNIT) & jnp.isfinite(slopes), 1 / _UNIT, 1)
        found = _Sum(total * scale, slope * scale, sizes * scale, slopes * scale,
                     found.units + jnp.where(scale < 1, 1, 0), found.is_known)
        return k + 1, term * scale, major * scale, ratio, found

    nothing = digits.lift(jnp.zeros_like(size_z))
    first = _Sum(one, nothing, jnp.ones_like(size_z), jnp.zeros_like(size_z), jnp.zeros_like(size_z), start < jnp.inf)
    state = lax.while_loop(more, step, (jnp.zeros((), dtype_of(size_z)), one, jnp.ones_like(size_z),
                                        jnp.full_like(size_z, jnp.inf), first))
    return state[-1]._replace(is_known=~active(state))


def _power(digits: _Digits, x: Any, exponent: Any) -> Any:
    """A power of a positive number, whose low part counts as often as the exponent says."""
    value = digits.number(x)
    rest = (x.high - value) + x.low if isinstance(x, Pair) else 0
    safe = jnp.where(value == 0, 1, value)
    return jnp.power(value, exponent) * (1 + jnp.where(value == 0, 0, exponent * rest / safe))


def _checked(digits: _Digits, value: Any, error: Any, scale: Any) -> Any:
    """The value, where it is off by little of itself, or of scale where that is greater."""
    return jnp.where(error <= digits.least * jnp.maximum(jnp.abs(value), scale), value, jnp.nan)


def _recurrence(
    digits: _Digits, first: Any, wanted: Any, series: Callable[[Any], _Sum], factors: Callable[[Any], tuple[Any, ...]],
) -> _Sum:
    """A function of a first parameter below -1, from that one's fraction downwards by a recurrence of three terms.

    Where the function oscillates, or its series has an end, errors do not grow in it; what the start is off by goes
    the way of two other solutions, which tell how much is lost.

    Args:
        digits: What it is computed in.
        first: The first parameter.
        wanted: Where it is computed.
        series: The function by its series, for another first parameter.
        factors: Of a first parameter p the factors f, g, h in f F(p + 1) - g F(p) = h F(p - 1).

    Returns:
        The function, and the difference from the one before; the sizes are how great a sum's terms may have been.
    """
    count = jnp.where(wanted, jnp.floor(0 - digits.number(first)), 0)
    top = first + count
    high, low = series(top + 1), series(top)
    units = jnp.maximum(high.units, low.units)
    shrink_high, shrink_low = (jnp.where(v.units < units, 0.0, 1.0) for v in (high, low))
    zero = jnp.zeros_like(count)

    def step(state: Any) -> Any:
        k, pair, doubts = state
        numbers = factors(top - k)
        now = k < count

        def following(upper: Any, lower: Any, p: Any, q: Any, r: Any) -> tuple[Any, Any]:
            return _where(now, lower, upper), _where(now, (p * upper - q * lower) / r, lower)

        plain = tuple(map(digits.number, numbers))
        return k + 1, following(*pair, *numbers), tuple(following(*doubt, *plain) for doubt in doubts)

    _, (upper, lower), doubts = lax.while_loop(
        lambda s: (s[0] < _LIMIT) & jnp.any(s[0] < count), step,
        (jnp.zeros((), dtype_of(count)), (high.total * shrink_high, low.total * shrink_low),
         ((high.size * shrink_high, zero), (zero, low.size * shrink_low))))
    above, below = (jnp.abs(doubts[0][k]) + jnp.abs(doubts[1][k]) + _sizes(digits, v)
                    for k, v in enumerate((upper, lower)))
    return _Sum(lower, upper - lower, 8 * below, 8 * (above + below), units,
                high.is_known & low.is_known & (count < _LIMIT))


def _better(digits: _Digits, wanted: Any, other: _Sum, found: _Sum) -> _Sum:
    """The other sum, where it is wanted, known and not off by more."""
    taken = wanted & other.is_known & ((other.size <= found.size) | ~found.is_known)
    return _Sum(*(_where(taken, v, w) for v, w in zip(other, found, strict=True)))


def _kummer(digits: _Digits, a: Any, b: Any, x: Any) -> Any:
    is_below = x < 0
    z = jnp.abs(x)
    first, below = digits.lift(a), digits.lift(b)
    # exp(x) 1F1(b - a, b, -x) has terms of one sign where 1F1(a, b, x) of negative x has not.
    first = _where(is_below, below - first, first)
    value = digits.number(first)
    is_far = (z > _BEYOND) & ~_ends(value)
    place = jnp.where(is_far, 0, z)
    found = _series(digits, [first], [below], digits.lift(place))
    # Where too little is left of the sum for the result.
    wanted = (digits.eps * found.size > 2.0**-54 * _sizes(digits, found.total)) & (value < -1) & (b > 0)
    wanted = wanted & ~is_far & (_ends(value) | (place < -4 * value))
    row = digits.lift(jnp.where(wanted, place, 0))
    other = _recurrence(digits, first, wanted, lambda p: _series(digits, [p], [below], row),
                        lambda p: (p, p + p - below + row, below - p))
    found = _better(digits, wanted, other, found)
    number, units = digits.number(found.total), found.units
    error = jnp.where(found.is_known, digits.eps * 4 * found.size, jnp.inf)
    # exp(x) times the power of the unit, whose logarithm is split for the sake of x's last digits.
    whole = 600 * units
    high, low = two_sum(jnp.where(is_below, x, 0), whole * _LOG2_HIGH)
    growth = jnp.exp(0.5 * high)
    near = _checked(digits, number, error, 1.0) * growth * growth * (1 + (low + whole * _LOG2_LOW))
    # DLMF 13.7.1, of which the part that decays is lost beside the other.
    far = jnp.where(is_far, z, _BEYOND)
    series = _asymptotic(below, first, far, digits)
    scale = gammaln(b) - gammaln(value) + digits.number(first - below) * jnp.log(far) + jnp.where(is_below, 0, far)
    beyond = gammasgn(b) * gammasgn(value) * jnp.exp(scale) * series
    return jnp.where(is_far, beyond, near)


def _asymptotic(b: Any, a: Any, z: Any, digits: _Digits) -> Any:
    """The asymptotic series 2F0(b - a, 1 - a; 1 / z), summed up to its least term."""
    first, second = digits.number(b - a), digits.number(1 - a)

    def step(state: Any) -> Any:
        k, term, total, size, is_open = state
        ratio = (first + k) * (second + k) / ((k + 1) * z)
        following = term * ratio
        # The series goes on while its terms become less, and where they do not yet.
        is_open = is_open & ((jnp.abs(ratio) < 1) | (k < jnp.maximum(jnp.abs(first), jnp.abs(second))))
        total = total + jnp.where(is_open, following, 0)
        is_open = is_open & (jnp.abs(following) > 2.0**-60 * jnp.abs(total))
        return k + 1, following, total, size + jnp.abs(following) * is_open, is_open

    one = jnp.ones_like(z)
    _, term, total, size, _ = lax.while_loop(
        lambda s: (s[0] < _LIMIT) & jnp.any(s[4]), step, (jnp.zeros((), dtype_of(z)), one, one, one, one > 0))
    return _checked(digits, total, 2.0**-50 * size + jnp.abs(term), 0)


def _one_f_one(digits: _Digits, a: Any, b: Any, x: Any) -> Any:
    has_pole = _ends(b) & ~(_ends(a) & (a >= b))
    finite = jnp.isfinite(x) & ~has_pole
    found = _kummer(digits, jnp.where(finite, a, 1), jnp.where(finite, b, 1), jnp.where(finite, x, 0))
    # Poles are positive infinity, as SciPy has them; at infinity the limit.
    limit = jnp.where(x > 0, jnp.where(a == 0, 1, _sign(b, a) * jnp.where(_ends(a) & (a % 2 != 0), -1, 1) * jnp.inf),
                      jnp.where(a == 0, 1, jnp.where(a > 0, 0, gammasgn(b) * gammasgn(b - a) * jnp.inf)))
    found = jnp.where(jnp.isinf(x), limit, jnp.where(has_pole, jnp.inf, found))
    return jnp.where(jnp.isnan(a) | jnp.isnan(b) | jnp.isnan(x), jnp.nan, found)


def _sign(b: Any, a: Any) -> Any:
    return jnp.where(_ends(a), 1, gammasgn(b) * gammasgn(jnp.where(_ends(a), 1, a)))


def _euler(digits: _Digits, a: Any, b: Any, c: Any, x: Any) -> Any:
    """2F1 below 1, and beyond where a or b ends the series."""
    first, second, third = (digits.lift(v) for v in (a, b, c))
    place = digits.lift(x)
    one = digits.lift(jnp.ones_like(x))
    is_below = x < 0
    # Pfaff's argument, and 1 less it, which goes on where it is 1 itself.
    t = _where(is_below, place / (place - 1), place)
    s = _where(is_below, one / (one - place), one - place)
    is_inside = digits.number(t) <= 0.5
    must = _ends(c)
    is_direct = is_inside | must | (x > 1)
    # Two forms: below zero s^a F(a, c - b; c; t) and s^b F(c - a, b; c; t), above F(a, b; c; x) and
    # s^(c - a - b) F(c - a, c - b; c; x).
    left, right = third - first, third - second
    p, q = first, _where(is_below, right, second)
    other_p, other_q = left, _where(is_below, second, right)
    value = digits.number
    excess = _where(is_below, second - first, left - second)
    even = ~((value(p) > 0) & (value(q) > 0)) & (value(other_p) > 0) & (value(other_q) > 0)
    is_other = jnp.where(is_direct, even, value(excess) < 0)
    # A polynomial stays one, and beyond one half becomes another one about 1, DLMF 15.8.7.
    ends = _ends(a) | _ends(b)
    by_first = _ends(a) & (~_ends(b) | (a >= b))
    degree = jnp.where(ends, 0 - jnp.where(by_first, a, b), 0)
    rest = _where(by_first, second, first)
    rest = _where(is_below, third - rest, rest)
    turned_third = rest - third + (1 - degree)
    is_turned = ends & ~is_inside & ~must & (x <= 1) & (value(turned_third) > 0)
    is_direct = is_direct | is_turned
    is_other = jnp.where(ends & is_direct, is_below & ~by_first, is_other)
    p, q = _where(is_other, other_p, p), _where(is_other, other_q, q)
    excess = _where(is_other, -excess, excess)
    power = jnp.where(is_below, jnp.where(is_other, b, a), jnp.where(is_other, value(left - second), 0))
    # Where the solutions about 1 are matched: the series about 0 of positive parameters loses nothing up to there.
    is_even = (value(p) > 0) & (value(q) > 0) & (c > 0)
    middle = jnp.where(is_even, 0.875, 0.5)
    is_direct = is_direct | (value(t) <= middle)
    row = _where(is_direct, _where(is_turned, s, t), digits.lift(middle))
    scale = _rising_ratio(digits, third - rest, third, jnp.where(is_turned, degree, 0))
    third = _where(is_turned, turned_third, third)
    found = _series(digits, [p, q], [third], row)
    turned = value(p) > value(q)
    low, high = _where(turned, q, p), _where(turned, p, q)
    wanted = (digits.eps * found.size > 2.0**-58 * _sizes(digits, found.total)) & (value(low) < -1)
    wanted = wanted & (value(third) > 0)
    wanted = wanted & (value(row) <= 0.875)
    here = _where(wanted, row, digits.lift(jnp.zeros_like(x)))
    other = _recurrence(digits, low, wanted, lambda v: _series(digits, [v, high], [third], here),
                        lambda v: (v * (1 - here), v + v - third + (high - v) * here, third - v))
    other = other._replace(slope=low * other.slope, slope_size=jnp.abs(value(low)) * other.slope_size)
    found = _better(digits, wanted, other, found)
    units = jnp.where(found.units > 0, jnp.where(found.units > 1, jnp.inf, _UNIT), 1)
    error = jnp.where(found.is_known, digits.eps * 8 * found.size, jnp.inf)
    near = _checked(digits, value(found.total), error, 1.0) * units * scale
    # s d/ds is -s / t times t d/dt.
    ratio = (middle - 1) / middle
    found = found._replace(slope=found.slope * ratio, slope_size=found.slope_size * jnp.abs(ratio))
    beyond = _about_one(digits, p, q, excess, _where(is_direct, digits.lift(1 - middle), s), 1 - middle, found,
                        ~is_direct)
    result = jnp.where(is_direct, near, beyond * units)
    factor = _power(digits, _where(power == 0, one, _where(x > 1, one, s)), power)
    return jnp.where(result == 0, 0, result * factor)


def _rising_ratio(digits: _Digits, x: Any, y: Any, n: Any) -> Any:
    """The product of n numbers from x upwards, over that of so many from y upwards."""
    def step(state: Any) -> Any:
        k, total = state
        return k + 1, _where(k < n, total * (x + k) / _where(k < n, y + k, digits.lift(jnp.ones_like(n))), total)

    _, total = lax.while_loop(lambda s: (s[0] < _LIMIT) & jnp.any(s[0] < n), step,
                              (jnp.zeros((), dtype_of(n)), digits.lift(jnp.ones_like(n))))
    return jnp.where(n < _LIMIT, digits.number(total), jnp.nan)


def _about_one(
    digits: _Digits, p: Any, q: Any, d: Any, s: Any, start: Any, found: _Sum, wanted: Any,
) -> Any:
    """2F1 of an argument 1 - s, from its value and the slope times s where s is start.

    By Frobenius' method at 1, where the exponents are 0 and d, which is not negative: one solution is a series times
    s^d, and the other one, if d is m + e with m its nearest whole number, is a series with numbers u + v E, in which
    E = ((s / start)^e - 1) / e is nearly a logarithm. Nothing in them is singular where d is whole.
    """
    value = digits.number
    m = jnp.round(value(d))
    rest = d - m
    zero = digits.lift(jnp.zeros_like(m))
    one = digits.lift(jnp.ones_like(m))
    is_first = m == 0
    least = functools.reduce(jnp.maximum, (m, -value(p), -value(q), -value(d + p), -value(d + q))) + 2
    least = jnp.where(wanted, least, -1)
    share = s / start

    def more(state: Any) -> Any:
        k, (u, v, w, *_), _, sizes = state
        terms = (value(u), value(v), value(w))
        is_open = functools.reduce(jnp.logical_or, (
            jnp.abs(term) * (k + 1) * 16 > digits.eps * 2.0**8 * size
            for term, size in zip(terms, sizes[:3], strict=True)))
        return (k < _LIMIT) & jnp.any(wanted & ((k <= least) | is_open))

    def step(state: Any) -> Any:
        k, (u, v, w, r, mu, mv), (su, sv, sw, tu, tw, ru, rv, rw), (zu, zv, zw, zt, zx) = state
        a, b, n = p + k, q + k, k + 1
        # theta + q, then theta + p, for the numbers (u, v).
        x, y = b * u + v, (b + rest) * v
        x, y = a * x + y, (a + rest) * y
        y = y / (rest + n)
        at = n == m
        # The same of sizes: how great the numbers were that have cancelled.
        sa, sb, sn = _sizes(digits, a), _sizes(digits, b), jnp.abs(n + value(rest))
        mx, my = sa * (sb * mu + mv) + sb * mv, sa * sb * mv / sn
        mx = (mx + jnp.where(at, 0, my)) / n
        mv = jnp.where(at, mx, my / jnp.where(at, 1, jnp.abs(n - m))) * start
        mu = jnp.where(at, 0, mx * start + mv) / jnp.where(at, 1, jnp.abs(n - value(d)))
        x = (x - _where(at, zero, y)) / n
        v = _where(at, x, y / jnp.where(at, 1, n - m)) * start
        u = _where(at, zero, (x - v / start) / _where(at, one, n - d)) * start
        w = w * ((d + a) * (d + b)) / ((d + n) * n) * start
        r = r * share
        theta_u, theta_w = u * n + v, (d + n) * w
        sums = (su + u, sv + v, sw + w, tu + theta_u, tw + theta_w, ru + u * r, rv + v * r, rw + w * r)
        sizes = (zu + mu, zv + mv, zw + _sizes(digits, w), zt + n * mu + mv, zx + _sizes(digits, theta_w))
        return n, (u, v, w, r, mu, mv), sums, sizes

    u0, v0 = _where(is_first, zero, one), _where(is_first, one, zero)
    sums = (u0, v0, one, v0, d, u0, v0, one)
    sizes = (value(u0), value(v0), value(one), value(v0), jnp.abs(value(d)))
    first = (u0, v0, one, one, value(u0), value(v0))
    state = lax.while_loop(more, step, (jnp.zeros((), dtype_of(m)), first, sums, sizes))
    (u, _, w, theta_u, theta_w, far_u, far_v, far_w), (zu, zv, zw, zt, zx) = state[2:]
    # Both solutions' shares from the value and slope at start, where E is 0.
    f, slope = found.total, found.slope
    size, slope_size = found.size, found.slope_size
    determinant = _where(wanted, u * theta_w - theta_u * w, one)
    smooth = (f * theta_w - slope * w) / determinant
    other = (u * slope - theta_u * f) / determinant
    below = jnp.abs(value(determinant))
    doubt = zu * zx + zt * zw
    smooth_error = (size * zx + slope_size * zw + jnp.abs(value(smooth)) * doubt) / below
    other_error = (zu * slope_size + zt * size + jnp.abs(value(other)) * doubt) / below
    share_value = value(share)
    low = (share.high - share_value) + share.low if isinstance(share, Pair) else 0
    safe = jnp.where(share_value == 0, 1, share_value)
    logarithm = jnp.where(share_value == 0, -jnp.inf, jnp.log(safe) + low / safe)
    e = value(rest)
    turned = jnp.where(e == 0, 0, e * logarithm)
    is_small = jnp.abs(turned) < 1e-5
    bent = jnp.where(is_small, logarithm * (1 + turned / 2 * (1 + turned / 3)),
                     jnp.expm1(jnp.where(is_small, 1, turned)) / jnp.where(is_small, 1, e))
    power = _power(digits, share, value(d))
    numbers = value(smooth * far_u), value(smooth * far_v), value(other * far_w)
    bent_part = jnp.where(numbers[1] == 0, 0, numbers[1] * bent)
    total = numbers[0] + (bent_part + numbers[2] * power)
    error = digits.eps * 8 * (smooth_error * (zu + jnp.where(numbers[1] == 0, 0, jnp.abs(bent) * zv))
                              + other_error * power * zw)
    error = error + 2.0**-50 * (jnp.abs(numbers[2]) * power)
    error = jnp.where(found.is_known & (state[0] < _LIMIT), error, jnp.inf)
    return jnp.where(jnp.isinf(total), total, _checked(digits, total, error, 1.0))


def _two_f_one(digits: _Digits, a: Any, b: Any, c: Any, x: Any) -> Any:
    ends = _ends(a) | _ends(b)
    last = jnp.maximum(jnp.where(_ends(a), a, -jnp.inf), jnp.where(_ends(b), b, -jnp.inf))
    has_pole = (_ends(c) & (last < c)) | ((x > 1) & ~ends)
    finite = jnp.isfinite(x) & ~has_pole
    found = _euler(digits, jnp.where(finite, a, 1), jnp.where(finite, b, 1), jnp.where(finite, c, 1),
                   jnp.where(finite, x, 0))
    # DLMF 15.4.6, of which the sums leave only the size of their greatest term.
    power = jnp.where(b == c, a, b)
    is_power = ((a == c) | (b == c)) & ~_ends(c) & finite & (x <= 1)
    found = jnp.where(is_power, (1 - jnp.where(is_power, x, 0)) ** -jnp.where(is_power, power, 1), found)
    found = jnp.where(x == 0, 1, jnp.where(has_pole, jnp.inf, found))
    return jnp.where(jnp.isnan(a) | jnp.isnan(b) | jnp.isnan(c) | jnp.isnan(x), jnp.nan, found)


_ALGORITHMS: dict[int, Callable[..., Any]] = {3: _one_f_one, 4: _two_f_one}


def _evaluated(*operands: Any) -> Any:
    """The function that has so many operands, in at least twice the digits of their type."""
    dtype = dtype_of(operands[0])
    algorithm = _ALGORITHMS[len(operands)]
    if dtype.itemsize == 8:
        return algorithm(_PAIRS, *operands)
    with enable_x64():
        wide = [lax.convert_element_type(v, np.dtype(np.float64)) for v in operands]
        return lax.convert_element_type(algorithm(_PLAIN, *wide), dtype)


@custom_jvp
def _computed(*operands: Any) -> Any:
    return _evaluated(*operands)


def _rule(primals: tuple[Any, ...], tangents: tuple[Any, ...]) -> tuple[Any, Any]:
    """The derivative by the last operand, DLMF 13.3.15 and 15.5.1, and by each parameter that varies."""
    *parameters, x = primals
    value = _computed(*primals)
    slope: Any = jnp.zeros_like(value)
    if type(tangents[-1]) is not SymbolicZero:
        *tops, bottom = parameters
        factor = functools.reduce(lambda p, q: p * q, tops) / bottom
        found = _computed(*(v + 1 for v in parameters), x)
        slope = tangents[-1] * jnp.where(factor == 0, 0 * bottom, factor * found)
    if any(type(t) is not SymbolicZero for t in tangents[:-1]):
        for t, by in zip(tangents, parameter_slopes(*primals), strict=False):
            slope = slope if type(t) is SymbolicZero else slope + t * by
    return value, slope


_computed.defjvp(_rule, symbolic_zeros=True)


@function("hyp1f1(1.0, 2.0, 1.0)", "1.7183", references="DLMF 13.2, 13.3, 13.7; Dekker (1971).")
def hyp1f1(a: ArrayLike, b: ArrayLike, x: ArrayLike) -> Array:
    """Kummer's confluent hypergeometric function 1F1 of real numbers.

    Off by at most 1e-13 of itself in float64 and one unit in the last place in float32; near a zero, and where x is
    beyond 5000, 1e-12 of the greater of itself and exp(min(x, 0)). NaN where parameters beyond about 30 (100 in
    float64) leave no sum that keeps that, infinite where b is a pole, and a polynomial where a ends it first. By a and
    b there are first derivatives, to 1e-8 of the greater of themselves and the function, or NaN.
    """
    return _computed(*floats("hyp1f1", a, b, x))


@function("hyp2f1(1.0, 1.0, 2.0, 0.5)", "1.3863", references="DLMF 15.2, 15.5, 15.8, 2.7(i); Dekker (1971).")
def hyp2f1(a: ArrayLike, b: ArrayLike, c: ArrayLike, x: ArrayLike) -> Array:
    """Gauss's hypergeometric function 2F1 of real numbers.

    Off by at most 1e-12 of itself in float64 and one unit in the last place in float32, near a zero of the greater of
    itself and the power of 1 - x that goes with it. NaN where parameters beyond about 10 (30 in float64) leave no
    sum that keeps that, infinite where c is a pole and for x above 1, and a polynomial where a or b ends it first.
    By a, b and c there are first derivatives, to 1e-8 of the greater of themselves and the function, or NaN, as they
    are where x is above 0.995 or below -199.
    """
    return _computed(*floats("hyp2f1", a, b, c, x))
