# SPDX-License-Identifier: Apache-2.0
"""smap: shard_map over one axis, said by dimensions instead of specs."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from olympus_core.errors import ArgumentError, described
from olympus_core.placement import PartitionSpec

from ..tracing import aval_of
from ..tracing.tracebacks import entrance
from ..tracing.wrapping import wraps
from ..trees import inside as tree
from .arguments import by_position_only, function_given
from .prefix import spread
from .shard_map import INFER, Inferred, shard_map


def smap(
    f: Callable[..., Any] | None = None, /, *, in_axes: Any = INFER, out_axes: Any, axis_name: str
) -> Callable[..., Any]:
    """Maps a function over the shards of its arguments along one mesh axis.

    Args:
        f: A function of arrays that have the shape of one shard.
        in_axes: The dimension that the axis splits: an integer for all arguments, None where they are whole, or a tuple
            with an entry (a tree prefix) for each argument. Left out, it is that of the argument's type over a mesh
            with explicit axes.
        out_axes: The dimension in which the shards of a result are joined, None where they are equal; one for all, or a
            container of them.
        axis_name: The axis of the mesh of `olympus.set_mesh` that is manual in `f`.

    Returns:
        A function of whole arrays; within `f` the other axes can be mapped by further calls.

    Raises:
        ArgumentError: When dimensions and arguments do not fit.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> with olympus.set_mesh(olympus.make_mesh((8,), ("x",))):
        ...     print(olympus.smap(lambda x: olympus.lax.psum(x, "x"), in_axes=0, out_axes=None, axis_name="x")(
        ...         jnp.arange(8)))
        [28]
    """
    if f is None:
        return functools.partial(smap, in_axes=in_axes, out_axes=out_axes, axis_name=axis_name)
    function_given("smap", f)
    is_tuple = type(in_axes) is tuple
    if not (is_tuple or in_axes is None or isinstance(in_axes, (int, Inferred))) or isinstance(in_axes, bool):
        raise ArgumentError("smap", "in_axes is no dimension", described(in_axes),
                            "an integer, None, or a tuple with one for each argument")

    def specs(what: str, axes: Any, values: Any) -> Any:
        leaves, structure = tree.flatten(values)
        dimensions = spread("smap", what, axes, values, _is_axis, "a dimension, or None,")
        return tree.unflatten(structure, [
            _spec(what, aval_of(leaf).ndim, axis, axis_name) for leaf, axis in zip(leaves, dimensions, strict=True)])

    @wraps(f)
    @entrance
    def call(*args: Any, **kwargs: Any) -> Any:
        by_position_only("smap", kwargs)
        given = INFER if isinstance(in_axes, Inferred) else specs("in_axes", in_axes, args)
        mapped = shard_map(f, in_specs=given, out_specs=functools.partial(specs, "out_axes", out_axes),
                           axis_names={axis_name})
        return mapped(*args)

    return call


def _is_axis(value: Any) -> bool:
    return value is None or (isinstance(value, int) and not isinstance(value, bool))


def _spec(what: str, ndim: int, axis: int | None, name: str) -> PartitionSpec:
    if axis is None:
        return PartitionSpec()
    if not -ndim <= axis < ndim:
        raise ArgumentError("smap", f"{what} names a dimension that is not there", axis,
                            f"from {-ndim} to {ndim - 1}, or None")
    return PartitionSpec(*[None] * (axis % ndim), name)
