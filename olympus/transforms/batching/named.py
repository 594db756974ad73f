# SPDX-License-Identifier: Apache-2.0
"""A function over named axes on one device: what `xmap` does with the indices that share it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from olympus_core import ops

from ...tracing import aval_of, bind
from ...trees import inside as tree
from ..named_axes import NamedDimensions
from ..traces.dimensions import reshaped
from .vmap import Later, map_indices


def map_named(
    name: str, function: Callable[..., Any], structure: Any, leaves: Sequence[Any], named: Sequence[Mapping[int, str]],
    out_named: Callable[[Any], list[NamedDimensions]], axes: Mapping[str, tuple[str, ...]], shares: Mapping[str, int],
) -> Any:
    """Calls a function on one device's part of its arguments.

    Args:
        name: The mapped function, for errors.
        function: A function of arrays without the named dimensions.
        structure: The structure of its positional arguments.
        leaves: This device's part of the flat arguments.
        named: For each of them its named dimensions.
        out_named: The named dimensions of the results, given the results.
        axes: The mesh axes behind each name.
        shares: How many indices of each name a device has.

    Returns:
        This device's part of the results, the named dimensions at their positions.
    """
    several = [axis for axis, share in shares.items() if share != 1]
    fronts = [_in_front(leaf, names, several) for leaf, names in zip(leaves, named, strict=True)]
    mapped = [[axis for axis in several if axis in names.values()] for names in named]
    results, found, outputs = _nested(name, function, structure, fronts, mapped, several, out_named, axes, shares)
    placed = [_in_place(value, names, several) for value, names in zip(results, outputs, strict=True)]
    return tree.unflatten(found, placed)


def _nested(
    name: str, function: Callable[..., Any], structure: Any, leaves: Sequence[Any], mapped: Sequence[Sequence[str]],
    several: Sequence[str], out_named: Callable[[Any], list[NamedDimensions]], axes: Mapping[str, tuple[str, ...]],
    shares: Mapping[str, int],
) -> tuple[list[Any], Any, list[NamedDimensions]]:
    """The flat results, dimensions of `several` names in front in their order; their structure and named dimensions."""
    seen: list[Any] = []

    def level(depth: int) -> Callable[..., Any]:
        if depth == len(several):
            def innermost(*values: Any) -> Any:
                result = function(*tree.unflatten(structure, values))
                seen[:] = [tree.structure(result), out_named(result)]
                return result

            return innermost
        axis = several[depth]

        def outer(*values: Any) -> Any:
            flags = [axis in names for names in mapped]
            flat = tree.structure((tuple(values), {}))

            def out_axes() -> Any:
                return tree.unflatten(seen[0], [
                    0 if any(n == axis for _, n in names.entries) else None for names in seen[1]])

            return map_indices(name, level(depth + 1), shares[axis], list(zip(values, flags, strict=True)), flat,
                               Later(out_axes), axis, (), axes[axis])

        return outer

    results = tree.leaves(level(0)(*leaves))
    return results, seen[0], seen[1]


def _in_front(value: Any, named: Mapping[int, str], several: Sequence[str]) -> Any:
    """A value whose dimensions of several indices stand in front, in the order of the names, the other named gone."""
    ndim = aval_of(value).ndim
    where = {name: d for d, name in named.items()}
    front = [where[name] for name in several if name in where]
    rest = [d for d in range(ndim) if d not in named]
    single = [d for d in named if d not in front]
    order = (*front, *rest, *single)
    if order != tuple(range(ndim)):
        value = bind(ops.transpose, value, permutation=order)
    return reshaped(value, aval_of(value).shape[:ndim - len(single)])


def _in_place(value: Any, named: NamedDimensions, several: Sequence[str]) -> Any:
    """The inverse of `_in_front`: named dimensions at their positions."""
    names = [name for _, name in named.entries]
    front = [name for name in several if name in names]
    single = [name for name in names if name not in front]
    shape = aval_of(value).shape
    value = reshaped(value, (*shape, *(1,) * len(single)))
    ndim = len(shape) + len(single)
    positions = named.of("out_axes", ndim)
    position = {name: i for i, name in enumerate(front)} | {name: len(shape) + i for i, name in enumerate(single)}
    rest = iter(range(len(front), len(shape)))
    order = tuple(position[positions[d]] if d in positions else next(rest) for d in range(ndim))
    return value if order == tuple(range(ndim)) else bind(ops.transpose, value, permutation=order)
