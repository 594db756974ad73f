# SPDX-License-Identifier: Apache-2.0
"""The plugin of ``pytest --pyargs olympus_conformance --platform NAME``; installed as `olympus_conformance_pytest`.

Every pytest of the environment loads this, so it is a package of its own that imports nothing: only where the suite is
asked for by name does it bring in the suite's options and tests.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

SUITE = "olympus_conformance"


def pytest_load_initial_conftests(early_config: pytest.Config, args: list[str]) -> None:
    """Registers the suite, early enough for it to have options."""
    if any(argument.partition("::")[0].partition(".")[0] == SUITE for argument in args):
        early_config.pluginmanager.import_plugin(f"{SUITE}.harness.pytest_items")
