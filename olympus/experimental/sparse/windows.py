# SPDX-License-Identifier: Apache-2.0
"""Parts of sparse arrays that another array names, and convolutions of two sparse arrays."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from olympus_core.errors import ArgumentError, NotSupportedError

from ... import lax
from ... import numpy as jnp
from ...operands import element_type, integer, integers
from ...transforms.jit import api
from ...typing import ArrayLike, DTypeLike
from .base import no_rule
from .bcoo import BCOO, argument
from .elements import inside
from .layout import bcoo_update_layout
from .products import bcoo_dot_general

__all__ = ["bcoo_conv_general_dilated", "bcoo_gather"]


def bcoo_gather(
    operand: BCOO, start_indices: ArrayLike, dimension_numbers: lax.GatherDimensionNumbers, slice_sizes: Sequence[int],
    *, unique_indices: bool = False, indices_are_sorted: bool = False, mode: Any = None, fill_value: Any = None,
) -> BCOO:
    """Indices of one dimension of a sparse array, in any order.

    Args:
        operand: A sparse array.
        start_indices: Integers of shape ``(*shape, 1)``.
        dimension_numbers: As in `olympus.lax.gather`; they must name one dimension, the others being taken whole.
        slice_sizes: The operand's shape, with 1 in that dimension.
        unique_indices: A promise that no index occurs twice.
        indices_are_sorted: A promise that the indices are in order.
        mode: What to do with indices outside: ``"clip"`` or ``"promise_in_bounds"``; ``"fill"`` if `fill_value` is 0.
        fill_value: What stands there.

    Returns:
        A sparse array with dimensions of `shape` in place of that dimension.

    Raises:
        NotSupportedError: For windows in several dimensions, or a fill value that is not zero.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus import lax
        >>> numbers = lax.GatherDimensionNumbers((), (0,), (0,))
        >>> x = BCOO.fromdense(jnp.array([0, 2, 3]))
        >>> bcoo_gather(x, jnp.array([[2], [0]]), numbers, (1,)).todense()
        Array([3, 0], dtype=int32)
    """
    mat, numbers = argument("bcoo_gather", operand), dimension_numbers
    indices = jnp.asarray(start_indices)
    sizes = integers("bcoo_gather", slice_sizes, "a size")
    whole = tuple(d for d, (size, own) in enumerate(zip(sizes, mat.shape, strict=False)) if size == own)
    if len(sizes) != mat.ndim or len(numbers.start_index_map) != 1 or indices.shape[-1:] != (1,) or (
        tuple(numbers.collapsed_slice_dims) != tuple(numbers.start_index_map)
        or numbers.operand_batching_dims
    ):
        raise no_rule("gather of windows in several dimensions")
    (d,) = numbers.start_index_map
    if {*whole, d} != set(range(mat.ndim)):
        raise no_rule("gather of windows that are not whole")
    clips = mode is None or lax.GatherScatterMode.from_any(mode).clips
    if not clips and not (isinstance(fill_value, (int, float)) and fill_value == 0):
        raise no_rule("gather with a fill value that is not zero")
    flat = indices.reshape(-1)
    if clips:
        flat = jnp.clip(flat, 0, max(mat.shape[d] - 1, 0))
    # Each index is a row with a single one, and these rows times the array are its parts.
    count = flat.shape[0]
    rows = BCOO((jnp.ones(count, mat.dtype), jnp.stack([jnp.arange(count, dtype=flat.dtype), flat], axis=1)),
                shape=(count, mat.shape[d]), unique_indices=True)
    plain = bcoo_update_layout(mat, n_batch=0, n_dense=0)
    found = bcoo_dot_general(plain, rows, dimension_numbers=(((d,), (1,)), ((), ())))
    # The new dimensions stand last: to where the result has them.
    shape = indices.shape[:-1]
    found = found.reshape(*found.shape[:-1], *shape)
    rest = mat.ndim - 1
    order: list[int] = [0] * found.ndim
    offsets = list(numbers.offset_dims)
    for position, axis in enumerate(offsets):
        order[axis] = position
    behind = iter(range(rest, found.ndim))
    for axis in range(found.ndim):
        if axis not in offsets:
            order[axis] = next(behind)
    result: BCOO = found.transpose(order)
    return result


def bcoo_conv_general_dilated(
    lhs: BCOO, rhs: BCOO, *, window_strides: Sequence[int], padding: Any, lhs_dilation: Sequence[int] | None = None,
    rhs_dilation: Sequence[int] | None = None, dimension_numbers: Any = None, feature_group_count: int = 1,
    batch_group_count: int = 1, precision: Any = None, preferred_element_type: DTypeLike | None = None,
    out_sharding: Any = None,
) -> BCOO:
    """The convolution of two sparse arrays: for each pair of elements one product.

    Args:
        lhs: The sparse array, with dimensions of batch, features and space.
        rhs: The sparse kernel, with dimensions of output features, input features and space.
        window_strides: The step of the window in each dimension of space.
        padding: ``"VALID"``, ``"SAME"``, or pairs of what is added before and behind in each dimension of space.
        lhs_dilation: One more than the zeros between the array's elements; 1 for None.
        rhs_dilation: One more than the zeros between the kernel's elements; 1 for None.
        dimension_numbers: As in `olympus.lax.conv_general_dilated`.
        feature_group_count: Must be 1.
        batch_group_count: Must be 1.
        precision: Accepted; products are computed in the elements' type.
        preferred_element_type: The result's element type; None for the common one.
        out_sharding: Accepted as None only.

    Returns:
        A sparse array; a place may occur several times.

    Raises:
        ArgumentError: If shapes or numbers do not fit.
        NotSupportedError: For groups.

    Example:
        >>> import olympus.numpy as jnp
        >>> x = BCOO.fromdense(jnp.array([[[0.0, 2.0, 3.0]]]))
        >>> k = BCOO.fromdense(jnp.array([[[1.0, 10.0]]]))
        >>> bcoo_conv_general_dilated(x, k, window_strides=(1,), padding="VALID").todense()
        Array([[[20., 32.]]], dtype=float32)
    """
    one, other = (bcoo_update_layout(argument("bcoo_conv_general_dilated", x), n_batch=0, n_dense=0)
                  for x in (lhs, rhs))
    if feature_group_count != 1 or batch_group_count != 1 or out_sharding is not None:
        raise NotSupportedError("bcoo_conv_general_dilated with groups or out_sharding", "pairs know no groups",
                                "Convolve each group by itself, or convert the operands with todense().")
    n = one.ndim - 2
    if n < 0 or other.ndim != one.ndim:
        raise ArgumentError("bcoo_conv_general_dilated", "the numbers of dimensions do not fit",
                            f"{one.shape} and {other.shape}", "batch, features, space; output, input features, space")
    numbers = lax.conv_dimension_numbers(one.shape, other.shape, dimension_numbers)
    layouts = numbers.attributes()
    names = layouts["lhs_layout"], layouts["rhs_layout"], layouts["out_layout"]
    space = [str(i) for i in range(n)]
    steps, spread, kernel_spread = (
        (1,) * n if x is None else integers("bcoo_conv_general_dilated", x, "a step")
        for x in (window_strides, lhs_dilation, rhs_dilation))
    shapes = [dict(zip(text, x.shape, strict=True)) for text, x in zip(names, (one, other), strict=False)]
    if shapes[0]["C"] != shapes[1]["I"] or not len(steps) == len(spread) == len(kernel_spread) == n or (
        min((*steps, *spread, *kernel_spread), default=1) < 1
    ):
        raise ArgumentError("bcoo_conv_general_dilated", "features or steps do not fit",
                            f"{shapes[0]['C']} and {shapes[1]['I']} features, steps {steps}",
                            f"equal numbers of features, {n} steps of 1 or more")
    held = [0 if shapes[0][c] == 0 else (shapes[0][c] - 1) * s + 1 for c, s in zip(space, spread, strict=True)]
    window = [(shapes[1][c] - 1) * s + 1 for c, s in zip(space, kernel_spread, strict=True)]
    if isinstance(padding, str):
        low = _padding(padding.upper(), held, window, steps)
    else:
        low = [(integer("padding", a, "a padding"), integer("padding", b, "a padding")) for a, b in padding]
    sizes = {"N": shapes[0]["N"], "C": shapes[1]["O"]}
    for i, c in enumerate(space):
        sizes[c] = max(0, (held[i] + sum(low[i]) - window[i]) // steps[i] + 1)
    shape = tuple(sizes[c] for c in names[2])
    kind = jnp.result_type(one.dtype, other.dtype) if preferred_element_type is None else element_type(
        "bcoo_conv_general_dilated", preferred_element_type)
    data, indices = _convolved(
        one, other, names=names, steps=steps, spread=spread, kernel_spread=kernel_spread,
        before=tuple(a for a, _ in low), shape=shape, dtype=kind)
    return BCOO((data, indices), shape=shape)


def _padding(name: str, held: list[int], window: list[int], steps: Sequence[int]) -> list[tuple[int, int]]:
    if name == "VALID":
        return [(0, 0)] * len(held)
    if name not in ("SAME", "SAME_LOWER"):
        raise ArgumentError("bcoo_conv_general_dilated", "the padding is not known", repr(name),
                            "'VALID', 'SAME', 'SAME_LOWER' or pairs of numbers")
    found = []
    for size, width, step in zip(held, window, steps, strict=True):
        total = max(0, (math.ceil(size / step) - 1) * step + width - size)
        less, more = total // 2, total - total // 2
        found.append((less, more) if name == "SAME" else (more, less))
    return found


@api(static=("names", "steps", "spread", "kernel_spread", "before", "shape", "dtype"))
def _convolved(
    one: BCOO, other: BCOO, names: tuple[str, str, str], steps: tuple[int, ...], spread: tuple[int, ...],
    kernel_spread: tuple[int, ...], before: tuple[int, ...], shape: tuple[int, ...], dtype: Any,
) -> Any:
    def column(mat: BCOO, text: str, name: str) -> Any:
        return mat.indices[:, text.index(name)]

    agree = inside(one.indices, one.shape)[:, None] & inside(other.indices, other.shape)[None, :]
    agree &= column(one, names[0], "C")[:, None] == column(other, names[1], "I")[None, :]
    grid = agree.shape
    placed = {"N": jnp.broadcast_to(column(one, names[0], "N")[:, None], grid),
              "C": jnp.broadcast_to(column(other, names[1], "O")[None, :], grid)}
    space = [str(i) for i in range(len(steps))]
    for i, c in enumerate(space):
        at = column(one, names[0], c)[:, None] * spread[i] + before[i]
        at = at - column(other, names[1], c)[None, :] * kernel_spread[i]
        agree &= (at >= 0) & (at % steps[i] == 0)
        placed[c] = at // steps[i]
    places = jnp.stack([placed[c] for c in names[2]], axis=-1)
    ends = jnp.array(shape, places.dtype)
    agree &= jnp.all(places < ends, axis=-1)
    data = jnp.where(agree, one.data.astype(dtype)[:, None] * other.data.astype(dtype)[None, :], jnp.zeros((), dtype))
    return data.reshape(-1), jnp.where(agree[..., None], places, ends).reshape(data.size, len(shape))
