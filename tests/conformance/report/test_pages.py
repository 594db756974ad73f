# SPDX-License-Identifier: Apache-2.0
"""The written forms: each well-formed, complete, and safe whatever a platform says."""

from __future__ import annotations

import json
from dataclasses import replace
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from olympus_conformance.outcome import Outcome, Status
from olympus_conformance.report import build, load, mustpass, write
from olympus_conformance.report.badge import badge_json, badge_svg
from olympus_conformance.report.html import page
from olympus_conformance.report.junit import junit
from olympus_conformance.report.markdown import markdown
from olympus_conformance.report.matrix import ANY, matrices, worst
from olympus_conformance.report.schema import Result
from olympus_conformance.report.suite import Suite
from olympus_conformance.requirement import Case, Test
from olympus_core import dtypes, ops

from .support import SUITE, make_facts, make_outcomes, make_report, requirement

HOSTILE = Outcome(
    "collectives/all_reduce[sum,float32,2 processes]", Status.FAIL, 0.5, observed="<b>bold</b> & \x00\x1b[31m \ud800",
    required="]]> </script>", program="program <&>\n" * 2000, trace="``` | `")
CHANGES = {
    HOSTILE.id: HOSTILE, "buffers/quick": Outcome("buffers/quick", Status.WARNING, 0.1, "", "3 | 4 s", "1 s"),
    "faults/killed[4 processes]": Outcome("faults/killed[4 processes]", Status.TIMEOUT, 30.0, "not done", trace="here"),
}
REPORT = make_report(CHANGES)
VOID = {"meta", "input", "br", "rect"}


class Page(HTMLParser):
    """Checks that tags are closed in order, and gathers what the tests ask for."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.text: list[str] = []
        self.links: list[str] = []
        self.ids: list[str] = []
        self.cells = 0
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        held = dict(attributes)
        assert "src" not in held and not any(name.startswith("on") for name in held)
        self.links += [held["href"]] if "href" in held else []
        self.ids += [held["id"]] if "id" in held else []
        self.cells += tag == "td" and "title" in held
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


def test_every_form_is_written(tmp_path):
    paths = write(REPORT, tmp_path / "out", SUITE)
    assert {path.name for path in paths} == {
        "report.json", "report.html", "report.md", "junit.xml", "badge.json", "badge.svg"}
    assert load(tmp_path / "out" / "report.json") == REPORT


def test_the_page_needs_nothing_else_and_holds_everything():
    text = page(REPORT, SUITE)
    read = Page(text)
    words = " ".join(read.text)
    for name in {test.requirement.name for test in SUITE.tests.values()}:
        assert name in words
    assert "<b>bold</b> & " in words and "]]> </script>" in words  # as text, not as tags
    assert len(read.ids) == len(set(read.ids))
    assert all(link[1:] in read.ids for link in read.links if link.startswith("#"))
    assert [link for link in read.links if not link.startswith("#")] == ["https://example.org/12"]
    assert "url(h" not in text and "@import" not in text and "prefers-color-scheme: dark" in text
    assert words.index("fails multi") < words.index("Failures (2)") < words.index("All tests (14)")
    assert "olympus-conformance run --platform acme --only 'faults/killed[4 processes]'" in words
    assert "Survivors MUST get an error." in words and "The trace" in words
    assert text.count("program <&>") == 0 and text.count("program &lt;&amp;&gt;") < 1000  # clipped


def test_the_page_of_a_good_run():
    read = Page(page(make_report(), SUITE))
    assert "None." in read.text and "Not submittable:" not in read.text
    assert read.cells == 4 + 3 + 3  # element types of buffers, of operations, of collectives


def test_a_link_that_is_no_web_address_stays_text():
    report = make_report(waivers=(replace(make_facts().waivers[0], link="javascript:alert(1)"),))
    assert "javascript:alert(1)" not in Page(page(report, SUITE)).links


def test_a_large_page_is_not_too_large():
    kinds = [str(dtype) for dtype in dtypes.ALL]
    large = requirement("operations/result", "It MUST be right.", "full", *(
        Case(f"{name},{kind}") for name in ops.OPERATIONS for kind in kinds))
    tests = {test.id: test for test in (Test(large, case) for case in large.cases)}
    suite = Suite("1.0", tests, {"1.0": mustpass.expected(tests.values(), "1.0")})
    bad = set(list(tests)[::7])
    outcomes = [Outcome(i, Status.FAIL if i in bad else Status.PASS, 0.1, observed="x" * 80, program="y" * 9000)
                for i in tests]
    text = page(build(outcomes, make_facts(waivers=()), suite), suite)
    assert len(tests) > 1500 and len(text) * 3000 / len(tests) < 2_500_000 and len(text) < 1_500_000
    assert "more, all in report.json" in text


def test_junit_is_well_formed_and_counts():
    root = ElementTree.fromstring(junit(REPORT))
    assert root.attrib | {"time": ""} == {
        "name": "olympus conformance", "tests": "14", "failures": "1", "errors": "1", "skipped": "4", "time": ""}
    assert [suite.get("name") for suite in root] == sorted({i.partition("/")[0] for i in SUITE.tests})
    assert sum(int(suite.get("tests", "")) for suite in root) == 14
    cases = {case.get("name"): case for case in root.iter("testcase")}
    assert set(cases) == set(SUITE.tests)
    (failure,) = cases[HOSTILE.id]
    assert failure.tag == "failure" and "<b>bold</b>" in failure.get("message", "")
    assert "& \\x00\\x1b[31m \\ud800" in failure.get("message", "") and "--only" in (failure.text or "")
    assert cases["faults/killed[4 processes]"][0].tag == "error"
    assert cases["dlpack/round_trip"][0].get("message") == "dlpack is not declared"
    assert "warning: 3 | 4 s" in (cases["buffers/quick"][0].text or "")
    assert len(cases["copies/between"]) == 0


def test_markdown():
    text = markdown(REPORT, SUITE)
    assert text.startswith("# Conformance of platform acme: passes single, fails multi\n")
    assert "| minimal | ✓ pass | 5 of 5 | 0 | 0 | 1 | 0 | 1 | 0 |" in text
    assert "> all_reduce MUST reduce <all> & everything." in text
    assert "- `buffers/quick`: 3 \\| 4 s" in text
    assert "Results: 8 pass, 1 fail, 3 not supported, 1 warning, 1 timeout." not in text  # four are not supported
    assert "Results: 7 pass, 1 fail, 4 not supported, 1 warning, 1 timeout." in text
    assert all(line.count("|") - line.count("\\|") == 10 for line in text.splitlines() if line.startswith("| min"))


@pytest.mark.parametrize(("changes", "message"), [
    ({}, "full"), ({"collectives/barrier[2 processes]": Status.ERROR}, "single"),
    ({"buffers/round_trip[bool]": Status.FAIL}, "failing"),
])
def test_badges(changes, message):
    report = make_report(changes)
    assert json.loads(badge_json(report)) | {"color": ""} == {
        "schemaVersion": 1, "label": "olympus conformance 1.0", "message": message, "color": ""}
    picture = ElementTree.fromstring(badge_svg(report))
    assert [e.text for e in picture.iter("{http://www.w3.org/2000/svg}text")] == ["olympus conformance 1.0", message]


def test_the_badge_of_a_run_of_little():
    report = build(make_outcomes()[:1], make_facts(), SUITE)
    assert json.loads(badge_json(report))["message"] == "incomplete"


def test_matrices_lay_results_out():
    ids = ["operations/result[add,float32]", "operations/special[add,float32]", "operations/result[convert,int8,bool]",
           "collectives/all_reduce[sum,float32,4 processes]", "collectives/all_reduce[sum,float32,10 processes]",
           "collectives/barrier[1 process]", "copies/round_trip[float16]", "devices/ids"]
    results = [Result(id=i, status=Status.FAIL if "special" in i else Status.PASS) for i in ids]
    operations, collectives, others = matrices(results)
    assert operations.rows == ("add", "convert") and operations.columns == (("", "int8"), ("", "float32"))
    cell = operations.cells["add", ("", "float32")]
    assert [result.id for result in cell] == ids[:2] and worst(cell) is Status.FAIL
    assert collectives.rows == ("all_reduce sum", "barrier")
    assert collectives.columns == ((ANY, "1"), ("float32", "4"), ("float32", "10"))
    assert others.rows == ("copies/round_trip",) and others.columns == (("", "float16"),)
    assert matrices(results[-1:]) == []


def test_what_is_not_supported_only_shows_alone():
    states = [Status.NOT_SUPPORTED, Status.PASS]
    assert worst(Result(id="x/y", status=s) for s in states) is Status.PASS
    assert worst(Result(id="x/y", status=s) for s in [*states, Status.WARNING]) is Status.WARNING
    assert worst(Result(id="x/y", status=s) for s in Status) is Status.FAIL
