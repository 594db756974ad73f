# SPDX-License-Identifier: Apache-2.0
"""The rows and their bars, as they are set for an H200."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

from benchmarks.cases.chains import CHAINS
from benchmarks.cases.compiling import ROW as COMPILING
from benchmarks.cases.linear_algebra import DECOMPOSITIONS, SHAPES
from benchmarks.cases.served import case, serve
from benchmarks.measure import Bar, Case, Sample, Setup
from benchmarks.servers import Kind

GPU = Kind(platform="cuda")
_SIDES = ("olympus", "peer", "cupy")
_SIZE = 1 << 28
_ROWS = [16384, 8192]


def over_copy(moved: float, limit: float) -> Bar:
    """olympus's time over that of a copy that moves as many bytes.

    Args:
        moved: Bytes that have to be moved, over those that the copy reads and writes.
        limit: The most that it may be.
    """

    def figure(medians: Mapping[str, float]) -> float:
        return medians["olympus"] / (moved * medians["device copy"])

    return Bar("olympus / a device copy of as many bytes", figure, round(1 / limit, 3))


def copying(size: int) -> dict[str, Any]:
    """The side that copies."""

    def opened(setup: Setup) -> AbstractContextManager[Sample]:
        return serve("device copy", GPU, "device_copy", {"size": size}, setup)

    return {"device copy": opened}


def _case(
    name: str, title: str, row: str, limit: float, work: str, sides: Sequence[str] = _SIDES, **options: Any
) -> Case:
    return case(f"cuda-{name}", title, row, limit, work, kind=GPU, sides=sides, **options)


def _large() -> list[Case]:
    chains = [
        _case(f"chain-{which}", f"{CHAINS[which]}, 2^28 float32", "fused elementwise chains", 1.0, "chain",
              arguments={"which": which, "size": _SIZE, "dtype": "float32"},
              extra=copying(_SIZE), bars=(over_copy(moved, 0.9),), in_quick=which == "gelu")
        for which, moved in (("relu", 1.0), ("gelu", 1.0), ("silu", 1.0), ("expcos", 1.5))
    ]
    size = _ROWS[0] * _ROWS[1]
    rows = [
        _case(f"{which.replace('_', '-')}", f"{text}, 16384 x 8192", "reductions", 1.0, "reduction",
              arguments={"which": which, "shape": _ROWS}, extra=copying(size), bars=(over_copy(moved, 0.85),))
        for which, text, moved in (
            ("sum_axis0", "sum over axis 0", 0.5), ("sum_axis1", "sum over axis 1", 0.5), ("softmax", "softmax", 1.0),
            ("layernorm", "layernorm", 1.0),
        )
    ]
    return chains + rows


def _linear_algebra() -> list[Case]:
    return [
        _case(f"{which}-{name}", f"{title} of {' x '.join(map(str, shape))}, float32", "linear algebra", 1.0,
              "decomposition", ("olympus", "peer"), arguments={"which": which, "shape": shape},
              rounds=5 if name == "2048" else 15)
        for which, title in DECOMPOSITIONS.items() for name, shape in SHAPES.items()
    ]


CASES: tuple[Case, ...] = (
    *_large(),
    # CuPy has no product of bfloat16 that these could be compared with.
    _case("dense", "bfloat16 8192 x 8192 x 8192, bias, relu", "products", 1.0, "dense", ("olympus", "peer"),
          arguments={"size": 8192}),
    _case("transformer", "transformer block forward, 4096 tokens, 4096 wide, bfloat16", "models", 1.1, "transformer",
          ("olympus", "peer"), arguments={"tokens": 4096, "width": 4096, "heads": 32}),
    _case("transformer-gradient", "its gradient for tokens and weights", "models", 1.1, "transformer",
          ("olympus", "peer"), arguments={"tokens": 4096, "width": 4096, "heads": 32, "gradient": True}),
    *_linear_algebra(),
    _case("call", "jitted x + 1 on 8 floats", "calls", 1.0, "call", rounds=101),
    _case("twenty", "20 operations on small arrays", "calls", 0.7, "twenty", rounds=101),
    _case("compile-chain", "first call of a new chain of 10 operations, running process", COMPILING, 0.7, "fresh",
          ("olympus", "peer")),
)
