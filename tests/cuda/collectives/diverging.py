# SPDX-License-Identifier: Apache-2.0
"""Processes that launch different programs: `python -m tests.cuda.collectives.diverging INDEX COUNT PORT`."""

from __future__ import annotations

import sys

import numpy as np

import olympus
import olympus.numpy as jnp
from olympus.errors import DivergenceError
from olympus.sharding import Mesh, NamedSharding
from olympus.sharding import PartitionSpec as P


def main() -> None:
    """Both add up columns; then one looks for the largest."""
    index, count, port = map(int, sys.argv[1:4])
    olympus.distributed.initialize(f"localhost:{port}", count, index)
    mesh = Mesh(np.array(olympus.devices()), ("x",))
    x = olympus.device_put(np.ones((4, 2), np.float32), NamedSharding(mesh, P("x")))
    total = olympus.jit(lambda v: jnp.sum(v, axis=0))(x)
    print("SUM", np.asarray(total).tolist(), flush=True)
    try:
        reduction = jnp.max if index else jnp.sum
        olympus.jit(lambda v: reduction(v, axis=0) * 2)(x).block_until_ready()
    except DivergenceError as error:
        print(f"RAISED {type(error).__name__}: {error}", flush=True)


if __name__ == "__main__":
    main()
