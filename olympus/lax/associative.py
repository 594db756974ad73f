# SPDX-License-Identifier: Apache-2.0
"""Running folds with any associative function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from olympus_core.errors import ArgumentError, described

from ..operands import axis_of, function_of, shape_of
from ..tracing import aval_of
from ..tracing.tracebacks import entrance
from ..transforms.associative import running_folds
from ..trees import inside as tree

R = TypeVar("R")

__all__ = ["associative_scan"]


@entrance
def associative_scan(fn: Callable[[Any, Any], R], elems: Any, reverse: bool = False, axis: int = 0) -> R:
    """The folds up to each element, in a number of steps that grows with the logarithm of the size.

    Args:
        fn: An associative function of two trees of arrays, which it combines elementwise. Its result has arrays of
            the same shapes in the same order; the containers in which they stand may be others.
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
    function_of("associative_scan", fn, "the first argument")
    leaves, treedef = tree.flatten(elems)
    if not leaves:
        raise ArgumentError("associative_scan", "there are no arrays", described(elems), "one array or more")
    axes = [axis_of("associative_scan", axis, len(shape_of(x))) for x in leaves]
    sizes = {shape_of(x)[d] for x, d in zip(leaves, axes, strict=True)}
    if len(sizes) != 1:
        raise ArgumentError("associative_scan", "the arrays differ in length", sorted(sizes), "equal lengths")

    def combine(left: list[Any], right: list[Any]) -> list[Any]:
        found = tree.leaves(fn(tree.unflatten(treedef, left), tree.unflatten(treedef, right)))
        if [shape_of(x) for x in found] != [shape_of(x) for x in left]:
            raise ArgumentError("associative_scan", "the function's result is not like its arguments",
                                ", ".join(repr(aval_of(x)) for x in found), ", ".join(repr(aval_of(x)) for x in left))
        return found

    return tree.unflatten(treedef, running_folds(combine, leaves, axes, sizes.pop(), bool(reverse)))
