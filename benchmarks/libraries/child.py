# SPDX-License-Identifier: Apache-2.0
"""The measured process: runs one program, with JAX or behind the door, and prints losses and times as JSON."""

from __future__ import annotations

import importlib
import json
import statistics
import sys
import time

_FURTHER = 1.0  # seconds of further steps: the step's time is that after the code that comes first was replaced


def main(name: str) -> None:
    """Runs a program's steps; the first one's time is that of tracing and compiling, a step's that of later ones."""
    begun = time.perf_counter()
    module = importlib.import_module(f"benchmarks.libraries.programs.{name}")
    import numpy as np

    imported = time.perf_counter()
    step, state, count = module.program()
    made = time.perf_counter()
    losses, times = [], []
    end = float("inf")
    while time.perf_counter() < end:
        start = time.perf_counter()
        state, loss = step(state)
        losses.append(float(np.asarray(loss)))  # waits for the step
        times.append(time.perf_counter() - start)
        if len(times) == count:
            end = time.perf_counter() + _FURTHER
    own = {"tolerance": module.TOLERANCE} if hasattr(module, "TOLERANCE") else {}
    print(json.dumps({**own, "losses": losses[:count], "import": imported - begun, "make": made - imported,
                      "first": times[0], "step": statistics.median(times[len(times) // 2:])}))


if __name__ == "__main__":
    main(sys.argv[1])
