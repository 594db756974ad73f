# SPDX-License-Identifier: Apache-2.0
"""Index helpers: grids and rows by slices, indices of diagonals of given arrays, functional `put` and its kin."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

import numpy as np

from olympus_core.errors import ArgumentError, NotSupportedError

from .. import lax
from ..operands import axis_of, broadcast, broadcast_shape, cast, dtype_of, integer, is_number, shape_of
from ..typing import Array, ArrayLike
from .creation import asarray
from .diagonals import tril_indices, triu_indices
from .indexing import take
from .joining import concatenate, stack
from .ranges import arange, linspace, meshgrid
from .searching import nonzero, where
from .shapes import expand_dims, ravel, reshape
from .ufuncs import as_bool
from .updates import IndexUpdate

__all__ = [
    "c_", "diag_indices_from", "fill_diagonal", "index_exp", "ix_", "mask_indices", "mgrid", "ogrid", "place", "put",
    "put_along_axis", "r_", "s_", "tril_indices_from", "triu_indices_from",
]

index_exp, s_ = np.index_exp, np.s_


def _numbers_of(part: slice) -> Array:
    """The numbers that a slice stands for; an imaginary step counts them, and takes the end with it."""
    start = 0 if part.start is None else part.start
    if part.stop is None:
        raise ArgumentError("grid", "the slice has no end", repr(part), "start:stop or start:stop:step")
    if isinstance(part.step, complex):
        return linspace(start, part.stop, builtins.int(builtins.abs(part.step)))
    return arange(start, part.stop, part.step)


class Grid:
    """`mgrid` and `ogrid`: the coordinates of a grid's points, from slices in brackets.

    Args:
        sparse: Whether dimensions along which nothing changes have size one.
    """

    def __init__(self, sparse: bool) -> None:
        self._sparse = sparse

    def __getitem__(self, key: Any) -> Any:
        """The grid: one array for `mgrid`, a list of arrays for `ogrid`; of a single slice, its numbers."""
        if isinstance(key, slice):
            return _numbers_of(key)
        axes = meshgrid(*(_numbers_of(part) for part in key), indexing="ij", sparse=self._sparse)
        return list(axes) if self._sparse else stack(axes)


class Rows:
    """`r_` and `c_`: arrays joined, from slices, numbers and arrays in brackets.

    Args:
        axis: The dimension along which they are joined.
        ndmin: The least number of dimensions that every part is given.
        place: Where the own dimension of a part with fewer dimensions goes.
    """

    def __init__(self, axis: int = 0, ndmin: int = 1, place: int = -1) -> None:
        self._defaults = axis, ndmin, place

    def __getitem__(self, key: Any) -> Array:
        """The joined array; text in front says ``"axis"``, ``"axis,ndmin"`` or ``"axis,ndmin,place"``."""
        parts = list(key) if isinstance(key, tuple) else [key]
        axis, ndmin, place = self._defaults
        if isinstance(parts[0], str):
            words = parts.pop(0)
            if words in ("r", "c"):
                raise NotSupportedError(f"r_[{words!r}]", "arrays are no matrices", "Join them, then add a dimension.")
            try:
                given = [builtins.int(word) for word in words.split(",")]
            except ValueError as error:
                raise ArgumentError("r_", "the text in front is no axis", repr(words), "'0' or '0,2'") from error
            axis, ndmin, place = (given + [0, ndmin, place][len(given):])[:3]
        found = []
        for part in parts:
            value = _numbers_of(part) if isinstance(part, slice) else asarray(part)
            own = len(shape_of(value)) or 1
            value = reshape(value, shape_of(value) or (1,))
            missing = ndmin - own
            if missing > 0:
                first = place if place >= 0 else missing + 1 + place
                value = expand_dims(value, tuple(d for d in range(ndmin) if not first <= d < first + own))
            found.append(value)
        return concatenate(found, axis)


mgrid, ogrid = Grid(False), Grid(True)
r_, c_ = Rows(), Rows(-1, 2, 0)


def ix_(*args: ArrayLike) -> tuple[Array, ...]:
    """Arrays of indices that together choose the product of rows, columns, and so on.

    Args:
        *args: Arrays of one dimension: indices, or masks with known values.

    Returns:
        The indices, each along a dimension of its own.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.arange(6).reshape(2, 3)[jnp.ix_(jnp.array([0, 1]), jnp.array([2, 0]))].tolist()
        [[2, 0], [5, 3]]
    """
    found = []
    for position, value in enumerate(args):
        part = asarray(value)
        if part.ndim != 1:
            raise ArgumentError("ix_", "an array of indices has not one dimension", f"shape {part.shape}", "one")
        if part.dtype == np.bool_:
            part = nonzero(part)[0]
        if not part.size:
            part = part.astype(int)
        found.append(reshape(part, tuple(-1 if d == position else 1 for d in range(len(args)))))
    return tuple(found)


def diag_indices_from(arr: ArrayLike) -> tuple[Array, ...]:
    """The indices on the main diagonal of an array whose dimensions are equal.

    Args:
        arr: An array of two dimensions or more.

    Returns:
        For each dimension an array of indices.

    Example:
        >>> import olympus.numpy as jnp
        >>> [i.tolist() for i in jnp.diag_indices_from(jnp.ones((2, 2)))]
        [[0, 1], [0, 1]]
    """
    sizes = shape_of(arr)
    if len(sizes) < 2 or len(set(sizes)) != 1:
        raise ArgumentError("diag_indices_from", "the dimensions are not equal", f"shape {sizes}",
                            "two dimensions or more of one size")
    return (arange(sizes[0]),) * len(sizes)


def _matrix(function: str, arr: Any) -> tuple[int, int]:
    sizes = tuple(arr.shape) if hasattr(arr, "shape") else shape_of(arr)
    if len(sizes) != 2:
        raise ArgumentError(function, "the array has not two dimensions", f"shape {sizes}", "a matrix")
    return sizes


def tril_indices_from(arr: ArrayLike, k: int = 0) -> tuple[Array, Array]:
    """The indices on and below a diagonal of a matrix.

    Args:
        arr: A matrix.
        k: Which diagonal.

    Returns:
        The rows and the columns.

    Example:
        >>> import olympus.numpy as jnp
        >>> [i.tolist() for i in jnp.tril_indices_from(jnp.ones((2, 2)))]
        [[0, 1, 1], [0, 0, 1]]
    """
    rows, columns = _matrix("tril_indices_from", arr)
    return tril_indices(rows, k, columns)


def triu_indices_from(arr: ArrayLike, k: int = 0) -> tuple[Array, Array]:
    """The indices on and above a diagonal of a matrix.

    Args:
        arr: A matrix.
        k: Which diagonal.

    Returns:
        The rows and the columns.

    Example:
        >>> import olympus.numpy as jnp
        >>> [i.tolist() for i in jnp.triu_indices_from(jnp.ones((2, 2)))]
        [[0, 0, 1], [0, 1, 1]]
    """
    rows, columns = _matrix("triu_indices_from", arr)
    return triu_indices(rows, k, columns)


def mask_indices(
    n: int, mask_func: Callable[[Any, int], Any], k: int = 0, *, size: int | None = None
) -> tuple[Array, ...]:
    """The indices that a function of matrices such as `triu` keeps.

    Args:
        n: The number of rows and columns.
        mask_func: Takes a matrix of ones and `k`, and gives one with zeros where nothing is wanted.
        k: What it is called with.
        size: How many indices there are to be, as for `nonzero`.

    Returns:
        The rows and the columns.

    Example:
        >>> import olympus.numpy as jnp
        >>> [i.tolist() for i in jnp.mask_indices(2, jnp.triu)]
        [[0, 0, 1], [0, 1, 1]]
    """
    rows = integer("mask_indices", n, "the number of rows", 0)
    return nonzero(mask_func(lax.full((rows, rows), 1, int), k), size=size)


def _refuse_inplace(function: str, inplace: bool) -> None:
    if inplace:
        raise NotSupportedError(f"{function}(inplace=True)", "arrays never change",
                                "Pass inplace=False, and use the function's result.")


def fill_diagonal(a: ArrayLike, val: ArrayLike, wrap: bool = False, *, inplace: bool = True) -> Array:
    """An array with other elements on its main diagonal.

    Args:
        a: An array of two dimensions or more; of more than two, all of one size.
        val: The elements, repeated as often as they fit.
        wrap: Not supported: whether the diagonal of a tall matrix begins anew.
        inplace: Must be False: arrays never change.

    Returns:
        The new array.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.fill_diagonal(jnp.zeros((2, 2)), 7, inplace=False).tolist()
        [[7.0, 0.0], [0.0, 7.0]]
    """
    _refuse_inplace("fill_diagonal", inplace)
    if wrap:
        raise NotSupportedError("fill_diagonal(wrap=True)", "the diagonal begins once", "Set the elements by .at.")
    sizes = shape_of(a)
    if len(sizes) < 2 or (len(sizes) > 2 and len(set(sizes)) != 1):
        raise ArgumentError("fill_diagonal", "the array has no diagonal", f"shape {sizes}",
                            "two dimensions, or more of one size")
    count = min(sizes)
    indices = (arange(count),) * len(sizes)
    return IndexUpdate(asarray(a))[indices].set(_repeated(val, count))


def _repeated(values: Any, count: int) -> Any:
    """The values one after the other, from the first again after the last."""
    if is_number(values) or not shape_of(values) or not count:
        return values if count else 0
    flat = ravel(asarray(values))
    return take(flat, arange(count) % shape_of(flat)[0])


def place(arr: ArrayLike, mask: ArrayLike, vals: ArrayLike, *, inplace: bool = True) -> Array:
    """An array with other elements where a mask is true, taken one after the other.

    Args:
        arr: An array.
        mask: As many bools.
        vals: The elements, used anew from the first after the last.
        inplace: Must be False: arrays never change.

    Returns:
        The new array.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.place(jnp.arange(4), jnp.array([True, False, True, True]), jnp.array([7, 8]), inplace=False).tolist()
        [7, 1, 8, 7]
    """
    _refuse_inplace("place", inplace)
    x, chosen, values = asarray(arr), ravel(as_bool(asarray(mask))), ravel(asarray(vals))
    if x.size != chosen.size:
        raise ArgumentError("place", "the mask has another size", f"{chosen.size} bools", f"{x.size}")
    if not values.size:
        if x.size and bool(chosen.any()):
            raise ArgumentError("place", "there are no elements to place", "none", "one or more")
        return x
    number = chosen.cumsum(dtype=int) - 1
    return reshape(where(chosen, cast(take(values, number % values.size, mode="wrap"), x.dtype), ravel(x)), x.shape)


def put(a: ArrayLike, ind: ArrayLike, v: ArrayLike, mode: str | None = None, *, inplace: bool = True) -> Array:
    """An array with other elements at indices of the flat array.

    Args:
        a: An array.
        ind: Indices; negative ones count from the end.
        v: The elements, used anew from the first after the last.
        mode: For indices outside: ``"clip"`` (the default), ``"wrap"``, or ``"fill"`` and ``"drop"`` to leave them out.
        inplace: Must be False: arrays never change.

    Returns:
        The new array.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.put(jnp.zeros(3), jnp.array([0, 2]), 5, inplace=False).tolist()
        [5.0, 0.0, 5.0]
    """
    _refuse_inplace("put", inplace)
    x, indices = asarray(a), ravel(asarray(ind))
    if mode not in (None, "clip", "wrap", "fill", "drop"):
        raise ArgumentError("put", "the mode is not known", repr(mode), "'clip', 'wrap', 'fill' or 'drop'")
    if mode == "wrap":
        indices = indices % max(x.size, 1)
    how = "clip" if mode in (None, "clip", "wrap") else "drop"
    found = IndexUpdate(ravel(x))[indices].set(_repeated(v, indices.size), mode=how) if indices.size else ravel(x)
    return reshape(found, x.shape)


def put_along_axis(
    arr: ArrayLike, indices: ArrayLike, values: ArrayLike, axis: int | None, inplace: bool = True, *,
    mode: str | None = None,
) -> Array:
    """An array with other elements at indices along a dimension; undoes `take_along_axis`.

    Args:
        arr: An array.
        indices: Integers, with as many dimensions; those outside of the axis broadcast with the array's.
        values: The elements, broadcast to the shape of the indices.
        axis: The dimension; None for the flat array.
        inplace: Must be False: arrays never change.
        mode: For indices outside, as in ``.at``.

    Returns:
        The new array.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.put_along_axis(jnp.zeros((2, 2)), jnp.array([[1], [0]]), 5, 1, inplace=False).tolist()
        [[0.0, 5.0], [5.0, 0.0]]
    """
    _refuse_inplace("put_along_axis", inplace)
    x, chosen = asarray(arr), asarray(indices)
    if axis is None:
        return reshape(put_along_axis(ravel(x), ravel(chosen), ravel(asarray(values)), 0, False, mode=mode), x.shape)
    if x.ndim != chosen.ndim:
        raise ArgumentError("put_along_axis", "array and indices differ in their number of dimensions",
                            f"{x.shape} and {chosen.shape}", "equal numbers")
    d = axis_of("put_along_axis", axis, x.ndim)
    others = broadcast_shape("put_along_axis", [(*s[:d], 1, *s[d + 1:]) for s in (x.shape, chosen.shape)])
    wanted = (*others[:d], chosen.shape[d], *others[d + 1:])
    places = [
        broadcast(chosen, wanted) if i == d else lax.broadcasted_iota(dtype_of(chosen), wanted, i)
        for i in range(x.ndim)]
    return IndexUpdate(x)[tuple(places)].set(asarray(values), mode=mode)
