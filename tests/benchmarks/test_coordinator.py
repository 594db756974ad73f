# SPDX-License-Identifier: Apache-2.0
"""The benchmark of the coordinator, in small: a real coordinator, and light clients that are real members to it."""

from __future__ import annotations

import pytest

from benchmarks.coordinator import Phase, main, measure, missed
from benchmarks.programs.light_clients import value_of


def test_a_job_of_light_clients_comes_to_its_end() -> None:
    phases = measure(24, meetings=2)
    assert [phase.name for phase in phases] == [
        "join", "meeting", "2 meetings", "straggler asked about", "all warned of it", "straggler comes", "end",
        "join again", "failure told to all",
    ]
    assert all(phase.seconds > 0 and phase.peak > 0 and phase.coordinator >= 0 for phase in phases)
    # The job that failed has told process 0, too; the one before has not failed.
    assert [i for i, phase in enumerate(phases) if "error" in phase.facts[0]] == []


def _phase(name: str, seconds: float, peak: float) -> Phase:
    return Phase(name, seconds, 0.0, 0.0, peak, 0.0, [])


def test_bars_that_are_missed_are_told() -> None:
    good = [_phase("join", 0.4, 50), _phase("meeting", 0.3, 60), _phase("straggler asked about", 0.2, 70)]
    assert missed(1000, [*good, _phase("10 meetings", 5.0, 80)]) == []
    assert missed(24, [_phase("join", 99.0, 50)]) == []
    slow, large = missed(1000, [*good[:2], _phase("straggler asked about", 0.4, 301)])
    assert "1.10 s, the bar is 1 s" in slow and "301 MiB" in large


def test_values_are_of_three_kinds() -> None:
    assert value_of(3, "barrier") == b"" and value_of(3, "equal") == value_of(4, "equal") != b""
    assert len({value_of(process, "own") for process in range(10_000)}) == 10_000


def test_the_command_runs_what_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[tuple[str, int]] = []
    monkeypatch.setattr("benchmarks.coordinator.machine.describe", lambda *_: {"machine": "this one"})
    monkeypatch.setattr("benchmarks.coordinator.measure", lambda count, _: ran.append(("clients", count)) or [
        _phase("join", 0.1, 400.0 if count == 7 else 1.0)])
    monkeypatch.setattr("benchmarks.coordinator.run_tutorial", lambda count: ran.append(("processes", count)) or [])
    assert main(["--clients", "3"]) == 0 and main(["--clients", "7"]) == 1 and main(["--processes", "128"]) == 0
    assert main([]) == 0
    assert ran == [("clients", 3), ("clients", 7), ("processes", 128), *(("clients", n) for n in (1000, 5000, 10000))]
