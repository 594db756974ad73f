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

from ..operands import broadcast
from ..tracing import aval_of, bind, bind_all
from .associative import running_folds


def bind_ordered(record: OperationRecord, *operands: Any, weak: bool | None = None, **attributes: Any) -> Any:
    """`bind` for an operation that asks for an order, of complex numbers too."""
    if record in _RULES and dtypes.is_complex(aval_of(operands[0]).dtype):
        return _RULES[record](*operands, weak=bool(weak), **attributes)
    return bind(record, *operands, weak=weak, **attributes)


def bind_all_ordered(record: OperationRecord, operands: Sequence[Any], attributes: Mapping[str, Any]) -> list[Any]:
    """`bind_all` for an operation without regions, which may be one that asks for an order."""
    if record in _RULES and dtypes.is_complex(aval_of(operands[0]).dtype):
        return [_RULES[record](*operands, **attributes)]
    return bind_all(record, operands, attributes)


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


def _chosen(record: OperationRecord) -> Callable[..., Any]:
    def rule(x: Any, y: Any, weak: bool = False) -> Any:
        first = bind(ops.or_, bind(ops.ne, x, x), bind_ordered(record, x, y))
        return bind(ops.select, first, x, y, weak=weak)

    return rule


def _clamped(low: Any, x: Any, high: Any, weak: bool = False) -> Any:
    low, high = (broadcast(end, aval_of(x).shape) for end in (low, high))
    return bind_ordered(ops.min, bind_ordered(ops.max, x, low), high, weak=weak)


def _folded(record: OperationRecord) -> Callable[..., Any]:
    """The extreme of the real parts, and of the imaginary parts beside it."""

    def fold_some(x: Any, counts: Any, dimensions: tuple[int, ...]) -> Any:
        aval = aval_of(x)
        rest = broadcast(record.nothing(aval.dtype), aval.shape)
        return bind(record, bind(ops.select, counts, x, rest), dimensions=dimensions)

    def rule(x: Any, dimensions: tuple[int, ...], weak: bool = False) -> Any:
        real, imaginary = _parts(x)
        first = bind(record, _with_nan_of(real, imaginary), dimensions=dimensions)
        there = bind(ops.eq, real, _spread(first, real, dimensions))
        second = fold_some(imaginary, there, dimensions)
        there = bind(ops.and_, there, bind(ops.eq, imaginary, _spread(second, real, dimensions)))
        # Once more, of the chosen ones alone: only they have a share in the derivative.
        chosen = fold_some(real, there, dimensions)
        return bind(ops.complex, _with_nan_of(chosen, first), _with_nan_of(second, first), weak=weak)

    return rule


def _placed(record: OperationRecord, extreme: OperationRecord) -> Callable[..., Any]:
    def rule(x: Any, dimension: int, dtype: np.dtype, weak: bool = False) -> Any:
        found = bind_ordered(extreme, x, dimensions=(dimension,))
        there = bind(ops.eq, x, _spread(found, x, (dimension,)))  # nothing is, where there is a NaN
        return bind(ops.argmax, bind(ops.or_, there, bind(ops.ne, x, x)), dimension=dimension, dtype=dtype, weak=False)

    return rule


def _running(step: OperationRecord) -> Callable[..., Any]:
    def rule(x: Any, dimension: int, reverse: bool, weak: bool = False) -> Any:
        (found,) = running_folds(lambda left, right: [bind_ordered(step, left[0], right[0], weak=weak)], [x],
                                 [dimension], aval_of(x).shape[dimension], reverse)
        return found

    return rule


def _with_nan_of(x: Any, other: Any) -> Any:
    return bind(ops.select, bind(ops.ne, other, other), other, x)


def _spread(x: Any, wanted: Any, dimensions: tuple[int, ...]) -> Any:
    shape = aval_of(wanted).shape
    kept = tuple(d for d in range(len(shape)) if d not in dimensions)
    return bind(ops.broadcast_in_dim, x, shape=shape, dimensions=kept)


_RULES: dict[OperationRecord, Callable[..., Any]] = {
    ops.lt: _compared(ops.lt, ops.lt),
    ops.le: _compared(ops.lt, ops.le),
    ops.gt: _compared(ops.gt, ops.gt),
    ops.ge: _compared(ops.gt, ops.ge),
    ops.max: _chosen(ops.ge),
    ops.min: _chosen(ops.le),
    ops.clamp: _clamped,
    ops.reduce_max: _folded(ops.reduce_max),
    ops.reduce_min: _folded(ops.reduce_min),
    ops.argmax: _placed(ops.argmax, ops.reduce_max),
    ops.argmin: _placed(ops.argmin, ops.reduce_min),
    ops.cummax: _running(ops.max),
    ops.cummin: _running(ops.min),
}
