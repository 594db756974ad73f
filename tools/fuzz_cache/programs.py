# SPDX-License-Identifier: Apache-2.0
"""Programs of the language against NumPy, in a process of their own: `python -m tools.fuzz_cache.programs seed`."""

from __future__ import annotations

import sys
import warnings

import numpy as np

import olympus
import olympus.numpy as jnp
from olympus_core.errors import CompilationCacheWarning


def main(seed: int) -> int:
    """Runs them; the exit code is 1 where a number is wrong."""
    warnings.simplefilter("error")
    warnings.simplefilter("ignore", CompilationCacheWarning)
    x = np.random.default_rng(seed).normal(size=(16, 24)).astype(np.float32)
    programs = [
        (lambda v: jnp.sin(v) * 2 + v, np.sin(x) * 2 + x),
        (lambda v: jnp.sum(v, axis=0), x.sum(0)),
        (lambda v: v @ v.T, x @ x.T),
        (lambda v: jnp.max(jnp.abs(v), axis=1), np.abs(x).max(1)),
        (lambda v: jnp.sort(v, axis=1), np.sort(x, axis=1)),
    ]
    for number, (function, expected) in enumerate(programs):
        found = np.asarray(olympus.jit(function)(x))
        if not np.allclose(found, expected, 1e-4, 1e-4):
            sys.stderr.write(f"program {number} gave {found} where {expected} belongs\n")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
