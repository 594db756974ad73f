# SPDX-License-Identifier: Apache-2.0
"""``python -m tools.launchers [WORDS]``: the cases that have these words in their names; ``--install`` asks apt."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.support import networks
from tests.support.processes import clean_environment

from .cases import Case, cases
from .machines import Machines
from .slurm import Slurm

# libpmix-dev has the name by which Slurm's plugin loads PMIx.
_PACKAGES = ("openmpi-bin", "mpich", "slurm-wlm", "munge", "libpmix-dev", "iproute2")
_SECONDS = 120.0


def problem(case: Case, command: list[str], environment: dict[str, str]) -> str:
    """What is wrong with a case; empty if it did what it should."""
    try:
        end = subprocess.run(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
            timeout=_SECONDS, check=False, text=True)
    except subprocess.TimeoutExpired as error:
        return f"it did not end in {_SECONDS:.0f} s: {(error.stdout or b'')[-2000:]!r}"
    if (end.returncode == 0) != bool(case.processes):
        return f"exit code {end.returncode}: {end.stdout[-3000:]}"
    absent = case.lines - set(end.stdout.splitlines())
    if absent or case.words not in end.stdout:
        return f"without {sorted(absent) or case.words!r}: {end.stdout[-3000:]}"
    return ""


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main(arguments: list[str]) -> int:
    """Runs them; how many failed."""
    if "--install" in arguments:
        arguments = [argument for argument in arguments if argument != "--install"]
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        subprocess.run(["apt-get", "update", "-qq"], check=True)
        install = ["apt-get", "install", "-qq", "--yes", "--no-install-recommends", *_PACKAGES]
        subprocess.run(install, check=True, env=environment)
    if not networks.are_allowed():
        _say("make test-launchers makes network namespaces: run it as root, with iproute2.")
        return 2
    failed = 0
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="olympus-launchers-")))
        machines = stack.enter_context(Machines(folder))
        slurm: Slurm | None = None
        for case in cases(machines.agent):
            if not all(word in case.name for word in arguments):
                continue
            if case.missing:
                _say(f"absent  {case.name}: no {', '.join(case.missing)}")
                failed += 1
                continue
            if "slurmd" in case.needs and slurm is None:
                slurm = stack.enter_context(Slurm(folder, machines))
            environment = {**clean_environment(None), "OLYMPUS_NUM_CPU_DEVICES": "1", **case.environment}
            environment |= slurm.environment if slurm is not None else {}
            start = time.monotonic()
            command = [*(machines.command(0) if case.machines else []), *case.command]
            text = problem(case, command, environment)
            _say(f"{'FAILED' if text else 'passed'}  {case.name}  {time.monotonic() - start:.1f} s")
            if text:
                failed += 1
                _say("        " + text.replace("\n", "\n        "))
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
