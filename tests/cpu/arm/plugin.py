# SPDX-License-Identifier: Apache-2.0
"""`python -m pytest -p tests.cpu.arm.plugin --processor neoverse tests/cpu/codegen`: tests whose kernels an emulated
ARM processor runs.
"""

from __future__ import annotations

import pytest

_LEFT_OUT = {
    "test_emulated_fma.py": "calls functions of the C library that take floats, which the emulator does not pass on",
    "test_nothing_but_signals_interrupts": "takes thirty million turns of a loop",
}


def pytest_addoption(parser: pytest.Parser) -> None:
    """Pytest's hook: the option."""
    parser.addoption("--processor", required=True, help="the processor, as in Target.named")


def pytest_configure(config: pytest.Config) -> None:
    """Pytest's hook: begins the emulation before tests are collected."""
    from .emulation import emulate

    emulate(config.getoption("--processor"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Pytest's hook: what cannot be emulated is skipped."""
    for item in items:
        for part, reason in _LEFT_OUT.items():
            if part in item.nodeid:
                item.add_marker(pytest.mark.skip(reason=reason))
