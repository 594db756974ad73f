# SPDX-License-Identifier: Apache-2.0
"""The arithmetic of the roofline, and its measurement once: that it gives figures, not which."""

from __future__ import annotations

import dataclasses
import json
import sys
from pathlib import Path

import pytest

from benchmarks import machine, roof
from benchmarks.processes import ProgramError
from benchmarks.roof import Demand, Roof

KIB, MIB = 1 << 10, 1 << 20
MACHINE = Roof(
    2, {64 * KIB: 400e9, MIB: 200e9, 256 * MIB: 20e9}, {64 * KIB: 300e9, MIB: 100e9, 256 * MIB: 10e9},
    {"float32": 200e9, "float64": 100e9}, {"L1": 64 * KIB, "L2": 2 * MIB},
)


def test_bandwidth_is_that_of_the_working_set() -> None:
    assert MACHINE.bandwidth(MIB) == pytest.approx(200e9)
    assert MACHINE.bandwidth(KIB) == pytest.approx(400e9)  # below the smallest one
    assert MACHINE.bandwidth(1 << 40) == pytest.approx(20e9)
    # Half of the way in the size's logarithm is half of the way in the time of a byte.
    assert 1 / MACHINE.bandwidth(256 * KIB) == pytest.approx((1 / 400e9 + 1 / 200e9) / 2)


def test_bandwidth_is_between_reading_and_copying() -> None:
    assert MACHINE.bandwidth(MIB, MIB / 2) == pytest.approx(100e9)
    assert MACHINE.bandwidth(MIB, MIB) == pytest.approx(100e9)
    # Two arrays in and one out: as long as one copied and one read.
    assert 1 / MACHINE.bandwidth(3 * KIB, KIB) == pytest.approx((2 / 300e9 + 1 / 400e9) / 3)


def test_smaller_working_set_is_never_slower() -> None:
    disturbed = Roof(2, {KIB: 10e9, MIB: 200e9, 64 * MIB: 20e9}, {KIB: 1e9}, {"float32": 1e9})
    assert disturbed.bandwidth(KIB) == pytest.approx(200e9)


def test_least_time_is_of_the_bytes_or_of_the_arithmetic() -> None:
    moved = MACHINE.least(Demand(256 * MIB, 0, {"float32": 1e6}))
    assert moved.seconds == pytest.approx(256 * MIB / 20e9)
    assert moved.limit == "memory"
    made = MACHINE.least(Demand(MIB, 0, {"float32": 2e9, "float64": 3e9}))
    assert made.seconds == pytest.approx(0.01 + 0.03)
    assert made.limit == "float64"
    # What has no instructions of its own is computed as float32.
    assert MACHINE.least(Demand(0, 0, {"bfloat16": 2e9})).seconds == pytest.approx(0.01)
    assert MACHINE.least(Demand(0, 0)).seconds == 0


@pytest.mark.parametrize(
    ("touched", "level"), [(KIB, "L1"), (64 * KIB, "L1"), (64 * KIB + 1, "L2"), (2 * MIB, "L2"), (3 * MIB, "memory")])
def test_level_is_the_smallest_that_holds_the_working_set(touched: int, level: str) -> None:
    assert MACHINE.level(touched) == level


def test_most_of_two_measurements_counts() -> None:
    one = Roof(2, {1: 10.0, 2: 5.0}, {1: 1.0}, {"float32": 1.0}, {"L1": 1}, frozenset({"float32", "read 1"}))
    other = Roof(2, {1: 8.0, 2: 6.0}, {1: 3.0}, {"float32": 2.0, "bfloat16": 4.0}, {"L1": 1}, frozenset({"read 1"}))
    # What was undisturbed once is known.
    assert one.together(other) == Roof(
        2, {1: 10.0, 2: 6.0}, {1: 3.0}, {"float32": 2.0, "bfloat16": 4.0}, {"L1": 1}, frozenset({"read 1"}))


def test_description_tells_every_level_and_type() -> None:
    assert MACHINE.describe() == (
        "2 threads read (copy) GB/s: L1 400 (300), L2 200 (100), memory 20 (10); "
        "multiply and add GFLOP/s: float32 200, float64 100")
    busy = dataclasses.replace(MACHINE, disturbed=frozenset({"float64", "float32"}))
    assert busy.describe().endswith("; DISTURBED, shares may be too high: float32, float64")


def test_caches_count_once_for_those_that_share_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine.os, "sched_getaffinity", lambda _: {0, 1}, raising=False)
    for processor in (0, 1, 2):
        kinds = (("1", "Data", "32K", str(processor)), ("1", "Instruction", "32K", str(processor)),
                 ("2", "Unified", "1024K", str(processor)), ("3", "Unified", "32768K", "0-2"))
        for k, texts in enumerate(kinds):
            place = tmp_path / f"cpu{processor}" / "cache" / f"index{k}"
            place.mkdir(parents=True)
            for name, text in zip(("level", "type", "size", "shared_cpu_list"), texts, strict=True):
                (place / name).write_text(text + "\n")
    assert machine.caches(tmp_path) == {"L1": 64 * KIB, "L2": 2 * MIB, "L3": 32 * MIB}
    assert machine.caches(tmp_path / "nothing") == {}


def test_other_output_is_no_roof(monkeypatch: pytest.MonkeyPatch) -> None:
    for output in ("", "hello\n", json.dumps({"threads": 2})):
        monkeypatch.setattr(roof, "run_to_end", lambda *_, told=output: (1.0, [told]))
        with pytest.raises(ProgramError, match="printed no roof"):
            roof.measured("python", {})


@pytest.mark.processes
def test_program_measures_every_size_and_type() -> None:
    found = roof.measured(sys.executable, {"L1": 64 * KIB})
    assert found.threads >= 1
    assert min(found.read) <= 64 * KIB
    assert max(found.read) >= 64 * MIB
    assert set(found.read) == set(found.copy)
    assert {"float32", "float64"} <= set(found.flops) <= set(roof.TYPES)
    assert all(rate > 0 for rates in (found.read, found.copy, found.flops) for rate in rates.values())
