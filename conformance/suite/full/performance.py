# SPDX-License-Identifier: Apache-2.0
"""Bounds of speed that only a broken platform exceeds, relative to NumPy in the same process where possible."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from statistics import median
from typing import Any

import numpy as np

from olympus_core import ops
from olympus_core.plugin import Buffer
from olympus_core.program import ProgramBuilder, Value

from ...checks import require
from ...context import Context
from ...memory import require_no_growth
from ...programs import array_type, doubling, needs, program_of, splat
from ...requirement import Case, requirement
from ..multi.case_lists import process_cases
from ..multi.groups import own_buffers

_COPY = 64 << 20
_ELEMENTS = 10_000_000


def _seconds(work: Callable[[], Any], times: int) -> float:
    """The median of some runs, after one that is not counted."""
    work()
    found = []
    for _ in range(times):
        started = time.perf_counter()
        work()
        found.append(time.perf_counter() - started)
    return median(found)


def _require_within(took: float, allowed: float, what: str, why: str) -> None:
    require(took <= allowed, observed=f"{what} took {took * 1e3:.3g} ms",
            required=f"at most {allowed * 1e3:.3g} ms, {why}")


def _copied(nbytes: int) -> float:
    """Seconds that NumPy takes to copy so many bytes."""
    source, target = np.ones(nbytes, np.uint8), np.empty(nbytes, np.uint8)
    return _seconds(lambda: np.copyto(target, source), 5)


def _wait(columns: Sequence[Sequence[Buffer]]) -> None:
    for column in columns:
        for buffer in column:
            buffer.block_until_ready()


@requirement(
    "performance/execution",
    "An execution of a program of one operation on a few elements SHOULD take less than a millisecond, until its "
    "outputs are ready.",
    why="Whoever works interactively executes one operation after the other.",
    profile="full", cases=[Case(needs=needs("add"))],
)
def execution(context: Context) -> None:
    """The median of two hundred."""
    executable = context.compile(doubling("doubling", array_type(8)))
    buffer = context.put(np.ones(8, np.float32))
    _require_within(_seconds(lambda: _wait(executable.execute([[buffer]])), 200), 1e-3,
                    "an execution", "the median of 200")


@requirement(
    "performance/copies",
    "Copying 64 MiB to a device and back SHOULD take less than ten times what a copy into new memory of the process "
    "takes, each way.",
    why="Data is fed and checkpoints are read this way.",
    profile="full",
)
def copies(context: Context) -> None:
    """The median of five, each with an array of its own."""
    value = np.ones(_COPY // 4, np.float32)
    made: list[Buffer] = []

    def put() -> None:
        made.append(context.put(value))
        made[-1].block_until_ready()

    copied: list[np.ndarray] = []
    allowed = 10 * _seconds(lambda: copied.append(value.copy()), 5)
    copied.clear()
    _require_within(_seconds(put, 5), allowed, "a copy of 64 MiB to the device", "10 times a copy into new memory")
    buffers = iter(made)  # one is read once: what is read may be kept
    _require_within(_seconds(lambda: next(buffers).to_host(), 5), allowed, "a copy of 64 MiB to the host",
                    "10 times a copy into new memory")


@requirement(
    "performance/elementwise",
    "Ten elementwise operations in a row on ten million elements SHOULD take less than ten times what NumPy takes.",
    why="A platform that goes through Python for every element is of no use.",
    profile="full", cases=[Case(needs=needs("add", "mul", "max", "neg", "constant", "broadcast_in_dim"))],
)
def elementwise(context: Context) -> None:
    """Sums, products, signs and maxima; the median of three."""
    size = _ELEMENTS

    def body(builder: ProgramBuilder, x: Value) -> Sequence[Value]:
        half, one = splat(builder, 0.5, x.type), splat(builder, 1.0, x.type)
        y = x
        for iteration in range(10):
            y = builder.emit((ops.mul, ops.add, ops.max, ops.neg)[iteration % 4],
                             [y] if iteration % 4 == 3 else [y, (half, one, x)[iteration % 4]])[0]
        return [y]

    def in_numpy() -> np.ndarray:
        y = value
        for i in range(10):
            y = (np.multiply(y, np.float32(0.5)) if i % 4 == 0 else np.add(y, np.float32(1.0)) if i % 4 == 1
                 else np.maximum(y, value) if i % 4 == 2 else np.negative(y))
        return y

    value = np.arange(size, dtype=np.float32)
    executable = context.compile(program_of("chain", [array_type(size)], body))
    buffer = context.put(value)
    _require_within(_seconds(lambda: _wait(executable.execute([[buffer]])), 3), 10 * _seconds(in_numpy, 3),
                    "ten operations on ten million elements", "ten times NumPy's time")


@requirement(
    "performance/compile_again",
    "Compiling the same program again and again SHOULD NOT make the process grow.",
    why="Programs are compiled anew when caches of the runtime are full.",
    profile="full", cases=[Case(needs=needs("add"))], seconds=60.0,
)
def compile_again(context: Context) -> None:
    """Sixty times, after twenty that may fill caches; each is executed once."""
    program = doubling("doubling", array_type(1000), times=5)
    buffer = context.put(np.ones(1000, np.float32))

    def iteration(number: int) -> None:
        _wait(context.compile(program).execute([[buffer]]))

    for number in range(20):
        iteration(number)
    require_no_growth(context, iteration, iterations=60, nbytes=1 << 20, what="executables")


@requirement(
    "performance/collectives",
    "An all_reduce and an all_gather of 16 MiB in all SHOULD take less than a hundred times what a copy of them in "
    "memory takes, and one of a few bytes less than 20 milliseconds.",
    why="A transport that waits for a timer, or sends element by element, makes every step as slow as that.",
    profile="full", cases=process_cases(2, 4), seconds=60.0,
)
def collectives(context: Context) -> None:
    """Medians: of five large ones and of fifty small ones, all processes together on what processors there are."""
    devices, communicator = context.all_devices, context.communicator()
    count = len(devices)
    large = own_buffers(context, devices, [np.ones((16 << 20) // 4 // count, np.float32)] * count)
    small = own_buffers(context, devices, [np.ones(4, np.float32)] * count)
    took = {
        "an all_reduce of 16 MiB": _seconds(lambda: context.wait(communicator.all_reduce(large, "sum"), "large"), 5),
        "an all_gather of 16 MiB": _seconds(lambda: context.wait(communicator.all_gather(large, 0), "large"), 5),
        "a small all_reduce": _seconds(lambda: context.wait(communicator.all_reduce(small, "sum"), "small"), 50),
    }
    context.exchange("measured", b"")
    copied = _copied(16 << 20)
    for what, seconds in took.items():
        is_small = what.startswith("a small")
        _require_within(seconds, 0.02 if is_small else 100 * copied, what,
                        "the median of 50" if is_small else "100 times a copy in memory")
