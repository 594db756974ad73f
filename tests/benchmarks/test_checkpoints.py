# SPDX-License-Identifier: Apache-2.0
"""How the figures of checkpoints are judged, and that a broken one is found."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from benchmarks.checkpoints import check, report
from benchmarks.processes import ProgramError
from olympus import checkpoints

ROUND = {"bytes": 2.0**30, "plain": 1.0, "save": 1.2, "blocked": 0.01, "copy": 0.1}


def test_the_bars(capsys: pytest.CaptureFixture[str]) -> None:
    assert report([ROUND, {**ROUND, "save": 9.0}, ROUND])
    assert "853 MiB/s" in capsys.readouterr().out
    assert not report([{**ROUND, "save": 1.3}])
    assert not report([{**ROUND, "blocked": 0.2}])


def test_another_content_is_found(tmp_path: Path) -> None:
    pytest.importorskip("tensorstore", reason="needs TensorStore, the extra 'checkpoints'")
    tree = {**{f"w{i}": np.full(3, 1 + i) for i in range(4)}, "whole": np.full(2, 1), "step": 1}
    checkpoints.save(tmp_path, tree, 1)
    assert check(tmp_path) == [1]
    checkpoints.save(tmp_path, {**tree, "step": 2}, 2)
    with pytest.raises(ProgramError, match="step 2"):
        check(tmp_path)
