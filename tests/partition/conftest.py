# SPDX-License-Identifier: Apache-2.0
"""An option for the long proof: ``pytest tests/partition --exhaustive`` tries every sharding, not a sample."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--exhaustive", action="store_true", help="try every sharding of every operation")


@pytest.fixture
def exhaustive(request: pytest.FixtureRequest) -> bool:
    """Whether everything is to be tried."""
    return bool(request.config.getoption("--exhaustive", default=False))
