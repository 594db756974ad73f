# SPDX-License-Identifier: Apache-2.0
"""What the tests of linear algebra share."""

from __future__ import annotations

from typing import Any

import numpy as np

RANDOM = np.random.RandomState(1)


def drawn(*shape: int, dtype: Any = float) -> np.ndarray:
    """Random numbers; complex ones have both parts."""
    x = RANDOM.randn(*shape)
    return np.asarray(x + 1j * RANDOM.randn(*shape) if dtype is complex else x)


def definite(x: np.ndarray) -> np.ndarray:
    """Hermitian positive definite matrices."""
    return x @ np.conj(np.swapaxes(x, -1, -2)) + np.eye(x.shape[-1])


def same(actual: Any, expected: Any, tolerance: float = 1e-9) -> None:
    """Both of one shape, and nearly equal."""
    if isinstance(expected, (tuple, list)):
        assert len(actual) == len(expected)
        for x, y in zip(actual, expected, strict=True):
            same(x, y, tolerance)
        return
    assert np.shape(actual) == np.shape(expected)
    np.testing.assert_allclose(actual, expected, rtol=tolerance, atol=tolerance)
