"""xmap: a function mapped over named axes of its arguments, each placed along axes of a mesh. See document 004."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from olympus_core import ops
from olympus_core.errors import ArgumentError, NotSupportedError
from olympus_core.placement import Mesh, NamedSharding, PartitionSpec
from olympus_core.program import ArrayType
from olympus_core.runtime import Signature, get_world

from .. import tree
from ..array import Array
from ..tracing import Tracer, aval_of, bind
from .context import current_mesh
from .device_put import device_put
from .jit import Jitted
from .shard_map import shard_map

# The named dimensions of one array: place to name.
Named = Mapping[int, str]


class Xmapped:
    """A function mapped over named axes; see `xmap`."""

    def __init__(
        self, function: Callable[..., Any], in_axes: Any, out_axes: Any, resources: Mapping[str, tuple[str, ...]],
        mesh: Mesh | None,
    ) -> None:
        functools.update_wrapper(self, function)
        self._function, self._in_axes, self._out_axes = function, in_axes, out_axes
        self._resources, self._mesh = dict(resources), mesh
        self._name = f"xmap({getattr(function, '__name__', 'function')})"
        self._compiled: dict[Any, tuple[Callable[..., Any], list[Any]]] = {}

    def __call__(self, *args: Any) -> Any:
        given = self._mesh if self._mesh is not None else current_mesh()
        if given is None:
            raise ArgumentError("xmap", "a mesh is needed", fix="Pass mesh=, or call under olympus.set_mesh(mesh).")
        leaves, structure = tree.flatten(args)
        avals = [aval_of(leaf) for leaf in leaves]
        places = _spread("in_axes", self._in_axes, list(args), [a.ndim for a in avals])
        names = tuple(dict.fromkeys(name for named in places for name in named.values()))
        mesh = _mesh_of_names(given, names, self._resources)
        own = _own_block(mesh)
        key = (mesh, structure, tuple((a.type, a.weak, tuple(n.items())) for a, n in zip(avals, places, strict=True)))
        found = self._compiled.get(key)
        if found is None:
            found = self._compiled[key] = self._compile(structure, places, mesh)
        mapped, out = found
        for number, (aval, named) in enumerate(zip(avals, places, strict=True)):
            _check_sizes(number, aval.shape, named, own)
        if any(isinstance(leaf, Tracer) for leaf in leaves):
            if get_world().process_count > 1:
                raise NotSupportedError("xmap inside of another transformation, in several processes",
                                        "its arguments are each process's own", "Use olympus.shard_map there.")
            results = mapped(*leaves)
        else:
            whole = [_to_global(v, a, n, mesh, own) for v, a, n in zip(leaves, avals, places, strict=True)]
            results = [_to_local(r, n, own) for r, n in zip(mapped(*whole), out[1], strict=True)]
        return tree.unflatten(out[0], results)

    def _compile(
        self, structure: Any, places: Sequence[Named], mesh: Mesh
    ) -> tuple[Callable[..., Any], list[Any]]:
        out: list[Any] = [None, None]
        in_specs = tuple(_spec(named) for named in places)

        def body(*parts: Any) -> list[Any]:
            values = [_without(v, named) for v, named in zip(parts, places, strict=True)]
            result = self._function(*tree.unflatten(structure, values))
            flat, out_structure = tree.flatten(result)
            ndims = [aval_of(v).ndim for v in flat]
            out[:] = [out_structure, _spread("out_axes", self._out_axes, result, ndims, adds=True)]
            return [_with(v, named) for v, named in zip(flat, out[1], strict=True)]

        body.__name__ = self._name

        def mapped(*values: Any) -> Any:
            # The specs of the results are known when the body has been traced.
            return shard_map(body, mesh=mesh, in_specs=in_specs, out_specs=lambda _: [_spec(n) for n in out[1]])(*values)

        mapped.__name__ = self._name
        return Jitted(mapped), out


def xmap(
    fun: Callable[..., Any], in_axes: Any, out_axes: Any, *, axis_resources: Mapping[str, str | Sequence[str]],
    mesh: Mesh | None = None,
) -> Any:
    """Maps a function over named axes: it sees its arguments without them, and its collectives name them.

    Each process gives and gets the part of its own devices; the mesh, and the collectives inside, are global.

    Args:
        fun: A function of arrays without the named dimensions.
        in_axes: For each argument (a tree prefix) the named dimensions: ``{0: "rows"}`` or ``["rows", ...]``.
        out_axes: The same for the results.
        axis_resources: For each name the mesh axis, or axes, along which it lies; its size is theirs.
        mesh: The devices of all processes; the mesh of `set_mesh` when left out.

    Returns:
        The mapped function.

    Raises:
        ArgumentError: When axes, sizes and mesh do not fit each other.
        NotSupportedError: For a name that lies along no mesh axis, or has more indices than its axes have devices.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> mesh = olympus.make_mesh((4, 2), ("x", "y"))
        >>> total = olympus.xmap(lambda v: olympus.lax.psum(v, "i"), in_axes={0: "i"}, out_axes={},
        ...                      axis_resources={"i": ("x", "y")}, mesh=mesh)
        >>> total(jnp.arange(16).reshape(8, 2))
        Array([56, 64], dtype=int32)
    """
    resources = {n: (axes,) if isinstance(axes, str) else tuple(axes) for n, axes in axis_resources.items()}
    return Xmapped(fun, in_axes, out_axes, resources, mesh)


def _is_named(entry: Any) -> bool:
    """Whether an entry of `in_axes` names dimensions, and is not a container of such."""
    if isinstance(entry, Mapping):
        return all(isinstance(place, int) for place in entry)
    return isinstance(entry, (list, tuple)) and bool(entry) and entry[-1] is ...


def _spread(what: str, prefix: Any, full: Any, ndims: Sequence[int], adds: bool = False) -> list[Named]:
    """The named dimensions of each leaf of `full`, from a tree prefix; of results (`adds`) they come on top."""
    flat = _flat_prefix(what, prefix, full)
    return [_named(what, entry, ndim, adds) for entry, ndim in zip(flat, ndims, strict=True)]


def _flat_prefix(what: str, prefix: Any, full: Any) -> list[Any]:
    if _is_named(prefix):
        return [prefix] * len(tree.leaves(full))
    parts, _ = tree.flatten(full, is_leaf=lambda x: x is not full)
    items, _ = tree.flatten(prefix, is_leaf=lambda x: x is not prefix)
    if len(items) != len(parts) or any(item is prefix for item in items):
        raise ArgumentError("xmap", f"{what} has not the structure of the values", prefix, f"{len(parts)} entries",
                            'Write {0: "rows"} or ["rows", ...] for each value, or once for all.')
    return [entry for item, part in zip(items, parts, strict=True) for entry in _flat_prefix(what, item, part)]


def _named(what: str, entry: Any, ndim: int, adds: bool) -> Named:
    pairs = entry.items() if isinstance(entry, Mapping) else [(i, n) for i, n in enumerate(entry[:-1]) if n is not None]
    total = ndim + len(pairs) if adds else ndim
    named = {place + total if place < 0 else place: name for place, name in pairs}
    if len(set(named.values())) != len(pairs) or not all(0 <= place < total for place in named):
        raise ArgumentError("xmap", f"{what} does not fit an array of {total} dimensions", entry,
                            "each name once, each on a dimension that is there")
    return dict(sorted(named.items()))


def _mesh_of_names(mesh: Mesh, names: Sequence[str], resources: Mapping[str, tuple[str, ...]]) -> Mesh:
    """The mesh with one axis for each name, then those along which nothing lies."""
    used: list[str] = []
    for name in names:
        if not resources.get(name):
            raise NotSupportedError(f"The axis {name!r} along no axis of the mesh",
                                    "each index of a named axis is one device, or row of devices",
                                    "Give it an axis in axis_resources.")
        used += resources[name]
    if len(set(used)) != len(used) or set(used) - set(mesh.axis_names):
        raise ArgumentError("xmap", "axis_resources does not fit the mesh", {n: resources[n] for n in names},
                            f"each axis of {mesh.axis_names} at most once")
    rest = [axis for axis in mesh.axis_names if axis not in used]
    sizes = dict(mesh.shape_tuple)
    grid = mesh.devices.transpose([mesh.axis_names.index(axis) for axis in (*used, *rest)])
    shape = [math.prod(sizes[a] for a in resources[n]) for n in names] + [sizes[a] for a in rest]
    return Mesh(grid.reshape(shape), (*names, *(f"{axis} (unused)" for axis in rest)))


def _own_block(mesh: Mesh) -> Mesh:
    """The devices of this process, which must be a block of the mesh, as a mesh with the same axes."""
    own = np.array([d.is_addressable for d in mesh.flat_devices]).reshape(mesh.devices.shape)
    lines = [np.flatnonzero(own.any(tuple(j for j in range(own.ndim) if j != i))) for i in range(own.ndim)]
    if not own.any() or math.prod(map(len, lines)) != own.sum():
        raise ArgumentError("xmap", "this process's devices are no block of the mesh", mesh,
                            "a mesh in which each process owns the same rows of some axes")
    return Mesh(mesh.devices[np.ix_(*lines)], mesh.axis_names)


def _check_sizes(number: int, shape: Sequence[int], named: Named, own: Mesh) -> None:
    for place, name in named.items():
        there = dict(own.shape_tuple)[name]
        if shape[place] == there:
            continue
        if shape[place] and shape[place] % there == 0:
            raise NotSupportedError(f"{shape[place]} indices of axis {name!r} on {there} of this process's devices",
                                    "each device takes one", f"Give argument leaf {number} {there} indices.")
        raise ArgumentError("xmap", f"dimension {place} of argument leaf {number} does not fit axis {name!r}",
                            f"size {shape[place]}", f"size {there}, the number of this process's devices along it")


def _spec(named: Named) -> PartitionSpec:
    return PartitionSpec(*(named.get(i) for i in range(max(named, default=-1) + 1)))


def _without(value: Any, named: Named) -> Any:
    shape = aval_of(value).shape
    return bind(ops.reshape, value, shape=tuple(n for i, n in enumerate(shape) if i not in named))


def _with(value: Any, named: Named) -> Any:
    shape = list(aval_of(value).shape)
    for place in sorted(named):
        shape.insert(place, 1)
    return bind(ops.reshape, value, shape=tuple(shape))


def _to_global(value: Any, aval: Any, named: Named, mesh: Mesh, own: Mesh) -> Array:
    """This process's part as its part of an array over the whole mesh."""
    placed = device_put(value, NamedSharding(own, _spec(named)))
    sizes = dict(mesh.shape_tuple)
    shape = tuple(sizes[named[i]] if i in named else n for i, n in enumerate(aval.shape))
    sharding = NamedSharding(mesh, _spec(named))
    return Array._make(Signature(ArrayType(shape, aval.dtype), sharding, True, aval.weak), list(placed._buffers))


def _to_local(result: Array, named: Named, own: Mesh) -> Array:
    """This process's part of a result, on its own devices."""
    sizes = dict(own.shape_tuple)
    shape = tuple(sizes[named[i]] if i in named else n for i, n in enumerate(result.shape))
    signature = Signature(ArrayType(shape, result.dtype), NamedSharding(own, _spec(named)), True, result.weak_type)
    return Array._make(signature, list(result._buffers))
