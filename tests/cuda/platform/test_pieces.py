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


def test_a_report_of_tests(tmp_path: Path) -> None:
    tests = tmp_path / "test_three.py"
    tests.write_text("import pytest\ndef test_good(): pass\ndef test_bad(): assert 1 == 2\n"
                     "def test_left_out(): pytest.skip('no card')\n")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tests), "--rootdir", str(tmp_path),
               f"--junitxml={tmp_path / 'out.xml'}", "-o", "junit_family=xunit1"]
    subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=60, check=False)
    found = read(tmp_path / "out.xml")
    assert [found[k] for k in ("run", "passed", "skipped", "failed")] == [2, 1, 1, 1]
    (failure,) = found["failures"]
    assert failure["test"].endswith("::test_bad") and "assert 1 == 2" in failure["text"]


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
    done = subprocess.run(command, env={**os.environ, **environment()}, cwd=ROOT, capture_output=True, text=True,
                          timeout=240, check=False)
    assert done.returncode == 0, done.stdout + (tmp_path / "steps.txt").read_text()
    steps = json.loads((tmp_path / "steps-report" / "steps.json").read_text())
    assert len(steps) >= 15 and all(step["problem"] is None for step in steps)
    assert "CudaDevice(id=3)" in steps[0]["said"]["devices"]


def _patterns(command: Sequence[str]) -> list[str]:
    return [word for before, word in zip(command, command[1:], strict=False) if before == "--only"]
