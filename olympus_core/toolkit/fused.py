"""Programs as generated kernels: a plan of fused kernels and table operations, written out as host code in Python.

`BasicBlockCompiler` runs one operation after the other; this compiler asks `fusion` for a plan, has the platform turn
neighbouring kernels into one callable, and generates a function that calls them and drops each value after its last
use. What the platform cannot generate stays an operation of its table.

A value is held as a *cell*, which kernels take and give (a block of memory, an array of a GPU library), or as an
*array*, which the table's functions take and give. The host code tracks which of the two it has and converts on
demand. Whoever holds a cell holds the memory: another thread may delete a buffer while a function runs that read it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from olympus_core.plugin import Device
from olympus_core.program import ArrayType, Operation, OperationRecord, Value

from .basic_blocks import BasicBlockCompiler, Positions, control_kernel
from .flatten import CONTROL, Flat
from .fused_collectives import local_program
from .fusion import FusionOptions, KernelStep, OperationStep, Plan, ViewStep, estimate, plan
from .host_code import HostCodeWriter
from .local import LOCAL_COLLECTIVES
from .loops import Kernel as LoopKernel
from .optable import Kernel, OperationTable
from .queues import operation_seconds, there

_ADDITION_SECONDS = 3e-11  # what an operation that costs like an addition takes in a fused kernel
_ELEMENT_SECONDS = 1e-10  # an operation of any kind there, of which no more is known


class KernelGenerator(Protocol):
    """What a platform that generates code gives `FusedCompiler`.

    Attributes:
        options: How large blocks and tiles should be.
    """

    options: FusionOptions

    def supports(self, record: OperationRecord | None, dtypes: tuple[np.dtype, ...]) -> bool:
        """Whether kernels can hold this elementwise operation on these types; None: whether they can move them."""

    def make(
        self, steps: Sequence[KernelStep | ViewStep], inputs: Sequence[Value], outputs: Sequence[Value],
        reused: Mapping[Value, Value], count: int, name: str, renew: Callable[[Callable[..., Any]], None],
    ) -> Callable[..., Any]:
        """Kernels that run one after the other, as one callable for `count` devices.

        A better callable that is ready later, in any thread, is handed to `renew`.

        It takes the inputs' cells, `count` for each, and gives the outputs' in the same order: a tuple, or one cell
        where there is one. Outputs that stand in `reused` are written over that input's memory and not given.
        """

    def code_bytes(self, made: Callable[..., Any]) -> int:
        """About how much memory the code of what `make` gave takes."""

    def array(self, cell: Any, type: ArrayType) -> Any:
        """A cell as an array of the table's kind."""

    def cell(self, array: Any) -> Any:
        """The cell of a row-major array."""

    def wrap_cell(self, cell: Any, type: ArrayType, device: Device) -> Any:
        """A buffer of a cell, which it gives back as `cell` until it is deleted or given away by `give()`.

        From then on reading it raises `DeletedError`, at `cell`, too.
        """

    def wrap_array(self, array: Any, device: Device) -> Any:
        """A buffer of a row-major array, whose cell it gives as `cell`."""

    def settled(self, array: Any) -> Any:
        """A row-major array with the content of what a function of the table gave."""

    def is_exclusive(self, cell: Any) -> bool:
        """Whether nobody but the donated buffer that it came in, and the one who asks, holds the cell.

        The buffer's `give()` was called before: a buffer keeps the cell then, but nobody can read it there any more.
        """

    def are_exclusive(self, cells: Sequence[Any]) -> bool:
        """Whether this holds of every cell of a list."""

    def note_fallback(self, operation: Operation) -> None:
        """Told of an operation that the table runs at every call."""

    def made_step(self, operation: Operation) -> Any:
        """A step of the platform's own for an operation, control flow too, to stand among kernels in `make`, or None.

        It has the attributes `inputs`, `outputs` and `reusable` of a `KernelStep`.
        """

    def made_sum(self, operation: Operation, count: int) -> Any:
        """The same for the sum of what `count` devices compute: inputs are all devices' first operands, then others."""

    def made_collective(
        self, operation: Operation, groups: Sequence[Sequence[int]]
    ) -> Callable[[Sequence[Any]], list[Any]] | None:
        """A collective among this process's devices as the platform would rather do it, or None for kernels.

        It takes the cells of all groups' members, one group after the other, and gives their results' in the same
        order: blocks of their own on the members' devices, which nobody else holds. Groups are given by local indices.
        """

    def rewritten(self, flat: Flat) -> Flat:
        """The program as the platform would rather have it, such as narrow contractions made wide."""


class FusedCompiler(BasicBlockCompiler):
    """Turns basic blocks of operations into functions that call generated kernels.

    Args:
        table: The platform's operations, for what is not generated.
        positions: For each local device its position among the program's devices.
        generator: The platform's generator.
        devices: The local devices.
    """

    wants_guard = False

    def __init__(
        self, table: OperationTable, positions: Positions, generator: KernelGenerator, devices: Sequence[Device]
    ) -> None:
        super().__init__(table, positions)
        self.generator, self.devices = generator, tuple(devices)
        self.plans: list[Plan] = []
        self.code_bytes = 0  # of what was made
        self._donated: set[Value] = set()

    # What travels between stages are buffers.

    def entering(self, buffer: Any) -> Any:
        """The program's own hold of the buffer, waited for: whoever deletes the buffer does not disturb it."""
        found = there(buffer)
        return found.copy_to(found.device)

    def leaving(self, element: Any, device: Device) -> Any:
        """The buffer, on this device."""
        return element if element.device is device else element.copy_to(device)

    def to_host(self, element: Any) -> np.ndarray:
        """The content of a buffer."""
        host: np.ndarray = element.to_host()
        return host

    def from_host(self, array: np.ndarray) -> Any:
        """A buffer of a new array."""
        return self.generator.wrap_array(self.generator.settled(self.table.from_host(array)), self.devices[0])

    def part(self, element: Any, index: int) -> Any:
        """A buffer of the part at an index of the first dimension."""
        return self.generator.wrap_array(element.array[index, ...], self.devices[0])

    def stack(self, type: ArrayType) -> Any:
        """What is filled with buffers along its first dimension: where the table keeps stacks, if it does."""
        if self.table.stack is None:
            return super().stack(type)
        return _BufferStack(self.table.stack(type), self)

    def planned(self, flat: Flat) -> Plan:
        """The plan of a program; remembered for those who want to read it."""
        found = plan(self.generator.rewritten(flat), self.generator.supports, self.generator.options)
        self.plans.append(found)
        return found

    def function(
        self, operations: Sequence[Operation], inputs: Sequence[Value], outputs: Sequence[Value], name: str
    ) -> Callable[..., tuple[Any, ...]]:
        """The function of a block, for one device at a time: local index and arrays in, arrays out."""
        flat = Flat(tuple(inputs), tuple(operations), tuple(outputs))
        writer = HostCodeWriter(self, self.planned(flat), 1, name, kind="array")
        results = "".join(writer.array(v) + ", " for v in writer.plan.outputs)
        return writer.define(["local_index", *writer.parameters], f"({results})")

    def columns_function(
        self, operations: Sequence[Operation], inputs: Sequence[Value], outputs: Sequence[Value], name: str,
        count: int,
    ) -> Callable[..., tuple[Any, ...]]:
        """The function of a block for `count` devices: local indices and columns of buffers in, columns out."""
        flat = Flat(tuple(inputs), tuple(operations), tuple(outputs))
        writer = HostCodeWriter(self, self.planned(flat), count, name)
        results = "".join(writer.column(v) + ", " for v in writer.plan.outputs)
        return writer.define(["local_indices", *writer.columns], f"({results})")

    def execute_function(
        self, flat: Flat, devices: Sequence[Device], name: str, donated: Sequence[int] = ()
    ) -> Any:
        """The whole program as a function ``execute(inputs) -> outputs`` of buffers, all devices together."""
        self._donated.update(flat.inputs[i] for i in donated)
        writer = HostCodeWriter(self, self.planned(flat), len(devices), name, donated)
        writer.environment["local_indices"], writer.environment["device"] = tuple(range(len(devices))), devices[0]
        writer.device = "device"
        results = ", ".join(writer.column(v) for v in writer.plan.outputs)
        unpack = [f"{''.join(c + ', ' for c in writer.columns)}= inputs"] if writer.columns else []
        return writer.define(["inputs"], f"[{results}]", unpack)

    def seconds(self) -> float | None:
        """A guess at how long the plans take."""
        steps = [step for found in self.plans for step in found.steps]
        kernels = [self._likely(step) for step in steps if isinstance(step, KernelStep)]
        return sum(_ADDITION_SECONDS * estimate(kernel) for kernel in kernels) + sum(
            operation_seconds(step.operation, *((_ELEMENT_SECONDS, True) if step.operation.name in CONTROL else ()))
            for step in steps if isinstance(step, OperationStep))

    def _likely(self, step: KernelStep) -> LoopKernel:
        """The kernel that runs: updates alone, where the memory that they are made in is donated."""
        in_place = step.updating is not None and any(step.inputs[i] in self._donated for i, _ in step.reusable)
        return step.updating if in_place and step.updating is not None else step.kernel

    def described(self, source: str) -> str:
        """The functions, then the plans with their kernels."""
        return "\n".join([source, *(found.text() for found in self.plans)])

    def runs_together(self, operation: Operation) -> bool:
        """Whether an operation that needs other devices can stand in a generated function: a local collective can."""
        if operation.name not in LOCAL_COLLECTIVES or len(self.devices) < 2:
            return False
        members = [p for group in operation.attributes["group"].groups for p in group]
        return sorted(members) == sorted(self.positions)

    def local_groups(self, operation: Operation) -> list[tuple[int, ...]]:
        """The groups of a local collective, by the devices' local indices."""
        index_of = {position: local_index for local_index, position in enumerate(self.positions)}
        return [tuple(index_of[p] for p in group) for group in operation.attributes["group"].groups]

    def made_collective(
        self, operation: Operation, groups: Sequence[Sequence[int]]
    ) -> Callable[[Sequence[Any]], list[Any]] | None:
        """A collective of all devices' cells by the platform's own means, if it has any."""
        made = self.generator.made_collective(operation, groups)
        order = [local_index for group in groups for local_index in group]
        if made is None or order == list(range(len(order))):
            return made
        member_at = sorted(range(len(order)), key=order.__getitem__)  # of each local index

        def ordered(cells: Sequence[Any]) -> list[Any]:
            results = made([cells[local_index] for local_index in order])
            return [results[member] for member in member_at]

        return ordered

    def collective_kernels(
        self, operation: Operation, count: int
    ) -> tuple[Sequence[KernelStep | ViewStep], Sequence[Value], Sequence[Value]] | None:
        """Kernels, inputs and output that make of a group's arrays the one all get; None for other collectives."""
        flat = local_program(operation, count)
        found = self.planned(flat) if flat is not None else None
        steps = [step for step in found.steps if not isinstance(step, OperationStep)] if found is not None else []
        if found is None or len(steps) < len(found.steps):
            return None
        made = [v for step in steps if isinstance(step, KernelStep) for v in step.outputs]
        return (steps, found.inputs, found.outputs) if found.outputs[0] in made else None

    def collective_of_arrays(
        self, operation: Operation, groups: Sequence[Sequence[int]]
    ) -> Callable[[Sequence[Any]], list[Any]]:
        """A local collective as a function of all devices' arrays; what is only moved stays where it is."""
        attributes = {k: v for k, v in operation.attributes.items() if k != "group"}
        if operation.name in ("permute", "broadcast"):
            return self._moving(operation, groups)
        run, to_host, from_host = LOCAL_COLLECTIVES[operation.name], self.table.to_host, self.table.from_host
        settled, guard = self.generator.settled, self.table.guard

        def together(arrays: Sequence[Any]) -> list[Any]:
            results = list(arrays)
            for group in groups:
                parts = guard(run, [to_host(arrays[p]) for p in group], attributes)
                for local_index, array in zip(group, parts, strict=True):
                    results[local_index] = settled(from_host(array))
            return results

        return together

    def _moving(
        self, operation: Operation, groups: Sequence[Sequence[int]]
    ) -> Callable[[Sequence[Any]], list[Any]]:
        """A collective whose results are members' arrays, or zeros."""
        sources: list[int | None] = [None] * len(self.devices)  # of each local index
        for group in groups:
            if operation.name == "broadcast":
                pairs = [(operation.attributes["source"], i) for i in range(len(group))]
            else:
                pairs = operation.attributes["pairs"]
            for source, target in pairs:
                sources[group[target]] = group[source]
        type = operation.operands[0].type
        zeros: Any = None
        if None in sources:
            zeros = self.generator.settled(self.table.from_host(np.zeros(type.shape, type.dtype)))
        return lambda arrays: [zeros if source is None else arrays[source] for source in sources]

    def local_collective(self, operation: Operation, local_indices: Positions) -> Callable[[Sequence[Any]], list[Any]]:
        """A collective among devices of this process, buffers in and out; reductions and gathers are kernels."""
        made, count = self.generator.made_collective(operation, [local_indices]), len(local_indices)
        if made is not None:
            run, type_, devices = made, operation.results[0].type, [self.devices[i] for i in local_indices]
            wrap = self.generator.wrap_cell
            return lambda members: [
                wrap(cell, type_, device)
                for cell, device in zip(run([m.cell for m in members]), devices, strict=True)]
        flat = local_program(operation, count)
        if flat is None:
            return super().local_collective(operation, local_indices)
        whole = self.columns_function(flat.operations, flat.inputs, flat.outputs, operation.name, 1)
        return lambda members: whole((0,), *[(m,) for m in members])[0] * count

    def kernel(self, operation: Operation) -> Kernel:
        """The kernel of an operation that stays one."""
        if operation.name in CONTROL:
            return control_kernel(operation, self)
        return super().kernel(operation)


class _BufferStack:
    """The table's stack, filled with buffers and given as one."""

    def __init__(self, stack: Any, compiler: FusedCompiler) -> None:
        self._stack, self._compiler = stack, compiler

    def put(self, i: int, part: Any) -> None:
        self._stack.put(i, part.array)

    def array(self) -> Any:
        compiler = self._compiler
        return compiler.generator.wrap_array(self._stack.array(), compiler.devices[0])
