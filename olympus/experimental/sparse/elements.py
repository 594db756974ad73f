# SPDX-License-Identifier: Apache-2.0
"""Reading and writing single elements of dense arrays at places that another array holds, batch by batch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from olympus_core import dtypes
from olympus_core.errors import ArgumentError

from ... import lax
from ... import numpy as jnp
from ...tracing.staging import unwatched
from ...transforms.batching.vmap import vmap


def over_batches(function: Callable[..., Any], count: int, *arrays: Any) -> Any:
    """Calls a function for each index of leading dimensions; those of size one go with any.

    Args:
        function: Takes the arrays without these dimensions.
        count: How many there are.
        *arrays: All have them.

    Returns:
        The results, with these dimensions in front.
    """
    if not count:
        return function(*arrays)
    sizes = {x.shape[0] for x in arrays} - {1}
    if len(sizes) > 1:
        raise ArgumentError("sparse", "batch dimensions differ", [x.shape for x in arrays], "equal sizes, or one")
    size = sizes.pop() if sizes else 1
    mapped = [x.shape[0] == size for x in arrays]
    given = [x if is_mapped else x[0] for x, is_mapped in zip(arrays, mapped, strict=True)]

    def inner(*xs: Any) -> Any:
        return over_batches(function, count - 1, *xs)

    return vmap(inner, in_axes=tuple(0 if is_mapped else None for is_mapped in mapped))(*given)


def inside(indices: Any, shape: tuple[int, ...]) -> Any:
    """Whether each place lies in the array: places outside hold nothing."""
    if not shape:
        return jnp.ones(indices.shape[:-1], bool)
    return jnp.all(indices < jnp.array(shape, indices.dtype), axis=-1)


def scattered(data: Any, indices: Any, shape: tuple[int, ...]) -> Any:
    """A dense array of the sums of elements at each place.

    Args:
        data: The elements, ``(n, *rest)``.
        indices: Their places, ``(n, k)``; those outside of `shape` are left out.
        shape: The first k dimensions of the result.

    Returns:
        An array of shape ``(*shape, *rest)``.
    """
    rest = data.shape[1:]
    is_bool = dtypes.is_bool(data.dtype)
    if not shape:
        return jnp.any(data, axis=0) if is_bool else jnp.sum(data, axis=0, dtype=data.dtype)
    places = tuple(range(len(shape)))
    numbers = lax.ScatterDimensionNumbers(tuple(range(1, 1 + len(rest))), places, places)
    start = jnp.zeros((*shape, *rest), data.dtype)
    with unwatched():
        return (lax.scatter_max if is_bool else lax.scatter_add)(start, indices, data, numbers)


def gathered(array: Any, indices: Any) -> Any:
    """The elements of a dense array at places; zero at places outside.

    Args:
        array: An array of shape ``(*shape, *rest)``.
        indices: The places, ``(n, k)`` for a shape of k dimensions.

    Returns:
        An array of shape ``(n, *rest)``.
    """
    count, k = indices.shape
    rest = array.shape[k:]
    if not k:
        return jnp.broadcast_to(array, (count, *rest))
    places = tuple(range(k))
    numbers = lax.GatherDimensionNumbers(tuple(range(1, 1 + len(rest))), places, places)
    with unwatched():
        return lax.gather(array, indices, numbers, (1,) * k + rest, mode="fill", fill_value=0)
