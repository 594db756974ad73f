# SPDX-License-Identifier: Apache-2.0
"""The functions of `cupy.cuda.runtime` that the driver interface calls, with their arguments' types checked."""

from __future__ import annotations

import ctypes
import os
import threading
from typing import Any

from .machine import MACHINE, Access, CUDARuntimeError, Event, Item, Stream, Violation

streamNonBlocking, eventDisableTiming = 1, 2
memcpyHostToDevice, memcpyDeviceToHost, memcpyDeviceToDevice = 1, 2, 3
streamCaptureModeRelaxed = 2
_NOT_READY = 600


def check_status(status: int) -> None:
    if status:
        raise CUDARuntimeError(status)


def _whole(*numbers: object) -> None:
    for number in numbers:
        if type(number) is not int or number < 0:
            raise Violation(f"{number!r} is no whole number")


def getDeviceCount() -> int:
    return MACHINE.count


def driverGetVersion() -> int:
    return 12000 if os.environ.get("OLYMPUS_STANDIN_LACKS") == "conditional" else 13000


def getDevice() -> int:
    return MACHINE.device


def setDevice(device: int) -> None:
    MACHINE.use(device)


def getDeviceProperties(device: int) -> dict[str, Any]:
    if not 0 <= device < MACHINE.count:
        raise CUDARuntimeError(101)
    return {"name": b"Stand-in GPU", "major": 9, "minor": 0, "multiProcessorCount": 16, "sharedMemPerBlock": 48 << 10,
            "totalGlobalMem": MACHINE.memory}


def deviceGetPCIBusId(device: int) -> str:
    """Every process has GPUs of its own, unless its environment says where they are."""
    _whole(device)
    return f"{os.environ.get('OLYMPUS_STANDIN_BUS', os.getpid())}:{device}"


def memGetInfo() -> tuple[int, int]:
    return MACHINE.memory - MACHINE.used[MACHINE.device], MACHINE.memory


def free(address: int) -> None:
    MACHINE.check(address == 0, "memory of a pool is given back by free")


cudaMemAllocationTypePinned, cudaMemHandleTypeNone, cudaMemLocationTypeDevice = 1, 0, 1
cudaMemPoolAttrReleaseThreshold = 4
_POOLS: dict[int, int] = {}  # the device of each


class MemPoolProps:
    """What a pool is to be."""

    def __init__(self, allocation: int, handles: int, location: int, device: int) -> None:
        found = (allocation, handles, location)
        MACHINE.check(found == (cudaMemAllocationTypePinned, cudaMemHandleTypeNone, cudaMemLocationTypeDevice),
                      f"a pool of other memory than a GPU's: {found}")
        self.device = device


def memPoolCreate(props: MemPoolProps) -> int:
    _whole(props.device)
    handle = next(MACHINE.numbers)
    _POOLS[handle] = props.device
    return handle


def memPoolSetAttribute(pool: int, attribute: int, value: int) -> None:
    _whole(value)
    MACHINE.check(pool in _POOLS and attribute == cudaMemPoolAttrReleaseThreshold, f"attribute {attribute} of {pool}")


def memPoolTrimTo(pool: int, size: int) -> None:
    """Nothing is kept."""
    MACHINE.check(pool in _POOLS and size >= 0, f"pool {pool} is trimmed to {size}")


def mallocFromPoolAsync(size: int, pool: int, stream: int) -> int:
    _whole(size, stream)
    found = MACHINE.stream(stream)
    MACHINE.check(size > 0, "nothing is allocated")
    MACHINE.check(_POOLS.get(pool) == found.device, f"pool {pool} is not of the stream's device {found.device}")
    block = MACHINE.allocate(size, found)
    if block is None:
        raise CUDARuntimeError(2)
    return block.address


def freeAsync(address: int, stream: int) -> None:
    MACHINE.free(address, stream)


def new_stream(flags: int) -> int:
    MACHINE.check(flags == streamNonBlocking, "a stream that waits for the default stream is made")
    with MACHINE.lock:
        handle = next(MACHINE.numbers)
        MACHINE.streams[handle] = Stream(handle, MACHINE.device)
    return handle


_END_SECONDS = 10.0


def end_stream(handle: int) -> None:
    with MACHINE.lock:
        stream = MACHINE.streams.pop(handle, None)  # None: of a machine before
        thread = stream.thread if stream is not None else None
        if stream is not None and thread is not None:
            stream.items.put(None)
    # A GPU's stream is no thread: whoever counts the process's must not find one that is about to end.
    if thread is not None and thread is not threading.current_thread():
        thread.join(_END_SECONDS)


def streamWaitEvent(stream: int, event: int, flags: int = 0) -> None:
    _whole(flags)
    if stream in (1, 2):  # the default streams, where the stand-in has no work
        return
    MACHINE.wait(MACHINE.stream(stream), MACHINE.event(event))


def eventCreateWithFlags(flags: int) -> int:
    MACHINE.check(flags == eventDisableTiming, f"an event with flags {flags}")
    with MACHINE.lock:
        handle = next(MACHINE.numbers)
        MACHINE.events[handle] = Event(MACHINE.device)
    return handle


def eventCreate() -> int:
    """An event with timing."""
    with MACHINE.lock:
        handle = next(MACHINE.numbers)
        MACHINE.events[handle] = Event(MACHINE.device)
        MACHINE.timed.add(handle)
    return handle


def eventElapsedTime(start: int, end: int) -> float:
    """Milliseconds, as a float of 32 bits."""
    MACHINE.check({start, end} <= MACHINE.timed, "an event without timing is asked when it came")
    first, last = MACHINE.event(start).time, MACHINE.event(end).time
    if first is None or last is None:
        raise CUDARuntimeError(_NOT_READY)
    return ctypes.c_float((last - first) / 1e6).value


def eventDestroy(event: int) -> None:
    MACHINE.event(event)
    del MACHINE.events[event]


def eventRecord(event: int, stream: int) -> None:
    if stream in (1, 2):  # the default streams, where the stand-in has no work
        MACHINE.event(event)
        return
    MACHINE.record(MACHINE.event(event), MACHINE.stream(stream))


def eventQuery(event: int) -> int:
    """As CuPy's, it gives the status and raises nothing."""
    try:
        return 0 if MACHINE.is_done(MACHINE.event(event)) else _NOT_READY
    except CUDARuntimeError as error:
        return error.status


def memcpyAsync(target: int, source: int, size: int, kind: int, stream: int) -> None:
    _whole(target, source, size, kind, stream)
    found, what = MACHINE.stream(stream), f"a copy of {size} bytes"
    MACHINE.check(size > 0, "a copy of nothing")

    def run() -> None:
        MACHINE.read(target, size)[:] = MACHINE.read(source, size)

    if kind == memcpyDeviceToDevice:
        MACHINE.enqueue(found, Item(what, run, (Access(source, size, False), Access(target, size, True))))
        return
    MACHINE.check(kind in (memcpyHostToDevice, memcpyDeviceToHost), f"copies of kind {kind} are not known")
    to_device = kind == memcpyHostToDevice
    pinned = MACHINE.pinned_of(source if to_device else target, size, what)
    memory = pinned.memory
    with MACHINE.lock:
        MACHINE.enqueue(found, Item(what, lambda: (run(), memory)[0], (
            Access(target if to_device else source, size, to_device),)))
        pinned.uses[stream] = found.tick


def memcpyPeerAsync(target: int, to: int, source: int, origin: int, size: int, stream: int) -> None:
    _whole(target, to, source, origin, size, stream)
    found, what = MACHINE.stream(stream), f"a copy of {size} bytes from device {origin} to device {to}"
    MACHINE.check(size > 0, "a copy of nothing")
    with MACHINE.lock:
        read = MACHINE.block_of(Access(source, size, False), what)
        written = MACHINE.block_of(Access(target, size, True), what)
        MACHINE.check((read.device, written.device) == (origin, to),
                      f"{what}: the memory is of devices {read.device} and {written.device}")

        def run() -> None:
            MACHINE.read(target, size)[:] = MACHINE.read(source, size)

        accesses = (Access(target, size, True),) if found.device == to else (Access(source, size, False),)
        MACHINE.enqueue(found, Item(what, run, accesses))
        if found.device == to:
            if read.writer is not None:
                MACHINE.ordered(found, *read.writer, f"{what} reads what stream {{}} writes")
            read.readers[stream] = found.tick


def memsetAsync(target: int, value: int, size: int, stream: int) -> None:
    _whole(target, value, size, stream)

    def run() -> None:
        MACHINE.read(target, size)[:] = value

    MACHINE.enqueue(MACHINE.stream(stream), Item(f"a fill of {size} bytes", run, (Access(target, size, True),)))


def streamBeginCapture(stream: int, mode: int) -> None:
    found = MACHINE.stream(stream)
    MACHINE.check(found.captured is None, "a stream is captured twice")
    MACHINE.check(mode == streamCaptureModeRelaxed, "a capture refuses what other threads do")
    found.captured = []


def streamEndCapture(stream: int) -> int:
    found = MACHINE.stream(stream)
    MACHINE.check(found.captured is not None, "a stream that is not captured ends its capture")
    handle = next(MACHINE.numbers)
    MACHINE.graphs[handle], found.captured = found.captured or [], None
    return handle


def graphInstantiate(graph: int) -> int:
    handle = next(MACHINE.numbers)
    MACHINE.graphs[handle] = MACHINE.graphs[graph]
    return handle


def graphLaunch(graph: int, stream: int) -> None:
    found = MACHINE.stream(stream)
    MACHINE.check_current(found)
    with MACHINE.lock:
        MACHINE.graph_launches += 1
        for item in MACHINE.graphs[graph]:
            MACHINE.enqueue(found, item)


def graphExecDestroy(graph: int) -> None:
    del MACHINE.graphs[graph]


def graphDestroy(graph: int) -> None:
    del MACHINE.graphs[graph]
