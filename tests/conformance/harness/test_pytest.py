# SPDX-License-Identifier: Apache-2.0
"""The suite as a vendor's pytest runs it."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from tests.support.processes import Finished, run_processes

pytestmark = pytest.mark.processes


def run(acme: Path, *arguments: str, fault: str = "") -> Finished:
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--rootdir", str(acme.parent), *arguments]
    return run_processes(
        command, 1, deadline=60, env={"PYTHONPATH": os.environ["PYTHONPATH"], "ACME_FAULT": fault})[0]


def test_every_test_is_an_item(acme: Path) -> None:
    done = run(
        acme, "--pyargs", "olympus_conformance", "--platform", "acme", "--profile", "minimal", "-v", "-rs",
        "-k", "round_trip and (int32 or bfloat16)", fault="wrong int32")
    assert done.returncode == 1, done.stdout
    assert "contract 1.0, platform acme, profile minimal" in done.stdout
    assert "buffers/round_trip[int32] FAILED" in done.stdout
    assert "buffers/round_trip[uint32] PASSED" in done.stdout
    assert "buffers/round_trip[bfloat16] SKIPPED" in done.stdout
    assert ": dtype:bfloat16 is not declared" in done.stdout
    assert "A buffer MUST hand back" in done.stdout and "required: " in done.stdout
    assert "pytest_items.py" not in done.stdout.partition("short test summary")[0]  # no traceback of the suite's own
    assert "1 failed, 1 passed, 1 skipped" in done.stdout


def test_waived_is_expected_to_fail(acme: Path, tmp_path: Path) -> None:
    waivers = tmp_path / "waivers.json"
    entry = {"id": "buffers/*", "link": "https://example.com/7", "reason": "known", "expires": "2999-01-01"}
    waivers.write_text(json.dumps({"waiver": [entry]}))
    done = run(
        acme, "--pyargs", "olympus_conformance", "--platform", "acme", "--waivers", str(waivers), "-k",
        "buffers/round_trip[int32]", fault="wrong int32")
    assert done.returncode == 0 and "1 xfailed" in done.stdout, done.stdout


def test_no_platform_is_a_usage_error(acme: Path) -> None:
    done = run(acme, "--pyargs", "olympus_conformance")
    assert done.returncode == 4
    assert "add --platform NAME" in done.stderr + done.stdout


def test_a_platform_that_cannot_be_opened_ends_the_session(acme: Path) -> None:
    done = run(acme, "--pyargs", "olympus_conformance", "--platform", "acme", "--profile", "minimal",
               fault="raises in open")
    assert done.returncode == 4
    assert "the board does not answer" in done.stdout + done.stderr


def test_other_sessions_know_nothing_of_it(acme: Path) -> None:
    (acme.parent / "test_other.py").write_text(
        "import sys\ndef test():\n    assert 'olympus_conformance' not in sys.modules\n")
    done = run(acme, str(acme.parent / "test_other.py"))
    assert done.returncode == 0, done.stdout
    done = run(acme, str(acme.parent / "test_other.py"), "--platform", "acme")
    assert done.returncode == 4 and "unrecognized arguments" in done.stderr
