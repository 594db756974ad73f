"""Reductions: over dimensions, with each its factor; and the place of the extreme."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from olympus_core.program import ArrayType, Attributes, FactorRule, OperationRecord, Program, Reduction

from .identities import IDENTITIES
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


_COMBINED: dict[Reduction, str] = {"sum": "add", "prod": "mul"}  # the others are called as what folds them


def _reduction(
    reduction: Reduction, domain: Domain, function: np.ufunc, additive: tuple[frozenset[int], ...] = ()
) -> OperationRecord:
    name, identity = f"reduce_{reduction}", IDENTITIES[_COMBINED.get(reduction, reduction)]

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
        start = identity(values[0].dtype).astype(x.dtype)[()]
        out = function.reduce(x, attributes["dimensions"], dtype=x.dtype, initial=start)
        return (np.asarray(out).astype(values[0].dtype, copy=False),)

    return OperationRecord(
        name, "reduction", type_rule, factor_rule, quiet(reference), additive=additive, identity=identity)


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
        place = function(widened(values[0]), axis=attributes["dimension"])  # the first one; NaN counts as extreme
        return (np.asarray(place).astype(attributes["dtype"]),)

    return OperationRecord(name, "reduction", type_rule, factor_rule, quiet(reference))


reduce_sum = _reduction("sum", NUMBER, np.add, additive=(frozenset({0}),))
reduce_prod = _reduction("prod", NUMBER, np.multiply)
reduce_max = _reduction("max", ORDERED, np.maximum)
reduce_min = _reduction("min", ORDERED, np.minimum)
reduce_and = _reduction("and", BITS, np.bitwise_and)
reduce_or = _reduction("or", BITS, np.bitwise_or)
argmax = _extreme_place("argmax", np.argmax)
argmin = _extreme_place("argmin", np.argmin)
