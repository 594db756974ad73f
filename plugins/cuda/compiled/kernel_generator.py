"""What the CUDA platform gives the planned compiler: kernels and products as launches, blocks as cells."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from olympus_core.plugin import Device
from olympus_core.program import ArrayType, Operation, OperationRecord, Value
from olympus_core.toolkit.dumps import Dump
from olympus_core.toolkit.exclusive import are_exclusive, is_exclusive
from olympus_core.toolkit.fusion import KernelStep, ViewStep
from olympus_core.toolkit.passes import PassList

from ..buffer import CudaBuffer, DeviceArray
from ..codegen.options import OPTIONS
from ..codegen.target import supports
from .buffer_assignment import BufferAssignment, GroupStep
from .code import CodeStore
from .fallbacks import note_fallback
from .launch_sequence import AddressTable, LaunchSequence, kernel_launch, work_launch

if TYPE_CHECKING:
    from ..collectives.programs import ProgramCollectives
    from ..memory import StreamContext

_GROUP_BYTES = 65_536  # of a group's modules on the host and on the GPU


class CudaKernelGenerator:
    """The generator of one program.

    Args:
        store: Where texts become machine code.
        contexts: Those of the program's local devices, in their order.
        dump: Where texts are written down.
        collectives: The client's, among its devices.
    """

    options = OPTIONS

    def __init__(
        self, store: CodeStore, contexts: Sequence[StreamContext], dump: Dump, collectives: ProgramCollectives
    ) -> None:
        self._store, self._contexts, self.dump, self._collectives = store, tuple(contexts), dump, collectives

    def supports(self, record: OperationRecord | None, dtypes: tuple[np.dtype, ...]) -> bool:
        """Whether kernels can hold this elementwise operation on these types; None: whether they can move them."""
        return supports(record, dtypes)

    def make(
        self, steps: Sequence[GroupStep], inputs: Sequence[Value], outputs: Sequence[Value],
        reused: Mapping[Value, Value], count: int, name: str, renew: Callable[[Callable[..., Any]], None],
    ) -> Callable[..., Any]:
        """Works that run one after the other, as one callable for `count` devices."""

        def ready(context: StreamContext) -> LaunchSequence:
            return self._ready(steps, inputs, outputs, reused, name, context)

        group = _Group(ready, self._contexts, len(inputs), sum(v not in reused for v in outputs), count)
        return group.one if count == 1 else group.several

    def _ready(
        self, steps: Sequence[GroupStep], inputs: Sequence[Value], outputs: Sequence[Value],
        reused: Mapping[Value, Value], name: str, context: StreamContext,
    ) -> LaunchSequence:
        """The group on one context."""
        works = [step for step in steps if not isinstance(step, ViewStep)]
        kernels = [step.kernel for step in works if isinstance(step, KernelStep)]
        function, launches = self._store.kernels(kernels, context.ordinal, name, self._dumping(kernels, name)) if (
            kernels) else (None, [])
        of_kernels = iter(launches)
        each = [next(of_kernels) if isinstance(step, KernelStep) else None for step in works]
        assignment = BufferAssignment(steps, inputs, outputs, reused, [
            step.scratch if found is None else max(x.scratch for x in found)
            for step, found in zip(works, each, strict=True)])
        slots, enqueuing = AddressTable(assignment.slots), []
        for step, found, (slots_of_work, scratch) in zip(works, each, assignment.slots_of_work, strict=True):
            if found is None:
                enqueue = step.prepare(context.gpu, context.ordinal, self._store)
                enqueuing.append(work_launch(enqueue, slots, slots_of_work, scratch))
                continue
            for launch in found:
                table = slots.table([*slots_of_work, *([scratch] if launch.scratch and scratch is not None else [])])
                handle = function(launch.function) if function is not None else 0
                enqueuing.append(kernel_launch(context.gpu, handle, launch.grid, launch.block, launch.shared, table))
        capturable = all(getattr(step, "capturable", True) for step in works)
        return LaunchSequence(context, assignment, slots, enqueuing, capturable)

    def _dumping(self, kernels: Sequence[Any], name: str) -> Callable[[str], None] | None:
        if not self.dump.is_wanted:
            return None
        return lambda text: self.dump.kernels(name, kernels, text, "cu")

    def array(self, cell: Any, type: ArrayType) -> DeviceArray:
        """A cell as the table takes it."""
        return DeviceArray(cell, type)

    def cell(self, array: DeviceArray) -> Any:
        """An array's cell."""
        return array.cell

    def wrap_cell(self, cell: Any, type: ArrayType, device: Device) -> CudaBuffer:
        """A buffer of a cell."""
        return CudaBuffer.of_allocation(cell, type, device, self._contexts[0].siblings[device.local_index])

    def wrap_array(self, array: DeviceArray, device: Device) -> CudaBuffer:
        """A buffer of an array."""
        return self.wrap_cell(array.cell, array.type, device)

    def settled(self, array: Any) -> DeviceArray:
        """What a function of the table gave: it never holds more than itself."""
        return array if type(array) is DeviceArray else DeviceArray.of_host(np.asarray(array))

    def code_bytes(self, made: Callable[..., Any]) -> int:
        """About how much memory a group's modules take: the driver does not tell."""
        return _GROUP_BYTES

    is_exclusive = staticmethod(is_exclusive)
    are_exclusive = staticmethod(are_exclusive)
    note_fallback = staticmethod(note_fallback)

    @property
    def passes(self) -> PassList:
        """What is done to a program before it is planned."""
        from ..products.selection import PASSES

        return PASSES

    def made_step(self, operation: Operation) -> Any:
        """The work of an operation that is no kernel, if it has one."""
        from ..products.selection import made_step

        return made_step(operation)

    def made_sum(self, operation: Operation, count: int) -> Any:
        """The work of an operation and the sum of what all devices compute, if there is one."""
        from ..products.selection import made_sum

        return made_sum(operation, count)

    def made_collective(
        self, operation: Operation, groups: Sequence[Sequence[int]]
    ) -> Callable[[Sequence[Any]], list[Any]] | None:
        """A collective among the program's devices: between GPUs by NCCL, by kernels and copies on one."""
        return self._collectives.made(operation, [[self._contexts[place] for place in group] for group in groups])


class _Group:
    """A group on all contexts that come to it.

    Args:
        ready: Makes it ready on a context.
        contexts: Those of the program's local devices.
        inputs: Number of inputs.
        outputs: Number of outputs that are given.
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

    def one(self, *cells: Any) -> Any:
        """Runs it for one device: where its inputs are."""
        contexts = self._contexts
        made = self._launches(contexts[0] if len(contexts) == 1 else _context_of(cells) or contexts[0]).run(cells)
        return made[0] if len(made) == 1 else made

    def several(self, *cells: Any) -> list[Any]:
        """Runs it for several devices; gives all devices' first output, then others."""
        count = self._count
        everybody = count == len(self._contexts)
        rows = []
        for j in range(count):
            mine = cells[j::count]
            context = self._contexts[j] if everybody else _context_of(mine) or self._contexts[0]
            rows.append(self._launches(context).run(mine))
        return [row[i] for i in range(self._outputs) for row in rows]

    def _launches(self, context: StreamContext) -> LaunchSequence:
        found = self._on.get(context)
        if found is None:
            found = self._on[context] = self._ready(context)
        return found


def _context_of(cells: Sequence[Any]) -> StreamContext | None:
    return next((cell.context for cell in cells if cell.context is not None), None)
