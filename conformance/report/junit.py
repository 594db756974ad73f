# SPDX-License-Identifier: Apache-2.0
"""A report as JUnit's XML, which build servers show."""

from __future__ import annotations

from itertools import groupby
from xml.etree import ElementTree

from ..outcome import Status
from .schema import Report, Result
from .texts import writable
from .words import clipped, rerun, split

_MOST = 20_000  # characters of a program or a traceback

_ELEMENTS = {
    Status.FAIL: "failure", Status.ERROR: "error", Status.TIMEOUT: "error", Status.NOT_SUPPORTED: "skipped",
    Status.WAIVED: "skipped",
}


def junit(report: Report) -> str:
    """The report as XML: a test suite for each area, a test case for each id."""
    root = ElementTree.Element("testsuites", {"name": "olympus conformance", **_sums(list(report.results))})
    for area, held in groupby(report.results, key=lambda result: split(result.id)[0]):
        results = list(held)
        began = f"{report.facts.started:%Y-%m-%dT%H:%M:%S}"
        suite = ElementTree.SubElement(root, "testsuite", {"name": area, "timestamp": began, **_sums(results)})
        properties = ElementTree.SubElement(suite, "properties")
        for label, text in report.facts.rows():
            ElementTree.SubElement(properties, "property", name=label, value=writable(text))
        for result in results:
            suite.append(_case(report, result))
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _case(report: Report, result: Result) -> ElementTree.Element:
    case = ElementTree.Element(
        "testcase", classname=result.id.partition("[")[0], name=writable(result.id), time=f"{result.seconds:.6f}")
    kind = _ELEMENTS.get(result.status)
    said = writable(result.reason or result.observed)
    texts = {"observed": result.observed, "required": result.required, "program": result.program,
             "trace": result.trace}
    body = "\n".join(f"{name}: {clipped(text, _MOST)}" for name, text in texts.items() if text)
    if kind is not None:
        child = ElementTree.SubElement(case, kind, message=said, type=result.status.value)
        child.text = writable(f"{body}\nto run it alone: {rerun(report, result.id)}" if result.is_bad else body)
    elif result.status is Status.WARNING:
        ElementTree.SubElement(case, "system-out").text = writable(f"warning: {said}\n{body}")
    return case


def _sums(results: list[Result]) -> dict[str, str]:
    kinds = [_ELEMENTS.get(result.status) for result in results]
    return {
        "tests": str(len(results)), "failures": str(kinds.count("failure")), "errors": str(kinds.count("error")),
        "skipped": str(kinds.count("skipped")), "time": f"{sum(result.seconds for result in results):.3f}",
    }
