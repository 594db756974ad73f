# SPDX-License-Identifier: Apache-2.0
"""The table of platforms, generated from submitted reports."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ..requirement import PROFILES
from .schema import Report, load
from .suite import Suite
from .verify import RENEWAL, problems_of

_HEAD = """# Platforms

Made from the reports in `{folder}` by `olympus-conformance table --write`; do not edit it by hand. How to add one:
[SUBMITTING.md]({submitting}).

| platform | version | devices | passes | tests | not supported | warnings | waived | suite | made | good until |
|---|---|---|---|--:|--:|--:|--:|---|---|---|
"""


def read(folder: Path) -> dict[str, Report]:
    """The reports in a folder by file name.

    Raises:
        ReportFileError: A file does not hold a report.
    """
    return {path.name: load(path) for path in sorted(folder.glob("*.json"))}


def problems(reports: Mapping[str, Report], suite: Suite) -> list[str]:
    """The reasons why reports cannot be listed; waivers and age are judged by the day of the report."""
    found = []
    for name, report in reports.items():
        if suite.accepts(report.facts.suite_version):
            found += [f"{name}: {problem}" for problem in problems_of(report, suite, report.facts.started.date())]
        found += [f"{name}: it cannot be submitted: {reason}" for reason in report.obstacles]
        found += [f"{name}: it is a fraction"] if report.facts.fraction is not None else []
        found += [f"{name}: it passes no profile"] if report.highest is None else []
    return found


def table(reports: Mapping[str, Report], suite: Suite, folder: str, submitting: str) -> str:
    """The page; the platforms that pass most come first.

    Args:
        reports: The reports by file name.
        suite: The suite that they are judged by.
        folder: The reports' folder, as the page links to it.
        submitting: Where SUBMITTING.md is, as the page links to it.
    """
    ordered = sorted(reports.items(), key=lambda item: (
        -(PROFILES.index(item[1].highest) if item[1].highest else -1), item[1].facts.platform, item[0]))
    rows = "".join(_row(name, report, suite, folder) for name, report in ordered)
    return _HEAD.format(folder=folder, submitting=submitting) + rows


def _row(name: str, report: Report, suite: Suite, folder: str) -> str:
    facts, highest = report.facts, report.highest or "none"
    verdict = report.verdicts[highest] if report.highest else report.verdicts[PROFILES[0]]
    until = f"{facts.started + RENEWAL:%Y-%m-%d}" if suite.accepts(facts.suite_version) else "to be renewed"
    jobs = ", ".join(f"{processes} x {devices}" for processes, devices in facts.topology)
    return (
        f"| [{facts.platform}]({folder}/{name}) | {facts.distribution} {facts.distribution_version} "
        f"| {', '.join(facts.device_kinds)} ({jobs}) | **{highest}** | {verdict.held} | {verdict.not_supported} "
        f"| {verdict.warnings} | {verdict.waived} | {facts.suite_version} | {facts.started:%Y-%m-%d} | {until} |\n")
