# SPDX-License-Identifier: Apache-2.0
"""A reference of collectives in NumPy for all members at once; shares no code with the toolkit or a platform.

Reductions of floats may be done in any order. Their reference is the nearly exact sum or product, with the error bound
of the worst order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from olympus_core import dtypes

from .checks import require_close, require_same_bits

Arrays = Sequence[np.ndarray]

# For float64 NumPy's widest type may be no wider: then the reference itself has as large an error.
_EXTENDED = np.finfo(np.longdouble).nmant > np.finfo(np.float64).nmant


@dataclass(frozen=True, slots=True)
class Reduced:
    """The reference of a reduction.

    Args:
        value: The result; of floats and complex numbers in a wider type.
        dtype: The element type of the result.
        ulp: The permitted error in units in the last place; None for the same bits.
        scale: The magnitude at which the unit is taken; see `require_close`.
    """

    value: np.ndarray
    dtype: np.dtype
    ulp: float | None
    scale: np.ndarray

    def part(self, dimension: int, index: int, parts: int) -> Reduced:
        """One of equal parts along a dimension."""
        return Reduced(
            _part(self.value, dimension, index, parts), self.dtype, self.ulp,
            _part(self.scale, dimension, index, parts),
        )

    def require(self, observed: np.ndarray, what: str) -> None:
        """Fails unless an array is the result."""
        if self.ulp is None:
            require_same_bits(observed, self.value, what)
            return
        # The reference is wider: the type is compared here, and then the values.
        require_same_bits(np.zeros(observed.shape, observed.dtype), np.zeros(self.value.shape, self.dtype), what)
        require_close(observed, self.value, what, ulp=self.ulp, scale=self.scale)


def reduced(values: Arrays, reduction: str) -> Reduced:
    """The reduction of all members' arrays.

    Args:
        values: Each member's array, in the group's order.
        reduction: ``sum``, ``prod``, ``max``, ``min``, ``and`` or ``or``.

    Example:
        >>> reduced([np.uint8([200, 1]), np.uint8([100, 2])], "sum").value
        array([44,  3], dtype=uint8)
    """
    dtype = values[0].dtype
    nothing = np.zeros(values[0].shape)
    with np.errstate(all="ignore"):
        if reduction in ("max", "min"):
            # Of two zeros either may be the larger.
            exact = dtypes.is_bool(dtype) or dtypes.is_integer(dtype)
            return Reduced(_extreme(values, reduction), dtype, None if exact else 0.0, nothing)
        if reduction in ("and", "or"):
            return Reduced(_bits(values, reduction), dtype, None, nothing)
        if dtypes.is_integer(dtype):
            return Reduced(_wrapped(values, reduction), dtype, None, nothing)
        wide = [value.astype(_wider(dtype)) for value in values]
        if reduction == "sum":
            total = wide[0].copy()
            for value in wide[1:]:
                total = np.asarray(total + value)
            sizes = np.asarray(sum(np.abs(value) for value in wide), np.float64)
            return Reduced(total, dtype, _sum_ulp(dtype, len(values)), np.where(np.isfinite(sizes), sizes, 0.0))
        total = wide[0].copy()
        for value in wide[1:]:
            total = np.asarray(total * value)
        return Reduced(total, dtype, _product_ulp(dtype, len(values)), nothing)


def all_gather(values: Arrays, dimension: int) -> np.ndarray:
    """The result of an all-gather on every member."""
    return np.concatenate(list(values), dimension)


def all_to_all(values: Arrays, split_dimension: int, concat_dimension: int) -> list[np.ndarray]:
    """The result of an all-to-all on each member."""
    count = len(values)
    return [
        np.concatenate([_part(value, split_dimension, i, count) for value in values], concat_dimension)
        for i in range(count)
    ]


def permute(values: Arrays, pairs: Sequence[tuple[int, int]]) -> list[np.ndarray]:
    """The result of a permutation on each member: its source's array, or zeros."""
    results = [np.zeros(value.shape, value.dtype) for value in values]
    for source, target in pairs:
        results[target] = values[source].copy()
    return results


def _part(value: np.ndarray, dimension: int, index: int, parts: int) -> np.ndarray:
    size = value.shape[dimension] // parts
    return value[(slice(None),) * dimension + (slice(index * size, (index + 1) * size),)]


def _extreme(values: Arrays, reduction: str) -> np.ndarray:
    """The largest or smallest of all elements; NaN if there is one."""
    result = values[0].copy()
    for value in values[1:]:
        better = value > result if reduction == "max" else value < result
        if not dtypes.is_bool(value.dtype) and not dtypes.is_integer(value.dtype):
            better = (better | np.isnan(value)) & ~np.isnan(result)
        result = np.where(better, value, result)
    return np.asarray(result, values[0].dtype)


def _bits(values: Arrays, reduction: str) -> np.ndarray:
    result = values[0].copy()
    for value in values[1:]:
        result = np.asarray(result & value if reduction == "and" else result | value)
    return result


def _wrapped(values: Arrays, reduction: str) -> np.ndarray:
    """Integers wrap around: computed in unsigned 64-bit, of which the low bits are kept."""
    result = values[0].astype(np.uint64)
    for value in values[1:]:
        other = value.astype(np.uint64)
        result = np.asarray(result + other if reduction == "sum" else result * other)
    return result.astype(values[0].dtype)


def _wider(dtype: np.dtype) -> np.dtype:
    if dtypes.is_complex(dtype):
        return np.dtype(np.clongdouble if dtype.itemsize > 8 else np.complex128)
    return np.dtype(np.longdouble if dtype.itemsize > 4 else np.float64)


def _is_double(dtype: np.dtype) -> bool:
    return dtype in (dtypes.float64, dtypes.complex128)


def _sum_ulp(dtype: np.dtype, count: int) -> float:
    """Half a unit for each addition, at the sum of the magnitudes; more where the reference is no wider."""
    slack = 0.0 if not _is_double(dtype) else 0.5 if _EXTENDED else 0.5 * count
    return 0.501 * max(count - 1, 0) + slack


def _product_ulp(dtype: np.dtype, count: int) -> float:
    """The error bound of a product; a complex one consists of four products and two sums."""
    if count < 2:
        return 0.0
    one = 0.501 if count == 2 else 1.01 * (count - 1)
    if dtypes.is_complex(dtype):
        one *= 6.0
    return one + (0.0 if not _is_double(dtype) else 0.5 if _EXTENDED else float(count))
