# SPDX-License-Identifier: Apache-2.0
"""Operations that move elements: against NumPy's expressions and index arithmetic by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from olympus_core import dtypes, ops
from olympus_core.errors import OperandError
from olympus_core.program import ArrayType

from .factor_check import apply, check_additive, check_factors, check_moves_only, described

sizes = st.integers(0, 4)
shapes = st.lists(sizes, max_size=4).map(tuple)
bounded = settings(max_examples=40, deadline=None)


def counted(shape, dtype=np.int32):
    return np.arange(math.prod(shape)).reshape(shape).astype(dtype)


def at_each_index(shape, function):
    """An array made of a function of the index."""
    out = np.zeros(shape, np.int32)
    for index in np.ndindex(*shape):
        out[index] = function(index)
    return out


@bounded
@given(shape=shapes, data=st.data())
def test_broadcast_in_dim(shape, data):
    dims = tuple(d for d in range(len(shape)) if data.draw(st.booleans()))
    x = counted([shape[d] if data.draw(st.booleans()) else 1 for d in dims])
    rule = check_factors(ops.broadcast_in_dim, [x], shape=shape, dimensions=dims)
    (result,) = apply(ops.broadcast_in_dim, [x], shape=shape, dimensions=dims)
    expected = at_each_index(
        shape, lambda index: x[tuple(index[d] if n > 1 else 0 for d, n in zip(dims, x.shape, strict=True))]
    )
    np.testing.assert_array_equal(result, expected)
    assert all(f.kind == "parallel" or f.size == 1 for f in rule.factors)


def test_broadcast_rules_name_new_dimensions_by_results_alone():
    x = counted((1, 4))
    rule = check_factors(ops.broadcast_in_dim, [x], shape=(6, 3, 4), dimensions=(1, 2))
    assert described(rule) == "ab -> cdb; a whole"
    assert described(check_factors(ops.broadcast_in_dim, [x], shape=(1, 4), dimensions=(0, 1))) == "ab -> ab"
    check_additive(ops.broadcast_in_dim, [x], shape=(2, 4), dimensions=(0, 1))
    check_moves_only(ops.broadcast_in_dim, [x], shape=(2, 4), dimensions=(0, 1))


@bounded
@given(shape=shapes, data=st.data())
def test_reshape_keeps_the_order_and_its_rule_holds(shape, data):
    size = math.prod(shape)
    if size:
        rest, new = size, []
        while rest > 1:
            new.append(data.draw(st.sampled_from([k for k in range(2, rest + 1) if rest % k == 0])))
            rest //= new[-1]
        for place in data.draw(st.lists(st.integers(0, len(new)), max_size=2)):
            new.insert(place, 1)
    else:
        new = [*data.draw(st.lists(sizes, max_size=2)), 0, *data.draw(st.lists(sizes, max_size=2))]
    x = counted(shape)
    check_factors(ops.reshape, [x], shape=tuple(new))
    (result,) = apply(ops.reshape, [x], shape=tuple(new))
    assert result.reshape(-1).tolist() == list(range(size))


@pytest.mark.parametrize(("before", "after", "rule"), [
    ((6, 4), (3, 8), "(ab)c -> a(bc)"),
    ((12,), (3, 4), "(ab) -> ab"),
    ((2, 3, 5), (6, 5), "abc -> (ab)c"),
    ((2, 3), (3, 2), "ab -> cd; a whole, b whole, c whole, d whole"),
    ((5, 2, 3, 7), (5, 3, 2, 7), "abcd -> aefd; b whole, c whole, e whole, f whole"),
    ((4, 9), (6, 6), "(ab)c -> (ad)e; b whole, c whole, d whole, e whole"),
    ((1, 6), (2, 3, 1), "a(bc) -> bcd; a whole, d whole"),
    ((0, 4), (0, 2, 2), "a(bc) -> abc"),
    ((3, 0), (3, 0, 5), "ab -> abc; c whole"),
    ((3, 0), (2, 0), "ab -> cb; a whole, c whole"),
    ((), (1, 1), "- -> ab; a whole, b whole"),
    ((3, 4), (3, 4), "ab -> ab"),
    ((2, 3, 4), (24,), "abc -> (abc)"),
])
def test_reshape_rules(before, after, rule):
    assert described(check_factors(ops.reshape, [counted(before)], shape=after)) == rule


@bounded
@given(shape=shapes, data=st.data())
def test_transpose(shape, data):
    order = tuple(data.draw(st.permutations(range(len(shape)))))
    x = counted(shape)
    rule = check_factors(ops.transpose, [x], permutation=order)
    assert all(f.kind == "parallel" for f in rule.factors)
    (result,) = apply(ops.transpose, [x], permutation=order)
    for index in np.ndindex(*result.shape):
        source = [0] * len(shape)
        for d, i in zip(order, index, strict=True):
            source[d] = i
        assert result[index] == x[tuple(source)]


@bounded
@given(shape=shapes, data=st.data())
def test_slice(shape, data):
    bounds = []
    for n in shape:
        start = data.draw(st.integers(0, n))
        bounds.append((start, data.draw(st.integers(start, n)), data.draw(st.integers(1, 3))))
    starts, limits, strides = (tuple(b[i] for b in bounds) for i in range(3))
    x = counted(shape)
    check_factors(ops.slice, [x], starts=starts, limits=limits, strides=strides)
    (result,) = apply(ops.slice, [x], starts=starts, limits=limits, strides=strides)
    np.testing.assert_array_equal(result, x[np.ix_(*(range(*b) for b in bounds))] if shape else x)


def test_slice_rules_leave_untouched_dimensions_parallel():
    x = counted((4, 6, 3))
    attributes = {"starts": (0, 1, 0), "limits": (4, 5, 3), "strides": (1, 2, 1)}
    assert described(check_factors(ops.slice, [x], **attributes)) == "abc -> adc; b whole, d whole"
    check_additive(ops.slice, [x], **attributes)
    check_moves_only(ops.slice, [x], **attributes)


def padded_index(index, low, interior, shape):
    """The operand's index that stands at a padded index, or None."""
    source = []
    for i, before, inside, n in zip(index, low, interior, shape, strict=True):
        place, rest = divmod(i - before, inside + 1)
        if rest or not 0 <= place < n:
            return None
        source.append(place)
    return tuple(source)


@bounded
@given(shape=shapes, data=st.data())
def test_pad(shape, data):
    interior = tuple(data.draw(st.integers(0, 2)) for _ in shape)
    spread = [n + max(n - 1, 0) * i for n, i in zip(shape, interior, strict=True)]
    low = tuple(data.draw(st.integers(-n, 2)) for n in spread)
    high = tuple(data.draw(st.integers(-(n + min(before, 0)), 2)) for n, before in zip(spread, low, strict=True))
    x = counted(shape) + np.int32(1)
    attributes = {"low": low, "high": high, "interior": interior}
    check_factors(ops.pad, [x, np.int32(-1)], **attributes)
    (result,) = apply(ops.pad, [x, np.int32(-1)], **attributes)

    def expected(index):
        source = padded_index(index, low, interior, shape)
        return -1 if source is None else x[source]

    np.testing.assert_array_equal(result, at_each_index(result.shape, expected))


def test_pad_rules():
    x = counted((4, 6))
    attributes = {"low": (0, 1), "high": (0, 1), "interior": (0, 0)}
    assert described(check_factors(ops.pad, [x, np.int32(7)], **attributes)) == "ab, - -> ac; b whole, c whole"
    check_additive(ops.pad, [x, np.int32(7)], **attributes)
    with pytest.raises(OperandError, match="more than there is"):
        ops.pad.type_rule([ArrayType((2,), "int32"), ArrayType((), "int32")],
                          {"low": (-2,), "high": (-1,), "interior": (0,)}, ())


def test_concatenate():
    parts = [counted((2, n, 3)) + 100 * n for n in (1, 0, 4)]
    (result,) = apply(ops.concatenate, parts, dimension=1)
    assert [result[1, i, 2] for i in range(5)] == [p[1, i, 2] for p in parts for i in range(p.shape[1])]
    rule = check_factors(ops.concatenate, [counted((4, 2)), counted((4, 3))], dimension=1)
    assert described(rule) == "ab, ac -> ad; b whole, c whole, d whole"
    check_moves_only(ops.concatenate, parts, dimension=1)
    for dimension, bad in ((0, [(2,), (2, 1)]), (1, [(2, 1), (3, 2)])):
        with pytest.raises(OperandError, match="do not fit together"):
            ops.concatenate.type_rule([ArrayType(s, "int32") for s in bad], {"dimension": dimension}, ())


def test_reverse():
    x = counted((4, 3, 2))
    (result,) = apply(ops.reverse, [x], dimensions=(0, 2))
    for a, b, c in np.ndindex(4, 3, 2):
        assert result[a, b, c] == x[3 - a, b, 1 - c]
    assert described(check_factors(ops.reverse, [x], dimensions=(1,))) == "abc -> abc; b whole"
    check_moves_only(ops.reverse, [x], dimensions=(1,))
    check_additive(ops.reverse, [x], dimensions=(1,))
    assert apply(ops.reverse, [counted(())], dimensions=())[0] == 0


@pytest.mark.parametrize("dtype", [d for d in dtypes.ALL if d.kind != "b"], ids=str)
def test_iota_counts_along_its_dimension_in_every_type(dtype):
    for dimension in (0, 1):
        rule = check_factors(ops.iota, [], shape=(12, 300), dtype=dtype, dimension=dimension)
        assert described(rule) == " -> ab"
        (result,) = apply(ops.iota, [], shape=(12, 300), dtype=dtype, dimension=dimension)
        expected = at_each_index((12, 300), lambda index: index[dimension]).astype(dtype)
        np.testing.assert_array_equal(result, expected)
    assert apply(ops.iota, [], shape=(0, 2), dtype=dtype, dimension=0)[0].shape == (0, 2)


def test_a_constant_may_be_split_where_all_elements_are_alike():
    for value in (np.full((4, 6), 2.5), np.full((4, 6), np.nan), np.broadcast_to(np.complex64(1j), (4, 6)),
                  np.zeros((4, 6), dtypes.bfloat16), np.ones((0, 6)), np.ones((4, 6), bool)):
        rule = check_factors(ops.constant, [], value=value)
        assert described(rule) == " -> ab"
    almost = np.zeros((4, 6))
    almost[1, 2] = -0.0
    for value in (almost, counted((4, 6))):
        assert described(check_factors(ops.constant, [], value=value)) == " -> ab; a whole, b whole"
    assert apply(ops.constant, [], value=np.asarray(3.0))[0] == 3
    with pytest.raises(OperandError, match="type float32 does not fit"):
        ops.constant.type_rule([], {"value": np.float32(3)}, ())


class FakeMesh:
    axis_names = ("x", "y")


def test_sharding_constraint_changes_nothing():
    x = counted((4, 6))
    attributes = {"mesh": FakeMesh(), "dims": (("x",), ())}
    assert described(check_factors(ops.sharding_constraint, [x], **attributes)) == "ab -> ab"
    np.testing.assert_array_equal(apply(ops.sharding_constraint, [x], **attributes)[0], x)
    for dims in ((("x",),), (("x",), ("x",)), (("z",), ()), ("x", "y")):
        with pytest.raises(OperandError):
            ops.sharding_constraint.type_rule([ArrayType((4, 6), "int32")], {"mesh": FakeMesh(), "dims": dims}, ())


@pytest.mark.parametrize(("name", "attributes"), [
    ("reshape", {"shape": (5,)}), ("reshape", {"shape": [6]}), ("reshape", {"shape": (-1,)}),
    ("transpose", {"permutation": (0, 0)}), ("transpose", {"permutation": (0,)}),
    ("slice", {"starts": (0, 0), "limits": (3, 3), "strides": (1, 1)}),
    ("slice", {"starts": (0, 0), "limits": (2, 3), "strides": (1, 0)}),
    ("slice", {"starts": (0, 2), "limits": (2, 1), "strides": (1, 1)}),
    ("broadcast_in_dim", {"shape": (2, 4), "dimensions": (0, 1)}),
    ("broadcast_in_dim", {"shape": (3, 2), "dimensions": (1, 0)}),
    ("reverse", {"dimensions": (2,)}), ("reverse", {"dimensions": (np.int64(0),)}),
])
def test_attributes_that_do_not_fit_are_refused(name, attributes):
    with pytest.raises(OperandError, match=name):
        ops.OPERATIONS[name].type_rule([ArrayType((2, 3), "float32")], attributes, ())


@pytest.mark.parametrize("dtype", dtypes.ALL, ids=str)
def test_every_type_moves(dtype):
    x = (counted((2, 3)) % 2).astype(dtype)
    for name, attributes in [
        ("reshape", {"shape": (6,)}), ("transpose", {"permutation": (1, 0)}), ("reverse", {"dimensions": (0,)}),
        ("broadcast_in_dim", {"shape": (2, 2, 3), "dimensions": (1, 2)}),
        ("slice", {"starts": (0, 1), "limits": (2, 3), "strides": (1, 1)}),
    ]:
        (result,) = apply(ops.OPERATIONS[name], [x], **attributes)
        assert sorted(set(result.astype(complex).real.reshape(-1).tolist())) == [0, 1]
    (result,) = apply(ops.pad, [x, x[0, 1]], low=(1, 0), high=(0, 0), interior=(0, 0))
    assert result[0].astype(complex).tolist() == [1, 1, 1]
    assert apply(ops.concatenate, [x, x], dimension=0)[0].shape == (4, 3)


def test_references_leave_their_operands_alone():
    x = counted((3, 3))
    x.flags.writeable = False
    apply(ops.pad, [x, np.int32(1)], low=(1, 1), high=(0, 0), interior=(0, 0))
    apply(ops.dynamic_update_slice, [x, x[:1], np.int32(0), np.int32(0)])
    np.testing.assert_array_equal(x, counted((3, 3)))
