"""pmap: a function mapped over devices, each process seeing its own part. See document 004."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from olympus_core import ops
from olympus_core.config import config
from olympus_core.errors import ArgumentError, NotSupportedError
from olympus_core.placement import Mesh, NamedSharding, PartitionSpec, PmapSharding
from olympus_core.plugin import Device
from olympus_core.program import ArrayType
from olympus_core.runtime import Recent, Signature, get_world

from .. import tree
from ..array import Array, is_concrete
from ..tracing import EVALUATING, aval_of, bind, current_trace, host_value
from .calls import relabelled
from .jit import Jitted, unhashable
from .prefix import spread
from .shard_map import shard_map

_UNNAMED = "mapped"


class Pmapped:
    """A function mapped over devices; see `pmap`."""

    def __init__(
        self, function: Callable[..., Any], axis_name: str | None, in_axes: Any, out_axes: Any,
        static: Sequence[int], donate: Sequence[int], devices: Sequence[Device] | None, axis_size: int | None,
    ) -> None:
        functools.update_wrapper(self, function)
        self._function, self._axis = function, axis_name or _UNNAMED
        self._name = getattr(function, "__name__", "function")
        self._in_axes, self._out_axes = in_axes, out_axes
        self._static, self._donate = frozenset(static), frozenset(donate)
        self._devices, self._axis_size = devices, axis_size
        self._compiled: Recent[Any, tuple[Jitted, list[Any]]] = Recent()

    def __call__(self, *args: Any) -> Any:
        """Calls the function on all devices."""
        if current_trace() is not EVALUATING:
            raise NotSupportedError(f"Calling the mapped function {self._name} while another function is traced",
                                    "pmap takes and gives each process's own part", "Use olympus.shard_map there.")
        for i in (*self._static, *self._donate):
            if not 0 <= i < len(args):
                raise ArgumentError("pmap", f"there is no positional argument {i}", f"{len(args)} arguments",
                                    "positions of the call's arguments, from 0")
        statics = tuple((i, type(args[i]), args[i]) for i in sorted(self._static))
        dynamic = [a for i, a in enumerate(args) if i not in self._static]
        leaves, structure = tree.flatten(dynamic)
        axes = self._leaf_axes(args, dynamic)
        mesh, local = self._mesh(leaves, axes)
        types = tuple(aval_of(leaf) for leaf in leaves)
        key = (structure, types, tuple(axes), statics, mesh, config.version)
        try:
            found = self._compiled.get(key)
        except TypeError:
            raise unhashable("pmap", [value for _, _, value in statics]) from None
        if found is None:
            found = self._compiled.remember(key, self._compile(args, structure, axes, mesh))
        compiled, out = found
        global_leaves = [_to_global(v, axis, mesh, local, self._axis) for v, axis in zip(leaves, axes, strict=True)]
        results = compiled(*global_leaves)
        for i in self._donated(dynamic):
            leaf = leaves[i]
            if is_concrete(leaf):
                leaf._release("it was donated to a mapped function", delete=False)
        out_structure, out_axes = out
        return tree.unflatten(
            out_structure, [_to_local(r, axis, local) for r, axis in zip(results, out_axes, strict=True)]
        )

    def _leaf_axes(self, args: tuple[Any, ...], dynamic: Sequence[Any]) -> list[int | None]:
        wanted = self._in_axes
        if isinstance(wanted, (tuple, list)):
            if len(wanted) != len(args):
                raise ArgumentError("pmap", "in_axes needs one entry for each argument", wanted, f"{len(args)} entries")
            wanted = [w for i, w in enumerate(wanted) if i not in self._static]
        return _spread_axes("in_axes", wanted, list(dynamic))

    def _donated(self, dynamic: Sequence[Any]) -> set[int]:
        if not self._donate:
            return set()
        flags: list[bool] = []
        positions = [i for i in range(len(dynamic) + len(self._static)) if i not in self._static]
        for position, value in zip(positions, dynamic, strict=True):
            flags += [position in self._donate] * len(tree.leaves(value))
        return {i for i, flag in enumerate(flags) if flag}

    def _mesh(self, leaves: Sequence[Any], axes: Sequence[int | None]) -> tuple[Mesh, list[Device]]:
        """The devices of all processes that are mapped over, and this process's own."""
        sizes = {}
        for number, (leaf, axis) in enumerate(zip(leaves, axes, strict=True)):
            if axis is not None:
                shape = aval_of(leaf).shape
                if not -len(shape) <= axis < len(shape):
                    raise ArgumentError("pmap", f"argument leaf {number} has no dimension {axis}", shape)
                sizes[number] = shape[axis]
        if not sizes:
            raise ArgumentError("pmap", "at least one argument must be mapped", f"in_axes={self._in_axes}")
        if len(set(sizes.values())) > 1:
            raise ArgumentError("pmap", "the mapped dimensions have different sizes",
                                {f"leaf {n}": size for n, size in sizes.items()}, "one size for all")
        size = next(iter(sizes.values()))
        world = get_world()
        everything = list(self._devices) if self._devices is not None else list(world.devices())
        local = [d for d in everything if d.is_addressable]
        if world.process_count > 1 and size != len(local):
            raise ArgumentError(
                "pmap", "each process gives one index for each of its devices", f"a mapped dimension of {size}",
                f"{len(local)}, the number of this process's devices", "Reshape or pad the batch.",
            )
        if size > len(local):
            raise ArgumentError("pmap", "there are fewer devices than mapped indices", f"a mapped dimension of {size}",
                                f"at most {len(local)}", "Use olympus.shard_map or split the batch.")
        chosen = everything if world.process_count > 1 else local[:size]
        if self._axis_size is not None and self._axis_size != len(chosen):
            raise ArgumentError("pmap", "axis_size differs from the mapped dimension over all processes",
                                self._axis_size, str(len(chosen)))
        return Mesh(chosen, (self._axis,)), [d for d in chosen if d.is_addressable]

    def _compile(
        self, args: tuple[Any, ...], structure: Any, axes: Sequence[int | None], mesh: Mesh
    ) -> tuple[Jitted, list[Any]]:
        out: list[Any] = [None, None]

        def body(*parts: Any) -> list[Any]:
            values = [v if axis is None else _squeeze(v, axis) for v, axis in zip(parts, axes, strict=True)]
            positional = iter(tree.unflatten(structure, values))
            merged = [a if i in self._static else next(positional) for i, a in enumerate(args)]
            result = self._function(*merged)
            flat, out_structure = tree.flatten(result)
            out_axes = _spread_axes("out_axes", self._out_axes, result)
            out[:] = [out_structure, out_axes]
            return [_expand(v, axis) for v, axis in zip(flat, out_axes, strict=True)]

        body.__name__ = f"pmap({self._name})"

        def mapped(*values: Any) -> Any:
            specs = tuple(_spec(aval_of(v).ndim, axis, self._axis) for v, axis in zip(values, axes, strict=True))

            def out_specs(results: Any) -> list[PartitionSpec]:
                ndims = [aval_of(r).ndim for r in results]
                return [_spec(n, axis, self._axis) for n, axis in zip(ndims, out[1], strict=True)]

            return shard_map(body, mesh=mesh, in_specs=specs, out_specs=out_specs, check_vma=False)(*values)

        mapped.__name__ = body.__name__
        donated = self._donated([a for i, a in enumerate(args) if i not in self._static])
        return Jitted(mapped, donate_argnums=sorted(donated)), out


def pmap(
    fun: Callable[..., Any] | None = None, axis_name: str | None = None, *, in_axes: Any = 0, out_axes: Any = 0,
    static_broadcasted_argnums: int | Sequence[int] = (), devices: Sequence[Device] | None = None,
    axis_size: int | None = None, donate_argnums: int | Sequence[int] = (),
) -> Any:
    """Maps a function over devices: index i of the mapped dimensions runs on device i.

    Each process gives and gets the part of its own devices; collectives inside run over the devices of all
    processes.

    Args:
        fun: A function of arrays without the mapped dimension.
        axis_name: Name of the mapped axis, for the collectives of `olympus.lax`.
        in_axes: For each argument (a tree prefix) the dimension that is mapped; None gives every device the whole.
        out_axes: The same for the results; None where they are the same on all devices.
        static_broadcasted_argnums: Positions of the arguments that are Python values.
        devices: The devices of all processes; all of them when left out.
        axis_size: The size of the mapped axis over all processes; it follows from the arguments.
        donate_argnums: Positions of the arguments whose memory may be reused.

    Returns:
        The mapped function.

    Raises:
        ArgumentError: When the mapped dimensions do not fit each other or the devices.
        DivergenceError: When processes call it with different shapes.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> olympus.pmap(lambda x: olympus.lax.psum(x, "i"), axis_name="i")(jnp.ones(8))
        Array([8., 8., 8., 8., 8., 8., 8., 8.], dtype=float32)
    """
    if fun is None:
        return functools.partial(
            pmap, axis_name=axis_name, in_axes=in_axes, out_axes=out_axes, devices=devices, axis_size=axis_size,
            static_broadcasted_argnums=static_broadcasted_argnums, donate_argnums=donate_argnums,
        )

    def several(value: int | Sequence[int]) -> tuple[int, ...]:
        return (value,) if isinstance(value, int) else tuple(value)

    return Pmapped(fun, axis_name, in_axes, out_axes, several(static_broadcasted_argnums), several(donate_argnums),
                   devices, axis_size)


def _spread_axes(what: str, prefix: Any, full: Any) -> list[int | None]:
    """One axis for each leaf of `full`, from a tree prefix of axes."""
    return spread("pmap", what, prefix, full, lambda x: x is None or isinstance(x, int), "a dimension, or None,")


def _spec(ndim: int, axis: int | None, name: str) -> PartitionSpec:
    return PartitionSpec() if axis is None else PartitionSpec(*[None] * (axis % ndim), name)


def _squeeze(value: Any, axis: int) -> Any:
    shape = aval_of(value).shape
    place = axis % len(shape)
    return bind(ops.reshape, value, shape=(*shape[:place], *shape[place + 1:]))


def _expand(value: Any, axis: int | None) -> Any:
    if axis is None:
        return value
    shape = aval_of(value).shape
    place = axis % (len(shape) + 1)
    return bind(ops.reshape, value, shape=(*shape[:place], 1, *shape[place:]))


def _to_global(value: Any, axis: int | None, mesh: Mesh, local: Sequence[Device], name: str) -> Array:
    """This process's part as its part of an array over all mapped devices."""
    aval = aval_of(value)
    world = get_world()
    if is_concrete(value):
        value._check_alive()
    if axis is None:
        sharding = NamedSharding(mesh, PartitionSpec())
        host = host_value(np.asarray(value), aval.dtype)
        buffers = [world.client(d).buffer_from_host(host, d) for d in local]
        return Array._make(Signature(aval.type, sharding, True, aval.weak), buffers)
    place = axis % aval.ndim
    shape = tuple(mesh.size if i == place else n for i, n in enumerate(aval.shape))
    sharding = NamedSharding(mesh, _spec(aval.ndim, place, name))
    signature = Signature(ArrayType(shape, aval.dtype), sharding, True, aval.weak)
    if is_concrete(value) and value.sharding == PmapSharding(local, place):
        return relabelled(value, signature)
    host = host_value(np.asarray(value), aval.dtype)
    before = (slice(None),) * place
    buffers = [world.client(d).buffer_from_host(host[(*before, slice(i, i + 1))], d) for i, d in enumerate(local)]
    return Array._make(signature, buffers)


def _to_local(result: Array, axis: int | None, local: Sequence[Device]) -> Array:
    """This process's part of a result, as an array of its own devices."""
    signature = result._signature
    place = None if axis is None else axis % result.ndim
    shape = tuple(len(local) if i == place else n for i, n in enumerate(result.shape))
    sharding = PmapSharding(local, place)
    return Array._make(Signature(ArrayType(shape, result.dtype), sharding, True, signature.weak), result._buffers)
