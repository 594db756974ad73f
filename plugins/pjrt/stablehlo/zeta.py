# SPDX-License-Identifier: Apache-2.0
"""Hurwitz' zeta function, polygamma and scaled Bessel functions in float64, by StableHLO's operations.

Ten terms and Euler and Maclaurin's formula for the zeta function; of a negative q, where s is whole, the terms on both
sides of zero. Polygamma is a zeta function times a factorial. Bessel functions are Chebyshev series up to 8 and beyond,
by the toolkit's coefficients.

Bounds against mpmath, in units of the last place of float64, where the compiler's power is within one as well: Bessel
functions 8, the zeta function 8, polygamma of order m up to 600 8 + m / 2, of higher orders 1e-12 of the value; more
beside a zero of the function. Narrower floats are these results, rounded once.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import cache
from importlib import resources

from .arithmetic import Number
from .incomplete import stirling_rest
from .loops import beside, in_double, loop
from .real_functions import BERNOULLI, digamma, log1p
from .writer import Emission

_TERMS = 10  # before the formula
_PAIRS = 16  # terms of both sides of zero that are subtracted one by one
_GREATEST = 600  # the exponential of it is a float
_HALF_LOG_TWO_PI = 0.5 * math.log(2 * math.pi)
_CORRECTIONS = [float(b / math.factorial(2 * k)) for k, b in enumerate(BERNOULLI, 1)]
_TABLES = re.compile(r"const double (?:small|large)\[\] = \{([^}]*)\}")

BESSEL_AND_ZETA: dict[str, Emission] = {}
_emits = in_double(BESSEL_AND_ZETA)


@cache
def _chebyshev(name: str) -> tuple[list[float], list[float]]:
    """The coefficients of a Bessel function up to 8 and beyond, highest first; both of one length."""
    file = resources.files("olympus_core.toolkit").joinpath("special_functions/special_functions.cuh")
    text = file.read_text(encoding="utf-8").partition(f"olympus_{name}(")[2]
    small, large = ([float(c) for c in found.split(",")] for found in _TABLES.findall(text)[:2])
    most = max(len(small), len(large))
    return [0.0] * (most - len(small)) + small, [0.0] * (most - len(large)) + large


def _bessel(name: str, size: Number) -> tuple[Number, Number, Number]:
    """Whether it is at most 8, the series' value there, and the function's beyond."""
    near = ~(size > 8.0)
    t = near.choose(0.25 * size, 16.0 / size) - 1.0
    twice = t + t
    first = second = size.like(0.0)
    for small, large in zip(*_chebyshev(name), strict=True):
        first, second = twice * first - second + near.choose(size.like(small), large), first
    value = first - t * second
    return near, value, value / size.sqrt()


@_emits("bessel_i0e")
def _bessel_i0e(x: Number) -> Number:
    near, small, large = _bessel("bessel_i0e", abs(x))
    return near.choose(small, large)


@_emits("bessel_i1e")
def _bessel_i1e(x: Number) -> Number:
    near, small, large = _bessel("bessel_i1e", abs(x))
    return near.choose(small * x, large.with_sign_of(x))


def _power(x: Number, exponent: Number) -> Number:
    return x.apply("power", exponent)


def _is_even(x: Number) -> Number:
    return (x - 2.0 * (x * 0.5).apply("floor")).equals(0.0)


def _scaled(s: Number, q: Number) -> Number:
    """q^s zeta(s, q) for q above zero and s above one.

    Exponentials of products with accurate logarithms: the error of e^-t is t e^-t units, and all sums are at least 1.
    What comes after the terms is much more than they are for some s near one: there it is a power.
    """
    end = q + float(_TERMS)
    last = (s < 4.0).choose(_power(end / q, -s), (-s * log1p(float(_TERMS) / q)).exp())
    inverse = 1.0 / end
    factor, rest = last * s * inverse, q.like(0.0)
    for k, correction in enumerate(_CORRECTIONS):
        rest = rest + factor * correction
        factor = factor * (s + (2.0 * k + 1.0)) * inverse * (s + (2.0 * k + 2.0)) * inverse
    total = rest + last * (end / (s - 1.0) + 0.5)
    for k in range(_TERMS - 1, 0, -1):
        total = total + (-s * log1p(float(k) / q)).exp()
    return total + 1.0


def _hurwitz(s: Number, q: Number) -> tuple[Number, Number]:
    """zeta(s, q) for s above one, and q that is positive, or negative and not whole; and q^s times it for the former.

    All is one loop over the places where the function of positive numbers is needed: one, or three for a negative q.
    """
    negative = q < 0.0
    count = negative.choose(-q.apply("floor"), 0.0)
    above, under = q + count, negative.choose((1.0 - count) - q, 0.5)
    odd = negative & ~_is_even(s)
    together = odd.choose(count.apply("minimum", float(_PAIRS)), 0.0)
    # Of an odd power the sides cancel, the nearest terms most: these one by one.
    start = _pairs(s, above, under, odd, together)
    places = above + together, under + together, under + count
    # Of the second place, and the opposite of the third; zero where these are not wanted.
    sign = odd.choose((together < count).choose(q.like(-1.0), 0.0), negative.choose(q.like(1.0), 0.0))

    def step(index: Number, state: Sequence[Number]) -> Sequence[Number]:
        s, first, second, third, sign, _, scaled, total = state
        number = beside(index, s)
        is_first, is_second = number.equals(0.0), number.equals(1.0)
        place = is_first.choose(first, is_second.choose(second, third))
        found = _scaled(s, place)
        # Half of the power twice: the whole one may vanish where the result does not.
        half = _power(place, s * -0.5)
        # Far out the sum is an integral.
        value = (place > 1e100).choose(_power(place, 1.0 - s) / (s - 1.0), half * found * half)
        more = ~sign.equals(0.0)
        signed = is_first.choose(value, more.choose(is_second.choose(value, -value) * sign, 0.0))
        return [s, first, second, third, sign, more, is_first.choose(found, scaled), total + signed]

    zero = q.like(0.0)
    *_, scaled, total = loop([s, *places, sign, zero.equals(0.0), zero, start], 3, step, lambda state: state[5])
    return total, scaled


def _pairs(s: Number, above: Number, under: Number, odd: Number, together: Number) -> Number:
    """The sum of the first terms above zero less those under it."""
    between = abs(above - under)
    is_above = above < under
    least = odd.choose(is_above.choose(above, under), 1.0)

    def step(index: Number, state: Sequence[Number]) -> Sequence[Number]:
        s, least, between, left, total = state
        place = least + beside(index, s)
        change = (-s * log1p(between / place)).apply("exponential_minus_one")
        taken = (left > 0.0) & (between > 0.0)
        return [s, least, between, left - 1.0, total + taken.choose(_power(place, -s) * change, 0.0)]

    total = loop([s, least, between, together, s.like(0.0)], _PAIRS, step, lambda state: state[3] > 0.0)[-1]
    return is_above.choose(-total, total)


@_emits("zeta")
def _zeta(s: Number, q: Number) -> Number:
    whole, integral = q.equals(q.apply("floor")), s.equals(s.apply("floor"))
    inside = (s > 1.0) & (s < math.inf) & (q < math.inf) & ((q > 0.0) | ~whole & integral)
    value = _hurwitz(inside.choose(s, 2.0), inside.choose(q, 1.0))[0]
    # Of an infinite s the first term is all.
    least = (q > 1.0).choose(q.like(0.0), q.equals(1.0).choose(q.like(1.0), math.inf))
    positive = q.equals(math.inf).choose(q.like(0.0), least)
    edge = (q > 0.0).choose(positive, whole.choose(q.like(math.inf), math.nan))
    edge = s.equals(1.0).choose(q.like(math.inf), edge)
    known = (s >= 1.0) & ~q.is_nan()
    return inside.choose(value, known.choose(edge, math.nan))


def _factorial_by_power(m: Number, x: Number) -> Number:
    """A great factorial by a power of one more, by Stirling's formula."""
    z = m + 1.0
    exponent = z * ((z / x).log() - 1.0) - 0.5 * z.log()
    return (exponent + (stirling_rest(z) + _HALF_LOG_TWO_PI)).exp()


@_emits("polygamma")
def _polygamma(m: Number, x: Number) -> Number:
    known = (m >= 0.0) & (m < math.inf) & m.equals(m.apply("floor")) & ~x.is_nan()
    pole = ~(x > 0.0) & x.equals(x.apply("floor"))
    inside = known & ~m.equals(0.0) & ~pole & (x < math.inf)
    # Of an even order, both sides of zero are equal at halves (DLMF 5.15.6): what is left may be far below their terms.
    at_half = (x < 0.0) & _is_even(m) & (x + x).equals((x + x).apply("floor"))
    order, place = inside.choose(m, 1.0), inside.choose(at_half.choose(1.0 - x, x), 1.0)
    value, scaled = _hurwitz(order + 1.0, place)
    positive = place > 0.0
    start, divisor = positive.choose(scaled, value), positive.choose(place, 1.0)
    # The factorial's factors one by one, each over x: their product neither vanishes nor overflows before the result.
    few = ~(order > float(_GREATEST))

    def step(index: Number, state: Sequence[Number]) -> Sequence[Number]:
        left, divisor, product = state
        factor = (beside(index, left) + 1.0) / divisor
        return [left - 1.0, divisor, (left > 0.0).choose(product * factor, product)]

    factors = few.choose(order, 0.0)
    product = loop([factors, divisor, start / divisor], _GREATEST, step, lambda state: state[0] > 0.0)[-1]
    great = few.choose(float(_GREATEST), order)
    found = few.choose(product, _factorial_by_power(great, divisor) * start)
    edge = pole.choose(x.like(math.inf), 0.0)
    signed = inside.choose(found, edge)
    signed = _is_even(m).choose(-signed, signed)
    return known.choose(m.equals(0.0).choose(digamma(x), signed), math.nan)


__all__ = ["BESSEL_AND_ZETA"]
