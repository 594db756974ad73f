# SPDX-License-Identifier: Apache-2.0
"""Distributions that are functions of normal, exponential or uniform numbers, with parameters."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..lax.structure import constrained
from ..numpy.arithmetic import divide, power
from ..numpy.elementwise import exp, log, sqrt
from ..numpy.searching import where
from ..operands import cast, convert
from ..transforms.jit import api
from ..typing import Array, ArrayLike, DTypeLike, ShardingLike
from .distributions import Shape, _finfo, _float, _normal, _shape, _transformed, _uniform, rademacher
from .elements import drawn_shape, float_parameters
from .keys import KeyLike, given_key, split_keys

__all__ = [
    "double_sided_maxwell", "lognormal", "maxwell", "pareto", "rayleigh", "triangular", "wald", "weibull_min",
]


@api(static=("shape", "dtype"))
def _lognormal(key: ArrayLike, sigma: Any, shape: tuple[int, ...], dtype: np.dtype) -> Any:
    return exp(_normal(key, shape, dtype) * cast(sigma, dtype))


def lognormal(
    key: KeyLike, sigma: ArrayLike = 1.0, shape: Shape | None = None, dtype: DTypeLike | None = None, *,
    out_sharding: ShardingLike | None = None,
) -> Array:
    """Numbers whose logarithms have a normal distribution of mean 0.

    Args:
        key: A key.
        sigma: The logarithms' standard deviation.
        shape: The result's shape, to which `sigma` broadcasts; that of `sigma` for None.
        dtype: The element type; float32 for None.
        out_sharding: How the result is to be sharded.

    Returns:
        The numbers.

    Example:
        >>> import olympus
        >>> olympus.random.lognormal(olympus.random.key(0), 0.5, (2,)).round(3)
        Array([2.251, 2.753], dtype=float32)
    """
    sizes, kind, _ = float_parameters("lognormal", shape, dtype, [sigma])
    return constrained(_lognormal(given_key("random.lognormal", key), sigma, shape=sizes, dtype=kind), out_sharding)


@api(static=("shape", "dtype"), call="_maxwell")
def _maxwell(key: ArrayLike, shape: tuple[int, ...], dtype: np.dtype) -> Any:
    numbers = _normal(key, (*shape, 3), dtype)
    return sqrt((numbers * numbers).sum(axis=-1))


def maxwell(
    key: KeyLike, shape: Shape = (), dtype: DTypeLike | None = None, *, out_sharding: ShardingLike | None = None
) -> Array:
    """Numbers of the Maxwell distribution of scale 1: lengths of vectors of three normal numbers.

    Args:
        key: A key.
        shape: The result's shape.
        dtype: The element type; float32 for None.
        out_sharding: How the result is to be sharded.

    Returns:
        The numbers.

    Example:
        >>> import olympus
        >>> olympus.random.maxwell(olympus.random.key(0), (2,)).shape
        (2,)
    """
    found = _maxwell(given_key("random.maxwell", key), shape=_shape("maxwell", shape), dtype=_float("maxwell", dtype))
    return constrained(found, out_sharding)


@api(static=("shape", "dtype"), call="_double_sided_maxwell")
def _double_sided_maxwell(key: ArrayLike, loc: Any, scale: Any, shape: tuple[int, ...], dtype: np.dtype) -> Any:
    pair = split_keys(key, shape=(2,))
    return rademacher(pair[1], shape, dtype) * _maxwell(pair[0], shape, dtype) * cast(scale, dtype) + cast(loc, dtype)


def double_sided_maxwell(
    key: KeyLike, loc: ArrayLike, scale: ArrayLike, shape: Shape = (), dtype: DTypeLike | None = None
) -> Array:
    """Numbers at a distance of the Maxwell distribution on either side of a location.

    Args:
        key: A key.
        loc: The location.
        scale: The factor of the distance.
        shape: How many for each pair of parameters: the result's shape is this, followed by the parameters' common one.
        dtype: The element type; float32 for None.

    Returns:
        The numbers.

    Example:
        >>> import olympus
        >>> olympus.random.double_sided_maxwell(olympus.random.key(0), 1.0, 2.0, (2,)).shape
        (2,)
    """
    sizes = (*_shape("double_sided_maxwell", shape), *drawn_shape("double_sided_maxwell", None, [loc, scale]))
    key = given_key("random.double_sided_maxwell", key)
    return _double_sided_maxwell(key, loc, scale, shape=sizes, dtype=_float("double_sided_maxwell", dtype))


@api(static=("shape", "dtype"), call="_pareto")
def _pareto(key: ArrayLike, b: Any, shape: tuple[int, ...], dtype: np.dtype) -> Any:
    return exp(_transformed(key, shape, dtype, "exponential") / cast(b, dtype))


def pareto(
    key: KeyLike, b: ArrayLike, shape: Shape | None = None, dtype: DTypeLike | None = None, *,
    out_sharding: ShardingLike | None = None,
) -> Array:
    """Numbers of the Pareto distribution, whose density at x is b x^(-b - 1) from 1 on.

    Args:
        key: A key.
        b: The exponent, positive.
        shape: The result's shape, to which `b` broadcasts; that of `b` for None.
        dtype: The element type; float32 for None.
        out_sharding: How the result is to be sharded.

    Returns:
        The numbers.

    Example:
        >>> import olympus
        >>> olympus.random.pareto(olympus.random.key(0), 3.0, (2,)).round(3)
        Array([2.673, 3.601], dtype=float32)
    """
    sizes, kind, _ = float_parameters("pareto", shape, dtype, [b])
    return constrained(_pareto(given_key("random.pareto", key), b, shape=sizes, dtype=kind), out_sharding)


@api(static=("shape", "dtype"), call="_rayleigh")
def _rayleigh(key: ArrayLike, scale: Any, shape: tuple[int, ...], dtype: np.dtype) -> Any:
    u = _uniform(key, 0.0, 1.0, shape, dtype)
    # A uniform number of zero stands for all below the next one: half of that keeps the result finite.
    u = where(u == 0, np.asarray(_finfo(dtype).eps / 2, dtype), u)
    return cast(scale, dtype) * sqrt(-2 * log(u))


def rayleigh(
    key: KeyLike, scale: ArrayLike, shape: Shape | None = None, dtype: DTypeLike | None = None, *,
    out_sharding: ShardingLike | None = None,
) -> Array:
    """Numbers of the Rayleigh distribution: lengths of vectors of two normal numbers.

    Args:
        key: A key.
        scale: The normal numbers' standard deviation.
        shape: The result's shape, to which `scale` broadcasts; that of `scale` for None.
        dtype: The element type; float32 for None.
        out_sharding: How the result is to be sharded.

    Returns:
        The numbers.

    Example:
        >>> import olympus
        >>> olympus.random.rayleigh(olympus.random.key(0), 1.0, (2,)).round(3)
        Array([0.328, 0.208], dtype=float32)
    """
    sizes, kind, _ = float_parameters("rayleigh", shape, dtype, [scale])
    return constrained(_rayleigh(given_key("random.rayleigh", key), scale, shape=sizes, dtype=kind), out_sharding)


@api(static=("shape", "dtype"))
def _triangular(key: ArrayLike, left: Any, mode: Any, right: Any, shape: tuple[int, ...], dtype: np.dtype) -> Any:
    left, mode, right = (cast(v, dtype) for v in (left, mode, right))
    u = _uniform(key, 0.0, 1.0, shape, dtype)
    width = right - left
    rising = left + sqrt(u * width * (mode - left))
    falling = right - sqrt((1 - u) * width * (right - mode))
    return where(u * width < mode - left, rising, falling)


def triangular(
    key: KeyLike, left: ArrayLike, mode: ArrayLike, right: ArrayLike, shape: Shape | None = None,
    dtype: DTypeLike | None = None, *, out_sharding: ShardingLike | None = None,
) -> Array:
    """Numbers whose density rises linearly from one bound to a peak, and falls from there to the other bound.

    Args:
        key: A key.
        left: The lower bound.
        mode: Where the peak is.
        right: The upper bound.
        shape: The result's shape, to which the parameters broadcast; their common one for None.
        dtype: The element type; float32 for None.
        out_sharding: How the result is to be sharded.

    Returns:
        The numbers.

    Example:
        >>> import olympus
        >>> olympus.random.triangular(olympus.random.key(0), 0.0, 0.5, 1.0, (2,)).round(3)
        Array([0.838, 0.897], dtype=float32)
    """
    sizes, kind, _ = float_parameters("triangular", shape, dtype, [left, mode, right])
    found = _triangular(given_key("random.triangular", key), left, mode, right, shape=sizes, dtype=kind)
    return constrained(found, out_sharding)


@api(static=("shape", "dtype"), call="_wald")
def _wald(key: ArrayLike, mean: Any, shape: tuple[int, ...], dtype: np.dtype) -> Any:
    wide = np.dtype(np.float32) if dtype.itemsize < 4 else dtype
    mean = cast(mean, wide)
    pair = split_keys(key, shape=(2,))
    v = convert(_normal(pair[0], shape, dtype), wide)
    u = convert(_uniform(pair[1], 0.0, 1.0, shape, dtype), wide)
    # The smaller root of a quadratic equation, in a form without cancellation; 1 / v^2 is its limit for great means.
    w = mean * (v * v) / 2
    is_far = (w > 8 / np.finfo(wide).eps) | (mean == np.inf)
    limit = 1 / (v * v)
    w = where(is_far, 0, w)
    ratio = 1 / (1 + w + sqrt(w) * sqrt(w + 2))
    found = where(u <= 1 / (1 + ratio), mean * ratio, mean / ratio)
    return convert(where(is_far, limit, found), dtype)


def wald(
    key: KeyLike, mean: ArrayLike, shape: Shape | None = None, dtype: DTypeLike | None = None, *,
    out_sharding: ShardingLike | None = None,
) -> Array:
    """Numbers of the Wald distribution (inverse Gaussian) of scale 1.

    Args:
        key: A key.
        mean: The mean, positive.
        shape: The result's shape, to which `mean` broadcasts; that of `mean` for None.
        dtype: The element type; float32 for None.
        out_sharding: How the result is to be sharded.

    Returns:
        The numbers.

    Example:
        >>> import olympus
        >>> olympus.random.wald(olympus.random.key(0), 2.0, (2,)).shape
        (2,)

    References:
        J. Michael, W. Schucany and R. Haas, "Generating random variates using transformations with multiple roots",
        The American Statistician 30, 1976.
    """
    sizes, kind, _ = float_parameters("wald", shape, dtype, [mean])
    return constrained(_wald(given_key("random.wald", key), mean, shape=sizes, dtype=kind), out_sharding)


@api(static=("shape", "dtype"), call="_weibull_min")
def _weibull_min(key: ArrayLike, scale: Any, concentration: Any, shape: tuple[int, ...], dtype: np.dtype) -> Any:
    found = power(_transformed(key, shape, dtype, "exponential"), divide(1.0, cast(concentration, dtype)))
    return convert(found * cast(scale, dtype), dtype)


def weibull_min(
    key: KeyLike, scale: ArrayLike, concentration: ArrayLike, shape: Shape = (), dtype: DTypeLike | None = None
) -> Array:
    """Numbers of the Weibull distribution: powers of exponential numbers.

    Args:
        key: A key.
        scale: The factor.
        concentration: The inverse of the exponent, positive.
        shape: The shape of the exponential numbers, with which those of the parameters are broadcast.
        dtype: The element type; float32 for None.

    Returns:
        The numbers.

    Example:
        >>> import olympus
        >>> olympus.random.weibull_min(olympus.random.key(0), 1.0, 2.0, (2,)).round(3)
        Array([1.718, 1.96 ], dtype=float32)
    """
    key = given_key("random.weibull_min", key)
    return _weibull_min(key, scale, concentration, shape=_shape("weibull_min", shape),
                        dtype=_float("weibull_min", dtype))
