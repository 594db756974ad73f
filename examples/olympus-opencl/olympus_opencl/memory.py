"""Memory on devices: in-order queues, allocations with the event of their last writer, copies, waiting."""

from __future__ import annotations

import threading
import time
from typing import Any

import numpy as np
import pyopencl as cl

from olympus_core.errors import OutOfMemoryError

from .devices import Target
from .errors import DeviceTimeoutError, error_of, translated

_COMPLETE = cl.command_execution_status.COMPLETE
_EAGER = 100e-6  # seconds of polling without a pause
_SHARE, _LONGEST = 0.05, 1e-3  # then a pause is this share of the time waited so far, and at most this long


class Memory:
    """A block of one device's memory; its bytes change in the order of the device's queue.

    Args:
        lane: The device's queue.
        buffer: The block.
        nbytes: Bytes that were asked for.
    """

    __slots__ = ("__weakref__", "buffer", "event", "lane", "nbytes")

    def __init__(self, lane: Lane, buffer: Any, nbytes: int) -> None:
        self.lane, self.buffer, self.nbytes = lane, buffer, nbytes
        self.event: Any = None  # of the last command that writes it

    def on(self, lane: Lane) -> Memory:
        """The same content for a queue's next command: itself, or a copy on that queue's device."""
        return self if self.lane is lane else self.copied_to(lane)

    def copied_to(self, lane: Lane) -> Memory:
        """A copy on a device; not waited for where both are in one context."""
        made = lane.allocate(self.nbytes)
        if not self.nbytes:
            return made
        if self.lane.context != lane.context:
            lane.upload(self.lane.download(self, (self.nbytes,), np.dtype(np.uint8)), made)
            return made
        with translated(lane.name, "a copy"):
            if self.lane is lane:
                with lane.lock:
                    made.event = cl.enqueue_copy(lane.queue, made.buffer, self.buffer, byte_count=self.nbytes)
                return made
            # In the order of both queues: the source may be written, and the target's block was another's, before.
            with lane.lock:
                free = cl.enqueue_marker(lane.queue)
                lane.queue.flush()
            with self.lane.lock:
                made.event = cl.enqueue_copy(
                    self.lane.queue, made.buffer, self.buffer, byte_count=self.nbytes, wait_for=[free])
                self.lane.queue.flush()
            with lane.lock:
                cl.enqueue_barrier(lane.queue, wait_for=[made.event])
        return made


class Lane:
    """One device: its queue of commands, and its memory, of which freed blocks are used again.

    Args:
        context: The context of the device.
        device: The device.
        target: Its properties.
        wait_timeout: Seconds that a wait may take.
    """

    def __init__(self, context: cl.Context, device: cl.Device, target: Target, wait_timeout: float) -> None:
        self.context, self.device, self.target, self.wait_timeout = context, device, target, wait_timeout
        self.name = device.name.strip()
        self.queue = cl.CommandQueue(context, device)
        self.reading = cl.CommandQueue(context, device)  # results are read beside what the device does next
        self.lock = threading.RLock()
        self.pool = cl.tools.MemoryPool(cl.tools.ImmediateAllocator(self.queue))
        self.siblings: tuple[Lane, ...] = (self,)  # the queues of all devices of the client, in order
        self.most_bytes, self.total_bytes = int(device.max_mem_alloc_size), int(device.global_mem_size)

    def allocate(self, nbytes: int) -> Memory:
        """A block whose content is not known; raises `OutOfMemoryError`."""
        with self.lock:
            held = int(self.pool.active_bytes)
            # Drivers for processors promise more than there is.
            if nbytes > self.most_bytes or held + nbytes > self.total_bytes:
                raise OutOfMemoryError(nbytes, held, max(0, self.total_bytes - held))
            with translated(self.name, "an allocation", nbytes, held):
                return Memory(self, self.pool.allocate(max(nbytes, 1)), nbytes)

    def uploaded(self, array: np.ndarray) -> Memory:
        """Memory with a copy of an array, which may be changed when this returns."""
        made = self.allocate(array.nbytes)
        self.upload(array, made)
        return made

    def upload(self, array: np.ndarray, memory: Memory) -> None:
        """Enqueues a copy of an array into memory."""
        if not array.nbytes:
            return
        mine = np.array(array, order="C").reshape(-1).view(np.uint8)  # the event keeps it
        with self.lock, translated(self.name, "an upload"):
            memory.event = cl.enqueue_copy(self.queue, memory.buffer, mine, is_blocking=False)
            self.queue.flush()

    def download(self, memory: Memory, shape: tuple[int, ...], dtype: np.dtype, event: Any = None) -> np.ndarray:
        """The content of memory, waited for: as it is when `event` has come, which is that of its last writer."""
        array = np.empty(shape, dtype)
        event = event or memory.event
        if event is not None:
            self.wait(event)
        if array.nbytes:
            flat = array.reshape(-1).view(np.uint8)
            with translated(self.name, "a download"):
                done = cl.enqueue_copy(self.reading, flat, memory.buffer, is_blocking=False)
                self.reading.flush()
            self.wait(done)
        return array

    def wait(self, event: Any) -> None:
        """Waits for an event; raises the error of its command."""
        begun = time.monotonic()
        while (status := event.command_execution_status) != _COMPLETE:
            if status < 0:
                raise error_of(status, self.name, "what it was doing")
            waited = time.monotonic() - begun
            if waited > self.wait_timeout:
                raise DeviceTimeoutError(self.name, waited)
            if waited > _EAGER:
                time.sleep(min(_LONGEST, waited * _SHARE))

    def drain(self) -> None:
        """Waits for everything that was enqueued."""
        with self.lock, translated(self.name, "a marker"):
            mark = cl.enqueue_marker(self.queue)
            self.queue.flush()
        self.wait(mark)

    def close(self) -> None:
        """Waits for work under way, and gives kept memory back."""
        self.drain()
        self.pool.free_held()
        self.pool.stop_holding()
