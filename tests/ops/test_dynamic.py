# SPDX-License-Identifier: Apache-2.0
"""Dynamic slices: against plain slices at the place that clamping gives."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from olympus_core import ops
from olympus_core.errors import OperandError
from olympus_core.program import ArrayType

from .factor_check import apply, check_additive, check_factors, check_moves_only, described


@st.composite
def windows(draw):
    shape = tuple(draw(st.lists(st.integers(0, 4), max_size=3)))
    sizes = tuple(draw(st.integers(0, n)) for n in shape)
    starts = [np.asarray(draw(st.integers(-6, 6)), draw(st.sampled_from([np.int32, np.int64, np.int8]))) for _ in shape]
    return shape, sizes, starts


def place(shape, sizes, starts):
    """The indices of the window, pushed inside one step at a time."""
    ranges = []
    for n, size, start in zip(shape, sizes, starts, strict=True):
        first = int(start)
        while first + size > n:
            first -= 1
        while first < 0:
            first += 1
        ranges.append(range(first, first + size))
    return np.ix_(*ranges) if ranges else ()


@settings(max_examples=60, deadline=None)
@given(windows())
def test_dynamic_slice(case):
    shape, sizes, starts = case
    x = np.random.default_rng(0).integers(0, 99, shape)
    check_factors(ops.dynamic_slice, [x, *starts], sizes=sizes)
    np.testing.assert_array_equal(apply(ops.dynamic_slice, [x, *starts], sizes=sizes)[0], x[place(*case)])


@settings(max_examples=60, deadline=None)
@given(windows())
def test_dynamic_update_slice(case):
    shape, sizes, starts = case
    x = np.random.default_rng(0).integers(0, 99, shape)
    update = -1 - np.random.default_rng(1).integers(0, 99, sizes)
    check_factors(ops.dynamic_update_slice, [x, update, *starts])
    expected = x.copy()
    expected[place(*case)] = update
    np.testing.assert_array_equal(apply(ops.dynamic_update_slice, [x, update, *starts])[0], expected)


def test_starts_of_an_unsigned_type():
    x = np.arange(5)
    assert apply(ops.dynamic_slice, [x, np.uint64(2**64 - 1)], sizes=(2,))[0].tolist() == [3, 4]
    assert apply(ops.dynamic_slice, [x, np.uint8(1)], sizes=(2,))[0].tolist() == [1, 2]


def test_rules():
    x, starts = np.arange(24).reshape(4, 6), [np.int32(3), np.int32(2)]
    rule = check_factors(ops.dynamic_slice, [x, *starts], sizes=(4, 2))
    assert described(rule) == "ab, -, - -> ac; b whole, c whole"
    rule = check_factors(ops.dynamic_update_slice, [x, x[:, :2], *starts])
    assert described(rule) == "ab, ac, -, - -> ab; b whole, c whole"
    check_additive(ops.dynamic_slice, [x, *starts], sizes=(4, 2))
    check_moves_only(ops.dynamic_slice, [x, *starts], sizes=(4, 2))
    check_additive(ops.dynamic_update_slice, [x, x[:, :2], *starts])


def test_refusals():
    x, index = ArrayType((4, 6), "float32"), ArrayType((), "int32")
    for types, attributes in [
        ([x, index], {"sizes": (1, 1)}), ([x, index, index], {"sizes": (5, 1)}), ([], {"sizes": ()}),
        ([x, index, ArrayType((), "float32")], {"sizes": (1, 1)}),
        ([x, index, ArrayType((1,), "int32")], {"sizes": (1, 1)}),
    ]:
        with pytest.raises(OperandError, match="dynamic_slice"):
            ops.dynamic_slice.type_rule(types, attributes, ())
    for update in (ArrayType((5, 1), "float32"), ArrayType((1, 1), "int32"), ArrayType((1,), "float32")):
        with pytest.raises(OperandError, match="update does not fit"):
            ops.dynamic_update_slice.type_rule([x, update, index, index], {}, ())
