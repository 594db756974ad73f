# SPDX-License-Identifier: Apache-2.0
"""pmap: a function mapped over devices, each process seeing its own part."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, overload

from olympus_core import ops
from olympus_core.config import config
from olympus_core.dtypes import carried_array
from olympus_core.errors import ArgumentError, MappedSizesError, NotSupportedError, described
from olympus_core.placement import Mesh, NamedSharding, PartitionSpec, PmapSharding
from olympus_core.plugin import Device
from olympus_core.program import ArrayType
from olympus_core.runtime import BoundedCache, Signature, get_world
from olympus_core.runtime.transfers import between_devices, from_host

from ..array import Array, host_content, is_concrete
from ..devices import devices_given
from ..shape_dtype import ShapeDtypeStruct
from ..tracing import EVALUATING, Aval, aval_of, bind, current_trace, host_value
from ..tracing.tracebacks import entrance
from ..tracing.wrapping import wraps
from ..trees import inside as tree
from ..trees.kinds import marks_of
from .arguments import function_given, leaf_names, positions
from .batching.vmap import map_indices
from .caches import remembers
from .calls import relabelled
from .context import current_manual_axes
from .jit import Jitted, unhashable
from .prefix import spread
from .shard_map import map_shards
from .stages import Lowered, Traced
from .traces.batching_trace import is_evaluated
from .traces.dimensions import moved

_UNNAMED = "mapped"


P = ParamSpec("P")
Q = ParamSpec("Q")
R = TypeVar("R")
S = TypeVar("S")


class Pmapped(Generic[P, R]):
    """A function mapped over devices; see `pmap`."""

    def __init__(
        self, function: Callable[P, R], axis_name: str | None, in_axes: Any, out_axes: Any,
        static: Sequence[int], donate: Sequence[int], devices: Sequence[Device] | None, axis_size: int | None,
        backend: str | None = None,
    ) -> None:
        functools.update_wrapper(self, function, updated=())  # attributes of a jitted function are not its own
        self._function: Callable[..., Any] = function
        self._axis = axis_name or _UNNAMED
        self._name = getattr(function, "__name__", "function")
        self._in_axes, self._out_axes = in_axes, out_axes
        self._static, self._donate = frozenset(static), frozenset(donate)
        self._devices, self._axis_size, self._backend = devices, axis_size, backend
        self._compiled: BoundedCache[Any, tuple[Jitted[..., Any], list[Any]]] = BoundedCache()
        self._with_names: dict[int, Pmapped[..., R]] = {}
        remembers(self)

    @entrance
    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Calls the function on all devices."""
        if kwargs:
            return self._named(len(args))(*args, kwargs)
        dynamic, leaves, structure, axes = self._flat(args)
        if current_trace() is not EVALUATING:
            return self._traced(args, leaves, structure, axes)
        mesh, local = self._mesh(args, leaves, axes)
        compiled, out = self._known(args, leaves, structure, axes, mesh)
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

    @entrance
    def lower(self, *args: Any, **kwargs: Any) -> Lowered:
        """The program of a call with these arguments, over the devices of all processes.

        Args:
            *args: As in a call; `ShapeDtypeStruct` stands for an array.
            **kwargs: Likewise; their leading dimension is mapped.

        Returns:
            What can be read (`as_text`) and compiled (`compile`), and then called as the function is.
        """
        return self.trace(*args, **kwargs).lower()

    @entrance
    def trace(self, *args: Any, **kwargs: Any) -> Traced:
        """Traces the function for these arguments without running it.

        Args:
            *args: As in a call; `ShapeDtypeStruct` stands for an array.
            **kwargs: Likewise; their leading dimension is mapped.

        Returns:
            The types of arguments and results, and the program over the devices of all processes.
        """
        if kwargs:
            return self._named(len(args)).trace(*args, kwargs)
        dynamic, leaves, structure, axes = self._flat(args)
        mesh, local = self._mesh(args, leaves, axes)
        compiled, out = self._known(args, leaves, structure, axes, mesh)
        wholes = []
        for leaf, axis in zip(leaves, axes, strict=True):
            aval = aval_of(leaf)
            sharding, type_ = _whole(aval, axis, mesh, self._axis)
            wholes.append(ShapeDtypeStruct(type_.shape, type_.dtype, sharding=sharding, weak_type=aval.weak))

        def enter(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
            given = self._flat(args)[1]
            return tuple(_to_global(v, axis, mesh, local, self._axis) for v, axis in zip(
                given, axes, strict=True)), {}

        def leave(results: Any) -> Any:
            out_structure, out_axes = out
            return tree.unflatten(out_structure, [_to_local(r, a, local) for r, a in zip(
                results, out_axes, strict=True)])

        traced = compiled.trace(*wholes)
        out_structure, out_axes = out
        results = [_part(aval, axis, len(local)) for aval, axis in zip(
            tree.leaves(traced.out_avals), out_axes, strict=True)]
        return traced.mapped(enter, leave, tree.structure((tuple(dynamic), {})), list(map(aval_of, leaves)),
                             out_structure, results)

    def _named(self, count: int) -> Pmapped[..., R]:
        """The same of so many positional arguments and of those by name, in one dictionary, mapped in front."""
        found = self._with_names.get(count)
        if found is None:

            @wraps(self._function)
            def function(*given: Any) -> Any:
                return self._function(*given[:-1], **given[-1])

            axes = self._in_axes if isinstance(self._in_axes, (tuple, list)) else (self._in_axes,) * count
            found = self._with_names[count] = Pmapped(
                function, None if self._axis == _UNNAMED else self._axis, (*axes, 0), self._out_axes,
                sorted(self._static), sorted(self._donate), self._devices, self._axis_size, self._backend)
        return found

    def _flat(self, args: tuple[Any, ...]) -> tuple[list[Any], list[Any], Any, list[int | None]]:
        """The arguments that are arrays, their leaves, the structure, and the mapped dimension of each leaf."""
        for i in (*self._static, *self._donate):
            if not 0 <= i < len(args):
                raise ArgumentError("pmap", f"there is no positional argument {i}", f"{len(args)} arguments",
                                    "positions of the call's arguments, from 0")
        dynamic = [a for i, a in enumerate(args) if i not in self._static]
        leaves, structure = tree.flatten(dynamic)
        return dynamic, leaves, structure, self._leaf_axes(args, dynamic)

    def _known(
        self, args: tuple[Any, ...], leaves: Sequence[Any], structure: Any, axes: Sequence[int | None], mesh: Mesh
    ) -> tuple[Jitted[..., Any], list[Any]]:
        """The function of whole arrays for arguments like these, and what is known of its results."""
        statics = tuple((i, marks_of(args[i]), args[i]) for i in sorted(self._static))
        types = tuple(aval_of(leaf) for leaf in leaves)
        key = (structure, structure.marks, types, tuple(axes), statics, mesh, config.version)
        try:
            found = self._compiled.get(key)
        except TypeError:
            raise unhashable("pmap", [value for _, _, value in statics]) from None
        if found is None:
            found = self._compiled.remember(key, self._compile(args, structure, axes, mesh))
        return found

    @overload
    def __get__(self, instance: None, owner: type | None = None) -> Pmapped[P, R]: ...
    @overload
    def __get__(self: Pmapped[Concatenate[S, Q], R], instance: S, owner: type | None = None) -> Callable[Q, R]: ...
    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else functools.partial(self, instance)

    def clear_cache(self) -> None:
        """Forgets what was traced and compiled."""
        self._compiled.clear()
        self._with_names.clear()

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

    def _size(self, args: tuple[Any, ...], leaves: Sequence[Any], axes: Sequence[int | None]) -> int:
        """The size of the mapped dimensions."""
        found = []
        for number, (leaf, axis) in enumerate(zip(leaves, axes, strict=True)):
            if axis is not None:
                aval = aval_of(leaf)
                if not -aval.ndim <= axis < aval.ndim:
                    raise ArgumentError("pmap", f"{self._names(args)[number]} has no dimension {axis}", repr(aval),
                                        "an array with that dimension",
                                        "Give another dimension in in_axes, or None for what all devices share.")
                found.append((number, aval, axis % aval.ndim, aval.shape[axis]))
        if not found:
            raise ArgumentError("pmap", "at least one argument must be mapped", f"in_axes={self._in_axes}",
                                "one array or more with a mapped dimension", "Give a dimension in in_axes.")
        if len({size for *_, size in found}) > 1:
            names = self._names(args)
            raise MappedSizesError("pmap", [(names[i], repr(aval), axis, size) for i, aval, axis, size in found])
        return found[0][-1]

    def _names(self, args: tuple[Any, ...]) -> list[str]:
        positions = [i for i in range(len(args)) if i not in self._static]
        return leaf_names(self._function, [args[i] for i in positions], {}, positions)

    def _mesh(
        self, args: tuple[Any, ...], leaves: Sequence[Any], axes: Sequence[int | None]
    ) -> tuple[Mesh, list[Device]]:
        """The devices of all processes that are mapped over, and this process's own."""
        size = self._size(args, leaves, axes)
        world = get_world()
        everything = self._all_devices()
        local = [d for d in everything if d.is_addressable]
        if world.process_count > 1 and size != len(local):
            raise ArgumentError(
                "pmap", "each process gives one index for each of its devices", f"a mapped dimension of {size}",
                f"{len(local)}, the number of this process's devices", "Reshape or pad the batch.",
            )
        if size > len(local):
            raise self._too_few(size, len(local))
        chosen = everything if world.process_count > 1 else local[:size]
        self._check_axis_size(len(chosen))
        return Mesh(chosen, (self._axis,)), [d for d in chosen if d.is_addressable]

    def _all_devices(self) -> list[Device]:
        return list(self._devices) if self._devices is not None else list(get_world().devices(self._backend))

    @staticmethod
    def _too_few(size: int, count: int) -> ArgumentError:
        return ArgumentError("pmap", "there are fewer devices than mapped indices", f"a mapped dimension of {size}",
                             f"at most {count}", "Use olympus.vmap or olympus.shard_map, or split the batch.")

    def _check_axis_size(self, size: int) -> None:
        if self._axis_size is not None and self._axis_size != size:
            raise ArgumentError("pmap", "axis_size differs from the mapped dimension over all processes",
                                self._axis_size, str(size))

    def _traced(
        self, args: tuple[Any, ...], leaves: Sequence[Any], structure: Any, axes: Sequence[int | None]
    ) -> Any:
        """The call while another function is traced, where values are those of all processes.

        Within one device's part, in another `pmap` or `shard_map`, the indices are computed together.
        """
        size = self._size(args, leaves, axes)
        if current_manual_axes() is not None:
            return self._together(args, leaves, structure, axes, size)
        everything = self._all_devices()
        if get_world().process_count > 1:
            if is_evaluated(current_trace()):
                raise NotSupportedError(
                    f"Calling pmap({self._name}) inside of vmap or a derivative over several processes",
                    "outside of jit pmap takes this process's part, and they work on one process's devices",
                    "Write pmap around them, as in pmap(vmap(f)), or call all under olympus.jit, which takes the "
                    "whole.")
            if size != len(everything):
                raise ArgumentError(
                    "pmap", "inside of a traced function it takes the values of all processes",
                    f"a mapped dimension of {size}", f"{len(everything)}, the number of devices of all processes")
        if size > len(everything):
            raise self._too_few(size, len(everything))
        self._check_axis_size(size)
        # The axis has one name in all programs, so that several mapped functions may share one.
        mesh = Mesh(everything[:size], (_UNNAMED,))
        mapped, out = self._mapped(args, structure, axes, mesh, _UNNAMED)
        results = mapped(*leaves)
        return tree.unflatten(out[0], results)

    def _together(
        self, args: tuple[Any, ...], leaves: Sequence[Any], structure: Any, axes: Sequence[int | None], size: int
    ) -> Any:
        self._check_axis_size(size)

        def merged(*dynamic: Any) -> Any:
            positional = iter(dynamic)
            return self._function(*(a if i in self._static else next(positional) for i, a in enumerate(args)))

        fronts = [(leaf, False) if axis is None else (moved(leaf, axis % aval_of(leaf).ndim, 0), True)
                  for leaf, axis in zip(leaves, axes, strict=True)]
        positional = tree.unflatten(structure, leaves)
        return map_indices(f"pmap({self._name})", merged, size, fronts, tree.structure((tuple(positional), {})),
                           self._out_axes, self._axis)

    def _compile(
        self, args: tuple[Any, ...], structure: Any, axes: Sequence[int | None], mesh: Mesh
    ) -> tuple[Jitted, list[Any]]:
        mapped, out = self._mapped(args, structure, axes, mesh, self._axis)
        donated = self._donated([a for i, a in enumerate(args) if i not in self._static])
        return Jitted(mapped, donate_argnums=sorted(donated)), out

    def _mapped(
        self, args: tuple[Any, ...], structure: Any, axes: Sequence[int | None], mesh: Mesh, behind: str
    ) -> tuple[Callable[..., Any], list[Any]]:
        """The function of whole flat arrays, and what is known of its results once it was called.

        Args:
            args: The call's arguments.
            structure: The structure of those that are arrays.
            axes: The mapped dimensions of their leaves.
            mesh: The devices.
            behind: The mesh's axis.
        """
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

        name = body.__name__ = f"pmap({self._name})"

        def out_specs(results: Any) -> list[PartitionSpec]:
            return [_spec(r.ndim, axis, behind) for r, axis in zip(results, out[1], strict=True)]

        def mapped(*values: Any) -> Any:
            specs = tuple(_spec(aval_of(v).ndim, axis, behind) for v, axis in zip(values, axes, strict=True))
            return map_shards(body, name, mesh, specs, out_specs, None, False, values, {self._axis: (behind,)})

        mapped.__name__ = name
        return mapped, out


@overload
def pmap(
    fun: Callable[P, R], axis_name: str | None = None, *, in_axes: Any = 0, out_axes: Any = 0,
    static_broadcasted_argnums: int | Sequence[int] = (), devices: Sequence[Device] | None = None,
    backend: str | None = None, axis_size: int | None = None, donate_argnums: int | Sequence[int] = (),
) -> Pmapped[P, R]: ...
@overload
def pmap(
    fun: None = None, axis_name: str | None = None, *, in_axes: Any = 0, out_axes: Any = 0,
    static_broadcasted_argnums: int | Sequence[int] = (), devices: Sequence[Device] | None = None,
    backend: str | None = None, axis_size: int | None = None, donate_argnums: int | Sequence[int] = (),
) -> Callable[[Callable[P, R]], Pmapped[P, R]]: ...
def pmap(
    fun: Callable[..., Any] | None = None, axis_name: str | None = None, *, in_axes: Any = 0, out_axes: Any = 0,
    static_broadcasted_argnums: int | Sequence[int] = (), devices: Sequence[Device] | None = None,
    backend: str | None = None, axis_size: int | None = None, donate_argnums: int | Sequence[int] = (),
) -> Any:
    """Maps a function over devices: index i of the mapped dimensions runs on device i.

    Each process gives and gets the part of its own devices; collectives inside run over the devices of all
    processes. Inside of `jit`, where values are those of all processes, it takes and gives the whole. Inside of another
    `pmap` or of `shard_map` the function has one device, which computes the indices together as under `vmap`.

    Args:
        fun: A function of arrays without the mapped dimension.
        axis_name: Name of the mapped axis, for the collectives of `olympus.lax`.
        in_axes: For each argument (a tree prefix) the dimension that is mapped; None gives every device the whole.
        out_axes: The same for the results; None where they are the same on all devices.
        static_broadcasted_argnums: Positions of the arguments that are Python values.
        devices: The devices of all processes; all of them when left out.
        backend: The platform whose devices are meant when none are given; the preferred one when left out.
        axis_size: The size of the mapped axis over all processes; it follows from the arguments.
        donate_argnums: Positions of the arguments whose memory may be reused.

    Returns:
        The mapped function.

    Raises:
        MappedSizesError: When the mapped dimensions differ in size.
        ArgumentError: When they do not fit the devices.
        DivergenceError: When processes call it with different shapes.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> olympus.pmap(lambda x: olympus.lax.psum(x, "i"), axis_name="i")(jnp.ones(8))
        Array([8., 8., 8., 8., 8., 8., 8., 8.], dtype=float32)
    """
    if fun is None:
        return functools.partial(
            pmap, axis_name=axis_name, in_axes=in_axes, out_axes=out_axes, devices=devices, axis_size=axis_size,
            backend=backend, static_broadcasted_argnums=static_broadcasted_argnums, donate_argnums=donate_argnums,
        )

    function_given("pmap", fun)
    if axis_name is not None and type(axis_name) is not str:
        raise ArgumentError("pmap", "the axis name is not text", described(axis_name), "a name such as 'i'")
    if devices is not None:
        devices = devices_given("pmap", devices)
    return Pmapped(fun, axis_name, in_axes, out_axes, positions("pmap", static_broadcasted_argnums,
                   "static_broadcasted_argnums"), positions("pmap", donate_argnums, "donate_argnums"), devices,
                   axis_size, backend)


def _spread_axes(what: str, prefix: Any, full: Any) -> list[int | None]:
    """One axis for each leaf of `full`, from a tree prefix of axes."""
    return spread("pmap", what, prefix, full, lambda x: x is None or isinstance(x, int), "a dimension, or None,")


def _spec(ndim: int, axis: int | None, name: str) -> PartitionSpec:
    return PartitionSpec() if axis is None else PartitionSpec(*[None] * (axis % ndim), name)


def _squeeze(value: Any, axis: int) -> Any:
    shape = aval_of(value).shape
    position = axis % len(shape)
    return bind(ops.reshape, value, shape=(*shape[:position], *shape[position + 1:]))


def _expand(value: Any, axis: int | None) -> Any:
    if axis is None:
        return value
    shape = aval_of(value).shape
    position = axis % (len(shape) + 1)
    return bind(ops.reshape, value, shape=(*shape[:position], 1, *shape[position:]))


def _to_global(value: Any, axis: int | None, mesh: Mesh, local: Sequence[Device], name: str) -> Array:
    """This process's part as its part of an array over all mapped devices."""
    aval = aval_of(value)
    world = get_world()
    if is_concrete(value):
        value._check_alive()
    sharding, type_ = _whole(aval, axis, mesh, name)
    told = between_devices if is_concrete(value) else from_host
    signature = Signature(type_, sharding, True, aval.weak)
    if axis is None:
        told(type_, sharding)
        host = carried_array(host_value(host_content(value), aval.dtype))
        buffers = [world.client(d).buffer_from_host(host, d) for d in local]
        return Array._make(signature, buffers)
    position = axis % aval.ndim
    if is_concrete(value) and value.sharding == PmapSharding(local, position):
        return relabelled(value, signature)
    told(type_, sharding)
    host = carried_array(host_value(host_content(value), aval.dtype))
    before = (slice(None),) * position
    buffers = [world.client(d).buffer_from_host(host[(*before, slice(i, i + 1))], d) for i, d in enumerate(local)]
    return Array._make(signature, buffers)


def _whole(aval: Aval, axis: int | None, mesh: Mesh, name: str) -> tuple[NamedSharding, ArrayType]:
    """The sharding and type of the array over all mapped devices that one process's part belongs to."""
    if axis is None:
        return NamedSharding(mesh, PartitionSpec()), aval.type
    position = axis % aval.ndim
    shape = tuple(mesh.size if i == position else n for i, n in enumerate(aval.shape))
    return NamedSharding(mesh, _spec(aval.ndim, position, name)), ArrayType(shape, aval.dtype)


def _part(aval: Aval, axis: int | None, count: int) -> Aval:
    """What is known of a result as this process gets it."""
    position = None if axis is None else axis % aval.ndim
    shape = tuple(count if i == position else n for i, n in enumerate(aval.shape))
    return Aval(ArrayType(shape, aval.dtype), aval.weak)


def _to_local(result: Array, axis: int | None, local: Sequence[Device]) -> Array:
    """This process's part of a result, as an array of its own devices."""
    signature = result._signature
    position = None if axis is None else axis % result.ndim
    shape = tuple(len(local) if i == position else n for i, n in enumerate(result.shape))
    sharding = PmapSharding(local, position)
    return Array._make(Signature(ArrayType(shape, result.dtype), sharding, True, signature.weak), result._buffers)
