# SPDX-License-Identifier: Apache-2.0
"""Executables of the platform: programs that a library has compiled from StableHLO."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from olympus_core.errors import DeletedError
from olympus_core.plugin import Buffer
from olympus_core.program import DeviceProgram

from .bridge import DeviceBuffer, LoadedExecutable
from .buffer import PjrtBuffer, PointerOf
from .errors import PjrtError


class PjrtExecutable:
    """A device program on its local devices.

    Args:
        program: The device program.
        text: Its StableHLO.
        loaded: The library's executable.
        pointer_of: Maps a device of the runtime to the library's.
    """

    def __init__(self, program: DeviceProgram, text: str, loaded: LoadedExecutable, pointer_of: PointerOf) -> None:
        self._text, self._loaded, self._pointer_of = text, loaded, pointer_of
        self._devices = program.local_devices
        self._types = [(t.shape, t.dtype) for t in program.program.output_types]
        self._donated, self._name = program.donated, program.program.name

    def execute(self, inputs: Sequence[Sequence[Any]]) -> list[list[Buffer]]:
        """Starts the program on all its devices."""
        # Keeps the buffers alive during the call: another thread may delete them meanwhile.
        contents = [[buffer.content for buffer in column] for column in inputs]
        try:
            keep = self._kept(contents) if self._donated else ()
            outputs = self._loaded.execute(contents, keep)
        except AttributeError:
            raise DeletedError(f"given to program {self._name}", "its buffer was deleted") from None
        devices, pointer_of = self._devices, self._pointer_of
        return [
            [PjrtBuffer(content, shape, dtype, device, pointer_of)
             for content, device in zip(column, devices, strict=True)]
            for column, (shape, dtype) in zip(outputs, self._types, strict=True)
        ]

    def _kept(self, contents: list[list[DeviceBuffer]]) -> list[int]:
        """The donated inputs that must be kept, since another buffer or input shares them."""
        uses = Counter(content.pointer for column in contents for content in column)
        return [i for i in self._donated if any(c.is_shared or uses[c.pointer] > 1 for c in contents[i])]

    def text(self) -> str:
        """The program as StableHLO."""
        return self._text

    def cost(self) -> dict[str, float]:
        """The compiler's estimates for one device, as far as the library has them."""
        program = self._loaded.program
        found = program.estimates()
        try:
            memory = program.memory()
        except PjrtError:
            return found
        parts = sum(memory[f"{part}_size_in_bytes"] for part in ("argument", "output", "temp"))
        found["peak_memory_bytes"] = float(memory["peak_memory_in_bytes"] or parts - memory["alias_size_in_bytes"])
        return found
