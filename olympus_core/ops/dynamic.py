# SPDX-License-Identifier: Apache-2.0
"""Slices whose position is known only when the program runs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from olympus_core import dtypes
from olympus_core.program import (
    ArrayType,
    Attributes,
    FactorRule,
    LocalEmitter,
    Operation,
    OperationRecord,
    Program,
    Value,
)

from .rules import FactorTable, check, check_integers, quiet, refuse

Types = Sequence[ArrayType]


def _check_starts(name: str, types: Types, starts: Types, ndim: int) -> None:
    if len(starts) != ndim or any(t.shape or not dtypes.is_integer(t.dtype) for t in starts):
        refuse(name, "starts do not fit", types, f"an integer scalar for each of the {ndim} dimensions")


def _windows(starts: Sequence[np.ndarray], sizes: Sequence[int], shape: Sequence[int]) -> tuple[slice, ...]:
    """The slices, moved where needed so that they lie inside."""
    firsts = [min(max(int(s), 0), n - size) for s, size, n in zip(starts, sizes, shape, strict=True)]
    return tuple(slice(first, first + size) for first, size in zip(firsts, sizes, strict=True))


def _slice_type(types: Types, attributes: Attributes, regions: Sequence[Program]) -> Types:
    check("dynamic_slice", types, attributes, regions, None, ["sizes"])
    if not types:
        refuse("dynamic_slice", "needs an operand", types)
    x, *starts = types
    _check_starts("dynamic_slice", types, starts, x.ndim)
    sizes = check_integers("dynamic_slice", attributes, "sizes", x.ndim)
    if any(size > n for size, n in zip(sizes, x.shape, strict=True)):
        refuse("dynamic_slice", f"sizes {sizes} are too large", types, "sizes within the first operand's")
    return (x.with_shape(sizes),)


def _slice_factors(operands: Types, results: Types, attributes: Attributes) -> FactorRule:
    table = FactorTable()
    x, y = operands[0].shape, results[0].shape
    pairs = [(table.new(n),) * 2 if n == m else (table.whole(n), table.whole(m)) for n, m in zip(x, y, strict=True)]
    return table.rule([[p[0] for p in pairs], *([] for _ in operands[1:])], [[p[1] for p in pairs]])


def _slice_localize(emitter: LocalEmitter, operation: Operation, operands: Sequence[Value]) -> Sequence[Value]:
    return emitter.emit(operation.record, operands, {"sizes": emitter.local_shape(0)})


def _slice(values: Sequence[np.ndarray], attributes: Attributes) -> Sequence[np.ndarray]:
    x, *starts = values
    return (x[_windows(starts, attributes["sizes"], x.shape)],)


def _update_type(types: Types, attributes: Attributes, regions: Sequence[Program]) -> Types:
    name = "dynamic_update_slice"
    check(name, types, attributes, regions)
    if len(types) < 2:
        refuse(name, "needs an operand and its update", types)
    x, update, *starts = types
    _check_starts(name, types, starts, x.ndim)
    fits = update.dtype == x.dtype and update.ndim == x.ndim
    if not fits or any(m > n for m, n in zip(update.shape, x.shape, strict=True)):
        refuse(name, "the update does not fit", types, "an update of the same element type, no larger")
    return (x,)


def _update_factors(operands: Types, results: Types, attributes: Attributes) -> FactorRule:
    table = FactorTable()
    x, update, *starts = operands
    dims, parts = [], []
    for n, m in zip(x.shape, update.shape, strict=True):
        dims.append(table.new(n, "parallel" if n == m else "whole"))
        parts.append(dims[-1] if n == m else table.whole(m))
    return table.rule([dims, parts, *([] for _ in starts)], [dims])


def _update(values: Sequence[np.ndarray], attributes: Attributes) -> Sequence[np.ndarray]:
    x, update, *starts = values
    out = x.copy()
    out[_windows(starts, update.shape, x.shape)] = update
    return (out,)


dynamic_slice = OperationRecord(
    "dynamic_slice", "indexing", _slice_type, _slice_factors, quiet(_slice),
    localize=_slice_localize, additive=(frozenset({0}),), moves_only=True, cost=2,
)
dynamic_update_slice = OperationRecord(
    "dynamic_update_slice", "indexing", _update_type, _update_factors, quiet(_update), additive=(frozenset({0, 1}),),
    update_operand=1,
)
