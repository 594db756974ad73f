# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import pytest

from benchmarks import measure
from benchmarks.measure import Setup, at_most, difference, in_turn, quartiles, ratio, run
from benchmarks.processes import ProgramError
from benchmarks.roof import Demand

from .fakes import ROOF, fake_case, fake_result


def test_sides_alternate_and_warmups_are_dropped() -> None:
    log: list[str] = []
    result = run(fake_case({"olympus": [9, 1, 2, 3], "peer": [90, 10, 20, 30]}, log), Setup("", ""))
    assert log == ["olympus", "peer"] * 4 + ["peer closed", "olympus closed"]
    assert result.samples == {"olympus": [1, 2, 3], "peer": [10, 20, 30]}
    assert not result.failures


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_no_side_always_comes_after_the_same_one(count: int) -> None:
    sides = "abcd"[:count]
    order = [side for number in range(12) for side in in_turn(sides, number)]
    for side in sides:
        assert order.count(side) == 12
        before = {order[i - 1] for i in range(1, len(order)) if order[i] == side}
        assert len(before) == min(count, 3) - (count > 1) and (count == 1 or side not in before)


def test_quick_takes_fewer_rounds() -> None:
    result = run(fake_case({"olympus": [9, 1, 2], "peer": [90, 10, 20]}), Setup("", "", quick=True))
    assert result.samples == {"olympus": [1, 2], "peer": [10, 20]}


def test_side_that_fails_is_dropped_and_the_others_go_on() -> None:
    result = run(fake_case({"olympus": [9, 1, "it fell"], "peer": [90, 10, 20, 30]}), Setup("", ""))
    assert result.samples == {"peer": [10, 20, 30]}
    assert result.failures == {"olympus": "it fell"}
    assert result.figure(result.case.bars[0]) is None
    assert result.met(result.case.bars[0]) is None


def test_side_that_does_not_open_is_dropped() -> None:
    result = run(fake_case({"olympus": [9, 1, 2, 3], "peer": ["closed"]}), Setup("", ""))
    assert result.samples == {"olympus": [1, 2, 3]}
    assert result.failures == {"peer": "did not open"}


@pytest.mark.parametrize(
    ("quick", "seconds", "taken"), [(False, 2.5, 4), (True, 7.5, 4), (False, 0.5, 2), (False, 99, 6)]
)
def test_time_ends_the_rounds_but_not_before_the_least(
    quick: bool, seconds: float, taken: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Each look at the clock is a second later; a round of the measured ones looks once.
    ticks = iter(range(1000))
    monkeypatch.setattr(measure.time, "monotonic", lambda: float(next(ticks)))
    case = fake_case({"olympus": range(100)}, rounds=6, quick_rounds=6, warmups=2, least=2, seconds=seconds)
    # The first look is the start; the looks of rounds below the least are not made.
    assert len(run(case, Setup("", "", quick=quick)).samples["olympus"]) == taken


@pytest.mark.parametrize(
    ("bar", "figure", "met"),
    [
        (ratio("olympus", "peer", 0.5), 0.5, True),
        (ratio("olympus", "peer", 0.49), 0.5, False),
        (ratio("olympus", "peer"), 0.5, None),
        (ratio("peer", "olympus", 2), 2.0, True),
        (at_most("olympus", 2, "µs"), 2.0, True),
        (at_most("peer", 2, "µs"), 4.0, False),
        (difference("peer", "olympus", 1.5, "µs"), 2.0, False),
        (ratio("olympus", "nobody", 1.0), None, None),
    ],
)
def test_bars_are_made_of_medians(bar: measure.Bar, figure: float | None, met: bool | None) -> None:
    result = fake_result([1, 2, 100], [4, 3, 50])
    assert result.medians == {"olympus": 2, "peer": 4}
    assert result.figure(bar) == figure
    assert result.met(bar) is met


def test_demand_is_asked_while_the_sides_are_open() -> None:
    log: list[str] = []

    def ask(setup: Setup) -> Demand:
        log.append("asked")
        return Demand(1, 2)

    assert run(fake_case({"olympus": [9, 1, 2, 3]}, log, demand=ask), Setup("", "")).demand == Demand(1, 2)
    assert log[0] == "asked"
    assert run(fake_case({"olympus": [9, 1, 2, 3]}, demand="latency"), Setup("", "")).demand == "latency"


def test_demand_that_cannot_be_counted_is_told() -> None:
    def ask(setup: Setup) -> Demand:
        raise ProgramError("no count is known for sort")

    result = run(fake_case({"olympus": [9, 1, 2, 3]}, demand=ask), Setup("", ""))
    assert result.demand == "not counted: no count is known for sort"
    assert result.share("olympus", ROOF) is None


@pytest.mark.parametrize(("unit", "share"), [("µs", 0.5), ("ms", 0.0005)])
def test_share_is_of_the_median(unit: str, share: float) -> None:
    result = fake_result([1, 2, 300], [4], demand=Demand(1000, 1000), unit=unit)
    assert result.share("olympus", ROOF) == pytest.approx(share)
    assert result.share("numpy", ROOF) is None
    assert result.share("olympus", None) is None


def test_quartiles() -> None:
    assert quartiles([1, 2, 3, 4, 5]) == (2, 4)
    assert quartiles([7]) == (7, 7)
