# SPDX-License-Identifier: Apache-2.0
"""What tests of the CPU's loops have in common."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from olympus_cpu.compiled import kernel_generator
from olympus_cpu.compiled.loops import LoopPlanner, LoopStep


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[LoopStep | None]]:
    """What became of the control operations that a test compiles, inner ones first."""
    steps: list[LoopStep | None] = []
    own = LoopPlanner.step_of

    def noting(self: LoopPlanner, operation: Any) -> LoopStep | None:
        steps.append(own(self, operation))
        return steps[-1]

    monkeypatch.setattr(kernel_generator.LoopPlanner, "step_of", noting)
    yield steps
