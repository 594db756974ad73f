# SPDX-License-Identifier: Apache-2.0
"""Whether reports are what a run wrote: everything that follows from the results is computed again."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta, timezone

from ..harness.schedule import matches
from ..outcome import Status
from ..requirement import PROFILES
from ..waivers import covers
from . import mustpass
from .build import assemble
from .merge import merge, obstacles_to_merging
from .schema import Report
from .suite import Suite
from .verdict import Standing, standing, undeclared_needs

RENEWAL = timedelta(days=365)
_SHOWN = 5  # ids of one kind of problem that are named


@dataclass(slots=True)
class Verification:
    """What was found.

    Attributes:
        reports: The reports that count: whole ones, and one for all fractions together, by name.
        problems: What speaks against them; none when they are what they claim to be.
        notes: What a reader should know besides.
    """

    reports: dict[str, Report] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether nothing was found against the reports, each can be submitted and passes what it was run for."""
        return bool(self.reports) and not self.problems and all(
            report.submittable and report.verdicts[report.facts.profile].ruling == "pass"
            for report in self.reports.values()
        )


def verify(reports: Mapping[str, Report], suite: Suite, today: date | None = None) -> Verification:
    """Verifies reports by themselves, and fractions also together.

    Args:
        reports: The reports by the names that messages call them by.
        suite: What they are judged by.
        today: The day on which waivers must still count.

    Returns:
        What was found.
    """
    today = today or datetime.now(timezone.utc).date()
    found = Verification()
    for name, report in reports.items():
        found.problems += [f"{name}: {problem}" for problem in problems_of(report, suite, today)]
    parts = {name: report for name, report in reports.items() if report.facts.fraction is not None}
    found.reports = {name: report for name, report in reports.items() if name not in parts}
    if parts:
        hindrances = obstacles_to_merging(parts)
        found.problems += hindrances
        if not hindrances and not found.problems:
            found.reports[f"{len(parts)} fractions"] = merge(parts, suite)
    for name, report in found.reports.items():
        found.notes += [f"{name}: {note}" for note in notes_of(report, suite, today)]
    return found


def problems_of(report: Report, suite: Suite, today: date) -> list[str]:
    """What speaks against one report; judged by the lists of the version that it was made with."""
    facts = report.facts
    if not suite.accepts(facts.suite_version):
        return [f"suite version {facts.suite_version} is not accepted by suite {suite.version}: run a newer one"]
    if facts.profile not in PROFILES:
        return [f"profile {facts.profile!r} is none of {', '.join(PROFILES)}"]
    problems = []
    if facts.fraction is not None and not 1 <= facts.fraction[0] <= facts.fraction[1]:
        problems.append(f"there is no fraction {facts.fraction[0]} of {facts.fraction[1]}")
    problems += _results(report, suite) + _waivers(report, today)
    again = assemble(report.results, facts, suite, report.merged)
    changed = [profile for profile in PROFILES if again.mustpass.get(profile) != report.mustpass.get(profile)]
    if changed or set(report.mustpass) != set(again.mustpass):
        problems.append(f"it was judged by other mustpass lists: {', '.join(changed)}")
    for name in ("results", "counts", "verdicts", "highest", "obstacles"):
        before, after = getattr(report, name), getattr(again, name)
        if before != after:
            problems.append(f"its {name} do not follow from its results{_first_difference(before, after)}")
    if report.digest != report.computed_digest():
        problems.append("its digest is not the digest of its content: it was changed after it was written")
    return problems


def _results(report: Report, suite: Suite) -> list[str]:
    """Results that no run of this suite can have written."""
    facts = report.facts
    listed = {identifier for ids in suite.mustpass(facts.suite_version).values() for identifier in ids}
    found: dict[str, list[str]] = {}
    times = Counter(result.id for result in report.results)
    found["more than one result"] = [identifier for identifier, count in times.items() if count > 1]
    for result in report.results:
        test = suite.tests.get(result.id)
        kind = ""
        if test is None:
            kind = "" if result.id in listed else "no such test in the suite"
        elif result.status in (Status.PASS, Status.WARNING) and undeclared_needs(test, facts):
            kind = "it passed, though what it needs is not declared"
        elif result.status is Status.WARNING and test.requirement.is_mandatory:
            kind = "a warning, though the requirement is mandatory"
        if kind:
            found.setdefault(kind, []).append(result.id)
    return [f"{kind}: {_some(ids)}" for kind, ids in found.items() if ids]


def _waivers(report: Report, today: date) -> list[str]:
    """Waived results without a waiver that counts."""
    facts = report.facts
    last = max(facts.started.date(), today)
    waivers = {identifier: waiver for waiver in facts.waivers for identifier in waiver.matched}
    found: dict[str, list[str]] = {}
    for result in report.results:
        if result.status is not Status.WAIVED:
            continue
        waiver = waivers.get(result.id)
        kind = ""
        if waiver is None:
            kind = "no waiver"
        elif not matches(waiver.pattern, result.id):
            kind = "a waiver for other tests"
        elif not _is_for(waiver.versions, facts.distribution_version):
            kind = "a waiver for other versions"
        elif waiver.expires < last:
            kind = "an expired waiver"
        if kind:
            found.setdefault(kind, []).append(result.id)
    return [f"{kind}: {_some(ids)}" for kind, ids in found.items()]


def _is_for(versions: str, version: str) -> bool:
    """Whether a waiver counts for a version; one that cannot be read counts for none."""
    try:
        return covers(versions, version)
    except ValueError:
        return False


def notes_of(report: Report, suite: Suite, today: date) -> list[str]:
    """What a reader of the verdict should know."""
    facts = report.facts
    notes = [f"it cannot be submitted: {reason}" for reason in report.obstacles]
    failed = [r.id for r in report.results if standing(r, suite.tests.get(r.id), facts) is Standing.FAILED]
    notes += [f"failed: {_some(failed)}"] if failed else []
    skipped = [r for r in report.results if standing(r, suite.tests.get(r.id), facts) is Standing.SKIPPED]
    reasons = Counter(result.reason for result in skipped)
    notes += [f"{count} tests skipped: {reason}" for reason, count in reasons.most_common()]
    notes += [
        f"waiver {waiver.pattern}: {waiver.problem}" if waiver.problem
        else f"waiver {waiver.pattern} until {waiver.expires}: {len(waiver.matched)} results, {waiver.link}"
        for waiver in facts.waivers
    ]
    if today - facts.started.date() > RENEWAL:
        notes.append(f"it was made on {facts.started.date()} and is due for renewal")
    return notes


def list_problems(suite: Suite) -> list[str]:
    """Where the lists of the suite's own version and its tests differ."""
    wanted = mustpass.expected(suite.tests.values(), suite.version)
    return mustpass.differences(suite.lists.get(suite.version, {}), wanted)


def _some(ids: list[str]) -> str:
    more = f" and {len(ids) - _SHOWN} more" if len(ids) > _SHOWN else ""
    return ", ".join(ids[:_SHOWN]) + more


def _first_difference(before: object, after: object) -> str:
    if not (isinstance(before, Mapping) and isinstance(after, Mapping)):
        return ""
    for name in sorted({*before, *after}, key=str):
        if before.get(name) != after.get(name):
            lines = difflib.ndiff([str(before.get(name))], [str(after.get(name))])
            texts = [line[2:] for line in lines if line[:1] in "-+"]
            return f": {name} is {texts[0]}, and should be {texts[-1]}"
    return ""
