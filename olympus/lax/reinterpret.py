# SPDX-License-Identifier: Apache-2.0
"""The same bits as elements of another width: parts of words, and words of parts."""

from __future__ import annotations

from typing import Any

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.errors import ArgumentError

from ..tracing import aval_of, bind
from ..typing import ArrayLike
from .slicing import slice_in_dim

_WORDS = {dtypes.bits_of(dtype): dtype for dtype in (*dtypes.NARROW_UNSIGNED, *dtypes.UNSIGNED)}


def reinterpreted(function: str, x: ArrayLike, dtype: np.dtype) -> Any:
    """The bits of an array as elements of a type.

    Args:
        function: The user's function, for errors.
        x: The array.
        dtype: The type. Of fewer bits than the array's, each element becomes a last dimension of parts, the lowest
            bits first; of more, the last dimension holds the parts of one element.

    Raises:
        ArgumentError: If parts do not make up an element.
    """
    aval = aval_of(x)
    if dtype == aval.dtype and dtypes.is_complex(dtype):
        return bind(ops.convert, x, dtype=dtype, weak=False)
    own, new = (_bits(t) for t in (aval.dtype, dtype))
    if own == new or own not in _WORDS or new not in _WORDS:
        return bind(ops.bitcast_convert, x, dtype=dtype, weak=False)
    count = max(own, new) // min(own, new)
    if own < new and aval.shape[-1:] != (count,):
        raise ArgumentError(
            function, f"elements of {own} bits do not make up elements of {new}", str(aval.type),
            f"a last dimension of {count}", f"Reshape it to (..., {count}) first, or choose a type of {own} bits.")
    words = bind(ops.bitcast_convert, x, dtype=_WORDS[own], weak=False)
    shape = (*aval.shape, count) if own > new else aval.shape
    wide = _WORDS[max(own, new)]
    steps = bind(ops.constant, value=(np.arange(count) * min(own, new)).astype(wide), weak=False)
    shifts = bind(ops.broadcast_in_dim, steps, shape=shape, dimensions=(len(shape) - 1,))
    if own > new:
        words = bind(ops.broadcast_in_dim, words, shape=shape, dimensions=tuple(range(len(shape) - 1)))
        found = bind(ops.convert, bind(ops.shift_right_logical, words, shifts), dtype=_WORDS[new])
    else:
        parts = bind(ops.shift_left, bind(ops.convert, words, dtype=wide), shifts)
        found = bind(ops.reduce_or, parts, dimensions=(len(shape) - 1,))
    return bind(ops.bitcast_convert, found, dtype=dtype, weak=False)


def viewed(function: str, x: ArrayLike, dtype: np.dtype) -> Any:
    """As `reinterpreted`, with the last dimension as long as there are elements of the type in its bits.

    Raises:
        ArgumentError: If there is no last dimension, or its bits are not those of whole elements.
    """
    aval = aval_of(x)
    if dtype == aval.dtype or not (_bits(aval.dtype) and _bits(dtype)):
        return _viewed_parts(function, x, aval.dtype, dtype)
    own, new = (_bits(t) for t in (aval.dtype, dtype))
    if own == new or own not in _WORDS or new not in _WORDS:
        return reinterpreted(function, x, dtype)
    if not aval.shape or aval.shape[-1] * own % new:
        raise _not_whole(function, x, dtype)
    shape = (*aval.shape[:-1], aval.shape[-1] * own // new)
    if own < new:
        return reinterpreted(function, bind(ops.reshape, x, shape=(*shape, new // own)), dtype)
    return bind(ops.reshape, reinterpreted(function, x, dtype), shape=shape)


def _viewed_parts(function: str, x: Any, own: np.dtype, dtype: np.dtype) -> Any:
    """The same of complex numbers and bools, or as such: of a number's two parts, and of bytes that are 0 or not."""
    if dtype == own:
        return bind(ops.convert, x, dtype=dtype, weak=False)
    if dtypes.is_bool(own):
        return viewed(function, bind(ops.convert, x, dtype=np.dtype(np.uint8), weak=False), dtype)
    if dtypes.is_complex(own):
        shape = aval_of(x).shape
        if not shape:
            raise _not_whole(function, x, dtype)
        pairs = [bind(ops.reshape, bind(part, x), shape=(*shape, 1)) for part in (ops.real, ops.imag)]
        flat = bind(ops.concatenate, *pairs, dimension=len(shape))
        return viewed(function, bind(ops.reshape, flat, shape=(*shape[:-1], 2 * shape[-1])), dtype)
    if dtypes.is_bool(dtype):
        found = viewed(function, x, np.dtype(np.uint8))
        return bind(ops.convert, found, dtype=dtype, weak=False)
    if not dtypes.is_complex(dtype):
        return bind(ops.bitcast_convert, x, dtype=dtype, weak=False)
    flat = viewed(function, x, dtypes.real_part(dtype))
    shape = aval_of(flat).shape
    if not shape or shape[-1] % 2:
        raise _not_whole(function, x, dtype)
    pairs = bind(ops.reshape, flat, shape=(*shape[:-1], shape[-1] // 2, 2))
    parts = [bind(ops.reshape, slice_in_dim(pairs, i, i + 1, axis=-1), shape=(*shape[:-1], shape[-1] // 2))
             for i in range(2)]
    return bind(ops.complex, *parts, weak=False)


def _not_whole(function: str, x: Any, dtype: np.dtype) -> ArgumentError:
    bits = 8 * dtype.itemsize
    return ArgumentError(
        function, f"the bits do not make up elements of {bits} bits", str(aval_of(x).type),
        f"a last dimension whose bits are a multiple of {bits}", "Choose a type of the same width.")


def _bits(dtype: np.dtype) -> int:
    """The bits of a number that has some of its own; 0 for others."""
    return dtypes.bits_of(dtype) if dtypes.is_integer(dtype) or dtypes.is_float(dtype) else 0


def swapped_bytes(x: ArrayLike) -> Any:
    """The elements with their bytes in the other order; of complex numbers those of each part."""
    aval = aval_of(x)
    if dtypes.is_complex(aval.dtype):
        return bind(ops.complex, *(swapped_bytes(bind(part, x)) for part in (ops.real, ops.imag)))
    if dtypes.bits_of(aval.dtype) <= 8 or dtypes.is_bool(aval.dtype):
        return bind(ops.convert, x, dtype=aval.dtype, weak=False)
    parts = reinterpreted("byteswap", x, np.dtype(np.uint8))
    return reinterpreted("byteswap", bind(ops.reverse, parts, dimensions=(len(aval.shape),)), aval.dtype)
