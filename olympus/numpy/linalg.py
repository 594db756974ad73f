"""Linear algebra: norms and products. Decompositions have no operations yet and say so."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.deferred import listed
from olympus_core.errors import ArgumentError, NotSupportedError, described

from .. import lax
from ..operands import arrays_of, axes_of, cast, convert, dtype_of, integer, integers, shape_of
from ..tracing import bind
from ..transforms.jit import api
from ..typing import Array, ArrayLike, DTypeLike
from .arithmetic import divide, power
from .comparison import not_equal
from .diagonals import diagonal as _numpy_diagonal
from .diagonals import trace as _numpy_trace
from .einstein_summation import einsum
from .elementwise import absolute, sqrt, square
from .linear import cross, matmul, outer, tensordot, vecdot
from .promotion import promote_inexact
from .ranges import eye
from .reductions import max as numpy_max
from .reductions import min as numpy_min
from .reductions import sum as numpy_sum
from .shapes import broadcast_to, matrix_transpose

__all__ = [
    "cholesky", "cond", "cross", "det", "diagonal", "eig", "eigh", "eigvals", "eigvalsh", "inv", "lstsq", "matmul",
    "matrix_norm", "matrix_power", "matrix_rank", "matrix_transpose", "multi_dot", "norm", "outer", "pinv", "qr",
    "slogdet", "solve", "svd", "svdvals", "tensordot", "tensorinv", "tensorsolve", "trace", "vecdot", "vector_norm",
]
__dir__ = listed(__all__)


def norm(x: ArrayLike, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Array:
    """The length of vectors or matrices.

    Args:
        x: An array.
        ord: Which norm: None for the root of the sum of squares; for vectors also any number, ``inf`` and ``-inf``;
            for matrices ``"fro"``, 1, -1, ``inf``, ``-inf``.
        axis: The dimension of vectors, or the two of matrices; None for all dimensions.
        keepdims: Whether the folded dimensions stay, with size one.

    Returns:
        The norms.

    Raises:
        NotSupportedError: For norms of matrices that need their singular values.

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
    if len(positions) == 2 and ord is not None and (ord in ("nuc", 2, -2)):
        raise _no_decomposition(f"linalg.norm(ord={ord!r}) of a matrix")
    return _norm(x, ord=ord, axes=positions, keepdims=bool(keepdims))


@api(static=("ord", "axes", "keepdims"))
def _norm(x: ArrayLike, ord: Any, axes: tuple[int, ...], keepdims: bool) -> Any:
    (x,), _ = promote_inexact("norm", x)
    kind = dtypes.real_part(dtype_of(x))
    size = absolute(x)
    if ord is None or ord == "fro" or (ord == 2 and len(axes) == 1):
        wide = dtypes.float32 if kind.itemsize < 4 else kind
        return convert(sqrt(numpy_sum(square(cast(size, wide)), axis=axes, keepdims=keepdims)), kind)
    if isinstance(ord, str):
        raise ArgumentError("norm", "the norm is not known", repr(ord), "'fro' or a number")
    if len(axes) == 1:
        return _vector_norm(size, ord, axes, keepdims)
    row, column = axes
    summed, chosen = (column, row) if ord in (math.inf, -math.inf) else (row, column)
    if ord not in (math.inf, -math.inf, 1, -1):
        raise ArgumentError("norm", "the norm of matrices is not known", ord, "None, 'fro', 1, -1, inf or -inf")
    choose = numpy_max if ord > 0 else numpy_min
    return choose(numpy_sum(size, axis=summed, keepdims=True), axis=(chosen,), keepdims=True) if keepdims else (
        choose(numpy_sum(size, axis=summed, keepdims=False), axis=chosen - (chosen > summed)))


def _vector_norm(size: Any, ord: Any, axes: tuple[int, ...], keepdims: bool) -> Any:
    if not isinstance(ord, (int, float, np.integer, np.floating)):
        raise ArgumentError("linalg.norm", "the order is not known", described(ord), "a real number, inf or -inf")
    if ord == math.inf:
        return numpy_max(size, axis=axes, keepdims=keepdims)
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
        n: The exponent, zero or more.

    Returns:
        The powers.

    Raises:
        NotSupportedError: For negative exponents, which need the inverse.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.linalg.matrix_power(jnp.array([[1, 1], [0, 1]]), 3).tolist()
        [[1, 3], [0, 1]]
    """
    shape = shape_of(a)
    if len(shape) < 2 or shape[-1] != shape[-2]:
        raise ArgumentError("matrix_power", "the matrices are not square", shape, "equal last two dimensions")
    exponent = integer("matrix_power", n, "the exponent")
    if exponent < 0:
        raise _no_decomposition("linalg.matrix_power with a negative exponent")
    if exponent >= 1 << 64:
        raise ArgumentError("matrix_power", "the exponent is too great", described(exponent), "at most 64 bits")
    return _matrix_power(a, n=exponent)


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
        precision: Accepted; products are always of the highest precision.

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
    return einsum(",".join(words) + "->" + ends, *parts, optimize="optimal")


def _no_decomposition(name: str) -> NotSupportedError:
    return NotSupportedError(
        f"olympus.numpy.{name}", "there is no operation for decompositions of matrices yet",
        "Compute it with numpy.linalg on np.asarray(x) and bring the result back with olympus.numpy.asarray.")


def _missing(name: str, summary: str) -> Any:
    def function(*args: Any, **kwargs: Any) -> Any:
        raise _no_decomposition(f"linalg.{name}")

    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        f"{summary}: not supported yet.\n\nArgs:\n    *args: As NumPy's function takes.\n    **kwargs: Likewise.\n\n"
        "Raises:\n    NotSupportedError: Always.\n"
    )
    return function


inv = _missing("inv", "The inverse of matrices")
pinv = _missing("pinv", "The pseudo-inverse of matrices")
solve = _missing("solve", "The solution of linear equations")
lstsq = _missing("lstsq", "The least-squares solution of linear equations")
det = _missing("det", "The determinant of matrices")
slogdet = _missing("slogdet", "The logarithm of the determinant of matrices")
cholesky = _missing("cholesky", "The Cholesky decomposition")
qr = _missing("qr", "The QR decomposition")
svd = _missing("svd", "The singular value decomposition")
svdvals = _missing("svdvals", "The singular values of matrices")
eig = _missing("eig", "The eigenvalues and eigenvectors of matrices")
eigh = _missing("eigh", "The eigenvalues and eigenvectors of Hermitian matrices")
eigvals = _missing("eigvals", "The eigenvalues of matrices")
eigvalsh = _missing("eigvalsh", "The eigenvalues of Hermitian matrices")
matrix_rank = _missing("matrix_rank", "The rank of matrices")
cond = _missing("cond", "The condition number of matrices")
tensorinv = _missing("tensorinv", "The inverse of a tensor")
tensorsolve = _missing("tensorsolve", "The solution of a tensor equation")
