"""What the platform gives the toolkit to compile programs as kernels: groups of kernels as sequences of launches."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import pyopencl as cl

from olympus_core.plugin import Device
from olympus_core.program import ArrayType, Operation, OperationRecord, Value
from olympus_core.toolkit.aliasing import step_aliasing
from olympus_core.toolkit.dumps import Dump
from olympus_core.toolkit.exclusive import are_exclusive, is_exclusive
from olympus_core.toolkit.fallbacks import FallbackLog
from olympus_core.toolkit.fusion import FusionOptions, KernelStep, ViewStep
from olympus_core.toolkit.kernel_generator import KernelGenerator

from .buffer import Allocation, DeviceArray, OpenClBuffer
from .clblast import by_clblast
from .code import CodeStore, kernel_of
from .codegen import supports
from .errors import translated
from .memory import Lane, Memory
from .products import made_product

_OPTIONS = FusionOptions(
    lane_tile=1 << 30, lane_block=1 << 30, serial_block=256, reduction_block=1 << 14, parallelism=128,
    stream_columns=1 << 62, short_row=16, updates_in_place=True, largest_local=1 << 14,
)
note_fallback = FallbackLog(logging.getLogger("olympus.opencl"), "the host")


class OpenClGenerator(KernelGenerator):
    """The kernel generator of one program.

    Args:
        store: The client's compiled programs.
        lanes: The queues of the program's local devices, in order.
        dump: Receives programs and texts.
    """

    options = _OPTIONS

    def __init__(self, store: CodeStore, lanes: Sequence[Lane], dump: Dump) -> None:
        self._store, self._lanes, self.dump = store, tuple(lanes), dump
        self._missing = frozenset[np.dtype]().union(*(lane.target.missing for lane in lanes))

    def supports(self, record: OperationRecord | None, dtypes: tuple[np.dtype, ...]) -> bool:
        """Whether kernels can hold an operation on elements of these types; None: whether they can move them."""
        return supports(record, dtypes, self._missing)

    def make(
        self, steps: Sequence[Any], inputs: Sequence[Value], outputs: Sequence[Value],
        reused: Mapping[Value, Value], count: int, name: str, renew: Callable[[Callable[..., Any]], None],
    ) -> Callable[..., Any]:
        """Kernels in their order, as one callable for `count` devices."""
        lanes, ready = self._lanes, dict[Lane, _Launches]()

        def on(lane: Lane) -> _Launches:
            found = ready.get(lane)
            if found is None:
                found = ready[lane] = _Launches(steps, inputs, outputs, reused, lane, self._store, self.dump, name)
            return found

        for lane in lanes if count == len(lanes) else lanes[:1]:
            on(lane)

        def one(*allocations: Allocation) -> Any:
            lane = lanes[0] if len(lanes) == 1 else next(
                (a.lane for a in allocations if isinstance(a, Memory)), lanes[0])
            made = on(lane)(allocations)
            return made[0] if len(made) == 1 else made

        def several(*allocations: Allocation) -> list[Memory]:
            rows = [on(lanes[j])(allocations[j::count]) for j in range(count)]
            return [memory for column in zip(*rows, strict=True) for memory in column]

        return one if count == 1 else several

    def array(self, allocation: Allocation, type: ArrayType) -> DeviceArray:
        """An allocation as the operation table takes it."""
        return DeviceArray(allocation, type)

    def allocation(self, array: DeviceArray) -> Allocation:
        """The allocation of an array."""
        return array.allocation

    def wrap_allocation(self, allocation: Allocation, type: ArrayType, device: Device) -> OpenClBuffer:
        """A buffer of an allocation."""
        return OpenClBuffer(allocation, type, device, self._lanes[0].siblings[device.local_index])

    def wrap_array(self, array: DeviceArray, device: Device) -> OpenClBuffer:
        """A buffer of an array."""
        return self.wrap_allocation(array.allocation, array.type, device)

    def settled(self, array: Any) -> DeviceArray:
        """The result of a function of the table, as an array of the table's kind."""
        return array if isinstance(array, DeviceArray) else DeviceArray.of_host(array)

    is_exclusive = staticmethod(is_exclusive)
    are_exclusive = staticmethod(are_exclusive)
    note_fallback = staticmethod(note_fallback)

    def made_step(self, operation: Operation) -> Any:
        """A product of matrices."""
        return made_product(operation, self._missing)


class _Launches:
    """A group of kernels, ready for one device."""

    def __init__(
        self, steps: Sequence[Any], inputs: Sequence[Value], outputs: Sequence[Value], reused: Mapping[Value, Value],
        lane: Lane, store: CodeStore, dump: Dump, name: str,
    ) -> None:
        aliasing = step_aliasing(steps, outputs, reused)
        self._lane, self._inputs, self._steps = lane, tuple(inputs), tuple(aliasing.steps)
        self._outputs = tuple(v for v in outputs if v not in reused)
        self._written = dict(aliasing.written)
        kernels = [step.kernel for step in self._steps if isinstance(step, KernelStep)]
        of_kernels: Iterator[Any] = iter(())
        if kernels:
            module, program, launches = store.kernels(kernels, lane)
            if dump.is_wanted:
                dump.kernels(name, kernels, module.text, "cl")
            of_kernels = iter([(partial(_launch, kernel_of(program, x), (x.grid * x.block,), (x.block,)), x.scratch)
                               for x in launches])
        self._ready: list[Any] = []
        for step in self._steps:
            if isinstance(step, KernelStep):
                self._ready.append(next(of_kernels))
            elif isinstance(step, ViewStep):
                self._ready.append(None)
            else:
                if (enqueue := by_clblast(step, lane.target)) is None:
                    text, function, grid, block = step.text(lane.target)
                    enqueue = partial(_launch, cl.Kernel(store.program(text, lane), function), grid, block)
                self._ready.append((enqueue, 0))
        last = {}
        for i, step in enumerate(self._steps):
            for v in (step.source,) if isinstance(step, ViewStep) else step.inputs:
                last[v] = i
        keep = {*outputs, *inputs}
        self._dead = [[v for v, i in last.items() if i == n and v not in keep] for n in range(len(self._steps))]

    def __call__(self, allocations: Sequence[Allocation]) -> list[Memory]:
        """Enqueues the group for these inputs; gives its outputs."""
        lane = self._lane
        held: dict[Value, Memory] = {
            v: a.on(lane) if isinstance(a, Memory) else lane.uploaded(a)
            for v, a in zip(self._inputs, allocations, strict=True)}
        with lane.lock, translated(lane.name, "a launch"):
            for step, ready, dead in zip(self._steps, self._ready, self._dead, strict=True):
                if ready is None:
                    held[step.result] = held[step.source]
                else:
                    self._launch(step, ready, held)
                for v in dead:
                    held.pop(v, None)
            lane.queue.flush()
        return [held[v] for v in self._outputs]

    def _launch(self, step: Any, ready: Any, held: dict[Value, Memory]) -> None:
        lane, (enqueue, scratch) = self._lane, ready
        for v in step.outputs:
            source = self._written.get(v)
            held[v] = held[source] if source is not None else held[v] if v in held else lane.allocate(v.type.nbytes)
        arguments = [held[v].buffer for v in (*step.inputs, *step.outputs)]
        if scratch:
            arguments.append(lane.allocate(scratch).buffer)
        event = enqueue(lane.queue, arguments)
        for v in step.outputs:
            held[v].event = event


def _launch(kernel: cl.Kernel, grid: Sequence[int], block: Sequence[int], queue: Any, buffers: Sequence[Any]) -> Any:
    """Enqueues a kernel on the buffers that are its first arguments; gives the event."""
    for number, buffer in enumerate(buffers):
        kernel.set_arg(number, buffer)
    return cl.enqueue_nd_range_kernel(queue, kernel, grid, block)
