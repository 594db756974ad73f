# SPDX-License-Identifier: Apache-2.0
"""xmap: a function over named axes, spread over a mesh; each process gives and gets its own part."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, overload

import numpy as np

from olympus_core.errors import ArgumentError, NotSupportedError
from olympus_core.placement import Layout, Mesh, PartitionSpec, Sharding, sharding_of
from olympus_core.program import ArrayType
from olympus_core.runtime import BoundedCache, Signature, place, put_host

from ..array import Array, is_concrete
from ..tracing import EVALUATING, aval_of, current_trace, host_value
from ..tracing.tracebacks import entrance
from ..tracing.wrapping import attributes_of
from ..trees import inside as tree
from .arguments import by_position_only, function_given, leaf_names, positions
from .batching.named import map_named
from .calls import relabelled
from .context import current_mesh
from .jit import Jitted
from .named_axes import NamedDimensions, spread_named
from .shard_map import map_shards
from .traces.batching_trace import is_evaluated


@dataclass(frozen=True, slots=True)
class _Input:
    """One leaf of the arguments: which dimensions are named, where this process's part lies, what the whole is."""

    named: dict[int, str]
    spec: PartitionSpec
    local: Sharding
    whole: Signature


@dataclass(frozen=True, slots=True)
class _Plan:
    """How a call with arguments of certain types runs on a mesh."""

    inputs: list[_Input]
    mapped: Callable[..., Any]
    compiled: Jitted
    local_mesh: Mesh
    outputs: dict[Signature, Signature]


P = ParamSpec("P")
Q = ParamSpec("Q")
R = TypeVar("R")
S = TypeVar("S")


class Xmapped(Generic[P, R]):
    """A function over named axes; see `xmap`."""

    def __init__(
        self, function: Callable[P, R], in_axes: Any, out_axes: Any, sizes: Mapping[str, int],
        resources: Mapping[str, Any], donate: Sequence[int], backend: str | None, mesh: Mesh | None,
    ) -> None:
        functools.update_wrapper(self, function, updated=attributes_of(function))
        self._function, self._name = function, f"xmap({getattr(function, '__name__', type(function).__name__)})"
        self._in_axes, self._out_axes = in_axes, out_axes
        self._sizes = dict(sizes)
        self._resources = {k: (v,) if isinstance(v, str) else tuple(v) for k, v in resources.items()}
        self._donate, self._backend, self._given_mesh = frozenset(donate), backend, mesh
        self._plans: BoundedCache[Any, _Plan] = BoundedCache()

    @entrance
    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Calls the function on this process's part of the arguments."""
        by_position_only("xmap", kwargs)
        mesh = self._mesh()
        leaves, structure = tree.flatten(args)
        for number, leaf in enumerate(leaves):
            if is_concrete(leaf) and not leaf.is_fully_addressable:
                raise ArgumentError(
                    self._name, f"argument leaf {number} has parts in other processes", leaf.sharding,
                    "this process's part of the value",
                    "Take it with olympus.experimental.multihost_utils.global_array_to_host_local_array.")
        avals = [aval_of(leaf) for leaf in leaves]
        # What is traced are the values of all processes: there the mapped function takes and gives the whole.
        is_whole = current_trace() is not EVALUATING
        if is_whole and mesh.is_multi_process and is_evaluated(current_trace()):
            raise NotSupportedError(
                f"{self._name} inside of vmap or a derivative over several processes",
                "outside of jit xmap takes this process's part, and they work on one process's devices",
                "Write xmap around them, as in xmap(vmap(f), ...), or call all under olympus.jit, which takes the "
                "whole.")
        key = (mesh, structure, structure.marks, tuple((a.type, a.weak) for a in avals), is_whole)
        plan = self._plans.get(key)
        if plan is None:
            plan = self._plans.remember(key, self._plan(mesh, args, structure, avals, is_whole))
        if is_whole:
            return plan.mapped(*leaves)
        result = plan.compiled(*(
            _to_whole(leaf, one) for leaf, one in zip(leaves, plan.inputs, strict=True)
        ))
        self._release(args)
        return tree.map(lambda r: _to_local(r, plan), result)

    def _mesh(self) -> Mesh:
        mesh = self._given_mesh if self._given_mesh is not None else current_mesh()
        if mesh is None:
            raise ArgumentError(self._name, "a mesh is needed",
                                fix="Call it under `with olympus.set_mesh(mesh):`, or pass mesh=.")
        if self._backend is not None and any(d.platform != self._backend for d in mesh.flat_devices):
            raise ArgumentError(self._name, "the mesh is on another platform than `backend`", mesh, self._backend)
        return mesh

    def _plan(
        self, mesh: Mesh, args: tuple[Any, ...], structure: Any, avals: Sequence[Any], is_whole: bool
    ) -> _Plan:
        spread = spread_named("in_axes", self._in_axes, args)
        named = [n.of("in_axes", a.ndim) for n, a in zip(spread, avals, strict=True)]
        axes = self._axes(mesh, named)
        local_mesh = mesh if is_whole else _local_mesh(self._name, mesh)
        shares = self._shares(mesh, local_mesh, axes, named, avals, args)
        inputs = []
        for dimensions, aval in zip(named, avals, strict=True):
            spec = _spec(dimensions, axes)
            local = Layout(local_mesh, spec.dims(aval.ndim))
            shape = tuple(mesh.parts(axes[dimensions[i]]) * shares[dimensions[i]] if i in dimensions else n
                          for i, n in enumerate(aval.shape))
            whole = sharding_of(Layout(mesh, spec.dims(aval.ndim)))
            inputs.append(_Input(dimensions, spec, sharding_of(local),
                                 Signature(ArrayType(shape, aval.dtype), whole, True, aval.weak)))

        def body(*parts: Any) -> Any:
            return map_named(self._name, self._function, structure, parts, [one.named for one in inputs],
                             lambda result: self._out_named(result, axes), axes, shares)

        def out_specs(results: Any) -> Any:
            flat, found = tree.flatten(results)
            outputs = self._out_named(results, axes)
            return tree.unflatten(found, [
                _spec(n.of("out_axes", v.ndim), axes) for v, n in zip(flat, outputs, strict=True)])

        def mapped(*values: Any) -> Any:
            specs = tuple(one.spec for one in inputs)
            return map_shards(body, self._name, mesh, specs, out_specs, None, True, values, axes)

        mapped.__name__ = body.__name__ = self._name
        return _Plan(inputs, mapped, Jitted(mapped, donate_argnums=self._donated(args)), local_mesh, {})

    def _axes(self, mesh: Mesh, named: Sequence[dict[int, str]]) -> dict[str, tuple[str, ...]]:
        """The mesh axes behind each axis of the function."""
        defined = dict.fromkeys([*(name for names in named for name in names.values()), *self._sizes])
        for name, behind in self._resources.items():
            if name not in defined:
                raise ArgumentError(self._name, f"axis_resources names axis {name!r}, which no argument has",
                                    self._resources, f"axes among {tuple(defined)}",
                                    "Name it in in_axes, or give its size in axis_sizes.")
            for axis in behind:
                if axis not in mesh.axis_names:
                    raise ArgumentError(self._name, f"axis_resources names {axis!r}, which is no axis of the mesh",
                                        behind, f"axes among {mesh.axis_names}")
        used = [axis for behind in self._resources.values() for axis in behind]
        for axis in used:
            if used.count(axis) > 1:
                raise NotSupportedError(
                    f"{self._name}: mesh axis {axis!r} behind several axes",
                    "each device has one index along each axis", "Give each axis mesh axes of its own.")
        return {name: self._resources.get(name, ()) for name in defined}

    def _shares(
        self, mesh: Mesh, local_mesh: Mesh, axes: Mapping[str, tuple[str, ...]], named: Sequence[dict[int, str]],
        avals: Sequence[Any], args: tuple[Any, ...],
    ) -> dict[str, int]:
        """How many indices of each axis each device has: as many here as in all processes."""
        given: dict[str, list[tuple[str, int, int, str]]] = {name: [] for name in axes}
        whose = "devices" if local_mesh is mesh else "this process's devices"
        texts = leaf_names(self._function, args, {})
        for text, names, aval in zip(texts, named, avals, strict=True):
            for dimension, name in names.items():
                given[name].append((f"dimension {dimension} of {text}", aval.shape[dimension],
                                    local_mesh.parts(axes[name]), whose))
        for name, size in self._sizes.items():
            given[name].append(("axis_sizes", size, mesh.parts(axes[name]), "devices"))
        return {name: self._share(name, axes[name], found) for name, found in given.items()}

    def _share(self, name: str, behind: Sequence[str], given: Sequence[tuple[str, int, int, str]]) -> int:
        for what, size, count, whose in given:
            if size % count:
                raise ArgumentError(self._name, f"axis {name!r} does not fit the mesh", f"size {size} in {what}",
                                    f"a multiple of {count}, the number of {whose} along {tuple(behind)}")
        shares = [size // count for _, size, count, _ in given]
        if len(set(shares)) > 1:
            lines = [f"\n    size {size} in {what}: {share} for each of {count} {whose}"
                     for (what, size, count, whose), share in zip(given, shares, strict=True)]
            raise ArgumentError(self._name, f"axis {name!r} has different sizes", "".join(lines), "one size for all")
        return shares[0]

    def _out_named(self, result: Any, axes: Mapping[str, Any]) -> list[NamedDimensions]:
        found = spread_named("out_axes", self._out_axes, result)
        for named in found:
            for _, name in named.entries:
                if name not in axes:
                    raise ArgumentError(self._name, f"out_axes names axis {name!r}, which no argument has",
                                        repr(self._out_axes), f"axes among {tuple(axes)}")
        return found

    def _donated(self, args: tuple[Any, ...]) -> list[int]:
        if not all(0 <= i < len(args) for i in self._donate):
            raise ArgumentError(self._name, "donate_argnums names an argument that is not there",
                                tuple(self._donate), f"positions from 0 to {len(args) - 1}")
        flags = [i in self._donate for i, arg in enumerate(args) for _ in tree.leaves(arg)]
        return [i for i, flag in enumerate(flags) if flag]

    def _release(self, args: tuple[Any, ...]) -> None:
        for i in self._donate:
            for leaf in tree.leaves(args[i]):
                if is_concrete(leaf):
                    leaf._release(f"it was donated to {self._name}", delete=False)

    @overload
    def __get__(self, instance: None, owner: type | None = None) -> Xmapped[P, R]: ...
    @overload
    def __get__(self: Xmapped[Concatenate[S, Q], R], instance: S, owner: type | None = None) -> Callable[Q, R]: ...
    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else functools.partial(self, instance)

    def __repr__(self) -> str:
        return f"<{self._name}>"


def xmap(
    fun: Callable[P, R], in_axes: Any, out_axes: Any, *, axis_sizes: Mapping[str, int] | None = None,
    axis_resources: Mapping[str, str | Sequence[str]] | None = None, donate_argnums: int | Sequence[int] = (),
    backend: str | None = None, mesh: Mesh | None = None,
) -> Xmapped[P, R]:
    """Maps a function over named axes, whose indices are spread over the axes of a mesh.

    Each process gives and gets the part of its own devices; the mesh and the collectives inside are global. Inside of
    `jit`, where values are those of all processes, it takes and gives the whole.

    A named axis is cut along the mesh axes behind it: its size is a multiple of the number of devices there. Indices
    that share a device, all of them where no mesh axis is behind, are computed together as under `olympus.vmap`.

    Args:
        fun: A function of arrays without the named dimensions; collectives take the axes' names.
        in_axes: For each argument (a tree prefix) which dimensions are named: ``{dimension: name}``, or a list of
            names with None for a dimension without a name and `...` at its end for those that follow.
        out_axes: The same for the results: where the named dimensions stand. An axis that is left out must be one
            along which the result is the same.
        axis_sizes: Sizes, over all processes, of axes; only needed for those that no argument has.
        axis_resources: For each named axis the mesh axis, or the tuple of mesh axes, behind it.
        donate_argnums: Positions of the arguments whose memory may be reused.
        backend: Name of the platform that the mesh must be on.
        mesh: The devices of all processes; the mesh of `set_mesh` or ``with mesh:`` when left out.

    Returns:
        The mapped function.

    Raises:
        ArgumentError: When axes, arguments and the mesh do not fit, or a result varies over an axis that its
            `out_axes` leaves out.
        NotSupportedError: When one mesh axis is behind several axes.
        DivergenceError: When processes call it with different shapes.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> scale = olympus.xmap(lambda x: x / olympus.lax.psum(x, "batch"), in_axes=["batch", ...],
        ...                      out_axes=["batch", ...], axis_resources={"batch": "x"})
        >>> with olympus.make_mesh((8,), ("x",)):
        ...     scale(jnp.ones((8, 2)))[0]
        Array([0.125, 0.125], dtype=float32)
    """
    function_given("xmap", fun)
    donate = positions("xmap", donate_argnums, "donate_argnums")
    return Xmapped(fun, in_axes, out_axes, axis_sizes or {}, axis_resources or {}, donate, backend, mesh)


def _local_mesh(name: str, mesh: Mesh) -> Mesh:
    """This process's devices as a mesh with the same axes."""
    mine = np.array([d.is_addressable for d in mesh.flat_devices]).reshape(mesh.devices.shape)
    if mine.all():
        return mesh
    positions = [sorted(set(indices.tolist())) for indices in np.nonzero(mine)]
    if not mine.any() or math.prod(map(len, positions)) != int(mine.sum()):
        raise ArgumentError(
            name, "this process's devices are no grid within the mesh", [str(d) for d in mesh.local_devices],
            "one device at each crossing of their indices along the mesh's axes",
            "Make the mesh with olympus.make_mesh, or of the devices in their own order.")
    return Mesh(mesh.devices[np.ix_(*positions)], mesh.axis_names, mesh.axis_types)


def _spec(named: Mapping[int, str], axes: Mapping[str, tuple[str, ...]]) -> PartitionSpec:
    return PartitionSpec(*(axes[named[i]] or None if i in named else None for i in range(max(named, default=-1) + 1)))


def _to_whole(value: Any, one: _Input) -> Array:
    """This process's part as its part of an array over the whole mesh."""
    if not is_concrete(value):
        host = host_value(np.asarray(value), one.whole.type.dtype)
        local = put_host(Array, host, one.local, True, one.whole.weak)
    else:
        value._check_alive()
        local = value if value.sharding == one.local else place(value, one.local)
    return relabelled(local, one.whole)


def _to_local(result: Array, plan: _Plan) -> Array:
    """This process's part of a result, as an array of its own devices."""
    signature = plan.outputs.get(result._signature)
    if signature is None:
        whole = result._signature
        dims = whole.sharding.layout(result.ndim).dims
        local = Layout(plan.local_mesh, dims)
        shape = tuple(n * local.mesh.parts(axes) for n, axes in zip(
            whole.sharding.shard_shape(result.shape), dims, strict=True))
        signature = plan.outputs[whole] = Signature(
            ArrayType(shape, result.dtype), sharding_of(local), True, whole.weak)
    return Array._make(signature, result._buffers)
