# SPDX-License-Identifier: Apache-2.0
"""What the same bits on every machine cost: programs with `OLYMPUS_REPRODUCIBLE=1` beside the same without.

At most 1.15; what decompositions of large matrices cost has no bar, since the library's threads are as many as the
machine's.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from benchmarks.measure import Case, ratio
from benchmarks.servers import Kind

from .served import serve

ROW = "the same bits everywhere"
_LIMIT = 1.15
_WORKS: Mapping[str, tuple[str, str, Mapping[str, Any], int, float | None]] = {
    "sum": ("sum over axis 1, 4096 x 4096", "reduction", {"which": "sum_axis1", "shape": [4096, 4096]}, 1, _LIMIT),
    "softmax": ("softmax, 4096 x 1024", "reduction", {"which": "softmax", "shape": [4096, 1024]}, 1, _LIMIT),
    "matmul": ("float32 1024 x 1024", "matmul", {"size": 1024, "dtype": "float32"}, 1, _LIMIT),
    "mlp": ("MLP forward", "mlp", {}, 1, _LIMIT),
    "psum": ("x @ y with psum over 8 devices, 1024", "product", {"size": 1024}, 8, _LIMIT),
    "psum-small": ("x @ y with psum over 8 devices, 256", "product", {"size": 256}, 8, _LIMIT),
    "qr-small": ("QR of 4096 x 16 x 16", "decomposition", {"which": "qr", "shape": (4096, 16, 16)}, 1, _LIMIT),
    "cholesky": ("Cholesky of 2048 x 2048", "decomposition", {"which": "cholesky", "shape": (2048, 2048)}, 1, None),
    "eigh": ("eigenvalues and vectors of 512 x 512", "decomposition", {"which": "eigh", "shape": (512, 512)}, 1, None),
}
_SIDES = ("reproducible", "olympus")


def _case(name: str, title: str, work: str, arguments: Mapping[str, Any], devices: int, limit: float | None) -> Case:
    sides = {side: partial(serve, side, Kind(devices=devices), work, arguments) for side in _SIDES}
    return Case(
        name=f"same-bits-{name}", title=title, unit="µs", row=ROW, sides=sides,
        bars=(ratio("reproducible", "olympus", limit),), rounds=31, quick_rounds=7, warmups=2, seconds=4.0,
        demand="beside a row that has its share")


CASES = tuple(_case(name, *rest) for name, rest in _WORKS.items())
