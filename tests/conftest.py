"""How hypothesis searches, in which order tests run, what the collector of garbage leaves alone; devices: see above."""

from __future__ import annotations

import gc
import os

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("default", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("default"), derandomize=True, database=None)
settings.load_profile("ci" if os.environ.get("CI") else "default")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Where several processes run the tests, files that take long come first: in the end nobody waits for one."""
    if hasattr(config, "workerinput"):
        long = {item.path for item in items if item.get_closest_marker("slow")}
        items.sort(key=lambda item: item.path not in long)


def pytest_collection_finish() -> None:
    """What is there before the first test stays: whoever collects garbage need not go through it each time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)  # tests make and forget much, and what they check to be freed they collect
