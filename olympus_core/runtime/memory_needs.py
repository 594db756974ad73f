# SPDX-License-Identifier: Apache-2.0
"""Executions that need more memory than there is: refused when they are called, before the system ends the process."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from typing import Any, NamedTuple

from olympus_core import recording
from olympus_core.config import config
from olympus_core.errors.platform import OutOfMemoryError
from olympus_core.location import user_location
from olympus_core.ops import bitcast_convert, convert, dynamic_slice, scan
from olympus_core.plugin import Buffer
from olympus_core.plugin.client import Run
from olympus_core.program import DeviceProgram, Operation, Program, Value

from .array import Array
from .world import get_world

_MOST_HOLDERS = 6


def within_memory(name: str, program: DeviceProgram, needs: int, results: int, scratch: int, run: Run) -> Run:
    """An execution that asks first whether there is memory.

    Args:
        name: The program's name.
        program: The program.
        needs: Bytes that an execution takes at least.
        results: Bytes of its results.
        scratch: Bytes of its temporary memory.
        run: The execution.
    """
    device, given = program.local_devices[0], results + scratch - needs
    plan = f"{results:,} bytes of results, {scratch:,} bytes of temporary memory"
    if given:
        plan += f", {given:,} given by donated arguments"

    def asking(inputs: Sequence[Sequence[Buffer]]) -> list[list[Buffer]]:
        refuse_what_does_not_fit(name, needs, plan, device)
        return run(inputs)

    return asking


def allocated(program: Program) -> list[bool]:
    """Which results of a program certainly take memory of their own.

    Not those that may be an argument, another result, or what the host or a collective hands over: executions of which
    it is not certain that they do not fit are never refused.

    Args:
        program: What one device runs.
    """
    numbers: dict[Value, int | None] = dict.fromkeys(program.inputs)  # equal for what is computed in the same way
    for operation in program.operations:
        numbers.update(_numbers(operation, numbers))
    found, seen = [], set[int | None]({None})
    for output in program.outputs:
        number = numbers[output]
        found.append(number not in seen)
        seen.add(number)
    return found


def _numbers(operation: Operation, numbers: dict[Value, int | None]) -> dict[Value, int | None]:
    """What stands for each result of an operation; None for what may take no memory."""
    record, operands, results = operation.record, operation.operands, operation.results
    if record is scan:
        carried = operation.attributes["carry"]
        return {v: None if i < carried else hash((id(operation), i)) for i, v in enumerate(results)}
    if operation.regions or record.category in ("collective", "control", "host", "external"):
        return dict.fromkeys(results)
    if operands and len(results) == 1 and results[0].type.nbytes == operands[0].type.nbytes and (
            record.category == "structure" or record in (bitcast_convert, convert, dynamic_slice)):
        return {results[0]: numbers[operands[0]]}  # the same bytes, perhaps in the same memory
    key = hash((record.name, *(numbers[v] if numbers[v] is not None else id(v) for v in operands),
                repr(sorted(operation.attributes.items(), key=lambda item: item[0]))))
    return {v: hash((key, i)) for i, v in enumerate(results)}


def refuse_what_does_not_fit(name: str, needs: int, plan: str, device: Any) -> None:
    """Raises when an execution needs more memory than there is.

    Args:
        name: The program.
        needs: Bytes that it takes at least.
        plan: The same in words.
        device: One of its devices.

    Raises:
        OutOfMemoryError: There is less.
    """
    if not config.memory_check:
        return
    client = get_world().client(device)
    free = client.memory_stats(device).get("bytes_available")
    if free is not None and 2 * needs > free:  # what was begun earlier may not have taken its memory yet
        client.synchronize()
        free = client.memory_stats(device).get("bytes_available")
    if free is None or needs <= free:
        return
    held, line = holders(), user_location(2)
    raise OutOfMemoryError(
        needs, sum(one.size for one in held), free, program=f"{name.lstrip('_')} at {line}" if line else name,
        plan=plan, holders=[
            f"{one.size:,} bytes in {one.arrays} {one.kind}" + (f" made at {one.line}" if one.line else "")
            for one in held[:_MOST_HOLDERS]])


class Holder(NamedTuple):
    """Arrays of one type that one line made.

    Args:
        line: The line; empty where it is not known.
        kind: Their type, as text.
        size: Their bytes in this process.
        arrays: How many there are.
    """

    line: str
    kind: str
    size: int
    arrays: int


def holders(platform: str | None = None) -> list[Holder]:
    """What holds memory, the most first.

    Lines are known of arrays that were put on devices, and of all others that are made while a profile is recorded.

    Args:
        platform: Of the devices of this platform only.
    """
    made_at = getattr(recording.recorder, "line_of", None)
    found: dict[tuple[str, str], list[int]] = {}
    seen: set[int] = set()
    for array in [x for x in gc.get_objects() if isinstance(x, Array)]:
        if array.is_deleted():
            continue
        buffers = [b for b in array._buffers if id(b) not in seen and platform in (None, b.device.platform)]
        seen.update(id(b) for b in buffers)
        if not buffers:
            continue
        line = (made_at(buffers[0]) if made_at is not None else "") or array._committed_at
        sums = found.setdefault((line, str(array._signature.type)), [0, 0])
        sums[0] += sum(_size(buffer) for buffer in buffers)
        sums[1] += 1
    return sorted((Holder(*key, *sums) for key, sums in found.items()), key=lambda one: -one.size)


def _size(buffer: Buffer) -> int:
    size = buffer.dtype.itemsize
    for length in buffer.shape:
        size *= length
    return size
