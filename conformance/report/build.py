# SPDX-License-Identifier: Apache-2.0
"""Builds the report of a run from its outcomes."""

from __future__ import annotations

from collections.abc import Iterable

from ..outcome import Outcome
from . import mustpass, verdict
from .errors import UnknownTestError
from .facts import Facts
from .schema import Report, Result
from .suite import Suite, installed


def build(outcomes: Iterable[Outcome], facts: Facts, suite: Suite | None = None) -> Report:
    """The report of a run.

    Args:
        outcomes: The outcome of each test.
        facts: The facts of the run.
        suite: The suite that it is judged by; the installed one when None.

    Returns:
        The report, with verdicts and digest.

    Raises:
        UnknownTestError: An outcome belongs to no test of the suite.
        MustpassError: The suite has no mustpass lists for its version.
    """
    suite = suite or installed()
    results = [Result.of(outcome) for outcome in outcomes]
    unknown = tuple(result.id for result in results if result.id not in suite.tests)
    if unknown:
        raise UnknownTestError(unknown)
    return assemble(results, facts, suite)


def assemble(results: Iterable[Result], facts: Facts, suite: Suite, merged: tuple[str, ...] = ()) -> Report:
    """The report of results; everything that is derived from them is computed here, also for verification."""
    ordered = tuple(sorted(results, key=lambda result: result.id))
    verdicts = verdict.judge(ordered, facts, suite)
    return Report(
        facts=facts, results=ordered, counts=verdict.counts(ordered), verdicts=verdicts,
        highest=verdict.highest(verdicts), obstacles=verdict.obstacles(verdicts, facts),
        mustpass=mustpass.digests(suite.mustpass(facts.suite_version)), merged=merged,
    ).sealed()
