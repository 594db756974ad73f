# SPDX-License-Identifier: Apache-2.0
"""The commands, the lists, the specification and the table."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path

import pytest

from olympus_conformance.outcome import Outcome, Status
from olympus_conformance.report import Suite, build, commands, load, mustpass, specification, table
from olympus_conformance.report.compare import compare
from olympus_conformance.requirement import Test

from .support import SUITE, make_facts, make_fractions, make_outcomes, make_report, requirement


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture):
    """Runs a command with the small suite: its exit status and what it printed."""
    monkeypatch.setattr(commands, "installed", lambda: SUITE)
    parser = argparse.ArgumentParser()
    commands.add_commands(parser.add_subparsers())

    def run(*words: object) -> tuple[int, str]:
        arguments = parser.parse_args([str(word) for word in words])
        status = arguments.run(arguments)
        return status, capsys.readouterr().out

    return run


def saved(report, path: Path) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(report.text(), "utf-8")
    return path


def test_verify(run, tmp_path):
    path = saved(make_report(), tmp_path / "report.json")
    status, said = run("verify", path)
    assert status == 0 and said.splitlines()[0] == f"{path}: platform acme passes full"
    assert said.splitlines()[-1] == "verified" and "  multi    ✓ pass: 10 of 10 held" in said
    path.write_text(path.read_text("utf-8").replace('"pass", "seconds"', '"pass","seconds"').replace("41.5", "40.5"))
    status, said = run("verify", path)
    assert status == 1 and "its digest is not the digest of its content" in said


def test_verify_merges(run, tmp_path):
    parts = [saved(report, tmp_path / name) for name, report in make_fractions(3).items()]
    status, said = run("verify", *parts, "--output", tmp_path / "whole")
    assert status == 0 and f"wrote {tmp_path / 'whole' / 'report.html'}" in said
    assert run("verify", tmp_path / "whole" / "report.json")[0] == 0
    status, said = run("verify", *parts[1:], "--output", tmp_path / "half")
    assert status == 1 and "rejected: fractions 1 of 3 are absent" in said and not (tmp_path / "half").exists()


def test_compare(run, tmp_path):
    slow = Outcome("copies/between", Status.PASS, 9.0)
    fixed = Outcome("buffers/quick", Status.FAIL, 1.0)
    before = make_report({fixed.id: fixed, slow.id: replace(slow, seconds=1.0)})
    after = make_report({
        slow.id: slow, "collectives/barrier[2 processes]": Status.TIMEOUT, "dlpack/round_trip": Status.PASS})
    changed = compare(before, after)
    assert changed.broken == ("collectives/barrier[2 processes]",) and changed.mended == ("buffers/quick",)
    assert changed.supported == ("dlpack/round_trip",) and changed.slower == (("copies/between", 1.0, 9.0),)
    assert changed.is_worse and not compare(before, before).is_worse and changed.lost == changed.added == ()
    back = compare(after, before)
    assert back.lost == ("dlpack/round_trip",) and back.slower == ()
    fewer = build(make_outcomes()[1:], make_facts(), SUITE)
    assert compare(make_report(), fewer).lost == (make_outcomes()[0].id,)
    assert compare(fewer, make_report()).added == (make_outcomes()[0].id,)
    paths = [saved(report, tmp_path / name) for name, report in (("a.json", before), ("b.json", after))]
    status, said = run("compare", *paths)
    assert status == 1 and "fails now: 1\n  collectives/barrier[2 processes]\n" in said
    assert "  copies/between: 1.00 s before, 9.00 s now" in said
    assert run("compare", paths[0], paths[0])[0] == 0


def test_a_little_slower_is_the_machines_mood():
    quick = [make_report({"copies/between": Outcome("copies/between", Status.PASS, s)}) for s in (0.01, 0.4, 0.79)]
    assert compare(quick[0], quick[1]).slower == () and compare(quick[1], quick[2]).slower == ()


def test_mustpass_lists(run, tmp_path, monkeypatch):
    lists = mustpass.expected(SUITE.tests.values(), "1.0")
    paths = mustpass.write(lists, "1.0", tmp_path)
    mustpass.write({"minimal": ("a/b",)}, "1.10", tmp_path)
    mustpass.write({"minimal": ("a/b",)}, "1.9", tmp_path)
    assert [path.name for path in paths] == ["minimal.txt", "single.txt", "multi.txt", "full.txt"]
    again = mustpass.read_all(tmp_path)
    assert list(again) == ["1.0", "1.9", "1.10"] and again["1.0"] == lists
    assert "operations/result[sort,float32]" in lists["full"] and "operations/result[add,float32]" in lists["single"]
    assert sum(map(len, lists.values())) == len(SUITE.tests)
    fewer = {**lists, "multi": lists["multi"][1:], "full": (*lists["full"], "x/y")}
    assert mustpass.differences(fewer, lists) == [
        "multi: + collectives/all_reduce[sum,float32,2 processes]", "full: - x/y"]
    assert mustpass.differences(lists, lists) == [] and mustpass.digests(lists) != mustpass.digests(fewer)
    assert mustpass.digests({"minimal": ("b", "a")}) == mustpass.digests({"minimal": ("a", "b")})
    assert run("mustpass", "--check") == (0, "")
    monkeypatch.setattr(commands, "installed", lambda: replace(SUITE, lists={"1.0": fewer}))
    status, said = run("mustpass", "--check")
    assert status == 1 and "full: - x/y" in said


def test_what_came_later_is_in_no_older_list():
    later = requirement("buffers/later", "It MUST be.", "minimal", since="1.1")
    tests = [*SUITE.tests.values(), Test(later, later.cases[0])]
    assert mustpass.expected(tests, "1.0") == SUITE.lists["1.0"]
    assert "buffers/later" in mustpass.expected(tests, "1.1")["minimal"]


def test_specification(tmp_path):
    spec, profiles = specification.specification(SUITE), specification.profiles(SUITE)
    assert "Version 1.0 of the suite: 8 requirements, 14 tests." in spec
    for test in SUITE.tests.values():
        assert f"### {test.requirement.name}\n\n{test.requirement.statement}\n" in spec
        assert not test.case.name or f"`{test.case.name}`" in spec
    assert "*Needs:* the element type in the case's name." in spec
    assert "*Needs:* some: `multi_process`, jobs of several processes" not in spec.partition("### collectives/barr")[2]
    assert "| multi | communicators" not in profiles and "| [multi](#multi) | communicators" in profiles
    assert "| 2 | 5 | 5 |" in profiles and "| 3 | 4 | 14 |" in profiles
    assert "Has to be declared: element types `bool`, `float32`, `int32`, `uint32`." in profiles
    assert "Has to be declared besides: `multi_process`" in profiles
    assert specification.outdated(SUITE, tmp_path) == ["SPEC.md", "PROFILES.md"]
    specification.write(SUITE, tmp_path)
    assert specification.outdated(SUITE, tmp_path) == []
    (tmp_path / "SPEC.md").write_text(spec + "x")
    assert specification.outdated(SUITE, tmp_path) == ["SPEC.md"]


def test_table(run, tmp_path):
    folder, page = tmp_path / "reports", tmp_path / "platforms.md"
    saved(make_report(), folder / "acme.json")
    outcomes = [o for o in make_outcomes() if SUITE.tests[o.id].profile == "minimal"]
    saved(build(outcomes, make_facts(platform="aaa", profile="minimal", waivers=()), SUITE), folder / "aaa.json")
    words = ("table", "--reports", folder, "--page", page)
    assert run(*words, "--check")[0] == 1
    assert run(*words, "--write")[0] == 0 and run(*words, "--check") == (0, "")
    rows = [line for line in page.read_text("utf-8").splitlines() if line.startswith("| [")]
    assert rows[0] == (
        "| [acme](reports/acme.json) | olympus-acme 1.4.2 | acme-9 (1 x 2, 2 x 2, 4 x 2) | **full** | 14 | 4 | 0 | 1 "
        "| 1.0 | 2026-11-20 | 2027-11-20 |")
    assert rows[1].startswith("| [aaa](reports/aaa.json)") and "| **minimal** | 5 " in rows[1]
    saved(make_report(quick=True), folder / "quick.json")
    status, said = run(*words, "--write")
    assert status == 1 and "rejected: quick.json: it cannot be submitted: it is a quick run" in said


def test_table_keeps_reports_of_versions_that_are_too_old():
    newer = Suite("2.0", SUITE.tests, SUITE.lists)
    reports = {"acme.json": make_report()}
    assert table.problems(reports, newer) == []
    assert "| to be renewed |" in table.table(reports, newer, "reports", "SUBMITTING.md")


def test_schema(run, tmp_path):
    status, said = run("schema")
    assert status == 0 and json.loads(said)["properties"]["facts"]
    assert run("schema", "--output", tmp_path / "schema.json")[0] == 0
    assert json.loads((tmp_path / "schema.json").read_text("utf-8")) == json.loads(said)


def test_a_written_report_is_read_again(tmp_path):
    assert load(saved(make_report(), tmp_path / "r.json")).digest == make_report().digest
