# SPDX-License-Identifier: Apache-2.0
"""Products of vectors, matrices and tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.config import config
from olympus_core.errors import ArgumentError, described

from .. import lax
from ..operands import (
    axis_of,
    broadcast_shape,
    check_numbers,
    convert,
    dtype_of,
    element_type,
    integer,
    integers,
    shape_of,
    strong,
    weakly,
)
from ..tracing import bind
from ..transforms.jit import api
from ..typing import Array, ArrayLike, DTypeLike, ShardingLike
from .arithmetic import multiply, subtract
from .elementwise import conjugate
from .joining import stack
from .promotion import promote_types_of
from .shapes import broadcast_to, moveaxis, ravel
from .ufuncs import refuse_out

__all__ = ["cross", "dot", "inner", "kron", "matmul", "outer", "tensordot", "vdot", "vecdot"]

Pairs = tuple[Sequence[int], Sequence[int]]  # dimensions of the left and of the right operand
_STATIC = ("precision", "preferred_element_type", "out_sharding")


def multiplied(
    x: Any, y: Any, contracting: Pairs, batch: Pairs = ((), ()), dtype: np.dtype | None = None,
    weak: bool | None = None, precision: Any = None, function: str = "dot",
) -> Any:
    """`dot_general` of operands of one type; bools count as numbers and give bools."""
    if precision is None and dtypes.is_float(dtype_of(x)):
        precision = config.default_matmul_precision
    if precision is not None and not dtypes.is_bool(dtype_of(x)):
        from ..lax.precision import algorithm_of, contracted
        algorithm = algorithm_of(function, precision)
        if algorithm is not None:
            dims = {"lhs_contracting": contracting[0], "rhs_contracting": contracting[1], "lhs_batch": batch[0],
                    "rhs_batch": batch[1]}
            return contracted(algorithm, x, y, dtype, **{name: tuple(part) for name, part in dims.items()})
    if dtypes.is_bool(dtype_of(x)):
        wide = np.dtype(np.int32)
        found = multiplied(convert(x, wide), convert(y, wide), contracting, batch)
        return lax.gt(found, 0) if dtype is None else convert(found, dtype)
    return bind(
        ops.dot_general, x, y, lhs_contracting=tuple(contracting[0]), rhs_contracting=tuple(contracting[1]),
        lhs_batch=tuple(batch[0]), rhs_batch=tuple(batch[1]), dtype=dtype, weak=weak)


def _wanted(function: str, dtype: Any) -> np.dtype | None:
    return None if dtype is None else element_type(function, dtype)


def _operands(function: str, x: Any, y: Any, dtype: np.dtype | None) -> tuple[Any, Any, np.dtype | None, bool]:
    """Promoted operands, and the type in which to sum where that is another one."""
    (x, y), weak = promote_types_of(function, x, y)
    own = dtype_of(x)
    kinds = (dtypes.is_integer, dtypes.is_float, dtypes.is_complex)
    if dtype is not None and any(kind(own) != kind(dtype) for kind in kinds):
        x, y = convert(x, dtype), convert(y, dtype)
    return x, y, dtype if dtype != dtype_of(x) else None, weak and dtype is None


def _mismatch(function: str, x: Any, y: Any, first: int, second: int) -> ArgumentError:
    return ArgumentError(
        function, "the dimensions that are summed over differ in size", f"shapes {shape_of(x)} and {shape_of(y)}",
        f"as many elements in dimension {first} of the first as in dimension {second} of the second",
        "Transpose or reshape one of the operands.")


@api(static=_STATIC)
def dot(
    a: ArrayLike, b: ArrayLike, *, precision: Any = None, preferred_element_type: DTypeLike | None = None,
    out_sharding: ShardingLike | None = None,
) -> Array:
    """The dot product: over the last dimension of a and the last but one of b (the only one of a vector).

    Args:
        a: An array.
        b: An array.
        precision: As in `olympus.lax.dot_general`: how operands are rounded and in which type products are summed.
        preferred_element_type: The element type in which to sum and that the result has.
        out_sharding: How the result is to be sharded.

    Returns:
        The product.

    Raises:
        ArgumentError: If the dimensions differ in size.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.dot(jnp.arange(3), jnp.arange(3))
        Array(5, dtype=int32)
    """
    x, y, dtype, weak = _operands("dot", a, b, _wanted("dot", preferred_element_type))
    left, right = shape_of(x), shape_of(y)
    if not left or not right:
        found = multiply(x, y)
        return weakly(found, weak) if dtype is None else convert(found, dtype)
    d = max(len(right) - 2, 0)
    if left[-1] != right[d]:
        raise _mismatch("dot", x, y, len(left) - 1, d)
    dims = (len(left) - 1,), (d,)
    return lax.structure.scoped(out_sharding, lambda u, v: multiplied(
        u, v, dims, dtype=dtype, weak=weak, precision=precision), x, y)


@api(static=_STATIC)
def matmul(
    a: ArrayLike, b: ArrayLike, *, precision: Any = None, preferred_element_type: DTypeLike | None = None,
    out_sharding: ShardingLike | None = None,
) -> Array:
    """The product of matrices; leading dimensions are broadcast, a vector is a row on the left, a column on the right.

    Args:
        a: An array of one dimension or more.
        b: An array of one dimension or more.
        precision: As in `olympus.lax.dot_general`: how operands are rounded and in which type products are summed.
        preferred_element_type: The element type in which to sum and that the result has.
        out_sharding: How the result is to be sharded.

    Returns:
        The products.

    Raises:
        ArgumentError: If the inner dimensions differ in size, or an operand is a number.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.matmul(jnp.ones((4, 2, 3)), jnp.ones((3, 5))).shape
        (4, 2, 5)
    """
    x, y, dtype, weak = _operands("matmul", a, b, _wanted("matmul", preferred_element_type))
    left, right = shape_of(x), shape_of(y)
    if not left or not right:
        raise ArgumentError("matmul", "an operand has no dimensions", f"shapes {left} and {right}",
                            "one dimension or more each", "Use * for the product with a number.")
    inner = max(len(right) - 2, 0)
    if left[-1] != right[inner]:
        raise _mismatch("matmul", x, y, len(left) - 1, inner)
    return lax.structure.scoped(out_sharding, lambda u, v: _batched(u, v, dtype, weak, precision), x, y)


def _batched(x: Any, y: Any, dtype: np.dtype | None, weak: bool, precision: Any) -> Any:
    """Batch dimensions of both are paired; those that only one has (or that are of size one) are free dimensions."""
    left, right = shape_of(x), shape_of(y)
    row, column = len(left) > 1, len(right) > 1
    left_batch, right_batch = left[:-2], right[:-2]
    batch = broadcast_shape("matmul", [left_batch, right_batch])
    count = len(batch)
    left_batch = (1,) * (count - len(left_batch)) + left_batch
    right_batch = (1,) * (count - len(right_batch)) + right_batch
    only_left = [i for i in range(count) if right_batch[i] == 1]
    only_right = [i for i in range(count) if left_batch[i] == 1 and i not in only_left]
    shared = [i for i in range(count) if i not in only_left and i not in only_right]
    # Dimensions of size one that the other side fills are left out.
    x_dims = [i for i in range(count) if i not in only_right]
    y_dims = [i for i in range(count) if i not in only_left]
    x = lax.reshape(x, (*(left_batch[i] for i in x_dims), *left[-2:]))
    y = lax.reshape(y, (*(right_batch[i] for i in y_dims), *right[-2:]))
    x_inner = len(x_dims) + (1 if row else 0)
    found = multiplied(
        x, y, ((x_inner,), (len(y_dims),)), ([x_dims.index(i) for i in shared], [y_dims.index(i) for i in shared]),
        dtype, weak, precision, "matmul")
    # The result has: shared, those of x alone, its row, those of y alone, its column.
    order: list[Any] = [*shared, *only_left, *(["row"] if row else []), *only_right, *(["column"] if column else [])]
    wanted = [*range(count), *(["row"] if row else []), *(["column"] if column else [])]
    return lax.transpose(found, [order.index(d) for d in wanted])


@api(static=("precision", "preferred_element_type"))
def inner(
    a: ArrayLike, b: ArrayLike, *, precision: Any = None, preferred_element_type: DTypeLike | None = None
) -> Array:
    """The product over the last dimensions of both.

    Args:
        a: An array.
        b: An array.
        precision: As in `olympus.lax.dot_general`: how operands are rounded and in which type products are summed.
        preferred_element_type: The element type in which to sum and that the result has.

    Returns:
        The product.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.inner(jnp.arange(3), jnp.arange(3))
        Array(5, dtype=int32)
    """
    left, right = shape_of(a), shape_of(b)
    if not left or not right:
        return dot(a, b, precision=precision, preferred_element_type=preferred_element_type)
    return tensordot(
        a, b, axes=((-1,), (-1,)), precision=precision, preferred_element_type=preferred_element_type)


def vdot(
    a: ArrayLike, b: ArrayLike, *, precision: Any = None, preferred_element_type: DTypeLike | None = None
) -> Array:
    """The dot product of the flat arrays, the first one conjugated.

    Args:
        a: An array.
        b: An array of as many elements.
        precision: As in `olympus.lax.dot_general`: how operands are rounded and in which type products are summed.
        preferred_element_type: The element type in which to sum and that the result has.

    Returns:
        A number.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.vdot(jnp.ones((2, 2)), jnp.ones((2, 2)))
        Array(4., dtype=float32)
    """
    return _vdot(a, b, precision=precision, preferred_element_type=preferred_element_type)


@api(static=("precision", "preferred_element_type"))
def _vdot(a: ArrayLike, b: ArrayLike, precision: Any, preferred_element_type: Any) -> Any:
    flat = ravel(a)
    if dtypes.is_complex(dtype_of(flat)):
        flat = bind(ops.conj, flat)
    return dot(flat, ravel(b), precision=precision, preferred_element_type=preferred_element_type)


def vecdot(
    x1: ArrayLike, x2: ArrayLike, /, *, axis: int = -1, precision: Any = None,
    preferred_element_type: DTypeLike | None = None,
) -> Array:
    """The dot products of vectors along a dimension, the first ones conjugated.

    Args:
        x1: An array.
        x2: An array.
        axis: The dimension.
        precision: As in `olympus.lax.dot_general`: how operands are rounded and in which type products are summed.
        preferred_element_type: The element type in which to sum and that the result has.

    Returns:
        The products.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.vecdot(jnp.ones((2, 3)), jnp.ones((2, 3)))
        Array([3., 3.], dtype=float32)
    """
    left, right = moveaxis(x1, axis, -1), moveaxis(x2, axis, -1)
    row = lax.expand_dims(conjugate(left), len(shape_of(left)) - 1)
    found = matmul(row, lax.expand_dims(right, len(shape_of(right))), precision=precision,
                   preferred_element_type=preferred_element_type)
    return lax.squeeze(found, (-2, -1))


def tensordot(
    a: ArrayLike, b: ArrayLike, axes: Any = 2, *, precision: Any = None,
    preferred_element_type: DTypeLike | None = None, out_sharding: ShardingLike | None = None,
) -> Array:
    """The product over chosen dimensions of both.

    Args:
        a: An array.
        b: An array.
        axes: How many of a's last and b's first dimensions; or the dimensions of each.
        precision: As in `olympus.lax.dot_general`: how operands are rounded and in which type products are summed.
        preferred_element_type: The element type in which to sum and that the result has.
        out_sharding: How the result is to be sharded.

    Returns:
        The product: a's other dimensions, then b's.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.tensordot(jnp.ones((2, 3, 4)), jnp.ones((3, 4, 5)), 2).shape
        (2, 5)
    """
    left, right = len(shape_of(a)), len(shape_of(b))
    if isinstance(axes, (tuple, list)):
        if len(axes) != 2:
            raise ArgumentError("tensordot", "the axes are not those of two arrays", described(axes),
                                "a number of axes, or a pair: the axes of a, and those of b")
        first, second = (integers("tensordot", part, "an axis") for part in axes)
    else:
        count = integer("tensordot", axes, "the number of axes", 0)
        if count > min(left, right):
            raise ArgumentError("tensordot", "there are not as many dimensions", f"axes={count}, shapes {shape_of(a)} "
                                f"and {shape_of(b)}", f"at most {min(left, right)}")
        first, second = tuple(range(left - count, left)), tuple(range(count))
    pairs = (tuple(axis_of("tensordot", d, left) for d in first), tuple(axis_of("tensordot", d, right) for d in second))
    sizes = [[shape_of(x)[d] for d in dims] for x, dims in zip((a, b), pairs, strict=True)]
    if sizes[0] != sizes[1]:
        raise ArgumentError("tensordot", "the dimensions that are summed over differ",
                            f"sizes {sizes[0]} and {sizes[1]}", "equal sizes")
    return _tensordot(a, b, pairs=pairs, dtype=_wanted("tensordot", preferred_element_type), precision=precision,
                      out_sharding=out_sharding)


@api(static=("pairs", "dtype", "precision", "out_sharding"))
def _tensordot(
    a: ArrayLike, b: ArrayLike, pairs: Any, dtype: np.dtype | None, precision: Any, out_sharding: ShardingLike | None
) -> Any:
    x, y, other, weak = _operands("tensordot", a, b, dtype)
    return lax.structure.scoped(out_sharding, lambda u, v: multiplied(
        u, v, pairs, dtype=other, weak=weak, precision=precision, function="tensordot"), x, y)


@api
def outer(a: ArrayLike, b: ArrayLike, out: None = None) -> Array:
    """The products of all pairs of elements of the flat arrays.

    Args:
        a: An array.
        b: An array.
        out: Not used: arrays never change.

    Returns:
        A matrix.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.outer(jnp.array([1, 2]), jnp.array([3, 4])).tolist()
        [[3, 4], [6, 8]]
    """
    refuse_out("outer", out)
    check_numbers("outer", a, b)
    return multiply(lax.reshape(a, (-1, 1)), lax.reshape(b, (1, -1)))


@api(call="kron")
def kron(a: ArrayLike, b: ArrayLike) -> Array:
    """The Kronecker product: b, once for each element of a, multiplied by it.

    Args:
        a: An array.
        b: An array.

    Returns:
        The product.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.kron(jnp.array([1, 2]), jnp.array([1, 1]))
        Array([1, 1, 2, 2], dtype=int32)
    """
    ndim = max(len(shape_of(a)), len(shape_of(b)))
    left, right = ((1,) * (ndim - len(shape_of(x))) + shape_of(x) for x in (a, b))
    a = lax.reshape(a, tuple(n for size in left for n in (size, 1)))
    b = lax.reshape(b, tuple(n for size in right for n in (1, size)))
    return lax.reshape(multiply(a, b), tuple(m * n for m, n in zip(left, right, strict=True)))


def cross(
    a: ArrayLike, b: ArrayLike, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: int | None = None
) -> Array:
    """The cross product of vectors of three components; of two, its third component.

    Args:
        a: An array of vectors.
        b: Another one.
        axisa: The dimension of a's components.
        axisb: The dimension of b's components.
        axisc: The dimension of the result's components.
        axis: All three at once.

    Returns:
        The products.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.cross(jnp.array([1, 0, 0]), jnp.array([0, 1, 0]))
        Array([0, 0, 1], dtype=int32)
    """
    if axis is not None:
        axisa = axisb = axisc = axis
    return _cross(moveaxis(a, axisa, -1), moveaxis(b, axisb, -1), axisc=axisc)


@api(static=("axisc",), call="cross")
def _cross(a: ArrayLike, b: ArrayLike, axisc: int) -> Any:
    sizes = shape_of(a)[-1], shape_of(b)[-1]
    if any(n not in (2, 3) for n in sizes):
        raise ArgumentError("cross", "vectors of other lengths have no cross product", sizes, "2 or 3 components")

    def parts(x: Any, n: int) -> list[Any]:
        return [lax.index_in_dim(x, i, -1, keepdims=False) for i in range(n)] + ([0] if n == 2 else [])

    (a0, a1, a2), (b0, b1, b2) = parts(a, sizes[0]), parts(b, sizes[1])

    def minor(p: Any, q: Any, r: Any, s: Any) -> Any:
        return subtract(multiply(p, q), multiply(r, s))

    last = minor(a0, b1, a1, b0)
    if sizes == (2, 2):
        return last
    shape = shape_of(last)
    parts_of_result = [minor(a1, b2, a2, b1), minor(a2, b0, a0, b2), last]
    found = stack([broadcast_to(p, shape) for p in parts_of_result], axis=axisc)
    return strong(found)
