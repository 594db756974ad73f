"""Windows of arrays at places that another array names: `gather` and the kinds of `scatter`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from olympus_core import ops

from ..tracing import aval_of, bind
from .operands import ArrayLike, cast, shape_argument
from .types import GatherDimensionNumbers, GatherScatterMode, ScatterDimensionNumbers


def gather(
    operand: ArrayLike, start_indices: ArrayLike, dimension_numbers: GatherDimensionNumbers, slice_sizes: Sequence[int],
    *, unique_indices: bool = False, indices_are_sorted: bool = False, mode: Any = None, fill_value: Any = None,
) -> Any:
    """Takes windows of an array.

    Args:
        operand: An array.
        start_indices: Integers; the last dimension holds the vector of a window's start.
        dimension_numbers: How the windows stand in the result.
        slice_sizes: A window's size in each of the operand's dimensions.
        unique_indices: A promise that no two windows are the same.
        indices_are_sorted: A promise that the windows follow each other.
        mode: What to do where a window reaches over the end: ``"clip"`` (the default), ``"fill"`` or
            ``"promise_in_bounds"``.
        fill_value: The element for ``"fill"``; NaN, or the least number, for None.

    Returns:
        The windows.

    Example:
        >>> import numpy as np
        >>> from olympus import lax
        >>> numbers = lax.GatherDimensionNumbers((), (0,), (0,))
        >>> lax.gather(lax.iota("int32", 5), np.array([[3], [1]]), numbers, (1,))
        Array([3, 1], dtype=int32)
    """
    attributes: dict[str, Any] = {
        "offset_dims": tuple(dimension_numbers.offset_dims),
        "collapsed_slice_dims": tuple(dimension_numbers.collapsed_slice_dims),
        "start_index_map": tuple(dimension_numbers.start_index_map),
        "operand_batching_dims": tuple(dimension_numbers.operand_batching_dims),
        "indices_batching_dims": tuple(dimension_numbers.start_indices_batching_dims),
        "slice_sizes": shape_argument("gather", tuple(slice_sizes)),
        "mode": "clip" if mode is None or GatherScatterMode.from_any(mode).clips else "fill",
    }
    if attributes["mode"] == "fill" and fill_value is not None:
        attributes["fill_value"] = np.asarray(fill_value).astype(aval_of(operand).dtype).item()
    return bind(ops.gather, operand, start_indices, weak=aval_of(operand).weak, **attributes)


def _scatter(
    combine: str, operand: ArrayLike, indices: ArrayLike, updates: ArrayLike, numbers: ScatterDimensionNumbers,
    mode: Any,
) -> Any:
    aval = aval_of(operand)
    if aval_of(updates).weak:
        updates = cast(updates, aval.dtype, "scatter")
    return bind(
        ops.scatter, operand, indices, updates, weak=aval.weak, combine=combine,
        update_window_dims=tuple(numbers.update_window_dims), inserted_window_dims=tuple(numbers.inserted_window_dims),
        scatter_dims_to_operand_dims=tuple(numbers.scatter_dims_to_operand_dims),
        operand_batching_dims=tuple(numbers.operand_batching_dims),
        indices_batching_dims=tuple(numbers.scatter_indices_batching_dims),
        mode="clip" if mode is not None and GatherScatterMode.from_any(mode) is GatherScatterMode.CLIP else "drop",
    )


_DOCUMENT = """{summary}

Args:
    operand: An array.
    {indices}: Integers; the last dimension holds the vector of a window's start.
    updates: The windows.
    dimension_numbers: How the windows stand in the operand.
    indices_are_sorted: A promise that the windows follow each other.
    unique_indices: A promise that no two windows overlap.
    mode: What to do where a window reaches over the end: ``"drop"`` (the default) or ``"clip"``.

Returns:
    A new array.

Example:
    >>> import numpy as np
    >>> from olympus import lax
    >>> numbers = lax.ScatterDimensionNumbers((), (0,), (0,))
    >>> lax.{name}(lax.full((3,), 2, "int32"), np.array([[1]]), lax.full((1,), 5, "int32"), numbers)
    Array([{result}], dtype=int32)
"""


def _scatter_function(name: str, combine: str, summary: str, result: str) -> Any:
    def function(
        operand: ArrayLike, scatter_indices: ArrayLike, updates: ArrayLike, dimension_numbers: ScatterDimensionNumbers,
        *, indices_are_sorted: bool = False, unique_indices: bool = False, mode: Any = None,
    ) -> Any:
        return _scatter(combine, operand, scatter_indices, updates, dimension_numbers, mode)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = _DOCUMENT.format(summary=summary, name=name, result=result, indices="scatter_indices")
    return function


scatter = _scatter_function("scatter", "set", "Puts windows into an array.", "2, 5, 2")
scatter_add = _scatter_function("scatter_add", "add", "Adds windows to an array.", "2, 7, 2")
scatter_mul = _scatter_function("scatter_mul", "mul", "Multiplies parts of an array with windows.", " 2, 10,  2")
scatter_min = _scatter_function("scatter_min", "min", "Takes the minimum of parts of an array and windows.", "2, 2, 2")
scatter_max = _scatter_function("scatter_max", "max", "Takes the maximum of parts of an array and windows.", "2, 5, 2")


def scatter_sub(
    operand: ArrayLike, scatter_indices: ArrayLike, updates: ArrayLike, dimension_numbers: ScatterDimensionNumbers,
    *, indices_are_sorted: bool = False, unique_indices: bool = False, mode: Any = None,
) -> Any:
    """Subtracts windows from an array.

    Args:
        operand: An array.
        scatter_indices: Integers; the last dimension holds the vector of a window's start.
        updates: The windows.
        dimension_numbers: How the windows stand in the operand.
        indices_are_sorted: A promise that the windows follow each other.
        unique_indices: A promise that no two windows overlap.
        mode: What to do where a window reaches over the end: ``"drop"`` (the default) or ``"clip"``.

    Returns:
        A new array.

    Example:
        >>> import numpy as np
        >>> from olympus import lax
        >>> numbers = lax.ScatterDimensionNumbers((), (0,), (0,))
        >>> lax.scatter_sub(lax.full((3,), 2, "int32"), np.array([[1]]), lax.full((1,), 5, "int32"), numbers)
        Array([ 2, -3,  2], dtype=int32)
    """
    updates = cast(updates, aval_of(operand).dtype, "scatter_sub")
    return _scatter("add", operand, scatter_indices, bind(ops.neg, updates), dimension_numbers, mode)
