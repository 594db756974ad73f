# SPDX-License-Identifier: Apache-2.0
"""Reads the output of programs that measure themselves once and end."""

from __future__ import annotations

from benchmarks.processes import ProgramError


def answer(output: str) -> float:
    """The number of the last line ``=NUMBER``.

    Raises:
        ProgramError: There is no such line.
    """
    for line in reversed(output.splitlines()):
        if line.startswith("="):
            return float(line[1:])
    raise ProgramError(f"printed no figure:\n{output[-1000:]}")
