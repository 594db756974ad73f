# SPDX-License-Identifier: Apache-2.0
"""Products of sparse arrays: with dense ones, with each other, element by element."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from olympus_core.errors import ArgumentError, NotSupportedError

from ... import numpy as jnp
from ...operands import element_type, integers
from ...transforms.jit import api
from ...typing import Array, ArrayLike, DTypeLike
from .bcoo import BCOO, argument, bcoo_sum_duplicates, ordered
from .elements import gathered, inside, over_batches, scattered

__all__ = ["bcoo_dot_general", "bcoo_dot_general_sampled", "bcoo_multiply_dense", "bcoo_multiply_sparse"]

DimensionNumbers = tuple[tuple[Sequence[int], Sequence[int]], tuple[Sequence[int], Sequence[int]]]


@dataclass(frozen=True)
class _Labels:
    """Names of dimensions: two operands' dimensions of one name are multiplied index by index.

    Attributes:
        batch: Of the sparse operand's batch dimensions.
        sparse: Of its sparse dimensions.
        dense: Of its dense dimensions.
        other: Of the dense operand's dimensions.
        out: Of the result's; what is not among them is summed.
    """

    batch: tuple[int, ...]
    sparse: tuple[int, ...]
    dense: tuple[int, ...]
    other: tuple[int, ...]
    out: tuple[int, ...]


def _dimension_numbers(
    function: str, given: Any, lhs: Any, rhs: Any
) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    try:
        (lc, rc), (lb, rb) = given
    except (TypeError, ValueError):
        raise ArgumentError(function, "the dimension numbers do not fit", repr(given),
                            "((lhs_contracting, rhs_contracting), (lhs_batch, rhs_batch))") from None
    lc, rc, lb, rb = (integers(function, x, "a dimension") for x in (lc, rc, lb, rb))
    for x, own in ((lhs, (*lc, *lb)), (rhs, (*rc, *rb))):
        if len(set(own)) != len(own) or not all(0 <= d < x.ndim for d in own):
            raise ArgumentError(function, "a dimension is named twice or is not there", own,
                                f"different dimensions below {x.ndim}")
    if [lhs.shape[d] for d in (*lc, *lb)] != [rhs.shape[d] for d in (*rc, *rb)]:
        raise ArgumentError(function, "paired dimensions differ in size", f"{lhs.shape} and {rhs.shape}",
                            "equal sizes in contracted and batch dimensions")
    return lc, rc, lb, rb


def _labelled(lhs: Any, rhs: Any, numbers: Any) -> tuple[list[int], list[int], tuple[int, ...]]:
    """Names of the dimensions of both operands and of the result."""
    lc, rc, lb, rb = numbers
    left = list(range(lhs.ndim))
    right = [lhs.ndim + d for d in range(rhs.ndim)]
    for one, other in zip((*lc, *lb), (*rc, *rb), strict=True):
        right[other] = left[one]
    out = (*(left[d] for d in lb), *(left[d] for d in range(lhs.ndim) if d not in (*lc, *lb)),
           *(right[d] for d in range(rhs.ndim) if d not in (*rc, *rb)))
    return left, right, out


def bcoo_dot_general(
    lhs: BCOO | ArrayLike, rhs: BCOO | ArrayLike, *, dimension_numbers: DimensionNumbers, precision: Any = None,
    preferred_element_type: DTypeLike | None = None, out_sharding: Any = None,
) -> Any:
    """The general dot product of two arrays of which one or both are sparse.

    Args:
        lhs: An array.
        rhs: Another one.
        dimension_numbers: Contracted dimensions of both, and batch dimensions of both, as in `olympus.lax.dot_general`.
        precision: Accepted; products are computed in the elements' type.
        preferred_element_type: The result's element type; None for the common one.
        out_sharding: Accepted as None only.

    Returns:
        A dense array if one operand is dense, else a sparse one. Dimensions: the batch dimensions, what remains of
        `lhs`, what remains of `rhs`.

    Raises:
        ArgumentError: If the dimensions do not fit.
        NotSupportedError: For two sparse arrays with dense dimensions, or whose batch dimensions are contracted.

    Example:
        >>> import olympus.numpy as jnp
        >>> x = BCOO.fromdense(jnp.array([[0.0, 2.0], [3.0, 0.0]]))
        >>> bcoo_dot_general(x, jnp.ones(2), dimension_numbers=(((1,), (0,)), ((), ())))
        Array([2., 3.], dtype=float32)
    """
    one: Any = lhs if isinstance(lhs, BCOO) else jnp.asarray(lhs)
    other: Any = rhs if isinstance(rhs, BCOO) else jnp.asarray(rhs)
    if not isinstance(one, BCOO) and not isinstance(other, BCOO):
        raise ArgumentError("bcoo_dot_general", "neither operand is sparse", f"{one!r}, {other!r}", "one BCOO or two")
    if out_sharding is not None:
        raise NotSupportedError("bcoo_dot_general(out_sharding=...)", "sparse results follow their operands' sharding",
                                "Reshard the result.")
    numbers = _dimension_numbers("bcoo_dot_general", dimension_numbers, one, other)
    kind = jnp.result_type(one.dtype, other.dtype)
    if preferred_element_type is not None:
        kind = element_type("bcoo_dot_general", preferred_element_type)
    if isinstance(one, BCOO) and isinstance(other, BCOO):
        return _sparse_product(one, other, numbers, kind)
    left, right, out = _labelled(one, other, numbers)
    sparse, dense, own, others = (one, other, left, right) if isinstance(one, BCOO) else (other, one, right, left)
    n, k = sparse.n_batch, sparse.n_batch + sparse.n_sparse
    labels = _Labels(tuple(own[:n]), tuple(own[n:k]), tuple(own[k:]), tuple(others), out)
    return _product(sparse.data, sparse.indices, dense, shape=sparse.shape, labels=labels, dtype=kind)


@api(static=("shape", "labels", "dtype"))
def _product(
    data: Any, indices: Any, dense: Any, shape: tuple[int, ...], labels: _Labels, dtype: np.dtype
) -> Any:
    data, dense = data.astype(dtype), dense.astype(dtype)
    sizes = dict(zip((*labels.batch, *labels.sparse, *labels.dense), shape, strict=True))
    # The dense operand: the batch dimensions that it shares in front, size one for those that it has not.
    shared = [x for x in labels.batch if x in labels.other]
    rest = [x for x in labels.other if x not in shared]
    dense = jnp.transpose(dense, [labels.other.index(x) for x in (*shared, *rest)])
    dense = dense.reshape([sizes[x] if x in shared else 1 for x in labels.batch] + list(dense.shape[len(shared):]))
    named = iter(_Letters())
    letter = {x: next(named) for x in (*labels.sparse, *labels.dense, *rest)}
    element = next(named)
    # The dimensions along which elements say where they stand come first, in the dense operand and in the result.
    indexed = [i for i, x in enumerate(labels.sparse) if x in rest]
    placed = [i for i, x in enumerate(labels.sparse) if x in labels.out]
    lookups = [labels.sparse[i] for i in indexed]
    free = [x for x in rest if x not in lookups]
    kept = list(dict.fromkeys(x for x in (*labels.dense, *free) if x in labels.out))
    sparse_shape = tuple(sizes[x] for x in labels.sparse)

    def kernel(data: Any, places: Any, dense: Any) -> Any:
        dense = jnp.transpose(dense, [rest.index(x) for x in (*lookups, *free)])
        found = gathered(dense, places[:, indexed]) if indexed else dense
        is_there = inside(places, sparse_shape).reshape(-1, *(1,) * (data.ndim - 1))
        data = jnp.where(is_there, data, jnp.zeros((), dtype))  # outside may stand anything, NaN too
        left = element + "".join(letter[x] for x in labels.dense)
        right = (element if indexed else "") + "".join(letter[x] for x in free)
        result = "".join(letter[x] for x in kept)
        if not placed:
            return jnp.einsum(f"{left},{right}->{result}", data, found)
        products = jnp.einsum(f"{left},{right}->{element}{result}", data, found)
        return scattered(products, places[:, placed], tuple(sizes[labels.sparse[i]] for i in placed))

    found = over_batches(kernel, len(labels.batch), data, indices, dense)
    batches = [d for d, x in enumerate(labels.batch) if x not in labels.out]
    found = jnp.broadcast_to(found, (*(sizes[x] for x in labels.batch), *found.shape[len(labels.batch):]))
    summed = jnp.sum(found, axis=tuple(batches), dtype=dtype)
    order = [x for x in labels.batch if x in labels.out] + [labels.sparse[i] for i in placed] + kept
    return jnp.transpose(summed, [order.index(x) for x in labels.out])


class _Letters:
    def __iter__(self) -> Any:
        return iter("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")


def _sparse_product(lhs: BCOO, rhs: BCOO, numbers: Any, dtype: np.dtype) -> BCOO:
    """The product of two sparse arrays: for each pair of elements whose contracted places agree, one element."""
    lc, rc, lb, rb = numbers
    n = len(lb)
    if lhs.n_dense or rhs.n_dense or lb != tuple(range(lhs.n_batch)) or rb != tuple(range(rhs.n_batch)):
        raise NotSupportedError(
            "bcoo_dot_general of two sparse arrays with dense dimensions, or with batch dimensions that are not the "
            "product's", "their product has no form with few elements",
            "Change a layout with bcoo_update_layout, or convert one operand with todense().")
    own, others = [d - n for d in lc], [d - n for d in rc]
    left = [d for d in range(lhs.n_sparse) if d not in own]
    right = [d for d in range(rhs.n_sparse) if d not in others]
    sparse = tuple(lhs.sparse_shape[d] for d in left) + tuple(rhs.sparse_shape[d] for d in right)
    shape = (*lhs.shape[:n], *sparse)
    data, indices = _pairs(lhs.data, lhs.indices, rhs.data, rhs.indices, n_batch=n, own=tuple(own),
                           others=tuple(others), left=tuple(left), right=tuple(right),
                           shapes=(lhs.sparse_shape, rhs.sparse_shape), dtype=dtype)
    found = BCOO((data, indices), shape=shape)
    most = math.prod(sparse)
    return bcoo_sum_duplicates(found, nse=most) if found.nse > most else found


@api(static=("n_batch", "own", "others", "left", "right", "shapes", "dtype"))
def _pairs(
    data: Any, indices: Any, other_data: Any, other_indices: Any, n_batch: int, own: tuple[int, ...],
    others: tuple[int, ...], left: tuple[int, ...], right: tuple[int, ...], shapes: Any, dtype: np.dtype,
) -> Any:
    def pairs(a: Any, ai: Any, b: Any, bi: Any) -> Any:
        agree = inside(ai, shapes[0])[:, None] & inside(bi, shapes[1])[None, :]
        for one, other in zip(own, others, strict=True):
            agree &= ai[:, one, None] == bi[None, :, other]
        products = jnp.where(agree, a.astype(dtype)[:, None] * b.astype(dtype)[None, :], jnp.zeros((), dtype))
        size = agree.shape
        kind = jnp.promote_types(ai.dtype, bi.dtype)
        places = jnp.concatenate([
            jnp.broadcast_to(ai.astype(kind)[:, None, list(left)], (*size, len(left))),
            jnp.broadcast_to(bi.astype(kind)[None, :, list(right)], (*size, len(right)))], axis=-1)
        ends = [shapes[0][d] for d in left] + [shapes[1][d] for d in right]
        places = jnp.where(agree[..., None], places, jnp.array(ends, kind))
        return products.reshape(-1), places.reshape(products.size, len(ends))

    return over_batches(pairs, n_batch, data, indices, other_data, other_indices)


def bcoo_dot_general_sampled(
    A: ArrayLike, B: ArrayLike, indices: ArrayLike, *, dimension_numbers: DimensionNumbers
) -> Array:
    """Elements of the general dot product of two dense arrays, those at some places only.

    Args:
        A: An array.
        B: Another one.
        indices: The places, integers of shape ``(*batch, n, k)``: the batch dimensions are the product's, and places
            name indices of its next k dimensions.
        dimension_numbers: As in `olympus.lax.dot_general`.

    Returns:
        An array of shape ``(*batch, n, *rest)``, zero for places outside.

    Raises:
        ArgumentError: If dimensions do not fit.

    Example:
        >>> import olympus.numpy as jnp
        >>> bcoo_dot_general_sampled(jnp.eye(2), 3 * jnp.ones((2, 2)), jnp.array([[0, 1]]),
        ...                          dimension_numbers=(((1,), (0,)), ((), ())))
        Array([3.], dtype=float32)
    """
    one, other, places = jnp.asarray(A), jnp.asarray(B), jnp.asarray(indices)
    numbers = _dimension_numbers("bcoo_dot_general_sampled", dimension_numbers, one, other)
    n_batch = places.ndim - 2
    if n_batch != len(numbers[2]):
        raise ArgumentError("bcoo_dot_general_sampled", "the places' batch dimensions are not the product's",
                            places.shape, f"{len(numbers[2])} batch dimensions, then places")
    left, right, out = _labelled(one, other, numbers)
    return _sampled(one, other, places, left=tuple(left), right=tuple(right), out=out, n_batch=n_batch)


@api(static=("left", "right", "out", "n_batch"))
def _sampled(
    one: Any, other: Any, places: Any, left: tuple[int, ...], right: tuple[int, ...], out: tuple[int, ...],
    n_batch: int,
) -> Any:
    batch, chosen = out[:n_batch], out[n_batch:n_batch + places.shape[-1]]
    letters = dict(zip(dict.fromkeys((*left, *right)), _Letters(), strict=False))
    element = "Z"

    def arranged(x: Any, labels: tuple[int, ...]) -> tuple[Any, list[int], list[int]]:
        looked_up = [c for c in chosen if c in labels]
        rest = [c for c in labels if c not in (*batch, *looked_up)]
        return jnp.transpose(x, [labels.index(c) for c in (*batch, *looked_up, *rest)]), looked_up, rest

    (one, first, rest), (other, second, others) = arranged(one, left), arranged(other, right)
    sizes = {**dict(zip((*batch, *first), one.shape, strict=False)),
             **dict(zip((*batch, *second), other.shape, strict=False))}

    def sampled(a: Any, b: Any, places: Any) -> Any:
        is_inside = inside(places, tuple(sizes[c] for c in chosen))
        found = [gathered(x, places[:, [chosen.index(c) for c in own]]) for x, own in ((a, first), (b, second))]
        free = [c for c in out[n_batch + len(chosen):]]
        texts = [element + "".join(letters[c] for c in own) for own in (rest, others, free)]
        values = jnp.einsum(f"{texts[0]},{texts[1]}->{texts[2]}", *found)
        return jnp.where(is_inside.reshape(-1, *(1,) * len(free)), values, jnp.zeros((), values.dtype))

    return over_batches(sampled, n_batch, one, other, places)


def bcoo_multiply_dense(sp_mat: BCOO, v: ArrayLike) -> Array:
    """The stored elements of a sparse array times a dense one.

    Args:
        sp_mat: A sparse array.
        v: A dense array that can be broadcast to its shape.

    Returns:
        The products: the elements of a sparse array with the same places.

    Example:
        >>> import olympus.numpy as jnp
        >>> x = BCOO.fromdense(jnp.array([[0.0, 2.0], [3.0, 0.0]]))
        >>> bcoo_multiply_dense(x, jnp.array([10.0, 100.0]))
        Array([200.,  30.], dtype=float32)
    """
    mat = argument("bcoo_multiply_dense", sp_mat)
    dense = jnp.asarray(v)
    if jnp.broadcast_shapes(mat.shape, dense.shape) != mat.shape:
        raise ArgumentError("bcoo_multiply_dense", "the dense array is not broadcast to the sparse one", dense.shape,
                            f"a shape that fits {mat.shape}")
    return _multiplied(mat.data, mat.indices, dense, ndim=mat.ndim)


@api(static=("ndim", "divide"))
def _multiplied(data: Any, indices: Any, dense: Any, ndim: int, divide: bool = False) -> Any:
    dense = dense.reshape((1,) * (ndim - dense.ndim) + dense.shape)
    n_batch, n_sparse = indices.ndim - 2, indices.shape[-1]
    # Along dimensions of size one every place is the first.
    looked_up = [d for d in range(n_sparse) if dense.shape[n_batch + d] != 1]
    ends = tuple(dense.shape[n_batch + d] for d in looked_up)

    def multiplied(data: Any, places: Any, dense: Any) -> Any:
        dense = dense.reshape([n for d, n in enumerate(dense.shape) if d >= n_sparse or d in looked_up])
        places = places[:, looked_up]
        found = gathered(dense, places)
        if not divide:
            return data * found
        is_there = inside(places, ends).reshape(-1, *(1,) * (found.ndim - 1))
        return data / jnp.where(is_there, found, jnp.ones((), found.dtype))

    return over_batches(multiplied, n_batch, data, indices, dense)


def divided(mat: BCOO, dense: Any) -> BCOO:
    """A sparse array divided by a dense one that can be broadcast to its shape."""
    return mat.with_parts(_multiplied(mat.data, mat.indices, dense, ndim=mat.ndim, divide=True))


def bcoo_multiply_sparse(lhs: BCOO, rhs: BCOO) -> BCOO:
    """The product of two sparse arrays, element by element.

    Args:
        lhs: A sparse array.
        rhs: Another one of the same shape and numbers of batch and dense dimensions.

    Returns:
        A sparse array with the places of `lhs`.

    Raises:
        ArgumentError: If shapes or layouts differ.

    Example:
        >>> import olympus.numpy as jnp
        >>> x = BCOO.fromdense(jnp.array([0.0, 2.0, 3.0]))
        >>> bcoo_multiply_sparse(x, BCOO.fromdense(jnp.array([5.0, 5.0, 0.0]))).todense()
        Array([ 0., 10.,  0.], dtype=float32)
    """
    one, other = argument("bcoo_multiply_sparse", lhs), argument("bcoo_multiply_sparse", rhs)
    if (one.shape, one.n_batch, one.n_dense) != (other.shape, other.n_batch, other.n_dense):
        raise ArgumentError("bcoo_multiply_sparse", "shapes or layouts differ", f"{one!r}, {other!r}",
                            "equal shapes and numbers of batch and dense dimensions")
    if not other.unique_indices:
        other = bcoo_sum_duplicates(other, nse=other.nse)
    return one.with_parts(_matched(one.data, one.indices, other.data, other.indices, shape=one.sparse_shape))


@api(static=("shape",))
def _matched(data: Any, indices: Any, other_data: Any, other_indices: Any, shape: tuple[int, ...]) -> Any:
    """Elements times those that stand at the same places of another array, in which no place occurs twice."""
    def matched(a: Any, ai: Any, b: Any, bi: Any) -> Any:
        if not shape:
            return a * jnp.sum(b, axis=0, dtype=b.dtype)
        # Both lists of places sorted together: equal places follow each other, the other array's one first.
        count, size = bi.shape[0], bi.shape[0] + ai.shape[0]
        outside = jnp.array(shape, ai.dtype)
        both = jnp.concatenate([bi.astype(ai.dtype), ai])
        both = jnp.where(inside(both, shape)[:, None], both, outside)
        order, is_new = ordered(both, shape)
        group = jnp.cumsum(is_new) - 1
        is_other = order < count
        held = scattered(jnp.where(is_other, order, 0), group[:, None], (size,))
        has = scattered(is_other & inside(both[order], shape), group[:, None], (size,))
        mine = jnp.zeros(size, group.dtype).at[order].set(group)[count:]
        factors = b[held[mine]] if count else jnp.zeros((ai.shape[0], *b.shape[1:]), b.dtype)
        there = has[mine].reshape(-1, *(1,) * (b.ndim - 1))
        return a * jnp.where(there, factors, jnp.zeros((), b.dtype))

    return over_batches(matched, indices.ndim - 2, data, indices, other_data, other_indices)
