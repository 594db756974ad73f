# SPDX-License-Identifier: Apache-2.0
"""What surrounds a call: the mesh in use and the mesh axes that are manual in the function being traced."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from olympus_core.dataclass import dataclass, replace
from olympus_core.errors import ArgumentError
from olympus_core.placement import AbstractMesh, Mesh

from ..tracing.explicit import in_manual_region
from ..tracing.scopes import EnteredMesh, current_mesh, mesh_in_use

# Of what the mesh's use is part of the key: a call runs elsewhere under `set_mesh` than under ``with mesh:``.
mesh_key: Callable[[], Any] = mesh_in_use.get


def placing_mesh() -> Mesh | None:
    """The mesh of `set_mesh`, if any, on which what is committed nowhere is computed."""
    held = mesh_in_use.get()
    held = held.around if isinstance(held, EnteredMesh) else held
    return held if isinstance(held, Mesh) else None


@dataclass(frozen=True, slots=True)
class ManualAxes:
    """The axes over which the function being traced is written for one device.

    Args:
        mesh_shape: Name and size of all axes of the mesh.
        axes: Those that are manual.
        logical: Where the function knows them by other names: each name and the mesh axes that it stands for.
        typed: Those along which derivatives tell equal values from different ones: of what is the same on all devices
            there is one value, and its cotangent is one.
        mesh: The mesh, which is that of specs without one there.
    """

    mesh_shape: tuple[tuple[str, int], ...]
    axes: tuple[str, ...]
    logical: tuple[tuple[str, tuple[str, ...]], ...] | None = None
    typed: tuple[str, ...] = ()
    mesh: Mesh | AbstractMesh | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The names by which the function knows the axes."""
        return self.axes if self.logical is None else tuple(name for name, _ in self.logical)

    def mesh_axes(self, names: Iterable[str]) -> tuple[str, ...]:
        """The mesh axes that names of the function stand for."""
        if self.logical is None:
            return tuple(names)
        stands_for = dict(self.logical)
        return tuple(axis for name in names for axis in stands_for[name])


_manual: ContextVar[ManualAxes | None] = ContextVar("olympus_manual_axes", default=None)
current_manual_axes = _manual.get


@contextmanager
def _use_names_of(mesh: Mesh | AbstractMesh | None) -> Iterator[None]:
    """Makes a mesh that of specs without one, as ``with mesh:`` does."""
    if mesh is None or mesh is current_mesh():
        yield
        return
    token = mesh_in_use.set(EnteredMesh(mesh, placing_mesh()))
    try:
        yield
    finally:
        mesh_in_use.reset(token)


@contextmanager
def use_manual_axes(manual: ManualAxes) -> Iterator[None]:
    """Declares mesh axes manual while a function is traced; specs without a mesh are over theirs."""
    token, region = _manual.set(manual), in_manual_region.set(True)
    try:
        with _use_names_of(manual.mesh):
            yield
    finally:
        _manual.reset(token)
        in_manual_region.reset(region)


@contextmanager
def use_manual_axes_again(manual: ManualAxes | None) -> Iterator[None]:
    """Declares the axes manual that were so where a rule's function was called, for the rule's own collectives.

    Outside of the region it is not known which values are the same on all devices: each counts as a device's own.
    """
    if manual is None or _manual.get() is not None:
        yield
        return
    with use_manual_axes(replace(manual, typed=())):
        yield


class MappedName(str):
    """What stands for a mapped dimension in the collectives' groups, where else the names of mesh axes stand."""

    __slots__ = ()


@dataclass(frozen=True, slots=True, eq=False)
class MappedAxis:
    """A dimension that `vmap` maps over, and that collectives may name.

    Args:
        name: The name.
        key: What stands for the dimension in the collectives' groups.
        size: How many indices it has.
        mesh_axes: Mesh axes that the name stands for as well: all its indices are theirs times those here.
        inside: The mesh axes that were manual where it began.
    """

    name: str
    key: MappedName
    size: int
    mesh_axes: tuple[str, ...]
    inside: ManualAxes | None


_mapped: ContextVar[tuple[MappedAxis, ...]] = ContextVar("olympus_mapped_axes", default=())


@contextmanager
def use_mapped_axis(name: str | None, size: int, mesh_axes: tuple[str, ...] = ()) -> Iterator[MappedName | None]:
    """Binds the name of a mapped dimension while a function is called; gives what stands for it in groups.

    Args:
        name: The name; None for a dimension without.
        size: How many indices it has.
        mesh_axes: Mesh axes that the name stands for as well.
    """
    if name is None:
        yield None
        return
    outer = _mapped.get()
    key = MappedName(f"vmap({name})" + "'" * sum(axis.name == name for axis in outer))
    token = _mapped.set((*outer, MappedAxis(name, key, size, mesh_axes, _manual.get())))
    try:
        yield key
    finally:
        _mapped.reset(token)


# Of a value: the manual axes over which it varies. The analysis is `varying`'s, which calls nothing until shard_map is
# there: without it nothing varies.
_analysis: list[Callable[[Any], frozenset[str]]] = []


def varying_axes(value: Any) -> frozenset[str]:
    """The manual axes along which devices may hold different values of what is traced here."""
    return _analysis[0](value) if _analysis and _manual.get() is not None else frozenset()


def argument_axes(values: Iterable[Any]) -> list[frozenset[str]] | None:
    """For each value the manual axes over which it varies; None where no axes are typed."""
    manual = _manual.get()
    return None if manual is None or not manual.typed else [varying_axes(value) for value in values]


def shared_axes(value: Any) -> tuple[str, ...]:
    """The typed manual axes along which all devices hold the same value of what is traced here."""
    manual = _manual.get()
    if manual is None or not manual.typed:
        return ()
    varies = varying_axes(value)
    return tuple(axis for axis in manual.typed if axis not in varies)


def bound_axes() -> dict[str, tuple[tuple[str, int], ...]]:
    """The names that collectives may take here, each with the axes, name and size, that it stands for."""
    manual = _manual.get()
    found: dict[str, tuple[tuple[str, int], ...]] = {}
    if manual is not None:
        sizes = dict(manual.mesh_shape)
        found = {name: tuple((a, sizes[a]) for a in manual.mesh_axes((name,))) for name in manual.names}
    for axis in _mapped.get():
        if axis.name in found and manual is not None and axis.name in manual.names and axis.inside is not manual:
            continue  # mesh axes of the same name became manual inside of it
        sizes = dict(manual.mesh_shape) if manual is not None else {}
        found[axis.name] = (*((a, sizes[a]) for a in axis.mesh_axes), (axis.key, axis.size))
    return found


class set_mesh:
    """Makes a mesh the one in use, as a context manager or, when not entered, from here on.

    Specs without a mesh are over it, and what is computed from values that are committed nowhere is on its devices,
    whole on each unless its sharding says more. ``with mesh:`` does the first only.

    Args:
        mesh: The mesh; None for none.

    Raises:
        ArgumentError: For what is no mesh.
        ClosedDevicesError: For a mesh of a job that is over.

    Example:
        >>> import olympus
        >>> mesh = olympus.make_mesh((8,), ("x",))
        >>> with olympus.set_mesh(mesh):
        ...     y = olympus.shard_map(lambda x: x * 2, in_specs=olympus.P("x"), out_specs=olympus.P("x"))(
        ...         olympus.numpy.arange(8))
    """

    def __init__(self, mesh: Mesh | None) -> None:
        if mesh is not None and not isinstance(mesh, Mesh):
            raise ArgumentError("set_mesh", "a mesh is needed", repr(mesh), "an olympus.sharding.Mesh",
                                "Make one with olympus.make_mesh.")
        if mesh is not None:
            mesh.check_open()
        self.mesh = mesh
        self._before: list[Mesh | None] = []
        self._is_pending = True  # set, and not entered yet
        self._outside = mesh_in_use.get()
        mesh_in_use.set(mesh)

    def __enter__(self) -> Mesh | None:
        if self.mesh is not None:
            self.mesh.check_open()
        self._before.append(self._outside if self._is_pending else mesh_in_use.get())
        self._is_pending = False
        mesh_in_use.set(self.mesh)
        return self.mesh

    def __exit__(self, *exc: object) -> None:
        mesh_in_use.set(self._before.pop())


@contextmanager
def use_abstract_mesh(mesh: AbstractMesh) -> Iterator[None]:
    """Makes an abstract mesh the one in use: that of specs without a mesh, with the types that its axes have.

    Where the mesh of `set_mesh` has the same axes, its devices stay in use.

    Args:
        mesh: The mesh, such as `olympus.sharding.get_abstract_mesh()` with other axis types.

    Raises:
        ArgumentError: For what is no abstract mesh.

    Example:
        >>> import olympus
        >>> from olympus.sharding import AxisType, get_abstract_mesh, use_abstract_mesh
        >>> with olympus.set_mesh(olympus.make_mesh((8,), ("x",))):
        ...     with use_abstract_mesh(get_abstract_mesh().update_axis_types({"x": AxisType.Explicit})):
        ...         get_abstract_mesh().explicit_axes
        ('x',)
    """
    if not isinstance(mesh, AbstractMesh):
        raise ArgumentError("use_abstract_mesh", "an abstract mesh is needed", repr(mesh), "an AbstractMesh",
                            "Write mesh.abstract_mesh, or olympus.set_mesh(mesh) for one with devices.")
    held = mesh_in_use.get()
    inner = current_mesh()
    has_its_axes = isinstance(inner, Mesh) and inner.shape_tuple == mesh.shape_tuple
    used = inner.update(axis_types=mesh.axis_types) if has_its_axes else mesh
    token = mesh_in_use.set(held._replace(mesh=used) if isinstance(held, EnteredMesh) else used)
    try:
        yield
    finally:
        mesh_in_use.reset(token)


def get_mesh() -> Mesh | None:
    """The mesh in use, if any.

    Example:
        >>> import olympus
        >>> with olympus.set_mesh(olympus.make_mesh((8,), ("x",))):
        ...     olympus.get_mesh()
        Mesh('x': 8)
    """
    held = current_mesh()
    return held if isinstance(held, Mesh) else None


# A mesh is interned, so that one object may be entered twice: what is to be restored does not lie in it.
_outside: ContextVar[tuple[Any, ...]] = ContextVar("olympus_outside_of_meshes", default=())


def _enter(mesh: Mesh) -> Mesh:
    mesh.check_open()
    _outside.set((*_outside.get(), mesh_in_use.get()))
    mesh_in_use.set(EnteredMesh(mesh, placing_mesh()))
    return mesh


def _exit(mesh: Mesh, *exc: object) -> None:
    *rest, last = _outside.get()
    _outside.set(tuple(rest))
    mesh_in_use.set(last)


# The core knows no mesh in use; ``with mesh:`` gives specs its names, where `set_mesh` says where arrays are, too.
Mesh.__enter__ = _enter  # type: ignore[attr-defined]
Mesh.__exit__ = _exit  # type: ignore[attr-defined]
