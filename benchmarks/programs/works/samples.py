# SPDX-License-Identifier: Apache-2.0
"""Samples of distributions, a million at a time."""

from __future__ import annotations

from typing import Any

import numpy as np

from .side import Side, Work

MEANS = {"gamma": 2.5, "poisson": 20.0, "normal": 0.0}


def samples(side: Side, which: str, count: int = 1_000_000) -> Work:
    """Numbers of a distribution; their mean is compared."""
    mean = MEANS[which]
    parameter = np.full(count, mean, np.float32)
    if side.plain:
        generator = np.random.default_rng(0)
        drawn: dict[str, Any] = {
            "gamma": lambda k, a: generator.standard_gamma(a), "poisson": lambda k, a: generator.poisson(a),
            "normal": lambda k, a: generator.standard_normal(a.shape, np.float32)}
        return Work("f(k, a)", {"f": drawn[which], "k": None, "a": parameter}, np.float64(mean + 1), 2e-2, read=_mean)
    random = side.module("random")
    functions: dict[str, Any] = {
        "gamma": random.gamma, "poisson": random.poisson, "normal": lambda k, a: random.normal(k, a.shape)}
    names = {"f": side.jit(functions[which]), "k": random.key(0), "a": side.put(parameter)}
    return Work("f(k, a)", names, np.float64(mean + 1), 2e-2, read=_mean)


def _mean(drawn: Any) -> Any:
    """One above the mean, so that it is compared with a number that is not zero."""
    return np.asarray(drawn, np.float64).mean() + 1
