"""Sorts and greatest elements, by the quickest of NumPy's ways that gives what the references give, bit for bit.

What is sorted alone may go by a way that mixes up equal elements, unless these can be told apart: zeros of both signs,
NaN. An order is a sort of words with the key above and the place below: no two are equal, so any way keeps their order.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np

from olympus_core import dtypes
from olympus_core.program import Operation
from olympus_core.toolkit import Kernel, KernelMaker

Arrays = tuple[np.ndarray, ...]

_FEW, _SEVERAL = 1 << 9, 1 << 11  # elements below which one stable sort costs least, without places and with them
_BLOCK = 1 << 17  # elements of lines of which the greatest are looked for at a time: they stay in the cache
_LONG = 256  # elements of a line from which the greatest are separated from the rest before they are sorted
_LOW = np.int64(0xFFFFFFFF)


def _sort(operation: Operation) -> Kernel | None:
    types, dimension = [v.type for v in operation.operands], operation.attributes["dimension"]
    dtype = types[0].dtype
    if operation.attributes["keys"] != 1 or dtypes.is_complex(dtype):
        return None
    if len(types) == 1 and not _is_narrow(dtype):
        return Kernel(_alone(dtype, types[0].size, dimension), is_fresh=True)

    def together(*operands: np.ndarray) -> Arrays:
        order = _order(operands[0], dimension)
        return tuple(_taken(x, order, dimension) for x in operands)

    return Kernel(together, is_tuple=True, is_fresh=True)


def _alone(dtype: np.dtype, size: int, dimension: int) -> Callable[[np.ndarray], np.ndarray]:
    """The kernel that sorts elements which nothing goes along with."""
    kind: Literal["stable", "quicksort"] = "stable" if size < _FEW or dtype.itemsize < 4 else "quicksort"

    def plain(x: np.ndarray) -> np.ndarray:
        out = x.copy("C")
        out.sort(dimension, kind)
        return out

    if kind == "stable" or not dtypes.is_float(dtype):
        return plain
    bits, negative_zero = (np.int32, np.int32(-(2**31))) if dtype.itemsize == 4 else (np.int64, np.int64(-(2**63)))

    def watchful(x: np.ndarray) -> np.ndarray:
        if not (x.view(bits) == negative_zero).any():
            out = plain(x)
            last = out.take(-1, dimension)
            if (last == last).all():  # else there are NaN, of which that kind of sort keeps nothing but the number
                return out
        return _taken(x, _order(x, dimension), dimension)

    return watchful


def _is_narrow(dtype: np.dtype) -> bool:
    return dtypes.is_float(dtype) and dtype.itemsize < 4


def _comparable(x: np.ndarray) -> np.ndarray:
    """What NumPy compares quickly, in the same order."""
    if dtypes.is_bool(x.dtype):
        return x.view(np.uint8)
    return x.astype(np.float32) if _is_narrow(x.dtype) else x


def _order(x: np.ndarray, dimension: int) -> np.ndarray:
    """The places of elements as a stable sort orders them, NaN last."""
    x = _comparable(x)
    if x.dtype.itemsize != 4 or x.size < _SEVERAL:
        return x.argsort(dimension, "stable")
    return _ordered(_numbered(x), dimension)


def _numbered(x: np.ndarray) -> np.ndarray:
    """Elements of 32 bits as whole numbers in their order: NaN above all, both zeros alike."""
    if x.dtype == np.uint32:
        return np.bitwise_xor(x, np.uint32(1 << 31)).view(np.int32)
    if x.dtype != np.float32:
        return x
    x = x + np.float32(0)  # minus zero becomes zero
    nowhere = np.isnan(x)
    if nowhere.any():
        x[nowhere] = np.nan
    bits = x.view(np.int32)
    turned = bits >> 31
    turned &= np.int32(0x7FFFFFFF)
    turned ^= bits
    return turned


def _ordered(numbers: np.ndarray, dimension: int) -> np.ndarray:
    words = numbers.astype(np.int64)
    words <<= 32
    places = np.arange(words.shape[dimension])
    words |= places.reshape(-1, *[1] * (words.ndim - 1 - dimension))
    words.sort(dimension)
    words &= _LOW
    return words


def _taken(x: np.ndarray, order: np.ndarray, dimension: int) -> np.ndarray:
    """The elements in an order along a dimension."""
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
        places = _greatest(_comparable(rows), k)
        found = _taken(rows, places, 1).reshape(moved), places.astype(dtype).reshape(moved)
        return found if is_last else tuple(np.ascontiguousarray(np.moveaxis(y, -1, dimension)) for y in found)

    return Kernel(kernel, is_tuple=True, is_fresh=True)


def _greatest(x: np.ndarray, k: int) -> np.ndarray:
    """The places of each line's greatest elements, NaN first, of equal ones the first first."""
    n = x.shape[1]
    if k == 1:
        return x.argmax(1).reshape(-1, 1)
    if n < _LONG or 8 * k > n:
        return _descending(x, k)
    step = max(1, _BLOCK // n)
    places = np.concatenate([_above(x[i : i + step], k) for i in range(0, len(x), step)])
    return np.take_along_axis(places, _descending(_taken(x, places, 1), k), 1)


def _descending(x: np.ndarray, k: int) -> np.ndarray:
    """The places of the greatest elements, found by ordering all."""
    if x.dtype.itemsize == 4 and x.size >= _SEVERAL:
        return _ordered(~_numbered(x), 1)[:, :k]
    n = x.shape[1]
    backwards: np.ndarray = x[:, ::-1].argsort(1, "stable")
    return n - 1 - backwards[:, n - k :][:, ::-1]


def _above(x: np.ndarray, k: int) -> np.ndarray:
    """The places of each line's greatest elements, as they lie in the line."""
    parted = x.copy()
    parted.partition(x.shape[1] - k, 1)
    parted = parted[:, x.shape[1] - k :]
    least = parted[:, :1]
    chosen = x >= least
    if np.count_nonzero(chosen) != k * len(x) or not (parted == parted).all():
        chosen = _chosen(x, least, k)
    return chosen.reshape(-1).nonzero()[0].reshape(-1, k) % x.shape[1]


def _chosen(x: np.ndarray, least: np.ndarray, k: int) -> np.ndarray:
    """Which elements are above the least of the greatest, and as many equal ones as there is room for."""
    nowhere, is_nowhere = x != x, least != least
    above = ((x > least) | nowhere) & ~is_nowhere
    level = np.where(is_nowhere, nowhere, x == least)
    level &= level.cumsum(1) <= k - above.sum(1, keepdims=True)
    return above | level


SORT_MAKERS: dict[str, KernelMaker] = {"sort": _sort, "top_k": _top_k}
