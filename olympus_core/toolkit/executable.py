"""Compiling a device program with an operation table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from olympus_core.plugin import Buffer, Device, Links
from olympus_core.program import DeviceProgram

from .arrays import ArrayBuffer
from .flatten import flatten, has_category
from .lockstep import Lockstep
from .optable import OperationTable
from .straight import StraightCompiler

WrapBuffer = Callable[[Any, Device], Any]


class TableExecutable:
    """A device program that runs on an operation table, all local devices in one call.

    Made by `compile_with_table`. A program that communicates with nobody is one generated function; one that
    does is a list of stages.

    Args:
        program: What was compiled.
        run: Buffers of all inputs and local devices to buffers of all outputs and local devices.
        source: What was generated, for people.
        is_independent: Whether it communicates with nobody and calls nothing of the user's.
    """

    def __init__(
        self, program: DeviceProgram, run: Callable[[Any], list[list[Any]]], source: str, is_independent: bool = False
    ) -> None:
        self.program, self.execute, self._source, self.is_independent = program, run, source, is_independent

    execute: Callable[[Sequence[Sequence[Buffer]]], list[list[Any]]]

    def text(self) -> str:
        """The generated functions and stages."""
        return self._source

    def cost(self) -> dict[str, float]:
        """Bytes that go in and come out on one device; the rest is not estimated."""
        inner = self.program.program
        moved = sum(t.nbytes for t in (*inner.input_types, *inner.output_types))
        return {"bytes": float(moved)}


def compile_with_table(
    program: DeviceProgram, table: OperationTable, links: Links, wrap: WrapBuffer = ArrayBuffer
) -> TableExecutable:
    """Makes a program ready to run on its local devices.

    Args:
        program: The device program.
        table: The platform's operations.
        links: How to reach other processes' devices; used only where a group spans processes.
        wrap: Makes the platform's buffer of an array and its device. Buffers give the array back as `array`.

    Returns:
        The executable.

    Raises:
        NotSupportedError: For an operation that the table lacks.
    """
    flat = flatten(program.program)
    compiler = StraightCompiler(table, program.local_positions)
    devices = program.local_devices
    if not any(has_category(operation, frozenset({"collective", "host"})) for operation in flat.operations):
        function = compiler.execute_function(flat, devices, wrap, program.program.name)
        if table.has_guard:
            guard = table.guard
            return TableExecutable(program, lambda inputs: guard(function, inputs), function.source, True)
        return TableExecutable(program, function, function.source, True)
    together = Lockstep(compiler, program.devices, links, wrap, flat)
    places, settle = range(len(devices)), table.settle

    def run(inputs: Sequence[Sequence[Any]]) -> list[list[Any]]:
        results = together.run([[buffer.array for buffer in column] for column in inputs], places)
        return [[wrap(settle(a), d) for a, d in zip(column, devices, strict=True)] for column in results]

    return TableExecutable(program, run, together.text())
