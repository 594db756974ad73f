# SPDX-License-Identifier: Apache-2.0
"""The platform's kernel generator: groups of fused kernels and library calls as sequences of launches."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from olympus_core import ops
from olympus_core.plugin import Device, KernelDescription
from olympus_core.program import ArrayType, Operation, OperationRecord, Value
from olympus_core.toolkit.aliasing import step_aliasing
from olympus_core.toolkit.dumps import Dump
from olympus_core.toolkit.exclusive import are_exclusive, is_exclusive
from olympus_core.toolkit.flatten import CONTROL, Flat
from olympus_core.toolkit.fusion import KernelStep, Plan, arithmetic, multiplications, plan
from olympus_core.toolkit.passes import PassList
from olympus_core.toolkit.regions import RegionPlanner

from ..buffer import CudaBuffer, DeviceArray
from ..codegen.options import OPTIONS
from ..codegen.target import supports
from .buffer_assignment import BufferAssignment, GroupStep
from .code import CodeStore
from .fallbacks import note_fallback
from .group_code import GroupCode
from .launch_sequence import AddressTable, LaunchSequence

if TYPE_CHECKING:
    from ..collectives.programs import ProgramCollectives
    from ..memory import StreamContext

_GROUP_BYTES = 65_536  # estimated size of a group's modules on the host and on the GPU


class CudaKernelGenerator:
    """The kernel generator of one program.

    Args:
        store: The client's machine code.
        contexts: The streams of the program's local devices, in order.
        dump: Receives programs and texts.
        collectives: The client's collectives among its devices.
    """

    options = OPTIONS

    def __init__(
        self, store: CodeStore, contexts: Sequence[StreamContext], dump: Dump, collectives: ProgramCollectives
    ) -> None:
        self._store, self._contexts, self.dump, self._collectives = store, tuple(contexts), dump, collectives
        self._operations: dict[Value, Operation] = {}  # of works, by the first value that they write
        self._regions = RegionPlanner(self._planned, self.made_step)

    def supports(self, record: OperationRecord | None, dtypes: tuple[np.dtype, ...]) -> bool:
        """Whether kernels support an elementwise operation on these types; None asks whether they support the types."""
        return supports(record, dtypes)

    def make(
        self, steps: Sequence[GroupStep], inputs: Sequence[Value], outputs: Sequence[Value],
        reused: Mapping[Value, Value], count: int, name: str, renew: Callable[[Callable[..., Any]], None],
    ) -> Callable[..., Any]:
        """A group of works as one callable for `count` devices."""

        def ready(context: StreamContext) -> LaunchSequence:
            return self._ready(steps, inputs, outputs, reused, name, context)

        group = _Group(ready, self._contexts, len(inputs), sum(v not in reused for v in outputs), count)
        return group.one if count == 1 else group.several

    def _ready(
        self, steps: Sequence[GroupStep], inputs: Sequence[Value], outputs: Sequence[Value],
        reused: Mapping[Value, Value], name: str, context: StreamContext,
    ) -> LaunchSequence:
        """The group, ready for one stream."""
        updated = step_aliasing(steps, outputs, reused)
        code = GroupCode(updated, self._store, context.gpu, context.ordinal, name, self.dump)
        assignment = BufferAssignment(updated, inputs, outputs, reused, code.scratches)
        slots, enqueuing, told = AddressTable(assignment.slots), [], list[KernelDescription | None]()
        for step, launches in zip(code.works, code.launches(slots, assignment), strict=True):
            enqueuing += launches
            told += [self._described(step), *[None] * (len(launches) - 1)]
        return LaunchSequence(context, assignment, slots, enqueuing, code.capturable, told)

    def _described(self, step: Any) -> KernelDescription:
        """What profiles tell of a step on one device."""
        size = sum(v.type.nbytes for v in {*step.inputs, *step.outputs})
        if isinstance(step, KernelStep):
            return KernelDescription(step.kernel.name, step.kernel.location or "", size, arithmetic(step.kernel))
        made_of = self._operations.get(step.outputs[0])
        if made_of is None:
            return KernelDescription(type(step).__name__, "", size, 0.0)
        return KernelDescription(made_of.name, made_of.location or "", size, _arithmetic_of(made_of))

    def array(self, allocation: Any, type: ArrayType) -> DeviceArray:
        """An allocation as the operation table takes it."""
        return DeviceArray(allocation, type)

    def allocation(self, array: DeviceArray) -> Any:
        """The allocation of an array."""
        return array.allocation

    def wrap_allocation(self, allocation: Any, type: ArrayType, device: Device) -> CudaBuffer:
        """A buffer of an allocation."""
        return CudaBuffer.of_allocation(allocation, type, device, self._contexts[0].siblings[device.local_index])

    def wrap_array(self, array: DeviceArray, device: Device) -> CudaBuffer:
        """A buffer of an array."""
        return self.wrap_allocation(array.allocation, array.type, device)

    def settled(self, array: Any) -> DeviceArray:
        """The result of a function of the table, as an array of the table's type."""
        return array if type(array) is DeviceArray else DeviceArray.of_host(np.asarray(array))

    def code_bytes(self, made: Callable[..., Any]) -> int:
        """The estimated memory of a group's modules: the driver does not report it."""
        return _GROUP_BYTES

    is_exclusive = staticmethod(is_exclusive)
    are_exclusive = staticmethod(are_exclusive)
    note_fallback = staticmethod(note_fallback)

    @property
    def passes(self) -> PassList:
        """The passes that a program runs through before it is planned."""
        from ..products.selection import PASSES

        return PASSES

    def made_step(self, operation: Operation) -> Any:
        """The work of an operation that is not a kernel, or None."""
        from ..products.selection import made_step

        made = self._control(operation) if operation.name in CONTROL else made_step(operation, self._contexts[0].gpu)
        if made is not None:
            self._operations[made.outputs[0]] = operation
        return made

    def _control(self, operation: Operation) -> Any:
        """A loop or a branch whose regions are works, or None."""
        from ..control_flow.conditional_nodes import conditional_nodes
        from ..control_flow.conditionals import conditional_work
        from ..control_flow.regions import Compiling
        from ..control_flow.scans import ScanWork

        regions = self._regions.regions_of(operation)
        if regions is None:
            return None
        compiling = Compiling(self._store, self._contexts, self.dump)
        if operation.name == "scan":
            return ScanWork(operation, regions[0], compiling)
        return conditional_work(operation, regions, compiling, conditional_nodes(self._contexts[0].gpu))

    def _planned(self, region: Flat) -> Plan:
        return plan(region, self.supports, self.options, self.passes, self.dump.observer("region", region))

    def made_sum(self, operation: Operation, count: int) -> Any:
        """The work of an operation and the sum of its results over all devices, or None."""
        from ..products.selection import made_sum

        return made_sum(operation, count)

    def made_collective(
        self, operation: Operation, groups: Sequence[Sequence[int]]
    ) -> Callable[[Sequence[Any]], list[Any]] | None:
        """A collective among the program's devices: by NCCL between GPUs, by kernels and copies on one GPU."""
        return self._collectives.made(operation, [[self._contexts[position] for position in group] for group in groups])


class _Group:
    """A group in all streams that run it.

    Args:
        ready: Makes it ready for a stream.
        contexts: The streams of the program's local devices.
        inputs: Number of inputs.
        outputs: Number of outputs that are not reused inputs.
        count: Number of devices of one call.
    """

    def __init__(
        self, ready: Callable[[StreamContext], LaunchSequence], contexts: tuple[StreamContext, ...], inputs: int,
        outputs: int, count: int,
    ) -> None:
        self._ready, self._contexts, self._inputs, self._outputs, self._count = ready, contexts, inputs, outputs, count
        self._on: dict[StreamContext, LaunchSequence] = {}
        for context in contexts if count == len(contexts) else contexts[:1]:
            self._launches(context)

    def one(self, *allocations: Any) -> Any:
        """Runs it for one device: that of its inputs."""
        contexts = self._contexts
        context = contexts[0] if len(contexts) == 1 else _context_of(allocations) or contexts[0]
        made = self._launches(context).run(allocations)
        return made[0] if len(made) == 1 else made

    def several(self, *allocations: Any) -> list[Any]:
        """Runs it for several devices; returns the first output of all devices, then the next."""
        count = self._count
        everybody = count == len(self._contexts)
        rows = []
        for j in range(count):
            mine = allocations[j::count]
            context = self._contexts[j] if everybody else _context_of(mine) or self._contexts[0]
            rows.append(self._launches(context).run(mine))
        return [row[i] for i in range(self._outputs) for row in rows]

    def _launches(self, context: StreamContext) -> LaunchSequence:
        found = self._on.get(context)
        if found is None:
            found = self._on[context] = self._ready(context)
        return found


def _context_of(allocations: Sequence[Any]) -> StreamContext | None:
    return next((allocation.context for allocation in allocations if allocation.context is not None), None)


def _arithmetic_of(operation: Operation) -> float:
    """The arithmetic of a product; 0 of others, which move more than they compute."""
    is_product = operation.record is ops.convolution or "lhs_contracting" in operation.attributes
    return 2.0 * multiplications(operation) if is_product else 0.0
