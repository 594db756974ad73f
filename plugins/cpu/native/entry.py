# SPDX-License-Identifier: Apache-2.0
"""Entries: Python functions that run a sequence of kernels by one native call."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from olympus_core.dataclass import dataclass
from olympus_core.errors import OlympusInternalError
from olympus_core.plugin import KernelDescription

from .memory import allocator
from .pool import pool
from .python_api import FAST_CALL, PythonFunctionBuilder, keep_for_ever
from .runtime import FRAME, runtime

# How an entry runs its kernels.
INLINE = 0  # in order, holding the GIL: for work of a few microseconds
RELEASED = 1  # in order, with the GIL released
PARALLEL = 2  # by the threads of the pool

Entry = Callable[..., Any]

UNKNOWN = KernelDescription("kernel", "", 0, 0.0)

_ALIGNMENT = 64
_NAME_LENGTH = 80
_SCRATCH = 2  # the word of a plan that has the bytes of its temporaries
_MAXIMUM = (1 << 63) - 1


@dataclass(frozen=True, slots=True)
class Step:
    """One kernel over its range.

    Args:
        kernel: Its address: ``void(ptr table, i64 low, i64 high, i64 chunk_index)``.
        total: The range is ``[0, total)``; an empty one runs nothing.
        chunk: The part of the range of one call of the kernel; the last may be smaller.
        tables: For each run over the range (for example, one for each device), the slots whose addresses the kernel's
            table holds.
        joined: It runs right after the step before it, table by table, without a barrier between them. Both have the
            same number of tables, and each table's steps run in one thread.
        piecewise: It is joined to the step before it chunk by chunk: a chunk runs right after the same chunk of that
            step, in the same thread, without a barrier. Both have equally many chunks.
        about: What it is, for profiles.
    """

    kernel: int
    total: int
    chunk: int
    tables: tuple[tuple[int, ...], ...]
    joined: bool = False
    piecewise: bool = False
    about: KernelDescription = UNKNOWN


@dataclass(frozen=True, slots=True)
class Slots:
    """The slots of an entry, in this order; the last one is always the status, an i32 that starts as 0.

    Args:
        arguments: Number of arguments of the call: blocks, NumPy's arrays (no subclass's), or addresses as integers of
            memory that the caller holds.
        outputs: Bytes of each block that the call allocates and returns.
        temporaries: Bytes of each piece of memory that exists during the call.
        constants: Fixed addresses, kept alive by `keep` of `make_entry`.
    """

    arguments: int = 0
    outputs: tuple[int, ...] = ()
    temporaries: tuple[int, ...] = ()
    constants: tuple[int, ...] = ()

    @property
    def count(self) -> int:
        """Number of slots, with the status."""
        return self.arguments + len(self.outputs) + len(self.temporaries) + len(self.constants) + 1

    @property
    def status(self) -> int:
        """The slot of the status."""
        return self.count - 1


def make_entry(
    steps: Sequence[Step],
    slots: Slots,
    mode: int,
    keep: object = None,
    on_status: Callable[[int], object] | None = None,
) -> Entry:
    """A Python function of positional arguments that runs steps one after the other.

    It returns None, the one output block, or a tuple of the output blocks. In the mode `INLINE` or `RELEASED`, as in
    `PARALLEL` when the pool is busy, kernels are called with the same chunks in order, so results do not depend on the
    mode.

    Args:
        steps: The kernels.
        slots: The slots that their tables may hold.
        mode: `INLINE`, `RELEASED` or `PARALLEL`.
        keep: Objects that must live as long as the function: libraries of the kernels, owners of constants.
        on_status: Called after all steps if a kernel has set a status other than 0; it raises the error.

    Raises:
        OlympusInternalError: The steps do not match the slots or each other.
    """
    plan = _plan(steps, slots, mode, on_status)
    if mode == PARALLEL:
        pool().start()
    return _functions()((plan, keep, on_status, _told(steps)))


def _told(steps: Sequence[Step]) -> tuple[KernelDescription, ...]:
    """What each stage is, for profiles."""
    told: list[KernelDescription] = []
    for step in steps:
        if step.joined or step.piecewise:
            told[-1] = merged(told[-1], step.about)
        else:
            told.append(step.about)
    return tuple(told)


def merged(one: KernelDescription, other: KernelDescription) -> KernelDescription:
    """Kernels that run together: the line is that of the one with more arithmetic, or more bytes."""
    first = one if (one.work, one.bytes) >= (other.work, other.bytes) else other
    names = one.name if one.name.endswith(other.name) else f"{one.name}, {other.name}"
    return KernelDescription(names[:_NAME_LENGTH], first.location, one.bytes + other.bytes, one.work + other.work)


def kept_by(entry: Entry) -> Any:
    """The objects that are kept alive by a function of `make_entry`."""
    return entry.__self__[1]  # type: ignore[attr-defined]  # a function in C, whose self is the tuple below


def scratch_of(entry: Entry) -> int:
    """Bytes of the temporary memory that a call of a function of `make_entry` takes."""
    return array("q", entry.__self__[0][:8 * _SCRATCH + 8])[_SCRATCH]  # type: ignore[attr-defined]  # as above


def make_kernel_entry(kernel: int, arguments: int, total: int, chunk: int, mode: int, keep: object = None) -> Entry:
    """A function that runs one kernel over the addresses or blocks that it is called with."""
    step = Step(kernel, total, chunk, (tuple(range(arguments)),))
    return make_entry((step,), Slots(arguments), mode, keep)


def _plan(steps: Sequence[Step], slots: Slots, mode: int, on_status: Callable[[int], object] | None) -> bytes:
    check_steps(steps, slots.count)
    _check(slots, mode)
    entries: list[int] = []
    stages = stages_of(steps, entries)
    pointers = slots.count + len(entries)
    end = rounded(8 * pointers)
    offsets = []
    for size in slots.temporaries:
        offsets.append(end)
        end = rounded(end + max(size, 1))
    scratch = end if offsets or pointers > FRAME else 0
    head = 15
    after_outputs = head + len(slots.outputs)
    after_temporaries = after_outputs + len(offsets)
    after_constants = after_temporaries + len(slots.constants)
    return array("q", [
        slots.arguments, len(slots.outputs), scratch, slots.count, len(entries), len(stages),
        mode, id(_unhandled_status if on_status is None else on_status),
        len(offsets), len(slots.constants),
        head, after_outputs, after_temporaries, after_constants, after_constants + len(entries),
        *slots.outputs, *offsets, *(signed(c) for c in slots.constants), *entries,
        *(word for stage in stages for word in stage),
    ]).tobytes()


def stages_of(steps: Sequence[Step], entries: list[int]) -> list[list[int]]:
    """The words of a plan's stages.

    Args:
        steps: The kernels.
        entries: The plan's table entries; those of these steps are appended.
    """
    stages: list[list[int]] = []
    for step in steps:
        words = [step.kernel, step.total, step.chunk, _chunks(step), len(entries), len(step.tables[0])]
        for table in step.tables:
            entries += table
        if step.joined or step.piecewise:
            stages[-1][0] += 1
            stages[-1][2] = _chunks(step) if step.piecewise else 1
            stages[-1] += words
        else:
            stages.append([1, len(step.tables), 1, *words])
    return stages


def _check(slots: Slots, mode: int) -> None:
    if mode not in (INLINE, RELEASED, PARALLEL):
        raise OlympusInternalError(f"an entry of mode {mode}")
    if min((slots.arguments, *slots.outputs, *slots.temporaries)) < 0:
        raise OlympusInternalError("an entry with a negative size")


def check_steps(steps: Sequence[Step], slots: int) -> None:
    """Checks that steps match a number of slots and each other.

    Raises:
        OlympusInternalError: They do not.
    """
    for index, step in enumerate(steps):
        widths = {len(table) for table in step.tables}
        if not step.kernel or len(widths) != 1 or not 0 <= step.total <= _MAXIMUM or not 0 < step.chunk <= _MAXIMUM:
            raise OlympusInternalError(f"step {index} of an entry: {step}")
        if not all(0 <= slot < slots for table in step.tables for slot in table):
            raise OlympusInternalError(f"step {index} of an entry uses slots beyond {slots}: {step}")
        if step.joined and (index == 0 or len(step.tables) != len(steps[index - 1].tables)):
            raise OlympusInternalError(f"step {index} of an entry is joined to a step of other table counts: {step}")
        if step.piecewise and (step.joined or index == 0 or steps[index - 1].joined or not step.total or (
                len(step.tables), _chunks(step)) != (len(steps[index - 1].tables), _chunks(steps[index - 1]))):
            raise OlympusInternalError(f"step {index} of an entry has other chunks than the step before it: {step}")
        if step.joined and steps[index - 1].piecewise:
            raise OlympusInternalError(f"step {index} of an entry is joined to a piecewise step: {step}")


def _chunks(step: Step) -> int:
    return -(-step.total // step.chunk)


def rounded(size: int) -> int:
    """A size rounded up to whole cache lines."""
    return -(-size // _ALIGNMENT) * _ALIGNMENT


def signed(address: int) -> int:
    """An address as a word of a plan."""
    return address - (1 << 64) if address > _MAXIMUM else address


@lru_cache(maxsize=1)
def _functions() -> PythonFunctionBuilder:
    allocator()  # entries allocate and recognise its blocks
    library = runtime()
    keep_for_ever(_fail, _unhandled_status)
    ctypes.c_void_p.from_address(library["entry_failure"]).value = id(_fail)
    return PythonFunctionBuilder("program", library["entry"], FAST_CALL)


def _fail() -> None:
    raise OlympusInternalError("a native program was called with a wrong number of arguments, or hid its failure")


def _unhandled_status(status: int) -> None:
    raise OlympusInternalError(f"a kernel failed with status {status}")
