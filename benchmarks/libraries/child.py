# SPDX-License-Identifier: Apache-2.0
"""The measured process: runs one program, with JAX or behind the door, and prints losses and times as JSON."""

from __future__ import annotations

import importlib
import json
import statistics
import sys
import time


def main(name: str) -> None:
    """Runs a program's steps; the first one's time is that of tracing and compiling."""
    begun = time.perf_counter()
    module = importlib.import_module(f"benchmarks.libraries.programs.{name}")
    import numpy as np

    imported = time.perf_counter()
    step, state, count = module.program()
    made = time.perf_counter()
    losses, times = [], []
    for _ in range(count):
        start = time.perf_counter()
        state, loss = step(state)
        losses.append(float(np.asarray(loss)))  # waits for the step
        times.append(time.perf_counter() - start)
    own = {"tolerance": module.TOLERANCE} if hasattr(module, "TOLERANCE") else {}
    print(json.dumps({**own, "losses": losses, "import": imported - begun, "make": made - imported, "first": times[0],
                      "step": statistics.median(times[1:])}))


if __name__ == "__main__":
    main(sys.argv[1])
