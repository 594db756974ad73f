# SPDX-License-Identifier: Apache-2.0
"""Programs of numerical work beside training: grids, particles, neighbours, random walks, iterated maps."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..side import Side, Work
from .parts import normal


def _warmed(np: Any, u: Any) -> Any:
    """One turn of the heat equation on a torus."""
    around = np.roll(u, 1, 0) + np.roll(u, -1, 0) + np.roll(u, 1, 1) + np.roll(u, -1, 1)
    return u + 0.1 * (around - 4 * u)


def heat(side: Side, size: int = 1024, turns: int = 20) -> Work:
    """The heat equation on a grid."""
    grid = normal(1, size, size, scale=1.0)
    f = side.jit(lambda u: side.module("lax").fori_loop(0, turns, lambda i, u: _warmed(side.np, u), u))

    def truth() -> np.ndarray:
        u = grid
        for _ in range(turns):
            u = _warmed(np, u)
        return u

    return Work("f(u)", {"f": f, "u": side.put(grid)}, truth, 1e-5)


def _pulled(np: Any, places: Any, masses: Any) -> Any:
    """Accelerations by gravity, softened."""
    between = places[None] - places[:, None]
    squares = np.sum(between**2, axis=-1) + np.float32(0.01)
    return np.sum(between * (masses * squares**-1.5)[..., None], axis=1)


def bodies(side: Side, count: int = 1024) -> Work:
    """The forces between all pairs of bodies in space."""
    places, masses = normal(1, count, 3, scale=1.0), np.abs(normal(2, count))
    f = side.jit(lambda x, m: _pulled(side.np, x, m))
    return Work("f(x, m)", {"f": f, "x": side.put(places), "m": side.put(masses)},
                lambda: _pulled(np, places, masses), 1e-4)


def neighbours(side: Side, asked: int = 256, known: int = 4096, width: int = 64, count: int = 10) -> Work:
    """The nearest of many points: squared distances by a product, then `top_k`; the distances are compared."""
    x, points = normal(1, asked, width, scale=1.0), normal(2, known, width, scale=1.0)

    def distances(np: Any, x: Any, points: Any) -> Any:
        return np.sum(x * x, axis=1)[:, None] - 2 * (x @ points.T) + np.sum(points * points, axis=1)[None]

    f = side.jit(lambda x, points: side.module("lax").top_k(-distances(side.np, x, points), count))
    return Work("f(x, points)", {"f": f, "x": side.put(x), "points": side.put(points)},
                lambda: np.sort(-distances(np, x, points), axis=1)[:, : -count - 1 : -1], 1e-4, tree=True,
                read=lambda found: found[0])


def monte_carlo(side: Side, paths: int = 1000, days: int = 365) -> Work:
    """A price that walks at random: the mean over the paths, for each day, which is known."""
    random, xp = side.module("random"), side.np
    drift, spread = 0.1 / days, 0.2 * days**-0.5

    def prices(key: Any) -> Any:
        steps = drift - spread**2 / 2 + spread * random.normal(key, (paths, days), np.float32)
        return xp.mean(xp.exp(xp.cumsum(steps, axis=1)), axis=0)

    truth = np.exp(drift * np.arange(1, days + 1))
    return Work("f(key)", {"f": side.jit(prices), "key": random.key(0)}, truth, 0.2 * 4 * paths**-0.5)


def mandelbrot(side: Side, size: int = 512, turns: int = 50) -> Work:
    """z z + c from 0 on, for the points that stay within 2; which turns they stay is counted."""
    x, y = np.meshgrid(np.linspace(-2, 0.5, size, dtype=np.float32), np.linspace(-1.25, 1.25, size, dtype=np.float32))
    points = (x + 1j * y).astype(np.complex64)

    def turn(np: Any, z: Any, counts: Any, c: Any) -> Any:
        inside = np.abs(z) < 2
        return np.where(inside, z * z + c, z), counts + inside

    def whole(c: Any) -> Any:
        xp = side.np
        start = (xp.zeros_like(c), xp.zeros(c.shape, xp.int32))
        return side.module("lax").fori_loop(0, turns, lambda i, s: turn(xp, *s, c), start)[1]

    def truth() -> np.ndarray:
        z, counts = np.zeros_like(points), np.zeros(points.shape, np.int32)
        for _ in range(turns):
            z, counts = turn(np, z, counts, points)
        return counts.astype(np.float64).mean(axis=1)

    # Single points at the edge leave a turn earlier or later by a rounding; means over lines do not tell them.
    return Work("f(c)", {"f": side.jit(whole), "c": side.put(points)}, truth, 1e-3,
                read=lambda counts: np.asarray(counts, np.float64).mean(axis=1))
