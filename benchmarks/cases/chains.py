# SPDX-License-Identifier: Apache-2.0
"""Fused elementwise chains."""

from __future__ import annotations

from benchmarks.measure import Case
from benchmarks.servers import Kind

from .served import case

ROW = "fused elementwise chains"
# What they compute.
CHAINS = {
    "sin": "2 sin(x) + 1", "gelu": "gelu(x)", "silu": "silu(x)", "relu": "relu(ax + b)", "expcos": "exp(-xx) cos(y)",
    "tanh": "tanh(a tanh(b tanh(x)) + c)",
}
SIZES = {"1e5": 100_000, "1e7": 10_000_000}
TYPES = {"f32": "float32", "f64": "float64"}


def limit(chain: str, kind: str) -> float:
    """The bar: lower where sin, cos or any transcendental function of float64 is in it."""
    return 0.15 if chain in ("sin", "expcos") or (kind == "f64" and chain != "relu") else 0.5


def _case(chain: str, size: str, kind: str) -> Case:
    text = CHAINS[chain]
    return case(
        name=f"chain-{chain}-{size}-{kind}", title=f"{text}, {size} {TYPES[kind]}", row=ROW, limit=limit(chain, kind),
        work="chain", arguments={"which": chain, "size": SIZES[size], "dtype": TYPES[kind]},
        kind=Kind(wide=kind == "f64"), in_quick=size != "1e7",
    )


CASES = tuple(_case(chain, size, kind) for kind in TYPES for size in SIZES for chain in CHAINS)
