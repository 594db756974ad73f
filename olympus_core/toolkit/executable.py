# SPDX-License-Identifier: Apache-2.0
"""Compiling a device program with an operation table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from olympus_core.codewriter import text_of
from olympus_core.plugin import Device, Links
from olympus_core.plugin.client import Run
from olympus_core.program import DeviceProgram

from .arrays import ArrayBuffer
from .basic_blocks import BasicBlockCompiler
from .flatten import flatten, stands_alone
from .optable import OperationTable
from .staged import StagedProgram

WrapBuffer = Callable[[Any, Device], Any]
Layer = Callable[[Run], Run]  # makes a run that does more than the one it is given


class TableExecutable:
    """A device program that runs on an operation table, all local devices in one call.

    Made by `compile_with_table`. A program that communicates with nobody is one generated function; one that
    does is a list of stages.

    Args:
        program: What was compiled.
        execute: Buffers of all inputs and local devices to buffers of all outputs and local devices.
        source: Gives the text of what was generated, for people.
        is_independent: Whether it communicates with nobody and calls nothing of the user's.
        takes_allocations: Whether it reads its inputs' allocations, all before it does anything.
        seconds: A guess at how long it takes; None where nobody knows better than the operations tell.
        code_bytes: Memory that its code takes.
        scratch_bytes: Memory that an execution takes besides its results, at least.
    """

    def __init__(
        self, program: DeviceProgram, execute: Run, source: Callable[[], str], is_independent: bool = False,
        takes_allocations: bool = False, seconds: float | None = None, code_bytes: int = 0,
        scratch_bytes: int = 0,
    ) -> None:
        self.program, self.execute, self._source, self.is_independent = program, execute, source, is_independent
        self.takes_allocations, self.seconds, self.code_bytes = takes_allocations, seconds, code_bytes
        self.scratch_bytes = scratch_bytes

    def within(self, *layers: Layer) -> TableExecutable:
        """The same program with layers around its execution, the first one innermost."""
        execute = self.execute
        for layer in layers:
            execute = layer(execute)
        return TableExecutable(
            self.program, execute, self._source, self.is_independent, self.takes_allocations, self.seconds,
            self.code_bytes, self.scratch_bytes)

    def text(self) -> str:
        """The generated functions, stages and kernels."""
        return self._source()

    def cost(self) -> dict[str, float]:
        """Bytes that go in and come out on one device; the rest is not estimated."""
        inner = self.program.program
        moved = sum(t.nbytes for t in (*inner.input_types, *inner.output_types))
        return {"bytes": float(moved)}


def compile_with_table(
    program: DeviceProgram, table: OperationTable, links: Links, wrap: WrapBuffer = ArrayBuffer,
    compiler: BasicBlockCompiler | None = None,
) -> TableExecutable:
    """Makes a program ready to run on its local devices.

    Args:
        program: The device program.
        table: The platform's operations.
        links: How to reach other processes' devices; used only where a group spans processes.
        wrap: Makes the platform's buffer of an array and its device. Buffers give the array back as `array`.
        compiler: What compiles basic blocks of operations; by default one that runs the table's functions in turn.

    Returns:
        The executable.

    Raises:
        NotSupportedError: For an operation that the table lacks.
    """
    flat = flatten(program.program)
    if compiler is None:
        compiler = BasicBlockCompiler(table, program.local_positions, wrap)
    devices = program.local_devices
    if not any(stands_alone(o, compiler.runs_by_reference) and not compiler.runs_together(o) for o in flat.operations):
        function = compiler.execute_function(flat, devices, program.program.name, program.donated)
        if table.has_guard and compiler.wants_guard:
            guard = table.guard
            return TableExecutable(program, lambda inputs: guard(function, inputs), lambda: text_of(function), True)
        source = lambda: compiler.described(text_of(function))  # noqa: E731
        return TableExecutable(program, function, source, True, not compiler.wants_guard, compiler.seconds(),
                               compiler.code_bytes, compiler.scratch_bytes)
    stages = StagedProgram(compiler, program.devices, links, flat)
    local_indices, entering, leaving = range(len(devices)), compiler.entering, compiler.leaving

    def run(inputs: Sequence[Sequence[Any]]) -> list[list[Any]]:
        results = stages.run([[entering(buffer) for buffer in column] for column in inputs], local_indices)
        return [[leaving(x, d) for x, d in zip(column, devices, strict=True)] for column in results]

    return TableExecutable(program, run, lambda: compiler.described(stages.text()), code_bytes=compiler.code_bytes,
                           scratch_bytes=compiler.scratch_bytes)
