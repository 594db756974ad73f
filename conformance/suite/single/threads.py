# SPDX-License-Identifier: Apache-2.0
"""Threads: everything but communicators may be used from several at once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.plugin import Buffer, Executable
from olympus_core.program import Program, ProgramBuilder, Value

from ...checks import require, require_same_bits
from ...context import Context
from ...errors import Failed
from ...programs import array_type, doubling, heavy, needs, program_of
from ...requirement import Case, requirement

_THREADS = 8
_SECONDS = 25.0
_READ_SIZES = (100, 1_000_000)
_ROUNDS, _READERS, _READS = 6, 4, 200


def _together(work: Callable[[int], None], count: int = _THREADS) -> None:
    """Runs the work in several threads that begin at once; raises the first error."""
    errors: list[BaseException] = []
    start = threading.Barrier(count)

    def run(number: int) -> None:
        try:
            start.wait(_SECONDS)
            work(number)
        except Exception as error:  # noqa: BLE001 (raised in the test's own thread)
            errors.append(error)

    threads = [threading.Thread(target=run, args=(i,), daemon=True) for i in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(_SECONDS)
    require(not any(t.is_alive() for t in threads), observed=f"threads were not done after {_SECONDS:g} s",
            required="all of them end")
    for error in errors:
        if isinstance(error, Failed):
            raise error
        raise Failed(f"one of {count} threads raised {type(error).__name__}: {error}",
                     "what is right in one thread is right in several") from error


@requirement(
    "threads/buffers",
    "Buffers MUST be right when several threads make, copy, read and delete them at once.",
    why="Data is loaded by many threads.",
    profile="single",
)
def buffers(context: Context) -> None:
    """Each thread its own numbers, and one buffer that all of them read."""
    shared = np.arange(1000, dtype=np.int32)
    common = context.put(shared)

    def work(number: int) -> None:
        for i in range(40):
            device = context.devices[(number + i) % len(context.devices)]
            value = np.full(50 * i + 1, 1000 * number + i, np.int32)
            buffer = context.put(value, device)
            other = context.devices[(number + i + 1) % len(context.devices)]
            copy = buffer.copy_to(other) if other is not device else context.put(value, other)
            require_same_bits(buffer.to_host(), value, f"a buffer of thread {number}")
            buffer.delete()
            require_same_bits(copy.to_host(), value, f"a copy of thread {number}")
            require_same_bits(common.to_host(), shared, f"the buffer that all read, in thread {number}")

    _together(work)


@requirement(
    "threads/deleted_while_read",
    "A buffer that one thread deletes or donates while others execute with it, copy it or read it MUST give each of "
    "them its whole content or an error; its memory MUST stay until they are done.",
    why="Nobody can see to it that no other thread reads an array just now; memory that is not there any more ends the "
    "process, memory that is used again gives wrong numbers.",
    profile="single",
    cases=[Case(how, {"is_donated": how == "donated"}, needs=needs("add", "mul")) for how in ("deleted", "donated")],
)
def deleted_while_read(context: Context, is_donated: bool) -> None:
    """Large and small arrays from the host and from executions; readers go on until they get an error."""
    for size in _READ_SIZES:
        type = array_type(size, dtype=np.int32)
        reading, donating = context.compile(doubling("reading", type)), context.compile(
            doubling("donating", type), donated=(0,))
        for iteration in range(_ROUNDS):
            value = np.full(size, iteration + 1, np.int32)
            buffer = context.put(value)
            if iteration % 2:
                ((buffer,),) = reading.execute([[buffer]])
                value = 2 * value
            _read_until_gone(context, buffer, value, reading, donating if is_donated else None)


def _read_until_gone(
    context: Context, buffer: Buffer, value: np.ndarray, doubled: Executable, donating: Executable | None
) -> None:
    """Reads a buffer in several threads; another one deletes it, or first donates it, once all have begun."""
    is_gone, reads = threading.Event(), threading.Semaphore(0)

    def read(number: int) -> tuple[np.ndarray, np.ndarray]:
        if number == 1:
            return buffer.to_host(), value
        if number == 2:
            return buffer.copy_to(context.devices[-1]).to_host(), value
        ((output,),) = doubled.execute([[buffer]])
        return output.to_host(), 2 * value

    def end() -> None:
        for _ in range(2 * _READERS):
            reads.acquire(timeout=_SECONDS)
        is_gone.set()
        if donating is not None:
            ((output,),) = donating.execute([[buffer]])
            require_same_bits(output.to_host(), 2 * value, "a result of an input that was donated while others read it")
        buffer.delete()
        for other in [context.put(np.full_like(value, -1)) for _ in range(4)]:  # the memory is taken, if it is free
            other.delete()

    def work(number: int) -> None:
        if number == 0:
            return end()
        for _ in range(_READS):
            try:
                found, wanted = read(number)
            except Exception:
                if not is_gone.is_set():
                    raise
                return
            finally:
                reads.release()
            require_same_bits(found, wanted, "what a thread read of a buffer that another one did away with")

    _together(work, 1 + _READERS)


@requirement(
    "threads/execute",
    "An executable without collectives MUST give each thread the right results when several execute it at once.",
    why="Servers answer each request in a thread, with one compiled program.",
    profile="single",
    cases=[Case(needs=needs("add", "dot_general", "rem"))],
)
def execute(context: Context) -> None:
    """A small program and one that takes a while."""
    small = doubling("small", array_type(100, dtype=dtypes.int32), 3)
    slow = heavy("slow", 60, 3)
    executables = [(context.compile(small, [d]), context.compile(slow, [d])) for d in context.devices]

    def work(number: int) -> None:
        for i in range(25):
            index = (number + i) % len(context.devices)
            device, (quick, long) = context.devices[index], executables[index]
            x = np.arange(100, dtype=np.int32) + 1000 * number + i
            ((output,),) = quick.execute([[context.put(x, device)]])
            require_same_bits(output.to_host(), 8 * x, f"a result of thread {number}", small.text)
            y = (np.arange(3600) * (number + 2 + i) % 7).reshape(60, 60)
            ((output,),) = long.execute([[context.put(y.astype(np.float32), device)]])
            for _ in range(3):
                y = y @ y % 7
            require_same_bits(output.to_host(), y.astype(np.float32), f"a result of thread {number}", slow.text)

    _together(work)


@requirement(
    "threads/compile",
    "Several threads MUST be free to compile at once, the same program and different ones, while others execute.",
    why="The first calls of many functions come from many threads.",
    profile="single",
    cases=[Case(needs=needs("add", "mul", "sub", "reduce_sum"))],
)
def compile_(context: Context) -> None:
    """Programs of each thread alone, and one of all."""

    def program(number: int) -> Program:
        def body(b: ProgramBuilder, x: Value) -> Sequence[Value]:
            for i in range(number + 1):
                (x,) = b.emit((ops.add, ops.mul, ops.sub)[(number + i) % 3], [x, x])
            return [*b.emit(ops.reduce_sum, [x], {"dimensions": (0,)}), x]

        return program_of(f"program {number}", [array_type(33, dtype=dtypes.int32)], body)

    def right(number: int, x: np.ndarray) -> np.ndarray:
        for i in range(number + 1):
            x = (np.add, np.multiply, np.subtract)[(number + i) % 3](x, x)
        return x

    common = program(2)

    def work(number: int) -> None:
        for made, key in ((common, 2), (program(number), number), (common, 2)):
            device = context.devices[number % len(context.devices)]
            executable = context.compile(made, [device])
            x = np.arange(33, dtype=np.int32) + number
            (total,), (whole,) = executable.execute([[context.put(x, device)]])
            wanted = right(key, x)
            require_same_bits(whole.to_host(), wanted, f"a result of thread {number}", made.text)
            require_same_bits(total.to_host(), wanted.sum(dtype=np.int32), f"a sum of thread {number}", made.text)

    _together(work)
