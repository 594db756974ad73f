# SPDX-License-Identifier: Apache-2.0
"""shard_map: per-device code, with explicit collectives."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from typing import Any, ParamSpec, TypeVar, overload

from olympus_core.errors import ArgumentError, NotSupportedError, described
from olympus_core.ops import manual, reduce_sum, reshape
from olympus_core.placement import AbstractMesh, Dims, Layout, Mesh, NamedSharding, PartitionSpec
from olympus_core.placement.spec import spec_of
from olympus_core.program import ArrayType, Program

from ..tracing import EVALUATING, Aval, Reference, aval_of, bind, bind_all, current_trace, stage
from ..tracing.explicit import hide_axes
from ..tracing.staging import unwatched
from ..tracing.tracebacks import entrance
from ..tracing.wrapping import wraps
from ..trees import inside as tree
from ..trees.functions import is_tree_node
from .arguments import by_position_only, function_given
from .constraint import placed_in
from .context import ManualAxes, current_manual_axes, current_mesh, use_manual_axes
from .jit import Jitted
from .prefix import spread
from .traces.linearization import run
from .varying import axes_while_tracing, check_outputs, note_inputs


class Inferred:
    """Stands for specs that follow from the arguments' types."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "Infer"


INFER = Inferred()
P = ParamSpec("P")
R = TypeVar("R")


@overload
def shard_map(
    f: Callable[P, R], /, *, mesh: Mesh | None = None, in_specs: Any = INFER, out_specs: Any = None,
    axis_names: str | Iterable[str] | None = None, check_vma: bool = True,
) -> Callable[P, R]: ...
@overload
def shard_map(
    f: None = None, /, *, mesh: Mesh | None = None, in_specs: Any = INFER, out_specs: Any = None,
    axis_names: str | Iterable[str] | None = None, check_vma: bool = True,
) -> Callable[[Callable[P, R]], Callable[P, R]]: ...
def shard_map(
    f: Callable[..., Any] | None = None, /, *, mesh: Mesh | None = None, in_specs: Any = INFER, out_specs: Any = None,
    axis_names: str | Iterable[str] | None = None, check_vma: bool = True,
) -> Any:
    """Maps a function over the shards of its arguments: it sees one device's part, and says itself what to exchange.

    Args:
        f: A function of arrays (or nested containers of them) that have the shape of one shard.
        mesh: The devices; left out, those of the call of `shard_map` around, or the mesh of `set_mesh`.
        in_specs: For each argument (a tree prefix) the `PartitionSpec` that cuts it into shards. May be left out
            where the mesh has explicit axes: then it is that of the argument's type.
        out_specs: For each result the `PartitionSpec` by which the shards make it up; or a function that is given
            the results of `f`, traced, and gives the specs.
        axis_names: The axes that are manual in `f`; all when left out or empty.
        check_vma: Refuse results whose spec leaves out an axis over which they still vary; and in derivatives that `f`
            takes, of a value that all devices share there is one, whose cotangent is the sum of theirs.

    Returns:
        A function of whole arrays. Works alone and inside `jit`, and as a decorator through `functools.partial`.

    Raises:
        ArgumentError: When specs and arguments do not fit, or a result varies over an axis that its spec omits.
        IndivisibleError: When an argument's dimension does not divide.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> from olympus.sharding import PartitionSpec as P
        >>> mesh = olympus.make_mesh((8,), ("x",))
        >>> total = olympus.shard_map(lambda x: olympus.lax.psum(x.sum(), "x"), mesh=mesh, in_specs=P("x"),
        ...                           out_specs=P())
        >>> print(total(jnp.arange(16)))
        120
    """
    if f is None:
        return functools.partial(shard_map, mesh=mesh, in_specs=in_specs, out_specs=out_specs, axis_names=axis_names,
                                 check_vma=check_vma)
    name = getattr(f, "__name__", type(f).__name__)

    function_given("shard_map", f)

    def mapped(*args: Any) -> Any:
        return map_shards(f, name, mesh, in_specs, out_specs, axis_names, check_vma, args)

    mapped = wraps(f)(mapped)
    mapped.__name__ = f"shard_map({name})"
    compiled = Jitted(mapped)

    @wraps(f)
    @entrance
    def call(*args: Any, **kwargs: Any) -> Any:
        return _called(compiled, mapped, args, kwargs)

    return call


def _called(
    compiled: Jitted[..., Any], mapped: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> Any:
    """The call of a mapped function, which holds nothing of this module: it may be pickled."""
    by_position_only("shard_map", kwargs)
    return compiled(*args) if current_trace() is EVALUATING else mapped(*args)


def map_shards(
    f: Callable[..., Any], name: str, mesh: Mesh | None, in_specs: Any, out_specs: Any,
    axis_names: str | Iterable[str] | None, check_vma: bool, args: tuple[Any, ...],
    logical: Mapping[str, tuple[str, ...]] | None = None,
) -> Any:
    """The call of a mapped function as one operation; see `shard_map`.

    Args:
        f: The function.
        name: Its name, for errors.
        mesh: As for `shard_map`, like the following.
        in_specs: Likewise.
        out_specs: Likewise.
        axis_names: Likewise.
        check_vma: Likewise.
        args: What it is called with.
        logical: The names by which `f` knows the axes, each with the mesh axes that it stands for.
    """
    mesh = mesh if mesh is not None else current_mesh()
    if not isinstance(mesh, (Mesh, AbstractMesh)):
        raise ArgumentError("shard_map", "a mesh is needed", described(mesh), "a mesh of olympus.make_mesh",
                            "Pass mesh=, or call under olympus.set_mesh(mesh).")
    axes, bound = _manual_axes(mesh, axis_names)
    leaves, structure = tree.flatten(args)
    references = {i: leaf for i, leaf in enumerate(leaves) if isinstance(leaf, Reference)}
    leaves = [leaf.read() if i in references else leaf for i, leaf in enumerate(leaves)]
    avals = [aval_of(leaf) for leaf in leaves]
    if (in_specs is None or isinstance(in_specs, Inferred)) and mesh.has_explicit_axes:
        specs = [PartitionSpec() if a.layout is None else _along(axes, a.layout.dims) for a in avals]
    else:
        specs = spread_specs("in_specs", None if isinstance(in_specs, Inferred) else in_specs, args)
    in_dims = tuple(
        _dims(mesh, spec, aval.shape, f"in_specs[{i}]", axes)
        for i, (spec, aval) in enumerate(zip(specs, avals, strict=True))
    )
    local = [
        Aval(ArrayType(Layout(mesh, dims).shard_shape(aval.shape), aval.dtype), aval.weak)
        for dims, aval in zip(in_dims, avals, strict=True)
    ]
    out_structure: list[Any] = []
    outside: list[Reference] = []  # references that the function writes and that are no arguments

    def body(*tracers: Any) -> list[Any]:
        note_inputs(tracers, [(*dims, tuple(axes_while_tracing(x))) for x, dims in zip(leaves, in_dims, strict=True)])
        inside = {i: type(reference)(tracers[i]) for i, reference in references.items()}
        result = f(*tree.unflatten(structure, [inside.get(i, tracer) for i, tracer in enumerate(tracers)]))
        outputs, found = tree.flatten(result)
        out_structure[:] = [found]  # the values themselves stay inside
        return [*outputs, *(reference.read() for reference in inside.values())]

    # Along axes that are left out a body is repeated, so that its values' types say nothing of these either.
    names = None if logical is None else tuple(logical.items())
    outer = current_manual_axes()
    before = () if outer is None or outer.mesh_shape != mesh.shape_tuple else outer.typed
    typed = (*before, *axes) if check_vma and logical is None else before
    with use_manual_axes(ManualAxes(mesh.shape_tuple, bound, names, typed, mesh)), hide_axes(mesh.axis_names):
        region, out_avals, captured = stage(body, local, name, references=outside)
    inner = tree.unflatten(out_structure[0], out_avals[:out_structure[0].num_leaves])
    is_function = callable(out_specs) and not is_tree_node(type(out_specs))
    specs_out = out_specs(inner) if is_function else out_specs
    out_leaf_specs = [*spread_specs("out_specs", specs_out, inner), *(specs[i] for i in references)]
    out_leaf_specs += [PartitionSpec()] * len(outside)
    out_avals += [r.content_aval for r in outside]
    out_dims = tuple(
        _dims_of(mesh, spec, aval.ndim, f"out_specs[{i}]", axes)
        for i, (spec, aval) in enumerate(zip(out_leaf_specs, out_avals, strict=True))
    )
    captured = [*captured, *(r.read() for r in outside)]
    parted = {len(out_avals) - len(outside) + i: r for i, r in enumerate(outside) if r.has_parts}
    if check_vma:
        gone = [(*dims, tuple(axes) if i in parted else tuple(spec.unreduced))
                for i, (dims, spec) in enumerate(zip(out_dims, out_leaf_specs, strict=True))]
        check_outputs(name, region, (*in_dims, *(((),) * aval_of(c).ndim for c in captured)), gone, axes, logical)
    sums = {i: spec for i, spec in enumerate(out_leaf_specs) if spec.unreduced or spec.reduced}
    terms = {**_terms(sums, mesh, axes), **dict.fromkeys(parted, tuple(axes))}
    if terms:  # the terms of a sum are stacked along a dimension that the axes split, and summed over it outside
        region, out_dims = _with_terms(region, [*local, *map(aval_of, captured)], out_dims, terms, mesh, name)
    in_dims += tuple(((),) * aval_of(c).ndim for c in captured)
    attributes = {"mesh": mesh, "axes": axes, "in_dims": in_dims, "out_dims": out_dims}
    with unwatched() if outside else nullcontext():  # who watches has seen what is inside
        results = bind_all(manual, [*leaves, *captured], attributes, (region,))
    for i, spec in sums.items():
        total = bind(reduce_sum, results[i], dimensions=(0,)) if spec.unreduced else results[i]
        results[i] = placed_in(total, NamedSharding(mesh, spec))
    written = [*references.values(), *outside]
    own = len(results) - len(written)
    for i, reference in enumerate(written, own):
        reference.write(reference.joined(results[i]) if i in parted else results[i])
    return tree.unflatten(out_structure[0], results[:own])


def _terms(sums: Mapping[int, PartitionSpec], mesh: Mesh, axes: Sequence[str]) -> dict[int, tuple[str, ...]]:
    """The axes over which results are terms of a sum."""
    for i, spec in sums.items():
        if not spec.unreduced <= set(axes):
            raise ArgumentError("shard_map", f"out_specs[{i}] is unreduced over an axis that is not manual", str(spec),
                                f"axes among {tuple(axes)}")
        NamedSharding(mesh, spec)  # refuses axes that are not explicit
    return {i: tuple(axis for axis in axes if axis in spec.unreduced) for i, spec in sums.items() if spec.unreduced}


def _with_terms(
    region: Program, avals: Sequence[Aval], out_dims: tuple[Dims, ...], terms: Mapping[int, tuple[str, ...]],
    mesh: Mesh, name: str,
) -> tuple[Program, tuple[Dims, ...]]:
    """A body whose results have the terms of their sums in a further dimension in front, and the results' dims."""
    def stacked(*values: Any) -> list[Any]:
        outputs = run(region, values)
        return [bind(reshape, v, shape=(1, *aval_of(v).shape)) if i in terms else v for i, v in enumerate(outputs)]

    with hide_axes(mesh.axis_names):
        made, _, _ = stage(stacked, avals, name)
    return made, tuple((terms[i], *dims) if i in terms else dims for i, dims in enumerate(out_dims))


def _manual_axes(mesh: Mesh, names: str | Iterable[str] | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The axes that a call makes manual, and all that are manual in it: those of calls around it, too."""
    outer = current_manual_axes()
    before = outer.axes if outer is not None and outer.mesh_shape == mesh.shape_tuple else ()
    free = tuple(axis for axis in mesh.axis_names if axis not in before)
    chosen = {names} if isinstance(names, str) else set(names or ())
    wanted = chosen or set(free)
    if not wanted <= set(free):
        raise ArgumentError(
            "shard_map", f"axis_names names {sorted(wanted - set(free))}, which cannot be made manual here",
            sorted(wanted), f"axes among {free}", "Name axes of the mesh that are not manual already.",
        )
    return tuple(axis for axis in free if axis in wanted), (*before, *(axis for axis in free if axis in wanted))


def _along(axes: Sequence[str], dims: Sequence[Sequence[str]]) -> PartitionSpec:
    """The spec of a type, as far as it names axes that become manual."""
    return spec_of(tuple(tuple(axis for axis in group if axis in axes) for group in dims))


def spread_specs(what: str, prefix: Any, full: Any) -> list[PartitionSpec]:
    """One spec for each leaf of `full`, from a tree prefix of specs.

    Args:
        what: The parameter's name, for errors.
        prefix: A spec, or a container of specs with the outer structure of `full`.
        full: The values.
    """
    if prefix is None:
        raise ArgumentError("shard_map", f"{what} is needed", "None", "a PartitionSpec for each value",
                            "Give one PartitionSpec for each value; P() is whole.")
    found = spread("shard_map", what, prefix, full, lambda x: isinstance(x, PartitionSpec), "a PartitionSpec")
    if what == "in_specs" and any(spec.unreduced for spec in found):
        raise NotSupportedError(
            "shard_map: in_specs with unreduced axes", "the devices' terms of a sum are not known by their values",
            "Make the sum first with olympus.reshard, or take the terms as an array with one dimension more.")
    return found


def _dims_of(mesh: Mesh, spec: PartitionSpec, ndim: int, what: str, axes: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    if len(spec.canonical) > ndim:
        raise ArgumentError("shard_map", f"{what} has more entries than its value has dimensions",
                            f"{spec} for {ndim} dimensions", fix="Give at most one entry for each dimension.")
    dims = spec.dims(ndim)[:ndim]
    for axis in (a for entry in dims for a in entry):
        if axis not in mesh.axis_names or axis not in axes:
            raise ArgumentError("shard_map", f"{what} names axis {axis!r}, which is not a manual axis of the mesh",
                                str(spec), f"axes among {tuple(axes)}")
    return dims


def _dims(
    mesh: Mesh, spec: PartitionSpec, shape: Sequence[int], what: str, axes: Sequence[str]
) -> tuple[tuple[str, ...], ...]:
    dims = _dims_of(mesh, spec, len(shape), what, axes)
    Layout(mesh, dims).shard_shape(shape)
    return dims


