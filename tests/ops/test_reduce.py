# SPDX-License-Identifier: Apache-2.0
"""Reductions: against Python's folds over the elements of each result."""

from __future__ import annotations

import functools
import math
import operator

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from olympus_core import dtypes, ops
from olympus_core.errors import OperandError
from olympus_core.program import ArrayType, OperationRecord

from .factor_check import apply, check_additive, check_factors, described
from .test_unary import wrapped

FOLDS = {"sum": (operator.add, 0), "prod": (operator.mul, 1)}
CASES = [((), ()), ((5,), (0,)), ((2, 3, 4), (1,)), ((2, 3, 4), (0, 2)), ((2, 3, 4), (2, 0)), ((2, 3), ()),
         ((2, 0, 3), (1,)), ((0, 4), (1,)), ((3, 1), (0, 1))]


def fold(x, dimensions, function, start):
    """The reduction with Python's numbers: for each index of the result the elements in row-major order."""
    kept = [d for d in range(x.ndim) if d not in dimensions]
    out = np.empty([x.shape[d] for d in kept], object)
    for index in np.ndindex(*out.shape):
        place = [slice(None)] * x.ndim
        for d, i in zip(kept, index, strict=True):
            place[d] = i
        out[index] = functools.reduce(function, [v.item() for v in x[tuple(place)].reshape(-1)], start)
    return out


@pytest.mark.parametrize(("shape", "dimensions"), CASES)
@pytest.mark.parametrize("dtype", [d for d in dtypes.ALL if d.kind != "b"], ids=str)
@pytest.mark.parametrize("name", FOLDS)
def test_sums_and_products(name, dtype, shape, dimensions):
    x = np.asarray(np.random.default_rng(0).integers(0, 3, shape) + 0.5).astype(dtype)
    (result,) = apply(ops.OPERATIONS[f"reduce_{name}"], [x], dimensions=dimensions)
    expected = fold(x, dimensions, *FOLDS[name])
    if dtypes.is_integer(dtype):
        assert result.tolist() == np.vectorize(lambda v: wrapped(v, dtype), otypes=[object])(expected).tolist()
    else:
        np.testing.assert_allclose(result.astype(complex), expected.astype(complex),
                                   rtol=1e-5 if dtype.itemsize > 2 else float(ml_dtypes.finfo(dtype).eps))


@pytest.mark.parametrize("name", FOLDS)
def test_integers_wrap_in_their_own_width(name):
    x = np.int8([100, 100, 3])
    expected = wrapped({"sum": 203, "prod": 30000}[name], x.dtype)
    assert apply(ops.OPERATIONS[f"reduce_{name}"], [x], dimensions=(0,))[0] == expected


@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16])
def test_narrow_floats_are_summed_in_float32(dtype):
    x = np.full(3000, 1.0).astype(dtype)  # adding one by one in the type itself would stop at 256 or 2048
    assert float(apply(ops.reduce_sum, [x], dimensions=(0,))[0]) == float(np.asarray(3000).astype(dtype))


@pytest.mark.parametrize(("shape", "dimensions"), [c for c in CASES if 0 not in c[0]])
@pytest.mark.parametrize("dtype", [d for d in dtypes.ALL if d.kind != "c"], ids=str)
def test_extremes(dtype, shape, dimensions):
    x = np.asarray(np.random.default_rng(0).integers(0, 7, shape) - (3 if dtype.kind != "u" else 0)).astype(dtype)
    for name, function in (("max", max), ("min", min)):
        expected = fold(x, dimensions, lambda a, b: b if a is None else function(a, b), None)
        (result,) = apply(ops.OPERATIONS[f"reduce_{name}"], [x], dimensions=dimensions)
        assert result.tolist() == expected.tolist()


@pytest.mark.parametrize("dtype", [d for d in dtypes.ALL if d.kind in "iufb"], ids=str)
def test_extremes_of_nothing_are_their_neutral_elements(dtype):
    x = np.zeros((2, 0), dtype)
    least, greatest = {
        "f": lambda: (-math.inf, math.inf), "b": lambda: (False, True),
    }.get(dtype.kind, lambda: (int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)))()
    assert apply(ops.reduce_max, [x], dimensions=(1,))[0].tolist() == [least] * 2
    assert apply(ops.reduce_min, [x], dimensions=(1,))[0].tolist() == [greatest] * 2


def test_extremes_of_nothing_in_a_type_without_infinity():
    x = np.zeros((0,), dtypes.float8_e4m3fn)
    assert float(apply(ops.reduce_max, [x], dimensions=(0,))[0]) == -448
    assert float(apply(ops.reduce_min, [x], dimensions=(0,))[0]) == 448


@pytest.mark.parametrize("dtype", dtypes.FLOATS, ids=str)
def test_nan_wins(dtype):
    x = np.array([[1, np.nan, 3], [np.nan, 2, np.nan]], dtype)
    for record in (ops.reduce_max, ops.reduce_min):
        assert np.isnan(apply(record, [x], dimensions=(1,))[0].astype(float)).all()
    for record in (ops.argmax, ops.argmin):
        assert apply(record, [x], dimension=1, dtype=dtypes.int32)[0].tolist() == [1, 0]


@pytest.mark.parametrize("dtype", (dtypes.bool_, *dtypes.INTEGERS), ids=str)
def test_and_or(dtype):
    x = np.asarray(np.random.default_rng(0).integers(0, 2 if dtype.kind == "b" else 100, (3, 4, 5))).astype(dtype)
    full = True if dtype.kind == "b" else -1
    for record, function, start in ((ops.reduce_and, operator.and_, full), (ops.reduce_or, operator.or_, 0)):
        (result,) = apply(record, [x], dimensions=(0, 2))
        assert result.tolist() == fold(x, (0, 2), function, start).tolist()
        (empty,) = apply(record, [x[:0]], dimensions=(0,))
        expected = np.invert(np.zeros((), dtype)) if record is ops.reduce_and else np.zeros((), dtype)
        assert (empty == expected).all()


@pytest.mark.parametrize("dtype", [d for d in dtypes.ALL if d.kind != "c"], ids=str)
@settings(max_examples=6, deadline=None)
@given(data=st.data())
def test_places_of_extremes(dtype, data):
    values = np.array(data.draw(st.lists(st.lists(st.integers(0, 5), min_size=4, max_size=4), min_size=2, max_size=2)))
    x = values.astype(dtype)
    for dimension in (0, 1):
        for record, function in ((ops.argmax, max), (ops.argmin, min)):
            (result,) = apply(record, [x], dimension=dimension, dtype=dtypes.int64)
            lines = [line.tolist() for line in (x if dimension else x.T)]
            assert result.tolist() == [line.index(function(line)) for line in lines]


def test_factor_rules():
    x = np.random.default_rng(0).integers(1, 9, (4, 6, 2))
    for name in ("sum", "prod", "max", "min", "and", "or"):
        record = ops.OPERATIONS[f"reduce_{name}"]
        rule = check_factors(record, [x], dimensions=(0, 2))
        assert described(rule) == f"abc -> b; a {name}, c {name}"
        check_factors(record, [x], dimensions=())
        check_factors(record, [x[:0]], dimensions=(0,))
    check_additive(ops.reduce_sum, [x * 1.5], dimensions=(0, 2))
    assert not ops.reduce_prod.additive and not ops.reduce_max.additive
    for record in (ops.argmax, ops.argmin):
        rule = check_factors(record, [x], dimension=1, dtype=dtypes.int32)
        assert described(rule) == "abc -> ac; b whole"


@pytest.mark.parametrize(("name", "dtype", "attributes"), [
    ("reduce_sum", bool, {"dimensions": (0,)}), ("reduce_max", np.complex64, {"dimensions": (0,)}),
    ("reduce_and", np.float32, {"dimensions": (0,)}), ("reduce_sum", np.float32, {"dimensions": (2,)}),
    ("reduce_sum", np.float32, {"dimensions": (0, 0)}), ("reduce_sum", np.float32, {"dimensions": 0}),
    ("argmax", np.complex64, {"dimension": 0, "dtype": dtypes.int32}),
    ("argmax", np.float32, {"dimension": 0, "dtype": dtypes.float32}),
    ("argmax", np.float32, {"dimension": -1, "dtype": dtypes.int32}),
    ("argmin", np.float32, {"dimension": 1, "dtype": dtypes.int32}),
])
def test_refusals(name, dtype, attributes):
    with pytest.raises(OperandError, match=name):
        ops.OPERATIONS[name].type_rule([ArrayType((3, 0), dtype)], attributes, ())


@pytest.mark.parametrize("record", [ops.reduce_sum, ops.reduce_prod, ops.reduce_max], ids=lambda r: r.name)
def test_nothing_reduced_is_the_operand_itself(record: OperationRecord) -> None:
    dtype = np.dtype("f8" if record is ops.reduce_max else "c16")
    x = np.array([-0.0, 3.0]).astype(dtype) if dtype.kind == "f" else np.array([complex(-np.inf, 1), complex(-0.0, 2)])
    (found,) = record.reference([x], {"dimensions": ()})
    assert found.tobytes() == x.tobytes()
