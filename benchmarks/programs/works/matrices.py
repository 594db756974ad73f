# SPDX-License-Identifier: Apache-2.0
"""Products of matrices, and convolutions."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np

from .side import Side, Work


def _normal(seed: int, *shape: int) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal(shape, np.float32)


def matmul(side: Side, size: int, dtype: str) -> Work:
    """A square product; NumPy, which has no bfloat16 product, converts to float32 and back."""
    kind = ml_dtypes.bfloat16 if dtype == "bfloat16" else np.dtype(dtype)
    x, y = (_normal(seed, size, size).astype(kind) for seed in (0, 1))

    def product(x: Any, y: Any) -> Any:
        if side.plain and dtype == "bfloat16":
            return (x.astype(np.float32) @ y.astype(np.float32)).astype(kind)
        return x @ y

    # Some rows of the truth: all of it would take longer than the samples.
    def truth() -> np.ndarray:
        return x[:16].astype(np.float32) @ y.astype(np.float32)

    tolerance = 1e-2 if dtype == "bfloat16" else 1e-4
    names = {"f": side.jit(product), "x": side.put(x), "y": side.put(y)}
    return Work("f(x, y)", names, truth, tolerance, read=lambda r: side.host(r)[:16])


def widened_matmul(side: Side, size: int, dtype: str, result: str) -> Work:
    """A square product of narrow numbers, summed in a wider type; NumPy converts, to floats that hold the sums."""
    if dtype == "int8":
        x, y = (np.random.default_rng(seed).integers(-128, 127, (size, size), dtype, endpoint=True) for seed in (0, 1))
    else:
        x, y = (_normal(seed, size, size).astype(ml_dtypes.bfloat16) for seed in (0, 1))
    wide = np.float64 if dtype == "int8" else np.float32

    def product(x: Any, y: Any) -> Any:
        if side.plain:
            return (x.astype(wide) @ y.astype(wide)).astype(result)
        return side.np.matmul(x, y, preferred_element_type=result)

    def truth() -> np.ndarray:
        return x[:16].astype(wide) @ y.astype(wide)

    names = {"f": side.jit(product), "x": side.put(x), "y": side.put(y)}
    return Work("f(x, y)", names, truth, 1e-4, read=lambda r: side.host(r)[:16])


def small_matmuls(side: Side) -> Work:
    """64 products of (128, 64) and (64, 128)."""
    x, y = _normal(0, 64, 128, 64), _normal(1, 64, 64, 128)
    names = {"f": side.jit(lambda x, y: x @ y), "x": side.put(x), "y": side.put(y)}
    return Work("f(x, y)", names, lambda: x @ y, 1e-5)


def convolution(side: Side, images: int, size: int, features: int) -> Work:
    """Windows of 3 x 3 over images with as many features after as before; of NumPy's side a product for each place."""
    x, kernel = _normal(0, images, size, size, features), _normal(1, 3, 3, features, features)

    def places(x: Any, kernel: Any) -> Any:
        padded = np.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)))
        return sum(padded[:, i : i + size, j : j + size] @ kernel[i, j] for i in range(3) for j in range(3))

    def windows(x: Any, kernel: Any) -> Any:
        return side.module("lax").conv_general_dilated(
            x, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))

    names = {"f": side.jit(places if side.plain else windows), "x": side.put(x), "k": side.put(kernel)}
    return Work("f(x, k)", names, lambda: places(x[:1], kernel), 1e-4, read=lambda r: side.host(r)[:1])
