# SPDX-License-Identifier: Apache-2.0
"""The programs of tests/typing/programs, which type checkers read in `make check`, do run."""

from importlib import import_module

import pytest

PROGRAMS = ["arrays", "control", "derivatives", "job", "platform", "sharded", "training"]


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_runs(name):
    assert import_module(f"tests.typing.programs.{name}").main() is not None
