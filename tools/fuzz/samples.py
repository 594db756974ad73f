"""Arrays to put into programs: plain numbers, and those at which functions go wrong."""

from __future__ import annotations

import random

import ml_dtypes
import numpy as np

from olympus_core import dtypes
from olympus_core.program import ArrayType

_PLAIN = (0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.5, -2.5, 3.0, 100.0, -100.0)


def specials(dtype: np.dtype) -> np.ndarray:
    """Numbers of an element type at which functions go wrong: bounds, denormals, what is no number."""
    if dtypes.is_bool(dtype):
        return np.array([False, True])
    if dtypes.is_integer(dtype):
        info = np.iinfo(dtype)
        bits = info.bits
        near = [0, 1, 2, 3, 7, bits - 1, bits, info.max, info.max - 1, info.max // 2, info.min, info.min + 1]
        near += [-1, -2, -7] if info.min else []
        return np.array(near, dtype)
    if dtypes.is_complex(dtype):
        parts = specials(dtypes.real_part(dtype))
        # All pairs would be many: each number as one part of several.
        return np.array([complex(x, y) for i, x in enumerate(parts) for y in (parts[-i], parts[i - 3])], dtype)
    info = ml_dtypes.finfo(dtype)
    tiny, least, most = float(info.tiny), float(info.smallest_subnormal), float(info.max)
    eps = float(info.eps)
    found = [*_PLAIN, tiny, -tiny, least, -least, tiny / 2, most, -most, 1 + eps, 1 - eps, -1 + eps, np.inf, -np.inf,
             np.nan, 1e-3, -1e-3, np.pi, 1e4, 88.7, -88.7, 709.5, -745.0]
    with np.errstate(all="ignore"):
        return np.array(found).astype(dtype)


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


def wild(source: np.random.Generator, type: ArrayType) -> np.ndarray:
    """Calm numbers among special ones, and any bits where the type is of integers."""
    found = calm(source, type)
    if dtypes.is_integer(type.dtype) and source.random() < 0.5:
        found = np.frombuffer(source.bytes(type.nbytes), type.dtype).reshape(type.shape)
    return np.asarray(np.where(source.random(type.shape) < 0.4, source.choice(specials(type.dtype), type.shape), found))


def sample(random: random.Random, type: ArrayType, is_wild: bool) -> np.ndarray:
    """An array of a type."""
    source = np.random.default_rng(random.getrandbits(63))
    return np.ascontiguousarray(wild(source, type) if is_wild else calm(source, type)).reshape(type.shape)
