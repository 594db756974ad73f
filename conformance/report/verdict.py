# SPDX-License-Identifier: Apache-2.0
"""The verdict: which profiles the results fulfil, and whether the report can be submitted."""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Mapping, Sequence

from ..outcome import Status
from ..profiles import REQUIRED
from ..requirement import PROFILES, Test
from .facts import Facts
from .schema import Result, Ruling, Verdict
from .suite import Suite

MOST_PATIENCE = 4.0  # a larger factor on the tests' time limits would hide hangs


class Standing(enum.Enum):
    """What a result says for the list that it is in."""

    HELD = "held"
    WARNING = "warning"
    WAIVED = "waived"
    NOT_SUPPORTED = "not supported"
    SKIPPED = "skipped"
    FAILED = "failed"


_GOOD = {Status.PASS: Standing.HELD, Status.WARNING: Standing.WARNING, Status.WAIVED: Standing.WAIVED}


def standing(result: Result, test: Test | None, facts: Facts) -> Standing:
    """What a result counts as; ``not supported`` only counts where the platform's own declaration says so."""
    if result.status in _GOOD:
        return _GOOD[result.status]
    if result.status is not Status.NOT_SUPPORTED:
        return Standing.FAILED
    if test is None:  # a test of an older suite, which left its lists only
        return Standing.NOT_SUPPORTED
    undeclared = undeclared_needs(test, facts)
    if undeclared:
        required = REQUIRED[test.profile]
        return Standing.FAILED if any(need in required for need in undeclared) else Standing.NOT_SUPPORTED
    if result.reason.endswith(" is not declared") and not lacks_devices(test, facts):
        return Standing.FAILED
    return Standing.SKIPPED


def undeclared_needs(test: Test, facts: Facts) -> list[str]:
    """What the test needs and the platform does not declare; devices are a matter of the machine."""
    return [
        need for need in test.case.needs if not need.startswith("devices:") and not facts.capabilities.has(need)
    ]


def lacks_devices(test: Test, facts: Facts) -> bool:
    """Whether the test needs more devices than its job had."""
    had = facts.devices_of(test.case.processes)
    wanted = max((int(n.partition(":")[2]) for n in test.case.needs if n.startswith("devices:")), default=0)
    return wanted > 0 and (had is None or had < wanted)


def judge(results: Sequence[Result], facts: Facts, suite: Suite) -> dict[str, Verdict]:
    """The verdict for each profile; a profile holds the lists of those before it."""
    lists = suite.mustpass(facts.suite_version)
    by_id = {result.id: result for result in results}
    total: Counter[str] = Counter()
    verdicts = {}
    for profile in PROFILES:
        for identifier in lists.get(profile, ()):
            total["listed"] += 1
            result = by_id.get(identifier)
            found = standing(result, suite.tests.get(identifier), facts).value if result is not None else "missing"
            total[found] += 1
        verdicts[profile] = Verdict(
            ruling=_ruling(total), listed=total["listed"], failed=total["failed"], missing=total["missing"],
            held=total["listed"] - total["failed"] - total["missing"], not_supported=total["not supported"],
            skipped=total["skipped"], warnings=total["warning"], waived=total["waived"],
        )
    return verdicts


def _ruling(total: Mapping[str, int]) -> Ruling:
    if total["failed"]:
        return "fail"
    return "incomplete" if total["missing"] or not total["listed"] else "pass"


def highest(verdicts: Mapping[str, Verdict]) -> str | None:
    """The largest profile that passes."""
    return next((profile for profile in reversed(PROFILES) if verdicts[profile].ruling == "pass"), None)


def counts(results: Sequence[Result]) -> dict[str, int]:
    """How many results have each status."""
    found = Counter(result.status for result in results)
    return {status.value: found[status] for status in Status}


def obstacles(verdicts: Mapping[str, Verdict], facts: Facts) -> tuple[str, ...]:
    """Why the report cannot be submitted; a fraction can, and is judged with the others."""
    missing = verdicts[facts.profile].missing
    found = [
        (facts.quick, "it is a quick run, which leaves tests out"),
        (bool(facts.only), "it was narrowed to some tests"),
        (facts.timeout_factor > MOST_PATIENCE, f"time limits were more than {MOST_PATIENCE:g} times the suite's"),
        (bool(facts.git and facts.git.dirty), "the suite was run from a checkout with changes"),
        (not facts.distribution_version, "the version of the platform's distribution is unknown"),
        (bool(missing) and facts.fraction is None, f"{missing} tests of profile {facts.profile} have no result"),
    ]
    return tuple(reason for holds, reason in found if holds)
