# SPDX-License-Identifier: Apache-2.0
"""Runs the tests nearest to a change: `python -m tools.quick [--since REVISION] [--seconds 90] [--list]`."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time

from tests.architecture.source import ROOT

from .limit import VARIABLE
from .nearest import by_distance, changed_files

# Collecting, and tests under way when the time is over, take the rest.
_SHARE = 0.75
_NO_TESTS = 5


def main() -> int:
    """Chooses and runs; the exit status is pytest's, and 0 where a change touches no test."""
    parser = argparse.ArgumentParser(prog="python -m tools.quick", description=__doc__)
    parser.add_argument("--since", default="HEAD", help="the commit that the change is against (HEAD)")
    parser.add_argument("--seconds", type=float, default=90.0, help="how long it may take in all (90)")
    parser.add_argument("--processes", default="2", help="processes that run tests (2)")
    parser.add_argument("--list", action="store_true", help="only prints the files, with their distance")
    options = parser.parse_args()
    end = time.time() + _SHARE * options.seconds
    nearest = by_distance(changed_files(options.since))
    names = [str(path.relative_to(ROOT)) for _, path in nearest]
    if options.list or not names:
        lines = [f"{distance:3}  {name}" for (distance, _), name in zip(nearest, names, strict=True)]
        sys.stdout.write("\n".join(lines or ["no test can tell this change from what was before"]) + "\n")
        return 0
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tools.quick.limit", "-m", "not slow and not processes",
               "-n", options.processes, "--dist", "loadfile", "--no-loadscope-reorder", *names]
    status = subprocess.run(command, cwd=ROOT, env={**os.environ, VARIABLE: str(end)}, check=False).returncode
    return 0 if status == _NO_TESTS else status


if __name__ == "__main__":
    sys.exit(main())
