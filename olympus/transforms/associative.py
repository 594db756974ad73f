# SPDX-License-Identifier: Apache-2.0
"""Running folds by any associative function, in a number of steps that grows with the logarithm of the length.

References:
    G. E. Blelloch, Prefix Sums and Their Applications, 1990.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from olympus_core import ops

from ..tracing import aval_of, bind

Combine = Callable[[list[Any], list[Any]], list[Any]]


def part(x: Any, start: int, limit: int, dimension: int, stride: int = 1) -> Any:
    """The elements from one index to another of a dimension."""
    shape = aval_of(x).shape
    starts, limits, strides = [0] * len(shape), list(shape), [1] * len(shape)
    starts[dimension], limits[dimension], strides[dimension] = start, limit, stride
    return bind(ops.slice, x, starts=tuple(starts), limits=tuple(limits), strides=tuple(strides))


def joined(arrays: Sequence[Any], dimension: int) -> Any:
    """Arrays along a dimension that they have."""
    return bind(ops.concatenate, *arrays, dimension=dimension)


def running_folds(combine: Combine, arrays: list[Any], dimensions: list[int], size: int, reverse: bool) -> list[Any]:
    """The folds up to each element.

    Args:
        combine: Combines two lists of arrays index by index.
        arrays: The arrays.
        dimensions: The dimension of each that is folded.
        size: The length of these dimensions.
        reverse: Whether to go from the last element to the first.
    """
    def ordered(found: list[Any]) -> list[Any]:
        if not reverse:
            return found
        return [bind(ops.reverse, x, dimensions=(d,)) for x, d in zip(found, dimensions, strict=True)]

    return ordered(_folds(combine, ordered(arrays), dimensions, size))


def _folds(combine: Combine, arrays: list[Any], dimensions: list[int], n: int) -> list[Any]:
    """Folds of neighbours are scanned, half as many; the folds in between are one combination away."""

    def parts(source: list[Any], start: int, limit: int, stride: int = 1) -> list[Any]:
        return [part(x, start, limit, d, stride) for x, d in zip(source, dimensions, strict=True)]

    if n < 2:
        return arrays
    pairs = combine(parts(arrays, 0, n - 1, 2), parts(arrays, 1, n, 2))
    odd = _folds(combine, pairs, dimensions, n // 2)
    even = parts(arrays, 0, 1)
    if n > 2:
        rest = combine(parts(odd, 0, (n - 1) // 2), parts(arrays, 2, n, 2))
        even = [joined([first, second], d) for first, second, d in zip(even, rest, dimensions, strict=True)]
    return [_interleaved(e, o, d) for e, o, d in zip(even, odd, dimensions, strict=True)]


def _interleaved(even: Any, odd: Any, dimension: int) -> Any:
    """Elements of two arrays alternately; the first may have one more."""
    shape = aval_of(odd).shape
    size = shape[dimension]
    last = []
    if aval_of(even).shape[dimension] > size:
        last, even = [part(even, size, size + 1, dimension)], part(even, 0, size, dimension)
    columns = (*shape[:dimension + 1], 1, *shape[dimension + 1:])
    pairs = joined([bind(ops.reshape, x, shape=columns) for x in (even, odd)], dimension + 1)
    found = bind(ops.reshape, pairs, shape=(*shape[:dimension], 2 * size, *shape[dimension + 1:]))
    return joined([found, *last], dimension) if last else found
