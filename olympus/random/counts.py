# SPDX-License-Identifier: Apache-2.0
"""Distributions of counts: Poisson, binomial, multinomial, geometric.

Where few are expected they are counted, by sums of waiting times (Devroye, "Non-Uniform Random Variate Generation",
1986, chapter X); otherwise drawn by transformed rejection with squeeze (Hoermann, "The transformed rejection method for
generating Poisson random variables", 1993, and "The generation of binomial random variates", 1993).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from olympus_core.errors import ArgumentError

from .. import lax
from ..lax.structure import constrained
from ..numpy.arithmetic import clip, maximum
from ..numpy.dtypes import result_type
from ..numpy.elementwise import abs as absolute
from ..numpy.elementwise import ceil, floor, isfinite, isinf, log, log1p, sqrt
from ..numpy.indexing import take
from ..numpy.promotion import inexact_dtype
from ..numpy.searching import where
from ..numpy.shapes import moveaxis
from ..operands import broadcast, cast, convert, shape_of
from ..transforms.jit import api
from ..typing import Array, ArrayLike, DTypeLike, ShardingLike
from .distributions import Shape, _float, _uniform
from .elements import drawn_shape, float_parameters, integer_type
from .keys import KeyLike, clone, given_key, split_keys

__all__ = ["binomial", "geometric", "multinomial", "poisson"]

FEW = 10.0  # from this mean on rejection is used, which is made for it
_MANY = 1e5  # beyond this mean k log(mean) - mean - log(k!) has no digits left in float32
_FOR_POISSON = np.dtype(np.float32)  # Poisson numbers are drawn from uniform ones of this type, whatever the mean's is


def _drawn(*parameters: Any) -> np.dtype:
    """The type in which uniform numbers are drawn: that of the parameters."""
    return inexact_dtype(result_type(*parameters))


def _computed(drawn: np.dtype) -> np.dtype:
    """The type in which counts are computed of these: float32 at least."""
    return np.dtype(np.float32) if drawn.itemsize < 4 else drawn


def _unit(key: Any, like: Any, drawn: np.dtype) -> Any:
    """For each element of an array a number from 0 to below 1, of the bits of another type."""
    return convert(_uniform(key, 0.0, 1.0, shape_of(like), drawn), like.dtype)


def _poisson_by_waiting(key: Any, mean: Any) -> Any:
    """Counts events until their waiting times, as logarithms of products, have used up the mean."""
    def step(state: tuple[Any, ...]) -> tuple[Any, ...]:
        key, count, passed = state
        pair = split_keys(key, shape=(2,))
        count = where(passed > -mean, count + 1, count)
        return pair[0], count, passed + log(_unit(pair[1], mean, _FOR_POISSON))

    zeros = lax.full_like(mean, 0)
    return lax.while_loop(lambda state: (state[2] > -mean).any(), step, (key, zeros, zeros))[1] - 1


def _log_share(k: Any, mean: Any) -> Any:
    """The logarithm of the probability of k, for means whose multiples lose the digits that count.

    By Stirling's formula it is -mean phi(d) - log(2 pi k) / 2 - 1 / (12 k) with d = k / mean - 1 and
    phi(d) = (1 + d) log(1 + d) - d, for which a series serves where d is small.
    """
    d = (k - mean) / mean
    near = absolute(d) < 0.03
    small = where(near, d, 0)
    series = small * small * (1 / 2 - small * (1 / 6 - small * (1 / 12 - small * (1 / 20 - small / 30))))
    safe = maximum(where(near, 0, d), -0.5)  # further below nothing is ever accepted
    phi = where(near, series, (1 + safe) * log1p(safe) - safe)
    counted = maximum(k, 1)
    return -mean * phi - 0.5 * log(2 * math.pi * counted) - 1 / (12 * counted)


def _poisson_by_rejection(key: Any, mean: Any) -> Any:
    b = 0.931 + 2.53 * sqrt(mean)
    a = -0.059 + 0.02483 * b
    inverse = 1.1239 + 1.1328 / (b - 3.4)
    squeeze = 0.9277 - 3.6224 / (b - 2)
    logarithm = log(mean)

    def step(state: tuple[Any, ...]) -> tuple[Any, ...]:
        key, found, done = state
        keys = split_keys(key, shape=(3,))
        u = _unit(keys[1], mean, _FOR_POISSON) - 0.5
        v = _unit(keys[2], mean, _FOR_POISSON)
        us = 0.5 - absolute(u)
        k = floor((2 * a / us + b) * u + mean + 0.43)
        s = log(v * inverse / (a / (us * us) + b))
        t = where(mean > _MANY, _log_share(k, mean), k * logarithm - mean - lax.lgamma(k + 1))
        quick = (us >= 0.07) & (v <= squeeze)
        refused = (k < 0) | ((us < 0.013) & (v > us))
        accepted = quick | (~refused & (s <= t))
        return keys[0], where(accepted, k, found), done | accepted

    # What is accepted while others are still drawing is as good as the first that was: the last one stays.
    start = (key, lax.full_like(mean, -1), lax.full_like(mean, False, np.bool_))
    return lax.while_loop(lambda state: ~state[2].all(), step, start)[1]


@api(static=("shape", "dtype"), call="_poisson")
def _poisson(key: ArrayLike, lam: Any, shape: tuple[int, ...], dtype: np.dtype) -> Any:
    lam = broadcast(cast(lam, _computed(_drawn(lam))), shape, weak=False)
    drawable = isfinite(lam)
    few = ~(lam >= FEW)
    # Each element is of one of both: their numbers may be made of the same bits.
    counted = _poisson_by_waiting(key, where(few & drawable, lam, 0))
    rejected = _poisson_by_rejection(clone(key), where(few | ~drawable, 1e5, lam))
    found = _as_integers(where(few, counted, rejected), dtype)
    greatest = np.asarray(np.iinfo(dtype).max, dtype)
    none = convert(lax.full_like(lam, -1, np.int32), dtype)
    found = where(lam == np.inf, greatest, where(lam >= 0, found, none))
    return where(lam == 0, lax.full_like(found, 0), found)


def _as_integers(x: Any, dtype: np.dtype) -> Any:
    """Whole numbers as integers; the greatest, or least, one where there is no such integer, and 0 for NaN."""
    info = np.iinfo(dtype)
    low, high = (np.asarray(bound, x.dtype) for bound in (info.min, info.max))
    inside = where((x >= low) & (x < high), x, 0)  # the greatest may be rounded up to what the type does not hold
    greatest, least = (np.asarray(bound, dtype) for bound in (info.max, info.min))
    return where(x >= high, greatest, where(x < low, least, convert(inside, dtype)))


def poisson(
    key: KeyLike, lam: ArrayLike, shape: Shape | None = None, dtype: DTypeLike | None = None, *,
    out_sharding: ShardingLike | None = None,
) -> Array:
    """Numbers of the Poisson distribution: how often something happens that happens `lam` times on average.

    Args:
        key: A key.
        lam: The mean, not negative; the number is -1 where it is negative or NaN.
        shape: The result's shape, to which `lam` broadcasts; that of `lam` for None.
        dtype: The element type, of integers; int32 for None. Numbers beyond it become its greatest.
        out_sharding: How the result is to be sharded.

    Returns:
        The numbers.

    Example:
        >>> import olympus
        >>> olympus.random.poisson(olympus.random.key(0), 20.0, (4,)).shape
        (4,)

    References:
        W. Hoermann, "The transformed rejection method for generating Poisson random variables", 1993.
    """
    sizes, kind = drawn_shape("poisson", shape, [lam]), integer_type("poisson", dtype)
    return constrained(_poisson(given_key("random.poisson", key), lam, shape=sizes, dtype=kind), out_sharding)


# What Stirling's formula for log(k!) lacks, for k up to 9; from there on a series in 1 / (k + 1) suffices.
_STIRLING = np.array([
    math.lgamma(k + 1) - ((k + 0.5) * math.log(k + 1) - (k + 1) + 0.5 * math.log(2 * math.pi)) for k in range(10)])


def _stirling_rest(k: Any) -> Any:
    inverse = 1 / (k + 1)
    square = inverse * inverse
    series = (1 / 12 - (1 / 360 - square / 1260) * square) * inverse
    table = np.asarray(_STIRLING, k.dtype)
    return where(k <= 9, take(table, convert(clip(k, 0, 9), np.dtype(np.int32)), mode="clip"), series)


def _binomial_by_waiting(key: Any, count: Any, p: Any, drawn: np.dtype) -> Any:
    """Counts successes by the numbers of trials between them, which are geometric."""
    logarithm = log1p(-p)

    def step(state: tuple[Any, ...]) -> tuple[Any, ...]:
        key, found, trials = state
        pair = split_keys(key, shape=(2,))
        found = where(trials <= count, found + 1, found)
        waited = ceil(log(_unit(pair[0], p, drawn)) / logarithm)
        return pair[1], found, trials + waited

    zeros = lax.full_like(p, 0)
    return lax.while_loop(lambda state: (state[2] <= count).any(), step, (key, zeros, zeros))[1] - 1


def _binomial_by_rejection(key: Any, count: Any, p: Any, drawn: np.dtype) -> Any:
    deviation = sqrt(count * p * (1 - p))
    b = 1.15 + 2.53 * deviation
    a = -0.0873 + 0.0248 * b + 0.01 * p
    centre = count * p + 0.5
    squeeze = 0.92 - 4.2 / b
    ratio = p / (1 - p)
    alpha = (2.83 + 5.1 / b) * deviation
    mode = floor((count + 1) * p)

    def step(state: tuple[Any, ...]) -> tuple[Any, ...]:
        key, found, done = state
        keys = split_keys(key, shape=(3,))
        u = _unit(keys[1], p, drawn) - 0.5
        v = _unit(keys[2], p, drawn)
        us = 0.5 - absolute(u)
        quick = (us >= 0.07) & (v <= squeeze)
        k = floor((2 * a / us + b) * u + centre)
        possible = (k >= 0) & (k <= count)
        s = log(v * alpha / (a / (us * us) + b))
        t = (
            (mode + 0.5) * log((mode + 1) / (ratio * (count - mode + 1)))
            + (count + 1) * log((count - mode + 1) / (count - k + 1))
            + (k + 0.5) * log(ratio * (count - k + 1) / (k + 1))
            + _stirling_rest(mode) + _stirling_rest(count - mode) - _stirling_rest(k) - _stirling_rest(count - k))
        accepted = quick | (possible & (s <= t))
        return keys[0], where(accepted, k, found), done | accepted

    start = (key, lax.full_like(p, -1), lax.full_like(p, False, np.bool_))
    return lax.while_loop(lambda state: ~state[2].all(), step, start)[1]


@api(static=("shape", "dtype"))
def _binomial(key: ArrayLike, n: Any, p: Any, shape: tuple[int, ...], dtype: np.dtype) -> Any:
    return convert(_counted(key, n, p, shape, _drawn(n, p)), dtype)


def _counted(key: Any, n: Any, p: Any, shape: tuple[int, ...], drawn: np.dtype) -> Any:
    """Binomial numbers, in the type in which they are computed."""
    wide = _computed(drawn)
    n, p = (broadcast(cast(v, wide), shape, weak=False) for v in (n, p))
    # Of the two outcomes the one that is less likely is counted.
    likely = ~(p < 0.5)
    q = where(likely, 1 - p, p)
    refused = ~((n >= 0) & (q >= 0))
    drawable = ~refused & isfinite(n)
    chance = where(drawable, q, 0.01)
    count = floor(where(drawable, n, 0))
    few = count * chance <= FEW
    # As above, each element is of one of both.
    counted = _binomial_by_waiting(key, where(few, count, 0), where(few, chance, 0.01), drawn)
    rejected = _binomial_by_rejection(clone(key), where(few, 1e4, count), where(few, 0.5, chance), drawn)
    found = where(few, counted, rejected)
    found = where(likely, count - found, found)
    return where(refused, np.nan, where(isinf(n), np.inf, found))


def binomial(
    key: KeyLike, n: ArrayLike, p: ArrayLike, shape: Shape | None = None, dtype: DTypeLike | None = None
) -> Array:
    """Numbers of the binomial distribution: how many of `n` trials succeed.

    Args:
        key: A key.
        n: How many trials, not negative; a fraction is dropped. The number is NaN where it is negative or NaN.
        p: The probability of success; the number is NaN where it is not from 0 to 1.
        shape: The result's shape, to which the parameters broadcast; their common one for None.
        dtype: The element type, of floats; float32 for None.

    Returns:
        The numbers.

    Example:
        >>> import olympus
        >>> float(olympus.random.binomial(olympus.random.key(0), 10, 1.0))
        10.0

    References:
        W. Hoermann, "The generation of binomial random variates", 1993.
    """
    sizes, kind, _ = float_parameters("binomial", shape, dtype, [n, p])
    return _binomial(given_key("random.binomial", key), n, p, shape=sizes, dtype=kind)


@api(static=("shape", "dtype"))
def _multinomial(key: ArrayLike, n: Any, p: Any, shape: tuple[int, ...], dtype: np.dtype) -> Any:
    drawn = _drawn(n, p)
    wide = _computed(drawn)
    p = moveaxis(broadcast(cast(p, wide), shape, weak=False), -1, 0)
    left = broadcast(cast(n, wide), shape[:-1], weak=False)
    rest = lax.cumsum(p, axis=0, reverse=True)
    shares = p / where(rest == 0, 1, rest)

    def step(left: Any, category: tuple[Any, Any]) -> tuple[Any, Any]:
        key, share = category
        count = _counted(key, left, clip(share, 0, 1), shape[:-1], drawn)
        return left - count, count

    found = lax.scan(step, left, (split_keys(key, shape=(shape[-1],)), shares))[1]
    return convert(moveaxis(found, 0, -1), dtype)


def multinomial(
    key: KeyLike, n: ArrayLike, p: ArrayLike, *, shape: Shape | None = None, dtype: DTypeLike | None = None,
    unroll: int | bool = 1,
) -> Array:
    """Vectors of the multinomial distribution: how many of `n` draws fall in each category.

    Args:
        key: A key.
        n: How many draws; broadcasts to the result's shape without the last dimension.
        p: The categories' probabilities along the last dimension; their sum need not be 1.
        shape: The result's shape, whose last dimension counts the categories; that of the parameters for None.
        dtype: The element type, of floats; float32 for None.
        unroll: Accepted for compatibility.

    Returns:
        The numbers, along the last dimension.

    Raises:
        ArgumentError: When `p` is a scalar, or the parameters do not fit the shape.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> float(olympus.random.multinomial(olympus.random.key(0), 10, jnp.array([0.2, 0.8])).sum())
        10.0
    """
    if not shape_of(p):
        raise ArgumentError("random.multinomial", "the probabilities are a scalar", p,
                            "an array of one dimension or more")
    counts = shape_of(p)[-1]
    one = np.empty(shape_of(p)[:-1], np.bool_)  # of the shape of one category's probabilities
    batch = drawn_shape("multinomial", None if shape is None else tuple(shape)[:-1], [n, one])
    if shape is not None and tuple(shape)[-1:] != (counts,):
        raise ArgumentError("random.multinomial", "the shape does not end in the number of categories", tuple(shape),
                            (*batch, counts))
    return _multinomial(given_key("random.multinomial", key), n, p, shape=(*batch, counts),
                        dtype=_float("multinomial", dtype))


@api(static=("shape", "dtype"), call="_geometric")
def _geometric(key: ArrayLike, p: Any, shape: tuple[int, ...], dtype: np.dtype) -> Any:
    drawn = _drawn(p)
    p = broadcast(cast(p, _computed(drawn)), shape, weak=False)
    u = _unit(key, p, drawn)
    trials = floor(log(where(u == 0, 1, u)) / log1p(-p)) + 1
    return _as_integers(trials, dtype)


def geometric(
    key: KeyLike, p: ArrayLike, shape: Shape | None = None, dtype: DTypeLike | None = None, *,
    out_sharding: ShardingLike | None = None,
) -> Array:
    """Numbers of the geometric distribution: how many trials there are up to the first that succeeds.

    Args:
        key: A key.
        p: The probability of success, above 0 and at most 1.
        shape: The result's shape, to which `p` broadcasts; that of `p` for None.
        dtype: The element type, of integers; int32 for None.
        out_sharding: How the result is to be sharded.

    Returns:
        The numbers, from 1 on.

    Example:
        >>> import olympus
        >>> int(olympus.random.geometric(olympus.random.key(0), 1.0))
        1
    """
    sizes, kind = drawn_shape("geometric", shape, [p]), integer_type("geometric", dtype)
    return constrained(_geometric(given_key("random.geometric", key), p, shape=sizes, dtype=kind), out_sharding)
