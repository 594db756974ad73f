# SPDX-License-Identifier: Apache-2.0
"""The platforms that everybody begins with: what the command says of them."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.processes import ROOT, Finished, run_processes

pytestmark = pytest.mark.processes
TINY = ROOT / "tests" / "plugins" / "tiny"

# An author's first day: one operation of the set.
YOUNG = '''
import numpy as np
from olympus_core.plugin import hookimpl
from olympus_core.toolkit import OperationTable, table_platform


@hookimpl
def olympus_platform():
    add = lambda operands, attributes: (np.asarray(operands[0] + operands[1]),)
    return table_platform("young", OperationTable({"add": add}))
'''


def _site(folder: Path, name: str) -> Path:
    """A folder with what `pip install` writes of a platform's package."""
    metadata = folder / "site" / f"olympus_{name}-0.1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: olympus-{name}\nVersion: 0.1.0\n")
    (metadata / "entry_points.txt").write_text(f"[olympus.platforms]\n{name} = olympus_{name}\n")
    return metadata.parent


def _run(folder: Path, name: str, source: Path, *arguments: str) -> tuple[Finished, dict[str, Any]]:
    """The command as a person types it, and its report."""
    command = [sys.executable, "-m", "olympus_conformance", "run", "--platform", name, "--output",
               str(folder / "out"), *arguments]
    path = ":".join(map(str, (_site(folder, name), source, ROOT)))
    (finished,) = run_processes(command, 1, deadline=100, env={"PYTHONPATH": path})
    assert finished.returncode in (0, 1), finished.stderr
    return finished, json.loads((folder / "out" / "report.json").read_text())


def test_the_toy_passes_minimal(tmp_path: Path) -> None:
    finished, report = _run(tmp_path, "tiny", TINY, "--profile", "minimal")
    assert finished.returncode == 0, finished.stdout
    assert finished.stdout.splitlines()[-1].startswith("PASS: profile minimal")
    assert report["verdicts"]["minimal"]["ruling"] == "pass"
    lacking = {r["reason"] for r in report["results"] if r["status"] != "pass"}
    assert all(reason.startswith(("dtype:", "dlpack")) for reason in lacking), lacking
    single = report["verdicts"]["single"]
    assert single["ruling"] == "incomplete" and single["missing"] > 100


def test_the_toy_is_told_what_single_lacks(tmp_path: Path) -> None:
    """What was not run is missing, and what was run holds."""
    finished, report = _run(tmp_path, "tiny", TINY, "--profile", "single", "--only", "execution/*", "control/*",
                            "local_collectives/*", "--quick")
    assert finished.returncode == 0, finished.stdout
    single = report["verdicts"]["single"]
    assert (single["failed"], single["ruling"]) == (0, "incomplete")
    assert f"{single['missing']} tests of profile single have no result" in finished.stdout
    assert finished.stdout.splitlines()[-1] == (
        f"INCOMPLETE: no failure, but {single['missing']} of {single['listed']} tests of profile single were not run "
        "(--quick, --only)")


def test_a_young_platform_is_told_which_operations_it_lacks(tmp_path: Path) -> None:
    (tmp_path / "olympus_young.py").write_text(YOUNG)
    finished, report = _run(
        tmp_path, "young", tmp_path, "--profile", "single", "--only", "buffers/round_trip[float32]",
        "operations/result[add,float32]", "operations/result[neg,float32]", "operations/result[tanh,float32]")
    assert finished.returncode == 1 and finished.stdout.splitlines()[-1] == "FAIL"
    found = {r["id"]: (r["status"], r.get("observed")) for r in report["results"]}
    assert {i for i, (status, _) in found.items() if status == "pass"} == {
        "buffers/round_trip[float32]", "operations/result[add,float32]"}
    for name in ("neg", "tanh"):
        assert found[f"operations/result[{name},float32]"] == ("fail", f"operation:{name} is not declared")
        assert f"operation:{name} is not declared" in finished.stdout
