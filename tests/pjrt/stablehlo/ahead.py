# SPDX-License-Identifier: Apache-2.0
"""Run by the tests in a process of its own: compiles all operations ahead of time for one generation of TPUs."""

from __future__ import annotations

import sys

from olympus_conformance.samples.instance import program_of
from olympus_core import dtypes
from olympus_pjrt.bridge import Topology, compile_ahead_of_time, load
from olympus_pjrt.stablehlo import emit_program, tpu_policy

from .samples import of_all_operations
from .test_values import collectives


def main(library: str, name: str, every: str) -> None:
    """Prints ``operations`` (`every`: 3 for a third of them) and ``collectives`` after each program that compiles."""
    topology = Topology(load(library), name)
    devices = topology.devices()
    text = emit_program(program_of(list(of_all_operations(1))[:: int(every)]), policy=tpu_policy())
    compile_ahead_of_time(topology, text, [devices[:1]]).close()
    print("operations")
    for dtype in (dtypes.float32, dtypes.int64, dtypes.complex64):
        text = emit_program(collectives(dtype), 4, policy=tpu_policy())
        compile_ahead_of_time(topology, text, [[d] for d in devices[:4]]).close()
        print("collectives", dtype)


if __name__ == "__main__":
    main(*sys.argv[1:])
