# SPDX-License-Identifier: Apache-2.0
"""A million samples of distributions. The bars are our own: at most the peer's time."""

from __future__ import annotations

from .served import case

SAMPLES = "a million random numbers"
# Its bits are operations on integers, and how often a number is drawn anew depends on the numbers.
_UNCOUNTED = "random bits, and numbers that are drawn anew: no count of multiply-adds"

CASES = (
    case("samples-gamma", "1e6 gamma numbers of shape 2.5", SAMPLES, 1.0, "samples", {"which": "gamma"}, rounds=15,
         uncounted=_UNCOUNTED),
    case("samples-poisson", "1e6 Poisson numbers of mean 20", SAMPLES, 1.0, "samples", {"which": "poisson"}, rounds=15,
         uncounted=_UNCOUNTED),
    case("samples-normal", "1e6 normal numbers", SAMPLES, 1.0, "samples", {"which": "normal"}, uncounted=_UNCOUNTED),
)
