"""`fft` by PocketFFT, as SciPy builds it: both precisions, any length, without Python's lock, threads over the rest."""

from __future__ import annotations

import math

import numpy as np

from olympus_core.program import Operation
from olympus_core.toolkit import Kernel, KernelFactory

from ..native.pool import pool

_LEAST_FOR_THREADS = 1 << 15  # elements below which starting them costs more than they save


def _fft(operation: Operation) -> Kernel | None:
    x, result = operation.operands[0].type, operation.results[0].type
    if not x.size or not result.size:
        return None
    kind, axis, length = (operation.attributes[name] for name in ("kind", "dimension", "length"))
    rows = math.prod(n for d, n in enumerate(x.shape) if d != axis)

    def run(x: np.ndarray) -> np.ndarray:
        from scipy import fft  # when the first transform runs

        workers = min(rows, pool().threads) if x.size >= _LEAST_FOR_THREADS else 1
        found: np.ndarray = getattr(fft, kind)(x, length, axis, workers=workers)
        return found

    return Kernel(run, is_fresh=True)


FOURIER: dict[str, KernelFactory] = {"fft": _fft}
