# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

from benchmarks import plot, summary
from benchmarks.measure import Bar, Result, at_most, ratio

from .fakes import fake_result


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


def test_bar_with_a_heading_stands_under_it_without_a_limit() -> None:
    share = Bar("share", lambda medians: medians["olympus"] / 8, row="shares")
    found = summary.lines([fake_result([2], [4], bars=(ratio("olympus", "peer", 0.5), share)), *results()])
    assert [(line.row, line.figure, line.verdict) for line in found if line.title == "a fake; share"] == [
        ("shares", "0.25", ""),
    ]
    assert summary.count(found).startswith("2 of 5 bars met")


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
