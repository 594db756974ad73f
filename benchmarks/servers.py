# SPDX-License-Identifier: Apache-2.0
"""Programs that serve many benchmarks: started once for each side and kind, not once for each row."""

from __future__ import annotations

import contextlib
import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .processes import PROGRAMS, Conversation, ProgramError, RefusedError, free_port, scratch

LIBRARIES = {
    "olympus": "olympus", "peer": "jax", "numpy": "numpy", "cupy": "cupy", "device copy": "cupy",
    "reproducible": "olympus",
}
# What a side's processes have in their environment beside what their kind says.
_OWN = {"reproducible": {"OLYMPUS_REPRODUCIBLE": "1"}}


@dataclass(frozen=True)
class Kind:
    """The configuration of a server's processes.

    Attributes:
        processes: Number of processes.
        devices: CPU devices of each.
        wide: Whether 64-bit types are kept.
        platform: The platform whose devices they are; None for CPU devices.
    """

    processes: int = 1
    devices: int = 1
    wide: bool = False
    platform: str | None = None

    def variables(self, library: str) -> dict[str, str]:
        """The environment variables that make a library so; NumPy and CuPy have none."""
        if library in ("numpy", "cupy"):
            return {}
        name = library.upper()
        if self.platform is not None:
            # Else the peer takes most of the device's memory before it needs any, and the others get none.
            return {f"{name}_PLATFORMS": self.platform, f"{name}_ENABLE_X64": "1" if self.wide else "0",
                    "XLA_PYTHON_CLIENT_PREALLOCATE": "false"}
        return {f"{name}_NUM_CPU_DEVICES": str(self.devices), f"{name}_ENABLE_X64": "1" if self.wide else "0"}

    def commands(
        self, library: str, python: str, program: str = "serve.py", arguments: Sequence[str] = (),
    ) -> list[list[str]]:
        """The command line of each process."""
        command = [python, str(PROGRAMS / program), library, *arguments]
        if self.processes == 1:
            return [command]
        tail = [str(self.processes), str(free_port())]
        return [[*command, str(index), *tail] for index in range(self.processes)]


class Servers:
    """The servers that run, of one kind at a time: idle ones of another kind would hold memory and threads."""

    def __init__(self) -> None:
        self._kind: Kind | None = None
        self._running: dict[str, Conversation] = {}
        self._folders: dict[str, str] = {}

    def folder(self, request: Mapping[str, Any]) -> str:
        """A folder for what a request makes with each side, empty for the first of them."""
        key = json.dumps(request)
        if key not in self._folders:
            self._folders[key] = tempfile.mkdtemp(dir=scratch())
        return self._folders[key]

    def ask(self, side: str, kind: Kind, python: str, request: Mapping[str, Any]) -> float:
        """Asks a side's server, which is started where there is none.

        Raises:
            ProgramError: It could not do it, ended, or the time was over; the next request may begin anew.
        """
        if kind != self._kind:
            self.close()
            self._kind = kind
        if side not in self._running:
            library = LIBRARIES[side]
            variables = {**kind.variables(library), **_OWN.get(side, {})}
            conversation = Conversation(kind.commands(library, python), variables)
            self._running[side] = conversation.__enter__()
        try:
            return self._running[side].ask(json.dumps(request))
        except RefusedError:
            # The other processes of a job may wait for the one that refused.
            if kind.processes > 1:
                self._discard(side)
            raise
        except ProgramError:
            self._discard(side)
            raise

    def forget(self, side: str) -> None:
        """Lets a server drop the work that it holds."""
        conversation = self._running.get(side)
        if conversation is not None:
            try:
                conversation.ask(json.dumps({"do": "close"}))
            except ProgramError:
                self._discard(side)

    def close(self) -> None:
        """Ends all."""
        for side in tuple(self._running):
            self._discard(side)

    def _discard(self, side: str) -> None:
        with contextlib.suppress(KeyError):
            self._running.pop(side).__exit__()
