# SPDX-License-Identifier: Apache-2.0
"""The selection and the order of a run's tests."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from functools import cache

from ..requirement import PROFILES, Test, tests
from .errors import UsageError


def schedule(
    profile: str = "full", only: Sequence[str] = (), quick: bool = False, fraction: tuple[int, int] | None = None,
) -> tuple[Test, ...]:
    """The tests of a run in order: few processes first, tests that need new processes last.

    Args:
        profile: The profile; it includes the ones before it.
        only: Patterns of ids or of requirements' names; all tests when empty.
        quick: Whether long cases are left out.
        fraction: Part I of N, from 1; the parts are disjoint and together are the whole run.

    Raises:
        UsageError: There is no such profile or fraction, or nothing is left to run.
    """
    if profile not in PROFILES:
        raise UsageError("There is no such profile.", given=profile, expected=f"one of {', '.join(PROFILES)}")
    if fraction is not None and not 1 <= fraction[0] <= fraction[1]:
        raise UsageError(
            "There is no such fraction.", given=f"{fraction[0]}/{fraction[1]}", expected="I/N with I from 1 to N")
    found = tests(profile)
    for pattern in only:
        if not any(matches(pattern, test.id) for test in found):
            raise _matches_nothing(pattern, profile, found)
    chosen = [
        test for test in found
        if (not only or any(matches(pattern, test.id) for pattern in only)) and (test.case.quick or not quick)
    ]
    if not chosen:
        raise UsageError("No test is left: all that were asked for take long.", fix="Leave --quick out.")
    # Only one job is alive at a time, and a test with `fresh` would end it.
    chosen.sort(key=lambda test: (test.case.processes, test.requirement.fresh))
    return tuple(chosen if fraction is None else chosen[fraction[0] - 1 :: fraction[1]])


def matches(pattern: str, identifier: str) -> bool:
    """Whether a pattern matches a test: ``*`` and ``?`` are wildcards, brackets are literal.

    The name of a requirement matches all its cases.
    """
    wild = _wild(pattern)
    return wild.fullmatch(identifier) is not None or wild.fullmatch(identifier.partition("[")[0]) is not None


def parse_fraction(text: str) -> tuple[int, int]:
    """The numbers in ``I/N``.

    Raises:
        UsageError: The text has another form.
    """
    found = re.fullmatch(r"(\d+)/(\d+)", text)
    if found is None:
        raise UsageError("The fraction cannot be read.", given=text, expected="I/N, such as 1/4 for the first of four")
    return int(found[1]), int(found[2])


@cache
def _wild(pattern: str) -> re.Pattern[str]:
    return re.compile(re.escape(pattern).replace(r"\*", ".*").replace(r"\?", "."))


def _matches_nothing(pattern: str, profile: str, found: Sequence[Test]) -> UsageError:
    elsewhere = [test for test in tests() if matches(pattern, test.id)]
    if elsewhere:
        return UsageError(
            f"No test of profile {profile} matches {pattern!r}.", given=f"it is in profile {elsewhere[0].profile}",
            fix=f"Add --profile {elsewhere[0].profile}.")
    names = [*{test.requirement.name for test in found}, *(test.id for test in found)]
    near = difflib.get_close_matches(pattern, names, 3)
    return UsageError(
        f"No test matches {pattern!r}.", expected=f"such as {', '.join(near)}" if near else None,
        fix="`olympus-conformance run --platform NAME --list` lists the tests.")
