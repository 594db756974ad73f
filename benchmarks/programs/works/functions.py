# SPDX-License-Identifier: Apache-2.0
"""Special functions, segments and sparse products: what programs of science call with a million numbers."""

from __future__ import annotations

import functools
import importlib

import numpy as np

from .side import Side, Work

COUNT = 1_000_000


def special(side: Side, which: str, entries: int = COUNT) -> Work:
    """A special function of so many numbers; of NumPy's side SciPy's."""
    module = importlib.import_module("scipy.special" if side.plain else f"{side.name}.scipy.special")
    exact = importlib.import_module("scipy.special")
    random = np.random.default_rng(0)
    x = random.uniform(0.1, 30, entries).astype(np.float32)
    shares = random.random(entries, np.float32)
    given = {"logsumexp": (x,), "gammaln": (x,), "betainc": (x, x[::-1].copy(), shares)}[which]
    wide = [a.astype(np.float64) for a in given]
    names = {"f": side.jit(getattr(module, which)), "a": tuple(side.put(a) for a in given)}
    return Work("f(*a)", names, lambda: getattr(exact, which)(*wide), 1e-4, tree=True)


def segments(side: Side, count: int = 10_000, entries: int = COUNT) -> Work:
    """Sums of numbers in so many segments, in no order."""
    random = np.random.default_rng(0)
    x, places = random.random(entries, np.float32), random.integers(0, count, entries).astype(np.int32)
    names = {"x": side.put(x), "i": side.put(places)}
    if side.plain:
        statement, names["f"] = "f(i, x)", functools.partial(np.bincount, minlength=count)
    else:
        ops = side.module("ops")
        statement, names["f"] = "f(x, i)", side.jit(functools.partial(ops.segment_sum, num_segments=count))
    return Work(statement, names, lambda: np.bincount(places, x, count), 1e-4, tree=True)


def sparse_product(side: Side, size: int = 100_000, entries: int = COUNT) -> Work:
    """A square sparse matrix times a vector; of NumPy's side SciPy's, by rows."""
    random = np.random.default_rng(0)
    places = random.integers(0, size, (entries, 2)).astype(np.int32)
    places = places[np.lexsort(places.T[::-1])]
    data, x = random.random(entries, np.float32), random.random(size, np.float32)
    csr = importlib.import_module("scipy.sparse").csr_array((data, tuple(places.T)), shape=(size, size))
    if side.plain:
        return Work("m @ x", {"m": csr, "x": x}, lambda: csr.astype(np.float64) @ x, 1e-4)
    module = side.module("experimental.sparse")
    matrix = module.BCOO((side.put(data), side.put(places)), shape=(size, size), indices_sorted=True)
    names = {"f": side.jit(lambda m, v: m @ v), "m": matrix, "x": side.put(x)}
    return Work("f(m, x)", names, lambda: csr.astype(np.float64) @ x, 1e-4, tree=True)
