# SPDX-License-Identifier: Apache-2.0
"""Discrete cosine transforms, by Fourier transforms of the same or twice the length."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.deferred import listed
from olympus_core.errors import ArgumentError

from .. import lax
from .. import numpy as jnp
from ..numpy.fft import resized
from ..numpy.promotion import promote_inexact
from ..operands import axis_of, cast, check_unsplit, dtype_of, integer, integers, shape_of
from ..transforms.jit import api
from ..typing import Array, ArrayLike

__all__ = ["dct", "dctn", "idct", "idctn"]
__dir__ = listed(__all__)

_INVERSE = {1: 1, 2: 3, 3: 2, 4: 4}
_NORMS = {None: "backward", "backward": "backward", "ortho": "ortho", "forward": "forward"}
_OPPOSITE = {"backward": "forward", "ortho": "ortho", "forward": "backward"}


def dct(x: ArrayLike, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None) -> Array:
    """The discrete cosine transform along a dimension.

    Args:
        x: An array.
        type: Which transform, 1 to 4.
        n: How many elements to transform: the array is cut, or zeros are put behind it; None for all.
        axis: The dimension.
        norm: ``"backward"`` (or None): nothing is divided; ``"forward"``: by twice the number of elements; ``"ortho"``:
            so that the transform keeps lengths.

    Returns:
        The transform, in the array's precision, float32 at least; off by about 10 units in the last place of the sum
        of sizes.

    Raises:
        ArgumentError: For an unknown type or norm, and for lengths below 1 (of type 1: below 2).

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus.scipy import fft
        >>> fft.dct(jnp.array([1.0, 1.0]))[0]
        Array(4., dtype=float32)

    References:
        Makhoul, A fast cosine transform in one and two dimensions, 1980.
    """
    return _of("dct", x, type, None if n is None else (n,), (axis,), norm, False)


def idct(x: ArrayLike, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None) -> Array:
    """The inverse of `dct` with the same type and norm.

    Args:
        x: An array.
        type: Which transform to invert, 1 to 4.
        n: How many elements to transform: the array is cut, or zeros are put behind it; None for all.
        axis: The dimension.
        norm: As in `dct`.

    Returns:
        The transform, in the array's precision, float32 at least.

    Raises:
        ArgumentError: As in `dct`.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus.scipy import fft
        >>> fft.idct(jnp.array([4.0, 0.0]))
        Array([1., 1.], dtype=float32)
    """
    return _of("idct", x, type, None if n is None else (n,), (axis,), norm, True)


def dctn(
    x: ArrayLike, type: int = 2, s: Sequence[int] | None = None, axes: Sequence[int] | None = None,
    norm: str | None = None,
) -> Array:
    """The discrete cosine transform along several dimensions.

    Args:
        x: An array.
        type: Which transform, 1 to 4.
        s: How many elements to transform in each dimension; None for all.
        axes: The dimensions; None for all, or for the last ones that `s` has sizes for.
        norm: As in `dct`.

    Returns:
        The transform, in the array's precision, float32 at least.

    Raises:
        ArgumentError: As in `dct`, and for another number of sizes than dimensions.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus.scipy import fft
        >>> float(fft.dctn(jnp.ones((2, 2)))[0, 0])
        16.0
    """
    return _of("dctn", x, type, s, axes, norm, False)


def idctn(
    x: ArrayLike, type: int = 2, s: Sequence[int] | None = None, axes: Sequence[int] | None = None,
    norm: str | None = None,
) -> Array:
    """The inverse of `dctn` with the same type and norm.

    Args:
        x: An array.
        type: Which transform to invert, 1 to 4.
        s: How many elements to transform in each dimension; None for all.
        axes: The dimensions; None for all, or for the last ones that `s` has sizes for.
        norm: As in `dct`.

    Returns:
        The transform, in the array's precision, float32 at least.

    Raises:
        ArgumentError: As in `dctn`.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus.scipy import fft
        >>> float(fft.idctn(jnp.ones((1, 1)) * 4)[0, 0])
        1.0
    """
    return _of("idctn", x, type, s, axes, norm, True)


def _of(function: str, x: ArrayLike, type: Any, s: Any, axes: Any, norm: Any, is_inverse: bool) -> Any:
    shape = shape_of(x)
    if type not in _INVERSE:
        raise ArgumentError(function, "the type of transform is not known", repr(type), "1, 2, 3 or 4")
    if norm not in _NORMS:
        raise ArgumentError(function, "the norm is not known", repr(norm), ", ".join(map(repr, _NORMS)))
    sizes = None if s is None else integers(function, s, "the sizes")
    if axes is None:
        axes = tuple(range(-len(shape if sizes is None else sizes), 0))
    places = tuple(axis_of(function, d, len(shape)) for d in integers(function, axes, "the axes"))
    if len(set(places)) != len(places):
        raise ArgumentError(function, "an axis is named twice", axes, "different axes")
    sizes = tuple(shape[d] for d in places) if sizes is None else sizes
    if len(sizes) != len(places):
        raise ArgumentError(function, "there are not as many sizes as axes", f"{s} and {places}", "one for each")
    least = 2 if type == 1 else 1
    for n in sizes:
        if integer(function, n, "the number of elements") < least:
            raise ArgumentError(function, "there are too few elements", n, f"{least} or more")
    kind, chosen = (_INVERSE[type], _OPPOSITE[_NORMS[norm]]) if is_inverse else (type, _NORMS[norm])
    check_unsplit(function, x, places)
    return _transform(x, kind=int(kind), sizes=sizes, axes=places, norm=chosen)


@api(static=("kind", "sizes", "axes", "norm"))
def _transform(x: ArrayLike, kind: int, sizes: tuple[int, ...], axes: tuple[int, ...], norm: str) -> Any:
    (y,), _ = promote_inexact("dct", x)
    if dtypes.is_complex(dtype_of(y)):
        found = [_transform(part(y), kind=kind, sizes=sizes, axes=axes, norm=norm) for part in (jnp.real, jnp.imag)]
        return lax.complex(*found)
    y = cast(y, dtypes.float32, "dct") if dtype_of(y).itemsize < 4 else y
    for axis, size in zip(axes, sizes, strict=True):
        y = jnp.moveaxis(_along_last(jnp.moveaxis(resized(y, size, axis), axis, -1), kind, norm), -1, axis)
    return y


def _along_last(x: Any, kind: int, norm: str) -> Any:
    n = x.shape[-1]
    count = 2 * (n - 1) if kind == 1 else 2 * n
    ends = np.ones(n)
    if norm == "ortho" and kind != 4:
        ends[[0, -1] if kind == 1 else 0] = math.sqrt(2)
    if kind in (1, 3):
        x = x * _constant(ends, x)
    y = _KINDS[kind](x, n)
    if norm == "ortho":
        scale = 1 / math.sqrt(count) / (ends if kind in (1, 2) else np.ones(n))
        return y * _constant(scale, y)
    return y / count if norm == "forward" else y


def _constant(value: np.ndarray, like: Any) -> np.ndarray:
    """A constant in an array's precision."""
    part = dtypes.real_part(dtype_of(like))
    single = part == dtypes.float32
    return value.astype((np.complex64 if single else np.complex128) if np.iscomplexobj(value) else part)


def _first(x: Any, n: int) -> Any:
    return jnp.real(jnp.fft.rfft(jnp.concatenate([x, x[..., -2:0:-1]], -1)))


def _second(x: Any, n: int) -> Any:
    """Elements of even index forward, of odd index backward."""
    turned = jnp.concatenate([x[..., ::2], x[..., 1::2][..., ::-1]], -1)
    return 2 * jnp.real(jnp.fft.fft(turned) * _constant(np.exp(-0.5j * np.pi * np.arange(n) / n), x))


def _third(x: Any, n: int) -> Any:
    """What makes the second one of it, backwards."""
    zero = jnp.zeros_like(x[..., :1])
    mirrored = jnp.concatenate([zero, x[..., :0:-1]], -1)
    half = n // 2 + 1
    turned = lax.complex(x, -mirrored)[..., :half] * _constant(np.exp(0.5j * np.pi * np.arange(half) / n), x)
    y = n * jnp.fft.irfft(turned, n)
    order = np.empty(n, np.int32)
    order[::2], order[1::2] = np.arange((n + 1) // 2), np.arange(n - 1, (n + 1) // 2 - 1, -1)
    return jnp.take(y, order, axis=-1)


def _fourth(x: Any, n: int) -> Any:
    k = np.arange(n)
    turned = jnp.fft.fft(x * _constant(np.exp(-0.5j * np.pi * k / n), x), 2 * n)[..., :n]
    return 2 * jnp.real(turned * _constant(np.exp(-0.25j * np.pi * (2 * k + 1) / n), x))


_KINDS = {1: _first, 2: _second, 3: _third, 4: _fourth}
