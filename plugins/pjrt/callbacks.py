"""Programs that need the host: pieces for the library's compiler, between them calls of Python and collectives.

A program cannot call back through the common part of the C API, nor reach another process's devices that the library
does not know. What has either in it is gone through on the host, its loops and branches too; all between is compiled.
What travels are buffers, and arrays that the host has made.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from olympus_core.plugin import Device, Links
from olympus_core.program import DeviceProgram, Operation, Program, Value, operations_of
from olympus_core.toolkit import TableExecutable, compile_with_table, table_from_references
from olympus_core.toolkit.basic_blocks import BasicBlockCompiler

from .buffer import PjrtBuffer
from .executable import PjrtExecutable

if TYPE_CHECKING:
    from .client import PjrtClient


def needs_pieces(program: DeviceProgram) -> bool:
    """Whether a program, or a region in it, calls the host's Python or communicates with other processes."""
    mine = set(program.local_positions)
    operations = [o for o in operations_of(program.program) if o.name != "axis_index"]
    groups = [g for o in operations if o.record.category == "collective" for g in o.attributes["group"].groups]
    return any(o.record.category == "host" for o in operations) or any(
        0 < len(mine.intersection(group)) < len(group) for group in groups
    )


def compile_in_pieces(program: DeviceProgram, client: PjrtClient, links: Links) -> TableExecutable:
    """A program that needs the host between its pieces, ready to run."""
    return compile_with_table(program, table_from_references(), links, compiler=PieceCompiler(client, program))


class PieceCompiler(BasicBlockCompiler):
    """Has the library compile what stands between a program's calls and collectives.

    Args:
        client: Compiles the pieces.
        whole: The program.
    """

    def __init__(self, client: PjrtClient, whole: DeviceProgram) -> None:
        super().__init__(table_from_references(), whole.local_positions)
        self._client, self._whole, self._devices = client, whole.devices, whole.local_devices

    def entering(self, buffer: PjrtBuffer) -> PjrtBuffer:
        """The buffer itself."""
        return buffer

    def leaving(self, element: Any, device: Device) -> PjrtBuffer:
        """A buffer of its own: the element may be an input, or leave twice."""
        return element.copy_to(device) if isinstance(element, PjrtBuffer) else self._put(element, device)

    def to_host(self, element: Any) -> np.ndarray:
        """The content, waited for."""
        return element.to_host() if isinstance(element, PjrtBuffer) else element

    def from_host(self, array: np.ndarray) -> Any:
        """The array as it is: only the piece that needs it knows where."""
        return array

    def part(self, element: Any, index: int) -> Any:
        """The part on the host."""
        return self.to_host(element)[index, ...]

    def local_collective(self, operation: Operation, places: Sequence[int]) -> Callable[[Sequence[Any]], list[Any]]:
        """The library's own; of what the host has made, on the host."""
        # For no number of devices: compiled when the first group comes, for each as it stands.
        piece = self.columns_function([operation], operation.operands, operation.results, operation.name, 0)
        on_host = super().local_collective(operation, places)

        def run(members: Sequence[Any]) -> list[Any]:
            if not all(isinstance(member, PjrtBuffer) for member in members):
                return on_host(members)
            return list(piece([self._devices.index(member.device) for member in members], members)[0])

        return run

    def columns_function(
        self, operations: Sequence[Operation], inputs: Sequence[Value], outputs: Sequence[Value], name: str,
        count: int,
    ) -> Callable[..., tuple[Any, ...]]:
        """A piece; compiled at once for all devices, for some of them when these come to it."""
        program = Program(name, tuple(inputs), tuple(operations), tuple(outputs))
        whole = DeviceProgram(program, self._whole)

        @functools.cache
        def on(places: tuple[int, ...]) -> PjrtExecutable:
            return self._client.compile_piece(whole, [self.positions[p] for p in places])

        def piece(places: Sequence[int], *columns: Sequence[Any]) -> tuple[Any, ...]:
            executable = on(tuple(places))
            devices = [self._devices[place] for place in places]
            return tuple(executable.execute([
                [self._put(x, device) for x, device in zip(column, devices, strict=True)] for column in columns
            ]))

        if count == len(self._devices):
            piece.source = on(tuple(range(count))).text()  # type: ignore[attr-defined]
        return piece

    def _put(self, element: Any, device: Device) -> PjrtBuffer:
        if isinstance(element, PjrtBuffer):
            return element
        return self._client.buffer_from_host(element, device)
