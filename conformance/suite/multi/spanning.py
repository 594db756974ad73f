# SPDX-License-Identifier: Apache-2.0
"""Programs of several processes: how they are built, run and compared; no requirements here."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from olympus_core import ops
from olympus_core.plugin import Buffer, Device, Executable
from olympus_core.program import DeviceGroups, Program, ProgramBuilder, Value, run_members

from ...checks import require_equal, require_same_bits
from ...context import Columns, Context
from ...programs import random_integers
from .groups import Devices, Findings


def everybody(count: int) -> DeviceGroups:
    """One group of all positions."""
    return DeviceGroups((tuple(range(count)),))


def rows(count: int) -> DeviceGroups:
    """The rows of a grid of two rows, where the number of devices allows one."""
    if count % 2:
        return everybody(count)
    return DeviceGroups((tuple(range(count // 2)), tuple(range(count // 2, count))))


def columns(count: int) -> DeviceGroups:
    """The columns of the same grid, last row first."""
    if count % 2:
        return everybody(count)
    return DeviceGroups(tuple((i + count // 2, i) for i in range(count // 2)))


def all_reduce(builder: ProgramBuilder, value: Value, group: DeviceGroups, reduction: str = "sum") -> Value:
    """A reduction over each group."""
    return builder.emit(ops.all_reduce, [value], {"reduction": reduction, "group": group})[0]


def ring(builder: ProgramBuilder, value: Value, group: DeviceGroups) -> Value:
    """Every device sends its value to the next one of its group."""
    pairs = tuple((i, (i + 1) % group.size) for i in range(group.size))
    return builder.emit(ops.permute, [value], {"pairs": pairs, "group": group})[0]


def group_index(builder: ProgramBuilder, group: DeviceGroups) -> Value:
    """A device's index in its group."""
    return builder.emit(ops.axis_index, [], {"group": group})[0]


def inputs_of(context: Context, program: Program, count: int, high: int = 7) -> list[list[np.ndarray]]:
    """Small integers, negative ones among them, for every input and member; alike in every process."""
    return [[random_integers(context, type, -high, high) for _ in range(count)] for type in program.input_types]


def expected(program: Program, inputs: Columns, count: int) -> list[list[np.ndarray]]:
    """The results of the reference interpreter: for each output, for each member."""
    with np.errstate(all="ignore"):
        return run_members(program, inputs, tuple(range(count)))


def own_columns(context: Context, devices: Sequence[Device], inputs: Columns) -> list[list[Buffer]]:
    """For each input the buffers of this process's devices."""
    return [
        [context.put(x, d) for x, d in zip(column, devices, strict=True) if d.is_addressable] for column in inputs
    ]


def execute_and_compare(
    context: Context, findings: Findings, executable: Executable, program: Program, devices: Devices, inputs: Columns,
    what: str,
) -> None:
    """Executes a program once on this process's devices and compares every output with the reference."""
    outputs = executable.execute(own_columns(context, devices, inputs))
    compare(findings, outputs, program, devices, inputs, what)


def compare(
    findings: Findings, outputs: Sequence[Sequence[Buffer]], program: Program, devices: Devices, inputs: Columns,
    what: str,
) -> None:
    """Compares outputs of this process's devices with the reference, bit for bit."""
    observed = [[buffer.to_host() for buffer in column] for column in outputs]
    positions = [i for i, device in enumerate(devices) if device.is_addressable]
    with findings:
        required = expected(program, inputs, len(devices))
        require_equal(len(observed), len(required), f"the number of outputs of {what}")
        for i, (found, wanted) in enumerate(zip(observed, required, strict=True)):
            for position, array in zip(positions, found, strict=True):
                label = f"output {i} of {what} at position {position}"
                require_same_bits(array, wanted[position], label, program.text)
