# SPDX-License-Identifier: Apache-2.0
"""Collectives: type rules, and meaning against plain loops over the devices."""

from __future__ import annotations

import functools

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from olympus_core import ops
from olympus_core.errors import OperandError
from olympus_core.program import ArrayType, AxisGroup, DeviceGroups

PAIR = DeviceGroups(((0, 1),))
PYTHON = {
    "sum": lambda a, b: a + b, "prod": lambda a, b: a * b, "max": max, "min": min,
    "and": lambda a, b: a & b, "or": lambda a, b: a | b,
}


@st.composite
def groupings(draw):
    """Groups of equal size in any order of up to 12 positions."""
    size, count = draw(st.integers(1, 4)), draw(st.integers(1, 3))
    positions = draw(st.permutations(range(size * count)))
    return DeviceGroups(tuple(tuple(positions[i * size : (i + 1) * size]) for i in range(count)))


def shapes(parts=1):
    """Shapes whose dimensions are multiples of `parts`."""
    return st.lists(st.integers(0, 2).map(lambda n: n * parts), min_size=1, max_size=3).map(tuple)


def values_for(group, shape, seed=0):
    random = np.random.default_rng(seed)
    return [random.integers(-100, 100, shape, dtype=np.int32) for g in group.groups for _ in g]


def apply(record, values, **attributes):
    """The record's meaning; its type rule must say the types of what comes out."""
    results = record.group_reference(values, attributes)
    operands = [ArrayType(values[0].shape, values[0].dtype)] if values else []
    (type,) = record.type_rule(operands, attributes, ())
    assert all(r.shape == type.shape and r.dtype == type.dtype for r in results)
    return results


def group_of(group, position):
    """The group that a position is in, and its place there."""
    (members,) = (g for g in group.groups if position in g)
    return members, members.index(position)


examples = settings(deadline=None, max_examples=40)


@examples
@given(groupings(), shapes(), st.sampled_from(sorted(PYTHON)))
def test_all_reduce(group, shape, reduction):
    values = values_for(group, shape)
    results = apply(ops.all_reduce, values, group=group, reduction=reduction)
    for position, result in enumerate(results):
        members, _ = group_of(group, position)
        for index in np.ndindex(*shape):
            expected = functools.reduce(PYTHON[reduction], [int(values[m][index]) for m in members])
            assert int(result[index]) == (expected + 2**31) % 2**32 - 2**31


@examples
@given(groupings(), shapes(), st.data())
def test_all_gather(group, shape, data):
    dimension = data.draw(st.integers(0, len(shape) - 1))
    values = values_for(group, shape)
    for position, result in enumerate(apply(ops.all_gather, values, group=group, dimension=dimension)):
        members, _ = group_of(group, position)
        for place, member in enumerate(members):
            part = np.arange(place * shape[dimension], (place + 1) * shape[dimension])
            np.testing.assert_array_equal(np.take(result, part, axis=dimension), values[member])


@examples
@given(groupings(), st.data(), st.sampled_from(["sum", "max"]))
def test_reduce_scatter_is_a_part_of_all_reduce(group, data, reduction):
    shape = data.draw(shapes(group.size))
    dimension = data.draw(st.integers(0, len(shape) - 1))
    values = values_for(group, shape)
    whole = ops.all_reduce.group_reference(values, {"group": group, "reduction": reduction})
    results = apply(ops.reduce_scatter, values, group=group, reduction=reduction, dimension=dimension)
    length = shape[dimension] // group.size
    for position, result in enumerate(results):
        _, place = group_of(group, position)
        part = np.arange(place * length, (place + 1) * length)
        np.testing.assert_array_equal(result, np.take(whole[position], part, axis=dimension))


@examples
@given(groupings(), st.data())
def test_all_to_all(group, data):
    shape = data.draw(shapes(group.size))
    split, concat = (data.draw(st.integers(0, len(shape) - 1)) for _ in range(2))
    values = values_for(group, shape)
    results = apply(ops.all_to_all, values, group=group, split_dimension=split, concat_dimension=concat)
    length = shape[split] // group.size
    for position, result in enumerate(results):
        members, place = group_of(group, position)
        part = np.arange(place * length, (place + 1) * length)
        sent = [np.take(values[m], part, axis=split) for m in members]
        step = sent[0].shape[concat]
        for i, expected in enumerate(sent):
            got = np.take(result, np.arange(i * step, (i + 1) * step), axis=concat)
            np.testing.assert_array_equal(got, expected)


@examples
@given(groupings(), shapes(), st.data())
def test_permute(group, shape, data):
    count = data.draw(st.integers(0, group.size))
    sources, targets = (data.draw(st.permutations(range(group.size)))[:count] for _ in range(2))
    pairs = tuple(zip(sources, targets, strict=True))
    values = values_for(group, shape)
    for position, result in enumerate(apply(ops.permute, values, group=group, pairs=pairs)):
        members, place = group_of(group, position)
        senders = [members[s] for s, t in pairs if t == place]
        np.testing.assert_array_equal(result, values[senders[0]] if senders else np.zeros(shape))


@examples
@given(groupings(), shapes(), st.data())
def test_broadcast(group, shape, data):
    source = data.draw(st.integers(0, group.size - 1))
    values = values_for(group, shape)
    for position, result in enumerate(apply(ops.broadcast, values, group=group, source=source)):
        np.testing.assert_array_equal(result, values[group_of(group, position)[0][source]])


@examples
@given(groupings())
def test_axis_index(group):
    results = apply(ops.axis_index, [], group=group)
    assert [int(r) for r in results] == [group_of(group, p)[1] for p in range(len(results))]
    assert len(results) == sum(map(len, group.groups))


def test_axis_groups_work_as_well():
    group = AxisGroup((("x", 2), ("y", 2)), ("y",))
    values = [np.float32([i]) for i in range(4)]
    assert [float(r[0]) for r in apply(ops.all_reduce, values, group=group, reduction="sum")] == [1, 1, 5, 5]


@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16])
def test_narrow_floats_are_summed_wide_and_rounded_once(dtype):
    """Large, small, small: each small term alone is lost beside the large one, both together are not."""
    large = dtype(2 / ml_dtypes.finfo(dtype).eps)
    values = [np.array([v], dtype) for v in (large, 1, 1)]
    (result, *rest) = apply(ops.all_reduce, values, group=DeviceGroups(((0, 1, 2),)), reduction="sum")
    assert float(result[0]) == float(large) + 2
    assert all(r.tobytes() == result.tobytes() for r in rest)


def test_floats_are_summed_in_the_order_of_the_group():
    values = [np.float32([v]) for v in (1e8, 1, -1e8)]
    forward = apply(ops.all_reduce, values, group=DeviceGroups(((0, 1, 2),)), reduction="sum")
    other = apply(ops.all_reduce, values, group=DeviceGroups(((0, 2, 1),)), reduction="sum")
    assert {float(r[0]) for r in forward} == {0.0}
    assert {float(r[0]) for r in other} == {1.0}


def test_what_is_not_a_number_stays():
    values = [np.float32([np.nan, 1]), np.float32([1, np.nan])]
    for reduction in ("sum", "prod", "max", "min"):
        assert np.isnan(apply(ops.all_reduce, values, group=PAIR, reduction=reduction)[0]).all()


def test_overflow_wraps_without_a_warning():
    values = [np.int8([100]), np.int8([100])]
    assert apply(ops.all_reduce, values, group=PAIR, reduction="sum")[0] == [-56]
    values = [np.float32([3e38]), np.float32([3e38])]
    assert np.isinf(apply(ops.all_reduce, values, group=PAIR, reduction="sum")[0]).all()


F = ArrayType((4, 3), "float32")


@pytest.mark.parametrize(("record", "operands", "attributes", "match"), [
    (ops.all_reduce, [F, F], {"group": PAIR, "reduction": "sum"}, "operands"),
    (ops.all_reduce, [F], {"group": PAIR}, "reduction"),
    (ops.all_reduce, [F], {"group": PAIR, "reduction": "mean"}, "none of the reductions"),
    (ops.all_reduce, [F], {"group": PAIR, "reduction": "and"}, "not defined for float32"),
    (ops.all_reduce, [F.with_dtype("bool")], {"group": PAIR, "reduction": "sum"}, "not defined for bool"),
    (ops.all_reduce, [F.with_dtype("complex64")], {"group": PAIR, "reduction": "max"}, "not defined for complex64"),
    (ops.all_reduce, [F], {"group": "x", "reduction": "sum"}, "not a group"),
    (ops.all_reduce, [F], {"group": DeviceGroups(()), "reduction": "sum"}, "disjoint"),
    (ops.all_reduce, [F], {"group": DeviceGroups(((0, 1), (1, 2))), "reduction": "sum"}, "disjoint"),
    (ops.all_reduce, [F], {"group": DeviceGroups(((0, 1), (2,))), "reduction": "sum"}, "disjoint"),
    (ops.all_reduce, [F], {"group": AxisGroup((("x", 2),), ("y",)), "reduction": "sum"}, "not axes of its mesh"),
    (ops.all_reduce, [F], {"group": AxisGroup((("x", 2),), ("x", "x")), "reduction": "sum"}, "not axes of its mesh"),
    (ops.all_gather, [F], {"group": PAIR, "dimension": 2}, "not a dimension"),
    (ops.all_gather, [F], {"group": PAIR, "dimension": -1}, "not a dimension"),
    (ops.all_gather, [F.with_shape(())], {"group": PAIR, "dimension": 0}, "not a dimension"),
    (ops.reduce_scatter, [F], {"group": PAIR, "dimension": 1, "reduction": "sum"}, "does not divide"),
    (ops.reduce_scatter, [F], {"group": PAIR, "dimension": 0, "reduction": "or"}, "not defined"),
    (ops.all_to_all, [F], {"group": PAIR, "split_dimension": 1, "concat_dimension": 0}, "does not divide"),
    (ops.all_to_all, [F], {"group": PAIR, "split_dimension": 0, "concat_dimension": 2}, "concat_dimension"),
    (ops.permute, [F], {"group": PAIR, "pairs": ((0, 1), (0, 0))}, "source"),
    (ops.permute, [F], {"group": PAIR, "pairs": ((0, 1), (1, 1))}, "target"),
    (ops.permute, [F], {"group": PAIR, "pairs": ((0, 2),)}, "target"),
    (ops.broadcast, [F], {"group": PAIR, "source": 2}, "source"),
    (ops.axis_index, [F], {"group": PAIR}, "operands"),
])
def test_what_does_not_fit_is_refused(record, operands, attributes, match):
    with pytest.raises(OperandError, match=match):
        record.type_rule(operands, attributes, ())
