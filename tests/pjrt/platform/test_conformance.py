# SPDX-License-Identifier: Apache-2.0
"""The conformance suite on the CPU library, as a vendor would run it: what ends within a minute.

The whole profiles are commands: `olympus-conformance run --platform pjrt --devices 4 --profile single --waivers
plugins/pjrt/xla_cpu_waivers.json`, and the collectives of profile `multi` within one process, for 1, 2 and 4 devices:
`olympus-conformance run --platform pjrt --profile multi --only '*1 process*' 'local_collectives/*' 'control/*'`.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import olympus_pjrt
from olympus_conformance.samples.complex_specials import SPECIALS
from olympus_conformance.waivers import read

from ..libraries import cpu_library

WAIVERS = Path(olympus_pjrt.__file__).parent / "xla_cpu_waivers.json"

# What of them is no repetition with other element types and reductions.
WITHIN_ONE_PROCESS = (
    "programs/*1 process*", "communicators/*1 process*", "communicators/within_a_process", "control/*collectives*",
    "control/groups_part_ways", "collectives/*float32,1 process*", "local_collectives/*sum*",
    "local_collectives/*to_all*",
    *(f"collectives/{name}*1 process*" for name in ("several", "exchange", "barrier", "order", "unready", "beside")),
)

pytestmark = [pytest.mark.slow, pytest.mark.processes]


@pytest.mark.parametrize(("devices", "profile", "fraction"), [(4, "single", "1/8"), (1, "minimal", "1/1")])
def test_nothing_speaks_against_the_platform(tmp_path: Path, devices: int, profile: str, fraction: str) -> None:
    require_pass(tmp_path, devices, profile, "--quick", "--fraction", fraction)


def test_complex_special_values_are_waived_by_name_and_in_sight(tmp_path: Path) -> None:
    """With what the host runs in their place beside them: operations that StableHLO has not are declared."""
    said = require_pass(tmp_path, 1, "single", "--only", "operations/special[abs,complex64]",
                        "operations/special[exp,complex64]", "operations/special[bessel_i0e,float32]",
                        "operations/special[max,float32]", "operations/special[sort,float32]")
    waived = re.findall(r"^WAIVED (\S+): XLA's expansion", said, re.M)
    assert waived == ["operations/special[abs,complex64]", "operations/special[exp,complex64]"]
    assert "3 pass, 2 waived" in said


def test_waivers_are_of_complex_functions_only() -> None:
    entries = read(WAIVERS)
    assert len(entries) == 21
    assert {entry.id for entry in entries} <= {f"operations/special[{name},complex*" for name in SPECIALS}


@pytest.mark.parametrize("devices", [1, 4])
def test_collectives_within_one_process(tmp_path: Path, devices: int) -> None:
    said = require_pass(tmp_path, devices, "multi", "--only", *WITHIN_ONE_PROCESS)
    assert int(re.search(r"^multi +\w+ +(\d+) of", said, re.M)[1]) > 30  # those that were run and held


def require_pass(folder: Path, devices: int, profile: str, *options: str) -> str:
    """Runs the suite and gives what it printed; fails unless it says that all is well."""
    environment = {**os.environ, "OLYMPUS_PJRT_LIBRARY": cpu_library(), "TF_CPP_MIN_LOG_LEVEL": "2"}
    for name in ("OLYMPUS_PLATFORMS", "OLYMPUS_PJRT_OPTIONS"):
        environment.pop(name, None)
    done = subprocess.run(
        [sys.executable, "-m", "olympus_conformance", "run", "--platform", "pjrt", "--profile", profile,
         "--devices", str(devices), "--output", str(folder / "report"), "--waivers", str(WAIVERS), *options],
        env=environment, cwd=folder, capture_output=True, text=True, timeout=400,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-1000:]
    assert done.stdout.rstrip().splitlines()[-1].startswith(("PASS: profile", "INCOMPLETE: no failure"))
    return done.stdout
