# SPDX-License-Identifier: Apache-2.0
"""python -m tools.lock: asks pip what it would install, and writes the lock file and the SBOM.

    tools/lock/linux-3.12.txt    what tests and checks need, for CI: CPython 3.12 on Linux, x86-64
    tools/lock/sbom.cdx.json     what olympus itself needs, in CycloneDX 1.6, in the versions of that file

Nothing is installed. It has to be run by CPython 3.12 on Linux, with a pip of 2025 or later, whose report has licences;
for other Pythons no lock applies, and `make test` takes what fits.
"""

from __future__ import annotations

import json
import platform
import subprocess
import sys
from pathlib import Path

from .render import Install, lock, sbom

ROOT = Path(__file__).resolve().parents[2]
LOCK = Path(__file__).with_name("linux-3.12.txt")
SBOM = Path(__file__).with_name("sbom.cdx.json")


def main() -> int:
    """Writes both files."""
    if sys.version_info[:2] != (3, 12) or platform.system() != "Linux" or platform.machine() != "x86_64":
        sys.stderr.write("the lock is for CPython 3.12 on Linux, x86-64: run it there\n")
        return 1
    LOCK.write_text(lock(_report(".[test,check]")), encoding="utf-8")
    SBOM.write_text(sbom(_report(".")), encoding="utf-8")
    return 0


def _report(wanted: str) -> list[Install]:
    command = [sys.executable, "-m", "pip", "install", "--dry-run", "--ignore-installed", "--quiet",
               "--disable-pip-version-check", "--report", "-", wanted]
    done = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
    found: list[Install] = json.loads(done.stdout)["install"]
    return found


if __name__ == "__main__":
    sys.exit(main())
