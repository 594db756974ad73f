# SPDX-License-Identifier: Apache-2.0
"""Loops whose turns solve small systems, sort short lines, or check what hardly ever fails."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .side import Side, Work

TURNS, FITS = 1000, 200


def solver_loop(side: Side, which: str, n: int = 4) -> Work:
    """One of these loops.

    Args:
        side: The library.
        which: ``cholesky``, ``solve``, ``fit``, ``sort`` or ``check``.
        n: Rows of the matrices, where they may differ.
    """
    kinds: dict[str, Callable[[Side, int], Work]] = {
        "cholesky": _cholesky, "solve": _solve, "fit": _fit, "sort": _sort, "check": _check}
    return kinds[which](side, n)


def _definite(n: int) -> np.ndarray:
    x = np.random.default_rng(n).standard_normal((n, n), np.float32)
    return x @ x.T + np.float32(n) * np.eye(n, dtype=np.float32)


def _cholesky(side: Side, n: int) -> Work:
    lax = side.module("lax")
    linalg = side.module("scipy.linalg")
    a, b = _definite(n), np.ones(n, np.float32)

    def f(a: Any, b: Any) -> Any:
        def turn(i: Any, c: Any) -> Any:
            factor = side.np.linalg.cholesky(a + (1 + 0.001 * i) * side.np.eye(n))
            return linalg.cho_solve((factor, True), b + c * 0.5)
        return lax.fori_loop(0, TURNS, turn, b)

    return Work("f(a, b)", {"f": side.jit(f), "a": side.put(a), "b": side.put(b)}, lambda: _solved(a, b, 1, 0.5), 1e-3)


def _solve(side: Side, n: int) -> Work:
    lax = side.module("lax")
    a, b = _definite(n), np.ones(n, np.float32)

    def f(a: Any, b: Any) -> Any:
        return lax.fori_loop(0, TURNS, lambda i, c: side.np.linalg.solve(
            a + (1 + 0.001 * i) * side.np.eye(n), b + c * 0.5), b)

    return Work("f(a, b)", {"f": side.jit(f), "a": side.put(a), "b": side.put(b)}, lambda: _solved(a, b, 1, 0.5), 1e-3)


def _solved(a: np.ndarray, b: np.ndarray, shift: float, share: float) -> np.ndarray:
    wide, c = a.astype(np.float64), b.astype(np.float64)
    for i in range(TURNS):
        c = np.linalg.solve(wide + (shift + 0.001 * i) * np.eye(len(b)), b + c * share)
    return c


def _fit(side: Side, n: int) -> Work:
    """Gauss-Newton with short steps: 8 residuals, 4 parameters, by QR."""
    lax = side.module("lax")
    linalg = side.module("scipy.linalg")
    times = np.linspace(0, 4, 8, dtype=np.float32)
    wanted, first = 2 * np.exp(-times) + times, np.array([1.8, 0.9, 1.1, 0.05], np.float32)

    def f(p: Any) -> Any:
        def residual(p: Any) -> Any:
            return p[0] * side.np.exp(-p[1] * times) + p[2] * times + p[3] - wanted

        def turn(state: Any) -> Any:
            p, i = state
            q, r = side.np.linalg.qr(side.library.jacfwd(residual)(p))
            return p - 0.05 * linalg.solve_triangular(r, q.T @ residual(p)), i + 1
        return lax.while_loop(lambda s: s[1] < FITS, turn, (p, 0))[0]

    return Work("f(p)", {"f": side.jit(f), "p": side.put(first)}, np.array([2, 1, 1, 0], np.float32), 1e-3)


def _sort(side: Side, n: int) -> Work:
    lax = side.module("lax")
    x = np.random.default_rng(0).standard_normal((TURNS, 32), np.float32)

    def turn(c: Any, row: Any) -> Any:
        row = side.np.sort(row + c)
        return row[0] * np.float32(0.1), row

    truth, c = np.empty_like(x), np.float32(0)
    for i, row in enumerate(x):
        truth[i] = np.sort(row + c)
        c = truth[i, 0] * np.float32(0.1)
    return Work("f(x)", {"f": side.jit(lambda x: lax.scan(turn, np.float32(0), x)[1]), "x": side.put(x)}, truth)


def _check(side: Side, n: int) -> Work:
    """A callback in a branch that is never taken, as libraries raise errors."""
    lax = side.module("lax")
    x = np.arange(8, dtype=np.float32)
    kind = side.library.ShapeDtypeStruct(x.shape, x.dtype)

    def refuse(x: Any) -> Any:
        raise ValueError("not finite")

    def turn(i: Any, c: Any) -> Any:
        c = c * 0.999 + 1
        return lax.cond(
            side.np.isfinite(c).all(), lambda c: c, lambda c: side.library.pure_callback(refuse, kind, c), c)

    truth = x
    for _ in range(100):
        truth = truth * np.float32(0.999) + np.float32(1)
    return Work("f(x)", {"f": side.jit(lambda x: lax.fori_loop(0, 100, turn, x)), "x": side.put(x)}, truth)
