# SPDX-License-Identifier: Apache-2.0
"""The bits of numbers: what floats are made of, and bits packed in bytes."""

from __future__ import annotations

from typing import Any

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.errors import ArgumentError, described

from .. import lax
from ..operands import axis_of, cast, convert, dtype_of, integer, shape_of
from ..tracing import aval_of, bind
from ..transforms.jit import api
from ..typing import Array, ArrayLike
from .arithmetic import clip, multiply, nextafter
from .creation import asarray
from .dtypes import finfo, iinfo
from .reductions import sum as numpy_sum
from .searching import where
from .shapes import broadcast_arrays, moveaxis, ravel
from .ufuncs import as_bool, as_inexact

__all__ = ["frexp", "ldexp", "packbits", "spacing", "unpackbits"]


@api(call="frexp")
def frexp(x: ArrayLike, /) -> tuple[Array, Array]:
    """Numbers as mantissas of a size from 0.5 to 1 (not included) times powers of two, without rounding.

    Args:
        x: An array of real numbers.

    Returns:
        The mantissas, as floats, and the exponents, as int32; zeros, infinities and NaN are their own mantissas, with
        an exponent of zero.

    Raises:
        ArgumentError: For complex numbers.

    Example:
        >>> import olympus.numpy as jnp
        >>> [part.tolist() for part in jnp.frexp(jnp.array([3.0, 0.25]))]
        [[0.75, 0.5], [2, -1]]
    """
    x = _real("frexp", x)
    kind = dtype_of(x)
    info = finfo(kind)
    fraction, bias = info.nmant, int(info.maxexp) - 1
    whole = {2: dtypes.uint16, 4: dtypes.uint32, 8: dtypes.uint64}[kind.itemsize]
    width = 8 * kind.itemsize
    bits = bind(ops.bitcast_convert, x, dtype=whole, weak=False)

    def number(value: int) -> Any:
        return lax.full(shape_of(x), value, whole)

    size = bits & number((1 << (width - 1)) - 1)
    field = lax.shift_right_logical(size, number(fraction))
    special = (size == number(0)) | (field == number((1 << (width - 1 - fraction)) - 1))
    # Subnormal numbers lack the leading one: their exponent is less by as many places as there are zeros in front.
    zeros = lax.clz(size) - number(width - 1 - fraction)
    normal = cast(field, dtypes.int32) - (bias - 1)
    exponent = where(field == number(0), 2 - bias - cast(zeros, dtypes.int32), normal)
    exponent = where(special, 0, exponent)
    return where(special, x, _scaled(x, -exponent, 2)), exponent


@api
def ldexp(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Numbers times powers of two, rounded once where the result is subnormal.

    Args:
        x1: An array of real numbers.
        x2: The exponents, an array of integers.

    Returns:
        ``x1 * 2 ** x2``, as floats.

    Raises:
        ArgumentError: For complex numbers, or exponents that are no integers.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.ldexp(jnp.array([0.75, -1.0]), jnp.array([2, -1])).tolist()
        [3.0, -0.5]
    """
    kind = aval_of(x2).dtype
    if dtypes.is_bool(kind):
        x2, kind = convert(x2, dtypes.int32), dtypes.int32
    if not dtypes.is_integer(kind):
        raise ArgumentError("ldexp", "the exponents are no integers", kind.name, "an array of integers")
    x = _real("ldexp", x1)
    if dtype_of(x).itemsize == 1:
        return cast(ldexp(cast(x, dtypes.float32), x2), dtype_of(x))
    info = finfo(dtype_of(x))
    lowest, highest = int(info.minexp), int(info.maxexp)
    _, own = frexp(lax.stop_gradient(x))
    most = 3 * highest  # what is added to any number's exponent ends as zero or infinity
    limits = max(-most, int(iinfo(kind).min)), min(most, int(iinfo(kind).max))
    by, own = broadcast_arrays(cast(clip(x2, *limits), dtypes.int32), own)
    # The first steps stay among the normal numbers, where nothing is rounded; then one step goes beyond them.
    within = clip(by, lowest + 2 - own, highest - 1 - own)
    beyond = clip(by - within, -info.nmant - 4, 2)
    return _scaled(_scaled(x, within, 3), beyond, 1)


def _scaled(x: Any, exponent: Any, steps: int) -> Any:
    """Numbers times powers of two, which are made of bits: functions may be wrong in the last one.

    Args:
        x: The numbers.
        exponent: The exponents, int32.
        steps: How many powers the product is made of, since one alone may be out of range.
    """
    kind = dtype_of(x)
    info = finfo(kind)
    whole = {2: dtypes.int16, 4: dtypes.int32, 8: dtypes.int64}[kind.itemsize]
    for left in range(steps, 0, -1):
        part = lax.div(exponent, lax.full_like(exponent, left))
        exponent = exponent - part
        field = cast(part + (int(info.maxexp) - 1), whole)
        bits = lax.shift_left(field, lax.full_like(field, info.nmant))
        x = multiply(x, bind(ops.bitcast_convert, bits, dtype=kind, weak=False))
    return x


@api
def spacing(x: ArrayLike, /) -> Array:
    """The distance to the next number that is greater in size, with the number's sign.

    Args:
        x: An array of real numbers.

    Returns:
        The distances, as floats; NaN for infinities and NaN.

    Raises:
        ArgumentError: For complex numbers.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.spacing(jnp.float32(1)) == jnp.finfo(jnp.float32).eps
        Array(True, dtype=bool)
    """
    own = _real("spacing", x)
    size = lax.abs(own)
    infinity = lax.full_like(size, np.inf)
    distance = lax.sub(nextafter(size, infinity), size)
    return where(own < 0, lax.neg(distance), distance)


def _real(function: str, x: ArrayLike) -> Any:
    if dtypes.is_complex(aval_of(x).dtype):
        raise ArgumentError(function, "it does not take complex numbers", aval_of(x).dtype.name, "real numbers")
    x = as_inexact(function, x)
    return cast(x, dtype_of(x))


def _place(function: str, bitorder: str, positions: range) -> np.ndarray:
    if bitorder not in ("big", "little"):
        raise ArgumentError(function, "the order of bits is not known", described(bitorder), "'big' or 'little'")
    return np.array(positions[::-1] if bitorder == "big" else positions, np.uint8)


def packbits(a: ArrayLike, axis: int | None = None, bitorder: str = "big") -> Array:
    """Packs elements as bits into bytes.

    Args:
        a: Integers or bools: those that are not zero are bits that are set.
        axis: The dimension along which they are packed; None for the flat array.
        bitorder: Whether the first element is the highest bit of a byte, ``"big"``, or the lowest, ``"little"``.

    Returns:
        An array of uint8, eight times as short along the dimension; bits that are missing at the end are zero.

    Raises:
        ArgumentError: For other elements or another order.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.packbits(jnp.array([1, 0, 1])).tolist()
        [160]
    """
    x = asarray(a)
    places = _place("packbits", bitorder, range(8))
    if not (dtypes.is_bool(x.dtype) or dtypes.is_integer(x.dtype)):
        raise ArgumentError("packbits", "the elements are not bits", x.dtype.name, "integers or bools")
    if axis is None or not x.ndim:
        x, d = ravel(x), 0 if axis is None else axis_of("packbits", axis, 1)
    else:
        d = axis_of("packbits", axis, x.ndim)
    return _packed(x, tuple(places.tolist()), axis=d)


@api(static=("places", "axis"))
def _packed(x: ArrayLike, places: tuple[int, ...], axis: int) -> Any:
    bits = moveaxis(cast(as_bool(x), dtypes.uint8), axis, -1)
    shape = shape_of(bits)
    count = -(-shape[-1] // 8)
    bits = lax.pad(bits, convert(0, dtypes.uint8), [(0, 0, 0)] * (len(shape) - 1) + [(0, count * 8 - shape[-1], 0)])
    bits = lax.reshape(bits, (*shape[:-1], count, 8)) << np.array(places, np.uint8)
    return moveaxis(numpy_sum(bits, axis=-1, dtype=dtypes.uint8), -1, axis)


def unpackbits(a: ArrayLike, axis: int | None = None, count: int | None = None, bitorder: str = "big") -> Array:
    """The bits of bytes as elements.

    Args:
        a: An array of uint8.
        axis: The dimension along which bits are laid out; None for the flat array.
        count: How many bits along it: those beyond the last byte are zero; a negative number leaves out as many at the
            end; all for None.
        bitorder: Whether the highest bit of a byte comes first, ``"big"``, or the lowest, ``"little"``.

    Returns:
        An array of uint8, of zeros and ones.

    Raises:
        ArgumentError: For other elements or another order, or when more bits are left out than there are.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.unpackbits(jnp.array([160], jnp.uint8), count=3).tolist()
        [1, 0, 1]
    """
    x = asarray(a)
    places = _place("unpackbits", bitorder, range(8))
    if x.dtype != dtypes.uint8:
        raise ArgumentError("unpackbits", "the elements are not bytes", x.dtype.name, "uint8")
    if axis is None or not x.ndim:
        x, d = ravel(x), 0 if axis is None else axis_of("unpackbits", axis, 1)
    else:
        d = axis_of("unpackbits", axis, x.ndim)
    own = 8 * x.shape[d]
    wanted = own if count is None else integer("unpackbits", count, "the number of bits")
    wanted = own + wanted if wanted < 0 else wanted
    if wanted < 0:
        raise ArgumentError("unpackbits", "more bits are left out than there are", count, f"{-own} or more")
    return _unpacked(x, tuple(places.tolist()), axis=d, count=wanted)


@api(static=("places", "axis", "count"))
def _unpacked(x: ArrayLike, places: tuple[int, ...], axis: int, count: int) -> Any:
    rows = moveaxis(x, axis, -1)
    shape = shape_of(rows)
    bits = (lax.expand_dims(rows, len(shape)) >> np.array(places, np.uint8)) & np.uint8(1)
    bits = lax.reshape(bits, (*shape[:-1], 8 * shape[-1]))
    bits = lax.pad(bits, convert(0, dtypes.uint8), [(0, 0, 0)] * (len(shape) - 1) + [(0, count - 8 * shape[-1], 0)])
    return moveaxis(bits, -1, axis)
