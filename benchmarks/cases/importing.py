# SPDX-License-Identifier: Apache-2.0
"""The cost of the import: the whole process, so that the interpreter's own start cancels out in the difference."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from benchmarks.measure import Case, Sample, Setup, difference, ratio
from benchmarks.processes import run_to_end

MODULES = {"olympus": "olympus", "numpy": "numpy", "peer": "jax"}


@contextmanager
def _open(side: str, setup: Setup) -> Iterator[Sample]:
    python = setup.peer_python if side == "peer" else setup.python
    command = [python, "-c", f"import {MODULES[side]}"]
    yield lambda: run_to_end([command], {})[0] * 1e3


CASES = (
    Case(
        name="import",
        title="a process that imports and ends",
        unit="ms",
        row="start",
        sides={side: partial(_open, side) for side in MODULES},
        bars=(difference("olympus", "numpy", 150.0, "ms"), ratio("olympus", "peer", 0.5)),
        rounds=21,
        quick_rounds=5,
        warmups=2,
    ),
)
