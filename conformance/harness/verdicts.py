# SPDX-License-Identifier: Apache-2.0
"""The outcome of a test from the results of all processes of its job."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..outcome import Outcome, Status
from ..requirement import Test

# From the best to the worst.
ORDER = (Status.PASS, Status.NOT_SUPPORTED, Status.WARNING, Status.WAIVED, Status.FAIL, Status.ERROR, Status.TIMEOUT)
BAD = frozenset({Status.FAIL, Status.ERROR, Status.TIMEOUT})


@dataclass(frozen=True, slots=True)
class ProcessResult:
    """The result of a test in one process.

    Args:
        outcome: The reported outcome; None without one.
        is_consequence: Whether it failed only because another process had failed.
        death: How the process ended, in words, if it did.
        was_killed: Whether it ended as `Context.die` ends a process, as far as can be known.
        last_lines: The last lines of its output, if it ended.
        stacks: The stacks of its threads, if it did not finish.
    """

    outcome: Outcome | None = None
    is_consequence: bool = False
    death: str | None = None
    was_killed: bool = False
    last_lines: str = ""
    stacks: str = ""


def combine(test: Test, results: Sequence[ProcessResult], seconds: float) -> Outcome:
    """The outcome of a test: the worst of its processes', without those that only follow from another one's."""
    found = {i: _outcome_of(test, i, result, seconds) for i, result in enumerate(results)}
    outcomes = {i: outcome for i, outcome in found.items() if outcome is not None}
    if not outcomes:
        return Outcome(test.id, Status.PASS, seconds)
    causes = {i: o for i, o in outcomes.items() if o.status in BAD and not _follows(results[i])}
    # A process that hangs because another one has failed or died does not hang by itself.
    causes = {i: o for i, o in causes.items() if o.status is not Status.TIMEOUT} or causes
    considered = causes or outcomes
    worst = max((o.status for o in considered.values()), key=ORDER.index)
    guilty = {i: o for i, o in considered.items() if o.status is worst}
    first = guilty[min(guilty)]
    if worst is Status.TIMEOUT:
        stacks = "\n".join(f"process {i}:\n{result.stacks}" for i, result in enumerate(results) if result.stacks)
        return replace(first, reason=_named(guilty, results, first.reason), trace=stacks)
    seconds = max(o.seconds for o in outcomes.values())
    return replace(first, seconds=seconds, reason=_named(guilty, results, first.reason))


def _follows(result: ProcessResult) -> bool:
    return result.is_consequence and result.death is None


def _outcome_of(test: Test, index: int, result: ProcessResult, seconds: float) -> Outcome | None:
    """One process's outcome; None for a process that died as the test requires."""
    is_casualty = index in test.requirement.casualties
    if result.death is not None:
        if is_casualty and result.was_killed:
            return None
        return Outcome(
            test.id, Status.ERROR, seconds, f"the process {result.death}",
            trace=f"The last lines that it wrote:\n{result.last_lines}" if result.last_lines else "")
    if result.outcome is None:
        return Outcome(
            test.id, Status.TIMEOUT, seconds, f"it had not ended after {seconds:.3g} s", trace=result.stacks)
    if is_casualty and result.outcome.status in (Status.PASS, Status.WARNING):
        return Outcome(test.id, Status.ERROR, result.outcome.seconds, "the process was to die and has ended its check")
    return result.outcome


def _named(guilty: dict[int, Outcome], results: Sequence[ProcessResult], reason: str) -> str:
    """The reason, with the processes that it concerns."""
    if len(results) == 1:
        return reason
    if len(guilty) == len(results):
        where = f"all {len(results)} processes"
    else:
        where = f"process{'es' if len(guilty) > 1 else ''} {', '.join(map(str, sorted(guilty)))} of {len(results)}"
    return f"{where}: {reason}" if reason else f"in {where}"
