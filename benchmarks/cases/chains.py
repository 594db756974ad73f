# SPDX-License-Identifier: Apache-2.0
"""Fused elementwise chains, beside a plain copy of the same bytes: their limit."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from benchmarks.measure import Bar, Case
from benchmarks.servers import Kind

from .served import case, serve

ROW = "fused elementwise chains"
BANDWIDTH = "bandwidth of large chains"
# The chain's text, and the arrays that go in.
CHAINS = {
    "sin": ("2 sin(x) + 1", 1), "gelu": ("gelu(x)", 1), "silu": ("silu(x)", 1), "relu": ("relu(ax + b)", 1),
    "expcos": ("exp(-xx) cos(y)", 2), "tanh": ("tanh(a tanh(b tanh(x)) + c)", 1),
}
SIZES = {"1e5": 100_000, "1e7": 10_000_000}
TYPES = {"f32": "float32", "f64": "float64"}


def limit(chain: str, kind: str) -> float:
    """The bar: lower where sin, cos or any transcendental function of float64 is in it."""
    return 0.15 if chain in ("sin", "expcos") or (kind == "f64" and chain != "relu") else 0.5


def share(arrays: int, side: str) -> Bar:
    """A side's bandwidth as a share of the copy's, which reads one array and writes one."""

    def figure(medians: Mapping[str, float]) -> float:
        return (arrays + 1) / 2 * medians["copy"] / medians[side]

    text = f"{side}'s share of a plain copy's bandwidth"
    return Bar(text, figure, row=BANDWIDTH if side == "olympus" else "")


def _case(chain: str, size: str, kind: str) -> Case:
    text, arrays = CHAINS[chain]
    big, wide = size == "1e7", Kind(wide=kind == "f64")
    bytes_alike = {"size": SIZES[size], "dtype": TYPES[kind]}
    return case(
        name=f"chain-{chain}-{size}-{kind}", title=f"{text}, {size} {TYPES[kind]}", row=ROW, limit=limit(chain, kind),
        work="chain", arguments={"which": chain, **bytes_alike}, kind=wide, in_quick=not big,
        extra={"copy": partial(serve, "copy", wide, "copy", bytes_alike)} if big else None,
        bars=(share(arrays, "olympus"), share(arrays, "peer")) if big else (),
    )


CASES = tuple(_case(chain, size, kind) for kind in TYPES for size in SIZES for chain in CHAINS)
