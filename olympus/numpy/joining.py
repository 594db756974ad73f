# SPDX-License-Identifier: Apache-2.0
"""Putting arrays together and taking them apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from olympus_core.errors import ArgumentError, described

from .. import lax
from ..operands import (
    as_array,
    axis_of,
    check_numbers,
    convert,
    element_type,
    integer,
    integers,
    is_sequence,
    shape_of,
)
from ..tracing import aval_of, is_array_like
from ..transforms.jit import api
from ..typing import Array, ArrayLike, DTypeLike
from .creation import asarray, stacked
from .promotion import promote_types_of
from .shapes import atleast_1d, atleast_2d, atleast_3d, ravel

if TYPE_CHECKING:
    from ..signatures import Join, Split

__all__ = [
    "append", "array_split", "block", "column_stack", "concat", "concatenate", "dsplit", "dstack", "hsplit", "hstack",
    "split", "stack", "unstack", "vsplit", "vstack",
]


@api(static=("axis", "dtype"))
def _concatenated(*arrays: ArrayLike, axis: int, dtype: np.dtype | None) -> Any:
    parts, weak = promote_types_of("concatenate", *arrays)
    found = as_array(parts[0]) if len(parts) == 1 else lax.concatenate(parts, axis)
    kind = aval_of(found).dtype if dtype is None else dtype
    return convert(found, kind, weak and dtype is None)


def concatenate(arrays: Sequence[ArrayLike], axis: int | None = 0, dtype: DTypeLike | None = None) -> Array:
    """Puts arrays one after the other along a dimension.

    Args:
        arrays: Arrays of shapes that are equal but for the dimension.
        axis: The dimension; None to join the flat arrays.
        dtype: The element type of the result.

    Returns:
        The joined array.

    Raises:
        ArgumentError: If the shapes do not fit.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.concatenate([jnp.arange(2), jnp.ones(1)])
        Array([0., 1., 1.], dtype=float32)
    """
    parts = _sequence("concatenate", arrays)
    if axis is None:
        parts, axis = [ravel(x) for x in parts], 0
    shapes = [shape_of(x) for x in parts]
    if not shapes[0]:
        raise ArgumentError("concatenate", "arrays of no dimensions cannot be joined", shapes,
                            "arrays with dimensions", "Use stack.")
    d = axis_of("concatenate", axis, len(shapes[0]))
    rest = {(*shape[:d], 0, *shape[d + 1:]) if len(shape) > d else shape for shape in shapes}
    if len(rest) > 1 or len({len(shape) for shape in shapes}) > 1:
        raise ArgumentError("concatenate", "the shapes do not fit", ", ".join(map(str, shapes)),
                            f"shapes that are equal but for axis {d}")
    return _concatenated(*parts, axis=d, dtype=None if dtype is None else element_type("concatenate", dtype))


def _sequence(function: str, arrays: Any) -> list[Any]:
    if not isinstance(arrays, (list, tuple)):
        if not is_array_like(arrays) or not shape_of(arrays):
            raise ArgumentError(function, "a sequence of arrays is needed", described(arrays),
                                "a list, a tuple or an array")
        arrays = [lax.index_in_dim(arrays, i, keepdims=False) for i in range(shape_of(arrays)[0])]
    if not arrays:
        raise ArgumentError(function, "there are no arrays", "none", "one array or more")
    return [asarray(x) if isinstance(x, (list, tuple)) else x for x in arrays]


concat = concatenate


def stack(arrays: Sequence[ArrayLike], axis: int = 0, out: None = None, dtype: DTypeLike | None = None) -> Array:
    """Puts arrays of one shape along a new dimension.

    Args:
        arrays: The arrays.
        axis: The new dimension's index.
        out: Not used: arrays never change.
        dtype: The element type of the result.

    Returns:
        The stacked array.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.stack([jnp.arange(2), jnp.arange(2)]).shape
        (2, 2)
    """
    parts = _sequence("stack", arrays)
    return stacked(parts, axis, None if dtype is None else element_type("stack", dtype))


def unstack(x: ArrayLike, /, *, axis: int = 0) -> tuple[Array, ...]:
    """The parts of an array along a dimension.

    Args:
        x: An array.
        axis: The dimension.

    Returns:
        An array for each index.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.unstack(jnp.arange(2))
        (Array(0, dtype=int32), Array(1, dtype=int32))
    """
    return _unstacked(x, axis=axis_of("unstack", axis, len(shape_of(x))))


@api(static=("axis",))
def _unstacked(x: ArrayLike, axis: int) -> tuple[Any, ...]:
    return tuple(lax.index_in_dim(x, i, axis, keepdims=False) for i in range(shape_of(x)[axis]))


def _joiner(name: str, summary: str, prepare: Any, axis: Any, example: str) -> Join:
    def function(tup: Sequence[ArrayLike], dtype: DTypeLike | None = None) -> Array:
        parts = [prepare(x) for x in _sequence(name, tup)]
        return concatenate(parts, axis(parts), dtype)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        f"{summary}\n\nArgs:\n    tup: Arrays.\n    dtype: The element type of the result.\n\nReturns:\n"
        f"    The joined array.\n\nExample:\n    >>> import olympus.numpy as jnp\n"
        f"    >>> jnp.{name}([jnp.ones(3), jnp.zeros(3)]).shape\n    {example}\n"
    )
    return function


def _as_column(x: Any) -> Any:
    return lax.reshape(x, (-1, 1)) if len(shape_of(x)) < 2 else x


vstack = _joiner("vstack", "Puts arrays below each other.", atleast_2d, lambda parts: 0, "(2, 3)")
hstack = _joiner("hstack", "Puts arrays beside each other.", atleast_1d,
                 lambda parts: 0 if len(shape_of(parts[0])) == 1 else 1, "(6,)")
dstack = _joiner("dstack", "Puts arrays behind each other.", atleast_3d, lambda parts: 2, "(1, 3, 2)")
column_stack = _joiner("column_stack", "Puts arrays of one dimension beside each other as columns.", _as_column,
                       lambda parts: 1, "(3, 2)")


def append(arr: ArrayLike, values: ArrayLike, axis: int | None = None) -> Array:
    """Puts values after an array.

    Args:
        arr: An array.
        values: What to put.
        axis: The dimension; None to join the flat arrays.

    Returns:
        The joined array.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.append(jnp.arange(2), 5)
        Array([0, 1, 5], dtype=int32)
    """
    check_numbers("append", arr, values)
    return concatenate([arr, values], axis)


def block(arrays: Any) -> Array:
    """Puts blocks together: the innermost lists along the last dimension, the next ones along the one before.

    Args:
        arrays: An array, or nested lists of arrays.

    Returns:
        The joined array.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.block([[jnp.ones((2, 2)), jnp.zeros((2, 1))]]).shape
        (2, 3)
    """

    def depth(value: Any) -> int:
        if isinstance(value, (list, tuple)) and not value:
            raise ArgumentError("block", "a list of blocks is empty", described(arrays), "one block or more in each")
        return 1 + max(map(depth, value)) if isinstance(value, (list, tuple)) else 0

    levels = depth(arrays)

    def join(value: Any, level: int) -> Any:
        if not isinstance(value, (list, tuple)):
            return value
        parts = [join(item, level - 1) for item in value]
        ndim = max(levels, *(len(shape_of(p)) for p in parts))
        return concatenate([lax.broadcast_to_rank(as_array(p), ndim) for p in parts], ndim - level)

    return join(arrays, levels) if levels else as_array(arrays)


@api(static=("bounds", "axis"))
def _parts(ary: ArrayLike, bounds: tuple[int, ...], axis: int) -> list[Any]:
    ends = [0, *bounds, shape_of(ary)[axis]]
    return [lax.slice_in_dim(ary, a, b, axis=axis) for a, b in zip(ends, ends[1:], strict=False)]


_MOST_PARTS = 1_000_000  # each is an array of its own: more would fill the memory before the first is there


def _split(function: str, ary: ArrayLike, indices_or_sections: Any, axis: int, even: bool) -> list[Any]:
    d = axis_of(function, axis, len(shape_of(ary)))
    n = shape_of(ary)[d]
    if is_sequence(indices_or_sections):
        bounds = [n + i if i < 0 else i for i in integers(function, indices_or_sections, "an index")]
        return _parts(ary, bounds=tuple(min(max(i, 0), n) for i in bounds), axis=d)
    count = integer(function, indices_or_sections, "the number of parts")
    if count < 1 or (even and n % count):
        raise ArgumentError(function, f"an axis of size {n} does not divide into {count} equal parts", count,
                            f"a divisor of {n}", None if count < 1 else "Use array_split for parts of unequal size.")
    if count > _MOST_PARTS:
        raise ArgumentError(function, "the parts are too many", count, f"at most {_MOST_PARTS:,} parts",
                            "Reshape the array instead, with a dimension for the parts.")
    sizes = [n // count + (i < n % count) for i in range(count)]
    return _parts(ary, bounds=tuple(int(b) for b in np.cumsum(sizes)[:-1]), axis=d)


def split(ary: ArrayLike, indices_or_sections: int | Sequence[int], axis: int = 0) -> list[Array]:
    """Takes an array apart along a dimension.

    Args:
        ary: An array.
        indices_or_sections: The number of equal parts, or the indices at which parts begin.
        axis: The dimension.

    Returns:
        The parts.

    Raises:
        ArgumentError: If equal parts are not possible.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.split(jnp.arange(4), 2)
        [Array([0, 1], dtype=int32), Array([2, 3], dtype=int32)]
    """
    return _split("split", ary, indices_or_sections, axis, even=True)


def array_split(ary: ArrayLike, indices_or_sections: int | Sequence[int], axis: int = 0) -> list[Array]:
    """As `split`; the first parts may be larger by one.

    Args:
        ary: An array.
        indices_or_sections: The number of parts, or the indices at which parts begin.
        axis: The dimension.

    Returns:
        The parts.

    Example:
        >>> import olympus.numpy as jnp
        >>> [x.shape for x in jnp.array_split(jnp.arange(5), 2)]
        [(3,), (2,)]
    """
    return _split("array_split", ary, indices_or_sections, axis, even=False)


def _splitter(name: str, axis: int) -> Split:
    def function(ary: ArrayLike, indices_or_sections: int | Sequence[int]) -> list[Array]:
        d = 0 if name == "hsplit" and len(shape_of(ary)) == 1 else axis
        return _split(name, ary, indices_or_sections, d, even=True)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        f"As `split`, along dimension {axis}.\n\nArgs:\n    ary: An array.\n    indices_or_sections: The number of"
        " equal parts, or the indices at which parts begin.\n\nReturns:\n    The parts.\n\nExample:\n"
        f"    >>> import olympus.numpy as jnp\n    >>> len(jnp.{name}(jnp.ones((2, 2, 2)), 2))\n    2\n"
    )
    return function


vsplit, hsplit, dsplit = _splitter("vsplit", 0), _splitter("hsplit", 1), _splitter("dsplit", 2)
