# SPDX-License-Identifier: Apache-2.0
"""Sparse arrays in other shapes: elements stay, their places move."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from olympus_core.errors import ArgumentError, NotSupportedError

from ... import lax
from ... import numpy as jnp
from ...operands import integers
from ...transforms.jit import api
from ...typing import ArrayLike
from .base import LATER
from .bcoo import BCOO, argument, bcoo_sum_duplicates
from .elements import inside

__all__ = [
    "bcoo_broadcast_in_dim", "bcoo_concatenate", "bcoo_dynamic_slice", "bcoo_reduce_sum", "bcoo_reshape", "bcoo_rev",
    "bcoo_slice", "bcoo_squeeze", "bcoo_transpose",
]


def _split(mat: BCOO, dims: Sequence[int]) -> tuple[list[int], list[int], list[int]]:
    """Dimensions by kind, each counted from the first one of its kind."""
    n, k = mat.n_batch, mat.n_batch + mat.n_sparse
    return [d for d in dims if d < n], [d - n for d in dims if n <= d < k], [d - k for d in dims if d >= k]


@api(static=("permutation",))
def bcoo_transpose(mat: BCOO, *, permutation: Sequence[int]) -> BCOO:
    """The dimensions of a sparse array in another order.

    Args:
        mat: A sparse array.
        permutation: For each dimension of the result that of the array; batch, sparse and dense dimensions each stay
            among themselves.

    Returns:
        The array with its dimensions permuted.

    Raises:
        ArgumentError: If it is no permutation.
        NotSupportedError: If a dimension would be of another kind.

    Example:
        >>> import olympus.numpy as jnp
        >>> x = BCOO.fromdense(jnp.array([[0, 2, 3]]))
        >>> bcoo_transpose(x, permutation=(1, 0)).indices.tolist()
        [[1, 0], [2, 0]]
    """
    order = integers("bcoo_transpose", permutation, "a dimension")
    order = tuple(d + mat.ndim if d < 0 else d for d in order)
    if sorted(order) != list(range(mat.ndim)):
        raise ArgumentError("bcoo_transpose", "it is no permutation of the dimensions", order,
                            f"of 0 to {mat.ndim - 1}")
    batch, sparse, dense = _split(mat, order)
    n = mat.n_batch
    if [*batch, *(d + n for d in sparse), *(d + n + mat.n_sparse for d in dense)] != list(order):
        raise NotSupportedError(f"bcoo_transpose(permutation={order})", "a dimension would be of another kind",
                                "Change the layout first, with x.update_layout(n_batch=..., n_dense=...).")
    data = jnp.transpose(mat.data, [*batch, n, *(n + 1 + d for d in dense)])
    indices = jnp.transpose(mat.indices, [*batch, n, n + 1])[..., sparse]
    stays = sparse == sorted(sparse)
    return mat.with_parts(data, indices, shape=[mat.shape[d] for d in order],
                          indices_sorted=mat.indices_sorted and stays)


@api(static=("axes",))
def bcoo_reduce_sum(mat: BCOO, *, axes: Sequence[int]) -> BCOO:
    """The sum of a sparse array over dimensions.

    Args:
        mat: A sparse array.
        axes: The dimensions.

    Returns:
        A sparse array without these dimensions; a place may occur several times.

    Example:
        >>> import olympus.numpy as jnp
        >>> bcoo_reduce_sum(BCOO.fromdense(jnp.array([[0, 2], [3, 4]])), axes=(0,)).todense()
        Array([3, 6], dtype=int32)
    """
    summed = tuple(sorted(set(integers("bcoo_reduce_sum", axes, "a dimension"))))
    if summed and not 0 <= summed[0] <= summed[-1] < mat.ndim:
        raise ArgumentError("bcoo_reduce_sum", "there is no such dimension", axes, f"from 0 to {mat.ndim - 1}")
    batch, sparse, dense = _split(mat, summed)
    n = mat.n_batch
    data = jnp.sum(mat.data, axis=tuple(n + 1 + d for d in dense), dtype=mat.dtype)
    indices = mat.indices
    if sparse:
        # What stands outside in a dimension that goes would be inside of the others.
        is_inside = inside(indices, mat.sparse_shape)
        is_inside = is_inside.reshape(*is_inside.shape, *(1,) * (data.ndim - n - 1))
        data = jnp.where(is_inside, data, jnp.zeros((), data.dtype))
        indices = indices[..., [d for d in range(mat.n_sparse) if d not in sparse]]
    if batch:
        # The elements of all indices of a batch dimension that goes become one list.
        kept = [d for d in range(n) if d not in batch]
        sizes = mat.shape[:n]
        data = jnp.broadcast_to(data, (*sizes, *data.shape[n:]))
        indices = jnp.broadcast_to(indices, (*sizes, *indices.shape[n:]))
        data = jnp.transpose(data, [*kept, *batch, *range(n, data.ndim)])
        indices = jnp.transpose(indices, [*kept, *batch, n, n + 1])
        rows = math.prod(sizes[d] for d in batch) * mat.nse
        shape = [sizes[d] for d in kept]
        data = data.reshape(*shape, rows, *data.shape[n + 1:])
        indices = indices.reshape(*shape, rows, indices.shape[-1])
    shape = [size for d, size in enumerate(mat.shape) if d not in summed]
    plain = not batch and not sparse
    return mat.with_parts(data, indices, shape=shape, indices_sorted=mat.indices_sorted and plain,
                          unique_indices=mat.unique_indices and plain)


@api(static=("new_sizes", "dimensions", "sharding"))
def bcoo_reshape(
    mat: BCOO, *, new_sizes: Sequence[int], dimensions: Sequence[int] | None = None, sharding: Any = None
) -> BCOO:
    """A sparse array in another shape.

    Args:
        mat: A sparse array.
        new_sizes: The shape; its first dimensions hold as many elements as the batch dimensions, its last ones are
            the dense dimensions.
        dimensions: The order in which the array's dimensions are read; None for their own.
        sharding: Accepted as None only.

    Returns:
        The array in the new shape.

    Raises:
        ArgumentError: If the number of elements is another.
        NotSupportedError: If a new dimension would take elements of batch and sparse dimensions, or dense dimensions
            change.

    Example:
        >>> import olympus.numpy as jnp
        >>> bcoo_reshape(BCOO.fromdense(jnp.array([[0, 2], [3, 0]])), new_sizes=(4,)).todense()
        Array([0, 2, 3, 0], dtype=int32)
    """
    if dimensions is not None:
        mat = bcoo_transpose(mat, permutation=dimensions)
    sizes = integers("bcoo_reshape", new_sizes, "a size")
    if sharding is not None or math.prod(sizes) != mat.size or min(sizes, default=0) < 0:
        raise ArgumentError("bcoo_reshape", "the number of elements is another, or a sharding was given", sizes,
                            f"{mat.size} elements, sharding=None")
    n, dense = mat.n_batch, mat.shape[mat.n_batch + mat.n_sparse:]
    front = len(sizes) - len(dense)
    total = math.prod(mat.shape[:n])
    fits = front >= 0 and sizes[front:] == dense
    count = next((c for c in range(front + 1) if fits and math.prod(sizes[:c]) == total
                  and math.prod(sizes[c:front]) == math.prod(mat.sparse_shape)), None)
    if count is None:
        raise NotSupportedError(
            f"bcoo_reshape of {mat!r} to {sizes}", "a dimension would hold parts of batch, sparse and dense ones",
            "Change the layout first, with x.update_layout(n_batch=..., n_dense=...).")
    if n:  # as many new batch dimensions as the old ones make
        count = max(c for c in range(count, front + 1) if math.prod(sizes[:c]) == total and (
            c == count or sizes[c - 1] == 1) and c <= max(count, n))
    else:
        count = 0
    data = jnp.broadcast_to(mat.data, (*mat.shape[:n], *mat.data.shape[n:]))
    indices = jnp.broadcast_to(mat.indices, (*mat.shape[:n], *mat.indices.shape[n:]))
    sparse = sizes[count:front]
    old = mat.sparse_shape
    if old != sparse:
        is_inside = inside(indices, old)[..., None]
        if math.prod(old) > np.iinfo(indices.dtype).max:
            raise NotSupportedError(f"bcoo_reshape of {mat!r}", f"places need wider integers than {indices.dtype}",
                                    "Enable 64 bits and give the array int64 places.")
        flat = jnp.zeros(indices.shape[:-1], indices.dtype)
        for d, size in enumerate(old):
            flat = flat * size + indices[..., d]
        columns = []
        for size in reversed(sparse):
            columns.append(flat % max(size, 1))
            flat = flat // max(size, 1)
        found = jnp.stack(columns[::-1], axis=-1) if columns else indices[..., :0]
        indices = jnp.where(is_inside, found, jnp.array(sparse, indices.dtype)) if sparse else found
        if not sparse:
            is_inside = is_inside.reshape(*is_inside.shape[:-1], *(1,) * len(dense))
            data = jnp.where(is_inside, data, jnp.zeros((), data.dtype))
    parts = [part.reshape(*sizes[:count], *part.shape[n:]) for part in (data, indices)]
    return mat.with_parts(*parts, shape=sizes)


@api(static=("shape", "broadcast_dimensions", "sharding"))
def bcoo_broadcast_in_dim(
    mat: BCOO, *, shape: Sequence[int], broadcast_dimensions: Sequence[int], sharding: Any = None
) -> BCOO:
    """A sparse array with further dimensions, along which it repeats.

    Args:
        mat: A sparse array.
        shape: The new shape.
        broadcast_dimensions: For each dimension of the array that of the result; increasing.
        sharding: Accepted as None only.

    Returns:
        The array with further dimensions. Those before its first sparse dimension are batch dimensions, those after
        its last one dense ones, those between are sparse.

    Raises:
        ArgumentError: If shape and dimensions do not fit.

    Example:
        >>> import olympus.numpy as jnp
        >>> x = BCOO.fromdense(jnp.array([0, 2]))
        >>> bcoo_broadcast_in_dim(x, shape=(2, 2), broadcast_dimensions=(1,)).todense()
        Array([[0, 2],
               [0, 2]], dtype=int32)
    """
    sizes = integers("bcoo_broadcast_in_dim", shape, "a size")
    dims = integers("bcoo_broadcast_in_dim", broadcast_dimensions, "a dimension")
    fits = len(dims) == mat.ndim and list(dims) == sorted(set(dims)) and all(
        0 <= d < len(sizes) and n in (1, sizes[d]) for d, n in zip(dims, mat.shape, strict=False))
    if not fits or sharding is not None:
        raise ArgumentError("bcoo_broadcast_in_dim", "shape and dimensions do not fit the array",
                            f"shape {sizes}, dimensions {dims}, of {mat.shape}", "a dimension of equal size for each")
    n, k = mat.n_batch, mat.n_batch + mat.n_sparse
    if mat.n_sparse:
        batch_end, dense_start = dims[n], dims[k - 1] + 1
    else:
        batch_end = dense_start = dims[n - 1] + 1 if n else dims[0] if dims else len(sizes)
    own = {d: position for position, d in enumerate(dims)}  # the array's dimension for one of the result
    # Batch dimensions repeat by having size one in the parts.
    fronts = [[part.shape[own[d]] if d in own else 1 for d in range(batch_end)] for part in (mat.data, mat.indices)]
    behind = [mat.shape[own[d]] if d in own else 1 for d in range(dense_start, len(sizes))]
    data = jnp.broadcast_to(mat.data.reshape(*fronts[0], mat.nse, *behind),
                            (*fronts[0], mat.nse, *sizes[dense_start:]))
    indices = mat.indices.reshape(*fronts[1], mat.nse, mat.n_sparse)
    # Along sparse dimensions each element is there once for every index.
    sparse = range(batch_end, dense_start)
    repeated = [d for d in sparse if d not in own or mat.shape[own[d]] != sizes[d]]
    if repeated:
        is_inside = inside(indices, mat.sparse_shape)[..., None]
        grid = np.indices([sizes[d] for d in repeated]).reshape(len(repeated), -1)
        counts = dict(zip(repeated, grid, strict=True))
        times = math.prod(sizes[d] for d in repeated)
        columns = [jnp.array(counts[d], indices.dtype) if d in counts else indices[..., own[d] - n, None]
                   for d in sparse]
        placed = [jnp.broadcast_to(jnp.where(is_inside, column, sizes[d]), (*indices.shape[:-1], times))
                  for d, column in zip(sparse, columns, strict=True)]
        indices = jnp.stack(placed, axis=-1).reshape(*indices.shape[:-2], mat.nse * times, len(sparse))
        data = jnp.repeat(data, times, axis=batch_end)
    return BCOO((data, indices), shape=sizes, indices_sorted=mat.indices_sorted and not repeated,
                unique_indices=mat.unique_indices)


def bcoo_squeeze(arr: BCOO, *, dimensions: Sequence[int]) -> BCOO:
    """A sparse array without dimensions of size one.

    Args:
        arr: A sparse array.
        dimensions: The dimensions.

    Returns:
        The array without them.

    Raises:
        ArgumentError: If one has another size.

    Example:
        >>> import olympus.numpy as jnp
        >>> bcoo_squeeze(BCOO.fromdense(jnp.array([[0, 2]])), dimensions=(0,))
        BCOO(int32[2], nse=1)
    """
    gone = integers("bcoo_squeeze", dimensions, "a dimension")
    if not all(0 <= d < arr.ndim and arr.shape[d] == 1 for d in gone):
        raise ArgumentError("bcoo_squeeze", "a dimension does not have size one", gone, f"dimensions of {arr.shape}")
    return bcoo_reduce_sum(arr, axes=gone)


def bcoo_rev(operand: BCOO, dimensions: Sequence[int]) -> BCOO:
    """A sparse array with the order of indices reversed along dimensions.

    Args:
        operand: A sparse array.
        dimensions: The dimensions.

    Returns:
        The array reversed.

    Example:
        >>> import olympus.numpy as jnp
        >>> bcoo_rev(BCOO.fromdense(jnp.array([0, 2, 3])), (0,)).todense()
        Array([3, 2, 0], dtype=int32)
    """
    dims = integers("bcoo_rev", dimensions, "a dimension")
    if len(set(dims)) != len(dims) or not all(0 <= d < operand.ndim for d in dims):
        raise ArgumentError("bcoo_rev", "a dimension is named twice or is not there", dims, f"below {operand.ndim}")
    batch, sparse, dense = _split(operand, dims)
    n = operand.n_batch
    data = lax.rev(operand.data, (*(d for d in batch if operand.data.shape[d] > 1), *(n + 1 + d for d in dense)))
    indices = lax.rev(operand.indices, tuple(d for d in batch if operand.indices.shape[d] > 1))
    if sparse:
        shape = operand.sparse_shape
        is_inside = inside(indices, shape)[..., None]
        ends = jnp.array(shape, indices.dtype)
        is_turned = jnp.array([d in sparse for d in range(len(shape))])
        indices = jnp.where(is_inside, jnp.where(is_turned, ends - 1 - indices, indices), ends)
    return operand.with_parts(data, indices, indices_sorted=operand.indices_sorted and not sparse)


def bcoo_slice(
    mat: BCOO, *, start_indices: Sequence[int], limit_indices: Sequence[int], strides: Sequence[int] | None = None
) -> BCOO:
    """Part of a sparse array.

    Args:
        mat: A sparse array.
        start_indices: For each dimension the first index.
        limit_indices: For each dimension the index after the last one.
        strides: For each dimension the step; 1 for None.

    Returns:
        The part; elements that are not in it stand outside, and those that cannot fit in are left out.

    Raises:
        ArgumentError: If the part does not lie in the array.

    Example:
        >>> import olympus.numpy as jnp
        >>> x = BCOO.fromdense(jnp.array([0, 2, 3, 4]))
        >>> bcoo_slice(x, start_indices=(1,), limit_indices=(4,), strides=(2,)).todense()
        Array([2, 4], dtype=int32)
    """
    starts, limits = (integers("bcoo_slice", x, "an index") for x in (start_indices, limit_indices))
    steps = (1,) * mat.ndim if strides is None else integers("bcoo_slice", strides, "a step")
    if not len(starts) == len(limits) == len(steps) == mat.ndim or not all(
        0 <= a <= b <= size and step > 0 for a, b, step, size in zip(starts, limits, steps, mat.shape, strict=False)
    ):
        raise ArgumentError("bcoo_slice", "the part does not lie in the array", f"{starts} to {limits} by {steps}",
                            f"0 <= start <= limit <= size in each of {mat.shape}, steps of 1 or more")
    return _sliced(mat, starts=starts, limits=limits, steps=steps)


@api(static=("starts", "limits", "steps"))
def _sliced(mat: BCOO, starts: tuple[int, ...], limits: tuple[int, ...], steps: tuple[int, ...]) -> BCOO:
    n, k = mat.n_batch, mat.n_batch + mat.n_sparse
    parts = [slice(*bounds) for bounds in zip(starts, limits, steps, strict=True)]
    shape = tuple(len(range(size)[part]) for size, part in zip(mat.shape, parts, strict=True))

    def front(part: Any) -> tuple[slice, ...]:  # a dimension of size one stands for all indices
        return tuple(slice(None) if part.shape[d] == 1 and mat.shape[d] != 1 else parts[d] for d in range(n))

    data = mat.data[(*front(mat.data), slice(None), *parts[k:])]
    indices = mat.indices[front(mat.indices)]
    is_whole = all(part == slice(0, size, 1) for part, size in zip(parts[n:k], mat.sparse_shape, strict=True))
    if not is_whole:
        first, last, step = (jnp.array(x[n:k], indices.dtype) for x in (starts, limits, steps))
        is_kept = jnp.all((indices >= first) & (indices < last) & ((indices - first) % step == 0), axis=-1)
        ends = jnp.array(shape[n:k], indices.dtype)
        indices = jnp.where(is_kept[..., None], (indices - first) // step, ends)
        data = jnp.where(is_kept.reshape(*is_kept.shape, *(1,) * (data.ndim - n - 1)), data, jnp.zeros((), data.dtype))
    found = BCOO((data, indices), shape=shape, indices_sorted=mat.indices_sorted and is_whole,
                 unique_indices=mat.unique_indices)
    most = math.prod(shape[n:k])
    if mat.unique_indices and mat.n_sparse and found.nse > most:
        return bcoo_sum_duplicates(found, nse=most)
    return found


def bcoo_dynamic_slice(mat: BCOO, start_indices: Sequence[ArrayLike], slice_sizes: Sequence[int]) -> BCOO:
    """Part of a sparse array that begins at indices which need not be known while tracing.

    Args:
        mat: A sparse array.
        start_indices: For each dimension the first index, an integer array; moved so that the part fits.
        slice_sizes: The part's shape.

    Returns:
        The part.

    Raises:
        ArgumentError: If it is larger than the array.

    Example:
        >>> import olympus.numpy as jnp
        >>> bcoo_dynamic_slice(BCOO.fromdense(jnp.array([0, 2, 3])), [jnp.int32(1)], (2,)).todense()
        Array([2, 3], dtype=int32)
    """
    sizes = integers("bcoo_dynamic_slice", slice_sizes, "a size")
    starts = list(start_indices)
    if not len(sizes) == len(starts) == mat.ndim or not all(
        0 <= n <= size for n, size in zip(sizes, mat.shape, strict=False)
    ):
        raise ArgumentError("bcoo_dynamic_slice", "the part does not fit in the array", sizes, f"within {mat.shape}")
    return _dynamically_sliced(mat, [jnp.asarray(x) for x in starts], sizes=sizes)


@api(static=("sizes",))
def _dynamically_sliced(mat: BCOO, starts: list[Any], sizes: tuple[int, ...]) -> BCOO:
    n, k = mat.n_batch, mat.n_batch + mat.n_sparse
    starts = [jnp.clip(jnp.where(x < 0, x + size, x), 0, size - own).astype(mat.indices.dtype)
              for x, size, own in zip(starts, mat.shape, sizes, strict=True)]
    zero = jnp.zeros((), mat.indices.dtype)

    def front(part: Any) -> tuple[list[Any], list[int]]:
        is_shared = [part.shape[d] == 1 for d in range(n)]
        return ([zero if shared else starts[d] for d, shared in enumerate(is_shared)],
                [1 if shared else sizes[d] for d, shared in enumerate(is_shared)])

    at, own = front(mat.data)
    data = lax.dynamic_slice(mat.data, [*at, zero, *starts[k:]], [*own, mat.nse, *sizes[k:]])
    at, own = front(mat.indices)
    indices = lax.dynamic_slice(mat.indices, [*at, zero, zero], [*own, mat.nse, mat.n_sparse])
    if mat.n_sparse:
        first, ends = jnp.stack(starts[n:k]), jnp.array(sizes[n:k], indices.dtype)
        is_kept = inside(indices, mat.sparse_shape) & jnp.all((indices >= first) & (indices < first + ends), axis=-1)
        indices = jnp.where(is_kept[..., None], indices - first, ends)
        data = jnp.where(is_kept.reshape(*is_kept.shape, *(1,) * (data.ndim - n - 1)), data, jnp.zeros((), data.dtype))
    return BCOO((data, indices), shape=sizes, unique_indices=mat.unique_indices)


def bcoo_concatenate(operands: Sequence[BCOO], *, dimension: int) -> BCOO:
    """Sparse arrays one after the other.

    Args:
        operands: Sparse arrays of equal shapes but in one dimension, of one layout.
        dimension: That dimension.

    Returns:
        The arrays joined.

    Raises:
        ArgumentError: If shapes or layouts differ.
        NotSupportedError: For a dense dimension.

    Example:
        >>> import olympus.numpy as jnp
        >>> x = BCOO.fromdense(jnp.array([0, 2]))
        >>> bcoo_concatenate([x, x], dimension=0).todense()
        Array([0, 2, 0, 2], dtype=int32)
    """
    mats = [argument("bcoo_concatenate", x) for x in operands]
    if not mats or not 0 <= dimension < mats[0].ndim:
        raise ArgumentError("bcoo_concatenate", "there is no array, or no such dimension", dimension,
                            "one array or more, and a dimension of theirs")
    first = mats[0]
    n, k = first.n_batch, first.n_batch + first.n_sparse
    others = {(x.n_batch, x.n_sparse, x.n_dense, *x.shape[:dimension], *x.shape[dimension + 1:]) for x in mats}
    if len(others) > 1 or len({x.dtype for x in mats}) > 1:
        raise ArgumentError("bcoo_concatenate", "shapes, layouts or element types differ", mats,
                            f"as {first!r} but in dimension {dimension}")
    shape = list(first.shape)
    shape[dimension] = sum(x.shape[dimension] for x in mats)
    if dimension >= k:
        raise NotSupportedError("bcoo_concatenate along a dense dimension", "the arrays' places differ",
                                "Change the layout first, with x.update_layout(n_dense=...).")
    fronts = [(*x.shape[:n],) for x in mats]
    data = [jnp.broadcast_to(x.data, (*f, *x.data.shape[n:])) for x, f in zip(mats, fronts, strict=True)]
    indices = [jnp.broadcast_to(x.indices, (*f, *x.indices.shape[n:])) for x, f in zip(mats, fronts, strict=True)]
    if dimension < n:
        nse = max(x.nse for x in mats)
        outside = jnp.array(first.sparse_shape, indices[0].dtype)
        for i, x in enumerate(mats):
            missing = [(0, 0)] * n + [(0, nse - x.nse)]
            data[i] = jnp.pad(data[i], missing + [(0, 0)] * x.n_dense)
            filled = jnp.broadcast_to(outside, (*fronts[i], nse - x.nse, x.n_sparse))
            indices[i] = jnp.concatenate([indices[i], filled.astype(indices[i].dtype)], axis=n)
        return BCOO((jnp.concatenate(data, axis=dimension), jnp.concatenate(indices, axis=dimension)), shape=shape)
    at, offset = dimension - n, 0
    ends = jnp.array(shape[n:k], indices[0].dtype)
    for i, x in enumerate(mats):
        is_inside = inside(indices[i], x.sparse_shape)[..., None]
        moved = indices[i].at[..., at].add(offset)
        indices[i] = jnp.where(is_inside, moved, ends)
        offset += x.shape[dimension]
    return BCOO((jnp.concatenate(data, axis=n), jnp.concatenate(indices, axis=n)), shape=shape,
                unique_indices=all(x.unique_indices for x in mats))


LATER.transpose = bcoo_transpose
