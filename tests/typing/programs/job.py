"""A job of several processes, as `olympus launch` starts it; one process alone is a job, too."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import numpy as np
from typing_extensions import assert_type

import olympus
import olympus.numpy as jnp
from olympus import Array, Device, NamedSharding, P
from olympus.experimental import multihost_utils


def main(arguments: Sequence[str] = ()) -> float:
    if arguments:
        coordinator, count, index = arguments
        olympus.distributed.initialize(coordinator, num_processes=int(count), process_id=int(index))
    devices = olympus.devices()
    assert_type(devices, list[Device])
    mesh = olympus.make_mesh((len(devices),), ("data",))
    sharding = NamedSharding(mesh, P("data"))

    def part(index: tuple[slice, ...]) -> np.ndarray:
        return np.arange(2.0 * len(devices), dtype="float32")[index]

    whole = olympus.make_array_from_callback((2 * len(devices),), sharding, part)
    assert_type(whole, Array)
    multihost_utils.sync_global_devices("ready")
    total = olympus.jit(jnp.sum)(whole)
    return float(total)


if __name__ == "__main__":
    main(sys.argv[1:])
