# SPDX-License-Identifier: Apache-2.0
"""Convolutions, correlations and trends of signals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from olympus_core import dtypes
from olympus_core.deferred import listed
from olympus_core.errors import ArgumentError

from .. import lax
from .. import numpy as jnp
from ..operands import axes_of, broadcast_shape, shape_of
from ..transforms.jit import api
from ..typing import Array, ArrayLike
from .spectra import csd, istft, stft, welch
from .trends import detrend

__all__ = [
    "convolve", "convolve2d", "correlate", "correlate2d", "csd", "detrend", "fftconvolve", "istft", "stft", "welch",
]
__dir__ = listed(__all__)

_BOUNDARIES = {"fill": "constant", "wrap": "wrap", "symm": "symmetric"}


def convolve(
    in1: ArrayLike, in2: ArrayLike, mode: str = "full", method: str = "auto", precision: Any = None
) -> Array:
    """The convolution of two arrays with as many dimensions.

    Args:
        in1: An array.
        in2: An array.
        mode: What to keep: ``"full"``: all sums; ``"same"``: the middle, of the size of `in1`; ``"valid"``: sums in
            which the smaller array lies within the other one.
        method: ``"direct"`` and ``"auto"``: by sums; ``"fft"``: as `fftconvolve`.
        precision: Of the products.

    Returns:
        The convolution.

    Raises:
        ArgumentError: For arrays that do not fit, and unknown modes and methods.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus.scipy import signal
        >>> signal.convolve(jnp.array([1.0, 2.0]), jnp.array([1.0, 1.0]))
        Array([1., 3., 2.], dtype=float32)
    """
    return _checked("convolve", in1, in2, mode, method, precision, False)


def correlate(
    in1: ArrayLike, in2: ArrayLike, mode: str = "full", method: str = "auto", precision: Any = None
) -> Array:
    """The cross-correlation of two arrays with as many dimensions: the convolution with the reversed conjugate.

    Args:
        in1: An array.
        in2: An array.
        mode: What to keep, as in `convolve`.
        method: ``"direct"`` and ``"auto"``: by sums; ``"fft"``: as `fftconvolve`.
        precision: Of the products.

    Returns:
        The cross-correlation.

    Raises:
        ArgumentError: For arrays that do not fit, and unknown modes and methods.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus.scipy import signal
        >>> signal.correlate(jnp.array([1.0, 2.0]), jnp.array([1.0, 3.0]))
        Array([3., 7., 2.], dtype=float32)
    """
    return _checked("correlate", in1, in2, mode, method, precision, True)


def convolve2d(
    in1: ArrayLike, in2: ArrayLike, mode: str = "full", boundary: str = "fill", fillvalue: float = 0,
    precision: Any = None,
) -> Array:
    """The convolution of two matrices.

    Args:
        in1: A matrix.
        in2: A matrix.
        mode: What to keep, as in `convolve`.
        boundary: What is beside `in1`: ``"fill"``: `fillvalue`; ``"wrap"``: the matrix again; ``"symm"``: its mirror
            image.
        fillvalue: The value beside it.
        precision: Of the products.

    Returns:
        The convolution.

    Raises:
        ArgumentError: For arrays that are no matrices or do not fit, and unknown modes and boundaries.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus.scipy import signal
        >>> signal.convolve2d(jnp.ones((2, 2)), jnp.ones((2, 2)), mode="same", boundary="wrap")
        Array([[4., 4.],
               [4., 4.]], dtype=float32)
    """
    return _in_two("convolve2d", in1, in2, mode, boundary, fillvalue, precision, False)


def correlate2d(
    in1: ArrayLike, in2: ArrayLike, mode: str = "full", boundary: str = "fill", fillvalue: float = 0,
    precision: Any = None,
) -> Array:
    """The cross-correlation of two matrices.

    Args:
        in1: A matrix.
        in2: A matrix.
        mode: What to keep, as in `convolve`.
        boundary: What is beside `in1`, as in `convolve2d`.
        fillvalue: The value beside it.
        precision: Of the products.

    Returns:
        The cross-correlation.

    Raises:
        ArgumentError: For arrays that are no matrices or do not fit, and unknown modes and boundaries.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus.scipy import signal
        >>> signal.correlate2d(jnp.eye(2), jnp.eye(2), mode="valid")
        Array([[2.]], dtype=float32)
    """
    return _in_two("correlate2d", in1, in2, mode, boundary, fillvalue, precision, True)


def fftconvolve(in1: ArrayLike, in2: ArrayLike, mode: str = "full", axes: Sequence[int] | None = None) -> Array:
    """The convolution of two arrays by Fourier transforms, for long ones.

    Args:
        in1: An array.
        in2: An array with as many dimensions.
        mode: What to keep, as in `convolve`.
        axes: The dimensions to convolve, all for None; the others broadcast.

    Returns:
        The convolution, off by a few units in the last place of its largest elements.

    Raises:
        ArgumentError: For arrays that do not fit, and unknown modes.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus.scipy import signal
        >>> signal.fftconvolve(jnp.ones(3), jnp.ones(3)).shape
        (5,)
    """
    first, second = shape_of(in1), shape_of(in2)
    _check_fit("fftconvolve", first, second, mode)
    places = axes_of("fftconvolve", axes, len(first))
    rest = [tuple(n for d, n in enumerate(shape) if d not in places) for shape in (first, second)]
    broadcast_shape("fftconvolve", rest)
    _bounds("fftconvolve", [first[d] for d in places], [second[d] for d in places], mode)
    return _by_transforms(in1, in2, mode=mode, axes=places)


def _check_fit(function: str, first: tuple[int, ...], second: tuple[int, ...], mode: str) -> None:
    if len(first) != len(second):
        raise ArgumentError(function, "the arrays have different numbers of dimensions", f"shapes {first} and {second}",
                            "as many")
    if mode not in ("full", "same", "valid"):
        raise ArgumentError(function, "the mode is not known", repr(mode), "'full', 'same' or 'valid'")
    if 0 in first or 0 in second:
        raise ArgumentError(function, "an array has no elements", f"shapes {first} and {second}", "sizes of 1 or more")


def _bounds(function: str, first: Sequence[int], second: Sequence[int], mode: str) -> list[tuple[int, int]]:
    """For each dimension where the part to keep begins in the full convolution, and how long it is."""
    if mode == "full":
        return [(0, m + n - 1) for m, n in zip(first, second, strict=True)]
    if mode == "same":
        return [((n - 1) // 2, m) for m, n in zip(first, second, strict=True)]
    larger = [m >= n for m, n in zip(first, second, strict=True)]
    if not (all(larger) or all(m <= n for m, n in zip(first, second, strict=True))):
        raise ArgumentError(function, "neither array lies within the other one", f"shapes {first} and {second}",
                            "one that is at least as large in every dimension", "Use another mode.")
    return [(min(m, n) - 1, abs(m - n) + 1) for m, n in zip(first, second, strict=True)]


def _checked(function: str, in1: Any, in2: Any, mode: str, method: str, precision: Any, reverse: bool) -> Any:
    first, second = shape_of(in1), shape_of(in2)
    _check_fit(function, first, second, mode)
    if method not in ("auto", "direct", "fft"):
        raise ArgumentError(function, "the method is not known", repr(method), "'auto', 'direct' or 'fft'")
    bounds = tuple(_bounds(function, first, second, mode))
    return _convolved(in1, in2, bounds=bounds, reverse=reverse, by_fft=method == "fft", precision=precision)


def _in_two(
    function: str, in1: Any, in2: Any, mode: str, boundary: str, fillvalue: float, precision: Any, reverse: bool
) -> Any:
    first, second = shape_of(in1), shape_of(in2)
    if len(first) != 2 or len(second) != 2:
        raise ArgumentError(function, "the arrays are no matrices", f"shapes {first} and {second}", "two dimensions")
    _check_fit(function, first, second, mode)
    if boundary not in _BOUNDARIES:
        raise ArgumentError(function, "the boundary is not known", repr(boundary), ", ".join(map(repr, _BOUNDARIES)))
    bounds = _bounds(function, first, second, mode)
    if mode == "same" and reverse:  # the middle of an even size is another one seen from the other side
        bounds = [(n // 2, size) for n, (_, size) in zip(second, bounds, strict=True)]
    if mode != "valid" and (boundary != "fill" or fillvalue != 0):
        # The border is made, then everything that is kept lies within.
        width = [(n - 1, n - 1) for n in second]
        fill = {"constant_values": fillvalue} if boundary == "fill" else {}
        in1 = jnp.pad(in1, width, mode=_BOUNDARIES[boundary], **fill)
        bounds = [(start + n - 1, size) for (start, size), n in zip(bounds, second, strict=True)]
    return _convolved(in1, in2, bounds=tuple(bounds), reverse=reverse, by_fft=False, precision=precision)


@api(static=("bounds", "reverse", "by_fft", "precision"))
def _convolved(
    in1: ArrayLike, in2: ArrayLike, bounds: tuple[tuple[int, int], ...], reverse: bool, by_fft: bool, precision: Any
) -> Any:
    x, y = jnp.asarray(in1), jnp.asarray(in2)
    dtype = jnp.result_type(x, y)
    if dtypes.is_integer(dtype) or dtypes.is_bool(dtype):
        dtype = jnp.result_type(dtype, float)
    x, y = x.astype(dtype), y.astype(dtype)
    if reverse:
        y = jnp.flip(jnp.conj(y))
    if by_fft:
        found = _by_transforms(x, y, mode="full", axes=tuple(range(x.ndim)))
        return found[tuple(slice(start, start + size) for start, size in bounds)]
    padding = [(n - 1 - start, size - m + start) for (start, size), m, n in zip(bounds, x.shape, y.shape, strict=True)]
    if not x.ndim:
        return x * y
    return lax.conv_general_dilated(
        x[None, None], jnp.flip(y)[None, None], (1,) * x.ndim, padding, precision=precision)[0, 0]


@api(static=("mode", "axes"))
def _by_transforms(in1: ArrayLike, in2: ArrayLike, mode: str, axes: tuple[int, ...]) -> Any:
    x, y = jnp.asarray(in1), jnp.asarray(in2)
    dtype = jnp.result_type(x, y)
    if dtypes.is_integer(dtype) or dtypes.is_bool(dtype):
        dtype = jnp.result_type(dtype, float)
    first, second = [x.shape[d] for d in axes], [y.shape[d] for d in axes]
    bounds = _bounds("fftconvolve", first, second, mode)
    if not axes:
        return x.astype(dtype) * y.astype(dtype)
    full = [m + n - 1 for m, n in zip(first, second, strict=True)]
    if dtypes.is_complex(dtype):
        found = jnp.fft.ifftn(jnp.fft.fftn(x, full, axes) * jnp.fft.fftn(y, full, axes), full, axes)
    else:
        found = jnp.fft.irfftn(jnp.fft.rfftn(x, full, axes) * jnp.fft.rfftn(y, full, axes), full, axes)
    for d, (start, size) in zip(axes, bounds, strict=True):
        found = lax.slice_in_dim(found, start, start + size, axis=d)
    return found.astype(dtype)
