# SPDX-License-Identifier: Apache-2.0
"""The tutorial's first program in 4 plain processes with 2 CPU devices each, from first start to last exit."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from benchmarks.measure import Case, Sample, Setup, ratio
from benchmarks.processes import HERE, ProgramError, free_port, run_to_end

PROCESSES = 4
RESULT = "got result: -0.1239873"
_ADDRESS = "localhost:10000"

PROGRAMS = {"olympus": HERE.parent / "examples" / "toy.py", "peer": HERE / "peer" / "toy_peer.py"}
VARIABLES = {"olympus": {"OLYMPUS_NUM_CPU_DEVICES": "2"}, "peer": {"JAX_NUM_CPU_DEVICES": "2"}}


@contextmanager
def _open(side: str, setup: Setup) -> Iterator[Sample]:
    python = setup.peer_python if side == "peer" else setup.python
    source = PROGRAMS[side].read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "toy.py"

        def sample() -> float:
            # A port of its own for each run: another program of this machine may use the tutorial's.
            program.write_text(source.replace(_ADDRESS, f"localhost:{free_port()}"), encoding="utf-8")
            commands = [[python, str(program), str(i), str(PROCESSES)] for i in range(PROCESSES)]
            seconds, outputs = run_to_end(commands, VARIABLES[side])
            for index, output in enumerate(outputs):
                if RESULT not in output or output.count("has local data") != 2:
                    raise ProgramError(f"process {index} printed something else:\n{output}")
            return seconds

        yield sample


CASES = (
    Case(
        name="toy",
        title=f"{PROCESSES} plain processes x 2 CPU devices of the tutorial's first program, start to last exit",
        unit="s",
        row="start",
        sides={side: partial(_open, side) for side in PROGRAMS},
        bars=(ratio("olympus", "peer", 0.5),),
        rounds=9,
        quick_rounds=3,
    ),
)
