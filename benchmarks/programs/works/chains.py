# SPDX-License-Identifier: Apache-2.0
"""Chains of elementwise operations."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from .side import Side, Work

_ROOT = math.sqrt(2 / math.pi)

# Of the namespace and the operands; the number says how many arrays go in.
CHAINS: dict[str, tuple[int, Callable[..., Any]]] = {
    "sin": (1, lambda np, x: 2 * np.sin(x) + 1),
    "gelu": (1, lambda np, x: 0.5 * x * (1 + np.tanh(_ROOT * (x + 0.044715 * x * x * x)))),
    "silu": (1, lambda np, x: x / (1 + np.exp(-x))),
    "relu": (1, lambda np, x: np.maximum(1.5 * x + 0.25, 0)),
    "expcos": (2, lambda np, x, y: np.exp(-x * x) * np.cos(y)),
    "tanh": (1, lambda np, x: np.tanh(1.5 * np.tanh(0.5 * np.tanh(x)) + 0.25)),
}


_DRAWN = 1 << 22  # numbers; larger arrays repeat them, since drawing takes longer than what is measured


def operands(count: int, size: int, dtype: str) -> list[np.ndarray]:
    """Normal numbers, each array with other ones. Nothing else is allocated: `peak` would see it."""
    return [filled(np.empty(size, dtype), seed, 3) for seed in range(count)]


def filled(array: np.ndarray, seed: int, scale: float) -> np.ndarray:
    """An array, filled with normal numbers times a scale."""
    flat = array.reshape(-1)
    drawn = flat[:_DRAWN]
    np.random.default_rng(seed).standard_normal(out=drawn, dtype=drawn.dtype)
    drawn *= scale
    for start in range(_DRAWN, flat.size, _DRAWN):
        flat[start : start + _DRAWN] = drawn[: flat.size - start]
    return array


def chain(side: Side, which: str, size: int, dtype: str) -> Work:
    """One chain on arrays of a size and type."""
    count, formula = CHAINS[which]
    f = side.jit(lambda *xs: formula(side.np, *xs))
    xs = [side.put(x) for x in operands(count, size, dtype)]
    part = min(size, 100_000)  # of a large array the first part tells enough
    names = {"f": f, **dict(zip("xy", xs, strict=False))}
    tolerance = 1e-5 if dtype == "float32" else 1e-12
    return Work(f"f({', '.join('xy'[:count])})", names, lambda: formula(np, *operands(count, part, dtype)), tolerance,
                read=lambda r: side.host(r[:part]))


def ten(np: Any, x: Any, factor: float) -> Any:
    """A chain of 10 elementwise operations."""
    return np.sqrt(np.abs(np.tanh(np.exp(-np.cos(np.sin(x * factor) + 0.5))) - 0.25)) * 2


def ten_of(side: Side, size: int = 1000) -> Work:
    """The chain of 10 operations."""
    data = operands(1, size, "float32")[0]
    return Work("f(x)", {"f": side.jit(lambda x: ten(side.np, x, 1.25)), "x": side.put(data)},
                lambda: ten(np, data, 1.25), 1e-4)


def fresh(side: Side, size: int = 1000) -> Work:
    """The first call of a function that was never seen, in a process that has compiled others."""
    x = side.put(operands(1, size, "float32")[0])
    # An irrational step: no factor comes twice, so nothing made for an earlier one fits.
    factors = (1 + (k * 0.6180339887) % 1 for k in itertools.count())

    def first() -> Any:
        factor = next(factors)
        return side.jit(lambda x: ten(side.np, x, factor))(x)

    truth = ten(np, operands(1, size, "float32")[0], 1.0)
    return Work("first()", {"first": first}, truth, 1e-5)
