# SPDX-License-Identifier: Apache-2.0
"""Fourier transforms."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .side import Side, Work


def transform(side: Side, shape: Sequence[int]) -> Work:
    """The transform of a line, or of the last two dimensions; the root of the mean of squares is compared."""
    random = np.random.default_rng(0)
    x = random.standard_normal(tuple(shape), np.float32).astype(np.complex64)
    numpy = np if side.plain else side.module("numpy")
    function = numpy.fft.fft if len(shape) == 1 else numpy.fft.fft2
    points = shape[0] if len(shape) == 1 else shape[-1] * shape[-2]
    wanted = np.sqrt(np.mean(np.abs(x) ** 2, dtype=np.float64) * points)  # Parseval's theorem
    names = {"f": function if side.plain else side.jit(function), "x": x if side.plain else side.put(x)}
    return Work("f(x)", names, wanted, 1e-4, read=_size)


def _size(found: object) -> np.float64:
    return np.float64(np.sqrt(np.mean(np.abs(np.asarray(found)) ** 2, dtype=np.float64)))
