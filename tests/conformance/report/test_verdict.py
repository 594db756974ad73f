# SPDX-License-Identifier: Apache-2.0
"""Verdicts: what passes, fails, or is incomplete, and what keeps a report from being submitted."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from olympus_conformance.outcome import Outcome, Status
from olympus_conformance.report import (
    Declared,
    Git,
    MustpassError,
    Report,
    ReportFileError,
    UnknownTestError,
    build,
    json_schema,
    load,
)
from olympus_conformance.report.words import conclusion, headline, rerun

from .support import SUITE, WAIVED, make_facts, make_outcomes, make_report, make_suite


def rulings(report: Report) -> list[str]:
    return [report.verdicts[profile].ruling for profile in ("minimal", "single", "multi", "full")]


def test_a_good_run_passes_everything():
    report = make_report()
    assert rulings(report) == ["pass"] * 4
    assert report.highest == "full" and report.submittable and headline(report) == "passes full"
    full = report.verdicts["full"]
    assert (full.listed, full.held, full.failed, full.missing) == (14, 14, 0, 0)
    assert (full.not_supported, full.skipped, full.warnings, full.waived) == (4, 0, 0, 1)
    assert report.counts == {
        "pass": 9, "fail": 0, "not supported": 4, "waived": 1, "warning": 0, "error": 0, "timeout": 0}


@pytest.mark.parametrize("status", [Status.FAIL, Status.ERROR, Status.TIMEOUT])
@pytest.mark.parametrize(("identifier", "expected"), [
    ("buffers/round_trip[int32]", ["fail"] * 4),
    ("collectives/barrier[2 processes]", ["pass", "pass", "fail", "fail"]),
])
def test_a_failure_fails_its_profile_and_those_above(status, identifier, expected):
    report = make_report({identifier: status})
    assert rulings(report) == expected
    assert headline(report) == ("fails minimal" if expected[0] == "fail" else "passes single, fails multi")


def test_a_warning_and_a_waiver_pass_and_are_counted():
    report = make_report({"buffers/quick": Status.WARNING})
    assert report.verdicts["minimal"].ruling == "pass" and report.verdicts["minimal"].warnings == 1
    assert report.verdicts["full"].waived == 1


def test_a_missing_result_is_incomplete_and_counted():
    outcomes = [o for o in make_outcomes() if not o.id.startswith("collectives/")]
    report = build(outcomes, make_facts(), SUITE)
    assert rulings(report) == ["pass", "pass", "incomplete", "incomplete"]
    assert report.verdicts["multi"].missing == 3
    assert report.obstacles == ("3 tests of profile full have no result",)
    assert headline(report) == "passes single, the rest is incomplete"


def test_only_a_whole_profile_is_a_pass_and_says_what_was_not_clean():
    report = make_report()
    assert conclusion(report, True) == "PASS: profile full, 1 waived, 4 not supported"
    assert conclusion(report, False) == "FAIL"
    quick = build(make_outcomes(), make_facts(quick=True), SUITE)
    assert conclusion(quick, True) == "PASS: profile full, 1 waived, 4 not supported (--quick)"
    some = [o for o in make_outcomes() if not o.id.startswith("collectives/")]
    for facts, because in (
        ({"quick": True}, " (--quick)"), ({"only": ("x",)}, " (--only)"), ({}, ""),
        ({"quick": True, "fraction": (1, 2)}, " (--quick, --fraction)"),
    ):
        said = conclusion(build(some, make_facts(**facts), SUITE), True)
        assert said == f"INCOMPLETE: no failure, but 3 of 14 tests of profile full were not run{because}"


def test_a_failure_says_more_than_a_missing_result():
    outcomes = [o for o in make_outcomes({"faults/killed[4 processes]": Status.FAIL}) if "barrier" not in o.id]
    assert rulings(build(outcomes, make_facts(), SUITE)) == ["pass", "pass", "incomplete", "fail"]


def test_not_supported_does_not_count_for_what_is_declared():
    lie = Outcome("buffers/round_trip[int32]", Status.NOT_SUPPORTED, reason="dtype:int32 is not declared")
    assert rulings(make_report({lie.id: lie})) == ["fail"] * 4


def test_not_supported_does_not_count_for_what_the_profile_requires():
    declared = replace(make_facts().capabilities, multi_process=False)
    changes = {i: Outcome(i, Status.NOT_SUPPORTED, reason="multi_process is not declared")
               for i, test in SUITE.tests.items() if "multi_process" in test.case.needs}
    assert rulings(make_report(changes, capabilities=declared)) == ["pass", "pass", "fail", "fail"]


def test_devices_are_a_matter_of_the_machine():
    few = Outcome("copies/between", Status.NOT_SUPPORTED, reason="devices:2 is not declared")
    alone = make_report({few.id: few}, topology=((1, 1),))
    assert alone.verdicts["single"].ruling == "pass" and alone.verdicts["single"].skipped == 1
    assert make_report({few.id: few}).verdicts["single"].ruling == "fail"  # there were two
    reason = Outcome("buffers/quick", Status.NOT_SUPPORTED, reason="the clock is too coarse")
    assert make_report({reason.id: reason}).verdicts["minimal"].skipped == 1


@pytest.mark.parametrize(("facts", "reason"), [
    ({"quick": True}, "quick"), ({"only": ("buffers/*",)}, "narrowed"), ({"timeout_factor": 9.0}, "time limits"),
    ({"git": Git("0" * 40, True)}, "changes"), ({"distribution_version": ""}, "unknown"),
])
def test_obstacles(facts, reason):
    report = make_report(**facts)
    assert not report.submittable and reason in report.obstacles[0]


def test_a_fraction_is_no_obstacle():
    report = build(make_outcomes()[::2], make_facts(fraction=(1, 2)), SUITE)
    assert report.submittable and report.verdicts["full"].missing == 7


def test_a_smaller_profile_is_judged_by_its_own_lists():
    outcomes = [o for o in make_outcomes() if SUITE.tests[o.id].profile in ("minimal", "single")]
    report = build(outcomes, make_facts(profile="single"), SUITE)
    assert rulings(report) == ["pass", "pass", "incomplete", "incomplete"]
    assert report.submittable and headline(report) == "passes single"


def test_what_cannot_be_built():
    with pytest.raises(UnknownTestError, match="nobody/knows"):
        build([Outcome("nobody/knows", Status.PASS)], make_facts(), SUITE)
    with pytest.raises(MustpassError, match=r"2\.7"):
        build(make_outcomes(), make_facts(suite_version="2.7"), make_suite("2.7"))


def test_it_survives_its_file(tmp_path):
    report = make_report({"buffers/quick": Outcome("buffers/quick", Status.WARNING, 0.1, "", "slow", "fast", "p", "t")})
    path = tmp_path / "report.json"
    path.write_text(report.text(), "utf-8")
    again = load(path)
    assert again == report and again.computed_digest() == report.digest
    assert json.loads(report.text())["schema_version"] == 1
    assert sum(line.startswith('  {"id"') for line in report.text().splitlines()) == len(report.results)


@pytest.mark.parametrize(("text", "problem"), [
    ("{", "Invalid JSON"), ("{}", "facts: Field required"), ('{"schema_version": 2}', "schema_version"),
])
def test_what_is_no_report(tmp_path, text, problem):
    path = tmp_path / "report.json"
    path.write_text(text)
    with pytest.raises(ReportFileError, match=problem):
        load(path)
    with pytest.raises(ReportFileError, match="No such file"):
        load(tmp_path / "absent.json")


def test_the_schema_forbids_what_it_does_not_name():
    schema = json_schema()
    assert schema["additionalProperties"] is False
    assert all(part.get("additionalProperties") is False for name, part in schema["$defs"].items() if name != "Status")


def test_the_declaration_of_a_client():
    import ml_dtypes
    import numpy as np

    from olympus_core.plugin import Capabilities

    declared = Declared.of(Capabilities(frozenset({np.dtype("bool"), np.dtype(ml_dtypes.bfloat16)}), donation=True))
    assert declared == Declared(("bfloat16", "bool"), None, donation=True)
    assert declared.has("operation:sort") and declared.has("dtype:bool") and declared.has("donation")
    assert not declared.has("dtype:int8") and not declared.has("dlpack")


def test_the_command_that_runs_one_test():
    report = make_report(launcher="srun -n {n}")
    assert rerun(report, WAIVED) == (
        "olympus-conformance run --platform acme --only 'faults/killed[4 processes]' --launcher 'srun -n {n}'")
