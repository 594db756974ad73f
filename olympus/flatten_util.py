# SPDX-License-Identifier: Apache-2.0
"""Trees of arrays as one array of one dimension, and back."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.deferred import listed
from olympus_core.errors import ArgumentError, described

from .numpy.creation import array
from .numpy.dtypes import result_type
from .numpy.joining import concatenate
from .numpy.shapes import ravel, reshape
from .operands import convert, dtype_of, shape_of
from .trees.functions import flatten, unflatten
from .trees.treedef import TreeDef
from .typing import Array

__all__ = ["ravel_pytree"]
__dir__ = listed(__all__)


def ravel_pytree(pytree: Any) -> tuple[Array, Callable[[Array], Any]]:
    """One array of all elements of a tree's arrays, and the function that makes such a tree of such an array.

    Args:
        pytree: A tree of arrays and numbers.

    Returns:
        An array of one dimension, of the element type that all arrays have together, and a function of arrays of that
        shape and type. Where the tree's arrays have different types, each gets its own again.

    Raises:
        ArgumentError: By the function: if what it is given has another shape or element type.

    Example:
        >>> import olympus.numpy as jnp
        >>> flat, unravel = ravel_pytree({"a": jnp.arange(2.0), "b": 5.0})
        >>> flat
        Array([0., 1., 5.], dtype=float32)
        >>> unravel(2 * flat)["b"]
        Array(10., dtype=float32)
    """
    leaves, structure = flatten(pytree)
    if not leaves:
        return array([]), _Unravel(structure, (), (), array([]).dtype)
    kinds = tuple(dtype_of(x) for x in leaves)
    wide = result_type(*leaves)
    flat = concatenate([convert(ravel(x), wide) for x in leaves])
    return flat, _Unravel(structure, tuple(shape_of(x) for x in leaves), kinds, wide)


class _Unravel:
    """Makes the tree; equal ones compare equal, so that a jitted function takes them as static arguments."""

    def __init__(
        self, structure: TreeDef, shapes: tuple[tuple[int, ...], ...], kinds: tuple[np.dtype, ...], wide: np.dtype
    ) -> None:
        self._key = (structure, shapes, kinds, wide)

    def __call__(self, flat: Array) -> Any:
        structure, shapes, kinds, wide = self._key
        sizes = [math.prod(shape) for shape in shapes]
        if shape_of(flat) != (sum(sizes),):
            raise ArgumentError("unravel", "the array does not have the size of the tree",
                                f"shape {shape_of(flat)}", f"shape {(sum(sizes),)}")
        # A tree of one type takes any: its gradient may be of another one.
        mixed = set(kinds) != {wide}
        if mixed and dtype_of(flat) != wide and shapes:
            raise ArgumentError("unravel", "the array has another element type than the tree", dtype_of(flat), wide,
                                f"Convert it with x.astype({wide.name!r}).")
        ends = list(itertools.accumulate(sizes))
        parts = [reshape(flat[end - size:end], shape) for size, end, shape in zip(sizes, ends, shapes, strict=True)]
        if mixed:
            parts = [_real_if(x, kind) for x, kind in zip(parts, kinds, strict=True)]
        return unflatten(structure, parts)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Unravel) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __repr__(self) -> str:
        return f"<unravel to {described(self._key[0])}>"


def _real_if(x: Any, kind: np.dtype) -> Any:
    """An array in its own type again; of a complex one whose own type is real, its real part."""
    return convert(x.real if dtypes.is_complex(dtype_of(x)) and not dtypes.is_complex(kind) else x, kind)
