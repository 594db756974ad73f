# SPDX-License-Identifier: Apache-2.0
"""Folds with any function: `reduce`, and `reduce_window`, which pooling is made of."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.errors import ArgumentError
from olympus_core.program import ArrayType, OperationRecord

from ..operands import axes_of, broadcast, cast, function_of, integers, shape_of
from ..tracing import Aval, aval_of, bind, stage
from ..transforms.jit import api
from ..trees import inside as tree
from ..typing import Array, ArrayLike, ShardingLike
from . import structure
from .contract import padding_amounts
from .elementwise import bitwise_xor
from .slicing import slice as lax_slice
from .slicing import slice_in_dim

__all__ = ["padtype_to_pads", "reduce", "reduce_window", "reduce_window_shape_tuple", "reduce_xor"]

_MONOIDS: dict[OperationRecord, OperationRecord] = {
    ops.add: ops.reduce_sum, ops.mul: ops.reduce_prod, ops.max: ops.reduce_max, ops.min: ops.reduce_min,
    ops.and_: ops.reduce_and, ops.or_: ops.reduce_or,
}
Arrays = tuple[Any, ...]


def monoid_of(computation: Callable[[Any, Any], Any], arrays: Sequence[Any], structure_of: Any) -> (
        OperationRecord | None):
    """The operation that a function of two scalars amounts to, where it has a reduction; None for any other.

    Args:
        computation: The function; of two trees of scalars.
        arrays: The leaves of the tree that is folded.
        structure_of: The tree's structure.
    """
    if len(arrays) != 1:
        return None
    scalar = Aval(ArrayType((), aval_of(arrays[0]).dtype))

    def flat(x: Any, y: Any) -> list[Any]:
        return tree.leaves(computation(tree.unflatten(structure_of, [x]), tree.unflatten(structure_of, [y])))

    program, _, captured = stage(flat, [scalar, scalar], "computation")
    if len(program.operations) == 1 and not captured:
        (operation,) = program.operations
        if operation.record in _MONOIDS and set(operation.operands) == set(program.inputs):
            return operation.record
    return None


class _Monoid:
    """Folds one array with an operation that has a reduction."""

    def __init__(self, record: OperationRecord) -> None:
        self.record = record

    def pair(self, xs: Arrays, ys: Arrays) -> Arrays:
        """Both folded, element by element."""
        return (bind(self.record, xs[0], ys[0]),)

    def along(self, xs: Arrays, dimension: int) -> Arrays:
        """The elements of a dimension folded."""
        return (bind(_MONOIDS[self.record], xs[0], dimensions=(dimension,)),)


class _Folding:
    """Folds several arrays together with a function of as many arrays of one shape, twice."""

    def __init__(self, function: Callable[[Arrays, Arrays], Arrays]) -> None:
        self.pair = function

    def along(self, xs: Arrays, dimension: int) -> Arrays:
        """Neighbours are folded, then neighbours of the results, and so on; the order stays."""
        n = shape_of(xs[0])[dimension]
        while n > 1:
            even = tuple(slice_in_dim(x, 0, n - n % 2, 2, dimension) for x in xs)
            odd = tuple(slice_in_dim(x, 1, n, 2, dimension) for x in xs)
            found = self.pair(even, odd)
            if n % 2:
                last = (slice_in_dim(x, n - 1, n, 1, dimension) for x in xs)
                found = tuple(structure.concatenate([f, x], dimension) for f, x in zip(found, last, strict=True))
            xs, n = found, (n + 1) // 2
        return tuple(structure.squeeze(x, (dimension,)) for x in xs)


Fold = _Monoid | _Folding


def _folding_of(function: str, computation: Callable[..., Any], leaves: Sequence[Any], structure_of: Any) -> _Folding:
    """The fold of trees of arrays by a function of two trees of scalars, for all elements at once."""
    from ..transforms.batching import vmap

    kinds = [aval_of(x).dtype for x in leaves]

    def flat(xs: Arrays, ys: Arrays) -> Arrays:
        found = tree.leaves(computation(tree.unflatten(structure_of, xs), tree.unflatten(structure_of, ys)))
        if len(found) != len(kinds) or any(aval_of(f).shape for f in found):
            raise ArgumentError(function, "the computation does not give what it folds", f"{len(found)} values",
                                f"{len(kinds)} scalars")
        return tuple(cast(f, dtype, function) for f, dtype in zip(found, kinds, strict=True))

    def pair(xs: Arrays, ys: Arrays) -> Arrays:
        shape = shape_of(xs[0])
        rows = (tuple(structure.reshape(x, (-1,)) if math.prod(shape) else structure.reshape(x, (0,)) for x in side)
                for side in (xs, ys))
        return tuple(structure.reshape(x, shape) for x in vmap(flat)(*rows))

    return _Folding(pair)


def _beginning(function: str, arrays: Sequence[Any], starts: Sequence[Any]) -> list[Any]:
    if len(arrays) != len(starts) or not arrays:
        raise ArgumentError(function, "not every array has something to begin with",
                            f"{len(arrays)} arrays, {len(starts)} initial values", "a scalar for each array")
    if len({shape_of(x) for x in arrays}) > 1:
        raise ArgumentError(function, "the arrays differ in shape", ", ".join(str(shape_of(x)) for x in arrays),
                            "arrays of one shape")
    return [cast(start, aval_of(x).dtype, function) for x, start in zip(arrays, starts, strict=True)]


def reduce(
    operands: Any, init_values: Any, computation: Callable[..., Any], dimensions: Sequence[int],
    out_sharding: ShardingLike | None = None,
) -> Any:
    """Folds dimensions with a function of two scalars.

    The function is associative: elements are folded in their order, but pairs of neighbours at first, then pairs of
    the results. ``add``, ``mul``, ``max``, ``min``, ``and`` and ``or`` are recognised, and are the reductions of these.

    Args:
        operands: An array, or a tree of arrays of one shape that are folded together.
        init_values: What to begin with, a scalar for each array.
        computation: A function of two scalars such as `lax.add`; of two trees of scalars where there are several.
        dimensions: Which dimensions.
        out_sharding: How the result is to be sharded.

    Returns:
        The folded array or tree.

    Raises:
        ArgumentError: If arrays and initial values do not fit, or the function gives something else.

    Example:
        >>> import numpy as np
        >>> from olympus import lax
        >>> float(lax.reduce(np.ones((2, 3), "float32"), 0.0, lax.add, (0, 1)))
        6.0
        >>> int(lax.reduce(np.array([5, 2, 4], "int32"), 0, lambda x, y: x ^ y, (0,)))
        3
    """
    arrays, structure_of = tree.flatten(operands)
    starts = _beginning("reduce", arrays, tree.leaves(init_values))
    function_of("reduce", computation, "the computation")
    shape = shape_of(arrays[0])
    axes = axes_of("reduce", integers("reduce", dimensions, "a dimension"), len(shape))
    record = monoid_of(computation, arrays, structure_of)
    if record is not None:
        aval = aval_of(arrays[0])
        folded = bind(_MONOIDS[record], arrays[0], dimensions=axes, weak=aval.weak)
        results = [bind(record, folded, broadcast(starts[0], shape_of(folded)), weak=aval.weak)]
    else:
        fold = _folding_of("reduce", computation, arrays, structure_of)
        kept = [d for d in range(len(shape)) if d not in axes]
        rest = tuple(shape[d] for d in kept)
        results = [broadcast(start, rest, weak=False) for start in starts]
        count = math.prod(shape[d] for d in axes)
        if count:
            rows = [structure.reshape(structure.transpose(x, (*kept, *axes)), (*rest, count)) for x in arrays]
            results = list(fold.pair(tuple(results), fold.along(tuple(rows), len(rest))))
    return tree.unflatten(structure_of, [structure.constrained(x, out_sharding) for x in results])


def reduce_xor(operand: ArrayLike, axes: Sequence[int]) -> Array:
    """The exclusive or over dimensions.

    Args:
        operand: An array of integers or bools.
        axes: The dimensions that are folded.

    Returns:
        The folded array, without these dimensions.

    Example:
        >>> import numpy as np
        >>> from olympus import lax
        >>> lax.reduce_xor(np.array([5, 2, 4], "int32"), (0,))
        Array(3, dtype=int32)
    """
    dtype = aval_of(operand).dtype
    if not (dtypes.is_integer(dtype) or dtypes.is_bool(dtype)):
        raise ArgumentError("reduce_xor", f"it does not take {dtype.name}", dtype.name, "integers or bools")
    return _reduce_xor(operand, axes=tuple(axes) if isinstance(axes, list) else axes)


@api(static=("axes",))
def _reduce_xor(operand: ArrayLike, axes: Any) -> Any:
    return reduce(operand, np.zeros((), aval_of(operand).dtype), bitwise_xor, axes)


# Up to how many elements a window is folded slice by slice; greater ones dimension by dimension, in fewer steps.
_UNROLLED = 16
_STATIC = ("window", "strides", "padding", "base", "holes")


def _windows(
    fold: Fold, xs: Arrays, starts: Sequence[Any], window: Any, strides: Any, padding: Any, base: Any, holes: Any,
) -> Arrays:
    """The folds of all windows, each begun with `starts`."""
    amounts = [(low, high, gap - 1) for (low, high), gap in zip(padding, base, strict=True)]
    xs = tuple(structure.pad(x, start, amounts) for x, start in zip(xs, starts, strict=True))
    reach = [(k - 1) * hole + 1 for k, hole in zip(window, holes, strict=True)]
    counts = [max((n - r) // s + 1, 0) for n, r, s in zip(shape_of(xs[0]), reach, strides, strict=True)]
    result = tuple(broadcast(start, tuple(counts), weak=False) for start in starts)
    if 0 in counts or 0 in window:
        return result
    if math.prod(window) > _UNROLLED:
        # The last dimension first, so that windows are folded in the order of their elements.
        for d in reversed(range(len(window))):
            xs = _folded_along(fold, xs, d, window[d], strides[d], holes[d])
        return fold.pair(result, xs)
    for offsets in itertools.product(*map(range, window)):
        first = [o * hole for o, hole in zip(offsets, holes, strict=True)]
        limit = [f + (c - 1) * s + 1 for f, c, s in zip(first, counts, strides, strict=True)]
        result = fold.pair(result, tuple(lax_slice(x, first, limit, strides) for x in xs))
    return result


def _parts(xs: Arrays, start: int, stop: int | None, stride: int, d: int) -> Arrays:
    return tuple(slice_in_dim(x, start, stop, stride, d) for x in xs)


def _folded_along(fold: Fold, xs: Arrays, d: int, k: int, stride: int, hole: int) -> Arrays:
    """The folds of windows of `k` elements along one dimension, in a number of steps that grows with log(k) only."""
    count = (shape_of(xs[0])[d] - (k - 1) * hole - 1) // stride + 1
    if k <= _UNROLLED:
        parts = [_parts(xs, o * hole, o * hole + (count - 1) * stride + 1, stride, d) for o in range(k)]
        return functools.reduce(fold.pair, parts)
    if hole > 1 and stride % hole == 0:  # all windows take the same elements of each `hole` neighbours
        xs, stride, hole = _parts(xs, 0, None, hole, d), stride // hole, 1
    if stride == 1 or hole > 1:
        everywhere = _doubled(fold, xs, d, k, hole)
        return _parts(everywhere, 0, (count - 1) * stride + 1, stride, d)
    # A window is some blocks as long as the stride, and the beginning of the next: each block is folded once.
    whole, rest = divmod(k, stride)
    found = []
    if whole:
        blocks = _blocks_folded(fold, xs, d, count - 1 + whole, stride, stride)
        found.append(_doubled(fold, blocks, d, whole, 1))
    if rest:
        step = stride if rest == 1 else 1
        beginnings = _parts(xs, whole * stride, (whole + count - 1) * stride + rest, step, d)
        found.append(beginnings if rest == 1 else _blocks_folded(fold, beginnings, d, count, stride, rest))
    return functools.reduce(fold.pair, found)


def _blocks_folded(fold: Fold, xs: Arrays, d: int, count: int, size: int, used: int) -> Arrays:
    """The folds of the first `used` elements of each of `count` blocks of a dimension; the last may end after them."""
    shape = shape_of(xs[0])
    missing = count * size - shape[d]  # the beginning is not taken from what is put there
    amounts = [(0, missing if i == d else 0, 0) for i in range(len(shape))]
    padded = (structure.pad(x, np.zeros((), aval_of(x).dtype), amounts) for x in xs)
    blocks = (structure.reshape(x, (*shape[:d], count, size, *shape[d + 1:])) for x in padded)
    return fold.along(tuple(slice_in_dim(x, 0, used, axis=d + 1) for x in blocks), d + 1)


def _doubled(fold: Fold, xs: Arrays, d: int, k: int, step: int) -> Arrays:
    """For each position the fold of `k` elements, `step` apart: of windows of 1, 2, 4, ... those that make up `k`."""
    count = shape_of(xs[0])[d] - (k - 1) * step
    found: Arrays = ()
    offset, size = 0, 1
    while True:
        if k & size:
            part = _parts(xs, offset, offset + count, 1, d)
            found = fold.pair(found, part) if found else part
            offset += size * step
        if 2 * size > k:
            return found
        shift, n = size * step, shape_of(xs[0])[d]
        xs = fold.pair(_parts(xs, 0, n - shift, 1, d), _parts(xs, shift, n, 1, d))
        size *= 2


@api(static=("record", *_STATIC))
def _windows_of_monoid(x: Any, start: Any, record: OperationRecord, **how: Any) -> Any:
    if record in (ops.max, ops.min):
        return _windows_of_extreme()(record, tuple(how.items()), x, start)
    return _windows(_Monoid(record), (x,), (start,), **how)[0]


@functools.cache
def _windows_of_extreme() -> Callable[..., Any]:
    from ..transforms.derivatives import custom_jvp  # loaded when asked for: most programs have no derivatives

    @functools.partial(custom_jvp, nondiff_argnums=(0, 1))
    def windows_of_extreme(record: OperationRecord, how: tuple[tuple[str, Any], ...], x: Any, start: Any) -> Any:
        return _windows(_Monoid(record), (x,), (start,), **dict(how))[0]

    @windows_of_extreme.defjvp
    def _(
        record: OperationRecord, how: tuple[tuple[str, Any], ...], primals: tuple[Any, Any], tangents: tuple[Any, Any]
    ) -> tuple[Any, Any]:
        """The slope of a window's first greatest element is one, that of all others zero; a tie is not shared."""
        beyond = ops.gt if record is ops.max else ops.lt

        def pair(xs: Arrays, ys: Arrays) -> Arrays:
            # The last part of each says whether it is an element: one that equals the beginning goes before it.
            (x, t, mine), (y, u, other) = xs, ys
            instead = bind(ops.and_, bind(ops.eq, y, x), bind(ops.and_, bind(ops.not_, mine), other))
            later = bind(ops.or_, bind(beyond, y, x), instead)
            return bind(record, x, y), bind(ops.select, later, u, t), bind(ops.select, later, other, mine)

        (x, start), (t, t_start) = primals, tangents
        there = broadcast(np.ones((), bool), shape_of(x))
        found, slope, _ = _windows(_Folding(pair), (x, t, there), (start, t_start, np.zeros((), bool)), **dict(how))
        return found, slope

    return windows_of_extreme


def reduce_window(
    operand: Any, init_value: Any, computation: Callable[..., Any], window_dimensions: Sequence[int],
    window_strides: Sequence[int] | None = None, padding: str | Sequence[tuple[int, int]] = "VALID",
    base_dilation: Sequence[int] | None = None, window_dilation: Sequence[int] | None = None,
) -> Any:
    """Folds each window of an array with a function of two scalars: pooling.

    The derivative of a maximum or minimum belongs to the first element of a window that has it.

    Args:
        operand: An array, or a tree of arrays of one shape that are folded together.
        init_value: What to begin with, a scalar for each array; also what lies around the array.
        computation: The function of two scalars, such as `lax.max`; of two trees of scalars where there are several.
        window_dimensions: The window's size in each dimension.
        window_strides: How far windows are apart; 1 for None.
        padding: ``"SAME"``, ``"VALID"``, or pairs of how much to put before and after.
        base_dilation: How far the array's elements are apart; 1 for None.
        window_dilation: How far a window's elements are apart; 1 for None.

    Returns:
        One element for each window.

    Raises:
        ArgumentError: If windows, strides, padding or initial values do not fit.

    Example:
        >>> import numpy as np
        >>> from olympus import lax
        >>> lax.reduce_window(np.array([1., 3., 2., 5.], "float32"), -np.inf, lax.max, (2,), (2,), "VALID")
        Array([3., 5.], dtype=float32)
    """
    function_of("reduce_window", computation, "the computation")
    arrays, structure_of = tree.flatten(operand)
    starts = _beginning("reduce_window", arrays, tree.leaves(init_value))
    how = dict(zip(_STATIC, _placed(
        shape_of(arrays[0]), window_dimensions, window_strides, padding, base_dilation, window_dilation), strict=True))
    record = monoid_of(computation, arrays, structure_of)
    if record is not None:
        return tree.unflatten(structure_of, [_windows_of_monoid(arrays[0], starts[0], record=record, **how)])
    fold = _folding_of("reduce_window", computation, arrays, structure_of)
    return tree.unflatten(structure_of, _windows(fold, tuple(arrays), starts, **how))


def _placed(
    shape: Sequence[int], window_dimensions: Any, window_strides: Any, padding: Any, base_dilation: Any,
    window_dilation: Any,
) -> tuple[Any, Any, Any, Any, Any]:
    """Windows, strides, padding, dilations of the array and of windows, each with an entry for each dimension."""
    name, ndim = "reduce_window", len(shape)
    ones = (1,) * ndim
    window = integers(name, window_dimensions, "a window's size", ndim, 0)
    strides = ones if window_strides is None else integers(name, window_strides, "a stride", ndim, 1)
    base = ones if base_dilation is None else integers(name, base_dilation, "a dilation", ndim, 1)
    holes = ones if window_dilation is None else integers(name, window_dilation, "a dilation", ndim, 1)
    sizes = [(n - 1) * gap + 1 if n else 0 for n, gap in zip(shape, base, strict=True)]
    reach = [(k - 1) * hole + 1 for k, hole in zip(window, holes, strict=True)]
    return window, strides, padding_amounts(name, padding, sizes, reach, strides), base, holes


def reduce_window_shape_tuple(
    operand_shape: Sequence[int], window_dimensions: Sequence[int], window_strides: Sequence[int],
    padding: str | Sequence[tuple[int, int]], base_dilation: Sequence[int] | None = None,
    window_dilation: Sequence[int] | None = None,
) -> tuple[int, ...]:
    """The shape that `reduce_window` gives.

    Args:
        operand_shape: The array's shape.
        window_dimensions: The window's size in each dimension.
        window_strides: How far windows are apart.
        padding: ``"SAME"``, ``"VALID"``, or pairs of how much to put before and after.
        base_dilation: How far the array's elements are apart; 1 for None.
        window_dilation: How far a window's elements are apart; 1 for None.

    Returns:
        The shape.

    Example:
        >>> from olympus import lax
        >>> lax.reduce_window_shape_tuple((8, 9), (2, 2), (2, 2), "SAME")
        (4, 5)
    """
    window, strides, pads, base, holes = _placed(
        operand_shape, window_dimensions, window_strides, padding, base_dilation, window_dilation)
    shape = []
    for n, k, stride, (low, high), gap, hole in zip(operand_shape, window, strides, pads, base, holes, strict=True):
        size = ((n - 1) * gap + 1 if n else 0) + low + high
        shape.append(max((size - (k - 1) * hole - 1) // stride + 1, 0))
    return tuple(shape)


def padtype_to_pads(
    in_shape: Sequence[int], window_shape: Sequence[int], window_strides: Sequence[int], padding: Any
) -> list[tuple[int, int]]:
    """How much padding a word stands for.

    Args:
        in_shape: The sizes of the dimensions that windows walk along.
        window_shape: The window's sizes.
        window_strides: How far windows are apart.
        padding: ``"SAME"``, ``"SAME_LOWER"`` or ``"VALID"``.

    Returns:
        For each dimension how much to put before and after.

    Example:
        >>> from olympus import lax
        >>> lax.padtype_to_pads((8, 9), (3, 3), (2, 2), "SAME")
        [(0, 1), (1, 1)]
    """
    name = "padtype_to_pads"
    sizes = integers(name, in_shape, "a size")
    return list(padding_amounts(
        name, padding, sizes, integers(name, window_shape, "a window's size", len(sizes)),
        integers(name, window_strides, "a stride", len(sizes), 1)))
