# SPDX-License-Identifier: Apache-2.0
"""The table of jobs that must survive: the driver itself, with small disturbances."""

from __future__ import annotations

import dataclasses
import sys

import pytest

from benchmarks.survivors import DISTURBANCES, survive

BY_NAME = {disturbance.name: disturbance for disturbance in DISTURBANCES}


@pytest.mark.parametrize("name", ["late", "continued"])
def test_a_small_disturbance_is_survived(name: str) -> None:
    verdict = survive(BY_NAME[name], "olympus", sys.executable, scale=0.01)
    assert verdict is not None and verdict.clean, verdict


def test_a_job_that_ends_is_no_survivor() -> None:
    absent = dataclasses.replace(BY_NAME["late"], act=lambda processes, seconds: processes[2].kill())
    verdict = survive(absent, "olympus", sys.executable, scale=0.01)
    assert verdict is not None and not verdict.clean
    assert "process 2: dies of SIGKILL" in verdict.text
