# SPDX-License-Identifier: Apache-2.0
"""Sums of many float32: how far they are from the sum in float64, beside the error of the peer's CPU backend."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp

# Root mean square over the seeds of (sum - exact) / sum of sizes, jax 0.10.0 on the same numbers (AVX2, 2 cores):
# of standard normal numbers, of their sines, of their squares.
PEER = {
    100_000: (4.12e-10, 2.86e-10, 4.75e-08),
    1_000_000: (1.33e-10, 9.04e-11, 3.45e-08),
    10_000_000: (5.41e-11, 5.90e-11, 2.39e-08),
}
SEEDS = {100_000: 20, 1_000_000: 20, 10_000_000: 4}
# Over the first and the second axis of 4096 x 4096: of the numbers, of their squares.
PEER_AXES = ((2.20e-09, 5.33e-08), (1.85e-09, 4.19e-08))
# Half a unit of the result's last digit, which nobody can keep below when all terms have one sign.
ROUNDING = 2.0**-24
# Where numbers cancel, errors lie a hundred times below that; there the peer's are met up to this.
FACTOR = 3.5


def root_mean_square(errors: Sequence[float] | np.ndarray) -> float:
    return float(np.sqrt(np.mean(np.square(errors))))


@pytest.mark.parametrize("count", PEER)
def test_sums_of_everything(count: int) -> None:
    sums = olympus.jit(lambda x: (x.sum(), jnp.sin(x).sum(), (x * x).sum()))
    errors = []
    for seed in range(SEEDS[count]):
        x = np.random.default_rng(seed).standard_normal(count).astype("f4")
        wide = x.astype("f8")
        exact = (wide, np.sin(wide), wide * wide)
        errors.append([(float(v) - w.sum()) / np.abs(w).sum() for v, w in zip(sums(x), exact, strict=True)])
    plain, sines, squares = (root_mean_square(column) for column in np.array(errors).T)
    assert plain < FACTOR * PEER[count][0]
    assert sines < FACTOR * PEER[count][1]
    assert squares < max(PEER[count][2], 1.5 * ROUNDING)


@pytest.mark.parametrize("axis", [0, 1])
def test_sums_over_an_axis(axis: int) -> None:
    x = np.random.default_rng(0).standard_normal((4096, 4096)).astype("f4")
    wide = x.astype("f8")
    found = olympus.jit(lambda x: (x.sum(axis), (x * x).sum(axis)))(x)
    errors = [root_mean_square((np.asarray(v, "f8") - w.sum(axis)) / np.abs(w).sum(axis))
              for v, w in zip(found, (wide, wide * wide), strict=True)]
    assert errors[0] < 1.5 * PEER_AXES[axis][0]
    assert errors[1] < max(PEER_AXES[axis][1], ROUNDING)
