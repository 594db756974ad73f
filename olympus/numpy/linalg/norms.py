# SPDX-License-Identifier: Apache-2.0
"""Norms and products of vectors and matrices."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.deferred import listed
from olympus_core.errors import ArgumentError, described

from ... import lax
from ...operands import arrays_of, axes_of, axis_of, cast, convert, dtype_of, integer, integers, shape_of
from ...tracing import bind
from ...transforms.jit import api
from ...typing import Array, ArrayLike, DTypeLike, ShardingLike
from ..arithmetic import divide, power
from ..comparison import isnan, not_equal
from ..diagonals import diagonal as _numpy_diagonal
from ..diagonals import trace as _numpy_trace
from ..einstein_summation import einsum
from ..elementwise import absolute, sqrt
from ..linear import cross as _numpy_cross
from ..linear import matmul as _numpy_matmul
from ..linear import outer as _numpy_outer
from ..linear import tensordot as _numpy_tensordot
from ..linear import vecdot
from ..promotion import promote_inexact
from ..ranges import eye
from ..reductions import any as numpy_any
from ..reductions import max as numpy_max
from ..reductions import min as numpy_min
from ..reductions import sum as numpy_sum
from ..searching import where
from ..shapes import broadcast_to, expand_dims, matrix_transpose, moveaxis
from ..ufuncs import squared_size_of
from .decompositions import matrices, svd
from .equations import inv

__all__ = [
    "cond", "cross", "diagonal", "matmul", "matrix_norm", "matrix_power", "matrix_transpose", "multi_dot", "norm",
    "outer", "tensordot", "trace", "vecdot", "vector_norm",
]
__dir__ = listed(__all__)


def norm(x: ArrayLike, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Array:
    """The length of vectors or matrices.

    Args:
        x: An array.
        ord: Which norm: None for the root of the sum of squares; for vectors also any number, ``inf`` and ``-inf``;
            for matrices ``"fro"``, ``"nuc"``, 1, -1, 2, -2, ``inf``, ``-inf``, of which ``"nuc"``, 2 and -2 are made of
            the singular values: their sum, the greatest and the least.
        axis: The dimension of vectors, or the two of matrices; None for all dimensions.
        keepdims: Whether the folded dimensions stay, with size one.

    Returns:
        The norms.

    Raises:
        ArgumentError: If the norm is not known, or there are too many axes.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.linalg.norm(jnp.array([3.0, 4.0]))
        Array(5., dtype=float32)
    """
    ndim = len(shape_of(x))
    axes = None if axis is None else integers("norm", axis, "an axis")
    if axis is None and ord is not None and ndim not in (1, 2):
        raise ArgumentError("norm", "the array is neither vector nor matrix", shape_of(x), "axis=... or ord=None")
    if axes is not None and len(axes) not in (1, 2):
        raise ArgumentError("norm", "there are too many axes", axis, "one or two")
    positions = tuple(range(ndim)) if axes is None else tuple(axes_of("norm", a, ndim)[0] for a in axes)
    if len(set(positions)) != len(positions):
        raise ArgumentError("norm", "an axis is named twice", axis, "different axes")
    return _norm(x, ord=ord, axes=positions, keepdims=bool(keepdims))


@api(static=("ord", "axes", "keepdims"), call="norm")
def _norm(x: ArrayLike, ord: Any, axes: tuple[int, ...], keepdims: bool) -> Any:
    (x,), _ = promote_inexact("norm", x)
    kind = dtypes.real_part(dtype_of(x))
    if ord is None or (ord == "fro" and len(axes) == 2) or (ord == 2 and len(axes) == 1):
        wide = dtypes.float32 if kind.itemsize < 4 else kind
        x = x if dtypes.is_complex(dtype_of(x)) else cast(x, wide)
        return convert(sqrt(numpy_sum(squared_size_of(x), axis=axes, keepdims=keepdims)), kind)
    size = absolute(x)
    if len(axes) == 2 and ord in ("nuc", 2, -2):
        return _singular_norm(x, ord, axes, keepdims)
    if isinstance(ord, str):
        raise ArgumentError("norm", "the norm is not known", repr(ord),
                            "'fro', 'nuc' or a number for matrices, a number for vectors")
    if len(axes) == 1:
        return _vector_norm(size, ord, axes, keepdims)
    row, column = axes
    summed, chosen = (column, row) if ord in (math.inf, -math.inf) else (row, column)
    if ord not in (math.inf, -math.inf, 1, -1):
        raise ArgumentError("norm", "the norm of matrices is not known", ord,
                            "None, 'fro', 'nuc', 1, -1, 2, -2, inf or -inf")
    choose = _greatest if ord > 0 else numpy_min
    return choose(numpy_sum(size, axis=summed, keepdims=True), axis=(chosen,), keepdims=True) if keepdims else (
        choose(numpy_sum(size, axis=summed, keepdims=False), axis=chosen - (chosen > summed)))


def _singular_norm(x: Any, ord: Any, axes: tuple[int, ...], keepdims: bool) -> Any:
    values = lax.linalg.svd(moveaxis(x, axes, (-2, -1)), compute_uv=False)
    if ord == "nuc":
        found = numpy_sum(values, axis=-1)
    else:
        found = numpy_max(values, axis=-1, initial=0) if ord == 2 else numpy_min(values, axis=-1)
    return expand_dims(found, axes) if keepdims else found


def _greatest(size: Any, **options: Any) -> Any:
    """The greatest of sizes: of none it is zero."""
    return numpy_max(size, initial=None if all(shape_of(size)) else 0, **options)


def _vector_norm(size: Any, ord: Any, axes: tuple[int, ...], keepdims: bool) -> Any:
    if not isinstance(ord, (int, float, np.integer, np.floating)):
        raise ArgumentError("linalg.norm", "the order is not known", described(ord), "a real number, inf or -inf")
    if ord == math.inf:
        return _greatest(size, axis=axes, keepdims=keepdims)
    if ord == -math.inf:
        return numpy_min(size, axis=axes, keepdims=keepdims)
    if ord == 0:
        return convert(numpy_sum(not_equal(size, 0), axis=axes, keepdims=keepdims), dtype_of(size))
    if ord == 1:
        return numpy_sum(size, axis=axes, keepdims=keepdims)
    return power(numpy_sum(power(size, float(ord)), axis=axes, keepdims=keepdims), divide(1.0, float(ord)))


def vector_norm(x: ArrayLike, /, *, axis: Any = None, keepdims: bool = False, ord: Any = 2) -> Array:
    """The length of vectors.

    Args:
        x: An array.
        axis: The dimensions of the components; all for None.
        keepdims: Whether they stay, with size one.
        ord: Which norm, as in `norm`.

    Returns:
        The norms.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.linalg.vector_norm(jnp.array([3.0, 4.0]))
        Array(5., dtype=float32)
    """
    shape = shape_of(x)
    axes = axes_of("vector_norm", axis, len(shape))
    rest = [d for d in range(len(shape)) if d not in axes]
    flat = lax.reshape(lax.transpose(x, (*rest, *axes)), (*(shape[d] for d in rest), math.prod(shape[d] for d in axes)))
    found = norm(flat, ord, -1)
    return lax.reshape(found, tuple(1 if d in axes else n for d, n in enumerate(shape))) if keepdims else found


def cross(x1: ArrayLike, x2: ArrayLike, /, *, axis: int = -1) -> Array:
    """The cross product of vectors of three components.

    Args:
        x1: An array of vectors.
        x2: Another one.
        axis: The dimension of the components.

    Returns:
        The products.

    Raises:
        ArgumentError: If the vectors do not have three components; `olympus.numpy.cross` takes those of two as well.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.linalg.cross(jnp.array([1, 0, 0]), jnp.array([0, 1, 0]))
        Array([0, 0, 1], dtype=int32)
    """
    sizes = tuple(shape_of(x)[axis_of("cross", axis, len(shape_of(x)))] for x in (x1, x2))
    if sizes != (3, 3):
        raise ArgumentError("cross", "vectors of other lengths have no cross product", sizes, "3 components")
    return _numpy_cross(x1, x2, axis=axis)


def outer(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """The products of all pairs of elements of two vectors.

    Args:
        x1: A vector.
        x2: Another one.

    Returns:
        A matrix.

    Raises:
        ArgumentError: If an argument is no vector; `olympus.numpy.outer` takes arrays of any shape.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.linalg.outer(jnp.array([1, 2]), jnp.array([3, 4])).tolist()
        [[3, 4], [6, 8]]
    """
    if not len(shape_of(x1)) == len(shape_of(x2)) == 1:
        raise ArgumentError("outer", "the arguments are not two vectors", f"{shape_of(x1)} and {shape_of(x2)}",
                            "one dimension each", "Use olympus.numpy.outer, which flattens its arguments.")
    return _numpy_outer(x1, x2)


def matmul(
    x1: ArrayLike, x2: ArrayLike, /, *, precision: Any = None, preferred_element_type: DTypeLike | None = None,
    out_sharding: ShardingLike | None = None,
) -> Array:
    """The product of matrices, as `olympus.numpy.matmul` gives it.

    Args:
        x1: An array of one dimension or more.
        x2: An array of one dimension or more.
        precision: As in `olympus.lax.dot_general`: how operands are rounded and in which type products are summed.
        preferred_element_type: The element type in which to sum and that the result has.
        out_sharding: How the result is to be sharded.

    Returns:
        The products.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.linalg.matmul(jnp.ones((4, 2, 3)), jnp.ones((3, 5))).shape
        (4, 2, 5)
    """
    return _numpy_matmul(x1, x2, precision=precision, preferred_element_type=preferred_element_type,
                         out_sharding=out_sharding)


def tensordot(
    x1: ArrayLike, x2: ArrayLike, /, *, axes: Any = 2, precision: Any = None,
    preferred_element_type: DTypeLike | None = None, out_sharding: ShardingLike | None = None,
) -> Array:
    """The product over chosen dimensions of both, as `olympus.numpy.tensordot` gives it.

    Args:
        x1: An array.
        x2: An array.
        axes: How many of the first one's last and the second one's first dimensions; or the dimensions of each.
        precision: As in `olympus.lax.dot_general`: how operands are rounded and in which type products are summed.
        preferred_element_type: The element type in which to sum and that the result has.
        out_sharding: How the result is to be sharded.

    Returns:
        The product: the first one's other dimensions, then the second one's.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.linalg.tensordot(jnp.ones((2, 3, 4)), jnp.ones((3, 4, 5)), axes=2).shape
        (2, 5)
    """
    return _numpy_tensordot(x1, x2, axes, precision=precision, preferred_element_type=preferred_element_type,
                            out_sharding=out_sharding)


def matrix_norm(x: ArrayLike, /, *, keepdims: bool = False, ord: Any = "fro") -> Array:
    """The size of matrices.

    Args:
        x: An array of matrices, in its last two dimensions.
        keepdims: Whether these stay, with size one.
        ord: Which norm, as in `norm`.

    Returns:
        The norms.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.linalg.matrix_norm(jnp.ones((2, 2)))
        Array(2., dtype=float32)
    """
    return norm(x, ord, (-2, -1), keepdims)


def diagonal(x: ArrayLike, /, *, offset: int = 0) -> Array:
    """The elements on a diagonal of matrices.

    Args:
        x: An array of matrices, in its last two dimensions.
        offset: Which diagonal.

    Returns:
        The diagonals.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.linalg.diagonal(jnp.eye(2))
        Array([1., 1.], dtype=float32)
    """
    return _numpy_diagonal(x, offset, -2, -1)


def trace(x: ArrayLike, /, *, offset: int = 0, dtype: DTypeLike | None = None) -> Array:
    """The sum of the elements on a diagonal of matrices.

    Args:
        x: An array of matrices, in its last two dimensions.
        offset: Which diagonal.
        dtype: The element type in which to sum.

    Returns:
        The sums.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.linalg.trace(jnp.eye(2))
        Array(2., dtype=float32)
    """
    return _numpy_trace(x, offset, -2, -1, dtype)


def matrix_power(a: ArrayLike, n: int) -> Array:
    """A matrix multiplied by itself so many times.

    Args:
        a: An array of square matrices, in its last two dimensions.
        n: The exponent; of a negative one the inverse is multiplied.

    Returns:
        The powers.

    Raises:
        ArgumentError: If the matrices are not square.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.linalg.matrix_power(jnp.array([[1, 1], [0, 1]]), 3).tolist()
        [[1, 3], [0, 1]]
    """
    shape = shape_of(a)
    if len(shape) < 2 or shape[-1] != shape[-2]:
        raise ArgumentError("matrix_power", "the matrices are not square", shape, "equal last two dimensions")
    exponent = integer("matrix_power", n, "the exponent")
    if abs(exponent) >= 1 << 64:
        raise ArgumentError("matrix_power", "the exponent is too great", described(exponent), "at most 64 bits")
    return _matrix_power(inv(a) if exponent < 0 else a, n=abs(exponent))


@api(static=("n",))
def _matrix_power(a: Any, n: int) -> Any:
    if n == 0:
        return broadcast_to(eye(shape_of(a)[-1], dtype=dtype_of(a)), shape_of(a))
    result: Any = None
    while True:
        if n & 1:
            result = a if result is None else matmul(result, a)
        n >>= 1
        if not n:
            return bind(ops.convert, result, dtype=dtype_of(result))
        a = matmul(a, a)


def multi_dot(arrays: Sequence[ArrayLike], *, precision: Any = None) -> Array:
    """The product of several matrices, in the cheapest order.

    Args:
        arrays: The matrices; the first and last may be vectors.
        precision: As in `olympus.lax.dot_general`: how operands are rounded and in which type products are summed.

    Returns:
        The product.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.linalg.multi_dot([jnp.ones((2, 3)), jnp.ones((3, 4)), jnp.ones((4, 2))]).shape
        (2, 2)
    """
    parts = list(arrays_of("multi_dot", arrays))
    dimensions = [len(shape_of(x)) for x in parts]
    if len(parts) < 2 or any(n != 2 for n in dimensions[1:-1]) or not {dimensions[0], dimensions[-1]} <= {1, 2}:
        raise ArgumentError("multi_dot", "the arrays are no chain of matrices",
                            ", ".join(str(shape_of(x)) for x in parts),
                            "two matrices or more; the first and the last may be vectors")
    letters = "abcdefghijklmnopqrstuvwxyz"
    words, position = [], 0
    for x in parts:
        count = len(shape_of(x))
        words.append(letters[position:position + count])
        position += count - 1
    ends = (words[0][0] if len(words[0]) == 2 else "") + (words[-1][-1] if len(words[-1]) == 2 else "")
    return einsum(",".join(words) + "->" + ends, *parts, optimize="optimal", precision=precision)


@api(static=("p",), call="cond")
def cond(x: ArrayLike, p: Any = None) -> Array:
    """The condition number of matrices: how much relative errors may grow in solving equations.

    Args:
        x: Matrices of shape ``(..., m, n)``; square ones unless the norm is 2 or -2.
        p: The norm, as in `norm`; 2 when left out.

    Returns:
        The condition numbers; inf for a singular matrix.

    Raises:
        ArgumentError: If there are no matrices, or they are empty.

    Example:
        >>> import olympus.numpy as jnp
        >>> float(jnp.linalg.cond(jnp.array([[2.0, 0.0], [0.0, 1.0]])))
        2.0
    """
    a = matrices("cond", x, square=p not in (None, 2, -2))
    if 0 in shape_of(a)[-2:]:
        raise ArgumentError("cond", "the matrices are empty", shape_of(a), "one row and column or more")
    if p in (None, 2, -2):
        s = svd(a, compute_uv=False)
        found = s[..., -1] / s[..., 0] if p == -2 else s[..., 0] / s[..., -1]
    else:
        found = norm(a, p, (-2, -1)) * norm(inv(a), p, (-2, -1))
    known = ~numpy_any(isnan(a), axis=(-2, -1))
    return where(isnan(found) & known, math.inf, found)
