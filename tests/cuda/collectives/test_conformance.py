# SPDX-License-Identifier: Apache-2.0
"""The conformance suite's jobs of several processes over the stand-ins: some of each kind; the whole is a command.

    OLYMPUS_FAKE_NCCL_FOLDER=folder python -m tests.cuda.standin --gpus 2 olympus-conformance run --platform cuda \
        --profile multi
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.support.processes import Processes

from ..standin.environment import missing
from .jobs import variables

pytestmark = [
    pytest.mark.processes,
    pytest.mark.skipif(missing() is not None, reason=str(missing())),
]
_DEADLINE = 150.0
_SOME = (
    "collectives/abort?2*", "collectives/pending?2*", "collectives/unready_inputs?2*", "communicators/many_at_once?2*",
    "lifecycle/*", "memory/returned_after_collectives?2*", "programs/collectives_in_control_flow?2*",
    "programs/donation_across?2*", "programs/local_and_spanning?2*",
)


def test_a_part_of_the_profile_multi(tmp_path: Path) -> None:
    (tmp_path / "nccl").mkdir()
    command = [sys.executable, "-m", "olympus_conformance", "run", "--platform", "cuda", "--profile", "multi",
               "--timeout-factor", "3", "--output", str(tmp_path / "report"), "--only", *_SOME]
    with Processes(_DEADLINE) as processes:
        processes.start(command, env=variables(2, None, tmp_path / "nccl"))
        (end,) = processes.wait()
    assert end.returncode == 0, end.stdout[-5000:] + end.stderr[-2000:]
    report = json.loads((tmp_path / "report" / "report.json").read_text())
    assert len(report["results"]) > 10
