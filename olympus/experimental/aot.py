# SPDX-License-Identifier: Apache-2.0
"""Compiling ahead of time: what a jitted function would need and do on a machine that is not there."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from olympus_core.deferred import listed
from olympus_core.errors import ArgumentError, NotSupportedError
from olympus_core.placement import Mesh, NamedSharding, PartitionSpec, Sharding, make_mesh
from olympus_core.plugin import CompilesAhead, Device
from olympus_core.program import ArrayType
from olympus_core.runtime.registry import registry

from .. import tree
from ..array import is_concrete
from ..shape_dtype import ShapeDtypeStruct
from ..tracing import aval_of
from ..transforms.jit import Jitted

__all__ = ["AheadOfTimeCompiled", "compile", "devices"]
__dir__ = listed(__all__)

if TYPE_CHECKING:
    from olympus_core.partition import CollectiveUse


@dataclass(frozen=True, slots=True)
class AheadOfTimeCompiled:
    """What a compiler says of a function for a topology; prints as a table. Figures are those of one device.

    Args:
        name: The function's name.
        topology: The topology's name, as its platform has it.
        devices: Number of devices that run it.
        processes: Number of processes that own them.
        memory: Bytes: ``arguments``, ``outputs``, ``temporaries``, ``code``, and ``reused`` of arguments for outputs.
        cost: Estimates, where known: ``flops``, ``bytes``, ``seconds``.
        collectives: How often each collective stands in the optimised program.
        in_loops: How many of these stand in a loop, where they may run often.
        announced: How often each stands in the program that the compiler was given.
        announced_times: How often a call runs them; None for those in a loop whose length is not known beforehand.
        announced_text: The table that `olympus.explain` gives.
        input_types: What each argument is on one device.
        output_types: What each result is on one device.
        program_text: The program of one device that the compiler was given, in its own language.
        optimized_text: The optimised program.
    """

    name: str
    topology: str
    devices: int
    processes: int
    memory: Mapping[str, int]
    cost: Mapping[str, float]
    collectives: Mapping[str, int]
    in_loops: Mapping[str, int]
    announced: Mapping[str, int]
    announced_times: Mapping[str, int | None]
    announced_text: str
    input_types: tuple[ArrayType, ...]
    output_types: tuple[ArrayType, ...]
    program_text: str = field(repr=False)
    optimized_text: str = field(repr=False)

    @property
    def memory_bytes(self) -> int:
        """All the memory that the program takes on one device; outputs that reuse arguments count once."""
        return sum(self.memory.values()) - 2 * self.memory.get("reused", 0)

    def as_text(self) -> str:
        """The optimised program."""
        return self.optimized_text

    def __str__(self) -> str:
        rows = [
            ("runs on", f"{self.devices} devices of {self.processes} processes ({self.topology})"),
            ("takes, on each", _types(self.input_types)),
            ("gives, on each", _types(self.output_types)),
            ("memory", f"{_bytes(self.memory_bytes)} on each"),
            *((f"  {name}", _bytes(size)) for name, size in self.memory.items()),
            *((name, _figure(name, value)) for name, value in self.cost.items()),
            ("collectives", _counts(self.collectives, {n: _in_loops(k) for n, k in self.in_loops.items()})),
            ("  as announced", _counts(self.announced, {
                n: _times(k) for n, k in self.announced_times.items() if k != self.announced.get(n)})),
        ]
        width = max(len(title) for title, _ in rows)
        return "\n".join([self.name, *(f"  {title:{width}}  {text}" for title, text in rows)])


def devices(topology: str, *, processes: int | None = None, platform: str | None = None) -> list[Device]:
    """The devices of a topology, none of which is there: meshes can be made of them, arrays cannot be put on them.

    Args:
        topology: Its name, as one of the platforms knows it: ``v5e:4x4``, ``v5litepod-16``.
        processes: How many processes it must have; any number when left out.
        platform: Which platform's; the first that knows the name when left out.

    Returns:
        The devices in the order in which a job on the topology would have them; the same ones each time.

    Raises:
        ArgumentError: For another number of processes.
        NotSupportedError: No platform compiles ahead of time.

    Example:
        >>> from olympus.experimental import aot
        >>> aot.devices("v5e:2x2", platform="abacus")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
            ...
        olympus_core.errors.base.NotSupportedError: ...
    """
    _, _, found = _resolved(topology, platform)
    _check_processes(topology, found, processes)
    return list(found)


def compile(
    function: Callable[..., Any], *args: Any, topology: str, processes: int | None = None, mesh: Mesh | None = None,
    platform: str | None = None,
) -> AheadOfTimeCompiled:
    """Compiles a function for a topology without having it: memory, estimates, collectives, the optimised program.

    Args:
        function: A function of arrays, jitted or not.
        *args: Its arguments: arrays, or `ShapeDtypeStruct`, with shardings. A sharding over a mesh of other devices
            is taken for the same one over the topology's.
        topology: Its name, as one of the platforms knows it: ``v5e:4x4``, ``v5litepod-16``.
        processes: How many processes it must have; any number when left out.
        mesh: A mesh of `devices` that the arguments' specs mean; when left out, one like the arguments' own.
        platform: Which platform compiles; the first that knows the topology when left out.

    Returns:
        What the compiler says.

    Raises:
        ArgumentError: For another number of processes, or shardings that cannot be had on the topology.
        NotSupportedError: No platform compiles ahead of time, or the platform lacks something of the program.

    Example:
        With the package of platform ``tpu`` and its compiler installed::

            devices = aot.devices("v5e:4x4")
            mesh = olympus.make_mesh((4, 4), ("x", "y"), devices=devices)
            x = olympus.ShapeDtypeStruct((4096, 4096), "float32", sharding=NamedSharding(mesh, P("x", "y")))
            print(aot.compile(lambda x: jnp.sum(jnp.sin(x)), x, topology="v5e:4x4"))

        >>> from olympus.experimental import aot
        >>> aot.compile(lambda x: x + 1, 1.0, topology="v5e:4x4", platform="abacus")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
            ...
        olympus_core.errors.base.NotSupportedError: ...
    """
    from olympus_core.partition import format_collectives  # slow to import

    compiler, name, there = _resolved(topology, platform)
    _check_processes(topology, there, processes)
    jitted = function if isinstance(function, Jitted) else Jitted(function)
    moved = [tree.map(lambda leaf: _abstract(leaf, there, mesh), arg) for arg in args]
    split = jitted.split_over_devices(*moved)
    program = split.device_program
    if not set(program.devices) <= set(there):
        raise ArgumentError(
            "aot.compile", "the function does not run on the topology's devices",
            f"{len(program.devices)} devices, first {program.devices[0]!r}", f"some of aot.devices({topology!r})",
            "Give an argument a sharding over a mesh of these devices.",
        )
    found = compiler.compile_ahead(program, name)
    return AheadOfTimeCompiled(
        program.program.name, name, len(program.devices), len({d.process_index for d in program.devices}),
        found.memory, found.cost, found.collectives, found.in_loops,
        dict(Counter(use.operation for use in split.collectives)), _runs(split.collectives), format_collectives(split),
        program.program.input_types, program.program.output_types, found.text,
        found.optimized,
    )


@functools.lru_cache(maxsize=32)
def _resolved(topology: str, platform: str | None) -> tuple[CompilesAhead, str, tuple[Device, ...]]:
    """The platform that knows a topology, the name that it has there, and its devices: made once, to be compared."""
    refusal: ValueError | None = None
    for candidate in registry.installed():
        if not isinstance(candidate, CompilesAhead) or platform not in (None, candidate.name, *candidate.aliases):
            continue
        try:
            found = candidate.topology(topology)
        except ValueError as error:  # another platform may know the name
            refusal = refusal or error
            continue
        return candidate, found.name, tuple(
            Device(d, platform=candidate.name, process_index=process, local_index=i, is_addressable=False)
            for process, listed in enumerate(found.devices)
            for i, d in enumerate(listed)
        )
    if refusal is not None:
        raise refusal
    raise NotSupportedError(
        "Compiling ahead of time" + ("" if platform is None else f" for platform {platform!r}"),
        "no installed platform of that name does it" if platform is not None else "no installed platform does it",
        "Install the package of one that does; `olympus doctor` lists the platforms.",
    )


def _check_processes(topology: str, found: Sequence[Device], processes: int | None) -> None:
    there = len({device.process_index for device in found})
    if processes is not None and processes != there:
        raise ArgumentError("aot", f"{topology} has another number of processes", processes, there)


def _abstract(leaf: Any, there: tuple[Device, ...], mesh: Mesh | None) -> Any:
    """What stands for an argument on the topology; numbers stay as they are."""
    if not hasattr(leaf, "shape") or not hasattr(leaf, "dtype"):
        return leaf
    given = getattr(leaf, "sharding", None)
    if is_concrete(leaf) and not leaf.committed:
        given = None
    aval = aval_of(leaf)
    sharding = _moved(given, there, mesh) if isinstance(given, Sharding) else None
    if sharding is None and mesh is not None:
        sharding = NamedSharding(mesh, PartitionSpec())
    return ShapeDtypeStruct(aval.shape, aval.dtype, sharding=sharding, weak_type=aval.weak)


def _moved(given: Sharding, there: tuple[Device, ...], mesh: Mesh | None) -> Sharding | None:
    """A sharding as it is, or the same one over a mesh of the topology's devices; None for one device of others."""
    if set(given.devices) <= set(there):
        return given
    if isinstance(given, NamedSharding):
        own = given.mesh
        if mesh is None:
            if own.size > len(there):
                raise ArgumentError("aot.compile", "an argument's mesh has more devices than the topology",
                                    own.size, f"at most {len(there)}", "Name a larger topology.")
            mesh = make_mesh(own.axis_sizes, own.axis_names, devices=there, axis_types=own.axis_types)
        return NamedSharding(mesh, given.spec)
    if len(given.devices) == 1:
        return None
    raise ArgumentError(
        "aot.compile", "an argument's sharding cannot be had on the topology", given, "a NamedSharding",
        "Give it a NamedSharding over a mesh of aot.devices().",
    )


def _types(types: Sequence[ArrayType]) -> str:
    return ", ".join(map(str, types)) or "nothing"


def _runs(uses: Sequence[CollectiveUse]) -> dict[str, int | None]:
    """How often a call runs each collective, by name."""
    runs: dict[str, int | None] = {}
    for use in uses:
        before = runs.get(use.operation, 0)
        runs[use.operation] = None if before is None or use.times is None else before + use.times
    return runs


def _counts(counts: Mapping[str, int], remarks: Mapping[str, str]) -> str:
    named = (f"{n} {name}" + (f" ({remarks[name]})" if name in remarks else "") for name, n in sorted(counts.items()))
    return ", ".join(named) or "none"


def _in_loops(count: int) -> str:
    return f"{count} in a loop"


def _times(count: int | None) -> str:
    return "in a loop of unknown length" if count is None else f"run {count} times"


def _bytes(size: float) -> str:
    for unit in ("B", "KiB", "MiB"):
        if size < 1024:
            return f"{size:.4g} {unit}"
        size /= 1024
    return f"{size:.4g} GiB"


def _figure(name: str, value: float) -> str:
    if name == "seconds":
        return f"{value * 1e6:.4g} us, estimated"
    return _bytes(value) + " read and written" if name == "bytes" else f"{value:.4g}"
