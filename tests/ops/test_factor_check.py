# SPDX-License-Identifier: Apache-2.0
"""The proof of factor rules notices wrong ones: each case breaks a right record in one way."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from olympus_core import ops
from olympus_core.program import Factor, FactorRule

from .factor_check import check_additive, check_factors, check_moves_only

X = np.random.default_rng(0).normal(size=(4, 6))


def with_kinds(record, kind, reduction=None):
    """The record with all its whole or reduced factors made into another kind."""

    def factor_rule(operands, results, attributes):
        rule = record.factor_rule(operands, results, attributes)
        factors = tuple(f if f.kind == "parallel" else Factor(f.size, kind, reduction) for f in rule.factors)
        return FactorRule(factors, rule.operands, rule.results)

    return dataclasses.replace(record, factor_rule=factor_rule)


@pytest.mark.parametrize(("record", "kind", "reduction", "values", "attributes"), [
    (ops.reduce_max, "reduced", "sum", [X], {"dimensions": (1,)}),
    (ops.reduce_sum, "reduced", "max", [X], {"dimensions": (1,)}),
    (ops.reduce_sum, "parallel", None, [X], {"dimensions": (1,)}),
    (ops.reverse, "parallel", None, [X], {"dimensions": (1,)}),
    (ops.cumsum, "parallel", None, [X], {"dimension": 0, "reverse": False}),
    (ops.sort, "parallel", None, [X], {"dimension": 0, "keys": 1}),
    (ops.top_k, "parallel", None, [X], {"dimension": 0, "k": 2, "dtype": np.dtype("int32")}),
    (ops.argmax, "reduced", "max", [X], {"dimension": 0, "dtype": np.dtype("int32")}),
    (ops.constant, "parallel", None, [], {"value": X}),
    (ops.dot_general, "reduced", "max", [X, X.T.copy()],
     {"lhs_contracting": (1,), "rhs_contracting": (0,), "lhs_batch": (), "rhs_batch": ()}),
    (ops.dynamic_update_slice, "parallel", None, [X, X[:, :2], np.int32(0), np.int32(1)], {}),
    (ops.scatter, "reduced", "sum", [X, np.array([[1], [2]]), X[:2]],
     {"update_window_dims": (1,), "inserted_window_dims": (0,), "scatter_dims_to_operand_dims": (0,),
      "operand_batching_dims": (), "indices_batching_dims": (), "mode": "drop", "combine": "add"}),
], ids=lambda v: getattr(v, "name", None))
def test_wrong_kinds_are_noticed(record, kind, reduction, values, attributes):
    check_factors(record, values, **attributes)
    with pytest.raises(AssertionError):
        check_factors(with_kinds(record, kind, reduction), values, **attributes)


@pytest.mark.parametrize(("record", "attributes"), [
    (ops.iota, {"shape": (4, 6), "dtype": np.dtype("int32"), "dimension": 0}),
    (ops.constant, {"value": np.ones((4, 6))}),
])
def test_a_missing_localize_is_noticed(record, attributes):
    with pytest.raises(AssertionError):
        check_factors(dataclasses.replace(record, localize=None), [], **attributes)


def test_a_reshape_in_the_wrong_order_is_noticed():
    rule = FactorRule((Factor(4), Factor(6)), (((0,), (1,)),), (((1, 0),),))
    with pytest.raises(AssertionError):
        check_factors(dataclasses.replace(ops.reshape, factor_rule=lambda *_: rule), [X], shape=(24,))


def test_what_is_not_linear_is_noticed():
    with pytest.raises(AssertionError):
        check_additive(dataclasses.replace(ops.exp, additive=(frozenset({0}),)), [X])
    with pytest.raises(AssertionError):
        check_additive(dataclasses.replace(ops.add, additive=(frozenset({0}),)), [X, X])
    with pytest.raises(AssertionError):
        check_additive(dataclasses.replace(ops.div, additive=(frozenset({0}),)), [np.arange(9), np.full(9, 4)])
    with pytest.raises(AssertionError):
        check_moves_only(dataclasses.replace(ops.neg, moves_only=True), [X])
