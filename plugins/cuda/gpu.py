# SPDX-License-Identifier: Apache-2.0
"""The interface to CuPy's driver and runtime bindings: the only file that imports CuPy.

Handles and addresses are plain integers. No call waits for a GPU unless its description says so; work runs in the order
of its stream. A thread selects with `use` the GPU of its next calls.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from olympus_core.errors.platform import ForkedDevicesError, PlatformError

from .errors import CudaCallError, CudaLibraryError, CudaMemoryError, GpuLostError

_SUCCESS, _OUT_OF_MEMORY, _NOT_READY = 0, 2, 600
_UNLIMITED = (1 << 64) - 1
_MOST_SHARED_BYTES = 8  # CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
# After these errors a process cannot use the GPU any more: uncorrectable errors of memory and links, and illegal
# accesses or instructions of kernels.
_LOST = frozenset({214, 220, 226, 700, 702, 709, 710, 714, 715, 716, 717, 718, 719, 721})


@dataclass(frozen=True, slots=True)
class DeviceProperties:
    """The properties of a GPU.

    Args:
        name: Its product name.
        architecture: The architecture that code for it is compiled for, such as `sm_90`.
        multiprocessors: Number of its multiprocessors.
        shared_bytes: Shared memory that a block of threads may have by default.
        memory_bytes: All its memory.
    """

    name: str
    architecture: str
    multiprocessors: int
    shared_bytes: int
    memory_bytes: int


class Stream:
    """A CUDA stream: work that is enqueued here runs in order.

    Args:
        gpu: The driver interface.
        ordinal: Its GPU, which is the current one.
    """

    __slots__ = ("_gpu", "_handles", "_stream", "is_captured", "ordinal", "ptr")

    def __init__(self, gpu: Gpu, ordinal: int) -> None:
        self._gpu, self.ordinal, self.is_captured = gpu, ordinal, False
        self._stream = gpu.cuda.Stream(non_blocking=True)
        self.ptr = int(self._stream.ptr)
        self._handles: dict[str, LibraryHandle] = {}

    def handle(self, library: str) -> int:
        """The handle of a library, `cusolver` or `cublas`, that this stream's calls take: none is shared by streams."""
        found = self._handles.get(library)
        if found is None:
            found = self._handles[library] = LibraryHandle(self._gpu, library)
        return found.ptr

    def current(self) -> contextlib.AbstractContextManager[Any]:
        """A context in which CuPy's bindings of libraries enqueue here; the stream's GPU has to be the current one."""
        stream: contextlib.AbstractContextManager[Any] = self._stream
        return stream

    def wait(self, event: Event) -> None:
        """Makes the work enqueued from now on start after an event."""
        self._gpu.runtime.streamWaitEvent(self.ptr, event.ptr)


class Event:
    """A CUDA event: a point in a stream's order; `waiting` waits for it.

    Args:
        gpu: The driver interface; the event belongs to its current GPU.
        ordinal: That GPU.
    """

    __slots__ = ("_gpu", "_runtime", "ordinal", "ptr")

    def __init__(self, gpu: Gpu, ordinal: int) -> None:
        self._gpu, self._runtime, self.ordinal = gpu, gpu.runtime, ordinal
        self.ptr = int(self._runtime.eventCreateWithFlags(self._runtime.eventDisableTiming))

    def record(self, stream: Stream) -> None:
        """Records the end of the work that is enqueued in a stream so far."""
        self._runtime.eventRecord(self.ptr, stream.ptr)

    def is_done(self) -> bool:
        """Whether the work before it is done or has failed."""
        return bool(self._runtime.eventQuery(self.ptr) != _NOT_READY)

    def check(self) -> None:
        """Raises the GPU's error if the work before it has failed."""
        status = self._runtime.eventQuery(self.ptr)
        if status not in (_SUCCESS, _NOT_READY):
            with self._gpu.translated(self.ordinal):
                self._runtime.check_status(status)

    def destroy(self) -> None:
        """Destroys it. There is no finalizer, since those that hold events return them for reuse."""
        self._runtime.eventDestroy(self.ptr)


class TimedEvent(Event):
    """An event that tells when it came, which costs the GPU a little more.

    Args:
        gpu: The driver interface; the event belongs to its current GPU.
        ordinal: That GPU.
    """

    __slots__ = ()

    def __init__(self, gpu: Gpu, ordinal: int) -> None:
        self._gpu, self._runtime, self.ordinal = gpu, gpu.runtime, ordinal
        self.ptr = int(self._runtime.eventCreate())

    def nanoseconds_to(self, later: TimedEvent) -> float:
        """The time from this event to a later one; both have come."""
        return float(self._runtime.eventElapsedTime(self.ptr, later.ptr)) * 1e6


@dataclass(frozen=True, slots=True)
class Block:
    """Memory of a GPU, which its holder gives back by `Gpu.free`.

    There is no finalizer: the collector of garbage may call one while that of a holder in the same cycle still comes.

    Args:
        ptr: Its address.
        nbytes: Its size.
        stream: The stream in whose order it is used and given back.
    """

    ptr: int
    nbytes: int
    stream: Stream


class Pinned:
    """Pinned memory of the host, which GPUs access asynchronously; its owner drops it only when they are done."""

    __slots__ = ("_memory", "nbytes", "ptr")

    def __init__(self, memory: Any, nbytes: int) -> None:
        self._memory, self.nbytes = memory, nbytes
        self.ptr = int(memory.ptr)

    def view(self) -> memoryview:
        """Its bytes."""
        return memoryview((ctypes.c_uint8 * self.nbytes).from_address(self.ptr)).cast("B")


class LoadedModule:
    """Machine code that is loaded into a GPU, for the rest of the process."""

    __slots__ = ("_driver", "_module")

    def __init__(self, driver: Any, module: int) -> None:
        self._driver, self._module = driver, module

    def function(self, name: str) -> int:
        """The handle of one of its kernels."""
        return int(self._driver.moduleGetFunction(self._module, name))


class Graph:
    """A CUDA graph: captured work that one call enqueues again."""

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


class LibraryHandle:
    """A handle of cuSOLVER or cuBLAS.

    Args:
        gpu: The driver interface; the handle belongs to its current GPU.
        library: The library.
    """

    __slots__ = ("_binding", "ptr")

    def __init__(self, gpu: Gpu, library: str) -> None:
        self._binding = gpu.binding(library)
        with library_errors(self._binding, f"{library}Create"):
            self.ptr = int(self._binding.create())

    def __del__(self, is_over: Callable[[], bool] = sys.is_finalizing) -> None:
        if not is_over() and hasattr(self, "ptr"):
            with contextlib.suppress(Exception):
                self._binding.destroy(self.ptr)


class Gpu:
    """All GPUs that this process sees, by their ordinals; `open` makes one.

    Args:
        cuda: CuPy's module `cupy.cuda`.
    """

    _opened_by: int | None = None  # the process that initialized the driver: a forked child cannot use it

    def __init__(self, cuda: Any) -> None:
        self.cuda, self.runtime, self.driver = cuda, cuda.runtime, cuda.driver
        self.errors: tuple[type[Exception], ...] = (self.runtime.CUDARuntimeError, self.driver.CUDADriverError)
        self.contexts: weakref.WeakSet[Any] = weakref.WeakSet()  # named in the error when a GPU is lost
        with self.translated():
            self.count = int(self.runtime.getDeviceCount())
        Gpu._opened_by = os.getpid()
        self._properties: dict[int, DeviceProperties] = {}
        self._pools: dict[int, int] = {}
        self._bindings: dict[str, Any] = {}
        self._asked: dict[tuple[str, int], LibraryHandle] = {}
        self._questions = threading.Lock()
        self.own = frozenset(range(self.count))  # the GPUs of this process's devices
        self.use: Callable[[int], None] = self.runtime.setDevice  # selects the GPU of this thread's next calls
        self.launch_prepared: Callable[..., None] = self.driver.launchKernel

    @classmethod
    def open(cls) -> Gpu:
        """Opens the driver; imports CuPy."""
        from cupy import cuda  # type: ignore[import-untyped, import-not-found, unused-ignore]  # has no types

        return cls(cuda)

    @contextlib.contextmanager
    def translated(self, ordinal: int | None = None) -> Iterator[None]:
        """A context in which CuPy's errors are raised as errors of the platform.

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
        """A context in which a GPU is current; the one that was before is restored if it is one of this process's.

        Another one is not restored: making it current would take memory of it that other processes need.
        """
        before = self.runtime.getDevice()
        self.use(ordinal)
        try:
            yield
        finally:
            if before != ordinal and before in self.own:
                self.use(before)

    def properties(self, ordinal: int) -> DeviceProperties:
        """The properties of a GPU."""
        if ordinal not in self._properties:
            with self.translated():
                found = self.runtime.getDeviceProperties(ordinal)
            name = found["name"]
            self._properties[ordinal] = DeviceProperties(
                name.decode() if isinstance(name, bytes) else str(name), f"sm_{found['major']}{found['minor']}",
                int(found["multiProcessorCount"]), int(found["sharedMemPerBlock"]), int(found["totalGlobalMem"]))
        return self._properties[ordinal]

    def stream(self, ordinal: int) -> Stream:
        """A new stream."""
        with self.translated(), self.using(ordinal):
            return Stream(self, ordinal)

    def event(self, ordinal: int) -> Event:
        """A new event for streams of a GPU."""
        with self.using(ordinal):
            return Event(self, ordinal)

    def timed_event(self, ordinal: int) -> TimedEvent:
        """A new event of a GPU that tells when it came."""
        with self.using(ordinal):
            return TimedEvent(self, ordinal)

    def wait_in(self, stream: int, event: Event, ordinal: int) -> None:
        """Makes a foreign stream, given by its address, start after an event."""
        with self.translated(), self.using(ordinal):
            self.runtime.streamWaitEvent(stream, event.ptr)

    def record_in(self, stream: int, event: Event) -> None:
        """Records the end of the work that a foreign stream of the current GPU, given by its address, has so far."""
        self.runtime.eventRecord(event.ptr, stream)

    def allocate(self, nbytes: int, stream: Stream) -> Block:
        """Memory that may be used in the order of a stream.

        Raises:
            MemoryError: If the GPU has no more.
        """
        with self.translated(stream.ordinal), self.using(stream.ordinal):
            address = self.runtime.mallocFromPoolAsync(nbytes, self._pool(stream.ordinal), stream.ptr)
        return Block(int(address), nbytes, stream)

    def free(self, block: Block) -> None:
        """Gives memory back in the order of its stream; raises nothing: a lost GPU tells of itself where one waits."""
        with contextlib.suppress(*self.errors):
            self.runtime.freeAsync(block.ptr, block.stream.ptr)

    def release_unused(self, ordinal: int) -> None:
        """Returns unused memory of the pool of a GPU to the driver."""
        with self.translated(ordinal), self.using(ordinal):
            self.runtime.memPoolTrimTo(self._pool(ordinal), 0)

    def _pool(self, ordinal: int) -> int:
        """The handle of a GPU's pool, made when it is first wanted: it takes memory of the GPU."""
        found = self._pools.get(ordinal)
        if found is None:
            runtime = self.runtime
            found = int(runtime.memPoolCreate(runtime.MemPoolProps(
                runtime.cudaMemAllocationTypePinned, runtime.cudaMemHandleTypeNone, runtime.cudaMemLocationTypeDevice,
                ordinal)))
            # Else each wait for the GPU would return unused memory to the driver, and the next call map it anew.
            runtime.memPoolSetAttribute(found, runtime.cudaMemPoolAttrReleaseThreshold, _UNLIMITED)
            self._pools[ordinal] = found
        return found

    def pinned(self, nbytes: int) -> Pinned:
        """Pinned memory of the host."""
        with self.translated():
            return Pinned(self.cuda.alloc_pinned_memory(nbytes), nbytes)

    def upload(self, target: int, source: int, nbytes: int, stream: Stream) -> None:
        """Enqueues a copy from pinned memory of the host."""
        self.runtime.memcpyAsync(target, source, nbytes, self.runtime.memcpyHostToDevice, stream.ptr)

    def download(self, target: int, source: int, nbytes: int, stream: Stream) -> None:
        """Enqueues a copy to pinned memory of the host."""
        self.runtime.memcpyAsync(target, source, nbytes, self.runtime.memcpyDeviceToHost, stream.ptr)

    def copy(self, target: int, source: int, nbytes: int, stream: Stream) -> None:
        """Enqueues a copy within a GPU."""
        self.runtime.memcpyAsync(target, source, nbytes, self.runtime.memcpyDeviceToDevice, stream.ptr)

    def copy_peer(self, target: int, source: int, from_ordinal: int, nbytes: int, stream: Stream) -> None:
        """Enqueues a copy from another GPU to the stream's."""
        self.runtime.memcpyPeerAsync(target, stream.ordinal, source, from_ordinal, nbytes, stream.ptr)

    def zero(self, target: int, nbytes: int, stream: Stream) -> None:
        """Enqueues filling memory with zeros."""
        self.fill(target, 0, nbytes, stream)

    def fill(self, target: int, value: int, nbytes: int, stream: Stream) -> None:
        """Enqueues filling memory with a byte."""
        self.runtime.memsetAsync(target, value, nbytes, stream.ptr)

    def load(self, cubin: bytes, ordinal: int) -> LoadedModule:
        """Loads machine code into a GPU."""
        with self.translated(), self.using(ordinal):
            self.runtime.free(0)  # makes the GPU's context current, which loading needs
            return LoadedModule(self.driver, int(self.driver.moduleLoadData(cubin)))

    def allow_shared(self, function: int, nbytes: int, ordinal: int) -> None:
        """Lets a kernel be launched with more dynamic shared memory than 48 KiB."""
        with self.translated(ordinal), self.using(ordinal):
            self.driver.funcSetAttribute(function, _MOST_SHARED_BYTES, nbytes)

    def launch(
        self, function: int, grid: int, block: int, shared: int, stream: int, arguments: Sequence[int]
    ) -> None:
        """Enqueues a kernel; `launch_prepared` costs less where a table of its arguments exists."""
        table = ArgumentTable(arguments)
        self.launch_prepared(function, grid, 1, 1, block, 1, 1, shared, stream, table.ptr, 0)

    def binding(self, library: str) -> Any:
        """CuPy's bindings of a library of NVIDIA's, `cusolver` or `cublas`; None where it is not installed."""
        if library not in self._bindings:
            try:
                self._bindings[library] = getattr(self.cuda, library)
            except (ImportError, AttributeError, OSError, RuntimeError):  # CuPy finds the library when it is asked for
                self._bindings[library] = None
        return self._bindings[library]

    @contextlib.contextmanager
    def asking(self, library: str, ordinal: int) -> Iterator[int]:
        """A context with a handle for questions about sizes, no stream's own: questions set a handle's stream, too."""
        with self._questions, self.using(ordinal):
            if (library, ordinal) not in self._asked:
                self._asked[library, ordinal] = LibraryHandle(self, library)
            yield self._asked[library, ordinal].ptr

    def begin_capture(self, stream: Stream) -> None:
        """Starts capturing: work enqueued from now on is recorded for a graph and not executed."""
        self.runtime.streamBeginCapture(stream.ptr, self.runtime.streamCaptureModeRelaxed)
        stream.is_captured = True

    def end_capture(self, stream: Stream) -> Graph:
        """Ends capturing and returns the graph of the work since `begin_capture`."""
        stream.is_captured = False
        return Graph(self.runtime, int(self.runtime.streamEndCapture(stream.ptr)))

    def driver_version(self) -> int:
        """The version of CUDA that the driver supports, such as 13000."""
        return int(self.runtime.driverGetVersion())

    def memory(self, ordinal: int) -> tuple[int, int]:
        """The free and the total memory of a GPU in bytes, for all processes together."""
        with self.translated(), self.using(ordinal):
            free, total = self.runtime.memGetInfo()
            return int(free), int(total)


class ArgumentTable:
    """The arguments of a kernel as the driver takes them: an array of pointers to values.

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


@contextlib.contextmanager
def library_errors(binding: Any, function: str) -> Iterator[None]:
    """A context in which errors of cuSOLVER and cuBLAS are raised as errors of the platform.

    Args:
        binding: CuPy's bindings of the library.
        function: What is called, for the error.
    """
    try:
        yield
    except _kinds(binding) as error:
        raise CudaLibraryError(function, str(error)) from error


def _kinds(binding: Any) -> tuple[type[Exception], ...]:
    names = ("CUSOLVERError", "CUBLASError")
    return tuple(getattr(binding, name) for name in names if hasattr(binding, name))
