# SPDX-License-Identifier: Apache-2.0
"""Arrays to put into programs: plain numbers, and those at which functions go wrong."""

from __future__ import annotations

import random

import ml_dtypes
import numpy as np

from olympus_core import dtypes
from olympus_core.program import ArrayType

# Parts of complex numbers of which C has rules: exponentials of the last two are infinite or vanish.
_RULED = (0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 800.0, -800.0)
_PLAIN = (0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.5, -2.5, 3.0, 100.0, -100.0)


def specials(dtype: np.dtype, denormals: bool = True) -> np.ndarray:
    """Numbers of an element type at which functions go wrong: bounds, denormals, what is no number.

    Args:
        dtype: The element type.
        denormals: Whether numbers below the least normal one are among them.
    """
    if dtypes.is_bool(dtype):
        return np.array([False, True])
    if dtypes.is_integer(dtype):
        limits = np.iinfo(dtype)
        bits, least, most = limits.bits, int(limits.min), int(limits.max)
        near = [0, 1, 2, 3, 7, bits - 1, bits, most, most - 1, most // 2, least, least + 1]
        near += [-1, -2, -7] if least else []
        return np.array(near, dtype)
    if dtypes.is_complex(dtype):
        parts = specials(dtypes.real_part(dtype), denormals)
        # All pairs would be many: each number as one part of several, and all pairs of those of which C has rules.
        pairs = [(x, y) for i, x in enumerate(parts) for y in (parts[-i], parts[i - 3])]
        pairs += [(x, y) for x in _RULED for y in _RULED]
        return np.ascontiguousarray(pairs, dtypes.real_part(dtype)).view(dtype)[:, 0]
    info = ml_dtypes.finfo(dtype)
    tiny, smallest, greatest = float(info.tiny), float(info.smallest_subnormal), float(info.max)
    eps = float(info.eps)
    found = [*_PLAIN, tiny, -tiny, smallest, -smallest, tiny / 2, greatest, -greatest, 1 + eps, 1 - eps, -1 + eps,
             np.inf, -np.inf, np.nan, 1e-3, -1e-3, np.pi, 1e4, 88.7, -88.7, 709.5, -745.0]
    with np.errstate(all="ignore"):
        made = np.array(found).astype(dtype)
        return made if denormals else made[~is_denormal(made)]


def ends(dtype: np.dtype) -> np.ndarray:
    """The least and the greatest number of a type, and all bits clear and set of integers: where extremes begin.

    Args:
        dtype: An element type other than those of complex numbers.

    Example:
        >>> ends(np.dtype(np.int8))
        array([-128,  127,    0,   -1], dtype=int8)
    """
    if dtypes.is_bool(dtype):
        return np.array([False, True])
    if dtypes.is_integer(dtype):
        limits = np.iinfo(dtype)
        return np.array([limits.min, limits.max, 0, limits.max if limits.min == 0 else -1], dtype)
    info = ml_dtypes.finfo(dtype)
    return np.array([info.min, info.max], dtype)


def beside_ties(dtype: np.dtype) -> np.ndarray:
    """Numbers in the middle between two of a narrower type of floats, and their neighbours.

    The neighbours round to either side, but only where they are rounded once: on the way they often become the middle.

    Args:
        dtype: The element type; of types that narrower floats hold all numbers of, there are none.

    Example:
        >>> beside_ties(np.dtype(np.float64))[:2]
        array([1.00048828, 1.00146484])
    """
    if dtype.itemsize < 4 or dtypes.is_complex(dtype):
        return np.zeros(0, dtype)
    if dtypes.is_integer(dtype):
        power = dtypes.limits(dtype).bits - 2
        wider = (dtypes.float32, dtypes.float64) if dtype.itemsize == 8 else ()
        steps = [1 << power + int(np.log2(float(ml_dtypes.finfo(t).eps))) - 1 for t in (dtypes.bfloat16, *wider)]
        halves = [(1 << power) + (2 * k + 1) * step for step in steps for k in range(4)]
        sizes = [m + beside for m in halves for beside in (-1, 0, 1)]
        return np.array([*sizes, *(-n for n in sizes if dtypes.is_signed(dtype))], dtype)
    found: list[np.ndarray] = []
    for narrow in (*dtypes.FLOATS[:2], *dtypes.NARROW_FLOATS):
        eps = float(ml_dtypes.finfo(narrow).eps)
        middles = np.array([1 + (k + 0.5) * eps for k in range(4)] + [-(3 + eps), 1.5 + eps / 2], dtype)
        found += [middles, np.nextafter(middles, dtype.type(np.inf)), np.nextafter(middles, dtype.type(-np.inf))]
    return np.concatenate(found)


def denormal(dtype: np.dtype) -> np.ndarray:
    """Numbers below the least normal one of a float type, and those next to them."""
    info = ml_dtypes.finfo(dtype)
    least, tiny = float(info.smallest_subnormal), float(info.tiny)
    sizes = np.array([0.0, least, 2 * least, 3 * least, tiny / 4, tiny / 2, tiny - least, tiny, 2 * tiny, 1.0, 0.5])
    return np.concatenate([sizes, -sizes]).astype(dtype)


def is_denormal(x: np.ndarray) -> np.ndarray:
    """Which floats are neither zero nor as large as the least normal number of their type."""
    size = np.abs(x.astype(np.float64))
    info = ml_dtypes.finfo(x.dtype)
    return np.asarray((size > 0) & (size < float(info.tiny)))


def calm(source: np.random.Generator, type: ArrayType) -> np.ndarray:
    """Numbers of a size with which one calculates."""
    shape, dtype = type.shape, type.dtype
    if dtypes.is_bool(dtype):
        return np.asarray(source.random(shape) < 0.5)
    if dtypes.is_integer(dtype):
        least = max(int(np.iinfo(dtype).min), -9)
        return np.asarray(source.integers(least, 10, shape)).astype(dtype)
    if dtypes.is_complex(dtype):
        return np.asarray(source.standard_normal(shape) + 1j * source.standard_normal(shape)).astype(dtype)
    return np.asarray(source.standard_normal(shape) * source.choice([0.3, 1.0, 4.0])).astype(dtype)


def wild(source: np.random.Generator, type: ArrayType, denormals: bool = True) -> np.ndarray:
    """Calm numbers among special ones, and any bits where the type is of integers."""
    found = calm(source, type)
    if dtypes.is_integer(type.dtype) and source.random() < 0.5:
        found = np.frombuffer(source.bytes(type.nbytes), type.dtype).reshape(type.shape)
    chosen = source.choice(np.concatenate([specials(type.dtype, denormals), beside_ties(type.dtype)]), type.shape)
    return np.asarray(np.where(source.random(type.shape) < 0.4, chosen, found))


def sample(random: random.Random, type: ArrayType, is_wild: bool) -> np.ndarray:
    """An array of a type, out of Python's source of random numbers."""
    source = np.random.default_rng(random.getrandbits(63))
    return np.ascontiguousarray(wild(source, type) if is_wild else calm(source, type)).reshape(type.shape)
