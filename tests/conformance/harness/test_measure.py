# SPDX-License-Identifier: Apache-2.0
"""Figures of speed: what is measured, beside what, and how they are written."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from olympus_conformance import guide
from olympus_conformance.cli import main
from olympus_conformance.measure import Figures, measure
from tests.support.processes import ROOT


@pytest.fixture(scope="module")
def found() -> Figures:
    return measure("cpu", sizes=(4096, 1 << 20), seconds=0.02, devices=2)


def test_every_bandwidth_stands_beside_the_devices_own_copy(found: Figures) -> None:
    for size in (4096, 1 << 20):
        rows = [f for f in found.figures if f.moved and f.nbytes == size]
        own = rows[0]
        assert own.what.startswith("copy on the device") and own.copies == 1.0
        assert [f.what for f in rows[1:]] == [
            "copy to the device", "copy to the host", "copy to another device", "negation", "sum of two",
            "sum of all elements"]
        assert [f.moved // size for f in rows] == [2, 1, 1, 2, 2, 3, 1]
        for f in rows:
            assert 0 < f.fastest <= f.seconds <= f.slow * 1.0001 and f.times >= 4
            assert f.copies == pytest.approx(f.bandwidth / own.bandwidth, abs=1e-3)


def test_latencies_stand_beside_that_of_a_small_copy(found: Figures) -> None:
    rows = [f for f in found.figures if not f.moved]
    assert rows[0].copies == 1.0 and len(rows) == 5
    launch, call, row = (next(f for f in rows if text in f.what) for text in ("is ready", "call returns", "in a row"))
    assert call.fastest <= launch.slow and row.seconds < 0.05
    assert launch.copies == pytest.approx(launch.seconds / rows[0].seconds, abs=1e-3)


def test_they_are_numbers_without_a_verdict(found: Figures) -> None:
    text = found.markdown()
    assert text.startswith("# Figures of platform cpu (") and "without a verdict" in text
    assert not {"pass", "fail", "slow", "good"} & set(text.lower().split())
    data = json.loads(found.json())
    assert len(data["figures"]) == len(found.figures) and data["platform"] == "cpu"


def test_the_command_prints_and_writes_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--bytes", "1024", "--seconds", "0.01", "--output", str(tmp_path)]
    assert main(["measure", "--platform", "cpu", *options]) == 0
    assert capsys.readouterr().out == (tmp_path / "measurements.md").read_text("utf-8")
    assert json.loads((tmp_path / "measurements.json").read_text("utf-8"))["figures"][0]["nbytes"] == 1024


@pytest.mark.parametrize("wrong", [["--seconds", "0"], ["--devices", "0"], ["--bytes", "4"]])
def test_what_makes_no_sense_is_refused(wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["measure", "--platform", "cpu", *wrong]) == 2
    assert "positive" in capsys.readouterr().err


def test_the_guides_are_in_the_wheel() -> None:
    """What setuptools would copy: the guides from docs/, and the text that is printed where there is no checkout."""
    program = """
from setuptools import Distribution
distribution = Distribution({"script_name": "setup.py"})
distribution.parse_config_files()
command = distribution.get_command_obj("build_py")
command.ensure_finalized()
print([(package, files) for package, _, _, files in command.data_files if package.endswith("documents")])
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=100)
    files = "['writing-a-platform.md', 'writing-a-generator.md']"
    assert f"('olympus_conformance.documents', {files})" in done.stdout, done.stderr


def test_the_guide_of_the_wheel_is_read_without_a_checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    documents = tmp_path / "olympus_conformance" / "documents"
    documents.mkdir(parents=True)
    (documents / "writing-a-platform.md").write_text("# Installed", "utf-8")
    monkeypatch.setattr(guide, "__file__", str(tmp_path / "olympus_conformance" / "guide.py"))
    assert guide.text() == "# Installed"


def test_the_guides_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["guide"]) == 0
    assert capsys.readouterr().out.startswith("# Writing a platform\n")
    assert main(["guide", "generator"]) == 0
    assert capsys.readouterr().out.startswith("# Writing a generator of kernels\n")
