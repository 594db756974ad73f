# SPDX-License-Identifier: Apache-2.0
"""Derivatives against central differences of the operations' own reference, in float64."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import olympus

STEP = 1e-6


def differences(f: Callable[..., Sequence[np.ndarray]], args: Sequence[np.ndarray], changes: Sequence[Any]) -> Any:
    """The change of f's results along changes of its arguments (None: held)."""
    def moved(sign: int) -> list[np.ndarray]:
        return [x if c is None else x + sign * STEP * c for x, c in zip(args, changes, strict=True)]

    pairs = zip(f(*moved(1)), f(*moved(-1)), strict=True)
    return [None if a.dtype.kind in "iub" else (a - b) / (2 * STEP) for a, b in pairs]


def random_like(x: np.ndarray, random: np.random.RandomState) -> Any:
    if x.dtype.kind == "c":
        return random.randn(*x.shape) + 1j * random.randn(*x.shape)
    return np.asarray(random.randn(*x.shape)) if x.dtype.kind == "f" else None


def zero_of(x: np.ndarray) -> np.ndarray:
    return np.zeros(x.shape, [("float0", np.void, 0)])


def check(
    f: Callable[..., Any], oracle: Callable[..., Sequence[np.ndarray]], args: Sequence[np.ndarray], seed: int = 0,
    forward: bool = True, tolerance: float = 1e-5,
) -> None:
    """Compares jvp, and vjp against jvp, of a function that gives a list, at one point in a random direction.

    Args:
        f: The function, in olympus.
        oracle: The same in NumPy.
        args: Arguments; those of integers are held.
        seed: Of the directions.
        forward: Whether jvp is checked, too.
        tolerance: Relative and absolute.
    """
    random = np.random.RandomState(seed)
    changes = [random_like(x, random) for x in args]
    expected = differences(oracle, args, changes)
    given = [zero_of(x) if c is None else c for x, c in zip(args, changes, strict=True)]
    if forward:
        results, found = olympus.jvp(f, tuple(args), tuple(given))
        for a, b, y in zip(found, expected, results, strict=True):
            if b is not None:
                np.testing.assert_allclose(np.asarray(a), b, rtol=tolerance, atol=tolerance)
                assert a.dtype == y.dtype and a.shape == y.shape
    results, back = olympus.vjp(f, *args)
    weights = [random_like(np.asarray(y), random) for y in results]
    cotangents = back([zero_of(np.asarray(y)) if w is None else w for y, w in zip(results, weights, strict=True)])
    one = sum(float(np.sum((w * e).real)) for w, e in zip(weights, expected, strict=True) if w is not None)
    pairs = [(np.asarray(c), t) for c, t in zip(cotangents, changes, strict=True) if t is not None]
    other = sum(float(np.sum((c * t).real)) for c, t in pairs)
    np.testing.assert_allclose(other, one, rtol=tolerance, atol=tolerance)
    for x, c in zip(args, cotangents, strict=True):
        assert c.shape == x.shape and (c.dtype == x.dtype or x.dtype.kind in "iub")
