# SPDX-License-Identifier: Apache-2.0
"""GPUs that are no GPUs: what a program may do with them is checked when it is enqueued.

Each stream has a clock: how far it knows every other stream to be. What touches memory that another stream has touched
has to know that it is done; so has whoever gives memory back.
"""

from __future__ import annotations

import bisect
import contextlib
import gc
import itertools
import os
import queue
import sys
import threading
import weakref
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from time import perf_counter_ns
from typing import Any

import numpy as np

from tests.cuda.emulation import EmulationError
from tests.cuda.emulation.memory import Guarded

DEADLINE = 120.0
_POISONED = 1 << 20
_MOMENT = 1e-5
Clock = dict[int, int]
_NUMBERS = itertools.count(0x1000, 16)


class Violation(RuntimeError):
    """Something that a GPU does not allow, or that has no certain outcome there."""


_NAMES = {2: "cudaErrorMemoryAllocation: out of memory", 101: "cudaErrorInvalidDevice: invalid device ordinal",
          700: "cudaErrorIllegalAddress: an illegal memory access was encountered",
          900: "cudaErrorStreamCaptureUnsupported: operation not permitted when stream is capturing"}


class CUDARuntimeError(RuntimeError):
    """An error of the runtime, as CuPy's."""

    def __init__(self, status: int) -> None:
        self.status = status
        super().__init__(_NAMES[status])


@dataclass
class Block:
    """Memory of a device."""

    device: int
    memory: Guarded
    address: int
    nbytes: int
    stream: int
    alive: bool = True
    writer: tuple[int, int] | None = None
    readers: Clock = field(default_factory=dict)


@dataclass(frozen=True)
class Access:
    """What a work touches."""

    address: int
    nbytes: int | None  # None: as far as its block goes
    writes: bool


@dataclass
class Item:
    """A work in a stream."""

    what: str
    run: Callable[[], None]
    accesses: tuple[Access, ...] = ()
    device: int | None = None


class Event:
    """A mark."""

    def __init__(self, device: int) -> None:
        self.device = device
        self.clock: Clock = {}
        self.done: threading.Event | None = None
        self.time: int | None = None  # when it came, of one with timing


class Stream:
    """Items that a thread runs one after the other."""

    def __init__(self, handle: int, device: int) -> None:
        self.handle, self.device = handle, device
        self.clock: Clock = {}
        self.tick = 0
        self.captured: list[Item] | None = None
        self.error: str | None = None
        self.items: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self.thread: threading.Thread | None = None

    def push(self, run: Callable[[], None]) -> None:
        """Adds what the thread is to do."""
        self.items.put(run)
        if self.thread is None:
            self.thread = threading.Thread(target=self._serve, name=f"stand-in-{self.handle}", daemon=True)
            # It starts while others wait for it, and holds what finalisers want: it must not collect garbage first.
            collects = gc.isenabled()
            gc.disable()
            try:
                self.thread.start()
            finally:
                if collects:
                    gc.enable()

    def _serve(self) -> None:
        while (run := self.items.get()) is not None:
            try:
                run()
            except EmulationError as error:
                self.error = str(error)
            except Exception as error:  # noqa: BLE001  (told at the next call that waits)
                self.error = repr(error)
            del run


class Machine:
    """All devices of the process."""

    def __init__(self, count: int, memory: int) -> None:
        self.count, self.memory = count, memory
        self.lock = threading.RLock()
        self.host: Clock = {}
        self.numbers = _NUMBERS  # of no machine's before
        self.streams: dict[int, Stream] = {}
        self.events: dict[int, Event] = {}
        self.timed: set[int] = set()  # events with timing
        self.graphs: dict[int, list[Item]] = {}
        self.starts: list[int] = []
        self.blocks: dict[int, Block] = {}
        self.used = [0] * count
        self.pinned: dict[int, Pinned] = {}
        self.violation: str | None = None
        self.lost: int | None = None  # the error of a GPU that does nothing more
        self.held = threading.Event()  # what hangs goes on once it is set
        self.refuses_from: int | None = None  # allocations from this one on, counted from now, are refused
        self.most_pinned: int | None = None  # bytes
        self.local = threading.local()
        self.launches = self.graph_launches = self.allocations = 0

    def check(self, condition: object, message: str) -> None:
        """Refuses what is not allowed, now and at every later call."""
        if not condition:
            self.violation = self.violation or message
        if self.violation is not None:
            raise Violation(self.violation)
        if self.lost is not None:
            raise CUDARuntimeError(self.lost)

    # What goes wrong on purpose.

    def hang(self, handle: int) -> None:
        """A work that does not end before `release`."""
        held = self.held
        self.stream(handle).push(lambda: held.wait(DEADLINE) and None)

    def release(self) -> None:
        """Ends what hangs."""
        self.held.set()
        self.held = threading.Event()

    def fail(self, handle: int, status: int = 700) -> None:
        """A work that fails: from then on every call tells of it, and nothing is done any more."""

        def run() -> None:
            self.lost = status

        self.stream(handle).push(run)

    # What every call goes through.

    @property
    def device(self) -> int:
        """The thread's current device."""
        return getattr(self.local, "device", 0)

    def use(self, device: object) -> None:
        """Makes a device current."""
        self.check(type(device) is int and 0 <= device < self.count, f"there is no device {device!r}")
        self.local.device = device

    def check_current(self, stream: Stream) -> None:
        """Refuses a stream of another device than the thread's."""
        self.check(stream.device == self.device, f"device {self.device} is current, the stream is of {stream.device}")

    def stream(self, handle: object) -> Stream:
        """A stream by its handle."""
        self.check(type(handle) is int and handle in self.streams, f"{handle!r} is no live stream")
        return self.streams[handle]  # type: ignore[index]

    def event(self, handle: object) -> Event:
        """An event by its handle."""
        self.check(type(handle) is int and handle in self.events, f"{handle!r} is no live event")
        return self.events[handle]  # type: ignore[index]

    # Order.

    def enqueue(self, stream: Stream, item: Item) -> None:
        """Checks a work and adds it to a stream, or to what is captured there."""
        with self.lock:
            if stream.captured is not None:
                for access in item.accesses:
                    self.block_of(access, item.what)
                stream.captured.append(item)
                return
            merge(stream.clock, self.host)
            stream.tick += 1
            stream.clock[stream.handle] = stream.tick
            for access in item.accesses:
                self.touch(stream, access, item.what)
            stream.push(item.run)

    def touch(self, stream: Stream, access: Access, what: str) -> None:
        """Checks that everything that has to be done before an access is known to be done."""
        block = self.block_of(access, what)
        self.check(block.device == stream.device,
                   f"{what} on device {stream.device} touches memory of device {block.device}")
        if block.writer is not None:
            self.ordered(stream, *block.writer, f"{what} touches memory that stream {{}} writes")
        if access.writes:
            for handle, tick in block.readers.items():
                self.ordered(stream, handle, tick, f"{what} writes memory that stream {{}} reads")
            block.writer, block.readers = (stream.handle, stream.tick), {}
        else:
            block.readers[stream.handle] = stream.tick

    def ordered(self, stream: Stream, handle: int, tick: int, message: str) -> None:
        """Checks that a stream knows another to be so far."""
        self.check(stream.clock.get(handle, 0) >= tick,
                   message.format(handle) + f", and its own stream {stream.handle} has not waited for that")

    def block_of(self, access: Access, what: str) -> Block:
        """The live block that an access touches."""
        self.check(type(access.address) is int, f"{what}: {access.address!r} is no address")
        place = bisect.bisect_right(self.starts, access.address) - 1
        block = self.blocks[self.starts[place]] if place >= 0 else None
        inside = block is not None and access.address < block.address + max(block.nbytes, 1)
        self.check(inside, f"{what} touches {access.address:#x}, which is in no block")
        assert block is not None
        self.check(block.alive, f"{what} touches memory that was given back (a block of {block.nbytes} bytes)")
        end = access.address + (access.nbytes or 0)
        self.check(end <= block.address + block.nbytes, f"{what} reaches {end - block.address - block.nbytes} bytes "
                   f"beyond a block of {block.nbytes} bytes")
        return block

    # Memory.

    def allocate(self, nbytes: int, stream: Stream) -> Block | None:
        """A block; None if there is no memory left."""
        with self.lock:
            self.check(stream.captured is None, "memory is allocated in a stream that is captured")
            self.check_current(stream)
            if self.refuses_from is not None:
                self.refuses_from -= 1
            if self.used[stream.device] + nbytes > self.memory or (
                    self.refuses_from is not None and self.refuses_from < 0):
                return None
            self.used[stream.device] += nbytes
            self.allocations += 1
            memory = Guarded(nbytes)
            block = Block(stream.device, memory, memory.address, nbytes, stream.handle)
            while (place := bisect.bisect_left(self.starts, block.address)) < len(self.starts) and (
                    self.starts[place] < block.address + nbytes):
                del self.blocks[self.starts.pop(place)]  # freed long ago, and its memory used again
            bisect.insort(self.starts, block.address)
            self.blocks[block.address] = block
            stream.tick += 1
            merge(stream.clock, self.host)
            stream.clock[stream.handle] = stream.tick
            block.writer = (stream.handle, stream.tick)
            return block

    def free(self, address: int, handle: int) -> None:
        """Gives a block back in the order of the stream that it was allocated in."""
        if sys.is_finalizing():
            return
        with self.lock:
            block = self.blocks.get(address)
            if block is None or not block.alive:
                return self.check(False, f"{address:#x} is no block, or was given back before")
            stream = self.streams.get(block.stream)
            if stream is not None:
                self.check(block.stream == handle, "a block is given back in another stream than its own")
            memory = block.memory

            def end() -> None:
                if memory.nbytes <= _POISONED:
                    memory.bytes[:] = 0xDD

            self.used[block.device] -= block.nbytes
            if stream is None:
                end()
            else:
                # Told by the next call: who drops memory hears nothing.
                with contextlib.suppress(Violation, CUDARuntimeError):
                    self.enqueue(stream, Item("the end of a block", end, (Access(block.address, None, True),)))
            block.alive, block.memory = False, None  # type: ignore[assignment]

    def read(self, address: int, nbytes: int) -> np.ndarray:
        """Host memory at an address."""
        import ctypes

        return np.frombuffer((ctypes.c_uint8 * nbytes).from_address(address), np.uint8)

    def pinned_of(self, address: int, nbytes: int, what: str) -> Pinned:
        """The pinned memory around an address."""
        for pinned in self.pinned.values():
            if pinned.ptr <= address and address + nbytes <= pinned.ptr + pinned.size:
                return pinned
        self.check(False, f"{what}: {address:#x} with {nbytes} bytes is no pinned memory")
        raise AssertionError

    # Waiting.

    def record(self, event: Event, stream: Stream) -> None:
        """Marks the end of a stream."""
        with self.lock:
            self.check(stream.captured is None, "an event is recorded in a stream that is captured")
            self.check(event.device == stream.device,
                       f"an event of device {event.device} is recorded in a stream of device {stream.device}")
            merge(stream.clock, self.host)
            event.clock, event.done = dict(stream.clock), threading.Event()
            done = event.done

            def come() -> None:
                event.time = perf_counter_ns()
                done.set()

            stream.push(come)

    def wait(self, stream: Stream, event: Event) -> None:
        """Lets a stream wait for an event."""
        with self.lock:
            self.check(stream.captured is None, "a stream that is captured waits for an event outside")
            done = event.done
            if done is None:
                return
            merge(stream.clock, event.clock)

            def wait() -> None:
                if not done.wait(DEADLINE):
                    raise EmulationError("an event did not come")

            stream.push(wait)

    def is_done(self, event: Event) -> bool:
        """Whether an event has come; the host knows then."""
        self.check(True, "")
        # Whoever asks again and again leaves the interpreter to the streams, which a GPU's do not need.
        if event.done is not None and not event.done.wait(_MOMENT):
            self.check(True, "")
            return False
        with self.lock:
            merge(self.host, event.clock)
        self.tell_errors()
        return True

    def tell_errors(self) -> None:
        """Raises what went wrong in a stream."""
        for stream in self.streams.values():
            if stream.error is not None:
                self.violation = self.violation or stream.error
        self.check(True, "")


class Pinned:
    """Pinned memory of the host."""

    def __init__(self, machine: Machine, size: int) -> None:
        self.size = size
        self._machine = machine
        held = sum(other.size for other in list(machine.pinned.values()))
        if machine.most_pinned is not None and held + size > machine.most_pinned:
            raise CUDARuntimeError(2)
        self.memory = np.full(max(size, 1), 0xEE, np.uint8)
        self.ptr = int(self.memory.ctypes.data)
        self.uses: Clock = {}
        machine.pinned[self.ptr] = weakref.proxy(self)

    def __del__(self) -> None:
        machine = self._machine
        if not hasattr(self, "uses"):  # it was refused
            return
        with machine.lock, contextlib.suppress(Violation, CUDARuntimeError):
            machine.pinned.pop(self.ptr, None)
            for handle, tick in self.uses.items():
                machine.check(machine.host.get(handle, 0) >= tick,
                              f"pinned memory is given back while stream {handle} may still use it")


def merge(clock: Clock, other: Clock) -> None:
    """Lets a clock know what another knows."""
    for handle, tick in other.items():
        if clock.get(handle, 0) < tick:
            clock[handle] = tick


def accesses(pairs: Iterable[tuple[int, bool]]) -> tuple[Access, ...]:
    """Accesses of blocks that are touched as far as they go."""
    return tuple(Access(address, None, writes) for address, writes in pairs)


def _opened() -> Machine:
    environment: Any = os.environ
    memory = int(environment.get("OLYMPUS_STANDIN_MEMORY", 1 << 32))
    return Machine(int(environment.get("OLYMPUS_STANDIN_GPUS", 1)), memory)


MACHINE = _opened()
