# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import report
from benchmarks.measure import at_most, ratio
from benchmarks.roof import Demand

from .fakes import ROOF, fake_result


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.01234, "0.012"), (0.5, "0.5"), (1.0, "1"), (3.456, "3.46"), (12.34, "12.3"), (99.96, "100"), (123.4, "123"),
     (12345.6, "12346"), (-2.5, "-2.5"), (0.0, "0")],
)
def test_numbers_have_three_digits_that_count(value: float, text: str) -> None:
    assert report.number(value) == text


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [(1.5, "µs", "1.5 µs"), (1500, "µs", "1.5 ms"), (2_500_000, "µs", "2.5 s"), (1200, "ms", "1.2 s"),
     (5000, "s", "5000 s"), (2048, "MiB", "2048 MiB"), (-1500, "µs", "-1.5 ms")],
)
def test_amounts_are_in_the_unit_that_people_would_choose(value: float, unit: str, text: str) -> None:
    assert report.amount(value, unit) == text


def test_table_tells_medians_bars_and_failures() -> None:
    bars = (ratio("olympus", "peer", 0.4), ratio("olympus", "peer"))
    text = report.table(fake_result([1, 2, 3], [4, 4, 4], bars=bars))
    assert "2 µs quartiles 1.5 µs to 2.5 µs, least 1 µs, 3 rounds" in text
    assert "olympus / peer = 0.5; bar: at most 0.4; MISSED" in text
    assert text.endswith("olympus / peer = 0.5")
    failed = report.table(fake_result([1, 2, 3], [], bars=(ratio("olympus", "peer", 0.4), at_most("olympus", 2, "µs"))))
    assert "peer           FAILED\n    it fell\n    and more" in failed
    assert "olympus / peer = not measured; bar: at most 0.4; open" in failed
    assert "olympus = 2 µs; bar: at most 2 µs; met" in failed


def test_table_and_data_tell_the_share_of_the_roof() -> None:
    result = fake_result([2], [4], demand=Demand(1000, 1000))
    assert report.table(result, ROOF).endswith(
        "  at least 1 µs (memory); share of the roof: olympus 0.5, peer 0.25; goal: 0.85; a ratio below 0.25 is past "
        "the roof")
    assert "roof" not in report.table(result)
    data = report.as_data({}, [result, fake_result([2], [4], demand="latency")], ROOF)
    assert data["measured roof"]["flops"] == {"float32": 1e9}
    found, none = (row["roof"] for row in data["benchmarks"])
    assert found["shares"] == pytest.approx({"olympus": 0.5, "peer": 0.25})
    assert found["demand"] == {"read": 1000, "written": 1000, "flops": {}}
    assert none == {"none": "latency"}


def test_data_survive_being_written(tmp_path: Path) -> None:
    data = report.as_data({"machine": "one"}, [fake_result([1, 2, 3], [4, 4, 4], row="things")])
    path = report.write(tmp_path / "out", "figures", "text", data)
    assert path.read_text() == "text\n"
    back = json.loads(path.with_suffix(".json").read_text())
    assert back["machine"] == "one"
    (one,) = back["benchmarks"]
    assert one["row"] == "things"
    assert one["samples"] == {"olympus": [1, 2, 3], "peer": [4, 4, 4]}
    assert one["bars"] == [{"text": "olympus / peer", "figure": 0.5, "limit": 0.5, "unit": "", "met": True}]
