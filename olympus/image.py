# SPDX-License-Identifier: Apache-2.0
"""Images, and other arrays with positions, at other sizes."""

from __future__ import annotations

import enum
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.deferred import listed
from olympus_core.errors import ArgumentError

from . import lax
from . import numpy as jnp
from .numpy.promotion import inexact_dtype
from .operands import axis_of, cast, dtype_of, integers, shape_argument, shape_of
from .transforms.jit import api
from .typing import Array, ArrayLike

__all__ = ["ResizeMethod", "resize", "scale_and_translate"]
__dir__ = listed(__all__)


class ResizeMethod(enum.Enum):
    """How values between elements are found.

    ``NEAREST`` takes the nearest element, ``LINEAR`` interpolates (a triangle), ``CUBIC`` takes Keys' cubic with
    -1/2, ``CUBIC_PYTORCH`` what PyTorch does (with antialiasing the same, without it -3/4, the border repeated),
    ``LANCZOS3`` and ``LANCZOS5`` windowed sines of three and five periods, and ``AREA`` the mean over the area that
    an element of the result covers.

    Example:
        >>> from olympus import image
        >>> image.ResizeMethod.from_string("bilinear").name
        'LINEAR'
    """

    NEAREST = 0
    LINEAR = 1
    LANCZOS3 = 2
    LANCZOS5 = 3
    CUBIC = 4
    CUBIC_PYTORCH = 5
    AREA = 6

    @staticmethod
    def from_string(s: str) -> ResizeMethod:
        """The method of a name.

        Args:
            s: ``"nearest"``, ``"linear"`` (also bilinear, trilinear, triangle), ``"lanczos3"``, ``"lanczos5"``,
                ``"cubic"`` (also bicubic, tricubic), ``"cubic-pytorch"`` or ``"area"``.

        Returns:
            The method.

        Raises:
            ArgumentError: For another name.
        """
        if s not in _NAMES:
            raise ArgumentError("image", f'Unknown resize method "{s}"', repr(s), ", ".join(_NAMES))
        return _NAMES[s]


_NAMES = {
    "nearest": ResizeMethod.NEAREST, "area": ResizeMethod.AREA, "lanczos3": ResizeMethod.LANCZOS3,
    "lanczos5": ResizeMethod.LANCZOS5, "cubic-pytorch": ResizeMethod.CUBIC_PYTORCH,
    **dict.fromkeys(("linear", "bilinear", "trilinear", "triangle"), ResizeMethod.LINEAR),
    **dict.fromkeys(("cubic", "bicubic", "tricubic"), ResizeMethod.CUBIC),
}


def resize(
    image: ArrayLike, shape: Sequence[int], method: str | ResizeMethod, antialias: bool = True,
    precision: Any = lax.Precision.HIGHEST,
) -> Array:
    """An image at another size.

    Args:
        image: An array; every dimension whose size changes is one of positions.
        shape: The shape of the result, with as many dimensions.
        method: A `ResizeMethod` or its name.
        antialias: Whether smaller results are of wider averages, so that nothing is skipped.
        precision: Of the products.

    Returns:
        The image, of the same element type; of integers the default float, but for nearest neighbours.

    Raises:
        ArgumentError: For another number of dimensions, an unknown method, and enlarging what has no elements.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus import image
        >>> image.resize(jnp.array([0.0, 2.0]), (4,), "linear")
        Array([0. , 0.5, 1.5, 2. ], dtype=float32)

    References:
        Keys, Cubic convolution interpolation for digital image processing, 1981. Duchon, Lanczos filtering in one
        and two dimensions, 1979.
    """
    given, wanted = shape_of(image), shape_argument("resize", shape)
    if len(given) != len(wanted):
        raise ArgumentError("resize", "the shape has another number of dimensions than the image",
                            f"{wanted} for {given}", f"{len(given)} sizes")
    changed = tuple(d for d, n in enumerate(given) if n != wanted[d])
    if any(not given[d] and wanted[d] for d in changed):
        raise ArgumentError("resize", "there is nothing to enlarge", given, "dimensions that have elements")
    return _resized(image, shape=wanted, axes=changed, method=_method(method), antialias=bool(antialias),
                    precision=precision)


def scale_and_translate(
    image: ArrayLike, shape: Sequence[int], spatial_dims: Sequence[int], scale: ArrayLike, translation: ArrayLike,
    method: str | ResizeMethod, antialias: bool = True, precision: Any = lax.Precision.HIGHEST,
) -> Array:
    """An image scaled and moved: what was at position x is at ``x * scale + translation``.

    Positions count from an edge of the image, so that the middle of the first element is at 1/2. What comes from beside
    the image is zero.

    Args:
        image: An array.
        shape: The shape of the result.
        spatial_dims: The dimensions of positions.
        scale: A factor for each of them.
        translation: How far to move in each of them, in elements of the result.
        method: A `ResizeMethod` or its name; not nearest neighbours.
        antialias: Whether smaller results are of wider averages, so that nothing is skipped.
        precision: Of the products.

    Returns:
        The image, of the same element type; of integers the default float. It has derivatives by scale and translation,
        too.

    Raises:
        ArgumentError: For shapes that do not fit, an unknown method and nearest neighbours.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus import image
        >>> image.scale_and_translate(jnp.array([1.0, 3.0]), (3,), (0,), jnp.ones(1), jnp.array([0.5]), "linear")
        Array([1., 2., 3.], dtype=float32)
    """
    given, wanted = shape_of(image), shape_argument("scale_and_translate", shape)
    places = tuple(axis_of("scale_and_translate", d, len(given))
                   for d in integers("scale_and_translate", spatial_dims, "the dimensions"))
    if len(given) != len(wanted):
        raise ArgumentError("scale_and_translate", "the shape has another number of dimensions than the image",
                            f"{wanted} for {given}", f"{len(given)} sizes")
    for what, array in (("scale", scale), ("translation", translation)):
        if shape_of(array) != (len(places),):
            raise ArgumentError("scale_and_translate", f"the {what} does not fit the dimensions", shape_of(array),
                                f"one number for each of {places}")
    if len(set(places)) != len(places):
        raise ArgumentError("scale_and_translate", "a dimension is named twice", spatial_dims, "different dimensions")
    if any(given[d] != wanted[d] for d in range(len(given)) if d not in places):
        raise ArgumentError("scale_and_translate", "a dimension changes its size that is not one of positions",
                            f"{wanted} for {given}", f"changes along {places}")
    chosen = _method(method)
    if chosen is ResizeMethod.NEAREST:
        raise ArgumentError("scale_and_translate", "nearest neighbours are not a filter", "NEAREST",
                            "another method", "Use resize, or index the image.")
    return _moved(image, scale, translation, shape=wanted, axes=places, method=chosen, antialias=bool(antialias),
                  precision=precision)


def _method(method: str | ResizeMethod) -> ResizeMethod:
    return ResizeMethod.from_string(method) if isinstance(method, str) else ResizeMethod(method)


@api(static=("shape", "axes", "method", "antialias", "precision"))
def _resized(
    image: ArrayLike, shape: tuple[int, ...], axes: tuple[int, ...], method: ResizeMethod, antialias: bool,
    precision: Any,
) -> Any:
    given = shape_of(image)
    if method is ResizeMethod.NEAREST:
        for d in axes:
            places = np.floor((np.arange(shape[d]) + 0.5) * given[d] / shape[d]).astype(np.int32)
            image = jnp.take(image, places, axis=d)
        return jnp.asarray(image)
    image = cast(image, inexact_dtype(dtype_of(image)), "resize")
    for d in axes:
        scale = shape[d] / given[d] or 1.0  # of nothing there are no weights
        weights = _weights(np, given[d], shape[d], scale, 0.0, method, antialias, np.dtype(np.float64))
        image = _weighed(image, weights, d, precision)
    return image


@api(static=("shape", "axes", "method", "antialias", "precision"))
def _moved(
    image: ArrayLike, scale: ArrayLike, translation: ArrayLike, shape: tuple[int, ...], axes: tuple[int, ...],
    method: ResizeMethod, antialias: bool, precision: Any,
) -> Any:
    given = shape_of(image)
    image = cast(image, inexact_dtype(dtype_of(image)), "scale_and_translate")
    part = dtypes.real_part(dtype_of(image))
    kind = part if part.itemsize >= 4 else dtypes.float32
    for i, d in enumerate(axes):
        factor, offset = (cast(jnp.asarray(v)[i], kind, "scale_and_translate") for v in (scale, translation))
        weights = _weights(jnp, given[d], shape[d], factor, offset, method, antialias, kind)
        image = _weighed(image, weights, d, precision)
    return image


def _weighed(image: Any, weights: Any, d: int, precision: Any) -> Any:
    dtype = dtype_of(image)
    wide = dtypes.float32 if dtype.itemsize < 4 else dtype
    rows = jnp.moveaxis(cast(image, wide, "resize"), d, -1)
    contracted = (((rows.ndim - 1,), (0,)), ((), ()))
    found = lax.dot_general(rows, cast(weights, wide, "resize"), contracted, precision=precision)
    return cast(jnp.moveaxis(found, -1, d), dtype, "resize")


def _weights(
    xp: Any, given: int, wanted: int, scale: Any, translation: Any, method: ResizeMethod, antialias: bool,
    kind: np.dtype,
) -> Any:
    """How much each element of the image, in rows, counts for each of the result, in columns; xp is NumPy or ours."""
    inverse = 1 / scale
    numbers, places = xp.arange(wanted, dtype=kind), xp.arange(given, dtype=kind)[:, None]
    middle = (numbers + 0.5 - translation) * inverse - 0.5
    if method is ResizeMethod.CUBIC_PYTORCH and not antialias:
        return _of_clamped_border(xp, given, middle, places)
    if method is ResizeMethod.AREA:
        half = abs(inverse) / 2
        low, high = xp.maximum(middle - half, places - 0.5), xp.minimum(middle + half, places + 0.5)
        raw = xp.maximum(high - low, 0)
    else:
        width = xp.maximum(inverse, 1.0) if antialias else 1.0
        raw = _KERNELS[method](xp, abs(middle - places) / width)
    total = raw.sum(axis=0, keepdims=True)
    is_zero = abs(total) <= 1000 * float(np.finfo(np.float32).eps)
    weights = xp.where(is_zero, 0, raw / xp.where(is_zero, 1, total))
    return xp.where((middle >= -0.5) & (middle <= given - 0.5), weights, 0)


def _of_clamped_border(xp: Any, given: int, middle: Any, places: Any) -> Any:
    """Weights of the four nearest elements, where those beside the image are the last one in it, as in PyTorch."""
    below = xp.floor(middle)
    return sum(
        xp.where(xp.clip(below + step, 0, given - 1) == places, _cubic(-0.75)(xp, abs(middle - below - step)), 0)
        for step in (-1, 0, 1, 2)
    )


def _triangle(xp: Any, x: Any) -> Any:
    return xp.maximum(0, 1 - x)


def _lanczos(radius: int) -> Callable[[Any, Any], Any]:
    def kernel(xp: Any, x: Any) -> Any:
        near = x > 1e-3
        angle = math.pi * xp.where(near, x, 1)
        value = radius * xp.sin(angle) * xp.sin(angle / radius) / (angle * angle)
        return xp.where(x > radius, 0, xp.where(near, value, 1))

    return kernel


def _cubic(a: float) -> Callable[[Any, Any], Any]:
    def kernel(xp: Any, x: Any) -> Any:
        inner = ((a + 2) * x - (a + 3)) * x * x + 1
        outer = ((a * x - 5 * a) * x + 8 * a) * x - 4 * a
        return xp.where(x >= 2, 0, xp.where(x >= 1, outer, inner))

    return kernel


_KERNELS: dict[ResizeMethod, Callable[[Any, Any], Any]] = {
    ResizeMethod.LINEAR: _triangle, ResizeMethod.LANCZOS3: _lanczos(3), ResizeMethod.LANCZOS5: _lanczos(5),
    ResizeMethod.CUBIC: _cubic(-0.5), ResizeMethod.CUBIC_PYTORCH: _cubic(-0.5),
}
