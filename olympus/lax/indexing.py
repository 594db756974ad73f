# SPDX-License-Identifier: Apache-2.0
"""Windows of arrays at indices that another array holds: `gather` and the kinds of `scatter`."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.errors import ArgumentError, described

from ..dimension_numbers import GatherDimensionNumbers, GatherScatterMode, ScatterDimensionNumbers
from ..operands import cast, check_range, filled, function_of, integers, known, shape_argument
from ..tracing import aval_of, bind
from ..transforms.complex_order import bind_ordered
from ..typing import Array, ArrayLike

if TYPE_CHECKING:
    from .types import Scatter

__all__ = ["gather", "scatter", "scatter_add", "scatter_apply", "scatter_max", "scatter_min", "scatter_mul",
           "scatter_sub"]


def gather(
    operand: ArrayLike, start_indices: ArrayLike, dimension_numbers: GatherDimensionNumbers, slice_sizes: Sequence[int],
    *, unique_indices: bool = False, indices_are_sorted: bool = False, mode: Any = None, fill_value: Any = None,
) -> Array:
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
    if not isinstance(dimension_numbers, GatherDimensionNumbers):
        raise ArgumentError("gather", "the dimension numbers do not fit", described(dimension_numbers),
                            "olympus.lax.GatherDimensionNumbers(...)")
    numbers = _dimensions("gather", dimension_numbers)
    attributes: dict[str, Any] = {
        "indices_batching_dims": numbers.pop("start_indices_batching_dims"), **numbers,
        "slice_sizes": shape_argument("gather", slice_sizes),
        "mode": "clip" if mode is None or GatherScatterMode.from_any(mode).clips else "fill",
    }
    aval, sizes = aval_of(operand), attributes["slice_sizes"]
    if attributes["mode"] == "fill" and fill_value is not None:
        attributes["fill_value"] = fill_number("gather", fill_value, aval.dtype)
    if 0 in aval_of(start_indices).shape[:-1] and len(sizes) == aval.ndim and any(map(operator.gt, sizes, aval.shape)):
        # There are no windows: none of them has to fit, and nothing is read.
        operand = filled(0, tuple(map(max, sizes, aval.shape)), aval.dtype)
    return bind(ops.gather, operand, start_indices, weak=aval.weak, **attributes)


def _dimensions(function: str, numbers: Any) -> dict[str, Any]:
    """The fields of dimension numbers, each of which must hold dimensions."""
    return {name: integers(function, getattr(numbers, name), f"a dimension of {name}") for name in numbers.__slots__}


def fill_number(function: str, given: Any, dtype: np.dtype) -> Any:
    """A Python number of an element type, for an operation's attribute."""
    host = known(function, given, "the fill value")
    if host.shape:
        raise ArgumentError(function, "the fill value is not a number", described(given), "one number")
    if type(given) is int:
        check_range(function, given, dtype)
    with np.errstate(all="ignore"):
        return dtypes.cast(host, dtype).item()


def _scatter(
    combine: str, operand: ArrayLike, indices: ArrayLike, updates: ArrayLike, numbers: ScatterDimensionNumbers,
    mode: Any,
) -> Any:
    aval = aval_of(operand)
    if not isinstance(numbers, ScatterDimensionNumbers):
        raise ArgumentError("scatter", "the dimension numbers do not fit", described(numbers),
                            "olympus.lax.ScatterDimensionNumbers(...)")
    dims = _dimensions("scatter", numbers)
    if aval_of(updates).weak:
        updates = cast(updates, aval.dtype, "scatter")
    return bind_ordered(
        ops.scatter, operand, indices, updates, weak=aval.weak, combine=combine,
        indices_batching_dims=dims.pop("scatter_indices_batching_dims"), **dims,
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


def _scatter_function(name: str, combine: str, summary: str, result: str) -> Scatter:
    def function(
        operand: ArrayLike, scatter_indices: ArrayLike, updates: ArrayLike, dimension_numbers: ScatterDimensionNumbers,
        *, indices_are_sorted: bool = False, unique_indices: bool = False, mode: Any = None,
    ) -> Array:
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
) -> Array:
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


def scatter_apply(
    operand: ArrayLike, scatter_indices: ArrayLike, func: Callable[[Any], Any],
    dimension_numbers: ScatterDimensionNumbers, *, update_shape: Sequence[int] = (), indices_are_sorted: bool = False,
    unique_indices: bool = False, mode: Any = None,
) -> Array:
    """Applies a function to parts of an array, once for each window that they lie in.

    Args:
        operand: An array.
        scatter_indices: Integers; the last dimension holds the vector of a window's start.
        func: A function of one number.
        dimension_numbers: How the windows stand in the operand.
        update_shape: The shape that updates would have for `scatter`.
        indices_are_sorted: A promise that the windows follow each other.
        unique_indices: A promise that no two windows overlap.
        mode: What to do where a window reaches over the end: ``"drop"`` (the default) or ``"clip"``.

    Returns:
        A new array.

    Example:
        >>> import numpy as np
        >>> from olympus import lax
        >>> numbers = lax.ScatterDimensionNumbers((), (0,), (0,))
        >>> x = lax.full((3,), 3, "int32")
        >>> lax.scatter_apply(x, np.array([[1], [1], [2]]), lambda x: -2 * x, numbers, update_shape=(3,))
        Array([ 3, 12, -6], dtype=int32)
    """
    from ..transforms.batching import vmap
    from .control import while_loop

    function_of("scatter_apply", func, "func")
    shape, aval = shape_argument("scatter_apply", update_shape), aval_of(operand)
    counts = _scatter("add", filled(0, aval.shape, dtypes.int32), scatter_indices, filled(1, shape, dtypes.int32),
                      dimension_numbers, mode)

    def step(state: tuple[Any, Any]) -> tuple[Any, Any]:
        value, left = state
        flat = bind(ops.reshape, value, shape=(aval.size,))
        changed = bind(ops.reshape, cast(vmap(func)(flat), aval.dtype, "scatter_apply"), shape=aval.shape)
        due = bind(ops.gt, left, filled(0, aval.shape, dtypes.int32))
        return bind(ops.select, due, changed, value), bind(ops.sub, left, filled(1, aval.shape, dtypes.int32))

    if not aval.size:
        return cast(operand, aval.dtype)
    start = bind(ops.convert, operand, dtype=aval.dtype, weak=False)
    if unique_indices:
        return step((start, counts))[0]
    every = tuple(range(len(aval.shape)))
    return while_loop(lambda state: bind(ops.gt, bind(ops.reduce_max, state[1], dimensions=every), np.int32(0)),
                      step, (start, counts))[0]
