# SPDX-License-Identifier: Apache-2.0
"""A plugin of pytest's: tests run in the order in which their files were named, and none begins after a time."""

from __future__ import annotations

import os
import time

import pytest

VARIABLE = "OLYMPUS_QUICK_ENDS"


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skips what would begin after the end: the summary counts it."""
    if time.time() > float(os.environ[VARIABLE]):
        pytest.skip("the time is over; make test runs it")
