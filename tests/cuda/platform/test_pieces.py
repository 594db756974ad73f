# SPDX-License-Identifier: Apache-2.0
"""`python -m tools.gpu`, what a machine with a GPU is asked to run: piece by piece, each with an end and a report."""

from __future__ import annotations

import fnmatch
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from benchmarks.cuda.cases import CASES
from tools.gpu import steps
from tools.gpu.__main__ import main
from tools.gpu.pieces import PIECES, Piece
from tools.gpu.run import read

from ..standin.environment import ROOT, environment, missing

FAKES = (
    Piece("good", "ends well", ["-c", "import os; print('hello', os.environ['COLOUR'])"], {"COLOUR": "red"}),
    Piece("bad", "fails", ["-c", "raise SystemExit(3)"]),
    Piece("endless", "hangs, with a child", ["-c", "import subprocess, sys\n"
          "child = 'import threading; print(1, flush=True); threading.Event().wait(60)'\n"
          "subprocess.run([sys.executable, '-c', child])"]),
)


def test_each_piece_is_run_and_written_down(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--into", str(tmp_path / "into"), "--minutes", "0.05"], FAKES) == 1
    results = {piece.name: json.loads((tmp_path / "into" / f"{piece.name}.json").read_text()) for piece in FAKES}
    assert [(r["passed"], r["status"]) for r in results.values()] == [(True, 0), (False, 3), (False, None)]
    assert (tmp_path / "into" / "good.txt").read_text() == "hello red\n"
    assert (tmp_path / "into" / "endless.txt").read_text() == "1\n"  # what it printed before it was ended
    summary = (tmp_path / "into" / "summary.txt").read_text().splitlines()
    assert [line.split()[:2] for line in summary] == [["good", "passed"], ["bad", "FAILED"], ["endless", "NO"]]
    told = capsys.readouterr().out
    assert all(line in told for line in summary)


def test_chosen_pieces(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["good", "--into", str(tmp_path)], FAKES) == 0
    assert not (tmp_path / "bad.json").exists()
    assert main(["goof", "--into", str(tmp_path)], FAKES) == 2
    assert "no piece goof" in capsys.readouterr().err
    assert main(["--list"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == [piece.name for piece in PIECES]


def test_outcomes_are_written_as_they_come(tmp_path: Path) -> None:
    tests = tmp_path / "test_three.py"
    tests.write_text("import os, pytest\ndef test_good(): pass\ndef test_bad(): assert 1 == 2\n"
                     "def test_left_out(): pytest.skip('no card')\ndef test_ends_the_process(): os._exit(9)\n"
                     "def test_never_run(): pass\n")
    assert _pytest(tmp_path, tests) == 9
    found = read(tmp_path / "out")
    assert [found[k] for k in ("run", "passed", "skipped", "failed")] == [2, 1, 1, 1]
    (failure,) = found["failures"]
    assert failure["test"].endswith("::test_bad") and "assert 1 == 2" in failure["text"]


@pytest.mark.parametrize(("options", "run"), [((), 2), (("-n", "1", "--max-worker-restart", "3"), 4)])
def test_a_process_ends_when_its_gpu_is_lost(tmp_path: Path, options: Sequence[str], run: int) -> None:
    tests = tmp_path / "test_lost.py"
    tests.write_text("from olympus_cuda.errors import GpuLostError\ndef test_first(): pass\n"
                     "def test_lost(): raise RuntimeError from GpuLostError('illegal address', 0)\n"
                     "def test_third(): pass\ndef test_fourth(): pass\ndef test_fifth(): pass\n")
    assert _pytest(tmp_path, tests, *options) != 0
    found = read(tmp_path / "out")
    # pytest-xdist lays the end of a worker at the door of the test that came next, and goes on behind it.
    assert found["run"] >= run and found["passed"] >= run - 2, found
    assert found["failures"][0]["test"].endswith("::test_lost"), found


def test_the_pieces_are_all_there_is() -> None:
    assert len({piece.name for piece in PIECES}) == len(PIECES)
    patterns = [_patterns(piece.command) for piece in PIECES if piece.name.startswith("benchmarks-")]
    for case in CASES:
        assert sum(any(fnmatch.fnmatchcase(case.name, p) for p in each) for each in patterns) == 1, case.name
    paths = [Path(part) for piece in PIECES for part in piece.command if part.startswith("tests/")]
    assert paths and all((ROOT / path).exists() for path in paths)
    covered = {path for path in paths if len(path.parts) > 1 and path.parts[1] == "language"}
    there = {p.relative_to(ROOT) for p in (ROOT / "tests" / "language").iterdir()
             if p.name not in ("__init__.py", "__pycache__", "test_command_line.py", "test_pmap_processes.py")}
    assert covered == there


def test_nothing_is_installed_where_everything_is_there() -> None:
    make = shutil.which("make")
    if make is None:
        pytest.skip("no make here")
    command = [make, "-n", "test-gpu", "NO_INSTALL=1", "PYTHON=python9", "INTO=there", "PIECES=steps"]
    # Where the tests themselves are run by make, it would tell of itself.
    env = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=True, env=env).stdout
    assert told == "python9 -m tools.gpu --into there steps\n"


def test_all_steps_over_the_stand_in(tmp_path: Path) -> None:
    lacks = missing()
    if lacks is not None:
        pytest.skip(lacks)
    command = [sys.executable, "-m", "tools.gpu", "steps", "doctor", "--into", str(tmp_path)]
    done = subprocess.run(command, env={**os.environ, **environment(), "GPU_STEPS_ROWS": "64"}, cwd=ROOT,
                          capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stdout + (tmp_path / "steps.txt").read_text()
    found = [json.loads(line) for line in (tmp_path / "steps-report" / "steps.jsonl").read_text().splitlines()]
    assert len(found) >= 15 and all(step["problem"] is None for step in found)
    assert "CudaDevice(id=3)" in found[0]["said"]["devices"]


def test_a_step_that_ends_its_process_costs_no_other_step(tmp_path: Path) -> None:
    worker = tmp_path / "worker.py"
    worker.write_text("""
import json, os, sys, threading
for name in sys.argv[2:]:
    if name == "dies":
        os._exit(9)
    if name == "hangs":
        threading.Event().wait(60)
    problem = "GpuLostError: gone" if name == "loses" else None
    with open(os.path.join(sys.argv[1], "steps.jsonl"), "a") as results:
        results.write(json.dumps({"step": name, "problem": problem, "said": os.getpid()}) + "\\n")
    if problem:
        sys.exit(1)
""")
    names = ["first", "dies", "second", "loses", "third", "hangs", "last"]
    assert steps.main([str(tmp_path / "out"), *names], 5.0, [sys.executable, "-S", str(worker)]) == 1
    found = [json.loads(line) for line in (tmp_path / "out" / "steps.jsonl").read_text().splitlines()]
    assert [line["step"] for line in found] == names
    assert [line["problem"] for line in found] == [
        None, "the process ended with status 9", None, "GpuLostError: gone", None, "no end after 5 s", None]
    assert len({line["said"] for line in found if line["said"]}) == 4  # first | second, loses | third | last


def test_the_first_part_of_the_hour_from_an_archive_of_the_tree(tmp_path: Path) -> None:
    lacks = missing()
    if lacks is not None or shutil.which("git") is None:
        pytest.skip(lacks or "no git here")
    script = (ROOT / "tools" / "gpu" / "hour.sh").read_text()
    named = {word for line in script.splitlines() if line.strip().startswith("pieces ")
             for word in line.replace('"conformance-$i"', "conformance-1").split()[1:]}
    assert {piece.name for piece in PIECES if not piece.name.startswith("conformance-")} & named
    unknown = {word for word in named if word[0].isalpha()} - {piece.name for piece in PIECES}
    assert not unknown
    tree = tmp_path / "tree"
    tree.mkdir()
    archive = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, capture_output=True, check=True, timeout=60).stdout
    subprocess.run(["tar", "-x"], cwd=tree, input=archive, check=True, timeout=60)
    variables = {**os.environ, **environment(), "PYTHON": sys.executable, "INSTALL": "0"}
    done = subprocess.run([str(ROOT / "tools" / "gpu" / "hour.sh"), "9"], capture_output=True, text=True, timeout=60,
                          env=variables, cwd=tree, check=False)
    assert done.returncode == 2 and "no part 9" in done.stderr
    shutil.copy(ROOT / "tools" / "gpu" / "hour.sh", tree / "tools" / "gpu" / "hour.sh")
    (tree / "benchmarks" / "cuda" / "__main__.py").write_text("")  # which asks nvidia-smi
    done = subprocess.run(["tools/gpu/hour.sh", "1", str(tmp_path / "out")], capture_output=True, text=True,
                          timeout=300, env=variables, cwd=tree, check=False)
    assert [line.split()[1] for line in done.stdout.splitlines()[-3:]] == ["passed"] * 3, done.stdout + done.stderr
    assert (tmp_path / "out" / "part-1.tar.gz").stat().st_size


def _pytest(folder: Path, tests: Path, *options: str) -> int:
    plugins = ["-p", "no:cacheprovider", "-p", "tools.gpu.recording", "--record-to", str(folder / "out")]
    command = [sys.executable, "-m", "pytest", "-q", *plugins, str(tests), "--rootdir", str(folder), *options]
    return subprocess.run(command, cwd=ROOT, capture_output=True, timeout=120, check=False).returncode


def _patterns(command: Sequence[str]) -> list[str]:
    return [word for before, word in zip(command, command[1:], strict=False) if before == "--only"]
