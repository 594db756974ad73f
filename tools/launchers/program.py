# SPDX-License-Identifier: Apache-2.0
"""What every launcher starts: a sum over the devices of all processes."""

from __future__ import annotations

import sys

import numpy as np

import olympus
import olympus.numpy as jnp

olympus.distributed.initialize()
count = olympus.device_count()
sharding = olympus.NamedSharding(olympus.make_mesh((count,), ("x",)), olympus.P("x"))
total = float(jnp.sum(olympus.device_put(np.arange(4.0 * count), sharding)))
line = f"process {olympus.process_index()} of {olympus.process_count()}: {count} devices, sum {total}\n"
sys.stdout.write(line)  # at once, so that launchers mix no lines
sys.stdout.flush()
