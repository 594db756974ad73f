"""What a fold begins with: of nothing, and where it may change nothing. Every room asks here, by the record."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import ml_dtypes
import numpy as np

from olympus_core import dtypes

from .rules import all_ones


def lowest(dtype: np.dtype) -> np.ndarray:
    """The least element of a type: what a maximum over nothing gives."""
    return _end(dtype, -np.inf)


def highest(dtype: np.dtype) -> np.ndarray:
    """The greatest element of a type: what a minimum over nothing gives."""
    return _end(dtype, np.inf)


def _end(dtype: np.dtype, infinity: float) -> np.ndarray:
    if dtypes.is_bool(dtype):
        return np.asarray(infinity > 0)
    if dtypes.is_integer(dtype):
        limits = np.iinfo(dtype)
        return np.asarray(limits.max if infinity > 0 else limits.min, dtype)
    if dtypes.is_complex(dtype):  # in NumPy's order, by real part, then imaginary
        return np.asarray(complex(infinity, infinity), dtype)
    end = np.asarray(infinity, dtype)
    if np.isinf(end):
        return end
    greatest = float(ml_dtypes.finfo(dtype).max)
    return np.asarray(np.copysign(greatest, infinity), dtype)  # a type without infinity


def _zero(dtype: np.dtype) -> np.ndarray:
    return np.zeros((), dtype)


def _one(dtype: np.dtype) -> np.ndarray:
    return np.ones((), dtype)


# By the binary operation that folds.
IDENTITIES: Mapping[str, Callable[[np.dtype], np.ndarray]] = {
    "add": _zero, "mul": _one, "max": lowest, "min": highest, "and": all_ones, "or": _zero,
}


def neutral(operation: str, dtype: np.dtype) -> np.ndarray:
    """The element that a fold leaves everything as it is with: its identity, but of floating-point sums -0.

    A sum of nothing is 0, and 0 + -0 is 0: where an element stands beside others it has to be -0.

    Args:
        operation: The binary operation that folds, such as ``"add"``.
        dtype: The element type.

    Returns:
        The element, a scalar.

    Example:
        >>> neutral("add", np.dtype(np.float32)), neutral("max", np.dtype(np.int8))
        (array(-0., dtype=float32), array(-128, dtype=int8))
    """
    found = IDENTITIES[operation](dtype)
    if operation != "add" or dtypes.is_integer(dtype) or dtypes.is_bool(dtype):
        return found
    return np.asarray(complex(-0.0, -0.0) if dtypes.is_complex(dtype) else -0.0, dtype)
