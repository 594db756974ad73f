# SPDX-License-Identifier: Apache-2.0
"""Merging the reports of fractions into one report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from .build import assemble
from .facts import Facts, WaiverUse
from .schema import Report
from .suite import Suite

# The facts that are equal in all parts of a run; machine, time and duration may differ.
SHARED = (
    "suite_version", "contract_version", "platform", "distribution", "distribution_version", "api_version",
    "device_kinds", "capabilities", "olympus", "profile", "quick", "only", "git",
)


def obstacles_to_merging(parts: Mapping[str, Report]) -> list[str]:
    """The reasons why fractions cannot be merged.

    Args:
        parts: The fractions by their names in messages.
    """
    problems: list[str] = []
    names = list(parts)
    first = parts[names[0]].facts
    for name in names[1:]:
        facts = parts[name].facts
        problems += [
            f"{name}: {field} is {getattr(facts, field)!r}, and {getattr(first, field)!r} in {names[0]}"
            for field in SHARED if getattr(facts, field) != getattr(first, field)
        ]
    taken: dict[tuple[int, int], str] = {}
    sizes = {facts.fraction[1] for facts in (part.facts for part in parts.values()) if facts.fraction}
    if len(sizes) > 1:
        problems.append(f"the run was divided in different ways: into {', '.join(map(str, sorted(sizes)))} parts")
    owners: dict[str, str] = {}
    for name, part in parts.items():
        fraction = part.facts.fraction
        if fraction is None:
            problems.append(f"{name}: it is not a fraction")
        elif fraction in taken:
            problems.append(f"{name}: it is fraction {fraction[0]} of {fraction[1]}, as {taken[fraction]} is")
        else:
            taken[fraction] = name
        shared = [result.id for result in part.results if owners.setdefault(result.id, name) != name]
        if shared:
            problems.append(f"{name}: {len(shared)} results are in another fraction too, such as {shared[0]}")
    if len(sizes) == 1:
        size = sizes.pop()
        absent = sorted(set(range(1, size + 1)) - {index for index, _ in taken})
        if absent:
            problems.append(f"fractions {', '.join(map(str, absent))} of {size} are absent")
    return problems


def merge(parts: Mapping[str, Report], suite: Suite) -> Report:
    """The report of fractions that can be merged."""
    reports = sorted(parts.values(), key=lambda report: report.facts.fraction or (0, 0))
    results = [result for report in reports for result in report.results]
    return assemble(results, _facts(reports), suite, tuple(report.digest for report in reports))


def _facts(reports: list[Report]) -> Facts:
    """The facts of the whole run: those of the first part, with times and devices of all parts."""
    every = [report.facts for report in reports]
    launchers = dict.fromkeys(facts.launcher for facts in every if facts.launcher)
    return replace(
        every[0], fraction=None, started=min(facts.started for facts in every),
        seconds=sum(facts.seconds for facts in every),
        topology=tuple(sorted({job for facts in every for job in facts.topology})),
        launcher=", ".join(launchers), timeout_factor=max(facts.timeout_factor for facts in every),
        waivers=_waivers(every),
    )


def _waivers(every: list[Facts]) -> tuple[WaiverUse, ...]:
    """Each waiver once; one that matches in some part has no problem, though it matches nothing in another."""
    merged: dict[tuple[object, ...], WaiverUse] = {}
    for waiver in (waiver for facts in every for waiver in facts.waivers):
        key = (waiver.pattern, waiver.versions, waiver.link, waiver.expires)
        before = merged.setdefault(key, waiver)
        matched = tuple(sorted({*before.matched, *waiver.matched}))
        merged[key] = replace(before, matched=matched, problem="" if matched else before.problem)
    return tuple(merged.values())
