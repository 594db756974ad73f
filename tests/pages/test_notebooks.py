# SPDX-License-Identifier: Apache-2.0
"""The notebooks run, and print what stands in them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tools.pages.blocks import Block
from tools.pages.checking import agrees
from tools.pages.notebooks import NOTEBOOKS, code_cells, printed, run_notebook
from tools.pages.running import PageError

pytestmark = [pytest.mark.slow, pytest.mark.processes]


def _kinds(outputs: list[dict]) -> list[list[str]]:
    return [sorted(output.get("data", {})) for output in outputs]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_shows_what_it_says(path: Path, tmp_path: Path) -> None:
    cells = code_cells(json.loads(path.read_text(encoding="utf-8")))
    results = run_notebook(path, tmp_path)
    assert len(cells) > 3
    for cell, outputs in zip(cells, results, strict=True):
        assert agrees(Block("python", "", 1, printed(cell["outputs"])), printed(outputs)), printed(outputs)
        assert _kinds(cell["outputs"]) == _kinds(outputs)


def test_there_are_four() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["heat", "pencils", "platform", "transformer"]


def test_a_cell_that_fails_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "a.ipynb"
    path.write_text(json.dumps({"cells": [{"cell_type": "code", "source": ["1 / 0"], "outputs": []}]}))
    with pytest.raises(PageError, match="ZeroDivisionError"):
        run_notebook(path, tmp_path)
