# SPDX-License-Identifier: Apache-2.0
"""Programs that need the host: compiled segments, and between them calls into Python, collectives and references.

The common part of the PJRT C API has no host callbacks, a library does not know the devices of other processes, and
StableHLO does not have every operation. A program with any of these is therefore cut into segments that the library
compiles; the host runs the callbacks, collectives, loops and branches between them, and what StableHLO lacks by its
reference, which is told once for each line of the user's program. Values pass from one segment to the next as buffers
or as arrays of the host.
"""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np

from olympus_core.plugin import Device, Links
from olympus_core.program import DeviceProgram, Operation, Program, Value, operations_of
from olympus_core.toolkit import TableExecutable, compile_with_table, table_from_references
from olympus_core.toolkit.basic_blocks import BasicBlockCompiler
from olympus_core.toolkit.fallbacks import FallbackLog

from .buffer import PjrtBuffer
from .executable import PjrtExecutable
from .stablehlo import EMISSIONS

_note_fallback = FallbackLog(logging.getLogger("olympus.pjrt"), "the host")


class SegmentBackend(Protocol):
    """What segments need of the client that compiles them."""

    def buffer_from_host(self, value: np.ndarray, device: Device) -> PjrtBuffer:
        """A buffer with a copy of the array."""

    def compile_segment(self, program: DeviceProgram, positions: Sequence[int]) -> PjrtExecutable:
        """Compiles a program without callbacks for its devices at `positions`, which communicate with no others."""


def needs_segments(program: DeviceProgram) -> bool:
    """Whether a program, or a region of it, calls the host's Python, communicates with other processes, or holds what
    StableHLO does not have.
    """
    mine = set(program.local_positions)
    operations = list(operations_of(program.program))
    groups = [g for o in operations if o.record.communicates for g in o.attributes["group"].groups]
    return any(o.record.category == "host" or o.name not in EMISSIONS for o in operations) or any(
        0 < len(mine.intersection(group)) < len(group) for group in groups
    )


def compile_in_segments(program: DeviceProgram, backend: SegmentBackend, links: Links) -> TableExecutable:
    """Compiles a program that needs the host between its segments."""
    return compile_with_table(program, table_from_references(), links, compiler=SegmentCompiler(backend, program))


class SegmentCompiler(BasicBlockCompiler):
    """Compiles the segments between a program's host callbacks, its collectives between processes and its references.

    Args:
        backend: Compiles a segment.
        whole: The program.
    """

    def __init__(self, backend: SegmentBackend, whole: DeviceProgram) -> None:
        super().__init__(table_from_references(), whole.local_positions)
        self._backend, self._whole, self._devices = backend, whole.devices, whole.local_devices

    def runs_by_reference(self, operation: Operation) -> bool:
        """Whether StableHLO lacks the operation."""
        lacks = operation.name not in EMISSIONS
        if lacks:
            _note_fallback(operation)
        return lacks

    def entering(self, buffer: PjrtBuffer) -> PjrtBuffer:
        """The element of an input buffer: the buffer itself."""
        return buffer

    def leaving(self, element: Any, device: Device) -> PjrtBuffer:
        """An output buffer. It is a new one, because the element may be an input or may be returned twice."""
        return element.copy_to(device) if isinstance(element, PjrtBuffer) else self._put(element, device)

    def to_host(self, element: Any) -> np.ndarray:
        """The content as a host array; waits for it."""
        return element.to_host() if isinstance(element, PjrtBuffer) else element

    def from_host(self, array: np.ndarray) -> Any:
        """The host array as it is: the segment that uses it copies it to its device."""
        return array

    def part(self, element: Any, index: int) -> Any:
        """The part at an index of the first dimension, on the host."""
        return self.to_host(element)[index, ...]

    def local_collective(self, operation: Operation, positions: Sequence[int]) -> Callable[[Sequence[Any]], list[Any]]:
        """A collective within this process: by the library, or on the host where the host holds one of the operands."""
        # A count of 0 defers compilation to the first call, for the devices of the group that calls.
        segment = self.columns_function([operation], operation.operands, operation.results, operation.name, 0)
        on_host = super().local_collective(operation, positions)

        def run(elements: Sequence[Any]) -> list[Any]:
            if not all(isinstance(element, PjrtBuffer) for element in elements):
                return on_host(elements)
            return list(segment([self._devices.index(element.device) for element in elements], elements)[0])

        return run

    def columns_function(
        self, operations: Sequence[Operation], inputs: Sequence[Value], outputs: Sequence[Value], name: str,
        count: int,
    ) -> Callable[..., tuple[Any, ...]]:
        """One segment: compiled now for all devices, or at its first call for a subset of them."""
        program = Program(name, tuple(inputs), tuple(operations), tuple(outputs))
        whole = DeviceProgram(program, self._whole)

        @functools.cache
        def compiled(positions: tuple[int, ...]) -> PjrtExecutable:
            return self._backend.compile_segment(whole, [self.positions[p] for p in positions])

        def segment(positions: Sequence[int], *columns: Sequence[Any]) -> tuple[Any, ...]:
            executable = compiled(tuple(positions))
            devices = [self._devices[p] for p in positions]
            return tuple(executable.execute([
                [self._put(x, device) for x, device in zip(column, devices, strict=True)] for column in columns
            ]))

        if count == len(self._devices):
            # Where `text_of` finds the text of a function, as of generated ones.
            segment.lines = [compiled(tuple(range(count))).text()]  # type: ignore[attr-defined]
        return segment

    def _put(self, element: Any, device: Device) -> PjrtBuffer:
        if isinstance(element, PjrtBuffer):
            return element
        return self._backend.buffer_from_host(element, device)
