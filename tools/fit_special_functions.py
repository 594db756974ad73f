# SPDX-License-Identifier: Apache-2.0
"""Prints the coefficients of `olympus_core/toolkit/special_functions`, which mpmath finds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import mpmath as mp
import numpy as np

mp.mp.dps = 50
_POINTS = 32


def chebyshev(function: Callable[[Any], Any], count: int) -> list[Any]:
    """Chebyshev coefficients on -1 to 1, without those that no double sees."""
    nodes = [mp.cos(mp.pi * (k + mp.mpf(1) / 2) / (2 * count)) for k in range(2 * count)]
    values = [function(x) for x in nodes]
    found = []
    for j in range(count):
        terms = (y * mp.cos(mp.pi * j * (k + mp.mpf(1) / 2) / (2 * count)) for k, y in enumerate(values))
        found.append(sum(terms) / count / (2 if j == 0 else 1))
    while abs(found[-1]) < max(map(abs, found)) * mp.mpf(2) ** -58:
        found.pop()
    return found


def bessel(order: int, far: bool) -> Callable[[Any], Any]:
    """The scaled Bessel function as a smooth function on -1 to 1: up to 8, or of 16 / (t + 1) beyond."""
    def near(t: Any) -> Any:
        x = 4 * (t + 1)
        if not order:
            return mp.exp(-x) * mp.besseli(0, x)
        return mp.exp(-x) * mp.besseli(1, x) / x if x else mp.mpf(1) / 2

    def beyond(t: Any) -> Any:
        x = 16 / (t + 1)
        return mp.sqrt(x) * mp.exp(-x) * mp.besseli(order, x)

    return beyond if far else near


def rule() -> tuple[list[Any], list[Any]]:
    """Gauss and Legendre's points and weights between 0 and 1."""
    points, weights = [], []
    for start in np.polynomial.legendre.leggauss(_POINTS)[0]:
        x = mp.findroot(lambda t: mp.legendre(_POINTS, t), mp.mpf(float(start)))
        slope = mp.diff(lambda t: mp.legendre(_POINTS, t), x)
        points.append((1 + x) / 2)
        weights.append(1 / ((1 - x * x) * slope * slope))
    return points, weights


def show(name: str, coefficients: Sequence[Any]) -> None:
    """Prints a table of C."""
    print(f"// {name}: {len(coefficients)}")
    texts = [repr(float(c)) for c in coefficients]
    for i in range(0, len(texts), 4):
        print("        " + ", ".join(texts[i:i + 4]) + ",")


def main() -> None:
    """Prints all tables, the highest coefficient first."""
    bernoulli = [mp.bernoulli(2 * k) for k in range(1, 11)]
    show("log1p_less_x", [mp.mpf(1) / (2 * k + 1) for k in range(17, 0, -1)])
    show("stirling_rest", [b / (2 * k * (2 * k - 1)) for k, b in enumerate(bernoulli, 1)][::-1])
    show("log_less_digamma", [b / (2 * k) for k, b in enumerate(bernoulli, 1)][::-1])
    show("lgamma_one_more", [(-1) ** k * (mp.zeta(k) - 1) / k for k in range(29, 1, -1)])
    show("zeta_scaled", [b / mp.factorial(2 * k) for k, b in enumerate(bernoulli, 1)][::-1])
    for order in (0, 1):
        for far in (False, True):
            show(f"bessel_i{order}e {'large' if far else 'small'}", chebyshev(bessel(order, far), 34)[::-1])
    points, weights = rule()
    show("node", points)
    show("node_weight", weights)


if __name__ == "__main__":
    main()
