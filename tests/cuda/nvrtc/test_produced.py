# SPDX-License-Identifier: Apache-2.0
"""What tests run by emulation becomes machine code, too: of a choice of tests; the command does it for all."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from ..emulation import missing
from .test_nvrtc import needs_nvrtc

# Tests of every kind of text, quick ones: programs that were drawn, running sums, own products, functions, and
# what a whole platform runs in a process of its own.
CHOICE = (
    "codegen/test_planned.py::test_random_programs_have_no_races",
    "codegen/test_planned.py::test_running_reductions",
    "codegen/test_shapes.py::test_two_vectors_of_a_thread",
    "functions/test_exact.py::test_neighbours",
    "products/test_convolutions.py::test_small_ones_are_one_kernel",
    "platform/test_execution.py::test_graphs_are_replayed_and_right",
)


@needs_nvrtc
@pytest.mark.skipif(missing() is not None, reason=str(missing()))
def test_every_text_that_some_tests_run_is_machine_code_for_an_architecture() -> None:
    command = [sys.executable, "-m", "tests.cuda.machine_code", "--by-turns", "-p", "no:cacheprovider",
               *(f"tests/cuda/{test}" for test in CHOICE)]
    done = subprocess.run(command, cwd=Path(__file__).parents[3], capture_output=True, text=True, timeout=300,
                          check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    said = re.search(r"(\d+) texts for sm_80, sm_90, sm_100: 0 refused", done.stdout)
    assert said is not None and int(said[1]) >= 40, done.stdout
