# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

from benchmarks import plot, summary
from benchmarks.measure import Result, at_most, ratio
from benchmarks.roof import Demand

from .fakes import ROOF, fake_result


def results() -> list[Result]:
    return [
        fake_result([1, 2, 3], [4, 4, 4], name="fast", title="fast & small", row="one"),
        fake_result([40, 40], [4, 4], name="slow", row="two"),
        fake_result([1], [], name="alone", row="one"),
        fake_result([5], [10], name="free", row="two", bars=(ratio("olympus", "peer"), at_most("olympus", 4, "µs"))),
    ]


def test_lines_stand_under_their_headings() -> None:
    found = summary.lines(results())
    assert [(line.name, line.row) for line in found] == [
        ("fast", "one"), ("alone", "one"), ("slow", "two"), ("free", "two"), ("free", "two"),
    ]
    assert [line.verdict for line in found] == ["met", "FAILED", "MISSED", "", "MISSED"]
    assert [line.figure for line in found] == ["0.5 ±25%", "", "10 ±0%", "0.5", "5 µs"]
    assert [line.ratio for line in found] == [True, True, True, True, False]
    assert found[0].olympus == "2 µs ±25%"
    assert found[1].olympus == "1 µs"
    assert found[1].peer == "failed: it fell"
    assert found[0].numpy == ""
    assert found[4].title == "a fake; olympus"
    assert summary.count(found) == "1 of 4 bars met, 2 missed, 1 without a figure"


def test_further_bar_without_a_limit_has_no_line() -> None:
    found = summary.lines([fake_result([2], [4], bars=(ratio("olympus", "peer"), ratio("peer", "olympus")))])
    assert [line.title for line in found] == ["a fake"]


def test_shares_of_the_roof_stand_in_the_table() -> None:
    reached = fake_result([2], [4], name="near", demand=Demand(1000, 1000))  # 1 µs at least
    far = fake_result([10], [20], name="far", demand=Demand(0, 0, {"float32": 2000}))  # 2 µs at least
    near, distant, none = summary.lines([reached, far, fake_result([1], [2])], ROOF)
    assert near.shares == ("0.5 memory", "0.25")
    assert distant.shares == ("0.2 float32", "0.1")
    assert none.shares == ("", "")
    assert summary.lines([reached])[0].share is None
    quick = fake_result([1.1], [4], bars=(ratio("olympus", "peer", 0.5), at_most("olympus", 1, "µs")))
    quick.demand = Demand(1000, 1000)
    lines = summary.lines([quick, far], ROOF)
    assert [line.share is None for line in lines] == [False, True, False]  # once for each row
    assert summary.count(lines).endswith("; 1 of 2 rows with a roof reach 0.85 of it")
    told = summary.markdown(lines).splitlines()
    assert told[0] == "| other | olympus | peer | NumPy | olympus / peer | bar | of the roof (0.85) | peer's |"
    assert told[2].endswith("| 0.91 memory | 0.25 |")
    assert "0.91 memory" in summary.terminal(lines, {})
    assert "roof" not in summary.terminal(summary.lines([quick]), {})


def test_plot_marks_the_roof() -> None:
    quick = fake_result([1.1], [4], demand=Demand(1000, 1000))
    far = fake_result([10], [20], demand=Demand(0, 0, {"float32": 2000}))
    root = ElementTree.fromstring(plot.plot(summary.lines([quick, far, fake_result([1], [2])], ROOF), "marks"))
    marks = root.findall(".//{*}path")
    assert [mark.get("class") for mark in marks] == ["roof reached", "roof"]
    # The ratio that olympus would have at the roof: 2 µs of the peer's 20.
    middle = float(marks[1].get("d", "").split("L")[1].split()[0])
    assert middle == pytest.approx(plot.Axis([0.1, 0.5]).x(0.1), abs=0.1)


def test_terminal_and_markdown_hold_every_line() -> None:
    found = summary.lines(results())
    text = summary.terminal(found, {"machine": "of today"})
    assert text.startswith("machine: of today\n")
    for name in ("fast", "alone", "slow", "free"):
        assert name in text
    assert "MISSED" in text
    told = summary.markdown(found).splitlines()
    assert "| fast & small | 2 µs ±25% | 4 µs ±0% |  | 0.5 ±25% | 0.5: met |" in told
    assert "| a fake | 40 µs ±0% | 4 µs ±0% |  | 10 ±0% | 0.5: missed |" in told
    assert sum(line.startswith("|---") for line in told) == 2
    assert all(line.count("|") in (0, 7) for line in told)


def test_plot_is_well_formed_and_draws_each_ratio() -> None:
    root = ElementTree.fromstring(plot.plot(summary.lines(results()), "machine <one>"))
    texts = ["".join(element.itertext()) for element in root.findall(".//{*}text")]
    assert "machine <one>" in texts
    assert "fast & small" in texts
    bars = [element for element in root.findall(".//{*}rect") if element.get("fill") != "white"]
    # `alone` has no ratio, and the second bar of `free` is none.
    assert [bar.get("fill") for bar in bars] == [plot._COLOURS[v] for v in ("met", "MISSED", "")]
    one = plot.Axis([0.5, 10]).x(1.0)
    left, right = (float(bar.get("x", "")) for bar in bars[:2])
    assert left < right == pytest.approx(one, abs=0.1)
    assert left + float(bars[0].get("width", "")) == pytest.approx(one, abs=0.1)
    assert sum(element.get("class") == "limit" for element in root.findall(".//{*}line")) == 2


def test_axis_is_logarithmic() -> None:
    axis = plot.Axis([0.02, 30.0])
    assert axis.ticks() == pytest.approx([0.01, 0.1, 1, 10, 100])
    places = [axis.x(tick) for tick in axis.ticks()]
    steps = [b - a for a, b in zip(places, places[1:], strict=False)]
    assert steps == pytest.approx([steps[0]] * 4)
    assert plot.Axis([1.0]).ticks() == pytest.approx([0.1, 1])


def test_plot_of_nothing_is_well_formed() -> None:
    ElementTree.fromstring(plot.plot([], "nothing"))
