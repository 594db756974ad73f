# SPDX-License-Identifier: Apache-2.0
"""Kernels of several launches, through the whole platform: what one leaves in scratch memory the next one finds."""

from __future__ import annotations

from ..conftest import RunWithGpus

SCRIPT = """
import numpy as np
import olympus
from olympus import numpy as jnp

x = np.random.default_rng(0).integers(-3, 4, 50_000).astype(np.float32)
columns = x[:48_000].reshape(6000, 8)
for f, given, wanted in (
    (lambda x: jnp.cumsum(x * 2), x, np.cumsum(x * 2)),
    (lambda x: jnp.flip(jnp.cumsum(jnp.flip(x))) + 1, x, np.cumsum(x[::-1])[::-1] + 1),
    (lambda x: jnp.cumsum(x, axis=0), columns, np.cumsum(columns, axis=0)),
):
    run = olympus.jit(f)
    results = [np.asarray(run(given)) for _ in range(4)]  # the last from a captured graph, where there is one
    assert all(np.array_equal(result, wanted) for result in results)
print("right")
"""


def test_long_running_sums(run_with_gpus: RunWithGpus) -> None:
    assert run_with_gpus(SCRIPT).split() == ["right"]
