# SPDX-License-Identifier: Apache-2.0
"""The module: the functions of a device program, and its number of replicas."""

from __future__ import annotations

import re
from collections.abc import Sequence

from olympus_core.program import DeviceProgram, Program

from .literals import results_text, type_text
from .policy import TypePolicy
from .table import EMISSIONS
from .writer import Module, Name, Writer


def emit(
    program: DeviceProgram, *, policy: TypePolicy | None = None, positions: Sequence[int] = (), locations: bool = False
) -> str:
    """A device program as the text of a StableHLO module.

    Args:
        program: The program of one device; collectives are between all its devices.
        positions: The program's devices that run the module, if not all; their groups contain no others.
        policy: Element types, precision and limits of the compiler; None for no limits.
        locations: Whether each operation has its scopes and the user's line.

    Returns:
        The text, equal for equal programs in every process. Its function is ``main``.

    Raises:
        NotSupportedError: For element types outside the policy, and for calls into the host's Python.
    """
    return emit_program(program.program, positions or len(program.devices), program.donated, policy=policy,
                        locations=locations)


def emit_program(
    program: Program, devices: int | Sequence[int] = 1, donated: tuple[int, ...] = (), *,
    policy: TypePolicy | None = None, locations: bool = False,
) -> str:
    """Like `emit`, for the program of one device and the number of devices.

    Args:
        program: The program of one device.
        devices: The number of devices that run it, or their positions.
        donated: Indices of the donated inputs.
        policy: As `emit` takes it.
        locations: Likewise.

    Returns:
        The text.

    Raises:
        NotSupportedError: As `emit` does.
    """
    policy = policy or TypePolicy()
    positions = range(devices) if isinstance(devices, int) else devices
    known = EMISSIONS
    if policy.for_export:
        from .for_export import FOR_EXPORT  # platforms do without

        known = {**EMISSIONS, **FOR_EXPORT}
    root = f"jit({program.name})" if locations else ""
    module = Module(policy, {p: i for i, p in enumerate(positions)}, known, root)
    writer = Writer(module)
    for i, value in enumerate(program.inputs):
        policy.check(value.type.dtype, f"input {i} of {program.name}")
    arguments = [Name(f"%arg{i}", t) for i, t in enumerate(program.input_types)]
    writer.finish(writer.inline(program, arguments), "func.return")
    aliases = _aliases(program, donated)
    inputs = ", ".join(f"{a.text}: {type_text(a.type)}{aliases.get(i, '')}" for i, a in enumerate(arguments))
    types = program.output_types
    return "\n".join([
        f"module @{_symbol(program.name)} attributes "
        f"{{mhlo.num_partitions = 1 : i32, mhlo.num_replicas = {len(positions)} : i32}} {{",
        f"  func.func public @main({inputs}) -> {results_text(types) if types else '()'} {{",
        *writer.lines, "  }", *module.functions, "}", "",
    ])


def _aliases(program: Program, donated: tuple[int, ...]) -> dict[int, str]:
    """For each donated input the first free output of its type."""
    free = list(enumerate(program.output_types))
    found: dict[int, str] = {}
    for i in donated:
        for output in free:
            if output[1] is program.input_types[i]:
                found[i] = f" {{tf.aliasing_output = {output[0]} : i32}}"
                free.remove(output)
                break
    return found


def _symbol(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9_]", "_", name) or "program"
