# SPDX-License-Identifier: Apache-2.0
"""The order of reductions: the same for every way of dividing the members."""

from __future__ import annotations

import math
from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from olympus_core.toolkit import combiner, reduce_members, tree_blocks, tree_reduce


@given(st.integers(1, 40), st.data())
@settings(max_examples=100)
def test_blocks_of_all_owners_together_are_all_members(size: int, data: st.DataObject) -> None:
    owners = data.draw(st.lists(st.integers(0, 4), min_size=size, max_size=size))
    blocks = [b for o in set(owners) for b in tree_blocks(size, [i for i in range(size) if owners[i] == o])]
    members = [i for start, stop in blocks for i in range(start, stop)]
    assert sorted(members) == list(range(size))
    values = [np.float32(v) for v in np.random.default_rng(size).standard_normal(size)]
    add = combiner("sum", np.dtype(np.float32))
    parts = {}
    for start, stop in blocks:
        parts[start, stop] = tree_reduce({(i, i + 1): values[i] for i in range(size)}, start, stop, add)
    assert tree_reduce(parts, 0, size, add) == reduce_members([v[...] for v in values], "sum")


def test_one_owner_has_one_block() -> None:
    assert tree_blocks(13, range(13)) == ((0, 13),)
    assert tree_blocks(8, [4, 5, 6, 7]) == ((4, 8),)
    assert tree_blocks(8, [3, 4]) == ((3, 4), (4, 5))


@pytest.mark.parametrize("size", [1, 2, 3, 7, 8, 13])
@pytest.mark.parametrize("name", ["float32", "float16", "bfloat16"])
def test_sums_are_right_to_the_last_places(name: str, size: int) -> None:
    dtype = np.dtype(getattr(ml_dtypes, name, name))
    members = [np.random.default_rng(i).standard_normal(50).astype(dtype) for i in range(size)]
    found = reduce_members(members, "sum")
    assert found.dtype == dtype
    precise = [float(sum(Fraction(float(m[i])) for m in members)) for i in range(50)]
    bound = sum(np.abs(m.astype(np.float64)) for m in members)
    step = float(ml_dtypes.finfo(dtype).eps)
    rounding = step / 2 * np.abs(precise) if name != "float32" else 0
    working = math.ceil(math.log2(size)) * 2.0**-23 * bound if size > 1 else 0
    assert (np.abs(found.astype(np.float64) - precise) <= rounding + working + 1e-30).all()


@pytest.mark.parametrize(("reduction", "values", "expected"), [
    ("max", [1.0, np.nan, 2.0], np.nan), ("min", [1.0, -3.0, 2.0], -3.0), ("prod", [2.0, 3.0, 4.0], 24.0),
])
def test_reductions_of_floats(reduction: str, values: list[float], expected: float) -> None:
    found = reduce_members([np.float32([v]) for v in values], reduction)
    np.testing.assert_array_equal(found, np.float32([expected]))


def test_reductions_of_truth_values_and_bits() -> None:
    members = [np.array([True, False, True]), np.array([True, False, False])]
    assert reduce_members(members, "and").tolist() == [True, False, False]
    assert reduce_members(members, "or").tolist() == [True, False, True]
    assert reduce_members([np.uint8([12]), np.uint8([10])], "and").tolist() == [8]
    assert reduce_members([np.uint8([12]), np.uint8([10])], "or").tolist() == [14]


def test_members_are_left_alone_and_never_handed_out() -> None:
    members = [np.float32([1, 2]), np.float32([3, 4]), np.float32([5, 6])]
    copies = [m.copy() for m in members]
    reduce_members(members, "sum")
    assert all((m == c).all() for m, c in zip(members, copies, strict=True))
    assert reduce_members(members[:1], "sum") is not members[0]


def test_overflow_is_silent_and_integers_wrap() -> None:
    assert reduce_members([np.float32([3e38])] * 2, "sum")[0] == np.inf
    assert reduce_members([np.int8([127]), np.int8([1])], "sum")[0] == -128
