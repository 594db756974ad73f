# SPDX-License-Identifier: Apache-2.0
"""Histograms of points in several dimensions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from olympus_core.errors import ArgumentError

from .. import lax
from ..operands import cast, convert, dtype_of, integer, is_sequence, shape_of
from ..tracing import scalar_dtype
from ..transforms.jit import api
from ..typing import Array, ArrayLike
from .comparison import logical_and
from .creation import asarray
from .joining import stack
from .promotion import inexact_dtype, promote_types_of
from .searching import where
from .sorting import _counted, histogram_bin_edges, searchsorted

__all__ = ["histogram2d", "histogramdd"]


def histogramdd(
    sample: ArrayLike | Sequence[ArrayLike], bins: Any = 10, range: Sequence[Any] | None = None,
    weights: ArrayLike | None = None, density: bool | None = None,
) -> tuple[Array, list[Array]]:
    """How many points lie in each of the boxes of a grid.

    Args:
        sample: The points, of shape (n, d), or a list of d arrays with a coordinate of each point.
        bins: How many intervals along each dimension; or for each dimension how many, or their ends.
        range: For each dimension the lowest and highest end, or None for the least and greatest coordinate.
        weights: What each point counts; 1 for None.
        density: Whether to scale the counts so that their integral is one.

    Returns:
        The counts: integers, or floats with weights or as a density; and for each dimension the ends of the intervals.

    Raises:
        ArgumentError: If the shapes do not fit, or there are not as many bins or ranges as dimensions.

    Example:
        >>> import olympus.numpy as jnp
        >>> counts, _ = jnp.histogramdd(jnp.array([[0.0, 0.0], [4.0, 4.0], [3.0, 1.0]]), bins=2)
        >>> counts.tolist()
        [[1, 0], [1, 1]]
    """
    points = stack([asarray(x) for x in sample], -1) if isinstance(sample, (list, tuple)) else asarray(sample)
    if len(shape_of(points)) != 2:
        raise ArgumentError("histogramdd", "the points have no dimensions", f"shape {shape_of(points)}", "shape (n, d)")
    count, ndim = shape_of(points)
    if weights is not None and shape_of(weights) != (count,):
        raise ArgumentError("histogramdd", "the weights do not fit", f"shape {shape_of(weights)}", f"shape ({count},)")
    given = list(bins) if is_sequence(bins) else [bins] * ndim
    limits = [None] * ndim if range is None else list(range)
    for what, found in (("bins", given), ("ranges", limits)):
        if len(found) != ndim:
            raise ArgumentError("histogramdd", f"there are not as many {what} as dimensions", len(found), ndim)
    coordinates = [points[:, d] for d, _ in enumerate(given)]
    edges = [_ends(x, b, limit) for x, b, limit in zip(coordinates, given, limits, strict=True)]
    return _boxes(coordinates, edges, weights, density=bool(density)), edges


def _ends(x: Any, bins: Any, limit: Any) -> Any:
    if not len(shape_of(bins) if not isinstance(bins, (list, tuple)) else (len(bins),)):
        return histogram_bin_edges(x, integer("histogramdd", bins, "the number of intervals", 1), limit)
    ends = asarray(bins)
    if len(shape_of(ends)) != 1 or shape_of(ends)[0] < 2:
        raise ArgumentError("histogramdd", "the ends of the intervals are no row", f"shape {shape_of(ends)}",
                            "two ends or more")
    return cast(ends, inexact_dtype(dtype_of(ends)))


@api(static=("density",))
def _boxes(coordinates: Sequence[Any], edges: Sequence[Any], weights: ArrayLike | None, density: bool) -> Any:
    sizes = [shape_of(ends)[0] - 1 for ends in edges]
    position: Any = None
    inside: Any = None
    for x, ends, size in zip(coordinates, edges, sizes, strict=True):
        (x, ends), _ = promote_types_of("histogramdd", x, ends)
        last = lax.index_in_dim(ends, size, keepdims=False)
        own = lax.sub(searchsorted(ends, x, side="right"), 1)
        own = where(x == last, size - 1, own)  # the last interval is closed
        fits = logical_and(logical_and(own >= 0, own < size), x <= last)
        own = where(fits, own, 0)
        position = own if position is None else position * size + own
        inside = fits if inside is None else logical_and(inside, fits)
    total = math.prod(sizes)
    kind = scalar_dtype(int) if weights is None else inexact_dtype(dtype_of(weights))
    added = convert(1, kind) if weights is None else cast(weights, kind)
    added = where(inside, added, convert(0, kind))
    counts = _counted(where(inside, position, 0), asarray(added), total)
    counts = lax.reshape(counts, tuple(sizes))
    if not density:
        return counts
    kind = inexact_dtype(kind)
    scaled = cast(counts, kind) / cast(lax.reduce_sum(counts, tuple(i for i, _ in enumerate(sizes))), kind)
    for d, ends in enumerate(edges):
        widths = cast(lax.slice_in_dim(ends, 1, None) - lax.slice_in_dim(ends, 0, sizes[d]), kind)
        scaled = scaled / lax.reshape(widths, tuple(n if i == d else 1 for i, n in enumerate(sizes)))
    return scaled


def histogram2d(
    x: ArrayLike, y: ArrayLike, bins: Any = 10, range: Sequence[Any] | None = None, weights: ArrayLike | None = None,
    density: bool | None = None,
) -> tuple[Array, Array, Array]:
    """How many points lie in each of the rectangles of a grid.

    Args:
        x: The points' first coordinates.
        y: Their second ones.
        bins: How many intervals, or their ends, along both; or a pair of these.
        range: A pair of the lowest and highest end along each, or None for the least and greatest coordinates.
        weights: What each point counts; 1 for None.
        density: Whether to scale the counts so that their integral is one.

    Returns:
        The counts, and the ends of the intervals along both.

    Raises:
        ArgumentError: If the shapes do not fit.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.histogram2d(jnp.array([0.0, 1.0]), jnp.array([0.0, 1.0]), bins=2)[0].tolist()
        [[1, 0], [0, 1]]
    """
    first, second = asarray(x), asarray(y)
    if len(first.shape) != 1 or first.shape != second.shape:
        raise ArgumentError("histogram2d", "the coordinates do not fit", f"shapes {first.shape} and {second.shape}",
                            "two rows of one size")
    if is_sequence(bins) and len(bins) not in (1, 2):
        bins = [bins, bins]
    elif is_sequence(bins) and len(bins) == 1:
        bins = [bins[0], bins[0]]
    counts, (ends, others) = histogramdd([first, second], bins, range, weights, density)
    return counts, ends, others
