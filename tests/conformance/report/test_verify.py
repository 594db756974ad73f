# SPDX-License-Identifier: Apache-2.0
"""Verification: good reports hold, whatever is edited is rejected, and fractions add up to the whole."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from olympus_conformance.outcome import Outcome, Status
from olympus_conformance.report import Report, Result, Suite, WaiverUse, build
from olympus_conformance.report.build import assemble
from olympus_conformance.report.verify import verify

from .support import SUITE, TODAY, WAIVED, make_facts, make_fractions, make_outcomes, make_report, make_suite


def problems(report: Report, suite: Suite = SUITE, today: date = TODAY) -> list[str]:
    return verify({"report.json": report}, suite, today).problems


def test_a_good_report_holds():
    found = verify({"report.json": make_report()}, SUITE, TODAY)
    assert found.ok and found.problems == []
    assert found.notes == [
        "report.json: waiver faults/* until 2027-01-01: 1 results, https://example.org/12"]


def test_a_failed_report_is_authentic_and_not_ok():
    found = verify({"report.json": make_report({"buffers/round_trip[bool]": Status.FAIL})}, SUITE, TODAY)
    assert not found.ok and found.problems == []
    assert "report.json: failed: buffers/round_trip[bool]" in found.notes


def leaves(value: Any, place: tuple = ()) -> list[tuple]:
    """The places of everything in a document that is not a list or a mapping, and of the empty ones."""
    if isinstance(value, dict) and value:
        return [leaf for name, part in value.items() for leaf in leaves(part, (*place, name))]
    if isinstance(value, list) and value:
        return [leaf for i, part in enumerate(value) for leaf in leaves(part, (*place, i))]
    return [place]


DOCUMENT = json.loads(make_report().text())
LEAVES = leaves(DOCUMENT)


def edited(place: tuple, value: Any) -> dict:
    document = json.loads(json.dumps(DOCUMENT))
    target = document
    for step in place[:-1]:
        target = target[step]
    target[place[-1]] = value
    return document


def rejected(document: dict) -> bool:
    """Whether a document is no report, or one with problems."""
    try:
        report = Report.model_validate_json(json.dumps(document))
    except ValidationError:
        return True
    return bool(problems(report))


def changed(value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float)):
        return value + 1
    if isinstance(value, str):
        return f"{value}x"
    return "x" if value is None else ["x"]


@pytest.mark.parametrize("place", LEAVES, ids=lambda place: ".".join(map(str, place)))
def test_no_field_can_be_edited(place):
    value = DOCUMENT
    for step in place:
        value = value[step]
    assert rejected(edited(place, changed(value)))


@settings(deadline=None, max_examples=60)
@given(st.sampled_from(LEAVES), st.one_of(st.none(), st.booleans(), st.integers(-3, 50), st.text(max_size=8),
                                          st.sampled_from([s.value for s in Status] + list(SUITE.tests))))
def test_no_field_can_be_given_another_value(place, value):
    document = edited(place, value)
    assume(document != DOCUMENT)
    try:
        same = json.loads(Report.model_validate_json(json.dumps(document)).text()) == DOCUMENT
    except ValidationError:
        same = False
    assume(not same)  # 1 for True is the same value
    assert rejected(document)


@settings(deadline=None, max_examples=40)
@given(st.sets(st.sampled_from(sorted(SUITE.tests)), min_size=1))
def test_no_result_can_be_removed(gone):
    document = json.loads(json.dumps(DOCUMENT))
    document["results"] = [r for r in document["results"] if r["id"] not in gone]
    assert rejected(document)
    report = build([o for o in make_outcomes() if o.id not in gone], make_facts(), SUITE)
    assert not verify({"r": report}, SUITE, TODAY).ok  # nor can a whole one be built without them


def sealed(results: list[Result], **facts: Any) -> Report:
    """A report that somebody edited with care: everything was computed again."""
    return assemble(results, make_facts(**facts), SUITE)


def some_results(**changes: Result) -> list[Result]:
    return [changes.get(o.id, Result.of(o)) for o in make_outcomes()]


@pytest.mark.parametrize(("extra", "problem"), [
    (Result(id="nobody/knows", status=Status.PASS), "no such test in the suite: nobody/knows"),
    (Result(id="buffers/quick", status=Status.PASS), "more than one result: buffers/quick"),
])
def test_results_that_no_run_has(extra, problem):
    assert problems(sealed([*some_results(), extra])) == [f"report.json: {problem}"]


@pytest.mark.parametrize(("result", "problem"), [
    (Result(id="dlpack/round_trip", status=Status.PASS), "it passed, though what it needs is not declared"),
    (Result(id="buffers/round_trip[bool]", status=Status.WARNING), "a warning, though the requirement is mandatory"),
    (Result(id="buffers/round_trip[bool]", status=Status.WAIVED), "no waiver"),
])
def test_results_that_cannot_be(result, problem):
    assert problems(sealed(some_results(**{result.id: result}))) == [f"report.json: {problem}: {result.id}"]


def test_other_lists_are_rejected():
    fewer = replace(SUITE, lists={"1.0": {**SUITE.lists["1.0"], "minimal": SUITE.lists["1.0"]["minimal"][1:]}})
    found = problems(make_report(suite=fewer))
    assert "report.json: it was judged by other mustpass lists: minimal" in found


def test_waivers_expire():
    assert problems(make_report(), today=date(2027, 1, 1)) == []
    assert problems(make_report(), today=date(2027, 1, 2)) == [f"report.json: an expired waiver: {WAIVED}"]
    old = (replace(make_facts().waivers[0], expires=date(2026, 11, 19)),)
    assert problems(make_report(waivers=old), today=date(2026, 1, 1)) == [
        f"report.json: an expired waiver: {WAIVED}"]


@pytest.mark.parametrize(("change", "problem"), [
    ({"pattern": "buffers/*"}, "a waiver for other tests"), ({"versions": ">=2"}, "a waiver for other versions"),
    ({"versions": "newest"}, "a waiver for other versions"),
    ({"matched": ()}, "no waiver"),
])
def test_waivers_for_something_else(change, problem):
    waivers = (replace(make_facts().waivers[0], **change),)
    assert problems(make_report(waivers=waivers)) == [f"report.json: {problem}: {WAIVED}"]


@pytest.mark.parametrize(("version", "accepted"), [
    ("1.0", True), ("1.1", True), ("1.2", True), ("1.3", False), ("2.0", False),
])
def test_versions_that_count(version, accepted):
    suite = replace(make_suite(version), lists={"1.0": SUITE.lists["1.0"], version: SUITE.lists["1.0"]})
    found = problems(make_report(), suite)
    assert (found == []) is accepted
    if not accepted:
        assert "is not accepted" in found[0]


def test_an_older_report_keeps_results_of_tests_that_are_gone():
    newer = replace(SUITE, version="1.1", tests={i: t for i, t in SUITE.tests.items() if i != "buffers/quick"},
                    lists={**SUITE.lists, "1.1": {}})
    assert problems(make_report(), newer) == []


def test_an_old_report_is_due_for_renewal():
    found = verify({"r": make_report(waivers=(), changes={WAIVED: Status.PASS})}, SUITE, date(2027, 12, 1))
    assert found.ok and found.notes == ["r: it was made on 2026-11-20 and is due for renewal"]


# Fractions


@settings(deadline=None, max_examples=30)
@given(st.integers(1, 20), st.randoms(use_true_random=False))
def test_fractions_add_up_to_the_whole(count, source: random.Random):
    parts = list(make_fractions(count).items())
    source.shuffle(parts)
    found = verify(dict(parts), SUITE, TODAY)
    assert found.ok and found.problems == []
    (merged,) = found.reports.values()
    whole = make_report()
    assert merged.results == whole.results and merged.verdicts == whole.verdicts and merged.counts == whole.counts
    assert merged.facts.waivers == whole.facts.waivers and merged.facts.seconds == 10.0 * count
    assert len(merged.merged) == count and problems(merged) == []


@settings(deadline=None, max_examples=30)
@given(st.integers(2, 9), st.data())
def test_every_fraction_is_needed(count, data):
    parts = make_fractions(count)
    gone = data.draw(st.integers(1, count))
    del parts[f"part-{gone}.json"]
    assert verify(parts, SUITE, TODAY).problems == [f"fractions {gone} of {count} are absent"]


def test_a_failure_in_one_fraction_fails_the_whole():
    outcomes = make_outcomes({"collectives/barrier[2 processes]": Status.FAIL})
    found = verify(make_fractions(3, outcomes), SUITE, TODAY)
    (merged,) = found.reports.values()
    assert found.problems == [] and not found.ok and merged.highest == "single"


@pytest.mark.parametrize(("facts", "problem"), [
    ({"distribution_version": "1.5.0"}, "b: distribution_version is '1.5.0', and '1.4.2' in a"),
    ({"device_kinds": ("acme-10",)}, "b: device_kinds is ('acme-10',), and ('acme-9',) in a"),
    ({"fraction": (2, 3)}, "the run was divided in different ways: into 2, 3 parts"),
    ({"fraction": (1, 2)}, "b: it is fraction 1 of 2, as a is"),
    ({"fraction": (3, 2)}, "b: there is no fraction 3 of 2"),
])
def test_parts_of_different_runs(facts, problem):
    outcomes = make_outcomes({WAIVED: Status.PASS})
    first = build(outcomes[::2], make_facts(fraction=(1, 2), waivers=()), SUITE)
    second = build(outcomes[1::2], make_facts(**{"fraction": (2, 2), "waivers": (), **facts}), SUITE)
    found = verify({"a": first, "b": second}, SUITE, TODAY)
    assert problem in found.problems and not found.ok


def test_parts_that_overlap():
    outcomes = make_outcomes({WAIVED: Status.PASS})
    halves = [build(part, make_facts(fraction=(i, 2), waivers=()), SUITE)
              for i, part in ((1, outcomes[:8]), (2, outcomes[7:]))]
    found = verify(dict(zip("ab", halves, strict=True)), SUITE, TODAY)
    assert found.problems == [f"b: 1 results are in another fraction too, such as {outcomes[7].id}"]


def test_an_unused_waiver_stays_a_problem_of_the_whole():
    unused = WaiverUse("dlpack/*", "", "https://example.org/9", "later", date(2027, 1, 1), (), "it matches nothing")
    outcomes = make_outcomes({WAIVED: Status.PASS})
    parts = {str(i): build(outcomes[i - 1::2], make_facts(fraction=(i, 2), waivers=(unused,)), SUITE) for i in (1, 2)}
    assert "2 fractions: waiver dlpack/*: it matches nothing" in verify(parts, SUITE, TODAY).notes


def test_a_fraction_with_errors_is_told_with_its_outcome():
    failing = Outcome("buffers/quick", Status.ERROR, 0.1, "RuntimeError: no")
    assert make_report({failing.id: failing}).verdicts["minimal"].failed == 1
