# SPDX-License-Identifier: Apache-2.0
"""examples/toy.py as every launcher starts it: nobody tells it its place, and its result is compared with NumPy's."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import olympus

_TOY = Path(__file__).parents[2] / "examples" / "toy.py"
_BY_HAND = "olympus.distributed.initialize('localhost:10000', num_procs, proc_id)"

source = _TOY.read_text()
if source.count(_BY_HAND) != 1:
    sys.exit(f"{_TOY} does not call {_BY_HAND}")
sys.argv = [str(_TOY), "0", "0"]  # which nothing reads but what is printed
names: dict[str, object] = {"__name__": "__main__"}
exec(compile(source.replace(_BY_HAND, "olympus.distributed.initialize()"), _TOY, "exec"), names)  # noqa: S102
found, wanted = float(str(names["global_result"])), float(np.sin(np.arange(32)).sum())
if not np.isclose(found, wanted, rtol=1e-5):
    sys.exit(f"the tutorial's program computes {found}, NumPy {wanted}")
place = f"process {olympus.process_index()} of {olympus.process_count()}"
sys.stdout.write(f"\n{place}: the tutorial's result is NumPy's\n")
sys.stdout.flush()
