# SPDX-License-Identifier: Apache-2.0
"""Contractions: dot products and convolutions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ml_dtypes
import numpy as np

from olympus_core import dtypes, ops
from olympus_core.config import config
from olympus_core.errors import ArgumentError, described

from ..dimension_numbers import ConvDimensionNumbers
from ..operands import (
    axis_of,
    cast,
    dtype_of,
    element_type,
    integer,
    integers,
    sequence,
    shape_argument,
    shape_of,
)
from ..tracing import aval_of
from ..transforms.jit import api
from ..typing import Array, ArrayLike, DTypeLike, ShardingLike
from . import structure
from .elementwise import ne

__all__ = [
    "DotDimensionNumbers", "batch_matmul", "conv", "conv_dimension_numbers", "conv_general_dilated", "conv_transpose",
    "conv_with_general_padding", "dot", "dot_general",
]

DotDimensionNumbers = tuple[tuple[Sequence[int], Sequence[int]], tuple[Sequence[int], Sequence[int]]]


def _pairs_of_dimensions(numbers: Any) -> list[list[tuple[int, ...]]]:
    try:
        pairs = [list(pair) for pair in numbers]
    except TypeError:
        pairs = []
    if [len(pair) for pair in pairs] != [2, 2]:
        raise ArgumentError("dot_general", "the dimension numbers do not fit", described(numbers),
                            "((lhs contracting, rhs contracting), (lhs batch, rhs batch)), each a tuple of dimensions")
    return [[integers("dot_general", given, "a dimension") for given in pair] for pair in pairs]


def _rank(dtype: np.dtype) -> tuple[bool, int, int, int, bool]:
    """Of two element types of a product the one of greater rank is that of the result."""
    if not (dtypes.is_float(dtype) or dtypes.is_complex(dtype)):
        return False, -1, -1, 1 if dtypes.is_bool(dtype) else dtypes.bits_of(dtype), not dtypes.is_unsigned(dtype)
    facts = ml_dtypes.finfo(dtype)
    return dtypes.is_complex(dtype), int(facts.maxexp), int(facts.nmant), int(facts.bits), True


def _kind(dtype: np.dtype) -> int:
    """Bools, integers, floats and complex numbers, in this order: each kind holds the numbers of those before it."""
    return 0 if dtypes.is_bool(dtype) else 1 if dtypes.is_integer(dtype) else 2 if dtypes.is_float(dtype) else 3


def _holding_both(greater: np.dtype, lesser: np.dtype, wanted: np.dtype | None) -> np.dtype:
    """An element type in which a product of two types is computed: values of floating point are held exactly.

    Integers become what is summed in: of uint8 and int8 neither holds the other's values, and int32 does.
    """
    if not (dtypes.is_float(greater) and dtypes.is_float(lesser)):
        return greater if wanted is None else max(greater, wanted, key=_rank)
    return greater if dtypes.bits_of(greater) >= 32 else np.dtype(np.float32)


def dot_general(
    lhs: ArrayLike, rhs: ArrayLike, dimension_numbers: DotDimensionNumbers, precision: Any = None,
    preferred_element_type: DTypeLike | None = None, *, out_sharding: ShardingLike | None = None,
) -> Array:
    """The general dot product: sums products over some dimensions, pairs others.

    Args:
        lhs: An array.
        rhs: Another one. Of two element types the sum has the greater: complex before real, real before integers, then
            the one of greater range, of more digits, of more bits, the signed one.
        dimension_numbers: ``((lhs contracting, rhs contracting), (lhs batch, rhs batch))``.
        precision: A `Precision` is accepted, and products are of the highest; a `DotAlgorithm` rounds as it says.
        preferred_element_type: The element type in which to sum and that the result has.
        out_sharding: How the result is to be sharded.

    Returns:
        An array: batch dimensions, then the others of `lhs`, then those of `rhs`.

    Example:
        >>> import numpy as np
        >>> from olympus import lax
        >>> x = np.ones((2, 3), "float32")
        >>> lax.dot_general(x, x, (((1,), (1,)), ((), ()))).tolist()
        [[3.0, 3.0], [3.0, 3.0]]
    """
    (lhs_contracting, rhs_contracting), (lhs_batch, rhs_batch) = _pairs_of_dimensions(dimension_numbers)
    left, right = aval_of(lhs), aval_of(rhs)
    dtype = None if preferred_element_type is None else element_type("dot_general", preferred_element_type)
    if left.weak and left.dtype != right.dtype:
        lhs = cast(lhs, right.dtype, "dot_general")
    elif right.weak and right.dtype != left.dtype:
        rhs = cast(rhs, left.dtype, "dot_general")
    elif left.dtype != right.dtype and not (dtypes.is_key(left.dtype) or dtypes.is_key(right.dtype)):
        greater = max(left.dtype, right.dtype, key=_rank)
        common = _holding_both(greater, min(left.dtype, right.dtype, key=_rank), dtype)
        found = dot_general(cast(lhs, common, "dot_general"), cast(rhs, common, "dot_general"), dimension_numbers,
                            precision, preferred_element_type, out_sharding=out_sharding)
        return found if preferred_element_type is not None else cast(found, greater)
    if dtype is not None and _kind(dtype) > _kind(aval_of(lhs).dtype):  # such sums are of operands of their kind
        wide = dtypes.float32 if dtypes.is_float(dtype) and dtype.itemsize < 4 else dtype
        lhs, rhs = (cast(x, wide, "dot_general") for x in (lhs, rhs))
        if wide != dtype:
            return cast(dot_general(lhs, rhs, dimension_numbers, precision, out_sharding=out_sharding), dtype)
    if dtypes.is_bool(aval_of(lhs).dtype):  # whether any pair of elements is true
        x, y = (cast(operand, np.dtype(np.int32), "dot_general") for operand in (lhs, rhs))
        found = dot_general(x, y, dimension_numbers, out_sharding=out_sharding)
        return cast(found, np.dtype(bool), "dot_general")
    dims = {
        name: tuple(axis_of("dot_general", d, ndim) for d in given)
        for name, given, ndim in (
            ("lhs_contracting", lhs_contracting, len(left.shape)),
            ("rhs_contracting", rhs_contracting, len(right.shape)),
            ("lhs_batch", lhs_batch, len(left.shape)), ("rhs_batch", rhs_batch, len(right.shape)),
        )
    }
    weak = left.weak and right.weak and dtype is None
    if precision is None and dtypes.is_float(left.dtype):
        precision = config.default_matmul_precision
    if precision is not None:
        from .precision import algorithm_of, contracted
        algorithm = algorithm_of("dot_general", precision)
        if algorithm is not None:
            return structure.scoped(
                out_sharding, lambda x, y: contracted(algorithm, x, y, dtype, **dims), lhs, rhs)
    return structure.bind_in(out_sharding, ops.dot_general, lhs, rhs, dtype=dtype, weak=weak, **dims)


def dot(
    lhs: ArrayLike, rhs: ArrayLike, precision: Any = None, preferred_element_type: DTypeLike | None = None, *,
    dimension_numbers: DotDimensionNumbers | None = None, out_sharding: ShardingLike | None = None,
) -> Array:
    """The dot product of vectors and matrices, or the general one.

    Args:
        lhs: A vector or matrix; any array with `dimension_numbers`.
        rhs: A vector or matrix of the same element type.
        precision: A `Precision` is accepted, and products are of the highest; a `DotAlgorithm` rounds as it says.
        preferred_element_type: The element type in which to sum and that the result has.
        dimension_numbers: As in `dot_general`.
        out_sharding: How the result is to be sharded.

    Returns:
        The product.

    Example:
        >>> import numpy as np
        >>> from olympus import lax
        >>> float(lax.dot(np.ones(3, "float32"), np.ones(3, "float32")))
        3.0
    """
    if dimension_numbers is None:
        sizes = len(shape_of(lhs)), len(shape_of(rhs))
        if not all(n in (1, 2) for n in sizes):
            raise ArgumentError("dot", "the operands are no vectors or matrices", sizes, "1 or 2 dimensions each")
        dimension_numbers = (((sizes[0] - 1,), (0,)), ((), ()))
    return dot_general(lhs, rhs, dimension_numbers, precision, preferred_element_type, out_sharding=out_sharding)


def batch_matmul(lhs: ArrayLike, rhs: ArrayLike, precision: Any = None) -> Array:
    """Products of matrices, pair by pair.

    Args:
        lhs: An array of matrices, in its last two dimensions.
        rhs: Likewise, with equal leading dimensions.
        precision: Accepted; products are always of the highest precision.

    Returns:
        The products.

    Example:
        >>> import numpy as np
        >>> from olympus import lax
        >>> lax.batch_matmul(np.ones((4, 2, 3), "float32"), np.ones((4, 3, 5), "float32")).shape
        (4, 2, 5)
    """
    ndim = len(shape_of(lhs))
    if ndim < 2 or len(shape_of(rhs)) != ndim:
        raise ArgumentError("batch_matmul", "the operands are not as many matrices each",
                            f"shapes {shape_of(lhs)} and {shape_of(rhs)}",
                            "two dimensions or more, and equally many in both")
    batch = tuple(range(ndim - 2))
    return dot_general(lhs, rhs, (((ndim - 1,), (ndim - 2,)), (batch, batch)), precision)


def conv_dimension_numbers(
    lhs_shape: Sequence[int], rhs_shape: Sequence[int], dimension_numbers: Any
) -> ConvDimensionNumbers:
    """The positions of a convolution's dimensions.

    Args:
        lhs_shape: The operand's shape.
        rhs_shape: The kernel's shape.
        dimension_numbers: Three words such as ``("NHWC", "HWIO", "NHWC")``; None for ``("NCHW", "OIHW", "NCHW")``
            with as many spatial dimensions as there are.

    Returns:
        The indices.

    Example:
        >>> from olympus import lax
        >>> lax.conv_dimension_numbers((1, 8, 8, 3), (3, 3, 3, 4), ("NHWC", "HWIO", "NHWC")).lhs_spec
        (0, 3, 1, 2)
    """
    if isinstance(dimension_numbers, ConvDimensionNumbers):
        return dimension_numbers
    name = "conv_dimension_numbers"
    lhs_shape, rhs_shape = shape_argument(name, lhs_shape), shape_argument(name, rhs_shape)
    ndim = len(lhs_shape)
    if len(rhs_shape) != ndim or ndim < 2:
        raise ArgumentError("convolution", "operand and kernel do not fit in their number of dimensions",
                            f"shapes {lhs_shape} and {rhs_shape}", "equal numbers, at least 2")
    if dimension_numbers is None:
        order = tuple(range(ndim))
        return ConvDimensionNumbers(order, order, order)
    words = tuple(dimension_numbers) if isinstance(dimension_numbers, (tuple, list)) else ()
    if len(words) != 3 or not all(isinstance(word, str) for word in words):
        raise ArgumentError("convolution", "the layouts are not known", described(dimension_numbers),
                            "three words such as ('NHWC', 'HWIO', 'NHWC'), or ConvDimensionNumbers")
    lhs, rhs, out = words
    letters = [c for c in rhs if c not in "OI"]
    for word, first, second in ((lhs, "N", "C"), (rhs, "O", "I"), (out, "N", "C")):
        if len(word) != ndim or set(word) != {first, second, *letters}:
            raise ArgumentError("convolution", "the layout does not fit", repr(word),
                                f"{first}, {second} and the letters {letters}, each once")
    return ConvDimensionNumbers(
        tuple(lhs.index(c) for c in ["N", "C", *letters]), tuple(rhs.index(c) for c in ["O", "I", *letters]),
        tuple(out.index(c) for c in ["N", "C", *letters]))


def padding_amounts(
    function: str, padding: Any, sizes: Sequence[int], windows: Sequence[int], strides: Sequence[int]
) -> tuple[tuple[int, int], ...]:
    """Pairs of how much to put before and after, of a word or of pairs."""
    if not isinstance(padding, str):
        pairs = [integers(function, pair, "an amount of padding") for pair in sequence(
            function, padding, "the padding", "pairs (low, high)")]
        if len(pairs) != len(sizes) or any(len(pair) != 2 for pair in pairs):
            raise ArgumentError(function, "the padding does not fit", padding, f"{len(sizes)} pairs (low, high)")
        return tuple((low, high) for low, high in pairs)
    word = padding.upper()
    if word == "VALID":
        return ((0, 0),) * len(sizes)
    if word not in ("SAME", "SAME_LOWER"):
        raise ArgumentError(function, "the padding is not known", repr(padding),
                            "'SAME', 'SAME_LOWER', 'VALID' or pairs")
    found = []
    for n, window, stride in zip(sizes, windows, strides, strict=True):
        total = max((-(-n // stride) - 1) * stride + window - n, 0)
        less, more = total // 2, total - total // 2
        found.append((less, more) if word == "SAME" else (more, less))
    return tuple(found)


def conv_general_dilated(
    lhs: ArrayLike, rhs: ArrayLike, window_strides: Sequence[int], padding: str | Sequence[tuple[int, int]],
    lhs_dilation: Sequence[int] | None = None, rhs_dilation: Sequence[int] | None = None, dimension_numbers: Any = None,
    feature_group_count: int = 1, batch_group_count: int = 1, precision: Any = None,
    preferred_element_type: DTypeLike | None = None, out_sharding: ShardingLike | None = None,
) -> Array:
    """The general convolution.

    Args:
        lhs: The operand: batch, features, spatial dimensions.
        rhs: The kernel: output features, input features, spatial dimensions.
        window_strides: How far windows are apart.
        padding: ``"SAME"``, ``"SAME_LOWER"``, ``"VALID"``, or pairs of how much to put before and after.
        lhs_dilation: How far the operand's elements are apart; 1 for None.
        rhs_dilation: How far the kernel's elements are apart; 1 for None.
        dimension_numbers: The layouts, as in `conv_dimension_numbers`.
        feature_group_count: Number of groups of features that are convolved each by itself.
        batch_group_count: Likewise for the batch.
        precision: Accepted; products are always of the highest precision.
        preferred_element_type: The element type in which to sum and that the result has.
        out_sharding: How the result is to be sharded.

    Returns:
        The convolved array.

    Example:
        >>> import numpy as np
        >>> from olympus import lax
        >>> x, kernel = np.ones((1, 1, 5), "float32"), np.ones((1, 1, 3), "float32")
        >>> lax.conv_general_dilated(x, kernel, (1,), "SAME").tolist()
        [[[2.0, 3.0, 3.0, 3.0, 2.0]]]
    """
    name = "conv_general_dilated"
    numbers = conv_dimension_numbers(shape_of(lhs), shape_of(rhs), dimension_numbers)
    count = len(shape_of(lhs)) - 2
    ones = (1,) * count
    strides = integers(name, window_strides, "a stride", count, 1)
    spread = ones if lhs_dilation is None else integers(name, lhs_dilation, "a dilation", count, 1)
    holes = ones if rhs_dilation is None else integers(name, rhs_dilation, "a dilation", count, 1)
    sizes = [shape_of(lhs)[d] for d in numbers.lhs_spec[2:]]
    kernel = [shape_of(rhs)[d] for d in numbers.rhs_spec[2:]]
    if isinstance(padding, str) and padding.upper() != "VALID" and spread != ones:
        raise ArgumentError(name, "'SAME' has no meaning for a dilated operand", padding, "pairs (low, high)")
    reach = [(k - 1) * hole + 1 for k, hole in zip(kernel, holes, strict=True)]
    pads = padding_amounts(name, padding, sizes, reach, strides)
    if preferred_element_type is not None:
        dtype = element_type(name, preferred_element_type)
        lhs, rhs = cast(lhs, dtype, name), cast(rhs, dtype, name)
    elif dtypes.is_bool(dtype_of(lhs)) and dtypes.is_bool(dtype_of(rhs)):
        counts = conv_general_dilated(
            lhs, rhs, window_strides, padding, lhs_dilation, rhs_dilation, dimension_numbers, feature_group_count,
            batch_group_count, preferred_element_type=dtypes.int32, out_sharding=out_sharding)
        return ne(counts, 0)
    return structure.bind_in(
        out_sharding, ops.convolution, lhs, rhs,
        **numbers.attributes(window_strides=strides, padding=pads, lhs_dilation=spread, rhs_dilation=holes),
        feature_groups=integer(name, feature_group_count, "the number of groups", 1),
        batch_groups=integer(name, batch_group_count, "the number of groups", 1))


def conv(
    lhs: ArrayLike, rhs: ArrayLike, window_strides: Sequence[int], padding: str, precision: Any = None,
    preferred_element_type: DTypeLike | None = None,
) -> Array:
    """A convolution with the layouts ``NCHW`` and ``OIHW``.

    Args:
        lhs: The operand.
        rhs: The kernel.
        window_strides: How far windows are apart.
        padding: ``"SAME"`` or ``"VALID"``.
        precision: Accepted; products are always of the highest precision.
        preferred_element_type: The element type in which to sum and that the result has.

    Returns:
        The convolved array.

    Example:
        >>> import numpy as np
        >>> from olympus import lax
        >>> lax.conv(np.ones((1, 1, 4, 4), "float32"), np.ones((2, 1, 3, 3), "float32"), (1, 1), "VALID").shape
        (1, 2, 2, 2)
    """
    return conv_general_dilated(lhs, rhs, window_strides, padding, precision=precision,
                                preferred_element_type=preferred_element_type)


def conv_with_general_padding(
    lhs: ArrayLike, rhs: ArrayLike, window_strides: Sequence[int], padding: str | Sequence[tuple[int, int]],
    lhs_dilation: Sequence[int] | None, rhs_dilation: Sequence[int] | None, precision: Any = None,
    preferred_element_type: DTypeLike | None = None,
) -> Array:
    """A convolution with the layouts ``NCHW`` and ``OIHW`` and any padding and dilation.

    Args:
        lhs: The operand.
        rhs: The kernel.
        window_strides: How far windows are apart.
        padding: A word, or pairs of how much to put before and after.
        lhs_dilation: How far the operand's elements are apart.
        rhs_dilation: How far the kernel's elements are apart.
        precision: Accepted; products are always of the highest precision.
        preferred_element_type: The element type in which to sum and that the result has.

    Returns:
        The convolved array.

    Example:
        >>> import numpy as np
        >>> from olympus import lax
        >>> x, kernel = np.ones((1, 1, 4), "float32"), np.ones((1, 1, 2), "float32")
        >>> lax.conv_with_general_padding(x, kernel, (1,), [(1, 0)], None, None).tolist()
        [[[1.0, 2.0, 2.0, 2.0]]]
    """
    return conv_general_dilated(lhs, rhs, window_strides, padding, lhs_dilation, rhs_dilation, precision=precision,
                                preferred_element_type=preferred_element_type)


@api(static=("axis",))
def _swapped(rhs: ArrayLike, axis: tuple[int, ...]) -> Any:
    flipped = structure.rev(rhs, axis[2:])
    order = list(range(len(shape_of(rhs))))
    order[axis[0]], order[axis[1]] = axis[1], axis[0]
    return structure.transpose(flipped, order)


def conv_transpose(
    lhs: ArrayLike, rhs: ArrayLike, strides: Sequence[int], padding: str | Sequence[tuple[int, int]],
    rhs_dilation: Sequence[int] | None = None, dimension_numbers: Any = None, transpose_kernel: bool = False,
    precision: Any = None, preferred_element_type: DTypeLike | None = None, use_consistent_padding: bool = False,
) -> Array:
    """The transposed convolution: what a strided one's derivative does.

    Args:
        lhs: The operand.
        rhs: The kernel.
        strides: How far apart the operand's elements stand in the result.
        padding: ``"SAME"``, ``"VALID"``, or pairs of how much to put before and after.
        rhs_dilation: How far the kernel's elements are apart; 1 for None.
        dimension_numbers: The layouts; None for ``("NHWC", "HWIO", "NHWC")`` with as many spatial dimensions.
        transpose_kernel: Whether to reverse the kernel and swap its features.
        precision: Accepted; products are always of the highest precision.
        preferred_element_type: The element type in which to sum and that the result has.
        use_consistent_padding: Whether pairs too are the padding of the convolution that this one transposes, and not
            what is put around the operand.

    Returns:
        The larger array.

    Example:
        >>> import numpy as np
        >>> from olympus import lax
        >>> x, kernel = np.ones((1, 2, 1), "float32"), np.ones((2, 1, 1), "float32")
        >>> lax.conv_transpose(x, kernel, (2,), "SAME").shape
        (1, 4, 1)
    """
    name = "conv_transpose"
    count = len(shape_of(lhs)) - 2
    if dimension_numbers is None:
        if not 0 <= count <= 3:
            raise ArgumentError(name, "the operand has no usual layout", f"shape {shape_of(lhs)}",
                                "from 2 to 5 dimensions, or dimension_numbers that name them")
        letters = "DHW"[3 - count:]
        dimension_numbers = (f"N{letters}C", f"{letters}IO", f"N{letters}C")
    numbers = conv_dimension_numbers(shape_of(lhs), shape_of(rhs), dimension_numbers)
    steps = integers(name, strides, "a stride", count, 1)
    holes = (1,) * count if rhs_dilation is None else integers(name, rhs_dilation, "a dilation", count, 1)
    reach = [(shape_of(rhs)[d] - 1) * hole + 1 for d, hole in zip(numbers.rhs_spec[2:], holes, strict=True)]
    if isinstance(padding, str):
        padding = [_transposed_padding(padding.upper(), k, s) for k, s in zip(reach, steps, strict=True)]
    elif use_consistent_padding:
        pairs = padding_amounts(name, padding, reach, reach, steps)
        padding = [(k - 1 - low, k - 1 - high) for k, (low, high) in zip(reach, pairs, strict=True)]
    if transpose_kernel:
        rhs = _swapped(rhs, axis=tuple(numbers.rhs_spec))
    return conv_general_dilated(lhs, rhs, (1,) * count, padding, steps, holes, numbers, precision=precision,
                                preferred_element_type=preferred_element_type)


def _transposed_padding(word: str, window: int, stride: int) -> tuple[int, int]:
    if word == "SAME":
        total = window + stride - 2
        low = window - 1 if stride > window - 1 else -(-total // 2)
    elif word == "VALID":
        total = window + stride - 2 + max(window - stride, 0)
        low = window - 1
    else:
        raise ArgumentError("conv_transpose", "the padding is not known", repr(word), "'SAME', 'VALID' or pairs")
    return low, total - low
