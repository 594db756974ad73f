# SPDX-License-Identifier: Apache-2.0
"""The oracle of collectives against truths that do not come from it."""

from __future__ import annotations

import math
from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from olympus_conformance import Failed
from olympus_conformance import reference_collectives as reference
from olympus_conformance.reference_collectives import reduced
from olympus_core import dtypes
from olympus_core.toolkit import reduce_members

BFLOAT = np.dtype(ml_dtypes.bfloat16)


@given(st.lists(st.integers(-128, 127), min_size=1, max_size=9), st.sampled_from([np.int8, np.uint8, np.int32]))
@settings(max_examples=60, deadline=None)
def test_integers_wrap_as_python_says(numbers: list[int], dtype: type) -> None:
    bits = 8 * np.dtype(dtype).itemsize
    low = 0 if np.dtype(dtype).kind == "u" else -(1 << (bits - 1))
    values = [np.array([n % (1 << bits)], np.uint64).astype(dtype) for n in numbers]

    def wrapped(n: int) -> int:
        return (n - low) % (1 << bits) + low

    plain = [int(v[0]) for v in values]
    assert int(reduced(values, "sum").value[0]) == wrapped(sum(plain))
    assert int(reduced(values, "prod").value[0]) == wrapped(math.prod(plain))
    assert int(reduced(values, "max").value[0]) == max(plain)
    assert int(reduced(values, "min").value[0]) == min(plain)


@given(st.lists(st.floats(-1e6, 1e6, width=32), min_size=1, max_size=8), st.permutations(range(8)))
@settings(max_examples=80, deadline=None)
def test_every_order_of_additions_is_allowed(numbers: list[float], order: list[int]) -> None:
    values = [np.array([n], np.float32) for n in numbers]
    wanted = reduced(values, "sum")
    assert Fraction(float(wanted.value[0])) == pytest.approx(sum(map(Fraction, numbers)), abs=1e-6)
    total = np.zeros(1, np.float32)
    for i in order:
        if i < len(values):
            total = total + values[i]
    wanted.require(total, "the sum")


@pytest.mark.parametrize("dtype", [d for d in dtypes.ALL if not dtypes.is_bool(d)], ids=str)
@pytest.mark.parametrize("reduction", ["sum", "prod"])
@pytest.mark.parametrize("count", [1, 2, 3, 8])
def test_the_toolkit_holds_what_is_required(dtype: np.dtype, reduction: str, count: int) -> None:
    random = np.random.default_rng(count)
    values = [(random.uniform(0.75, 1.5, 500) * random.choice([-1, 1], 500)).astype(dtype) for _ in range(count)]
    reduced(values, reduction).require(reduce_members(values, reduction), "the reduction")


def test_rounding_towards_zero_is_not_allowed() -> None:
    random = np.random.default_rng(0)
    values = [random.standard_normal(1000).astype(BFLOAT) for _ in range(2)]
    exact = values[0].astype(np.float32) + values[1].astype(np.float32)
    cut = (exact.view(np.uint32) & np.uint32(0xFFFF0000)).view(np.float32).astype(BFLOAT)
    with pytest.raises(Failed):
        reduced(values, "sum").require(cut, "the sum")
    reduced(values, "sum").require(exact.astype(BFLOAT), "the sum")


def test_a_lost_member_and_a_wrong_type_are_found() -> None:
    values = [np.full(4, 1.0 + i, np.float32) for i in range(3)]
    with pytest.raises(Failed):
        reduced(values, "sum").require(values[0] + values[1], "the sum")
    with pytest.raises(Failed, match="dtype"):
        reduced(values, "sum").require(np.full(4, 6.0), "the sum")
    with pytest.raises(Failed, match="shape"):
        reduced(values, "sum").require(np.full((1, 4), 6.0, np.float32), "the sum")


def test_nan_wins() -> None:
    values = [np.array([np.nan, 1.0, 2.0]), np.array([1.0, np.nan, 3.0])]
    assert np.isnan(reduced(values, "max").value).tolist() == [True, True, False]
    assert np.isnan(reduced(values, "min").value).tolist() == [True, True, False]
    with pytest.raises(Failed):
        reduced(values, "max").require(np.fmax(*values), "the maximum")


def test_truth_values() -> None:
    values = [np.array([True, True, False]), np.array([True, False, False])]
    for reduction, wanted in (("and", [1, 0, 0]), ("or", [1, 1, 0]), ("max", [1, 1, 0]), ("min", [1, 0, 0])):
        found = reduced(values, reduction).value
        assert found.dtype == bool
        assert found.tolist() == [bool(w) for w in wanted], reduction


def test_moves_by_hand() -> None:
    values = [np.array([[1, 2], [3, 4]]), np.array([[5, 6], [7, 8]])]
    assert reference.all_gather(values, 1).tolist() == [[1, 2, 5, 6], [3, 4, 7, 8]]
    first, second = reference.all_to_all(values, 0, 1)
    assert (first.tolist(), second.tolist()) == ([[1, 2, 5, 6]], [[3, 4, 7, 8]])
    first, second = reference.permute(values, [(0, 1)])
    assert (first.tolist(), second.tolist()) == ([[0, 0], [0, 0]], [[1, 2], [3, 4]])
    assert reduced(values, "sum").part(1, 1, 2).value.tolist() == [[8], [12]]
