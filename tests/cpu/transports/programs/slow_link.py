# SPDX-License-Identifier: Apache-2.0
"""A large sum over a slow link, with small limits: ``index address``. Says ``right`` and how long it took."""

from __future__ import annotations

import platform
import sys
import time

import numpy as np

import olympus
import olympus.numpy as jnp
from olympus.sharding import NamedSharding, PartitionSpec

_SIZE = 1 << 20  # elements of 4 bytes


def main() -> None:
    """Sums what each process has."""
    index, address = int(sys.argv[1]), sys.argv[2]
    platform.node = lambda: f"machine {index}"
    olympus.distributed.initialize(address, 2, index)
    rows = NamedSharding(olympus.make_mesh((2,), ("i",)), PartitionSpec("i"))
    own = np.arange(index, index + _SIZE, dtype=np.float32)[None]
    x = olympus.make_array_from_process_local_data(rows, own)
    started = time.monotonic()
    found = np.asarray(olympus.jit(lambda a: jnp.sum(a, axis=0))(x).addressable_data(0))
    print(f"took {time.monotonic() - started:.2f}")
    assert np.array_equal(found, np.arange(_SIZE, dtype=np.float32) * 2 + 1)
    print("right", flush=True)
    olympus.distributed.shutdown()


if __name__ == "__main__":
    main()
