# SPDX-License-Identifier: Apache-2.0
"""Which tests a run has."""

from __future__ import annotations

import pytest

from olympus_conformance.harness.errors import UsageError
from olympus_conformance.harness.schedule import matches, parse_fraction, schedule
from olympus_conformance.requirement import tests as suite_tests


def ids(*arguments, **named) -> list[str]:
    return [test.id for test in schedule(*arguments, **named)]


def test_the_whole_is_every_test_once_and_few_processes_come_first() -> None:
    chosen = schedule("full")
    assert sorted(test.id for test in chosen) == sorted(test.id for test in suite_tests("full"))
    places = [(test.case.processes, test.requirement.fresh) for test in chosen]
    assert places == sorted(places)


@pytest.mark.parametrize("count", [1, 2, 3, 7])
def test_fractions_make_the_whole_and_share_nothing(count: int) -> None:
    parts = [ids("single", fraction=(i, count)) for i in range(1, count + 1)]
    assert sorted(sum(parts, [])) == sorted(ids("single"))
    assert max(map(len, parts)) - min(map(len, parts)) <= 1
    assert parts == [ids("single", fraction=(i, count)) for i in range(1, count + 1)]


def test_quick_leaves_out_what_says_so() -> None:
    left_out = {test.id for test in suite_tests("full") if not test.case.quick}
    assert set(ids("full", quick=True)) == set(ids("full")) - left_out


def test_quick_leaves_nothing_of_what_takes_long() -> None:
    long = next(test.id for test in suite_tests("full") if not test.case.quick)
    with pytest.raises(UsageError, match="Leave --quick out"):
        schedule(only=[long], quick=True)


def test_profiles_hold_those_before_them() -> None:
    assert set(ids("minimal")) < set(ids("single"))


def test_patterns() -> None:
    assert ids(only=["buffers/round_trip[int32]"]) == ["buffers/round_trip[int32]"]
    every = ids(only=["buffers/round_trip"])
    assert len(every) > 10 and every == ids(only=["buffers/round_trip[*]"])
    assert matches("*[int?]", "buffers/round_trip[int8]") and not matches("*[int?]", "buffers/round_trip[int32]")
    assert not matches("buffers", "buffers/round_trip")
    assert not matches("buffers/round_trip[ab]", "buffers/round_trip[a]")  # brackets are themselves
    assert not matches("buffers.round_trip", "buffers/round_trip")


def test_a_pattern_that_matches_nothing_is_told_with_what_is_near() -> None:
    with pytest.raises(UsageError, match=r"buffers/round_trip"):
        schedule(only=["buffers/rund_trip"])


def test_a_pattern_of_a_larger_profile_says_which() -> None:
    other = next(test for test in suite_tests("full") if test.profile != "minimal")
    with pytest.raises(UsageError, match=f"Add --profile {other.profile}"):
        schedule("minimal", only=[other.id])


@pytest.mark.parametrize("text", ["", "1", "1/", "a/b", "-1/2", "1/2/3"])
def test_fractions_that_cannot_be_read(text: str) -> None:
    with pytest.raises(UsageError, match="I/N"):
        parse_fraction(text)


@pytest.mark.parametrize("fraction", [(0, 3), (4, 3), (1, 0)])
def test_fractions_that_there_are_not(fraction: tuple[int, int]) -> None:
    assert parse_fraction(f"{fraction[0]}/{fraction[1]}") == fraction
    with pytest.raises(UsageError, match="no such fraction"):
        schedule(fraction=fraction)


def test_a_profile_that_there_is_not() -> None:
    with pytest.raises(UsageError, match="minimal, single, multi, full"):
        schedule("everything")
