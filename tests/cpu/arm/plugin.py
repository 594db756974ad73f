# SPDX-License-Identifier: Apache-2.0
"""`python -m pytest -p tests.cpu.arm.plugin --processor neoverse tests/cpu/codegen`: tests whose kernels an emulated
ARM processor runs.
"""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Pytest's hook: the option."""
    parser.addoption("--processor", required=True, help="the processor, as in Target.named")


def pytest_configure(config: pytest.Config) -> None:
    """Pytest's hook: begins the emulation before tests are collected."""
    from .emulation import emulate

    emulate(config.getoption("--processor"))
