"""The programs and commands of docs/checkpoints.md run as they stand there."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from olympus.cli import main

from .support import need_tensorstore

need_tensorstore()

GUIDE = (Path(__file__).parents[2] / "docs" / "checkpoints.md").read_text(encoding="utf-8")


def test_the_guide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for program in re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL):
        exec(compile(program, "docs/checkpoints.md", "exec"), names)
    assert capsys.readouterr().out.splitlines() == ["3", "PartitionSpec(None, 'x')", "[110, 120, 130]"]
    (tmp_path / "run").joinpath("step-00000110").rename(tmp_path / "step")  # a step's folder is one by itself
    for line in re.findall(r"^(olympus checkpoint .*)$", GUIDE, re.MULTILINE):
        words = [{"other": "step", "100": "120"}.get(word, word) for word in shlex.split(line, comments=True)]
        assert main(words[1:]) == ("diff" in words), line
        assert "step-" in capsys.readouterr().out or "list" in words
