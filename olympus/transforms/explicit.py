# SPDX-License-Identifier: Apache-2.0
"""Explicit mode for users: `reshard`, and the borders to and from automatic mode."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from olympus_core.errors import ArgumentError, AxisNotExplicitError
from olympus_core.partition import explicit_layout
from olympus_core.placement import AbstractMesh, AxisType, Mesh, NamedSharding, PartitionSpec, Sharding
from olympus_core.placement.spec import spec_of
from olympus_core.program import OperationRecord

from ..tracing import EVALUATING, aval_of, bind, current_trace
from ..tracing.explicit import current_hidden_axes, hide_axes
from ..tracing.wrapping import wraps
from ..trees import inside as tree
from .constraint import named, placed_in, says_where
from .context import current_manual_axes, current_mesh, set_mesh
from .jit import Jitted
from .prefix import spread


def reshard(xs: Any, out_shardings: Any) -> Any:
    """Brings values to another sharding over explicit axes: the sharding of their type changes.

    Args:
        xs: An array, a traced value, a host value, or a nested container of them.
        out_shardings: A sharding, a `PartitionSpec` (over the mesh of `set_mesh`, or else the mesh that the value's
            type has), or a container of them with the structure of `xs`.

    Returns:
        The same values in that sharding.

    Raises:
        AxisNotExplicitError: When the spec names an axis that is automatic, or manual in the surrounding `shard_map`.
        IndivisibleError: When a dimension does not divide.

    Example:
        >>> import olympus
        >>> from olympus.sharding import AxisType, NamedSharding, PartitionSpec as P
        >>> mesh = olympus.make_mesh((2, 4), ("X", "Y"), axis_types=AxisType.Explicit)
        >>> x = olympus.device_put(olympus.numpy.arange(8), NamedSharding(mesh, P("X")))
        >>> print(olympus.typeof(x), olympus.typeof(olympus.sharding.reshard(x, P("Y"))))
        int32[8@X] int32[8@Y]
    """
    return _each(lambda value, where: _reshard(value, where, "reshard"), xs, out_shardings)


def _each(function: Callable[[Any, Any], Any], x: Any, wanted: Any) -> Any:
    leaves, structure = tree.flatten(x)
    targets = spread("reshard", "the sharding", wanted, x, lambda s: s is None or says_where(s), "a sharding")
    return tree.unflatten(structure, [function(v, s) for v, s in zip(leaves, targets, strict=True)])


def _reshard(value: Any, where: Any, function: str) -> Any:
    aval = aval_of(value)
    if isinstance(where, PartitionSpec) and current_mesh() is None and aval.layout is not None:
        where = NamedSharding(aval.layout.mesh, where)
    sharding = _named(where, function)
    types = axis_types(sharding.mesh)
    for axes in sharding.spec.dims(len(sharding.spec)):
        for axis in axes:
            if types[axis] is not AxisType.Explicit:
                raise AxisNotExplicitError(function, repr(aval), _text(sharding), axis, repr(types[axis]))
    return placed_in(value, sharding)


def _named(where: Any, function: str) -> NamedSharding:
    sharding = named(where, function)
    if not isinstance(sharding, NamedSharding):
        raise ArgumentError(function, "a NamedSharding or a PartitionSpec is needed", repr(sharding),
                            fix="To place a value on one device, write olympus.device_put(x, device).")
    return sharding


def _text(sharding: NamedSharding) -> str:
    return f"P({', '.join(map(repr, sharding.spec))})"


def axis_types(mesh: Mesh | AbstractMesh) -> dict[str, AxisType]:
    """How shardings over each axis of a mesh come about at this point of the program."""
    manual, hidden = current_manual_axes(), current_hidden_axes()
    types = {}
    for axis, kind in zip(mesh.axis_names, mesh.axis_types, strict=True):
        if manual is not None and axis in manual.axes:
            kind = AxisType.Manual
        elif axis in hidden and kind is AxisType.Explicit:
            kind = AxisType.Auto
        types[axis] = kind
    return types


def get_abstract_mesh() -> AbstractMesh:
    """The axes of the mesh in use, with the types that they have at this point of the program.

    Returns:
        Inside of `shard_map` its axes are manual, inside of `auto_axes` automatic; without a mesh one without axes.

    Example:
        >>> import olympus
        >>> with olympus.set_mesh(olympus.make_mesh((8,), ("x",))):
        ...     olympus.sharding.get_abstract_mesh()
        AbstractMesh('x': 8)
    """
    mesh, manual = current_mesh(), current_manual_axes()
    if manual is not None and (mesh is None or mesh.shape_tuple != manual.mesh_shape):
        names = tuple(name for name, _ in manual.mesh_shape)
        kinds = tuple(AxisType.Manual if name in manual.axes else AxisType.Auto for name in names)
        return AbstractMesh(tuple(size for _, size in manual.mesh_shape), names, kinds)
    if mesh is None:
        return AbstractMesh((), ())
    return AbstractMesh(mesh.axis_sizes, mesh.axis_names, tuple(axis_types(mesh).values()))


def auto_axes(
    f: Callable[..., Any] | None = None, /, *, axes: str | Sequence[str] | None = None, out_sharding: Any = None
) -> Any:
    """Lets a function of explicitly sharded arrays be split automatically; only its result's sharding is said.

    Args:
        f: A function of arrays.
        axes: The explicit axes that are automatic inside; all when left out.
        out_sharding: The sharding of the result, or of each result: a `PartitionSpec` or a sharding. May also be
            given in the call.

    Returns:
        The function; takes `out_sharding` as a further keyword.

    Raises:
        ArgumentError: When no sharding is said for the result.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> from olympus.sharding import AxisType, NamedSharding, PartitionSpec as P
        >>> mesh = olympus.make_mesh((8,), ("X",), axis_types=AxisType.Explicit)
        >>> x = olympus.device_put(jnp.ones((8, 8)), NamedSharding(mesh, P("X")))
        >>> product = olympus.sharding.auto_axes(lambda a, b: a.T @ b)
        >>> print(olympus.typeof(product(x, x, out_sharding=P(None, "X"))))
        float32[8,8@X]
    """
    if f is None:
        return functools.partial(auto_axes, axes=axes, out_sharding=out_sharding)
    name = f"auto_axes({getattr(f, '__name__', type(f).__name__)})"
    chosen = _several(axes)

    def mapped(wanted: _Shardings, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        mesh = _mesh_of([*args, kwargs], wanted.leaves)
        hidden = chosen if chosen is not None else () if mesh is None else mesh.axis_names
        with hide_axes(hidden):
            result = f(*args, **kwargs)
        return _each(lambda value, s: placed_in(value, _over(mesh, s, name)), result, wanted.whole())

    return _as_call(f, mapped, name, "out_sharding", out_sharding)


def explicit_axes(
    f: Callable[..., Any] | None = None, /, *, axes: str | Sequence[str] | None = None, in_sharding: Any = None
) -> Any:
    """Makes automatic axes explicit inside of a function; outside, its results are split automatically again.

    Args:
        f: A function of arrays.
        axes: The automatic axes of the mesh of `set_mesh` that are explicit inside; all when left out.
        in_sharding: The sharding of the arguments, or of each argument. May also be given in the call.

    Returns:
        The function; takes `in_sharding` as a further keyword.

    Raises:
        ArgumentError: When no sharding is said for the arguments, or there is no mesh.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> from olympus.sharding import PartitionSpec as P
        >>> def show(x):
        ...     print(olympus.typeof(x))
        ...     return x
        >>> with olympus.set_mesh(olympus.make_mesh((8,), ("X",))):
        ...     y = olympus.sharding.explicit_axes(show)(jnp.ones((8, 2)), in_sharding=P("X"))
        float32[8@X,2]
    """
    if f is None:
        return functools.partial(explicit_axes, axes=axes, in_sharding=in_sharding)
    name = f"explicit_axes({getattr(f, '__name__', type(f).__name__)})"
    chosen = _several(axes)

    def mapped(wanted: _Shardings, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        mesh = _mesh_of([*args, kwargs], wanted.leaves)
        if mesh is None:
            raise ArgumentError(name, "a mesh is needed", fix="Call it under `with olympus.set_mesh(mesh):`.")
        inner = Mesh(mesh.devices, mesh.axis_names, tuple(
            AxisType.Explicit if chosen is None or axis in chosen else kind
            for axis, kind in zip(mesh.axis_names, mesh.axis_types, strict=True)
        ))

        def enter(value: Any, where: Any) -> Any:
            spec = where if isinstance(where, PartitionSpec) else _named(where, name).spec
            # Constrained over the mesh outside, which the program is then split over, and typed over the one inside.
            placed = placed_in(value, NamedSharding(mesh, spec))
            return placed.typed(explicit_layout(NamedSharding(inner, spec).layout(len(placed.shape))))

        def leave(value: Any) -> Any:
            layout = aval_of(value).layout
            if layout is None or layout.mesh is not inner:
                return value
            return placed_in(value, NamedSharding(mesh, spec_of(layout.dims)))

        given = _each(enter, (args, kwargs), wanted.whole())
        with set_mesh(inner):
            result = f(*given[0], **given[1])
        return tree.map(leave, result)

    return _as_call(f, mapped, name, "in_sharding", in_sharding)


def with_out_sharding(out_sharding: Any, function: Callable[..., Any], *operands: Any) -> Any:
    """The keyword `out_sharding` of array functions: the result of the function, in that sharding.

    To be used in functions under `api` (with `out_sharding` static), which keep the compiled call.

    Args:
        out_sharding: A `PartitionSpec` or a sharding; None where it follows from the operands.
        function: A function of the operands.
        *operands: Arrays.
    """
    if out_sharding is None:
        return function(*operands)
    return auto_axes(function, out_sharding=out_sharding)(*operands)


def bind_in(
    out_sharding: Any, record: OperationRecord, *operands: Any, weak: bool | None = None, **attributes: Any
) -> Any:
    """Binds an operation whose result is to be in a sharding that need not follow from the operands.

    Args:
        out_sharding: A `PartitionSpec` or a sharding; None where it follows from the operands.
        record: The operation.
        *operands: As in `bind`.
        weak: As in `bind`.
        **attributes: As in `bind`.
    """
    if out_sharding is None or says_nothing(out_sharding):
        return bind(record, *operands, weak=weak, **attributes)
    run = _bound_once if current_trace() is EVALUATING else _bound
    return run(out_sharding, record, tuple(sorted(attributes.items())), weak, *operands)


def _bound(
    out_sharding: Any, record: OperationRecord, attributes: tuple[tuple[str, Any], ...], weak: bool | None,
    *operands: Any,
) -> Any:
    mesh = _mesh_of(operands, (out_sharding,))
    with hide_axes(() if mesh is None else mesh.axis_names):
        result = bind(record, *operands, weak=weak, **dict(attributes))
    return placed_in(result, _over(mesh, out_sharding, record.name))


_bound_once = Jitted(_bound, static_argnums=(0, 1, 2, 3))


def brought_to(value: Any, out_sharding: Any, function: str) -> Any:
    """A value in the sharding that the keyword `out_sharding` of a function says; as it is for None."""
    if out_sharding is None or says_nothing(out_sharding):
        return value
    return placed_in(value, _over(_mesh_of(value, (out_sharding,)), out_sharding, function))


def says_nothing(sharding: Any) -> bool:
    """Whether it is the sharding that the type of a value has of which nothing is known: over a mesh without axes."""
    return isinstance(sharding, NamedSharding) and not sharding.mesh.axis_names


def _over(mesh: Mesh | None, where: Any, function: str) -> Sharding:
    return NamedSharding(mesh, where) if isinstance(where, PartitionSpec) and mesh is not None else named(
        where, function)


class _Shardings:
    """A nested container of shardings as a static argument: hashable, whatever the container."""

    def __init__(self, wanted: Any) -> None:
        leaves, self.structure = tree.flatten(wanted, is_leaf=says_where)
        self.leaves = tuple(leaves)

    def whole(self) -> Any:
        """The container."""
        return tree.unflatten(self.structure, self.leaves)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Shardings) and (self.leaves, self.structure) == (other.leaves, other.structure)

    def __hash__(self) -> int:
        return hash((self.leaves, self.structure))


def _as_call(f: Callable[..., Any], mapped: Callable[..., Any], name: str, keyword: str, default: Any) -> Any:
    """The function that users call: evaluated, as one compiled program, so that all of it is traced in its mode."""
    mapped.__name__ = name
    compiled = Jitted(mapped, static_argnums=(0,))

    @wraps(f)
    def call(*args: Any, **kwargs: Any) -> Any:
        wanted = kwargs.pop(keyword, default)
        if wanted is None:
            raise ArgumentError(name, f"{keyword} is needed", fix=f"Pass {keyword}=olympus.P(...), also in the call.")
        run = compiled if current_trace() is EVALUATING else mapped
        return run(_Shardings(wanted), args, kwargs)

    return call


def _several(axes: str | Sequence[str] | None) -> tuple[str, ...] | None:
    return None if axes is None else (axes,) if isinstance(axes, str) else tuple(axes)


def _mesh_of(values: Any, shardings: Sequence[Any]) -> Mesh | None:
    """The mesh that specs are over: of a sharding, of a value's type, or the one in use."""
    for sharding in shardings:
        if isinstance(sharding, NamedSharding):
            return sharding.mesh
    for leaf in tree.leaves(values):
        layout = aval_of(leaf).layout
        if layout is not None:
            return layout.mesh
    return current_mesh()
