# SPDX-License-Identifier: Apache-2.0
"""A certificate is made of verified reports only, holds what they say, and can be checked."""

from __future__ import annotations

import argparse
from datetime import date
from pathlib import Path

import pytest

from olympus_conformance.outcome import Status
from olympus_conformance.report import build, commands
from olympus_conformance.report.certificate import certificate
from olympus_conformance.report.errors import NotCertifiableError

from .support import SUITE, TODAY, WAIVED, make_facts, make_fractions, make_outcomes, make_report


def test_it_says_what_passes_on_what_and_until_when() -> None:
    report = make_report()
    page = certificate("report.json", report, SUITE, TODAY)
    for text in (
        "Platform acme conforms to contract 1.0 of olympus: full", "good until 2027-11-20", "olympus-acme 1.4.2",
        "acme-9", "14 of 14", WAIVED, "the driver is old", "https://example.org/12", "2027-01-01", report.digest,
        "operation:sort, dtype:float64 is not declared: 1 tests", "run --platform acme --profile full",
    ):
        assert text in page, text
    assert page == certificate("report.json", make_report(), SUITE, TODAY)
    assert "<script" not in page and "src=" not in page


def test_texts_of_the_vendor_are_escaped() -> None:
    facts = make_facts(device_kinds=("<b>fast</b>",))
    page = certificate("r", build(make_outcomes(), facts, SUITE), SUITE, TODAY)
    assert "&lt;b&gt;fast" in page and "<b>fast" not in page


def test_a_smaller_profile_has_a_page_of_its_own() -> None:
    outcomes = [o for o in make_outcomes() if SUITE.tests[o.id].profile in ("minimal", "single")]
    facts = make_facts(profile="single", topology=((1, 2),), waivers=())
    page = certificate("r", build(outcomes, facts, SUITE), SUITE, TODAY)
    assert "olympus: single" in page and "nothing: no failure was waived" in page.lower()
    assert "mustpass list full" in page and ">multi</th>" not in page


@pytest.mark.parametrize(("report", "today", "why"), [
    (make_report(quick=True), TODAY, "quick run"),
    (make_report(only=("buffers/*",)), TODAY, "narrowed"),
    (make_report({"buffers/round_trip[int32]": Status.FAIL}), TODAY, r"failed: buffers/round_trip\[int32\]"),
    (build([o for o in make_outcomes() if "barrier" not in o.id], make_facts(), SUITE), TODAY, "1 tests of profile"),
    (make_report().model_copy(update={"highest": "single"}), TODAY, "digest"),
    (make_report(), date(2027, 6, 1), "expired waiver"),
    (make_report(waivers=()), TODAY, "no waiver"),
    (next(iter(make_fractions(3).values())), TODAY, "fraction"),
])
def test_nothing_else_gets_one(report, today: date, why: str) -> None:
    with pytest.raises(NotCertifiableError, match=why) as caught:
        certificate("report.json", report, SUITE, today)
    assert isinstance(caught.value, ValueError) and "report.json" in str(caught.value)


def test_what_is_due_for_renewal_gets_none() -> None:
    outcomes = [o for o in make_outcomes() if o.id != WAIVED] + [
        o for o in make_outcomes({WAIVED: Status.PASS}) if o.id == WAIVED]
    report = build(outcomes, make_facts(waivers=()), SUITE)
    assert certificate("r", report, SUITE, date(2027, 11, 20))
    with pytest.raises(NotCertifiableError, match="due for renewal"):
        certificate("r", report, SUITE, date(2027, 11, 21))


def test_the_command_writes_it_and_checks_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(commands, "installed", lambda: SUITE)
    outcomes = make_outcomes({WAIVED: Status.PASS})
    started = make_facts().started.replace(year=date.today().year)
    facts = make_facts(waivers=(), started=started)
    (tmp_path / "report.json").write_text(build(outcomes, facts, SUITE).text(), "utf-8")
    parser = argparse.ArgumentParser()
    commands.add_commands(parser.add_subparsers())

    def run(*words: object) -> int:
        chosen = parser.parse_args([str(word) for word in words])
        return int(chosen.run(chosen))

    page = tmp_path / "certificate.html"
    assert run("certificate", tmp_path / "report.json") == 0 and page.exists()
    assert run("certificate", tmp_path / "report.json", "--check", page) == 0
    page.write_text(page.read_text("utf-8").replace("14 of 14", "15 of 15"), "utf-8")
    assert run("certificate", tmp_path / "report.json", "--check", page) == 1
    assert "is not the page of" in capsys.readouterr().out
