# SPDX-License-Identifier: Apache-2.0
"""Collectives over mesh axes, for functions written for one device (`shard_map`, `pmap`)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np

from olympus_core import ops
from olympus_core.errors import ArgumentError, described
from olympus_core.program import OperationRecord

from ..operands import integer, is_sequence
from ..tracing import aval_of, bind
from ..transforms.axis_groups import folded_axes, group_of
from ..transforms.complex_order import bind_ordered
from ..transforms.context import current_manual_axes, varying_axes
from ..trees import inside as tree
from ..typing import Array

T = TypeVar("T")

__all__ = [
    "all_gather", "all_to_all", "axis_index", "axis_size", "pbroadcast", "pcast", "pmax", "pmean", "pmin", "ppermute",
    "pscatter", "pshuffle", "psum", "psum_scatter",
]

AxisName = str | Sequence[str]
# Of reductions: dimensions of the value may stand beside the names.
ReducedAxes = str | Sequence[str | int]


def _reduce(function: str, record: OperationRecord, x: Any, axis_name: Any, groups: Any) -> Any:
    reduction = record.name.removeprefix("reduce_")
    if groups is not None or not (is_sequence(axis_name) and any(isinstance(a, int) for a in axis_name)):
        group = group_of(function, axis_name, groups)
        return tree.map(lambda v: bind_ordered(ops.all_reduce, v, reduction=reduction, group=group), x)

    def one(value: Any) -> Any:
        dimensions, group = folded_axes(function, axis_name, aval_of(value).ndim)
        if dimensions:
            value = bind_ordered(record, value, dimensions=dimensions)
        return value if group is None else bind_ordered(ops.all_reduce, value, reduction=reduction, group=group)

    return tree.map(one, x)


def psum(x: T, axis_name: ReducedAxes, *, axis_index_groups: Any = None) -> T:
    """The sum over the devices along mesh axes; of a Python number, the number times their count.

    Args:
        x: An array or a nested container of arrays.
        axis_name: One axis name or several; dimensions of the value, which are summed as well, may stand among them.
        axis_index_groups: Lists of indices along the axes, of equal length and with each index once: each list is a
            group of its own; one group of all devices for None. Not over an axis of `vmap`.

    Returns:
        The sum, the same on all these devices.

    Raises:
        ArgumentError: When the axis is not bound here.

    Example:
        >>> import numpy as np, olympus
        >>> from olympus import lax
        >>> olympus.pmap(lambda x: lax.psum(x, "i"), axis_name="i")(np.arange(4))
        Array([6, 6, 6, 6], dtype=int32)
    """

    def one(value: Any) -> Any:
        if isinstance(value, (int, float, complex)):
            return value * group_of("psum", axis_name, axis_index_groups).size
        if aval_of(value).dtype == np.bool_:
            value = bind(ops.convert, value, dtype=np.dtype(np.int32))
        return _reduce("psum", ops.reduce_sum, value, axis_name, axis_index_groups)

    return tree.map(one, x)


def pmean(x: T, axis_name: ReducedAxes, *, axis_index_groups: Any = None) -> T:
    """The mean over the devices along mesh axes; see `psum`.

    Args:
        x: An array or a nested container of arrays.
        axis_name: One axis name or several.
        axis_index_groups: As in `psum`.

    Returns:
        The mean, the same on all these devices.

    Example:
        >>> import numpy as np, olympus
        >>> from olympus import lax
        >>> olympus.pmap(lambda x: x - lax.pmean(x, "i"), axis_name="i")(np.arange(4))
        Array([-1.5, -0.5,  0.5,  1.5], dtype=float32)
    """

    def one(value: Any) -> Any:
        total = psum(value, axis_name, axis_index_groups=axis_index_groups)
        if axis_index_groups is not None:
            return total / group_of("pmean", axis_name, axis_index_groups).size
        shape = aval_of(value).shape
        dimensions, group = folded_axes("pmean", axis_name, len(shape))
        return total / math.prod([shape[d] for d in dimensions], start=1 if group is None else group.size)

    return tree.map(one, x)


def pmax(x: T, axis_name: ReducedAxes, *, axis_index_groups: Any = None) -> T:
    """The largest element over the devices along mesh axes; see `psum`.

    Args:
        x: An array or a nested container of arrays.
        axis_name: One axis name or several.
        axis_index_groups: As in `psum`.

    Returns:
        The largest, the same on all these devices.

    Example:
        >>> import numpy as np, olympus
        >>> from olympus import lax
        >>> olympus.pmap(lambda x: lax.pmax(x, "i"), axis_name="i")(np.arange(4))
        Array([3, 3, 3, 3], dtype=int32)
    """
    return _reduce("pmax", ops.reduce_max, x, axis_name, axis_index_groups)


def pmin(x: T, axis_name: ReducedAxes, *, axis_index_groups: Any = None) -> T:
    """The smallest element over the devices along mesh axes; see `psum`.

    Args:
        x: An array or a nested container of arrays.
        axis_name: One axis name or several.
        axis_index_groups: As in `psum`.

    Returns:
        The smallest, the same on all these devices.

    Example:
        >>> import numpy as np, olympus
        >>> from olympus import lax
        >>> olympus.pmap(lambda x: lax.pmin(x, "i"), axis_name="i")(np.arange(4))
        Array([0, 0, 0, 0], dtype=int32)
    """
    return _reduce("pmin", ops.reduce_min, x, axis_name, axis_index_groups)


def all_gather(
    x: T, axis_name: AxisName, *, axis_index_groups: Any = None, axis: int = 0, tiled: bool = False,
    to: str = "varying",
) -> T:
    """All devices' values along mesh axes.

    Args:
        x: An array or a nested container of arrays.
        axis_name: One axis name or several.
        axis_index_groups: As in `psum`.
        axis: Where the new dimension stands, or the one along which tiles are joined.
        tiled: Join along `axis` instead of adding a dimension.
        to: ``"varying"``, ``"reduced"`` or ``"invarying"``; the values are the same, and the type says that devices
            hold the same.

    Returns:
        The gathered values, the same on all these devices.

    Example:
        >>> import numpy as np, olympus
        >>> from olympus import lax
        >>> olympus.pmap(lambda x: lax.all_gather(x, "i"), axis_name="i")(np.arange(3))
        Array([[0, 1, 2],
               [0, 1, 2],
               [0, 1, 2]], dtype=int32)
    """
    group = group_of("all_gather", axis_name, axis_index_groups)
    if to not in ("varying", "reduced", "invarying"):
        raise ArgumentError("all_gather", "there is no such kind of value", described(to),
                            "'varying', 'reduced' or 'invarying'")

    def one(value: Any) -> Any:
        shape = aval_of(value).shape
        if tiled:
            return bind(ops.all_gather, value, dimension=_dimension("all_gather", axis, len(shape)), group=group)
        position = _dimension("all_gather", axis, len(shape) + 1)
        value = bind(ops.reshape, value, shape=(*shape[:position], 1, *shape[position:]))
        return bind(ops.all_gather, value, dimension=position, group=group)

    return tree.map(one, x)


def psum_scatter(
    x: T, axis_name: AxisName, *, scatter_dimension: int = 0, axis_index_groups: Any = None, tiled: bool = False
) -> T:
    """Like `psum`, but each device gets its part of the sum.

    Args:
        x: An array or a nested container of arrays.
        axis_name: One axis name or several.
        scatter_dimension: The dimension that is cut.
        axis_index_groups: As in `psum`.
        tiled: Keep the dimension (its size must be a multiple of the count) instead of dropping it (size = count).

    Returns:
        This device's part.

    Example:
        >>> import numpy as np, olympus
        >>> from olympus import lax
        >>> olympus.pmap(lambda x: lax.psum_scatter(x, "i"), axis_name="i")(np.arange(4).reshape(2, 2))
        Array([2, 4], dtype=int32)
    """
    group = group_of("psum_scatter", axis_name, axis_index_groups)

    def one(value: Any) -> Any:
        shape = aval_of(value).shape
        position = _dimension("psum_scatter", scatter_dimension, len(shape))
        if not tiled and shape[position] != group.size:
            raise ArgumentError("psum_scatter", "the scattered dimension must have one index for each device",
                                f"size {shape[position]}", f"size {group.size}",
                                "Write tiled=True to cut it into tiles.")
        part = bind(ops.reduce_scatter, value, dimension=position, reduction="sum", group=group)
        return part if tiled else bind(ops.reshape, part, shape=(*shape[:position], *shape[position + 1:]))

    return tree.map(one, x)


def all_to_all(
    x: T, axis_name: AxisName, split_axis: int, concat_axis: int, *, axis_index_groups: Any = None,
    tiled: bool = False,
) -> T:
    """Cuts `split_axis` into one part for each device, sends part i to device i, joins what comes along `concat_axis`.

    Args:
        x: An array or a nested container of arrays.
        axis_name: One axis name or several.
        split_axis: The dimension that is cut.
        concat_axis: The dimension that grows (tiled) or where the new dimension stands.
        axis_index_groups: As in `psum`.
        tiled: Cut and join dimensions that stay, instead of dropping one and adding one.

    Returns:
        The exchanged value.

    Example:
        >>> import numpy as np, olympus
        >>> from olympus import lax
        >>> olympus.pmap(lambda x: lax.all_to_all(x, "i", 0, 0), axis_name="i")(np.arange(4).reshape(2, 2))
        Array([[0, 2],
               [1, 3]], dtype=int32)
    """
    group = group_of("all_to_all", axis_name, axis_index_groups)

    def one(value: Any) -> Any:
        shape = aval_of(value).shape
        split = _dimension("all_to_all", split_axis, len(shape))
        if tiled:
            concat = _dimension("all_to_all", concat_axis, len(shape))
            return bind(ops.all_to_all, value, split_dimension=split, concat_dimension=concat, group=group)
        if shape[split] != group.size:
            raise ArgumentError("all_to_all", "the split dimension must have one index for each device",
                                f"size {shape[split]}", f"size {group.size}", "Write tiled=True to cut it into tiles.")
        concat = _dimension("all_to_all", concat_axis, len(shape))
        rest = [n for i, n in enumerate(shape) if i != split]
        order = [i for i in range(len(shape)) if i != split]
        order.insert(concat, split)
        moved = bind(ops.transpose, value, permutation=tuple(order))
        # Index i of the moved dimension goes to device i and comes back as index (sender).
        result = bind(ops.all_to_all, moved, split_dimension=concat, concat_dimension=concat, group=group)
        return bind(ops.reshape, result, shape=(*rest[:concat], group.size, *rest[concat:]))

    return tree.map(one, x)


def ppermute(x: T, axis_name: AxisName, perm: Sequence[tuple[int, int]]) -> T:
    """Sends values between devices: for each pair the target gets the source's value; the others get zeros.

    Args:
        x: An array or a nested container of arrays.
        axis_name: One axis name or several.
        perm: Pairs (source, target) of indices along the axes; none twice on either side.

    Returns:
        What this device receives.

    Example:
        >>> import numpy as np, olympus
        >>> from olympus import lax
        >>> olympus.pmap(lambda x: lax.ppermute(x, "i", [(0, 1), (1, 2)]), axis_name="i")(np.arange(3) + 5)
        Array([0, 5, 6], dtype=int32)
    """
    group = group_of("ppermute", axis_name)
    try:
        pairs = tuple((int(s), int(t)) for s, t in perm)
    except (TypeError, ValueError):
        raise ArgumentError("ppermute", "perm does not hold pairs of indices", described(perm),
                            "[(source, target), ...]") from None
    for role, side in zip(("source", "target"), zip(*pairs, strict=True), strict=False):
        outside = [i for i in side if not 0 <= i < group.size]
        if outside:
            raise ArgumentError("ppermute", f"the {role} {outside[0]} is not on the axis {axis_name!r}", pairs,
                                f"indices from 0 to {group.size - 1}, since the axis has {group.size} devices")
        twice = [i for i in side if side.count(i) > 1]
        if twice:
            raise ArgumentError("ppermute", f"the {role} {twice[0]} stands in several pairs", pairs,
                                f"each {role} at most once")
    return tree.map(lambda v: bind(ops.permute, v, pairs=pairs, group=group), x)


def pshuffle(x: T, axis_name: AxisName, perm: Sequence[int]) -> T:
    """Device i gets the value of device ``perm[i]``.

    Args:
        x: An array or a nested container of arrays.
        axis_name: One axis name or several.
        perm: For each device the index of the one whose value it gets.

    Returns:
        What this device receives.

    Example:
        >>> import numpy as np, olympus
        >>> from olympus import lax
        >>> olympus.pmap(lambda x: lax.pshuffle(x, "i", [2, 0, 1]), axis_name="i")(np.arange(3))
        Array([2, 0, 1], dtype=int32)
    """
    return ppermute(x, axis_name, [(source, target) for target, source in enumerate(perm)])


def pbroadcast(x: T, axis_name: AxisName, source: int) -> T:
    """Every device along mesh axes gets the value of the one with index `source`.

    Args:
        x: An array or a nested container of arrays.
        axis_name: One axis name or several.
        source: Index of the sender along the axes.

    Returns:
        The sender's value, the same on all these devices.

    Example:
        >>> import numpy as np, olympus
        >>> from olympus import lax
        >>> olympus.pmap(lambda x: lax.pbroadcast(x, "i", 1), axis_name="i")(np.arange(3) + 5)
        Array([6, 6, 6], dtype=int32)
    """
    group = group_of("pbroadcast", axis_name)
    _check_source("pbroadcast", source, group.size)
    return tree.map(lambda v: bind(ops.broadcast, v, source=source, group=group), x)


def pscatter(x: T, axis_name: AxisName, source: int, *, axis: int = 0, tiled: bool = False) -> T:
    """Device i gets part i, along a dimension, of the value of the device with index `source`.

    Args:
        x: An array or a nested container of arrays; only the sender's content counts.
        axis_name: One axis name or several.
        source: Index of the sender along the axes.
        axis: The dimension that is cut.
        tiled: Keep the dimension instead of dropping it.

    Returns:
        This device's part.

    Example:
        >>> import numpy as np, olympus
        >>> from olympus import lax
        >>> olympus.pmap(lambda x: lax.pscatter(x, "i", 1), axis_name="i")(np.arange(4).reshape(2, 2))
        Array([2, 3], dtype=int32)
    """
    group = group_of("pscatter", axis_name)
    _check_source("pscatter", source, group.size)

    def one(value: Any) -> Any:
        shape = aval_of(value).shape
        position = _dimension("pscatter", axis, len(shape))
        if shape[position] % group.size or (not tiled and shape[position] != group.size):
            raise ArgumentError("pscatter", "the dimension cannot be cut", f"size {shape[position]}",
                                f"{'a multiple of ' if tiled else ''}{group.size}")
        parts = bind(ops.all_to_all, value, split_dimension=position, concat_dimension=position, group=group)
        # What came from the sender is tile number `source` of the joined parts.
        size = shape[position] // group.size
        starts = tuple(source * size if i == position else 0 for i in range(len(shape)))
        limits = tuple((source + 1) * size if i == position else n for i, n in enumerate(shape))
        part = bind(ops.slice, parts, starts=starts, limits=limits, strides=(1,) * len(shape))
        return part if tiled else bind(ops.reshape, part, shape=(*shape[:position], *shape[position + 1:]))

    return tree.map(one, x)


def _check_source(function: str, source: int, size: int) -> None:
    if not 0 <= source < size:
        raise ArgumentError(function, "no such source", source, f"an index from 0 to {size - 1}")


def pcast(x: T, axis_name: AxisName, *, to: str) -> T:
    """The same values with another type over manual axes: as values that differ, or as terms of a sum.

    Args:
        x: An array or a nested container of arrays, in the body of a `shard_map`.
        axis_name: One axis name or several.
        to: ``"varying"``: values that are the same on all devices count as different ones from here on; ``"reduced"``:
            they stay the same, and cotangents are terms; ``"unreduced"``: values that differ are terms of a sum, which
            `psum` makes.

    Returns:
        The values.

    Raises:
        ArgumentError: When `x` is of that type already, or cannot become it.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> from olympus import lax
        >>> def f(x):
        ...     print(olympus.typeof(x), olympus.typeof(lax.pcast(x, "i", to="varying")))
        ...     return x
        >>> mesh = olympus.make_mesh((8,), ("i",))
        >>> y = olympus.shard_map(f, mesh=mesh, in_specs=olympus.P(), out_specs=olympus.P())(jnp.ones(2))
        float32[2] float32[2]{V:i}
    """
    if to not in ("varying", "reduced", "unreduced"):
        raise ArgumentError("pcast", "there is no such kind of value", described(to),
                            "'varying', 'reduced' or 'unreduced'")
    group = group_of("pcast", axis_name)
    axes = frozenset(group.axes)
    manual = current_manual_axes()
    if manual is not None and not axes & set(manual.typed):  # types say nothing of these axes
        return x

    def one(value: Any) -> Any:
        varies = varying_axes(value) & axes
        if (to == "unreduced" and varies != axes) or (to != "unreduced" and varies):
            kind = "varies over" if varies else "is the same along"
            raise ArgumentError("pcast", f"a value that {kind} {sorted(varies or axes)} cannot become {to}",
                                repr(aval_of(value)), "a value that is the same on all devices for 'varying' and "
                                "'reduced', one that varies for 'unreduced'")
        if to != "varying":
            return value
        # Equal on both sides, so that nothing is computed; the index makes it a value of each device's own.
        shape = aval_of(value).shape
        own = bind(ops.ge, bind(ops.axis_index, group=group), np.int32(0))
        return bind(ops.select, bind(ops.broadcast_in_dim, own, shape=shape, dimensions=()), value, value)

    return tree.map(one, x)


def axis_index(axis_name: AxisName) -> Array:
    """This device's index along mesh axes: an int32 scalar.

    Args:
        axis_name: One axis name or several; several count in row-major order.

    Example:
        >>> import numpy as np, olympus
        >>> from olympus import lax
        >>> olympus.pmap(lambda x: lax.axis_index("i") + 0 * x, axis_name="i")(np.zeros(3, int))
        Array([0, 1, 2], dtype=int32)
    """
    return bind(ops.axis_index, group=group_of("axis_index", axis_name))


def axis_size(axis_name: AxisName) -> int:
    """The number of devices along mesh axes.

    Args:
        axis_name: One axis name or several.

    Example:
        >>> import numpy as np, olympus
        >>> from olympus import lax
        >>> olympus.pmap(lambda x: x * lax.axis_size("i"), axis_name="i")(np.ones(3))
        Array([3., 3., 3.], dtype=float32)
    """
    return group_of("axis_size", axis_name).size


def _dimension(function: str, axis: int, ndim: int) -> int:
    axis = integer(function, axis, "the dimension")
    position = axis + ndim if axis < 0 else axis
    if not 0 <= position < ndim:
        raise ArgumentError(function, "no such dimension", axis, f"from {-ndim} to {ndim - 1}")
    return position


