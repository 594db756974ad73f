# SPDX-License-Identifier: Apache-2.0
"""Convolutions: shapes of their results, the patches that they see, kernels that differ from place to place."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

from olympus_core.errors import ArgumentError

from ..dimension_numbers import ConvDimensionNumbers
from ..operands import cast, element_type, integers, shape_of
from ..tracing import aval_of
from ..transforms.jit import api
from ..typing import Array, ArrayLike, DTypeLike
from . import structure
from .contract import _transposed_padding, conv_dimension_numbers, dot_general, padding_amounts
from .slicing import slice as lax_slice

__all__ = [
    "ConvGeneralDilatedDimensionNumbers", "conv_general_dilated_local", "conv_general_dilated_patches",
    "conv_general_permutations", "conv_general_shape_tuple", "conv_shape_tuple", "conv_transpose_shape_tuple",
]

ConvGeneralDilatedDimensionNumbers = tuple[str, str, str] | ConvDimensionNumbers | None


def conv_general_permutations(dimension_numbers: Any) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """The orders that bring a convolution's operand, kernel and result to the layouts ``NCHW`` and ``OIHW``.

    Args:
        dimension_numbers: Three words such as ``("NHWC", "HWIO", "NHWC")``.

    Returns:
        The positions of the dimensions of the operand, the kernel and the result.

    Example:
        >>> from olympus import lax
        >>> lax.conv_general_permutations(("NHWC", "HWIO", "NHWC"))
        ((0, 3, 1, 2), (3, 2, 0, 1), (0, 3, 1, 2))
    """
    ndim = len(dimension_numbers[0]) if dimension_numbers is not None else 0
    numbers = conv_dimension_numbers((1,) * ndim, (1,) * ndim, dimension_numbers)
    return numbers.lhs_spec, numbers.rhs_spec, numbers.out_spec


def conv_shape_tuple(
    lhs_shape: Sequence[int], rhs_shape: Sequence[int], strides: Sequence[int], pads: Any, batch_group_count: int = 1
) -> tuple[int, ...]:
    """The shape of a convolution's result in the layouts ``NCHW`` and ``OIHW``.

    Args:
        lhs_shape: The operand's shape.
        rhs_shape: The kernel's.
        strides: How far windows are apart.
        pads: ``"SAME"``, ``"VALID"``, or pairs of how much to put before and after.
        batch_group_count: Into how many groups the batch is divided.

    Returns:
        The shape.

    Example:
        >>> from olympus import lax
        >>> lax.conv_shape_tuple((1, 3, 8, 8), (4, 3, 3, 3), (1, 1), "VALID")
        (1, 4, 6, 6)
    """
    name = "conv_shape_tuple"
    sizes, kernel = integers(name, lhs_shape, "a size"), integers(name, rhs_shape, "a size", len(lhs_shape))
    steps = integers(name, strides, "a stride", len(sizes) - 2, 1)
    amounts = padding_amounts(name, pads, sizes[2:], kernel[2:], steps)
    spatial = [max((n + low + high - k) // step + 1, 0)
               for n, k, step, (low, high) in zip(sizes[2:], kernel[2:], steps, amounts, strict=True)]
    return (sizes[0] // batch_group_count, kernel[0], *spatial)


def conv_general_shape_tuple(
    lhs_shape: Sequence[int], rhs_shape: Sequence[int], window_strides: Sequence[int], padding: Any,
    dimension_numbers: Any,
) -> tuple[int, ...]:
    """The shape of a convolution's result in any layouts.

    Args:
        lhs_shape: The operand's shape.
        rhs_shape: The kernel's.
        window_strides: How far windows are apart.
        padding: ``"SAME"``, ``"VALID"``, or pairs of how much to put before and after.
        dimension_numbers: The layouts, as in `conv_dimension_numbers`.

    Returns:
        The shape.

    Example:
        >>> from olympus import lax
        >>> lax.conv_general_shape_tuple((1, 8, 8, 3), (3, 3, 3, 4), (1, 1), "SAME", ("NHWC", "HWIO", "NHWC"))
        (1, 8, 8, 4)
    """
    numbers = conv_dimension_numbers(lhs_shape, rhs_shape, dimension_numbers)
    found = conv_shape_tuple([lhs_shape[d] for d in numbers.lhs_spec], [rhs_shape[d] for d in numbers.rhs_spec],
                             window_strides, padding)
    return _placed(found, numbers.out_spec)


def conv_transpose_shape_tuple(
    lhs_shape: Sequence[int], rhs_shape: Sequence[int], window_strides: Sequence[int], padding: Any,
    dimension_numbers: Any,
) -> tuple[int, ...]:
    """The shape of a transposed convolution's result in any layouts.

    Args:
        lhs_shape: The operand's shape.
        rhs_shape: The kernel's.
        window_strides: How far apart the operand's elements stand in the result.
        padding: ``"SAME"``, ``"VALID"``, or pairs of how much to put before and after.
        dimension_numbers: The layouts, as in `conv_dimension_numbers`.

    Returns:
        The shape.

    Example:
        >>> from olympus import lax
        >>> lax.conv_transpose_shape_tuple((1, 8, 8, 3), (3, 3, 3, 4), (2, 2), "SAME", ("NHWC", "HWIO", "NHWC"))
        (1, 16, 16, 4)
    """
    numbers = conv_dimension_numbers(lhs_shape, rhs_shape, dimension_numbers)
    sizes, kernel = [lhs_shape[d] for d in numbers.lhs_spec], [rhs_shape[d] for d in numbers.rhs_spec]
    steps = integers("conv_transpose_shape_tuple", window_strides, "a stride", len(sizes) - 2, 1)
    if isinstance(padding, str):
        padding = [_transposed_padding(padding.upper(), k, s) for k, s in zip(kernel[2:], steps, strict=True)]
    spread = [*sizes[:2], *((n - 1) * step + 1 for n, step in zip(sizes[2:], steps, strict=True))]
    return _placed(conv_shape_tuple(spread, kernel, (1,) * len(steps), padding), numbers.out_spec)


def _placed(shape: Sequence[int], spec: Sequence[int]) -> tuple[int, ...]:
    """Sizes in the order batch, features, spatial dimensions, put where a layout has them."""
    found = [0] * len(spec)
    for size, position in zip(shape, spec, strict=True):
        found[position] = size
    return tuple(found)


def conv_general_dilated_patches(
    lhs: ArrayLike, filter_shape: Sequence[int], window_strides: Sequence[int], padding: Any,
    lhs_dilation: Sequence[int] | None = None, rhs_dilation: Sequence[int] | None = None, dimension_numbers: Any = None,
    precision: Any = None, preferred_element_type: DTypeLike | None = None,
) -> Array:
    """For each place of a convolution's result the elements that its window sees.

    Args:
        lhs: The operand: batch, features, spatial dimensions.
        filter_shape: The window's size.
        window_strides: How far windows are apart.
        padding: ``"SAME"``, ``"SAME_LOWER"``, ``"VALID"``, or pairs of how much to put before and after.
        lhs_dilation: How far the operand's elements are apart; 1 for None.
        rhs_dilation: How far a window's elements are apart; 1 for None.
        dimension_numbers: The layouts, as in `conv_dimension_numbers`.
        precision: Accepted; elements are only moved.
        preferred_element_type: The element type that the result has.

    Returns:
        An array in the result's layout, whose features are the operand's, and for each the window's elements.

    Raises:
        ArgumentError: If window, strides, padding or layouts do not fit.

    Example:
        >>> import numpy as np
        >>> from olympus import lax
        >>> lax.conv_general_dilated_patches(np.arange(3).reshape(1, 1, 3), (2,), (1,), "VALID").tolist()
        [[[0, 1], [1, 2]]]
    """
    name, shape = "conv_general_dilated_patches", shape_of(lhs)
    numbers = conv_dimension_numbers(shape, shape, dimension_numbers)
    count = len(shape) - 2
    ones = (1,) * count
    window = integers(name, filter_shape, "a window's size", count, 0)
    steps = integers(name, window_strides, "a stride", count, 1)
    spread = ones if lhs_dilation is None else integers(name, lhs_dilation, "a dilation", count, 1)
    holes = ones if rhs_dilation is None else integers(name, rhs_dilation, "a dilation", count, 1)
    if isinstance(padding, str) and padding.upper() != "VALID" and spread != ones:
        raise ArgumentError(name, "'SAME' has no meaning for a dilated operand", padding, "pairs (low, high)")
    reach = [(k - 1) * hole + 1 for k, hole in zip(window, holes, strict=True)]
    amounts = padding_amounts(name, padding, [shape[d] for d in numbers.lhs_spec[2:]], reach, steps)
    if preferred_element_type is not None:
        lhs = cast(lhs, element_type(name, preferred_element_type), name)
    return _patches(lhs, numbers=numbers, window=window, steps=steps, amounts=amounts, spread=spread, holes=holes)


@api(static=("numbers", "window", "steps", "amounts", "spread", "holes"))
def _patches(
    x: Any, numbers: ConvDimensionNumbers, window: tuple[int, ...], steps: tuple[int, ...], amounts: Any,
    spread: tuple[int, ...], holes: tuple[int, ...],
) -> Any:
    x = structure.transpose(x, numbers.lhs_spec)
    x = structure.pad(x, structure.full((), 0, aval_of(x).dtype), [
        (0, 0, 0), (0, 0, 0), *((low, high, gap - 1) for (low, high), gap in zip(amounts, spread, strict=True))])
    batch, features, *sizes = shape_of(x)
    counts = [max((n - (k - 1) * hole - 1) // step + 1, 0)
              for n, k, hole, step in zip(sizes, window, holes, steps, strict=True)]
    parts = []
    for offsets in itertools.product(*map(range, window)):
        first = [o * hole for o, hole in zip(offsets, holes, strict=True)]
        limit = [f + (c - 1) * step + 1 if c else f for f, c, step in zip(first, counts, steps, strict=True)]
        part = lax_slice(x, (0, 0, *first), (batch, features, *limit), (1, 1, *steps))
        parts.append(structure.reshape(part, (batch, features, 1, *counts)))
    shape = (batch, features * math.prod(window), *counts)
    found = structure.reshape(structure.concatenate(parts, 2), shape) if parts else structure.full(
        shape, 0, aval_of(x).dtype)
    return structure.transpose(found, [numbers.out_spec.index(d) for d in range(len(numbers.out_spec))])


def conv_general_dilated_local(
    lhs: ArrayLike, rhs: ArrayLike, window_strides: Sequence[int], padding: Any, filter_shape: Sequence[int],
    lhs_dilation: Sequence[int] | None = None, rhs_dilation: Sequence[int] | None = None, dimension_numbers: Any = None,
    precision: Any = None,
) -> Array:
    """A convolution with a kernel for each place of its result: a locally connected layer.

    Args:
        lhs: The operand: batch, features, spatial dimensions.
        rhs: The kernels: output features; input features times the window's elements; the result's spatial dimensions.
        window_strides: How far windows are apart.
        padding: ``"SAME"``, ``"SAME_LOWER"``, ``"VALID"``, or pairs of how much to put before and after.
        filter_shape: The window's size.
        lhs_dilation: How far the operand's elements are apart; 1 for None.
        rhs_dilation: How far a window's elements are apart; 1 for None.
        dimension_numbers: The layouts, as in `conv_dimension_numbers`.
        precision: As in `dot_general`.

    Returns:
        The convolved array.

    Raises:
        ArgumentError: If window, strides, padding, layouts or kernels do not fit.

    Example:
        >>> import numpy as np
        >>> from olympus import lax
        >>> x, kernels = np.ones((1, 1, 3), "float32"), np.array([[[1, 2], [3, 4]]], "float32")
        >>> lax.conv_general_dilated_local(x, kernels, (1,), "VALID", (2,)).tolist()
        [[[4.0, 6.0]]]
    """
    numbers = conv_dimension_numbers(shape_of(lhs), shape_of(rhs), dimension_numbers)
    patches = conv_general_dilated_patches(lhs, filter_shape, window_strides, padding, lhs_dilation, rhs_dilation,
                                           numbers)
    spatial = numbers.out_spec[2:], numbers.rhs_spec[2:]
    sizes = [[shape_of(x)[d] for d in dims] for x, dims in zip((patches, rhs), spatial, strict=True)]
    if sizes[0] != sizes[1] or shape_of(patches)[numbers.out_spec[1]] != shape_of(rhs)[numbers.rhs_spec[1]]:
        raise ArgumentError("conv_general_dilated_local", "the kernels do not fit", f"shape {shape_of(rhs)}",
                            f"{shape_of(patches)[numbers.out_spec[1]]} inputs at places {sizes[0]}")
    found = dot_general(patches, rhs, (((numbers.out_spec[1],), (numbers.rhs_spec[1],)), spatial), precision)
    # Spatial dimensions, batch, output features: back to the layout.
    count = len(spatial[0])
    order = [count, count + 1, *range(count)]
    return structure.transpose(found, [order[numbers.out_spec.index(d)] for d in range(count + 2)])
