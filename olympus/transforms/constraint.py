# SPDX-License-Identifier: Apache-2.0
"""Sharding constraints: where a value shall be, said in the middle of a program."""

from __future__ import annotations

from typing import Any, TypeVar

from olympus_core.errors import ArgumentError, ConstraintMismatchError, ManualConstraintError
from olympus_core.location import user_location
from olympus_core.ops import sharding_constraint
from olympus_core.partition import explicit_layout, format_dims, same_layout
from olympus_core.placement import AbstractMesh, Mesh, NamedSharding, PartitionSpec, Sharding
from olympus_core.runtime import put_host

from ..array import Array, is_concrete
from ..tracing import Aval, aval_of, bind, host_value, is_evaluating
from ..tracing.explicit import visible
from ..trees import inside as tree
from .calls import place
from .context import current_manual_axes, current_mesh, get_mesh
from .prefix import spread

T = TypeVar("T")


def says_where(value: Any) -> bool:
    """Whether the value says where an array is to be: a sharding, a spec, a format."""
    return isinstance(value, (Sharding, PartitionSpec)) or hasattr(value, "sharding_of")


def named(sharding: Any, function: str, value: Any = None) -> Sharding:
    """The sharding that a sharding, a spec (with the mesh in use) or a format stands for.

    Args:
        sharding: What says where an array is to be.
        function: Who asks, for errors.
        value: The array, as far as it is known.
    """
    if hasattr(sharding, "sharding_of"):
        sharding = sharding.sharding_of(function, value)
    mesh: Mesh | None
    if isinstance(sharding, Sharding):
        abstract = sharding.mesh if isinstance(sharding, NamedSharding) else None
        if isinstance(abstract, AbstractMesh) and (mesh := get_mesh()) and mesh.shape_tuple == abstract.shape_tuple:
            mesh = mesh.update(axis_types=abstract.axis_types)  # the axes of the mesh in use: its devices are meant
            return NamedSharding(mesh, sharding.spec, memory_kind=sharding.memory_kind)
        return sharding
    if isinstance(sharding, PartitionSpec):
        mesh = current_mesh()
        if mesh is not None:
            return NamedSharding(mesh, sharding)
        raise ArgumentError(function, "a PartitionSpec alone needs a mesh", repr(sharding), "a NamedSharding",
                            "Write NamedSharding(mesh, spec), or use `with olympus.set_mesh(mesh):`.")
    raise ArgumentError(function, "a sharding is needed", repr(sharding), "a Sharding or a PartitionSpec",
                        "Write NamedSharding(mesh, PartitionSpec(...)).")


def with_sharding_constraint(x: T, shardings: Any) -> T:
    """Says where a value shall be; the partitioner moves it there and plans the rest around it.

    Args:
        x: An array, a traced value, or a nested container of them.
        shardings: A sharding, a `PartitionSpec` under `set_mesh`, None where the value may stay, or a container of
            them with the outer structure of `x`.

    Returns:
        The same values, placed so.

    Raises:
        IndivisibleError: If a dimension of an array does not divide. While a program is traced, such a dimension stays
            whole: the constraint says how values are kept, and changes none.
        ConstraintMismatchError: If the sharding is part of the value's type already, and it is another one.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> sharding = olympus.NamedSharding(olympus.make_mesh((8,), ("x",)), olympus.P("x"))
        >>> f = olympus.jit(lambda x: olympus.lax.with_sharding_constraint(x * 2, sharding))
        >>> f(jnp.arange(16)).sharding.is_equivalent_to(sharding, 1)
        True
    """
    function = "with_sharding_constraint"
    leaves, structure = tree.flatten(x)
    wanted = spread(function, "shardings", shardings, x, lambda s: s is None or says_where(s), "a sharding, or None,")

    def constrain(value: Any, entry: Any) -> Any:
        if entry is None:
            return value
        sharding = named(entry, function, value)
        aval = aval_of(value)
        layout = visible(aval.layout)
        if layout is not None:
            wanted = sharding.layout(aval.ndim)
            if not same_layout(layout, visible(explicit_layout(wanted))):
                raise ConstraintMismatchError(
                    function, repr(Aval(aval.type, aval.weak, layout)), format_dims(wanted.dims)
                )
        return placed_in(value, sharding, where_it_divides=True)

    return tree.unflatten(structure, [constrain(v, s) for v, s in zip(leaves, wanted, strict=True)])


def placed_in(value: Any, sharding: Sharding, where_it_divides: bool = False) -> Any:
    """A value in a sharding, whatever its type says: moved when it is there, constrained while it is traced.

    Args:
        value: The value.
        sharding: Where it is to be.
        where_it_divides: Whether dimensions that do not divide stay whole while a program is traced.
    """
    aval = aval_of(value)
    if is_evaluating():
        placed = place(value, sharding) if is_concrete(value) else put_host(
            Array, host_value(value, aval.dtype), sharding, True, aval.weak)
        placed._committed_at = placed._committed_at or user_location(2)
        return placed
    layout = sharding.layout(aval.ndim)
    if where_it_divides:
        layout = layout.with_dims(tuple(
            axes if count == 1 or size % count == 0 else ()
            for axes, size, count in zip(layout.dims, aval.shape, layout.parts(), strict=True)))
    layout.shard_shape(aval.shape)
    manual = current_manual_axes()
    if manual is not None and manual.mesh_shape == layout.mesh.shape_tuple:
        named_axes = [axis for axes in (*layout.dims, layout.unreduced, layout.reduced) for axis in axes
                      if axis in manual.axes]
        if named_axes:
            raise ManualConstraintError(repr(aval), format_dims(layout.dims), named_axes[0])
    said: dict[str, Any] = {"memory_kind": sharding.memory_kind} if sharding.is_on_host else {}
    said |= {name: axes for name, axes in (("unreduced", layout.unreduced), ("reduced", layout.reduced)) if axes}
    return bind(sharding_constraint, value, mesh=layout.mesh, dims=layout.dims, **said)
