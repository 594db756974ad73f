# SPDX-License-Identifier: Apache-2.0
"""How a broken platform is written down: its name, the requirements it must fail, and what is wrong with it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from olympus_conformance import Status, Test
from olympus_conformance import tests as suite_tests
from olympus_conformance.harness.schedule import matches
from olympus_core.plugin import Platform

# Set where a platform hangs on purpose and has been found out: whatever waits goes on, and its thread ends.
RELEASED = threading.Event()


@dataclass(frozen=True, slots=True)
class Broken:
    """A platform that is right but for one defect.

    Args:
        name: The platform's name.
        fails: Patterns of ids or names of requirements; of the tests of each at least one is shown to fail.
        says: What is wrong, in a few words.
        make: Makes the platform.
        ends: How its tests end, where that is neither a failure nor, for a SHOULD, a warning.
        seconds: How long one of its tests may take before it counts as a hang.
        also: Patterns of other tests of profile minimal that it cannot help failing.
    """

    name: str
    fails: tuple[str, ...]
    says: str
    make: Callable[[], Platform]
    ends: Status | None
    seconds: float
    also: tuple[str, ...]

    def expected(self) -> list[list[Test]]:
        """For each pattern its tests, those that take least first."""
        return [
            sorted(_tests_of(pattern), key=lambda t: (not t.case.quick, t.case.processes)) for pattern in self.fails
        ]


@cache
def _all_tests() -> dict[str, list[Test]]:
    """By their ids, and all of a requirement by its name; in their order."""
    found: dict[str, list[Test]] = {}
    for test in suite_tests():
        for name in {test.id, test.requirement.name}:
            found.setdefault(name, []).append(test)
    return found


@cache
def _tests_of(pattern: str) -> tuple[Test, ...]:
    """Those that a pattern matches; most are names, and each process that collects tests asks for all of them."""
    if not set("*?") & set(pattern):
        return tuple(_all_tests().get(pattern, ()))
    return tuple(test for test in suite_tests() if matches(pattern, test.id))


BROKEN: dict[str, Broken] = {}


def broken(
    name: str, *, fails: list[str], says: str, ends: Status | None = None, seconds: float = 20.0,
    also: tuple[str, ...] = (),
) -> Callable[[Callable[[], Platform]], Callable[[], Platform]]:
    """Makes a function that gives a platform a broken platform; for the arguments see `Broken`."""

    def register(make: Callable[[], Platform]) -> Callable[[], Platform]:
        def named() -> Platform:
            platform = make()
            if platform.name in ("broken", "references"):  # unless the name is what is wrong
                platform.name = name
            return platform

        if name in BROKEN:
            raise ValueError(name)
        BROKEN[name] = Broken(name, tuple(fails), says, named, ends, seconds, also)
        return make

    return register
