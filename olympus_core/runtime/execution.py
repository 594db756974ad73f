# SPDX-License-Identifier: Apache-2.0
"""From a program and the layouts of its inputs to something that runs: partitioned, compiled, cached."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from time import monotonic, perf_counter
from typing import TYPE_CHECKING, Any

from olympus_core import partition as partitioning
from olympus_core.errors import NotSupportedError
from olympus_core.location import user_location
from olympus_core.placement import Dims, Layout, Mesh, forget_layouts
from olympus_core.plugin import Buffer, Client, Executable
from olympus_core.plugin.client import Run
from olympus_core.program import ArrayType, DeviceProgram, Program, operations_of

from .bounded_cache import BoundedCache
from .launches import Span, digest_of
from .program_cache import SizedEntry
from .world import get_world

if TYPE_CHECKING:
    from olympus_core.partition import Partitioned

Instrument = Callable[["LoadedProgram", Run], Run]  # of a program and its execution what is executed instead

_loaded: BoundedCache[Any, LoadedProgram] = BoundedCache()
_programs: weakref.WeakSet[LoadedProgram] = weakref.WeakSet()
_instrument: Instrument | None = None
LARGE = 1 << 28  # bytes from which on asking the system for room costs nothing beside the work
_SHOWN_OPERATIONS, _SHOWN_DEVICES = 6, 8
# What a program takes besides its code and its constants, as measured for small ones: the plan, Python's functions.
_PROGRAM_BYTES, _OPERATION_BYTES = 8_192, 3_072
_CODE_BYTES = 32_768  # of a platform that does not tell


class LoadedProgram(SizedEntry):
    """A program, ready to run on the devices of a mesh; remembered for as long as there is room for it.

    Attributes:
        partitioned: How it was split.
        mesh: The devices.
        executable: The platform's; None when no device of the mesh is this process's.
        in_layouts: Where each input must be.
        out_layouts: Where each output will be.
        execute: Runs it once: for each input one buffer for each local device of the mesh, the same for each output.
        name: The function that it was made of.
        called_at: The user's line that first needed it.
    """

    def __init__(
        self, name: str, partitioned: Partitioned, mesh: Mesh, executable: Executable | None, span: Span | None
    ) -> None:
        self.partitioned, self.executable, self.mesh = partitioned, executable, mesh
        self.in_layouts = _layouts(mesh, partitioned.in_dims, partitioned.in_terms)
        self.out_layouts = _layouts(mesh, partitioned.out_dims, partitioned.out_terms)
        super().__init__(_size(partitioned.device_program.program, executable))
        self.name = name
        self.execute: Run
        if executable is None:
            self.execute = _running_elsewhere(len(partitioned.out_dims))
        elif span is None:  # nothing to tell anybody
            self.execute = executable.execute
        else:
            described, digest = name + _described(partitioned, mesh), _digest(partitioned.device_program)
            self.execute = _launched(executable.execute, span, described, digest, bool(partitioned.collectives))
        scratch = int(getattr(executable, "scratch_bytes", 0))
        if executable is not None and bytes_needed(partitioned, self.out_layouts, scratch)[1] >= LARGE:
            from .memory_needs import allocated, within_memory  # for programs that need much

            fresh = allocated(partitioned.device_program.program)
            results, needs = bytes_needed(partitioned, self.out_layouts, scratch, fresh)
            if needs >= LARGE:
                self.execute = within_memory(
                    name, partitioned.device_program, needs, results, scratch, self.execute)
        self._plain, self.called_at = self.execute, user_location(2)
        _programs.add(self)
        if _instrument is not None:
            self.instrument(_instrument)

    def instrument(self, instrument: Instrument | None) -> None:
        """Has every execution go through a function of the instrument's, or none any more."""
        run = self._plain if instrument is None else instrument(self, self._plain)
        self.execute = run
        for dependent in self.dependents():
            dependent.rebind(run)


def _layouts(mesh: Mesh, dims: Sequence[Dims], terms: Sequence[tuple[str, ...]]) -> tuple[Layout, ...]:
    return tuple(Layout(mesh, one, axes) for one, axes in zip(dims, terms or [()] * len(dims), strict=True))


def _running_elsewhere(outputs: int) -> Run:
    """The execution of a program on devices of other processes only."""
    return lambda inputs: [[] for _ in range(outputs)]


def bytes_needed(
    partitioned: Partitioned, out_layouts: Sequence[Layout], scratch: int, fresh: Sequence[bool] | None = None,
) -> tuple[int, int]:
    """What the results of an execution take, and the execution with what donated arguments give.

    Devices of one process may share a part that they all have.

    Args:
        partitioned: The program.
        out_layouts: Where its results will be.
        scratch: Bytes of its temporary memory.
        fresh: Which results take memory of their own; all for None.
    """
    program = partitioned.device_program
    local, inner, results = len(program.local_positions), program.program, 0
    for i, (type_, layout) in enumerate(zip(inner.output_types, out_layouts, strict=True)):
        if fresh is not None and not fresh[i]:
            continue
        mesh = layout.mesh
        parts = mesh.parts(tuple(axis for axes in layout.dims for axis in axes)) * mesh.parts(layout.unreduced)
        results += type_.carried().nbytes * max(1, parts * local // max(mesh.size, 1))
    given = local * sum(inner.input_types[i].carried().nbytes for i in program.donated)
    return results, results + scratch - given


def _launched(execute: Run, span: Span, name: str, digest: int, settles: bool) -> Run:
    """An execution that is compared with those of the other processes."""
    def launch(inputs: Sequence[Sequence[Buffer]]) -> list[list[Buffer]]:
        span.enter(name, digest)
        outputs = execute(inputs)
        if settles:
            span.settle()
        span.launch[1] = monotonic()
        return outputs

    return launch


def load(
    program: Program, mesh: Mesh, in_dims: Sequence[Dims], out_dims: Sequence[Dims | None], donated: Sequence[int] = (),
    in_terms: Sequence[tuple[str, ...]] = (), out_terms: Sequence[tuple[str, ...]] = (),
) -> LoadedProgram:
    """Partitions and compiles a program for a mesh; the same request gives the same answer again.

    Programs that call the host are not remembered here.

    Args:
        program: The global program.
        mesh: The devices.
        in_dims: For each input the mesh axes of its dimensions.
        out_dims: The same for the outputs; None where the partitioner chooses.
        donated: Indices of the inputs whose buffers may be reused.
        in_terms: For each input the axes over which it comes as terms of a sum; nothing for none.
        out_terms: The same for the outputs.

    Raises:
        NotSupportedError: If the platform does not declare what the program needs.
        ClosedDevicesError: If the devices' job is over.
    """
    from olympus_core import monitoring  # not before something is compiled

    mesh.check_open()
    program = partitioning.expanded(program, mesh.flat_devices[0].platform, whole=mesh.size == 1, asked=False)

    def partitioned() -> Partitioned:
        started = perf_counter()
        found = partitioning.partition(
            program, mesh, in_dims, out_dims, donated=donated, in_terms=in_terms, out_terms=out_terms)
        monitoring.told(monitoring.SPLIT, program.name, perf_counter() - started)
        return found

    if any(o.record.category in ("host", "external") for o in operations_of(program)):
        # The fingerprint knows the names only of the host's functions that it calls; and what these hold, which may be
        # much, is to go with the function that was traced.
        return _load(program.name, partitioned(), mesh)
    key = (program.identity, mesh, tuple(in_dims), tuple(out_dims), tuple(donated), tuple(in_terms),
           tuple(out_terms))
    found = _loaded.get(key)
    monitoring.record_event(monitoring.MEMORY_MISS if found is None else monitoring.MEMORY_HIT)
    if found is None:
        made = _load(program.name, partitioned(), mesh)
        return _loaded.remember(key, made, made)
    found.was_used = True
    return found


def load_reshard(type: ArrayType, source: Layout, target: Layout) -> LoadedProgram:
    """What takes an array from one sharding to another of the same mesh.

    Args:
        type: The array's type.
        source: How it lies now.
        target: How it shall lie, on the same mesh.
    """
    key = (type, source, target)
    found = _loaded.get(key)
    if found is None:
        partitioned = partitioning.reshard_program(type.carried(), source, target)
        made = _load(f"device_put of {type}", partitioned, source.mesh)
        return _loaded.remember(key, made, made)
    found.was_used = True
    return found


def instrument(wanted: Instrument | None) -> None:
    """Has all executions of this process observed from now on; costs nothing where none is.

    Args:
        wanted: Gives, for a program and its execution, what is executed instead; None ends it.
    """
    global _instrument
    _instrument = wanted
    for program in tuple(_programs):
        program.instrument(wanted)


def forget_all() -> None:
    """Forgets everything compiled; for when the devices are closed."""
    _loaded.clear()
    forget_layouts()


def _load(name: str, partitioned: Partitioned, mesh: Mesh) -> LoadedProgram:
    world = get_world()
    devices = mesh.flat_devices
    client, links = world.client(devices[0]), world.links[devices[0].platform]
    device_program = partitioned.device_program
    if not device_program.local_positions:
        return LoadedProgram(name, partitioned, mesh, None, None)
    check_capabilities(client, device_program, devices[0].platform)
    span = links.span(devices)
    from olympus_core import monitoring

    started = perf_counter()
    executable = client.compile(device_program, links)
    monitoring.told(monitoring.COMPILED, name, perf_counter() - started, devices[:_SHOWN_DEVICES])
    return LoadedProgram(name, partitioned, mesh, executable, span)


def size_of(program: Program) -> int:
    """An estimate of the bytes that a program takes which is not compiled, regions and constants included."""
    return _plain_size(program, 3)


def _size(program: Program, executable: Executable | None) -> int:
    """An estimate of the bytes that a compiled program takes."""
    code = getattr(executable, "code_bytes", _CODE_BYTES) if executable is not None else 0
    return _plain_size(program, 1) + code


def _plain_size(program: Program, part: int) -> int:
    """What Python's objects take, or a part of them, and constants."""
    operations, constants = operations_of(program), 0
    for operation in operations:
        if operation.name == "constant":
            constants += operation.results[0].type.nbytes
    return (_PROGRAM_BYTES + _OPERATION_BYTES * len(operations)) // part + constants


def check_capabilities(client: Client, device_program: DeviceProgram, platform: str) -> None:
    """Refuses, before anything runs, what the platform does not declare."""
    capabilities = client.capabilities
    operations = operations_of(device_program.program)
    values = [*device_program.program.inputs, *(v for op in operations for v in op.results)]
    for dtype in {value.type.dtype for value in values}:
        if dtype not in capabilities.dtypes:
            raise NotSupportedError(f"Element type {dtype.name} on platform {platform!r}",
                                    "the platform does not declare it", "Convert to a type that it declares.")
    if capabilities.operations is not None:
        for operation in operations:
            if operation.name not in capabilities.operations:
                raise NotSupportedError(
                    f"Operation {operation.name} ({operation.location or 'no source line'}) on platform {platform!r}",
                    "the platform does not declare it", "Run this part on another platform, such as cpu.",
                )


def _described(partitioned: Partitioned, mesh: Mesh) -> str:
    """What a launch is, for people: the types of its arguments with the axes that split them, its first steps."""
    sizes = dict(mesh.shape_tuple)
    shown = []
    for value, dims in zip(partitioned.device_program.program.inputs, partitioned.in_dims, strict=True):
        entries = [
            f"{size * mesh.parts(axes)}{'@' + '.'.join(axes) if any(sizes[a] > 1 for a in axes) else ''}"
            for size, axes in zip(value.type.shape, dims, strict=True)
        ]
        shown.append(f"{value.type.dtype.name}[{','.join(entries)}]")
    operations = [operation.name for operation in partitioned.device_program.program.operations]
    steps = ", ".join(operations[:_SHOWN_OPERATIONS]) + (", ..." if len(operations) > _SHOWN_OPERATIONS else "")
    return f"({', '.join(shown)}): {steps}"


def _digest(device_program: DeviceProgram) -> int:
    return digest_of(device_program.program.fingerprint + ",".join(str(d.id) for d in device_program.devices))
