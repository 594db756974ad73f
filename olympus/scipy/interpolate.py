# SPDX-License-Identifier: Apache-2.0
"""Interpolation between points of a grid."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.deferred import listed
from olympus_core.errors import ArgumentError, NotSupportedError, described

from .. import numpy as jnp
from ..operands import dtype_of, known, shape_of
from ..transforms.jit import api
from ..trees.nodes import register_pytree_node_class
from ..typing import Array, ArrayLike

__all__ = ["RegularGridInterpolator"]
__dir__ = listed(__all__)

_METHODS = ("linear", "nearest")


@register_pytree_node_class
class RegularGridInterpolator:
    """A function that is known at the points of a rectangular grid, whose lines need not be equally far apart.

    Args:
        points: For each dimension of the grid its coordinates, ascending.
        values: The function's values at the points, of shape ``(*sizes, *rest)``.
        method: ``"linear"`` or ``"nearest"``.
        bounds_error: Whether points outside are an error: only False is supported, since points may be traced.
        fill_value: The value outside of the grid; None to go on as at the border.

    Raises:
        ArgumentError: If points and values do not fit, or the method is not known.
        NotSupportedError: For ``bounds_error=True``.

    Example:
        >>> import olympus.numpy as jnp
        >>> f = RegularGridInterpolator((jnp.arange(3.0),), jnp.array([0.0, 10.0, 40.0]))
        >>> f(jnp.array([[0.5], [1.5]]))
        Array([ 5., 25.], dtype=float32)
    """

    def __init__(
        self, points: Sequence[ArrayLike], values: ArrayLike, method: str = "linear", bounds_error: bool = False,
        fill_value: ArrayLike | None = np.nan,
    ) -> None:
        if bounds_error:
            raise NotSupportedError("RegularGridInterpolator(bounds_error=True)",
                                    "whether a traced point lies outside is not known", "Check the points before.")
        _check_method(method)
        self.method, self.bounds_error, self.fill_value = method, False, fill_value
        found = jnp.asarray(values)
        kind = dtype_of(found)
        self.values: Array = found if dtypes.is_float(kind) or dtypes.is_complex(kind) else found.astype(float)
        self.grid: tuple[Array, ...] = tuple(jnp.asarray(p) for p in points)
        sizes = tuple(shape_of(p) for p in self.grid)
        if any(len(size) != 1 or not size[0] for size in sizes) or (
            tuple(size[0] for size in sizes) != self.values.shape[:len(sizes)]
        ):
            raise ArgumentError("RegularGridInterpolator", "points and values do not fit",
                                f"points {sizes}, values {self.values.shape}",
                                "for each of the first dimensions of the values as many coordinates")
        for p in points:
            if not hasattr(p, "aval") or isinstance(p, np.ndarray):
                host = known("RegularGridInterpolator", p, "the points")
                if (np.diff(host) <= 0).any():
                    raise ArgumentError("RegularGridInterpolator", "coordinates do not ascend", described(p),
                                        "each greater than the one before")

    def tree_flatten(self) -> tuple[tuple[Any, ...], Any]:
        """The parts, for `olympus.tree`."""
        return (self.grid, self.values, self.fill_value), self.method

    @classmethod
    def tree_unflatten(cls, data: Any, children: Any) -> RegularGridInterpolator:
        """Puts an interpolator together of whatever stands for its parts."""
        self = object.__new__(cls)
        self.method, self.bounds_error = data, False
        self.grid, self.values, self.fill_value = children
        return self

    def __call__(self, xi: ArrayLike | Sequence[ArrayLike], method: str | None = None) -> Array:
        """The values at points of shape ``(*shape, dimensions)``, or given as one array for each dimension."""
        word = self.method if method is None else _check_method(method)
        if isinstance(xi, tuple):
            xi = jnp.stack(jnp.broadcast_arrays(*map(jnp.asarray, xi)), axis=-1)
        at = jnp.asarray(xi)
        if at.ndim == 1 and len(self.grid) == 1:
            at = at[:, None]
        if not at.ndim or at.shape[-1] != len(self.grid):
            raise ArgumentError("RegularGridInterpolator", "the points have another number of coordinates",
                                f"shape {at.shape}", f"(..., {len(self.grid)})")
        return _interpolated(self.grid, self.values, at, self.fill_value, method=word)


def _check_method(method: str) -> str:
    if method not in _METHODS:
        raise ArgumentError("RegularGridInterpolator", "the method is not known", repr(method), "'linear' or 'nearest'")
    return method


@api(static=("method",))
def _interpolated(grid: tuple[Any, ...], values: Any, at: Any, fill_value: Any, method: str) -> Any:
    lower, share, outside = [], [], jnp.zeros(at.shape[:-1], bool)
    values = values.astype(jnp.result_type(values, at, *grid))
    kind = dtypes.real_part(dtype_of(values))
    for d, line in enumerate(grid):
        x = at[..., d]
        outside = outside | (x < line[0]) | (x > line[-1])
        last = max(line.shape[0] - 2, 0)
        i = jnp.clip(jnp.searchsorted(line, x, side="right") - 1, 0, last)
        upper = jnp.minimum(i + 1, line.shape[0] - 1)
        width = line[upper] - line[i]
        lower.append((i, upper))
        share.append(jnp.where(width == 0, 0.0, (x - line[i]) / jnp.where(width == 0, 1, width)).astype(kind))
    rest = (1,) * (values.ndim - len(grid))
    if method == "nearest":
        found = values[tuple(jnp.where(s <= 0.5, *pair) for s, pair in zip(share, lower, strict=True))]
    else:
        found = jnp.zeros((*at.shape[:-1], *values.shape[len(grid):]), dtype_of(values))
        for corner in itertools.product((0, 1), repeat=len(grid)):
            weight = jnp.ones(at.shape[:-1], kind)
            for side, s in zip(corner, share, strict=True):
                weight = weight * (s if side else 1 - s)
            place = tuple(pair[side] for side, pair in zip(corner, lower, strict=True))
            found = found + values[place] * weight.reshape(*weight.shape, *rest)
    unknown = jnp.any(jnp.isnan(at), axis=-1)
    found = jnp.where(unknown.reshape(*unknown.shape, *rest), jnp.nan, found)
    if fill_value is None:
        return found
    return jnp.where(outside.reshape(*outside.shape, *rest), jnp.asarray(fill_value).astype(dtype_of(found)), found)
