# SPDX-License-Identifier: Apache-2.0
"""What a run leaves behind, and how it is taken up again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from olympus_conformance.harness.errors import ResumeError
from olympus_conformance.harness.store import Store
from olympus_conformance.outcome import Outcome, Status

IDENTITY = {"platform": "acme", "distribution": "olympus-acme 1.2", "fraction": (1, 2)}
OUTCOMES = [
    Outcome("a/one", Status.PASS, 0.25),
    Outcome("a/two[x]", Status.TIMEOUT, 3.0, "it hung", trace="line 1\nline 2"),
    Outcome("b/three", Status.FAIL, observed="ä", required="b", program="program f()"),
]


def begun(folder: Path, is_resumed: bool = False, **identity) -> tuple[Store, dict[str, Outcome]]:
    store = Store(folder)
    store.prepare(is_resumed)
    return store, store.begin({**IDENTITY, **identity})


def filled(folder: Path) -> Store:
    store, found = begun(folder)
    assert not found
    for outcome, processes in zip(OUTCOMES, (1, 1, 2), strict=True):
        store.add(outcome, processes, 4 // processes)
    store.keep(12.5)
    return store


def test_outcomes_come_back(tmp_path: Path) -> None:
    first = filled(tmp_path)
    store, found = begun(tmp_path, is_resumed=True)
    assert list(found.values()) == OUTCOMES
    assert (store.started, store.seconds) == (first.started, 12.5)
    assert store.topology == ((1, 4), (2, 2))


def test_without_resume_nothing_is_left_of_another_run(tmp_path: Path) -> None:
    filled(tmp_path)
    (tmp_path / "workers" / "job-001-0.txt").write_text("old")
    (tmp_path / "notes.txt").write_text("somebody's own")
    store, found = begun(tmp_path, platform="other")
    assert not found and not list(store.workers.iterdir())
    assert (tmp_path / "notes.txt").exists()


def test_half_a_line_is_not_an_outcome(tmp_path: Path) -> None:
    filled(tmp_path)
    file = tmp_path / "outcomes.jsonl"
    file.write_text(file.read_text()[:-20])
    assert list(begun(tmp_path, is_resumed=True)[1].values()) == OUTCOMES[:-1]


def test_a_half_line_does_not_spoil_the_next_one(tmp_path: Path) -> None:
    filled(tmp_path)
    file = tmp_path / "outcomes.jsonl"
    file.write_text(file.read_text()[:-20])
    store, _ = begun(tmp_path, is_resumed=True)
    store.add(OUTCOMES[-1], 2, 2)
    assert list(begun(tmp_path, is_resumed=True)[1].values()) == OUTCOMES


def test_another_run_is_not_resumed(tmp_path: Path) -> None:
    filled(tmp_path)
    with pytest.raises(ResumeError, match="distribution was olympus-acme 1.2 and is olympus-acme 1.3") as caught:
        begun(tmp_path, is_resumed=True, distribution="olympus-acme 1.3")
    assert set(caught.value.differences) == {"distribution"}
    assert json.loads((tmp_path / "run.json").read_text())["identity"]["distribution"] == "olympus-acme 1.2"


def test_resuming_where_nothing_is_begins(tmp_path: Path) -> None:
    assert begun(tmp_path / "new", is_resumed=True)[1] == {}
