# SPDX-License-Identifier: Apache-2.0
"""The order of complex numbers, as NumPy has it: by real part, then by imaginary part; NaN in either part is NaN.

The operations compare real numbers only; of complex ones a comparison, an extreme or its index is made of those.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.program import OperationRecord

from ..dimension_numbers import as_gather
from ..operands import as_array, broadcast
from ..tracing import aval_of, bind, bind_all
from .associative import running_folds


def bind_ordered(record: OperationRecord, *operands: Any, weak: bool | None = None, **attributes: Any) -> Any:
    """`bind` for an operation that asks for an order, of complex numbers too."""
    rule = _rule(record, operands, attributes)
    if rule is not None:
        return rule(*operands, weak=bool(weak), **attributes)
    return bind(record, *operands, weak=weak, **attributes)


def bind_all_ordered(record: OperationRecord, operands: Sequence[Any], attributes: Mapping[str, Any]) -> list[Any]:
    """`bind_all` for an operation without regions, which may be one that asks for an order."""
    rule = _rule(record, operands, attributes)
    return bind_all(record, operands, attributes) if rule is None else [rule(*operands, **attributes)]


def _rule(record: OperationRecord, operands: Sequence[Any], attributes: Mapping[str, Any]) -> Callable[..., Any] | None:
    if not operands or not dtypes.is_complex(aval_of(operands[0]).dtype):
        return None
    how = attributes.get("combine", attributes.get("reduction"))
    return _RULES.get(record if how is None else (record, how))


def _parts(x: Any) -> tuple[Any, Any]:
    return bind(ops.real, x), bind(ops.imag, x)


def _all_of(*conditions: Any) -> Any:
    first, *others = conditions
    for other in others:
        first = bind(ops.and_, first, other)
    return first


def _compared(strictly: OperationRecord, record: OperationRecord) -> Callable[..., Any]:
    def rule(x: Any, y: Any, weak: bool = False) -> Any:
        (a, b), (c, d) = _parts(x), _parts(y)
        # A NaN among the imaginary parts makes the numbers NaN, though the real parts would do.
        by_real = _all_of(bind(strictly, a, c), bind(ops.eq, b, b), bind(ops.eq, d, d))
        return bind(ops.or_, by_real, _all_of(bind(ops.eq, a, c), bind(record, b, d)), weak=False)

    return rule


def _chosen(record: OperationRecord, extreme: OperationRecord) -> Callable[..., Any]:
    def rule(x: Any, y: Any, weak: bool = False) -> Any:
        first = bind(ops.or_, bind(ops.ne, x, x), bind_ordered(record, x, y))
        tie = bind(ops.eq, x, y)
        # Both are the chosen number, so that equal operands share the slope as real ones do.
        one, other = bind(ops.select, first, x, y), bind(ops.select, bind(ops.and_, first, bind(ops.not_, tie)), x, y)
        parts = [bind(extreme, *pair) for pair in zip(_parts(one), _parts(other), strict=True)]
        return bind(ops.complex, *parts, weak=weak)

    return rule


def _clamped(low: Any, x: Any, high: Any, weak: bool = False) -> Any:
    low, high = (broadcast(end, aval_of(x).shape) for end in (low, high))
    return bind_ordered(ops.min, bind_ordered(ops.max, x, low), high, weak=weak)


def _fold(
    numbers: Sequence[Any], fold: Callable[..., Any], spread: Callable[[Any], Sequence[Any]], least: Any, weak: bool,
) -> Any:
    """The extreme of the real parts, and of the imaginary parts beside it.

    Args:
        numbers: The arrays that are folded.
        fold: What finds the extreme of arrays of real numbers that are as these.
        spread: What gives such an extreme to the places of the numbers that it was found of.
        least: The real number that no other gives way to.
        weak: Whether the result is weak.
    """
    reals, imaginaries = zip(*map(_parts, numbers), strict=True)

    def fold_some(parts: Sequence[Any], counts: Sequence[Any]) -> Any:
        rest = [broadcast(least, aval_of(x).shape) for x in parts]
        return fold(*(bind(ops.select, *each) for each in zip(counts, parts, rest, strict=True)))

    def are(parts: Sequence[Any], found: Any) -> list[Any]:
        return [bind(ops.eq, x, y) for x, y in zip(parts, spread(found), strict=True)]

    first = fold(*map(_with_nan_of, reals, imaginaries))
    there = are(reals, first)
    second = fold_some(imaginaries, there)
    there = [bind(ops.and_, x, y) for x, y in zip(there, are(imaginaries, second), strict=True)]
    # Once more, of the chosen ones alone: only they have a share in the derivative.
    chosen = fold_some(reals, there)
    return bind(ops.complex, _with_nan_of(chosen, first), _with_nan_of(second, first), weak=weak)


def _folded(record: OperationRecord) -> Callable[..., Any]:
    def rule(x: Any, dimensions: tuple[int, ...], weak: bool = False) -> Any:
        return _fold([x], lambda part: bind(record, part, dimensions=dimensions),
                     lambda found: [_spread(found, x, dimensions)], _least(record, x), weak)

    return rule


def _all_reduced(record: OperationRecord) -> Callable[..., Any]:
    def rule(x: Any, weak: bool = False, **attributes: Any) -> Any:
        return _fold([x], lambda part: bind(ops.all_reduce, part, **attributes), lambda found: [found],
                     _least(record, x), weak)

    return rule


def _scattered(record: OperationRecord) -> Callable[..., Any]:
    def rule(x: Any, indices: Any, updates: Any, weak: bool = False, **attributes: Any) -> Any:
        # NaN, which equals nothing, stands for what lies outside.
        back = as_gather(attributes, aval_of(x).shape, aval_of(updates).shape, np.nan)
        return _fold([x, updates], lambda *parts: bind(ops.scatter, parts[0], indices, parts[1], **attributes),
                     lambda found: [found, bind(ops.gather, found, indices, **back)], _least(record, x), weak)

    return rule


def _least(record: OperationRecord, x: Any) -> Any:
    return record.nothing(dtypes.real_part(aval_of(x).dtype))


def _placed(record: OperationRecord, extreme: OperationRecord) -> Callable[..., Any]:
    def rule(x: Any, dimension: int, dtype: np.dtype, weak: bool = False) -> Any:
        found = bind_ordered(extreme, x, dimensions=(dimension,))
        there = bind(ops.eq, x, _spread(found, x, (dimension,)))  # nothing is, where there is a NaN
        return bind(ops.argmax, bind(ops.or_, there, bind(ops.ne, x, x)), dimension=dimension, dtype=dtype, weak=False)

    return rule


def _running(step: OperationRecord) -> Callable[..., Any]:
    def rule(x: Any, dimension: int, reverse: bool, weak: bool = False) -> Any:
        (found,) = running_folds(lambda left, right: [bind_ordered(step, left[0], right[0], weak=weak)], [as_array(x)],
                                 [dimension], aval_of(x).shape[dimension], reverse)
        return found

    return rule


def _with_nan_of(x: Any, other: Any) -> Any:
    return bind(ops.select, bind(ops.ne, other, other), other, x)


def _spread(x: Any, wanted: Any, dimensions: tuple[int, ...]) -> Any:
    shape = aval_of(wanted).shape
    kept = tuple(d for d in range(len(shape)) if d not in dimensions)
    return bind(ops.broadcast_in_dim, x, shape=shape, dimensions=kept)


_RULES: dict[OperationRecord | tuple[OperationRecord, str], Callable[..., Any]] = {
    ops.lt: _compared(ops.lt, ops.lt),
    ops.le: _compared(ops.lt, ops.le),
    ops.gt: _compared(ops.gt, ops.gt),
    ops.ge: _compared(ops.gt, ops.ge),
    ops.max: _chosen(ops.ge, ops.max),
    ops.min: _chosen(ops.le, ops.min),
    ops.clamp: _clamped,
    ops.reduce_max: _folded(ops.reduce_max),
    ops.reduce_min: _folded(ops.reduce_min),
    ops.argmax: _placed(ops.argmax, ops.reduce_max),
    ops.argmin: _placed(ops.argmin, ops.reduce_min),
    ops.cummax: _running(ops.max),
    ops.cummin: _running(ops.min),
    (ops.scatter, "max"): _scattered(ops.reduce_max),
    (ops.scatter, "min"): _scattered(ops.reduce_min),
    (ops.all_reduce, "max"): _all_reduced(ops.reduce_max),
    (ops.all_reduce, "min"): _all_reduced(ops.reduce_min),
}
