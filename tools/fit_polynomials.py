# SPDX-License-Identifier: Apache-2.0
"""Derives the compilers' polynomials and rational functions: minimax fits by the Remez exchange, in mpmath.

Run `python tools/fit_polynomials.py`; it prints each fit's error as a power of two and takes a minute or two. It
writes `polynomials.json` in `olympus_core/toolkit/special_functions`, of which the CPU platform's functions and
StableHLO's are made; with names, only their fits are made anew. Each fit approximates a smooth function by a polynomial
so that the error, times a weight, is least; the weight makes it the relative error of the function. Coefficients for
"float" on one side of zero are rounded one after the other, lowest first, and the others are fitted again to them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mpmath as mp
import numpy as np

TABLE = Path(__file__).resolve().parents[1] / "olympus_core/toolkit/special_functions/polynomials.json"

mp.mp.prec = 260

Function = Callable[[Any], Any]


@dataclass(frozen=True)
class Fit:
    """One function to fit.

    Args:
        function: The function to approximate.
        low: Start of the interval.
        high: Its end.
        weight: The factor of the error.
        terms: Numbers of coefficients by precision: "float", "short" (for float32 results computed in float64) and
            "double".
    """

    function: Function
    low: Any
    high: Any
    weight: Function
    terms: dict[str, int]


@dataclass(frozen=True)
class Quotient:
    """A function to fit by (1 + z P(z)) / Q(z) with Q(0) = 1, the relative error least.

    Args:
        function: The function to approximate.
        low: Start of the interval.
        high: Its end.
        terms: Degrees above and below by precision; the coefficients are those of P, then those of Q.
    """

    function: Function
    low: Any
    high: Any
    terms: dict[str, tuple[int, int]]


def _value(coefficients: Sequence[Any], x: Any) -> Any:
    """A polynomial's value; its coefficients, lowest first."""
    total = mp.mpf(0)
    for coefficient in reversed(coefficients):
        total = total * x + coefficient
    return total


def minimax(
    points: Sequence[Any], values: Sequence[Any], weights: Sequence[Any], count: int, known: Sequence[Any]
) -> tuple[list[Any], Any]:
    """Coefficients, lowest first, after those known, and the greatest weighted error on the points."""
    first = len(known)
    rest = [v - _value(known, p) for p, v in zip(points, values, strict=True)]
    total = len(points)
    nodes = count + 1
    chosen = [round((1 - np.cos(np.pi * i / (nodes - 1))) / 2 * (total - 1)) for i in range(nodes)]
    coefficients: list[Any] = []
    error = mp.mpf(0)
    for _ in range(20):
        matrix, right = mp.matrix(nodes, nodes), mp.matrix(nodes, 1)
        for row, index in enumerate(chosen):
            for column in range(count):
                matrix[row, column] = points[index] ** (first + column) * weights[index]
            matrix[row, count] = (-1) ** row
            right[row] = rest[index] * weights[index]
        solution = mp.lu_solve(matrix, right)
        coefficients = [solution[i] for i in range(count)]
        errors = []
        for p, v, w in zip(points, rest, weights, strict=True):
            errors.append((_value(coefficients, p) * p**first - v) * w)
        extremes = _alternating(errors, nodes)
        error = max(abs(e) for e in errors)
        if len(extremes) < nodes or extremes == chosen:
            break
        if error < abs(solution[count]) * mp.mpf("1.01"):
            break
        chosen = extremes
    return [*known, *coefficients], error


def fitted(fit: Fit, precision: str) -> tuple[list[float], Any]:
    """Rounded coefficients, highest first, and the error before rounding."""
    count = fit.terms[precision]
    total = max(200, 24 * count)
    points = _nodes(fit.low, fit.high, total)
    values = [fit.function(p) for p in points]
    weights = [fit.weight(p) for p in points]
    if precision != "float" or fit.low < 0:
        exact, error = minimax(points, values, weights, count, [])
        kind = np.float32 if precision == "float" else np.float64
        return [float(kind(float(c))) for c in reversed(exact)], error
    known: list[Any] = []
    for index in range(count):
        exact, error = minimax(points, values, weights, count - index, known)
        known.append(mp.mpf(float(np.float32(float(exact[index])))))
    return [float(c) for c in reversed(known)], error


def _nodes(low: Any, high: Any, total: int) -> list[Any]:
    """Chebyshev's points."""
    middle, half = (low + high) / 2, (high - low) / 2
    return [middle - half * mp.cos(mp.pi * (2 * i + 1) / (2 * total)) for i in range(total)]


def _alternating(errors: Sequence[Any], count: int) -> list[int]:
    """One extreme for each run of equal signs; too many are thinned from the lesser end."""
    extremes: list[int] = []
    for index, value in enumerate(errors):
        if extremes and (errors[extremes[-1]] > 0) == (value > 0):
            if abs(value) > abs(errors[extremes[-1]]):
                extremes[-1] = index
        else:
            extremes.append(index)
    while len(extremes) > count:
        del extremes[0 if abs(errors[extremes[0]]) < abs(errors[extremes[-1]]) else -1]
    return extremes


def quotient(fit: Quotient, precision: str) -> tuple[tuple[list[float], list[float]], Any]:
    """Rounded coefficients above and below, highest first, and the relative error before rounding."""
    top, bottom = fit.terms[precision]
    nodes = top + bottom + 1
    points = _nodes(fit.low, fit.high, 60 * nodes)
    values = [fit.function(p) for p in points]
    chosen = [round((1 - np.cos(np.pi * (i + 0.5) / nodes)) / 2 * (len(points) - 1)) for i in range(nodes)]
    above, below = [mp.mpf(1)], [mp.mpf(1)] + [mp.mpf(0)] * bottom
    best = None
    for _ in range(20):
        for _ in range(8):  # the error is times the denominator, which is taken from the step before
            matrix, right = mp.matrix(nodes, nodes), mp.matrix(nodes, 1)
            for row, index in enumerate(chosen):
                for column in range(top):
                    matrix[row, column] = points[index] ** (column + 1) / values[index]
                for column in range(bottom):
                    matrix[row, top + column] = -(points[index] ** (column + 1))
                matrix[row, nodes - 1] = (-1) ** row * _value(below, points[index])
                right[row] = (values[index] - 1) / values[index]
            solution = mp.lu_solve(matrix, right)
            above = [mp.mpf(1)] + [solution[i] for i in range(top)]
            below = [mp.mpf(1)] + [solution[top + i] for i in range(bottom)]
        errors = [_value(above, p) / _value(below, p) / v - 1
                  for p, v in zip(points, values, strict=True)]
        error = max(abs(e) for e in errors)
        if best is None or error < best[1]:
            kind = np.float32 if precision == "float" else np.float64
            best = tuple([float(kind(float(c))) for c in reversed(part)] for part in (above[1:], below)), error
        extremes = _alternating(errors, nodes)
        if len(extremes) < nodes or extremes == chosen:
            break
        chosen = extremes
    return best


ln2, pi = mp.log(2), mp.pi
half_ln2 = ln2 / 2 * mp.mpf("1.001")
tiny = mp.mpf(2) ** -40


def _of_square(function: Function) -> Function:
    return lambda s: function(mp.sqrt(s))


def _scaled_erfc(t: Any) -> Any:
    """(1 + 2a) exp(a * a) erfc(a) - 1 for t = (a - 4) / (a + 4)."""
    a = 4 * (1 + t) / (1 - t)
    if a > 60:
        term = total = mp.mpf(1)
        for k in range(1, 60):
            term *= -(2 * k - 1) / (2 * a * a)
            if abs(term) < mp.mpf(2) ** -120:
                break
            total += term
        scaled = total / (a * mp.sqrt(pi))
    else:
        mp.mp.prec += int(a * a * 3) + 50
        scaled = mp.exp(a * a) * mp.erfc(a)
        mp.mp.prec = 260
    return (1 + 2 * a) * scaled - 1


def _from_four(t: Any) -> Any:
    """(a - 4) / (a + 4) for t = (a - 2) / (a + 2)."""
    a = 2 * (1 + t) / (1 - t)
    return (a - 4) / (a + 4)


def _inverse_erf(w: Any) -> Any:
    """erf_inv(x) / x for w = -log(1 - x * x)."""
    if w < mp.mpf(2) ** -30:
        return mp.sqrt(pi) / 2
    x = mp.sqrt(-mp.expm1(-w))
    guess = mp.mpf(_start(float(w), float(x)))
    complement = -mp.expm1(mp.log1p(-mp.exp(-w)) / 2)  # 1 - x without cancellation
    for _ in range(7):
        residual = complement - mp.erfc(guess)
        step = -residual * mp.sqrt(pi) / 2 * mp.exp(guess * guess)
        guess -= step / (1 + guess * step) * -1
    return guess / x


def _start(w: float, x: float) -> float:
    """Winitzki's approximation."""
    a = 0.147
    first = 2 / (np.pi * a) - w / 2
    return float(np.sqrt(np.sqrt(first * first + w / a) - first))


DIGAMMA_ROOT = mp.findroot(mp.digamma, mp.mpf("1.4616321449683623"))


def _lgamma_factor(z: Any) -> Any:
    return mp.loggamma(z) / ((z - 1) * (z - 2))


FITS: dict[str, Fit | Quotient] = {
    # exp(r) = 1 + r + r^2 P(r)
    "EXP": Fit(lambda r: (mp.expm1(r) - r) / r**2, -half_ln2, half_ln2, lambda r: abs(r**2 / mp.expm1(r)),
               {"float": 6, "short": 7, "double": 10}),
    # 2 ** r = 1 + r P(r)
    "EXP2": Fit(lambda r: mp.expm1(r * ln2) / r, mp.mpf("-0.5005"), mp.mpf("0.5005"), lambda r: abs(r) / 2 ** r,
                {"float": 6, "short": 7, "double": 11}),
    # log((1 + s) / (1 - s)) = 2 s + s z P(z), z = s^2
    "LOG": Fit(_of_square(lambda s: (2 * mp.atanh(s) / s - 2) / s**2), tiny, mp.mpf("0.02945"), lambda z: z,
               {"short": 5, "double": 7}),
    # log((1 + s) / (1 - s)) = 2 s + s z (2/3 + z P(z))
    "LOG_LONG": Fit(_of_square(lambda s: (2 * mp.atanh(s) / s - 2 - 2 * s**2 / 3) / s**4), tiny, mp.mpf("0.02945"),
                    lambda z: z * z, {"double": 7}),
    # log(1 + f) = f - f^2 / 2 + f^3 P(f)
    "LOG_ONE": Fit(lambda f: (mp.log1p(f) - f + f * f / 2) / f**3, mp.sqrt(mp.mpf("0.5")) - 1, mp.sqrt(2) - 1,
                   lambda f: abs(f**3 / mp.log1p(f)), {"float": 9}),
    # sin(r) = r + r s P(s), s = r^2, up to pi / 2
    "SIN": Fit(_of_square(lambda r: (mp.sin(r) / r - 1) / r**2), tiny, (pi / 2 * mp.mpf("1.001")) ** 2,
               _of_square(lambda r: r**3 / mp.sin(r)), {"short": 5, "double": 8}),
    # the same up to pi / 4, and cos(r) = 1 - s / 2 + s^2 P(s)
    "SIN_QUARTER": Fit(_of_square(lambda r: (mp.sin(r) / r - 1) / r**2), tiny, (pi / 4 * mp.mpf("1.0005")) ** 2,
                       _of_square(lambda r: r**3 / mp.sin(r)), {"short": 4, "double": 6}),
    "COS_QUARTER": Fit(_of_square(lambda r: (mp.cos(r) - 1 + r * r / 2) / r**4), tiny,
                       (pi / 4 * mp.mpf("1.0005")) ** 2, _of_square(lambda r: r**4 / mp.cos(r)),
                       {"short": 4, "double": 6}),
    # asin(x) = x + x z P(z), z = x^2, up to 1/2; likewise atan up to tan(pi / 8), asinh up to 1/2
    "ASIN": Fit(_of_square(lambda x: (mp.asin(x) / x - 1) / x**2), tiny, mp.mpf("0.2501"), lambda z: z,
                {"short": 7, "double": 13}),
    "ATAN": Fit(_of_square(lambda x: (mp.atan(x) / x - 1) / x**2), tiny, mp.mpf("0.17158"), lambda z: z,
                {"short": 6, "double": 11}),
    "ASINH": Fit(_of_square(lambda x: (mp.asinh(x) / x - 1) / x**2), tiny, mp.mpf("0.2501"), lambda z: z,
                 {"double": 12}),
    # tanh(x) = x (1 + z P(z)) / Q(z), z = x^2, up to ln 2 / 4
    "TANH": Quotient(_of_square(lambda x: mp.tanh(x) / x), tiny, (ln2 / 4 * mp.mpf("1.001")) ** 2,
                     {"float": (1, 1), "short": (1, 2), "double": (2, 2)}),
    # erf(x) = x + x P(z), z = x^2
    "ERF": Fit(_of_square(lambda x: mp.erf(x) / x - 1), tiny, mp.mpf("1.0001"), lambda z: mp.mpf(1),
               {"float": 7, "short": 9, "double": 12}),
    # erfc(a) = 2 ** Q(a) from 1 to 4
    "ERF_TAIL": Fit(lambda a: mp.log(mp.erfc(a), 2), mp.mpf("0.98"), mp.mpf("4.02"),
                    lambda a: ln2 * mp.erfc(a) / mp.erf(a), {"float": 7}),
    # (1 + 2a) exp(a * a) erfc(a) = 1 + P((a - 4) / (a + 4))
    "ERFC": Fit(_scaled_erfc, mp.mpf("-0.79"), mp.mpf("0.76"), lambda t: 1 / (1 + _scaled_erfc(t)),
                {"short": 14, "double": 21}),
    # the same of float32 from 0 to 10.1, with t = (a - 2) / (a + 2)
    "ERFC_WHOLE": Fit(lambda t: _scaled_erfc(_from_four(t)), tiny - 1, mp.mpf("0.67"),
                      lambda t: 1 / (1 + _scaled_erfc(_from_four(t))), {"float": 10}),
    # erf_inv(x) = x + x P(w - 3), w = -log(1 - x^2); from w = 6.25 on of sqrt(w) - 3.25, then of sqrt(w) - 5
    "ERF_INV": Fit(lambda t: _inverse_erf(t + 3) - 1, mp.mpf(-3), mp.mpf("3.26"), lambda t: 1 / _inverse_erf(t + 3),
                   {"float": 12, "short": 15, "double": 24}),
    "ERF_INV_MIDDLE": Fit(lambda t: _inverse_erf((t + mp.mpf("3.25")) ** 2) - 1, mp.mpf("-0.76"), mp.mpf("0.96"),
                          lambda t: 1 / _inverse_erf((t + mp.mpf("3.25")) ** 2),
                          {"float": 9, "short": 12, "double": 22}),
    "ERF_INV_TAIL": Fit(lambda t: _inverse_erf((t + 5) ** 2) - 1, mp.mpf("-0.81"), mp.mpf("1.1"),
                        lambda t: 1 / _inverse_erf((t + 5) ** 2), {"double": 16}),
    # lgamma(z) = (z - 1) (z - 2) P(z - 13/8) from 3/4 to 5/2; digamma(z) = (z - its root) P(z - 3/2) from 1 to 2
    "LGAMMA": Fit(lambda t: _lgamma_factor(t + mp.mpf("1.625")), mp.mpf("-0.8751"), mp.mpf("0.8751"),
                  lambda t: 1 / _lgamma_factor(t + mp.mpf("1.625")), {"double": 30}),
    "DIGAMMA": Fit(lambda t: mp.digamma(t + mp.mpf("1.5")) / (t + mp.mpf("1.5") - DIGAMMA_ROOT), mp.mpf("-0.5001"),
                   mp.mpf("0.5001"), lambda t: mp.mpf(1), {"double": 21}),
    # the cube root of m from 1 to 8, a start for Halley's steps
    "CBRT": Fit(lambda m: mp.cbrt(m), mp.mpf(1), mp.mpf(8), lambda m: 1 / mp.cbrt(m), {"double": 6}),
}


def made(fit: Fit | Quotient) -> dict[str, Any]:
    """A fit's coefficients by precision, highest first, with the greatest error as a power of two."""
    found = {}
    for precision in fit.terms:
        coefficients, error = quotient(fit, precision) if isinstance(fit, Quotient) else fitted(fit, precision)
        found[precision] = {"log2_error": round(float(mp.log(error, 2)), 1), "coefficients": coefficients}
    return found


def main(only: Sequence[str]) -> None:
    """Writes the table: all fits made anew, or only some."""
    table = json.loads(TABLE.read_text(encoding="utf-8")) if only else {}
    for name in only or FITS:
        table[name] = made(FITS[name])
        errors = ", ".join(f"{precision} {fit['log2_error']}" for precision, fit in table[name].items())
        sys.stdout.write(f"{name}: {errors}\n")
        sys.stdout.flush()
    TABLE.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
