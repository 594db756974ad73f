# SPDX-License-Identifier: Apache-2.0
"""Arrays at positions between their elements."""

from __future__ import annotations

import functools
import itertools
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.deferred import listed
from olympus_core.errors import ArgumentError, NotSupportedError

from .. import lax
from .. import numpy as jnp
from ..numpy.promotion import inexact_dtype
from ..operands import arrays_of, cast, dtype_of, integer, shape_of
from ..transforms.jit import api
from ..typing import Array, ArrayLike

__all__ = ["map_coordinates"]
__dir__ = listed(__all__)


def map_coordinates(
    input: ArrayLike, coordinates: Sequence[ArrayLike], order: int, mode: str = "constant", cval: ArrayLike = 0.0
) -> Array:
    """The values of an array at coordinates.

    Args:
        input: An array.
        coordinates: For each dimension of the array the coordinates in it, in arrays of one shape.
        order: 0 for the nearest element, 1 for linear interpolation.
        mode: What is beside the array: ``"constant"``: `cval`; ``"nearest"``: the last element; ``"wrap"``: the array
            again; ``"mirror"`` and ``"reflect"``: its mirror image, about the last element and about its outer edge.
        cval: The value beside the array.

    Returns:
        The values, of the array's element type; integers are rounded. With ``"constant"`` and ``"wrap"`` coordinates
        beside the outermost elements interpolate with what is beside the array, as SciPy's modes ``"grid-constant"``
        and ``"grid-wrap"`` do.

    Raises:
        ArgumentError: For another number of coordinates than dimensions, an unknown order and an unknown mode.
        NotSupportedError: For splines of orders 2 to 5, and for modes of SciPy's that are not among the five.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus.scipy import ndimage
        >>> ndimage.map_coordinates(jnp.array([1.0, 3.0, 7.0]), [jnp.array([0.5, 1.75])], order=1)
        Array([2., 6.], dtype=float32)

    References:
        SciPy, scipy.ndimage.map_coordinates.
    """
    places = tuple(coordinates) if hasattr(coordinates, "shape") else arrays_of(
        "map_coordinates", coordinates, "the coordinates")
    if len(places) != len(shape_of(input)):
        raise ArgumentError("map_coordinates", "there must be as many coordinates as dimensions", len(places),
                            f"{len(shape_of(input))} arrays for shape {shape_of(input)}")
    if integer("map_coordinates", order, "the order") in range(2, 6):
        raise NotSupportedError(f"map_coordinates(order={order})", "it interpolates by nearest elements and lines only",
                                "Use order=0 or order=1.")
    if order not in (0, 1):
        raise ArgumentError("map_coordinates", "there is no spline of the order", order, "order 0 or 1")
    if mode in ("grid-wrap", "grid-mirror", "grid-constant"):
        raise NotSupportedError(f"map_coordinates(mode={mode!r})", "arrays go on in five other ways only",
                                f"Use one of {', '.join(map(repr, _FOLDS))}.")
    if mode not in _FOLDS:
        raise ArgumentError("map_coordinates", "the mode is not known", repr(mode), ", ".join(map(repr, _FOLDS)))
    return _mapped(input, list(places), cval, order=int(order), mode=mode)


@api(static=("order", "mode"))
def _mapped(input: ArrayLike, coordinates: list[Any], cval: ArrayLike, order: int, mode: str) -> Any:
    array = jnp.asarray(input)
    dtype = dtype_of(array)
    beside = cast(jnp.asarray(cval), dtype, "map_coordinates")
    choices: list[list[tuple[Any, Any, Any]]] = []  # for each dimension: indices, whether they are inside, weights
    for place, size in zip(coordinates, array.shape, strict=True):
        place = jnp.asarray(place)
        place = cast(place, inexact_dtype(dtype_of(place)), "map_coordinates")
        found = []
        for index, weight in _nearest(place) if order == 0 else _neighbours(place):
            number = index.astype(np.int32)
            inside = (number >= 0) & (number < size) if mode == "constant" else None
            found.append((jnp.clip(number, 0, max(size - 1, 0)) if inside is not None else _FOLDS[mode](number, size),
                          inside, weight))
        choices.append(found)
    total: Any = None
    for corner in itertools.product(*choices):
        value = array[tuple(index for index, _, _ in corner)]
        checks = [inside for _, inside, _ in corner if inside is not None]
        if checks:
            value = jnp.where(functools.reduce(operator.and_, checks), value, beside)
        weights = [weight for _, _, weight in corner if weight is not None]
        term = value if not weights else functools.reduce(operator.mul, weights) * value
        total = term if total is None else total + term
    if total is None:
        total = array
    if dtypes.is_integer(dtype) and not dtypes.is_integer(dtype_of(total)):
        total = lax.round(total)
    return cast(total, dtype, "map_coordinates")


def _nearest(place: Any) -> list[tuple[Any, Any]]:
    return [(lax.round(place), None)]


def _neighbours(place: Any) -> list[tuple[Any, Any]]:
    below = jnp.floor(place)
    share = place - below
    return [(below, 1 - share), (below + 1, share)]


def _mirrored(index: Any, size: int) -> Any:
    period = max(size - 1, 1)
    return jnp.abs((index + period) % (2 * period) - period) if size > 1 else jnp.zeros_like(index)


_FOLDS: dict[str, Callable[[Any, int], Any]] = {
    "constant": lambda index, size: index, "nearest": lambda index, size: jnp.clip(index, 0, size - 1),
    "wrap": lambda index, size: index % size, "mirror": _mirrored,
    "reflect": lambda index, size: jnp.floor_divide(_mirrored(2 * index + 1, 2 * size + 1) - 1, 2),
}
