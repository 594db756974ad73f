# SPDX-License-Identifier: Apache-2.0
"""Reductions over dimensions, each with its factor; argmax and argmin."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from olympus_core import dtypes
from olympus_core.program import ArrayType, Attributes, FactorRule, OperationRecord, Program, Reduction
from olympus_core.program.exactness import PRODUCT, SUM

from . import binary
from .rules import (
    BITS,
    INTEGER,
    NUMBER,
    ORDERED,
    Domain,
    FactorTable,
    check,
    check_dimension,
    check_dimensions,
    check_domain,
    check_dtype,
    quiet,
    refuse,
    widened,
)

Types = Sequence[ArrayType]

# What reductions are in NumPy.
UFUNCS: Mapping[str, np.ufunc] = {
    "sum": np.add, "prod": np.multiply, "max": np.maximum, "min": np.minimum,
    "and": np.bitwise_and, "or": np.bitwise_or,
}
# What they combine elements by.
COMBINING: Mapping[str, OperationRecord] = {
    "sum": binary.add, "prod": binary.mul, "max": binary.max, "min": binary.min, "and": binary.and_, "or": binary.or_,
}


def _reduction(
    reduction: Reduction, domain: Domain, additive: tuple[frozenset[int], ...] = ()
) -> OperationRecord:
    name, function, combine = f"reduce_{reduction}", UFUNCS[reduction], COMBINING[reduction]

    def type_rule(types: Types, attributes: Attributes, regions: Sequence[Program]) -> Types:
        check(name, types, attributes, regions, 1, ["dimensions"])
        (x,) = types
        check_domain(name, x, domain, types)
        gone = check_dimensions(name, attributes, "dimensions", x.ndim)
        return (x.with_shape(n for d, n in enumerate(x.shape) if d not in gone),)

    def factor_rule(operands: Types, results: Types, attributes: Attributes) -> FactorRule:
        table = FactorTable()
        gone = attributes["dimensions"]
        shape = enumerate(operands[0].shape)
        dims = [table.new(n, "reduced", reduction) if d in gone else table.new(n) for d, n in shape]
        return table.rule([dims], [[f for d, f in enumerate(dims) if d not in gone]])

    def reference(values: Sequence[np.ndarray], attributes: Attributes) -> Sequence[np.ndarray]:
        if not attributes["dimensions"]:
            return (values[0],)  # and not 1 times it, which of infinite complex numbers is NaN
        x = widened(values[0])
        start = combine.nothing(values[0].dtype).astype(x.dtype)[()]
        out = function.reduce(x, attributes["dimensions"], dtype=x.dtype, initial=start)
        return (np.asarray(out).astype(values[0].dtype, copy=False),)

    return OperationRecord(
        name, "reduction", type_rule, factor_rule, quiet(reference), additive=additive, combine=combine,
        identity=combine.identity, exactness={"sum": SUM, "prod": PRODUCT}.get(reduction, combine.exactness))


def _extreme_place(name: str, function: Callable[..., np.ndarray]) -> OperationRecord:
    def type_rule(types: Types, attributes: Attributes, regions: Sequence[Program]) -> Types:
        check(name, types, attributes, regions, 1, ["dimension", "dtype"])
        (x,) = types
        check_domain(name, x, ORDERED, types)
        gone = check_dimension(name, attributes, "dimension", x.ndim)
        dtype = check_dtype(name, attributes, "dtype", INTEGER)
        if x.shape[gone] == 0:
            refuse(name, f"dimension {gone} has no elements", types, "one element or more")
        return (ArrayType((n for d, n in enumerate(x.shape) if d != gone), dtype),)

    def factor_rule(operands: Types, results: Types, attributes: Attributes) -> FactorRule:
        table = FactorTable()
        gone = attributes["dimension"]
        dims = [table.whole(n) if d == gone else table.new(n) for d, n in enumerate(operands[0].shape)]
        return table.rule([dims], [[f for d, f in enumerate(dims) if d != gone]])

    def reference(values: Sequence[np.ndarray], attributes: Attributes) -> Sequence[np.ndarray]:
        position = function(widened(values[0]), axis=attributes["dimension"])  # the first one; NaN counts as extreme
        return (np.asarray(position).astype(attributes["dtype"]),)

    return OperationRecord(name, "reduction", type_rule, factor_rule, quiet(reference))


reduce_sum = _reduction("sum", NUMBER, additive=(frozenset({0}),))
reduce_prod = _reduction("prod", NUMBER)
reduce_max = _reduction("max", ORDERED)
reduce_min = _reduction("min", ORDERED)
reduce_and = _reduction("and", BITS)
reduce_or = _reduction("or", BITS)
argmax = _extreme_place("argmax", np.argmax)
argmin = _extreme_place("argmin", np.argmin)

BY_REDUCTION: Mapping[str, OperationRecord] = {
    "sum": reduce_sum, "prod": reduce_prod, "max": reduce_max, "min": reduce_min, "and": reduce_and, "or": reduce_or,
}


def combining(reduction: str, dtype: np.dtype) -> OperationRecord:
    """The elementwise operation that a collective repeats; of bools a sum is `or`, a product `and`."""
    if dtypes.is_bool(dtype) and reduction in ("sum", "prod"):
        return binary.or_ if reduction == "sum" else binary.and_
    return COMBINING[reduction]
