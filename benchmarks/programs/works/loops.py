# SPDX-License-Identifier: Apache-2.0
"""Loops with small iterations, which measure the overhead of an iteration."""

from __future__ import annotations

from typing import Any

import numpy as np

from .side import Side, Work

TURNS = 1000


def loop(side: Side, which: str) -> Work:
    """A loop of 1000 iterations, or of as many as its condition wants."""
    lax: Any = side.module("lax")
    f, x, truth = {"count": _count, "scan": _scan, "until": _until, "update": _update, "nested": _nested}[which](lax)
    return Work("f(x)", {"f": side.jit(f), "x": side.put(x)}, truth)


def mapped(side: Side, size: int = 100_000) -> Work:
    """Loops of a batch that end at different turns; each turn writes one element of a long array."""
    lax: Any = side.module("lax")
    turns, x = np.array([100, 200, 300, 50], np.int32), np.zeros((4, size), np.float32)

    def one(x: Any, n: Any) -> Any:
        return lax.while_loop(lambda c: c[0] < n, lambda c: (c[0] + 1, c[1].at[c[0]].set(c[1][c[0]] + 1)), (0, x))[1]

    truth = (np.arange(size) < turns[:, None]).astype(np.float32)
    return Work("f(x, n)", {"f": side.jit(side.library.vmap(one)), "x": side.put(x), "n": side.put(turns)}, truth)


def _count(lax: Any) -> Any:
    x = np.arange(8, dtype=np.float32)
    truth = x
    for _ in range(TURNS):
        truth = truth * np.float32(0.999) + np.float32(1)
    return lambda x: lax.fori_loop(0, TURNS, lambda i, c: c * 0.999 + 1, x), x, truth


def _scan(lax: Any) -> Any:
    x = np.sin(np.arange(TURNS, dtype=np.float32))
    truth, c = np.empty_like(x), np.float32(0)
    for i, a in enumerate(x):
        c = c * np.float32(0.9) + a
        truth[i] = c
    return lambda x: lax.scan(lambda c, a: (c * 0.9 + a,) * 2, np.float32(0), x)[1], x, truth


def _until(lax: Any) -> Any:
    x = np.float32(1)
    truth = x
    while truth < 1e6:
        truth = np.float32(truth * np.float32(1.01) + np.float32(0.5))
    return lambda x: lax.while_loop(lambda c: c < 1e6, lambda c: c * 1.01 + 0.5, x), x, truth


def _update(lax: Any) -> Any:
    x = np.ones((TURNS, 256), np.float32)
    truth = x.copy()
    for i in range(1, TURNS):
        truth[i] = truth[i - 1] * np.float32(0.5) + np.float32(1)
    return lambda x: lax.fori_loop(1, TURNS, lambda i, c: c.at[i].set(c[i - 1] * 0.5 + 1), x), x, truth


def _nested(lax: Any) -> Any:
    x = np.sin(np.arange(TURNS // 10, dtype=np.float32))
    truth, c = np.empty_like(x), np.float32(0)
    for i, a in enumerate(x):
        for _ in range(10):
            c = c * np.float32(0.9) + a
        truth[i] = c

    def iteration(c: Any, a: Any) -> Any:
        return (lax.fori_loop(0, 10, lambda i, d: d * 0.9 + a, c),) * 2

    return lambda x: lax.scan(iteration, np.float32(0), x)[1], x, truth
