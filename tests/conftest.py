# SPDX-License-Identifier: Apache-2.0
"""How hypothesis searches, in which order tests run, what the collector of garbage leaves alone; devices: see above."""

from __future__ import annotations

import gc
import os
from collections.abc import Generator, Iterator

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import HealthCheck, settings

settings.register_profile("default", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("default"), derandomize=True, database=None)
settings.load_profile("ci" if os.environ.get("CI") else "default")

# From the collection of tests on, a third of whose time it would take: they make and forget much, and what they check
# to be freed they collect.
gc.set_threshold(50_000, 20, 20)


@pytest.hookimpl(wrapper=True)
def pytest_collect_file() -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Tests have no examples in their docstrings: they are not searched for them."""
    found = yield
    return [one for one in found if not isinstance(one, DoctestModule)]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Where several processes run the tests, files that take long come first: in the end nobody waits for one."""
    if hasattr(config, "workerinput"):
        long = {item.path for item in items if item.get_closest_marker("slow")}
        items.sort(key=lambda item: item.path not in long)


def pytest_collection_finish() -> None:
    """What is there before the first test stays: whoever collects garbage need not go through it each time."""
    _keep_what_is_there()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    """What a file leaves stays, too: compiled programs, and the file itself."""
    yield
    if nextitem is None or nextitem.path != item.path:
        _keep_what_is_there()


def _keep_what_is_there() -> None:
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def _verified_passes() -> Iterator[None]:
    """After each pass over a program that a test compiles, it is well-formed, and takes and gives the same."""
    from olympus_core.program import operations_of, verify
    from olympus_core.toolkit.flatten import Flat
    from olympus_core.toolkit.passes import Pass

    def verified(self: Pass, flat: Flat) -> Flat:
        after = self.function(flat)
        if after is not flat:
            assert after.inputs == flat.inputs
            assert [v.type for v in after.outputs] == [v.type for v in flat.outputs]
            # The groups of collectives are about more devices than a program tells.
            program = after.program(self.name)
            if not any(operation.record.category == "collective" for operation in operations_of(program)):
                verify(program)
        return after

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Pass, "__call__", verified)
        yield
