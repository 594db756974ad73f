# SPDX-License-Identifier: Apache-2.0
"""A report as Markdown, for a comment or a step's summary: the verdict, the failures, the facts of the run."""

from __future__ import annotations

from ..outcome import Status
from ..requirement import PROFILES
from .schema import Report, Result
from .suite import Suite
from .words import RULING_SIGNS, SIGNS, clipped, headline, problems, requirement_of, rerun

_MOST_FAILURES, _MOST_OTHERS, _MOST_CHARACTERS = 30, 60, 2_000


def markdown(report: Report, suite: Suite) -> str:
    """The report as Markdown."""
    facts = report.facts
    lines = [f"# Conformance of platform {facts.platform}: {headline(report)}", ""]
    lines += [f"> Not submittable: {reason}." for reason in report.obstacles] + [""] * bool(report.obstacles)
    lines += ["| profile | verdict | held | failed | missing | not supported | skipped | warnings | waived |",
              "|---|---|--:|--:|--:|--:|--:|--:|--:|"]
    for profile in PROFILES:
        v = report.verdicts[profile]
        lines.append(
            f"| {profile} | {RULING_SIGNS[v.ruling]} {v.ruling} | {v.held} of {v.listed} | {v.failed} | {v.missing} "
            f"| {v.not_supported} | {v.skipped} | {v.warnings} | {v.waived} |")
    lines += ["", "Results: " + ", ".join(f"{n} {status}" for status, n in report.counts.items() if n) + ".", ""]
    failed = problems(report, Status.FAIL, Status.ERROR, Status.TIMEOUT)
    if failed:
        lines += ["## Failures", ""]
        for result in failed[:_MOST_FAILURES]:
            lines += _failure(report, result, suite)
        rest = failed[_MOST_FAILURES:]
        lines += [f"And {len(rest)} more: {_ids(rest)}.", ""] if rest else []
    for title, status in (("Warnings", Status.WARNING), ("Waived", Status.WAIVED)):
        found = problems(report, status)
        if found:
            lines += [f"## {title}", ""]
            lines += [f"- `{r.id}`: {_one_line(r.reason or r.observed)}" for r in found[:_MOST_OTHERS]]
            lines += [f"- and {len(found) - _MOST_OTHERS} more"] if len(found) > _MOST_OTHERS else []
            lines.append("")
    if facts.waivers:
        lines += ["## Waivers", "", "| pattern | until | results | link | problem |", "|---|---|--:|---|---|"]
        lines += [f"| `{w.pattern}` | {w.expires} | {len(w.matched)} | {w.link} | {w.problem or '–'} |"
                  for w in facts.waivers] + [""]
    lines += ["## The run", "", "| | |", "|---|---|"]
    lines += [f"| {label} | {_one_line(text)} |" for label, text in facts.rows()]
    return "\n".join(lines) + "\n"


def _failure(report: Report, result: Result, suite: Suite) -> list[str]:
    test = suite.tests.get(result.id)
    lines = [f"### {SIGNS[result.status]} `{result.id}` ({result.status.value})", ""]
    lines += [f"> {test.requirement.statement}", ""] if test is not None else []
    lines += [
        f"- {name}: {_one_line(text)}"
        for name, text in (("observed", result.observed), ("required", result.required), ("reason", result.reason))
        if text
    ]
    for text in (result.program, result.trace):
        lines += ["", "```", *clipped(text, _MOST_CHARACTERS).splitlines(), "```"] if text else []
    return [*lines, "", f"Run it alone: `{rerun(report, result.id)}`", ""]


def _ids(results: list[Result]) -> str:
    names = sorted({requirement_of(result.id) for result in results})
    return ", ".join(f"`{name}`" for name in names)


def _one_line(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
