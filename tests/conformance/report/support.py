# SPDX-License-Identifier: Apache-2.0
"""A small suite of its own and good reports of it, so that these tests do not change with the real suite."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, timezone
from typing import Any

from olympus_conformance.outcome import Outcome, Status
from olympus_conformance.profiles import CORE_OPERATIONS
from olympus_conformance.report import Declared, Facts, Git, Report, Suite, WaiverUse, build, mustpass
from olympus_conformance.requirement import Case, Requirement, Test

TODAY = date(2026, 11, 21)
WAIVED = "faults/killed[4 processes]"


def requirement(name: str, statement: str, profile: str, *cases: Case, since: str = "1.0") -> Requirement:
    def check(context: Any) -> None:
        """Never run here."""

    return Requirement(
        name, statement, "Something breaks.", profile, since, check, cases or (Case(),), None, (), 30.0, False)


def make_suite(version: str = "1.0") -> Suite:
    kinds = ("bool", "int32", "float32", "float64")
    requirements = (
        requirement("buffers/round_trip", "A buffer MUST hand back what it was made of.", "minimal",
                    *(Case(kind, needs=(f"dtype:{kind}",)) for kind in kinds)),
        requirement("buffers/quick", "A buffer SHOULD be made quickly.", "minimal"),
        requirement("copies/between", "A copy MUST reach another device.", "single", Case(needs=("devices:2",))),
        requirement("operations/result", "An operation MUST give the `reference`'s results.", "single",
                    Case("add,float32", needs=("operation:add", "dtype:float32")),
                    Case("sort,float32", needs=("operation:sort", "dtype:float32"), profile="full"),
                    Case("sort,float64", needs=("operation:sort", "dtype:float64"), profile="full")),
        requirement("collectives/all_reduce", "all_reduce MUST reduce <all> & everything.", "multi",
                    *(Case(f"sum,float32,{n} processes", needs=("multi_process",), processes=n) for n in (2, 4))),
        requirement("collectives/barrier", "A barrier MUST wait for all.", "multi",
                    Case("2 processes", needs=("multi_process",), processes=2)),
        requirement("faults/killed", "Survivors MUST get an error.", "full",
                    Case("4 processes", needs=("multi_process",), processes=4)),
        requirement("dlpack/round_trip", "DLPack MUST round trip.", "full", Case(needs=("dlpack",))),
    )
    tests = {test.id: test for test in (Test(r, case) for r in requirements for case in r.cases)}
    return Suite(version, tests, {"1.0": mustpass.expected(tests.values(), "1.0")})


SUITE = make_suite()


def make_facts(**changes: Any) -> Facts:
    facts = Facts(
        suite_version="1.0", contract_version="1.0", platform="acme", distribution="olympus-acme",
        distribution_version="1.4.2", api_version=(1, 0), devices=("ACME_0", "ACME_1"), device_kinds=("acme-9",),
        capabilities=Declared(
            ("bool", "float32", "int32", "uint32"), tuple(sorted(CORE_OPERATIONS)), donation=True, multi_process=True),
        topology=((1, 2), (2, 2), (4, 2)), python="3.11.7", numpy="2.4.6", olympus="0.1.0", system="Linux 6.1",
        machine="x86_64", processors=2, started=datetime(2026, 11, 20, 8, 30, tzinfo=timezone.utc), seconds=41.5,
        profile="full", git=Git("c43e5d7" + "0" * 33, False),
        waivers=(WaiverUse("faults/*", ">=1.4,<2", "https://example.org/12", "the driver is old", date(2027, 1, 1),
                           (WAIVED,)),),
    )
    return replace(facts, **changes)


def make_outcomes(changes: dict[str, Status | Outcome] | None = None) -> list[Outcome]:
    """What a good platform gives that declares neither sort, float64 nor dlpack; some changed."""
    settled: dict[str, Outcome] = {}
    declared = make_facts().capabilities
    for number, (identifier, test) in enumerate(SUITE.tests.items()):
        lacking = [n for n in test.case.needs if not n.startswith("devices:") and not declared.has(n)]
        status = Status.NOT_SUPPORTED if lacking else Status.PASS
        reason = f"{', '.join(lacking)} is not declared" if lacking else ""
        settled[identifier] = Outcome(identifier, status, 0.25 + number, reason)
    settled[WAIVED] = Outcome(WAIVED, Status.WAIVED, 1.0, "a waiver: the driver is old", "no error", "an error")
    for identifier, change in (changes or {}).items():
        settled[identifier] = change if isinstance(change, Outcome) else Outcome(identifier, change, 1.0)
    return list(settled.values())


def make_report(changes: dict[str, Status | Outcome] | None = None, suite: Suite = SUITE, **facts: Any) -> Report:
    return build(make_outcomes(changes), make_facts(**facts), suite)


def make_fractions(count: int, outcomes: Sequence[Outcome] | None = None) -> dict[str, Report]:
    """The good run, divided among machines."""
    every = list(outcomes or make_outcomes())
    reports = {}
    for index in range(count):
        part = every[index::count]
        ids = {outcome.id for outcome in part}
        waiver = make_facts().waivers[0]
        use = waiver if WAIVED in ids else replace(waiver, matched=(), problem="it matches no failing test")
        reports[f"part-{index + 1}.json"] = build(
            part, make_facts(fraction=(index + 1, count), waivers=(use,), seconds=10.0), SUITE)
    return reports
