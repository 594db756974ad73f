# SPDX-License-Identifier: Apache-2.0
"""Identities of the operations that combine elements: what they give of no elements. Records hold them."""

from __future__ import annotations

import ml_dtypes
import numpy as np

from olympus_core import dtypes


def lowest(dtype: np.dtype) -> np.ndarray:
    """The least element of a type: what a maximum over nothing gives."""
    return _end(dtype, -np.inf)


def highest(dtype: np.dtype) -> np.ndarray:
    """The greatest element of a type: what a minimum over nothing gives."""
    return _end(dtype, np.inf)


def _end(dtype: np.dtype, infinity: float) -> np.ndarray:
    if dtypes.is_bool(dtype):
        return np.asarray(infinity > 0)
    if dtypes.is_complex(dtype):  # in NumPy's order, by real part, then imaginary
        return np.asarray(complex(infinity, infinity), dtype)
    if dtypes.is_float(dtype) and np.isinf(np.asarray(infinity, dtype)):
        return np.asarray(infinity, dtype)
    # Of integers, or floats without infinity, which may have no negative numbers either.
    limits = dtypes.limits(dtype) if dtypes.is_integer(dtype) else ml_dtypes.finfo(dtype)
    return np.asarray(limits.max if infinity > 0 else limits.min, dtype)


def zero(dtype: np.dtype) -> np.ndarray:
    """What a sum over nothing gives."""
    return np.zeros((), dtype)


def one(dtype: np.dtype) -> np.ndarray:
    """What a product over nothing gives."""
    return np.ones((), dtype)
