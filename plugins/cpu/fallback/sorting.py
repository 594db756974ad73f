# SPDX-License-Identifier: Apache-2.0
"""`sort` and `top_k` by NumPy's fastest algorithms that give the references' results, bit for bit.

A single operand may use an unstable sort, unless equal elements can be told apart: zeros of both signs, NaN. A stable
argsort of 32-bit keys sorts 64-bit words with the key above and the index below: words are distinct, so an unstable
sort orders them, too. `top_k` selects by partition (introselect) before it sorts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np

from olympus_core import dtypes
from olympus_core.program import Operation
from olympus_core.toolkit import Kernel, KernelFactory

Arrays = tuple[np.ndarray, ...]

_SMALL, _MEDIUM = 1 << 9, 1 << 11  # elements below which one stable sort is fastest, of values and of indices
_BLOCK = 1 << 17  # elements of lines that are partitioned together: they stay in the cache
_LONG = 256  # least elements of a line that is partitioned before its largest elements are sorted
_LOW = np.int64(0xFFFFFFFF)


def _sort(operation: Operation) -> Kernel | None:
    types, dimension = [v.type for v in operation.operands], operation.attributes["dimension"]
    dtype = types[0].dtype
    if operation.attributes["keys"] != 1 or dtypes.is_complex(dtype):
        return None
    if len(types) == 1 and not _is_narrow(dtype):
        return Kernel(_single(dtype, types[0].size, dimension), is_fresh=True)

    def sorted_together(*operands: np.ndarray) -> Arrays:
        order = _argsort(operands[0], dimension)
        return tuple(_permuted(x, order, dimension) for x in operands)

    return Kernel(sorted_together, is_tuple=True, is_fresh=True)


def _single(dtype: np.dtype, size: int, dimension: int) -> Callable[[np.ndarray], np.ndarray]:
    """The kernel that sorts a single operand."""
    kind: Literal["stable", "quicksort"] = "stable" if size < _SMALL or dtype.itemsize < 4 else "quicksort"

    def plain(x: np.ndarray) -> np.ndarray:
        out = x.copy("C")
        out.sort(dimension, kind)
        return out

    if kind == "stable" or not dtypes.is_float(dtype):
        return plain
    bits, negative_zero = (np.int32, np.int32(-(2**31))) if dtype.itemsize == 4 else (np.int64, np.int64(-(2**63)))

    def checked(x: np.ndarray) -> np.ndarray:
        if not (x.view(bits) == negative_zero).any():
            out = plain(x)
            last = out.take(-1, dimension)
            if (last == last).all():  # else there are NaN, whose bits an unstable sort does not keep in order
                return out
        return _permuted(x, _argsort(x, dimension), dimension)

    return checked


def _is_narrow(dtype: np.dtype) -> bool:
    return dtypes.is_float(dtype) and dtype.itemsize < 4


def _comparable(x: np.ndarray) -> np.ndarray:
    """The elements in a type that NumPy compares fast, in the same order."""
    if dtypes.is_bool(x.dtype):
        return x.view(np.uint8)
    return x.astype(np.float32) if _is_narrow(x.dtype) else x


def _argsort(x: np.ndarray, dimension: int) -> np.ndarray:
    """The indices of a stable sort, NaN last."""
    x = _comparable(x)
    if x.dtype.itemsize != 4 or x.size < _MEDIUM:
        return x.argsort(dimension, "stable")
    return _argsorted_words(_ordered_integers(x), dimension)


def _ordered_integers(x: np.ndarray) -> np.ndarray:
    """32-bit elements as integers of the same order: NaN above all, both zeros equal."""
    if x.dtype == np.uint32:
        return np.bitwise_xor(x, np.uint32(1 << 31)).view(np.int32)
    if x.dtype != np.float32:
        return x
    x = x + np.float32(0)  # -0.0 becomes 0.0
    is_nan = np.isnan(x)
    if is_nan.any():
        x[is_nan] = np.nan
    bits = x.view(np.int32)
    flipped = bits >> 31
    flipped &= np.int32(0x7FFFFFFF)
    flipped ^= bits
    return flipped


def _argsorted_words(numbers: np.ndarray, dimension: int) -> np.ndarray:
    words = numbers.astype(np.int64)
    words <<= 32
    indices = np.arange(words.shape[dimension])
    words |= indices.reshape(-1, *[1] * (words.ndim - 1 - dimension))
    words.sort(dimension)
    words &= _LOW
    return words


def _permuted(x: np.ndarray, order: np.ndarray, dimension: int) -> np.ndarray:
    """The elements at indices along a dimension."""
    if x.ndim == 1 or not x.size:
        return x.take(order)
    if dimension != x.ndim - 1 or not x.flags.c_contiguous:
        return np.take_along_axis(x, order, dimension)
    if x.size > x.shape[-1]:
        order = order + np.arange(0, x.size, x.shape[-1]).reshape(*x.shape[:-1], 1)
    return x.reshape(-1).take(order)


def _top_k(operation: Operation) -> Kernel | None:
    given, dtype = operation.operands[0].type, operation.attributes["dtype"]
    dimension, k = operation.attributes["dimension"], operation.attributes["k"]
    if dtypes.is_complex(given.dtype):
        return None
    n, shape = given.shape[dimension], operation.results[0].type.shape
    if not k or not given.size:
        return Kernel(lambda x: (np.empty(shape, x.dtype), np.empty(shape, dtype)), is_tuple=True, is_fresh=True)
    lines = (given.size // n, n)
    is_last = dimension == given.ndim - 1
    moved = shape if is_last else (*shape[:dimension], *shape[dimension + 1 :], k)

    def kernel(x: np.ndarray) -> Arrays:
        rows = (x if is_last else np.moveaxis(x, dimension, -1)).reshape(lines)
        indices = _largest_indices(_comparable(rows), k)
        found = _permuted(rows, indices, 1).reshape(moved), indices.astype(dtype).reshape(moved)
        return found if is_last else tuple(np.ascontiguousarray(np.moveaxis(y, -1, dimension)) for y in found)

    return Kernel(kernel, is_tuple=True, is_fresh=True)


def _largest_indices(x: np.ndarray, k: int) -> np.ndarray:
    """The indices of each line's k largest elements, NaN first, equal ones by index."""
    n = x.shape[1]
    if k == 1:
        return x.argmax(1).reshape(-1, 1)
    if n < _LONG or 8 * k > n:
        return _sorted_indices(x, k)
    step = max(1, _BLOCK // n)
    indices = np.concatenate([_selected_indices(x[i : i + step], k) for i in range(0, len(x), step)])
    return np.take_along_axis(indices, _sorted_indices(_permuted(x, indices, 1), k), 1)


def _sorted_indices(x: np.ndarray, k: int) -> np.ndarray:
    """The indices of the k largest elements, by sorting all."""
    if x.dtype.itemsize == 4 and x.size >= _MEDIUM:
        return _argsorted_words(~_ordered_integers(x), 1)[:, :k]
    n = x.shape[1]
    backwards: np.ndarray = x[:, ::-1].argsort(1, "stable")
    return n - 1 - backwards[:, n - k :][:, ::-1]


def _selected_indices(x: np.ndarray, k: int) -> np.ndarray:
    """The indices of each line's k largest elements, ascending, by partition."""
    parted = x.copy()
    parted.partition(x.shape[1] - k, 1)
    parted = parted[:, x.shape[1] - k :]
    least = parted[:, :1]
    chosen = x >= least
    if np.count_nonzero(chosen) != k * len(x) or not (parted == parted).all():
        chosen = _selected(x, least, k)
    return chosen.reshape(-1).nonzero()[0].reshape(-1, k) % x.shape[1]


def _selected(x: np.ndarray, least: np.ndarray, k: int) -> np.ndarray:
    """A mask of the k largest elements: those above the k-th, and as many equal to it as are needed, the first ones."""
    is_nan, is_least_nan = x != x, least != least
    above = ((x > least) | is_nan) & ~is_least_nan
    level = np.where(is_least_nan, is_nan, x == least)
    level &= level.cumsum(1) <= k - above.sum(1, keepdims=True)
    return above | level


SORT_FACTORIES: dict[str, KernelFactory] = {"sort": _sort, "top_k": _top_k}
