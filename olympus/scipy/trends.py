# SPDX-License-Identifier: Apache-2.0
"""Trends taken from signals."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from olympus_core.deferred import listed
from olympus_core.errors import ArgumentError

from .. import numpy as jnp
from ..numpy.promotion import promote_inexact
from ..operands import axis_of, dtype_of, integers, shape_of
from ..transforms.jit import api
from ..typing import Array, ArrayLike

__all__ = ["detrend"]
__dir__ = listed(__all__)


def detrend(
    data: ArrayLike, axis: int = -1, type: str = "linear", bp: int | Sequence[int] | np.ndarray = 0,
    overwrite_data: None = None,
) -> Array:
    """A signal without its mean, or without the line of least squares.

    Args:
        data: An array.
        axis: The dimension of time.
        type: ``"linear"`` or ``"constant"``.
        bp: Where new lines begin.
        overwrite_data: Not used; arrays do not change.

    Returns:
        The differences.

    Raises:
        ArgumentError: For an unknown type and breakpoints beside the signal.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus.scipy import signal
        >>> signal.detrend(jnp.array([1.0, 3.0, 2.0]), type="constant")
        Array([-1.,  1.,  0.], dtype=float32)
    """
    if type not in ("linear", "constant"):
        raise ArgumentError("detrend", "the type is not known", repr(type), "'linear' or 'constant'")
    shape = shape_of(data)
    place = axis_of("detrend", axis, len(shape))
    points = integers("detrend", bp.tolist() if isinstance(bp, np.ndarray) else bp, "the breakpoints")
    if any(not 0 <= point <= shape[place] for point in points):
        raise ArgumentError("detrend", "a breakpoint lies beside the signal", points, f"0 to {shape[place]}")
    return _detrended(data, axis=place, is_linear=type == "linear", points=tuple(sorted({0, *points, shape[place]})))


@api(static=("axis", "is_linear", "points"))
def _detrended(data: ArrayLike, axis: int, is_linear: bool, points: tuple[int, ...]) -> Any:
    (x,), _ = promote_inexact("detrend", data)
    if not is_linear:
        return x - jnp.mean(x, axis=axis, keepdims=True)
    x, found = jnp.moveaxis(x, axis, -1), []
    for start, end in itertools.pairwise(points):
        part = x[..., start:end]
        part = part - jnp.mean(part, axis=-1, keepdims=True)
        times = np.arange(end - start) - (end - start - 1) / 2
        weights = times / max((times**2).sum(), 1e-300)
        slope = jnp.sum(part * weights.astype(dtype_of(x)), axis=-1, keepdims=True)
        found.append(part - slope * times.astype(dtype_of(x)))
    return jnp.moveaxis(jnp.concatenate(found, -1) if found else x, -1, axis)
