# SPDX-License-Identifier: Apache-2.0
"""Compiling ahead of time: for devices that need not be there, or for other processes."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Protocol, runtime_checkable

from olympus_core.dataclass import field, public_dataclass
from olympus_core.placement import DeviceDescription
from olympus_core.program import DeviceProgram

from .communicator import Links


@public_dataclass(frozen=True, slots=True)
class Topology:
    """Devices as a platform describes them without having them.

    Args:
        name: Its name, in the platform's own form.
        devices: For each process the descriptions of its devices; the order is the one that opening them would give.
    """

    name: str
    devices: tuple[tuple[DeviceDescription, ...], ...]


@public_dataclass(frozen=True, slots=True)
class AheadOfTime:
    """What a platform's compiler says of a device program; figures are those of one device.

    Args:
        text: What the compiler was given.
        optimized: What it made of it, for people to read.
        memory: Bytes: ``arguments``, ``outputs``, ``temporaries``, ``code``, and ``reused`` of arguments for outputs.
        cost: Estimates, where known: ``flops``, ``bytes``, ``seconds``.
        collectives: How often each collective stands in the optimised program, by the names of the operations.
        in_loops: How many of these stand in a loop, where they may run often.
    """

    text: str
    optimized: str
    memory: Mapping[str, int]
    cost: Mapping[str, float] = field(default_factory=dict)
    collectives: Mapping[str, int] = field(default_factory=dict)
    in_loops: Mapping[str, int] = field(default_factory=dict)


@runtime_checkable
class CompilesAhead(Protocol):
    """What a `Platform` has, too, whose compiler works without the hardware: these methods are optional."""

    def topology(self, name: str) -> Topology:
        """The devices of a machine, or a part of one, that the platform knows by name; a `ValueError` for others."""

    def compile_ahead(self, program: DeviceProgram, topology: str) -> AheadOfTime:
        """Compiles for devices made from `topology`, in the order of `DeviceProgram.devices`; nothing can be run.

        Raises what `Client.compile` raises.
        """


@runtime_checkable
class WritesDialects(Protocol):
    """What a `Platform` has, too, that writes programs for other compilers: this method is optional."""

    def dialect_text(self, program: DeviceProgram, dialect: str, locations: bool = False) -> str | None:
        """A device program as text, such as of dialect ``"stablehlo"``; None for a dialect that it does not write.

        With `locations`, a keyword that is left out where they are not asked for, each operation has the user's line.
        Needs neither a library nor a device. Raises a `NotSupportedError` for what the dialect cannot say.
        """


@runtime_checkable
class StoresObjectCode(Protocol):
    """What a `Client` has, too, whose compiled code can be stored: these methods are optional."""

    def object_code_identity(self) -> str:
        """What the code depends on besides the program: processor, compiler, versions. Other identity, other code."""

    def object_code(self, program: DeviceProgram, links: Links) -> Mapping[str, bytes]:
        """Compiles a program, and gives all code that running it takes, by keys of the platform's own."""

    def with_object_code(self, codes: Mapping[str, bytes]) -> AbstractContextManager[None]:
        """A block in which `compile` uses such code where it has the key, and compiles what is missing.

        The runtime has made sure that this user has stored it; before it compiles, that it was made for this identity,
        for which it asks in such a block, too.
        """
