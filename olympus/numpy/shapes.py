# SPDX-License-Identifier: Apache-2.0
"""Shapes: reshaping, transposing, broadcasting, flipping."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from olympus_core import ops
from olympus_core.errors import ArgumentError, described

from .. import lax
from ..lax.structure import inferred_shape
from ..operands import (
    as_array,
    axes_of,
    axis_of,
    broadcast,
    broadcast_shape,
    check_broadcast,
    integer,
    integers,
    shape_argument,
    shape_of,
)
from ..tracing import aval_of, bind
from ..transforms.jit import api
from ..typing import Array, ArrayLike, ShardingLike

if TYPE_CHECKING:
    from ..signatures import AtLeast

__all__ = [
    "atleast_1d", "atleast_2d", "atleast_3d", "broadcast_arrays", "broadcast_shapes", "broadcast_to", "expand_dims",
    "flip", "fliplr", "flipud", "matrix_transpose", "moveaxis", "permute_dims", "ravel", "reshape", "rollaxis", "rot90",
    "squeeze", "swapaxes", "transpose",
]


def reshape(
    a: ArrayLike, shape: Sequence[int] | int, order: str = "C", *, copy: bool | None = None,
    out_sharding: ShardingLike | None = None,
) -> Array:
    """The same elements in another shape.

    Args:
        a: An array.
        shape: The shape; one size may be -1 and is found.
        order: ``"C"`` to run through the last dimension first, ``"F"`` through the first.
        copy: Not used: arrays never change.
        out_sharding: How the result is to be sharded.

    Returns:
        The reshaped array.

    Raises:
        ArgumentError: If the shape has another number of elements.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.reshape(jnp.arange(6), (2, -1)).shape
        (2, 3)
    """
    aval = aval_of(a)
    sizes = inferred_shape("reshape", integers("reshape", shape, "the shape"), aval.size, aval.shape)
    if not isinstance(order, str) or order not in ("C", "A", "F"):
        raise ArgumentError("reshape", "the order is not known", described(order), "'C' or 'F'")
    if order == "F":
        transposed = lax.transpose(a, tuple(reversed(range(len(aval.shape)))))
        found = lax.reshape(transposed, tuple(reversed(sizes)))
        return lax.structure.constrained(lax.transpose(found, tuple(reversed(range(len(sizes))))), out_sharding)
    return lax.reshape(a, sizes, out_sharding=out_sharding)


def ravel(a: ArrayLike, order: str = "C", *, out_sharding: ShardingLike | None = None) -> Array:
    """All elements in one dimension.

    Args:
        a: An array.
        order: As in `reshape`.
        out_sharding: How the result is to be sharded.

    Returns:
        The flat array.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.ravel(jnp.ones((2, 3))).shape
        (6,)
    """
    shape = (-1,) if aval_of(a).size else (0,)
    return reshape(a, shape, "C" if isinstance(order, str) and order == "K" else order, out_sharding=out_sharding)


def transpose(a: ArrayLike, axes: Sequence[int] | None = None) -> Array:
    """The dimensions in another order.

    Args:
        a: An array.
        axes: The dimensions in the order that they are to have; reversed for None.

    Returns:
        The transposed array.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.transpose(jnp.ones((2, 3, 4)), (1, 0, 2)).shape
        (3, 2, 4)
    """
    ndim = len(shape_of(a))
    order = tuple(reversed(range(ndim))) if axes is None else tuple(
        axis_of("transpose", d, ndim) for d in integers("transpose", axes, "an axis"))
    if sorted(order) != list(range(ndim)):
        raise ArgumentError("transpose", "the axes are not those of the array", axes, f"each of 0 to {ndim - 1} once")
    return lax.transpose(a, order)


permute_dims = transpose


def matrix_transpose(x: ArrayLike, /) -> Array:
    """The last two dimensions swapped.

    Args:
        x: An array of two dimensions or more.

    Returns:
        The transposed matrices.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.matrix_transpose(jnp.ones((5, 2, 3))).shape
        (5, 3, 2)
    """
    return swapaxes(x, -1, -2)


def swapaxes(a: ArrayLike, axis1: int, axis2: int) -> Array:
    """Two dimensions swapped.

    Args:
        a: An array.
        axis1: One dimension.
        axis2: The other.

    Returns:
        The transposed array.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.swapaxes(jnp.ones((2, 3, 4)), 0, 2).shape
        (4, 3, 2)
    """
    ndim = len(shape_of(a))
    first, second = axis_of("swapaxes", axis1, ndim), axis_of("swapaxes", axis2, ndim)
    order = list(range(ndim))
    order[first], order[second] = second, first
    return lax.transpose(a, order)


def moveaxis(a: ArrayLike, source: int | Sequence[int], destination: int | Sequence[int]) -> Array:
    """Moves dimensions to other positions; the others keep their order.

    Args:
        a: An array.
        source: Which ones.
        destination: Where to.

    Returns:
        The transposed array.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.moveaxis(jnp.ones((2, 3, 4)), 0, -1).shape
        (3, 4, 2)
    """
    ndim = len(shape_of(a))
    origins = [axis_of("moveaxis", d, ndim) for d in integers("moveaxis", source, "an axis")]
    positions = [axis_of("moveaxis", d, ndim) for d in integers("moveaxis", destination, "an axis")]
    if len(origins) != len(positions) or len(set(origins)) != len(origins) or len(set(positions)) != len(positions):
        raise ArgumentError("moveaxis", "source and destination do not fit each other", (source, destination),
                            "as many different axes in both")
    order = [d for d in range(ndim) if d not in origins]
    for position, origin in sorted(zip(positions, origins, strict=True)):
        order.insert(position, origin)
    return lax.transpose(a, order)


def rollaxis(a: ArrayLike, axis: int, start: int = 0) -> Array:
    """Moves a dimension in front of another one.

    Args:
        a: An array.
        axis: The dimension.
        start: The one that it is to stand in front of.

    Returns:
        The transposed array.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.rollaxis(jnp.ones((2, 3, 4)), 2).shape
        (4, 2, 3)
    """
    ndim = len(shape_of(a))
    origin = axis_of("rollaxis", axis, ndim)
    position = axis_of("rollaxis", start, ndim + 1) if start != ndim else ndim
    return moveaxis(a, origin, position - 1 if origin < position else position)


def expand_dims(a: ArrayLike, axis: int | Sequence[int]) -> Array:
    """Inserts dimensions of size one.

    Args:
        a: An array.
        axis: Their positions in the result.

    Returns:
        The array with more dimensions.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.expand_dims(jnp.ones(3), (0, -1)).shape
        (1, 3, 1)
    """
    return lax.expand_dims(a, axis)


def squeeze(a: ArrayLike, axis: int | Sequence[int] | None = None) -> Array:
    """Removes dimensions of size one.

    Args:
        a: An array.
        axis: Which ones; all of size one for None.

    Returns:
        The array with fewer dimensions.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.squeeze(jnp.ones((1, 3, 1))).shape
        (3,)
    """
    return lax.squeeze(a, axis)


def broadcast_to(array: ArrayLike, shape: Sequence[int] | int, *, out_sharding: ShardingLike | None = None) -> Array:
    """Repeats an array along new dimensions and those of size one, so that it has a shape.

    Args:
        array: An array.
        shape: The shape.
        out_sharding: How the result is to be sharded.

    Returns:
        The repeated array.

    Raises:
        ArgumentError: If the array does not fit the shape.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.broadcast_to(jnp.arange(2), (3, 2)).shape
        (3, 2)
    """
    sizes = shape_argument("broadcast_to", shape)
    check_broadcast("broadcast_to", shape_of(array), sizes)
    return lax.structure.constrained(as_array(broadcast(array, sizes)), out_sharding)


def broadcast_arrays(*args: ArrayLike) -> tuple[Array, ...]:
    """Arrays in the one shape that they have together.

    Args:
        *args: Arrays.

    Returns:
        The repeated arrays.

    Example:
        >>> import olympus.numpy as jnp
        >>> [x.shape for x in jnp.broadcast_arrays(jnp.ones((2, 1)), jnp.ones(3))]
        [(2, 3), (2, 3)]
    """
    if not args:
        return ()
    shape = broadcast_shape("broadcast_arrays", [shape_of(x) for x in args])
    return tuple(as_array(broadcast(x, shape)) for x in args)


def broadcast_shapes(*shapes: Sequence[int] | int) -> tuple[int, ...]:
    """The shape that arrays of these shapes have together.

    Args:
        *shapes: Shapes.

    Returns:
        The shape.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.broadcast_shapes((2, 1), (3,))
        (2, 3)
    """
    return lax.broadcast_shapes(*(shape_argument("broadcast_shapes", s) for s in shapes))


def _at_least(name: str, count: int, order: str) -> AtLeast:
    def function(*arys: ArrayLike) -> Any:
        found = [_with_dims(as_array(x), count) for x in arys]
        return found[0] if len(found) == 1 else found

    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        f"Arrays with {count} dimensions or more; those of size one are added.\n\nArgs:\n    *arys: Arrays.\n\n"
        "Returns:\n    The array, or a list of them where there are several.\n\nExample:\n"
        f"    >>> import olympus.numpy as jnp\n    >>> jnp.{name}(1.0).shape\n    {order}\n"
    )
    return function


def _with_dims(x: Any, count: int) -> Any:
    shape = shape_of(x)
    if len(shape) >= count:
        return x
    padded = {0: (1, 1, 1), 1: (1, *shape, 1), 2: (*shape, 1)}[len(shape)] if count == 3 else (
        (1,) * (count - len(shape)) + shape)
    return lax.reshape(x, padded)


atleast_1d = _at_least("atleast_1d", 1, "(1,)")
atleast_2d = _at_least("atleast_2d", 2, "(1, 1)")
atleast_3d = _at_least("atleast_3d", 3, "(1, 1, 1)")


def flip(m: ArrayLike, axis: int | Sequence[int] | None = None) -> Array:
    """Turns the order along dimensions around.

    Args:
        m: An array.
        axis: Which dimensions; all for None.

    Returns:
        The reversed array.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.flip(jnp.arange(3))
        Array([2, 1, 0], dtype=int32)
    """
    return bind(ops.reverse, m, dimensions=axes_of("flip", axis, len(shape_of(m))))


def fliplr(m: ArrayLike) -> Array:
    """Turns the order along the second dimension around.

    Args:
        m: An array of two dimensions or more.

    Returns:
        The reversed array.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.fliplr(jnp.eye(2, dtype=int)).tolist()
        [[0, 1], [1, 0]]
    """
    return flip(m, 1)


def flipud(m: ArrayLike) -> Array:
    """Turns the order along the first dimension around.

    Args:
        m: An array.

    Returns:
        The reversed array.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.flipud(jnp.eye(2, dtype=int)).tolist()
        [[0, 1], [1, 0]]
    """
    return flip(m, 0)


@api(static=("k", "axes"), call="rot90")
def _rotated(m: ArrayLike, k: int, axes: tuple[int, int]) -> Any:
    if k == 0:
        return as_array(m)
    if k == 2:
        return flip(m, axes)
    return swapaxes(flip(m, axes[1]), *axes) if k == 1 else flip(swapaxes(m, *axes), axes[1])


def rot90(m: ArrayLike, k: int = 1, axes: Sequence[int] = (0, 1)) -> Array:
    """Rotates a plane by right angles.

    Args:
        m: An array of two dimensions or more.
        k: How many right angles, from the first axis to the second.
        axes: The plane's axes.

    Returns:
        The rotated array.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.rot90(jnp.array([[1, 2], [3, 4]])).tolist()
        [[2, 4], [1, 3]]
    """
    ndim = len(shape_of(m))
    first, second = (axis_of("rot90", a, ndim) for a in integers("rot90", axes, "an axis", 2))
    if first == second:
        raise ArgumentError("rot90", "the axes are the same", axes, "two different axes")
    return _rotated(m, k=integer("rot90", k, "the number of right angles") % 4, axes=(first, second))
