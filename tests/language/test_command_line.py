# SPDX-License-Identifier: Apache-2.0
"""The command lines end quietly when nobody reads what they print."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.parametrize("command", ["olympus doctor", "olympus_conformance run --platform cpu --list"])
def test_a_closed_pipe_is_no_error(command: str) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", *command.split()], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    process.stdout.close()
    process.stdout = None
    _, complaints = process.communicate(timeout=60)
    assert (process.returncode, complaints) == (1, "")
