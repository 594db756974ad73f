# SPDX-License-Identifier: Apache-2.0
"""Products of matrices whose elements are scaled block by block, and that bring them to narrow types themselves."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np

from olympus_core import dtypes
from olympus_core.errors import ArgumentError, described

from .. import lax
from ..numpy.arithmetic import clip
from ..numpy.bit_functions import frexp
from ..numpy.creation import asarray, ones
from ..numpy.dtypes import finfo
from ..numpy.elementwise import absolute, isfinite
from ..numpy.reductions import max as numpy_max
from ..numpy.searching import where
from ..operands import axis_of, cast, dtype_of, element_type, shape_of
from ..transforms.derivatives import custom_vjp
from ..typing import Array, ArrayLike, DTypeLike

__all__ = ["get_scaled_dot_general_config", "scaled_dot_general", "scaled_matmul"]

_MODES = {
    "mxfp8": (32, np.dtype(ml_dtypes.float8_e4m3fn), np.dtype(ml_dtypes.float8_e8m0fnu)),
    "nvfp4": (16, np.dtype(ml_dtypes.float4_e2m1fn), np.dtype(ml_dtypes.float8_e4m3fn)),
}
# Scales are powers of two that float32 holds as normal numbers.
_LEAST_POWER, _GREATEST_POWER = -126, 127


@dataclass(frozen=True)
class BlockScaleConfig:
    """How the elements of an operand are scaled and rounded.

    Attributes:
        mode: ``"mxfp8"`` or ``"nvfp4"``.
        block_size: How many neighbours have one scale.
        data_type: What elements are rounded to.
        scale_type: What scales are rounded to.
        global_scale: A scale of the whole operand, for ``"nvfp4"``.
        infer_only: Not used.
    """

    mode: str
    block_size: int
    data_type: DTypeLike
    scale_type: DTypeLike
    global_scale: Any = None
    infer_only: bool = False


def get_scaled_dot_general_config(mode: str, global_scale: ArrayLike | None = None) -> BlockScaleConfig:
    """How `scaled_dot_general` brings an operand to a narrow type.

    Args:
        mode: ``"mxfp8"``: float8_e4m3fn, with a power of two for each 32 elements. ``"nvfp4"``: float4_e2m1fn, with a
            float8_e4m3fn for each 16, and a float32 for all.
        global_scale: The scale for all elements, with ``"nvfp4"``; one for None.

    Returns:
        The configuration of one operand.

    Raises:
        ArgumentError: For another mode.

    Example:
        >>> import olympus
        >>> olympus.nn.get_scaled_dot_general_config("mxfp8").block_size
        32

    References:
        Open Compute Project, OCP Microscaling Formats (MX) Specification, version 1.0, 2023.
    """
    if not isinstance(mode, str) or mode not in _MODES:
        raise ArgumentError("get_scaled_dot_general_config", "the mode is not known", described(mode),
                            f"one of {', '.join(map(repr, _MODES))}")
    size, data, scale = _MODES[mode]
    if mode == "nvfp4":
        global_scale = ones((1,), "float32") if global_scale is None else global_scale
    else:
        global_scale = None
    return BlockScaleConfig(mode, size, data, scale, global_scale)


def scaled_dot_general(
    lhs: ArrayLike, rhs: ArrayLike, dimension_numbers: Any, preferred_element_type: DTypeLike = "float32",
    configs: Sequence[BlockScaleConfig] | None = None, implementation: str | None = None,
) -> Array:
    """`olympus.lax.dot_general` with operands that are first scaled block by block and rounded to narrow types.

    The blocks lie along the dimensions that are summed over. Derivatives are those of the product without rounding,
    computed in the same way from the cotangent, which is rounded by the third configuration; with ``"nvfp4"`` they are
    not rounded, and are zero for elements beyond the greatest that can be held.

    Args:
        lhs: An array.
        rhs: Another one.
        dimension_numbers: As in `olympus.lax.dot_general`.
        preferred_element_type: The element type of the result: float32, bfloat16 or float16.
        configs: What `get_scaled_dot_general_config` gives, for lhs, rhs and the cotangent of the result; None for
            no rounding.
        implementation: Not used.

    Returns:
        The product: dimensions of the batch, then the others of lhs and of rhs.

    Raises:
        ArgumentError: If a sum is not made of whole blocks, or the configurations are not three of one mode.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> configs = [olympus.nn.get_scaled_dot_general_config("mxfp8")] * 3
        >>> olympus.nn.scaled_dot_general(jnp.full((1, 32), 1.1), jnp.ones((1, 32)), (((1,), (1,)), ((), ())),
        ...                               configs=configs).round(3).tolist()
        [[36.0]]
    """
    name = "scaled_dot_general"
    out = element_type(name, preferred_element_type)
    if configs is None:
        return lax.dot_general(lhs, rhs, dimension_numbers, preferred_element_type=out)
    if out not in (dtypes.float32, dtypes.bfloat16, dtypes.float16):
        raise ArgumentError(name, "the element type of the result is none of those", out.name,
                            "float32, bfloat16 or float16")
    if len(configs) != 3 or len({config.mode for config in configs}) != 1:
        raise ArgumentError(name, "the configurations are not three of one mode", described(configs),
                            "one each for lhs, rhs and the cotangent")
    (over_left, over_right), (batch_left, batch_right) = dimension_numbers
    ranks = len(shape_of(lhs)), len(shape_of(rhs))
    numbers = tuple(tuple(tuple(axis_of(name, d, rank) for d in dims) for dims, rank in zip(pair, ranks, strict=True))
                    for pair in ((over_left, over_right), (batch_left, batch_right)))
    plans = tuple((config.mode, config.block_size, element_type(name, config.data_type),
                   element_type(name, config.scale_type)) for config in configs)
    scales = tuple(np.ones((), np.float32) if config.global_scale is None else lax.stop_gradient(
        lax.reshape(cast(asarray(config.global_scale), dtypes.float32), ())) for config in configs)
    return _rounded_product(numbers, out, plans)(asarray(lhs), asarray(rhs), scales)


_Plan = tuple[str, int, np.dtype, np.dtype]


@functools.lru_cache(maxsize=64)
def _rounded_product(numbers: Any, out: np.dtype, plans: tuple[_Plan, ...]) -> Any:
    """The product of rounded operands as a function with derivatives of its own."""

    @custom_vjp
    def product(lhs: Any, rhs: Any, scales: Any) -> Any:
        return _product(lhs, rhs, numbers, out, plans[:2], scales[:2])

    def forward(lhs: Any, rhs: Any, scales: Any) -> tuple[Any, Any]:
        return product(lhs, rhs, scales), (lhs, rhs, scales)

    def backward(kept: Any, cotangent: Any) -> tuple[Any, Any, Any]:
        lhs, rhs, scales = kept
        swapped = tuple((right, left) for left, right in numbers)
        first = _transposed(cotangent, lhs, rhs, numbers, out, (plans[2], plans[1]), (scales[2], scales[1]), False)
        second = _transposed(cotangent, rhs, lhs, swapped, out, (plans[2], plans[0]), (scales[2], scales[0]), True)
        found = [_where_held(x, d, plan, scale) for x, d, plan, scale in (
            (lhs, first, plans[0], scales[0]), (rhs, second, plans[1], scales[1]))]
        return found[0], found[1], tuple(lax.full_like(scale, 0) for scale in scales)

    product.defvjp(forward, backward)
    return product


def _others(rank: int, *taken: Sequence[int]) -> tuple[int, ...]:
    return tuple(d for d in range(rank) if not any(d in dims for dims in taken))


def _in_three(x: Any, over: Sequence[int], batch: Sequence[int]) -> tuple[Any, tuple[int, ...], tuple[int, ...]]:
    """An operand as (batch, others, sum), and the sizes of the dimensions that became the first two."""
    shape, others = shape_of(x), _others(len(shape_of(x)), over, batch)
    sizes = tuple(tuple(shape[d] for d in dims) for dims in (batch, others, over))
    return lax.reshape(lax.transpose(x, (*batch, *others, *over)), [math.prod(s) for s in sizes]), sizes[0], sizes[1]


def _product(
    lhs: Any, rhs: Any, numbers: Any, out: np.dtype, plans: tuple[_Plan, ...], scales: Sequence[Any]
) -> Any:
    (over_left, over_right), (batch_left, batch_right) = numbers
    left, batch, rows = _in_three(lhs, over_left, batch_left)
    right, _, columns = _in_three(rhs, over_right, batch_right)
    (a, of_a), (b, of_b) = (_rounded(x, plan, scale) for x, plan, scale in zip(
        (left, right), plans, scales, strict=True))
    found = scaled_matmul(a, b, of_a, of_b)
    if plans[0][0] == "nvfp4":
        found = found * (scales[0] * scales[1])
    return lax.reshape(cast(found, out), (*batch, *rows, *columns))


def _rounded(x: Any, plan: _Plan, scale: Any) -> tuple[Any, Any]:
    """The elements in the narrow type, and the scales of their blocks along the last dimension."""
    mode, size, data, kind = plan
    shape = shape_of(x)
    if not shape[-1] or shape[-1] % size:
        raise ArgumentError("scaled_dot_general", "a sum is not made of whole blocks", f"{shape[-1]} products",
                            f"a multiple of {size}, here and in the products of derivatives")
    blocks = lax.reshape(cast(x, dtypes.float32), (*shape[:-1], shape[-1] // size, size))
    blocks = blocks / scale if mode == "nvfp4" else blocks
    most = float(finfo(data).max)
    wanted = numpy_max(absolute(blocks), axis=-1, keepdims=True) / most
    if mode == "nvfp4":
        stored = cast(clip(wanted, 0, float(finfo(kind).max)), kind)
        used = cast(stored, dtypes.float32)
        used = where(used == 0, 1, used)  # then all elements of the block are as good as zero
    else:
        mantissa, power = frexp(wanted)  # the least power of two that is not less
        power = clip(where(mantissa == 0.5, power - 1, power), _LEAST_POWER, _GREATEST_POWER)
        used = where(isfinite(wanted), lax.exp2(cast(power, dtypes.float32)), np.nan)
        stored = used
    narrow = cast(clip(blocks / used, -most, most), data)
    return lax.reshape(narrow, shape), lax.squeeze(stored, (-1,))


def _transposed(
    cotangent: Any, x: Any, y: Any, numbers: Any, out: np.dtype, plans: tuple[_Plan, ...], scales: Sequence[Any],
    is_second: bool,
) -> Any:
    """The cotangent of one operand: a product of the result's and the other operand, over what the other one adds."""
    (over, over_other), (batch, batch_other) = numbers
    kept, kept_other = _others(len(shape_of(x)), over, batch), _others(len(shape_of(y)), over_other, batch_other)
    first, count = len(batch), len(kept_other if is_second else kept)
    lead, tail = range(first, first + count), range(first + count, first + len(kept) + len(kept_other))
    of_other = tuple(lead if is_second else tail)
    again = (of_other, kept_other), (tuple(range(first)), batch_other)
    if plans[0][0] == "nvfp4":
        found = lax.dot_general(cast(cotangent, out), cast(y, out), again)
    else:
        found = _product(cotangent, y, again, out, plans, scales)
    ordered = [over[i] for i in np.argsort(over_other)]
    return cast(lax.transpose(found, tuple(np.argsort([*batch, *kept, *ordered]).tolist())), dtype_of(x))


def _where_held(x: Any, cotangent: Any, plan: _Plan, scale: Any) -> Any:
    """The cotangent, zero for elements beyond what narrow elements and scales can hold."""
    if plan[0] != "nvfp4":
        return cotangent
    most = float(finfo(plan[2]).max) * float(finfo(plan[3]).max)
    return where(absolute(cast(x, dtypes.float32)) <= scale * most, cotangent, 0)


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
