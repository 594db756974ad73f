# SPDX-License-Identifier: Apache-2.0
"""Order: executions in flight behave as if each were done before the next begins."""

from __future__ import annotations

import time

import numpy as np

from olympus_core import ops
from olympus_core.plugin import Buffer, Device, Executable
from olympus_core.program import ArrayType, DeviceProgram

from ...checks import require, require_equal, require_no_error, require_same_bits
from ...context import Context
from ...programs import heavy, needs, program_of
from ...requirement import Case, requirement

_SIZE, _ROUNDS = 120, 6  # some milliseconds on a processor: enough to be asked for before it is done
_SECONDS = 5.0
_ATTEMPTS, _AT_ONCE = 3, 0.01
_HEAVY = needs("dot_general", "rem", "broadcast_in_dim")
_HEAVY_CASE = [Case(needs=_HEAVY)]


def _matrix(context: Context) -> np.ndarray:
    return context.random.integers(0, 7, (_SIZE, _SIZE)).astype(np.float32)


def _answer(x: np.ndarray, times: int = 1) -> np.ndarray:
    """What `heavy` gives, so many times over."""
    wide = x.astype(np.int64)
    for _ in range(times * _ROUNDS):
        wide = wide @ wide % 7
    return wide.astype(np.float32)


def _compiled(context: Context, device: Device | None = None) -> Executable:
    return context.compile(heavy("heavy", _SIZE, _ROUNDS), [device or context.devices[0]])


@requirement(
    "asynchrony/order",
    "An output MUST be taken as an input at once, ready or not, also by a copy to another device and by an execution "
    "there.",
    why="Programs are executed as fast as Python can ask for them.",
    profile="single",
    cases=_HEAVY_CASE,
)
def order(context: Context) -> None:
    """Chains that nobody waits for, on each device and from device to device."""
    x = _matrix(context)
    executables = [_compiled(context, device) for device in context.devices]
    for device, executable in zip(context.devices, executables, strict=True):
        columns = [[context.put(x, device)]]
        for _ in range(5):
            columns = executable.execute(columns)
        require_same_bits(columns[0][0].to_host(), _answer(x, 5), f"the end of a chain on {device}")
    buffer = context.put(x)
    for device, executable in zip(context.devices, executables, strict=True):
        if device is not context.devices[0]:
            buffer = buffer.copy_to(device)
        ((buffer,),) = executable.execute([[buffer]])
    require_same_bits(buffer.to_host(), _answer(x, len(executables)), "the end of a chain through all devices")


@requirement(
    "asynchrony/host_may_change",
    "An execution MUST use what the host's array held when its buffer was made, whatever is written there afterwards.",
    why="Programs fill the same host array with the next batch while the last one is computed with.",
    profile="single",
    cases=_HEAVY_CASE,
)
def host_may_change(context: Context) -> None:
    """The array is written over right after the execution began."""
    executable = _compiled(context)
    host = _matrix(context)
    outputs, wanted = [], []
    for _ in range(5):
        wanted.append(_answer(host))
        ((output,),) = executable.execute([[context.put(host)]])
        outputs.append(output)
        host[...] = _matrix(context)
    for i, (output, right) in enumerate(zip(outputs, wanted, strict=True)):
        require_same_bits(output.to_host(), right, f"the result of batch {i}")


@requirement(
    "asynchrony/readiness",
    "`is_ready` MUST become true by itself; after `block_until_ready`, and for all buffers after `synchronize`, it "
    "MUST be true.",
    why="Programs ask it to do something else in the meantime.",
    profile="single",
    cases=_HEAVY_CASE,
)
def readiness(context: Context) -> None:
    """Asked until it is true; then by way of the waits."""
    executable, x = _compiled(context), _matrix(context)
    ((output,),) = executable.execute([[context.put(x)]])
    end = time.monotonic() + _SECONDS
    while not (ready := output.is_ready()) and time.monotonic() < end:
        require(ready is False, observed=f"is_ready gave {ready!r}", required="True or False")
    require_equal(output.is_ready(), True, f"is_ready within {_SECONDS:g} s")
    ((output,),) = executable.execute([[context.put(x)]])
    output.block_until_ready()
    require_equal(output.is_ready(), True, "is_ready after block_until_ready")
    require_same_bits(output.to_host(), _answer(x), "the result")
    outputs = [executable.execute([[context.put(x)]])[0][0] for _ in range(5)]
    context.client.synchronize()
    for output in outputs:
        require_equal(output.is_ready(), True, "is_ready after synchronize")


@requirement(
    "asynchrony/asking_does_not_wait",
    "`is_ready`, and the shape, element type and device of an output, MUST be there without waiting for its content.",
    why="The next program is chosen by them, while the last one is still under way.",
    profile="single",
    cases=_HEAVY_CASE,
)
def asking_does_not_wait(context: Context) -> None:
    """Asking takes less time than the wait that follows it, or next to none; a busy machine gets further tries."""
    executable, x = _compiled(context), _matrix(context)
    for _ in range(_ATTEMPTS):
        columns = [[context.put(x)]]
        for _ in range(8):
            columns = executable.execute(columns)
        ((output,),) = columns
        start = time.monotonic()
        output.is_ready()
        found = (output.shape, output.dtype, output.device)
        asked = time.monotonic()
        output.block_until_ready()
        waited = time.monotonic() - asked
        require_equal(found, ((_SIZE, _SIZE), np.dtype(np.float32), context.devices[0]), "shape, dtype and device")
        if asked - start < max(_AT_ONCE, waited):
            return
    require(False, observed=f"asking took {asked - start:.3f} s and the wait after it {waited:.3f} s",
            required="no wait before `block_until_ready`")


@requirement(
    "asynchrony/delete_inputs",
    "Buffers MUST be free to be deleted as soon as `execute` has returned: inputs that the execution still needs, and "
    "outputs that it still makes.",
    why="Arrays die when Python drops them, whatever is under way.",
    profile="single",
    cases=_HEAVY_CASE,
)
def delete_inputs(context: Context) -> None:
    """Deleted between the executions of chains; new buffers reuse the memory."""
    executable = _compiled(context)
    values, ends, others = [], [], []
    for _ in range(4):
        x = _matrix(context)
        buffer = context.put(x)
        for _ in range(3):
            (output,) = executable.execute([[buffer]])
            executable.execute([[buffer]])[0][0].delete()
            buffer.delete()
            others.append(context.put(np.full(x.shape, -1, np.float32)))
            buffer = output[0]
        values.append(_answer(x, 3))
        ends.append(buffer)
    for i, (end, value) in enumerate(zip(ends, values, strict=True)):
        host = require_no_error(end.to_host, "reading what came of deleted inputs")
        require_same_bits(host, value, f"the end of chain {i}, whose inputs were deleted under way")


@requirement(
    "asynchrony/many_under_way",
    "However many executions are asked for before any is done, all MUST be done, each right.",
    why="Python asks for executions faster than they are done; the platform may hold the caller back.",
    profile="single",
    cases=_HEAVY_CASE,
)
def many_under_way(context: Context) -> None:
    """Hundreds, one by one on all devices, results read last first."""
    type = ArrayType((300, 100), np.float32)
    program = program_of("small", [type, type], lambda b, x, y: b.emit(ops.add, [x, y]))
    small = [context.compile(program, [device]) for device in context.devices]
    slow = [_compiled(context, device) for device in context.devices]
    x = _matrix(context)
    values = [np.full(type.shape, i, np.float32) for i in range(10)]
    inputs = [[context.put(v, device) for v in values] for device in context.devices]
    first = [executable.execute([[context.put(x, d)]])[0][0] for executable, d in
             zip(slow, context.devices, strict=True)]
    outputs: list[tuple[int, Buffer]] = []
    for i in range(200):
        for k, executable in enumerate(small):
            ((output,),) = executable.execute([[inputs[k][i % 10]], [inputs[k][i // 10 % 10]]])
            outputs.append((i, output))
    for i, output in reversed(outputs):
        require_same_bits(output.to_host(), values[i % 10] + values[i // 10 % 10], f"the result of execution {i}")
    for output in first:
        require_same_bits(output.to_host(), _answer(x), "the result of the first execution")


@requirement(
    "asynchrony/close_under_way",
    "A client that is closed while executions are under way MUST close without an error, and others MUST go on.",
    why="Programs end when they have asked for their last result, not when everything is done.",
    profile="single",
    cases=_HEAVY_CASE,
)
def close_under_way(context: Context) -> None:
    """A client of its own, closed with a chain under way on each device; what it gave is never looked at."""
    x = _matrix(context)
    executable = _compiled(context)
    ((mine,),) = executable.execute([[context.put(x)]])
    other = context.open_again()
    try:
        program = heavy("heavy", _SIZE, _ROUNDS)
        for device in other.devices:
            columns = [[other.client.buffer_from_host(x, device)]]
            theirs = other.client.compile(DeviceProgram(program, (device,)), other.links)
            for _ in range(5):
                columns = theirs.execute(columns)
    finally:
        require_no_error(other.close, "closing a client with executions under way")
    require_same_bits(mine.to_host(), _answer(x), "the result of another client's execution")
    ((again,),) = executable.execute([[context.put(x)]])
    require_same_bits(again.to_host(), _answer(x), "the result of an execution after the other client is closed")
