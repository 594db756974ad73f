# SPDX-License-Identifier: Apache-2.0
"""The works of the serving programs: each work the same text for olympus, its peer and NumPy.

A work is a function of a `Side` and the arguments of a row; it gives a `Work`.
"""

from __future__ import annotations

from collections.abc import Callable

from . import (
    accelerators,
    calls,
    chains,
    functions,
    linear_algebra,
    loops,
    matrices,
    models,
    reductions,
    samples,
    sharded,
    solver_loops,
    transforms,
)
from .side import Side, Work
from .training import TRAINING

WORKS: dict[str, Callable[..., Work]] = {
    "chain": chains.chain, "fresh": chains.fresh, "ten": chains.ten_of,
    "reduction": reductions.reduction, "samples": samples.samples, "transform": transforms.transform,
    "call": calls.call, "tree": calls.tree, "eager": calls.eager,
    "put": calls.put, "shards": calls.shards, "lorenz": calls.lorenz, "remat": calls.remat, "pmapped": calls.pmapped,
    "parts": calls.parts, "ahead": calls.ahead, "pair": calls.pair,
    "loop": loops.loop, "mapped_loop": loops.mapped, "solver_loop": solver_loops.solver_loop,
    "special": functions.special, "segments": functions.segments, "sparse_product": functions.sparse_product,
    "decomposition": linear_algebra.decomposition,
    "matmul": matrices.matmul, "small_matmuls": matrices.small_matmuls,
    "widened_matmul": matrices.widened_matmul,
    "convolution": matrices.convolution,
    "mlp": models.mlp, "attention": models.attention, "fresh_mlp": models.fresh_mlp,
    "device_copy": accelerators.device_copy, "dense": accelerators.dense, "twenty": accelerators.twenty,
    "transformer": accelerators.transformer,
    "sum_sin": sharded.sum_sin, "product": sharded.product, "psum": sharded.psum,
    **TRAINING,
}
