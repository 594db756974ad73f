# SPDX-License-Identifier: Apache-2.0
"""The command line, from its arguments to its exit status."""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path

import pytest

from olympus_conformance.cli import main
from tests.support.processes import Processes, is_alive, wait_until

pytestmark = pytest.mark.processes
ROUND_TRIP = "buffers/round_trip[int32]"


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    def call(*arguments: object) -> tuple[int, str, str]:
        status = main(["run", "--output", str(tmp_path / "out"), *map(str, arguments)])
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return call


def report(tmp_path: Path) -> dict:
    return json.loads((tmp_path / "out" / "report.json").read_text())


def test_a_run_that_passes(acme: Path, run, tmp_path: Path) -> None:
    status, out, _ = run("--platform", "acme", "--only", "buffers/round_trip[*int32]", "--devices", 3)
    what, devices = "platform acme (olympus-acme 1.2)", "ACME_0, ACME_1, ACME_2"
    assert out.splitlines()[0] == f"olympus-conformance: contract 1.0, {what}, devices {devices}"
    assert status == 0 and out.splitlines()[-1].startswith("INCOMPLETE: no failure, but ")
    assert out.splitlines()[-1].endswith("tests of profile full were not run (--only)")
    results = report(tmp_path)["results"]
    assert [(r["id"], r["status"]) for r in results] == [
        ("buffers/round_trip[int32]", "pass"), ("buffers/round_trip[uint32]", "pass")]
    assert report(tmp_path)["facts"]["topology"] == [[1, 3]]


def test_a_failure_says_what_is_required_and_how_to_see_it_again(
    acme: Path, run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ACME_FAULT", "wrong int32")
    status, out, _ = run("--platform", "acme", "--only", "buffers/round_trip[*int32]")
    assert status == 1 and out.splitlines()[-1] == "FAIL"
    lines = [line.strip() for line in out.splitlines()]
    start = lines.index(f"FAIL {ROUND_TRIP}")
    assert lines[start + 1].startswith("A buffer MUST hand back, bit for bit")
    assert lines[start + 2].startswith("observed: what int32[]")
    assert lines[start + 3].startswith("required: ")
    assert lines[start + 4] == f"again: olympus-conformance run --platform acme --only '{ROUND_TRIP}'"


def test_waivers(acme: Path, run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ACME_FAULT", "wrong int32")
    entry = {"link": "https://example.com/7", "reason": "known", "expires": "2999-01-01"}
    file = tmp_path / "waivers.json"
    file.write_text(json.dumps({"waiver": [
        {"id": ROUND_TRIP, "versions": ">=1,<1.3", **entry}, {"id": "buffers/round_trip[uint32]", **entry}]}))
    status, out, _ = run("--platform", "acme", "--only", "buffers/round_trip[*int32]", "--waivers", file)
    assert status == 0
    assert f"WAIVED {ROUND_TRIP}: known (https://example.com/7)" in out
    assert "waiver buffers/round_trip[uint32]: what it is for does not fail" in out
    assert [w["matched"] for w in report(tmp_path)["facts"]["waivers"]] == [[ROUND_TRIP], []]


def test_the_first_platform_with_one_two_and_four_processes(run, tmp_path: Path) -> None:
    status, out, _ = run(
        "--platform", "cpu", "--only", "client/*", "communicators/*", "collectives/broadcast*int32*", "--quick")
    assert status == 0, out
    assert {processes for processes, _ in report(tmp_path)["facts"]["topology"]} == {1, 2, 4}
    assert "it is a quick run" in out


@pytest.mark.parametrize("arguments, message", [
    (["--platform", "acme", "--only", "bufers/*"], "No test matches 'bufers/*'"),
    (["--platform", "acme", "--fraction", "3/2"], "no such fraction"),
    (["--platform", "acme", "--launcher", "srun"], "{n}"),
    (["--platform", "acme", "--waivers", "nothing.toml"], "No such file"),
    (["--platform", "acme", "--timeout-factor", "0"], "positive"),
    (["--platform", "nobody", "--only", ROUND_TRIP], "there is no platform named 'nobody'"),
])
def test_what_cannot_be_run(acme: Path, run, arguments: list[str], message: str) -> None:
    status, _, err = run(*arguments)
    assert status == 2 and message in err


def test_a_platform_that_breaks_while_it_is_imported(acme: Path, run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACME_FAULT", "raises in import")
    status, _, err = run("--platform", "acme", "--only", ROUND_TRIP)
    assert status == 2 and "libacme.so is missing" in err and "olympus_acme.py" in err


def test_a_list_starts_nothing(run) -> None:
    status, out, _ = run("--platform", "nobody", "--only", "buffers/round_trip", "--fraction", "1/3", "--list")
    assert status == 0 and out.splitlines()[0] == "buffers/round_trip[bool]"


def test_resuming_runs_what_is_missing(acme: Path, run, tmp_path: Path) -> None:
    arguments = ["--platform", "acme", "--only", "buffers/round_trip", "--profile", "minimal"]
    assert run(*arguments)[0] == 0
    kept = tmp_path / "out" / "outcomes.jsonl"
    lines = kept.read_text().splitlines()
    kept.write_text("\n".join(lines[:-3]) + "\n")
    status, out, _ = run(*arguments, "--resume")
    assert status == 0 and f"{len(lines) - 3} of them are done already" in out
    ids = [[json.loads(line)["id"] for line in text] for text in (lines, kept.read_text().splitlines())]
    assert ids[0] == ids[1]
    status, _, err = run("--platform", "acme", "--only", ROUND_TRIP, "--resume")
    assert status == 2 and "it is another one" in err


def alive(pids: Path) -> list[int]:
    return [pid for pid in map(int, pids.read_text().split()) if is_alive(pid)]


@pytest.mark.parametrize("number, status", [(signal.SIGINT, 130), (signal.SIGKILL, -9)])
def test_what_ends_early_leaves_no_process_and_can_be_resumed(
    acme: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: signal.Signals, status: int
) -> None:
    gate, pids, out = tmp_path / "gate", tmp_path / "pids", tmp_path / "out"
    env = {
        "ACME_FAULT": "waits for a file", "ACME_GATE": str(gate), "ACME_PIDS": str(pids),
        "PYTHONPATH": os.environ["PYTHONPATH"],
    }
    command = [
        sys.executable, "-m", "olympus_conformance", "run", "--platform", "acme", "--only", "buffers/round_trip",
        "--output", str(out),
    ]
    with Processes(60) as processes:
        running = processes.start(command, env=env)
        kept = out / "outcomes.jsonl"
        wait_until(lambda: kept.exists() and len(kept.read_text().splitlines()) >= 3, "three outcomes", 30)
        os.kill(running.pid, number)
        running.wait(30)
        assert running.returncode == status
        wait_until(lambda: not alive(pids), "the end of the workers")
        if number == signal.SIGKILL:
            return
        assert "--resume goes on" in processes.output(0)
        done = len(kept.read_text().splitlines())
        gate.touch()
        resumed = processes.start([*command, "--resume"], env=env)
        resumed.wait(30)
        assert resumed.returncode == 0
        assert f"{done} of them are done already" in processes.output(1)
