# SPDX-License-Identifier: Apache-2.0
"""Element types: NumPy's, with the narrow floats of ml_dtypes, and the rules about their width."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np

bool_ = np.dtype(np.bool_)
int2, int4, uint2, uint4 = (
    np.dtype(t) for t in (ml_dtypes.int2, ml_dtypes.int4, ml_dtypes.uint2, ml_dtypes.uint4))
int8, int16, int32, int64 = (np.dtype(t) for t in (np.int8, np.int16, np.int32, np.int64))
uint8, uint16, uint32, uint64 = (np.dtype(t) for t in (np.uint8, np.uint16, np.uint32, np.uint64))
float16, float32, float64 = (np.dtype(t) for t in (np.float16, np.float32, np.float64))
bfloat16 = np.dtype(ml_dtypes.bfloat16)
float8_e4m3fn, float8_e5m2 = np.dtype(ml_dtypes.float8_e4m3fn), np.dtype(ml_dtypes.float8_e5m2)
complex64, complex128 = np.dtype(np.complex64), np.dtype(np.complex128)

SIGNED = (int8, int16, int32, int64)
UNSIGNED = (uint8, uint16, uint32, uint64)
INTEGERS = SIGNED + UNSIGNED
FLOATS = (float16, bfloat16, float32, float64)
NARROW_FLOATS = (float8_e4m3fn, float8_e5m2)
COMPLEXES = (complex64, complex128)
ALL = (bool_, *INTEGERS, *FLOATS, *NARROW_FLOATS, *COMPLEXES)
# Numbers that no platform computes with: platforms get them as carriers, integers as wide ones of the same value and
# floats as their bits (`partition/carried.py`).
NARROW_SIGNED, NARROW_UNSIGNED = (int2, int4), (uint2, uint4)
NARROW_INTEGERS = NARROW_SIGNED + NARROW_UNSIGNED
CARRIED_FLOATS = tuple(np.dtype(t) for t in (
    ml_dtypes.float8_e3m4, ml_dtypes.float8_e4m3, ml_dtypes.float8_e4m3b11fnuz, ml_dtypes.float8_e4m3fnuz,
    ml_dtypes.float8_e5m2fnuz, ml_dtypes.float8_e8m0fnu, ml_dtypes.float4_e2m1fn, ml_dtypes.float6_e2m3fn,
    ml_dtypes.float6_e3m2fn))
KNOWN_IN_ORDER = (*ALL, *NARROW_INTEGERS, *CARRIED_FLOATS)
KNOWN = frozenset(KNOWN_IN_ORDER)

# Keys of random numbers, by generator: elements that are moved and compared with nothing. They have a type of their own
# wherever programs are written and split; platforms get them as the carrier, an ordinary type of equal width.
key_fry, key_rbg, key_urbg = (
    np.dtype([(f"key<{tag}>", np.uint32, (words,))]) for tag, words in (("fry", 2), ("rbg", 4), ("urbg", 4)))
KEYS = (key_fry, key_rbg, key_urbg)
_KEY_CARRIERS = {8: uint64, 16: complex128}  # by the bytes of a key: libraries' generators have keys of own types
_CARRIERS = {
    **dict.fromkeys(NARROW_SIGNED, int8), **dict.fromkeys((*NARROW_UNSIGNED, *CARRIED_FLOATS), uint8),
}
_INTEGERS, _FLOATS = frozenset(INTEGERS + NARROW_INTEGERS), frozenset(FLOATS + NARROW_FLOATS + CARRIED_FLOATS)

_NARROWED = {int64: int32, uint64: uint32, float64: float32, complex128: complex64}


def is_bool(dtype: np.dtype) -> bool:
    """Whether the elements are booleans."""
    return dtype == bool_


def is_integer(dtype: np.dtype) -> bool:
    """Whether the elements are integers, signed or not."""
    return dtype in _INTEGERS


def is_signed(dtype: np.dtype) -> bool:
    """Whether the elements are integers with a sign."""
    return dtype in SIGNED or dtype in NARROW_SIGNED


def is_unsigned(dtype: np.dtype) -> bool:
    """Whether the elements are integers without a sign."""
    return dtype in UNSIGNED or dtype in NARROW_UNSIGNED


def limits(dtype: np.dtype) -> Any:
    """The least and the greatest integer of a type, and its bits: `min`, `max`, `bits`."""
    return ml_dtypes.iinfo(dtype) if dtype in NARROW_INTEGERS else np.iinfo(dtype)


def bits_of(dtype: np.dtype) -> int:
    """How many bits an element has; bools are bytes."""
    if dtype in NARROW_INTEGERS:
        return int(ml_dtypes.iinfo(dtype).bits)
    return int(ml_dtypes.finfo(dtype).bits) if dtype in CARRIED_FLOATS else 8 * dtype.itemsize


def is_float(dtype: np.dtype) -> bool:
    """Whether the elements are real floating point numbers of any width."""
    return dtype in _FLOATS


def is_complex(dtype: np.dtype) -> bool:
    """Whether the elements are complex numbers."""
    return dtype in COMPLEXES


def is_key(dtype: np.dtype) -> bool:
    """Whether the elements are keys of random numbers."""
    return (dtype.names or ("",))[0].startswith("key<")


def carrier(dtype: np.dtype) -> np.dtype:
    """The type in which platforms get elements of a type: another one for keys and the narrowest numbers."""
    return _KEY_CARRIERS[dtype.itemsize] if dtype.names and is_key(dtype) else _CARRIERS.get(dtype, dtype)


def carried_array(value: np.ndarray) -> np.ndarray:
    """A host array of elements that platforms do not have as an array of their carriers; others as they are."""
    dtype = carrier(value.dtype)
    if dtype is value.dtype:
        return value
    if value.dtype in NARROW_INTEGERS:
        return value.astype(dtype)
    return np.asarray(value, order="C").view(dtype)


def uncarried_array(value: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """The host array of elements of a type that carriers stand for."""
    return value.astype(dtype) if dtype in NARROW_INTEGERS else value.view(dtype)


def cast(value: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """A host array in an element type, as NumPy has it, but rounded once where ml_dtypes rounds twice."""
    if dtype.itemsize <= 2 and value.itemsize >= 4 and dtype != float16 and is_float(dtype):  # NumPy's own is right
        value = value.real if is_complex(value.dtype) else value
        value = value if value.dtype == float32 else _rounded_to_odd(value)  # ml_dtypes goes by way of float32
    return value.astype(dtype, copy=False)


def _rounded_to_odd(x: np.ndarray) -> np.ndarray:
    """The elements as float32, with an odd last digit where they are inexact: rounding these again rounds correctly.

    References:
        Boldo, Melquiond (2008), Emulation of a FMA and correctly rounded sums.
    """
    if is_integer(x.dtype) and x.itemsize == 8:  # float64 has no room for the last 11 bits of the greatest
        is_large = (x >> 53 != 0) & (x >> 53 != -1) & (x & 0x7FF != 0)
        x = np.where(is_large, x >> 12 << 12 | 0x800, x)
    with np.errstate(over="ignore"):
        near = (wide := x.astype(float64)).astype(float32)
    inexact, beyond = near != wide, np.abs(near) > np.abs(wide)
    return np.asarray(near.view(np.uint32) - beyond | inexact).view(float32)


def name_of(dtype: np.dtype) -> str:
    """What people call an element type."""
    return dtype.names[0] if dtype.names and is_key(dtype) else dtype.name


def narrowed(dtype: Any) -> np.dtype:
    """The 32-bit type that stands for a 64-bit one while 64 bits are not enabled."""
    dtype = np.dtype(dtype)
    return _NARROWED.get(dtype, dtype)


def index_dtype(size: int) -> np.dtype:
    """The type of indices of a dimension: int32, unless it does not hold the size, which symbolic ones always do."""
    return int64 if isinstance(size, int) and size >= 1 << 31 else int32


def real_part(dtype: np.dtype) -> np.dtype:
    """The type of a complex number's parts; other types stay."""
    return {complex64: float32, complex128: float64}.get(dtype, dtype)
