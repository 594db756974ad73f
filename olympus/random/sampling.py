# SPDX-License-Identifier: Apache-2.0
"""Drawing from arrays and categories; the public names are in `olympus.random`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.errors import ArgumentError

from .. import lax
from ..lax.structure import constrained
from ..numpy.arithmetic import add, multiply, subtract
from ..numpy.creation import asarray
from ..numpy.elementwise import log
from ..numpy.indexing import take
from ..numpy.promotion import inexact_dtype
from ..numpy.ranges import arange
from ..numpy.reductions import argmax
from ..numpy.shapes import moveaxis, reshape
from ..numpy.sorting import searchsorted
from ..operands import axis_of, broadcast_shape, cast, convert, dtype_of, integer, shape_of
from ..tracing import scalar_dtype
from ..transforms.jit import api
from ..typing import Array, ArrayLike, ShardingLike
from .distributions import Shape, _bits, _shape, _transformed, _uniform, gumbel_kind, randint
from .keys import KeyLike, given_key, split_keys

__all__ = ["categorical", "choice", "permutation"]


@api(static=("axis",), call="_shuffle")
def _shuffled(key: ArrayLike, x: ArrayLike, axis: int) -> Any:
    shape = shape_of(x)
    size = math.prod(shape)
    if not size:
        return x
    # Sorting by random words, often enough that equal words hardly matter.
    rounds = int(np.ceil(3 * np.log(max(1, size)) / np.log(np.iinfo(np.uint32).max)))
    for _ in range(rounds):
        pair = split_keys(key, shape=(2,))
        key, other = (lax.index_in_dim(pair, i, keepdims=False) for i in range(2))
        x = lax.sort_key_val(_bits(other, shape, dtypes.uint32), x, axis)[1]
    return x


def permutation(
    key: KeyLike, x: int | ArrayLike, axis: int = 0, independent: bool = False, *,
    out_sharding: ShardingLike | None = None,
) -> Array:
    """Elements in a random order.

    Args:
        key: A key.
        x: An array, or a number for the integers below it.
        axis: The dimension along which elements are moved.
        independent: Whether each line along it gets an order of its own.
        out_sharding: How the result is to be sharded.

    Returns:
        The rearranged array.

    Example:
        >>> import olympus
        >>> olympus.random.permutation(olympus.random.key(0), 5)
        Array([0, 1, 4, 3, 2], dtype=int32)
    """
    key = given_key("random.permutation", key)
    if not shape_of(x):
        count = integer("random.permutation", x, "the number of integers", 0)
        return constrained(_shuffled(key, arange(count), axis=0), out_sharding)
    d = axis_of("random.permutation", axis, len(shape_of(x)))
    if independent or len(shape_of(x)) == 1:
        return constrained(_shuffled(key, asarray(x), axis=d), out_sharding)
    order = _shuffled(key, arange(shape_of(x)[d]), axis=0)
    return constrained(take(x, order, axis=d, mode="clip"), out_sharding)


def choice(
    key: KeyLike, a: int | ArrayLike, shape: Shape = (), replace: bool = True, p: ArrayLike | None = None,
    axis: int = 0, mode: str | None = None, *, out_sharding: ShardingLike | None = None,
) -> Array:
    """Elements drawn from an array.

    Args:
        key: A key.
        a: The array, or a number for the integers below it.
        shape: How many, as a shape.
        replace: Whether an element may be drawn twice.
        p: The elements' probabilities; equal for None.
        axis: The dimension along which parts are drawn.
        mode: ``"high"`` draws twice as many bits where Gumbel numbers are drawn: see `gumbel`.
        out_sharding: How the result is to be sharded.

    Returns:
        The drawn elements.

    Example:
        >>> import olympus
        >>> olympus.random.choice(olympus.random.key(0), 10, (3,))
        Array([9, 0, 2], dtype=int32)
    """
    sizes = _shape("choice", shape)
    whole = not shape_of(a)
    d = 0 if whole else axis_of("random.choice", axis, len(shape_of(a)))
    count = integer("random.choice", a, "the number of integers") if whole else shape_of(a)[d]
    draws = math.prod(sizes)
    if count <= 0 and draws:
        raise ArgumentError("random.choice", "there is nothing to draw from", a, "one element or more")
    if not replace and draws > count:
        raise ArgumentError("random.choice", "more elements are drawn than there are", f"{draws} of {count}",
                            f"at most {count}, or replace=True")
    if p is None and not replace:
        drawn = permutation(key, count if whole else a, d)
        return constrained(_shaped(lax.slice_in_dim(drawn, 0, draws, axis=d), a, d, sizes, whole), out_sharding)
    if p is None:
        positions = randint(key, sizes, 0, count)
    else:
        if shape_of(p) != (count,):
            raise ArgumentError("random.choice", "the probabilities do not fit", shape_of(p), f"{count} of them")
        positions = _drawn(given_key("random.choice", key), p, shape=sizes, replace=bool(replace),
                           kind=gumbel_kind("choice", mode))
    found = positions if whole else take(a, positions, axis=d, mode="clip")
    return constrained(_shaped(found, a, d, sizes, whole), out_sharding)


def _shaped(found: Any, a: Any, axis: int, sizes: tuple[int, ...], whole: bool) -> Any:
    return reshape(found, sizes if whole else (*shape_of(a)[:axis], *sizes, *shape_of(a)[axis + 1:]))


@api(static=("shape", "replace", "kind"))
def _drawn(key: ArrayLike, p: ArrayLike, shape: tuple[int, ...], replace: bool, kind: str) -> Any:
    dtype = inexact_dtype(dtype_of(p))
    p = cast(p, dtype)
    n = shape_of(p)[0]
    if replace:
        running = lax.cumsum(p)
        total = lax.index_in_dim(running, n - 1, keepdims=False)
        return searchsorted(running, multiply(total, subtract(1.0, _uniform(key, 0.0, 1.0, shape, dtype))))
    scores = add(_transformed(key, (n,), dtype, kind), log(p))
    return convert(lax.top_k(scores, math.prod(shape))[1], scalar_dtype(int))


def categorical(
    key: KeyLike, logits: ArrayLike, axis: int = -1, shape: Shape | None = None, replace: bool = True,
    mode: str | None = None, *, out_sharding: ShardingLike | None = None,
) -> Array:
    """Numbers of categories, whose probabilities' logarithms are given.

    Args:
        key: A key.
        logits: The logarithms of the probabilities, but for a constant.
        axis: The dimension that counts the categories.
        shape: The result's shape, whose last dimensions are the other ones of `logits`; these alone for None.
        replace: Whether a category may be drawn twice.
        mode: ``"high"`` draws twice as many bits where Gumbel numbers are drawn: see `gumbel`.
        out_sharding: How the result is to be sharded.

    Returns:
        The categories.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> olympus.random.categorical(olympus.random.key(0), jnp.log(jnp.array([0.1, 0.1, 0.8])), shape=(3,)).shape
        (3,)
    """
    own = shape_of(logits)
    d = axis_of("random.categorical", axis, len(own))
    batch = own[:d] + own[d + 1:]
    sizes = batch if shape is None else _shape("categorical", shape)
    if broadcast_shape("random.categorical", [sizes, batch]) != sizes:
        raise ArgumentError("random.categorical", "the shape does not fit the logits", sizes,
                            f"one that ends in {batch}")
    count = math.prod(sizes[:len(sizes) - len(batch)])
    if not replace and count > own[d]:
        raise ArgumentError("random.categorical", "more categories are drawn than there are", f"{count} of {own[d]}",
                            f"at most {own[d]}, or replace=True")
    found = _categories(given_key("random.categorical", key), logits, axis=d, shape=sizes, replace=bool(replace),
                        kind=gumbel_kind("categorical", mode))
    return constrained(found, out_sharding)


@api(static=("axis", "shape", "replace", "kind"))
def _categories(
    key: ArrayLike, logits: ArrayLike, axis: int, shape: tuple[int, ...], replace: bool, kind: str
) -> Any:
    own = shape_of(logits)
    dtype = inexact_dtype(dtype_of(logits))
    logits = cast(logits, dtype)
    batch = len(own) - 1
    prefix, rest = shape[:len(shape) - batch], shape[len(shape) - batch:]
    if replace:
        sizes = (*prefix, *rest[:axis], own[axis], *rest[axis:])
        scores = add(_transformed(key, sizes, dtype, kind), logits)
        return argmax(scores, axis=len(prefix) + axis)
    scores = add(_transformed(key, own, dtype, kind), logits)
    positions = lax.top_k(moveaxis(scores, axis, -1), math.prod(prefix))[1]
    positions = moveaxis(positions, -1, 0)
    return reshape(positions, (*prefix, *shape_of(positions)[1:]))
