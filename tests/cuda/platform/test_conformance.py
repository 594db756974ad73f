# SPDX-License-Identifier: Apache-2.0
"""The conformance suite over the stand-in: what finishes within a minute; the whole profile is a command.

    python -m tests.cuda.standin olympus-conformance run --platform cuda --profile single
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ..standin.environment import ROOT, environment, missing


@pytest.mark.parametrize(("gpus", "fraction"), [(1, "1/8"), (2, "2/8")])
def test_a_part_of_the_profile_single(gpus: int, fraction: str, tmp_path: Path) -> None:
    lacks = missing()
    if lacks is not None:
        pytest.skip(lacks)
    command = [sys.executable, "-m", "olympus_conformance", "run", "--platform", "cuda", "--profile", "single",
               "--fraction", fraction, "--output", str(tmp_path)]
    env = {**os.environ, **environment(gpus, keeps=False)}
    done = subprocess.run(command, env=env, cwd=ROOT, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]
    report = json.loads((tmp_path / "report.json").read_text())
    assert len(report["results"]) > 30
