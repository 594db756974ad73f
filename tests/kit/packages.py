# SPDX-License-Identifier: Apache-2.0
"""Distributions that are made and installed for a test, as strangers' would be: by pip, into a folder of their own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.support.processes import ROOT, Finished, Processes, clean_environment

SEAM = ("plugin", "program", "ops", "toolkit", "errors", "dtypes")  # the rooms of the core that a plugin may import


def install(target: Path, *folders: Path) -> None:
    """Installs packages with pip; their folders are left with what a build leaves there."""
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index",
               "--disable-pip-version-check", "--upgrade", "--target", str(target), *map(str, folders)]
    finished = subprocess.run(command, capture_output=True, text=True, env=clean_environment(), timeout=120)
    assert finished.returncode == 0, finished.stdout + finished.stderr


def run_in(
    site: Path, command: Sequence[str], *, cwd: Path, env: Mapping[str, str] | None = None, deadline: float = 120.0
) -> Finished:
    """Runs ``python -m`` something where the packages of a folder are installed."""
    path = clean_environment({})["PYTHONPATH"]
    with Processes(deadline) as processes:
        processes.start([sys.executable, "-m", *command], cwd=cwd, env={"PYTHONPATH": f"{site}:{path}", **(env or {})})
        (finished,) = processes.wait()
    assert not finished.timed_out, f"{' '.join(command)} took more than {deadline:.0f} s: {finished.stdout[-2000:]}"
    return finished


def passes(
    site: Path, platform: str, profile: str, folder: Path, *more: str, deadline: float = 120.0
) -> str:
    """What the conformance suite writes about an installed platform, which must pass."""
    finished = run_in(
        site, ["olympus_conformance", "run", "--platform", platform, "--profile", profile, "--quick",
               "--output", str(folder / "report"), *more], cwd=folder, deadline=deadline)
    last = finished.stdout.rstrip().rpartition("\n")[2]
    assert finished.returncode == 0 and last.startswith(("PASS: profile", "INCOMPLETE: no failure")), (
        finished.stdout + finished.stderr)
    return finished.stdout


__all__ = ["ROOT", "SEAM", "install", "passes", "run_in"]
