# SPDX-License-Identifier: Apache-2.0
"""The plans of the benchmarks' programs beside those of XLA's compiler for GPUs."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tools.gpu import plans

_ROOT = Path(__file__).resolve().parents[2]
_DEADLINE = 300.0
# As XLA prints it: one product with a bias, whose workspace is no traffic, and a kernel behind it.
_TEXT = """HloModule f

%fused (p: f32[8]) -> f32[8] {
  %p = f32[8]{0} parameter(0)
  ROOT %n = f32[8]{0} negate(%p)
}

ENTRY %main (a: bf16[4,8], b: bf16[8]) -> f32[4] {
  %a = bf16[4,8]{1,0} parameter(0)
  %b = bf16[8]{0} parameter(1)
  %call.1 = (f32[4]{0}, s8[4096]{0}) custom-call(%a, /*index=1*/%b), custom_call_target="gemm"
  %part = f32[4]{0} get-tuple-element(%call.1), index=0
  ROOT %fusion = f32[4]{0} fusion(%part), kind=kLoop, calls=%fused
}
"""


def test_the_cost_of_an_optimized_program() -> None:
    assert plans.cost_of(_TEXT) == plans.Cost(2, (64 + 16 + 16) + (16 + 16))


def test_no_plan_takes_more_than_xlas() -> None:
    if plans.library() is None:
        pytest.skip("XLA's library for GPUs is not installed: the extra test has it (124 MB) for Linux on x86-64")
    command = [sys.executable, "-m", "tools.gpu.plans", "--json"]
    done = subprocess.run(command, cwd=_ROOT, capture_output=True, text=True, timeout=_DEADLINE, check=False)
    found = json.loads(done.stdout)
    assert len(found) == 14 and found["transformer-gradient"][1]["kernels"] > 20
    more = {name: costs for name, costs in found.items()
            if costs[0]["kernels"] > costs[1]["kernels"] or costs[0]["moved"] > costs[1]["moved"]}
    assert done.returncode == 0 and not more, more
