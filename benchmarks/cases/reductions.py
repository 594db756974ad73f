# SPDX-License-Identifier: Apache-2.0
"""Sums and programs of rows."""

from __future__ import annotations

from .served import case

ROW = "reductions"
_WHAT = {
    "sum-sin-1e5": ("sum(sin(x)), 1e5 float32", "sum_sin", [100_000], 0.1),
    "sum-sin-1e7": ("sum(sin(x)), 1e7 float32", "sum_sin", [10_000_000], 0.1),
    "softmax": ("softmax, 4096 x 1024", "softmax", [4096, 1024], 0.7),
    "layernorm": ("layernorm, 4096 x 1024", "layernorm", [4096, 1024], 0.7),
    "logsumexp": ("logsumexp, 4096 x 1024", "logsumexp", [4096, 1024], 0.7),
    "sum-axis-0": ("sum over axis 0, 4096 x 4096", "sum_axis0", [4096, 4096], 0.7),
    "sum-axis-1": ("sum over axis 1, 4096 x 4096", "sum_axis1", [4096, 4096], 0.7),
}

CASES = tuple(
    case(name, title, ROW, limit, "reduction", {"which": which, "shape": shape}, in_quick=name != "sum-sin-1e7")
    for name, (title, which, shape, limit) in _WHAT.items()
)
