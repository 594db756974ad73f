# SPDX-License-Identifier: Apache-2.0
"""Distributions: bits, uniform and normal numbers, integers; the public names are in `olympus.random`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.config import config
from olympus_core.errors import ArgumentError, described

from .. import lax
from ..lax.structure import constrained
from ..numpy.arithmetic import multiply, subtract
from ..numpy.dtypes import finfo
from ..numpy.promotion import inexact_dtype
from ..operands import (
    broadcast,
    broadcast_shape,
    cast,
    convert,
    dtype_of,
    element_type,
    filled,
    is_number,
    shape_argument,
    shape_of,
)
from ..tracing import scalar_dtype
from ..transforms.jit import api
from ..typing import Array, ArrayLike, DTypeLike, ShardingLike
from .keys import KeyLike, given_key, random_bits, split_keys

if TYPE_CHECKING:
    from ..signatures import Distribution

__all__ = [
    "bernoulli", "bits", "cauchy", "exponential", "gumbel", "laplace", "logistic", "normal", "rademacher", "randint",
    "truncated_normal", "uniform",
]

Shape = Sequence[int]


def _shape(function: str, shape: Any) -> tuple[int, ...]:
    return shape_argument(f"random.{function}", shape)


def _float(function: str, dtype: Any) -> np.dtype:
    found = element_type(f"random.{function}", float if dtype is None else dtype)
    if not dtypes.is_float(found):
        raise ArgumentError(f"random.{function}", "the element type is not one of floats", found.name, "a float type")
    return found


def _bits(key: Any, shape: tuple[int, ...], dtype: np.dtype) -> Any:
    return random_bits(key, shape, dtype)


@api(static=("shape", "dtype"))
def _bits_of(key: ArrayLike, shape: tuple[int, ...], dtype: np.dtype) -> Any:
    return random_bits(key, shape, dtype)


def bits(
    key: KeyLike, shape: Shape = (), dtype: DTypeLike | None = None, *, out_sharding: ShardingLike | None = None
) -> Array:
    """Random bits.

    Args:
        key: A key.
        shape: The result's shape.
        dtype: A type of unsigned integers; uint32, or uint64 where 64 bits are enabled, for None.
        out_sharding: How the result is to be sharded.

    Returns:
        Integers, all bits of which are random.

    Example:
        >>> import olympus
        >>> olympus.random.bits(olympus.random.key(0), (2,))
        Array([4070199207, 4202968722], dtype=uint32)
    """
    wanted = f"u{scalar_dtype(int).itemsize}" if dtype is None else dtype
    kind = element_type("random.bits", wanted)
    if kind not in dtypes.UNSIGNED:
        raise ArgumentError("random.bits", "the element type is not unsigned", kind.name,
                            "uint8, uint16, uint32 or uint64")
    return constrained(_bits_of(given_key("random.bits", key), shape=_shape("bits", shape), dtype=kind), out_sharding)


def _unit(key: Any, shape: tuple[int, ...], dtype: np.dtype) -> Any:
    """Floats from zero to below one."""
    drawn = 8 if _finfo(dtype).nmant < 8 else dtype.itemsize * 8
    return as_unit(_bits(key, shape, np.dtype(f"u{drawn // 8}")), dtype)


def as_unit(bits: Any, dtype: np.dtype) -> Any:
    """Floats from zero to below one: random bits as the fraction of a number from one to two."""
    if dtypes.bits_of(dtype) < 8 or not _finfo(dtype).nmant:
        raise ArgumentError("random", "there are no random numbers of so few bits", dtype.name, "a wider type",
                            "Draw float32 numbers and convert them with x.astype(...).")
    fraction, unsigned = int(_finfo(dtype).nmant), np.dtype(f"u{dtype.itemsize}")
    drawn = min(dtype_of(bits).itemsize, 1 if fraction < 8 else dtype.itemsize) * 8
    source = bits
    for kind in (np.dtype(f"u{drawn // 8}"), unsigned):
        source = source if dtype_of(source) == kind else convert(source, kind)
    one = np.ones((), dtype).view(unsigned)
    shifted = lax.shift_right_logical(source, np.asarray(drawn - fraction, unsigned))
    floats = lax.bitcast_convert_type(lax.bitwise_or(shifted, one), dtype)
    return lax.sub(floats, np.ones((), dtype))


def _finfo(dtype: np.dtype) -> Any:
    return finfo(dtype)


def _uniform(key: Any, low: Any, high: Any, shape: tuple[int, ...], dtype: np.dtype) -> Any:
    return _between(_unit(key, shape, dtype), low, high, dtype)


def _between(unit: Any, low: Any, high: Any, dtype: np.dtype) -> Any:
    """Floats of an interval from floats from zero to below one."""
    low, high = (broadcast(cast(v, dtype), shape_of(unit), weak=False) for v in (low, high))
    return lax.max(low, lax.add(lax.mul(unit, lax.sub(high, low)), low))


@api(static=("shape", "dtype"), call="_uniform")
def _uniform_from(key: ArrayLike, low: ArrayLike, high: ArrayLike, shape: tuple[int, ...], dtype: np.dtype) -> Any:
    return _uniform(key, low, high, shape, dtype)


def _check_fits(function: str, shape: tuple[int, ...], *arrays: Any) -> None:
    for x in arrays:
        if shape_of(x) and broadcast_shape(f"random.{function}", [shape_of(x), shape]) != shape:
            raise ArgumentError(f"random.{function}", "an argument does not broadcast to the shape", shape_of(x), shape)


def uniform(
    key: KeyLike, shape: Shape = (), dtype: DTypeLike | None = None, minval: ArrayLike = 0.0, maxval: ArrayLike = 1.0,
    *, out_sharding: ShardingLike | None = None,
) -> Array:
    """Numbers that are equally likely everywhere in an interval.

    Args:
        key: A key.
        shape: The result's shape.
        dtype: The element type; float32 for None.
        minval: The interval's lower end, which can occur.
        maxval: Its upper end, which cannot.
        out_sharding: How the result is to be sharded.

    Returns:
        The numbers.

    Example:
        >>> import olympus
        >>> olympus.random.uniform(olympus.random.key(0), (2,))
        Array([0.947667 , 0.9785799], dtype=float32)
    """
    sizes = _shape("uniform", shape)
    _check_fits("uniform", sizes, minval, maxval)
    found = _uniform_from(given_key("random.uniform", key), minval, maxval, shape=sizes, dtype=_float("uniform", dtype))
    return constrained(found, out_sharding)


@api(static=("shape", "dtype"), call="_normal")
def _normal(key: ArrayLike, shape: tuple[int, ...], dtype: np.dtype) -> Any:
    if dtypes.is_complex(dtype):
        pair = split_keys(key, shape=(2,))
        part = dtypes.real_part(dtype)
        parts = [_normal(lax.index_in_dim(pair, i, keepdims=False), shape, part) for i in range(2)]
        return lax.div(lax.complex(*parts), convert(math.sqrt(2), dtype))
    return normal_from_unit(_unit(key, shape, dtype), dtype)


def normal_from_unit(unit: Any, dtype: np.dtype) -> Any:
    """Numbers of the standard normal distribution from floats from zero to below one, by inversion."""
    low = np.nextafter(np.asarray(-1, dtype), np.asarray(0, dtype), dtype=dtype)
    return lax.mul(lax.erf_inv(_between(unit, low, np.ones((), dtype), dtype)), np.asarray(math.sqrt(2), dtype))


def normal(
    key: KeyLike, shape: Shape = (), dtype: DTypeLike | None = None, *, out_sharding: ShardingLike | None = None
) -> Array:
    """Numbers of the standard normal distribution.

    Args:
        key: A key.
        shape: The result's shape.
        dtype: The element type, floats or complex numbers; float32 for None.
        out_sharding: How the result is to be sharded.

    Returns:
        The numbers.

    Example:
        >>> import olympus
        >>> olympus.random.normal(olympus.random.key(0), (2,)).round(4)
        Array([1.6226, 2.0253], dtype=float32)
    """
    kind = element_type("random.normal", float if dtype is None else dtype)
    if not (dtypes.is_float(kind) or dtypes.is_complex(kind)):
        raise ArgumentError("random.normal", "the element type is not one of floats", kind.name, "floats or complex")
    found = _normal(given_key("random.normal", key), shape=_shape("normal", shape), dtype=kind)
    return constrained(found, out_sharding)


@api(static=("shape", "dtype"))
def _randint(key: ArrayLike, low: ArrayLike, high: ArrayLike, shape: tuple[int, ...], dtype: np.dtype) -> Any:
    if dtype.itemsize < 4:  # in 32 bits, where the remainder is less biased
        info = dtypes.limits(dtype)
        wide = np.dtype(np.int32)
        ends = [(info.min, info.max), (info.min, info.max + 1)]
        low, high = (
            lax.clamp(np.asarray(first, wide), convert(v, wide), np.asarray(last, wide))
            for v, (first, last) in zip((low, high), ends, strict=True))
        return convert(_randint(key, low, high, shape, wide), dtype)
    width = dtype.itemsize * 8
    unsigned = np.dtype(f"u{dtype.itemsize}")
    info = dtypes.limits(dtype)
    beyond = lax.gt(high, info.max) if dtype_of(high).itemsize > dtype.itemsize else np.asarray(False)
    low, high = (_within(v, info, dtype) for v in (low, high))
    low, high = (broadcast(v, shape, weak=False) for v in (low, high))
    pair = split_keys(key, shape=(2,))
    upper, lower = (_bits(lax.index_in_dim(pair, i, keepdims=False), shape, unsigned) for i in range(2))
    # Twice as many bits as needed: the remainder is then hardly biased.
    empty = lax.le(high, low)
    span = _unsigned(lax.sub(high, low), unsigned)
    span = lax.select(empty, lax.full_like(span, 1), span)
    widened = lax.bitwise_and(broadcast(beyond, shape), lax.bitwise_not(empty))
    span = lax.select(widened, lax.add(span, np.ones((), unsigned)), span)
    multiplier = lax.rem(lax.full_like(span, 2 ** (width // 2)), span)
    multiplier = lax.rem(lax.mul(multiplier, multiplier), span)
    offset = lax.add(lax.mul(lax.rem(upper, span), multiplier), lax.rem(lower, span))
    return lax.add(low, _unsigned(lax.rem(offset, span), dtype))


def _unsigned(x: Any, dtype: np.dtype) -> Any:
    return x if dtype_of(x) == dtype else lax.bitcast_convert_type(x, dtype)


def _within(value: Any, info: Any, dtype: np.dtype) -> Any:
    """A bound, moved into what the element type holds."""
    own = dtype_of(value)
    if own == dtype:
        return value
    limits = dtypes.limits(own)
    low, high = max(info.min, limits.min), min(info.max, limits.max)
    return convert(lax.clamp(np.asarray(low, own), cast(value, own), np.asarray(high, own)), dtype)


def randint(
    key: KeyLike, shape: Shape, minval: ArrayLike, maxval: ArrayLike, dtype: DTypeLike | None = None, *,
    out_sharding: ShardingLike | None = None,
) -> Array:
    """Integers that are equally likely.

    Args:
        key: A key.
        shape: The result's shape.
        minval: The least one.
        maxval: The one after the greatest.
        dtype: The element type; int32 for None.
        out_sharding: How the result is to be sharded.

    Returns:
        The integers.

    Example:
        >>> import olympus
        >>> olympus.random.randint(olympus.random.key(0), (3,), 0, 10)
        Array([9, 0, 2], dtype=int32)
    """
    kind = element_type("random.randint", int if dtype is None else dtype)
    if not dtypes.is_integer(kind):
        raise ArgumentError("random.randint", "the element type is not one of integers", kind.name, "an integer type")
    low, high = _bound(_whole(minval), kind), _bound(_whole(maxval), kind)
    sizes = _shape("randint", shape)
    _check_fits("randint", sizes, low, high)
    return constrained(_randint(given_key("random.randint", key), low, high, shape=sizes, dtype=kind), out_sharding)


def _whole(value: Any) -> Any:
    """A bound of integers; of another number its whole part."""
    dtype = dtype_of(value)
    if dtypes.is_integer(dtype):
        return value
    if not dtypes.is_float(dtype) or (is_number(value) and not math.isfinite(value)):
        raise ArgumentError("random.randint", "a bound is not an integer", described(value), "integers")
    return int(value) if is_number(value) else cast(value, scalar_dtype(int))


def _bound(value: Any, kind: np.dtype) -> Any:
    """A Python integer in a type that holds one beyond the element type's greatest, if there is one."""
    if not is_number(value):
        return value
    default = scalar_dtype(int)
    info = dtypes.limits(default if kind.itemsize < default.itemsize else kind)
    return np.asarray(min(max(int(value), int(info.min)), int(info.max)), info.dtype)


@api(static=("shape", "high"), call="_bernoulli")
def _bernoulli(key: ArrayLike, p: ArrayLike, shape: tuple[int, ...], high: bool) -> Any:
    kind = inexact_dtype(dtype_of(p))
    p = broadcast(cast(p, kind), shape, weak=False)
    if high:
        upper, lower = _two_units(key, shape, kind)
        return lax.lt(lower * np.asarray(_finfo(kind).eps, kind), p - upper)
    return lax.lt(_uniform(key, 0.0, 1.0, shape, kind), p)


def _two_units(key: Any, shape: tuple[int, ...], dtype: np.dtype) -> list[Any]:
    """Leading digits of numbers from zero to below one, and those that follow."""
    both = _uniform(key, 0.0, 1.0, (2, *shape), dtype)
    return [lax.index_in_dim(both, i, keepdims=False) for i in range(2)]


def high_range(function: str, mode: Any) -> bool:
    """Whether a mode asks for twice as many random digits."""
    if mode not in (None, "low", "high"):
        raise ArgumentError(f"random.{function}", "the mode is not known", repr(mode), "'low', 'high' or None")
    return mode == "high"


def bernoulli(
    key: KeyLike, p: ArrayLike = 0.5, shape: Shape | None = None, mode: str = "low", *,
    out_sharding: ShardingLike | None = None,
) -> Array:
    """Bools that are true with a given probability.

    Args:
        key: A key.
        p: The probability.
        shape: The result's shape; that of `p` for None.
        mode: ``"high"`` draws twice as many bits, so that also a tiny probability is met exactly.
        out_sharding: How the result is to be sharded.

    Returns:
        Bools.

    Raises:
        ArgumentError: For another mode.

    Example:
        >>> import olympus
        >>> olympus.random.bernoulli(olympus.random.key(0), 0.5, (3,))
        Array([False, False,  True], dtype=bool)
    """
    sizes = shape_of(p) if shape is None else _shape("bernoulli", shape)
    _check_fits("bernoulli", sizes, p)
    found = _bernoulli(given_key("random.bernoulli", key), p, shape=sizes, high=high_range("bernoulli", mode))
    return constrained(found, out_sharding)


def rademacher(
    key: KeyLike, shape: Shape = (), dtype: DTypeLike | None = None, *, out_sharding: ShardingLike | None = None
) -> Array:
    """-1 or 1, equally likely.

    Args:
        key: A key.
        shape: The result's shape.
        dtype: The element type; int32 for None.
        out_sharding: How the result is to be sharded.

    Returns:
        The numbers.

    Example:
        >>> import olympus
        >>> olympus.random.rademacher(olympus.random.key(0), (3,))
        Array([-1, -1,  1], dtype=int32)
    """
    kind = element_type("random.rademacher", int if dtype is None else dtype)
    chosen = convert(bernoulli(key, 0.5, shape), kind)
    return constrained(convert(subtract(multiply(chosen, 2), 1), kind), out_sharding)


@api(static=("shape", "dtype", "kind"))
def _transformed(key: ArrayLike, shape: tuple[int, ...], dtype: np.dtype, kind: str) -> Any:
    """Distributions that are a function of one uniform number."""
    info = _finfo(dtype)
    if kind == "gumbel of high range":
        upper, lower = _two_units(key, shape, dtype)
        # Small numbers get further digits, and never are zero.
        small = upper + lower * np.asarray(info.eps, dtype) + np.asarray(info.tiny, dtype)
        u = lax.select(lax.ge(upper, np.asarray(0.5, dtype)), upper, small)
        return lax.neg(lax.log(lax.neg(lax.log1p(lax.neg(u)))))
    low, high = {
        "gumbel": (float(info.tiny), 1.0), "exponential": (0.0, 1.0), "laplace": (-1.0 + float(info.epsneg), 1.0),
        "logistic": (float(info.tiny), 1.0), "cauchy": (float(info.eps), 1.0),
    }[kind]
    u = _uniform(key, np.asarray(low, dtype), np.asarray(high, dtype), shape, dtype)
    if kind == "gumbel":
        return lax.neg(lax.log(lax.neg(lax.log(u))))
    if kind == "exponential":
        return lax.neg(lax.log1p(lax.neg(u)))
    if kind == "laplace":
        return lax.mul(lax.sign(u), lax.log1p(lax.neg(lax.abs(u))))
    if kind == "logistic":
        return lax.sub(lax.log(u), lax.log1p(lax.neg(u)))
    return lax.tan(lax.mul(np.asarray(math.pi, dtype), lax.sub(u, 0.5)))


def _distribution(kind: str, summary: str, decimals: int, example: str) -> Distribution:
    def function(
        key: KeyLike, shape: Shape = (), dtype: DTypeLike | None = None, *, out_sharding: ShardingLike | None = None
    ) -> Array:
        key = given_key(f"random.{kind}", key)
        found = _transformed(key, shape=_shape(kind, shape), dtype=_float(kind, dtype), kind=kind)
        return constrained(found, out_sharding)

    function.__name__ = function.__qualname__ = kind
    function.__doc__ = (
        f"{summary}\n\nArgs:\n    key: A key.\n    shape: The result's shape.\n    dtype: The element type; float32 for"
        " None.\n    out_sharding: How the result is to be sharded.\n\nReturns:\n    The numbers.\n\nExample:\n"
        f"    >>> import olympus\n    >>> float(olympus.random.{kind}(olympus.random.key(0)).round({decimals}))\n"
        f"    {example}\n"
    )
    return function


exponential = _distribution("exponential", "Numbers of the exponential distribution.", 0, "3.0")
laplace = _distribution("laplace", "Numbers of the Laplace distribution.", 0, "-2.0")
logistic = _distribution("logistic", "Numbers of the logistic distribution.", 0, "3.0")
cauchy = _distribution("cauchy", "Numbers of the Cauchy distribution.", 0, "6.0")


def gumbel_kind(function: str, mode: Any) -> str:
    """Which Gumbel numbers a mode asks for; the option `olympus_high_dynamic_range_gumbel` says it for None."""
    if mode is None and config.high_dynamic_range_gumbel:
        mode = "high"
    return "gumbel of high range" if high_range(function, mode) else "gumbel"


def gumbel(
    key: KeyLike, shape: Shape = (), dtype: DTypeLike | None = None, mode: str | None = None, *,
    out_sharding: ShardingLike | None = None,
) -> Array:
    """Numbers of the Gumbel distribution.

    Args:
        key: A key.
        shape: The result's shape.
        dtype: The element type; float32 for None.
        mode: ``"high"`` draws twice as many bits, so that also the greatest numbers occur as often as they should;
            None is ``"low"`` unless the option `olympus_high_dynamic_range_gumbel` is on.
        out_sharding: How the result is to be sharded.

    Returns:
        The numbers.

    Raises:
        ArgumentError: For another mode.

    Example:
        >>> import olympus
        >>> olympus.random.gumbel(olympus.random.key(0), (2,)).shape
        (2,)
    """
    found = _transformed(given_key("random.gumbel", key), shape=_shape("gumbel", shape), dtype=_float("gumbel", dtype),
                         kind=gumbel_kind("gumbel", mode))
    return constrained(found, out_sharding)


@api(static=("shape", "dtype"), call="_truncated_normal")
def _truncated(key: ArrayLike, low: ArrayLike, high: ArrayLike, shape: tuple[int, ...], dtype: np.dtype) -> Any:
    root = np.asarray(math.sqrt(2), dtype)
    low, high = (broadcast(cast(v, dtype), shape, weak=False) for v in (low, high))
    lower, upper = (lax.erf(lax.div(v, root)) for v in (low, high))
    found = lax.mul(root, lax.erf_inv(_uniform(key, lower, upper, shape, dtype)))
    infinity = filled(ops.reduce_min.nothing(dtype), shape, dtype)
    return lax.clamp(lax.nextafter(low, infinity), found, lax.nextafter(high, lax.neg(infinity)))


def truncated_normal(
    key: KeyLike, lower: ArrayLike, upper: ArrayLike, shape: Shape | None = None, dtype: DTypeLike | None = None, *,
    out_sharding: ShardingLike | None = None,
) -> Array:
    """Numbers of the standard normal distribution between two bounds.

    Args:
        key: A key.
        lower: The lower bound.
        upper: The upper bound.
        shape: The result's shape; that of the bounds for None.
        dtype: The element type; float32 for None.
        out_sharding: How the result is to be sharded.

    Returns:
        The numbers.

    Example:
        >>> import olympus
        >>> olympus.random.truncated_normal(olympus.random.key(0), -2, 2, (2,)).round(3)
        Array([1.456, 1.715], dtype=float32)
    """
    sizes = broadcast_shape("random.truncated_normal", [shape_of(lower), shape_of(upper)]) if shape is None else _shape(
        "truncated_normal", shape)
    _check_fits("truncated_normal", sizes, lower, upper)
    found = _truncated(given_key("random.truncated_normal", key), lower, upper, shape=sizes,
                       dtype=_float("truncated_normal", dtype))
    return constrained(found, out_sharding)
