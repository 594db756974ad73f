# SPDX-License-Identifier: Apache-2.0
"""Operations that run along one dimension: cumulative reductions, sorting, the greatest elements."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from olympus_core import dtypes
from olympus_core.errors import OperandError
from olympus_core.program import ArrayType, Attributes, FactorRule, OperationRecord, Program
from olympus_core.program.exactness import PRODUCT, SUM, Exactness

from . import binary
from .rules import (
    ANY,
    INTEGER,
    NUMBER,
    ORDERED,
    Domain,
    FactorTable,
    along_dimension_factors,
    check,
    check_dimension,
    check_domain,
    check_dtype,
    is_index,
    quiet,
    refuse,
    widened,
)

Types = Sequence[ArrayType]


def _cumulative(
    name: str, combine: OperationRecord, domain: Domain, function: np.ufunc, exactness: Exactness,
    additive: tuple[frozenset[int], ...] = (),
) -> OperationRecord:
    def type_rule(types: Types, attributes: Attributes, regions: Sequence[Program]) -> Types:
        check(name, types, attributes, regions, 1, ["dimension", "reverse"])
        check_domain(name, types[0], domain, types)
        check_dimension(name, attributes, "dimension", types[0].ndim)
        if not isinstance(attributes["reverse"], bool):
            raise OperandError(name, "reverse does not fit", attributes["reverse"], "True or False")
        return types

    def reference(values: Sequence[np.ndarray], attributes: Attributes) -> Sequence[np.ndarray]:
        dimension = attributes["dimension"]
        x = widened(values[0])
        x = np.flip(x, dimension) if attributes["reverse"] else x
        out = function.accumulate(x, axis=dimension, dtype=x.dtype).astype(values[0].dtype, copy=False)
        return (np.flip(out, dimension) if attributes["reverse"] else out,)

    return OperationRecord(
        name, "cumulative", type_rule, along_dimension_factors, quiet(reference), additive=additive, combine=combine,
        identity=combine.identity, exactness=exactness)


def _sort_type(types: Types, attributes: Attributes, regions: Sequence[Program]) -> Types:
    check("sort", types, attributes, regions, None, ["dimension", "keys"])
    if not types or any(t.shape != types[0].shape for t in types):
        refuse("sort", "operands differ in shape", types, "one operand or more, all of one shape")
    check_dimension("sort", attributes, "dimension", types[0].ndim)
    keys = attributes["keys"]
    if not is_index(keys) or not 1 <= keys <= len(types):
        raise OperandError("sort", "keys does not fit", keys, f"an integer from 1 to {len(types)}")
    for type in types[:keys]:
        check_domain("sort", type, ANY, types)
    return types


def _sort_keys(x: np.ndarray) -> list[np.ndarray]:
    """What to compare, first things first; complex numbers by real part, then imaginary, all with a NaN last."""
    if dtypes.is_complex(x.dtype):
        return [np.isnan(x), x.real, x.imag]
    return [widened(x)]


def _sort(values: Sequence[np.ndarray], attributes: Attributes) -> Sequence[np.ndarray]:
    dimension = attributes["dimension"]
    keys = [key for x in values[: attributes["keys"]] for key in _sort_keys(x)]
    order = np.lexsort(keys[::-1], axis=dimension)  # stable, NaN last, takes its last key first
    return [np.take_along_axis(x, order, dimension) for x in values]


def _top_k_type(types: Types, attributes: Attributes, regions: Sequence[Program]) -> Types:
    check("top_k", types, attributes, regions, 1, ["dimension", "k", "dtype"])
    (x,) = types
    check_domain("top_k", x, ANY, types)
    dimension, k = check_dimension("top_k", attributes, "dimension", x.ndim), attributes["k"]
    if not is_index(k) or not 0 <= k <= x.shape[dimension]:
        raise OperandError("top_k", "k does not fit", k, f"an integer from 0 to {x.shape[dimension]}")
    found = x.with_shape((*x.shape[:dimension], k, *x.shape[dimension + 1 :]))
    return (found, found.with_dtype(check_dtype("top_k", attributes, "dtype", INTEGER)))


def _top_k_factors(operands: Types, results: Types, attributes: Attributes) -> FactorRule:
    table, whole = FactorTable(), attributes["dimension"]
    given = [table.whole(n) if d == whole else table.new(n) for d, n in enumerate(operands[0].shape)]
    found = [table.whole(attributes["k"]) if d == whole else factor for d, factor in enumerate(given)]
    return table.rule([given], [found, found])


def _top_k(values: Sequence[np.ndarray], attributes: Attributes) -> Sequence[np.ndarray]:
    """The end of a stable sort of the reversed operand, reversed again: of equal elements the first comes first."""
    (x,), dimension = values, attributes["dimension"]
    keys = _sort_keys(np.flip(x, dimension))
    order = x.shape[dimension] - 1 - np.flip(np.lexsort(keys[::-1], axis=dimension), dimension)
    positions = order[(*[slice(None)] * dimension, slice(attributes["k"]))]
    return (np.take_along_axis(x, positions, dimension), positions.astype(attributes["dtype"]))


cumsum = _cumulative("cumsum", binary.add, NUMBER, np.add, SUM, additive=(frozenset({0}),))
cumprod = _cumulative("cumprod", binary.mul, NUMBER, np.multiply, PRODUCT)
cummax = _cumulative("cummax", binary.max, ORDERED, np.maximum, binary.max.exactness)
cummin = _cumulative("cummin", binary.min, ORDERED, np.minimum, binary.min.exactness)
sort = OperationRecord("sort", "structure", _sort_type, along_dimension_factors, quiet(_sort))
top_k = OperationRecord("top_k", "structure", _top_k_type, _top_k_factors, quiet(_top_k))
