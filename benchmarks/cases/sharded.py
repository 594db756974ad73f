# SPDX-License-Identifier: Apache-2.0
"""Eight devices of one process, and four processes of two devices each."""

from __future__ import annotations

from benchmarks.servers import Kind

from .served import case

ONE, FOUR = "8 devices of one process", "psum, 4 processes x 2 devices"
_EIGHT, _JOB = Kind(devices=8), Kind(processes=4, devices=2)
_BYTES = {"4B": 4, "64KiB": 1 << 16, "1MiB": 1 << 20, "64MiB": 1 << 26}
_SIZES = {"8": 8, "8192": 8192, "1e5": 100_000, "1e6": 1_000_000, "1e7": 10_000_000}

EIGHT = (
    *(
        case(f"devices-sum-sin-{size}", f"sum(sin(x)), {size} float32", ONE, 0.15, "sum_sin", {"size": count}, _EIGHT,
             in_quick=count < 10_000_000, uncounted="" if count > 8 else "the cost of a call")
        for size, count in _SIZES.items()
    ),
    *(
        case(f"devices-matmul-{size}", f"x @ y with psum, {size} x {size}", ONE, 0.5, "product", {"size": size}, _EIGHT,
             in_quick=size < 2048)
        for size in (64, 256, 512, 1024, 2048)
    ),
)

JOB = tuple(
    case(f"psum-{size}", f"{size[:-3] or size[:-1]} {size[-3:] if count > 4 else 'B'} of each device", FOUR, 0.3,
         "psum", {"bytes_each": count}, _JOB, sides=("olympus", "peer"), in_quick=count < 1 << 26,
         uncounted="an exchange between processes")
    for size, count in _BYTES.items()
)
