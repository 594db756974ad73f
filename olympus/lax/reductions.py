# SPDX-License-Identifier: Apache-2.0
"""Reductions, cumulative reductions, argmax, windows, sorting, top_k."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from olympus_core import dtypes, ops
from olympus_core.errors import ArgumentError, described
from olympus_core.program import OperationRecord

from ..operands import (
    axes_of,
    axis_of,
    element_type,
    integer,
    integers,
    shape_of,
    weakly,
)
from ..tracing import aval_of, bind_all
from ..transforms.complex_order import bind_ordered
from ..transforms.jit import api
from ..typing import Array, ArrayLike, DTypeLike, ShardingLike
from . import elementwise, structure
from .associative import associative_scan

if TYPE_CHECKING:
    from ..signatures import LaxArgExtremum, LaxCumulative, LaxReduction

__all__ = [
    "approx_max_k", "approx_min_k", "argmax", "argmin", "cumlogsumexp", "cummax", "cummin", "cumprod", "cumsum",
    "reduce_and", "reduce_max", "reduce_min", "reduce_or", "reduce_prod", "reduce_sum", "sort", "sort_key_val", "top_k",
]

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


def reduce_sum(operand: ArrayLike, axes: Sequence[int], *, out_sharding: ShardingLike | None = None) -> Array:
    """The sum over dimensions.

    Args:
        operand: An array.
        axes: The dimensions that are folded.
        out_sharding: How the result is to be sharded.

    Returns:
        The folded array, without these dimensions.

    Example:
        >>> import numpy as np
        >>> from olympus import lax
        >>> lax.reduce_sum(np.array([3, 1, 2], 'int32'), (0,))
        Array(6, dtype=int32)
    """
    aval = aval_of(operand)
    dimensions = axes_of("reduce_sum", integers("reduce_sum", axes, "a dimension"), len(aval.shape))
    return structure.bind_in(out_sharding, ops.reduce_sum, operand, dimensions=dimensions, weak=aval.weak)


reduce_prod = _reduction("reduce_prod", ops.reduce_prod, "The product over dimensions.", _NUMBERS, "6, dtype=int32")
reduce_max = _reduction("reduce_max", ops.reduce_max, "The maximum over dimensions.", _NUMBERS, "3, dtype=int32")
reduce_min = _reduction("reduce_min", ops.reduce_min, "The minimum over dimensions.", _NUMBERS, "1, dtype=int32")
reduce_and = _reduction("reduce_and", ops.reduce_and, "Whether all are true.", _TRUTHS, "False, dtype=bool")
reduce_or = _reduction("reduce_or", ops.reduce_or, "Whether any is true.", _TRUTHS, "True, dtype=bool")


def _extreme(name: str, record: OperationRecord, word: str, result: int) -> LaxArgExtremum:
    def function(operand: ArrayLike, axis: int, index_dtype: DTypeLike) -> Array:
        shape = shape_of(operand)
        dimension, dtype = axis_of(name, axis, len(shape)), element_type(name, index_dtype)
        if not dtypes.is_integer(dtype) or shape[dimension] - 1 > dtypes.limits(dtype).max:
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
        dimension = axis_of(name, axis, len(aval.shape))
        return bind_ordered(record, operand, dimension=dimension, reverse=bool(reverse), weak=aval.weak)

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
    found = bind_all(ops.sort, arrays, {"dimension": axis, "keys": keys}, weak=False)
    results = [weakly(v, aval_of(x).weak) for v, x in zip(found, arrays, strict=True)]
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
    return weakly(values, aval_of(operand).weak), positions


def top_k(operand: ArrayLike, k: int, *, axis: int = -1) -> list[Array]:
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
        [Array([5, 3], dtype=int32), Array([2, 0], dtype=int32)]
    """
    shape = shape_of(operand)
    dimension, count = axis_of("top_k", axis, len(shape)), integer("top_k", k, "k")
    if not 0 <= count <= shape[dimension]:
        raise ArgumentError("top_k", "k does not fit", count,
                            f"from 0 to {shape[dimension]}, the size of the dimension")
    return list(_top_k(operand, k=count, axis=dimension))


def approx_max_k(
    operand: ArrayLike, k: int, reduction_dimension: int = -1, recall_target: float = 0.95,
    reduction_input_size_override: int = -1, aggregate_to_topk: bool = True,
) -> list[Array]:
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
) -> list[Array]:
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
    return [elementwise.neg(values), positions]
