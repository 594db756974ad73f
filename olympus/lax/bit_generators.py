# SPDX-License-Identifier: Apache-2.0
"""Random bits from a state that is given and handed back: the counter-based generators by themselves."""

from __future__ import annotations

import builtins
import enum
import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.errors import ArgumentError

from ..operands import broadcast, cast, convert, dtype_of, element_type, shape_argument, shape_of
from ..tracing import aval_of, bind, bind_all
from ..transforms.jit import api
from ..typing import Array, ArrayLike, DTypeLike, ShardingLike
from .elementwise import add, bitcast_convert_type, lt, max, mul, rem, shift_right_logical, sub
from .slicing import index_in_dim, slice_in_dim
from .structure import concatenate, constrained, expand_dims, full_like, iota, reshape

__all__ = ["RandomAlgorithm", "rng_bit_generator", "rng_uniform"]

Words = list[Any]  # arrays of 32-bit integers


class RandomAlgorithm(enum.IntEnum):
    """Which generator makes random bits.

    Example:
        >>> from olympus import lax
        >>> lax.RandomAlgorithm.RNG_PHILOX.name
        'RNG_PHILOX'
    """

    RNG_DEFAULT = 0
    RNG_THREE_FRY = 1
    RNG_PHILOX = 2


def rng_bit_generator(
    key: ArrayLike, shape: Sequence[int], dtype: DTypeLike = np.uint32,
    algorithm: RandomAlgorithm = RandomAlgorithm.RNG_DEFAULT, *, out_sharding: ShardingLike | None = None,
) -> tuple[Array, Array]:
    """Random bits, and the state from which the next ones come.

    Programs better draw with `olympus.random`.

    Args:
        key: The state: four integers of 32 bits, or two of 64. The first half is the generator's key, the second one
            counts what was drawn.
        shape: The shape of the bits.
        dtype: Their type, of unsigned integers.
        algorithm: Threefry-2x32, or Philox-4x32 with ten rounds, which is the default on every platform.
        out_sharding: How the bits are to be sharded.

    Returns:
        The next state, and the bits.

    Raises:
        ArgumentError: If the state or the type is none of these.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus import lax
        >>> state, bits = lax.rng_bit_generator(jnp.zeros(4, "uint32"), (2,))
        >>> print(state, bits)
        [0 0 1 0] [1713891541 3781805453]

    References:
        J. Salmon, M. Moraes, R. Dror and D. Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011.
    """
    kind, sizes = element_type("rng_bit_generator", dtype), shape_argument("rng_bit_generator", shape)
    if kind not in dtypes.UNSIGNED:
        raise ArgumentError("rng_bit_generator", "the element type is not unsigned", kind.name,
                            ", ".join(t.name for t in dtypes.UNSIGNED))
    aval = aval_of(key)
    if (aval.shape, aval.dtype) not in (((4,), dtypes.uint32), ((2,), dtypes.uint64)):
        raise ArgumentError("rng_bit_generator", "the state does not fit", repr(aval), "uint32[4] or uint64[2]")
    state, bits = _generated(key, shape=sizes, dtype=kind, threefry=algorithm == RandomAlgorithm.RNG_THREE_FRY)
    return state, constrained(bits, out_sharding)


@api(static=("shape", "dtype", "threefry"))
def _generated(key: ArrayLike, shape: tuple[int, ...], dtype: np.dtype, threefry: bool) -> Any:
    wide = dtype_of(key) == dtypes.uint64
    if wide:
        parts = [halves(index_in_dim(key, i, keepdims=False)) for i in range(2)]
        words = [word for pair in parts for word in pair]
    else:
        words = [index_in_dim(key, i, keepdims=False) for i in range(4)]
    paired = _halved(shape) if threefry and dtype.itemsize < 8 else None
    if paired is not None:
        count = math.prod(paired[1])
    else:
        makes = 2 if threefry else 4
        count = -(-math.prod(shape) // (makes // 2 if dtype.itemsize == 8 else makes))
    low, high = _counted(words, iota(dtypes.uint32, count))
    bits = encrypted(words[:2], [low, high]) if threefry else _philox(words, low, high)
    state = [*words[:2], *_counted(words, np.asarray(count & 0xFFFFFFFF, np.uint32))]
    following = [joined(*state[:2]), joined(*state[2:])] if wide else state
    return along_last(following), (
        _shaped(bits, shape, dtype) if paired is None else _interleaved(bits, *paired, shape, dtype))


def _halved(shape: tuple[int, ...]) -> tuple[int, tuple[int, ...]] | None:
    """The dimension along which XLA lays the two words of a counter side by side, and the shape of the counters.

    It is the first of even size, or else the first of the greatest; a scalar has none.
    """
    if not shape:
        return None
    split = next((d for d, n in enumerate(shape) if n % 2 == 0), shape.index(builtins.max(shape)))
    return split, (*shape[:split], -(-shape[split] // 2), *shape[split + 1:])


def _interleaved(words: Words, split: int, counters: tuple[int, ...], shape: tuple[int, ...], dtype: np.dtype) -> Any:
    """Bits in a shape and type, of pairs of words that are neighbours along a dimension."""
    pairs = concatenate([expand_dims(reshape(word, counters), (split + 1,)) for word in words], split + 1)
    even = reshape(pairs, (*shape[:split], 2 * counters[split], *shape[split + 1:]))
    found = slice_in_dim(even, 0, shape[split], axis=split)
    return found if dtype_of(found) == dtype else convert(found, dtype)


def _counted(words: Words, steps: Any) -> Words:
    """The count that a state holds and so many steps further, as a lower and an upper word."""
    low = add(broadcast(words[2], shape_of(steps)), steps)
    return [low, add(broadcast(words[3], shape_of(steps)), convert(lt(low, steps), dtypes.uint32))]


def encrypted(key: Sequence[Any], counter: Sequence[Any]) -> Words:
    """Threefry-2x32 of counters of two words under keys of two words, element by element."""
    shape = np.broadcast_shapes(*(shape_of(word) for word in (*key, *counter)))
    return bind_all(ops.threefry2x32, [broadcast(word, shape) for word in (*key, *counter)], weak=False)


_MULTIPLIERS, _WEYL = (0xD2511F53, 0xCD9E8D57), (0x9E3779B9, 0xBB67AE85)


def _philox(words: Words, low: Any, high: Any) -> Words:
    """Philox-4x32 of counters whose upper half is the key, into which a count beyond 64 bits carries."""
    keys = [broadcast(word, shape_of(low)) for word in words[:2]]
    over = convert(lt(high, broadcast(words[3], shape_of(high))), dtypes.uint32)
    third = add(keys[0], over)
    x = [low, high, third, add(keys[1], convert(lt(third, over), dtypes.uint32))]
    for _ in range(10):
        (low0, high0), (low1, high1) = (_product(x[0], _MULTIPLIERS[0]), _product(x[2], _MULTIPLIERS[1]))
        x = [high1 ^ x[1] ^ keys[0], low1, high0 ^ x[3] ^ keys[1], low0]
        keys = [add(k, full_like(k, weyl)) for k, weyl in zip(keys, _WEYL, strict=True)]
    return x


def _product(x: Any, factor: int) -> Words:
    return halves(mul(convert(full_like(x, factor), dtypes.uint64), convert(x, dtypes.uint64)))


def halves(wide: Any) -> Words:
    """The lower and the upper word of integers of 64 bits."""
    low = bind(ops.convert, wide, dtype=dtypes.uint32, weak=False)
    shift = convert(full_like(low, 32), dtypes.uint64)
    upper = bind(ops.shift_right_logical, wide, shift, weak=False)
    return [low, bind(ops.convert, upper, dtype=dtypes.uint32, weak=False)]


def joined(low: Any, high: Any) -> Any:
    """Integers of 64 bits of their words."""
    shift = convert(full_like(high, 32), dtypes.uint64)
    upper = bind(ops.shift_left, convert(high, dtypes.uint64), shift, weak=False)
    return bind(ops.or_, upper, convert(low, dtypes.uint64), weak=False)


def along_last(arrays: Sequence[Any]) -> Any:
    """Arrays of one shape beside each other, along a new last dimension."""
    ndim = len(shape_of(arrays[0]))
    return concatenate([expand_dims(x, (ndim,)) for x in arrays], ndim)


def _shaped(words: Words, shape: tuple[int, ...], dtype: np.dtype) -> Any:
    """Bits in a shape and type, of words that follow each other from array to array."""
    if dtype.itemsize == 8:
        words = [joined(low, high) for low, high in zip(words[::2], words[1::2], strict=True)]
    flat = along_last(words)
    found = reshape(slice_in_dim(reshape(flat, (math.prod(shape_of(flat)),)), 0, math.prod(shape)), shape)
    return found if dtype_of(found) == dtype else convert(found, dtype)


_calls = itertools.count(1)


def rng_uniform(a: ArrayLike, b: ArrayLike, shape: Sequence[int]) -> Array:
    """Random numbers that are equally likely from `a` to below `b`, without a key: each call draws others.

    A jitted function draws the same ones each time that it runs. Programs better draw with `olympus.random`.

    Args:
        a: The least number, of floats or integers.
        b: Where they end, of the same element type.
        shape: The result's shape.

    Returns:
        The numbers.

    Raises:
        ArgumentError: If the bounds are not scalars of one such type.

    Example:
        >>> from olympus import lax
        >>> bool((lax.rng_uniform(0.0, 1.0, (100,)) < 1).all())
        True
    """
    kind = dtype_of(a)
    if shape_of(a) or shape_of(b) or dtype_of(b) != kind or not (dtypes.is_float(kind) or dtypes.is_integer(kind)):
        raise ArgumentError("rng_uniform", "the bounds do not fit", f"{aval_of(a)}, {aval_of(b)}",
                            "two scalars of one type of floats or integers")
    sizes = shape_argument("rng_uniform", shape)
    state = np.array([0, next(_calls), 0, 0], np.uint32)
    wide = kind if kind.itemsize >= 4 or dtypes.is_integer(kind) else np.dtype(np.float32)
    bits = rng_bit_generator(state, sizes, f"u{wide.itemsize}")[1]
    low, high = (broadcast(cast(v, wide), sizes, weak=False) for v in (a, b))
    if dtypes.is_integer(kind):
        span = bitcast_convert_type(sub(high, low), dtype_of(bits))
        found: Any = add(low, bitcast_convert_type(rem(bits, span), kind))
        return found
    fraction = int(np.finfo(wide).nmant)
    one = np.ones((), wide).view(dtype_of(bits))
    unit = shift_right_logical(bits, full_like(bits, wide.itemsize * 8 - fraction)) | one
    found = max(low, add(low, mul(sub(high, low), sub(bitcast_convert_type(unit, wide), full_like(low, 1)))))
    return found if wide == kind else convert(found, kind)
