# SPDX-License-Identifier: Apache-2.0
"""vmap: a function of one index, for all indices of a dimension at once."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ParamSpec, TypeVar, overload

import numpy as np

from olympus_core.config import config
from olympus_core.errors import ArgumentError, MappedSizesError, UnmappedResultError
from olympus_core.ops import reduce_sum
from olympus_core.program import ArrayType

from ...operands import as_array, integer
from ...tracing import Aval, Reference, aval_of, current_trace, use_trace
from ...tracing.tracebacks import entrance
from ...tracing.wrapping import wraps
from ...trees import inside as tree
from ..arguments import function_given, leaf_names
from ..context import use_mapped_axis
from ..float0 import is_float0
from ..prefix import spread
from ..traces.arithmetic import apply
from ..traces.batching_trace import BatchingTrace
from ..traces.dimensions import moved, repeated
from ..traces.jvp_trace import float0
from .containers import Held, containers, elements_of, held, is_entry, parts_of, results_of, size_of

P = ParamSpec("P")
R = TypeVar("R")


@overload
def vmap(
    fun: Callable[P, R], in_axes: Any = 0, out_axes: Any = 0, axis_name: str | None = None,
    axis_size: int | None = None, spmd_axis_name: str | Sequence[str] | None = None,
    sum_match: bool = False,
) -> Callable[P, R]: ...
@overload
def vmap(
    fun: None = None, in_axes: Any = 0, out_axes: Any = 0, axis_name: str | None = None,
    axis_size: int | None = None, spmd_axis_name: str | Sequence[str] | None = None,
    sum_match: bool = False,
) -> Callable[[Callable[P, R]], Callable[P, R]]: ...
def vmap(
    fun: Callable[..., Any] | None = None, in_axes: Any = 0, out_axes: Any = 0, axis_name: str | None = None,
    axis_size: int | None = None, spmd_axis_name: str | Sequence[str] | None = None,
    sum_match: bool = False,
) -> Any:
    """Maps a function over a dimension: written for one index, it computes all at once.

    Works alone and inside of `jit`, `shard_map`, `pmap` and other `vmap`, and they inside of it.

    Args:
        fun: A function of arrays without the mapped dimension.
        in_axes: For each positional argument (a tree prefix) the dimension that is mapped; None for what all indices
            share. Named arguments are mapped along their first dimension.
        out_axes: The same for the results: where the mapped dimension stands; None for what is the same for all.
        axis_name: Name of the mapped dimension, for the collectives of `olympus.lax`.
        axis_size: Its size; needed where no argument is mapped.
        spmd_axis_name: The mesh axis, or axes, over which the mapped dimension is split: sharding constraints and
            `shard_map` inside leave it so.
        sum_match: Whether a result that differs from index to index is summed where `out_axes` has None.

    Returns:
        The mapped function.

    Raises:
        MappedSizesError: When the mapped dimensions differ in size.
        UnmappedResultError: When a result that differs from index to index has None in `out_axes`, without `sum_match`.
        ArgumentError: When an argument has no such dimension, or none is mapped.
        NotSupportedError: For an operation that cannot be batched.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> olympus.vmap(lambda row, n: row.sum() * n, in_axes=(0, None))(jnp.arange(6).reshape(3, 2), 10)
        Array([10, 50, 90], dtype=int32)
    """
    if fun is None:
        return functools.partial(vmap, in_axes=in_axes, out_axes=out_axes, axis_name=axis_name, axis_size=axis_size,
                                 spmd_axis_name=spmd_axis_name, sum_match=sum_match)
    function_given("vmap", fun)
    name = f"vmap({getattr(fun, '__name__', type(fun).__name__)})"
    mesh_axes = (spmd_axis_name,) if isinstance(spmd_axis_name, str) else tuple(spmd_axis_name or ())

    @wraps(fun)
    @entrance
    def mapped(*args: Any, **kwargs: Any) -> Any:
        if containers:
            return _with_containers(name, fun, in_axes, out_axes, mapping, axis_size, args, kwargs)
        return mapping(fun, in_axes, out_axes, args, kwargs)

    def mapping(fun: Callable[..., Any], in_axes: Any, out_axes: Any, args: Any, kwargs: Any) -> Any:
        leaves, structure = tree.flatten((args, kwargs))
        axes = _entries(name, "in_axes", _for_arguments(in_axes, args), args)
        axes += [0] * (len(leaves) - len(axes))
        references = {i: (leaf, axis) for i, (leaf, axis) in enumerate(zip(leaves, axes, strict=True))
                      if axis is not None and isinstance(leaf, Reference)}
        for i, (reference, _) in references.items():
            leaves[i] = reference.read()
        arguments = _Arguments(name, fun, args, kwargs, leaves, axes)
        size = arguments.size(axis_size)
        return map_indices(name, fun, size, arguments.fronts(), structure, out_axes, axis_name, mesh_axes,
                           sum_match=sum_match, references=references)

    return mapped


class Later:
    """`out_axes` that are known once the function has been called.

    Args:
        known: Gives them then.
    """

    def __init__(self, known: Callable[[], Any]) -> None:
        self.known = known


def _with_containers(
    name: str, fun: Callable[..., Any], in_axes: Any, out_axes: Any, mapping: Callable[..., Any],
    axis_size: int | None, args: tuple[Any, ...], kwargs: dict[str, Any],
) -> Any:
    """A call in which arguments and results may be containers that are mapped in their own way."""
    given = held((args, kwargs))
    leaves, structure = tree.flatten(given)
    out: list[Any] = []  # of results among which there are such: flat, their entries, their structure
    out_parts: list[Any] = []  # dimensions of the arrays that these consist of

    @functools.cache
    def entries() -> list[Any]:
        positional = _entries(name, "in_axes", _for_arguments(in_axes, args), given[0])
        return positional + [0] * (len(leaves) - len(positional))

    def size() -> int | None:
        return axis_size if axis_size is not None else size_of(*parts_of(leaves, entries()))

    def apart(results: Any) -> Any:
        whole = held(results)
        flat, out_structure = tree.flatten(whole)
        if not any(isinstance(leaf, Held) for leaf in flat):
            return results
        out[:] = [flat, _entries(name, "out_axes", out_axes, whole), out_structure]
        outputs: list[Any] = []

        def put(part: Any, axis: Any) -> Any:
            outputs.append(part)
            out_parts.append(axis)
            return part

        results_of(flat, out[1], size(), put)
        return outputs

    def of_parts(*pieces: Any) -> Any:
        inner, named = tree.unflatten(structure, elements_of(leaves, entries(), pieces))
        return apart(fun(*inner, **named))

    @wraps(fun)
    def of_arrays(*inner: Any, **named: Any) -> Any:
        return apart(fun(*inner, **named))

    later = Later(lambda: list(out_parts) if out else out_axes)
    if any(isinstance(leaf, Held) for leaf in leaves):
        parts, axes = parts_of(leaves, entries())
        found = mapping(of_parts, tuple(axes), later, tuple(parts), {})
    else:
        found = mapping(of_arrays, in_axes, later, args, kwargs)
    if not out:
        return found
    remaining = iter(found)
    return tree.unflatten(out[2], results_of(out[0], out[1], size(), lambda part, axis: next(remaining)))


def map_indices(
    name: str, fun: Callable[..., Any], size: int, leaves: Sequence[tuple[Any, bool]], structure: Any, out_axes: Any,
    axis_name: str | None = None, mesh_axes: tuple[str, ...] = (), shared_axes: tuple[str, ...] = (),
    sum_match: bool = False, references: Mapping[int, tuple[Reference, int]] | None = None,
) -> Any:
    """The call of a mapped function.

    Args:
        name: The mapped function, for errors.
        fun: The function.
        size: How many indices there are.
        leaves: Its flat arguments, each with whether the mapped dimension stands in front of it.
        structure: The structure of its positional and named arguments.
        out_axes: As for `vmap`; or `Later`.
        axis_name: As for `vmap`.
        mesh_axes: The mesh axes over which the mapped dimension is split.
        shared_axes: The manual mesh axes that `axis_name` stands for as well.
        sum_match: As for `vmap`.
        references: For arguments that are references the reference, and where the mapped dimension stands in it.
    """
    if config.check_tracer_leaks:
        from ...tracing.leaks import without_leaks

        return without_leaks(getattr(fun, "__name__", name), lambda: _mapped(
            name, fun, size, leaves, structure, out_axes, axis_name, mesh_axes, shared_axes, sum_match, references))
    return _mapped(
        name, fun, size, leaves, structure, out_axes, axis_name, mesh_axes, shared_axes, sum_match, references)[0]


def _mapped(
    name: str, fun: Callable[..., Any], size: int, leaves: Sequence[tuple[Any, bool]], structure: Any, out_axes: Any,
    axis_name: str | None, mesh_axes: tuple[str, ...], shared_axes: tuple[str, ...], sum_match: bool,
    references: Mapping[int, tuple[Reference, int]] | None,
) -> tuple[Any, BatchingTrace]:
    """The same, and the trace."""
    with use_mapped_axis(axis_name, size, shared_axes) as key:
        trace = BatchingTrace(current_trace(), size, key, mesh_axes)
        values = [trace.wrap(value) if is_mapped else value for value, is_mapped in leaves]
        inside: dict[int, Reference] = {}
        with use_trace(trace):
            for i, (reference, _) in (references or {}).items():
                values[i] = inside[i] = type(reference)(values[i])
            args, kwargs = tree.unflatten(structure, values)
            results = fun(*args, **kwargs)
            contents = {i: trace.unwrap(reference.read()) for i, reference in inside.items()}
        trace.close()
    for i, (reference, axis) in (references or {}).items():
        value, is_batched = contents[i]
        reference.write(moved(value if is_batched else repeated(value, size), 0, axis))
    flat, found = tree.flatten(results)
    positions = _entries(name, "out_axes", out_axes.known() if isinstance(out_axes, Later) else out_axes, results)
    outputs = []
    for i, (result, position) in enumerate(zip(flat, positions, strict=True)):
        if is_float0(result):
            outputs.append(_without_tangents(name, result, size, position))
            continue
        value, is_batched = trace.unwrap(result)
        if position is None:
            if is_batched and sum_match:
                value = apply(reduce_sum, value, dimensions=(0,))
            elif is_batched:
                raise UnmappedResultError(name, tree.keystr(tree.flatten_with_path(results)[0][i][0]), axis_name)
            outputs.append(as_array(value))
            continue
        value = value if is_batched else repeated(value, size)
        outputs.append(moved(value, 0, _dimension(name, "out_axes", position, aval_of(value))))
    return tree.unflatten(found, outputs), trace


def _without_tangents(name: str, result: np.ndarray, size: int, position: int | None) -> np.ndarray:
    """Tangents of integers for all indices."""
    if position is None:
        return result
    whole = Aval(ArrayType((size, *result.shape), np.dtype(np.bool_)))
    shape = list(result.shape)
    shape.insert(_dimension(name, "out_axes", position, whole), size)
    return np.zeros(shape, float0)


def _one_of(tangents: np.ndarray, position: int) -> np.ndarray:
    """One index's part of tangents of integers."""
    return np.zeros((*tangents.shape[:position], *tangents.shape[position + 1:]), float0)


class _Arguments:
    """A call's flat arguments and the dimensions that are mapped."""

    def __init__(
        self, name: str, fun: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], leaves: Sequence[Any],
        axes: Sequence[int | None],
    ) -> None:
        self._name, self._leaves = name, leaves
        self._call = fun, args, kwargs
        self._positions: list[int | None] = []
        self._avals: list[Aval | None] = []
        for i, (leaf, axis) in enumerate(zip(leaves, axes, strict=True)):
            if axis is None:
                self._positions.append(None)
                self._avals.append(None)
                continue
            try:
                aval = aval_of(np.broadcast_to(False, leaf.shape) if is_float0(leaf) else leaf)
            except ArgumentError:
                raise ArgumentError(name, f"{self._names()[i]} is not an array", f"{leaf!r} of type "
                                    f"{type(leaf).__name__}", "an array, or None for it in in_axes") from None
            self._avals.append(aval)
            if not -aval.ndim <= axis < aval.ndim:
                fits = f"from {-aval.ndim} to {aval.ndim - 1}" if aval.ndim else "an array with dimensions"
                raise ArgumentError(name, f"{self._names()[i]} has no dimension {axis} to map", repr(aval), fits,
                                    "Give another dimension in in_axes, or None for what all indices share.")
            self._positions.append(axis % aval.ndim)

    def _names(self) -> list[str]:
        return leaf_names(*self._call)

    def size(self, axis_size: int | None) -> int:
        """How many indices there are."""
        found = [(i, position, aval.shape[position]) for i, (position, aval) in enumerate(
            zip(self._positions, self._avals, strict=True)) if position is not None and aval is not None]
        if axis_size is not None:
            axis_size = integer(self._name, axis_size, "axis_size", 0)
        sizes = {size for *_, size in found} | ({axis_size} if axis_size is not None else set())
        if not sizes:
            raise ArgumentError(self._name, "no argument is mapped", "in_axes that are all None, or no arrays",
                                "one mapped array or more", "Map one with in_axes, or give axis_size.")
        if len(sizes) > 1:
            names = self._names()
            raise MappedSizesError(self._name, [
                (names[i], repr(self._avals[i]), position, size) for i, position, size in found], axis_size)
        return integer(self._name, sizes.pop(), "axis_size")

    def fronts(self) -> list[tuple[Any, bool]]:
        """The arguments, the mapped dimension in front of those that have it."""
        return [(leaf, False) if position is None else (_one_of(leaf, position), False) if is_float0(leaf)
                else (moved(leaf, position, 0), True)
                for leaf, position in zip(self._leaves, self._positions, strict=True)]


def _for_arguments(in_axes: Any, args: tuple[Any, ...]) -> Any:
    """A list for the arguments means what a tuple does."""
    return tuple(in_axes) if isinstance(in_axes, list) else in_axes


def _entries(name: str, what: str, prefix: Any, full: Any) -> list[int | None]:
    return spread(name, what, prefix, full, is_entry, "a dimension, or None,")


def _dimension(name: str, what: str, axis: int, aval: Aval) -> int:
    if not -aval.ndim <= axis < aval.ndim:
        raise ArgumentError(name, f"{what} names dimension {axis}, which a result has not", repr(aval),
                            f"from {-aval.ndim} to {aval.ndim - 1}")
    return axis % aval.ndim
