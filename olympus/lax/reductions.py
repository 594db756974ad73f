"""Reductions, cumulative reductions, argmax, windows, sorting, top_k."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.errors import ArgumentError, NotSupportedError, described
from olympus_core.program import ArrayType, OperationRecord

from .. import tree
from ..operands import (
    axes_of,
    axis_of,
    broadcast,
    cast,
    element_type,
    function_of,
    integer,
    integers,
    sequence,
    shape_of,
)
from ..tracing import Aval, aval_of, bind, bind_all, stage
from ..transforms.jit import api
from ..typing import Array, ArrayLike, DTypeLike
from . import elementwise, structure
from .associative import associative_scan
from .complex_order import bind_ordered
from .slicing import slice as lax_slice
from .slicing import slice_in_dim

if TYPE_CHECKING:
    from ..signatures import LaxArgExtremum, LaxCumulative, LaxReduction

__all__ = [
    "approx_max_k", "approx_min_k", "argmax", "argmin", "cumlogsumexp", "cummax", "cummin", "cumprod", "cumsum",
    "reduce", "reduce_and", "reduce_max", "reduce_min", "reduce_or", "reduce_prod", "reduce_sum", "reduce_window",
    "sort", "sort_key_val", "top_k",
]

_MONOIDS: dict[OperationRecord, OperationRecord] = {
    ops.add: ops.reduce_sum, ops.mul: ops.reduce_prod, ops.max: ops.reduce_max, ops.min: ops.reduce_min,
    ops.and_: ops.reduce_and, ops.or_: ops.reduce_or,
}


def _reduction(name: str, record: OperationRecord, summary: str, example: str, result: str) -> LaxReduction:
    def function(operand: ArrayLike, axes: Sequence[int]) -> Array:
        aval = aval_of(operand)
        dimensions = axes_of(name, integers(name, axes, "a dimension"), len(aval.shape))
        return bind_ordered(record, operand, dimensions=dimensions, weak=aval.weak)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        f"{summary}\n\nArgs:\n    operand: An array.\n    axes: The dimensions that are folded.\n\nReturns:\n"
        f"    The folded array, without these dimensions.\n\nExample:\n    >>> import numpy as np\n"
        f"    >>> from olympus import lax\n    >>> lax.{name}(np.array({example}), (0,))\n    Array({result})\n"
    )
    return function


_NUMBERS, _TRUTHS = "[3, 1, 2], 'int32'", "[True, False]"
reduce_sum = _reduction("reduce_sum", ops.reduce_sum, "The sum over dimensions.", _NUMBERS, "6, dtype=int32")
reduce_prod = _reduction("reduce_prod", ops.reduce_prod, "The product over dimensions.", _NUMBERS, "6, dtype=int32")
reduce_max = _reduction("reduce_max", ops.reduce_max, "The maximum over dimensions.", _NUMBERS, "3, dtype=int32")
reduce_min = _reduction("reduce_min", ops.reduce_min, "The minimum over dimensions.", _NUMBERS, "1, dtype=int32")
reduce_and = _reduction("reduce_and", ops.reduce_and, "Whether all are true.", _TRUTHS, "False, dtype=bool")
reduce_or = _reduction("reduce_or", ops.reduce_or, "Whether any is true.", _TRUTHS, "True, dtype=bool")


def monoid_of(function: str, computation: Callable[[Any, Any], Any], dtype: np.dtype) -> OperationRecord:
    """The operation that a function of two scalars amounts to."""
    function_of(function, computation, "the computation")
    scalar = Aval(ArrayType((), dtype))
    program, _, captured = stage(lambda x, y: [computation(x, y)], [scalar, scalar], "computation")
    if len(program.operations) == 1 and not captured:
        (operation,) = program.operations
        if operation.record in _MONOIDS and set(operation.operands) == set(program.inputs):
            return operation.record
    raise NotSupportedError(
        f"olympus.lax.{function} with this function", "it is not one of add, mul, max, min, and, or",
        "Write the reduction with these, or with olympus.lax.associative_scan or olympus.lax.scan.",
    )


def reduce(operands: Any, init_values: Any, computation: Callable[..., Any], dimensions: Sequence[int]) -> Any:
    """Folds dimensions with a function of two scalars that is one of add, mul, max, min, and, or.

    Args:
        operands: An array, or a tree of arrays that are folded each by itself.
        init_values: What to begin with, a scalar for each array.
        computation: The function, such as `lax.add`.
        dimensions: Which dimensions.

    Returns:
        The folded array or tree.

    Raises:
        NotSupportedError: For any other function.

    Example:
        >>> import numpy as np
        >>> from olympus import lax
        >>> float(lax.reduce(np.ones((2, 3), "float32"), 0.0, lax.add, (0, 1)))
        6.0
    """
    arrays, structure_of_operands = tree.flatten(operands)
    starts = tree.leaves(init_values)
    if len(arrays) != len(starts):
        raise ArgumentError("reduce", "not every array has something to begin with",
                            f"{len(arrays)} arrays, {len(starts)} initial values", "a scalar for each array")
    results = []
    for x, start in zip(arrays, starts, strict=True):
        aval = aval_of(x)
        record = monoid_of("reduce", computation, aval.dtype)
        axes = axes_of("reduce", integers("reduce", dimensions, "a dimension"), len(aval.shape))
        folded = bind(_MONOIDS[record], x, dimensions=axes, weak=aval.weak)
        first = broadcast(cast(start, aval.dtype, "reduce"), shape_of(folded))
        results.append(bind(record, folded, first, weak=aval.weak))
    return tree.unflatten(structure_of_operands, results)


def _extreme(name: str, record: OperationRecord, word: str, result: int) -> LaxArgExtremum:
    def function(operand: ArrayLike, axis: int, index_dtype: DTypeLike) -> Array:
        shape = shape_of(operand)
        dimension, dtype = axis_of(name, axis, len(shape)), element_type(name, index_dtype)
        if not dtypes.is_integer(dtype) or shape[dimension] - 1 > np.iinfo(dtype).max:
            raise ArgumentError(name, f"indices do not fit {dtype.name}", f"a dimension of size {shape[dimension]}",
                                "an integer type that holds its last index, such as "
                                f"{dtypes.index_dtype(shape[dimension])}")
        return bind_ordered(record, operand, dimension=dimension, dtype=dtype, weak=False)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        f"The index of the {word}: of the first one, or of the first NaN.\n\nArgs:\n    operand: An array.\n"
        f"    axis: The dimension.\n    index_dtype: The result's element type.\n\nReturns:\n    The indices.\n\n"
        f"Example:\n    >>> import numpy as np\n    >>> from olympus import lax\n"
        f"    >>> int(lax.{name}(np.array([3, 1, 2]), 0, 'int32'))\n    {result}\n"
    )
    return function


argmax = _extreme("argmax", ops.argmax, "maximum", 0)
argmin = _extreme("argmin", ops.argmin, "minimum", 1)


def _cumulative(name: str, record: OperationRecord, summary: str, result: str) -> LaxCumulative:
    def function(operand: ArrayLike, axis: int = 0, reverse: bool = False) -> Array:
        aval = aval_of(operand)
        return bind(record, operand, dimension=axis_of(name, axis, len(aval.shape)), reverse=bool(reverse),
                    weak=aval.weak)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        f"{summary}\n\nArgs:\n    operand: An array.\n    axis: The dimension.\n    reverse: Whether to go from the"
        f" last element to the first.\n\nReturns:\n    The folds up to each element.\n\nExample:\n"
        f"    >>> import numpy as np\n    >>> from olympus import lax\n"
        f"    >>> lax.{name}(np.array([3, 1, 2]))\n    Array([{result}], dtype=int32)\n"
    )
    return function


cumsum = _cumulative("cumsum", ops.cumsum, "The running sum.", "3, 4, 6")
cumprod = _cumulative("cumprod", ops.cumprod, "The running product.", "3, 3, 6")
cummax = _cumulative("cummax", ops.cummax, "The running maximum.", "3, 3, 3")
cummin = _cumulative("cummin", ops.cummin, "The running minimum.", "3, 1, 1")


@api(static=("axis", "reverse"))
def cumlogsumexp(operand: ArrayLike, axis: int = 0, reverse: bool = False) -> Array:
    """The running logarithm of the sum of exponentials.

    Args:
        operand: An array of floats.
        axis: The dimension.
        reverse: Whether to go from the last element to the first.

    Returns:
        The folds up to each element.

    Example:
        >>> import numpy as np
        >>> from olympus import lax
        >>> lax.cumlogsumexp(np.zeros(1, "float32"))
        Array([0.], dtype=float32)
    """
    weak = aval_of(operand).weak
    return associative_scan(
        lambda x, y: elementwise.log_add_exp(x, y, weak), operand, reverse=reverse, axis=axis)


# Up to how many elements a window is folded slice by slice; greater ones dimension by dimension, in fewer steps.
_UNROLLED = 16


@api(static=("window_dimensions", "window_strides", "padding", "base_dilation", "window_dilation", "record"))
def _reduce_window(
    x: ArrayLike, start: ArrayLike, window_dimensions: Any, window_strides: Any, padding: Any, base_dilation: Any,
    window_dilation: Any, record: Any,
) -> Any:
    x = structure.pad(x, start, [(low, high, gap - 1) for (low, high), gap in zip(padding, base_dilation, strict=True)])
    shape = shape_of(x)
    reach = [(k - 1) * hole + 1 for k, hole in zip(window_dimensions, window_dilation, strict=True)]
    counts = [max((n - r) // s + 1, 0) for n, r, s in zip(shape, reach, window_strides, strict=True)]
    result = broadcast(cast(start, aval_of(x).dtype, "reduce_window"), tuple(counts), weak=False)
    if 0 in counts or 0 in window_dimensions:
        return result
    if math.prod(window_dimensions) > _UNROLLED:
        for d, (k, s, hole) in enumerate(zip(window_dimensions, window_strides, window_dilation, strict=True)):
            x = _folded_along(record, x, d, k, s, hole)
        return bind(record, result, x)
    for offsets in itertools.product(*map(range, window_dimensions)):
        first = [o * hole for o, hole in zip(offsets, window_dilation, strict=True)]
        limit = [f + (c - 1) * s + 1 for f, c, s in zip(first, counts, window_strides, strict=True)]
        result = bind(record, result, lax_slice(x, first, limit, window_strides))
    return result


def _folded_along(record: OperationRecord, x: Any, d: int, k: int, stride: int, hole: int) -> Any:
    """The folds of windows of `k` elements along one dimension, in a number of steps that grows with log(k) only."""
    count = (shape_of(x)[d] - (k - 1) * hole - 1) // stride + 1
    if k <= _UNROLLED:
        parts = [slice_in_dim(x, o * hole, o * hole + (count - 1) * stride + 1, stride, d) for o in range(k)]
        return functools.reduce(lambda found, part: bind(record, found, part), parts)
    if hole > 1 and stride % hole == 0:  # all windows take the same elements of each `hole` neighbours
        x, stride, hole = slice_in_dim(x, 0, None, hole, d), stride // hole, 1
    if stride == 1 or hole > 1:
        everywhere = _doubled(record, x, d, k, hole)
        return slice_in_dim(everywhere, 0, (count - 1) * stride + 1, stride, d)
    # A window is some blocks as long as the stride, and the beginning of the next: each block is folded once.
    whole, rest = divmod(k, stride)
    found = []
    if whole:
        blocks = _blocks_folded(record, x, d, count - 1 + whole, stride, stride)
        found.append(_doubled(record, blocks, d, whole, 1))
    if rest:
        beginnings = slice_in_dim(x, whole * stride, (whole + count - 1) * stride + rest, stride if rest == 1 else 1, d)
        found.append(beginnings if rest == 1 else _blocks_folded(record, beginnings, d, count, stride, rest))
    return functools.reduce(lambda first, second: bind(record, first, second), found)


def _blocks_folded(record: OperationRecord, x: Any, d: int, count: int, size: int, used: int) -> Any:
    """The folds of the first `used` elements of each of `count` blocks of a dimension; the last may end after them."""
    shape = shape_of(x)
    missing = count * size - shape[d]  # the beginning is not taken from what is put there
    x = structure.pad(x, np.zeros((), aval_of(x).dtype), [(0, missing if i == d else 0, 0) for i in range(len(shape))])
    x = structure.reshape(x, (*shape[:d], count, size, *shape[d + 1:]))
    return bind(_MONOIDS[record], slice_in_dim(x, 0, used, axis=d + 1), dimensions=(d + 1,))


def _doubled(record: OperationRecord, x: Any, d: int, k: int, step: int) -> Any:
    """For each position the fold of `k` elements, `step` apart: of windows of 1, 2, 4, ... those that make up `k`."""
    count = shape_of(x)[d] - (k - 1) * step
    found, offset, size = None, 0, 1
    while True:
        if k & size:
            part = slice_in_dim(x, offset, offset + count, axis=d)
            found = part if found is None else bind(record, found, part)
            offset += size * step
        if 2 * size > k:
            return found
        shift, n = size * step, shape_of(x)[d]
        x = bind(record, slice_in_dim(x, 0, n - shift, axis=d), slice_in_dim(x, shift, n, axis=d))
        size *= 2


def reduce_window(
    operand: ArrayLike, init_value: ArrayLike, computation: Callable[[Any, Any], Any], window_dimensions: Sequence[int],
    window_strides: Sequence[int], padding: str | Sequence[tuple[int, int]], base_dilation: Sequence[int] | None = None,
    window_dilation: Sequence[int] | None = None,
) -> Array:
    """Folds each window of an array with one of add, mul, max, min, and, or: pooling.

    Args:
        operand: An array.
        init_value: What to begin with; also what lies around the array.
        computation: The function of two scalars, such as `lax.max`.
        window_dimensions: The window's size in each dimension.
        window_strides: How far windows are apart.
        padding: ``"SAME"``, ``"VALID"``, or pairs of how much to put before and after.
        base_dilation: How far the array's elements are apart; 1 for None.
        window_dilation: How far a window's elements are apart; 1 for None.

    Returns:
        One element for each window.

    Raises:
        NotSupportedError: For any other function.

    Example:
        >>> import numpy as np
        >>> from olympus import lax
        >>> lax.reduce_window(np.array([1., 3., 2., 5.], "float32"), -np.inf, lax.max, (2,), (2,), "VALID")
        Array([3., 5.], dtype=float32)
    """
    aval = aval_of(operand)
    ones = (1,) * len(aval.shape)
    ndim = len(ones)
    window = integers("reduce_window", window_dimensions, "a window's size", ndim, 0)
    strides = integers("reduce_window", window_strides, "a stride", ndim, 1)
    base = ones if base_dilation is None else integers("reduce_window", base_dilation, "a dilation", ndim, 1)
    holes = ones if window_dilation is None else integers("reduce_window", window_dilation, "a dilation", ndim, 1)
    sizes = [(n - 1) * gap + 1 if n else 0 for n, gap in zip(aval.shape, base, strict=True)]
    reach = [(k - 1) * hole + 1 for k, hole in zip(window, holes, strict=True)]
    pads = padding_amounts("reduce_window", padding, sizes, reach, strides)
    return _reduce_window(
        operand, init_value, window_dimensions=window, window_strides=strides, padding=pads, base_dilation=base,
        window_dilation=holes, record=monoid_of("reduce_window", computation, aval.dtype))


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


def sort(operand: Any, dimension: int = -1, is_stable: bool = True, num_keys: int = 1) -> Any:
    """Sorts along a dimension, NaN last.

    Args:
        operand: An array, or a tuple of arrays of one shape that are sorted together.
        dimension: The dimension.
        is_stable: Whether equal elements keep their order; they always do.
        num_keys: How many arrays of a tuple are compared.

    Returns:
        The sorted array, or a tuple of them.

    Example:
        >>> import numpy as np
        >>> from olympus import lax
        >>> lax.sort(np.array([3, 1, 2]))
        Array([1, 2, 3], dtype=int32)
    """
    several = isinstance(operand, (tuple, list))
    arrays = list(operand) if several else [operand]
    if not arrays:
        raise ArgumentError("sort", "there are no arrays", described(operand), "one array or more")
    axis = axis_of("sort", dimension, len(shape_of(arrays[0])))
    keys = integer("sort", num_keys, "the number of keys")
    if not 1 <= keys <= len(arrays) or len({shape_of(x) for x in arrays}) > 1:
        raise ArgumentError("sort", "the arrays and their number of keys do not fit",
                            f"{keys} of {', '.join(repr(aval_of(x)) for x in arrays)}",
                            f"arrays of one shape, from 1 to {len(arrays)} of them as keys")
    results = bind_all(ops.sort, arrays, {"dimension": axis, "keys": keys}, weak=False)
    return tuple(results) if several else results[0]


def sort_key_val(
    keys: ArrayLike, values: ArrayLike, dimension: int = -1, is_stable: bool = True
) -> tuple[Array, Array]:
    """Sorts keys, and values along with them.

    Args:
        keys: What is compared.
        values: What is moved along, of the same shape.
        dimension: The dimension.
        is_stable: Whether equal keys keep their order; they always do.

    Returns:
        The sorted keys, and the values in their order.

    Example:
        >>> import numpy as np
        >>> from olympus import lax
        >>> lax.sort_key_val(np.array([2, 1]), np.array([10, 20]))[1]
        Array([20, 10], dtype=int32)
    """
    found = sort((keys, values), dimension, is_stable, 1)
    return found[0], found[1]


@api(static=("k", "axis"))
def _top_k(operand: ArrayLike, k: int, axis: int) -> tuple[Any, Any]:
    attributes = {"dimension": axis, "k": k, "dtype": dtypes.index_dtype(shape_of(operand)[axis])}
    values, positions = bind_all(ops.top_k, [operand], attributes, weak=False)
    return values, positions


def top_k(operand: ArrayLike, k: int, *, axis: int = -1) -> tuple[Array, Array]:
    """The greatest elements along a dimension and their indices, the greatest first.

    Args:
        operand: An array.
        k: How many.
        axis: The dimension.

    Returns:
        The elements and their indices; of equal ones, such as zeros of both signs, the first comes first, and NaN come
        before all others.

    Example:
        >>> import numpy as np
        >>> from olympus import lax
        >>> lax.top_k(np.array([3, 1, 5]), 2)
        (Array([5, 3], dtype=int32), Array([2, 0], dtype=int32))
    """
    shape = shape_of(operand)
    dimension, count = axis_of("top_k", axis, len(shape)), integer("top_k", k, "k")
    if not 0 <= count <= shape[dimension]:
        raise ArgumentError("top_k", "k does not fit", count,
                            f"from 0 to {shape[dimension]}, the size of the dimension")
    return _top_k(operand, k=count, axis=dimension)


def approx_max_k(
    operand: ArrayLike, k: int, reduction_dimension: int = -1, recall_target: float = 0.95,
    reduction_input_size_override: int = -1, aggregate_to_topk: bool = True,
) -> tuple[Array, Array]:
    """The greatest elements and their indices; here exactly, as `top_k` gives them.

    Args:
        operand: An array.
        k: How many.
        reduction_dimension: The dimension.
        recall_target: How many of them must be right at least, as a share; here all are.
        reduction_input_size_override: Not used.
        aggregate_to_topk: Whether exactly k are given; here always.

    Returns:
        The elements and their indices.

    Example:
        >>> import numpy as np
        >>> from olympus import lax
        >>> lax.approx_max_k(np.array([3., 1., 5.], "float32"), 1)[1]
        Array([2], dtype=int32)
    """
    return top_k(operand, k, axis=reduction_dimension)


def approx_min_k(
    operand: ArrayLike, k: int, reduction_dimension: int = -1, recall_target: float = 0.95,
    reduction_input_size_override: int = -1, aggregate_to_topk: bool = True,
) -> tuple[Array, Array]:
    """The least elements and their indices; here exactly.

    Args:
        operand: An array of floats.
        k: How many.
        reduction_dimension: The dimension.
        recall_target: How many of them must be right at least, as a share; here all are.
        reduction_input_size_override: Not used.
        aggregate_to_topk: Whether exactly k are given; here always.

    Returns:
        The elements and their indices.

    Example:
        >>> import numpy as np
        >>> from olympus import lax
        >>> lax.approx_min_k(np.array([3., 1., 5.], "float32"), 1)[1]
        Array([1], dtype=int32)
    """
    values, positions = top_k(elementwise.neg(operand), k, axis=reduction_dimension)
    return elementwise.neg(values), positions
