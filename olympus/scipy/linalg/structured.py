# SPDX-License-Identifier: Apache-2.0
"""Matrices of a structure: from a few numbers, or from nothing but their size."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.deferred import listed
from olympus_core.errors import ArgumentError, described

from ... import numpy as jnp
from ...numpy.promotion import promote_types_of
from ...operands import broadcast, broadcast_shape, cast, dtype_of, element_type, integer, shape_of
from ...tracing import scalar_dtype
from ...transforms.jit import api
from ...typing import Array, ArrayLike, DTypeLike

__all__ = [
    "block_diag", "circulant", "companion", "convolution_matrix", "dft", "fiedler", "fiedler_companion", "hadamard",
    "hankel", "helmert", "hilbert", "invhilbert", "invpascal", "leslie", "pascal", "toeplitz",
]
__dir__ = listed(__all__)


def _float(values: Any) -> Any:
    """Numbers that the host knows, in the default float type."""
    return jnp.asarray(np.asarray(values).astype(scalar_dtype(float)))


def _vector(function: str, x: Any, least: int) -> tuple[int, ...]:
    shape = shape_of(x)
    if not shape or shape[-1] < least:
        raise ArgumentError(function, "the vector is too short", shape, f"a shape (..., n) with n of {least} or more")
    return shape


def _at(x: Any, positions: np.ndarray) -> Any:
    """Elements of the last dimension, by positions that are known."""
    return jnp.take(x, positions, axis=-1, mode="clip")


def _with_row_and_subdiagonal(row: Any, below: Any) -> Any:
    """Square matrices of a first row and the subdiagonal."""
    n = shape_of(row)[-1]
    batch = broadcast_shape("leslie", [shape_of(row)[:-1], shape_of(below)[:-1]])
    made = jnp.zeros((*batch, n, n), dtype_of(row)).at[..., 0, :].set(row)
    return made.at[..., np.arange(1, n), np.arange(n - 1)].set(below)


@api(call="block_diag")
def block_diag(*arrs: ArrayLike) -> Array:
    """The matrix with the given ones along its diagonal and zeros elsewhere.

    Args:
        *arrs: Matrices; a vector counts as one row, a number as a matrix of shape (1, 1).

    Returns:
        The matrix, of the promoted element type.

    Raises:
        ArgumentError: If an array has more than two dimensions.

    Example:
        >>> from olympus.scipy.linalg import block_diag
        >>> block_diag(1.0, [2.0, 3.0]).tolist()
        [[1.0, 0.0, 0.0], [0.0, 2.0, 3.0]]
    """
    if not arrs:
        arrs = (np.zeros((1, 0), scalar_dtype(float)),)
    arrs = tuple(jnp.asarray(x) for x in arrs)
    if any(len(shape_of(x)) > 2 for x in arrs):
        raise ArgumentError("block_diag", "an array has more than two dimensions", [shape_of(x) for x in arrs],
                            "matrices, vectors and numbers")
    parts, _ = promote_types_of("block_diag", *[jnp.atleast_2d(x) for x in arrs])
    width = sum(shape_of(x)[1] for x in parts)
    rows, before = [], 0
    for x in parts:
        own = shape_of(x)[1]
        rows.append(jnp.pad(x, ((0, 0), (before, width - before - own))))
        before += own
    return jnp.concatenate(rows, 0)


@api
def toeplitz(c: ArrayLike, r: ArrayLike | None = None) -> Array:
    """The matrix whose diagonals are constant.

    Args:
        c: The first column, of shape ``(..., n)``; a number is a column of one.
        r: The first row, of shape ``(..., m)``, whose first element is not used; the conjugate of `c` when left out.

    Returns:
        Matrices of shape ``(..., n, m)``.

    Example:
        >>> from olympus.scipy.linalg import toeplitz
        >>> toeplitz([1, 2, 3], [1, 4]).tolist()
        [[1, 4], [2, 1], [3, 2]]
    """
    column = jnp.atleast_1d(jnp.asarray(c))
    row = jnp.conj(column) if r is None else jnp.atleast_1d(jnp.asarray(r))
    n, m = shape_of(column)[-1], shape_of(row)[-1]
    if not n or not m:
        batch = broadcast_shape("toeplitz", [shape_of(column)[:-1], shape_of(row)[:-1]])
        return jnp.zeros((*batch, n, m), dtype_of(column))
    (column, row), _ = promote_types_of("toeplitz", column, row)
    batch = broadcast_shape("toeplitz", [shape_of(column)[:-1], shape_of(row)[:-1]])
    values = jnp.concatenate([broadcast(row, (*batch, m))[..., :0:-1], broadcast(column, (*batch, n))], -1)
    return _at(values, np.arange(n)[:, None] - np.arange(m)[None, :] + m - 1)


@api
def hankel(c: ArrayLike, r: ArrayLike | None = None) -> Array:
    """The matrix whose antidiagonals are constant.

    Args:
        c: The first column, of shape ``(..., n)``; a number is a column of one.
        r: The last row, of shape ``(..., m)``, whose first element is not used; n zeros when left out.

    Returns:
        Matrices of shape ``(..., n, m)``.

    Example:
        >>> from olympus.scipy.linalg import hankel
        >>> hankel([1, 2], [2, 3, 4]).tolist()
        [[1, 2, 3], [2, 3, 4]]
    """
    column = jnp.atleast_1d(jnp.asarray(c))
    row = jnp.zeros_like(column) if r is None else jnp.atleast_1d(jnp.asarray(r))
    (column, row), _ = promote_types_of("hankel", column, row)
    n, m = shape_of(column)[-1], shape_of(row)[-1]
    batch = broadcast_shape("hankel", [shape_of(column)[:-1], shape_of(row)[:-1]])
    if not n or not m:
        return jnp.zeros((*batch, n, m), dtype_of(column))
    values = jnp.concatenate([broadcast(column, (*batch, n)), broadcast(row, (*batch, m))[..., 1:]], -1)
    return _at(values, np.arange(n)[:, None] + np.arange(m)[None, :])


@api
def circulant(c: ArrayLike) -> Array:
    """The matrix whose columns are the first one, moved down around its end.

    Args:
        c: The first column, of shape ``(..., n)``.

    Returns:
        Matrices of shape ``(..., n, n)``.

    Example:
        >>> from olympus.scipy.linalg import circulant
        >>> circulant([1, 2, 3]).tolist()
        [[1, 3, 2], [2, 1, 3], [3, 2, 1]]
    """
    column = jnp.atleast_1d(jnp.asarray(c))
    n = _vector("circulant", column, 0)[-1]
    if not n:
        return jnp.zeros((*shape_of(column), 0), dtype_of(column))
    return _at(column, (np.arange(n)[:, None] - np.arange(n)[None, :]) % n)


@api(static=("n", "mode"))
def convolution_matrix(a: ArrayLike, n: int, mode: str = "full") -> Array:
    """The matrix that multiplies as a convolution: ``convolution_matrix(a, n, mode) @ v == convolve(a, v, mode)``.

    Args:
        a: What is convolved with, of shape ``(..., m)``.
        n: The size of the vectors that are multiplied.
        mode: ``"full"``, ``"same"`` or ``"valid"``.

    Returns:
        Matrices with n columns; m + n - 1 rows, max(m, n) rows, or max(m, n) - min(m, n) + 1.

    Raises:
        ArgumentError: If `a` is empty, `n` is no positive integer, or the mode is not known.

    Example:
        >>> from olympus.scipy.linalg import convolution_matrix
        >>> convolution_matrix([1, 2], 2).tolist()
        [[1, 0], [2, 1], [0, 2]]
    """
    name = "convolution_matrix"
    a = jnp.asarray(a)
    m, n = _vector(name, a, 1)[-1], integer(name, n, "n", 1)
    starts = {"full": 0, "same": (min(m, n) - 1) // 2, "valid": min(m, n) - 1}
    rows = {"full": m + n - 1, "same": max(m, n), "valid": max(m, n) - min(m, n) + 1}
    if mode not in starts:
        raise ArgumentError(name, "the mode is not known", described(mode), "'full', 'same' or 'valid'")
    positions = np.arange(rows[mode])[:, None] + starts[mode] - np.arange(n)[None, :]
    values = _at(a, np.clip(positions, 0, m - 1))
    return jnp.where((positions >= 0) & (positions < m), values, jnp.zeros((), dtype_of(values)))


@api
def companion(a: ArrayLike) -> Array:
    """The companion matrix of a polynomial: its eigenvalues are the polynomial's roots.

    Args:
        a: The coefficients, highest power first, of shape ``(..., n)`` with n of two or more; the first is not zero.

    Returns:
        Matrices of shape ``(..., n - 1, n - 1)``.

    Raises:
        ArgumentError: If there are fewer than two coefficients.

    Example:
        >>> from olympus.scipy.linalg import companion
        >>> companion([1.0, -3.0, 2.0]).tolist()
        [[3.0, -2.0], [1.0, 0.0]]
    """
    a = jnp.asarray(a)
    _vector("companion", a, 2)
    row = -(a[..., 1:] / a[..., :1])  # divided first: what is unsigned has no opposite
    return _with_row_and_subdiagonal(row, jnp.ones(shape_of(row)[-1] - 1, dtype_of(row)))


@api
def fiedler(a: ArrayLike) -> Array:
    """The matrix of the distances between numbers: ``F[i, j] = |a[i] - a[j]|``.

    Args:
        a: Numbers, of shape ``(..., n)``.

    Returns:
        Matrices of shape ``(..., n, n)``.

    Example:
        >>> from olympus.scipy.linalg import fiedler
        >>> fiedler([1, 4]).tolist()
        [[0, 3], [3, 0]]
    """
    a = jnp.atleast_1d(jnp.asarray(a))
    return jnp.abs(a[..., :, None] - a[..., None, :])


@api
def fiedler_companion(a: ArrayLike) -> Array:
    """The companion matrix of a polynomial with five diagonals.

    Args:
        a: The coefficients, highest power first, of shape ``(..., n)``; the first is not zero.

    Returns:
        Matrices of shape ``(..., n - 1, n - 1)``, whose eigenvalues are the polynomial's roots.

    Raises:
        ArgumentError: If there are no coefficients.

    Example:
        >>> from olympus.scipy.linalg import fiedler_companion
        >>> fiedler_companion([1.0, -3.0, 2.0]).tolist()
        [[3.0, -2.0], [1.0, 0.0]]

    References:
        M. Fiedler, A note on companion matrices, Linear Algebra and its Applications 372, 2003.
    """
    a = jnp.asarray(a)
    shape = _vector("fiedler_companion", a, 1)
    n = shape[-1] - 1
    ratios = a / a[..., :1]
    constants = broadcast(jnp.asarray(np.arange(2).astype(dtype_of(ratios))), (*shape[:-1], 2))
    values = jnp.concatenate([constants, -ratios[..., 1:]], -1)  # 0, 1, and the coefficients from place 2 on
    places = np.zeros((n, n), int)
    for i in range(n):
        if i % 2:
            places[i, max(i - 2, 0)] = 1
            continue
        places[i, max(i - 1, 0)] = i + 2
        if i + 1 < n:
            places[i, i + 1] = i + 3
        if i + 2 < n:
            places[i, i + 2] = 1
    return _at(values, places)


@api
def leslie(f: ArrayLike, s: ArrayLike) -> Array:
    """The matrix by which a population of several ages grows.

    Args:
        f: How many are born to those of each age, of shape ``(..., n)`` with n of two or more.
        s: Which part of each age but the last survives, of shape ``(..., n - 1)``.

    Returns:
        Matrices of shape ``(..., n, n)``: `f` is the first row, `s` the subdiagonal.

    Raises:
        ArgumentError: If the sizes do not fit.

    Example:
        >>> from olympus.scipy.linalg import leslie
        >>> leslie([0.0, 2.0], [0.5]).tolist()
        [[0.0, 2.0], [0.5, 0.0]]
    """
    f, s = jnp.asarray(f), jnp.asarray(s)
    n = _vector("leslie", f, 2)[-1]
    if _vector("leslie", s, 1)[-1] != n - 1:
        raise ArgumentError("leslie", "the sizes do not fit", f"{shape_of(f)} and {shape_of(s)}",
                            "one survival less than births")
    (f, s), _ = promote_types_of("leslie", f, s)
    return _with_row_and_subdiagonal(f, s)


def _binomials(n: int) -> np.ndarray:
    """Row i holds the binomial coefficients of i, exactly."""
    return np.array([[math.comb(i, j) for j in range(n)] for i in range(n)], object).reshape(n, n)


def _kind(function: str, kind: str | None) -> str:
    if kind not in (None, "symmetric", "lower", "upper"):
        raise ArgumentError(function, "the kind is not known", described(kind), "'symmetric', 'lower' or 'upper'")
    return kind or "symmetric"


def pascal(n: int, kind: str | None = None) -> Array:
    """Pascal's matrix, of binomial coefficients.

    Args:
        n: The size.
        kind: ``"symmetric"`` (the default: ``binomial(i + j, i)``), ``"lower"`` or ``"upper"``, its triangular factors.

    Returns:
        The matrix, in the default float type; each element is the exact number, rounded once.

    Raises:
        ArgumentError: If the kind is not known.

    Example:
        >>> from olympus.scipy.linalg import pascal
        >>> pascal(3).tolist()
        [[1.0, 1.0, 1.0], [1.0, 2.0, 3.0], [1.0, 3.0, 6.0]]
    """
    n, kind = integer("pascal", n, "n", 0), _kind("pascal", kind)
    lower = _binomials(n)
    return _float({"lower": lower, "upper": lower.T, "symmetric": lower @ lower.T}[kind])


def invpascal(n: int, kind: str | None = None) -> Array:
    """The inverse of Pascal's matrix.

    Args:
        n: The size.
        kind: ``"symmetric"`` (the default), ``"lower"`` or ``"upper"``.

    Returns:
        The matrix, in the default float type; each element is the exact number, rounded once.

    Raises:
        ArgumentError: If the kind is not known.

    Example:
        >>> from olympus.scipy.linalg import invpascal
        >>> invpascal(2).tolist()
        [[2.0, -1.0], [-1.0, 1.0]]
    """
    n, kind = integer("invpascal", n, "n", 0), _kind("invpascal", kind)
    signs = np.array([[(-1) ** (i + j) for j in range(n)] for i in range(n)], object).reshape(n, n)
    lower = _binomials(n) * signs
    return _float({"lower": lower, "upper": lower.T, "symmetric": lower.T @ lower}[kind])


def hilbert(n: int) -> Array:
    """Hilbert's matrix: ``H[i, j] = 1 / (i + j + 1)``.

    Args:
        n: The size.

    Returns:
        The matrix, in the default float type.

    Example:
        >>> from olympus.scipy.linalg import hilbert
        >>> hilbert(2).shape
        (2, 2)
    """
    i = np.arange(integer("hilbert", n, "n", 0), dtype=float)
    return _float(1 / (i[:, None] + i[None, :] + 1))


def invhilbert(n: int) -> Array:
    """The inverse of Hilbert's matrix.

    Args:
        n: The size.

    Returns:
        The matrix, in the default float type; each element is the exact integer, rounded once.

    Example:
        >>> from olympus.scipy.linalg import invhilbert
        >>> invhilbert(2).tolist()
        [[4.0, -6.0], [-6.0, 12.0]]
    """
    n = integer("invhilbert", n, "n", 0)
    made = np.empty((n, n), object)
    for i in range(n):
        for j in range(n):
            made[i, j] = ((-1) ** (i + j) * (i + j + 1) * math.comb(n + i, n - j - 1) * math.comb(n + j, n - i - 1)
                          * math.comb(i + j, i) ** 2)
    return _float(made)


def helmert(n: int, full: bool = False) -> Array:
    """Helmert's matrix: orthonormal rows, each of which compares a number with the mean of those before it.

    Args:
        n: The size, one or more.
        full: Whether the first row is there, all of whose elements are equal.

    Returns:
        The matrix, in the default float type, of shape (n - 1, n), or (n, n).

    Example:
        >>> from olympus.scipy.linalg import helmert
        >>> helmert(3, full=True).shape
        (3, 3)
    """
    n = integer("helmert", n, "n", 1)
    i, j = np.arange(n)[:, None], np.arange(n)[None, :]
    scale = np.sqrt(np.where(i == 0, n, i * (i + 1)))
    made = np.where(i == 0, 1.0, np.where(j < i, 1.0, np.where(i == j, -i, 0.0))) / scale
    return _float(made if full else made[1:])


def hadamard(n: int, dtype: DTypeLike = int) -> Array:
    """Hadamard's matrix of ones and minus ones, whose rows are orthogonal.

    Args:
        n: The size, a power of two.
        dtype: The element type.

    Returns:
        The matrix, by Sylvester's construction.

    Raises:
        ArgumentError: If `n` is no power of two.

    Example:
        >>> from olympus.scipy.linalg import hadamard
        >>> hadamard(2).tolist()
        [[1, 1], [1, -1]]
    """
    n, kind = integer("hadamard", n, "n", 1), element_type("hadamard", dtype)
    if n & (n - 1):
        raise ArgumentError("hadamard", "the size is no power of two", n, "1, 2, 4, 8, ...")
    made = np.ones((1, 1), int)
    while len(made) < n:
        made = np.block([[made, made], [made, -made]])
    return jnp.asarray(made.astype(kind))


def dft(n: int, scale: str | None = None, *, dtype: DTypeLike | None = None) -> Array:
    """The matrix of the discrete Fourier transform.

    Args:
        n: The size.
        scale: None; ``"sqrtn"`` divides by the root of n, ``"n"`` by n.
        dtype: A complex element type; the default one when left out.

    Returns:
        The matrix: ``exp(-2 pi i j k / n)`` at (j, k), each part within an ULP of 1.

    Raises:
        ArgumentError: If the scale is not known or the type is not complex.

    Example:
        >>> from olympus.scipy.linalg import dft
        >>> abs(dft(4)).tolist()[0]
        [1.0, 1.0, 1.0, 1.0]
    """
    n = integer("dft", n, "n", 0)
    if scale not in (None, "sqrtn", "n"):
        raise ArgumentError("dft", "the scale is not known", described(scale), "None, 'sqrtn' or 'n'")
    kind = scalar_dtype(complex) if dtype is None else element_type("dft", dtype)
    if not dtypes.is_complex(kind):
        raise ArgumentError("dft", "the element type is not complex", kind, "complex64 or complex128")
    turns = np.arange(n)[:, None] * np.arange(n)[None, :] % n  # exact, so that angles stay small
    made = np.exp(-2j * np.pi * turns / n) / {None: 1.0, "sqrtn": math.sqrt(n), "n": n}[scale]
    return cast(made.astype(kind), kind)
