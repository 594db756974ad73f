# SPDX-License-Identifier: Apache-2.0
"""What the written forms of a report say alike: signs of statuses, the headline, the command that runs one test."""

from __future__ import annotations

import shlex

from ..outcome import Status
from ..requirement import PROFILES
from .schema import Report, Result

SIGNS = {
    Status.PASS: "✓", Status.FAIL: "✗", Status.NOT_SUPPORTED: "–", Status.WAIVED: "W", Status.WARNING: "!",
    Status.ERROR: "E", Status.TIMEOUT: "T",
}
# The worst of several results comes first; what is not supported only shows where nothing else is there.
WORST = (
    Status.FAIL, Status.ERROR, Status.TIMEOUT, Status.WAIVED, Status.WARNING, Status.PASS, Status.NOT_SUPPORTED,
)
RULING_SIGNS = {"pass": "✓", "fail": "✗", "incomplete": "…"}


def split(identifier: str) -> tuple[str, str, tuple[str, ...]]:
    """Area, requirement and the parts of the case's name of an id ``area/name[part,part]``."""
    name, _, case = identifier.partition("[")
    area, _, short = name.partition("/")
    return area, short, tuple(part.strip() for part in case.removesuffix("]").split(",") if part.strip())


def requirement_of(identifier: str) -> str:
    """The requirement's name in an id."""
    return identifier.partition("[")[0]


def headline(report: Report) -> str:
    """The verdict in a few words, for the profile that was asked for."""
    asked = PROFILES[: PROFILES.index(report.facts.profile) + 1]
    failed = next((profile for profile in asked if report.verdicts[profile].ruling == "fail"), None)
    if failed is not None:
        below = [p for p in asked[: asked.index(failed)] if report.verdicts[p].ruling == "pass"]
        return f"passes {below[-1]}, fails {failed}" if below else f"fails {failed}"
    if report.verdicts[asked[-1]].ruling == "pass":
        return f"passes {report.highest}"
    return f"passes {report.highest}, the rest is incomplete" if report.highest else "incomplete"


def conclusion(report: Report, has_passed: bool) -> str:
    """The last line of a run: PASS only of a whole profile, which it names, with what kept it from being clean.

    Args:
        report: The run's report.
        has_passed: Whether no test that was run speaks against the platform.
    """
    if not has_passed:
        return "FAIL"
    profile, facts = report.facts.profile, report.facts
    verdict = report.verdicts[profile]
    left_out = ["--quick"] * facts.quick + ["--only"] * bool(facts.only) + ["--fraction"] * (facts.fraction is not None)
    because = f" ({', '.join(left_out)})" if left_out else ""
    if verdict.ruling == "pass":  # a profile of which these leave nothing out, too
        told = [(verdict.waived, "waived"), (verdict.warnings, "warnings"), (verdict.not_supported, "not supported"),
                (verdict.skipped, "skipped")]
        return f"PASS: profile {profile}" + "".join(f", {count} {what}" for count, what in told if count) + because
    return (f"INCOMPLETE: no failure, but {verdict.missing} of {verdict.listed} tests of profile {profile} "
            f"were not run{because}")


def rerun(report: Report, identifier: str) -> str:
    """The command that runs just this test."""
    words = ["olympus-conformance", "run", "--platform", report.facts.platform, "--only", identifier]
    words += ["--launcher", report.facts.launcher] if report.facts.launcher else []
    return shlex.join(words)


def problems(report: Report, *statuses: Status) -> list[Result]:
    """The results with some of the statuses, the worst kind first."""
    return sorted((r for r in report.results if r.status in statuses), key=lambda r: (WORST.index(r.status), r.id))


def clipped(text: str, most: int) -> str:
    """A text, or its beginning with how much was left out."""
    return text if len(text) <= most else f"{text[:most]}\n... {len(text) - most} more characters, in report.json"
