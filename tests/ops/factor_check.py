# SPDX-License-Identifier: Apache-2.0
"""Proves factor rules by doing what they promise: split by hand, run each part, put the results together, compare.

Only a record's reference, its factor rule and its `localize` are used; the partitioner is not.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from olympus_core.ops import constant
from olympus_core.program import ArrayType, FactorRule, Operation, OperationRecord, ProgramBuilder, Value

COMBINE = {
    "sum": np.add, "prod": np.multiply, "max": np.maximum, "min": np.minimum, "and": np.bitwise_and,
    "or": np.bitwise_or,
}
Dims = Sequence[tuple[int, ...]]


def apply(record: OperationRecord, values: Sequence[Any], **attributes: Any) -> tuple[np.ndarray, ...]:
    """The results of an operation, checked against its type rule."""
    values = [np.asarray(v) for v in values]
    types = [ArrayType(v.shape, v.dtype) for v in values]
    expected = record.type_rule(types, attributes, ())
    assert record.reference is not None
    results = tuple(record.reference(values, attributes))
    for result, type in zip(results, expected, strict=True):
        assert isinstance(result, np.ndarray), f"{record.name} gives a {result!r}"
        assert ArrayType(result.shape, result.dtype) is type, f"{record.name}: {result.dtype}{result.shape}, not {type}"
    return results


def rule_of(record: OperationRecord, values: Sequence[Any], **attributes: Any) -> FactorRule:
    """The factor rule for these operands."""
    types = [ArrayType(np.shape(v), np.asarray(v).dtype) for v in values]
    assert record.factor_rule is not None
    return record.factor_rule(types, record.type_rule(types, attributes, ()), attributes)


def described(rule: FactorRule) -> str:
    """The rule as text to compare: dimensions in letters, a compound one in brackets, then what is not parallel."""
    letters: dict[int, str] = {}

    def dim(factors: tuple[int, ...]) -> str:
        names = [letters.setdefault(f, "abcdefghijklmnopqrstuvwxyz"[len(letters)]) for f in factors]
        return names[0] if len(names) == 1 else "(" + "".join(names) + ")"

    sides = [", ".join("".join(map(dim, term)) or "-" for term in terms) for terms in (rule.operands, rule.results)]
    kinds = {name: rule.factors[f] for f, name in letters.items()}
    notes = [f"{n} {f.reduction or f.kind}" for n, f in sorted(kinds.items()) if f.kind != "parallel"]
    return " -> ".join(sides) + ("; " + ", ".join(notes) if notes else "")


def check_factors(record: OperationRecord, values: Sequence[Any], rtol: float = 1e-5, **attributes: Any) -> FactorRule:
    """Checks that every factor of the rule that may be split gives the whole's results, alone and together."""
    values = [np.asarray(v) for v in values]
    rule = rule_of(record, values, **attributes)
    whole = apply(record, values, **attributes)
    check_form(rule, [v.shape for v in values], [w.shape for w in whole])
    parts = {i: _divisor(f.size) for i, f in enumerate(rule.factors) if f.kind != "whole" and _divisor(f.size) > 1}
    choices: list[dict[int, int]] = [{i: k} for i, k in parts.items()]
    if 1 < len(parts) and math.prod(parts.values()) <= 64:
        choices.append(parts)
    for split in choices:
        results = _recombined(record, values, attributes, rule, split, whole)
        for result, expected in zip(results, whole, strict=True):
            _compare(result, expected, rtol, f"{record.name} {described(rule)} split {split}")
    return rule


def check_form(rule: FactorRule, operands: Sequence[Sequence[int]], results: Sequence[Sequence[int]]) -> None:
    """Checks that the factors multiply to the sizes and stand where their kind allows."""
    terms, shapes = [*rule.operands, *rule.results], [*operands, *results]
    assert len(rule.operands) == len(operands) and len(rule.results) == len(results)
    for term, shape in zip(terms, shapes, strict=True):
        assert [math.prod(rule.factors[f].size for f in dim) for dim in term] == list(shape)
        assert all(term), "a dimension without a factor"
        used = [f for dim in term for f in dim]
        assert len(set(used)) == len(used), "a factor stands twice in one term"
    everywhere = {f for term in terms for dim in term for f in dim}
    assert len(everywhere) == len(rule.factors), "a factor stands nowhere"
    in_results = {f for term in rule.results for dim in term for f in dim}
    for i, factor in enumerate(rule.factors):
        assert (factor.reduction is not None) == (factor.kind == "reduced")
        assert factor.kind != "reduced" or i not in in_results
        assert factor.kind != "parallel" or i in in_results or factor.size == 1


def check_additive(record: OperationRecord, values: Sequence[Any], rtol: float = 1e-4, **attributes: Any) -> None:
    """Checks that partial sums pass through each set of operands that the record calls additive."""
    values = [np.asarray(v) for v in values]
    (expected,) = apply(record, values, **attributes)
    for together in record.additive:
        first = [_part_of_sum(v, i in together) for i, v in enumerate(values)]
        second = [v - f if i in together else v for i, (v, f) in enumerate(zip(values, first, strict=True))]
        total = np.add(*(apply(record, part, **attributes)[0] for part in (first, second)))
        _compare(total, expected, rtol, f"{record.name} additive in {set(together)}")


def check_moves_only(record: OperationRecord, values: Sequence[Any], **attributes: Any) -> None:
    """Checks that partial maxima pass through the operands that hold data."""
    assert record.moves_only
    values = [np.asarray(v) for v in values]
    data = record.additive[0] if record.additive else range(len(values))
    first = [np.minimum(v, v[..., ::-1]) if i in data else v for i, v in enumerate(values)]
    both = [np.maximum(v, f) if i in data else v for i, (v, f) in enumerate(zip(values, first, strict=True))]
    results = [apply(record, part, **attributes)[0] for part in (first, values, both)]
    _compare(np.maximum(results[0], results[1]), results[2], 0, f"{record.name} moves only")


def _part_of_sum(value: np.ndarray, splits: bool) -> np.ndarray:
    if not splits:
        return value
    odd = np.arange(value.size).reshape(value.shape) % 5 + 1
    return (value - odd.astype(value.dtype)) if value.dtype.kind in "iu" else (value * 0.25 + odd).astype(value.dtype)


def _divisor(size: int) -> int:
    """The smallest number of parts greater than one that divides the size; two for nothing at all."""
    return next((k for k in range(2, size + 1) if size % k == 0), 2 if size == 0 else 1)


def _compare(result: np.ndarray, expected: np.ndarray, rtol: float, what: str) -> None:
    assert result.dtype == expected.dtype and result.shape == expected.shape, what
    if expected.dtype.kind in "biu" or not rtol:
        np.testing.assert_array_equal(result, expected, err_msg=what)
    else:
        wide = np.complex128 if expected.dtype.kind == "c" else np.float64
        np.testing.assert_allclose(result.astype(wide), expected.astype(wide), rtol=rtol, atol=rtol, err_msg=what)


def _taken(rule: FactorRule, dims: Dims, split: Mapping[int, int], at: Mapping[int, int]) -> Any:
    """For each dimension the indices that the part `at` has of it."""
    chosen = []
    for dim in dims:
        indices = np.arange(math.prod(rule.factors[f].size for f in dim))
        grid = indices.reshape([rule.factors[f].size for f in dim])
        for axis, f in enumerate(dim):
            if f in split:
                n = rule.factors[f].size // split[f]
                grid = np.take(grid, range(at[f] * n, (at[f] + 1) * n), axis)
        chosen.append(grid.reshape(-1))
    return np.ix_(*chosen) if chosen else ()


def _recombined(
    record: OperationRecord,
    values: Sequence[np.ndarray],
    attributes: Mapping[str, Any],
    rule: FactorRule,
    split: Mapping[int, int],
    whole: Sequence[np.ndarray],
) -> list[np.ndarray]:
    reduced = [f for f in split if rule.factors[f].kind == "reduced"]
    reductions = {rule.factors[f].reduction for f in reduced}
    assert len(reductions) <= 1
    results: list[dict[tuple[int, ...], list[np.ndarray]]] = [{} for _ in whole]
    for position in itertools.product(*(range(k) for k in split.values())):
        at = dict(zip(split, position, strict=True))
        operands = [v[_taken(rule, dims, split, at)] for v, dims in zip(values, rule.operands, strict=True)]
        local = _run_local(record, values, operands, attributes, rule, split, at)
        for i, result in enumerate(local):
            key = tuple(0 if f in reduced else p for f, p in at.items())
            results[i].setdefault(key, []).append(result)
    out = []
    for i, expected in enumerate(whole):
        total = np.zeros_like(expected)
        for key, terms in results[i].items():
            part = terms[0]
            for term in terms[1:]:
                (reduction,) = reductions
                part = COMBINE[reduction](part, term)
            total[_taken(rule, rule.results[i], split, dict(zip(split, key, strict=True)))] = part
        out.append(total)
    return out


class _Emitter:
    """One device's program while `localize` writes it."""

    def __init__(self, rule: FactorRule, split: Mapping[int, int], at: Mapping[int, int]) -> None:
        self.rule, self.split, self.at = rule, split, at
        self.builder = ProgramBuilder()

    def emit(self, record: Any, operands: Any, attributes: Any, regions: Any = ()) -> tuple[Value, ...]:
        return self.builder.emit(record, operands, attributes, regions)

    def local_shape(self, result: int) -> tuple[int, ...]:
        sizes = [f.size // self.split.get(i, 1) for i, f in enumerate(self.rule.factors)]
        return tuple(math.prod(sizes[f] for f in dim) for dim in self.rule.results[result])

    def offset(self, result: int, dimension: int) -> Value:
        (factor,) = self.rule.results[result][dimension]
        n = self.local_shape(result)[dimension]
        value = np.asarray(self.at.get(factor, 0) * n, np.int32)
        return self.emit(constant, (), {"value": value})[0]

    def is_split(self, result: int, dimension: int) -> bool:
        return any(f in self.split for f in self.rule.results[result][dimension])

    def operand_offset(self, operand: int, dimension: int) -> Value:
        (factor,) = self.rule.operands[operand][dimension]
        size = self.rule.factors[factor].size // self.split.get(factor, 1)
        value = np.asarray(self.at.get(factor, 0) * size, np.int32)
        return self.emit(constant, (), {"value": value})[0]

    def operand_is_split(self, operand: int, dimension: int) -> bool:
        return any(f in self.split for f in self.rule.operands[operand][dimension])


def _run_local(
    record: OperationRecord,
    values: Sequence[np.ndarray],
    operands: Sequence[np.ndarray],
    attributes: Mapping[str, Any],
    rule: FactorRule,
    split: Mapping[int, int],
    at: Mapping[int, int],
) -> list[np.ndarray]:
    emitter = _Emitter(rule, split, at)
    inputs = [emitter.builder.input(ArrayType(v.shape, v.dtype)) for v in operands]
    if record.localize is None:
        results = emitter.emit(record, inputs, attributes)
    else:
        types = [ArrayType(v.shape, v.dtype) for v in values]
        whole = record.type_rule(types, attributes, ())
        operation = Operation(
            record, tuple(Value(t) for t in types), attributes, (), tuple(Value(t) for t in whole)
        )
        results = tuple(record.localize(emitter, operation, inputs))
    for i, result in enumerate(results):
        assert result.type.shape == emitter.local_shape(i), f"{record.name}: part has type {result.type}"
    known = {id(value): array for value, array in zip(inputs, operands, strict=True)}
    for operation in emitter.builder.operations:
        arrays = apply(operation.record, [known[id(v)] for v in operation.operands], **operation.attributes)
        known.update({id(v): array for v, array in zip(operation.results, arrays, strict=True)})
    return [known[id(result)] for result in results]
