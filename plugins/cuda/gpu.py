"""The door to the GPUs: the only file that imports CuPy.

Handles and addresses are plain integers. No call waits for a GPU unless it says so; what is enqueued keeps the order of
its stream. A thread tells with `use` which GPU its next calls are for.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
import weakref
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from olympus_core.errors.platform import ForkedDevicesError, PlatformError

from .errors import CudaCallError, CudaMemoryError, GpuLostError

_SUCCESS, _OUT_OF_MEMORY, _NOT_READY = 0, 2, 600
# After these nothing works on the GPU any more, for as long as the process lives: uncorrectable errors of its memory
# and links, and what kernels must not do.
_LOST = frozenset({214, 220, 226, 700, 702, 709, 710, 714, 715, 716, 717, 718, 719, 721})


@dataclass(frozen=True, slots=True)
class Card:
    """A GPU's properties.

    Args:
        name: What its maker calls it.
        architecture: What code for it is compiled for, such as `sm_90`.
        multiprocessors: Number of its processors.
        shared_bytes: Shared memory that a block of threads may have without asking for more.
        memory_bytes: All its memory.
    """

    name: str
    architecture: str
    multiprocessors: int
    shared_bytes: int
    memory_bytes: int


class Stream:
    """What is enqueued here is done in this order.

    Args:
        gpu: The door.
        ordinal: Its GPU, which is the current one.
    """

    __slots__ = ("_gpu", "_stream", "ordinal", "ptr")

    def __init__(self, gpu: Gpu, ordinal: int) -> None:
        self._gpu, self.ordinal = gpu, ordinal
        self._stream = gpu.cuda.Stream(non_blocking=True)
        self.ptr = int(self._stream.ptr)

    def wait(self, event: Event) -> None:
        """What is enqueued from now on begins after what the event marks."""
        self._gpu.runtime.streamWaitEvent(self.ptr, event.ptr)


class Event:
    """A mark in a stream; `waiting` waits for it.

    Args:
        gpu: The door; the event is of its current GPU.
        ordinal: That GPU.
    """

    __slots__ = ("_gpu", "_runtime", "ordinal", "ptr")

    def __init__(self, gpu: Gpu, ordinal: int) -> None:
        self._gpu, self._runtime, self.ordinal = gpu, gpu.runtime, ordinal
        self.ptr = int(self._runtime.eventCreateWithFlags(self._runtime.eventDisableTiming))

    def record(self, stream: Stream) -> None:
        """Marks what is enqueued in a stream so far."""
        self._runtime.eventRecord(self.ptr, stream.ptr)

    def is_done(self) -> bool:
        """Whether what it marks is done; also where it has failed."""
        return bool(self._runtime.eventQuery(self.ptr) != _NOT_READY)

    def check(self) -> None:
        """Raises the GPU's error, if what it marks has failed."""
        status = self._runtime.eventQuery(self.ptr)
        if status not in (_SUCCESS, _NOT_READY):
            with self._gpu.translated(self.ordinal):
                self._runtime.check_status(status)

    def destroy(self) -> None:
        """Ends it; by no finaliser, since that of who holds it puts it back among those that are used again."""
        self._runtime.eventDestroy(self.ptr)


class Block:
    """Memory of a GPU, given back to CuPy's pool in the order of its stream when it is dropped."""

    __slots__ = ("_memory", "nbytes", "ordinal", "ptr")

    def __init__(self, memory: Any, nbytes: int, ordinal: int) -> None:
        self._memory, self.nbytes, self.ordinal = memory, nbytes, ordinal
        self.ptr = int(memory.ptr)


class Pinned:
    """Memory of the host that GPUs read and write without waiting; whoever drops it sees that they are done."""

    __slots__ = ("_memory", "nbytes", "ptr")

    def __init__(self, memory: Any, nbytes: int) -> None:
        self._memory, self.nbytes = memory, nbytes
        self.ptr = int(memory.ptr)

    def view(self) -> memoryview:
        """Its bytes."""
        return memoryview((ctypes.c_uint8 * self.nbytes).from_address(self.ptr)).cast("B")


class LoadedModule:
    """Machine code in a GPU; it stays as long as the process."""

    __slots__ = ("_driver", "_module")

    def __init__(self, driver: Any, module: int) -> None:
        self._driver, self._module = driver, module

    def function(self, name: str) -> int:
        """The handle of one of its kernels."""
        return int(self._driver.moduleGetFunction(self._module, name))


class Graph:
    """Captured work, which one call enqueues again."""

    __slots__ = ("_graph", "_runtime", "_run")

    def __init__(self, runtime: Any, graph: int) -> None:
        self._runtime, self._graph, self._run = runtime, graph, 0
        self._run = int(runtime.graphInstantiate(graph))

    def launch(self, stream: Stream) -> None:
        """Enqueues it."""
        self._runtime.graphLaunch(self._run, stream.ptr)

    def __del__(self, is_over: Callable[[], bool] = sys.is_finalizing) -> None:
        if is_over():  # this module's names may be gone
            return
        with contextlib.suppress(Exception):
            if self._run:
                self._runtime.graphExecDestroy(self._run)
            self._runtime.graphDestroy(self._graph)


class Gpu:
    """All GPUs that this process sees, by their ordinals; made by `open`.

    Args:
        cuda: CuPy's module `cupy.cuda`.
    """

    _opened_by: int | None = None  # the process whose driver it is; a forked child has a copy that refuses all calls

    def __init__(self, cuda: Any) -> None:
        self.cuda, self.runtime, self.driver = cuda, cuda.runtime, cuda.driver
        self.errors: tuple[type[Exception], ...] = (self.runtime.CUDARuntimeError, self.driver.CUDADriverError)
        self.contexts: weakref.WeakSet[Any] = weakref.WeakSet()  # asked what they were given, once a GPU is lost
        with self.translated():
            self.count = int(self.runtime.getDeviceCount())
            self._pool = cuda.MemoryAsyncPool()
        Gpu._opened_by = os.getpid()
        self._cards: dict[int, Card] = {}
        self.own = frozenset(range(self.count))  # the GPUs of this process's devices
        self.use: Callable[[int], None] = self.runtime.setDevice  # which GPU this thread's next calls are for
        self.launch_prepared: Callable[..., None] = self.driver.launchKernel

    @classmethod
    def open(cls) -> Gpu:
        """The GPUs; CuPy is imported now."""
        from cupy import cuda  # type: ignore[import-untyped, import-not-found, unused-ignore]  # has no types

        return cls(cuda)

    @contextlib.contextmanager
    def translated(self, ordinal: int | None = None) -> Iterator[None]:
        """Around calls: what CuPy raises becomes an error of the platform.

        Args:
            ordinal: The GPU that the calls are for; None for the current one.
        """
        try:
            yield
        except self.errors as error:
            raise self._told(error, ordinal) from error

    def _told(self, error: Exception, ordinal: int | None) -> PlatformError:
        if Gpu._opened_by not in (None, os.getpid()):
            return ForkedDevicesError("CUDA", Gpu._opened_by or 0)
        status = getattr(error, "status", None)
        if status == _OUT_OF_MEMORY:
            return CudaMemoryError(str(error))
        if status not in _LOST:
            return CudaCallError(str(error))
        if ordinal is None:
            ordinal = self.runtime.getDevice()
        contexts = sorted((one for one in self.contexts if one.ordinal == ordinal), key=lambda one: one.name)
        return GpuLostError(str(error), ordinal, {context.name: context.monitor.told() for context in contexts})

    @contextlib.contextmanager
    def using(self, ordinal: int) -> Iterator[None]:
        """Around calls for a GPU: the one that was current before is so afterwards, if it is one of this process's.

        To make another current would take memory of it that other processes need.
        """
        before = self.runtime.getDevice()
        self.use(ordinal)
        try:
            yield
        finally:
            if before != ordinal and before in self.own:
                self.use(before)

    def card(self, ordinal: int) -> Card:
        """A GPU's properties."""
        if ordinal not in self._cards:
            with self.translated():
                found = self.runtime.getDeviceProperties(ordinal)
            name = found["name"]
            self._cards[ordinal] = Card(
                name.decode() if isinstance(name, bytes) else str(name), f"sm_{found['major']}{found['minor']}",
                int(found["multiProcessorCount"]), int(found["sharedMemPerBlock"]), int(found["totalGlobalMem"]))
        return self._cards[ordinal]

    def stream(self, ordinal: int) -> Stream:
        """A new stream."""
        with self.translated(), self.using(ordinal):
            return Stream(self, ordinal)

    def event(self, ordinal: int) -> Event:
        """A new event, for streams of a GPU."""
        with self.using(ordinal):
            return Event(self, ordinal)

    def wait_in(self, stream: int, event: Event, ordinal: int) -> None:
        """Lets a stream of somebody else's, given by its address, begin after an event."""
        with self.translated(), self.using(ordinal):
            self.runtime.streamWaitEvent(stream, event.ptr)

    def allocate(self, nbytes: int, stream: Stream) -> Block:
        """Memory that may be used in a stream's order.

        Raises:
            MemoryError: If the GPU has no more.
        """
        with self.translated(), self.using(stream.ordinal), stream._stream:
            return Block(self._pool.malloc(nbytes), nbytes, stream.ordinal)

    def release_unused(self) -> None:
        """Gives what CuPy's pool keeps of the current GPU's memory back to the driver."""
        self._pool.free_all_blocks()

    def pinned(self, nbytes: int) -> Pinned:
        """Memory of the host for transfers."""
        with self.translated():
            return Pinned(self.cuda.alloc_pinned_memory(nbytes), nbytes)

    def upload(self, target: int, source: int, nbytes: int, stream: Stream) -> None:
        """Copies from pinned memory of the host."""
        self.runtime.memcpyAsync(target, source, nbytes, self.runtime.memcpyHostToDevice, stream.ptr)

    def download(self, target: int, source: int, nbytes: int, stream: Stream) -> None:
        """Copies to pinned memory of the host."""
        self.runtime.memcpyAsync(target, source, nbytes, self.runtime.memcpyDeviceToHost, stream.ptr)

    def copy(self, target: int, source: int, nbytes: int, stream: Stream) -> None:
        """Copies within a GPU."""
        self.runtime.memcpyAsync(target, source, nbytes, self.runtime.memcpyDeviceToDevice, stream.ptr)

    def copy_peer(self, target: int, source: int, from_ordinal: int, nbytes: int, stream: Stream) -> None:
        """Copies from another GPU to the stream's."""
        self.runtime.memcpyPeerAsync(target, stream.ordinal, source, from_ordinal, nbytes, stream.ptr)

    def zero(self, target: int, nbytes: int, stream: Stream) -> None:
        """Fills memory with zeros."""
        self.runtime.memsetAsync(target, 0, nbytes, stream.ptr)

    def load(self, cubin: bytes, ordinal: int) -> LoadedModule:
        """Machine code, loaded into a GPU."""
        with self.translated(), self.using(ordinal):
            self.runtime.free(0)  # makes the GPU's context current, which loading needs
            return LoadedModule(self.driver, int(self.driver.moduleLoadData(cubin)))

    def launch(
        self, function: int, grid: int, block: int, shared: int, stream: int, arguments: Sequence[int]
    ) -> None:
        """Enqueues a kernel of addresses; `launch_prepared` costs less where its arguments' table stands ready."""
        table = ArgumentTable(arguments)
        self.launch_prepared(function, grid, 1, 1, block, 1, 1, shared, stream, table.ptr, 0)

    def begin_capture(self, stream: Stream) -> None:
        """What is enqueued from now on is kept for a graph instead of being done."""
        self.runtime.streamBeginCapture(stream.ptr, self.runtime.streamCaptureModeRelaxed)

    def end_capture(self, stream: Stream) -> Graph:
        """The graph of what was enqueued since `begin_capture`."""
        return Graph(self.runtime, int(self.runtime.streamEndCapture(stream.ptr)))

    def memory(self, ordinal: int) -> tuple[int, int]:
        """Bytes of a GPU that are free, and that it has, for all processes together."""
        with self.translated(), self.using(ordinal):
            free, total = self.runtime.memGetInfo()
            return int(free), int(total)


class ArgumentTable:
    """A kernel's arguments as the driver takes them: a list of pointers to them.

    Args:
        values: The arguments.
    """

    __slots__ = ("_pointers", "_values", "ptr")

    def __init__(self, values: Sequence[int]) -> None:
        count = max(1, len(values))
        self._values = (ctypes.c_uint64 * count)(*values)
        first = ctypes.addressof(self._values)
        self._pointers = (ctypes.c_uint64 * count)(*range(first, first + 8 * count, 8))
        self.ptr = ctypes.addressof(self._pointers)
