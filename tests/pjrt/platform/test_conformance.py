"""The conformance suite on the CPU library, as a vendor would run it."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from ..libraries import cpu_library


@pytest.mark.slow
@pytest.mark.processes
@pytest.mark.parametrize(("devices", "profile"), [(4, "single"), (1, "minimal")])
def test_nothing_speaks_against_the_platform(tmp_path, devices: int, profile: str) -> None:
    environment = {**os.environ, "OLYMPUS_PJRT_LIBRARY": cpu_library(), "TF_CPP_MIN_LOG_LEVEL": "2"}
    for name in ("OLYMPUS_PLATFORMS", "OLYMPUS_PJRT_OPTIONS"):
        environment.pop(name, None)
    done = subprocess.run(
        [sys.executable, "-m", "olympus_conformance", "run", "--platform", "pjrt", "--profile", profile, "--quick",
         "--devices", str(devices), "--output", str(tmp_path / "report")],
        env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=400,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-1000:]
    assert done.stdout.rstrip().endswith("PASS")
