"""Running folds with any associative function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from olympus_core.errors import ArgumentError, described

from .. import tree
from ..tracing import aval_of
from ..tracing.tracebacks import entrance
from . import structure
from .operands import axis_of, function_of, shape_of
from .slicing import slice_in_dim

__all__ = ["associative_scan"]


@entrance
def associative_scan(function: Callable[[Any, Any], Any], elems: Any, reverse: bool = False, axis: int = 0) -> Any:
    """The folds up to each element, in a number of steps that grows with the logarithm of the size.

    Args:
        function: An associative function of two trees of arrays, which it combines index by index.
        elems: A tree of arrays that are equally long along the dimension.
        reverse: Whether to go from the last element to the first.
        axis: The dimension.

    Returns:
        A tree of the same structure.

    Example:
        >>> import numpy as np
        >>> from olympus import lax
        >>> lax.associative_scan(lax.add, np.arange(4))
        Array([0, 1, 3, 6], dtype=int32)
    """
    function_of("associative_scan", function, "the first argument")
    leaves, treedef = tree.flatten(elems)
    if not leaves:
        raise ArgumentError("associative_scan", "there are no arrays", described(elems), "one array or more")
    axes = [axis_of("associative_scan", axis, len(shape_of(x))) for x in leaves]
    sizes = {shape_of(x)[d] for x, d in zip(leaves, axes, strict=True)}
    if len(sizes) != 1:
        raise ArgumentError("associative_scan", "the arrays differ in length", sorted(sizes), "equal lengths")

    def combine(left: list[Any], right: list[Any]) -> list[Any]:
        found, structure_found = tree.flatten(function(tree.unflatten(treedef, left), tree.unflatten(treedef, right)))
        if structure_found != treedef or [shape_of(x) for x in found] != [shape_of(x) for x in left]:
            raise ArgumentError("associative_scan", "the function's result is not like its arguments",
                                ", ".join(repr(aval_of(x)) for x in found), ", ".join(repr(aval_of(x)) for x in left))
        return found

    def reversed_(arrays: list[Any]) -> list[Any]:
        return [structure.rev(x, (d,)) for x, d in zip(arrays, axes, strict=True)]

    results = _scan(combine, reversed_(leaves) if reverse else leaves, axes, sizes.pop())
    return tree.unflatten(treedef, reversed_(results) if reverse else results)


def _scan(
    combine: Callable[[list[Any], list[Any]], list[Any]], arrays: list[Any], axes: list[int], n: int
) -> list[Any]:
    """Folds of neighbours are scanned, half as many; the folds in between are one combination away."""

    def part(source: list[Any], start: int, limit: int, stride: int = 1) -> list[Any]:
        return [slice_in_dim(x, start, limit, stride, d) for x, d in zip(source, axes, strict=True)]

    if n < 2:
        return arrays
    pairs = combine(part(arrays, 0, n - 1, 2), part(arrays, 1, n, 2))
    odd = _scan(combine, pairs, axes, n // 2)
    first = part(arrays, 0, 1)
    if n == 2:
        even = first
    else:
        left = part(odd, 0, (n - 1) // 2)
        even = _joined(first, combine(left, part(arrays, 2, n, 2)), axes)
    return [_interleaved(e, o, d) for e, o, d in zip(even, odd, axes, strict=True)]


def _joined(first: list[Any], second: list[Any], axes: list[int]) -> list[Any]:
    return [structure.concatenate([a, b], d) for a, b, d in zip(first, second, axes, strict=True)]


def _interleaved(even: Any, odd: Any, axis: int) -> Any:
    """Elements of two arrays interleaved; the first may have one more."""
    extra = shape_of(even)[axis] - shape_of(odd)[axis]
    last = None
    if extra:
        size = shape_of(odd)[axis]
        last, even = slice_in_dim(even, size, size + 1, axis=axis), slice_in_dim(even, 0, size, axis=axis)
    shape = list(shape_of(odd))
    stacked = structure.concatenate(
        [structure.expand_dims(even, axis + 1), structure.expand_dims(odd, axis + 1)], axis + 1)
    shape[axis] *= 2
    woven = structure.reshape(stacked, shape)
    return woven if last is None else structure.concatenate([woven, last], axis)
