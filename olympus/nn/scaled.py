"""Products of matrices whose elements are scaled block by block."""

from __future__ import annotations

from olympus_core.errors import ArgumentError

from .. import lax
from ..operands import shape_of
from ..typing import Array, ArrayLike, DTypeLike

__all__ = ["scaled_matmul"]


def scaled_matmul(
    lhs: ArrayLike, rhs: ArrayLike, lhs_scales: ArrayLike, rhs_scales: ArrayLike,
    preferred_element_type: DTypeLike = "float32",
) -> Array:
    """Products of matrices, summed over the last dimension of both, whose elements are scaled block by block.

    Products and sums are those of float32; blocks are as long as the scales are fewer.

    Args:
        lhs: An array of shape (batch, M, K), often of a narrow element type.
        rhs: An array of shape (batch, N, K).
        lhs_scales: Scales of shape (batch, M, blocks), where the number of blocks divides K.
        rhs_scales: Scales of shape (batch, N, blocks), likewise.
        preferred_element_type: The element type of the result.

    Returns:
        An array of shape (batch, M, N).

    Raises:
        ArgumentError: If the shapes do not fit.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> a, b, half = jnp.array([[[1.0, 2.0, 3.0]]]), jnp.array([[[4.0, 5.0, 6.0]]]), jnp.full((1, 1, 1), 0.5)
        >>> olympus.nn.scaled_matmul(a, b, half, half).tolist()
        [[[8.0]]]
    """
    left, right = shape_of(lhs), shape_of(rhs)
    scales = shape_of(lhs_scales), shape_of(rhs_scales)
    fits = len(left) == len(right) == 3 and left[0] == right[0] and left[2] == right[2]
    if not fits or any(len(s) != 3 or s[:2] != x[:2] for s, x in zip(scales, (left, right), strict=True)):
        raise ArgumentError("scaled_matmul", "the shapes do not fit", f"{left} and {right}, scales {scales}",
                            "(batch, M, K), (batch, N, K), scales (batch, M, blocks) and (batch, N, blocks)")
    numbers = (((2,), (2,)), ((0,), (0,)))
    return lax.convert_element_type(lax.scaled_dot(
        lhs, rhs, lhs_scale=lhs_scales, rhs_scale=rhs_scales, dimension_numbers=numbers,
        preferred_element_type="float32"), preferred_element_type)
