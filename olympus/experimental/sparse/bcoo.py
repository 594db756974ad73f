# SPDX-License-Identifier: Apache-2.0
"""BCOO: elements and their places, with dimensions in front for many such lists and dense ones behind."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.errors import ArgumentError, described

from ... import numpy as jnp
from ...lax import sort
from ...operands import integer, known_integers, known_primal
from ...transforms.jit import api
from ...trees.nodes import register_pytree_node_class
from ...typing import Array, ArrayLike, DTypeLike
from .base import LATER, JAXSparse, shape_given
from .elements import gathered, inside, over_batches, scattered

__all__ = [
    "BCOO", "bcoo_extract", "bcoo_fromdense", "bcoo_sort_indices", "bcoo_sum_duplicates", "bcoo_todense",
]


@register_pytree_node_class
class BCOO(JAXSparse):
    """A sparse array as a list of elements and a list of their places (batched coordinates).

    The dimensions of the array are batch dimensions, then sparse, then dense ones. Elements whose place lies outside of
    the array are not there; several at one place count as their sum.

    Args:
        args: The elements, of shape ``(*batch, nse, *dense)``, and their places, of shape ``(*batch, nse, n_sparse)``;
            batch dimensions may be of size one for what all indices share.
        shape: The shape of the array.
        indices_sorted: A promise that the places are in order.
        unique_indices: A promise that no place occurs twice.

    Attributes:
        data: The elements.
        indices: Their places, integers.

    Raises:
        ArgumentError: If the parts do not fit together.

    Example:
        >>> import olympus.numpy as jnp
        >>> x = BCOO((jnp.array([2.0, 3.0]), jnp.array([[0, 1], [1, 0]])), shape=(2, 2))
        >>> x
        BCOO(float32[2, 2], nse=2)
        >>> x @ jnp.array([1.0, 10.0])
        Array([20.,  3.], dtype=float32)
    """

    def __init__(
        self, args: tuple[ArrayLike, ArrayLike], *, shape: Sequence[int], indices_sorted: bool = False,
        unique_indices: bool = False,
    ) -> None:
        self.data: Array
        self.indices: Array
        self.data, self.indices = map(jnp.asarray, args)
        self.shape = shape_given("BCOO", shape)
        self.indices_sorted, self.unique_indices = bool(indices_sorted), bool(unique_indices)
        self._check()

    def _check(self) -> None:
        data, indices, shape = self.data, self.indices, self.shape
        n_sparse, n_batch = (indices.shape[-1], indices.ndim - 2) if indices.ndim >= 2 else (-1, -1)
        n_dense = data.ndim - n_batch - 1
        if n_batch < 0 or n_dense < 0 or n_batch + n_sparse + n_dense != len(shape):
            raise ArgumentError(
                "BCOO", "elements, places and shape do not fit together",
                f"elements {data.shape}, places {indices.shape}, shape {shape}",
                "elements (*batch, nse, *dense), places (*batch, nse, n_sparse), shape (*batch, *sparse, *dense)")
        if not dtypes.is_integer(indices.dtype):
            raise ArgumentError("BCOO", "the places are not integers", indices.dtype, "an integer type")
        fits = data.shape[n_batch] == indices.shape[n_batch] and data.shape[n_batch + 1:] == shape[n_batch + n_sparse:]
        for part in (data, indices):
            fits &= all(n in (1, size) for n, size in zip(part.shape[:n_batch], shape, strict=False))
        if not fits:
            raise ArgumentError(
                "BCOO", "sizes of elements, places and shape differ",
                f"elements {data.shape}, places {indices.shape}, shape {shape}",
                f"{n_batch} batch, {n_sparse} sparse, {n_dense} dense dimensions of equal sizes")

    @property
    def n_batch(self) -> int:
        """How many batch dimensions there are."""
        return self.indices.ndim - 2

    @property
    def n_sparse(self) -> int:
        """How many sparse dimensions there are."""
        return self.indices.shape[-1]

    @property
    def n_dense(self) -> int:
        """How many dense dimensions there are."""
        return self.data.ndim - 1 - self.n_batch

    @property
    def nse(self) -> int:
        """How many elements are stored for each index of the batch dimensions."""
        return self.indices.shape[-2]

    @property
    def sparse_shape(self) -> tuple[int, ...]:
        """The sizes of the sparse dimensions."""
        return self.shape[self.n_batch:self.n_batch + self.n_sparse]

    def _layout_text(self) -> str:
        names = (("n_batch", self.n_batch), ("n_dense", self.n_dense))
        return "".join(f", {name}={n}" for name, n in names if n)

    def tree_flatten(self) -> tuple[tuple[Any, Any], Any]:
        """The parts, for `olympus.tree`."""
        return (self.data, self.indices), (self.shape, self.indices_sorted, self.unique_indices)

    @classmethod
    def tree_unflatten(cls, data: Any, children: Any) -> BCOO:
        """Puts an array together of whatever stands for its parts."""
        self = object.__new__(cls)
        self.data, self.indices = children
        self.shape, self.indices_sorted, self.unique_indices = data
        return self

    def with_parts(self, data: Any = None, indices: Any = None, **changes: Any) -> BCOO:
        """The same array but for some parts."""
        facts: dict[str, Any] = {
            "shape": self.shape, "indices_sorted": self.indices_sorted, "unique_indices": self.unique_indices}
        return BCOO((self.data if data is None else data, self.indices if indices is None else indices),
                    **{**facts, **changes})

    @classmethod
    def fromdense(
        cls, mat: ArrayLike, *, nse: int | None = None, index_dtype: DTypeLike = np.int32, n_dense: int = 0,
        n_batch: int = 0,
    ) -> BCOO:
        """The sparse form of an array; see `bcoo_fromdense`."""
        return bcoo_fromdense(mat, nse=nse, index_dtype=index_dtype, n_dense=n_dense, n_batch=n_batch)

    @classmethod
    def from_scipy_sparse(
        cls, mat: Any, *, index_dtype: DTypeLike | None = None, n_dense: int = 0, n_batch: int = 0
    ) -> BCOO:
        """The form of a sparse matrix of SciPy; it has no batch and dense dimensions."""
        if n_dense or n_batch:
            raise ArgumentError("from_scipy_sparse", "SciPy's matrices have sparse dimensions only",
                                f"n_dense={n_dense}, n_batch={n_batch}", "0 and 0")
        coo = mat.tocoo()
        places = np.stack([coo.row, coo.col], axis=1).astype(np.int32 if index_dtype is None else index_dtype)
        return cls((coo.data, places), shape=coo.shape)

    def todense(self) -> Array:
        """The array with all its elements."""
        return bcoo_todense(self)

    def astype(self, dtype: DTypeLike) -> BCOO:
        """The array with elements of another type."""
        return self.with_parts(self.data.astype(dtype))

    def sort_indices(self) -> BCOO:
        """The array with its places in order."""
        return bcoo_sort_indices(self)

    def sum_duplicates(self, nse: int | None = None, remove_zeros: bool = True) -> BCOO:
        """The array with each place at most once; see `bcoo_sum_duplicates`."""
        mat = self
        if remove_zeros:
            mat = _without_zeros(self)
        return bcoo_sum_duplicates(mat, nse)

    def update_layout(
        self, *, n_batch: int | None = None, n_dense: int | None = None, on_inefficient: str | None = "error"
    ) -> BCOO:
        """The array with other numbers of batch and dense dimensions; see `bcoo_update_layout`."""
        found: BCOO = LATER.update_layout(self, n_batch=n_batch, n_dense=n_dense, on_inefficient=on_inefficient)
        return found

    def reshape(self, *args: Any, **kwargs: Any) -> BCOO:
        """The elements in another shape; batch and dense dimensions must stay."""
        found: BCOO = LATER.sparsify(lambda x: x.reshape(*args, **kwargs))(self)
        return found

    def transpose(self, axes: Sequence[int] | None = None) -> BCOO:
        """The dimensions in another order; batch, sparse and dense ones each among themselves."""
        order = tuple(range(self.ndim))[::-1] if axes is None else axes
        found: BCOO = LATER.transpose(self, permutation=order)
        return found


@api
def bcoo_todense(mat: BCOO) -> Array:
    """The dense array of a sparse one.

    Args:
        mat: A sparse array.

    Returns:
        An array of the same shape and element type.

    Example:
        >>> import olympus.numpy as jnp
        >>> bcoo_todense(BCOO((jnp.array([2, 3, 4]), jnp.array([[0], [2], [2]])), shape=(4,)))
        Array([2, 0, 7, 0], dtype=int32)
    """
    shape = mat.sparse_shape
    dense = over_batches(lambda data, places: scattered(data, places, shape), mat.n_batch, mat.data, mat.indices)
    return jnp.broadcast_to(dense, mat.shape)


def bcoo_fromdense(
    mat: ArrayLike, *, nse: int | None = None, n_batch: int = 0, n_dense: int = 0, index_dtype: DTypeLike = np.int32
) -> BCOO:
    """The sparse form of a dense array.

    Args:
        mat: An array.
        nse: How many elements to store for each index of the batch dimensions; None for the most that are not zero,
            which must then be known. Further ones are left out; where there are fewer, places outside fill up.
        n_batch: How many dimensions in front are batch dimensions.
        n_dense: How many dimensions at the end are stored whole.
        index_dtype: The integer type of places.

    Returns:
        The sparse array.

    Raises:
        ConcretizationError: If `nse` is None and the array is traced.

    Example:
        >>> import olympus.numpy as jnp
        >>> x = bcoo_fromdense(jnp.array([[0.0, 5.0], [6.0, 0.0]]))
        >>> x.data, x.indices
        (Array([5., 6.], dtype=float32), Array([[0, 1],
               [1, 0]], dtype=int32))
    """
    array = jnp.asarray(mat)
    batch = integer("bcoo_fromdense", n_batch, "the number of batch dimensions", 0)
    dense = integer("bcoo_fromdense", n_dense, "the number of dense dimensions", 0)
    if batch + dense > array.ndim:
        raise ArgumentError("bcoo_fromdense", "there are not as many dimensions", f"n_batch={batch}, n_dense={dense}",
                            f"at most {array.ndim} together")
    if nse is None:
        host = known_primal("bcoo_fromdense", array, "the array (nse is None)") != 0
        counts = host.any(axis=tuple(range(array.ndim - dense, array.ndim))).sum(
            axis=tuple(range(batch, array.ndim - dense)))
        nse = int(counts.max()) if counts.size else 0
    count = integer("bcoo_fromdense", nse, "the number of elements", 0)
    kind = jnp.dtype(jnp.result_type(index_dtype))
    indices = _places(array, count=count, n_batch=batch, n_dense=dense, kind=kind)
    data = _extracted(indices, array, n_batch=batch)
    return BCOO((data, indices), shape=array.shape, indices_sorted=True, unique_indices=True)


@api(static=("count", "n_batch", "n_dense", "kind"))
def _places(array: Any, count: int, n_batch: int, n_dense: int, kind: np.dtype) -> Any:
    mask = jnp.any(array != 0, axis=tuple(range(array.ndim - n_dense, array.ndim)))
    shape = mask.shape[n_batch:]

    def places(mask: Any) -> Any:
        if not shape:
            return jnp.zeros((count, 0), kind)
        found = jnp.nonzero(mask, size=count, fill_value=shape)
        return jnp.stack(found, axis=-1).astype(kind)

    return over_batches(places, n_batch, mask)


@api(static=("n_batch",))
def _extracted(indices: Any, array: Any, n_batch: int) -> Any:
    def extracted(places: Any, dense: Any) -> Any:
        found = gathered(dense, places)
        if places.shape[1]:
            return found
        is_first = (jnp.arange(places.shape[0]) == 0).reshape(-1, *(1,) * dense.ndim)
        return jnp.where(is_first, found, jnp.zeros((), found.dtype))  # there is one place: the first one has it

    return over_batches(extracted, n_batch, indices, array)


def bcoo_extract(sparr: BCOO, arr: ArrayLike, *, assume_unique: bool | None = None) -> BCOO:
    """The elements of a dense array at the places of a sparse one.

    Args:
        sparr: A sparse array.
        arr: A dense array of the same shape.
        assume_unique: Whether no place occurs twice; None for what the sparse array promises. Of places that do
            occur twice the first one gets the element, so that the result is the dense array's at these places.

    Returns:
        A sparse array with these elements.

    Raises:
        ArgumentError: If the shapes differ.

    Example:
        >>> import olympus.numpy as jnp
        >>> x = BCOO((jnp.ones(2), jnp.array([[0], [2]])), shape=(4,))
        >>> bcoo_extract(x, jnp.arange(4.0)).data
        Array([0., 2.], dtype=float32)
    """
    dense = jnp.asarray(arr)
    if dense.shape != sparr.shape:
        raise ArgumentError("bcoo_extract", "the shapes differ", dense.shape, sparr.shape)
    indices = sparr.indices
    if not (sparr.unique_indices if assume_unique is None else assume_unique):
        indices = _first_ones(indices, shape=sparr.sparse_shape, n_batch=sparr.n_batch)
    return sparr.with_parts(_extracted(indices, dense, n_batch=sparr.n_batch))


@api(static=("shape", "n_batch"))
def _first_ones(indices: Any, shape: tuple[int, ...], n_batch: int) -> Any:
    """Places, those that occurred before moved outside."""
    def first(places: Any) -> Any:
        if not shape:  # all are at the one place that there is: nothing can stand outside of it
            return places
        order, is_new = ordered(places, shape)
        seen = jnp.zeros(places.shape[0], bool).at[order].set(is_new)
        return jnp.where(seen[:, None], places, jnp.array(shape, places.dtype))

    return over_batches(first, n_batch, indices)


def ordered(places: Any, shape: tuple[int, ...]) -> tuple[Any, Any]:
    """An order that sorts places, those outside last, and whether each in that order is another than the one before."""
    count = places.shape[0]
    clamped = jnp.where(inside(places, shape)[:, None], places, jnp.array(shape, places.dtype))
    columns = [clamped[:, i] for i in range(len(shape))]
    *found, order = sort((*columns, jnp.arange(count)), num_keys=len(shape))
    changes = [jnp.concatenate([jnp.ones(min(count, 1), bool), x[1:] != x[:-1]]) for x in found]
    return order, any_of(changes)


def any_of(masks: Sequence[Any]) -> Any:
    """Whether any of some masks is true, element by element."""
    *_, total = itertools.accumulate(masks, operator.or_)
    return total


@api
def bcoo_sort_indices(mat: BCOO) -> BCOO:
    """A sparse array with its places in order.

    Args:
        mat: A sparse array.

    Returns:
        The same array, its elements sorted by their places; those outside come last.

    Example:
        >>> import olympus.numpy as jnp
        >>> bcoo_sort_indices(BCOO((jnp.array([1, 2]), jnp.array([[3], [0]])), shape=(4,))).data
        Array([2, 1], dtype=int32)
    """
    if mat.indices_sorted or not mat.n_sparse:
        return mat.with_parts(indices_sorted=True)
    shape = mat.sparse_shape

    def in_order(data: Any, places: Any) -> Any:
        order, _ = ordered(places, shape)
        return data[order], places[order]

    data, indices = over_batches(in_order, mat.n_batch, mat.data, mat.indices)
    return mat.with_parts(data, indices, indices_sorted=True)


def _without_zeros(mat: BCOO) -> BCOO:
    """Elements that are zero moved outside, so that they take no room in sums of duplicates."""
    if not mat.n_sparse:
        return mat
    axes = tuple(range(mat.n_batch + 1, mat.data.ndim))
    is_there = jnp.any(mat.data != 0, axis=axes)
    outside = jnp.array(mat.sparse_shape, mat.indices.dtype)
    indices = jnp.where(is_there[..., None], mat.indices, outside)
    return mat.with_parts(indices=indices, indices_sorted=False, unique_indices=False)


def bcoo_sum_duplicates(mat: BCOO, nse: int | None = None) -> BCOO:
    """A sparse array in which each place occurs at most once, in order.

    Args:
        mat: A sparse array.
        nse: How many elements to store for each index of the batch dimensions; None for the most that differ, which
            must then be known. What finds no room is left out.

    Returns:
        The array; elements at one place are added.

    Raises:
        ConcretizationError: If `nse` is None and the places are traced.

    Example:
        >>> import olympus.numpy as jnp
        >>> x = bcoo_sum_duplicates(BCOO((jnp.array([1, 2, 5]), jnp.array([[3], [0], [3]])), shape=(4,)))
        >>> x.data, x.indices.ravel()
        (Array([2, 6], dtype=int32), Array([0, 3], dtype=int32))
    """
    if nse is None:
        nse = _most_places(mat)
    count = integer("bcoo_sum_duplicates", nse, "the number of elements", 0)
    data, indices = _summed(mat.data, mat.indices, shape=mat.sparse_shape, n_batch=mat.n_batch, count=count)
    return mat.with_parts(data, indices, indices_sorted=True, unique_indices=True)


def _most_places(mat: BCOO) -> int:
    host = known_integers("bcoo_sum_duplicates", mat.indices, "the places (nse is None)")
    if not mat.n_sparse:
        return min(1, mat.nse)
    is_inside = (host < np.array(mat.sparse_shape)).all(axis=-1)
    rows = zip(host.reshape(-1, *host.shape[-2:]), is_inside.reshape(-1, host.shape[-2]), strict=True)
    return max((len(np.unique(places[kept], axis=0)) for places, kept in rows), default=0)


@api(static=("shape", "n_batch", "count"))
def _summed(data: Any, indices: Any, shape: tuple[int, ...], n_batch: int, count: int) -> Any:
    def summed(data: Any, places: Any) -> Any:
        if not shape:
            total = scattered(data, places, ())[None]
            return (total if count else total[:0]), jnp.zeros((min(count, 1), 0), places.dtype)
        order, is_new = ordered(places, shape)
        sorted_places = places[order]
        is_inside = inside(sorted_places, shape)
        number = jnp.where(is_inside, jnp.cumsum(is_new) - 1, count)  # which of the different places
        outside = jnp.broadcast_to(jnp.array(shape, places.dtype), (count, len(shape)))
        return (scattered(data[order], number[:, None], (count,)),
                outside.at[number].set(sorted_places, mode="drop"))

    data, indices = over_batches(summed, n_batch, data, indices)
    return data, indices


def argument(function: str, value: Any) -> BCOO:
    """An argument that must be a BCOO array."""
    if not isinstance(value, BCOO):
        raise ArgumentError(function, "the argument is not a BCOO array", described(value), "a sparse.BCOO")
    return value
