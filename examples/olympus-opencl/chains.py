"""Chains of operations on 1e7 float32 by this platform beside the CPU platform, in one process, taking turns.

    OLYMPUS_PLATFORMS=opencl,cpu OLYMPUS_NUM_CPU_DEVICES=1 python chains.py
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

import olympus
import olympus.numpy as jnp

SIZE, TURNS = 10_000_000, 15
CHAINS: dict[str, tuple[int, Callable[..., Any]]] = {
    "2 sin(x) + 1": (1, lambda x: 2 * jnp.sin(x) + 1),
    "gelu": (1, olympus.nn.gelu),
    "silu": (1, olympus.nn.silu),
    "relu": (1, lambda x: jnp.maximum(1.5 * x + 0.25, 0)),
    "exp(-x x) cos(y)": (2, lambda x, y: jnp.exp(-x * x) * jnp.cos(y)),
    "tanh, three times": (1, lambda x: jnp.tanh(1.5 * jnp.tanh(0.5 * jnp.tanh(x)) + 0.25)),
    "x y + z": (3, lambda x, y, z: x * y + z),
}


def measured(count: int, formula: Callable[..., Any], values: list[np.ndarray]) -> dict[str, np.ndarray]:
    """The seconds of each turn, and of all processors in it, by platform; what they compute must be the same."""
    calls, results = {}, []
    for name in ("opencl", "cpu"):
        arrays = [olympus.device_put(x, olympus.devices(name)[0]) for x in values[:count]]
        function = olympus.jit(formula)
        results.append(np.asarray(function(*arrays)))
        calls[name] = lambda function=function, arrays=arrays: function(*arrays).block_until_ready()
    np.testing.assert_allclose(*results, rtol=1e-5, atol=1e-6)
    seconds: dict[str, list[tuple[float, float]]] = {name: [] for name in calls}
    for _ in range(TURNS):
        for name, call in calls.items():
            begin = time.perf_counter(), time.process_time()
            call()
            seconds[name].append((time.perf_counter() - begin[0], time.process_time() - begin[1]))
    return {name: np.array(found) for name, found in seconds.items()}


def main() -> None:
    """Prints the medians, and the medians of the turns' ratios: of time, and of processors' time, if others use them."""
    random = np.random.default_rng(0)
    values = [3 * random.standard_normal(SIZE, np.float32) for _ in range(3)]
    print(f"{'chain':20}{'opencl':>10}{'cpu':>10}{'ratio':>8}{'processors':>12}")
    for name, (count, formula) in CHAINS.items():
        found = measured(count, formula, values)
        opencl, cpu = (1e3 * np.median(found[platform][:, 0]) for platform in ("opencl", "cpu"))
        ratio, of_processors = np.median(found["opencl"] / found["cpu"], axis=0)
        print(f"{name:20}{opencl:7.1f} ms{cpu:7.1f} ms{ratio:8.2f}{of_processors:12.2f}", flush=True)


if __name__ == "__main__":
    main()
