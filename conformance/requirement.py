# SPDX-License-Identifier: Apache-2.0
"""Requirements of the contract on a platform, each with the check that tests it.

A requirement is a sentence in the words of RFC 2119 and a function that raises when the sentence is false. The suite is
the specification: `SPEC.md` and `PROFILES.md` are generated from the records here.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from .errors import SuiteError

Check = Callable[..., None]

PROFILES: tuple[str, ...] = ("minimal", "single", "multi", "full")  # each includes the ones before it
_KEYWORDS = re.compile(r"\b(MUST|MUST NOT|SHOULD|SHOULD NOT|MAY)\b")
_IDENTIFIER = re.compile(r"[a-z0-9_]+/[a-z0-9_]+\Z")


@dataclass(frozen=True, slots=True)
class Case:
    """One run of a requirement's check.

    Args:
        name: The text in brackets after the requirement's name; empty for a single case.
        arguments: The arguments of the check, after the context.
        needs: The capabilities that the case needs: ``dtype:float64``, ``operation:sort``,
            ``donation``, ``asynchronous``, ``multi_process``, ``dlpack``, or ``devices:N``, at least N devices here.
        processes: Number of processes that run the check together.
        profile: The first profile that includes the case; None for the requirement's.
        quick: Whether ``--quick`` runs it.
    """

    name: str = ""
    arguments: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    needs: tuple[str, ...] = ()
    processes: int = 1
    profile: str | None = None
    quick: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class Requirement:
    """A requirement of the contract on a platform.

    Args:
        name: ``area/name``, never reused for another one.
        statement: One sentence with MUST, MUST NOT, SHOULD, SHOULD NOT or MAY.
        why: What breaks if it does not hold, in a sentence.
        profile: The first profile that includes it.
        since: The version of the contract that introduced it.
        check: Raises `Failed` when the statement is false; gets a `Context` and the case's arguments.
        cases: The cases, the same on every machine.
        refusal: For a case whose needs are not declared: raises `Failed` unless the platform refuses it as the
            contract says. None where there is nothing to refuse.
        casualties: Positions of the processes that the check kills.
        seconds: How long one case may take before it counts as a hang.
        fresh: Whether every case gets new processes.
    """

    name: str
    statement: str
    why: str
    profile: str
    since: str
    check: Check
    cases: tuple[Case, ...]
    refusal: Check | None
    casualties: tuple[int, ...]
    seconds: float
    fresh: bool

    @property
    def is_mandatory(self) -> bool:
        """Whether a violation is a failure, and not a warning."""
        return "MUST" in self.statement

    @property
    def location(self) -> str:
        """The check's file and line, within the package."""
        code = self.check.__code__
        return f"{self.check.__module__.rpartition('olympus_conformance.')[2]}:{code.co_firstlineno}"


@dataclass(frozen=True, slots=True)
class Test:
    """One case of one requirement: the unit that is run, counted and listed.

    Args:
        requirement: The requirement.
        case: The case.
    """

    __test__ = False  # pytest must not collect it

    requirement: Requirement
    case: Case

    @property
    def id(self) -> str:
        """``area/name`` or ``area/name[case]``, as in mustpass lists and waivers."""
        return f"{self.requirement.name}[{self.case.name}]" if self.case.name else self.requirement.name

    @property
    def profile(self) -> str:
        """The first profile that includes the case."""
        return self.case.profile or self.requirement.profile


_requirements: dict[str, Requirement] = {}


def requirement(
    name: str, statement: str, *, why: str, profile: str, since: str = "1.0", cases: Iterable[Case] = (Case(),),
    refusal: Check | None = None, casualties: tuple[int, ...] = (), seconds: float = 30.0, fresh: bool = False,
) -> Callable[[Check], Check]:
    """Makes a function the check of a requirement; for the arguments see `Requirement`.

    Raises:
        SuiteError: The name is taken or malformed, the statement has no word of RFC 2119, the profile is unknown, or
            two cases have one name.
    """

    def register(check: Check) -> Check:
        listed = tuple(cases)
        names = [case.name for case in listed]
        if not _IDENTIFIER.match(name) or name in _requirements:
            raise SuiteError(name, "its name is taken, or is not of the form area/name in small letters")
        if not _KEYWORDS.search(statement):
            raise SuiteError(name, "its statement has none of MUST, MUST NOT, SHOULD, SHOULD NOT, MAY")
        if {profile, *(case.profile or profile for case in listed)} - set(PROFILES):
            raise SuiteError(name, f"its profile is none of {', '.join(PROFILES)}")
        if len(set(names)) != len(names) or not names:
            raise SuiteError(name, "it has no case, or two of one name")
        _requirements[name] = Requirement(
            name, statement, why, profile, since, check, listed, refusal, casualties, seconds,
            fresh or bool(casualties),
        )
        return check

    return register


def requirements() -> tuple[Requirement, ...]:
    """All requirements, by name; imports the suite."""
    from . import suite

    suite.load()
    return tuple(_requirements[name] for name in sorted(_requirements))


def tests(profile: str = "full") -> tuple[Test, ...]:
    """The tests of a profile and of those that it includes, by profile, requirement and case."""
    held = PROFILES[: PROFILES.index(profile) + 1]
    found = [Test(r, case) for r in requirements() for case in r.cases]
    return tuple(sorted((t for t in found if t.profile in held), key=lambda t: held.index(t.profile)))


def find(identifier: str, module: str) -> Test:
    """The test with an id, without importing the whole suite where its check's module tells enough.

    Raises:
        SuiteError: There is none.
    """
    name, _, rest = identifier.partition("[")
    importlib.import_module(module)
    if name not in _requirements:
        requirements()
    if name in _requirements:
        for case in _requirements[name].cases:
            if case.name == rest[:-1]:
                return Test(_requirements[name], case)
    raise SuiteError(identifier, "there is no such test")
