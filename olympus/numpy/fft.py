# SPDX-License-Identifier: Apache-2.0
"""Discrete Fourier transforms, of any length, along one dimension or several.

Results have the precision of their operands: float32 gives complex64. Errors are of the size of a few units in the last
place of the largest result.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.deferred import listed
from olympus_core.errors import ArgumentError, described

from ..lax.slicing import slice_in_dim
from ..operands import (
    axis_of,
    cast,
    check_unsplit,
    convert,
    dtype_of,
    element_type,
    integer,
    integers,
    shape_of,
    strong,
)
from ..tracing import bind
from ..transforms.jit import api
from ..typing import Array, ArrayLike, DeviceLike, DTypeLike
from .creation import asarray
from .elementwise import conjugate
from .padding import pad
from .promotion import promote_inexact
from .tiling import roll

__all__ = [
    "fft", "fft2", "fftfreq", "fftn", "fftshift", "hfft", "ifft", "ifft2", "ifftn", "ifftshift", "ihfft", "irfft",
    "irfft2", "irfftn", "rfft", "rfft2", "rfftfreq", "rfftn",
]
__dir__ = listed(__all__)

_NORMS = (None, "backward", "ortho", "forward")


def _complex(x: Any) -> Any:
    """Complex numbers of at least the operand's precision."""
    (x,), _ = promote_inexact("fft", x)
    dtype = dtype_of(x)
    if dtypes.is_complex(dtype):
        return x
    return convert(x, dtypes.complex128 if dtype == dtypes.float64 else dtypes.complex64)


def _real(function: str, x: Any) -> Any:
    (x,), _ = promote_inexact(function, x)
    dtype = dtype_of(x)
    if dtypes.is_complex(dtype):
        raise ArgumentError(function, "the elements are complex", dtype, "real numbers",
                            "Take their real part first, or use fft.")
    return x if dtype == dtypes.float64 else convert(x, dtypes.float32)


def resized(x: Any, size: int, axis: int) -> Any:
    """The first elements of a dimension, or all and zeros behind."""
    own = shape_of(x)[axis]
    if size < own:
        return slice_in_dim(x, 0, size, axis=axis)
    widths = [(0, size - own) if d == axis else (0, 0) for d in range(len(shape_of(x)))]
    return x if size == own else pad(x, widths)


@api(static=("kind", "axes", "sizes", "norm"), call="fft")
def _transformed(x: ArrayLike, kind: str, axes: tuple[int, ...], sizes: tuple[int, ...], norm: str | None) -> Any:
    """Transforms along dimensions, one after the other, resized before; the last one is the real side."""
    check_unsplit(kind, x, axes)  # cutting and padding would be refused otherwise
    found: Any = _real(kind, x) if kind == "rfft" else _complex(x)
    if not axes:
        return found
    steps = list(zip(axes, sizes, strict=True))
    kinds = [{"rfft": "fft", "irfft": "ifft"}.get(kind, kind)] * (len(steps) - 1) + [kind]
    order = list(zip(steps, kinds, strict=True))
    if kind == "rfft":
        order.reverse()
    for (axis, size), own in order:
        found = resized(found, size // 2 + 1 if own == "irfft" else size, axis)
        found = bind(ops.fft, found, kind=own, dimension=axis, length=size)
    # The operation's inverse divides by the number of elements, the other one by nothing.
    total, is_inverse = math.prod(sizes), kind in ("ifft", "irfft")
    factor = {"ortho": math.sqrt(total) if is_inverse else 1 / math.sqrt(total),
              "forward": total if is_inverse else 1 / total}.get(norm or "backward")
    found = found if factor is None else found * cast(np.asarray(factor), dtypes.real_part(dtype_of(found)))
    return strong(found)


def _norm(function: str, norm: Any) -> str | None:
    if norm not in _NORMS:
        raise ArgumentError(function, "the norm is not known", described(norm), "'backward', 'ortho' or 'forward'")
    return norm


def _one(function: str, kind: str, a: ArrayLike, n: int | None, axis: int, norm: str | None) -> Array:
    shape = shape_of(a)
    (position,) = (axis_of(function, axis, len(shape)),)
    own = shape[position]
    size = (2 * (own - 1) if kind == "irfft" else own) if n is None else integer(function, n, "the length")
    if size < 1:
        raise ArgumentError(function, "the length is not positive", size, "1 or more", "Pass n=...")
    return _transformed(a, kind=kind, axes=(position,), sizes=(size,), norm=_norm(function, norm))


def _several(
    function: str, kind: str, a: ArrayLike, s: Sequence[int] | None, axes: Sequence[int] | None, norm: str | None,
    count: int | None = None,
) -> Array:
    shape = shape_of(a)
    given = None if s is None else integers(function, s, "a length")
    if axes is None:
        positions = tuple(range(len(shape) - (len(shape) if given is None else len(given)), len(shape)))
    else:
        positions = tuple(axis_of(function, d, len(shape)) for d in integers(function, axes, "a dimension"))
    if positions and positions[0] < 0 or (given is not None and len(given) != len(positions)) or (
        count is not None and len(positions) != count
    ):
        raise ArgumentError(function, "lengths and dimensions do not fit", f"s={given}, axes={axes}, shape {shape}",
                            "as many lengths as dimensions" + (f": {count}" if count else ""))
    if len(set(positions)) != len(positions):
        raise ArgumentError(function, "a dimension is named twice", axes, "different dimensions")
    sizes = [shape[d] for d in positions] if given is None else list(given)
    if given is None and kind == "irfft" and positions:
        sizes[-1] = 2 * (shape[positions[-1]] - 1)
    if min(sizes, default=1) < 1 or (not positions and kind != "fft" and kind != "ifft"):
        raise ArgumentError(function, "there is no dimension to transform, or a length is not positive", sizes,
                            "one dimension or more, lengths of 1 or more")
    return _transformed(a, kind=kind, axes=positions, sizes=tuple(sizes), norm=_norm(function, norm))


def fft(a: ArrayLike, n: int | None = None, axis: int = -1, norm: str | None = None) -> Array:
    """The discrete Fourier transform along a dimension.

    Args:
        a: An array of numbers.
        n: The length; the dimension is cut to it, or filled with zeros. None for its size.
        axis: The dimension.
        norm: ``"backward"`` (or None): the inverse is divided by the length; ``"forward"``: the transform is;
            ``"ortho"``: both by its root.

    Returns:
        Complex numbers.

    Raises:
        ArgumentError: If the length is not positive, the norm is not known, or there is no such dimension.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.fft.fft(jnp.array([1.0, 2.0, 3.0, 4.0])).real
        Array([10., -2., -2., -2.], dtype=float32)
    """
    return _one("fft", "fft", a, n, axis, norm)


def ifft(a: ArrayLike, n: int | None = None, axis: int = -1, norm: str | None = None) -> Array:
    """The inverse of `fft`.

    Args:
        a: An array of numbers.
        n: The length; the dimension is cut to it, or filled with zeros. None for its size.
        axis: The dimension.
        norm: ``"backward"`` (or None): the inverse is divided by the length; ``"forward"``: the transform is;
            ``"ortho"``: both by its root.

    Returns:
        Complex numbers.

    Raises:
        ArgumentError: If the length is not positive, the norm is not known, or there is no such dimension.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.fft.ifft(jnp.array([10.0, -2.0, -2.0, -2.0])).real
        Array([1., 3., 3., 3.], dtype=float32)
    """
    return _one("ifft", "ifft", a, n, axis, norm)


def rfft(a: ArrayLike, n: int | None = None, axis: int = -1, norm: str | None = None) -> Array:
    """The half of the Fourier transform of real numbers that says all.

    Args:
        a: An array of real numbers.
        n: The length; the dimension is cut to it, or filled with zeros. None for its size.
        axis: The dimension.
        norm: ``"backward"`` (or None): the inverse is divided by the length; ``"forward"``: the transform is;
            ``"ortho"``: both by its root.

    Returns:
        Complex numbers, ``n // 2 + 1`` of them.

    Raises:
        ArgumentError: If the length is not positive, the norm is not known, or there is no such dimension.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.fft.rfft(jnp.array([1.0, 2.0, 3.0, 4.0])).real
        Array([10., -2., -2.], dtype=float32)
    """
    return _one("rfft", "rfft", a, n, axis, norm)


def irfft(a: ArrayLike, n: int | None = None, axis: int = -1, norm: str | None = None) -> Array:
    """The inverse of `rfft`.

    Args:
        a: The half of a transform that `rfft` gives.
        n: The length of the result; for None twice the dimension's size, less two.
        axis: The dimension.
        norm: ``"backward"`` (or None): the inverse is divided by the length; ``"forward"``: the transform is;
            ``"ortho"``: both by its root.

    Returns:
        Real numbers.

    Raises:
        ArgumentError: If the length is not positive, the norm is not known, or there is no such dimension.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.fft.irfft(jnp.array([10.0, -2.0, -2.0]))
        Array([1., 3., 3., 3.], dtype=float32)
    """
    return _one("irfft", "irfft", a, n, axis, norm)


def hfft(a: ArrayLike, n: int | None = None, axis: int = -1, norm: str | None = None) -> Array:
    """The Fourier transform of a signal whose values at negative times are the conjugates, which is real.

    Args:
        a: The values at times that are not negative.
        n: The length of the result; for None twice the dimension's size, less two.
        axis: The dimension.
        norm: ``"backward"`` (or None): the inverse is divided by the length; ``"forward"``: the transform is;
            ``"ortho"``: both by its root.

    Returns:
        Real numbers.

    Raises:
        ArgumentError: If the length is not positive, the norm is not known, or there is no such dimension.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.fft.hfft(jnp.array([1.0, 2.0, 3.0]))
        Array([ 8., -2.,  0., -2.], dtype=float32)
    """
    return _one("hfft", "irfft", conjugate(asarray(a)), n, axis, _swapped("hfft", norm))


def ihfft(a: ArrayLike, n: int | None = None, axis: int = -1, norm: str | None = None) -> Array:
    """The inverse of `hfft`.

    Args:
        a: An array of real numbers.
        n: The length; the dimension is cut to it, or filled with zeros. None for its size.
        axis: The dimension.
        norm: ``"backward"`` (or None): the inverse is divided by the length; ``"forward"``: the transform is;
            ``"ortho"``: both by its root.

    Returns:
        Complex numbers, ``n // 2 + 1`` of them.

    Raises:
        ArgumentError: If the length is not positive, the norm is not known, or there is no such dimension.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.fft.ihfft(jnp.array([8.0, -2.0, 0.0, -2.0])).real
        Array([1., 2., 3.], dtype=float32)
    """
    return conjugate(_one("ihfft", "rfft", asarray(a), n, axis, _swapped("ihfft", norm)))


def _swapped(function: str, norm: str | None) -> str:
    """The norm under which a transform is divided as its inverse would be."""
    return {"backward": "forward", "forward": "backward", "ortho": "ortho"}[_norm(function, norm) or "backward"]


def fftn(
    a: ArrayLike, s: Sequence[int] | None = None, axes: Sequence[int] | None = None, norm: str | None = None
) -> Array:
    """The discrete Fourier transform along several dimensions.

    Args:
        a: An array of numbers.
        s: The lengths along the dimensions, to which they are cut, or filled with zeros. None for their
            sizes.
        axes: The dimensions; all for None, or the last ones if `s` is given.
        norm: ``"backward"`` (or None): the inverse is divided by the number of elements; ``"forward"``: the transform
            is; ``"ortho"``: both by its root.

    Returns:
        Complex numbers.

    Raises:
        ArgumentError: If lengths and dimensions do not fit together, or the norm is not known.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.fft.fftn(jnp.ones((2, 2))).real
        Array([[4., 0.],
               [0., 0.]], dtype=float32)
    """
    return _several("fftn", "fft", a, s, axes, norm)


def ifftn(
    a: ArrayLike, s: Sequence[int] | None = None, axes: Sequence[int] | None = None, norm: str | None = None
) -> Array:
    """The inverse of `fftn`.

    Args:
        a: An array of numbers.
        s: The lengths along the dimensions, to which they are cut, or filled with zeros. None for their
            sizes.
        axes: The dimensions; all for None, or the last ones if `s` is given.
        norm: ``"backward"`` (or None): the inverse is divided by the number of elements; ``"forward"``: the transform
            is; ``"ortho"``: both by its root.

    Returns:
        Complex numbers.

    Raises:
        ArgumentError: If lengths and dimensions do not fit together, or the norm is not known.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.fft.ifftn(jnp.ones((2, 2))).real
        Array([[1., 0.],
               [0., 0.]], dtype=float32)
    """
    return _several("ifftn", "ifft", a, s, axes, norm)


def rfftn(
    a: ArrayLike, s: Sequence[int] | None = None, axes: Sequence[int] | None = None, norm: str | None = None
) -> Array:
    """The half of the Fourier transform of real numbers along several dimensions that says all.

    Args:
        a: An array of real numbers.
        s: The lengths along the dimensions, to which they are cut, or filled with zeros. None for their
            sizes.
        axes: The dimensions; all for None, or the last ones if `s` is given.
        norm: ``"backward"`` (or None): the inverse is divided by the number of elements; ``"forward"``: the transform
            is; ``"ortho"``: both by its root.

    Returns:
        Complex numbers; the last of the dimensions has size ``n // 2 + 1``.

    Raises:
        ArgumentError: If lengths and dimensions do not fit together, or the norm is not known.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.fft.rfftn(jnp.ones((2, 2))).real
        Array([[4., 0.],
               [0., 0.]], dtype=float32)
    """
    return _several("rfftn", "rfft", a, s, axes, norm)


def irfftn(
    a: ArrayLike, s: Sequence[int] | None = None, axes: Sequence[int] | None = None, norm: str | None = None
) -> Array:
    """The inverse of `rfftn`.

    Args:
        a: The half of a transform that `rfftn` gives.
        s: The lengths along the dimensions, to which they are cut, or filled with zeros. None for their
            sizes; the last one twice that, less two.
        axes: The dimensions; all for None, or the last ones if `s` is given.
        norm: ``"backward"`` (or None): the inverse is divided by the number of elements; ``"forward"``: the transform
            is; ``"ortho"``: both by its root.

    Returns:
        Real numbers.

    Raises:
        ArgumentError: If lengths and dimensions do not fit together, or the norm is not known.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.fft.irfftn(jnp.ones((2, 2)))
        Array([[1., 0.],
               [0., 0.]], dtype=float32)
    """
    return _several("irfftn", "irfft", a, s, axes, norm)


def fft2(
    a: ArrayLike, s: Sequence[int] | None = None, axes: Sequence[int] = (-2, -1), norm: str | None = None
) -> Array:
    """The discrete Fourier transform along two dimensions.

    Args:
        a: An array of numbers.
        s: The lengths along the dimensions, to which they are cut, or filled with zeros. None for their
            sizes.
        axes: The dimensions.
        norm: ``"backward"`` (or None): the inverse is divided by the number of elements; ``"forward"``: the transform
            is; ``"ortho"``: both by its root.

    Returns:
        Complex numbers.

    Raises:
        ArgumentError: If lengths and dimensions do not fit together, or the norm is not known.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.fft.fft2(jnp.ones((2, 2))).real
        Array([[4., 0.],
               [0., 0.]], dtype=float32)
    """
    return _several("fft2", "fft", a, s, axes, norm, 2)


def ifft2(
    a: ArrayLike, s: Sequence[int] | None = None, axes: Sequence[int] = (-2, -1), norm: str | None = None
) -> Array:
    """The inverse of `fft2`.

    Args:
        a: An array of numbers.
        s: The lengths along the dimensions, to which they are cut, or filled with zeros. None for their
            sizes.
        axes: The dimensions.
        norm: ``"backward"`` (or None): the inverse is divided by the number of elements; ``"forward"``: the transform
            is; ``"ortho"``: both by its root.

    Returns:
        Complex numbers.

    Raises:
        ArgumentError: If lengths and dimensions do not fit together, or the norm is not known.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.fft.ifft2(jnp.ones((2, 2))).real
        Array([[1., 0.],
               [0., 0.]], dtype=float32)
    """
    return _several("ifft2", "ifft", a, s, axes, norm, 2)


def rfft2(
    a: ArrayLike, s: Sequence[int] | None = None, axes: Sequence[int] = (-2, -1), norm: str | None = None
) -> Array:
    """The half of the Fourier transform of real numbers along two dimensions that says all.

    Args:
        a: An array of real numbers.
        s: The lengths along the dimensions, to which they are cut, or filled with zeros. None for their
            sizes.
        axes: The dimensions.
        norm: ``"backward"`` (or None): the inverse is divided by the number of elements; ``"forward"``: the transform
            is; ``"ortho"``: both by its root.

    Returns:
        Complex numbers; the last of the dimensions has size ``n // 2 + 1``.

    Raises:
        ArgumentError: If lengths and dimensions do not fit together, or the norm is not known.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.fft.rfft2(jnp.ones((2, 2))).real
        Array([[4., 0.],
               [0., 0.]], dtype=float32)
    """
    return _several("rfft2", "rfft", a, s, axes, norm, 2)


def irfft2(
    a: ArrayLike, s: Sequence[int] | None = None, axes: Sequence[int] = (-2, -1), norm: str | None = None
) -> Array:
    """The inverse of `rfft2`.

    Args:
        a: The half of a transform that `rfft2` gives.
        s: The lengths along the dimensions, to which they are cut, or filled with zeros. None for their
            sizes; the last one twice that, less two.
        axes: The dimensions.
        norm: ``"backward"`` (or None): the inverse is divided by the number of elements; ``"forward"``: the transform
            is; ``"ortho"``: both by its root.

    Returns:
        Real numbers.

    Raises:
        ArgumentError: If lengths and dimensions do not fit together, or the norm is not known.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.fft.irfft2(jnp.ones((2, 2)))
        Array([[1., 0.],
               [0., 0.]], dtype=float32)
    """
    return _several("irfft2", "irfft", a, s, axes, norm, 2)


def _frequencies(
    function: str, n: int, d: ArrayLike, dtype: DTypeLike | None, device: DeviceLike | None, half: bool
) -> Array:
    size = integer(function, n, "the length", 1)
    kind = element_type(function, float if dtype is None else dtype)
    if not dtypes.is_float(kind) and not dtypes.is_complex(kind):
        raise ArgumentError(function, "frequencies are no integers", kind, "a type of floats")
    counts = np.arange(size // 2 + 1) if half else np.fft.fftfreq(size, 1 / size)
    if isinstance(d, (int, float, np.generic)):  # rounded once
        return asarray((counts / (float(d) * size)).astype(kind), device=device)
    return asarray(asarray(counts.astype(kind)) / (size * asarray(d, kind)), device=device)


def fftfreq(
    n: int, d: ArrayLike = 1.0, *, dtype: DTypeLike | None = None, device: DeviceLike | None = None
) -> Array:
    """The frequencies that the elements of `fft` stand for.

    Args:
        n: The length of the transform.
        d: The distance of two samples.
        dtype: The element type; float for None.
        device: A device or sharding for the result.

    Returns:
        The frequencies, those that are negative behind the others.

    Raises:
        ArgumentError: If the length is not positive.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.fft.fftfreq(4, 0.5)
        Array([ 0. ,  0.5, -1. , -0.5], dtype=float32)
    """
    return _frequencies("fftfreq", n, d, dtype, device, False)


def rfftfreq(
    n: int, d: ArrayLike = 1.0, *, dtype: DTypeLike | None = None, device: DeviceLike | None = None
) -> Array:
    """The frequencies that the elements of `rfft` stand for.

    Args:
        n: The length of the transform.
        d: The distance of two samples.
        dtype: The element type; float for None.
        device: A device or sharding for the result.

    Returns:
        The frequencies, none negative.

    Raises:
        ArgumentError: If the length is not positive.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.fft.rfftfreq(4, 0.5)
        Array([0. , 0.5, 1. ], dtype=float32)
    """
    return _frequencies("rfftfreq", n, d, dtype, device, True)


def _shifted(function: str, x: ArrayLike, axes: int | Sequence[int] | None, half: Callable[[int], int]) -> Array:
    shape = shape_of(x)
    positions = tuple(range(len(shape))) if axes is None else tuple(
        axis_of(function, d, len(shape)) for d in integers(function, axes, "a dimension"))
    return roll(x, tuple(half(shape[d]) for d in positions), positions)


def fftshift(x: ArrayLike, axes: int | Sequence[int] | None = None) -> Array:
    """The frequency zero in the middle.

    Args:
        x: An array in the order of `fft`.
        axes: The dimensions; all for None.

    Returns:
        The array in the order of frequencies.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.fft.fftshift(jnp.array([0, 1, -2, -1]))
        Array([-2, -1,  0,  1], dtype=int32)
    """
    return _shifted("fftshift", x, axes, lambda n: n // 2)


def ifftshift(x: ArrayLike, axes: int | Sequence[int] | None = None) -> Array:
    """The inverse of `fftshift`.

    Args:
        x: An array in the order of frequencies.
        axes: The dimensions; all for None.

    Returns:
        The array in the order of `fft`.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.fft.ifftshift(jnp.array([-2, -1, 0, 1]))
        Array([ 0,  1, -2, -1], dtype=int32)
    """
    return _shifted("ifftshift", x, axes, lambda n: -(n // 2))
