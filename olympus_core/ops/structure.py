# SPDX-License-Identifier: Apache-2.0
"""Operations that move elements without computing: shapes, slices, padding."""

from __future__ import annotations

import builtins
from collections.abc import Sequence

import numpy as np

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

from .reshape_factors import reshape_factor_rule
from .rules import (
    FactorTable,
    check,
    check_dimension,
    check_dimensions,
    check_integers,
    elementwise_factors,
    quiet,
    refuse,
    size_of,
)

Types = Sequence[ArrayType]
Regions = Sequence[Program]
Arrays = Sequence[np.ndarray]
_LINEAR = (frozenset({0}),)


def _local_shape(emitter: LocalEmitter, operation: Operation, operands: Sequence[Value]) -> Sequence[Value]:
    attributes = {**operation.attributes, "shape": emitter.local_shape(0)}
    return emitter.emit(operation.record, operands, attributes)


def _broadcast_type(types: Types, attributes: Attributes, regions: Regions) -> Types:
    name = "broadcast_in_dim"
    check(name, types, attributes, regions, 1, ["shape", "dimensions"])
    (x,) = types
    shape = check_integers(name, attributes, "shape")
    dims = check_dimensions(name, attributes, "dimensions", len(shape), increasing=True, length=x.ndim)
    if any(n not in (1, shape[d]) for n, d in zip(x.shape, dims, strict=True)):
        refuse(name, f"does not fit shape {shape} at dimensions {dims}", types, "sizes of one, or the result's")
    return (x.with_shape(shape),)


def _broadcast_factors(operands: Types, results: Types, attributes: Attributes) -> FactorRule:
    table = FactorTable()
    out = [table.new(n) for n in results[0].shape]
    kept = zip(operands[0].shape, attributes["dimensions"], strict=True)
    return table.rule([[out[d] if n == results[0].shape[d] else table.whole(1) for n, d in kept]], [out])


def _broadcast(values: Arrays, attributes: Attributes) -> Arrays:
    shape, dims = attributes["shape"], attributes["dimensions"]
    aligned = [1] * len(shape)
    for n, d in zip(values[0].shape, dims, strict=True):
        aligned[d] = n
    return (np.broadcast_to(values[0].reshape(aligned), shape).copy(),)


def _reshape_type(types: Types, attributes: Attributes, regions: Regions) -> Types:
    check("reshape", types, attributes, regions, 1, ["shape"])
    shape = check_integers("reshape", attributes, "shape")
    if size_of(shape) != types[0].size:
        refuse("reshape", f"shape {shape} has another number of elements", types, f"{types[0].size} elements")
    return (types[0].with_shape(shape),)


def _reshape_factors(operands: Types, results: Types, attributes: Attributes) -> FactorRule:
    return reshape_factor_rule(operands[0].shape, results[0].shape)


def _transpose_type(types: Types, attributes: Attributes, regions: Regions) -> Types:
    check("transpose", types, attributes, regions, 1, ["permutation"])
    (x,) = types
    order = check_dimensions("transpose", attributes, "permutation", x.ndim, length=x.ndim)
    return (x.with_shape(x.shape[d] for d in order),)


def _transpose_factors(operands: Types, results: Types, attributes: Attributes) -> FactorRule:
    table = FactorTable()
    dims = [table.new(n) for n in operands[0].shape]
    return table.rule([dims], [[dims[d] for d in attributes["permutation"]]])


def _slice_type(types: Types, attributes: Attributes, regions: Regions) -> Types:
    check("slice", types, attributes, regions, 1, ["starts", "limits", "strides"])
    (x,) = types
    starts = check_integers("slice", attributes, "starts", x.ndim)
    limits = check_integers("slice", attributes, "limits", x.ndim)
    strides = check_integers("slice", attributes, "strides", x.ndim, least=1)
    if any(not start <= limit <= n for start, limit, n in zip(starts, limits, x.shape, strict=True)):
        refuse("slice", f"starts {starts} and limits {limits} do not fit", types, "0 <= start <= limit <= size")
    return (x.with_shape((limit - start + stride - 1) // stride for start, limit, stride in zip(
        starts, limits, strides, strict=True)),)


def _sliced_dimensions(type: ArrayType, attributes: Attributes) -> list[bool]:
    """For each dimension whether the slice leaves anything out."""
    bounds = zip(attributes["starts"], attributes["limits"], attributes["strides"], strict=True)
    return [bound != (0, n, 1) for n, bound in zip(type.shape, bounds, strict=True)]


def _slice_factors(operands: Types, results: Types, attributes: Attributes) -> FactorRule:
    return _touched_factors(operands[0], results[0], _sliced_dimensions(operands[0], attributes))


def _touched_factors(
    operand: ArrayType, result: ArrayType, touched: Sequence[bool], further: Sequence[ArrayType] = ()
) -> FactorRule:
    """Touched dimensions are whole, each side by itself; the rest is parallel. Further operands are scalars."""
    table = FactorTable()
    pairs = [
        (table.whole(n), table.whole(m)) if touch else (table.new(n),) * 2
        for n, m, touch in zip(operand.shape, result.shape, touched, strict=True)
    ]
    before, after = [p[0] for p in pairs], [p[1] for p in pairs]
    return table.rule([before, *([] for _ in further)], [after])


def _slice_localize(emitter: LocalEmitter, operation: Operation, operands: Sequence[Value]) -> Sequence[Value]:
    attributes = operation.attributes
    touched = _sliced_dimensions(operation.operands[0].type, attributes)
    local = zip(attributes["limits"], operands[0].type.shape, touched, strict=True)
    limits = tuple(limit if touch else n for limit, n, touch in local)
    return emitter.emit(operation.record, operands, {**attributes, "limits": limits})


def _slice(values: Arrays, attributes: Attributes) -> Arrays:
    bounds = zip(attributes["starts"], attributes["limits"], attributes["strides"], strict=True)
    return (values[0][tuple(builtins.slice(*bound) for bound in bounds)],)


def _pad_type(types: Types, attributes: Attributes, regions: Regions) -> Types:
    check("pad", types, attributes, regions, 2, ["low", "high", "interior"])
    x, value = types
    low = check_integers("pad", attributes, "low", x.ndim, least=None)
    high = check_integers("pad", attributes, "high", x.ndim, least=None)
    interior = check_integers("pad", attributes, "interior", x.ndim)
    if value.shape or value.dtype != x.dtype:
        refuse("pad", "the padding value does not fit", types, f"a scalar {x.dtype.name} as second operand")
    sizes = [
        before + n + (n - 1) * inside * (n > 0) + after
        for n, before, after, inside in zip(x.shape, low, high, interior, strict=True)
    ]
    if any(n < 0 for n in sizes):
        refuse("pad", f"low {low} and high {high} take away more than there is", types, "sizes of zero or more")
    return (x.with_shape(sizes),)


def _pad_factors(operands: Types, results: Types, attributes: Attributes) -> FactorRule:
    amounts = zip(attributes["low"], attributes["high"], attributes["interior"], strict=True)
    return _touched_factors(operands[0], results[0], [any(amount) for amount in amounts], operands[1:])


def _pad(values: Arrays, attributes: Attributes) -> Arrays:
    x, value = values
    low, high, interior = attributes["low"], attributes["high"], attributes["interior"]
    spread = [n + (n - 1) * inside * (n > 0) for n, inside in zip(x.shape, interior, strict=True)]
    margins = [(max(before, 0), max(after, 0)) for before, after in zip(low, high, strict=True)]
    out = np.full([n + sum(margin) for n, margin in zip(spread, margins, strict=True)], value, x.dtype)
    inside = zip(margins, spread, interior, strict=True)
    out[tuple(builtins.slice(first, first + n, step + 1) for (first, _), n, step in inside)] = x
    # Negative padding takes away.
    cut = zip(out.shape, low, high, strict=True)
    return (out[tuple(builtins.slice(max(-before, 0), n + min(after, 0)) for n, before, after in cut)],)


def _concatenate_type(types: Types, attributes: Attributes, regions: Regions) -> Types:
    check("concatenate", types, attributes, regions, None, ["dimension"])
    if not types:
        refuse("concatenate", "needs an operand", types, "one operand or more")
    first = types[0]
    dimension = check_dimension("concatenate", attributes, "dimension", first.ndim)
    for other in types:
        rest = (*other.shape[:dimension], first.shape[dimension], *other.shape[dimension + 1:])
        if other.dtype != first.dtype or other.ndim != first.ndim or rest != first.shape:
            refuse("concatenate", "operands do not fit together", types, f"types equal but for dimension {dimension}")
    shape = list(first.shape)
    shape[dimension] = sum(t.shape[dimension] for t in types)
    return (first.with_shape(shape),)


def _concatenate_factors(operands: Types, results: Types, attributes: Attributes) -> FactorRule:
    table = FactorTable()
    dimension = attributes["dimension"]
    shared = [table.whole(n) if d == dimension else table.new(n) for d, n in enumerate(results[0].shape)]
    terms = []
    for type in operands:
        term = list(shared)
        term[dimension] = table.whole(type.shape[dimension])
        terms.append(term)
    return table.rule(terms, [shared])


def _concatenate(values: Arrays, attributes: Attributes) -> Arrays:
    return (np.concatenate(values, axis=attributes["dimension"]),)


def _reverse_type(types: Types, attributes: Attributes, regions: Regions) -> Types:
    check("reverse", types, attributes, regions, 1, ["dimensions"])
    check_dimensions("reverse", attributes, "dimensions", types[0].ndim)
    return types


def _reverse_factors(operands: Types, results: Types, attributes: Attributes) -> FactorRule:
    table = FactorTable()
    dims = [table.whole(n) if d in attributes["dimensions"] else table.new(n) for d, n in enumerate(results[0].shape)]
    return table.rule([dims], [dims])


def _constraint_type(types: Types, attributes: Attributes, regions: Regions) -> Types:
    name = "sharding_constraint"
    check(name, types, attributes, regions, 1, ["mesh", "dims"], ["memory_kind", "unreduced", "reduced"])
    dims = attributes["dims"]
    if not isinstance(dims, tuple) or len(dims) != types[0].ndim or not all(isinstance(axes, tuple) for axes in dims):
        refuse(name, f"dims {dims!r} do not fit", types, "a tuple of mesh axes for each dimension")
    used = [axis for axes in dims for axis in axes]
    if len(set(used)) != len(used) or not set(used) <= set(attributes["mesh"].axis_names):
        refuse(name, f"dims {dims!r} do not fit {attributes['mesh']!r}", types, "each axis of the mesh at most once")
    return types


broadcast_in_dim = OperationRecord(
    "broadcast_in_dim", "structure", _broadcast_type, _broadcast_factors, quiet(_broadcast),
    localize=_local_shape, additive=_LINEAR, moves_only=True, cost=0,
)
reshape = OperationRecord(
    "reshape", "structure", _reshape_type, _reshape_factors,
    quiet(lambda values, attributes: (values[0].reshape(attributes["shape"]),)),
    localize=_local_shape, additive=_LINEAR, moves_only=True, cost=0,
)
transpose = OperationRecord(
    "transpose", "structure", _transpose_type, _transpose_factors,
    quiet(lambda values, attributes: (values[0].transpose(attributes["permutation"]),)),
    additive=_LINEAR, moves_only=True, cost=0,
)
slice = OperationRecord(
    "slice", "structure", _slice_type, _slice_factors, quiet(_slice),
    localize=_slice_localize, additive=_LINEAR, moves_only=True, cost=0,
)
pad = OperationRecord("pad", "structure", _pad_type, _pad_factors, quiet(_pad), additive=(frozenset({0, 1}),))
# No set of operands suits every number of them: with `moves_only`, a partial value passes when all are partial.
concatenate = OperationRecord(
    "concatenate", "structure", _concatenate_type, _concatenate_factors, quiet(_concatenate), moves_only=True
)
reverse = OperationRecord(
    "reverse", "structure", _reverse_type, _reverse_factors,
    quiet(lambda values, attributes: (np.flip(values[0], attributes["dimensions"]),)),
    additive=_LINEAR, moves_only=True, cost=0,
)
sharding_constraint = OperationRecord(
    "sharding_constraint", "structure", _constraint_type, elementwise_factors,
    quiet(lambda values, attributes: (values[0],)),
)

__all__ = [
    "broadcast_in_dim", "concatenate", "pad", "reshape", "reverse", "sharding_constraint", "slice",
    "transpose",
]
