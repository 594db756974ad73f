"""What a call costs beyond NumPy, against the project's own bounds."""

from __future__ import annotations

import time

import numpy as np
import pytest

from olympus_core import ops
from olympus_core.program import ArrayType, ProgramBuilder
from olympus_core.toolkit import ArrayBuffer, compile_with_table
from olympus_cpu.buffer import CpuBuffer
from olympus_cpu.table import cpu_table
from tests.toolkit.programs import device_program, fake_devices


def best_microseconds(function, *arguments) -> float:
    """The best of many short runs: what it costs when nothing else runs."""
    best = float("inf")
    for _ in range(60):
        started = time.perf_counter()
        for _ in range(100):
            function(*arguments)
        best = min(best, time.perf_counter() - started)
    return best * 1e4


@pytest.mark.parametrize(("count", "bound"), [(1, 2.0), (8, 25.0)])
def test_one_addition(count: int, bound: float) -> None:
    builder = ProgramBuilder("f")
    x, y = (builder.input(ArrayType((8,), "float32")) for _ in range(2))
    devices = fake_devices(count)
    program = device_program(builder.finish(builder.emit(ops.add, [x, y])), devices)
    executable = compile_with_table(program, cpu_table(), None, CpuBuffer)
    array = np.ones(8, np.float32)
    inputs = [[ArrayBuffer(array, d) for d in devices] for _ in range(2)]

    def by_hand() -> None:
        for _ in range(count):
            np.add(array, array)

    assert best_microseconds(executable.execute, inputs) - best_microseconds(by_hand) < bound
