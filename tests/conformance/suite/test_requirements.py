# SPDX-License-Identifier: Apache-2.0
"""Every requirement holds on right platforms; `../test_broken.py` shows that each is false on a wrong one."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from olympus_conformance import Context, Session, Status, Test, run_test
from olympus_conformance import tests as suite_tests
from olympus_conformance.suite.full import random_programs
from olympus_core.errors import NotSupportedError
from olympus_core.plugin import PlatformSettings
from olympus_core.runtime.registry import registry
from olympus_core.toolkit import table_platform

from ..broken import BROKEN

DEVICES = 3
FILES = ("minimal.", "single.", "full.random_programs")


def is_mine(test: Test) -> bool:
    """Of one process, and not of the operations' matrix, which has its own tests."""
    module = test.requirement.check.__module__.partition("suite.")[2]
    return module.startswith(FILES) and "operations" not in module and test.case.processes == 1


TESTS = [test for test in suite_tests() if is_mine(test)]
QUICK = [test for test in TESTS if test.case.quick]


@pytest.fixture(scope="module")
def sessions() -> Iterator[dict[str, Session]]:
    (cpu,) = registry.select(["cpu"])
    settings = PlatformSettings(device_count=DEVICES, transports=registry.transports())
    opened = {"cpu": Session(cpu.platform, settings), "table": Session(table_platform("tiny", np), settings)}
    yield opened
    for session in opened.values():
        session.close()


@pytest.mark.parametrize("platform", ["cpu", "table"])
@pytest.mark.parametrize("name", sorted({test.requirement.name for test in QUICK}))
def test_a_right_platform_passes(sessions: dict[str, Session], platform: str, name: str) -> None:
    session = sessions[platform]
    for test in QUICK:
        if test.requirement.name == name:
            outcome = run_test(test, Context(session, test.id))
            allowed = {Status.PASS} if platform == "cpu" else {Status.PASS, Status.NOT_SUPPORTED}
            assert outcome.status in allowed, outcome


def test_a_failing_random_program_is_made_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random_programs, "_SHRINK_SECONDS", 3.0)
    session = Session(BROKEN["programs_with_products"].make(), PlatformSettings(device_count=DEVICES))
    try:
        failed = next(
            outcome for test in TESTS if test.requirement.name == "random/programs"
            for outcome in [run_test(test, Context(session, test.id))] if outcome.status is Status.FAIL
        )
    finally:
        session.close()
    assert failed.program.count(" = ") <= 4, failed.program
    assert "mul" in failed.program


def test_what_is_not_declared_must_be_refused() -> None:
    class Lacking(type(table_platform("lacking", np))):
        def open(self, settings: PlatformSettings) -> object:
            client = super().open(settings)
            operations = client.capabilities.operations - {"all_to_all", "broadcast", "host_callback"}
            from dataclasses import replace

            client.capabilities = replace(client.capabilities, operations=operations)
            if self.kind == "honest":
                compiled = client.compile

                def compile(program, links):
                    for operation in program.program.operations:
                        if operation.name not in operations:
                            raise NotSupportedError(operation.name, "it is not declared", "Use another platform.")
                    return compiled(program, links)

                client.compile = compile
            return client

    names = ("local_collectives/all_to_all", "local_collectives/broadcast", "callbacks/results")
    for kind, wanted in (("honest", Status.NOT_SUPPORTED), ("careless", Status.FAIL)):
        right = table_platform("lacking", np)
        right.__class__, right.kind = Lacking, kind
        session = Session(right, PlatformSettings(device_count=DEVICES))
        found = {o.status for test in QUICK if test.requirement.name in names
                 for o in [run_test(test, Context(session, test.id))]}
        session.close()
        assert found == {wanted}
