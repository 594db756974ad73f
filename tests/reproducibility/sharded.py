# SPDX-License-Identifier: Apache-2.0
"""Programs over all devices: collectives, sums over shards, training with data parallelism."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import olympus
import olympus.numpy as jnp
from olympus import lax, nn
from olympus.sharding import NamedSharding
from olympus.sharding import PartitionSpec as P

from .programs import Program, data, layer_norm, loss


def placed(mesh: Any, spec: Any, *arrays: np.ndarray) -> tuple[Any, ...]:
    """Arrays on the mesh's devices."""
    return tuple(olympus.device_put(x, NamedSharding(mesh, spec)) for x in arrays)


def sharded_programs() -> list[Program]:
    """Programs whose operands lie on all devices, of all processes."""
    mesh = olympus.make_mesh((olympus.device_count(),), ("i",))
    rows, columns, whole = P("i"), P(None, "i"), P()

    def mapped(function: Callable[..., Any], out: Any, inputs: Any = rows) -> Callable[..., Any]:
        return olympus.shard_map(function, mesh=mesh, in_specs=inputs, out_specs=out)

    found = []
    for dtype in ("float32", "float64", "bfloat16", "float16", "complex64", "int32"):
        (x,) = placed(mesh, rows, data(16, 1000, dtype=dtype))
        found += [
            Program(f"psum {dtype}", mapped(lambda v: lax.psum(v, "i"), whole), (x,)),
            Program(f"sum over shards {dtype}", lambda v: jnp.sum(v, 0), (x,)),
            Program(f"sum of all {dtype}", jnp.sum, (x,)),
            Program(f"sum of rows {dtype}", lambda v: jnp.sum(v, 1), (x,)),
            Program(f"reduce_scatter {dtype}", mapped(
                lambda v: lax.psum_scatter(v, "i", scatter_dimension=1, tiled=True), columns), (x,)),
        ]
    (x, y), (w,) = placed(mesh, rows, data(64, 96), data(64, 40, seed=2)), placed(mesh, whole, data(96, 40))
    (left,), (lower,) = placed(mesh, columns, data(64, 96)), placed(mesh, rows, data(96, 40))
    (long,) = placed(mesh, rows, data(80000))
    weights = tuple(olympus.device_put(v, NamedSharding(mesh, whole)) for v in (
        data(96, 50), data(50), data(50, 10, seed=2), data(10)))
    labels = olympus.device_put(np.eye(10, dtype="float32")[data(64, dtype="int32") % 10], NamedSharding(mesh, rows))

    def mean_loss(v: Any, x: Any, y: Any) -> Any:
        return loss([(v[0], v[1]), (v[2], v[3])], x / 9, y)

    return [
        *found,
        Program("all_gather", mapped(lambda v: lax.all_gather(v, "i", tiled=True) * 2, whole), (x,)),
        Program("pmean", mapped(lambda v: lax.pmean(v * v, "i"), whole), (x,)),
        Program("pmax", mapped(lambda v: lax.pmax(v, "i"), whole), (x,)),
        Program("product over shards", jnp.matmul, (left, lower)),
        Program("product of shards", jnp.matmul, (x, w)),
        Program("transposed product over shards", lambda a, b: a.T @ b, (x, y)),
        Program("psum of products", mapped(lambda a, b: lax.psum(a @ b, "i"), whole, (columns, rows)), (left, lower)),
        Program("long sum", jnp.sum, (long,)), Program("long mean", jnp.mean, (long,)),
        Program("long norm", jnp.linalg.norm, (long,)), Program("long variance", jnp.var, (long,)),
        Program("long cumulative sum", jnp.cumsum, (long,)), Program("long maximum", jnp.max, (long,)),
        Program("softmax over shards", lambda v: nn.softmax(v, 0), (x,)),
        Program("softmax of shards", lambda v: nn.softmax(v, 1), (x,)),
        Program("layer norm of shards", lambda v, g: layer_norm(v, g[0], g[1]), (x, w[:, :2].T)),
        Program("sort over shards", jnp.sort, (long,)),
        Program("loss of data parallelism", mean_loss, (weights, x, labels)),
        Program("gradient of data parallelism", olympus.grad(mean_loss), (weights, x, labels)),
        Program("convolution of shards", lambda v: lax.conv_general_dilated(
            v.reshape(64, 8, 12, 1), jnp.ones((3, 3, 1, 4), "float32") / 3, (1, 1), "SAME",
            dimension_numbers=("NHWC", "HWIO", "NHWC")), (x,)),
    ]
