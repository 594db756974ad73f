# SPDX-License-Identifier: Apache-2.0
"""Running the text of programs on the CPU library, compared with the reference."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from olympus_core.program import Program, ProgramBuilder, run_members
from olympus_pjrt.bridge import Client, load
from olympus_pjrt.stablehlo import TypePolicy, emit_program
from tests.pjrt.libraries import cpu_library


@cache
def client() -> Client:
    """Four devices of the CPU library."""
    return Client(load(cpu_library()), {"cpu_device_count": 4})


def run(program: Program, inputs: Sequence[np.ndarray], policy: TypePolicy | None = None) -> list[np.ndarray]:
    """The outputs of a program of one device."""
    return [members[0] for members in run_on(program, [[x] for x in inputs], 1, policy)]


def run_on(
    program: Program, inputs: Sequence[Sequence[np.ndarray]], devices: int, policy: TypePolicy | None = None
) -> list[list[np.ndarray]]:
    """The outputs of a program of several devices: for each, what every device has."""
    chosen = client().devices[:devices]
    text = emit_program(program, devices, policy=policy)
    executable = client().compile(text, [[d] for d in chosen], inputs=len(inputs))
    buffers = [[client().put(x, d) for x, d in zip(column, chosen, strict=True)] for column in inputs]
    return [[buffer.to_host() for buffer in column] for column in executable.execute(buffers)]


def require_reference(program: Program, inputs: Sequence[Sequence[np.ndarray]], devices: int = 1) -> None:
    """Fails unless all devices have exactly what the reference gives them."""
    found = run_on(program, inputs, devices)
    wanted = run_members(program, inputs, tuple(range(devices)))
    for place, (columns, rows) in enumerate(zip(found, wanted, strict=True)):
        for device in range(devices):
            message = f"output {place} on device {device}"
            assert columns[device].dtype == rows[device].dtype, message
            np.testing.assert_array_equal(
                columns[device].astype(np.complex128), rows[device].astype(np.complex128), message)


def mlp() -> Program:
    """A perceptron of three layers, 784-1024-1024-10, on a batch of 64."""
    from olympus_core import dtypes, ops
    from olympus_core.program import ArrayType

    builder = ProgramBuilder("mlp")
    x = builder.input(ArrayType((64, 784), dtypes.float32))
    for layer, (rows, columns) in enumerate(((784, 1024), (1024, 1024), (1024, 10))):
        weights = builder.input(ArrayType((rows, columns), dtypes.float32))
        bias = builder.input(ArrayType((columns,), dtypes.float32))
        (product,) = builder.emit(ops.dot_general, [x, weights], {
            "lhs_contracting": (1,), "rhs_contracting": (0,), "lhs_batch": (), "rhs_batch": ()})
        (spread,) = builder.emit(ops.broadcast_in_dim, [bias], {"shape": (64, columns), "dimensions": (1,)})
        (x,) = builder.emit(ops.add, [product, spread])
        if layer < 2:
            (x,) = builder.emit(ops.tanh, [x])
    return builder.finish([x])
