# SPDX-License-Identifier: Apache-2.0
"""The rows of `benchmarks.programs`: one step of a whole program, its first call, and its memory.

They are no part of `benchmarks`, whose run would take twice as long.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from benchmarks.measure import Case, ratio
from benchmarks.servers import Kind

from .compiling import first_call
from .memory import peak
from .served import demand, serve

_SIDES = ("olympus", "peer")
_JOB = Kind(processes=4, devices=2)
_APART = "the roof is that of one process's threads"
STEP, FIRST, MEMORY = "a step", "the first call, in a fresh process", "peak memory of a process, libraries included"

# Name, title, the most that the ratio of a step may be, the work and its arguments, what processes are like.
PROGRAMS: tuple[tuple[str, str, float, str, Mapping[str, Any], Kind], ...] = (
    ("gpt-4", "GPT, 4 layers x 256, batch 8 x 128, Adam", 0.5, "gpt",
     {"depth": 4, "width": 256, "batch": 8, "tokens": 128}, Kind()),
    ("gpt-12", "GPT, 12 layers x 128, batch 4 x 64, Adam", 0.5, "gpt",
     {"depth": 12, "width": 128, "batch": 4, "tokens": 64}, Kind()),
    ("encoder", "encoder, 6 layers x 256, batch 8 x 64, bfloat16", 0.5, "encoder", {}, Kind()),
    ("cnn", "three strided convolutions, 32 images of 32 x 32", 0.5, "cnn", {}, Kind()),
    ("resnet", "ResNet-18, 8 images of 32 x 32", 0.5, "resnet", {}, Kind()),
    ("unet", "block of a diffusion U-Net, 4 images of 32 x 32", 0.5, "unet", {}, Kind()),
    ("mlp", "perceptron 784-512-512-10, batch 128", 0.7, "mlp_step", {}, Kind()),
    ("lstm", "LSTM 128, 64 turns, batch 32", 0.7, "lstm", {}, Kind()),
    ("graph", "graph network, 2000 nodes, 16,000 edges, 3 rounds", 0.5, "graph", {}, Kind()),
    ("examples", "gradients of 256 examples x 64", 0.5, "examples", {}, Kind()),
    ("embedding", "gradient of 8192 rows of 50,000 x 64", 0.7, "embedding", {}, Kind()),
    ("heat", "heat equation, 1024 x 1024, 20 turns", 0.5, "heat", {}, Kind()),
    ("bodies", "forces of 1024 bodies", 0.5, "bodies", {}, Kind()),
    ("neighbours", "10 nearest of 4096 points, 256 times", 0.7, "neighbours", {}, Kind()),
    ("monte-carlo", "1000 random walks of 365 days", 0.7, "monte_carlo", {}, Kind()),
    ("mandelbrot", "Mandelbrot's set, 512 x 512, 50 turns", 0.7, "mandelbrot", {}, Kind()),
    ("data-parallel", "the perceptron, batch 1024, 4 processes x 2 devices, data parallel", 0.5, "data_parallel", {},
     _JOB),
    ("fsdp", "the perceptron, batch 1024, 4 processes x 2 devices, fully sharded", 0.5, "fully_sharded", {}, _JOB),
)


def _cases() -> Iterator[Case]:
    for name, title, limit, work, arguments, kind in PROGRAMS:
        yield Case(
            name=f"{name}-step", title=title, unit="µs", row=STEP,
            sides={side: partial(serve, side, kind, work, arguments, compared=True) for side in _SIDES},
            bars=(ratio("olympus", "peer", limit),), rounds=31, quick_rounds=7, warmups=2, seconds=6.0,
            demand=_APART if kind is _JOB else partial(demand, kind),
        )
    for name, title, _, work, arguments, kind in PROGRAMS:
        yield Case(
            name=f"{name}-first", title=title, unit="ms", row=FIRST,
            sides={side: partial(first_call, side, work, arguments, kind, False) for side in _SIDES},
            bars=(ratio("olympus", "peer", 0.3),), rounds=5, quick_rounds=1, warmups=0, seconds=30.0, least=3,
        )
        yield Case(
            name=f"{name}-memory", title=title, unit="MiB", row=MEMORY,
            sides={side: partial(peak, side, work, arguments, kind) for side in _SIDES},
            bars=(ratio("olympus", "peer", 0.6),), rounds=3, quick_rounds=1, warmups=0, seconds=30.0, least=1,
        )


CASES = tuple(_cases())
